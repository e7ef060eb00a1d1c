"""Deciding claims: one module for each way of doing it."""
