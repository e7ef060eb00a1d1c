"""Random Rebeca models: small, typed, of every construct that has a meaning.

Most of them run without faults: a message server sends one message at most, so that queues do not overflow, and what
might refer to no rebec is asked first. Some models leave such precautions out.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count

from actors.names import clashing, renamed

Names = list[tuple[str, str]]  # names with their types


@dataclass
class Kind:
    """A class to be written: what it inherits, how its rebecs are known, what they hold, which messages they take."""

    name: str
    parent: Kind | None = None
    is_abstract: bool = False
    known: Names = field(default_factory=list)
    own: Names = field(default_factory=list)
    first: Names | None = None
    servers: dict[str, Names] = field(default_factory=dict)
    has_twice: bool = True

    @property
    def lineage(self) -> list[Kind]:
        """The classes it inherits from, and itself."""
        return [*(self.parent.lineage if self.parent else ()), self]

    @property
    def all_known(self) -> Names:
        """Known rebecs, inherited ones first."""
        return [n for kind in self.lineage for n in kind.known]

    @property
    def variables(self) -> Names:
        """State variables, inherited ones among them."""
        return [n for kind in self.lineage for n in kind.own]

    @property
    def messages(self) -> dict[str, Names]:
        """Message servers with their parameters."""
        return {m: p for kind in self.lineage for m, p in kind.servers.items()}

    @property
    def first_parameters(self) -> Names:
        """The parameters of the constructor or first message."""
        return next((k.first for k in reversed(self.lineage) if k.first is not None), [])


class Writer:
    """Writes one model."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.is_careless = self.chance.random() < 0.12
        self.has_constructors = self.chance.random() < 0.5
        self.has_environment = self.chance.random() < 0.5
        self.kinds = self._kinds()
        self.concrete = [k for k in self.kinds if not k.is_abstract]
        self.living = [k for k in self.concrete if k.name != "Gamma"]
        self.created = next((k for k in self.kinds if k.name == "Gamma"), None)
        for kind in self.kinds:
            self._declare(kind)
        self.locals: Names = []
        self.used = 0
        self.is_first = self.in_loop = self.in_switch = False
        self.rebecs: list[tuple[str, Kind]] = []

    def _kinds(self) -> list[Kind]:
        base = Kind("Origin", is_abstract=self.chance.random() < 0.7) if self.chance.random() < 0.5 else None
        found = [Kind(name) for name in ("Alpha", "Beta")[: self.chance.choice([1, 1, 2])]]
        if self.chance.random() < 0.5:
            found.append(Kind("Gamma"))
        for kind in found if base else ():
            kind.parent = base if self.chance.random() < 0.7 else None
        return [base, *found] if base else found

    def _declare(self, kind: Kind) -> None:
        """Members; a class that inherits has fewer of its own."""
        letter, chance = kind.name[0].lower(), self.chance
        share = 0.5 if kind.parent else 1.0
        types = [k.name for k in self.kinds if k.name != "Gamma"]
        if chance.random() < share or not kind.all_known:
            kind.known = [(f"{letter}k", chance.choice(types))]
        sorts = [("boolean", 0.5), ("byte", 0.7), ("byte[2]", 0.15), ("boolean[2]", 0.1), ("byte[2][1]", 0.05)]
        for number, (kind_of, likely) in enumerate(sorts):
            if chance.random() < likely * share:
                kind.own.append((f"{letter}{number}", kind_of))
        if chance.random() < 0.3:
            kind.own.append((f"{letter}r", chance.choice([k.name for k in self.kinds])))
        if self.created and kind.name in ("Alpha", "Beta"):
            kind.own.append(("budget", "byte"))
        inherited = kind.parent.messages if kind.parent else {}
        for message in ("ping", "pong")[: chance.choice([1, 1, 2])]:
            if message not in inherited or chance.random() < 0.4:
                kind.servers[message] = inherited[message] if message in inherited else self._parameters()
        has_first = not kind.parent or kind.parent.first is None or chance.random() < 0.5
        kind.first = self._parameters(["byte"]) if has_first else None
        if has_first and not self.has_constructors and kind.parent and kind.parent.first is not None:
            kind.first = kind.parent.first  # what a message server takes the place of has the same parameters
        kind.has_twice = kind.parent is None or chance.random() < 0.3

    def _parameters(self, types: Sequence[str] = ()) -> Names:
        types = types or ["byte", "boolean", *(k.name for k in self.kinds)]
        return [(f"p{k}", self.chance.choice(types)) for k in range(self.chance.choice([0, 0, 0, 1, 1, 2]))]

    def _often(self, careful: float = 0.97) -> bool:
        return self.chance.random() < (0.6 if self.is_careless else careful)

    def names(self) -> dict[str, set[str]]:
        """The names of a text by sort: where one of them can stand, one of another sort cannot."""
        values = {
            n for k in self.kinds for names in (k.known, k.own, *k.servers.values(), k.first or []) for n, _ in names
        }
        return {
            "class": {k.name for k in self.kinds},
            "method": {"twice"},
            "message": {m for k in self.kinds for m in k.servers},
            "variable": values | {"v1", "v2", "i1", "w1", "c1", "i2", "c2"},
            "rebec": {name for name, _ in self.rebecs},
        }

    # ------------------------------------------------------------ texts

    def text(self) -> str:
        """The whole model."""
        parts = ["env byte limit = 2;\n"] if self.has_environment else []
        return "".join([*parts, *map(self._class, self.kinds), self._main()])

    def _class(self, kind: Kind) -> str:
        self.kind = kind
        known = " ".join(f"{c} {n};" for n, c in kind.known)
        fields = " ".join(f"{t} {n}{' = 1' if n == 'budget' else ''};" for n, t in kind.own)
        start = "abstract " if kind.is_abstract else ""
        parent = f" extends {kind.parent.name}" if kind.parent else ""
        length = self.chance.randint(4, 6) if self._often(0.9) else self.chance.randint(1, 3)
        lines = [f"{start}reactiveclass {kind.name}{parent}({length}) {{"]
        lines.append(f"  knownrebecs {{ {known} }}")
        lines.append(f"  statevars {{ {fields} }}")
        if kind.first is not None:
            name = kind.name if self.has_constructors else "msgsrv initial"
            lines.append(f"  {name}({_list(kind.first)}) {{ {self._body(kind.first, is_first=True)} }}")
        for message, parameters in kind.servers.items():
            if kind.is_abstract and self.chance.random() < 0.3 and all(self._overrides(message)):
                lines.append(f"  abstract msgsrv {message}({_list(parameters)});")
            else:
                lines.append(f"  msgsrv {message}({_list(parameters)}) {{ {self._body(parameters)} }}")
        if kind.has_twice:
            self.locals = [("x", "byte")]
            lines.append(f"  byte twice(byte x) {{ if (x > 2) {{ return 0; }} return {self._byte(1)}; }}")
        self.locals = []
        return "\n".join([*lines, "}\n"])

    def _overrides(self, message: str) -> list[bool]:
        """Whether each class that inherits has a message server of its own."""
        return [message in k.servers for k in self.kinds if k.parent is self.kind]

    def _main(self) -> str:
        counts = {k.name: self.chance.choice([1, 2, 2]) for k in self.living}
        rebecs = [(f"{k.name.lower()}{i}", k) for k in self.living for i in range(counts[k.name])]
        self.rebecs = rebecs
        lines = ["main {"]
        for name, kind in rebecs:
            known = []
            for _, wanted in kind.all_known:
                fitting = [n for n, k in rebecs if wanted in [c.name for c in k.lineage]]
                known.append(self.chance.choice(fitting or ["null"]))
            arguments = ", ".join(str(self.chance.randrange(3)) for _ in kind.first_parameters)
            lines.append(f"  {kind.name} {name}({', '.join(known)}):({arguments});")
        return "\n".join([*lines, "}\n"])

    # ------------------------------------------------------------ statements

    def _body(self, parameters: Names, *, is_first: bool = False) -> str:
        self.locals = list(parameters)
        self.is_first = is_first
        statements = [self._statement(2) for _ in range(self.chance.randint(1, 3))]
        if self.chance.random() < 0.95 or is_first:
            statements.append(self._send())
        return " ".join(statements)

    def _named(self, *types: str) -> list[str]:
        return [n for n, t in self.kind.variables if t in types and n != "budget"]

    def _statement(self, depth: int) -> str:
        references = [(n, t) for n, t in self.kind.variables if t[0].isupper()]
        choices = ["skip"]
        choices += ["boolean"] * 2 if self._named("boolean") else []
        choices += ["number"] * 3 if self._named("byte") else []
        choices += ["element"] if self._arrays else []
        choices += ["truths"] if self._named("boolean[2]") else []
        choices += ["grid"] if self._named("byte[2][1]") else []
        choices += ["rebec"] if references else []
        choices += ["if"] * 3 + ["for", "switch", "local", "while"] if depth else []
        choices += ["create"] * 5 if self._creates and depth == 2 else []
        match self.chance.choice(choices):
            case "boolean":
                sign = self.chance.choice(["=", "=", "=", "&=", "|=", "^="])
                return f"{self.chance.choice(self._named('boolean'))} {sign} {self._truth(2)};"
            case "number":
                return self._assignment()
            case "element":
                return f"{self._element()} = {self._byte(1)};"
            case "truths":
                return f"{self.chance.choice(self._named('boolean[2]'))}[{self._index()}] = {self._truth(1)};"
            case "grid":
                return f"{self.chance.choice(self._named('byte[2][1]'))}[{self._index()}][0] = {self._byte(0)};"
            case "rebec":
                name, wanted = self.chance.choice(references)
                return f"{name} = {self._rebec(wanted)};"
            case "create":
                return self._creation()
            case "if":
                then, otherwise = self._block(depth), self._block(depth)
                tail = f" else {otherwise}" if self.chance.random() < 0.5 else ""
                return f"if ({self._truth(2)}) {then}{tail}"
            case "for":
                name = self._fresh("i")
                leave = f"if ({self._truth(1)}) {{ {self.chance.choice(['break', 'continue'])}; }}"
                return f"for (byte {name} = 0; {name} < 2; {name}++) {{ {leave} {self._repeated(depth)} }}"
            case "while":
                name = self._fresh("w")
                body = f"{{ {name} += 1; {self._repeated(depth)} }}"
                if self.chance.random() < 0.3:
                    return f"byte {name} = 1; do {body} while ({name} < 2 && {self._truth(0)});"
                return f"byte {name} = 0; while ({name} < 2) {body}"
            case "switch":
                first, second = self._statement(0), self._statement(0)
                end = " break;" if self.chance.random() < 0.6 else ""
                return f"switch ({self._number(1)}) {{ case 0: {first}{end} case 1: {second} break; default: {first} }}"
            case "local":
                name, kind = self._fresh("v"), self.chance.choice(["byte", "boolean", "byte[2]", self.kind.name])
                value = f"{{{self._byte(0)}, {self._byte(0)}}}" if kind == "byte[2]" else self._argument(kind)
                self.locals.append((name, kind))
                return f"{kind} {name} = {value};"
            case _:
                return ";"

    def _fresh(self, letter: str) -> str:
        self.used += 1
        return f"{letter}{self.used}"

    def _repeated(self, depth: int) -> str:
        """A block in a loop: nothing is chosen there."""
        outer, self.in_loop = self.in_loop, True
        block = self._block(depth)
        self.in_loop = outer
        return block

    def _block(self, depth: int) -> str:
        before = list(self.locals)
        parts = [self._statement(depth - 1) for _ in range(self.chance.randint(1, 2))]
        if self.chance.random() < 0.15 and (not self.in_loop or self.is_careless):
            parts.append(self._send())
            parts += [] if self.in_loop or not self._often() else ["return;"]
        self.locals = before
        return "{ " + " ".join(parts) + " }"

    def _assignment(self) -> str:
        name = self.chance.choice(self._named("byte"))
        match self.chance.randrange(8):
            case 0:
                return f"if ({name} < 3) {{ {name}++; }}"
            case 1:
                return f"{name} = twice({self._byte(0)});"
            case 6:
                return f"{name} {self.chance.choice(['^', '&', '|', '%'])}= {self.chance.choice(['1', '3', '-2'])};"
            case 7:
                return f"{name} = {name}-- > 0 ? {self._byte(0)} : {self._byte(1)};"
            case 2 if not self.in_loop:
                return f"{name} = ?({self._byte(0)}, {self._byte(0)}, {self._byte(0)});"
            case _:
                return f"{name} = {self._byte(2)};"

    def _send(self) -> str:
        """A message to somebody known; whether there is a receiver is asked first, mostly."""
        targets = [("self", self.kind.name), *self.kind.all_known]
        targets += [(n, t) for n, t in (*self.kind.variables, *self.locals) if t[0].isupper()] * 2
        target, wanted = self.chance.choice(targets)
        guard = "true" if target == "self" or not self._often() else f"{target} != null"
        if not self.is_first and self.chance.random() < 0.2:
            wanted = self.chance.choice(self.kinds).name
            target, guard = f"(({wanted})sender)", f"sender instanceof {wanted}" if self._often() else "true"
        return f"if ({guard}) {{ {self._message(target, wanted)} }}"

    def _message(self, target: str, wanted: str) -> str:
        kind = next(k for k in self.kinds if k.name == wanted)
        message = self.chance.choice(list(kind.messages))
        arguments = ", ".join(self._argument(t) for _, t in kind.messages[message])
        return f"{target}.{message}({arguments});"

    def _argument(self, kind: str) -> str:
        if kind == "byte":
            return self._byte(1)
        return self._truth(1) if kind == "boolean" else self._rebec(kind)

    # ------------------------------------------------------------ creation

    @property
    def _creates(self) -> bool:
        return any(n == "budget" for n, _ in self.kind.own) and not self.in_loop

    def _creation(self) -> str:
        """A rebec is created, as long as the budget lasts, and kept, sent something, or sent to somebody."""
        assert self.created is not None
        known = ", ".join(self._rebec(c) for _, c in self.created.all_known)
        arguments = ", ".join(self._byte(0) for _ in self.created.first_parameters)
        new = f"new Gamma({known}):({arguments})"
        kept = [n for n, t in self.kind.variables if t in [k.name for k in self.created.lineage]]
        match self.chance.randrange(3):
            case 0 if kept:
                use = f"{self.chance.choice(kept)} = {new};"
            case 1:
                name = self._fresh("c")
                use = f"Gamma {name} = {new}; {self._message(name, 'Gamma')}"
            case _:
                use = f"{new};"
        guard = "budget > 0" if self._often(0.95) else "true"
        return f"if ({guard}) {{ budget = 0; {use} }}"

    # ------------------------------------------------------------ expressions

    def _rebec(self, wanted: str) -> str:
        fitting = {k.name for k in self.kinds if wanted in [c.name for c in k.lineage]}
        options = [n for n, c in (*self.kind.all_known, *self.kind.variables, *self.locals) if c in fitting]
        options += ["self"] if self.kind.name in fitting else []
        return self.chance.choice(options or ["null"])

    def _byte(self, depth: int) -> str:
        return f"(byte)(({self._number(depth)}) % 3)"

    def _element(self) -> str:
        return f"{self.chance.choice(self._arrays)}[{self._index()}]"

    def _index(self) -> str:
        return f"({self._number(0)} % 2 + 2) % 2" if self._often() else self._number(0)

    @property
    def _arrays(self) -> list[str]:
        return self._named("byte[2]") + [n for n, t in self.locals if t == "byte[2]"]

    def _number(self, depth: int) -> str:
        atoms = [*self._named("byte"), *(n for n, t in self.locals if t == "byte"), "0", "1", "2"]
        atoms += ["limit"] if self.has_environment else []
        if not depth or self.chance.random() < 0.4:
            return self.chance.choice(atoms)
        left, right = self._number(depth - 1), self._number(depth - 1)
        match self.chance.randrange(8):
            case 0:
                return f"({left} - {right})"
            case 1:
                return f"({left} * {right})"
            case 2:
                return f"({left} / {right if self.is_careless else 2})"
            case 3:
                return f"({self._truth(0)} ? {left} : {right})"
            case 4 if self._arrays:
                return self._element()
            case 5 if self._named("byte[2][1]"):
                return f"{self._named('byte[2][1]')[0]}[{self._index()}][0]"
            case _:
                return f"({left} + {right})"

    def _truth(self, depth: int) -> str:
        atoms = [*self._named("boolean"), *(n for n, t in self.locals if t == "boolean"), "true"]
        atoms += [f"{n} == null" for n, t in self.kind.variables if t[0].isupper()]
        atoms += [f"{n}[{self._index()}]" for n in self._named("boolean[2]")]
        if not self.is_first:
            atoms.append(f"sender == {self.kind.all_known[0][0]}")
        if not depth or self.chance.random() < 0.3:
            return self.chance.choice(atoms)
        match self.chance.randrange(6):
            case 0:
                return f"!({self._truth(depth - 1)})"
            case 1:
                sign = self.chance.choice(["&&", "||", "^", "&", "|"])
                return f"({self._truth(depth - 1)}) {sign} ({self._truth(depth - 1)})"
            case 2:
                return f"{self._rebec(self.kind.name)} instanceof {self.chance.choice(self.kinds).name}"
            case _:
                return f"{self._number(1)} {self.chance.choice(['<', '==', '!=', '>='])} {self._number(0)}"


