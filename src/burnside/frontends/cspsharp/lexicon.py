"""The words and signs of CSP# texts."""

from __future__ import annotations

from typing import Final

from burnside.source import Lexicon

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

LEXICON: Final = Lexicon(keywords=KEYWORDS, symbols=SYMBOLS)
