"""What is found is what was asked: every clause of ``find``, in every mode; and commands that keep their limits."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from time import perf_counter

import pytest
from pysat import solvers
from pysat.solvers import Solver

from burnside import limits
from burnside.cli import watchdog
from burnside.cli.main import main
from burnside.regular import find, report
from burnside.regular.clauses import moves_as, unmet, why_none
from burnside.regular.describe import describe_pattern
from burnside.regular.find import _led_by_instances, search
from burnside.regular.formats import load_system
from burnside.regular.library import Permutation
from burnside.regular.modes import MODES
from burnside.regular.relations import identity, universal
from burnside.regular.search import TooLarge
from burnside.regular.synthesis import encoding, sat
from burnside.regular.synthesis.catalogue import patterns_in_catalogue
from burnside.regular.synthesis.lifted import find_process_patterns
from burnside.regular.synthesis.outcome import Found
from burnside.regular.system import Constraints
from burnside.source import Source

# Every permutation of positions is a symmetry.
ALIKE = "alphabet { a, b }\naction s = id* a/b id*;\n"
# No two processes differ.
CONSTANT = "alphabet { a, b }\nconfigurations a*;\naction s = same(a*);\n"


def system_of(text):
    return load_system(Source("t.regular", text))


def write(tmp_path, text):
    path = tmp_path / "t.regular"
    path.write_text(text)
    return str(path)


@pytest.fixture
def small(monkeypatch):
    """The lifted search tries binary patterns with at most five states: enough for rotations, and quick."""
    five = lambda *given, **more: find_process_patterns(*given, largest=5, **more)  # noqa: E731
    monkeypatch.setattr(find, "find_process_patterns", five)


NEVER = ["bounded b", "bounded any", "impossible a/b", "generator 2 (); generator 3 (); generator 4 ()"]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("clause", NEVER)
def test_clauses_that_no_pattern_meets(mode, clause):
    """Images of bijections have what configurations have; a letter that moves comes to where there was another."""
    system = system_of(ALIKE + f"find {{ kind process; states 1..5; {clause}; }}")

    assert list(search(system, mode=mode, most=9)) == []


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("mode", MODES)
def test_the_number_of_states_is_kept(mode):
    """Whoever finds it, a pattern has as many states as it may have."""
    system = system_of(ALIKE + "find { states 5..5; }")

    assert [found.states for found in search(system, mode=mode, most=2)] == [5, 5]
    assert [*search(system, mode=mode, constraints=Constraints(states=(1, 4)))] == []


def test_the_catalogue_keeps_the_whole_block():
    """The first patterns of the list move the first position; what is asked for fixes it."""
    system = system_of(ALIKE + "find { forced a b b -> a b b; must not a/b any*; generator 3 (2 3); }")
    found = list(search(system, mode="catalogue", most=20))

    assert found
    for pattern in found:
        assert moves_as(pattern.relation, (0, 2, 1)) and not moves_as(pattern.relation, (1, 2, 0))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("most", [1, 2])
def test_no_more_patterns_than_asked_for(tmp_path, capsys, mode, most):
    """``--count`` bounds what is printed, in every mode."""
    path = write(tmp_path, ALIKE + "find { states 1..5; }")

    assert main(["pattern", "find", path, "--mode", mode, "--count", str(most), "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["patterns"]) == most


@pytest.mark.parametrize("mode", MODES)
def test_the_identity_on_the_configurations_is_no_pattern(tmp_path, capsys, mode):
    """A rotation that leaves every configuration as it is is not worth a word but this one."""
    assert main(["pattern", "find", write(tmp_path, CONSTANT), "--mode", mode]) == 0
    assert (
        capsys.readouterr().out == "no pattern: every permutation of positions is the identity on the configurations\n"
    )


@pytest.mark.parametrize("kind", ["complete", "function"])
def test_the_identity_is_excluded_where_only_few_words_can_move(kind):
    """One process at most is ``b``, the first or the second: transducers that differ elsewhere are not proposed."""
    system = system_of("alphabet { a, b }\nconfigurations a* | b a* | a b a*;\naction s = id*;")
    found = list(search(system, mode="faithful", constraints=Constraints(kind=kind, states=(1, 4)), most=3))

    assert found and all(p.relation != identity(system.configurations) for p in found)


def test_one_word_of_each_length_leaves_nothing_to_find():
    """Whatever keeps lengths is the identity; what may shorten words is not."""
    system = system_of(CONSTANT)

    for kind in ("process", "complete", "function"):
        assert why_none(system, Constraints(kind=kind)) and not list(search(system, constraints=Constraints(kind=kind)))
    assert list(search(system, constraints=Constraints(kind="decreasing", states=(1, 3))))


@pytest.mark.parametrize(
    ("clause", "name"),
    [
        ("states 6..9", "states"),
        ("forced a b -> a b", "forced"),
        ("impossible b/a", "impossible"),
        ("bounded a", "bounded"),
        ("generator 3 (1 3 2)", "generator"),
        ("select 3 (1 2) | (2 3)", "select"),
        ("must a/b a/a b/a a/a*", "must"),
        ("must not a/b id* b/a", "must not"),
    ],
)
def test_every_clause_is_decided_on_the_relation(clause, name):
    """The rotation of all positions to the right, against one clause after the other that it does not meet."""
    system = system_of(ALIKE + f"find {{ {clause}; }}")
    rotation = Permutation("rotation", 1).relation(2)

    assert unmet(system, system.constraints, Found(rotation, 5, 0, 0, 0)) == name
    assert unmet(system, Constraints(), Found(rotation, 5, 0, 0, 0)) == ""


def test_the_kind_is_decided_on_the_relation():
    """Renaming letters is a bijection, and no permutation of positions."""
    system = system_of("alphabet { a, b }\naction s = (a/b | b/a)*;")
    renaming = Found(Permutation("identity", letters=(1, 0)).relation(2), 1, 0, 0, 0)

    assert unmet(system, Constraints(), renaming) == "kind"
    assert unmet(system, Constraints(off=frozenset({"permutative"})), renaming) == "kind"
    assert unmet(system, Constraints(kind="complete"), renaming) == ""
    assert unmet(system, Constraints(kind="function"), Found(identity(universal((0, 1))), 1, 0, 0, 0)) == "identity"


def test_a_pattern_that_is_not_what_was_asked_ends_the_command(tmp_path, capsys, monkeypatch):
    """The last line of defence, with a search that does not keep the block: exit 70, and no pattern is shown."""
    free = lambda system, **_: patterns_in_catalogue(system, constraints=Constraints())  # noqa: E731
    monkeypatch.setattr(find, "patterns_in_catalogue", free)
    path = write(tmp_path, ALIKE + "find { impossible a/b; }")
    code = main(["pattern", "find", path, "--mode", "catalogue"])
    shown = capsys.readouterr()

    assert code == 70 and shown.out == ""
    assert "does not meet 'impossible'" in Path(shown.err.split()[-1]).read_text()


# ---------------------------------------------------------------- limits

# The mirror image of a step is looked for on a stack: with three letters and this step that takes many configurations.
HARD = """
alphabet { x, y, z }
let turned = compose(rotation@-2, (x/z | y/y | z/x)*);
action s = id* (rotation@2 | compose(compose(inverse(turned), rotation@2), turned)) id*;
pattern p = turned;
find { kind function; states 9..20; }
"""


COMMANDS = [("check",), ("check", "--pattern", "reflection"), ("find",), ("image", "--pattern", "rotation@1")]


# Whoever is interrupted between opening a file and entering its ``with`` leaves it to the collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("limit", "word"), [(("--time", "0.001"), "time"), (("--memory", "64K"), "memory")])
def test_commands_keep_their_limits(tmp_path, capsys, monkeypatch, command, limit, word):
    """Exit 4 and a sentence, whatever stage is interrupted, loading among them."""
    path = write(tmp_path, HARD)
    growing = count(0, 1 << 40)
    monkeypatch.setattr(limits, "memory_in_use", lambda: next(growing))
    monkeypatch.setattr(watchdog, "_GRACE", 0.0)
    monkeypatch.setattr(watchdog, "_INTERVAL", 0.001)

    assert main(["pattern", command[0], path, *command[1:], *limit]) == 4
    told = capsys.readouterr()  # on standard error, if there is no answer yet that could say so
    assert f"stopped at the {word} limit" in (told.out or told.err)
    assert main(["pattern", command[0], path, *command[1:], *limit, "--json"]) == 4
    assert json.loads(capsys.readouterr().out)["stopped"] == word


def test_families_keep_their_limits(capsys):
    """Detection at several sizes is interrupted too: while the report is made or, on slow machines, before that."""
    path = Path(__file__).parents[3] / "examples" / "lin2016" / "allocator.seq"

    assert main(["pattern", "find", str(path), "-D", "N=20..40", "--time", "1"]) == 4
    printed = capsys.readouterr()
    assert "stopped at the time limit" in (printed.out or printed.err)


def test_what_was_found_before_time_was_up_is_shown(tmp_path, capsys):
    """The report is partial, and says so."""
    path = write(tmp_path, ALIKE)
    code = main(["pattern", "find", path, "--count", "99", "--time", "1.5", "--json"])
    content = json.loads(capsys.readouterr().out)

    assert code == 4 and content["stopped"] == "time" and content["patterns"]


def test_the_reflection_is_decided_where_the_stack_takes_too_long():
    """By reversal, as the library does; within the bound on work, not after a minute."""
    result = report.check_pattern(system_of(HARD), "reflection")

    assert not result.holds and result.lines[0].endswith("(reversal of the language)")


def test_a_pattern_that_moves_long_words_only_is_not_described_as_the_identity():
    """Eight letters are more than examples are looked for at first."""
    system = system_of("alphabet { a, b }\nconfigurations a* | a a a a a a a b | b a a a a a a a;\naction s = id*;")
    swap = "pattern p = (a/a)* | a/b (a/a){6} b/a | b/a (a/a){6} a/b;"
    pattern = system_of("alphabet { a, b }\naction s = id*;\n" + swap).pattern("p").relation

    assert describe_pattern(system, pattern) == ("function with, for instance, a a a a a a a b ↦ b a a a a a a a")


def test_large_formulas_and_instances_are_not_built(monkeypatch):
    """Millions of steps in the instance of four processes are not enumerated; a formula has a largest size."""
    many = "alphabet { a, b, c, d, e, f, g, h }\naction s = any*;"
    assert [*_led_by_instances(system_of(many), Constraints())] == [Constraints()]
    monkeypatch.setattr(sat, "LARGEST_FORMULA", 1_000)
    with pytest.raises(TooLarge):
        next(search(system_of(ALIKE), mode="faithful"))


def test_configurations_with_many_states_do_not_make_a_search_propose_the_identity(monkeypatch):
    """Where the word that is moved cannot be guessed, candidates are excluded one by one."""
    monkeypatch.setattr(encoding, "LARGEST_GUESS", 0)
    system = system_of("alphabet { a, b }\nconfigurations a* | b a | a b;\naction s = id*;")
    found = next(search(system, mode="faithful", constraints=Constraints(kind="complete", states=(2, 3))))

    assert found.relation != identity(system.configurations)


def test_libraries_are_not_interrupted(tmp_path, capsys, monkeypatch):
    """A library that runs when time is up returns before the command ends."""
    ended = []

    class Slow(Solver):
        def delete(self):
            until = perf_counter() + 0.2
            while perf_counter() < until:
                pass
            ended.append(True)
            super().delete()

    monkeypatch.setattr(solvers, "Solver", Slow)
    monkeypatch.setattr(watchdog, "_LIBRARIES", {*watchdog._LIBRARIES, __name__})

    assert (
        main(["pattern", "find", write(tmp_path, ALIKE), "--mode", "faithful", "--count", "99", "--time", "0.1"]) == 4
    )
    assert ended and "stopped at the time limit" in capsys.readouterr().out
