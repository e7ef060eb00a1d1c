"""What ``burnside doctor`` found, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from json import dumps

from burnside.report.shapes import HealthObject
from burnside.results.answers import Health
from burnside.source import printable


def text(answer: Health) -> str:
    """What ``burnside doctor`` prints."""
    return "\n".join(_lines(answer))


def _lines(answer: Health) -> Iterator[str]:
    width = max(len(organ.part) for organ in answer.organs)
    for organ in answer.organs:
        yield printable(f"{organ.status:<8} {organ.part:<{width}}  {organ.found}")
        if organ.advice:
            yield printable(f"{'':<8} {'':<{width}}  {organ.advice}")


def json(answer: Health) -> str:
    """What ``burnside doctor --json`` prints."""
    result: HealthObject = {
        "version": answer.version,
        "works": answer.works,
        "findings": [
            {"part": organ.part, "status": organ.status, "found": organ.found, "advice": organ.advice}
            for organ in answer.organs
        ],
    }
    return dumps(result)
