"""The words and signs of ``.diagram`` texts."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

from burnside.frontends.kit.operators import Joining, OperatorTable
from burnside.source import Lexicon

Declaration: TypeAlias = Literal["const", "process", "classes", "class", "local", "shared", "initial", "edge", "error"]
DECLARATIONS: Final[tuple[Declaration, ...]] = get_args(Declaration)

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
