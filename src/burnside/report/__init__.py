"""Renderings of answers; `renderers` says which function shows which."""
