"""What machines are told to look at: violated and undecided claims, and diagnostics, each with a place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import final

from burnside.report.text import finding_trace, verdict_text
from burnside.report.titles import likewise_text, run_title
from burnside.results.answers import AboutModel, CheckAnswer, Failure, Stopped
from burnside.results.findings import CheckReport, Finding, Verdict
from burnside.source import Diagnostic, Severity, Span, printable
from burnside.source.codes import CODES
from burnside.values import dataclass


@final
@dataclass(frozen=True, slots=True)
class Problem:
    """A rule that something breaks, or may break: the code of a diagnostic or the kind of a claim, and its meaning.

    ``name`` is that of the claim; ``file`` is what it is about if it has no place. ``is_open`` says that it is not
    known whether the rule is broken. ``finding`` and ``report`` are those of a claim.
    """

    rule: str
    meaning: str
    message: str
    severity: Severity
    span: Span | None
    file: str
    name: str = ""
    is_open: bool = False
    source: tuple[CheckReport, Finding] | None = None
    diagnostic: Diagnostic | None = None


def problems_of(answer: CheckAnswer) -> Iterator[Problem]:
    """Claims that do not hold, or are not known to, then the diagnostics."""
    for report in answer.reports:
        for finding in report.findings:
            if finding.verdict is not Verdict.HOLDS:
                yield _of_finding(report, finding, answer.file)
    yield from remarks_of(answer)


def remarks_of(answer: AboutModel) -> Iterator[Problem]:
    """The diagnostics of an answer."""
    file = answer.file if isinstance(answer, CheckAnswer | Failure | Stopped) else ""
    return (of_diagnostic(diagnostic, file) for diagnostic in answer.diagnostics)


def _of_finding(report: CheckReport, finding: Finding, file: str) -> Problem:
    claim, name = finding.member.claim, report.full_name(finding)
    is_open = finding.verdict in (Verdict.UNKNOWN, Verdict.UNLESS_COLLISION)
    shown = f"'{printable(name)}'"
    return Problem(
        rule=claim.word,
        meaning=claim.means,
        message=f"{shown} is {run_title(finding)}" if finding.trace else f"{shown} is {verdict_text(finding)}",
        severity=Severity.WARNING if is_open else Severity.ERROR,
        span=claim.span,
        file=file,
        name=name,
        is_open=is_open,
        source=(report, finding),
    )


def of_diagnostic(diagnostic: Diagnostic, file: str = "") -> Problem:
    """A diagnostic about a file; its code is the rule."""
    return Problem(
        rule=diagnostic.code,
        meaning=CODES[diagnostic.code],
        message=printable(diagnostic.message),
        severity=diagnostic.severity,
        span=diagnostic.span,
        file=file,
        diagnostic=diagnostic,
    )


def details(problem: Problem, *, is_brief: bool = False) -> Iterator[str]:
    """What there is to say beyond the message: the run that violates a claim, the notes of a diagnostic.

    Where problems stand side by side, a run that is another one renamed is said to be that, in brief.
    """
    likewise = likewise_text(problem.source[1]) if problem.source and is_brief else ""
    if likewise:
        yield printable(f"likewise: {likewise}")
    elif problem.source is not None:
        report, finding = problem.source
        yield from [*finding_trace(finding, report.count.model)][2:]  # the message says what the title does
    if problem.diagnostic is not None:
        for note in problem.diagnostic.notes:
            place = f" ({note.span})" if note.span else ""
            yield printable(f"{note.label}: {note.message}{place}")
