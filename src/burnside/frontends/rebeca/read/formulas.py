"""Reads expressions: the part of the parser that texts and property files share."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from burnside.frontends.kit.operators import OperatorParser, Signs
from burnside.frontends.kit.reader import Reader
from burnside.frontends.rebeca.read import syntax
from burnside.frontends.rebeca.read.lexicon import ASSIGNMENTS, OPERATORS, PRIMITIVE, TIMED
from burnside.frontends.rebeca.read.syntax import Expression, Name
from burnside.source import Span, SyntaxStop, Token, TokenStream

_CONDITIONAL: Final = OPERATORS.level("?")
_OPERAND: Final = OPERATORS.prefixes["!"]
_AFTER_CAST: Final = ("name", "number", "self", "sender", "null", "true", "false", "new", "(", "!", "~")

WIDEST_NUMBER: Final = 1 << 31


class FormulaReader(Reader):
    """A recursive-descent parser of expressions."""

    def __init__(self, stream: TokenStream) -> None:
        super().__init__(stream)
        self._operators: OperatorParser[Expression] = OperatorParser(
            OPERATORS,
            stream,
            operand=self._operand,
            join=_joined,
            prefix=_prefixed,
            tails={"?": self._conditional, "instanceof": self._class_test},
        )

    # ------------------------------------------------------------ operators

    def expression(self) -> Expression:
        """Any expression, assignments among them."""
        return self._operators.parse()

    def _conditional(self, condition: Expression) -> Expression:
        """``? a : b`` behind a condition."""
        then = self.expression()
        self.stream.expect(":")
        otherwise = self._operators.parse(_CONDITIONAL - 1)
        return syntax.Conditional(condition, then, otherwise, condition.span.to(otherwise.span))

    def _class_test(self, value: Expression) -> Expression:
        kind = self.type_name()
        return syntax.InstanceOf(value, kind, value.span.to(kind.span))

    def _operand(self) -> Expression:
        if not self._is_cast():
            return self._postfix()
        start = self.stream.advance().span
        kind = self.type_name()
        self.stream.expect(")")
        operand = self._operators.parse(_OPERAND)
        return syntax.Cast(kind, operand, start.to(operand.span))

    def _is_cast(self) -> bool:
        kinds = self.stream.peek_kinds(4)
        if len(kinds) < 4 or kinds[0] != "(" or kinds[2] != ")":
            return False
        return kinds[1] in PRIMITIVE or (kinds[1] == "name" and kinds[3] in _AFTER_CAST)

    # ------------------------------------------------------------ operands

    def _postfix(self) -> Expression:
        value = self._primary()
        depth = self.stream.depth
        while self.stream.at(".", "[", "++", "--"):
            self.stream.enter()
            sign = self.stream.advance()
            if sign.kind == ".":
                value = self._member(value)
            elif sign.kind == "[":
                index = self.expression()
                value = syntax.Index(value, index, value.span.to(self.stream.expect("]").span))
            else:
                span = value.span.to(sign.span)
                value = syntax.Assignment(value, sign.kind[0], syntax.Number(1, sign.span), is_old=True, span=span)
        self.stream.restart(depth)
        return value

    def _member(self, owner: Expression) -> Expression:
        name = self.stream.expect("name")
        if not self.stream.at("("):
            return syntax.Member(owner, name.text, owner.span.to(name.span))
        call = syntax.Call(owner, name.text, self.arguments(), owner.span.to(self.stream.previous.span))
        if self.stream.peek.text in TIMED:
            self.refuse_timed(self.stream.peek)
        return call

    def refuse_timed(self, word: Token) -> None:
        """Report a construct of Timed Rebeca."""
        message = f"'{word.text}' belongs to Timed Rebeca, which is not supported"
        self.stream.diagnostics.error("BUR901", message, word.span, help="leave it out: Core Rebeca has no time")
        raise SyntaxStop

    def _primary(self) -> Expression:  # noqa: RET503 (fail does not return)
        token = self.stream.peek
        match token.kind:
            case "number":
                return self.number()
            case "true" | "false":
                return syntax.Truth(self.stream.advance().kind == "true", token.span)
            case "null":
                return syntax.Null(self.stream.advance().span)
            case "self":
                return syntax.Self(self.stream.advance().span)
            case "sender":
                return syntax.Sender(self.stream.advance().span)
            case "string":
                return syntax.Text(_unquoted(self.stream.advance().text), token.span)
            case "name":
                return self._named()
            case "?":
                self.stream.advance()
                alternatives = self.arguments()
                span = token.span.to(self.stream.previous.span)
                if not alternatives:
                    self.stream.diagnostics.error("BUR102", "a choice needs at least one alternative", span)
                    raise SyntaxStop
                return syntax.Pick(alternatives, span)
            case "new":
                return self._creation()
            case "(":
                self.stream.advance()
                inner = self.expression()
                return replace(inner, span=token.span.to(self.stream.expect(")").span))
            case _:
                self.stream.fail("an expression")

    def _named(self) -> Expression:
        token = self.stream.advance()
        if not self.stream.at("("):
            return Name(token.text, token.span)
        if token.text in TIMED:
            self.refuse_timed(token)
        return syntax.Call(None, token.text, self.arguments(), token.span.to(self.stream.previous.span))

    def _creation(self) -> Expression:
        start = self.stream.expect("new").span
        kind = self.type_name()
        known = self.arguments()
        self.stream.expect(":")
        arguments = self.arguments()
        return syntax.New(kind, known, arguments, start.to(self.stream.previous.span))

    def arguments(self) -> tuple[Expression, ...]:
        """``(a, b, …)``."""
        self.stream.expect("(")
        self.stream.enter()
        found: list[Expression] = []
        if not self.stream.at(")"):
            found.append(self.expression())
            while self.stream.accept(","):
                found.append(self.expression())
        self.stream.expect(")", "',' or ')'")
        self.stream.leave()
        return tuple(found)

    def number(self) -> syntax.Number:
        """A number of at most 32 bits."""
        token = self.stream.expect("number")
        # Long texts of digits are not even converted: that takes time.
        if len(token.text) > 12 or int(token.text) > WIDEST_NUMBER:
            self.stream.diagnostics.error("BUR105", "this number is too large for an 'int'", token.span)
            raise SyntaxStop
        return syntax.Number(int(token.text), token.span)

    def type_name(self) -> syntax.TypeName:
        """A type: a name, and sizes of an array."""
        name = self.stream.accept(*PRIMITIVE) or self.stream.expect("name", "a type")
        sizes: list[Expression] = []
        while self.stream.accept("["):
            sizes.append(self.expression())
            self.stream.expect("]")
        return syntax.TypeName(name.text, tuple(sizes), name.span.to(self.stream.previous.span))


def _joined(signs: Signs, parts: tuple[Expression, ...], _: Span) -> Expression:
    (sign,), (left, right) = signs, parts
    span = left.span.to(right.span)
    if sign in ASSIGNMENTS:
        return syntax.Assignment(left, sign[:-1], right, span=span)
    return syntax.Binary(sign, left, right, span)


def _prefixed(sign: str, operand: Expression, start: Span) -> Expression:
    span = start.to(operand.span)
    if sign in ("++", "--"):
        return syntax.Assignment(
            operand, sign[0], syntax.Number(1, Span(start.source, start.start, start.start + 2)), span=span
        )
    return syntax.Unary(sign, operand, span)


def _unquoted(text: str) -> str:
    return text[1:-1].replace('\\"', '"').replace("\\\\", "\\")
