"""Automata written state by state, as the older formats have them.

    init: s0;  s0 -> s1 a;  s1 -> s2 a/b;  s1 -> s2;  loop: s1, s2;  accepting: s2;

A transition without a label is an empty move; ``loop`` gives a state all moves ``a/a``. Newer files write
``start:``, ``accept:`` and ``[a/b]``.
"""

from __future__ import annotations

from typing import final

from burnside.frontends.kit.reader import read_parts
from burnside.regular.alphabet import Alphabet
from burnside.regular.automata import nfa_of, reduce
from burnside.regular.formats.expressions import at_word
from burnside.regular.relations import Language, Relation
from burnside.source import Lexicon, Span, Token, TokenStream
from burnside.values import dataclass, field, replace

LEXICON = Lexicon(
    keywords=(), symbols=["{", "}", "->", "/", ":", ";", ",", "(", ")", "..", "[", "]"], extra=r"(?P<word>\w+)"
)
_START, _ACCEPT = ("init", "start"), ("accepting", "accept")


@final
@dataclass(frozen=True, slots=True)
class Edge:
    """One transition as written; ``label`` holds no, one or two letters."""

    source: str
    target: str
    label: tuple[Token, ...]
    span: Span


@final
@dataclass
class Block:
    """An automaton as written, before its letters are known."""

    span: Span
    starts: list[Token] = field(default_factory=list)
    accepting: list[Token] = field(default_factory=list)
    loops: list[Token] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)

    def letters(self) -> list[str]:
        """The letters that occur, in order."""
        return [letter.text for edge in self.edges for letter in edge.label]

    def language(self, alphabet: Alphabet) -> Language:
        """The automaton over letters."""
        number = {name: i for i, name in enumerate(alphabet.names)}
        moves = [(e.source, number[e.label[0].text], e.target) for e in self.edges if len(e.label) == 1]
        return reduce(nfa_of(moves, *self._ends(), silent=self._silent()))

    def relation(self, alphabet: Alphabet) -> Relation:
        """The automaton over pairs."""
        number = {name: i for i, name in enumerate(alphabet.names)}
        labelled = [(e.source, e.label, e.target) for e in self.edges if len(e.label) == 2]
        moves = [(p, (number[a.text], number[b.text]), q) for p, (a, b), q in labelled]
        moves += [(state.text, pair, state.text) for state in self.loops for pair in alphabet.diagonal]
        return reduce(nfa_of(moves, *self._ends(), silent=self._silent()))

    def _ends(self) -> tuple[list[str], list[str]]:
        return [t.text for t in self.starts], [t.text for t in self.accepting]

    def _silent(self) -> list[tuple[str, str]]:
        return [(e.source, e.target) for e in self.edges if not e.label]


def parse_block(stream: TokenStream, *, pairs: bool) -> Block:
    """A block in braces; after an error inside, reading goes on behind the next ``;``."""
    block = Block(stream.peek.span)
    stream.expect("{")

    def read() -> None:
        _entry(stream, block, pairs=pairs)
        if not stream.at("}"):
            stream.expect(";")

    read_parts(stream, read, lambda: stream.skip_to(";", "}"), until=("}", "end"))
    block.span = block.span.to(stream.peek.span)
    stream.expect("}")
    _check_states(stream, block)
    return block


def _entry(stream: TokenStream, block: Block, *, pairs: bool) -> None:
    if stream.peek_kinds(2) == ["word", ":"]:
        if at_word(stream, *_START):
            block.starts += _listed(stream)
        elif at_word(stream, *_ACCEPT):
            block.accepting += _listed(stream)
        elif at_word(stream, "loop") and pairs:
            block.loops += _listed(stream)
        else:
            stream.fail("'init', 'accepting' or a transition")
    else:
        block.edges.append(_edge(stream, pairs=pairs))


def _listed(stream: TokenStream) -> list[Token]:
    """``: a, b, c`` after a word."""
    stream.advance()
    stream.expect(":")
    return listed_words(stream)


def listed_words(stream: TokenStream) -> list[Token]:
    """Words separated by commas, perhaps none."""
    found: list[Token] = []
    while stream.at("word"):
        found.append(stream.advance())
        if not stream.accept(","):
            break
    return found


def _edge(stream: TokenStream, *, pairs: bool) -> Edge:
    source = stream.expect("word", "a state")
    stream.expect("->")
    target = stream.expect("word", "a state")
    bracket = stream.accept("[")
    label: list[Token] = []
    if stream.at("word"):
        label.append(stream.advance())
        if stream.accept("/"):
            label.append(stream.expect("word", "a letter"))
    if bracket:
        stream.expect("]")
    edge = Edge(source.text, target.text, tuple(label), source.span.to(stream.previous.span))
    if label and (len(label) == 2) != pairs:
        what = "a pair of letters such as a/b" if pairs else "a single letter"
        stream.diagnostics.error("BUR602" if pairs else "BUR609", f"this transition needs {what}", edge.span)
    return edge


def _check_states(stream: TokenStream, block: Block) -> None:
    if not block.starts:
        stream.diagnostics.error("BUR608", "the automaton has no start state", block.span)
    known = {name for edge in block.edges for name in (edge.source, edge.target)}
    known |= {token.text for token in block.starts}
    for listed in (block.accepting, block.loops):
        for i, token in enumerate(listed):
            listed[i] = _state(token, known)
            if listed[i].text not in known:
                stream.diagnostics.error("BUR201", f"no transition leads to the state '{token.text}'", token.span)
                known.add(token.text)


def _state(token: Token, known: set[str]) -> Token:
    """A state as transitions call it: published files write ``accepting: 2`` for a state ``s2``, and the reverse."""
    other = token.text[1:] if token.text.startswith("s") else f"s{token.text}"
    return replace(token, text=other) if token.text not in known and other in known else token
