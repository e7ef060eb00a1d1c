"""Random sequential models: small, well typed, accepted by the checker.

Everything is directed by the type that is wanted, so that nothing has to be thrown away: a number that
might not fit where it is needed is wrapped (``min``, ``max``, ``%``, ``if``) unless the model is a
*hazardous* one, in which case it sometimes is not, and the model may fault.

Generators are plain functions of a `Pick`, the source of all choices, and compose by being called:
`domains` and `variables` declare, a `Scope` says what may be used, `truths`, `numbers`, `members` and
`values_in` build expressions over it, `blocks` builds programs, `rules` and `properties` the rest, and
`any_model` puts everything together. A generator of special models (all symmetric ones, say) can make
its own declarations and reuse the others. There are two sources of choices:

* `strategy(generator, …)` makes a Hypothesis strategy of any generator; failures shrink;
* `Pick(Random(seed))` is fast, and models of different seeds have nothing in common, whereas most
  examples of Hypothesis are small changes of earlier ones. `seeded_model` uses it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import TypeVar

from hypothesis import strategies as st

from burnside.claims.check import check_task
from burnside.claims.kinds import DeadlockFree, Invariant, Reachable, StateClaim
from burnside.claims.task import Task
from burnside.ir.cells import Cells, State, empty_slot
from burnside.ir.check import WIDEST_NUMBER, table_shape, type_of_domain
from burnside.ir.initial import count_runs, initial
from burnside.ir.instances import own_event
from burnside.ir.intervals import Bounds
from burnside.ir.nodes import (
    BOOL,
    FALSE,
    TRUE,
    Assert,
    Assign,
    Binary,
    Bound,
    Checked,
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
    Push,
    Quantified,
    Read,
    Rule,
    Stmt,
    Unary,
    Variable,
    While,
)
from burnside.ir.semantics import Fault, FaultRaised, successors
from burnside.source import Diagnostics

T = TypeVar("T")

MOST_STATES = 3_000
MOST_INITIAL = 200
WIDEST = 1 << 40  # bounds of the numbers that are made; products of such may be too wide and are dropped

_SMALL_OPERATORS = ("+", "-", "*", "&", "|", "^", "min", "max")
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


# ---------------------------------------------------------------- choices


class Pick:
    """A source of choices on top of any ``Random``, Hypothesis' own (which shrinks) included."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def integer(self, low: int, high: int) -> int:
        """A number from ``low`` to ``high``, both included."""
        return self._random.randint(low, high)

    def one(self, options: Sequence[T]) -> T:
        """One of some options, which should begin with the simplest."""
        return options[self.integer(0, len(options) - 1)]

    def flag(self) -> bool:
        """True half of the time."""
        return self.integer(0, 1) == 1

    def rarely(self) -> bool:
        """True one time in five."""
        return self.integer(0, 4) == 4

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in any order."""
        rest = list(items)
        return [rest.pop(self.integer(0, len(rest) - 1)) for _ in items]


def strategy(generator: Callable[..., T], *arguments: object, **options: object) -> st.SearchStrategy[T]:
    """A Hypothesis strategy for the values of a generator."""
    randoms = st.randoms(use_true_random=False)
    return randoms.map(lambda random: generator(Pick(random), *arguments, **options))


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


def domain(pick: Pick, name: str) -> Domain:
    """A small domain: bool, an anonymous range, an enumeration or an extended range called ``name``."""
    kind = pick.one(("bool", "range", "range", "range", "single", "labels", "extended"))
    low = pick.integer(-3, 3)
    size = pick.integer(2, 4)
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


def wide_domain(pick: Pick) -> Domain:
    """A domain of millions of values, so that a state needs several words; few of them are ever taken."""
    low = pick.one((0, 1, -7, -(1 << 20), 1 << 33))
    return Domain("", low, low + pick.one(((1 << 20) + 3, (1 << 31) + 1, 1 << 32)) - 1)


def table(pick: Pick, name: str) -> Constant:
    """A constant list, or a rectangular list of lists."""
    rows, columns = pick.integer(1, 3), pick.integer(1, 3)
    matrix = tuple(tuple(_entry(pick) for _ in range(columns)) for _ in range(rows))
    return Constant(name, matrix[0] if pick.flag() else matrix)


def _entry(pick: Pick) -> int:
    return pick.one((100_000, -70_000, 2_000_000_011)) if pick.rarely() else pick.integer(-4, 4)


def variable(pick: Pick, name: str, pool: Sequence[Domain], *, free: bool) -> Variable:
    """A scalar, array, sequence or array of sequences; ``free`` ones may start with any value."""
    domain = pick.one(pool)
    shape = pick.one(("scalar", "scalar", "array", "array", "grid", "sequence", "sequences"))
    small = [d for d in pool if d.size <= 3] or [BOOL]
    rank = {"scalar": 0, "sequence": 0, "grid": 2}.get(shape, 1)
    dimensions = tuple(pick.one(small) for _ in range(rank))
    capacity = pick.integer(1, 3) if shape.startswith("sequence") else None
    shell = Variable(name, dimensions, domain, capacity, ())

    def entry() -> int | tuple[int, ...] | None:
        if capacity is None:
            return None if free and domain.size <= 4 and pick.rarely() else _first_values(pick, domain)
        return tuple(_first_values(pick, domain) for _ in range(pick.integer(0, capacity)))

    if pick.flag():
        return replace(shell, initial=(entry(),) * shell.elements)
    return replace(shell, initial=tuple(entry() for _ in range(shell.elements)))


def _first_values(pick: Pick, domain: Domain) -> int:
    return pick.integer(domain.low, min(domain.high, domain.low + 5))


# ---------------------------------------------------------------- expressions


def truth(pick: Pick, scope: Scope, depth: int = 2) -> Expr:
    """An expression that is true or false."""
    options = ["leaf"]
    if depth > 0:
        options += ["compare", "compare", "compare", "members", "not", "and", "or", "=>", "<=>", "if", "all", "some"]
    match pick.one(options):
        case "leaf":
            return _leaf(pick, scope, BOOL)
        case "compare":
            operator = pick.one(_COMPARISONS)
            return Binary(operator, number(pick, scope, depth - 1), number(pick, scope, depth - 1))
        case "members":
            domain = pick.one([BOOL, *(d for d in scope.domains if d.is_enumeration)])
            operator = pick.one(("==", "!="))
            return Binary(operator, *(value_in(pick, scope, domain, depth - 1) for _ in range(2)))
        case "not":
            return Unary("!", truth(pick, scope, depth - 1))
        case "and":
            return Logic("&&", tuple(truth(pick, scope, depth - 1) for _ in range(pick.integer(2, 3))))
        case "or":
            return Logic("||", tuple(truth(pick, scope, depth - 1) for _ in range(pick.integer(2, 3))))
        case "=>" | "<=>" as operator:
            return Binary(operator, truth(pick, scope, depth - 1), truth(pick, scope, depth - 1))
        case "if":
            return Choice(*(truth(pick, scope, depth - 1) for _ in range(3)))
        case option:
            domain = _small_domain(pick, scope)
            name, inner = scope.with_name(domain)
            quantifier = "forall" if option == "all" else "exists"
            return Quantified(quantifier, name, domain, truth(pick, inner, depth - 1))


def number(pick: Pick, scope: Scope, depth: int = 2) -> Expr:
    """An expression that is a number; its bounds stay below `WIDEST`."""
    options = ["leaf", "leaf"]
    if depth > 0:
        options += ["binary", "binary", "binary", "minus", "divide", "if", "count", "sum", "large", "check"]
    match pick.one(options):
        case "leaf":
            return _leaf(pick, scope, None)
        case "binary":
            operator = pick.one(_SMALL_OPERATORS)
            built: Expr = Binary(operator, number(pick, scope, depth - 1), number(pick, scope, depth - 1))
        case "minus":
            built = Unary("-", number(pick, scope, depth - 1))
        case "divide":
            operator = pick.one(("/", "%"))
            divided, divisor = number(pick, scope, depth - 1), number(pick, scope, depth - 1)
            low, high = scope.bounds(divisor)
            if low <= 0 <= high and not (scope.hazardous and pick.flag()):
                divisor = Const(pick.one((-3, -1, 1, 2, 5)))
            built = Binary(operator, divided, divisor)
        case "if":
            then, otherwise = number(pick, scope, depth - 1), number(pick, scope, depth - 1)
            built = Choice(truth(pick, scope, depth - 1), then, otherwise)
        case "large":
            large = Choice(truth(pick, scope, depth - 1), Const(100_003), Const(-2_000_000_000))
            built = Binary(pick.one(("+", "*", "-")), large, number(pick, scope, depth - 1))
        case "check":
            low = pick.integer(-3, 3)
            wanted = Domain("", low, low + pick.integer(0, 4))
            built = Checked(fitted(pick, scope, number(pick, scope, depth - 1), wanted), wanted)
        case "count":
            domain = _small_domain(pick, scope)
            name, inner = scope.with_name(domain)
            built = Quantified("count", name, domain, truth(pick, inner, depth - 1))
        case _:
            domain = _small_domain(pick, scope)
            name, inner = scope.with_name(domain)
            built = Quantified("sum", name, domain, number(pick, inner, depth - 1))
    low, high = scope.bounds(built)
    if max(-low, high) < WIDEST:
        return built
    if max(-low, high) < WIDEST_NUMBER:
        return Binary("%", built, Const(1_000_003))
    assert isinstance(built, Binary)
    return built.left


def member(pick: Pick, scope: Scope, domain: Domain, depth: int = 1) -> Expr:
    """A value of an enumeration."""
    if depth > 0 and pick.rarely():
        then, otherwise = member(pick, scope, domain, depth - 1), member(pick, scope, domain, depth - 1)
        return Choice(truth(pick, scope, depth - 1), then, otherwise)
    if depth > 0 and pick.rarely():
        return Checked(_leaf(pick, scope, domain), domain)
    return _leaf(pick, scope, domain)


def value_in(pick: Pick, scope: Scope, domain: Domain, depth: int = 1) -> Expr:
    """An expression of a domain's type whose value lies in the domain, unless the scope is hazardous."""
    if domain == BOOL:
        return truth(pick, scope, depth)
    if domain.is_enumeration:
        return member(pick, scope, domain, depth)
    return fitted(pick, scope, number(pick, scope, depth), domain)


