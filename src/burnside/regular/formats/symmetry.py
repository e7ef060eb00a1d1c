"""The input format of the authors' own tool [LinEtAl16]: ``model { systemTransitions { … } … }``.

Positions in it count from zero. The letters are those of the transitions, in the order of their names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import final

from burnside.frontends.kit.reader import read_parts
from burnside.regular.alphabet import Alphabet, Pair, Word
from burnside.regular.formats.blocks import LEXICON, Block, listed_words, parse_block
from burnside.regular.formats.build import MOST_LETTERS, Draft, action_of, permutation_of
from burnside.regular.formats.expressions import at_word, parse_number
from burnside.regular.formats.regular import LONGEST_GENERATOR, parse_states
from burnside.regular.relations import universal
from burnside.regular.system import Constraints, System
from burnside.source import Diagnostics, Note, Source, Span, SyntaxStop, Token, TokenStream, did_you_mean
from burnside.values import dataclass, field

OFF = ("parikh", "copycat", "permutative", "injectiveinput", "outputUniversal")
KEPT = ("automorphism", "injectiveoutput", "inputUniversal")
_STATEMENTS = (
    "statesGuessing",
    "forcedSymmetryInstances",
    "forcedSymmetryGenerators",
    "outputBoundedLetters",
    "impossible",
    "validConfigurations",
    "off",
)
_ONCE = ("statesGuessing", "validConfigurations")


@final
@dataclass
class _Parts:
    """What the file says, before letters are numbers."""

    transitions: Block | None = None
    valid: Block | None = None
    states: tuple[int, int] | None = None
    forced: list[tuple[list[Token], list[Token], Span]] = field(default_factory=list)
    generators: list[tuple[int, ...]] = field(default_factory=list)
    bounded: list[Token] = field(default_factory=list)
    impossible: list[tuple[Token, Token]] = field(default_factory=list)
    off: set[str] = field(default_factory=set)
    once: set[str] = field(default_factory=set)


def read_symmetry(source: Source, diagnostics: Diagnostics) -> System | None:
    """Read the authors' format; None after errors."""
    stream = TokenStream(LEXICON, source, diagnostics)
    parts = _Parts()
    try:
        _expect_word(stream, "model")
        stream.expect("{")
        _expect_word(stream, "systemTransitions")
        parts.transitions = parse_block(stream, pairs=True)
        _statements(stream, parts)
        stream.expect("}")
        stream.expect("end", "the end of the file")
    except SyntaxStop:
        return None
    return _system(parts, diagnostics, stream.peek.span)


def _expect_word(stream: TokenStream, text: str) -> None:
    if not at_word(stream, text):
        stream.fail(f"'{text}'")
    stream.advance()


def _statements(stream: TokenStream, parts: _Parts) -> None:
    def read() -> None:
        token = stream.peek
        if token.kind != "word" or token.text not in _STATEMENTS:
            stream.fail("a statement", help=did_you_mean(token.text, _STATEMENTS))
        stream.advance()
        _statement(stream, parts, token)

    read_parts(stream, read, lambda: stream.skip_to(";", "}"), until=("}", "end"))


def _statement(stream: TokenStream, parts: _Parts, token: Token) -> None:
    if token.text in parts.once:
        stream.diagnostics.error("BUR202", f"'{token.text}' is given twice", token.span)
    if token.text in _ONCE:
        parts.once.add(token.text)
    if token.text == "validConfigurations":
        parts.valid = parse_block(stream, pairs=False)
        return
    if token.text == "impossible":
        _expect_word(stream, "pairs")
    stream.expect(":")
    match token.text:
        case "statesGuessing":
            parts.states = parse_states(stream, token)
        case "forcedSymmetryInstances":
            _in_parentheses(stream, lambda: parts.forced.append(_instance(stream)))
        case "forcedSymmetryGenerators":
            _in_parentheses(stream, lambda: parts.generators.append(_generator(stream)))
        case "outputBoundedLetters":
            parts.bounded += listed_words(stream)
        case "impossible":
            _in_parentheses(stream, lambda: parts.impossible.append(_impossible(stream)))
        case _:
            _switch_off(stream, parts)
    stream.expect(";")


def _in_parentheses(stream: TokenStream, read: Callable[[], None]) -> None:
    """``( … ), ( … )``."""
    while stream.accept("("):
        read()
        stream.expect(")")
        if not stream.accept(","):
            break


def _instance(stream: TokenStream) -> tuple[list[Token], list[Token], Span]:
    start = stream.peek.span
    left = _spelled(stream)
    stream.expect(",")
    right = _spelled(stream)
    span = start.to(stream.previous.span)
    if len(left) != len(right):
        stream.diagnostics.error("BUR610", "words forced on each other have the same length", span)
    return left, right, span


