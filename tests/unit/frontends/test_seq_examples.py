"""The ``.seq`` examples: they load, print back, and have the counts that their comments state."""

import re
from collections import deque
from dataclasses import dataclass
from pathlib import Path

import pytest

import burnside
from burnside.claims.kinds import DeadlockFree, Invariant, Reachable
from burnside.claims.members import about_states
from burnside.claims.printer import print_task
from burnside.claims.task import Task
from burnside.frontends.seq import load
from burnside.ir.cells import Cells
from burnside.ir.nodes import Value
from burnside.ir.semantics import Step, evaluate, fire, initial, instances, is_terminal
from burnside.source import Source, render

EXAMPLES = Path(__file__).parents[3] / "examples"
ALL = sorted(EXAMPLES.glob("*/*.seq"))


@dataclass(frozen=True)
class Counts:
    """What a search of the whole state space finds; ``violated`` and ``unreached`` are names of properties."""

    states: int
    transitions: int
    deadlocks: int = 0
    violated: frozenset[str] = frozenset()


def example(name: str, constants: dict[str, Value] | None = None) -> Task:
    """The task of an example."""
    path = EXAMPLES / name
    tasks, diagnostics, _ = load(Source(path.name, path.read_text()), constants or {})
    assert tasks, "\n".join(map(render, diagnostics))
    return tasks[0]


def search(task: Task) -> Counts:
    """Visit every reachable state by the reference semantics."""
    model = task.model
    cells = Cells(model)
    ground = [(rule, arguments) for rule in model.rules for arguments in instances(rule.parameters)]
    members = about_states(task.members)
    invariants = [m for m in members if isinstance(m.claim, Invariant)]
    reachable = [m for m in members if isinstance(m.claim, Reachable)]
    seen = set(initial(model))
    pending = deque(sorted(seen))
    transitions = deadlocks = 0
    reached: set[str] = set()
    violated: set[str] = set()
    while pending:
        state = pending.popleft()
        outcomes = [o for rule, arguments in ground if (o := fire(cells, rule, arguments, state)) is not None]
        for outcome in outcomes:
            assert isinstance(outcome, Step), outcome
            if outcome.state not in seen:
                seen.add(outcome.state)
                pending.append(outcome.state)
        transitions += len(outcomes)
        deadlocks += not outcomes and not is_terminal(model, state)
        violated |= {m.claim.name for m in invariants if not evaluate(cells, m.claim.condition, state, m.values)}
        reached |= {m.claim.name for m in reachable if evaluate(cells, m.claim.condition, state, m.values)}
    violated |= {m.claim.name for m in reachable} - reached
    if deadlocks:
        violated |= {m.claim.name for m in members if isinstance(m.claim, DeadlockFree)}
    return Counts(len(seen), transitions, deadlocks, frozenset(violated))


@pytest.mark.parametrize("path", ALL, ids=lambda p: p.stem)
def test_an_example_loads_and_prints_back(path: Path) -> None:
    """Printing a model and reading it again gives an equal model, and the same text."""
    task = example(str(path.relative_to(EXAMPLES)))
    text = print_task(task)
    again, diagnostics, _ = load(Source(path.name, text), {})

    assert list(diagnostics) == []
    assert again == (task,)
    assert print_task(task) == text


@pytest.mark.parametrize("path", ALL, ids=lambda p: p.stem)
def test_an_example_says_what_it_is(path: Path) -> None:
    """The first lines are a comment that names the symmetries."""
    head = re.match(r"(//[^\n]*\n)+", path.read_text())

    assert head is not None
    assert "Symmetries" in head.group()


DEADLOCK = frozenset({"progress"})

QUICK = [
    ("zhang2013/dining_philosophers.seq", {"N": 3}, Counts(35, 66, 1, DEADLOCK)),
    ("zhang2013/dining_philosophers.seq", {"N": 4}, Counts(118, 300, 1, DEADLOCK)),
    ("zhang2013/token_circulation.seq", {"N": 3}, Counts(512, 576, 128, DEADLOCK)),
    ("zhang2013/peterson.seq", {"N": 2}, Counts(30, 52)),
    ("zhang2013/peterson.seq", {"N": 3}, Counts(572, 1_296)),
    ("zhang2013/hanoi.seq", {"D": 2}, Counts(9, 24)),
    ("zhang2013/hanoi.seq", {"D": 3}, Counts(27, 78)),
    ("zhang2013/hanoi.seq", {"D": 4}, Counts(81, 240)),
    ("zhang2013/reader_writer.seq", {"N": 3}, Counts(5, 10)),
    ("zhang2013/leader_complete.seq", {"N": 3}, Counts(28, 90)),
    ("zhang2013/leader_ring.seq", {"N": 3}, Counts(812, 3_426)),
    ("zhang2013/leader_tree.seq", {"N": 7}, Counts(512, 2_508)),
    ("zhang2013/hypercube.seq", {"D": 2}, Counts(16, 28)),
    ("zhang2013/hypercube.seq", {"D": 3}, Counts(64, 152)),
    ("zhang2013/three_tier.seq", {"CLIENTS": (2, 1)}, Counts(40, 116)),
    ("zhang2013/resource_allocator.seq", {"CLASSES": (2, 2, 3)}, Counts(576, 2_452)),
    ("zhang2013/milner_scheduler.seq", {"N": 3}, Counts(32, 62)),
    ("zhang2013/milner_scheduler.seq", {"N": 4}, Counts(88, 216)),
    ("classics/filter_lock.seq", {"N": 3}, Counts(356, 810)),
    ("classics/fifo_allocator.seq", {"N": 3}, Counts(115, 282)),
    ("classics/two_phase_commit.seq", {"N": 3}, Counts(288, 1_145)),
    ("classics/bounded_buffer.seq", {}, Counts(105, 308)),
    ("classics/german.seq", {"N": 2}, Counts(3_390, 9_912)),
]

SLOW = [
    ("zhang2013/two_hop_colouring.seq", {"N": 3}, Counts(13_824, 165_888)),
    ("zhang2013/three_tier.seq", {"CLIENTS": (3, 3, 2)}, Counts(7_840, 60_816)),
    ("zhang2013/social_golfer.seq", {"G": 2, "S": 2, "W": 2}, Counts(3_597, 16_944, 120)),
    ("classics/two_phase_commit.seq", {"N": 5}, Counts(8_832, 58_145)),
    ("classics/filter_lock.seq", {"N": 4}, Counts(5_744, 15_848)),
]


@pytest.mark.parametrize(
    ("name", "constants", "expected"),
    [*QUICK, *(pytest.param(*row, marks=pytest.mark.slow) for row in SLOW)],
    ids=lambda v: v.split("/")[1] if isinstance(v, str) else None,
)
def test_an_example_has_the_stated_counts(name: str, constants: dict[str, Value], expected: Counts) -> None:
    """States, transitions, deadlocks and verdicts by the reference semantics; no example faults."""
    assert search(example(name, constants)) == expected


def test_clients_and_data_of_a_cache_protocol_may_be_exchanged() -> None:
    """The counts are those of Rumur for the same protocol, where clients and data are declared as scalarsets."""
    system = burnside.load(EXAMPLES / "classics" / "german.seq")

    assert system.symmetries().order == 6 * 2
    assert system.count().states == 58_104
    assert system.count(symmetry="unique").states == 5_235
