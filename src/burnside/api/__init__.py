"""The Python interface, for notebooks and scripts: every command as a method, with the same words and defaults."""

from burnside.api.patterns import RegularSystem, find_patterns, load_regular
from burnside.api.system import System, load

__all__ = ["RegularSystem", "System", "find_patterns", "load", "load_regular"]
