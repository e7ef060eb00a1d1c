"""The three readers: what they accept, and what they say about bad input."""

from __future__ import annotations

import re
from itertools import product

import pytest

from burnside.regular.alphabet import convolve
from burnside.regular.automata import words
from burnside.regular.formats import load_system, read_system
from burnside.regular.library import Permutation
from burnside.regular.symmetries import find_symmetries
from burnside.source import ModelError, Severity, Source, render

HEAD = "alphabet { a, b }\n"


def language_of(expression):
    system = load_system(Source("t.regular", f"{HEAD}configurations {expression};\naction t = id*;\n"))
    return {"".join("ab"[i] for i in w) for n in range(6) for w in words(system.configurations, n)}


@pytest.mark.parametrize(
    ("ours", "python"),
    [
        ("any*", "[ab]*"),
        ("a* b+", "a*b+"),
        ("(a | b b)* a?", "(a|bb)*a?"),
        ("a{2} b{1,} any{0,2}", "a{2}b{1,}[ab]{0,2}"),
        ("() | a b", "|ab"),
        ("[a b] a", "[ab]a"),
        ("| a | b", "a|b"),
        ("((a b)* a)**", "((ab)*a)*"),
        ("a* & any{3}", "a{3}"),
        ("any* - any* b b any*", "(?!.*bb)[ab]*"),
    ],
)
def test_expressions_mean_what_regular_expressions_mean(ours, python):
    """Python's own engine is the oracle on all short words."""
    every = ["".join(w) for n in range(6) for w in product("ab", repeat=n)]

    assert language_of(ours) == {w for w in every if re.fullmatch(python, w)}


def relation_of(expression):
    system = load_system(Source("t.regular", f"{HEAD}action t = id*;\npattern p = {expression};\n"))
    relation = system.patterns[0].relation
    every = [w for n in range(4) for w in product((0, 1), repeat=n)]
    return {(v, w) for v in every for w in every if relation.accepts(convolve(v, w))}


def test_relations_can_be_built_from_words():
    """``pairs``, ``same``, ``inverse`` and ``compose``, and the library by name."""
    every = [w for n in range(4) for w in product((0, 1), repeat=n)]

    assert relation_of("pairs(a*, b)") == {(v, (1,)) for v in every if set(v) <= {0}}
    assert relation_of("same(a b)") == {((0, 1), (0, 1))}
    assert relation_of("inverse(pairs(a, b b))") == {((1, 1), (0,))}
    assert relation_of("compose(pairs(a, b b), pairs(b b, ()))") == {((0,), ())}
    assert relation_of("rotation@1") == {(v, Permutation("rotation", 1).image(v)) for v in every}
    assert relation_of("a/_ b/_") == {((0, 1), ())}


def test_definitions_serve_as_words_and_as_pairs():
    """``any*`` may stand for both; letters hide definitions of the same name only by an error."""
    text = HEAD + "let all = any*;\nconfigurations all;\naction t = all;\n"
    system = load_system(Source("t.regular", text))

    assert set(system.configurations.rows[0]) == set(system.alphabet.letters)
    assert system.raw_step.size == 1 and len(system.raw_step.rows[0]) == 4


def test_the_shipped_systems_have_the_published_sizes(systems):
    """The least automata of the steps, as the notes on the paper's systems count them."""
    sizes = {name: system.raw_step.size for name, system in systems.items() if name != "lehmann_rabin"}

    assert sizes == {
        "herman": 8,
        "israeli_jalfon": 13,
        "israeli_jalfon_mirrored": 17,
        "israeli_jalfon_printed": 12,
        "resource_allocator": 5,
        "dining_philosophers": 10,
        "coffee_can": 10,
    }


AUTHORS = """
model {
  systemTransitions {
    init: s;
    s -> p T/N;            /* first passes to last */
    p -> f N/T; p -> f T/T;
    s -> q N/T; s -> q T/T; q -> f T/N;
    s -> m;                // empty move
    m -> q N/T; m -> q T/T;
    loop: p, m, f;
    accepting: f;
  }
  statesGuessing : 1..6;
  forcedSymmetryGenerators : (3, (0 1 2)), (2, (0 1));
  forcedSymmetryInstances : (T N N , N T N);
  impossible pairs : ;
  off : copycat;
}
"""


