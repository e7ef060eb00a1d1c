"""Texts that are nothing but open brackets are refused at once, whatever the language."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

import pytest

from burnside.frontends import cspsharp, diagram, murphi, rebeca, seq
from burnside.regular.formats.read import read_system
from burnside.source import Diagnostic, Source, render


def of_tasks(load: Callable[..., tuple[object, Iterable[Diagnostic]]]) -> Callable[[Source], list[Diagnostic]]:
    """What a front end has to say about a text."""
    return lambda source: list(load(source, {})[1])


READERS: dict[str, tuple[Callable[[Source], Iterable[Diagnostic]], str]] = {
    "seq": (of_tasks(seq.load), "var x: 0..1; invariant p: "),
    "claims about runs": (of_tasks(seq.load), "var x: 0..1; ltl p: "),
    "CSP#": (of_tasks(cspsharp.load), "P = "),
    "formulas of CSP#": (of_tasks(cspsharp.load), "P = a -> P; #assert P |= "),
    "Rebeca": (of_tasks(rebeca.load), "reactiveclass A(3) { msgsrv m() { x = "),
    "Murphi": (of_tasks(murphi.load), "var b: boolean; rule "),
    "diagrams": (of_tasks(diagram.load), "process P = 1 .. 2; local at = { a }; error e: "),
    "regular systems": (lambda source: read_system(source)[1], "alphabet { a } action b = "),
}


@pytest.mark.parametrize("unit", ["(", "a(", "[", "{ ", "-(", "x[("])
@pytest.mark.parametrize("language", READERS)
def test_a_megabyte_of_brackets_is_refused_at_once(language: str, unit: str) -> None:
    """There is one diagnostic about nesting, and it took no look at the rest of the text."""
    read, head = READERS[language]
    source = Source("hostile", head + unit * ((1 << 20) // len(unit)) + "\n?")
    start = time.process_time()
    found = list(read(source))
    shown = [render(diagnostic) for diagnostic in found]

    assert [d.code for d in found].count("BUR104") == 1
    assert not [d for d in found if "'?'" in d.message]
    assert all(len(text) < 2_000 for text in shown)
    assert time.process_time() - start < 10
