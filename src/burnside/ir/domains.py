"""Domains: the finite sets of values that everything in a model has."""

from __future__ import annotations

from typing import final

from burnside.source import Span
from burnside.values import dataclass, field


@final
@dataclass(frozen=True, slots=True)
class Domain:
    """The finite interval ``low..high`` of integers, its top values perhaps named.

    ``labels`` name the last ``len(labels)`` values: all of them in an enumeration, the extra ones in ``P + {nobody}``.
    ``index`` is the name of the process domain whose ids the unlabelled values are (or all of an enumeration but the
    last ``added``), ``base`` that of the domain that it extends, of data or an enumeration: for naming and adaptive
    search, never soundness. ``names`` show the first values; named constants decide the ends of one that is ``sized``.
    """

    name: str
    low: int
    high: int
    labels: tuple[str, ...] = ()
    index: str = ""
    names: tuple[str, ...] = field(default=(), compare=False, repr=False)
    base: str = field(default="", compare=False, repr=False)
    added: int = field(default=0, compare=False, repr=False)
    sized: bool = field(default=False, compare=False, repr=False)
    span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def size(self) -> int:
        """How many values there are."""
        return self.high - self.low + 1

    @property
    def is_enumeration(self) -> bool:
        """Whether every value has a name, so that arithmetic makes no sense."""
        return bool(self.labels) and len(self.labels) == self.size and self.name != "bool"

    def __contains__(self, value: int) -> bool:
        return self.low <= value <= self.high

    def values(self) -> range:
        """All values, in order."""
        return range(self.low, self.high + 1)

    def text(self, value: int) -> str:
        """How a value is written."""
        position = value - (self.high - len(self.labels) + 1)
        if 0 <= position < len(self.labels):
            return self.labels[position]
        return self.names[value - self.low] if 0 <= value - self.low < len(self.names) else str(value)


BOOL = Domain("bool", 0, 1, ("false", "true"))
