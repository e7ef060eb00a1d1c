"""Tables of numbers that compiled code looks up at run time: too large to be part of its text."""

from __future__ import annotations

from array import array
from typing import Final, final

from burnside.values import dataclass

_KINDS: Final = {2: "uint16_t", 4: "uint32_t", 8: "uint64_t"}


@final
@dataclass(frozen=True, slots=True)
class Table:
    """Natural numbers in the order in which C looks them up: ``table_NAME(run)`` is where they begin."""

    name: str
    entries: array[int]

    def accessor(self, number: int) -> str:
        """The C function that finds the table, by its number among those of a run."""
        kind = _KINDS[self.entries.itemsize]
        return (
            f"static inline const {kind} *table_{self.name}(const struct run *run) {{ return run->tables[{number}]; }}"
        )
