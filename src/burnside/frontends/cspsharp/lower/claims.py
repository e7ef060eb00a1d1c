"""Assertions: which processes a text asks about, and what is claimed of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, final

from burnside.claims import kinds
from burnside.claims.kinds import EventClaim, Extreme, InfiniteRuns, StateClaim
from burnside.claims.kinds import Specification as Refined
from burnside.frontends.cspsharp.lower.lower import Lowered
from burnside.frontends.cspsharp.lower.temporal import TemporalClaims, claim_name
from burnside.frontends.cspsharp.names.scope import Scope, parts_of, text_of
from burnside.frontends.cspsharp.read.declarations import Assertion, Definition, Specification
from burnside.frontends.cspsharp.read.syntax import CallProcess, Expression, Name, Process
from burnside.frontends.cspsharp.unfold.elaborate import Elaborator
from burnside.frontends.cspsharp.unfold.terms import Call, Term
from burnside.ir.build import disjunction
from burnside.ir.intervals import Bounds
from burnside.ir.nodes import FALSE, Expr, Model
from burnside.values import dataclass, field

_BEHAVIOURS: Final = {kinds.DivergenceFree.word, kinds.Deterministic.word, *(s.value for s in kinds.Semantics)}


@final
@dataclass(slots=True)
class Root:
    """A process that a text asks about, with the assertions about it."""

    term: Term
    name: str
    assertions: list[Assertion] = field(default_factory=list)


# ---------------------------------------------------------------- which processes


def find_roots(specification: Specification, scope: Scope, elaborator: Elaborator) -> list[Root]:
    """The processes of the assertions in order; without one, the last definition that no other uses."""
    roots: list[Root] = []
    for assertion in specification.assertions:
        term = elaborator.term(assertion.process, {})
        root = next((r for r in roots if r.term == term), None)
        if root is None:
            root = Root(term, name_of(term, f"process_{len(roots) + 1}"))
            roots.append(root)
        root.assertions.append(assertion)
    return roots or [_last_process(specification, scope, elaborator)]


def name_of(term: Term, otherwise: str) -> str:
    """What a process is called where several are spoken of."""
    if not isinstance(term, Call):
        return otherwise
    arguments = ",".join(map(text_of, term.arguments))
    return f"{term.name}({arguments})" if arguments else term.name


def warn_of_others(roots: Sequence[Root], scope: Scope) -> None:
    """Say that only the first of several processes is looked at."""
    if len(roots) > 1:
        scope.diagnostics.warning(
            "BUR216",
            f"the model is that of '{roots[0].name}', the process of the first assertion",
            roots[0].assertions[0].span,
            help="'burnside check' looks at the processes of all assertions",
        )


def _last_process(specification: Specification, scope: Scope, elaborator: Elaborator) -> Root:
    called = {name for d in specification.definitions for name in _called(d.body) if name != d.name}
    plain = [d for d in specification.definitions if not d.parameters]
    if not plain:
        span = specification.definitions[-1].span if specification.definitions else None
        raise scope.stop(
            "BUR216",
            "there is no process without parameters to begin with",
            span,
            help="define one, such as 'System() = …;', or say which process is meant with '#assert'",
        )
    free = [d for d in plain if d.name not in called] or plain
    if len(free) > 1:
        _warn_of_choice(free, scope)
    return Root(elaborator.term(CallProcess(free[-1].name, (), free[-1].span), {}), free[-1].name)


def _warn_of_choice(free: list[Definition], scope: Scope) -> None:
    scope.diagnostics.warning(
        "BUR216",
        f"the model is that of '{free[-1].name}', the last process that no other uses",
        free[-1].span,
        help=f"choose one with '#assert {free[-1].name}() deadlockfree;'",
    )


def _called(process: Process) -> Iterator[str]:
    if isinstance(process, CallProcess):
        yield process.name
    for part in parts_of(process):
        yield from _called(part)


# ---------------------------------------------------------------- what is claimed


@final
class Names:
    """Names for claims, each used once."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def fresh(self, name: str) -> str:
        """The name, with a number if it is taken."""
        plain = name
        while name in self._seen:
            self._seen[plain] += 1
            name = f"{plain}_{self._seen[plain]}"
        self._seen[name] = 1
        return name


