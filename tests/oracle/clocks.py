"""Clocks beside a model: what has nothing to do with the rest, goes round for ever, and could put the rest off."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from .language import BOOL, Model, Property, Rule, Tree, Variable, numbers
from .naming import Namer


def with_clock(model: Model, random: Random, namer: Namer) -> Model:
    """The model with a clock, and perhaps something else that happens once and that a claim is about."""
    size = random.choice((2, 2, 3))
    hand = Variable(namer.global_name("hand"), (), numbers(0, size - 1), None, (0,))
    here: Tree = ("var", hand.name, ())
    ticks = [
        Rule(
            namer.rule(f"tick{k}", []),
            (),
            ("op", "==", here, ("num", k)),
            (("set", hand.name, (), ("num", (k + 1) % size)),),
        )
        for k in range(size)
    ]
    if random.random() < 0.4:
        turned: Tree = ("op", "%", ("op", "+", here, ("num", 1)), ("num", size))
        ticks = [Rule(ticks[0].name, (), None, (("set", hand.name, (), turned),))]
    variables, rules, properties = [*model.variables, hand], ticks, [*model.properties]
    if random.random() < 0.5:
        done = Variable(namer.global_name("done"), (), BOOL, None, (0,))
        undone: Tree = ("not", ("var", done.name, ()))
        variables.append(done)
        rules.append(Rule(namer.rule("finish", []), (), undone, (("set", done.name, (), ("true",)),)))
        properties.append(Property("invariant", namer.property("never_done", []), condition=undone))
    is_first = random.random() < 0.7
    return replace(
        model,
        variables=tuple(variables),
        rules=(*rules, *model.rules) if is_first else (*model.rules, *rules),
        properties=tuple(properties),
    )
