"""Formulas about infinite runs: what operators mean, in the spellings of all languages, and how large they may be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from burnside.ltl import formula as ltl
from burnside.ltl.formula import Formula

MOST_ATOMS: Final = 64
# Operators of a formula that is written out.
LARGEST: Final = 1_000

MEANINGS: Final[Mapping[str, Callable[..., Formula]]] = {
    "!": ltl.negation,
    **dict.fromkeys(("[]", "G"), ltl.always),
    **dict.fromkeys(("<>", "F"), ltl.eventually),
    "X": ltl.following,
    "U": ltl.until,
    "W": ltl.weak_until,
    "R": ltl.release,
    "&&": lambda *parts: ltl.conjunction(parts),
    "||": lambda *parts: ltl.disjunction(parts),
    **dict.fromkeys(("=>", "->"), ltl.implication),
    **dict.fromkeys(("<=>", "<->"), ltl.equivalence),
    "xor": lambda left, right: ltl.equivalence(left, ltl.negation(right)),
}
