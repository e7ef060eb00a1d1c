"""Texts become tokens in one pass, whatever is in them."""

from __future__ import annotations

import time

import pytest

from burnside.source import Source
from burnside.source.diagnostic import Diagnostics
from burnside.source.tokens import Lexicon, SyntaxStop, TokenStream

LEXICON = Lexicon(keywords=("if",), symbols=(":", ":=", "/", "}"))


def scan(text: str) -> tuple[list[str], list[str]]:
    """The texts of the tokens, and the messages."""
    diagnostics = Diagnostics()
    tokens = LEXICON.scan(Source("text", text), diagnostics)
    return [token.text for token in tokens[:-1]], [d.message for d in diagnostics]


@pytest.mark.parametrize(
    ("text", "tokens", "messages"),
    [
        (r'"a\"b" c', [r'"a\"b"', "c"], []),
        ('"" c', ['""', "c"], []),
        ('"a\nb', ["b"], ["this text has no end"]),
        ('"a\\\nb', ["b"], ["this text has no end"]),
        (r'"a\"', [], ["this text has no end"]),
        ('"a\\', [], ["this text has no end"]),
        ("a /* b", ["a"], ["this comment has no end"]),
        ('a /* " */ b // "', ["a", "b"], []),
    ],
)
def test_texts_and_comments_end_where_they_should(text, tokens, messages):
    """A text ends on its line; without an end, the next line is read as usual."""
    assert scan(text) == (tokens, messages)


@pytest.mark.parametrize("unit", ['"\\', '"', '\\"', "?", '"a\n', "/ *", '"\\\n'])
def test_time_is_linear(unit):
    """Each of these took minutes once, or would with a pattern that tries again at every quote."""
    start = time.process_time()
    scan(unit * (400_000 // len(unit)))

    assert time.process_time() - start < 10


def test_nobody_looks_for_more_errors_than_are_shown():
    """A parser that recovers again and again comes to an end."""
    diagnostics = Diagnostics(limit=3)
    stream = TokenStream(LEXICON, Source("text", "}" * 100), diagnostics)
    steps = 0
    while not stream.at("end"):
        steps += 1
        with pytest.raises(SyntaxStop):
            stream.fail("something else")
        stream.advance()

    assert (steps, len(diagnostics)) == (3, 3)
