"""Finite images as sequential models, and safety decided on them by the explorer."""

from __future__ import annotations

import json
import random
from itertools import pairwise, product
from pathlib import Path

import pytest

from burnside.claims.check import check_task
from burnside.claims.members import about_states
from burnside.claims.printer import print_task
from burnside.cli.main import main
from burnside.frontends.seq import load
from burnside.patterns import runs_against
from burnside.regular import report
from burnside.regular.alphabet import Alphabet, convolve
from burnside.regular.finite import Query, finite_system, task_of, words_of
from burnside.regular.formats import load_system
from burnside.regular.image import decide, image_of, safety_task
from burnside.regular.instances import instance
from burnside.source import Diagnostics, Source
from burnside.study import Study
from support.reference import explore

EXAMPLES = Path(__file__).parents[3] / "examples" / "lin2016"


def natively(task):
    """The explorer as the command uses it."""
    return runs_against(Study(task).check())


def by_reference(task):
    """The plain search through the meaning of models."""
    members = about_states(task.members)
    return {m.name: w for m, w in zip(members, explore(task.model, members).witnesses, strict=True)}


EXPLORERS = (natively, by_reference)


def system_of(text):
    return load_system(Source("t.regular", text))


def counter(modulus, questions):
    """A number in unary from which ``modulus`` is taken again and again, or nothing; the pattern is the remainder.

    The remainder keeps its place among the first ``modulus`` letters, so words have at least that many.
    """
    remainders = "\n".join(
        f"| pairs((on{{{modulus}}})* on{{{r}}} off* & any{{{modulus},}}, on{{{r}}} off{{{modulus - r}}})"
        for r in range(modulus)
    )
    return system_of(f"""
    alphabet {{ on, off }}
    configurations on* off* & any{{{modulus},}};
    action step = on/on* on/off{{{modulus}}} off/off* | id*;
    pattern remainder = {remainders};
    {questions}
    """)


def reachable(system, start, length):
    """All configurations of one length that can be reached from those in a language."""
    single = instance(system, length)
    reached = {w for w in single.configurations if start.accepts(w)}
    while True:
        fresh = {w for steps in single.steps.values() for v, w in steps if v in reached} - reached
        if not fresh:
            return reached
        reached |= fresh


def check_answer(system, question, answer):
    """An answer against all instances up to nine processes, and its run against the system."""
    bad = [w for n in range(10) for w in reachable(system, question.start, n) if question.never.accepts(w)]
    if answer.verdict == "holds":
        assert not bad
    if answer.verdict == "violated":
        assert question.start.accepts(answer.trace[0]) and question.never.accepts(answer.trace[-1])
    for v, w in pairwise(answer.trace):
        assert any(step.accepts(convolve(v, w)) for step in system.steps.values())
    return bool(bad)


@pytest.mark.parametrize("explore", EXPLORERS)
def test_the_last_bean_is_white_iff_the_number_of_white_beans_is_odd(systems, explore):
    """End to end: the image of three words is a model of six states, and both halves hold for all cans."""
    system = systems["coffee_can"]
    relation = system.pattern("parity").relation
    answers = decide(system, relation, image_of(system, relation), explore)

    assert [(a.question, a.verdict, a.trace) for a in answers] == [
        ("odd_is_never_black", "holds", ()),
        ("even_is_never_white", "holds", ()),
    ]


def test_the_model_of_the_coffee_can_is_a_model_like_any_other(systems):
    """It passes the checker, prints as ``.seq`` and reads back as the same model."""
    system = systems["coffee_can"]
    relation = system.pattern("parity").relation
    finite, task = safety_task(system, relation, image_of(system, relation).words)
    diagnostics = Diagnostics()
    check_task(task, diagnostics)
    again, problems, _ = load(Source("image.seq", print_task(task)), {})

    assert not [*diagnostics] and not [*problems] and again == (task,)
    # Every can but the single black bean may wait; from an even number of white beans that bean can be left over.
    assert finite.steps == {"step": ((0, 1), (), (2,))}
    assert explore(task.model).states == 6


