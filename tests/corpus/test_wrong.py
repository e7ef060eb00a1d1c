"""Texts that are wrong, in all languages: each announces what is said about it in its first lines, and nothing more is.

``//! LINE:COLUMN CODE MESSAGE``; a message that ends with ``…`` is the beginning of one.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from burnside.frontends.loading import ModelFile
from burnside.patterns import load_regular
from burnside.source import Diagnostic, ModelError
from burnside.source.codes import CODES
from corpus.headers import ROOT, Announced, announced_by, models_in

WRONG = models_in(ROOT / "tests" / "corpus" / "wrong")

# Codes of command lines and of what is asked; all other codes of reading a text have an example here.
NOT_OF_TEXTS = {"BUR211", "BUR212", "BUR604", "BUR611", "BUR612", "BUR613", "BUR614", "BUR902"}

# Texts that can be used: what is said about them is a warning.
USABLE = {
    "choice_behind_a_loop.rebeca",
    "program_in_parallel.csp",
    "several_candidates.csp",
    "step_out_of_the_configurations.regular",
}


def found_in(path: Path) -> tuple[list[Announced], bool]:
    """What is said about a text, and whether it can be used."""
    said: list[Diagnostic] = []
    try:
        if path.suffix == ".regular":
            load_regular(path, said.append)
        else:
            ModelFile(path).tasks(said.append)
    except ModelError as error:
        return [*map(_announced, error.diagnostics)], False
    return [*map(_announced, said)], True


def _announced(diagnostic: Diagnostic) -> Announced:
    place = "-"
    if diagnostic.span is not None:
        place = "{}:{}".format(*diagnostic.span.source.position(diagnostic.span.start))
    return Announced(place, diagnostic.code, diagnostic.message)


@pytest.mark.parametrize("path", WRONG, ids=lambda p: p.name)
def test_a_wrong_text_is_explained(path: Path) -> None:
    """In order, and as it is announced."""
    announced = announced_by(path)
    found, is_usable = found_in(path)

    assert announced
    assert [(f.place, f.code) for f in found] == [(a.place, a.code) for a in announced]
    for one, other in zip(found, announced, strict=True):
        is_beginning = other.message.endswith("…") and one.message.startswith(other.message[:-1])
        assert is_beginning or one.message == other.message
    assert is_usable == (path.name in USABLE)


def test_every_code_of_reading_a_text_has_an_example() -> None:
    """Syntax, names and types, regular systems, and what is not supported."""
    shown = {announced.code for path in WRONG for announced in announced_by(path)}
    of_texts = {code for code in CODES if code[3] in "1269"}

    assert of_texts - NOT_OF_TEXTS - shown == set()
    assert not shown & NOT_OF_TEXTS
