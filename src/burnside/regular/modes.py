"""The ways to search for patterns. Apart from the searches, so that a command line can name them at no cost."""

from __future__ import annotations

MODES = ("auto", "lifted", "faithful", "catalogue")
