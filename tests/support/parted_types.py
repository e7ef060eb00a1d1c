"""Records, sets, optional values, bags, unions, procedures and ids in random models: statements and conditions.

Everything is written twice, with parts and as it is flattened by hand.
"""

from __future__ import annotations

from random import Random
from typing import Final

from .parted_pieces import Both, Feature, Maker, id_in, same, value_in


def _records(_: Random) -> Feature:
    def written(random: Random) -> Both:
        i, j, x = id_in(random), id_in(random), value_in(random)
        return Both(f"r[{i}] := R {{ what: {x}, who: {j} }};", f"r_who[{i}] := {j}; r_what[{i}] := {x};")

    def copied(random: Random) -> Both:
        i, j = id_in(random), id_in(random)
        return Both(f"r[{i}] := r[{j}];", f"r_who[{i}] := r_who[{j}]; r_what[{i}] := r_what[{j}];")

    def followed(random: Random) -> Both:
        i, x = id_in(random), value_in(random)
        return Both(f"r[r[{i}].who].what := {x};", f"r_what[r_who[{i}]] := {x};")

    def equal(random: Random) -> Both:
        i, j = id_in(random), id_in(random)
        return Both(f"r[{i}] == r[{j}]", f"(r_who[{i}] == r_who[{j}] && r_what[{i}] == r_what[{j}])")

    def asked(random: Random) -> Both:
        i, j = id_in(random), id_in(random)
        return Both(f"r[{i}].who != {j}", f"r_who[{i}] != {j}")

    declared = Both(
        "record R { who: P, what: V }\nvar r[k: P]: R = R { who: k, what: v0 };",
        "var r_who[k: P]: P = k;\nvar r_what[P]: V;",
    )
    return Feature(declared, (equal, asked), (written, copied, followed))


def _sets(_: Random) -> Feature:
    def has(random: Random) -> Both:
        i = id_in(random)
        return random.choice((Both(f"{i} in s", f"s[{i}]"), Both(f"!({i} in s)", f"!s[{i}]")))

    def few(_: Random) -> Both:
        return Both("card(s) <= 1", "(count k in P: s[k]) <= 1")

    def added(random: Random) -> Both:
        i = id_in(random)
        return random.choice(
            (Both(f"insert(s, {i});", f"s[{i}] := true;"), Both(f"s := s union {{ {i} }};", f"s[{i}] := true;"))
        )

    def removed(random: Random) -> Both:
        i = id_in(random)
        return Both(f"remove(s, {i});", f"s[{i}] := false;")

    def cleared(_: Random) -> Both:
        return Both("s := {};", "for k in P { s[k] := false; }")

    return Feature(Both("var s: set of P;", "var s[P]: bool;"), (has, few), (added, removed, cleared))


def _optional(_: Random) -> Feature:
    def free(random: Random) -> Both:
        x = value_in(random)
        return Both(f"o[{x}] == none", f"o[{x}] == nobody")

    def owns(random: Random) -> Both:
        i, x = id_in(random), value_in(random)
        return Both(f"o[{x}] != {i}", f"o[{x}] != {i}")

    def taken(random: Random) -> Both:
        return same(f"o[{value_in(random)}] := {id_in(random)};")

    def dropped(random: Random) -> Both:
        x = value_in(random)
        return Both(f"o[{x}] := none;", f"o[{x}] := nobody;")

    declared = Both("var o[V]: P?;", "domain Maybe = P + { nobody };\nvar o[V]: Maybe = nobody;")
    return Feature(declared, (free, owns), (taken, dropped))


def _bags(_: Random) -> Feature:
    def sent(random: Random) -> Both:
        i, x = id_in(random), value_in(random)
        flat = f"net[{i}][{x}] := net[{i}][{x}] + 1; size := size + 1;"
        return Both(f"send M {{ to: {i}, what: {x} }} to net;", flat, ("!full(net)", "size < 2"))

    def taken(_: Random) -> Both:
        flat = "net[i][x] := net[i][x] - 1; size := size - 1;"
        needed = ("M { to: i, what: x } in net", "net[i][x] > 0")
        return Both("remove(net, M { to: i, what: x });", flat, needed)

    def empty(_: Random) -> Both:
        return Both("empty(net)", "size == 0")

    def has(random: Random) -> Both:
        i = id_in(random)
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
        i = id_in(random)
        return Both(f"u.who == {i}", f"who == {i}")

    def set_to(random: Random) -> Both:
        i, x = id_in(random), value_in(random)
        return random.choice(
            (
                Both(f"u := Ask {{ who: {i} }};", f"tag := tAsk; who := {i}; what := nothing;"),
                Both(f"u := Tell {{ what: {x}, who: {i} }};", f"tag := tTell; who := {i}; what := {x};"),
                Both("u := Stop;", "tag := tStop; who := noone; what := nothing;"),
            )
        )

    def matched(random: Random) -> Both:
        x = value_in(random)
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
        i, x = id_in(random), value_in(random)
        return Both(
            f"swap(a[{i}], b[{i}], {x});",
            f"let o{{N}} = a[{i}]; a[{i}] := b[{i}]; b[{i}] := if o{{N}} == {x} then v0 else o{{N}};",
        )

    def differ(random: Random) -> Both:
        i, j = id_in(random), id_in(random)
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
        return same(f"t == {id_in(random)}")

    def passed(random: Random) -> Both:
        return random.choice((same("t := (t + 1) % N;"), Both("t := next(t);", "t := (ord(t) + 1) % N;")))

    first = random.choice(("0", "*"))
    declared = Both(f"var t: P = {first};\ndef next(k: P) = (k + 1) % N;", f"var t: P = {first};")
    return Feature(declared, (mine,), (passed,))


