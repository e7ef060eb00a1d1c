"""The cursor that all parts of the parser share: tokens, names in scope, depth, and what went wrong."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import pairwise
from typing import final

from burnside.frontends.seq.lexicon import DECLARATIONS, LEXICON, OPERATORS
from burnside.frontends.seq.scope import Broken, Local, Scope, describe
from burnside.ir.nodes import Domain
from burnside.ir.printer import KEYWORDS
from burnside.source import Diagnostics, Note, Source, Span, SyntaxStop, Token, TokenStream, did_you_mean


@final
class Reader:
    """Tokens of one source with the scope at the cursor.

    ``failed`` says whether the declaration being read is wrong in some way, so that it is left out of the
    later checks.
    """

    def __init__(self, source: Source, diagnostics: Diagnostics) -> None:
        self.source = source
        self.diagnostics = diagnostics
        self.stream = TokenStream(LEXICON, source, diagnostics)
        self.scope = Scope()
        self.failed = False
        self.declared = ""  # the name being declared
        self.defining = ""  # the same, inside a definition's body

    # ------------------------------------------------------------ errors

    def error(self, code: str, message: str, span: Span | None, *, help: str = "", notes: Iterable[Note] = ()) -> None:
        """Record an error; the declaration that holds it is left out of the model."""
        self.failed = True
        self.diagnostics.error(code, message, span, help=help, notes=notes)

    def unknown(self, name: str, span: Span, *, also: Iterable[str] = ("true", "false"), help: str = "") -> None:
        """Report a name that means nothing here; ``also`` are words that could be meant."""
        if name == self.defining:
            remedy = "a definition can use only those before it"
            self.error("BUR209", f"the definition of '{name}' uses itself", span, help=remedy)
        elif name in self._declared_somewhere:
            self.error("BUR201", f"'{name}' is declared further down", span, help="declare names before their use")
        else:
            known = [*self.scope.known(), *also]
            remedy = help or (did_you_mean(name, known) if len(known) < 2_000 else "")
            self.error("BUR201", f"'{name}' is not known here", span, help=remedy)

    @cached_property
    def _declared_somewhere(self) -> set[str]:
        # Only errors need this, so the text is simply scanned once more.
        tokens = LEXICON.scan(self.source, Diagnostics())
        named = pairwise(tokens)
        rules = ("rule", "invariant", "reachable", "deadlockfree")
        return {
            b.text for a, b in named if a.kind in DECLARATIONS and a.kind not in rules and b.kind in ("name", "quoted")
        }

    # ------------------------------------------------------------ names

    def name(self, what: str = "a name") -> tuple[str, Span]:
        """A name, perhaps in backquotes."""
        token = self.stream.peek
        if token.kind not in ("name", "quoted"):
            remedy = f"write it in backquotes to use it as a name: `{token.text}`" if token.kind in KEYWORDS else ""
            self.stream.fail(what, help=remedy)
        self.stream.advance()
        return spelling(token), token.span

    def new_global(self, what: str) -> tuple[str, Span]:
        """The name of a declaration, reported if it is in use."""
        name, span = self.name(f"the name of the {what}")
        self.declared = name
        if name in self.scope.globals:
            self.taken(name, span)
        return name, span

    def taken(self, name: str, span: Span) -> None:
        """Report a name that is in use already."""
        entity, local = self.scope.globals.get(name), self.scope.locals.get(name)
        what = f"a {local.what}" if local else describe(entity) if entity and entity != Broken() else "declared"
        notes = [Note(f"'{name}' is declared here", span=self.scope.place_of(name))]
        self.error("BUR202", f"'{name}' is already {what}", span, help="choose another name", notes=notes)

    def bind(self, name: str, span: Span, domain: Domain, what: str) -> None:
        """Bring a local name into scope; it may hide nothing."""
        if self.scope.is_taken(name):
            self.taken(name, span)
        self.scope.locals[name] = Local(domain, what, span)

    # ------------------------------------------------------------ signs

    def end(self) -> None:
        """The ``;`` that closes a declaration or statement; one missing at the end of a line is supplied."""
        stream = self.stream
        if stream.accept(";"):
            return
        before, found = stream.previous.span, stream.peek
        place = Span(self.source, before.end, before.end)
        if found.kind in ("}", "end") or "\n" in self.source.text[before.end : found.span.start]:
            self.error("BUR102", "expected ';' here", place)
            return
        self.error("BUR102", f"expected ';', found {found.describe()}", found.span)
        raise SyntaxStop

    def sign(self, wanted: str, *mistaken: str, help: str) -> None:
        """``wanted``; one of the ``mistaken`` signs is reported and taken for it."""
        token = self.stream.peek
        if token.kind in mistaken:
            self.error("BUR102", f"expected '{wanted}', found '{token.text}'", token.span, help=help)
            self.stream.advance()
        else:
            self.stream.expect(wanted)

    @property
    def at_negation(self) -> bool:
        """Whether ``!`` comes next, or a ``not`` that is no name."""
        token = self.stream.peek
        return token.kind == "!" or (OPERATORS.at(self.stream) == "!" and not self.scope.is_taken(token.text))

    def line_of(self, span: Span) -> int:
        """The line that a place is in."""
        return self.source.position(span.start)[0]

    def span_from(self, start: Span) -> Span:
        """From ``start`` to the token read last."""
        return Span(self.source, start.start, self.stream.previous.span.end)


def spelling(token: Token) -> str:
    """The name that a token spells, without backquotes."""
    return token.text[1:-1] if token.kind == "quoted" else token.text
