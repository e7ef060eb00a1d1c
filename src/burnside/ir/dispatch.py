"""Rules by the first thing that their guards ask, so that a search in the interpreter need not try them all."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar, final

from burnside.ir.cells import Cells, State
from burnside.ir.nodes import Binary, Const, Expr, Logic, Read

T = TypeVar("T")


@final
class Dispatch(Generic[T]):
    """Rules, or instances of them: ``guard_of`` says what each asks."""

    def __init__(self, cells: Cells, rules: Iterable[T], guard_of: Callable[[T], Expr]) -> None:
        self._anywhere: list[tuple[int, T]] = []
        self._by_cell: dict[int, dict[int, list[tuple[int, T]]]] = {}
        for number, rule in enumerate(rules):
            first = _first_test(cells, guard_of(rule))
            if first is None:
                self._anywhere.append((number, rule))
            else:
                cell, value = first
                self._by_cell.setdefault(cell, {}).setdefault(value, []).append((number, rule))

    def candidates(self, state: State) -> list[T]:
        """Those whose first test does not fail, in order: the others are not enabled, and cannot fault before it."""
        found = list(self._anywhere)
        for cell, by_value in self._by_cell.items():
            found += by_value.get(state[cell], ())
        return [rule for _, rule in sorted(found, key=lambda entry: entry[0])]


def _first_test(cells: Cells, guard: Expr) -> tuple[int, int] | None:
    """The cell and the value that a guard asks for first, if it is so simple."""
    first = guard.operands[0] if isinstance(guard, Logic) and guard.operator == "&&" else guard
    match first:
        case Binary(operator="==", left=Read(variable=name, indices=indices), right=Const(value=value)):
            known = [i.value for i in indices if isinstance(i, Const)]
            position = cells.position(cells.variables[name], known) if len(known) == len(indices) else None
            return None if position is None else (position, value)
    return None
