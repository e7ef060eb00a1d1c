"""A Rebeca text as a sequential model: the order of the steps inside this front end.

parse → declare → compile a draft → find the ranges of numbers → compile → run the constructors → model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from burnside.claims.check import check_task
from burnside.claims.task import Task
from burnside.frontends.front_end import Loaded
from burnside.frontends.kit.options import NO_OPTIONS, Options
from burnside.frontends.rebeca.lower.properties import claims_of
from burnside.frontends.rebeca.lower.ranges import RangeAnalysis
from burnside.frontends.rebeca.lower.start import Start
from burnside.frontends.rebeca.lower.topology import topology_of
from burnside.frontends.rebeca.names.world import Choices, World, declare
from burnside.frontends.rebeca.options import MAX_REBECS, PROPERTIES, QUEUE_SEMANTICS
from burnside.frontends.rebeca.read.parse import parse
from burnside.frontends.rebeca.read.property_files import parse_properties
from burnside.frontends.rebeca.translate.compile import Compiler
from burnside.ir.check import MOST_CELLS
from burnside.ir.nodes import BOOL, Constant, Domain, Model, Rule, Value
from burnside.ir.topology import Topology
from burnside.source import Diagnostics, Source

_FEWER: Final = "use fewer rebecs, shorter queues or smaller arrays"


def load(source: Source, constants: Mapping[str, Value], options: Options = NO_OPTIONS) -> Loaded:
    """The task of a text, with the properties of a file, and who knows whom; none if the diagnostics hold an error."""
    diagnostics = Diagnostics()
    program = parse(source, diagnostics)
    if diagnostics.has_errors:
        return Loaded((), diagnostics)
    choices = Choices(options.word(QUEUE_SEMANTICS) == "reference", options.number(MAX_REBECS))
    world = declare(program, constants, choices, diagnostics)
    if world is None:
        return Loaded((), diagnostics)
    task, topology = _task(source, world, options.file(PROPERTIES), diagnostics)
    if task is None or diagnostics.has_errors:
        return Loaded((), diagnostics)
    return Loaded((task,), diagnostics, topology)


def _compiled(world: World, diagnostics: Diagnostics) -> Compiler | None:
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


def _task(
    source: Source, world: World, properties: Source | None, diagnostics: Diagnostics
) -> tuple[Task | None, Topology | None]:
    compiler = _compiled(world, diagnostics)
    if compiler is None:
        return None, None
    rules = compiler.rules()
    start = Start(world, compiler, diagnostics)
    domains = tuple(dict.fromkeys(d for d in compiler.shape.domains() if d.name and d != BOOL))
    domains = (*domains, *_parameter_domains(rules, domains))
    variables, initially = start.construct(domains)
    file = parse_properties(properties, diagnostics) if properties is not None else None
    claims = claims_of(file, compiler.shape, diagnostics)
    if diagnostics.has_errors:
        return None, None
    tables = tuple(Constant(n, value, compiler.shape.table_span(n)) for n, value in compiler.shape.tables.items())
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
    # With several initial states there is no one topology.
    return task, None if initially else topology_of(world, compiler.shape, variables)


def _parameter_domains(rules: Sequence[Rule], known: Sequence[Domain]) -> tuple[Domain, ...]:
    found = (p.domain for rule in rules for p in rule.parameters)
    return tuple(dict.fromkeys(d for d in found if d.name and d not in known and d != BOOL))
