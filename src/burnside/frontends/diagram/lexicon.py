"""The words and signs of ``.diagram`` texts."""

from __future__ import annotations

from typing import Final

from burnside.frontends.kit.operators import Joining, OperatorTable
from burnside.source import Lexicon

DECLARATIONS: Final = ("const", "process", "classes", "class", "local", "shared", "initial", "edge", "error")

KEYWORDS: Final = frozenset(
    (
        *DECLARATIONS,
        *("when", "do", "partition", "bool", "in", "true", "false"),
        *("forall", "exists", "count", "sum", "len"),
    )
)

SYMBOLS: Final = (
    *("=>", "||", "&&", "!", "==", "!=", "<", "<=", ">", ">=", "->"),
    *("|", "+", "-", "*"),
    *("(", ")", "[", "]", "{", "}", ",", ";", ":", ":=", "=", ".."),
)

# '!' negates a whole comparison.
OPERATORS: Final = OperatorTable(
    (Joining.RIGHT, "=>"),
    (Joining.MANY, "||"),
    (Joining.MANY, "&&"),
    (Joining.PREFIX, "!"),
    (Joining.ONCE, "== != < <= > >= in"),
    (Joining.LEFT, "+ -"),
    (Joining.LEFT, "*"),
    (Joining.PREFIX, "-"),
)

LEXICON: Final = Lexicon(keywords=KEYWORDS, symbols=SYMBOLS)
