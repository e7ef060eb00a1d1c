"""Exploring the states of a model: a plain reference search and a native one."""
