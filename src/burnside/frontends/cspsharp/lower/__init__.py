"""Rules, domains and claims of the sequential model."""
