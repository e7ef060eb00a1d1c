"""Claims about single states: invariants, conditions to be reached, freedom from deadlock; one exploration for all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, assert_never

from burnside.claims.kinds import StateClaim
from burnside.claims.members import Member
from burnside.decide.likewise import findings_of
from burnside.decide.modes import Mode, alone, orders_unused
from burnside.decide.workbench import Workbench
from burnside.explore.native import run as native
from burnside.explore.orders import Orders
from burnside.explore.replay import replay_fault
from burnside.limits import LimitReached
from burnside.results.exploration import Exploration, Stop
from burnside.results.findings import CountReport, StateFinding
from burnside.results.reductions import PartialOrderUsed, SymmetryUsed

_Explored: TypeAlias = tuple[Exploration, SymmetryUsed, PartialOrderUsed | None]


def decide(
    bench: Workbench, members: Sequence[Member[StateClaim]], mode: Mode
) -> tuple[CountReport, tuple[StateFinding, ...]]:
    """Decide claims in one exploration; its figures come with what it found."""
    report = count(bench, members, mode)
    exchange = None
    if report.symmetry.mode in ("unique", "multi"):
        exchange = bench.quotient(members, multi=report.symmetry.mode == "multi").exchange
    return report, findings_of(bench.model, members, report.exploration, exchange)


def count(bench: Workbench, members: Sequence[Member[StateClaim]], mode: Mode) -> CountReport:
    """Explore until all claims are decided, or everything if there are none."""
    found, used, orders = explore(bench, members, mode)
    fault = None if found.fault_path is None else replay_fault(bench.model, found.fault_path, members)
    return CountReport(bench.model, found, used, fault, orders, simplification=bench.simplification)


def explore(bench: Workbench, members: Sequence[Member[StateClaim]], mode: Mode) -> _Explored:
    """Explore as the mode says; with nothing to show for it if a limit is reached before the search begins."""
    try:
        return _explore(bench, members, mode)
    except LimitReached as limit:
        kept = bench.options.checkpoint.result if bench.options.checkpoint is not None else None
        nothing = Exploration(Stop(limit.limit), 0, 0, 0, 0, 0, witnesses=(None,) * len(members), kept=kept)
        return nothing, SymmetryUsed(reason=str(limit)), None


def _explore(bench: Workbench, members: Sequence[Member[StateClaim]], mode: Mode) -> _Explored:
    orders = bench.options.partial_order if members else Orders.OFF
    mode, orders = alone(mode, orders, bench.options)
    match orders:
        case Orders.ON if mode is not Mode.ADAPTIVE:
            return _explore_in_some_orders(bench, members, mode)
        case Orders.AUTO if mode is not Mode.ADAPTIVE:
            return _race(bench, members, mode, in_some_orders=True)
        case Orders.AUTO | Orders.ON:
            unused = orders_unused(orders, "the adaptive search takes all steps")
            return *_explore_in_all(bench, members, mode)[:2], unused
        case Orders.OFF:
            return _explore_in_all(bench, members, mode)
        case _:
            assert_never(orders)


def _explore_in_some_orders(bench: Workbench, members: Sequence[Member[StateClaim]], mode: Mode) -> _Explored:
    from burnside.decide.partial_order import explore_in_some_orders

    found = explore_in_some_orders(bench, members, mode)
    if not isinstance(found, str):
        return found
    return *_explore_in_all(bench, members, mode)[:2], PartialOrderUsed(found)


def _explore_in_all(bench: Workbench, members: Sequence[Member[StateClaim]], mode: Mode) -> _Explored:
    match mode:
        case Mode.NONE:
            return _explore_plainly(bench, members), SymmetryUsed(), None
        case Mode.AUTO:
            return _race(bench, members, mode, in_some_orders=False)
        case Mode.ADAPTIVE:
            from burnside.decide.adaptive import explore_adaptively

            return *explore_adaptively(bench, members), None
        case Mode.UNIQUE | Mode.MULTI:
            quotient = bench.quotient(members, multi=mode is Mode.MULTI)
            if quotient.reduction is None:
                return _explore_plainly(bench, members), quotient.used, None
            return quotient.explore(bench.options, bench.watch), quotient.used, None
        case _:
            assert_never(mode)


def _race(bench: Workbench, members: Sequence[Member[StateClaim]], mode: Mode, *, in_some_orders: bool) -> _Explored:
    from burnside.decide.race import race

    return race(bench, members, mode, in_some_orders=in_some_orders)


def _explore_plainly(bench: Workbench, members: Sequence[Member[StateClaim]]) -> Exploration:
    return native.explore(bench.model, members, options=bench.options, watch=bench.watch)
