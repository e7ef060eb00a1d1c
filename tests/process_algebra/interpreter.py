"""A direct interpreter of process terms, written from the step rules alone, and random terms to run it on.

It shares no code with the front end: terms are nested tuples, states are concrete (a term, the values of two variables,
the contents of one buffer), and every rule is applied to one state at a time.
"""

from __future__ import annotations

import random
from itertools import product
from typing import Any

from process_algebra.transitions import System

Term = tuple[Any, ...]
STOP, SKIP, DONE = ("stop",), ("skip",), ("done",)
ROOM = 1  # of the buffer 'q'; 'h' is a handshake


# ---------------------------------------------------------------- random terms


class Maker:
    """Random terms; ``names`` are definitions that may be called where nothing is left to do afterwards."""

    def __init__(self, chance: random.Random, names: list[str]) -> None:
        self.chance = chance
        self.names = names

    def condition(self) -> Term:
        """A comparison of a variable with a number."""
        return (self.chance.choice("xy"), self.chance.choice(["==", "!=", "<", ">="]), self.chance.randint(0, 1))

    def call(self) -> Term:
        """A call; the definition C has a parameter, and its argument is a variable or a number."""
        name = self.chance.choice(self.names)
        if name != "C":
            return ("call", name)
        return ("call of", name, self.chance.choice(["x", "y", 0, 1]))

    def definitions(self, events: str = "abc") -> dict[str, Term]:
        """A term for every name, which begins with an event."""
        found: dict[str, Term] = {}
        for name in self.names:
            rest = self.term(self.chance.randint(1, 4), tail=True)
            event = self.chance.choice([*events])
            found[name] = ("pre i", "f", rest) if name == "C" else ("pre", "tau" if event == "t" else event, rest)
        return found

    def term(self, size: int, tail: bool) -> Term:
        """A term of about a size; in tail position it may call."""
        pick = self.chance.choice
        if size <= 1:
            if tail and self.names and self.chance.random() < 0.5:
                return ("pre", pick("ab"), self.call())
            return pick([STOP, SKIP, SKIP, ("pre", pick("abc"), STOP), ("pre", pick("abc"), SKIP)])
        kind = pick(KINDS)
        if kind == "pre":
            return ("pre", pick(["a", "b", "c", "tau"]), self.term(size - 1, tail))
        if kind == "pre of":
            return ("pre of", "e", pick("xy"), self.term(size - 1, tail))
        if kind == "op":
            return ("op", pick(["a", "d", "tau"]), pick("xy"), self.chance.randint(0, 1), self.term(size - 1, tail))
        if kind == "out":
            return ("out", pick("hq"), self.chance.randint(0, 1), self.term(size - 1, tail))
        if kind == "in":
            return ("in", pick("hq"), pick(["v", 0, 1]), pick("xy"), self.term(size - 1, tail))
        if kind in ("guard", "ifb"):
            return (kind, self.condition(), self.term(size - 1, tail))
        if kind in ("atomic", "hide"):
            inner = self.term(size - 1, tail=False)
            return ("atomic", inner, False) if kind == "atomic" else ("hide", inner, pick(HIDDEN))
        left = self.chance.randint(1, size - 1)
        if kind == "case":
            return ("case", self.condition(), self.term(left, tail), self.condition(), self.term(size - left, tail))
        if kind in ("if", "ifa"):
            return (kind, self.condition(), self.term(left, tail), self.term(size - left, tail))
        if kind == "seq":
            return ("seq", self.term(left, tail=False), self.term(size - left, tail))
        if kind == "interrupt":
            return ("interrupt", self.term(left, tail=False), self.term(size - left, tail=False))
        keeps = tail and kind in ("[]", "<>")
        parts = [self.term(left, keeps), self.term(size - left, keeps)]
        if self.chance.random() < 0.2:
            parts.append(self.term(1, keeps))
        return (kind, *parts)


HIDDEN = [frozenset("a"), frozenset("ab"), frozenset("d"), frozenset({"a", "e.0"}), frozenset({"f.1"})]
KINDS = [
    *(
        "pre of",
        "pre",
        "pre",
        "pre",
        "op",
        "op",
        "out",
        "in",
        "guard",
        "ifb",
        "if",
        "ifa",
        "case",
        "seq",
        "seq",
        "interrupt",
    ),
    *("[]", "[*]", "<>", "|||", "|||", "||", "||", "atomic", "hide"),
]


