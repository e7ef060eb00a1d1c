"""Random ``.seq`` models with records, sets, optional values, bags, unions, procedures and ids, and the same flattened.

Every piece is a pair of texts, one with parts and one as it is written by hand without: both must be one model.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import TypeAlias


@dataclass(frozen=True)
class Both:
    """A piece of text with parts, the same flattened, and the condition under which it cannot fail."""

    parted: str
    flat: str
    needs: tuple[str, str] | None = None


Piece: TypeAlias = Callable[[Random], Both]


@dataclass(frozen=True)
class Feature:
    """What a kind of type adds to a model."""

    declared: Both
    conditions: tuple[Piece, ...]
    statements: tuple[Piece, ...]


def _same(text: str) -> Both:
    return Both(text, text)


def _id(random: Random) -> str:
    return random.choice(("i", "i", "j", "(i + 1) % N", "N - 1 - j"))


def _value(random: Random) -> str:
    return random.choice(("x", "x", "v0"))


def _records(_: Random) -> Feature:
    def written(random: Random) -> Both:
        i, j, x = _id(random), _id(random), _value(random)
        return Both(f"r[{i}] := R {{ what: {x}, who: {j} }};", f"r_who[{i}] := {j}; r_what[{i}] := {x};")

    def copied(random: Random) -> Both:
        i, j = _id(random), _id(random)
        return Both(f"r[{i}] := r[{j}];", f"r_who[{i}] := r_who[{j}]; r_what[{i}] := r_what[{j}];")

    def followed(random: Random) -> Both:
        i, x = _id(random), _value(random)
        return Both(f"r[r[{i}].who].what := {x};", f"r_what[r_who[{i}]] := {x};")

    def equal(random: Random) -> Both:
        i, j = _id(random), _id(random)
        return Both(f"r[{i}] == r[{j}]", f"(r_who[{i}] == r_who[{j}] && r_what[{i}] == r_what[{j}])")

    def asked(random: Random) -> Both:
        i, j = _id(random), _id(random)
        return Both(f"r[{i}].who != {j}", f"r_who[{i}] != {j}")

    declared = Both(
        "record R { who: P, what: V }\nvar r[k: P]: R = R { who: k, what: v0 };",
        "var r_who[k: P]: P = k;\nvar r_what[P]: V;",
    )
    return Feature(declared, (equal, asked), (written, copied, followed))


def _sets(_: Random) -> Feature:
    def has(random: Random) -> Both:
        i = _id(random)
        return random.choice((Both(f"{i} in s", f"s[{i}]"), Both(f"!({i} in s)", f"!s[{i}]")))

    def few(_: Random) -> Both:
        return Both("card(s) <= 1", "(count k in P: s[k]) <= 1")

    def added(random: Random) -> Both:
        i = _id(random)
        return random.choice(
            (Both(f"insert(s, {i});", f"s[{i}] := true;"), Both(f"s := s union {{ {i} }};", f"s[{i}] := true;"))
        )

    def removed(random: Random) -> Both:
        i = _id(random)
        return Both(f"remove(s, {i});", f"s[{i}] := false;")

    def cleared(_: Random) -> Both:
        return Both("s := {};", "for k in P { s[k] := false; }")

    return Feature(Both("var s: set of P;", "var s[P]: bool;"), (has, few), (added, removed, cleared))


def _optional(_: Random) -> Feature:
    def free(random: Random) -> Both:
        x = _value(random)
        return Both(f"o[{x}] == none", f"o[{x}] == nobody")

    def owns(random: Random) -> Both:
        i, x = _id(random), _value(random)
        return Both(f"o[{x}] != {i}", f"o[{x}] != {i}")

    def taken(random: Random) -> Both:
        return _same(f"o[{_value(random)}] := {_id(random)};")

    def dropped(random: Random) -> Both:
        x = _value(random)
        return Both(f"o[{x}] := none;", f"o[{x}] := nobody;")

    declared = Both("var o[V]: P?;", "domain Maybe = P + { nobody };\nvar o[V]: Maybe = nobody;")
    return Feature(declared, (free, owns), (taken, dropped))


def _bags(_: Random) -> Feature:
    def sent(random: Random) -> Both:
        i, x = _id(random), _value(random)
        flat = f"net[{i}][{x}] := net[{i}][{x}] + 1; size := size + 1;"
        return Both(f"send M {{ to: {i}, what: {x} }} to net;", flat, ("!full(net)", "size < 2"))

    def taken(_: Random) -> Both:
        flat = "net[i][x] := net[i][x] - 1; size := size - 1;"
        needed = ("M { to: i, what: x } in net", "net[i][x] > 0")
        return Both("remove(net, M { to: i, what: x });", flat, needed)

    def empty(_: Random) -> Both:
        return Both("empty(net)", "size == 0")

    def has(random: Random) -> Both:
        i = _id(random)
        parted = f"(exists m in net: m.to == {i})"
        return Both(parted, f"(exists k in P, w in V: net[k][w] > 0 && k == {i})")

    declared = Both(
        "record M { to: P, what: V }\nvar net: bag of M max 2;", "var net[P][V]: 0 .. 2;\nvar size: 0 .. 2;"
    )
    return Feature(declared, (empty, has), (sent, taken))


def _unions(_: Random) -> Feature:
    def asked(random: Random) -> Both:
        name = random.choice(("Ask", "Tell", "Stop"))
        return Both(f"u is {name}", f"tag == t{name}")

    def to_me(random: Random) -> Both:
        i = _id(random)
        return Both(f"u.who == {i}", f"who == {i}")

    def set_to(random: Random) -> Both:
        i, x = _id(random), _value(random)
        return random.choice(
            (
                Both(f"u := Ask {{ who: {i} }};", f"tag := tAsk; who := {i}; what := nothing;"),
                Both(f"u := Tell {{ what: {x}, who: {i} }};", f"tag := tTell; who := {i}; what := {x};"),
                Both("u := Stop;", "tag := tStop; who := noone; what := nothing;"),
            )
        )

    def matched(random: Random) -> Both:
        x = _value(random)
        other = "else { u := Ask { who: i }; }"
        parted = f"match u {{ case Tell {{ c[u.who] := u.what; }} case Ask {{ c[u.who] := {x}; }} {other} }}"
        other = "else { tag := tAsk; who := i; what := nothing; }"
        flat = f"if tag == tTell {{ c[who] := what; }} else if tag == tAsk {{ c[who] := {x}; }} {other}"
        return Both(parted, flat)

    declared = Both(
        "union U { Stop, Ask { who: P }, Tell { who: P, what: V } }\nvar u: U;\nvar c[P]: V;",
        "domain Tag = { tStop, tAsk, tTell };\ndomain Who = P + { noone };\ndomain What = V + { nothing };\n"
        "var tag: Tag;\nvar who: Who = noone;\nvar what: What = nothing;\nvar c[P]: V;",
    )
    return Feature(declared, (asked, to_me), (set_to, matched))


def _procedures(_: Random) -> Feature:
    def called(random: Random) -> Both:
        i, x = _id(random), _value(random)
        return Both(
            f"swap(a[{i}], b[{i}], {x});",
            f"let o{{N}} = a[{i}]; a[{i}] := b[{i}]; b[{i}] := if o{{N}} == {x} then v0 else o{{N}};",
        )

    def differ(random: Random) -> Both:
        i, j = _id(random), _id(random)
        return Both(f"same({i}, {j})", f"a[{i}] == b[{j}]")

    declared = Both(
        "var a[P]: V = *;\nvar b[P]: V;\ndef same(k, l: P) = a[k] == b[l];\n"
        "procedure swap(ref one: V, ref other: V, y: V) {\n"
        "  let old = one; one := other; other := if old == y then v0 else old;\n}",
        "var a[P]: V = *;\nvar b[P]: V;",
    )
    return Feature(declared, (differ,), (called,))


def _tokens(random: Random) -> Feature:
    def mine(random: Random) -> Both:
        return _same(f"t == {_id(random)}")

    def passed(random: Random) -> Both:
        return random.choice((_same("t := (t + 1) % N;"), Both("t := next(t);", "t := (ord(t) + 1) % N;")))

    first = random.choice(("0", "*"))
    declared = Both(f"var t: P = {first};\ndef next(k: P) = (k + 1) % N;", f"var t: P = {first};")
    return Feature(declared, (mine,), (passed,))


_FEATURES = (_records, _sets, _optional, _bags, _unions, _procedures, _tokens)


def parted_model(seed: int) -> tuple[str, str]:
    """A random model with parts, and the same flattened."""
    random = Random(seed)
    size, values = random.choice((2, 2, 3)), random.choice((2, 2, 3))
    head = f"const N = {size};\nprocess P = 0 .. N-1;\n"
    labels = ", ".join(f"v{k}" for k in range(values))
    features = [make(random) for make in random.sample(_FEATURES, random.choice((1, 2, 2)))]
    declared = [feature.declared for feature in features]
    rules = [_rule(random, number, features) for number in range(random.choice((2, 3, 3)))]
    values_of = f"domain V = {{ {labels} }};\n"
    parted = head + values_of + "\n".join([d.parted for d in declared] + [r.parted for r in rules])
    flat = head + values_of + "\n".join([d.flat for d in declared] + [r.flat for r in rules])
    return parted + "\n", flat + "\n"


def _rule(random: Random, number: int, features: list[Feature]) -> Both:
    statements = [
        piece(random)
        for piece in random.choices([s for f in features for s in f.statements], k=random.choice((1, 1, 2)))
    ]
    statements = statements[:1] if any(s.needs for s in statements) else statements
    conditions = [
        piece(random)
        for piece in random.choices([c for f in features for c in f.conditions], k=random.choice((0, 1, 1, 2)))
    ]
    needs = [Both(*s.needs) for s in statements if s.needs]
    guards = needs + conditions
    parted = " && ".join(g.parted for g in guards) or "true"
    flat = " && ".join(g.flat for g in guards) or "true"
    bodies = [s.flat.replace("{N}", str(k)) for k, s in enumerate(statements)]
    head = f"rule r{number}(i, j: P, x: V)"
    return Both(
        f"{head} when {parted} do {{ {' '.join(s.parted for s in statements)} }}",
        f"{head} when {flat} do {{ {' '.join(bodies)} }}",
    )
