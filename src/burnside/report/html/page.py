"""The page as a whole: one file, no request to anywhere, the same bytes for the same values."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from importlib.resources import files
from typing import Final

from burnside.ir.nodes import Constant, Value
from burnside.report.explanation import explanation_sentences
from burnside.report.html.elements import Content, Markup, code, deeper, element, joined, scrolling, sentence
from burnside.report.html.figures import reduction
from burnside.report.html.reasons import reasons
from burnside.report.html.states import states
from burnside.report.html.symmetries import coloured_graph, symmetries
from burnside.report.html.traces import Run, closed, viewer
from burnside.report.html.verdicts import badge, fault_title, formula_of, has_own_run, summary, verdict_table
from burnside.report.titles import counted, ending_of, has_sizes, is_one_of_many, run_title
from burnside.results.exploration import Stop
from burnside.results.findings import EventsFinding, Finding, RunsFinding, StateFinding, Verdict
from burnside.results.page import Page, Part
from burnside.source import Source

_LONG: Final = 120  # lines of a text that is folded


def page_text(page: Page) -> str:
    """The page as HTML."""
    style, script = _package_text("style.css"), _package_text("script.js")
    anchors = _anchors(page.parts)
    sections = _sections(page, anchors)
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            _head(page, style, script),
            "<body>",
            element("a", "Skip to the report", href="#report", class_="skip"),
            _header(page, anchors),
            _navigation(sections),
            element("main", [_section(*section) for section in sections], id="report"),
            element("footer", element("p", f"Burnside {page.version}")),
            element("script", Markup(script)),
            "</body>",
            "</html>",
            "",
        ]
    )


def _sections(page: Page, anchors: dict[int, str]) -> list[tuple[str, str, Markup]]:
    """Anchor, title and content of every section: answers, what they come from, then what serves to look things up."""
    parts = page.parts
    runs = _runs(parts, anchors)
    return [
        *([("runs", "Runs", runs)] if runs else []),
        ("symmetries", "Symmetries", _each(parts, symmetries)),
        ("states", "States and orbits", _each(parts, states)),
        ("reduction", "Reduction", _each(parts, lambda part: reduction(part, has_times=page.has_times))),
        ("graph", "Coloured graph", _each(parts, coloured_graph)),
        ("model", "Model", joined([_source(source, _culprits(parts)) for source in page.sources])),
        ("reproduce", "Reproduce", _commands(page)),
    ]


def _package_text(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


# ---------------------------------------------------------------- around the report


def _head(page: Page, style: str, script: str) -> Markup:
    policy = (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    return element(
        "head",
        element("meta", charset="utf-8"),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
        element("meta", name_="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name_="color-scheme", content="light dark"),
        element("title", f"{page.title} – Burnside"),
        element("style", Markup(style)),
    )


def _digest(text: str) -> str:
    """What lets a browser run this text and no other."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _header(page: Page, anchors: dict[int, str]) -> Markup:
    facts = [(element("dt", name), element("dd", content)) for name, content in _facts(page)]
    return element(
        "header",
        element("p", "Burnside report", class_="kicker"),
        element("h1", _breakable(page.title)),
        summary(page.parts),
        scrolling("verdicts", verdict_table(page.parts, anchors)),
        element("dl", facts),
    )


def _breakable(name: str) -> list[Markup]:
    """A name of a file that may go over several lines, at its signs."""
    return [joined(part, Markup("<wbr>")) for part in re.findall(r".[^_.\-]*", name, re.DOTALL)]


def _facts(page: Page) -> Iterator[tuple[str, Content]]:
    model = page.parts[0].check.count.model
    if len(page.parts) == 1:
        yield from _sizes(page.parts[0])
    if has_sizes(model):
        yield "Constants", [[code(_constant(c)), " "] for c in model.constants]
    yield from page.asked


def _sizes(part: Part) -> Iterator[tuple[str, Content]]:
    """The symmetries and the states of the model, in one line each."""
    own, used = part.symmetries, part.detection.order
    group = [", the group ", code(own.group_name)] if own.group_name and own.order > 1 else []
    kept = f", of which what was asked keeps {used:,}" if used != own.order else ""
    yield "Symmetries", [f"{own.order:,}" if own.order > 1 else "none but the identity", group, kept]
    explored = part.quotient.exploration
    if explored.stop is not Stop.COMPLETE:
        return
    count = part.all_states
    orbits = f"in {counted(explored.states, 'orbit')}" if part.is_reduced else ""
    yield "States", " ".join([f"{count:,}", orbits] if count is not None else [orbits])


def _constant(constant: Constant) -> str:
    return f"{constant.name} = {_value(constant.value)}"


def _value(value: Value) -> str:
    return f"[{', '.join(map(_value, value))}]" if isinstance(value, tuple) else str(value)


def _navigation(sections: Sequence[tuple[str, str, Markup]]) -> Markup:
    links = [element("li", element("a", title, href=f"#{anchor}")) for anchor, title, _ in sections]
    return element("nav", element("ul", links), aria_label="contents")


def _section(anchor: str, title: str, content: Markup) -> Markup:
    named = f"{anchor}-title"
    return element("section", element("h2", title, id=named), content, id=anchor, aria_labelledby=named)


def _each(parts: Sequence[Part], show: Callable[[Part], Markup]) -> Markup:
    """The same for every process, under its name if there are several."""
    if len(parts) == 1:
        return show(parts[0])
    return joined([[element("h3", "Process ", code(part.check.process)), deeper(show(part))] for part in parts])


