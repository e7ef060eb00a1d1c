"""The list of diagnostics that a stage fills."""

from __future__ import annotations

from burnside.source import Diagnostics


def test_warnings_do_not_hide_an_error() -> None:
    """However many there are: a model that is wrong must never be taken for one that is not."""
    diagnostics = Diagnostics()
    for number in range(200):
        diagnostics.warning("BUR901", f"warning {number}")

    diagnostics.error("BUR201", "wrong")

    assert diagnostics.has_errors
    assert len(diagnostics) == 51


def test_there_are_not_more_errors_than_anybody_reads() -> None:
    """The first ones count."""
    diagnostics = Diagnostics()
    for number in range(200):
        diagnostics.error("BUR201", f"error {number}")

    assert [d.message for d in diagnostics] == [f"error {number}" for number in range(50)]
