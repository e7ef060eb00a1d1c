"""The order of the stages: the only module that knows all of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from burnside.explore.claims import Claim, claims_of
from burnside.explore.native import run as native
from burnside.explore.native.emit import emit
from burnside.explore.result import Exploration, Stop
from burnside.explore.trace import Trace, replay, replay_fault
from burnside.frontends import front_end_for
from burnside.ir.nodes import Expr, Model, Property, PropertyKind, Value
from burnside.ir.printer import print_model
from burnside.ir.semantics import Fault, FaultRaised, initial
from burnside.ir.simplify import bind
from burnside.report.values import CheckReport, ClaimReport, CountReport, Symmetry, Verdict
from burnside.source import Diagnostic, ModelError, Note, Source, did_you_mean

if TYPE_CHECKING:
    from burnside.report.detection import DetectReport

_LARGEST_FILE = 64 << 20

# What `check` asks of a model that names no property.
DEFAULT_PROPERTY = Property("deadlockfree", PropertyKind.DEADLOCK_FREE)


def read_source(path: Path) -> Source:
    """The text of a file, or a diagnostic that says why it cannot be read."""
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise _unreadable(path, f"it is larger than {_LARGEST_FILE >> 20} MB")
        return Source(str(path), path.read_bytes().decode())
    except OSError as error:
        raise _unreadable(path, error.strerror or "unknown error") from error
    except UnicodeDecodeError as error:
        raise _unreadable(path, f"byte {error.start} is not UTF-8") from error


def _unreadable(path: Path, reason: str) -> ModelError:
    return ModelError([Diagnostic("BUR106", f"cannot read '{path}': {reason}")])


def load(
    path: Path,
    constants: Mapping[str, Value] | None = None,
    *,
    warned: Callable[[Diagnostic], None] | None = None,
) -> Model:
    """Read a model in the language its suffix names; raise `ModelError` with every diagnostic if it is wrong.

    What there is to say about a model that can be used goes to ``warned``.
    """
    front_end = front_end_for(path)
    model, diagnostics = front_end.load(read_source(path), constants or {})
    if model is None:
        raise ModelError(diagnostics.sorted())
    if warned is not None:
        for diagnostic in diagnostics.sorted():
            warned(diagnostic)
    return model


def select_claims(model: Model, names: Sequence[str]) -> tuple[Claim, ...]:
    """The claims of a model that the names select: whole families or single members; all if there are no names."""
    every = tuple(claims_of(model.properties or (DEFAULT_PROPERTY,)))
    if not names:
        return every
    for name in names:
        if not any(name in (c.name, c.family.name) for c in every):
            known = sorted({c.family.name for c in every} | {c.name for c in every})
            remedy = did_you_mean(name, known) or f"the model has: {', '.join(known[:20])}"
            raise ModelError([Diagnostic("BUR212", f"there is no property '{name}'", notes=(Note(remedy, "help"),))])
    return tuple(c for c in every if c.name in names or c.family.name in names)


def count(
    model: Model,
    *,
    symmetry: str = "none",
    options: native.SearchOptions | None = None,
    watch: native.Watcher | None = None,
) -> CountReport:
    """Explore the whole state space, or one state of every orbit."""
    return _count_report(model, (), *_explore(model, (), symmetry, options or native.SearchOptions(), watch))


def check(
    model: Model,
    *,
    properties: Sequence[str] = (),
    symmetry: str = "auto",
    options: native.SearchOptions | None = None,
    watch: native.Watcher | None = None,
) -> CheckReport:
    """Decide the properties of a model in one exploration."""
    claims = select_claims(model, properties)
    found, used = _explore(model, claims, symmetry, options or native.SearchOptions(), watch)
    reports = (_claim_report(model, c, w, found) for c, w in zip(claims, found.witnesses, strict=True))
    return CheckReport(_count_report(model, claims, found, used), tuple(reports))


# ---------------------------------------------------------------- exploring, with or without symmetry

SYMMETRY_MODES = ("auto", "none", "unique", "multi")

# Below this many states nothing pays: detecting, planning and compiling take longer than exploring.
FEW_STATES = 100_000


def _explore(
    model: Model,
    claims: Sequence[Claim],
    symmetry: str,
    options: native.SearchOptions,
    watch: native.Watcher | None,
) -> tuple[Exploration, Symmetry]:
    """Explore as the mode says; ``auto`` tries without symmetry first and goes on with it if that is not enough."""
    if symmetry == "none":
        return native.explore(model, claims, options=options, watch=watch), Symmetry()
    if symmetry == "auto":
        few = min(FEW_STATES, options.states or FEW_STATES)
        found = native.explore(model, claims, options=replace(options, states=few), watch=watch)
        if found.stop is not Stop.STATES:
            return found, Symmetry(reason=f"fewer than {FEW_STATES:,} states: it would not pay")
    return _explore_quotient(model, claims, symmetry, options, watch)


def _explore_quotient(
    model: Model,
    claims: Sequence[Claim],
    symmetry: str,
    options: native.SearchOptions,
    watch: native.Watcher | None,
) -> tuple[Exploration, Symmetry]:
    from burnside.detect.run import detect as find
    from burnside.detect.run import order_without_requirements
    from burnside.explore.lift import lift_path
    from burnside.reduce.carry import carry_over
    from burnside.reduce.plan import plan

    detection = find(model, requirements_of(model, claims))
    reduction = plan(detection.symmetry, multi=symmetry == "multi")
    order = detection.symmetry.order
    full_order = order_without_requirements(detection.constraints) if claims else order
    if reduction is None:
        reason = (
            "the model has no symmetry" if full_order == 1 else f"no property keeps any of {full_order:,} symmetries"
        )
        return native.explore(model, claims, options=options, watch=watch), Symmetry(reason=reason)
    found = native.explore(model, claims, reduction=reduction, options=options, watch=watch)
    lifted = [None if w is None else lift_path(model, reduction, w) for w in found.witnesses]
    if claims:
        lifted = [*carry_over(lifted, detection.symmetry.exchanges, detection.symmetry.literals)]
    fault = lift_path(model, reduction, found.fault_path) if found.fault_path else found.fault_path
    used = Symmetry(
        mode="multi" if not reduction.is_exact else "unique",
        order=reduction.action.order,
        strategy=reduction.name,
        reason=reduction.reason,
        lost=full_order // order,
    )
    return replace(found, witnesses=tuple(lifted), fault_path=fault), used


def detect(model: Model, *, properties: Sequence[str] = (), explained: bool = False) -> DetectReport:
    """The symmetries of a model, or of a model with the named properties, and on wish what costs symmetry."""
    # Imported here: exploring a model should not wait for the libraries that detection needs.
    from burnside.detect.explain import explain
    from burnside.detect.run import detect as find
    from burnside.groups.structure import describe
    from burnside.report.detection import DetectReport

    found = find(model, requirements_of(model, select_claims(model, properties) if properties else ()))
    explanation = explain(found.constraints, found.symmetry.order) if explained else None
    return DetectReport(model, found, describe(found.symmetry.group), explanation)


def requirements_of(model: Model, claims: Sequence[Claim]) -> list[tuple[str, Expr, dict[str, int]]]:
    """What symmetries must keep so that claims can be decided on the quotient."""
    kept: list[tuple[str, Expr, dict[str, int]]] = []
    for claim in claims:
        if claim.family.kind is PropertyKind.DEADLOCK_FREE:
            kept.append(("terminal", model.terminal, {}))
        else:
            kept.append((claim.family.name, claim.sought, bind(claim.family.parameters, claim.arguments)))
    return kept


def dump_detection(report: DetectReport, directory: Path) -> None:
    """Write every value between the stages of detection as a readable file."""
    from burnside.graph.coloured import dimacs_text, dot_text
    from burnside.report.detection import gap_text

    directory.mkdir(parents=True, exist_ok=True)
    found = report.detection
    names = tuple(map(found.symmetry.literals.text, range(len(found.symmetry.literals.points))))
    for name, text in (
        ("model.seq", print_model(report.model)),
        ("constraints.txt", found.constraints.text()),
        ("graph.dimacs", dimacs_text(found.encoding.graph)),
        ("graph.dot", dot_text(found.encoding.graph)),
        ("group.g", gap_text(found.symmetry.group, names)),
    ):
        (directory / name).write_text(text)


def dump(model: Model, directory: Path, claims: Sequence[Claim] = ()) -> Iterable[Path]:
    """Write every value between the stages as a readable file."""
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in (("model.seq", print_model(model)), ("model.c", emit(model, claims).text)):
        path = directory / name
        path.write_text(text)
        yield path


def _claim_report(
    model: Model, claim: Claim, witness: Sequence[tuple[int, ...]] | None, found: Exploration
) -> ClaimReport:
    is_reachability = claim.family.kind is PropertyKind.REACHABLE
    trace = replay(model, witness) if witness is not None else None
    if trace is not None:
        verdict = Verdict.HOLDS if is_reachability else Verdict.VIOLATED
    elif found.stop is Stop.COMPLETE:
        verdict = Verdict.VIOLATED if is_reachability else Verdict.HOLDS
    else:
        verdict = Verdict.UNKNOWN
    return ClaimReport(claim.name, claim.family.kind, verdict, trace)


def _count_report(model: Model, claims: Sequence[Claim], exploration: Exploration, used: Symmetry) -> CountReport:
    fault = None
    if exploration.fault_path is not None:
        fault = replay_fault(model, exploration.fault_path, claims) if exploration.fault_path else _initial_fault(model)
    return CountReport(model, exploration, used, fault)


def _initial_fault(model: Model) -> Trace:
    """The fault of an initial condition: there is no state to show."""
    try:
        for _ in initial(model):
            pass
    except FaultRaised as fault:
        return Trace((), (), Fault(fault.kind, fault.message, fault.span))
    raise AssertionError("no fault among the initial states")
