"""What the manifest of a checkpoint says: the question, and of each search the files and the figures.

It has a sum of its own, and what it says is checked before it is believed: it might be that of another version, or of
another machine.
"""

from __future__ import annotations

import stat
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, final

from burnside.cache import digest
from burnside.source import Diagnostic, ModelError, Note, printable
from burnside.values import dataclass

MANIFEST: Final = "checkpoint.json"
_FORMAT: Final = 1
_LARGEST: Final = 256 << 20
_WORD: Final = (1 << 64) - 1


def unusable(message: str, remedy: str = "") -> ModelError:
    """A checkpoint that cannot be used, and what to do about it."""
    return ModelError([Diagnostic("BUR505", message, notes=(Note(remedy, "help"),) if remedy else ())])


@final
@dataclass(frozen=True, slots=True)
class Asked:
    """The question that a command asks: all that matters to its answer but the version of the program.

    ``constants`` and ``options`` are as they were given, ``store`` is how states are kept unless another way is asked
    for. ``text`` is a digest of the model as it was read.
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


def level_file(directory: Path, search: int, number: int) -> Path:
    """A file of levels, as ``runtime/levels.h`` names it."""
    return directory / f"{search}-{number}.levels"


def shown(path: Path) -> str:
    return printable(str(path))


def damaged_file(path: Path) -> ModelError:
    """A file of levels does not have what was written."""
    return unusable(f"'{shown(path)}' of the checkpoint is damaged: it is not what was written")


# ---------------------------------------------------------------- as JSON


def manifest_text(asked: Asked, searches: Sequence[KeptSearch]) -> str:
    """The manifest."""
    import json  # as in all of these: who keeps nothing should not wait for it

    body = {"made_by": _made_by(), "asked": _object_of(asked), "searches": [*map(_object_of, searches)]}
    return json.dumps({"format": _FORMAT, "sum": sum_of(body), **body}, separators=(",", ":")) + "\n"


def _made_by() -> dict[str, Any]:
    """What else decides whether states mean the same."""
    from burnside import __version__

    return {"version": __version__, "byte_order": sys.byteorder, "word_bits": sys.maxsize.bit_length() + 1}


def sum_of(body: Mapping[str, Any]) -> str:
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


def read_manifest(directory: Path) -> tuple[Asked, list[KeptSearch]]:
    """What the manifest of a directory says, if it is as it was written, and by this program on such a machine."""
    import json

    path = directory / MANIFEST
    try:
        if path.stat().st_size > _LARGEST:
            raise _damaged(path)
        found = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise unusable(
            f"'{shown(directory)}' has no checkpoint", f"there would be a file '{MANIFEST}', as --checkpoint makes it"
        ) from None
    except OSError as error:
        raise unusable(f"'{shown(path)}' cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise _damaged(path) from error
    if not isinstance(found, dict) or type(found.get("format")) is not int:
        raise _damaged(path)
    if found.pop("format") != _FORMAT:
        raise _of_another(path, "format")
    if found.pop("sum", None) != sum_of(found):
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
    return unusable(f"'{shown(path)}' is damaged: it is not what was written", "nothing can be said by what is left")


def _of_another(path: Path, what: str) -> ModelError:
    remedy = "go on with the program and on the kind of machine that made it, or check the model again"
    return unusable(f"'{shown(path)}' is of another {what}", remedy)


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
    fits = sum(file.levels for file in files) == len(kept.sizes) > max((w.level for w in witnesses), default=-1)
    if not fits or not all(kept.sizes) or not 0 <= (kept.full_states or 0) <= _WORD << 64 | _WORD:
        raise ValueError
    return kept


def refuse_other_sizes(directory: Path, searches: Sequence[KeptSearch]) -> None:
    """Raise `ModelError` unless all files have the sizes that were written down."""
    for number, search in enumerate(searches, 1):
        for position, file in enumerate(search.files, 1):
            path = level_file(directory, number, position)
            try:
                status = path.lstat()
            except OSError as error:
                raise unusable(f"'{shown(path)}' of the checkpoint is missing: {error.strerror}") from error
            if not stat.S_ISREG(status.st_mode) or status.st_size != file.bytes:
                raise damaged_file(path)
