"""What a random text does, state by state, from the step rules of the reference page alone. No code of the package.

Terms are those of ``texts``, with values in place of parameters. The ``|||``, ``||`` and hiding at the top of a process
are a network of components; inside a component equal steps to the same rest are one, in a network each component's
count.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, NamedTuple

from process_algebra.texts import PARAMETERS, SKIP, STOP, Text, Tree

DONE = ("done",)
TAU = ("tau", ())
TICK = ("terminate", ())
ROOM = 1
# The values that can be sent over each channel.
SENT = {"h": range(4), "q": range(4), "r": (False, True), "k": range(4)}


class Fault(Exception):
    """A value leaves its range."""


class Store(NamedTuple):
    """The values of variables and the contents of buffers."""

    x: int = 1
    y: int = 0
    b: bool = False
    m: tuple[int, int] = (0, 0)
    q: tuple[int, ...] = ()
    k: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())


@dataclass(frozen=True)
class Step:
    """What a term can do. ``shown`` is the event as it is written, ``why`` the conditions that were asked on the way.

    Halves of a handshake have the channel and the message as label. ``effect`` is what happens to the store.
    """

    kind: str
    label: tuple[str, tuple[Any, ...]]
    rest: Any
    shown: Any = None
    why: tuple[Tree, ...] = ()
    effect: tuple[Tree, ...] = ()
    urgent: bool = False
    movers: frozenset[tuple[int, ...]] = field(default=frozenset({()}), compare=False)


# ---------------------------------------------------------------- expressions and programs


def literal(value: Any) -> Tree:
    """A value as an expression."""
    return ("b", value) if isinstance(value, bool) else ("n", value)


def put(tree: Any, names: dict[str, Tree]) -> Any:
    """An expression with values in place of names; what has become constant is evaluated."""
    match tree:
        case None:
            return None
        case ("p", name):
            return names.get(name, tree)
        case ("m", index):
            return ("m", put(index, names))
        case ("!", inside):
            inside = put(inside, names)
            return ("b", not inside[1]) if inside[0] == "b" else ("!", inside)
        case ("op", sign, left, right):
            left, right = put(left, names), put(right, names)
            known = left[0] in "nb" and right[0] in "nb"
            return literal(apply(sign, left[1], right[1])) if known else ("op", sign, left, right)
    return tree


def apply(sign: str, left: Any, right: Any) -> Any:
    """An operator."""
    match sign:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return left // right
        case "%":
            return left % right
        case "&":
            return left & right
        case "|":
            return left | right
        case "^":
            return left ^ right
        case "==":
            return left == right
        case "!=":
            return left != right
        case "<":
            return left < right
    assert sign == ">="
    return left >= right


def value(tree: Tree, store: Store, names: dict[str, Any]) -> Any:
    """The value of an expression."""
    match tree:
        case ("n" | "b", known):
            return known
        case ("v", name):
            return getattr(store, name)
        case ("m", index):
            return store.m[value(index, store, names)]
        case ("p", name):
            return names[name]
        case ("!", inside):
            return not value(inside, store, names)
        case ("op", sign, left, right):
            return apply(sign, value(left, store, names), value(right, store, names))
    raise ValueError(tree)


def put_program(program: tuple[Tree, ...], names: dict[str, Tree], macros: dict[str, Any]) -> tuple[Tree, ...]:
    """A program with values in place of names, macros written out as blocks; a local hides what it is called like."""
    names, found = dict(names), list[Tree]()
    for statement in program:
        match statement:
            case ("set", ("m", index), new):
                found.append(("set", ("m", put(index, names)), put(new, names)))
            case ("set", target, new):
                found.append(("set", target, put(new, names)))
            case ("local", name, new):
                found.append(("local", name, put(new, names)))
                names.pop(name, None)
            case ("if", condition, then, otherwise):
                parts = put_program(then, names, macros), put_program(otherwise, names, macros)
                found.append(("if", put(condition, names), *parts))
            case ("while", condition, body):
                found.append(("while", put(condition, names), put_program(body, names, macros)))
            case ("perform", macro, argument):
                found.append(("macro", put(argument, names), put_program(macros[macro], {}, macros)))
    return tuple(found)


def run(program: tuple[Tree, ...], store: Store, outer: dict[str, Any]) -> Store:
    """The store after a program; locals of its own end with it, what it does to those outside stays."""
    names = dict(outer)
    own = set[str]()
    for statement in program:
        match statement:
            case ("local", name, new):
                names[name] = value(new, store, names)
                own.add(name)
            case ("set", ("m", index), new):
                at, items = value(index, store, names), list(store.m)
                items[at] = value(new, store, names)
                store = store._replace(m=tuple(items))
            case ("set", ("v", name), new):
                store = store._replace(**{name: value(new, store, names)})
                if name == "y" and not 0 <= store.y <= 3:
                    raise Fault
            case ("if", condition, then, otherwise):
                store = run(then if value(condition, store, names) else otherwise, store, names)
            case ("while", condition, body):
                while value(condition, store, names):
                    store = run(body, store, names)
            case ("macro", argument, body):
                store = run(body, store, {"i": value(argument, store, names)})
    return store


# ---------------------------------------------------------------- the rules


class Machine:
    """Runs the processes of a text."""

    def __init__(self, text: Text) -> None:
        self.text = text

    def body(self, call: Tree) -> Tree:
        """What a call with known arguments stands for."""
        _, name, arguments = call
        names = dict(zip("i", arguments, strict=False)) if PARAMETERS[name] else {}
        return self.put_term(self.text.definitions[name], names)

    def put_term(self, term: Tree, names: dict[str, Tree]) -> Tree:
        """A term with values in place of names. What an input leads to keeps its names, and their values beside it."""
        again = self.put_term
        match term:
            case ("call", name, arguments):
                return ("call", name, tuple(put(a, names) for a in arguments))
            case ("pre", event, arguments, rest):
                return ("pre", event, tuple(put(a, names) for a in arguments), again(rest, names))
            case ("op", event, arguments, program, rest):
                done = put_program(program, names, self.text.macros)
                return ("op", event, tuple(put(a, names) for a in arguments), done, again(rest, names))
            case ("out", channel, index, message, program, rest):
                done = put_program(program, names, self.text.macros)
                return ("out", channel, put(index, names), put(message, names), done, again(rest, names))
            case ("in", channel, index, pattern, condition, program, rest):
                used = {n: v for n, v in names.items() if n in mentioned((condition, program, rest))}
                known = tuple(sorted(used.items()))
                return ("in", channel, put(index, names), put(pattern, names), condition, program, rest, known)
            case ("guard" | "ifb" as kind, condition, rest):
                return (kind, put(condition, names), again(rest, names))
            case ("if" | "ifa" as kind, condition, then, otherwise):
                return (kind, put(condition, names), again(then, names), again(otherwise, names))
            case ("case", first, one, second, other):
                return ("case", put(first, names), again(one, names), put(second, names), again(other, names))
            case ("atomic", body, begun):
                return ("atomic", again(body, names), begun)
            case ("hide", body, events):
                return ("hide", again(body, names), events)
            case ("seq" | "interrupt" | "[]" | "[*]" | "<>" | "|||" | "||" as kind, *parts):
                return (kind, *(again(p, names) for p in parts))
        return term

    def ready(self, term: Tree) -> Tree:
        """Calls replaced where they could act; Skip; Q is Q; alphabets fixed."""
        match term:
            case ("call", _, arguments) if all(a[0] in "nb" for a in arguments):
                return self.ready(self.body(term))
            case ("seq", first, second):
                first = self.ready(first)
                return self.ready(second) if first == SKIP else ("seq", first, second)
            case ("guard", ("b", False), _):
                return term
            case ("guard", condition, rest):
                return ("guard", condition, self.ready(rest))
            case ("ifa", ("b", is_true), then, otherwise):  # what parameters rule out is not left to be done
                return ("ifa", ("b", True), self.ready(then if is_true else otherwise), STOP)
            case ("ifa", condition, then, otherwise):
                return ("ifa", condition, self.ready(then), self.ready(otherwise))
            case ("atomic", body, begun):
                body = self.ready(body)
                return ("atomic", body[1], begun or body[2]) if body[0] == "atomic" else ("atomic", body, begun)
            case ("hide", body, events):
                body = self.ready(body)
                return ("hide", body[1], body[2] | events) if body[0] == "hide" else ("hide", body, events)
            case ("||", *parts):
                return ("par", tuple(self.alphabet(p) for p in parts), *map(self.ready, parts))
            case ("par", alphabets, *parts):
                return ("par", alphabets, *map(self.ready, parts))
            case ("[]" | "[*]" | "|||" | "interrupt" as kind, *parts):
                return (kind, *map(self.ready, parts))
        return term

    # ------------------------------------------------------------ alphabets

    def alphabet(self, term: Tree) -> frozenset[Any]:
        """The plain events that a process could ever do."""
        found, seen, pending = set[Any](), set[Any](), [(term, frozenset[Any]())]
        while pending:
            entry = pending.pop()
            if entry in seen:
                continue
            seen.add(entry)
            at, hidden = entry
            match at:
                case ("call", name, arguments):
                    if name in self.text.alphabets:
                        found |= set(self.text.alphabets[name]) - hidden
                    else:
                        pending += [(self.body(("call", name, row)), hidden) for row in rows_of(arguments)]
                case ("pre", event, arguments, rest):
                    if event != "tau":
                        found |= {(event, row) for row in rows_of(arguments)} - hidden
                    pending.append((rest, hidden))
                case ("hide", body, events):
                    pending.append((body, hidden | events))
                case ("guard", condition, rest) | ("ifb", condition, rest):
                    pending += [(rest, hidden)] if condition != ("b", False) else []
                case ("if" | "ifa", condition, then, otherwise):
                    pending += [(then, hidden)] if condition != ("b", False) else []
                    pending += [(otherwise, hidden)] if condition != ("b", True) else []
                case ("case", first, one, second, other):
                    live = [(first, one), (second, other)]
                    for condition, branch in live:
                        pending += [(branch, hidden)] if condition != ("b", False) else []
                        if condition == ("b", True):
                            break
                case ("in", *_, rest, known):
                    pending.append((self.put_term(rest, dict(known)), hidden))
                case ("op" | "out", *_, rest):
                    pending.append((rest, hidden))
                case ("atomic", body, _):
                    pending.append((body, hidden))
                case ("par", _, *parts) | ("seq" | "interrupt" | "[]" | "[*]" | "<>" | "|||" | "||", *parts):
                    pending += [(p, hidden) for p in parts]
        return frozenset(found)

    # ------------------------------------------------------------ steps of terms

    def steps(self, term: Tree, store: Store) -> list[Step]:
        """The steps of a component, each once; whoever could do it takes part."""
        found: dict[Step, Step] = {}
        for step in self._steps(term, store):
            known = found.get(step)
            found[step] = step if known is None else replace(known, movers=known.movers | step.movers)
        return list(found.values())

    def _steps(self, term: Tree, store: Store) -> Iterator[Step]:
        match term:
            case ("skip",):
                yield Step("tick", TICK, DONE)
            case ("pre", event, arguments, rest):
                label = (event, tuple(value(a, store, {}) for a in arguments))
                if event == "tau":
                    yield Step("tau", TAU, self.ready(rest))
                else:
                    yield Step("event", label, self.ready(rest), arguments)
            case ("op", event, arguments, program, rest):
                label = (event, tuple(value(a, store, {}) for a in arguments))
                kind, shown = ("tau", None) if event == "tau" else ("operation", arguments)
                yield Step(kind, label, self.ready(rest), shown, (), (("run", program),))
            case ("call", name, arguments):
                known = tuple(literal(value(a, store, {})) for a in arguments)
                why = tuple(("op", "==", a, v) for a, v in zip(arguments, known, strict=True) if a[0] not in "nb")
                for s in self.steps(self.ready(("call", name, known)), store):
                    yield replace(s, why=both(why, s.why))
            case ("out", *_):
                yield from self._send(term, store)
            case ("in", *_):
                yield from self._receive(term, store)
            case ("guard", condition, rest):
                yield from self._under(condition, rest, store)
            case ("ifb", condition, rest):
                yield from self._test([(condition, rest)], store)
            case ("if", condition, then, otherwise):
                yield from self._test([(condition, then), (("b", True), otherwise)], store)
            case ("case", first, one, second, other):
                yield from self._test([(first, one), (second, other), (("b", True), SKIP)], store)
            case ("ifa", condition, then, otherwise):
                if value(condition, store, {}):
                    yield from self._under(condition, then, store)
                else:
                    yield from self._under(put(("!", condition), {}), otherwise, store)
            case ("seq", first, second):
                for s in self.steps(first, store):
                    if s.kind == "tick":
                        yield replace(s, kind="tau", label=TAU, shown=None, rest=self.ready(second))
                    else:
                        yield replace(s, rest=self.ready(("seq", s.rest, second)))
            case ("[]", *parts):
                for part in parts:
                    yield from self.steps(part, store)
            case ("[*]", *parts):
                for k, part in enumerate(parts):
                    for s in self.steps(part, store):
                        stays = ("[*]", *parts[:k], s.rest, *parts[k + 1 :])
                        yield replace(s, rest=stays) if s.kind == "tau" else s
            case ("<>", *parts):
                for part in parts:
                    yield Step("tau", TAU, self.ready(part))
            case ("interrupt", body, by):
                for s in self.steps(body, store):
                    yield replace(s, rest=DONE if s.kind == "tick" else ("interrupt", s.rest, by))
                for s in self.steps(by, store):
                    yield replace(s, rest=("interrupt", body, s.rest)) if s.kind == "tau" else s
            case ("atomic", body, begun):
                for s in self.steps(body, store):
                    inner = self.ready(("atomic", s.rest, True))
                    yield replace(s, rest=DONE if s.kind == "tick" else inner, urgent=s.urgent or begun)
            case ("hide", body, events):
                for s in hide(self.steps(body, store), events):
                    yield replace(s, rest=DONE if s.kind == "tick" else self.ready(("hide", s.rest, events)))
            case ("|||", *parts):
                for moved, s in together([self.steps(p, store) for p in parts], None):
                    rest = ("|||", *(moved[k].rest if k in moved else p for k, p in enumerate(parts)))
                    yield replace(s, rest=DONE if s.kind == "tick" else rest)
            case ("par", alphabets, *parts):
                for moved, s in together([self.steps(p, store) for p in parts], alphabets):
                    rest = ("par", alphabets, *(moved[k].rest if k in moved else p for k, p in enumerate(parts)))
                    yield replace(s, rest=DONE if s.kind == "tick" else rest)

    def _under(self, condition: Tree, body: Tree, store: Store) -> Iterator[Step]:
        if value(condition, store, {}):
            for s in self.steps(body, store):
                yield replace(s, why=both(asked(condition), s.why))

    def _test(self, branches: list[tuple[Tree, Tree]], store: Store) -> Iterator[Step]:
        failed: tuple[Tree, ...] = ()
        for condition, branch in branches:
            if value(condition, store, {}):
                yield Step("tau", TAU, self.ready(branch), None, both(failed, asked(condition)))
                return
            failed = both(failed, asked(put(("!", condition), {})))

    def _send(self, term: Tree, store: Store) -> Iterator[Step]:
        _, channel, index, message, program, rest = term
        at = () if index is None else (value(index, store, {}),)
        sent = value(message, store, {})
        shown = (index, message)
        if channel in "hr":
            yield Step("send", (channel, (sent,)), self.ready(rest), shown, (), (("run", program),))
        elif len(buffer_of(store, channel, at)) < ROOM:
            effect = (("push", channel, at, sent), ("run", program))
            yield Step("operation", (f"{channel}!", (*at, sent)), self.ready(rest), shown, (), effect)

    def _receive(self, term: Tree, store: Store) -> Iterator[Step]:
        _, channel, index, pattern, condition, program, rest, known = term
        at = () if index is None else (value(index, store, {}),)
        waiting = SENT[channel] if channel in "hr" else buffer_of(store, channel, at)[:1]
        for message in waiting:
            names, why = dict(known), ()
            if pattern[0] == "bind":
                names[pattern[1]] = literal(message)
            elif value(pattern, store, {}) != message:
                continue
            elif pattern[0] not in "nb":
                why = (("op", "==", pattern, literal(message)),)
            if condition is not None:
                asks = put(condition, names)
                if not value(asks, store, {}):
                    continue
                why = both(why, asked(asks))
            done = ("run", put_program(program, names, self.text.macros))
            after = self.ready(self.put_term(rest, names))
            if channel in "hr":
                yield Step("receive", (channel, (message,)), after, index, why, (done,))
            else:
                label = (f"{channel}?", (*at, message))
                yield Step("operation", label, after, index, why, (("pop", channel, at), done))

    # ------------------------------------------------------------ networks

    def opened(self, term: Tree) -> Tree:
        """What calls stand for, as long as they stand for calls."""
        while term[0] == "call" and all(a[0] in "nb" for a in term[2]):
            term = self.body(term)
        return term

    def network(self, term: Tree, leaves: list[Tree]) -> Any:
        """The network of a process; components go to ``leaves``."""
        opened = self.opened(term)
        match opened:
            case ("|||", *parts):
                return ("side", None, [self.network(p, leaves) for p in parts])
            case ("||", *parts):
                return ("side", tuple(map(self.alphabet, parts)), [self.network(p, leaves) for p in parts])
            case ("hide", body, events) if self.opened(body)[0] in ("|||", "||", "hide"):
                return ("hidden", self.network(body, leaves), events)
        leaves.append(self.ready(term))
        return ("leaf", len(leaves) - 1)

    def network_steps(self, network: Any, leaves: tuple[Tree, ...], store: Store) -> list[Step]:
        """The steps of a network; the rest of a step says which components become what."""
        match network:
            case ("leaf", k):
                found = self.steps(leaves[k], store)
                return [replace(s, rest=((k, s.rest),), movers=frozenset((k, *m) for m in s.movers)) for s in found]
            case ("hidden", body, events):
                return list(hide(self.network_steps(body, leaves, store), events))
        _, alphabets, parts = network
        offers = [self.network_steps(p, leaves, store) for p in parts]
        found = []
        for moved, s in together(offers, alphabets):
            who = frozenset(m for step in moved.values() for m in step.movers)
            found.append(replace(s, rest=tuple(r for step in moved.values() for r in step.rest), movers=who))
        return found


def asked(condition: Tree) -> tuple[Tree, ...]:
    """What has to be asked for a condition that holds."""
    return () if condition[0] == "b" else (condition,)


def both(first: tuple[Tree, ...], second: tuple[Tree, ...]) -> tuple[Tree, ...]:
    """Conditions in order, each once."""
    return tuple(dict.fromkeys((*first, *second)))


def mentioned(tree: Any) -> set[str]:
    """Names of parameters that a tree mentions."""
    if not isinstance(tree, tuple):
        return set()
    if len(tree) == 2 and tree[0] == "p" and isinstance(tree[1], str):
        return {tree[1]}
    own = {tree[1]} if len(tree) == 3 and tree[0] == "local" else set()
    return own.union(*map(mentioned, tree)) - (own or set())


def rows_of(arguments: tuple[Tree, ...]) -> list[tuple[Tree, ...]]:
    """The values that arguments have together, for all values of what is declared: y in 0..3, and b."""
    found = {}
    for y, b in product(range(4), (False, True)):
        row = tuple(literal(value(a, Store(y=y, b=b), {})) for a in arguments)
        found[row] = None
    return list(found)


def buffer_of(store: Store, channel: str, at: tuple[int, ...]) -> tuple[int, ...]:
    """What a buffer holds."""
    return store.q if channel == "q" else store.k[at[0]]


def with_buffer(store: Store, channel: str, at: tuple[int, ...], items: tuple[int, ...]) -> Store:
    """A store with other contents of a buffer."""
    if channel == "q":
        return store._replace(q=items)
    both_ = list(store.k)
    both_[at[0]] = items
    return store._replace(k=tuple(both_))


def after(effect: tuple[Tree, ...], store: Store) -> Store:
    """The store after what a step does."""
    for action in effect:
        match action:
            case ("push", channel, at, message):
                store = with_buffer(store, channel, at, (*buffer_of(store, channel, at), message))
            case ("pop", channel, at):
                store = with_buffer(store, channel, at, buffer_of(store, channel, at)[1:])
            case ("run", program):
                store = run(program, store, {})
    return store


def key(step: Step) -> Any:
    """The event of a step as it stands in an alphabet."""
    return step.label[0], tuple(map(literal, step.label[1]))


def is_open(arguments: Any) -> bool:
    """Whether arguments, as they are written, depend on the state."""
    return isinstance(arguments, tuple) and any(a is not None and a[0] not in "nb" for a in arguments)


def fixed(step: Step) -> Step:
    """A step whose event has values as arguments, under the condition that the arguments have them."""
    values = key(step)[1]
    pairs = zip(step.shown, values, strict=True)
    why = tuple(("op", "==", a, v) for a, v in pairs if a[0] not in "nb")
    return replace(step, shown=values, why=both(step.why, why))


def hide(steps: list[Step], events: frozenset[Any]) -> Iterator[Step]:
    """Steps with some events turned into taus."""
    for s in steps:
        if s.kind in ("event", "operation") and key(s) in events:
            why = both(s.why, (("hidden", s.shown, events),) if is_open(s.shown) else ())
            yield replace(s, kind="tau", label=TAU, shown=None, why=why)
        else:
            yield s


def together(offers: list[list[Step]], alphabets: Any) -> Iterator[tuple[dict[int, Step], Step]]:
    """What parts side by side can do: who moves, and the joint step; its rest is still to be put together."""

    def joint(moved: dict[int, Step], first: Step, effect: tuple[Tree, ...]) -> tuple[dict[int, Step], Step]:
        why: tuple[Tree, ...] = ()
        for s in moved.values():
            why = both(why, s.why)
        who = frozenset((k, *m) for k, s in moved.items() for m in s.movers)
        urgent = any(s.urgent for s in moved.values())
        return moved, replace(first, why=why, effect=effect, movers=who, urgent=urgent, rest=None)

    for k, steps in enumerate(offers):
        for s in steps:
            shared = alphabets is not None and s.kind == "event" and key(s) in alphabets[k]
            if s.kind != "tick" and not shared:
                yield joint({k: s}, s, s.effect)
    for j, k in product(range(len(offers)), repeat=2):
        for s, r in product(offers[j], offers[k]):
            if j != k and s.kind == "send" and r.kind == "receive" and s.label == r.label:
                yield joint({j: s, k: r}, replace(s, kind="operation"), (*s.effect, *r.effect))
    if alphabets is not None:
        for event in frozenset().union(*alphabets):
            members = [k for k in range(len(offers)) if event in alphabets[k]]
            ways = [[fixed(s) for s in offers[k] if s.kind == "event" and key(s) == event] for k in members]
            for chosen in product(*ways):
                yield joint(dict(zip(members, chosen, strict=True)), chosen[0], ())
    ticks = [[s for s in steps if s.kind == "tick"] for steps in offers]
    for chosen in product(*ticks):
        yield joint(dict(enumerate(chosen)), chosen[0], ())


# ---------------------------------------------------------------- all states


@dataclass
class Graph:
    """All states by number, with their distance from the start; a state that faults has no steps."""

    states: list[Any]
    distance: list[int]
    edges: list[list[tuple[Any, int, frozenset[Any]]]]  # label, target, who acts
    faults: set[int]
    ended: set[int]


def explore(machine: Machine, root: Tree, most: int = 120) -> Graph | None:
    """Everything a process does; None if that is too much."""
    leaves: list[Tree] = []
    network = machine.network(machine.put_term(root, {}), leaves)
    start = (tuple(leaves), Store())
    graph = Graph([start], [0], [], set(), set())
    numbers = {start: 0}
    for number, (terms, store) in enumerate(graph.states):  # grows while it is walked
        steps = [s for s in machine.network_steps(network, terms, store) if s.kind not in ("send", "receive")]
        if any(s.urgent for s in steps):
            steps = [s for s in steps if s.urgent]
        if all(t == DONE for t in terms):
            graph.ended.add(number)
        graph.edges.append([])
        for s in steps:
            changed = dict(s.rest)
            try:
                target = (tuple(changed.get(k, t) for k, t in enumerate(terms)), after(s.effect, store))
            except Fault:
                graph.faults.add(number)
                continue
            if target not in numbers:
                numbers[target] = len(numbers)
                graph.states.append(target)
                graph.distance.append(graph.distance[number] + 1)
            graph.edges[number].append((s.label, numbers[target], s.movers))
        if len(graph.states) > most or max(abs(store.x), abs(store.m[0]), abs(store.m[1])) > 10**6:
            return None
    return graph
