"""Random sequential models: small, well typed, accepted by the checker.

Everything is directed by the type that is wanted, so that nothing has to be thrown away: a number that
might not fit where it is needed is wrapped (``min``, ``max``, ``%``, ``if``) unless the model is a
*hazardous* one, in which case it sometimes is not, and the model may fault.

The pieces compose: `domains` and `variables` declare, a `Scope` says what may be used, `truths`,
`numbers`, `members` and `values_in` build expressions over it, `blocks` builds programs, `rules` and
`properties` build the rest, and `models` puts everything together. A strategy for special models (all
symmetric ones, say) can draw its own declarations and reuse the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias, TypeVar

from hypothesis import assume
from hypothesis import strategies as st

from burnside.ir.cells import State
from burnside.ir.check import check_model, table_shape, type_of_domain
from burnside.ir.intervals import Bounds
from burnside.ir.nodes import (
    BOOL,
    FALSE,
    TRUE,
    Assert,
    Assign,
    Binary,
    Bound,
    Choice,
    Clear,
    Const,
    Constant,
    Declare,
    Domain,
    Event,
    Expr,
    For,
    If,
    Item,
    Length,
    Logic,
    Lookup,
    Model,
    Parameter,
    Pop,
    Property,
    PropertyKind,
    Push,
    Quantified,
    Read,
    Rule,
    Stmt,
    Unary,
    Variable,
    While,
)
from burnside.ir.semantics import Fault, FaultRaised, initial, successors
from burnside.source import Diagnostics

T = TypeVar("T")
Draw: TypeAlias = Callable[[st.SearchStrategy[T]], T]

MOST_STATES = 3_000
MOST_INITIAL = 200
WIDEST = 1 << 40  # products of wider numbers could leave what the checker allows

_SMALL_OPERATORS = ("+", "-", "*", "&", "|", "^", "min", "max")
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


# ---------------------------------------------------------------- what may be used


@dataclass(frozen=True)
class Scope:
    """What an expression or program may refer to, and whether it may fault."""

    variables: tuple[Variable, ...]
    constants: tuple[Constant, ...] = ()
    domains: tuple[Domain, ...] = ()
    names: Mapping[str, Domain] = field(default_factory=dict)
    locals: frozenset[str] = frozenset()
    hazardous: bool = False

    def with_name(self, domain: Domain, *, is_local: bool = False) -> tuple[str, Scope]:
        """A new name that hides nothing, and the scope that has it."""
        name = f"n{len(self.names)}"
        kept = self.locals | {name} if is_local else self.locals
        return name, replace(self, names={**self.names, name: domain}, locals=kept)

    def bounds(self, expr: Expr) -> tuple[int, int]:
        """Least and greatest value of a number."""
        tables = {c.name: c.value for c in self.constants}
        return Bounds({v.name: v for v in self.variables}, tables).of(expr)

    def fits(self, expr: Expr, domain: Domain) -> bool:
        """Whether a number cannot lie outside a domain."""
        low, high = self.bounds(expr)
        return domain.low <= low and high <= domain.high

    @property
    def scalars(self) -> list[Variable]:
        """Variables whose elements are single values."""
        return [v for v in self.variables if not v.is_sequence]

    @property
    def sequences(self) -> list[Variable]:
        """Variables whose elements are sequences."""
        return [v for v in self.variables if v.is_sequence]

    @property
    def tables(self) -> list[Constant]:
        """Constant lists."""
        return [c for c in self.constants if isinstance(c.value, tuple)]


def same_type(one: Domain, other: Domain) -> bool:
    """Whether values of two domains may be compared and assigned."""
    return type_of_domain(one) == type_of_domain(other)


def is_number(domain: Domain) -> bool:
    """Whether values of a domain are numbers."""
    return domain != BOOL and not domain.is_enumeration


# ---------------------------------------------------------------- declarations


@st.composite
def domains(draw: Draw, name: str) -> Domain:
    """A small domain: bool, an anonymous range, an enumeration or an extended range called ``name``."""
    kind = draw(st.sampled_from(("bool", "range", "range", "range", "single", "labels", "extended")))
    low = draw(st.integers(-3, 3))
    size = draw(st.integers(2, 4))
    match kind:
        case "bool":
            return BOOL
        case "range":
            return Domain("", low, low + size - 1)
        case "single":
            return Domain("", low, low)
        case "labels":
            return Domain(name, 0, size - 2, tuple(f"{name}_{k}" for k in range(size - 1)))
        case _:
            return Domain(name, low, low + size, (f"{name}_none", f"{name}_all"))


def wide_domains() -> st.SearchStrategy[Domain]:
    """A domain of millions of values, so that a state needs several words; few of them are ever taken."""
    lows = st.sampled_from((0, 1, -7, -(1 << 20), 1 << 33))
    sizes = st.sampled_from(((1 << 20) + 3, (1 << 31) + 1, 1 << 32))
    return st.builds(lambda low, size: Domain("", low, low + size - 1), lows, sizes)


@st.composite
def tables(draw: Draw, name: str) -> Constant:
    """A constant list, or a rectangular list of lists."""
    entry = st.one_of(st.integers(-4, 4), st.sampled_from((100_000, -70_000, 2_000_000_011)))
    row = st.integers(1, 3)
    if draw(st.booleans()):
        return Constant(name, tuple(draw(entry) for _ in range(draw(row))))
    rows, columns = draw(row), draw(row)
    return Constant(name, tuple(tuple(draw(entry) for _ in range(columns)) for _ in range(rows)))


@st.composite
def variables(draw: Draw, name: str, pool: tuple[Domain, ...], *, free: bool) -> Variable:
    """A scalar, array, sequence or array of sequences; ``free`` ones may start with any value."""
    domain = draw(st.sampled_from(pool))
    shape = draw(st.sampled_from(("scalar", "scalar", "array", "array", "grid", "sequence", "sequences")))
    small = [d for d in pool if d.size <= 3] or [BOOL]
    rank = {"scalar": 0, "sequence": 0, "grid": 2}.get(shape, 1)
    dimensions = tuple(draw(st.sampled_from(small)) for _ in range(rank))
    capacity = draw(st.integers(1, 3)) if shape.startswith("sequence") else None
    shell = Variable(name, dimensions, domain, capacity, ())
    entry = _initial_items(domain, capacity) if capacity else _initial_values(domain, free=free)
    if draw(st.booleans()):
        return replace(shell, initial=(draw(entry),) * shell.elements)
    return replace(shell, initial=tuple(draw(entry) for _ in range(shell.elements)))


def _initial_values(domain: Domain, *, free: bool) -> st.SearchStrategy[int | None]:
    value = st.integers(domain.low, min(domain.high, domain.low + 5))
    return st.one_of(value, value, st.none()) if free and domain.size <= 4 else value


def _initial_items(domain: Domain, capacity: int) -> st.SearchStrategy[tuple[int, ...]]:
    item = st.integers(domain.low, min(domain.high, domain.low + 5))
    return st.lists(item, max_size=capacity).map(tuple)


# ---------------------------------------------------------------- expressions


@st.composite
def truths(draw: Draw, scope: Scope, depth: int = 2) -> Expr:
    """An expression that is true or false."""
    options = ["leaf"]
    if depth > 0:
        options += ["compare", "compare", "compare", "members", "not", "and", "or", "=>", "<=>", "if", "all", "some"]
    match draw(st.sampled_from(options)):
        case "leaf":
            return draw(_leaf(scope, BOOL))
        case "compare":
            operator = draw(st.sampled_from(_COMPARISONS))
            return Binary(operator, draw(numbers(scope, depth - 1)), draw(numbers(scope, depth - 1)))
        case "members":
            domain = draw(st.sampled_from([BOOL, *(d for d in scope.domains if d.is_enumeration)]))
            operator = draw(st.sampled_from(("==", "!=")))
            return Binary(operator, *(draw(values_in(scope, domain, depth - 1)) for _ in range(2)))
        case "not":
            return Unary("!", draw(truths(scope, depth - 1)))
        case "and":
            return Logic("&&", tuple(draw(truths(scope, depth - 1)) for _ in range(draw(st.integers(2, 3)))))
        case "or":
            return Logic("||", tuple(draw(truths(scope, depth - 1)) for _ in range(draw(st.integers(2, 3)))))
        case "=>" | "<=>" as operator:
            return Binary(operator, draw(truths(scope, depth - 1)), draw(truths(scope, depth - 1)))
        case "if":
            return Choice(*(draw(truths(scope, depth - 1)) for _ in range(3)))
        case option:
            domain = draw(_small_domains(scope))
            name, inner = scope.with_name(domain)
            quantifier = "forall" if option == "all" else "exists"
            return Quantified(quantifier, name, domain, draw(truths(inner, depth - 1)))


@st.composite
def numbers(draw: Draw, scope: Scope, depth: int = 2) -> Expr:
    """An expression that is a number; its bounds stay below `WIDEST`."""
    options = ["leaf", "leaf"]
    if depth > 0:
        options += ["binary", "binary", "binary", "minus", "divide", "if", "count", "sum", "large"]
    match draw(st.sampled_from(options)):
        case "leaf":
            return draw(_leaf(scope, None))
        case "binary":
            operator = draw(st.sampled_from(_SMALL_OPERATORS))
            built: Expr = Binary(operator, draw(numbers(scope, depth - 1)), draw(numbers(scope, depth - 1)))
        case "minus":
            built = Unary("-", draw(numbers(scope, depth - 1)))
        case "divide":
            operator = draw(st.sampled_from(("/", "%")))
            divided, divisor = draw(numbers(scope, depth - 1)), draw(numbers(scope, depth - 1))
            low, high = scope.bounds(divisor)
            if low <= 0 <= high and not (scope.hazardous and draw(_rarely())):
                divisor = Const(draw(st.sampled_from((-3, -1, 1, 2, 5))))
            built = Binary(operator, divided, divisor)
        case "if":
            then, otherwise = draw(numbers(scope, depth - 1)), draw(numbers(scope, depth - 1))
            built = Choice(draw(truths(scope, depth - 1)), then, otherwise)
        case "large":
            large = Choice(draw(truths(scope, depth - 1)), Const(100_003), Const(-2_000_000_000))
            built = Binary(draw(st.sampled_from(("+", "*", "-"))), large, draw(numbers(scope, depth - 1)))
        case "count":
            domain = draw(_small_domains(scope))
            name, inner = scope.with_name(domain)
            built = Quantified("count", name, domain, draw(truths(inner, depth - 1)))
        case _:
            domain = draw(_small_domains(scope))
            name, inner = scope.with_name(domain)
            built = Quantified("sum", name, domain, draw(numbers(inner, depth - 1)))
    low, high = scope.bounds(built)
    return built if max(-low, high) < WIDEST else Binary("%", built, Const(1_000_003))


@st.composite
def members(draw: Draw, scope: Scope, domain: Domain, depth: int = 1) -> Expr:
    """A value of an enumeration."""
    if depth > 0 and draw(_rarely()):
        then, otherwise = draw(members(scope, domain, depth - 1)), draw(members(scope, domain, depth - 1))
        return Choice(draw(truths(scope, depth - 1)), then, otherwise)
    return draw(_leaf(scope, domain))


@st.composite
def values_in(draw: Draw, scope: Scope, domain: Domain, depth: int = 1) -> Expr:
    """An expression of a domain's type whose value lies in the domain, unless the scope is hazardous."""
    if domain == BOOL:
        return draw(truths(scope, depth))
    if domain.is_enumeration:
        return draw(members(scope, domain, depth))
    return draw(fitted(scope, draw(numbers(scope, depth)), domain))


