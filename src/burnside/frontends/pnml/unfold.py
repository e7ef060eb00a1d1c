"""Symmetric nets written out: a place for each colour that it can hold, a transition for each binding of its variables.

Bindings are built up variable by variable, and each conjunct of the guard is tested as soon as its variables are bound.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias, final

from burnside.frontends.pnml.document import Arc, Document
from burnside.frontends.pnml.net import MOST_ARCS, MOST_TOKENS, Net, Place, Transition, weights
from burnside.frontends.pnml.plain import check_sizes
from burnside.frontends.pnml.sorts import DOT, Colour, Declarations, Sort
from burnside.frontends.pnml.terms import Bag, Guard, Negative, Term, Terms
from burnside.frontends.pnml.xml import Element
from burnside.source import Diagnostics, Span, SyntaxStop

# Bindings that are tried, unfinished ones included.
_MOST_TRIED: Final = 4_000_000

_Inscription: TypeAlias = "tuple[Arc, Term | None]"


def unfolded(document: Document, diagnostics: Diagnostics) -> Net:
    """The place/transition net of a document with colours; `SyntaxStop` if it is wrong."""
    return _Unfolding(document, diagnostics).net()


@final
class _Unfolding:
    """Writes out one net; places appear when something puts or takes colours of theirs."""

    def __init__(self, document: Document, diagnostics: Diagnostics) -> None:
        self._document = document
        self._diagnostics = diagnostics
        self._declarations = Declarations(diagnostics)
        self._declarations.read(document.declarations)
        self._terms = Terms(self._declarations, diagnostics)
        self._sorts = {name: self._sort_of(element) for name, element in document.places.items()}
        self._numbers: dict[tuple[str, Colour], int] = {}
        self._marked: dict[int, int] = {}
        self._transitions: list[Transition] = []
        self._arcs = 0
        self._left = _MOST_TRIED

    def net(self) -> Net:
        for name, element in self._document.places.items():
            self._mark(name, element)
        arcs: dict[str, list[Arc]] = {name: [] for name in self._document.transitions}
        for arc in self._document.arcs:
            arcs[arc.transition].append(arc)
        transitions_of = {}
        for name, element in self._document.transitions.items():
            first = len(self._transitions)
            self._write_out(name, element, arcs[name])
            transitions_of[name] = tuple(range(first, len(self._transitions)))
        places_of: dict[str, list[int]] = {name: [] for name in self._document.places}
        places = []
        for (name, colour), number in self._numbers.items():
            places_of[name].append(number)
            span = self._document.places[name].span
            places.append(Place(self._place_name(name, colour), self._marked.get(number, 0), span))
        self._check_names(places, self._transitions)
        return Net(
            self._document.name,
            tuple(places),
            tuple(self._transitions),
            {name: tuple(numbers) for name, numbers in places_of.items()},
            transitions_of,
            self._document.safe_span,
        )

    def _sort_of(self, place: Element) -> Sort:
        structure = place.first("type", "structure")
        if structure is None:
            self._diagnostics.error("BUR102", "a place of a symmetric net needs a type", place.span)
            raise SyntaxStop
        return self._declarations.sort_in(structure)

    def _mark(self, name: str, element: Element) -> None:
        structure = element.first("hlinitialMarking", "structure")
        if structure is None or not structure.parts:
            return
        term = self._terms.term(structure.parts[0], self._sorts[name])
        if term.variables:
            self._diagnostics.error("BUR207", "a first marking has no variables", structure.span)
            raise SyntaxStop
        for colour, count in self._worth(term, {}, structure.span).items():
            self._marked[self._number_of(name, colour)] = count

    def _worth(self, term: Term, binding: Mapping[str, Colour], span: Span) -> Bag:
        try:
            bag = term.bag(binding)
        except Negative:
            self._diagnostics.error("BUR203", "more colours are taken away here than there are", span)
            raise SyntaxStop from None
        if max(bag.values(), default=0) > MOST_TOKENS:
            self._diagnostics.error("BUR105", f"there are more than {MOST_TOKENS:,} tokens of one colour here", span)
            raise SyntaxStop
        return bag

    def _number_of(self, place: str, colour: Colour) -> int:
        return self._numbers.setdefault((place, colour), len(self._numbers))

    def _place_name(self, place: str, colour: Colour) -> str:
        sort = self._sorts[place]
        return place if sort == DOT else f"{place}[{sort.text(colour)}]"

    # ------------------------------------------------------------ transitions

    def _write_out(self, name: str, element: Element, arcs: Sequence[Arc]) -> None:
        inscriptions = [self._inscription(arc) for arc in arcs]
        condition = element.first("condition", "structure")
        guards = self._terms.guards(condition.parts[0]) if condition is not None and condition.parts else []
        used = frozenset[str]().union(
            *(term.variables for _, term in inscriptions if term is not None), *(guard.variables for guard in guards)
        )
        # Those that guards speak of come first: the earlier a binding is found to be wrong, the better.
        variables = sorted(used, key=lambda v: (not any(v in g.variables for g in guards), v))
        shown = {v: self._declarations.variables[v][0] for v in variables}
        for binding in self._bindings(variables, guards, element.span):
            values = (f"{shown[v]}={self._declarations.variables[v][1].text(binding[v])}" for v in sorted(variables))
            label = f"{name}({', '.join(values)})" if variables else name
            self._fire(label, binding, inscriptions, element.span)

    def _inscription(self, arc: Arc) -> _Inscription:
        structure = arc.element.first("hlinscription", "structure")
        if structure is not None and structure.parts:
            return arc, self._terms.term(structure.parts[0], self._sorts[arc.place])
        if self._sorts[arc.place] != DOT:
            self._diagnostics.error("BUR102", "this arc does not say which colours it moves", arc.element.span)
            raise SyntaxStop
        return arc, None

    def _bindings(self, variables: Sequence[str], guards: Sequence[Guard], span: Span) -> Iterator[dict[str, Colour]]:
        """All values of variables for which all guards hold."""
        ready: list[list[Guard]] = [[] for _ in range(len(variables) + 1)]
        for guard in guards:
            ready[max((variables.index(v) + 1 for v in guard.variables), default=0)].append(guard)
        binding: dict[str, Colour] = {}

        def bound(position: int) -> Iterator[dict[str, Colour]]:
            if not all(guard.holds(binding) for guard in ready[position]):
                return
            if position == len(variables):
                yield binding
                return
            for colour in self._declarations.variables[variables[position]][1].colours():
                self._left -= 1
                if self._left < 0:
                    message = f"the transitions have more than {_MOST_TRIED:,} bindings to be tried"
                    self._diagnostics.error("BUR502", message, span)
                    raise SyntaxStop
                binding[variables[position]] = colour
                yield from bound(position + 1)

        return bound(0)

    def _fire(
        self, label: str, binding: Mapping[str, Colour], inscriptions: Sequence[_Inscription], span: Span
    ) -> None:
        takes: list[tuple[int, int]] = []
        puts: list[tuple[int, int]] = []
        for arc, term in inscriptions:
            bag = {0: 1} if term is None else self._worth(term, binding, arc.element.span)
            (takes if arc.is_input else puts).extend(
                (self._number_of(arc.place, colour), count) for colour, count in bag.items()
            )
        self._arcs += len(takes) + len(puts)
        if self._arcs > MOST_ARCS:
            check_sizes(0, 0, self._arcs, self._diagnostics)
        self._transitions.append(Transition(label, weights(takes), weights(puts), span))
        check_sizes(len(self._numbers), len(self._transitions), 0, self._diagnostics)

    def _check_names(self, *rows: Sequence[Place | Transition]) -> None:
        """Labels of colours are free text: with strange ones, two nodes could get one name."""
        for row in rows:
            seen: set[str] = set()
            for node in row:
                if node.name in seen or "`" in node.name or not node.name.isprintable():
                    message = (
                        f"'{node.name[:60]!r}' cannot be told apart from another node"
                        if node.name in seen
                        else ("labels of colours must be printable, without backquotes")
                    )
                    self._diagnostics.error("BUR202", message, node.span)
                    raise SyntaxStop
                seen.add(node.name)
