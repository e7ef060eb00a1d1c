"""Accepting and fair cycles of the product of a model and an automaton, in generated C.

This module writes the product and chooses how fairness is decided (`_ProductEmission._fairness`); the search is
``runtime/live.h``, and components that are fair are recognised by ``runtime/fair.h``.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping
from typing import assert_never, final

from burnside.claims.events import event_condition
from burnside.claims.kinds import Atom, EventTest, Fairness
from burnside.ctext import c_mask
from burnside.explore.native import abi
from burnside.explore.native.condition_tests import AtomTest
from burnside.explore.native.emit import Emission, Emitted
from burnside.explore.native.run import Search, SearchOptions, Watcher, run_compiled
from burnside.ir.instances import instances_of
from burnside.ir.nodes import Model
from burnside.ir.packing import Layout
from burnside.ir.processes import Processes
from burnside.ir.simplify import Simplifier
from burnside.ltl.automaton import Automaton
from burnside.reduce.reduction import Reduction
from burnside.results.exploration import Exploration, Store
from burnside.results.runs import Moment
from burnside.values import dataclass, replace

MOST_MARKS = 64


@final
@dataclass(frozen=True, slots=True)
class Product:
    """What is searched: a model, up to reductions, and an automaton over atoms without parameters.

    Reductions keep the atoms. Under fairness ``processes`` says who acts; a symmetry then follows the processes.
    """

    model: Model
    automaton: Automaton
    atoms: Mapping[str, Atom]
    fairness: Fairness = Fairness.NONE
    processes: Processes | None = None
    reductions: tuple[Reduction, ...] = ()

    @property
    def bits(self) -> dict[str, int]:
        """The bit that stands for each atom."""
        return {name: k for k, name in enumerate(sorted(self.atoms))}


@final
@dataclass(frozen=True, slots=True)
class LiveResult:
    """How a search ended; after an accepting cycle was found, a stem and a loop that show it.

    ``is_certain`` is false if the quotient does not tell whether there is such a cycle: under global fairness only.
    """

    exploration: Exploration
    stem: tuple[Moment, ...] = ()
    loop: tuple[Moment, ...] = ()
    is_certain: bool = True


def find_cycle(product: Product, *, options: SearchOptions | None = None, watch: Watcher | None = None) -> LiveResult:
    """An accepting and fair cycle of the product, if it has one."""
    emitted = emit_product(product)

    def search(library: ctypes.CDLL, options: SearchOptions) -> LiveResult:
        return _search(library, emitted.layout, product, options, watch)

    return run_compiled(emitted, options or SearchOptions(), search, lambda found: found.exploration)


def _search(
    library: ctypes.CDLL, layout: Layout, product: Product, options: SearchOptions, watch: Watcher | None
) -> LiveResult:
    lasso = abi.Lasso()
    atoms = AtomTest(layout.cells, product.atoms, product.bits)
    search = Search(library, layout, (), replace(options, store=Store.INDEX), product.reductions, conditions=(atoms,))

    def collect() -> tuple[Moment, ...]:
        words = layout.words
        buffer = (ctypes.c_uint64 * max(1, lasso.length * words))()
        library.burnside_lasso_states(search.reference, ctypes.byref(lasso), buffer)
        states = (layout.unpack(buffer[k * words : (k + 1) * words]) for k in range(lasso.length))
        labels = (lasso.labels[k] for k in range(lasso.length))
        steps = tuple(Moment(s, None if n == abi.NO_LABEL else n) for s, n in zip(states, labels, strict=True))
        library.burnside_close_lasso(ctypes.byref(lasso))
        return steps

    found, steps = search.run_entry(lambda run: library.burnside_live(run, ctypes.byref(lasso)), watch, None, collect)
    # Sizes of orbits are not counted here.
    counted = replace(found, full_states=None, canonicalised=0)
    return LiveResult(counted, steps[: lasso.stem], steps[lasso.stem :], is_certain=not lasso.is_uncertain)


def emit_product(product: Product) -> Emitted:
    """The C of a product."""
    extra = max(1, (len(product.automaton) - 1).bit_length())
    emission = Emission(product.model, reductions=product.reductions, extra=extra)
    return _ProductEmission(product, emission).emit()


@final
class _ProductEmission:
    def __init__(self, product: Product, emission: Emission) -> None:
        self._product = product
        self._emission = emission
        self._bits = product.bits
        self._units = 0
        if product.fairness.has_units:
            assert product.processes is not None
            self._units = len(product.processes.units)
        if product.automaton.sets > MOST_MARKS or len(self._bits) > MOST_MARKS:
            raise ValueError("too many atoms or acceptance sets")

    def emit(self) -> Emitted:
        place = self._emission.layout.extra
        sets, units = self._product.automaton.sets, self._units
        marks = sets + units if self._fairness == "FAIRNESS_MARKED" else sets
        settings = {
            "LABELS": "LABELS_ALWAYS",
            "AUTOMATON_WORD": place.word,
            "AUTOMATON_SHIFT": place.shift,
            "AUTOMATON_MASK": c_mask((1 << place.width) - 1),
            "ALL_MARKS": c_mask((1 << marks) - 1),
            "UNITS": units,
            "UNIT_WORDS": max(1, -(-units // 64)),
            "FAIRNESS": self._fairness,
            "UNIT_MARKS": sets,
        }
        lines = [
            '#include "product.h"',
            "",
            *self._automaton(),
            *self._acting(),
            *self._state_atoms(),
            *self._event_atoms(),
        ]
        return self._emission.emit(settings, "live.h", "\n".join(lines))

    @property
    def _fairness(self) -> str:
        """How fairness is decided: one of the constants of ``runtime/config.h``.

        Weak fairness of few units without renamings is one acceptance set more for each unit, which an edge is in if
        the unit acts or rests there: a cycle is then found before its component is complete. Everything else is asked
        of complete components.
        """
        match self._product.fairness:
            case Fairness.GLOBAL:
                return "FAIRNESS_GLOBAL"
            case Fairness.STRONG | Fairness.STRONG_EVENTS if self._units:
                return "FAIRNESS_STRONG"
            case Fairness.WEAK | Fairness.WEAK_EVENTS if self._units:
                is_few = self._product.automaton.sets + self._units <= MOST_MARKS
                return "FAIRNESS_MARKED" if is_few and not self._product.reductions else "FAIRNESS_WEAK"
            case Fairness.NONE | Fairness.STRONG | Fairness.STRONG_EVENTS | Fairness.WEAK | Fairness.WEAK_EVENTS:
                return "FAIRNESS_NONE"
            case _:
                assert_never(self._product.fairness)

    def _automaton(self) -> Iterator[str]:
        rows = self._product.automaton.edges
        first = [0]
        edges = []
        for row in rows:
            first.append(first[-1] + len(row))
            for edge in row:
                marks = sum(1 << m for m in edge.marks)
                sets = (self._set(edge.required), self._set(edge.forbidden), marks)
                edges.append(f"{{{', '.join(map(c_mask, sets))}, {edge.target}}}")
        yield f"const struct automaton_edge automaton_edges[] = {{{', '.join([*edges, '{0}'])}}};"
        yield f"const uint32_t first_edge[] = {{{', '.join(map(str, first))}}};"

    def _set(self, atoms: frozenset[str]) -> int:
        return sum(1 << self._bits[a] for a in atoms)

    def _acting(self) -> Iterator[str]:
        rows = self._product.processes.acting if self._units and self._product.processes else ()
        first = [0]
        for row in rows:
            first.append(first[-1] + len(row))
        yield f"const uint32_t acting_first[] = {{{', '.join(map(str, [*first, 0]))}}};"
        yield f"const uint16_t acting[] = {{{', '.join([*(str(u) for row in rows for u in row), '0'])}}};"

    def _state_atoms(self) -> Iterator[str]:
        yield "uint64_t state_atoms(const word *s, int *fault) {"
        yield "    (void)s, (void)fault;"
        yield "    uint64_t atoms = 0;"
        for name, bit in self._bits.items():
            atom = self._product.atoms[name]
            if not isinstance(atom, EventTest):
                yield f"    atoms |= (uint64_t)({self._emission.condition(atom)} != 0) << {bit};"
        yield "    return atoms;"
        yield "}"

    def _event_atoms(self) -> Iterator[str]:
        yield "uint64_t event_atoms(uint32_t label, const word *s, int *fault) {"
        yield "    (void)s, (void)fault;"
        yield "    switch (label) {"
        tests = {
            bit: atom for name, bit in self._bits.items() if isinstance(atom := self._product.atoms[name], EventTest)
        }
        simplifier = Simplifier(self._product.model)
        for instance in instances_of(self._product.model) if tests else ():
            event = [simplifier.expr(a, instance.values) for a in instance.rule.event.arguments]
            conditions = {bit: event_condition(test, instance.rule, event) for bit, test in tests.items()}
            terms = [
                f"((uint64_t)({self._emission.condition(c)} != 0) << {bit})"
                for bit, c in conditions.items()
                if c is not None
            ]
            if terms:
                yield f"    case {instance.number}u: return {' | '.join(terms)};"
        yield "    default: return 0;"
        yield "    }"
        yield "}"
