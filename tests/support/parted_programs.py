"""What rules are written with, in random models: references, what is received, choices, matches, functions, constants.

Everything is written twice, with parts and as it is flattened by hand: see `parted_types`.
"""

from __future__ import annotations

from random import Random
from typing import Final

from .parted_pieces import Both, Feature, Maker, id_in, same, value_in


def _references(_: Random) -> Feature:
    """Procedures with records by reference: twice the same place, places that move, locals of the same names."""

    def cell(random: Random) -> tuple[str, str, str, str]:
        """A record with parts, and flat: what is done first, and its fields."""
        i = id_in(random)
        return random.choice(
            (
                (f"e[{i}]", "", f"e_at[{i}]", f"e_what[{i}]"),
                ("spare", "", "s_at", "s_what"),
                (f"e[e[{i}].at]", f"let ix{{N}} = e_at[{i}]; ", "e_at[ix{N}]", "e_what[ix{N}]"),
            )
        )

    def moved(random: Random) -> Both:
        (one, first, f_at, f_what), (other, second, t_at, t_what) = cell(random), cell(random)
        second, t_at, t_what = (text.replace("{N}", "2{N}") for text in (second, t_at, t_what))
        flat = (
            f"{first}{second}let at{{N}} = {f_at}; let wh{{N}} = {f_what};"
            f" let at3{{N}} = {t_at}; let wh3{{N}} = {t_what};"
            f" {f_at} := at3{{N}}; {f_what} := wh3{{N}}; {t_what} := wh{{N}};"
            f" if at{{N}} != {f_at} {{ {t_at} := at{{N}}; }}"
        )
        return Both(f"move({one}, {other});", flat)

    def chased(random: Random) -> Both:
        """The procedure changes what the place it was handed was found by."""
        one, first, f_at, f_what = cell(random)
        i, x = id_in(random), value_in(random)
        flat = (
            f"{first}let k{{N}} = {i}; let y{{N}} = {x}; {f_at} := k{{N}}; e_what[{f_at}] := y{{N}};"
            f" let at{{N}} = e_at[k{{N}}]; let wh{{N}} = e_what[k{{N}}]; {f_what} := wh{{N}}; {f_at} := at{{N}};"
        )
        return Both(f"chase({one}, {i}, {x});", flat)

    def hidden(random: Random) -> Both:
        """A local of the rule has the name of one in the procedure."""
        i, j, x = id_in(random), id_in(random), value_in(random)
        flat = (
            f"if e_what[{i}] == {x} {{ let old = e_at[{j}]; let at{{N}} = e_at[{i}]; let wh{{N}} = e_what[{i}];"
            f" e_at[{i}] := s_at; e_what[{i}] := s_what; s_what := wh{{N}};"
            f" if at{{N}} != e_at[{i}] {{ s_at := at{{N}}; }}"
            f" e_at[{j}] := old; }}"
        )
        parted = f"if e[{i}].what == {x} {{ let old = e[{j}].at; move(e[{i}], spare); e[{j}].at := old; }}"
        return Both(parted, flat)

    def asked(random: Random) -> Both:
        i = id_in(random)
        return Both(f"spare == e[{i}]", f"(s_at == e_at[{i}] && s_what == e_what[{i}])")

    def points(random: Random) -> Both:
        i, x = id_in(random), value_in(random)
        return Both(f"e[e[{i}].at].what == {x}", f"e_what[e_at[{i}]] == {x}")

    declared = Both(
        "record Cell { at: P, what: V }\nvar e[k: P]: Cell = Cell { at: k, what: v0 };\nvar spare: Cell;\n"
        "procedure move(ref from: Cell, ref to: Cell) {\n"
        "  let old = from; from := to; to.what := old.what; if old.at != from.at { to.at := old.at; }\n}\n"
        "procedure load1(ref ce: Cell, k: P) { let old = e[k]; ce.what := old.what; ce.at := old.at; }\n"
        "procedure chase(ref ce: Cell, k: P, y: V) { ce.at := k; e[ce.at].what := y; load1(ce, k); }",
        "var e_at[k: P]: P = k;\nvar e_what[P]: V;\nvar s_at: P;\nvar s_what: V;",
    )
    return Feature(declared, (asked, points), (moved, chased, hidden))


