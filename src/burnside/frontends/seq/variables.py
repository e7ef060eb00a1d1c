"""Declarations of variables: dimensions, types, initial values; a variable with parts becomes one for each part."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, product
from typing import Final, final

from burnside.frontends.seq.bags import rules_of_bag
from burnside.frontends.seq.constants import Constants
from burnside.frontends.seq.expressions import Expressions
from burnside.frontends.seq.initial import Given, Shape, Single, read_given, with_initial_values
from burnside.frontends.seq.operations import Operations
from burnside.frontends.seq.reader import Reader
from burnside.frontends.seq.scope import Compound, Local
from burnside.frontends.seq.terms import Listed, Record, Selected, Term, domains_of
from burnside.frontends.seq.types import (
    SLOT,
    BagType,
    Leaf,
    RecordType,
    SequenceType,
    SetType,
    Type,
    describe_type,
    form_of,
    holds_set,
    holds_union,
    leaves,
)
from burnside.ir import nodes as n
from burnside.ir.check import MOST_CELLS
from burnside.ir.nodes import Domain, Expr, Parameter, Variable
from burnside.ir.simplify import typed_constant
from burnside.ir.wholes import Whole
from burnside.source import Span, SyntaxStop
from burnside.values import replace

_ONE_BY_ONE: Final = "give each array a declaration of its own: var a[i: P]: T = i; var b[i: P]: T = i;"


@final
class Variables:
    """Reads declarations of variables; ``found`` has those of the model, and ``wholes`` what was declared if these are
    its parts. Bags may add to the ``rules``.
    """

    def __init__(self, reader: Reader, expressions: Expressions, constants: Constants, rules: list[n.Rule]) -> None:
        self._reader = reader
        self._stream = reader.stream
        self._scope = reader.scope
        self._expressions = expressions
        self._constants = constants
        self._parts = _Parts(reader, expressions.operations)
        self._rules = rules
        self._cells = 0
        self.found: list[Variable] = []
        self.wholes: list[Whole] = []

    def declaration(self) -> None:
        """``name[dimensions]: type = initial``; several names, each with dimensions of its own, share the rest."""
        names = [self._declared_name()]
        while self._stream.accept(","):
            names.append(self._declared_name())
        named = [span for _, span, indices in names if any(p.name for p in indices)]
        if len(names) > 1 and named:
            raise self._reader.stop("BUR102", "a named index among several arrays", named[0], help=_ONE_BY_ONE)
        self._stream.expect(":")
        kind = self._expressions.domains.type()
        shapes = [[self._shape(name, indices, leaf, span) for leaf in leaves(kind)] for name, span, indices in names]
        for shape in chain.from_iterable(shapes):
            self._count_cells(shape.variable)
        given, place = self._given()
        found = [self._with_values(kind, parts, given, place) for parts in shapes]
        self._reader.end()
        if not self._reader.failed:
            for (name, span, indices), variables in zip(names, found, strict=True):
                self._declare(name, span, Compound(name, tuple(p.domain for p in indices), kind), variables)

    def _declared_name(self) -> tuple[str, Span, list[Parameter]]:
        name, span = self._reader.new_global("variable")
        return name, span, self._dimensions()

    def _declare(self, name: str, span: Span, whole: Compound, variables: list[Variable]) -> None:
        kind = whole.type
        self.found.extend(variables)
        if isinstance(kind.item if isinstance(kind, SequenceType) else kind, Domain):
            self._scope.declare(name, variables[0], span)
            return
        if isinstance(kind, BagType):
            self._rules.extend(rules_of_bag(name, whole.dimensions, kind, span))
        self.wholes.append(Whole(name, whole.dimensions, form_of(kind, name)))
        self._scope.declare_compound(whole, variables, span)

    def _dimensions(self) -> list[Parameter]:
        found: list[Parameter] = []
        while self._stream.accept("["):
            index, place = "", self._stream.peek.span
            if self._stream.peek_kinds(2)[-1] == ":":
                index, place = self._reader.name()
                self._stream.advance()
            found.append(Parameter(index, self._expressions.domains.domain()))
            if index:
                self._reader.bind(index, place, found[-1].domain, "index")
            self._stream.expect("]")
        return found

    def _shape(self, name: str, indices: list[Parameter], leaf: Leaf, span: Span) -> Shape:
        count = len(indices)
        is_plain = not leaf.path and not leaf.dimensions
        moved = tuple(s if isinstance(s, str) or s == SLOT else s + count for s in leaf.shown)
        shown = () if is_plain else (name, *range(count), *moved)
        inner = tuple(Parameter("", domain) for domain in leaf.dimensions)
        dimensions = (*(p.domain for p in indices), *leaf.dimensions)
        whole = n.Variable(name + leaf.path, dimensions, leaf.domain, leaf.capacity, (), span, shown=shown)
        if leaf.path and name + leaf.path in self._scope.globals:
            self._reader.taken(name + leaf.path, span)
        return Shape(whole, (*indices, *inner))

    def _count_cells(self, variable: Variable) -> None:
        # Before initial values are spread over the elements: there may be too many for any memory.
        before = self._cells
        self._cells += variable.elements * (1 + (variable.capacity or 0))
        if self._cells > MOST_CELLS:
            if before <= MOST_CELLS:
                self._reader.error("BUR205", f"the model has more than {MOST_CELLS:,} cells", variable.span)
            raise SyntaxStop

    def _given(self) -> tuple[Given, Span | None]:
        """What stands behind ``=``, and where; without a place if nothing does."""
        if not self._stream.at("=", ":=", "=="):
            return None, None
        self._reader.sign("=", ":=", "==", help="declarations take '='")
        start = self._stream.peek.span
        given = read_given(self._reader, self._expressions)
        return given, self._reader.span_from(start)

    def _with_values(self, kind: Type, shapes: list[Shape], given: Given, span: Span | None) -> list[Variable]:
        if span is None:
            firsts = zip(shapes, _first_variants(kind), strict=True)
            return [self._least(shape.variable, first) for shape, first in firsts]
        if self._reader.failed:
            return []
        values = list(self._parts.of(kind, given, shapes[0]))
        if self._reader.failed:
            return []
        pairs = zip(shapes, values, strict=True)
        return [self._spread(shape, names, value, span) for shape, (names, value) in pairs]

    def _spread(self, shape: Shape, names: tuple[str, ...], given: Single, span: Span) -> Variable:
        """The values of one variable; ``names`` are those of its last dimensions, if the value depends on them."""
        indices = list(shape.indices)
        for k, name in enumerate(names, len(indices) - len(names)):
            indices[k] = Parameter(name, indices[k].domain)
            self._scope.locals[name] = Local(indices[k].domain, "index")
        return with_initial_values(self._reader, self._constants, Shape(shape.variable, tuple(indices)), given, span)

    def _least(self, variable: Variable, first: int | None) -> Variable:
        least = () if variable.is_sequence else self._scope.least(variable.domain) if first is None else first
        return replace(variable, initial=(least,) * variable.elements)


@final
class _Parts:
    """Initial values of something with parts, as those of its parts."""

    def __init__(self, reader: Reader, operations: Operations) -> None:
        self._reader = reader
        self._operations = operations

    def of(self, kind: Type, given: Given, shape: Shape) -> Iterator[tuple[tuple[str, ...], Single]]:
        """For each variable, in the order of `types.leaves`: names of its last dimensions, and what it begins with."""
        if _is_any(given) and holds_union(kind):
            remedy = "begin with one variant, and let a rule choose"
            self._reader.error("BUR901", "a union cannot begin with any value", shape.variable.span, help=remedy)
            given = n.Const(0)
            self._reader.failed = True
        match kind:
            case Domain():
                yield (), self._single(given, lambda term: self._value(term, kind))
            case RecordType(fields=fields):
                for k, (_, inner) in enumerate(fields):
                    yield from self.of(inner, self._mapped(given, partial(self._field, kind, k)), shape)
            case SetType() if isinstance(given, list):
                yield (), self._single(given, lambda term: self._elements(term, kind))
            case SetType():
                yield self._condition(given, kind)
            case SequenceType(item=item):
                yield from self._items(item, given, shape)
            case BagType():
                if given != Listed(()):
                    message = "a bag begins empty"
                    self._reader.error("BUR901", message, shape.variable.span, help="send what is in it in a rule")
                yield (), n.Const(0)
                yield (), n.Const(0)

    def _items(self, item: Type, given: Given, shape: Shape) -> Iterator[tuple[tuple[str, ...], Single]]:
        if holds_set(item) and given != []:
            message = "a sequence of sets begins empty"
            self._reader.error("BUR901", message, shape.variable.span, help="push its items in a rule")
            return
        if isinstance(item, Domain) or isinstance(given, list):
            yield from self.of(item, given, shape)
            return
        message = f"'{shape.variable.shown[0]}' is a sequence and starts with a list of items, such as []"
        self._reader.error("BUR206", message, given.span if given is not None else shape.variable.span)

    def _mapped(self, given: Given, change: Callable[[Term], Term]) -> Given:
        if isinstance(given, list):
            return [self._mapped(entry, change) for entry in given]
        return None if given is None else change(given)

    def _single(self, given: Given, change: Callable[[Term], Single]) -> Single:
        if isinstance(given, list):
            return [self._single(entry, change) for entry in given]
        return None if given is None else change(given)

    def _value(self, term: Term, domain: Domain) -> Expr:
        return self._operations.scalar(self._operations.as_type(term, domain))

    def _field(self, kind: RecordType, position: int, term: Term) -> Term:
        if isinstance(term, Record) and term.type == kind:
            return term.parts[position]
        if not self._reader.failed:
            self._operations.as_type(term, kind)
        return n.Const(0, None, term.span)

    def _elements(self, term: Term, kind: SetType) -> Single:
        """A set as the list of what is said of each element."""
        chosen = self._operations.as_type(term, kind)
        if not isinstance(chosen, Selected):
            return None
        domains = domains_of(kind.element)
        return [
            self._operations.instance(chosen, [typed_constant(v, d) for v, d in zip(values, domains, strict=True)])
            for values in product(*(d.values() for d in domains))
        ]

    def _condition(self, given: Given, kind: SetType) -> tuple[tuple[str, ...], Single]:
        """The same set for all: what it says of an element that has names."""
        if given is None:
            return (), None
        assert not isinstance(given, list)
        chosen = self._operations.as_type(given, kind)
        if not isinstance(chosen, Selected):
            if not self._reader.failed:
                self._reader.error("BUR206", f"expected {describe_type(kind)}", given.span)
            return (), None
        return chosen.names, chosen.condition


def _first_variants(kind: Type) -> Iterator[int | None]:
    """For each variable, in the order of `types.leaves`: its value in the first variant of its union."""
    if not isinstance(kind, RecordType):
        yield from (None for _ in leaves(kind))
        return
    for place, (_, inner) in enumerate(kind.fields):
        owners = kind.owners[place - 1] if kind.owners and place else None
        if isinstance(inner, Domain) and owners is not None and owners.is_needed and 0 in owners.variants:
            yield inner.low
        else:
            yield from _first_variants(inner)


def _is_any(given: Given) -> bool:
    return any(map(_is_any, given)) if isinstance(given, list) else given is None
