"""Files that come along with the package: examples and tables of published figures."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent


def resource_directory(name: str) -> Path:
    """``examples`` or ``tables``: inside an installed package, or in the source tree it was installed from."""
    installed = _PACKAGE / "resources_" / name
    if installed.is_dir():
        return installed
    root = _PACKAGE.parent.parent
    return root / "examples" if name == "examples" else root / "benchmarks" / name
