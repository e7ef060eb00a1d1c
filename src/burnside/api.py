"""The Python interface, for notebooks and scripts: every command as a method, with the same words and defaults."""

from __future__ import annotations

import html
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict, TypeVar, Unpack, final

from burnside.claims.kinds import Fairness
from burnside.claims.printer import print_task
from burnside.claims.task import Task
from burnside.decide.modes import Mode
from burnside.explore.native.run import SearchOptions
from burnside.explore.walk import Walk
from burnside.frontends.loading import ModelFile
from burnside.ir.nodes import Model, Value
from burnside.limits import Deadline
from burnside.report.json import check_object, count_object
from burnside.report.text import check_text, count_text
from burnside.results.findings import CheckReport, CountReport
from burnside.results.trace import Trace
from burnside.source import Diagnostic, ModelError
from burnside.study import Studies, Study

if TYPE_CHECKING:
    from burnside.detect.naming import NamedGenerator
    from burnside.drawings import What
    from burnside.regular.report import Report
    from burnside.regular.system import System as RegularForm
    from burnside.results.coverage import Coverage
    from burnside.results.detection import DetectReport
    from burnside.results.graph import Explored, GraphReport

E = TypeVar("E", bound=Enum)


class SearchKeywords(TypedDict, total=False):
    """How to search: the options of the command line. ``time`` is in seconds, ``memory`` in bytes.

    ``flags`` are for the C compiler, ``cache`` is where compiled checkers are kept: for those who work on Burnside.
    """

    threads: int
    memory: int | None
    time: float | None
    search: Literal["bfs", "dfs"]
    states: int | None
    self_test: bool
    verify: bool
    flags: tuple[str, ...] | None
    cache: Path | None


def load(
    path: str | Path,
    *,
    property_file: str | Path | None = None,
    queue_semantics: str | None = None,
    max_rebecs: int | None = None,
    **constants: int | Sequence[Any],
) -> System:
    """Read a model; keyword arguments override its constants. Raises `burnside.source.ModelError`."""
    values = {name: _value(value) for name, value in constants.items()}
    properties = None if property_file is None else Path(property_file)
    return System(ModelFile(Path(path), values, properties, queue_semantics, max_rebecs))


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
        return Counted(self._study(how).count(_mode(symmetry)))

    def coverage(self, *, symmetry: str | None = None, **how: Unpack[SearchKeywords]) -> Covered:
        """Count, and say which rules never fire and which values no variable takes."""
        return Covered(*self._study(how).count_covering(_mode(symmetry)))

    def check(
        self, *properties: str, symmetry: str = "auto", fairness: str | None = None, **how: Unpack[SearchKeywords]
    ) -> Checked:
        """Decide properties: those named, or all; ``fairness`` is assumed of infinite runs whatever the model says."""
        studies = Studies.of(self.tasks, _options(how))
        return Checked(studies.check(properties, _word(Mode, symmetry), _fairness(fairness)))

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
            _word(Mode, symmetry),
            _fairness(fairness),
            seconds=how.get("time"),
            memory=how.get("memory"),
        )
        return Page(page_text(request.answer(Studies.of(self.tasks, _options(how)))[1]))

    def _study(self, how: SearchKeywords) -> Study:
        return Study(self.tasks[0], _options(how))

    def __str__(self) -> str:
        return print_task(self.tasks[0])


# ---------------------------------------------------------------- answers


@final
@dataclass(frozen=True)
class Counted:
    """The size of a state space; printing it shows what ``burnside count`` shows."""

    report: CountReport

    @property
    def states(self) -> int:
        """Number of states."""
        return self.report.exploration.states

    @property
    def transitions(self) -> int:
        """Number of transitions: enabled rule instances, summed over the states."""
        return self.report.exploration.transitions

    @property
    def deadlocks(self) -> int:
        """Number of states without a successor."""
        return self.report.exploration.deadlocks

    @property
    def depth(self) -> int | None:
        """Greatest distance of a state from an initial one; None if an adaptive search could not tell."""
        return self.report.exploration.depth

    def as_dict(self) -> dict[str, Any]:
        """The object that ``--json`` prints."""
        return count_object(self.report)

    def __str__(self) -> str:
        return count_text(self.report)

    def _repr_html_(self) -> str:
        return _preformatted(str(self))


