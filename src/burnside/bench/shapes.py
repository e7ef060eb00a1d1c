"""The shape of measured rows, one for each kind of table."""

from __future__ import annotations

from typing import Any, NotRequired, TypeAlias, TypedDict


class Row(TypedDict):
    """What every row has: the system, its size, and whether figures are what they have to be."""

    system: str
    size: str
    agrees: bool


class DetectionRow(Row):
    """A row of ``bench/detection.py``."""

    vertices: int
    edges: int
    encode: float
    search: float
    validate: float
    total: float
    generators: int
    order: int
    structure: str | None
    validated: bool
    expected_order: int
    paper: dict[str, Any] | None
    note: str | None


class ModeFigures(TypedDict):
    """An exploration in one mode."""

    states: int
    seconds: float
    order: int
    strategy: str | None
    full_states: int | None


class ReductionRow(Row):
    """A row of ``bench/reduction.py``."""

    paper: dict[str, Any]
    note: str | None
    none: ModeFigures
    unique: ModeFigures
    multi: NotRequired[ModeFigures]
    gain: float


class ReachedFigures(TypedDict):
    """Reached states."""

    states: int
    seconds: float


class AdaptiveRow(Row):
    """A row of ``bench/adaptive.py``."""

    paper: dict[str, Any]
    note: str | None
    plain: NotRequired[ReachedFigures]
    standard: NotRequired[ReachedFigures]
    adaptive: ReachedFigures


class SynthesisFigures(TypedDict):
    """A pattern that one mode of synthesis found."""

    states: int
    iterations: int
    verification: float
    synthesis: float
    pattern: str


class PatternRow(Row):
    """A row of ``bench/patterns.py``."""

    example: str
    paper: dict[str, Any]
    faithful: SynthesisFigures | None
    lifted: SynthesisFigures | None
    note: str | None


class ActorRow(Row):
    """A row of ``bench/actors.py``."""

    definition4: int
    order: int
    full: int
    orbits: int
    definition4_orbits: list[list[str]]
    definition4_seconds: float
    detect_seconds: float
    full_seconds: float
    orbits_seconds: float
    origin: str
    paper: dict[str, Any] | None
    note: str | None


class StrategyFigures(TypedDict):
    """An exploration with one canonical form."""

    strategy: str
    reason: str
    states: int
    full_states: int | None
    seconds: float
    representatives: int
    microseconds: float


class FormCost(TypedDict):
    """Microseconds of processor time for one representative, and for sorting a state of the same width."""

    microseconds: float
    sorting: float


class StrategyRow(Row):
    """A row of ``bench/strategies.py``."""

    order: int
    states: int
    seconds: NotRequired[float]
    chosen: StrategyFigures
    cost: FormCost
    general: NotRequired[StrategyFigures]
    general_cost: NotRequired[FormCost]


class AutoRow(Row):
    """A row of ``bench/auto.py``."""

    states: int
    none: float
    unique: float
    auto: float
    ratio: float


class RunsFigures(TypedDict):
    """A claim about infinite runs, decided in one mode."""

    verdict: str
    states: int
    transitions: int
    seconds: float
    order: int
    strategy: str | None


class ExpectedRuns(TypedDict):
    """What is right."""

    verdict: str
    order: int


class RunsRow(Row):
    """A row of ``bench/liveness.py``."""

    property: str
    formula: str
    fairness: str
    expected: ExpectedRuns
    note: str | None
    none: RunsFigures
    unique: RunsFigures
    factor: float


class WayFigures(TypedDict):
    """States that were stored, the seconds of the search, and those from the model to the answer."""

    states: int
    search: float
    seconds: float


class OrdersRow(Row):
    """A row of ``bench/partial_order.py``."""

    property: str
    full: WayFigures
    orders: WayFigures
    orbits: WayFigures
    both: WayFigures
    factor: float
    note: str | None


class SelfTestRow(Row):
    """A row of ``bench/self_tests.py``."""

    mode: str
    states: int
    seconds: float
    tested: int
    testing: float
    share: float


class StoreFigures(TypedDict):
    """A search with one store."""

    seconds: float
    cpu_seconds: float
    bytes_per_state: float
    disk_bytes: int


class ScaleRow(Row):
    """A row of ``bench/scale.py``."""

    states: int
    transitions: int
    threads: int
    index: NotRequired[StoreFigures]
    compact: NotRequired[StoreFigures]
    note: str | None


AnyRow: TypeAlias = (
    DetectionRow
    | ReductionRow
    | AdaptiveRow
    | PatternRow
    | ActorRow
    | StrategyRow
    | AutoRow
    | RunsRow
    | OrdersRow
    | SelfTestRow
    | ScaleRow
)
