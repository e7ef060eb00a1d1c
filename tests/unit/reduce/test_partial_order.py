"""Partial order: relations between steps, stubborn sets, and what becomes of a search that gets them wrong."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, islice
from pathlib import Path
from random import Random
from typing import Literal

import pytest

import burnside
from burnside.detect.constrain import Constraints
from burnside.detect.masks import Evaluation
from burnside.detect.run import Symmetries
from burnside.detect.sample import states_of
from burnside.explore.native.probe import Probe
from burnside.frontends.loading import load
from burnside.groups.work import Work
from burnside.ir.cells import Cells
from burnside.ir.instances import instances_of
from burnside.ir.nodes import Model
from burnside.ir.semantics import Step as Taken
from burnside.ir.semantics import fire
from burnside.reduce.partial_order import stubborn
from burnside.reduce.partial_order.actions import Step, aims_of, conjuncts
from burnside.reduce.partial_order.cycles import Cycles, components
from burnside.reduce.partial_order.impossible import Possible
from burnside.reduce.partial_order.plan import plan_steps
from burnside.reduce.partial_order.relations import Relations
from burnside.reduce.reduction import SelfTestError
from burnside.source import ModelError
from support.strategies import reachable_states, seeded_task
from support.thorough import some

EXAMPLES = Path(__file__).parents[3] / "examples"
STATE_CLAIMS = ("deadlockfree", "exclusion", "at_most_one")

# Everybody writes the same variable: nothing accords with anything, and one order of steps leads to 3 alone.
ONE_VARIABLE = """
var x: 0 .. 3 = 0;
rule one when x == 0 do { x := 1; }
rule two when x == 0 do { x := 2; }
rule three when x == 2 do { x := 3; }
invariant never_three: x != 3;
"""

# A clock that goes round for ever, whatever else could happen.
CLOCK = """
var hand: 0 .. 2 = 0;
var done: bool = false;
rule tick do { hand := (hand + 1) % 3; }
rule finish when !done do { done := true; }
invariant never_done: !done;
"""

# The same in two steps, so that every second of them leads to something new.
TWO_STEPS = """
var hand: 0 .. 1 = 0;
var done: bool = false;
rule tick when hand == 0 do { hand := 1; }
rule tock when hand == 1 do { hand := 0; }
rule finish when !done do { done := true; }
invariant never_done: !done;
"""

# A step that nobody looks at opens a door behind which something happens.
DOOR = """
var open: bool = false;
var lamp: 0 .. 2 = 0;
rule switch when lamp == 0 do { lamp := 1; }
rule unlock when !open do { open := true; }
rule kick when !open && lamp == 1 do { open := true; }
rule push when !open && lamp == 1 do { open := true; }
rule enter when open && lamp == 0 do { lamp := 2; }
invariant dark: lamp != 2;
"""

# Whether a quotient by zero is taken for this or that number must not matter.
DIVISION = """
var x: 0 .. 2 = *;
var y: 0 .. 1 = 0;
var hit: bool = false;
var z: 0 .. 3 = 0;
rule idle when z < 3 do { z := z + 1; }
rule set_y when y == 0 do { y := 1; }
rule strike when y != 0 && x / y == 2 && z == 0 do { hit := true; }
invariant never_hit: !hit;
"""

SHARED_OUT = """
var a: 0 .. 1 = 1;
var b: 0 .. 1 = *;
var c: 0 .. 1 = 0;
rule copy do { a := b; }
rule greater_and_back do { c := max(a, b); b := a; }
rule swap do { let old = a; a := b; b := old; }
rule greater do { c := max(a, b); }
rule fill do { b := 1; }
"""

SAME, DIFFERENT = ("swap", "greater"), ("copy", "greater_and_back")

FAULT = """
var x: 0 .. 2 = 0;
var y: 0 .. 1 = 0;
rule rise do { x := x + 1; }
rule turn do { y := 1 - y; }
invariant small: x < 3;
"""


def relations_of(model: Model, work: int = 10_000_000) -> tuple[Constraints, list[Step], Relations]:
    """The steps of a model and what is known of them."""
    constraints, pruned = Symmetries(model).constrained(())
    numbers = {(i.rule.name, i.arguments): i.number for i in instances_of(model)}
    steps = [
        Step(t, numbers[t.rule, t.arguments], conjuncts(constraints.terms, t.guard))
        for t in constraints.transitions
        if not t.faults
    ]
    values = [pruned.taken(cell) for cell in range(len(constraints.cells.all))]
    return constraints, steps, Relations(constraints.terms, steps, values, Work(work))


def taken_by(model: Model, step: Step, state: tuple[int, ...]) -> tuple[int, ...] | None:
    """The state after a step, by the reference semantics; None if its rule instance cannot fire."""
    rule = next(r for r in model.rules if r.name == step.transition.rule)
    outcome = fire(Cells(model), rule, step.transition.arguments, state)
    return outcome.state if isinstance(outcome, Taken) else None


@pytest.mark.parametrize("seed", some(range(40)))
def test_steps_that_accord_can_be_exchanged(seed: int) -> None:
    """In every reachable state where both can be taken, by the reference semantics."""
    model = seeded_task(seed).model
    _, steps, relations = relations_of(model)
    states = sorted(reachable_states(model) or ())[:200]
    for one, other in combinations(steps[:12], 2):
        if one.instance == other.instance or not relations.accord(one, other):
            continue
        for state in states:
            first, second = taken_by(model, one, state), taken_by(model, other, state)
            if first is not None and second is not None and _is_of(one, state) and _is_of(other, state):
                assert taken_by(model, other, first) == taken_by(model, one, second) is not None, (state, one, other)


def _is_of(step: Step, state: tuple[int, ...]) -> bool:
    """Whether a rule instance fires by this step in a state: its guard holds."""
    return bool(Evaluation.at_state(state).truth(step.transition.guard))


def test_philosophers_accord_unless_they_are_neighbours() -> None:
    model = load(EXAMPLES / "zhang2013" / "dining_philosophers.seq", {"N": 6}).model
    _, steps, relations = relations_of(model)
    harming = relations.harming()

    assert len(steps) == 30
    for k, step in enumerate(steps):
        harmed = [steps[j] for j in range(len(steps)) if harming[k] >> j & 1]
        places = {abs(s.transition.arguments[0] - step.transition.arguments[0]) for s in harmed}
        assert places <= {0, 1, 5}, "philosophers who are not neighbours have no fork in common"
    assert relations.undecided == 0


def test_what_takes_too_long_does_not_accord() -> None:
    """It costs reduction and nothing else."""
    model = load(EXAMPLES / "zhang2013" / "dining_philosophers.seq", {"N": 6}).model
    _, _, relations = relations_of(model, work=0)

    assert sum(mask.bit_count() for mask in relations.harming()) > 66
    assert relations.undecided > 0


def test_terms_that_are_shared_out_in_another_way_are_another_question(tmp_path: Path) -> None:
    """Both pairs write b to a, a to b and the greater of them to c: in one order or the other, for one pair only."""
    path = tmp_path / "shared_out.seq"
    path.write_text(SHARED_OUT)
    for pairs in ((SAME, DIFFERENT), (DIFFERENT, SAME)):
        _, steps, relations = relations_of(load(path).model)
        of_rule = {step.transition.rule: step for step in steps}
        found = {pair: relations.accord(of_rule[pair[0]], of_rule[pair[1]]) for pair in pairs}

        assert found == {SAME: True, DIFFERENT: False}


def test_what_would_take_too_much_memory_is_not_decided_on_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On few assignments, terms may have very many values."""
    path = tmp_path / "wide.seq"
    path.write_text("var x: 0 .. 30 = *; var y: 0 .. 30 = *;\nrule r do { x := (x * 30 + y) % 31; y := (x + y) % 31; }")
    for most, is_known in ((1 << 28, True), (1 << 16, False)):
        monkeypatch.setattr("burnside.reduce.partial_order.relations._MOST_BITS", most)
        _, (step,), relations = relations_of(load(path).model)

        assert (relations.changes(step, 0) is not None) is is_known


