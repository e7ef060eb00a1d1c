"""Reads expressions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from burnside.frontends.kit.operators import OperatorParser, Signs
from burnside.frontends.kit.reader import Reader
from burnside.frontends.murphi.read import syntax
from burnside.frontends.murphi.read.lexicon import CLOSING, END, OPERATORS
from burnside.frontends.murphi.read.syntax import Expression, Name
from burnside.source import Note, Span, Token, TokenStream

_CONDITIONAL: Final = OPERATORS.level("?")
WIDEST_NUMBER: Final = 1 << 62


class ExpressionReader(Reader):
    """A recursive-descent parser of expressions."""

    def __init__(self, stream: TokenStream) -> None:
        super().__init__(stream)
        self._reals_reported = False
        self._operators: OperatorParser[Expression] = OperatorParser(
            OPERATORS,
            stream,
            operand=self._operand,
            join=_joined,
            prefix=_prefixed,
            tails={"?": self._conditional},
            error=self._chained,
        )

    # ------------------------------------------------------------ operators

    def expression(self) -> Expression:
        """Any expression."""
        return self._operators.parse()

    def _conditional(self, condition: Expression) -> Expression:
        """``? a : b`` behind a condition."""
        then = self.expression()
        self.stream.expect(":")
        otherwise = self._operators.parse(_CONDITIONAL)
        if self.stream.at("?"):
            message = "conditional expressions do not chain"
            self.error("BUR102", message, self.stream.peek.span, help="put brackets around the inner one")
        return syntax.Conditional(condition, then, otherwise, condition.span.to(otherwise.span))

    def _chained(
        self, code: str, message: str, span: Span | None, *, help: str = "", notes: Iterable[Note] = ()
    ) -> None:
        """Report operators that do not chain: comparisons, and implications."""
        if span is not None and span.text in ("->", "→"):
            self.error(code, "implications do not chain", span, help="put brackets around one of them", notes=notes)
            return
        self.error(code, message, span, help=help.replace("&&", "&"), notes=notes)

    # ------------------------------------------------------------ operands

    def _operand(self) -> Expression:
        value = self._primary()
        depth = self.stream.depth
        while self.stream.at(".", "["):
            self.stream.enter()
            if self.stream.advance().kind == ".":
                name = self.name("the name of a field")
                value = syntax.Member(value, name, value.span.to(name.span))
            else:
                index = self.expression()
                value = syntax.Element(value, index, value.span.to(self.stream.expect("]").span))
        self.stream.restart(depth)
        return value

    def _primary(self) -> Expression:  # noqa: RET503 (fail does not return)
        token = self.stream.peek
        match token.kind:
            case "number" | "hexadecimal" | "fraction":
                return self._number(self.stream.advance())
            case "true" | "false":
                return syntax.Truth(self.stream.advance().kind == "true", token.span)
            case "undefined":
                return syntax.Undefined(self.stream.advance().span)
            case "name":
                return self._named()
            case "(":
                self.stream.advance()
                self.stream.enter()
                inner = self.expression()
                self.stream.leave()
                self.stream.expect(")")
                return inner
            case "forall" | "exists":
                return self._quantified()
            case "isundefined":
                self.stream.advance()
                self.stream.expect("(")
                place = self.expression()
                return syntax.IsUndefined(place, token.span.to(self.stream.expect(")").span))
            case "ismember":
                return self._membership()
            case "multisetcount":
                return self._count()
            case _:
                self.stream.fail("an expression")

    def _named(self) -> Expression:
        name = self.name()
        if not self.stream.at("("):
            return name
        arguments = self.arguments()
        return syntax.Call(name, arguments, self.span_from(name.span))

    def arguments(self) -> tuple[Expression, ...]:
        """What a routine is given, in brackets."""
        self.stream.expect("(")
        self.stream.enter()
        found = self.listed(self.expression, ")", "',' or ')'")
        self.stream.leave()
        return found

    def name(self, what: str = "") -> Name:
        """A name."""
        token = self.stream.expect("name", what)
        return Name(token.text, token.span)

    def _number(self, token: Token) -> Expression:
        text, value = token.text, 0
        if token.kind == "fraction":
            self.refuse_real(token.span)
        elif token.kind == "hexadecimal":
            value = int(text, 16)
        elif len(text) > 1 and text[0] == "0":  # as in C
            if set(text) & set("89"):
                message = f"'{text}' begins with 0 and so is an octal number, which has no digits above 7"
                self.error("BUR101", message, token.span, help="leave out the leading zeros")
            else:
                value = int(text, 8)
        else:
            value = int(text) if len(text) < 20 else WIDEST_NUMBER
        if value >= WIDEST_NUMBER:
            self.error("BUR105", "this number is too large", token.span, help="numbers stay below 2^62")
            value = 0
        return syntax.Number(value, token.span)

    def refuse_real(self, span: Span) -> None:
        """Report real numbers, once: nothing that is made of them has a meaning here."""
        if not self._reals_reported:
            remedy = "scale it to whole numbers; probabilities and hybrid systems are not checked"
            self.error("BUR901", "real numbers are not supported", span, help=remedy)
        self._reals_reported = True
        self.failed = True

    # ------------------------------------------------------------ names that are bound

    def _quantified(self) -> Expression:
        token = self.stream.advance()
        self.stream.enter()
        binder = self.binder()
        self.stream.expect("do")
        body = self.expression()
        self.stream.leave()
        self.closing(token.kind)
        return syntax.Quantified(token.kind, binder, body, self.span_from(token.span))

    def binder(self) -> syntax.Binder:
        """``name: type`` or ``name := first to last by step``."""
        name = self.name()
        if self.stream.accept(":="):
            first = self.expression()
            self.stream.expect("to")
            last = self.expression()
            return syntax.Steps(name, first, last, self.expression() if self.stream.accept("by") else None)
        self.stream.expect(":", "':' or ':='")
        return syntax.Over(name, self.type_expression())

    def type_expression(self) -> syntax.TypeExpression:
        """A type; read by those that build on this."""
        raise NotImplementedError

    def closing(self, word: str) -> None:
        """The word that closes what ``word`` began."""
        if not self.stream.accept(END, *CLOSING[word]):
            self.stream.fail(f"'end' or '{CLOSING[word][0]}'")

    def _membership(self) -> Expression:
        start = self.stream.advance().span
        self.stream.expect("(")
        value = self.expression()
        self.stream.expect(",")
        kind = self.type_expression()
        return syntax.IsMember(value, kind, start.to(self.stream.expect(")").span))

    def _count(self) -> Expression:
        start = self.stream.advance().span
        index, multiset, condition = self.of_multiset()
        return syntax.MultisetCount(index, multiset, condition, self.span_from(start))

    def of_multiset(self) -> tuple[syntax.Name, Expression, Expression]:
        """``(index: multiset, condition)``: entries of a multiset for which a condition holds."""
        self.stream.expect("(")
        index = self.name()
        self.stream.expect(":")
        multiset = self.expression()
        self.stream.expect(",")
        condition = self.expression()
        self.stream.expect(")")
        return index, multiset, condition


def _joined(signs: Signs, parts: tuple[Expression, ...], _: Span) -> Expression:
    span = parts[0].span.to(parts[-1].span)
    if signs[0] in ("&", "&&", "|", "||"):
        return syntax.Chain(signs[0], parts, span)
    return syntax.Binary(signs[0], parts[0], parts[1], span)


def _prefixed(sign: str, operand: Expression, start: Span) -> Expression:
    span = start.to(operand.span)
    if sign == "-" and isinstance(operand, syntax.Number):
        return syntax.Number(-operand.value, span)
    return syntax.Unary(sign, operand, span)
