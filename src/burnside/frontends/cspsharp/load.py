"""A CSP# text as a sequential model: the order of the steps inside this front end.

parse → declare → terms → network of components → ground rules → domains → model.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from burnside.frontends.cspsharp.claims import choose_root, observe_refinements, properties_of
from burnside.frontends.cspsharp.declare import declare_all
from burnside.frontends.cspsharp.elaborate import Elaborator
from burnside.frontends.cspsharp.ground import Grounder
from burnside.frontends.cspsharp.lower import Domains, Lowered, lower
from burnside.frontends.cspsharp.network import NetworkBuilder
from burnside.frontends.cspsharp.parse import parse
from burnside.frontends.cspsharp.scope import Ground, Scope, Unusable, written_names
from burnside.frontends.cspsharp.steps import Rules
from burnside.frontends.cspsharp.syntax import Specification
from burnside.frontends.cspsharp.terms import Term
from burnside.ir.check import check_model
from burnside.ir.nodes import Model, Value
from burnside.source import Diagnostics, Source

MOST_ROUNDS: Final = 60


def load(source: Source, constants: Mapping[str, Value]) -> tuple[Model | None, Diagnostics]:
    """The model that a CSP# text describes, or None if the diagnostics hold an error.

    ``constants`` override definitions ``#define name value;`` of the same names.
    """
    diagnostics = Diagnostics()
    specification = parse(source, diagnostics)
    model = None
    if not diagnostics.has_errors:
        scope = Scope(diagnostics)
        try:
            model = _model(source.name, specification, scope, constants)
        except Unusable:
            assert diagnostics.has_errors
    if model is not None and not diagnostics.has_errors:
        check_model(model, diagnostics)
    return (None if diagnostics.has_errors else model), diagnostics


def _model(name: str, specification: Specification, scope: Scope, constants: Mapping[str, Value]) -> Model | None:
    scope.declare(specification, constants)
    ground = Grounder(scope)
    declare_all(specification, scope, ground, written_names(specification))
    if scope.diagnostics.has_errors:
        return None
    elaborator = Elaborator(scope, ground)
    _check_all(specification, elaborator)
    root = choose_root(specification, scope, elaborator)
    lowered, domains = _settle(root, scope, elaborator)
    properties = properties_of(specification, root, lowered.terminal, elaborator)
    return observe_refinements(domains.model(name, properties), specification, root, elaborator)


def _check_all(specification: Specification, elaborator: Elaborator) -> None:
    """Look at every definition without parameters, so that errors show in those that the root does not use."""
    for definition in specification.definitions:
        if not definition.parameters:
            try:
                elaborator.term(definition.body, {})
            except Unusable:
                continue
    if elaborator.scope.diagnostics.has_errors:
        raise Unusable


def _settle(root: Term, scope: Scope, elaborator: Elaborator) -> tuple[Lowered, Domains]:
    """Explore until no channel carries a new message: what is received decides what is sent."""
    messages: dict[str, list[tuple[Ground, ...]]] = {}
    for _ in range(MOST_ROUNDS):
        elaborator.use_messages(messages)
        rules = Rules(elaborator)
        builder = NetworkBuilder(elaborator, rules)
        steps = builder.steps(builder.build(root))
        lowered = lower(steps, builder.components, scope)
        domains = Domains(scope, lowered, messages)
        found = {
            name: sorted({*domains.messages_of(scope.channels[name], sent), *messages.get(name, ())})
            for name, sent in rules.sent.items()
        }
        if found == messages:
            return lowered, domains
        messages = found
    growing = next(iter(messages))
    raise scope.stop(
        "BUR214",
        f"the messages of channel '{growing}' grow without end",
        scope.channels[growing].span,
        help="keep what is sent in a range, for example with '%'",
    )
