"""The process-indexed part of a model: what each process has for itself, and what all of them share.

A *local state* is what one process has: its elements of the arrays over processes, and a flag for every variable that
holds its id. The *shared* part is the rest; of a variable that holds ids it keeps the label, or that some process is
meant. So a state is a shared part and one local state per process, and permuting processes permutes local states.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Final, TypeAlias, final

from burnside.adaptive.effort import Effort
from burnside.ir.cells import Cells, State, cells_per_element, empty_slot, process_ids
from burnside.ir.nodes import Domain, Model, Variable
from burnside.source import Diagnostic, ModelError, Note
from burnside.values import dataclass

MOST_PROCESSES: Final = 4_096

Shared: TypeAlias = tuple[int, ...]
Content: TypeAlias = tuple[int, ...]  # the cells of one process, then its flags as 0 or 1


@final
@dataclass(frozen=True)
class View:
    """A model seen as processes with local states; built by `view_of`. Local states are numbered as they turn up.

    ``effort`` is what finding out about it may still cost.
    """

    model: Model
    cells: Cells
    ids: range
    domain: Domain
    arrays: tuple[Variable, ...]
    own: tuple[tuple[int, ...], ...]  # the cells of every process
    flags: tuple[int, ...]  # the cells that hold ids
    shared: tuple[int, ...]  # the cells that hold anything else
    held: int  # what stands for a process in the shared part: no value of any variable that holds ids
    effort: Effort
    contents: list[Content]
    _numbers: dict[Content, int]

    @property
    def size(self) -> int:
        """How many processes there are."""
        return len(self.ids)

    def name(self, process: int) -> str:
        """A process in the user's words."""
        return self.domain.text(self.ids[process])

    def number(self, content: Content) -> int:
        """The number of a local state."""
        number = self._numbers.get(content)
        if number is None:
            number = self._numbers[content] = len(self.contents)
            self.contents.append(content)
        return number

    def text(self, local: int) -> str:
        """A local state in the user's words."""
        content = self.contents[local]
        parts = [self.cells.all[c].domain.text(v) for c, v in zip(self.own[0], content, strict=False)]
        parts += [self.cells.all[f].name for k, f in enumerate(self.flags) if content[len(self.own[0]) + k]]
        return " ".join(parts)

    # ------------------------------------------------------------ states

    def split(self, state: Sequence[int]) -> tuple[Shared, tuple[int, ...]]:
        """The shared part of a state, and the local state of every process."""
        holders = [state[f] for f in self.flags]
        shared = (*(state[c] for c in self.shared), *(self.held if h in self.ids else h for h in holders))
        return shared, tuple(
            self.number((*(state[c] for c in cells), *(int(h == i) for h in holders)))
            for i, cells in zip(self.ids, self.own, strict=True)
        )

    def join(self, shared: Shared, vector: Iterable[int]) -> State:
        """The state with these parts. A flag that no process has up is left as `held`, which is no value at all."""
        state = self.background(shared)
        for process, local in enumerate(vector):
            self.put(state, process, local)
        return tuple(state)

    def background(self, shared: Shared) -> list[int]:
        """A state with a shared part and nothing for the processes yet."""
        state = [0] * len(self.cells)
        for cell, value in zip((*self.shared, *self.flags), shared, strict=True):
            state[cell] = value
        return state

    def put(self, state: list[int], process: int, local: int) -> None:
        """Give a process a local state."""
        content, cells = self.contents[local], self.own[process]
        for cell, value in zip(cells, content, strict=False):
            state[cell] = value
        for flag, is_up in zip(self.flags, content[len(cells) :], strict=True):
            if is_up:
                state[flag] = self.ids[process]

    def lowered(self, local: int, flags: Iterable[int]) -> int:
        """A local state without some flags, given by their positions."""
        content = list(self.contents[local])
        for flag in flags:
            content[len(self.own[0]) + flag] = 0
        return self.number(tuple(content))

    def raised_flags(self, local: int) -> int:
        """The flags that are up in a local state, as bits."""
        up = self.contents[local][len(self.own[0]) :]
        return sum(1 << k for k, bit in enumerate(up) if bit)

    # ------------------------------------------------------------ all values

    def local_ranges(self, varied: Iterable[int]) -> list[Sequence[int]]:
        """Contents of local states: every value at the ``varied`` positions, and the least one elsewhere."""
        wanted = set(varied)
        ranges = [*map(self._values, self.own[0]), *[range(2)] * len(self.flags)]
        return [r if k in wanted else r[:1] for k, r in enumerate(ranges)]

    def shared_ranges(self, varied: Iterable[int]) -> list[Sequence[int]]:
        """Shared parts: every value of the ``varied`` cells, flags among them, and one value elsewhere."""
        wanted = set(varied)
        ranges = [self._values(c) if c in wanted else self._values(c)[:1] for c in self.shared]
        return [*ranges, *(self._labels(f) if f in wanted else [self.held] for f in self.flags)]

    def _labels(self, flag: int) -> list[int]:
        """What the shared part may keep of a variable that holds ids."""
        return [self.held, *(v for v in self.cells.all[flag].domain.values() if v not in self.ids)]

    def _values(self, cell: int) -> range:
        entry = self.cells.all[cell]
        if entry.slot is None:
            return entry.domain.values()
        if entry.slot < 0:
            return range((entry.variable.capacity or 0) + 1)
        return range(empty_slot(entry.variable), entry.domain.high + 1)


