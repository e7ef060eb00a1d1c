"""May two processes be exchanged? An exact decision, with a witness if they may not.

A transposition keeps an action if in every state, reachable or not, it turns what one process does into what the other
one does. With questions answered by sums, a state matters only through the shared part, the local states of the two
processes and of the actor, and the sums over all other processes. Sums that can occur are found process by process;
for ``forall`` and ``exists`` there are just two, so their number stays small.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Final, TypeAlias, final

from burnside.adaptive.actions import Action
from burnside.adaptive.effort import EVALUATION, Undecided
from burnside.adaptive.partitions import Partition, cell_of, members
from burnside.adaptive.profiles import Effect, Profile, apply_to_state
from burnside.adaptive.view import Shared, View
from burnside.ir.semantics import Fault
from burnside.values import dataclass, field

MOST_STEPS: Final = 100_000  # for one pair of processes
MOST_CONTEXTS: Final = 20_000
MOST_STATES: Final = 3_000

Chain: TypeAlias = "tuple[Chain, int, int] | None"  # local states given to processes, the last one first
Placed: TypeAlias = tuple[tuple[int, int], ...]  # cells and local states of single processes
Choice: TypeAlias = tuple[tuple[int, ...], Placed, Placed]  # local states, and where they are before and after
Effects: TypeAlias = tuple[Effect | Fault | None, Effect | Fault | None]  # before the exchange and after it
Applied: TypeAlias = "tuple[Shared, tuple[int, ...]] | Fault | None"
Sums: TypeAlias = dict[tuple[int, ...], Chain]


@final
@dataclass(frozen=True)
class Witness:
    """A state in which exchanging ``first`` and ``second`` changes what ``process`` can do (None: a condition)."""

    first: int
    second: int
    shared: Shared
    vector: tuple[int, ...]
    process: int | None
    before: str
    after: str


@final
@dataclass
class Comparison:
    """Compares processes in one action, of which only ``actors`` act; ``partition`` is the syntactic one."""

    view: View
    action: Action
    actors: frozenset[int]
    partition: Partition
    _profiles: dict[tuple[int | None, Shared, int | None], Profile] = field(default_factory=dict)
    _acting: dict[Shared, list[int]] = field(default_factory=dict)
    _applied: dict[tuple[int | None, Shared, tuple[int, ...]], Applied] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._shared: list[Shared] = []
        self._locals: list[int] = []
        self._left = 0  # steps, for the pair at hand
        width = len(self.view.own[0])
        self._flags = sum(1 << (k - width) for k in self.action.local_cells if k >= width)
        self._size = self.view.size

    def may_be_exchanged(self, x: int, y: int) -> bool:
        """Whether exchanging two processes changes nothing; raises `Undecided`."""
        self._begin()
        if self.action.questions is None:
            return self._difference_in_states(x, y) is None
        return next(self._differences(x, y), None) is None

    def difference(self, x: int, y: int) -> Witness | None:
        """Why two processes may not be exchanged, or None if they may; raises `Undecided`."""
        self._begin()
        if self.action.questions is None:
            return self._difference_in_states(x, y)
        return next((self._witness(x, y, d) for d in self._differences(x, y)), None)

    def _begin(self) -> None:
        """List all shared parts and local states that can make a difference, unless they are too many."""
        self._left = MOST_STEPS
        if self._locals:
            return
        shared = self.view.shared_ranges(self.action.shared_cells)
        local = self.view.local_ranges(self.action.local_cells)
        if prod(map(len, shared)) * prod(map(len, local)) > MOST_CONTEXTS:
            raise Undecided
        self._shared = list(product(*shared))
        self._locals = [self.view.number(content) for content in product(*local)]

    def _spend(self, steps: int) -> None:
        self._left -= steps
        if self._left < 0:
            raise Undecided
        self.view.effort.spend(steps)

    def _differences(self, x: int, y: int) -> Iterator[_Difference]:
        for shared in self._shared:
            for case in self._cases(shared, x, y):
                yield from self._compare(shared, x, y, case)

    # ------------------------------------------------------------ by sums

    def _cases(self, shared: Shared, x: int, y: int) -> Iterator[_Case]:
        """Who acts, and in which local state."""
        if not self.action.actor:
            profile = self._profile(None, shared, None)
            if profile is not None:
                yield _Case(None, None, None, profile, profile)
            return
        able = self._able(shared)
        if not able:
            return
        for local in able:
            first, second = self._profile(x, shared, local), self._profile(y, shared, local)
            if first is not None or second is not None:
                yield _Case(x, y, local, first, second)
        for cell in self.partition:
            actor = next((p for p in members(cell) if p not in (x, y)), None)
            for local in able if actor is not None else ():
                profile = self._profile(actor, shared, local)
                if profile is not None:
                    yield _Case(actor, actor, local, profile, profile)

    def _able(self, shared: Shared) -> list[int]:
        """The local states in which some process can act."""
        if shared not in self._acting:
            actors = [p for cell in self.partition for p in members(cell)[:1]]
            self._acting[shared] = [
                local for local in self._locals if any(self._profile(p, shared, local) is not None for p in actors)
            ]
        return self._acting[shared]

    def _profile(self, process: int | None, shared: Shared, local: int | None) -> Profile | None:
        """The profile of an actor, or None if it cannot act."""
        if process is not None and process not in self.actors:
            return None
        key = (process, shared, local)
        if not self.action.possible.get(key, True):
            return None
        self._spend(1)
        if key not in self._profiles:
            self._spend(EVALUATION)
            self._profiles[key] = Profile(self.view, self.action, self.partition, process, shared, local)
        profile = self._profiles[key]
        return profile if profile.is_possible else None

    def _compare(self, shared: Shared, x: int, y: int, case: _Case) -> Iterator[_Difference]:
        """Compare a state with its image; ``case.actor`` is x (the image's actor is y), or neither of them."""
        cell_x, cell_y = cell_of(self.partition, x), cell_of(self.partition, y)
        special = {x, y} | ({case.actor} if case.actor is not None else set())
        up = 0 if case.local is None else self._raised(case.local)
        needed = sum(1 << k for k in range(len(self.view.flags)) if self._is_held(shared, k))
        choices: list[Choice]
        self._spend(len(self._locals) ** (1 if case.actor == x else 2))
        if case.actor == x:
            choices = [((q,), ((cell_y, q),), ((cell_x, q),)) for q in self._locals]
        else:
            choices = [
                ((p, q), ((cell_x, p), (cell_y, q)), ((cell_x, q), (cell_y, p)))
                for p, q in product(self._locals, self._locals)
                if p != q
            ]
        # Most differences show when all other processes are alike, which is quickly tried.
        for sums in (self._uniform_sums, self._sums):
            for chosen, vector, effects in self._compare_sums(case, sums(case, special), choices, up, needed):
                yield _Difference(shared, case, chosen, vector, effects)

    def _compare_sums(
        self, case: _Case, sums: Iterable[tuple[int, ...]], choices: Sequence[Choice], up: int, needed: int
    ) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], Effects]]:
        """Local states of the two and sums over the others that make a difference."""
        placed: list[tuple[tuple[int, ...], int, tuple[int, ...], tuple[int, ...]]] = []
        pending = iter(choices)

        def entries() -> Iterator[tuple[tuple[int, ...], int, tuple[int, ...], tuple[int, ...]]]:
            """The choices with their weights, which are computed only if they are needed."""
            yield from placed[:]
            for chosen, before, after in pending:
                held = _disjoint(up, *map(self._raised, chosen))
                if held is not None:
                    self._spend(EVALUATION)
                    weights = self._weights(case.first, before), self._weights(case.second, after)
                    placed.append((chosen, held, *weights))
                    yield placed[-1]

        for vector in sums:
            for chosen, held, one, two in entries():
                self._spend(1)
                if held & vector[0] or held | vector[0] != needed:
                    continue
                middle = 1 + len(one)
                effects = (
                    self._outcome(case.first, one, vector[1:middle]),
                    self._outcome(case.second, two, vector[middle:]),
                )
                if effects[0] != effects[1] and _key(effects[0]) != _key(effects[1]):
                    yield chosen, vector, effects

    def _uniform_sums(self, case: _Case, special: set[int]) -> Iterator[tuple[int, ...]]:
        """Sums over processes that are all in the same local state, without flags."""
        assert self.action.questions is not None
        profiles = [p for p in (case.first, case.second) if p is not None]
        sizes = [cell.bit_count() - sum(cell >> p & 1 for p in special) for cell in self.partition]
        for local in self._locals:
            self._spend(1 + len(sizes) * len(profiles) * len(self.action.questions) // 4)
            if not self._raised(local):
                yield (
                    0,
                    *(
                        asked.saturated(sum(n * p.weight(k, cell, local) for cell, n in enumerate(sizes) if n))
                        for p in profiles
                        for k, asked in enumerate(self.action.questions)
                    ),
                )

    def _raised(self, local: int) -> int:
        return self.view.raised_flags(local) & self._flags

    def _is_held(self, shared: Shared, flag: int) -> bool:
        value = shared[len(self.view.shared) + flag]
        return bool(self._flags >> flag & 1) and value == self.view.held

    def _weights(self, profile: Profile | None, placed: Sequence[tuple[int, int]]) -> tuple[int, ...]:
        """What the actor and the processes with given cells and local states add to the sums."""
        if profile is None:
            return ()
        return tuple(
            own + sum(profile.weight(k, cell, local) for cell, local in placed) for k, own in enumerate(profile.own)
        )

    def _outcome(self, profile: Profile | None, placed: Sequence[int], rest: Sequence[int]) -> Effect | Fault | None:
        if profile is None:
            return None
        assert self.action.questions is not None
        totals = zip(self.action.questions, placed, rest, strict=True)
        return profile.effect(tuple(q.answer(a + b) for q, a, b in totals))

    def _sums(self, case: _Case, special: set[int], *, whole: bool = False) -> Sums:
        """Every sum over the processes that are not special: flags that are up, sums for one actor, for the other."""
        assert self.action.questions is not None
        questions = [*(self.action.questions if case.first else ()), *(self.action.questions if case.second else ())]
        sums: Sums = {(0,) * (1 + len(questions)): None}
        for number, cell in enumerate(self.partition):
            size = sum(1 for p in members(cell) if p not in special)
            columns = self._columns(case, number) if size else {}
            for _ in range(size):
                grown: Sums = {}
                self._spend(len(sums) * len(columns))
                for vector, chain in sums.items():
                    for column, local in columns.items():
                        if vector[0] & column[0]:
                            continue
                        total = (
                            vector[0] | column[0],
                            *(q.saturated(a + b) for q, a, b in zip(questions, vector[1:], column[1:], strict=True)),
                        )
                        grown.setdefault(total, (chain, number, local))
                if not whole and grown.keys() == sums.keys():
                    break
                sums = grown
        return sums

    def _columns(self, case: _Case, cell: int) -> dict[tuple[int, ...], int]:
        """What a process of a cell can add, with a local state for each."""
        found: dict[tuple[int, ...], int] = {}
        for local in self._locals:
            self._spend(EVALUATION)
            weights = [
                profile.weight(k, cell, local)
                for profile in (case.first, case.second)
                if profile is not None
                for k in range(len(profile.own))
            ]
            found.setdefault((self._raised(local), *weights), local)
        return found

    def _witness(self, x: int, y: int, found: _Difference) -> Witness:
        """A difference as a whole state."""
        case, placed = found.case, {}
        if case.actor is not None and case.local is not None:
            placed[case.actor] = case.local
        placed |= {y: found.chosen[0]} if case.actor == x else {x: found.chosen[0], y: found.chosen[1]}
        special = set(placed)
        chain = self._sums(case, special, whole=True)[found.sums]
        free = {n: [p for p in members(c) if p not in special] for n, c in enumerate(self.partition)}
        while chain is not None:
            chain, cell, local = chain
            placed[free[cell].pop()] = local
        vector = tuple(placed[p] for p in range(self._size))
        return Witness(x, y, found.shared, vector, case.actor, _text(found.effects[0]), _text(found.effects[1]))

    # ------------------------------------------------------------ by states

    def _difference_in_states(self, x: int, y: int) -> Witness | None:
        """The same for actions that are evaluated on whole states: all of them, if they are few."""
        if len(self._shared) * len(self._locals) ** self._size > MOST_STATES:
            raise Undecided
        image = list(range(self._size))
        image[x], image[y] = y, x
        for shared in self._shared:
            for vector in product(self._locals, repeat=self._size):
                self._spend(1)
                if not self._is_state(shared, vector):
                    continue
                swapped = tuple(vector[image[p]] for p in range(self._size))
                for actor in sorted(self.actors) if self.action.actor else (None,):
                    before = self._apply(actor, shared, vector)
                    after = self._apply(None if actor is None else image[actor], shared, swapped)
                    if isinstance(after, tuple):
                        after = after[0], tuple(after[1][image[p]] for p in range(self._size))
                    if _key(before) != _key(after):
                        return Witness(x, y, shared, vector, actor, _text(before), _text(after))
        return None

    def _apply(self, actor: int | None, shared: Shared, vector: tuple[int, ...]) -> Applied:
        if actor is not None and actor not in self.actors:
            return None
        key = (actor, shared, vector)
        if key not in self._applied:
            self._spend(EVALUATION)
            self._applied[key] = apply_to_state(self.view, self.action, actor, shared, vector)
        return self._applied[key]

    def _is_state(self, shared: Shared, vector: Sequence[int]) -> bool:
        """Whether every flag is up where it should be, and only there."""
        for flag in range(len(self.view.flags)):
            holders = sum(self.view.raised_flags(local) >> flag & 1 for local in vector)
            is_held = shared[len(self.view.shared) + flag] == self.view.held
            if self._flags >> flag & 1 and holders != int(is_held):
                return False
        return True


@final
@dataclass(frozen=True)
class _Case:
    """Who acts before and after the exchange, in which local state; a profile of None cannot act."""

    actor: int | None
    image: int | None
    local: int | None
    first: Profile | None
    second: Profile | None


@final
@dataclass(frozen=True)
class _Difference:
    """Local states of the two processes, and sums over the others, for which an exchange changes the effects."""

    shared: Shared
    case: _Case
    chosen: tuple[int, ...]
    sums: tuple[int, ...]
    effects: Effects


def _disjoint(*flags: int) -> int | None:
    """All the bits, or None if one is there twice."""
    union = 0
    for bits in flags:
        if union & bits:
            return None
        union |= bits
    return union


def _key(outcome: object) -> object:
    """What must be equal; where a fault is and for whom is not part of it."""
    return outcome.kind if isinstance(outcome, Fault) else outcome


def _text(outcome: object) -> str:
    if outcome is None:
        return "disabled"
    return "a fault" if isinstance(outcome, Fault) else "enabled"
