"""Murphi texts as sequential models."""
