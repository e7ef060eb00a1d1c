"""One entry for every way of finding patterns, and their descriptions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice

from burnside.regular.automata import count_of_length
from burnside.regular.clauses import unmet
from burnside.regular.describe import describe_pattern
from burnside.regular.instances import instance_selectors
from burnside.regular.relations import Relation
from burnside.regular.synthesis.catalogue import patterns_in_catalogue
from burnside.regular.synthesis.faithful import find_patterns
from burnside.regular.synthesis.lifted import find_process_patterns
from burnside.regular.synthesis.outcome import Found, Listener, Watch
from burnside.regular.system import Constraints, System

_INSTANCES = (3, 4)
_MOST_WORDS = 20_000


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
    proposed = _proposed(system, mode, wanted, Watch(listener, limit))
    return islice(_rechecked(system, wanted, _without_repetition(proposed)), most)


def _proposed(system: System, mode: str, wanted: Constraints, watch: Watch) -> Iterator[Found]:
    """What the searches of a mode find, one after the other."""
    listed = patterns_in_catalogue(system, constraints=wanted, watch=watch)
    if mode == "catalogue":
        return listed
    if mode == "faithful" or (mode == "auto" and wanted.kind != "process"):
        return find_patterns(system, constraints=wanted, watch=watch)
    if mode == "lifted":
        return find_process_patterns(system, constraints=wanted, watch=watch)
    led = _led_by_instances(system, wanted)
    searches = (find_process_patterns(system, constraints=each, watch=watch) for each in led)
    return chain(chain.from_iterable(searches), listed)


def _rechecked(system: System, wanted: Constraints, patterns: Iterator[Found]) -> Iterator[Found]:
    """The last line of defence: whoever found a pattern, it is what was asked for, or nothing is said at all."""
    for found in patterns:
        clause = unmet(system, wanted, found)
        if clause:
            raise AssertionError(f"the search accepted a pattern that does not meet '{clause}'")
        yield found


def _led_by_instances(system: System, wanted: Constraints) -> Iterator[Constraints]:
    """First look for patterns that move something in small instances, then for all others."""
    sizes = [n for n in _INSTANCES if _words_of_instance(system, n) <= _MOST_WORDS]
    groups = instance_selectors(system, sizes, moving=True)
    if groups:
        yield replace(wanted, selectors={**groups, **wanted.selectors})
    if not groups or any(group != (tuple(range(n)),) for n, group in groups.items()):
        yield wanted


def _words_of_instance(system: System, length: int) -> int:
    """How many words and pairs of words there are to enumerate."""
    steps = sum(count_of_length(action.relation, length) for action in system.actions)
    return count_of_length(system.configurations, length) + steps


def _without_repetition(patterns: Iterator[Found]) -> Iterator[Found]:
    seen: list[Relation] = []
    for found in patterns:
        if found.relation not in seen:
            seen.append(found.relation)
            yield found


def describe(system: System, found: Found) -> str:
    """A found pattern in words."""
    return describe_pattern(system, found.relation, found.binary)
