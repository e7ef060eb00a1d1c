"""Slicing: what nothing that is asked depends on is left out of the state."""
