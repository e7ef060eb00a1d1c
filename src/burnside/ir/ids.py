"""Ids of processes in expressions: where they stand in the place of a number, or of an id of another process.

The model knows numbers; which of them are ids serves names, never soundness. In texts ids are told apart: ``ord(i)`` is
the number of an id. It is a node (`ordinal`) only while a text is read or printed, and so are `argument` and `result`.

A *kind* is the name of a process domain, "" for numbers that are computed, and None for what can be either: literals,
constants, entries of constant lists, and whatever is no number.

Two forms of arithmetic give an id of the domain whose id they are about, whatever that id is, and so need no ``ord``:
the neighbours of a ring, ``(i + e) % N``, and the other end of a line, ``N - 1 - i`` (`moved`).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar, final

from burnside.ir import nodes as n
from burnside.ir.nodes import Domain, Expr, Rule, Stmt, Variable
from burnside.ir.operators import ARITHMETIC, EQUALITIES, ORDERINGS
from burnside.ir.rewrite import map_expr, with_children
from burnside.ir.shown import shown_domain
from burnside.ir.walk import children
from burnside.source import Span

ORD: Final = "ord"
ARGUMENT: Final = "argument"
RESULT: Final = "result"
NUMBER: Final = ""

Kind: TypeAlias = str | None
T = TypeVar("T")


@final
class Declared:
    """The variables and, among other things, the process domains of a text or model, by name; of a text, also the
    domains whose values may be none.
    """

    def __init__(
        self, variables: Mapping[str, Variable], domains: Mapping[str, object], optional: Container[Domain] = ()
    ) -> None:
        self.variables = variables
        self.domains = domains
        self.optional = optional
        self._memory: dict[tuple[str, int], tuple[Expr, Any]] = {}

    @classmethod
    def of(cls, model: n.Model) -> Declared:
        return cls({v.name: v for v in model.variables}, {d.name: d for d in model.domains})

    def is_optional(self, expr: Expr) -> bool:
        """Whether an expression may be none, by its form."""
        return shown_domain(self.variables, expr) in self.optional

    def process(self, domain: Domain) -> Domain:
        """The process domain that a domain of ids is a part of."""
        found = self.domains.get(domain.index)
        return found if isinstance(found, Domain) and not found.labels else domain

    def remembered(self, expr: Expr, question: Callable[[Expr, Declared], T]) -> T:
        """The answer to a question about an expression, which is asked once: what is asked of a whole is asked of its
        parts, in several ways.
        """
        key = question.__name__, id(expr)
        if key not in self._memory:
            self._memory[key] = expr, question(expr, self)  # it is kept, so that no other one gets its identity
        answer: T = self._memory[key][1]
        return answer


def ordinal(expr: Expr) -> Expr:
    """The number of an id."""
    return n.Unary(ORD, expr, expr.span)


def without_ordinals(expr: Expr) -> Expr:
    """An expression of the model: a number and an id are the same."""
    match map_expr(expr, without_ordinals):
        case n.Unary(operator="ord" | "argument", operand=value) | n.Binary(operator="result", left=value):
            return value
        case changed:
            return changed


def argument(expr: Expr, known: Declared) -> Expr:
    """What stands for a parameter: how it is used there was checked where the parameter was declared."""
    is_told_apart = bool(kind_of(expr, known)) or known.is_optional(expr)
    return n.Unary(ARGUMENT, expr, expr.span) if is_told_apart else expr


def result(expr: Expr, declared: Expr, known: Declared, span: Span) -> Expr:
    """What a definition gives for some arguments: an id if it was one where it was declared."""
    kind = kind_of(declared, known)
    if not kind or kind_of(expr, known) == kind:
        return expr
    return n.Binary(RESULT, expr, n.Const(0, Domain("", 0, 0, index=kind)), span)


def kind_of_domain(domain: Domain) -> Kind:
    """What the values of a domain are; enumerations have types of their own."""
    return None if domain.is_enumeration or (domain.labels and not domain.index) else domain.index


def kind_of(expr: Expr, known: Declared) -> Kind:
    """What the values of an expression are."""
    return known.remembered(expr, _find_kind)


def _find_kind(expr: Expr, known: Declared) -> Kind:
    match expr:
        case n.Const(domain=domain):
            return None if domain is None else kind_of_domain(domain)
        case n.Bound(domain=domain) | n.Checked(domain=domain):
            return kind_of_domain(domain)
        case n.Read(variable=name) | n.Item(variable=name):
            return kind_of_domain(known.variables[name].domain) if name in known.variables else None
        case n.Choice(then=then, otherwise=otherwise):
            kinds = {kind_of(then, known), kind_of(otherwise, known)} - {None}
            return kinds.pop() if len(kinds) == 1 else NUMBER if kinds else None
        case n.Binary(operator="result", right=witness):
            return kind_of(witness, known)
        case n.Binary(operator=operator, left=left, right=right) if operator in ARITHMETIC:
            found = moved(expr, known)
            if found is not None:
                return found.domain.index
            # What is computed from constants is one.
            return None if kind_of(left, known) is kind_of(right, known) is None else NUMBER
        case n.Unary(operator="-", operand=operand):
            return kind_of(operand, known)
        case n.Length() | n.Unary(operator="ord") | n.Quantified(quantifier="count" | "sum"):
            return NUMBER
        case _:
            return None


def expected_kinds(expr: Expr, known: Declared) -> tuple[Kind, ...]:
    """What each direct sub-expression is expected to be, in the order of `walk.children`; None if anything goes."""
    match expr:
        case n.Read(variable=name, indices=indices) | n.Length(variable=name, indices=indices):
            return _dimensions(name, len(indices), known)
        case n.Item(variable=name, indices=indices):
            return (*_dimensions(name, len(indices), known), NUMBER)
        case n.Binary(operator=operator) if operator in ARITHMETIC or operator in ORDERINGS:
            return NUMBER, NUMBER
        case n.Binary(operator=operator, left=left, right=right) if operator in EQUALITIES:
            return _agreeing(left, right, known)
        case n.Unary(operator="-"):
            return (NUMBER,)
        case n.Choice(then=then, otherwise=otherwise):
            return (None, *_agreeing(then, otherwise, known))
        case n.Checked(domain=domain):
            return (kind_of_domain(domain),)
        case n.Quantified(quantifier="sum"):
            return (NUMBER,)
        case _:
            return (None,) * len(children(expr))


def _dimensions(name: str, count: int, known: Declared) -> tuple[Kind, ...]:
    found = [kind_of_domain(d) for d in known.variables[name].dimensions] if name in known.variables else []
    return (*found, *[None] * count)[:count]


def _agreeing(left: Expr, right: Expr, known: Declared) -> tuple[Kind, Kind]:
    """Two sides that are to be of one kind: the second is what the first is, or both are numbers."""
    first, second = kind_of(left, known), kind_of(right, known)
    if first is None or second is None or first == second:
        return None, None
    return (NUMBER, NUMBER) if NUMBER in (first, second) else (None, first)


def is_misused(kind: Kind, wanted: Kind) -> bool:
    """Whether an id stands where something else is expected; numbers are taken as ids, and checked while models run."""
    return bool(kind) and wanted is not None and kind != wanted


def _misused(expr: Expr, known: Declared) -> list[tuple[Expr, Kind]]:
    """The direct sub-expressions that are ids where something else is expected, and what that is."""
    pairs = zip(children(expr), expected_kinds(expr, known), strict=True)
    return [(child, wanted) for child, wanted in pairs if is_misused(kind_of(child, known), wanted)]


def misuses(
    expr: Expr, known: Declared, allowed: frozenset[int] = frozenset()
) -> Iterator[tuple[Expr, list[tuple[Expr, Kind]]]]:
    """The sub-expressions whose operands are ids where something else is expected: these, and what that is."""
    allowed = _with_moved(expr, known, allowed)
    wrong = [] if id(expr) in allowed else _misused(expr, known)
    if wrong:
        yield expr, wrong
    for child in children(expr):
        yield from misuses(child, known, allowed)


def with_ordinals(expr: Expr, known: Declared, allowed: frozenset[int] = frozenset()) -> Expr:
    """An expression in which ids are numbers wherever they are misused: as a text would have it."""
    allowed = _with_moved(expr, known, allowed)
    changed = map_expr(expr, lambda child: with_ordinals(child, known, allowed))
    wrong = [] if id(expr) in allowed else [id(child) for child, _ in _misused(expr, known)]
    if wrong and isinstance(expr, n.Binary | n.Choice):
        # Ids of different processes are compared by their numbers, so all of them are.
        wrong = [id(child) for child in children(expr) if kind_of(child, known)]
    if not wrong:
        return changed
    pairs = zip(children(expr), children(changed), strict=True)
    return with_children(changed, [ordinal(new) if id(old) in wrong else new for old, new in pairs])


def places(statement: Stmt) -> Iterator[Expr]:
    """What a statement writes, as an expression of which the indices matter."""
    match statement:
        case n.Assign(target=target):
            yield target
        case n.Push(variable=name, indices=indices) | n.Pop(variable=name, indices=indices):
            yield n.Read(name, indices, statement.span)
        case n.Clear(variable=name, indices=indices):
            yield n.Read(name, indices, statement.span)
        case _:
            pass


def written_kinds(statement: Stmt, known: Declared) -> Iterator[tuple[Expr, Kind]]:
    """The values that a statement writes, each with what is expected of it."""
    match statement:
        case n.Assign(target=target, value=value):
            yield value, kind_of(target, known)
        case n.Push(variable=name, value=value) if name in known.variables:
            yield value, kind_of_domain(known.variables[name].domain)
        case n.Declare(domain=domain, value=value):
            yield value, kind_of_domain(domain)
        case _:
            pass


def wanted_by_events(
    rules: Sequence[Rule], name: str, arguments: Sequence[Expr | None], known: Declared
) -> Iterator[tuple[int, Kind]]:
    """The places of ids in a question about an event whose rules all have ids of others there, and one of these."""
    events = [r.event for r in rules if r.event.name == name and len(r.event.arguments) == len(arguments)]
    for position, given in enumerate(arguments):
        kind = kind_of(given, known) if given is not None else None
        wanted = {kind_of(event.arguments[position], known) for event in events}
        if kind and wanted and all(wanted) and kind not in wanted:
            yield position, min(filter(None, wanted))


# ---------------------------------------------------------------- neighbours


class Moved(NamedTuple):
    """An id that is computed from another of the same domain, and the nodes that do so by their identity."""

    domain: Domain
    nodes: frozenset[int]


def moved(expr: Expr, known: Declared) -> Moved | None:
    """An id of a ring or of a line, seen from another: ``(i + e) % N``, ``(i + e) % N + LOW``, ``LOW + HIGH - i``."""
    return known.remembered(expr, _find_moved)


def _find_moved(expr: Expr, known: Declared) -> Moved | None:
    match expr:
        case n.Binary(operator="%"):
            return _turned(expr, 0, known)
        case n.Binary(operator="+", left=n.Binary(operator="%") as turned, right=right):
            found = _turned(turned, _number(right), known)
            return found and Moved(found.domain, found.nodes | {id(expr)})
        case n.Binary(operator="-", left=left, right=right):
            total, domain = _number(left), domain_of_ids(right, known)
            whole = domain and _whole(domain, known, lambda d: d.low + d.high == total)
            return whole and Moved(whole, frozenset({id(expr)}))
        case _:
            return None


def domain_of_ids(expr: Expr, known: Declared) -> Domain | None:
    """The domain of an expression whose values are ids and nothing else, by its form."""
    match expr:
        case n.Bound(domain=domain) | n.Checked(domain=domain):
            return domain if domain.index and not domain.labels else None
        case n.Read(variable=name) | n.Item(variable=name) if name in known.variables:
            domain = known.variables[name].domain
            return domain if domain.index and not domain.labels else None
        case n.Unary(operator="argument", operand=value) | n.Binary(operator="result", left=value):
            return domain_of_ids(value, known)
        case n.Choice(then=then, otherwise=otherwise):
            found = domain_of_ids(then, known)
            return found if found == domain_of_ids(otherwise, known) else None
        case _:
            inner = moved(expr, known)
            return inner and inner.domain


def _turned(expr: n.Binary, least: int | None, known: Declared) -> Moved | None:
    """``(i + e) % N`` for the ids from ``least`` on."""
    size = _number(expr.right)
    found = None if size is None or least is None else _shifted(expr.left, known)
    whole = found and _whole(found.domain, known, lambda d: (d.low, d.size) == (least, size))
    return Moved(whole, found.nodes | {id(expr)}) if found and whole else None


def _whole(domain: Domain, known: Declared, is_meant: Callable[[Domain], bool]) -> Domain | None:
    """The domain of some ids, or the processes that these are a part of, whichever is meant."""
    return next((d for d in (domain, known.process(domain)) if is_meant(d)), None)


def _shifted(expr: Expr, known: Declared) -> Moved | None:
    """``i + e``, ``i - e`` and ``e + i``, where ``e`` is a number; ``i`` itself."""
    return known.remembered(expr, _find_shifted)


def _find_shifted(expr: Expr, known: Declared) -> Moved | None:
    if isinstance(expr, n.Binary) and expr.operator in ("+", "-") and moved(expr, known) is None:
        sides = [(expr.left, expr.right), (expr.right, expr.left)][: 2 if expr.operator == "+" else 1]
        for side, other in sides:
            found = _shifted(side, known)
            if found is not None and not kind_of(other, known):
                return Moved(found.domain, found.nodes | {id(expr)})
        return None
    domain = domain_of_ids(expr, known)
    return None if domain is None else Moved(domain, frozenset())


def _with_moved(expr: Expr, known: Declared, allowed: frozenset[int]) -> frozenset[int]:
    found = None if id(expr) in allowed else moved(expr, known)
    return allowed if found is None else allowed | found.nodes


def _number(expr: Expr) -> int | None:
    """The value of a constant of the text, as in ``N - 1``."""
    match expr:
        case n.Const(value=value, domain=None):
            return value
        case n.Binary(operator="+" | "-" as operator, left=left, right=right):
            one, other = _number(left), _number(right)
            if one is None or other is None:
                return None
            return one + other if operator == "+" else one - other
        case _:
            return None
