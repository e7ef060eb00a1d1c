"""Texts and the places in them."""

from __future__ import annotations

from burnside.source import Diagnostic, Source, Span, render


def test_a_byte_order_mark_is_no_part_of_a_text() -> None:
    """The first character behind it is the first of line 1; anywhere else it is a character like others."""
    source = Source("model", "\ufeffab\ufeff")

    assert source.text == "ab\ufeff"
    assert source.position(0) == (1, 1)
    assert "model:1:2" in render(Diagnostic("BUR101", "wrong", Span(source, 1, 2)))