@st.composite
def fitted(draw: Draw, scope: Scope, expr: Expr, domain: Domain) -> Expr:
    """A number brought into a domain: as it is, cut off at the ends, wrapped around, or replaced."""
    if scope.fits(expr, domain) or (scope.hazardous and draw(_rarely())):
        return expr
    low, high = Const(domain.low), Const(domain.high)
    match draw(st.sampled_from(("cut", "wrap", "replace", "constant"))):
        case "cut":
            return Binary("min", Binary("max", expr, low), high)
        case "wrap":
            return Binary("+", Binary("%", expr, Const(domain.size)), low)
        case "replace":
            inside = Logic("&&", (Binary("<=", low, expr), Binary("<=", expr, high)))
            return Choice(inside, expr, low)
        case _:
            return Const(draw(st.integers(domain.low, min(domain.high, domain.low + 6))))


@st.composite
def _leaf(draw: Draw, scope: Scope, wanted: Domain | None) -> Expr:
    """A constant, a name, or one access to a variable or list; ``wanted`` None is any number."""

    def suits(domain: Domain) -> bool:
        return is_number(domain) if wanted is None else same_type(domain, wanted)

    options: list[st.SearchStrategy[Expr]] = [_constants(wanted)]
    options += [st.just(Bound(n, d)) for n, d in scope.names.items() if suits(d)]
    reads = [_reads(scope, v) for v in scope.scalars if suits(v.domain)]
    options += [*reads, *reads]
    options += [_items(scope, v) for v in scope.sequences if suits(v.domain)]
    if wanted is None:
        options += [_lengths(scope, v) for v in scope.sequences]
        options += [_lookups(scope, c) for c in scope.tables]
    return draw(st.one_of(options))


