"""Values: a site, and what stands for it in a model that does not say what is written there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias, final

from burnside.detect.sort_inference import Owner
from burnside.ir import nodes as n
from burnside.ir.nodes import Expr, Variable
from burnside.ir.renaming import Sort
from burnside.source import Span

MOST_ENTRIES = 512


class Kind(Enum):
    """What stands at a site."""

    LITERAL = "literal"
    INITIAL = "initial value"
    RANGE = "range"
    LIST = "list"
    CALCULATION = "calculation"
    KNOWN = "known process"
    CASE = "case"
    RULE = "rule"


@final
@dataclass(frozen=True, slots=True)
class Site:
    """One site: ``places`` are where one thing is said; ``value`` is what a literal or an initial value names."""

    kind: Kind
    sort: Sort
    owner: Owner
    places: tuple[Span, ...]
    text: str
    value: int | None = None


@final
@dataclass(frozen=True, slots=True, eq=False)
class Unknown:
    """What stands for a site: constants in place of ``nodes``, and the values that make them mean the same."""

    site: Site
    variable: Variable
    values: tuple[int, ...]
    nodes: tuple[Node, ...]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Start:
    """Initial values as a site: cells, what each of them holds, and what it could hold instead."""

    site: Site
    cells: tuple[int, ...]
    values: tuple[int, ...]
    instead: tuple[Sequence[int], ...]


Node: TypeAlias = "Expr | n.For | n.Parameter"


def places(spans: Iterable[Span | None]) -> tuple[Span, ...]:
    """Different places, in the order of the text."""
    found = {(s.source.name, s.start): s for s in spans if s is not None}
    return tuple(span for _, span in sorted(found.items()))
