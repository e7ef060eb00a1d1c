"""A loaded model, and every command as a method."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack, final

from burnside.api.answers import Checked, Counted, Covered, Page, Picture, Simulated, Symmetric
from burnside.api.words import SearchKeywords, constant_of, fairness_of, mode_of, options_of, value_of_word
from burnside.claims.printer import print_task
from burnside.claims.task import Task
from burnside.decide.modes import Mode
from burnside.explore.checkpoints import Checkpoint, digest_of_model, keeping
from burnside.explore.manifests import Asked
from burnside.explore.orders import Orders
from burnside.explore.walk import Walk
from burnside.frontends.loading import ModelFile, all_options
from burnside.ir.nodes import Model
from burnside.lint.run import warnings_about
from burnside.report.renderers import formats_of, render
from burnside.results.answers import Drawing, GraphAnswer, Kind
from burnside.results.remarks import fault_diagnostic
from burnside.source import Diagnostic, ModelError
from burnside.study import Studies, Study, actor_symmetries
from burnside.values import replace

if TYPE_CHECKING:
    from burnside.drawings import What
    from burnside.results.graph import Explored


def load(path: str | Path, **given: int | str | Path | Sequence[Any] | None) -> System:
    """Read a model; keyword arguments are options of its language, or override its constants.

    Raises `burnside.source.ModelError`.
    """
    names = {option.name for option in all_options()}
    options = {name: value for name, value in given.items() if name in names}
    constants = {name: constant_of(value) for name, value in given.items() if name not in names}
    return System(ModelFile(Path(path), constants, options))


def resume(directory: str | Path, **how: Unpack[SearchKeywords]) -> Checked | Counted:
    """Go on with a check or a count that was begun with ``checkpoint=directory``, within other limits."""
    with Checkpoint.open(Path(directory)) as kept:
        asked = kept.asked
        system = load(asked.model, **{**asked.options, **asked.constants})
        kept_words = {"slices": asked.slices, "fingerprint": asked.fingerprint}
        for word in sorted(kept_words.keys() & how):
            raise ValueError(f"{word} cannot be given again: {directory} goes on with {kept_words[word]}")
        how = {"store": asked.store, **how, **kept_words}  # type: ignore[typeddict-item]
        if asked.command == "count":
            return system.count(symmetry=asked.symmetry, checkpoint=kept, **how)
        return system.check(
            *asked.properties,
            symmetry=asked.symmetry or "auto",
            partial_order=asked.partial_order,
            checkpoint=kept,
            **how,
        )


@final
class System:
    """A loaded model and what can be asked of it; a text may ask about several processes, each with its model.

    What is about one process is about the first one, as in the commands.
    """

    def __init__(self, file: ModelFile) -> None:
        self._file = file
        heard: list[Diagnostic] = []
        self.tasks: tuple[Task, ...] = file.tasks(heard.append)
        self.warnings: tuple[Diagnostic, ...] = (*heard, *(warnings_about(self.tasks) if file.is_plain else ()))
        self._known = [*map(Study, self.tasks)]

    @property
    def model(self) -> Model:
        """The model, of the first process if there are several."""
        return self.tasks[0].model

    # ------------------------------------------------------------ verdicts and figures

    def count(
        self,
        *,
        symmetry: str | None = None,
        checkpoint: str | Path | Checkpoint | None = None,
        **how: Unpack[SearchKeywords],
    ) -> Counted:
        """Explore the whole state space, or with ``symmetry="unique"`` one state of every orbit.

        What is found is kept in the new directory ``checkpoint``, from which `burnside.resume` goes on.
        """
        with self._keeping(checkpoint, "count", how, symmetry=symmetry) as kept:
            study = self._known[0].with_options(replace(options_of(how), checkpoint=kept))
            return Counted(study.count(mode_of(symmetry)), self.warnings)

    def coverage(self, *, symmetry: str | None = None, **how: Unpack[SearchKeywords]) -> Covered:
        """Count, and say which rules never fire and which values no variable takes."""
        return Covered(*self._study(how).count_covering(mode_of(symmetry)), self.warnings)

    def check(
        self,
        *properties: str,
        symmetry: str = "auto",
        fairness: str | None = None,
        partial_order: str = "auto",
        checkpoint: str | Path | Checkpoint | None = None,
        **how: Unpack[SearchKeywords],
    ) -> Checked:
        """Decide properties: those named, or all; ``fairness`` is assumed of infinite runs whatever the model says.

        With ``partial_order="on"``, only some of the orders are explored in which independent steps can be taken; with
        ``auto``, if there are many states and that is quicker. Variables that nothing depends on are left out of the
        states unless ``slices=False``; traces have all of them. What is found is kept in the new directory
        ``checkpoint``, from which `burnside.resume` goes on.
        """
        how.setdefault("slices", True)
        options = replace(options_of(how), partial_order=value_of_word(Orders, partial_order, "partial_order"))
        asked = {"properties": properties, "symmetry": symmetry, "partial_order": partial_order}
        with self._keeping(checkpoint, "check", how, **asked) as kept:
            options = replace(options, checkpoint=kept)
            studies = Studies([study.with_options(options) for study in self._known])
            reports = studies.check(properties, value_of_word(Mode, symmetry), fairness_of(fairness))
        return Checked(reports, str(self._file.path), self.warnings)

    def _keeping(
        self, where: str | Path | Checkpoint | None, command: str, how: SearchKeywords, **asked: Any
    ) -> AbstractContextManager[Checkpoint | None]:
        """Where what is found is kept, if it is."""
        file, slices, store = self._file, how.get("slices", False), how.get("store", "auto")
        bits = how.get("fingerprint")
        path = str(file.path.absolute())
        question = Asked(
            command, path, file.constants, file.options, slices=slices, store=store, fingerprint=bits, **asked
        )
        to = Path(where) if isinstance(where, str) else where
        return keeping(to, question, lambda: digest_of_model(command, file.source.text, self.tasks))

    def simulate(self, *, steps: int = 20, seed: int | None = None) -> Simulated:
        """Take a random walk, until a property is violated, the model faults or nothing can happen."""
        number = secrets.randbelow(1_000_000) if seed is None else seed
        walk = self._study({}).walk(number)
        if not isinstance(walk, Walk):
            raise ModelError([fault_diagnostic(walk)])
        if walk.positions:
            walk.go(steps)
        return Simulated(walk, number, self.warnings)

    # ------------------------------------------------------------ symmetries

    def symmetries(self, *properties: str) -> Symmetric:
        """The symmetries of the model, or those that keep some properties."""
        return self._symmetries(properties, explained=False)

    def explain(self, *properties: str) -> Symmetric:
        """The same, with what costs symmetry."""
        return self._symmetries(properties, explained=True)

    def _symmetries(self, properties: tuple[str, ...], *, explained: bool) -> Symmetric:
        report = self._study({}).symmetries(properties, explained=explained)
        return Symmetric(report, actor_symmetries(self._file.topology, report), self.warnings)

    # ------------------------------------------------------------ files

    def draw(self, *properties: str, what: What = "states", **how: Unpack[SearchKeywords]) -> Picture:
        """A picture of the states, the quotient, the groups or the coloured graph, as SVG."""
        from burnside.drawings import MOST_STATES, TooLarge, draw_states, draw_symmetries

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
        drawing = render(drawn, "svg")
        assert isinstance(drawing, bytes)
        return Picture(drawing.decode(), drawn.size)

    def export(
        self, *properties: str, format: str = "aut", symmetry: str = "none", **how: Unpack[SearchKeywords]
    ) -> str:
        """The state graph for other tools: ``aut``, ``dot`` or ``jsonl``; with ``unique`` one state of every orbit."""
        known = formats_of(Kind.GRAPH)
        if format not in known or symmetry not in ("none", "unique"):
            raise ValueError(f"formats are {', '.join(known)}; symmetry is none or unique")
        study = self._study({"states": 1_000_000, **how})
        members = study.state_members(properties)
        quotient = study.quotient(members) if symmetry == "unique" else None
        explored = study.graph(members, quotient, most=study.options.states)
        if explored.graph is None:
            raise _incomplete(explored)
        return "".join(map(str, render(GraphAnswer(explored.graph), format)))

    def report(
        self, *properties: str, symmetry: str = "unique", fairness: str | None = None, **how: Unpack[SearchKeywords]
    ) -> Page:
        """One page with verdicts, runs, symmetries and pictures, as HTML."""
        from burnside.pages import PageRequest

        request = PageRequest(
            self._file,
            properties,
            value_of_word(Mode, symmetry),
            fairness_of(fairness),
            seconds=how.get("time"),
            memory=how.get("memory"),
        )
        return Page(str(render(request.answer(self._studies(how))[1], "html")))

    def _study(self, how: SearchKeywords) -> Study:
        return self._known[0].with_options(options_of(how))

    def _studies(self, how: SearchKeywords) -> Studies:
        return Studies([study.with_options(options_of(how)) for study in self._known])

    def __str__(self) -> str:
        return print_task(self.tasks[0])


def _incomplete(explored: Explored) -> ValueError:
    found = explored.exploration
    return ValueError(f"there is no complete graph: stopped by {found.stop.value} after {found.states:,} states")
