"""Each model of ``bad/`` announces the diagnostics it causes: ``//! line:column code beginning of the message``."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnside.frontends.cspsharp import load
from burnside.source import Diagnostics, Severity, Source, render

MODELS = sorted((Path(__file__).parent / "bad").glob("*.csp"))
MARK = "//! "


def found(diagnostics: Diagnostics) -> list[tuple[str, str, str]]:
    """Place, code and message of each diagnostic."""
    places = []
    for d in diagnostics.sorted():
        place = "{}:{}".format(*d.span.source.position(d.span.start)) if d.span else "-"
        places.append((place, d.code, d.message))
    return places


@pytest.mark.parametrize("path", MODELS, ids=lambda p: p.stem)
def test_a_wrong_model_is_explained(path: Path) -> None:
    """The announced diagnostics, in order, and no others."""
    lines = path.read_text().splitlines()
    announced = [line.removeprefix(MARK).split(" ", 2) for line in lines if line.startswith(MARK)]

    model, diagnostics = load(Source(path.name, path.read_text()), {})

    actual = found(diagnostics)
    assert [(p, c) for p, c, _ in actual] == [(a[0], a[1]) for a in announced], "\n".join(map(render, diagnostics))
    assert all(m.startswith(a[2] if len(a) > 2 else "") for (_, _, m), a in zip(actual, announced, strict=True)), actual
    assert (model is None) == any(d.severity is Severity.ERROR for d in diagnostics)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"M": 3}, "the model has no constant 'M'"),
        ({"N": (1, 2)}, "'N' is a number, not a list"),
    ],
)
def test_constants_of_the_command_line_must_fit(given: dict[str, object], message: str) -> None:
    _, diagnostics = load(Source("model.csp", "#define N 2;\nP = a -> P;\n"), given)  # type: ignore[arg-type]

    assert [(d.code, d.message) for d in diagnostics] == [("BUR211", message)]


def test_deep_nesting_is_refused() -> None:
    _, diagnostics = load(Source("model.csp", "P = " + "(" * 500 + "Stop" + ")" * 500 + ";"), {})

    assert [d.code for d in diagnostics] == ["BUR104"]


def test_bits_replace_a_missing_range() -> None:
    """``-D int_bits=3`` gives unranged variables three bits; leaving them is a fault, not a wrap."""
    model, diagnostics = load(Source("model.csp", "var x = 0;\nP = up{x = x + 1;} -> P;\n"), {"int_bits": 3})

    assert model is not None
    assert not list(diagnostics)
    assert [(v.domain.low, v.domain.high) for v in model.variables] == [(0, 3)]


def test_a_file_can_include_another(tmp_path: Path) -> None:
    """Its declarations count as if they stood there; a file that includes itself is refused."""
    (tmp_path / "parts.csp").write_text("#define N 2;\nP(i) = a.i -> P(i);\n")
    (tmp_path / "circle.csp").write_text('#include "circle.csp";\n')
    name = str(tmp_path / "model.csp")

    model, diagnostics = load(Source(name, '#include "parts.csp";\nS = ||| i:{0..N-1}@P(i);\n'), {})
    _, complaints = load(Source(name, '#include "circle.csp";\nS = a -> S;\n'), {})

    assert not list(diagnostics)
    assert model is not None
    assert [r.name for r in model.rules] == ["a_0", "a_1"]
    assert [d.code for d in complaints] == ["BUR209"]