def test_aims_are_the_ways_to_meet_a_goal(tmp_path: Path) -> None:
    """Through negations, of conjunctions as of disjunctions."""
    path = tmp_path / "aims.seq"
    path.write_text("var a: bool; var b: bool; var c: 0 .. 3;\nrule r do { c := 1; }")
    constraints, _, _ = relations_of(load(path).model)
    terms = constraints.terms
    a, b, c = (terms.cell(k) for k in range(3))
    two = terms.equal(c, terms.constant(2))
    either = terms.disjunction((terms.conjunction((a, two)), terms.negation(terms.conjunction((a, terms.negation(b))))))

    assert {frozenset(aim) for aim in aims_of(terms, either)} == {
        frozenset((a, two)),
        frozenset((terms.negation(a),)),
        frozenset((b,)),
    }
    assert aims_of(terms, terms.false) == ()


def test_components_of_a_graph() -> None:
    """Against reachability, on random graphs."""
    for seed in range(200):
        random = Random(seed)
        size = random.randint(1, 7)
        arrows = {(random.randrange(size), random.randrange(size)) for _ in range(random.randint(1, 12))}
        reached = {v: {v} for pair in arrows for v in pair}
        for _ in range(size):
            for before, after in arrows:
                for seen in reached.values():
                    if before in seen:
                        seen.add(after)
        found = components(arrows)
        assert found.keys() == reached.keys()
        for one, other in combinations(found, 2):
            assert (found[one] == found[other]) == (other in reached[one] and one in reached[other])