def fitted(pick: Pick, scope: Scope, expr: Expr, domain: Domain) -> Expr:
    """A number brought into a domain: as it is, cut off at the ends, wrapped around, or replaced."""
    if scope.fits(expr, domain) or (scope.hazardous and pick.rarely()):
        return expr
    low, high = Const(domain.low), Const(domain.high)
    match pick.one(("cut", "wrap", "replace", "constant")):
        case "cut":
            return Binary("min", Binary("max", expr, low), high)
        case "wrap":
            return Binary("+", Binary("%", expr, Const(domain.size)), low)
        case "replace":
            inside = Logic("&&", (Binary("<=", low, expr), Binary("<=", expr, high)))
            return Choice(inside, expr, low)
        case _:
            return Const(pick.integer(domain.low, min(domain.high, domain.low + 6)))


def _leaf(pick: Pick, scope: Scope, wanted: Domain | None) -> Expr:
    """A constant, a name, or one access to a variable or list; ``wanted`` None is any number."""

    def suits(domain: Domain) -> bool:
        return is_number(domain) if wanted is None else same_type(domain, wanted)

    if pick.rarely():
        return _constant(pick, wanted)
    reads = [v for v in scope.scalars if suits(v.domain)]
    options: list[Variable | Constant | Bound] = [Bound(n, d) for n, d in scope.names.items() if suits(d)]
    options += [*reads, *reads, *(v for v in scope.sequences if wanted is None or suits(v.domain))]
    options += scope.tables if wanted is None else []
    if not options:
        return _constant(pick, wanted)
    match pick.one(options):
        case Bound() as name:
            return name
        case Constant() as found:
            return _lookup(pick, scope, found)
        case Variable(capacity=None) as found:
            return Read(found.name, indices(pick, scope, found.dimensions))
        case Variable() as found if not suits(found.domain) or (wanted is None and pick.flag()):
            return Length(found.name, indices(pick, scope, found.dimensions))
        case found:
            return _item(pick, scope, found)


