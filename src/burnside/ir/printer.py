"""Models as ``.seq`` text, which reads back as an equal model.

Needs: every domain with a name or labels is one of ``model.domains``; no two things have the same name,
but for labels of different domains. Keeps: everything but spans, the name of the model, and layout.
Grammar: ``docs/reference/seq.md``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, Literal, TypeAlias, assert_never, final, get_args

from burnside.ir import nodes as n
from burnside.ir.ids import Declared, is_misused, kind_of, ordinal, wanted_by_events, with_ordinals, written_kinds
from burnside.ir.instances import own_event
from burnside.ir.nodes import BOOL, FALSE, TRUE, Domain, Expr, Model, Parameter, Rule, Stmt, Value, Variable
from burnside.values import dataclass, replace

# Binary operators by how tightly they bind. Between them: '!', which negates a whole comparison.
LEVELS: Final = {
    "<=>": 1,
    "=>": 2,
    "||": 3,
    "&&": 4,
    **dict.fromkeys(("==", "!=", "<", "<=", ">", ">="), 6),
    "|": 7,
    "^": 8,
    "&": 9,
    **dict.fromkeys(("+", "-"), 10),
    **dict.fromkeys(("*", "/", "%"), 11),
}
NEGATION: Final = 5
COMPARISON: Final = 6
SIGN: Final = 12
CHECK: Final = 13  # 'as', behind an operand

# Types, so that mypy refuses a parser with a declaration that is not a keyword.
_Claim: TypeAlias = Literal["invariant", "reachable", "deadlockfree", "ltl"]
Declaration: TypeAlias = Literal["const", "process", "domain", "var", "initially", "def", "rule", "terminal", _Claim]
# These begin declarations too, but are names elsewhere: texts that were written before there were such declarations.
Word: TypeAlias = Literal["record", "union", "procedure", "ruleset", "start"]
DECLARATIONS: Final[tuple[Declaration, ...]] = get_args(Declaration)
WORDS: Final[tuple[Word, ...]] = get_args(Word)
KEYWORDS: Final = frozenset(
    {
        *DECLARATIONS,
        *("as", "when", "do", "bool", "seq", "of"),
        *("if", "then", "else", "for", "in", "while", "limit", "let", "assert"),
        *("true", "false", "forall", "exists", "count", "sum"),
    }
)

ANYTHING: Final = "_"  # as an argument of an event in a formula; a name only in backquotes

_PLAIN_NAME: Final = re.compile(r"[^\W\d]\w*")
_WIDEST_LINE: Final = 100


def print_model(model: Model) -> str:
    """The model as ``.seq`` text."""
    return text_of(Printer.of(model).groups(model))


def text_of(groups: Sequence[Sequence[str]]) -> str:
    """Groups of declarations as one text; an empty line between them."""
    text = "\n\n".join("\n".join(group) for group in groups if group)
    return (text if text.strip() else "terminal: false;") + "\n"  # a text has to declare something


def print_expr(expr: Expr) -> str:
    """An expression as ``.seq`` text, labels without their domains.

    >>> print_expr(n.Binary("*", n.Binary("+", n.Const(1), n.Const(2)), n.Const(3)))
    '(1 + 2) * 3'
    """
    return Printer(frozenset(), frozenset()).expr(expr)


def print_name(name: str) -> str:
    """A name as it stands in a text: in backquotes if it would not be read as a name otherwise."""
    is_plain = _PLAIN_NAME.fullmatch(name) and name not in KEYWORDS and name != ANYTHING
    return name if is_plain else f"`{name}`"


@final
@dataclass(frozen=True, slots=True)
class Printer:
    """Prints in the context of a model: which domains have names, which labels need their domain."""

    domains: frozenset[Domain]
    ambiguous: frozenset[str]
    declared: Declared | None = None  # if it is known, ids are written as numbers where they are
    rules: tuple[Rule, ...] = ()

    @classmethod
    def of(cls, model: Model) -> Printer:
        uses = Counter(label for domain in model.domains for label in domain.labels)
        ambiguous = frozenset(name for name, count in uses.items() if count > 1)
        return cls(frozenset(model.domains), ambiguous, Declared.of(model), model.rules)

    # ------------------------------------------------------------ declarations

    def groups(self, model: Model) -> list[list[str]]:
        """The lines of a model, groups of declarations; what it says about terminal states comes last."""
        return [
            [self._constant(c) for c in model.constants],
            [self._domain_declaration(d, model.domains) for d in model.domains],
            [self._variable(v) for v in model.variables],
            [f"initially {self.expr(condition)};" for condition in model.initially],
            *(list(self._rule(r, "start")) for r in model.starts),
            *(list(self._rule(r, "rule")) for r in model.rules),
            [f"terminal: {self.expr(model.terminal)};"] if model.terminal != FALSE else [],
        ]

    @staticmethod
    def _constant(constant: n.Constant) -> str:
        return f"const {print_name(constant.name)} = {_value(constant.value)};"

    @staticmethod
    def _domain_declaration(domain: Domain, others: Sequence[Domain]) -> str:
        word = "process" if domain.index == domain.name else "domain"
        index = domain.index if word == "domain" else ""
        top = domain.high - len(domain.labels)
        extended = index or domain.base
        base = next((d for d in others if extended and d.name == extended), None)
        labels = "{ " + ", ".join(map(print_name, domain.labels)) + " }"
        of = f" of {print_name(index)}" if index else ""
        if base is not None and domain.added and domain.labels[: base.size] == base.labels:
            text = f"{print_name(base.name)} + {{ {', '.join(map(print_name, domain.labels[base.size :]))} }}"
        elif base is not None and not base.labels and (base.low, base.high) == (domain.low, top):
            text = print_name(base.name) + (f" + {labels}" if domain.labels else "")
        elif domain.labels and (domain.low, top) == (0, -1):
            text = labels + of
        else:
            text = f"{domain.low} .. {top}{of}" + (f" + {labels}" if domain.labels else "")
        return f"{word} {print_name(domain.name)} = {text};"

    def domain(self, domain: Domain) -> str:
        """A domain where it is used: its name, or its range."""
        if domain == BOOL:
            return "bool"
        if domain in self.domains or domain.labels:
            return print_name(domain.name)
        return f"{domain.low} .. {domain.high}" + (f" of {print_name(domain.index)}" if domain.index else "")

    def _variable(self, variable: Variable) -> str:
        dimensions = "".join(f"[{self.domain(d)}]" for d in variable.dimensions)
        kind = self.domain(variable.domain)
        if variable.capacity is not None:
            kind = f"seq[{variable.capacity}] of {kind}"
        return f"var {print_name(variable.name)}{dimensions}: {kind}{self._initial(variable)};"

    def _initial(self, variable: Variable) -> str:
        def entry(value: int | tuple[int, ...] | None) -> str:
            if isinstance(value, tuple):
                return "[" + ", ".join(map(entry, value)) + "]"
            return "*" if value is None else self.expr(_typed(value, variable.domain))

        least = () if variable.is_sequence else variable.domain.low
        distinct = set(variable.initial)
        if distinct == {least}:
            return ""
        if len(distinct) == 1:
            return f" = {entry(variable.initial[0])}"
        return " = [" + ", ".join(map(entry, variable.initial)) + "]"

    def parameters(self, parameters: Sequence[Parameter]) -> str:
        """Parameters in parentheses, or nothing."""
        if not parameters:
            return ""
        return "(" + ", ".join(f"{print_name(p.name)}: {self.domain(p.domain)}" for p in parameters) + ")"

    def _rule(self, rule: Rule, word: str) -> Iterator[str]:
        head = [f"{word} {print_name(rule.name)}{self.parameters(rule.parameters)}"]
        if rule.event != own_event(rule.name, rule.parameters):
            head.append(f"as {self._event(rule.event)}")
        if rule.actors is not None:
            head.append(f"by {', '.join(map(self._actor, rule.actors)) or '()'}")
        if rule.guard != TRUE:
            head.append(f"when {self.expr(rule.guard)}")
        if not rule.body:
            head.append("do { }")
            yield " ".join(head)
            return
        if sum(map(len, head)) < _WIDEST_LINE:
            yield " ".join(head) + " do {"
        else:
            yield head[0]
            yield from (f"  {line}" for line in head[1:])
            yield "do {"
        yield from self._block(rule.body, "")
        yield "}"

    def _event(self, event: n.Event) -> str:
        arguments = "(" + ", ".join(map(self.expr, event.arguments)) + ")" if event.arguments else ""
        return print_name(event.name) + arguments

    def numbers_in(self, event: str, arguments: Sequence[Expr | None]) -> frozenset[int]:
        """Which arguments in a question about an event are numbers of ids."""
        if self.declared is None:
            return frozenset()
        return frozenset(place for place, _ in wanted_by_events(self.rules, event, arguments, self.declared))

    def _actor(self, actor: n.Actor) -> str:
        if actor.id is None:
            return print_name(actor.kind)
        kind = self.declared and kind_of(actor.id, self.declared)
        is_other = kind and kind != actor.kind
        return f"{print_name(actor.kind)}({self.expr(ordinal(actor.id) if is_other else actor.id)})"

    # ------------------------------------------------------------ statements

    def _block(self, body: Sequence[Stmt], margin: str) -> Iterator[str]:
        for statement in body:
            yield from self._stmt(statement, margin + "  ")

    def _stmt(self, statement: Stmt, margin: str) -> Iterator[str]:
        """The lines of a statement."""
        statement = self._with_ordinals(statement)
        match statement:
            case n.If():
                yield from self._if(statement, margin)
            case n.For(name=name, domain=domain, body=body):
                yield f"{margin}for {print_name(name)} in {self.domain(domain)} {{"
                yield from self._block(body, margin)
                yield f"{margin}}}"
            case n.While(condition=condition, limit=limit, body=body):
                yield f"{margin}while {self.expr(condition)} limit {limit} {{"
                yield from self._block(body, margin)
                yield f"{margin}}}"
            case _:
                yield f"{margin}{self._simple(statement)};"

    def _with_ordinals(self, statement: Stmt) -> Stmt:
        """A statement that writes the number of an id where it is kept as one."""
        if self.declared is None:
            return statement
        for value, wanted in written_kinds(statement, self.declared):
            if is_misused(kind_of(value, self.declared), wanted):
                assert isinstance(statement, n.Assign | n.Push | n.Declare)
                return replace(statement, value=ordinal(value))
        return statement

    def _simple(self, statement: n.Assign | n.Push | n.Pop | n.Clear | n.Declare | n.Assert) -> str:
        match statement:
            case n.Assign(target=target, value=value):
                return f"{self.expr(target)} := {self.expr(value)}"
            case n.Push(variable=name, indices=indices, value=value):
                return f"push({self.expr(n.Read(name, indices))}, {self.expr(value)})"
            case n.Pop(variable=name, indices=indices):
                return f"pop({self.expr(n.Read(name, indices))})"
            case n.Clear(variable=name, indices=indices):
                return f"clear({self.expr(n.Read(name, indices))})"
            case n.Declare(name=name, domain=domain, value=value):
                return f"var {print_name(name)}: {self.domain(domain)} := {self.expr(value)}"
            case n.Assert(condition=condition, text=text, is_limit=is_limit):
                word = "limit" if is_limit else "assert"
                return f"{word} {self.expr(condition)}" + (f", {_quote(text)}" if text else "")
            case _:
                assert_never(statement)

    def _if(self, statement: n.If, margin: str) -> Iterator[str]:
        yield f"{margin}if {self.expr(statement.condition)} {{"
        while True:
            yield from self._block(statement.then, margin)
            match statement.otherwise:
                case ():
                    yield f"{margin}}}"
                    return
                case (n.If() as link,):
                    yield f"{margin}}} else if {self.expr(link.condition)} {{"
                    statement = link
                case otherwise:
                    yield f"{margin}}} else {{"
                    yield from self._block(otherwise, margin)
                    yield f"{margin}}}"
                    return

    # ------------------------------------------------------------ expressions

    def expr(self, expr: Expr) -> str:
        """An expression, with the numbers of ids where they are computed with."""
        return self._text(expr if self.declared is None else with_ordinals(expr, self.declared))

    def _text(self, expr: Expr, tighter: int = 0, *, last: bool = True) -> str:
        """An expression, in parentheses unless its operator binds tighter than ``tighter``.

        ``last`` says that nothing follows it on its right that it could swallow: quantifiers, choices and
        negations reach as far right as they can.
        """
        match expr:
            case n.Const():
                return self._const(expr)
            case n.Bound(name=name):
                return print_name(name)
            case n.Read(variable=name, indices=indices) | n.Lookup(table=name, indices=indices):
                return self._access(name, indices)
            case n.Length(variable=name, indices=indices):
                return f"len({self._access(name, indices)})"
            case n.Item(variable=name, indices=indices, position=position):
                return self._access(name, (*indices, position))
            case n.Binary(operator="min" | "max" as function, left=left, right=right):
                return f"{function}({self._text(left)}, {self._text(right)})"
            case n.Binary(operator=operator) | n.Logic(operator=operator):
                level = LEVELS[operator]
                text = self._operation(expr, level, last=last or level <= tighter)
                return text if level > tighter else f"({text})"
            case n.Unary(operator="-", operand=operand):
                # A sign in front of a number would be read as part of it.
                inner = self._text(operand, SIGN, last=last)
                text = f"-({inner})" if isinstance(operand, n.Const) or inner[0].isdigit() else f"-{inner}"
                return text if tighter < CHECK else f"({text})"
            case n.Unary(operator="ord", operand=operand):
                return f"ord({self._text(operand)})"
            case n.Unary(operand=operand):
                is_open = last or tighter < NEGATION
                text = f"!{self._text(operand, NEGATION, last=last if is_open else True)}"
                return text if is_open else f"({text})"
            case n.Choice() | n.Quantified():
                text = self._reaching(expr)
                return text if last else f"({text})"
            case n.Checked(operand=operand):
                return f"{self._text(operand, CHECK, last=False)} as {self._checked_domain(expr.domain)}"
            case _:
                assert_never(expr)

    def _checked_domain(self, domain: Domain) -> str:
        """A domain behind ``as``, where operators may follow."""
        text = self.domain(domain)
        return text if domain in self.domains or domain == BOOL else f"({text})"

    def _operation(self, expr: n.Binary | n.Logic, level: int, *, last: bool) -> str:
        if isinstance(expr, n.Logic):
            *front, back = expr.operands
            parts = [*(self._text(o, level, last=False) for o in front), self._text(back, level, last=last)]
            return f" {expr.operator} ".join(parts)
        is_right = expr.operator == "=>"
        left = self._text(expr.left, level if is_right or level == COMPARISON else level - 1, last=False)
        right = self._text(expr.right, level - 1 if is_right else level, last=last)
        return f"{left} {expr.operator} {right}"

    def _reaching(self, expr: n.Choice | n.Quantified) -> str:
        if isinstance(expr, n.Choice):
            condition, then = self._text(expr.condition), self._text(expr.then)
            return f"if {condition} then {then} else {self._text(expr.otherwise)}"
        binders, body = [expr], expr.body
        while isinstance(body, n.Quantified) and body.quantifier == expr.quantifier:
            binders.append(body)
            body = body.body
        ranges = ", ".join(f"{print_name(b.name)} in {self.domain(b.domain)}" for b in binders)
        return f"{expr.quantifier} {ranges}: {self._text(body)}"

    def _access(self, name: str, indices: Sequence[Expr]) -> str:
        return print_name(name) + "".join(f"[{self._text(index)}]" for index in indices)

    def _const(self, const: n.Const) -> str:
        domain = const.domain
        if domain is None:
            return str(const.value)
        text = domain.text(const.value)
        if domain == BOOL:
            return text
        if const.value > domain.high - len(domain.labels):
            label = print_name(text)
            return f"{print_name(domain.name)}.{label}" if text in self.ambiguous else label
        return f"{print_name(domain.name)}.{text}" if domain in self.domains else text


def _typed(value: int, domain: Domain) -> n.Const:
    """A value as it is written: with its label if it has one."""
    return n.Const(value, domain if value > domain.high - len(domain.labels) else None)


def _value(value: Value) -> str:
    return str(value) if isinstance(value, int) else "[" + ", ".join(map(_value, value)) + "]"


def _quote(text: str) -> str:
    for sign, escape in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")):
        text = text.replace(sign, escape)
    return f'"{text}"'
