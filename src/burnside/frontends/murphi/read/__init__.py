"""Murphi texts as trees."""
