"""Files that commands write: whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NoReturn


def can_write(*paths: Path | None) -> bool:
    """Look before the work begins whether `write_file` can write these; False, with a message, if it cannot."""
    for path in filter(None, paths):
        try:
            _look(path.resolve())
        except OSError as error:
            _say(path, error)
            return False
    return True


def write_file(path: Path, parts: str | bytes | Iterable[str]) -> bool:
    """Write to a file beside ``path`` and rename it at the end; False, with a message, if that is not possible."""
    try:
        target = path.resolve()  # a link stays a link
        if target.exists() and not target.is_file():
            _write(target, parts)  # a pipe or a device
            return True
        part = target.with_name(f".{target.name}.{os.getpid()}.part")
        with _termination_raised():
            try:
                _write(part, parts)
                part.replace(target)
            finally:
                with contextlib.suppress(OSError):
                    part.unlink(missing_ok=True)
        return True
    except OSError as error:
        _say(path, error)
        return False


def write_files(directory: Path, texts: Mapping[str, str]) -> None:
    """Write files to a directory, which is made if it is not there: all of them, or none and OSError."""
    missing = [folder for folder in (directory, *directory.parents) if not folder.exists()]
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name in texts:
            _look(directory / name)
        with _termination_raised(), tempfile.TemporaryDirectory(dir=directory, prefix=".part-") as part:
            for name, text in texts.items():
                _write(Path(part, name), [text])
            for name in texts:
                Path(part, name).replace(directory / name)
    except BaseException:
        with contextlib.suppress(OSError):  # not empty: others wrote there, too
            for folder in missing:
                folder.rmdir()
        raise


def _say(path: Path, error: OSError) -> None:
    print(f"burnside: cannot write '{path}': {error.strerror}", file=sys.stderr)


def _look(target: Path) -> None:
    if target.is_dir():
        _fail(errno.EISDIR)
    folder = target.parent
    if not folder.is_dir():
        _fail(errno.ENOTDIR if folder.exists() else errno.ENOENT)
    is_special = target.exists() and not target.is_file()
    if not os.access(target if is_special else folder, os.W_OK):
        _fail(errno.EACCES)


def _fail(code: int) -> NoReturn:
    raise OSError(code, os.strerror(code))


@contextlib.contextmanager
def _termination_raised() -> Iterator[None]:
    """SIGTERM as an exception, so that nothing half written is left; whoever has a handler already keeps it."""
    is_ours = threading.current_thread() is threading.main_thread()
    if not is_ours or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return

    def end(number: int, _: object) -> NoReturn:
        raise SystemExit(128 + number)

    signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _write(path: Path, parts: str | bytes | Iterable[str]) -> None:
    if isinstance(parts, bytes):
        path.write_bytes(parts)
        return
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines([parts] if isinstance(parts, str) else parts)
