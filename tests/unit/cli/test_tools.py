"""``export``, ``draw``, ``simulate``, ``doctor``, ``completion`` and ``count --coverage`` on the command line."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from burnside.cli.exits import Exit
from burnside.cli.main import _COMMANDS, main, whole_parser
from burnside.cli.progress import describe
from burnside.explore.native.run import Progress
from support.labelled_graphs import read_aut

EXAMPLES = Path(__file__).parents[3] / "examples"
PHILOSOPHERS = EXAMPLES / "zhang2013" / "dining_philosophers.seq"
TOKENS = EXAMPLES / "zhang2013" / "token_circulation.seq"

FAULTY = """\
domain Level = 0 .. 2;
var level: Level = 0;
rule up do { level := level + 1; }
"""
COUNTER = """\
domain Colour = { red, green, blue };
domain Level = 0 .. 9;
var colour: Colour = red;
var level: Level = 0;
var queue: seq[3] of Level = [];
rule paint when colour == red do { colour := green; level := 2; push(queue, 1); }
rule never when colour == blue do { colour := red; }
invariant small: level < 2;
"""


def run(*arguments: object) -> int:
    """The exit code of a command."""
    return int(main([*map(str, arguments)]))


@pytest.fixture
def model(tmp_path: Path):
    """Writes a model to a file."""

    def write(text: str) -> Path:
        path = tmp_path / "model.seq"
        path.write_text(text)
        return path

    return write


# ---------------------------------------------------------------- export


def test_the_suffix_names_the_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for suffix, beginning in ((".aut", "des ("), (".dot", "digraph"), (".jsonl", '{"kind": "graph"')):
        path = tmp_path / f"graph{suffix}"
        assert run("export", PHILOSOPHERS, "-D", "N=3", "-o", path) == Exit.DONE
        assert path.read_text().startswith(beginning)

    assert "35 states, 66 transitions" in capsys.readouterr().out
    assert run("export", PHILOSOPHERS, "-o", tmp_path / "graph.xyz") == Exit.USAGE


def test_a_quotient_has_one_state_of_every_orbit(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("export", PHILOSOPHERS, "-D", "N=3", "--symmetry", "unique", "--format", "jsonl", "-o", "-") == Exit.DONE

    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    states = [entry for entry in lines if entry["kind"] == "state"]
    assert lines[0]["symmetry"] == {"mode": "unique", "order": 3}
    assert sum(state["orbit"] for state in states) == 35
    assert sum(state["deadlock"] for state in states) == 1
    assert states[0]["values"]["at[0]"] == "thinking"
    assert [s["properties"]["progress"] for s in states].count(False) == 1
    events = {entry["event"] for entry in lines if entry["kind"] == "transition" and entry["source"] == 0}
    assert events == {"get(0, 1)", "get(1, 2)", "get(2, 0)"}


def test_several_initial_states_follow_a_fresh_one(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("export", TOKENS, "-D", "N=2", "--format", "aut", "--tau", "i", "-o", "-")
    assert run(*arguments) == Exit.DONE

    graph = read_aut(capsys.readouterr().out, tau="i")
    assert graph.initial == set(range(len(graph.initial)))
    assert len(graph.initial) > 1


def test_a_graph_that_is_too_large_is_not_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "large.aut"

    assert run("export", PHILOSOPHERS, "-D", "N=6", "--states", "100", "-o", path) == Exit.LIMIT

    assert "more than 100 states" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_fault_is_reported_instead(model, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("export", model(FAULTY), "-o", tmp_path / "faulty.aut") == Exit.MODEL

    assert "the model faults in rule 'up' after 2 steps" in capsys.readouterr().out
    assert not (tmp_path / "faulty.aut").exists()


def test_a_file_that_cannot_be_written_is_a_wrong_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Which is said before anything is explored."""
    assert run("export", PHILOSOPHERS, "-D", "N=40", "-o", "/nowhere/graph.aut") == Exit.USAGE

    assert "cannot write '/nowhere/graph.aut'" in capsys.readouterr().err


# ---------------------------------------------------------------- draw