# ---------------------------------------------------------------- the model


def _culprits(parts: Sequence[Part]) -> frozenset[tuple[str, int]]:
    """The lines that cost symmetry, by the name of their text."""
    explained = [part.symmetries.explanation for part in parts if part.symmetries.explanation is not None]
    spans = [span for one in explained for _, named in explanation_sentences(one) for span in named]
    return frozenset((span.source.name, span.source.position(span.start)[0]) for span in spans)


def _source(source: Source, culprits: frozenset[tuple[str, int]]) -> Markup:
    lines = source.text.expandtabs(4).removesuffix("\n").split("\n")
    shown = [_line(text.rstrip("\r"), is_culprit=(source.name, k) in culprits) for k, text in enumerate(lines, 1)]
    listed = element("pre", element("code", shown))
    text = scrolling(f"text of {source.name}", listed, class_="source")
    title = [code(source.name), f", {counted(len(lines), 'line')}"]
    return element("details", element("summary", title), text, open=len(lines) <= _LONG)


def _line(line: str, *, is_culprit: bool) -> Markup:
    """A line, marked if it costs symmetry; numbers come from the style sheet, so that they are not copied along."""
    text, slashes, comment = line.partition("//")
    remark = element("span", slashes + comment, class_="comment") if slashes else ""
    said = "costs symmetry" if is_culprit else None
    kind = "line culprit" if is_culprit else "line"
    return joined(element("span", text, remark, class_=kind, title=said), Markup("\n"))


# ---------------------------------------------------------------- runs


def _anchors(parts: Sequence[Part]) -> dict[int, str]:
    """Where the run of each finding is, by its identity; one that is as another, up to symmetry, has none."""
    shown = [f for part in parts for f in part.check.findings if has_own_run(f)]
    return {id(finding): f"run-{number}" for number, finding in enumerate(shown, 1)}


def _runs(parts: Sequence[Part], anchors: dict[int, str]) -> Markup:
    shown = [_fault(part, k) for k, part in enumerate(parts) if part.check.count.fault]
    shown += [_finding_runs(part, f, anchors[id(f)]) for part in parts for f in part.check.findings if id(f) in anchors]
    if not shown:  # no single run decides any of the properties
        return Markup("")
    said = (
        "Step through a run with the buttons or the keys ← and →; Home and End go to its ends while it has the focus."
    )
    return joined(element("p", said, class_="note with-script", hidden=True), shown)


def _finding_runs(part: Part, finding: Finding, anchor: str) -> Markup:
    model = part.check.count.model
    title = element("h3", code(part.check.full_name(finding)), " ", badge(finding.verdict))
    formula = formula_of(finding.member.claim)
    said = [element("p", code(formula), class_="formula")] if formula else []
    content = [title, *said, _caption(run_title(finding)), viewer(model, _run(part, finding), anchor)]
    if isinstance(finding, StateFinding) and finding.reasons is not None:
        content.append(reasons(finding.reasons))
    if isinstance(finding, EventsFinding) and finding.contrast is not None:
        contrast = Run("the same visible events, and one more", finding.contrast)
        content += [_caption(contrast.title), viewer(model, contrast, f"{anchor}-contrast")]
    return joined(content)


def _caption(text: str) -> Markup:
    return element("p", sentence(text), class_="caption")


def _run(part: Part, finding: Finding) -> Run:
    """A finding's run; that of a claim about events may return by a silent step, which becomes a step of its own."""
    assert finding.trace is not None
    title = f"{part.check.full_name(finding)}, {run_title(finding)}"
    match finding:
        case RunsFinding(trace=trace, loop=loop) if trace is not None and loop is not None:
            is_many = is_one_of_many(finding)
            often = "among others" if is_many else "for ever"
            return Run(title, trace, loop, _again(loop, len(trace.steps), often), is_many)
        case EventsFinding(trace=trace, loop=loop) if trace is not None and loop is not None:
            trace = closed(part.check.count.model, trace, loop)
            return Run(title, trace, loop, _again(loop, len(trace.steps), "for ever"))
        case _:
            return Run(title, finding.trace, end=_end(finding))


def _again(loop: int, steps: int, often: str) -> str:
    return "no rule can fire: the run has ended" if loop == steps else f"and again from step {loop + 1}, {often}"


def _end(finding: Finding) -> str:
    if isinstance(finding, StateFinding) and finding.member.claim.is_about_deadlock:
        return f"{ending_of(finding.member.claim)} any more"
    return f"here {finding.member.name} is {'reached' if finding.verdict is Verdict.HOLDS else 'violated'}"


def _fault(part: Part, number: int) -> Markup:
    report = part.check.count
    assert report.fault is not None
    title = fault_title(report)
    content = [element("h3", "A fault"), _caption(title)]
    if report.fault.initial:
        content.append(viewer(report.model, Run(title, report.fault, end="the model cannot go on"), f"fault-{number}"))
    return joined(content)


# ---------------------------------------------------------------- again


def _commands(page: Page) -> Markup:
    shown = [
        element("div", element("h3", what), scrolling(what, element("pre", code(command)), class_="command"))
        for what, command in page.commands
    ]
    note = element("p", "The same model and options give the same page, byte by byte.", class_="note")
    return joined(shown, "" if page.has_times else note)