def _list(parameters: Names) -> str:
    return ", ".join(f"{t} {n}" for n, t in parameters)


def random_model(seed: int) -> str:
    """A model; the same one for the same seed."""
    return Writer(seed).text()


@dataclass(frozen=True)
class Case:
    """A model with its properties, and what it has: ``features`` are words."""

    text: str
    properties: str
    features: frozenset[str]


def random_case(seed: int) -> Case:
    """A model that creates rebecs, with a property file; in some, names are words that mean something elsewhere."""
    writers = (Writer(seed * 100 + attempt) for attempt in count())
    writer, text = next((writer, text) for writer in writers if "new " in (text := writer.text()))
    chance = random.Random(f"properties {seed}")
    properties = Claims(writer, chance).text()
    has = {
        "new": "new ",
        "inheritance": " extends ",
        "arrays": "byte[2]",
        "LTL": "LTL {",
        "choices": "?(",
        "loops": "while (",
    }
    features = {feature for feature, sign in has.items() if sign in text + properties}
    features |= {"constructors"} if writer.has_constructors else {"initial messages"}
    if chance.random() < 0.5:
        words = clashing(chance, writer.names())
        text, properties = renamed(text, words), renamed(properties, words)
        features.add("words as names")
    return Case(text, properties, frozenset(features))


