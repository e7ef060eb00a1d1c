"""Choose a reader, and read."""

from __future__ import annotations

import re
from collections.abc import Callable

from burnside.regular.formats.liveness import read_liveness
from burnside.regular.formats.regular import read_regular
from burnside.regular.formats.symmetry import read_symmetry
from burnside.regular.search import TooLarge
from burnside.regular.system import System
from burnside.source import Diagnostic, Diagnostics, ModelError, ReadingStop, Source, Span

FORMATS: dict[str, Callable[[Source, Diagnostics], System | None]] = {
    "regular": read_regular,
    "symmetry": read_symmetry,
    "liveness": read_liveness,
}
_COMMENTS = re.compile(r"\s+|//[^\n]*|/\*(?s:.*?)\*/")


def guess_format(source: Source) -> str:
    """The format a text is in, by its first word; ours unless it looks like another."""
    position = 0
    while match := _COMMENTS.match(source.text, position):
        position = match.end()
    first = re.match(r"\w*", source.text[position : position + 20])
    word = first.group() if first else ""
    return {"model": "symmetry", "I0": "liveness"}.get(word, "regular")


def read_system(source: Source, *, form: str = "") -> tuple[System | None, tuple[Diagnostic, ...]]:
    """The system a text describes, and everything to say about it; None if there are errors."""
    diagnostics = Diagnostics()
    try:
        system = FORMATS[form or guess_format(source)](source, diagnostics)
    except TooLarge:
        whole = Span(source, 0, min(1, len(source.text)))
        diagnostics.error("BUR606", "an automaton of this system is too large", whole)
        system = None
    except ReadingStop:
        system = None
    return (None if diagnostics.has_errors else system), diagnostics.sorted()


def load_system(source: Source, *, form: str = "") -> System:
    """The system a text describes; raises `ModelError` if it cannot be used."""
    system, diagnostics = read_system(source, form=form)
    if system is None:
        raise ModelError(diagnostics)
    return system
