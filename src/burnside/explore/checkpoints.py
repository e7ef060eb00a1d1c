"""Checkpoints: what is kept of searches, so that they can go on after their process has ended, however that happened.

A directory has files with states (``runtime/checkpoint.h`` writes them) and a manifest, which says what was asked,
which files there are, what must be in them, and the figures. The manifest is written after every file, under another
name, and renamed: at any moment there is one, and all that it names is there. What it does not name is not looked at.

Searches of a command are kept in their order. Each has a digest of all that decides what it finds, so none goes on with
the states of another one.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, final

from burnside.cache import digest
from burnside.claims.printer import print_task
from burnside.claims.task import Task
from burnside.explore.manifests import (
    MANIFEST,
    Asked,
    KeptSearch,
    manifest_text,
    read_manifest,
    refuse_other_sizes,
    shown,
    unusable,
)
from burnside.results.exploration import Kept
from burnside.source import printable
from burnside.values import dataclass, field, replace

PAUSE: Final = 1.0  # seconds between two files: many small levels share one
_PART: Final = ".part"  # behind the name of what is being written
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC


@final
@dataclass(slots=True)
class Checkpoint:
    """A directory that a command keeps its searches in, or goes on from; `create` and `open` make one."""

    directory: Path
    asked: Asked
    searches: list[KeptSearch] = field(default_factory=list)
    _begun: int = 0
    _lock: int | None = None

    # ------------------------------------------------------------ directories

    @staticmethod
    def create(directory: Path, asked: Asked) -> Checkpoint:
        """A new checkpoint, in a directory that is empty or not yet there; it is made when the first search begins."""
        _refuse_unsuited(directory)
        return Checkpoint(directory, asked)

    @staticmethod
    def open(directory: Path) -> Checkpoint:
        """The checkpoint in a directory; refused if there is none, or if it is not what was written."""
        if not directory.is_dir():
            raise unusable(f"'{shown(directory)}' is not a directory", "name one that --checkpoint was given")
        lock = _locked(directory)
        try:
            asked, searches = read_manifest(directory)
            refuse_other_sizes(directory, searches)
        except BaseException:
            os.close(lock)
            raise
        return Checkpoint(directory, asked, searches, _lock=lock)

    def __enter__(self) -> Checkpoint:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def going_on(self, text: str) -> Checkpoint:
        """The same, if the model is as it was."""
        if self.asked.text != text:
            where = shown(self.directory)
            raise unusable(
                f"'{printable(self.asked.model)}' has changed since the checkpoint in '{where}' was made",
                "bring back the model as it was, or check the new one with a new directory",
            )
        return self

    def close(self) -> None:
        """Others may use the directory."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    # ------------------------------------------------------------ searches

    def begin(self, key: str) -> tuple[int, KeptSearch]:
        """The next search of the command, and what is kept of it; refused if another one was kept in its place.

        Raises `OSError` if the directory cannot be written.
        """
        if self._lock is None:
            self.directory.mkdir(mode=0o700, exist_ok=True)
            _make_durable(self.directory.parent)
            self._lock = _locked(self.directory)
            _refuse_unsuited(self.directory)  # somebody else may have been faster
        self._begun += 1
        if self._begun > len(self.searches):
            self.searches.append(KeptSearch(key))
            self._write()
        kept = self.searches[self._begun - 1]
        if kept.digest != key:
            raise unusable(
                f"the checkpoint in '{shown(self.directory)}' is of another search than the one that is to go on",
                "the model, what it includes, or the program has changed: check it again, with a new directory",
            )
        return self._begun, kept

    @property
    def result(self) -> Kept | None:
        """What there is of the search at hand, or of the first one; None if there is none."""
        known = self.searches[max(self._begun, 1) - 1 :][:1]
        states = sum(known[0].sizes) if known else 0
        return Kept(str(self.directory), len(known[0].sizes), states, states) if known else None

    def keep(self, number: int, kept: KeptSearch) -> None:
        """There is more of a search: a file, and other figures. Raises `OSError` if that cannot be written down."""
        before = self.searches[number - 1]
        self.searches[number - 1] = kept
        try:
            self._write()
        except OSError:
            self.searches[number - 1] = before
            raise

    def _write(self) -> None:
        _replace(self.directory, MANIFEST, manifest_text(self.asked, self.searches).encode())


@contextmanager
def keeping(where: Path | Checkpoint | None, asked: Asked, text: Callable[[], str]) -> Iterator[Checkpoint | None]:
    """Where the searches of a command are kept: in a new directory, in what it goes on from, or nowhere.

    ``text`` makes the digest of the model.
    """
    match where:
        case None:
            yield None
        case Checkpoint():
            yield where.going_on(text())
        case _:
            with Checkpoint.create(where, replace(asked, text=text())) as kept:
                yield kept


def digest_of_model(command: str, text: str, tasks: Sequence[Task]) -> str:
    """A digest of what a command reads: a text, and all that it became with what it includes."""
    asked = tasks if command == "check" else [Task(tasks[0].model, ())]
    return digest([text, *map(print_task, asked)])


def _refuse_unsuited(directory: Path) -> None:
    """Raise `ModelError` unless a new checkpoint may go to a directory."""
    if (directory / MANIFEST).exists():
        where = shown(directory)
        raise unusable(f"'{where}' has a checkpoint already", f"'burnside resume {where}' goes on with it")
    if not (directory if directory.exists() else directory.parent).is_dir():
        raise unusable(f"'{shown(directory)}' cannot be made a directory", "--checkpoint names a new or empty one")
    if directory.exists() and any(entry.name != MANIFEST + _PART for entry in directory.iterdir()):
        raise unusable(f"'{shown(directory)}' is not empty", "--checkpoint names a new or empty directory")


def _locked(directory: Path) -> int:
    """The lock of a directory, held as long as the process lives."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        reason = "is used by another process" if isinstance(error, BlockingIOError) else "cannot be locked"
        raise unusable(f"the checkpoint in '{shown(directory)}' {reason}") from error
    return descriptor


def _replace(directory: Path, name: str, content: bytes) -> None:
    """A file has this content, or is as before; also after a loss of power."""
    part = directory / (name + _PART)
    try:
        descriptor = os.open(part, _NEW, 0o600)
        with os.fdopen(descriptor, "wb", buffering=0) as file:
            left = memoryview(content)
            while left:
                left = left[file.write(left) :]
            os.fsync(descriptor)
        part.replace(directory / name)
    except OSError:
        with suppress(OSError):
            part.unlink()
        raise
    _make_durable(directory)


def _make_durable(directory: Path) -> None:
    """What was made or renamed in a directory is so after a loss of power, too."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
