"""Finding the symmetries of a model: constraints, coloured graph, automorphisms, validation."""

from burnside.limits import has_room

if not has_room():  # where libraries get too little to begin with, they end the process
    raise MemoryError
