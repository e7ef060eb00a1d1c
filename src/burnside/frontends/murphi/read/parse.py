"""Reads Murphi texts: declarations, routines and rules in any order, each error on its own."""

from __future__ import annotations

from typing import Final, final

from burnside.frontends.kit.reader import read_text
from burnside.frontends.murphi.read import syntax
from burnside.frontends.murphi.read.lexicon import DECLARATIONS, LEXICON, ROUTINES, RULES, STATEMENTS
from burnside.frontends.murphi.read.statements import StatementReader
from burnside.frontends.murphi.read.syntax import AnyRule, Expression, Item, Statement
from burnside.source import Diagnostics, Source, SyntaxStop, TokenStream, did_you_mean

# Words that begin something at the top, and nothing inside a body: reading goes on there after an error.
_TOP: Final = ("const", "type", *ROUTINES, "rule", "startstate", "ruleset", "choose", "invariant", "liveness", "pctl")
_EXPECTED: Final = "a declaration, a routine or a rule"


def parse(source: Source, diagnostics: Diagnostics) -> tuple[Item, ...]:
    """What a text consists of, in order; what cannot be read is reported and left out."""
    reader = _Reader(TokenStream(LEXICON, source, diagnostics))
    read_text(reader.stream, reader.item, lambda: reader.stream.skip_to(*_TOP))
    return tuple(reader.items)


@final
class _Reader(StatementReader):
    def __init__(self, stream: TokenStream) -> None:
        super().__init__(stream)
        self.items: list[Item] = []

    def item(self) -> None:
        """What comes next at the top of a text."""
        kind = self.stream.peek.kind
        if kind in DECLARATIONS:
            self.items += self.section()
        elif kind in ("function", "procedure"):
            self.items.append(self._routine())
        elif kind in RULES:
            self.items.append(self._any_rule())
        elif kind in ("externfun", "externproc"):
            message = "routines written in C++ are not supported"
            self.error("BUR901", message, self.stream.advance().span, help="write it in Murphi")
            raise SyntaxStop
        elif kind == "pctl":
            message = "PCTL formulas are not supported"
            self.error("BUR901", message, self.stream.advance().span, help="probabilities are not checked")
            raise SyntaxStop
        else:
            token = self.stream.peek
            known = (*DECLARATIONS, *ROUTINES, *RULES)
            try:
                self.stream.fail(_EXPECTED, help=did_you_mean(token.text.lower(), known))
            finally:
                self.stream.advance()

    def _routine(self) -> Item:
        word = self.stream.advance()
        name = self.name()
        parameters = self.parameters()
        result = self.type_expression() if self.stream.accept(":") else None
        self._semicolons()
        declarations = self.declarations()
        self.stream.accept("begin")
        body = self.block()
        self.closing(word.kind)
        if word.kind == "function" and result is None:
            self.error("BUR102", f"'{name.text}' has no type of results", name.span, help="a procedure has none")
        return syntax.Routine(name, parameters, result, declarations, body, word.span.to(name.span))

    # ------------------------------------------------------------ rules

    def _rules(self) -> tuple[AnyRule, ...]:
        found: list[AnyRule] = []
        self.stream.enter()
        while True:
            self._semicolons()
            if not self.stream.at(*RULES):
                self.stream.leave()
                return tuple(found)
            found.append(self._any_rule())

    def _any_rule(self) -> AnyRule:
        start = self.stream.peek
        match start.kind:
            case "rule":
                return self._rule()
            case "startstate":
                self.stream.advance()
                title = self.text() if self.title_ahead() else ""
                span = self.span_from(start.span)
                declarations = self.declarations()
                self.stream.accept("begin")
                body = self.block()
                self.closing("startstate")
                return syntax.StartState(title, declarations, body, span)
            case "ruleset":
                self.stream.advance()
                binders = [self.binder()]
                while self.stream.accept(";"):
                    if self.stream.at("name"):
                        binders.append(self.binder())
                self.stream.expect("do", "';' or 'do'")
                rules = self._rules()
                self.closing("ruleset")
                return syntax.Ruleset(tuple(binders), rules, start.span)
            case "alias":
                self.stream.advance()
                aliases = self.aliases()
                rules = self._rules()
                self.closing("alias")
                return syntax.AliasedRules(aliases, rules, start.span)
            case "choose":
                self.stream.advance()
                index = self.name()
                self.stream.expect(":")
                multiset = self.expression()
                self.stream.expect("do")
                rules = self._rules()
                self.closing("choose")
                return syntax.Choose(index, multiset, rules, start.span)
            case _:
                word, title, condition, span = self.property()
                return syntax.Property("invariant" if word == "assert" else word, condition, title, span)

    def _rule(self) -> AnyRule:
        start = self.stream.advance().span
        if self.stream.at("number") and self.stream.peek_kinds(2)[-1] in ("string", "quoted"):
            message = "priorities of rules are not supported"
            self.error("BUR901", message, self.stream.advance().span, help="say in the guard when the rule is possible")
        title = self.text() if self.title_ahead() else ""
        span = self.span_from(start)
        guard, first = self._guard()
        declarations = self.declarations() if first is None else ()
        self.stream.accept("begin") if first is None else None
        body = self.block(first)
        self.closing("rule")
        return syntax.Rule(title, guard, declarations, body, span)

    def _guard(self) -> tuple[Expression | None, Statement | None]:  # noqa: RET503 (fail does not return)
        """The guard of a rule or, if it has none and no ``begin``, perhaps its first statement."""
        if self.stream.at("begin", *DECLARATIONS, *STATEMENTS, "endrule", "END"):
            return None, None
        condition = self.expression()
        if self.stream.accept("==>"):
            return condition, None
        if self.stream.at(":=") or isinstance(condition, syntax.Call):
            return None, self.simple(condition)
        self.stream.fail("'==>'")
