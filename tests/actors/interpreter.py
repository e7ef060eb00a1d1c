"""A small interpreter of message servers, with a reader of its own: it shares nothing with the front end.

A step is run once for every sequence of choices: the run is repeated with each alternative of the choice it came to
last. Equal alternatives of a choice are one.

A created rebec gets one of the free names ``Class#1``, ``Class#2``, …: any of them, so that names are a choice, too.
What constructors create before the start gets the first free name. States that differ in the names of rebecs created
later are the same up to renaming (`World.renamings`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from itertools import permutations, product
from typing import Any, TypeVar

from actors import tree as s
from actors.reader import Reader

T = TypeVar("T")

LIMITS = {"byte": 8, "short": 16, "int": 32}
ROUNDS = 10_000


class Broken(Exception):
    """A fault of the model: a full queue, a failed assertion, a value outside its type, a division by zero."""


class Left(Exception):
    """``break``, ``continue`` or ``return``."""

    def __init__(self, word: str, value: Any = None) -> None:
        super().__init__(word)
        self.word = word
        self.value = value


class Undecided(Exception):
    """A choice that nobody has decided yet."""

    def __init__(self, alternatives: int) -> None:
        super().__init__(alternatives)
        self.alternatives = alternatives


@dataclass
class Rebec:
    """A rebec while a step runs."""

    kind: str
    values: dict[str, Any]
    queue: list[tuple[Any, ...]]


State = tuple[Any, ...]


class World:
    """A model that can be run; a class may create ``most_created`` rebecs."""

    def __init__(self, text: str, *, keeps_served: bool = False, most_created: int = 3) -> None:
        self.program = Reader(text).program()
        self.classes = {c.name: c for c in self.program.classes}
        self.keeps_served = keeps_served
        self.environment: dict[str, Any] = {}
        for field in self.program.environment:
            self.environment[field.name] = self.first(field)
        self.kinds = {i.name: i.type.name for i in self.program.instances}
        created = {node.type.name for node in _nodes(self.program) if isinstance(node, s.New)}
        self.free_names = {c: [f"{c}#{k + 1}" for k in range(most_created)] for c in self.classes if c in created}
        self.kinds |= {name: kind for kind, names in self.free_names.items() for name in names}
        self.names = list(self.kinds)
        self.is_running = False

    # ------------------------------------------------------------ classes

    def lineage(self, kind: str) -> list[s.ReactiveClass]:
        """A class behind those it inherits from."""
        own = self.classes[kind]
        return [c for name in own.parents for c in self.lineage(name)] + [own]

    def members(self, kind: str, what: str) -> list[Any]:
        """Members of a class, inherited ones first; routines of the same name are replaced."""
        found = [m for c in self.lineage(kind) for m in getattr(c, what)]
        if what in ("known", "variables"):
            return found
        return list({m.name: m for m in found if m.body is not None}.values())

    def routine(self, kind: str, what: str, name: str) -> s.Routine | None:
        """A message server or method."""
        return next((r for r in self.members(kind, what) if r.name == name), None)

    def constructor(self, kind: str) -> s.Routine | None:
        """The constructor of the class, or else the nearest inherited one."""
        return next(reversed(self.members(kind, "constructors")), None)

    def new(self, kind: str, known: tuple[Any, ...]) -> Rebec:
        """A rebec with first values."""
        names = [f.name for f in self.members(kind, "known")]
        values = dict(zip(names, known, strict=True))
        return Rebec(kind, values | {f.name: self.first(f) for f in self.members(kind, "variables")}, [])

    def capacity(self, kind: str) -> int:
        """The length of the queue."""
        queue = self.classes[kind].queue
        return 5 if queue is None else Run(self, {}, "", None, []).value(queue)

    def first(self, field: s.Field) -> Any:
        """The first value of a variable."""
        if field.initial is not None:
            return self._initial(field.initial)
        return self.zero(field.type)

    def zero(self, kind: s.TypeName) -> Any:
        """False, zero, nobody, or an array of these."""
        value: Any = {"boolean": False}.get(kind.name, 0 if kind.name in LIMITS else None)
        for size in reversed(kind.sizes):
            value = (value,) * Run(self, {}, "", None, []).value(size)
        return value

    def _initial(self, initial: s.Node) -> Any:
        if isinstance(initial, s.ArrayValue):
            return tuple(self._initial(i) for i in initial.items)
        return Run(self, {}, "", None, []).value(initial)

    # ------------------------------------------------------------ states

    def initial(self) -> set[State]:
        """The states after all constructors."""
        rebecs = {}
        for instance in self.program.instances:
            rebecs[instance.name] = self.new(instance.type.name, tuple(map(self._argument, instance.known)))
        for instance in self.program.instances:
            server = self.routine(instance.type.name, "servers", "initial")
            if self.constructor(instance.type.name) is None and server is not None:
                arguments = tuple(self._argument(a) for a in instance.arguments)
                rebecs[instance.name].queue.append(("initial", None, *arguments))
        states = {self.freeze(rebecs)}
        for instance in self.program.instances:
            constructor = self.constructor(instance.type.name)
            if constructor is not None:
                arguments = tuple(self._argument(a) for a in instance.arguments)
                outcomes = (o for s in states for o in self.outcomes(s, instance.name, constructor, arguments, None))
                states = {_unbroken(outcome) for outcome in outcomes}
        self.is_running = True
        return states

    def _argument(self, expr: s.Node) -> Any:
        if isinstance(expr, s.Name) and expr.name in self.kinds:
            return expr.name
        return Run(self, {}, "", None, []).value(expr)

    def freeze(self, rebecs: Mapping[str, Rebec]) -> State:
        """A state as a value; names that no rebec has yet have nothing."""
        return tuple(self._frozen(rebecs[n]) if n in rebecs else None for n in self.names)

    @staticmethod
    def _frozen(rebec: Rebec) -> tuple[Any, ...]:
        return tuple(rebec.values.items()), tuple(rebec.queue)

    def thaw(self, state: State) -> dict[str, Rebec]:
        """A state that can be changed."""
        return {
            name: Rebec(self.kinds[name], dict(found[0]), list(found[1]))
            for name, found in zip(self.names, state, strict=True)
            if found is not None
        }

    def renamings(self, fixed: frozenset[str]) -> Iterator[dict[str, str]]:
        """All ways to exchange the names of created rebecs of one class; ``fixed`` ones keep theirs."""
        return exchanges([[n for n in names if n not in fixed] for names in self.free_names.values()])

    def image(self, state: State, names: Mapping[str, str]) -> State:
        """A state with other names."""
        moved = {names.get(n, n): _with_names(found, names) for n, found in zip(self.names, state, strict=True)}
        return tuple(moved[n] for n in self.names)

    def successors(self, state: State) -> Iterator[tuple[str, State | Broken]]:
        """Who takes a message, and a state after it, or what goes wrong."""
        for name, found in zip(self.names, state, strict=True):
            if found is not None and found[1]:
                message, sender, *arguments = found[1][0]
                server = self.routine(self.kinds[name], "servers", message)
                assert server is not None
                for new in self.outcomes(state, name, server, tuple(arguments), sender, served=True):
                    yield name, new

    def outcomes(
        self, state: State, name: str, routine: s.Routine, arguments: tuple[Any, ...], sender: Any, served: bool = False
    ) -> list[State | Broken]:
        """What a routine leads to, one for each way to choose among values that differ."""
        found: list[State | Broken] = []
        waiting: list[list[int]] = [[]]
        while waiting:
            decided = waiting.pop()
            rebecs = self.thaw(state)
            if served and not self.keeps_served:
                rebecs[name].queue.pop(0)
            run = Run(self, rebecs, name, sender, list(decided))
            try:
                run.routine(routine, arguments)
            except Undecided as choice:
                waiting += [[*decided, k] for k in range(choice.alternatives)]
                continue
            except Broken as fault:
                found.append(fault)
                continue
            if served and self.keeps_served:
                rebecs[name].queue.pop(0)
            found.append(self.freeze(rebecs))
        return found


class Run:
    """One run of a routine, with the choices that have been decided."""

    def __init__(self, world: World, rebecs: dict[str, Rebec], name: str, sender: Any, decided: list[int]) -> None:
        self.world = world
        self.rebecs = rebecs
        self.name = name
        self.sender = sender
        self.decided = decided
        self.scopes: list[dict[str, tuple[str, Any]]] = [{}]

    @property
    def own(self) -> Rebec:
        """The rebec that runs."""
        return self.rebecs[self.name]

    # ------------------------------------------------------------ statements

    def routine(self, routine: s.Routine, arguments: tuple[Any, ...]) -> Any:
        """Run a body in a scope of its own."""
        outer, self.scopes = self.scopes, [{}]
        for parameter, argument in zip(routine.parameters, arguments, strict=True):
            self.scopes[0][parameter.name] = (parameter.type.name, self.fit(parameter.type.name, argument))
        assert routine.body is not None
        try:
            self.block(routine.body.body)
        except Left as left:
            return left.value
        finally:
            self.scopes = outer
        return None if routine.result is None else self.world.zero(routine.result)

    def block(self, body: tuple[s.Node, ...]) -> None:
        """Statements with locals of their own."""
        self.scopes.append({})
        try:
            for statement in body:
                self.step(statement)
        finally:
            self.scopes.pop()

    def step(self, statement: s.Node) -> None:
        """One statement."""
        match statement:
            case s.Declaration(fields=fields):
                for field in fields:
                    value = self._first(field)
                    self.scopes[-1][field.name] = (field.type.name, value)
            case s.Evaluate(expression=expression):
                self.value(expression)
            case s.Block(body=body):
                self.block(body)
            case s.If(condition=condition, then=then, otherwise=otherwise):
                if self.value(condition):
                    self.block((then,))
                elif otherwise is not None:
                    self.block((otherwise,))
            case s.Loop():
                self._loop(statement)
            case s.Switch(subject=subject, cases=cases):
                self._switch(self.value(subject), cases)
            case s.Return(value=value):
                raise Left("return", None if value is None else self.value(value))
            case s.Leave(word=word):
                raise Left(word)

    def _first(self, field: s.Field) -> Any:
        if field.initial is None:
            return self.world.zero(field.type)
        if isinstance(field.initial, s.ArrayValue):
            return tuple(self.value(i) for i in field.initial.items)  # type: ignore[arg-type]
        return self.fit(field.type.name, self.value(field.initial))

    def _loop(self, loop: s.Loop) -> None:
        self.scopes.append({})
        try:
            for statement in loop.first:
                self.step(statement)
            for number in range(ROUNDS + 1):
                skip_test = number == 0 and loop.runs_first
                if not skip_test and loop.condition is not None and not self.value(loop.condition):
                    return
                try:
                    self.block((loop.body,))
                except Left as left:
                    if left.word == "break":
                        return
                    if left.word == "return":
                        raise
                for statement in loop.after:
                    self.step(statement)
            raise Broken("a loop without end")
        finally:
            self.scopes.pop()

    def _switch(self, subject: Any, cases: tuple[s.Case, ...]) -> None:
        labels = [None if c.label is None else self.value(c.label) for c in cases]
        if subject in labels:
            start = labels.index(subject)
        elif None in labels:
            start = labels.index(None)
        else:
            return
        try:
            for case in cases[start:]:
                self.block(case.body)
        except Left as left:
            if left.word != "break":
                raise

    # ------------------------------------------------------------ expressions

    def value(self, expr: s.Node) -> Any:
        """The value of an expression, with its effects."""
        match expr:
            case s.Number(value=number):
                return number
            case s.Truth(value=truth):
                return truth
            case s.Null():
                return None
            case s.Self():
                return self.name
            case s.Sender():
                return self.sender
            case s.Name(name=name):
                return self._variable(name)
            case s.Index(array=array, index=index):
                return self._at(self.value(array), self.value(index))
            case s.Unary(operator=sign, operand=operand):
                value = self.value(operand)
                return {"!": lambda: not value, "-": lambda: -value, "+": lambda: value, "~": lambda: ~value}[sign]()
            case s.Binary():
                return self._binary(expr)
            case s.Conditional(condition=condition, then=then, otherwise=otherwise):
                return self.value(then if self.value(condition) else otherwise)
            case s.Cast(type=kind, operand=operand):
                return self._cast(kind.name, self.value(operand))
            case s.InstanceOf(operand=operand, type=kind):
                return self._is_kind(self.value(operand), kind.name)
            case s.Pick(alternatives=alternatives):
                distinct = list(dict.fromkeys(self.value(a) for a in alternatives))
                return distinct[self._decide(len(distinct))]
            case s.Assignment():
                return self._assign(expr)
            case s.Call():
                return self._call(expr)
            case s.New():
                return self._create(expr)
        raise AssertionError(expr)

    def _decide(self, alternatives: int) -> int:
        if alternatives == 1:
            return 0
        if not self.decided:
            raise Undecided(alternatives)
        return self.decided.pop(0)

    def _variable(self, name: str) -> Any:
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name][1]
        if self.name and name in self.own.values:
            return self.own.values[name]
        return self.world.environment[name]

    def _at(self, array: Any, index: int) -> Any:
        if not 0 <= index < len(array):
            raise Broken("index")
        return array[index]

    def _binary(self, expr: s.Binary) -> Any:
        left = self.value(expr.left)
        if expr.operator == "&&":
            return bool(left) and bool(self.value(expr.right))
        if expr.operator == "||":
            return bool(left) or bool(self.value(expr.right))
        return self._apply(expr.operator, left, self.value(expr.right))

    def _apply(self, operator: str, left: Any, right: Any) -> Any:
        if operator in ("/", "%"):
            if right == 0:
                raise Broken("division")
            ratio = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            return ratio if operator == "/" else left - right * ratio
        return {
            "+": lambda: left + right,
            "-": lambda: left - right,
            "*": lambda: left * right,
            "==": lambda: left == right,
            "!=": lambda: left != right,
            "<": lambda: left < right,
            "<=": lambda: left <= right,
            ">": lambda: left > right,
            ">=": lambda: left >= right,
            "&": lambda: left & right,
            "|": lambda: left | right,
            "^": lambda: left ^ right,
            "<<": lambda: left << (right & 31),
            ">>": lambda: left >> (right & 31),
        }[operator]()

    def _cast(self, kind: str, value: Any) -> Any:
        if kind in LIMITS:
            half = 1 << (LIMITS[kind] - 1)
            return (value + half) % (2 * half) - half
        if value is not None and not self._is_kind(value, kind):
            raise Broken("cast")
        return value

    def _is_kind(self, value: Any, kind: str) -> bool:
        return value is not None and kind in {c.name for c in self.world.lineage(self.world.kinds[value])}

    def fit(self, kind: str, value: Any) -> Any:
        """A value that is stored: numbers stay inside their types."""
        if kind in LIMITS:
            half = 1 << (LIMITS[kind] - 1)
            if not -half <= value < half:
                raise Broken("domain")
        return value

    # ------------------------------------------------------------ effects

    def _assign(self, expr: s.Assignment) -> Any:
        name, indices = self._target(expr.target)
        old = self._variable(name)
        for index in indices:
            old = self._at(old, index)
        kind = self._type(name)
        if expr.operator:
            new = self._apply(expr.operator, old, self.value(expr.value))
            new = self._cast(kind, new) if kind in LIMITS else new
        else:
            new = self.fit(kind, self.value(expr.value))
        self._store(name, self._replaced(self._variable(name), indices, new))
        return old if expr.is_old else new

    def _target(self, target: s.Node) -> tuple[str, list[int]]:
        if isinstance(target, s.Index):
            name, indices = self._target(target.array)
            return name, [*indices, self.value(target.index)]
        assert isinstance(target, s.Name)
        return target.name, []

    def _replaced(self, array: Any, indices: list[int], new: Any) -> Any:
        if not indices:
            return new
        self._at(array, indices[0])
        items = list(array)
        items[indices[0]] = self._replaced(items[indices[0]], indices[1:], new)
        return tuple(items)

    def _type(self, name: str) -> str:
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name][0]
        fields = self.world.members(self.own.kind, "variables")
        return next(f.type.name for f in fields if f.name == name)

    def _store(self, name: str, value: Any) -> None:
        for scope in reversed(self.scopes):
            if name in scope:
                scope[name] = (scope[name][0], value)
                return
        self.own.values[name] = value

    def _call(self, call: s.Call) -> Any:
        if call.receiver is not None:
            return self._send(call, self.value(call.receiver))
        if call.name == "assertion":
            if not self.value(call.arguments[0]):
                raise Broken("assertion")
            return None
        method = self.world.routine(self.own.kind, "methods", call.name)
        assert method is not None
        return self.routine(method, tuple(self.value(a) for a in call.arguments))

    def _create(self, new: s.New) -> str:
        kind = new.type.name
        known = tuple(self.value(k) for k in new.known)
        arguments = tuple(self.value(a) for a in new.arguments)
        free = [n for n in self.world.free_names[kind] if n not in self.rebecs]
        if not free:
            raise Broken("limit")
        name = free[self._decide(len(free)) if self.world.is_running else 0]
        self.rebecs[name] = self.world.new(kind, known)
        constructor = self.world.constructor(kind)
        if constructor is not None:
            Run(self.world, self.rebecs, name, self.name, self.decided).routine(constructor, arguments)
        elif self.world.routine(kind, "servers", "initial") is not None:
            self._append(name, "initial", arguments)
        return name

    def _send(self, call: s.Call, target: Any) -> None:
        arguments = tuple(self.value(a) for a in call.arguments)
        if target is None:
            raise Broken("nobody")
        self._append(target, call.name, arguments)

    def _append(self, target: str, message: str, arguments: tuple[Any, ...]) -> None:
        kind = self.world.kinds[target]
        server = self.world.routine(kind, "servers", message)
        if server is None:
            raise Broken("no server")
        for parameter, argument in zip(server.parameters, arguments, strict=True):
            self.fit(parameter.type.name, argument)
        queue = self.rebecs[target].queue
        if len(queue) >= self.world.capacity(kind):
            raise Broken("overflow")
        queue.append((message, self.name, *arguments))


def _nodes(node: Any) -> Iterator[Any]:
    """A node and everything below it."""
    yield node
    for part in node if isinstance(node, tuple) else vars(node).values() if is_dataclass(node) else ():
        yield from _nodes(part)


def exchanges(groups: Collection[Sequence[T]]) -> Iterator[dict[T, T]]:
    """All ways to exchange the members of every group."""
    for arrangement in product(*map(permutations, groups)):
        images: dict[T, T] = {}
        for group, image in zip(groups, arrangement, strict=True):
            images |= zip(group, image, strict=True)
        yield images


def _with_names(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, tuple):
        return tuple(_with_names(v, names) for v in value)
    return names.get(value, value) if isinstance(value, str) else value


def _unbroken(outcome: State | Broken) -> State:
    if isinstance(outcome, Broken):
        raise outcome
    return outcome


@dataclass(frozen=True)
class Counts:
    """The size of a state space; with a fault, nothing else is compared. ``renamed`` counts states up to names."""

    states: int
    transitions: int
    deadlocks: int
    renamed: int = 0
    faults: bool = False


FAULTS = Counts(0, 0, 0, faults=True)


@dataclass(frozen=True)
class Graph:
    """All that can be reached; ``there`` are the rebecs that exist from the start.

    ``depth`` has the states with their distances from the initial ones, ``steps`` who leads where from each of them.
    After a fault nothing deeper is looked at; ``faults`` are those of the last level.
    """

    world: World
    initial: frozenset[State]
    there: frozenset[str]
    depth: Mapping[State, int]
    steps: Mapping[State, list[tuple[str, State]]]
    faults: frozenset[str]

    @property
    def transitions(self) -> int:
        """How many steps there are."""
        return sum(map(len, self.steps.values()))

    @property
    def deadlocks(self) -> list[State]:
        """The states that no step leaves."""
        return [state for state, following in self.steps.items() if not following]

    def orbits(self, renamings: Iterable[Mapping[str, str]]) -> list[State]:
        """A state of every orbit under a group of permutations of names."""
        group, left, found = list(renamings), set(self.depth), []
        while left:
            state = next(iter(left))
            found.append(state)
            left -= {self.world.image(state, names) for names in group}
        return found


def reach(world: World, most: int) -> Graph | None:
    """All reachable states, or None if there are too many; a fault of a constructor is raised."""
    level = world.initial()
    initial = frozenset(level)
    there = frozenset(n for state in level for n, found in zip(world.names, state, strict=True) if found is not None)
    depth = dict.fromkeys(level, 0)
    steps: dict[State, list[tuple[str, State]]] = {}
    faults: set[str] = set()
    while level and not faults:
        following: set[State] = set()
        for state in level:
            outcomes = list(world.successors(state))
            faults |= {str(o) for _, o in outcomes if isinstance(o, Broken)}
            steps[state] = [(name, o) for name, o in outcomes if not isinstance(o, Broken)]
            following |= {o for _, o in steps[state]}
        if faults:
            break
        level = following - depth.keys()
        depth |= dict.fromkeys(level, max(depth.values()) + 1)
        if len(depth) > most:
            return None
    return Graph(world, initial, there, depth, steps, frozenset(faults))


def explore(text: str, *, keeps_served: bool = False, most: int = 100_000, most_created: int = 3) -> Counts | None:
    """The size of the state space, or None if it is too large."""
    world = World(text, keeps_served=keeps_served, most_created=most_created)
    try:
        graph = reach(world, most)
    except Broken:
        return FAULTS
    if graph is None:
        return None
    if graph.faults:
        return FAULTS
    renamed = len(graph.orbits(world.renamings(graph.there)) if world.free_names else graph.depth)
    return Counts(len(graph.depth), graph.transitions, len(graph.deadlocks), renamed)
