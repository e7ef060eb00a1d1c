"""The command line is a contract: exit codes, JSON keys, files written, and what goes to which stream."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.command import LISTENING, run_here

EXAMPLES = Path(__file__).parents[3] / "examples"
PHILOSOPHERS = EXAMPLES / "zhang2013" / "dining_philosophers.seq"
FILTER = EXAMPLES / "classics" / "filter_lock.seq"

COUNT_KEYS = {
    *("states", "transitions", "deadlocks", "depth", "seconds", "states_per_second", "bytes_per_state", "symmetry"),
}
FULL = ("--symmetry", "none")


@pytest.fixture
def burnside(cache, tmp_path, capsys, monkeypatch):
    """Runs the command: here, or in a process of its own if its surroundings are the point."""
    monkeypatch.setenv("BURNSIDE_CACHE", str(cache))

    def run(
        *arguments: object, code: int, environment: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        words = [*map(str, arguments)]
        if environment is None:
            result = run_here(capsys, *words)
        else:
            variables = {**os.environ, "TMPDIR": str(tmp_path), **environment}
            command = [sys.executable, "-m", "burnside", *words]
            result = subprocess.run(command, capture_output=True, text=True, env=variables, timeout=60, check=False)
        assert result.returncode == code, result.stdout + result.stderr
        assert "Traceback" not in result.stderr
        return result

    return run


@pytest.fixture
def model(tmp_path):
    """Writes a model to a file."""

    def write(text: str, name: str = "model.seq") -> Path:
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


# ---------------------------------------------------------------- exit codes and figures


def test_count_prints_one_object_with_the_promised_keys(burnside):
    """``count --json`` has the keys of the contract, and the published figures."""
    result = json.loads(burnside("count", PHILOSOPHERS, "-D", "N=10", "--json", *FULL, code=0).stdout)

    assert result.keys() >= COUNT_KEYS
    assert result["symmetry"].keys() >= {"mode", "order", "strategy"}
    assert (result["states"], result["transitions"], result["deadlocks"]) == (154_450, 986_430, 1)


def test_check_prints_one_object_with_the_promised_keys(burnside):
    """``check --json`` adds the properties with their verdicts and traces."""
    result = json.loads(burnside("check", PHILOSOPHERS, "-D", "N=4", "--json", *FULL, code=1).stdout)

    assert result.keys() >= {*COUNT_KEYS, "properties"}
    assert all(p.keys() >= {"name", "verdict", "states", "trace"} for p in result["properties"])
    verdicts = {p["name"]: p["verdict"] for p in result["properties"]}
    assert verdicts == {"progress": "violated", "both_forks": "holds", "no_neighbours_eat": "holds"}
    trace = next(p["trace"] for p in result["properties"] if p["name"] == "progress")
    assert len(trace["steps"]) == 4
    assert all(step.keys() >= {"event", "rule", "changes"} for step in trace["steps"])


def test_a_model_whose_properties_hold_ends_with_0(burnside):
    """All properties hold, and the text says so."""
    out = burnside("check", FILTER, "-D", "N=3", *FULL, code=0).stdout

    assert "holds" in out
    assert "356" in out


def test_threads_and_depth_first_search_give_the_same_figures(burnside):
    """However the states are searched, they are the same."""
    runs = [("--threads", "2"), ("--search", "dfs"), ()]
    found = [json.loads(burnside("count", FILTER, "-D", "N=4", "--json", *FULL, *run, code=0).stdout) for run in runs]

    assert len({(f["states"], f["transitions"], f["deadlocks"]) for f in found}) == 1


def test_one_property_can_be_chosen(burnside):
    """Only what is asked for is decided, and its verdict alone makes the exit code."""
    out = burnside("check", PHILOSOPHERS, "-D", "N=4", "--property", "both_forks", "--json", *FULL, code=0).stdout

    assert [p["name"] for p in json.loads(out)["properties"]] == ["both_forks"]


def test_an_unknown_property_is_suggested(burnside):
    """A name that is nearly right gets a suggestion."""
    err = burnside("check", PHILOSOPHERS, "-D", "N=3", "--property", "progres", code=3).stderr

    assert "BUR212" in err
    assert "did you mean 'progress'?" in err


def test_a_fault_of_the_model_ends_with_3_and_a_trace(burnside, model):
    """A fault is shown where it happens, with the steps that lead to it."""
    path = model("var v: 0..3;\nrule up do { v := v + 1; }\n")
    result = burnside("check", path, *FULL, code=3)

    assert "BUR501" in result.stderr
    assert f"{path}:2:" in result.stderr
    assert "after 3 steps" in result.stdout
    counted = json.loads(burnside("count", path, "--json", *FULL, code=3).stdout)
    assert (counted["stopped"], counted["fault"]["kind"]) == ("fault", "domain")


def test_a_wrong_model_ends_with_3_and_several_diagnostics(burnside, model):
    """All errors are shown at once, with code, place, excerpt and caret."""
    path = model("var v: 0..3;\nrule a do { w := 1; }\nrule b when v do { v := true; }\n")
    result = burnside("check", path, code=3)

    assert result.stdout == ""
    assert result.stderr.count("error[BUR") >= 2
    assert f"{path}:2:13" in result.stderr
    assert "^" in result.stderr


# ---------------------------------------------------------------- options


@pytest.mark.parametrize(
    "option",
    ["N", "N=", "N=x y", "N=1.5", 'N="3"', "N=[1,x]", "N={}", "=3", "1N=3", "N=[" * 5000],
)
def test_a_constant_that_is_no_number_or_list_is_a_usage_error(burnside, option):
    """``-D`` takes an integer or a list of integers."""
    assert "-D" in burnside("count", PHILOSOPHERS, "-D", option, code=2).stderr


@pytest.mark.parametrize(
    ("model", "said"), [(PHILOSOPHERS, "was given a label"), (PHILOSOPHERS.with_suffix(".csp"), "are numbers")]
)
def test_a_word_for_a_constant_that_is_not_a_label_is_a_mistake_about_the_model(burnside, model, said):
    """Whether a word is the name of a label, only the model can say."""
    assert said in burnside("count", model, "-D", "N=x", code=3).stderr


@pytest.mark.parametrize(
    ("option", "text"),
    [
        ("M=3", "BUR211"),
        ("N=true", "BUR211"),
        ("N=[1,2]", "BUR211"),
        ("N=0", "BUR2"),
        ("N=-5", "BUR2"),
        ("N=99999999999999999999", "BUR"),
    ],
)
def test_a_constant_that_does_not_fit_the_model_is_a_diagnostic(burnside, option, text):
    """An unknown constant, one of another kind, or one that makes no sense is an error in the model."""
    assert text in burnside("count", PHILOSOPHERS, "-D", option, code=3).stderr


def test_a_constant_may_be_a_list(burnside, model):
    """Lists replace lists, in whole."""
    path = model("const T = [1, 2]; var v: 0..99; rule r when v == 0 do { v := T[0] + T[len(T) - 1]; }")
    found = burnside("check", path, "-D", "T=[7, 8, 9]", "--json", *FULL, code=1).stdout

    assert json.loads(found)["properties"][0]["trace"]["steps"][0]["changes"] == {"v": ["0", "16"]}


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("count",),
        ("frobnicate",),
        ("count", PHILOSOPHERS, "--threads", "0"),
        ("count", PHILOSOPHERS, "--threads", "1000000"),
        ("count", PHILOSOPHERS, "--memory", "lots"),
        ("count", PHILOSOPHERS, "--memory", "0"),
        ("count", PHILOSOPHERS, "--memory", "50"),
        ("count", PHILOSOPHERS, "--time", "-1"),
        ("count", PHILOSOPHERS, "--time", "nan"),
        ("count", PHILOSOPHERS, "--search", "sideways"),
    ],
    ids=lambda arguments: " ".join(map(str, arguments[:1] + arguments[2:])) or "nothing",
)
def test_a_wrong_command_line_ends_with_2(burnside, arguments):
    """Usage errors say how to call the command."""
    assert "usage:" in burnside(*arguments, code=2).stderr


@pytest.mark.parametrize("arguments", [("--help",), ("check", "--help"), ("count", "--help"), ("--version",)], ids=str)
def test_help_ends_with_0(burnside, arguments):
    """Help and version go to standard output."""
    assert "burnside" in burnside(*arguments, code=0).stdout


def test_traces_are_written_to_a_file(burnside, tmp_path):
    """``--trace`` writes the traces of all decided properties by name."""
    path = tmp_path / "trace.json"
    burnside("check", PHILOSOPHERS, "-D", "N=3", "--trace", path, *FULL, code=1)

    traces = json.loads(path.read_text())
    assert traces.keys() == {"progress"}
    assert len(traces["progress"]["steps"]) == 3


def test_a_trace_file_that_cannot_be_written_is_a_usage_error(burnside, tmp_path):
    """It is said before the work begins."""
    path = tmp_path / "missing" / "trace.json"
    result = burnside("check", PHILOSOPHERS, "-D", "N=3", "--trace", path, *FULL, code=2)

    assert "cannot write" in result.stderr
    assert not result.stdout


# ---------------------------------------------------------------- files


@pytest.mark.parametrize("name", ["missing.seq", "directory.seq"])
def test_a_file_that_cannot_be_read_is_a_diagnostic(burnside, tmp_path, name):
    """Missing files and directories are named."""
    (tmp_path / "directory.seq").mkdir()
    err = burnside("check", tmp_path / name, code=3).stderr

    assert "BUR106" in err
    assert name in err


def test_a_binary_file_is_a_diagnostic(burnside, tmp_path):
    """What is not text is not decoded."""
    path = tmp_path / "binary.seq"
    path.write_bytes(bytes(range(256)) * 10)

    assert "not UTF-8" in burnside("check", path, code=3).stderr


@pytest.mark.parametrize("name", ["model.unknown", "model"])
def test_an_unknown_suffix_is_a_diagnostic(burnside, model, name):
    """The suffix names the language; the known ones are listed."""
    err = burnside("check", model("var v: 0..1;", name), code=3).stderr

    assert "BUR902" in err
    assert ".seq" in err


def test_an_empty_file_is_no_crash(burnside, model):
    """There is nothing to check; a model without rules, though, has a deadlock."""
    burnside("check", model(""), *FULL, code=3)
    burnside("check", model("var x: 0..1;"), *FULL, code=1)


# ---------------------------------------------------------------- limits


def test_a_memory_limit_ends_with_4_and_a_partial_report(burnside):
    """Fourteen philosophers do not fit in 40 MB."""
    out = burnside("count", PHILOSOPHERS, "-D", "N=14", "--memory", "40M", "--json", *FULL, code=4).stdout
    result = json.loads(out)

    assert result["stopped"] == "memory"
    assert result["states"] > 200_000
    assert result["states"] * result["bytes_per_state"] <= 40 << 20


def test_a_memory_limit_says_so_in_text(burnside):
    """The text report says that its figures are partial."""
    out = burnside("count", PHILOSOPHERS, "-D", "N=14", "--memory", "20M", *FULL, code=4).stdout

    assert "memory limit" in out
    assert "partial" in out


def test_a_time_limit_ends_with_4_and_a_partial_report(burnside):
    """The search stops in time; a table that is being moved is moved to the end, which takes longer beside others."""
    out = burnside("count", PHILOSOPHERS, "-D", "N=16", "--time", "4", "--memory", "2G", "--json", *FULL, code=4).stdout
    result = json.loads(out)

    assert result["stopped"] == "time"
    assert result["states"] > 0
    assert result["seconds"] < 10


def test_an_unfinished_search_leaves_properties_unknown(burnside):
    """What a limit leaves undecided is neither true nor false."""
    out = burnside(
        *("check", PHILOSOPHERS, "-D", "N=14", "--property", "both_forks", "--memory", "20M", "--json", *FULL), code=4
    ).stdout

    assert json.loads(out)["properties"][0]["verdict"] == "unknown"


def interrupted_after(seconds: float, cache: Path) -> tuple[int, str]:
    """The exit code and the output of a long run after Ctrl-C."""
    process = subprocess.Popen(
        [*LISTENING, "count", str(PHILOSOPHERS), "-D", "N=14", "--memory", "2G", "--json", *FULL],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "BURNSIDE_CACHE": str(cache)},
    )
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    return process.returncode, out


def test_an_interrupt_ends_with_4_and_a_partial_report(cache):
    """Ctrl-C stops the search politely. Before there is a search, there is nothing to report, so wait for it."""
    for seconds in (1.5, 4, 10, 25):
        code, out = interrupted_after(seconds, cache)
        if out:
            break

    assert code == 4
    assert json.loads(out)["stopped"] == "interrupt"
    assert json.loads(out)["states"] > 0


def test_a_reader_that_goes_away_is_no_error(cache):
    """``burnside … | true`` is silent; scripts are not told that all is well."""
    command = f"{sys.executable} -m burnside check {PHILOSOPHERS} -D N=3 | true"
    result = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"],
        capture_output=True,
        text=True,
        env={**os.environ, "BURNSIDE_CACHE": str(cache)},
        check=False,
    )

    assert result.stderr == ""
    assert result.returncode in (1, 4)


def test_a_machine_without_compiler_is_told_what_to_install(burnside, model):
    """No compiler, no traceback."""
    path = model("var v: 0..1; rule r do { v := 1 - v; }")
    result = burnside("count", path, *FULL, code=3, environment={"PATH": "", "CC": ""})

    assert "BUR503" in result.stderr
    assert "install" in result.stderr


def test_a_counter_without_bound_is_named_at_a_limit(burnside, tmp_path):
    """Where so many states come from."""
    path = tmp_path / "server.rebeca"
    path.write_text("""
        reactiveclass Server(2) {
            knownrebecs { }
            statevars { int served; }
            Server() { self.serve(); }
            msgsrv serve() { served = served + 1; self.serve(); }
        }
        main { Server s():(); }
        """)
    result = burnside("count", path, "--time", "0.5", code=4)

    assert "very many values are possible for Server.served: give counters a bound" in result.stdout


def test_options_that_do_not_go_together_are_refused(burnside):
    """An option is never left out in silence."""
    result = burnside("count", PHILOSOPHERS, "--search", "dfs", "--threads", "2", code=3)

    assert "the depth-first search has one thread" in result.stderr


def test_a_number_that_could_be_too_large_is_reported_once(burnside, model):
    """Of the smallest expression, not again of all that it is part of."""
    path = model("var x: 0 .. 4294967295; rule r when x*x*x + 1 == 3 do { }")
    result = burnside("count", path, code=3)

    assert result.stderr.count("BUR208") == 1
    assert "^^^\n" in result.stderr + "\n"


def test_output_that_cannot_be_written_is_no_bug(cache):
    """A full disk is said to be one."""
    result = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m burnside count {PHILOSOPHERS} -D N=3 > /dev/full"],
        capture_output=True,
        text=True,
        env={**os.environ, "BURNSIDE_CACHE": str(cache)},
        check=False,
    )

    assert result.returncode == 2
    assert result.stderr == "burnside: cannot go on: No space left on device\n"


def test_a_terminal_without_arrows_shows_traces_too(burnside):
    """Characters that it does not have are replaced."""
    result = burnside("check", PHILOSOPHERS, "-D", "N=2", code=1, environment={"PYTHONIOENCODING": "ascii"})

    assert "thinking ? holding_one" in result.stdout


def test_processes_are_dumped_side_by_side(burnside, tmp_path):
    """Their names become names of directories, without the characters that mean something in a path."""
    path = tmp_path / "model.csp"
    path.write_text("P(i) = a -> P(i);\nQ = b -> Q;\n#assert P(4/2) deadlockfree;\n#assert Q deadlockfree;\n")
    burnside("check", path, "--dump", tmp_path / "dump", code=0)

    assert {p.name for p in (tmp_path / "dump").iterdir()} == {"1_P_2", "2_Q"}


def test_a_directory_that_cannot_be_made_is_named(burnside, tmp_path):
    """``--dump`` into a file."""
    (tmp_path / "file").write_text("")
    result = burnside("count", PHILOSOPHERS, "-D", "N=2", "--dump", tmp_path / "file" / "dump", code=2)

    assert result.stderr.startswith(f"burnside: cannot go on '{tmp_path / 'file' / 'dump'}'")


def test_dumped_models_read_back(burnside, tmp_path):
    """``--dump`` writes the model as ``.seq`` text that gives the same figures."""
    first = burnside("count", FILTER, "-D", "N=3", "--json", "--dump", tmp_path / "dump", *FULL, code=0).stdout
    again = burnside("count", tmp_path / "dump" / "model.seq", "--json", *FULL, code=0).stdout

    assert (tmp_path / "dump" / "model.c").exists()
    assert json.loads(first)["states"] == json.loads(again)["states"] == 356


def test_relations_between_steps_are_dumped(burnside, tmp_path):
    """Which steps accord, what each waits for, and what is sought; unless partial order is off."""
    for orders in ("auto", "off"):
        where = tmp_path / orders
        burnside("check", PHILOSOPHERS, "-D", "N=2", "--partial-order", orders, "--dump", where, code=1)
    text = (tmp_path / "auto" / "steps.txt").read_text()

    assert not (tmp_path / "off" / "steps.txt").exists()
    assert text.startswith("steps\n  step 0  ")
    assert "    does not accord with " in text and "    may become true by " in text
    assert "  goal 0  property " in text


def test_colours_and_progress_stay_away_from_pipes(burnside):
    """Nothing but the report goes to standard output, and nothing to standard error."""
    result = burnside("count", FILTER, "-D", "N=3", *FULL, code=0)

    assert result.stderr == ""
    assert "\x1b" not in result.stdout
