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
import stat
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, final

from burnside.cache import digest
from burnside.claims.printer import print_task
from burnside.claims.task import Task
from burnside.results.exploration import Kept
from burnside.source import Diagnostic, ModelError, Note, printable
from burnside.values import dataclass, field, replace

MANIFEST: Final = "checkpoint.json"
PAUSE: Final = 1.0  # seconds between two files: many small levels share one
_PART: Final = ".part"  # behind the name of what is being written
_FORMAT: Final = 1
_LARGEST: Final = 256 << 20
_WORD: Final = (1 << 64) - 1
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC


def unusable(message: str, remedy: str = "") -> ModelError:
    """A checkpoint that cannot be used, and what to do about it."""
    return ModelError([Diagnostic("BUR505", message, notes=(Note(remedy, "help"),) if remedy else ())])


@final
@dataclass(frozen=True, slots=True)
class Asked:
    """The question that a command asks: all that matters to its answer but the version of the program.

    ``constants`` and ``options`` are as given; ``store`` may be another one then; ``text`` is a digest of the model.
    """

    command: str
    model: str
    constants: Mapping[str, Any]
    options: Mapping[str, Any]
    properties: tuple[str, ...] = ()
    symmetry: str | None = None
    partial_order: str = "off"
    slices: bool = False
    store: str = "auto"
    fingerprint: int | None = None
    text: str = ""


@final
@dataclass(frozen=True, slots=True)
class LevelFile:
    """A file: the number of its levels, its bytes, and the sum of its states' hashes."""

    levels: int
    bytes: int
    sum: int


@final
@dataclass(frozen=True, slots=True)
class Witness:
    """A state that decides a claim, by the number of the claim: its level and its words."""

    claim: int
    level: int
    words: tuple[int, ...]


