"""PNML texts as models: what is read, and what is refused where."""

from __future__ import annotations

import pytest

from burnside.claims.kinds import Fairness
from burnside.claims.task import Task
from burnside.frontends.kit.options import Options
from burnside.frontends.pnml import load
from burnside.ir.initial import initial
from burnside.ir.semantics import successors
from burnside.results.findings import Verdict
from burnside.results.trace import spell_event
from burnside.source import Source
from burnside.study import Study
from nets.texts import GRAMMAR, place, plain, transition


def task_of(text: str) -> Task:
    loaded = load(Source("net.pnml", text), {})
    assert loaded.tasks, [d.message for d in loaded.diagnostics]
    return loaded.tasks[0]


def complaints(text: str) -> list[tuple[str, str]]:
    """Code and message of every error, and that each is at a place of the text."""
    loaded = load(Source("net.pnml", text), {})
    assert not loaded.tasks
    return [(d.code, d.message) for d in loaded.diagnostics.sorted()]


def test_a_transition_takes_and_puts_tokens() -> None:
    model = task_of(plain(place("a", 2) + place("b") + transition("t", {"a": 2}, {"b": 3}))).model
    (start,) = initial(model)
    (step,) = successors(model, start)

    assert start == (2, 0)
    assert step.state == (0, 3)
    assert (step.rule.name, step.rule.event.shown, spell_event(step.event)) == ("t", "t", "fire")


def test_traces_show_the_names_of_transitions() -> None:
    study = Study(task_of(plain(place("a", 1) + place("b") + transition("move", {"a": 1}, {"b": 1}))))
    finding = study.check().findings[0]

    assert [step.event for step in finding.trace.steps] == ["move"]


def test_a_read_arc_is_a_condition() -> None:
    """A transition that puts back what it takes changes nothing, and needs it."""
    model = task_of(plain(place("a", 1) + place("b", 2) + transition("t", {"a": 1, "b": 2}, {"b": 2}))).model
    (start,) = initial(model)

    assert [step.state for step in successors(model, start)] == [(0, 2)]
    assert not list(successors(model, (0, 2)))
    assert not list(successors(model, (1, 1)))


def test_arcs_between_the_same_nodes_add_up() -> None:
    arc = '<arc id="{}" source="a" target="t"/>'
    text = plain(place("a", 3) + '<transition id="t"/>' + arc.format("x") + arc.format("y"))
    (start,) = initial(model := task_of(text).model)

    assert [step.state for step in successors(model, start)] == [(1,)]


def test_pages_and_references_are_one_net() -> None:
    text = plain(
        f'<page id="1">{place("a", 1)}<referencePlace id="r" ref="s"/></page>'
        '<page id="2"><page id="3"><referencePlace id="s" ref="a"/><transition id="t"/></page>'
        '<referenceTransition id="u" ref="t"/><arc id="x" source="r" target="u"/></page>'
    )
    (start,) = initial(model := task_of(text).model)

    assert [step.state for step in successors(model, start)] == [(0,)]


def test_what_tools_say_and_drawings_are_left_out() -> None:
    more = '<toolspecific tool="x"><place id="a"/></toolspecific><graphics><place id="a"/></graphics>'
    text = plain(place("a", 1).replace("</place>", f"{more}</place>") + more + transition("t", {"a": 1}, {}))

    assert [v.name for v in task_of(text).model.variables] == ["a"]


def test_a_net_that_says_it_is_safe_and_is_not_faults() -> None:
    units = '<toolspecific tool="nupn" version="1.1"><structure safe="true" units="1" root="u"/></toolspecific>'
    net = place("a", 1) + place("b", 1) + transition("t", {"a": 1}, {"b": 1})
    report = Study(task_of(plain(net + units))).count()

    assert report.fault is not None
    assert report.fault.fault is not None
    assert report.fault.fault.message == "the net says that it is safe, but 'b' would hold two tokens"
    assert not report.fault.fault.is_limit
    assert Study(task_of(plain(net))).count().fault is None


