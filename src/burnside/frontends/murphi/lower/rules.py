"""Rules, start states and properties, with the names around them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, final

from burnside.claims.kinds import Claim, Fairness, InfiniteRuns, Invariant, Reachable
from burnside.frontends.murphi.lower.calls import Calls
from burnside.frontends.murphi.lower.returns import entered
from burnside.frontends.murphi.lower.symbolic import Execution, Unforeseeable, without
from burnside.frontends.murphi.names.scope import Refused, Report, Scope
from burnside.frontends.murphi.names.terms import Value, Wrong
from burnside.frontends.murphi.names.types import BOOLEAN
from burnside.frontends.murphi.read import syntax
from burnside.frontends.murphi.read.syntax import AnyRule
from burnside.ir import nodes as n
from burnside.ir.build import conjunction, disjunction, quantify
from burnside.ir.instances import own_event
from burnside.ir.nodes import FALSE, TRUE, Expr, Parameter
from burnside.ir.walk import statements
from burnside.ltl import formula as ltl
from burnside.values import dataclass, replace

_ATOM: Final = "p"


@final
@dataclass(frozen=True, slots=True)
class Around:
    """What stands around a rule: names with their values, and aliases in the scopes where they are bound."""

    scope: Scope
    parameters: tuple[Parameter, ...] = ()
    aliases: tuple[tuple[syntax.Alias, ...], ...] = ()
    taken: frozenset[str] = frozenset()


class Rules(Calls):
    """Lowers rules. ``known`` are the names that the model has for itself."""

    def __init__(self, report: Report, known: Iterable[str], *, copies_undefined: bool) -> None:
        super().__init__(report, copies_undefined=copies_undefined)
        self._known = frozenset(known)
        self.rules: list[n.Rule] = []
        self.starts: list[n.Rule] = []
        self.claims: list[Claim] = []
        self._assumptions: list[Expr] = []
        self._names: set[str] = set()
        self._hits: dict[n.Assert, list[Expr]] = {}

    def rule(self, rule: AnyRule, around: Around) -> None:
        """A rule or property, or several of them."""
        try:
            self._any_rule(rule, around)
        except Refused:
            if self.report.diagnostics.is_full:
                raise

    def _any_rule(self, rule: AnyRule, around: Around) -> None:
        self.taken = {*self._known, *around.taken}
        match rule:
            case syntax.Ruleset(binders=binders, rules=rules):
                scope, parameters = around.scope.inner(), [*around.parameters]
                for binder in binders:
                    name, domain = self.bound(binder, scope)
                    parameters.append(Parameter(name, domain, binder.name.span))
                inside = replace(
                    around, scope=scope, parameters=tuple(parameters), taken=frozenset(self.taken - self._known)
                )
                self._each(rules, inside)
            case syntax.AliasedRules(aliases=aliases, rules=rules):
                self._each(rules, self._aliased(aliases, around))
            case syntax.Choose(span=span):
                self.refuse_multiset(span)
            case syntax.Rule():
                self._rule(rule, around)
            case syntax.StartState():
                title = self._title(rule.title or "start state", self.starts)
                body = self._program(rule.declarations, rule.body, around, "a start state")
                event = own_event(rule.title or "start state", around.parameters)
                self.starts.append(n.Rule(title, around.parameters, TRUE, event, body, rule.span))
            case syntax.Property():
                self._property(rule, around)

    def _each(self, rules: Iterable[AnyRule], around: Around) -> None:
        for rule in rules:
            self.rule(rule, around)

    def _aliased(self, aliases: tuple[syntax.Alias, ...], around: Around) -> Around:
        """Aliases of constants are known at once; others are bound anew in every guard and body."""
        scope = around.scope.inner()
        for alias in aliases:
            try:
                with self.collecting() as before:
                    found = self.term(alias.value, scope)
                is_known = isinstance(found, Value) and found.fixed and not before
                scope.bind(alias.name, found if is_known else Wrong())
                if not is_known:
                    around = replace(around, aliases=(*around.aliases, (alias,)))
                    scope.bind(alias.name, found)  # for aliases of it
            except Refused:
                scope.bind(alias.name, Wrong())
        return replace(around, scope=scope)

    def _bound(self, around: Around) -> Scope:
        scope = around.scope.inner()
        for aliases in around.aliases:
            self.bind_aliases(aliases, scope)
        return scope

    # ------------------------------------------------------------ programs

    def _rule(self, rule: syntax.Rule, around: Around) -> None:
        shown = rule.title or f"rule {len(self.rules) + 1}"
        title = self._title(shown, self.rules)
        guard: Expr = TRUE
        if rule.guard is not None:
            guard = self._condition(rule.guard, around, "a guard")
        self.taken = {*self._known, *around.taken}
        body = self._program(rule.declarations, rule.body, around, "a rule")
        event = own_event(shown, around.parameters)
        self.rules.append(n.Rule(title, around.parameters, guard, event, body, rule.span))

    def _title(self, title: str, others: list[n.Rule]) -> str:
        """A name of its own for a rule: several may have the same title."""
        names, count, found = {rule.name for rule in others}, 1, title
        while found in names:
            count += 1
            found = f"{title} ({count})"
        return found

    def _program(
        self, declarations: tuple[syntax.Declaration, ...], body: syntax.Block, around: Around, what: str
    ) -> tuple[n.Stmt, ...]:
        self.begin()
        with self.collecting() as found:
            scope = self._bound(around).inner()
            self.locals(declarations, scope)
            self.exits.append(entered(self, what, body))
            try:
                self.block(body, scope)
            finally:
                self.exits.pop()
        return tuple(found)

    def _condition(self, expr: syntax.Expression, around: Around, where: str) -> Expr:
        """A condition on a state."""
        self.begin()
        self.place_of_use = where

        def lower() -> Value:
            scope = self._bound(around)
            return Value(BOOLEAN, self.truth(expr, scope), span=expr.span)

        try:
            return self.alone(lower, expr.span).expr
        finally:
            self.place_of_use = ""

    # ------------------------------------------------------------ properties

    def _property(self, rule: syntax.Property, around: Around) -> None:
        condition = self._condition(rule.condition, around, f"a property ('{rule.word}')")
        if rule.word == "assume":
            self._assumptions.append(quantify("forall", around.parameters, condition))
            return
        name = self._name(rule.title or rule.word)
        match rule.word:
            case "invariant":
                whole = quantify("forall", around.parameters, condition)
                self.claims.append(Invariant(name, whole, span=rule.span))
            case "cover":
                whole = quantify("exists", around.parameters, condition)
                self.claims.append(Reachable(name, whole, span=rule.span))
            case _:
                formula = ltl.always(ltl.eventually(ltl.atom(_ATOM)))
                text = f"[]<> ({' '.join(rule.condition.span.text.split())})"
                self.claims.append(
                    InfiniteRuns(
                        name, formula, ((_ATOM, condition),), around.parameters, Fairness.GLOBAL, text, rule.span
                    )
                )

    def _name(self, title: str) -> str:
        """A name of its own for a property."""
        count, found = 1, title
        while found in self._names:
            count += 1
            found = f"{title} {count}"
        self._names.add(found)
        return found

    # ------------------------------------------------------------ assumptions, and what is covered on the way

    def finish(self) -> None:
        """Let no step happen that an assumption does not allow, and ask for what is to be covered by steps."""
        for programs in (self.rules, self.starts):
            programs[:] = [self._finished(rule, is_step=programs is self.rules) for rule in programs]
        for mark, check in self.covered.items():
            name = self._name(check.message or "cover")
            self.claims.append(Reachable(name, disjunction(self._hits.get(mark, ())), span=check.span))

    def _finished(self, rule: n.Rule, *, is_step: bool) -> n.Rule:
        used = set(_asserts(rule.body))
        assumed, covered = used & self.assumed, used & self.covered.keys()
        if not (assumed or covered or self._assumptions):
            return rule
        execution = Execution(covered, assumed)
        try:
            execution.run(rule.body)
            allowed = execution.unless_failed(
                conjunction((execution.alive, *(execution.value(condition) for condition in self._assumptions)))
            )
        except Unforeseeable as reason:
            what = "assumptions" if assumed or self._assumptions else "'cover'"
            message = f"{what} cannot be followed through {reason}"
            self.report.error("BUR901", message, rule.span, help="write the condition into the guard")
            return rule
        guard = conjunction((rule.guard, allowed)) if assumed or self._assumptions else rule.guard
        for mark, is_hit in execution.noted:
            found = quantify("exists", rule.parameters, conjunction((rule.guard, is_hit)))
            self._hits.setdefault(mark, []).append(found if is_step else FALSE)
        return replace(rule, guard=guard, body=without(rule.body, assumed | covered))


def _asserts(body: tuple[n.Stmt, ...]) -> Iterable[n.Assert]:
    return (s for s in statements(body) if isinstance(s, n.Assert))
