"""From the symmetry groups of a few instances of a model to a permutation for every size."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import pytest

from burnside.cli.main import main
from burnside.detect.literals import Literals
from burnside.frontends.loading import load as load_file
from burnside.frontends.seq import load
from burnside.groups.perm import compose
from burnside.ir.cells import Cells, process_ids
from burnside.ir.initial import initial
from burnside.ir.semantics import Step, successors
from burnside.regular.family import Family, Member, Words, families, propose, prove
from burnside.regular.induced import Places, ProcessAction, process_actions, process_domains
from burnside.regular.instances import instance
from burnside.regular.library import Permutation, library
from burnside.regular.process import holds
from burnside.source import Source
from burnside.study import Study

EXAMPLES = Path(__file__).parents[3] / "examples"


def closure(degree, generators):
    """All products of generators, one by one: the judge of every statement about groups here."""
    found = {tuple(range(degree))}
    todo = [*found]
    for g in todo:
        fresh = {compose(g, h) for h in generators} - found
        found |= fresh
        todo += sorted(fresh)
    return found


def detected(name, **constants):
    """The actions on the process ids of an example."""
    return process_actions(Study(load_file(EXAMPLES / name, constants)).symmetries().detection.symmetry)


def action(images, degree, name="P"):
    return ProcessAction(name, tuple(map(str, range(degree))), tuple(images))


def family_of(groups):
    """A family given by generators per number of ids."""
    actions = tuple(action(generators, n) for n, generators in groups.items())
    return Family(("P",), tuple(f"N={n}" for n in groups), actions)


def instances_of(permutations, lengths):
    return {n: [p.positions(n) for p in permutations] for n in lengths}


def run(capsys, *arguments):
    code = main(["pattern", "find", *map(str, arguments)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


# ---------------------------------------------------------------- the action on ids


def states_and_steps(model):
    """The reachable states and the steps between them, by the meaning of models."""
    states = {*initial(model)}
    steps, todo = set(), [*states]
    for state in todo:
        for outcome in successors(model, state):
            assert isinstance(outcome, Step)
            steps.add((state, outcome.rule.event.name, outcome.state))
            if outcome.state not in states:
                states.add(outcome.state)
                todo.append(outcome.state)
    return states, steps


def renamed(model, name, ids, state):
    """A state with the ids of a domain renamed wherever they are an index or a value."""
    cells = Cells(model)
    image = list(state)
    for cell, value in zip(cells.all, state, strict=True):
        at = [ids[i] if d.index == name else i for d, i in zip(cell.variable.dimensions, cell.indices, strict=True)]
        position = cells.position(cell.variable, at) + (0 if cell.slot is None else 1 + cell.slot)
        is_id = cell.variable.domain.index == name and cell.slot != -1 and value in process_ids(cell.variable.domain)
        image[position] = ids[value] if is_id else value
    return tuple(image)


@pytest.mark.parametrize(
    ("name", "size", "domain", "order"),
    [
        ("zhang2013/dining_philosophers.seq", 4, "Phil", 4),
        ("zhang2013/reader_writer.seq", 5, "Reader", 24),
        ("zhang2013/peterson.seq", 3, "Id", 6),
        ("zhang2013/leader_ring.seq", 3, "Agent", 3),
        ("zhang2013/milner_scheduler.seq", 4, "Cell", 1),
        ("classics/filter_lock.seq", 3, "Id", 6),
        ("lin2016/allocator.seq", 4, "Client", 24),
        ("lin2016/israeli_jalfon_mirrored.seq", 5, "Cell", 10),
    ],
)
def test_the_induced_group_is_that_of_renamings_of_ids(name, size, domain, order):
    """Models whose symmetries only rename ids: all renamings that keep the state graph, found by trying all."""
    model = load_file(EXAMPLES / name, {"N": size}).model
    states, steps = states_and_steps(model)
    starts = {*initial(model)}
    induced = detected(name, N=size)[domain]

    found = set()
    for ids in permutations(range(len(induced.ids))):
        image = {state: renamed(model, domain, ids, state) for state in states}
        same = all((image[v], event, image.get(w)) in steps for v, event, w in steps)
        if same and {image[s] for s in starts} == starts:
            found.add(ids)
    assert closure(len(induced.ids), induced.group.generators) == found
    assert induced.order == len(found) == order and not induced.without


def test_values_may_change_along_with_ids():
    """The reflection of these philosophers exchanges left and right; on ids it is a reflection."""
    assert detected("lin2016/lehmann_rabin.seq", N=4)["Phil"].order == 8


TORN = """
const N = 3; process P = 0 .. N-1; var a[P]: bool = false; var b[P]: bool = true;
rule x(i: P) do { a[i] := !a[i]; } rule y(i: P) do { b[i] := !b[i]; }
"""
TORN_WITH_NAMES = """
const N = 3; process P = 0 .. N-1; domain Last = P + { nobody }; var a[P]: bool = false; var b[P]: bool = true;
var last: Last = nobody; var queue: seq[2] of Last = [];
rule x(i: P) when len(queue) < 2 do { a[i] := !a[i]; last := i; push(queue, i); }
rule pull when len(queue) > 0 do { pop(queue); last := nobody; }
rule y(i: P) do { b[i] := !b[i]; }
"""
TORN_RING = """
const N = 3; process P = 0 .. N-1; var a[P]: bool = false; var b[P]: bool = *;
rule x(i: P) do { a[i] := !a[i]; } rule y(i: P) when b[(i + 1) % N] do { b[i] := !b[i]; }
"""


@pytest.mark.parametrize(
    ("text", "order", "expected"), [(TORN, 24, "full"), (TORN_WITH_NAMES, 24, "full"), (TORN_RING, 4, "rotation")]
)
def test_a_symmetry_that_tears_ids_apart_does_not_act(capsys, tmp_path, text, order, expected):
    """Two arrays over one domain that move independently: no single permutation of ids, and that is said.

    Renaming ids everywhere at once is a symmetry nevertheless, though no generator.
    """
    path = tmp_path / "torn.seq"
    path.write_text(text)
    induced = detected(path, N=4)["P"]
    assert induced.without and None in induced.images
    assert induced.order == order

    _, out, _ = run(capsys, path, "-D", "N=3..4")
    assert "no permutation of P: " in out and "exactly" not in out
    assert f"proposed for every size: {expected} (" in out


def test_an_id_that_becomes_no_id_does_not_act(capsys, tmp_path):
    """'nobody' is a value like the ids here, so symmetries exchange it with them; only the others permute ids."""
    path = tmp_path / "values.seq"
    path.write_text(
        "const N = 3; process P = 0 .. N-1; domain Owner = P + { nobody }; var x: Owner = *; var y: Owner = *;\n"
        "rule copy when x != y do { x := y; }\n"
    )
    induced = detected(path, N=3)["P"]
    assert induced.without and induced.order == 6

    _, out, _ = run(capsys, path, "-D", "N=2..3")
    assert "exactly" not in out and "proposed for every size: full (" in out


def test_cells_too_large_to_have_literals_fix_the_ids_they_hold():
    """Such a cell moves as a whole, and its values stay: ids cannot be renamed around it."""
    text = "process P = 0 .. 2; var last: P; var a[P]: bool;"
    (task,), _, _ = load(Source("m.seq", text), {})
    model = task.model
    cells = Cells(model)
    points = ((0, None), *((1 + i, v) for i in range(3) for v in range(2)))
    (domain,) = process_domains(model)
    places = Places(Literals(cells, points), domain)

    assert places.action((0, 1, 2, 3, 4, 5, 6)) == (0, 1, 2)
    assert places.action((0, 3, 4, 1, 2, 5, 6)) is None
    assert places.renaming((1, 0, 2)) is None


def test_an_exchange_of_variables_fixes_ids(tmp_path):
    """Ids may be an index here and a value there, as long as all of them move alike."""
    path = tmp_path / "exchange.seq"
    path.write_text(
        "const N = 3; process P = 0 .. N-1; var row[P]: bool = false; var grid[0..0][P]: bool = false;\n"
        "rule r(i: P) as e when row[(i + 1) % N] == grid[0][i] do { row[i] := !row[i]; }\n"
        "rule g(i: P) as e when grid[0][(i + 1) % N] == row[i] do { grid[0][i] := !grid[0][i]; }\n"
    )
    found = Study(load_file(path, {})).symmetries().detection.symmetry
    induced = process_actions(found)["P"]

    assert found.order % 6 == 0 and induced.order == 3 and not induced.without


# ---------------------------------------------------------------- families


def member(size, **actions):
    return Member(f"N={size}", 1, {name: action(images, n, name) for name, (n, images) in actions.items()})


def test_domains_that_move_together_are_one_family():
    """Philosophers and forks: every generator is the same permutation of both."""
    turn = {3: (1, 2, 0), 4: (1, 2, 3, 0)}
    members = [member(n, Phil=(n, [turn[n]]), Fork=(n, [turn[n]])) for n in turn]
    found, skipped = families(members)

    assert [f.domains for f in found] == [("Phil", "Fork")] and not skipped


def test_equal_groups_that_move_independently_are_two_families():
    """Each generator moves one domain only, although the generated groups are the same."""
    swap = {2: (1, 0), 3: (1, 0, 2)}
    still = {2: (0, 1), 3: (0, 1, 2)}
    members = [member(n, A=(n, [swap[n], still[n]]), B=(n, [still[n], swap[n]])) for n in swap]

    assert [f.domains for f in families(members)[0]] == [("A",), ("B",)]


def test_domains_with_generators_that_do_not_act_are_kept_apart():
    """What is left of their groups may be equal although they do not move together."""
    torn = [
        Member(f"N={n}", 1, {name: ProcessAction(name, ("0",) * n, (None,), ("swaps",)) for name in "AB"})
        for n in (2, 3)
    ]

    assert [f.domains for f in families(torn)[0]] == [("A",), ("B",)]


def test_domains_that_say_nothing_about_sizes_are_left_out():
    """A constant number of ids, or ids at some sizes only."""
    members = [
        member(2, P=(2, []), Three=(3, []), Sometimes=(2, [])),
        member(3, P=(3, []), Three=(3, [])),
    ]
    found, skipped = families(members)

    assert [f.domains for f in found] == [("P",)]
    assert {s.domain: s.reason for s in skipped} == {
        "Three": "3 ids at every size",
        "Sometimes": "symmetries could move it at some of the sizes only",
    }


# ---------------------------------------------------------------- proposals


@pytest.mark.parametrize(
    ("generators", "expected"),
    [
        (("rotation@1",), ["rotation"]),
        (("rotation@1", "reflection"), ["dihedral"]),
        (("rotation@1", "transposition@1"), ["full"]),
        (("rotation@2", "transposition@2"), ["full@2"]),
        (("rotation@-2", "transposition@-2"), ["full@-2"]),
        (("rotation@2",), ["rotation@2"]),
        (("reflection",), ["reflection"]),
        (("transposition@1",), ["transposition@1"]),
        (("transposition@1", "transposition@-1"), ["transposition@1", "transposition@-1"]),
        ((), []),
    ],
)
def test_the_group_of_a_family_is_found_again(generators, expected):
    """Groups of the library give the library's names, and generate exactly what they came from."""
    chosen = [p for p in library(3) if p.name in generators]
    family = family_of(instances_of(chosen, (4, 5, 6)))
    found = propose(family)

    assert [p.group.name for p in found.groups] == expected
    assert found.together.is_exact
    for n, (own, induced) in zip((4, 5, 6), found.together.orders, strict=True):
        assert own == induced == len(closure(n, [p.positions(n) for p in chosen]))


