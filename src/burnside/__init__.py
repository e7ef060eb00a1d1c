"""Burnside: a model checker that finds the symmetries of concurrent models by itself.

>>> import burnside
>>> model = burnside.load("examples/zhang2013/dining_philosophers.seq", N=3)
>>> model.count().states
35
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from burnside.api import System, load

__version__ = "0.1.0"
__all__ = ["System", "__version__", "load"]


def __getattr__(name: str) -> Any:
    """Load the interface on first use, so that ``import burnside`` costs nothing."""
    if name in ("System", "load"):
        from burnside import api

        return getattr(api, name)
    raise AttributeError(f"module 'burnside' has no attribute '{name}'")
