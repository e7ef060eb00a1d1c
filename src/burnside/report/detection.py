"""The symmetries of a model as a report: for people, for scripts, for GAP."""

from __future__ import annotations

from collections.abc import Iterator
from json import dumps
from typing import TYPE_CHECKING

from burnside.detect.naming import orbits_of_cells, orbits_of_data, orbits_of_processes, orbits_of_values
from burnside.graph.coloured import dimacs_text, dot_text
from burnside.groups.gap import gap_text
from burnside.groups.names import structure_text
from burnside.ir.renaming import MOST_OF_AN_ORBIT, orbits_text, shortened
from burnside.report.places import place_object, remarks_object
from burnside.report.titles import simplification_title
from burnside.results.answers import DetectAnswer
from burnside.results.detection import DetectReport
from burnside.source import printable

if TYPE_CHECKING:  # text does not wait for what JSON needs
    from burnside.detect.actions import Action
    from burnside.detect.detection import Detection
    from burnside.detect.opaque import Unseen
    from burnside.report.detect_shapes import ActorsOfModel, DetectObject, ExplanationObject
    from burnside.report.place_shapes import UnseenObject
    from burnside.report.symmetry_shapes import ActionObject

# ---------------------------------------------------------------- for other tools


def gap(answer: DetectAnswer) -> str:
    """The generators for GAP."""
    symmetry = answer.report.detection.symmetry
    return gap_text(symmetry.group, tuple(map(symmetry.literals.text, range(len(symmetry.literals.points)))))


def dot(answer: DetectAnswer) -> str:
    """The coloured graph for Graphviz."""
    return dot_text(answer.report.detection.encoding.graph)


def dimacs(answer: DetectAnswer) -> str:
    """The coloured graph for programs that find automorphisms."""
    return dimacs_text(answer.report.detection.encoding.graph)


# ---------------------------------------------------------------- for scripts


def json(answer: DetectAnswer) -> str:
    """What ``burnside detect --json`` prints."""
    return dumps(detect_object(answer))


def detect_object(answer: DetectAnswer) -> DetectObject:
    """The object for symmetries."""
    report = answer.report
    found, group = report.detection, report.detection.symmetry.group
    literals = found.symmetry.literals
    figures = found.figures
    return {
        "order": found.symmetry.order,
        "structure": report.structure,
        "action": _action_object(report.action),
        "generators": [
            {"kind": g.kind.value, "description": g.description, "cycles": [list(c) for c in g.cycles]}
            for g in found.generators
        ],
        "orbits": {
            "processes": orbits_of_processes(literals, group.generators),
            "cells": orbits_of_cells(literals, group.orbits),
            "values": orbits_of_values(literals, group.orbits),
        },
        "graph": {"vertices": figures.vertices, "edges": figures.edges},
        "seconds": {
            "encode": round(figures.encode_seconds, 6),
            "search": round(figures.search_seconds, 6),
            "validate": round(figures.validate_seconds, 6),
        },
        "kept": found.is_kept,
        "validated": not found.rejected,
        "pruned": {
            "constant_cells": figures.constant_cells,
            "equal_cells": found.equal_cells,
            "values": figures.dropped_values,
        },
        "opaque_terms": found.opaque_terms,
        "opaque": [*found.opaque_parts],
        "opaque_places": [*map(_unseen_object, found.unseen)],
        "explanation": _explanation_object(report),
        **_actors(answer),
        **remarks_object(answer),
    }


def _action_object(action: Action | None) -> ActionObject | None:
    if action is None:
        return None
    return {
        "text": action.text,
        "factors": [
            {
                "structure": structure_text(factor.structure),
                "on": [{"kind": m.sort.kind.value, "name": m.sort.name, "values": [*m.values]} for m in factor.moved],
            }
            for factor in action.factors
        ],
    }


def _unseen_object(unseen: Unseen) -> UnseenObject:
    return {"text": unseen.message, "help": unseen.help, **place_object(unseen.span)}


def _explanation_object(report: DetectReport) -> ExplanationObject | None:
    if report.explanation is None:
        return None
    from burnside.report.explanation import explanation_object

    return explanation_object(report.explanation)


def _actors(answer: DetectAnswer) -> ActorsOfModel:
    if answer.actors is None:
        return {}
    from burnside.report.actors import actor_object

    return {"actors": actor_object(answer.actors)}


# ---------------------------------------------------------------- for people


def text(answer: DetectAnswer) -> str:
    """What ``burnside detect`` prints."""
    if answer.actors is None:
        return detect_text(answer.report)
    from burnside.report.actors import actor_text

    return "\n".join([detect_text(answer.report), actor_text(answer.actors)])


def detect_text(report: DetectReport) -> str:
    """The group, what its generators do, orbits, and the work it took."""
    found, group = report.detection, report.detection.symmetry.group
    lines = [f"symmetries   {found.symmetry.order:,}{_name(report)}"]
    lines += [f"  {g.kind.value:<8} {printable(g.description)}" for g in found.generators]
    data = orbits_of_data(found.symmetry.literals, group.generators)
    for name, orbits in [*orbits_of_processes(found.symmetry.literals, group.generators).items(), *data.items()]:
        lines.append(f"orbits of {printable(name)}: {printable(orbits_text(orbits, '  '))}")
    for values in orbits_of_values(found.symmetry.literals, group.orbits, data):
        lines.append(f"exchangeable: {printable(' | '.join(shortened(values, MOST_OF_AN_ORBIT)))}")
    if title := simplification_title(report.simplification):
        lines.append(f"simplified   {title}")
    lines += [*_left_out(found), *_detection_work(found)]
    if report.explanation is not None:
        from burnside.report.explanation import explanation_lines

        explained = [*explanation_lines(report.explanation)]
        lines += ["", *explained] if explained else []
    return "\n".join(lines)


def _name(report: DetectReport) -> str:
    """The group by what it acts upon, the abstract one beside it if it has another name."""
    if report.action is None:
        return f" ({report.structure})" if report.structure else ""
    beside = f" (abstractly {report.abstract_name})" if report.abstract_name else ""
    return f": {printable(report.action.text)}{beside}"


def _left_out(found: Detection) -> Iterator[str]:
    figures = found.figures
    parts = [
        f"1 {one}" if count == 1 else f"{count:,} {many}"
        for count, one, many in (
            (figures.constant_cells, "constant cell", "constant cells"),
            (found.equal_cells, "cell that always equals another", "cells that always equal another"),
            (figures.dropped_values, "value that never occurs", "values that never occur"),
        )
        if count
    ]
    if parts:
        yield f"left out     {', '.join(parts)}"
    for part in found.unseen:
        yield f"not seen     {printable(f'{part.span}: ' if part.span else '')}{printable(part.message)}"
        yield f"             help: {part.help}"
    for rejected in found.rejected:
        yield f"BUG          a generator was dropped: {rejected.reason}; please report this with your model"


def _detection_work(found: Detection) -> Iterator[str]:
    figures = found.figures
    yield f"graph        {figures.vertices:,} vertices, {figures.edges:,} edges"
    stages = {"encode": figures.encode_seconds, "search": figures.search_seconds, "validate": figures.validate_seconds}
    shares = ", ".join(f"{stage} {seconds:.3f}" for stage, seconds in stages.items())
    yield f"time         {figures.seconds:.3f} s ({shares}{'; kept from an earlier run' if found.is_kept else ''})"