def test_places_that_can_never_be_marked_are_left_out() -> None:
    net = place("a", 1) + place("b") + place("c") + transition("t", {"b": 1}, {"c": 1})
    model = task_of(plain(net + transition("u", {"a": 1}, {}))).model

    assert [v.name for v in model.variables] == ["a"]
    assert [r.name for r in model.rules] == ["u"]


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("", "BUR102", "not well-formed XML: no element found"),
        ("<pnml>", "BUR102", "not well-formed XML: no element found"),
        ("<pnml/>", "BUR102", "there is no net in this 'pnml'"),
        (plain("", kind="stochastic"), "BUR901", f"nets of type '{GRAMMAR}/stochastic' are not read"),
        (plain("<place/>"), "BUR102", "a place needs an id of printable characters, without backquotes"),
        (plain('<place id="a`b"/>'), "BUR102", "a place needs an id of printable characters, without backquotes"),
        (plain('<place id="a&#10;"/>'), "BUR102", "a place needs an id of printable characters, without backquotes"),
        (plain(place("a") + place("a")), "BUR202", "node 'a' is declared twice"),
        (plain(place("a") + '<arc id="x" source="a" target="t"/>'), "BUR201", "'t' is not known here"),
        (plain(place("a") + '<arc id="x" source="a"/>'), "BUR102", "this arc has no target"),
        (plain(place("a") + '<arc id="x" source="a" target="a"/>'), "BUR203", "'a' and 'a' are nodes of one kind"),
        (plain('<referencePlace id="r" ref="r"/>'), "BUR209", "reference 'r' refers to itself"),
        (plain('<referencePlace id="r" ref="q"/>'), "BUR201", "'q' is not known here"),
        (plain(place("a").replace(">0<", ">-1<")), "BUR203", "expected a number of tokens, found '-1'"),
        (plain(place("a").replace(">0<", ">²<")), "BUR203", "expected a number of tokens, found '²'"),
        (plain(place("a", 10**30)), "BUR105", "this number is not between 0 and 2,147,483,647"),
        (
            plain(place("a") + transition("t", {"a": 1}, {}).replace(">1<", ">0<")),
            "BUR105",
            "this number is not between 1 and 2,147,483,647",
        ),
        (
            plain(place("a") + '<transition id="t"/><arc id="x" source="a" target="t"><type value="inhibitor"/></arc>'),
            "BUR901",
            "an arc that wants its place empty is not read",
        ),
        ("<pnml>" + "<net>" * 400, "BUR104", "nested more than 150 levels deep"),
    ],
)
def test_what_is_wrong_is_said_where_it_is(text: str, code: str, message: str) -> None:
    assert complaints(text)[0] == (code, message)


def test_several_nets_are_refused() -> None:
    net = f'<net id="n" type="{GRAMMAR}/ptnet"/>'

    assert complaints(f"<pnml>{net}{net}</pnml>") == [("BUR901", "there are several nets in one text")]


@pytest.mark.parametrize(
    "head",
    [
        '<!DOCTYPE pnml [<!ENTITY a "b">]>',
        '<!DOCTYPE pnml SYSTEM "file:///etc/passwd">',
        '<!DOCTYPE pnml [<!ENTITY % a SYSTEM "file:///etc/passwd"> %a;]>',
        "<!DOCTYPE pnml>",
    ],
)
def test_document_types_are_refused(head: str) -> None:
    """So no entity is expanded, and no other file is read."""
    loaded = load(Source("net.pnml", plain(place("a"), head=f"\n  {head}")), {})
    (found,) = loaded.diagnostics

    assert (found.code, found.message) == ("BUR901", "a document type is not read")
    assert found.span is not None
    assert found.span.source.position(found.span.start) == (2, 3)


def test_places_are_counted_in_characters() -> None:
    """Whatever bytes stand in front of them."""
    loaded = load(Source("net.pnml", plain("\n<!-- ü€🂡 --><name><text>ü€🂡</text></name><place/>")), {})
    (found,) = loaded.diagnostics

    assert found.span is not None
    assert found.span.text == "<place"


def test_constants_are_refused() -> None:
    loaded = load(Source("net.pnml", plain(place("a"))), {"N": 3})

    assert [d.message for d in loaded.diagnostics] == ["the model has no constant 'N'"]


def test_every_transition_is_a_unit_of_fairness() -> None:
    """One that can always fire does so in the end, although all have one event."""
    net = plain(place("a", 1) + place("b") + transition("t", {"a": 1}, {"a": 1}) + transition("u", {"a": 1}, {"b": 1}))
    formulas = """<property-set><property><id>q</id><formula><all-paths><finally><integer-le>
    <integer-constant>1</integer-constant><tokens-count><place>b</place></tokens-count>
    </integer-le></finally></all-paths></formula></property></property-set>"""
    loaded = load(Source("net.pnml", net), {}, Options({"formulas": Source("formulas.xml", formulas)}))
    study = Study(loaded.tasks[0])

    verdicts = {fairness: study.check(fairness=fairness).findings[0].verdict for fairness in Fairness}
    assert {fairness for fairness, verdict in verdicts.items() if verdict is Verdict.HOLDS} == {
        Fairness.WEAK,
        Fairness.STRONG,
        Fairness.GLOBAL,
    }