def names_of(chance: random.Random) -> list[str]:
    """Names for definitions: none, some or all."""
    return [name for name in "ABC" if chance.random() < 0.4]


def declarations_of(definitions: dict[str, Term]) -> str:
    """The variables, the channels and the definitions as CSP#."""
    lines = ["var x:{0..1};", "var y:{0..1};", "channel h 0;", f"channel q {ROOM};"]
    lines += [f"{name}({'i' if name == 'C' else ''}) = {text_of(term)};" for name, term in definitions.items()]
    return "\n".join(lines) + "\n"


def text_of(term: Term) -> str:
    """A term as CSP#."""
    match term:
        case ("pre of", event, variable, rest):
            return f"({event}.{variable} -> {text_of(rest)})"
        case ("pre i", event, rest):
            return f"({event}.i -> {text_of(rest)})"
        case ("call of", name, argument):
            return f"{name}({argument})"
        case ("stop",):
            return "Stop"
        case ("skip",):
            return "Skip"
        case ("call", name):
            return f"{name}()"
        case ("pre", event, rest):
            return f"({event} -> {text_of(rest)})"
        case ("op", event, variable, value, rest):
            return f"({event}{{{variable} = {value};}} -> {text_of(rest)})"
        case ("out", channel, value, rest):
            return f"({channel}!{value} -> {text_of(rest)})"
        case ("in", channel, pattern, variable, rest):
            program = f"{{{variable} = v;}}" if pattern == "v" else ""
            return f"({channel}?{pattern}{program} -> {text_of(rest)})"
        case ("guard", condition, rest):
            return f"([{_test(condition)}] {text_of(rest)})"
        case ("ifb", condition, rest):
            return f"(ifb ({_test(condition)}) {{ {text_of(rest)} }})"
        case ("if" | "ifa" as kind, condition, then, otherwise):
            return f"({kind} ({_test(condition)}) {{ {text_of(then)} }} else {{ {text_of(otherwise)} }})"
        case ("case", first, one, second, other):
            return f"(case {{ {_test(first)}: {text_of(one)} {_test(second)}: {text_of(other)} }})"
        case ("seq", first, second):
            return f"({text_of(first)}; {text_of(second)})"
        case ("atomic", body, _):
            return f"atomic{{ {text_of(body)} }}"
        case ("hide", body, events):
            return f"({text_of(body)} \\ {{{', '.join(sorted(events))}}})"
        case (operator, *parts):
            return "(" + f" {operator} ".join(map(text_of, parts)) + ")"
    raise ValueError(term)


def _known(term: Any, pattern: object, value: int) -> Any:
    """A term after an input: if that bound the name, inputs further inside must match its value."""
    if pattern != "v" or not isinstance(term, tuple):
        return term
    if term[:1] == ("in",) and term[2] == "v":
        return ("in known", term[1], value, term[3], _known(term[4], "v", value))
    return tuple(_known(part, "v", value) for part in term)


def _test(condition: Term) -> str:
    return " ".join(map(str, condition))


# ---------------------------------------------------------------- the rules


