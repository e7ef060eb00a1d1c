"""Symmetry: every state is replaced by a representative of its orbit under a validated group.

A way to representatives is a *strategy*, and has a file of its own; ``plan.py`` chooses among them. ``reduction.py``
joins the chosen ones to the function that searches call: ``canonicalise``, in C.
"""