@final
@dataclass(frozen=True)
class Covered:
    """What an exploration covers; ``coverage`` is None if it was not complete."""

    report: CountReport
    coverage: Coverage | None

    def as_dict(self) -> dict[str, Any]:
        """The object that ``--json`` prints."""
        from burnside.report.coverage import coverage_object

        return count_object(self.report) | {"coverage": self.coverage and coverage_object(self.coverage)}

    def __str__(self) -> str:
        from burnside.report.coverage import coverage_text

        return "\n".join([count_text(self.report), *coverage_text(self.coverage)])

    def _repr_html_(self) -> str:
        return _preformatted(str(self))


@final
@dataclass(frozen=True)
class Checked:
    """Verdicts; printing it shows what ``burnside check`` shows."""

    reports: tuple[CheckReport, ...]

    @cached_property
    def verdicts(self) -> dict[str, str]:
        """``holds``, ``violated`` or ``unknown`` by the name of the property."""
        return {r.full_name(f): f.verdict.value for r in self.reports for f in r.findings}

    @cached_property
    def traces(self) -> dict[str, Trace]:
        """Traces of the properties that have one."""
        return {r.full_name(f): f.trace for r in self.reports for f in r.findings if f.trace}

    def as_dict(self) -> dict[str, Any]:
        """The object that ``--json`` prints."""
        return check_object(self.reports)

    def __str__(self) -> str:
        return check_text(self.reports)

    def _repr_html_(self) -> str:
        return _preformatted(str(self))


@final
@dataclass(frozen=True)
class Simulated:
    """A random walk; the same ``seed`` takes the same way."""

    walk: Walk
    seed: int

    @property
    def trace(self) -> Trace:
        """The run, with the fault in its last state if there is one."""
        return self.walk.trace

    def as_dict(self) -> dict[str, Any]:
        """The object that ``--json`` prints."""
        from burnside.report.walk import walk_object

        return walk_object(self.walk, self.seed)

    def __str__(self) -> str:
        from burnside.report.walk import walk_text

        return walk_text(self.walk, self.seed) if self.walk.positions else "the model has no initial state"

    def _repr_html_(self) -> str:
        return _preformatted(str(self))


@final
@dataclass(frozen=True)
class Symmetric:
    """The symmetries of a model; printing it shows what ``burnside detect`` shows."""

    report: DetectReport

    @property
    def order(self) -> int:
        """The number of symmetries, the identity included."""
        return self.report.order

    @property
    def structure(self) -> str | None:
        """The name of the group, such as ``C5``; None if it is not known."""
        return self.report.structure

    @property
    def generators(self) -> tuple[NamedGenerator, ...]:
        """Symmetries that generate all of them, in the user's terms."""
        return self.report.generators

    def as_dict(self) -> dict[str, Any]:
        """The object that ``--json`` prints."""
        from burnside.report.detection import detect_object

        return detect_object(self.report)

    def __str__(self) -> str:
        from burnside.report.detection import detect_text

        return detect_text(self.report)

    def _repr_html_(self) -> str:
        return _preformatted(str(self))


@final
@dataclass(frozen=True)
class Picture:
    """A picture, and how much it shows."""

    svg: str
    size: str

    def save(self, path: str | Path) -> None:
        """Write it to a file."""
        Path(path).write_text(self.svg, encoding="utf-8")

    def _repr_html_(self) -> str:
        return self.svg[self.svg.find("<svg") :]


@final
@dataclass(frozen=True)
class Page:
    """A page that needs nothing else."""

    text: str

    def save(self, path: str | Path) -> None:
        """Write it to a file."""
        Path(path).write_text(self.text, encoding="utf-8")

    def _repr_html_(self) -> str:
        shown = html.escape(self.text, quote=True)
        return f'<iframe srcdoc="{shown}" width="100%" height="600" style="border:0"></iframe>'


