"""Random Rebeca models about numbers: all types, wrapping, casts, shifts, loops of every form, effects in expressions.

One rebec computes something and sends itself the next message. At the end of a message server all variables become
small again, so that there are few states; what is computed on the way may be large.
"""

from __future__ import annotations

import random

WIDTHS = {"b": "byte", "s": "short", "n": "int"}
NUMBERS = (*range(4), -1, -2, -7, 31, 100, 127, -128, 255, 30_000, 65_535)


class Computation:
    """Writes one model."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(f"arithmetic {seed}")
        self.counters: list[str] = []
        self.used = 0
        self.is_method = False

    def text(self) -> str:
        """The whole model. The environment has a constant with the name that counters have, too."""
        steps = " ".join(self.statement(2) for _ in range(self.chance.randint(2, 5)))
        self.is_method = True
        inside = self.statement(0)
        again = self.chance.choice(["self.go(n);", "self.go(n + 1);", "self.go(?(n, 2, n + 1));", "self.go(0);"])
        return f"""env int i = {self.chance.choice([1, 2, 3])};
reactiveclass A(2) {{
  knownrebecs {{ }}
  statevars {{ byte b; short s; int n; boolean t; byte[3] m; }}
  A() {{ self.go(1); }}
  byte half(int p) {{ if (p > 100) {{ return 1; }} {inside} return (byte) (p / 2); }}
  msgsrv go(int p) {{
    {steps}
    b = (byte) (b % 2); s = (short) (s % 2); n = n % 3; m[0] %= 2; m[1] = 0; m[2] &= 1;
    {again}
  }}
}}
main {{ A a():(); }}
"""

    # ------------------------------------------------------------ statements

    def statement(self, depth: int) -> str:
        """One statement; loops and branches have others inside."""
        kinds = ["set", "set", "set", "change", "change", "step", "truth", "element"]
        kinds += ["if", "for", "for", "while", "do", "switch"] if depth else []
        match self.chance.choice(kinds):
            case "set":
                name = self.chance.choice("bsn")
                return f"{name} = ({WIDTHS[name]}) ({self.number(2)});"
            case "change":
                sign = self.chance.choice(["+", "-", "*", "&", "|", "^"])
                if self.chance.random() < 0.3:
                    sign, value = self.chance.choice(["/", "%", "<<", ">>"]), str(self.chance.choice([1, 2, -3, 7]))
                else:
                    value = self.number(1)
                return f"{self.place()} {sign}= {value};"
            case "step":
                place, sign = self.place(), self.chance.choice(["++", "--"])
                return self.chance.choice([f"{place}{sign};", f"{sign}{place};"])
            case "truth":
                return f"t {self.chance.choice(['=', '&=', '|=', '^='])} {self.truth(1)};"
            case "element":
                return f"m[{self.index()}] = (byte) ({self.number(1)});"
            case "if":
                return f"if ({self.truth(1)}) {self.block(depth)} else {self.block(depth)}"
            case "for":
                return self.counted(depth)
            case "while":
                name = self.fresh("w")
                return f"byte {name} = 0; while ({name}++ < {self.chance.randint(1, 9)}) {self.block(depth)}"
            case "do":
                name = self.fresh("d")
                return f"int {name} = 3; do {self.block(depth)} while (--{name} > 0 && {self.truth(0)});"
        return self.switch()

    def counted(self, depth: int) -> str:
        """A loop with a counter, which may hide a constant of the environment, and any way to count."""
        name = "i" if "i" not in self.counters and self.chance.random() < 0.5 else self.fresh("c")
        first, condition, step = self.chance.choice(
            [
                ("0", "{0} < 3", "{0}++"),
                ("1", "{0} < 20", "{0} += {0}"),
                ("4", "{0} > 0", "{0} -= 2"),
                ("5", "{0} >= 0", "{0} -= i"),
                ("1", "{0} <= i + 3", "{0} = {0} + 1"),
                ("1", "{0} < 60", "{0} *= 3"),
                ("0", "{0} != 3", "{0} -= -1"),
                ("6", "{0} > {0} / 2", "{0} >>= 1"),
                ("0", "{0} + {0} < 12", "{0}++"),
                ("9", "0 < {0}", "--{0}"),
            ]
        )
        if name == "i":
            step = step.replace("-= i", "-= 2")
        head = f"{self.chance.choice(['int', 'byte'])} {name} = {first}; {condition}; {step}".format(name)
        self.counters.append(name)
        leave = f"if ({self.truth(1)}) {{ {self.chance.choice(['break', 'continue'])}; }}"
        body = f"{{ {leave if self.chance.random() < 0.3 else ''} {self.statement(depth - 1)} {self.statement(0)} }}"
        self.counters.remove(name)
        return f"for ({head}) {body}"

    def switch(self) -> str:
        """The default may stand anywhere, and cases may go on into the next."""
        labels = ["case 0:", "case 1:", "case -1:", "default:"]
        self.chance.shuffle(labels)
        ends = [self.chance.choice(["", "break;"]) for _ in labels]
        cases = " ".join(f"{label} {self.statement(0)} {end}" for label, end in zip(labels, ends, strict=True))
        return f"switch ({self.number(1)}) {{ {cases} }}"

    def block(self, depth: int) -> str:
        """Some statements in braces."""
        return "{ " + " ".join(self.statement(depth - 1) for _ in range(self.chance.randint(1, 2))) + " }"

    def fresh(self, letter: str) -> str:
        """A name that no other local has."""
        self.used += 1
        return f"{letter}{self.used}"

    # ------------------------------------------------------------ expressions

    def place(self) -> str:
        """What can be changed."""
        return self.chance.choice(["b", "s", "n", f"m[{self.index()}]"])

    def index(self) -> str:
        """A number in 0..2."""
        return self.chance.choice(["0", "1", "2", "b & 1", "((n % 3) + 3) % 3", "t ? 0 : 2"])

    def number(self, depth: int) -> str:
        """A number of at most 32 bits, unless several are multiplied."""
        atoms = ["b", "s", "n % 1000", "i", f"m[{self.index()}]", *self.counters]
        if not depth or self.chance.random() < 0.3:
            return self.chance.choice([*atoms, str(self.chance.choice(NUMBERS))])
        left, right = self.number(depth - 1), self.number(depth - 1)
        match self.chance.randrange(11):
            case 0:
                return f"({left}) / {self.chance.choice([2, -2, 3, 7])}"
            case 1:
                return f"({left}) % {self.chance.choice([2, -3, 5])}"
            case 2:
                return f"(({left}) {self.chance.choice(['<<', '>>'])} {self.chance.choice([1, 2, 5])})"
            case 3:
                return f"(({left}) {self.chance.choice('&|^')} ({right}))"
            case 4:
                return f"(({self.chance.choice([*WIDTHS.values()])}) ({left}))"
            case 5:
                return f"({self.truth(0)} ? {left} : {right})"
            case 6:
                return self.chance.choice(
                    ["b++", "--b", "m[0]++", "~n", "-s", "(b = 3)", "(s += 2)", *self.called(left)]
                )
            case _:
                return f"({left} {self.chance.choice('+-*')} {right})"

    def called(self, value: str) -> list[str]:
        """A call of the method, but not inside it."""
        return [] if self.is_method else [f"half({value})"]

    def truth(self, depth: int) -> str:
        """A truth value."""
        if not depth or self.chance.random() < 0.3:
            return self.chance.choice(["t", "!t", "b > 0", "s == n", "n < 2", "p > 1"])
        sign = self.chance.choice(["&&", "||", "^", "&", "|"])
        compared = f"{self.number(1)} {self.chance.choice(['<', '<=', '==', '!=', '>', '>='])} {self.number(1)}"
        return self.chance.choice([compared, f"({self.truth(0)} {sign} {compared})"])


def random_computation(seed: int) -> str:
    """A model; the same one for the same seed."""
    return Computation(seed).text()
