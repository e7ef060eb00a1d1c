"""The nodes and arcs of a PNML text: pages are opened, and references replaced by what they refer to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, final

from burnside.frontends.kit.names import declared_twice, unknown
from burnside.frontends.pnml.xml import Element, read_xml
from burnside.source import Diagnostics, Source, Span, SyntaxStop
from burnside.values import dataclass, field

# Where nodes and arcs are drawn says nothing about the net.
_SKIPPED: Final = ("graphics",)
_LONGEST_NAME: Final = 1_000
_KINDS: Final = {"ptnet": False, "symmetricnet": True}
_EXTENSIONS: Final = {
    "inhibitor": "an arc that wants its place empty",
    "inhibitorarc": "an arc that wants its place empty",
    "reset": "an arc that empties its place",
    "resetarc": "an arc that empties its place",
}


@final
@dataclass(frozen=True, slots=True)
class Arc:
    """An arc between a place and a transition, by their ids."""

    place: str
    transition: str
    is_input: bool
    element: Element


@final
@dataclass(slots=True)
class Document:
    """What stands in a net, by ids where there are some."""

    name: str
    is_coloured: bool
    places: dict[str, Element] = field(default_factory=dict)
    transitions: dict[str, Element] = field(default_factory=dict)
    arcs: list[Arc] = field(default_factory=list)
    declarations: list[Element] = field(default_factory=list)
    safe_span: Span | None = None


def read_document(source: Source, diagnostics: Diagnostics) -> Document:
    """The net of a text; `SyntaxStop` if it cannot be read."""
    root = read_xml(source, diagnostics, _SKIPPED)
    nets = [root] if root.tag == "net" else list(root.all("net"))
    if not nets:
        diagnostics.error("BUR102", f"there is no net in this '{root.tag}'", root.span, help="expected <pnml><net …>")
        raise SyntaxStop
    for other in nets[1:]:
        diagnostics.error("BUR901", "there are several nets in one text", other.span, help="make a file of each")
    return _Reader(diagnostics).read(nets[0])


@final
class _Reader:
    """Goes through the pages of a net."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        self._diagnostics = diagnostics
        self._spans: dict[str, Span] = {}
        self._references: dict[str, Element] = {}
        self._arcs: list[Element] = []

    def read(self, net: Element) -> Document:
        document = Document(net.attributes.get("id", ""), self._is_coloured(net))
        for element in _opened(net):
            match element.tag:
                case "place":
                    document.places[self._id(element)] = element
                case "transition":
                    document.transitions[self._id(element)] = element
                case "referencePlace" | "referenceTransition":
                    self._references[self._id(element)] = element
                case "arc":
                    self._arcs.append(element)
                case "declaration":
                    document.declarations.append(element)
                case "toolspecific":
                    document.safe_span = document.safe_span or _safe_span(element)
        for arc in self._arcs:
            joined = self._joined(arc, document)
            if joined is not None:
                document.arcs.append(joined)
        for element in self._references.values():
            self._referent(element, document)
        return document

    def _is_coloured(self, net: Element) -> bool:
        kind = net.attributes.get("type", "")
        found = _KINDS.get(kind.rpartition("/")[2])
        if found is None:
            remedy = "known are place/transition nets (ptnet) and symmetric nets (symmetricnet)"
            self._diagnostics.error("BUR901", f"nets of type '{_shown(kind)}' are not read", net.span, help=remedy)
            raise SyntaxStop
        return found

    def _id(self, element: Element) -> str:
        """The id of a node, which no other node has."""
        name = element.attributes.get("id", "")
        if not name or len(name) > _LONGEST_NAME or "`" in name or not name.isprintable():
            message = f"a {element.tag} needs an id of printable characters, without backquotes"
            self._diagnostics.error("BUR102", message, element.span)
        elif name in self._spans:
            self._diagnostics.add(declared_twice(name, element.span, self._spans[name], what="node"))
        self._spans.setdefault(name, element.span)
        return name

    # ------------------------------------------------------------ arcs

    def _joined(self, arc: Element, document: Document) -> Arc | None:
        for kind in (arc.first("type"), arc):
            word = "" if kind is None else kind.attributes.get("value" if kind is not arc else "type", "")
            if word.lower() in _EXTENSIONS:
                message = f"{_EXTENSIONS[word.lower()]} is not read"
                self._diagnostics.error("BUR901", message, arc.span, help="say it by arcs of a complementary place")
                return None
        source, target = (self._end(arc, side, document) for side in ("source", "target"))
        if source is None or target is None:
            return None
        if (source in document.places) == (target in document.places):
            message = f"'{_shown(source)}' and '{_shown(target)}' are nodes of one kind"
            self._diagnostics.error("BUR203", message, arc.span, help="an arc joins a place and a transition")
            return None
        if source in document.places:
            return Arc(source, target, True, arc)
        return Arc(target, source, False, arc)

    def _end(self, arc: Element, side: str, document: Document) -> str | None:
        """The node that an arc begins or ends with."""
        name = arc.attributes.get(side)
        if name is None:
            self._diagnostics.error("BUR102", f"this arc has no {side}", arc.span)
            return None
        if name in self._references:
            return self._referent(self._references[name], document)
        if name not in document.places and name not in document.transitions:
            self._diagnostics.add(unknown(_shown(name), arc.span, [*document.places, *document.transitions]))
            return None
        return name

    def _referent(self, reference: Element, document: Document) -> str | None:
        """The node behind a reference, and behind those that it refers to."""
        nodes = document.places if reference.tag == "referencePlace" else document.transitions
        passed: set[str] = set()
        element = reference
        while True:
            name = element.attributes.get("ref", "")
            if name in nodes:
                return name
            following = self._references.get(name)
            if following is None or following.tag != reference.tag:
                self._diagnostics.add(unknown(_shown(name), element.span, list(nodes)))
                return None
            if name in passed:
                self._diagnostics.error("BUR209", f"reference '{_shown(name)}' refers to itself", element.span)
                return None
            passed.add(name)
            element = following


def _opened(net: Element) -> Iterator[Element]:
    """The parts of a net and of its pages, in the order of the text."""
    waiting = list(reversed(net.parts))
    while waiting:
        element = waiting.pop()
        if element.tag == "page":
            waiting += reversed(element.parts)
        else:
            yield element


def _safe_span(toolspecific: Element) -> Span | None:
    """Where units of a nested-unit net say that it is safe: one token in a place at most."""
    structure = toolspecific.first("structure")
    if toolspecific.attributes.get("tool") != "nupn" or structure is None:
        return None
    return structure.span if structure.attributes.get("safe") == "true" else None


def _shown(name: str) -> str:
    return name if len(name) <= 60 else name[:60] + "…"