def _received(random: Random) -> Feature:
    """Bags in an array, messages that are received, lost and sent twice."""
    kinds = random.choice(("", "", " lossy", " duplicating", " lossy duplicating"))

    def taken(random: Random) -> Both:
        test = random.choice(("true", "m.by != i", "m.what == x", "m.by == i && m.what != x"))
        guard = random.choice(("", " when h[i] == v0", " when !empty(box[i])"))
        flat_test = test.replace("m.by", "mb").replace("m.what", "mw")
        flat_guard = guard.removeprefix(" when ").replace("!empty(box[i])", "held[i] > 0") or "true"
        again = random.random() < 0.4
        parted = "if !full(box[m.by]) { send Note { by: i, what: m.what } to box[m.by]; }" if again else ""
        flat = "if held[mb] < 2 { box[mb][i][mw] := box[mb][i][mw] + 1; held[mb] := held[mb] + 1; }" if again else ""
        return Both(
            f"rule t{{N}}(i: P, x: V) receive any m in box[i] where {test}{guard} do {{ h[i] := m.what; {parted} }}",
            f"rule t{{N}}(i: P, x: V, mb: P, mw: V) when box[i][mb][mw] > 0 && {flat_test} && {flat_guard} do {{"
            f" box[i][mb][mw] := box[i][mb][mw] - 1; held[i] := held[i] - 1; h[i] := mw; {flat} }}",
        )

    def sent(random: Random) -> Both:
        i, j, x = id_in(random), id_in(random), value_in(random)
        flat = f"box[{i}][{j}][{x}] := box[{i}][{j}][{x}] + 1; held[{i}] := held[{i}] + 1;"
        parted = f"send Note {{ by: {j}, what: {x} }} to box[{i}];"
        return Both(parted, flat, (f"!full(box[{i}])", f"held[{i}] < 2"))

    def cleared(_: Random) -> Both:
        flat = "for k in P, w in V { box[i][k][w] := 0; } held[i] := 0;"
        return Both("clear(box[i]);", flat)

    def looked(_: Random) -> Both:
        """A loop over what is in a bag, equal values once."""
        flat = "for k in P, w in V { if box[i][k][w] > 0 && k != i { h[k] := w; } }"
        return Both("for m in box[i] where m.by != i { h[m.by] := m.what; }", flat)

    def many(random: Random) -> Both:
        i = id_in(random)
        return Both(f"len(box[{i}]) == 1", f"held[{i}] == 1")

    def known(random: Random) -> Both:
        i, j, x = id_in(random), id_in(random), value_in(random)
        return Both(f"Note {{ what: {x}, by: {j} }} not in box[{i}]", f"box[{i}][{j}][{x}] == 0")

    declared = Both(
        f"record Note {{ by: P, what: V }}\nvar box[P]: bag of Note max 2{kinds};\nvar h[P]: V;",
        "var box[P][P][V]: 0 .. 2;\nvar held[P]: 0 .. 2;\nvar h[P]: V;\n"
        + "rule lose(k, kb: P, w: V) when box[k][kb][w] > 0 do {"
        " box[k][kb][w] := box[k][kb][w] - 1; held[k] := held[k] - 1; }\n"
        * ("lossy" in kinds)
        + "rule double(k, kb: P, w: V) when box[k][kb][w] > 0 && held[k] < 2 do {"
        " box[k][kb][w] := box[k][kb][w] + 1; held[k] := held[k] + 1; }\n" * ("duplicating" in kinds),
    )
    return Feature(declared, (many, known), (sent, sent, cleared, looked), (taken,))


