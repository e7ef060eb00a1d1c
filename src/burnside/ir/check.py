"""The checker of sequential models: types, shapes and number ranges.

Front ends resolve names and build nodes; everything that is true of every model is checked here, once,
with the spans the front end left on the nodes. Needs: names resolved (a missing one is reported too).
Gives: `semantics` cannot fail on the model except by a fault, and native code needs only 64-bit integers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never, final

from burnside.ir import nodes as n
from burnside.ir.initial import count_runs
from burnside.ir.instances import instance_count, valuation_count
from burnside.ir.intervals import Bounds
from burnside.ir.nodes import BOOL, Domain, Expr, Model, Parameter, Rule, Stmt, Value, Variable
from burnside.ir.operators import ARITHMETIC, CONNECTIVES, ORDERINGS
from burnside.ir.uses import Faults, variables_read
from burnside.ir.walk import children, expanded_block_size, expanded_size
from burnside.source import Diagnostics, Note, Span, did_you_mean

INT = "a number"
TRUTH = "a truth value"

WIDEST_NUMBER = 1 << 62
LARGEST_DOMAIN = 1 << 32
MOST_ROUNDS = 1 << 20  # of a loop or quantifier: one step must end in reasonable time
MOST_INSTANCES = 1 << 20  # of all rules together
MOST_WORK = 1 << 22  # nodes evaluated in one step or one evaluation of a property, loops written out
MOST_CELLS = 100_000
MOST_STARTS = 20_000  # runs of start rules
MOST_STARTING = 4_000_000  # nodes evaluated in all of them


def check_model(model: Model, diagnostics: Diagnostics) -> None:
    """Report everything that is wrong with a model."""
    checker = Checker(model, diagnostics)
    checker.check_declarations()
    if diagnostics.has_errors:
        return  # types below would only repeat what is wrong above
    checker.check_contents()


def type_of_domain(domain: Domain) -> str:
    """The type of a domain's values: truth values, numbers, or the enumeration itself."""
    if domain == BOOL:
        return TRUTH
    if not domain.is_enumeration:
        return INT
    return f"a value of '{domain.base if domain.added else domain.name}'"