def test_trials_agree_with_membership_one_by_one():
    """For every subset of two library permutations: proposed iff every instance is a product of the generators."""
    pool = library(2)
    for first in pool:
        for second in pool:
            family = family_of(instances_of([first, second], (3, 4, 5)))
            groups = {n: closure(n, [first.positions(n), second.positions(n)]) for n in (3, 4, 5)}
            for trial in propose(family).trials:
                own = {n: trial.permutation.positions(n) for n in groups}
                inside = all(own[n] in groups[n] for n in groups)
                moves = any(own[n] != tuple(range(n)) for n in groups)
                assert trial.is_consistent == (inside and moves)
                assert trial.fails == tuple(f"N={n}" for n in groups if own[n] not in groups[n])


def test_one_size_that_disagrees_is_enough():
    """The full group of three is the dihedral one; of four it is not."""
    family = family_of({3: [(1, 2, 0), (1, 0, 2)], 4: [(1, 2, 3, 0), (3, 2, 1, 0)]})
    found = propose(family)
    swap = next(t for t in found.trials if t.permutation.name == "transposition@1")

    assert [p.group.name for p in found.groups] == ["dihedral"] and found.groups[0].is_exact
    assert (swap.agrees, swap.fails) == (("N=3",), ("N=4",))
    assert swap.reason == "no symmetry for N=4 permutes the ids as (0 1)"


