"""What is kept from run to run, by content, and believed only if it proves itself.

The key of what is kept is a digest of everything that decides it. The name of its file is the key and a digest of the
key with its bytes, so that one look at the file tells whether it is what was made for that key; a file that is not, or
that somebody else could have changed, is never used: a damaged library can end the process, and another model's would
give another model's answer. Name and bytes enter the cache in one step, from a private directory that is locked; one
without its lock is what a killed run left, and is removed. A cache that has become large loses what was not used for
longest. Some that enter something look after both, not all: a cache may have thousands of files. For that reason they
lie on shelves, directories named by the first digits of the keys: whoever looks for one file reads one shelf.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, final

from burnside.source import Diagnostic, ModelError, Note

try:  # `hashlib` would load a library for cryptography first, which takes longer than most models to be read
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

_LARGEST = 512 << 20
_KEPT = 3 / 4  # of the largest size, so that there is nothing to remove for a while
_ENTRIES_PER_LOOK = 16  # at all that the cache has
_SECONDS_TO_LOCK: Final = 60  # more than anybody needs to lock a directory just made
_SHELF: Final = re.compile(r"[0-9a-f]{2}")
_MADE: Final = re.compile(r"[0-9a-f]{64}-[0-9a-f]{64}\.(?:so|o|json)")
_BYTES: Final = 32  # of a digest
_OTHERS: Final = stat.S_IWGRP | stat.S_IWOTH


def digest(parts: Iterable[str]) -> str:
    """A key for what some texts decide."""
    found = blake2b(digest_size=_BYTES)
    for part in parts:
        found.update(part.encode())
        found.update(b"\0")
    return found.hexdigest()


def cache_directory() -> Path:
    """Where things are kept: ``BURNSIDE_CACHE``, or the user's cache directory."""
    if os.environ.get("BURNSIDE_CACHE"):
        return Path(os.environ["BURNSIDE_CACHE"])
    try:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    except RuntimeError as error:
        raise _unusable(Path("~/.cache/burnside"), "cannot be found: you have no home directory") from error
    return Path(base) / "burnside"


def _unusable(directory: Path, reason: str) -> ModelError:
    note = Note("set BURNSIDE_CACHE to a directory of your own", "help")
    return ModelError([Diagnostic("BUR504", f"the cache directory '{directory}' {reason}", notes=(note,))])


@final
class Cache:
    """A directory of files by key, which is made if it is not there; refused if others could put files into it."""

    def __init__(self, directory: Path | None = None) -> None:
        self.directory = directory or cache_directory()
        try:
            self.directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            status = self.directory.stat()
        except OSError as error:
            raise self.unusable(f"cannot be made: {error.strerror}") from error
        if status.st_uid != os.getuid() or status.st_mode & _OTHERS:
            raise self.unusable("can be written by others")

    def unusable(self, reason: str) -> ModelError:
        """The diagnostic for a cache that cannot be used."""
        return _unusable(self.directory, reason)

    def find(self, key: str) -> Path | None:
        """The file for a key, used just now; what only looks like one is removed."""
        for path in self._entries(key):
            content = _content(path)
            is_genuine = content is not None and path.stem == _name(key, content)
            with suppress(OSError):  # a cache that cannot be written can still be used
                os.utime(path) if is_genuine else path.unlink()  # used just now: see _tidy
            if is_genuine:
                return path
        return None

    def forget(self, key: str) -> None:
        """Remove what there is for a key."""
        for path in self._entries(key):
            path.unlink(missing_ok=True)

    @contextmanager
    def room(self) -> Iterator[Path]:
        """A private directory, where what is to be kept is made."""
        try:
            with tempfile.TemporaryDirectory(dir=self.directory, prefix="build-") as name, _locked(Path(name)):
                yield Path(name)
        except OSError as error:
            raise self.unusable(f"cannot be written: {error.strerror}") from error

    def enter(self, key: str, made: Path) -> Path:
        """Keep a file that was made in a private directory; where it is from now on."""
        made.chmod(0o700)  # whatever the user's mask says of others
        self._shelf(key).mkdir(mode=0o700, exist_ok=True)
        kept = made.replace(self._shelf(key) / f"{_name(key, made.read_bytes())}{made.suffix}")
        if int(key[:8], 16) % _ENTRIES_PER_LOOK == 0:  # a key is a digest
            self._tidy(kept)
        return kept

    def _shelf(self, key: str) -> Path:
        return self.directory / key[:2]

    def _entries(self, key: str) -> list[Path]:
        """What bears the name of a key."""
        try:
            return sorted(path for path in self._shelf(key).iterdir() if path.name.startswith(f"{key}-"))
        except FileNotFoundError:
            return []
        except OSError as error:
            raise self.unusable(f"cannot be read: {error.strerror}") from error

    def _tidy(self, newest: Path) -> None:
        """Remove what killed runs left, and files from a large cache, those first that were not used for longest."""
        found = []
        for entry, status in self._everything():
            if entry.name.startswith("build-") and stat.S_ISDIR(status.st_mode):
                with suppress(OSError):
                    _sweep(Path(entry), status)
            elif _MADE.fullmatch(entry.name) and stat.S_ISREG(status.st_mode):
                found.append((entry.name == newest.name, status.st_mtime_ns, status.st_size, entry.path))
        size = sum(entry[2] for entry in found)
        if size <= _LARGEST:
            return
        for is_newest, _, bytes_freed, path in sorted(found):
            if is_newest or size <= _KEPT * _LARGEST:
                return
            Path(path).unlink(missing_ok=True)
            size -= bytes_freed

    def _everything(self) -> Iterator[tuple[os.DirEntry[str], os.stat_result]]:
        """What the cache has, on shelves and beside them, where earlier versions left it."""
        waiting = [self.directory]
        while waiting:
            with suppress(OSError), os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    with suppress(OSError):  # others may do the same
                        yield entry, (status := entry.stat(follow_symlinks=False))
                        if _SHELF.fullmatch(entry.name) and stat.S_ISDIR(status.st_mode):
                            waiting.append(Path(entry))


def _name(key: str, content: bytes) -> str:
    """The name, but for its suffix, that a file has if it is the one that was made for a key."""
    return f"{key}-{blake2b(key.encode() + content, digest_size=_BYTES).hexdigest()}"


def _content(path: Path) -> bytes | None:
    """The bytes of a regular file that is ours and that only we can write; else None."""
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            is_ours = status.st_uid == os.getuid() and not status.st_mode & _OTHERS
            return file.read() if is_ours and stat.S_ISREG(status.st_mode) else None
    return None


def _sweep(left: Path, status: os.stat_result) -> None:
    """Remove a private directory that nobody holds the lock of."""
    with _locked(left) as is_ours:
        if is_ours and time.time() - status.st_mtime > _SECONDS_TO_LOCK:
            shutil.rmtree(left, ignore_errors=True)


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
