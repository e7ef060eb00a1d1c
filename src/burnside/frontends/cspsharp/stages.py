"""A CSP# text as sequential models: the order of the steps inside this front end.

parse → declare → for each process that is asked about: terms → network of components → ground rules → domains → model.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias, final

from burnside.claims.check import check_task
from burnside.claims.kinds import Claim, Specification
from burnside.claims.task import Task
from burnside.frontends.cspsharp.lower.claims import (
    Root,
    behaviour_of,
    claims_of,
    extreme_of,
    find_roots,
    name_of,
    warn_of_others,
)
from burnside.frontends.cspsharp.lower.lower import Domains, Lowered, lower
from burnside.frontends.cspsharp.names.scope import Ground, Scope, Unusable, in_order, written_names
from burnside.frontends.cspsharp.read.declarations import Specification as Text
from burnside.frontends.cspsharp.read.parse import parse
from burnside.frontends.cspsharp.unfold.declare import declare_all
from burnside.frontends.cspsharp.unfold.elaborate import Elaborator
from burnside.frontends.cspsharp.unfold.network import NetworkBuilder
from burnside.frontends.cspsharp.unfold.programs import Grounder
from burnside.frontends.cspsharp.unfold.steps import Rules
from burnside.frontends.cspsharp.unfold.terms import Term
from burnside.frontends.front_end import Loaded
from burnside.frontends.kit.options import NO_OPTIONS, Options
from burnside.ir.nodes import Expr, Model, Value
from burnside.source import Diagnostics, Source

MOST_ROUNDS: Final = 60

Messages: TypeAlias = dict[str, list[tuple[Ground, ...]]]
Values: TypeAlias = dict[Expr, list[Ground]]


def load(source: Source, constants: Mapping[str, Value], options: Options = NO_OPTIONS) -> Loaded:
    """All that a CSP# text asks, a task for each process; none if the diagnostics hold an error.

    ``constants`` override definitions ``#define name value;`` of the same names.
    """
    diagnostics = Diagnostics()
    text = parse(source, diagnostics)
    tasks: tuple[Task, ...] = ()
    if not diagnostics.has_errors:
        scope = Scope(diagnostics)
        try:
            tasks = _tasks(source.name, text, scope, constants, options.only_first)
        except Unusable:
            assert diagnostics.has_errors
    return Loaded(() if diagnostics.has_errors else tasks, diagnostics)


def _tasks(name: str, text: Text, scope: Scope, constants: Mapping[str, Value], only_first: bool) -> tuple[Task, ...]:
    scope.declare(text, constants)
    ground = Grounder(scope)
    declare_all(text, scope, ground, written_names(text))
    if scope.diagnostics.has_errors:
        return ()
    elaborator = Elaborator(scope, ground)
    _check_all(text, elaborator)
    roots = find_roots(text, scope, elaborator)
    builder = _Builder(name, scope, elaborator)
    if only_first:
        warn_of_others(roots, scope)
        return (builder.task(roots[0], process="", is_alone=True),)
    return tuple(builder.task(root, process=root.name if len(roots) > 1 else "") for root in roots)


def _check_all(text: Text, elaborator: Elaborator) -> None:
    """Look at every definition without parameters, so that errors show in those that no root uses."""
    for definition in text.definitions:
        if not definition.parameters:
            try:
                elaborator.term(definition.body, {})
            except Unusable:
                continue
    if elaborator.scope.diagnostics.has_errors:
        raise Unusable


@final
class _Builder:
    """Builds the models of processes; one that several assertions compare with is built once."""

    def __init__(self, name: str, scope: Scope, elaborator: Elaborator) -> None:
        self._name = name
        self._scope = scope
        self._elaborator = elaborator
        self._specifications: dict[Term, Model] = {}

    def task(self, root: Root, *, process: str, is_alone: bool = False) -> Task:
        """The model of a root with the claims about it; ``is_alone`` leaves out those that compare it with others."""
        lowered, domains = self._settle(root.term)
        claims = claims_of(root, lowered, self._elaborator)
        model = domains.model(self._name)
        found: list[Claim] = [*claims.states]
        if not is_alone:
            found += [extreme_of(name, a, model, self._elaborator) for name, a in claims.extremes]
        self._check(Task(model, (*found, *claims.runs)))
        if not is_alone:
            found += [behaviour_of(name, a, self._specification(other)) for name, a, other in claims.behaviours]
        return Task(model, (*found, *claims.runs), process)

    def _specification(self, term: Term | None) -> Specification | None:
        if term is None:
            return None
        if term not in self._specifications:
            _, domains = self._settle(term)
            self._specifications[term] = domains.model(self._name)
            self._check(Task(self._specifications[term]))
        return Specification(name_of(term, "the specification"), self._specifications[term])

    def _check(self, task: Task) -> None:
        if not self._scope.diagnostics.has_errors:
            check_task(task, self._scope.diagnostics)

    def _settle(self, root: Term) -> tuple[Lowered, Domains]:
        """Explore until no channel carries a new message and no late argument has a new value.

        What is received, and what processes are called with, decides what is sent and assigned.
        """
        messages: Messages = {}
        values: Values = {}
        for _ in range(MOST_ROUNDS):
            self._elaborator.use(messages, values)
            rules = Rules(self._elaborator)
            builder = NetworkBuilder(self._elaborator, rules)
            steps = builder.steps(builder.build(root))
            lowered = lower(steps, builder.components, self._scope)
            domains = Domains(self._scope, lowered, messages)
            found = self._messages(rules, domains, messages), self._values(domains, values)
            if found == (messages, values):
                return lowered, domains
            messages, values = found
        raise self._endless(messages)

    def _messages(self, rules: Rules, domains: Domains, known: Messages) -> Messages:
        return {
            name: in_order([*domains.messages_of(self._scope.channels[name], sent), *known.get(name, ())])
            for name, sent in rules.sent.items()
        }

    def _values(self, domains: Domains, known: Values) -> Values:
        found: Values = {}
        for argument, call in self._elaborator.late.items():
            remedy = "give the variables in its arguments small ranges"
            new = domains.values_of(argument, f"an argument of '{call.name}' may have", remedy)
            found[argument] = [v for (v,) in in_order((v,) for v in (*new, *known.get(argument, ())))]
        return found

    def _endless(self, messages: Messages) -> Unusable:
        if not messages:
            call = next(iter(self._elaborator.late.values()))
            remedy = "give the variables in its arguments ranges, as in 'var x:{0..9};'"
            message = f"the arguments of '{call.name}' still grow after {MOST_ROUNDS} rounds"
            return self._scope.stop("BUR214", message, call.span, help=remedy)
        growing = next(iter(messages))
        return self._scope.stop(
            "BUR214",
            f"the messages of channel '{growing}' still grow after {MOST_ROUNDS} rounds",
            self._scope.channels[growing].span,
            help="keep what is sent in a range, for example with '%'",
        )
