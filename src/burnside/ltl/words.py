"""Whether an ultimately periodic word satisfies a formula, by the definition of the operators."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from burnside.ltl.formula import Formula


def satisfies(formula: Formula, letters: Sequence[Collection[str]], back: int) -> bool:
    """Whether a word does: its letters, the last of which is followed by the one at position ``back``, for ever."""
    return _truth(formula, letters, back)[0]


def _truth(formula: Formula, letters: Sequence[Collection[str]], back: int) -> list[bool]:
    """The truth of a formula at every position."""
    after = [*range(1, len(letters)), back]
    args = [_truth(part, letters, back) for part in formula.args]
    match formula.operator:
        case "true" | "false":
            return [formula.operator == "true"] * len(letters)
        case "atom" | "not":
            return [(formula.atom in letter) == (formula.operator == "atom") for letter in letters]
        case "and":
            return [all(parts) for parts in zip(*args, strict=True)]
        case "or":
            return [any(parts) for parts in zip(*args, strict=True)]
        case "next":
            return [args[0][k] for k in after]
        case "until":
            return _least(args[1], args[0], after)
        case _:  # a release is what is not an until of the opposites
            never = _least([not t for t in args[1]], [not t for t in args[0]], after)
            return [not t for t in never]


def _least(now: Sequence[bool], meanwhile: Sequence[bool], after: Sequence[int]) -> list[bool]:
    """Where ``now`` comes and ``meanwhile`` holds until then: the least solution, reached in two rounds backwards."""
    truth = list(now)
    for k in [*reversed(range(len(now)))] * 2:
        truth[k] = truth[k] or (meanwhile[k] and truth[after[k]])
    return truth
