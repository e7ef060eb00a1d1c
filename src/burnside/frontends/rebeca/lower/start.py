"""The initial states: zeros and first messages, and then the constructors one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeAlias, assert_never, final

from burnside.frontends.rebeca.names.constants import Constants, NotConstant
from burnside.frontends.rebeca.names.types import Type
from burnside.frontends.rebeca.names.world import Rebec, World, null_as
from burnside.frontends.rebeca.read.syntax import Field
from burnside.frontends.rebeca.translate.compile import Compiler
from burnside.frontends.rebeca.translate.shape import Column, Existence, KnownOnes, Messages, Own, Part
from burnside.ir import nodes as n
from burnside.ir.build import conjunction, disjunction
from burnside.ir.cells import Cells, State, cells_per_element
from burnside.ir.instances import valuations
from burnside.ir.intervals import Interval
from burnside.ir.nodes import BOOL, Domain, Expr, Model, Rule, Stmt, Value, Variable
from burnside.ir.semantics import Fault, Step, fire
from burnside.ir.walk import expanded_block_size, expanded_size
from burnside.source import Diagnostics

MOST_STARTS: Final = 64
MOST_WORK: Final = 100_000_000  # cells looked at while constructors run, and what is like it
COST_OF_NODE: Final = 100

First: TypeAlias = "int | tuple[int, ...] | None"


class _TooMuch(Exception):
    """Constructors do more than can be tried."""


@final
class Start:
    """First values of all variables of a compiled world."""

    def __init__(self, world: World, compiler: Compiler, diagnostics: Diagnostics) -> None:
        self._world = world
        self._compiler = compiler
        self._shape = compiler.shape
        self._diagnostics = diagnostics
        self._constants = Constants(world.environment, diagnostics)
        self._work = 0

    def variables(self) -> list[Variable]:
        """All variables before any constructor runs."""
        return [self._filled(part, name) for name in self._world.ids for part in self._shape.parts(name)]

    def _filled(self, part: Part, name: str) -> Variable:
        ids = self._world.ids[name]
        match part.holds:
            case Messages() | Column():
                return replace(part.variable, initial=tuple(self._queue(part.holds, name)))
            case Existence():
                return replace(part.variable, initial=tuple(int(i in self._world.rebecs) for i in ids))
            case KnownOnes(position=position):
                known = (self._world.rebecs[i].known[position] if i in self._world.rebecs else -1 for i in ids)
                return replace(part.variable, initial=tuple(null_as(self._world, k) for k in known))
            case Own(field=field):
                return self._own(part.variable, field, len(ids))
            case _:
                assert_never(part.holds)

    def _own(self, variable: Variable, field: Field, count: int) -> Variable:
        found = self._shape.type_of(field.type)
        first: Value = -1 if Type(found.name).is_reference else 0
        if field.initial is not None:
            try:
                first = self._constants.array(field.initial, found)
            except NotConstant:
                return variable
        values = [null_as(self._world, v) if Type(found.name).is_reference else v for v in _flat(first)]
        each = variable.elements // count
        return replace(variable, initial=tuple(values if len(values) == each else values * each) * count)

    def _queue(self, holds: Messages | Column, name: str) -> Iterator[tuple[int, ...]]:
        kind = self._world.classes[name]
        server = kind.servers.get("initial") if kind.constructor is None else None
        for number in self._world.ids[name]:
            if server is None or number not in self._world.rebecs:
                yield ()
            elif isinstance(holds, Messages):
                yield (self._shape.message(kind, "initial").value,)
            else:
                arguments = self._compiler.first_arguments(self._world.rebecs[number], server)
                position = holds.users.get("initial")
                first = holds.filler if position is None else holds.write(arguments[position])
                assert isinstance(first, n.Const)
                yield (first.value,)

    def intervals(self) -> dict[str, Interval]:
        """The numbers that variables and columns hold at first."""
        found: dict[str, Interval] = {}
        for variable in self.variables():
            values = [v for first in variable.initial for v in (first if isinstance(first, tuple) else (first,))]
            filler = self._shape.fillers.get(variable.name)
            if filler is not None:
                values = [v for v in values if v != filler.value]
            numbers = [v for v in values if v is not None]
            if numbers:
                found[variable.name] = min(numbers), max(numbers)
        return found

    # ------------------------------------------------------------ constructors

    def construct(self, domains: tuple[Domain, ...]) -> tuple[list[Variable], tuple[Expr, ...]]:
        """Variables with their values after all constructors, and a condition if there are several initial states."""
        variables = self.variables()
        tables = tuple(n.Constant(name, value) for name, value in self._shape.tables.items())
        model = Model("", tables, domains, tuple(variables), ())
        cells = Cells(model)
        states = {_first_state(variables): None}
        for rebec, rules in self._compiler.constructors():
            steps = ((state, rule) for state in states for rule in rules if not self._diagnostics.has_errors)
            states = {following: None for step in steps for following in self._results(cells, rebec, *step)}
            if len(states) > MOST_STARTS:
                message = f"constructors have more than {MOST_STARTS} results"
                self._diagnostics.error("BUR901", message, rebec.span, help="choose in a message server instead")
            if self._diagnostics.has_errors:
                return variables, ()
        return self._with_states(variables, list(states))

    def _results(self, cells: Cells, rebec: Rebec, state: State, rule: Rule) -> Iterator[State]:
        """The states after a constructor. What it creates takes the first free places: before the start nothing needs
        to be symmetric in them, and these rebecs are there in every initial state.
        """
        picks = [k for k, parameter in enumerate(rule.parameters) if not parameter.domain.index]
        seen: set[tuple[int, ...]] = set()
        once = COST_OF_NODE * (expanded_block_size(rule.body) + _idle_rounds(rule.body)) + len(state)
        each = COST_OF_NODE * _heaviest(rule.body)
        for arguments in valuations(rule.parameters):
            picked = tuple(arguments[k] for k in picks)
            try:
                self._spend(once)
                # What loops do beside is paid as it is done: how many rounds they take is not known before.
                outcome = None if picked in seen else fire(cells, rule, arguments, state, lambda *_: self._spend(each))
            except _TooMuch:
                message = f"constructors do more than can be tried, that of '{rebec.name}' the last of it"
                self._diagnostics.error("BUR502", message, rebec.span, help="choose in message servers instead")
                return
            if isinstance(outcome, Fault):
                message = f"the constructor of '{rebec.name}' faults: {outcome.message}"
                self._diagnostics.error("BUR501", message, outcome.span or rebec.span)
                return
            if isinstance(outcome, Step):
                seen.add(picked)
                yield outcome.state

    def _spend(self, work: int) -> None:
        self._work += work
        if self._work > MOST_WORK:
            raise _TooMuch

    def _with_states(
        self, variables: Sequence[Variable], states: Sequence[State]
    ) -> tuple[list[Variable], tuple[Expr, ...]]:
        firsts = [_split(variables, state) for state in states]
        found: list[Variable] = []
        tests: list[list[Expr]] = [[] for _ in states]
        for number, variable in enumerate(variables):
            initial: list[First] = []
            for element in range(variable.elements):
                values = [first[number][element] for first in firsts]
                if len(set(values)) == 1:
                    initial.append(values[0])
                    continue
                if variable.is_sequence:
                    message = "a choice in a constructor decides about messages"
                    self._diagnostics.error("BUR901", message, None, help="choose in a message server instead")
                    return list(variables), ()
                initial.append(None)
                place = n.Read(variable.name, tuple(_indices(variable, element)))
                for test, value in zip(tests, values, strict=True):
                    assert isinstance(value, int)
                    test.append(
                        n.Binary("==", place, n.Const(value, variable.domain if variable.domain == BOOL else None))
                    )
            found.append(replace(variable, initial=tuple(initial)))
        if not tests[0]:
            return found, ()
        return found, (disjunction(map(conjunction, tests)),)


def _heaviest(body: Sequence[Stmt]) -> int:
    """The size of the largest condition or single statement of a program."""
    found = 1
    for statement in body:
        match statement:
            case n.If(condition=condition, then=then, otherwise=otherwise):
                found = max(found, expanded_size(condition), _heaviest(then), _heaviest(otherwise))
            case n.While(condition=condition, body=inner):
                found = max(found, expanded_size(condition), _heaviest(inner))
            case _:
                found = max(found, expanded_block_size((statement,)))
    return found


def _idle_rounds(body: Sequence[Stmt]) -> int:
    """What loops that assign nothing evaluate at most: they take all rounds that there are, or none."""
    found = 0
    for statement in body:
        match statement:
            case n.If(then=then, otherwise=otherwise):
                found += _idle_rounds(then) + _idle_rounds(otherwise)
            case n.While(limit=limit, body=inner) if not _assigns(inner):
                found += limit * expanded_block_size((statement,))
            case n.While(body=inner):
                found += _idle_rounds(inner)
            case _:
                pass
    return found


def _assigns(body: Sequence[Stmt]) -> bool:
    return any(
        _assigns((*s.then, *s.otherwise))
        if isinstance(s, n.If)
        else isinstance(s, n.Assign | n.Declare | n.Push | n.While)
        for s in body
    )


def _flat(value: Value) -> list[int]:
    return [value] if isinstance(value, int) else [v for item in value for v in _flat(item)]


def _first_state(variables: Sequence[Variable]) -> State:
    cells: list[int] = []
    for variable in variables:
        for first in variable.initial:
            if isinstance(first, tuple):
                room = (variable.capacity or 0) - len(first)
                cells += [len(first), *first, *[variable.domain.low - 1] * room]
            else:
                cells.append(first or 0)
    return tuple(cells)


def _split(variables: Sequence[Variable], state: State) -> list[list[First]]:
    """A state as first values."""
    found: list[list[First]] = []
    position = 0
    for variable in variables:
        width = cells_per_element(variable)
        firsts: list[First] = []
        for _ in range(variable.elements):
            cells = state[position : position + width]
            firsts.append(tuple(cells[1 : 1 + cells[0]]) if variable.is_sequence else cells[0])
            position += width
        found.append(firsts)
    return found


def _indices(variable: Variable, element: int) -> list[Expr]:
    indices: list[Expr] = []
    for dimension in reversed(variable.dimensions):
        element, rest = divmod(element, dimension.size)
        indices.insert(0, n.Const(rest + dimension.low))
    return indices
