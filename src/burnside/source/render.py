"""Lay out diagnostics as text: headline, place, excerpt with carets, notes."""

from __future__ import annotations

from burnside.source.diagnostic import Diagnostic
from burnside.source.text import Span

_WIDEST_EXCERPT = 160


def render(diagnostic: Diagnostic) -> str:
    """One diagnostic as a block of lines.

    The excerpt is cut around the caret when the line is very long, and control characters are shown as
    escapes, so that hostile text cannot take over the terminal.
    """
    headline = f"{diagnostic.severity.value}[{diagnostic.code}]: {printable(diagnostic.message)}"
    lines = [headline]
    if diagnostic.span is not None:
        lines += _excerpt(diagnostic.span)
    for note in diagnostic.notes:
        lines.append(f"  = {note.label}: {printable(note.message)}")
        if note.span is not None:
            lines += _excerpt(note.span)
    return "\n".join(lines)


def _excerpt(span: Span) -> list[str]:
    number, column = span.source.position(span.start)
    text = span.source.line_at(span.start)
    width = max(1, min(span.end - span.start, len(text) - column + 1))
    start = max(0, column - 1 - _WIDEST_EXCERPT // 2) if len(text) > _WIDEST_EXCERPT else 0
    shown = text[start : start + _WIDEST_EXCERPT]
    before = printable(text[start : column - 1])
    marked = printable(text[column - 1 : column - 1 + width])
    gutter = " " * len(str(number))
    return [
        f"{gutter}--> {printable(span.source.name)}:{number}:{column}",
        f"{gutter} |",
        f"{number} | {printable(shown)}",
        f"{gutter} | {' ' * len(before)}{'^' * max(1, min(len(marked), _WIDEST_EXCERPT - len(before)))}",
    ]


def printable(text: str) -> str:
    """``text`` with every character that could move a cursor or change colours shown as an escape."""
    return "".join(c if c.isprintable() else " " if c == "\t" else c.encode("unicode_escape").decode() for c in text)
