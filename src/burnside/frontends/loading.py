"""Files as tasks: which front end reads them, and with which options."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Final, final

from burnside.claims.task import Task
from burnside.frontends import FRONT_ENDS, FrontEnd, archives, front_end_for
from burnside.frontends.front_end import Loaded
from burnside.frontends.kit.constants import Given, refuse_truths
from burnside.frontends.kit.options import FileOption, Option, Options
from burnside.ir.topology import Topology
from burnside.limits import phase
from burnside.source import Diagnostic, ModelError, Source, is_allowed
from burnside.values import dataclass, field

_LARGEST_FILE: Final = 64 << 20

Warn = Callable[[Diagnostic], None]


def all_options() -> Iterator[Option]:
    """The options of all languages, each once."""
    return iter(dict.fromkeys(option for front_end in FRONT_ENDS for option in front_end.options))


@final
@dataclass(frozen=True)
class ModelFile:
    """A file with a model, and how it is read: constants, and options of its language by their names.

    It is read once for all that is asked about its first process, and once for all processes.
    """

    path: Path
    constants: Mapping[str, Given] = field(default_factory=dict)
    options: Mapping[str, object] = field(default_factory=dict)

    @phase("reading the model")
    def tasks(self, warned: Warn | None = None) -> tuple[Task, ...]:
        """All that the text asks, a task for each process it asks about; `ModelError` with every diagnostic if it is
        wrong. What there is to say about a model that can be used goes to ``warned``.
        """
        return _usable(self._all, warned)

    @phase("reading the model")
    def first(self, warned: Warn | None = None) -> Task:
        """The first process that the text asks about, without claims that compare it with others."""
        return _usable(self._first, warned)[0]

    @property
    def topology(self) -> Topology | None:
        """Who knows whom in a model of actors; None in other languages."""
        # Whichever has been read: both are of one text.
        return (self._all if "_all" in self.__dict__ else self._first).topology

    @property
    def is_plain(self) -> bool:
        """Whether rules and variables of the model are those that its author wrote."""
        return front_end_for(self.path).is_plain

    @cached_property
    def source(self) -> Source:
        """The text of the model; in an archive, that of the file that its language reads."""
        return read_source(self.path, front_end_for(self.path).archived)

    @cached_property
    def _all(self) -> Loaded:
        return self._load(only_first=False)

    @cached_property
    def _first(self) -> Loaded:
        return self._load(only_first=True)

    def _load(self, *, only_first: bool) -> Loaded:
        front_end = front_end_for(self.path)
        refuse_truths(self.constants, front_end.takes_truths)
        options = Options(dict(self._chosen(front_end)), only_first)
        return front_end.load(self.source, self.constants, options)

    def _chosen(self, front_end: FrontEnd) -> Iterator[tuple[str, object]]:
        """What a front end is told about a text: what was chosen, and files beside it."""
        for option in all_options():
            if self.options.get(option.name) is not None and option not in front_end.options:
                raise _refused(f"{option.flag} is not for {front_end.name} models")
        for option in front_end.options:
            value = self.options.get(option.name)
            if isinstance(option, FileOption):
                named = self._beside(option) if value is None else Path(str(value))
                if named is not None:
                    yield option.name, self._read(named)
            elif value is not None:
                expected = option.accept(value)
                if expected is not None:
                    raise _refused(f"{option.flag} takes {expected}, found {value!r}")
                yield option.name, value

    def _read(self, named: Path) -> Source:
        """A file that belongs to the model: of an archive, one that is in it if there is none of that name outside."""
        is_inside = self.path.suffix in archives.SUFFIXES and named.name == str(named) and not named.exists()
        return read_source(self.path, named.name) if is_inside else read_source(named)

    def _beside(self, option: FileOption) -> Path | None:
        """The file that is read with the model without being named, if there is one."""
        beside = self.path.with_suffix(option.suffix) if option.suffix else None
        return beside if beside is not None and beside.is_file() else None


def _usable(loaded: Loaded, warned: Warn | None) -> tuple[Task, ...]:
    if not loaded.tasks:
        raise ModelError(loaded.diagnostics.sorted())
    if warned is not None:
        for diagnostic in loaded.diagnostics.sorted():
            if not is_allowed(diagnostic):
                warned(diagnostic)
    return loaded.tasks


def _refused(message: str) -> ModelError:
    return ModelError([Diagnostic("BUR902", message)])


def load(path: Path, constants: Mapping[str, Given] | None = None) -> Task:
    """The first process that a file asks about, in the language its suffix names."""
    return ModelFile(path, constants or {}).first()


def load_tasks(path: Path, constants: Mapping[str, Given] | None = None) -> tuple[Task, ...]:
    """All that a file asks, a task for each process."""
    return ModelFile(path, constants or {}).tasks()


def read_source(path: Path, archived: str = "") -> Source:
    """The text of a file, or of the one in an archive that is called ``archived``; or a diagnostic that says why it
    cannot be read.
    """
    is_inside = archived and path.suffix in archives.SUFFIXES
    try:
        if is_inside:
            content = archives.read_member(path, archived, _LARGEST_FILE)
            return Source(f"{path}/{archived}", content.decode())
        return Source(str(path), _content(path).decode())
    except archives.Unreadable as error:
        raise _unreadable(path, str(error)) from error
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
