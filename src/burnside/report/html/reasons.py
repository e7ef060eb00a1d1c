"""Why the last state of a run decides a claim, below the run."""

from __future__ import annotations

from collections.abc import Sequence

from burnside.report.html.elements import Content, Markup, code, element, joined
from burnside.report.titles import counted
from burnside.results.reasons import Part, Reasons


def reasons(found: Reasons) -> Markup:
    """What rules wait for at a deadlock; else the parts of a condition that make it what it is."""
    if found.waiting:
        rules = [
            element("li", code(waiting.rule), ": ", _separated([_part(part) for part in waiting.parts]))
            for waiting in found.waiting
        ]
        more = [element("li", f"and {counted(found.others, 'more rule instance')}")] if found.others else []
        return _box("In the last state, rules wait:", [*rules, *more])
    where = ", ".join(f"{name} = {value}" for name, value in found.witness)
    title = f"In the last state, with {where}:" if where else "In the last state:"
    return _box(title, [element("li", _part(part)) for part in found.parts]) if found.parts else Markup("")


def _box(title: str, entries: Sequence[Markup]) -> Markup:
    return element("div", element("p", title), element("ul", entries), class_="reasons")


def _part(part: Part) -> Markup:
    """A part of a condition, whether it is true, and what it looks at."""
    values: list[Content] = [code(f"{name} = {value}") for name, value in part.values]
    said = [" (", _separated(values), ")"] if values else []
    return joined(code(part.text), f" is {'true' if part.holds else 'false'}", *said)


def _separated(pieces: Sequence[Content]) -> Markup:
    return joined(*[[", ", piece] if k else piece for k, piece in enumerate(pieces)])
