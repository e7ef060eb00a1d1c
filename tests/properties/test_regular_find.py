"""Random ``find`` blocks in every mode: what is found is judged by plain sets of words.

``PYTHONPATH=src:tests python tests/properties/test_regular_find.py 1000`` judges so many systems and prints figures by
feature.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from functools import cache
from importlib.resources import files
from itertools import product

import pytest

from burnside.limits import LimitReached
from burnside.regular.find import search
from burnside.regular.formats import read_system
from burnside.regular.modes import MODES
from burnside.regular.search import TooLarge
from burnside.regular.symmetries import find_symmetries
from burnside.source import Source
from support.regular_words import (
    LONGEST,
    Asked,
    Described,
    Shown,
    action_expr,
    combined,
    complaints,
    joined,
    kind_complaints,
    moved,
    pair_symbol,
    permuting,
    repeated,
    rotation,
    same,
    space_expr,
    symbol,
    transposition,
    words_expr,
)

SECONDS = 0.4


# ---------------------------------------------------------------- making systems


def relation_expr(rng, letters, words):
    """What a pattern may have to include: library relations, parts of them, the identity on some words, a word."""
    library = [
        permuting("rotation@1", letters, lambda n: rotation(0, n)),
        permuting("inverse(rotation@1)", letters, lambda n: rotation(0, n, left=True)),
        permuting("transposition@1", letters, lambda n: transposition(0, n)),
        permuting("rotation@2", letters, lambda n: rotation(1, n)),
    ]
    some = rng.choice(library)
    match rng.randrange(4):
        case 0:
            return some
        case 1:
            return combined(
                some,
                "&",
                joined(pair_symbol(rng, letters), repeated(symbol("any", [*product(letters, repeat=2)]), "*")),
            )
        case 2:
            return same(words_expr(rng, letters))
        case _:
            word = rng.choice(words)
            shuffled = rng.sample(word, len(word))
            return joined(*[symbol(f"{a}/{b}", [(a, b)]) for a, b in zip(word, shuffled, strict=True)])


def permutation(rng, length):
    match rng.randrange(4):
        case 0:
            return rotation(rng.randrange(2), length, left=rng.random() < 0.5)
        case 1:
            return transposition(rng.randrange(2), length)
        case 2:
            return tuple(range(length))
        case _:
            return tuple(rng.sample(range(length), length))


def asked_of(rng, letters, space):
    words = sorted(w for w in space.words if w) or [(letters[0],)]
    asked = Asked(kind=rng.choice(("process", "process", "complete", "function", "decreasing")))
    chance = rng.choice((0.0, 0.15, 0.3))
    if rng.random() < 0.5:
        least = rng.randint(1, 5)
        asked.states = (least, rng.randint(least, 6))
    if rng.random() < chance:
        word = rng.choice(words)
        image = tuple(rng.sample(word, len(word))) if rng.random() < 0.8 else rng.choice(words)
        if image in space.words and (len(image) == len(word) or asked.kind == "decreasing"):
            asked.forced.append((word, image))
    if rng.random() < chance:
        asked.generators.append(permutation(rng, rng.randint(1, 4)))
    for length in range(2, 5):
        if rng.random() < chance / 2:
            asked.selections[length] = [permutation(rng, length) for _ in range(rng.randint(1, 3))]
    if rng.random() < chance:
        asked.must.append(relation_expr(rng, letters, words))
    if rng.random() < chance:
        asked.must_not.append(relation_expr(rng, letters, words))
    if rng.random() < chance:
        asked.bounded = rng.sample(letters, rng.randint(1, len(letters)))
    if rng.random() < chance:
        asked.impossible = [(rng.choice(letters), rng.choice(letters)) for _ in range(rng.randint(1, 2))]
    return asked


def described(seed):
    rng = random.Random(seed)
    letters = list("abc"[: rng.choice((2, 2, 2, 3))])
    space = space_expr(rng, letters)
    actions = [action_expr(rng, letters) for _ in range(rng.choice((1, 1, 2)))]
    return Described("".join(letters), space, actions, asked_of(rng, letters, space))


# ---------------------------------------------------------------- judging answers


def shown(system, found):
    names = [*system.letters, None]  # padding is the last one, -1
    rows = [{(names[a], names[b]): t for (a, b), t in row.items()} for row in found.relation.rows]
    return Shown(rows, found.relation.accepting, found.states)


@cache
def listed():
    """The permutations of the catalogue for every length up to `LONGEST`, read off its text."""
    text = files("burnside.regular.synthesis").joinpath("catalogue.txt").read_text(encoding="utf-8")
    patterns = []
    for line in text.splitlines():
        if line and not line.startswith("#"):
            accepting, *rows = (part.split() for part in line.split("|"))
            table = [{(int(m[0]), int(m[1])): int(m[3:]) for m in row} for row in rows]
            pairs = [*Shown(table, frozenset(map(int, accepting)), len(rows)).pairs()]
            marks = {n: sorted((v, w) for v, w in pairs if len(v) == n and sum(v) == 1) for n in range(LONGEST + 1)}
            images = {n: {v.index(1): w.index(1) for v, w in some} for n, some in marks.items()}
            patterns.append({n: tuple(image[i] for i in range(n)) for n, image in images.items()})
    return patterns


def is_refuted(system, positions):
    """Whether words up to `LONGEST` show that a permutation is not asked for. Needs: no states or bounds asked."""
    inside, asked = system.configurations.words, system.asked
    image = {v: moved(v, positions[len(v)]) for v in inside}
    columns = {pair for v, w in image.items() for pair in zip(v, w, strict=True)}
    pairs = [tuple(zip(v, w, strict=True)) for v, w in image.items()]
    must = [c for expr in asked.must for c in expr.words if tuple(a for a, _ in c) in inside]
    return (
        not set(image.values()) <= inside
        or all(v == w for v, w in image.items())
        or any((image[v], image[w]) not in steps for steps in system.steps() for v, w in steps)
        or bool(kind_complaints(asked.kind, image))
        or any(image[v] != w for v, w in asked.forced)
        or any(any(image[v] != moved(v, p) for v in image if len(v) == len(p)) for p in asked.generators)
        or any(
            all(any(image[v] != moved(v, p) for v in image if len(v) == n) for p in chosen)
            for n, chosen in asked.selections.items()
        )
        or any(c not in pairs for c in must)
        or any(c in expr.words for c in pairs for expr in asked.must_not)
        or bool(columns & set(asked.impossible))
    )


def check(seed, figures):
    """One system in every mode; the figures count what happened, by feature."""
    system = described(seed)
    loaded, _ = read_system(Source("t.regular", system.text()))
    if loaded is None:
        figures["not loaded"] += 1
        return
    features = system.asked.features()
    figures.update(["systems", *features])
    rng = random.Random(seed)
    for mode in MODES:
        most = 99 if mode == "catalogue" else rng.randint(1, 3)
        limit = None if mode == "catalogue" else SECONDS
        found = []
        try:
            found.extend(search(loaded, mode=mode, most=most, limit=limit))
            figures[f"{mode}: {'answered' if found else 'none'}"] += 1
        except (LimitReached, TooLarge):
            figures[f"{mode}: stopped"] += 1
        assert len(found) <= most
        for pattern in found:
            assert complaints(system, shown(system, pattern)) == [], (seed, mode, system.text())
            figures.update(["patterns judged", *(f"patterns with {feature}" for feature in features)])
        if mode == "catalogue" and not system.asked.states and not system.asked.bounded:
            check_none_missed(system, found, figures, seed)
    check_library(system, loaded, figures)


def check_none_missed(system, found, figures, seed):
    """Every permutation of the catalogue that was not shown is wrong, or does what one does that was shown."""
    known = [dict(shown(system, pattern).pairs()) for pattern in found]
    for positions in listed():
        image = {v: moved(v, positions[len(v)]) for v in system.configurations.words}
        if image not in known:
            figures["left out by the catalogue"] += 1
            assert is_refuted(system, positions), (seed, system.text(), positions)


def check_library(system, loaded, figures):
    """What the library calls a symmetry is one of all short instances."""
    inside = system.configurations.words
    places = {f"rotation@{i}": lambda n, i=i: rotation(i - 1, n) for i in (1, 2, 3)}
    places |= {f"transposition@{i}": lambda n, i=i: transposition(i - 1, n) for i in (1, 2, 3)}
    places["reflection"] = lambda n: tuple(reversed(range(n)))
    breaches = {p.name: found for p, found in find_symmetries(loaded).breaches.items()}
    for name, positions in places.items():
        image = {v: moved(v, positions(len(v))) for v in inside}
        fits = set(image.values()) <= inside and all(
            (image[v], image[w]) in steps for steps in system.steps() for v, w in steps
        )
        found = breaches[name]
        assert fits or found is not None, (name, system.text())
        assert not fits or found is None or len(found.words[0]) > LONGEST, (name, system.text())
        figures["library answers judged"] += 1


@pytest.mark.parametrize("block", [0, *(pytest.param(k, marks=pytest.mark.slow) for k in (1, 2, 3))])
def test_what_is_found_is_what_was_asked(block):
    """Random systems in all modes."""
    figures = Counter()
    for seed in range(10 * block, 10 * block + 10):
        check(seed, figures)
    assert figures["patterns judged"]  # how many depends on what the time is enough for


@pytest.mark.slow
def test_what_is_found_is_what_was_asked_many_times():
    """Four hundred more."""
    figures = Counter()
    for seed in range(40, 440):
        check(seed, figures)
    assert all(
        figures[clause] for clause in ("bounded", "impossible", "must", "must not", "select", "generator", "forced")
    )


if __name__ == "__main__":
    totals: Counter[str] = Counter()
    for number in range(int(sys.argv[1])):
        check(number, totals)
    sys.stdout.writelines(f"{count:8,}  {name}\n" for name, count in sorted(totals.items()))
