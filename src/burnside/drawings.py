"""Pictures of a model: what is explored or detected for them, and the text that Graphviz lays out."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, final

from burnside.report.titles import counted, has_sizes
from burnside.results.answers import Drawing
from burnside.results.graph import Explored, GraphReport
from burnside.study import Study
from burnside.values import dataclass

MOST_STATES: Final = 300
_MOST_VERTICES: Final = 300  # laying out more takes long, and nobody can read it
_MOST_POINTS: Final = 250

What: TypeAlias = Literal["graph", "states", "quotient", "groups"]


@final
@dataclass(frozen=True, slots=True)
class TooLarge:
    """Why there is no picture."""

    reason: str


def draw_states(study: Study, names: tuple[str, ...], what: What, most: int) -> Drawing | Explored:
    """All states, or one of every orbit; those of one orbit have one colour. How the exploration ended if it is not
    complete.
    """
    from burnside.report.dot import graph_dot

    members = study.state_members(names)
    quotient = study.quotient(members)
    representatives = shown = study.graph(members, quotient, most=most)
    if what == "states" and representatives.graph is not None:
        shown = study.graph(members, most=most)
    if shown.graph is None:
        return shown
    orbits = study.orbits(quotient, representatives)
    text = "".join(graph_dot(shown.graph, orbits.number if orbits else None))
    return Drawing(text, size_text(shown.graph), "dot")


def draw_symmetries(study: Study, names: tuple[str, ...], what: What) -> Drawing | TooLarge:
    """The orbits of processes and values, or the coloured graph."""
    from burnside.report.orbit_moves import orbit_moves
    from burnside.report.symmetry_dot import coloured_dot, groups_dot

    report = study.symmetries(names)
    found = report.detection
    fewer = "take fewer processes with -D, or " if has_sizes(report.model) else ""
    if what == "graph":
        count, edges = len(found.encoding.graph), len(found.encoding.graph.edges)
        if count > _MOST_VERTICES:
            instead = f"{fewer}print it with 'burnside detect --format dot'"
            return TooLarge(f"the graph has {count:,} vertices, too many for a picture: {instead}")
        # An engine that keeps places.
        return Drawing("".join(coloured_dot(found)), f"{count:,} vertices, {counted(edges, 'edge')}", "neato")
    count = sum(len(orbit.points) for orbit in orbit_moves(found))
    if count > _MOST_POINTS:
        instead = f"{fewer}'burnside detect' says what they do"
        return TooLarge(f"the symmetries move {count:,} points, too many for a picture: {instead}")
    name = f": {report.group_name}" if report.group_name else ""
    size = f"{counted(report.order, 'symmetry')}{name}; {counted(count, 'point')}"
    return Drawing("".join(groups_dot(found, report.group_name)), size, "neato")


def size_text(report: GraphReport) -> str:
    """What is said of a graph."""
    orbits = f", one state of every orbit under {report.symmetry.order:,} symmetries" if report.is_quotient else ""
    return f"{counted(len(report.graph), 'state')}, {counted(report.graph.edge_count, 'transition')}{orbits}"
