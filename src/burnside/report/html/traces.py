"""Runs that can be read from top to bottom, and stepped through where scripts run.

The page holds the initial state as tables and every step as an item of a list. The script reads the steps from the
list, and from a JSON element which cells of the tables each step changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import Any, Final, final

from burnside.ir.cells import Cells
from burnside.ir.nodes import Model
from burnside.report.html.elements import Markup, element, joined, json_script, scrolling
from burnside.report.html.views import StateView, Table
from burnside.report.states import step_texts
from burnside.report.titles import counted
from burnside.results.trace import Trace, TraceStep, changes_between
from burnside.source import printable
from burnside.values import dataclass

_LONG: Final = 24  # characters


@final
@dataclass(frozen=True)
class Run:
    """A run to be shown: ``loop`` steps lead to a loop of the others, ``end`` says what is so in the last state.

    The loop may be one of many that the run takes.
    """

    title: str
    trace: Trace
    loop: int | None = None
    end: str = ""
    is_one_of_many: bool = False

    @property
    def repeats(self) -> bool:
        """Whether there is a loop to go round."""
        return self.loop is not None and self.loop < len(self.trace.steps)


def closed(model: Model, trace: Trace, loop: int) -> Trace:
    """A run whose last state is joined to that after ``loop`` steps by a silent step, with that step."""
    states = [trace.initial, *(step.state for step in trace.steps)]
    changes = changes_between(Cells(model), states[-1], states[loop])
    return Trace(trace.initial, (*trace.steps, TraceStep("tau", "", changes, states[loop], states[-1])))


def viewer(model: Model, run: Run, anchor: str) -> Markup:
    """A run as tables of its initial state and a list of its steps, with what the script needs to step through it."""
    label = f"run of {counted(len(run.trace.steps), 'step')}: {run.title}"
    view = StateView(model)
    states = [view.texts(state) for state in (run.trace.initial, *(step.state for step in run.trace.steps))]
    player = element("div", _buttons(), element("p", class_="now", aria_live="polite"), class_="player", hidden=True)
    longest = [max(map(len, texts)) for texts in zip(*states, strict=True)]
    tables = _tables(view, states[0], longest)
    state = element("div", element("p", "initial state", class_="when"), tables, class_="state")
    body = element("div", state, _steps(model, run), class_="run" if run.trace.steps else "run still")
    script = json_script(_script_values(run, states), class_="cells")
    return element("div", player, body, script, id=anchor, class_="trace", role="group", aria_label=label)


def _buttons() -> Markup:
    """Signs are drawn, because few fonts have them all."""
    names = (
        ("first", "M5,5v14M19,5L8,12L19,19z", "to the initial state (Home)"),
        ("back", "M17,5L6,12L17,19z", "one step back (left arrow)"),
        ("forward", "M7,5L18,12L7,19z", "one step forward (right arrow)"),
        ("last", "M19,5v14M5,5L16,12L5,19z", "to the last step (End)"),
    )
    return element("div", [_button(*name) for name in names], class_="buttons")


def _button(go: str, path: str, label: str) -> Markup:
    sign = element("svg", element("path", d=path), viewBox="0 0 24 24", width=20, height=20, aria_hidden="true")
    return element("button", sign, type="button", data_go=go, aria_label=label, title=label)


def _script_values(run: Run, states: Sequence[Sequence[str]]) -> dict[str, Any]:
    """For each step the cells of the tables that it changes, with their new texts."""
    steps = [
        [[k, printable(new)] for k, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
        for before, after in pairwise(states)
    ]
    return {"loop": run.loop if run.repeats else None, "steps": steps}


# ---------------------------------------------------------------- steps


def _steps(model: Model, run: Run) -> Markup:
    stem = run.loop if run.loop is not None and run.repeats else len(run.trace.steps)
    items = [_item(*texts) for texts in step_texts(model, run.trace.steps)]
    lists = [element("ol", items[:stem], class_="stem")] if stem else []
    if run.repeats:
        often = "are taken again and again, among others" if run.is_one_of_many else "repeat for ever"
        begins = f"here begins the loop: steps {stem + 1} to {len(items)} {often}"
        lists.append(element("p", begins, class_="mark"))
        lists.append(element("ol", items[stem:], class_="loop", start=stem + 1))
    end = element("p", run.end, class_="mark end") if run.end else ""
    return element("div", lists, end, class_="steps", tabindex=0, role="group", aria_label="steps")


def _item(event: str, effect: str) -> Markup:
    return element("li", element("span", event, class_="event"), " ", element("span", effect, class_="effect"))


# ---------------------------------------------------------------- states


def _tables(view: StateView, texts: Sequence[str], longest: Sequence[int]) -> Markup:
    """The tables of a state; ``longest`` is how long the text of each cell becomes in the run."""
    cells = iter([_cell(*values) for values in zip(range(len(texts)), texts, longest, strict=True)])
    return scrolling("state", joined([_table(table, cells) for table in view.tables]), class_="tables")


def _cell(number: int, text: str, longest: int) -> Markup:
    return element("td", text, data_cell=number, class_=_if_long(longest))


def _if_long(length: int) -> str | None:
    """What is long goes over several lines."""
    return "long" if length > _LONG else None


def _table(table: Table, cells: Iterator[Markup]) -> Markup:
    rows = [
        element("tr", element("th", name, scope="row", class_=_if_long(len(name))), [*islice(cells, len(names))])
        for name, names in table.rows
    ]
    caption = element("caption", table.title) if table.title else ""
    titles = (table.corner, *table.columns)
    head = [element("th", title, scope="col", class_=_if_long(len(title))) for title in titles]
    top = element("thead", element("tr", head)) if table.columns else ""
    return element("table", caption, top, element("tbody", rows))
