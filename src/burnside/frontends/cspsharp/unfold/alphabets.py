"""Alphabets: the plain events that a process could ever do, as it is written (rule 2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, final

from burnside.frontends.cspsharp.names.scope import Ground, constant, in_order, names_in
from burnside.frontends.cspsharp.names.variables import is_truth
from burnside.frontends.cspsharp.read.syntax import EventSet, Range
from burnside.frontends.cspsharp.unfold import terms
from burnside.frontends.cspsharp.unfold.ground import WIDE
from burnside.frontends.cspsharp.unfold.images import images
from burnside.frontends.cspsharp.unfold.terms import TAU, EventKey, Term
from burnside.frontends.cspsharp.unfold.terms import Sequence as Sequential
from burnside.ir.nodes import FALSE, TRUE, Bound, Expr
from burnside.ir.uses import free_names

if TYPE_CHECKING:
    from burnside.frontends.cspsharp.unfold.elaborate import Elaborator

MOST_CALLS: Final = 20_000


@final
class Alphabets:
    """Finds alphabets, each once for the messages that are known."""

    def __init__(self, elaborator: Elaborator) -> None:
        self._elaborator = elaborator
        self._scope = elaborator.scope
        self._known: dict[Term, frozenset[EventKey]] = {}
        self._possible: dict[tuple[Expr, ...], frozenset[tuple[Ground, ...]] | None] = {}

    def forget(self) -> None:
        """Begin again: which messages there are has changed."""
        self._known.clear()

    def of(self, term: Term) -> frozenset[EventKey]:
        """The plain events that a process can ever do, or what ``#alphabet`` says."""
        if term not in self._known:
            self._known[term] = frozenset(self._collect(term))
        return self._known[term]

    def _collect(self, term: Term) -> set[EventKey]:
        found: set[EventKey] = set()
        hidden: frozenset[EventKey] = frozenset()
        pending: list[tuple[Term, frozenset[EventKey]]] = [(term, hidden)]
        seen: set[tuple[Term, frozenset[EventKey]]] = set()
        while pending:
            entry = pending.pop()
            if entry in seen:
                continue
            seen.add(entry)
            if len(seen) > MOST_CALLS:
                raise self._scope.stop(
                    "BUR214", f"the alphabet of this process needs more than {MOST_CALLS:,} calls", terms.span_of(term)
                )
            at, hidden = entry
            if isinstance(at, terms.Call) and at.name in self._scope.alphabets:
                definition = self._scope.definitions[at.name]
                env = dict(zip(definition.parameters, at.arguments, strict=True))
                found |= {*self._elaborator.event_keys(self._scope.alphabets[at.name].events, env)} - hidden
                continue
            if (
                isinstance(at, terms.Prefix)
                and at.body is None
                and at.name != TAU
                and not any(map(free_names, at.arguments))
            ):
                found |= {(at.name, values) for values in self._images(at)} - hidden
            inner = hidden | at.events if isinstance(at, terms.Hide) else hidden
            pending += [(part, inner) for part in self.inside(at)]
        return found

    def possible_values(self, arguments: tuple[Expr, ...]) -> frozenset[tuple[Ground, ...]] | None:
        """The values that arguments have together for values in declared ranges; None if these are not all known."""
        if arguments not in self._possible:
            rows = images(arguments, self._scope)
            self._possible[arguments] = None if rows is None else frozenset(self._typed(arguments, r) for r in rows)
        return self._possible[arguments]

    def _images(self, term: terms.Prefix | terms.LateCall) -> frozenset[tuple[Ground, ...]]:
        """The values that arguments may have, as the ranges of variables are declared."""
        found = self.possible_values(term.arguments)
        if found is None:
            what = "event" if isinstance(term, terms.Prefix) else "process"
            raise self._scope.stop(
                "BUR218",
                f"the alphabet is not known: {what} '{term.name}' has a variable without a declared range as argument",
                term.span,
                help="declare a range such as 'var x:{0..3};', or write the alphabet with '#alphabet'",
            )
        return found

    def inside(self, term: Term) -> Iterable[Term]:
        """What a term may become, and its parts."""
        match term:
            case terms.Prefix(next=next) | terms.Output(next=next):
                return (next,)
            case terms.Input():
                return self._after_input(term)
            case Sequential(first=first, second=second):
                return (first, second)
            case terms.Choice(branches=parts) | terms.Interleave(parts=parts) | terms.Parallel(parts=parts):
                return parts
            case terms.Guard(condition=condition, body=body):
                return () if condition == FALSE else (body,)
            case terms.Hide(body=body) | terms.Atomic(body=body):
                return (body,)
            case terms.Test(branches=branches):
                return (branch for _, branch in live_branches(branches))
            case terms.Interrupt(body=body, by=by):
                return (body, by)
            case terms.Call():
                return (self._elaborator.body(term),)
            case terms.LateCall(name=name, arguments=arguments, span=span) if not any(map(free_names, arguments)):
                return [terms.Call(name, row, span) for row in in_order(self._images(term))]
            case _:
                return ()

    def _after_input(self, term: terms.Input) -> Iterator[Term]:
        """What may follow an input: whatever is received, and for each message that is known.

        Events that do not depend on the message are in an alphabet even if no message ever comes.
        """
        binders = {p for p in term.patterns if isinstance(p, str)}
        if not binders & _names_of_sets(term.next):
            anything = {name: Bound(name, WIDE) for name in binders}
            yield self._elaborator.term(term.next, {**dict(term.closure), **anything})
        if binders & names_in(term.next):
            for message in self._elaborator.messages(term.channel):
                yield self._elaborator.term(term.next, self._elaborator.received(term, message)[1])

    def _typed(self, arguments: Sequence[Expr], values: Sequence[int]) -> tuple[Ground, ...]:
        pairs = zip(arguments, values, strict=True)
        return tuple(constant(bool(v) if is_truth(a, self._scope) else v) for a, v in pairs)


def _names_of_sets(node: object) -> frozenset[str]:
    """Every name in a range or in a set of events, where only constants can stand."""
    if isinstance(node, Range | EventSet):
        return names_in(node)
    if isinstance(node, tuple):
        return frozenset().union(*map(_names_of_sets, node))
    fields = [f for f in getattr(node, "__dataclass_fields__", ()) if f != "span"]
    return frozenset().union(*(_names_of_sets(getattr(node, f)) for f in fields))


def live_branches(branches: Iterable[tuple[Expr, Term]]) -> Iterator[tuple[Expr, Term]]:
    """The branches of a test that parameters do not rule out."""
    for condition, branch in branches:
        if condition != FALSE:
            yield condition, branch
        if condition == TRUE:
            return
