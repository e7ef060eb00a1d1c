"""Burnside: a model checker that finds the symmetries of concurrent models by itself.

>>> import burnside
>>> model = burnside.load("examples/zhang2013/dining_philosophers.seq", N=3)
>>> model.count().states
35
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from burnside.api import RegularSystem, System, find_patterns, load, load_regular, resume, schema

__version__ = "0.1.0"
__all__ = ["RegularSystem", "System", "__version__", "find_patterns", "load", "load_regular", "resume", "schema"]


def __getattr__(name: str) -> Any:
    """Load the interface on first use, so that ``import burnside`` costs nothing."""
    if name in __all__:
        from burnside import api

        return getattr(api, name)
    raise AttributeError(f"module 'burnside' has no attribute '{name}'")