def test_what_moves_nothing_is_not_proposed():
    """With two processes nothing is known about the third."""
    found = propose(family_of({1: [], 2: [(1, 0)]}))

    assert "rotation@3" not in [t.permutation.name for t in found.trials if t.is_consistent]


def test_a_subgroup_is_called_one():
    """The library does not know the alternating group; the rotations within it are of order n."""
    even = {3: [(1, 2, 0)], 5: [(1, 2, 0, 3, 4), (0, 1, 3, 4, 2)]}
    found = propose(family_of(even))

    assert found.groups[0].group.name == "rotation" and not found.groups[0].is_exact
    assert found.groups[0].orders == ((3, 3), (5, 60))


# ---------------------------------------------------------------- proofs


@pytest.mark.parametrize("words", [Words(), Words(1), Words(2), Words(0, 1), Words(0, 2)])
@pytest.mark.parametrize("plain", [p for p in library(2) if p.is_regular], ids=lambda p: p.name)
def test_permutations_of_processes_within_words(plain, words, systems):
    """What is checked on words is the permutation of the processes, with the letters beside them fixed."""
    system = systems["resource_allocator"]
    (proof,) = prove(system, [plain], words)
    if proof.permutation is None:
        return
    for n in range(1, 6):
        inner = plain.positions(n)
        expected = [*range(words.before), *(i + words.before for i in inner)]
        expected += range(len(expected), len(expected) + words.after)
        assert proof.permutation.positions(len(expected)) == tuple(expected)
    assert proof.holds == holds(system, proof.permutation)


