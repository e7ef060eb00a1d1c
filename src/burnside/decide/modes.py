"""How symmetry is used, and which searches that allows."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Final

from burnside.claims.kinds import Claim
from burnside.claims.members import Member, by_way
from burnside.explore.native.run import FEW_STATES, SearchOptions
from burnside.explore.orders import Orders
from burnside.results.exploration import Store
from burnside.results.reductions import PartialOrderUsed
from burnside.source import Diagnostic, ModelError, Note, printable


class Mode(Enum):
    """How symmetry is used.

    ``auto``: if it pays. ``none``: not at all. ``unique``: with one representative of every orbit. ``multi``: with
    perhaps several, found by local search. ``adaptive``: among processes that are only nearly alike.
    """

    AUTO = "auto"
    NONE = "none"
    UNIQUE = "unique"
    MULTI = "multi"
    ADAPTIVE = "adaptive"


FEW: Final = f"fewer than {FEW_STATES:,} states: it would not pay"
TOO_LATE: Final = "the answer was found before it was of use"


def orders_unused(orders: Orders, reason: str) -> PartialOrderUsed | None:
    """What the report says where partial order cannot be used; people are told if they asked for it."""
    return None if orders is Orders.OFF else PartialOrderUsed(reason, is_told=orders is Orders.ON)


def refuse_unsuitable(mode: Mode, options: SearchOptions) -> None:
    """Raise `ModelError` for options that a search does not have."""
    if options.checkpoint is not None:
        _refuse_unkept(mode, options)
    if mode is Mode.ADAPTIVE and (options.threads > 1 or options.depth_first):
        raise unsuitable("the adaptive search is breadth-first, with one thread", "leave out --threads and --search")
    if mode is Mode.ADAPTIVE and options.partial_order is Orders.ON:
        raise unsuitable("the adaptive search takes all steps", "leave out --partial-order")
    if mode is Mode.ADAPTIVE and not options.store.has_indices:
        raise unsuitable("the adaptive search keeps states in its own way", "leave out --store")
    if options.depth_first and not options.store.has_indices:
        raise unsuitable("the depth-first search needs an index for every state", "leave out --store or --search")
    if options.scratch is not None and not options.scratch.is_dir():
        raise unsuitable(
            f"'{printable(str(options.scratch))}' is not a directory", "--scratch names one where large files may go"
        )
    if options.fingerprint is not None and options.store in (Store.INDEX, Store.DISK):
        raise unsuitable("of fingerprints, no file and no index is made", "leave out --store or --fingerprint")
    if options.fingerprint is not None and options.depth_first:
        raise unsuitable("the depth-first search needs an index for every state", "leave out --fingerprint or --search")
    if options.fingerprint is not None and mode is Mode.ADAPTIVE:
        raise unsuitable("the adaptive search keeps states in its own way", "leave out --fingerprint")
    if options.depth_first and options.threads > 1:
        raise unsuitable("the depth-first search has one thread", "leave out --threads or --search")


def _refuse_unkept(mode: Mode, options: SearchOptions) -> None:
    """Raise `ModelError` for a search of which nothing is kept: levels are, and states without indices."""
    if mode is Mode.ADAPTIVE:
        raise unsuitable("the adaptive search cannot be kept", "leave out --checkpoint or --symmetry")
    if options.depth_first:
        raise unsuitable("the depth-first search has no levels to be kept", "leave out --checkpoint or --search")
    if options.store is Store.INDEX:
        raise unsuitable("what is kept has no index for every state", "leave out --checkpoint or --store")


def refuse_unkept_claims(members: Iterable[Member[Claim]], options: SearchOptions) -> None:
    """Raise `ModelError` for claims that are decided by indices of states, if searches are to be kept."""
    asked = by_way(members)
    for member in (*asked.runs, *asked.events) if options.checkpoint is not None else ():
        message = f"'{member.name}' is decided by an index of every state, and what is kept has none"
        remedy = "leave out --checkpoint, or name other properties by --property"
        raise ModelError([Diagnostic("BUR902", message, member.claim.span, notes=(Note(remedy, "help"),))])


def alone(mode: Mode, orders: Orders, options: SearchOptions) -> tuple[Mode, Orders]:
    """What ``auto`` is where searches are kept: one search, not a race of several."""
    if options.checkpoint is None:
        return mode, orders
    return Mode.UNIQUE if mode is Mode.AUTO else mode, Orders.OFF if orders is Orders.AUTO else orders


def refuse_uncovering(mode: Mode, options: SearchOptions) -> None:
    """Raise `ModelError` for a search that does not know what it covers: it visits annotated states, not states, or
    keeps none of them.
    """
    if mode is Mode.ADAPTIVE:
        raise unsuitable("the adaptive search does not know what it covers", "use --symmetry none or unique")
    if options.checkpoint is not None:
        raise unsuitable("what is covered is found by an index of every state", "leave out --checkpoint")
    if not options.store.has_indices:
        raise unsuitable("what is covered is found by an index of every state", "leave out --store")


def unsuitable(message: str, remedy: str) -> ModelError:
    """Options that do not go together, and what to do about it."""
    return ModelError([Diagnostic("BUR902", message, notes=(Note(remedy, "help"),))])
