"""Symmetry: every state is replaced by a representative of its orbit under a validated group. A strategy is a file."""
