"""Random Murphi texts: small, of types that fit, with every construct that has a meaning.

Most run without faults; some read what is undefined, leave a range or an array, or fail an assertion.
"""

from __future__ import annotations

import random

TYPES = """type
  R: 0 .. 2;
  E: enum {A, B};
  S: scalarset(2);
  U: union {S, E};
  Rec: record f: R; g: boolean; h: record p: S end end;
  Arr: array [S] of R;
"""
VARIABLES = """var
  r, q: R;
  b, c: boolean;
  e: E;
  s: S;
  u: U;
  x, y: Rec;
  a: Arr;
  m: array [E] of record k: R; l: U end;
"""
ROUTINES = """
function twice(n: R): R; begin if n > 1 then return 0; end; return n + n; end;
function first(z: Rec): R; begin return z.f; end;
function made(n: R): Rec; var t: Rec; begin t.f := n; t.g := n = 1; return t; end;
function bump(var n: R): R; begin n := (n + 1) % 3; return n; end;
procedure swap(var i: R; var j: R); var t: R; begin t := i; i := j; j := t; end;
procedure put_in(w: S; v: R); begin a[w] := v; if v = 0 then return; end; b := !b; end;
function any(z: Arr): boolean; begin for i: S do if z[i] = 2 then return true; end; end; return false; end;
function found(n: R): R; var t: array [R] of R;
begin for i: R do t[i] := i; end; t[n] := 2; clear t[0]; return t[n]; end;
"""


