"""What a Murphi text means, executed as it is written.

It shares the tree of the front end (``test_conformance`` compares what that leads to with another tool) and nothing
else: values are Python values, states are nested dictionaries, a fault is an exception, a rule is run by running it.
"""

from __future__ import annotations

import copy
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import product

from burnside.frontends.murphi.read import syntax as s

UNDEFINED = None


class Faulted(Exception):
    """An error while the model runs."""


class Discarded(Exception):
    """An assumption that does not hold."""


class Returned(Exception):
    """A ``return`` on its way out."""

    def __init__(self, value):
        self.value = value


@dataclass(frozen=True)
class Scalar:
    """A value of a scalarset."""

    kind: str
    number: int


class Field(str):
    """The name of a field, which is not a label."""


@dataclass
class Type:
    """A type: ``values`` of simple ones in order; ``fields`` of records; ``index`` and ``element`` of arrays."""

    values: list | None = None
    fields: dict | None = None
    index: Type | None = None
    element: Type | None = None
    is_range: bool = False

    def fresh(self):
        """A value of the type with nothing in it."""
        if self.fields is not None:
            return {name: kind.fresh() for name, kind in self.fields.items()}
        if self.index is not None:
            return {value: self.element.fresh() for value in self.index.values}
        return [UNDEFINED]

    def least(self):
        """The same with the least values."""
        if self.fields is not None:
            return {name: kind.least() for name, kind in self.fields.items()}
        if self.index is not None:
            return {value: self.element.least() for value in self.index.values}
        return [self.values[0]]

    def takes(self, value):
        """The value, if it is one of the type."""
        if value is not UNDEFINED and value not in self.values:
            raise Faulted(f"{value} is outside")
        return value


@dataclass
class Slot:
    """Where a value is kept: a list of one value, or a dictionary of parts; ``const`` for what has no place."""

    type: Type | None
    content: object


@dataclass
class Model:
    """Declarations of a text, and its rules with what is around them."""

    types: dict = field(default_factory=dict)
    names: dict = field(default_factory=dict)
    routines: dict = field(default_factory=dict)
    variables: dict = field(default_factory=dict)
    rules: list = field(default_factory=list)
    starts: list = field(default_factory=list)
    properties: list = field(default_factory=list)
    copies_undefined: bool = False


def understand(items, *, copies_undefined=False):
    """The declarations and rules of a text."""
    model = Model(copies_undefined=copies_undefined)
    for item in items:
        match item:
            case s.ConstantDeclaration():
                model.names[item.name.text] = Slot(None, [Run(model, {}).value(item.value, {})])
            case s.TypeDeclaration():
                model.types[item.name.text] = type_of(model, item.type, item.name.text)
            case s.VariableDeclaration():
                model.variables[item.field.name.text] = type_of(model, item.field.type)
            case s.Routine():
                model.routines[item.name.text] = item
            case _:
                _collect(model, item, [])
    return model


def _collect(model, item, around):
    match item:
        case s.Ruleset():
            for rule in item.rules:
                _collect(model, rule, [*around, *item.binders])
        case s.AliasedRules():
            for rule in item.rules:
                _collect(model, rule, [*around, *item.aliases])
        case s.Rule():
            model.rules.append((item, around))
        case s.StartState():
            model.starts.append((item, around))
        case s.Property():
            model.properties.append((item, around))


def type_of(model, expr, name=""):
    """The type that an expression describes."""
    run = Run(model, {})
    match expr:
        case s.NamedType():
            return model.types[expr.name]
        case s.BooleanType():
            return Type([False, True])
        case s.RangeType():
            low, high = run.value(expr.low, {}), run.value(expr.high, {})
            return Type([*range(low, high + 1)], is_range=True)
        case s.EnumType():
            for label in expr.labels:
                model.names[label.text] = Slot(None, [label.text])
            return Type([label.text for label in expr.labels])
        case s.ScalarsetType():
            return Type([Scalar(name, k) for k in range(run.value(expr.size, {}))])
        case s.UnionType():
            return Type([value for part in expr.parts for value in type_of(model, part).values])
        case s.RecordType():
            return Type(fields={Field(f.name.text): type_of(model, f.type) for f in expr.fields})
        case s.ArrayType():
            return Type(index=type_of(model, expr.index), element=type_of(model, expr.element))
    raise AssertionError(expr)


