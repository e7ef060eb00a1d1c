"""The ``.seq`` language: the sequential model as text. Grammar and meaning: ``docs/reference/seq.md``."""

from __future__ import annotations

from collections.abc import Mapping

from burnside.frontends.front_end import FrontEnd, Loaded
from burnside.frontends.kit.constants import Given
from burnside.frontends.kit.options import NO_OPTIONS, Options
from burnside.source import Source

__all__ = ["FRONT_END", "load"]


def load(source: Source, constants: Mapping[str, Given], options: Options = NO_OPTIONS) -> Loaded:
    """What a text describes; only the languages that are asked for are imported."""
    from burnside.frontends.seq import parse

    return parse.load(source, constants, options)


FRONT_END = FrontEnd("sequential model", (".seq",), load, is_plain=True, takes_truths=True)
