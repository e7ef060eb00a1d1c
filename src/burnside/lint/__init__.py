"""Warnings: what is allowed in a model, and probably not what its author means."""
