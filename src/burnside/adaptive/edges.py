"""Edges: actions with the coarsest partition of processes that they do not tell apart.

For every action the partition ``Q`` is inferred: first the syntactic one, then cells are merged whose members may be
exchanged after all (`exchange`). Where the actor's cell matters, an action is split by the class of the actor::

    grant: T -> G when forall j: level[j] < level[i] => at[j] != T        | 1, 2 | 3, 4 | 5, 6 |
    becomes, for the actors 3 and 4:                                      | 1, 2 | 3, 4 | 5, 6 |
                   and for the actors 1 and 2:                            | 1, 2 | 3..6 |

A partition that is given is verified, never trusted: a wrong one is refused with a witness. It is used as it is given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import final

from burnside.adaptive.actions import Action
from burnside.adaptive.effort import Undecided
from burnside.adaptive.exchange import Comparison, Witness
from burnside.adaptive.partitions import Partition, cell_of, is_finer, mask_of, members, normal, text_of
from burnside.adaptive.profiles import Profile
from burnside.adaptive.relations import syntactic_partition
from burnside.adaptive.view import Shared, View
from burnside.source import Diagnostic, ModelError, Note, Severity
from burnside.values import dataclass, field, replace


@final
@dataclass
class Edge:
    """An action for some of its actors. ``base`` is the syntactic partition, ``partition`` the one to be used."""

    view: View
    action: Action
    actors: int  # as a mask; 0 if nobody acts
    base: Partition
    partition: Partition
    is_coarsest: bool = True  # as far as that could be decided
    _profiles: dict[tuple[int, Shared, int], Profile] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._cells = {p: k for k, cell in enumerate(self.base) for p in members(cell)} | {-1: -1}
        questions = self.action.questions
        self.is_simple = questions is not None
        self.required = [k for k, q in enumerate(questions or ()) if q.is_required]
        self.depends_on_presence = self._depends_on_presence()
        self.kinds = [members(cell & self.actors)[0] for cell in self.base if cell & self.actors]

    def _depends_on_presence(self) -> bool:
        """Whether a condition asks only which local states occur, of whatever process."""
        questions = self.action.questions
        has_quantifiers = questions is not None and all(q.quantifier in ("forall", "exists") for q in questions)
        return has_quantifiers and len(self.base) == 1

    @property
    def is_dead(self) -> bool:
        """Whether an actor may be exchanged with a process that never acts: then nobody ever does."""
        return any(0 != cell & self.actors != cell for cell in self.partition)

    def profile(self, process: int, shared: Shared, local: int) -> Profile:
        """What the edge does for an actor; -1 if nobody acts."""
        key = (self._cells[process], shared, local)
        profile = self._profiles.get(key)
        if profile is None:
            actor, state = (None, None) if process < 0 else (process, local)
            profile = self._profiles[key] = Profile(self.view, self.action, self.base, actor, shared, state)
        return profile

    def possible(self, shared: Shared, vector: Iterable[int]) -> frozenset[int]:
        """The local states in which some process could act; -1 stands for nobody."""
        if self.action.questions is None:
            return frozenset(vector if self.action.actor else (-1,))
        if not self.action.actor:
            return frozenset((-1,) if self.profile(-1, shared, -1).is_possible else ())
        return frozenset(v for v in vector if any(self.profile(p, shared, v).is_possible for p in self.kinds))


def edges_of(view: View, actions: Iterable[Action]) -> tuple[tuple[Edge, ...], tuple[Diagnostic, ...]]:
    """The edges of all actions, and what there is to say about partitions that were given."""
    edges: list[Edge] = []
    notes: list[Diagnostic] = []
    problems: list[Diagnostic] = []
    for action in actions:
        given = action.origin.partition if action.origin is not None else None
        if given is None:
            edges += infer_edges(view, action)
            continue
        edge, diagnostic = _verified(view, action, given)
        if edge is not None:
            edges.append(edge)
        if diagnostic is not None:
            (notes if edge is not None else problems).append(diagnostic)
    if problems:
        raise ModelError(problems)
    return tuple(edges), (*notes, *undecided(edges))


def undecided(edges: Iterable[Edge]) -> Iterator[Diagnostic]:
    """A note if partitions may be finer than necessary."""
    names = sorted({f"'{edge.action.name}'" for edge in edges if not edge.is_coarsest})
    if names:
        shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
        message = f"there is too much to compare in {shown}: processes may be told apart that need not be"
        yield Diagnostic("BUR306", message, severity=Severity.NOTE)


def infer_edges(view: View, action: Action) -> list[Edge]:
    """One edge, or one for every class of actors where that gives coarser partitions."""
    whole = infer_edge(view, action, action.actors)
    if len(whole.partition) == 1 or not action.actors:
        return [whole]
    groups: dict[Partition, list[Edge]] = {}
    for cell in whole.partition:
        actors = [p for p in members(cell) if p in action.actors]
        if view.effort.steps < 0:
            return [replace(whole, is_coarsest=False)]
        if actors:
            edge = infer_edge(view, action, actors)
            if edge.is_dead:
                continue
            groups.setdefault(edge.partition, []).append(edge)
    if groups.keys() == {whole.partition}:
        return [whole]
    return [_joined(view, action, edges) for edges in groups.values()]


def _joined(view: View, action: Action, edges: list[Edge]) -> Edge:
    """Edges with the same partition as one."""
    if len(edges) == 1:
        return edges[0]
    actors = [p for edge in edges for p in members(edge.actors)]
    base = syntactic_partition(view, action.relations, action.actor, actors)
    return Edge(view, action, mask_of(actors), base, edges[0].partition, all(e.is_coarsest for e in edges))


def infer_edge(view: View, action: Action, actors: Iterable[int]) -> Edge:
    """An edge with the coarsest partition that could be shown to be right."""
    chosen = sorted(actors)
    base = syntactic_partition(view, action.relations, action.actor, chosen)
    partition, is_complete = _merged(Comparison(view, action, frozenset(chosen), base))
    return Edge(view, action, mask_of(chosen), base, partition, is_complete)


def _merged(comparison: Comparison) -> tuple[Partition, bool]:
    """Cells joined whose members may be exchanged, and whether all pairs of cells could be compared."""
    merged: list[int] = []
    is_complete = True
    for cell in comparison.partition:
        home, is_sure = _home(comparison, merged, cell)
        is_complete = is_complete and is_sure
        if home is None:
            merged.append(cell)
        else:
            merged[home] |= cell
    return normal(merged), is_complete


def _home(comparison: Comparison, merged: list[int], cell: int) -> tuple[int | None, bool]:
    """The cell that another one may be joined with, if any, and whether all could be compared."""
    is_sure = True
    for k, other in enumerate(merged):
        if comparison.view.effort.steps < 0:
            return None, False
        try:
            if comparison.may_be_exchanged(members(other)[0], members(cell)[0]):
                return k, is_sure
        except Undecided:
            is_sure = False
    return None, is_sure


# ---------------------------------------------------------------- given partitions


def _verified(view: View, action: Action, given: tuple[tuple[int, ...], ...]) -> tuple[Edge | None, Diagnostic | None]:
    """The edge with a given partition if that is right, and a diagnostic if there is something to say."""
    partition = normal(mask_of(view.ids.index(i) for i in cell) for cell in given)
    base = syntactic_partition(view, action.relations, action.actor, action.actors)
    comparison = Comparison(view, action, frozenset(action.actors), base)
    coarse, is_complete = _merged(comparison)
    edge = Edge(view, action, mask_of(action.actors), base, partition)
    if is_finer(partition, coarse):
        return edge, _too_fine(view, action, partition, coarse)
    return None, _wrong(view, comparison, partition, coarse, is_complete=is_complete)


def _too_fine(view: View, action: Action, given: Partition, coarse: Partition) -> Diagnostic | None:
    if given == coarse:
        return None
    message = f"the partition of '{action.name}' could be coarser: {text_of(coarse, view.name)}"
    return Diagnostic("BUR304", message, action.rule.span, severity=Severity.NOTE)


def _wrong(view: View, comparison: Comparison, given: Partition, coarse: Partition, *, is_complete: bool) -> Diagnostic:
    """What is wrong with a partition: two processes in one cell that are told apart."""
    action = comparison.action
    cells = ((members(cell), {cell_of(coarse, p) for p in members(cell)}) for cell in given)
    together = next(inside for inside, found in cells if len(found) > 1)
    x = together[0]
    y = next(p for p in together if cell_of(coarse, p) != cell_of(coarse, x))
    remedy = Note(f"leave it out, or write {text_of(coarse, view.name)}", "help")
    try:
        witness = comparison.difference(x, y)
    except Undecided:
        witness = None
    if witness is None:
        assert not is_complete
        message = f"the partition of '{action.name}' cannot be verified: {view.name(x)} and {view.name(y)} share a cell"
        return Diagnostic("BUR305", message, action.rule.span, (remedy,))
    message = f"'{action.name}' tells {view.name(x)} and {view.name(y)} apart, but its partition does not"
    return Diagnostic("BUR303", message, action.rule.span, (*_explain(view, witness), remedy))


def _explain(view: View, witness: Witness) -> tuple[Note, ...]:
    first, second = view.name(witness.first), view.name(witness.second)
    swapped = {witness.first: witness.second, witness.second: witness.first}
    held = zip((*view.shared, *view.flags), witness.shared, strict=True)
    values = [f"{view.cells.all[c].name} = {view.cells.all[c].domain.text(v)}" for c, v in held if v != view.held]
    vector = [f"{view.name(p)}: {view.text(local)}" for p, local in enumerate(witness.vector)]
    state = Note(f"in the state with {', '.join([*values, *vector])}")
    if witness.process is None:
        return state, Note(f"exchanging {first} and {second} there turns {witness.before} into {witness.after}")
    before, after = view.name(witness.process), view.name(swapped.get(witness.process, witness.process))
    if witness.before == witness.after:
        change = f"{before} does one thing there, and with {first} and {second} exchanged {after} does another"
    else:
        swap = f"with {first} and {second} exchanged"
        change = f"it is {witness.before} for {before} there; {swap} {witness.after} for {after}"
    return state, Note(change)