def _constants(wanted: Domain | None) -> st.SearchStrategy[Expr]:
    if wanted is None:
        return st.integers(-5, 6).map(Const)
    return st.integers(wanted.low, wanted.high).map(lambda value: Const(value, wanted))


@st.composite
def indices(draw: Draw, scope: Scope, dimensions: tuple[Domain, ...]) -> tuple[Expr, ...]:
    """One index for every dimension, mostly inside it."""
    return tuple(draw(_index(scope, d)) for d in dimensions)


@st.composite
def _index(draw: Draw, scope: Scope, domain: Domain) -> Expr:
    named: list[Expr] = [Bound(n, d) for n, d in scope.names.items() if same_type(d, domain)]
    plain: list[Expr] = [Read(v.name) for v in scope.scalars if not v.dimensions and same_type(v.domain, domain)]
    constant = st.integers(domain.low, domain.high).map(lambda v: Const(v, None if is_number(domain) else domain))
    options = [constant, st.sampled_from(named) if named else constant, st.sampled_from(plain) if plain else constant]
    chosen = draw(st.one_of(options))
    if not is_number(domain):
        return chosen
    if draw(_rarely()):
        chosen = Binary("+", chosen, Const(draw(st.sampled_from((-1, 1)))))
    return draw(fitted(scope, chosen, domain))


