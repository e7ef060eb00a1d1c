"""Random CSP# texts against `machine` and `judge`: every figure and verdict of the explorer, in every mode.

``python -m tests.process_algebra.figures --many 5000 --seed 0`` prints what was compared, feature by feature.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # as pytest does, where this is run as a program

from burnside import pipeline
from burnside.frontends.cspsharp import load_tasks
from burnside.ir.temporal import Fairness
from burnside.report.values import CheckReport, ClaimReport, Verdict
from burnside.source import Severity, Source, render
from process_algebra import judge
from process_algebra.machine import Graph, Machine, explore, value
from process_algebra.texts import CLAIMS, Text, Tree, random_text, show_text

MODES = ("none", "unique", "multi", "auto")
# Texts that are refused: a limit, or what cannot be known.
REFUSALS = ("BUR205", "BUR208", "BUR214", "BUR215", "BUR218")


def features(text: Text) -> set[str]:
    """What a text has."""
    found: set[str] = set()
    named = {
        "perform": "macro with local",
        "local": "local",
        "while": "loop",
        "m": "array",
        "in": "input",
        "out": "output",
        "||": "synchronisation",
        "|||": "interleaving",
        "hide": "hiding",
        "atomic": "atomic",
        "interrupt": "interrupt",
    }

    def look(tree: Any) -> None:
        if not isinstance(tree, tuple | frozenset):
            return
        match tree:
            case ("call", "B", (("b", _),)):
                found.add("truth as argument of both types")
            case ("call", "B", (("n", _),)):
                found.add("number as argument of both types")
            case ("call", _, (argument,)) if argument[0] not in "nbp":
                found.add("argument that reads variables")
            case ("set", ("v", "x"), ("op", "+" | "*" | "-", ("v", "x"), _)):
                found.add("variable out of its range within a step")
            case ("in" | "out", channel, *_):
                found.add({"h": "handshake", "r": "handshake of truth values", "k": "array of channels"}.get(channel, "buffer"))
            case ("pre", "e" | "g", (argument,), _) if argument[0] not in "nbp":
                found.add("event that reads variables")
        for part in tree:
            if isinstance(part, str) and part in named and tree[0] == part:
                found.add(named[part])
            look(part)

    for tree in (*text.definitions.values(), *text.macros.values(), text.root, text.other):
        look(tree)
    return found | ({"#alphabet"} if text.alphabets else set())


class Comparison:
    """One text in one mode and under one kind of fairness. ``wrong`` is what does not agree."""

    def __init__(self, seed: int, seen: Counter[str]) -> None:
        chance = random.Random(seed)
        self.text = random_text(chance)
        self.mode = chance.choice(MODES)
        self.fairness = chance.choice([*Fairness])
        self.seen = seen
        self.wrong: list[str] = []
        machine = Machine(self.text)
        self.graph = explore(machine, self.text.root)
        self.other = explore(machine, self.text.other)

    def run(self) -> bool:
        """Compare; False if the text is too large, or refused."""
        graph = self.graph
        if graph is None:
            self.seen["(too large)"] += 1
            return False
        tasks, diagnostics = load_tasks(Source("model.csp", show_text(self.text)), {})
        if not tasks:
            self._refused([d.code for d in diagnostics if d.severity is Severity.ERROR], "\n".join(map(render, diagnostics)))
            return False
        self.seen.update(features(self.text))
        self.seen[f"mode {self.mode}"] += 1
        self._count(graph, pipeline.count(tasks[0].model, symmetry=self.mode if self.mode != "auto" else "none"))
        if graph.faults:
            self.seen["fault"] += 1
        else:
            (report,) = pipeline.check_tasks(tasks, symmetry=self.mode, fairness=self.fairness)
            self._check(graph, report)
        return True

    def _refused(self, codes: list[str], shown: str) -> None:
        self.seen[f"(refused: {codes[0]})"] += 1
        if any(code not in REFUSALS for code in codes):
            self.wrong.append(shown)

    def _expect(self, what: str, found: object, expected: object) -> None:
        if found != expected:
            self.wrong.append(f"{what}: {found}, expected {expected}")

    # ------------------------------------------------------------ figures

    def _count(self, graph: Graph, report: Any) -> None:
        found = report.exploration
        fault = judge.nearest(graph, graph.faults)
        self._expect("fault", None if report.fault is None else len(report.fault.steps), fault)
        if fault is not None:
            return
        dead = [s for s in judge.stuck(graph) if s not in graph.ended]
        self._expect("depth", found.depth, max(graph.distance))
        if found.full_states is not None:
            self.seen["quotient"] += 1
            self._expect("states of all orbits", found.full_states, len(graph.states))
        elif report.symmetry.mode == "none":
            self._expect("states", found.states, len(graph.states))
            self._expect("transitions", found.transitions, sum(map(len, graph.edges)))
            self._expect("deadlocks", found.deadlocks, len(dead))
        self._expect("any deadlock", found.deadlocks > 0, bool(dead))

    # ------------------------------------------------------------ claims

    def _check(self, graph: Graph, report: CheckReport) -> None:
        claims = {}
        for claim in report.claims:
            claims.setdefault(claim.name.removesuffix("_2"), []).append(claim)
        for name, expected, ends in self._expected(graph):
            for claim, (holds, length) in zip(claims.pop(name), expected, strict=True):
                self._judge(claim, holds, length, ends)
        formulas = [c for cs in claims.values() for c in cs]
        wanted = [f for f in self.text.formulas]
        self._expect("claims left", len(formulas), len(wanted))
        in_order = [c for c in report.claims if c in formulas]
        for claim, (operators, sign, atom) in zip(in_order, wanted, strict=True):
            holds = judge.temporal(graph, operators, sign, atom, self.fairness.value)
            self.seen[f"ltl under {self.fairness.value}: {'holds' if holds else 'violated'}"] += 1
            self._judge(claim, holds, None, None)

    def _expected(self, graph: Graph) -> Iterator[tuple[str, list[judge.Verdict], set[int] | None]]:
        stuck = judge.stuck(graph)
        dead = [s for s in stuck if s not in graph.ended]
        yield "deadlockfree", [judge.absent(graph, dead)], set(dead)
        yield "nonterminating", [judge.absent(graph, stuck)], set(stuck)
        divergent = judge.divergent(graph)
        yield "divergencefree", [(not divergent, judge.nearest(graph, divergent))], None
        yield "deterministic", [judge.determinism(graph)], None
        if self.other is not None and not self.other.faults:
            for name, model in (("refines_Q", "T"), ("refines_F_Q", "F"), ("refines_FD_Q", "FD")):
                yield name, [judge.refinement(graph, self.other, model)], None
        else:
            for name in ("refines_Q", "refines_F_Q", "refines_FD_Q"):
                yield name, [(None, None)], None  # type: ignore[list-item]
        reached = judge.reaching(graph, self.text.reached)
        found = judge.nearest(graph, reached)
        yield "reaches_goal", [(found is not None, found)], set(reached)
        how, tree = self.text.best
        values = {s: value(tree, judge.store_of(graph, s), {}) for s in reached}
        best = (min if how == "min" else max)(values.values(), default=None)
        name = f"reaches_goal_with_{how}"
        self.best = best
        yield name, [(bool(reached), None)], {s for s, v in values.items() if v == best}

    def _judge(self, claim: ClaimReport, holds: bool | None, length: int | None, ends: set[int] | None) -> None:
        if holds is None:
            return
        self.seen[f"{claim.name if not claim.name.startswith('satisfies') else 'satisfies'}: {holds}"] += 1
        self._expect(f"verdict on {claim.name}", claim.verdict, Verdict.HOLDS if holds else Verdict.VIOLATED)
        if claim.name.startswith("reaches_goal_with"):
            self._expect(f"value of {claim.name}", claim.value, self.best)
        if claim.trace is None:
            return
        assert self.graph is not None
        steps = [step.event for step in claim.trace.steps]
        ended = replay(self.graph, steps)
        self._expect(f"{claim.name} is a run", bool(ended), True)
        if ends is not None:
            self._expect(f"{claim.name} ends where it should", bool(ended & ends), True)
        if length is not None and claim.loop is None:
            self._expect(f"steps of {claim.name}", len(steps), length)
        elif length is not None and claim.loop is not None:
            self._expect(f"{claim.name} is not later than need be", claim.loop >= length, True)


def spelling(label: Any) -> str:
    """A label as a trace shows it."""
    name, arguments = label
    shown = ", ".join(str(a).lower() for a in arguments)
    return f"{name}({shown})" if arguments else name


def replay(graph: Graph, events: list[str]) -> set[int]:
    """The states that a sequence of events can lead to."""
    here = {0}
    for event in events:
        here = {target for s in here for label, target, _ in graph.edges[s] if spelling(label) == event}
    return here


def compare(seed: int, seen: Counter[str]) -> str:
    """What is wrong with the text of a seed; empty if nothing is, or if it cannot be compared."""
    comparison = Comparison(seed, seen)
    seen["texts"] += comparison.run()
    if not comparison.wrong:
        return ""
    about = f"seed {seed}, mode {comparison.mode}, fairness {comparison.fairness.value}"
    return "\n".join([about, *comparison.wrong, show_text(comparison.text)])


def main() -> int:
    """Compare many texts; the number of those that are wrong is the exit code, up to 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--many", type=int, default=200, help="how many texts to compare")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    arguments = parser.parse_args()
    seen: Counter[str] = Counter()
    wrong, seed = 0, arguments.seed
    while seen["texts"] < arguments.many:
        complaint = compare(seed, seen)
        if complaint:
            wrong += 1
            print(complaint, flush=True)
        seed += 1
    for name, number in sorted(seen.items()):
        print(f"{number:7,}  {name}")
    print(f"{wrong:7,}  wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
