"""How a state is packed into 64-bit words.

Every cell takes as many bits as its domain needs and holds ``value - low``, so the least value of a
domain is all zeros. No cell straddles a word. The cells of an array (and the items of a sequence) stand
side by side wherever they fit one word, so that a computed index is a computed shift.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from burnside.ir.cells import Cells, State, cells_per_element
from burnside.ir.nodes import Model, Variable
from burnside.values import dataclass

WORD = 64


@final
@dataclass(frozen=True, slots=True)
class Field:
    """Where one cell lives: bits ``shift .. shift + width`` of a word."""

    word: int
    shift: int
    width: int
    low: int

    @property
    def mask(self) -> int:
        """The bits of the field, in place."""
        return ((1 << self.width) - 1) << self.shift

    def place(self, value: int) -> int:
        """``value`` moved to its place in the word."""
        return (value - self.low) << self.shift


@final
class Layout:
    """The fields of all cells of a model, and one more, ``extra``, of so many bits."""

    def __init__(self, model: Model, extra: int = 0) -> None:
        self.cells = Cells(model)
        self._free: list[int] = []  # first free bit of every word
        self._full: dict[int, int] = {}  # how many words at the beginning have no room for so many bits
        fields: list[Field] = []
        for variable in model.variables:
            fields += self._place_variable(variable)
        self.fields = tuple(fields)
        word = self._word_with(extra) if extra else 0
        self.extra = Field(word, self._free[word] if extra else 0, extra, 0)
        if extra:
            self._free[word] += extra

    @property
    def words(self) -> int:
        """How many words a state takes."""
        return max(1, len(self._free))

    @property
    def bits(self) -> tuple[int, ...]:
        """How many bits of each word are used, from the lowest."""
        return tuple(self._free) or (0,)

    def _place_variable(self, variable: Variable) -> list[Field]:
        domains = [c.domain for c in self.cells.all[self.cells.starts[variable.name] :][: _size(variable)]]
        widths = [(d.size - 1).bit_length() for d in domains]
        # Whole arrays in one word if possible, else whole elements, else cell by cell.
        if sum(widths) <= WORD:
            groups = [len(widths)]
        else:
            per_element = cells_per_element(variable)
            fits = sum(widths[:per_element]) <= WORD
            groups = [per_element] * variable.elements if fits else [1] * len(widths)
        fields: list[Field] = []
        for size in groups:
            first = len(fields)
            word = self._word_with(sum(widths[first : first + size]))
            for width, domain in zip(widths[first : first + size], domains[first : first + size], strict=True):
                fields.append(Field(word, self._free[word], width, domain.low))
                self._free[word] += width
        return fields

    def _word_with(self, bits: int) -> int:
        """The first word with room for ``bits`` more."""
        word = self._full.get(bits, 0)
        while word < len(self._free) and self._free[word] + bits > WORD:
            word += 1
        self._full[bits] = word  # words never get emptier
        if word == len(self._free):
            self._free.append(0)
        return word

    def pack(self, state: State) -> tuple[int, ...]:
        """The words of a state."""
        words = [0] * self.words
        for field, value in zip(self.fields, state, strict=True):
            words[field.word] |= field.place(value)
        return tuple(words)

    def unpack(self, words: Sequence[int]) -> State:
        """The state that some words hold."""
        return tuple(((words[f.word] & f.mask) >> f.shift) + f.low for f in self.fields)


def _size(variable: Variable) -> int:
    return variable.elements * cells_per_element(variable)