def _constant(pick: Pick, wanted: Domain | None) -> Expr:
    if wanted is None:
        return Const(pick.integer(-5, 6))
    return Const(pick.integer(wanted.low, wanted.high), wanted)


def indices(pick: Pick, scope: Scope, dimensions: tuple[Domain, ...]) -> tuple[Expr, ...]:
    """One index for every dimension, mostly inside it."""
    return tuple(_index(pick, scope, d) for d in dimensions)


def _index(pick: Pick, scope: Scope, domain: Domain) -> Expr:
    named: list[Expr] = [Bound(n, d) for n, d in scope.names.items() if same_type(d, domain)]
    plain: list[Expr] = [Read(v.name) for v in scope.scalars if not v.dimensions and same_type(v.domain, domain)]
    constant = _typed(pick.integer(domain.low, domain.high), domain)
    chosen = pick.one([constant, pick.one(named or [constant]), pick.one(plain or [constant])])
    if not is_number(domain):
        return chosen
    if pick.rarely():
        chosen = Binary("+", chosen, Const(pick.one((-1, 1))))
    return fitted(pick, scope, chosen, domain)


def _item(pick: Pick, scope: Scope, variable: Variable) -> Expr:
    """An item of a sequence, mostly behind a test that it is there."""
    assert variable.capacity is not None
    place = indices(pick, scope, variable.dimensions)
    position: Expr = Const(pick.integer(0, variable.capacity - 1))
    if scope.hazardous and pick.rarely():
        position = _index(pick, scope, Domain("", 0, variable.capacity - 1))
        return Item(variable.name, place, position)
    there = Binary("<", position, Length(variable.name, place))
    otherwise = _typed(variable.domain.low, variable.domain)
    return Choice(there, Item(variable.name, place, position), otherwise)