@pytest.mark.parametrize("explore", EXPLORERS)
@pytest.mark.parametrize("modulus", [1, 2, 3])
def test_remainders_decide_what_remainders_can_decide(modulus, explore):
    """All pairs of remainders: different ones are never reached from one another, equal ones are, by a run."""
    words = [f"(on{{{modulus}}})* on{{{r}}} off* & any{{{modulus},}}" for r in range(modulus)]
    pairs = list(product(range(modulus), repeat=2))
    questions = "\n".join(f"safety q{r}{s} {{ from {words[r]}; never {words[s]}; }}" for r, s in pairs)
    system = counter(modulus, questions)
    relation = system.pattern("remainder").relation
    image = image_of(system, relation)
    answers = decide(system, relation, image, explore)

    assert image.count == modulus
    for (r, s), question, answer in zip(pairs, system.questions, answers, strict=True):
        assert answer.verdict == ("violated" if r == s else "holds")
        assert check_answer(system, question, answer) == (r == s)


@pytest.mark.parametrize("explore", EXPLORERS)
def test_a_pattern_that_is_too_coarse_gives_no_verdict(explore):
    """From two one cannot come to four, but both have the remainder of zero."""
    system = counter(2, "safety up { from on{2} off* & any{2,}; never on{4} off*; }")
    relation = system.pattern("remainder").relation
    (answer,) = decide(system, relation, image_of(system, relation), explore)

    assert not check_answer(system, system.questions[0], answer)
    assert answer.verdict == "unknown" and [system.alphabet.text(w) for w in answer.trace] == ["off off"]


@pytest.mark.parametrize("explore", EXPLORERS)
def test_a_run_of_the_image_is_a_run_of_the_system(explore):
    """If it begins in the start and ends in what is forbidden, the question is settled."""
    system = system_of("""
    alphabet { a, b, c }
    configurations [a b c] any*;
    action on = (a/b | b/c) id*;
    pattern first = [a b c]/[a b c] any/_* & (same(any+) | (a/a | b/b | c/c) any/_+);
    safety never_c { from a+; never c any*; }
    safety never_cc { from a+; never c c; }
    safety from_nothing { from b a - any*; never any*; }
    """)
    relation = system.pattern("first").relation
    image = image_of(system, relation)
    answers = decide(system, relation, image, explore)

    assert [system.alphabet.text(w) for w in image.words] == ["a", "b", "c"]
    assert [(a.verdict, [system.alphabet.text(w) for w in a.trace]) for a in answers] == [
        ("violated", ["a", "b", "c"]),
        ("unknown", ["a", "b", "c"]),
        ("holds", []),
    ]
    for question, answer in zip(system.questions, answers, strict=True):
        check_answer(system, question, answer)


def test_an_undecided_invariant_is_no_verdict(systems):
    """An explorer that stops at a limit leaves the question open."""
    system = systems["coffee_can"]
    relation = system.pattern("parity").relation
    answers = decide(system, relation, image_of(system, relation), lambda _: {})

    assert [(a.verdict, a.trace) for a in answers] == [("unknown", ())] * 2


def random_dfa_text(rng):
    letters = [f"{a}/{b}" for a, b in product("ab", repeat=2)]
    parts = [f"id* {rng.choice(letters)} {rng.choice(letters)} id*" for _ in range(rng.randint(1, 3))]
    return f"alphabet {{ a, b }} action s = {' | '.join(parts)}; action t = {rng.choice(letters)} id*;"


@pytest.mark.parametrize("seed", range(30))
def test_finite_systems_have_the_steps_of_the_system(seed):
    """Random words, steps and questions: successors, and what is reached, by asking the automata pair by pair."""
    rng = random.Random(seed)
    system = system_of(random_dfa_text(rng))
    every = [w for n in range(4) for w in product(range(2), repeat=n)]
    words = sorted(rng.sample(every, 8))
    finite = finite_system(system, words)
    steps = {
        name: [(v, w) for v in words for w in words if len(v) == len(w) and step.accepts(convolve(v, w))]
        for name, step in system.steps.items()
    }
    assert {
        name: [(words[v], words[w]) for v, ws in enumerate(found) for w in ws] for name, found in finite.steps.items()
    } == steps

    queries = [Query(f"q{k}", frozenset(rng.sample(words, 2)), frozenset(rng.sample(words, 2))) for k in range(3)]
    task = task_of(finite, queries, system.alphabet)
    runs = by_reference(task)
    for query in queries:
        reached = set(query.start)
        for _ in words:
            reached |= {w for pairs in steps.values() for v, w in pairs if v in reached}
        assert (runs[query.name] is None) == (not reached & query.never)
        if runs[query.name] is not None:
            run = words_of(finite, runs[query.name])
            assert run[0] in query.start and run[-1] in query.never
            assert all(any(pair in pairs for pairs in steps.values()) for pair in pairwise(run))


