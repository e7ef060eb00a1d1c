"""The graph of states that ``export`` and ``draw`` are about: its options, and what is said if there is none."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from burnside import pipeline, statespace
from burnside.cli.count import exit_of_count
from burnside.cli.exits import Exit
from burnside.cli.options import add_limit_options, add_property_option, whole
from burnside.cli.progress import progress
from burnside.explore.claims import Claim
from burnside.explore.native.run import SearchOptions
from burnside.explore.result import Exploration, Stop
from burnside.quotient import Reduced
from burnside.report.text import count_text
from burnside.report.titles import counted, has_sizes

if TYPE_CHECKING:
    from burnside.ir.nodes import Model
    from burnside.report.graph import GraphReport


def add_graph_options(parser: argparse.ArgumentParser, *, most: int) -> None:
    """What the graph of states is about, and how large it may be."""
    add_property_option(parser, "a property to tell states apart by (may be repeated; default: all)")
    parser.add_argument(
        "--states", type=whole, default=most, metavar="N", help=f"give up beyond N states (default {most:,})"
    )
    add_limit_options(parser)
    parser.add_argument("--quiet", action="store_true", help="show no progress")


def explored_graph(
    model: Model, claims: Sequence[Claim], reduced: Reduced | None, arguments: argparse.Namespace
) -> GraphReport | Exit:
    """The graph of a model, or of its quotient; if there is none, it is said why."""
    options = SearchOptions(memory=arguments.memory, seconds=arguments.limits.seconds_left, states=arguments.states)
    with progress(quiet=arguments.quiet) as watch:
        found = statespace.graph(model, claims, reduced=reduced, options=options, watch=watch)
    if found.report is not None:
        return found.report
    if found.exploration.stop is Stop.FAULT:
        counted = pipeline.check(model, properties=arguments.properties, symmetry="none", options=options).count
        print(count_text(counted))
        return exit_of_count(counted)
    print(f"burnside: {_limit_text(model, found.exploration, arguments.states)}; nothing was written", file=sys.stderr)
    return Exit.LIMIT


def size_text(report: GraphReport) -> str:
    """What is said of a graph that was written."""
    orbits = f", one state of every orbit under {report.symmetry.order:,} symmetries" if report.is_quotient else ""
    return f"{counted(len(report.graph), 'state')}, {counted(report.graph.edge_count, 'transition')}{orbits}"


def _limit_text(model: Model, found: Exploration, states: int) -> str:
    if found.stop is Stop.STATES:
        fewer = ", take fewer processes with -D," if has_sizes(model) else ""
        return (
            f"there are more than {states:,} states: allow more with --states{fewer} "
            "or ask for one state of every orbit (export --symmetry unique, draw --what quotient)"
        )
    return f"stopped by a limit ({found.stop.value}) after {found.states:,} states"
