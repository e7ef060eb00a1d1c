"""Safety decided on finite images, against reachability between plain words.

A pattern with a finite image is searched for in random systems; what is said of random questions is compared with what
can be reached in all instances up to a length.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import pytest

from burnside.explore.native.run import SearchOptions
from burnside.limits import LimitReached
from burnside.patterns import runs_against
from burnside.regular.find import search
from burnside.regular.formats import read_system
from burnside.regular.image import HOLDS, VIOLATED, decide, image_of
from burnside.regular.search import TooLarge
from burnside.source import Source
from burnside.study import Study
from support.regular_words import LONGEST, Asked, Described, action_expr, space_expr, words_expr

SECONDS = 0.6


def is_reached(system, start, never):
    """Whether a forbidden word can be reached, as far as words up to `LONGEST` tell."""
    following = {}
    for v, w in set().union(*system.steps()):
        following.setdefault(v, []).append(w)
    pending = sorted(start & system.configurations.words)
    seen = set(pending)
    for v in pending:  # grows while it is walked
        fresh = {*following.get(v, ())} - seen
        seen |= fresh
        pending += sorted(fresh)
    return bool(seen & never)


def is_run(system, start, never, trace):
    steps = set().union(*system.steps())
    return trace[0] in start and trace[-1] in never and all(pair in steps for pair in pairwise(trace))


def check(seed, figures):
    """One system, the patterns found for it, and two questions."""
    rng = random.Random(f"safety {seed}")
    letters = list("abc"[: rng.choice((2, 2, 3))])
    actions = [action_expr(rng, letters) for _ in range(rng.choice((1, 1, 2)))]
    asked = Asked(kind="decreasing", bounded=letters)
    system = Described("".join(letters), space_expr(rng, letters), actions, asked)
    questions = {name: (words_expr(rng, letters), words_expr(rng, letters)) for name in ("p", "q")}
    written = (f"safety {name} {{ from {v.text}; never {w.text}; }}" for name, (v, w) in questions.items())
    loaded, _ = read_system(Source("t.regular", "\n".join([system.text(), *written])))
    if loaded is None:
        return
    found = []
    try:
        found.extend(search(loaded, most=2, limit=SECONDS))
    except (LimitReached, TooLarge):
        figures["stopped"] += 1
    options = SearchOptions(flags=("-O0",))
    for pattern in found:
        image = image_of(loaded, pattern.relation)
        assert image.is_finite, (seed, system.text())
        for answer in decide(loaded, pattern.relation, image, lambda t: runs_against(Study(t, options).check())):
            start, never = (part.words for part in questions[answer.question])
            figures[answer.verdict] += 1
            if answer.verdict == HOLDS:
                assert not is_reached(system, start, never), (seed, answer.question, system.text())
            trace = [tuple(letters[a] for a in word) for word in answer.trace]
            if answer.verdict == VIOLATED and all(len(word) <= LONGEST for word in trace):
                assert is_run(system, start, never, trace), (seed, answer.question, system.text())


def test_safety_of_random_systems():
    """A few of them."""
    figures = Counter()
    for seed in range(12):
        check(seed, figures)
    assert figures[HOLDS] + figures[VIOLATED]


@pytest.mark.slow
def test_safety_of_many_random_systems():
    """Every verdict comes up."""
    figures = Counter()
    for seed in range(100, 400):
        check(seed, figures)
    assert figures[HOLDS] > 50 < figures[VIOLATED]
