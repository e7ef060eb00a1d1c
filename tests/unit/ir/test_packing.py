"""Packing states into words loses nothing, and equal states are equal words."""

from __future__ import annotations

from random import Random

import pytest

from burnside.frontends import seq
from burnside.ir.packing import WORD, Layout
from burnside.source import Source
from support.strategies import Pick, any_model, state_of


def test_packing_and_unpacking_are_inverse():
    """``unpack`` of ``pack`` is the state itself, in every model and every state that fits its domains."""
    for seed in range(300):
        pick = Pick(Random(seed))
        model = any_model(pick)
        layout = Layout(model)
        for _ in range(4):
            state = state_of(pick, model)
            words = layout.pack(state)
            assert layout.unpack(words) == state
            assert len(words) == layout.words
            assert all(0 <= word < 1 << WORD for word in words)


def test_fields_do_not_overlap_or_straddle_words():
    """Every bit of a word belongs to at most one cell."""
    for seed in range(300):
        layout = Layout(any_model(Pick(Random(seed))))
        used = [0] * layout.words
        for field in layout.fields:
            assert field.width == 0 or field.shift + field.width <= WORD
            assert used[field.word] & field.mask == 0
            used[field.word] |= field.mask


@pytest.mark.parametrize(
    ("declaration", "words"),
    [
        ("var v: 5..5;", 1),
        ("var v[0..63]: bool;", 1),
        ("var v[0..64]: bool;", 2),
        ("var v[0..1]: 0..4294967295;", 1),
        ("var v[0..2]: 0..4294967295;", 2),
        ("var v[0..9]: -3..-3;", 1),
    ],
)
def test_a_state_takes_as_many_words_as_its_bits_need(declaration, words):
    """Cells take the bits of their domain, and cells with one value take none."""
    tasks, _, _ = seq.load(Source("layout.seq", f"{declaration} rule r do {{}}"), {})
    assert tasks
    model = tasks[0].model
    assert Layout(model).words == words