def _absent(_: Random) -> Feature:
    """Optional values of enumerations, other labels beside them, and names that range over both."""

    def given(random: Random) -> Both:
        i, x = id_in(random), value_in(random)
        return random.choice(
            (
                Both(f"wa[{i}] := {x};", f"wa[{i}] := {x};"),
                Both(f"wa[{i}] := none;", f"wa[{i}] := nix;"),
                Both(f"wa[{i}] := wa[j];", f"wa[{i}] := wa[j];"),
                Both("la := lost;", "la := gone;"),
                Both(f"la := {x};", f"la := {x};"),
            )
        )

    def kept(random: Random) -> Both:
        i = id_in(random)
        parted = f"if wa[{i}] == none {{ la := lost; }} else {{ wa[{i}] := if la == lost then none else x; }}"
        return Both(parted, f"if wa[{i}] == nix {{ la := gone; }} else {{ wa[{i}] := if la == gone then nix else x; }}")

    def among(random: Random) -> Both:
        i, x = id_in(random), value_in(random)
        return random.choice(
            (
                Both(f"wa[{i}] in {{ none, {x} }}", f"(wa[{i}] == nix || wa[{i}] == {x})"),
                Both(f"wa[{i}] not in {{ {x} }}", f"wa[{i}] != {x}"),
                Both(f"wa[{i}] in V", f"wa[{i}] != nix"),
                Both(f"wa[{i}] == wa[j]", f"wa[{i}] == wa[j]"),
                Both(f"la == {x}", f"la == {x}"),
            )
        )

    def ranged(_: Random) -> Both:
        parted = "(count y in V?: exists k in P: wa[k] == y) <= 1"
        return Both(parted, "(count y in Maybe2: exists k in P: wa[k] == y) <= 1")

    def any_value(random: Random) -> Both:
        i = id_in(random)
        body = f"wa[{i}] := y;"
        return Both(
            f"rule t{{N}}(i, j: P, y: V?) when wa[j] != y do {{ {body} }}",
            f"rule t{{N}}(i, j: P, y: Maybe2) when wa[j] != y do {{ {body} }}",
        )

    declared = Both(
        "domain Lost = V + { lost };\nvar wa[P]: V?;\nvar la: Lost = lost;",
        "domain Maybe2 = V + { nix };\ndomain Lost = V + { gone };\nvar wa[P]: Maybe2 = nix;\nvar la: Lost = gone;",
    )
    return Feature(declared, (among, ranged), (given, kept), (any_value,))


def _choices(_: Random) -> Feature:
    """Greatest and least values, sums and choices, with conditions on what they range over, and `let`."""

    def picked(_: Random) -> Both:
        """The first with the greatest value."""
        flat = (
            "var top{N}: 0 .. 1 := 0; for k in P { if ca[k] > top{N} { top{N} := ca[k]; } }"
            " var is{N}: bool := false; for k in P { if !is{N} && ca[k] == top{N} { cb := k; is{N} := true; } }"
        )
        return Both("cb := choose k in P where ca[k] == (max l in P: ca[l]);", flat)

    def raised(random: Random) -> Both:
        i = id_in(random)
        flat = f"ca[{i}] := if forall k in P: k == {i} || ca[k] == 0 then 1 else 0;"
        parted = f"ca[{i}] := let top = max k in P where k != {i}: ca[k]: 1 - top;"
        return Both(parted, flat)

    def chosen(_: Random) -> Both:
        """The value of the first that fits; there is one."""
        parted = "ca[choose k in P where k != cb] := choose k in P where k != cb: 1 - ca[k];"
        flat = (
            "var at{N}: P; var is{N}: bool := false; for k in P { if !is{N} && k != cb { at{N} := k; is{N} := true; } }"
            " ca[at{N}] := 1 - ca[at{N}];"
        )
        return Both(parted, flat)

    def least(random: Random) -> Both:
        i = id_in(random)
        return Both(f"(min k in P: ca[k]) == ca[{i}]", f"((forall k in P: ca[k] == 1) <=> ca[{i}] == 1)")

    def summed(random: Random) -> Both:
        i = id_in(random)
        parted = f"(sum k, l in P where k != l && k != {i}: ca[k] * ca[l]) < 2"
        return Both(parted, f"(sum k, l in P: if k == l || k == {i} then 0 else ca[k] * ca[l]) < 2")

    def pairs(_: Random) -> Both:
        return Both(
            "(exists k, l in P where k != l: ca[k] == ca[l])",
            "(exists k in P: exists l in P: !(k == l) && !(ca[k] != ca[l]))",
        )

    def named(random: Random) -> Both:
        i, j = id_in(random), id_in(random)
        return Both(f"(let a1 = ca[{i}], in1 = ca[{j}]: a1 + in1 == 1)", f"ca[{i}] != ca[{j}]")

    declared = same("var ca[P]: 0 .. 1;\nvar cb: P;")
    return Feature(declared, (least, summed, pairs, named), (picked, raised, chosen))


