"""Files as tasks: which front end reads them, and with which options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, final

from burnside.claims.task import Task
from burnside.frontends import FrontEnd, front_end_for
from burnside.frontends.front_end import NO_OPTIONS, LoadOptions
from burnside.frontends.given import refuse_truths
from burnside.ir.nodes import Value
from burnside.ir.topology import Topology
from burnside.limits import phase
from burnside.source import Diagnostic, ModelError, Source

_LARGEST_FILE: Final = 64 << 20


@final
@dataclass(frozen=True, slots=True)
class ModelFile:
    """A file with a model, and how it is read.

    ``properties`` is the file of its properties (None: the one beside it); what is None was not given.
    """

    path: Path
    constants: Mapping[str, Value] = field(default_factory=dict)
    properties: Path | None = None
    queue_semantics: str | None = None
    max_rebecs: int | None = None

    @phase("reading the model")
    def tasks(self, warned: Callable[[Diagnostic], None] | None = None) -> tuple[Task, ...]:
        """All that the text asks, a task for each process it asks about; `ModelError` with every diagnostic if it is
        wrong. What there is to say about a model that can be used goes to ``warned``.
        """
        return self._load(warned, only_first=False)

    @phase("reading the model")
    def first(self, warned: Callable[[Diagnostic], None] | None = None) -> Task:
        """The first process that the text asks about, without claims that compare it with others."""
        return self._load(warned, only_first=True)[0]

    def topology(self) -> Topology | None:
        """Who knows whom in a model of actors; None in other languages."""
        front_end = front_end_for(self.path)
        if front_end.load_topology is None:
            return None
        return front_end.load_topology(read_source(self.path), self.constants, self._options(front_end))

    def _load(self, warned: Callable[[Diagnostic], None] | None, *, only_first: bool) -> tuple[Task, ...]:
        front_end = front_end_for(self.path)
        refuse_truths(self.constants, front_end)
        options = self._options(front_end, only_first=only_first)
        tasks, diagnostics = front_end.load(read_source(self.path), self.constants, options)
        if not tasks:
            raise ModelError(diagnostics.sorted())
        if warned is not None:
            for diagnostic in diagnostics.sorted():
                warned(diagnostic)
        return tasks

    def _options(self, front_end: FrontEnd, *, only_first: bool = False) -> LoadOptions:
        """What a front end is told about a text; properties are looked for beside it if no file is named."""
        given = {
            "--properties": self.properties,
            "--queue-semantics": self.queue_semantics,
            "--max-rebecs": self.max_rebecs,
        }
        for option, value in given.items():
            if value is not None and front_end.load_topology is None:
                raise ModelError([Diagnostic("BUR902", f"{option} is not for {front_end.name} models")])
        properties = self.properties
        beside = self.path.with_suffix(front_end.properties) if front_end.properties else None
        if properties is None and beside is not None and beside.is_file():
            properties = beside
        return LoadOptions(
            None if properties is None else read_source(properties),
            self.queue_semantics or NO_OPTIONS.queue_semantics,
            self.max_rebecs or NO_OPTIONS.max_rebecs,
            only_first,
        )


def load(path: Path, constants: Mapping[str, Value] | None = None) -> Task:
    """The first process that a file asks about, in the language its suffix names."""
    return ModelFile(path, constants or {}).first()


def load_tasks(path: Path, constants: Mapping[str, Value] | None = None) -> tuple[Task, ...]:
    """All that a file asks, a task for each process."""
    return ModelFile(path, constants or {}).tasks()


def read_source(path: Path) -> Source:
    """The text of a file, or a diagnostic that says why it cannot be read."""
    try:
        return Source(str(path), _content(path).decode())
    except OSError as error:
        raise _unreadable(path, error.strerror or "unknown error") from error
    except UnicodeDecodeError as error:
        raise _unreadable(path, f"byte {error.start} is not UTF-8") from error


def _content(path: Path) -> bytes:
    """The bytes of a file; a device may have no size, and no end."""
    content = bytearray()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            content += piece
            if len(content) > _LARGEST_FILE:
                raise _unreadable(path, f"it is larger than {_LARGEST_FILE >> 20} MB")
    return bytes(content)


def _unreadable(path: Path, reason: str) -> ModelError:
    return ModelError([Diagnostic("BUR106", f"cannot read '{path}': {reason}")])
