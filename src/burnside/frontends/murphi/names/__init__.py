"""Types, constants and names of Murphi texts."""
