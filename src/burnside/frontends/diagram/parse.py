"""Declarations of ``.diagram`` texts, and the model they describe.

A diagram becomes a model with one array, the local states of all processes, one variable for each shared one, and one
rule for each edge::

    edge grant(i): T -> G when free do { free := false; }
    rule grant(i: Client) when at[i] == T && free do { free := false; at[i] := G; }

After an error the parser goes on with the next declaration.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeVar, final

from burnside.claims.check import check_task
from burnside.claims.kinds import Invariant
from burnside.claims.task import Task
from burnside.frontends.diagram.expressions import Expressions
from burnside.frontends.diagram.lexicon import DECLARATIONS, Declaration
from burnside.frontends.diagram.scope import Classes, Reader
from burnside.frontends.front_end import Loaded
from burnside.frontends.kit.constants import report_unknown
from burnside.frontends.kit.names import Broken
from burnside.frontends.kit.options import NO_OPTIONS, Options
from burnside.frontends.kit.reader import read_text
from burnside.ir import nodes as n
from burnside.ir.build import conjunction
from burnside.ir.nodes import BOOL, Domain, Expr, Model, Parameter, Rule, Stmt, Value, Variable
from burnside.source import Diagnostics, Note, Source, Span, SyntaxStop, did_you_mean

MOST_PROCESSES: Final = 10_000

E = TypeVar("E", n.Constant, Domain, Variable)


def load(source: Source, constants: Mapping[str, Value], _: Options = NO_OPTIONS) -> Loaded:
    """The task that a ``.diagram`` text describes, or none if the diagnostics hold an error."""
    diagnostics = Diagnostics()
    parser = _Parser(source, constants, diagnostics)
    task = parser.task()
    if task is not None:
        check_task(task, diagnostics)
    return Loaded(() if task is None or diagnostics.has_errors else (task,), diagnostics)


@final
class _Parser:
    """Reads declarations one after the other."""

    def __init__(self, source: Source, given: Mapping[str, Value], diagnostics: Diagnostics) -> None:
        self._reader = Reader(source, diagnostics)
        self._stream = self._reader.stream
        self._expressions = Expressions(self._reader)
        self._given = given
        self._constants: list[n.Constant] = []
        self._domains: list[Domain] = []
        self._local: Variable | None = None
        self._starts: dict[int, tuple[int | None, Span]] = {}  # where processes start, if not in the first state
        self._shared: list[Variable] = []
        self._rules: list[Rule] = []
        self._errors: list[Invariant] = []
        self._forms: Mapping[Declaration, Callable[[], None]] = {
            "const": self._constant,
            "process": self._processes,
            "classes": self._classes,
            "class": self._class,
            "local": self._local_states,
            "shared": self._shared_variable,
            "initial": self._initial,
            "edge": self._edge,
            "error": self._error,
        }

    # ------------------------------------------------------------ the model

    def task(self) -> Task | None:
        """The model with its claims, or None if something is wrong or missing."""
        if read_text(self._stream, self._declaration, self._recover):
            self._check_given()
        end = self._stream.peek.span
        if self._reader.process is None and not self._reader.diagnostics.has_errors:
            self._reader.error("BUR219", "the diagram has no processes", end, help="process Client = 1 .. 3;")
        elif self._local is None and not self._reader.diagnostics.has_errors:
            self._reader.error("BUR219", "the diagram has no local states", end, help="local at = { idle, busy };")
        if self._reader.diagnostics.has_errors or self._local is None:
            return None
        first = self._local.domain.low
        starts = tuple(self._starts.get(p, (first, None))[0] for p in self._local.dimensions[0].values())
        local = Variable(self._local.name, self._local.dimensions, self._local.domain, None, starts, self._local.span)
        model = Model(
            name=self._reader.source.name,
            constants=tuple(self._constants),
            domains=tuple(self._domains),
            variables=(local, *self._shared),
            rules=tuple(self._rules),
        )
        return Task(model, tuple(self._errors))

    def _declaration(self) -> None:
        reader, word = self._reader, self._stream.peek.kind
        reader.failed, reader.bound = False, {}
        try:
            reader.declaration(self._forms)
        except SyntaxStop:
            reader.failed = True
            raise
        finally:
            reader.bound = {}
            if reader.failed:
                reader.broken.add(word)

    def _recover(self) -> None:
        self._reader.skip_declaration(DECLARATIONS, ends=(";",))

    def _check_given(self) -> None:
        # Classes are constants of the model, too, but not of the text.
        declared = [c.name for c in self._constants if self._reader.globals.get(c.name) == c]
        broken = {name for name, entity in self._reader.globals.items() if entity == Broken()}
        report_unknown(self._given.keys() - declared - broken, declared, self._reader.diagnostics)

    # ------------------------------------------------------------ constants and processes

    def _constant(self) -> None:
        name, span = self._named("constant")
        self._stream.expect("=")
        value = self._expressions.value()
        place = self._reader.span_from(span)
        self._reader.end()
        if name in self._given:
            if isinstance(value, tuple) != isinstance(self._given[name], tuple):
                kinds = ("a list", "a number") if isinstance(value, tuple) else ("a number", "a list")
                message = f"constant '{name}' is {kinds[0]}, but was given {kinds[1]}"
                self._reader.error("BUR211", message, span)
            value = self._given[name]
        self._keep(self._constants, n.Constant(name, value, place), name)

    def _named(self, what: str) -> tuple[str, Span]:
        """The name of a declaration; if that goes wrong, the name is known to be broken."""
        name, span = self._reader.new_name(what)
        if not self._reader.failed:
            self._reader.places[name] = span
            self._reader.globals[name] = Broken()
        return name, span

    def _keep(self, entities: list[E], entity: E, name: str) -> None:
        if not self._reader.failed:
            entities.append(entity)
            self._reader.globals[name] = entity
            if isinstance(entity, n.Constant):
                self._reader.tables[name] = entity

    def _processes(self) -> None:
        name, _ = self._named("processes")
        self._stream.expect("=")
        low, high, place = self._expressions.range()
        self._reader.end()
        if self._reader.process is not None:
            self._reader.error(
                "BUR901", "a diagram has one kind of processes", place, help="tell them apart by classes"
            )
        if high - low >= MOST_PROCESSES:
            self._reader.error("BUR205", f"there are more than {MOST_PROCESSES:,} processes", place)
        domain = Domain(name, low, high, (), name)
        self._keep(self._domains, domain, name)
        if not self._reader.failed:
            self._reader.process = domain

    def _classes(self) -> None:
        """``classes level = SIZES;``: consecutive classes of these sizes, numbered from 1."""
        name, _ = self._named("classes")
        self._stream.expect("=")
        start = self._stream.peek.span
        sizes = self._expressions.value()
        place = self._reader.span_from(start)
        self._reader.end()
        every = self._reader.processes(place)
        if self._reader.failed:
            return
        if not isinstance(sizes, tuple) or not all(isinstance(s, int) and s >= 0 for s in sizes):
            raise self._reader.stop("BUR203", "classes take a list of sizes", place)
        numbers = [s for s in sizes if isinstance(s, int)]
        if sum(numbers) != every.size:
            message = f"the classes have {sum(numbers):,} members, but there are {every.size:,} processes"
            raise self._reader.stop("BUR219", message, place)
        table = tuple(k for k, size in enumerate(numbers, 1) for _ in range(size))
        self._constants.append(n.Constant(name, table, place))
        self._reader.tables[name] = self._constants[-1]
        self._reader.globals[name] = Classes(name)

    def _class(self) -> None:
        name, _ = self._named("class")
        self._stream.expect("=")
        start = self._stream.peek.span
        cell = self._expressions.processes()
        place = self._reader.span_from(start)
        self._reader.end()
        every = self._reader.processes(place)
        self._keep(self._domains, Domain(name, cell.low, cell.high, (), every.name), name)

    # ------------------------------------------------------------ states

    def _local_states(self) -> None:
        name, span = self._named("local states")
        every = self._reader.processes(span)
        self._stream.expect("=")
        domain = self._enumeration(f"{name}_state", span)
        self._reader.end()
        if self._local is not None:
            remedy = "write all combinations as local states"
            raise self._reader.stop("BUR901", "a diagram has one set of local states", span, help=remedy)
        if not self._reader.failed:
            self._local = Variable(name, (every,), domain, None, (), span)
            self._reader.globals[name] = self._local

    def _enumeration(self, name: str, span: Span) -> Domain:
        """``{ a, b }`` as a domain; the labels become known."""
        self._stream.expect("{")
        labels: list[tuple[str, Span]] = []
        while not self._stream.at("}"):
            token = self._stream.expect("name", "a label")
            self._reader.check_free(token.text, token.span)
            if token.text in (label for label, _ in labels):
                self._reader.error("BUR202", f"label '{token.text}' stands twice in one set", token.span)
            labels.append((token.text, token.span))
            if not self._stream.accept(","):
                break
        self._stream.expect("}")
        if not labels:
            self._reader.error("BUR205", "there is no label here", self._stream.previous.span)
        self._reader.check_free(name, span)
        domain = Domain(name, 0, len(labels) - 1, tuple(label for label, _ in labels))
        if not self._reader.failed:
            self._domains.append(domain)
            self._reader.declare(name, Broken(), span)
            for value, (label, place) in enumerate(labels):
                self._reader.declare(label, n.Const(value, domain), place)
        return domain

    def _shared_variable(self) -> None:
        name, span = self._named("shared variable")
        self._stream.expect(":")
        if self._stream.accept("bool"):
            domain = BOOL
        elif self._stream.at("{"):
            domain = self._enumeration(f"{name}_value", span)
        else:
            low, high, _ = self._expressions.range()
            domain = Domain("", low, high)
        initial: int | None = domain.low
        if self._stream.accept("="):
            initial = None if self._stream.accept("*") else self._start_value(domain)
        self._reader.end()
        self._keep(self._shared, Variable(name, (), domain, None, (initial,), span), name)

    def _start_value(self, domain: Domain) -> int:
        start = self._stream.peek
        if start.kind in ("true", "false") or isinstance(self._reader.globals.get(start.text), n.Const):
            expr = self._expressions.expr()
            if isinstance(expr, n.Const) and expr.domain == domain:
                return expr.value
            raise self._reader.stop("BUR206", "this is no value of the variable", self._reader.span_from(start.span))
        if domain.labels:
            raise self._reader.stop("BUR206", "this is no value of the variable", start.span)
        value = self._expressions.constant()
        if value not in domain and not self._reader.failed:
            message = f"{value} is outside {domain.low} .. {domain.high}"
            self._reader.error("BUR206", message, self._reader.span_from(start.span))
        return value

    def _initial(self) -> None:
        """``initial 3: T;``: where processes start, ``*`` for anywhere."""
        start = self._stream.previous.span
        cell = self._expressions.processes()
        self._stream.expect(":")
        value = None if self._stream.accept("*") else self._state("the local state")
        self._reader.end()
        if self._reader.failed:
            return
        place = self._reader.span_from(start)
        for process in cell.values():
            if process in self._starts:
                notes = [Note("it was given one here", span=self._starts[process][1])]
                message = f"process {process} has an initial state already"
                raise self._stop_with(message, place, notes)
            self._starts[process] = value.value if value is not None else None, place

    def _stop_with(self, message: str, span: Span, notes: list[Note]) -> SyntaxStop:
        self._reader.error("BUR206", message, span, notes=notes)
        return SyntaxStop()

    def _state(self, what: str) -> n.Const:
        """A local state by its name."""
        token = self._stream.expect("name", what)
        entity = self._reader.globals.get(token.text)
        if self._local is None and "local" in self._reader.broken:
            raise SyntaxStop
        if self._local is None:
            raise self._reader.stop("BUR201", "the local states are not known here", token.span)
        if not isinstance(entity, n.Const) or entity.domain != self._local.domain:
            remedy = did_you_mean(token.text, self._local.domain.labels)
            raise self._reader.stop("BUR201", f"'{token.text}' is no local state", token.span, help=remedy)
        return n.Const(entity.value, entity.domain, token.span)

    # ------------------------------------------------------------ edges and errors

    def _edge(self) -> None:
        name = self._stream.expect("name", "the name of the edge")
        every = self._reader.processes(name.span)
        self._stream.expect("(", "'(' and a name for the acting process")
        actor = self._stream.expect("name", "a name for the acting process")
        self._reader.bind(actor.text, actor.span, every)
        self._stream.expect(")")
        self._stream.expect(":")
        source = self._state("the local state before")
        self._stream.expect("->")
        target = self._state("the local state after")
        guard = self._expressions.expr() if self._stream.accept("when") else None
        body = self._updates() if self._stream.accept("do") else ()
        partition = self._expressions.partition(every) if self._stream.accept("partition") else None
        self._reader.end()
        if self._reader.failed or self._local is None:
            return
        place = n.Read(self._local.name, (n.Bound(actor.text, every, actor.span),), source.span)
        moved = (*body, n.Assign(place, target, target.span))
        rule = Rule(
            name.text,
            (Parameter(actor.text, every),),
            _guard(n.Binary("==", place, source, source.span), guard),
            n.Event(name.text, (n.Bound(actor.text, every, actor.span),)),
            moved,
            name.span,
            partition=partition,
        )
        self._rules.append(rule)

    def _updates(self) -> tuple[Stmt, ...]:
        """``{ free := false; x := x + 1; }``: one after the other; the process moves at the end."""
        self._stream.expect("{")
        found: list[Stmt] = []
        try:
            while not self._stream.accept("}"):
                found.append(self._update())
        except SyntaxStop:
            self._stream.skip_to("}", *DECLARATIONS)
            raise
        return tuple(found)

    def _update(self) -> Stmt:
        token = self._stream.expect("name", "a shared variable")
        entity = self._reader.globals.get(token.text)
        if not isinstance(entity, Variable) or entity.dimensions:
            remedy = "a process changes its local state along the edge, and shared variables"
            raise self._reader.stop("BUR210", f"'{token.text}' is no shared variable", token.span, help=remedy)
        self._stream.expect(":=")
        value = self._expressions.expr()
        span = self._reader.span_from(token.span)
        if not self._stream.accept(";") and not self._stream.at("}"):
            self._stream.fail("';' or '}'")
        return n.Assign(n.Read(token.text, (), token.span), value, span)

    def _error(self) -> None:
        """``error name: condition;``: a state that must not be reached."""
        start = self._stream.previous.span
        name = self._stream.expect("name", "the name of the error")
        self._stream.expect(":")
        condition = self._expressions.expr()
        span = self._reader.span_from(start)
        self._reader.end()
        if not self._reader.failed:
            never = n.Unary("!", condition, condition.span)
            self._errors.append(Invariant(name.text, never, (), span))


def _guard(source: Expr, condition: Expr | None) -> Expr:
    """The guard of an edge: that the process is at its source, and what its author asks for."""
    return source if condition is None else conjunction((source, condition), condition.span)
