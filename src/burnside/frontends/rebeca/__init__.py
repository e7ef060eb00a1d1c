"""Rebeca, the actor language: reactive classes and messages. Grammar and meaning: ``docs/reference/rebeca.md``."""

from __future__ import annotations

from burnside.frontends.front_end import FrontEnd
from burnside.frontends.rebeca.load import load
from burnside.frontends.rebeca.topology import load_topology

__all__ = ["FRONT_END", "load", "load_topology"]

FRONT_END = FrontEnd("Rebeca", (".rebeca",), load, properties=".property", load_topology=load_topology)
