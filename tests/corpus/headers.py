"""What a model says about itself, in lines that begin with ``//!``.

A line about a wrong text is a diagnostic: ``LINE:COLUMN CODE MESSAGE``. Any other line is about a case, the model with
some constants: ``NAME=VALUE …: PART, PART, …``, without constants if the model has none or keeps its own. A value is
written as ``-D`` takes it. Lines about the same constants add up. A part is

* a figure of all states: ``states``, ``transitions``, ``deadlocks``, ``depth``, ``order`` (of the group), ``orbits``
  (what ``unique`` stores) or ``annotated`` (what ``adaptive`` stores), each with a number;
* a verdict: ``CLAIM holds``, ``violated``, ``reached``, ``unreached`` or ``unknown``, perhaps ``after N`` steps;
* a claim about runs under each kind of fairness: ``CLAIM under --+-++``, in the order of `FAIRNESS`, + if it holds;
* ``fault after N`` steps;
* ``patterns NAME …``, or ``patterns none``: the library's symmetries of a regular system, at every size;
* ``modes MODE MODE …``: these and no others are asked;
* ``slow``: left to the long run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from burnside.claims.kinds import Fairness
from burnside.ir.nodes import Value

ROOT = Path(__file__).parents[2]
MARK = "//! "
SUFFIXES = (".seq", ".csp", ".rebeca", ".diagram", ".pnml", ".regular")
FIGURES = ("states", "transitions", "deadlocks", "depth", "order", "orbits", "annotated")
TRUTH = {"false": False, "true": True}
FAIRNESS = tuple(Fairness)  # none, weak, strong, weak and strong of events, global

_CONSTANTS = re.compile(r"((?:\w+=\S+ )*\w+=\S+): ")
_VERDICT = re.compile(r"(.+) (reached|unreached|holds|violated|unknown)(?: after (\d+))?$")
_UNDER = re.compile(rf"(.+) under ([-+]{{{len(FAIRNESS)}}})$")
_DIAGNOSTIC = re.compile(r"(-|\d+:\d+) (BUR\d+)(?: (.*))?$")
_BETWEEN_PARTS = re.compile(r", (?![^()]*\))")


class HeaderError(Exception):
    """A line that says nothing."""


@dataclass
class Case:
    """A model with some constants, and what is right about it."""

    path: Path
    constants: Mapping[str, Value]
    figures: dict[str, int] = field(default_factory=dict)
    verdicts: dict[str, tuple[str, int | None]] = field(default_factory=dict)
    fairness: dict[str, str] = field(default_factory=dict)
    fault: int | None = None
    modes: tuple[str, ...] | None = None
    patterns: tuple[str, ...] | None = None
    is_slow: bool = False

    @property
    def name(self) -> str:
        """The model and its constants."""
        return f"{self.path.relative_to(ROOT).as_posix()} {self.words}".rstrip()

    @property
    def words(self) -> str:
        """The constants as they are written."""
        return " ".join(f"{k}={_written(v)}" for k, v in self.constants.items())

    def add(self, text: str) -> None:
        """One part of a line."""
        words = text.split()
        if found := _UNDER.match(text):
            self.fairness[found[1]] = found[2]
        elif found := _VERDICT.match(text):
            self.verdicts[found[1]] = found[2], None if found[3] is None else int(found[3])
        elif words[0] in FIGURES and len(words) == 2:
            self.figures[words[0]] = int(words[1])
        elif words[:2] == ["fault", "after"]:
            self.fault = int(words[2])
        elif words[0] == "modes":
            self.modes = tuple(words[1:])
        elif words[0] == "patterns":
            self.patterns = tuple(word for word in words[1:] if word != "none")
        elif words == ["slow"]:
            self.is_slow = True
        else:
            raise HeaderError(f"{self.path}: '{text}' says nothing")


@dataclass(frozen=True)
class Announced:
    """A diagnostic that a text must cause; the message may be a beginning."""

    place: str
    code: str
    message: str


def cases_of(path: Path) -> list[Case]:
    """The cases of a file, in order."""
    found: dict[str, Case] = {}
    for line in _lines(path):
        if _DIAGNOSTIC.match(line):
            continue
        given = _CONSTANTS.match(line)
        constants = given[1] if given else ""
        case = found.setdefault(constants, Case(path, _constants(constants)))
        for part in _BETWEEN_PARTS.split(line[given.end() :] if given else line):
            case.add(part)
    return list(found.values())


def announced_by(path: Path) -> list[Announced]:
    """The diagnostics that a file announces, in order."""
    matches = (_DIAGNOSTIC.match(line) for line in _lines(path))
    return [Announced(found[1], found[2], found[3] or "") for found in matches if found]


def models_in(folder: Path) -> list[Path]:
    """The models below a folder."""
    return sorted(path for path in folder.rglob("*") if path.suffix in SUFFIXES)


def _lines(path: Path) -> Iterator[str]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith(MARK):
            yield line.removeprefix(MARK)


def _constants(text: str) -> dict[str, Value]:
    return {name: _value(value) for name, _, value in (word.partition("=") for word in text.split())}


def _value(text: str) -> Value:
    if text in TRUTH:
        return TRUTH[text]
    return tuple(map(int, text[1:-1].split(","))) if text.startswith("[") else int(text)


def _written(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"[{','.join(map(str, value))}]" if isinstance(value, tuple) else str(value)
