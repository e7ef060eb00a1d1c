"""The handwritten C with something else in one place."""

from __future__ import annotations

from pathlib import Path

from burnside.explore.native.toolchain import RUNTIME


def broken_runtime(folder: Path, name: str, old: str, new: str) -> Path:
    """A copy of the runtime in a folder, in which one header is changed."""
    for header in RUNTIME.glob("*.h"):
        (folder / header.name).write_text(header.read_text())
    text = (folder / name).read_text()
    assert old in text
    (folder / name).write_text(text.replace(old, new))
    return folder
