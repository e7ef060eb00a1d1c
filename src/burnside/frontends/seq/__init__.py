"""The ``.seq`` language: the sequential model as text. Grammar and meaning: ``docs/reference/seq.md``."""

from __future__ import annotations

from burnside.frontends.front_end import FrontEnd
from burnside.frontends.seq.parse import load

__all__ = ["FRONT_END", "load"]

FRONT_END = FrontEnd("sequential model", (".seq",), load)
