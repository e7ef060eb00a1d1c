"""Claims about the events of a process: divergence, determinism and refinement, on its labelled transition system."""
