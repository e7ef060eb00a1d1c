"""The ``.diagram`` language: processes that move along the edges of one diagram (``docs/reference/diagram.md``)."""

from __future__ import annotations

from collections.abc import Mapping

from burnside.frontends.front_end import FrontEnd, Loaded
from burnside.frontends.kit.constants import Given, without_labels
from burnside.frontends.kit.options import NO_OPTIONS, Options
from burnside.source import Source

__all__ = ["FRONT_END", "load"]


def load(source: Source, constants: Mapping[str, Given], options: Options = NO_OPTIONS) -> Loaded:
    """What a text describes; only the languages that are asked for are imported."""
    from burnside.frontends.diagram import parse

    return parse.load(source, without_labels(constants), options)


FRONT_END = FrontEnd("process diagram", (".diagram",), load)
