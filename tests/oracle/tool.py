"""The tool under test, asked in process. The only module here that imports it, and its interface is all it imports."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.support.tiny import tiny

import burnside
from burnside.detect import pieces
from burnside.explore.native import run, selection
from burnside.reduce.partial_order import relations, stubborn
from burnside.reduce.symmetry import cosets, images
from burnside.source import ModelError

_FLAGS = ("-O0", *tiny(BITMAP_BITS=4))


class Refused(Exception):
    """The tool says that it does not take this, and why."""


class Crashed(Exception):
    """The tool has an error of its own, or does not end."""


def forget_models(folder: Path) -> None:
    """Remove what is kept for models; compiled searches, which serve others, stay."""
    for left in folder.rglob("*"):
        if left.is_file() and left.suffix != ".o":
            left.unlink()


class Tool:
    """One text, and what can be asked about it."""

    def __init__(self, text: str, folder: Path, nearby: int, rows: int = pieces.MOST_ROWS, seconds: int = 60) -> None:
        self._path = folder / f"{len(list(folder.glob('*.seq')))}.seq"
        self._path.write_text(text)
        self._folder = folder
        self._nearby = nearby
        self._rows = rows
        self._seconds = seconds
        self._system = self._guarded(lambda: burnside.load(self._path))

    def count(self, symmetry: str, **options: Any) -> dict[str, Any]:
        """What ``count --json`` prints."""
        with _many_states():
            return self._guarded(lambda: self._system.count(symmetry=symmetry, **self._options(options)).as_dict())

    def check(
        self, properties: Sequence[str], symmetry: str, fairness: str | None = None, **options: Any
    ) -> dict[str, Any]:
        """What ``check --json`` prints."""
        with _many_states():
            return self._guarded(
                lambda: self._system.check(
                    *properties, symmetry=symmetry, fairness=fairness, **self._options(options)
                ).as_dict()
            )

    def check_runs(self, properties: Sequence[str], symmetry: str, **options: Any) -> dict[str, Any]:
        """The same for formulas alone: nothing else looks for a cycle among some states first."""
        flags = (*_FLAGS, f"-DBURNSIDE_NEARBY={self._nearby}")
        return self.check(properties, symmetry, flags=flags, **options)

    def detect(self, properties: Sequence[str]) -> dict[str, Any]:
        """What ``detect --json`` prints."""
        return dict(self._guarded(lambda: self._system.symmetries(*properties).as_dict()))

    def _options(self, given: dict[str, Any]) -> dict[str, Any]:
        order = "dfs" if given.pop("depth_first", False) else "bfs"
        return {"flags": _FLAGS, "cache": self._folder, "search": order, **given}

    def _guarded(self, ask: Callable[[], Any]) -> Any:
        with _deadline(self._seconds), _tables(self._rows):
            try:
                return ask()
            except ModelError as error:
                raise Refused(", ".join(f"{d.code} {d.message}" for d in error.diagnostics)) from None
            except _OutOfTime:
                raise Crashed(f"no answer after {self._seconds} s") from None
            except Exception as error:
                raise Crashed(f"{type(error).__name__}: {error}") from error


@contextmanager
def _many_states() -> Iterator[None]:
    """Two states are many: ``auto`` looks for symmetries and races both searches."""
    before, run.FEW_STATES = run.FEW_STATES, 2
    try:
        yield
    finally:
        run.FEW_STATES = before


@contextmanager
def _tables(rows: int) -> Iterator[None]:
    """Tables of so few rows: what is wider is encoded by its structure. If that is fewer than usual, few symmetries are
    many, too, and few rules, so that they are not simply tried one by one; if they are odd, cosets are always sorted,
    and claims are kept in sight by steps of the model, else by levels, and steps are compared by cases.
    """
    before = pieces.MOST_ROWS, pieces.MOST_ROWS_OF_TWO, images.MOST_IMAGES, cosets.WORDS_PER_SORT, stubborn.FEW
    selecting = selection.MANY, selection.VERY_MANY, selection.BLOCK
    assignments = relations.MOST_ASSIGNMENTS
    if rows < pieces.MOST_ROWS:
        images.MOST_IMAGES = 2
        stubborn.FEW = rows % 2
        relations.MOST_ASSIGNMENTS = assignments if rows % 2 else 12
        cosets.WORDS_PER_SORT *= 1 - rows % 2
        selection.MANY, selection.VERY_MANY, selection.BLOCK = 1, 2, 2
    pieces.MOST_ROWS, pieces.MOST_ROWS_OF_TWO = rows, max(rows, pieces.LARGE_DOMAIN)
    try:
        yield
    finally:
        pieces.MOST_ROWS, pieces.MOST_ROWS_OF_TWO, images.MOST_IMAGES, cosets.WORDS_PER_SORT, stubborn.FEW = before
        selection.MANY, selection.VERY_MANY, selection.BLOCK = selecting
        relations.MOST_ASSIGNMENTS = assignments


class _OutOfTime(BaseException):
    """Not an Exception: nothing on the way may take it for an error of its own."""


@contextmanager
def _deadline(seconds: int) -> Iterator[None]:
    """So much processor time: how long that takes is not the tool's fault."""

    def ring(*_: object) -> None:
        raise _OutOfTime

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
