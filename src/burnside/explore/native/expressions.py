"""C for expressions over packed states.

No identifier of a model reaches C: variables, tables and bound names become numbers. Every expression
has type ``number``; ``fault`` is the name of an ``int *`` in scope, and after a fault values stay legal
(see ``runtime/model.h``), so checking it once per statement is enough.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import assert_never, final

from burnside.ctext import c_mask, c_number
from burnside.ir import nodes as n
from burnside.ir.cells import cells_per_element
from burnside.ir.intervals import Bounds
from burnside.ir.nodes import Domain, Expr, Model, Value, Variable
from burnside.ir.packing import WORD, Field, Layout
from burnside.values import dataclass

_C_OPERATORS = {"<=>": "=="}
_FUNCTIONS = {"/": "floor_quotient", "%": "floor_remainder"}
_PLAIN_FUNCTIONS = {"min": "lesser", "max": "greater"}


@final
@dataclass(frozen=True, slots=True)
class Place:
    """Where a field is found: a word and a shift, both C expressions, or one computed bit position."""

    width: int
    low: int
    word: str = ""
    shift: str = ""
    bit: str = ""

    @property
    def mask(self) -> str:
        """The field's bits, moved down to the lowest place."""
        return c_mask((1 << self.width) - 1)


@final
class ExpressionEmitter:
    """Writes C expressions for one model and one layout."""

    def __init__(self, model: Model, layout: Layout) -> None:
        self.layout = layout
        self.variables = layout.cells.variables
        self.tables = {c.name: c.value for c in model.constants if isinstance(c.value, tuple)}
        self.bounds = Bounds(self.variables, self.tables)
        self._number_of_variable = {v.name: k for k, v in enumerate(model.variables)}
        self._number_of_table = {name: k for k, name in enumerate(self.tables)}
        self._fresh = count()

    def fresh(self) -> str:
        """A C name not used before."""
        return f"x{next(self._fresh)}"

    # ------------------------------------------------------------ data

    def declarations(self) -> str:
        """Constant tables: lists of the model, and bit positions of variables spread over several words."""
        lines = []
        for name, value in self.tables.items():
            entries = ", ".join(map(c_number, flatten(value))) or "0"
            lines.append(f"static const number list{self._number_of_table[name]}[] = {{{entries}}};")
        for variable in self.variables.values():
            if self._common_word(variable) is None:
                bits = ", ".join(str(f.word * WORD + f.shift) for f in self._fields(variable))
                lines.append(f"static const uint32_t bits{self._number_of_variable[variable.name]}[] = {{{bits}}};")
        return "\n".join(f"__attribute__((unused)) {line}" for line in lines)

    def _fields(self, variable: Variable) -> tuple[Field, ...]:
        start = self.layout.cells.starts[variable.name]
        return self.layout.fields[start : start + variable.elements * cells_per_element(variable)]

    def _common_word(self, variable: Variable) -> int | None:
        words = {f.word for f in self._fields(variable)}
        return words.pop() if len(words) == 1 else None

    # ------------------------------------------------------------ places

    def cell(self, name: str, indices: tuple[Expr, ...]) -> int | None:
        """The number of a scalar's or length's cell if the indices are constants inside their dimensions."""
        if not all(isinstance(i, n.Const) for i in indices):
            return None
        values = [i.value for i in indices if isinstance(i, n.Const)]
        return self.layout.cells.position(self.variables[name], values)

    def place(self, name: str, element: str, slot: str = "") -> Place:
        """The place of an element's scalar or length (no slot) or of one of its items; both are C expressions."""
        variable = self.variables[name]
        fields, per_element = self._fields(variable), cells_per_element(variable)
        if element.isdigit():  # a known element: only its own cells need to share a word
            fields, offset = fields[int(element) * per_element :][:per_element], times(element, per_element)
            element = ""
        else:
            offset = times(element, per_element)
        field = fields[1] if slot else fields[0]
        if len({f.word for f in fields}) > 1:
            offset = add(offset, add(slot, "1") if slot else "")
            return Place(field.width, field.low, bit=f"bits{self._number_of_variable[name]}[{offset}]")
        stride = fields[per_element].shift - fields[0].shift if len(fields) > per_element else 0
        item = add(str(fields[1].shift - fields[0].shift), times(slot, fields[1].width)) if slot else ""
        shift = add(str(fields[0].shift), times(element, stride), item)
        return Place(field.width, field.low, word=str(field.word), shift=shift)

    def get(self, store: str, place: Place) -> str:
        """The value at a place."""
        if place.width == 0:
            return f"(number){c_number(place.low)}"
        if place.bit:
            raw = f"field_at({store}, {place.bit}, {place.mask})"
        else:
            raw = f"({store}[{place.word}] >> ({place.shift}) & {place.mask})"
        return f"(number){raw}" if place.low == 0 else f"((number){raw} + {c_number(place.low)})"

    def put(self, store: str, place: Place, value: str) -> str:
        """A statement that writes a value known to be legal."""
        if place.width == 0:
            return ""
        raw = f"(word)({value})" if place.low == 0 else f"(word)({value} - {c_number(place.low)})"
        if place.bit:
            return f"set_field_at({store}, {place.bit}, {place.mask}, {raw});"
        target = f"{store}[{place.word}]"
        return f"{target} = ({target} & ~({place.mask} << ({place.shift}))) | {raw} << ({place.shift});"

    def element(self, store: str, name: str, indices: tuple[Expr, ...], names: Mapping[str, str]) -> str:
        """The number of an array element, counted from 0, with checks where an index could be outside."""
        number = ""
        for index, dimension in zip(indices, self.variables[name].dimensions, strict=True):
            checked = self.checked(store, index, names, dimension, "FAULT_INDEX")
            offset = checked if dimension.low == 0 else f"({checked} - {c_number(dimension.low)})"
            number = add(times(number, dimension.size), offset)
        return number

    def checked(self, store: str, expr: Expr, names: Mapping[str, str], domain: Domain, kind: str) -> str:
        """An expression whose value must lie in a domain; the check is left out if it cannot fail."""
        code = self.expr(store, expr, names)
        low, high = self.bounds.of(expr)
        if domain.low <= low and high <= domain.high:
            return code
        return f"within({code}, {c_number(domain.low)}, {c_number(domain.high)}, {kind}, fault)"

    # ------------------------------------------------------------ expressions

    def expr(self, store: str, expr: Expr, names: Mapping[str, str]) -> str:
        """C for an expression that reads from the words of ``store``."""

        def code(e: Expr) -> str:
            return self.expr(store, e, names)

        match expr:
            case n.Const(value=value):
                return c_number(value)
            case n.Bound(name=name):
                return names[name]
            case n.Read(variable=name, indices=indices) | n.Length(variable=name, indices=indices):
                cell = self.cell(name, indices)
                if cell is not None:
                    return self.get(store, fixed_place(self.layout.fields[cell]))
                return self._read(store, name, self.element(store, name, indices, names))
            case n.Item():
                return self._item(store, expr, names)
            case n.Lookup():
                return self._lookup(store, expr, names)
            case n.Unary(operator="-", operand=operand):
                return f"(-{code(operand)})"
            case n.Unary(operand=operand):
                return f"(!{code(operand)})"
            case n.Binary(operator="=>", left=left, right=right):
                return f"(!{code(left)} || {code(right)})"
            case n.Binary(operator=operator, left=left, right=right) if operator in _FUNCTIONS:
                return self._division(expr, code(left), code(right))
            case n.Binary(operator=operator, left=left, right=right) if operator in _PLAIN_FUNCTIONS:
                return f"{_PLAIN_FUNCTIONS[operator]}({code(left)}, {code(right)})"
            case n.Binary(operator=operator, left=left, right=right):
                return f"({code(left)} {_C_OPERATORS.get(operator, operator)} {code(right)})"
            case n.Logic(operator=operator, operands=operands):
                return "(" + f" {operator} ".join(map(code, operands)) + ")"
            case n.Choice(condition=condition, then=then, otherwise=otherwise):
                # The cast keeps two small constants from making the whole an int, and what follows overflow.
                return f"({code(condition)} ? (number){code(then)} : {code(otherwise)})"
            case n.Quantified():
                return self._quantified(store, expr, names)
            case n.Checked(operand=operand, domain=domain):
                return self.checked(store, operand, names, domain, "FAULT_DOMAIN")
            case _:
                assert_never(expr)

    def _read(self, store: str, name: str, element: str) -> str:
        value = self.get(store, self.place(name, element))
        if not element or element.isdigit() or element in value:
            return value
        # An array of one element, or of elements with one value: the place does not depend on the index,
        # which is computed all the same, because it may be outside.
        return f"((void)({element}), {value})"

    def item_place(self, store: str, item: n.Item, element: str, names: Mapping[str, str]) -> Place:
        """The place of an item of a sequence element, with a check that the sequence reaches that far."""
        length = self.get(store, self.place(item.variable, element))
        position = self.expr(store, item.position, names)
        slot = f"within({position}, 0, {length} - 1, FAULT_INDEX, fault)"
        return self.place(item.variable, element, slot)

    def _item(self, store: str, item: n.Item, names: Mapping[str, str]) -> str:
        element = self.element(store, item.variable, item.indices, names)
        if element.isidentifier() or element.isdigit() or not element:
            return self.get(store, self.item_place(store, item, element, names))
        # Named, because it is needed twice: written out twice at every level, nested accesses would explode.
        name = self.fresh()
        value = self.get(store, self.item_place(store, item, name, names))
        return f"__extension__({{ const number {name} = {element}; {value}; }})"

    def _lookup(self, store: str, expr: n.Lookup, names: Mapping[str, str]) -> str:
        value: Value = self.tables[expr.table]
        offset = ""
        for index in expr.indices:
            assert isinstance(value, tuple)
            span = Domain("", 0, len(value) - 1)
            offset = add(times(offset, len(value)), self.checked(store, index, names, span, "FAULT_INDEX"))
            value = value[0] if value else 0
        return f"list{self._number_of_table[expr.table]}[{offset}]"

    def _division(self, expr: n.Binary, left: str, right: str) -> str:
        # Plain C division is right where nothing is negative and the divisor cannot be zero.
        if self.bounds.of(expr.left)[0] >= 0 and self.bounds.of(expr.right)[0] > 0:
            return f"({left} {expr.operator} {right})"
        return f"{_FUNCTIONS[expr.operator]}({left}, {right}, fault)"

    def _quantified(self, store: str, expr: n.Quantified, names: Mapping[str, str]) -> str:
        name, result = self.fresh(), self.fresh()
        body = self.expr(store, expr.body, {**names, expr.name: name})
        start, each = {
            "forall": ("1", f"if (!{body}) {{ {result} = 0; break; }}"),
            "exists": ("0", f"if ({body}) {{ {result} = 1; break; }}"),
        }.get(expr.quantifier, ("0", f"{result} += {body};"))
        loop = f"{loop_header(name, expr.domain)} {each}"
        return f"__extension__({{ number {result} = {start}; {loop} {result}; }})"


# ---------------------------------------------------------------- spelling


def fixed_place(field: Field) -> Place:
    """The place of a cell that is known when code is written."""
    return Place(field.width, field.low, word=str(field.word), shift=str(field.shift))


def add(*terms: str) -> str:
    """A sum of C expressions without its empty and zero terms, folded where all are numbers."""
    kept = [t for t in terms if t not in ("", "0")]
    if all(t.isdigit() for t in kept):
        return str(sum(map(int, kept)))
    return kept[0] if len(kept) == 1 else f"({' + '.join(kept)})"


def times(term: str, factor: int) -> str:
    """A C expression times a number, folded where possible."""
    if term in ("", "0") or factor == 0:
        return ""
    if term.isdigit():
        return str(int(term) * factor)
    return term if factor == 1 else f"{term} * {factor}"


def loop_header(name: str, domain: Domain) -> str:
    """A loop over all values of a domain, without its body."""
    return f"for (number {name} = {c_number(domain.low)}; {name} <= {c_number(domain.high)}; {name}++)"


def flatten(value: Value) -> list[int]:
    """The numbers of a list of lists, row by row."""
    return [value] if isinstance(value, int) else [number for v in value for number in flatten(v)]
