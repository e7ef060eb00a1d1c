"""One random net after the other beside the judge: what is not equal is said, and what was met is counted."""

from __future__ import annotations

import random
from collections import Counter

from burnside.claims.task import Task
from burnside.decide.modes import Mode
from burnside.explore.native.run import SearchOptions
from burnside.explore.orders import Orders
from burnside.frontends.kit.options import Options
from burnside.frontends.pnml import load
from burnside.results.findings import ExtremeFinding, Verdict
from burnside.source import Source
from burnside.study import Study
from nets import coloured, questions
from nets.judge import Judged, pnml, random_net, symmetries_of

WAYS = [(mode, orders) for mode in (Mode.NONE, Mode.UNIQUE, Mode.AUTO) for orders in (Orders.OFF, Orders.ON)]


def task_of(text: str, formulas: str = "", *, simplify: bool = False) -> Task:
    """What a text describes, with formulas about it."""
    given: dict[str, object] = {"simplify": "on" if simplify else "off"}
    if formulas:
        given["formulas"] = Source("formulas.xml", formulas)
    loaded = load(Source("random.pnml", text), {}, Options(given))
    assert loaded.tasks, [d.message for d in loaded.diagnostics]
    return loaded.tasks[0]


def sizes(seed: int) -> Counter[str]:
    """States, transitions and deadlocks; with symmetry, orbits stand for as many states."""
    chance = random.Random(f"net {seed}")
    net = random_net(chance)
    return _sizes(seed, net, Study(task_of(pnml(net, chance))))


def coloured_sizes(seed: int) -> Counter[str]:
    """The same for a net with colours."""
    text, net = coloured.random_net(random.Random(f"colours {seed}"))
    return _sizes(seed, net, Study(task_of(text)))


def _sizes(seed: int, net: Judged, study: Study) -> Counter[str]:
    plain = study.count(Mode.NONE).exploration
    quotient = study.count(Mode.UNIQUE)

    assert (plain.states, plain.transitions, plain.deadlocks) == (len(net.after), net.arcs, net.deadlocks), seed
    assert (quotient.exploration.full_states or quotient.exploration.states) == len(net.after), seed
    met: Counter[str] = Counter()
    met["symmetric"] = int(quotient.symmetry.order > 1)
    met["smaller"] = int(quotient.exploration.states < len(net.after))
    met["deadlock"] = int(net.deadlocks > 0)
    met["moving"] = int(len(net.after) > 1)
    return met


def found_symmetries(seed: int) -> Counter[str]:
    """Representatives are at most as many as orbits under all permutations of places that keep it."""
    net = random_net(random.Random(f"symmetries {seed}"))
    kept = symmetries_of(net)
    if kept is None:
        return Counter()
    orbits = {min(tuple(marking[p] for p in moved) for moved in kept) for marking in net.after}
    found = Study(task_of(pnml(net))).count(Mode.UNIQUE).exploration

    assert found.states <= len(orbits), seed
    assert (found.full_states or found.states) == len(net.after), seed
    return Counter(compared=1, symmetric=int(len(orbits) < len(net.after)))


def verdicts(seed: int) -> Counter[str]:
    """Reachability and upper bounds, with and without symmetry, partial order and what is left out."""
    chance = random.Random(f"formulas {seed}")
    net = random_net(chance)
    asked = [questions.condition(chance, net, 3) for _ in range(4)]
    bounded = [chance.randrange(len(net.marking)) for _ in range(chance.randint(1, 3))]
    texts = [questions.xml(formula, net) for formula in asked]
    texts = [
        *(f"<exists-path><finally>{text}</finally></exists-path>" for text in texts[:2]),
        *(f"<all-paths><globally>{text}</globally></all-paths>" for text in texts[2:]),
        f"<place-bound>{''.join(f'<place>p{p}</place>' for p in bounded)}</place-bound>",
    ]
    worth = [[bool(questions.value(formula, net, m)) for m in net.after] for formula in asked]
    expected = [any(worth[0]), any(worth[1]), all(worth[2]), all(worth[3])]
    most = max(sum(marking[p] for p in bounded) for marking in net.after)

    mode, orders = WAYS[seed % len(WAYS)]
    options = SearchOptions(partial_order=orders, slices=bool(seed & 1), verify=seed % 5 == 0)
    task = task_of(pnml(net, chance), questions.file_of(*texts), simplify=seed % 4 > 1)
    report = Study(task, options).check(mode=mode)

    assert [f.verdict for f in report.findings[:4]] == [Verdict.of(v) for v in expected], (seed, mode, orders)
    bound = report.findings[4]
    assert isinstance(bound, ExtremeFinding)
    assert bound.value == most, (seed, mode, orders)
    return Counter(str(v) for v in expected)


def runs(seed: int) -> Counter[str]:
    """LTL, where runs that end stay where they are."""
    chance = random.Random(f"runs {seed}")
    net = random_net(chance)
    while len(net.after) > 60:
        net = random_net(chance)
    asked = [questions.about_runs(chance, net) for _ in range(3)]
    texts = [f"<all-paths>{questions.xml(formula, net)}</all-paths>" for formula in asked]
    expected = [questions.every_run(formula, net) for formula in asked]

    mode, orders = WAYS[seed % len(WAYS)]
    options = SearchOptions(partial_order=orders, slices=bool(seed & 1))
    task = task_of(pnml(net, chance), questions.file_of(*texts), simplify=seed % 4 > 1)
    report = Study(task, options).check(mode=mode)

    assert [f.verdict for f in report.findings] == [Verdict.of(v) for v in expected], (seed, mode, orders)
    return Counter(str(v) for v in expected) + Counter(ends=int(net.deadlocks > 0))


COMPARISONS = (sizes, coloured_sizes, found_symmetries, verdicts, runs)