def test_words_with_one_text_are_told_apart():
    """Letters may be called anything, even like two other letters."""
    system = system_of('alphabet { a, b, "a b", "`" } action t = id*;')
    words = [(0, 1), (2,), (3,)]
    query = Query("q", frozenset({(2,)}), frozenset({(0, 1)}))
    task = task_of(finite_system(system, words), [query], Alphabet(system.alphabet.names))
    again, problems, _ = load(Source("image.seq", print_task(task)), {})

    assert task.model.domains[0].labels == ("a b #1", "a b #2", "'")
    assert again == (task,) and not [*problems]
    assert by_reference(task) == {"q": None}


def test_an_infinite_image_leaves_questions_open(capsys, tmp_path):
    """And says so; the exit code is that of a partial answer."""
    path = tmp_path / "t.regular"
    path.write_text("alphabet { a, b } action t = id* a/b id*; pattern same = id*; safety q { from a*; never b*; }")
    code = main(["pattern", "image", str(path), "--pattern", "same"])

    assert code == 4
    assert capsys.readouterr().out == "the image is infinite\nq: unknown, the image is infinite\n"


def test_images_too_large_to_explore_are_counted():
    """2^40 words are finitely many; nobody lists them."""
    system = system_of("alphabet { a, b } configurations any{40}; action t = id*; safety q { from a*; never b*; }")
    result = report.image(system, "rotation@1", natively)

    assert result.content["finite"] and result.content["count"] == 2**40 and result.content["words"] is None
    assert result.partial and result.lines[-1] == "q: unknown, the image is too large to be explored"


def test_images_with_too_many_steps_are_listed():
    """From each of 4,096 words to all others: the words are shown, the question stays open."""
    system = system_of("alphabet { a, b } configurations any{12}; action t = any*; safety q { from a*; never b*; }")
    result = report.image(system, "rotation@1", natively)

    assert len(result.content["words"]) == result.content["count"] == 4096
    assert result.partial and result.lines[-1] == "q: unknown, the image is too large to be explored"


def test_image_exits_with_1_and_the_run_if_safety_is_violated(capsys, tmp_path):
    """The contract: 1 means that a property is violated."""
    path = tmp_path / "t.regular"
    path.write_text(
        "alphabet { a, b } configurations any; action t = a/b; pattern p = id; safety q { from a; never b; }"
    )
    code = main(["pattern", "image", str(path), "--pattern", "p", "--json"])

    assert code == 1
    assert json.loads(capsys.readouterr().out) == {
        "finite": True,
        "count": 2,
        "words": ["a", "b"],
        "safety": [{"name": "q", "verdict": "violated", "trace": ["a", "b"]}],
    }


def test_the_model_of_an_image_can_be_written(capsys, tmp_path):
    """What is written is a model that ``burnside check`` decides in the same way."""
    can = str(EXAMPLES / "coffee_can.regular")

    assert main(["pattern", "image", can, "--pattern", "parity", "--dump", str(tmp_path / "d")]) == 0
    assert main(["check", str(tmp_path / "d" / "model.seq")]) == 0
    assert "odd_is_never_black                 holds" in capsys.readouterr().out


def test_what_cannot_be_written_is_said(capsys, tmp_path):
    """A file where a directory should be: exit 2, after the answer."""
    blocked = tmp_path / "file"
    blocked.write_text("")
    image = ["pattern", "image", str(EXAMPLES / "coffee_can.regular"), "--pattern", "parity"]
    find = ["pattern", "find", str(EXAMPLES / "herman.regular")]

    assert main([*image, "--dump", str(blocked / "d")]) == 2
    assert main([*find, "--dot", str(blocked / "p.dot")]) == 2
    captured = capsys.readouterr()
    assert "holds for every instance" in captured.out and captured.err.count("burnside: cannot ") == 2
