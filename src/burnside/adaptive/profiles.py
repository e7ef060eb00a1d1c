"""What an action does for one kind of acting process: the shared part, its local state, and its cell are given.

A `Profile` remembers what it has computed. Everything is evaluated by ``ir/semantics.py`` on a state in which only the
processes that are looked at have been filled in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, final

from burnside.adaptive.actions import Action
from burnside.adaptive.partitions import Partition, cell_of
from burnside.adaptive.view import Shared, View
from burnside.ir.nodes import Bound, Expr, Logic, Unary
from burnside.ir.semantics import Fault, FaultRaised, Step, evaluate, fire
from burnside.values import dataclass

Counts: TypeAlias = tuple[tuple[int, int], ...]  # local states and how many processes are in them, in order


@final
@dataclass(frozen=True, slots=True)
class Effect:
    """What a step makes of the shared part and of the acting process; the others lose the flags ``lowered``."""

    shared: Shared
    local: int
    lowered: tuple[int, ...] = ()


@final
class Profile:
    """One action, with the syntactic partition that its relations give, for one kind of actor (None if nobody acts)."""

    def __init__(
        self, view: View, action: Action, partition: Partition, process: int | None, shared: Shared, local: int | None
    ) -> None:
        assert action.questions is not None
        self._view = view
        self._action = action
        self._process = process
        self._shared = shared
        self.local = local
        self.cell = None if process is None else cell_of(partition, process)
        self._state = view.background(shared)
        if process is not None and local is not None:
            view.put(self._state, process, local)
        self._names = {action.actor: view.ids[process]} if process is not None else {}
        self._weights: list[dict[tuple[int, int], int]] = [{} for _ in action.questions]
        self._forbidden: dict[tuple[int, int], bool] = {}
        self._effects: dict[tuple[int, ...], Effect | Fault | None] = {}
        key = (process, shared, local)
        if key not in action.possible:
            action.possible[key] = self._is_possible()
        self.is_possible = action.possible[key]
        self.own: tuple[int, ...] = ()
        self.first: tuple[int, ...] = ()
        if not self.is_possible:
            return
        self._others = tuple(self._another(cell) for cell in partition)
        self.own = tuple(self._own_weight(k) for k in range(len(action.questions)))
        self.first = tuple(o - self._weight_as_other(k) for k, o in enumerate(self.own))

    def _another(self, cell: int) -> int:
        """A member of a cell that is not the actor, or -1."""
        first = cell & -cell
        if first.bit_length() - 1 == self._process:
            cell ^= first
            first = cell & -cell
        return first.bit_length() - 1

    def _is_possible(self) -> bool:
        """False if the guard is false whatever the answers are."""
        guard = self._action.abstract.guard
        operands = guard.operands if isinstance(guard, Logic) and guard.operator == "&&" else (guard,)
        for operand in operands:
            if not _is_among(self._action.answers, operand):
                try:
                    if not evaluate(self._view.cells, operand, self._state, self._names):
                        return False
                except (KeyError, FaultRaised):  # an answer is asked for, or something is wrong: look closer
                    return True
        return True

    # ------------------------------------------------------------ questions

    def _own_weight(self, question: int) -> int:
        """What the actor itself adds to the sum of a question."""
        if self._process is None:
            return 0
        assert self._action.questions is not None
        asked = self._action.questions[question]
        if self._process not in asked.processes:
            return 0
        names = {**self._names, asked.name: self._view.ids[self._process]}
        return asked.weight(evaluate(self._view.cells, asked.body, self._state, names))

    def _weight_as_other(self, question: int) -> int:
        """What the actor would add if it were another process: sums over all processes count it as one."""
        return 0 if self.cell is None or self.local is None else self.weight(question, self.cell, self.local)

    def weight(self, question: int, cell: int, local: int) -> int:
        """What a process of a cell in a local state adds to the sum, if it is not the actor."""
        known = self._weights[question]
        key = (cell, local)
        if key not in known:
            known[key] = self._weight(question, self._others[cell], local)
        return known[key]

    def _weight(self, question: int, process: int, local: int) -> int:
        assert self._action.questions is not None
        asked = self._action.questions[question]
        if process not in asked.processes:
            return 0
        state, view = list(self._state), self._view
        view.put(state, process, local)
        return asked.weight(evaluate(view.cells, asked.body, state, {**self._names, asked.name: view.ids[process]}))

    def forbids(self, cell: int, local: int) -> bool:
        """Whether the guard is false if a process of a cell, not the actor, is in a local state."""
        key = (cell, local)
        known = self._forbidden.get(key)
        if known is None:
            assert self._action.questions is not None
            required = (k for k, q in enumerate(self._action.questions) if q.is_required)
            known = self._forbidden[key] = any(self.weight(k, cell, local) for k in required)
        return known

    def answers(self, counts: Sequence[Counts], cells: Sequence[int]) -> tuple[int, ...]:
        """The answers, given how many processes are in which local state; ``cells`` says in whose cell they are."""
        if not self.first:
            return ()
        assert self._action.questions is not None
        found = []
        for number, asked in enumerate(self._action.questions):
            total = self.first[number]
            for group, cell in zip(counts, cells, strict=True):
                for local, count in group:
                    total += count * self.weight(number, cell, local)
            found.append(asked.answer(total))
        return tuple(found)

    # ------------------------------------------------------------ effect

    def effect(self, answers: tuple[int, ...]) -> Effect | Fault | None:
        """What happens with these answers: an effect, a fault, or nothing since the action is not enabled."""
        if answers not in self._effects:
            self._effects[answers] = self._effect(answers)
        return self._effects[answers]

    def _effect(self, answers: tuple[int, ...]) -> Effect | Fault | None:
        view, process = self._view, self._process
        actor = () if process is None else (view.ids[process],)
        outcome = fire(view.cells, self._action.abstract, (*actor, *answers), tuple(self._state))
        if not isinstance(outcome, Step):
            return outcome
        old, new = self._state, outcome.state
        holders = [new[f] for f in view.flags]
        shared = (*(new[c] for c in view.shared), *(view.held if h in view.ids else h for h in holders))
        lowered = tuple(k for k, f in enumerate(view.flags) if old[f] == view.held != new[f])
        if process is None:
            return Effect(shared, -1, lowered)
        flags = (int(h == view.ids[process]) for h in holders)
        return Effect(shared, view.number((*(new[c] for c in view.own[process]), *flags)), lowered)


def _is_among(answers: frozenset[str], operand: Expr) -> bool:
    inner = operand.operand if isinstance(operand, Unary) else operand
    return isinstance(inner, Bound) and inner.name in answers


def apply_to_state(
    view: View, action: Action, process: int | None, shared: Shared, vector: Sequence[int]
) -> tuple[Shared, tuple[int, ...]] | Fault | None:
    """What an action does to a whole state."""
    actor = () if process is None else (view.ids[process],)
    outcome = fire(view.cells, action.rule, actor, view.join(shared, vector))
    return view.split(outcome.state) if isinstance(outcome, Step) else outcome
