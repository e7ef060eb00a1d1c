"""The toolbox of the IR: what is changed, made and read of expressions and programs keeps their meaning."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest

from burnside.ir.build import comparison, conjunction, connect, disjunction, negation, quantify, truth, within
from burnside.ir.cells import Cells, State
from burnside.ir.instances import instance_count, instances_of, valuations
from burnside.ir.nodes import (
    FALSE,
    TRUE,
    Assign,
    Binary,
    Bound,
    Const,
    Domain,
    Expr,
    If,
    Logic,
    Model,
    Parameter,
    Quantified,
    Read,
    Unary,
)
from burnside.ir.rewrite import map_expr, map_stmt, substitute, with_children
from burnside.ir.semantics import FaultRaised, Step, evaluate, fire, successors
from burnside.ir.uses import Faults, elements_used, free_names, locals_assigned, variables_read, variables_written
from burnside.ir.walk import children, descend, parts, statements
from support.strategies import Pick, any_model, expressions_in, seeded_task, state_of
from support.thorough import some

SEEDS = some(range(40))
X, Y = Read("x"), Read("y")
SMALL = Domain("", 0, 3)
FAULTY = Binary("==", Binary("/", Const(1), X), Const(1))


def models() -> Iterator[tuple[Model, list[State]]]:
    """Random models, and states of each."""
    for seed in SEEDS:
        model = any_model(Pick(Random(seed)))
        yield model, [state_of(Pick(Random(seed + k)), model) for k in range(4)]


def outcome(cells: Cells, expr: Expr, state: State, names: dict[str, int]) -> int | str:
    """A value, or the kind of a fault."""
    try:
        return evaluate(cells, expr, state, names)
    except FaultRaised as fault:
        return fault.kind


# ---------------------------------------------------------------- rewriting


def test_an_expression_is_made_of_its_children() -> None:
    """`with_children` undoes `children`; changing nothing gives the same object."""
    for seed in SEEDS:
        for whole in expressions_in(seeded_task(seed)):
            for expr in parts(whole):
                assert with_children(expr, children(expr)) == expr
                assert map_expr(expr, lambda part: part) is expr
            assert sorted(map(repr, parts(whole))) == sorted(repr(node) for node, _ in descend(whole))


def test_a_program_is_made_of_its_parts() -> None:
    """`map_stmt` visits every expression and every block, and what it leaves alone stays equal."""
    for model, _ in models():
        for rule in model.rules:
            for statement in statements(rule.body):
                assert map_stmt(statement, lambda e: e, lambda block: block) == statement
                emptied = map_stmt(statement, lambda e: e, lambda _: ())
                assert not any(s is not emptied for s in statements((emptied,)))


def test_what_is_written_is_not_replaced() -> None:
    """The place of an assignment is no expression: only its indices are."""
    statement = If(TRUE, (Assign(Read("a", (X,)), X),))

    def one(expr: Expr) -> Expr:
        return Const(1) if expr == X else map_expr(expr, one)

    changed = map_stmt(statement, one, lambda body: tuple(map_stmt(s, one, lambda b: b) for s in body))

    assert changed == If(TRUE, (Assign(Read("a", (Const(1),)), Const(1)),))


def test_nothing_is_captured() -> None:
    """A quantified name that occurs in what is inserted gets another name."""
    inner = Quantified("exists", "k", SMALL, Binary("<", Bound("i", SMALL), Bound("k", SMALL)))

    found = substitute(inner, {"i": Bound("k", SMALL)}, {"k"})

    assert isinstance(found, Quantified)
    assert (found.name, found.body) == ("k_2", Binary("<", Bound("k", SMALL), Bound("k_2", SMALL)))


# ---------------------------------------------------------------- building


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (conjunction(()), TRUE),
        (disjunction(()), FALSE),
        (conjunction((X, TRUE)), X),
        (conjunction((X, Logic("&&", (Y, X)))), Logic("&&", (X, Y))),
        (conjunction((FAULTY, FALSE, X)), Logic("&&", (FAULTY, FALSE))),
        (disjunction((X, TRUE, Y)), Logic("||", (X, TRUE))),
        (connect("&&", (X, FALSE), can_fault=lambda _: False), FALSE),
        (connect("&&", (FAULTY, X, FALSE), can_fault=lambda e: e == FAULTY), Logic("&&", (FAULTY, FALSE))),
        (negation(TRUE), FALSE),
        (negation(Unary("!", X)), X),
        (negation(Const(5)), Unary("!", Const(5))),  # no truth value: for the type checker to see
        (comparison("<", Const(1), Const(2)), TRUE),
        (comparison("==", Const(1), TRUE), Binary("==", Const(1), TRUE)),
        (within(Const(3), 0, 2), FALSE),
        (within(X, 0, 2), Logic("&&", (Binary("<=", Const(0), X), Binary("<=", X, Const(2))))),
        (
            quantify("exists", (Parameter("i", SMALL), Parameter("j", SMALL)), X),
            Quantified("exists", "i", SMALL, Quantified("exists", "j", SMALL, X)),
        ),
    ],
)
def test_expressions_are_made_as_short_as_they_can_be(made: Expr, expected: Expr) -> None:
    """What decides nothing is left out; what might fault stays."""
    assert made == expected


def test_connectives_keep_values_and_faults() -> None:
    """``&&`` and ``||`` of random conditions mean what they mean as written."""
    for model, states in models():
        cells = Cells(model)
        can_fault = Faults(cells.variables, {c.name: c.value for c in model.constants}).possible
        conditions = [r.guard for r in model.rules if not r.parameters]
        chance = Random(len(conditions))
        for _ in range(4 if conditions else 0):
            some = [chance.choice([*conditions, TRUE, FALSE, Logic("&&", (conditions[0], TRUE))]) for _ in range(4)]
            for operator in ("&&", "||"):
                for made in (connect(operator, some), connect(operator, some, can_fault=can_fault)):
                    for state in states:
                        written = outcome(cells, Logic(operator, tuple(some)), state, {})
                        assert outcome(cells, made, state, {}) == written


def test_truth_values_are_typed() -> None:
    """Constants of connectives are truth values."""
    assert (truth(True), truth(False)) == (TRUE, FALSE)


# ---------------------------------------------------------------- uses and instances


def test_values_depend_on_what_is_read() -> None:
    """Variables that a rule does not name decide neither whether it fires nor what it does, and keep their values."""
    for model, states in models():
        cells = Cells(model)
        for instance in instances_of(model):
            used = {name for name, _ in elements_used(instance.rule)}
            assert variables_read(instance.rule.guard) | variables_written(instance.rule.body) <= used
            free = [k for k, cell in enumerate(cells.all) if cell.variable.name not in used]
            kept = [k for k in range(len(cells.all)) if k not in free]
            for one, other in pairwise(states):
                mixed = tuple(other[k] if k in free else one[k] for k in range(len(one)))
                found = [fire(cells, instance.rule, instance.arguments, state) for state in (one, mixed)]
                assert type(found[0]) is type(found[1])
                ends = [f.state for f in found if isinstance(f, Step)]
                assert len({tuple(end[k] for k in kept) for end in ends}) <= 1
                assert all(end[k] == start[k] for end, start in zip(ends, (one, mixed), strict=False) for k in free)


def test_names_are_free_unless_bound() -> None:
    """A quantifier binds its name; an assignment to a local is not a read of it."""
    inner = Quantified("forall", "k", SMALL, Binary("==", Bound("k", SMALL), Bound("i", SMALL)))

    assert free_names(inner) == {"i"}
    assert locals_assigned((If(TRUE, (Assign(Bound("l", SMALL), Const(0)),)),)) == {"l"}


def test_instances_are_numbered_in_the_order_of_the_semantics() -> None:
    """The numbers of successive instances are successive, and steps come in their order."""
    for model, states in models():
        every = list(instances_of(model))
        assert [i.number for i in every] == list(range(instance_count(model)))
        assert [i.arguments for i in every] == [a for r in model.rules for a in valuations(r.parameters)]
        order = {(id(i.rule), i.arguments): i.number for i in every}
        for state in states:
            taken = [order[id(o.rule), o.arguments] for o in successors(model, state)]
            assert taken == sorted(taken)
