"""States per second of protocols written out without arrays, against the same protocols with them.

python -m benchmarks.flat_rules
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import burnside

COUNTERS = """
process P = 0 .. {last};
var x[P]: 0 .. {most};
rule up(i: P) when x[i] < {most} do {{ x[i] := x[i] + 1; }}
rule down(i: P) when x[i] > 0 do {{ x[i] := x[i] - 1; }}
"""
RING = """
domain I = 0 .. {last};
var c[I]: bool = [{initial}];
rule move(i: I) when c[i] && !c[(i + 1) % {cells}] do {{ c[i] := false; c[(i + 1) % {cells}] := true; }}
"""


def counters(many: int, values: int) -> tuple[str, str]:
    """Counters that go up and down: with an array, and with a rule for each of their steps."""
    lines = [f"var x{i}: 0 .. {values - 1};" for i in range(many)]
    for i in range(many):
        for low in range(values - 1):
            lines.append(f"rule up_{i}_{low} when x{i} == {low} do {{ x{i} := {low + 1}; }}")
            lines.append(f"rule down_{i}_{low} when x{i} == {low + 1} do {{ x{i} := {low}; }}")
    return COUNTERS.format(last=many - 1, most=values - 1), "\n".join(lines)


def ring(cells: int) -> tuple[str, str]:
    """Two tokens on a ring: with an array, and with a variable and a rule for each cell."""
    initial = ["true" if i < 2 else "false" for i in range(cells)]
    lines = [f"var c{i}: bool = {value};" for i, value in enumerate(initial)]
    for i in range(cells):
        j = (i + 1) % cells
        lines.append(f"rule move_{i} when c{i} && !c{j} do {{ c{i} := false; c{j} := true; }}")
    return RING.format(last=cells - 1, cells=cells, initial=", ".join(initial)), "\n".join(lines)


def rate(text: str, folder: Path) -> tuple[int, float]:
    """The states of a model, and how many of them are explored in a second: the best of three times."""
    path = folder / "model.seq"
    path.write_text(text)
    found = [burnside.load(path).count(symmetry="none") for _ in range(3)]
    return found[0].states, max(f.as_dict()["states_per_second"] for f in found)


def main() -> None:
    """Print a line for each protocol."""
    rows = {
        "1,014 rules, 3 cells": counters(3, 170),
        "232 rules, 4 cells": counters(4, 30),
        "500 rules, 500 cells": ring(500),
        "1,500 rules, 1,500 cells": ring(1_500),
    }
    print(f"{'written out':26} {'states':>10} {'arrays':>12} {'written out':>12}  states/s")
    with TemporaryDirectory() as folder:
        for name, (with_arrays, written_out) in rows.items():
            states, usual = rate(with_arrays, Path(folder))
            same, flat = rate(written_out, Path(folder))
            assert states == same
            print(f"{name:26} {states:>10,} {usual:>12,.0f} {flat:>12,.0f}  {flat / usual:.2f}")


if __name__ == "__main__":
    main()
