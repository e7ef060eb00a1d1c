"""Tests of the CSP# front end."""
