"""Which files ``#include`` may read: regular files in the folder of the model, not too many and not too large.

A text may come from anywhere, and what is read may be quoted in diagnostics. So nothing outside the folder is read,
whatever a name or a link says.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final, final

MOST_FILES: Final = 100
MOST_BYTES: Final = 4 << 20


class Refused(Exception):
    """Why a file is not read."""


@final
class Inclusion:
    """The files that one model includes, directly or not."""

    def __init__(self, model: str) -> None:
        self._folder = Path(model).parent.resolve()
        self._files = 0
        self._bytes = 0

    def resolve(self, name: str) -> Path:
        """The file of a name that a file mentions."""
        try:
            path = (self._folder / name).resolve()
        except (OSError, ValueError, RuntimeError) as error:  # a name that cannot be one, or links in a circle
            raise Refused("there is no such file") from error
        if path.parent != self._folder:
            raise Refused("it is not in the folder of the model")
        return path

    def read(self, path: Path) -> str:
        """The text of a file."""
        self._files += 1
        if self._files > MOST_FILES:
            raise Refused(f"more than {MOST_FILES} files are included")
        try:
            content = _content(path, MOST_BYTES - self._bytes)
            self._bytes += len(content)
            return content.decode()
        except OSError as error:
            raise Refused(error.strerror or "unknown error") from error
        except UnicodeDecodeError as error:
            raise Refused("it is not UTF-8 text") from error


def _content(path: Path, most: int) -> bytes:
    # What a path leads to is asked of the open file; a fifo must not be waited for.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise Refused("it is not a regular file")
        content = file.read(most + 1)
    if len(content) > most:
        raise Refused(f"the included files are larger than {MOST_BYTES >> 20} MB")
    return content
