"""Random claims about infinite runs of tiny models, decided with and without symmetry and on the explicit product."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

from burnside.claims.kinds import EventTest, Fairness, InfiniteRuns
from burnside.claims.members import Member, members_of
from burnside.decide.modes import Mode
from burnside.decide.runs import Decided, decide_members
from burnside.decide.workbench import Workbench
from burnside.explore.native.run import SearchOptions
from burnside.ir.nodes import Binary, Bound, Const, Domain, Event, Expr, Model, Parameter, Read
from burnside.ir.simplify import Simplifier
from burnside.ltl.formula import negation
from burnside.ltl.translate import translate
from burnside.results.runs import Lasso
from support.brute_force import state_graph
from support.explicit_runs import Runs
from support.ltl_words import random_formula, satisfies
from support.tiny_models import tiny_condition, tiny_model

FAIRNESS = tuple(Fairness)


def random_claim(seed: int) -> tuple[Model, InfiniteRuns]:
    """A tiny model and a formula about three atoms, in families sometimes one for every process."""
    random = Random(seed)
    model = tiny_model(seed)
    process = model.rules[0].parameters[0].domain if model.rules[0].parameters else None
    if process and random.random() < 0.7:
        i = Bound("i", process)
        model = replace(model, rules=tuple(replace(r, event=Event(r.event.name, (i,))) for r in model.rules))
    is_family = process is not None and random.random() < 0.5
    atoms: dict[str, Expr | EventTest] = {}
    for name in "abc":
        if random.random() < 0.35:
            atoms[name] = _event(random, model, process if is_family else None)
        elif is_family and process and random.random() < 0.7:
            value = Const(random.choice(range(model.variables[0].domain.size)))
            atoms[name] = Binary("==", Read("a", (Bound("p", process),)), value)
        else:
            atoms[name] = tiny_condition(random, model)
    parameters = (Parameter("p", process),) if is_family and process else ()
    formula = random_formula(random, 4)
    fairness = FAIRNESS[seed % len(FAIRNESS)]
    return model, InfiniteRuns("claim", formula, tuple(atoms.items()), parameters, fairness)


def _event(random: Random, model: Model, process: Domain | None) -> EventTest:
    rule = random.choice(model.rules)
    values: tuple[Expr | None, ...] = (None, Const(0), Const(1))
    if process is not None:
        values = (Bound("p", process), Bound("p", process), None)
    return EventTest(rule.event.name, tuple(random.choice(values) for _ in rule.event.arguments))


def grounded(model: Model, claim: Member[InfiniteRuns]) -> dict[str, Expr | EventTest]:
    """The atoms of a claim with the value of its parameter."""
    known = claim.values
    simplify = Simplifier(model).expr

    def ground(atom: Expr | EventTest) -> Expr | EventTest:
        if not isinstance(atom, EventTest):
            return simplify(atom, known)
        return EventTest(atom.name, tuple(a and simplify(a, known) for a in atom.arguments or ()))

    return {name: ground(atom) for name, atom in claim.claim.atoms}


def check_run(runs: Runs, claim: Member[InfiniteRuns], run: Lasso) -> None:
    """The run begins where it may, every step is one of the model, it violates the formula, and it is fair."""
    moments, loop = run.moments, run.moments[run.back :]
    for moment, following in run.steps():
        assert (moment.instance, following) in runs.steps(moment.state)
    letters = [runs.letter(m.state, m.instance) for m in moments]
    assert satisfies(letters, run.back, negation(claim.claim.formula))
    if runs.fairness is Fairness.GLOBAL:  # the loop is part of what is repeated: all of a closed set of states
        assert runs.is_closed(runs.reached(loop[0].state))
    else:
        assert not runs.unfair([m.state for m in loop], {runs.actor(m.state, m.instance) for m in loop})


def check(seed: int, cache: Path, flags: tuple[str, ...] = ("-O0",)) -> list[str]:
    """One model and one family; what was met, or nothing for a model that faults."""
    model, family = random_claim(seed)
    if any(() in t for t in state_graph(model).transitions):
        return []
    claims = [*members_of((family,))]
    # Half of the searches look at so few states first that the real search begins.
    nearby = 2 if seed % 2 else 1000
    options = SearchOptions(flags=(*flags, "-DBURNSIDE_BLOCK=4", f"-DBURNSIDE_NEARBY={nearby}"), cache=cache)
    automaton = translate(negation(family.formula))
    met: list[str] = []
    expected = {}
    for claim in claims:
        runs = Runs(model, grounded(model, claim), family.fairness)
        expected[claim] = runs, not runs.has_run(automaton)
    # Without symmetry each member of a family is a search of its own: two of them are enough.
    for mode, asked in (("none", claims[:2]), ("unique", claims)):
        decided = decide_members(Workbench(model, options), family, asked, Mode(mode))
        for found, claim in zip(decided, asked, strict=True):
            runs, holds = expected[claim]
            assert found.holds is holds, (seed, mode, claim.name)
            assert (found.run is None) is holds, seed
            if found.run is not None:
                check_run(runs, claim, found.run)
            met += _features(mode, found)
    return met


def _features(mode: str, decided: Decided) -> list[str]:
    verdict = "holds" if decided.holds else "violated"
    reduced = "reduced" if decided.symmetry.order > 1 else "whole"
    carried = ["carried"] if decided.decided_by else []
    return [f"{mode} {verdict} {reduced} {decided.member.claim.fairness.value}", *carried]
