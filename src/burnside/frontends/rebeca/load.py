"""A Rebeca text as a sequential model: the order of the steps inside this front end.

parse → declare → compile a draft → find the ranges of numbers → compile → run the constructors → model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from burnside.claims.check import check_task
from burnside.claims.task import Task
from burnside.frontends.front_end import NO_OPTIONS, LoadOptions
from burnside.frontends.rebeca.compile import Compiler
from burnside.frontends.rebeca.parse import parse, parse_properties
from burnside.frontends.rebeca.properties import claims_of
from burnside.frontends.rebeca.ranges import RangeAnalysis
from burnside.frontends.rebeca.start import Start
from burnside.frontends.rebeca.world import Options, World, declare
from burnside.ir.check import MOST_CELLS
from burnside.ir.nodes import BOOL, Constant, Domain, Model, Rule, Value
from burnside.source import Diagnostics, Source

_FEWER: Final = "use fewer rebecs, shorter queues or smaller arrays"


def load(
    source: Source, constants: Mapping[str, Value], options: LoadOptions = NO_OPTIONS
) -> tuple[tuple[Task, ...], Diagnostics]:
    """The task of a text, with the properties of a file; none if the diagnostics hold an error."""
    diagnostics = Diagnostics()
    world = read_world(source, constants, options, diagnostics)
    task = None if world is None else _task(source, world, options, diagnostics)
    return (() if task is None or diagnostics.has_errors else (task,)), diagnostics


def read_world(
    source: Source, constants: Mapping[str, Value], options: LoadOptions, diagnostics: Diagnostics
) -> World | None:
    """What a text declares, or None after errors."""
    program = parse(source, diagnostics)
    if diagnostics.has_errors:
        return None
    chosen = Options(options.queue_semantics == "reference", options.max_rebecs)
    return declare(program, constants, chosen, diagnostics)


def compiled(world: World, diagnostics: Diagnostics) -> Compiler | None:
    """A compiler that knows the ranges of all numbers, or None after errors."""
    draft = Compiler(world, diagnostics)
    if draft.shape.cells > MOST_CELLS:
        diagnostics.error("BUR205", f"the model has more than {MOST_CELLS:,} cells", None, help=_FEWER)
        return None
    draft.check_others()
    programs = [*draft.rules(), *(rule for _, rules in draft.constructors() for rule in rules)]
    start = Start(world, draft, diagnostics)
    variables = start.variables()
    if diagnostics.has_errors:
        return None
    programs = [program for program in programs if program.name in draft.shape.reached]
    ranges = RangeAnalysis(variables, draft.shape, start.intervals()).infer(programs)
    return Compiler(world, diagnostics, draft, ranges)


def _task(source: Source, world: World, options: LoadOptions, diagnostics: Diagnostics) -> Task | None:
    compiler = compiled(world, diagnostics)
    if compiler is None:
        return None
    rules = compiler.rules()
    start = Start(world, compiler, diagnostics)
    domains = tuple(dict.fromkeys(d for d in compiler.shape.domains() if d.name and d != BOOL))
    domains = (*domains, *_parameter_domains(rules, domains))
    variables, initially = start.construct(domains)
    file = parse_properties(options.properties, diagnostics) if options.properties is not None else None
    claims = claims_of(file, compiler.shape, diagnostics)
    if diagnostics.has_errors:
        return None
    tables = tuple(Constant(name, value) for name, value in compiler.shape.tables.items())
    model = Model(
        source.name,
        tables,
        domains,
        tuple(variables),
        tuple(rules),
        initially,
        actors=compiler.shape.actors(),
    )
    task = Task(model, claims)
    check_task(task, diagnostics)
    return task


def _parameter_domains(rules: Sequence[Rule], known: Sequence[Domain]) -> tuple[Domain, ...]:
    found = (p.domain for rule in rules for p in rule.parameters)
    return tuple(dict.fromkeys(d for d in found if d.name and d not in known and d != BOOL))
