"""The words and signs of CSP# texts."""

from __future__ import annotations

from typing import Final

from burnside.frontends.kit.operators import Joining, OperatorTable
from burnside.source import Lexicon

# Operators of formulas that other tools spell so.
LETTERS: Final = {"G": "[]", "F": "<>", "V": "R"}

KEYWORDS: Final = (
    *("var", "channel", "enum", "hvar"),
    *("Stop", "Skip", "atomic", "interrupt", "if", "else", "ifa", "ifb", "case", "default", "assert"),
    *("while", "call", "true", "false", "xor"),
)

SYMBOLS: Final = (
    *("#", "|||", "||", "[]", "[*]", "<>", "->", "\\", ";", "@", "$"),
    *("&&", "!", "==", "!=", "<", "<=", ">", ">=", "|", "^", "&", "+", "-", "*", "/", "%"),
    *("=", "++", "--", "+=", "-=", "*=", "/=", "|=", "<->"),
    *("(", ")", "[", "]", "{", "}", ",", ":", ".", "..", "?"),
)

# In expressions.
OPERATORS: Final = OperatorTable(
    (Joining.MANY, "||"),
    (Joining.LEFT, "xor"),
    (Joining.MANY, "&&"),
    (Joining.LEFT, "== !="),
    (Joining.LEFT, "< <= > >="),
    (Joining.LEFT, "|"),
    (Joining.LEFT, "^"),
    (Joining.LEFT, "&"),
    (Joining.LEFT, "+ -"),
    (Joining.LEFT, "* / %"),
    (Joining.PREFIX, "! -"),
)

# Between processes; terms nest what follows one another.
COMPOSITIONS: Final = OperatorTable(
    (Joining.MANY, "|||"),
    (Joining.MANY, "||"),
    (Joining.MANY, "<>"),
    (Joining.MANY, "[*]"),
    (Joining.MANY, "[]"),
    (Joining.LEFT, "interrupt"),
    (Joining.SUFFIX, "\\"),
    (Joining.NESTED, ";"),
)

# In formulas; letters are names elsewhere.
TEMPORAL: Final = OperatorTable(
    (Joining.LEFT, "<->"),
    (Joining.RIGHT, "->"),
    (Joining.LEFT, "||"),
    (Joining.LEFT, "xor"),
    (Joining.LEFT, "&&"),
    (Joining.RIGHT, "U R"),
    (Joining.PREFIX, "! [] <> X"),
    spelled=LETTERS,
)

LEXICON: Final = Lexicon(keywords=KEYWORDS, symbols=SYMBOLS)
