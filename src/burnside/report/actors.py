"""The symmetries of actors beside those of the model: for people and for scripts."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import shorten
from typing import TYPE_CHECKING

from burnside.actors.compare import ActorReport, renaming_text
from burnside.source import printable

if TYPE_CHECKING:  # text does not wait for what JSON needs
    from burnside.report.detect_shapes import ActorsObject


def actor_text(report: ActorReport) -> str:
    """What ``burnside detect`` prints of actors."""
    return "\n".join(_lines(report))


def _lines(report: ActorReport) -> Iterator[str]:
    found = report.symmetry
    structure = f" ({report.structure})" if report.structure else ""
    yield ""
    yield f"actors       {found.order:,}{structure} by Definition 4: classes, known rebecs, initial state"
    for generator in found.group.generators[:20]:
        yield f"  {printable(renaming_text(found.topology, generator))}"
    if len(found.group.generators) > 20:
        yield f"  and {len(found.group.generators) - 20} more"
    shown = "  ".join("{" + ", ".join(orbit) + "}" for orbit in found.orbits)
    yield f"orbits of actors: {printable(shown)}"
    if report.beyond:
        yield "beyond Definition 4, by the general detector only:"
        yield from (f"  {shorten(printable(text), 160, placeholder=' …')}" for text in report.beyond)
    else:
        yield "beyond Definition 4: nothing"
    for text in report.lacking or ():
        yield f"lost to the properties: {printable(text)}"
    yield f"time         {report.seconds:.3f} s"


def actor_object(report: ActorReport) -> ActorsObject:
    """What ``burnside detect --json`` prints of actors."""
    found = report.symmetry
    return {
        "order": found.order,
        "structure": report.structure,
        "generators": [renaming_text(found.topology, g) for g in found.group.generators],
        "orbits": found.orbits,
        "beyond": list(report.beyond),
        "lacking": None if report.lacking is None else list(report.lacking),
        "seconds": round(report.seconds, 6),
    }
