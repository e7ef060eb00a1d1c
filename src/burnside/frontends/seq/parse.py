"""Declarations of ``.seq``, and the whole model.

The text is read once, from front to back, straight into nodes: names are declared before they are used,
so there is nothing a tree in between would be needed for. After an error the parser goes on with the
next statement or declaration; declarations with an error are left out of the type check.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final, final

from burnside.claims.check import check_task
from burnside.claims.kinds import Claim, DeadlockFree, InfiniteRuns, Invariant, Reachable
from burnside.claims.task import Task
from burnside.frontends.front_end import Loaded
from burnside.frontends.kit.constants import Given, report_unknown
from burnside.frontends.kit.names import Broken
from burnside.frontends.kit.options import NO_OPTIONS, Options
from burnside.frontends.kit.reader import read_text
from burnside.frontends.seq import advice
from burnside.frontends.seq.constants import Constants
from burnside.frontends.seq.domains import NONE, extended
from burnside.frontends.seq.expand import checking, stand_in, stand_in_variable, to_check
from burnside.frontends.seq.expressions import BUILT_IN, Expressions
from burnside.frontends.seq.foreign import field_names
from burnside.frontends.seq.formulas import Formulas
from burnside.frontends.seq.ids import check_ids, plain_task
from burnside.frontends.seq.optional import check_order
from burnside.frontends.seq.procedures import checked
from burnside.frontends.seq.reader import Reader, spelling
from burnside.frontends.seq.rules import Rules
from burnside.frontends.seq.scope import Definition, Procedure, TypedConstant
from burnside.frontends.seq.statements import Statements
from burnside.frontends.seq.types import MOST_FIELDS, RecordType, SetType, Type
from burnside.frontends.seq.variables import Variables
from burnside.ir import nodes as n
from burnside.ir.cells import Cells
from burnside.ir.check import LARGEST_DOMAIN, table_shape, type_of_domain
from burnside.ir.ids import Declared
from burnside.ir.nodes import BOOL, FALSE, Expr, Value
from burnside.ir.printer import DECLARATIONS, Declaration, Word
from burnside.source import Diagnostics, Note, Source, Span, SyntaxStop


def load(source: Source, constants: Mapping[str, Given], _: Options = NO_OPTIONS) -> Loaded:
    """The task that a ``.seq`` text describes, or none if the diagnostics hold an error.

    ``constants`` override the declarations of the same names.
    """
    diagnostics = Diagnostics()
    parser = _Parser(source, constants, diagnostics)
    read = parser.task()
    task = plain_task(read)
    found = Diagnostics()  # apart, so that mistakes in the text do not keep others from being found
    if not parser.is_broken:
        rules = (*parser.to_check(), *read.model.rules)
        variables = (*read.model.variables, *parser.stand_ins())
        everything = replace(read, model=replace(read.model, rules=rules, variables=variables))
        check_ids(everything, found)
        check_order(everything, parser.declared(everything.model), found)
        check_task(plain_task(everything), found)
    for diagnostic in found:
        diagnostics.add(diagnostic)
    return Loaded(() if diagnostics.has_errors else (task,), diagnostics)


@final
class _Parser:
    """Reads declarations one after the other."""

    def __init__(self, source: Source, given: Mapping[str, Given], diagnostics: Diagnostics) -> None:
        self._reader = Reader(source, diagnostics)
        self._stream = self._reader.stream
        self._scope = self._reader.scope
        self._known = Constants(self._reader)
        self._expressions = Expressions(self._reader, self._known)
        self._statements = Statements(self._reader, self._expressions, self._known)
        self._given = given
        self._is_begun = False
        self.is_broken = False  # whether something that others refer to is missing
        self._constants: list[n.Constant] = []
        rules: list[n.Rule] = []
        self._variables = Variables(self._reader, self._expressions, self._known, rules)
        self._initially: list[Expr] = []
        self._definitions: list[Definition] = []
        self._rules = Rules(self._reader, self._expressions, self._statements, rules)
        self._procedures: list[Procedure] = []
        self._claims: list[Claim] = []
        self._temporal: list[Claim] = []
        self._formulas = Formulas(self._reader, self._expressions, self._rules.found)
        self._terminal: list[Expr] = []
        self._forms: Mapping[Declaration | Word, Callable[[], None]] = {
            "const": self._constant,
            "process": self._domain,
            "domain": self._domain,
            "record": self._record,
            "union": self._expressions.unions.declaration,
            "var": self._variables.declaration,
            "initially": self._initial_condition,
            "def": self._definition,
            "procedure": self._procedure,
            "rule": self._rules.rule,
            "ruleset": self._rules.block,
            "start": self._rules.start,
            "terminal": self._terminal_states,
            "invariant": partial(self._property, Invariant),
            "reachable": partial(self._property, Reachable),
            "deadlockfree": self._deadlock_freedom,
            "ltl": self._temporal_claim,
        }

    # ------------------------------------------------------------ the model

    def task(self) -> Task:
        """All declarations that could be read."""
        if read_text(self._stream, self._declaration, self._recover):
            self._check_given()
        if not self._is_begun and not self._reader.diagnostics.has_errors:
            remedy = "write variables and rules: 'var x: 0..9;', 'rule up when x < 9 do { x := x + 1; }'"
            self._reader.error("BUR216", "the model declares nothing", None, help=remedy)
        model = n.Model(
            name=self._reader.source.name,
            constants=tuple(self._constants),
            domains=tuple(self._scope.domains),
            variables=tuple(self._variables.found),
            rules=tuple(self._rules.found),
            initially=tuple(self._initially),
            terminal=self._terminal[0] if self._terminal else FALSE,
            wholes=tuple(self._variables.wholes),
            starts=tuple(self._rules.starts),
        )
        return Task(model, (*self._claims, *self._temporal))

    def declared(self, model: n.Model) -> Declared:
        """What says which expressions of a model are ids, or may be none."""
        return Declared(Cells(model).variables, {d.name: d for d in model.domains}, self._scope.optional)

    def to_check(self) -> tuple[n.Rule, ...]:
        """Rules that stand for what is not in the model, so that its types are checked like all others."""
        definitions = (found for definition in self._definitions for found in to_check(definition))
        computed = (*definitions, *self._known.evaluated)
        exprs = (checking(f" {number}", names, body) for number, (names, body) in enumerate(computed))
        return (*exprs, *(rule for rule, _ in map(checked, self._procedures)))

    def stand_ins(self) -> tuple[n.Variable, ...]:
        """The variables that the bodies of procedures use in the places of references."""
        return tuple(variable for _, variables in map(checked, self._procedures) for variable in variables)

    def _declaration(self) -> None:
        """One declaration. Its local names end with it, and so does an error in it."""
        reader = self._reader
        reader.failed, reader.declared, reader.defining = False, [], ""
        self._is_begun = True
        self._scope.locals = {}
        self._scope.stand_ins = {}
        self._scope.inlined = 0
        word = self._stream.peek.text
        declared: tuple[list[Any], ...] = (
            self._rules.found,
            self._rules.starts,
            self._claims,
            self._temporal,
            self._initially,
            self._terminal,
        )
        counts = [len(part) for part in declared]
        try:
            reader.declaration(self._forms, advice.DECLARATIONS)
        except SyntaxStop:
            reader.failed = True
            raise
        finally:
            if reader.failed:
                for part, count in zip(declared, counts, strict=True):
                    del part[count:]
                for name in reader.declared:
                    self._scope.globals.setdefault(name, Broken())
                self.is_broken |= word in ("const", "process", "domain", "record", "union", "var")

    def _recover(self) -> None:
        if not self._reader.skip_foreign(self._forms, advice.DECLARATIONS):
            self._reader.skip_declaration(DECLARATIONS, ends=(";", "}"), inside=("var",))

    # ------------------------------------------------------------ constants

    def _constant(self) -> None:
        name, span = self._reader.new_global("constant")
        is_value = self._stream.peek_kinds(3) == [":", "number", ";"]
        declared = self._expressions.domains.domain() if not is_value and self._stream.accept(":") else None
        self._reader.sign("=", ":=", "==", ":", help="declarations take '='")
        value, domain = self._constant_value() if declared is None else self._value_of_domain(declared)
        place = self._reader.span_from(span)
        self._reader.end()
        if name in self._given:
            value = self._override(name, value, domain, self._given[name], span)
        if self._reader.failed:
            return
        if declared is not None and value not in declared.values():
            message = f"constant '{name}' is {value}, which is outside {declared.low}..{declared.high}"
            self._reader.error("BUR211" if name in self._given else "BUR206", message, span)
            return
        # A truth value or a label is a number wherever the model is printed: it stands in expressions by itself.
        self._constants.append(n.Constant(name, value, place))
        typed = TypedConstant(n.Const(value, domain)) if domain is not None and isinstance(value, int) else None
        self._scope.declare(name, typed or self._constants[-1], span)

    def _constant_value(self) -> tuple[Value, n.Domain | None]:
        """What stands behind ``=``, and the domain of a truth value or label."""
        if self._stream.at("[") or self._is_list():
            return self.value(), None
        expr = self._expressions.expression()
        domain = None if self._reader.failed else self._known.domain_of(expr)
        if domain is None or not (domain == BOOL or domain.is_enumeration):
            return self._known.number(expr), None
        return self._known.value_of(expr, {}), domain

    def _value_of_domain(self, declared: n.Domain) -> tuple[Value, n.Domain | None]:
        """The same for a constant whose domain is declared."""
        operations = self._expressions.operations
        expr = operations.scalar(operations.as_type(self._expressions.term(), declared))
        return self._known.value_of(expr, {}), declared if declared.labels else None

    def _is_list(self) -> bool:
        """Whether the name of a constant list comes next, as a whole."""
        token = self._stream.peek
        if token.kind not in ("name", "quoted") or self._stream.peek_kinds(2)[-1] == "[":
            return False
        entity = self._scope.globals.get(spelling(token))
        return isinstance(entity, n.Constant) and isinstance(entity.value, tuple)

    def value(self) -> Value:
        """A number, or a list of values; the name of a list stands for it."""
        if self._is_list():
            entity = self._scope.globals[spelling(self._stream.advance())]
            assert isinstance(entity, n.Constant)
            return entity.value
        if not self._stream.accept("["):
            return self._expressions.constant()
        self._stream.enter()
        items = self._reader.listed(self.value, "]")
        self._stream.leave()
        return items

    def _override(self, name: str, declared: Value, domain: n.Domain | None, given: Given, span: Span) -> Value:
        if isinstance(given, str) and domain is not None and given in domain.labels:
            return domain.high - len(domain.labels) + 1 + domain.labels.index(given)
        if isinstance(given, str) and domain is not None and domain != BOOL:
            remedy = f"its labels are {', '.join(domain.labels)}"
            self._reader.error("BUR211", f"'{domain.name}' has no label '{given}' for '{name}'", span, help=remedy)
            return declared
        wanted = _kind(declared) if domain is None else type_of_domain(domain)
        found = "a truth value" if isinstance(given, bool) else "a label" if isinstance(given, str) else _kind(given)
        if wanted != found:
            self._reader.error("BUR211", f"constant '{name}' is {wanted}, but was given {found}", span)
        return declared if isinstance(given, str) else int(given) if isinstance(given, bool) else given

    def _check_given(self) -> None:
        declared = [c.name for c in self._constants]
        broken = {name for name, entity in self._scope.globals.items() if isinstance(entity, Broken)}
        report_unknown(self._given.keys() - declared - broken, declared, self._reader.diagnostics)

    # ------------------------------------------------------------ domains

    def _domain(self) -> None:
        is_process = self._stream.previous.kind == "process"
        name, span = self._reader.new_global("domain")
        self._reader.sign("=", ":=", "==", ":", help="declarations take '='")
        start = self._stream.peek.span
        base = n.Domain("", 0, -1) if self._stream.at("{") else self._expressions.domains.plain()
        if not isinstance(base, n.Domain):
            self._reader.error("BUR203", "expected a domain", self._reader.span_from(start))
            base = n.Domain("", 0, 0)
        labels: list[tuple[str, Span]] = []
        is_optional = bool(self._stream.accept("?"))
        if is_optional:
            labels = [(NONE, self._stream.previous.span)]
        elif self._stream.at("{") or self._stream.accept("+"):
            labels = self._expressions.domains.labels()
        index = base.index
        if not index and self._stream.accept("of"):
            index = self._expressions.domains.index_of()
        place = self._reader.span_from(start)
        self._reader.end()
        if labels:
            self._expressions.domains.is_extensible(base, labels, start)
        domain = extended(name, base, labels, index=name if is_process else index, span=span)
        if not labels and (base.labels or base == BOOL):
            self._reader.error("BUR901", "an enumeration cannot have a second name", place)
        if not 1 <= domain.size <= LARGEST_DOMAIN and not self._reader.failed:
            self._reader.error("BUR205", f"domain '{name}' has {domain.size:,} values", place)
        if not self._reader.failed:
            self._expressions.domains.declare(domain, labels, span)
            if is_optional:
                self._scope.optional.add(domain)

    def _record(self) -> None:
        """``record Name { field: type, … }``; types are declared before, so that no record is in itself."""
        name, span = self._reader.new_global("record")
        self._reader.defining = name
        self._stream.expect("{")
        fields: dict[str, Type] = {}
        while not self._stream.at("}"):
            names = field_names(self._reader)
            kind = self._expressions.domains.type()
            for field, place in names:
                if field in fields:
                    self._reader.error("BUR202", f"field '{field}' stands twice in one record", place)
                fields[field] = kind
            if not self._stream.accept(",", ";"):
                break
        self._stream.expect("}")
        size = sum(kind.size if isinstance(kind, RecordType) else 1 for kind in fields.values())
        if not fields:
            self._reader.error("BUR205", f"record '{name}' has no fields", span)
        if size > MOST_FIELDS:
            message = f"record '{name}' has {size:,} fields, more than {MOST_FIELDS}"
            self._reader.error("BUR205", message, span, help="records inside it count with all their fields")
        if not self._reader.failed:
            self._scope.declare(name, RecordType(name, tuple(fields.items()), size), span)

    def _initial_condition(self) -> None:
        self._initially.append(self._expressions.expression())
        self._reader.end()

    def _terminal_states(self) -> None:
        span = self._stream.previous.span
        if self._terminal:
            notes = [Note("the first stands here", span=self._terminal[0].span)]
            self._reader.error("BUR202", "terminal states are declared twice", span, help="join with '||'", notes=notes)
        self._stream.expect(":")
        self._terminal.append(self._expressions.expression())
        self._reader.end()

    # ------------------------------------------------------------ definitions, rules, properties

    def _definition(self) -> None:
        name, span = self._reader.new_global("definition")
        if name in BUILT_IN:
            self._reader.error("BUR202", f"'{name}' is a function of the language", span, help="choose another name")
        parameters = self._rules.typed_parameters()
        for parameter in parameters:
            if isinstance(parameter.type, SetType):
                self._scope.stand_ins[parameter.name] = stand_in(parameter)
                self._scope.variables[stand_in(parameter)] = stand_in_variable(parameter)
        self._reader.sign("=", ":=", "==", help="declarations take '='")
        self._reader.defining = name
        body = self._expressions.term()
        self._reader.end()
        if not self._reader.failed:
            self._definitions.append(Definition(name, parameters, body))
            self._scope.declare(name, self._definitions[-1], span)

    def _procedure(self) -> None:
        start = self._stream.peek.span
        procedure = self._statements.procedure()
        if not self._reader.failed:
            self._procedures.append(procedure)
            self._scope.declare(procedure.name, procedure, start)

    def _property(self, kind: type[Invariant | Reachable]) -> None:
        name, span = self._reader.name("the name of the property")
        parameters = self._rules.parameters()
        self._stream.expect(":")
        condition = self._expressions.expression()
        self._reader.end()
        self._claims.append(kind(name, condition, parameters, span))

    def _deadlock_freedom(self) -> None:
        name, span = self._reader.name("the name of the property")
        up_to_stuttering = bool(self._reader.accept_word("up"))
        if up_to_stuttering and not (self._reader.accept_word("to") and self._reader.accept_word("stuttering")):
            self._stream.fail("'to stuttering'")
        self._reader.end()
        self._claims.append(DeadlockFree(name, span, up_to_stuttering))

    def _temporal_claim(self) -> None:
        name, span = self._reader.name("the name of the claim")
        parameters = self._rules.parameters()
        fairness = self._formulas.fairness()
        self._stream.expect(":")
        start = self._stream.peek.span
        written = self._formulas.formula()
        text = self._reader.span_from(start).text
        self._reader.end()
        atoms = tuple(sorted(written.atoms.items()))
        parameters += written.parameters
        self._temporal.append(InfiniteRuns(name, written.formula, atoms, parameters, fairness, text, span))


_KINDS: Final = {0: "a number", 1: "a list"}


def _kind(value: Value) -> str:
    depth = len(table_shape(value) or ()) if isinstance(value, tuple) else 0
    return _KINDS.get(max(depth, 1) if isinstance(value, tuple) else 0, "a list of lists")