def _spelled(stream: TokenStream) -> list[Token]:
    letters = []
    while stream.at("word"):
        letters.append(stream.advance())
    return letters


def _generator(stream: TokenStream) -> tuple[int, ...]:
    """``n, (i j k)(l m)``: the letter at ``i`` moves to ``j``."""
    start = stream.peek.span
    length = parse_number(stream, LONGEST_GENERATOR)
    stream.expect(",")
    cycles: list[list[int]] = []
    while stream.accept("("):
        cycle = []
        while not stream.at(")", "end"):
            cycle.append(parse_number(stream, LONGEST_GENERATOR))
        cycles.append(cycle)
        stream.expect(")")
    images = permutation_of(cycles, length)
    if images is None:
        message = f"these cycles do not permute the positions 0 to {length - 1}"
        stream.diagnostics.error("BUR610", message, start.to(stream.previous.span))
    return images or tuple(range(length))


def _impossible(stream: TokenStream) -> tuple[Token, Token]:
    left = stream.expect("word", "a letter")
    stream.expect(",")
    return left, stream.expect("word", "a letter")


def _switch_off(stream: TokenStream, parts: _Parts) -> None:
    for token in listed_words(stream):
        if token.text in KEPT:
            note = Note("without it an answer would not be a symmetry pattern")
            stream.diagnostics.warning("BUR612", f"'{token.text}' stays on", token.span, notes=[note])
        elif token.text not in OFF:
            remedy = did_you_mean(token.text, (*OFF, *KEPT))
            stream.diagnostics.error("BUR201", f"there is no condition '{token.text}'", token.span, help=remedy)
        parts.off.add(token.text)


def _system(parts: _Parts, diagnostics: Diagnostics, end: Span) -> System | None:
    if parts.transitions is None:
        return None
    names = tuple(sorted(set(parts.transitions.letters())))
    if not 0 < len(names) <= MOST_LETTERS:
        diagnostics.error("BUR205", f"an alphabet has 1 to {MOST_LETTERS} letters", parts.transitions.span)
        return None
    letters = Letters(Alphabet(names), diagnostics)
    forced = tuple((letters.word(v), letters.word(w)) for v, w, _ in parts.forced)
    bounded = letters.word(parts.bounded)
    impossible = tuple(p for p in (letters.pair(a, b) for a, b in parts.impossible) if p is not None)
    if parts.valid is not None:
        letters.check(parts.valid)
    if diagnostics.has_errors:
        return None
    draft = Draft(diagnostics, letters.alphabet, universal(letters.alphabet.letters))
    if parts.valid is not None:
        draft.configurations, draft.configurations_span = parts.valid.language(letters.alphabet), parts.valid.span
    draft.actions.append(action_of("step", parts.transitions.relation(letters.alphabet), parts.transitions.span))
    draft.forced_spans = [span for *_, span in parts.forced]
    draft.constraints = Constraints(
        forced=forced,
        generators=tuple(parts.generators),
        bounded=tuple(sorted(set(bounded))),
        impossible=impossible,
        off=frozenset(parts.off & set(OFF)),
        states=parts.states,
        kind=_kind(parts.off),
    )
    return draft.finish(end)


def _kind(off: set[str]) -> str:
    """What is sought when these conditions are off: a process symmetry, any bijection, or any function."""
    if "parikh" not in off:
        return "process"
    return "function" if off & {"injectiveinput", "outputUniversal"} else "complete"


@final
@dataclass(frozen=True)
class Letters:
    """Names to numbers, with a diagnostic for every letter the alphabet does not have."""

    alphabet: Alphabet
    diagnostics: Diagnostics

    def number(self, token: Token) -> int | None:
        """The number of a letter, or None after a diagnostic."""
        if token.text in self.alphabet.names:
            return self.alphabet.names.index(token.text)
        remedy = did_you_mean(token.text, self.alphabet.names)
        message = f"'{token.text}' is not a letter of the system's transitions"
        self.diagnostics.error("BUR601", message, token.span, help=remedy)
        return None

    def word(self, tokens: list[Token]) -> Word:
        """The letters of a word that are known."""
        return tuple(a for a in map(self.number, tokens) if a is not None)

    def pair(self, left: Token, right: Token) -> Pair | None:
        """Two letters."""
        a, b = self.number(left), self.number(right)
        return None if a is None or b is None else (a, b)

    def check(self, block: Block) -> None:
        """Report every label of an automaton that is not a letter."""
        for edge in block.edges:
            self.word(list(edge.label))
