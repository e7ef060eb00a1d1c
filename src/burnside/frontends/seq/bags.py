"""Bags of ``.seq``: counts of every value they could hold, and how many values are in them.

Counts have no order, so that renaming processes or data moves cells and nothing else; a sorted list would have to be
sorted again. The number of values in a bag follows from the counts. It is kept, since to add them up again would need
all of them in every rule that sends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from burnside.frontends.seq.places import Place
from burnside.frontends.seq.types import SIZE, BagType, flat, written_as
from burnside.ir import nodes as n
from burnside.ir.build import conjunction
from burnside.ir.instances import own_event
from burnside.ir.nodes import Bound, Const, Domain, Expr, Parameter, Rule, Stmt
from burnside.ir.wholes import Subject
from burnside.source import Span


def sent(place: Place, parts: Sequence[Expr], span: Span) -> tuple[Stmt, ...]:
    """One more value in a bag; a full bag is a fault."""
    assert isinstance(place.type, BagType)
    most = place.type.most
    size = n.Read(place.name + SIZE, place.indices, span)
    full = f"'{place.text}' is full: it holds {most}"
    about = _about(place, parts, f" is full: it holds {most}, ", " does not fit")
    room = n.Assert(n.Binary("<", size, Const(most), span), full, span, about=about)
    return (room, *_changed(place, parts, "+", span))


def removed(place: Place, parts: Sequence[Expr], span: Span) -> tuple[Stmt, ...]:
    """One value less in a bag; one that is not there is a fault."""
    count = n.Read(place.name, (*place.indices, *parts), span)
    about = _about(place, parts, " does not hold ", "")
    there = n.Assert(n.Binary(">", count, Const(0), span), f"'{place.text}' does not hold this", span, about=about)
    return (there, *_changed(place, parts, "-", span))


def _about(place: Place, parts: Sequence[Expr], before: str, behind: str) -> Subject:
    """A bag and what is put into it or taken from it, with what is said between and behind them."""
    assert isinstance(place.type, BagType)
    written = (*(None for _ in place.indices), *written_as(place.type.element, ""))
    first, *others = place.words
    said = [f"'{first}"]
    for word in others:
        said[-1] += "["
        said.append(f"]{word}")
    said[-1] += f"'{before}"
    return Subject((*place.indices, *parts), written, (*said, behind))


def received(place: Place, parts: Sequence[Expr], span: Span) -> tuple[Stmt, ...]:
    """The same if it is known to be there."""
    return _changed(place, parts, "-", span)


def _changed(place: Place, parts: Sequence[Expr], sign: str, span: Span) -> tuple[Stmt, ...]:
    count = n.Read(place.name, (*place.indices, *parts), span)
    size = n.Read(place.name + SIZE, place.indices, span)
    # The count first: its indices may ask how many values there are.
    return tuple(n.Assign(cell, n.Binary(sign, cell, Const(1), span), span) for cell in (count, size))


def rules_of_bag(name: str, dimensions: Sequence[Domain], kind: BagType, span: Span) -> Iterator[Rule]:
    """What happens to values in a bag by itself: loss and duplication."""
    # No text can have the names of these parameters as names of variables.
    places = [(f"{name}[{k}]", d) for k, d in enumerate(dimensions)]
    values = [(f"{name}.it{path}", d) for path, d in flat(kind.element)]
    begins = (*(None for _ in places), *written_as(kind.element, f"{name}.it"))
    parameters = tuple(Parameter(p, d, span, b) for (p, d), b in zip((*places, *values), begins, strict=True))
    bound = [Bound(p.name, p.domain, span) for p in parameters]
    place = Place(name, kind, tuple(bound[: len(places)]), words=(name,), span=span)
    parts = bound[len(places) :]
    there = n.Binary(">", n.Read(name, tuple(bound), span), Const(0), span)
    room = n.Binary("<", n.Read(name + SIZE, place.indices, span), Const(kind.most), span)
    if kind.is_lossy:
        yield _rule(f"{name}.lose", parameters, there, _changed(place, parts, "-", span), span)
    if kind.duplicates:
        guard = conjunction((there, room), span)
        yield _rule(f"{name}.duplicate", parameters, guard, _changed(place, parts, "+", span), span)


def _rule(name: str, parameters: tuple[Parameter, ...], guard: Expr, body: tuple[Stmt, ...], span: Span) -> Rule:
    event = own_event(name, parameters)
    # Nobody acts: no fairness makes a network lose something.
    return Rule(name, parameters, guard, event, body, span, actors=())
