"""``burnside check`` on CSP# texts: exit codes, the JSON object, traces and dumps, also for several processes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import burnside
from burnside.cli.main import main

BIT = Path(__file__).parents[4] / "examples" / "classics" / "alternating_bit.csp"

LARGE = "var a[20]:{0..1}; P(i) = t.i{a[i] = 1 - a[i];} -> P(i); S = ||| i:{0..19}@P(i);\n"


def run(arguments: list[object], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """The exit code and what is printed."""
    code = main([*map(str, arguments)])
    printed = capsys.readouterr()
    return code, printed.out, printed.err


@pytest.mark.parametrize(
    ("text", "options", "code"),
    [
        ("P = a -> P; Q = a -> Q;\n#assert P refines<FD> Q;\n#assert Q deterministic;\n", [], 0),
        ("P = a -> P; Q = b -> Q;\n#assert P deadlockfree;\n#assert P refines Q;\n", [], 1),
        ("P = a -> P; Q = b -> Q;\n#assert P deadlockfree;\n#assert P refines Q;\n", ["--property", "deadlockfree"], 0),
        ("P = a -> P;\n#assert P deterministic;\n", ["--property", "deadlockfree"], 3),
        ("var x:{0..1}; P = a{x++;} -> P;\n#assert P divergencefree;\n", [], 3),
        ("var x:{0..1}; P = a -> P; Q = a{x++;} -> Q;\n#assert P refines Q;\n", [], 3),
        (f"{LARGE}#assert S divergencefree;\n", ["--memory", "1M"], 4),
        (f"{LARGE}#assert S deterministic;\n", ["--time", "0.2"], 4),
        (f"{LARGE}#assert S divergencefree;\n#assert P(0) deadlockfree;\n", ["--memory", "1M"], 4),
    ],
)
def test_the_exit_code_tells_the_outcome(
    text: str, options: list[str], code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All hold, one is violated, the model is wrong, or a limit was reached."""
    path = tmp_path / "model.csp"
    path.write_text(text)

    actual, out, err = run(["check", path, *options], capsys)

    assert actual == code, out + err
    assert ("error[BUR" in err) is (code == 3)


def test_one_object_for_several_processes(capsys: pytest.CaptureFixture[str]) -> None:
    """Names with their processes; the figures of each."""
    code, out, _ = run(["check", BIT, "--json"], capsys)
    result = json.loads(out)

    assert code == 1
    verdicts = {p["name"]: p["verdict"] for p in result["properties"]}
    assert verdicts == {
        "System.deadlockfree": "holds",
        "System.refines_Buffer": "holds",
        "System.refines_F_Buffer": "holds",
        "System.refines_FD_Buffer": "violated",
        "System.divergencefree": "violated",
        "Buffer.deterministic": "holds",
    }
    assert [p["process"] for p in result["processes"]] == ["System", "Buffer"]
    assert result["states"] == result["processes"][0]["states"] == 64
    diverging = next(p for p in result["properties"] if p["name"] == "System.divergencefree")
    events = [step["event"] for step in diverging["trace"]["steps"]]
    assert set(events[diverging["loop"] :]) == {"tau"}
    assert diverging["reason"]


def test_traces_and_dumps_have_the_names_of_processes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """So that none overwrites another."""
    run(["check", BIT, "--trace", tmp_path / "traces.json", "--dump", tmp_path / "dump"], capsys)

    traces = json.loads((tmp_path / "traces.json").read_text())
    assert set(traces) == {"System.refines_FD_Buffer", "System.divergencefree"}
    assert {p.parent.name for p in (tmp_path / "dump").rglob("model.seq")} == {"1_System", "2_Buffer"}


def test_counting_looks_at_the_first_process(capsys: pytest.CaptureFixture[str]) -> None:
    """With a warning on standard error."""
    code, out, err = run(["count", BIT], capsys)

    assert code == 0
    assert "states       64" in out
    assert "warning[BUR216]: the model is that of 'System', the process of the first assertion" in err


def test_python_sees_all_processes() -> None:
    """As the command line does."""
    checked = burnside.load(BIT).check("refines_F_Buffer", "deterministic")

    assert checked.verdicts == {"System.refines_F_Buffer": "holds", "Buffer.deterministic": "holds"}
    assert str(checked).startswith("process System\nrefines_F_Buffer  holds\n")


@pytest.mark.parametrize("mode", ["none", "unique", "multi"])
def test_verdicts_do_not_depend_on_symmetry(mode: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also of claims whose conditions are made up: something can always happen, the least value."""
    path = tmp_path / "model.csp"
    path.write_text(
        "var x:{0..9}; C(i) = [x < 9] up.i{x = x + 1 + x % 2;} -> down.i{x = 0;} -> (C(i) [] stop.i -> Skip);\n"
        "S = ||| i:{0..2}@C(i);\n#define high x > 1;\n"
        "#assert S nonterminating;\n#assert S deadlockfree;\n#assert S reaches high with min(x);\n"
        "#assert S reaches high with max(x);\n#assert S reaches high;\n"
    )

    _, out, _ = run(["check", path, "--symmetry", mode, "--json"], capsys)

    found = [(p["name"], p["verdict"], p.get("value")) for p in json.loads(out)["properties"]]
    assert found == [
        ("nonterminating", "violated", None),
        ("deadlockfree", "holds", None),
        ("reaches_high_with_min", "holds", 3),
        ("reaches_high_with_max", "holds", 5),
        ("reaches_high", "holds", None),
    ]
