"""The native explorer: emit C for a model, build it, run it in process."""
