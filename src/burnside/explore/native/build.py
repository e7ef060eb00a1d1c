"""Compile generated C, keep the result, and load it.

Searches are compiled apart from models, and kept, too: most models find theirs in the cache. What decides a library,
and so its key, is the generated text, the runtime, the compiler and its flags.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import os
import re
import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, final

from burnside.cache import Cache, digest
from burnside.explore.native.toolchain import RUNTIME, Toolchain, find_toolchain
from burnside.limits import NEVER, Deadline, phase
from burnside.values import dataclass, replace

_FLAGS = ("-std=gnu11", "-fPIC", "-pthread", "-fno-strict-aliasing", "-fwrapv", "-w")
_LIBRARY = ("-shared",)
_OBJECT = ("-c",)
_SHORT = 20_000  # characters of a model that compilers optimise in no time
_LEAST_ROOM = 1 << 20
# How compilers, linkers and loaders say it; the driver of gcc when the system has killed the compiler proper.
_NO_MEMORY: Final = re.compile(
    "out of memory|memory exhausted|cannot allocate memory|failed to map segment|Killed signal", re.IGNORECASE
)


class BuildError(Exception):
    """The compiler refused generated code: a bug in Burnside, never the user's fault."""


@final
@dataclass(frozen=True, slots=True)
class Program:
    """The C of a model and of the search that it is linked with: see ``runtime/facts.h``."""

    model: str
    search: str


def load(
    program: Program, *, flags: Sequence[str] = ("-O2",), cache: Path | None = None, deadline: Deadline = NEVER
) -> ctypes.CDLL:
    """The library for a program in this process; all of it is compiled again if it cannot be loaded."""
    for is_last in (False, True):
        library = build(program, flags=flags, cache=cache, deadline=deadline)
        try:
            return ctypes.CDLL(str(library))
        except OSError as error:
            if os.strerror(errno.ENOMEM) in str(error):
                raise MemoryError from error
            _forget(program, find_toolchain(), flags, Cache(cache))
            if is_last:
                raise find_toolchain().useless(f"what it made cannot be loaded: {error}") from error
    raise AssertionError


def build(
    program: Program, *, flags: Sequence[str] = ("-O2",), cache: Path | None = None, deadline: Deadline = NEVER
) -> Path:
    """The shared library for a program, compiled now or found in the cache. Raises `LimitReached` at the deadline."""
    toolchain = replace(find_toolchain(), deadline=deadline)
    kept = Cache(cache)
    return kept.find(_library_key(program, toolchain, flags)) or _link(program, toolchain, flags, kept)


def _link(program: Program, toolchain: Toolchain, flags: Sequence[str], cache: Cache) -> Path:
    """Compile a model and link it with its search: one from the cache, or a new one if that one does not fit."""
    key, search_key = _library_key(program, toolchain, flags), _search_key(program, toolchain, flags)
    every = (*_FLAGS, *_LIBRARY, *flags)
    kept = cache.find(search_key)
    if kept is not None:
        with suppress(BuildError):
            return _compile(program.model, toolchain, every, cache, key, (kept,))
    search = _compile(program.search, toolchain, (*_FLAGS, *_OBJECT, *flags), cache, search_key)
    return _compile(program.model, toolchain, every, cache, key, (search,))


def _forget(program: Program, toolchain: Toolchain, flags: Sequence[str], cache: Cache) -> None:
    cache.forget(_library_key(program, toolchain, flags))
    cache.forget(_search_key(program, toolchain, flags))


def is_soon_built(program: Program, *, flags: Sequence[str], cache: Path | None = None) -> bool:
    """Whether the cache has the library already, or the search of a short model."""
    toolchain = find_toolchain()
    kept = Cache(cache)
    keys = [_library_key(program, toolchain, flags)]
    if len(program.model) < _SHORT:
        keys.append(_search_key(program, toolchain, flags))
    return any(map(kept.find, keys))


def _library_key(program: Program, toolchain: Toolchain, flags: Sequence[str]) -> str:
    return _digest((program.model, program.search), toolchain, (*_LIBRARY, *flags))


def _search_key(program: Program, toolchain: Toolchain, flags: Sequence[str]) -> str:
    return _digest((program.search,), toolchain, (*_OBJECT, *flags))


def _digest(texts: Sequence[str], toolchain: Toolchain, flags: Sequence[str]) -> str:
    return digest((*texts, toolchain.version, " ".join((*_FLAGS, *flags)), runtime_digest()))


@functools.cache
def runtime_digest() -> str:
    """A digest of the runtime, which every key asks for."""
    return digest(header.read_text() for header in sorted(RUNTIME.glob("*.h")))


@phase("compiling")
def _compile(
    text: str, toolchain: Toolchain, flags: Sequence[str], cache: Cache, key: str, objects: Sequence[Path] = ()
) -> Path:
    with cache.room() as private:
        output = private / ("model.so" if objects else "search.o")
        complaint = toolchain.compile(flags, text, output, objects)
        if complaint:
            _blame(toolchain, flags, cache, private, complaint)
            raise BuildError(complaint)
        return cache.enter(key, output)


def _blame(toolchain: Toolchain, flags: Sequence[str], cache: Cache, private: Path, complaint: str) -> None:
    """Say so if a failure is not the fault of the generated text: there is no room, or the compiler does not work."""
    if _NO_MEMORY.search(complaint):
        raise MemoryError
    if shutil.disk_usage(private).free < _LEAST_ROOM:
        raise cache.unusable("is on a full disk")
    complaint = toolchain.compile(flags, "int nothing;\n", private / "nothing.so")
    if complaint:
        raise toolchain.useless(complaint.partition("\n")[2])
