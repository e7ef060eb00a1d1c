"""One entry for every way of finding patterns, and their descriptions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice

from burnside.regular.describe import describe_pattern
from burnside.regular.instances import instance_selectors
from burnside.regular.relations import Relation
from burnside.regular.synthesis.catalogue import patterns_in_catalogue
from burnside.regular.synthesis.faithful import find_patterns
from burnside.regular.synthesis.lifted import find_process_patterns
from burnside.regular.synthesis.outcome import Found, Listener
from burnside.regular.system import Constraints, System

_INSTANCES = (3, 4)
_MOST_WORDS = 5_000


def search(
    system: System,
    *,
    mode: str = "auto",
    constraints: Constraints | None = None,
    most: int = 1,
    listener: Listener | None = None,
    limit: float | None = None,
) -> Iterator[Found]:
    """At most ``most`` patterns of a system, by one of the ``MODES`` (see `modes`).

    ``auto`` searches process symmetries by lifting, led by the groups of small instances, then adds what else
    the catalogue has; systems that ask for other kinds of patterns go to the faithful loop.
    """
    wanted = system.constraints if constraints is None else constraints
    if mode == "catalogue":
        return islice(patterns_in_catalogue(system), most)
    if mode == "faithful" or (mode == "auto" and wanted.kind != "process"):
        return islice(find_patterns(system, constraints=wanted, listener=listener, limit=limit), most)
    if mode == "lifted":
        return islice(find_process_patterns(system, constraints=wanted, listener=listener, limit=limit), most)
    led = chain.from_iterable(
        find_process_patterns(system, constraints=each, listener=listener, limit=limit)
        for each in _led_by_instances(system, wanted)
    )
    # What the user asks for beyond symmetry is not known to the catalogue.
    listed = patterns_in_catalogue(system) if _asks_for_nothing(wanted) else iter(())
    return _without_repetition(chain(islice(_without_repetition(led), most), listed))


def _led_by_instances(system: System, wanted: Constraints) -> Iterator[Constraints]:
    """First look for patterns that move something in small instances, then for all others."""
    sizes = [n for n in _INSTANCES if system.alphabet.size**n <= _MOST_WORDS]
    groups = instance_selectors(system, sizes, moving=True)
    yield replace(wanted, selectors={**groups, **wanted.selectors})
    if any(group != (tuple(range(n)),) for n, group in groups.items()) or not sizes:
        yield wanted


def _asks_for_nothing(wanted: Constraints) -> bool:
    return replace(wanted, states=None) == Constraints()


def _without_repetition(patterns: Iterator[Found]) -> Iterator[Found]:
    seen: list[Relation] = []
    for found in patterns:
        if found.relation not in seen:
            seen.append(found.relation)
            yield found


def describe(system: System, found: Found) -> str:
    """A found pattern in words."""
    return describe_pattern(system, found.relation, found.binary)
