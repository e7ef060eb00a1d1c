"""Random nets with colours, written out here by brute force; shares no code with Burnside.

An inscription is a list of tuples of atoms, each with a number; an atom is a variable with a shift, a constant, or all.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from nets.judge import Judged, Step, explored
from nets.texts import GRAMMAR

Colour = tuple[int, ...]
Atom = tuple[str, str, int]  # "variable", its name, a shift; "constant", "", a number; "all", "", 0
Inscription = list[tuple[int, list[Atom]]]
Guard = tuple[str, Atom, Atom]  # an operator and two atoms

SIZES = {"A": 3, "B": 2}
VARIABLES = {"x": "A", "y": "A", "u": "B"}
COMPARISONS = {"equality": "==", "inequality": "!=", "lessthan": "<", "greaterthanorequal": ">="}


@dataclass(frozen=True)
class Place:
    """A place with the sorts of the parts of its colours; none for plain tokens."""

    name: str
    sorts: tuple[str, ...]
    marking: Inscription


@dataclass(frozen=True)
class Transition:
    """A transition: what it takes and puts, and what it asks of its variables."""

    name: str
    takes: list[tuple[int, Inscription]]
    puts: list[tuple[int, Inscription]]
    guards: list[Guard]


def random_net(chance: random.Random) -> tuple[str, Judged]:
    """A text with colours, and what it means."""
    while True:
        places = [
            Place(f"P{k}", sorts, _marking(chance, sorts))
            for k, sorts in enumerate(chance.choice(((), ("A",), ("B",), ("A", "B"), ("A", "A"))) for _ in range(4))
        ]
        transitions = [_transition(chance, places, f"T{k}") for k in range(chance.randint(1, 3))]
        net = _written_out(places, transitions)
        if net is not None:
            return _text(places, transitions), net


def _marking(chance: random.Random, sorts: tuple[str, ...]) -> Inscription:
    if chance.random() < 0.4:
        return []
    atoms: list[Atom] = [
        ("all", "", 0) if chance.random() < 0.5 else ("constant", "", chance.randrange(SIZES[sort])) for sort in sorts
    ]
    return [(chance.choice((1, 1, 2)), atoms)]


def _transition(chance: random.Random, places: list[Place], name: str) -> Transition:
    """One that moves a token at most, so that the net is bounded: what it puts anew goes round in one place."""
    source, target = chance.randrange(len(places)), chance.randrange(len(places))
    takes = [(source, [(1, _atoms(chance, places[source].sorts))])]
    puts = [(target, [(1, _atoms(chance, places[target].sorts))])]
    if chance.random() < 0.3:  # another that is needed, and comes back with another colour
        other = chance.randrange(len(places))
        takes.append((other, [(1, _atoms(chance, places[other].sorts))]))
        puts.append((other, [(1, _atoms(chance, places[other].sorts))]))
    if chance.random() < 0.2:
        gone = chance.randrange(len(places))
        every: list[Atom] = [("all", "", 0) for _ in places[gone].sorts]
        takes.append((gone, [(1, every)]))
    guards: list[Guard] = []
    if chance.random() < 0.5:
        sort = chance.choice("AB")
        guards.append((chance.choice([*COMPARISONS]), _atom(chance, sort), _atom(chance, sort)))
    return Transition(name, takes, puts, guards)


def _atoms(chance: random.Random, sorts: tuple[str, ...]) -> list[Atom]:
    return [_atom(chance, sort) for sort in sorts]


def _atom(chance: random.Random, sort: str) -> Atom:
    if chance.random() < 0.15:
        return "constant", "", chance.randrange(SIZES[sort])
    name = chance.choice([v for v, s in VARIABLES.items() if s == sort])
    return "variable", name, chance.choice((0, 0, 0, 1, -1))


# ---------------------------------------------------------------- what it means


def _written_out(places: list[Place], transitions: list[Transition]) -> Judged | None:
    cells = [(k, c) for k, p in enumerate(places) for c in product(*(range(SIZES[s]) for s in p.sorts))]
    number = {cell: n for n, cell in enumerate(cells)}
    marking = [0] * len(cells)
    for k, place in enumerate(places):
        for colour, count in _worth(place.marking, place.sorts, {}):
            marking[number[k, colour]] += count
    steps = []
    for transition in transitions:
        used = sorted(_variables(transition))
        for values in product(*(range(SIZES[VARIABLES[v]]) for v in used)):
            binding = dict(zip(used, values, strict=True))
            if all(_holds(guard, binding) for guard in transition.guards):
                flows: list[dict[int, int]] = [{}, {}]
                for flow, arcs in zip(flows, (transition.takes, transition.puts), strict=True):
                    for k, inscription in arcs:
                        for colour, count in _worth(inscription, places[k].sorts, binding):
                            flow[number[k, colour]] = flow.get(number[k, colour], 0) + count
                steps.append(Step(f"{transition.name}{values}", *flows))
    return explored(tuple(marking), tuple(steps), 2_000)


def _variables(transition: Transition) -> set[str]:
    atoms = [a for _, i in (*transition.takes, *transition.puts) for _, atoms in i for a in atoms]
    atoms += [a for _, *both in transition.guards for a in both]
    return {name for kind, name, _ in atoms if kind == "variable"}


def _worth(inscription: Inscription, sorts: tuple[str, ...], binding: dict[str, int]) -> Iterator[tuple[Colour, int]]:
    for count, atoms in inscription:
        ranges = [_colours(atom, sort, binding) for atom, sort in zip(atoms, sorts, strict=True)]
        yield from ((colour, count) for colour in product(*ranges))


def _colours(atom: Atom, sort: str, binding: dict[str, int]) -> list[int]:
    kind, name, number = atom
    if kind == "all":
        return list(range(SIZES[sort]))
    return [number if kind == "constant" else (binding[name] + number) % SIZES[sort]]


def _holds(guard: Guard, binding: dict[str, int]) -> bool:
    operator, *both = guard
    sort = next((VARIABLES[name] for kind, name, _ in both if kind == "variable"), "A")
    (left,), (right,) = (_colours(atom, sort, binding) for atom in both)
    return {"==": left == right, "!=": left != right, "<": left < right, ">=": left >= right}[COMPARISONS[operator]]


# ---------------------------------------------------------------- texts


def _text(places: list[Place], transitions: list[Transition]) -> str:
    sorts = "".join(
        f'<namedsort id="{s}" name="{s}"><cyclicenumeration>'
        + "".join(f'<feconstant id="{s}{k}" name="{k}"/>' for k in range(size))
        + "</cyclicenumeration></namedsort>"
        for s, size in SIZES.items()
    )
    sorts += '<namedsort id="dot" name="Dot"><dot/></namedsort>'
    sorts += "".join(
        f'<variabledecl id="v{v}" name="{v}"><usersort declaration="{s}"/></variabledecl>' for v, s in VARIABLES.items()
    )
    nodes = "".join(
        f'<place id="{p.name}"><type><structure>{_sort(p.sorts)}</structure></type>'
        + (_structure("hlinitialMarking", _bag(p.marking, p.sorts)) if p.marking else "")
        + "</place>"
        for p in places
    )
    for transition in transitions:
        nodes += f'<transition id="{transition.name}">'
        if transition.guards:
            nodes += _structure("condition", _conjunction([_comparison(guard) for guard in transition.guards]))
        nodes += "</transition>"
        for arcs, is_input in ((transition.takes, True), (transition.puts, False)):
            for n, (k, inscription) in enumerate(arcs):
                ends = (places[k].name, transition.name) if is_input else (transition.name, places[k].name)
                nodes += f'<arc id="{transition.name}{n}{is_input}" source="{ends[0]}" target="{ends[1]}">'
                nodes += _structure("hlinscription", _bag(inscription, places[k].sorts)) + "</arc>"
    return (
        f'<pnml><net id="n" type="{GRAMMAR}/symmetricnet"><page id="p">{nodes}</page>'
        f"<declaration><structure><declarations>{sorts}</declarations></structure></declaration></net></pnml>"
    )


def _structure(tag: str, inner: str) -> str:
    return f"<{tag}><structure>{inner}</structure></{tag}>"


def _sub(*parts: str) -> str:
    return "".join(f"<subterm>{part}</subterm>" for part in parts)


def _sort(sorts: tuple[str, ...]) -> str:
    inner = "".join(f'<usersort declaration="{s}"/>' for s in sorts or ("dot",))
    return inner if len(sorts) < 2 else f"<productsort>{inner}</productsort>"


def _bag(inscription: Inscription, sorts: tuple[str, ...]) -> str:
    terms = [f"<numberof>{_sub(_factor(count), _tuple(atoms, sorts))}</numberof>" for count, atoms in inscription]
    return terms[0] if len(terms) == 1 else f"<add>{_sub(*terms)}</add>"


def _factor(count: int) -> str:
    return f'<numberconstant value="{count}"><positive/></numberconstant>'


def _tuple(atoms: list[Atom], sorts: tuple[str, ...]) -> str:
    parts = [_written(atom, sort) for atom, sort in zip(atoms, sorts, strict=True)]
    if not parts:
        return "<dotconstant/>"
    return parts[0] if len(parts) == 1 else f"<tuple>{_sub(*parts)}</tuple>"


def _written(atom: Atom, sort: str) -> str:
    kind, name, number = atom
    if kind == "all":
        return f'<all><usersort declaration="{sort}"/></all>'
    if kind == "constant":
        return f'<useroperator declaration="{sort}{number}"/>'
    variable = f'<variable refvariable="v{name}"/>'
    shift = {0: "", 1: "successor", -1: "predecessor"}[number]
    return f"<{shift}>{_sub(variable)}</{shift}>" if shift else variable


def _comparison(guard: Guard) -> str:
    operator, *both = guard
    sort = next((VARIABLES[name] for kind, name, _ in both if kind == "variable"), "A")
    return f"<{operator}>{_sub(*(_written(atom, sort) for atom in both))}</{operator}>"


def _conjunction(conditions: list[str]) -> str:
    return conditions[0] if len(conditions) == 1 else f"<and>{_sub(*conditions)}</and>"
