"""Symmetric nets written out: sorts, terms and guards, and what is refused."""

from __future__ import annotations

import pytest

from burnside.frontends.pnml import load
from burnside.frontends.pnml.net import Net
from burnside.frontends.pnml.stages import read_net
from burnside.source import Diagnostics, Source, SyntaxStop
from nets.texts import plain

SORTS = """
<namedsort id="dot" name="Dot"><dot/></namedsort>
<namedsort id="ring" name="Ring"><cyclicenumeration>
  <feconstant id="r0" name="0"/><feconstant id="r1" name="1"/><feconstant id="r2" name="2"/>
</cyclicenumeration></namedsort>
<namedsort id="side" name="Side"><finiteenumeration>
  <feconstant id="left" name="L"/><feconstant id="right" name="R"/>
</finiteenumeration></namedsort>
<namedsort id="few" name="Few"><finiteintrange start="3" end="5"/></namedsort>
<namedsort id="both" name="Both">
  <productsort><usersort declaration="ring"/><usersort declaration="side"/></productsort>
</namedsort>
<variabledecl id="x" name="x"><usersort declaration="ring"/></variabledecl>
<variabledecl id="y" name="y"><usersort declaration="ring"/></variabledecl>
<variabledecl id="s" name="s"><usersort declaration="side"/></variabledecl>
<variabledecl id="n" name="n"><usersort declaration="few"/></variabledecl>
"""
X, Y, S, N = (f'<variable refvariable="{v}"/>' for v in "xysn")
DOT = "<dotconstant/>"


def sub(*parts: str) -> str:
    return "".join(f"<subterm>{part}</subterm>" for part in parts)


def every(sort: str) -> str:
    return f'<all><usersort declaration="{sort}"/></all>'


def times(count: int, term: str) -> str:
    factor = f'<numberconstant value="{count}"><positive/></numberconstant>'
    return f"<numberof>{sub(factor, term)}</numberof>"


def constant(name: str) -> str:
    return f'<useroperator declaration="{name}"/>'


LESS = f"<lessthan>{sub(X, Y)}</lessthan>"
FIRST = f"<equality>{sub(X, constant('r0'))}</equality>"


def text(
    *,
    a: str = "ring",
    start: str = "",
    b: str = "ring",
    takes: str = X,
    puts: str = X,
    guard: str = "",
    sorts: str = SORTS,
) -> str:
    """A net with a transition from place a to place b."""
    marking = f"<hlinitialMarking><structure>{start}</structure></hlinitialMarking>" if start else ""
    condition = f"<condition><structure>{guard}</structure></condition>" if guard else ""
    return plain(
        f'<place id="a"><type><structure><usersort declaration="{a}"/></structure></type>{marking}</place>'
        f'<place id="b"><type><structure><usersort declaration="{b}"/></structure></type></place>'
        f'<transition id="t">{condition}</transition>'
        f'<arc id="1" source="a" target="t"><hlinscription><structure>{takes}</structure></hlinscription></arc>'
        f'<arc id="2" source="t" target="b"><hlinscription><structure>{puts}</structure></hlinscription></arc>'
        f"<declaration><structure><declarations>{sorts}</declarations></structure></declaration>",
        kind="symmetricnet",
    )


def steps(source: str) -> set[tuple[str, str, str]]:
    """What can happen: name, what is taken, what is put, as text."""
    diagnostics = Diagnostics()
    net = read_net(Source("net.pnml", source), diagnostics)
    return {(t.name, _listed(net, t.takes), _listed(net, t.puts)) for t in net.transitions}


def _listed(net: Net, arcs: tuple[tuple[int, int], ...]) -> str:
    return " ".join(sorted(f"{weight}*{net.places[place].name}" for place, weight in arcs))


def complaint(source: str) -> tuple[str, str]:
    diagnostics = Diagnostics()
    with pytest.raises(SyntaxStop):
        read_net(Source("net.pnml", source), diagnostics)
    assert not load(Source("net.pnml", source), {}).tasks
    found = next(iter(diagnostics))
    assert found.span is not None
    return found.code, found.message


def test_the_successor_of_the_last_colour_is_the_first() -> None:
    assert steps(text(start=every("ring"), puts=f"<successor>{sub(X)}</successor>")) == {
        ("t(x=0)", "1*a[0]", "1*b[1]"),
        ("t(x=1)", "1*a[1]", "1*b[2]"),
        ("t(x=2)", "1*a[2]", "1*b[0]"),
    }
    assert ("t(x=0)", "1*a[0]", "1*b[2]") in steps(
        text(start=every("ring"), puts=f"<predecessor>{sub(X)}</predecessor>")
    )


def test_a_tuple_with_all_stands_for_all_tuples() -> None:
    both = f"<tuple>{sub(X, every('side'))}</tuple>"

    assert ("t(x=1)", "1*a[1]", "1*b[1,L] 1*b[1,R]") in steps(text(start=every("ring"), b="both", puts=both))


def test_bags_are_added_multiplied_and_taken_away() -> None:
    puts = f"<add>{sub(times(3, X), constant('r1'))}</add>"
    rest = f"<subtract>{sub(every('ring'), X)}</subtract>"

    assert ("t(x=1)", "1*a[1]", "4*b[1]") in steps(text(start=every("ring"), puts=puts))
    assert ("t(x=1)", "1*a[1]", "1*b[0] 1*b[2]") in steps(text(start=every("ring"), puts=rest))


