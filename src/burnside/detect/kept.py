"""Symmetries that are kept between runs: what took long to find is found in the cache.

The key is a digest of the model, of what is to be kept, and of the code that finds it, so nothing is ever out of date.
Only what was seen through completely and passed validation is kept.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, final

from burnside import __version__
from burnside.cache import Cache, digest
from burnside.claims.requirements import Required
from burnside.detect.detection import Detection, Figures, Stages
from burnside.detect.equal_cells import EqualCells
from burnside.detect.literals import Literals
from burnside.detect.symmetry import VALIDATED, Symmetry
from burnside.groups import PermGroup
from burnside.ir.cells import Cells
from burnside.ir.nodes import Model
from burnside.source import ModelError

_LONG: Final = 0.05  # seconds: what takes less is found again as soon as it is read
_CODE: Final = ("claims", "detect", "graph", "groups", "ir")  # what decides which symmetries are found


@final
class KeptDetections:
    """What a cache knows about the symmetries of one model; nothing, where there is no cache."""

    def __init__(self, model: Model, directory: Path | None) -> None:
        self._model = model
        self._directory = directory
        self._text = ""

    def find(self, asked: Sequence[Required], stages: Callable[[], Stages]) -> Detection | None:
        """The symmetries that keep some conditions, if they were found before."""
        content = self._read("symmetries", asked)
        return None if content is None else _detection(content, self._model, stages)

    def keep(self, asked: Sequence[Required], found: Detection) -> None:
        """Keep what was found, unless that was quick, or something was not seen through."""
        if found.figures.seconds > _LONG and not found.rejected and not found.unseen:
            self._write("symmetries", asked, _content(found))

    def find_order(self, asked: Sequence[Required]) -> int | None:
        """How many symmetries keep some conditions, if they were counted before."""
        content = self._read("order", asked)
        return None if content is None else int(content["order"])

    def keep_order(self, asked: Sequence[Required], order: int, seconds: float) -> None:
        """Keep how many symmetries there are, unless that was quickly counted."""
        if seconds > _LONG:
            self._write("order", asked, {"order": str(order)})

    def _key(self, what: str, asked: Sequence[Required]) -> str:
        self._text = self._text or repr(self._model)
        return digest((what, _code(), self._text, repr(tuple(asked))))

    def _read(self, what: str, asked: Sequence[Required]) -> Mapping[str, Any] | None:
        if self._directory is None:
            return None
        with suppress(ModelError, OSError, ValueError):  # no cache is no reason to have no symmetries
            path = Cache(self._directory).find(self._key(what, asked))
            if path is not None:
                content: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
                return content
        return None

    def _write(self, what: str, asked: Sequence[Required], content: Mapping[str, Any]) -> None:
        if self._directory is None:
            return
        with suppress(ModelError):
            kept = Cache(self._directory)
            with kept.room() as private:
                made = private / "kept.json"
                made.write_text(json.dumps(content, separators=(",", ":")), encoding="utf-8")
                kept.enter(self._key(what, asked), made)


def _content(found: Detection) -> dict[str, Any]:
    symmetry = found.symmetry
    return {
        "points": symmetry.literals.points,
        "generators": symmetry.group.generators,
        "exchanges": [symmetry.exchanges[g] for g in symmetry.group.generators],
        "order": str(symmetry.order),
        "equal": found.equal.classes,
        "kinds": found.kinds,
        "figures": found.figures,
    }


def _detection(content: Mapping[str, Any], model: Model, stages: Callable[[], Stages]) -> Detection:
    literals = Literals(Cells(model), tuple((cell, value) for cell, value in content["points"]))
    generators = tuple(map(tuple, content["generators"]))
    group = PermGroup(len(literals.points), generators, int(content["order"]))
    exchanges = dict(zip(generators, map(tuple, content["exchanges"]), strict=True))
    return Detection(
        Symmetry(literals, group, exchanges, VALIDATED),
        (),
        EqualCells(tuple(map(tuple, content["equal"]))),
        tuple(content["kinds"]),
        Figures(*content["figures"]),
        stages,
        is_kept=True,
    )


@cache
def _code() -> str:
    """What tells apart versions of the code that finds symmetries, without reading it."""
    root = Path(__file__).parents[1]
    found = [__version__]
    for folder in _CODE:
        with os.scandir(root / folder) as entries:
            for entry in sorted(entries, key=lambda e: e.name):
                if entry.name.endswith(".py"):
                    status = entry.stat()
                    found.append(f"{folder}/{entry.name} {status.st_size} {status.st_mtime_ns}")
    return "\n".join(found)
