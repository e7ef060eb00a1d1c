"""``match``: what is done for each variant of a union, written out as conditions on the tag."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias, final

from burnside.frontends.seq.expressions import Expressions
from burnside.frontends.seq.foreign import refuse_names_in_case, skip_brackets
from burnside.frontends.seq.reader import Reader
from burnside.frontends.seq.scope import Variant
from burnside.frontends.seq.terms import Term
from burnside.ir import nodes as n
from burnside.ir.build import disjunction
from burnside.ir.nodes import Domain, Expr, Stmt
from burnside.source import Span, SyntaxStop

Block: TypeAlias = tuple[Stmt, ...]


@final
class Matching:
    """Reads matches; ``block`` reads what is done in a case."""

    def __init__(self, reader: Reader, expressions: Expressions, block: Callable[[], Block]) -> None:
        self._reader = reader
        self._stream = reader.stream
        self._expressions = expressions
        self._block = block

    def statement(self) -> Block:
        """``match m { case Ask, Grant { … } case Stop { … } else { … } }``, at its word."""
        start = self._stream.advance().span
        value = self._expressions.term()
        self._stream.expect("{", "'{' and cases")
        depth = self._stream.depth
        seen: dict[str, Variant] = {}
        try:
            cases = self._cases(value, seen)
            otherwise = self._block() if self._stream.accept("else") else None
            self._end(cases)
        except SyntaxStop:
            self._reader.failed = True
            skip_brackets(self._stream)  # what is left of this match, of which one mistake is enough
            return ()
        finally:
            self._stream.restart(depth)
        span = self._reader.span_from(start)
        if otherwise is None:
            otherwise = self._last_case(cases, seen, span)
        for condition, body in reversed(cases):
            otherwise = (n.If(condition, body, otherwise, span),)
        return otherwise

    def _cases(self, value: Term, seen: dict[str, Variant]) -> list[tuple[Expr, Block]]:
        cases: list[tuple[Expr, Block]] = []
        while self._reader.accept_word("case"):
            self._stream.enter()  # each case is one level deeper than the one before
            condition = self._head(value, seen)
            cases.append((condition, self._block()))
        return cases

    def _head(self, value: Term, seen: dict[str, Variant]) -> Expr:
        """The variants of a case."""
        start = self._stream.peek.span
        conditions: list[Expr] = []
        while not conditions or self._stream.accept(","):
            place = self._stream.peek.span
            variant = self._expressions.unions.variant()
            refuse_names_in_case(self._reader, value)
            if variant is None:
                conditions.append(n.FALSE)
                continue
            if variant.name in seen:
                self._reader.error("BUR202", f"there are two cases for '{variant.name}'", place)
            seen[variant.name] = variant
            conditions.append(self._expressions.unions.is_variant(value, variant))
        return disjunction(conditions, self._reader.span_from(start))

    def _end(self, cases: list[tuple[Expr, Block]]) -> None:
        if not cases and self._stream.at("}"):
            remedy = "match m { case Ask { … } case Grant { … } }"
            self._reader.error("BUR102", "expected 'case', found '}'", self._stream.peek.span, help=remedy)
        self._stream.expect("}", "'case' or '}'")

    def _last_case(self, cases: list[tuple[Expr, Block]], seen: Mapping[str, Variant], span: Span) -> Block:
        """The body of the last case, if there is one for every variant; what is missing is reported."""
        if self._reader.failed:
            return ()
        union = next(iter(seen.values())).union
        tag = union.fields[0][1]
        assert isinstance(tag, Domain)
        missing = [label for label in tag.labels if label not in seen]
        if missing:
            shown = ", ".join(f"'{name}'" for name in missing)
            remedy = "add what is missing, or 'else { }'"
            self._reader.error("BUR204", f"there is no case for {shown}", span, help=remedy)
            return ()
        return cases.pop()[1]