class Interpreter:
    """Runs terms."""

    def __init__(self, definitions: dict[str, Term]) -> None:
        self.definitions = definitions

    def ready(self, term: Term) -> Term:
        """Names replaced where they could act; Skip;Q is Q; alphabets fixed."""
        match term:
            case ("call", name):
                return self.ready(self.definitions[name])
            case ("call of", name, int() as value):
                kind, event, rest = self.definitions[name]
                assert kind == "pre i"
                return ("pre", f"{event}.{value}", rest)
            case ("seq", first, second):
                first = self.ready(first)
                return self.ready(second) if first == SKIP else ("seq", first, second)
            case ("guard", condition, rest):
                return ("guard", condition, self.ready(rest))
            case ("ifa", condition, then, otherwise):
                return ("ifa", condition, self.ready(then), self.ready(otherwise))
            case ("atomic", body, begun):
                return ("atomic", self.ready(body), begun)
            case ("hide", body, events):
                return ("hide", self.ready(body), events)
            case ("||", *parts):
                return ("par", tuple(self.events(p, set()) for p in parts), *map(self.ready, parts))
            case ("par", alphabets, *parts):
                return ("par", alphabets, *map(self.ready, parts))
            case ("[]" | "[*]" | "|||" | "interrupt" as kind, *parts):
                return (kind, *map(self.ready, parts))
        return term

    def events(self, term: Term, seen: set[str]) -> frozenset[str]:
        """Plain events anywhere inside a term."""
        match term:
            case ("pre", event, rest):
                return self.events(rest, seen) | ({event} - {"tau"})
            case ("pre of", event, _, rest):
                return self.events(rest, seen) | {f"{event}.0", f"{event}.1"}
            case ("call of", name, argument):
                values = (0, 1) if isinstance(argument, str) else (argument,)
                event, rest = self.definitions[name][1:]
                own = frozenset(f"{event}.{value}" for value in values)
                if name in seen:
                    return own
                seen.add(name)
                return own | self.events(rest, seen)
            case ("call", name):
                if name in seen:
                    return frozenset()
                seen.add(name)
                return self.events(self.definitions[name], seen)
            case ("hide", body, hidden):
                # A name is looked at once per path; hidden bodies never call.
                return self.events(body, seen) - hidden
        found: frozenset[str] = frozenset()
        for part in term[1:]:
            if isinstance(part, tuple) and part and isinstance(part[0], str) and part[0] not in ("x", "y"):
                found |= self.events(part, seen)
        return found

    def steps(self, term: Term, x: int, y: int, queue: tuple[int, ...]) -> list[tuple[Any, ...]]:
        """(kind, label, term, x, y, queue, urgent); halves of handshakes have the message as label."""
        same = (x, y, queue)
        values = {"x": x, "y": y}

        def holds(condition: Term) -> bool:
            name, operator, number = condition
            value = values[name]
            return {"==": value == number, "!=": value != number, "<": value < number, ">=": value >= number}[operator]

        def put(variable: str, value: int) -> tuple[int, int]:
            return (value, y) if variable == "x" else (x, value)

        match term:
            case ("skip",):
                return [("tick", "terminate", DONE, *same, False)]
            case ("pre", event, rest):
                return [("tau" if event == "tau" else "event", event, self.ready(rest), *same, False)]
            case ("pre of", event, variable, rest):
                return [("event", f"{event}.{values[variable]}", self.ready(rest), *same, False)]
            case ("call of", name, variable):
                return self.steps(self.ready(("call of", name, values[variable])), *same)
            case ("op", event, variable, value, rest):
                kind = "tau" if event == "tau" else "operation"
                return [(kind, event, self.ready(rest), *put(variable, value), queue, False)]
            case ("out", "h", value, rest):
                return [("send", (value, None), self.ready(rest), *same, False)]
            case ("in", "h", pattern, variable, rest):
                wanted = (0, 1) if pattern == "v" else (pattern,)
                target = variable if pattern == "v" else None
                return [("receive", (v, target), self.ready(_known(rest, pattern, v)), *same, False) for v in wanted]
            case ("in known", "h", value, variable, rest):
                return [("receive", (value, variable), self.ready(rest), *same, False)]
            case ("out", "q", value, rest):
                room = len(queue) < ROOM
                return [("channel", f"q!.{value}", self.ready(rest), x, y, (*queue, value), False)] if room else []
            case ("in", "q", pattern, variable, rest):
                if not queue or pattern not in ("v", queue[0]):
                    return []
                after = put(variable, queue[0]) if pattern == "v" else (x, y)
                rest = self.ready(_known(rest, pattern, queue[0]))
                return [("channel", f"q?.{queue[0]}", rest, *after, queue[1:], False)]
            case ("in known", "q", value, variable, rest):
                if queue[:1] != (value,):
                    return []
                return [("channel", f"q?.{value}", self.ready(rest), *put(variable, value), queue[1:], False)]
            case ("guard", condition, rest):
                return self.steps(rest, *same) if holds(condition) else []
            case ("ifb", condition, rest):
                return [("tau", "tau", self.ready(rest), *same, False)] if holds(condition) else []
            case ("if", condition, then, otherwise):
                return [("tau", "tau", self.ready(then if holds(condition) else otherwise), *same, False)]
            case ("ifa", condition, then, otherwise):
                return self.steps(then if holds(condition) else otherwise, *same)
            case ("case", first, one, second, other):
                chosen = one if holds(first) else other if holds(second) else SKIP
                return [("tau", "tau", self.ready(chosen), *same, False)]
            case ("seq", first, second):
                return [
                    ("tau", "tau", self.ready(second), *s[3:])
                    if s[0] == "tick"
                    else (s[0], s[1], self.ready(("seq", s[2], second)), *s[3:])
                    for s in self.steps(first, *same)
                ]
            case ("[]", *parts):
                return [s for part in parts for s in self.steps(part, *same)]
            case ("[*]", *parts):
                found = []
                for k, part in enumerate(parts):
                    for s in self.steps(part, *same):
                        rest = ("[*]", *parts[:k], s[2], *parts[k + 1 :]) if s[0] == "tau" else s[2]
                        found.append((s[0], s[1], rest, *s[3:]))
                return found
            case ("<>", *parts):
                return [("tau", "tau", self.ready(p), *same, False) for p in parts]
            case ("interrupt", body, by):
                found = []
                for s in self.steps(body, *same):
                    found.append((s[0], s[1], DONE if s[0] == "tick" else ("interrupt", s[2], by), *s[3:]))
                for s in self.steps(by, *same):
                    found.append((s[0], s[1], ("interrupt", body, s[2]) if s[0] == "tau" else s[2], *s[3:]))
                return found
            case ("atomic", body, begun):
                return [
                    (s[0], s[1], DONE if s[0] == "tick" else ("atomic", s[2], True), *s[3:6], s[6] or begun)
                    for s in self.steps(body, *same)
                ]
            case ("hide", body, events):
                found = []
                for s in self.steps(body, *same):
                    hidden = s[0] in ("event", "operation") and s[1] in events
                    kind, label = ("tau", "tau") if hidden else s[:2]
                    found.append((kind, label, DONE if kind == "tick" else ("hide", s[2], events), *s[3:]))
                return found
            case ("|||", *parts):
                return self._together(parts, None, *same)
            case ("par", alphabets, *parts):
                return self._together(parts, alphabets, *same)
        return []

    def _together(
        self, parts: list[Term], alphabets: Any, x: int, y: int, queue: tuple[int, ...]
    ) -> list[tuple[Any, ...]]:
        same = (x, y, queue)
        offers = [self.steps(p, *same) for p in parts]

        def join(moved: dict[int, Term]) -> Term:
            now = [moved.get(k, part) for k, part in enumerate(parts)]
            return ("|||", *now) if alphabets is None else ("par", alphabets, *now)

        found: list[tuple[Any, ...]] = []
        for k, steps in enumerate(offers):
            for s in steps:
                shared = alphabets is not None and s[0] == "event" and s[1] in alphabets[k]
                if s[0] != "tick" and not shared:
                    found.append((s[0], s[1], join({k: s[2]}), *s[3:]))
        if all(any(s[0] == "tick" for s in steps) for steps in offers):
            urgent = any(s[6] for steps in offers for s in steps if s[0] == "tick")
            found.append(("tick", "terminate", DONE, *same, urgent))
        for event in sorted(frozenset().union(*(alphabets or [frozenset()]))):
            members = [k for k in range(len(parts)) if event in alphabets[k]]
            ways = [[s for s in offers[k] if s[0] == "event" and s[1] == event] for k in members]
            for chosen in product(*ways):
                moved = {k: s[2] for k, s in zip(members, chosen, strict=True)}
                found.append(("event", event, join(moved), *same, any(s[6] for s in chosen)))
        for j, k in product(range(len(parts)), repeat=2):
            for s, r in product(offers[j], offers[k]):
                if j != k and s[0] == "send" and r[0] == "receive" and s[1][0] == r[1][0]:
                    value, variable = r[1]
                    now = {"x": x, "y": y} | ({variable: value} if variable else {})
                    label = f"h.{value}"
                    found.append(("channel", label, join({j: s[2], k: r[2]}), now["x"], now["y"], queue, s[6] or r[6]))
        return found

    def system(self, root: Term, most: int = 400) -> System | None:
        """Everything a term does, or None if that is too much."""
        start = (self.ready(root), 0, 0, ())
        seen, pending, found = {start}, [start], set()
        while pending:
            state = pending.pop()
            steps = [s for s in self.steps(*state) if s[0] not in ("send", "receive")]
            if any(s[6] for s in steps):
                steps = [s for s in steps if s[6]]
            for _, label, *after, _ in steps:
                target = tuple(after)
                found.add((state, label, target))
                if target not in seen:
                    seen.add(target)
                    pending.append(target)
            if len(seen) > most:
                return None
        return System(frozenset({start}), frozenset(found), frozenset(s for s in seen if s[0] == DONE))
