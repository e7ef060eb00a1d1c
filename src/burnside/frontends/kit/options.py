"""What a text does not say by itself: each language declares its options as values.

The command line and the Python interface are made from these, so that both know the same ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, final

from burnside.source import Source
from burnside.values import dataclass


@final
@dataclass(frozen=True, slots=True)
class WordOption:
    """One of several words; ``name`` is what Python calls it, ``flag`` what is written in commands."""

    name: str
    flag: str
    words: tuple[str, ...]
    default: str
    help: str

    def accept(self, value: object) -> str | None:
        """What is wrong with a value, if anything is."""
        return None if value in self.words else f"one of {', '.join(self.words)}"


@final
@dataclass(frozen=True, slots=True)
class NumberOption:
    """A number from ``least`` to ``most``."""

    name: str
    flag: str
    least: int
    most: int
    default: int
    help: str

    def accept(self, value: object) -> str | None:
        """What is wrong with a value, if anything is."""
        is_number = isinstance(value, int) and not isinstance(value, bool)
        fits = is_number and isinstance(value, int) and self.least <= value <= self.most
        return None if fits else f"a number from {self.least} to {self.most}"


@final
@dataclass(frozen=True, slots=True)
class FileOption:
    """Another file that belongs to the text. If none is named, one beside it with this ``suffix`` is, unless empty."""

    name: str
    flag: str
    suffix: str
    help: str


Option: TypeAlias = WordOption | NumberOption | FileOption


@final
@dataclass(frozen=True, slots=True)
class Options:
    """What was chosen, by the names of the options; files have been read.

    ``only_first`` asks for the first process that a text asks about, with the claims about it that need no other
    process: the others need not be such that they can be built.
    """

    chosen: Mapping[str, object]
    only_first: bool = False

    def word(self, option: WordOption) -> str:
        """The word that was chosen."""
        return str(self.chosen.get(option.name, option.default))

    def number(self, option: NumberOption) -> int:
        """The number that was chosen."""
        value = self.chosen.get(option.name, option.default)
        assert isinstance(value, int)
        return value

    def file(self, option: FileOption) -> Source | None:
        """The text of the file, if there is one."""
        value = self.chosen.get(option.name)
        assert value is None or isinstance(value, Source)
        return value


NO_OPTIONS = Options({})
