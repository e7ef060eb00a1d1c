"""Which answer can be shown in which format: the one table, and how it is used.

A new format is a file with a function for each kind of answer that it can show, and its name in those rows. Functions
are named instead of imported: a command loads the one that it uses.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias

from burnside.results.answers import Answer, Kind

# Text that is printed; parts of a long text, or bytes, for files.
Rendered: TypeAlias = "str | bytes | Iterable[str]"

# Tools that annotate files are shown the diagnostics of any answer about a model, without figures.
_REMARKS: Final = {"sarif": "sarif:remarks", "github": "github:remarks"}

# By kind and format: a module of this package and a function in it, from an answer of the kind to what is shown.
RENDERERS: Final[Mapping[Kind, Mapping[str, str]]] = {
    Kind.CHECK: {
        "text": "text:check",
        "json": "json:check",
        "junit": "junit:check",
        "sarif": "sarif:check",
        "github": "github:check",
    },
    Kind.COUNT: {"text": "text:count", "json": "json:count", **_REMARKS},
    Kind.DETECT: {
        "text": "detection:text",
        "json": "detection:json",
        "gap": "detection:gap",
        "dot": "detection:dot",
        "dimacs": "detection:dimacs",
        **_REMARKS,
    },
    Kind.WALK: {"text": "walk:text", "json": "walk:json", **_REMARKS},
    Kind.PATTERN: {"text": "text:pattern", "json": "json:pattern", **_REMARKS},
    Kind.GRAPH: {"aut": "graph:aut", "dot": "dot:states", "jsonl": "graph:jsonl"},
    Kind.DRAWING: {"svg": "picture:svg", "png": "picture:png"},
    Kind.PAGE: {"html": "html.page:page_text"},  # of `report`, and of `check --format html`
    Kind.WRITTEN: {"text": "text:written", "json": "json:written", "junit": "junit:remarks", **_REMARKS},
    Kind.TABLES: {"json": "json:tables"},  # as text, rows are printed as they are measured
    Kind.HEALTH: {"text": "health:text", "json": "health:json"},
    # As text these are messages, on standard error, whatever was asked for.
    Kind.FAILURE: {"json": "json:failure", "junit": "junit:failure", "html": "html.failure:page", **_REMARKS},
    Kind.STOPPED: {"json": "json:stopped", "junit": "junit:stopped", "html": "html.failure:stopped", **_REMARKS},
}


def formats_of(*kinds: Kind) -> tuple[str, ...]:
    """The formats in which there are answers of some kinds."""
    return tuple(dict.fromkeys(name for kind in kinds for name in RENDERERS[kind]))


def render(answer: Answer, form: str) -> Rendered:
    """An answer in one of its formats."""
    return renderer(answer.kind, form)(answer)


def renderer(kind: Kind, form: str) -> Callable[[Any], Rendered]:
    """What shows answers of a kind in a format."""
    module, _, name = RENDERERS[kind][form].partition(":")
    found: Callable[[Any], Rendered] = getattr(importlib.import_module(f"burnside.report.{module}"), name)
    return found
