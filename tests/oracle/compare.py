"""The tool's answers about a model beside those of the interpreter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, product
from pathlib import Path
from typing import Any

from .interpreter import State
from .language import Model, Property, text_of
from .replay import Mismatch, replay, replay_round
from .runs import Runs, TooManyNodes
from .space import Claim, Permutation, Space, moves_whole_cells
from .tool import Crashed, Refused, Tool


@dataclass(frozen=True)
class Mode:
    """How the tool is asked."""

    symmetry: str
    threads: int = 1
    depth_first: bool = False
    partial_order: bool = False
    slices: bool = False
    store: str = "index"

    def __str__(self) -> str:
        threads = f" {self.threads} threads" if self.threads > 1 else ""
        orders = " some orders" if self.partial_order else ""
        how = (" depth first" if self.depth_first else "") + orders + " sliced" * self.slices
        return self.symmetry + threads + how + ("" if self.store == "index" else f" {self.store} store")

    @property
    def has_levels(self) -> bool:
        """Whether states are explored in the order of their distances, so that it is known what is decided when."""
        return not (self.depth_first or self.partial_order or self.symmetry == "adaptive")

    @property
    def options(self) -> dict[str, Any]:
        names = ("threads", "depth_first", "slices", "store")
        return {name: getattr(self, name) for name in names}


PLAIN = (Mode("none"), Mode("auto"), Mode("none", 2), Mode("none", depth_first=True))
UNIQUE = (Mode("unique"), Mode("unique", 2), Mode("unique", depth_first=True))
MULTI = (Mode("multi"), Mode("multi", 2))
ADAPTIVE = (Mode("adaptive"),)
SOME_ORDERS = tuple(
    Mode(symmetry, threads, depth_first, partial_order=True)
    for symmetry, threads, depth_first in (
        ("none", 1, False),
        ("unique", 1, False),
        ("none", 2, False),
        ("none", 1, True),
        ("unique", 2, False),
        ("multi", 1, False),
        ("unique", 1, True),
    )
)


@dataclass(frozen=True)
class Plan:
    """In which modes the states are counted, claims about states checked, and claims about runs."""

    count: tuple[Mode, ...]
    check: tuple[Mode, ...]
    runs: tuple[Mode, ...]
    nearby: int = 1_000  # states among which claims about runs look for a near cycle first
    rows: int = 256  # that a table of detection has at most


EVERYTHING = Plan(
    PLAIN + UNIQUE + MULTI + ADAPTIVE,
    PLAIN + UNIQUE + MULTI + ADAPTIVE + SOME_ORDERS,
    (PLAIN[0], PLAIN[1], UNIQUE[0], MULTI[0]),
)


def plan_for(seed: int) -> Plan:
    """Two or three questions, another choice for every seed: compiling and detecting is what a question costs."""
    unique = UNIQUE[seed % 3]
    other = (*PLAIN, *MULTI)[seed % 6]
    some = SOME_ORDERS[seed % 7]
    nearby = 2 if seed // 2 % 2 else 1_000
    rows = 256 if seed // 5 % 2 else 6 + seed % 2
    match seed // 6 % 4:
        case 0:
            return Plan((unique,), (unique, some), (Mode(other.symmetry),), nearby, rows)
        case 1:
            return Plan(ADAPTIVE, (some, other), (Mode("unique"),), nearby, rows)
        case 2:
            return Plan((other,), (some, *ADAPTIVE), (Mode("unique"), Mode(other.symmetry)), nearby, rows)
        case _:
            return Plan((unique,), (other, *ADAPTIVE), (Mode("unique"),), nearby, rows)


def plan_in_orders(seed: int) -> Plan:
    """Partial order alone: without symmetries, and with them."""
    without = [m for m in SOME_ORDERS if m.symmetry == "none"]
    beside = [m for m in SOME_ORDERS if m.symmetry != "none"]
    rows = 256 if seed // 3 % 3 == 0 else 6 + seed // 3 % 2
    return Plan((), (without[seed % 3], beside[seed % 4]), (), rows=rows)


def plan_in_slices(seed: int) -> Plan:
    """Without the variables that nothing depends on, in every way that there is."""
    check = [replace(m, slices=True) for m in (*PLAIN, *UNIQUE, *MULTI, *SOME_ORDERS, *ADAPTIVE)]
    runs = [Mode(symmetry, slices=True) for symmetry in ("none", "auto", "unique")]
    rows = 256 if seed // 3 % 3 == 0 else 6 + seed // 3 % 2
    nearby = 2 if seed // 2 % 2 else 1_000
    count = (Mode("none", slices=True),) if seed % 4 == 0 else ()
    return Plan(count, (check[seed % len(check)], check[seed % 3]), (runs[seed % 3],), nearby, rows)


STORES = ("index", "compact", "disk", "auto")  # the last goes over from the first to the second


def in_some_store(plan: Plan, seed: int) -> Plan:
    """The same questions, with states kept in another way for every seed where there is a choice."""
    store = STORES[(seed + seed // 4) % 4]

    def stored(modes: tuple[Mode, ...]) -> tuple[Mode, ...]:
        return tuple(m if m.depth_first or m.symmetry == "adaptive" else replace(m, store=store) for m in modes)

    return replace(plan, count=stored(plan.count), check=stored(plan.check))


def plan_in_stores(seed: int) -> Plan:
    """States kept in every way, by one thread and by two, with and without symmetries and partial order.

    A store and a number of threads are no part of what is compiled, so all these questions need five compilations.
    """

    def stored(symmetry: str, *, partial_order: bool = False) -> tuple[Mode, ...]:
        ways = product(STORES[:3], (1, 2))
        return tuple(Mode(symmetry, threads, partial_order=partial_order, store=store) for store, threads in ways)

    check = (stored(symmetry, partial_order=some) for symmetry in ("none", "unique") for some in (False, True))
    return Plan(stored("unique" if seed % 2 else "none"), tuple(chain.from_iterable(check)), ())


_TOO_LARGE = (  # limits that the tool has and says
    "BUR502 fairness of events is about too many events",
    "BUR502 fairness is about more than 65,000 processes or events",
)
_ENDS = Property("deadlockfree", "ends where it may")


@dataclass(frozen=True)
class Difference:
    """A figure of the tool that is not that of the interpreter."""

    command: str
    mode: str
    what: str
    about: str
    seen: object
    expected: object

    def __str__(self) -> str:
        about = f" of {self.about}" if self.about else ""
        return f"{self.command}, {self.mode}: {self.what}{about}: seen {self.seen}, expected {self.expected}"

    @property
    def kind(self) -> tuple[str, str, str]:
        """What stays the same while a model is made smaller."""
        return self.command, self.mode, self.what


@dataclass
class Result:
    """What was compared, and what was different."""

    differences: list[Difference] = field(default_factory=list)
    compared: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    strategies: Counter[str] = field(default_factory=Counter)
    claims: int = 0


@dataclass(frozen=True)
class Levels:
    """When a search by levels decides claims and meets faults.

    Level n + 1 is made by expanding the states at distance n: then faults of their rules are met, and deadlocks seen.
    Conditions are evaluated on a level as soon as it is made, those that are not decided yet on all of it. The search
    ends after a level: because every claim is decided, or else because of a fault.
    """

    decided: Mapping[Claim, int | None]
    fault: int | None

    @staticmethod
    def of(space: Space, judged: Mapping[Claim, tuple[set[State], set[State]]]) -> Levels:
        at = space.nearest(space.faults)
        faults = [0] if space.initially_faults else [] if at is None else [at + 1]
        decided = {}
        for claim, (states, faulty) in judged.items():
            level, fault = space.nearest(states), space.nearest(faulty)
            if claim.family.kind == "deadlockfree":
                level, fault = level if level is None else level + 1, fault if fault is None else fault + 1
            decided[claim] = level
            if fault is not None and (level is None or fault <= level):
                faults.append(fault)
        return Levels(decided, min(faults, default=None))

    @property
    def is_decidable(self) -> bool:
        return None not in self.decided.values()

    @property
    def ends_with_fault(self) -> bool:
        last = max((n for n in self.decided.values() if n is not None), default=0)
        return self.fault is not None and not (self.is_decidable and last <= self.fault)

    def is_open(self, claim: Claim) -> bool:
        """Whether a fault comes before a claim is decided."""
        level = self.decided[claim]
        return self.ends_with_fault and (level is None or self.fault is None or level > self.fault)


class Comparison:
    """One model and all that is asked about it."""

    def __init__(self, model: Model, folder: Path, most: int = 400) -> None:
        self.model = model
        self.space = Space(model, most)
        self.result = Result()
        self._folder = folder
        self._command = self._mode = ""
        self._symmetries: dict[tuple[str, ...], list[Permutation] | None] = {}

    def run(self, plan: Plan = EVERYTHING) -> Result:
        """Ask and compare; of a text that is refused there is nothing to compare."""
        if not self._load(plan):
            return self.result
        for mode in plan.count:
            self._count(mode)
        claims = [c for c in self.space.claims if c.family.kind != "ltl"]
        for mode in plan.check if claims else ():
            self._check(mode, claims)
        for family in self.model.properties:
            if family.kind == "ltl":
                for mode in plan.runs:
                    self._check_runs(mode, [c for c in self.space.claims if c.family is family])
        return self.result

    def run_detection(self, plan: Plan = EVERYTHING) -> Result:
        """Compare nothing but the symmetries, of the model alone and with what is claimed of its states."""
        if self._load(plan):
            claimed = tuple(p.name for p in self.model.properties if p.kind != "ltl")
            for properties in dict.fromkeys(((), claimed)):
                self._generators(properties, UNIQUE[0])
        return self.result

    def _load(self, plan: Plan) -> bool:
        tool = self._ask("load", "", lambda: Tool(text_of(self.model), self._folder, plan.nearby, plan.rows))
        if tool is None:
            return False
        self.tool, self._rows = tool, plan.rows
        self.result.claims = len(self.space.claims)
        return True

    def _ask(self, command: str, mode: object, question: Callable[[], Any]) -> Any:
        self._command, self._mode = command, str(mode)
        try:
            return question()
        except Refused as refused:
            if self._mode.startswith("adaptive") or str(refused).startswith(_TOO_LARGE):
                self.result.refused[f"{command} {self._mode} {str(refused)[:70]}"] += 1
            else:
                self._differs("refused", "", refused, "an answer")
        except Crashed as crash:
            self._differs("crash", "", crash, "an answer")
        return None

    def _differs(self, what: str, about: str, seen: object, expected: object) -> None:
        self.result.differences.append(Difference(self._command, self._mode, what, about, seen, expected))

    def _same(self, what: str, seen: object, expected: object, about: str = "") -> None:
        self.result.compared[f"{self._command} {self._mode}".strip() + f": {what}"] += 1
        if seen != expected:
            self._differs(what, about, seen, expected)

    def _among(self, what: str, seen: object, allowed: Sequence[object], about: str = "") -> None:
        self._same(what, seen, seen if seen in allowed else " or ".join(dict.fromkeys(map(str, allowed))), about)

    # ------------------------------------------------------------ figures

    def _count(self, mode: Mode) -> None:
        generators = self._generators((), mode)
        found = self._ask("count", mode, lambda: self.tool.count(mode.symmetry, **mode.options))
        if found is None:
            return
        self._note_strategy(found["symmetry"])
        has_fault = bool(self.space.faults) or self.space.initially_faults
        self._same("fault", found["fault"] is not None, has_fault)
        if found["fault"] is not None and has_fault:
            self._compare_fault(found["fault"], (), mode)
        elif not has_fault:
            self._same("stopped", found["stopped"], "complete")
            self._compare_figures(found, generators, mode)

    def _note_strategy(self, used: dict[str, Any]) -> None:
        if used["strategy"]:
            self.result.strategies[used["strategy"]] += 1

    def _generators(self, properties: tuple[str, ...], mode: Mode) -> list[Permutation] | None:
        """The symmetries that the tool finds, after they have been tested; none in modes that use none.

        None if it does not say.
        """
        if mode.symmetry in ("none", "adaptive") or mode.slices:  # those of a slice are not those of the model
            return []
        if properties not in self._symmetries:
            found = self._ask("detect", "", lambda: self._detect(properties))
            self._symmetries[properties] = None
            if found is not None:
                generators = [_permutation(g["cycles"]) for g in found["generators"]]
                claims = [c for c in self.space.claims if c.family.name in properties]
                if self.model.terminal is not None:
                    claims.append(Claim(_ENDS))
                for generator in generators:
                    self._same("symmetry", self.space.flaw(generator, claims), "")
                self._same("order", found["order"], order_of(generators) or found["order"])
                self.result.compared["detect: models with symmetries"] += bool(generators)
                self._symmetries[properties] = generators
        return self._symmetries[properties]

    def _detect(self, properties: tuple[str, ...]) -> dict[str, Any]:
        """The symmetries that keep properties, and terminal states: how many deadlocks there are depends on these."""
        if self.model.terminal is None:
            return self.tool.detect(properties)
        model = replace(self.model, properties=(*self.model.properties, _ENDS))
        return Tool(text_of(model), self._folder, 1, self._rows).detect((*properties, _ENDS.name))

    def _compare_figures(self, found: dict[str, Any], generators: list[Permutation] | None, mode: Mode) -> None:
        """Of an exploration that is complete."""
        space, used = self.space, found["symmetry"]
        if mode.slices:
            self._compare_slice(found)
            return
        if any(r["kind"] == "partial-order" for r in found["reductions"]):
            self._compare_some_orders(found, generators)
            return
        if not mode.depth_first and not (used["mode"] == "multi" and found["depth"] is None):
            self._same("depth", found["depth"], space.depth)
        if used["mode"] == "adaptive":
            self._same("has deadlocks", found["deadlocks"] > 0, bool(space.deadlocks))
            return
        is_reduced = used["mode"] in ("unique", "multi")
        if is_reduced and (generators is None or any(map(moves_whole_cells, generators))):
            return
        orbits = space.orbits(generators or [] if is_reduced else [])
        degrees = [sorted(len(space.steps[s]) for s in orbit) for orbit in orbits]
        initial = sum(any(s in orbit for s in space.initial) for orbit in orbits)
        deadlocked = sum(any(s in orbit for s in space.deadlocks) for orbit in orbits)
        if used["mode"] == "multi":
            for what, least, most in (
                ("states", len(orbits), len(space)),
                ("transitions", sum(d[0] for d in degrees), space.transitions),
                ("deadlocks", deadlocked, len(space.deadlocks)),
                ("initial states", initial, len(space.initial)),
            ):
                self._among(what, found[what.replace(" ", "_")], range(least, most + 1))
            return
        self._same("states", found["states"], len(orbits))
        self._among(
            "transitions", found["transitions"], range(sum(d[0] for d in degrees), sum(d[-1] for d in degrees) + 1)
        )
        self._same("deadlocks", found["deadlocks"], deadlocked)
        self._same("initial states", found["initial_states"], initial)
        if used["full_states"] is not None:
            self._same("stands for", used["full_states"], len(space))

    def _compare_slice(self, found: dict[str, Any]) -> None:
        """Of an exploration without some variables: it has no more states."""
        is_sliced = any(r["kind"] == "slicing" for r in found["reductions"])
        self.result.compared["sliced"] += is_sliced
        self.result.compared["sliced, with fewer states"] += is_sliced and found["states"] < len(self.space)
        if found["symmetry"]["mode"] != "adaptive":
            self._among("states", found["states"], range(len(self.space.initial) > 0, len(self.space) + 1))
        self._same("has deadlocks", found["deadlocks"] > 0, bool(self.space.deadlocks))

    def _compare_some_orders(self, found: dict[str, Any], generators: list[Permutation] | None) -> None:
        """Of an exploration that takes some steps only: it has no other states, and all deadlocks."""
        space, used = self.space, found["symmetry"]
        self.result.compared["check: in some orders"] += 1
        self.result.compared["check: in some orders, with fewer states"] += found["states"] < len(space)
        self._among("states", found["states"], range(1, len(space) + 1))
        is_reduced = used["mode"] in ("unique", "multi")
        if used["mode"] == "multi" or (is_reduced and (generators is None or any(map(moves_whole_cells, generators)))):
            self._same("has deadlocks", found["deadlocks"] > 0, bool(space.deadlocks))
            return
        orbits = space.orbits(generators or [] if is_reduced else [])
        self._same("deadlocks", found["deadlocks"], sum(any(s in orbit for s in space.deadlocks) for orbit in orbits))

    # ------------------------------------------------------------ claims about states

    def _check(self, mode: Mode, claims: Sequence[Claim]) -> None:
        names = tuple(dict.fromkeys(c.family.name for c in claims))
        if mode.slices and len(names) > 1 and len(self.space) % 2:  # what is needed depends on what is asked
            claims = [c for c in claims if c.family.name != names[-1]]
            names = names[:-1]
        generators = self._generators(names, mode)
        how = {**mode.options, "partial_order": "on" if mode.partial_order else "off"}
        found = self._ask("check", mode, lambda: self.tool.check(names, mode.symmetry, **how))
        if found is None:
            return
        self._note_strategy(found["symmetry"])
        judged = {c: self.space.judged(c) for c in claims}
        levels = Levels.of(self.space, judged)
        has_fault = found["fault"] is not None
        if mode.has_levels:
            self._same("fault", has_fault, levels.ends_with_fault)
        elif has_fault or levels.fault is not None:
            self._same("fault", has_fault or levels.is_decidable, levels.fault is not None)
        if has_fault and levels.fault is not None:
            self._compare_fault(found["fault"], [f for _, f in judged.values()], mode)
        if found["stopped"] == "complete":
            self._compare_figures(found, generators, mode)
        elif not has_fault:
            self._same("stopped", found["stopped"], "decided")
        self._same("names", [p["name"] for p in found["properties"]], [c.name for c in claims])
        keeps_distances = all(r.get("shortest", True) for r in found["reductions"])
        for claim, report in zip(claims, found["properties"], strict=False):
            is_open = levels.is_open(claim) if mode.has_levels else has_fault and report["trace"] is None
            is_nearest = not mode.depth_first and (claim.family.kind == "deadlockfree" or keeps_distances)
            self._compare_verdict(claim, judged[claim][0], report, is_open=is_open, is_nearest=is_nearest)

    def _compare_fault(self, fault: dict[str, Any], of_claims: Sequence[set[State]], mode: Mode) -> None:
        if fault["trace"] is None:
            self._same("fault at the beginning", self.space.initially_faults, True)
            return
        state = self._replayed("fault", fault["trace"], "")
        if state is None:
            return
        is_fault = fault["rule"] in self.space.faulty[state] or (
            fault["rule"] is None and self._may_fault(state, of_claims)
        )
        self._same("fault of the last state", is_fault, True)
        if not mode.depth_first:
            self._same("length of the trace", len(fault["trace"]["steps"]), self.space.distance[state], "the fault")

    def _may_fault(self, state: State, of_claims: Sequence[set[State]]) -> bool:
        return any(state in faults for faults in of_claims) or (
            state in self.space.faults and not self.space.faulty[state]
        )

    def _compare_verdict(
        self, claim: Claim, decided: set[State], report: dict[str, Any], *, is_open: bool, is_nearest: bool
    ) -> None:
        length = self.space.nearest(decided)
        expected = "holds" if (length is not None) == (claim.family.kind == "reachable") else "violated"
        self._same("verdict", report["verdict"], "unknown" if is_open else expected, claim.name)
        if report["verdict"] != expected:
            return
        self._same("has a trace", report["trace"] is not None, length is not None, claim.name)
        if report["trace"] is not None and length is not None:
            end = self._replayed("trace", report["trace"], claim.name)
            if end is not None:
                self._same("end of the trace", end in decided, True, claim.name)
            if is_nearest:
                self._same("length of the trace", len(report["trace"]["steps"]), length, claim.name)

    def _replayed(self, what: str, trace: dict[str, Any], about: str) -> State | None:
        """The state in which a trace ends, if it is a run."""
        try:
            end = replay(self.space, trace)
        except Mismatch as mismatch:
            self._same(what, mismatch, "a run of the model", about)
            return None
        self._same(what, "", "", about)
        return end

    # ------------------------------------------------------------ claims about runs

    def _check_runs(self, mode: Mode, claims: Sequence[Claim]) -> None:
        family = claims[0].family
        try:
            runs = {c.name: Runs(self.space, c, family.fairness) for c in claims}
        except TooManyNodes:
            self.result.refused["too many nodes of a product"] += 1
            return
        found = self._ask(
            "ltl",
            f"{mode}, {family.fairness}",
            lambda: self.tool.check_runs([family.name], mode.symmetry, **mode.options),
        )
        if found is None:
            return
        self._same("names", [p["name"] for p in found["properties"]], [c.name for c in claims])
        # A family is one question: a condition of one member that faults leaves all of them open.
        open_ = [] if all(r.can_evaluate for r in runs.values()) else ["unknown"]
        for claim, report in zip(claims, found["properties"], strict=False):
            self._note_strategy(report.get("symmetry", {"strategy": None}))
            right = ["unknown"] if self.space.initially_faults else open_ + runs[claim.name].verdicts()
            self._among("verdict", report["verdict"], right, claim.name)
            self._same("has a trace", report["trace"] is not None, report["verdict"] == "violated", claim.name)
            if report["trace"] is not None:
                self._compare_round(runs[claim.name], report["trace"], claim.name)

    def _compare_round(self, runs: Runs, trace: dict[str, Any], about: str) -> None:
        try:
            stem, loop = replay_round(self.space, trace)
        except Mismatch as mismatch:
            self._same("run", mismatch, "a run of the model", about)
        else:
            self._same("run", runs.flaw(stem, loop), "", about)


def _permutation(cycles: Sequence[Sequence[str]]) -> Permutation:
    return {a: b for cycle in cycles for a, b in zip(cycle, [*cycle[1:], cycle[0]], strict=True)}


def order_of(generators: Sequence[Permutation], most: int = 3_000) -> int | None:
    """How many permutations some generate, by writing all of them down; None if they are too many."""
    points = sorted({p for g in generators for p in g})
    place = {p: k for k, p in enumerate(points)}
    moves = [tuple(place[g.get(p, p)] for p in points) for g in generators]
    seen = {tuple(range(len(points)))}
    waiting = list(seen)
    for element in waiting:
        for move in moves:
            image = tuple(move[k] for k in element)
            if image not in seen:
                if len(seen) == most:
                    return None
                seen.add(image)
                waiting.append(image)
    return len(seen)
