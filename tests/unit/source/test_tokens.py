"""Texts become tokens in one pass, whatever is in them."""

from __future__ import annotations

import time

import pytest

from burnside.source import Source
from burnside.source.diagnostic import Diagnostics
from burnside.source.tokens import Lexicon, ReadingStop, SyntaxStop, TokenStream

LEXICON = Lexicon(keywords=("if",), symbols=(":", ":=", "/", "}"))


def scan(text: str) -> tuple[list[str], list[str]]:
    """The texts of the tokens, and the messages."""
    diagnostics = Diagnostics()
    tokens = list(LEXICON.scan(Source("text", text), diagnostics))
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
    stream = TokenStream(LEXICON, Source("text", "} a " * 100), diagnostics)
    for stop in (SyntaxStop, SyntaxStop, ReadingStop):
        with pytest.raises(stop):
            stream.fail("something else")
        stream.advance()
        stream.advance()

    assert len(diagnostics) == 3


def test_what_follows_a_mistake_at_once_is_no_other_mistake():
    diagnostics = Diagnostics()
    stream = TokenStream(LEXICON, Source("text", "a b c d"), diagnostics)
    diagnostics.error("BUR201", "'a' is not known here", stream.advance().span)

    with pytest.raises(SyntaxStop):
        stream.fail("something else")  # at b
    stream.advance()
    stream.advance()
    with pytest.raises(SyntaxStop):
        stream.fail("something else")  # at d

    assert [d.code for d in diagnostics] == ["BUR201", "BUR102"]


def test_tokens_are_made_when_they_are_looked_at():
    """What nobody reads is not looked at: a bad character far behind is no news yet."""
    diagnostics = Diagnostics()
    stream = TokenStream(LEXICON, Source("text", "a b ?"), diagnostics)

    assert (stream.advance().text, stream.peek_kinds(1), len(diagnostics)) == ("a", ["name"], 0)
    assert (stream.peek_kinds(5), len(diagnostics)) == (["name", "end"], 1)
    assert [token.text for token in stream.ahead()] == ["b", ""]
    assert (stream.previous.text, stream.count) == ("a", 1)


@pytest.mark.parametrize("bracket", ["(", "[", "{ a", "( ] ) ((" * 5])
def test_brackets_nested_too_deeply_end_the_text(bracket):
    """Whoever reads on, or only looks ahead, is stopped; nothing of the rest is looked at."""
    lexicon = Lexicon(keywords=(), symbols=("(", ")", "[", "]", "{", "}"))
    diagnostics = Diagnostics()
    stream = TokenStream(lexicon, Source("text", bracket * 2_000 + "?"), diagnostics)

    with pytest.raises(ReadingStop):
        stream.peek_kinds(10_000)

    assert [d.code for d in diagnostics] == ["BUR104"]


def test_brackets_that_are_closed_do_not_add_up():
    lexicon = Lexicon(keywords=(), symbols=("(", ")"))

    assert sum(1 for _ in lexicon.scan(Source("text", ")" * 9 + "(()" * 100 + ")()" * 500), Diagnostics())) == 1_810
