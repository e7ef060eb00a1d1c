"""Random Rebeca models: small, typed, of every construct that has a meaning."""

from __future__ import annotations

import random
from dataclasses import dataclass, field


@dataclass
class Kind:
    """A class to be written: how its rebecs are known, what they hold, which messages they take."""

    name: str
    known: list[tuple[str, str]] = field(default_factory=list)
    booleans: list[str] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)
    rebecs: list[tuple[str, str]] = field(default_factory=list)
    servers: dict[str, list[tuple[str, str]]] = field(default_factory=dict)


class Writer:
    """Writes one model."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.has_constructors = self.chance.random() < 0.4
        self.kinds = [Kind(name) for name in ("Alpha", "Beta")[: self.chance.randint(1, 2)]]
        self.counts = {k.name: self.chance.randint(1, 2) for k in self.kinds}
        for kind in self.kinds:
            for number in range(self.chance.randint(1, 2)):
                kind.known.append((f"k{number}", self.chance.choice(self.kinds).name))
            kind.booleans = [f"b{k}" for k in range(self.chance.randint(0, 2))]
            kind.numbers = [f"n{k}" for k in range(self.chance.randint(0, 2))]
            if self.chance.random() < 0.4:
                kind.rebecs = [("r0", self.chance.choice(self.kinds).name)]
            for message in ("ping", "pong", "pang")[: self.chance.randint(1, 3)]:
                kind.servers[message] = self._parameters()
        self.locals: list[tuple[str, str]] = []
        self.used = 0
        self.in_loop = False

    def _parameters(self) -> list[tuple[str, str]]:
        types = ["byte", "boolean", *(k.name for k in self.kinds)]
        return [(f"p{k}", self.chance.choice(types)) for k in range(self.chance.choice([0, 0, 1, 1, 2]))]

    # ------------------------------------------------------------ texts

    def text(self) -> str:
        """The whole model."""
        parts = ["env byte limit = 2;\n"] if self.chance.random() < 0.5 else []
        self.has_environment = bool(parts)
        return "".join([*parts, *map(self._class, self.kinds), self._main()])

    def _class(self, kind: Kind) -> str:
        self.kind = kind
        known = " ".join(f"{c} {n};" for n, c in kind.known)
        fields = " ".join(
            [f"boolean {b};" for b in kind.booleans]
            + [f"byte {n};" for n in kind.numbers]
            + [f"{c} {n};" for n, c in kind.rebecs]
            + (["byte[2] a;"] if kind.numbers else [])
        )
        lines = [f"reactiveclass {kind.name}({self.chance.randint(3, 5)}) {{"]
        lines.append(f"  knownrebecs {{ {known} }}")
        lines.append(f"  statevars {{ {fields} }}")
        first = f"{kind.name}()" if self.has_constructors else "msgsrv initial()"
        lines.append(f"  {first} {{ {self._body([], sends=1, is_first=True)} }}")
        for message, parameters in kind.servers.items():
            shown = ", ".join(f"{t} {n}" for n, t in parameters)
            lines.append(f"  msgsrv {message}({shown}) {{ {self._body(parameters, sends=1)} }}")
        self.locals = [("x", "byte")]
        lines.append(f"  byte twice(byte x) {{ if (x > 2) {{ return 0; }} return {self._number(1)}; }}")
        self.locals = []
        return "\n".join([*lines, "}\n"])

    def _main(self) -> str:
        rebecs = {k.name: [f"{k.name.lower()}{i}" for i in range(self.counts[k.name])] for k in self.kinds}
        lines = ["main {"]
        for kind in self.kinds:
            for name in rebecs[kind.name]:
                known = ", ".join(self.chance.choice(rebecs[c]) for _, c in kind.known)
                lines.append(f"  {kind.name} {name}({known}):();")
        return "\n".join([*lines, "}\n"])

    # ------------------------------------------------------------ statements

    def _body(self, parameters: list[tuple[str, str]], *, sends: int, is_first: bool = False) -> str:
        self.locals = list(parameters)
        self.sends = sends
        self.is_first = is_first
        statements = [self._statement(2) for _ in range(self.chance.randint(1, 3))]
        if self.chance.random() < 0.7 or is_first:
            statements.append(self._send())
        return " ".join(statements)

    def _statement(self, depth: int) -> str:
        kind = self.kind
        choices = ["skip"]
        choices += ["boolean"] * 2 if kind.booleans else []
        choices += ["number"] * 3 if kind.numbers else []
        choices += ["rebec"] if kind.rebecs else []
        choices += ["if"] * 3 + ["for", "switch", "local", "while"] if depth else []
        match self.chance.choice(choices):
            case "boolean":
                return f"{self.chance.choice(kind.booleans)} = {self._truth(2)};"
            case "number":
                return self._assignment()
            case "rebec":
                name, wanted = self.chance.choice(kind.rebecs)
                return f"{name} = {self._rebec(wanted)};"
            case "if":
                then, otherwise = self._block(depth), self._block(depth)
                tail = f" else {otherwise}" if self.chance.random() < 0.5 else ""
                return f"if ({self._truth(2)}) {then}{tail}"
            case "for":
                self.used += 1
                name = f"i{self.used}"
                leave = f"if ({self._truth(1)}) {{ {self.chance.choice(['break', 'continue'])}; }}"
                inner = self._block(depth)
                return f"for (byte {name} = 0; {name} < 2; {name}++) {{ {leave} {inner} }}"
            case "while":
                self.used += 1
                name = f"w{self.used}"
                outer, self.in_loop = self.in_loop, True
                inner = self._block(depth)
                self.in_loop = outer
                return f"byte {name} = 0; while ({name} < 2) {{ {name} += 1; {inner} }}"
            case "switch":
                first, second = self._statement(0), self._statement(0)
                end = " break;" if self.chance.random() < 0.6 else ""
                return f"switch ({self._number(1)}) {{ case 0: {first}{end} case 1: {second} break; default: {first} }}"
            case "local":
                self.used += 1
                name = f"v{self.used}"
                text = f"byte {name} = {self._byte(1)};"
                self.locals.append((name, "byte"))
                return text
            case _:
                return ";"

    def _block(self, depth: int) -> str:
        before = list(self.locals)
        parts = [self._statement(depth - 1) for _ in range(self.chance.randint(1, 2))]
        if self.chance.random() < 0.25 and self.sends:
            self.sends -= 1
            parts.append(self._send())
        if self.chance.random() < 0.1 and not self.in_loop:
            parts.append("return;")
        self.locals = before
        return "{ " + " ".join(parts) + " }"

    def _assignment(self) -> str:
        name = self.chance.choice(self.kind.numbers)
        match self.chance.randrange(6):
            case 0:
                return f"a[{self._number(0)}] = {self._byte(1)};"
            case 1:
                return f"if ({name} < 3) {{ {name}++; }}"
            case 2:
                return f"{name} = twice({self._byte(0)});"
            case 3 if not self.in_loop:
                return f"{name} = ?({self._byte(0)}, {self._byte(0)}, {self._byte(0)});"
            case _:
                return f"{name} = {self._byte(2)};"

    def _send(self) -> str:
        targets = [("self", self.kind.name), *self.kind.known]
        targets += [] if self.is_first else [(n, c) for n, c in self.locals if c[0].isupper()]
        target, wanted = self.chance.choice(targets)
        if not self.is_first and self.chance.random() < 0.15:
            wanted = self.chance.choice(self.kinds).name
            target = f"(({wanted})sender)"
        kind = next(k for k in self.kinds if k.name == wanted)
        message = self.chance.choice(list(kind.servers))
        arguments = ", ".join(self._argument(t) for _, t in kind.servers[message])
        guard = "true" if self.chance.random() < 0.7 else self._truth(1)
        return f"if ({guard}) {{ {target}.{message}({arguments}); }}"

    def _argument(self, kind: str) -> str:
        if kind == "byte":
            return self._byte(1)
        return self._truth(1) if kind == "boolean" else self._rebec(kind)

    # ------------------------------------------------------------ expressions

    def _rebec(self, wanted: str) -> str:
        options = [n for n, c in (*self.kind.known, *self.kind.rebecs, *self.locals) if c == wanted]
        options += ["self"] if wanted == self.kind.name else []
        return self.chance.choice(options or ["null"])

    def _byte(self, depth: int) -> str:
        return f"(byte)(({self._number(depth)}) % 3)"

    def _number(self, depth: int) -> str:
        atoms = [*self.kind.numbers, *(n for n, t in self.locals if t == "byte"), "0", "1", "2"]
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
                return f"({left} / 2)"
            case 3:
                return f"({self._truth(0)} ? {left} : {right})"
            case 4 if self.kind.numbers:
                return f"a[({left} + 2) % 2]" if self.chance.random() < 0.3 else "a[0]"
            case _:
                return f"({left} + {right})"

    def _truth(self, depth: int) -> str:
        atoms = [*self.kind.booleans, *(n for n, t in self.locals if t == "boolean"), "true"]
        if not self.is_first and self.kind.known:
            atoms.append(f"sender == {self.kind.known[0][0]}")
        if not depth or self.chance.random() < 0.3:
            return self.chance.choice(atoms)
        match self.chance.randrange(5):
            case 0:
                return f"!({self._truth(depth - 1)})"
            case 1:
                sign = self.chance.choice(["&&", "||", "^", "&"])
                return f"({self._truth(depth - 1)}) {sign} ({self._truth(depth - 1)})"
            case _:
                return f"{self._number(1)} {self.chance.choice(['<', '==', '!=', '>='])} {self._number(0)}"

    is_first = False
    sends = 0
    has_environment = False


def random_model(seed: int) -> str:
    """A model; the same one for the same seed."""
    return Writer(seed).text()