def _lookup(pick: Pick, scope: Scope, table: Constant) -> Expr:
    shape = table_shape(table.value) or ()
    return Lookup(table.name, indices(pick, scope, tuple(Domain("", 0, n - 1) for n in shape)))


def _small_domain(pick: Pick, scope: Scope) -> Domain:
    return pick.one([BOOL, *(d for d in scope.domains if d.size <= 5), Domain("", -1, 1)])


# ---------------------------------------------------------------- programs


def block(pick: Pick, scope: Scope, depth: int = 2, *, most: int = 3) -> tuple[Stmt, ...]:
    """A block of statements; locals it declares are visible to its end."""
    found: list[Stmt] = []
    for _ in range(pick.integer(1, most)):
        made, scope = _statement(pick, scope, depth)
        found += made
    return tuple(found)


def _statement(pick: Pick, scope: Scope, depth: int) -> tuple[list[Stmt], Scope]:
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
    match pick.one(options):
        case "declare":
            domain = _small_domain(pick, scope)
            value = value_in(pick, scope, domain)
            name, after = scope.with_name(domain, is_local=True)
            return [Declare(name, domain, value)], after
        case "while":
            return _loop(pick, scope, depth)
        case "if":
            otherwise = block(pick, scope, depth - 1, most=2) if pick.flag() else ()
            return [If(truth(pick, scope), block(pick, scope, depth - 1, most=2), otherwise)], scope
        case "for":
            domain = _small_domain(pick, scope)
            name, inner = scope.with_name(domain)
            return [For(name, domain, block(pick, inner, depth - 1, most=2))], scope
        case "assert":
            return [Assert(truth(pick, scope), pick.one(("", "expected")))], scope
        case "local":
            name = pick.one(sorted(scope.locals))
            return [Assign(Bound(name, scope.names[name]), value_in(pick, scope, scope.names[name]))], scope
        case "push" | "pop" | "clear" | "item" as change:
            return [_change(pick, scope, change)], scope
        case _:
            return [_assignment(pick, scope)], scope