@st.composite
def _reads(draw: Draw, scope: Scope, variable: Variable) -> Expr:
    return Read(variable.name, draw(indices(scope, variable.dimensions)))


@st.composite
def _lengths(draw: Draw, scope: Scope, variable: Variable) -> Expr:
    return Length(variable.name, draw(indices(scope, variable.dimensions)))


@st.composite
def _items(draw: Draw, scope: Scope, variable: Variable) -> Expr:
    """An item of a sequence, mostly behind a test that it is there."""
    assert variable.capacity is not None
    place = draw(indices(scope, variable.dimensions))
    position: Expr = Const(draw(st.integers(0, variable.capacity - 1)))
    if scope.hazardous and draw(_rarely()):
        position = draw(_index(scope, Domain("", 0, variable.capacity - 1)))
        return Item(variable.name, place, position)
    there = Binary("<", position, Length(variable.name, place))
    otherwise = Const(variable.domain.low, None if is_number(variable.domain) else variable.domain)
    return Choice(there, Item(variable.name, place, position), otherwise)


@st.composite
def _lookups(draw: Draw, scope: Scope, table: Constant) -> Expr:
    shape = table_shape(table.value) or ()
    return Lookup(table.name, draw(indices(scope, tuple(Domain("", 0, n - 1) for n in shape))))


def _small_domains(scope: Scope) -> st.SearchStrategy[Domain]:
    small = [d for d in scope.domains if d.size <= 5]
    return st.sampled_from([*small, BOOL, Domain("", -1, 1)])


def _rarely() -> st.SearchStrategy[bool]:
    return st.integers(0, 4).map(lambda n: n == 4)


# ---------------------------------------------------------------- programs


@st.composite
def blocks(draw: Draw, scope: Scope, depth: int = 2, *, most: int = 3) -> tuple[Stmt, ...]:
    """A block of statements; locals it declares are visible to its end."""
    found: list[Stmt] = []
    for _ in range(draw(st.integers(1, most))):
        made, scope = draw(_statements(scope, depth))
        found += made
    return tuple(found)


