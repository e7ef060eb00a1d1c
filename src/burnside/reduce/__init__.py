"""Canonical forms of states under a validated group."""
