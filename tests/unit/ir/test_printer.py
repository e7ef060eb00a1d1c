"""The printer: what it prints reads back as an equal model."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnside.claims.kinds import DeadlockFree, Invariant, Reachable
from burnside.claims.printer import print_task
from burnside.claims.task import Task
from burnside.frontends import FRONT_ENDS
from burnside.frontends.loading import load_tasks
from burnside.frontends.seq import load
from burnside.ir.instances import own_event
from burnside.ir.nodes import (
    BOOL,
    Actor,
    Assert,
    Assign,
    Binary,
    Bound,
    Checked,
    Choice,
    Clear,
    Const,
    Constant,
    Declare,
    Domain,
    Event,
    Expr,
    For,
    If,
    Item,
    Length,
    Logic,
    Lookup,
    Model,
    Parameter,
    Pop,
    Push,
    Quantified,
    Read,
    Rule,
    Stmt,
    Unary,
    Variable,
    While,
)
from burnside.ir.operators import ARITHMETIC, ORDERINGS
from burnside.ir.printer import KEYWORDS, print_expr, print_model
from burnside.source import Source, render
from support.strategies import seeded_task
from support.thorough import examples

# One of everything, under names that need care: keywords, blanks, other alphabets, labels that coincide.
PHIL = Domain("Phil", 0, 2, (), "Phil")
NODE = Domain("Узел", 0, 1, ("a", "b c"), "Узел")
OWNER = Domain("Owner", 0, 3, ("nobody",), "Phil")
PART = Domain("Part", 1, 2, (), "Phil")
LIGHT = Domain("Light", 0, 1, ("red", "count"))
WINE = Domain("Wine", 0, 2, ("red", "white", "rosé"))
SHIFTED = Domain("Shifted", 5, 6, ("five", "six"))
TAGGED = Domain("Tagged", 0, 2, ("one", "two", "three"), "Узел")
SMALL = Domain("", -2, 3)
ROWS = Domain("", 0, 1, (), "Phil")

DOMAINS = (PHIL, NODE, OWNER, PART, LIGHT, WINE, SHIFTED, TAGGED)
CONSTANTS = (Constant("N", 3), Constant("while", -1), Constant("T", (4, -5)), Constant("EDGE", ((0, 1), (1, 0))))
VARIABLES = (
    Variable("x", (), SMALL, None, (-2,)),
    Variable("rule", (PHIL,), OWNER, None, (3, None, 0)),
    Variable("lamp", (ROWS, LIGHT), WINE, None, (0, 1, 2, 2)),
    Variable("b", (), BOOL, None, (1,)),
    Variable("q", (), OWNER, 2, ((3, 0),)),
    Variable("ch", (NODE,), LIGHT, 1, ((), (1,))),
    Variable("deep", (PART,), SHIFTED, None, (None, None)),
    Variable("tag", (), TAGGED, None, (2,)),
)
SCALARS = [v for v in VARIABLES if not v.is_sequence]
SEQUENCES = [v for v in VARIABLES if v.is_sequence]
TRUTH, NUMBER = "truth", "number"


def kind_of(domain: Domain) -> object:
    """The type of a domain's values: an enumeration is its own type."""
    return TRUTH if domain == BOOL else domain if domain.is_enumeration else NUMBER


