"""The page on JSON has every key that commands print."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from markdown_pages import ROOT

from burnside.cli.main import main

EXAMPLES = ROOT / "examples"
PAGE = (ROOT / "docs" / "reference" / "json.md").read_text()
# Objects whose keys are names of the model.
NAMED = ("initial", "changes", "processes")


def keys_of(value: Any, name: str = "") -> Iterator[str]:
    """The keys in a JSON text, apart from names of the model."""
    if isinstance(value, dict):
        for key, part in value.items():
            if name not in NAMED:
                yield key
            yield from keys_of(part, "" if name in NAMED else key)
    elif isinstance(value, list):
        for part in value:
            yield from keys_of(part)


@pytest.mark.parametrize(
    "command",
    [
        f"detect {EXAMPLES}/zhang2013/hanoi.seq --property solved --explain",
        f"detect {EXAMPLES}/jaghoori2005/dining_philosophers.rebeca",
        f"count {EXAMPLES}/tutorial/queue_lock.seq --symmetry unique --coverage",
        f"check {EXAMPLES}/tutorial/queue_lock.seq --fairness none",
        f"check {EXAMPLES}/classics/alternating_bit.csp",
        f"simulate {EXAMPLES}/tutorial/queue_lock.seq",
        "doctor",
    ],
    ids=lambda c: c.split()[0],
)
def test_every_key_is_documented(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """In backquotes, somewhere on the page."""
    main([*command.split(), "--json"])
    documented = {word for span in re.findall(r"`([^`]*)`", PAGE) for word in re.findall(r"\w+", span)}

    assert set(keys_of(json.loads(capsys.readouterr().out))) <= documented
