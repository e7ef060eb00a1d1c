"""Images, safety, the table of the paper, and what the command says about all of it."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from burnside.cli.main import main
from burnside.regular import report
from burnside.regular.bench import measure, run_rows, text_lines
from burnside.regular.formats import load_system
from burnside.regular.image import image_of
from burnside.regular.instances import instance
from burnside.source import ModelError, Source

ROOT = Path(__file__).parents[3]
TABLE = ROOT / "benchmarks" / "tables" / "lin2016-table1.toml"


def run(capsys, *arguments):
    """The exit code and standard output of ``burnside pattern``."""
    return main(["pattern", *arguments]), capsys.readouterr().out


def unused(model):
    """An explorer that nothing should ask."""
    raise AssertionError(model)


def example(name):
    return str(ROOT / "examples" / "lin2016" / f"{name}.regular")


def test_the_coffee_can_has_a_finite_image_of_three_words(systems):
    """As the paper says of its pattern."""
    system = systems["coffee_can"]
    image = image_of(system, system.pattern("parity").relation)

    assert [system.alphabet.text(w) for w in image.words] == [
        "black black space",
        "black room space",
        "room room white",
    ]
    assert image.is_finite and image.count == 3


def test_the_colour_of_the_last_bean_by_brute_force(systems):
    """The same answer, can by can, up to seven places."""
    system = systems["coffee_can"]
    for length in range(3, 8):
        single = instance(system, length)
        following = {}
        for v, w in single.steps["step"]:
            following.setdefault(v, []).append(w)
        for start in single.configurations:
            reached, todo = {start}, [start]
            while todo:
                fresh = [w for w in following.get(todo.pop(), []) if w not in reached]
                reached.update(fresh)
                todo += fresh
            last = {(w.count(0), w.count(2)) for w in reached}
            assert not ((1, 0) in last if start.count(2) % 2 else (0, 1) in last)


def test_a_relation_that_is_not_total_has_no_image():
    """The diagnostic stands at the pattern and shows the word that is left out."""
    text = "alphabet { a, b }\naction t = id*;\npattern p = (a/a)*;\n"
    with pytest.raises(ModelError) as caught:
        report.image(load_system(Source("t.regular", text)), "p", unused)

    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "BUR604" and str(diagnostic.span) == "t.regular:3:13"
    assert [note.message for note in diagnostic.notes] == ["the configuration 'b' has no image"]


def test_a_relation_that_is_no_simulation_has_no_image(systems):
    """The step that is not matched is shown."""
    with pytest.raises(ModelError) as caught:
        report.image(systems["herman"], "transposition@1", unused)

    assert caught.value.diagnostics[0].code == "BUR611"
    assert "has no step to the image" in caught.value.diagnostics[0].notes[0].message


def test_check_prints_the_contract(capsys):
    """``pattern check --json``: a truth value per name, and the groups."""
    code, out = run(capsys, "check", example("resource_allocator"), "--json")
    content = json.loads(out)

    assert code == 0
    assert content["patterns"]["rotation@2"] is True and content["patterns"]["rotation@1"] is False
    assert set(content["patterns"]) >= {"rotation@1", "transposition@1", "reflection", "rotation@-2"}
    assert content["groups"] == ["full@2"]
    assert content["generators"] == {"full@2": ["transposition@2", "rotation@2"]}


def test_check_of_one_pattern_says_what_fails(capsys):
    """Exit 1 if it is no pattern; every condition with its words."""
    good, out = run(capsys, "check", example("coffee_can"), "--pattern", "parity", "--json")
    content = json.loads(out)
    assert good == 0 and content["patterns"] == {"parity": True}
    assert content["conditions"]["simulation"] and not content["conditions"]["injective"]

    bad, out = run(capsys, "check", example("herman"), "--pattern", "transposition@1")
    assert bad == 1
    assert out.startswith("'transposition@1' is not a symmetry pattern (Theorem 3)\n")


@pytest.mark.parametrize(("name", "expected"), [("israeli_jalfon_mirrored", 0), ("israeli_jalfon", 1)])
def test_the_reflection_is_checked_by_both_methods(capsys, name, expected):
    """It is not regular, but it can be asked for like the others."""
    code, out = run(capsys, "check", example(name), "--pattern", "reflection")

    assert code == expected and "(Theorem 6)" in out


def test_find_prints_the_contract(capsys, tmp_path):
    """``pattern find --json``: states, description, iterations, seconds; and a diagram on request."""
    diagram = tmp_path / "p.dot"
    code, out = run(capsys, "find", example("herman"), "--json", "--dot", str(diagram))
    first = json.loads(out)["patterns"][0]

    assert code == 0
    assert first["states"] == 5 and first["description"].startswith("rotation of positions 1..n to the ")
    assert {"iterations", "seconds"} <= set(first)
    assert diagram.read_text().startswith("digraph")


def test_find_stops_in_time_with_a_partial_report(capsys):
    """Exit 4, and what was found so far."""
    system = example("dining_philosophers")
    code, out = run(capsys, "find", system, "--mode", "faithful", "--time", "0.000001", "--json")

    assert code == 4 and json.loads(out)["stopped"] == "time"


def test_find_says_when_there_is_nothing(capsys):
    """No pattern is an answer, not an error."""
    code, out = run(capsys, "find", example("israeli_jalfon_printed"), "--mode", "catalogue")

    assert code == 0 and out.startswith("no pattern")


def test_image_prints_the_contract(capsys):
    """``pattern image --json``: finite, words, and the safety questions of the file."""
    code, out = run(capsys, "image", example("coffee_can"), "--pattern", "parity", "--json")
    content = json.loads(out)

    assert code == 0 and content["finite"] and len(content["words"]) == 3
    assert {q["name"]: q["verdict"] for q in content["safety"]} == {
        "odd_is_never_black": "holds",
        "even_is_never_white": "holds",
    }
    _, out = run(capsys, "image", example("herman"), "--pattern", "rotation@1", "--json")
    assert json.loads(out)["finite"] is False


def test_unknown_patterns_are_an_error_with_advice(capsys):
    """A name nearly right is recognised."""
    assert main(["pattern", "image", example("coffee_can"), "--pattern", "party"]) == 3
    assert "did you mean 'parity'?" in capsys.readouterr().err


def test_bad_files_are_model_errors(capsys, tmp_path):
    """Exit 3, and a place."""
    bad = tmp_path / "bad.regular"
    bad.write_text("alphabet { a }\naction t = b/b;\n")

    assert main(["pattern", "check", str(bad)]) == 3
    assert "bad.regular:2:" in capsys.readouterr().err


def published_rows():
    return tomllib.loads(TABLE.read_text())["row"]


def test_the_quick_rows_of_table_1(systems):
    """Published sizes are reproduced in lifted mode with nothing forced; times are not asserted."""
    for row in published_rows():
        found = measure(systems[Path(row["example"]).stem], mode="lifted")
        if found is not None:
            assert found["states"] == row["states"] == row["paper"]["states"]
            assert found["pattern"].startswith("rotation of positions ")


def test_the_table_is_shown_with_the_paper_beside(systems):
    """One line per system and mode, and the totals."""
    rows = run_rows(published_rows()[:2], lambda example: systems[Path(example).stem])
    lines = list(text_lines(rows))

    assert [line.split()[0] for line in lines[2:]] == ["Herman", "Herman", "Israeli-Jalfon", "Israeli-Jalfon", "total:"]
    assert "rotation of positions 1..n" in lines[2]


@pytest.mark.slow
def test_all_rows_of_table_1_in_faithful_mode(systems):
    """The paper's loop, from one state up."""
    for row in published_rows():
        found = measure(systems[Path(row["example"]).stem], mode="faithful")
        assert found["states"] == row["states"] == row["paper"]["states"]
