"""The graph of states that ``export`` and ``draw`` are about: its options, and what is said if there is none."""

from __future__ import annotations

import argparse

from burnside.cli.exits import Exit
from burnside.cli.options import (
    add_diagnostics_option,
    add_limit_options,
    add_property_option,
    add_quiet_option,
    whole,
)
from burnside.cli.outcomes import exit_of_count
from burnside.decide.modes import Mode
from burnside.explore.native.run import SearchOptions
from burnside.ir.nodes import Model
from burnside.report.titles import has_sizes
from burnside.results.answers import CountAnswer
from burnside.results.exploration import Exploration, Stop
from burnside.results.graph import Explored
from burnside.results.remarks import remarks_on
from burnside.study import Study


def add_graph_options(parser: argparse.ArgumentParser, *, most: int) -> None:
    """What the graph of states is about, and how large it may be."""
    add_property_option(parser, "a property to tell states apart by (may be repeated; default: all)")
    parser.add_argument(
        "--states", type=whole, default=most, metavar="N", help=f"give up beyond N states (default {most:,})"
    )
    add_limit_options(parser)
    add_diagnostics_option(parser)
    add_quiet_option(parser)


def graph_options(arguments: argparse.Namespace) -> SearchOptions:
    """How the graph is explored."""
    return SearchOptions(
        memory=arguments.memory,
        deadline=arguments.limits.deadline,
        states=arguments.states,
        keeps_symmetries=True,
    )


def explain_absence(study: Study, explored: Explored, arguments: argparse.Namespace) -> Exit:
    """Say why there is no graph."""
    found = explored.exploration
    if found.stop is Stop.FAULT:
        counted = study.check(arguments.properties, Mode.NONE).count
        arguments.printer.note(remarks_on(counted))
        arguments.printer.show(CountAnswer(counted, diagnostics=arguments.printer.diagnostics))
        return exit_of_count(counted)
    reason = _limit_text(study.model, found, arguments.states)
    arguments.printer.stop(found.stop.value, "exploring", f"{reason}; nothing was written")
    return Exit.LIMIT


def _limit_text(model: Model, found: Exploration, states: int) -> str:
    if found.stop is Stop.STATES:
        fewer = ", take fewer processes with -D," if has_sizes(model) else ""
        return (
            f"there are more than {states:,} states: allow more with --states{fewer} "
            "or ask for one state of every orbit (export --symmetry unique, draw --what quotient)"
        )
    return f"stopped by a limit ({found.stop.value}) after {found.states:,} states"
