"""Initial states as annotated states.

Processes that may start in the same local states are not told apart: one annotated state stands for all ways to spread
a multiset of local states over them. Where conditions restrict the initial states, each is entered by itself, and
processes in equal local states form its cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, islice, product
from math import comb, prod
from typing import Final

from burnside.adaptive.partitions import mask_of, normal
from burnside.adaptive.search import Start
from burnside.adaptive.view import View
from burnside.ir.initial import given_values, initial
from burnside.source import Diagnostic, ModelError

MOST_INITIAL: Final = 100_000
MOST_TRIED: Final = 300_000


def initial_states(view: View) -> Iterator[Start]:
    """The initial states; raises `ModelError` if there are too many, `FaultRaised` if a condition faults."""
    choices = [*map(tuple, given_values(view.model))]
    has_free_flags = any(len(choices[f]) > 1 for f in view.flags)
    if not view.model.initially and not view.model.starts and not has_free_flags:
        return _by_multisets(view, choices)
    return _one_by_one(view, choices)


def _one_by_one(view: View, choices: Sequence[tuple[int, ...]]) -> Iterator[Start]:
    if prod(map(len, choices)) > MOST_TRIED:
        message = f"more than {MOST_TRIED:,} states would have to be tried to find the initial ones"
        raise ModelError([Diagnostic("BUR301", message)])
    states = list(islice(initial(view.model), MOST_INITIAL + 1))
    _check_number(len(states))
    for state in states:
        shared, vector = view.split(state)
        cells = normal(mask_of(p for p, v in enumerate(vector) if v == local) for local in set(vector))
        yield shared, cells, tuple(((vector[(c & -c).bit_length() - 1], c.bit_count()),) for c in cells)


def _by_multisets(view: View, choices: Sequence[tuple[int, ...]]) -> Iterator[Start]:
    holders = [choices[f][0] for f in view.flags]
    starts: dict[tuple[tuple[int, ...], ...], list[int]] = {}
    for process, cells in enumerate(view.own):
        flags = tuple((int(h == view.ids[process]),) for h in holders)
        starts.setdefault((*(choices[c] for c in cells), *flags), []).append(process)
    shared_choices = [choices[c] for c in view.shared]
    labels = tuple(view.held if h in view.ids else h for h in holders)
    kinds = sorted((min(inside), mask_of(inside), prod(map(len, start)), start) for start, inside in starts.items())
    _check_number(prod(map(len, shared_choices)) * prod(comb(k + c.bit_count() - 1, k - 1) for _, c, k, _ in kinds))
    partition = tuple(cell for _, cell, _, _ in kinds)
    spreads = [_multisets(view, start, cell.bit_count()) for _, cell, _, start in kinds]
    for values in product(*shared_choices):
        for spread in product(*spreads):
            yield (*values, *labels), partition, spread


def _multisets(view: View, start: Sequence[tuple[int, ...]], size: int) -> list[tuple[tuple[int, int], ...]]:
    vector = [view.number(content) for content in product(*start)]
    return [
        tuple((local, chosen.count(local)) for local in sorted(set(chosen)))
        for chosen in combinations_with_replacement(sorted(vector), size)
    ]


def _check_number(number: int) -> None:
    if number > MOST_INITIAL:
        message = f"there are more than {MOST_INITIAL:,} initial states up to permutation"
        raise ModelError([Diagnostic("BUR301", message)])
