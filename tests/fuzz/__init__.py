"""Damaged texts in every language, and what commands make of them."""
