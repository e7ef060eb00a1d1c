"""Formulas of the Model Checking Contest as claims about the model of a net.

Reachability (``EF``, ``AG``), deadlocks, upper bounds and LTL are claims; what asks for branches of branches is CTL,
which is not decided: such a formula is named, and the others of its file are answered. What a transition needs to fire
is a condition on places, so no formula tells transitions apart more than it must.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias, final

from burnside.claims.kinds import Atom, Claim, DeadlockFree, Extreme, InfiniteRuns, Invariant, Reachable
from burnside.frontends.kit.names import declared_twice, unknown
from burnside.frontends.kit.temporal import LARGEST, MEANINGS, MOST_ATOMS
from burnside.frontends.pnml.bounds import Bound
from burnside.frontends.pnml.lower import enabled, tokens
from burnside.frontends.pnml.net import Net, Transition
from burnside.frontends.pnml.xml import Element, read_xml
from burnside.ir.build import comparison, conjunction, disjunction, negation
from burnside.ir.nodes import FALSE, TRUE, Binary, Const, Expr
from burnside.ltl import formula as ltl
from burnside.ltl.formula import Formula
from burnside.source import DEEPEST, Diagnostics, Source, Span, SyntaxStop
from burnside.source.tokens import refuse_nesting
from burnside.values import dataclass

_LARGEST_NUMBER: Final = 1 << 40

_COMPARISONS: Final = {
    "integer-le": "<=",
    "integer-lt": "<",
    "integer-ge": ">=",
    "integer-gt": ">",
    "integer-eq": "==",
    "integer-ne": "!=",
}
_CONNECTIVES: Final[Mapping[str, tuple[str, Callable[..., Expr]]]] = {
    "negation": ("!", negation),
    "conjunction": ("&&", lambda *parts: conjunction(parts)),
    "disjunction": ("||", lambda *parts: disjunction(parts)),
    "exclusive-disjunction": ("xor", lambda left, right: Binary("!=", left, right)),
    "implication": ("=>", lambda left, right: Binary("=>", left, right)),
    "equivalence": ("<=>", lambda left, right: Binary("==", left, right)),
}
_OPERANDS: Final = {"negation": 1, "exclusive-disjunction": 2, "implication": 2, "equivalence": 2}
_TEMPORAL: Final = {"globally": "[]", "finally": "<>", "next": "X"}
_PATHS: Final = ("exists-path", "all-paths")


class _Branching(Exception):
    """A formula asks for what branches into: it is none of those that are decided."""


@final
@dataclass(frozen=True, slots=True)
class _Operation:
    """An operator with a temporal one below it, or temporal itself."""

    sign: str
    parts: tuple[_Part, ...]


_Part: TypeAlias = "Expr | _Operation"


def claims_of(file: Source, net: Net, bounds: Sequence[Bound], diagnostics: Diagnostics) -> tuple[Claim, ...]:
    """The claims that a file of formulas makes about a net; `SyntaxStop` if it cannot be read."""
    root = read_xml(file, diagnostics, ("description",))
    if root.tag != "property-set":
        diagnostics.error("BUR102", f"expected a 'property-set', found '{root.tag}'", root.span)
        raise SyntaxStop
    claims = tuple(_Formulas(net, bounds, diagnostics).claims(root))
    if not claims and not diagnostics.has_errors:
        diagnostics.error("BUR216", "no formula of this file is one that is decided", root.span)
    return claims


@final
class _Formulas:
    """Reads properties one by one."""

    def __init__(self, net: Net, bounds: Sequence[Bound], diagnostics: Diagnostics) -> None:
        self._net = net
        self._bounds = bounds
        self._diagnostics = diagnostics
        self._depth = 0

    def claims(self, root: Element) -> Iterator[Claim]:
        """The claims of a file, those left out that are wrong."""
        seen: dict[str, Span] = {}
        for element in root.all("property"):
            name = element.first("id")
            words = "" if name is None else name.words()
            if not words or len(words) > 200 or not words.isprintable() or "`" in words:
                message = "a property needs an id of printable characters, without backquotes"
                self._diagnostics.error("BUR102", message, element.span)
                continue
            if words in seen:
                self._diagnostics.add(declared_twice(words, element.span, seen[words], what="property"))
            seen.setdefault(words, element.span)
            self._depth = 0
            try:
                yield self._claim(words, element)
            except _Branching:
                message = f"'{words}' is a CTL formula, which is not decided"
                remedy = "reachability, deadlocks, upper bounds and LTL are decided"
                self._diagnostics.warning("BUR901", message, element.span, help=remedy)
            except SyntaxStop:
                continue

    def _claim(self, name: str, element: Element) -> Claim:
        formula = element.first("formula")
        if formula is None or len(formula.parts) != 1:
            raise self._stop("BUR102", f"property '{name}' needs one formula", element.span)
        root, span = formula.parts[0], element.span
        if root.tag == "place-bound":
            most = sum(self._bounds[p].most for p in self._places(root))
            return Extreme(name, TRUE, self._held(root), 0, most, is_least=False, span=span)
        if root.tag not in _PATHS:
            if any(inner.tag in _PATHS for inner in _below(root)):
                raise _Branching
            raise self._stop(
                "BUR102", f"expected 'exists-path', 'all-paths' or 'place-bound', found '{root.tag}'", root.span
            )
        path = self._only(root)
        if root.tag == "exists-path":
            if path.tag != "finally":
                raise _Branching
            return Reachable(name, self._condition(self._only(path)), span=span)
        if path.tag == "globally" and not any(inner.tag in _TIMES for inner in _below(path)):
            return self._invariant(name, self._only(path), span)
        return self._runs(name, path, span)

    def _invariant(self, name: str, element: Element, span: Span) -> Claim:
        if element.tag == "negation" and self._only(element).tag == "deadlock":
            return DeadlockFree(name, span)
        return Invariant(name, self._condition(element), span=span)

    def _runs(self, name: str, element: Element, span: Span) -> Claim:
        part, atoms = self._part(element), dict[Expr, str]()
        if _size(part) > LARGEST:
            raise self._stop("BUR502", f"formula '{name}' has more than {LARGEST:,} operators", span)
        formula = _resolved(part, atoms)
        if len(atoms) > MOST_ATOMS:
            message = f"formula '{name}' has {len(atoms)} different conditions, at most {MOST_ATOMS} are possible"
            raise self._stop("BUR502", message, span)
        named: tuple[tuple[str, Atom], ...] = tuple((atom, condition) for condition, atom in atoms.items())
        return InfiniteRuns(name, formula, named, text=str(formula), span=span)

    # ------------------------------------------------------------ formulas

    def _condition(self, element: Element) -> Expr:
        """A formula about single markings."""
        part = self._part(element)
        if isinstance(part, _Operation):
            raise _Branching
        return part

    def _part(self, element: Element) -> _Part:
        self._depth += 1
        if self._depth > DEEPEST:
            refuse_nesting(element.span, self._diagnostics)
        found = self._read(element)
        self._depth -= 1
        return found

    def _read(self, element: Element) -> _Part:
        tag, span = element.tag, element.span
        if tag in _PATHS:
            raise _Branching
        if tag in _CONNECTIVES:
            return self._connected(element)
        if tag in _TEMPORAL:
            return _Operation(_TEMPORAL[tag], (self._part(self._only(element)),))
        if tag == "until":
            before, reach = (element.first(side) for side in ("before", "reach"))
            if before is None or reach is None:
                raise self._stop("BUR102", "'until' needs 'before' and 'reach'", span)
            return _Operation("U", (self._part(self._only(before)), self._part(self._only(reach))))
        if tag in _COMPARISONS:
            left, right = (self._number(part) for part in self._exactly(element, 2))
            return comparison(_COMPARISONS[tag], left, right)
        match tag:
            case "is-fireable":
                return disjunction(enabled(self._net, t) for t in self._transitions(element))
            case "deadlock":
                return negation(disjunction(enabled(self._net, t) for t in self._net.transitions))
            case "true":
                return TRUE
            case "false":
                return FALSE
        raise self._stop("BUR102", f"formulas '{tag}' are not known", span)

    def _connected(self, element: Element) -> _Part:
        sign, build = _CONNECTIVES[element.tag]
        wanted = _OPERANDS.get(element.tag, len(element.parts))
        parts = [self._part(part) for part in self._exactly(element, wanted)]
        if not parts:
            raise self._stop("BUR102", f"'{element.tag}' needs parts", element.span)
        conditions = [part for part in parts if not isinstance(part, _Operation)]
        return build(*conditions) if len(conditions) == len(parts) else _Operation(sign, tuple(parts))

    # ------------------------------------------------------------ numbers

    def _number(self, element: Element) -> Expr:
        match element.tag:
            case "integer-constant":
                words = element.words()
                if not words.removeprefix("-").isdigit() or not words.isascii():
                    raise self._stop("BUR203", f"expected a number, found '{words[:40]}'", element.span)
                if len(words) > 15 or abs(int(words)) > _LARGEST_NUMBER:
                    raise self._stop("BUR105", "this number is too large", element.span)
                return Const(int(words))
            case "tokens-count":
                return self._held(element)
            case "integer-sum" | "integer-difference":
                self._depth += 1
                if self._depth > DEEPEST:
                    refuse_nesting(element.span, self._diagnostics)
                parts = [self._number(part) for part in element.parts]
                self._depth -= 1
                if len(parts) < 2:
                    raise self._stop("BUR102", f"'{element.tag}' needs two numbers", element.span)
                if element.tag == "integer-sum":
                    return _total(parts)
                return Binary("-", parts[0], _total(parts[1:]))
        raise self._stop("BUR102", f"numbers '{element.tag}' are not known", element.span)

    def _held(self, element: Element) -> Expr:
        """The tokens of some places together."""
        return _total([tokens(self._net.places[place]) for place in self._places(element)])

    def _places(self, element: Element) -> Iterator[int]:
        """The places that an element names, one by one; those of all colours of a coloured one."""
        for named in element.all("place"):
            if named.words() not in self._net.places_of:
                self._diagnostics.add(unknown(named.words()[:60], named.span, list(self._net.places_of)))
                raise SyntaxStop
            yield from self._net.places_of[named.words()]

    def _transitions(self, element: Element) -> Iterator[Transition]:
        """The transitions that an element names, those for all bindings of a coloured one."""
        for named in element.all("transition"):
            if named.words() not in self._net.transitions_of:
                self._diagnostics.add(unknown(named.words()[:60], named.span, list(self._net.transitions_of)))
                raise SyntaxStop
            yield from (self._net.transitions[t] for t in self._net.transitions_of[named.words()])

    # ------------------------------------------------------------ elements

    def _only(self, element: Element) -> Element:
        return self._exactly(element, 1)[0]

    def _exactly(self, element: Element, count: int) -> Sequence[Element]:
        if len(element.parts) != count:
            message = f"'{element.tag}' takes {count} {'part' if count == 1 else 'parts'}, found {len(element.parts)}"
            raise self._stop("BUR102", message, element.span)
        return element.parts

    def _stop(self, code: str, message: str, span: Span) -> SyntaxStop:
        self._diagnostics.error(code, message, span)
        return SyntaxStop()


_TIMES: Final = (*_TEMPORAL, "until", *_PATHS)


def _below(element: Element) -> Iterator[Element]:
    """All elements inside of one."""
    waiting = list(element.parts)
    while waiting:
        inner = waiting.pop()
        yield inner
        waiting += inner.parts


def _total(numbers: Sequence[Expr]) -> Expr:
    """The sum of some numbers, as a tree that is not deep however many there are."""
    if len(numbers) < 2:
        return numbers[0] if numbers else Const(0)
    half = len(numbers) // 2
    return Binary("+", _total(numbers[:half]), _total(numbers[half:]))


def _size(part: _Part) -> int:
    """How many operators a formula has once equivalences are written out."""
    if not isinstance(part, _Operation):
        return 1
    inner = sum(map(_size, part.parts))
    return 1 + (2 * inner if part.sign in ("<=>", "xor") else inner)


def _resolved(part: _Part, atoms: dict[Expr, str]) -> Formula:
    """A formula over names, with the conditions that they stand for."""
    if isinstance(part, _Operation):
        return MEANINGS[part.sign](*(_resolved(inner, atoms) for inner in part.parts))
    if part in (TRUE, FALSE):
        return ltl.TRUE if part == TRUE else ltl.FALSE
    return ltl.atom(atoms.setdefault(part, f"c{len(atoms) + 1}"))
