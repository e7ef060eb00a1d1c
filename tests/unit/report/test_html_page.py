"""The page of ``burnside report``: complete without scripts, the same bytes every time, safe for all names."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shlex
import sys
from colorsys import hls_to_rgb, hsv_to_rgb
from dataclasses import dataclass, field
from html.parser import HTMLParser
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import pytest

from burnside.cli.exits import Exit
from burnside.cli.main import main
from burnside.decide.modes import Mode
from burnside.frontends.loading import load
from burnside.report.colours import BACK_LABEL, BACK_LINE, LABEL, LINE, STROKES, STUCK, pastel
from burnside.report.html import symmetries
from burnside.report.html.dots import orbit_colour
from burnside.report.html.elements import element, json_script
from burnside.report.html.views import StateView
from burnside.report.titles import has_sizes
from burnside.study import Study

EXAMPLES = Path(__file__).parents[3] / "examples"
PHILOSOPHERS = EXAMPLES / "zhang2013" / "dining_philosophers.seq"
SEMAPHORE = EXAMPLES / "liveness" / "semaphore.seq"
ACTORS = EXAMPLES / "jaghoori2005" / "dining_philosophers.rebeca"
ATTACK = '</script><img src=x onerror="alert(1)">&lt;\\'
HOSTILE = f"""\
process `Id {ATTACK}` = 0 .. 2;
domain Place = {{ `here {ATTACK}`, `<!--` }};
var `at {ATTACK}`[`Id {ATTACK}`]: Place = `here {ATTACK}`;
rule `go {ATTACK}`(i: `Id {ATTACK}`) when `at {ATTACK}`[i] == `here {ATTACK}` do {{ `at {ATTACK}`[i] := `<!--`; }}
invariant `never {ATTACK}`: `at {ATTACK}`[0] == `here {ATTACK}`; // {ATTACK}
"""
FAULTY = """\
domain Level = 0 .. 2;
var level: Level = 0;
rule up do { level := level + 1; }
"""
VOID = {"meta", "br", "wbr", "col"}


@dataclass
class Node:
    """An element with what is in it."""

    tag: str
    attributes: dict[str, str | None]
    children: list[Node] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def all(self, *tags: str) -> list[Node]:
        """The elements inside with one of some names, in order."""
        found = [self] if self.tag in tags else []
        return found + [node for child in self.children for node in child.all(*tags)]

    def of(self, kind: str) -> list[Node]:
        """The elements inside of a class."""
        own = [self] if kind in (self.attributes.get("class") or "").split() else []
        return own + [node for child in self.children for node in child.of(kind)]

    @property
    def text(self) -> str:
        """All text inside, in order."""
        return "".join(self.texts)


class Reader(HTMLParser):
    """Reads a page and insists that every element is closed where it should be."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.root = Node("", {})
        self.open = [self.root]
        self.feed(text)
        self.close()
        assert len(self.open) == 1, [n.tag for n in self.open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element."""
        node = Node(tag, dict(attrs))
        assert len(node.attributes) == len(attrs), "an attribute twice"
        self.open[-1].children.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_endtag(self, tag: str) -> None:
        """Close it."""
        assert self.open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        """Text belongs to all that is open."""
        for node in self.open:
            node.texts.append(data)


def write(directory: Path, *arguments: object, code: Exit = Exit.VIOLATED) -> str:
    """The page of a command that ends with a certain exit code."""
    path = directory / "page.html"
    assert main(["report", *map(str, arguments), "-o", str(path)]) == code
    return path.read_text()


@pytest.fixture(scope="module")
def philosophers(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of three philosophers."""
    return write(tmp_path_factory.mktemp("philosophers"), PHILOSOPHERS, "-D", "N=3")


@pytest.fixture(scope="module")
def semaphore(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A page with runs that end in loops."""
    return write(tmp_path_factory.mktemp("semaphore"), SEMAPHORE, "--fairness", "weak")


@pytest.fixture(scope="module")
def actors(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A page about actors."""
    return write(tmp_path_factory.mktemp("actors"), ACTORS)


@pytest.fixture(scope="module")
def events(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A page about several processes, with claims about events."""
    return write(tmp_path_factory.mktemp("events"), EXAMPLES / "classics" / "alternating_bit.csp")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A page about a model whose names are markup."""
    directory = tmp_path_factory.mktemp("hostile")
    model = directory / "a<b>&'.seq"
    model.write_text(HOSTILE)
    return write(directory, model)


PAGES = ("philosophers", "semaphore", "actors", "events", "hostile")


@pytest.fixture(params=PAGES)
def page(request: pytest.FixtureRequest) -> str:
    """Each of the pages."""
    return str(request.getfixturevalue(request.param))


# ---------------------------------------------------------------- structure


def test_a_page_has_landmarks_and_headings_in_order(page: str) -> None:
    """One title; no level of headings is skipped; every section has a name."""
    root = Reader(page).root
    levels = [int(node.tag[1]) for node in root.all("h1", "h2", "h3", "h4", "h5", "h6")]

    assert [len(root.all(tag)) for tag in ("header", "nav", "main", "footer", "h1")] == [1] * 5
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    for section in root.all("section"):
        assert section.attributes["aria-labelledby"] == section.children[0].attributes["id"]


def test_answers_come_first_and_texts_last(philosophers: str, tmp_path: Path) -> None:
    """Where no run decides anything, there is no section for runs."""
    sections = ["Runs", "Symmetries", "States and orbits", "Reduction", "Coloured graph", "Model", "Reproduce"]
    root = Reader(philosophers).root
    diagram = Reader(write(tmp_path, EXAMPLES / "wahl2007" / "readers_writers.diagram", code=Exit.DONE)).root

    assert [node.text for node in root.all("h2")] == sections
    assert [node.text for node in root.all("nav")[0].all("a")] == sections
    assert [node.text for node in diagram.all("h2")] == sections[1:]


def test_the_head_says_how_large_everything_is(philosophers: str) -> None:
    """In one line each."""
    facts = Reader(philosophers).root.all("dl")[0]
    pairs = dict(zip((n.text for n in facts.all("dt")), (n.text for n in facts.all("dd")), strict=True))

    assert pairs["Symmetries"] == "3, the group C3 (Phil)"
    assert pairs["States"] == "35 in 13 orbits"


def test_headings_within_a_process_are_below_it(events: str) -> None:
    """If a text asks about several processes."""
    levels = [(n.tag, n.text) for n in Reader(events).root.all("h3", "h4")]

    assert ("h3", "Process Buffer") in levels
    assert ("h4", "What costs symmetry") in levels
    assert ("h4", "The searches that gave the answers") in levels


def test_links_lead_somewhere_and_ids_are_unique(page: str) -> None:
    """Links stay within the page."""
    root = Reader(page).root
    ids = re.findall(r'\sid="([^"]*)"', page)
    targets = [str(node.attributes["href"]) for node in root.all("a")]

    assert len(ids) == len(set(ids))
    assert targets
    assert {target.removeprefix("#") for target in targets} <= set(ids)


def test_every_picture_has_a_title(page: str) -> None:
    """Or is hidden from those who do not see it."""
    pictures = Reader(page).root.all("svg")

    assert pictures
    for picture in pictures:
        if picture.attributes.get("aria-hidden") != "true":
            assert picture.attributes["role"] == "img"
            assert picture.children[0].tag == "title"
            assert picture.children[0].text.strip()


def test_boxes_that_scroll_can_be_reached_and_have_names(page: str) -> None:
    """Whoever has only a keyboard scrolls what has the focus."""
    for box in Reader(page).root.of("scroll"):
        assert box.attributes["tabindex"] == "0"
        assert box.attributes["aria-label"]


def test_verdicts_are_words(philosophers: str) -> None:
    """A sign and a colour besides."""
    root = Reader(philosophers).root
    rows = [[cell.text.strip() for cell in row.children] for row in root.of("verdicts")[0].all("tr")[1:]]

    assert root.of("summary")[0].text == "✗1 of 3 properties is violated; 2 hold."
    assert [row[0] for row in rows] == ["progress", "both_forks", "no_neighbours_eat"]
    assert [row[2].partition("  ")[0] for row in rows] == ["✗ violated", "✓ holds", "✓ holds"]


def test_the_model_is_shown_as_it_is(philosophers: str) -> None:
    """Line by line."""
    source = Reader(philosophers).root.of("source")[0]

    assert source.text == PHILOSOPHERS.read_text()
    assert len(source.of("line")) == len(PHILOSOPHERS.read_text().splitlines())


def test_properties_of_a_file_of_their_own_are_shown(actors: str) -> None:
    """As a second text."""
    texts = [box.text for box in Reader(actors).root.of("source")]

    assert texts == [ACTORS.read_text(), ACTORS.with_suffix(".property").read_text()]


# ---------------------------------------------------------------- nothing from outside


def test_nothing_is_loaded_from_anywhere(page: str) -> None:
    """No address, no reference in styles, and a policy that would forbid it."""
    root = Reader(page).root
    policy = next(n for n in root.all("meta") if n.attributes.get("http-equiv") == "Content-Security-Policy")

    assert "http://" not in page
    assert "https://" not in page
    assert not root.all("img", "link", "iframe", "object", "embed", "audio", "video", "base", "form", "use", "image")
    assert not [n for n in root.all("script", "a", "svg", "g") if "src" in n.attributes or "xlink:href" in n.attributes]
    assert not re.search(r"url\(|@import", root.all("style")[0].text)
    assert str(policy.attributes["content"]).startswith("default-src 'none'; ")
    assert "unsafe" not in str(policy.attributes["content"])


def test_the_policy_allows_our_style_and_script_only(philosophers: str) -> None:
    """By their digests; and there are no styles or scripts in attributes, which it would refuse."""
    root = Reader(philosophers).root
    scripts = [n for n in root.all("script") if n.attributes.get("type") != "application/json"]
    for node in (*scripts, *root.all("style")):
        digest = base64.b64encode(hashlib.sha256(node.text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in philosophers

    assert len(scripts) == 1
    assert not re.search(
        r"<[^>]*\s(?:style|on\w+)=", re.sub(r"<(script|style)[^>]*>.*?</\1>", "", philosophers, flags=re.DOTALL)
    )


def test_names_of_a_model_never_become_markup(hostile: str) -> None:
    """Names that end scripts, begin comments or open elements are shown as they are."""
    root = Reader(hostile).root

    assert not root.all("img")
    assert "<!--" not in hostile
    assert root.all("h1")[0].text == "a<b>&'.seq"
    assert f"go {ATTACK}(0)" in root.of("steps")[0].text
    assert root.of("source")[0].text == HOSTILE
    assert f"never {ATTACK}" in root.of("verdicts")[0].text
    assert f"Id {ATTACK}" in root.of("circles")[0].text
    assert f"at {ATTACK}" in root.of("reasons")[0].text


PARTS = f"""\
process P = 0 .. 1;
domain Kind = {{ `ask {ATTACK}`, grant }};
record Msg {{ `kind {ATTACK}`: Kind, to: P }}
var net: bag of Msg max 2;
var last[P]: Msg;
var votes[P]: set of P;
rule go(i: P) when i == 0 && len(net) < 1 do {{
  send Msg {{ `kind {ATTACK}`: `ask {ATTACK}`, to: i }} to net; last[i].to := 1; insert(votes[i], 1);
}}
invariant quiet: !exists m in net: m.`kind {ATTACK}` == `ask {ATTACK}`;
deadlockfree busy;
"""


def test_values_with_parts_are_in_one_cell_and_fields_of_records_in_columns(tmp_path: Path) -> None:
    """A step marks the fields that it changes; why a run ends as it does stands below it."""
    model = tmp_path / "parts.seq"
    model.write_text(PARTS)
    page = write(tmp_path, model)
    root = Reader(page).root
    first = root.of("trace")[0]

    assert not root.all("img")
    assert first.of("tables")[0].all("th")[0].text == "net"
    assert {f"last.kind {ATTACK}", "last.to", "votes"} <= {th.text for th in first.of("tables")[0].all("th")}
    message = f"{{`kind {ATTACK}`: `ask {ATTACK}`, to: 0}}"
    changed = json.loads(first.of("cells")[0].text)["steps"][0]
    assert [text for _, text in changed] == [f"{{{message}}}", "1", "{1}"]
    assert f"net: gains {message}" in first.of("effect")[0].text
    assert f"{message} in net is true" in root.of("reasons")[0].text
    assert "go(0): len(net) < 1 is false (len(net) = 1)" in root.of("reasons")[1].text


def test_values_for_the_script_survive(hostile: str) -> None:
    """They are JSON, whatever they hold."""
    cells = Reader(hostile).root.of("cells")[0]

    assert json.loads(cells.text)["steps"] == [[[0, "<!--"]]]


@pytest.mark.parametrize(
    "text", ["</script>", "<!--", "]]>", "&amp;", "\\", "\u2028", "\x00", "\x1b[31m", '"', "'", "\u202e"]
)
def test_text_is_escaped(text: str) -> None:
    """In elements, attributes and scripts; characters that are not seen are written out."""
    shown = Reader(element("p", text, title=text)).root.children[0]
    value = json_script([text])

    assert shown.text == shown.attributes["title"]
    assert all(character.isprintable() for character in shown.text)
    assert value.count("<") == 2
    assert json.loads(Reader(value).root.text) == [text]


# ---------------------------------------------------------------- the same bytes


def test_the_same_input_gives_the_same_bytes(philosophers: str, tmp_path: Path) -> None:
    """Wherever the page is written to, in the same process or another one."""
    assert write(tmp_path, PHILOSOPHERS, "-D", "N=3") == philosophers


def test_times_are_shown_on_wish_only(philosophers: str, tmp_path: Path) -> None:
    """They differ from run to run."""
    timed = write(tmp_path, PHILOSOPHERS, "-D", "N=3", "--times")

    assert not re.search(r">[\d.]+ s[<,]", philosophers)
    assert re.search(r">[\d.]+ s[<,]", timed)
    assert " MB<" in timed


def test_the_commands_give_the_page_again(philosophers: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the page says about itself is true."""
    command = shlex.split(Reader(philosophers).root.of("command")[0].text)
    monkeypatch.chdir(tmp_path)

    assert command[:2] == ["burnside", "report"]
    assert main(command[1:]) == Exit.VIOLATED
    assert Path("page.html").read_text() == philosophers


# ---------------------------------------------------------------- runs


def steps_of(trace: Node) -> list[str]:
    """The events of a run, as listed."""
    return [item.of("event")[0].text for item in trace.all("li")]


def test_all_steps_are_there_without_scripts(philosophers: str) -> None:
    """In order, with what they change; the initial state as tables."""
    report = Study(load(PHILOSOPHERS, {"N": 3})).check(["progress"], Mode.UNIQUE)
    trace = report.findings[0].trace
    assert trace is not None
    (shown,) = Reader(philosophers).root.of("trace")

    assert steps_of(shown) == [step.event for step in trace.steps]
    assert [item.of("effect")[0].text for item in shown.all("li")] == [
        ", ".join(f"{c.name}: {c.before} → {c.after}" for c in step.changes) for step in trace.steps
    ]
    assert [cell.text for cell in shown.all("td")] == ["thinking", "false"] * 3


@pytest.mark.parametrize("name", ["philosophers", "semaphore", "actors"])
def test_changes_lead_from_the_initial_state_to_the_last(name: str, request: pytest.FixtureRequest) -> None:
    """What the script does to the tables gives the states of the run."""
    path = {"philosophers": PHILOSOPHERS, "semaphore": SEMAPHORE, "actors": ACTORS}[name]
    model = load(path, {"N": 3} if name == "philosophers" else {}).model
    view = StateView(model)
    for shown in Reader(request.getfixturevalue(name)).root.of("trace"):
        cells = {int(str(c.attributes["data-cell"])): c.text for c in shown.all("td")}
        values = json.loads(shown.of("cells")[0].text)
        for changes in values["steps"]:
            before = dict(cells)
            cells |= dict(changes)
            assert all(before[k] != cells[k] for k, _ in changes)
        assert len(values["steps"]) == len(shown.all("li"))
        assert len(cells) == sum(len(row) for table in view.tables for _, row in table.rows)
        if values["loop"] is not None:
            after = {int(str(c.attributes["data-cell"])): c.text for c in shown.all("td")}
            for changes in values["steps"][: values["loop"]]:
                after |= dict(changes)
            assert after == cells


def test_loops_are_told_from_what_leads_to_them(semaphore: str) -> None:
    """By lists of their own, numbered on, and in words."""
    served, enters = Reader(semaphore).root.of("trace")

    assert [json.loads(t.of("cells")[0].text)["loop"] for t in (served, enters)] == [2, 1]
    assert [len(o.children) for o in served.all("ol")] == [2, 5]
    assert served.of("loop")[0].attributes["start"] == "3"
    assert served.of("end")[0].text == "and again from step 3, for ever"


def test_a_loop_that_is_one_of_many_is_not_said_to_be_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A globally fair run takes all steps of the states that it visits for ever, not only those of one loop."""
    model = tmp_path / "turns.seq"
    model.write_text(
        "var a: 0..2 = 0;\nrule go do { a := (a + 1) % 3; }\nrule stay do {}\nltl never: <> a == 1 && a == 2;\n"
    )
    root = Reader(write(tmp_path, model, "--fairness", "global")).root
    main(["check", str(model), "--fairness", "global"])

    assert "for ever" not in root.of("trace")[0].text
    assert "among others" in root.of("mark")[0].text
    assert root.of("end")[0].text.endswith(", among others")
    assert capsys.readouterr().out.rstrip().endswith(", among others")


def test_claims_that_follow_by_symmetry_share_a_row(semaphore: str) -> None:
    """Their runs are the same up to symmetry."""
    rows = Reader(semaphore).root.of("verdicts")[0].all("tr")[1:]

    assert [row.children[0].text.split() for row in rows][3] == ["served(1)", "served(2)"]
    assert "by symmetry with served(0)" in rows[3].text


def test_an_endless_silence_becomes_a_loop(events: str) -> None:
    """The silent step that leads back is a step of its own."""
    trace = Reader(events).root.of("trace")[-1]

    assert json.loads(trace.of("cells")[0].text)["loop"] == len(trace.of("stem")[0].all("li"))
    assert steps_of(trace)[-1] == "tau"


def test_a_run_and_its_contrast_are_both_shown(tmp_path: Path) -> None:
    """A process that is not deterministic has two runs with the same visible events."""
    model = tmp_path / "choice.csp"
    model.write_text("P = a -> b -> Stop [] a -> c -> Stop;\n#assert P deterministic;\n")
    root = Reader(write(tmp_path, model)).root

    assert [steps_of(trace) for trace in root.of("trace")] == [["a"], ["a", "c"]]
    assert "The same visible events, and one more." in root.text


def test_actors_have_rows_with_their_queues(actors: str) -> None:
    """Messages with their senders, and steps in the words of actors."""
    trace = Reader(actors).root.of("trace")[0]
    values = json.loads(trace.of("cells")[0].text)
    heads = [[cell.text for cell in head.children] for head in (t.all("tr")[0] for t in trace.all("table"))]

    assert heads == [["Philosopher", "hasLeft", "eating", "queue"], ["Fork", "taken", "waiting", "queue"]]
    assert any(re.fullmatch(r"initial, ask from phil\d", text) for step in values["steps"] for _, text in step)
    assert re.fullmatch(r"phil\d takes initial", steps_of(trace)[0])


# ---------------------------------------------------------------- pictures and figures


def test_both_pictures_of_states_have_all_of_them(philosophers: str) -> None:
    """A dot for every state and for every orbit; orbits have colours, the same in both."""
    whole, quotient = Reader(philosophers).root.of("dots")
    marks = [
        [n for n in picture.all("circle", "rect", "path") if n.attributes.get("fill")] for picture in (whole, quotient)
    ]

    assert [len(some) for some in marks] == [35, 13]
    assert len(whole.of("stuck")) == len(quotient.of("stuck")) == 1
    assert {m.attributes["fill"] for m in marks[0]} == {m.attributes["fill"] for m in marks[1]}
    assert len({m.attributes["fill"] for m in marks[1]}) == 13


def test_states_written_out_are_those_of_the_graphs(philosophers: str) -> None:
    """Laid out by Graphviz, without its ids, links and addresses."""
    pytest.importorskip("pygraphviz")
    quotient, whole = Reader(philosophers).root.of("graphviz")

    assert len(set(re.findall(r"orbit \d+: \d state", quotient.text))) == 13
    assert whole.text.count("DEADLOCK") == 1
    assert not [n for n in whole.all("g", "text", "path", "polygon") if n.attributes.keys() & {"id", "class", "href"}]


def test_a_page_can_be_made_without_graphviz(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says what is missing; all else is there."""
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    root = Reader(write(tmp_path, PHILOSOPHERS, "-D", "N=3")).root

    assert not root.of("graphviz")
    assert "pictures need pygraphviz" in root.text
    assert len(root.of("dots")) == len(root.of("columns")) + 1 == 2


def test_orbits_are_drawn_with_an_arrow_for_every_move(philosophers: str) -> None:
    """Three philosophers rotate: three points, three arrows of one colour."""
    (orbit,) = Reader(philosophers).root.of("orbit")

    assert [n.text for n in orbit.all("text")] == ["0", "1", "2"]
    assert len(orbit.of("line")) == len(orbit.of("head")) == len(orbit.of("g0")) == 3


def test_generators_are_told_apart_by_number_and_pattern(tmp_path: Path) -> None:
    """Not by their colours alone."""
    root = Reader(write(tmp_path, EXAMPLES / "zhang2013" / "token_circulation.seq")).root
    agents, labels = root.of("orbit")

    assert [n.text for n in agents.of("number")] == ["2", "2", "2"]
    assert [n.text for n in labels.of("number")] == ["1"]
    assert [len(root.of("generators")[0].of(f"g{k}")) for k in range(3)] == [1, 1, 0]
    assert "data: exchanges values" in root.text


def test_orbits_are_told_apart_by_number(philosophers: str) -> None:
    """In both pictures, and where states are written out."""
    whole, quotient = Reader(philosophers).root.of("dots")

    assert [sorted({int(n.text) for n in picture.all("text")}) for picture in (whole, quotient)] == [
        [*range(1, 14)]
    ] * 2
    assert len(whole.all("text")) == 35


def test_the_coloured_graph_has_every_vertex(philosophers: str) -> None:
    """Values before on the left, values after on the right."""
    task = load(PHILOSOPHERS, {"N": 3})
    graph = Study(task).symmetries([claim.name for claim in task.claims]).detection.encoding.graph
    (picture,) = Reader(philosophers).root.of("columns")

    assert len(picture.all("circle")) + len(picture.all("rect")) == len(graph)
    assert {"at[0] = hungry", "at[0]' = hungry", "taken[2]", "event get"} <= {n.text for n in picture.all("text")}


def test_the_reduction_is_told_in_figures(philosophers: str) -> None:
    """All states, and orbits."""
    root = Reader(philosophers).root
    bars = [[node.text for node in bar.children] for bar in root.of("bars")[0].all("p")]

    assert bars == [["without symmetry", "35"], ["one of every orbit", "13"]]
    assert "2.7 times" in root.text


def test_lines_that_cost_symmetry_are_marked(tmp_path: Path) -> None:
    """With the words of the command line, and the group of the model itself."""
    root = Reader(write(tmp_path, EXAMPLES / "zhang2013" / "hanoi.seq", "-D", "D=2", code=Exit.DONE)).root
    marked = [line.text for line in root.of("culprit")]

    assert "Value left of Peg is singled out by the initial value at 17:21" in root.text
    assert "'solved' keeps 1 of 2 symmetries, S2 (Peg middle, right): it has the literal right at 26:46." in root.text
    assert [line.split(" ")[0] for line in marked] == ["var", "reachable"]
    assert "There are 2 symmetries" in root.text


def test_rules_that_are_written_out_are_not_blamed(tmp_path: Path) -> None:
    """A rule that is written out for one process is made up for by those of the others."""
    root = Reader(write(tmp_path, EXAMPLES / "zhang2013" / "reader_writer.csp")).root

    assert "Nothing in the text costs symmetry" in root.text


def test_what_is_too_large_is_not_drawn_and_it_is_said_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what to do instead."""
    monkeypatch.setattr(symmetries, "_MOST_EDGES", 10)
    root = Reader(write(tmp_path, PHILOSOPHERS, "-D", "N=7")).root
    orbits = Study(load(PHILOSOPHERS, {"N": 7})).count(Mode.UNIQUE).exploration.states

    (quotient,) = root.of("dots")
    assert len(quotient.all("circle", "rect")) == orbits
    assert not root.of("columns")
    assert "The 4,286 states of the model are too many for a picture: take fewer processes with -D." in root.text
    assert "which is too large for a picture" in root.text
    assert [p.children[1].text for p in root.of("bars")[0].all("p")] == ["4,286", f"{orbits:,}"]


def test_models_without_symmetry_have_a_page(tmp_path: Path) -> None:
    """The states are drawn without colours."""
    model = tmp_path / "one.seq"
    model.write_text("var a: 0..3 = 0;\nrule up when a < 3 do { a := a + 1; }\ninvariant low: a < 3;\n")
    root = Reader(write(tmp_path, model)).root

    assert "Only the identity" in root.text
    assert len(root.of("dots")) == 1
    assert len(root.of("wrong")) == 1


# ---------------------------------------------------------------- exits


def test_exit_codes_are_those_of_check(tmp_path: Path) -> None:
    """And the page is there in each case."""
    lock = EXAMPLES / "classics" / "filter_lock.seq"
    faulty = tmp_path / "faulty.seq"
    faulty.write_text(FAULTY)
    counter = tmp_path / "counter.seq"
    counter.write_text("var x: 0 .. 999999 = 0; rule next do { x := (x + 1) % 1000000; } invariant less: x < 999999;")

    held = write(tmp_path, lock, "-D", "N=2", "--property", "mutex", code=Exit.DONE)
    faults = Reader(write(tmp_path, faulty, code=Exit.MODEL)).root
    partial = write(tmp_path, counter, "--memory", "1M", code=Exit.LIMIT)

    assert "The property holds." in held
    assert faults.of("summary")[0].text.startswith("✗The model faults")
    assert steps_of(faults.of("trace")[0]) == ["up", "up"]
    assert "stopped at the memory limit" in partial


def test_nothing_is_written_if_the_model_is_wrong(tmp_path: Path) -> None:
    """The diagnostics are the usual ones."""
    model = tmp_path / "wrong.seq"
    model.write_text("var a: ;")

    assert main(["report", str(model), "-o", str(tmp_path / "page.html")]) == Exit.MODEL
    assert main(["report", str(PHILOSOPHERS), "--property", "no", "-o", str(tmp_path / "page.html")]) == Exit.MODEL
    assert sorted(p.name for p in tmp_path.iterdir()) == ["wrong.seq"]


def test_a_page_that_cannot_be_written_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of usage, with the reason, before anything is explored."""
    assert main(["report", str(PHILOSOPHERS), "-D", "N=40", "-o", str(tmp_path / "no" / "page.html")]) == Exit.USAGE
    assert "cannot write" in capsys.readouterr().err


def test_a_page_is_an_html_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever else the name says is refused at once."""
    for name in ("page.pdf", "page", "-"):
        assert main(["report", str(PHILOSOPHERS), "-D", "N=40", "-o", str(tmp_path / name)]) == Exit.USAGE
        assert capsys.readouterr().err == "burnside: a report is an .html file\n"
    assert not list(tmp_path.iterdir())


def test_the_verdicts_are_printed_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """So that an exit code of 1 is no riddle."""
    write(tmp_path, PHILOSOPHERS, "-D", "N=3")

    assert capsys.readouterr().out == f"{tmp_path / 'page.html'}: 1 of 3 properties is violated; 2 hold\n"


def test_nobody_is_told_to_take_fewer_actors() -> None:
    """Their number is written in the text; its constants are who knows whom."""
    assert has_sizes(load(PHILOSOPHERS, {}).model)
    assert not has_sizes(load(EXAMPLES / "jaghoori2005" / "load_balancer_small.rebeca", {}).model)


# ---------------------------------------------------------------- the style sheet


def luminance(colour: str) -> float:
    """The relative luminance of a colour, as accessibility guidelines define it."""
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """From 1 (equal) to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def palettes() -> dict[str, dict[str, str]]:
    """The colours of the style sheet by name."""
    style = (files("burnside.report.html") / "style.css").read_text()
    light, dark = re.findall(r":root \{(.*?)\}", style, re.DOTALL)
    return {
        scheme: dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", text))
        for scheme, text in (("light", light), ("dark", dark))
    }


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read(scheme: str) -> None:
    """Every pair of text and ground that the style sheet uses has a contrast of 4.5 or more, lines one of 3."""
    names = palettes()[scheme]
    grounds = [names[g] for g in ("ground", "card", "sunk", "changed")]

    for ground in grounds:
        assert contrast(names["ink"], ground) >= 4.5
    for text in ("soft", "link", "accent", *(f"g{k}" for k in range(8))):
        assert min(contrast(names[text], ground) for ground in grounds[:3]) >= 4.5, text
    for verdict in ("holds", "violated", "unknown"):
        assert contrast(names[verdict], names[f"{verdict}-ground"]) >= 4.5
    assert min(contrast(names["edge"], ground) for ground in grounds[:3]) >= 3


def test_both_schemes_have_the_same_colours() -> None:
    """By name: none is forgotten in the dark."""
    light, dark = palettes().values()

    assert light.keys() == dark.keys()


def test_pictures_have_contrast() -> None:
    """On white, and dark text on the colours of orbits."""
    for text in (LABEL, BACK_LABEL, *STROKES):
        assert contrast(text, "#ffffff") >= 4.5, text
    for line in (LINE, BACK_LINE, STUCK):
        assert contrast(line, "#ffffff") >= 3, line
    for number in range(60):
        hue, saturation, value = map(float, pastel(number).split())
        assert contrast("#222222", spelled(hsv_to_rgb(hue, saturation, value))) >= 4.5
        degrees, strong, light = map(int, re.findall(r"\d+", orbit_colour(number, is_light=True)))
        assert contrast("#1d1f24", spelled(hls_to_rgb(degrees / 360, light / 100, strong / 100))) >= 4.5


def spelled(colour: tuple[float, float, float]) -> str:
    """A colour as style sheets write it."""
    return "#" + "".join(f"{round(255 * part):02x}" for part in colour)
