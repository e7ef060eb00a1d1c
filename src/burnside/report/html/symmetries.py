"""The symmetries of a model in words and pictures, and the coloured graph in which they are found."""

from __future__ import annotations

from collections import Counter
from typing import Final

from burnside.actors.compare import ActorReport
from burnside.detect.detection import Detection
from burnside.detect.naming import Kind, orbits_of_data, orbits_of_processes, orbits_of_values
from burnside.ir.renaming import MOST_OF_AN_ORBIT, orbits_text, shortened
from burnside.report.actors import actor_object
from burnside.report.coloured import vertices_of
from burnside.report.explanation import explanation_sentences
from burnside.report.html.circles import STYLES, orbit_picture
from burnside.report.html.columns import columns_picture
from burnside.report.html.elements import Content, Markup, code, element, figure, joined, scrolling, sentence
from burnside.report.orbit_moves import orbit_moves
from burnside.report.ring import ring_of
from burnside.report.titles import counted
from burnside.results.detection import DetectReport
from burnside.results.page import Part
from burnside.source import Span

_MOST_ROWS: Final = 70
_MOST_EDGES: Final = 1_000
_MOST_POINTS: Final = 120
_MOST_IN_ORBIT: Final = 40
_MOST_LISTED: Final = 12
_BESIDE: Final = 500  # the width of pictures that stand beside the words
_KINDS: Final = {
    Kind.PROCESS: "renames processes",
    Kind.DATA: "exchanges values",
    Kind.MIXED: "renames processes and exchanges values, and neither explains the other",
}


# ---------------------------------------------------------------- in words


def symmetries(part: Part) -> Markup:
    """Words and pictures, side by side if there is room: all symmetries of the model, and which of them were used."""
    found = part.symmetries.detection
    told = (_headline(part), _generators(found), _orbits(found), _kept(part), _explanation(part.symmetries))
    in_words = joined(*told, _unseen(found), _actors(part.actors))
    pictures, width = _circles(found)
    is_beside = 0 < width <= _BESIDE
    return element("div", element("div", in_words), element("div", pictures), class_="halves" if is_beside else None)


def _headline(part: Part) -> Markup:
    found, name = part.symmetries.detection, part.symmetries.group_name
    order = found.symmetry.order
    if order == 1:
        return element("p", "Only the identity: no renaming of processes or values keeps the model.")
    group = [", the group ", code(name)] if name else []
    count = element("strong", counted(order, "symmetry"))
    several = f". These {len(found.generators)} generate them all:"
    made = several if len(found.generators) > 1 else ". One of them generates the others:"
    meaning = " A symmetry renames processes or values so that the model stays as it is"
    return element("p", "There are ", count, group, ".", meaning, made)


def _kept(part: Part) -> Markup:
    """Which of the symmetries were used to decide what was asked."""
    own, used = part.symmetries.order, part.detection.order
    if used == own:
        return Markup("")
    what = f"What was asked keeps {used:,} of them, which were used to decide it."
    return element("p", what, class_="note")


def _generators(found: Detection) -> Markup:
    if not found.generators:
        return Markup("")
    items = [
        element("li", _swatch(k), element("span", g.kind.value, class_="kind"), " ", g.description)
        for k, g in enumerate(found.generators)
    ]
    listed = _folded(element("ol", items, class_="generators"), len(items), "generators")
    kinds = {g.kind for g in found.generators}
    meaning = "; ".join(f"{kind.value}: {said}" for kind, said in _KINDS.items() if kind in kinds)
    return joined(listed, element("p", f"{meaning}.", class_="note"))


def _swatch(generator: int) -> Markup:
    """How the arrows of a generator look."""
    line = element("path", d="M1,4H27", class_="line")
    kind = f"swatch g{generator % STYLES}"
    return element("svg", line, viewBox="0 0 28 8", width=28, height=8, aria_hidden="true", class_=kind)


def _folded(content: Markup, count: int, what: str) -> Markup:
    if count <= _MOST_LISTED:
        return content
    return element("details", element("summary", f"all {count:,} {what}"), content)


def _orbits(found: Detection) -> Markup:
    literals, group = found.symmetry.literals, found.symmetry.group
    data = orbits_of_data(literals, group.generators)
    items = [
        element("li", "orbits of ", code(name), ": ", orbits_text(orbits, " "))
        for name, orbits in [*orbits_of_processes(literals, group.generators).items(), *data.items()]
        if any(len(o) > 1 for o in orbits)
    ]
    if any(orbit.is_of_values for orbit in orbit_moves(found)):  # that no processes explain
        values = orbits_of_values(literals, group.orbits, data)
        items += [element("li", "exchangeable: ", code(" | ".join(shortened(v, MOST_OF_AN_ORBIT)))) for v in values]
    return _folded(element("ul", items, class_="orbits-in-words"), len(items), "orbits") if items else Markup("")


