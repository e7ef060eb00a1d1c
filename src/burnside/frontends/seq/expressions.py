"""Expressions and domains of ``.seq``, read straight into nodes of the model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, final

from burnside.frontends.kit.names import Broken
from burnside.frontends.kit.operators import OperatorParser, Signs
from burnside.frontends.seq.arrays import Arrays
from burnside.frontends.seq.budget import Budget
from burnside.frontends.seq.constants import Constants
from burnside.frontends.seq.domains import Domains
from burnside.frontends.seq.expand import Expansion
from burnside.frontends.seq.foreign import refuse_call, refuse_update, skip_brackets, skip_fields
from burnside.frontends.seq.lexicon import OPERATORS
from burnside.frontends.seq.literals import Literals
from burnside.frontends.seq.operations import Operations
from burnside.frontends.seq.places import Place, Places
from burnside.frontends.seq.quantifiers import WRITTEN_OUT, Quantifiers, parameters_of
from burnside.frontends.seq.reader import Reader, spelling
from burnside.frontends.seq.scope import Compound, Definition, Label, Local, TypedConstant, TypedName, Variant
from burnside.frontends.seq.terms import Listed, Record, Selected, Term, Unresolved, expressions_of, of_length
from burnside.frontends.seq.types import BagType, RecordType, SequenceType, SetType, Type
from burnside.frontends.seq.unions import Unions
from burnside.ir import nodes as n
from burnside.ir.check import INT, WIDEST_NUMBER, table_shape, type_of_domain
from burnside.ir.ids import ORD
from burnside.ir.nodes import BOOL, TRUE, Bound, Domain, Expr, Parameter, Variable
from burnside.ir.walk import descend
from burnside.source import DEEPEST, Span, Token, did_you_mean

BUILT_IN: Final = ("min", "max", "len", "empty", "full", "head")
_NO_OPERANDS: Final = {
    "string": "texts stand only behind 'assert'",
    "|": "'card(s)' is the size of a set, '||' is or",
    **dict.fromkeys(("∀", "\\A"), "write 'forall i in P: c'"),
    **dict.fromkeys(("∃", "\\E"), "write 'exists i in P: c'"),
    "[": "lists are values of constants and what variables begin with; a set is written { a, b }",
}
_NO_OPERATORS: Final = (["+", "{"], ["->", "{"])  # labels of an extended range; the body of a rule, as others have it
_INSTEAD_OF_SETS: Final = {"len": "write 'card({})'", "empty": "write '{} == {{}}'"}  # what is asked of sequences


@final
class Expressions:
    """The expression part of the parser."""

    def __init__(self, reader: Reader, constants: Constants) -> None:
        self._reader = reader
        self._stream = reader.stream
        self._scope = reader.scope
        self._constants = constants
        self.budget = Budget(reader)
        self.operations = Operations(reader, constants, self.budget)
        self._expansion = Expansion(reader, constants, self.operations, self.budget)
        self._operators: OperatorParser[Term] = OperatorParser(
            OPERATORS,
            self._stream,
            operand=self._operand,
            join=self._joined,
            prefix=self._prefixed,
            is_over=lambda: self._stream.peek_kinds(2) in _NO_OPERATORS,
            tails={"is": lambda term: self.unions.asked(term), "as": lambda term: self.domains.checked(term)},
            read_prefix=self._read_prefix,
            error=reader.error,
        )
        self._climb = self._operators.parse
        self.places = Places(reader, self.operations, self.budget, self._climb)
        self.domains = Domains(reader, constants, self.operations, self._climb)
        self.arrays = Arrays(reader, self.places, self.domains)
        self.unions = Unions(reader, self.operations, self.domains, self._climb)
        self.quantifiers = Quantifiers(reader, constants, self.operations, self.domains, self.budget, self._climb)
        self._literals = Literals(reader, self.operations, self.places, self.quantifiers, self._climb)
        self._operands: Mapping[str, Callable[[], Term]] = {
            "number": self._number,
            "name": self._named,
            "quoted": self._named,
            "true": self._truth,
            "false": self._truth,
            "(": self._group,
            "{": self._literals.set,
            "if": self._choice,
            "let": self.quantifiers.let,
            **dict.fromkeys(("forall", "exists", "count", "sum"), self.quantifiers.quantified),
        }

    # ------------------------------------------------------------ operators

    def term(self, minimum: int = 0) -> Term:
        """A whole expression of any type, or as far as its operators bind tighter than ``minimum``."""
        self.budget.size, start = 0, self._stream.count
        term = self._climb(minimum)
        for expr in expressions_of(term):
            self._measure(expr, start)
        return term

    def expression(self, minimum: int = 0) -> Expr:
        """The same where a single value is expected."""
        return self.operations.scalar(self.term(minimum))

    def constant(self) -> int:
        """A number that is known before the model runs."""
        return self._constants.number(self.expression())

    def single_values(self, term: Term) -> list[Expr]:
        """A value of any type as the single values that it is."""
        kind = self.operations.type_of(term)
        if kind is None or isinstance(kind, Domain):
            return [self.operations.scalar(term)]
        return self.operations.parts(term, kind) if self.operations.check_size(kind, term.span) else []

    def least(self, kind: Type, span: Span) -> Term:
        """What a local begins with if nothing is said."""
        match kind:
            case Domain():
                return n.Const(self._scope.least(kind), kind if kind.labels else None, span)
            case RecordType(fields=fields):
                return Record(kind, tuple(self.least(inner, span) for _, inner in fields), span)
            case _:
                return Listed((), span)

    def index_list(self) -> tuple[Expr, ...]:
        """The indices of something that is assigned or changed: ``[e][e]…``, perhaps none."""
        self.budget.size, start = 0, self._stream.count
        found = self.places.indices()
        for index in found:
            self._measure(index, start)
        return found

    def place(self, entity: Compound | Local, name: str, start: Span) -> Place:
        """What is assigned or changed, if it has parts, or is one."""
        self.budget.size, count = 0, self._stream.count
        found = self.places.read(entity, name, start)
        for index in (*found.indices, *(() if found.position is None else (found.position,))):
            self._measure(index, count)
        return found

    def binders(self, joint: str, what: str) -> tuple[Parameter, ...]:
        """Names with domains or records, such as ``i, j in Phil``, as parameters of the model."""
        if joint == ":":
            return parameters_of(self.quantifiers.parameters(what))
        start = self._stream.peek.span
        found = self.quantifiers.binders(what)
        if any(b.condition != TRUE for b in found):
            message = "a formula about runs cannot depend on a set here"
            self._reader.error("BUR203", message, self._reader.span_from(start), help="quantify over the domain")
        return parameters_of(tuple(TypedName(b.name, b.type, b.span) for b in found))

    def _measure(self, expr: Expr, start: int) -> None:
        # What few tokens make cannot be deep; only long or expanded expressions are measured.
        around = self._stream.depth
        if self._stream.count - start + self.budget.size + around > DEEPEST:
            height = max(depth for _, depth in descend(expr))
            if height + around > DEEPEST:
                self._stream.too_deep(expr.span)

    def _operand(self) -> Term:
        if self._stream.peek_kinds(2) == ["-", "number"]:
            sign = self._stream.advance()
            token = self._stream.advance()
            return n.Const(-self._digits(token), None, sign.span.to(token.span))
        read = self._operands.get(self._stream.peek.kind)
        if read is None:
            self._stream.fail("an expression", help=_NO_OPERANDS.get(self._stream.peek.kind, ""))
        term = read()
        while isinstance(term, Record) and self._stream.accept("."):
            term = self._field(term)
        if self._reader.at_word("with"):
            refuse_update(self._reader, term)
        return term

    def _field(self, record: Record) -> Term:
        name, span = self._reader.name("the name of a field")
        self.places.field_type(record.type, name, span)
        at = [field for field, _ in record.type.fields]
        return record.parts[at.index(name)] if name in at else n.Const(0, None, span)

    def _read_prefix(self) -> str:
        is_sign = self._stream.at("-") and self._stream.peek_kinds(2)[-1] != "number"
        return self._operators.read_sign() if is_sign or self._reader.at_negation else ""

    def _joined(self, signs: Signs, parts: tuple[Term, ...], start: Span) -> Term:
        if signs[0] in OPERATORS.negated:
            asked = self.operations.joined((OPERATORS.negated[signs[0]],), parts, start)
            return n.Unary("!", self.operations.scalar(asked), self._reader.span_from(start))
        return self.operations.joined(signs, parts, start)

    def _prefixed(self, sign: str, operand: Term, start: Span) -> Term:
        return n.Unary(sign, self.operations.scalar(operand), self._reader.span_from(start))

    def _number(self) -> Expr:
        token = self._stream.advance()
        return n.Const(self._digits(token), None, token.span)

    def _digits(self, token: Token) -> int:
        if len(token.text) > 18 and (len(token.text) > 100 or int(token.text) > WIDEST_NUMBER):
            self._reader.error("BUR105", "this number is too large", token.span, help=f"the largest is {WIDEST_NUMBER}")
            return 0
        return int(token.text)

    def _truth(self) -> Expr:
        return n.Const(int((token := self._stream.advance()).kind == "true"), BOOL, token.span)

    def _group(self) -> Term:
        self._stream.advance()
        inner = self._climb(0)
        self._stream.expect(")")
        return inner

    def _choice(self) -> Term:
        start = self._stream.advance()
        condition = self.operations.scalar(self._climb(0))
        self._stream.expect("then")
        then = self._climb(0)
        self._stream.expect("else")
        otherwise = self._climb(0)
        return self.operations.choice(condition, then, otherwise, self._reader.span_from(start.span))

    # ------------------------------------------------------------ names

    def _named(self) -> Term:
        token = self._stream.peek
        if token.text in WRITTEN_OUT and self._stream.peek_kinds(2)[-1] in ("name", "quoted"):
            return self.quantifiers.quantified()
        self._stream.advance()
        name = spelling(token)
        local = self._scope.locals.get(name)
        if local is not None:
            return self._local(local, name, token.span)
        if self._stream.at("("):
            return self._call(name, token.span)
        entity = self._scope.globals.get(name)
        match entity:
            case n.Constant(value=int(value)):
                return n.Const(value, None, token.span)
            case TypedConstant(value=value):
                return n.Const(value.value, value.domain, token.span)
            case n.Constant():
                return n.Lookup(name, self.places.indices(), self._reader.span_from(token.span))
            case Variable():
                return self._read(entity, self.places.indices(), self._reader.span_from(token.span))
            case Compound():
                return self.places.value(self.places.read(entity, name, token.span))
            case RecordType():
                return self._literals.record(entity, token.span)
            case Variant():
                return self.unions.value(entity, token.span)
            case Label():
                return self._label(name, entity, token.span)
            case Definition():
                return self._expansion.expand(entity, (), token.span)
            case Domain():
                return self._qualified(entity, token.span)
            case _:
                if entity is None:
                    self._reader.unknown(name, token.span)
                self._reader.failed = True
                self.places.skip()
                skip_fields(self._stream)  # of a record that is not known, or is declared wrongly
                return n.Const(0, None, token.span)

    def _local(self, local: Local, name: str, span: Span) -> Term:
        if local.dimensions:
            return self.arrays.value(local, name, span)
        if not isinstance(local.type, Domain) or name in self._scope.stand_ins:
            return self.places.value(self.places.read(local, name, span))
        if self._reader.failed:
            self.places.skip()  # its type may be one that is declared wrongly
        if self._stream.at("[", "("):
            self._stream.fail("an operator", help=f"'{name}' is a {local.what}, a single value")
        return Bound(name, local.domain, span)

    @staticmethod
    def _read(variable: Variable, indices: tuple[Expr, ...], span: Span) -> Expr:
        if variable.is_sequence and len(indices) == len(variable.dimensions) + 1:
            return n.Item(variable.name, indices[:-1], indices[-1], span)
        return n.Read(variable.name, indices, span)

    @staticmethod
    def _label(name: str, label: Label, span: Span) -> Term:
        first = label.values[0]
        assert first.domain is not None
        if len({(v.value, v.domain and type_of_domain(v.domain)) for v in label.values}) > 1:
            return Unresolved(name, label.values, span)
        return n.Const(first.value, first.domain, span)

    def _qualified(self, domain: Domain, start: Span) -> Term:
        """``Domain.label``, ``Domain?.none`` or ``Domain.number``; without these, the set of its values."""
        if self._stream.peek_kinds(2) == ["?", "."]:
            domain = self.domains.extended(domain, start)
        if not self._stream.accept("."):
            return Selected(domain, (self.budget.new_name(),), TRUE, start, domain.name)
        if self._stream.at("number"):
            value = self._digits(self._stream.advance())
            span = self._reader.span_from(start)
            if value not in domain:
                self._reader.error("BUR203", f"'{domain.name}' has no value {value}", span)
            return n.Const(value, domain, span)
        label, place = self._reader.name("a label")
        if label not in domain.labels:
            self._reader.error(
                "BUR201", f"'{domain.name}' has no label '{label}'", place, help=did_you_mean(label, domain.labels)
            )
            return n.Const(domain.low, domain, place)
        value = domain.high - len(domain.labels) + 1 + domain.labels.index(label)
        return n.Const(value, domain, self._reader.span_from(start))

    # ------------------------------------------------------------ calls

    def _call(self, name: str, start: Span) -> Term:
        entity = self._scope.globals.get(name)
        if entity is None and name in ("len", "empty", "full", "head"):
            return self._ask_sequence(name, start)
        self._stream.advance()
        if entity is None and name not in (*BUILT_IN, "card", ORD):
            self._reader.unknown(name, start)
            skip_brackets(self._stream)
            return n.Const(0, None, start)
        arguments = self._reader.listed(self._climb, ")")
        span = self._reader.span_from(start)
        if isinstance(entity, Definition):
            return self._expansion.expand(entity, arguments, span)
        if entity is None and name in ("min", "max"):
            return self._extreme(name, tuple(map(self.operations.scalar, arguments)), span)
        if entity is None and name == "card":
            return self._cardinality(arguments, span)
        if entity is None and name == ORD:
            return self._ordinal(arguments, span)
        if entity != Broken():
            refuse_call(self._reader, name, entity, start)
        self._reader.failed = True
        return n.Const(0, None, span)

    def _ordinal(self, arguments: tuple[Term, ...], span: Span) -> Expr:
        if len(arguments) != 1:
            self._reader.error("BUR204", f"'{ORD}' takes 1 argument, found {len(arguments)}", span)
            return n.Const(0, None, span)
        argument = self.operations.scalar(arguments[0])
        if not self._reader.failed:
            self._constants.expect(argument, INT)
        return n.Unary(ORD, argument, span)

    def _cardinality(self, arguments: tuple[Term, ...], span: Span) -> Expr:
        if len(arguments) != 1 or not isinstance(arguments[0], Selected | Listed):
            if not self._reader.failed:
                self._reader.error("BUR204", "'card' takes a set", span)
            return n.Const(0, None, span)
        return self.operations.quantified("count", self.operations.selected(arguments[0], None), span)

    def _extreme(self, name: str, arguments: tuple[Expr, ...], span: Span) -> Expr:
        if len(arguments) < 2:
            self._reader.error("BUR204", f"'{name}' takes two or more arguments, found {len(arguments)}", span)
            return n.Const(0, None, span)
        result = arguments[0]
        for argument in arguments[1:]:
            result = n.Binary(name, result, argument, span)
        return result

    def _ask_sequence(self, name: str, start: Span) -> Term:
        """``len``, ``empty``, ``full`` or ``head`` of a sequence; ``len`` of a constant list."""
        self._stream.advance()
        variable, place = self._reader.name("the name of a sequence")
        entity = self._scope.globals.get(variable)
        local = self._scope.locals.get(variable)
        if isinstance(entity, Compound) or local is not None:
            found = local or entity
            assert isinstance(found, Compound | Local)
            return self._ask_compound(name, self.places.read(found, variable, place), start)
        indices = self.places.indices()
        self._stream.expect(")")
        span = self._reader.span_from(start)
        if name == "len" and isinstance(entity, n.Constant) and isinstance(entity.value, tuple):
            shape = table_shape(entity.value) or (len(entity.value),)
            if len(indices) < len(shape):
                return n.Const(shape[len(indices)], None, span)
        if not isinstance(entity, Variable) or not entity.is_sequence:
            if entity is None and variable not in self._scope.locals:
                self._reader.unknown(variable, place)
            elif entity != Broken():
                self._reader.error("BUR203", f"'{variable}' is not a sequence", place)
            self._reader.failed = True
            return n.Const(0, None, span)
        if name == "head":
            return n.Item(variable, indices, n.Const(0, None, span), span)
        return of_length(name, n.Length(variable, indices, span), entity.capacity or 0, span)

    def _ask_compound(self, name: str, place: Place, start: Span) -> Term:
        self._stream.expect(")")
        span = self._reader.span_from(start)
        kind = place.type
        if not isinstance(kind, SequenceType | BagType) or (name == "head" and isinstance(kind, BagType)):
            if not self._reader.failed:
                remedy = _INSTEAD_OF_SETS.get(name, "").format(place.text) if isinstance(kind, SetType) else ""
                self._reader.error("BUR203", f"'{place.text}' is not a sequence", place.span, help=remedy)
            return n.Const(0, None, span)
        if name == "head":
            return self.places.value(self.places.front(place, span))
        room = kind.most if isinstance(kind, BagType) else kind.capacity
        return of_length(name, self.places.length(place, span), room, span)
