"""The names of a ``.diagram`` text: one space for all of them, and the names bound around the cursor."""

from __future__ import annotations

from typing import TypeAlias, final

from burnside.frontends.diagram.lexicon import LEXICON
from burnside.frontends.kit import reader as kit
from burnside.frontends.kit.names import Broken, taken, unknown
from burnside.ir.nodes import Const, Constant, Domain, Variable
from burnside.source import Diagnostics, Source, Span, SyntaxStop, TokenStream
from burnside.values import dataclass


@final
@dataclass(frozen=True, slots=True)
class Classes:
    """Consecutive classes of processes; the constant of this name has the class of every process."""

    name: str


Entity: TypeAlias = Constant | Domain | Variable | Const | Classes | Broken


def describe(entity: Entity) -> str:
    """What kind of thing a name is, for messages."""
    match entity:
        case Constant():
            return "a constant"
        case Domain():
            return "a set of processes"
        case Variable(dimensions=dimensions):
            return "the local state" if dimensions else "a shared variable"
        case Const():
            return "a label"
        case Classes():
            return "a list of classes"
        case Broken():
            return "declared"


@final
class Reader(kit.Reader):
    """Tokens of one text with what their names mean."""

    def __init__(self, source: Source, diagnostics: Diagnostics) -> None:
        super().__init__(TokenStream(LEXICON, source, diagnostics))
        self.globals: dict[str, Entity] = {}
        self.tables: dict[str, Constant] = {}  # what expressions look up: constants, and the classes of processes
        self.places: dict[str, Span] = {}
        self.bound: dict[str, Domain] = {}
        self._ever_bound: dict[str, Span] = {}
        self.process: Domain | None = None
        self.broken: set[str] = set()  # kinds of declarations that were wrong

    def new_name(self, what: str) -> tuple[str, Span]:
        """The name of a declaration, reported if it is in use."""
        token = self.stream.expect("name", f"the name of the {what}")
        self.check_free(token.text, token.span)
        return token.text, token.span

    def check_free(self, name: str, span: Span) -> None:
        """Report a name that is in use already."""
        known = self.globals.get(name)
        if known is not None or name in self.bound or name in self._ever_bound:
            what = describe(known) if known is not None else "the name of a process"
            self.report(taken(name, what, span, self.places.get(name, self._ever_bound.get(name))))

    def bind(self, name: str, span: Span, domain: Domain) -> None:
        """Let a name stand for a process; it may hide nothing, but another declaration may use it again."""
        if name in self.globals or name in self.bound:
            self.check_free(name, span)
        self.bound[name] = domain
        self._ever_bound.setdefault(name, span)

    def declare(self, name: str, entity: Entity, span: Span) -> None:
        """Give a name its meaning, unless it has one."""
        self.globals.setdefault(name, entity)
        self.places.setdefault(name, span)

    def unknown(self, name: str, span: Span) -> None:
        """Report a name that means nothing."""
        self.report(unknown(name, span, [*self.bound, *self.globals]))

    def processes(self, span: Span) -> Domain:
        """The processes; they must have been declared."""
        if self.process is None and "process" in self.broken:
            self.failed = True
            raise SyntaxStop
        if self.process is None:
            raise self.stop(
                "BUR201", "the processes are not known here", span, help="declare them: process P = 1 .. 3;"
            )
        return self.process
