"""Checkpoints as they were at every moment: after each file that a search wrote."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from burnside.explore import checkpoints


class Moments:
    """The manifests that were written, one after the other."""

    def __init__(self) -> None:
        self.manifests: list[bytes] = []

    def restore(self, number: int, kept: Path, to: Path) -> Path:
        """The directory as a process would have left it that ended after a manifest; with what was not yet renamed."""
        shutil.copytree(kept, to)
        (to / checkpoints.MANIFEST).write_bytes(self.manifests[number])
        (to / "1-99.levels.part").write_bytes(b"half a file")
        return to


@contextmanager
def every_level(patch: pytest.MonkeyPatch) -> Iterator[Moments]:
    """A file for each level; what is written down is remembered."""
    moments, write = Moments(), checkpoints._replace

    def remember(directory: Path, name: str, content: bytes) -> None:
        write(directory, name, content)
        moments.manifests.append(content)

    with patch.context() as patched:
        patched.setattr(checkpoints, "PAUSE", 0.0)
        patched.setattr(checkpoints, "_replace", remember)
        yield moments
