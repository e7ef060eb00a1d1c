"""Verdicts on divergence, determinism and refinement agree with brute force on random terms."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from burnside.frontends.cspsharp import load
from burnside.results.findings import Finding, Verdict
from burnside.source import Source, render
from burnside.study import Studies
from process_algebra import interpreter, oracle

LENGTH = 5
MOST_EVENTS = 7

Term = tuple[Any, ...]


def random_pair(chance: random.Random) -> tuple[dict[str, Term], Term, Term]:
    """Definitions and two terms; the second is often related to the first, so that both verdicts come up."""
    maker = interpreter.Maker(chance, interpreter.names_of(chance))
    definitions = maker.definitions("abct")
    term = maker.term(chance.randint(2, 7), tail=True)
    if maker.names and chance.random() < 0.3:  # what hides an event of a circle may diverge
        hidden = ("hide", maker.call(), frozenset(["a", "b", "f.0", "f.1", *chance.choice(["c", ""])]))
        term = chance.choice([hidden, ("pre", "c", hidden), ("[]", hidden, term)])
    match chance.randrange(6):
        case 0:
            other = maker.term(chance.randint(2, 7), tail=True)
        case 1:
            other = ("<>", term, maker.term(2, tail=True))
        case 2:
            other = ("[]", term, maker.term(2, tail=True))
        case 3:
            other = ("pre", "tau", term)
        case 4:
            other = term
        case _:
            term, other = ("hide", term, frozenset("a")), ("hide", ("<>", term, maker.term(2, True)), frozenset("a"))
    return definitions, term, other


def text_of(definitions: dict[str, Term], term: Term, other: Term) -> str:
    """A model that claims everything of the first term."""
    lines = [f"{name}() = {interpreter.text_of(body)};" for name, body in (("P", term), ("Q", other))]
    claims = ("divergencefree", "deterministic", "refines Q()", "refines<F> Q()", "refines<FD> Q()")
    lines += [f"#assert P() {claim};" for claim in claims]
    return interpreter.declarations_of(definitions) + "\n".join(lines) + "\n"


def visible(report: Finding) -> int:
    """How many visible events the trace of a violation has, and one more for what it may refuse to do then."""
    assert report.trace is not None
    return sum(step.event != "tau" for step in report.trace.steps) + 1


def check(seed: int, seen: Counter[tuple[str, bool]]) -> None:
    """One random pair of terms."""
    definitions, term, other = random_pair(random.Random(seed))
    interpreted = interpreter.Interpreter(definitions)
    systems = [interpreted.system(t, most=60) for t in (term, other)]
    if None in systems:
        return
    process, specification = (oracle.Process(s) for s in systems)
    if len(process.events | specification.events) > MOST_EVENTS:
        return
    text = text_of(definitions, term, other)
    tasks, diagnostics, _ = load(Source(f"seed {seed}", text), {})
    assert tasks, text + "\n".join(map(render, diagnostics))

    (report,) = Studies.of(tasks).check()

    for claim in report.findings:
        name = claim.member.name
        assert claim.verdict is not Verdict.UNKNOWN
        holds = claim.verdict is Verdict.HOLDS
        length = LENGTH if holds else visible(claim)
        expected = {
            "divergencefree": lambda _: oracle.is_divergence_free(process),
            "deterministic": lambda n: oracle.is_deterministic(process, n),
            "refines_Q": lambda n: oracle.refines(process, specification, "T", n),
            "refines_F_Q": lambda n: oracle.refines(process, specification, "F", n),
            "refines_FD_Q": lambda n: oracle.refines(process, specification, "FD", n),
        }[name](length)
        assert holds is expected, f"{name} in\n{text}"
        seen[name, holds] += 1


@pytest.mark.parametrize("first", range(0, 120, 40))
def test_verdicts_agree_with_brute_force(first: int) -> None:
    """Every claim about every pair, and a violation is seen by brute force within the length of its trace."""
    seen: Counter[tuple[str, bool]] = Counter()
    for seed in range(first, first + 40):
        check(seed, seen)

    assert sum(seen.values()) >= 100


@pytest.mark.slow
def test_many_verdicts_agree_with_brute_force() -> None:
    """The same for more than a thousand pairs; each verdict of each claim comes up."""
    seen: Counter[tuple[str, bool]] = Counter()
    for seed in range(1_000, 2_600):
        check(seed, seen)

    assert len(seen) == 10
    assert min(seen.values()) >= 40
    assert sum(seen.values()) >= 5_000
