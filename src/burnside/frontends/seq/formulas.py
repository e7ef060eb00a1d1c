"""Formulas about runs in ``.seq``: temporal operators around conditions and events.

Operators from the loosest: ``<=>``, ``=>``, ``||``, ``&&``, then ``U``, ``R``, ``W`` (to the right), then ``!``,
``[]``, ``<>``, ``X``. A part without temporal operators is one condition, read as everywhere else. ``X``, ``U``, ``R``
and ``W`` are operators in formulas only; a variable of that name stands in backquotes there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise, product
from typing import Final, TypeAlias, final

from burnside.claims.kinds import Atom, EventTest, Fairness
from burnside.claims.printer import print_event_test
from burnside.frontends.kit.operators import OperatorParser, Signs
from burnside.frontends.kit.temporal import LARGEST, MEANINGS, MOST_ATOMS
from burnside.frontends.seq.expressions import Expressions
from burnside.frontends.seq.ids import report
from burnside.frontends.seq.lexicon import OPERATORS, TEMPORAL
from burnside.frontends.seq.reader import Reader
from burnside.ir.ids import kind_of, wanted_by_events, without_ordinals
from burnside.ir.instances import valuation_count
from burnside.ir.nodes import Binary, Const, Expr, Logic, Parameter, Rule, Unary
from burnside.ir.printer import ANYTHING, print_expr
from burnside.ir.rewrite import substitute
from burnside.ir.simplify import typed_constant
from burnside.ir.uses import variables_read
from burnside.ir.wholes import widths_of
from burnside.ltl import formula as ltl
from burnside.ltl.formula import Formula
from burnside.source import Span, SyntaxStop, Token, did_you_mean
from burnside.values import dataclass, field

_NEGATION: Final = OPERATORS.prefixes["!"]
_WORDS: Final = ("X", "U", "R", "W")
_LETTERS: Final = {"G": "[]", "F": "<>"}
_LETTERS_HELP: Final = "'[]' is always, '<>' is eventually"


@final
@dataclass(frozen=True, slots=True)
class Operation:
    """An operator with at least one part that is not a plain condition."""

    sign: str
    parts: tuple[Part, ...]


@final
@dataclass(frozen=True, slots=True)
class Every:
    """``forall`` or ``exists`` around a temporal formula."""

    quantifier: str
    binders: tuple[Parameter, ...]
    body: Part


Part: TypeAlias = "Expr | EventTest | Operation | Every"


@final
@dataclass
class Written:
    """A formula with what its atoms stand for; what is said of all values of some parameters is a family."""

    formula: Formula = ltl.TRUE
    atoms: dict[str, Atom] = field(default_factory=dict)
    parameters: tuple[Parameter, ...] = ()


@final
class Formulas:
    """The part of the parser that reads formulas; ``rules`` are those read so far."""

    def __init__(self, reader: Reader, expressions: Expressions, rules: Sequence[Rule]) -> None:
        self._reader = reader
        self._stream = reader.stream
        self._expressions = expressions
        self._rules = rules
        self._operators: OperatorParser[Part] = OperatorParser(
            TEMPORAL,
            self._stream,
            operand=self._operand,
            join=self._joined,
            prefix=_prefixed,
            read_prefix=self._read_prefix,
            error=reader.error,
        )

    def formula(self) -> Written:
        """A whole formula."""
        start = self._stream.peek.span
        part = self._operators.parse()
        written = Written()
        while isinstance(part, Every) and part.quantifier == "forall":
            written.parameters += part.binders
            part = part.body
        if _size(part) > LARGEST:
            message = f"written out, this formula has more than {LARGEST:,} operators"
            self._reader.error("BUR502", message, self._reader.span_from(start), help="split it into several claims")
            raise SyntaxStop
        written.formula = self._resolve(part, {}, written.atoms)
        if len(written.atoms) > MOST_ATOMS:
            message = f"this formula has {len(written.atoms)} different conditions, at most {MOST_ATOMS} are possible"
            self._reader.error("BUR502", message, self._reader.span_from(start))
        return written

    def fairness(self) -> Fairness:
        """``under weak fairness``, ``under strong fairness of events``, ``under global fairness``; else none."""
        if self._stream.peek.text != "under":
            return Fairness.NONE
        self._stream.advance()
        strength = self._word("weak", "strong", "global")
        self._word("fairness")
        if strength != "global" and self._stream.accept("of"):
            strength += f"-{self._word('events')}"
        return Fairness(strength)

    def _word(self, *words: str) -> str:
        if self._stream.peek.text not in words:
            self._stream.fail(" or ".join(f"'{w}'" for w in words))
        return self._stream.advance().text

    # ------------------------------------------------------------ reading

    def _operand(self) -> Part:
        if self._stream.at("forall", "exists") and self._is_temporal(self._stream.ahead()):
            return self._every()
        if self._stream.at("(") and self._is_temporal(self._stream.ahead()):
            self._stream.advance()
            inside = self._operators.parse()
            self._stream.expect(")")
            return inside
        if self._at_event(self._stream.peek, self._stream.peek_kinds(2)[-1]):
            return self._event()
        return self._expressions.expression(_NEGATION)

    def _read_prefix(self) -> str:
        """The operator in front of an operand, read; empty if there is none."""
        for sign, tokens in (("[]", ["[", "]"]), ("<>", ["<", ">"])):
            if self._stream.peek_kinds(2) == tokens:
                self._stream.advance()
                self._stream.advance()
                return sign
        if self._reader.at_negation:
            return self._operators.read_sign()
        token = self._stream.peek
        if self._is_letter(token):
            meant = _LETTERS[self._stream.advance().text]
            self._reader.error("BUR102", f"expected '{meant}', found '{token.text}'", token.span, help=_LETTERS_HELP)
            return meant
        if token.kind != "name" or token.text not in _WORDS:
            return ""
        self._stream.advance()
        if token.text != "X" or not self._at_operand():
            remedy = f"'{token.text}' is a temporal operator here; a variable of that name is written `{token.text}`"
            self._stream.fail("a condition", help=remedy)
        return "X"

    def _at_operand(self) -> bool:
        """Whether something that can follow ``X`` begins here."""
        starts = ("number", "name", "quoted", "true", "false", "(", "!", "-", "if", "forall", "exists", "count", "sum")
        return self._stream.at(*starts) or self._stream.peek_kinds(2) in (["[", "]"], ["<", ">"])

    def _is_temporal(self, tokens: Iterator[Token]) -> bool:
        """Whether a temporal operator or an event stands in the group that begins here."""
        depth = 0
        for token, after in pairwise(tokens):
            depth += {"(": 1, ")": -1}.get(token.kind, 0)
            if token.kind == ";" or depth < 0:
                return False
            if (token.kind, after.kind) in (("[", "]"), ("<", ">")) or self._at_event(token, after.kind):
                return True
            if (token.kind == "name" and token.text in _WORDS) or self._is_letter(token):
                return True
            if depth == 0 and token.kind == ")":
                return False
        return False

    def _is_letter(self, token: Token) -> bool:
        """Whether a token is an operator as other languages write it."""
        return token.kind == "name" and token.text in _LETTERS and not self._reader.scope.is_taken(token.text)

    @staticmethod
    def _at_event(token: Token, after: str) -> bool:
        return token.kind == "name" and token.text == "event" and after in ("name", "quoted")

    def _every(self) -> Part:
        quantifier = self._stream.advance().kind
        outer = dict(self._reader.scope.locals)
        try:
            binders = self._expressions.binders("in", "bound name")
            self._stream.expect(":")
            body = self._operators.parse()
        finally:
            self._reader.scope.locals = outer
        return Every(quantifier, binders, body)

    def _event(self) -> EventTest:
        """``event get(i, _)``: the step that is taken is a ``get`` by ``i``, of anything."""
        self._stream.advance()
        name, span = self._reader.name("the name of an event")
        given = self._reader.listed(self._argument, ")") if self._stream.accept("(") else None
        self._check_event(name, given, span)
        arguments = None if given is None else self._in_parts(name, given)
        self._check_ids(name, arguments or ())
        return EventTest(name, arguments)

    def _in_parts(self, name: str, given: Sequence[Sequence[Expr] | None]) -> tuple[Expr | None, ...]:
        """Arguments as the single values that they are; ``_`` is any value of what the rules have in its place."""
        fitting = [w for w in self._widths(name) if len(w) == len(given)]
        known = [w for w in fitting if all(g is None or len(g) == k for g, k in zip(given, w, strict=True))]
        widths = next(iter(known or fitting), (1,) * len(given))
        parts = ((None,) * k if g is None else g for g, k in zip(given, widths, strict=True))
        return tuple(chain.from_iterable(parts))

    def _widths(self, name: str) -> list[tuple[int, ...]]:
        """How many single values each argument of an event has, for every rule with the event."""
        events = (r.event for r in self._rules if r.event.name == name)
        return [widths_of(e.written) if e.written else (1,) * len(e.arguments) for e in events]

    def _argument(self) -> Sequence[Expr] | None:
        # Behind the name of a domain stands a label: `_.label`.
        if self._stream.peek.text == ANYTHING and self._stream.peek_kinds(2)[-1] in (
            ",",
            ")",
        ):
            self._stream.advance()
            return None
        term = self._expressions.term()
        parts = self._expressions.single_values(term)
        if any(map(variables_read, parts)):
            self._reader.error("BUR203", "an argument of an event is a value, not a variable", term.span)
        return parts

    def _check_ids(self, name: str, arguments: Sequence[Expr | None]) -> None:
        """Report an id where all rules with the event have one of another process."""
        declared = self._reader.scope.declared
        for position, wanted in wanted_by_events(self._rules, name, arguments, declared):
            given = arguments[position]
            assert given is not None
            report(self._reader.error, given, kind_of(given, declared), wanted)

    def _check_event(self, name: str, arguments: Sequence[object] | None, span: Span) -> None:
        counts = set(map(len, self._widths(name)))
        if not counts:
            remedy = did_you_mean(name, {r.event.name for r in self._rules}) or "events are declared by the rules above"
            self._reader.error("BUR201", f"no rule has the event '{name}'", span, help=remedy)
        elif arguments is not None and len(arguments) not in counts:
            takes = " or ".join(map(str, sorted(counts)))
            self._reader.error("BUR204", f"event '{name}' has {takes} arguments, found {len(arguments)}", span)

    def _joined(self, signs: Signs, parts: tuple[Part, ...], _: Span) -> Part:
        """Two parts under an operator; two conditions under a connective are one condition."""
        (sign,), (left, right) = signs, parts
        if sign in _WORDS or isinstance(left, EventTest | Operation | Every):
            return Operation(sign, (left, right))
        if isinstance(right, EventTest | Operation | Every):
            return Operation(sign, (left, right))
        span = self._reader.span_from(left.span) if left.span else None
        return Logic(sign, (left, right), span) if sign in ("&&", "||") else Binary(sign, left, right, span)

    # ------------------------------------------------------------ meaning

    def _resolve(self, part: Part, values: Mapping[str, Expr], atoms: dict[str, Atom]) -> Formula:
        match part:
            case Operation(sign=sign, parts=parts):
                return MEANINGS[sign](*(self._resolve(p, values, atoms) for p in parts))
            case Every(quantifier=quantifier, binders=binders, body=body):
                join = ltl.conjunction if quantifier == "forall" else ltl.disjunction
                return join(self._resolve(body, {**values, **v}, atoms) for v in _choices(binders))
            case EventTest(name=name, arguments=arguments):
                given = arguments and tuple(None if a is None else substitute(a, values, set()) for a in arguments)
                test = EventTest(name, given)
                return _atom(print_event_test(test), test, atoms)
            case Unary(operator="!", operand=operand):
                return ltl.negation(self._resolve(operand, values, atoms))
            case Const(value=value):
                return ltl.TRUE if value else ltl.FALSE
            case _:
                condition = substitute(part, values, set()) if values else part
                return _atom(print_expr(without_ordinals(condition)), condition, atoms)


def _size(part: Part) -> int:
    """How many operators a formula has when it is written out."""
    match part:
        case Operation(sign=sign, parts=parts):
            # An equivalence needs its parts twice: as they are, and negated.
            return min(LARGEST + 1, 1 + sum(map(_size, parts)) * (2 if sign == "<=>" else 1))
        case Every(binders=binders, body=body):
            return min(LARGEST + 1, valuation_count(binders) * (1 + _size(body)))
        case _:
            return 1


def _atom(name: str, atom: Atom, atoms: dict[str, Atom]) -> Formula:
    atoms[name] = atom
    return ltl.atom(name)


def _choices(binders: Iterable[Parameter]) -> Iterator[dict[str, Expr]]:
    """All values of some names."""
    names = [b.name for b in binders]
    for values in product(*([typed_constant(v, b.domain) for v in b.domain.values()] for b in binders)):
        yield dict(zip(names, values, strict=True))


def _prefixed(sign: str, operand: Part, _: Span) -> Part:
    if sign == "!" and not isinstance(operand, EventTest | Operation | Every):
        return Unary("!", operand, operand.span)
    return Operation(sign, (operand,))
