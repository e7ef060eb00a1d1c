"""Procedures of ``.seq``: statements with a name and parameters, written out where they are called."""

from __future__ import annotations

from typing import Final, final

from burnside.frontends.seq.constants import Constants
from burnside.frontends.seq.expressions import Expressions
from burnside.frontends.seq.foreign import refuse_var
from burnside.frontends.seq.inline import Inlining, height_of, size_of
from burnside.frontends.seq.places import Place
from burnside.frontends.seq.reader import Reader
from burnside.frontends.seq.scope import Compound, Local, Procedure, ProcedureParameter
from burnside.frontends.seq.terms import domains_of
from burnside.frontends.seq.types import SequenceType, SetType, Type, describe_type, flat, leaves
from burnside.ir import nodes as n
from burnside.ir.check import type_of_domain
from burnside.ir.ids import argument
from burnside.ir.nodes import TRUE, Bound, Const, Domain, Expr, Stmt, Variable
from burnside.ir.rewrite import fresh_name
from burnside.ir.simplify import typed_constant
from burnside.source import DEEPEST, Span, SyntaxStop
from burnside.values import dataclass, field, replace

MOST_INLINED: Final = 100_000  # nodes that calls add to one declaration


@final
@dataclass
class _Arguments:
    """What the parameters of a call stand for, and what is computed before the body runs."""

    taken: set[str]
    values: dict[str, Expr] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    before: list[Stmt] = field(default_factory=list)


@final
class Procedures:
    """Reads parameters and calls of procedures; bodies are read by what reads all statements."""

    def __init__(self, reader: Reader, expressions: Expressions, constants: Constants) -> None:
        self._reader = reader
        self._stream = reader.stream
        self._scope = reader.scope
        self._expressions = expressions
        self._operations = expressions.operations
        self._constants = constants

    # ------------------------------------------------------------ declarations

    def parameters(self) -> tuple[ProcedureParameter, ...]:
        """``(i: Server, ref x: Term)``: names that enter the scope."""
        found: list[ProcedureParameter] = []
        if not self._stream.accept("("):
            return ()
        while not self._stream.at(")"):
            is_reference = refuse_var(self._reader) or bool(
                self._reader.at_word("ref")
                and self._stream.peek_kinds(2)[-1] in ("name", "quoted")
                and self._reader.accept_word("ref")
            )
            found.extend(self._group(is_reference))
            if not self._stream.accept(","):
                break
        self._stream.expect(")")
        return tuple(found)

    def _group(self, is_reference: bool) -> list[ProcedureParameter]:
        names = [self._reader.name()]
        while self._stream.accept(","):
            names.append(self._reader.name())
        self._stream.expect(":")
        start = self._stream.peek.span
        kind = self._expressions.domains.type()
        place = self._reader.span_from(start)
        if not is_reference and not self._operations.check_size(kind, place):
            kind = Domain("", 0, 0)
        return [self._bound(name, span, kind, is_reference) for name, span in names]

    def _bound(self, name: str, span: Span, kind: Type, is_reference: bool) -> ProcedureParameter:
        parameter = ProcedureParameter(name, kind, is_reference, span)
        if not is_reference:
            self._reader.bind(name, span, kind, "parameter")
            return parameter
        if self._scope.is_taken(name):
            self._reader.taken(name, span)
        self._scope.locals[name] = Local(kind, "reference", span)
        self._scope.stand_ins[name] = parameter.stand_in
        for variable in stand_in_variables(parameter):
            self._scope.variables[variable.name] = variable
        return parameter

    # ------------------------------------------------------------ calls

    def call(self, procedure: Procedure, start: Span) -> tuple[Stmt, ...]:
        """The body with what is between the parentheses for its parameters, at the opening one."""
        self._stream.expect("(")
        taken = self._scope.around()
        given = _Arguments(taken=taken)
        count = 0
        while not self._stream.at(")"):
            self._take(procedure.parameters[count] if count < len(procedure.parameters) else None, given)
            count += 1
            if not self._stream.accept(","):
                break
        self._stream.expect(")")
        span = self._reader.span_from(start)
        self._reader.end()
        wanted = len(procedure.parameters)
        if count != wanted and not self._reader.failed:
            what = "argument" if wanted == 1 else "arguments"
            self._reader.error("BUR204", f"'{procedure.name}' takes {wanted} {what}, found {count}", span)
        if self._reader.failed:
            return ()
        self._spend(procedure, span)
        body = Inlining(given.values, given.places, taken).block(procedure.body)
        if height_of(body) + self._stream.depth > DEEPEST:
            self._stream.too_deep(span)
        return (n.If(TRUE, (*given.before, *body), (), span),)

    def _spend(self, procedure: Procedure, span: Span) -> None:
        # Before anything is built: procedures that call others twice double each time.
        self._scope.inlined += size_of(procedure.body)
        if self._scope.inlined > MOST_INLINED:
            message = f"procedures expand this to more than {MOST_INLINED:,} parts"
            self._reader.error("BUR104", message, span, help="split it into several rules")
            raise SyntaxStop

    def _take(self, parameter: ProcedureParameter | None, given: _Arguments) -> None:
        """Read one argument and note what its parameter stands for."""
        if parameter is None:
            self._expressions.term()
        elif parameter.is_reference:
            self._take_place(parameter, given)
        else:
            self._take_value(parameter, given)

    def _take_value(self, parameter: ProcedureParameter, given: _Arguments) -> None:
        term = self._operations.as_type(self._expressions.term(), parameter.type)
        if self._reader.failed:
            return
        parts = self._operations.parts(term, parameter.type)
        for (path, domain), value in zip(flat(parameter.type), parts, strict=True):
            self._constants.expect(value, type_of_domain(domain))
            if not self._reader.failed:
                kept = self._kept(parameter.name + path, domain, value, given)
                given.values[parameter.name + path] = argument(kept, self._scope.declared)

    def _kept(self, name: str, domain: Domain, value: Expr, given: _Arguments) -> Expr:
        """A value that stays what it is while the body runs."""
        low, high = self._constants.bounds_of(value)
        if self._is_steady(value) and low in domain and high in domain:
            return value
        fresh = fresh_name(name, given.taken)
        given.taken.add(fresh)
        given.before.append(n.Declare(fresh, domain, value, value.span))
        return Bound(fresh, domain, value.span)

    def _is_steady(self, value: Expr) -> bool:
        if isinstance(value, Bound):
            local = self._scope.locals.get(value.name)
            return local is not None and not local.is_mutable
        return isinstance(value, Const)

    def _take_place(self, parameter: ProcedureParameter, given: _Arguments) -> None:
        place = self._place(parameter)
        if place is None or self._reader.failed:
            return
        indices = tuple(self._steady_index(i, given) for i in place.indices)
        position = None if place.position is None else self._steady_index(place.position, given)
        place = replace(place, indices=indices, position=position)
        for leaf in leaves(parameter.type):
            part = replace(place, name=place.name + leaf.path, type=leaf.domain)
            given.places[parameter.stand_in + leaf.path] = part

    def _steady_index(self, index: Expr, given: _Arguments) -> Expr:
        return index if self._is_steady(index) else self._kept("at", self._constants.range_of(index), index, given)

    def _place(self, parameter: ProcedureParameter) -> Place | None:
        """The place that an argument names, if it can be handed over."""
        name, start = self._reader.name("something that the procedure may change")
        entity: Compound | Local | None = self._scope.locals.get(name) or self._compound(name)
        if entity is None:
            if name not in self._scope.globals:
                self._reader.unknown(name, start)
            message = f"'{name}' cannot be handed over by reference"
            if not self._reader.failed:
                self._reader.error("BUR210", message, start, help="it must be a variable, or a part of one")
            self._expressions.places.skip()
            return None
        if isinstance(entity, Local) and entity.dimensions:
            message = "a local array, or an element of one, cannot be handed over by reference"
            self._expressions.places.skip()
            span = self._reader.span_from(start)
            self._reader.error("BUR901", message, span, help="use a variable of the model")
            return None
        place = self._expressions.place(entity, name, start)
        if isinstance(entity, Local) and not entity.is_mutable:
            self._reader.error("BUR210", f"'{name}' is a {entity.what} and keeps its value", place.span)
        elif not _is_same(place.type, parameter.type) and not self._reader.failed:
            found, wanted = describe_type(place.type), describe_type(parameter.type)
            message = f"expected {wanted}, found {found}" if found != wanted else f"this is {found} of another size"
            self._reader.error("BUR203", message, place.span, help="a reference has exactly the type of its parameter")
        elif place.is_local and any(isinstance(kind, SetType) for kind in _inner(place.type)):
            message = "a local set cannot be handed over by reference"
            self._reader.error("BUR901", message, place.span, help="use a variable of the model")
        return place

    def _compound(self, name: str) -> Compound | None:
        """A variable of any type, as something with indices behind its name."""
        entity = self._scope.globals.get(name)
        if isinstance(entity, Compound):
            return entity
        if not isinstance(entity, Variable):
            return None
        kind: Type = entity.domain if entity.capacity is None else SequenceType(entity.capacity, entity.domain)
        return Compound(name, entity.dimensions, kind)


