"""What takes long to write out is not written out, and arrays of a single value are arrays."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnside.detect import symbolic
from burnside.detect.constrain import ModelConstraints
from burnside.detect.masks import Evaluation
from burnside.detect.terms import Terms
from burnside.frontends.loading import load
from burnside.ir.nodes import Domain

MODEL = """
process P = 0 .. 2;
var x[P]: 0 .. 3 = 0;
rule short(i: P) when x[i] < 3 do { x[i] := x[i] + 1; }
rule long when x[0] > 0 do {
  for i in P { for j in P { if x[i] % 2 != x[j] { x[i] := (x[i] + x[j]) % 3; } } }
}
"""


def test_a_rule_that_takes_too_much_work_is_opaque(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each rule has its own share, so that others are still seen through."""
    path = tmp_path / "model.seq"
    path.write_text(MODEL)
    model = load(path).model

    assert not ModelConstraints(model).with_requirements(()).opaque
    monkeypatch.setattr(symbolic, "_MOST_WORK", 30)
    found = ModelConstraints(model).with_requirements(())
    assert [part.text for part in found.opaque] == ["rule 'long'"]
    assert len(found.transitions) == 3


def test_conditions_on_single_values_can_be_joined() -> None:
    """Three of them, where cells have one value each."""
    terms = Terms([Domain("", 0, 3)] * 3)
    together = terms.conjunction(terms.equal(terms.cell(k), terms.constant(1)) for k in range(3))

    assert Evaluation.at_state((1, 1, 1)).truth(together) == 1