def _matches(_: Random) -> Feature:
    """Unions in an array, matched by reference, with cases of several variants; with optional and shared fields."""

    def served(random: Random) -> Both:
        i, x = id_in(random), value_in(random)
        flat = (
            f"let k{{N}} = {i}; if mt[k{{N}}] == tOff || mt[k{{N}}] == tEnd {{ mt[k{{N}}] := tBusy;"
            f" mf[k{{N}}] := k{{N}}; mv[k{{N}}] := {x}; mo[k{{N}}] := false; }}"
            f" else if mt[k{{N}}] == tBusy {{ let f{{N}} = mf[k{{N}}];"
            f" mt[k{{N}}] := tOn; mf[k{{N}}] := f{{N}}; mv[k{{N}}] := vno; mo[k{{N}}] := mf[k{{N}}] == k{{N}}; }}"
            f" else {{ mf[k{{N}}] := j; }}"
        )
        return Both(f"serve(mm[{i}], {i}, j, {x});", flat)

    def written(random: Random) -> Both:
        i, x = id_in(random), value_in(random)
        return random.choice(
            (
                Both(f"mm[{i}] := End;", f"mt[{i}] := tEnd; mf[{i}] := fno; mv[{i}] := vno; mo[{i}] := false;"),
                Both(
                    f"mm[{i}] := Busy {{ what: {x}, for1: j }};",
                    f"mt[{i}] := tBusy; mf[{i}] := j; mv[{i}] := {x}; mo[{i}] := false;",
                ),
                Both(
                    f"mm[{i}] := mm[j];",
                    f"let p{{N}} = mt[j]; let q{{N}} = mf[j]; let r{{N}} = mv[j]; let s{{N}} = mo[j]; let t{{N}} = {i};"
                    f" mt[t{{N}}] := p{{N}}; mf[t{{N}}] := q{{N}}; mv[t{{N}}] := r{{N}}; mo[t{{N}}] := s{{N}};",
                ),
            )
        )

    def matched(_: Random) -> Both:
        """All variants have a case; what is matched changes on the way."""
        parted = (
            "match mm[j] { case On, Busy { mm[j].for1 := i; mm[i] := Off; }"
            " case Off { if i != j { mm[j] := End; } } case End { } }"
        )
        flat = (
            "if mt[j] == tOn || mt[j] == tBusy {"
            " mf[j] := i; mt[i] := tOff; mf[i] := fno; mv[i] := vno; mo[i] := false; }"
            " else if mt[j] == tOff { if i != j { mt[j] := tEnd; mf[j] := fno; mv[j] := vno; mo[j] := false; } }"
        )
        return Both(parted, flat)

    def asked(random: Random) -> Both:
        i = id_in(random)
        return random.choice(
            (
                Both(f"(mm[{i}] is On && mm[{i}].own)", f"(mt[{i}] == tOn && mo[{i}])"),
                Both(f"(mm[{i}].for1 in {{ none, j }})", f"(mf[{i}] == fno || mf[{i}] == j)"),
                Both(
                    f"mm[{i}] == Busy {{ for1: j, what: x }}",
                    f"(mt[{i}] == tBusy && mf[{i}] == j && !mo[{i}] && mv[{i}] == x)",
                ),
            )
        )

    def ranged(_: Random) -> Both:
        """One of the variants with all values of its fields."""
        parted = "(exists m in Mode where m is Busy: mm[i] == m && m.what != v0)"
        return Both(parted, "(mt[i] == tBusy && mf[i] != fno && !mo[i] && mv[i] != vno && mv[i] != v0)")

    def any_mode(_: Random) -> Both:
        return Both(
            "rule t{N}(i: P, m: Mode) when mm[i] is Off && m.for1 != i do { mm[i] := m; }",
            "rule t{N}(i: P, tg: Tags1, fo: For1, v: What1, ow: bool) when mt[i] == tOff && fo != i\n"
            "  && (if tg == tBusy then fo != fno && v != vno && !ow\n"
            "    else if tg == tOn then fo != fno && v == vno else fo == fno && v == vno && !ow)\n"
            "do { mt[i] := tg; mf[i] := fo; mv[i] := v; mo[i] := ow; }",
        )

    declared = Both(
        "union Mode { Off, On { for1: P, own: bool }, Busy { for1: P, what: V }, End }\nvar mm[P]: Mode;\n"
        "procedure serve(ref m: Mode, k, l: P, y: V) {\n"
        "  match m {\n    case Off, End { m := Busy { for1: k, what: y }; }\n"
        "    case Busy { m := On { for1: m.for1, own: m.for1 == k }; }\n    else { m.for1 := l; }\n  }\n}",
        "domain Tags1 = { tOff, tOn, tBusy, tEnd };\ndomain For1 = P + { fno };\ndomain What1 = V + { vno };\n"
        "var mt[P]: Tags1;\nvar mf[P]: For1 = fno;\nvar mv[P]: What1 = vno;\nvar mo[P]: bool;",
    )
    return Feature(declared, (asked, ranged), (served, written, matched), (any_mode,))


