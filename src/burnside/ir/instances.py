"""Rule instances and their numbers: rules in the order of the model, values of parameters in lexicographic order.

The numbers are those of ``LABEL`` in ``explore/runtime/model.h``, and those by which ``ir/processes.py`` says who acts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import prod
from typing import final

from burnside.ir.nodes import Bound, Event, Model, Parameter, Rule
from burnside.ir.spelling import argument_texts
from burnside.ir.wholes import Argument
from burnside.values import dataclass


def valuations(parameters: Sequence[Parameter]) -> Iterator[tuple[int, ...]]:
    """All values of some parameters, in lexicographic order."""
    return product(*(p.domain.values() for p in parameters))


def valuation_count(parameters: Sequence[Parameter]) -> int:
    """How many values some parameters have together."""
    return prod(max(0, p.domain.size) for p in parameters)


def bind(parameters: Iterable[Parameter], arguments: Iterable[int]) -> dict[str, int]:
    """Parameters by name with their values."""
    return {p.name: a for p, a in zip(parameters, arguments, strict=True)}


def with_arguments(name: str, parameters: Sequence[Parameter], arguments: Iterable[int]) -> str:
    """A name with values of its parameters as users write them: ``safe(2)``; the name alone if there are none."""
    values = argument_texts([(p.domain, a) for p, a in zip(parameters, arguments, strict=True)], written_of(parameters))
    return f"{name}({', '.join(values)})" if values else name


def written_of(parameters: Sequence[Parameter]) -> tuple[Argument | None, ...]:
    """For each parameter, what begins with it; not what has lost some of its parts, or their names."""
    names = [p.name for p in parameters]

    def is_there(argument: Argument, at: int) -> bool:
        return (*names[at : at + len(argument.names)],) == argument.names

    return tuple(p.begins if p.begins and is_there(p.begins, k) else None for k, p in enumerate(parameters))


def own_event(name: str, parameters: Sequence[Parameter]) -> Event:
    """What an observer sees of a rule that does not say so: its name and its parameters."""
    return Event(name, tuple(Bound(p.name, p.domain) for p in parameters), written_of(parameters))


@final
@dataclass(frozen=True, slots=True)
class Instance:
    """A rule for some values of its parameters: its number among the instances of all rules, and its position among
    those of its own.
    """

    rule: Rule
    arguments: tuple[int, ...]
    number: int
    position: int

    @property
    def values(self) -> dict[str, int]:
        """The values of the parameters by name."""
        return bind(self.rule.parameters, self.arguments)


def instances_of(model: Model) -> Iterator[Instance]:
    """Every instance of every rule."""
    first = 0
    for rule in model.rules:
        yield from instances_of_rule(rule, first)
        first += valuation_count(rule.parameters)


def instances_of_rule(rule: Rule, first: int = 0) -> Iterator[Instance]:
    """The instances of a rule, numbered from ``first``."""
    for position, arguments in enumerate(valuations(rule.parameters)):
        yield Instance(rule, arguments, first + position, position)


def instance_count(model: Model) -> int:
    """How many rule instances there are."""
    return sum(valuation_count(rule.parameters) for rule in model.rules)
