"""Synthesis of symmetry patterns: a SAT solver proposes transducers, automata refute them."""