def test_a_full_group_before_the_last_letter_has_other_generators(systems):
    """The exchange of the first two processes is seen from the end of the word."""
    full = [Permutation("transposition", 1), Permutation("rotation", 1)]
    proofs = prove(systems["resource_allocator"], full, Words(after=1))

    assert [p.permutation.name for p in proofs] == ["transposition@-2", "rotation@-2"]
    for n in (3, 4, 5):
        inside = closure(n, [p.permutation.positions(n) for p in proofs])
        assert inside == {(*p, n - 1) for p in permutations(range(n - 1))}


def test_what_the_library_lacks_is_not_decided(systems):
    """A reflection of a part of the word."""
    (proof,) = prove(systems["resource_allocator"], [Permutation("reflection")], Words(before=1))

    assert proof.permutation is None and not proof.holds


LETTERS = {
    "allocator": lambda cells: [2 * cells[0], *cells[1:]],
    "israeli_jalfon_mirrored": lambda cells: [*cells],
    "lehmann_rabin": lambda cells: [*cells],
}


@pytest.mark.parametrize(("name", "form"), [("allocator", "resource_allocator"), *((n, n) for n in list(LETTERS)[1:])])
@pytest.mark.parametrize("size", [2, 3, 4])
def test_models_and_regular_forms_are_the_same_systems(name, form, size, systems):
    """State by state and step by step: the premise of a proof through the regular form."""
    model = load_file(EXAMPLES / "lin2016" / f"{name}.seq", {"N": size}).model
    states, steps = states_and_steps(model)
    word = {state: tuple(LETTERS[name](state)) for state in states}
    single = instance(systems[form], len(next(iter(word.values()))))

    assert {*word.values()} == single.configurations
    assert {(word[v], event, word[w]) for v, event, w in steps} == {
        (v, name, w) for name, pairs in single.steps.items() for v, w in pairs
    }


