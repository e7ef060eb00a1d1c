"""The shape of every JSON object that commands print: what writes them is typed by it, and the schemas are made of it.

Keys may be added; those that are there stay (see docs/reference/json.md).
"""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, TypeAlias, TypedDict

from burnside.claims.kinds import KIND_WORDS, Fairness
from burnside.report.place_shapes import PlaceObject, Positive
from burnside.report.schema import AtLeast, OneOf, Size
from burnside.report.symmetry_shapes import LikewiseObject
from burnside.results.exploration import Stop, Store
from burnside.results.findings import Verdict
from burnside.source import Severity
from burnside.source.codes import CODES

Count: TypeAlias = Annotated[int, AtLeast(0)]
Seconds: TypeAlias = Annotated[float, AtLeast(0)]
VerdictWord: TypeAlias = Annotated[str, OneOf(tuple(v.value for v in Verdict))]
KindWord: TypeAlias = Annotated[str, OneOf(KIND_WORDS)]
ModeWord: TypeAlias = Annotated[str, OneOf(("none", "unique", "multi", "adaptive"))]
StopWord: TypeAlias = Annotated[str, OneOf(tuple(s.value for s in Stop))]
StoreWord: TypeAlias = Annotated[str, OneOf(tuple(s.value for s in Store if s is not Store.AUTO))]


# ---------------------------------------------------------------- diagnostics


class NoteObject(PlaceObject):
    """A remark on a diagnostic, perhaps with a place of its own."""

    message: str


class DiagnosticObject(PlaceObject):
    """Something to say about a model; ``help`` is what can be done about it."""

    code: Annotated[str, OneOf(tuple(CODES))]
    severity: Annotated[str, OneOf(tuple(s.value for s in Severity))]
    message: str
    help: str | None
    notes: list[NoteObject]


class Remarks(TypedDict):
    """What every answer about a model may have."""

    diagnostics: NotRequired[list[DiagnosticObject]]


class FailureObject(TypedDict):
    """A model that cannot be used."""

    diagnostics: Annotated[list[DiagnosticObject], Size(least=1)]


class StoppedObject(Remarks):
    """A limit was reached while something was done, before there was anything to report."""

    stopped: Annotated[str, OneOf(("time", "memory", "states"))]
    phase: str


class WrittenObject(Remarks):
    """A file, and what there is to say about it."""

    file: str
    about: str


# ---------------------------------------------------------------- traces


class StepObject(TypedDict):
    """A step: ``changes`` has the old and the new value by name."""

    event: str
    rule: str
    changes: dict[str, Annotated[list[str], Size(2, 2)]]


class TraceObject(TypedDict):
    """A run from an initial state; with ``loop`` the steps after the first so many repeat for ever."""

    initial: dict[str, str]
    steps: list[StepObject]
    loop: NotRequired[Count]


class FaultObject(TypedDict):
    """What goes wrong at the end of a trace."""

    kind: str
    message: str
    rule: str | None
    at: str | None
    trace: TraceObject | None


# ---------------------------------------------------------------- figures and verdicts


class UsedObject(TypedDict):
    """The symmetry that a search used."""

    mode: ModeWord
    order: Positive
    strategy: str | None
    reason: str


class SymmetryObject(UsedObject):
    """The symmetry that an exploration used, and what it was worth."""

    lost_to_properties: Positive
    full_states: Count | None
    canonicalised: Count
    microseconds_per_canonicalisation: Seconds | None


class OrdersObject(TypedDict):
    """Whether partial order was used, and why."""

    used: bool
    reason: str


class FingerprintObject(TypedDict):
    """States are told apart by so many bits of each; the ``probability`` that any two of them are not is below that."""

    bits: Positive
    probability: Annotated[float, AtLeast(0)]


class SlicingObject(TypedDict):
    """Variables that nothing that is asked depends on: whether they were left out, and why. ``confirmed`` is the number
    of states of a search with all variables that says the same, if there was one.
    """

    used: bool
    reason: str
    variables: list[str]
    confirmed: Count | None


class ByOrbits(TypedDict):
    """Symmetry that was used."""

    kind: Annotated[str, OneOf(("symmetry",))]
    reason: str
    order: Positive
    strategy: str | None
    full_states: Count | None


class ByOrders(TypedDict):
    """Partial order that was used; ``shortest`` says whether traces are shortest ones all the same."""

    kind: Annotated[str, OneOf(("partial-order",))]
    reason: str
    steps: Positive
    shortest: bool


class BySlicing(TypedDict):
    """Variables that were left out, with so many cells."""

    kind: Annotated[str, OneOf(("slicing",))]
    reason: str
    variables: Annotated[list[str], Size(least=1)]
    cells: Positive


class BySimplification(TypedDict):
    """A net that was simplified: so many places and transitions, of so many, were left out, because nothing that is
    asked depends on them; so many steps are ``joined``, several transitions at once.
    """

    kind: Annotated[str, OneOf(("simplification",))]
    reason: str
    places: Count
    of_places: Count
    transitions: Count
    of_transitions: Count
    joined: Count