def view_of(model: Model, effort: Effort | None = None) -> View:
    """The processes of a model; raises `ModelError` with what stands in the way."""
    domain = _process_domain(model)
    ids = process_ids(domain)
    if len(ids) > MOST_PROCESSES:
        raise ModelError([Diagnostic("BUR301", f"there are more than {MOST_PROCESSES:,} processes")])
    cells = Cells(model)
    arrays = tuple(v for v in model.variables if any(_is_over(d, domain) for d in v.dimensions))
    problems = [p for v in model.variables if (p := _problem(v, domain)) is not None]
    if problems:
        raise ModelError(problems)
    flags: list[int] = []
    shared: list[int] = []
    for variable in model.variables:
        if variable not in arrays:
            kind = flags if variable.domain.index == domain.name else shared
            start = cells.starts[variable.name]
            kind += range(start, start + variable.elements * cells_per_element(variable))
    own = tuple(tuple(_cells_of(cells, arrays, domain, i)) for i in ids)
    held = min([ids.start, *(cells.all[f].domain.low for f in flags)]) - 1
    return View(model, cells, ids, domain, arrays, own, tuple(flags), tuple(shared), held, effort or Effort(), [], {})


def _process_domain(model: Model) -> Domain:
    """The process domain with the most ids that an array is indexed by."""
    indexed = {d.index for v in model.variables for d in v.dimensions if d.index}
    candidates = [d for d in model.domains if d.name in indexed and d.index == d.name]
    if not candidates:
        remedy = "declare the ids with 'process', and what each process has as an array over them"
        raise ModelError([Diagnostic("BUR301", "no array is indexed by processes", notes=(Note(remedy, "help"),))])
    return max(candidates, key=lambda d: len(process_ids(d)))


def _is_over(dimension: Domain, process: Domain) -> bool:
    return dimension.index == process.name


def _problem(variable: Variable, process: Domain) -> Diagnostic | None:
    """Why a variable does not fit, if it does not."""
    over = [d for d in variable.dimensions if _is_over(d, process)]
    holds_ids = variable.domain.index == process.name
    if len(over) > 1:
        message = f"'{variable.name}' has a value for every pair of processes"
    elif over and (over[0].values() != process.values() or len(process_ids(process)) != process.size):
        message = f"'{variable.name}' has values for some processes only, or for more than them"
    elif over and holds_ids:
        message = f"'{variable.name}' holds a process id for every process"
    elif holds_ids and variable.is_sequence:
        message = f"'{variable.name}' is a sequence of process ids"
    else:
        return None
    remedy = "adaptive exploration needs arrays with one value per process, and single variables for ids"
    return Diagnostic("BUR301", message, variable.span, (Note(remedy, "help"),))


def _cells_of(cells: Cells, arrays: Iterable[Variable], process: Domain, value: int) -> Iterable[int]:
    for variable in arrays:
        width = cells_per_element(variable)
        choices = [[value] if _is_over(d, process) else d.values() for d in variable.dimensions]
        for indices in product(*choices):
            start = cells.position(variable, indices)
            assert start is not None
            yield from range(start, start + width)
