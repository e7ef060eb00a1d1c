"""Records: every part is a variable, a parameter or a local of the model."""

import pytest
from tests.support.flattened import figures, problems, task_of

from burnside.claims.printer import print_task
from burnside.ir.cells import Cells
from burnside.ir.initial import initial
from burnside.ir.semantics import Fault, successors

DECLARATIONS = """\
const N = 3;
process Server = 0 .. N-1;
domain Kind = { vote, grant };
record Ends { from, to: Server }
record Msg { kind: Kind, term: 0 .. 3, ends: Ends }
var m: Msg;
var net: seq[2] of Msg;
var last[Server]: Msg;
"""


def body(text: str) -> list[str]:
    """The statements of a rule as they are in the model."""
    printed = print_task(task_of(f"{DECLARATIONS} rule r(i: Server) do {{ {text} }}")).replace("`", "")
    return [line.strip() for line in printed.split("rule r(i: Server) do {")[1].splitlines()][1:-1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("m.term := 2;", ["m.term := 2;"]),
        ("m.ends.to := i;", ["m.ends.to := i;"]),
        ("m.ends := Ends { to: i, from: 0 };", ["m.ends.from := 0;", "m.ends.to := i;"]),
        ("last[i].ends := m.ends;", ["last.ends.from[i] := m.ends.from;", "last.ends.to[i] := m.ends.to;"]),
        ("m.ends := (if m.term == 1 then last[i] else m).ends;", None),
        ("net[1].term := head(net).term + 1;", ["net.term[1] := net.term[0] + 1;"]),
        ("pop(net);", ["pop(net.kind);", "pop(net.term);", "pop(net.ends.from);", "pop(net.ends.to);"]),
        ("let e = m.ends; m.ends := e;", None),
        ("var e: Ends; e.to := i; m.ends := e;", None),
    ],
)
def test_a_statement_is_one_for_each_part(text: str, expected: list[str] | None) -> None:
    found = body(text)

    assert expected is None or found == expected


def test_parts_are_computed_before_the_first_is_written() -> None:
    """Otherwise both fields would have the same value afterwards."""
    text = f"{DECLARATIONS} rule swap do {{ m.ends := Ends {{ from: m.ends.to, to: 1 - ord(m.ends.from) }}; }}"
    flat = "var a: 0..2; var b: 0..2; rule swap do { let old = a; a := b; b := 1 - old; }"

    assert figures(text)[:2] == figures(flat)[:2] == (4, 4)


def test_an_index_means_what_it_meant_before_the_assignment() -> None:
    """The second field would go to another element, since the first is the index."""
    text = """
    record R { at: 0 .. 1, x: 0 .. 2 }
    var r[0 .. 1]: R;
    rule go when r[0].at == 0 do { r[r[0].at] := R { at: 1, x: 2 }; }
    reachable right: r[0].x == 2 && r[1].x == 0;
    """
    assert figures(text)[:2] == (2, 1)
    assert "reachable right" in print_task(task_of(text))


def test_an_item_that_is_pushed_is_read_before_anything_changes() -> None:
    text = """
    record R { a: 0 .. 3, b: 0 .. 3 }
    var q: seq[2] of R = [R { a: 1, b: 2 }];
    rule double when !full(q) do { push(q, R { a: len(q), b: len(q) }); assert q[1] == R { a: 1, b: 1 }; }
    """
    assert figures(text)[:2] == (2, 1)


def test_records_are_compared_as_a_whole() -> None:
    text = """
    record R { a: 0 .. 1, b: 0 .. 1 }
    var r: R = *;
    var s: R = *;
    initially r != s;
    """
    assert figures(text)[:2] == (12, 0)


def test_initial_values_are_given_to_each_part() -> None:
    text = """
    process P = 0 .. 1;
    record R { who: P, n: 0 .. 9 }
    var a[i: P]: R = R { who: i, n: 2 + ord(i) };
    var b[P]: R = [R { who: 0, n: 4 }, R { n: 5, who: 1 }];
    var c[P]: R = *;
    var q[P]: seq[2] of R = [[R { who: 1, n: 1 }], []];
    var d: R;
    """
    initial = {v.name: v.initial for v in task_of(text).model.variables}

    assert initial == {
        "a.who": (0, 1),
        "a.n": (2, 3),
        "b.who": (0, 1),
        "b.n": (4, 5),
        "c.who": (None, None),
        "c.n": (None, None),
        "q.who": ((1,), ()),
        "q.n": ((1,), ()),
        "d.who": (0,),
        "d.n": (0,),
    }


