"""The `.seq` language once more: a tree of plain values, and its text.

Expressions, statements and formulas are tuples whose first item says what they are:

    ("num", 3)  ("true",)  ("false",)  ("value", domain, 2)  ("name", "i")  ("call", "next", args)
    ("var", "at", indices)  ("item", "q", indices, position)  ("len" | "empty" | "full" | "head", "q", indices)
    ("table", "SIZES", (index, …))  ("not" | "neg", a)  ("op", "+", a, b)  ("if", c, a, b)
    ("quantified", "forall", (("i", domain), …), body)  ("min" | "max", operands)  ("ord", a)
    ("as", a, domain)  ("element", "t", index)

    ("set", "at", indices, value)  ("set item", "q", indices, position, value)  ("push", "q", indices, value)
    ("pop" | "clear", "q", indices)  ("if", condition, then, otherwise)  ("for", "k", domain, body)
    ("while", condition, limit, body)  ("let", "x", value)  ("local", "x", domain, value)  ("set local", "x", value)
    ("assert", condition)  ("local array", "t", dimension, domain, value)  ("set element", "t", index, value)

    ("state", condition)  ("event", "e", arguments or None)  ("not" | "X" | "G" | "F", f)
    ("and" | "or" | "=>" | "<=>" | "U" | "R" | "W", f, g)  ("each", "forall" | "exists", "i", domain, f)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any, TypeAlias

Tree: TypeAlias = tuple[Any, ...]
Parameters: TypeAlias = "tuple[tuple[str, Domain], ...]"

_KEYWORDS = """
    const process domain var initially def rule terminal invariant reachable deadlockfree ltl as when do bool seq of if
    then else for in while limit let assert true false forall exists count sum X U R W event under
