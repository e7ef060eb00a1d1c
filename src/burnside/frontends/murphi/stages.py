"""A Murphi text as a sequential model: the order of the steps inside this front end.

parse → declare, and lower rules as they come → assumptions → model.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Final

from burnside.claims.check import check_task
from burnside.claims.kinds import Claim, DeadlockFree
from burnside.claims.task import Task
from burnside.frontends.front_end import Loaded
from burnside.frontends.kit.constants import report_unknown
from burnside.frontends.kit.options import NO_OPTIONS, Options
from burnside.frontends.murphi.lower.defined import without_undefined
from burnside.frontends.murphi.lower.rules import Around, Rules
from burnside.frontends.murphi.lower.variables import count_cells, variables_of
from burnside.frontends.murphi.names.scope import Refused, Report, Scope
from burnside.frontends.murphi.names.terms import Place, Variable, Wrong
from burnside.frontends.murphi.names.types import Type
from burnside.frontends.murphi.options import DEADLOCK, DIALECT
from burnside.frontends.murphi.read import syntax
from burnside.frontends.murphi.read.lexicon import LEXICON
from burnside.frontends.murphi.read.parse import parse
from burnside.frontends.murphi.read.syntax import Item
from burnside.ir.check import MOST_CELLS
from burnside.ir.nodes import FALSE, Domain, Model, Value
from burnside.source import Diagnostics, Source
from burnside.values import replace

# Words that only CMurphi has: a text with one of them is read as it reads it.
_ONLY_CMURPHI: Final = ("union", "multiset", "undefined", "choose", "ismember")


def load(source: Source, constants: Mapping[str, Value], options: Options = NO_OPTIONS) -> Loaded:
    """The task of a text; none if the diagnostics hold an error."""
    diagnostics = Diagnostics()
    try:
        return _loaded(source, constants, options, diagnostics)
    except RecursionError:
        # Brackets are counted where they are read; calls of calls, and what is written out for them, add to that.
        remedy = "split expressions, or routines that call one another, into smaller parts"
        diagnostics.error("BUR104", "expressions, statements and calls are nested too deeply", None, help=remedy)
        return Loaded((), diagnostics)


def _loaded(source: Source, constants: Mapping[str, Value], options: Options, diagnostics: Diagnostics) -> Loaded:
    items = parse(source, diagnostics)
    if diagnostics.has_errors:
        return Loaded((), diagnostics)
    reading = _Reading(source, constants, options, diagnostics, items)
    with suppress(Refused):
        reading.read(items)
    task = None if diagnostics.has_errors else reading.task()
    if task is not None and not diagnostics.has_errors:
        check_task(task, diagnostics)
    return Loaded(() if task is None or diagnostics.has_errors else (task,), diagnostics)


class _Reading:
    """What has been understood of a text."""

    def __init__(
        self,
        source: Source,
        constants: Mapping[str, Value],
        options: Options,
        diagnostics: Diagnostics,
        items: Iterable[Item],
    ) -> None:
        self._source = source
        self._given = constants
        self._diagnostics = diagnostics
        self._deadlock = options.word(DEADLOCK)
        self._report = Report(diagnostics)
        self._scope = Scope(self._report)
        self._variables: list[tuple[syntax.Field, Type]] = []
        self._cells = 0
        dialect = options.word(DIALECT)
        copies = dialect == "cmurphi" or (dialect == "auto" and _is_of_cmurphi(source))
        self._rules = Rules(self._report, _names_of(items), copies_undefined=copies)

    def read(self, items: Iterable[Item]) -> None:
        """Declarations and rules in order: each knows what is declared before it."""
        constants: set[str] = set()
        routines: list[syntax.Name] = []
        for item in items:
            match item:
                case syntax.ConstantDeclaration(name=name):
                    constants.add(name.text)
                    self._constant(item)
                case syntax.TypeDeclaration():
                    self._rules.declare_type(item, self._scope)
                case syntax.VariableDeclaration(field=field):
                    self._variable(field)
                case syntax.Routine():
                    self._rules.declare_routine(item, self._scope)
                    routines.append(item.name)
                case _:
                    self._rules.rule(item, Around(self._scope))
        for name in reversed(routines):  # those that call others come behind them
            self._rules.check_routine(name, self._scope)
        report_unknown(self._given.keys() - constants, constants, self._diagnostics)
        if not self._rules.starts and not self._diagnostics.has_errors:
            remedy = "write 'startstate begin … end'"
            self._diagnostics.warning("BUR216", "the model has no start state, and so no states", help=remedy)
        if not self._diagnostics.has_errors:
            self._rules.finish()

    def _constant(self, declared: syntax.ConstantDeclaration) -> None:
        given = self._given.get(declared.name.text)
        if given is not None and not isinstance(given, int):
            message = f"'{declared.name.text}' is one number, not a list"
            self._report.error("BUR211", message, declared.name.span)
            given = None
        self._rules.declare_constant(declared, self._scope, None if given is None else int(given))

    def _variable(self, field: syntax.Field) -> None:
        try:
            kind = self._rules.type(field.type, self._scope)
            self._cells += count_cells(kind)
            if self._cells > MOST_CELLS:
                message = f"the model has more than {MOST_CELLS:,} cells"
                self._report.stop("BUR205", message, field.name.span, help="use smaller arrays")
            self._variables.append((field, kind))
            self._scope.declare(field.name, Place(Variable(field.name.text, kind), kind, span=field.name.span))
        except Refused:
            self._scope.bind(field.name, Wrong())

    def task(self) -> Task:
        """The model, and what is claimed of it."""
        variables, wholes = variables_of(self._variables)
        rules, starts = tuple(self._rules.rules), tuple(self._rules.starts)
        initially = () if starts else (FALSE,)
        model = Model(self._source.name, (), (), variables, rules, initially, starts=starts, wholes=wholes)
        check_task(Task(model, claims := (*self._rules.claims, *self._deadlock_claims())), self._diagnostics)
        if not self._diagnostics.has_errors:
            model, claims = without_undefined(model, claims)
        return Task(replace(model, domains=_domains_of(model)), claims)

    def _deadlock_claims(self) -> tuple[Claim, ...]:
        if self._deadlock == "off":
            return ()
        return (DeadlockFree("deadlock", up_to_stuttering=self._deadlock == "stuttering"),)


def _domains_of(model: Model) -> tuple[Domain, ...]:
    named = [domain for v in model.variables for domain in (*v.dimensions, v.domain)]
    named += [p.domain for rule in (*model.rules, *model.starts) for p in rule.parameters]
    return tuple(dict.fromkeys(domain for domain in named if domain.name))


def _is_of_cmurphi(source: Source) -> bool:
    return any(token.kind in _ONLY_CMURPHI for token in LEXICON.scan(source, Diagnostics()))


def _names_of(items: Iterable[Item]) -> Iterable[str]:
    """The names that the text declares at its top."""
    for item in items:
        match item:
            case syntax.ConstantDeclaration(name=name) | syntax.TypeDeclaration(name=name) | syntax.Routine(name=name):
                yield name.text
            case syntax.VariableDeclaration(field=field):
                yield field.name.text
            case _:
                pass
