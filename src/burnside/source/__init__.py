"""Texts, places in them, and what there is to say about them."""

from burnside.source.allow import is_allowed
from burnside.source.diagnostic import Diagnostic, Diagnostics, ModelError, Note, Severity
from burnside.source.render import printable, render
from burnside.source.suggest import did_you_mean
from burnside.source.text import Source, Span
from burnside.source.tokens import DEEPEST, Lexicon, ReadingStop, SyntaxStop, Token, TokenStream

__all__ = [
    "DEEPEST",
    "Diagnostic",
    "Diagnostics",
    "Lexicon",
    "ModelError",
    "Note",
    "ReadingStop",
    "Severity",
    "Source",
    "Span",
    "SyntaxStop",
    "Token",
    "TokenStream",
    "did_you_mean",
    "is_allowed",
    "printable",
    "render",
]
