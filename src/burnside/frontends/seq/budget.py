"""How much of a model a few words of a text may stand for: definitions and sets are written out where they are used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, final

from burnside.frontends.seq.reader import Reader
from burnside.ir.nodes import Bound, Expr
from burnside.ir.rewrite import substitute
from burnside.ir.uses import bound_names, free_names
from burnside.ir.walk import descend
from burnside.source import DEEPEST, Span, SyntaxStop

MOST_NODES: Final = 20_000


@final
class Budget:
    """Counts the nodes that expansions have added to the expression being read: ``size``."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._names = 0
        self.size = 0

    def spend(self, nodes: int, span: Span | None) -> None:
        """Note so many more nodes, before they are made: what doubles can grow beyond any memory."""
        self.size += nodes
        if self.size > MOST_NODES:
            message = f"definitions expand this to more than {MOST_NODES:,} parts"
            self._reader.error("BUR104", message, span, help="keep a part in a local with 'let'")
            raise SyntaxStop

    def inserted(self, expr: Expr, values: Mapping[str, Expr], span: Span | None) -> Expr:
        """An expression with ``values`` for some of its names; nothing in them is captured."""
        sizes = {name: sum(1 for _ in descend(value)) for name, value in values.items()}
        self.spend(sum(sizes.get(e.name, 1) if isinstance(e, Bound) else 1 for e, _ in descend(expr)), span)
        expanded = substitute(expr, values, self.taken(expr, values))
        if max(depth for _, depth in descend(expanded)) > DEEPEST:
            self._reader.stream.too_deep(span)
        return expanded

    def taken(self, expr: Expr, values: Mapping[str, Expr]) -> set[str]:
        """Names that quantifiers of an expression must not bind; only expressions with quantifiers need to know."""
        if not bound_names(expr):
            return set()
        scope = self._reader.scope
        used = (names(value) for value in values.values() for names in (bound_names, free_names))
        return scope.around().union(*used)

    def new_name(self) -> str:
        """A name that no text can have."""
        self._names += 1
        return f"`{self._names}"
