"""From the groups of a few instances to a permutation for every size.

The ids of a process domain, in order, are the positions of a word. A permutation of the library is *proposed* if, at
every size of the family, its instance belongs to the group that the detected symmetries induce on the ids, and if
it moves something at one of them. A proposal says nothing about other sizes; `prove` does, where the same system
is given in regular form.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import final

from burnside.groups import PermGroup, StabiliserChain, group_order, stabiliser_chain
from burnside.groups.perm import cycle_text, is_identity
from burnside.regular.describe import describe_permutation
from burnside.regular.induced import ProcessAction
from burnside.regular.lettermaps import letter_maps
from burnside.regular.library import REFLECTION, ROTATION, TRANSPOSITION, Permutation, library, parse_permutation
from burnside.regular.process import Breach, breach
from burnside.regular.symmetries import Group, groups_of
from burnside.regular.system import System
from burnside.values import dataclass


@final
@dataclass(frozen=True)
class Member:
    """One instance: its size in words (``N=3``), how many symmetries it has, and what they do to process ids.

    ``is_validated`` says that no generator had to be dropped.
    """

    size: str
    order: int
    actions: Mapping[str, ProcessAction]
    is_validated: bool = True


@final
@dataclass(frozen=True)
class Family:
    """Process domains whose ids every symmetry moves in the same way, and the action on them at every size."""

    domains: tuple[str, ...]
    sizes: tuple[str, ...]
    actions: tuple[ProcessAction, ...]

    @cached_property
    def chains(self) -> tuple[StabiliserChain, ...]:
        """The induced groups, ready for the question whether they contain a permutation."""
        return tuple(stabiliser_chain(action.group) for action in self.actions)

    @property
    def is_partial(self) -> bool:
        """Whether some generator does not act on the ids, so that induced groups may be too small."""
        return any(action.without for action in self.actions)


@final
@dataclass(frozen=True, slots=True)
class Skipped:
    """A process domain about which nothing can be said for other sizes."""

    domain: str
    reason: str


def families(members: Sequence[Member]) -> tuple[list[Family], list[Skipped]]:
    """The process domains of a family of instances, those that move together taken as one."""
    names = dict.fromkeys(name for member in members for name in member.actions)
    kept: dict[str, tuple[ProcessAction, ...]] = {}
    skipped = []
    for name in names:
        actions = tuple(member.actions[name] for member in members if name in member.actions)
        if len(actions) < len(members):
            skipped.append(Skipped(name, "symmetries could move it at some of the sizes only"))
        elif len({len(action.ids) for action in actions}) == 1:
            skipped.append(Skipped(name, f"{len(actions[0].ids)} ids at every size"))
        else:
            kept[name] = actions
    sizes = tuple(member.size for member in members)
    return [Family(tuple(together), sizes, kept[together[0]]) for together in _together(kept)], skipped


def _together(kept: Mapping[str, Sequence[ProcessAction]]) -> list[list[str]]:
    """Domains for which, at every size, every generator is the same permutation."""
    groups: dict[object, list[str]] = {}
    for name, actions in kept.items():
        torn = any(action.without for action in actions)
        moves = tuple((len(action.ids), action.images) for action in actions)
        groups.setdefault(name if torn else moves, []).append(name)
    return list(groups.values())


# ---------------------------------------------------------------- proposals


@final
@dataclass(frozen=True, slots=True)
class Trial:
    """One permutation of the library at every size: where it is a symmetry, where it moves nothing, where it is none.

    ``reason`` says why not, for the first size where it is none.
    """

    permutation: Permutation
    agrees: tuple[str, ...]
    idle: tuple[str, ...]
    fails: tuple[str, ...]
    reason: str = ""

    @property
    def is_consistent(self) -> bool:
        """Whether no size speaks against the permutation, and one speaks for it."""
        return bool(self.agrees) and not self.fails


@final
@dataclass(frozen=True, slots=True)
class Proposal:
    """A parameterised group; per size its order, and the order of the induced group that contains it."""

    group: Group
    permutations: tuple[Permutation, ...]
    orders: tuple[tuple[int, int], ...]

    @property
    def is_exact(self) -> bool:
        """Whether it is the induced group, at every size."""
        return all(own == induced for own, induced in self.orders)


@final
@dataclass(frozen=True, slots=True)
class Proposals:
    """What a family suggests: trials of the whole library, the groups of those that succeed, and these together."""

    family: Family
    trials: tuple[Trial, ...]
    groups: tuple[Proposal, ...]
    together: Proposal


def propose(family: Family, *, depth: int = 3) -> Proposals:
    """Try the library (positions up to ``depth`` from either end) on a family."""
    trials = tuple(_trial(family, permutation) for permutation in library(depth))
    holding = [trial.permutation for trial in trials if trial.is_consistent]
    groups = [_proposal(family, group) for group in groups_of(holding)]
    for permutation in holding:  # what the named groups leave out
        if not _contained(family, permutation, [p for group in groups for p in group.permutations]):
            alone = Group(permutation.name, (permutation.name,), describe_permutation(permutation))
            groups.append(_proposal(family, alone))
    names = dict.fromkeys(name for proposal in groups for name in proposal.group.generators)
    together = Group(" and ".join(p.group.name for p in groups), tuple(names), "")
    return Proposals(family, trials, tuple(groups), _proposal(family, together))


def _trial(family: Family, permutation: Permutation) -> Trial:
    agrees, idle, fails, reason = [], [], [], ""
    for size, action, chain in zip(family.sizes, family.actions, family.chains, strict=True):
        positions = permutation.positions(len(action.ids))
        if is_identity(positions):
            idle.append(size)
        elif positions in chain:
            agrees.append(size)
        else:
            fails.append(size)
            what = "nothing found" if action.without else "no symmetry"
            reason = reason or f"{what} for {size} permutes the ids as {cycle_text(positions, action.ids)}"
    return Trial(permutation, tuple(agrees), tuple(idle), tuple(fails), reason)


def _proposal(family: Family, group: Group) -> Proposal:
    permutations = tuple(p for p in map(parse_permutation, group.generators) if p is not None)
    orders = tuple((group_order(_generated(permutations, len(action.ids))), action.order) for action in family.actions)
    return Proposal(group, permutations, orders)


def _generated(permutations: Iterable[Permutation], length: int) -> PermGroup:
    return PermGroup(length, tuple(p.positions(length) for p in permutations))


def _contained(family: Family, permutation: Permutation, others: Sequence[Permutation]) -> bool:
    """Whether others generate a permutation, at every size."""
    lengths = {len(action.ids) for action in family.actions}
    return all(permutation.positions(n) in stabiliser_chain(_generated(others, n)) for n in lengths)


# ---------------------------------------------------------------- proofs


@final
@dataclass(frozen=True, slots=True)
class Words:
    """How processes stand in the words of a regular system: behind and in front of so many other letters."""

    before: int = 0
    after: int = 0


@final
@dataclass(frozen=True, slots=True)
class Proof:
    """Whether a permutation of processes is a symmetry of every instance of a regular system.

    ``permutation`` is the one of whole words, perhaps with letters exchanged; None if the library has no such
    permutation, so that nothing was decided.
    """

    permutation: Permutation | None
    breach: Breach | None = None

    @property
    def holds(self) -> bool:
        """Whether it is proved."""
        return self.permutation is not None and self.breach is None


def prove(system: System, permutations: Sequence[Permutation], words: Words) -> list[Proof]:
    """Decide for all sizes whether the generators of a proposal are symmetries, with letters exchanged if need be."""
    return [_prove(system, _of_words(p, words)) for p in _from_either_end(permutations, words)]


def _prove(system: System, permutation: Permutation | None) -> Proof:
    if permutation is None:
        return Proof(None)
    plain = breach(system, permutation)
    if plain is None:
        return Proof(permutation)
    for letters in letter_maps(system):
        exchanged = Permutation(permutation.kind, permutation.place, letters)
        if breach(system, exchanged) is None:
            return Proof(exchanged)
    return Proof(permutation, plain)


def _from_either_end(permutations: Sequence[Permutation], words: Words) -> Sequence[Permutation]:
    """Other generators of the same groups, if those at the beginning of the word do not fit the words."""
    kinds = sorted(p.kind for p in permutations)
    whole = all(p.place == 1 for p in permutations) and kinds in ([ROTATION], [ROTATION, TRANSPOSITION])
    return [Permutation(p.kind, -1) for p in permutations] if words.after and whole else permutations


def _of_words(permutation: Permutation, words: Words) -> Permutation | None:
    """A permutation of the processes as one of whole words, if the library has it.

    >>> _of_words(Permutation("rotation", 1), Words(before=1))
    Permutation(kind='rotation', place=2, letters=())
    """
    if words == Words():
        return permutation
    if permutation.kind == REFLECTION:
        return None
    if permutation.place > 0:
        return Permutation(permutation.kind, permutation.place + words.before) if not words.after else None
    return Permutation(permutation.kind, permutation.place - words.after) if not words.before else None