@st.composite
def exprs(draw: st.DrawFn, kind: object, scope: tuple[Parameter, ...], depth: int) -> Expr:
    """A well-typed expression; every name that it binds is new."""

    def sub(kind: object, more: tuple[Parameter, ...] = ()) -> Expr:
        return draw(exprs(kind, (*scope, *more), depth - 1))

    def indices(variable: Variable) -> tuple[Expr, ...]:
        return tuple(sub(kind_of(d)) for d in variable.dimensions)

    forms = ["const"]
    locals_ = [p for p in scope if kind_of(p.domain) == kind]
    forms += ["bound"] * (2 if locals_ else 0)
    if depth > 0:
        scalars = [v for v in SCALARS if kind_of(v.domain) == kind]
        sequences = [v for v in SEQUENCES if kind_of(v.domain) == kind]
        forms += ["choice"] + ["read"] * bool(scalars) + ["item"] * bool(sequences)
        forms += {TRUTH: ["not", "compare", "equal", "connect", "logic", "some"] * 2}.get(kind, [])  # type: ignore[call-overload]
        forms += {NUMBER: ["minus", "arithmetic", "length", "lookup", "total"] * 2}.get(kind, [])  # type: ignore[call-overload]
        forms += ["check"] * (kind != TRUTH)
    match draw(st.sampled_from(forms)):
        case "bound":
            local = draw(st.sampled_from(locals_))
            return Bound(local.name, local.domain)
        case "choice":
            return Choice(sub(TRUTH), sub(kind), sub(kind))
        case "read":
            variable = draw(st.sampled_from(scalars))
            return Read(variable.name, indices(variable))
        case "item":
            variable = draw(st.sampled_from(sequences))
            return Item(variable.name, indices(variable), sub(NUMBER))
        case "not":
            return Unary("!", sub(TRUTH))
        case "compare":
            return Binary(draw(st.sampled_from(ORDERINGS)), sub(NUMBER), sub(NUMBER))
        case "equal":
            common = draw(st.sampled_from([TRUTH, NUMBER, LIGHT, WINE]))
            return Binary(draw(st.sampled_from(["==", "!="])), sub(common), sub(common))
        case "connect":
            return Binary(draw(st.sampled_from(["=>", "<=>"])), sub(TRUTH), sub(TRUTH))
        case "logic":
            size = draw(st.integers(2, 3))
            return Logic(draw(st.sampled_from(["&&", "||"])), tuple(sub(TRUTH) for _ in range(size)))
        case "check":
            return Checked(sub(kind), kind if isinstance(kind, Domain) else draw(st.sampled_from([SMALL, PHIL, ROWS])))
        case "minus":
            return Unary("-", sub(NUMBER))
        case "arithmetic":
            return Binary(draw(st.sampled_from(ARITHMETIC)), sub(NUMBER), sub(NUMBER))
        case "length":
            variable = draw(st.sampled_from(SEQUENCES))
            return Length(variable.name, indices(variable))
        case "lookup":
            name, count = draw(st.sampled_from([("T", 1), ("EDGE", 2)]))
            return Lookup(name, tuple(sub(NUMBER) for _ in range(count)))
        case "some" | "total" as form:
            binder = Parameter(f"k{len(scope)}", draw(st.sampled_from([PHIL, LIGHT, SMALL, BOOL, ROWS, OWNER])))
            choice = ["forall", "exists"] if form == "some" else ["count", "sum"]
            quantifier = draw(st.sampled_from(choice))
            body = sub(NUMBER if quantifier == "sum" else TRUTH, (binder,))
            return Quantified(quantifier, binder.name, binder.domain, body)
        case _:
            return draw(consts(kind))


@st.composite
def consts(draw: st.DrawFn, kind: object) -> Const:
    """A constant of a type, with its domain where the text can show it."""
    if kind == TRUTH:
        return Const(draw(st.integers(0, 1)), BOOL)
    if isinstance(kind, Domain):
        return Const(draw(st.sampled_from(kind.values())), kind)
    return draw(st.sampled_from([Const(0), Const(7), Const(-3), Const(3, OWNER), Const(2, OWNER), Const(1, PHIL)]))


