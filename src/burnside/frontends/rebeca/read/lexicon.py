"""The words and signs of Rebeca texts and of property files."""

from __future__ import annotations

from typing import Final

from burnside.frontends.kit.operators import Joining, OperatorTable
from burnside.source import Lexicon

PRIMITIVE: Final = ("boolean", "byte", "short", "int", "void")

KEYWORDS: Final = (
    *PRIMITIVE,
    *("reactiveclass", "interface", "abstract", "extends", "implements", "env", "main"),
    *("knownrebecs", "knownobjects", "statevars", "msgsrv"),
    *("if", "else", "while", "do", "for", "switch", "case", "default", "return", "break", "continue"),
    *("true", "false", "null", "self", "sender", "new", "instanceof"),
)

SYMBOLS: Final = (
    *("||", "&&", "!", "==", "!=", "<", "<=", ">", ">=", "|", "^", "&", "<<", ">>", "+", "-", "*", "/", "%", "~"),
    *("=", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="),
    *("(", ")", "[", "]", "{", "}", ",", ":", ";", ".", "?", "@", "->"),
)

ASSIGNMENTS: Final = ("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=")

# '?' has two alternatives behind it; '->' stands in property files.
OPERATORS: Final = OperatorTable(
    (Joining.RIGHT, " ".join(ASSIGNMENTS)),
    (Joining.LEFT, "?"),
    (Joining.RIGHT, "->"),
    (Joining.LEFT, "||"),
    (Joining.LEFT, "&&"),
    (Joining.LEFT, "|"),
    (Joining.LEFT, "^"),
    (Joining.LEFT, "&"),
    (Joining.LEFT, "== !="),
    (Joining.LEFT, "< <= > >= instanceof"),
    (Joining.LEFT, "<< >>"),
    (Joining.LEFT, "+ -"),
    (Joining.LEFT, "* / %"),
    (Joining.PREFIX, "! - + ~ ++ --"),
)

LEXICON: Final = Lexicon(keywords=KEYWORDS, symbols=SYMBOLS)

# Operators of formulas in property files; names elsewhere.
TEMPORAL: Final = ("G", "F", "X", "U", "W", "R")

# What Timed Rebeca adds to the language; a model that uses it has a meaning that this front end does not have.
TIMED: Final = frozenset({"after", "deadline", "delay", "now", "getNow", "getAllowedTime"})
