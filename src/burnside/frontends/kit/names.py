"""What there is to say about names, the same in every language: taken, declared twice, unknown."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, final

from burnside.source import Diagnostic, Note, Span, did_you_mean
from burnside.values import dataclass

# Among more names than this, looking for one that is nearly right takes too long.
_MOST_COMPARED: Final = 2_000


@final
@dataclass(frozen=True, slots=True)
class Broken:
    """A name whose declaration was wrong: said once, not again at every use."""


def taken(name: str, what: str, span: Span | None, place: Span | None) -> Diagnostic:
    """A new name that something has already; ``what`` it is, and where."""
    notes = (Note(f"'{name}' is declared here", span=place), Note("choose another name", "help"))
    return Diagnostic("BUR202", f"'{name}' is already {what}", span, notes)


def declared_twice(name: str, span: Span | None, first: Span | None, *, what: str = "") -> Diagnostic:
    """A second declaration of a name, of one kind (``what``) or of any."""
    message = f"{what} '{name}' is declared twice".lstrip()
    return Diagnostic("BUR202", message, span, (Note(f"'{name}' is declared first here", span=first),))


def unknown(name: str, span: Span | None, known: Collection[str], *, help: str = "") -> Diagnostic:
    """A name that means nothing here, with one that is nearly the same if no other ``help`` is at hand."""
    remedy = help or (did_you_mean(name, known) if len(known) < _MOST_COMPARED else "")
    return Diagnostic("BUR201", f"'{name}' is not known here", span, (Note(remedy, "help"),) if remedy else ())
