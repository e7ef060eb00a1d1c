"""Reads expressions: the part of the parser that texts and property files share."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from burnside.frontends.rebeca.lexicon import PRIMITIVE, TIMED
from burnside.frontends.rebeca.syntax import (
    Assignment,
    Binary,
    Call,
    Cast,
    Conditional,
    Expression,
    Index,
    InstanceOf,
    Member,
    Name,
    New,
    Null,
    Number,
    Pick,
    Self,
    Sender,
    Text,
    Truth,
    TypeName,
    Unary,
)
from burnside.source import Span, SyntaxStop, Token, TokenStream

# Operators on one level bind equally; from the loosest to the tightest. All but '->' group from the left.
_LEVELS: Final[tuple[tuple[str, ...], ...]] = (
    ("->",),
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", "<=", ">", ">=", "instanceof"),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
_ASSIGNMENTS: Final = ("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=")
_AFTER_CAST: Final = ("name", "number", "self", "sender", "null", "true", "false", "new", "(", "!", "~")

# Later stages walk a chain of operators from its end.
LONGEST_CHAIN: Final = 40
WIDEST_NUMBER: Final = 1 << 31


class FormulaReader:
    """A recursive-descent parser of expressions."""

    def __init__(self, stream: TokenStream) -> None:
        self.stream = stream

    # ------------------------------------------------------------ operators

    def expression(self) -> Expression:
        """Any expression, assignments among them."""
        self.stream.enter()
        target = self._conditional()
        sign = self.stream.accept(*_ASSIGNMENTS)
        if sign is not None:
            value = self.expression()
            target = Assignment(target, sign.text[:-1], value, span=target.span.to(value.span))
        self.stream.leave()
        return target

    def _conditional(self) -> Expression:
        condition = self._level(0)
        if not self.stream.accept("?"):
            return condition
        then = self.expression()
        self.stream.expect(":")
        self.stream.enter()
        otherwise = self._conditional()
        self.stream.leave()
        return Conditional(condition, then, otherwise, condition.span.to(otherwise.span))

    def _level(self, level: int) -> Expression:
        if level == len(_LEVELS):
            return self._unary()
        left = self._level(level + 1)
        length = 0
        while sign := self.stream.accept(*_LEVELS[level]):
            length += 1
            if length > LONGEST_CHAIN:
                self._too_long(sign)
            if sign.kind == "instanceof":
                kind = self.type_name()
                left = InstanceOf(left, kind, left.span.to(kind.span))
            elif sign.kind == "->":
                self.stream.enter()
                right = self._level(level)
                self.stream.leave()
                left = Binary(sign.kind, left, right, left.span.to(right.span))
            else:
                right = self._level(level + 1)
                left = Binary(sign.kind, left, right, left.span.to(right.span))
        return left

    def _too_long(self, sign: Token) -> None:
        message = f"more than {LONGEST_CHAIN} operators in a row"
        self.stream.diagnostics.error("BUR104", message, sign.span, help="put parts of this in parentheses")
        raise SyntaxStop

    def _unary(self) -> Expression:
        if self.stream.at("!", "-", "+", "~", "++", "--"):
            sign = self.stream.advance()
            self.stream.enter()
            operand = self._unary()
            self.stream.leave()
            span = sign.span.to(operand.span)
            if sign.kind in ("++", "--"):
                return Assignment(operand, sign.kind[0], Number(1, sign.span), span=span)
            return Unary(sign.kind, operand, span)
        if self._is_cast():
            start = self.stream.advance().span
            kind = self.type_name()
            self.stream.expect(")")
            self.stream.enter()
            operand = self._unary()
            self.stream.leave()
            return Cast(kind, operand, start.to(operand.span))
        return self._postfix()

    def _is_cast(self) -> bool:
        kinds = self.stream.peek_kinds(4)
        if len(kinds) < 4 or kinds[0] != "(" or kinds[2] != ")":
            return False
        return kinds[1] in PRIMITIVE or (kinds[1] == "name" and kinds[3] in _AFTER_CAST)

    # ------------------------------------------------------------ operands

    def _postfix(self) -> Expression:
        value = self._primary()
        length = 0
        while self.stream.at(".", "[", "++", "--"):
            length += 1
            sign = self.stream.advance()
            if length > LONGEST_CHAIN:
                self._too_long(sign)
            if sign.kind == ".":
                value = self._member(value)
            elif sign.kind == "[":
                index = self.expression()
                value = Index(value, index, value.span.to(self.stream.expect("]").span))
            else:
                span = value.span.to(sign.span)
                value = Assignment(value, sign.kind[0], Number(1, sign.span), is_old=True, span=span)
        return value

    def _member(self, owner: Expression) -> Expression:
        name = self.stream.expect("name")
        if not self.stream.at("("):
            return Member(owner, name.text, owner.span.to(name.span))
        call = Call(owner, name.text, self.arguments(), owner.span.to(self.stream.previous.span))
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
                return Truth(self.stream.advance().kind == "true", token.span)
            case "null":
                return Null(self.stream.advance().span)
            case "self":
                return Self(self.stream.advance().span)
            case "sender":
                return Sender(self.stream.advance().span)
            case "string":
                return Text(_unquoted(self.stream.advance().text), token.span)
            case "name":
                return self._named()
            case "?":
                self.stream.advance()
                alternatives = self.arguments()
                span = token.span.to(self.stream.previous.span)
                if not alternatives:
                    self.stream.diagnostics.error("BUR102", "a choice needs at least one alternative", span)
                    raise SyntaxStop
                return Pick(alternatives, span)
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
        return Call(None, token.text, self.arguments(), token.span.to(self.stream.previous.span))

    def _creation(self) -> Expression:
        start = self.stream.expect("new").span
        kind = self.type_name()
        known = self.arguments()
        self.stream.expect(":")
        arguments = self.arguments()
        return New(kind, known, arguments, start.to(self.stream.previous.span))

    def arguments(self) -> tuple[Expression, ...]:
        """``(a, b, …)``."""
        self.stream.expect("(")
        found: list[Expression] = []
        if not self.stream.at(")"):
            found.append(self.expression())
            while self.stream.accept(","):
                found.append(self.expression())
        self.stream.expect(")", "',' or ')'")
        return tuple(found)

    def number(self) -> Number:
        """A number of at most 32 bits."""
        token = self.stream.expect("number")
        # Long texts of digits are not even converted: that takes time.
        if len(token.text) > 12 or int(token.text) > WIDEST_NUMBER:
            self.stream.diagnostics.error("BUR105", "this number is too large for an 'int'", token.span)
            raise SyntaxStop
        return Number(int(token.text), token.span)

    def type_name(self) -> TypeName:
        """A type: a name, and sizes of an array."""
        name = self.stream.accept(*PRIMITIVE) or self.stream.expect("name", "a type")
        sizes: list[Expression] = []
        while self.stream.accept("["):
            sizes.append(self.expression())
            self.stream.expect("]")
        return TypeName(name.text, tuple(sizes), name.span.to(self.stream.previous.span))

    def span_from(self, start: Span) -> Span:
        """From a place to the token read last."""
        return start.to(self.stream.previous.span)


def _unquoted(text: str) -> str:
    return text[1:-1].replace('\\"', '"').replace("\\\\", "\\")
