"""JUnit's XML, as servers for continuous integration read it: a suite for each process, a case for each claim."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, Literal, final
from xml.etree import ElementTree

from burnside.report.problems import Problem, details, of_diagnostic, problems_of
from burnside.results.answers import CheckAnswer, Failure, Stopped, Written
from burnside.results.findings import CheckReport, RunsFinding
from burnside.source import Diagnostic, Severity, render
from burnside.values import dataclass

# Characters that no XML text can hold, in whatever way they are written.
_ILLEGAL: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MODEL: Final = "model"  # the case for what is wrong with the model itself


@final
@dataclass(frozen=True, slots=True)
class _Complaint:
    """Why a case did not pass: a claim is violated (failure), or nothing could be decided (error)."""

    tag: Literal["failure", "error"]
    kind: str
    message: str
    text: str = ""


@final
@dataclass(frozen=True, slots=True)
class _Case:
    name: str
    complaints: tuple[_Complaint, ...] = ()
    seconds: float | None = None


def check(answer: CheckAnswer) -> str:
    """A suite for each process; what is wrong with the model is a case of the first one."""
    claims = {id(problem.source[1]): problem for problem in problems_of(answer) if problem.source}
    root = ElementTree.Element("testsuites", name="burnside")
    for number, report in enumerate(answer.reports):
        name = f"{answer.file} {report.process}".strip()
        cases = [*_cases(report, claims)]
        diagnostics = answer.diagnostics if number == 0 else ()
        _add_suite(root, name, answer.file, cases, diagnostics, report.count.exploration.seconds)
    return _document(root)


def _cases(report: CheckReport, claims: dict[int, Problem]) -> Iterator[_Case]:
    for finding in report.findings:
        problem = claims.get(id(finding))
        search = finding.search if isinstance(finding, RunsFinding) else None
        seconds = search.exploration.seconds if search else None
        yield _Case(finding.member.name, (_complaint(problem),) if problem else (), seconds)


def failure(answer: Failure) -> str:
    """A suite with one case, which fails."""
    return _single(answer.file, [], answer.diagnostics)


def stopped(answer: Stopped) -> str:
    """A suite with one case, which could not be decided."""
    complaint = _Complaint("error", answer.limit, answer.message)
    return _single(answer.file, [_Case(_MODEL, (complaint,))], answer.diagnostics)


def remarks(answer: Written) -> str:
    """A suite with one case: that the file is there."""
    return _single(answer.file, [_Case(answer.about)], answer.diagnostics)


def _single(file: str, cases: list[_Case], diagnostics: tuple[Diagnostic, ...]) -> str:
    root = ElementTree.Element("testsuites", name="burnside")
    _add_suite(root, file or "burnside", file, cases, diagnostics, None)
    return _document(root)


def _complaint(problem: Problem) -> _Complaint:
    is_failure = problem.source is not None and not problem.is_open
    kind = problem.source[1].verdict.value if problem.source and problem.is_open else problem.rule
    text = "\n".join([problem.message, *details(problem)])
    return _Complaint("failure" if is_failure else "error", kind, problem.message, text)


# ---------------------------------------------------------------- elements


def _add_suite(
    root: ElementTree.Element,
    name: str,
    file: str,
    cases: list[_Case],
    diagnostics: Iterable[Diagnostic],
    seconds: float | None,
) -> None:
    errors = [_of_error(d) for d in diagnostics if d.severity is Severity.ERROR]
    others = [render(d) for d in diagnostics if d.severity is not Severity.ERROR]
    everything = [*cases, *([_Case(_MODEL, tuple(errors))] if errors else [])]
    tags = [{complaint.tag for complaint in case.complaints} for case in everything]
    suite = ElementTree.SubElement(root, "testsuite", name=_legal(name), tests=str(len(everything)))
    suite.set("failures", str(sum("failure" in each for each in tags)))
    suite.set("errors", str(sum("error" in each for each in tags)))
    suite.set("skipped", "0")
    if seconds is not None:
        suite.set("time", f"{seconds:.3f}")
    for case in everything:
        _add_case(suite, file, case)
    if others:
        ElementTree.SubElement(suite, "system-err").text = _legal("\n".join(others))


def _of_error(diagnostic: Diagnostic) -> _Complaint:
    found = _complaint(of_diagnostic(diagnostic))
    return _Complaint(found.tag, found.kind, found.message, render(diagnostic))


def _add_case(suite: ElementTree.Element, file: str, case: _Case) -> None:
    element = ElementTree.SubElement(suite, "testcase", name=_legal(case.name), classname=_legal(file))
    if case.seconds is not None:
        element.set("time", f"{case.seconds:.3f}")
    for complaint in case.complaints:
        inner = ElementTree.SubElement(
            element, complaint.tag, type=_legal(complaint.kind), message=_legal(complaint.message)
        )
        inner.text = _legal(complaint.text)


def _document(root: ElementTree.Element) -> str:
    """Letters beyond ASCII are written as references, so that no stream can spoil them."""
    ElementTree.indent(root)
    body: bytes = ElementTree.tostring(root, encoding="us-ascii")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body.decode()}'


def _legal(text: str) -> str:
    r"""A text that XML can hold: other characters are shown as escapes.

    >>> _legal("a\x1bb")
    'a\\x1bb'
    """
    return _ILLEGAL.sub(lambda found: found[0].encode("unicode_escape", "surrogatepass").decode(), text)