@st.composite
def _statements(draw: Draw, scope: Scope, depth: int) -> tuple[list[Stmt], Scope]:
    """A statement (a loop comes with the local that counts its rounds), and the scope behind it."""
    options = ["assign"] * 4 + ["declare"]
    if scope.sequences:
        options += ["push", "pop", "clear", "item"]
    if scope.locals:
        options += ["local"]
    if scope.hazardous:
        options += ["assert"]
    if depth > 0:
        options += ["if", "for", "while"]
    match draw(st.sampled_from(options)):
        case "declare":
            domain = draw(_small_domains(scope))
            value = draw(values_in(scope, domain))
            name, after = scope.with_name(domain, is_local=True)
            return [Declare(name, domain, value)], after
        case "while":
            return draw(_loops(scope, depth))
        case "if":
            otherwise = draw(blocks(scope, depth - 1, most=2)) if draw(st.booleans()) else ()
            return [If(draw(truths(scope)), draw(blocks(scope, depth - 1, most=2)), otherwise)], scope
        case "for":
            domain = draw(_small_domains(scope))
            name, inner = scope.with_name(domain)
            return [For(name, domain, draw(blocks(inner, depth - 1, most=2)))], scope
        case "assert":
            return [Assert(draw(truths(scope)), draw(st.sampled_from(("", "expected"))))], scope
        case "local":
            name = draw(st.sampled_from(sorted(scope.locals)))
            return [Assign(Bound(name, scope.names[name]), draw(values_in(scope, scope.names[name])))], scope
        case "push" | "pop" | "clear" | "item" as change:
            return [draw(_changes(scope, change))], scope
        case _:
            return [draw(_assignments(scope))], scope


@st.composite
def _assignments(draw: Draw, scope: Scope) -> Stmt:
    if not scope.scalars:
        return draw(_changes(scope, "clear"))
    variable = draw(st.sampled_from(scope.scalars))
    target = Read(variable.name, draw(indices(scope, variable.dimensions)))
    return Assign(target, draw(values_in(scope, variable.domain)))


@st.composite
def _changes(draw: Draw, scope: Scope, change: str) -> Stmt:
    """A change of a sequence, mostly behind a test that there is room or an item."""
    variable = draw(st.sampled_from(scope.sequences))
    assert variable.capacity is not None
    place = draw(indices(scope, variable.dimensions))
    length = Length(variable.name, place)
    if change == "clear":
        return Clear(variable.name, place)
    if change == "pop":
        made: Stmt = Pop(variable.name, place)
        test = Binary(">", length, Const(0))
    elif change == "push":
        made = Push(variable.name, place, draw(values_in(scope, variable.domain)))
        test = Binary("<", length, Const(variable.capacity))
    else:
        position = Const(draw(st.integers(0, variable.capacity - 1)))
        made = Assign(Item(variable.name, place, position), draw(values_in(scope, variable.domain)))
        test = Binary(">", length, position)
    return made if scope.hazardous and draw(_rarely()) else If(test, (made,))


@st.composite
def _loops(draw: Draw, scope: Scope, depth: int) -> tuple[list[Stmt], Scope]:
    """A loop that counts a local up, or in a hazardous scope any loop with a limit."""
    limit = draw(st.integers(0, 3))
    if scope.hazardous and draw(_rarely()):
        return [While(draw(truths(scope)), limit, draw(blocks(scope, depth - 1, most=2)))], scope
    domain = Domain("", 0, 3)
    name, after = scope.with_name(domain, is_local=True)
    counter = Bound(name, domain)
    body = draw(blocks(replace(after, locals=scope.locals), depth - 1, most=2))
    condition: Expr = Binary("<", counter, Const(limit))
    if draw(st.booleans()):
        condition = Logic("&&", (condition, draw(truths(scope, 1))))
    step = Assign(counter, Binary("min", Binary("+", counter, Const(1)), Const(3)))
    return [Declare(name, domain, Const(0)), While(condition, limit, (*body, step))], after


# ---------------------------------------------------------------- rules, properties, models


@st.composite
def parameters(draw: Draw, scope: Scope, *, most: int = 2) -> tuple[tuple[Parameter, ...], Scope]:
    """Parameters of a rule or a family of properties, and the scope that has them."""
    found: list[Parameter] = []
    for _ in range(draw(st.integers(0, most))):
        domain = draw(_small_domains(scope))
        name, scope = scope.with_name(domain)
        found.append(Parameter(name, domain))
    return tuple(found), scope


@st.composite
def rules(draw: Draw, name: str, scope: Scope) -> Rule:
    """A rule with parameters, guard, event and body."""
    found, inner = draw(parameters(scope))
    arguments = tuple(draw(numbers(inner, 1)) for _ in range(draw(st.integers(0, 1))))
    event = Event(name, (*(Bound(p.name, p.domain) for p in found), *arguments))
    guard = draw(truths(inner))
    return Rule(name, found, guard, event, draw(blocks(inner)))


