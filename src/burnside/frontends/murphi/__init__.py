"""Murphi, in the dialects of CMurphi and Rumur. What is read, and what it means: ``docs/reference/murphi.md``."""

from __future__ import annotations

from collections.abc import Mapping

from burnside.frontends.front_end import FrontEnd, Loaded
from burnside.frontends.kit.constants import Given, without_labels
from burnside.frontends.kit.options import NO_OPTIONS, Options
from burnside.frontends.murphi.options import OPTIONS
from burnside.source import Source

__all__ = ["FRONT_END", "load"]


def load(source: Source, constants: Mapping[str, Given], options: Options = NO_OPTIONS) -> Loaded:
    """What a text describes; only the languages that are asked for are imported."""
    from burnside.frontends.murphi import stages

    return stages.load(source, without_labels(constants), options)


FRONT_END = FrontEnd("Murphi", (".m",), load, OPTIONS, takes_truths=True)
