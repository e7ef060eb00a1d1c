"""How many tokens places can hold: by the word of the net, by its invariants, or by a limit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from burnside.frontends.pnml.covering import covering_run
from burnside.frontends.pnml.flows import flows
from burnside.frontends.pnml.linear import Subinvariants, bounds_by
from burnside.frontends.pnml.net import MOST_TOKENS, Net, Place
from burnside.source import Diagnostics, Note
from burnside.values import dataclass

_MOST_SHOWN = 12


@final
@dataclass(frozen=True, slots=True)
class Bound:
    """The most tokens of a place: proved, said by the net (``is_limit`` is false), or a limit."""

    most: int
    is_proved: bool = True
    is_limit: bool = False

    def fault(self, place: Place) -> str:
        """What to say if a bound that is not proved does not hold."""
        if self.is_limit:
            return f"'{place.name}' would hold more than {self.most} tokens: see --most-tokens"
        return f"the net says that it is safe, but '{place.name}' would hold two tokens"


def bounds_of(net: Net, limit: int, diagnostics: Diagnostics) -> tuple[Bound, ...]:
    """A bound for each place; a net that is not bounded is reported."""
    if net.safe_span is not None:
        return _safe(net, diagnostics)
    found = _by_invariants(net)
    unknown = [place for place, bound in enumerate(found) if bound is None]
    if unknown:
        _refuse_unbounded(net, diagnostics)
    for place, bound in enumerate(found):
        if bound is not None and bound > MOST_TOKENS:
            message = f"'{net.places[place].name}' may hold {bound:,} tokens"
            diagnostics.error("BUR205", message, net.places[place].span)
    for place in unknown:
        if net.places[place].tokens > limit:
            message = f"'{net.places[place].name}' holds more than {limit} tokens at first, and no bound is known"
            diagnostics.error("BUR206", message, net.places[place].span, help="choose a larger --most-tokens")
    return tuple(Bound(limit, False, True) if bound is None else Bound(bound) for bound in found)


def _safe(net: Net, diagnostics: Diagnostics) -> tuple[Bound, ...]:
    for place in net.places:
        if place.tokens > 1:
            notes = [Note("the net says that it is safe here", span=net.safe_span)]
            message = f"'{place.name}' holds {place.tokens} tokens at first"
            diagnostics.error("BUR206", message, place.span, notes=notes)
    return (Bound(1, is_proved=False),) * len(net.places)


def _by_invariants(net: Net) -> list[int | None]:
    """The bounds that subinvariants give; None for places that none bounds."""
    found: list[int | None] = [None] * len(net.places)
    invariants, marking = Subinvariants(net), net.marking
    for weights in flows(net):
        if invariants.is_right(weights):
            _note(found, weights, marking)
    for is_better_sought in (False, True):  # some bound for every place comes first
        for place in range(len(net.places)):
            known = found[place]
            # A bound that a place meets at first cannot be better.
            if known is not None and (not is_better_sought or known == max(marking[place], 1)):
                continue
            better = invariants.bounding(place)
            if better is not None:
                _note(found, better, marking)
    return found


def _note(found: list[int | None], weights: Sequence[int], marking: Sequence[int]) -> None:
    """Improve bounds by weights under which no marking is heavier than the first."""
    for place, most in bounds_by(weights, marking):
        before = found[place]
        found[place] = most if before is None else min(most, before)


def _refuse_unbounded(net: Net, diagnostics: Diagnostics) -> None:
    run = covering_run(net)
    if run is None:
        return
    names = [net.transitions[t].name for t in (*run.before, *run.again)]
    first, again = names[: len(run.before)], names[len(run.before) :]
    grown = net.places[run.place]
    notes = [
        Note(f"from the first marking: {_listed(first)}" if first else "in the first marking"),
        Note(f"again and again: {_listed(again)}"),
        Note("only nets with finitely many markings are explored", "help"),
    ]
    message = f"'{grown.name}' can hold any number of tokens"
    diagnostics.error("BUR215", message, grown.span, notes=notes)


def _listed(names: list[str]) -> str:
    more = f", … ({len(names)} in all)" if len(names) > _MOST_SHOWN else ""
    return ", ".join(names[:_MOST_SHOWN]) + more