ReductionObject: TypeAlias = ByOrbits | ByOrders | BySlicing | BySimplification


class SelfTestObject(TypedDict):
    """On how many states a search tested its own compiled form, and the processor time that took."""

    checked: Count
    failed: Count
    seconds: float


class VariableObject(TypedDict):
    """The values that no element of a variable takes; of a sequence, also how long it gets."""

    name: str
    values: Count
    never_taken: list[str] | None
    capacity: NotRequired[Count | None]
    longest: NotRequired[Count]


class CoverageObject(TypedDict):
    """What an exploration covers."""

    rules: Count
    rules_never_fired: list[str]
    variables: list[VariableObject]


class Covered(TypedDict):
    """What ``--coverage`` adds; null if the exploration was not complete."""

    coverage: NotRequired[CoverageObject | None]


class KeptObject(TypedDict):
    """Where a search is kept, how many levels and states; how many were there when it began; why no more could be."""

    directory: str
    levels: Count
    states: Count
    resumed_states: Count
    failure: str | None


class FiguresObject(Covered):
    """The figures of a state space."""

    states: Count
    transitions: Count
    deadlocks: Count
    depth: Count | None
    initial_states: Count
    seconds: Seconds
    cpu_seconds: Seconds
    states_per_second: Count | None
    bytes_per_state: Seconds | None
    store: StoreWord
    disk_bytes: Count
    fingerprint: FingerprintObject | None
    threads: Positive
    stopped: StopWord
    symmetry: SymmetryObject
    partial_order: OrdersObject | None
    slicing: SlicingObject | None
    reductions: list[ReductionObject]
    self_test: SelfTestObject | None
    verified: bool | None
    fault: FaultObject | None
    checkpoint: KeptObject | None


class CountObject(FiguresObject, Remarks):
    """``burnside count``."""


class ProcessObject(FiguresObject):
    """The figures of one process."""

    process: str


class PartObject(TypedDict):
    """A part of a condition, whether it is true, and what it looks at."""

    text: str
    holds: bool
    values: dict[str, str]


class WaitingObject(TypedDict):
    """An instance of a rule that cannot fire, and what of its guard is in the way."""

    rule: str
    parts: list[PartObject]


class ReasonsObject(TypedDict):
    """Why the last state of a trace decides a claim: the names and values by which a condition is what it is, and its
    parts; at a deadlock, rules that wait, and how many others do.
    """

    witness: dict[str, str]
    parts: list[PartObject]
    waiting: list[WaitingObject]
    others: Count


class PropertyObject(TypedDict):
    """A verdict. Claims about events have a reason, a loop and a contrast, those about infinite runs a search."""

    name: str
    kind: KindWord
    verdict: VerdictWord
    states: Count
    trace: TraceObject | None
    process: NotRequired[str]
    reasons: NotRequired[ReasonsObject]
    likewise: NotRequired[LikewiseObject]
    value: NotRequired[int]
    reason: NotRequired[str]
    loop: NotRequired[Count | None]
    contrast: NotRequired[TraceObject | None]
    fairness: NotRequired[Annotated[str, OneOf(tuple(f.value for f in Fairness))]]
    decided_by: NotRequired[str | None]
    transitions: NotRequired[Count]
    seconds: NotRequired[Seconds]
    symmetry: NotRequired[UsedObject]
    partial_order: NotRequired[OrdersObject | None]
    slicing: NotRequired[SlicingObject | None]


class Processes(TypedDict):
    """The figures of each process, if a text asks about several."""

    processes: NotRequired[list[ProcessObject]]


class CheckObject(FiguresObject, Processes, Remarks):
    """``burnside check``."""

    properties: list[PropertyObject]


class CutShort(TypedDict):
    """What is there if a walk was ended before its time."""

    stopped: NotRequired[Annotated[str, OneOf(("time", "memory", "interrupt"))]]


class WalkObject(CutShort, Remarks):
    """``burnside simulate``; the trace is null if the model has no initial state."""

    seed: Count
    steps: Count
    ended: Annotated[str, OneOf(("steps", "violation", "deadlock", "end", "fault", "empty"))]
    violated: list[str]
    reached: list[str]
    trace: TraceObject | None
    fault: FaultObject | None


# ---------------------------------------------------------------- about Burnside itself


class OrganObject(TypedDict):
    """One part of an installation."""

    part: str
    status: Annotated[str, OneOf(("ok", "missing", "failed"))]
    found: str
    advice: str


class HealthObject(TypedDict):
    """``burnside doctor``."""

    version: str
    works: bool
    findings: list[OrganObject]


class TablesObject(TypedDict):
    """``burnside bench``: rows by table, of the shapes in ``burnside.bench.shapes``."""

    version: str
    machine: dict[str, str]
    tables: dict[str, list[dict[str, Any]]]
    left_out: dict[str, list[str]]
    stopped: NotRequired[Annotated[str, OneOf(("time", "memory"))]]
