"""Reads CSP# texts into trees."""
