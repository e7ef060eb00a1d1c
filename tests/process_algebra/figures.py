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

from burnside.claims.kinds import Extreme, Fairness, InfiniteRuns
from burnside.claims.task import Task
from burnside.decide.modes import Mode
from burnside.explore.native.run import SearchOptions
from burnside.frontends.cspsharp import load
from burnside.results.findings import CheckReport, EventsFinding, ExtremeFinding, Finding, RunsFinding, Verdict
from burnside.source import Diagnostic, Severity, Source, render
from burnside.study import Studies, Study
from process_algebra import judge
from process_algebra.machine import Graph, Machine, explore, value
from process_algebra.texts import LARGE, Text, random_text, show_text

MODES = ("none", "unique", "multi", "auto")
CHANNELS = {"h": "handshake", "r": "handshake of truth values", "q": "buffer", "k": "array of buffers"}
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
            case ("op", "*", inside, ("n", n)) if n == LARGE and inside[0] != "n":
                found.add("product that no variable holds")
            case ("op", "/" | "&" | "|" | "^", *_):
                found.add("division or bits")
            case ("set", ("v", "x"), ("op", "+" | "*" | "-", ("v", "x"), _)):
                found.add("variable out of its range within a step")
            case ("in" | "out", channel, *_):
                found.add(CHANNELS[channel])
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
        chance = self.chance = random.Random(seed)
        self.options = SearchOptions(flags=("-O0",))
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
        tasks, diagnostics, _ = load(Source("model.csp", show_text(self.text)), {})
        if not tasks:
            self._refused([d for d in diagnostics if d.severity is Severity.ERROR])
            return False
        self.seen.update(features(self.text))
        self.seen[f"mode {self.mode}"] += 1
        mode = "none" if self.mode == "auto" else self.mode
        self._count(graph, Study(tasks[0], self.options).count(Mode(mode)))
        if graph.faults:
            self.seen["fault"] += 1
        else:
            self._ask(graph, tasks)
        return True

    def _ask(self, graph: Graph, tasks: tuple[Task, ...]) -> None:
        """All claims but one of two, which cost a compilation each."""
        claims = tasks[0].claims
        formula = next(claim.name for claim in claims if isinstance(claim, InfiniteRuns))
        best = next(claim.name for claim in claims if isinstance(claim, Extreme))
        left_out = self.chance.choice([formula, best])
        names = [claim.name for claim in claims if claim.name != left_out]
        fairness = None if left_out == formula else self.fairness
        (report,) = Studies.of(tasks, self.options).check(names, Mode(self.mode), fairness)
        self._check(graph, report)

    def _refused(self, errors: list[Diagnostic]) -> None:
        self.seen[f"(refused: {errors[0].code})"] += 1
        self.wrong += [render(e) for e in errors if e.code not in REFUSALS]

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
        claims = {finding.member.name: finding for finding in report.findings}
        for name, (holds, length), ends in self._expected(graph):
            if name in claims:
                self._judge(claims.pop(name), holds, length, ends)
        for claim in claims.values():
            if isinstance(claim, RunsFinding):
                holds = judge.temporal(graph, *self.text.formula, self.fairness.value)
                self.seen[f"under {self.fairness}"] += 1
                self._judge(claim, holds, None, None)

    def _expected(self, graph: Graph) -> Iterator[tuple[str, judge.Verdict, set[int] | None]]:
        """Claims by name: verdict, length of a shortest run, and where that may end."""
        stuck = judge.stuck(graph)
        dead = [s for s in stuck if s not in graph.ended]
        yield "deadlockfree", judge.absent(graph, dead), set(dead)
        yield "nonterminating", judge.absent(graph, stuck), set(stuck)
        divergent = judge.divergent(graph)
        yield "divergencefree", judge.absent(graph, divergent), None
        yield "deterministic", judge.determinism(graph), None
        if self.other is not None and not self.other.faults:
            for name, model in (("refines_Q", "T"), ("refines_F_Q", "F"), ("refines_FD_Q", "FD")):
                yield name, judge.refinement(graph, self.other, model), None
        reached = judge.reaching(graph, self.text.reached)
        found = judge.nearest(graph, reached)
        yield "reaches_goal", (found is not None, found), set(reached)
        yield f"reaches_goal_with_{self.text.best[0]}", (found is not None, None), set(self._best(graph, reached)[1])

    def _best(self, graph: Graph, reached: list[int]) -> tuple[int | None, list[int]]:
        """The best value in some states, and where it is had."""
        how, tree = self.text.best
        values = {s: value(tree, judge.store_of(graph, s), {}) for s in reached}
        best = (min if how == "min" else max)(values.values(), default=None)
        return best, [s for s, v in values.items() if v == best]

    def _judge(self, claim: Finding, holds: bool, length: int | None, ends: set[int] | None) -> None:
        assert self.graph is not None
        name = claim.member.name
        kind = claim.member.claim.word if name.startswith(("refines", "sat")) else name
        self.seen[f"claim {kind} {'holds' if holds else 'violated'}"] += 1
        self._expect(f"verdict on {name}", claim.verdict, Verdict.HOLDS if holds else Verdict.VIOLATED)
        if isinstance(claim, ExtremeFinding):
            best, _ = self._best(self.graph, judge.reaching(self.graph, self.text.reached))
            self._expect(f"value of {name}", claim.value, best)
        if claim.trace is None:
            return
        steps = [step.event for step in claim.trace.steps]
        ended = replay(self.graph, steps)
        self._expect(f"{name} is a run", bool(ended), True)
        if ends is not None:
            self._expect(f"{name} ends where it should", bool(ended & ends), True)
        loop = claim.loop if isinstance(claim, RunsFinding | EventsFinding) else None
        if length is not None and loop is None:
            self._expect(f"steps of {name}", len(steps), length)
        elif length is not None and loop is not None:
            self._expect(f"{name} is not later than need be", loop >= length, True)


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
            sys.stdout.write(f"{complaint}\n")
            sys.stdout.flush()
        seed += 1
    for name, number in sorted(seen.items()):
        sys.stdout.write(f"{number:7,}  {name}\n")
    sys.stdout.write(f"{wrong:7,}  wrong\n")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
