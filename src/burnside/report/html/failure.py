"""A page instead of a report: what is wrong with a model, or which limit was reached."""

from __future__ import annotations

from collections.abc import Sequence

from burnside.report.html.elements import Markup, element, joined
from burnside.results.answers import Failure, Stopped
from burnside.source import printable, render


def page(answer: Failure) -> str:
    """The diagnostics, one after the other."""
    return _page(answer.file, "The model cannot be used", [*map(render, answer.diagnostics)])


def stopped(answer: Stopped) -> str:
    """The limit, and the diagnostics so far."""
    return _page(answer.file, "There is no report", [printable(answer.message), *map(render, answer.diagnostics)])


def _page(file: str, title: str, texts: Sequence[str]) -> str:
    name = printable(file) or "Burnside"
    head = element("head", element("meta", charset="utf-8"), element("title", f"{name} – Burnside"))
    body = element("body", element("h1", title), element("p", name), [*map(_block, texts)])
    return f'<!DOCTYPE html>\n<html lang="en">\n{head}\n{body}\n</html>\n'


def _block(text: str) -> Markup:
    """Lines as they are."""
    return element("pre", [joined(line, Markup("\n")) for line in text.split("\n")])