def _explanation(report: DetectReport) -> Markup:
    """The sentences of the command line, each with the lines of the text that it names."""
    assert report.explanation is not None
    items: list[Content] = []
    for said, spans in explanation_sentences(report.explanation):
        lines = {(s.source.name, s.source.position(s.start)[0]): s.source.line_at(s.start).strip() for s in spans}
        shown = [element("li", f"{number}: ", code(text)) for (_, number), text in lines.items()]
        items.append([sentence(said), element("ul", shown, class_="excerpts") if shown else ""])
    listed = element("ul", [element("li", item) for item in items])
    return joined(element("h3", "What costs symmetry"), _folded(listed, len(items), "parts"))


def _unseen(found: Detection) -> Markup:
    """What detection could not see through, with its place."""
    if not found.unseen:
        return Markup("")
    items = [
        element("li", [code(_position(part.span)), ": "] if part.span else [], f"{part.message}; {part.help}.")
        for part in found.unseen
    ]
    listed = _folded(element("ul", items), len(items), "places")
    return joined(element("h3", "Where symmetry may not be seen"), listed)


def _position(span: Span) -> str:
    return "{}:{}".format(*span.source.position(span.start))


def _actors(report: ActorReport | None) -> Markup:
    if report is None:
        return Markup("")
    found = actor_object(report)
    structure = [" (", code(found["structure"]), ")"] if found["structure"] else []
    orbits = "  ".join("{" + ", ".join(orbit) + "}" for orbit in found["orbits"])
    beyond = "; ".join(found["beyond"]) or "nothing"
    items: list[Content] = [
        ["orbits of actors: ", orbits],
        *(["generator: ", text] for text in found["generators"][:_MOST_LISTED]),
        ["found beyond that by the general detector: ", beyond],
    ]
    said = f"By classes, known rebecs and initial state alone: {counted(found['order'], 'symmetry')}"
    listed = element("ul", [element("li", item) for item in items])
    return joined(element("h3", "Symmetries of the actors"), element("p", said, structure, "."), listed)


# ---------------------------------------------------------------- in pictures


def _circles(found: Detection) -> tuple[Markup, float]:
    """The orbits that are moved, with the arrows of generators, and how wide the widest is."""
    orbits = [o for o in orbit_moves(found) if o.moves]
    count = sum(len(o.points) for o in orbits)
    if not orbits:
        return Markup(""), 0
    if count > _MOST_POINTS or max(len(o.points) for o in orbits) > _MOST_IN_ORBIT:
        return element("p", f"The symmetries move {count:,} points, too many for a picture.", class_="note"), 0
    rings = [ring_of(orbit) for orbit in orbits]
    has_numbers = len(found.generators) > 1
    figures = [
        figure(orbit.title, orbit_picture(orbit, ring, has_numbers=has_numbers))
        for orbit, ring in zip(orbits, rings, strict=True)
    ]
    which = "the generator of its number, colour and pattern" if has_numbers else "the generator"
    note = (
        "Every ring is an orbit: points that symmetries take to one another. "
        f"An arrow takes a point where {which} takes it; one with two heads exchanges two points."
    )
    drawn = joined(element("div", figures, class_="circles"), element("p", note, class_="note"))
    return drawn, max(ring.size[0] for ring in rings)


def coloured_graph(part: Part) -> Markup:
    """The graph whose automorphisms are the symmetries, or a sentence where it would be useless."""
    found = part.detection.detection
    graph = found.encoding.graph
    size = f"{len(graph):,} vertices and {len(graph.edges):,} edges"
    vertices = vertices_of(found)
    longest = max(Counter(v.role for v in vertices if not v.is_dot).values(), default=0)
    if longest > _MOST_ROWS or len(graph.edges) > _MOST_EDGES:
        said = f"Symmetries are found as automorphisms of a graph with {size}, which is too large for a picture. "
        return element("p", said, code("burnside detect --format dot"), " prints it.", class_="note")
    said = (
        f"Symmetries are found as automorphisms of this graph with {size}. A step reads values on the left and writes "
        "those on the right, which have a prime; dots join values to conditions. Only vertices of one colour can be "
        "exchanged; the number of a colour appears where a pointer rests."
    )
    label = f"the coloured graph: {size}"
    return joined(
        element("p", said), scrolling(label, columns_picture(graph.edges, vertices, label), class_="picture whole")
    )
