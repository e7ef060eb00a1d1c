"""What figures were measured on: they mean little without it."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib import metadata
from pathlib import Path

from burnside.explore.native.build import find_toolchain
from burnside.source import ModelError

_PACKAGES = ("igraph", "numpy", "sympy", "python-sat")


def machine() -> dict[str, str]:
    """The system, the processor, and the versions of what does the work."""
    found = {
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "processors": str(os.cpu_count() or 1),
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


def _compiler() -> str:
    try:
        command = [*find_toolchain().command, "--version"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]
    except (ModelError, OSError, subprocess.CalledProcessError, IndexError):
        return "none"


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"
