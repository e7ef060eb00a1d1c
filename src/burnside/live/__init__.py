"""Infinite runs: accepting cycles of annotated graphs, under fairness and up to symmetry."""