def test_the_authors_format_is_read():
    """Transitions, loops over all letters, empty moves, bounds, forced generators (from zero) and words."""
    system = load_system(Source("herman.txt", AUTHORS))
    constraints = system.constraints

    assert system.alphabet.names == ("N", "T")
    assert constraints.states == (1, 6)
    assert constraints.generators == ((1, 2, 0), (1, 0))
    assert constraints.forced == (((1, 0, 0), (0, 1, 0)),)
    assert constraints.off == {"copycat"} and constraints.kind == "process"
    assert set(system.configurations.rows[0]) == set(system.alphabet.letters)


def test_states_may_be_called_by_their_numbers():
    """Published files accept in ``2`` what their transitions call ``s2``."""
    text = AUTHORS.replace("accepting: f", "accepting: 5").replace("-> f", "-> s5").replace("m, f;", "m, 5;")

    assert load_system(Source("t", text)).steps == load_system(Source("t", AUTHORS)).steps


def test_valid_configurations_of_the_authors_format_are_the_configurations():
    """And letters bounded in the output become a constraint."""
    block = "outputBoundedLetters : T; validConfigurations { init: c; c -> c N; c -> d T; d -> d N; accepting: d; } }"
    system = load_system(Source("one.txt", AUTHORS.rstrip().removesuffix("}") + block))

    assert set(words(system.configurations, 3)) == {(1, 0, 0), (0, 1, 0), (0, 0, 1)}
    assert system.constraints.bounded == (1,)


LIVENESS = """
I0 { init: s0; s0 -> s0 N; s0 -> s1 T; s1 -> s1 N; s1 -> s1 T; accepting: s1; }
closedUnderTransitions;
F { start: s0; s0 -> s0 N; s0 -> s1 [T]; s1 -> s1 N; accept: s1; }
P1 { init: s; loop: s, e; s -> e T/T_; accepting: e; }
P2 { init: s; loop: s, e;
     s -> e T_/T;  s -> m [T_/N]; m -> e N/T; m -> e T/T;
     s -> n N/T; s -> n T/T; n -> e T_/N;  accepting: e; }
transducerStateGuessing: 1 .. 10;
symmetries: rotation;
useRankingFunctions;
"""


def test_one_step_of_the_liveness_format_is_the_composition_of_both_players():
    """The marked letter between the two moves is no letter of configurations."""
    system = load_system(Source("token.txt", LIVENESS))
    step = system.steps["step"]
    pairs = {
        (v, w) for v in product((0, 1), repeat=3) for w in product((0, 1), repeat=3) if step.accepts(convolve(v, w))
    }

    def moved(v):
        for i, holds in enumerate(v):
            if holds:
                yield v
                for j in (i - 1, i + 1):
                    if 0 <= j < 3:
                        yield tuple(int(k == j or (v[k] and k != i)) for k in range(3))

    assert system.alphabet.names == ("N", "T")
    assert pairs == {(v, w) for v in product((0, 1), repeat=3) if any(v) for w in moved(v)}
    assert [q.name for q in system.questions] == ["F_is_never_reached"]
    assert [g.name for g in find_symmetries(system).groups] == ["reflection"]


def test_configurations_of_the_liveness_format_are_as_long_as_initial_words():
    """If a step leaves I0, everything of the same lengths is a configuration: here, words of even length."""
    initial = "I0 { init: s0; s0 -> s1 T; s1 -> s0 N; accepting: s0; }"
    text = initial + LIVENESS[LIVENESS.index("closedUnder") :]
    system = load_system(Source("even.txt", text))

    assert [len(list(words(system.configurations, n))) for n in range(5)] == [1, 0, 4, 0, 16]


