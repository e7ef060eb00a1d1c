"""Verdicts in words and signs, never by colour alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from burnside.ir.nodes import Expr, Model, Property, PropertyKind, Unary
from burnside.ir.printer import print_expr
from burnside.ir.task import BehaviourKind
from burnside.ir.temporal import Fairness, TemporalKind
from burnside.report.html.elements import Content, Markup, element, joined, sentence
from burnside.report.html.values import Part
from burnside.report.text import fault_place
from burnside.report.titles import STOPPED, counted, verdicts_title
from burnside.report.values import ClaimReport, CountReport, Verdict
from burnside.source import Span

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
_LONGEST: Final = 200  # characters of a condition that is printed
_QUOTED: Final = re.compile("`[^`]*`")
_BEYOND: Final = re.compile(r";|//|/\*")  # what no condition holds: the end of a declaration, a comment


def badge(verdict: Verdict) -> Markup:
    """A verdict as a sign and a word."""
    sign = element("span", _SIGNS[verdict], aria_hidden="true")
    return element("span", sign, " ", verdict.value, class_=f"badge {verdict.value}")


def summary(parts: Sequence[Part]) -> Markup:
    """One line for the whole page."""
    reports = [part.check for part in parts]
    verdicts = {claim.verdict for report in reports for claim in report.claims}
    worst = next((v for v in (Verdict.VIOLATED, Verdict.UNKNOWN) if v in verdicts), Verdict.HOLDS)
    if any(report.count.fault for report in reports):
        worst = Verdict.VIOLATED
    sign = element("span", _SIGNS[worst], class_="sign", aria_hidden="true")
    return element("p", sign, element("span", sentence(verdicts_title(reports))), class_=f"summary {worst.value}")


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
    """What a claim says, in its author's words; members of a family say the same with other values."""
    family = claim.name.partition("(")[0]
    if isinstance(claim.kind, TemporalKind):
        return next((t.text for t in model.temporal if t.name == family), "")
    if claim.kind is PropertyKind.DEADLOCK_FREE:
        return ""
    asked = (p for p in model.properties if p.name == family and p.kind is claim.kind)
    return next(map(_condition_text, asked), "")


def _condition_text(asked: Property) -> str:
    """A condition as it is written; one that is not written in one piece at its declaration is printed."""
    condition, declared = asked.condition, asked.span
    is_there = condition.span and declared and condition.span.start >= declared.start
    written = _with_brackets(condition.span) if condition.span and is_there else ""
    if written and not _BEYOND.search(_QUOTED.sub("", written)):
        text = " ".join(written.split())
        return f"!({text})" if _is_negated_unseen(condition) else text
    text = print_expr(condition)
    is_readable = len(text) <= _LONGEST and "`" not in text  # names that only a translation has
    return text if is_readable else _declaration(asked)


def _is_negated_unseen(condition: Expr) -> bool:
    """Whether a condition is the negation of what is written: languages may declare what must never be so."""
    if (
        not isinstance(condition, Unary)
        or condition.operator != "!"
        or not condition.span
        or not condition.operand.span
    ):
        return False
    return condition.operand.span.start == condition.span.start


def _declaration(asked: Property) -> str:
    """The whole declaration of a property, where there is more to it than a name."""
    text = " ".join(asked.span.source.text[asked.span.start : asked.span.end].split()) if asked.span else ""
    return text if text.strip("`") != asked.name else ""


def _with_brackets(span: Span) -> str:
    """The text of a span with the brackets around it that its own brackets need: spans of operands lack them."""
    text, start, end = span.source.text, span.start, span.end
    depth = lowest = 0
    for character in _QUOTED.sub("", text[start:end]):
        depth += (character == "(") - (character == ")")
        lowest = min(lowest, depth)
    missing_left, missing_right = -lowest, depth - lowest
    while missing_left and start and (text[start - 1].isspace() or text[start - 1] == "("):
        start -= 1
        missing_left -= text[start] == "("
    while missing_right and end < len(text) and (text[end].isspace() or text[end] == ")"):
        missing_right -= text[end] == ")"
        end += 1
    return "" if missing_left or missing_right else text[start:end]


def remark(part: Part, claim: ClaimReport) -> str:
    """What there is to say about a verdict besides itself."""
    return "; ".join(_remarks(part, claim))


def _remarks(part: Part, claim: ClaimReport) -> Iterator[str]:
    if claim.verdict is Verdict.UNKNOWN:
        search = claim.search or part.check.count
        yield claim.reason or STOPPED.get(search.exploration.stop, "not decided")
        return
    if claim.kind is PropertyKind.REACHABLE and claim.verdict is Verdict.VIOLATED:
        yield "no state reaches it"
    if claim.value is not None:
        yield f"{'least' if claim.is_least else 'greatest'} value {claim.value:,}"
    if isinstance(claim.kind, TemporalKind) and claim.fairness is not Fairness.NONE:
        yield f"under {claim.fairness}"
    if claim.decided_by:
        yield f"by symmetry with {claim.decided_by}"


def fault_title(report: CountReport) -> str:
    """What goes wrong in a model that faults."""
    assert report.fault is not None
    assert report.fault.fault is not None
    fault = report.fault.fault
    if not report.fault.initial:
        return f"the model faults in a condition on its initial states: {fault.message}"
    return f"the model faults {fault_place(fault)} after {counted(len(report.fault.steps), 'step')}: {fault.message}"
