"""The states of a model beside those of its quotient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from burnside.ir.cells import State
from burnside.report.dot import graph_dot
from burnside.report.html.dots import dots_pictures, is_violating, plain_picture, scale_for
from burnside.report.html.elements import Markup, code, element, figure, joined, scrolling
from burnside.report.html.graphviz import drawn
from burnside.report.titles import counted, has_sizes
from burnside.results.exploration import Stop
from burnside.results.graph import Explored, GraphReport
from burnside.results.page import MOST_DOTS, MOST_STATES, Part
from burnside.source import ModelError

_MOST_BOXES: Final = 40
_MOST_FOLDED: Final = 100
_MOST_LINES: Final = 3_500  # between the dots of a quotient by itself


def states(part: Part) -> Markup:
    """Pictures for small models, and a sentence for others."""
    quotient = part.quotient.graph
    whole = quotient if not part.is_reduced else part.whole.graph if part.whole else None
    if whole is None and quotient is None:
        return element("p", f"{why_incomplete(part.quotient)} They are not drawn.", class_="note")
    return joined(_dots(part, whole, quotient), _boxes(part, whole, quotient))


def why_incomplete(explored: Explored) -> str:
    """Why not all states were found."""
    found = explored.exploration
    match found.stop:
        case Stop.FAULT:
            return "The model faults before all its states are found."
        case Stop.STATES:
            return f"There are more than {MOST_STATES:,} states even up to symmetry."
        case _:
            return "A limit was reached before all states were found."


def _dots(part: Part, whole: GraphReport | None, quotient: GraphReport | None) -> Markup:
    if whole is None or len(whole.graph) > MOST_DOTS:
        return joined(_too_many(part), _single(quotient) if part.is_reduced and _has_shape(quotient) else "")
    if part.orbit_of is None or quotient is None:
        return _single(whole)
    pictures = dots_pictures(whole, quotient, part.orbit_of)
    titles = (f"All {counted(len(whole.graph), 'state')}", _quotient_title(quotient))
    number = " and have its number" if scale_for(len(whole.graph)).has_numbers else ""
    said = f"States of one orbit stand side by side in one colour{number}; the quotient has one dot for each orbit. "
    figures = [figure(title, picture) for title, picture in zip(titles, pictures, strict=True)]
    return joined(element("p", said, _legend(whole)), element("div", figures, class_="beside"))


def _has_shape(quotient: GraphReport | None) -> bool:
    """Whether there is something to see: rows, and lines between them that can be followed."""
    if quotient is None:
        return False
    return quotient.graph.initial < len(quotient.graph) and quotient.graph.edge_count <= _MOST_LINES


def _too_many(part: Part) -> Markup:
    all_of_them = (
        f"The {counted(part.all_states, 'state')} of the model" if part.all_states else "The states of the model"
    )
    remedy = ": take fewer processes with -D" if has_sizes(part.check.count.model) else ""
    return element("p", f"{all_of_them} are too many for a picture{remedy}.", class_="note")


def _single(graph: GraphReport | None) -> Markup:
    """One graph by itself: all states of a model without symmetry, or the quotient of one with too many."""
    if graph is None or len(graph.graph) > MOST_DOTS:
        return Markup("")
    title = _quotient_title(graph) if graph.is_quotient else f"All {counted(len(graph.graph), 'state')}"
    picture = figure(title, plain_picture(graph))
    return joined(element("p", _legend(graph)), element("div", picture, class_="beside"))


def _quotient_title(quotient: GraphReport) -> str:
    return f"The quotient: {counted(len(quotient.graph), 'orbit')}"


def _legend(whole: GraphReport) -> str:
    """What the signs mean that occur."""
    numbers = range(len(whole.graph))
    is_everywhere = whole.graph.initial == len(whole.graph)
    rows = (
        "Every state is initial." if is_everywhere else "Rows are distances from the initial states, which have a ring."
    )
    squares = " In squares nothing can happen." if any(map(whole.graph.is_stuck, numbers)) else ""
    diamonds = " Diamonds violate an invariant." if any(is_violating(whole, k) for k in numbers) else ""
    return f"{rows}{squares}{diamonds} A pointer that rests on a dot shows the state."


# ---------------------------------------------------------------- with labels


def _boxes(part: Part, whole: GraphReport | None, quotient: GraphReport | None) -> Markup:
    """The same graphs with their states written out, where that can be read."""
    figures = []
    shown = [("All states, written out", whole)]
    if part.is_reduced:
        shown.insert(0, ("The quotient, written out: one state of every orbit", quotient))
    for title, graph in shown:
        if graph is not None and len(graph.graph) <= _MOST_FOLDED:
            figures.append(_written_out(title, graph, part.orbit_of))
    if figures:
        return joined(figures)
    if quotient is None or len(quotient.graph) <= MOST_DOTS:
        return Markup("")
    size = f"Up to symmetry there are {counted(len(quotient.graph), 'state')}; "
    return element("p", size, code("burnside export --symmetry unique"), " writes them to a file.", class_="note")


def _written_out(title: str, graph: GraphReport, orbit_of: Callable[[State], int] | None) -> Markup:
    try:
        picture = drawn("".join(graph_dot(graph, orbit_of)), f"{title}: {len(graph.graph):,} boxes")
    except ModelError as error:  # no Graphviz here
        return joined([element("p", d.message, class_="note") for d in error.diagnostics])
    is_open = len(graph.graph) <= _MOST_BOXES
    summary = element("summary", f"{title} ({len(graph.graph):,})")
    return element("details", summary, scrolling(title, picture, class_="picture"), open=is_open)
