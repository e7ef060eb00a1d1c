"""CSP#: processes, channels and shared variables. Language and meaning: ``docs/reference/cspsharp.md``."""

from __future__ import annotations

from burnside.frontends.cspsharp.load import load
from burnside.frontends.front_end import FrontEnd

__all__ = ["FRONT_END", "load"]

FRONT_END = FrontEnd("CSP#", (".csp",), load, takes_truths=True)
