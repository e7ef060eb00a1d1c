"""Files that commands write: whole or not at all."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable
from pathlib import Path


def write_file(path: Path, parts: Iterable[str] | bytes) -> bool:
    """Write to a file beside ``path`` and rename it at the end; False, with a message, if that is not possible."""
    try:
        target = path.resolve()  # a link stays a link
        if target.exists() and not target.is_file():
            _write(target, parts)  # a pipe or a device
            return True
        part = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            _write(part, parts)
            part.replace(target)
        finally:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
        return True
    except OSError as error:
        print(f"burnside: cannot write '{path}': {error.strerror}", file=sys.stderr)
        return False


def _write(path: Path, parts: Iterable[str] | bytes) -> None:
    if isinstance(parts, bytes):
        path.write_bytes(parts)
        return
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(parts)
