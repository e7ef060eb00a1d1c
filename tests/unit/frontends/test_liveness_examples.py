"""The examples in ``examples/liveness``: counts and verdicts that their comments state."""

from pathlib import Path

import pytest

from burnside.claims.kinds import Fairness, InfiniteRuns
from burnside.decide.modes import Mode
from burnside.frontends.loading import load
from burnside.ir.nodes import Value
from burnside.results.findings import Verdict
from burnside.study import Study

EXAMPLES = Path(__file__).parents[3] / "examples" / "liveness"

COUNTS = [
    ("dining_philosophers", {"N": 3}, 35, 66),
    ("dining_philosophers", {"N": 10}, 154_450, 986_430),
    ("left_handed_philosopher", {"N": 4}, 119, 304),
    ("left_handed_philosopher", {"N": 10}, 154_451, 986_440),
    ("peterson", {"N": 3}, 894, 2_640),
    ("peterson", {"N": 4}, 18_165, 62_536),
    ("token_circulation", {"N": 3}, 192, 288),
    ("leader_ring", {"N": 3}, 812, 3_426),
    ("leader_complete", {"N": 3}, 28, 90),
    ("chang_roberts", {"N": 3}, 174, 342),
    ("readers_writers", {}, 140, 479),
    ("semaphore", {}, 20, 72),
]

# Under none, weak, strong, weak and strong fairness of events, global fairness: + holds, - violated.
VERDICTS = [
    ("dining_philosophers", {"N": 4}, "somebody_eats", "------"),
    ("dining_philosophers", {"N": 4}, "everybody_eats(0)", "------"),
    ("dining_philosophers", {"N": 4}, "somebody_eats_unless_stuck", "++++++"),
    ("dining_philosophers", {"N": 4}, "everybody_eats_unless_stuck(0)", "--+-++"),
    ("left_handed_philosopher", {"N": 4}, "somebody_eats", "++++++"),
    ("left_handed_philosopher", {"N": 4}, "finishes_meal(1)", "-+++++"),
    ("left_handed_philosopher", {"N": 4}, "everybody_eats(0)", "--+-++"),
    ("left_handed_philosopher", {"N": 4}, "everybody_eats(3)", "--+-++"),
    ("peterson", {"N": 3}, "served(0)", "-+++++"),
    ("peterson", {"N": 3}, "somebody_enters", "-+++++"),
    ("peterson", {"N": 3}, "enters_again_and_again(0)", "---+++"),
    ("token_circulation", {"N": 3}, "one_token", "++++++"),
    ("token_circulation", {"N": 4}, "one_token", "-----+"),
    ("token_circulation", {"N": 5}, "one_token", "-----+"),
    ("token_circulation", {"N": 4}, "leader_served", "++++++"),
    ("token_circulation", {"N": 4}, "served(0)", "++++++"),
    ("leader_ring", {"N": 3}, "some_leader", "-+++++"),
    ("leader_ring", {"N": 2}, "one_leader", "------"),
    ("leader_ring", {"N": 3}, "one_leader", "-----+"),
    ("leader_complete", {"N": 3}, "one_leader", "-+++++"),
    ("leader_complete", {"N": 3}, "one_leader_if_correct", "++++++"),
    ("chang_roberts", {"N": 3}, "one_leader", "++++++"),
    ("chang_roberts", {"N": 3}, "best_leads(0)", "++++++"),
    ("readers_writers", {"POLITE": 0}, "writer_enters(0)", "-----+"),
    ("readers_writers", {"POLITE": 0}, "somebody_writes", "-----+"),
    ("readers_writers", {"POLITE": 0}, "reader_enters(0)", "--+-++"),
    ("readers_writers", {"POLITE": 1, "W": 1}, "writer_enters(0)", "++++++"),
    ("readers_writers", {"POLITE": 1, "W": 2}, "writer_enters(0)", "--+-++"),
    ("readers_writers", {"POLITE": 1, "W": 2}, "somebody_writes", "++++++"),
    ("readers_writers", {"POLITE": 1, "W": 1}, "reader_enters(0)", "--+-++"),
    ("readers_writers", {"POLITE": 1, "W": 2}, "reader_enters(0)", "-----+"),
    ("semaphore", {}, "somebody_enters", "-+++++"),
    ("semaphore", {}, "served(0)", "--+-++"),
    ("semaphore", {}, "enters_again_and_again(0)", "----++"),
]


@pytest.mark.parametrize(("name", "constants", "states", "transitions"), COUNTS)
def test_an_example_has_the_stated_counts(
    name: str, constants: dict[str, Value], states: int, transitions: int
) -> None:
    found = Study(load(EXAMPLES / f"{name}.seq", constants)).count(Mode.NONE).exploration

    assert (found.states, found.transitions) == (states, transitions)


@pytest.mark.parametrize(("name", "constants", "claim", "expected"), VERDICTS)
def test_a_claim_holds_under_the_stated_fairness_only(
    name: str, constants: dict[str, Value], claim: str, expected: str
) -> None:
    """Where the comment says which fairness is needed, weaker ones are not enough.

    What holds without fairness holds under any, and what strong fairness does not help is violated under weak.
    """
    study = Study(load(EXAMPLES / f"{name}.seq", constants))
    implied: tuple[Fairness, ...] = ()
    if expected.startswith("+"):
        implied = tuple(Fairness)[1:]
    elif expected.startswith("-----"):
        implied = (Fairness.NONE, Fairness.WEAK, Fairness.WEAK_EVENTS)
    for fairness, sign in zip(Fairness, expected, strict=True):
        if fairness not in implied:
            report = study.check([claim], Mode.NONE, fairness)

            assert report.findings[0].verdict is {"+": Verdict.HOLDS, "-": Verdict.VIOLATED}[sign], fairness


@pytest.mark.parametrize("name", sorted({name for name, *_ in COUNTS}))
def test_every_claim_of_an_example_is_decided(name: str) -> None:
    """Nothing is left out above."""
    claims = {claim.partition("(")[0] for other, _, claim, _ in VERDICTS if other == name}

    every = load(EXAMPLES / f"{name}.seq").claims

    assert claims == {claim.name for claim in every if isinstance(claim, InfiniteRuns)}
