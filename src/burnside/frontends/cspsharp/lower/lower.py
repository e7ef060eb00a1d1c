"""From a network to the sequential model: variables, ground rules and properties."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Final, final

from burnside.frontends.cspsharp.lower.families import Family, group_components
from burnside.frontends.cspsharp.lower.ranges import INFINITE, LocalDomains, Ranges, explored_ranges, is_unbounded
from burnside.frontends.cspsharp.names.scope import Channel, GlobalVariable, Ground, Scope, constant, in_order
from burnside.frontends.cspsharp.names.variables import is_truth, slot_name
from burnside.frontends.cspsharp.unfold.network import Component, Move, NetworkStep
from burnside.frontends.cspsharp.unfold.terms import RECEIVE, SEND, Action
from burnside.frontends.cspsharp.unfold.usage import Usage
from burnside.ir.build import conjunction, disjunction, negation
from burnside.ir.intervals import Interval
from burnside.ir.nodes import (
    BOOL,
    FALSE,
    Actor,
    Assign,
    Choice,
    Const,
    Constant,
    Domain,
    Event,
    Expr,
    Model,
    Rule,
    Value,
    Variable,
)
from burnside.ir.ranges import inside
from burnside.values import dataclass, replace

MOST_MESSAGES: Final = 4_096


@final
@dataclass(frozen=True, slots=True)
class Lowered:
    """The rules of a network, its control variables, and when it has terminated.

    ``effects`` are what rules do to variables, without control: many rules have the same.
    """

    families: tuple[Family, ...]
    rules: tuple[Rule, ...]
    effects: tuple[Rule, ...]
    terminal: Expr


def lower(steps: Sequence[NetworkStep], components: Sequence[Component], scope: Scope) -> Lowered:
    """Rules for the steps of a network that can happen by themselves."""
    taken = {*scope.variables, *scope.channels, *scope.defines, *scope.locals}
    families = group_components(components, taken)
    of = {m.number: f for f in families for m in f.members}
    complete = [s for s in steps if s.action.kind not in (SEND, RECEIVE)]
    guards = [_guard(s, of) for s in complete]
    urgent = disjunction([g for g, s in zip(guards, complete, strict=True) if s.is_urgent])
    rules, names = [], dict[str, int]()
    for step, guard in zip(complete, guards, strict=True):
        # Rule 8: what is not part of a running atomic process waits for all that is.
        full = guard if step.is_urgent or urgent == FALSE else conjunction([guard, negation(urgent)])
        event = Event(step.action.name, step.action.arguments)
        body = (*step.action.body, *(a for m in step.moves for a in _assign(m, of[m.component.number])))
        actors = tuple(_actors(step, of))
        rules.append(Rule(_rule_name(step.action, names), (), full, event, body, step.action.span, actors))
    effects = tuple(dict.fromkeys(map(_effect, complete)))
    return Lowered(tuple(families), tuple(rules), effects, _terminal(components, of))


def _effect(step: NetworkStep) -> Rule:
    """A step wherever control is: when it can happen as far as variables tell, and its program."""
    guards = [disjunction([guard for _, _, guard in move.alternatives]) for move in step.moves]
    return Rule("", (), conjunction([*guards, step.guard]), Event(""), step.action.body)


def _guard(step: NetworkStep, of: Mapping[int, Family]) -> Expr:
    tests = []
    for move in step.moves:
        family = of[move.component.number]
        ways = [conjunction([family.at(move.component, at), guard]) for at, _, guard in move.alternatives]
        tests.append(disjunction(ways))
    # Control first: what else is asked may only make sense there.
    return conjunction([*tests, step.guard])


def _assign(move: Move, family: Family) -> Iterator[Assign]:
    if family.is_constant or all(at == to for at, to, _ in move.alternatives):
        return
    targets = {to for _, to, _ in move.alternatives}
    value: Expr = Const(move.alternatives[-1][1], family.points)
    if len(targets) > 1:
        for at, to, _ in move.alternatives[-2::-1]:
            value = Choice(family.at(move.component, at), Const(to, family.points), value)
    yield Assign(family.read(move.component), value)


def _actors(step: NetworkStep, of: Mapping[int, Family]) -> Iterator[Actor]:
    """Every component, or part of one, that takes part in a step."""
    for move in step.moves:
        for part in sorted(move.movers):
            yield of[move.component.number].actor(move.component, part)


def _terminal(components: Sequence[Component], of: Mapping[int, Family]) -> Expr:
    """Every component has terminated."""
    tests: list[Expr] = []
    for component in components:
        if component.done is None:
            return FALSE
        tests.append(of[component.number].at(component, component.done))
    return conjunction(tests)


def _rule_name(action: Action, taken: dict[str, int]) -> str:
    """The event with its arguments, and a number if other rules have the same: ``taken`` counts them."""
    values = [str(a.value) if isinstance(a, Const) else "_" for a in action.arguments]
    name = plain = "_".join([action.name, *values])
    while name in taken:
        taken[plain] += 1
        name = f"{plain}_{taken[plain]}"
    taken[name] = 1
    return name


# ---------------------------------------------------------------- variables


@final
class Domains:
    """Finds a domain for every variable, channel and local of a lowered network."""

    def __init__(self, scope: Scope, lowered: Lowered, messages: Mapping[str, Iterable[tuple[Ground, ...]]]) -> None:
        self._scope = scope
        self._lowered = lowered
        self._messages = messages
        self._usage = Usage(scope.definitions)
        self._control = {f.variable: f for f in lowered.families if not f.is_constant}
        channels = [(c, slot_name(c, k)) for c in scope.channels.values() for k in range(c.parts)]
        capacities = {name: c.capacity for c, name in channels}
        self.ranges = Ranges(dict(self._starts()), self._fixed(), self.tables(), capacities)
        self.ranges.infer(lowered.effects)

    def tables(self) -> dict[str, Value]:
        """Variables that never change, as lists; one that is not an array has one entry."""
        return {v.name: _nested(v) for v in self._scope.variables.values() if v.is_constant}

    def _starts(self) -> Iterator[tuple[str, Interval]]:
        for family in self._control.values():
            yield family.variable, (0, family.points.high)
        for variable in self._scope.variables.values():
            values = [v for v in variable.initial if v is not None] or [0]
            low, high = min(values), max(values)
            if variable.is_truth:
                low, high = 0, 1
            elif variable.low is not None and variable.high is not None:
                low, high = variable.low, variable.high
            yield variable.name, (low, high)
        for channel in self._scope.channels.values():
            for k in range(channel.parts):
                values = [m[k].value for m in self._messages.get(channel.name, ())] or [0]
                yield slot_name(channel, k), (min(values), max(values))

    def _fixed(self) -> set[str]:
        ranged = {v.name for v in self._scope.variables.values() if v.is_truth or None not in (v.low, v.high)}
        return ranged | self._control.keys()

    def messages_of(self, channel: Channel, sent: Iterable[tuple[Expr, ...]]) -> list[tuple[Ground, ...]]:
        """The messages that some outputs can send, as far as the ranges of variables tell."""
        found: dict[tuple[Ground, ...], None] = {}
        for values in sent:
            choices = [self.values_of(v, f"channel '{channel.name}' may carry", _HELP) for v in values]
            total = 1
            for several in choices:
                total *= len(several)
            if total > MOST_MESSAGES:
                raise self._scope.stop(
                    "BUR205", f"channel '{channel.name}' may carry {total:,} messages", channel.span, help=_HELP
                )
            found.update(dict.fromkeys(product(*choices)))
        return in_order(found)

    def values_of(self, expr: Expr, what: str, remedy: str) -> Sequence[Ground]:
        """The values that an expression may have, as far as the ranges of variables tell; ``what`` has them."""
        if isinstance(expr, Const):
            return (expr,)
        low, high = self.ranges.bounds(expr)
        if high - low >= MOST_MESSAGES:
            count = "too many" if is_unbounded((low, high)) else f"{high - low + 1:,}"
            raise self._scope.stop("BUR205", f"{what} {count} values", expr.span, help=remedy)
        kind = bool if is_truth(expr, self._scope) else int
        return [constant(kind(v)) for v in range(low, high + 1)]

    def model(self, name: str) -> Model:
        """The whole model."""
        return self._model(name, self._settled(name))

    def _model(self, name: str, intervals: Mapping[str, Interval]) -> Model:
        families = self._lowered.families
        control = [f.declaration() for f in self._control.values()]
        indexed = [d for f in families for d in f.dimensions if d.size > 1]
        variables = [self._variable(v, intervals) for v in self._scope.variables.values() if not v.is_constant]
        channels = [s for c in self._scope.channels.values() for s in self._slots(c, intervals)]
        used = [*control, *variables, *channels]
        shown = {d.name for v in used for d in (v.domain, *v.dimensions)}
        extended = dict.fromkeys(v.domain for v in variables if v.domain.index and v.domain.labels)
        known = (*indexed, *(f.points for f in self._control.values()), *extended)
        # An extended range is printed by the name of the process domain it extends.
        shown |= {d.index for d in extended}
        domains = [d for d in dict.fromkeys(known) if d.name in shown]
        locals_ = {
            n: Domain("", *i)
            for n, i in intervals.items()
            if n not in self._scope.variables and n not in self._control and n not in {c.name for c in channels}
        }
        rules = self._lowered.rules
        if locals_:
            given = LocalDomains(locals_)
            rules = tuple(replace(r, body=given.of(r.body)) for r in rules)
        return Model(
            name=name,
            constants=tuple(Constant(n, v) for n, v in self.tables().items()),
            domains=tuple(domains),
            variables=tuple(used),
            rules=rules,
            terminal=self._lowered.terminal,
        )

    def _settled(self, name: str) -> dict[str, Interval]:
        """The intervals, finite where they can be made so; the others are reported."""
        intervals = dict(self.ranges.known)
        for variable in self._scope.variables.values():
            low, high = intervals[variable.name]
            low = low if variable.low is None else variable.low
            high = high if variable.high is None else variable.high
            intervals[variable.name] = low, high
        # A local is in no state: it may have all the room there is.
        wide = {n: inside(i, _ROOM) or _ROOM for n, i in intervals.items()}
        stored = {v.name for v in self._scope.variables.values() if not v.is_constant}
        declared = self._fixed()
        stored |= {slot_name(c, k) for c in self._scope.channels.values() for k in range(c.parts)}
        open_ = [n for n, i in intervals.items() if is_unbounded(i) and n in stored - declared]
        intervals = {n: i if n in stored else wide[n] for n, i in intervals.items()}
        if not open_:
            return intervals
        if self._scope.bits is not None:
            top = 1 << (self._scope.bits - 1)
            for n in open_:
                intervals[n] = inside(intervals[n], (-top, top - 1)) or self._too_wide(n, self._scope.bits)
            return intervals
        exact = explored_ranges(self._model(name, wide), open_)
        for n in open_:
            if isinstance(exact, dict) and n in exact:
                # A bound that is declared stays: to leave it is a fault.
                intervals[n] = max(wide[n][0], exact[n][0]), min(wide[n][1], exact[n][1])
            else:
                self._ask_for_range(n, "" if isinstance(exact, dict) else f": {exact}")
                intervals[n] = 0, 0
        return intervals

    def _too_wide(self, name: str, bits: int) -> Interval:
        """Report that a variable never has a value of so few bits."""
        variable = self._scope.variables.get(name)
        message = f"'{name}' begins with a value that has no place in {bits} bits"
        self._scope.error("BUR206", message, variable.span if variable else None, help="give numbers more bits")
        return 0, 0

    def _ask_for_range(self, name: str, reason: str) -> None:
        variable = self._scope.variables.get(name)
        self._scope.error(
            "BUR215",
            f"no finite range can be found for '{name}'{reason}",
            variable.span if variable else None,
            help=f"declare one, as in 'var {name}:{{0..9}}', or give every number some bits with -D int_bits=8",
        )

    def _variable(self, variable: GlobalVariable, intervals: Mapping[str, Interval]) -> Variable:
        domain = BOOL if variable.is_truth else self._values_domain(variable, intervals[variable.name])
        dimensions = tuple(self._dimension(variable, k, size) for k, size in enumerate(variable.dimensions))
        spans = variable.initial_spans
        return Variable(variable.name, dimensions, domain, None, variable.initial, variable.span, spans)

    def _indexed_families(self) -> Iterator[tuple[str, int, Domain]]:
        """Families by name with the position of each argument that tells members apart, and its domain."""
        for family in self._lowered.families:
            for k, domain in zip(family.kept, family.dimensions, strict=False):
                yield family.name, k, domain

    def _dimension(self, variable: GlobalVariable, position: int, size: int) -> Domain:
        """The index set of a family whose members use their own index here, or plain numbers."""
        for name, k, domain in self._indexed_families():
            if (domain.low, domain.size) == (0, size) and self._usage.indexes(name, k, variable.name, position):
                return domain
        return Domain("", 0, size - 1)

    def _values_domain(self, variable: GlobalVariable, interval: Interval) -> Domain:
        """The index set of a family whose members store their own index, perhaps with one value for nobody."""
        for name, k, domain in self._indexed_families():
            if self._usage.stores(name, k, variable.name) and interval[0] == domain.low:
                if interval[1] == domain.high:
                    return domain
                if interval[1] == domain.high + 1:
                    return Domain(
                        self._unused(f"{domain.name}_or_none"), *interval, (self._unused("none"),), domain.index
                    )
        return Domain("", *interval)

    def _unused(self, name: str) -> str:
        families = self._lowered.families
        taken = {*self._scope.variables, *self._scope.channels, *(f.variable for f in families)}
        taken |= {d.name for f in families for d in (f.points, *f.dimensions)}
        while name in taken:
            name += "_"
        return name

    def _slots(self, channel: Channel, intervals: Mapping[str, Interval]) -> Iterator[Variable]:
        if channel.capacity == 0:
            return
        messages = list(self._messages.get(channel.name, ()))
        for k in range(channel.parts):
            is_bool = bool(messages) and messages[0][k].domain == BOOL  # all are of one type
            name = slot_name(channel, k)
            domain = BOOL if is_bool else Domain("", *intervals[name])
            dimensions = () if channel.size is None else (Domain("", 0, channel.size - 1),)
            initial = ((),) * (channel.size or 1)
            yield Variable(name, dimensions, domain, channel.capacity, initial, channel.span)


def _nested(variable: GlobalVariable) -> Value:
    values: list[Value] = [v for v in variable.initial if v is not None]
    for size in variable.dimensions[:0:-1]:
        values = [tuple(values[k : k + size]) for k in range(0, len(values), size)]
    return tuple(values)


# Numbers that are not bounded otherwise have 32 bits; to leave these is a fault.
_ROOM: Final = (-INFINITE + 1, INFINITE - 1)
_HELP: Final = "send constants or parameters, or give the variables in the message small ranges"