# ---------------------------------------------------------------- the command


def test_philosophers_rotate_at_every_size(capsys):
    """The whole bridge: detection at four sizes, a proposal, and its proof for all sizes."""
    form = EXAMPLES / "lin2016" / "dining_philosophers.regular"
    code, out, _ = run(
        capsys, EXAMPLES / "zhang2013" / "dining_philosophers.csp", "-D", "N=3..6", "--system", form, "--json"
    )
    content = json.loads(out)

    assert code == 0
    assert [(p["name"], p["states"], p["iterations"], p["proved"]) for p in content["patterns"]] == [
        ("rotation@1", 5, 4, True)
    ]
    assert {"description", "seconds"} <= set(content["patterns"][0])
    (group,) = content["groups"]
    assert group["name"] == "rotation" and group["domains"] == ["Phil", "Fork"] and group["exact"]
    assert group["orders"] == {f"N={n}": {"group": n, "induced": n} for n in (3, 4, 5, 6)}
    assert {r["name"] for r in content["rejected"]} >= {"reflection", "transposition@1"}
    assert [s["order"] for s in content["sizes"]] == [3, 4, 5, 6]


def test_a_refuted_proposal_exits_with_1_and_gives_advice(capsys):
    """The words of the allocator have a letter more than there are clients."""
    arguments = [EXAMPLES / "lin2016" / "allocator.seq", "-D", "N=2..4"]
    arguments += ["--system", EXAMPLES / "lin2016" / "resource_allocator.regular"]
    code, out, _ = run(capsys, *arguments)
    assert code == 1 and "it holds with --before 1" in out

    code, out, _ = run(capsys, *arguments, "--before", "1")
    assert code == 0 and "proved for every size by" in out

    code, out, _ = run(capsys, *arguments, "--before", "1", "--after", "1")
    assert code == 4 and "not decided by" in out


def test_reflections_with_letters_exchanged_are_proved(capsys):
    """Lehmann and Rabin's philosophers have a left and a right."""
    code, out, _ = run(
        capsys,
        *(EXAMPLES / "lin2016" / "lehmann_rabin.seq", "-D", "N=3..4"),
        *("--system", EXAMPLES / "lin2016" / "lehmann_rabin.regular", "--json"),
    )
    (group,) = json.loads(out)["groups"]

    assert code == 0 and group["name"] == "dihedral" and group["proved"]
    assert group["proof"][1]["letters"]["has_left"] == "has_right"


def test_sizes_may_be_lists(capsys):
    """One constant several times: instances of any shape."""
    code, out, _ = run(
        capsys,
        EXAMPLES / "zhang2013" / "resource_allocator.seq",
        *("-D", "CLASSES=[2]", "-D", "CLASSES=[3]", "-D", "CLASSES=[4]", "--json"),
    )
    content = json.loads(out)

    assert code == 0 and [g["name"] for g in content["groups"]] == ["full"]
    assert [s["size"] for s in content["sizes"]] == ["CLASSES=[2]", "CLASSES=[3]", "CLASSES=[4]"]