@st.composite
def properties(draw: Draw, name: str, scope: Scope) -> Property:
    """A property of any kind, perhaps a family."""
    kind = draw(st.sampled_from(tuple(PropertyKind)))
    if kind is PropertyKind.DEADLOCK_FREE:
        return Property(name, kind)
    found, inner = draw(parameters(scope, most=1))
    return Property(name, kind, draw(truths(inner)), found)


@st.composite
def scopes(draw: Draw, *, wide: bool, hazardous: bool, most: int = 4) -> Scope:
    """Declarations of a whole model."""
    count = draw(st.integers(1, 3))
    pool = tuple(draw(domains(f"D{k}")) for k in range(count))
    small = tuple(dict.fromkeys((*pool, BOOL)))
    lists = tuple(draw(tables(f"t{k}")) for k in range(draw(st.integers(0, 2))))
    found = [draw(variables(f"v{k}", small, free=True)) for k in range(draw(st.integers(1, most)))]
    if wide:
        broad = tuple(draw(wide_domains()) for _ in range(2))
        found += [draw(variables(f"w{k}", broad, free=False)) for k in range(draw(st.integers(1, 3)))]
    ordered = draw(st.permutations(found))
    return Scope(tuple(ordered), lists, small, hazardous=hazardous)


@st.composite
def any_models(draw: Draw) -> Model:
    """A model of any size that the checker accepts: its state space may be large."""
    hazardous = draw(st.integers(0, 2)) == 2
    scope = draw(scopes(wide=draw(st.integers(0, 3)) == 3, hazardous=hazardous))
    initially = tuple(draw(truths(scope)) for _ in range(draw(st.sampled_from((0, 0, 0, 1, 2)))))
    model = Model(
        name="random",
        constants=scope.constants,
        domains=tuple(d for d in scope.domains if d.name and d != BOOL),
        variables=scope.variables,
        rules=tuple(draw(rules(f"r{k}", scope)) for k in range(draw(st.integers(1, 3)))),
        initially=initially,
        properties=tuple(draw(properties(f"p{k}", scope)) for k in range(draw(st.integers(0, 3)))),
        terminal=draw(st.one_of(st.sampled_from((FALSE, TRUE)), truths(scope, 1))),
    )
    assert_accepted(model)
    return model


def models(*, most_states: int = MOST_STATES) -> st.SearchStrategy[Model]:
    """A model that the checker accepts and whose state space is small."""
    return any_models().filter(lambda model: is_small(model, most_states=most_states))


def assert_accepted(model: Model) -> None:
    """The generator only makes models that the checker accepts."""
    found = Diagnostics()
    check_model(model, found)
    assert not found.has_errors, [d.message for d in found]


def is_small(model: Model, *, most_states: int = MOST_STATES) -> bool:
    """Whether the reference semantics sees the whole state space (up to a fault) soon."""
    choices = 1
    for variable in model.variables:
        choices *= variable.domain.size ** sum(value is None for value in variable.initial)
    if choices > MOST_INITIAL:
        return False
    try:
        seen = set(initial(model))
    except FaultRaised:
        return True
    pending = list(seen)
    while pending:
        for outcome in successors(model, pending.pop()):
            if isinstance(outcome, Fault):
                return True
            if outcome.state not in seen:
                seen.add(outcome.state)
                pending.append(outcome.state)
        if len(seen) > most_states:
            return False
    return True


def small_exploration(model: Model) -> Model:
    """The model itself, for tests that make their own: gives up quietly on one that is too large."""
    assume(is_small(model))
    return model


@st.composite
def states_of(draw: Draw, model: Model) -> State:
    """Any state that fits the domains of a model, reachable or not; cells behind a sequence's end are least."""
    return tuple(value for v in model.variables for value in draw(_cells_of(v)))


@st.composite
def _cells_of(draw: Draw, variable: Variable) -> list[int]:
    value = st.integers(variable.domain.low, variable.domain.high)
    found: list[int] = []
    for _ in range(variable.elements):
        if variable.capacity is None:
            found.append(draw(value))
            continue
        items = draw(st.lists(value, max_size=variable.capacity))
        found += [len(items), *items, *([variable.domain.low] * (variable.capacity - len(items)))]
    return found


def expressions_in(model: Model) -> Iterator[Expr]:
    """The conditions of a model that have no names of their own."""
    yield from model.initially
    yield model.terminal
    for claim in model.properties:
        if not claim.parameters:
            yield claim.condition