@final
@dataclass(frozen=True, slots=True)
class KeptSearch:
    """What is kept of one search: the sizes of levels, where they are, and figures without the last level's steps.

    ``full_states`` is the sum of the sizes of the orbits, None if it is not known.
    """

    digest: str
    sizes: tuple[int, ...] = ()
    files: tuple[LevelFile, ...] = ()
    transitions: int = 0
    deadlocks: int = 0
    initial: int = 0
    full_states: int | None = None
    witnesses: tuple[Witness, ...] = ()

    @property
    def bytes(self) -> int:
        """The bytes of all files."""
        return sum(file.bytes for file in self.files)


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
            raise unusable(f"'{_shown(directory)}' is not a directory", "name one that --checkpoint was given")
        lock = _locked(directory)
        try:
            asked, searches = _manifest(directory)
            _refuse_other_sizes(directory, searches)
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
            shown = _shown(self.directory)
            raise unusable(
                f"'{printable(self.asked.model)}' has changed since the checkpoint in '{shown}' was made",
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
                f"the checkpoint in '{_shown(self.directory)}' is of another search than the one that is to go on",
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
        import json  # as in all of these: who keeps nothing should not wait for it

        body = {"made_by": _made_by(), "asked": _object_of(self.asked), "searches": [*map(_object_of, self.searches)]}
        text = json.dumps({"format": _FORMAT, "sum": _sum(body), **body}, separators=(",", ":"))
        _replace(self.directory, MANIFEST, f"{text}\n".encode())


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


def level_file(directory: Path, search: int, number: int) -> Path:
    """A file of levels, as ``runtime/levels.h`` names it."""
    return directory / f"{search}-{number}.levels"


def _shown(path: Path) -> str:
    return printable(str(path))


def _refuse_unsuited(directory: Path) -> None:
    """Raise `ModelError` unless a new checkpoint may go to a directory."""
    if (directory / MANIFEST).exists():
        shown = _shown(directory)
        raise unusable(f"'{shown}' has a checkpoint already", f"'burnside resume {shown}' goes on with it")
    if not (directory if directory.exists() else directory.parent).is_dir():
        raise unusable(f"'{_shown(directory)}' cannot be made a directory", "--checkpoint names a new or empty one")
    if directory.exists() and any(entry.name != MANIFEST + _PART for entry in directory.iterdir()):
        raise unusable(f"'{_shown(directory)}' is not empty", "--checkpoint names a new or empty directory")


def _locked(directory: Path) -> int:
    """The lock of a directory, held as long as the process lives."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        reason = "is used by another process" if isinstance(error, BlockingIOError) else "cannot be locked"
        raise unusable(f"the checkpoint in '{_shown(directory)}' {reason}") from error
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


# ---------------------------------------------------------------- the manifest


def _made_by() -> dict[str, Any]:
    """What else decides whether states mean the same."""
    from burnside import __version__

    return {"version": __version__, "byte_order": sys.byteorder, "word_bits": sys.maxsize.bit_length() + 1}


def _sum(body: Mapping[str, Any]) -> str:
    import json

    return digest([json.dumps(body, sort_keys=True)])


def _object_of(value: Any) -> Any:
    """A value of one of the classes above as JSON has it."""
    if isinstance(value, Path):
        return str(value.absolute())
    if isinstance(value, Mapping):
        return {name: _object_of(part) for name, part in value.items()}
    if isinstance(value, (tuple, list)):
        return [*map(_object_of, value)]
    if hasattr(value, "__dataclass_fields__"):
        return {name: _object_of(getattr(value, name)) for name in value.__dataclass_fields__}
    return value


def _manifest(directory: Path) -> tuple[Asked, list[KeptSearch]]:
    """What the manifest of a directory says, if it is as it was written, and by this program on such a machine."""
    import json

    path = directory / MANIFEST
    try:
        if path.stat().st_size > _LARGEST:
            raise _damaged(path)
        found = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise unusable(
            f"'{_shown(directory)}' has no checkpoint", f"there would be a file '{MANIFEST}', as --checkpoint makes it"
        ) from None
    except OSError as error:
        raise unusable(f"'{_shown(path)}' cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise _damaged(path) from error
    if not isinstance(found, dict) or type(found.get("format")) is not int:
        raise _damaged(path)
    if found.pop("format") != _FORMAT:
        raise _of_another(path, "format")
    if found.pop("sum", None) != _sum(found):
        raise _damaged(path)
    made_by = found.get("made_by")
    for name, value in _made_by().items():
        if not isinstance(made_by, dict) or made_by.get(name) != value:
            raise _of_another(path, name.replace("_", " "))
    try:
        return _asked(found["asked"]), [*map(_kept, found["searches"])]
    except (KeyError, TypeError, ValueError) as error:
        raise _damaged(path) from error


def _damaged(path: Path) -> ModelError:
    return unusable(f"'{_shown(path)}' is damaged: it is not what was written", "nothing can be said by what is left")


def _of_another(path: Path, what: str) -> ModelError:
    remedy = "go on with the program and on the kind of machine that made it, or check the model again"
    return unusable(f"'{_shown(path)}' is of another {what}", remedy)


def _asked(found: Mapping[str, Any]) -> Asked:
    asked = Asked(**{**found, "properties": tuple(found["properties"])})
    if not isinstance(asked.constants, dict) or not isinstance(asked.options, dict):
        raise TypeError
    return asked


def _kept(found: Mapping[str, Any]) -> KeptSearch:
    files = tuple(LevelFile(**file) for file in found["files"])
    witnesses = tuple(Witness(w["claim"], w["level"], tuple(w["words"])) for w in found["witnesses"])
    kept = KeptSearch(**{**found, "sizes": tuple(found["sizes"]), "files": files, "witnesses": witnesses})
    numbers: list[Sequence[object]] = [kept.sizes, [kept.transitions, kept.deadlocks, kept.initial]]
    numbers += [(file.levels, file.bytes, file.sum) for file in files]
    numbers += [(witness.claim, witness.level, *witness.words) for witness in witnesses]
    if not all(isinstance(n, int) and 0 <= n <= _WORD for group in numbers for n in group):
        raise ValueError
    if sum(file.levels for file in files) != len(kept.sizes) or not all(kept.sizes):
        raise ValueError
    if any(witness.level >= len(kept.sizes) for witness in witnesses):
        raise ValueError
    if kept.full_states is not None and not 0 <= kept.full_states <= _WORD << 64 | _WORD:
        raise ValueError
    return kept


def _refuse_other_sizes(directory: Path, searches: Sequence[KeptSearch]) -> None:
    """Raise `ModelError` unless all files have the sizes that were written down."""
    for number, search in enumerate(searches, 1):
        for position, file in enumerate(search.files, 1):
            path = level_file(directory, number, position)
            try:
                status = path.lstat()
            except OSError as error:
                raise unusable(f"'{_shown(path)}' of the checkpoint is missing: {error.strerror}") from error
            if not stat.S_ISREG(status.st_mode) or status.st_size != file.bytes:
                raise damaged_file(path)


def damaged_file(path: Path) -> ModelError:
    """A file of levels does not have what was written."""
    return unusable(f"'{_shown(path)}' of the checkpoint is damaged: it is not what was written")