@pytest.mark.parametrize(("text", "rules"), [(CLOCK, ["tick"]), (TWO_STEPS, ["tick"]), (DOOR, [])])
def test_what_goes_on_for_ever_is_found(text: str, rules: list[str], tmp_path: Path) -> None:
    """Clocks do, unless they are stopped; what is done once does not."""
    path = tmp_path / "model.seq"
    path.write_text(text)
    _, steps, relations = relations_of(load(path).model)
    breakers = Cycles(steps, relations.changes).breakers((1 << len(steps)) - 1)

    assert [s.transition.rule for k, s in enumerate(steps) if breakers >> k & 1] == rules


@pytest.mark.parametrize("seed", some(range(40)))
def test_what_is_impossible_never_happens(seed: int) -> None:
    """No reachable state meets an aim that cannot be met: of faults, and of any values of two cells at once."""
    model = seeded_task(seed).model
    constraints, steps, relations = relations_of(model)
    terms = constraints.terms
    possible = Possible(constraints, steps, relations, Work(10_000_000))
    random = Random(seed)
    aims = [aim for t in constraints.transitions if t.faults for aim in aims_of(terms, t.guard)][:20]
    aims += [(*one.guards, *other.guards) for one, other in islice(combinations(steps, 2), 60)]
    for _ in range(20):
        chosen = random.sample(range(len(constraints.cells.all)), min(2, len(constraints.cells.all)))
        values = [(cell, random.choice(constraints.cells.all[cell].domain.values()[:50])) for cell in chosen]
        aims.append(tuple(terms.equal(terms.cell(cell), terms.constant(value)) for cell, value in values))
    states = reachable_states(model) or set()
    if not states:
        return
    evaluation = states_of(sorted(states)).evaluation
    for aim in aims:
        assert possible.can_be_met(aim) or not evaluation.truth(terms.conjunction(aim)), (seed, aim)


@pytest.mark.parametrize("seed", some(range(40)))
def test_what_makes_a_conjunction_false_or_true_is_known(seed: int) -> None:
    """In every reachable state, by the reference semantics: of guards, and of two guards at once."""
    model = seeded_task(seed).model
    constraints, steps, relations = relations_of(model)
    aims = [step.guards for step in steps[:12] if step.guards]
    aims += [tuple(dict.fromkeys((*one, *other))) for one, other in islice(combinations(aims, 2), 20)]
    states = sorted(reachable_states(model) or ())[:200]
    moves = [
        (k, state, after)
        for k, step in enumerate(steps[:12])
        for state in states
        if _is_of(step, state) and (after := taken_by(model, step, state)) is not None
    ]
    for aim in aims:
        condition = constraints.terms.conjunction(aim)
        disabling, fulfilling = relations.disabling(aim), relations.fulfilling(aim)
        for k, state, after in moves:
            held, holds = (bool(Evaluation.at_state(s).truth(condition)) for s in (state, after))
            assert held == holds or (disabling if held else fulfilling) >> k & 1, (seed, k, state, aim)