def _nested(_: Random) -> Feature:
    """Records in records with sets and optional fields, by reference, in locals and in definitions."""

    def marked(random: Random) -> Both:
        i, j = id_in(random), id_in(random)
        flat = f"n_in_seen[{i}][{j}] := true; n_in_last[{i}] := {j};"
        return Both(f"mark(n[{i}].in1, {j});", flat)

    def copied(random: Random) -> Both:
        i, j = id_in(random), id_in(random)
        flat = (
            f"let x{{N}} = n_what[{j}]; let l{{N}} = n_in_last[{j}]; for k in P {{ if k != {i} || true {{"
            f" n_in_seen[{i}][k] := n_in_seen[{j}][k]; }} }} n_what[{i}] := x{{N}}; n_in_last[{i}] := l{{N}};"
        )
        return Both(f"let m{{N}} = n[{j}]; n[{i}] := m{{N}};", flat)

    def emptied(random: Random) -> Both:
        i, x = id_in(random), value_in(random)
        flat = f"n_what[{i}] := {x}; for k in P {{ n_in_seen[{i}][k] := k == j; }} n_in_last[{i}] := nobody1;"
        return Both(f"n[{i}] := Outer {{ what: {x}, in1: Inner {{ last: none, seen: {{ j }} }} }};", flat)

    def chosen(random: Random) -> Both:
        i = id_in(random)
        flat = (
            f"if exists k in P: n_in_seen[{i}][k] {{ n_in_last[{i}] := min k in P where n_in_seen[{i}][k]: ord(k); }}"
        )
        parted = f"if !(n[{i}].in1.seen == {{}}) {{ n[{i}].in1.last := choose k in n[{i}].in1.seen where true; }}"
        return Both(parted, flat)

    def equal(random: Random) -> Both:
        i, j = id_in(random), id_in(random)
        flat = f"(n_in_last[{i}] == n_in_last[{j}] && (forall k in P: n_in_seen[{i}][k] == n_in_seen[{j}][k]))"
        return Both(f"n[{i}].in1 == n[{j}].in1", flat)

    def within(random: Random) -> Both:
        i, j = id_in(random), id_in(random)
        flat = f"(forall k in P: n_in_seen[{i}][k] => (n_in_seen[{j}][k] || k == i))"
        return Both(f"n[{i}].in1.seen subset n[{j}].in1.seen union {{ i }}", flat)

    def known(random: Random) -> Both:
        i = id_in(random)
        return Both(f"n[{i}].in1.last in n[{i}].in1.seen", f"(exists k in P: n_in_last[{i}] == k && n_in_seen[{i}][k])")

    declared = Both(
        "record Inner { last: P?, seen: set of P }\nrecord Outer { what: V, in1: Inner }\nvar n[P]: Outer;\n"
        "procedure mark(ref it: Inner, k: P) { insert(it.seen, k); it.last := k; }",
        "domain Maybe1 = P + { nobody1 };\nvar n_what[P]: V;\nvar n_in_last[P]: Maybe1 = nobody1;\n"
        "var n_in_seen[P][P]: bool;",
    )
    return Feature(declared, (equal, within, known), (marked, copied, emptied, chosen))


