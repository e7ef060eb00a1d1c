"""What the names of a text mean: constants, macros, variables, channels, definitions."""
