"""Place/transition nets: markings and inscriptions are numbers."""

from __future__ import annotations

from burnside.frontends.pnml.document import Document
from burnside.frontends.pnml.net import (
    MOST_ARCS,
    MOST_PLACES,
    MOST_TOKENS,
    MOST_TRANSITIONS,
    Net,
    Place,
    Transition,
    weights,
)
from burnside.frontends.pnml.xml import Element
from burnside.source import Diagnostics, SyntaxStop


def plain_net(document: Document, diagnostics: Diagnostics) -> Net:
    """The net of a document without colours."""
    check_sizes(len(document.places), len(document.transitions), len(document.arcs), diagnostics)
    numbers = {name: number for number, name in enumerate(document.places)}
    takes: dict[str, list[tuple[int, int]]] = {name: [] for name in document.transitions}
    puts: dict[str, list[tuple[int, int]]] = {name: [] for name in document.transitions}
    for arc in document.arcs:
        weight = _number(arc.element, "inscription", 1, 1, diagnostics)
        (takes if arc.is_input else puts)[arc.transition].append((numbers[arc.place], weight))
    places = tuple(
        Place(name, _number(element, "initialMarking", 0, 0, diagnostics), element.span)
        for name, element in document.places.items()
    )
    transitions = tuple(
        Transition(name, weights(takes[name]), weights(puts[name]), element.span)
        for name, element in document.transitions.items()
    )
    return Net(
        document.name,
        places,
        transitions,
        {name: (number,) for name, number in numbers.items()},
        {name: (number,) for number, name in enumerate(document.transitions)},
        document.safe_span,
    )


def check_sizes(places: int, transitions: int, arcs: int, diagnostics: Diagnostics) -> None:
    """Refuse nets that are too large for all that follows."""
    for count, most, what in (
        (places, MOST_PLACES, "places"),
        (transitions, MOST_TRANSITIONS, "transitions"),
        (arcs, MOST_ARCS, "arcs"),
    ):
        if count > most:
            diagnostics.error("BUR205", f"the net has more than {most:,} {what}")
            raise SyntaxStop


def _number(node: Element, label: str, usual: int, least: int, diagnostics: Diagnostics) -> int:
    """The number that a label of a node says, if there is one."""
    element = node.first(label)
    if element is None:
        return usual
    text = element.first("text")
    words = "" if text is None else text.words()
    if not words.isascii() or not words.isdigit():
        diagnostics.error("BUR203", f"expected a number of tokens, found '{words[:40]}'", (text or element).span)
        return usual
    number = int(words) if len(words) <= 20 else MOST_TOKENS + 1
    if not least <= number <= MOST_TOKENS:
        message = f"this number is not between {least} and {MOST_TOKENS:,}"
        diagnostics.error("BUR105", message, (text or element).span)
        return usual
    return number