@final
class Checker:
    """Looks at the parts of one model; what is wrong is reported."""

    def __init__(self, model: Model, diagnostics: Diagnostics) -> None:
        self._model = model
        self._diagnostics = diagnostics
        self._variables = {v.name: v for v in model.variables}
        self._tables = {c.name: c.value for c in model.constants if isinstance(c.value, tuple)}
        self._bounds = Bounds(self._variables, self._tables)
        self._locals: set[str] = set()  # names declared in the rule at hand: only they can be assigned

    # ------------------------------------------------------------ declarations

    def check_declarations(self) -> None:
        """Names are unique, domains are sane, initial values fit."""
        self.check_unique(("variable", v.name, v.span) for v in self._model.variables)
        self.check_unique(("rule", r.name, r.span) for r in self._model.rules)
        self.check_unique(("start rule", r.name, r.span) for r in self._model.starts)
        for constant in self._model.constants:
            if isinstance(constant.value, tuple) and table_shape(constant.value) is None:
                self._error("BUR203", f"the rows of '{constant.name}' differ in length", constant.span)
        for variable in self._model.variables:
            self._check_variable(variable)
        if sum(v.elements * (1 + (v.capacity or 0)) for v in self._model.variables) > MOST_CELLS:
            self._error("BUR205", f"the model has more than {MOST_CELLS:,} cells", None)
        if instance_count(self._model) > MOST_INSTANCES:
            largest = max(self._model.rules, key=lambda r: valuation_count(r.parameters))
            message = f"the rules have more than {MOST_INSTANCES:,} instances"
            self._error("BUR502", message, largest.span, help="give the parameters smaller domains")

    def check_unique(self, declared: Iterable[tuple[str, str, Span | None]]) -> None:
        """Report names that are declared twice; each comes with what it is and where."""
        first: dict[str, Span | None] = {}
        for kind, name, span in declared:
            if name in first:
                notes = [Note(f"'{name}' is declared first here", span=first[name])]
                self._diagnostics.error("BUR202", f"{kind} '{name}' is declared twice", span, notes=notes)
            else:
                first[name] = span

    def _check_variable(self, variable: Variable) -> None:
        for domain in (variable.domain, *variable.dimensions):
            if not 1 <= domain.size <= LARGEST_DOMAIN:
                shown = domain.name or f"{domain.low}..{domain.high}"
                self._error(
                    "BUR205", f"domain '{shown}' of '{variable.name}' has {domain.size:,} values", variable.span
                )
                return
        if variable.capacity is not None and variable.capacity < 1:
            self._error("BUR205", f"sequence '{variable.name}' has no room for any item", variable.span)
        if len(variable.initial) != variable.elements:
            message = f"'{variable.name}' has {variable.elements} elements, but {len(variable.initial)} initial values"
            self._error("BUR206", message, variable.span)
        if any(isinstance(value, tuple) != variable.is_sequence for value in variable.initial):
            wanted = "lists of items" if variable.is_sequence else "single values"
            self._error("BUR206", f"the elements of '{variable.name}' start as {wanted}", variable.span)
        for value in variable.initial:
            items = value if isinstance(value, tuple) else () if value is None else (value,)
            if isinstance(value, tuple) and len(value) > (variable.capacity or 0):
                self._error("BUR206", f"'{variable.name}' holds at most {variable.capacity} items", variable.span)
            for item in items:
                if item not in variable.domain:
                    bounds = f"{variable.domain.low}..{variable.domain.high}"
                    message = f"initial value {item} of '{variable.name}' is outside {bounds}"
                    self._error("BUR206", message, variable.span)
                    return

    # ------------------------------------------------------------ rules

    def check_contents(self) -> None:
        """Rules and conditions, once the declarations are right."""
        for rule in self._model.programs:
            self.check_rule(rule)
        self._check_starts()
        for condition in (*self._model.initially, self._model.terminal):
            self.expect(condition, TRUTH, {})

    def check_rule(self, rule: Rule) -> None:
        """Guard, event and body of a rule."""
        self._locals.clear()
        if expanded_size(rule.guard) + expanded_block_size(rule.body) > MOST_WORK:
            self._error(
                "BUR502", f"one step of rule '{rule.name}' could take more than {MOST_WORK:,} operations", rule.span
            )
            return
        scope = self.scope(rule.parameters, rule.span)
        self.expect(rule.guard, TRUTH, scope)
        for argument in rule.event.arguments:
            self.type_of(argument, scope)
        for actor in rule.actors or ():
            self._check_actor(actor, rule, scope)
        self._check_block(rule.body, scope)

    def _check_starts(self) -> None:
        """Start rules are run when the model is read."""
        starts = self._model.starts
        if not starts or self._diagnostics.has_errors:
            return
        runs = count_runs(self._model)
        longest = max(expanded_size(s.guard) + expanded_block_size(s.body) for s in starts)
        if runs > MOST_STARTS or runs * (longest + sum(map(expanded_size, self._model.initially))) > MOST_STARTING:
            remedy = "give parameters smaller domains, and variables one first value instead of any"
            much = f"{MOST_STARTS:,} times" if runs > MOST_STARTS else f"through {MOST_STARTING:,} operations"
            message = f"the start rules would have to be run more than {much}"
            self._error("BUR502", message, starts[0].span, help=remedy)

    def _check_actor(self, actor: n.Actor, rule: Rule, scope: Mapping[str, Domain]) -> None:
        """Who acts is known before the model runs."""
        if actor.id is None or not self.type_of(actor.id, scope):
            return
        span = actor.id.span or rule.span
        faults = Faults(self._variables, self._tables)
        if variables_read(actor.id) or faults.possible(actor.id):
            message = f"who acts in rule '{rule.name}' must be known before the model runs"
            self._error("BUR207", message, span, help="name the process by parameters and constants")
            return
        low, high = faults.bounds.of(actor.id)
        for domain in self._model.domains:
            if domain.name == domain.index == actor.kind and not (low in domain and high in domain):
                ids = f"{domain.low}..{domain.high}"
                self._error("BUR203", f"this may not be a '{domain.name}', whose ids are {ids}", span)

    def scope(self, parameters: tuple[Parameter, ...], span: Span | None) -> dict[str, Domain]:
        """The names that parameters bring into scope."""
        scope: dict[str, Domain] = {}
        for parameter in parameters:
            self._bind(parameter.name, parameter.domain, scope, span)
        return scope

    def _bind(
        self, name: str, domain: Domain, scope: dict[str, Domain], span: Span | None, *, largest: int = MOST_ROUNDS
    ) -> None:
        # No shadowing: substitution downstream may then ignore capture.
        if name in scope or name in self._variables or name in self._tables:
            self._error(
                "BUR202", f"'{name}' is already the name of something else here", span, help="choose another name"
            )
        if not 1 <= domain.size <= largest:
            self._error("BUR205", f"'{name}' ranges over {max(domain.size, 0):,} values", span)
        scope[name] = domain

    def _check_block(self, body: tuple[Stmt, ...], outer: Mapping[str, Domain]) -> None:
        scope = dict(outer)
        for statement in body:
            self._check_statement(statement, scope)

    def _check_statement(self, statement: Stmt, scope: dict[str, Domain]) -> None:
        match statement:
            case n.Assign(target=target, value=value):
                if isinstance(target, n.Bound) and target.name not in self._locals:
                    self._error("BUR210", f"'{target.name}' is no variable and cannot be assigned", target.span)
                self.type_of(target, scope)
                self.expect(value, self._target_type(target), scope)
            case n.Declare(name=name, domain=domain, value=value):
                self.expect(value, type_of_domain(domain), scope)
                self._bind(name, domain, scope, statement.span, largest=LARGEST_DOMAIN)
                self._locals.add(name)
            case n.If(condition=condition, then=then, otherwise=otherwise):
                self.expect(condition, TRUTH, scope)
                self._check_block(then, scope)
                self._check_block(otherwise, scope)
            case n.For(name=name, domain=domain, body=body):
                inner = dict(scope)
                self._bind(name, domain, inner, statement.span)
                self._check_block(body, inner)
            case n.While(condition=condition, limit=limit, body=body):
                self.expect(condition, TRUTH, scope)
                if not 0 <= limit <= MOST_ROUNDS:
                    self._error("BUR205", f"a loop cannot have {limit:,} rounds", statement.span)
                self._check_block(body, scope)
            case n.Assert(condition=condition):
                self.expect(condition, TRUTH, scope)
            case (
                n.Push(variable=name, indices=indices)
                | n.Pop(variable=name, indices=indices)
                | n.Clear(variable=name, indices=indices)
            ):
                variable = self._element(name, indices, scope, statement.span, sequence=True)
                if isinstance(statement, n.Push) and variable is not None:
                    self.expect(statement.value, type_of_domain(variable.domain), scope)
            case _:
                assert_never(statement)

    def _target_type(self, target: n.Read | n.Item | n.Bound) -> str:
        if isinstance(target, n.Bound):
            return type_of_domain(target.domain)
        variable = self._variables.get(target.variable)
        return type_of_domain(variable.domain) if variable else ""

    # ------------------------------------------------------------ expressions

    def expect(self, expr: Expr, wanted: str, scope: Mapping[str, Domain]) -> None:
        """Report an expression whose type is not ``wanted`` (an empty type was reported before)."""
        actual = self.type_of(expr, scope)
        if actual and wanted and actual != wanted:
            self._error("BUR203", f"expected {wanted}, found {actual}", expr.span)

    def type_of(self, expr: Expr, scope: Mapping[str, Domain]) -> str:
        """The type of an expression, or an empty string after an error inside it."""
        kind = self._type_of_node(expr, scope)
        if kind == INT and not isinstance(expr, n.Const | n.Bound | n.Read) and self._is_too_wide(expr):
            if not any(map(self._is_too_wide, children(expr))):  # else it was said of a part
                self._error("BUR208", "this expression could leave the range of 64-bit numbers", expr.span)
            return ""
        return kind

    def _is_too_wide(self, expr: Expr) -> bool:
        low, high = self._bounds.of(expr)
        return max(-low, high) > WIDEST_NUMBER

    def _type_of_node(self, expr: Expr, scope: Mapping[str, Domain]) -> str:
        match expr:
            case n.Const(value=value, domain=domain):
                if domain is None and abs(value) > WIDEST_NUMBER:
                    self._error("BUR208", "this number is too large", expr.span)
                    return ""
                return type_of_domain(domain) if domain else INT
            case n.Bound(name=name, domain=domain):
                if scope.get(name) != domain:
                    self._error("BUR201", f"'{name}' is not known here", expr.span, help=did_you_mean(name, scope))
                    return ""
                return type_of_domain(domain)
            case n.Read(variable=name, indices=indices):
                variable = self._element(name, indices, scope, expr.span, sequence=False)
                return type_of_domain(variable.domain) if variable else ""
            case n.Length(variable=name, indices=indices):
                return INT if self._element(name, indices, scope, expr.span, sequence=True) else ""
            case n.Item(variable=name, indices=indices, position=position):
                variable = self._element(name, indices, scope, expr.span, sequence=True)
                self.expect(position, INT, scope)
                return type_of_domain(variable.domain) if variable else ""
            case n.Lookup():
                return self._type_lookup(expr, scope)
            case n.Unary(operator=operator, operand=operand):
                wanted = INT if operator == "-" else TRUTH
                self.expect(operand, wanted, scope)
                return wanted
            case n.Binary():
                return self._type_binary(expr, scope)
            case n.Logic(operands=operands):
                for operand in operands:
                    self.expect(operand, TRUTH, scope)
                return TRUTH
            case n.Choice(condition=condition, then=then, otherwise=otherwise):
                self.expect(condition, TRUTH, scope)
                kind = self.type_of(then, scope)
                self.expect(otherwise, kind, scope)
                return kind
            case n.Quantified():
                return self._type_quantified(expr, scope)
            case n.Checked():
                return self._type_checked(expr, scope)
            case _:
                assert_never(expr)

    def _type_binary(self, expr: n.Binary, scope: Mapping[str, Domain]) -> str:
        if expr.operator in ARITHMETIC or expr.operator in ORDERINGS:
            self.expect(expr.left, INT, scope)
            self.expect(expr.right, INT, scope)
            return INT if expr.operator in ARITHMETIC else TRUTH
        if expr.operator in CONNECTIVES:
            self.expect(expr.left, TRUTH, scope)
            self.expect(expr.right, TRUTH, scope)
            return TRUTH
        self.expect(expr.right, self.type_of(expr.left, scope), scope)
        return TRUTH

    def _type_quantified(self, expr: n.Quantified, scope: Mapping[str, Domain]) -> str:
        inner = dict(scope)
        self._bind(expr.name, expr.domain, inner, expr.span)
        self.expect(expr.body, INT if expr.quantifier == "sum" else TRUTH, inner)
        return TRUTH if expr.quantifier in ("forall", "exists") else INT

    def _type_checked(self, expr: n.Checked, scope: Mapping[str, Domain]) -> str:
        """The type of the domain, which is that of what is checked; a truth value is always one."""
        kind = type_of_domain(expr.domain)
        if not 1 <= expr.domain.size <= LARGEST_DOMAIN:
            self._error("BUR205", f"this domain has {max(expr.domain.size, 0):,} values", expr.span)
            return ""
        if kind == TRUTH:
            self._error("BUR203", "a truth value needs no check that it is one", expr.span)
            return ""
        self.expect(expr.operand, kind, scope)
        return kind

    def _type_lookup(self, expr: n.Lookup, scope: Mapping[str, Domain]) -> str:
        table = self._tables.get(expr.table)
        if table is None:
            self._error(
                "BUR201", f"there is no list '{expr.table}'", expr.span, help=did_you_mean(expr.table, self._tables)
            )
            return ""
        depth = len(table_shape(table) or ())
        if depth != len(expr.indices):
            self._error("BUR204", f"'{expr.table}' takes {depth} indices, found {len(expr.indices)}", expr.span)
            return ""
        for index in expr.indices:
            self.expect(index, INT, scope)
        return INT

    def _element(
        self, name: str, indices: tuple[Expr, ...], scope: Mapping[str, Domain], span: Span | None, *, sequence: bool
    ) -> Variable | None:
        """The variable that an access names, if the access fits its shape."""
        variable = self._variables.get(name)
        if variable is None:
            known = [v.name for v in self._model.variables if v.is_sequence == sequence]
            self._error("BUR201", f"there is no variable '{name}'", span, help=did_you_mean(name, known))
            return None
        if len(indices) != len(variable.dimensions):
            wanted = len(variable.dimensions)
            self._error(
                "BUR204", f"'{name}' takes {wanted} {'index' if wanted == 1 else 'indices'}, found {len(indices)}", span
            )
            return None
        if variable.is_sequence != sequence:
            what = "is not a sequence" if sequence else "is a sequence, not a single value"
            self._error("BUR203", f"'{name}' {what}", span)
            return None
        for index, dimension in zip(indices, variable.dimensions, strict=True):
            self.expect(index, type_of_domain(dimension), scope)
        return variable

    def _error(self, code: str, message: str, span: Span | None, *, help: str = "") -> None:
        self._diagnostics.error(code, message, span, help=help)


def table_shape(value: Value) -> tuple[int, ...] | None:
    """The lengths of a rectangular list of lists from the outside in, () for a number, None if ragged.

    >>> table_shape(((1, 2, 3), (4, 5, 6)))
    (2, 3)
    """
    if isinstance(value, int):
        return ()
    shapes = {table_shape(v) for v in value}
    if len(shapes) > 1 or None in shapes:
        return None
    inner = next(iter(shapes), ())
    return (len(value), *(inner or ()))