def test_parameters_of_rules_properties_and_definitions_may_be_records() -> None:
    text = """
    process P = 0 .. 1;
    record Pair { x: P, y: P }
    var seen[P][P]: bool;
    def turned(p: Pair) = Pair { x: p.y, y: p.x };
    def is_seen(p: Pair) = seen[p.x][p.y];
    rule see(p: Pair) when !is_seen(turned(p)) do { seen[p.x][p.y] := true; }
    invariant one(p: Pair): p.x != p.y => !(is_seen(p) && is_seen(turned(p)));
    reachable some: exists p in Pair: is_seen(p);
    """
    flat = """
    process P = 0 .. 1;
    var seen[P][P]: bool;
    rule see(x, y: P) when !seen[y][x] do { seen[x][y] := true; }
    invariant one(x, y: P): x != y => !(seen[x][y] && seen[y][x]);
    reachable some: exists x, y in P: seen[x][y];
    """
    assert figures(text) == figures(flat)
    assert print_task(task_of(text)).replace("`", "").replace("p.", "") == print_task(task_of(flat))


def test_a_sequence_of_records_has_the_symmetries_of_parallel_sequences() -> None:
    text = """
    process P = 0 .. 2;
    domain V = { red, green };
    record Msg { to: P, what: V }
    var net: seq[2] of Msg;
    var got[P]: V = *;
    rule send(i: P, v: V) when !full(net) do { push(net, Msg { what: v, to: i }); }
    rule take when !empty(net) do { let m = head(net); got[m.to] := m.what; pop(net); }
    """
    flat = """
    process P = 0 .. 2;
    domain V = { red, green };
    var to: seq[2] of P;
    var what: seq[2] of V;
    var got[P]: V = *;
    rule send(i: P, v: V) when !full(to) do { push(to, i); push(what, v); }
    rule take when !empty(to) do { got[head(to)] := head(what); pop(to); pop(what); }
    """
    assert figures(text) == figures(flat)
    assert figures(text).order == 12


def test_cells_have_the_names_of_the_text() -> None:
    text = f"{DECLARATIONS} var deep[Server]: seq[1] of Ends;"
    names = [cell.name for cell in Cells(task_of(text).model).all]

    assert {"m.term", "net[1].ends.to", "last[2].ends.from", "len(net.kind)", "deep[1][0].to"} <= set(names)


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("var x: 0..1 = Msg { };", "BUR204", "this 'Msg' has no value for 'kind', 'term', 'ends'"),
        ("record Empty { }", "BUR205", "record 'Empty' has no fields"),
        ("record Twice { a: bool, a: bool }", "BUR202", "field 'a' stands twice in one record"),
        ("record Self { s: Self }", "BUR209", "the definition of 'Self' uses itself"),
        ("rule r do { m.trem := 1; }", "BUR201", "'Msg' has no field 'trem'"),
        ("rule r do { m.term.x := 1; }", "BUR203", "this is a number, which has no fields"),
        ("rule r do { m := m.ends; }", "BUR203", "expected a record 'Msg', found a record 'Ends'"),
        ("rule r do { m := 1; }", "BUR203", "expected a record 'Msg', found a number"),
        ("rule r do { m.term := m; }", "BUR203", "expected a single value, found a record 'Msg'"),
        ("rule r do { last.term := 1; }", "BUR204", "'last' takes 1 index, found 0"),
        ("rule r do { m[0] := m; }", "BUR204", "'m[0]' has an index too many"),
        ("rule r when m do { }", "BUR203", "expected a single value, found a record 'Msg'"),
        ("rule r when m == m.ends do { }", "BUR203", "expected a record 'Msg', found a record 'Ends'"),
        ("rule r when m < m do { }", "BUR203", "expected a single value, found a record 'Msg'"),
        ("rule r do { net := m; }", "BUR210", "'net' is a sequence"),
        ("rule r do { push(m, m); }", "BUR203", "'m' is not a sequence"),
        ("rule r do { let x = m; x.term := 1; }", "BUR210", "'x' is a local constant and keeps its value"),
        ("rule r do { m.term := Ends { from: 0, from: 1, to: 0 }.from; }", "BUR202", "field 'from' is given twice"),
        ("rule r do { m.kind := red; }", "BUR201", "'red' is not known here"),
        ("var q: seq[1] of seq[1] of bool;", "BUR901", "a sequence cannot hold sequences or bags"),
        ("rule r(x: seq[2] of Msg) do { }", "BUR205", "this holds a sequence or a bag"),
        ("var y: Msg = 3;", "BUR203", "expected a record 'Msg', found a number"),
        ("var y: Msg = [m];", "BUR206", None),
        ("var q: seq[1] of Msg = 1;", "BUR206", "'q' is a sequence and starts with a list of items, such as []"),
    ],
)
def test_a_mistake_is_one_message(text: str, code: str, message: str | None) -> None:
    found = problems(DECLARATIONS + text)

    assert [c for c, _ in found] == [code] or message is None
    assert message is None or found[0][1] == message


