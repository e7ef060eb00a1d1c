"""Members of a family that one run decides, renamed: ``low(1)`` is violated as ``low(0)`` is, with P 0 and 1 exchanged.

Of the runs that a search found for the members of a family, those that are another one renamed need not be looked at.
A renaming is a guess: the ids and values that tell the two members apart are exchanged, or their domains rotated, or
a symmetry of the quotient exchanges the members. What makes it true is that the renamed run is a run of the model that
decides the member, step by step, by the reference semantics. So no symmetry of the model needs to be known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Protocol, final

from burnside.claims.kinds import StateClaim
from burnside.claims.members import Member
from burnside.explore.reasons import reasons_in
from burnside.explore.replay import Named, Patience, ReplayError, find_fault, replay_witness
from burnside.ir.cells import Cells, State
from burnside.ir.instances import instance_count
from burnside.ir.nodes import Domain, Model
from burnside.ir.renaming import (
    ASKED,
    Renaming,
    Sort,
    SortKind,
    SortMoves,
    describe_map,
    renamed_value,
    sort_of,
    sorted_values,
)
from burnside.ir.semantics import FaultRaised
from burnside.results.exploration import Exploration, Stop
from burnside.results.findings import Likewise, StateFinding, Verdict
from burnside.results.trace import Trace
from burnside.values import dataclass, replace

_MOST_LEADERS = 4  # runs of one family that others are compared with
_MOST_TRIED = 200_000  # rule instances, for all guesses that are wrong: some seconds


class Exchange(Protocol):
    """A symmetry that takes one claim to another, by their numbers: how it renames states, and what it is called."""

    def __call__(self, one: int, other: int) -> tuple[Callable[[State], State], Callable[[], str]] | None: ...


def findings_of(
    model: Model,
    members: Sequence[Member[StateClaim]],
    found: Exploration,
    exchange: Exchange | None = None,
) -> tuple[StateFinding, ...]:
    """What an exploration that was to decide these members found about each."""
    families = _Families(model, members, exchange)
    return tuple(
        StateFinding(member, _of_all(member, found)) if witness is None else families.finding(number, witness)
        for number, (member, witness) in enumerate(zip(members, found.witnesses, strict=True))
    )


def _of_all(member: Member[StateClaim], found: Exploration) -> Verdict:
    """The verdict about a claim that no state found decides."""
    if found.stop is not Stop.COMPLETE:
        return Verdict.UNKNOWN
    return Verdict.of_all_states(holds=not member.claim.is_existential, is_exact=found.is_exact)


@final
@dataclass(frozen=True)
class _Guess:
    """A renaming that may take one run to another, and what it is called; ``moves`` if it is one of values."""

    rename: Callable[[State], State | None]
    moves: SortMoves
    words: Callable[[], str]


@final
@dataclass(frozen=True)
class _Leader:
    """A member with a run of its own: the states, and the rule instances that take the steps."""

    number: int
    path: Sequence[State]
    taken: tuple[Named, ...]


@final
class _Families:
    """The runs of each family that were not others renamed, in order."""

    def __init__(self, model: Model, members: Sequence[Member[StateClaim]], exchange: Exchange | None) -> None:
        self._model = model
        self._cells = Cells(model)
        self._members = members
        self._exchange = exchange
        self._leaders: dict[int, list[_Leader]] = {}
        self._patience = _MOST_TRIED
        self._instances = instance_count(model)
        self._rules = {rule.name: rule for rule in model.rules}

    def finding(self, number: int, witness: Sequence[State]) -> StateFinding:
        """What a run shows about a member: its own, or that of an earlier member renamed."""
        member = self._members[number]
        verdict = Verdict.of(member.claim.is_existential)
        leaders = self._leaders.setdefault(id(member.claim), [])
        for leader in leaders[:_MOST_LEADERS]:
            for guess in self._guesses(leader.number, number) if len(leader.path) <= len(witness) else ():
                trace = self._replayed(leader, guess, member)
                if trace is not None:
                    likewise = Likewise(self._members[leader.number], guess.words())
                    return self._explained(StateFinding(member, verdict, trace, likewise))
        trace = replay_witness(self._model, witness, member)
        leaders.append(_Leader(number, witness, tuple((step.rule, step.arguments) for step in trace.steps)))
        return self._explained(StateFinding(member, verdict, trace))

    def _explained(self, finding: StateFinding) -> StateFinding:
        assert finding.trace is not None
        last = finding.trace.steps[-1].state if finding.trace.steps else finding.trace.initial
        return replace(finding, reasons=reasons_in(self._cells, finding.member, last))

    def _replayed(self, leader: _Leader, guess: _Guess, member: Member[StateClaim]) -> Trace | None:
        """The renamed run, if it is one that decides the member."""
        states = [guess.rename(state) for state in leader.path]
        path = [state for state in states if state is not None]
        if len(path) < len(states):
            return None
        likely = [self._renamed(*named, guess.moves) for named in leader.taken]
        patience = Patience(self._patience, likely)
        with suppress(ReplayError, FaultRaised):
            trace = replay_witness(self._model, path, member, patience)
            return trace if self._goes_on(path[:-1]) else None
        self._patience = max(0, patience.left)
        return None

    def _goes_on(self, states: Sequence[State]) -> bool:
        """Whether runs go on behind some states: where anything faults, all of them end. No, if that takes too long."""
        self._patience -= len(states) * self._instances
        return self._patience >= 0 and not any(find_fault(self._model, state, ()) for state in states)

    def _renamed(self, rule: str, arguments: Sequence[int], moves: SortMoves) -> Named:
        """A rule instance with the values of its parameters renamed: it takes the renamed step, if any does."""
        pairs = zip(self._rules[rule].parameters, arguments, strict=True)
        return rule, tuple(renamed_value(parameter.domain, value, moves) for parameter, value in pairs)

    def _guesses(self, leader: int, number: int) -> Iterator[_Guess]:
        for moves in renamings(self._model, self._members[leader], self._members[number]):
            yield _Guess(Renaming(self._cells, moves).state, moves, partial(moves_text, self._model, moves))
        known = self._exchange and self._exchange(leader, number)
        if known:
            rename, words = known
            yield _Guess(rename, {}, words)


# ---------------------------------------------------------------- guesses


def renamings(model: Model, one: Member[StateClaim], other: Member[StateClaim]) -> Iterator[SortMoves]:
    """Renamings that take a member of a family to another: as few values as possible are moved, or all are rotated."""
    wanted: dict[Sort, dict[int, int]] = {}
    for parameter, old, new in zip(one.claim.parameters, one.arguments, other.arguments, strict=True):
        sort, values = sort_of(parameter.domain), sorted_values(parameter.domain)
        if sort is None or old not in values or new not in values:
            if old != new:
                return
        elif wanted.setdefault(sort, {}).setdefault(old, new) != new:
            return
    if any(len(set(moves.values())) < len(moves) for moves in wanted.values()):
        return
    least = {sort: closed(moves) for sort, moves in wanted.items()}
    yield {sort: moves for sort, moves in least.items() if moves}
    turns = {sort: _rotation(model, sort, moves) for sort, moves in wanted.items() if least[sort]}
    turned = {sort: moves for sort, moves in turns.items() if moves is not None}
    if len(turned) == len(turns) and any(turned[sort] != least[sort] for sort in turned):
        yield turned


def closed(moves: Mapping[int, int]) -> dict[int, int]:
    """The permutation that begins with an injective map, without its fixed points: chains become cycles.

    >>> closed({0: 2, 1: 0, 5: 5})
    {0: 2, 1: 0, 2: 1}
    """
    found = {old: new for old, new in moves.items() if old != new}
    for start in [old for old in found if old not in set(found.values())]:
        end = start
        while end in found:
            end = found[end]
        found[end] = start
    return found


def _rotation(model: Model, sort: Sort, moves: Mapping[int, int]) -> dict[int, int] | None:
    """All values of a sort, each moved by as much as those that must move."""
    domain = _declared(model, sort)
    values = sorted_values(domain) if domain else range(0)
    shifts = {(new - old) % len(values) for old, new in moves.items()} if values else set()
    if len(shifts) != 1:
        return None
    shift = shifts.pop()
    return {value: values[(value - values.start + shift) % len(values)] for value in values}


def _declared(model: Model, sort: Sort) -> Domain | None:
    return next((d for d in model.domains if d.name == sort.name and sort_of(d) == sort), None)


def moves_text(model: Model, moves: SortMoves) -> str:
    """A renaming in words: 'exchange P 0 and 1'."""
    parts = []
    for sort, images in moves.items():
        domain = _declared(model, sort)
        said = describe_map(images, domain.text if domain else str, ASKED)
        if said:
            of = "" if sort.kind is SortKind.PROCESS else "the values "
            parts.append(f"{said[0]} {sort.name} {said[1]}" if not of else f"{said[0]} {of}{said[1]} of {sort.name}")
    return ", ".join(parts)
