"""Tokens and a stream of them, shared by every hand-written parser.

A front end describes its lexical grammar by a `Lexicon`; the stream offers what a recursive-descent
parser needs: look-ahead, ``accept``, ``expect`` with a diagnostic that says what was expected, and
``skip_to`` for recovery, so that one run reports several errors.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final, NoReturn, final

from burnside.source.diagnostic import Diagnostics
from burnside.source.text import Source, Span

# How deep anything may be nested: later stages recurse over it, with several frames for a level.
DEEPEST: Final = 150


@final
@dataclass(frozen=True, slots=True)
class Token:
    """A lexical unit: ``kind`` is ``name``, ``number``, ``string``, ``end`` or the keyword or symbol itself."""

    kind: str
    text: str
    span: Span

    def describe(self) -> str:
        """How messages speak of this token."""
        return "the end of the file" if self.kind == "end" else f"'{self.text}'"


class SyntaxStop(Exception):
    """Raised after a syntax error has been recorded; caught where the parser can recover."""


@final
class Lexicon:
    """The lexical grammar of a language.

    Comments are ``//`` to the end of the line and ``/* */``; names are letters, digits and underscores
    (any alphabet), strings are double-quoted with backslash escapes.
    """

    def __init__(self, *, keywords: Iterable[str], symbols: Iterable[str], extra: str = "") -> None:
        self.keywords = frozenset(keywords)
        # Longest first, or ":" would win over ":=".
        by_length = sorted(set(symbols), key=lambda s: (-len(s), s))
        parts = [
            r"(?P<space>\s+|//[^\n]*|/\*(?s:.*?)\*/)",
            *([extra] if extra else []),
            r"(?P<number>\d+)",
            r"(?P<name>[^\W\d]\w*)",
            # Possessive, and what has no end is taken up to the end of its line: or every quote of a long line would be
            # the beginning of another attempt to reach its end.
            r"(?P<string>\"(?:[^\"\\\n]|\\.)*+\")",
            r"(?P<open>/\*|\"(?:[^\"\\\n]|\\.)*+\\?)",
            f"(?P<symbol>{'|'.join(map(re.escape, by_length))})",
        ]
        self.pattern = re.compile("|".join(parts))

    def scan(self, source: Source, diagnostics: Diagnostics) -> list[Token]:
        """All tokens of a source, closed by an ``end`` token. Bad characters are reported and skipped."""
        tokens: list[Token] = []
        text, position, size = source.text, 0, len(source.text)
        match_at = self.pattern.match
        while position < size:
            match = match_at(text, position)
            if match is None:
                span = Span(source, position, position + 1)
                diagnostics.error("BUR101", f"unexpected character {text[position]!r}", span)
                position = size if diagnostics.is_full else position + 1
                continue
            kind = match.lastgroup or ""
            start, position = position, match.end()
            if kind == "space":
                continue
            span = Span(source, start, position)
            if kind == "open":
                what = "comment" if match.group().startswith("/*") else "text"
                diagnostics.error("BUR103", f"this {what} has no end", span)
                # Nothing after an open comment can be trusted to be code.
                position = size if what == "comment" else position
                continue
            word = match.group()
            if kind == "symbol" or (kind == "name" and word in self.keywords):
                kind = word
            tokens.append(Token(kind, word, span))
        tokens.append(Token("end", "", Span(source, size, size)))
        return tokens


@final
class TokenStream:
    """A cursor over the tokens of one source."""

    def __init__(self, lexicon: Lexicon, source: Source, diagnostics: Diagnostics) -> None:
        self.diagnostics = diagnostics
        self._tokens = lexicon.scan(source, diagnostics)
        self._next = 0
        self.depth = 0  # levels of nesting around the cursor

    @property
    def count(self) -> int:
        """How many tokens have been read."""
        return self._next

    @property
    def peek(self) -> Token:
        """The token to be read next."""
        return self._tokens[self._next]

    def peek_kinds(self, count: int) -> list[str]:
        """The kinds of the next ``count`` tokens."""
        return [t.kind for t in self._tokens[self._next : self._next + count]]

    def ahead(self) -> Iterator[Token]:
        """The tokens to be read, in order."""
        return islice(self._tokens, self._next, None)

    @property
    def previous(self) -> Token:
        """The token read last."""
        return self._tokens[max(0, self._next - 1)]

    def at(self, *kinds: str) -> bool:
        """Whether the next token is one of ``kinds``."""
        return self._tokens[self._next].kind in kinds

    def advance(self) -> Token:
        """Read a token; the end token is never passed."""
        token = self._tokens[self._next]
        if token.kind != "end":
            self._next += 1
        return token

    def accept(self, *kinds: str) -> Token | None:
        """Read the next token if it is one of ``kinds``."""
        return self.advance() if self._tokens[self._next].kind in kinds else None

    def expect(self, kind: str, what: str = "") -> Token:
        """Read a token of this kind, or report what was expected instead."""
        if self._tokens[self._next].kind != kind:
            self.fail(
                what or {"name": "a name", "number": "a number", "string": "a text in quotes"}.get(kind, f"'{kind}'")
            )
        return self.advance()

    def fail(self, expected: str, *, help: str = "") -> NoReturn:
        """Report the next token as unexpected and stop this part of the parse."""
        token = self.peek
        self.diagnostics.error("BUR102", f"expected {expected}, found {token.describe()}", token.span, help=help)
        if self.diagnostics.is_full:
            self._next = len(self._tokens) - 1  # nobody would hear of what is wrong with the rest
        raise SyntaxStop

    def skip_to(self, *kinds: str) -> None:
        """Drop tokens until one of ``kinds`` (or the end) is next: recovery after an error."""
        while not self.at("end", *kinds):
            self.advance()

    def enter(self) -> None:
        """Note one more level of nesting; too many are an error, since later stages recurse over the tree."""
        self.depth += 1
        if self.depth > DEEPEST:
            self.too_deep(self.peek.span)

    def too_deep(self, span: Span | None) -> NoReturn:
        """Report nesting that later stages could not walk."""
        message = f"nested more than {DEEPEST} levels deep"
        self.diagnostics.error("BUR104", message, span, help="split it into smaller parts")
        raise SyntaxStop

    def leave(self, levels: int = 1) -> None:
        """Note the end of levels of nesting."""
        self.depth -= levels

    def restart(self, depth: int = 0) -> None:
        """Forget the nesting inside the level at which the parser recovers."""
        self.depth = depth