def test_numbers_have_the_sort_of_their_place() -> None:
    three = '<finiteintrangeconstant value="3"><finiteintrange start="3" end="5"/></finiteintrangeconstant>'
    found = steps(text(a="few", b="few", start=every("few"), takes=N, puts=three))

    assert ("t(n=5)", "1*a[5]", "1*b[3]") in found


@pytest.mark.parametrize(
    ("guard", "names"),
    [
        (f"<equality>{sub(X, Y)}</equality>", {"00", "11", "22"}),
        (f"<inequality>{sub(X, Y)}</inequality>", {"01", "02", "10", "12", "20", "21"}),
        (f"<lessthan>{sub(X, Y)}</lessthan>", {"01", "02", "12"}),
        (f"<greaterthanorequal>{sub(X, constant('r2'))}</greaterthanorequal>", {"20", "21", "22"}),
        (f"<and>{sub(LESS, FIRST)}</and>", {"01", "02"}),
        (f"<not>{sub(f'<lessthanorequal>{sub(X, Y)}</lessthanorequal>')}</not>", {"10", "20", "21"}),
        (f"<or>{sub(LESS, FIRST)}</or>", {"00", "01", "02", "12"}),
        (f"<imply>{sub(LESS, FIRST)}</imply>", {"00", "01", "02", "10", "11", "20", "21", "22"}),
    ],
)
def test_guards_choose_bindings(guard: str, names: set[str]) -> None:
    found = steps(text(start=every("ring"), puts=f"<add>{sub(X, Y)}</add>", guard=guard))

    assert {f"{name[4]}{name[9]}" for name, _, _ in found} == {f"{n[0]}{n[1]}" for n in names}


def test_what_can_never_be_marked_is_left_out() -> None:
    assert steps(text(start=constant("r1"))) == {("t(x=1)", "1*a[1]", "1*b[1]")}


@pytest.mark.parametrize(
    ("source", "code", "message"),
    [
        (text(a="nothing"), "BUR201", "'nothing' is not known here"),
        (text(takes='<variable refvariable="z"/>'), "BUR201", "'z' is not known here"),
        (text(takes=S), "BUR203", "expected colours of 'ring', found those of 'side'"),
        (text(takes=DOT), "BUR203", "expected colours of 'ring', found those of 'dot'"),
        (text(b="side", puts=f"<successor>{sub(S)}</successor>"), "BUR203", "'side' is not a cyclic enumeration"),
        (
            text(guard=f"<equality>{sub(X, S)}</equality>"),
            "BUR203",
            "expected colours of 'ring', found those of 'side'",
        ),
        (text(guard=f"<equality>{sub(X)}</equality>"), "BUR204", "'equality' compares two colours"),
        (text(guard="<or/>"), "BUR204", "'or' has a wrong number of parts"),
        (text(guard="<maybe/>"), "BUR901", "conditions 'maybe' are not read"),
        (text(takes="<gtp/>"), "BUR901", "terms 'gtp' are not read"),
        (text(start=X), "BUR207", "a first marking has no variables"),
        (text(start=times(10**12 - 1, constant("r0"))), "BUR105", "this number is not between 0 and 2,147,483,647"),
        (
            text(puts=f"<subtract>{sub(X, Y)}</subtract>", start=every("ring")),
            "BUR203",
            "more colours are taken away here than there are",
        ),
        (text(sorts="<partition/>"), "BUR901", "declarations 'partition' are not read"),
        (
            text(sorts='<namedsort id="ring"><usersort declaration="ring"/></namedsort>'),
            "BUR209",
            "sort 'ring' is part of itself",
        ),
        (text(sorts='<namedsort id="ring"/>'), "BUR102", "sort 'ring' is not described"),
        (
            text(sorts='<namedsort id="ring"><finiteintrange start="0" end="9999999"/></namedsort>'),
            "BUR205",
            "this sort has 10,000,000 colours",
        ),
        (
            text(sorts='<namedsort id="ring"><finiteintrange start="5" end="3"/></namedsort>'),
            "BUR205",
            "this sort has 0 colours",
        ),
        (
            text(sorts='<namedsort id="ring"><finiteintrange start="x" end="3"/></namedsort>'),
            "BUR203",
            "expected a number as 'start'",
        ),
        (text(sorts=SORTS + '<namedsort id="ring"><dot/></namedsort>'), "BUR202", "'ring' is declared twice"),
    ],
)
def test_what_is_wrong_is_said_where_it_is(source: str, code: str, message: str) -> None:
    assert complaint(source) == (code, message)


def test_nets_that_would_be_too_large_are_refused() -> None:
    """Before there is memory for all of their transitions."""
    many = '<namedsort id="ring"><finiteintrange start="1" end="3000"/></namedsort>'
    many += "".join(f'<variabledecl id="{v}" name="{v}"><usersort declaration="ring"/></variabledecl>' for v in "xy")
    loaded = load(Source("net.pnml", text(sorts=many, puts=f"<add>{sub(X, Y)}</add>")), {})

    assert [d.message for d in loaded.diagnostics] == ["the net has more than 200,000 transitions"]
