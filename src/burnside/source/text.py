"""Source texts and the places in them.

Offsets are half-open and count characters; lines and columns exist only where something is shown to a
person, so no stage ever has to keep them up to date.
"""

from __future__ import annotations

from itertools import accumulate
from typing import final

from burnside.values import dataclass, field


@final
@dataclass(frozen=True)
class Source:
    """A named text. The name is what diagnostics print: usually the path as the user gave it.

    A byte order mark at the beginning is not part of the text.
    """

    name: str
    text: str = field(repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", self.text.removeprefix("\ufeff"))

    def position(self, offset: int) -> tuple[int, int]:
        """One-based line and column of a character offset."""
        offset = min(max(offset, 0), len(self.text))
        return self.text.count("\n", 0, offset) + 1, offset - self.text.rfind("\n", 0, offset)

    def line_at(self, offset: int) -> str:
        """The text of the line that a character is in, without its line break."""
        offset = min(max(offset, 0), len(self.text))
        end = self.text.find("\n", offset)
        return self.text[self.text.rfind("\n", 0, offset) + 1 : len(self.text) if end < 0 else end].rstrip("\r")


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

    def balanced(self) -> Span:
        """The same with the parentheses around it that it closes or opens: expressions do not keep their own."""
        text, start, end = self.source.text, self.start, self.end
        depths = [0, *accumulate((c == "(") - (c == ")") for c in self.text)]
        closed, opened = -min(depths), depths[-1] - min(depths)
        while closed > 0 and start > 0 and text[start - 1] in "( \t\r\n":
            start -= 1
            closed -= text[start] == "("
        while opened > 0 and end < len(text) and text[end] in ") \t\r\n":
            opened -= text[end] == ")"
            end += 1
        return self if closed or opened else Span(self.source, start, end)

    def __str__(self) -> str:
        line, column = self.source.position(self.start)
        return f"{self.source.name}:{line}:{column}"
