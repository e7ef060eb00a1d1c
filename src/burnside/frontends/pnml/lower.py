"""A net as a sequential model: a variable for each place, a rule for each transition.

All transitions have one event: nothing but what they do tells them apart, so that symmetries may exchange them. Traces
show their names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from burnside.frontends.pnml.bounds import Bound
from burnside.frontends.pnml.net import Net, Place, Transition
from burnside.ir import nodes as n
from burnside.ir.build import conjunction
from burnside.ir.nodes import Assert, Assign, Const, Domain, Event, Expr, Model, Read, Rule, Stmt, Variable
from burnside.source import Span

EVENT: Final = "fire"


def model_of(net: Net, bounds: Sequence[Bound]) -> Model:
    """The model of a net whose places hold at most so many tokens."""
    variables = tuple(
        Variable(place.name, (), Domain("", 0, bound.most), None, (place.tokens,), place.span)
        for place, bound in zip(net.places, bounds, strict=True)
    )
    rules = tuple(_rule(net, transition, bounds) for transition in net.transitions)
    return Model(net.name, (), (), variables, rules)


def tokens(place: Place, span: Span | None = None) -> Read:
    """How many tokens a place holds."""
    return Read(place.name, (), span)


def enabled(net: Net, transition: Transition) -> Expr:
    """Whether a transition can fire. Tags say little about it, so reports show the condition and no excerpt."""
    conditions = (n.Binary(">=", tokens(net.places[place]), Const(weight)) for place, weight in transition.takes)
    return conjunction(conditions)


def _rule(net: Net, transition: Transition, bounds: Sequence[Bound]) -> Rule:
    event = Event(EVENT, shown=transition.name)
    body = tuple(_body(net, transition, bounds))
    return Rule(transition.name, (), enabled(net, transition), event, body, transition.span)


def _body(net: Net, transition: Transition, bounds: Sequence[Bound]) -> Iterator[Stmt]:
    span = transition.span
    for number, by in transition.effect:
        place, bound = net.places[number], bounds[number]
        if by > 0 and not bound.is_proved:
            fits = n.Binary("<=", tokens(place, span), Const(bound.most - by), span)
            yield Assert(fits, bound.fault(place), span, bound.is_limit)
        operator = "+" if by > 0 else "-"
        yield Assign(tokens(place, span), n.Binary(operator, tokens(place, span), Const(abs(by)), span), span)
