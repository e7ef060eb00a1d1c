"""Assertions get the verdicts that the rules give them."""

from __future__ import annotations

import pytest

from burnside.explore.claims import claims_of
from burnside.explore.reference import explore
from burnside.explore.result import Stop
from burnside.frontends.cspsharp import load
from burnside.ir.nodes import PropertyKind
from burnside.source import Source, render

# Processes, an assertion, whether it holds.
CLAIMS = [
    ("P = a -> P;", "P deadlockfree", True),
    ("P = a -> Stop;", "P deadlockfree", False),
    ("P = a -> Skip;", "P deadlockfree", True),
    ("P = a -> Skip ||| b -> Stop;", "P deadlockfree", False),
    ("P = a -> Skip;", "P nonterminating", False),
    ("P = a -> P;", "P nonterminating", True),
    ("P = a -> Stop;", "P nonterminating", False),
    ("var x:{0..3}; P = [x < 3] a{x++;} -> P;", "P reaches x == 3", True),
    ("var x:{0..3}; P = [x < 2] a{x++;} -> P;", "P reaches x == 3", False),
    ("P = a -> b -> P; Q = a -> Q [] b -> Q;", "P refines Q", True),
    ("P = a -> b -> P; Q = a -> a -> Q;", "P refines Q", False),
    ("P = a -> tau -> b -> P; Q = a -> b -> Q;", "P refines Q", True),
    ("P = a -> b -> P; Q = a -> tau -> b -> Q;", "P refines Q", True),
    ("P = a -> b -> P; Q = (a -> b -> Q) <> (a -> c -> Q);", "P refines Q", True),
    ("P = a -> Skip; Q = a -> Stop;", "P refines Q", False),
    ("P = a -> Stop; Q = a -> Skip;", "P refines Q", True),
    ("A = a -> c -> A; B = c -> b -> B; P = A || B; Q = a -> c -> b -> Q;", "P refines Q", False),
    ("P = (a -> c -> b -> P) \\ {c}; Q = a -> b -> Q;", "P refines Q", True),
    ("var x:{0..1}; P = a{x = 1;} -> [x == 0] b -> P; Q = a -> Stop;", "P refines Q", True),
    ("P = || i:{0..1}@C(i); C(i) = a.i -> b -> C(i); Q = a.0 -> a.1 -> b -> Q;", "P refines Q", False),
]


@pytest.mark.parametrize(("text", "assertion", "expected"), CLAIMS, ids=[f"{c[1]} in {c[0]}" for c in CLAIMS])
def test_an_assertion_gets_its_verdict(text: str, assertion: str, expected: bool) -> None:
    """All claims that stand for the assertion hold, or one of them does not."""
    model, diagnostics = load(Source("model.csp", f"{text}\n#assert {assertion};\n"), {})
    assert model is not None, "\n".join(map(render, diagnostics))
    assert not list(diagnostics)
    claims = list(claims_of(model.properties))

    found = explore(model, claims)

    assert found.stop in (Stop.COMPLETE, Stop.DECIDED)
    reachable = [c.family.kind is PropertyKind.REACHABLE for c in claims]
    verdicts = [(w is not None) == r for w, r in zip(found.witnesses, reachable, strict=True)]
    assert verdicts
    assert all(verdicts) is expected


@pytest.mark.parametrize(
    ("text", "assertion"),
    [
        ("var x:{0..1}; P = a -> P; Q = a{x = 1;} -> Q;", "P refines Q"),
        ("var x:{0..1}; P = a.x -> b{x = 1;} -> P; Q = a.0 -> Q;", "P refines Q"),
        ("P = a -> P; Q = a -> Q;", "P refines<FD> Q"),
        ("P = a -> P;", "P |= []<> a"),
        ("P = a -> P;", "P divergencefree"),
    ],
)
def test_what_is_not_checked_is_said(text: str, assertion: str) -> None:
    """Never in silence."""
    model, diagnostics = load(Source("model.csp", f"{text}\n#assert {assertion};\n"), {})

    assert model is not None
    assert [d.code for d in diagnostics] == ["BUR901"]
    assert not model.properties