class Run:
    """One execution on a state, which it changes."""

    def __init__(self, model, state):
        self.model = model
        self.state = state

    # ------------------------------------------------------------ places and values

    def slot(self, expr, names) -> Slot:
        """What an expression stands for."""
        match expr:
            case s.Name():
                if expr.text in names:
                    return names[expr.text]
                if expr.text in self.state:
                    return Slot(self.model.variables[expr.text], self.state[expr.text])
                return self.model.names[expr.text]
            case s.Member():
                whole = self.slot(expr.whole, names)
                return Slot(whole.type.fields[expr.name.text], whole.content[expr.name.text])
            case s.Element():
                whole = self.slot(expr.whole, names)
                index = self.value(expr.index, names)
                if index not in whole.content:
                    raise Faulted("index")
                return Slot(whole.type.element, whole.content[index])
            case s.Call():
                return self.call(expr, names)
        return Slot(None, [self.value(expr, names)])

    def value(self, expr, names):
        """The value of an expression without parts."""
        match expr:
            case s.Number():
                return expr.value
            case s.Truth():
                return expr.value
            case s.Unary(operator="!"):
                return not self.value(expr.operand, names)
            case s.Unary(operator="-"):
                return -self.value(expr.operand, names)
            case s.Unary(operator="~"):
                return ~self.value(expr.operand, names)
            case s.Unary():
                return self.value(expr.operand, names)
            case s.Binary():
                return self.binary(expr, names)
            case s.Chain():
                return self.chain(expr, names)
            case s.Conditional():
                chosen = expr.then if self.value(expr.condition, names) else expr.otherwise
                return self.value(chosen, names)
            case s.Quantified():
                decisive = expr.word == "exists"
                for value in self.range_of(expr.binder, names):
                    inner = {**names, expr.binder.name.text: Slot(None, [value])}
                    if self.value(expr.body, inner) == decisive:
                        return decisive
                return not decisive
            case s.IsUndefined():
                return self.slot(expr.place, names).content[0] is UNDEFINED
            case s.IsMember():
                return self.value(expr.value, names) in type_of(self.model, expr.type).values
        content = self.slot(expr, names).content
        if not isinstance(content, list):
            return content
        if content[0] is UNDEFINED:
            raise Faulted("undefined")
        return content[0]

    def binary(self, expr, names):
        """Operators on two values."""
        if expr.operator == "->":
            return not self.value(expr.left, names) or self.value(expr.right, names)
        left, right = self.value(expr.left, names), self.value(expr.right, names)
        match expr.operator:
            case "=":
                return left == right
            case "!=":
                return left != right
            case "<":
                return left < right
            case "<=":
                return left <= right
            case ">":
                return left > right
            case ">=":
                return left >= right
            case "+":
                return left + right
            case "-":
                return left - right
            case "*":
                return left * right
            case "^":
                return left ^ right
            case "<<" | ">>":
                by = right if expr.operator == "<<" else -right
                return left << by if by >= 0 else left >> -by
        if right == 0:
            raise Faulted("division")
        quotient = abs(left) // abs(right)
        quotient = quotient if (left >= 0) == (right >= 0) else -quotient
        return quotient if expr.operator == "/" else left - quotient * right

    def chain(self, expr, names):
        """``&`` and ``|``, of truth values or of bits."""
        first = self.value(expr.operands[0], names)
        if isinstance(first, bool):
            decisive = expr.operator in ("|", "||")
            if first == decisive:
                return decisive
            for operand in expr.operands[1:]:
                if self.value(operand, names) == decisive:
                    return decisive
            return not decisive
        for operand in expr.operands[1:]:
            other = self.value(operand, names)
            first = first & other if expr.operator == "&" else first | other
        return first

    def range_of(self, binder, names):
        """The values of a name, in order."""
        if isinstance(binder, s.Over):
            return type_of(self.model, binder.type).values
        first, last = self.value(binder.first, names), self.value(binder.last, names)
        step = 1 if binder.step is None else self.value(binder.step, names)
        if step == 0:
            raise Faulted("step")
        return range(first, last + (1 if step > 0 else -1), step)

    # ------------------------------------------------------------ routines

    def call(self, call, names):
        """Run a routine; the place of its result."""
        routine = self.model.routines[call.name.text]
        inner = {}
        for parameter, argument in zip(routine.parameters, call.arguments, strict=True):
            kind = type_of(self.model, parameter.type)
            if isinstance(argument, s.Undefined):
                inner[parameter.name.text] = Slot(kind, kind.fresh())
                continue
            given = self.slot(argument, names)
            if parameter.is_var:
                inner[parameter.name.text] = given
                continue
            content = copy.deepcopy(given.content)
            if isinstance(content, list):
                kind.takes(content[0])
            inner[parameter.name.text] = Slot(kind, content)
        self.declare(routine.declarations, inner)
        try:
            self.block(routine.body, inner)
        except Returned as returned:
            if routine.result is None:
                return None
            kind = type_of(self.model, routine.result)
            content = returned.value
            if isinstance(content, list):
                if content[0] is UNDEFINED:
                    raise Faulted("undefined result") from None
                kind.takes(content[0])
            return Slot(kind, content)
        if routine.result is not None:
            raise Faulted("no result")
        return None

    def declare(self, declarations, names):
        """Local variables."""
        for declared in declarations:
            if isinstance(declared, s.VariableDeclaration):
                kind = type_of(self.model, declared.field.type)
                names[declared.field.name.text] = Slot(kind, kind.fresh())

    # ------------------------------------------------------------ statements

    def block(self, body, names):
        """Statements in order."""
        for statement in body:
            self.statement(statement, names)

    def statement(self, st, names):
        """One statement."""
        match st:
            case s.Assignment():
                self.assign(st, names)
            case s.If():
                for condition, body in st.branches:
                    if self.value(condition, names):
                        self.block(body, names)
                        return
                self.block(st.otherwise, names)
            case s.Switch():
                subject = self.value(st.subject, names)
                for values, body in st.cases:
                    if any(self.value(value, names) == subject for value in values):
                        self.block(body, names)
                        return
                self.block(st.otherwise, names)
            case s.For():
                for value in self.range_of(st.binder, names):
                    self.block(st.body, {**names, st.binder.name.text: Slot(None, [value])})
            case s.While():
                rounds = 0
                while self.value(st.condition, names):
                    rounds += 1
                    if rounds > 1000:
                        raise Faulted("loop")
                    self.block(st.body, names)
            case s.WithAliases():
                self.block(st.body, self.with_aliases(st.aliases, names))
            case s.Perform():
                self.call(st.call, names)
            case s.Return():
                raise Returned(None if st.value is None else self.result(st.value, names))
            case s.Check(word="assert"):
                if not self.value(st.condition, names):
                    raise Faulted("assertion")
            case s.Check(word="assume"):
                if not self.value(st.condition, names):
                    raise Discarded
            case s.Check():
                self.value(st.condition, names)
            case s.Failure():
                raise Faulted("error")
            case s.Clear():
                place = self.slot(st.place, names)
                overwrite(place.content, place.type.least())
            case s.Undefine():
                place = self.slot(st.place, names)
                overwrite(place.content, place.type.fresh())
            case s.Put():
                pass
            case _:
                raise AssertionError(st)

    def result(self, expr, names):
        """What is returned: a copy."""
        content = self.slot(expr, names).content
        return copy.deepcopy(content)

    def assign(self, st, names):
        """An assignment; the target is found first."""
        target = self.slot(st.target, names)
        if isinstance(st.value, s.Undefined):
            overwrite(target.content, target.type.fresh())
            return
        is_place = isinstance(st.value, (s.Name, s.Member, s.Element, s.Call))
        source = self.slot(st.value, names).content if is_place else [self.value(st.value, names)]
        if isinstance(source, dict):
            overwrite(target.content, copy.deepcopy(source))
            return
        may_copy = self.model.copies_undefined and not isinstance(st.value, s.Call)
        if source[0] is UNDEFINED and not may_copy:
            raise Faulted("undefined")
        target.content[0] = target.type.takes(source[0])

    def with_aliases(self, aliases, names):
        """Names for places, found now, and for values."""
        inner = dict(names)
        for alias in aliases:
            is_place = isinstance(alias.value, (s.Name, s.Member, s.Element))
            inner[alias.name.text] = (
                self.slot(alias.value, inner) if is_place else Slot(None, [self.value(alias.value, inner)])
            )
        return inner