def _functions(_: Random) -> Feature:
    """Definitions that give records, sets and optional values, and use each other."""

    def turned(random: Random) -> Both:
        i, j = id_in(random), id_in(random)
        flat = f"let w{{N}} = f_what[{j}]; let k{{N}} = {i}; f_by[k{{N}}] := j; f_what[k{{N}}] := w{{N}};"
        return Both(f"fun[{i}] := turned(fun[{j}], j);", flat)

    def joined(random: Random) -> Both:
        i = id_in(random)
        return Both(f"ga := others({i}) union ga;", f"for k in P {{ if k != {i} {{ ga[k] := true; }} }}")

    def reset(_: Random) -> Both:
        return Both("ga := ga minus others(i);", "for k in P { if k != i { ga[k] := false; } }")

    def found(_: Random) -> Both:
        flat = (
            "if forall k in P: !ga[k] { first1 := none1; } else { var is{N}: bool := false;"
            " for k in P { if ga[k] && !is{N} { first1 := k; is{N} := true; } } }"
        )
        return Both("first1 := first(ga);", flat)

    def few(random: Random) -> Both:
        i = id_in(random)
        return Both(f"card(others({i}) intersect ga) == 1", f"(count k in P: k != {i} && ga[k]) == 1")

    def is_turned(random: Random) -> Both:
        i = id_in(random)
        return Both(f"turned(fun[{i}], j) == fun[{i}]", f"f_by[{i}] == j")

    def field(random: Random) -> Both:
        i, x = id_in(random), value_in(random)
        return Both(f"turned(fun[{i}], {i}).what == {x}", f"f_what[{i}] == {x}")

    def inner(random: Random) -> Both:
        i = id_in(random)
        return Both(f"(others({i}) subset ga)", f"(forall k in P: k == {i} || ga[k])")

    declared = Both(
        "record Task1 { by: P, what: V }\nvar fun[P]: Task1;\nvar ga: set of P;\nvar first1: P?;\n"
        "def turned(m: Task1, k: P) = Task1 { what: m.what, by: k };\ndef others(k: P) = { l in P where l != k };\n"
        "def first(grp: set of P) = if grp == {} then none else choose k in grp where true;",
        "domain None1 = P + { none1 };\nvar f_by[P]: P;\nvar f_what[P]: V;\nvar ga[P]: bool;\n"
        "var first1: None1 = none1;",
    )
    return Feature(declared, (few, is_turned, field, inner), (turned, joined, reset, found))


