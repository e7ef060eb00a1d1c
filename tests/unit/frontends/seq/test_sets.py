"""Sets: arrays of truth values over the domain of their elements."""

import pytest
from tests.support.flattened import figures, problems, task_of

from burnside.claims.printer import print_task
from burnside.frontends.seq import load
from burnside.source import Source

DECLARATIONS = """\
process P = 0 .. 2;
domain C = { red, green, blue };
domain Owner = P + { nobody };
record Pair { x: P, c: C }
var s: set of P;
var t[P]: set of P;
var cs: set of C;
var ps: set of Pair;
var n: 0 .. 9;
var o: Owner;
"""


def condition(text: str) -> str:
    """A condition as it is in the model."""
    printed = print_task(task_of(f"{DECLARATIONS} rule r(i: P) when {text} do {{ }}"))
    return printed.split("rule r(i: P) when ")[1].removesuffix(" do { }\n")


def body(text: str) -> list[str]:
    """The statements of a rule as they are in the model."""
    printed = print_task(task_of(f"{DECLARATIONS} rule r(i: P) do {{ {text} }}"))
    return [line.strip() for line in printed.split("rule r(i: P) do {")[1].splitlines()][1:-1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("i in s", "s[i]"),
        ("!i in s", "!s[i]"),
        ("i in t[i]", "t[i][i]"),
        ("o in s", "ord(o) <= 2 && s[o]"),
        ("red in cs", "cs[red]"),
        ("n in { 1, 2, 5 .. 7 }", "n == 1 || n == 2 || 5 <= n && n <= 7"),
        ("i in { 0, i }", "i == 0 || i == i"),
        ("n in P", "n <= 2"),
        ("Pair { x: i, c: red } in ps", "ps[i][red]"),
        ("card(s) == 1", "(count p in P: s[p]) == 1"),
        ("card(ps) == 1", "(sum p in P: count c in C: ps[p][c]) == 1"),
        ("s == {}", "forall p in P: s[p] <=> false"),
        ("s != t[i]", "!forall p in P: s[p] <=> t[i][p]"),
        ("s subset t[i]", "!exists p in P: s[p] && !t[i][p]"),
        ("i in s union t[i]", "s[i] || t[i][i]"),
        ("i in s minus t[i] intersect { 0 }", "s[i] && !(t[i][i] && i == 0)"),
        ("forall j in s: j != i", "forall j in P: s[j] => j != i"),
        ("exists j in s, k in t[j]: j == k", "exists j in P: s[j] && exists k in P: t[j][k] && j == k"),
        ("(count j in s where j != i: j in t[j]) == 1", "(count j in P: s[j] && j != i && t[j][j]) == 1"),
        ("(sum j in s: n) == 1", "(sum j in P: if s[j] then n else 0) == 1"),
        ("exists p in ps: p.x == i", "exists p.x in P, p.c in C: ps[p.x][p.c] && p.x == i"),
        ("i in { x in P where x != i }", "i != i"),
        ("card({ x in s where x != i }) == 0", "(count p in P: s[p] && p != i) == 0"),
        ("i in (if n == 0 then s else {})", "if n == 0 then s[i] else false"),
        ("exists x in { 1, 3 }: n == x", "exists x in 1 .. 3: (x == 1 || x == 3) && n == x"),
        ("forall x in P minus s: x == i", "forall x in P: !s[x] => x == i"),
    ],
)
def test_a_question_about_sets_is_one_about_their_elements(text: str, expected: str) -> None:
    assert condition(text).replace("`", "") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("insert(s, i);", ["s[i] := true;"]),
        ("remove(t[i], 0);", ["t[i][0] := false;"]),
        ("insert(ps, Pair { x: i, c: blue });", ["ps[i][blue] := true;"]),
        ("clear(s);", ["for p in P {", "s[p] := false;", "}"]),
        ("s := { i, 0 };", ["for p in P {", "s[p] := p == i || p == 0;", "}"]),
        ("s := s union t[i];", ["for p in P {", "s[p] := s[p] || t[i][p];", "}"]),
        ("cs := { red };", ["for c in C {", "cs[c] := c == red;", "}"]),
        ("for j in s { n := n + 1; }", ["for j in P {", "if s[j] {", "n := n + 1;", "}", "}"]),
    ],
)
def test_a_statement_changes_elements(text: str, expected: list[str]) -> None:
    assert body(text) == expected


def test_a_set_that_needs_its_old_elements_gets_them() -> None:
    """Element by element, the second would be computed from the new first."""
    text = """
    domain D = 0 .. 2;
    var s: set of D = { 0 };
    rule turn do { s := { x in D where (x + 2) % 3 in s }; assert card(s) == 1; }
    """
    assert figures(text)[:2] == (3, 3)


def test_sets_begin_as_they_are_declared() -> None:
    text = """
    process P = 0 .. 2;
    record R { ids: set of P, n: 0 .. 1 }
    var a: set of P;
    var b: set of P = { 0, 2 };
    var c[i: P]: set of P = { x in P where x != i };
    var d[P]: set of P = [{}, { 1 }, { 0 .. 2 }];
    var e: set of P = *;
    var f: R = R { ids: { 1 }, n: 1 };
    """
    initial = {v.name: v.initial for v in task_of(text).model.variables}

    assert initial == {
        "a": (0, 0, 0),
        "b": (1, 0, 1),
        "c": (0, 1, 1, 1, 0, 1, 1, 1, 0),
        "d": (0, 0, 0, 0, 1, 0, 1, 1, 1),
        "e": (None, None, None),
        "f.ids": (0, 1, 0),
        "f.n": (1,),
    }


