"""Source texts and the places in them.

Offsets are half-open and count characters; lines and columns exist only where something is shown to a
person, so no stage ever has to keep them up to date.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from typing import final


@final
@dataclass(frozen=True)
class Source:
    """A named text. The name is what diagnostics print: usually the path as the user gave it.

    A byte order mark at the beginning is no part of the text.
    """

    name: str
    text: str = field(repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", self.text.removeprefix("\ufeff"))

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(i + 1 for i, c in enumerate(self.text) if c == "\n")]

    def position(self, offset: int) -> tuple[int, int]:
        """One-based line and column of a character offset."""
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a one-based line, without its line break."""
        start = self._line_starts[number - 1]
        end = self._line_starts[number] - 1 if number < len(self._line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r")


@final
@dataclass(frozen=True, slots=True)
class Span:
    """The half-open range ``[start, end)`` of a source."""

    source: Source
    start: int
    end: int

    def to(self, other: Span) -> Span:
        """The span from the start of this one to the end of ``other``."""
        return Span(self.source, self.start, max(self.end, other.end))

    @property
    def text(self) -> str:
        """The characters the span covers."""
        return self.source.text[self.start : self.end]

    def __str__(self) -> str:
        line, column = self.source.position(self.start)
        return f"{self.source.name}:{line}:{column}"
