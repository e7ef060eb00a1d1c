"""Results as values, and their renderings."""
