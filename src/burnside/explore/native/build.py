"""Compile generated C and keep the result by content.

The key of a cached library is a digest of everything that decides it: the generated text, the runtime,
the compiler and its flags. Building happens in a private directory; a finished library is moved into
the cache in one step, so a killed run leaves nothing half written that a later one could load. A cache that has become
large loses what was not used for longest.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import final

from burnside.source import Diagnostic, ModelError, Note

RUNTIME = Path(__file__).parent.parent / "runtime"
_FLAGS = ("-std=gnu11", "-shared", "-fPIC", "-pthread", "-fno-strict-aliasing", "-fwrapv", "-w")
_LARGEST_CACHE = 512 << 20
_LEAST_ROOM = 1 << 20
_KEPT = 3 / 4  # of the largest size, so that not every build has to trim


@final
@dataclass(frozen=True, slots=True)
class Toolchain:
    """A C compiler: the command to call, and what identifies it."""

    command: tuple[str, ...]
    version: str


class BuildError(Exception):
    """The compiler refused generated code: a bug in Burnside, never the user's fault."""


def find_toolchain() -> Toolchain:
    """The compiler named by ``CC``, else the system's, else the one in the ``ziglang`` wheel."""
    named = shlex.split(os.environ.get("CC", ""))  # perhaps with options, or behind a wrapper such as ccache
    if named and not shutil.which(named[0]):
        note = Note("unset CC, or let it name a compiler that is there", "help")
        raise ModelError([Diagnostic("BUR503", f"there is no '{named[0]}', which CC names", notes=(note,))])
    for command, *options in filter(None, (named, ["cc"], ["gcc"], ["clang"])):
        path = shutil.which(command)
        if path:
            return Toolchain((path, *options), f"{_identity(Path(path))} {shlex.join(options)}")
    if importlib.util.find_spec("ziglang") is not None:
        from importlib.metadata import version

        return Toolchain((sys.executable, "-m", "ziglang", "cc"), f"zig {version('ziglang')}")
    help_note = Note("install a C compiler, or run: pip install 'burnside[zig]'", "help")
    raise ModelError([Diagnostic("BUR503", "no C compiler was found", notes=(help_note,))])


def _identity(path: Path) -> str:
    """What tells compilers apart without starting one: where it really is, its size and its date."""
    real = path.resolve()
    status = real.stat()
    return f"{real} {status.st_size} {status.st_mtime_ns}"


def build(text: str, *, flags: Sequence[str] = ("-O2",), cache: Path | None = None) -> Path:
    """The shared library for a generated C text, compiled now or found in the cache."""
    toolchain = find_toolchain()
    library = _place(text, toolchain, flags, cache)
    with suppress(OSError):
        os.utime(library)  # used just now: see _trim
    if not library.exists():
        _compile(text, toolchain, (*_FLAGS, *flags), library)
        _trim(library)
    return library


def is_built(text: str, *, flags: Sequence[str], cache: Path | None = None) -> bool:
    """Whether the cache has the library already."""
    return _place(text, find_toolchain(), flags, cache).exists()


def _place(text: str, toolchain: Toolchain, flags: Sequence[str], cache: Path | None) -> Path:
    """Where a library is kept, or will be."""
    directory = cache or cache_directory()
    _prepare(directory)
    return directory / f"{_digest(text, toolchain, flags)}.so"


def cache_directory() -> Path:
    """Where compiled checkers are kept: ``BURNSIDE_CACHE``, or the user's cache directory."""
    if os.environ.get("BURNSIDE_CACHE"):
        return Path(os.environ["BURNSIDE_CACHE"])
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "burnside"


def _prepare(directory: Path) -> None:
    """Make the cache and refuse one that others could put libraries into."""
    try:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        status = directory.stat()
    except OSError as error:
        raise _unusable(directory, f"cannot be made: {error.strerror}") from error
    if status.st_uid != os.getuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise _unusable(directory, "can be written by others")


def _unusable(directory: Path, reason: str) -> ModelError:
    note = Note("set BURNSIDE_CACHE to a directory of your own", "help")
    return ModelError([Diagnostic("BUR504", f"the cache directory '{directory}' {reason}", notes=(note,))])


def _digest(text: str, toolchain: Toolchain, flags: Sequence[str]) -> str:
    digest = hashlib.sha256()
    headers = (header.read_text() for header in sorted(RUNTIME.glob("*.h")))
    for part in (text, toolchain.version, " ".join((*_FLAGS, *flags)), *headers):
        digest.update(part.encode())
        digest.update(b"\0")
    return digest.hexdigest()


def _compile(text: str, toolchain: Toolchain, flags: Sequence[str], library: Path) -> None:
    try:
        with tempfile.TemporaryDirectory(dir=library.parent, prefix="build-") as private:
            output = Path(private) / "model.so"
            complaint = _call(toolchain, flags, text, output)
            if complaint:
                _blame(toolchain, flags, Path(private))
                raise BuildError(complaint)
            output.replace(library)
    except OSError as error:
        raise _unusable(library.parent, f"cannot be written: {error.strerror}") from error


def _call(toolchain: Toolchain, flags: Sequence[str], text: str, output: Path) -> str:
    """Compile a text; what the compiler says if it fails."""
    source = output.with_suffix(".c")
    source.write_text(text, encoding="utf-8")
    command = [*toolchain.command, *flags, "-I", str(RUNTIME), "-o", str(output), str(source)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return f"{' '.join(command)}\n{result.stderr[:4000]}" if result.returncode else ""


def _blame(toolchain: Toolchain, flags: Sequence[str], private: Path) -> None:
    """Say so if a failure is not the fault of the generated text: there is no room, or the compiler does not work."""
    if shutil.disk_usage(private).free < _LEAST_ROOM:
        raise _unusable(private.parent, "is on a full disk")
    complaint = _call(toolchain, flags, "int nothing;\n", private / "nothing.so")
    if complaint:
        said = Note(complaint.partition("\n")[2].strip()[:1000] or "it says nothing", "note")
        cure = Note("set CC to another compiler; 'burnside doctor' looks at what is there", "help")
        message = f"the C compiler '{toolchain.command[0]}' cannot make shared libraries"
        raise ModelError([Diagnostic("BUR503", message, notes=(said, cure))])


def _trim(newest: Path) -> None:
    """Remove libraries from a large cache, those first that were not used for longest."""
    found = []
    for path in newest.parent.glob("*.so"):
        with suppress(FileNotFoundError):  # others may trim at the same time
            status = path.stat()
            found.append((path == newest, status.st_mtime_ns, status.st_size, path))
    size = sum(entry[2] for entry in found)
    if size <= _LARGEST_CACHE:
        return
    for is_newest, _, bytes_freed, path in sorted(found):
        if is_newest or size <= _KEPT * _LARGEST_CACHE:
            return
        path.unlink(missing_ok=True)
        size -= bytes_freed
