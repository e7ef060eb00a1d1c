"""What a symmetry must keep for claims about runs: who acts, and which events are asked for.

Both are made part of the model before its symmetries are sought, as cells that nothing reads: a step sets the cell of
every process that acts in it, and of every event it is asked for and has. So a symmetry of the *observed* model says
how it permutes processes, and maps steps of one process to steps of one process; detection and validation need no
notion of their own for it. The observed model is never explored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, final

from burnside.ir.nodes import (
    BOOL,
    TRUE,
    Assign,
    Const,
    Domain,
    Expr,
    If,
    Model,
    Read,
    Rule,
    Stmt,
    Variable,
)
from burnside.ir.processes import Processes
from burnside.ir.semantics import instances
from burnside.ir.simplify import Simplifier, bind
from burnside.ir.temporal import Atom, EventTest, TemporalClaim, event_condition

Requirement: TypeAlias = tuple[str, Expr, dict[str, int]]

_ACTED = "acted?"
_SEEN = "seen?"


def ground_atoms(model: Model, claim: TemporalClaim) -> dict[str, Atom]:
    """What the atoms of a claim stand for, its parameters replaced by their values."""
    simplifier = Simplifier(model)
    known = bind(claim.family.parameters, claim.arguments)

    def ground(atom: Atom) -> Atom:
        if not isinstance(atom, EventTest):
            return simplifier.expr(atom, known)
        given = atom.arguments
        return EventTest(atom.name, given and tuple(None if a is None else simplifier.expr(a, known) for a in given))

    return {name: ground(atom) for name, atom in claim.family.atoms}


@final
@dataclass(frozen=True)
class Observed:
    """A model with cells that show who acts and what happens.

    ``requirements`` has, for every claim, as many entries in a row; claims that a symmetry exchanges have their entries
    exchanged. Behind them stand requirements that hold the cells of processes together. Behind the cells of
    the model itself comes one for every process.
    """

    model: Model
    requirements: tuple[Requirement, ...]
    per_claim: int
    processes: int


def observe(model: Model, processes: Processes | None, claims: Sequence[Mapping[str, Atom]]) -> Observed:
    """The observed model for some claims of one family, given by their atoms."""
    names = sorted(claims[0])
    tests = [(k, name) for k, atoms in enumerate(claims) for name in names if isinstance(atoms[name], EventTest)]
    numbers = {test: number for number, test in enumerate(tests)}
    count = len(processes.names) if processes else 0
    rules = _observed_rules(model, processes, [claims[k][name] for k, name in tests])
    ghosts = [*_ghosts(_ACTED, count), *_ghosts(_SEEN, len(tests))]
    requirements: list[Requirement] = []
    for k, atoms in enumerate(claims):
        for name in names:
            atom = atoms[name]
            condition = _cell(_SEEN, numbers[k, name]) if isinstance(atom, EventTest) else atom
            requirements.append((f"atom '{name}'", condition, {}))
    requirements += [("process", _cell(_ACTED, u), {}) for u in range(count)]
    observed = replace(model, variables=(*model.variables, *ghosts), rules=tuple(rules), properties=(), temporal=())
    return Observed(observed, tuple(requirements), len(names), count)


def _ghosts(name: str, count: int) -> Iterator[Variable]:
    if count:
        yield Variable(name, (Domain("", 0, count - 1),), BOOL, None, (0,) * count)


def _cell(name: str, number: int) -> Read:
    return Read(name, (Const(number),))


def _observed_rules(model: Model, processes: Processes | None, tests: Sequence[Atom]) -> Iterator[Rule]:
    """Every instance as a rule of its own that also writes down what is seen of it."""
    number = 0
    simplifier = Simplifier(model, unroll=0)
    for rule in model.rules:
        for arguments in instances(rule.parameters):
            known = bind(rule.parameters, arguments)
            event = [simplifier.expr(a, known) for a in rule.event.arguments]
            notes: list[Stmt] = []
            for k, test in enumerate(tests):
                condition = event_condition(test, rule, event) if isinstance(test, EventTest) else None
                if condition == TRUE:
                    notes.append(_note(_SEEN, k))
                elif condition is not None:
                    notes.append(If(condition, (_note(_SEEN, k),)))
            notes += [_note(_ACTED, u) for u in (processes.acting[number] if processes else ())]
            # Events are evaluated before the step, so what is seen is written down first.
            yield Rule(
                f"{rule.name} {number}",
                (),
                simplifier.expr(rule.guard, known),
                replace(rule.event, arguments=tuple(event)),
                (*notes, *simplifier.block(rule.body, known)),
                rule.span,
            )
            number += 1


def _note(name: str, number: int) -> Assign:
    return Assign(_cell(name, number), TRUE)
