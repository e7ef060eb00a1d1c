"""What symmetry saves: bars and figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from burnside.report.html.elements import Markup, element, joined, scrolling
from burnside.report.html.states import why_incomplete
from burnside.report.titles import STOPPED, counted, orders_title, simplification_title, slicing_title
from burnside.results.exploration import Exploration, Stop
from burnside.results.findings import CheckReport, RunsFinding
from burnside.results.page import Part

_WIDTH: Final = 1_000


def reduction(part: Part, *, has_times: bool) -> Markup:
    """States with and without symmetry, and how the answers were found."""
    return joined(_bars(part), _comparison(part, has_times=has_times), _searches(part.check, has_times=has_times))


# ---------------------------------------------------------------- bars


def _bars(part: Part) -> Markup:
    reduced = part.quotient.exploration
    if reduced.stop is not Stop.COMPLETE:
        return element("p", f"{why_incomplete(part.quotient)} Sizes are not compared here.")
    if not part.is_reduced:
        return element("p", f"There is no symmetry to use: {counted(reduced.states, 'state')}.")
    full = part.all_states
    if full is None:
        return element("p", f"{counted(reduced.states, 'orbit')} of states; how many states that are is not known.")
    factor = element("strong", f"{full / max(1, reduced.states):,.1f} times")
    order = part.detection.detection.symmetry.order
    said = element(
        "p",
        "Without symmetry there are ",
        factor,
        f" as many states to explore; {counted(order, 'symmetry')} can save no more than {order:,} times.",
    )
    return joined(said, _chart((("without symmetry", full, "plain"), ("one of every orbit", reduced.states, "saved"))))


def _chart(bars: Sequence[tuple[str, int, str]]) -> Markup:
    """Bars of one scale, as wide as the page allows; the words beside them do not shrink with it."""
    most = max(count for _, count, _ in bars)
    return element("div", [_bar(*bar, most) for bar in bars], class_="bars")


def _bar(name: str, count: int, kind: str, most: int) -> Markup:
    width = max(4.0, _WIDTH * count / max(1, most))
    shapes = [
        element("title", f"{name}: {counted(count, 'state')}"),
        element("rect", width=_WIDTH, height=10, class_="ground"),
        element("rect", width=width, height=10, class_=kind),
    ]
    label = element("p", element("span", name), " ", element("strong", f"{count:,}"))
    # Stretched across, whatever the width of the page is.
    drawn = element("svg", shapes, viewBox=f"0 0 {_WIDTH} 10", preserveAspectRatio="none", role="img")
    return element("div", label, drawn)


# ---------------------------------------------------------------- figures


def _comparison(part: Part, *, has_times: bool) -> Markup:
    if part.whole is None or part.whole.graph is None or part.quotient.graph is None:
        return Markup("")
    columns = (part.whole.exploration, part.quotient.exploration)
    rows = [_row(name, values) for name, *values in zip(_NAMES, *map(_figures, columns), strict=False)]
    if has_times:
        rows.append(_row("time", [f"{found.seconds:.3f} s" for found in columns]))
        rows.append(_row("memory", [_bytes(found.bytes) for found in columns]))
    head = element("tr", [element("th", t, scope="col") for t in ("the whole state space", "all states", "orbits")])
    return element("table", element("thead", head), element("tbody", rows), class_="figures")


_NAMES: Final = ("states", "steps", "deadlocks", "depth")


def _figures(found: Exploration) -> list[str]:
    values = (found.states, found.transitions, found.deadlocks, found.depth)
    return ["not known" if value is None else f"{value:,}" for value in values]


def _row(name: str, values: Sequence[str]) -> Markup:
    return element("tr", element("th", name, scope="row"), [element("td", v) for v in values])


def _bytes(count: int) -> str:
    return f"{count / (1 << 20):,.1f} MB"


def _searches(check: CheckReport, *, has_times: bool) -> Markup:
    """The explorations that decided the properties."""
    rows = [_row(name, values) for name, values in _search_rows(check, has_times=has_times)]
    titles = ["what was decided", "states explored", "steps", "symmetries", "how", *(["time"] if has_times else [])]
    head = element("tr", [element("th", t, scope="col") for t in titles])
    table = element("table", element("thead", head), element("tbody", rows), class_="figures searches")
    return joined(
        element("h3", "The searches that gave the answers"),
        scrolling("searches", table),
    )


def _search_rows(check: CheckReport, *, has_times: bool) -> Iterator[tuple[str, list[str]]]:
    of_runs = [f for f in check.findings if isinstance(f, RunsFinding)]
    searches = [("properties of states", check.count)] if not any(f.search is check.count for f in of_runs) else []
    searches += [(f.member.name, f.search) for f in of_runs if f.search is not None and not f.decided_by]
    for name, search in searches:
        found, used = search.exploration, search.symmetry
        left_out = (slicing_title(search.slicing), simplification_title(search.simplification))
        others = (orders_title(search.partial_order), *left_out)
        parts = (used.strategy or "", used.reason, *others, _ENDS.get(found.stop, ""))
        how = ", ".join(text for text in parts if text)
        values = [f"{found.states:,}", f"{found.transitions:,}", f"{used.order:,}", how or "every state"]
        yield name, [*values, *([f"{found.seconds:.3f} s, {_bytes(found.bytes)}"] if has_times else [])]
    if check.labelled is not None:
        found = check.labelled
        values = [f"{found.states:,}", f"{found.transitions:,}", "1", "without symmetry"]
        yield "claims about events", [*values, *([f"{found.seconds:.3f} s"] if has_times else [])]


_ENDS: Final = {**STOPPED, Stop.DECIDED: "ended when all was decided", Stop.FAULT: "ended by a fault"}