def _messages(_: Random) -> Feature:
    """A bag of a union, with a quantifier over it and a match of what is in a loop."""

    def sent(random: Random) -> Both:
        i, x = id_in(random), value_in(random)
        return random.choice(
            (
                _posted(f"Get {{ to: {i} }}", f"pGet][{i}][nil"),
                _posted(f"Put {{ to: {i}, with: {x} }}", f"pPut][{i}][{x}"),
                _posted("Bye", "pBye][away][nil"),
            )
        )

    def _posted(value: str, index: str) -> Both:
        flat = f"post[{index}] := post[{index}] + 1; posted := posted + 1;"
        return Both(f"send {value} to post;", flat, ("!full(post)", "posted < 2"))

    def answered(_: Random) -> Both:
        flat = (
            "post[pGet][i][nil] := post[pGet][i][nil] - 1; posted := posted - 1;"
            " post[pPut][i][x] := post[pPut][i][x] + 1; posted := posted + 1;"
        )
        parted = "remove(post, Get { to: i }); send Put { to: i, with: x } to post;"
        return Both(parted, flat, ("Get { to: i } in post", "post[pGet][i][nil] > 0"))

    def dropped(_: Random) -> Both:
        flat = "post[pPut][i][x] := post[pPut][i][x] - 1; posted := posted - 1; g[i] := x;"
        parted = "remove(post, Put { to: i, with: x }); g[i] := x;"
        return Both(parted, flat, ("Put { to: i, with: x } in post", "post[pPut][i][x] > 0"))

    def waits(random: Random) -> Both:
        i = id_in(random)
        flat = f"(exists w in Opt: post[pPut][{i}][w] > 0)"
        return Both(f"(exists m in post where m is Put: m.to == {i})", flat)

    def no_bye(_: Random) -> Both:
        return Both("(forall m in post: !(m is Bye))", "post[pBye][away][nil] == 0")

    def many(_: Random) -> Both:
        return Both("card(post) <= 1", "(count tag1 in Tags, k in Away, w in Opt: post[tag1][k][w] > 0) <= 1")

    declared = Both(
        "union Post { Get { to: P }, Put { to: P, with: V }, Bye }\nvar post: bag of Post max 2;\nvar g[P]: V;",
        "domain Tags = { pGet, pPut, pBye };\ndomain Away = P + { away };\ndomain Opt = V + { nil };\n"
        "var post[Tags][Away][Opt]: 0 .. 2;\nvar posted: 0 .. 2;\nvar g[P]: V;",
    )
    return Feature(declared, (waits, no_bye, many), (sent, answered, dropped))


def _queues(_: Random) -> Feature:
    """A sequence of records, its items changed in place and seen through a definition."""

    def pushed(random: Random) -> Both:
        i, x = id_in(random), value_in(random)
        flat = f"push(q_by, {i}); push(q_what, {x});"
        return Both(f"push(q, Job {{ by: {i}, what: {x} }});", flat, ("!full(q)", "!full(q_by)"))

    def popped(_: Random) -> Both:
        parted = "let h{N} = head(q); pop(q); d[h{N}.by] := h{N}.what;"
        flat = "let b{N} = head(q_by); let w{N} = head(q_what); pop(q_by); pop(q_what); d[b{N}] := w{N};"
        return Both(parted, flat, ("!empty(q)", "!empty(q_by)"))

    def changed(random: Random) -> Both:
        i = id_in(random)
        return Both(f"q[0].by := {i};", f"q_by[0] := {i};", ("len(q) > 0", "len(q_by) > 0"))

    def first(random: Random) -> Both:
        i = id_in(random)
        flat = f"(!empty(q_by) && (head(q_by) == {i} && head(q_what) == x))"
        return Both(f"(!empty(q) && is_job(head(q), {i}, x))", flat)

    declared = Both(
        "record Job { by: P, what: V }\nvar q: seq[2] of Job;\nvar d[P]: V;\n"
        "def is_job(m: Job, k: P, y: V) = m == Job { what: y, by: k };",
        "var q_by: seq[2] of P;\nvar q_what: seq[2] of V;\nvar d[P]: V;",
    )
    return Feature(declared, (first,), (pushed, popped, changed))


def _keys(_: Random) -> Feature:
    """A set of records, with quantifiers, loops and unions over it."""

    def held(random: Random) -> Both:
        i, x = id_in(random), value_in(random)
        return Both(f"Key {{ own: {i}, at: {x} }} in keys", f"keys[{i}][{x}]")

    def some(random: Random) -> Both:
        i = id_in(random)
        return Both(f"(exists k in keys where k.own == {i}: k.at != v0)", f"(exists w in V: keys[{i}][w] && w != v0)")

    def sum_of(_: Random) -> Both:
        flat = "(sum k in P, w in V: if keys[k][w] && w == v0 then 1 else 0) < 2"
        return Both("(sum k in keys where k.at == v0: 1) < 2", flat)

    def put(random: Random) -> Both:
        i, x = id_in(random), value_in(random)
        return Both(f"insert(keys, Key {{ at: {x}, own: {i} }});", f"keys[{i}][{x}] := true;")

    def kept(random: Random) -> Both:
        x = value_in(random)
        flat = f"for k in P, w in V {{ keys[k][w] := keys[k][w] && (w != {x} || k == i); }}"
        return Both(f"keys := {{ k in keys where k.at != {x} || k.own == i }};", flat)

    def joined(_: Random) -> Both:
        flat = "for k in P { keys[k][x] := true; }"
        return Both("for k in P { keys := keys union { Key { own: k, at: x } }; }", flat)

    declared = Both("record Key { own: P, at: V }\nvar keys: set of Key;", "var keys[P][V]: bool;")
    return Feature(declared, (held, some, sum_of), (put, kept, joined))


TYPES: Final[tuple[Maker, ...]] = (
    _records,
    _sets,
    _optional,
    _bags,
    _unions,
    _procedures,
    _tokens,
    _nested,
    _messages,
    _queues,
    _keys,
)
