"""The input format of the related liveness provers: ``I0 { … } F { … } P1 { … } P2 { … }``.

A scheduler and the processes move in turn, so one step of the system is P1 ∘ P2: the letters between the two
are not letters of configurations. ``I0`` and ``F`` become the question whether F is reached from I0. The
configurations are I0 if no step leaves it, and otherwise all words as long as some word of I0: steps keep
lengths, so nothing else is ever reached.
"""

from __future__ import annotations

from typing import final

from burnside.frontends.kit.reader import read_parts
from burnside.regular.alphabet import PAD, Alphabet
from burnside.regular.automata import Dfa, minimise, nfa_of, reduce
from burnside.regular.formats.blocks import LEXICON, Block, parse_block
from burnside.regular.formats.build import MOST_LETTERS, Draft, action_of
from burnside.regular.formats.expressions import at_word
from burnside.regular.relations import Language, Relation, compose, restrict, universal
from burnside.regular.system import SafetyQuestion, System
from burnside.regular.verify import outside_word
from burnside.source import Diagnostics, Source, Span, TokenStream
from burnside.values import dataclass, field

_BLOCKS = {"I0": False, "F": False, "P1": True, "P2": True}


@final
@dataclass
class _Parts:
    """The blocks of the file by name."""

    blocks: dict[str, Block] = field(default_factory=dict)


def read_liveness(source: Source, diagnostics: Diagnostics) -> System | None:
    """Read the liveness provers' format; None after errors."""
    stream = TokenStream(LEXICON, source, diagnostics)
    parts = _Parts()

    def recover() -> None:
        stream.skip_to(";", "}")
        stream.accept(";")
        stream.accept("}")

    read_parts(stream, lambda: _part(stream, parts), recover)
    for name in ("I0", "P1", "P2"):
        if name not in parts.blocks:
            diagnostics.error("BUR608", f"the part '{name}' is missing", stream.peek.span)
    if diagnostics.has_errors:
        return None
    return _system(parts, diagnostics, stream.peek.span)


def _part(stream: TokenStream, parts: _Parts) -> None:
    if at_word(stream, *_BLOCKS) and stream.peek_kinds(2)[-1] in ("{", "word"):
        name = stream.advance()
        if name.text in parts.blocks:
            stream.diagnostics.error("BUR202", f"'{name.text}' is given twice", name.span)
        stream.accept("word")  # newer files may name the automaton
        parts.blocks[name.text] = parse_block(stream, pairs=_BLOCKS[name.text])
        return
    if not stream.at("word"):
        stream.fail("'I0', 'F', 'P1', 'P2' or an option")
    _skip_option(stream)


def _skip_option(stream: TokenStream) -> None:
    """Options steer the provers and mean nothing for symmetry: ``name;`` or ``name: 1 .. 5;`` and the like."""
    stream.advance()
    if stream.at(";", ":"):
        stream.skip_to(";", "end")
        stream.expect(";")
        return
    if stream.at("word", "{"):  # further automata of newer files: Given A { … }
        stream.accept("word")
        stream.skip_to("}")
        stream.expect("}")
        return
    stream.fail("';'")


def _system(parts: _Parts, diagnostics: Diagnostics, end: Span) -> System | None:
    outer, inner = _letters(parts)
    if not outer or len(outer) + len(inner) > MOST_LETTERS:
        diagnostics.error("BUR205", f"an alphabet has 1 to {MOST_LETTERS} letters", parts.blocks["P1"].span)
        return None
    # The letters of configurations come first, so the composed step can be read over them alone.
    whole, alphabet = Alphabet((*outer, *inner)), Alphabet(outer)
    step = compose(parts.blocks["P1"].relation(whole), parts.blocks["P2"].relation(whole))
    draft = Draft(diagnostics, alphabet, universal(alphabet.letters))
    start = _within(parts.blocks["I0"].language(whole), len(outer))
    action = action_of("step", _pairs_within(step, len(outer)), parts.blocks["P1"].span)
    closed = outside_word(restrict(action.relation, inputs=start), start) is None
    draft.configurations = start if closed else same_lengths(start, alphabet)
    draft.configurations_span = parts.blocks["I0"].span
    draft.actions.append(action)
    if "F" in parts.blocks:
        final_words = _within(parts.blocks["F"].language(whole), len(outer))
        draft.questions.append(SafetyQuestion("F_is_never_reached", start, final_words, parts.blocks["F"].span))
    return draft.finish(end)


def _letters(parts: _Parts) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The letters of configurations, and those that occur only between the two moves."""
    blocks = parts.blocks
    outer = {t.text for e in blocks["P1"].edges for t in e.label[:1]}
    outer |= {t.text for e in blocks["P2"].edges for t in e.label[1:]}
    outer |= {name for key in ("I0", "F") if key in blocks for name in blocks[key].letters()}
    everything = {name for key in ("P1", "P2") for name in blocks[key].letters()}
    between = everything - outer
    return tuple(sorted(outer)), tuple(sorted(between))


def same_lengths(language: Language, alphabet: Alphabet) -> Language:
    """All words over the alphabet that are as long as some word of the language."""
    edges = [(q, a, t) for q, _, t in language.edges() for a in alphabet.letters]
    return reduce(nfa_of(edges, [0], language.accepting))


def _within(language: Language, size: int) -> Language:
    rows = tuple({a: q for a, q in row.items() if a < size} for row in language.rows)
    return minimise(Dfa(rows, language.accepting))


def _pairs_within(relation: Relation, size: int) -> Relation:
    keep = range(PAD, size)
    rows = tuple({p: q for p, q in row.items() if p[0] in keep and p[1] in keep} for row in relation.rows)
    return minimise(Dfa(rows, relation.accepting))
