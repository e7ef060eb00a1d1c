"""Kinds of claims: each is decided in one way, so that none can be forgotten."""

from __future__ import annotations

from typing import get_args

from burnside.claims.kinds import Claim, EventClaim, Extreme, InfiniteRuns, StateClaim


def test_every_kind_is_decided_in_one_way() -> None:
    """About states, about events, by a value or by infinite runs: what a study asks for are all kinds there are."""
    decided = [*get_args(StateClaim), *get_args(EventClaim), Extreme, InfiniteRuns]

    assert sorted(kind.__name__ for kind in decided) == sorted(kind.__name__ for kind in get_args(Claim))
