"""The words and signs of Murphi texts, and how tightly operators bind.

Both dialects are read: CMurphi's and Rumur's, which has more operators, and some of them in Unicode.
"""

from __future__ import annotations

from typing import Final

from burnside.frontends.kit.operators import Joining, OperatorTable
from burnside.source import Lexicon

# What closes a block, beside ``end``.
CLOSING: Final = {
    "record": ("endrecord",),
    "rule": ("endrule",),
    "startstate": ("endstartstate",),
    "ruleset": ("endruleset",),
    "choose": ("endchoose",),
    "alias": ("endalias",),
    "function": ("endfunction", "endprocedure"),
    "procedure": ("endprocedure", "endfunction"),
    "if": ("endif",),
    "switch": ("endswitch",),
    "for": ("endfor",),
    "while": ("endwhile",),
    "forall": ("endforall",),
    "exists": ("endexists",),
}
END: Final = "END"  # the kind of the word 'end': "end" is that of the end of the file
ENDS: Final = (END, *dict.fromkeys(word for words in CLOSING.values() for word in words))

DECLARATIONS: Final = ("const", "type", "var")
ROUTINES: Final = ("function", "procedure", "externfun", "externproc")
PROPERTIES: Final = ("invariant", "assert", "assume", "cover", "liveness")
RULES: Final = ("rule", "startstate", "ruleset", "choose", "alias", *PROPERTIES)
STATEMENTS: Final = (
    *("if", "switch", "for", "while", "alias", "return", "clear", "undefine", "error", "put"),
    *("multisetadd", "multisetremove", "multisetremovepred", *PROPERTIES),
)

KEYWORDS: Final = (
    *ENDS[1:],
    *DECLARATIONS,
    *ROUTINES,
    *RULES,
    *STATEMENTS,
    *("begin", "then", "elsif", "else", "case", "do", "to", "by", "of", "pctl"),
    *("boolean", "enum", "record", "array", "scalarset", "union", "multiset", "interleaved", "real"),
    *("forall", "exists", "isundefined", "ismember", "undefined", "multisetcount", "true", "false"),
)

SYMBOLS: Final = (
    *("->", "==>", "||", "&&", "|", "^", "&", "!", "<", "<=", "=", "==", "!=", ">=", ">", "<<", ">>"),
    *("+", "-", "*", "/", "%", "~", "?", ":", ":=", ";", ",", ".", "..", "(", ")", "[", "]", "{", "}"),
)

_SPELLED: Final = {
    "∀": "forall",
    "∃": "exists",
    "≔": ":=",
    "≥": ">=",
    "≤": "<=",
    "≠": "!=",
    "→": "->",
    "⇒": "==>",
    "¬": "!",
    "∧": "&&",
    "∨": "||",
    "÷": "/",
    "∕": "/",
    "−": "-",
    "×": "*",
    "==": "=",
}

LEXICON: Final = Lexicon(
    keywords={**{word: word for word in KEYWORDS}, "end": END},
    symbols=SYMBOLS,
    spelled=_SPELLED,
    caseless=True,
    comment="--",
    extra=r"(?P<hexadecimal>0[xX][0-9a-fA-F]+)|(?P<fraction>\d*\.\d+(?:[eE][+-]?\d+)?)"
    r"|(?P<quoted>“(?:[^“”\\\n]|\\.)*+”)",
)

OPERATORS: Final = OperatorTable(
    (Joining.LEFT, "?"),
    (Joining.ONCE, "->"),
    (Joining.MANY, "||"),
    (Joining.MANY, "&&"),
    (Joining.MANY, "|"),
    (Joining.LEFT, "^"),
    (Joining.MANY, "&"),
    (Joining.PREFIX, "!"),
    (Joining.ONCE, "< <= = != >= >"),
    (Joining.LEFT, "<< >>"),
    (Joining.LEFT, "+ -"),
    (Joining.LEFT, "* / %"),
    (Joining.PREFIX, "+ -"),
    (Joining.PREFIX, "~"),
)