# ---------------------------------------------------------------- patterns


def load_regular(path: str | Path) -> RegularSystem:
    """Read a regular system, for ``burnside pattern``."""
    from burnside.patterns import load_regular as read

    return RegularSystem(read(Path(path)))


@final
@dataclass(frozen=True)
class RegularSystem:
    """A parameterised system; its answers hold for every instance."""

    system: RegularForm

    def check(self, pattern: str | None = None, *, depth: int = 3) -> Answer:
        """Which patterns of the library are symmetries, or whether one pattern is."""
        from burnside.regular.report import check_library, check_pattern

        return Answer(
            check_library(self.system, depth=depth) if pattern is None else check_pattern(self.system, pattern)
        )

    def find(self, *, mode: str = "auto", count: int = 1, free: bool = False) -> Answer:
        """Synthesise patterns."""
        from burnside.regular.modes import MODES
        from burnside.regular.report import FindOptions, find

        if mode not in MODES:
            raise ValueError(f"mode is {mode!r}: it can be {', '.join(MODES)}")
        return Answer(find(self.system, FindOptions(mode, count, free))[0])

    def image(self, pattern: str, **how: Unpack[SearchKeywords]) -> Answer:
        """The image under a pattern; a finite one decides safety for every size at once."""
        from burnside.patterns import image

        return Answer(image(self.system, pattern, _options(how))[0])


def find_patterns(path: str | Path, *, domain: str | None = None, depth: int = 3, **constants: Any) -> Answer:
    """Propose permutations of processes for every size; one constant has several values, such as ``N=range(3, 7)``."""
    from burnside import patterns

    given = [(n, [_value(v)] if isinstance(v, int) else [_value(x) for x in v]) for n, v in constants.items()]
    sizes = patterns.instances(given)
    if len(sizes) < 2:
        raise ValueError("one constant has to have several values, such as N=range(3, 7)")
    members = (patterns.detect_member(Path(path), size, values) for size, values in sizes.items())
    return Answer(patterns.family(members, None, depth=depth, domain=domain)[0])


@final
@dataclass(frozen=True)
class Answer:
    """What ``burnside pattern`` says."""

    report: Report

    @property
    def holds(self) -> bool:
        """Whether it is what was hoped for."""
        return self.report.holds

    def as_dict(self) -> dict[str, Any]:
        """The object that ``--json`` prints."""
        return self.report.content

    def __str__(self) -> str:
        return "\n".join(self.report.lines)

    def _repr_html_(self) -> str:
        return _preformatted(str(self))


# ---------------------------------------------------------------- words


def _preformatted(text: str) -> str:
    return f"<pre>{html.escape(text)}</pre>"


def _options(how: SearchKeywords) -> SearchOptions:
    """The options of a search; a word that is none is refused by its name."""
    given: dict[str, Any] = dict(how)
    order = given.pop("search", "bfs")
    if order not in ("bfs", "dfs"):
        raise ValueError(f"search is {order!r}: it can be bfs or dfs")
    return SearchOptions(deadline=Deadline.after(given.pop("time", None)), depth_first=order == "dfs", **given)


def _mode(symmetry: str | None) -> Mode | None:
    return None if symmetry is None else _word(Mode, symmetry)


def _fairness(fairness: str | None) -> Fairness | None:
    return None if fairness is None else _word(Fairness, fairness)


def _word(kind: type[E], word: str) -> E:
    """The value that a word means."""
    words = [value.value for value in kind]
    if word not in words:
        raise ValueError(f"{kind.__name__.lower()} is {word!r}: it can be {', '.join(words)}")
    return kind(word)


def _incomplete(explored: Explored) -> ValueError:
    found = explored.exploration
    return ValueError(f"there is no complete graph: stopped by {found.stop.value} after {found.states:,} states")


def _value(value: int | Sequence[Any]) -> Value:
    return value if isinstance(value, int) else tuple(_value(v) for v in value)
