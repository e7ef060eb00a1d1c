"""One page about a model: what was asked, the answers, and the commands that give them again."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from typing import Final, final

from burnside import __version__
from burnside.claims.kinds import Fairness
from burnside.claims.task import Task
from burnside.decide.modes import Mode
from burnside.frontends.loading import ModelFile, all_options
from burnside.results.findings import CheckReport
from burnside.results.page import Page
from burnside.source import Source
from burnside.study import Studies
from burnside.values import dataclass

_MODES: Final = {
    Mode.UNIQUE: "one representative of every orbit is explored",
    Mode.MULTI: "representatives are found by local search",
    Mode.NONE: "not used",
    Mode.AUTO: "used if it pays",
    Mode.ADAPTIVE: "adaptive, for processes that are nearly alike",
}


@final
@dataclass(frozen=True, slots=True)
class PageRequest:
    """A model, and what is asked about it. The mode is not ``auto``: that is a race, and the machine decides it."""

    file: ModelFile
    properties: tuple[str, ...] = ()
    mode: Mode = Mode.UNIQUE
    fairness: Fairness | None = None
    seconds: float | None = None
    memory: int | None = None
    has_times: bool = False
    output: str = "report.html"

    def answer(self, studies: Studies) -> tuple[tuple[CheckReport, ...], Page]:
        """Check, and put everything on a page."""
        topology = self.file.topology
        reports = studies.check(self.properties, self.mode, self.fairness)
        asked = zip(studies.asked(self.properties), reports, strict=True)
        parts = [study.overview(members, report, topology) for (study, members), report in asked]
        page = Page(
            title=self.file.path.name,
            sources=tuple(self._sources([study.task for study in studies.all])),
            asked=tuple(self._asked()),
            parts=tuple(parts),
            commands=tuple(self._commands()),
            version=__version__,
            has_times=self.has_times,
        )
        return reports, page

    def _sources(self, tasks: Sequence[Task]) -> Iterator[Source]:
        """The text of the model, and those that its properties come from if they have files of their own."""
        text = self.file.source
        spans = [claim.span for task in tasks for claim in task.claims if claim.span]
        yield text
        yield from {span.source.name: span.source for span in spans if span.source.name != text.name}.values()

    def _asked(self) -> Iterator[tuple[str, str]]:
        """What was asked, in words."""
        yield "Properties", ", ".join(self.properties) or "all"
        if self.fairness is not None:
            yield "Fairness", f"{self.fairness}, whatever the model says"
        yield "Symmetry", _MODES[self.mode]
        limits = [f"{self.seconds:g} seconds"] if self.seconds else []
        limits += [f"{self.memory:,} bytes for states"] if self.memory else []
        if limits:
            yield "Limits", ", ".join(limits)

    # ------------------------------------------------------------ again

    def _commands(self) -> Iterator[tuple[str, str]]:
        """The commands that give the page and its parts again."""
        model = [str(self.file.path), *self._model_words()]
        asked = [word for name in self.properties for word in ("--property", name)]
        search = [*asked, *self._search_words()]
        times = ["--times"] if self.has_times else []
        mode = ["--symmetry", self.mode.value]
        yield "This page", _command("report", *model, *mode, *search, *times, "-o", self.output)
        yield "The verdicts in a terminal", _command("check", *model, *mode, *search)
        yield "The symmetries", _command("detect", *model, *asked, "--explain")

    def _model_words(self) -> Iterator[str]:
        for name, value in self.file.constants.items():
            shown = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
            yield from ("-D", f"{name}={shown}")
        for option in all_options():
            chosen = self.file.options.get(option.name)
            if chosen is not None:
                yield from (option.flag, str(chosen))

    def _search_words(self) -> Iterator[str]:
        if self.fairness is not None:
            yield from ("--fairness", self.fairness.value)
        if self.memory:
            yield from ("--memory", str(self.memory))
        if self.seconds:
            yield from ("--time", f"{self.seconds:g}")


def _command(*words: str) -> str:
    return shlex.join(["burnside", *words])
