"""Pieces of C text: constants and constant arrays, spelled in one place for all that write C."""

from __future__ import annotations

from collections.abc import Iterable


def c_number(value: int) -> str:
    """A number as a C constant."""
    text = str(value) if abs(value) < 1 << 31 else f"INT64_C({value})"
    return text if value >= 0 else f"({text})"


def c_mask(value: int) -> str:
    """A word as a C constant."""
    return f"UINT64_C({value:#x})"


def c_array(kind: str, name: str, values: Iterable[int]) -> str:
    """A constant array of natural numbers, which are not none."""
    return f"static const {kind} {name}[] = {{{', '.join(map(_entry, values))}}};"


def _entry(value: int) -> str:
    return f"{value}u" if value < 1 << 31 else c_mask(value)


def indented(lines: Iterable[str], depth: int) -> str:
    """Lines of C, each as deep as the braces that are open; a line opens a block with its last sign only."""
    text: list[str] = []
    for line in lines:
        depth -= line.startswith("}")
        text.append(f"{'    ' * depth}{line}" if line else "")
        depth += line.endswith("{")
    return "\n".join(text)