def test_what_is_put_into_a_queue_does_not_change_its_first_message() -> None:
    """It may, if there is none; but then nothing is wrong with the first one."""
    model = load(EXAMPLES / "classics" / "sliding_window.seq").model
    constraints, steps, relations = relations_of(model)
    (fault, *_) = [aim for t in constraints.transitions if t.faults for aim in aims_of(constraints.terms, t.guard)]
    undoing = relations.disabling(fault)

    assert [s.transition.rule for k, s in enumerate(steps) if undoing >> k & 1] == []
    assert steps[0].transition.rule == "send"
    assert any(relations.enabling(constraints.terms.negation(condition)) & 1 for condition in fault)


@pytest.mark.parametrize(("places", "may_overflow"), [("N", False), ("N-1", True)])
def test_queues_that_never_overflow_are_known(places: str, may_overflow: bool, tmp_path: Path) -> None:
    """A ring with as many places as messages; with one place less, it could overflow."""
    path = tmp_path / "ring.seq"
    path.write_text((EXAMPLES / "liveness" / "chang_roberts.seq").read_text().replace("seq[N]", f"seq[{places}]"))
    constraints, steps, relations = relations_of(load(path).model)
    possible = Possible(constraints, steps, relations, Work(10_000_000))
    faults = [aim for t in constraints.transitions if t.faults for aim in aims_of(constraints.terms, t.guard)]

    assert any(map(possible.can_be_met, faults)) == may_overflow


@pytest.mark.parametrize("name", ["dining_philosophers", "load_balancer_small"])
def test_actors_that_never_overflow_are_known(name: str) -> None:
    """Messages are counted with who sends them and what is sent along."""
    constraints, pruned = Symmetries(load(EXAMPLES / "jaghoori2005" / f"{name}.rebeca").model).constrained(())
    sets = plan_steps(constraints, pruned, ()).sets

    assert any(t.faults for t in constraints.transitions)
    assert sets.goals == ()


def test_steps_that_exclude_one_another_accord() -> None:
    """A client has one request under way: no two servers answer it at once, and nobody waits for that."""
    model = load(EXAMPLES / "jaghoori2005" / "load_balancer_small.rebeca").model
    constraints, pruned = Symmetries(model).constrained(())
    sets = plan_steps(constraints, pruned, ()).sets
    serving = [k for k, step in enumerate(sets.steps) if step.transition.rule == "Server.serve"]

    assert len(serving) == 8
    for one, other in combinations(serving, 2):
        is_one_server = sets.steps[one].instance == sets.steps[other].instance
        assert is_one_server or not sets.together[one] >> other & 1


def test_whatever_is_written_may_enable_what_divides_by_zero(tmp_path: Path) -> None:
    path = tmp_path / "division.seq"
    path.write_text(DIVISION)
    _, steps, relations = relations_of(load(path).model)
    (strike,) = (step for step in steps if step.transition.rule == "strike")
    (setting,) = (k for k, step in enumerate(steps) if step.transition.rule == "set_y")
    (quotient,) = (g for g in strike.guards if g.support.bit_count() == 2)

    assert relations.enabling(quotient) >> setting & 1


# ---------------------------------------------------------------- answers


@pytest.mark.parametrize(
    ("path", "most"),
    [
        ("jaghoori2005/dining_philosophers.rebeca", 65),
        ("jaghoori2005/load_balancer_small.rebeca", 24),
        ("liveness/chang_roberts.seq", 165),
    ],
)
def test_message_passing_has_a_third_of_the_orbits_at_most(path: str, most: int) -> None:
    """Beside symmetry, and with the same verdicts. Other steps are chosen where variables are left out."""
    system = burnside.load(EXAMPLES / path)
    names = [p["name"] for p in system.check(symmetry="none").as_dict()["properties"] if p["name"] in STATE_CLAIMS]
    symmetric = system.check(*names, symmetry="unique", slices=False).as_dict()
    both = system.check(*names, symmetry="unique", partial_order="on", slices=False).as_dict()

    assert both["states"] <= most
    assert both["states"] * 3 <= symmetric["states"]
    assert [p["verdict"] for p in both["properties"]] == [p["verdict"] for p in symmetric["properties"]]


