"""A group on literals and the way to its representatives: in C, as tables, and in words."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import chain
from typing import ClassVar, final

from burnside.ctext import c_array, c_mask
from burnside.groups import Perm
from burnside.ir.packing import Layout
from burnside.reduce.reduction import Probe, StateTest
from burnside.reduce.symmetry.action import NO_LITERAL, Action
from burnside.reduce.symmetry.self_test import RepresentativeTest
from burnside.reduce.symmetry.strategy import Packing, Strategy
from burnside.reduce.tables import Table
from burnside.values import dataclass

_MOST_PRUNERS = 256
_LOW = (1 << 64) - 1


@final
@dataclass(frozen=True)
class SymmetryReduction:
    """Every state is replaced by a representative of its orbit.

    The steps take care of direct factors of the group that move different literals, so that one after the other
    finds the representative under the whole group.
    """

    kind: ClassVar[str] = "symmetry"
    takes_all: ClassVar[bool] = True

    action: Action
    steps: tuple[Strategy, ...]
    reason: str

    @property
    def name(self) -> str:
        """How representatives are found."""
        return ", then ".join(step.name for step in self.steps)

    @property
    def is_exact(self) -> bool:
        """Whether every orbit has exactly one representative."""
        return all(step.is_exact for step in self.steps)

    @property
    def counts_orbits(self) -> bool:
        """Whether the sizes of orbits come with representatives: C counts in 128 bits."""
        return self.is_exact and self.action.order < 1 << 127

    # ------------------------------------------------------------ C

    def code(self, layout: Layout) -> str:
        """What ``runtime/symmetry.h`` asks for: places of positions, then steps."""
        packing = Packing(tuple(layout.fields[c] for c in self.action.positions), layout.words)
        functions = [f"step{k}" for k in range(len(self.steps))]
        texts = [step.code(name, packing) for name, step in zip(functions, self.steps, strict=True)]
        return "\n\n".join(
            ["\n".join(self._places(packing)), '#include "symmetry.h"', *texts, _canonicalise(functions)]
        )

    @property
    def settings(self) -> Mapping[str, object]:
        """What ``runtime/config.h`` lists for symmetry."""
        order = self.action.order if self.counts_orbits else 0
        return {
            "SYMMETRY": 1,
            "POSITIONS": len(self.action.positions),
            "LITERALS": len(self.action.values),
            "FOLLOWED": self.action.followed,
            "FOLLOWS": int(self.action.followed > 0),
            "PRUNERS": len(self._pruners),
            "ORDER": f"((count_t){c_mask(order >> 64)} << 64 | {c_mask(order & _LOW)})",
        }

    def _places(self, packing: Packing) -> Iterator[str]:
        action, fields = self.action, packing.fields
        starts: list[int] = []
        literals: list[int] = []
        for k, place in enumerate(fields):
            starts.append(len(literals))
            known = {action.values[p] - place.low: p for p in range(action.first[k], action.first[k + 1])}
            literals += [known.get(raw, NO_LITERAL) for raw in range(1 << place.width)]
        moved = [0] * packing.words
        for place in fields:
            moved[place.word] |= place.mask
        yield c_array("uint32_t", "position_word", (f.word for f in fields))
        yield c_array("uint32_t", "position_shift", (f.shift for f in fields))
        yield c_array("word", "position_mask", ((1 << f.width) - 1 for f in fields))
        yield c_array("uint32_t", "literal_start", starts)
        yield c_array("uint16_t", "literal_of", literals)
        raws = (value - fields[k].low for value, k in zip(action.values, action.position_of, strict=True))
        yield c_array("uint64_t", "raw_of", raws)
        yield c_array("uint32_t", "position_of", action.position_of)
        yield c_array("word", "moved_bits", moved)

    # ------------------------------------------------------------ tables

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """The tables of the steps, and elements that thin out initial states."""
        pruners = array("H", (image for p in self._pruners for image in p))
        sources = array("H", (k for p in self._pruners for k in self.action.sources(p)))
        own = Table("pruners", pruners), Table("pruner_sources", sources)
        return (*own, *(table for step in self.steps for table in step.tables))

    @cached_property
    def _pruners(self) -> list[Perm]:
        """Generators and what the strategies have at hand, up to a number."""
        found: dict[Perm, None] = {}
        for g in chain(self.action.group.generators, *(step.pruners for step in self.steps)):
            if len(found) == _MOST_PRUNERS:  # of a hundred members there are thousands of exchanges
                break
            found[g] = None
        return list(found)

    # ------------------------------------------------------------ tests

    def self_test(self, probe: Probe) -> StateTest:
        """Representatives are tested by means of the group."""
        return RepresentativeTest(self, probe)


def _canonicalise(functions: list[str]) -> str:
    """The function of the same name in C: step after step."""
    lines = ["count_t canonicalise(struct scratch *x, word *s) {"]
    lines += ["    count_t fixing = 1, more;", "    x->gave_up = false;"]
    for name in functions:
        lines += [f"    more = {name}(x, s);", "    if (!more) return 0;", "    fixing *= more;"]
    return "\n".join([*lines, "    return at_least_one(fixing);", "}"])