ONLY_N = "validConfigurations { init: c; c -> c N; accepting: c; }\n  "
BAD = [
    ("a letter outside the alphabet", HEAD + "action t = id* a/c id*;", "BUR601", "2:18"),
    ("a letter nearly right", "alphabet { idle }\naction t = idel/idle;", "BUR601", "2:12"),
    ("a step that shortens words", HEAD + "action t = id* a/_;", "BUR602", "2:12"),
    ("no configuration", HEAD + "configurations a & b;\naction t = id;", "BUR603", "2:16"),
    ("padding in the middle", HEAD + "action t = id;\npattern p = a/_ b/b;", "BUR605", "3:13"),
    ("padding on both sides", HEAD + "action t = _/_;", "BUR605", "2:12"),
    ("too large", HEAD + "configurations any* a any{14};\naction t = id;", "BUR606", "2:1"),
    ("no steps", HEAD, "BUR608", "2:1"),
    ("no alphabet", "action t = id;", "BUR608", "1:1"),
    ("a letter where a pair belongs", HEAD + "action t = a b/b;", "BUR609", "2:12"),
    ("a pair where a letter belongs", HEAD + "configurations a/b;\naction t = id;", "BUR609", "2:16"),
    ("a definition that mixes both", HEAD + "let x = a a/b;\naction t = id;", "BUR609", "2:9"),
    ("a definition by itself", HEAD + "let x = a x;\naction t = id;", "BUR601", "2:11"),
    ("cycles that overlap", HEAD + "action t = id;\nfind { generator 3 (1 2)(2 3); }", "BUR610", "3:8"),
    ("forced words of different lengths", HEAD + "action t = id;\nfind { forced a -> a b; }", "BUR610", "3:8"),
    ("a forced word outside S", HEAD + "configurations a*;\naction t = id;\nfind { forced b -> a; }", "BUR610", "4:8"),
    ("a kind given twice", HEAD + "action t = id;\nfind { kind process; kind function; }", "BUR202", "3:22"),
    ("states given twice", HEAD + "action t = id;\nfind { states 1..2; states 3..4; }", "BUR202", "3:21"),
    ("one length selected twice", HEAD + "action t = id;\nfind { select 2 (); select 2 (1 2); }", "BUR202", "3:21"),
    ("padding in a constraint", HEAD + "action t = id;\nfind { must a/_ b/b; }", "BUR605", "3:13"),
    ("a name given twice", HEAD + "action t = id;\naction t = id;", "BUR202", "3:8"),
    ("a missing semicolon", HEAD + "action t = id", "BUR102", "2:14"),
    ("a misspelt statement", HEAD + "acton t = id;", "BUR102", "2:1"),
    ("an unknown state", "model { systemTransitions { init: s; s -> s a/b; accepting: t; } }", "BUR201", "1:61"),
    ("no number of states", AUTHORS.replace("1..6", "6..1"), "BUR610", "13:3"),
    ("a statement given twice", AUTHORS.replace("off :", "statesGuessing : 2..3;\n  off :"), "BUR202", "17:3"),
    ("a forced word that is none", AUTHORS.replace("off :", ONLY_N + "off :"), "BUR610", "15:30"),
    ("a forced letter that is none", AUTHORS.replace("(T N N ,", "(T X N ,"), "BUR601", "15:32"),
    ("one letter for two", "I0 {init: s; accepting: s;} P1 {init: s; s -> s a; accepting: s;}", "BUR602", "1:42"),
    ("a missing part", "I0 { init: s; accepting: s; }", "BUR608", "1:30"),
]


@pytest.mark.parametrize(("text", "code", "place"), [b[1:] for b in BAD], ids=[b[0] for b in BAD])
def test_bad_input_is_reported_where_it_is(text, code, place):
    """A diagnostic with a code and a position, and no system."""
    system, diagnostics = read_system(Source("t", text))
    errors = [d for d in diagnostics if d.severity is Severity.ERROR]

    assert system is None
    assert code in [d.code for d in errors]
    assert any(place in str(d.span) for d in errors if d.code == code), [str(d.span) for d in errors]


def test_several_errors_are_reported_in_one_run():
    """Reading goes on behind a broken statement."""
    text = HEAD + "action t = a/c;\nconfigurations (a;\npattern q = d/a;\n"
    _, diagnostics = read_system(Source("t.regular", text))

    assert [d.code for d in diagnostics] == ["BUR601", "BUR102", "BUR601"]


def test_a_step_that_changes_lengths_is_shown_with_words():
    """The words, not only the place."""
    with pytest.raises(ModelError) as caught:
        load_system(Source("t.regular", HEAD + "action t = id* a/_;\n"))

    shown = render(caught.value.diagnostics[0])
    assert "the step 't' changes the length of a word" in shown
    assert "it relates 'a' to '()'" in shown


def test_steps_that_leave_the_configurations_are_a_warning():
    """They are left out, as the definition of instances says, but not in silence."""
    system, diagnostics = read_system(Source("t.regular", HEAD + "configurations a*;\naction t = id* a/b id*;\n"))

    assert system is not None and not system.steps["t"].accepting
    assert [d.code for d in diagnostics] == ["BUR607"]
    assert "from the configuration 'a' to 'b'" in diagnostics[0].message


def test_conditions_that_soundness_needs_stay_on():
    """``off: automorphism`` is answered by a warning."""
    _, diagnostics = read_system(Source("t", AUTHORS.replace("off : copycat", "off : parikh, automorphism")))

    assert [d.code for d in diagnostics] == ["BUR612"]
