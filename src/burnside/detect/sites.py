"""Places of a text that could single out processes or values, each with what stands there as an unknown.

A *site* is a literal of a process or of a value, an initial value, a range that is a part of a process domain, a list
of constants that is looked up by process, or a calculation with process ids. To *relax* it is to let what it says be
anything: the literal becomes a constant with any value, the calculation a table with any entries. Of what nobody wrote
(faults, what a front end adds) there are no sites, and none of differences of type.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import final

from burnside.claims.requirements import Required
from burnside.detect.site import MOST_ENTRIES, Kind, Site, Start, Unknown, places
from burnside.detect.sort_inference import Calculation, Literal, Owner, Typed, constant_value, infer, leaves_of
from burnside.detect.starts import Starts
from burnside.detect.vocabulary import MOST_VALUES, Vocabulary
from burnside.ir import nodes as n
from burnside.ir.cells import Cells, unextended
from burnside.ir.intervals import Bounds
from burnside.ir.nodes import BOOL, Constant, Domain, Expr, Model, Variable
from burnside.ir.operators import ORDERINGS
from burnside.ir.renaming import Sort, SortKind
from burnside.ir.rewrite import with_children
from burnside.ir.uses import evaluated_in, variables_read, variables_written
from burnside.ir.walk import children

_MOST_DIMENSIONS = 3


# ---------------------------------------------------------------- finding them


def find_sites(
    model: Model, requirements: Sequence[Required], occurring: Mapping[str, frozenset[int]]
) -> tuple[Vocabulary, tuple[Unknown, ...], tuple[Start, ...]]:
    """The sites of a model and of conditions; ``occurring`` are the values that variables take."""
    vocabulary = Vocabulary(model, infer(model, requirements), occurring)
    finder = _Finder(model, vocabulary)
    used = set(_variables_used(model, requirements))
    starts = Starts(model, finder.cells, vocabulary)
    return vocabulary, (*finder.unknowns(),), (*starts.sites(used),)


def _variables_used(model: Model, requirements: Iterable[Required]) -> Iterator[str]:
    """What variables somebody looks at or changes: the initial values of others tell nobody apart."""
    for rule in model.rules:
        yield from variables_written(rule.body)
        for expr in evaluated_in(rule):
            yield from variables_read(expr)
    for expr in (*model.initially, model.terminal, *(r.condition for r in requirements)):
        yield from variables_read(expr)


@final
class _Finder:
    def __init__(self, model: Model, vocabulary: Vocabulary) -> None:
        self._model = model
        self.cells = Cells(model)
        self._vocabulary = vocabulary
        self._sorts = vocabulary.sorts
        self._tables = {c.name: c for c in model.constants}
        self._bounds = Bounds(self.cells.variables, {c.name: c.value for c in model.constants})
        self._rule_spans = {Owner("rule", rule.name): rule.span for rule in model.rules}
        self._count = 0

    def unknowns(self) -> Iterator[Unknown]:
        """Sites inside expressions."""
        yield from self._literals()
        yield from self._ranges()
        yield from self._lists()
        yield from self._calculations()

    def _fresh(self, dimensions: tuple[Domain, ...], domain: Domain) -> Variable:
        self._count += 1
        empty = Variable(f"?{self._count}", dimensions, domain, None, ())
        return replace(empty, initial=(None,) * empty.elements)

    # ------------------------------------------------------------ literals

    def _literals(self) -> Iterator[Unknown]:
        """What one part says of one process is one site, though it may say so several times; and so is a place that
        stands for several of them, where rules are written out.
        """
        written = [
            (literal, sort)
            for literal in self._sorts.literals
            if (sort := self._sorts.sort(literal.key)) is not None
            and self._is_name(literal, sort)
            and self._is_written(literal)
        ]
        values: dict[tuple[str, int], set[int]] = {}
        for literal, _ in written:
            values.setdefault(_place(literal), set()).add(literal.value)
        together: dict[tuple[object, Sort, int], list[Literal]] = {}
        calculated: dict[tuple[Sort, str], list[Literal]] = {}
        for literal, sort in written:
            if len(values[_place(literal)]) > 1:
                calculated.setdefault((sort, _text(literal)), []).append(literal)
            else:
                together.setdefault((self._part(literal.owner), sort, literal.value), []).append(literal)
        for (_, sort, value), literals in together.items():
            at = places(lit.expr.span for lit in literals)
            yield self._constant(Site(Kind.LITERAL, sort, literals[0].owner, at, str(value), value), value, literals)
        for (sort, text), literals in calculated.items():
            at = places(lit.expr.span.balanced() for lit in literals if lit.expr.span is not None)
            yield from self._written_out(Site(Kind.CALCULATION, sort, literals[0].owner, at, text), literals)

    def _constant(self, site: Site, value: int, literals: Sequence[Literal]) -> Unknown:
        domain = self._common_domain(site.sort, literals)
        return Unknown(site, self._fresh((), domain), (value,), tuple(lit.expr for lit in literals))

    def _written_out(self, site: Site, literals: Sequence[Literal]) -> Iterator[Unknown]:
        """What a front end has calculated for one process after the other: a constant for each of them."""
        actors = {Owner("rule", rule.name): rule.actors for rule in self._model.rules}
        of_actors: dict[tuple[object, int], list[Literal]] = {}
        for literal in literals:
            of_actors.setdefault((actors.get(literal.owner), literal.value), []).append(literal)
        for (_, value), several in of_actors.items():
            yield self._constant(site, value, several)

    def _part(self, owner: Owner) -> object:
        """What is one part of the text: rules that are written out from one place are."""
        span = self._rule_spans.get(owner)
        return (span.source.name, span.start) if span is not None else owner

    def _is_name(self, literal: Literal, sort: Sort) -> bool:
        """Whether a literal is one of the values of a sort, and not a label beside them."""
        context = literal.expr.domain if isinstance(literal.expr, n.Const) else None
        is_label = context is not None and literal.value not in unextended(context)
        return not is_label and self._vocabulary.names(sort, literal.value)

    def _is_written(self, literal: Literal) -> bool:
        """Whether the text names the value, rather than something that a front end has put it in the place of."""
        span = literal.expr.span
        if span is None:
            return False
        named = {d.text(literal.value) for d in self._model.domains} | set(self._tables)
        return not span.text.isidentifier() or span.text in named

    def _common_domain(self, sort: Sort, literals: Iterable[Literal]) -> Domain:
        """Values that all of some literals could have instead."""
        whole = self._vocabulary.ids[sort]
        low, high = whole.low, whole.high
        for literal in literals:
            if literal.context is not None and literal.value in unextended(literal.context):
                values = unextended(literal.context)
                low, high = max(low, values[0]), min(high, values[-1])
        return whole if (low, high) == (whole.low, whole.high) else replace(whole, low=low, high=high, labels=())

    # ------------------------------------------------------------ ranges

    def _ranges(self) -> Iterator[Unknown]:
        for found in self._sorts.ranges:
            sort, domain = self._sorts.sort(found.key), found.node.domain
            whole = self._vocabulary.ids.get(sort) if sort is not None else None
            if sort is None or whole is None or not sort.is_process or found.node.span is None:
                continue
            if domain.labels or domain.low < whole.low or domain.high > whole.high or domain.size == whole.size:
                continue
            site = Site(Kind.RANGE, sort, found.owner, (found.node.span,), f"{domain.low}..{domain.high}")
            values = tuple(int(v in domain) for v in whole.values())
            yield Unknown(site, self._fresh((whole,), BOOL), values, (found.node,))

    # ------------------------------------------------------------ lists

    def _lists(self) -> Iterator[Unknown]:
        """Lists of constants that are looked up by process, or that hold processes."""
        uses: dict[str, list[tuple[n.Lookup, Owner]]] = {}
        for lookup, owner in self._sorts.lookups:
            uses.setdefault(lookup.table, []).append((lookup, owner))
        for name, lookups in uses.items():
            table = self._tables[name]
            shape, entries = _shape(table.value), tuple(_entries(table.value))
            dimensions = tuple(self._counted(name, k, size) for k, size in enumerate(shape))
            entry_sort = self._sorts.sort(("entries", name))
            about = [d.index for d in dimensions if d.index]
            about += [entry_sort.name] if entry_sort is not None and self._vocabulary.is_id(entry_sort) else []
            if not about or table.span is None or len(entries) > MOST_ENTRIES or len(set(entries)) == 1 != len(shape):
                continue
            sort = Sort(SortKind.PROCESS, about[0])
            site = _list_site(table, sort, lookups)
            variable = self._fresh(dimensions, self._result_domain(entry_sort, entries))
            yield Unknown(site, variable, entries, tuple(lookup for lookup, _ in lookups))

    def _counted(self, table: str, position: int, size: int) -> Domain:
        sort = self._sorts.sort(("table", table, position))
        whole = self._vocabulary.ids.get(sort) if sort is not None and sort.is_process else None
        return Domain("", 0, size - 1, (), whole.index if whole is not None and whole.high < size else "")

    def _result_domain(self, sort: Sort | None, values: Sequence[int]) -> Domain:
        whole = self._vocabulary.ids.get(sort) if sort is not None else None
        if whole is not None and all(v in whole for v in values):
            return whole
        return Domain("", min(values), max(values))

    # ------------------------------------------------------------ calculations

    def _calculations(self) -> Iterator[Unknown]:
        """Calculations with process ids; those that calculate the same are one site."""
        together: dict[tuple[object, ...], list[Calculation]] = {}
        for found in self._sorts.calculations:
            if found.expr.span is not None and any(
                self._vocabulary.is_id(self._sorts.sort(t.key)) for _, t in found.leaves
            ):
                together.setdefault(self._function(found), []).append(found)
        for several in together.values():
            unknown = self._table_of(several)
            if unknown is not None:
                yield unknown

    def _function(self, found: Calculation) -> tuple[object, ...]:
        """What is calculated, whatever it is calculated from."""
        domains = tuple(self._leaf_domain(leaf, typed) for leaf, typed in found.leaves)
        numbers = tuple(n.Const(k) for k in range(len(found.leaves)))
        return _with_leaves(found.expr, numbers), domains, self._sorts.sort(found.key)

    def _leaf_domain(self, leaf: Expr, typed: Typed) -> Domain:
        domain, sort = typed.domain, self._sorts.sort(typed.key)
        if domain is not None and not domain.name and sort is not None and self._vocabulary.is_id(sort):
            whole = self._vocabulary.ids[sort]  # a part of it that may become the whole
            domain = whole if domain.low >= whole.low and domain.high <= whole.high else domain
        if domain is not None:
            return Domain("", domain.low, domain.high, domain.labels, domain.index)
        return Domain("", *self._bounds.of(leaf))

    def _table_of(self, several: Sequence[Calculation]) -> Unknown | None:
        first = several[0]
        dimensions = tuple(self._leaf_domain(leaf, typed) for leaf, typed in first.leaves)
        if len(dimensions) > _MOST_DIMENSIONS or prod(d.size for d in dimensions) > MOST_ENTRIES:
            return None
        entries = []
        for numbers in product(*(d.values() for d in dimensions)):
            value = constant_value(_with_leaves(first.expr, tuple(map(n.Const, numbers))))
            if value is None:
                return None
            entries.append(value)
        is_truth = isinstance(first.expr, n.Binary) and first.expr.operator in ORDERINGS
        domain = BOOL if is_truth else self._result_domain(self._sorts.sort(first.key), entries)
        if domain.size > MOST_VALUES:
            return None
        sort = next(
            s for _, t in first.leaves if (s := self._sorts.sort(t.key)) is not None and self._vocabulary.is_id(s)
        )
        spans = places(found.expr.span.balanced() for found in several if found.expr.span is not None)
        site = Site(Kind.CALCULATION, sort, first.owner, spans, " ".join(spans[0].text.split()))
        return Unknown(site, self._fresh(dimensions, domain), tuple(entries), tuple(f.expr for f in several))


def _list_site(table: Constant, sort: Sort, lookups: Sequence[tuple[n.Lookup, Owner]]) -> Site:
    """A list; if the text has but a name for what is looked up in it, the places where that is used."""
    assert table.span is not None
    uses = places(lookup.span for lookup, _ in lookups)
    if table.span.text.isidentifier() and table.span.text != table.name and uses:
        return Site(Kind.KNOWN, sort, lookups[0][1], uses, table.span.text)
    return Site(Kind.LIST, sort, lookups[0][1], (table.span,), table.name)


def _place(literal: Literal) -> tuple[str, int]:
    assert literal.expr.span is not None
    return literal.expr.span.source.name, literal.expr.span.start


def _text(literal: Literal) -> str:
    assert literal.expr.span is not None
    return " ".join(literal.expr.span.balanced().text.split())


def _with_leaves(expr: Expr, leaves: tuple[Expr, ...]) -> Expr:
    """A calculation with other expressions for those of its leaves that are not constants, in order."""
    left = iter(leaves)

    def changed(part: Expr) -> Expr:
        inner = children(part)
        if next(leaves_of(part)) is part:
            return part if isinstance(part, n.Const) else next(left)
        return with_children(part, tuple(map(changed, inner)))

    return changed(expr)


def _shape(value: n.Value) -> tuple[int, ...]:
    return () if isinstance(value, int) else (len(value), *_shape(value[0])) if value else (0,)


def _entries(value: n.Value) -> Iterator[int]:
    if isinstance(value, int):
        yield value
    else:
        for entry in value:
            yield from _entries(entry)
