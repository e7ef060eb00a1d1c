"""Why a state decides a claim, in the words of the text."""

from __future__ import annotations

from pathlib import Path

import pytest

import burnside

LOCK = """
process P = 0 .. 2;
domain At = { idle, trying, inside };
var at[P]: At = idle;
var open: bool = true;
rule try(i: P) when at[i] == idle do { at[i] := trying; }
rule enter(i: P) when at[i] == trying && open do { at[i] := inside; }
rule close when open && (exists i in P: at[i] == inside) do { open := false; }
"""


def reasons_of(claims: str, tmp_path: Path, text: str = LOCK, **how: str) -> dict[str, object]:
    """The reasons of the first claim, as JSON has them."""
    path = tmp_path / "model.seq"
    path.write_text(text + claims)
    found = burnside.load(path).check(**how).as_dict()["properties"][0]
    reasons: dict[str, object] = found.get("reasons", {})
    return reasons


def part(text: str, value: bool, **values: str) -> dict[str, object]:
    """A part of a condition that looks at elements of ``at``, or at others by name."""
    names = {f"at[{name[2:]}]" if name.startswith("at") else name: v for name, v in values.items()}
    return {"text": text, "holds": value, "values": names}


@pytest.mark.parametrize("symmetry", ["none", "unique"])
def test_values_that_violate_a_condition_are_named(symmetry: str, tmp_path: Path) -> None:
    claim = "invariant mutex: forall i in P, j in P: i != j => !(at[i] == inside && at[j] == inside);"
    found = reasons_of(claim, tmp_path, symmetry=symmetry)
    witness = found["witness"]

    assert isinstance(witness, dict) and {*witness} == {"i", "j"}
    i, j = witness["i"], witness["j"]
    assert i != j
    assert found["parts"] == [
        part("at[i] == inside", True, **{f"at{i}": "inside"}),
        part("at[j] == inside", True, **{f"at{j}": "inside"}),
    ]


@pytest.mark.parametrize(
    ("claim", "parts"),
    [
        ("invariant c: open;", [part("open", False)]),
        ("invariant c: !open => at[0] == idle;", [part("open", False), part("at[0] == idle", False, at0="inside")]),
        ("invariant c: open && at[0] != inside;", [part("at[0] != inside", False, at0="inside")]),
        ("invariant c: open || at[0] == idle;", [part("open", False), part("at[0] == idle", False, at0="inside")]),
        (
            "invariant c: if open then true else at[0] == idle;",
            [part("open", False), part("at[0] == idle", False, at0="inside")],
        ),
        ("reachable c: !open && at[0] == inside;", [part("open", False), part("at[0] == inside", True, at0="inside")]),
        (
            "invariant c: (count i in P: at[i] == inside) < 1;",
            [
                {
                    "text": "(count i in P: at[i] == inside) < 1",
                    "holds": False,
                    "values": {"(count i in P: at[i] == inside)": "1"},
                },
            ],
        ),
    ],
)
def test_parts_are_what_they_are_in_the_last_state(claim: str, parts: object, tmp_path: Path) -> None:
    only_0 = LOCK.replace("at[i] == idle do", "at[i] == idle && ord(i) == 0 do")

    assert reasons_of(claim, tmp_path, only_0)["parts"] == parts


def test_rules_say_what_they_wait_for(tmp_path: Path) -> None:
    """Those that lack least come first; what can never fire waits for nothing."""
    text = LOCK + "rule never(i: P, j: P) when i != j && i == j && open do { }\n"
    found = reasons_of("deadlockfree d;", tmp_path, text)
    waiting = found["waiting"]

    assert isinstance(waiting, list)
    assert not [w for w in waiting if w["rule"].startswith("never")]
    assert [len(w["parts"]) for w in waiting] == sorted(len(w["parts"]) for w in waiting)
    assert {"rule": "close", "parts": [part("open", False)]} in waiting


def test_names_of_the_user_stay_text(tmp_path: Path) -> None:
    """Control characters cannot leave the report."""
    found = reasons_of("invariant `\\x1b[31m`: open;", tmp_path)

    assert found["parts"] == [part("open", False)]


NETWORK = """
process P = 0 .. 1;
domain Kind = { ask, grant };
union Msg { Ask { to: P }, Stop }
record Sent { kind: Kind, to: P }
var net: bag of Sent max 2;
var votes[P]: set of P;
var last: Msg;
rule send_it(i: P) when len(net) < 1 do { send Sent { kind: ask, to: i } to net; insert(votes[i], i); last := Stop; }
rule take(i: P) receive any m in net where m.to == i && i == 1 do { }
"""


@pytest.mark.parametrize(
    ("claim", "texts"),
    [
        ("invariant c: forall m in net: m.kind == grant;", ["{kind: ask, to: 0} in net", "m.kind == grant"]),
        ("invariant c: len(net) == 0;", ["len(net) == 0"]),
        ("invariant c: !(0 in votes[0]);", ["0 in votes[0]"]),
        ("invariant c: last is Ask;", ["last is Ask"]),
    ],
)
def test_parts_speak_of_sets_bags_and_unions(claim: str, texts: list[str], tmp_path: Path) -> None:
    found = reasons_of(claim, tmp_path, text=NETWORK)["parts"]

    assert isinstance(found, list)
    assert [part["text"] for part in found] == texts[: len(found)]
    assert found


def test_the_number_of_messages_has_the_name_that_the_text_gives_it(tmp_path: Path) -> None:
    found = reasons_of("invariant c: len(net) == 0;", tmp_path, text=NETWORK)["parts"]

    assert found == [{"text": "len(net) == 0", "holds": False, "values": {"len(net)": "1"}}]


def test_rules_do_not_wait_for_messages_that_are_not_there(tmp_path: Path) -> None:
    found = reasons_of("deadlockfree c;", tmp_path, text=NETWORK)["waiting"]

    assert isinstance(found, list)
    assert [waiting["rule"] for waiting in found] == ["send_it(0)", "send_it(1)"]


def test_definitions_say_what_they_are_about(tmp_path: Path) -> None:
    """Their names are those of their parameters: whether `i` is the one or the other of two could not be told."""
    text = (
        "process P = 0 .. 2; var x[P]: 0 .. 2;\ndef great(i: P) = x[i] + 1 > 1;\n"
        "rule up(i: P) when x[i] < 2 do { x[i] := x[i] + 1; }\n"
    )
    claim = "invariant one: forall i, j in P where i != j: !(great(i) && great(j));\n"
    parts = reasons_of(claim, tmp_path, text)["parts"]

    assert isinstance(parts, list)
    assert [part["text"] for part in parts] == ["x[i] + 1 > 1 for i = 0", "x[i] + 1 > 1 for j = 1"]
