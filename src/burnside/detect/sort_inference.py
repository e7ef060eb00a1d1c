"""Which values belong together: the *sorts* of expressions, found by looking at what is compared, assigned and indexed.

Process ids are plain numbers in the model, so nothing says of the ``0`` in ``token == 0`` that it is a process. Its
sort is that of ``token``: whatever is compared with ``==``, assigned, pushed, passed on or used as an index of one
dimension is of one sort. A sort of processes has the name of their domain; other sorts have those of the named domains
of data in them. What is calculated or put in order is *interpreted*: its values are numbers, not names.

This serves explanations (``sites``), never soundness.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias, final

from burnside.claims.requirements import Required
from burnside.ir import nodes as n
from burnside.ir.nodes import BOOL, Domain, Expr, Model, Stmt
from burnside.ir.operators import ARITHMETIC, EQUALITIES, ORDERINGS
from burnside.ir.renaming import Sort, SortKind
from burnside.ir.walk import children, operands
from burnside.values import dataclass, field

Key: TypeAlias = tuple[object, ...]

PROPERTY: Final = "property"


@final
@dataclass(frozen=True, slots=True)
class Owner:
    """The part of a model that something is written in: a rule, a property, the conditions on initial states."""

    what: str
    name: str = ""

    def __str__(self) -> str:
        return f"{self.what} '{self.name}'" if self.name else self.what


@final
@dataclass(frozen=True, slots=True)
class Typed:
    """The sort that an expression is joined to, and the domain it is declared with; None is a truth or a number."""

    key: Key | None = None
    domain: Domain | None = None


@final
@dataclass(frozen=True, slots=True)
class Literal:
    """A value written in a text, in the part it is written in; ``context`` is the domain it has to be a value of."""

    expr: Expr
    value: int
    key: Key
    owner: Owner
    context: Domain | None


@final
@dataclass(frozen=True, slots=True)
class Calculation:
    """A largest expression that calculates or compares by order; ``leaves`` are the parts it calculates with."""

    expr: Expr
    key: Key
    owner: Owner
    leaves: tuple[tuple[Expr, Typed], ...]
    context: Domain | None


@final
@dataclass(frozen=True, slots=True)
class Range:
    """A name that ranges over numbers, not over a domain that has a name of its own; ``node`` binds it."""

    node: n.Quantified | n.For | n.Parameter
    key: Key
    owner: Owner


@final
@dataclass(frozen=True)
class InferredSorts:
    """What a model and some conditions say about sorts."""

    literals: list[Literal] = field(default_factory=list)
    calculations: list[Calculation] = field(default_factory=list)
    ranges: list[Range] = field(default_factory=list)
    lookups: list[tuple[n.Lookup, Owner]] = field(default_factory=list)
    _parents: dict[Key, Key] = field(default_factory=dict)
    _interpreted: set[Key] = field(default_factory=set)

    def find(self, key: Key) -> Key:
        """The key that stands for all that are joined to one."""
        parent = self._parents.get(key, key)
        if parent == key:
            return key
        self._parents[key] = self.find(parent)
        return self._parents[key]

    def join(self, one: Key | None, other: Key | None) -> None:
        """Two things are of one sort; those with names stand for the others. Processes stay apart from all else that
        has a name: ids of two domains are plain numbers, and may be compared by mistake.
        """
        if one is None or other is None:
            return
        one, other = self.find(one), self.find(other)
        kept, gone = sorted((one, other), key=_rank)
        if one != other and not (kept[0] == "process" and gone[0] in _RANKS):
            self._parents[gone] = kept

    def interpret(self, key: Key | None) -> None:
        """The values of a sort are used as numbers."""
        if key is not None:
            self._interpreted.add(key)

    def is_interpreted(self, key: Key) -> bool:
        """Whether the values of a sort are calculated or put in order somewhere."""
        return self.find(key) in {self.find(k) for k in self._interpreted}

    def sort(self, key: Key | None) -> Sort | None:
        """The sort of what is joined to a key, if it has a name."""
        match self.find(key) if key is not None else None:
            case ("process", str(name)):
                return Sort(SortKind.PROCESS, name)
            case ("domain", str(name)):
                return Sort(SortKind.DATA, name)
            case _:
                return None

    def of_domain(self, domain: Domain) -> Sort | None:
        """The sort of the values of a domain."""
        return self.sort(domain_key(domain))


_RANKS = {"process": 0, "domain": 1}


def _rank(key: Key) -> tuple[int, str]:
    return _RANKS.get(str(key[0]), 2), repr(key)


def domain_key(domain: Domain, *otherwise: object) -> Key | None:
    """The key of a domain that has a name, or the given one; None for truth values."""
    if domain.index:
        return ("process", domain.index)
    if domain == BOOL:
        return None
    return ("domain", domain.name) if domain.name else otherwise or None


def infer(model: Model, requirements: Iterable[Required] = ()) -> InferredSorts:
    """The sorts of a model, and of conditions that symmetries are asked to keep."""
    inference = _Inference(model)
    for rule in model.rules:
        inference.rule(rule)
    for condition in model.initially:
        inference.condition(condition, Owner("the conditions on initial states"))
    for required in requirements:
        inference.condition(required.condition, owner_of(required))
    inference.compare()
    return inference.sorts


def owner_of(required: Required) -> Owner:
    """The part of a text that a condition is."""
    names = required.family.names
    return Owner(PROPERTY, names[0]) if names else Owner(str(required.family))


@final
class _Inference:
    def __init__(self, model: Model) -> None:
        self.sorts = InferredSorts()
        self._variables = {v.name: v for v in model.variables}
        self._owner = Owner("model")
        self._acting: dict[int, str] = {}  # who takes part in a rule that is written out for one process
        self._processes = {d.index for v in model.variables for d in v.dimensions if d.index}
        self._seen: set[tuple[Owner, int]] = set()
        self._comparisons: list[tuple[Key | None, Key | None]] = []

    # ------------------------------------------------------------ parts of a model

    def rule(self, rule: n.Rule) -> None:
        """A rule: its parameters, guard and body. What an observer sees of it does not matter to symmetries."""
        self._owner = Owner("rule", rule.name)
        self._acting = {a.id.value: a.kind for a in rule.actors or () if isinstance(a.id, n.Const)}
        for parameter in rule.parameters:
            self._range(parameter)
        self._visit(rule.guard, None)
        self._block(rule.body)

    def condition(self, expr: Expr, owner: Owner) -> None:
        """A condition outside rules, once, whatever values its names have."""
        self._owner, self._acting = owner, {}
        if (owner, id(expr)) not in self._seen:
            self._seen.add((owner, id(expr)))
            self._visit(expr, None)

    def compare(self) -> None:
        """What is compared is of one sort, unless what indexes and assignments say is against it."""
        for one, other in self._comparisons:
            self.sorts.join(one, other)

    def _block(self, body: Iterable[Stmt]) -> None:
        for statement in body:
            self._statement(statement)

    def _statement(self, statement: Stmt) -> None:
        match statement:
            case n.Assign(target=target, value=value):
                self._flows(value, self._visit(target, None))
            case n.Push(variable=name, indices=indices, value=value):
                self._indices(name, indices)
                self._flows(value, self._held_by(name))
            case n.Pop(variable=name, indices=indices) | n.Clear(variable=name, indices=indices):
                self._indices(name, indices)
            case n.Declare(name=name, domain=domain, value=value):
                self._flows(value, self._named(name, domain))
            case n.For(body=body):
                self._range(statement)
                self._block(body)
            case n.If(then=then, otherwise=otherwise):
                self._visit(statement.condition, None)
                self._block(then)
                self._block(otherwise)
            case n.While(body=body):
                self._visit(statement.condition, None)
                self._block(body)
            case n.Assert():
                for expr in operands(statement):
                    self._visit(expr, None)

    def _flows(self, value: Expr, target: Typed) -> None:
        self.sorts.join(self._visit(value, target.domain).key, target.key)

    def _range(self, binder: n.Quantified | n.For | n.Parameter) -> None:
        key = self._named(binder.name, binder.domain).key
        if key is not None and binder.domain.name == "":
            self.sorts.ranges.append(Range(binder, key, self._owner))

    def _named(self, name: str, domain: Domain) -> Typed:
        return Typed(domain_key(domain, "name", self._owner, name, domain.low, domain.high), domain)

    def _held_by(self, name: str) -> Typed:
        domain = self._variables[name].domain
        return Typed(domain_key(domain, "variable", name), domain)

    def _indices(self, name: str, indices: tuple[Expr, ...]) -> None:
        for k, (index, dimension) in enumerate(zip(indices, self._variables[name].dimensions, strict=False)):
            self._flows(index, Typed(domain_key(dimension, "dimension", name, k), dimension))

    # ------------------------------------------------------------ expressions

    def _visit(self, expr: Expr, context: Domain | None) -> Typed:
        """The sort of an expression that has to be a value of ``context``, if that is known."""
        if is_calculation(expr):
            return self._calculation(expr, context)
        match expr:
            case n.Const(domain=domain, value=value):
                return self._literal(expr, value, context if domain is None else domain)
            case n.Bound(name=name, domain=domain):
                return self._named(name, domain)
            case n.Read(variable=name, indices=indices):
                self._indices(name, indices)
                return self._held_by(name)
            case n.Item(variable=name, indices=indices, position=position):
                self._indices(name, indices)
                self._visit(position, None)
                return self._held_by(name)
            case n.Length(variable=name, indices=indices):
                self._indices(name, indices)
            case n.Lookup(table=table, indices=indices):
                for k, index in enumerate(indices):
                    self.sorts.join(self._visit(index, None).key, ("table", table, k))
                self.sorts.lookups.append((expr, self._owner))
                return Typed(("entries", table), context)
            case n.Binary(operator=operator, left=left, right=right) if operator in EQUALITIES:
                self._compared(left, right)
            case n.Choice(condition=condition, then=then, otherwise=otherwise):
                self._visit(condition, None)
                return self._alternatives(then, otherwise, context)
            case n.Checked(operand=operand, domain=domain):
                held = Typed(domain_key(domain, "checked", id(expr)), domain)
                self._flows(operand, held)
                return held
            case n.Quantified(quantifier=quantifier, body=body):
                self._range(expr)
                found = self._visit(body, None)
                if quantifier == "sum":
                    self.sorts.interpret(found.key)
            case _:
                for child in children(expr):
                    self._visit(child, None)
        return Typed()

    def _compared(self, left: Expr, right: Expr) -> None:
        """Constants last: what they are compared with says what they are."""
        first, second = (right, left) if is_constant(left) else (left, right)
        found = self._visit(first, None)
        self._comparisons.append((found.key, self._visit(second, found.domain).key))

    def _alternatives(self, then: Expr, otherwise: Expr, context: Domain | None) -> Typed:
        one, other = self._visit(then, context), self._visit(otherwise, context)
        self.sorts.join(one.key, other.key)
        return one if one.key is not None else other

    def _literal(self, expr: Expr, value: int, context: Domain | None) -> Typed:
        if isinstance(expr, n.Const) and expr.domain == BOOL:
            return Typed()
        key: Key = ("literal", id(expr), self._owner)
        if isinstance(expr, n.Const) and expr.domain is not None:
            self.sorts.join(key, domain_key(expr.domain))
        elif isinstance(expr, n.Const) and self._acting.get(value) in self._processes and is_written_name(expr):
            self.sorts.join(key, ("process", self._acting[value]))
        self.sorts.literals.append(Literal(expr, value, key, self._owner, context))
        return Typed(key, context)

    def _calculation(self, expr: Expr, context: Domain | None) -> Typed:
        """Calculating with constants gives a constant; with anything else it interprets what it calculates with."""
        value = constant_value(expr)
        if value is not None:
            return self._literal(expr, value, context)
        leaves = []
        for leaf in leaves_of(expr):
            if not is_constant(leaf):
                leaves.append((leaf, self._visit(leaf, None)))
                self.sorts.interpret(leaves[-1][1].key)
                if context is not None and context.index and isinstance(leaf, n.Bound) and not leaf.domain.name:
                    self.sorts.join(leaves[-1][1].key, domain_key(context))  # as in ``x[(i + 1) % N]``
        key: Key = ("result", id(expr), self._owner)
        self.sorts.calculations.append(Calculation(expr, key, self._owner, tuple(leaves), context))
        return Typed() if isinstance(expr, n.Binary) and expr.operator in ORDERINGS else Typed(key, context)


# ---------------------------------------------------------------- calculations


def is_calculation(expr: Expr) -> bool:
    """Whether an expression calculates, or compares by order."""
    match expr:
        case n.Binary(operator=operator):
            return operator in ARITHMETIC or operator in ORDERINGS
        case n.Unary(operator="-"):
            return True
        case _:
            return False


def is_written_name(expr: n.Const) -> bool:
    """Whether a constant stands where the text has a name, or nothing at all: a parameter with its value."""
    return expr.span is None or expr.span.text.isidentifier()


def leaves_of(expr: Expr) -> Iterator[Expr]:
    """What an expression calculates with, from the left."""
    if is_calculation(expr):
        for child in children(expr):
            yield from leaves_of(child)
    else:
        yield expr


def is_constant(expr: Expr) -> bool:
    """Whether an expression is made of constants alone."""
    return all(isinstance(leaf, n.Const) for leaf in leaves_of(expr))


def constant_value(expr: Expr) -> int | None:
    """The value of an expression that is made of constants alone; None of others, and where there is none."""
    from burnside.ir.semantics import FaultRaised, apply_operator

    if isinstance(expr, n.Const):
        return expr.value
    values = [constant_value(child) for child in children(expr)] if is_calculation(expr) else [None]
    known = [v for v in values if v is not None]
    if len(known) < len(values):
        return None
    try:
        return -known[0] if isinstance(expr, n.Unary) else apply_operator(_operator(expr), known[0], known[1])
    except FaultRaised:
        return None


def _operator(expr: Expr) -> str:
    assert isinstance(expr, n.Binary)
    return expr.operator
