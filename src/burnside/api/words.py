"""Words of the command line as values."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import Any, Literal, TypedDict, TypeVar

from burnside.claims.kinds import Fairness
from burnside.decide.modes import Mode
from burnside.explore.native.run import SearchOptions
from burnside.frontends.kit.constants import Given
from burnside.ir.nodes import Value
from burnside.limits import Deadline
from burnside.results.exploration import Store

E = TypeVar("E", bound=Enum)


class SearchKeywords(TypedDict, total=False):
    """How to search: the options of the command line. ``time`` is in seconds, ``memory`` in bytes.

    ``store`` is how states are kept, ``disk`` how many bytes of files in the folder ``scratch`` may be used for that.
    ``slices`` leaves out variables that nothing depends on: `check` does unless told otherwise, `count` if asked.
    ``flags`` are for the C compiler, ``cache`` is where compiled checkers are kept: for those who work on Burnside.
    """

    threads: int
    memory: int | None
    store: Literal["auto", "index", "compact", "disk"]
    fingerprint: int | None
    disk: int | None
    scratch: Path | None
    time: float | None
    search: Literal["bfs", "dfs"]
    states: int | None
    self_test: bool
    verify: bool
    slices: bool
    flags: tuple[str, ...] | None
    cache: Path | None


def options_of(how: SearchKeywords) -> SearchOptions:
    """The options of a search; a word that is none is refused by its name."""
    given: dict[str, Any] = dict(how)
    order = given.pop("search", "bfs")
    if order not in ("bfs", "dfs"):
        raise ValueError(f"search is {order!r}: it can be bfs or dfs")
    deadline = Deadline.after(given.pop("time", None))
    store = value_of_word(Store, given.pop("store", Store.AUTO.value))
    return SearchOptions(deadline=deadline, depth_first=order == "dfs", store=store, keeps_symmetries=True, **given)


def mode_of(symmetry: str | None) -> Mode | None:
    """How symmetry is used, if anything is said about it."""
    return None if symmetry is None else value_of_word(Mode, symmetry)


def fairness_of(fairness: str | None) -> Fairness | None:
    """What is assumed of infinite runs, if anything is said about it."""
    return None if fairness is None else value_of_word(Fairness, fairness)


def value_of_word(kind: type[E], word: str, name: str = "") -> E:
    """The value that a word means; ``name`` is what the argument is called, if not as the kind is."""
    words = [value.value for value in kind]
    if word not in words:
        raise ValueError(f"{name or kind.__name__.lower()} is {word!r}: it can be {', '.join(words)}")
    return kind(word)


def constant_of(value: object) -> Given:
    """A constant of a model; a list is a list, and a text names a label."""
    return value if isinstance(value, str) else _number_or_list(value)


def _number_or_list(value: object) -> Value:
    if isinstance(value, int):
        return value
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ValueError(f"a constant is a number, a label or a list of numbers, found {value!r}")
    return tuple(map(_number_or_list, value))
