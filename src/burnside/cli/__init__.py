"""The command line: the only part that prints, reads arguments or exits."""
