"""Expressions and domains of ``.seq``, read straight into nodes of the model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, final

from burnside.frontends.kit.names import Broken
from burnside.frontends.kit.nodes import joined
from burnside.frontends.kit.operators import OperatorParser
from burnside.frontends.seq.constants import Constants
from burnside.frontends.seq.expand import Expansion
from burnside.frontends.seq.lexicon import OPERATORS
from burnside.frontends.seq.reader import Reader, spelling
from burnside.frontends.seq.scope import Definition, Label
from burnside.ir import nodes as n
from burnside.ir.check import LARGEST_DOMAIN, WIDEST_NUMBER, table_shape, type_of_domain
from burnside.ir.nodes import BOOL, Domain, Expr, Parameter, Variable
from burnside.ir.walk import descend
from burnside.source import DEEPEST, Note, Span, SyntaxStop, Token, did_you_mean

BUILT_IN: Final = ("min", "max", "len", "empty", "full", "head")
_COMPARISON: Final = OPERATORS.level("==")
_UNBOUNDED: Final = ("int", "integer", "Int", "Integer", "INTEGER", "nat", "Nat", "byte", "short", "long", "unsigned")


@final
class Expressions:
    """The expression part of the parser."""

    def __init__(self, reader: Reader, constants: Constants) -> None:
        self._reader = reader
        self._stream = reader.stream
        self._scope = reader.scope
        self._constants = constants
        self._expansion = Expansion(reader, constants)
        self._operators = OperatorParser(
            OPERATORS,
            self._stream,
            operand=self._operand,
            join=joined,
            prefix=self._prefixed,
            is_over=lambda: self._stream.peek_kinds(2) == ["+", "{"],  # the labels of an extended range follow
            read_prefix=self._read_prefix,
            error=reader.error,
        )
        self._climb = self._operators.parse
        self._operands: Mapping[str, Callable[[], Expr]] = {
            "number": self._number,
            "name": self._named,
            "quoted": self._named,
            "true": self._truth,
            "false": self._truth,
            "(": self._group,
            "if": self._choice,
            **dict.fromkeys(("forall", "exists", "count", "sum"), self._quantified),
        }

    # ------------------------------------------------------------ operators

    def expression(self, minimum: int = 0) -> Expr:
        """A whole expression, or as far as its operators bind tighter than ``minimum``."""
        self._expansion.size, start = 0, self._stream.count
        expr = self._climb(minimum)
        self._measure(expr, start)
        return expr

    def constant(self) -> int:
        """A number that is known before the model runs."""
        return self._constants.number(self.expression())

    def index_list(self) -> tuple[Expr, ...]:
        """The indices of something that is assigned or changed: ``[e][e]…``, perhaps none."""
        self._expansion.size, start = 0, self._stream.count
        found = self._indices()
        for index in found:
            self._measure(index, start)
        return found

    def _measure(self, expr: Expr, start: int) -> None:
        # What few tokens make cannot be deep; only long or expanded expressions are measured.
        around = self._stream.depth
        if self._stream.count - start + self._expansion.size + around > DEEPEST:
            height = max(depth for _, depth in descend(expr))
            if height + around > DEEPEST:
                self._stream.too_deep(expr.span)

    def _operand(self) -> Expr:
        if self._stream.peek_kinds(2) == ["-", "number"]:
            sign = self._stream.advance()
            token = self._stream.advance()
            return n.Const(-self._digits(token), None, sign.span.to(token.span))
        read = self._operands.get(self._stream.peek.kind)
        if read is None:
            remedy = "texts stand only behind 'assert'" if self._stream.at("string") else ""
            self._stream.fail("an expression", help=remedy)
        return read()

    def _read_prefix(self) -> str:
        is_sign = self._stream.at("-") and self._stream.peek_kinds(2)[-1] != "number"
        return self._operators.read_sign() if is_sign or self._reader.at_negation else ""

    def _prefixed(self, sign: str, operand: Expr, start: Span) -> Expr:
        return n.Unary(sign, operand, self._reader.span_from(start))

    def _number(self) -> Expr:
        token = self._stream.advance()
        return n.Const(self._digits(token), None, token.span)

    def _digits(self, token: Token) -> int:
        if len(token.text) > 18 and (len(token.text) > 100 or int(token.text) > WIDEST_NUMBER):
            self._reader.error("BUR105", "this number is too large", token.span, help=f"the largest is {WIDEST_NUMBER}")
            return 0
        return int(token.text)

    def _truth(self) -> Expr:
        token = self._stream.advance()
        return n.Const(int(token.kind == "true"), BOOL, token.span)

    def _group(self) -> Expr:
        self._stream.advance()
        inner = self._climb(0)
        self._stream.expect(")")
        return inner

    def _choice(self) -> Expr:
        start = self._stream.advance()
        condition = self._climb(0)
        self._stream.expect("then")
        then = self._climb(0)
        self._stream.expect("else")
        otherwise = self._climb(0)
        return n.Choice(condition, then, otherwise, self._reader.span_from(start.span))

    def _quantified(self) -> Expr:
        start = self._stream.advance()
        outer = dict(self._scope.locals)
        try:
            binders = self.binders("in", "bound name")
            self._stream.expect(":")
            body = self._climb(0)
        finally:
            self._scope.locals = outer
        span = self._reader.span_from(start.span)
        quantifier = start.kind
        for binder in reversed(binders):
            body = n.Quantified(quantifier, binder.name, binder.domain, body, span)
            # To count pairs is to add up what is counted for each first part.
            quantifier = "sum" if quantifier == "count" else quantifier
        return body

    def binders(self, joint: str, what: str) -> tuple[Parameter, ...]:
        """``i, j in Phil, k in Level`` (or with ``:`` for ``in``): names that enter the scope."""
        found: list[Parameter] = []
        while True:
            names = [self._reader.name()]
            while self._stream.accept(","):
                names.append(self._reader.name())
            self._stream.expect(joint)
            start = self._stream.peek.span
            domain = self.domain()
            place = self._reader.span_from(start)
            for name, span in names:
                self._reader.bind(name, span, domain, what)
                found.append(Parameter(name, domain, place))
            if not self._stream.accept(","):
                return tuple(found)

    # ------------------------------------------------------------ names

    def _named(self) -> Expr:
        token = self._stream.advance()
        name = spelling(token)
        local = self._scope.locals.get(name)
        if local is not None:
            if self._stream.at("[", "("):
                self._stream.fail("an operator", help=f"'{name}' is a {local.what}, a single value")
            return n.Bound(name, local.domain, token.span)
        if self._stream.at("("):
            return self._call(name, token.span)
        entity = self._scope.globals.get(name)
        match entity:
            case n.Constant(value=int(value)):
                return n.Const(value, None, token.span)
            case n.Constant():
                return n.Lookup(name, self._indices(), self._reader.span_from(token.span))
            case Variable():
                return self._read(entity, self._indices(), self._reader.span_from(token.span))
            case Label():
                return self._label(name, entity, token.span)
            case Definition():
                return self._expansion.expand(entity, (), token.span)
            case Domain():
                return self._qualified(entity, token.span)
            case _:
                if entity is None:
                    self._reader.unknown(name, token.span)
                self._reader.failed = True
                self._indices()
                return n.Const(0, None, token.span)

    def _indices(self) -> tuple[Expr, ...]:
        found = []
        while self._stream.accept("["):
            found.append(self._climb(0))
            self._stream.expect("]")
        return tuple(found)

    @staticmethod
    def _read(variable: Variable, indices: tuple[Expr, ...], span: Span) -> Expr:
        if variable.is_sequence and len(indices) == len(variable.dimensions) + 1:
            return n.Item(variable.name, indices[:-1], indices[-1], span)
        return n.Read(variable.name, indices, span)

    def _label(self, name: str, label: Label, span: Span) -> Expr:
        first = label.values[0]
        assert first.domain is not None
        if len({(v.value, v.domain and type_of_domain(v.domain)) for v in label.values}) > 1:
            choices = " or ".join(f"'{v.domain.name}.{name}'" for v in label.values if v.domain)
            self._reader.error("BUR213", f"'{name}' is a label of several domains", span, help=f"write {choices}")
        return n.Const(first.value, first.domain, span)

    def _qualified(self, domain: Domain, start: Span) -> Expr:
        """``Domain.label`` or ``Domain.number``."""
        if not self._stream.accept("."):
            remedy = f"'{domain.name}.label' is one of its values"
            self._reader.error("BUR203", f"'{domain.name}' is a domain, not a value", start, help=remedy)
            return n.Const(0, None, start)
        if self._stream.at("number"):
            value = self._digits(self._stream.advance())
            span = self._reader.span_from(start)
            if value not in domain:
                self._reader.error("BUR203", f"'{domain.name}' has no value {value}", span)
            return n.Const(value, domain, span)
        label, place = self._reader.name("a label")
        if label not in domain.labels:
            self._reader.error(
                "BUR201", f"'{domain.name}' has no label '{label}'", place, help=did_you_mean(label, domain.labels)
            )
            return n.Const(domain.low, domain, place)
        value = domain.high - len(domain.labels) + 1 + domain.labels.index(label)
        return n.Const(value, domain, self._reader.span_from(start))

    # ------------------------------------------------------------ calls

    def _call(self, name: str, start: Span) -> Expr:
        entity = self._scope.globals.get(name)
        if entity is None and name in ("len", "empty", "full", "head"):
            return self._ask_sequence(name, start)
        self._stream.advance()
        arguments = self._reader.listed(self._climb, ")")
        span = self._reader.span_from(start)
        if isinstance(entity, Definition):
            return self._expansion.expand(entity, arguments, span)
        if entity is None and name in ("min", "max"):
            return self._extreme(name, arguments, span)
        if entity is None:
            self._reader.unknown(name, start)
        elif entity != Broken():
            self._reader.error("BUR203", f"'{name}' cannot be called", start, help="indices stand in brackets: a[i]")
        self._reader.failed = True
        return n.Const(0, None, span)

    def _extreme(self, name: str, arguments: tuple[Expr, ...], span: Span) -> Expr:
        if len(arguments) < 2:
            self._reader.error("BUR204", f"'{name}' takes two or more arguments, found {len(arguments)}", span)
            return n.Const(0, None, span)
        result = arguments[0]
        for argument in arguments[1:]:
            result = n.Binary(name, result, argument, span)
        return result

    def _ask_sequence(self, name: str, start: Span) -> Expr:
        """``len``, ``empty``, ``full`` or ``head`` of a sequence; ``len`` of a constant list."""
        self._stream.advance()
        variable, place = self._reader.name("the name of a sequence")
        indices = self._indices()
        self._stream.expect(")")
        span = self._reader.span_from(start)
        entity = self._scope.globals.get(variable)
        if name == "len" and isinstance(entity, n.Constant) and isinstance(entity.value, tuple):
            shape = table_shape(entity.value) or (len(entity.value),)
            if len(indices) < len(shape):
                return n.Const(shape[len(indices)], None, span)
        if not isinstance(entity, Variable) or not entity.is_sequence:
            if entity is None and variable not in self._scope.locals:
                self._reader.unknown(variable, place)
            elif entity != Broken():
                self._reader.error("BUR203", f"'{variable}' is not a sequence", place)
            self._reader.failed = True
            return n.Const(0, None, span)
        if name == "head":
            return n.Item(variable, indices, n.Const(0, None, span), span)
        length = n.Length(variable, indices, span)
        if name == "len":
            return length
        return n.Binary("==", length, n.Const(0 if name == "empty" else entity.capacity or 0, None, span), span)

    # ------------------------------------------------------------ domains

    def domain(self) -> Domain:
        """A domain without labels of its own: a name, ``bool``, or a range, perhaps ``of`` a process domain."""
        self._stream.enter()
        start = self._stream.peek.span
        domain = self.plain_domain()
        self._stream.leave()
        if domain.size < 1:
            if not self._reader.failed:
                self._reader.error("BUR205", "this domain is empty", self._reader.span_from(start))
            return Domain("", 0, 0)
        return domain

    def plain_domain(self) -> Domain:
        """As `domain`, but perhaps empty."""
        token = self._stream.peek
        if self._stream.accept("bool"):
            return BOOL
        if token.kind in ("name", "quoted") and spelling(token) not in self._scope.locals:
            entity = self._scope.globals.get(spelling(token))
            after = self._stream.peek_kinds(2)[-1]
            if isinstance(entity, Domain) and after != ".":
                self._stream.advance()
                return entity
            if entity is None or entity == Broken():
                self._stream.advance()
                self._reader.failed = True
                if entity is None:
                    remedy = "a domain is finite: write a range such as 0..9" if token.text in _UNBOUNDED else ""
                    self._reader.unknown(spelling(token), token.span, also=["bool"], help=remedy)
                if not self._stream.at("..", "+", "-", "*", "/", "%", "("):
                    return Domain("", 0, 0)
                self._stream.skip_to(";", "}", ")", "]")
                raise SyntaxStop
        low = self._bound()
        if not self._stream.accept(".."):
            self._stream.fail("'..' between the ends of a range", help="a range has two ends, such as 0..9")
        high = self._bound()
        index = self.index_of() if self._stream.accept("of") else ""
        if high - low >= LARGEST_DOMAIN:
            span = self._reader.span_from(token.span)
            self._reader.error("BUR205", f"this domain has {high - low + 1:,} values", span)
            return Domain("", 0, 0)
        return Domain("", low, max(high, low - 1), (), index)

    def index_of(self) -> str:
        """The process domain behind ``of``."""
        name, span = self._reader.name("a process domain")
        entity = self._scope.globals.get(name)
        if entity is None:
            self._reader.unknown(name, span)
        elif not (isinstance(entity, Domain) and entity.index == name):
            self._reader.error(
                "BUR203",
                f"'{name}' is not a process domain",
                span,
                notes=[Note(f"'{name}' is declared here", span=self._scope.place_of(name))],
            )
        return name

    def _bound(self) -> int:
        return self._constants.number(self._climb(_COMPARISON))