def stand_in_variables(parameter: ProcedureParameter) -> list[Variable]:
    """The variables of the model that stand for a reference while a body is read."""
    return [
        Variable(parameter.stand_in + leaf.path, leaf.dimensions, leaf.domain, leaf.capacity, ())
        for leaf in leaves(parameter.type)
    ]


def checked(procedure: Procedure) -> tuple[n.Rule, tuple[Variable, ...]]:
    """A rule with the body of a procedure, and the variables it needs: types are checked even if nobody calls it."""
    values = [p for p in procedure.parameters if not p.is_reference]
    names = [(p.name + path, domain) for p in values for path, domain in flat(p.type)]
    declared = tuple(n.Declare(name, d, typed_constant(d.low, d), procedure.span) for name, d in names)
    references = [p for p in procedure.parameters if p.is_reference]
    variables = tuple(
        replace(v, initial=((() if v.is_sequence else v.domain.low),) * v.elements)
        for p in references
        for v in stand_in_variables(p)
    )
    body = (*declared, *procedure.body)
    return n.Rule(f"  {procedure.name}", (), TRUE, n.Event(""), body, procedure.span), variables


def _inner(kind: Type) -> list[Type]:
    found: list[Type] = [kind]
    for _, inner in getattr(kind, "fields", ()):
        found.extend(_inner(inner))
    return found


def _is_same(one: Type, other: Type) -> bool:
    match one, other:
        case Domain(), Domain():
            values = (one.low, one.high, one.index) == (other.low, other.high, other.index)
            return values and type_of_domain(one) == type_of_domain(other)
        case SetType(), SetType():
            same = [_is_same(a, b) for a, b in zip(domains_of(one.element), domains_of(other.element), strict=False)]
            return all(same) and len(domains_of(one.element)) == len(domains_of(other.element))
        case SequenceType(), SequenceType():
            return one.capacity == other.capacity and _is_same(one.item, other.item)
        case _:
            return one == other
