"""Infinite runs: what symmetries must keep for them, runs lifted and verified, and fairness in readable form."""
