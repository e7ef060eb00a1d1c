"""Petri nets: random ones with a judge of their own, and published numbers."""
