"""From syntax to terms: parameters become values, names of processes that can act become what they stand for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Final, assert_never, final

from burnside.frontends.cspsharp.names.scope import Channel, Ground, Scope, Unusable, names_in
from burnside.frontends.cspsharp.read import syntax
from burnside.frontends.cspsharp.read.syntax import Expression, Name, Process
from burnside.frontends.cspsharp.unfold import terms
from burnside.frontends.cspsharp.unfold.alphabets import Alphabets, live_branches
from burnside.frontends.cspsharp.unfold.ground import WIDE, Environment
from burnside.frontends.cspsharp.unfold.programs import Grounder
from burnside.frontends.cspsharp.unfold.terms import TAU, EventKey, Term
from burnside.frontends.cspsharp.unfold.terms import Sequence as Sequential
from burnside.ir.build import comparison, conjunction
from burnside.ir.nodes import FALSE, TRUE, Assert, Bound, Const, Expr
from burnside.source import Note, Span, did_you_mean

DEEPEST_TERM: Final = 60
MOST_WAYS: Final = 4_096


@final
class Elaborator:
    """Builds terms."""

    def __init__(self, scope: Scope, grounder: Grounder) -> None:
        self.scope = scope
        self.ground = grounder
        self._messages: Mapping[str, Iterable[tuple[Ground, ...]]] = {}
        self._values: Mapping[Expr, Sequence[Ground]] = {}
        self.late: dict[Expr, terms.LateCall] = {}  # arguments that read variables, with a call that has each
        self.alphabets = Alphabets(self)
        self._whole: Term = terms.Stop()
        self._bodies: dict[tuple[str, tuple[Ground, ...]], Term] = {}
        self._unfolded: dict[Term, Term] = {}

    def use(
        self, messages: Mapping[str, Iterable[tuple[Ground, ...]]], values: Mapping[Expr, Sequence[Ground]]
    ) -> None:
        """Say which messages each channel may carry and which values late arguments may have, as far as is known."""
        self._messages = messages
        self._values = values
        self.late = {}
        self._unfolded.clear()
        self.alphabets.forget()

    def messages(self, channel: str) -> Iterable[tuple[Ground, ...]]:
        """The messages that a channel may carry."""
        return self._messages.get(channel, ())

    # ------------------------------------------------------------ terms

    def term(self, process: Process, env: Environment) -> Term:
        """The term of a process; calls stay calls."""
        match process:
            case syntax.StopProcess():
                return terms.Stop()
            case syntax.SkipProcess():
                return terms.Skip()
            case syntax.PrefixProcess(event=event, program=program, next=next):
                arguments = tuple(self.ground.expression(a, env) for a in event.arguments)
                self.ground.agree(event.name, arguments, event.span)
                body = None if program is None else self.ground.program(program, env)
                if event.name == TAU and arguments:
                    raise self.scope.stop("BUR204", "'tau' takes no arguments", event.span)
                return terms.Prefix(event.name, arguments, body, self.term(next, env), event.span)
            case syntax.OutputProcess(channel=name, values=values, program=program, next=next):
                channel, indices = self.ground.channel(name, env)
                self._check_arity(channel, len(values), process.span)
                sent = tuple(self.ground.expression(v, env) for v in values)
                self.ground.agree(channel.name, (*indices, *sent), process.span)
                body = self.ground.program(program, env)
                return terms.Output(channel.name, indices, sent, body, self.term(next, env), name.span)
            case syntax.InputProcess():
                return self._input(process, env)
            case syntax.CallProcess():
                return self._call(process, env)
            case syntax.Composition(operator=operator, parts=parts):
                return self._compose(operator, [self.term(p, env) for p in parts])
            case syntax.IndexedProcess(operator=operator, ranges=ranges, body=repeated):
                return self._compose(operator, [self.term(repeated, e) for e in self.ground.choices(ranges, env)])
            case syntax.GuardProcess(condition=condition, body=guarded):
                return terms.Guard(self.ground.condition(condition, env), self.term(guarded, env))
            case syntax.IfProcess(kind=kind, condition=condition, then=then, otherwise=otherwise):
                first = (self.ground.condition(condition, env), self.term(then, env))
                rest = () if kind == "ifb" else ((TRUE, self.term(otherwise, env)),)
                return terms.Test((first, *rest), kind != "ifa")
            case syntax.CaseProcess(branches=branches, default=default):
                tested = [(self.ground.condition(c, env), self.term(p, env)) for c, p in branches]
                return terms.Test((*tested, (TRUE, self.term(default, env))), costs_step=True)
            case syntax.HideProcess(body=hidden, events=events):
                return terms.Hide(self.term(hidden, env), frozenset(self.event_keys(events, env)))
            case syntax.AtomicProcess(body=inside):
                return terms.Atomic(self.term(inside, env), has_begun=False)
            case syntax.AssertProcess(condition=condition):
                test = Assert(self.ground.expression(condition, env), "the assertion does not hold", process.span)
                return terms.Prefix(TAU, (), (test,), terms.Skip(), process.span)
            case _:
                assert_never(process)

    def _compose(self, operator: str, parts: list[Term]) -> Term:
        if not parts:
            return terms.Skip() if operator in ("|||", "||") else terms.Stop()
        if len(parts) == 1 and operator != "<>":
            return parts[0]
        match operator:
            case ";":
                return Sequential(parts[0], self._compose(";", parts[1:]))
            case "interrupt":
                return terms.Interrupt(*parts)
            case "|||":
                return terms.Interleave(tuple(parts))
            case "||":
                # Alphabets are found when the composition begins: until then a call may still be recursive.
                return terms.Parallel(tuple(parts), ())
            case _:
                return terms.Choice(operator, tuple(parts))

    def _input(self, process: syntax.InputProcess, env: Environment) -> Term:
        channel, indices = self.ground.channel(process.channel, env)
        self._check_arity(channel, len(process.patterns), process.span)
        patterns = tuple(self._pattern(p, env) for p in process.patterns)
        binders = [p for p in patterns if isinstance(p, str)]
        # A binder takes what comes, of whichever type.
        shape = [Bound(p, WIDE) if isinstance(p, str) else p for p in patterns]
        self.ground.agree(channel.name, (*indices, *shape), process.span)
        if len(set(binders)) != len(binders):
            raise self.scope.stop("BUR202", "an input binds one name twice", process.span)
        used = names_in(process.next) | names_in(process.condition) | names_in(process.program)
        closure = tuple((n, env[n]) for n in sorted(env) if n in used and n not in binders)
        return terms.Input(
            channel.name,
            indices,
            patterns,
            process.condition,
            process.program,
            process.next,
            closure,
            process.channel.span,
        )

    def _pattern(self, pattern: Expression, env: Environment) -> Expr | str:
        """A name that means nothing yet is bound; anything else must match."""
        if isinstance(pattern, Name) and not pattern.indices:
            name = pattern.name
            known = name in env or name in self.scope.defines or name in self.scope.variables
            if not known:
                return name
        return self.ground.expression(pattern, env)

    def _check_arity(self, channel: Channel, arity: int, span: Span) -> None:
        if channel.arity is None:
            channel.arity = arity
        elif channel.arity != arity:
            message = f"messages of '{channel.name}' have {channel.arity} parts elsewhere, {arity} here"
            raise self.scope.stop("BUR204", message, span)

    def _call(self, call: syntax.CallProcess, env: Environment) -> terms.Call | terms.LateCall:
        definition = self.scope.definitions.get(call.name)
        if definition is None:
            remedy = did_you_mean(call.name, self.scope.definitions)
            raise self.scope.stop("BUR201", f"there is no process '{call.name}'", call.span, help=remedy)
        wanted, found = len(definition.parameters), len(call.arguments)
        if wanted != found:
            what = "argument" if wanted == 1 else "arguments"
            raise self.scope.stop("BUR204", f"'{call.name}' takes {wanted} {what}, found {found}", call.span)
        nodes = tuple(self.ground.expression(a, env) for a in call.arguments)
        values = tuple(node for node in nodes if isinstance(node, Const))
        if len(values) == len(nodes):
            return terms.Call(call.name, values, call.span)
        return terms.LateCall(call.name, nodes, call.span)

    def event_keys(self, events: Iterable[syntax.EventSet], env: Environment) -> Iterator[EventKey]:
        """The events of a set."""
        for entry in events:
            for inner in self.ground.choices(entry.ranges, env):
                values = tuple(self.ground.value(a, inner, "an argument of an event") for a in entry.event.arguments)
                self.ground.agree(entry.event.name, values, entry.span)
                yield entry.event.name, values

    # ------------------------------------------------------------ unfolding

    def body(self, call: terms.Call) -> Term:
        """The term that a call stands for."""
        key = (call.name, call.arguments)
        if key not in self._bodies:
            definition = self.scope.definitions[call.name]
            env = dict(zip(definition.parameters, call.arguments, strict=True))
            self._bodies[key] = self.term(definition.body, env)
        return self._bodies[key]

    def unfold(self, term: Term, depth: int = 0, calls: tuple[terms.Call, ...] = ()) -> Term:
        """The same term with every call that could act replaced by what it stands for.

        ``calls`` are those that it stands in place of.
        """
        if depth == 0:
            self._whole = term
        if depth > DEEPEST_TERM:
            raise self.too_deep(self._whole)
        if term not in self._unfolded:
            self._unfolded[term] = self._unfold(term, depth, calls)
        return self._unfolded[term]

    def _unfold(self, term: Term, depth: int, calls: tuple[terms.Call, ...]) -> Term:
        def inside(part: Term) -> Term:
            return self.unfold(part, depth + 1, calls)

        match term:
            case terms.Call() if term in calls:
                raise self.scope.stop(
                    "BUR209",
                    f"'{term.name}' calls itself before doing anything",
                    term.span,
                    help="put an event before the call",
                )
            case terms.Call():
                return self.unfold(self.body(term), depth + 1, (*calls, term))
            case terms.LateCall():
                branches = [terms.Guard(c, self.unfold(call, depth + 1, calls)) for c, call in self._ways(term)]
                return self._compose("[]", [*branches])
            case Sequential(first=first, second=second):
                begun = inside(first)
                # Rule 6: what is just Skip costs no step.
                return inside(second) if isinstance(begun, terms.Skip) else Sequential(begun, second)
            case terms.Choice(operator="<>"):
                return term
            case terms.Choice(operator=operator, branches=branches):
                return terms.Choice(operator, tuple(map(inside, branches)))
            case terms.Guard(condition=condition, body=body):
                # What parameters rule out never acts: a recursion may end so.
                return term if condition == FALSE else terms.Guard(condition, inside(body))
            case terms.Test(branches=tests, costs_step=False):
                return terms.Test(tuple((c, inside(p)) for c, p in live_branches(tests)), costs_step=False)
            case terms.Interleave(parts=parts):
                return terms.Interleave(tuple(map(inside, parts)))
            case terms.Parallel(parts=parts, alphabets=alphabets):
                known = alphabets or tuple(map(self.alphabets.of, parts))
                return terms.Parallel(tuple(map(inside, parts)), known)
            case terms.Interrupt(body=body, by=by):
                return terms.Interrupt(inside(body), inside(by))
            case terms.Hide(body=body, events=events):
                hidden = inside(body)
                # Hidden twice is hidden once: a process that hides something of itself stays finite.
                return (
                    terms.Hide(hidden.body, hidden.events | events)
                    if isinstance(hidden, terms.Hide)
                    else terms.Hide(hidden, events)
                )
            case terms.Atomic(body=body, has_begun=has_begun):
                return terms.atomic(inside(body), has_begun=has_begun)
            case _:
                return term

    def _ways(self, late: terms.LateCall) -> Iterator[tuple[Expr, terms.Call]]:
        """The calls that a late one may stand for, each with the condition that its arguments have those values."""
        for argument in late.arguments:
            if not isinstance(argument, Const):
                self.late.setdefault(argument, late)
        choices = [(a,) if isinstance(a, Const) else tuple(self._values.get(a, ())) for a in late.arguments]
        if prod(map(len, choices)) > MOST_WAYS:
            raise self.scope.stop(
                "BUR205",
                f"'{late.name}' may be called with {prod(map(len, choices)):,} choices of arguments",
                late.span,
                help="give the variables in its arguments smaller ranges",
            )
        for values in product(*choices):
            tests = [comparison("==", a, v) for a, v in zip(late.arguments, values, strict=True)]
            yield conjunction(tests), terms.Call(late.name, values, late.span)

    def too_deep(self, term: Term) -> Unusable:
        """The error for a term that is nested too deeply, for ``raise``."""
        return self.growth(term, f"is nested more than {DEEPEST_TERM} levels deep", term)

    def growth(self, term: Term, how: str, left: Term) -> Unusable:
        """The error for a term that has grown too much, to what is left of it then: it may be finite nevertheless."""
        call = next(self._calls_in(term), None)
        what = f"'{call.name}'" if call else "this process"
        shown = Note(f"one of the many terms that are left of it is {terms.show(left)}")
        remedy = "if it grows without end, let it call itself last of all, and keep its arguments in a range"
        message = f"{what} {how}"
        span = call.span if call else terms.span_of(term)
        self.scope.diagnostics.error("BUR214", message, span, notes=[shown], help=remedy)
        return Unusable()

    def _calls_in(self, term: Term, depth: int = 0) -> Iterator[terms.Call]:
        if isinstance(term, terms.Call):
            yield term
        elif depth < 2 * DEEPEST_TERM and not isinstance(term, terms.Input | terms.LateCall):
            for part in self.alphabets.inside(term):
                yield from self._calls_in(part, depth + 1)

    def received(self, term: terms.Input, message: tuple[Ground, ...]) -> tuple[Expr, Environment]:
        """When an input takes a message, and what its names then mean."""
        bound = {p: v for p, v in zip(term.patterns, message, strict=True) if isinstance(p, str)}
        env: dict[str, Expr] = {**dict(term.closure), **bound}
        condition = TRUE if term.condition is None else self.ground.expression(term.condition, env)
        return condition, env

    def warn_of_program(self, name: str, span: Span | None) -> None:
        """Say that an event which others wait for happens without them."""
        self.scope.diagnostics.warning(
            "BUR217",
            f"event '{name}' has a program and does not synchronise, although another part has it in its alphabet",
            span,
            help="put the program into an event of its own, or rename the event",
        )
