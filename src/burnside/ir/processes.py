"""Who acts in a step: what fairness is about.

A rule that does not say so is taken by the process that its first parameter over a process domain names; a rule
without such a parameter is a process by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TypeAlias, final

from burnside.ir.build import conjunction
from burnside.ir.cells import Cells, State
from burnside.ir.check import INT, type_of_domain
from burnside.ir.instances import instance_count, instances_of
from burnside.ir.intervals import Bounds
from burnside.ir.nodes import Binary, Bound, Const, Domain, Expr, Model, Parameter, Rule, Variable
from burnside.ir.semantics import evaluate
from burnside.ir.shown import shown_domain
from burnside.source import Diagnostic, ModelError, Note
from burnside.values import dataclass, replace

_NO_STATE: State = ()
_MOST_INSTANCES = 1_000_000
_MOST_UNITS = 65_000  # numbered by 16 bits in C

# A process or an event: what it is, and values that tell it from others of its kind. Never a text that is put together,
# which a user's name could imitate.
Unit: TypeAlias = tuple[object, ...]


@final
@dataclass(frozen=True, slots=True)
class Processes:
    """The processes of a model, and those that act in every rule instance, by the number of the instance."""

    units: tuple[Unit, ...]
    acting: tuple[tuple[int, ...], ...]


_Namer: TypeAlias = "Callable[[Rule, Mapping[str, int]], Iterator[Unit]]"


def processes_of(model: Model) -> Processes:
    """The processes that rules name."""
    return _collect(model, partial(_actors, Cells(model)))


def events_of(model: Model) -> Processes:
    """Every event, with its arguments, as a process of its own. Needs: `with_fixed_events`."""
    return _collect(model, partial(_events, Cells(model)))


def _collect(model: Model, namer: _Namer) -> Processes:
    numbers: dict[Unit, int] = {}
    acting = []
    for instance in instances_of(model):
        units = dict.fromkeys(namer(instance.rule, instance.values))
        acting.append(tuple(numbers.setdefault(unit, len(numbers)) for unit in units))
    if len(numbers) > _MOST_UNITS:
        message = f"fairness is about more than {_MOST_UNITS:,} processes or events"
        raise ModelError([Diagnostic("BUR502", message)])
    return Processes(tuple(numbers), tuple(acting))


def _actors(cells: Cells, rule: Rule, known: Mapping[str, int]) -> Iterator[Unit]:
    if rule.actors is None:
        yield _default_actor(rule, known)
        return
    for actor in rule.actors:
        if actor.id is None:
            yield "actor", actor.kind
        else:
            yield _process(actor.kind, evaluate(cells, actor.id, _NO_STATE, known))


def _default_actor(rule: Rule, known: Mapping[str, int]) -> Unit:
    for parameter in rule.parameters:
        if parameter.domain.index:
            return _process(parameter.domain.index, known[parameter.name])
    return "rule", rule.name


def _process(kind: str, number: int) -> Unit:
    """A process is the same whether a rule names it or leaves it to its parameters."""
    return "process", kind, number


def _events(cells: Cells, rule: Rule, known: Mapping[str, int]) -> Iterator[Unit]:
    domains = (shown_domain(cells.variables, a) for a in rule.event.arguments)
    types = (INT if domain is None else type_of_domain(domain) for domain in domains)
    values = (evaluate(cells, a, _NO_STATE, known) for a in rule.event.arguments)
    yield "event", rule.event.name, *zip(types, values, strict=True)


# ---------------------------------------------------------------- events that depend on the state


def with_fixed_events(model: Model) -> Model:
    """A model in which the arguments of an event depend on parameters only.

    ``rule r as e(x)`` becomes ``rule r(v: 0..1) as e(v) when x == v``, one instance for each value that ``x`` can have.

    Keeps:   states, and steps with their events.
    Changes: parameters of rules, and so the numbers of their instances.
    """
    variables = {v.name: v for v in model.variables}
    bounds = Bounds(variables, {c.name: c.value for c in model.constants if isinstance(c.value, tuple)})
    fixed = replace(model, rules=tuple(_with_fixed_event(rule, variables, bounds) for rule in model.rules))
    if instance_count(fixed) > _MOST_INSTANCES:
        message = "fairness of events is about too many events: their arguments can have too many values"
        notes = (Note("give the variables that events mention smaller domains", "help"),)
        raise ModelError([Diagnostic("BUR502", message, notes=notes)])
    return fixed


def _with_fixed_event(rule: Rule, variables: Mapping[str, Variable], bounds: Bounds) -> Rule:
    taken = {p.name for p in rule.parameters}
    added: list[Parameter] = []
    tests: list[Expr] = []
    arguments: list[Expr] = []
    for number, argument in enumerate(rule.event.arguments):
        if isinstance(argument, Const | Bound):
            arguments.append(argument)
            continue
        name = f"argument {number}"
        while name in taken:
            name += "'"
        low, high = bounds.of(argument)
        value = Bound(name, shown_domain(variables, argument) or Domain("", low, high))
        added.append(Parameter(name, value.domain))
        tests.append(Binary("==", argument, value))
        arguments.append(value)
    if not added:
        return rule
    return replace(
        rule,
        parameters=(*rule.parameters, *added),
        guard=conjunction((rule.guard, *tests)),
        event=replace(rule.event, arguments=tuple(arguments)),
    )
