"""How to reduce: which canonical form suits a group, and why."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias, final

from burnside.groups import Perm, stabiliser_chain
from burnside.groups.work import OutOfWork, Work
from burnside.reduce.action import Action, action_of
from burnside.reduce.chain import StabiliserDag, TooComplex, build_dag
from burnside.reduce.sorting import Sorted, Sorting, sorting, tree_text

if TYPE_CHECKING:  # detection brings numerical libraries along, which plain exploring does not need
    from burnside.detect.validate import Symmetry

MOST_POINTS = 60_000  # they are numbered by 16 bits in C
MOST_WORK = 50_000_000  # images of points for each stage of planning: some seconds, some hundred megabytes
MOST_IMAGES = 144  # beyond, the chain is as quick (two-hop 4, 576 symmetries: 0.45 against 0.75 µs)


@final
@dataclass(frozen=True)
class Sort:
    """Sort blocks of literals that can be arranged in any way: exact, and quickest wherever it applies."""

    trees: tuple[Sorted, ...]


@final
@dataclass(frozen=True)
class Images:
    """Compute the image under every element on packed words: exact, and quick for small groups."""

    elements: tuple[Perm, ...]


@final
@dataclass(frozen=True)
class Chain:
    """Walk a stabiliser DAG: exact for every group."""

    dag: StabiliserDag


@final
@dataclass(frozen=True)
class LocalSearch:
    """Improve under the generators while that helps: quick, several representatives per orbit."""


Step: TypeAlias = Sort | Images | Chain | LocalSearch
Method: TypeAlias = Literal["sorting", "images"]


@final
@dataclass(frozen=True)
class Reduction:
    """A group on literals, the way to its representatives, and the reason for choosing it.

    The steps take care of direct factors of the group that move different literals, so that one after the other
    finds the representative under the whole group.
    """

    action: Action
    steps: tuple[Step, ...]
    name: str
    reason: str

    @property
    def is_exact(self) -> bool:
        """Whether every orbit has exactly one representative."""
        return not any(isinstance(step, LocalSearch) for step in self.steps)


def plan(
    symmetry: Symmetry,
    *,
    multi: bool = False,
    without: Collection[Method] = (),
    checkpoint: Callable[[], None] | None = None,
) -> Reduction | None:
    """The reduction for a symmetry, or None if it moves nothing that can be reduced; `TooComplex` if that takes more
    work than it is allowed to.

    ``multi`` asks for local search; ``without`` leaves out special methods, whose work the general one then does.
    ``checkpoint`` is called between pieces of work; an exception that it raises ends the planning.
    """
    try:
        action = action_of(symmetry, work=Work(MOST_WORK, checkpoint))
    except OutOfWork as error:
        raise TooComplex("its group takes too long to work with") from error
    return plan_action(action, multi=multi, without=without, checkpoint=checkpoint)


def plan_action(
    action: Action,
    *,
    multi: bool = False,
    without: Collection[Method] = (),
    checkpoint: Callable[[], None] | None = None,
) -> Reduction | None:
    """The same for an action, which the caller answers for."""
    if action.group.is_trivial:
        return None
    if len(action.values) + action.followed > MOST_POINTS:
        raise TooComplex(f"it moves more than {MOST_POINTS:,} values")
    if multi:
        return Reduction(action, (LocalSearch(),), "local search", "asked for")
    work = Work(MOST_WORK, checkpoint)
    try:
        found = Sorting((), action.group) if "sorting" in without else sorting(action.group, work=work)
    except OutOfWork:
        found = Sorting((), action.group)
    steps: list[Step] = [Sort(found.trees)] if found.trees else []
    names = ["sorting"] if found.trees else []
    reasons = [f"{' and '.join(map(tree_text, found.trees))} can be arranged in any way"] if found.trees else []
    if not found.rest.is_trivial:
        try:
            step, name, reason = _search(replace(action, group=found.rest), without, Work(MOST_WORK, checkpoint))
        except TooComplex:
            return Reduction(action, (LocalSearch(),), "local search", "the stabiliser chain grows too large")
        steps.append(step)
        names.append(name)
        reasons.append(reason)
    return Reduction(action, tuple(steps), ", then ".join(names), "; ".join(reasons))


def _search(action: Action, without: Collection[Method], work: Work) -> tuple[Step, str, str]:
    """The method for what sorting leaves, its name, and why it was chosen."""
    if "images" not in without and action.order <= MOST_IMAGES:
        elements = tuple(stabiliser_chain(action.group, work=work).elements())[1:]
        return Images(elements), "all images", f"only {action.order} symmetries"
    return Chain(build_dag(action, work=work)), "stabiliser chain", "the general method"
