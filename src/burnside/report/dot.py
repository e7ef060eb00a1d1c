"""State graphs as Graphviz text: what ``draw`` lays out and ``export`` writes.

All text of a model is data here: names may hold quotes, backslashes, ampersands or line breaks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, final

from burnside.ir.cells import State, shown_name
from burnside.ir.views import Place, Views
from burnside.report.colours import BACK_LABEL, BACK_LINE, LABEL, LINE, PLAIN, STUCK, pastel
from burnside.report.states import by_name, state_by_variable
from burnside.results.answers import GraphAnswer
from burnside.results.graph import GraphReport
from burnside.source import printable

FONT: Final = 'fontname="Helvetica,Arial,sans-serif"'
_LONGEST_LINE: Final = 34
_MOST_LINES: Final = 10
_SHORT: Final = 4  # lines of a state that is shown as a whole
_LOOKED_AT: Final = 300  # states, to see whether states are short
_MOST_EVENTS: Final = 3
_MOST_LABELLED: Final = 160  # edges; beyond, events are shown only where a pointer rests
_MANY_INITIAL: Final = 8
_BACK: Final = f', constraint=false, style=dashed, color="{BACK_LINE}", fontcolor="{BACK_LABEL}"'


def quoted(text: str) -> str:
    r"""A text as a Graphviz string that shows it, whatever it holds.

    >>> print(quoted('a"b&c'))
    "a\"b&amp;c"
    """
    shown = printable(text).replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
    return f'"{shown}"'


def lines_quoted(lines: Iterable[str], *, end: str = "\\n") -> str:
    """Several lines as one string; ``end`` says how they are aligned."""
    return '"' + "".join(quoted(line)[1:-1] + end for line in lines) + '"'


# ---------------------------------------------------------------- states and steps


def states(answer: GraphAnswer) -> Iterator[str]:
    """The lines of a ``.dot`` file."""
    return graph_dot(answer.graph)


def graph_dot(report: GraphReport, orbit_of: Callable[[State], int] | None = None) -> Iterator[str]:
    """The graph, line by line; states of one orbit have one colour and number if ``orbit_of`` numbers orbits."""
    graph, labels = report.graph, _Labels(report, orbit_of)
    yield "digraph states {\n"
    # Many initial states often mean many components: they are packed, not set in one long row. That loses labels.
    is_packed = graph.initial > _MANY_INITIAL
    packing = 'pack=24, packmode="graph", ' if is_packed else ""
    yield f"  graph [bgcolor=white, pad=0.3, nodesep=0.25, ranksep=0.45, {packing}{FONT}];\n"
    yield f'  node [shape=box, style="filled,rounded", fontsize=10, margin="0.1,0.05", color="#777777", {FONT}];\n'
    yield f'  edge [color="{LINE}", fontcolor="{LABEL}", fontsize=9, arrowsize=0.6, {FONT}];\n'
    for number in range(len(graph)):
        fill = PLAIN if orbit_of is None else pastel(orbit_of(graph.state(number)))
        yield f"  {number} [{', '.join(_node(report, labels, number, fill))}];\n"
        if number < graph.initial:
            yield f"  i{number} [shape=point, width=0.08, color=black];\n"
            yield f"  i{number} -> {number} [color=black];\n"
    has_labels = graph.edge_count <= _MOST_LABELLED and not is_packed
    for number in range(len(graph)):
        yield from _edges(report, number, has_labels=has_labels)
    yield "}\n"


def _node(report: GraphReport, labels: _Labels, number: int, fill: str) -> Iterator[str]:
    yield f"label={lines_quoted(labels.lines(number), end=chr(92) + 'l')}"
    yield f'fillcolor="{fill}"'
    yield f"tooltip={lines_quoted(labels.whole(number))}"
    if report.graph.is_stuck(number):
        yield f'peripheries=2, penwidth=1.6, color="{STUCK}"'
    elif number < report.graph.initial:
        yield 'penwidth=1.8, color="black"'


def _edges(report: GraphReport, number: int, *, has_labels: bool) -> Iterator[str]:
    """Steps to one state share an arrow."""
    events: dict[int, list[str]] = {}
    for edge, event in report.labelled_steps(number):
        events.setdefault(edge.target, []).append(event)
    for target, several in events.items():
        shown = [clipped(event, _LONGEST_LINE) for event in several[:_MOST_EVENTS]]
        shown += [f"+ {len(several) - _MOST_EVENTS}"] if len(several) > _MOST_EVENTS else []
        label = f"label={lines_quoted(f' {event} ' for event in shown)}, " if has_labels else ""
        tip = lines_quoted(several)
        back = _BACK if target <= number else ""  # states stand where they are found first
        yield f"  {number} -> {target} [{label}edgetooltip={tip}, labeltooltip={tip}{back}];\n"


@final
class _Labels:
    """What is written into the box of a state: all of it if that is short, else what differs from the first."""

    def __init__(self, report: GraphReport, orbit_of: Callable[[State], int] | None) -> None:
        self._report = report
        self._views = Views(report.model)
        self._orbit_of = orbit_of
        some = [line for k in range(min(_LOOKED_AT, len(report.graph))) for line in self.whole(k)]
        self._is_short = len(self._views.wholes) <= _SHORT and all(len(line) <= _LONGEST_LINE for line in some)

    def whole(self, number: int) -> list[str]:
        """Every variable with its value."""
        state = self._report.graph.state(number)
        return [f"{name} = {value}" for name, value in state_by_variable(self._report.model, state)]

    def lines(self, number: int) -> list[str]:
        """The label of a state."""
        values = self.whole(number) if number == 0 or self._is_short else self._differences(number)
        lines = [clipped(line) for line in values]
        if len(lines) > _MOST_LINES:
            lines = [*lines[: _MOST_LINES - 1], f"… {len(lines) - _MOST_LINES + 1} more"]
        return [*lines, *self._remarks(number)]

    def _differences(self, number: int) -> list[str]:
        """Variables that differ from the first state; of long ones the elements that do, by their values."""
        first, here = self._report.graph.state(0), self._report.graph.state(number)
        lines: list[str] = []
        for whole in self._views.wholes:
            by_value: dict[str, list[Place]] = {}
            for place in self._views.places(whole):
                value = place.text(here)
                if place.text(first) != value:
                    by_value.setdefault(value, []).append(place)
            whole_lines = [f"{name} = {value}" for name, value in by_name(self._views, whole, here)]
            if by_value and all(len(line) <= _LONGEST_LINE for line in whole_lines):
                lines += whole_lines
            else:
                lines += [f"{_joined(changed)} = {value}" for value, changed in by_value.items()]
        return lines or ["as the first"]

    def _remarks(self, number: int) -> Iterator[str]:
        report = self._report
        yield from self._orbit(number)
        if report.graph.is_stuck(number):
            yield "DEADLOCK" if self._is_deadlock(number) else "end"
        yield from (clipped(f"violates {name}") for name in report.violated(number))

    def _orbit(self, number: int) -> Iterator[str]:
        """The number of a state's orbit and, of a quotient, its size."""
        report = self._report
        name = f" {self._orbit_of(report.graph.state(number)) + 1}" if self._orbit_of else ""
        if report.is_quotient and report.has_sizes:
            size = report.graph.orbits[number]
            yield f"orbit{f'{name}:' if name else ' of'} {size:,} state{'s' if size > 1 else ''}"
        elif name:
            yield f"orbit{name}"

    def _is_deadlock(self, number: int) -> bool:
        """Whether a state is a deadlock, which no property in question allows."""
        asked = [k for k, m in enumerate(self._report.members) if m.claim.is_about_deadlock]
        return not asked or not all(self._report.holds(number, k) for k in asked)


def _joined(places: list[Place]) -> str:
    """Several elements of one variable, their indices in one bracket: ``fork[0,2]``."""
    whole = places[0].whole
    if not whole.dimensions:
        return shown_name(whole.name)
    indices = (" ".join(d.text(i) for d, i in zip(whole.dimensions, p.indices, strict=True)) for p in places)
    return f"{shown_name(whole.name)}[{','.join(indices)}]"


def clipped(text: str, most: int = _LONGEST_LINE + 10) -> str:
    """A text as it is shown, cut where it would make a box too wide."""
    shown = printable(text)
    return shown if len(shown) <= most else shown[: most - 1] + "…"
