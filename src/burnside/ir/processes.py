"""Who acts in a step: what fairness is about.

A rule that does not say so is taken by the process that its first parameter over a process domain names; a rule
without such a parameter is a process by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias, final

from burnside.ir.cells import Cells, State
from burnside.ir.nodes import Actor, Bound, Const, Model, Rule
from burnside.ir.semantics import evaluate, instances
from burnside.ir.simplify import Simplifier, bind

_NO_STATE: State = ()


@final
@dataclass(frozen=True, slots=True)
class Processes:
    """The processes of a model by name, and those that act in every rule instance, by the number of the instance."""

    names: tuple[str, ...]
    acting: tuple[tuple[int, ...], ...]


_Namer: TypeAlias = "Callable[[Rule, Mapping[str, int]], Iterator[str]]"


def processes_of(model: Model) -> Processes:
    """The processes that rules name."""
    return _collect(model, partial(_actors, Cells(model)))


def events_of(model: Model) -> Processes:
    """Every event as a process of its own; rule instances whose event depends on the state are told apart, too."""
    return _collect(model, partial(_events, Simplifier(model)))


def _collect(model: Model, namer: _Namer) -> Processes:
    numbers: dict[str, int] = {}
    acting = []
    for rule in model.rules:
        for arguments in instances(rule.parameters):
            names = dict.fromkeys(namer(rule, bind(rule.parameters, arguments)))
            acting.append(tuple(numbers.setdefault(name, len(numbers)) for name in names))
    return Processes(tuple(numbers), tuple(acting))


def _actors(cells: Cells, rule: Rule, known: Mapping[str, int]) -> Iterator[str]:
    if rule.actors is None:
        yield _default_actor(rule, known)
        return
    for actor in rule.actors:
        if actor.id is None:
            yield actor.kind
        else:
            yield f"{actor.kind} {_id_text(actor, evaluate(cells, actor.id, _NO_STATE, known))}"


def _default_actor(rule: Rule, known: Mapping[str, int]) -> str:
    for parameter in rule.parameters:
        if parameter.domain.index:
            return f"{parameter.domain.index} {parameter.domain.text(known[parameter.name])}"
    return rule.name


def _id_text(actor: Actor, value: int) -> str:
    return actor.id.domain.text(value) if isinstance(actor.id, Bound) else str(value)


def _events(simplifier: Simplifier, rule: Rule, known: Mapping[str, int]) -> Iterator[str]:
    arguments = [simplifier.expr(a, known) for a in rule.event.arguments]
    if all(isinstance(a, Const) for a in arguments):
        values = (str(a.value) for a in arguments if isinstance(a, Const))
        yield ".".join((rule.event.name, *values))
    else:
        yield f"{rule.name}({', '.join(map(str, known.values()))})"