"""
FAIRNESS = ("none", "weak", "strong", "weak-events", "strong-events", "global")
_FAIRNESS_TEXT = {
    "weak": " under weak fairness",
    "strong": " under strong fairness",
    "weak-events": " under weak fairness of events",
    "strong-events": " under strong fairness of events",
    "global": " under global fairness",
}


@dataclass(frozen=True)
class Domain:
    """Values from ``low`` to ``high``; the last ones have the labels. ``ids`` names the processes the others are."""

    name: str
    low: int
    high: int
    labels: tuple[str, ...] = ()
    kind: str = "range"  # or "bool", "enumeration"
    ids: str = ""
    declared: str = ""  # what stands behind "="

    def values(self) -> range:
        return range(self.low, self.high + 1)

    def __len__(self) -> int:
        return self.high + 1 - self.low

    @property
    def type(self) -> str:
        """Values can be compared if their types are equal."""
        return {"range": "number", "bool": "truth"}.get(self.kind, self.name)

    def label(self, value: int) -> str | None:
        place = value - (self.high + 1 - len(self.labels))
        return self.labels[place] if place >= 0 and self.labels else None

    def spell(self, value: int) -> str:
        """A value as traces show it."""
        if self.kind == "bool":
            return "true" if value else "false"
        return self.label(value) or str(value)

    def text(self) -> str:
        if self.kind == "bool":
            return "bool"
        return quoted(self.name) if self.name else f"{self.low} .. {self.high}"


BOOL = Domain("bool", 0, 1, kind="bool")


def numbers(low: int, high: int) -> Domain:
    """A range without a name."""
    return Domain("", low, high)


@dataclass(frozen=True)
class Variable:
    """``initial`` has a value for each element: a number, None for any, or the items of a sequence."""

    name: str
    dimensions: tuple[Domain, ...]
    domain: Domain
    capacity: int | None
    initial: tuple[Any, ...]

    def elements(self) -> Iterator[tuple[int, ...]]:
        return product(*(d.values() for d in self.dimensions))


@dataclass(frozen=True)
class Rule:
    """Without an event, its name with its parameters is one; ``event`` is a name and arguments with their domains.

    ``actors`` are who acts, if the rule says so: a name, and for one of several a parameter or a number.
    """

    name: str
    parameters: Parameters
    guard: Tree | None
    body: tuple[Tree, ...]
    event: tuple[str, tuple[tuple[Tree, Domain], ...]] | None = None
    actors: tuple[tuple[str, Tree | None], ...] | None = None


@dataclass(frozen=True)
class Property:
    """``kind`` is invariant, reachable, deadlockfree or ltl; the condition of an ltl property is a formula."""

    kind: str
    name: str
    parameters: Parameters = ()
    condition: Tree = ("true",)
    fairness: str = "none"
    stuttering: bool = False  # of deadlockfree: a state from which all steps lead back to it is a deadlock, too


@dataclass(frozen=True)
class Model:
    """A whole text."""

    domains: tuple[Domain, ...]
    variables: tuple[Variable, ...]
    rules: tuple[Rule, ...]
    properties: tuple[Property, ...]
    tables: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    definitions: tuple[tuple[str, Parameters, Tree], ...] = ()
    initially: tuple[Tree, ...] = ()
    terminal: Tree | None = None
    starts: tuple[Rule, ...] = ()  # what makes the initial states, if there are any


# ---------------------------------------------------------------- text


def quoted(name: str) -> str:
    """A name as it is written."""
    plain = re.fullmatch(r"[^\W\d]\w*", name) and name not in _KEYWORDS.split()
    return name if plain else f"`{name}`"


def text_of(model: Model) -> str:
    """The whole model, a declaration in each line."""
    return "".join(line + "\n" for line in _declarations(model))


def _declarations(model: Model) -> Iterator[str]:
    for name, table in model.tables.items():
        yield f"const {quoted(name)} = [{', '.join(map(str, table))}];"
    for domain in model.domains:
        keyword = "process" if domain.ids == domain.name else "domain"
        yield f"{keyword} {quoted(domain.name)} = {domain.declared};"
    yield from map(_variable_text, model.variables)
    for name, parameters, body in model.definitions:
        yield f"def {quoted(name)}{_parameters_text(parameters)} = {expression_text(body)};"
    yield from (f"initially {expression_text(c)};" for c in model.initially)
    yield from (_rule_text(s).replace("rule", "start", 1) for s in model.starts)
    yield from map(_rule_text, model.rules)
    if model.terminal is not None:
        yield f"terminal: {expression_text(model.terminal)};"
    yield from map(_property_text, model.properties)


def _variable_text(v: Variable) -> str:
    dimensions = "".join(f"[{d.text()}]" for d in v.dimensions)
    kind = v.domain.text() if v.capacity is None else f"seq[{v.capacity}] of {v.domain.text()}"
    first = v.initial[0]
    if v.dimensions and any(i != first for i in v.initial):
        initial = "[" + ", ".join(_initial_text(v, i) for i in v.initial) + "]"
    else:
        initial = _initial_text(v, first)
    return f"var {quoted(v.name)}{dimensions}: {kind} = {initial};"


def _initial_text(v: Variable, value: Any) -> str:
    if value is None:
        return "*"
    if isinstance(value, tuple):
        return "[" + ", ".join(value_text(v.domain, i) for i in value) + "]"
    return value_text(v.domain, value)


def _rule_text(r: Rule) -> str:
    event = ""
    if r.event is not None:
        name, arguments = r.event
        event = f" as {quoted(name)}" + (
            f"({', '.join(expression_text(a) for a, _ in arguments)})" if arguments else ""
        )
    guard = "" if r.guard is None else f" when {expression_text(r.guard)}"
    return f"rule {quoted(r.name)}{_parameters_text(r.parameters)}{event}{_actors_text(r)}{guard} do {_block(r.body)}"


def _actors_text(r: Rule) -> str:
    if r.actors is None:
        return ""
    texts = [quoted(kind) + ("" if number is None else f"({expression_text(number)})") for kind, number in r.actors]
    return f" by {', '.join(texts) or '()'}"


def _property_text(p: Property) -> str:
    head = f"{p.kind} {quoted(p.name)}{_parameters_text(p.parameters)}"
    if p.kind == "deadlockfree":
        return f"{head}{' up to stuttering' if p.stuttering else ''};"
    if p.kind == "ltl":
        return f"{head}{_FAIRNESS_TEXT.get(p.fairness, '')}: {formula_text(p.condition)};"
    return f"{head}: {expression_text(p.condition)};"


def _parameters_text(parameters: Parameters) -> str:
    return f"({', '.join(f'{quoted(n)}: {d.text()}' for n, d in parameters)})" if parameters else ""


def _block(statements: Iterable[Tree]) -> str:
    return "{ " + " ".join(map(_statement, statements)) + " }"


def _statement(s: Tree) -> str:
    e = expression_text
    match s:
        case ("set", name, indices, value):
            return f"{_place(name, indices)} := {e(value)};"
        case ("set item", name, indices, position, value):
            return f"{_place(name, indices)}[{e(position)}] := {e(value)};"
        case ("push", name, indices, value):
            return f"push({_place(name, indices)}, {e(value)});"
        case ("pop" | "clear" as what, name, indices):
            return f"{what}({_place(name, indices)});"
        case ("if", condition, then, otherwise):
            return f"if {e(condition)} {_block(then)}" + (f" else {_block(otherwise)}" if otherwise else "")
        case ("for", name, domain, body):
            return f"for {quoted(name)} in {domain.text()} {_block(body)}"
        case ("while", condition, limit, body):
            return f"while {e(condition)} limit {limit} {_block(body)}"
        case ("let", name, value):
            return f"let {quoted(name)} = {e(value)};"
        case ("local", name, domain, value):
            return f"var {quoted(name)}: {domain.text()} := {e(value)};"
        case ("local array", name, dimension, domain, value):
            return f"var {quoted(name)}[{dimension.text()}]: {domain.text()} := {e(value)};"
        case ("set element", name, index, value):
            return f"{quoted(name)}[{e(index)}] := {e(value)};"
        case ("set local", name, value):
            return f"{quoted(name)} := {e(value)};"
        case ("assert", condition):
            return f"assert {e(condition)};"
    raise ValueError(s)


def value_text(domain: Domain, value: int) -> str:
    """A constant of a domain."""
    if domain.kind == "bool":
        return domain.spell(value)
    label = domain.label(value)
    if label is None:
        return str(value)
    return f"{quoted(domain.name)}.{quoted(label)}"


def _place(name: str, indices: Iterable[Tree]) -> str:
    return quoted(name) + "".join(f"[{expression_text(i)}]" for i in indices)


_LEVELS = {"<=>": 1, "=>": 2, "||": 3, "&&": 4, "|": 7, "^": 8, "&": 9, "+": 10, "-": 10, "*": 11, "/": 11, "%": 11}
_LEVELS |= dict.fromkeys(("==", "!=", "<", "<=", ">", ">="), 6)
_QUANTIFIED, _NOT, _SIGN, _ATOM = 0, 5, 12, 13


def expression_text(e: Tree, needed: int = 0) -> str:
    """An expression, in parentheses only where the table of precedences asks for them."""
    text, level = _expression(e)
    return f"({text})" if level < needed else text


def _expression(e: Tree) -> tuple[str, int]:
    inner = expression_text
    match e:
        case ("num", n):
            return str(n), _ATOM if n >= 0 else _SIGN
        case ("true" | "false" as word,):
            return word, _ATOM
        case ("value", domain, value):
            return value_text(domain, value), _ATOM if value >= 0 or domain.label(value) else _SIGN
        case ("name", name):
            return quoted(name), _ATOM
        case ("call", name, arguments):
            return quoted(name) + (f"({', '.join(map(inner, arguments))})" if arguments else ""), _ATOM
        case ("var", name, indices) | ("table", name, indices):
            return _place(name, indices), _ATOM
        case ("item", name, indices, position):
            return f"{_place(name, indices)}[{inner(position)}]", _ATOM
        case ("len" | "empty" | "full" | "head" as what, name, indices):
            return f"{what}({_place(name, indices)})", _ATOM
        case ("min" | "max" as what, operands):
            return f"{what}({', '.join(map(inner, operands))})", _ATOM
        case ("ord", a):
            return f"ord({inner(a)})", _ATOM
        case ("element", name, index):
            return f"{quoted(name)}[{inner(index)}]", _ATOM
        case ("as", a, domain):
            return f"{inner(a, _ATOM)} as ({domain.text()})", _ATOM
        case ("not", a):
            return f"!{inner(a, _NOT)}", _NOT
        case ("neg", a):
            return f"-{inner(a, _ATOM)}", _SIGN
        case ("if", c, a, b):
            return f"if {inner(c)} then {inner(a)} else {inner(b)}", _QUANTIFIED
        case ("quantified", kind, bound, body):
            names = ", ".join(f"{quoted(n)} in {d.text()}" for n, d in bound)
            return f"{kind} {names}: {inner(body)}", _QUANTIFIED
        case ("op", operator, a, b):
            level = _LEVELS[operator]
            left, right = (level + 1, level) if operator == "=>" else (level, level + 1)
            if level == 6:
                left = level + 1
            return f"{inner(a, left)} {operator} {inner(b, right)}", level
    raise ValueError(e)


def formula_text(f: Tree) -> str:
    """A formula; what is inside another one always stands in parentheses."""
    match f:
        case ("state", condition):
            return expression_text(condition)
        case ("event", name, arguments):
            shown = (
                ""
                if arguments is None
                else f"({', '.join('_' if a is None else expression_text(a) for a in arguments)})"
            )
            return f"event {quoted(name)}{shown}"
        case ("not", a):
            return f"!({formula_text(a)})"
        case ("X" | "G" | "F" as what, a):
            return f"{ {'X': 'X', 'G': '[]', 'F': '<>'}[what] } ({formula_text(a)})"
        case ("each", kind, name, domain, a):
            return f"{kind} {quoted(name)} in {domain.text()}: ({formula_text(a)})"
        case (operator, a, b):
            shown = {"and": "&&", "or": "||"}.get(operator, operator)
            return f"({formula_text(a)}) {shown} ({formula_text(b)})"
    raise ValueError(f)
