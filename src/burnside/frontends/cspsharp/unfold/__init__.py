"""Unfolds processes: expressions over what is known, terms, and what networks of them can do."""
