"""Tagged unions: a record with the tag and all fields, of which a variant leaves some out."""

import pytest
from tests.support.flattened import figures, problems, task_of

DECLARATIONS = """\
process S = 0 .. 1;
domain V = { red, green };
union Msg { Ask { from, to: S }, Answer { to: S, what: V }, Stop }
var m: Msg = Stop;
var n: 0 .. 3;
"""


def test_a_union_is_a_record_of_optional_fields() -> None:
    model = task_of(DECLARATIONS).model

    assert [(v.name, v.domain.text(v.domain.high)) for v in model.variables] == [
        ("m.tag", "Stop"),
        ("m.from", "none"),
        ("m.to", "none"),
        ("m.what", "none"),
        ("n", "3"),
    ]
    assert [v.initial for v in model.variables] == [(2,), (2,), (2,), (2,), (0,)]


def test_messages_of_several_kinds_keep_their_symmetries() -> None:
    text = """
    process S = 0 .. 2;
    domain V = { red, green, blue };
    union Msg { Ask { from, to: S }, Answer { to: S, what: V }, Stop }
    var net: seq[2] of Msg;
    var got[S]: V = *;
    initially forall i, j in S: got[i] == got[j];
    rule ask(i, j: S) when i != j && !full(net) do { push(net, Ask { from: i, to: j }); }
    rule stop when empty(net) do { push(net, Stop); }
    rule take(v: V) when !empty(net) do {
      let m = head(net);
      pop(net);
      match m {
        case Ask { push(net, Answer { to: m.from, what: got[m.to] }); got[m.to] := v; }
        case Answer { got[m.to] := m.what; }
        case Stop { }
      }
    }
    invariant blank: empty(net) || (net[0] is Ask <=> net[0].from != none && net[0].what == none);
    """
    flat = """
    process S = 0 .. 2;
    domain V = 0 .. 2;
    domain T = { ask, answer, stop };
    domain MaybeS = S + { nobody };
    domain MaybeV = V + { nothing };
    var tag: seq[2] of T; var from: seq[2] of MaybeS; var to: seq[2] of MaybeS; var what: seq[2] of MaybeV;
    var got[S]: V = *;
    initially forall i, j in S: got[i] == got[j];
    rule ask(i, j: S) when i != j && !full(tag) do { push(tag, ask); push(from, i); push(to, j); push(what, nothing); }
    rule stop when empty(tag) do { push(tag, stop); push(from, nobody); push(to, nobody); push(what, nothing); }
    rule take(v: V) when !empty(tag) do {
      let t = head(tag); let f = head(from); let i = head(to); let w = head(what);
      pop(tag); pop(from); pop(to); pop(what);
      if t == ask { push(tag, answer); push(from, nobody); push(to, f); push(what, got[i]); got[i] := v; }
      else if t == answer { got[i] := w; }
    }
    """
    assert figures(text) == figures(flat)


def test_a_match_takes_one_case() -> None:
    text = (
        DECLARATIONS
        + """
    rule go when n == 0 do {
      match m { case Stop { m := Ask { from: 0, to: 1 }; n := 1; } else { n := 3; } }
      assert m is Ask && m.from == 0 && m.what == none && n == 1 && m == Ask { to: 1, from: 0 };
      match m { case Ask { n := 2; } case Answer { n := 3; } case Stop { n := 3; } }
      assert n == 2;
    }
    """
    )
    assert figures(text)[:2] == (2, 1)


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("union U { A, A }", "BUR202", "variant 'A' stands twice in one union"),
        ("union U { A { x: 0 .. 1 }, B { x: 0 .. 2 } }", "BUR203", None),
        ("union U { }", "BUR205", "union 'U' has 0 variants, 1 fields"),
        ("union U { Ask }", "BUR202", "'Ask' is already a variant of a union"),
        ("union U { A { x: set of S } }", "BUR901", "the fields of a union are of domains"),
        ("rule r do { match m { case Ask { } } }", "BUR204", "there is no case for 'Answer', 'Stop'"),
        ("rule r do { match m { case Ask { } case Ask { } else { } } }", "BUR202", "there are two cases for 'Ask'"),
        ("rule r do { match m { } }", "BUR102", "expected 'case', found '}'"),
        ("rule r do { match n { case Ask { } else { } } }", "BUR203", "expected a record 'Msg', found a number"),
        ("rule r when m is Askk do { }", "BUR201", "'Askk' is not known here"),
        ("rule r when m is n do { }", "BUR203", "'n' is not a variant of a union"),
        ("rule r do { m := Ask { from: 0 }; }", "BUR204", "this 'Ask' has no value for 'to'"),
        ("rule r do { m := Ask; }", "BUR204", "this 'Ask' has no value for 'from', 'to'"),
        ("rule r do { m := Answer { to: 0, what: red, from: 1 }; }", "BUR201", "'Answer' has no field 'from'"),
        ("rule r do { m := Answer { to: 0, what: 1 }; }", "BUR203", "expected a value of 'V', found a number"),
    ],
)
def test_a_mistake_is_one_message(text: str, code: str, message: str | None) -> None:
    found = problems(DECLARATIONS + text)

    assert [c for c, _ in found] == [code]
    assert message is None or found[0][1] == message


def test_words_about_unions_can_be_names() -> None:
    text = "var match: 0 .. 1; var is: 0 .. 1; var union: 0 .. 1; var case: 0 .. 1;"

    assert figures(f"{text} rule union when match == is do {{ match := 1; case := union; }}")[:2] == (2, 1)


@pytest.mark.parametrize("declared", ["union U { A { x: Q }, B }", "union U { A { x[P]: bool }, B }"])
def test_values_of_what_is_declared_wrongly_are_no_mistakes(declared: str) -> None:
    """Whoever misspells a domain hears of it once, not where the variants are used."""
    text = f"""
    process P = 0 .. 2;
    {declared}
    var u: U;
    rule q do {{ match u {{ case A {{ }} case B {{ u := B; }} }} }}
    rule z when u is B do {{ u := A {{ x: 1 }}; }}
    """
    assert len(problems(text)) == 1
