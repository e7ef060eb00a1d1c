"""Compile generated C, keep the result by content, and load it.

Searches are compiled apart from models, and kept, too: most models find theirs there. The key of what is kept is a
digest of everything that decides it: the generated text, the runtime, the compiler and its flags. Its name is the key
and a digest of the key with its bytes, so that one look at the file tells whether it is what was compiled for that key;
a library that is not, or that somebody else could have changed, is never loaded, since a damaged one can end the
process and another model's would give another model's answer. Name and bytes enter the cache in one step. Building
happens in a private directory that is locked; one without its lock is what a killed run left, and is removed. A cache
that has become large loses what was not used for longest. Some builds look after both, not all: a cache may have
thousands of files.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import hashlib
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from burnside.explore.native.toolchain import RUNTIME, Toolchain, find_toolchain
from burnside.limits import phase
from burnside.source import Diagnostic, ModelError, Note

_FLAGS = ("-std=gnu11", "-fPIC", "-pthread", "-fno-strict-aliasing", "-fwrapv", "-w")
_LIBRARY = ("-shared",)
_OBJECT = ("-c",)
_SHORT = 20_000  # characters of a model that compilers optimise in no time
_LARGEST_CACHE = 512 << 20
_LEAST_ROOM = 1 << 20
_KEPT = 3 / 4  # of the largest size, so that there is nothing to remove for a while
_BUILDS_PER_LOOK = 16  # at all that the cache has
_SECONDS_TO_LOCK: Final = 60  # more than anybody needs to lock a directory just made
# How compilers, linkers and loaders say it; the driver of gcc when the system has killed the compiler proper.
_NO_MEMORY: Final = re.compile(
    "out of memory|memory exhausted|cannot allocate memory|failed to map segment|Killed signal", re.IGNORECASE
)
_MADE: Final = re.compile(r"[0-9a-f]{64}-[0-9a-f]{64}\.s?o")
_OTHERS: Final = stat.S_IWGRP | stat.S_IWOTH


class BuildError(Exception):
    """The compiler refused generated code: a bug in Burnside, never the user's fault."""


@final
@dataclass(frozen=True, slots=True)
class Program:
    """The C of a model and of the search that it is linked with: see ``runtime/facts.h``."""

    model: str
    search: str


def load(program: Program, *, flags: Sequence[str] = ("-O2",), cache: Path | None = None) -> ctypes.CDLL:
    """The library for a program in this process; all of it is compiled again if it cannot be loaded."""
    for is_last in (False, True):
        library = build(program, flags=flags, cache=cache)
        try:
            return ctypes.CDLL(str(library))
        except OSError as error:
            if os.strerror(errno.ENOMEM) in str(error):
                raise MemoryError from error
            _forget(program, find_toolchain(), flags, library.parent)
            if is_last:
                raise find_toolchain().useless(f"what it made cannot be loaded: {error}") from error
    raise AssertionError


def build(program: Program, *, flags: Sequence[str] = ("-O2",), cache: Path | None = None) -> Path:
    """The shared library for a program, compiled now or found in the cache."""
    toolchain = find_toolchain()
    directory = _prepare(cache or cache_directory())
    library = _find(directory, _library_key(program, toolchain, flags))
    if library is None:
        library = _link(program, toolchain, flags, directory)
        if int(library.name[:8], 16) % _BUILDS_PER_LOOK == 0:  # its key is a digest
            _tidy(library)
    return library


def _link(program: Program, toolchain: Toolchain, flags: Sequence[str], directory: Path) -> Path:
    """Compile a model and link it with its search: one from the cache, or a new one if that one does not fit."""
    key, search_key = _library_key(program, toolchain, flags), _search_key(program, toolchain, flags)
    every = (*_FLAGS, *_LIBRARY, *flags)
    kept = _find(directory, search_key)
    if kept is not None:
        with suppress(BuildError):
            return _compile(program.model, toolchain, every, directory, key, (kept,))
    search = _compile(program.search, toolchain, (*_FLAGS, *_OBJECT, *flags), directory, search_key)
    return _compile(program.model, toolchain, every, directory, key, (search,))


def _forget(program: Program, toolchain: Toolchain, flags: Sequence[str], directory: Path) -> None:
    for key in (_library_key(program, toolchain, flags), _search_key(program, toolchain, flags)):
        for made in _entries(directory, key):
            made.unlink(missing_ok=True)


def is_soon_built(program: Program, *, flags: Sequence[str], cache: Path | None = None) -> bool:
    """Whether the cache has the library already, or the search of a short model."""
    toolchain = find_toolchain()
    directory = _prepare(cache or cache_directory())
    keys = [_library_key(program, toolchain, flags)]
    if len(program.model) < _SHORT:
        keys.append(_search_key(program, toolchain, flags))
    return any(_find(directory, key) for key in keys)


def _library_key(program: Program, toolchain: Toolchain, flags: Sequence[str]) -> str:
    return _digest((program.model, program.search), toolchain, (*_LIBRARY, *flags))


def _search_key(program: Program, toolchain: Toolchain, flags: Sequence[str]) -> str:
    return _digest((program.search,), toolchain, (*_OBJECT, *flags))


def cache_directory() -> Path:
    """Where compiled checkers are kept: ``BURNSIDE_CACHE``, or the user's cache directory."""
    if os.environ.get("BURNSIDE_CACHE"):
        return Path(os.environ["BURNSIDE_CACHE"])
    try:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    except RuntimeError as error:
        raise _unusable(Path("~/.cache/burnside"), "cannot be found: you have no home directory") from error
    return Path(base) / "burnside"


