"""Readers of regular systems: our own ``.regular`` text and the formats of two older tools."""

from burnside.regular.formats.read import FORMATS, load_system, read_system

__all__ = ["FORMATS", "load_system", "read_system"]