def _assignment(pick: Pick, scope: Scope) -> Stmt:
    if not scope.scalars:
        return _change(pick, scope, "clear")
    variable = pick.one(scope.scalars)
    target = Read(variable.name, indices(pick, scope, variable.dimensions))
    # A step from the old value, half of the time: it is what makes state spaces grow.
    if is_number(variable.domain) and pick.flag():
        moved = Binary("+", target, Const(pick.one((1, 1, -1, 2))))
        return Assign(target, fitted(pick, scope, moved, variable.domain))
    if variable.domain == BOOL and pick.flag():
        return Assign(target, Unary("!", target))
    return Assign(target, value_in(pick, scope, variable.domain))


def _change(pick: Pick, scope: Scope, change: str) -> Stmt:
    """A change of a sequence, mostly behind a test that there is room or an item."""
    variable = pick.one(scope.sequences)
    assert variable.capacity is not None
    place = indices(pick, scope, variable.dimensions)
    length = Length(variable.name, place)
    if change == "clear":
        return Clear(variable.name, place)
    if change == "pop":
        made: Stmt = Pop(variable.name, place)
        test = Binary(">", length, Const(0))
    elif change == "push":
        made = Push(variable.name, place, value_in(pick, scope, variable.domain))
        test = Binary("<", length, Const(variable.capacity))
    else:
        position = Const(pick.integer(0, variable.capacity - 1))
        made = Assign(Item(variable.name, place, position), value_in(pick, scope, variable.domain))
        test = Binary(">", length, position)
    return made if scope.hazardous and pick.rarely() else If(test, (made,))


def _loop(pick: Pick, scope: Scope, depth: int) -> tuple[list[Stmt], Scope]:
    """A loop that counts a local up, or in a hazardous scope any loop with a limit."""
    limit = pick.integer(0, 3)
    if scope.hazardous and pick.rarely():
        return [While(truth(pick, scope), limit, block(pick, scope, depth - 1, most=2))], scope
    domain = Domain("", 0, 3)
    name, after = scope.with_name(domain, is_local=True)
    counter = Bound(name, domain)
    body = block(pick, replace(after, locals=scope.locals), depth - 1, most=2)
    condition: Expr = Binary("<", counter, Const(limit))
    if pick.flag():
        condition = Logic("&&", (condition, truth(pick, after, 1)))
    step = Assign(counter, Binary("min", Binary("+", counter, Const(1)), Const(3)))
    return [Declare(name, domain, Const(0)), While(condition, limit, (*body, step))], after


# ---------------------------------------------------------------- rules, properties, models


def parameters(pick: Pick, scope: Scope, *, most: int = 2) -> tuple[tuple[Parameter, ...], Scope]:
    """Parameters of a rule or a family of properties, and the scope that has them."""
    found: list[Parameter] = []
    for _ in range(pick.integer(0, most)):
        domain = _small_domain(pick, scope)
        name, scope = scope.with_name(domain)
        found.append(Parameter(name, domain))
    return tuple(found), scope


def rule(pick: Pick, name: str, scope: Scope) -> Rule:
    """A rule with parameters, guard, event and body."""
    found, inner = parameters(pick, scope)
    arguments = tuple(number(pick, inner, 1) for _ in range(pick.integer(0, 1)))
    event = Event(name, (*(Bound(p.name, p.domain) for p in found), *arguments))
    guard = pick.one((TRUE, truth(pick, inner, 1), truth(pick, inner), _test(pick, inner)))
    return Rule(name, found, guard, event, block(pick, inner))