class Writer:
    """Writes one text."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.locals = {"R": [], "S": [], "E": [], "boolean": []}
        self.pure = False

    def one_of(self, *options):
        """One of some texts, or what a function writes."""
        option = self.chance.choice(options)
        return option() if callable(option) else option

    # ------------------------------------------------------------ expressions

    def number(self, depth=2):
        """A number, mostly from 0 to 2."""
        leaves = ["0", "1", "2", "r", "q", "x.f", "y.f", *self.locals["R"]]
        if depth == 0:
            return self.one_of(*leaves)
        return self.one_of(
            *leaves,
            lambda: f"a[{self.scalar()}]",
            lambda: f"m[{self.label()}].k",
            lambda: f"({self.number(0)} + {self.number(depth - 1)}) % 3",
            lambda: f"(2 - {self.number(0)})",
            lambda: f"({self.number(0)} * {self.number(0)}) / 2",
            lambda: f"({self.condition(depth - 1)} ? {self.number(0)} : {self.number(depth - 1)})",
            lambda: f"twice({self.number(0)})",
            lambda: f"first({self.one_of('x', 'y')})",
            lambda: f"found({self.number(0)})",
            lambda: f"({self.number(0)} & {self.number(0)})",
            lambda: f"({self.number(0)} ^ 1) % 3",
            lambda: f"(-{self.number(0)} / 2 + 1)",
            lambda: f"(({self.number(0)} - 2) % 2 + 1)",
            lambda: f"({self.number(0)} << 1) % 3",
            lambda: f"(4 >> {self.number(0)}) % 3",
            *([] if self.pure else [lambda: f"bump({self.one_of('r', 'q', 'x.f')})"]),
        )

    def scalar(self):
        """A value of S."""
        return self.one_of("s", "x.h.p", *self.locals["S"], *self.locals["S"])

    def label(self):
        """A value of E."""
        return self.one_of("A", "B", "e", *self.locals["E"])

    def member(self):
        """A value of U."""
        return self.one_of("u", "A", self.scalar(), "m[A].l", lambda: f"m[{self.label()}].l")

    def condition(self, depth=2):
        """A truth value."""
        leaves = ["b", "c", "true", "x.g", *self.locals["boolean"]]
        if depth == 0:
            return self.one_of(*leaves)
        inner = depth - 1
        return self.one_of(
            *leaves,
            lambda: f"{self.number(inner)} {self.one_of('=', '!=', '<', '>=')} {self.number(0)}",
            lambda: f"{self.scalar()} = {self.scalar()}",
            lambda: f"{self.label()} != {self.label()}",
            lambda: f"{self.member()} = {self.one_of('u', 'm[A].l')}",
            lambda: f"!({self.condition(inner)})",
            lambda: f"({self.condition(inner)} & {self.condition(inner)})",
            lambda: f"({self.condition(inner)} | {self.condition(inner)})",
            lambda: f"({self.condition(inner)} -> {self.condition(inner)})",
            lambda: f"isundefined({self.place()})",
            lambda: f"ismember(u, {self.one_of('S', 'E')})",
            lambda: f"(!isundefined(u) & ismember(u, {self.one_of('S', 'E')}))",
            lambda: self.one_of("x = y", "x != y", "a = a", "any(a)"),
            lambda: self.quantified(inner),
        )

    def place(self):
        """A place without parts."""
        return self.one_of("r", "q", "b", "e", "s", "u", "x.f", "x.h.p", "a[s]", "m[e].k", "m[A].l")

    def quantified(self, depth):
        """A quantifier."""
        name = f"i{self.chance.randrange(99)}"
        kind = self.one_of("R", "S", "E", "boolean")
        word = self.one_of("forall", "exists")
        self.locals[kind].append(name)
        body = self.condition(depth)
        self.locals[kind].pop()
        return f"{word} {name}: {kind} do {body} end"

    # ------------------------------------------------------------ statements

    def block(self, depth=2):
        """Some statements."""
        return " ".join(self.statement(depth) for _ in range(self.chance.randint(1, 3)))

    def statement(self, depth):
        """A statement."""
        simple = (
            lambda: f"{self.one_of('r', 'q', 'x.f', 'm[A].k')} := {self.number()};",
            lambda: f"a[{self.scalar()}] := {self.number()};",
            lambda: f"{self.one_of('b', 'c', 'x.g')} := {self.condition()};",
            lambda: f"e := {self.label()};",
            lambda: f"{self.one_of('s', 'x.h.p')} := {self.scalar()};",
            lambda: f"{self.one_of('u', 'm[B].l')} := {self.member()};",
            lambda: self.one_of("x := y;", "y := x;", "x := made(r);", "m[A] := m[B];", "a := a;", "y.h := x.h;"),
            lambda: f"undefine {self.one_of('r', 'x', 'u', 'a', 'm[A]', 'b', 'y.h')};",
            lambda: f"clear {self.one_of('q', 'x', 'a', 'e', 'm[B].k')};",
            lambda: f"swap({self.one_of('r', 'x.f')}, {self.one_of('q', 'm[e].k')});",
            lambda: f"put_in({self.scalar()}, {self.number(1)});",
            lambda: f"bump({self.one_of('r', 'q', 'a[s]')});",
            lambda: f"assert {self.condition(1)} | b | !b;",
            lambda: f"if {self.condition(1)} then return; end;",
        )
        if depth == 0:
            return self.one_of(*simple)
        inner = depth - 1
        return self.one_of(
            *simple,
            lambda: f"if {self.condition()} then {self.block(inner)} else {self.block(inner)} end;",
            lambda: f"if {self.condition(1)} then {self.block(inner)} elsif c then {self.block(inner)} end;",
            lambda: f"switch {self.number(1)} case 0: {self.block(inner)} case 1, q: {self.block(inner)} end;",
            lambda: f"switch e case A: {self.block(inner)} else {self.block(inner)} end;",
            lambda: self.loop(inner),
            lambda: f"while r < 2 do r := r + 1; {self.block(0)} end;",
            lambda: f"for k := {self.one_of('r', 'q', 'x.f')} to {self.number(0)} do {self.block(inner)} end;",
            lambda: f"for k := 2 to 0 by -2 do q := k; {self.block(inner)} end;",
            lambda: f"alias z: {self.one_of('a[s]', 'x.f', 'm[e].k')} do z := {self.number(1)}; {self.block(0)} end;",
            lambda: (
                f"alias z: {self.number(1)}; w: x do {self.block(inner)} q := z % 3; w.g := {self.condition(0)}; end;"
            ),
        )

    def loop(self, depth):
        """A loop over a type."""
        name = f"j{self.chance.randrange(99)}"
        kind = self.one_of("R", "S", "E")
        self.locals[kind].append(name)
        body = self.block(depth)
        self.locals[kind].pop()
        return f"for {name}: {kind} do {body} end;"

    # ------------------------------------------------------------ rules

    def guard(self):
        """A condition without effects."""
        self.pure = True
        found = self.condition()
        self.pure = False
        return found

    def rule(self):
        """A rule, perhaps in a ruleset or with aliases."""
        kind = self.one_of("", "", "S", "R", "alias")
        if kind == "alias":
            return f"alias t: {self.one_of('x', 'm[e]', 'm[A]')} do {self.plain()} end;"
        if not kind:
            return self.plain()
        self.locals[kind].append("o")
        found = f"ruleset o: {kind} do {self.plain()} end;"
        self.locals[kind].pop()
        return found

    def plain(self):
        """A rule."""
        return f"rule {self.guard()} ==> var d: R; begin d := 0; {self.block()} end;"

    def text(self):
        """A whole text."""
        start = "r := 0; q := 1; b := false; c := true; e := A; for i: S do s := i; a[i] := 0; end; clear x; clear y;"
        start += " u := B;"
        fewer = self.chance.random() < 0.3
        starts = [f"startstate {start if not fewer else 'r := 0; e := A; b := true;'} clear m[A].k; end;"]
        if self.chance.random() < 0.4:
            last = self.one_of("r := 2;", "undefine u;", "")
            starts.append(f"ruleset o: S do startstate {start} s := o; {last} end; end;")
        rules = [self.rule() for _ in range(self.chance.randint(1, 3))]
        properties = [f"invariant {self.guard()};" for _ in range(self.chance.randint(0, 2))]
        if self.chance.random() < 0.1:
            properties.append(f"assume {self.guard()};")
        return "\n".join([TYPES, VARIABLES, ROUTINES, *starts, *rules, *properties])


def random_text(seed):
    """A text that the seed decides."""
    return Writer(seed).text()
