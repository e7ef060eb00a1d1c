"""Finding the symmetries of a model: constraints, coloured graph, automorphisms, validation."""
