"""SARIF 2.1.0: what does not hold, and diagnostics, for tools that collect the results of static analysis.

Claims that hold are left out: some readers take every result for an alert.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from json import dumps
from pathlib import PurePath
from typing import Any, Final, TypeAlias
from urllib.parse import quote

from burnside import __version__
from burnside.report.places import Place
from burnside.report.problems import Problem, details, problems_of, remarks_of
from burnside.report.states import step_texts
from burnside.results.answers import AboutModel, CheckAnswer, Failure, Stopped
from burnside.source import Severity, Span, printable

Object: TypeAlias = dict[str, Any]

_SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


def check(answer: CheckAnswer) -> str:
    """A result for each claim that does not hold and for each diagnostic."""
    return _log([*problems_of(answer)], is_done=True)


def remarks(answer: AboutModel) -> str:
    """A result for each diagnostic; a limit that was reached is a notification."""
    notices = [answer.message] if isinstance(answer, Stopped) else []
    return _log([*remarks_of(answer)], notices, is_done=not isinstance(answer, Failure | Stopped))


def _log(problems: Sequence[Problem], notices: Iterable[str] = (), *, is_done: bool) -> str:
    rules = {problem.rule: problem for problem in problems}
    numbers = {rule: number for number, rule in enumerate(rules)}
    invocation: Object = {"executionSuccessful": is_done}
    notifications = [{"level": "error", "message": {"text": printable(notice)}} for notice in notices]
    if notifications:
        invocation["toolExecutionNotifications"] = notifications
    run = {
        "tool": {"driver": {"name": "Burnside", "version": __version__, "rules": [*map(_rule, rules.values())]}},
        "columnKind": "unicodeCodePoints",
        "invocations": [invocation],
        "results": [_result(problem, numbers[problem.rule]) for problem in problems],
    }
    return dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(problem: Problem) -> Object:
    return {"id": problem.rule, "shortDescription": {"text": problem.meaning}}


def _result(problem: Problem, number: int) -> Object:
    text = "\n".join([problem.message, *details(problem)])
    result: Object = {"ruleId": problem.rule, "ruleIndex": number, "message": {"text": text}}
    # A level says how bad it is that a rule is broken; nobody knows that it is.
    result |= {"kind": "open", "level": "none"} if problem.is_open else {"level": _LEVELS[problem.severity]}
    place = _location(problem.span, problem.file)
    if place:
        result["locations"] = [place]
    if problem.diagnostic is not None:
        related = [_related(note.message, note.span) for note in problem.diagnostic.notes if note.span]
        result |= {"relatedLocations": related} if related else {}
    steps = [*_steps(problem)]
    if steps:
        result["codeFlows"] = [{"threadFlows": [{"locations": steps}]}]
    return result


def _related(message: str, span: Span) -> Object:
    return {**_location(span, ""), "message": {"text": printable(message)}}


def _steps(problem: Problem) -> Iterator[Object]:
    """The run that violates a claim, each step at the rule that takes it if that is known."""
    if problem.source is None or problem.source[1].trace is None:
        return
    model, trace = problem.source[0].count.model, problem.source[1].trace
    rules: dict[str, Span | None] = {}
    for rule in model.rules:
        rules[rule.name] = None if rule.name in rules else rule.span
    for step, (event, changes) in zip(trace.steps, step_texts(model, trace.steps), strict=True):
        text = printable(f"{event}: {changes}")
        yield {"location": {**_location(rules.get(step.rule), ""), "message": {"text": text}}}


def _location(span: Span | None, file: str) -> Object:
    """A place in a file, or a whole file; nothing if neither is known."""
    if span is None:
        return {"physicalLocation": {"artifactLocation": {"uri": _uri(file)}}} if file else {}
    place = Place.of(span)
    region = {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(place.file)}, "region": region}}


def _uri(file: str) -> str:
    """A path as a reference: one that is relative stays so.

    >>> _uri("a model.seq"), _uri("/models/a#b.seq")
    ('a%20model.seq', 'file:///models/a%23b.seq')
    """
    path = PurePath(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix(), errors="replace")
