"""Random CSP# texts as trees of tuples, and how they are written.

Expressions: ``("n", 1)``, ``("b", True)``, ``("v", name)`` a variable, ``("m", index)`` an element of the array,
``("p", name)`` a parameter, a received name or a local, ``("op", sign, left, right)``, ``("!", inside)``.

Numbers that are sent, passed on or shown are in 0..3. The variables ``x`` and ``m`` have no range, ``y`` is in 0..3,
and ``b`` is a truth value.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

Tree = tuple[Any, ...]

STOP, SKIP = ("stop",), ("skip",)
DECLARED = """\
var x = 1;
var y:{0..3};
var b = false;
var m[2];
channel h 0;
channel q 1;
channel r 0;
channel k[2] 1;
W() = w{x = 0; y = 0; b = false; m[0] = 0;} -> a -> c -> e.0 -> g.true -> Stop;
"""
LARGE = 1_900_000_000
# Definitions: their parameters, and the kinds of values these get.
PARAMETERS = {"A": "n", "B": "nb", "C": "", "D": "b"}
KINDS = [
    *["pre"] * 4,
    *["op"] * 4,
    *(
        "out",
        "out",
        "in",
        "in",
        "guard",
        "ifb",
        "if",
        "ifa",
        "case",
        "seq",
        "seq",
        "interrupt",
        "[]",
        "[]",
        "[*]",
        "<>",
    ),
    *("|||", "|||", "||", "||", "atomic", "hide", "call", "call"),
]
EVENTS = [("a", ()), ("c", ()), *(("e", (("n", k),)) for k in range(4)), *(("g", (("b", t),)) for t in (False, True))]


@dataclass
class Text:
    """A random text: definitions by name, macros, two processes, assertions about the first."""

    definitions: dict[str, Tree]
    macros: dict[str, Tree]
    alphabets: dict[str, tuple[Any, ...]]
    root: Tree
    other: Tree
    reached: Tree
    best: tuple[str, Tree]
    formula: tuple[str, str, Tree]


class Writer:
    """Makes random trees. With ``||`` in a text, events have only arguments whose values are declared."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.names = [n for n in PARAMETERS if chance.random() < 0.5]
        self.has_parallel = chance.random() < 0.4
        self.fresh = 0
        self.known_macros: list[str] = []

    # ------------------------------------------------------------ expressions

    def number(self, names: dict[str, str], depth: int = 1, *, narrow: bool = False) -> Tree:
        """Any number; a narrow one says of what values it has."""
        pick = self.chance.random()
        known = [n for n, kind in names.items() if kind == "n"]
        if narrow and self.has_parallel:
            known = [n for n in known if n in "ij"]
        if depth and pick < 0.1:
            return self.other_operation(self.number(names, 0, narrow=narrow))
        if depth and pick < 0.35:
            return (
                "op",
                self.chance.choice("+-*"),
                self.number(names, 0, narrow=narrow),
                self.number(names, 0, narrow=narrow),
            )
        if known and pick < 0.6:
            return ("p", self.chance.choice(known))
        if pick < 0.75:
            return ("n", self.chance.randint(0, 3))
        if narrow and self.has_parallel:
            return ("v", "y")
        return self.chance.choice([("v", "x"), ("v", "y"), ("m", self.index(names))])

    def other_operation(self, inside: Tree) -> Tree:
        """A division, bits, or a product with a number so large that no variable holds the result."""
        sign = self.chance.choice("/%&|^*")
        if sign == "*":
            large = ("op", "*", inside, ("n", LARGE))
            return self.chance.choice([large, ("op", "/", large, ("n", LARGE // 2)), ("op", "%", large, ("n", 7))])
        return ("op", sign, inside, ("n", self.chance.choice([2, 3, 5, -2, -3])))

    def held(self, names: dict[str, str]) -> Tree:
        """A number that a local can hold."""
        inside = self.number(names)
        return ("op", "%", inside, ("n", 1_000)) if f"{LARGE}" in repr(inside) else inside

    def index(self, names: dict[str, str]) -> Tree:
        """A number in 0..1."""
        return (
            ("n", self.chance.randint(0, 1))
            if self.chance.random() < 0.6
            else ("op", "%", self.number(names, 0), ("n", 2))
        )

    def small(self, names: dict[str, str]) -> Tree:
        """A number in 0..3 that can be sent, passed on or shown; on the way there it may be large."""
        if self.chance.random() < 0.15:
            inside = self.chance.choice([("v", "y"), ("op", "-", ("n", 3), ("v", "y"))])
            return ("op", "/", ("op", "*", inside, ("n", LARGE)), ("n", LARGE))
        inside = self.number(names, narrow=True)
        return inside if inside[0] == "n" or inside == ("v", "y") else ("op", "%", inside, ("n", 4))

    def truth(self, names: dict[str, str], *, narrow: bool = False) -> Tree:
        """A truth value."""
        known = [n for n, kind in names.items() if kind == "b" and not (narrow and self.has_parallel and n not in "ij")]
        choices = [("b", self.chance.random() < 0.5), ("v", "b"), *(("p", n) for n in known)]
        return self.chance.choice(choices)

    def condition(self, names: dict[str, str]) -> Tree:
        """A comparison, or a truth value."""
        if self.chance.random() < 0.05:
            return (
                "op",
                self.chance.choice(["<", ">="]),
                ("op", "*", self.number(names, 0), ("n", LARGE)),
                ("n", 3 * 10**9),
            )
        if self.chance.random() < 0.2:
            inside = self.truth(names)
            return inside if self.chance.random() < 0.5 or inside[0] == "b" else ("!", inside)
        return ("op", self.chance.choice(["==", "!=", "<", ">="]), self.number(names), self.number(names, 0))

    # ------------------------------------------------------------ programs

    def program(self, names: dict[str, str], size: int) -> tuple[Tree, ...]:
        """Statements. A variable without range may leave what it is between steps."""
        names, found = dict(names), list[Tree]()
        for _ in range(self.chance.randint(1, size)):
            found += self.statement(names, size)
        return tuple(found)

    def statement(self, names: dict[str, str], size: int) -> list[Tree]:
        """One statement, or a few that belong together; a local becomes known."""
        pick = self.chance.random()
        if pick < 0.25:  # out of its range and back
            by = self.chance.choice([("n", 2), ("n", 3), ("v", "y")])
            first = ("set", ("v", "x"), ("op", self.chance.choice("+*-"), ("v", "x"), by))
            back = ("if", ("op", ">=", ("v", "x"), ("n", 3)), (("set", ("v", "x"), self.small(names)),), ())
            low = ("if", ("op", "<", ("v", "x"), ("n", 0)), (("set", ("v", "x"), ("n", 1)),), ())
            return [first, back, low]
        if pick < 0.4:
            return [("set", ("v", "y"), ("op", "%", self.number(names), ("n", 4)))]
        if pick < 0.5:
            return [("set", ("m", self.index(names)), ("op", "%", self.number(names), ("n", 3)))]
        if pick < 0.6:
            return [("set", ("v", "b"), self.condition(names))]
        if pick < 0.72:
            name = self.chance.choice(["t", "u", "i", "h", "at_A"])
            made = ("local", name, self.held(names))
            names[name] = "n"
            return [made, ("set", ("v", "x"), ("op", "%", ("op", "+", ("p", name), ("v", "x")), ("n", 3)))]
        if pick < 0.8 and size > 1:
            return [("if", self.condition(names), self.program(names, 1), self.program(names, 1))]
        if pick < 0.85:
            body = (("set", ("v", "y"), ("op", "+", ("v", "y"), ("n", 1))), *self.program_of_b(names))
            return [("while", ("op", "<", ("v", "y"), ("n", 3)), body)]
        if pick < 0.9:
            return [("set", ("v", "y"), ("op", "+", ("v", "y"), ("n", self.chance.randint(1, 3))))]  # perhaps a fault
        if self.known_macros:
            return [("perform", self.chance.choice(self.known_macros), self.held(names))]
        return [("set", ("v", "b"), ("!", ("v", "b")))]

    def program_of_b(self, names: dict[str, str]) -> tuple[Tree, ...]:
        """Nothing, or something about the truth value."""
        return (("set", ("v", "b"), self.truth(names)),) if self.chance.random() < 0.5 else ()

    def macros(self) -> dict[str, Tree]:
        """Two macros, which copy their argument first and have a local; the second may perform the first."""
        found = {}
        for name in "fF":
            last = ("set", ("v", "x"), ("op", "%", ("op", "+", ("v", "x"), ("p", "t")), ("n", 3)))
            found[name] = (("local", "t", ("p", "i")), *self.program({"t": "n"}, 2), last)
            self.known_macros.append(name)
        return found

    # ------------------------------------------------------------ processes

    def event(self, names: dict[str, str]) -> tuple[str, tuple[Tree, ...]]:
        """A name and its arguments."""
        name = self.chance.choice(["a", "a", "c", "e", "e", "g", "tau"])
        if name == "e":
            return name, (self.small(names),)
        return name, (self.truth(names, narrow=True),) if name == "g" else ()

    def call(self, names: dict[str, str]) -> Tree:
        """A call of some definition."""
        name = self.chance.choice(self.names)
        kinds = PARAMETERS[name]
        if not kinds:
            return ("call", name, ())
        kind = self.chance.choice(kinds)
        own = [n for n, k in names.items() if k == "nb"]
        if kinds == "nb" and own and self.chance.random() < 0.5:
            return ("call", name, (("p", own[0]),))
        if kinds == "nb":  # numbers and truth values in one place
            return ("call", name, (self.chance.choice([("n", 0), ("n", 1), ("b", False), ("b", True)]),))
        return ("call", name, ((self.small if kind == "n" else lambda n: self.truth(n, narrow=True))(names),))

    def definitions(self) -> dict[str, Tree]:
        """A term for every name; each begins with an event."""
        found = {}
        for name in self.names:
            kinds = PARAMETERS[name]
            names = {"i": kinds} if kinds else {}
            found[name] = ("pre", *self.event(names), self.term(self.chance.randint(1, 4), names, tail=True))
        return found

    def term(self, size: int, names: dict[str, str], *, tail: bool) -> Tree:
        """A term of about a size; in tail position it may call."""
        pick = self.chance.choice
        if size <= 1:
            if tail and self.names and self.chance.random() < 0.6:
                return ("pre", *self.event(names), self.call(names))
            return pick([STOP, SKIP, SKIP, ("pre", *self.event(names), STOP), ("pre", *self.event(names), SKIP)])
        kind = pick(KINDS)
        if kind == "||" and not self.has_parallel:
            kind = "|||"
        if kind == "call":
            return self.call(names) if tail and self.names else self.term(size - 1, names, tail=tail)
        if kind == "pre":
            return ("pre", *self.event(names), self.term(size - 1, names, tail=tail))
        if kind == "op":
            return ("op", *self.event(names), self.program(names, 2), self.term(size - 1, names, tail=tail))
        if kind in ("out", "in"):
            return self.communication(kind, size, names, tail=tail)
        if kind in ("guard", "ifb"):
            return (kind, self.condition(names), self.term(size - 1, names, tail=tail))
        if kind == "atomic":
            return ("atomic", self.term(size - 1, names, tail=False), False)
        if kind == "hide":
            hidden = frozenset(self.chance.sample(EVENTS, self.chance.randint(1, 4)))
            return ("hide", self.term(size - 1, names, tail=False), hidden)
        left = self.chance.randint(1, size - 1)
        if kind == "case":
            first, second = self.term(left, names, tail=tail), self.term(size - left, names, tail=tail)
            return ("case", self.condition(names), first, self.condition(names), second)
        if kind in ("if", "ifa"):
            return (
                kind,
                self.condition(names),
                self.term(left, names, tail=tail),
                self.term(size - left, names, tail=tail),
            )
        if kind == "seq":
            return ("seq", self.term(left, names, tail=False), self.term(size - left, names, tail=tail))
        keeps = tail and kind in ("[]", "<>")
        parts = [self.term(left, names, tail=keeps), self.term(size - left, names, tail=keeps)]
        if self.chance.random() < 0.2 and kind != "interrupt":
            parts.append(self.term(1, names, tail=keeps))
        return (kind, *parts)

    def communication(self, kind: str, size: int, names: dict[str, str], *, tail: bool) -> Tree:
        """An output, or an input: the channel, its index, what is sent or taken, perhaps a condition, a program."""
        channel = self.chance.choice("hhqqrk")
        index = self.index(names) if channel == "k" else None
        type_ = "b" if channel == "r" else "n"
        program = self.program(names, 1) if self.chance.random() < 0.3 else ()
        if kind == "out":
            message = self.truth(names, narrow=True) if channel == "r" else self.small(names)
            return ("out", channel, index, message, program, self.term(size - 1, names, tail=tail))
        condition = None
        if self.chance.random() < 0.6:
            self.fresh += 1
            name = f"v{self.fresh}"
            pattern: Tree = ("bind", name)
            names = {**names, name: type_}
            program = self.program(names, 1) if self.chance.random() < 0.5 else ()
            condition = self.condition(names) if self.chance.random() < 0.2 else None
        else:
            pattern = self.truth(names) if channel == "r" else self.small(names)
        return ("in", channel, index, pattern, condition, program, self.term(size - 1, names, tail=tail))


def random_text(chance: random.Random) -> Text:
    """A text; the second process is often related to the first, so that both verdicts come up."""
    writer = Writer(chance)
    macros, definitions = writer.macros(), writer.definitions()
    root = writer.term(chance.randint(2, 8), {}, tail=True)
    if writer.names and chance.random() < 0.3:  # equal components
        call = writer.call({})
        root = ("|||", call, call, *([call] if chance.random() < 0.4 else []))
    if writer.names and chance.random() < 0.15:  # what hides the events of a circle may diverge
        root = ("hide", writer.call({}), frozenset(EVENTS))
    more = writer.term(2, {}, tail=True)
    other = chance.choice([more, ("<>", root, more), ("[]", root, more), ("pre", "tau", (), root), root])
    if chance.random() < 0.2:
        hidden = frozenset([EVENTS[0]])
        root, other = ("hide", root, hidden), ("hide", other, hidden)
    alphabets = {}
    if writer.has_parallel and writer.names and chance.random() < 0.25:
        alphabets[chance.choice(writer.names)] = tuple(chance.sample(EVENTS, chance.randint(1, 4)))
    atom: Tree = ("event", *chance.choice(EVENTS)) if chance.random() < 0.6 else ("holds", writer.condition({}))
    formula = (chance.choice(["[]<>", "<>", "[]", "<>[]"]), chance.choice(["", "!"]), atom)
    best = (chance.choice(["min", "max"]), writer.number({}))
    return Text(definitions, macros, alphabets, root, other, writer.condition({}), best, formula)


# ---------------------------------------------------------------- as CSP#


def show(tree: Tree) -> str:
    """An expression."""
    match tree:
        case ("n", value):
            return str(value)
        case ("b", value):
            return str(value).lower()
        case ("v" | "p", name):
            return str(name)
        case ("bind", name):
            return str(name)
        case ("m", index):
            return f"m[{show(index)}]"
        case ("!", inside):
            return f"!({show(inside)})"
        case ("op", sign, left, right):
            return f"({show(left)} {sign} {show(right)})"
    raise ValueError(tree)


def show_program(program: tuple[Tree, ...]) -> str:
    """Statements in braces."""
    return "{" + " ".join(map(_statement, program)) + "}"


def _statement(statement: Tree) -> str:
    match statement:
        case ("set", target, value):
            return f"{show(target)} = {show(value)};"
        case ("local", name, value):
            return f"var {name} = {show(value)};"
        case ("if", condition, then, otherwise):
            rest = f" else {show_program(otherwise)}" if otherwise else ""
            return f"if ({show(condition)}) {show_program(then)}{rest}"
        case ("while", condition, body):
            return f"while ({show(condition)}) {show_program(body)}"
        case ("perform", macro, argument):
            return f"call({macro}, {show(argument)});"
    raise ValueError(statement)


def show_event(name: str, arguments: tuple[Tree, ...]) -> str:
    """``e.(x % 4)``."""
    return ".".join([name, *(show(a) if a[0] in "nbvp" else f"({show(a)})" for a in arguments)])


def show_term(term: Tree) -> str:
    """A process."""
    match term:
        case ("stop",):
            return "Stop"
        case ("skip",):
            return "Skip"
        case ("call", name, arguments):
            return f"{name}({', '.join(map(show, arguments))})"
        case ("pre", event, arguments, rest):
            return f"({show_event(event, arguments)} -> {show_term(rest)})"
        case ("op", event, arguments, program, rest):
            return f"({show_event(event, arguments)}{show_program(program)} -> {show_term(rest)})"
        case ("out", channel, index, message, program, rest):
            done = show_program(program) if program else ""
            return f"({_place(channel, index)}!{_part(message)}{done} -> {show_term(rest)})"
        case ("in", channel, index, pattern, condition, program, rest):
            asked = "" if condition is None else f"[{show(condition)}]"
            done = show_program(program) if program else ""
            return f"({_place(channel, index)}?{asked}{_part(pattern)}{done} -> {show_term(rest)})"
        case ("guard", condition, rest):
            return f"([{show(condition)}] {show_term(rest)})"
        case ("ifb", condition, rest):
            return f"(ifb ({show(condition)}) {{ {show_term(rest)} }})"
        case ("if" | "ifa" as kind, condition, then, otherwise):
            return f"({kind} ({show(condition)}) {{ {show_term(then)} }} else {{ {show_term(otherwise)} }})"
        case ("case", first, one, second, other):
            return f"(case {{ {show(first)}: ({show_term(one)}) {show(second)}: ({show_term(other)}) }})"
        case ("seq", first, second):
            return f"({show_term(first)}; {show_term(second)})"
        case ("atomic", body, _):
            return f"atomic{{ {show_term(body)} }}"
        case ("hide", body, events):
            return f"({show_term(body)} \\ {{{', '.join(sorted(show_event(*e) for e in events))}}})"
        case (operator, *parts):
            return "(" + f" {operator} ".join(map(show_term, parts)) + ")"
    raise ValueError(term)


def _place(channel: str, index: Tree | None) -> str:
    return channel if index is None else f"{channel}[{show(index)}]"


def _part(message: Tree) -> str:
    return show(message) if message[0] in ("n", "b", "v", "p", "bind") else f"({show(message)})"


CLAIMS = (
    *("deadlockfree", "nonterminating", "divergencefree", "deterministic"),
    *("refines Q()", "refines<F> Q()", "refines<FD> Q()"),
)


def show_text(text: Text) -> str:
    """The whole text, with every claim about the process R."""
    lines = [f"#define {name}(i) {show_program(body)};" for name, body in text.macros.items()]
    lines += [DECLARED]
    lines += [f"{n}({'i' if PARAMETERS[n] else ''}) = {show_term(t)};" for n, t in text.definitions.items()]
    lines += [f"#alphabet {n} {{{', '.join(show_event(*e) for e in events)}}};" for n, events in text.alphabets.items()]
    lines += [f"R() = {show_term(text.root)};", f"Q() = {show_term(text.other)};"]
    lines += [f"#assert R() {claim};" for claim in CLAIMS]
    lines += [f"#define goal {show(text.reached)};", "#assert R() reaches goal;"]
    lines += [f"#assert R() reaches goal with {text.best[0]}({show(text.best[1])});"]
    operators, sign, atom = text.formula
    name = show_event(*atom[1:]) if atom[0] == "event" else "p"
    lines += [f"#define p {show(atom[1])};"] if atom[0] == "holds" else []
    lines += [f"#assert R() |= {operators} {sign}{name};"]
    return "\n".join(lines) + "\n"
