"""Adaptive symmetry reduction: exploration of systems whose processes are only nearly alike."""