def _flags(random: Random) -> Feature:
    """Constants that are truth values and labels, perhaps given from outside."""
    flag, mode = random.choice((False, True)), random.choice(("v0", "v1"))
    given: dict[str, bool | str] = {"FLAG": flag, "MODE": mode} if random.random() < 0.5 else {}
    shown = "true" if flag else "false"
    declared_flag, declared_mode = ("!" + shown, "v0") if given else (shown, mode)

    def tested(random: Random) -> Both:
        i = id_in(random)
        return Both(f"(FLAG || kv[{i}] == MODE)", f"({shown} || kv[{i}] == {mode})")

    def chosen(random: Random) -> Both:
        i = id_in(random)
        return Both(f"(if FLAG then MODE else x) == kv[{i}]", f"(if {shown} then {mode} else x) == kv[{i}]")

    def switched(random: Random) -> Both:
        i = id_in(random)
        parted = f"if FLAG && x != MODE {{ kv[{i}] := MODE; }} else {{ kv[{i}] := x; }}"
        return Both(parted, f"if {shown} && x != {mode} {{ kv[{i}] := {mode}; }} else {{ kv[{i}] := x; }}")

    declared = Both(
        f"const FLAG = {declared_flag};\nconst MODE: V = {declared_mode};\nvar kv[P]: V = MODE;",
        f"var kv[P]: V = {mode};",
    )
    return Feature(declared, (tested, chosen), (switched,), constants=given)


def _numbers(_: Random) -> Feature:
    """The numbers of ids, and ids in an order."""

    def held(random: Random) -> Both:
        i, j = id_in(random), id_in(random)
        return same(f"z[{i}] := ord({j});")

    def behind(random: Random) -> Both:
        i = id_in(random)
        return Both(f"below({i}, j)", f"ord({i}) < ord(j)")

    def exact(random: Random) -> Both:
        i = id_in(random)
        return Both(f"z[{i}] in {{ 0, ord(i) .. ord(j) }}", f"(z[{i}] == 0 || ord(i) <= z[{i}] && z[{i}] <= ord(j))")

    declared = Both("var z[P]: 0 .. N-1;\ndef below(k, l: P) = ord(k) < ord(l);", "var z[P]: 0 .. N-1;")
    return Feature(declared, (behind, exact), (held,))


def _groups(random: Random) -> Feature:
    """Rules that range over sets and records, and sets that are compared."""
    size = random.choice((1, 2))

    def voted(_: Random) -> Both:
        """Flat, a set is a truth value for each element: of three, whether there are that many or not."""
        parted = (
            f"rule t{{N}}(i: P, grp: set of P) when i in grp && card(grp) == {size} do {{ ya := grp; yb[i] := grp; }}"
        )
        flat = (
            f"rule t{{N}}(i: P, in0, in1, in2: bool) when (N > 2 || !in2)"
            f" && (if ord(i) == 0 then in0 else if ord(i) == 1 then in1 else in2)"
            f" && (if in0 then 1 else 0) + (if in1 then 1 else 0) + (if in2 then 1 else 0) == {size} do {{"
            " for k in P { ya[k] := if ord(k) == 0 then in0 else if ord(k) == 1 then in1 else in2;"
            " yb[i][k] := if ord(k) == 0 then in0 else if ord(k) == 1 then in1 else in2; } }"
        )
        return Both(parted, flat)

    def taken(_: Random) -> Both:
        parted = (
            "rule t{N}(m: Pair, j: P) when m.one in ya && m.what != v0 do { remove(ya, m.one); insert(yb[j], m.one); }"
        )
        return Both(
            parted,
            "rule t{N}(ow: P, w: V, j: P) when ya[ow] && w != v0 do { ya[ow] := false; yb[j][ow] := true; }",
        )

    def shared(random: Random) -> Both:
        i = id_in(random)
        parted = f"yb[{i}] := ya intersect yb[j];"
        return Both(parted, f"let k{{N}} = {i}; for l in P {{ yb[k{{N}}][l] := ya[l] && yb[j][l]; }}")

    def looped(_: Random) -> Both:
        """What is left out before its turn is not met."""
        flat = "for k in P { if ya[k] { ya[(k + 1) % N] := false; yb[k][i] := true; } }"
        return Both("for k in ya { remove(ya, (k + 1) % N); insert(yb[k], i); }", flat)

    def equal(random: Random) -> Both:
        i = id_in(random)
        return random.choice(
            (
                Both(f"ya == yb[{i}]", f"(forall k in P: ya[k] == yb[{i}][k])"),
                Both(f"ya != P minus yb[{i}]", f"(exists k in P: ya[k] == yb[{i}][k])"),
                Both(
                    f"ya in {{ {{}}, {{ {i} }} }}", f"((forall k in P: !ya[k]) || (forall k in P: ya[k] <=> k == {i}))"
                ),
            )
        )

    declared = Both("var ya: set of P;\nvar yb[P]: set of P;", "var ya[P]: bool;\nvar yb[P][P]: bool;")
    return Feature(declared, (equal,), (shared, looped), (voted, taken))


