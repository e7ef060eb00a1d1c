"""The tests of Rumur, one feature each, with the verdicts that their first comments ask for.

They are read from a folder beside the project, and skipped where it is absent.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from burnside.frontends.kit.options import Options
from burnside.frontends.murphi import load
from burnside.source import Source, render
from murphi.verdicts import comes_to

FOLDER = Path(__file__).parents[3] / "shared" / "models" / "murphi"
MODELS = sorted((FOLDER / "rumur").glob("*.m"))
OF_CMURPHI = sorted((FOLDER / "cmurphi").glob("*.m"))
# About an option of Rumur, not about the text; and about calls that go on without end.
NOT_OURS = {"bound-illegal.m": "fine", "recursion2.m": "refused", "recursion4.m": "refused"}
# What CMurphi has for probabilities, and multisets.
REFUSED = {"dphil.m", "dphilwait.m", "prob_turbogas.m", "cache3multi.m"}


def header(text):
    """The expectations of a test: only what is needed of them."""
    found = dict(re.findall(r"^-- (\w+): (.*)$", text, re.MULTILINE))
    mode = re.search(r"'--deadlock-detection', '(\w+)'", found.get("rumur_flags", ""))
    options = {"deadlock": mode.group(1)} if mode else {}
    return found, options


def expected(name, found):
    """What the test asks for; without the solver that they switch on, some tests may fail."""
    if name in NOT_OURS:
        return {NOT_OURS[name]}
    if "smt" in found.get("rumur_flags", ""):
        return {"error", "fine"}
    if found.get("rumur_exit_code", "0") == "1":
        return {"refused"}
    return {"error"} if found.get("checker_exit_code", "0") == "1" else {"fine"}


@pytest.mark.skipif(not MODELS, reason="the models are not there")
@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_models_of_rumur_come_to_what_they_say(path):
    """Accepted, refused, or with an error that is found."""
    text = path.read_text()
    found, options = header(text)
    loaded = load(Source(path.name, text), {}, Options(options))

    verdict = comes_to(loaded.tasks[0])[0] if loaded.tasks else "refused"

    assert verdict in expected(path.name, found), "\n".join(map(render, loaded.diagnostics))


@pytest.mark.skipif(not OF_CMURPHI, reason="the models are not there")
@pytest.mark.parametrize("path", OF_CMURPHI, ids=lambda path: path.stem)
def test_models_of_cmurphi_are_read(path):
    """Those with real numbers or multisets are refused by name."""
    loaded = load(Source(path.name, path.read_text(errors="replace")), {})

    assert bool(loaded.tasks) is (path.name not in REFUSED)
    if not loaded.tasks:
        assert {d.code for d in loaded.diagnostics} == {"BUR901"}
