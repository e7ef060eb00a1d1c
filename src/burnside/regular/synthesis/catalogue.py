"""All small process patterns, computed once and for all systems.

A binary process pattern knows nothing of any system, so those with few states can be listed once
(``catalogue.txt``, written by `compute` and checked against it by the tests) and tried on a system in
milliseconds. The list is complete for transducers whose prefixes differ by at most one in their letter counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib.resources import files
from time import perf_counter

from burnside.regular.alphabet import Alphabet, Pair
from burnside.regular.automata import Dfa
from burnside.regular.clauses import unmet
from burnside.regular.relations import Relation, restrict, universal
from burnside.regular.synthesis.binary_patterns import extend_to_letters
from burnside.regular.synthesis.lifted import find_process_patterns
from burnside.regular.synthesis.outcome import Found, Watch
from burnside.regular.system import Constraints, System

LARGEST = 6


def compute(largest: int = LARGEST) -> list[Relation]:
    """All binary process patterns with at most this many states, by exhaustive search without a system.

    In an order that does not depend on the solver.
    """
    free = System(Alphabet(("0", "1")), universal((0, 1)), ())
    found = [pattern.relation for pattern in find_process_patterns(free, largest=largest)]
    return sorted(found, key=lambda relation: (relation.size, write_pattern(relation)))


@cache
def catalogue() -> tuple[Relation, ...]:
    """The binary process patterns with at most ``LARGEST`` states, as shipped."""
    text = files("burnside.regular.synthesis").joinpath("catalogue.txt").read_text(encoding="utf-8")
    return tuple(parse_pattern(line) for line in text.splitlines() if line and not line.startswith("#"))


def patterns_in_catalogue(
    system: System, *, constraints: Constraints | None = None, watch: Watch | None = None
) -> Iterator[Found]:
    """The patterns of the catalogue that the system has, each verified over its letters and configurations.

    ``constraints`` are those of the system unless others are given.
    """
    wanted = system.constraints if constraints is None else constraints
    space = system.configurations
    for binary in catalogue():
        if watch is not None:
            watch.check()
        started = perf_counter()
        relation = restrict(extend_to_letters(binary, system.alphabet.size), inputs=space, outputs=space)
        lifted = perf_counter()
        found = Found(relation, relation.size, 0, 0.0, 0.0, {}, binary)
        if not unmet(system, wanted, found):
            now = perf_counter()
            yield replace(found, seconds=now - started, verification=now - lifted)


def write_pattern(relation: Relation) -> str:
    """A binary pattern on one line: accepting states, then per state its moves ``ab>target``."""
    rows = (" ".join(f"{a}{b}>{row[a, b]}" for a, b in sorted(row)) for row in relation.rows)
    return " | ".join([" ".join(map(str, sorted(relation.accepting))), *rows])


def parse_pattern(line: str) -> Relation:
    """The pattern that `write_pattern` wrote."""
    accepting, *rows = (part.split() for part in line.split("|"))
    table: list[dict[Pair, int]] = []
    for row in rows:
        moves = (move.split(">") for move in row)
        table.append({(int(label[0]), int(label[1])): int(target) for label, target in moves})
    return Dfa(tuple(table), frozenset(map(int, accepting)))