def test_one_domain_of_several_can_be_chosen(capsys, tmp_path):
    """A regular form often speaks of some of the processes only."""
    path = tmp_path / "two.seq"
    path.write_text(
        "const N = 2; process Client = 0 .. N-1; process Node = 0 .. N-1;\n"
        "var c[Client]: bool = false; var n[Node]: bool = false;\n"
        "rule r(i: Client) do { c[i] := !c[i]; }\n"
        "rule s(i: Node) when n[(i + 1) % N] do { n[i] := !n[i]; }\n"
        "rule t(i: Node) when c[0] || !c[0] do { n[i] := true; }\n"
    )
    arguments = [path, "-D", "N=3..4", "--json"]
    _, out, _ = run(capsys, *arguments)
    assert [(g["name"], g["domains"]) for g in json.loads(out)["groups"]] == [
        ("full", ["Client"]),
        ("rotation", ["Node"]),
    ]

    code, out, _ = run(capsys, *arguments, "--domain", "Node")
    assert code == 0 and [g["domains"] for g in json.loads(out)["groups"]] == [["Node"]]
    code, _, err = run(capsys, *arguments, "--domain", "Nod")
    assert code == 3 and "there is no process domain 'Nod'" in err and "did you mean 'Node'?" in err


def test_nothing_to_propose_is_an_answer(capsys):
    """Milner's scheduler has no symmetry."""
    code, out, _ = run(capsys, EXAMPLES / "zhang2013" / "milner_scheduler.seq", "-D", "N=3..4")

    assert code == 0 and out.endswith("nothing is proposed: no permutation of the library fits every size\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ("-D", "N=3"),
        ("-D", "N=3..4", "-D", "M=1..2"),
        ("-D", "N=3..4", "--mode", "lifted"),
        ("-D", "N=3..4", "--count", "5"),
        ("--system", "x.regular"),
        ("--before", "1"),
        ("--domain", "P"),
    ],
)
def test_misuse_is_a_usage_error(capsys, arguments):
    """Exit 2 and a sentence; nothing is read."""
    code, out, err = run(capsys, "no such file.seq", *arguments)

    assert code == 2 and not out and err.startswith("burnside: ")


@pytest.mark.parametrize("sizes", ["N=4..4", "N=5..4", "N=1..1000000", "1=2..3", "N=..", "N=2..x", "N=-1..3"])
def test_bad_ranges_are_usage_errors(capsys, sizes):
    """The parser of arguments says what it expects."""
    with pytest.raises(SystemExit) as caught:
        run(capsys, "x.seq", "-D", sizes)

    assert caught.value.code == 2


def test_errors_of_one_size_say_which(capsys, tmp_path):
    """The diagnostic has its place in the model, and the size as a note."""
    path = tmp_path / "m.seq"
    path.write_text("const N = 3;\nprocess P = 0 .. N-3;\nvar x[P]: bool = false;\n")
    code, out, err = run(capsys, path, "-D", "N=1..3")

    assert code == 3 and not out
    assert "m.seq:2:" in err and "for N=1" in err


def test_a_model_without_processes_is_an_error(capsys, tmp_path):
    """There is nothing that a parameterised permutation could move."""
    path = tmp_path / "m.seq"
    path.write_text(
        "const N = 3; process P = 0 .. 2; var x[P]: 0 .. N = 0; rule r(i: P) when x[i] < N do { x[i] := x[i] + 1; }"
    )
    code, _, err = run(capsys, path, "-D", "N=2..3")

    assert code == 3 and "BUR614" in err and "'P': 3 ids at every size" in err


def test_a_model_without_sizes_is_told_what_to_do(capsys):
    """It would be read as a regular system."""
    code, _, err = run(capsys, EXAMPLES / "zhang2013" / "reader_writer.seq")

    assert code == 3 and "a model needs sizes, such as -D N=3..6" in err


def test_a_regular_system_has_no_sizes(capsys):
    """``-D`` is for models."""
    code, _, err = run(capsys, EXAMPLES / "lin2016" / "herman.regular", "-D", "N=2..3")

    assert code == 3 and "BUR902" in err
