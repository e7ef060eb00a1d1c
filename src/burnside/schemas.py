"""JSON schemas of what commands print with ``--json``, made from the types of what writes it."""

from __future__ import annotations

from typing import Final

from burnside.bench.shapes import AnyRow
from burnside.regular.shapes import (
    FamilyObject,
    FindObject,
    ImageObject,
    LibraryObject,
    PatternObject,
    ReflectionObject,
)
from burnside.report.detect_shapes import DetectObject
from burnside.report.schema import Schema, schema_of
from burnside.report.shapes import (
    CheckObject,
    CountObject,
    FailureObject,
    HealthObject,
    Remarks,
    StoppedObject,
    TablesObject,
    WalkObject,
    WrittenObject,
)


class LibraryAnswer(LibraryObject, Remarks):
    """``burnside pattern check``."""


class PatternAnswer(PatternObject, Remarks):
    """``burnside pattern check --pattern P``."""


class ReflectionAnswer(ReflectionObject, Remarks):
    """``burnside pattern check --pattern reflection``."""


class FindAnswer(FindObject, Remarks):
    """``burnside pattern find`` on a regular system."""


class FamilyAnswer(FamilyObject, Remarks):
    """``burnside pattern find`` on instances of a model."""


class ImageAnswer(ImageObject, Remarks):
    """``burnside pattern image``."""


class BenchObject(TablesObject):
    """``burnside bench``."""

    tables: dict[str, list[AnyRow]]  # type: ignore[misc]


_NO_ANSWER: Final = (FailureObject, StoppedObject)

# What each command prints: an answer, or why there is none.
_OBJECTS: Final[dict[str, tuple[type, ...]]] = {
    "check": (CheckObject, *_NO_ANSWER),
    "count": (CountObject, *_NO_ANSWER),
    "detect": (DetectObject, *_NO_ANSWER),
    "simulate": (WalkObject, *_NO_ANSWER),
    "export": (WrittenObject, CountObject, *_NO_ANSWER),
    "draw": (WrittenObject, CountObject, *_NO_ANSWER),
    "report": (WrittenObject, *_NO_ANSWER),
    "pattern check": (LibraryAnswer, PatternAnswer, ReflectionAnswer, *_NO_ANSWER),
    "pattern find": (FindAnswer, FamilyAnswer, *_NO_ANSWER),
    "pattern image": (ImageAnswer, *_NO_ANSWER),
    "bench": (BenchObject, StoppedObject),
    "doctor": (HealthObject,),
}

COMMANDS: Final = tuple(_OBJECTS)


def schema(command: str) -> Schema:
    """The JSON schema of what a command prints with ``--json``, such as ``check`` or ``pattern find``."""
    if command not in _OBJECTS:
        raise ValueError(f"there is no JSON object of {command!r}: it can be {', '.join(COMMANDS)}")
    return schema_of(f"burnside {command} --json", *_OBJECTS[command])
