"""The systems of Wahl 2007, and other languages, explored adaptively: published figures, errors, runs that replay."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnside.adaptive.run import diagram_of
from burnside.claims.members import about_states
from burnside.claims.task import Task
from burnside.decide.modes import Mode
from burnside.frontends.diagram import load
from burnside.frontends.loading import load as load_file
from burnside.results.findings import Verdict
from burnside.source import ModelError, Source
from burnside.study import Study
from support import reference

EXAMPLES = Path(__file__).parents[3] / "examples"
READERS = EXAMPLES / "wahl2007" / "readers_writers.diagram"
CONTROLLER = EXAMPLES / "wahl2007" / "resource_controller.diagram"


def states(task: Task, symmetry: str) -> int:
    """How many states are reached."""
    return Study(task).count(Mode(symmetry)).exploration.states


def diagram(text: str) -> Task:
    """A task from a ``.diagram`` text."""
    tasks, diagnostics, _ = load(Source("test.diagram", text), {})
    assert tasks, [d.message for d in diagnostics]
    return tasks[0]


def seeded(old: str, new: str, sizes: str = "[2, 2, 2]") -> Task:
    """The resource controller with a mistake."""
    text = CONTROLLER.read_text()
    assert old in text
    return diagram(text.replace(old, new).replace("[2, 2, 2];", f"{sizes};"))


def test_readers_and_writers_have_the_published_sizes() -> None:
    """22 states, 15 up to symmetry, 9 annotated states."""
    task = load_file(READERS)

    assert [states(task, mode) for mode in ("none", "unique", "adaptive")] == [22, 15, 9]


@pytest.mark.parametrize(("sizes", "expected"), [((2, 2, 2), (316, 105, 61)), ((3, 3), (388, 61, 52))])
def test_the_resource_controller_has_the_sizes_of_the_closed_forms(sizes, expected) -> None:
    """One unsplit edge for granting is enough: partitions are inferred, and the edge is split by class."""
    task = load_file(CONTROLLER, {"SIZES": sizes})

    assert tuple(states(task, mode) for mode in ("none", "unique", "adaptive")) == expected


def test_the_partitions_of_the_paper_are_inferred() -> None:
    """Higher, equal and lower priority; the ends of the scale need two cells only."""
    task = load_file(CONTROLLER)

    assert [line for line in diagram_of(task.model).describe() if line.startswith("grant")] == [
        "grant for 1, 2: | 1, 2 | 3..6 |",
        "grant for 3, 4: | 1, 2 | 3, 4 | 5, 6 |",
        "grant for 5, 6: | 1..4 | 5, 6 |",
    ]


MISTAKES = {
    "granting forgets to take the bit": (" do { free := false; };", ";"),
    "the last class ignores the bit": (
        "edge take",
        "edge barge(i): T -> G when level(i) == len(SIZES) && (forall j: at[j] != C);\nedge take",
    ),
    "the bit is set too early": ("edge put(i):     C -> R;", "edge put(i): C -> R do { free := true; };"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_seeded_errors_are_found_at_their_shortest_length(mistake: str) -> None:
    """The run is as short as the one that a plain search finds, and `check` has replayed it."""
    error = "error two_hold: (count i: at[i] == C) > 1;\nerror held_but_free"
    old, new = MISTAKES[mistake]
    task = seeded(old, new)
    task = diagram(CONTROLLER.read_text().replace(old, new).replace("error held_but_free", error))
    judge = reference.explore(task.model, about_states(task.members))

    found = Study(task).check(mode=Mode.ADAPTIVE)

    for witness, claim in zip(judge.witnesses, found.findings, strict=True):
        assert (claim.trace is None) == (witness is None)
        if witness is not None and claim.trace is not None:
            assert claim.verdict is Verdict.VIOLATED
            assert len(claim.trace.steps) == len(witness) - 1
    assert any(claim.trace for claim in found.findings)


def test_an_error_may_name_a_process() -> None:
    """The property tells processes apart that the system does not."""
    text = READERS.read_text() + "error third_inside: at[3] == C;\n"

    found = Study(diagram(text)).check(mode=Mode.ADAPTIVE)

    assert {f.member.name: f.verdict for f in found.findings}["third_inside"] is Verdict.VIOLATED
    assert [len(c.trace.steps) for c in found.findings if c.trace] == [2]


# ---------------------------------------------------------------- given partitions

EDGE = "edge read(i):    T -> C when i <= READERS && (forall j in writers: at[j] != C)"


def with_partition(partition: str) -> Task:
    """Readers and writers with a partition for the edge that tells them apart."""
    text = READERS.read_text()
    assert EDGE in text
    return diagram(text.replace(EDGE, f"{EDGE} partition {partition}"))


def test_a_right_partition_is_accepted() -> None:
    task = with_partition("| 1..2 | 3 |")

    found = Study(task).count(Mode.ADAPTIVE)

    assert found.exploration.states == 9
    assert found.symmetry.notes == ()


def test_a_partition_that_is_too_fine_is_accepted_with_a_note() -> None:
    task = with_partition("| 1 | 2 | 3 |")

    found = Study(task).count(Mode.ADAPTIVE)

    assert [n.code for n in found.symmetry.notes] == ["BUR304"]
    assert "| 1, 2 | 3 |" in found.symmetry.notes[0].message


def test_a_wrong_partition_is_refused_with_a_witness() -> None:
    """The swap, the state and the process are named, and the plain exploration does not mind."""
    task = with_partition("| 1 | 2, 3 |")

    with pytest.raises(ModelError) as error:
        Study(task).count(Mode.ADAPTIVE)

    (diagnostic,) = error.value.diagnostics
    assert diagnostic.code == "BUR303"
    assert diagnostic.message == "'read' tells 2 and 3 apart, but its partition does not"
    assert "2 and 3 exchanged" in diagnostic.notes[1].message
    assert diagnostic.notes[0].message.startswith("in the state with 1: ")
    assert states(task, "none") == 22


# ---------------------------------------------------------------- other languages


def test_the_prioritised_allocator_of_another_paper_is_explored_adaptively() -> None:
    """Forty clients in ten classes: a variable that holds the id of a client becomes a flag of that client."""
    task = load_file(EXAMPLES / "zhang2013" / "resource_allocator.seq", {"CLASSES": (4,) * 10})

    found = Study(task).check(mode=Mode.ADAPTIVE)

    assert [c.verdict for c in found.findings] == [Verdict.HOLDS, Verdict.HOLDS]
    assert found.count.exploration.states < 10_000


def test_rules_that_name_their_processes_are_joined() -> None:
    """CSP# gives a rule for each process; 513 states without symmetry."""
    task = load_file(EXAMPLES / "zhang2013" / "reader_writer.csp", {"N": 10})

    assert [states(task, mode) for mode in ("none", "unique", "adaptive")] == [513, 11, 11]