@st.composite
def stmts(draw: st.DrawFn, scope: tuple[Parameter, ...], depth: int) -> Stmt:
    """A statement that is right wherever its scope is right."""

    def expr(kind: object) -> Expr:
        return draw(exprs(kind, scope, 2))

    def block(*more: Parameter) -> tuple[Stmt, ...]:
        return draw(blocks((*scope, *more), depth - 1))

    match draw(st.sampled_from(["assign", "sequence", "assert", *(["if", "for", "while"] if depth else [])])):
        case "assign":
            variable = draw(st.sampled_from(VARIABLES))
            indices = tuple(expr(kind_of(d)) for d in variable.dimensions)
            value = expr(kind_of(variable.domain))
            if variable.is_sequence:
                return Assign(Item(variable.name, indices, expr(NUMBER)), value)
            return Assign(Read(variable.name, indices), value)
        case "sequence":
            variable = draw(st.sampled_from(SEQUENCES))
            indices = tuple(expr(kind_of(d)) for d in variable.dimensions)
            form = draw(st.sampled_from([Pop, Clear, Push]))
            if form is Push:
                return Push(variable.name, indices, expr(kind_of(variable.domain)))
            return form(variable.name, indices)
        case "if":
            return If(expr(TRUTH), block(), draw(st.sampled_from([(), block()])))
        case "for":
            loop = Parameter(f"k{len(scope)}", draw(st.sampled_from([PHIL, SMALL, LIGHT])))
            return For(loop.name, loop.domain, block(loop))
        case "while":
            return While(expr(TRUTH), draw(st.integers(0, 5)), block())
        case _:
            text = draw(st.sampled_from(["", "a text", '"\\ \n\t']) | st.text(max_size=3))
            return Assert(expr(TRUTH), text, is_limit=draw(st.booleans()))


@st.composite
def blocks(draw: st.DrawFn, scope: tuple[Parameter, ...], depth: int) -> tuple[Stmt, ...]:
    """Some statements, perhaps behind a local variable that they may use and assign."""
    body: list[Stmt] = []
    if draw(st.booleans()):
        local = Parameter(f"k{len(scope)}", draw(st.sampled_from([PHIL, SMALL, WINE, BOOL, ROWS])))
        body.append(Declare(local.name, local.domain, draw(exprs(kind_of(local.domain), scope, 1))))
        scope = (*scope, local)
        body.append(Assign(Bound(local.name, local.domain), draw(exprs(kind_of(local.domain), scope, 1))))
    body += draw(st.lists(stmts(scope, depth), max_size=2))
    return tuple(body)


@st.composite
def actors(draw: st.DrawFn, scope: tuple[Parameter, ...]) -> tuple[Actor, ...]:
    """Who acts: nobody, processes of a domain, others with and without a number."""
    ids = [Const(0), Const(2), *(Bound(p.name, p.domain) for p in scope if p.domain == PHIL)]
    kinds = st.sampled_from([PHIL.name, "controller", "by", "part 1 of P"])
    return tuple(draw(st.lists(st.builds(Actor, kinds, st.none() | st.sampled_from(ids)), max_size=3)))


@st.composite
def starts(draw: st.DrawFn) -> Rule:
    """A start rule that is seldom run."""
    scope = tuple(Parameter(f"k{i}", PHIL) for i in range(draw(st.integers(0, 1))))
    return Rule("start", scope, draw(exprs(TRUTH, scope, 1)), own_event("start", scope), draw(blocks(scope, 1)))


@st.composite
def tasks(draw: st.DrawFn) -> Task:
    """Fixed declarations with random rules and claims."""
    rules = []
    for name in draw(st.lists(st.sampled_from(["r", "rule", "go to", "étape"]), unique=True, max_size=2)):
        scope = tuple(
            Parameter(f"k{i}", draw(st.sampled_from([PHIL, LIGHT, SMALL]))) for i in range(draw(st.integers(0, 2)))
        )
        event = Event(name, tuple(Bound(p.name, p.domain) for p in scope))
        if draw(st.booleans()):
            event = Event(draw(st.sampled_from([name, "do"])), (draw(exprs(NUMBER, scope, 1)),))
        guard, body = draw(exprs(TRUTH, scope, 3)), draw(blocks(scope, 2))
        rules.append(Rule(name, scope, guard, event, body, actors=draw(st.none() | actors(scope))))
    family = (Parameter("k0", PHIL),)
    model = Model(
        "random",
        CONSTANTS,
        DOMAINS,
        VARIABLES,
        tuple(rules),
        initially=tuple(draw(st.lists(exprs(TRUTH, (), 2), max_size=2))),
        terminal=draw(exprs(TRUTH, (), 1)),
        starts=tuple(draw(st.lists(starts(), max_size=1))),
    )
    claims = (
        Invariant("in", draw(exprs(TRUTH, family, 4)), family),
        Reachable("some", draw(exprs(TRUTH, (), 4))),
        DeadlockFree("free", up_to_stuttering=draw(st.booleans())),
    )
    return Task(model, claims)


