"""The step rules of CSP#: what a term can do first, and what is then left.

The numbers of rules are those of ``docs/reference/cspsharp.md``. This module is their only place: static networks
join the steps of their components by the same function, `combine`, that joins the parts of a term.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import assert_never, final

from burnside.frontends.cspsharp.names.scope import Channel, Ground, in_order
from burnside.frontends.cspsharp.names.variables import slot_name
from burnside.frontends.cspsharp.unfold import terms
from burnside.frontends.cspsharp.unfold.elaborate import Elaborator
from burnside.frontends.cspsharp.unfold.side_by_side import Joint, Offer, S, combine
from burnside.frontends.cspsharp.unfold.terms import EVENT, SILENT, TAU, TERMINATION, Action, EventKey, Step, Term
from burnside.frontends.cspsharp.unfold.terms import Sequence as Sequential
from burnside.ir.build import comparison, conjunction, disjunction, negation, within
from burnside.ir.nodes import FALSE, Assert, Const, Expr, Item, Length, Pop, Push

# ---------------------------------------------------------------- terms


@final
class Rules:
    """The steps of terms."""

    def __init__(self, elaborator: Elaborator) -> None:
        self._elaborator = elaborator
        self._resume = elaborator.unfold
        self.sent: dict[str, dict[tuple[Expr, ...], None]] = {}
        self._known: dict[Term, tuple[Step, ...]] = {}

    def steps(self, term: Term) -> tuple[Step, ...]:
        """The steps of a term in which no call can act, without those that never can happen."""
        if term not in self._known:
            self._known[term] = _distinct(s for s in self._steps(term) if s.guard != FALSE)
        return self._known[term]

    def _steps(self, term: Term) -> Iterator[Step]:
        match term:
            case terms.Stop() | terms.Done():
                return
            case terms.Skip():  # rule 6
                yield Step(Action(TERMINATION, self._elaborator.scope.end), terms.Done())
            case terms.Prefix(name=name, arguments=arguments, body=body, next=next, span=span):  # rules 1 and 2
                kind = SILENT if name == TAU else EVENT if body is None else terms.OPERATION
                yield Step(Action(kind, name, arguments, body or (), span), self._resume(next))
            case terms.Output():
                yield from self._outside(term)
                yield self._send(term)
            case terms.Input():
                yield from self._outside(term)
                yield from self._receive(term)
            case Sequential(first=first, second=second):  # rule 6
                for step in self.steps(first):
                    if step.action.kind == TERMINATION:
                        yield replace(step, action=Action(SILENT, TAU), next=self._resume(second))
                    else:
                        yield replace(step, next=self._resume(Sequential(step.next, second)))
            case terms.Choice():  # rule 5
                yield from self._choose(term)
            case terms.Guard(condition=condition, body=body):  # rule 4
                yield from self._under(condition, body)
            case terms.Test():  # rule 4
                yield from self._test(term)
            case terms.Interleave(parts=parts):  # rules 2 and 3
                for moves, step in _joined(combine([self.steps(p) for p in parts], None)):
                    yield replace(step, next=_tick_or(step, terms.Interleave(_moved(parts, moves))))
            case terms.Parallel(parts=parts, alphabets=alphabets):
                offers = self.name_events([self.steps(p) for p in parts], alphabets)
                for moves, step in _joined(combine(offers, alphabets)):
                    yield replace(step, next=_tick_or(step, terms.Parallel(_moved(parts, moves), alphabets)))
            case terms.Interrupt():  # rule 7
                yield from self._interrupt(term)
            case terms.Hide(body=body, events=events):
                for step in self.hide(self.steps(body), events):
                    yield replace(step, next=_tick_or(step, self._resume(terms.Hide(step.next, events))))
            case terms.Atomic(body=body, has_begun=has_begun):  # rule 8
                for step in self.steps(body):
                    rest = _tick_or(step, terms.atomic(step.next, has_begun=True))
                    yield replace(step, next=rest, is_urgent=has_begun or step.is_urgent)
            case terms.Call() | terms.LateCall():
                raise AssertionError("a call that can act was not unfolded")
            case _:
                assert_never(term)

    # ------------------------------------------------------------ events with variables among their arguments

    def name_events(
        self, offers: Sequence[Sequence[S]], alphabets: Sequence[frozenset[EventKey]]
    ) -> list[tuple[S, ...]]:
        """The steps of parts of ``||``, their events told apart by value as far as their alphabets hold them."""
        self._warn_of_programs(offers, alphabets)
        pairs = zip(offers, alphabets, strict=True)
        return [tuple(s for step in steps for s in self._named(step, alphabet)) for steps, alphabet in pairs]

    def _named(self, step: S, alphabet: frozenset[EventKey]) -> Iterator[S]:
        action = step.action
        if action.kind != EVENT or terms.key_of(action) is not None:
            yield step
            return
        rows = _rows_of(action, alphabet)
        for values in rows:
            guard = conjunction((step.guard, self._are(action.arguments, values)))
            yield replace(step, action=replace(action, arguments=values), guard=guard)  # type: ignore[type-var]
        possible = self._elaborator.alphabets.possible_values(action.arguments)
        if possible is None or not possible <= set(rows):  # an event outside the alphabet of its part is done alone
            outside = negation(self._are_one_of(action.arguments, rows))
            yield replace(step, guard=conjunction((step.guard, outside)))  # type: ignore[type-var]

    def hide(self, steps: Sequence[S], events: frozenset[EventKey]) -> Iterator[S]:
        """Steps with some events turned into tau; one with unknown arguments is hidden where they are those."""
        for step in steps:
            action = step.action
            if action.kind not in (EVENT, terms.OPERATION):
                yield step
            elif (key := terms.key_of(action)) is not None:
                yield _silenced(step, step.guard) if key in events else step
            else:
                is_hidden = self._are_one_of(action.arguments, _rows_of(action, events))
                if is_hidden != FALSE:
                    yield _silenced(step, conjunction((step.guard, is_hidden)))
                yield replace(step, guard=conjunction((step.guard, negation(is_hidden))))  # type: ignore[type-var]

    def _are_one_of(self, arguments: tuple[Expr, ...], rows: Sequence[tuple[Ground, ...]]) -> Expr:
        return disjunction(self._are(arguments, values) for values in rows)

    def _are(self, arguments: tuple[Expr, ...], values: tuple[Ground, ...]) -> Expr:
        return conjunction(comparison("==", a, v) for a, v in zip(arguments, values, strict=True))

    def _warn_of_programs(self, offers: Sequence[Sequence[Offer]], alphabets: Sequence[frozenset[EventKey]]) -> None:
        """Report events of ``||`` that would synchronise had they no program."""
        names = {name for alphabet in alphabets for name, _ in alphabet}
        for k, steps in enumerate(offers):
            for action in dict.fromkeys(s.action for s in steps if s.action.name in names):
                if action.kind == terms.OPERATION and any(
                    _rows_of(action, a) for j, a in enumerate(alphabets) if j != k
                ):
                    self._elaborator.warn_of_program(action.name, action.span)

    # ------------------------------------------------------------ choices and tests

    def _under(self, condition: Expr, body: Term) -> Iterator[Step]:
        if condition != FALSE:
            for step in self.steps(body):
                yield replace(step, guard=conjunction((condition, step.guard)))

    def _choose(self, term: terms.Choice) -> Iterator[Step]:
        for k, branch in enumerate(term.branches):
            if term.operator == "<>":
                yield Step(Action(SILENT, TAU), self._resume(branch))
                continue
            for step in self.steps(branch):
                if term.operator == "[*]" and not step.action.is_visible:
                    branches = (*term.branches[:k], step.next, *term.branches[k + 1 :])
                    yield replace(step, next=terms.Choice("[*]", branches))
                else:
                    yield step

    def _test(self, term: terms.Test) -> Iterator[Step]:
        failed: list[Expr] = []
        for condition, branch in term.branches:
            chosen = conjunction((*failed, condition))
            if term.costs_step:
                yield Step(Action(SILENT, TAU), self._resume(branch), chosen)
            else:
                yield from self._under(chosen, branch)
            failed.append(negation(condition))

    def _interrupt(self, term: terms.Interrupt) -> Iterator[Step]:
        for step in self.steps(term.body):
            yield replace(step, next=_tick_or(step, terms.Interrupt(step.next, term.by)))
        for step in self.steps(term.by):
            yield step if step.action.is_visible else replace(step, next=terms.Interrupt(term.body, step.next))

    # ------------------------------------------------------------ channels (rule 3)

    def _channel(self, name: str) -> Channel:
        return self._elaborator.scope.channels[name]

    def _outside(self, term: terms.Output | terms.Input) -> Iterator[Step]:
        """A step that faults where the index of a rendezvous means no channel: there is no buffer to look for it in."""
        channel = self._channel(term.channel)
        if channel.capacity or channel.size is None:
            return
        last = channel.size - 1
        possible = self._elaborator.alphabets.possible_values(term.indices)
        if possible is None or not all(0 <= index.value <= last for (index,) in possible):
            (index,) = term.indices
            inside = within(index, 0, last)
            fault = Assert(FALSE, f"the index of '{channel.name}' is outside 0..{last}", term.span)
            yield Step(Action(SILENT, TAU, (), (fault,), term.span), terms.Stop(), negation(inside))

    def _send(self, term: terms.Output) -> Step:
        channel = self._channel(term.channel)
        self.sent.setdefault(term.channel, {})[term.values] = None
        if channel.capacity == 0:
            action = Action(terms.SEND, term.channel, (*term.indices, *term.values), term.body, term.span)
            return Step(action, self._resume(term.next))
        slots = [slot_name(channel, k) for k in range(len(term.values))]
        has_room = comparison("<", Length(slots[0], term.indices, term.span), Const(channel.capacity), term.span)
        # Tests of a channel look at its first slot: that changes last, so that all parts of a message see one state.
        pushes = [Push(s, term.indices, v, term.span) for s, v in zip(slots, term.values, strict=True)][::-1]
        action = Action(
            terms.OPERATION, f"{term.channel}!", (*term.indices, *term.values), (*pushes, *term.body), term.span
        )
        return Step(action, self._resume(term.next), has_room)

    def _receive(self, term: terms.Input) -> Iterator[Step]:
        channel = self._channel(term.channel)
        for message in self._elaborator.messages(term.channel):
            patterns = zip(term.patterns, message, strict=True)
            fits = [comparison("==", p, v, p.span) for p, v in patterns if not isinstance(p, str)]
            if FALSE in fits:
                continue
            condition, env = self._elaborator.received(term, message)
            body = self._elaborator.ground.program(term.program, env)
            rest = self._resume(self._elaborator.term(term.next, env))
            arguments = (*term.indices, *message)
            if channel.capacity == 0:
                action = Action(terms.RECEIVE, term.channel, arguments, body, term.span)
                yield Step(action, rest, conjunction((*fits, condition)))
                continue
            slots = [slot_name(channel, k) for k in range(len(message))]
            waiting = comparison(">", Length(slots[0], term.indices, term.span), Const(0), term.span)
            items = [Item(s, term.indices, Const(0), term.span) for s in slots]
            heads = [comparison("==", i, v, term.span) for i, v in zip(items, message, strict=True)]
            pops = [Pop(s, term.indices, term.span) for s in reversed(slots)]
            action = Action(terms.OPERATION, f"{term.channel}?", arguments, (*pops, *body), term.span)
            yield Step(action, rest, conjunction((waiting, *heads, *fits, condition)))


def _distinct(steps: Iterable[Step]) -> tuple[Step, ...]:
    """Each step once. Whoever could do it takes part: a run can let them do it in turn."""
    found: dict[Step, Step] = {}
    for step in steps:
        known = found.get(step)
        found[step] = step if known is None else replace(known, movers=known.movers | step.movers)
    return tuple(found.values())


def _moved(parts: tuple[Term, ...], moves: dict[int, Step]) -> tuple[Term, ...]:
    return tuple(moves[k].next if k in moves else part for k, part in enumerate(parts))


def _tick_or(step: Step, next: Term) -> Term:
    return terms.Done() if step.action.kind == TERMINATION else next


def _joined(joints: Iterator[Joint[Step]]) -> Iterator[tuple[dict[int, Step], Step]]:
    for joint in joints:
        movers = frozenset((k, *path) for k, step in joint.moves for path in step.movers)
        yield dict(joint.moves), Step(joint.action, terms.Done(), joint.guard, joint.is_urgent, movers)


def _rows_of(action: Action, events: frozenset[EventKey]) -> list[tuple[Ground, ...]]:
    """The values with which some events have the name, the number of arguments and the known arguments of an action."""

    def fits(values: tuple[Ground, ...]) -> bool:
        pairs = zip(action.arguments, values, strict=True)
        return all(not isinstance(a, Const) or a == v for a, v in pairs)

    named = (values for name, values in events if name == action.name)
    return in_order(values for values in named if len(values) == len(action.arguments) and fits(values))


def _silenced(step: S, guard: Expr) -> S:
    action = replace(step.action, kind=SILENT, name=TAU, arguments=())
    return replace(step, action=action, guard=guard)  # type: ignore[type-var]
