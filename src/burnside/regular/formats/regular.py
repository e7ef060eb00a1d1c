"""Our own text form, ``.regular``.

    alphabet { idle, request, critical }
    configurations [idle critical] any*;
    action grant = idle/critical id* request/critical id*;
    pattern clients = rotation@2;
    find { kind process; forced idle idle request -> idle request idle; }

Statements end with ``;`` unless they end with a block. Names defined by ``let`` stand for expressions; letters
come first in lookup.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import final

from burnside.regular.alphabet import Alphabet, Pair, Word
from burnside.regular.formats.build import MOST_LETTERS, Draft, action_of, permutation_of
from burnside.regular.formats.elaborate import Scope
from burnside.regular.formats.expressions import (
    LEXICON,
    RESERVED,
    at_word,
    parse_expression,
    parse_letter,
    parse_number,
)
from burnside.regular.relations import universal
from burnside.regular.search import TooLarge
from burnside.regular.system import Constraints, NamedPattern, SafetyQuestion, System
from burnside.source import Diagnostics, Source, Span, SyntaxStop, Token, TokenStream, did_you_mean

KINDS = ("process", "complete", "function", "decreasing")
LONGEST_GENERATOR = 8
MOST_STATES = 40
_BLOCKS = ("alphabet", "safety", "find")


def read_regular(source: Source, diagnostics: Diagnostics) -> System | None:
    """Read a ``.regular`` text; None after errors."""
    return _Reader(source, diagnostics).read()


def parse_states(stream: TokenStream, token: Token) -> tuple[int, int]:
    """``1..8``: the numbers of states that a pattern may have."""
    least = parse_number(stream, MOST_STATES)
    stream.expect("..")
    most = parse_number(stream, MOST_STATES)
    if not 1 <= least <= most:
        stream.diagnostics.error("BUR610", f"there is no number of states from {least} to {most}", token.span)
    return least, most


@final
class _Reader:
    """A recursive-descent parser that builds automata as it goes and recovers at every ``;``."""

    def __init__(self, source: Source, diagnostics: Diagnostics) -> None:
        self.stream = TokenStream(LEXICON, source, diagnostics)
        self.diagnostics = diagnostics
        self.scope = Scope(Alphabet(()), diagnostics)
        self.draft = Draft(diagnostics, Alphabet(()), universal(()))
        self.names: dict[tuple[str, str], Span] = {}
        self.found: dict[str, Span] = {}
        self.uneven: list[Span] = []

    def read(self) -> System | None:
        statements = {
            "alphabet": self._alphabet,
            "let": self._let,
            "configurations": self._configurations,
            "action": self._action,
            "pattern": self._pattern,
            "safety": self._safety,
            "find": self._find,
        }
        while not self.stream.at("end"):
            self._guarded(statements, "a statement", closers=(";",))
        if "alphabet" not in self.found:
            if "missing" not in self.found:
                self.diagnostics.error("BUR608", "the system has no alphabet", self.stream.peek.span)
            return None
        return self.draft.finish(self.stream.peek.span)

    def _guarded(self, parts: Mapping[str, Callable[[Token], None]], what: str, *, closers: tuple[str, ...]) -> None:
        """Read one statement; after an error go on behind the next ``;``."""
        token = self.stream.peek
        try:
            if token.kind != "word" or token.text not in parts:
                self.stream.fail(what, help=did_you_mean(token.text, parts))
            self.stream.advance()
            parts[token.text](token)
            if not self.stream.accept(";") and token.text not in _BLOCKS:
                self.stream.expect(";")
        except SyntaxStop:
            self.stream.restart()
            self.stream.skip_to(*closers)
            self.stream.accept(";")
        except TooLarge:
            remedy = "split the expression, or repeat less often"
            span = token.span.to(self.stream.previous.span)
            self.diagnostics.error("BUR606", "the automaton of this expression is too large", span, help=remedy)
            self.stream.skip_to(*closers)
            self.stream.accept(";")

    # ------------------------------------------------------------ statements

    def _alphabet(self, token: Token) -> None:
        self._once("alphabet", token)
        self.stream.expect("{")
        names: list[str] = []
        while not self.stream.at("}", "end"):
            names.append(self._new_letter(names))
            if not self.stream.accept(","):
                break
        self.stream.expect("}")
        if not names or len(names) > MOST_LETTERS:
            self.diagnostics.error("BUR205", f"an alphabet has 1 to {MOST_LETTERS} letters", token.span)
            names = names[:MOST_LETTERS]
        self.scope.alphabet = self.draft.alphabet = Alphabet(tuple(names))
        self.draft.configurations = universal(self.draft.alphabet.letters)

    def _new_letter(self, names: list[str]) -> str:
        quoted = self.stream.at("string")
        name, span = parse_letter(self.stream)
        if name in names:
            self.diagnostics.error("BUR202", f"the letter '{name}' is declared twice", span)
        if name == "_" or (name in RESERVED and not quoted) or not name.strip():
            self.diagnostics.error("BUR202", f"'{name}' is reserved and cannot be a letter", span)
        return name

    def _let(self, token: Token) -> None:
        self._needs_alphabet(token)
        name = self._new_name("definition")
        if name.text in (*self.scope.alphabet.names, *RESERVED):
            self.diagnostics.error("BUR202", f"'{name.text}' is already a letter or reserved", name.span)
        self.stream.expect("=")
        self.scope.define(name.text, parse_expression(self.stream))

    def _configurations(self, token: Token) -> None:
        self._needs_alphabet(token)
        self._once("configurations", token)
        expr = parse_expression(self.stream)
        self.draft.configurations_span = expr.span
        self.draft.configurations = self.scope.language(expr)

    def _action(self, token: Token) -> None:
        self._needs_alphabet(token)
        name = self._new_name("action")
        self.stream.expect("=")
        expr = parse_expression(self.stream)
        self.draft.actions.append(action_of(name.text, self.scope.relation(expr), expr.span))

    def _pattern(self, token: Token) -> None:
        self._needs_alphabet(token)
        name = self._new_name("pattern")
        self.stream.expect("=")
        expr = parse_expression(self.stream)
        self.draft.patterns.append(NamedPattern(name.text, self.scope.relation(expr), expr.span))

    def _safety(self, token: Token) -> None:
        self._needs_alphabet(token)
        name = self._new_name("safety")
        self.stream.expect("{")
        self._word("from")
        start = self.scope.language(parse_expression(self.stream))
        self.stream.expect(";")
        self._word("never")
        never = self.scope.language(parse_expression(self.stream))
        self.stream.expect(";")
        self.stream.expect("}")
        self.draft.questions.append(SafetyQuestion(name.text, start, never, name.span))

    def _find(self, token: Token) -> None:
        self._needs_alphabet(token)
        self._once("find", token)
        clauses = {
            "kind": self._kind,
            "states": self._states,
            "forced": self._forced,
            "generator": self._generator,
            "select": self._select,
            "must": self._must,
            "bounded": self._bounded,
            "impossible": self._impossible,
        }
        self.stream.expect("{")
        while not self.stream.at("}", "end"):
            self._guarded(clauses, "a constraint", closers=(";", "}"))
        self.stream.expect("}")
        for span in self.uneven if self._so_far.kind != "decreasing" else ():
            remedy = "'kind decreasing' allows shorter images"
            self.diagnostics.error("BUR610", "words forced on each other have the same length", span, help=remedy)

    # ------------------------------------------------------------ constraints

    def _add(self, **changes: object) -> None:
        self.draft.constraints = replace(self.draft.constraints, **changes)  # type: ignore[arg-type]

    @property
    def _so_far(self) -> Constraints:
        return self.draft.constraints

    def _kind(self, token: Token) -> None:
        self._once("kind", token)
        if not at_word(self.stream, *KINDS):
            self.stream.fail("one of " + ", ".join(f"'{kind}'" for kind in KINDS))
        self._add(kind=self.stream.advance().text)

    def _states(self, token: Token) -> None:
        self._once("states", token)
        self._add(states=parse_states(self.stream, token))

    def _forced(self, token: Token) -> None:
        left = self._spelled()
        self.stream.expect("->")
        right = self._spelled()
        if len(left) != len(right):
            self.uneven.append(token.span)
        self._add(forced=(*self._so_far.forced, (left, right)))
        self.draft.forced_spans.append(token.span.to(self.stream.previous.span))

    def _spelled(self) -> Word:
        letters = []
        while self.stream.at("word", "string"):
            letters.append(self.scope.letter(*parse_letter(self.stream)))
        return tuple(a for a in letters if a is not None)

    def _generator(self, token: Token) -> None:
        length = parse_number(self.stream, LONGEST_GENERATOR)
        self._add(generators=(*self._so_far.generators, self._permutation(length, token)))

    def _select(self, token: Token) -> None:
        length = parse_number(self.stream, LONGEST_GENERATOR)
        self._once(f"select {length}", token)
        choices = [self._permutation(length, token)]
        while self.stream.accept("|"):
            choices.append(self._permutation(length, token))
        self._add(selectors={**self._so_far.selectors, length: tuple(choices)})

    def _permutation(self, length: int, token: Token) -> tuple[int, ...]:
        """Cycles of positions counted from one: ``(1 2 3)(4 5)``."""
        cycles: list[list[int]] = []
        while self.stream.accept("("):
            cycle = []
            while not self.stream.at(")", "end"):
                cycle.append(parse_number(self.stream, LONGEST_GENERATOR) - 1)
            cycles.append(cycle)
            self.stream.expect(")")
        images = permutation_of(cycles, length)
        if images is None:
            span = token.span.to(self.stream.previous.span)
            self.diagnostics.error("BUR610", f"these cycles do not permute the positions 1 to {length}", span)
        return images or tuple(range(length))

    def _must(self, _: Token) -> None:
        positive = not at_word(self.stream, "not")
        if not positive:
            self.stream.advance()
        expr = parse_expression(self.stream)
        relation = self.scope.relation(expr)
        if not self.draft.check_padding(relation, expr.span):
            return
        if positive:
            self._add(must=(*self._so_far.must, relation))
        else:
            self._add(must_not=(*self._so_far.must_not, relation))

    def _bounded(self, _: Token) -> None:
        if at_word(self.stream, "any"):
            self.stream.advance()
            self._add(bounded=tuple(self.scope.alphabet.letters))
            return
        letters = [*self._so_far.bounded, self.scope.letter(*parse_letter(self.stream))]
        while self.stream.accept(","):
            letters.append(self.scope.letter(*parse_letter(self.stream)))
        self._add(bounded=tuple(sorted({a for a in letters if a is not None})))

    def _impossible(self, _: Token) -> None:
        pairs = [self._pair()]
        while self.stream.accept(","):
            pairs.append(self._pair())
        self._add(impossible=(*self._so_far.impossible, *(p for p in pairs if p is not None)))

    def _pair(self) -> Pair | None:
        left = self.scope.letter(*parse_letter(self.stream))
        self.stream.expect("/")
        right = self.scope.letter(*parse_letter(self.stream))
        return None if left is None or right is None else (left, right)

    # ------------------------------------------------------------ names

    def _word(self, text: str) -> None:
        if not at_word(self.stream, text):
            self.stream.fail(f"'{text}'")
        self.stream.advance()

    def _new_name(self, what: str) -> Token:
        if not self.stream.at("word"):
            self.stream.fail("a name")
        token = self.stream.advance()
        if (what, token.text) in self.names:
            self.diagnostics.error("BUR202", f"the {what} '{token.text}' is declared twice", token.span)
        self.names[what, token.text] = token.span
        return token

    def _once(self, what: str, token: Token) -> None:
        if what in self.found:
            self.diagnostics.error("BUR202", f"'{what}' is given twice", token.span)
        self.found[what] = token.span

    def _needs_alphabet(self, token: Token) -> None:
        if "alphabet" not in self.found:
            if "missing" not in self.found:
                self.diagnostics.error("BUR608", "the alphabet has to come first", token.span)
            self.found["missing"] = token.span
            raise SyntaxStop
