"""Formulas of CSP# texts mean what they say: on random words, as the definitions of their operators have it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, TypeAlias

import pytest

from burnside.claims.kinds import InfiniteRuns
from burnside.frontends.cspsharp import load
from burnside.ltl.formula import Formula
from burnside.source import Source, render
from support.ltl_words import ATOMS, Letter, random_word, satisfies

UNARY = ("!", "[]", "<>", "X", "G", "F")
BINARY = ("&&", "||", "xor", "->", "<->", "U", "R", "V")
Tree: TypeAlias = tuple[Any, ...]  # an operator with its operands, or an atom alone


def random_tree(chance: random.Random, depth: int) -> Tree:
    """A formula as nested tuples."""
    if depth == 0 or chance.random() < 0.15:
        return (chance.choice([*ATOMS, "true", "false"]),)
    operator = chance.choice(UNARY + BINARY)
    count = 1 if operator in UNARY else 2
    return (operator, *(random_tree(chance, depth - 1) for _ in range(count)))


def text_of(tree: Tree) -> str:
    """As it stands in a text, all in parentheses."""
    match tree:
        case (name,):
            return str(name)
        case (operator, inside):
            return f"({operator} {text_of(inside)})"
        case (operator, left, right):
            return f"({text_of(left)} {operator} {text_of(right)})"
    raise AssertionError(tree)


def holds(tree: Tree, letters: Sequence[Letter], back: int, at: int) -> bool:
    """Whether a formula holds at a position of a word, by the definition of its first operator."""
    after = [*range(1, len(letters)), back]
    ahead = [at]
    while after[ahead[-1]] not in ahead:
        ahead.append(after[ahead[-1]])
    match tree:
        case ("true" | "false" as truth,):
            return bool(truth == "true")
        case (name,):
            return name in letters[at]
        case ("!", inside):
            return not holds(inside, letters, back, at)
        case ("X", inside):
            return holds(inside, letters, back, after[at])
        case ("[]" | "G", inside):
            return all(holds(inside, letters, back, k) for k in ahead)
        case ("<>" | "F", inside):
            return any(holds(inside, letters, back, k) for k in ahead)
        case ("U", left, right):
            reached = [holds(right, letters, back, k) for k in ahead]
            return any(reached) and all(holds(left, letters, back, k) for k in ahead[: reached.index(True)])
        case ("R" | "V", left, right):
            return not holds(("U", ("!", left), ("!", right)), letters, back, at)
        case (operator, left, right):
            one, other = holds(left, letters, back, at), holds(right, letters, back, at)
            return {
                "&&": one and other,
                "||": one or other,
                "xor": one != other,
                "->": not one or other,
                "<->": one == other,
            }[operator]
    raise AssertionError(tree)


def formula_of(tree: Tree) -> Formula:
    """The formula of the claim that a text with this formula makes."""
    text = f"P = a -> b -> c -> P;\n#assert P |= {text_of(tree)};\n"
    tasks, diagnostics, _ = load(Source("model.csp", text), {})
    assert not list(diagnostics), text + "\n".join(map(render, diagnostics))
    ((claim,),) = (task.claims for task in tasks)
    assert isinstance(claim, InfiniteRuns)
    return claim.formula


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_a_translated_formula_holds_for_the_same_words(first: int) -> None:
    """Every operator and its other spellings, nested at random."""
    for seed in range(first, first + 50):
        chance = random.Random(seed)
        tree = random_tree(chance, 3)
        formula = formula_of(tree)
        for _ in range(10):
            letters, back = random_word(chance)
            assert satisfies(letters, back, formula) == holds(tree, letters, back, 0), text_of(tree)
