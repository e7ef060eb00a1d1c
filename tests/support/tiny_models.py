"""Tiny random models, many of them symmetric: for tests that compare with brute force over all states."""

from __future__ import annotations

from random import Random

from burnside.ir.check import check_model
from burnside.ir.nodes import (
    TRUE,
    Assign,
    Binary,
    Bound,
    Choice,
    Const,
    Domain,
    Event,
    Expr,
    If,
    Logic,
    Model,
    Parameter,
    Quantified,
    Read,
    Rule,
    Stmt,
    Unary,
    Variable,
)
from burnside.source import Diagnostics


def tiny_model(seed: int) -> Model:
    """A checked model with a handful of states: plain variables, or arrays over two to four processes."""
    random = Random(seed)
    model = (_family if random.random() < 0.5 else _scalars)(random)
    diagnostics = Diagnostics()
    check_model(model, diagnostics)
    assert not list(diagnostics), [d.message for d in diagnostics]
    return model


def tiny_condition(random: Random, model: Model) -> Expr:
    """A random condition on a tiny model, about single cells or all processes alike."""
    variable = model.variables[0]
    if variable.dimensions and random.random() < 0.5:
        return _over_all(random, variable.dimensions[0], variable.domain)
    reads: list[Expr] = []
    for v in model.variables:
        if v.domain == variable.domain:
            reads += [Read(v.name, (Const(k),)) for k in v.dimensions[0].values()] if v.dimensions else [Read(v.name)]
    return _condition(random, reads, variable.domain, 1)


# ---------------------------------------------------------------- plain variables


def _scalars(random: Random) -> Model:
    domain = Domain("", 0, random.choice((1, 1, 2)))
    count = random.choice((2, 2, 3, 3, 4) if domain.size == 2 else (2, 2, 3))
    reads: list[Expr] = [Read(f"v{k}") for k in range(count)]
    same_start = random.choice((None, 0, 0))
    start = [random.choice((None, 0, domain.high)) if random.random() < 0.3 else same_start for _ in range(count)]
    variables = tuple(Variable(f"v{k}", (), domain, None, (start[k],)) for k in range(count))
    rules = []
    for k in range(random.randint(1, 5)):
        guard = _condition(random, reads, domain, 2)
        body = tuple(
            _assign(random, random.choice(reads), reads, domain) for _ in range(random.choice((0, 1, 1, 1, 2)))
        )
        rules.append(Rule(f"r{k}", (), guard, Event(random.choice("eeef")), body))
    if random.random() < 0.5:  # a mirrored copy of every rule: symmetric on purpose
        swap = dict(zip((f"v{k}" for k in range(count)), (f"v{count - 1 - k}" for k in range(count)), strict=True))
        rules += [_renamed(r, swap) for r in rules]
    conditions = (_condition(random, reads, domain, 1),) if random.random() < 0.25 else ()
    return Model("tiny", (), (), variables, tuple(rules), initially=conditions)


def _renamed(rule: Rule, names: dict[str, str]) -> Rule:
    body = tuple(_renamed_statement(s, names) for s in rule.body)
    return Rule(rule.name + "m", (), _renamed_expr(rule.guard, names), rule.event, body)


def _renamed_statement(statement: Stmt, names: dict[str, str]) -> Stmt:
    assert isinstance(statement, Assign)
    target = _renamed_expr(statement.target, names)
    assert isinstance(target, Read)
    return Assign(target, _renamed_expr(statement.value, names))


def _renamed_expr(expr: Expr, names: dict[str, str]) -> Expr:
    match expr:
        case Read(variable=name):
            return Read(names[name])
        case Unary(operator=operator, operand=operand):
            return Unary(operator, _renamed_expr(operand, names))
        case Binary(operator=operator, left=left, right=right):
            return Binary(operator, _renamed_expr(left, names), _renamed_expr(right, names))
        case Logic(operator=operator, operands=operands):
            return Logic(operator, tuple(_renamed_expr(o, names) for o in operands))
        case Choice(condition=condition, then=then, otherwise=otherwise):
            return Choice(*(_renamed_expr(e, names) for e in (condition, then, otherwise)))
        case _:
            return expr


# ---------------------------------------------------------------- arrays over processes


def _family(random: Random) -> Model:
    count = random.choice((2, 3, 3, 4))
    process = Domain("P", 0, count - 1, (), "P")
    domain = Domain("", 0, random.choice((1, 1, 2)) if count < 4 else 1)
    i = Bound("i", process)
    following = Binary("%", Binary("+", i, Const(1)), Const(count))
    own: list[Expr] = [Read("a", (i,))]
    if random.random() < 0.5:
        own.append(Read("a", (following,)))
    holder = Domain("", 0, count) if random.random() < 0.4 else None
    variables = [Variable("a", (process,), domain, None, (random.choice((None, 0)),) * count)]
    if random.random() < 0.15:
        variables[0] = Variable("a", (process,), domain, None, (0,) * (count - 1) + (domain.high,))
    if holder:
        variables.append(Variable("h", (), holder, None, (random.choice((count, count, 0)),)))
    rules = []
    for k in range(random.randint(1, 3)):
        guard = _condition(random, own, domain, 2)
        if random.random() < 0.3:
            guard = Logic("&&", (guard, _over_all(random, process, domain)))
        body: list[Stmt] = [_assign(random, random.choice(own), own, domain)]
        if holder and random.random() < 0.6:
            value: Expr = random.choice((i, i, Const(count)))
            body.append(Assign(Read("h"), value))
            if random.random() < 0.5:
                guard = Logic(
                    "&&", (guard, Binary(random.choice(("==", "!=")), Read("h"), random.choice((i, Const(count)))))
                )
        if random.random() < 0.2:
            body = [If(_condition(random, own, domain, 1), tuple(body), ())]
        rules.append(Rule(f"r{k}", (Parameter("i", process),), guard, Event(random.choice("eef")), tuple(body)))
    return Model("tiny", (), (), tuple(variables), tuple(rules))


def _over_all(random: Random, process: Domain, domain: Domain) -> Expr:
    each = Binary(random.choice(("==", "!=")), Read("a", (Bound("j", process),)), _constant(random, domain))
    if random.random() < 0.3:
        return Binary("<=", Quantified("count", "j", process, each), Const(1))
    return Quantified(random.choice(("forall", "exists")), "j", process, each)


# ---------------------------------------------------------------- pieces


def _constant(random: Random, domain: Domain) -> Const:
    return Const(random.randint(domain.low, domain.high))


def _condition(random: Random, reads: list[Expr], domain: Domain, depth: int) -> Expr:
    if depth and random.random() < 0.4:
        operands = tuple(_condition(random, reads, domain, depth - 1) for _ in range(2))
        return Logic(random.choice(("&&", "||")), operands)
    if random.random() < 0.1:
        return TRUE
    left = random.choice(reads)
    right = random.choice(reads) if random.random() < 0.4 else _constant(random, domain)
    return Binary(random.choice(("==", "==", "!=", "<", "<=")), left, right)


def _assign(random: Random, target: Expr, reads: list[Expr], domain: Domain) -> Assign:
    assert isinstance(target, Read)
    top = Const(domain.high)
    value: Expr = random.choice(
        (
            _constant(random, domain),
            random.choice(reads),
            Binary("-", top, random.choice(reads)),
            Binary("%", Binary("+", random.choice(reads), Const(1)), Const(domain.size)),
            Choice(_condition(random, reads, domain, 0), _constant(random, domain), random.choice(reads)),
        )
    )
    return Assign(target, value)
