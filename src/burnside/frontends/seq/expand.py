"""Calls of definitions: checked, bounded in size, expanded."""

from __future__ import annotations

from typing import Final, final

from burnside.frontends.seq.constants import Constants
from burnside.frontends.seq.reader import Reader
from burnside.frontends.seq.scope import Definition
from burnside.ir.check import type_of_domain
from burnside.ir.nodes import Bound, Const, Expr
from burnside.ir.rewrite import substitute
from burnside.ir.uses import bound_names
from burnside.ir.walk import descend
from burnside.source import DEEPEST, Span, SyntaxStop

MOST_NODES: Final = 20_000


@final
class Expansion:
    """Expands definitions; ``size`` counts the nodes they have added to the expression being read."""

    def __init__(self, reader: Reader, constants: Constants) -> None:
        self._reader = reader
        self._constants = constants
        self.size = 0

    def expand(self, definition: Definition, arguments: tuple[Expr, ...], span: Span) -> Expr:
        """The body of a definition with arguments for its parameters."""
        wanted = len(definition.parameters)
        if len(arguments) != wanted:
            what = "argument" if wanted == 1 else "arguments"
            self._reader.error("BUR204", f"'{definition.name}' takes {wanted} {what}, found {len(arguments)}", span)
            return Const(0, None, span)
        for argument, parameter in zip(arguments, definition.parameters, strict=True):
            self._constants.expect(argument, type_of_domain(parameter.domain))
        values = {p.name: a for p, a in zip(definition.parameters, arguments, strict=True)}
        self._count(definition, values, span)
        expanded = substitute(definition.body, values, self._taken(definition, arguments))
        if max(depth for _, depth in descend(expanded)) > DEEPEST:
            self._reader.stream.too_deep(span)
        return expanded

    def _taken(self, definition: Definition, arguments: tuple[Expr, ...]) -> set[str]:
        """Names that quantifiers of the body must not bind; only bodies with quantifiers need to know."""
        if not bound_names(definition.body):
            return set()
        scope = self._reader.scope
        return {*scope.locals, *scope.globals}.union(*map(bound_names, arguments))

    def _count(self, definition: Definition, values: dict[str, Expr], span: Span) -> None:
        # Before anything is built: definitions that double can grow beyond any memory.
        sizes = {name: sum(1 for _ in descend(value)) for name, value in values.items()}
        inserted = sum(sizes[n.name] for n, _ in descend(definition.body) if isinstance(n, Bound) and n.name in sizes)
        self.size += definition.size + inserted
        if self.size > MOST_NODES:
            message = f"definitions expand this to more than {MOST_NODES:,} parts"
            self._reader.error("BUR104", message, span, help="keep a part in a local with 'let'")
            raise SyntaxStop
