"""Property files: assertions become invariants, formulas of linear temporal logic are answered by a warning."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, final

from burnside.frontends.rebeca import syntax
from burnside.frontends.rebeca.expressions import ExpressionTranslator
from burnside.frontends.rebeca.scope import Frame, Typed, Unusable
from burnside.frontends.rebeca.shape import Shape
from burnside.frontends.rebeca.syntax import Expression, Formula, PropertyFile
from burnside.frontends.rebeca.types import BOOLEAN, Class, Type
from burnside.ir.nodes import Const, Expr, Logic, Property, PropertyKind, Read, Unary
from burnside.source import Diagnostics, Span, did_you_mean

DEADLOCK_FREE: Final = "deadlockfree"


def properties_of(file: PropertyFile | None, shape: Shape, diagnostics: Diagnostics) -> Iterator[Property]:
    """The claims of a property file, and that no reachable state is a deadlock."""
    names: dict[str, Span] = {}
    if file is not None:
        translator = _FormulaTranslator(shape, file, diagnostics)
        for formula in file.assertions:
            if formula.name in names:
                diagnostics.error("BUR202", f"property '{formula.name}' is declared twice", formula.span)
                continue
            names[formula.name] = formula.span
            try:
                condition = translator.condition(formula)
            except Unusable:
                continue  # reported
            yield Property(formula.name, PropertyKind.INVARIANT, condition, span=formula.span)
        for formula in file.temporal:
            message = f"'{formula.name}' is not checked: claims about whole runs are not supported yet"
            remedy = "what must hold in every state can be written under 'Assertion'"
            diagnostics.warning("BUR901", message, formula.span, help=remedy)
    if DEADLOCK_FREE not in names:
        yield Property(DEADLOCK_FREE, PropertyKind.DEADLOCK_FREE)


@final
class _FormulaTranslator(ExpressionTranslator):
    """Conditions over state variables of named rebecs."""

    def __init__(self, shape: Shape, file: PropertyFile, diagnostics: Diagnostics) -> None:
        super().__init__(shape, "", diagnostics)
        self._definitions = {formula.name: formula for formula in file.definitions}
        self._rebecs = {rebec.name: number for number, rebec in self.world.rebecs.items()}
        self._open: list[str] = []

    def condition(self, formula: Formula) -> Expr:
        """A truth value of the model."""
        nothing = Class("", 1, (), (), None, {}, {}, frozenset(), is_abstract=True, span=formula.span)
        self.frames = [Frame(nothing, Const(0), Const(self.world.size))]
        self.out = []
        self._open = []
        found = self.truth(formula.condition)
        if self.out or self.choices:
            raise self.stop("BUR203", "a property has no effects and no choices", formula.span)
        return found

    def value(self, expr: Expression) -> Typed:
        """An expression in which rebecs and definitions have names."""
        match expr:
            case syntax.Name(name=name) if name in self._definitions:
                return self._definition(self._definitions[name], expr.span)
            case syntax.Name(name=name) if name in self._rebecs:
                rebec = self._rebecs[name]
                return Typed(Type(self.world.rebecs[rebec].kind.name), Const(rebec, span=expr.span))
            case syntax.Member(owner=owner, name=name):
                return self._variable(owner, name, (), expr.span)
            case syntax.Index() if (found := _indexed(expr)) is not None:
                return self._variable(found[0].owner, found[0].name, found[1], expr.span)
            case syntax.Binary(operator="->", left=left, right=right):
                return Typed(BOOLEAN, Logic("||", (Unary("!", self.truth(left)), self.truth(right)), expr.span))
            case syntax.Self() | syntax.Sender():
                raise self.stop("BUR203", "a property speaks of rebecs by their names", expr.span)
            case _:
                return super().value(expr)

    def _definition(self, formula: Formula, span: Span) -> Typed:
        if formula.name in self._open:
            raise self.stop("BUR209", f"the definition of '{formula.name}' uses itself", span)
        self._open.append(formula.name)
        found = self.value(formula.condition)
        self._open.pop()
        return found

    def _variable(self, owner: Expression, name: str, indices: tuple[Expression, ...], span: Span) -> Typed:
        if not isinstance(owner, syntax.Name) or owner.name not in self._rebecs:
            shown = owner.name if isinstance(owner, syntax.Name) else "this"
            remedy = did_you_mean(shown, self._rebecs)
            raise self.stop("BUR201", f"'{shown}' is no rebec of 'main'", owner.span, help=remedy)
        rebec = self._rebecs[owner.name]
        kind = self.world.rebecs[rebec].kind
        field = next((f for f in kind.variables if f.name == name), None)
        if field is None:
            remedy = did_you_mean(name, [f.name for f in kind.variables])
            raise self.stop("BUR201", f"class '{kind.name}' has no state variable '{name}'", span, help=remedy)
        found = self.shape.type_of(field.type)
        if len(indices) != len(found.sizes):
            raise self.stop("BUR204", f"'{name}' takes {len(found.sizes)} indices, found {len(indices)}", span)
        places = tuple(self.number(index).expr for index in indices)
        return Typed(Type(found.name), Read(f"{kind.name}.{name}", (Const(rebec), *places), span))

    def call(self, call: syntax.Call) -> Typed:
        """Nothing is called in a property of states."""
        remedy = "temporal operators belong under 'LTL'" if call.name in ("G", "F", "X", "U", "W") else ""
        raise self.stop("BUR203", f"'{call.name}' cannot be called in a property", call.span, help=remedy)

    def create(self, new: syntax.New) -> Typed:
        """Nothing is created in a property."""
        raise self.stop("BUR203", "a property creates no rebecs", new.span)


def _indexed(expr: syntax.Index) -> tuple[syntax.Member, tuple[Expression, ...]] | None:
    """An element of an array of a rebec: the array and the indices."""
    indices: list[Expression] = []
    array: Expression = expr
    while isinstance(array, syntax.Index):
        indices.insert(0, array.index)
        array = array.array
    return (array, tuple(indices)) if isinstance(array, syntax.Member) else None