def _stations(_: Random) -> Feature:
    """Records that hold a sequence and a bag, handed over as a whole and in parts."""

    def posted(random: Random) -> Both:
        i, x = id_in(random), value_in(random)
        flat = (
            f"let k{{N}} = {i}; if n_size[k{{N}}] < 1 {{ n_in[k{{N}}][i][{x}] := n_in[k{{N}}][i][{x}] + 1;"
            f" n_size[k{{N}}] := n_size[k{{N}}] + 1; }} else if !full(n_log[k{{N}}]) {{ push(n_log[k{{N}}], {x}); }}"
        )
        return Both(f"pass_to(st[{i}], i, {x});", flat)

    def kept(random: Random) -> Both:
        i = id_in(random)
        text = "let k{N} = HERE; if !empty(LOG[k{N}]REST) { LOAD := head(LOG[k{N}]REST); pop(LOG[k{N}]REST); }"
        text = text.replace("HERE", i)
        flat = text.replace("LOG", "n_log").replace("REST", "").replace("LOAD", "n_load[k{N}]")
        return Both(text.replace("LOG", "st").replace("REST", ".log").replace("LOAD", "st[k{N}].load"), flat)

    def received(_: Random) -> Both:
        parted = (
            "rule t{N}(i: P) receive any m in st[i].inbox where m.one != i || m.what != v0 do {"
            " st[m.one].load := m.what; }"
        )
        flat = (
            "rule t{N}(i: P, ow: P, w: V) when n_in[i][ow][w] > 0 && (ow != i || w != v0) do {"
            " n_in[i][ow][w] := n_in[i][ow][w] - 1; n_size[i] := n_size[i] - 1; n_load[ow] := w; }"
        )
        return Both(parted, flat)

    def busy(random: Random) -> Both:
        i = id_in(random)
        return Both(f"(full(st[{i}].inbox) || !empty(st[{i}].log))", f"(n_size[{i}] == 1 || len(n_log[{i}]) > 0)")

    def loaded(random: Random) -> Both:
        i, x = id_in(random), value_in(random)
        return Both(f"st[{i}].load == {x}", f"n_load[{i}] == {x}")

    declared = Both(
        "record Station { load: V, inbox: bag of Pair max 1, log: seq[1] of V }\nvar st[P]: Station;\n"
        "procedure pass_to(ref sn: Station, k: P, y: V) {\n"
        "  if !full(sn.inbox) { send Pair { one: k, what: y } to sn.inbox; }\n"
        "  else if !full(sn.log) { push(sn.log, y); }\n}",
        "var n_load[P]: V;\nvar n_in[P][P][V]: 0 .. 1;\nvar n_size[P]: 0 .. 1;\nvar n_log[P]: seq[1] of V;",
    )
    return Feature(declared, (busy, loaded), (posted, kept), (received,))


PROGRAMS: Final[tuple[Maker, ...]] = (
    _references,
    _received,
    _absent,
    _choices,
    _matches,
    _functions,
    _flags,
    _numbers,
    _groups,
    _stations,
)