def overwrite(old, new):
    """Give a place other content, so that all who know the place see it."""
    if isinstance(old, list):
        old[0] = new[0]
        return
    for key, part in new.items():
        overwrite(old[key], part)


# ---------------------------------------------------------------- states and steps


def frozen(content):
    """A state that can be compared."""
    if isinstance(content, list):
        return content[0]
    return tuple(frozen(part) for part in content.values())


def instances(model, around):
    """The values of the names around a rule; aliases among them stay to be bound."""
    binders = [b for b in around if isinstance(b, (s.Over, s.Steps))]
    run = Run(model, {})
    for values in product(*(run.range_of(b, {}) for b in binders)):
        yield dict(zip((b.name.text for b in binders), values, strict=True))


def names_of(run, around, values):
    """Names with their values, aliases bound on the state of a run, in order."""
    names = {}
    for each in around:
        if isinstance(each, s.Alias):
            names = run.with_aliases([each], names)
        else:
            names[each.name.text] = Slot(None, [values[each.name.text]])
    return names


def survives(model, state):
    """Whether all assumptions hold."""
    return all(holds(model, state, item, around) for item, around in model.properties if item.word == "assume")


def holds(model, state, item, around):
    """Whether a property holds in a state for all values of the names around it."""
    run = Run(model, state)
    return all(run.value(item.condition, names_of(run, around, values)) for values in instances(model, around))