def test_readers_and_a_writer_in_another_language_are_explored_adaptively() -> None:
    task = load_file(EXAMPLES / "zhang2013" / "reader_writer.seq", {"N": 30})

    found = Study(task).check(mode=Mode.ADAPTIVE)

    assert {c.verdict for c in found.findings} == {Verdict.HOLDS}
    assert found.count.exploration.states == 31


OBSTACLES = {
    "two processes": (
        "process P = 0..2; var x[P]: bool; rule r(i, j: P) do { x[i] := x[j]; }",
        "BUR302",
        "acts for 2 processes",
    ),
    "no processes": ("var x: bool; rule r do { x := !x; }", "BUR301", "no array is indexed"),
    "ids for each process": (
        "process P = 0..2; var x[P]: P; rule r(i: P) do { x[i] := i; }",
        "BUR301",
        "holds a process",
    ),
    "pairs": ("process P = 0..2; var x[P][P]: bool; rule r(i: P) do { x[i][i] := true; }", "BUR301", "every pair"),
    "queues of ids": (
        "process P = 0..2; var b[P]: bool; var q: seq[2] of P; rule r(i: P) when !full(q) do { push(q, i); }",
        "BUR301",
        "sequence of process ids",
    ),
    "computed ids": (
        "process P = 0..2; var x[P]: bool; var k: 0..2; rule r(i: P) do { x[k] := true; }",
        "BUR302",
        "computed from the state",
    ),
}


@pytest.mark.parametrize("obstacle", OBSTACLES)
def test_what_stands_in_the_way_is_named(obstacle: str) -> None:
    from burnside.frontends.seq import load as load_seq

    text, code, message = OBSTACLES[obstacle]
    tasks, _, _ = load_seq(Source("test.seq", text), {})
    assert tasks
    task = tasks[0]

    with pytest.raises(ModelError) as error:
        Study(task).count(Mode.ADAPTIVE)

    assert error.value.diagnostics[0].code == code
    assert message in error.value.diagnostics[0].message


def test_a_fault_ends_the_search_with_a_run() -> None:
    from burnside.frontends.seq import load as load_seq

    text = "process P = 0..3; var x[P]: bool; var n: 0..2 = 0; rule r(i: P) when !x[i] do { x[i] := true; n := n + 1; }"
    tasks, _, _ = load_seq(Source("test.seq", text), {})
    assert tasks
    task = tasks[0]

    found = Study(task).count(Mode.ADAPTIVE)

    assert found.fault is not None
    assert len(found.fault.steps) == 2


def test_initial_states_are_checked() -> None:
    """An error in the first state has a run without steps."""
    task = diagram("process P = 1..2; local at = { A, B }; edge go(i): A -> B; error start: at[1] == A;")

    found = Study(task).check(mode=Mode.ADAPTIVE)

    assert [len(c.trace.steps) for c in found.findings if c.trace] == [0]


def test_a_shorter_way_is_not_lost_by_dropping_subsumed_states() -> None:
    """With a queue and the printed rule, D was found at distance 3; it is at 2 (A -> C for process 1, then C -> D)."""
    text = """process P = 1..2; local at = { A, B, C, D };
    edge b(i): A -> B; edge c(i): A -> C when i == 1; edge d(i): B -> C; edge e(i): C -> D;
    error end: exists i: at[i] == D;"""

    found = Study(diagram(text)).check(mode=Mode.ADAPTIVE)

    assert [len(c.trace.steps) for c in found.findings if c.trace] == [2]


def test_unequal_initial_states_are_told_apart() -> None:
    """Annotating AB with one cell would stand for BA, and C for process 2 would seem reachable."""
    text = """process P = 1..2; local at = { A, B, C }; initial 2: B;
    edge go(i): A -> C; error second: at[2] == C;"""

    found = Study(diagram(text)).check(mode=Mode.ADAPTIVE)

    assert [c.verdict for c in found.findings] == [Verdict.HOLDS]
