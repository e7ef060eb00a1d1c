"""Verdicts in words and signs, never by colour alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, assert_never

from burnside.claims import kinds
from burnside.claims.kinds import Claim, Fairness, InfiniteRuns
from burnside.ir.nodes import Expr, Unary
from burnside.ir.printer import print_expr
from burnside.report.html.elements import Content, Markup, element, joined, sentence
from burnside.report.text import fault_at_first, fault_place
from burnside.report.titles import STOPPED, counted, likewise_text, verdicts_title
from burnside.results.findings import CountReport, EventsFinding, ExtremeFinding, Finding, RunsFinding, Verdict
from burnside.results.page import Part
from burnside.source import Span

_SIGNS: Final = {Verdict.HOLDS: "✓", Verdict.VIOLATED: "✗", Verdict.UNKNOWN: "?", Verdict.UNLESS_COLLISION: "≈"}
_WORST_FIRST: Final = (Verdict.VIOLATED, Verdict.UNKNOWN, Verdict.UNLESS_COLLISION)
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
    verdicts = {finding.verdict for report in reports for finding in report.findings}
    worst = next((v for v in _WORST_FIRST if v in verdicts), Verdict.HOLDS)
    if any(report.count.fault for report in reports):
        worst = Verdict.VIOLATED
    sign = element("span", _SIGNS[worst], class_="sign", aria_hidden="true")
    return element("p", sign, element("span", sentence(verdicts_title(reports))), class_=f"summary {worst.value}")


def verdict_table(parts: Sequence[Part], anchors: dict[int, str]) -> Markup:
    """Every claim with its verdict; ``anchors`` leads to runs, by the identity of findings."""
    rows = [_row(part, findings, anchors) for part in parts for findings in _together(part.check.findings)]
    head = element("tr", [element("th", title, scope="col") for title in ("property", "what it says", "verdict")])
    return element("table", element("thead", head), element("tbody", rows), class_="verdicts")


def _together(findings: Sequence[Finding]) -> list[list[Finding]]:
    """Neighbours that follow from one claim by symmetry are one entry."""
    groups = groupby(findings, key=lambda finding: follows_from(finding) or id(finding))
    return [list(group) for _, group in groups]


def follows_from(finding: Finding) -> str:
    """The name of the claim that this one follows from by symmetry, if it does."""
    return finding.decided_by.name if isinstance(finding, RunsFinding) and finding.decided_by else ""


def has_own_run(finding: Finding) -> bool:
    """Whether there is a run to be shown: one that is another renamed is not."""
    return finding.trace is not None and not follows_from(finding) and not likewise_text(finding)


def _row(part: Part, findings: Sequence[Finding], anchors: dict[int, str]) -> Markup:
    first = findings[0]
    names = joined([[element("code", part.check.full_name(f)), " "] for f in findings])
    formula = "" if follows_from(first) or likewise_text(first) else formula_of(first.member.claim)
    said = [element("span", first.member.claim.means, class_="kind")]
    said += [element("code", formula, class_="formula")] if formula else []
    anchor = anchors.get(id(first))
    link = element("a", "show the run", href=f"#{anchor}") if anchor else ""
    words = element("span", remark(part, first), class_="remark")
    verdict: list[Content] = [badge(first.verdict), " ", words, " ", link]
    return element("tr", element("th", names, scope="row"), element("td", said), element("td", verdict))


def formula_of(claim: Claim) -> str:
    """What a claim says, in its author's words; members of a family say the same with other values."""
    match claim:
        case InfiniteRuns(text=text):
            return text
        case kinds.Invariant() | kinds.Reachable():
            return _condition_text(claim)
        case (
            kinds.DeadlockFree() | kinds.Extreme() | kinds.DivergenceFree() | kinds.Deterministic() | kinds.Refinement()
        ):
            return ""
        case _:
            assert_never(claim)


def _condition_text(asked: kinds.Invariant | kinds.Reachable) -> str:
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


def _declaration(asked: kinds.Invariant | kinds.Reachable) -> str:
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


def remark(part: Part, finding: Finding) -> str:
    """What there is to say about a verdict besides itself."""
    return "; ".join(_remarks(part, finding))


def _remarks(part: Part, finding: Finding) -> Iterator[str]:
    if finding.verdict is Verdict.UNKNOWN:
        search = (finding.search if isinstance(finding, RunsFinding) else None) or part.check.count
        reason = finding.reason if isinstance(finding, ExtremeFinding | EventsFinding) else ""
        yield reason or STOPPED.get(search.exploration.stop, "not decided")
        return
    if finding.member.claim.is_existential and finding.verdict is Verdict.VIOLATED:
        yield "no state reaches it"
    if isinstance(finding, ExtremeFinding) and finding.value is not None:
        yield f"{'least' if finding.member.claim.is_least else 'greatest'} value {finding.value:,}"
    if isinstance(finding, RunsFinding) and finding.fairness is not Fairness.NONE:
        yield f"under {finding.fairness}"
    if follows_from(finding):
        yield f"by symmetry with {follows_from(finding)}"
    if likewise_text(finding):
        yield f"likewise: {likewise_text(finding)}"


def fault_title(report: CountReport) -> str:
    """What goes wrong in a model that faults."""
    assert report.fault is not None
    assert report.fault.fault is not None
    fault = report.fault.fault
    if not report.fault.initial:
        return f"the model faults {fault_at_first(fault)}: {fault.message}"
    return f"the model faults {fault_place(fault)} after {counted(len(report.fault.steps), 'step')}: {fault.message}"
