"""Workflow commands of GitHub Actions: annotations of the files that a problem is in.

Only commands are printed. A line of any other kind could be taken for one if it held text of a model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from burnside.report.places import Place
from burnside.report.problems import Problem, details, problems_of, remarks_of
from burnside.report.renderers import render
from burnside.report.titles import verdicts_title
from burnside.results.answers import AboutModel, CheckAnswer, Failure, Stopped
from burnside.source import Severity, printable

_COMMANDS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
_MOST_LINES: Final = 60  # of a message: longer ones are cut by those who show it, without a word
_TITLE: Final = "Burnside"


def check(answer: CheckAnswer) -> str:
    """An annotation for each claim that does not hold and for each diagnostic, and all verdicts in one phrase."""
    problems = map(_annotation, problems_of(answer))
    return "\n".join([*problems, _command("notice", {"title": _TITLE}, [verdicts_title(answer.reports)])])


def remarks(answer: AboutModel) -> str:
    """An annotation for each diagnostic; what people read of the answer is a notice."""
    return "\n".join(_remarks(answer))


def _remarks(answer: AboutModel) -> Iterator[str]:
    yield from map(_annotation, remarks_of(answer))
    match answer:
        case Stopped(message=message):
            yield _command("error", {"title": _TITLE}, [message])
        case Failure():
            pass
        case _:
            yield _command("notice", {"title": _TITLE}, str(render(answer, "text")).splitlines())


def _annotation(problem: Problem) -> str:
    named = f" {problem.name}" if problem.name else ""
    properties = {**_place(problem), "title": f"{problem.rule}{named}"}
    return _command(_COMMANDS[problem.severity], properties, [problem.message, *details(problem, is_brief=True)])


def _place(problem: Problem) -> dict[str, Any]:
    if problem.span is None:
        return {"file": problem.file} if problem.file else {}
    place = Place.of(problem.span)
    lines = {"file": place.file, "line": place.line, "endLine": place.end_line}
    if place.line != place.end_line:
        return lines  # columns are for places within a line
    return {**lines, "col": place.column, "endColumn": place.end_column}


def _command(name: str, properties: Mapping[str, Any], lines: Iterable[str]) -> str:
    """A command in one line.

    >>> _command("error", {"file": "a,b.seq", "line": 3}, ["100%", "no"])
    '::error file=a%2Cb.seq,line=3::100%25%0Ano'
    """
    message = [printable(line) for line in lines]
    if len(message) > _MOST_LINES:
        message = [*message[:_MOST_LINES], f"… and {len(message) - _MOST_LINES} more lines"]
    given = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    return f"::{name}{' ' if given else ''}{given}::{'%0A'.join(map(_escaped, message))}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(printable(text)).replace(":", "%3A").replace(",", "%2C")
