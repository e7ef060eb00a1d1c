"""How values of expressions are shown: as labels where their domain has some, otherwise as numbers."""

from __future__ import annotations

from collections.abc import Mapping

from burnside.ir import nodes as n
from burnside.ir.nodes import BOOL, Domain, Expr, Variable
from burnside.ir.operators import ARITHMETIC


def shown_domain(variables: Mapping[str, Variable], expr: Expr) -> Domain | None:
    """The domain that says how values of an expression are shown; it has all of them. None: they are plain numbers."""
    match expr:
        case n.Const(domain=domain) | n.Bound(domain=domain) | n.Checked(domain=domain):
            return domain
        case n.Read(variable=name) | n.Item(variable=name):
            return variables[name].domain
        case n.Logic() | n.Unary(operator="!") | n.Quantified(quantifier="forall" | "exists"):
            return BOOL
        case n.Binary(operator=operator) if operator not in ARITHMETIC:
            return BOOL
        case n.Choice(then=then, otherwise=otherwise):
            one, other = shown_domain(variables, then), shown_domain(variables, otherwise)
            return one if one == other else None
        case _:
            return None


def shown_value(variables: Mapping[str, Variable], expr: Expr, value: int) -> str:
    """A value of an expression, as a label if that is what it is."""
    domain = shown_domain(variables, expr)
    return str(value) if domain is None or value not in domain else domain.text(value)