def test_sets_are_parameters_of_definitions_and_locals() -> None:
    text = """
    process P = 0 .. 2;
    var yes[P]: set of P;
    def most(votes: set of P) = 2 * card(votes) > 3;
    def others(i: P) = { j in P where j != i };
    rule vote(i, j: P) when !most(yes[i] intersect others(i)) do {
      var new: set of P := yes[i];
      insert(new, j);
      let old = yes[i] minus { j };
      assert old subset new && card(new) == card(old) + 1;
      yes[i] := new;
    }
    invariant few(i: P): card(yes[i]) <= 3;
    """
    flat = """
    process P = 0 .. 2;
    var yes[P][P]: bool;
    rule vote(i, j: P) when !2 * (count k in P: yes[i][k] && k != i) > 3 do { yes[i][j] := true; }
    invariant few(i: P): (count k in P: yes[i][k]) <= 3;
    """
    assert figures(text) == figures(flat)


def test_a_set_of_records_has_the_symmetries_of_an_array() -> None:
    text = """
    process P = 0 .. 2;
    domain K = { ask, answer };
    record Msg { kind: K, from, to: P }
    var sent: set of Msg;
    rule ask(i, j: P) when i != j do { insert(sent, Msg { kind: ask, from: i, to: j }); }
    rule answer(m: Msg) when m in sent && m.kind == ask do {
      sent := sent union { Msg { kind: answer, from: m.to, to: m.from } };
    }
    """
    flat = """
    process P = 0 .. 2;
    var asked[P][P]: bool;
    var answered[P][P]: bool;
    rule ask(i, j: P) when i != j do { asked[i][j] := true; }
    rule answer(i, j: P) when asked[i][j] do { answered[j][i] := true; }
    """
    assert figures(text) == figures(flat)


def test_a_sequence_of_sets_is_a_sequence_for_each_element() -> None:
    text = """
    process P = 0 .. 1;
    var q: seq[2] of set of P;
    rule add(i: P) when !full(q) do { push(q, { i }); }
    rule both when len(q) == 1 do { q[0] := q[0] union P; }
    rule out when !empty(q) && head(q) == { 0, 1 } do { pop(q); }
    """
    flat = """
    process P = 0 .. 1;
    var q[P]: seq[2] of bool;
    rule add(i: P) when !full(q[0]) do { for j in P { push(q[j], i == j); } }
    rule both when len(q[0]) == 1 do { for j in P { q[j][0] := true; } }
    rule out when !empty(q[0]) && (forall j in P: head(q[j])) do { for j in P { pop(q[j]); } }
    """
    assert figures(text) == figures(flat)


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("rule r when s do { }", "BUR203", "expected a single value, found a set"),
        ("rule r when s == 1 do { }", "BUR203", "expected a single value, found a set"),
        ("rule r when 1 in 2 do { }", "BUR203", "expected a set, found a number"),
        ("rule r when s == cs do { }", "BUR203", "expected a set of 'P', found a set of 'C'"),
        ("rule r when s union ps == s do { }", "BUR203", "expected a set of 'P', found a set of record 'Pair's"),
        ("rule r when red in s do { }", "BUR203", "expected a number, found a value of 'C'"),
        ("rule r do { s := cs; }", "BUR203", "expected a set of 'P', found a set of 'C'"),
        ("rule r do { s := 1; }", "BUR203", "expected a set of 'P', found a number"),
        ("rule r do { insert(n, 1); }", "BUR203", "'n' is not a set"),
        ("rule r do { push(s, 1); }", "BUR203", "'s' is not a sequence"),
        ("rule r when s[0] do { }", "BUR204", "'s[0]' has an index too many"),
        ("rule r when card({}) == 0 do { }", "BUR203", "it is not known what this set could have as elements"),
        ("rule r when card(n) == 0 do { }", "BUR204", "'card' takes a set"),
        ("var x: set of set of P;", "BUR901", "a set cannot hold sets, bags or sequences"),
        ("var x: set of 0 .. 4000000000;", "BUR205", "a set could have 4,000,000,001 elements"),
        ("rule r(x: set of 0 .. 9999) do { }", "BUR205", "this has 10,000 parts, more than 256"),
        ("invariant p: P == 1;", "BUR203", "'P' is a domain, not a value"),
        ("ltl l: forall i in s: [] i in s;", "BUR203", "a formula about runs cannot depend on a set here"),
    ],
)
def test_a_mistake_is_one_message(text: str, code: str, message: str) -> None:
    assert problems(DECLARATIONS + text) == [(code, message)]


@pytest.mark.parametrize(
    ("text", "remedies"),
    [("empty(s)", ["write 's == {}'"]), ("len(s) == 0", ["write 'card(s)'"]), ("full(s)", [])],
)
def test_what_is_asked_of_sequences_has_another_name_for_sets(text: str, remedies: list[str]) -> None:
    (found,) = load(Source("model.seq", f"{DECLARATIONS}rule r when {text} do {{ }}"), {}).diagnostics

    assert (found.code, found.message) == ("BUR203", "'s' is not a sequence")
    assert [note.message for note in found.notes] == remedies


def test_sets_that_double_are_bounded_before_memory_is_taken() -> None:
    levels = "".join(f"def d{k + 1} = d{k} union {{ x in P where card(d{k}) > ord(x) }};\n" for k in range(30))

    found = problems(f"process P = 0 .. 2; var s: set of P; def d0 = s;\n{levels}")

    assert {code for code, _ in found} == {"BUR502", "BUR104"}  # too much to evaluate, then too much to write down


def test_a_loop_leaves_values_out() -> None:
    """Which ones, is asked when their turn comes."""
    assert body("for j in P where j != i { insert(s, j); }") == body("for j in P { if j != i { insert(s, j); } }")
