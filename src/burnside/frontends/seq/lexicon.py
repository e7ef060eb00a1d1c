"""The words and signs of ``.seq`` texts."""

from __future__ import annotations

from typing import Final

from burnside.frontends.kit.operators import Joining, OperatorTable
from burnside.ir.printer import KEYWORDS
from burnside.source import Lexicon

# Declarations of names that others may use.
REFERABLE: Final = ("const", "process", "domain", "record", "union", "var", "def", "procedure")

SYMBOLS: Final = (
    *("=>", "<=>", "||", "&&", "!", "==", "!=", "<", "<=", ">", ">="),
    *("|", "^", "&", "+", "-", "*", "/", "%"),
    *("(", ")", "[", "]", "{", "}", ",", ";", ":", ":=", "=", ".", "..", "?"),
    # Known only to be refused with a remedy; nothing that is right holds them.
    *("->", "++", "+=", "-=", "*=", "'", "∀", "∃", "\\A", "\\E"),
    *("/\\", "\\/", "∧", "∨", "¬", "~", "≠", "≤", "≥", "∈", "\\in", "∪", "\\cup", "∩", "\\cap", "⊆", "\\subseteq"),
)

# Operators of other languages, each with the one that is meant, and a remedy.
_CONNECTIVES: Final = "'&&' is and, '||' is or, '!' is not"
_OF_SETS: Final = "operators of sets are 'in', 'not in', 'subset', 'union', 'intersect' and 'minus'"
_ORDER: Final = "comparisons are ==, !=, <, <=, > and >="
FOREIGN: Final = {
    "=": ("==", "'==' compares"),
    "->": ("=>", "write '=>' for implication"),
    "and": ("&&", _CONNECTIVES),
    "or": ("||", _CONNECTIVES),
    "not": ("!", _CONNECTIVES),
    **dict.fromkeys(("/\\", "∧"), ("&&", _CONNECTIVES)),
    **dict.fromkeys(("\\/", "∨"), ("||", _CONNECTIVES)),
    **dict.fromkeys(("¬", "~"), ("!", _CONNECTIVES)),
    **dict.fromkeys(("∈", "\\in"), ("in", _OF_SETS)),
    **dict.fromkeys(("∪", "\\cup"), ("union", _OF_SETS)),
    **dict.fromkeys(("∩", "\\cap"), ("intersect", _OF_SETS)),
    **dict.fromkeys(("⊆", "\\subseteq"), ("subset", _OF_SETS)),
    "≠": ("!=", _ORDER),
    "≤": ("<=", _ORDER),
    "≥": (">=", _ORDER),
}

# The printer writes by the same levels. '!' negates a whole comparison.
OPERATORS: Final = OperatorTable(
    (Joining.LEFT, "<=>"),
    (Joining.RIGHT, "=>"),
    (Joining.MANY, "||"),
    (Joining.MANY, "&&"),
    (Joining.PREFIX, "!"),
    (Joining.ONCE, "== != < <= > >= in subset is"),
    (Joining.LEFT, "|"),
    (Joining.LEFT, "^"),
    (Joining.LEFT, "&"),
    (Joining.LEFT, "+ - union minus"),
    (Joining.LEFT, "* / % intersect"),
    (Joining.PREFIX, "-"),
    (Joining.SUFFIX, "as"),
    foreign=FOREIGN,
    negated=("not", ("in",)),
)

# A part of a formula without temporal operators is one condition.
TEMPORAL: Final = OperatorTable(
    (Joining.LEFT, "<=>"),
    (Joining.RIGHT, "=>"),
    (Joining.LEFT, "||"),
    (Joining.LEFT, "&&"),
    (Joining.RIGHT, "U R W"),
    (Joining.PREFIX, "! [] <> X"),
    foreign=FOREIGN,
)

# A name in backquotes may be a keyword or hold any characters: models that come from other languages need it.
LEXICON: Final = Lexicon(keywords=KEYWORDS, symbols=SYMBOLS, extra=r"(?P<quoted>`[^`\n]+`)")
