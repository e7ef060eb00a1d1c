"""Small models aimed at single lines of the adaptive search: the same answers as the plain search."""

from __future__ import annotations

import pytest
from test_soundness import answers, task_of

from burnside.decide.modes import Mode
from burnside.explore.native.run import SearchOptions
from burnside.study import Study

MODELS = {
    "an argument of an event faults later": """
        process P = 0 .. 2; var at[P]: bool; var x: 0..2 = 0;
        rule go(i: P) as seen(6 / (2 - x)) when !at[i] do { at[i] := true; x := (count j in P: at[j]); }
        invariant no: x < 2; deadlockfree d;""",
    "an argument of an event asks all processes and faults": """
        process P = 0 .. 2; var at[P]: bool; var x: 0..3 = 0;
        rule go(i: P) as seen(6 / (2 - (count j in P: at[j] && j != i))) when !at[i] do { at[i] := true; }
        reachable no: (count j in P: at[j]) == 3; deadlockfree d;""",
    "a variable is written, then asked for": """
        process P = 0 .. 2; domain O = P + { nobody }; var own: O = nobody; var at[P]: 0..2;
        rule go(i: P) when own != i do { own := i; if (exists j in P: own == j && at[j] == 0) { at[i] := 1;
          } else { at[i] := 2; } }
        reachable two: at[0] == 2; reachable all: forall j in P: at[j] == 2; deadlockfree d;""",
    "a process loses what another one takes": """
        process P = 0 .. 2; domain O = P + { nobody }; var own: O = nobody; var last: O = nobody; var at[P]: 0..1;
        rule a(i: P) when own == nobody do { own := i; last := i; }
        rule b(i: P) when own != i && own != nobody do { last := i; at[i] := 1 - at[i]; }
        rule c(i: P) when last == i && own != i do { own := i; last := nobody; }
        rule d when last == nobody do { own := nobody; }
        reachable x: own == 1 && last == 2 && at[0] == 1;
          reachable y: own == 0 && last == nobody && at[2] == 1 && at[1] == 1; deadlockfree dd;""",
    "sums with negative numbers": """
        process P = 0 .. 3; var v[P]: -2 .. 2 = 0;
        rule up(i: P) when v[i] < 2 && (sum j in P: v[j] * v[j] - 1) < 3 do { v[i] := v[i] + 1; }
        rule down(i: P) when v[i] > -2 && (sum j in P: (if j == 0 then -1 else 1) * v[j]) >= 0
          do { v[i] := v[i] - 1; }
        reachable a: v[0] == 2 && v[1] == -2; reachable b: (sum j in P: v[j]) == 4;
          invariant c: (sum j in P: ord(j) * v[j]) < 9; deadlockfree d;""",
    "rules written out for some processes": """
        process P = 0 .. 2; domain O = P + { nobody }; var own: O = nobody; var at[P]: 0..2; var n: 0..3 = 0;
        rule r0 when at[0] == 0 && own == nobody && n == 0 do { at[0] := 1; own := 0; n := 1; }
        rule r1 when at[1] == 0 && own == nobody && n == 0 do { at[1] := 1; own := 1; n := 1; }
        rule s0 when own == 0 do { own := nobody; at[0] := 2; n := 0; }
        rule s1 when own == 1 do { own := nobody; at[1] := 2; n := 0; }
        rule s2 when own == 2 do { own := nobody; at[2] := 2; n := 0; }
        rule t2 when at[0] == 2 && at[1] == 2 && own == nobody do { own := 2; }
        reachable all: forall j in P: at[j] == 2; invariant no: at[2] != 2; deadlockfree d;""",
    "rules written out that compare ids": """
        process P = 0 .. 2; domain O = P + { nobody }; var own: O = nobody; var at[P]: 0..2;
        rule r0 when ord(own) < 1 || own == nobody do { own := 0; at[0] := 1; }
        rule r1 when ord(own) < 1 || own == nobody do { own := 1; at[1] := 1; }
        rule r2 when ord(own) < 1 || own == nobody do { own := 2; at[2] := 1; }
        reachable a: at[1] == 1 && at[2] == 1; reachable b: at[0] == 1 && at[1] == 1; deadlockfree d;""",
    "rules written out, one of them different": """
        process P = 1 .. 3; var at[P]: 0..3; var x: 0..3 = 0;
        rule r1 when at[1] == 0 do { at[1] := 1; x := 1; }
        rule r2 when at[2] == 0 do { at[2] := 1; x := 1; }
        rule r3 when at[3] == 0 do { at[3] := 1; x := 2; }
        reachable a: at[3] == 1 && x == 2 && at[1] == 1; reachable b: x == 1 && at[3] == 1; deadlockfree d;""",
    "levels, and rules for some processes": """
        const L = [1,1,2,2]; process P = 0 .. 3; domain S = 0 .. 2 of P; var at[P]: 0..2;
        rule g(i: S) when at[i] == 0 && (forall j in P: L[j] < L[i] => at[j] != 0) do { at[i] := 1; }
        rule h(i: P) when at[i] == 1 && (exists j in S: ord(j) > ord(i) && at[j] == 1) do { at[i] := 2; }
        reachable a: at[2] == 1; reachable b: at[0] == 2 && at[1] == 1; reachable c: at[3] == 1; deadlockfree d;
        terminal: at[0] == 2 && at[1] == 2;""",
    "ids in slots that move": """
        process P = 0 .. 2; domain O = P + { nobody }; var slot[0..2]: O = nobody; var cur: 0..2 = 0;
          var at[P]: 0..2;
        rule put(i: P) when slot[cur] == nobody && at[i] == 0 do { slot[cur] := i; at[i] := 1;
          cur := (cur + 1) % 3; }
        rule get(i: P) when slot[cur] == i do { at[slot[cur]] := 2; slot[cur] := slot[(cur + 1) % 3];
          cur := (cur + 2) % 3; }
        reachable a: slot[0] == 1 && slot[1] == 0; reachable b: (forall j in P: at[j] == 2);
          reachable c: slot[0] == slot[1] && slot[0] != nobody; deadlockfree d;""",
    "ids per lock, asked of all locks inside a question": """
        process P = 0 .. 2; domain D = {a, b}; domain O = P + { nobody }; var own[D]: O = nobody; var at[P]: 0..2;
        rule take(i: P, d: D) when own[d] == nobody && (forall n in D: own[n] != i) do { own[d] := i; }
        rule go(i: P) when (exists n in D: own[n] == i) && (exists n in P: at[n] == 0
          && (exists k in D: own[k] == n) && ord(n) < ord(i)) do { at[i] := 1; }
        rule drop(i: P, d: D) when own[d] == i && (count n in D: ord(own[n]) < ord(i)) == 1 do { own[d] := nobody; }
        reachable a: at[2] == 1 && at[1] == 1; reachable b: at[0] == 1; reachable c: own[a] == 1 && own[b] == 0;
          deadlockfree x;""",
    "conditions on initial states that name processes": """
        process P = 0 .. 2; domain O = P + { nobody }; var at[P]: 0..2 = *; var own: O = *;
        initially (count j in P: at[j] == 0) == 1; initially own == nobody || at[0] == 1;
        initially own != 2;
        rule go(i: P) when own == i do { own := nobody; at[i] := 0; }
        rule g(i: P) when own == nobody && at[i] == 1 do { own := i; }
        reachable a: own == 2 && at[0] == 2; reachable b: own == 2 && at[0] == 1; deadlockfree d;
          terminal: at[0] == 0;""",
    "some processes start anywhere": """
        process P = 0 .. 3; var at[P]: 0..2 = [*, 0, *, 1]; var y[P]: bool = [false, *, false, *];
        rule go(i: P) when y[i] && at[i] < 2 do { at[i] := at[i] + 1; y[i] := exists j in P: at[j] == 0; }
        reachable a: at[1] == 2; reachable b: at[0] == 2 && at[2] == 2; reachable c: at[0] == 1 && y[3];
          deadlockfree d;""",
    "two kinds of processes": """
        process P = 0 .. 2; process Q = { q0, q1 }; domain O = P + { nobody }; var at[P]: 0..1;
          var own[Q]: O = nobody; var grid[P][Q]: bool; var other[P]: Q;
        rule a(q: Q, i: P) when own[q] == nobody && other[i] == q do { own[q] := i; grid[i][q] := true; }
        rule b(i: P) when exists q in Q: own[q] == i && grid[i][q]
          do { other[i] := if other[i] == q0 then q1 else q0; for q in Q { if own[q] == i { own[q] := nobody; } } }
        rule c(q: Q) when own[q] != nobody && (forall j in P: grid[j][q]) do { own[q] := nobody; }
        reachable x: own[q0] == 1 && own[q1] == 2; reachable y: forall i in P, q in Q: grid[i][q];
          deadlockfree d;""",
    "loops and locals": """
        process P = 0 .. 2; var at[P]: 0..2; var n: 0..3 = 0;
        rule go(i: P) when at[i] < 2 do { var k: 0..3 := 0; var f: bool := false;
          while k < 3 limit 3 { if k == n { f := true; } k := k + 1; } if f { at[i] := at[i] + 1;
          } n := (n + (count j in P: at[j] == 2)) % 4; }
        reachable a: n == 3 && at[0] == 2; reachable b: at[0] == 2 && at[1] == 0 && n == 1; invariant c: n < 3;
          deadlockfree d;""",
    "an id in a local": """
        process P = 0 .. 2; var at[P]: 0..2; var n: 0..3 = 0;
        rule go(i: P) when at[i] < 2 do { let k = i; if ord(k) < 2 { at[i] := at[i] + 1; } else { n := ord(k); } }
        reachable a: at[2] == 1; reachable b: n == 2 && at[0] == 2 && at[1] == 1; deadlockfree d;""",
    "a fault behind a question": """
        process P = 0 .. 2; var at[P]: 0..2; var n: 0..3 = 2;
        rule a(i: P) when at[i] == 0 do { at[i] := 1; n := (n + 3) % 4; }
        rule b(i: P) when (forall j in P: j != i => at[j] == 1) && 1 / n >= 0 && at[i] == 0 do { at[i] := 2; }
        reachable x: at[0] == 2; deadlockfree d;""",
    "a fault before a question": """
        process P = 0 .. 2; var at[P]: 0..2; var n: 0..3 = 3;
        rule a(i: P) when at[i] == 0 do { at[i] := 1; n := n - 1; }
        rule b(i: P) when 6 / n >= 0 && (forall j in P: at[j] == 2) do { at[i] := 2; }
        reachable x: at[0] == 2; deadlockfree d;""",
    "a family whose members fault": """
        process P = 0 .. 2; var at[P]: 0..2; var n: 0..3 = 3; domain O = P + { nobody }; var own: O = nobody;
        rule a(i: P) when at[i] == 0 do { at[i] := 1; n := n - 1; own := i; }
        rule b(i: P) when own == i do { own := nobody; }
        invariant f(i: P): own != i || 6 / n + at[i] < 8;
        reachable g(i: P): at[i] == 1 && 6 / (n - ord(i)) >= 2 ;""",
    "the state of the process that a variable holds": """
        process P = 0 .. 2; domain O = P + { nobody }; var own: O = nobody; var at[P]: 0..2;
        rule a(i: P) when own == nobody && at[i] == 0 do { own := i; }
        rule b(i: P) when own != nobody && at[own] == 0 && own != i do { at[own] := 1; at[i] := (at[i] + 1) % 3;
          own := if at[i] == 2 then i else nobody; }
        reachable x: own == 2 && at[1] == 1; reachable y: forall j in P: at[j] == 1; deadlockfree d;
          invariant z: own == nobody || at[own] != 2;""",
    "sequences of processes": """
        process P = 0 .. 2; var q[P]: seq[2] of 0..1; var s: seq[2] of 0..1;
        rule put(i: P) when !full(q[i]) && (exists j in P: j != i && empty(q[j]))
          do { push(q[i], count j in P: j != i && len(q[j]) == 1); }
        rule move(i: P) when !empty(q[i]) && !full(s) do { push(s, head(q[i])); pop(q[i]); }
        rule out when full(s) && s[0] != s[1] do { clear(s); }
        reachable a: full(q[0]) && q[0][1] == 1 && !empty(s);
          reachable b: len(q[2]) == 2 && q[2][0] == 1 && len(s) == 0; deadlockfree d;""",
    "terminal states that name processes": """
        process P = 0 .. 2; var at[P]: 0..1;
        rule go(i: P) when at[i] == 0 && (count j in P: at[j] == 1) < 2 do { at[i] := 1; }
        terminal: at[0] == 1 && at[1] == 1 || at[2] == 1 && at[0] == 1; deadlockfree d;
        reachable r: at[1] == 1 && at[2] == 1;""",
    "terminal states that do not": """
        process P = 0 .. 2; var at[P]: 0..1;
        rule go(i: P) when at[i] == 0 && (count j in P: at[j] == 1) < 2 do { at[i] := 1; }
        terminal: (count j in P: at[j] == 1) == 2; deadlockfree d;""",
    "terminal states that cannot be told": """
        process P = 0 .. 2; var at[P]: 0..1; var n: 0..3;
        rule go(i: P) when at[i] == 0 && (count j in P: at[j] == 1) < 2 do { at[i] := 1; n := n + 1; }
        terminal: 4 / (2 - n) > 0; deadlockfree d;""",
    "negative ids and numbers beside them": """
        process P = -1 .. 1; domain W = -2 .. 2 of P; var own: W = -2; var at[P]: bool; var last: W = 2;
        rule a(i: P) when own == -2 do { own := i; at[i] := true; }
        rule b(i: P) when own == i do { own := last; last := -2; }
        rule c(i: P) when own == 2 do { own := -ord(i); }
        reachable x: own == 1 && at[-1]; reachable y: last == -2 && own == -1 && !at[1]; deadlockfree d;""",
    "a loop over processes that counts": """
        process P = 0 .. 2; var at[P]: 0..2; var b[P]: bool; var n: 0..3 = 0;
        rule a(i: P) when !b[i] do { b[i] := true; n := 0; for j in P { if b[j] { n := n + ord(j); } } }
        rule c when n == 3 do { for j in P { at[j] := if b[j] then n - 1 else at[j];
          b[j] := at[j] == 2 && n == 3; } n := 0; }
        rule e(i: P) when b[i] && at[i] == 2 do { for j in P { at[j] := at[i]; } }
        reachable x: at[0] == 2; reachable y: n == 2 && b[0]; deadlockfree d;""",
    "a loop over processes that reads the actor": """
        process P = 0 .. 2; var at[P]: 0..2;
        rule a(i: P) when at[i] < 2 do { for j in P { at[j] := if j == i then at[j] + 1 else at[j]; } }
        rule b(i: P) when at[i] == 2 do { for j in P { at[j] := if at[i] == 2 && j != i then 0 else at[j]; } }
        reachable x: at[0] == 2 && at[1] == 2; reachable y: at[0] == 1 && at[1] == 1 && at[2] == 1;
          deadlockfree d;""",
    "an assertion about one process": """
        process P = 0 .. 2; var at[P]: 0..2;
        rule a(i: P) when at[i] < 2 do { at[i] := at[i] + 1; assert (exists j in P: at[j] == 0) || i != 1; }
        reachable x: at[0] == 2 && at[2] == 2 && at[1] == 1;""",
}  # fmt: skip


@pytest.mark.parametrize("case", MODELS)
def test_the_answer_is_that_of_the_plain_search(case: str) -> None:
    """With every state tested."""
    study = Study(task_of(MODELS[case]), SearchOptions(flags=("-O0",), self_test=True))

    assert answers(study.check(mode=Mode.ADAPTIVE)) == answers(study.check(mode=Mode.NONE))
