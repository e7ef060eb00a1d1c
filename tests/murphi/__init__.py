"""Murphi: an interpreter of its own, random texts, and what other tools say."""
