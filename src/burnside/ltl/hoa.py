"""Automata as text in the Hanoi format, which other tools for omega-automata read [BabiakEtAl15]."""

from __future__ import annotations

from burnside.ltl.automaton import Automaton, Edge


def hoa_text(automaton: Automaton, name: str = "") -> str:
    """The automaton in the Hanoi omega-automata format, with acceptance on edges."""
    atoms = sorted(automaton.atoms)
    sets = " & ".join(f"Inf({k})" for k in range(automaton.sets)) or "t"
    lines = [
        "HOA: v1",
        *([f"name: {_quoted(name)}"] if name else []),
        f"States: {len(automaton)}",
        "Start: 0",
        " ".join([f"AP: {len(atoms)}", *map(_quoted, atoms)]),
        f"Acceptance: {automaton.sets} {sets}",
        "properties: trans-labels explicit-labels trans-acc",
        "--BODY--",
    ]
    for state, edges in enumerate(automaton.edges):
        lines.append(f"State: {state}")
        lines += [_edge(edge, {atom: k for k, atom in enumerate(atoms)}) for edge in edges]
    return "\n".join([*lines, "--END--"]) + "\n"


def _edge(edge: Edge, numbers: dict[str, int]) -> str:
    literals = [(numbers[a], f"{numbers[a]}") for a in edge.required]
    literals += [(numbers[a], f"!{numbers[a]}") for a in edge.forbidden]
    label = " & ".join(text for _, text in sorted(literals)) or "t"
    marks = f" {{{' '.join(map(str, sorted(edge.marks)))}}}" if edge.marks else ""
    return f"  [{label}] {edge.target}{marks}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{escaped}"'
