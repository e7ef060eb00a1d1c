"""Variables that always have a value lose the one that stands for none.

Every variable is undefined before a start state is made. Most are never again: then they need no further value, reading
them needs no check, and what is symmetric is easier to see. This is so if no start state leaves them undefined, and no
rule assigns them what may be undefined; the start states are made once more to see that they stay the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, final

from burnside.claims.kinds import Claim, EventTest, InfiniteRuns, Invariant, Reachable
from burnside.frontends.murphi.names.types import UNDEFINED
from burnside.ir import nodes as n
from burnside.ir.cells import Cells
from burnside.ir.initial import initial
from burnside.ir.instances import valuation_count
from burnside.ir.nodes import Domain, Expr, Model, Rule, Stmt, Variable
from burnside.ir.rewrite import map_expr, map_stmt
from burnside.ir.semantics import FaultRaised
from burnside.ir.walk import statements
from burnside.values import replace

_MOST_RUNS: Final = 2_000  # of start states, which takes up to seconds


def without_undefined(model: Model, claims: tuple[Claim, ...]) -> tuple[Model, tuple[Claim, ...]]:
    """The same model and claims with fewer values that never occur."""
    if not model.starts or sum(valuation_count(start.parameters) for start in model.starts) > _MOST_RUNS:
        return model, claims
    try:
        states = set(initial(model))
        narrowed = _Narrowing(model, _left_undefined(model, states))
        found = narrowed.model()
        if set(initial(found)) != states:
            return model, claims
    except FaultRaised:
        return model, claims  # the search finds it as well, and can show it
    return found, tuple(map(narrowed.claim, claims))


def _left_undefined(model: Model, states: Iterable[tuple[int, ...]]) -> set[str]:
    """The variables that are undefined, in part, in some initial state."""
    starts = Cells(model).starts
    return {
        variable.name
        for variable in model.variables
        for state in states
        if _nothing(variable.domain) in state[starts[variable.name] : starts[variable.name] + variable.elements]
    }


def _nothing(domain: Domain) -> int | None:
    """The number that stands for no value, if there is one."""
    return domain.high if domain.labels == (UNDEFINED,) else None


@final
class _Narrowing:
    """Finds what may be undefined, and leaves the value out everywhere else."""

    def __init__(self, model: Model, undefined: set[str]) -> None:
        self._model = model
        self._domains = {variable.name: variable.domain for variable in model.variables}
        self._undefined = undefined
        self._locals: set[str] = set()  # of the rule at hand, those that may be undefined
        while any([self._spread(rule) for rule in model.rules]):  # noqa: C419 (every rule adds to it)
            pass

    # ------------------------------------------------------------ what may be undefined

    def _spread(self, rule: Rule) -> bool:
        """Whether a rule may make more variables undefined."""
        before = len(self._undefined)
        self._locals = self._locals_of(rule.body)
        for statement in statements(rule.body):
            match statement:
                case n.Assign(target=n.Read(variable=name), value=value):
                    if self._may_be_nothing(value, _nothing(self._domains[name])):
                        self._undefined.add(name)
        return len(self._undefined) > before

    def _locals_of(self, body: tuple[Stmt, ...]) -> set[str]:
        self._locals = set()
        count = -1
        while count < len(self._locals):
            count = len(self._locals)
            for statement in statements(body):
                match statement:
                    case n.Declare(name=name, domain=domain, value=value):
                        pass
                    case n.Assign(target=n.Bound(name=name, domain=domain), value=value):
                        pass
                    case _:
                        continue
                if self._may_be_nothing(value, _nothing(domain)):
                    self._locals.add(name)
        return self._locals

    def _may_be_nothing(self, value: Expr, nothing: int | None) -> bool:
        match value:
            case n.Const(value=number):
                return number == nothing
            case n.Bound(name=name, domain=domain):
                return _nothing(domain) is not None and name in self._locals
            case n.Read(variable=name):
                return _nothing(self._domains[name]) is not None and name in self._undefined
            case n.Choice(then=then, otherwise=otherwise):
                return self._may_be_nothing(then, nothing) or self._may_be_nothing(otherwise, nothing)
            case _:
                return False  # what is computed was checked

    # ------------------------------------------------------------ the model without it

    def model(self) -> Model:
        """The model in which only what may be undefined has a value for that."""
        rules = tuple(map(self._rule, self._model.rules))
        # Start states run on what is undefined: their locals are left as they are.
        self._locals = {
            s.name for start in self._model.starts for s in statements(start.body) if isinstance(s, n.Declare)
        }
        starts = tuple(self._rewritten(start) for start in self._model.starts)
        variables = tuple(map(self._variable, self._model.variables))
        return replace(self._model, variables=variables, rules=rules, starts=starts)

    def claim(self, claim: Claim) -> Claim:
        """A claim about that model."""
        self._locals = set()
        match claim:
            case Invariant(condition=condition) | Reachable(condition=condition):
                return replace(claim, condition=self._expr(condition))
            case InfiniteRuns(atoms=atoms):
                kept = tuple((name, atom if isinstance(atom, EventTest) else self._expr(atom)) for name, atom in atoms)
                return replace(claim, atoms=kept)
            case _:
                return claim

    def _variable(self, variable: Variable) -> Variable:
        if variable.name in self._undefined or _nothing(variable.domain) is None:
            return variable
        plain = _plain(variable.domain)
        return replace(variable, domain=plain, initial=(plain.low,) * variable.elements)

    def _rule(self, rule: Rule) -> Rule:
        self._locals = self._locals_of(rule.body)
        return self._rewritten(rule)

    def _rewritten(self, rule: Rule) -> Rule:
        return replace(rule, guard=self._expr(rule.guard), body=self._block(rule.body))

    def _block(self, body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return tuple(map_stmt(self._declared(statement), self._expr, self._block) for statement in body)

    def _declared(self, statement: Stmt) -> Stmt:
        if isinstance(statement, n.Declare) and self._is_defined(statement.name, statement.domain):
            return replace(statement, domain=_plain(statement.domain))
        return statement

    def _is_defined(self, name: str, domain: Domain) -> bool:
        return _nothing(domain) is not None and name not in self._locals

    def _expr(self, expr: Expr) -> Expr:
        match expr:
            case n.Bound(name=name, domain=domain) if self._is_defined(name, domain):
                return replace(expr, domain=_plain(domain))
            case n.Checked(operand=operand, domain=domain):
                inner = self._expr(operand)
                return inner if self._fits(inner, domain) else replace(expr, operand=inner)
            case _:
                return map_expr(expr, self._expr)

    def _fits(self, expr: Expr, domain: Domain) -> bool:
        """Whether a value is one of a domain for certain."""
        match expr:
            case n.Bound(domain=own):
                return own.low >= domain.low and own.high <= domain.high
            case n.Read(variable=name):
                own = self._domains[name]
                high = own.high if name in self._undefined or _nothing(own) is None else own.high - 1
                return own.low >= domain.low and high <= domain.high
            case _:
                return False


def _plain(domain: Domain) -> Domain:
    return Domain(domain.index, domain.low, domain.high - 1, (), domain.index, domain.names)
