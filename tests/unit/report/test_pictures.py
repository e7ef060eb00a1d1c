"""Pictures: whatever a model calls things is shown as text, orbits have colours, generators have arrows."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from burnside.claims.task import Task
from burnside.frontends.loading import load as load_file
from burnside.report.colours import pastel
from burnside.report.dot import graph_dot, quoted
from burnside.report.orbit_moves import orbit_moves
from burnside.report.ring import in_rows
from burnside.report.symmetry_dot import coloured_dot, groups_dot
from burnside.results.graph import GraphReport
from burnside.study import Study
from support.tiny_models import tiny_model

EXAMPLES = Path(__file__).parents[3] / "examples"
HOSTILE = 'a<b>&lt;"c"\\N\\n</TD>]; x [label=y'


def load(name: str, **constants: int) -> Task:
    """A task of the examples."""
    return load_file(EXAMPLES / name, constants)


def graph_of(task: Task) -> GraphReport:
    """The graph of its model."""
    study = Study(task)
    report = study.graph(study.state_members()).graph
    assert report is not None
    return report


def shown(svg: bytes) -> str:
    """All text of a picture."""
    return "\n".join("".join(e.itertext()) for e in ElementTree.fromstring(svg).iter() if e.tag.endswith("text"))


def drawn(text: str, engine: str = "dot") -> bytes:
    """The picture of a Graphviz text."""
    pytest.importorskip("pygraphviz")
    from burnside.report.picture import picture

    return picture(text, "svg", engine)


# ---------------------------------------------------------------- text of models


def hostile_task() -> Task:
    """A model whose variables and events have names that mean something to Graphviz and to XML."""
    task = load("zhang2013/dining_philosophers.seq", N=2)
    model = task.model
    variables = tuple(replace(v, domain=_renamed(v.domain)) for v in model.variables)
    rules = tuple(replace(r, event=replace(r.event, name=HOSTILE)) for r in model.rules)
    return replace(task, model=replace(model, variables=variables, rules=rules))


def _renamed(domain):
    return replace(domain, labels=tuple(f"{HOSTILE}{k}" for k in range(len(domain.labels))))


def test_hostile_names_are_shown_as_they_are():
    """In boxes and on arrows, with no node or element that is not ours."""
    report = graph_of(hostile_task())

    svg = drawn("".join(graph_dot(report)))

    assert HOSTILE in shown(svg).replace("\xa0", " ")
    nodes = [e for e in ElementTree.fromstring(svg).iter() if e.get("class") == "node"]
    assert len(nodes) == len(report.graph) + report.graph.initial


@pytest.mark.parametrize("write", [coloured_dot, lambda found: groups_dot(found, HOSTILE)])
def test_hostile_names_in_pictures_of_symmetries(write):
    """Legends are tables with markup of their own, which names must not become a part of."""
    found = Study(hostile_task()).symmetries().detection

    assert "a<b>&lt;" in shown(drawn("".join(write(found)), "neato")).replace("\xa0", " ")


@pytest.mark.parametrize("text", ["", "\\", '"', "a\nb", "\x1b[31m", "&amp;", "\\l\\r\\G"])
def test_strings_end_where_they_should(text):
    """One opening and one closing quote, whatever is between them."""
    assert re.fullmatch(r'"(?:[^"\\\n]|\\.)*"', quoted(text))


# ---------------------------------------------------------------- states


def fills(text: str) -> dict[str, str]:
    """The colour of every state, by its label."""
    return {m[1]: m[2] for m in re.finditer(r'^  \d+ \[label="(.*?)", fillcolor="(.*?)"', text, re.MULTILINE)}


def test_states_of_one_orbit_have_the_colour_of_their_representative():
    """In the picture of all states and in that of the quotient."""
    study = Study(load("zhang2013/dining_philosophers.seq", N=3))
    members = study.state_members()
    quotient = study.quotient(members)
    explored = study.graph(members, quotient), study.graph(members)
    orbits = study.orbits(quotient, explored[0])
    assert orbits is not None
    parts, whole = (fills("".join(graph_dot(e.graph, orbits.number))) for e in explored if e.graph)

    assert len(set(whole.values())) == len(parts) == 13
    for label, colour in parts.items():
        assert whole[re.sub(r"(orbit \d+): \d+ states?", r"\1", label)] == colour


def test_deadlocks_and_initial_states_are_marked():
    """By a second border, and by an arrow from nowhere."""
    text = "".join(graph_dot(graph_of(load("zhang2013/dining_philosophers.seq", N=3))))

    assert text.count("peripheries=2") == 1
    assert text.count("DEADLOCK") == 1
    assert text.count("i0 -> 0") == 1


def test_long_states_show_what_differs_from_the_first():
    """By value, so that many elements take one line."""
    text = "".join(graph_dot(graph_of(load("zhang2013/dining_philosophers.seq", N=5))))

    assert "taken[0,1,2] = true" in text
    assert "at = holding_one (all 5)" in text


def test_a_model_without_states_can_be_drawn():
    """There is nothing to see, and nothing to complain about."""
    empty = next(t for t in map(Task, map(tiny_model, range(400))) if not graph_of(t).graph.initial)

    assert "".join(graph_dot(graph_of(empty))).endswith("}\n")


def test_neighbouring_numbers_have_different_colours():
    """The first orbits can be told apart."""
    assert len({pastel(k) for k in range(100)}) == 100


# ---------------------------------------------------------------- groups


def test_processes_and_values_are_drawn_with_the_action_of_generators():
    """Token circulation rotates three agents and exchanges two labels."""
    found = Study(load("zhang2013/token_circulation.seq")).symmetries().detection
    agents, labels = orbit_moves(found)

    assert (agents.title, agents.points) == ("Agent", ("0", "1", "2"))
    assert {(a, b) for _, a, b in agents.moves} == {("0", "1"), ("1", "2"), ("2", "0")}
    assert (labels.title, labels.is_of_values) == ("values of label", True)
    assert (labels.points, labels.moves) == (("0", "1"), ((0, "0", "1"), (0, "1", "0")))


def test_ids_inside_values_are_explained_by_the_processes():
    """Senders in queues move with the rebecs that they are: no orbit of their own."""
    found = Study(load("jaghoori2005/load_balancer_small.rebeca")).symmetries().detection
    orbits = orbit_moves(found)

    assert {orbit.title for orbit in orbits} == {"Rebec"}
    assert sorted(len(orbit.points) for orbit in orbits) == [1, 1, 2, 4]


def test_moves_are_those_of_the_generators():
    """An arrow for every point that a generator moves, within its orbit."""
    for name in ("zhang2013/hypercube.seq", "zhang2013/two_hop_colouring.seq", "classics/filter_lock.seq"):
        found = Study(load(name)).symmetries().detection
        for orbit in orbit_moves(found):
            for generator in range(len(found.generators)):
                moves = {a: b for g, a, b in orbit.moves if g == generator}
                assert sorted(moves) == sorted(moves.values())
                assert set(moves) <= set(orbit.points)


def test_arrows_carry_the_numbers_of_their_generators():
    """Two generators that exchange the same points share an arrow."""
    found = Study(load("zhang2013/two_hop_colouring.seq")).symmetries().detection
    text = "".join(groups_dot(found, None))

    assert "<TD>4,5</TD>" in text
    assert all(f"<TD>{k}</TD>" in text for k in (1, 2, 3, 5))
    assert {"solid", "dashed", "dotted"} <= set(re.findall(r"style=(\w+), label", text))


def test_pictures_of_groups_fit_a_page():
    """Rings once stood in one row, seven times as wide as high; a domain that variables share is one ring now, and
    further rings begin another row.
    """
    found = Study(load("classics/german.seq")).symmetries().detection
    svg = drawn("".join(groups_dot(found, None)), "neato").decode()
    size = re.search(r'width="(\d+)pt" height="(\d+)pt"', svg)

    assert [orbit.title for orbit in orbit_moves(found) if orbit.moves] == ["Client", "values of Data"]
    assert size is not None
    assert int(size[1]) <= 2 * int(size[2])


def test_rings_stand_in_rows():
    """Side by side as far as a page goes, and none on another."""
    corners, height = in_rows([(300.0, 200.0)] * 7)

    assert len({y for _, y in corners}) > 1
    assert len(set(corners)) == 7
    assert height > max(y for _, y in corners) + 200


def test_a_model_without_symmetry_has_a_picture_that_says_so():
    """For scripts that draw whatever there is."""
    found = Study(load("zhang2013/hanoi.seq")).symmetries(["solved"]).detection
    text = shown(drawn("".join(groups_dot(found, None)), "neato"))

    assert "1 symmetry: nothing can be exchanged" in text


def test_the_coloured_graph_is_drawn_the_same_each_time():
    """In columns, not from random places."""
    found = Study(load("zhang2013/token_circulation.seq")).symmetries().detection
    text = "".join(coloured_dot(found))

    assert drawn(text, "neato") == drawn(text, "neato")
    assert {"variables", "before a step", "conditions", "events", "after it"} <= set(
        shown(drawn(text, "neato")).split("\n")
    )


def test_long_events_are_cut_where_they_would_widen_a_picture():
    """The whole event appears where a pointer rests."""
    task = hostile_task()
    long = "a" * 80
    rules = tuple(replace(r, event=replace(r.event, name=long)) for r in task.model.rules)
    text = "".join(graph_dot(graph_of(replace(task, model=replace(task.model, rules=rules)))))

    assert f'label=" {"a" * 33}…' in text
    assert f'edgetooltip="{long}(' in text
