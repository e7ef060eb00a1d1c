"""Reads Rebeca texts and property files into trees."""
