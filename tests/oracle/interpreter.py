"""What a model means: its initial states, its steps, what is true in a state. In the plainest way.

A state is a tuple with an entry for every element of every variable: a number (truth values are 0 and 1, labels their
place), or the tuple of the items of a sequence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, TypeAlias

from .language import Domain, Model, Parameters, Rule, Tree, Variable

State: TypeAlias = tuple[Any, ...]
Names: TypeAlias = Mapping[str, Any]


class Fault(Exception):
    """The model cannot go on."""


class TooLarge(Exception):
    """The model has more states than are looked at."""


@dataclass(frozen=True)
class Event:
    """What is seen of a step: a name, and arguments as pairs of a type and a value."""

    name: str
    arguments: tuple[tuple[str, int], ...]
    spelled: str


@dataclass(frozen=True)
class Step:
    """A rule instance that is enabled, what is seen of it, and where it leads."""

    rule: Rule
    arguments: tuple[int, ...]
    event: Event
    target: State


@dataclass(frozen=True)
class _Unexpanded:
    """An argument of a definition: evaluated where its parameter is read."""

    expression: Tree
    names: Names


def choices(parameters: Parameters) -> Iterator[tuple[int, ...]]:
    """All values of some parameters."""
    return product(*(d.values() for _, d in parameters))


class Interpreter:
    """Evaluates and executes."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.variables: dict[str, Variable] = {v.name: v for v in model.variables}
        self.places: dict[tuple[str, tuple[int, ...]], int] = {}
        for v in model.variables:
            for indices in v.elements():
                self.places[v.name, indices] = len(self.places)
        self.definitions = {name: (parameters, body) for name, parameters, body in model.definitions}

    # ------------------------------------------------------------ expressions

    def value(self, e: Tree, state: State, names: Names) -> int:
        """The value of an expression."""
        match e:
            case ("num", n):
                return int(n)
            case ("true" | "false" as word,):
                return int(word == "true")
            case ("value", _, n):
                return int(n)
            case ("name", name):
                found = names[name]
                return (
                    self.value(found.expression, state, found.names) if isinstance(found, _Unexpanded) else int(found)
                )
            case ("var", name, indices):
                return int(state[self._place(name, indices, state, names)])
            case ("op", operator, a, b):
                return self._operation(operator, a, b, state, names)
            case ("not", a):
                return 1 - self.value(a, state, names)
            case ("ord", a):
                return self.value(a, state, names)
            case ("as", a, domain):
                return _inside(domain, self.value(a, state, names))
            case ("element", name, index):
                dimension, values = names[name]
                return int(values[_inside(dimension, self.value(index, state, names))])
            case ("neg", a):
                return -self.value(a, state, names)
            case ("if", c, a, b):
                return self.value(a if self.value(c, state, names) else b, state, names)
            case ("quantified", kind, bound, body):
                return self._quantified(kind, bound, body, state, names)
            case ("call", name, arguments):
                parameters, body = self.definitions[name]
                given = {p: _Unexpanded(a, names) for (p, _), a in zip(parameters, arguments, strict=True)}
                return self.value(body, state, given)
            case ("min" | "max" as what, operands):
                values = [self.value(o, state, names) for o in operands]
                return min(values) if what == "min" else max(values)
            case ("table", name, (index,)):
                table = self.model.tables[name]
                return int(self._item(table, self.value(index, state, names)))
            case _:
                return self._of_sequence(e, state, names)

    def _operation(self, operator: str, a: Tree, b: Tree, state: State, names: Names) -> int:
        left = self.value(a, state, names)
        if (operator, bool(left)) in (("&&", False), ("||", True)):
            return left
        if operator == "=>" and not left:
            return 1
        right = self.value(b, state, names)
        match operator:
            case "&&" | "||" | "=>":
                return right
            case "<=>" | "==":
                return int(left == right)
            case "!=":
                return int(left != right)
            case "<":
                return int(left < right)
            case "<=":
                return int(left <= right)
            case ">":
                return int(left > right)
            case ">=":
                return int(left >= right)
            case "+":
                return left + right
            case "-":
                return left - right
            case "*":
                return left * right
            case "/" | "%":
                if right == 0:
                    raise Fault("division by zero")
                return left // right if operator == "/" else left % right
            case "&":
                return left & right
            case "|":
                return left | right
            case "^":
                return left ^ right
        raise ValueError(operator)

    def _quantified(self, kind: str, bound: Parameters, body: Tree, state: State, names: Names) -> int:
        total = 0
        for values in choices(bound):
            inner = {**names, **dict(zip((n for n, _ in bound), values, strict=True))}
            found = self.value(body, state, inner)
            if kind == "forall" and not found:
                return 0
            if kind == "exists" and found:
                return 1
            total += found
        return {"forall": 1, "exists": 0}.get(kind, total)

    def _of_sequence(self, e: Tree, state: State, names: Names) -> int:
        place = self._place(e[1], e[2], state, names)
        items, capacity = state[place], self.variables[e[1]].capacity
        match e[0]:
            case "len":
                return len(items)
            case "empty":
                return int(not items)
            case "full":
                return int(len(items) == capacity)
            case "head":
                return int(self._item(items, 0))
            case "item":
                return int(self._item(items, self.value(e[3], state, names)))
        raise ValueError(e)

    @staticmethod
    def _item(items: tuple[int, ...], position: int) -> int:
        if not 0 <= position < len(items):
            raise Fault("position")
        return items[position]

    def _place(self, name: str, indices: tuple[Tree, ...], state: State, names: Names) -> int:
        values = tuple(self.value(i, state, names) for i in indices)
        try:
            return self.places[name, values]
        except KeyError:
            raise Fault("index") from None

    # ------------------------------------------------------------ statements

    def run(self, body: tuple[Tree, ...], state: list[Any], names: Names) -> None:
        """Execute statements; the state is changed, names of the block are forgotten at its end."""
        inner = _Scope(names)
        for statement in body:
            self._execute(statement, state, inner)

    def _execute(self, s: Tree, state: list[Any], names: _Scope) -> None:
        here = state
        match s:
            case ("set", name, indices, value):
                place = self._place(name, indices, here, names)
                state[place] = _inside(self.variables[name].domain, self.value(value, here, names))
            case ("set local", name, value):
                domain, _ = names.local(name)
                names.assign(name, (domain, _inside(domain, self.value(value, here, names))))
            case ("local array", name, dimension, domain, value):
                first = _inside(domain, self.value(value, here, names))
                names.declare(name, (domain, (dimension, dict.fromkeys(dimension.values(), first))))
            case ("set element", name, index, value):
                domain, (dimension, values) = names.local(name)
                at = _inside(dimension, self.value(index, here, names))
                values[at] = _inside(domain, self.value(value, here, names))
            case ("local", name, domain, value):
                names.declare(name, (domain, _inside(domain, self.value(value, here, names))))
            case ("let", name, value):
                names.declare(name, (None, self.value(value, here, names)))
            case ("if", condition, then, otherwise):
                self.run(then if self.value(condition, here, names) else otherwise, state, names)
            case ("for", name, domain, inner):
                for value in domain.values():
                    scope = _Scope(names)
                    scope.declare(name, (None, value))
                    self.run(inner, state, scope)
            case ("while", condition, limit, inner):
                rounds = 0
                while self.value(condition, here, names):
                    if rounds == limit:
                        raise Fault("loop")
                    rounds += 1
                    self.run(inner, state, names)
            case ("assert", condition):
                if not self.value(condition, here, names):
                    raise Fault("assertion")
            case _:
                self._change_sequence(s, state, names)

    def _change_sequence(self, s: Tree, state: list[Any], names: _Scope) -> None:
        here = state
        variable = self.variables[s[1]]
        place = self._place(s[1], s[2], here, names)
        items = state[place]
        match s:
            case ("push", _, _, value):
                item = _inside(variable.domain, self.value(value, here, names))
                if len(items) == variable.capacity:
                    raise Fault("full")
                state[place] = (*items, item)
            case ("pop", _, _):
                if not items:
                    raise Fault("empty")
                state[place] = items[1:]
            case ("clear", _, _):
                state[place] = ()
            case ("set item", _, _, position, value):
                k = self.value(position, here, names)
                self._item(items, k)
                state[place] = (*items[:k], _inside(variable.domain, self.value(value, here, names)), *items[k + 1 :])

    # ------------------------------------------------------------ states and steps

    @cached_property
    def instances(self) -> list[tuple[Rule, tuple[int, ...], dict[str, int]]]:
        """Every rule instance."""
        return [
            (r, values, dict(zip((n for n, _ in r.parameters), values, strict=True)))
            for r in self.model.rules
            for values in choices(r.parameters)
        ]

    def initial(self, most: int) -> list[State]:
        """The initial states; a fault in a condition about them is one of the model."""
        options: list[list[Any]] = [
            [i] if i is not None else list(v.domain.values()) for v in self.model.variables for i in v.initial
        ]
        size = 1
        for option in options:
            size *= len(option)
        if size > most:
            raise TooLarge
        given = [s for s in product(*options) if all(self.value(c, s, {}) for c in self.model.initially)]
        return sorted(self._started(given)) if self.model.starts else given

    def _started(self, given: list[State]) -> set[State]:
        """What start rules make of some states."""
        found: set[State] = set()
        for state in given:
            for rule in self.model.starts:
                for values in choices(rule.parameters):
                    names = dict(zip((n for n, _ in rule.parameters), values, strict=True))
                    if rule.guard is None or self.value(rule.guard, state, names):
                        after = list(state)
                        self.run(rule.body, after, names)
                        found.add(tuple(after))
        return found

    def steps(self, state: State) -> tuple[list[Step], set[str]]:
        """The steps that can be taken, and the names of rules that fault."""
        found, faults = [], set()
        for rule, values, names in self.instances:
            try:
                if rule.guard is not None and not self.value(rule.guard, state, names):
                    continue
                event = self._event(rule, names, state)
                after = list(state)
                self.run(rule.body, after, names)
                found.append(Step(rule, values, event, tuple(after)))
            except Fault:
                faults.add(rule.name)
        return found, faults

    def _event(self, rule: Rule, names: Names, state: State) -> Event:
        if rule.event is None:
            name, arguments = rule.name, [(d, names[n]) for n, d in rule.parameters]
        else:
            name = rule.event[0]
            arguments = [(d, self.value(a, state, names)) for a, d in rule.event[1]]
        spelled = ", ".join(d.spell(v) for d, v in arguments)
        return Event(name, tuple((d.type, v) for d, v in arguments), f"{name}({spelled})" if arguments else name)


class _Scope(Mapping[str, Any]):
    """Names of a block above those around it; what is declared is a pair of a domain and a value."""

    def __init__(self, outer: Names) -> None:
        self._outer = outer
        self._own: dict[str, tuple[Domain | None, Any]] = {}

    def __getitem__(self, name: str) -> Any:
        return self._own[name][1] if name in self._own else self._outer[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**dict.fromkeys(self._outer), **dict.fromkeys(self._own)})

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def declare(self, name: str, value: tuple[Domain | None, Any]) -> None:
        self._own[name] = value

    def local(self, name: str) -> Any:
        return self._own[name] if name in self._own else self._outer.local(name)

    def assign(self, name: str, value: tuple[Domain | None, int]) -> None:
        if name in self._own:
            self._own[name] = value
        else:
            self._outer.assign(name, value)


def _inside(domain: Domain, value: int) -> int:
    if value not in domain.values():
        raise Fault("domain")
    return value
