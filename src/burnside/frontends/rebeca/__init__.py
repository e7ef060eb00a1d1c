"""Rebeca, the actor language: reactive classes and messages. Grammar and meaning: ``docs/reference/rebeca.md``."""

from __future__ import annotations

from burnside.frontends.front_end import FrontEnd
from burnside.frontends.rebeca.load import load
from burnside.frontends.rebeca.options import OPTIONS

__all__ = ["FRONT_END", "load"]

FRONT_END = FrontEnd("Rebeca", (".rebeca",), load, OPTIONS)
