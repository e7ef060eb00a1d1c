"""Infinite runs: what symmetries must keep for them, runs lifted and verified. ``decide/runs.py`` has the order."""
