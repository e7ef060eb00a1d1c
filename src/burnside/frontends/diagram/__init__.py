"""The ``.diagram`` language: processes that move along the edges of one diagram (``docs/reference/diagram.md``)."""

from __future__ import annotations

from burnside.frontends.diagram.parse import load
from burnside.frontends.front_end import FrontEnd

__all__ = ["FRONT_END", "load"]

FRONT_END = FrontEnd("process diagram", (".diagram",), load)
