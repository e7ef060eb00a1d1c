"""Random models whose processes are nearly alike, as ``.seq`` texts, and what they mean without any symmetry."""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, field
from itertools import permutations, product

from burnside.adaptive.partitions import members
from burnside.adaptive.search import Search
from burnside.frontends.seq import load
from burnside.ir.cells import State
from burnside.ir.nodes import Model
from burnside.ir.semantics import Step, initial, successors
from burnside.source import Source


@dataclass
class Writer:
    """Writes a random model."""

    seed: int
    chance: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self.size = self.chance.choice([2, 3, 3, 3, 4])
        self.labels = ["A", "B", "C"][: self.chance.choice([2, 3, 3])]
        self.has_owner = self.chance.random() < 0.35
        self.has_bit = self.chance.random() < 0.3
        self.has_number = self.chance.random() < 0.5

    def model(self) -> Model:
        """The model of the text."""
        model, diagnostics = load(Source(f"seed {self.seed}", self.text()), {})
        assert model is not None, [d.message for d in diagnostics]
        return model

    def text(self) -> str:
        """Declarations, rules and properties."""
        last = self.size - 1
        levels = sorted(self.chance.randrange(3) for _ in range(self.size))
        lines = [f"const LEVEL = {levels};", f"process P = 0 .. {last};", f"domain L = {{ {', '.join(self.labels)} }};"]
        lines += ["domain Owner = P + { nobody };"] if self.has_owner else []
        lines += [f"var at[P]: L = {self.start()};", f"var free: bool = {self.pick('true', 'false', 'true', '*')};"]
        lines += [f"var number: 0 .. 2 = {self.pick('0', '1', '*')};"] if self.has_number else []
        lines += [f"var owner: Owner = {self.pick('nobody', 'nobody', '0')};"] if self.has_owner else []
        lines += ["var bit[P]: bool = false;"] if self.has_bit else []
        if self.chance.random() < 0.1:
            lines.append(f"initially (count i in P: at[i] == {self.label()}) != 1;")
        for number in range(self.chance.choice([2, 3, 4, 5])):
            lines.append(self.rule(number))
        lines.append(f"invariant one: !({self.guard('')});")
        lines.append(f"invariant two: !({self.guard('')} && free);")
        lines.append("deadlockfree live;")
        return "\n".join(lines)

    def pick(self, *choices: str) -> str:
        """One of several texts."""
        return self.chance.choice(choices)

    def label(self) -> str:
        """A local state."""
        return self.chance.choice(self.labels)

    def start(self) -> str:
        """Initial local states: all the same, different ones, or any."""
        match self.chance.randrange(6):
            case 0:
                return f"[{', '.join(self.label() for _ in range(self.size))}]"
            case 1 if self.size < 4:
                return f"[{', '.join(self.pick(self.label(), '*') for _ in range(self.size))}]"
            case 2:
                return "*" if self.size < 4 else self.label()
            case _:
                return self.labels[0]

    def rule(self, number: int) -> str:
        """A rule for one process, or now and then for nobody."""
        if self.chance.random() < 0.08:
            return f"rule r{number} when {self.guard('')} do {{ free := !free; {self.sweep('')} }}"
        source, target = self.label(), self.label()
        guard = f"at[i] == {source}" + (f" && {self.guard('i')}" if self.chance.random() < 0.7 else "")
        updates = [f"at[i] := {target};"]
        if self.chance.random() < 0.5:
            updates.append(f"free := {self.pick('true', 'false', '!free', self.guard('i'))};")
        if self.has_number and self.chance.random() < 0.5:
            updates.append(f"number := {self.pick('0', '(number + 1) % 3', f'min(2, {self.amount()})')};")
        if self.has_owner and self.chance.random() < 0.6:
            updates.append(f"owner := {self.pick('i', 'i', 'nobody', '0')};")
        if self.has_bit and self.chance.random() < 0.6:
            updates.append(f"bit[i] := {self.pick('true', 'false', '!bit[i]', 'free')};")
        updates.append(self.sweep("i"))
        self.chance.shuffle(updates)
        return f"rule r{number}(i: P) when {guard} do {{ {' '.join(updates)} }}"

    def sweep(self, actor: str) -> str:
        """Sometimes a change to all processes."""
        if self.chance.random() < 0.88:
            return ""
        condition = f"if at[j] == {self.label()} then {self.label()} else at[j]"
        order = f"if j < {actor} then {self.label()} else at[j]" if actor else condition
        return f"for j in P {{ at[j] := {self.pick(condition, order)}; }}"

    def amount(self) -> str:
        """A number of processes."""
        return f"count j in P: {self.body('', 'j')}"

    def guard(self, actor: str, depth: int = 0) -> str:
        """A condition."""
        choices = [self.question, self.question, self.shared, self.shared]
        choices += [self.own, self.own] if actor else []
        choices += [self.constant_process]
        choices += [self.pair] if depth == 0 else []
        if depth < 2 and self.chance.random() < 0.35:
            joint = self.pick("&&", "&&", "||")
            return f"({self.guard(actor, depth + 1)} {joint} {self.guard(actor, depth + 1)})"
        return self.chance.choice(choices)(actor)

    def question(self, actor: str) -> str:
        """Something asked of all processes."""
        match self.chance.randrange(3):
            case 0:
                return f"(forall j in P: {self.body(actor, 'j')})"
            case 1:
                return f"(exists j in P: {self.body(actor, 'j')})"
            case _:
                comparison = f"{self.pick('<', '==', '>=')} {self.chance.randrange(3)}"
                return f"((count j in P: {self.body(actor, 'j')}) {comparison})"

    def body(self, actor: str, name: str) -> str:
        """What is asked of one of them."""
        state = f"at[{name}] {self.pick('==', '!=')} {self.label()}"
        relations = [f"{name} < {self.chance.randrange(self.size)}", f"LEVEL[{name}] == {self.chance.randrange(3)}"]
        if actor:
            relations += [f"LEVEL[{name}] < LEVEL[{actor}]", f"{name} != {actor}", f"{name} < {actor}"] * 2
        if self.has_owner:
            relations += [f"owner == {name}", "owner == nobody"]
        if self.has_bit:
            relations.append(f"bit[{name}]")
        match self.chance.randrange(4):
            case 0:
                return state
            case 1:
                return f"({self.chance.choice(relations)} => {state})"
            case 2:
                return f"({self.chance.choice(relations)} && {state})"
            case _:
                return f"({self.chance.choice(relations)} || {state})"

    def own(self, actor: str) -> str:
        """A condition on the actor alone."""
        choices = [f"{actor} {self.pick('<', '==', '>=')} {self.chance.randrange(self.size)}", f"LEVEL[{actor}] > 0"]
        choices += [f"owner {self.pick('==', '!=')} {actor}"] if self.has_owner else []
        choices += [f"bit[{actor}]"] if self.has_bit else []
        return self.chance.choice(choices)

    def shared(self, _: str) -> str:
        """A condition on what is shared."""
        choices = ["free", "!free"]
        choices += ["number == 0", "number < 2"] if self.has_number else []
        choices += ["owner == nobody", "owner != nobody"] if self.has_owner else []
        return self.chance.choice(choices)

    def constant_process(self, _: str) -> str:
        """A condition on one process by its id, or on the one that a variable holds."""
        if self.has_owner and self.chance.random() < 0.5:
            return f"(owner != nobody && at[min(owner, {self.size - 1})] == {self.label()})"
        return f"at[{self.chance.randrange(self.size)}] == {self.label()}"

    def pair(self, _: str) -> str:
        """Something asked of pairs."""
        relation = self.pick("j != k", "j < k", "LEVEL[j] < LEVEL[k]")
        body = f"at[j] == {self.label()} && at[k] == {self.label()}"
        return f"(exists j, k in P: {relation} && {body})"


def distances(model: Model) -> dict[State, int]:
    """Every reachable state and how far away it is, by the meaning of the model."""
    found = dict.fromkeys(initial(model), 0)
    queue = deque(found)
    while queue:
        state = queue.popleft()
        for outcome in successors(model, state):
            assert isinstance(outcome, Step)
            if outcome.state not in found:
                found[outcome.state] = found[state] + 1
                queue.append(outcome.state)
    return found


def represented(search: Search) -> dict[State, int]:
    """Every state that an annotated state stands for, and the least depth of one that does."""
    found: dict[State, int] = {}
    cover, view = search.cover, search.view
    for number in range(len(cover)):
        cells = [members(c) for c in search.partitions.all[cover.partition[number]]]
        counted = [search.multisets.counts[m] for m in cover.spread[number]]
        values = [[v for v, k in counts for _ in range(k)] for counts in counted]
        for choice in product(*(sorted(set(permutations(v))) for v in values)):
            vector = [0] * view.size
            for cell, arrangement in zip(cells, choice, strict=True):
                for process, local in zip(cell, arrangement, strict=True):
                    vector[process] = local
            state = view.join(cover.shared[number], vector)
            found[state] = min(found.get(state, 1 << 30), cover.depth[number])
    return found
