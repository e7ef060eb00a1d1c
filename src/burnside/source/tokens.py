"""Tokens and a stream of them, shared by every hand-written parser.

A front end describes its lexical grammar by a `Lexicon`; the stream offers what a recursive-descent
parser needs: look-ahead, ``accept``, ``expect`` with a diagnostic that says what was expected, and
``skip_to`` for recovery, so that one run reports several errors.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Final, NoReturn, final

from burnside.source.diagnostic import Diagnostics
from burnside.source.text import Source, Span
from burnside.values import dataclass

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


class ReadingStop(Exception):
    """Raised after an error that ends the reading of a text: nothing behind it could be trusted, or even looked at."""


_OPENING: Final = frozenset("([{")
_CLOSING: Final = frozenset(")]}")


@final
class Lexicon:
    """The lexical grammar of a language.

    Comments are ``comment`` to the end of the line and ``/* */``; names are letters, digits and underscores
    (any alphabet), strings are double-quoted with backslash escapes. ``spelled`` has other spellings of symbols, and
    symbols for keywords; keywords may have kinds of other names, and if the language is ``caseless``, be in capitals.
    """

    def __init__(
        self,
        *,
        keywords: Iterable[str] | Mapping[str, str],
        symbols: Iterable[str],
        extra: str = "",
        comment: str = "//",
        spelled: Mapping[str, str] | None = None,
        caseless: bool = False,
    ) -> None:
        self.keywords = dict(keywords) if isinstance(keywords, Mapping) else {word: word for word in keywords}
        self._spelled = dict(spelled or {})
        self._caseless = caseless
        # Longest first, or ":" would win over ":=".
        by_length = sorted({*symbols, *self._spelled}, key=lambda s: (-len(s), s))
        parts = [
            rf"(?P<space>\s+|{re.escape(comment)}[^\n]*|/\*(?s:.*?)\*/)",
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

    def scan(self, source: Source, diagnostics: Diagnostics) -> Iterator[Token]:
        """All tokens of a source as they are asked for, closed by an ``end`` token.

        Bad characters are reported and skipped; brackets that are nested too deeply end the text with `ReadingStop`.
        """
        text, position, size = source.text, 0, len(source.text)
        match_at = self.pattern.match
        depth = 0
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
            if kind == "symbol":
                kind = self._spelled.get(word, word)
                depth += (word in _OPENING) - (word in _CLOSING)
                if depth > DEEPEST:
                    refuse_nesting(span, diagnostics)
                depth = max(depth, 0)
            elif kind == "name" and (folded := word.lower() if self._caseless else word) in self.keywords:
                kind = self.keywords[folded]
            yield Token(kind, word, span)
        yield Token("end", "", Span(source, size, size))


def refuse_nesting(span: Span | None, diagnostics: Diagnostics) -> NoReturn:
    """Report nesting that later stages could not walk."""
    message = f"nested more than {DEEPEST} levels deep"
    diagnostics.error("BUR104", message, span, help="split it into smaller parts")
    raise ReadingStop


@final
class TokenStream:
    """A cursor over the tokens of one source, which are made when somebody looks at them."""

    def __init__(self, lexicon: Lexicon, source: Source, diagnostics: Diagnostics) -> None:
        self.source = source
        self.diagnostics = diagnostics
        self.depth = 0  # levels of nesting around the cursor
        self.count = 0  # how many tokens have been read
        self.braces = 0  # how many braces are open at the cursor
        self._coming = lexicon.scan(source, diagnostics)
        self._seen: deque[Token] = deque()  # made, but not read
        self.peek = next(self._coming)  # the token to be read next
        self.previous = self.peek  # the token read last

    def peek_kinds(self, count: int) -> list[str]:
        """The kinds of the next ``count`` tokens; fewer at the end."""
        seen = self._seen
        while len(seen) < count - 1 and (token := next(self._coming, None)) is not None:
            seen.append(token)
        return [self.peek.kind, *(token.kind for token in islice(seen, count - 1))]

    def ahead(self) -> Iterator[Token]:
        """The tokens to be read, in order."""
        yield self.peek
        position = 0
        while True:
            if position == len(self._seen):
                coming = next(self._coming, None)
                if coming is None:
                    return
                self._seen.append(coming)
            yield self._seen[position]
            position += 1

    def at(self, *kinds: str) -> bool:
        """Whether the next token is one of ``kinds``."""
        return self.peek.kind in kinds

    def advance(self) -> Token:
        """Read a token; the end token is never passed."""
        token = self.peek
        if token.kind != "end":
            self.peek = self._seen.popleft() if self._seen else next(self._coming)
            self.previous = token
            self.count += 1
            self.braces += (token.kind == "{") - (token.kind == "}")
        return token

    def accept(self, *kinds: str) -> Token | None:
        """Read the next token if it is one of ``kinds``."""
        return self.advance() if self.peek.kind in kinds else None

    def expect(self, kind: str, what: str = "") -> Token:
        """Read a token of this kind, or report what was expected instead."""
        if self.peek.kind != kind:
            self.fail(
                what or {"name": "a name", "number": "a number", "string": "a text in quotes"}.get(kind, f"'{kind}'")
            )
        return self.advance()

    def fail(self, expected: str, *, help: str = "") -> NoReturn:
        """Report the next token as unexpected and stop this part of the parse.

        Nothing is said of what follows something wrong at once: a word that means nothing explains what is behind it.
        """
        token, last = self.peek, self.diagnostics.last_error
        before = last.span if last is not None and last.span != token.span else None
        if before is None or not self.previous.span.start < before.end <= token.span.start:
            self.diagnostics.error("BUR102", f"expected {expected}, found {token.describe()}", token.span, help=help)
        if self.diagnostics.is_full:
            raise ReadingStop  # nobody would hear of what is wrong with the rest
        raise SyntaxStop

    def skip_to(self, *kinds: str) -> None:
        """Drop tokens until one of ``kinds`` (or the end) is next: recovery after an error."""
        while not self.at("end", *kinds):
            self.advance()

    def enter(self) -> None:
        """Note one more level of nesting; too many end the reading, since later stages recurse over the tree."""
        self.depth += 1
        if self.depth > DEEPEST:
            self.too_deep(self.peek.span)

    def too_deep(self, span: Span | None) -> NoReturn:
        """Report nesting that later stages could not walk."""
        refuse_nesting(span, self.diagnostics)

    def leave(self, levels: int = 1) -> None:
        """Note the end of levels of nesting."""
        self.depth -= levels

    def restart(self, depth: int = 0) -> None:
        """Forget the nesting inside the level at which the parser recovers."""
        self.depth = depth
