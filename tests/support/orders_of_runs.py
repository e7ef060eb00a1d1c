"""Infinite runs of loosely coupled models with some orders of steps only, against the explicit product of all.

Sets are chosen here once more, at random among those that are stubborn: what is proved of every choice is tested for
many.

    python -m support.orders_of_runs MANY SEED

prints what was met in so many claims, decided without compiled code (``sets``) and with it (``searches``).
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from burnside.claims.kinds import Atom, Fairness, InfiniteRuns
from burnside.claims.members import Member, members_of
from burnside.claims.requirements import Family, Required, Subject
from burnside.decide.modes import Mode
from burnside.decide.runs import decide_members
from burnside.decide.workbench import Workbench
from burnside.detect.masks import Evaluation
from burnside.detect.run import Symmetries
from burnside.explore.native.run import SearchOptions
from burnside.explore.orders import Orders
from burnside.ir.cells import State
from burnside.ir.check import check_model
from burnside.ir.initial import initial
from burnside.ir.nodes import TRUE, Assign, Binary, Const, Domain, Event, Expr, Logic, Model, Read, Rule, Variable
from burnside.ir.semantics import Fault, fire
from burnside.ltl.formula import Formula, negation
from burnside.ltl.translate import translate
from burnside.reduce.partial_order.plan import Unsuited, plan_runs
from burnside.reduce.partial_order.stubborn import Stubborn
from burnside.results.exploration import Stop
from burnside.source import Diagnostics
from support.explicit_runs import Runs
from support.live_claims import check_run, grounded
from support.ltl_words import random_formula
from support.tiny_models import tiny_condition, tiny_model

# ---------------------------------------------------------------- models


def coupled_model(seed: int) -> Model:
    """Two to four small machines that mostly keep to themselves; some wait for others, write to them, or fault."""
    random = Random(seed)
    count = random.choice((2, 3, 4, 4, 5))
    domain = Domain("", 0, random.choice((1, 2, 2)) if count < 5 else 1)
    reads = [Read(f"v{k}") for k in range(count)]
    rules = [_move(random, number, reads, domain) for number in range(random.randint(count, 2 * count + 1))]
    variables = tuple(Variable(f"v{k}", (), domain, None, (random.choice((0, 0, 0, None)),)) for k in range(count))
    model = Model("coupled", (), (), variables, tuple(rules))
    diagnostics = Diagnostics()
    check_model(model, diagnostics)
    assert not list(diagnostics)
    return model


def _move(random: Random, number: int, reads: list[Read], domain: Domain) -> Rule:
    """A machine goes from one value to another, sometimes only if another machine is somewhere."""
    own = random.choice(reads)
    here, there = random.sample(range(domain.size), 2)
    guard: list[Expr] = [Binary("==", own, Const(here))] if random.random() < 0.7 else [_is(random, own, domain)]
    if random.random() < 0.25:
        guard.append(_is(random, random.choice(reads), domain))
    upwards = Const(max(here, there))
    body = [Assign(own, upwards if random.random() < 0.6 else _next(random, own, reads, domain))]
    if random.random() < 0.1:
        other = random.choice(reads)
        body.append(Assign(other, random.choice((own, Const(random.randint(0, domain.high))))))
    event = Event(random.choice(("e", f"e{number}", f"e{number}")))
    return Rule(f"r{number}", (), Logic("&&", tuple(guard)) if guard else TRUE, event, tuple(body))


def _is(random: Random, cell: Read, domain: Domain) -> Expr:
    return Binary(random.choice(("==", "==", "!=", "<=")), cell, Const(random.randint(0, domain.high)))


def _next(random: Random, own: Read, reads: list[Read], domain: Domain) -> Expr:
    following = Binary("+", own, Const(1))
    return random.choice(
        (
            Const(random.randint(0, domain.high)),
            Const(random.randint(0, domain.high)),
            Binary("%", following, Const(domain.size)),
            following if random.random() < 0.5 else Const(domain.high),
            random.choice(reads),
        )
    )


def random_claim(seed: int) -> tuple[Model, Formula, dict[str, Expr]]:
    """A model, a formula without next, and its three atoms, about one or two machines each."""
    random = Random(-seed - 1)
    model = coupled_model(seed) if seed % 4 else tiny_model(seed)
    if seed % 4:
        reads = [Read(variable.name) for variable in model.variables[: random.choice((1, 1, 2, 5))]]
        atoms: dict[str, Expr] = {n: _is(random, random.choice(reads), model.variables[0].domain) for n in "abc"}
    else:
        atoms = {name: tiny_condition(random, model) for name in "abc"}
    return model, random_formula(random, 4, has_next=False), atoms


# ---------------------------------------------------------------- all states, by the reference semantics


class SomeRuns(Runs):
    """Runs that leave every state by the steps of a stubborn set, which is chosen at random."""

    def __init__(self, model: Model, atoms: dict[str, Expr], sets: Stubborn, seed: int) -> None:
        super().__init__(model, atoms, Fairness.NONE)
        self._sets = sets
        self._random = Random(seed)
        self._chosen: dict[State, list[tuple[int | None, State]]] = {}

    def steps(self, state: State) -> list[tuple[int | None, State]]:
        """Those of the set."""
        if state not in self._chosen:
            every = super().steps(state)
            instances = self._instances(state) if len(every) > 1 else {every[0][0]}
            kept = [step for step in every if step[0] in instances]
            assert kept, "a stubborn set has no step that can be taken"
            self._chosen[state] = kept
        return self._chosen[state]

    def _instances(self, state: State) -> set[int | None]:
        """The rule instances of the steps in a set that can be taken."""
        sets, random = self._sets, self._random
        evaluation = Evaluation.at_state(state)
        holding = [bool(evaluation.truth(condition)) for condition in sets.conditions]
        able = [s for s, lacking in enumerate(sets.lacking) if all(holding[g] for g in lacking)]
        chosen = 0
        waiting = [random.choice(able)]
        while waiting:
            step = waiting.pop()
            if chosen >> step & 1:
                continue
            chosen |= 1 << step
            lacked = [g for g in sets.lacking[step] if not holding[g]]
            more = sets.enabling[random.choice(lacked)] if lacked else sets.together[step]
            waiting += [k for k in range(len(sets.steps)) if more >> k & 1]
        return {sets.steps[s].instance for s in able if chosen >> s & 1}


def has_fault(model: Model) -> bool:
    """Whether a rule faults in a state that can be reached."""
    runs = Runs(model, {}, Fairness.NONE)
    seen = set(initial(model))
    waiting = [*seen]
    for state in waiting:
        if any(isinstance(fire(runs.cells, rule, args, state), Fault) for rule, args in runs.instances):
            return True
        fresh = {after for _, after in runs.steps(state)} - seen
        seen |= fresh
        waiting += fresh
    return False


def planned(model: Model, atoms: dict[str, Expr]) -> Stubborn | None:
    """What stubborn sets are computed from, if that is of any use."""
    required = [Required(Family(Subject.ATOM, (name,)), atom, {}) for name, atom in atoms.items()]
    try:
        return plan_runs(*Symmetries(model).constrained(required), range(len(atoms)), by_kind=False).sets
    except Unsuited:
        return None


def compare(seed: int) -> str:
    """One model and formula, without compiled code; what was met."""
    model, formula, atoms = random_claim(seed)
    if not [*initial(model)]:
        return "nothing"
    sets = planned(model, atoms)
    if sets is None:
        return "unsuited"
    every, some = Runs(model, atoms, Fairness.NONE), SomeRuns(model, atoms, sets, seed)
    if has_fault(model):
        reached = {s for start in initial(model) for s in some.reached(start)}
        fires = (fire(some.cells, rule, args, s) for s in reached for rule, args in some.instances)
        assert any(isinstance(outcome, Fault) for outcome in fires), f"seed {seed}: a fault is not reached"
        return "fault"
    automaton = translate(negation(formula))
    violated = every.has_run(automaton)
    assert some.has_run(automaton) == violated, f"seed {seed}: {formula}"
    all_states = {s for start in initial(model) for s in every.reached(start)}
    some_states = {s for start in initial(model) for s in some.reached(start)}
    return f"{'violated' if violated else 'holds'} {'fewer' if some_states < all_states else 'all'}"


# ---------------------------------------------------------------- compiled, with and without symmetry


def options_for(seed: int, cache: Path, flags: tuple[str, ...] = ("-O0", "-DBURNSIDE_BLOCK=4")) -> SearchOptions:
    """How to search with partial order; half of all searches look at so few states first that the real one begins."""
    flags = (*flags, f"-DBURNSIDE_NEARBY={2 if seed % 2 else 1000}")
    return SearchOptions(flags=flags, cache=cache, partial_order=Orders.ON, self_test=True)


def _ends_before_faults(model: Model, claim: InfiniteRuns, cache: Path) -> bool | None:
    """What is said where all orders are tried: a claim can hold because of states that come before any fault."""
    (found,) = decide_members(
        Workbench(model, SearchOptions(flags=("-O0",), cache=cache)), claim, [*members_of((claim,))], Mode.NONE
    )
    return found.holds if found.exploration.stop is Stop.COMPLETE else False


def check(seed: int, cache: Path) -> Counter[str]:
    """One claim by compiled code, with every kind of symmetry; what was met."""
    model, formula, atoms = random_claim(seed)
    claim = InfiniteRuns("claim", formula, tuple(atoms.items()))
    member: Member[InfiniteRuns] = next(iter(members_of((claim,))))
    ground: dict[str, Atom] = grounded(model, member)
    runs = Runs(model, ground, Fairness.NONE)
    faults = has_fault(model)
    holds = not runs.has_run(translate(negation(formula)))
    options = options_for(seed, cache)
    met: Counter[str] = Counter()
    for mode in (Mode.NONE, Mode.UNIQUE, Mode.MULTI)[: 3 if seed % 3 == 0 else 2]:
        (found,) = decide_members(Workbench(model, options), claim, [member], mode)
        where = (seed, mode, str(formula))
        if found.exploration.stop is Stop.FAULT:
            assert faults, where
            met["fault"] += 1
            continue
        assert (
            found.holds is holds if not faults else found.holds in (False, _ends_before_faults(model, claim, cache))
        ), where
        if found.run is not None:
            check_run(runs, member, found.run)
        used = found.orders is not None and found.orders.is_used
        symmetric = "orbits" if found.symmetry.order > 1 else "states"
        met[f"{'holds' if holds else 'violated'} {symmetric} {'some' if used else 'all'}"] += 1
    return met


def main() -> None:
    """Print figures."""
    many, first = map(int, sys.argv[1:])
    searches: Counter[str] = Counter()
    with TemporaryDirectory() as cache:
        for seed in range(first, first + many):
            searches += check(seed, Path(cache))
    sets = Counter(map(compare, range(first, first + many)))
    for name, counted in (("sets", sets), ("searches", searches)):
        for what, number in sorted(counted.items()):
            sys.stdout.write(f"{name:<10}{what:<24}{number:>7,}\n")


if __name__ == "__main__":
    main()
