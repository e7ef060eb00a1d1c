"""Diagnostics: what a stage has to say about a model, as values.

Stages collect diagnostics and go on, so that one run shows several errors; only ``cli`` prints them.
A message is lower case, has no full stop, states the fact and quotes the user's names 'like this'.
The remedy is a ``help`` note.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import final

from burnside.source.codes import CODES
from burnside.source.text import Span
from burnside.values import dataclass


class Severity(Enum):
    """How much a diagnostic matters: an error stops the run, a warning or note does not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@final
@dataclass(frozen=True, slots=True)
class Note:
    """A remark below a diagnostic; ``label`` is ``note`` or ``help``; a note may have its own place."""

    message: str
    label: str = "note"
    span: Span | None = None


@final
@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing to say about a model, with a stable code (see ``source/codes.py``)."""

    code: str
    message: str
    span: Span | None = None
    notes: tuple[Note, ...] = ()
    severity: Severity = Severity.ERROR

    def __post_init__(self) -> None:
        if self.code not in CODES:
            raise ValueError(f"unknown diagnostic code {self.code}")


@final
class Diagnostics:
    """A growing list of diagnostics, shared by the steps of a stage: up to ``limit`` errors and ``limit`` warnings."""

    def __init__(self, limit: int = 50) -> None:
        self._items: list[Diagnostic] = []
        # Counted apart: warnings must never keep an error from being noticed.
        self._left = dict.fromkeys(Severity, limit)

    def error(
        self, code: str, message: str, span: Span | None = None, *, help: str = "", notes: Iterable[Note] = ()
    ) -> None:
        """Record an error; ``help`` says what the user can do."""
        self._add(Severity.ERROR, code, message, span, help, notes)

    def warning(
        self, code: str, message: str, span: Span | None = None, *, help: str = "", notes: Iterable[Note] = ()
    ) -> None:
        """Record a warning: the run goes on."""
        self._add(Severity.WARNING, code, message, span, help, notes)

    def _add(
        self, severity: Severity, code: str, message: str, span: Span | None, remedy: str, notes: Iterable[Note]
    ) -> None:
        everything = (*notes, *((Note(remedy, "help"),) if remedy else ()))
        self.add(Diagnostic(code, message, span, everything, severity))

    def add(self, diagnostic: Diagnostic) -> None:
        """Record a diagnostic unless it repeats one at the same place, or too many of its severity are there."""
        if self._left[diagnostic.severity] and diagnostic not in self._items:
            self._left[diagnostic.severity] -= 1
            self._items.append(diagnostic)

    @property
    def last_error(self) -> Diagnostic | None:
        """The error that was recorded last."""
        return next((d for d in reversed(self._items) if d.severity is Severity.ERROR), None)

    @property
    def is_full(self) -> bool:
        """Whether further errors would not be recorded, so that looking for them is in vain."""
        return not self._left[Severity.ERROR]

    @property
    def has_errors(self) -> bool:
        """Whether any recorded diagnostic is an error."""
        return any(d.severity is Severity.ERROR for d in self._items)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def sorted(self) -> tuple[Diagnostic, ...]:
        """The diagnostics in the order of their places."""
        return tuple(sorted(self._items, key=lambda d: d.span.start if d.span else -1))


class ModelError(Exception):
    """A model that cannot be used; carries the diagnostics that say why."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("; ".join(f"{d.code}: {d.message}" for d in self.diagnostics if d.severity is Severity.ERROR))
