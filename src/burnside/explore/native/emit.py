"""The C of a whole model: what ``runtime/model.h`` asks a generated file to define."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from string import Template
from types import MappingProxyType
from typing import final

from burnside.claims.kinds import StateClaim, is_about_stuttering
from burnside.claims.members import Member
from burnside.ctext import c_mask, c_number, indented
from burnside.explore.native.abi import assertions
from burnside.explore.native.build import Program
from burnside.explore.native.expressions import ExpressionEmitter
from burnside.explore.native.keys import Fingerprints, keys_of
from burnside.explore.native.programs import ProgramEmitter
from burnside.explore.native.selection import RuleText, in_functions
from burnside.ir.build import conjuncts
from burnside.ir.cells import State
from burnside.ir.initial import given_values, started
from burnside.ir.instances import instance_count, instances_of_rule, valuation_count
from burnside.ir.nodes import Expr, Model
from burnside.ir.packing import Layout
from burnside.ir.semantics import FaultRaised
from burnside.ir.simplify import Simplifier
from burnside.ir.uses import elements_read
from burnside.ir.walk import expanded_block_size, expanded_size
from burnside.reduce.reduction import Reduction
from burnside.reduce.tables import Table
from burnside.values import dataclass

_MOST_NODES_PER_RULE = 8_000
_MOST_NODES = 40_000
_LONG_RULE = 60_000
_MUCH_TEXT = 250_000
_EXPLORING = "explore.h"  # the search that can do without indices, and so keeps keys
_NO_SETTINGS: Mapping[str, object] = MappingProxyType({})

_FILE = Template("""\
/* Settings: see config.h. */
$settings

#include "model.h"
#include "run.h"

${declarations}const word initial_base[WORDS] = {$base};
const struct free_cell free_cells[FREE_CELLS + 1] = {$cells{0}};
const word start_states[(STARTS + 1) * WORDS] = {$listed};

$reductions$functions
word *successors(const word *s, word *out, int *fault) {
$calls
    return out;
}

int sought(uint32_t property, const word *s, int *fault) {
    (void)property, (void)s, (void)fault;
$sought
}

enum about_deadlock is_deadlock_property(uint32_t property) {
    (void)property;
$deadlock
}

int is_terminal(const word *s, int *fault) {
    (void)s, (void)fault;
    return $terminal;
}

int initial_ok(int last, const word *s, int *fault) {
    (void)last, (void)s, (void)fault;
$initially
}

$after#include "given.h"
""")

_SEARCH = Template("""\
#define ONLY_SEARCH
$settings

#include "model.h"
#include "run.h"
#include "$search"

