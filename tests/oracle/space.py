"""The explicit state space of a model: distances, dead ends, claims, literals and orbits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from .interpreter import Fault, Interpreter, State, Step, TooLarge, choices
from .language import Model, Property, Tree

Literal: TypeAlias = str
Permutation: TypeAlias = Mapping[Literal, Literal]


@dataclass(frozen=True)
class Claim:
    """A property, or a member of a family of properties."""

    family: Property
    arguments: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """As the tool calls it."""
        spelled = [d.spell(a) for (_, d), a in zip(self.family.parameters, self.arguments, strict=True)]
        name = f"`{self.family.name}`" if "(" in self.family.name else self.family.name
        return f"{name}({', '.join(spelled)})" if spelled else name

    @property
    def names(self) -> dict[str, int]:
        """Values of the parameters."""
        return dict(zip((n for n, _ in self.family.parameters), self.arguments, strict=True))


class Space:
    """All reachable states; a run ends where a rule faults, so such a state has no steps."""

    def __init__(self, model: Model, most: int = 400) -> None:
        self.model = model
        self.interpreter = Interpreter(model)
        self.initial: list[State] = []
        self.initially_faults = False
        try:
            self.initial = self.interpreter.initial(20 * most)
        except Fault:
            self.initially_faults = True
        self.distance: dict[State, int] = dict.fromkeys(self.initial, 0)
        self.steps: dict[State, list[Step]] = {}
        self.faulty: dict[State, set[str]] = {}
        waiting = list(self.initial)
        for state in waiting:
            if len(waiting) > most:
                raise TooLarge
            steps, self.faulty[state] = self.interpreter.steps(state)
            self.steps[state] = [] if self.faulty[state] else steps
            for step in self.steps[state]:
                if step.target not in self.distance:
                    self.distance[step.target] = self.distance[state] + 1
                    waiting.append(step.target)

    def __len__(self) -> int:
        return len(self.distance)

    @property
    def depth(self) -> int:
        return max(self.distance.values(), default=0)

    @property
    def transitions(self) -> int:
        return sum(map(len, self.steps.values()))

    @cached_property
    def stuck(self) -> set[State]:
        """States in which no rule is enabled; one that faults is."""
        return {s for s in self.distance if not self.steps[s] and not self.faulty[s]}

    @cached_property
    def _ends(self) -> dict[State, bool | None]:
        """Whether a state that is stuck may be; None if that cannot be said."""
        condition: Tree = self.model.terminal or ("false",)
        return {s: self._holds(condition, s, {}) for s in self.stuck}

    @property
    def deadlocks(self) -> set[State]:
        return {s for s, may_end in self._ends.items() if may_end is False}

    @cached_property
    def faults(self) -> set[State]:
        """States in which a rule faults, or the condition of terminal states."""
        return {s for s in self.distance if self.faulty[s]} | {s for s, m in self._ends.items() if m is None}

    def _holds(self, condition: Tree, state: State, names: Mapping[str, int]) -> bool | None:
        try:
            return bool(self.interpreter.value(condition, state, names))
        except Fault:
            return None

    # ------------------------------------------------------------ claims

    @cached_property
    def claims(self) -> list[Claim]:
        """Everything that is asked, family by family."""
        return [Claim(p, values) for p in self.model.properties for values in choices(p.parameters)]

    def judged(self, claim: Claim) -> tuple[set[State], set[State]]:
        """The states that decide a claim about states, and those in which it faults."""
        if claim.family.kind == "deadlockfree":
            return self._judged_still() if claim.family.stuttering else (self.deadlocks, set())
        decided, faults = set(), set()
        for state in self.distance:
            found = self._holds(claim.family.condition, state, claim.names)
            if found is None:
                faults.add(state)
            elif found is (claim.family.kind == "reachable"):
                decided.add(state)
        return decided, faults

    def _judged_still(self) -> tuple[set[State], set[State]]:
        """The states that are not terminal in which nothing can change, and those where that cannot be said."""
        still = [s for s in self.distance if not self.faulty[s] and all(step.target == s for step in self.steps[s])]
        ends = {s: self._holds(self.model.terminal or ("false",), s, {}) for s in still}
        return {s for s in still if ends[s] is False}, {s for s in still if ends[s] is None}

    def nearest(self, states: Iterable[State]) -> int | None:
        """How many steps lead to some states."""
        return min((self.distance[s] for s in states), default=None)

    # ------------------------------------------------------------ symmetries

    @cached_property
    def literals(self) -> dict[State, frozenset[Literal]]:
        """What is true of single cells in each state, as the tool spells it."""
        return {s: frozenset(self._literals(s)) for s in self.distance}

    @cached_property
    def by_literals(self) -> dict[frozenset[Literal], State]:
        return {found: s for s, found in self.literals.items()}

    def _literals(self, state: State) -> Iterable[Literal]:
        for name, content, variable in self.elements(state):
            if variable.capacity is None:
                yield f"{name} = {variable.domain.spell(content)}"
                continue
            yield f"len({name}) = {len(content)}"
            for k in range(variable.capacity):
                yield f"{name}[{k}] = {variable.domain.spell(content[k]) if k < len(content) else 'empty'}"

    def elements(self, state: State) -> Iterable[tuple[str, object, object]]:
        """Every element of a state by its name."""
        for (name, indices), content in zip(self.interpreter.places, state, strict=True):
            variable = self.interpreter.variables[name]
            spelled = (d.spell(i) for d, i in zip(variable.dimensions, indices, strict=True))
            shown = f"`{name}`" if "[" in name or "(" in name else name  # it could be taken for part of another
            yield shown + "".join(f"[{i}]" for i in spelled), content, variable

    def described(self, state: State) -> dict[str, str]:
        """A state as traces show it."""
        return {
            name: variable.domain.spell(content)
            if variable.capacity is None
            else f"[{', '.join(map(variable.domain.spell, content))}]"
            for name, content, variable in self.elements(state)
        }

    def image(self, permutation: Permutation, state: State) -> State | None:
        """Where a permutation of literals takes a state; None if that is no reachable state."""
        return self.by_literals.get(frozenset(_moved(permutation, x) for x in self.literals[state]))

    def flaw(self, permutation: Permutation, claims: Sequence[Claim]) -> str:
        """Why a permutation is no symmetry of the model and of what is asked; empty if it is one."""
        image = {s: self.image(permutation, s) for s in self.distance}
        if None in image.values() or len(set(image.values())) < len(image):
            return "states"
        if {image[s] for s in self.initial} != set(self.initial):
            return "initial states"
        edges = {(s, step.event.name, step.target) for s in self.distance for step in self.steps[s]}
        if {(image[s], e, image[t]) for s, e, t in edges} != edges:
            return "transitions"
        if {image[s] for s in self.faults} != self.faults:
            return "faults"
        families: dict[str, set[tuple[frozenset[State], frozenset[State]]]] = {}
        for claim in claims:
            decided, faults = self.judged(claim)
            families.setdefault(claim.family.name, set()).add((frozenset(decided), frozenset(faults)))
        for name, members in families.items():  # those that are the same everywhere are one
            if {(frozenset(image[s] for s in d), frozenset(image[s] for s in f)) for d, f in members} != members:
                return f"'{name}'"
        return ""

    def orbits(self, generators: Sequence[Permutation]) -> list[set[State]]:
        """The orbits of all states."""
        orbit_of: dict[State, set[State]] = {s: {s} for s in self.distance}
        for state in self.distance:
            for generator in generators:
                moved = self.image(generator, state)
                one = orbit_of[state]
                if moved is None or moved in one:
                    continue
                other = orbit_of[moved]
                one |= other
                for member in other:
                    orbit_of[member] = one
        return list({id(o): o for o in orbit_of.values()}.values())


def _moved(permutation: Permutation, literal: Literal) -> Literal:
    """Where a literal goes; a variable with very many values moves as a whole."""
    cell, _, value = literal.rpartition(" = ")
    return f"{permutation[cell]} = {value}" if cell in permutation else permutation.get(literal, literal)


def moves_whole_cells(permutation: Permutation) -> bool:
    """Whether it moves variables with very many values, which searches leave where they are."""
    return any(" = " not in point for point in permutation)
