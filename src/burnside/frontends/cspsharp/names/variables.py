"""What names of a CSP# text are in the model: variables, and whether what they hold is a truth value."""

from __future__ import annotations

from burnside.frontends.cspsharp.names.scope import Channel, Scope
from burnside.ir.nodes import BOOL, Binary, Bound, Const, Expr, Item, Logic, Read, Unary
from burnside.ir.operators import EQUALITIES, ORDERINGS


def slot_name(channel: Channel, position: int) -> str:
    """The variable that holds one component of a channel's messages."""
    return channel.name if position == 0 else f"{channel.name}.{position}"


def is_truth(expr: Expr, scope: Scope) -> bool:
    """Whether an expression is a truth value by its form."""
    match expr:
        case Const(domain=domain) | Bound(domain=domain):
            return domain == BOOL
        case Read(variable=name):
            return scope.variables[name].is_truth
        case Item(variable=name, indices=indices):
            arity = len(indices) + (scope.channels[name].arity or 0)
            return scope.kinds.get((name, arity, len(indices)), False)
        case Logic():
            return True
        case Unary(operator=operator):
            return operator == "!"
        case Binary(operator=operator):
            return operator in (*EQUALITIES, *ORDERINGS)
        case _:
            return False
