"""What expressions and programs use: variables they read and write, names they mention; and whether they can fault."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias, final

from burnside.ir import nodes as n
from burnside.ir.intervals import Bounds
from burnside.ir.nodes import Domain, Expr, Rule, Stmt, Variable
from burnside.ir.nodes import Value as TableValue
from burnside.ir.walk import children, descend, operands, parts, statements

# An element of a variable, by its name and its indices.
Element: TypeAlias = tuple[str, tuple[Expr, ...]]


# ---------------------------------------------------------------- variables


def elements_read(expr: Expr) -> Iterator[Element]:
    """The elements of variables that an expression may read, those in indices included."""
    return ((e.variable, e.indices) for e in parts(expr) if isinstance(e, n.Read | n.Length | n.Item))


def variables_read(expr: Expr) -> set[str]:
    """The variables that an expression may read."""
    return {name for name, _ in elements_read(expr)}


def elements_written(body: Iterable[Stmt]) -> Iterator[Element]:
    """The elements of variables that a program may write."""
    for statement in statements(body):
        match statement:
            case n.Assign(target=n.Read(variable=name, indices=indices) | n.Item(variable=name, indices=indices)):
                yield name, indices
            case n.Push(variable=name, indices=indices) | n.Pop(variable=name, indices=indices):
                yield name, indices
            case n.Clear(variable=name, indices=indices):
                yield name, indices
            case _:
                pass


def variables_written(body: Iterable[Stmt]) -> set[str]:
    """The variables that a program may write."""
    return {name for name, _ in elements_written(body)}


def evaluated_in(rule: Rule) -> Iterator[Expr]:
    """The expressions that a step of a rule evaluates."""
    yield rule.guard
    yield from rule.event.arguments
    for statement in statements(rule.body):
        yield from operands(statement)


def elements_used(rule: Rule) -> Iterator[Element]:
    """The elements of variables that a step of a rule may read or write."""
    for expr in evaluated_in(rule):
        yield from elements_read(expr)
    yield from elements_written(rule.body)


# ---------------------------------------------------------------- bound names


def free_names(expr: Expr) -> set[str]:
    """The bound names that an expression mentions and does not bind itself."""
    if isinstance(expr, n.Bound):
        return {expr.name}
    inside = set[str]().union(*map(free_names, children(expr)))
    return inside - {expr.name} if isinstance(expr, n.Quantified) else inside


def bound_names(expr: Expr) -> set[str]:
    """The names that quantifiers inside an expression bind."""
    return {node.name for node, _ in descend(expr) if isinstance(node, n.Quantified)}


def names_mentioned(body: Iterable[Stmt]) -> set[str]:
    """The bound names that a program reads or assigns."""
    found = {e.name for s in statements(body) for o in operands(s) for e in parts(o) if isinstance(e, n.Bound)}
    return found | locals_assigned(body)


def is_named(constant: n.Const) -> bool:
    """Whether a constant stands in the text under a name of its own, and not as a number or label."""
    if constant.span is None:
        return False
    text = constant.span.text.replace("`", "").strip()
    shown = str(constant.value) if constant.domain is None else constant.domain.text(constant.value)
    return text.rpartition(".")[2].lstrip("-") != shown.lstrip("-")


def names_constants(expr: Expr) -> bool:
    """Whether the value of a constant expression depends on named ones, which may be others in the next run."""
    return any(isinstance(e, n.Lookup) or (isinstance(e, n.Const) and is_named(e)) for e in parts(expr))


def locals_assigned(body: Iterable[Stmt]) -> set[str]:
    """The locals that a program assigns, after they have been declared."""
    assigned = (s.target for s in statements(body) if isinstance(s, n.Assign))
    return {target.name for target in assigned if isinstance(target, n.Bound)}


# ---------------------------------------------------------------- faults


@final
class Faults:
    """Whether expressions can fault, judged by the bounds of their parts alone: of their domains, unless given."""

    def __init__(
        self, variables: Mapping[str, Variable], tables: Mapping[str, TableValue], bounds: Bounds | None = None
    ) -> None:
        self._variables = variables
        self.bounds = bounds or Bounds(variables, tables)

    def possible(self, expr: Expr) -> bool:
        """Whether evaluating an expression might fault."""
        return any(map(self.possible, children(expr))) or self.possible_at(expr)

    def possible_at(self, expr: Expr) -> bool:
        """Whether an expression might fault although its parts have values."""
        match expr:
            case n.Read(variable=name, indices=indices) | n.Length(variable=name, indices=indices):
                return not self.are_within(indices, self._variables[name].dimensions)
            case n.Item() | n.Lookup():
                return True
            case n.Checked(operand=operand, domain=domain):
                return not self.is_within(operand, domain)
            case n.Binary(operator="/" | "%", right=right):
                low, high = self.bounds.of(right)
                return low <= 0 <= high
            case _:
                return False

    def are_within(self, indices: Sequence[Expr], dimensions: Sequence[Domain]) -> bool:
        """Whether indices are certain to be inside the dimensions of an array."""
        return all(map(self.is_within, indices, dimensions))

    def is_within(self, expr: Expr, domain: Domain) -> bool:
        """Whether the value of an expression is certain to fit a domain."""
        low, high = self.bounds.of(expr)
        return domain.low <= low and high <= domain.high
