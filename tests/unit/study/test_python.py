"""The Python interface: every command is a method, with the words and defaults of the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import burnside
from burnside.cli.main import main
from burnside.source import ModelError

EXAMPLES = Path(__file__).parents[3] / "examples"
PHILOSOPHERS = EXAMPLES / "zhang2013" / "dining_philosophers.seq"


@pytest.mark.parametrize("name", ["jaghoori2005/workers.rebeca", "tutorial/queue_lock.seq"])
def test_counting_has_the_defaults_of_the_command(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Actors that are created are counted up to renaming, here and there."""
    assert main(["count", str(EXAMPLES / name), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)

    assert burnside.load(EXAMPLES / name).count().states == printed["states"]


def test_symmetries_have_short_paths() -> None:
    found = burnside.load(PHILOSOPHERS, N=5).symmetries()

    assert (found.order, found.structure, len(found.generators)) == (5, "C5", 1)
    assert found.as_dict()["order"] == 5
    assert "symmetries   5: C5 (Phil)" in str(found)
    assert found._repr_html_().startswith("<pre>symmetries")


def test_every_command_is_a_method(tmp_path: Path) -> None:
    """On a model that is small enough for all of them."""
    model = burnside.load(PHILOSOPHERS, N=3)

    assert model.check("progress").verdicts == {"progress": "violated"}
    assert model.coverage().coverage is not None
    assert "coverage" in str(model.coverage(symmetry="unique"))
    assert model.simulate(seed=7, steps=3).as_dict()["seed"] == 7
    assert model.explain().report.explanation is not None
    assert model.export(format="aut").startswith("des (0, 66, 35)")
    assert len(model.export(format="jsonl", symmetry="unique").splitlines()) == 1 + 13 + 24
    page = model.report()
    page.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text().startswith("<!DOCTYPE html>")
    assert page._repr_html_().startswith("<iframe")


def test_a_picture_is_svg() -> None:
    pytest.importorskip("pygraphviz")

    drawn = burnside.load(PHILOSOPHERS, N=3).draw(what="groups")

    assert drawn._repr_html_().startswith("<svg")
    assert drawn.size == "3 symmetries: C3 (Phil); 3 points"


def test_patterns_are_asked_for_in_python() -> None:
    system = burnside.load_regular(EXAMPLES / "lin2016" / "coffee_can.regular")

    assert system.image("parity").as_dict()["finite"]
    assert burnside.load_regular(EXAMPLES / "lin2016" / "herman.regular").check("rotation@1").holds
    assert burnside.find_patterns(PHILOSOPHERS, N=range(3, 6)).as_dict()["sizes"]


@pytest.mark.parametrize(
    "ask",
    [
        lambda m: m.check(symmetry="uniqe"),
        lambda m: m.count(symmetry="best"),
        lambda m: m.check(fairness="some"),
        lambda m: m.count(search="random"),
        lambda m: m.draw(what="nothing"),
        lambda m: m.export(format="xml"),
    ],
)
def test_unknown_words_are_refused_with_the_known_ones(ask) -> None:  # type: ignore[no-untyped-def]
    """A mode that nobody knows once ran as another one."""
    with pytest.raises(ValueError, match=r"can be|are"):
        ask(burnside.load(PHILOSOPHERS, N=3))


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda m: m.check(symmetry="adaptive", threads=2), "breadth-first, with one thread"),
        (lambda m: m.check(symmetry="adaptive", search="dfs"), "breadth-first, with one thread"),
        (lambda m: m.count(search="dfs", threads=2), "the depth-first search has one thread"),
        (lambda m: m.coverage(symmetry="adaptive"), "does not know what it covers"),
        (lambda m: m.check(fairness="weak"), "fairness is about infinite runs"),
    ],
)
def test_options_that_do_not_apply_are_refused_as_on_the_command_line(ask, message: str) -> None:  # type: ignore[no-untyped-def]
    """They were once accepted, and ignored."""
    with pytest.raises(ModelError) as error:
        ask(burnside.load(PHILOSOPHERS, N=3))

    (diagnostic,) = error.value.diagnostics
    assert diagnostic.code == "BUR902"
    assert message in diagnostic.message


def test_options_of_other_languages_are_refused_by_every_command(tmp_path: Path) -> None:
    """``check`` once accepted them in silence."""
    path = tmp_path / "model.csp"
    path.write_text("P = a -> P;\n#assert P deadlockfree;\n")

    for command in ("check", "count", "detect"):
        assert main([command, str(path), "--queue-semantics", "paper"]) == 3
    with pytest.raises(ModelError):
        burnside.load(path, queue_semantics="paper")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"queue_semantics": "papr"}, "--queue-semantics takes one of paper, reference, found 'papr'"),
        ({"max_rebecs": 0}, "--max-rebecs takes a number from 1 to 500, found 0"),
        ({"max_rebecs": "3"}, "--max-rebecs takes a number from 1 to 500, found '3'"),
    ],
)
def test_values_that_an_option_does_not_take_are_refused(given: dict[str, object], message: str) -> None:
    """A misspelled word once meant the default."""
    with pytest.raises(ModelError) as error:
        burnside.load(EXAMPLES / "jaghoori2005" / "workers.rebeca", **given)  # type: ignore[arg-type]

    (diagnostic,) = error.value.diagnostics
    assert (diagnostic.code, diagnostic.message) == ("BUR902", message)


def test_a_word_that_is_no_option_is_no_constant_either() -> None:
    with pytest.raises(ModelError, match="the model has no constant 'queue_semantic'"):
        burnside.load(PHILOSOPHERS, queue_semantic="paper")
