"""Reads expressions and programs of CSP#."""

from __future__ import annotations

from typing import Final

from burnside.frontends.cspsharp.read import syntax
from burnside.frontends.cspsharp.read.lexicon import OPERATORS
from burnside.frontends.cspsharp.read.syntax import Expression, Name, Statement
from burnside.frontends.kit.operators import OperatorParser, Signs
from burnside.frontends.kit.reader import Reader
from burnside.source import Span, SyntaxStop, TokenStream

# Where only sums, products and what binds tighter may stand.
ARITHMETIC: Final = OPERATORS.level("+") - 1

_OPERAND: Final = OPERATORS.prefixes["!"]

# Numbers up to this many digits are surely small enough to be read; the model checker looks at the rest.
_MOST_DIGITS = 18


class ExpressionReader(Reader):
    """Recursive descent over a token stream; shared by all parts of the parser."""

    def __init__(self, stream: TokenStream) -> None:
        super().__init__(stream)
        self._operators = OperatorParser(OPERATORS, stream, operand=self._operand, join=_joined, prefix=self._prefixed)

    def unsupported(self, what: str, span: Span, *, remedy: str = "") -> None:
        """Report a construct that Burnside does not know."""
        self.stream.diagnostics.error("BUR901", f"{what} is not supported", span, help=remedy)

    # ------------------------------------------------------------ expressions

    def expression(self, above: int = 0) -> Expression:
        """An expression of operators tighter than level ``above``."""
        return self._operators.parse(above)

    def _prefixed(self, sign: str, operand: Expression, start: Span) -> Expression:
        if sign == "-" and isinstance(operand, syntax.Number):
            return syntax.Number(-operand.value, self.span_from(start))
        return syntax.Operation(sign, (operand,), self.span_from(start))

    def _operand(self) -> Expression:
        start = self.stream.peek.span
        if self.stream.at("&&", "||"):
            operator = self.stream.advance().kind
            ranges = self.ranges()
            self.stream.expect("@")
            return syntax.Indexed(operator, ranges, self.expression(_OPERAND), self.span_from(start))
        return self._primary()

    def _primary(self) -> Expression:
        token = self.stream.peek
        match token.kind:
            case "number":
                self.stream.advance()
                if len(token.text) > _MOST_DIGITS or not token.text.isascii():
                    self.stream.diagnostics.error("BUR105", "this number is too large", token.span)
                    return syntax.Number(0, token.span)
                return syntax.Number(int(token.text), token.span)
            case "true" | "false":
                self.stream.advance()
                return syntax.Truth(token.kind == "true", token.span)
            case "name":
                return self.name()
            case "call":
                return self.call()
            case "(":
                self.stream.advance()
                inside = self.expression()
                self.stream.expect(")")
                return inside
        return self.stream.fail("an expression")

    def name(self) -> Name:
        """A name with its indices."""
        token = self.stream.expect("name")
        indices = []
        while self.stream.accept("["):
            indices.append(self.expression())
            self.stream.expect("]")
        if self.stream.at(".") and self.stream.peek_kinds(3)[1:] == ["name", "("]:
            self.unsupported("a method of a user type", self.stream.peek.span)
            raise SyntaxStop
        return Name(token.text, tuple(indices), self.span_from(token.span))

    def call(self) -> syntax.CallMacro:
        """``call(f, …)``."""
        start = self.stream.expect("call").span
        self.stream.expect("(")
        name = self.stream.expect("name").text
        arguments = []
        while self.stream.accept(","):
            arguments.append(self.expression())
        self.stream.expect(")")
        return syntax.CallMacro(name, tuple(arguments), self.span_from(start))

    def arguments(self) -> tuple[Expression, ...]:
        """``(e1, e2)``, the parenthesis still to come."""
        self.stream.expect("(")
        return self.listed(self.expression, ")")

    def ranges(self) -> tuple[syntax.Range, ...]:
        """``x:{0..2};y:{0,3}``, or a counted ``{N}``."""
        if self.stream.at("{"):
            start = self.stream.advance().span
            count = self.expression()
            self.stream.expect("}")
            one = syntax.Number(1, start)
            last = syntax.Operation("-", (count, one), count.span)
            return (syntax.Range("", ((syntax.Number(0, start), last),), self.span_from(start)),)
        ranges = [self._range()]
        while self.stream.accept(";"):
            ranges.append(self._range())
        return tuple(ranges)

    def _range(self) -> syntax.Range:
        token = self.stream.expect("name")
        self.stream.expect(":")
        self.stream.expect("{")
        items: list[tuple[Expression, Expression]] = []
        while not self.stream.at("}"):
            low = self.expression()
            items.append((low, self.expression() if self.stream.accept("..") else low))
            if not self.stream.accept(","):
                break
        self.stream.expect("}")
        return syntax.Range(token.text, tuple(items), self.span_from(token.span))

    # ------------------------------------------------------------ programs

    def program(self) -> tuple[Statement, ...]:
        """``{ statements }``."""
        self.stream.enter()
        self.stream.expect("{")
        body: list[Statement] = []
        while not self.stream.at("}", "end"):
            if not self.stream.accept(";"):
                body.append(self._statement())
        self.stream.expect("}")
        self.stream.leave()
        return tuple(body)

    def _statement(self) -> Statement:
        start = self.stream.peek.span
        match self.stream.peek.kind:
            case "{":
                return syntax.Block(self.program(), self.span_from(start))
            case "if":
                self.stream.advance()
                condition = self._condition()
                then = self._body()
                otherwise = self._body() if self.stream.accept("else") else ()
                return syntax.Branch(condition, then, otherwise, self.span_from(start))
            case "while":
                self.stream.advance()
                condition = self._condition()
                return syntax.Loop(condition, self._body(), self.span_from(start))
            case "var":
                return self._local()
            case "call":
                statement: Statement = syntax.Perform(self.call(), self.span_from(start))
            case "name" if self.stream.peek_kinds(2)[1] in (";", "}"):  # a macro without parameters
                name = self.stream.advance()
                statement = syntax.Perform(syntax.CallMacro(name.text, (), name.span), name.span)
            case _:
                statement = self._assignment()
        self._end_statement()
        return statement

    def _end_statement(self) -> None:
        if not self.stream.at("}"):
            self.stream.expect(";")

    def _condition(self) -> Expression:
        self.stream.expect("(")
        condition = self.expression()
        self.stream.expect(")")
        return condition

    def _body(self) -> tuple[Statement, ...]:
        if self.stream.at("{"):
            return self.program()
        if self.stream.accept(";"):
            return ()
        self.stream.enter()
        statement = self._statement()
        self.stream.leave()
        return (statement,)

    def _local(self) -> syntax.Local:
        start = self.stream.advance().span
        if self.stream.at("<"):
            self.unsupported("a variable of a user type", self.stream.peek.span)
            raise SyntaxStop
        name = self.stream.expect("name").text
        if self.stream.at("["):
            self.unsupported("an array inside a program", self.stream.peek.span, remedy="declare it outside")
            raise SyntaxStop
        value: Expression = (
            self.expression() if self.stream.accept("=") else syntax.Number(0, self.stream.previous.span)
        )
        span = self.span_from(start)
        self._end_statement()
        return syntax.Local(name, value, span)

    def _assignment(self) -> syntax.Assignment:
        start = self.stream.peek.span
        if (step := self.stream.accept("++", "--")) is not None:
            target = self.name()
            return syntax.Assignment(target, step.kind[0], syntax.Number(1, step.span), self.span_from(start))
        target = self.name()
        operator = self.stream.accept("=", "++", "--", "+=", "-=", "*=", "/=")
        if operator is None:
            self.stream.fail("an assignment")
        if operator.kind in ("++", "--"):
            return syntax.Assignment(target, operator.kind[0], syntax.Number(1, operator.span), self.span_from(start))
        value = self.expression()
        return syntax.Assignment(target, operator.kind.removesuffix("="), value, self.span_from(start))


def _joined(signs: Signs, parts: tuple[Expression, ...], _: Span) -> Expression:
    first, operator = parts[0], signs[0]
    span = first.span.to(parts[-1].span)
    if operator in ("&&", "||") and isinstance(first, syntax.Operation) and first.operator == operator:
        return syntax.Operation(operator, (*first.operands, *parts[1:]), span)
    return syntax.Operation(operator, parts, span)
