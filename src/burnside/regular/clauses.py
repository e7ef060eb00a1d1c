"""What a ``find`` block asks, decided exactly on a relation, whichever search proposed it.

Everything is read relative to the configurations S, as a pattern is: of ``must`` the pairs that begin in S count, of
``must not`` those within S, and only words of S are moved, counted or kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar

from burnside.regular.alphabet import PAD, Pair
from burnside.regular.automata import Dfa, Ordered, difference_word, minimise, shortest_word
from burnside.regular.relations import Language, Relation, both, identity, relates, restrict
from burnside.regular.search import reachable, shortest_path
from burnside.regular.synthesis.binary_patterns import extend_to_letters, is_process_pattern, permutes_positions
from burnside.regular.synthesis.outcome import Found
from burnside.regular.system import Constraints, System
from burnside.regular.verify import Condition, verify

S = TypeVar("S", bound=Ordered)

BIJECTIVE = ("process", "complete")


def relative(system: System, wanted: Constraints) -> Constraints:
    """The same constraints, with ``must`` and ``must_not`` cut down to the pairs that count."""
    space = system.configurations
    return replace(
        wanted,
        must=tuple(restrict(relation, inputs=space) for relation in wanted.must),
        must_not=tuple(restrict(relation, inputs=space, outputs=space) for relation in wanted.must_not),
    )


def containing(pair: Pair, size: int) -> Relation:
    """The pairs of words that have these two letters at one position: what ``impossible`` excludes."""
    pairs = [(a, b) for a in range(size) for b in range(size)]
    return Dfa(({**dict.fromkeys(pairs, 0), pair: 1}, dict.fromkeys(pairs, 1)), frozenset((1,)))


def is_identity(system: System, relation: Relation) -> bool:
    """Whether a pattern leaves every configuration as it is. Needs: a relation within the configurations, minimised."""
    return relation == minimise(identity(system.configurations))


# ---------------------------------------------------------------- what nothing can meet


def why_none(system: System, wanted: Constraints) -> str:
    """Why only the identity could be what is wanted, as far as the configurations tell; nothing if they do not."""
    space = system.configurations
    permuting = wanted.kind == "process" and "permutative" not in wanted.off
    if permuting and not _has_two_letters(space):
        return "every permutation of positions is the identity on the configurations"
    if wanted.kind != "decreasing" and not _has_two_of_one_length(space):
        return "no two configurations have the same length, so only the identity keeps lengths"
    if wanted.kind in BIJECTIVE:
        # Every configuration is the image of one, so images have what configurations have.
        letter = _repeated(space, lambda a: a in wanted.bounded)
        if letter is not None:
            shown = system.alphabet.show(letter)
            return f"'{shown}' is not bounded, as configurations have any number of it and all of them are images"
    return ""


def _has_two_letters(space: Language) -> bool:
    """Whether some word is more than one letter repeated."""

    def moves(node: tuple[int, int, bool]) -> Iterator[tuple[int, tuple[int, int, bool]]]:
        state, first, mixed = node
        for a, target in space.rows[state].items():
            yield a, (target, a if first == PAD else first, mixed or first not in (PAD, a))

    return shortest_path((0, PAD, False), moves, lambda n: n[2] and n[0] in space.accepting) is not None


def _has_two_of_one_length(space: Language) -> bool:
    def moves(node: tuple[int, int, bool]) -> Iterator[tuple[Pair, tuple[int, int, bool]]]:
        p, q, differ = node
        for a, p2 in space.rows[p].items():
            for b, q2 in space.rows[q].items():
                yield (a, b), (p2, q2, differ or a != b)

    def is_goal(node: tuple[int, int, bool]) -> bool:
        return node[2] and node[0] in space.accepting and node[1] in space.accepting

    return shortest_path((0, 0, False), moves, is_goal) is not None


def _repeated(dfa: Dfa[S], counts: Callable[[S], bool]) -> S | None:
    """A symbol that counts and lies on a cycle, so that words have any number of it. Needs a minimised automaton."""
    onward: dict[int, set[int]] = {}
    for source, symbol, target in dfa.edges():
        if counts(symbol):
            if target not in onward:
                onward[target] = set(reachable([target], lambda q: dfa.rows[q].values()))
            if source in onward[target]:
                return symbol
    return None


# ---------------------------------------------------------------- what a relation meets


def unmet(system: System, wanted: Constraints, found: Found) -> str:
    """The first clause that a pattern does not meet, or nothing. Needs: its relation is minimised.

    This trusts nothing that a search did: it decides every clause anew, for words of all lengths.
    """
    asked = relative(system, wanted)
    return next((clause for clause, holds in _clauses(system, asked, found) if not holds()), "")


def _clauses(system: System, asked: Constraints, found: Found) -> Iterator[tuple[str, Callable[[], bool]]]:
    """Every clause and how to decide it, the cheap ones first."""
    relation = found.relation
    least, most = asked.states or (1, found.states)
    labels = {pair for row in relation.rows for pair in row}
    yield "identity", lambda: not is_identity(system, relation)
    yield "states", lambda: least <= found.states <= most
    yield "forced", lambda: all(relates(relation, v, w) for v, w in asked.forced)
    yield "impossible", lambda: not labels.intersection(asked.impossible)
    yield "bounded", lambda: _repeated(relation, lambda pair: pair[1] in asked.bounded) is None
    yield "generator", lambda: all(moves_as(relation, positions) for positions in asked.generators)
    yield "select", lambda: all(any(moves_as(relation, p) for p in choices) for choices in asked.selectors.values())
    yield "must", lambda: all(difference_word(must, relation) is None for must in asked.must)
    yield "must not", lambda: all(shortest_word(both(other, relation)) is None for other in asked.must_not)
    yield "kind", lambda: _is_of_kind(system, asked, found)


def moves_as(relation: Relation, positions: tuple[int, ...]) -> bool:
    """Whether all words of one length are related only to themselves moved: the letter at ``i`` to ``positions[i]``."""
    return all(_stays_together(relation, len(positions), i, j) for i, j in enumerate(positions))


def _stays_together(relation: Relation, length: int, source: int, target: int) -> bool:
    """Whether the letter at one place of the first word is always that at another place of the second."""
    nothing = PAD - 1

    def moves(node: tuple[int, int, int, bool]) -> Iterator[tuple[Pair, tuple[int, int, int, bool]]]:
        state, place, held, apart = node
        for (a, b), following in relation.rows[state].items() if place < length else ():
            here = [letter for letter, at in ((a, source), (b, target)) if at == place]
            kept = here[0] if here and held == nothing else held
            yield (a, b), (following, place + 1, kept, apart or any(letter != kept for letter in here))

    def is_goal(node: tuple[int, int, int, bool]) -> bool:
        return node[3] and node[1] == length and node[0] in relation.accepting

    return shortest_path((0, 0, nothing, False), moves, is_goal) is None


def _is_of_kind(system: System, asked: Constraints, found: Found) -> bool:
    verdict = verify(system, found.relation)
    if not verdict.is_pattern or not verdict.holds(Condition.FUNCTIONAL):
        return False
    if asked.kind in BIJECTIVE and not verdict.is_complete:
        return False
    if asked.kind == "function" and not verdict.holds(Condition.LENGTH_PRESERVING):
        return False
    if asked.kind != "process":
        return True
    return _keeps_letters(found.relation) if "permutative" in asked.off else _permutes(system, found)


def _keeps_letters(relation: Relation) -> bool:
    """Whether related words have every letter equally often: the difference so far is a matter of the state."""
    surplus: dict[int, Counter[int]] = {0: Counter()}
    for state in reachable([0], lambda q: relation.rows[q].values()):
        for (a, b), target in relation.rows[state].items():
            after = surplus[state].copy()
            after[a] += 1
            after[b] -= 1
            if surplus.setdefault(target, after) != after:
                return False
    return all(not any(surplus[q].values()) for q in relation.accepting)


def _permutes(system: System, found: Found) -> bool:
    """Whether one permutation of positions for every length is what the pattern does to configurations."""
    size, space = system.alphabet.size, system.configurations
    if found.binary is None:
        return permutes_positions(found.relation, size)
    lifted = restrict(extend_to_letters(found.binary, size), inputs=space, outputs=space)
    return is_process_pattern(found.binary) and lifted == found.relation