@pytest.mark.parametrize("symmetry", ["none", "auto", "unique", "multi"])
def test_philosophers_meet_their_deadlock(symmetry: str) -> None:
    """At its distance, with a fraction of the states; what was used is told."""
    system = burnside.load(EXAMPLES / "zhang2013" / "dining_philosophers.seq", N=8)
    found = system.check("progress", symmetry=symmetry, partial_order="on").as_dict()
    every = system.check("progress", symmetry="none").as_dict()

    assert found["properties"][0]["verdict"] == "violated"
    assert len(found["properties"][0]["trace"]["steps"]) == 8
    assert found["states"] * 10 < every["states"]
    used = {r["kind"]: r for r in found["reductions"]}
    assert used["partial-order"]["shortest"]
    assert (symmetry == "none") == ("symmetry" not in used)


def test_why_it_is_not_used_is_told(tmp_path: Path) -> None:
    path = tmp_path / "fault.seq"
    path.write_text(FAULT)
    found = burnside.load(path).check(partial_order="on")

    assert found.as_dict()["fault"]["kind"] == "domain"
    assert not any(r["kind"] == "partial-order" for r in found.as_dict()["reductions"])
    assert "partial order not used: something faults" in str(found)


def test_other_words_and_the_adaptive_search_are_refused() -> None:
    system = burnside.load(EXAMPLES / "zhang2013" / "dining_philosophers.seq", N=3)

    with pytest.raises(ValueError, match="partial_order is 'always': it can be auto, on, off"):
        system.check(partial_order="always")
    with pytest.raises(ModelError, match="the adaptive search takes all steps"):
        system.check(symmetry="adaptive", partial_order="on")


@pytest.mark.parametrize("few", [0.0, 1 / 3, 1.0])
@pytest.mark.parametrize("text", [ONE_VARIABLE, CLOCK, TWO_STEPS, DOOR, DIVISION])
@pytest.mark.parametrize("search", ["bfs", "dfs"])
def test_nothing_is_put_off_for_ever(
    text: str, few: float, search: Literal["bfs", "dfs"], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Whether goals are kept in sight by steps that are found in the model, or where nothing new is reached."""
    monkeypatch.setattr(stubborn, "FEW", few)
    path = tmp_path / "model.seq"
    path.write_text(text)
    found = burnside.load(path).check(symmetry="none", partial_order="on", self_test=True, search=search)

    assert found.as_dict()["properties"][0]["verdict"] == "violated"


# ---------------------------------------------------------------- broken on purpose


def no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Relations, "accord", lambda *_: True)


def nothing_enables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Relations, "_may_enable", lambda *_: False)


def nothing_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Cycles, "breakers", lambda *_: 0)


@pytest.mark.parametrize(
    ("text", "break_it"),
    [(ONE_VARIABLE, no_harm), (DOOR, nothing_enables), (CLOCK, nothing_goes_on), (TWO_STEPS, nothing_goes_on)],
)
def test_what_is_wrong_is_noticed(
    text: str, break_it: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A pair that does not accord, a step that enables another, a cycle that leaves out the rest: each is missed."""
    path = tmp_path / "model.seq"
    path.write_text(text)
    right = burnside.load(path).check(symmetry="none", partial_order="on", self_test=True).as_dict()
    break_it(monkeypatch)

    assert right["properties"][0]["verdict"] == "violated"
    with pytest.raises(SelfTestError):
        burnside.load(path).check(symmetry="none", partial_order="on", self_test=True)


def test_a_set_that_is_not_stubborn_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the state, without a search that confirms it."""
    chosen = Probe.chosen
    monkeypatch.setattr(Probe, "chosen", lambda *asked, **how: (chosen(*asked, **how)[0] & 1, chosen(*asked, **how)[1]))
    with pytest.raises(SelfTestError, match="stubborn set"):
        burnside.load(EXAMPLES / "zhang2013" / "dining_philosophers.seq", N=4).check(partial_order="on", self_test=True)


def test_partial_order_goes_with_every_canonical_form() -> None:
    """Headers of both are in one text: partition refinement and stubborn sets once had a function of one name."""
    found = burnside.load(EXAMPLES / "classics" / "vote.seq", N=5).check(symmetry="unique", partial_order="on")

    assert set(found.verdicts.values()) <= {"holds", "violated"}
    assert found.as_dict()["symmetry"]["strategy"] == "partition refinement"
