"""Control variables: components of one definition share an array, indexed by what tells them apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import final

from burnside.frontends.cspsharp.names.scope import text_of
from burnside.frontends.cspsharp.unfold.network import Component, label_of
from burnside.frontends.cspsharp.unfold.terms import Path
from burnside.ir.build import comparison
from burnside.ir.nodes import TRUE, Actor, Const, Domain, Expr, Read, Variable
from burnside.values import dataclass


@final
@dataclass(frozen=True, slots=True)
class Family:
    """Components of one definition. ``kept`` are the positions of the arguments that index them."""

    name: str
    members: tuple[Component, ...]
    dimensions: tuple[Domain, ...]
    kept: tuple[int, ...]
    variable: str
    points: Domain

    @property
    def is_constant(self) -> bool:
        """Whether no member has more than one control point, so that no variable is needed."""
        return self.points.size == 1

    def indices_of(self, component: Component) -> tuple[int, ...]:
        """Where the control point of a member is kept."""
        if not self.dimensions:
            return ()
        if self.kept:
            return tuple(component.arguments[k].value for k in self.kept)
        return (next(k for k, m in enumerate(self.members) if m is component),)

    def read(self, component: Component) -> Read:
        """The control variable of a member."""
        pairs = zip(self.indices_of(component), self.dimensions, strict=True)
        return Read(self.variable, tuple(Const(i, d if d.is_enumeration else None) for i, d in pairs))

    def at(self, component: Component, point: int) -> Expr:
        """Whether a member is at a control point."""
        if self.is_constant:
            return TRUE
        return comparison("==", self.read(component), Const(point, self.points))

    def actor(self, component: Component, part: Path) -> Actor:
        """Who acts if a part of a member does; the names of different members differ."""
        kind = f"part {'.'.join(map(str, part))} of {self.name}" if part else self.name
        if not self.dimensions:
            return Actor(kind)
        if len(self.dimensions) == 1 and not self.dimensions[0].labels:
            return Actor(kind, Const(self.indices_of(component)[0]))
        return Actor(f"{kind}({', '.join(map(text_of, component.arguments))})")

    def declaration(self) -> Variable:
        """The control variable: every member begins at its first point."""
        initial = (0,) * prod(d.size for d in self.dimensions)
        return Variable(self.variable, self.dimensions, self.points, None, initial)


def group_components(components: Sequence[Component], taken: Iterable[str]) -> list[Family]:
    """Families in the order of their first members; ``taken`` are names that variables already have."""
    used = set(taken)
    groups: dict[str, list[Component]] = {}
    for component in components:
        groups.setdefault(component.name, []).append(component)
    shapes = []
    for name, members in groups.items():
        dimensions, kept = _dimensions(name, members, used)
        shapes.append((name, members, dimensions, kept, _fresh(f"at_{name}", used), _fresh(f"{name}_point", used)))
    # Labels come last: they must differ from all names of variables and domains.
    return [
        Family(name, tuple(members), dimensions, kept, variable, _points(points, members, used))
        for name, members, dimensions, kept, variable, points in shapes
    ]


def _fresh(name: str, used: set[str]) -> str:
    while name in used:
        name += "_"
    used.add(name)
    return name


def _dimensions(
    family: str, members: Sequence[Component], used: set[str]
) -> tuple[tuple[Domain, ...], tuple[int, ...]]:
    """One dimension for each argument that varies, if all combinations occur once; else one of their own."""
    name = _fresh(family, used)
    if len(members) == 1:
        return (), ()
    rows = [m.arguments for m in members]
    # A member whose arguments depend on the state has none that tell it apart.
    arity = min(map(len, rows))
    varying = [k for k in range(arity) if arity == max(map(len, rows)) and len({r[k] for r in rows}) > 1]
    values = [sorted({r[k].value for r in rows}) for k in varying]
    numbers = {tuple(r[k].value for k in varying) for r in rows}
    if varying and len(numbers) == len(rows) == prod(map(len, values)) and all(map(_is_range, values)):
        names = [name] if len(varying) == 1 else [_fresh(f"{name}{k + 1}", used) for k in range(len(varying))]
        domains = tuple(Domain(n, v[0], v[-1], (), n) for n, v in zip(names, values, strict=True))
        return domains, tuple(varying)
    if len(set(rows)) < len(rows) or not varying:
        return (Domain(name, 0, len(rows) - 1, (), name),), ()
    labels = tuple("_".join(text_of(r[k]) for k in varying) for r in rows)
    return (Domain(name, 0, len(rows) - 1, labels, name),), ()


def _is_range(values: Sequence[int]) -> bool:
    return values[-1] - values[0] + 1 == len(values)


def _points(name: str, members: Sequence[Component], used: set[str]) -> Domain:
    """The control points of a family, named after the first member that has each."""
    longest = max(members, key=lambda m: len(m.points))
    seen: dict[str, int] = {}
    labels: list[str] = []
    for k, point in enumerate(longest.points):
        member = next(m for m in members if len(m.points) > k)
        label = label_of(member.points[k] if member is not longest else point)
        seen[label] = seen.get(label, 0) + 1
        labels.append(label if seen[label] == 1 else f"{label}_{seen[label]}")
    labels = [f"{label}_" if label in used else label for label in labels]
    if len(set(labels)) < len(labels) or used & set(labels):  # an event is itself called like 'get_2'
        labels = [f"{label}.{k}" for k, label in enumerate(labels)]
    return Domain(name, 0, len(labels) - 1, tuple(labels))