def start(pick: Pick, name: str, scope: Scope) -> Rule:
    """A start rule."""
    found, inner = parameters(pick, scope, most=1)
    guard = pick.one((TRUE, TRUE, truth(pick, inner, 1)))
    return Rule(name, found, guard, own_event(name, found), block(pick, inner))


def _test(pick: Pick, scope: Scope) -> Expr:
    """What most guards of written models look like: comparisons of single cells with constants."""
    found: list[Expr] = []
    for _ in range(pick.integer(1, 2)):
        variable = pick.one(scope.variables)
        place = indices(pick, scope, variable.dimensions)
        if variable.is_sequence:
            found.append(Binary(pick.one(("<", "!=")), Length(variable.name, place), Const(1)))
            continue
        value = pick.integer(variable.domain.low, min(variable.domain.high, variable.domain.low + 3))
        test = pick.one(("==", "!=", "!="))
        found.append(Binary(test, Read(variable.name, place), _typed(value, variable.domain)))
    return found[0] if len(found) == 1 else Logic("&&", tuple(found))


def state_claim(pick: Pick, name: str, scope: Scope) -> StateClaim:
    """A claim about states of any kind, perhaps a family."""
    kind = pick.one((Invariant, Reachable, DeadlockFree))
    if kind is DeadlockFree:
        return DeadlockFree(name, up_to_stuttering=pick.rarely())
    found, inner = parameters(pick, scope, most=1)
    return kind(name, truth(pick, inner), found)


def declarations(pick: Pick, *, wide: bool, hazardous: bool, most: int = 4) -> Scope:
    """Declarations of a whole model."""
    count = pick.integer(1, 3)
    pool = tuple(domain(pick, f"D{k}") for k in range(count))
    small = tuple(dict.fromkeys((*pool, BOOL)))
    lists = tuple(table(pick, f"t{k}") for k in range(pick.integer(0, 2)))
    found = [variable(pick, f"v{k}", small, free=True) for k in range(pick.integer(2, most))]
    if wide:
        broad = tuple(wide_domain(pick) for _ in range(2))
        found += [variable(pick, f"w{k}", broad, free=False) for k in range(pick.integer(1, 3))]
    return Scope(tuple(pick.shuffled(found)), lists, small, hazardous=hazardous)


def any_model(pick: Pick) -> Model:
    """A model of any size that the checker accepts: its state space may be large."""
    return any_task(pick).model


def any_task(pick: Pick) -> Task:
    """Such a model with claims about its states."""
    scope = declarations(pick, wide=pick.integer(0, 3) == 3, hazardous=pick.flag())
    is_constrained = pick.integer(0, 3) == 3
    initially = tuple(truth(pick, scope) for _ in range(pick.integer(1, 2))) if is_constrained else ()
    rules = tuple(rule(pick, f"r{k}", scope) for k in range(pick.integer(2, 4)))
    starts = tuple(start(pick, f"s{k}", scope) for k in range(pick.integer(1, 2))) if pick.rarely() else ()
    claims = tuple(state_claim(pick, f"p{k}", scope) for k in range(pick.integer(0, 3)))
    model = Model(
        name="random",
        constants=scope.constants,
        domains=tuple(d for d in scope.domains if d.name and d != BOOL),
        variables=scope.variables,
        rules=rules,
        initially=initially,
        terminal=pick.one((FALSE, TRUE, truth(pick, scope, 1))),
        starts=starts,
    )
    if count_runs(model) > 2 * MOST_INITIAL:
        model = replace(model, starts=())
    assert_accepted(Task(model, claims))
    return Task(model, claims)


