"""Symmetry of actor models from the references between actors alone [JaghooriEtAl05]."""
