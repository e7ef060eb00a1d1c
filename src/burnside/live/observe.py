"""What a symmetry must keep for claims about runs: who acts, and which events are asked for.

Both are made part of the model before its symmetries are sought, as cells that nothing reads: a step sets the cell of
every process that acts in it, and of every event it is asked for and has. So a symmetry of the *observed* model says
how it permutes processes, and maps steps of one process to steps of one process; detection and validation need no
notion of their own for it. The observed model is never explored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import final

from burnside.claims.events import event_condition
from burnside.claims.kinds import Atom, EventTest, InfiniteRuns
from burnside.claims.members import Member
from burnside.claims.requirements import Family, Required, Subject
from burnside.ir import nodes as n
from burnside.ir.instances import instances_of
from burnside.ir.nodes import BOOL, TRUE, Domain, Model, Rule, Stmt, Variable
from burnside.ir.processes import Processes
from burnside.ir.simplify import Simplifier
from burnside.values import dataclass, replace


def ground_atoms(model: Model, member: Member[InfiniteRuns]) -> dict[str, Atom]:
    """What the atoms of a claim stand for, its parameters replaced by their values."""
    simplifier = Simplifier(model)
    known = member.values

    def ground(atom: Atom) -> Atom:
        if not isinstance(atom, EventTest):
            return simplifier.expr(atom, known)
        given = atom.arguments
        return EventTest(atom.name, given and tuple(None if a is None else simplifier.expr(a, known) for a in given))

    return {name: ground(atom) for name, atom in member.claim.atoms}


@final
@dataclass(frozen=True)
class Observed:
    """A model with cells that show who acts and what happens.

    ``requirements`` has, for every claim, as many entries in a row; claims that a symmetry exchanges have their entries
    exchanged. Behind them stand requirements that hold the cells of processes together. Behind the cells of
    the model itself comes one for every process.
    """

    model: Model
    requirements: tuple[Required, ...]
    per_claim: int
    processes: int


def observe(model: Model, processes: Processes | None, claims: Sequence[Mapping[str, Atom]]) -> Observed:
    """The observed model for some claims of one family, given by their atoms."""
    names = sorted(claims[0])
    tests = [(k, name) for k, atoms in enumerate(claims) for name in names if isinstance(atoms[name], EventTest)]
    numbers = {test: number for number, test in enumerate(tests)}
    count = len(processes.units) if processes else 0
    acted, seen = _fresh_name("acted", model), _fresh_name("seen", model)
    requirements: list[Required] = []
    for k, atoms in enumerate(claims):
        for name in names:
            atom = atoms[name]
            condition = _cell(seen, numbers[k, name]) if isinstance(atom, EventTest) else atom
            requirements.append(Required(Family(Subject.ATOM, (name,)), condition, {}))
    requirements += [Required(Family(Subject.PROCESS), _cell(acted, u), {}) for u in range(count)]
    if not tests and not count:  # there is nothing to be seen: the model will do, whose symmetries may be known
        return Observed(model, tuple(requirements), len(names), 0)
    asked = [claims[k][name] for k, name in tests]
    rules = [
        replace(
            rule,
            name=f"{rule.name} {number}",
            # Events are evaluated before the step, so what is seen is written down first.
            body=(*_seen(rule, asked, seen), *_acted(number, processes, acted), *rule.body),
        )
        for number, rule in _ground_rules(model)
    ]
    ghosts = [*_ghosts(acted, count), *_ghosts(seen, len(tests))]
    observed = replace(model, variables=(*model.variables, *ghosts), rules=tuple(rules))
    return Observed(observed, tuple(requirements), len(names), count)


def _fresh_name(name: str, model: Model) -> str:
    """A name that no variable of the model has."""
    taken = {v.name for v in model.variables}
    while name in taken:
        name += "'"
    return name


def _ghosts(name: str, count: int) -> Iterator[Variable]:
    if count:
        yield Variable(name, (Domain("", 0, count - 1),), BOOL, None, (0,) * count)


def _cell(name: str, number: int) -> n.Read:
    return n.Read(name, (n.Const(number),))


def _ground_rules(model: Model) -> Iterator[tuple[int, Rule]]:
    """Rule instances that may be enabled as rules without parameters, with their numbers."""
    for ground in Simplifier(model, unroll=0).ground(instances_of(model)):
        rule = ground.rule
        event = replace(rule.event, arguments=ground.event)
        yield ground.instance.number, Rule(rule.name, (), ground.guard, event, ground.body, rule.span)


def _seen(rule: Rule, tests: Sequence[Atom], name: str) -> Iterator[Stmt]:
    for k, test in enumerate(tests):
        condition = event_condition(test, rule, rule.event.arguments) if isinstance(test, EventTest) else None
        if condition == TRUE:
            yield _note(name, k)
        elif condition is not None:
            yield n.If(condition, (_note(name, k),))


def _acted(number: int, processes: Processes | None, name: str) -> Iterator[Stmt]:
    yield from (_note(name, u) for u in (processes.acting[number] if processes else ()))


def _note(name: str, number: int) -> n.Assign:
    return n.Assign(_cell(name, number), TRUE)
