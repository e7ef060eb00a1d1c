"""Adaptive symmetry reduction: exploration of systems whose processes are only nearly alike."""

from burnside.limits import has_room

if not has_room():  # where numpy gets too little to begin with, it ends the process
    raise MemoryError
