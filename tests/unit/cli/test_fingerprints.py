"""``--fingerprint``: verdicts that hold unless two states share one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.command import run_here

# Some 4,000 states of 96 bits each.
WIDE = """\
var x[0 .. 11]: 0 .. 255 = 0;
rule flip(i: 0 .. 11) do { x[i] := 255 - x[i]; }
invariant extreme: forall i in 0 .. 11: x[i] == 0 || x[i] == 255;
"""
MORE = "invariant few: (count i in 0 .. 11: x[i] > 0) < 5;\n"
UNREACHED = "reachable middle: x[0] == 7;\n"
REACHED = "reachable all: forall i in 0 .. 11: x[i] > 0;\n"
WIDE_PROCESSES = """\
var x[12]:{0..255};
P = [] i:{0..11} @ flip.i{x[i] = 255 - x[i];} -> P;
#define any true;
#assert P reaches any with max(x[0] + x[1]);
"""
WORDS = ("--symmetry", "none", "--partial-order", "off", "--slice", "off", "--store", "compact")


def checked(folder: Path, capsys: pytest.CaptureFixture[str], text: str, *words: str) -> tuple[int, dict[str, object]]:
    """The exit code and the report for a model."""
    path = folder / "wide.seq"
    path.write_text(text)
    result = run_here(capsys, "check", path, *WORDS, "--json", *words)
    return result.returncode, json.loads(result.stdout)


def verdicts(report: dict[str, object]) -> dict[str, str]:
    """Verdicts by name."""
    properties = report["properties"]
    assert isinstance(properties, list)
    return {each["name"]: each["verdict"] for each in properties}


def test_what_holds_does_so_unless_states_collide(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A verdict and an exit code of their own, and a bound on the probability."""
    code, report = checked(tmp_path, capsys, WIDE, "--fingerprint", "64")

    assert (code, verdicts(report)) == (5, {"extreme": "holds-unless-collision"})
    assert (report["states"], report["fingerprint"]) == (4096, {"bits": 64, "probability": 4096 * 4097 / 2**65})


def test_a_count_says_so_as_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its figures may be too small."""
    path = tmp_path / "wide.seq"
    path.write_text(WIDE)
    result = run_here(capsys, "count", path, *WORDS[:2], *WORDS[-2:], "--fingerprint", "80")

    assert result.returncode == 5
    assert "exact unless two of 4,096 states share a fingerprint of 80 bits: probability below 7.0E-18" in result.stdout


def test_a_violation_is_real(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is replayed, and as short as any."""
    code, report = checked(tmp_path, capsys, WIDE + MORE, "--fingerprint", "64")

    assert (code, verdicts(report)) == (1, {"extreme": "holds-unless-collision", "few": "violated"})
    properties = report["properties"]
    assert isinstance(properties, list)
    assert len(properties[1]["trace"]["steps"]) == 5


def test_what_is_reached_is_reached(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A run shows it; nothing shows that a state is not reached."""
    code, report = checked(tmp_path, capsys, WIDE + REACHED + UNREACHED, "--fingerprint", "64")

    assert code == 4
    assert verdicts(report) == {"extreme": "holds-unless-collision", "all": "holds", "middle": "unknown"}


def test_a_greatest_value_is_that_of_the_states_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """There is a run to it; that none is greater holds unless states collide."""
    path = tmp_path / "wide.csp"
    path.write_text(WIDE_PROCESSES)
    result = run_here(capsys, "check", path, *WORDS, "--fingerprint", "64")

    assert result.returncode == 5
    assert "holds-unless-collision: reached, greatest value 510" in result.stdout


@pytest.mark.parametrize("words", [("--fingerprint", "96"), ("--fingerprint", "64", "--store", "auto")])
def test_what_is_exact_is_said_to_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    """States that are no wider than fingerprints, or so few that they have indices."""
    code, report = checked(tmp_path, capsys, WIDE, *words)

    assert (code, verdicts(report), report["fingerprint"]) == (0, {"extreme": "holds"}, None)


def test_reports_for_scripts_do_not_say_that_it_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is an open question there."""
    path = tmp_path / "wide.seq"
    path.write_text(WIDE)
    words = ["check", path, *WORDS, "--fingerprint", "64"]
    suites = run_here(capsys, *words, "--format", "junit")
    results = run_here(capsys, *words, "--format", "sarif")
    notes = run_here(capsys, *words, "--format", "github")

    assert (suites.returncode, results.returncode, notes.returncode) == (5, 5, 5)
    assert 'type="holds-unless-collision"' in suites.stdout
    assert json.loads(results.stdout)["runs"][0]["results"][0]["kind"] == "open"
    assert "the property holds, unless two states share a fingerprint" in notes.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--store", "index"], "of fingerprints, no file and no index is made"),
        (["--store", "disk"], "of fingerprints, no file and no index is made"),
        (["--search", "dfs"], "the depth-first search needs an index for every state"),
        (["--symmetry", "adaptive"], "the adaptive search keeps states in its own way"),
    ],
)
def test_what_does_not_go_together_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    """One sentence, and what to leave out."""
    path = tmp_path / "wide.seq"
    path.write_text(WIDE)
    result = run_here(capsys, "count", path, "--fingerprint", "96", *words)

    assert result.returncode == 3
    assert said in result.stderr


@pytest.mark.parametrize("bits", ["0", "63", "129", "many", "-96"])
def test_a_number_of_bits_is_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str], bits: str) -> None:
    """Fewer would be shared soon."""
    result = run_here(capsys, "count", tmp_path / "wide.seq", f"--fingerprint={bits}")

    assert result.returncode == 2
    assert "expected a number of bits from 64 to 128" in result.stderr


def test_a_search_among_fingerprints_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Levels have whole states; the next search draws other fingerprints of as many bits, and says so."""
    path, kept = tmp_path / "wide.seq", tmp_path / "kept"
    path.write_text(WIDE)
    begun = run_here(capsys, "check", path, *WORDS[:2], "--fingerprint", "64", "--checkpoint", kept, "--json")
    again = run_here(capsys, "resume", kept, "--threads", "2", "--json")
    refused = run_here(capsys, "resume", kept, "--store", "disk")

    assert (begun.returncode, again.returncode, refused.returncode) == (5, 5, 3)
    assert json.loads(begun.stdout)["fingerprint"] == json.loads(again.stdout)["fingerprint"] is not None
    assert json.loads(again.stdout)["states"] == 4096
