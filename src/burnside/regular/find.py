"""One entry for every way of finding patterns, and their descriptions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from burnside.regular.describe import describe_pattern
from burnside.regular.relations import Relation
from burnside.regular.synthesis.catalogue import patterns_in_catalogue
from burnside.regular.synthesis.faithful import find_patterns
from burnside.regular.synthesis.lifted import find_process_patterns
from burnside.regular.synthesis.outcome import Found, Listener
from burnside.regular.system import Constraints, System

MODES = ("auto", "lifted", "faithful", "catalogue")


def search(
    system: System,
    *,
    mode: str = "auto",
    constraints: Constraints | None = None,
    most: int = 1,
    listener: Listener | None = None,
    limit: float | None = None,
) -> Iterator[Found]:
    """At most ``most`` patterns of a system, by one of the ``MODES``.

    ``auto`` searches process symmetries by lifting, then adds what else the catalogue has; systems that ask for
    other kinds of patterns go to the faithful loop.
    """
    wanted = system.constraints if constraints is None else constraints
    if mode == "catalogue":
        return islice(patterns_in_catalogue(system), most)
    if mode == "faithful" or (mode == "auto" and wanted.kind != "process"):
        return islice(find_patterns(system, constraints=wanted, listener=listener, limit=limit), most)
    lifted = find_process_patterns(system, constraints=wanted, listener=listener, limit=limit)
    if mode == "lifted":
        return islice(lifted, most)
    return _without_repetition(chain(islice(lifted, most), patterns_in_catalogue(system)))


def _without_repetition(patterns: Iterator[Found]) -> Iterator[Found]:
    seen: list[Relation] = []
    for found in patterns:
        if found.relation not in seen:
            seen.append(found.relation)
            yield found


def describe(system: System, found: Found) -> str:
    """A found pattern in words."""
    return describe_pattern(system, found.relation, found.binary)