def outcomes(model, state):
    """What the rules do in a state: new states, and 'fault' for each that fails."""
    for rule, around in model.rules:
        for values in instances(model, around):
            new = copy.deepcopy(state)
            run = Run(model, new)
            try:
                names = names_of(run, around, values)
                if rule.guard is not None and not run.value(rule.guard, names):
                    continue
                yield execute(model, run, rule, names)
            except Faulted:
                yield "fault"
            except Discarded:
                continue


def execute(model, run, rule, names):
    """Run the body of a rule; the state that it leads to."""
    names = dict(names)
    run.declare(rule.declarations, names)
    with suppress(Returned):
        run.block(rule.body, names)
    if not survives(model, run.state):
        raise Discarded
    return run.state


def initial(model):
    """The initial states, and whether a start state fails."""
    found, failed = {}, 0
    for rule, around in model.starts:
        for values in instances(model, around):
            state = {name: kind.fresh() for name, kind in model.variables.items()}
            run = Run(model, state)
            try:
                execute(model, run, rule, names_of(run, around, values))
                found[frozen(state)] = state
            except Faulted:
                failed += 1
            except Discarded:
                continue
    return found, failed


def explore(model, most=2_000):
    """All reachable states with what happens in each: how many steps lead where, and how many fail."""
    found, failed = initial(model)
    steps = {}
    waiting = list(found.items())
    while waiting:
        key, state = waiting.pop()
        if len(found) > most:
            return None
        counts = {}
        for outcome in outcomes(model, state):
            goal = outcome if outcome == "fault" else frozen(outcome)
            counts[goal] = counts.get(goal, 0) + 1
            if goal != "fault" and goal not in found:
                found[goal] = outcome
                waiting.append((goal, outcome))
        steps[key] = counts
    return steps, failed, found
