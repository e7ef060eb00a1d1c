"""The symmetries of a model in words and pictures, and the coloured graph in which they are found."""

from __future__ import annotations

from collections import Counter
from typing import Final

from burnside.detect.explain import explain
from burnside.detect.naming import orbits_of_processes, orbits_of_values
from burnside.detect.run import Detection
from burnside.groups.structure import describe
from burnside.ir.nodes import Model
from burnside.report.actors import ActorReport, actor_object
from burnside.report.detection import DetectReport, detect_text
from burnside.report.html.circles import orbit_picture
from burnside.report.html.columns import columns_picture, vertices_of
from burnside.report.html.elements import Content, Markup, code, element, joined, plural, scrolling
from burnside.report.html.values import Part
from burnside.report.symmetry_dot import Moved, moved_points

_MOST_EXPLAINED: Final = 8_000  # parts of the model times vertices: each part is left out in turn
_MOST_ROWS: Final = 70
_MOST_EDGES: Final = 1_500
_MOST_POINTS: Final = 120
_MOST_IN_ORBIT: Final = 40
_MOST_LISTED: Final = 12


def detect_report(model: Model, found: Detection) -> DetectReport:
    """Symmetries with the name of their group and, where that can be found quickly, what costs symmetry."""
    parts = len(model.variables) + len(model.rules) + len(model.properties)
    is_small = parts * len(found.encoding.graph) <= _MOST_EXPLAINED
    explanation = explain(found.constraints, found.symmetry.order) if is_small else None
    return DetectReport(model, found, describe(found.symmetry.group), explanation)


# ---------------------------------------------------------------- in words


def words(part: Part) -> Markup:
    """How many symmetries there are, what the generators do, and what costs symmetry."""
    found = part.detection.detection
    return joined(
        _headline(part), _generators(found), _orbits(found), _explanation(part.detection), _actors(part.actors)
    )


def _headline(part: Part) -> Markup:
    found, structure = part.detection.detection, part.detection.structure
    order = found.symmetry.order
    if order == 1:
        return element("p", "Only the identity: no renaming of processes or values keeps the model and what was asked.")
    group = [", the group ", code(structure)] if structure else []
    count = element("strong", plural(order, "symmetry"))
    several = f". These {len(found.generators)} generate them all:"
    made = several if len(found.generators) > 1 else ". One of them generates the others:"
    return element("p", "The model and what was asked have ", count, group, made)


def _generators(found: Detection) -> Markup:
    items = [
        element(
            "li",
            element("span", class_=f"swatch g{k % 8}"),
            element("span", g.kind.value, class_="kind"),
            " ",
            g.description,
        )
        for k, g in enumerate(found.generators)
    ]
    return _folded(element("ol", items, class_="generators"), len(items), "generators") if items else Markup("")


def _folded(content: Markup, count: int, what: str) -> Markup:
    if count <= _MOST_LISTED:
        return content
    return element("details", element("summary", f"all {count:,} {what}"), content)


def _orbits(found: Detection) -> Markup:
    literals, group = found.symmetry.literals, found.symmetry.group
    items = [
        element("li", "orbits of ", code(name), ": ", " ".join("{" + ", ".join(o) + "}" for o in orbits))
        for name, orbits in orbits_of_processes(literals, group.generators).items()
        if any(len(o) > 1 for o in orbits)
    ]
    if any(orbit.title == "values" for orbit in moved_points(found)):  # that no processes explain
        values = orbits_of_values(literals, group.orbits)
        items += [element("li", "exchangeable: ", code(" | ".join(v))) for v in values]
    return _folded(element("ul", items, class_="orbits-in-words"), len(items), "orbits") if items else Markup("")


def _explanation(report: DetectReport) -> Markup:
    if report.explanation is None:
        said = "What costs symmetry takes long to find in a model of this size: "
        return element("p", said, code("burnside detect --explain"), " does it.", class_="note")
    # The sentences of 'burnside detect --explain' stand behind an empty line.
    sentences = [s[:1].upper() + s[1:] + "." for s in detect_text(report).partition("\n\n")[2].splitlines()]
    listed = element("ul", [element("li", s) for s in sentences])
    return joined(element("h3", "What costs symmetry"), _folded(listed, len(sentences), "parts"))


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
    sentence = f"By classes, known rebecs and initial state alone: {plural(found['order'], 'symmetry')}"
    listed = element("ul", [element("li", item) for item in items])
    return joined(element("h3", "Symmetries of the actors"), element("p", sentence, structure, "."), listed)


# ---------------------------------------------------------------- in pictures


def circles(part: Part) -> Markup:
    """The orbits that are moved, with the arrows of generators."""
    orbits = [o for o in moved_points(part.detection.detection) if o.moves]
    count = sum(len(o.points) for o in orbits)
    if not orbits:
        return Markup("")
    if count > _MOST_POINTS or max(len(o.points) for o in orbits) > _MOST_IN_ORBIT:
        return element("p", f"The symmetries move {count:,} points, too many for a picture.", class_="note")
    figures = [_figure(orbit, k) for k, orbit in enumerate(orbits)]
    note = "An arrow takes a point where the generator of its colour takes it; one with two heads exchanges two points."
    return joined(element("div", figures, class_="circles"), element("p", note, class_="note"))


def _figure(orbit: Moved, number: int) -> Markup:
    caption = element("figcaption", orbit.title)
    return element("figure", caption, scrolling(f"orbit of {orbit.title}", orbit_picture(orbit, number)))


def coloured_graph(part: Part) -> Markup:
    """The graph whose automorphisms are the symmetries, or a sentence where it would be useless."""
    found = part.detection.detection
    graph = found.encoding.graph
    size = f"{len(graph):,} vertices and {len(graph.edges):,} edges"
    vertices = vertices_of(found)
    longest = max(Counter(v.column for v in vertices if not v.is_dot).values(), default=0)
    if longest > _MOST_ROWS or len(graph.edges) > _MOST_EDGES:
        said = f"Symmetries are found as automorphisms of a graph with {size}, which is too large for a picture. "
        return element("p", said, code("burnside detect --format dot"), " prints it.", class_="note")
    said = (
        f"Symmetries are found as automorphisms of this graph with {size}. A step reads values on the left and writes "
        "those on the right, which have a prime; dots join values to conditions. Only vertices of one colour can be "
        "exchanged."
    )
    label = f"the coloured graph: {size}"
    return joined(element("p", said), scrolling(label, columns_picture(found, vertices, label), class_="picture whole"))
