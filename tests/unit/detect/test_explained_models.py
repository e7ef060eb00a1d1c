"""Protocols as a new user writes them, and each with one thing that costs symmetry: what is said of them is enough to
find it.

A file begins with the number of its symmetries and the beginning of each sentence about what costs some, in ``//?``
lines; both were worked out from the text.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from burnside.frontends.loading import load_tasks
from burnside.report.explanation import explanation_sentences
from burnside.study import Study

MARK = "//? "
MODELS = sorted((Path(__file__).parent / "explained").iterdir())


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.name)
def test_the_explanation_says_what_to_repair(path: Path) -> None:
    """Every sentence that is not about a property is expected, in order."""
    lines = path.read_text().splitlines()
    order, *expected = [line.removeprefix(MARK) for line in lines if line.startswith(MARK)]
    found = Study(load_tasks(path)[0]).symmetries(explained=True)
    assert found.explanation is not None
    said = [sentence for sentence, _ in explanation_sentences(found.explanation)]
    about_the_model = [sentence for sentence in said if not sentence.startswith(("propert", "what "))]

    assert found.order == int(order)
    assert len(about_the_model) == len(expected), about_the_model
    for sentence, beginning in zip(about_the_model, expected, strict=True):
        assert sentence.startswith(beginning)
