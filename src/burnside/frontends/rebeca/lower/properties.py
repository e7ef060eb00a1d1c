"""Property files: assertions become invariants, formulas under ``LTL`` claims about all fair runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Final, TypeVar, final

from burnside.claims.kinds import Claim, DeadlockFree, Fairness, InfiniteRuns, Invariant
from burnside.frontends.kit.names import declared_twice
from burnside.frontends.kit.temporal import LARGEST, MEANINGS, MOST_ATOMS
from burnside.frontends.rebeca.names.types import BOOLEAN, Class, Type
from burnside.frontends.rebeca.names.walk import parts
from burnside.frontends.rebeca.read import syntax
from burnside.frontends.rebeca.read.declarations import Formula, PropertyFile
from burnside.frontends.rebeca.read.syntax import Expression
from burnside.frontends.rebeca.translate.expressions import ExpressionTranslator
from burnside.frontends.rebeca.translate.scope import Frame, Typed, Unusable
from burnside.frontends.rebeca.translate.shape import Shape
from burnside.ir.nodes import Const, Expr, Logic, Read, Unary
from burnside.ltl import formula as ltl
from burnside.source import Diagnostics, Span, did_you_mean

# How the claim that is made without being written is called, and how it is if a formula has that name.
DEADLOCK_FREE: Final = "deadlockfree"
ALSO_DEADLOCK_FREE: Final = "deadlockfree (built in)"
# Definitions that use definitions may double at every level.
MOST_DEFINITIONS: Final = 1_000

T = TypeVar("T")

# Operators that are written like calls, with the number of their arguments.
_CALLED: Final = {"G": 1, "F": 1, "X": 1, "U": 2, "W": 2, "R": 2}
_CONNECTIVES: Final = ("&&", "||", "->")


def claims_of(file: PropertyFile | None, shape: Shape, diagnostics: Diagnostics) -> tuple[Claim, ...]:
    """The claims of a property file, or of none, and that no reachable state is a deadlock; wrong ones are reported and
    left out.
    """
    file = file or PropertyFile((), (), ())
    for group in (file.definitions, (*file.assertions, *file.temporal)):
        _check_names(group, diagnostics)
    translator = _FormulaTranslator(shape, file, diagnostics)
    invariants = _translated(file.assertions, translator.invariant)
    is_taken = DEADLOCK_FREE in {formula.name for formula in (*file.assertions, *file.temporal)}
    always = DeadlockFree(ALSO_DEADLOCK_FREE if is_taken else DEADLOCK_FREE)
    return (*invariants, always, *_translated(file.temporal, translator.temporal))


def _check_names(formulas: Iterable[Formula], diagnostics: Diagnostics) -> None:
    seen: dict[str, Span] = {}
    for formula in formulas:
        if formula.name in seen:
            diagnostics.add(declared_twice(formula.name, formula.span, seen[formula.name], what="property"))
        seen.setdefault(formula.name, formula.span)


def _translated(formulas: Iterable[Formula], translate: Callable[[Formula], T]) -> Iterator[T]:
    for formula in formulas:
        with suppress(Unusable):  # reported
            yield translate(formula)


@final
class _FormulaTranslator(ExpressionTranslator):
    """Conditions over state variables of named rebecs."""

    def __init__(self, shape: Shape, file: PropertyFile, diagnostics: Diagnostics) -> None:
        super().__init__(shape, "", diagnostics)
        self._definitions = {formula.name: formula for formula in file.definitions}
        self._rebecs = {rebec.name: number for number, rebec in self.world.rebecs.items()}
        self._timed: set[str] = set()
        self._find_timed()
        self._begin()

    def _begin(self) -> None:
        self._open: list[str] = []
        self._atoms: dict[str, Expr] = {}
        self._size = 0
        self._operators = 0

    def invariant(self, formula: Formula) -> Invariant:
        """A truth value of every state."""
        self._begin()
        condition = self._condition(formula.condition)
        return Invariant(formula.name, condition, span=formula.span)

    def temporal(self, formula: Formula) -> InfiniteRuns:
        """A claim about all runs in which every rebec that can go on does so."""
        self._begin()
        found = self._formula(formula.condition)
        atoms = tuple(sorted((name, atom) for name, atom in self._atoms.items() if name in found.atoms))
        if len(atoms) > MOST_ATOMS:
            message = f"this formula has {len(atoms)} different conditions, at most {MOST_ATOMS} are possible"
            raise self.stop("BUR502", message, formula.condition.span, help="split it into several claims")
        text = formula.condition.span.text
        return InfiniteRuns(formula.name, found, atoms, fairness=Fairness.WEAK, text=text, span=formula.span)

    def _condition(self, expr: Expression) -> Expr:
        nothing = Class("", 1, (), (), None, {}, {}, frozenset(), is_abstract=True, span=expr.span)
        self.frames = [Frame(nothing, Const(0), Const(self.world.size))]
        self.out, self.choices = [], []
        found = self.truth(expr)
        if self.out or self.choices:
            raise self.stop("BUR203", "a property has no effects and no choices", expr.span)
        return found

    # ------------------------------------------------------------ time

    def _formula(self, expr: Expression) -> ltl.Formula:
        """A formula; its largest parts without temporal operators are atoms."""
        self._operators += 1
        if self._operators > LARGEST:
            message = f"written out, this formula has more than {LARGEST:,} operators"
            raise self.stop("BUR502", message, expr.span, help="split it into several claims")
        match expr:
            case syntax.Truth(value=truth):
                return ltl.TRUE if truth else ltl.FALSE
            case _ if not self._is_temporal(expr):
                return self._atom(expr)
            case syntax.Call(receiver=None, name=name, arguments=arguments) if name in _CALLED:
                count, operator = _CALLED[name], MEANINGS[name]
                if len(arguments) != count:
                    raise self.stop("BUR204", f"'{name}' takes {count} formulas, found {len(arguments)}", expr.span)
                return operator(*map(self._formula, arguments))
            case syntax.Unary(operator="!", operand=operand):
                return ltl.negation(self._formula(operand))
            case syntax.Binary(operator=sign, left=left, right=right) if sign in _CONNECTIVES:
                return MEANINGS[sign](self._formula(left), self._formula(right))
            case syntax.Name(name=name):
                with self._opened(name, expr.span) as definition:
                    return self._formula(definition)
            case _:
                remedy = "temporal formulas are put together by ! && || -> and G F X U W R"
                raise self.stop("BUR203", "a temporal formula has no value in a single state", expr.span, help=remedy)

    def _is_temporal(self, expr: Expression) -> bool:
        """Whether a temporal operator stands in an expression, or in a definition that it uses."""
        return any(map(self._brings_time, _parts(expr)))

    def _brings_time(self, part: object) -> bool:
        match part:
            case syntax.Call(receiver=None, name=name):
                return name in _CALLED
            case syntax.Name(name=name):
                return name in self._timed
            case _:
                return False

    def _find_timed(self) -> None:
        """Which definitions are temporal: those that use such a one, too."""
        users: dict[str, list[str]] = {}
        for definition in self._definitions.values():
            for part in _parts(definition.condition):
                if isinstance(part, syntax.Name):
                    users.setdefault(part.name, []).append(definition.name)
        waiting = [d.name for d in self._definitions.values() if self._is_temporal(d.condition)]
        while waiting:
            name = waiting.pop()
            if name not in self._timed:
                self._timed.add(name)
                waiting += users.get(name, ())

    def _atom(self, expr: Expression) -> ltl.Formula:
        """A condition on single states, named as it is written."""
        condition = self._condition(expr)
        name = " ".join(expr.span.text.split())
        while self._atoms.setdefault(name, condition) != condition:
            name += "'"
        return ltl.atom(name)

    # ------------------------------------------------------------ conditions

    def value(self, expr: Expression) -> Typed:
        """An expression in which rebecs and definitions have names."""
        match expr:
            case syntax.Name(name=name) if name in self._definitions:
                with self._opened(name, expr.span) as definition:
                    return self.value(definition)
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

    @contextmanager
    def _opened(self, name: str, span: Span) -> Iterator[Expression]:
        """What a name is defined as; it may not be used in there."""
        if name in self._open:
            raise self.stop("BUR209", f"the definition of '{name}' uses itself", span)
        self._size += 1
        if self._size > MOST_DEFINITIONS:
            raise self.stop("BUR502", f"definitions are used more than {MOST_DEFINITIONS:,} times", span)
        self._open.append(name)
        yield self._definitions[name].condition
        self._open.pop()

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
        return Typed(Type(found.name), Read(f"{kind.name}.{name}", (Const(rebec, span=owner.span), *places), span))

    def call(self, call: syntax.Call) -> Typed:
        """Nothing is called in a property of states."""
        remedy = "temporal operators belong under 'LTL'" if call.name in _CALLED else ""
        if len(call.name) > 1 and set(call.name) <= {"G", "F", "X"}:
            remedy = f"write {'('.join(call.name)}(…{')' * len(call.name)}"
        raise self.stop("BUR203", f"'{call.name}' cannot be called in a property", call.span, help=remedy)

    def create(self, new: syntax.New) -> Typed:
        """Nothing is created in a property."""
        raise self.stop("BUR203", "a property creates no rebecs", new.span)


def _parts(expr: Expression) -> list[object]:
    """An expression and everything below it, but for the owners of variables: these are rebecs, whatever is defined."""
    found = list(parts(expr))
    owners = {id(part.owner) for part in found if isinstance(part, syntax.Member)}
    return [part for part in found if id(part) not in owners]


def _indexed(expr: syntax.Index) -> tuple[syntax.Member, tuple[Expression, ...]] | None:
    """An element of an array of a rebec: the array and the indices."""
    indices: list[Expression] = []
    array: Expression = expr
    while isinstance(array, syntax.Index):
        indices.insert(0, array.index)
        array = array.array
    return (array, tuple(indices)) if isinstance(array, syntax.Member) else None
