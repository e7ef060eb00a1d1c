"""A loaded model, and every command as a method."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack, final

from burnside.api.answers import Checked, Counted, Covered, Page, Picture, Simulated, Symmetric
from burnside.api.words import SearchKeywords, constant_of, fairness_of, mode_of, options_of, value_of_word
from burnside.claims.printer import print_task
from burnside.claims.task import Task
from burnside.decide.modes import Mode
from burnside.explore.walk import Walk
from burnside.frontends.loading import ModelFile, all_options
from burnside.ir.nodes import Model
from burnside.source import Diagnostic, ModelError
from burnside.study import Studies, Study

if TYPE_CHECKING:
    from burnside.drawings import What
    from burnside.results.graph import Explored, GraphReport


def load(path: str | Path, **given: int | str | Path | Sequence[Any] | None) -> System:
    """Read a model; keyword arguments are options of its language, or override its constants.

    Raises `burnside.source.ModelError`.
    """
    names = {option.name for option in all_options()}
    options = {name: value for name, value in given.items() if name in names}
    constants = {name: constant_of(value) for name, value in given.items() if name not in names}
    return System(ModelFile(Path(path), constants, options))


@final
class System:
    """A loaded model and what can be asked of it; a text may ask about several processes, each with its model.

    What is about one process is about the first one, as in the commands.
    """

    def __init__(self, file: ModelFile) -> None:
        self._file = file
        self.tasks: tuple[Task, ...] = file.tasks()

    @property
    def model(self) -> Model:
        """The model, of the first process if there are several."""
        return self.tasks[0].model

    # ------------------------------------------------------------ verdicts and figures

    def count(self, *, symmetry: str | None = None, **how: Unpack[SearchKeywords]) -> Counted:
        """Explore the whole state space, or with ``symmetry="unique"`` one state of every orbit."""
        return Counted(self._study(how).count(mode_of(symmetry)))

    def coverage(self, *, symmetry: str | None = None, **how: Unpack[SearchKeywords]) -> Covered:
        """Count, and say which rules never fire and which values no variable takes."""
        return Covered(*self._study(how).count_covering(mode_of(symmetry)))

    def check(
        self, *properties: str, symmetry: str = "auto", fairness: str | None = None, **how: Unpack[SearchKeywords]
    ) -> Checked:
        """Decide properties: those named, or all; ``fairness`` is assumed of infinite runs whatever the model says."""
        studies = Studies.of(self.tasks, options_of(how))
        return Checked(studies.check(properties, value_of_word(Mode, symmetry), fairness_of(fairness)))

    def simulate(self, *, steps: int = 20, seed: int | None = None) -> Simulated:
        """Take a random walk, until a property is violated, the model faults or nothing can happen."""
        number = secrets.randbelow(1_000_000) if seed is None else seed
        walk = self._study({}).walk(number)
        if not isinstance(walk, Walk):
            raise ModelError([Diagnostic("BUR501", walk.message, walk.span)])
        if walk.positions:
            walk.go(steps)
        return Simulated(walk, number)

    # ------------------------------------------------------------ symmetries

    def symmetries(self, *properties: str) -> Symmetric:
        """The symmetries of the model, or those that keep some properties."""
        return Symmetric(self._study({}).symmetries(properties))

    def explain(self, *properties: str) -> Symmetric:
        """The same, with what costs symmetry."""
        return Symmetric(self._study({}).symmetries(properties, explained=True))

    # ------------------------------------------------------------ files

    def draw(self, *properties: str, what: What = "states", **how: Unpack[SearchKeywords]) -> Picture:
        """A picture of the states, the quotient, the groups or the coloured graph, as SVG."""
        from burnside.drawings import MOST_STATES, Drawing, TooLarge, draw_states, draw_symmetries
        from burnside.report.picture import picture

        if what not in ("graph", "states", "quotient", "groups"):
            raise ValueError(f"what is {what!r}: it can be graph, states, quotient or groups")
        study = self._study({"states": MOST_STATES, **how})
        most = study.options.states or MOST_STATES
        is_of_states = what in ("states", "quotient")
        drawn = draw_states(study, properties, what, most) if is_of_states else draw_symmetries(study, properties, what)
        if isinstance(drawn, TooLarge):
            raise ValueError(drawn.reason)
        if not isinstance(drawn, Drawing):
            raise _incomplete(drawn)
        return Picture(picture(drawn.text, "svg", drawn.engine).decode(), drawn.size)

    def export(
        self, *properties: str, format: str = "aut", symmetry: str = "none", **how: Unpack[SearchKeywords]
    ) -> str:
        """The state graph for other tools: ``aut``, ``dot`` or ``jsonl``; with ``unique`` one state of every orbit."""
        from burnside.report.dot import graph_dot
        from burnside.report.graph import aut_lines, json_lines

        writers: dict[str, Callable[[GraphReport], Iterable[str]]] = {
            "aut": aut_lines,
            "dot": graph_dot,
            "jsonl": json_lines,
        }
        if format not in writers or symmetry not in ("none", "unique"):
            raise ValueError("formats are aut, dot and jsonl; symmetry is none or unique")
        study = self._study({"states": 1_000_000, **how})
        members = study.state_members(properties)
        quotient = study.quotient(members) if symmetry == "unique" else None
        explored = study.graph(members, quotient, most=study.options.states)
        if explored.graph is None:
            raise _incomplete(explored)
        return "".join(writers[format](explored.graph))

    def report(
        self, *properties: str, symmetry: str = "unique", fairness: str | None = None, **how: Unpack[SearchKeywords]
    ) -> Page:
        """One page with verdicts, runs, symmetries and pictures, as HTML."""
        from burnside.pages import PageRequest
        from burnside.report.html.page import page_text

        request = PageRequest(
            self._file,
            properties,
            value_of_word(Mode, symmetry),
            fairness_of(fairness),
            seconds=how.get("time"),
            memory=how.get("memory"),
        )
        return Page(page_text(request.answer(Studies.of(self.tasks, options_of(how)))[1]))

    def _study(self, how: SearchKeywords) -> Study:
        return Study(self.tasks[0], options_of(how))

    def __str__(self) -> str:
        return print_task(self.tasks[0])


def _incomplete(explored: Explored) -> ValueError:
    found = explored.exploration
    return ValueError(f"there is no complete graph: stopped by {found.stop.value} after {found.states:,} states")