/* The records of Python: see run.h. */
$assertions
""")
# Settings that a search is compiled for. Others are facts that it reads from its model (facts.h), or unknown to it.
OF_THE_SEARCH = (
    "WORDS",
    "KEY_WORDS",
    "FINGERPRINTS",
    "LABELS",
    "SYMMETRY",
    "FOLLOWS",
    "PARTIAL_ORDER",
    "FAIRNESS",
    "UNIT_WORDS",
)

_FUNCTION = Template("""\
static word *rules$number(const word *s, word *out, int *fault) {
    number value = 0; /* of the assignment at hand */
    word enabled = 0; /* whether the rule at hand fires */
    (void)fault, (void)value, (void)enabled;

$body

    return out;
}
""")


@final
@dataclass(frozen=True, slots=True)
class Emitted:
    """The C of a model, how its states are packed, how much to optimise it, and what stands for states in
    a compact store, if not they themselves.
    """

    program: Program
    layout: Layout
    optimisation: str = "-O2"
    fingerprints: Fingerprints | None = None


def emit(
    model: Model,
    claims: Sequence[Member[StateClaim]],
    reductions: Sequence[Reduction] = (),
    fingerprint: int | None = None,
) -> Emitted:
    """Write the C of a checked model that looks for witnesses of ``claims``, with the C of some reductions. A compact
    store may keep as many bits of a ``fingerprint`` where a state has more.
    """
    return Emission(model, claims, reductions, fingerprint=fingerprint).emit()


@final
class Emission:
    """The text in the making; ``extra`` bits of a state are left to whoever asks for them."""

    def __init__(
        self,
        model: Model,
        claims: Sequence[Member[StateClaim]] = (),
        reductions: Sequence[Reduction] = (),
        *,
        extra: int = 0,
        fingerprint: int | None = None,
    ) -> None:
        self._model = model
        self._reductions = reductions
        self._claims = claims
        self.layout = Layout(model, extra)
        self._fingerprint = fingerprint
        self._simplifier = Simplifier(model)
        self._c = ExpressionEmitter(model, self.layout)
        self._programs = ProgramEmitter(self._c, self._simplifier)
        self._listed, self._starting_faults = self._start_states()
        self._free = [] if model.starts else self._free_cells()

    def emit(self, settings: Mapping[str, object] = _NO_SETTINGS, search: str = _EXPLORING, after: str = "") -> Emitted:
        """Fill the template; other searches than the usual one have settings of their own, and define more."""
        rules = list(self._rules())
        functions = list(in_functions(rules, self.layout.fields))
        defined = dict(self._settings(settings))
        keys = keys_of(self.layout)
        fingerprints = Fingerprints.shorter_than(keys, self._fingerprint)
        if search == _EXPLORING:
            defined |= (fingerprints or keys).settings()
        text = _FILE.substitute(
            settings=_defined(defined),
            after=after and f"{after}\n\n",
            declarations=(declared := self._c.declarations()) and f"{declared}\n\n",
            reductions=self._reducing(),
            functions="\n".join(
                _FUNCTION.substitute(number=k, body="\n\n".join(indented(rule, 1) for rule in part))
                for k, part in enumerate(functions)
            ),
            calls="\n".join(_call(k) for k in range(len(functions))) or "    (void)s, (void)fault;",
            sought=_switch("property", ((k, self._claim(c)) for k, c in enumerate(self._claims)), 0),
            deadlock=_switch("property", self._deadlock_claims(), 0),
            terminal=_truth(self.condition(self._model.terminal)),
            base=", ".join(c_mask(w) for w in self._initial_base()),
            listed=", ".join(c_mask(w) for state in self._listed for w in self.layout.pack(state)) or "0",
            cells="".join(f"{self._free_cell(k)}, " for k in self._free),
            initially=_switch("last", self._initial_conditions(), 1),
        )
        shared = _defined({name: value for name, value in defined.items() if name in OF_THE_SEARCH})
        search = _SEARCH.substitute(settings=shared, search=search, assertions=assertions())
        return Emitted(Program(text, search), self.layout, _optimisation(rules), fingerprints)

    def _settings(self, more: Mapping[str, object]) -> Iterator[tuple[str, object]]:
        yield "WORDS", self.layout.words
        yield "WORD_BITS", f"{{{', '.join(map(str, self.layout.bits))}}}"
        yield "MOST_SUCCESSORS", max(1, instance_count(self._model))
        yield "PROPERTIES", len(self._claims)
        yield "FREE_CELLS", len(self._free)
        yield "HAS_STARTS", int(bool(self._model.starts))
        yield "STARTS", len(self._listed)
        for reduction in self._reductions:
            yield from reduction.settings.items()
        yield from more.items()

    def _reducing(self) -> str:
        """The C of the reductions, below what finds their tables."""
        accessors = [table.accessor(number) for number, table in enumerate(tables_of(self._reductions))]
        texts = [f"/* Reduction by {r.kind}. */\n\n{r.code(self.layout)}\n\n" for r in self._reductions]
        return "".join([*(f"{line}\n" for line in accessors), *texts])

    def _rules(self) -> Iterator[RuleText]:
        """The C of rules: unrolled into their instances while that stays small, as loops beyond."""
        budget = _MOST_NODES
        first = 0
        for number, rule in enumerate(self._model.rules):
            count = valuation_count(rule.parameters)
            cost = count * (expanded_size(rule.guard) + expanded_block_size(rule.body))
            if cost <= min(_MOST_NODES_PER_RULE, budget):
                budget -= cost
                for ground in self._simplifier.ground(instances_of_rule(rule, first)):
                    if text := self._programs.ground_rule(ground):
                        yield text.named(f"rule {number}, instance {ground.instance.position}")
            else:
                yield self._programs.rule_as_loop(rule, first).named(f"rule {number}, all instances")
            first += count

    def condition(self, expr: Expr) -> str:
        """A condition on the state ``s``."""
        return self._c.expr("s", self._simplifier.expr(expr), {})

    def _deadlock_claims(self) -> Iterator[tuple[int, str]]:
        for number, member in enumerate(self._claims):
            if member.claim.is_about_deadlock:
                yield number, "STILL_SOUGHT" if is_about_stuttering(member.claim) else "STUCK_SOUGHT"

    def _claim(self, member: Member[StateClaim]) -> str:
        return self._c.expr("s", self._simplifier.expr(member.claim.sought, member.values), {})

    # ------------------------------------------------------------ initial states

    def _start_states(self) -> tuple[tuple[State, ...], bool]:
        """The states that start rules make, if there are any, and whether one of them faults."""
        try:
            found = started(self._model)
        except FaultRaised:
            return (), True
        return found.states if found is not None else (), False

    def _free_cells(self) -> list[int]:
        """Cells that may start with any value (and have more than one)."""
        return [
            self.layout.cells.starts[v.name] + k
            for v in self._model.variables
            for k, value in enumerate(v.initial)
            if value is None and v.domain.size > 1
        ]

    def _free_cell(self, cell: int) -> str:
        field = self.layout.fields[cell]
        values = self.layout.cells.all[cell].domain.size
        return f"{{{field.word}, {field.shift}, {values}, {c_mask(field.mask)}}}"

    def _initial_base(self) -> tuple[int, ...]:
        """The words of a state with every free cell at its least value."""
        return self.layout.pack(tuple(values[0] for values in given_values(self._model)))

    def _initial_conditions(self) -> Iterator[tuple[int, str]]:
        """Every condition, at the free cell after which it can be decided.

        If any of them can fault, all are decided at the end, in order: deciding one early could hide
        the fault of another.
        """
        if self._model.starts:  # a fault in one of them stands for all, and no states otherwise begin anything
            if self._starting_faults:
                yield -1, "(raise_fault(fault, FAULT_ASSERTION), 0)"
            return
        conditions = [c for e in self._model.initially for c in conjuncts(self._simplifier.expr(e))]
        late = any(map(self._simplifier.faults.possible, conditions))
        places: dict[int, list[Expr]] = {}
        for condition in conditions:
            place = len(self._free) - 1 if late else self._decided_at(condition)
            places.setdefault(place, []).append(condition)
        for place in sorted(places):
            yield place, " && ".join(self._c.expr("s", c, {}) for c in places[place])

    def _decided_at(self, condition: Expr) -> int:
        """The last free cell a condition reads, or -1."""
        read = self._cells_read(condition)
        return max((k for k, cell in enumerate(self._free) if cell in read), default=-1)

    def _cells_read(self, expr: Expr) -> set[int]:
        """Cells of scalars that an expression might read (sequences are never free)."""
        found: set[int] = set()
        for name, indices in elements_read(expr):
            if not self._c.variables[name].is_sequence:
                cell, start = self._c.cell(name, indices), self.layout.cells.starts[name]
                found |= set(range(start, start + self._c.variables[name].elements)) if cell is None else {cell}
        return found


def tables_of(reductions: Sequence[Reduction]) -> list[Table]:
    """The tables of reductions, in the order in which C numbers them."""
    return [table for reduction in reductions for table in reduction.tables]


def _optimisation(rules: Sequence[RuleText]) -> str:
    """None for very long rules: optimisers take more than linear time, and such a model is not about speed."""
    sizes = [sum(map(len, rule.lines)) for rule in rules]
    if max(sizes, default=0) > _LONG_RULE:
        return "-O0"
    return "-O2" if sum(sizes) < _MUCH_TEXT else "-O1"


def _defined(settings: Mapping[str, object]) -> str:
    return "\n".join(f"#define {name} {value}" for name, value in settings.items())


def _call(number: int) -> str:
    return f"    out = rules{number}(s, out, fault);\n    if (*fault) return out;"


def _switch(choice: str, values: Iterable[tuple[int, str]], otherwise: int) -> str:
    """The body of a function that returns a truth value for each of some numbers."""
    cases = [f"case {c_number(k)}: return {_truth(code)};" for k, code in values]
    whole = [f"switch ({choice}) {{", *cases, f"default: return {otherwise};", "}"]
    return indented(whole if cases else [f"return {otherwise};"], 1)


def _truth(code: str) -> str:
    return code if code.isdigit() else f"(int)({code})"
