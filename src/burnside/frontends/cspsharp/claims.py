"""Assertions: which process the model is about, and what is claimed of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from burnside.frontends.cspsharp.elaborate import Elaborator
from burnside.frontends.cspsharp.ground import negate
from burnside.frontends.cspsharp.refine import add_observer, observer_of
from burnside.frontends.cspsharp.scope import Scope, parts_of
from burnside.frontends.cspsharp.syntax import (
    Assertion,
    CallProcess,
    Definition,
    Expression,
    Name,
    Process,
    Specification,
)
from burnside.frontends.cspsharp.terms import Call, Term
from burnside.ir.nodes import TRUE, Expr, Model, Property, PropertyKind

_NOT_YET: Final = {
    "divergencefree": "freedom from divergence",
    "deterministic": "determinism",
    "refines": "refinement with variables, programs or channels in the specification",
    "reaches with": "a least or greatest value",
    "|=": "a temporal formula",
}


def choose_root(specification: Specification, scope: Scope, elaborator: Elaborator) -> Term:
    """The process of the first assertion; without one, the last definition that no other uses."""
    for assertion in specification.assertions:
        return elaborator.term(assertion.process, {})
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
    return elaborator.term(CallProcess(free[-1].name, (), free[-1].span), {})


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


def properties_of(specification: Specification, root: Term, terminal: Expr, elaborator: Elaborator) -> list[Property]:
    """The claims about the root as properties; the others are reported as not checked."""
    found: list[Property] = []
    for assertion in specification.assertions:
        if elaborator.term(assertion.process, {}) != root:
            elaborator.scope.diagnostics.warning(
                "BUR216",
                "this assertion is not checked: it is about another process than the first one",
                assertion.span,
                help="put it into a file of its own, or move it to the front",
            )
        elif assertion.claim == "refines":
            continue  # see observers_of
        elif assertion.claim in _NOT_YET or assertion.claim.startswith("refines"):
            _warn_not_checked(assertion, elaborator)
            if assertion.condition is not None:  # whether it is reached at all can be told
                found += _claims(assertion, terminal, elaborator)
        else:
            found += _claims(assertion, terminal, elaborator)
    names: dict[str, int] = {}
    return [_renamed(p, names) for p in found]


def _warn_not_checked(assertion: Assertion, elaborator: Elaborator) -> None:
    what = _NOT_YET.get(assertion.claim, "refinement in the failures model")
    message = f"this assertion is not checked: {what} is not supported"
    elaborator.scope.diagnostics.warning("BUR901", message, assertion.span)


def observe_refinements(model: Model, specification: Specification, root: Term, elaborator: Elaborator) -> Model:
    """The model with an observer for each claim that the root refines another process."""
    for number, assertion in enumerate(specification.assertions):
        if assertion.other is None or assertion.claim != "refines":
            continue
        if elaborator.term(assertion.process, {}) != root:
            continue  # reported with the other claims
        other = elaborator.term(assertion.other, {})
        name = f"refines_{other.name}" if isinstance(other, Call) else f"refines_{number + 1}"
        observer = observer_of(other, name, assertion.span, elaborator)
        observed = add_observer(model, observer) if observer else None
        if observed is None:
            _warn_not_checked(assertion, elaborator)
        else:
            model = observed
    return model


def _claims(assertion: Assertion, terminal: Expr, elaborator: Elaborator) -> Iterator[Property]:
    span = assertion.span
    match assertion.claim:
        case "deadlockfree":
            yield Property("deadlockfree", PropertyKind.DEADLOCK_FREE, TRUE, (), span)
        case "nonterminating":
            yield Property("nonterminating", PropertyKind.INVARIANT, negate(terminal), (), span)
            yield Property("nonterminating_deadlockfree", PropertyKind.DEADLOCK_FREE, TRUE, (), span)
        case _:
            assert assertion.condition is not None
            condition = elaborator.ground.expression(assertion.condition, {})
            yield Property(f"reaches_{_name_of(assertion.condition)}", PropertyKind.REACHABLE, condition, (), span)


def _name_of(condition: Expression) -> str:
    return condition.name if isinstance(condition, Name) and not condition.indices else "condition"


def _renamed(claim: Property, seen: dict[str, int]) -> Property:
    seen[claim.name] = seen.get(claim.name, 0) + 1
    if seen[claim.name] == 1:
        return claim
    name = f"{claim.name}_{seen[claim.name]}"
    seen[name] = 1
    return Property(name, claim.kind, claim.condition, (), claim.span)
