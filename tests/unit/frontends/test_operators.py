"""One precedence climber for all languages: what its table says is what it does."""

from __future__ import annotations

import pytest

from burnside.frontends.kit.operators import Joining, OperatorParser, OperatorTable
from burnside.frontends.seq.lexicon import OPERATORS
from burnside.ir import printer
from burnside.source import Diagnostics, Lexicon, ReadingStop, Source, SyntaxStop, TokenStream

LEXICON = Lexicon(keywords=("is",), symbols=("=>", "&&", "==", "<", "+", "-", "*", "!", "~", ";", "(", ")", "=", "#"))
TABLE = OperatorTable(
    (Joining.RIGHT, "=>"),
    (Joining.MANY, "&&"),
    (Joining.PREFIX, "!"),
    (Joining.ONCE, "== <"),
    (Joining.LEFT, "is"),
    (Joining.LEFT, "+ -"),
    (Joining.SUFFIX, "#"),
    (Joining.NESTED, ";"),
    (Joining.PREFIX, "~"),
    foreign={"=": ("==", "'==' compares"), "and": ("&&", "write '&&'")},
    spelled={"minus": "-"},
)


def read(text: str) -> tuple[str, list[str]]:
    """A text with all its parentheses, and what is wrong with it."""
    diagnostics = Diagnostics()
    stream = TokenStream(LEXICON, Source("text", text), diagnostics)

    def operand() -> str:
        if stream.accept("("):
            inside = parser.parse()
            stream.expect(")")
            return inside
        return stream.expect("name", "an operand").text

    parser: OperatorParser[str] = OperatorParser(
        TABLE,
        stream,
        operand=operand,
        join=lambda signs, parts, _: f"({parts[0]}{''.join(map(''.join, zip(signs, parts[1:], strict=True)))})",
        prefix=lambda sign, part, _: f"({sign}{part})",
        tails={"is": lambda left: f"({left} is {stream.expect('name').text})", "#": lambda left: f"({left}#)"},
    )
    try:
        return parser.parse(), [d.message for d in diagnostics]
    except (SyntaxStop, ReadingStop):
        return "", [d.message for d in diagnostics]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", "a"),
        ("a + b - c", "((a+b)-c)"),
        ("a => b => c", "(a=>(b=>c))"),
        ("a && b && c", "(a&&b&&c)"),
        ("(a && b) && c", "((a&&b)&&c)"),
        ("a ; b ; c + d", "((a;b;c)+d)"),
        ("! a == b && c", "((!(a==b))&&c)"),
        ("~ a + b", "((~a)+b)"),
        ("a + b == c => d", "(((a+b)==c)=>d)"),
        ("a minus b", "(a-b)"),
        ("a is t == b", "((a is t)==b)"),
        ("a # ; b", "((a#);b)"),
    ],
)
def test_operators_join_as_the_table_says(text: str, expected: str) -> None:
    assert read(text) == (expected, [])


@pytest.mark.parametrize(
    ("text", "expected", "messages"),
    [
        ("a == b < c", "((a==b)<c)", ["comparisons do not chain"]),
        ("a = b", "(a==b)", ["expected '==', found '='"]),
        ("a and b", "(a&&b)", ["expected '&&', found 'and'"]),
        ("a +", "", ["expected an operand, found the end of the file"]),
        ("a + " * 200 + "a", "", ["nested more than 150 levels deep"]),
        ("a ; " * 200 + "a", "", ["nested more than 150 levels deep"]),
        ("(" * 200 + "a", "", ["nested more than 150 levels deep"]),
    ],
)
def test_what_is_wrong_is_said(text: str, expected: str, messages: list[str]) -> None:
    assert read(text) == (expected, messages)


def test_a_row_of_many_has_no_depth() -> None:
    text, messages = read(" && ".join(["a"] * 5_000))

    assert messages == []
    assert text.count("a") == 5_000


def test_what_follows_a_tail_is_not_drawn_into_it() -> None:
    """``a is t + b`` means nothing: the type is no operand of ``+``, and what is asked is no number."""
    assert read("(a is t + b)") == ("", ["expected ')', found '+'"])


def test_models_are_printed_by_the_levels_they_are_read_by() -> None:
    assert printer.LEVELS.items() <= OPERATORS.levels.items()
    # What is left is gone once a text has been read, sets are arrays; but for 'as', which has no second operand.
    assert OPERATORS.levels.keys() - printer.LEVELS.keys() == {
        *("in", "not in", "subset", "is", "union", "minus", "intersect"),
        "as",
    }
    assert OPERATORS.levels["as"] == printer.CHECK
    assert OPERATORS.prefixes == {"!": printer.NEGATION, "-": printer.SIGN}
