"""The cursor that all parts of the parser share: tokens, names in scope, depth, and what went wrong."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from functools import cached_property
from itertools import pairwise
from typing import final

from burnside.frontends.kit import reader as kit
from burnside.frontends.kit.names import Broken, taken, unknown
from burnside.frontends.seq import advice
from burnside.frontends.seq.lexicon import LEXICON, OPERATORS, REFERABLE
from burnside.frontends.seq.scope import Label, Local, Scope, describe
from burnside.frontends.seq.types import Type, flat
from burnside.ir.nodes import Domain
from burnside.ir.printer import DECLARATIONS, KEYWORDS
from burnside.source import Diagnostics, ReadingStop, Source, Span, Token, TokenStream


@final
class Reader(kit.Reader):
    """Tokens of one source with the scope at the cursor."""

    def __init__(self, source: Source, diagnostics: Diagnostics) -> None:
        super().__init__(TokenStream(LEXICON, source, diagnostics), DECLARATIONS)
        self.scope = Scope()
        self.declared: list[str] = []  # the names being declared
        self.defining = ""  # the same, inside a definition's body

    # ------------------------------------------------------------ errors

    def unknown(
        self,
        name: str,
        span: Span,
        *,
        also: Iterable[str] = ("true", "false"),
        elsewhere: Mapping[str, str] = advice.VALUES,
    ) -> None:
        """Report a name that means nothing here; ``also`` are words that could be meant, and of those that mean
        something ``elsewhere``, it is known what to write instead.
        """
        if name == self.defining:
            remedy = "a definition can use only those before it"
            self.error("BUR209", f"the definition of '{name}' uses itself", span, help=remedy)
        elif self.is_declared_somewhere(name):
            self.error("BUR201", f"'{name}' is declared further down", span, help="declare names before their use")
        else:
            self.report(unknown(name, span, [*self.scope.known(), *also], help=elsewhere.get(name, "")))

    def is_declared_somewhere(self, name: str) -> bool:
        """Whether some declaration of the text, here or further down, is of that name."""
        return name in self._declared_somewhere

    @cached_property
    def _declared_somewhere(self) -> set[str]:
        # Only errors need this, so the text is simply scanned once more.
        found: set[str] = set()
        with suppress(ReadingStop):
            for word, name in pairwise(LEXICON.scan(self.source, Diagnostics())):
                if word.text in REFERABLE and name.kind in ("name", "quoted"):
                    found.add(name.text)
        return found

    def skip_foreign(self, words: Collection[str], foreign: Collection[str]) -> bool:
        """Behind a declaration as another language has it, go on with the next one that begins a line; what it
        declares is not known, and not said to be unknown either.
        """
        if self.first.text not in foreign:
            return False
        while not self.stream.at("end"):
            token = self.stream.peek
            if token.text in words and not self.source.text[: token.span.start].rpartition("\n")[2].strip():
                break
            self.stream.advance()
            if token.kind == "name" and not self.is_declared_somewhere(token.text):
                self.scope.globals.setdefault(token.text, Broken())
        return True

    # ------------------------------------------------------------ names

    def name(self, what: str = "a name") -> tuple[str, Span]:
        """A name, perhaps in backquotes."""
        token = self.stream.peek
        if token.kind not in ("name", "quoted"):
            remedy = f"write it in backquotes to use it as a name: `{token.text}`" if token.kind in KEYWORDS else ""
            self.stream.fail(what, help=remedy)
        self.stream.advance()
        return spelling(token), token.span

    def at_word(self, *words: str) -> bool:
        """Whether a word comes next that means something here only, and is a name elsewhere."""
        return self.stream.peek.kind == "name" and self.stream.peek.text in words

    def accept_word(self, *words: str) -> str:
        """Read such a word if it comes next; empty if it does not."""
        return self.stream.advance().text if self.at_word(*words) else ""

    def new_global(self, what: str) -> tuple[str, Span]:
        """The name of a declaration, reported if it is in use."""
        name, span = self.name(f"the name of the {what}")
        is_again = name in self.declared
        self.declared.append(name)
        if name in self.scope.globals or is_again:
            self.taken(name, span)
            if isinstance(self.scope.globals.get(name), Label):
                self.scope.globals[name] = Broken()  # which of the two is meant further down, nobody can say
        return name, span

    def taken(self, name: str, span: Span) -> None:
        """Report a name that is in use already."""
        entity, local = self.scope.globals.get(name), self.scope.locals.get(name)
        what = f"a {local.what}" if local else describe(entity) if entity and entity != Broken() else "declared"
        self.report(taken(name, what, span, self.scope.place_of(name)))

    def bind(self, name: str, span: Span, kind: Type, what: str) -> None:
        """Bring a local name into scope, and those of its parts; it may hide nothing."""
        if self.scope.is_taken(name):
            self.taken(name, span)
        if not isinstance(kind, Domain):
            for path, domain in flat(kind):
                self.scope.locals[name + path] = Local(domain, what, span)
        self.scope.locals[name] = Local(kind, what, span)

    # ------------------------------------------------------------ signs

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
        """Whether ``!`` comes next, or a ``not`` that is not a name."""
        token = self.stream.peek
        return token.kind == "!" or (OPERATORS.at(self.stream) == "!" and not self.scope.is_taken(token.text))

    def line_of(self, span: Span) -> int:
        """The line that a place is in."""
        return self.source.position(span.start)[0]


def spelling(token: Token) -> str:
    """The name that a token spells, without backquotes."""
    return token.text[1:-1] if token.kind == "quoted" else token.text
