"""What a rule or a condition says about processes without looking at their states.

``forall j: level[j] < level[i] => at[j] != T`` looks at processes in two ways: at their states, which a permutation
of processes moves along, and at ids, here through ``level[j] < level[i]``. Parts of the second kind are *relations*
between ids, the same in every state. A permutation that keeps all relations of a rule keeps the rule, so two processes
that may be exchanged in every relation need not be told apart [Wahl07, sec. 4]. This holds for every expression, since
whatever is not understood as a state is a relation: using an id as a number tells all ids apart.

``relation_finder`` finds the relations of a rule. The partition that they give is right, but perhaps finer than
necessary; ``edges`` makes it the coarsest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from itertools import product
from typing import Final, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from burnside.adaptive.effort import EVALUATION, Undecided
from burnside.adaptive.partitions import Partition, discrete, mask_of, normal
from burnside.adaptive.view import View
from burnside.ir.nodes import (
    Binary,
    Expr,
    Logic,
    Unary,
)
from burnside.ir.semantics import FaultRaised, evaluate
from burnside.ir.uses import free_names
from burnside.values import dataclass, replace

Table: TypeAlias = NDArray[np.int64]

FAULT: Final = -(1 << 62)  # stands for a value that cannot be computed
ABSENT: Final = FAULT + 1  # … and for one that is never asked for

_VECTOR: Final[Mapping[str, Callable[[Table, Table], Table]]] = {
    "+": np.add,
    "-": np.subtract,
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}


@final
@dataclass(frozen=True)
class Axis:
    """What an argument of a relation ranges over: processes and perhaps labels, or plain data."""

    name: str
    values: tuple[int, ...]
    is_process: bool
    allowed: range | None = None  # if not all


@final
@dataclass(frozen=True)
class Relation:
    """The values of an expression over ids; ``is_process`` says that the values are ids, too."""

    axes: tuple[Axis, ...]
    table: Table
    is_process: bool

    def limited(self, name: str, actors: Iterable[int]) -> Relation:
        """The relation where one argument is among some processes only."""
        wanted = sorted(actors)
        axis = next((k for k, axis in enumerate(self.axes) if axis.name == name), None)
        if axis is None:
            return self
        inside = self.table.take(wanted, axis=axis)
        first: Table = np.asarray(self.table.take(wanted[0], axis=axis))
        if not self.is_process and (inside == np.expand_dims(first, axis)).all():
            # It does not matter which of them acts: the relation says something about the others alone.
            return Relation((*self.axes[:axis], *self.axes[axis + 1 :]), first, False)
        table = np.full_like(self.table, ABSENT)
        np.moveaxis(table, axis, 0)[wanted] = np.moveaxis(inside, axis, 0)
        return replace(self, table=table)

    @property
    def is_property(self) -> bool:
        """Whether it says something about one process, and so may be exchanged if the values are equal."""
        return len(self.axes) == 1 and self.axes[0].is_process and not self.is_process

    def keeps(self, x: int, y: int, ids: range) -> bool:
        """Whether exchanging two processes (numbered from 0) changes nothing."""
        if self.is_process:
            return self._keeps_values(x, y, ids)
        return all(self._keeps_slices(k, x, y) for k, axis in enumerate(self.axes) if axis.is_process)

    def _keeps_slices(self, axis: int, x: int, y: int) -> bool:
        """Whether the values with ``x`` at one place are those with ``y`` there, and the reverse elsewhere."""
        first: Table = np.asarray(self.table.take(x, axis=axis))
        second: Table = np.asarray(self.table.take(y, axis=axis))
        rest = [a for k, a in enumerate(self.axes) if k != axis]
        for k, other in enumerate(rest):
            if other.is_process:
                order = np.arange(second.shape[k])
                order[[x, y]] = order[[y, x]]
                second = second.take(order, axis=k)
        return bool(np.array_equal(first, second))

    def _keeps_values(self, x: int, y: int, ids: range) -> bool:
        """The same for a relation whose values are ids: they move as well."""
        table = self.table
        for k, axis in enumerate(self.axes):
            if axis.is_process:
                order = np.arange(table.shape[k])
                order[[x, y]] = order[[y, x]]
                table = table.take(order, axis=k)
        return bool(np.array_equal(self.table, _exchanged(table, ids[x], ids[y])))

    def signature(self, process: int) -> tuple[bytes, ...]:
        """Something that exchangeable processes have in common."""
        if self.is_process:
            return ()
        slices = (self.table.take(process, axis=k) for k, a in enumerate(self.axes) if a.is_process)
        return tuple(np.sort(s, axis=None).tobytes() for s in slices)


def _exchanged(table: Table, x: int, y: int) -> Table:
    result = table.copy()
    result[table == x] = y
    result[table == y] = x
    return result


def syntactic_partition(
    view: View, relations: Sequence[Relation] | None, actor: str, actors: Sequence[int]
) -> Partition:
    """Processes that every relation lets be exchanged, if only ``actors`` act; None as relations tells all apart."""
    if relations is None:
        return discrete(view.size)
    try:
        return _exchangeable(view, relations, actor, actors)
    except Undecided:
        return discrete(view.size)


def _exchangeable(view: View, relations: Sequence[Relation], actor: str, actors: Sequence[int]) -> Partition:
    view.effort.spend(view.size + sum(r.table.size for r in relations) // 1_000)
    restricted = len(actors) < view.size
    used = [r.limited(actor, actors) if restricted else r for r in relations]
    acts = set(actors) if actor and restricted else set()
    single = [r.table.tolist() for r in used if r.is_property]
    used = [r for r in used if not r.is_property]
    buckets: dict[object, list[list[int]]] = {}
    for process in range(view.size):
        values = tuple([values[process] for values in single])
        key = (process in acts, values, *(r.signature(process) for r in used))
        homes = buckets.setdefault(key, [])
        home = next((h for h in homes if _keep_all(view, used, h[0], process)), None)
        if home is None:
            homes.append([process])
        else:
            home.append(process)
    return normal(mask_of(home) for homes in buckets.values() for home in homes)


def _keep_all(view: View, relations: Iterable[Relation], x: int, y: int) -> bool:
    for relation in relations:
        view.effort.spend(EVALUATION)
        if not relation.keeps(x, y, view.ids):
            return False
    return True


# ---------------------------------------------------------------- tables


def tabulate(view: View, expr: Expr, axes: Sequence[Axis]) -> Table:
    """The values of an expression for all values of its names."""
    try:
        table = _vector(view, expr, axes)
    except FaultRaised:
        table = _one_by_one(view, expr, axes, with_faults=True)
    return np.array(np.broadcast_to(table, [len(a.values) for a in axes]), dtype=np.int64)


def _vector(view: View, expr: Expr, axes: Sequence[Axis]) -> Table:
    """The same with as few evaluations as possible; raises what the evaluations raise."""
    match expr:
        case Binary(operator=operator, left=left, right=right) if operator in _VECTOR:
            return _VECTOR[operator](_vector(view, left, axes), _vector(view, right, axes)).astype(np.int64)
        case Unary(operator="!", operand=operand):
            return np.equal(_vector(view, operand, axes), 0).astype(np.int64)
        case Logic(operator=operator, operands=operands):
            join = np.logical_and if operator == "&&" else np.logical_or
            return reduce(join, (_vector(view, o, axes) for o in operands)).astype(np.int64)
        case _:
            return _one_by_one(view, expr, axes, with_faults=False)


def _one_by_one(view: View, expr: Expr, axes: Sequence[Axis], *, with_faults: bool) -> Table:
    free = free_names(expr)
    shape = [len(a.values) if a.name in free else 1 for a in axes]
    choices = [a.values if a.name in free else (0,) for a in axes]
    found: list[int] = []
    for values in product(*choices):
        view.effort.spend(EVALUATION)
        names = {a.name: v for a, v in zip(axes, values, strict=True)}
        try:
            found.append(evaluate(view.cells, expr, (), names))
        except FaultRaised:
            if not with_faults:
                raise
            found.append(FAULT)
    return np.array(found, dtype=np.int64).reshape(shape)
