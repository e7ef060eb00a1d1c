"""The Python interface, for notebooks and scripts: every command as a method, with the same words and defaults."""

from typing import Any

from burnside.api.patterns import RegularSystem, find_patterns, load_regular
from burnside.api.system import System, load, resume

__all__ = ["RegularSystem", "System", "find_patterns", "load", "load_regular", "resume", "schema"]


def schema(command: str) -> dict[str, Any]:
    """The JSON schema of what a command prints with ``--json``, such as ``check`` or ``pattern find``."""
    from burnside.schemas import schema as schema_of_command  # which loads every kind of table

    return schema_of_command(command)