@given(tasks())
@examples(100)
def test_a_printed_task_reads_back_as_an_equal_task(task: Task) -> None:
    """Printer and parser are inverse to each other on every well-typed task."""
    text = print_task(task)

    again, diagnostics, _ = load(Source("printed.seq", text), {})

    complaints = [d for d in diagnostics if d.code != "BUR208"]  # random arithmetic may leave 64 bits
    assert not complaints, text + "\n".join(map(render, complaints))
    assert again == (task,) or any(d.code == "BUR208" for d in diagnostics), text


SUFFIXES = [suffix for front_end in FRONT_ENDS for suffix in front_end.suffixes]
EXAMPLES = sorted(path for path in (Path(__file__).parents[3] / "examples").rglob("*") if path.suffix in SUFFIXES)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_a_printed_example_is_the_same_model(path: Path) -> None:
    """In every language: who acts, and which assertions are limits, is in the text too."""
    for task in load_tasks(path):
        (again,), _, _ = load(Source("printed.seq", print_model(task.model)), {})

        assert again.model == task.model


@pytest.mark.parametrize("first", [0, pytest.param(1_000, marks=pytest.mark.slow)])
def test_random_models_of_all_shapes_read_back(first: int) -> None:
    """The same for the models that other tests run: random declarations as well."""
    for seed in range(first, first + (15 if first == 0 else 400)):
        task = seeded_task(seed)

        assert load(Source("printed.seq", print_task(task)), {})[0] == (task,)


def test_a_model_prints_as_one_would_write_it() -> None:
    """Defaults are left out: least initial values, true guards, events that repeat the rule."""
    lamp = Domain("Lamp", 0, 1, ("red", "green"))
    at = Variable("at", (PHIL,), lamp, None, (0, 0, 0))
    i = Bound("i", PHIL)
    body = (Assign(Read("at", (i,)), Const(1, lamp)),)
    guard = Binary("==", Read("at", (i,)), Const(0, lamp))
    rule = Rule("on", (Parameter("i", PHIL),), guard, Event("on", (i,)), body)
    model = Model("test", (Constant("N", 3),), (PHIL, lamp), (at,), (rule,))

    assert print_model(model) == (
        "const N = 3;\n"
        "\n"
        "process Phil = 0 .. 2;\n"
        "domain Lamp = { red, green };\n"
        "\n"
        "var at[Phil]: Lamp;\n"
        "\n"
        "rule on(i: Phil) when at[i] == red do {\n"
        "  at[i] := green;\n"
        "}\n"
    )


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (Unary("-", Const(1)), "-(1)"),
        (Unary("-", Const(-1)), "-(-1)"),
        (Unary("-", Unary("-", Bound("x", SMALL))), "--x"),
        (Binary("-", Const(1), Binary("-", Const(2), Const(3))), "1 - (2 - 3)"),
        (Unary("!", Logic("&&", (Const(1, BOOL), Const(0, BOOL)))), "!(true && false)"),
        (Const(1, WINE), "white"),
        (Const(1, Domain("", 0, 3)), "1"),
    ],
)
def test_an_expression_prints_alone(expr: Expr, text: str) -> None:
    """Traces and dumps print expressions without a model around them."""
    assert print_expr(expr) == text


@pytest.mark.parametrize("word", sorted(KEYWORDS))
def test_a_keyword_can_be_a_name(word: str) -> None:
    model = Model("test", (), (), (Variable(word, (), BOOL, None, (0,)),), ())

    assert load(Source("test.seq", print_model(model)), {})[0] == (Task(model),)
