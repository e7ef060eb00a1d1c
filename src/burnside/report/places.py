"""Diagnostics for machines: which lines and columns, and the objects that tell them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, final

from burnside.source import Diagnostic, Note, Span
from burnside.values import dataclass

if TYPE_CHECKING:  # text does not wait for what JSON needs
    from burnside.report.place_shapes import PlaceObject
    from burnside.report.shapes import DiagnosticObject, NoteObject, Remarks


class Remarked(Protocol):
    """An answer with diagnostics."""

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What came up on the way."""
        ...


@final
@dataclass(frozen=True, slots=True)
class Place:
    """A part of a file: lines and columns count from one, and the end is the first character behind it."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    @staticmethod
    def of(span: Span) -> Place:
        """Where a span is."""
        return Place(
            span.source.name, *span.source.position(span.start), *span.source.position(max(span.start, span.end))
        )


def remarks_object(answer: Remarked) -> Remarks:
    """The diagnostics of an answer under their key; nothing if there are none."""
    return {"diagnostics": [*map(diagnostic_object, answer.diagnostics)]} if answer.diagnostics else {}


def diagnostic_object(diagnostic: Diagnostic) -> DiagnosticObject:
    """A diagnostic with its place."""
    remedies = [note.message for note in diagnostic.notes if note.label == "help"]
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        **place_object(diagnostic.span),
        "help": "\n".join(remedies) or None,
        "notes": [_note_object(note) for note in diagnostic.notes if note.label != "help"],
    }


def _note_object(note: Note) -> NoteObject:
    return {"message": note.message, **place_object(note.span)}


def place_object(span: Span | None) -> PlaceObject:
    """A place; all null if there is none."""
    if span is None:
        return {"file": None, "line": None, "column": None, "end": None}
    place = Place.of(span)
    end = place.end_line, place.end_column
    return {
        "file": place.file,
        "line": place.line,
        "column": place.column,
        "end": {"line": end[0], "column": end[1]},
    }