def _prepare(directory: Path) -> Path:
    """Make the cache and refuse one that others could put libraries into."""
    try:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        status = directory.stat()
    except OSError as error:
        raise _unusable(directory, f"cannot be made: {error.strerror}") from error
    if status.st_uid != os.getuid() or status.st_mode & _OTHERS:
        raise _unusable(directory, "can be written by others")
    return directory


def _unusable(directory: Path, reason: str) -> ModelError:
    note = Note("set BURNSIDE_CACHE to a directory of your own", "help")
    return ModelError([Diagnostic("BUR504", f"the cache directory '{directory}' {reason}", notes=(note,))])


def _digest(texts: Sequence[str], toolchain: Toolchain, flags: Sequence[str]) -> str:
    digest = hashlib.sha256()
    headers = (header.read_text() for header in sorted(RUNTIME.glob("*.h")))
    for part in (*texts, toolchain.version, " ".join((*_FLAGS, *flags)), *headers):
        digest.update(part.encode())
        digest.update(b"\0")
    return digest.hexdigest()


# ---------------------------------------------------------------- what the cache has


def _name(key: str, content: bytes) -> str:
    """The name, but for its suffix, that a file has if it is the one that was compiled for a key."""
    return f"{key}-{hashlib.sha256(key.encode() + content).hexdigest()}"


def _find(directory: Path, key: str) -> Path | None:
    """The library for a key, used just now; what only looks like one is removed."""
    for library in _entries(directory, key):
        content = _content(library)
        is_genuine = content is not None and library.stem == _name(key, content)
        with suppress(OSError):  # a cache that cannot be written can still be used
            os.utime(library) if is_genuine else library.unlink()  # used just now: see _tidy
        if is_genuine:
            return library
    return None


def _entries(directory: Path, key: str) -> list[Path]:
    """What bears the name of a key."""
    try:
        with os.scandir(directory) as entries:  # a cache may have thousands, and glob takes twice as long
            return sorted(directory / entry.name for entry in entries if entry.name.startswith(f"{key}-"))
    except OSError as error:
        raise _unusable(directory, f"cannot be read: {error.strerror}") from error


def _content(library: Path) -> bytes | None:
    """The bytes of a regular file that is ours and that only we can write; else None."""
    with suppress(OSError):
        descriptor = os.open(library, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            is_ours = status.st_uid == os.getuid() and not status.st_mode & _OTHERS
            return file.read() if is_ours and stat.S_ISREG(status.st_mode) else None
    return None


@contextmanager
def _locked(directory: Path) -> Iterator[bool]:
    """Hold the lock of a directory, at most as long as the process lives; whether we have it."""
    descriptor = os.open(directory, os.O_RDONLY)
    is_ours = False
    try:
        with suppress(OSError):  # somebody else has it, or there are no locks here
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_ours = True
        yield is_ours
    finally:
        os.close(descriptor)


# ---------------------------------------------------------------- what it gets


@phase("compiling")
def _compile(
    text: str, toolchain: Toolchain, flags: Sequence[str], directory: Path, key: str, objects: Sequence[Path] = ()
) -> Path:
    try:
        with tempfile.TemporaryDirectory(dir=directory, prefix="build-") as name, _locked(private := Path(name)):
            output = private / ("model.so" if objects else "search.o")
            complaint = toolchain.compile(flags, text, output, objects)
            if complaint:
                _blame(toolchain, flags, private, complaint)
                raise BuildError(complaint)
            output.chmod(0o700)  # whatever the user's mask says of others
            return output.replace(directory / f"{_name(key, output.read_bytes())}{output.suffix}")
    except OSError as error:
        raise _unusable(directory, f"cannot be written: {error.strerror}") from error


def _blame(toolchain: Toolchain, flags: Sequence[str], private: Path, complaint: str) -> None:
    """Say so if a failure is not the fault of the generated text: there is no room, or the compiler does not work."""
    if _NO_MEMORY.search(complaint):
        raise MemoryError
    if shutil.disk_usage(private).free < _LEAST_ROOM:
        raise _unusable(private.parent, "is on a full disk")
    complaint = toolchain.compile(flags, "int nothing;\n", private / "nothing.so")
    if complaint:
        raise toolchain.useless(complaint.partition("\n")[2])


def _tidy(newest: Path) -> None:
    """Remove what killed builds left, and libraries from a large cache, those first that were not used for longest."""
    found = []
    with os.scandir(newest.parent) as entries:
        for entry in entries:
            with suppress(OSError):  # others may do the same
                status = entry.stat(follow_symlinks=False)
                if entry.name.startswith("build-"):
                    _sweep(Path(entry), status)
                elif _MADE.fullmatch(entry.name):
                    found.append((entry.name == newest.name, status.st_mtime_ns, status.st_size, entry.path))
    size = sum(entry[2] for entry in found)
    if size <= _LARGEST_CACHE:
        return
    for is_newest, _, bytes_freed, path in sorted(found):
        if is_newest or size <= _KEPT * _LARGEST_CACHE:
            return
        Path(path).unlink(missing_ok=True)
        size -= bytes_freed


def _sweep(left: Path, status: os.stat_result) -> None:
    """Remove a private directory that nobody holds the lock of."""
    with _locked(left) as is_ours:
        if is_ours and time.time() - status.st_mtime > _SECONDS_TO_LOCK:
            shutil.rmtree(left, ignore_errors=True)
