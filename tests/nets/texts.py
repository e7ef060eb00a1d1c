"""Short PNML texts for tests."""

from __future__ import annotations

from collections.abc import Mapping

GRAMMAR = "http://www.pnml.org/version-2009/grammar"


def plain(inner: str, *, kind: str = "ptnet", head: str = "") -> str:
    """A text with one net."""
    return f'<?xml version="1.0"?>{head}<pnml><net id="n" type="{GRAMMAR}/{kind}">{inner}</net></pnml>'


def place(name: str, tokens: int = 0) -> str:
    """A place."""
    return f'<place id="{name}"><initialMarking><text>{tokens}</text></initialMarking></place>'


def transition(name: str, takes: Mapping[str, int], puts: Mapping[str, int]) -> str:
    """A transition with its arcs."""
    arcs = [(p, name, w) for p, w in takes.items()] + [(name, p, w) for p, w in puts.items()]
    return f'<transition id="{name}"/>' + "".join(
        f'<arc id="{name}.{k}" source="{a}" target="{b}"><inscription><text>{w}</text></inscription></arc>'
        for k, (a, b, w) in enumerate(arcs)
    )
