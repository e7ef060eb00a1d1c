"""Verdicts in words and signs, never by colour alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from burnside.explore.result import Stop
from burnside.ir.nodes import Model, PropertyKind
from burnside.ir.printer import print_expr
from burnside.ir.task import BehaviourKind
from burnside.ir.temporal import Fairness, TemporalKind
from burnside.report.html.elements import Content, Markup, element, joined, plural
from burnside.report.html.values import Part
from burnside.report.text import fault_place
from burnside.report.values import ClaimReport, CountReport, Verdict

_SIGNS: Final = {Verdict.HOLDS: "✓", Verdict.VIOLATED: "✗", Verdict.UNKNOWN: "?"}
_KINDS: Final[dict[PropertyKind | BehaviourKind | TemporalKind, str]] = {
    PropertyKind.INVARIANT: "true in every state",
    PropertyKind.REACHABLE: "true in some state",
    PropertyKind.DEADLOCK_FREE: "something can always happen",
    TemporalKind.LTL: "true of every infinite run",
    BehaviourKind.DIVERGENCE_FREE: "no endless silence",
    BehaviourKind.DETERMINISTIC: "deterministic",
    BehaviourKind.REFINES_TRACES: "refinement of traces",
    BehaviourKind.REFINES_FAILURES: "refinement of failures",
    BehaviourKind.REFINES_DIVERGENCES: "refinement of failures and divergences",
}
_OF_DOMAIN: Final = re.compile(r"-?\d+ \.\. -?\d+ of (\w+)")  # a domain with its bounds: its name says enough
_STOPPED: Final = {
    Stop.MEMORY: "the memory limit was reached",
    Stop.TIME: "the time limit was reached",
    Stop.INTERRUPT: "the search was interrupted",
    Stop.STATES: "the limit of states was reached",
}


def badge(verdict: Verdict) -> Markup:
    """A verdict as a sign and a word."""
    sign = element("span", _SIGNS[verdict], aria_hidden="true")
    return element("span", sign, " ", verdict.value, class_=f"badge {verdict.value}")


def summary(parts: Sequence[Part]) -> Markup:
    """One line for the whole page."""
    verdicts = Counter(claim.verdict for part in parts for claim in part.check.claims)
    worst = next(v for v in (Verdict.VIOLATED, Verdict.UNKNOWN, Verdict.HOLDS) if verdicts[v] or v is Verdict.HOLDS)
    faults = [part.check.count.fault for part in parts if part.check.count.fault]
    if faults:
        worst, words = Verdict.VIOLATED, "The model faults: nothing is decided beyond that."
    else:
        words = _summary_words(verdicts)
    sign = element("span", _SIGNS[worst], class_="sign", aria_hidden="true")
    return element("p", sign, element("span", words), class_=f"summary {worst.value}")


def _summary_words(verdicts: Counter[Verdict]) -> str:
    holding, violated, unknown = (verdicts[v] for v in (Verdict.HOLDS, Verdict.VIOLATED, Verdict.UNKNOWN))
    total = verdicts.total()
    if total == 1:
        return {holding: "The property holds.", violated: "The property is violated."}.get(
            1, "The property is undecided."
        )
    if holding == total:
        return f"All {total} properties hold."
    main, word = (violated, "violated") if violated else (unknown, "undecided")
    others = [f"{holding} hold{'s' if holding == 1 else ''}"] if holding else []
    others += [f"{unknown} undecided"] if violated and unknown else []
    return "; ".join([f"{main} of {total} properties {'is' if main == 1 else 'are'} {word}", *others]) + "."


def verdict_table(parts: Sequence[Part], anchors: dict[int, str]) -> Markup:
    """Every claim with its verdict; ``anchors`` leads to runs, by the identity of claims."""
    rows = [_row(part, claims, anchors) for part in parts for claims in _together(part.check.claims)]
    head = element("tr", [element("th", title, scope="col") for title in ("property", "what it says", "verdict")])
    return element("table", element("thead", head), element("tbody", rows), class_="verdicts")


def _together(claims: Sequence[ClaimReport]) -> list[list[ClaimReport]]:
    """Neighbours that follow from one claim by symmetry are one entry."""
    groups = groupby(claims, key=lambda claim: claim.decided_by or id(claim))
    return [list(group) for _, group in groups]


def _row(part: Part, claims: Sequence[ClaimReport], anchors: dict[int, str]) -> Markup:
    claim = claims[0]
    names = joined([[element("code", part.check.full_name(c)), " "] for c in claims])
    formula = "" if claim.decided_by else formula_of(part.check.count.model, claim)
    said = [element("span", _KINDS[claim.kind], class_="kind")]
    said += [element("code", formula, class_="formula")] if formula else []
    anchor = anchors.get(id(claim))
    link = element("a", "show the run", href=f"#{anchor}") if anchor else ""
    words = element("span", remark(part, claim), class_="remark")
    verdict: list[Content] = [badge(claim.verdict), " ", words, " ", link]
    return element("tr", element("th", names, scope="row"), element("td", said), element("td", verdict))


def formula_of(model: Model, claim: ClaimReport) -> str:
    """What a claim says; members of a family say the same with other values."""
    family = claim.name.partition("(")[0]
    if isinstance(claim.kind, TemporalKind):
        return next((t.text for t in model.temporal if t.name == family), "")
    if claim.kind is PropertyKind.DEADLOCK_FREE:
        return ""
    asked = (p.condition for p in model.properties if p.name == family and p.kind is claim.kind)
    text = _OF_DOMAIN.sub(r"\1", next(map(print_expr, asked), ""))
    return "" if "`" in text else text  # names that only the translation of another language has


def remark(part: Part, claim: ClaimReport) -> str:
    """What there is to say about a verdict besides itself."""
    return "; ".join(_remarks(part, claim))


def _remarks(part: Part, claim: ClaimReport) -> Iterator[str]:
    if claim.verdict is Verdict.UNKNOWN:
        search = claim.search or part.check.count
        yield claim.reason or _STOPPED.get(search.exploration.stop, "not decided")
        return
    if claim.kind is PropertyKind.REACHABLE and claim.verdict is Verdict.VIOLATED:
        yield "no state reaches it"
    if claim.value is not None:
        yield f"{'least' if claim.is_least else 'greatest'} value {claim.value:,}"
    if isinstance(claim.kind, TemporalKind) and claim.fairness is not Fairness.NONE:
        yield f"under {claim.fairness}"
    if claim.decided_by:
        yield f"by symmetry with {claim.decided_by}"


# ---------------------------------------------------------------- titles of runs


def run_title(claim: ClaimReport) -> str:
    """What the run of a claim shows."""
    assert claim.trace is not None
    steps = len(claim.trace.steps)
    after = "in an initial state" if steps == 0 else f"after {plural(steps, 'step')}"
    match claim.kind:
        case TemporalKind.LTL:
            return _infinite(claim, steps)
        case PropertyKind.REACHABLE:
            return f"reached {after}"
        case PropertyKind.DEADLOCK_FREE:
            return f"no rule can fire {after}"
        case PropertyKind.INVARIANT:
            return f"violated {after}"
        case _:
            return f"violated {after}: {claim.reason}"


def _infinite(claim: ClaimReport, steps: int) -> str:
    stem = claim.loop if claim.loop is not None else steps
    run = "a run" if claim.fairness is Fairness.NONE else "a fair run"
    if stem == steps:
        return f"violated by {run} that ends after {plural(steps, 'step')}"
    first = f"{plural(stem, 'step')} and then " if stem else ""
    return f"violated by {run} of {first}a loop of {plural(steps - stem, 'step')}"


def fault_title(report: CountReport) -> str:
    """What goes wrong in a model that faults."""
    assert report.fault is not None
    assert report.fault.fault is not None
    fault = report.fault.fault
    if not report.fault.initial:
        return f"the model faults in a condition on its initial states: {fault.message}"
    return f"the model faults {fault_place(fault)} after {plural(len(report.fault.steps), 'step')}: {fault.message}"
