"""Coloured graphs and their automorphisms."""