def models(*, most_states: int = MOST_STATES) -> st.SearchStrategy[Model]:
    """A Hypothesis strategy for models that the checker accepts and whose state space is small."""
    return tasks(most_states=most_states).map(lambda task: task.model)


def tasks(*, most_states: int = MOST_STATES) -> st.SearchStrategy[Task]:
    """Such models with claims about their states."""
    return strategy(any_task).filter(lambda task: count_states(task.model, most=most_states) is not None)


def seeded_model(seed: int, *, most_states: int = 800) -> Model:
    """The model of a seed: the same on every machine. Few are trivial, and none has many states."""
    return seeded_task(seed, most_states=most_states).model


def seeded_task(seed: int, *, most_states: int = 800) -> Task:
    """The same model with claims about its states."""
    pick = Pick(Random(seed))
    while True:
        task = any_task(pick)
        count = count_states(task.model, most=most_states)
        if count is not None and (count >= 8 or pick.integer(0, 9) == 9):
            return task


def assert_accepted(task: Task) -> None:
    """The generator only makes tasks that the checker accepts."""
    found = Diagnostics()
    check_task(task, found)
    assert not found.has_errors, [d.message for d in found]


def count_states(model: Model, *, most: int = MOST_STATES) -> int | None:
    """How many states the reference semantics sees before it is done or meets a fault; None if more than ``most``."""
    states = reachable_states(model, most=most)
    return None if states is None else len(states)


def reachable_states(model: Model, *, most: int = MOST_STATES) -> set[State] | None:
    """The states that the reference semantics sees before it is done or meets a fault; None if more than ``most``."""
    choices = 1
    for v in model.variables:
        choices *= v.domain.size ** sum(value is None for value in v.initial)
    if choices > MOST_INITIAL:
        return None
    try:
        seen = set(initial(model))
    except FaultRaised:
        return set()
    pending = list(seen)
    while pending and len(seen) <= most:
        for outcome in successors(model, pending.pop()):
            if isinstance(outcome, Fault):
                return seen
            if outcome.state not in seen:
                seen.add(outcome.state)
                pending.append(outcome.state)
    return seen if len(seen) <= most else None


def is_state(model: Model, state: State) -> Expr:
    """The condition that is true in one state only."""
    tests: list[Expr] = [TRUE, TRUE]
    length = 0
    for cell, value in zip(Cells(model).all, state, strict=True):
        name, typed = cell.variable.name, cell.variable.domain
        place = tuple(_typed(i, d) for i, d in zip(cell.indices, cell.variable.dimensions, strict=True))
        if cell.slot is None:
            tests.append(Binary("==", Read(name, place), _typed(value, typed)))
        elif cell.slot < 0:
            length = value
            tests.append(Binary("==", Length(name, place), Const(value)))
        elif cell.slot < length:
            tests.append(Binary("==", Item(name, place, Const(cell.slot)), _typed(value, typed)))
    return Logic("&&", tuple(tests))


def _typed(value: int, domain: Domain) -> Const:
    return Const(value, None if is_number(domain) else domain)


def state_of(pick: Pick, model: Model) -> State:
    """Any state that fits the domains of a model, reachable or not; slots behind a sequence's end are empty."""
    return tuple(value for v in model.variables for value in _element(pick, v))


def _element(pick: Pick, variable: Variable) -> list[int]:
    low, high = variable.domain.low, variable.domain.high
    found: list[int] = []
    for _ in range(variable.elements):
        if variable.capacity is None:
            found.append(pick.integer(low, high))
            continue
        items = [pick.integer(low, high) for _ in range(pick.integer(0, variable.capacity))]
        found += [len(items), *items, *([empty_slot(variable)] * (variable.capacity - len(items)))]
    return found


def expressions_in(task: Task) -> Iterator[Expr]:
    """The conditions of a task that have no names of their own."""
    yield from task.model.initially
    yield task.model.terminal
    for claim in task.claims:
        if isinstance(claim, Invariant | Reachable) and not claim.parameters:
            yield claim.condition
