"""The cursor that all parts of a parser share, and declarations one after the other with recovery."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TypeVar

from burnside.source import Diagnostic, Note, ReadingStop, Span, SyntaxStop, TokenStream, did_you_mean

T = TypeVar("T")
Word = TypeVar("Word", bound=str)


class Reader:
    """Tokens of one text; ``failed`` says whether the declaration that is being read is wrong in some way, so that it
    is left out of what follows. ``beginnings`` are words that nothing but declarations begin with.
    """

    def __init__(self, stream: TokenStream, beginnings: Collection[str] = ()) -> None:
        self.stream = stream
        self.source = stream.source
        self.diagnostics = stream.diagnostics
        self.failed = False
        self.first = stream.peek  # the word that the declaration begins with
        self._level = 0  # braces around it
        self._beginnings = beginnings

    def error(self, code: str, message: str, span: Span | None, *, help: str = "", notes: Iterable[Note] = ()) -> None:
        """Record an error; the declaration that holds it is left out."""
        self.failed = True
        self.diagnostics.error(code, message, span, help=help, notes=notes)

    def report(self, diagnostic: Diagnostic) -> None:
        """Record an error that has been put into words elsewhere."""
        self.failed = True
        self.diagnostics.add(diagnostic)

    def stop(self, code: str, message: str, span: Span | None, *, help: str = "") -> SyntaxStop:
        """Record an error after which the declaration makes no sense, for ``raise``."""
        self.error(code, message, span, help=help)
        return SyntaxStop()

    def span_from(self, start: Span) -> Span:
        """From ``start`` to the token read last."""
        return start.to(self.stream.previous.span)

    def end(self) -> None:
        """The ``;`` that closes a declaration or statement; one missing at the end of a line, or in front of the next
        declaration, is supplied.
        """
        stream = self.stream
        if stream.accept(";"):
            return
        before, found = stream.previous.span, stream.peek
        if found.kind in ("}", "end", *self._beginnings) or "\n" in self.source.text[before.end : found.span.start]:
            self.error("BUR102", "expected ';' here", Span(self.source, before.end, before.end))
            return
        self.failed = True
        stream.fail("';'")

    def listed(self, read: Callable[[], T], closing: str, what: str = "") -> tuple[T, ...]:
        """What ``read`` reads, with commas between, perhaps nothing, and the bracket that closes the list."""
        found: list[T] = []
        while not self.stream.at(closing):
            found.append(read())
            if not self.stream.accept(","):
                break
        self.stream.expect(closing, what)
        return tuple(found)

    def declaration(self, forms: Mapping[Word, Callable[[], None]], elsewhere: Mapping[str, str] | None = None) -> None:
        """One declaration: its first word says in which form; it may be a name elsewhere. For words that begin one in
        other languages, what to write instead is known.
        """
        word, self._level = self.stream.peek, self.stream.braces
        self.first = word
        said = word.text if word.kind == "name" else word.kind
        form = next((form for first, form in forms.items() if first == said), None)
        try:
            if form is None:
                remedy = (elsewhere or {}).get(word.text) or did_you_mean(word.text, forms)
                remedy = remedy or f"declarations begin with {', '.join(forms)}"
                self.stream.fail("a declaration", help=remedy)
        finally:
            self.stream.advance()
        form()

    def skip_declaration(self, words: Collection[str], *, ends: Collection[str], inside: Collection[str] = ()) -> None:
        """Go on behind the sign that ends a declaration, or in front of the next one.

        ``words`` begin declarations; those that may stand ``inside`` one do so only outside of braces. Where those of
        a value close, the declaration goes on.
        """
        level = max(0, self.stream.braces - self._level)
        is_inside = level > 0
        while not self.stream.at("end"):
            kind = self.stream.peek.kind
            if kind in words and (kind not in inside or level == 0):
                return
            self.stream.advance()
            level += {"{": 1, "}": -1}.get(kind, 0)
            if level <= 0 and kind in ends and not (kind == "}" and is_inside):
                return
            is_inside &= level > 0


def read_parts(
    stream: TokenStream, read: Callable[[], None], recover: Callable[[], None], *, until: Collection[str] = ("end",)
) -> None:
    """Read one part after the other until one of ``until`` comes; after an error, go on where ``recover`` leads.

    A ``;`` between parts means nothing.
    """
    depth = stream.depth
    while not stream.at(*until):
        if stream.accept(";"):
            continue
        try:
            read()
        except SyntaxStop:
            stream.restart(depth)
            recover()


def read_text(stream: TokenStream, read: Callable[[], None], recover: Callable[[], None]) -> bool:
    """Read the declarations of a whole text; False if its end was not reached."""
    try:
        read_parts(stream, read, recover)
    except ReadingStop:
        return False
    return True
