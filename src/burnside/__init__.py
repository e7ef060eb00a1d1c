"""Burnside: a model checker that finds the symmetries of concurrent models by itself."""

__version__ = "0.1.0"
