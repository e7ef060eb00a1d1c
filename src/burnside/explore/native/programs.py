"""C for rules: guards as masks where possible, bodies as straight code on a copy of the state.

A rule instance whose guard only compares cells with constants and whose body only writes constants
becomes code without a branch: the successor is computed as one addition per word and kept or
overwritten by the next one depending on the guard. Which rules fire is unpredictable, so this is faster
than jumping although most of these successors are thrown away.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import TypeAlias, TypeVar, assert_never, final

from burnside.ctext import c_mask, c_number
from burnside.explore.native.expressions import ExpressionEmitter, Place, fixed_place, loop_header
from burnside.explore.native.selection import RuleText
from burnside.ir import nodes as n
from burnside.ir.build import conjuncts
from burnside.ir.nodes import TRUE, Domain, Expr, Rule, Stmt
from burnside.ir.simplify import GroundRule, Simplifier
from burnside.values import dataclass, field

T = TypeVar("T")
Lines: TypeAlias = Generator[str, None, T]  # yields lines of C, returns what later lines need

_MOST_WORDS_WITHOUT_BRANCH = 2
_LONGEST_STRETCH = 32  # statements without a jump: compilers take quadratic time over long ones
_LEAVE_ON_FAULT = "if (*fault) return out;"


@final
@dataclass(slots=True)
class Masks:
    """A conjunction of ``cell == constant``: per word, which bits must have which value."""

    bits: dict[int, int] = field(default_factory=dict)
    values: dict[int, int] = field(default_factory=dict)
    cells: dict[int, int] = field(default_factory=dict)
    contradictory: bool = False

    def require(self, emitter: ExpressionEmitter, cell: int, value: int) -> None:
        """Add one comparison."""
        place = emitter.layout.fields[cell]
        if self.cells.setdefault(cell, value) != value or value not in emitter.layout.cells.all[cell].domain:
            self.contradictory = True
            return
        self.bits[place.word] = self.bits.get(place.word, 0) | place.mask
        self.values[place.word] = self.values.get(place.word, 0) | place.place(value)

    def tests(self, store: str) -> list[str]:
        """C comparisons, one per word."""
        return [
            f"({store}[{w}] & {c_mask(bits)}) == {c_mask(self.values[w])}"
            for w, bits in sorted(self.bits.items())
            if bits
        ]


@final
class ProgramEmitter:
    """Writes the C of rules for one model."""

    def __init__(self, expressions: ExpressionEmitter, simplifier: Simplifier) -> None:
        self._c = expressions
        self._simplifier = simplifier

    # ------------------------------------------------------------ rules

    def ground_rule(self, rule: GroundRule) -> RuleText | None:
        """The C of one instance of a rule, None if it never fires."""
        label = c_number(rule.instance.number)
        masks, rest = self._split_guard(rule.guard)
        if masks.contradictory:
            return None
        if not rest and not self._event_faults(rule.event):
            lines = self._branchless(masks, rule.body, label)
            if lines:
                return RuleText(lines, masks.cells)
        condition = " && ".join([*masks.tests("s"), *(self._c.expr("s", e, {}) for e in rest)]) or "1"
        may_fault = any(self._simplifier.faults.possible(e) for e in rest)
        return RuleText(self._guarded(condition, may_fault, rule.event, rule.body, {}, label), masks.cells)

    def rule_as_loop(self, rule: Rule, first: int) -> RuleText:
        """The C of all instances of a rule, numbered from ``first``: loops are slower, but short."""
        names = {p.name: self._c.fresh() for p in rule.parameters}
        guard = self._simplifier.expr(rule.guard)
        event = tuple(self._simplifier.expr(a) for a in rule.event.arguments)
        body = self._simplifier.block(rule.body, {})
        condition = self._c.expr("s", guard, names)
        label = _instance_number([(names[p.name], p.domain) for p in rule.parameters], first)
        inner = self._guarded(condition, self._simplifier.faults.possible(guard), event, body, names, label)
        loops = [f"{loop_header(names[p.name], p.domain)} {{" for p in rule.parameters]
        return RuleText([*loops, *inner, *("}" for _ in loops)], {})

    def _guarded(
        self,
        condition: str,
        may_fault: bool,
        event: Sequence[Expr],
        body: Sequence[Stmt],
        names: Mapping[str, str],
        label: str,
    ) -> list[str]:
        lines = [f"if ({condition}) {{"]
        if may_fault:
            lines = [f"enabled = {condition};", _LEAVE_ON_FAULT, "if (enabled) {"]
        for argument in event:
            if self._simplifier.faults.possible(argument):
                lines += [f"(void){self._c.expr('s', argument, names)};", _LEAVE_ON_FAULT]
        lines += ["word t[WORDS];", "memcpy(t, s, sizeof t);"]
        lines += self._block(body, dict(names))
        return [*lines, "memcpy(out, t, sizeof t);", f"LABEL({label}, 1);", "out += WORDS;", "}"]

    def _event_faults(self, event: Sequence[Expr]) -> bool:
        return any(self._simplifier.faults.possible(a) for a in event)

    # ------------------------------------------------------------ guards

    def _split_guard(self, guard: Expr) -> tuple[Masks, list[Expr]]:
        """Comparisons with constants as masks, and the rest. Nothing moves across an operand that can fault."""
        masks, rest = Masks(), []
        movable = True
        for operand in conjuncts(guard):
            movable = movable and not self._simplifier.faults.possible(operand)
            test = self._cell_test(operand) if movable else None
            if test is not None:
                masks.require(self._c, *test)
            elif operand != TRUE:
                rest.append(operand)
        return masks, rest

    def _cell_test(self, expr: Expr) -> tuple[int, int] | None:
        """The cell and value of a test ``cell == constant`` in any of its spellings."""
        match expr:
            case n.Read(variable=name, indices=indices):
                cell = self._c.cell(name, indices)
                return None if cell is None else (cell, 1)
            case n.Unary(operator="!", operand=n.Read(variable=name, indices=indices)):
                cell = self._c.cell(name, indices)
                return None if cell is None else (cell, 0)
            case n.Binary(operator="==" | "!=" | "<=>", left=n.Const() as value, right=n.Read() as read):
                return self._equality(expr.operator, read, value.value)
            case n.Binary(operator="==" | "!=" | "<=>", left=n.Read() as read, right=n.Const() as value):
                return self._equality(expr.operator, read, value.value)
            case _:
                return None

    def _equality(self, operator: str, read: n.Read, value: int) -> tuple[int, int] | None:
        cell = self._c.cell(read.variable, read.indices)
        if cell is None:
            return None
        domain = self._c.layout.cells.all[cell].domain
        if operator != "!=":
            return cell, value
        if domain.size == 2 and value in domain:
            return cell, domain.low + domain.high - value
        return None

    # ------------------------------------------------------------ without branches

    def _branchless(self, masks: Masks, body: Sequence[Stmt], label: str) -> list[str]:
        writes = self._constant_writes(body)
        words = self._c.layout.words
        if writes is None or words > _MOST_WORDS_WITHOUT_BRANCH:
            return []
        kept: dict[int, int] = {}
        added: dict[int, int] = {}
        for cell, value in writes.items():
            place = self._c.layout.fields[cell]
            if cell in masks.cells:  # the old value is known: one constant moves all such fields at once
                added[place.word] = added.get(place.word, 0) + place.place(value) - place.place(masks.cells[cell])
            else:
                kept[place.word] = kept.get(place.word, 0) | place.mask
                added[place.word] = added.get(place.word, 0) + place.place(value)
        tests = masks.tests("s")
        enabled = " & ".join(f"({test})" for test in tests) if len(tests) > 1 else "".join(tests) or "1"
        lines = [f"enabled = {enabled};"]
        for word in range(words):
            old = f"(s[{word}] & ~{c_mask(kept[word])})" if word in kept else f"s[{word}]"
            change = added.get(word, 0) % (1 << 64)
            lines.append(f"out[{word}] = {old} + {c_mask(change)};" if change else f"out[{word}] = {old};")
        return [*lines, f"LABEL({label}, enabled);", "out += WORDS * enabled;"]

    def _constant_writes(self, body: Sequence[Stmt]) -> dict[int, int] | None:
        """The net effect of a body that only writes legal constants to fixed cells, else None."""
        writes: dict[int, int] = {}
        for statement in body:
            match statement:
                case n.Assign(target=n.Read(variable=name, indices=indices), value=n.Const(value=value)):
                    cell = self._c.cell(name, indices)
                    if cell is None or value not in self._c.variables[name].domain:
                        return None
                    writes[cell] = value
                case _:
                    return None
        return writes

    # ------------------------------------------------------------ statements

    def _block(self, body: Sequence[Stmt], names: dict[str, str]) -> Iterator[str]:
        """Statements on the copy ``t``; every one that can fault leaves the function after a fault."""
        for number, statement in enumerate(body, 1):
            yield from self._statement(statement, names)
            if number % _LONGEST_STRETCH == 0:
                yield _LEAVE_ON_FAULT

    def _statement(self, statement: Stmt, names: dict[str, str]) -> Iterator[str]:
        match statement:
            case n.Assign():
                yield from self._assign(statement, names)
            case n.Declare(name=name, domain=domain, value=value):
                yield from self._declare(name, domain, value, names)
            case n.If(condition=condition, then=then, otherwise=otherwise):
                yield from self._evaluate("t", condition, names, "int", chosen := self._c.fresh())
                yield f"if ({chosen}) {{"
                yield from self._block(then, dict(names))
                if otherwise:
                    yield "} else {"
                    yield from self._block(otherwise, dict(names))
                yield "}"
            case n.For(name=name, domain=domain, body=body):
                counter = self._c.fresh()
                yield f"{loop_header(counter, domain)} {{"
                yield from self._block(body, {**names, name: counter})
                yield "}"
            case n.While():
                yield from self._while(statement, names)
            case n.Assert(condition=condition):
                yield from self._evaluate("t", condition, names, "int", holds := self._c.fresh())
                yield f"if (!{holds}) {{ raise_fault(fault, FAULT_ASSERTION); return out; }}"
            case n.Push() | n.Pop() | n.Clear():
                yield from self._change_sequence(statement, names)
            case _:
                assert_never(statement)

    def _evaluate(self, store: str, expr: Expr, names: Mapping[str, str], kind: str, name: str) -> Iterator[str]:
        yield f"{kind} {name} = {self._c.expr(store, expr, names)};"
        if self._simplifier.faults.possible(expr):
            yield _LEAVE_ON_FAULT

    def _declare(self, name: str, domain: Domain, value: Expr, names: dict[str, str]) -> Iterator[str]:
        local = self._c.fresh()
        yield f"number {local} = {self._c.checked('t', value, names, domain, 'FAULT_DOMAIN')};"
        yield f"(void){local};"
        if self._may_leave(value, domain):
            yield _LEAVE_ON_FAULT
        names[name] = local

    def _may_leave(self, value: Expr, domain: Domain) -> bool:
        low, high = self._c.bounds.of(value)
        return self._simplifier.faults.possible(value) or low < domain.low or high > domain.high

    def _assign(self, statement: n.Assign, names: dict[str, str]) -> Iterator[str]:
        target, value = statement.target, statement.value
        if isinstance(target, n.Bound):
            yield f"{names[target.name]} = {self._c.checked('t', value, names, target.domain, 'FAULT_DOMAIN')};"
            if self._may_leave(value, target.domain):
                yield _LEAVE_ON_FAULT
            return
        domain = self._c.variables[target.variable].domain
        yield "{"
        place = yield from self._target(target, names)
        # One variable for all values: compilers take quadratic time over thousands of variables.
        yield f"value = {self._c.checked('t', value, names, domain, 'FAULT_DOMAIN')};"
        if self._simplifier.faults.possible(target) or self._may_leave(value, domain):
            yield _LEAVE_ON_FAULT
        yield self._c.put("t", place, "value")
        yield "}"

    def _target(self, target: n.Read | n.Item, names: Mapping[str, str]) -> Lines[Place]:
        """Lines that compute where to write; the generator's value is the place."""
        cell = self._c.cell(target.variable, target.indices)
        if isinstance(target, n.Read) and cell is not None:
            return fixed_place(self._c.layout.fields[cell])
        element = yield from self._element(target.variable, target.indices, names)
        if isinstance(target, n.Item):
            place = self._c.item_place("t", target, element, names)
        else:
            place = self._c.place(target.variable, element)
        return (yield from self._named(place))

    def _element(self, variable: str, indices: tuple[Expr, ...], names: Mapping[str, str]) -> Lines[str]:
        code = self._c.element("t", variable, indices, names)
        if not code or code.isdigit():
            return code
        element = self._c.fresh()
        yield f"const number {element} = {code};"
        yield f"(void){element};"
        return element

    def _named(self, place: Place) -> Lines[Place]:
        """A place whose computed parts have names, so that they are evaluated once."""
        name = self._c.fresh()
        if place.bit:
            yield f"const number {name} = {place.bit};"
            return Place(place.width, place.low, bit=name)
        yield f"const number {name} = {place.shift};"
        return Place(place.width, place.low, word=place.word, shift=name)

    def _while(self, statement: n.While, names: dict[str, str]) -> Iterator[str]:
        rounds, go_on = self._c.fresh(), self._c.fresh()
        yield f"for (number {rounds} = 0;; {rounds}++) {{"
        yield from self._evaluate("t", statement.condition, names, "int", go_on)
        yield f"if (!{go_on}) break;"
        yield f"if ({rounds} == {c_number(statement.limit)}) {{ raise_fault(fault, FAULT_LOOP); return out; }}"
        yield from self._block(statement.body, dict(names))
        yield "}"

    # ------------------------------------------------------------ sequences

    def _change_sequence(self, statement: n.Push | n.Pop | n.Clear, names: Mapping[str, str]) -> Iterator[str]:
        variable = self._c.variables[statement.variable]
        yield "{"
        element = yield from self._element(statement.variable, statement.indices, names)
        length = self._c.place(statement.variable, element)
        held = self._c.fresh()
        yield f"const number {held} = {self._c.get('t', length)};"
        match statement:
            case n.Push(value=value):
                yield from self._push(statement, element, held, value, names)
            case n.Pop():
                yield f"if ({held} == 0) raise_fault(fault, FAULT_UNDERFLOW);"
                yield _LEAVE_ON_FAULT
                yield from self._shift_items(statement.variable, element)
                yield self._c.put("t", length, f"{held} - 1")
            case n.Clear():
                yield f"(void){held};"
                yield _LEAVE_ON_FAULT
                slot = self._c.fresh()
                yield f"for (number {slot} = 0; {slot} < {variable.capacity}; {slot}++) {{"
                yield self._clear_slot(statement.variable, element, slot)
                yield "}"
                yield self._c.put("t", length, "0")
            case _:
                assert_never(statement)
        yield "}"

    def _push(self, statement: n.Push, element: str, held: str, value: Expr, names: Mapping[str, str]) -> Iterator[str]:
        variable = self._c.variables[statement.variable]
        result = self._c.fresh()
        yield f"number {result} = {self._c.expr('t', value, names)};"
        yield f"if (!*fault && {held} == {variable.capacity}) raise_fault(fault, FAULT_OVERFLOW);"
        low, high = c_number(variable.domain.low), c_number(variable.domain.high)
        yield f"{result} = within({result}, {low}, {high}, FAULT_DOMAIN, fault);"
        yield _LEAVE_ON_FAULT
        place = yield from self._named(self._c.place(statement.variable, element, held))
        yield self._c.put("t", place, result)
        yield self._c.put("t", self._c.place(statement.variable, element), f"{held} + 1")

    def _shift_items(self, variable: str, element: str) -> Iterator[str]:
        """All items one place to the front, the last one cleared."""
        capacity = self._c.variables[variable].capacity or 0
        first = self._c.place(variable, element, "0")
        if first.width == 0:
            return
        if first.word:  # all items in one word, side by side: shift them as one number
            block = c_mask((1 << first.width * capacity) - 1)
            start = self._c.fresh()
            yield f"const number {start} = {first.shift};"
            word = f"t[{first.word}]"
            items = f"(({word} >> {start} & {block}) >> {first.width})"
            yield f"{word} = ({word} & ~({block} << {start})) | {items} << {start};"
            return
        slot = self._c.fresh()
        yield f"for (number {slot} = 0; {slot} < {capacity - 1}; {slot}++) {{"
        after = self._c.get("t", self._c.place(variable, element, f"({slot} + 1)"))
        yield self._c.put("t", self._c.place(variable, element, slot), after)
        yield "}"
        yield self._clear_slot(variable, element, str(capacity - 1))

    def _clear_slot(self, variable: str, element: str, slot: str) -> str:
        place = self._c.place(variable, element, slot)
        return self._c.put("t", place, c_number(place.low))


def _instance_number(parameters: Sequence[tuple[str, Domain]], first: int) -> str:
    """The number of an instance, counted in the order of `instances_of`."""
    number = "0"
    for name, domain in parameters:
        number = f"({number} * {c_number(domain.size)} + ({name} - {c_number(domain.low)}))"
    return f"({c_number(first)} + {number})"
