"""Finding the symmetries of a model: constraints, coloured graph, automorphisms, validation."""

from burnside.limits import has_room

if not has_room():  # where numpy gets too little to begin with, it ends the process
    raise MemoryError