class Claims:
    """Writes a property file about the rebecs of a model."""

    def __init__(self, writer: Writer, chance: random.Random) -> None:
        self.rebecs = writer.rebecs
        self.chance = chance
        self.defined: list[str] = []
        self.timed: list[str] = []
        self.named: set[str] = set()  # what is no rebec unless a variable of it is named

    def text(self) -> str:
        """Definitions, assertions and formulas; some have the name of a rebec or a word of property files."""
        names = ["p", "q", "r", "deadlockfree", "initial", "LTL", "G", "X", "define", *(n for n, _ in self.rebecs)]
        self.chance.shuffle(names)
        *conditions, formula = names[: self.chance.randint(1, 3)]
        self.named = {*conditions, formula}
        definitions, sections = [], []
        for name in conditions:
            definitions.append(f"{name} = {self._condition(1)};")
            self.defined.append(name)
        if self.chance.random() < 0.4:
            definitions.append(f"{formula} = {self._formula(1)};")
            self.timed.append(formula)
        self.chance.shuffle(names)
        assertions = [f"{name}: {self._condition(2)};" for name in names[: self.chance.randint(0, 2)]]
        formulas = [f"{name}: {self._formula(2)};" for name in names[2 : 2 + self.chance.choice([0, 1, 1, 2])]]
        for section, lines in (("define", definitions), ("Assertion", assertions), ("LTL", formulas)):
            sections += [f"  {section} {{ {' '.join(lines)} }}"] if lines else []
        return "\n".join(["property {", *sections, "}", ""])

    def _atom(self) -> str:
        name, kind = self.chance.choice(self.rebecs)
        variables = [(v, t) for v, t in kind.variables if v != "budget"] or [("budget", "byte")]
        variable, sort = self.chance.choice(variables)
        if (variable, sort) not in kind.variables:
            return self.chance.choice(["true", "false"])
        match sort:
            case "boolean":
                return f"{name}.{variable}"
            case "byte":
                return f"{name}.{variable} {self.chance.choice(['<', '==', '!=', '>='])} {self.chance.randrange(3)}"
            case "byte[2]":
                return f"{name}.{variable}[{self.chance.randrange(2)}] == {self.chance.randrange(3)}"
            case "boolean[2]":
                return f"{name}.{variable}[1 - {self.chance.randrange(2)}]"
            case "byte[2][1]":
                return f"{name}.{variable}[{self.chance.randrange(2)}][0] > {self.chance.randrange(2)}"
            case _:
                fitting = [n for n, k in self.rebecs if sort in [c.name for c in k.lineage] and n not in self.named]
                return f"{name}.{variable} {self.chance.choice(['==', '!='])} {self.chance.choice(['null', *fitting])}"

    def _condition(self, depth: int) -> str:
        if self.defined and self.chance.random() < 0.2:
            return self.chance.choice(self.defined)
        if not depth or self.chance.random() < 0.4:
            return self._atom()
        one, other = self._condition(depth - 1), self._condition(depth - 1)
        return self.chance.choice([f"!({one})", f"({one}) && ({other})", f"{one} || {other}", f"{one} -> {other}"])

    def _formula(self, depth: int) -> str:
        if self.timed and self.chance.random() < 0.2:
            return self.timed[0]
        if not depth:
            return self._condition(1)
        one, other = self._formula(depth - 1), self._formula(depth - 1)
        shapes = [f"G({one})", f"F({one})", f"X({one})", f"G(F({one}))", f"F(G({one}))", f"G({one} -> F({other}))"]
        shapes += [f"{sign}({one}, {other})" for sign in "UWR"] + [f"!({one})", f"({one}) -> ({other})"]
        return self.chance.choice(shapes)
