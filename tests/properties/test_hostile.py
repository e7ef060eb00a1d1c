"""Hostile models: each ends in a diagnostic or a result, soon, and none of its text reaches the C compiler."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from burnside.claims.members import about_states
from burnside.claims.task import Task
from burnside.explore.native.emit import emit
from burnside.explore.native.run import SearchOptions, explore
from burnside.frontends import seq
from burnside.source import Source

C_WORDS = (
    *("auto", "break", "case", "char", "default", "do", "double", "else", "enum", "extern", "float", "for", "goto"),
    *("int", "long", "register", "return", "short", "signed", "sizeof", "static", "struct", "switch", "typedef"),
    *("union", "unsigned", "void", "volatile", "while", "_Atomic", "_Bool", "__asm__", "__attribute__", "NULL"),
    *("main", "printf", "malloc", "word", "number", "fault", "out", "s", "t", "x0", "within", "WORDS", "successors"),
    *("stop", "store", "insert", "flush", "burnside_run", "uint64_t", "NONE", "EOF", "errno", "__LINE__", "rules0"),
)

DISTINCTIVE = "Zwölfboxkämpfer_ζ_q7j"

TEXTS = (
    'say "hello"',
    "back\\slash",
    "*/ int main(void) { return 1; } /*",
    "new\nline",
    "??/ ??= trigraphs ??'",
    "%s%n%d",
    "\x1b[31m",
    "${IFS} $words $$ {0} {name}",
    "#include <stdio.h>",
    "ünïcödé ζ 漢字",
    "",
)


def loaded(text: str) -> Task:
    """The task of a text that is right."""
    (task,), _, _ = seq.load(Source("hostile.seq", text), {})
    return task


def explored(task: Task, cache: Path):
    """All states of a model, natively."""
    options = SearchOptions(flags=("-O0",), cache=cache, memory=64 << 20)
    return explore(task.model, about_states(task.members), options=options)


def test_words_of_c_may_name_anything(cache):
    """Keywords, library functions and names of the runtime are ordinary names of variables, rules and labels."""
    words = [f"`{word}`" for word in C_WORDS]
    declared = "\n".join(f"var {word}: 0..1;" for word in words)
    flipped = " ".join(f"{word} := 1;" for word in words)
    task = loaded(
        f"domain `struct int` = {{ `typedef struct`, `*/` }};\n{declared}\n"
        f"rule `return` when `int` == 0 do {{ {flipped} }}\n"
        "rule `if`(`goto_`: 0..1) when `s` == 1 do { `s` := `goto_`; }\n"
        "invariant `volatile ` : `int` + `s` <= 2;"
    )

    found = explored(task, cache)

    assert (found.states, found.deadlocks) == (3, 1)


def test_names_in_any_alphabet_and_with_any_signs_are_only_names(cache):
    """Greek, Chinese, quotes and comment ends in backquoted names do no harm."""
    task = loaded(
        'var ζ: 0..1; var 漢字: 0..1; var `*/ "; } // \\`: 0..1;\n'
        'rule `"%s"` when ζ == 0 do { ζ := 1; 漢字 := 1; `*/ "; } // \\` := 1; }'
    )

    assert explored(task, cache).states == 2


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_texts_of_assertions_are_only_shown(text, cache):
    """Whatever the text of an assertion holds, the model compiles, and the fault shows the text."""
    quoted = json.dumps(text, ensure_ascii=False).replace("\\u001b", "\x1b")
    task = loaded(f"var v: 0..1; rule r do {{ assert v == 1, {quoted}; }}")
    emitted = emit(task.model, ()).program.model

    found = explored(task, cache)

    assert found.fault_path == ((0,),)
    assert len(text) < 3 or text not in emitted


def test_no_name_of_a_model_reaches_the_generated_code():
    """Generated C holds numbers instead of names, so no name can be a trap."""
    name = DISTINCTIVE
    task = loaded(
        f"const {name}C = [1, 2]; const {name}N = 3; process {name}P = 0..1; domain {name}D = {{ {name}L, {name}M }};\n"
        f"var {name}V[{name}P]: {name}D; var {name}Q: seq[2] of {name}P = [];\n"
        f"rule {name}R({name}i: {name}P) as {name}E({name}i, {name}C[{name}i])\n"
        f"  when {name}V[{name}i] == {name}L && exists {name}k in {name}P: {name}k == {name}i\n"
        f"do {{ var {name}x: {name}P := {name}i; if len({name}Q) < 2 {{ push({name}Q, {name}x); }}\n"
        f'  for {name}j in {name}P {{ assert ord({name}j) < {name}N, "{name}"; }} {name}V[{name}i] := {name}M; }}\n'
        f"invariant {name}I({name}w: {name}P): {name}V[{name}w] == {name}L || len({name}Q) > 0;\n"
        f"deadlockfree {name}F;"
    )
    emitted = emit(task.model, about_states(task.members)).program.model

    assert name not in emitted
    assert emitted.isascii()


# ---------------------------------------------------------------- traps


def doubled(levels: int, body: str = "x + x") -> str:
    """Definitions whose expansion has two to the power of two to the power of ``levels`` parts."""
    chain = "".join(f"def d{k}(x: 0..9) = d{k - 1}(d{k - 1}(x));\n" for k in range(1, levels + 1))
    return f"var v: 0..9;\ndef d0(x: 0..9) = {body};\n{chain}rule r when d{levels}(v) > 0 do {{ v := 0; }}"


def nested_items(depth: int) -> str:
    """``q[q[q[…]]]``."""
    return "q[" * depth + "0" + "]" * depth


def fors(levels: int, size: int, body: str) -> str:
    """Loops inside loops."""
    return "".join(f"for i{k} in 0..{size - 1} {{ " for k in range(levels)) + body + " }" * levels


PAIR = "var q: seq[2] of 0..1 = [0, 1];"
COUNTER = "var v: 0..9; rule r when v < 9 do { v := v + 1; }"

TRAPS = {
    "definitions that double": doubled(30),
    "definitions that double and stay small in value": doubled(8, "(x + x) % 10"),
    "quantifiers over millions": f"{COUNTER} invariant p: forall a, b, c in 0..999999: a + b + c >= 0 - v;",
    "items of items of items": f"{PAIR} var v: 0..1; rule r do {{ v := {nested_items(100)}; }}",
    "items of items written": f"{PAIR} rule r do {{ q[{nested_items(60)}] := 1 - q[0]; }}",
    "cells of cells of cells": "var a[0..1][0..1]: 0..1; var v: 0..1; rule r do { v := "
    + "a[v][" * 99
    + "0"
    + "]" * 99
    + "; }",
    "choices in choices": "var v: 0..1; rule r do { v := " + "if v == 0 then " * 99 + "0" + " else 1" * 99 + "; }",
    "ten thousand parentheses": "var v: 0..1; rule r when " + "(" * 10_000 + "true" + ")" * 10_000 + " do {}",
    "ten thousand negations": "var v: 0..1; rule r when " + "!" * 10_000 + "true do {}",
    "ten thousand blocks": "var v: 0..1; rule r do " + "{ if true " * 10_000 + "{}" + "}" * 10_000,
    "a domain beyond 64 bits": "var v: 0..4611686018427387904; rule r do { v := 1; }",
    "any of four thousand million values": "var v: 0..4294967295 = *; rule r when v == 5 do { v := 1; }",
    "four thousand million instances": "var v: 0..9; rule r(i: 0..4294967295) when i < 3 do { v := i % 10; }",
    "a thousand million instances": "var v: 0..9; rule r(i, j, k: 0..999) when i < 3 do { v := i % 10; }",
    "forty parameters": "var v: 0..9; rule r("
    + ", ".join(f"b{k}" for k in range(40))
    + ": bool) when b0 && !b39 do { v := 1; }",
    "a million cells": "var a[0..999999]: 0..1; rule r(i: 0..999999) when a[i] == 0 do { a[i] := 1; }",
    "a million cells in two dimensions": "var a[0..999][0..999]: 0..1; rule r do { a[0][0] := 1; }",
    "a number of five thousand digits": f"var v: 0..9; rule r when v < {'9' * 5_000} do {{ v := 1; }}",
    "a constant of a hundred thousand digits": f"const C = {'9' * 100_000}; {COUNTER}",
    "a product beyond 64 bits": "var v: 0..4000000000; rule r when v * v * v > 0 do { v := 1; }",
    "a sum beyond 64 bits": "var v: 0..9; rule r when (sum i in 0..4000000000: 4000000000) > 0 do { v := 1; }",
    "a sum of five thousand terms": "var v: 0..9; rule r when " + " + ".join(["v"] * 5_000) + " < 5 do { v := 1; }",
    "a long chain of else": "var v: 0..9; rule r do { "
    + "else ".join(f"if v == {k % 10} {{ v := {k % 9}; }} " for k in range(140))
    + "}",
    "a large list": "const T = ["
    + ", ".join(map(str, range(20_000)))
    + "]; var v: 0..9; rule r when T[v] == v do { v := (v + 1) % 10; }",
    "a constant that takes for ever": "domain D = 0 .. (sum i, j, k in 0..9999: i); var v: D; rule r do { v := 1; }",
    "quantifiers that multiply": f"{COUNTER} invariant p: forall a, b, c, d in 0..63: a + b + c + d >= 0 - v;",
    "guards that multiply": "var v: 0..9; rule r when forall a, b, c, d in 0..63: a + b + c + d != v do { v := 0; }",
    "loops that multiply": "var v: 0..9; rule r when v < 1 do { " + fors(4, 64, "v := (v + 1) % 2;") + " }",
    "a family of a million properties": f"{COUNTER} invariant p(i: 0..999999): v <= i + 9;",
    "a family of four thousand million properties": f"{COUNTER} invariant p(i: 0..4294967295): v <= i + 9;",
    "a sequence of ninety thousand": "var q: seq[90000] of 0..9 = []; rule r when len(q) > 2 do { pop(q); }",
    "five thousand statements": "var v: 0..9; rule r do {" + "v := (v + 1) % 10;\n" * 5_000 + "}",
    "a loop that takes for ever": "var v: 0..1; rule r do { while v < 2 limit 4000000000000 { v := 1 - v; } }",
}

# Known to take too long, or too much memory: see the note on each. The test fails when one is repaired.

SOON = 20  # seconds; most take one
ROOM = 8 << 30


def run_check(path: Path, cache: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """``burnside check`` in a process group of its own, which ends with it."""
    command = [sys.executable, "-m", "burnside", "check", str(path), "--time", "2", "--memory", "200M", *options]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "BURNSIDE_CACHE": str(cache), "TMPDIR": str(path.parent)},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM)),
    )
    try:
        out, err = process.communicate(timeout=SOON)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def assert_ends_well(text: str, directory: Path, cache: Path, options: Sequence[str] = ()) -> None:
    """A report or a diagnostic, with one of the promised exit codes and no traceback."""
    path = directory / "trap.seq"
    path.write_text(text)
    result = run_check(path, cache, *options)
    if any("MemoryError" in report.read_text() for report in directory.glob("burnside-bug-*")):
        raise MemoryError
    assert result.returncode in (0, 1, 3, 4), result.stderr[-2000:]
    assert "Traceback" not in result.stderr
    if result.returncode == 3:
        assert "error[BUR" in result.stderr


@pytest.mark.parametrize("trap", TRAPS)
def test_a_trap_ends_soon(trap, tmp_path, cache):
    """Texts that ask for exponential work, memory or depth end within seconds in a result or a diagnostic."""
    assert_ends_well(TRAPS[trap], tmp_path, cache)
