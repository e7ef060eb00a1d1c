"""Regular systems and their symmetry patterns: symmetries of every instance of a parameterised system at once.

A configuration is a word, one letter per process; a step is a length-preserving regular relation between
words; a symmetry pattern is a regular relation that simulates the system [LinEtAl16]. One automaton then
speaks of all sizes, so an answer here needs no bound on the number of processes.
"""
