"""A PNML text as a task: the order of the steps inside this front end.

read → colours written out → what can never be marked left out → bounds → formulas → model.
"""

from __future__ import annotations

from collections.abc import Mapping

from burnside.claims.check import check_task
from burnside.claims.conditions import conditions_of
from burnside.claims.kinds import Claim, DeadlockFree, InfiniteRuns
from burnside.claims.task import Simplification, Task
from burnside.frontends.front_end import Loaded
from burnside.frontends.kit.constants import report_unknown
from burnside.frontends.kit.options import NO_OPTIONS, Options
from burnside.frontends.pnml.bounds import Bound, bounds_of
from burnside.frontends.pnml.document import read_document
from burnside.frontends.pnml.lower import model_of
from burnside.frontends.pnml.net import Net, without_unmarkable
from burnside.frontends.pnml.options import FORMULAS, MOST_TOKENS, SIMPLIFY
from burnside.frontends.pnml.plain import plain_net
from burnside.ir.nodes import Value
from burnside.ir.uses import variables_read
from burnside.source import Diagnostics, ReadingStop, Source, SyntaxStop


def load(source: Source, constants: Mapping[str, Value], options: Options = NO_OPTIONS) -> Loaded:
    """The task of a text, with the formulas of a file; none if the diagnostics hold an error."""
    diagnostics = Diagnostics()
    report_unknown(constants, (), diagnostics)
    try:
        task = _task(source, options, diagnostics)
    except (SyntaxStop, ReadingStop):
        task = None
    return Loaded(() if task is None or diagnostics.has_errors else (task,), diagnostics)


def read_net(source: Source, diagnostics: Diagnostics) -> Net:
    """The net of a text without colours, and without what can never be marked; `SyntaxStop` if it is wrong."""
    document = read_document(source, diagnostics)
    if diagnostics.has_errors:
        raise SyntaxStop
    if document.is_coloured:
        from burnside.frontends.pnml.unfold import unfolded

        net = unfolded(document, diagnostics)
    else:
        net = plain_net(document, diagnostics)
    if diagnostics.has_errors:
        raise SyntaxStop
    return without_unmarkable(net)


def _task(source: Source, options: Options, diagnostics: Diagnostics) -> Task:
    net = read_net(source, diagnostics)
    bounds = bounds_of(net, options.number(MOST_TOKENS), diagnostics)
    if diagnostics.has_errors:
        raise SyntaxStop
    file = options.file(FORMULAS)
    claims: tuple[Claim, ...] = ()
    if file is not None:
        from burnside.frontends.pnml.formulas import claims_of

        claims = claims_of(file, net, bounds, diagnostics)
    left_out = None
    if options.word(SIMPLIFY) == "on" and not diagnostics.has_errors:
        net, bounds, left_out = _simplified(net, bounds, claims)
    task = Task(model_of(net, bounds), claims, simplification=left_out)
    check_task(task, diagnostics)
    return task


def _simplified(
    net: Net, bounds: tuple[Bound, ...], claims: tuple[Claim, ...]
) -> tuple[Net, tuple[Bound, ...], Simplification | None]:
    """The net without what its claims do not depend on, and how much that is."""
    from burnside.frontends.pnml.simplify import Asked, difference, simplified

    places = frozenset[str]().union(*(variables_read(c) for claim in claims for c in conditions_of(claim)))
    is_about_runs = any(isinstance(claim, InfiniteRuns) for claim in claims)
    is_about_deadlock = not claims or any(isinstance(claim, DeadlockFree) for claim in claims)
    less = simplified(net, Asked(places, is_about_deadlock or is_about_runs, is_about_runs))
    known = dict(zip((place.name for place in net.places), bounds, strict=True))
    return less, tuple(known[place.name] for place in less.places), difference(net, less)
