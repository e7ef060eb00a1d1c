"""The shape of the objects in which ``burnside pattern`` answers: what writes them is typed by it."""

from __future__ import annotations

from typing import NotRequired, TypedDict


class RelabelledObject(TypedDict):
    """A permutation of positions that also renames letters."""

    name: str
    letters: dict[str, str]


class LibraryObject(TypedDict):
    """Which patterns of the library are symmetries of every instance."""

    patterns: dict[str, bool]
    groups: list[str]
    generators: dict[str, list[str]]
    relabelled: list[RelabelledObject]
    counterexamples: dict[str, str]


class PatternObject(TypedDict):
    """Whether one pattern is a symmetry of every instance, condition by condition."""

    patterns: dict[str, bool]
    groups: list[str]
    complete: bool
    theorem: int
    conditions: dict[str, bool]
    counterexamples: dict[str, str]


class ReflectionObject(TypedDict):
    """The same for the reflection, which is no regular relation."""

    patterns: dict[str, bool]
    groups: list[str]
    complete: bool
    counterexamples: NotRequired[dict[str, str]]


class FoundObject(TypedDict):
    """A pattern that was synthesised."""

    states: int
    description: str
    iterations: int
    seconds: float
    verification_seconds: float
    refutations: dict[str, int]


class FindObject(TypedDict):
    """Patterns that were synthesised; ``stopped`` is ``done`` or the limit that was reached."""

    patterns: list[FoundObject]
    seconds: float
    stopped: str


class SafetyObject(TypedDict):
    """A safety question, decided for every instance at once."""

    name: str
    verdict: str
    trace: list[str]


class ImageObject(TypedDict):
    """The image of all instances under a pattern."""

    finite: bool
    count: int | None
    words: list[str] | None
    safety: list[SafetyObject]


# ---------------------------------------------------------------- instances of a model


class ProposedObject(TypedDict):
    """A permutation of processes that fits every size."""

    name: str
    description: str
    domains: list[str]
    group: str
    states: int | None
    iterations: int
    seconds: float
    sizes: list[str]
    proved: bool | None


class OrdersObject(TypedDict):
    """The order of a proposed group beside that of the induced one."""

    group: int
    induced: int


class ProofObject(TypedDict):
    """A permutation of the words of the regular form, and where it fails."""

    name: str | None
    letters: dict[str, str]
    counterexample: str | None


class GroupObject(TypedDict):
    """A group that is proposed for every size."""

    name: str
    description: str
    domains: list[str]
    generators: list[str]
    exact: bool
    orders: dict[str, OrdersObject]
    proved: bool | None
    proof: list[ProofObject]


class RejectedObject(TypedDict):
    """A permutation that does not fit every size."""

    name: str
    domains: list[str]
    agrees: list[str]
    fails: list[str]
    reason: str


class ActionObject(TypedDict):
    """How the symmetries of one size move the ids of a domain."""

    ids: int
    order: int
    structure: str | None
    without: list[str]


class SizeObject(TypedDict):
    """The symmetries of one size."""

    size: str
    order: int
    domains: dict[str, ActionObject]


class FamilyObject(TypedDict):
    """What the symmetries of instances propose for every size."""

    patterns: list[ProposedObject]
    groups: list[GroupObject]
    rejected: list[RejectedObject]
    sizes: list[SizeObject]
    skipped: dict[str, str]
    system: str | None
    seconds: float
    stopped: str
