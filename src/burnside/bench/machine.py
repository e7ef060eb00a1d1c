"""What figures were measured on: they mean little without it."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

from burnside.explore.native.toolchain import find_toolchain
from burnside.source import ModelError

_PACKAGES = ("igraph", "numpy", "sympy", "python-sat")


def machine() -> dict[str, str]:
    """The system, the processor, how busy it is, and the versions of what does the work."""
    found = {
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "processors": str(os.cpu_count() or 1),
        "load": _load(),
        "python": platform.python_version(),
        "compiler": _compiler(),
    }
    return found | {name: _version(name) for name in _PACKAGES}


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _load() -> str:
    """How many processes ran or waited for a processor, on average over the last minute."""
    return f"{os.getloadavg()[0]:.2f}" if hasattr(os, "getloadavg") else "unknown"


def _compiler() -> str:
    try:
        return first_line([*find_toolchain().command, "--version"]) or "none"
    except ModelError:
        return "none"


def first_line(command: Sequence[str]) -> str | None:
    """The first line that a command prints; None if it is not there or fails."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return None


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"