@pytest.mark.parametrize("what", ["graph", "states", "quotient", "groups"])
def test_a_picture_stands_alone(what: str, tmp_path: Path) -> None:
    """Well-formed, on a white ground, and the same in another process; nothing is fetched from elsewhere."""
    path, again = tmp_path / "picture.svg", tmp_path / "again.svg"
    words = ("draw", PHILOSOPHERS, "-D", "N=3", "--what", what, "-o")

    command = [sys.executable, "-m", "burnside", *words, path]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stderr == ""
    assert run(*words, again) == Exit.DONE

    text = path.read_text()
    assert what == "graph" or text == again.read_text()  # its layout begins with random places
    assert ElementTree.fromstring(text).tag.endswith("svg")
    assert "DOCTYPE" not in text
    assert "url(" not in text
    assert 'fill="white"' in text


def test_a_picture_may_be_a_png(tmp_path: Path) -> None:
    pytest.importorskip("pygraphviz")
    path = tmp_path / "group.png"

    assert run("draw", TOKENS, "--what", "groups", "-o", path) == Exit.DONE

    assert path.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-D", "N=6"), "more than 300 states"),
        (("-D", "N=40", "--what", "graph"), "too many for a picture"),
    ],
)
def test_what_is_too_large_is_not_drawn(arguments, message, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "large.svg"

    assert run("draw", PHILOSOPHERS, *arguments, "-o", path) == Exit.LIMIT

    assert message in capsys.readouterr().err
    assert not path.exists()


@pytest.mark.parametrize(
    ("what", "size"),
    [
        ("states", "35 states, 66 transitions"),
        ("quotient", "13 states, 24 transitions, one state of every orbit under 3 symmetries"),
        ("groups", r"3 symmetries: C3 \(Phil\); 3 points"),
        ("graph", r"\d+ vertices, \d+ edges"),
    ],
)
def test_it_is_said_how_much_a_picture_shows(what, size, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pygraphviz")
    path = tmp_path / "picture.svg"

    assert run("draw", PHILOSOPHERS, "-D", "N=3", "--what", what, "-o", path) == Exit.DONE

    assert re.fullmatch(f"{re.escape(str(path))}: {size}\n", capsys.readouterr().out)


def test_a_picture_that_cannot_be_written_is_not_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "nowhere" / "picture.svg"

    assert run("draw", PHILOSOPHERS, "-D", "N=40", "-o", path) == Exit.USAGE

    assert f"cannot write '{path}'" in capsys.readouterr().err


def test_other_formats_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("draw", PHILOSOPHERS, "-o", tmp_path / "picture.pdf") == Exit.USAGE

    assert "an .svg or .png file" in capsys.readouterr().err


def test_without_graphviz_it_is_said_what_to_install(
    monkeypatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pygraphviz", None)

    assert run("draw", PHILOSOPHERS, "-D", "N=2", "-o", tmp_path / "states.svg") == Exit.MODEL

    assert "pip install 'burnside[draw]'" in capsys.readouterr().err


# ---------------------------------------------------------------- progress


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (120, "12,345,678 states · 4,938,271/s · depth 66 · 2 s · 700 MB · 1,234,567 in this level"),
        (77, "12,345,678 states · 4,938,271/s · depth 66 · 2 s · 700 MB"),
        (40, "12,345,678 states · 4,938,271/s"),
        (10, "12,345,678"),
    ],
)
def test_progress_fits_into_a_line(width: int, line: str) -> None:
    figures = Progress(12_345_678, 0, depth=66, waiting=1_234_567, bytes=700 << 20, seconds=2.5)

    assert describe(figures, width=width) == line


# ---------------------------------------------------------------- simulate


def test_the_same_seed_takes_the_same_walk(capsys: pytest.CaptureFixture[str]) -> None:
    walks = []
    for _ in range(2):
        assert run("simulate", PHILOSOPHERS, "-D", "N=3", "--seed", "3", "--steps", "8", "--json") == Exit.DONE
        walks.append(json.loads(capsys.readouterr().out))

    assert walks[0] == walks[1]
    assert walks[0].keys() == {"seed", "steps", "ended", "violated", "reached", "trace", "fault"}
    assert (walks[0]["seed"], walks[0]["steps"], walks[0]["ended"]) == (3, 8, "steps")
    assert len(walks[0]["trace"]["steps"]) == 8


def test_the_seed_of_a_walk_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    run("simulate", PHILOSOPHERS, "-D", "N=3", "--steps", "1")

    assert capsys.readouterr().out.startswith("seed         ")


def test_a_walk_ends_where_a_property_is_violated(model, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace = tmp_path / "trace.json"

    assert run("simulate", model(COUNTER), "--trace", trace) == Exit.VIOLATED

    assert "'small' is violated here" in capsys.readouterr().out
    written = json.loads(trace.read_text())["simulation"]
    assert [step["event"] for step in written["steps"]] == ["paint"]
    assert written["steps"][0]["changes"]["colour"] == ["red", "green"]


def test_a_fault_ends_a_walk(model, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("simulate", model(FAULTY)) == Exit.MODEL

    captured = capsys.readouterr()
    assert "the model faults in rule 'up' after 2 steps" in captured.out
    assert "error[BUR501]" in captured.err


def interact(monkeypatch: pytest.MonkeyPatch, lines: str, *arguments: object) -> int:
    """A session with these lines as input."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    return run("simulate", *arguments, "--interactive")


def test_steps_are_chosen_by_number(monkeypatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace = tmp_path / "trace.json"
    lines = "1\n1\nu\n2\nt\nq\n"

    assert interact(monkeypatch, lines, PHILOSOPHERS, "-D", "N=3", "--seed", "1", "--trace", trace) == Exit.DONE

    steps = [step["event"] for step in json.loads(trace.read_text())["simulation"]["steps"]]
    assert steps == ["get(0, 1)", "get(2, 0)"]
    assert "  2  get(2, 0)  at[2]: thinking → holding_one" in capsys.readouterr().out


def test_a_deadlock_is_named(monkeypatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert interact(monkeypatch, "1\n1\n1\nr\nu 9\n", PHILOSOPHERS, "-D", "N=3") == Exit.DONE
    out = capsys.readouterr().out
    assert "no rule can fire after 3 steps: a deadlock" in out
    assert "nothing can happen here" in out

    assert interact(monkeypatch, "1\n1\n1\n", PHILOSOPHERS, "-D", "N=3") == Exit.VIOLATED


def test_wrong_commands_do_no_harm(monkeypatch, capsys: pytest.CaptureFixture[str]) -> None:
    lines = "0\n99999999999999\nfoo\n\nu\nr x\ns\nl\ni\nh\n-1\n²\n"

    assert interact(monkeypatch, lines, PHILOSOPHERS, "-D", "N=3") == Exit.DONE

    assert "what is 'foo'?" in capsys.readouterr().out


def test_a_fault_at_the_end_of_a_session_is_shown_where_it_is(model, monkeypatch, capsys) -> None:
    """As at the end of a random walk."""
    path = model("var x: 0 .. 1 = 0;\nrule up do { x := x + 1; }\n")
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n1\nq\n"))

    assert main(["simulate", str(path), "--interactive"]) == 3
    assert "error[BUR501]" in capsys.readouterr().err


def test_a_session_can_give_one_object(monkeypatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert interact(monkeypatch, "r 3\nq\n", PHILOSOPHERS, "-D", "N=3", "--seed", "3", "--json") == Exit.DONE

    assert json.loads(capsys.readouterr().out)["steps"] == 3


# ---------------------------------------------------------------- coverage


def test_what_never_happens_is_listed(model, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("count", model(COUNTER), "--coverage") == Exit.DONE

    out = capsys.readouterr().out
    assert "1 of 2 rules fire\n             never fired: never\n" in out
    assert "never taken by colour: blue\n" in out
    assert "never taken by level: 1, 3..9\n" in out
    assert "never taken by items of queue: 0, 2..9\n" in out
    assert "queue is never longer than 1 of 3" in out


def test_coverage_is_a_key_of_the_object(model, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("count", model(COUNTER), "--coverage", "--json", "--symmetry", "unique") == Exit.DONE

    found = json.loads(capsys.readouterr().out)["coverage"]
    assert found["rules_never_fired"] == ["never"]
    assert found["variables"][0] == {"name": "colour", "values": 3, "never_taken": ["blue"]}


def test_a_check_covers_all_states_though_it_ends_early(model, capsys: pytest.CaptureFixture[str]) -> None:
    """The violated claim is decided at once; what is covered is about all states nevertheless."""
    assert run("check", model(COUNTER), "--coverage") == Exit.VIOLATED
    assert "1 of 2 rules fire\n             never fired: never\n" in capsys.readouterr().out

    assert run("check", model(COUNTER), "--coverage", "--json") == Exit.VIOLATED
    assert json.loads(capsys.readouterr().out)["coverage"]["rules_never_fired"] == ["never"]

    assert run("check", model(COUNTER), "--coverage", "--symmetry", "adaptive") == Exit.MODEL
    assert "does not know what it covers" in capsys.readouterr().err


def test_every_process_that_is_checked_has_its_coverage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "model.csp"
    path.write_text("P = a -> P;\nQ = b -> Stop;\n#assert P deadlockfree;\n#assert Q deadlockfree;\n")

    assert run("check", path, "--coverage") == Exit.VIOLATED
    out = capsys.readouterr().out
    assert "process P\ncoverage     1 of 1 rules fire" in out
    assert "process Q\ncoverage     1 of 1 rules fire" in out

    assert run("check", path, "--coverage", "--json") == Exit.VIOLATED
    processes = json.loads(capsys.readouterr().out)["processes"]
    assert [p["coverage"]["rules"] for p in processes] == [1, 1]


def test_coverage_needs_all_states(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("count", PHILOSOPHERS, "-D", "N=10", "--memory", "1M", "--coverage") == Exit.LIMIT
    assert "not known: the exploration is not complete" in capsys.readouterr().out

    assert run("count", PHILOSOPHERS, "--symmetry", "adaptive", "--coverage") == Exit.MODEL
    assert "does not know what it covers" in capsys.readouterr().err


def test_coverage_of_a_model_that_faults_is_not_known(model, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("count", model(FAULTY), "--coverage") == Exit.MODEL

    assert "the model faults" in capsys.readouterr().out


# ---------------------------------------------------------------- doctor, completion, help


def test_everything_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("doctor", "--json") == Exit.DONE

    found = {f["part"]: f["status"] for f in json.loads(capsys.readouterr().out)["findings"]}
    assert found["compiler"] == found["self-test"] == found["cache"] == "ok"


def test_a_missing_compiler_is_found_with_advice(monkeypatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)

    assert run("doctor") == Exit.LIMIT

    out = capsys.readouterr().out
    assert "failed   compiler" in out
    assert "pip install 'burnside[zig]'" in out


def completed(script: Path, *words: str) -> list[str]:
    """What bash offers for the last word."""
    quoted = " ".join(f"'{w}'" for w in words)
    command = (
        f'source {script}; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _burnside; echo "${{COMPREPLY[@]}}"'
    )
    return subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True).stdout.split()


def test_bash_completes_commands_options_and_values(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "completion"
    assert run("completion", "bash") == Exit.DONE
    script.write_text(capsys.readouterr().out)

    assert completed(script, "burnside", "c") == ["check", "count", "completion"]
    assert completed(script, "burnside", "check", "m.seq", "--sym") == ["--symmetry"]
    assert completed(script, "burnside", "draw", "m.seq", "--what", "") == ["graph", "states", "quotient", "groups"]
    assert completed(script, "burnside", "pattern", "f") == ["find"]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_have_scripts(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("completion", shell) == Exit.DONE

    out = capsys.readouterr().out
    assert "burnside" in out
    assert "quotient" in out


def test_the_short_help_says_what_the_commands_say() -> None:
    """The lines of the help are known without importing the commands; they are the same."""
    (commands,) = (a for a in whole_parser()._actions if a.choices and "check" in a.choices)

    assert {a.dest: a.help for a in commands._choices_actions} == _COMMANDS


@pytest.mark.parametrize("command", [*_COMMANDS, "pattern check", "pattern find", "pattern image"])
def test_every_command_has_examples(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run(*command.split(), "--help")

    assert f"  burnside {command}" in capsys.readouterr().out.partition("examples:")[2]


def test_help_comes_at_once() -> None:
    """Libraries that a command needs are imported when it runs."""
    modules = "import sys, burnside.cli.main as m; m.parser_for([]); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", modules], capture_output=True, text=True, check=True).stdout.split()

    assert not {"numpy", "igraph", "rich", "pygraphviz", "burnside.study"} & set(loaded)
