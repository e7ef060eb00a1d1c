"""Accepting cycles of the product of a model and an automaton, in generated C (``runtime/live.h``)."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, final

from burnside.explore.native.build import build
from burnside.explore.native.emit import Emission, Emitted
from burnside.explore.native.expressions import literal_mask
from burnside.explore.native.run import Search, SearchOptions, Watcher
from burnside.explore.result import Stop
from burnside.ir.cells import State
from burnside.ir.nodes import Const, Expr, Model, Rule
from burnside.ir.semantics import instance_count, instances
from burnside.ir.simplify import Simplifier, bind
from burnside.ltl.automaton import Automaton

MOST_MARKS = 64
_NOBODY = 0xFFFF
_NO_LABEL = 0xFFFFFFFF


@final
@dataclass(frozen=True, slots=True)
class EventTest:
    """Whether the step that is taken has a certain event; None among the arguments stands for any value."""

    name: str
    arguments: tuple[int | None, ...] | None = None


Atom: TypeAlias = Expr | EventTest


@final
@dataclass(frozen=True, slots=True)
class Product:
    """What is searched: a model, an automaton over atoms, and who acts (by the number of the rule instance).

    ``processes`` is None, or weak fairness is asked for: one entry for every instance, a process number or None.
    """

    model: Model
    automaton: Automaton
    atoms: Mapping[str, Atom]
    processes: Sequence[int | None] | None = None


@final
@dataclass(frozen=True, slots=True)
class LiveStep:
    """A state of a lasso, and the number of the rule instance that leaves it; None if the run has ended there."""

    state: State
    instance: int | None


@final
@dataclass(frozen=True, slots=True)
class LiveResult:
    """How a search ended; after an accepting cycle was found, a stem and a loop that show it."""

    stop: Stop
    states: int
    transitions: int
    seconds: float
    stem: tuple[LiveStep, ...] = ()
    loop: tuple[LiveStep, ...] = ()


class _Lasso(ctypes.Structure):
    """``struct lasso`` of ``runtime/run.h``."""

    _fields_ = (
        ("states", ctypes.POINTER(ctypes.c_uint32)),
        ("labels", ctypes.POINTER(ctypes.c_uint32)),
        ("stem", ctypes.c_uint32),
        ("length", ctypes.c_uint32),
    )


def find_cycle(product: Product, *, options: SearchOptions | None = None, watch: Watcher | None = None) -> LiveResult:
    """An accepting cycle of the product, if it has one."""
    options = options or SearchOptions()
    emitted = emit_product(product)
    library = ctypes.CDLL(str(build(emitted.text, flags=options.flags or (emitted.optimisation,), cache=options.cache)))
    lasso = _Lasso()
    search = Search(library, emitted.layout, 0, options, None)

    def collect() -> tuple[LiveStep, ...]:
        words = emitted.layout.words
        buffer = (ctypes.c_uint64 * max(1, lasso.length * words))()
        library.burnside_lasso_states(search.reference, ctypes.byref(lasso), buffer)
        states = (emitted.layout.unpack(buffer[k * words : (k + 1) * words]) for k in range(lasso.length))
        labels = (lasso.labels[k] for k in range(lasso.length))
        steps = tuple(LiveStep(s, None if n == _NO_LABEL else n) for s, n in zip(states, labels, strict=True))
        library.burnside_close_lasso(ctypes.byref(lasso))
        return steps

    found, steps = search.run_entry(lambda run: library.burnside_live(run, ctypes.byref(lasso)), watch, None, collect)
    return LiveResult(
        found.stop, found.states, found.transitions, found.seconds, steps[: lasso.stem], steps[lasso.stem :]
    )


def emit_product(product: Product) -> Emitted:
    """The C of a product."""
    extra = max(1, (len(product.automaton) - 1).bit_length())
    emission = Emission(product.model, extra=extra)
    return _ProductEmission(product, emission).emit()


@final
class _ProductEmission:
    def __init__(self, product: Product, emission: Emission) -> None:
        self._product = product
        self._emission = emission
        self._bits = {name: k for k, name in enumerate(sorted(product.atoms))}

    def emit(self) -> Emitted:
        place = self._emission.layout.extra
        marks = self._product.automaton.sets
        processes = self._product.processes
        count = 0 if processes is None else max((p + 1 for p in processes if p is not None), default=0)
        if marks + count > MOST_MARKS or len(self._bits) > MOST_MARKS:
            raise ValueError("too many processes or atoms")
        lines = [
            f"#define AUTOMATON_WORD {place.word}",
            f"#define AUTOMATON_SHIFT {place.shift}",
            f"#define AUTOMATON_MASK {literal_mask((1 << place.width) - 1)}",
            f"#define ALL_MARKS {literal_mask((1 << marks + count) - 1)}",
            f"#define FAIR_MARKS {marks if count else -1}",
            *self._automaton(),
            self._processes(),
            *self._state_atoms(),
            *self._event_atoms(),
        ]
        return self._emission.emit("#define LABELLED", "live.h", "\n".join(['#include "run.h"', *lines]))

    def _automaton(self) -> Iterator[str]:
        rows = self._product.automaton.edges
        first = [0]
        edges = []
        for row in rows:
            first.append(first[-1] + len(row))
            for edge in row:
                marks = sum(1 << m for m in edge.marks)
                sets = (self._set(edge.required), self._set(edge.forbidden), marks)
                edges.append(f"{{{', '.join(map(literal_mask, sets))}, {edge.target}}}")
        yield f"static const struct automaton_edge automaton_edges[] = {{{', '.join([*edges, '{0}'])}}};"
        yield f"static const uint32_t first_edge[] = {{{', '.join(map(str, first))}}};"

    def _set(self, atoms: frozenset[str]) -> int:
        return sum(1 << self._bits[a] for a in atoms)

    def _processes(self) -> str:
        total = sum(instance_count(rule.parameters) for rule in self._product.model.rules)
        given = self._product.processes or [None] * total
        numbers = ", ".join(str(_NOBODY if p is None else p) for p in given) or "0"
        return f"static const uint16_t process_of[] = {{{numbers}}};"

    def _state_atoms(self) -> Iterator[str]:
        yield "static uint64_t state_atoms(const word *s, int *fault) {"
        yield "    (void)s, (void)fault;"
        yield "    uint64_t atoms = 0;"
        for name, bit in self._bits.items():
            atom = self._product.atoms[name]
            if not isinstance(atom, EventTest):
                yield f"    atoms |= (uint64_t)({self._emission.condition(atom)} != 0) << {bit};"
        yield "    return atoms;"
        yield "}"

    def _event_atoms(self) -> Iterator[str]:
        yield "static uint64_t event_atoms(uint32_t label, const word *s, int *fault) {"
        yield "    (void)s, (void)fault;"
        yield "    switch (label) {"
        number = 0
        simplifier = Simplifier(self._product.model)
        for rule in self._product.model.rules:
            tests = {
                bit: atom
                for name, bit in self._bits.items()
                if isinstance(atom := self._product.atoms[name], EventTest) and _may_be(atom, rule)
            }
            for arguments in instances(rule.parameters):
                if tests:
                    known = bind(rule.parameters, arguments)
                    event = [simplifier.expr(a, known) for a in rule.event.arguments]
                    terms = [self._event_term(bit, test, event) for bit, test in tests.items()]
                    yield f"    case {number}u: return {' | '.join(terms)};"
                number += 1
        yield "    default: return 0;"
        yield "    }"
        yield "}"

    def _event_term(self, bit: int, test: EventTest, event: Sequence[Expr]) -> str:
        conditions = []
        for wanted, argument in zip(test.arguments or (), event, strict=False):
            if wanted is None:
                continue
            if isinstance(argument, Const):
                conditions.append("1" if argument.value == wanted else "0")
            else:
                conditions.append(f"({self._emission.condition(argument)} == {wanted})")
        return f"((uint64_t)({' && '.join(conditions) or '1'}) << {bit})"


def _may_be(test: EventTest, rule: Rule) -> bool:
    """Whether a rule's event can be the one that is asked for."""
    return test.name == rule.event.name and (test.arguments is None or len(test.arguments) == len(rule.event.arguments))