@final
@dataclass(slots=True)
class Claims:
    """What is claimed of a root, in order, by kind; what needs its model or another one is still to be found."""

    states: list[StateClaim] = field(default_factory=list)
    behaviours: list[tuple[str, Assertion, Term | None]] = field(default_factory=list)
    extremes: list[tuple[str, Assertion]] = field(default_factory=list)
    runs: list[InfiniteRuns] = field(default_factory=list)


def claims_of(root: Root, lowered: Lowered, elaborator: Elaborator) -> Claims:
    """The claims about a root."""
    claims, names = Claims(), Names()
    formulas = TemporalClaims(lowered.rules, elaborator)
    for assertion in root.assertions:
        if assertion.claim in _BEHAVIOURS:
            other = None if assertion.other is None else elaborator.term(assertion.other, {})
            name = names.fresh(_behaviour_name(assertion.claim, other))
            claims.behaviours.append((name, assertion, other))
        elif assertion.formula is not None:
            claims.runs.append(formulas.claim(names.fresh(claim_name(assertion.formula)), assertion))
        elif assertion.extreme:
            claims.extremes.append((names.fresh(f"{_reaches_name(assertion)}_with_{assertion.extreme}"), assertion))
        else:
            claims.states.append(_state_claim(names, assertion, lowered, elaborator))
    return claims


def _behaviour_name(claim: str, other: Term | None) -> str:
    """``refines_Q``, ``refines_FD_Q``, or the claim itself."""
    if other is None:
        return claim
    return f"{claim.replace('<', '_').rstrip('>')}_{name_of(other, 'process')}"


def _state_claim(names: Names, assertion: Assertion, lowered: Lowered, elaborator: Elaborator) -> StateClaim:
    span = assertion.span
    match assertion.claim:
        case "deadlockfree":
            return kinds.DeadlockFree(names.fresh("deadlockfree"), span)
        case "nonterminating":
            name = names.fresh("nonterminating")
            if lowered.terminal == FALSE:
                return kinds.DeadlockFree(name, span)
            # Something can always happen: a successful end counts as an end too.
            goes_on = disjunction(rule.guard for rule in lowered.rules)
            return kinds.Invariant(name, goes_on, (), span)
        case _:
            name = names.fresh(_reaches_name(assertion))
            return kinds.Reachable(name, condition_of(assertion, elaborator), (), span)


def condition_of(assertion: Assertion, elaborator: Elaborator) -> Expr:
    """The condition that an assertion says is reached."""
    assert assertion.condition is not None
    return elaborator.ground.expression(assertion.condition, {})


def _reaches_name(assertion: Assertion) -> str:
    return f"reaches_{_condition_name(assertion.condition)}"


def _condition_name(condition: Expression | None) -> str:
    return condition.name if isinstance(condition, Name) and not condition.indices else "condition"


def extreme_of(name: str, assertion: Assertion, model: Model, elaborator: Elaborator) -> Extreme:
    """The question for an extreme value, with the bounds that the domains of variables give."""
    assert assertion.value is not None
    value = elaborator.ground.expression(assertion.value, {})
    bounds = Bounds({v.name: v for v in model.variables}, {c.name: c.value for c in model.constants})
    low, high = bounds.of(value)
    condition = condition_of(assertion, elaborator)
    return Extreme(name, condition, value, low, high, assertion.extreme == "min", assertion.span)


def behaviour_of(name: str, assertion: Assertion, specification: Refined | None) -> EventClaim:
    """A claim about events; a refinement has a specification."""
    if specification is not None:
        return kinds.Refinement(name, kinds.Semantics(assertion.claim), specification, assertion.span)
    kind = kinds.DivergenceFree if assertion.claim == kinds.DivergenceFree.word else kinds.Deterministic
    return kind(name, assertion.span)
