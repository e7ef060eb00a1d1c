"""Groups for GAP."""

from __future__ import annotations

from burnside.groups.group import PermGroup
from burnside.groups.perm import cycles


def gap_text(group: PermGroup, names: tuple[str, ...] = ()) -> str:
    """GAP input that defines ``G`` on points counted from 1, with the meaning of the points as comments."""
    lines = [f"# {k + 1}: {name}" for k, name in enumerate(names)]
    elements = ["".join(f"({','.join(str(p + 1) for p in c)})" for c in cycles(g)) for g in group.generators]
    body = ",\n  ".join(elements) if elements else "()"
    return "\n".join([*lines, f"G := Group(\n  {body}\n);"]) + "\n"
