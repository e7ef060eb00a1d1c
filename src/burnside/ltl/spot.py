"""Translation by Spot [DuretLutzEtAl22], where the ``spot`` extra is installed: smaller automata for hard formulas."""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Mapping
from typing import Any

from burnside.ltl.automaton import Automaton, Edge
from burnside.ltl.formula import Formula


def is_installed() -> bool:
    """Whether Spot can be used."""
    return importlib.util.find_spec("spot") is not None


def translate_by_spot(formula: Formula) -> Automaton:
    """The same as `translate`, by Spot."""
    spot = load_spot()
    names = {name: f"p{k}" for k, name in enumerate(sorted(formula.atoms))}
    found = spot.translate(spot_text(formula, names), "GeneralizedBuchi", "Small", "High")
    back = {short: name for name, short in names.items()}
    start = found.get_init_state_number()
    number = {start: 0} | {q: k for k, q in enumerate((q for q in range(found.num_states()) if q != start), start=1)}
    rows: list[tuple[Edge, ...]] = [()] * found.num_states()
    for q in range(found.num_states()):
        rows[number[q]] = tuple(
            Edge(required, forbidden, number[edge.dst], frozenset(edge.acc.sets()))
            for edge in found.out(q)
            for required, forbidden in _cubes(spot.bdd_format_formula(found.get_dict(), edge.cond), back)
        )
    return Automaton(tuple(rows), found.num_sets())


def load_spot() -> Any:
    """Spot's own module."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its modules warn while they are loaded, and crash if a warning is an error
        import spot
    return spot


def spot_text(formula: Formula, names: Mapping[str, str]) -> str:
    """A formula as Spot reads it, its atoms renamed."""
    args = [f"({spot_text(a, names)})" for a in formula.args]
    match formula.operator:
        case "true" | "false":
            return {"true": "1", "false": "0"}[formula.operator]
        case "atom" | "not":
            return ("!" if formula.operator == "not" else "") + names[formula.atom]
        case "next":
            return f"X {args[0]}"
        case operator:
            return {"and": " & ", "or": " | ", "until": " U ", "release": " R "}[operator].join(args)


def _cubes(text: str, names: Mapping[str, str]) -> list[tuple[frozenset[str], frozenset[str]]]:
    """A condition in disjunctive normal form, as Spot writes it: ``(p0 & !p1) | p2``."""
    if text == "1":
        return [(frozenset(), frozenset())]
    cubes: list[tuple[frozenset[str], frozenset[str]]] = []
    for part in text.split(" | "):
        literals: Any = part.strip("()").split(" & ")
        required = frozenset(names[x] for x in literals if not x.startswith("!"))
        cubes.append((required, frozenset(names[x[1:]] for x in literals if x.startswith("!"))))
    return cubes