def test_records_in_records_are_bounded_before_memory_is_taken() -> None:
    """Each level has twice the fields of the one before: forty of them would be a million million."""
    levels = "".join(f"record R{k + 1} {{ a: R{k}, b: R{k} }}\n" for k in range(40))

    found = problems(f"record R0 {{ a: bool }}\n{levels} var x: R40;")

    assert found[0] == ("BUR205", "record 'R9' has 512 fields, more than 256")


def test_words_of_the_new_declarations_can_be_names() -> None:
    """Texts that were written before there were records mean what they meant."""
    text = """
    var record: 0 .. 1; var set: bool; var card: bool; var union: bool; var where: bool; var choose: bool;
    rule insert when record == 0 && (set || card || union || where || !choose) do { record := 1; }
    """
    assert figures(text)[:2] == (2, 1)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("push(q, m);", "'q' is full: it holds 1, {to: 0, n: 0} does not fit"),
        ("pop(q); pop(q);", "'q' is empty"),
        ("m := q[1];", "position 1 of 'q', which holds 1 item"),
        ("push(box[1].q, m); push(box[1].q, m);", "'box[1].q' is full: it holds 1, {to: 0, n: 0} does not fit"),
        ("m := box[1].q[0];", "position 0 of 'box[1].q', which holds 0 items"),
        ("box[k].m := m;", "index 3 of 'box' is outside 0..2"),
        ("m.n := k + 1;", "value 4 of 'm.n' is outside 0..3"),
        ("box[nobody].m := m;", "index none of 'box' is outside 0..2"),
        ("push(c, green); push(c, red);", "'c' is full: it holds 1, red does not fit"),
        ("m.to := nobody;", "value none of 'm.to' is outside 0..2"),
        ("send m to box[1].bag; send m to box[1].bag;", "'box[1].bag' is full: it holds 1, {to: 0, n: 0} does not fit"),
        ("remove(box[k - 1].bag, m);", "'box[2].bag' does not hold {to: 0, n: 0}"),
        ("put(box[0], Msg { to: k - 1, n: 1 });", "'b.bag' is full: it holds 1, {to: 2, n: 1} does not fit"),
        ("send red to cs; send green to cs;", "'cs' is full: it holds 1, green does not fit"),
        (
            "var u: U := Ask { from: 2 }; send u to us; send u to us;",
            "'us' is full: it holds 1, Ask {from: 2} does not fit",
        ),
        (
            "push(sets, S { p: 1, s: { 0, 2 } }); push(sets, S { p: 1, s: {} });",
            "'sets' is full: it holds 1, {p: 1, …} does not fit",
        ),
    ],
)
def test_faults_speak_of_what_was_declared(statement: str, message: str) -> None:
    text = f"""
    process P = 0 .. 2;
    record Msg {{ to: P, n: 0 .. 3 }}
    record Box {{ m: Msg, q: seq[1] of Msg, bag: bag of Msg max 1 }}
    record S {{ p: P, s: set of P }}
    union U {{ Ask {{ from: P }}, Stop }}
    var m: Msg;
    var q: seq[1] of Msg = [ Msg {{ to: 0, n: 0 }} ];
    var box[P]: Box;
    var k: 0 .. 3 = 3;
    var nobody: P?;
    domain Colour = {{ red, green }};
    var c: seq[1] of Colour;
    var cs: bag of Colour max 1;
    var us: bag of U max 1;
    var sets: seq[1] of S;
    procedure put(ref b: Box, it: Msg) {{ send it to b.bag; send it to b.bag; }}
    rule r do {{ {statement} }}
    """
    model = task_of(text).model
    (outcome,) = successors(model, next(iter(initial(model))))

    assert isinstance(outcome, Fault)
    assert outcome.message == message


def test_an_unknown_field_in_the_place_of_a_set_is_one_mistake() -> None:
    """A text of the fuzzer: what such a field is was looked up among the variables, in which it is not."""
    text = """
    process P = 0 .. 2;
    record State { votes: set of P }
    var server[P]: State;
    rule r(i: P) when i in server[i].votes minus server[i].vos do { }
    """
    assert [code for code, _ in problems(text)] == ["BUR201"]
