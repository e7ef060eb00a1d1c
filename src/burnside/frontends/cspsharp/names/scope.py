"""The names of a CSP# text: constants, macros, variables, channels and definitions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeAlias, final

from burnside.frontends.cspsharp.names.defines import check_sizes
from burnside.frontends.cspsharp.read import syntax
from burnside.frontends.cspsharp.read.declarations import Alphabet, Define, Definition, Specification
from burnside.frontends.cspsharp.read.syntax import Name, Process, Statement
from burnside.frontends.kit.constants import report_unknown
from burnside.frontends.kit.names import declared_twice
from burnside.ir.nodes import BOOL, Const, Value
from burnside.source import Diagnostics, Span
from burnside.values import dataclass, field, replace

# A number or a truth value that is known: a node, since in Python ``True`` equals 1 and both are keys here.
Ground: TypeAlias = Const

# What the successful end of a process is called, unless a text has an event of that name.
END: Final = "terminate"


class Unusable(Exception):
    """Raised after an error has been recorded, where there is nothing to go on with."""


@final
@dataclass(slots=True)
class GlobalVariable:
    """A variable or array. A missing bound is None; ``initial`` has None for any value."""

    name: str
    dimensions: tuple[int, ...]
    low: int | None
    high: int | None
    initial: tuple[int | None, ...]
    is_truth: bool
    is_written: bool
    span: Span
    initial_spans: tuple[Span, ...] = ()

    @property
    def is_constant(self) -> bool:
        """Whether it keeps its one initial value for ever."""
        return not self.is_written and None not in self.initial


@final
@dataclass(slots=True)
class Channel:
    """A channel or array of channels; capacity 0 is a rendezvous. ``arity`` is unknown until it is used.

    One that nobody ever uses can still be asked whether it is empty: ``is_tested``.
    """

    name: str
    size: int | None
    capacity: int
    span: Span
    arity: int | None = None
    is_tested: bool = False

    @property
    def parts(self) -> int:
        """How many parts its messages have, as far as there is anything to keep."""
        return self.arity or int(self.is_tested)


@final
@dataclass
class Scope:
    """Everything that is declared, by name."""

    diagnostics: Diagnostics
    defines: dict[str, Define] = field(default_factory=dict)
    given: dict[str, Ground] = field(default_factory=dict)
    variables: dict[str, GlobalVariable] = field(default_factory=dict)
    channels: dict[str, Channel] = field(default_factory=dict)
    definitions: dict[str, Definition] = field(default_factory=dict)
    alphabets: dict[str, Alphabet] = field(default_factory=dict)
    bits: int | None = None
    # Whether an argument is a truth value: by the name of the event or channel, the number of arguments and its place.
    kinds: dict[tuple[str, int, int], bool] = field(default_factory=dict)
    end: str = END  # the event of a successful end: a name that no event of the text has
    locals: set[str] = field(default_factory=set)  # names that locals of programs have got

    def error(self, code: str, message: str, span: Span | None, *, help: str = "") -> None:
        """Record an error."""
        self.diagnostics.error(code, message, span, help=help)

    def stop(self, code: str, message: str, span: Span | None, *, help: str = "") -> Unusable:
        """Record an error, for ``raise``."""
        self.error(code, message, span, help=help)
        return Unusable()

    def known_names(self) -> Iterator[str]:
        """Names that an expression may use."""
        yield from self.defines
        yield from self.variables

    def declare(self, specification: Specification, given: Mapping[str, Value]) -> None:
        """Enter what needs no evaluation; variables and channels follow in their order."""
        taken: dict[str, Span] = {}
        for define in specification.defines:
            if self._is_new(define.name, define.span, taken):
                self.defines[define.name] = define
        self._find_programs()
        check_sizes(self.defines, self.diagnostics)
        for variable in specification.variables:
            self._is_new(variable.name, variable.span, taken)
        for channel in specification.channels:
            self._is_new(channel.name, channel.span, taken)
        for definition in specification.definitions:
            if self._is_new(definition.name, definition.span, taken):
                self.definitions[definition.name] = definition
            self._check_parameters(definition)
        for alphabet in specification.alphabets:
            if alphabet.name not in self.definitions:
                self.error("BUR201", f"there is no process '{alphabet.name}'", alphabet.span)
            self.alphabets[alphabet.name] = alphabet
        events = {*event_names(specification)}
        while self.end in events:
            self.end += "_"
        self._override(given)

    def _find_programs(self) -> None:
        """``{ call(f) }`` looks like an expression; it is a program if ``f`` is one, and so is ``{ f }``."""
        pending = [name for name, define in self.defines.items() if isinstance(define.body, tuple)]
        users: dict[str, list[Define]] = {}
        for define in self.defines.values():
            if isinstance(define.body, syntax.CallMacro | Name):
                users.setdefault(define.body.name, []).append(define)
        for name in pending:  # grows while it is walked
            for define in users.get(name, ()):
                assert isinstance(define.body, syntax.CallMacro | Name)
                called = (
                    define.body
                    if isinstance(define.body, syntax.CallMacro)
                    else syntax.CallMacro(name, (), define.body.span)
                )
                self.defines[define.name] = replace(define, body=(syntax.Perform(called, called.span),))
                pending.append(define.name)

    def _check_parameters(self, definition: Definition) -> None:
        if len(set(definition.parameters)) != len(definition.parameters):
            self.error("BUR202", f"'{definition.name}' has two parameters of one name", definition.span)

    def _is_new(self, name: str, span: Span, taken: dict[str, Span]) -> bool:
        if name in taken:
            self.diagnostics.add(declared_twice(name, span, taken[name]))
            return False
        taken[name] = span
        return True

    def _override(self, given: Mapping[str, Value]) -> None:
        constants = {n: d for n, d in self.defines.items() if d.parameters is None}
        unknown: list[str] = []
        for name, value in given.items():
            define = constants.get(name)
            if name == "int_bits" and isinstance(value, int) and 1 <= value <= 31 and name not in self.defines:
                self.bits = value
            elif define is None:
                unknown.append(name)
            elif (wrong := _misfit(define, value)) is not None:
                self.error("BUR211", f"'{name}' is {wrong}", define.span)
            else:
                assert isinstance(value, int)
                self.given[name] = constant(value)
        report_unknown(unknown, constants, self.diagnostics)


def _misfit(define: Define, value: Value) -> str | None:
    """What a definition is and a value that is given for it is not; None if it fits, as far as one can tell."""
    if not isinstance(value, int):
        return "a number, not a list"
    if isinstance(define.body, syntax.Truth) and not isinstance(value, bool):
        return "a truth value, not a number"
    if isinstance(define.body, syntax.Number) and isinstance(value, bool):
        return "a number, not a truth value"
    return None


def constant(value: int, span: Span | None = None) -> Ground:
    """A number or, if the value is a bool, a truth value."""
    return Const(int(value), BOOL if isinstance(value, bool) else None, span)


def text_of(value: Ground) -> str:
    """A value as it is written."""
    return value.domain.text(value.value) if value.domain else str(value.value)


def in_order(rows: Iterable[tuple[Ground, ...]]) -> list[tuple[Ground, ...]]:
    """Rows of values, each once and sorted."""
    return sorted({*rows}, key=lambda row: [(v.domain is not None, v.value) for v in row])


def written_names(specification: Specification) -> set[str]:
    """Names of variables that some program assigns."""
    programs = [d.body for d in specification.defines if isinstance(d.body, tuple)]
    for definition in specification.definitions:
        programs += programs_of(definition.body)
    for assertion in specification.assertions:
        programs += programs_of(assertion.process)
        programs += programs_of(assertion.other) if assertion.other else ()
    return {name for program in programs for name in assigned_names(program)}


def event_names(specification: Specification) -> Iterator[str]:
    """Names of the events of a text."""
    pending = [d.body for d in specification.definitions]
    pending += [p for a in specification.assertions for p in (a.process, a.other) if p is not None]
    while pending:
        process = pending.pop()
        if isinstance(process, syntax.PrefixProcess):
            yield process.event.name
        pending += parts_of(process)


def programs_of(process: Process) -> Iterator[tuple[Statement, ...]]:
    """Every program inside a process."""
    if isinstance(process, syntax.PrefixProcess):
        yield process.program or ()
    elif isinstance(process, syntax.OutputProcess | syntax.InputProcess):
        yield process.program
    for part in parts_of(process):
        yield from programs_of(part)


def parts_of(process: Process) -> Iterable[Process]:
    """The processes directly inside a process."""
    match process:
        case syntax.PrefixProcess(next=next) | syntax.OutputProcess(next=next) | syntax.InputProcess(next=next):
            return (next,)
        case syntax.Composition(parts=parts):
            return parts
        case (
            syntax.IndexedProcess(body=body)
            | syntax.GuardProcess(body=body)
            | syntax.HideProcess(body=body)
            | syntax.AtomicProcess(body=body)
        ):
            return (body,)
        case syntax.IfProcess(then=then, otherwise=otherwise):
            return (then, otherwise)
        case syntax.CaseProcess(branches=branches, default=default):
            return (*(p for _, p in branches), default)
        case syntax.AssertProcess() | _:
            return ()


def performed_names(program: Iterable[Statement]) -> Iterator[str]:
    """Names of macros that a program performs."""
    for statement in program:
        match statement:
            case syntax.Perform(call=call):
                yield call.name
            case syntax.Branch(then=then, otherwise=otherwise):
                yield from performed_names((*then, *otherwise))
            case syntax.Loop(body=body) | syntax.Block(body=body):
                yield from performed_names(body)


def assigned_names(program: Iterable[Statement]) -> Iterator[str]:
    """Names that a program assigns."""
    for statement in program:
        match statement:
            case syntax.Assignment(target=target):
                yield target.name
            case syntax.Branch(then=then, otherwise=otherwise):
                yield from assigned_names((*then, *otherwise))
            case syntax.Loop(body=body) | syntax.Block(body=body):
                yield from assigned_names(body)


def names_in(node: object) -> frozenset[str]:
    """Every name that a piece of syntax mentions."""
    if isinstance(node, tuple):
        return frozenset().union(*map(names_in, node))
    fields = getattr(node, "__dataclass_fields__", None)
    if fields is None:
        return frozenset()
    own = frozenset([node.name]) if isinstance(node, Name) else frozenset()
    return own.union(*(names_in(getattr(node, f)) for f in fields if f != "span"))


def mentions(program: Iterable[Statement], name: str) -> bool:
    """Whether a program means a name of its surroundings: from a local of that name on, the local is meant."""
    for statement in program:
        match statement:
            case syntax.Local(name=local, value=value):
                if name in names_in(value):
                    return True
                if local == name:
                    return False
            case syntax.Branch(condition=condition, then=then, otherwise=otherwise):
                if name in names_in(condition) or mentions(then, name) or mentions(otherwise, name):
                    return True
            case syntax.Loop(condition=condition, body=body):
                if name in names_in(condition) or mentions(body, name):
                    return True
            case syntax.Block(body=body):
                if mentions(body, name):
                    return True
            case _:
                if name in names_in(statement):
                    return True
    return False
