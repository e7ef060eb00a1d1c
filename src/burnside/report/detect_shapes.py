"""The shapes of JSON objects about symmetries: what ``burnside detect`` prints (see ``shapes``)."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from burnside.report.place_shapes import Positive, UnseenObject
from burnside.report.schema import OneOf
from burnside.report.shapes import Count, Remarks, Seconds
from burnside.report.symmetry_shapes import ActionObject


class GeneratorObject(TypedDict):
    """A symmetry in words, and as cycles of literals."""

    kind: Annotated[str, OneOf(("process", "data", "mixed"))]
    description: str
    cycles: list[list[str]]


class OrbitsObject(TypedDict):
    """What is moved onto what."""

    processes: dict[str, list[list[str]]]
    cells: list[list[str]]
    values: list[list[str]]


class GraphObject(TypedDict):
    """The size of the coloured graph."""

    vertices: Count
    edges: Count


class DetectionSeconds(TypedDict):
    """How long the stages took."""

    encode: Seconds
    search: Seconds
    validate: Seconds


class PrunedObject(TypedDict):
    """What is left out of the coloured graph."""

    constant_cells: Count
    equal_cells: Count
    values: Count


class CulpritObject(TypedDict):
    """A place in a text without which there would be more symmetries; ``loss`` is its entry in ``losses``."""

    file: str
    line: Positive
    column: Positive
    text: str
    kind: Annotated[str, OneOf(("literal", "initial value", "range", "list", "calculation"))]
    order_without: Positive
    loss: Count


class LossObject(TypedDict):
    """Processes or values of a domain that are told apart, and the group if they were not."""

    domain: str
    values: list[str]
    order: Positive
    order_without: Positive
    structure_without: str | None
    of: str
    sentence: str


class PropertyCostObject(TypedDict):
    """The symmetries that a property keeps."""

    name: str
    order: Positive
    structure: str | None
    sentence: str


class ExplanationObject(TypedDict):
    """What costs symmetry, and whether everything was looked at."""

    culprits: list[CulpritObject]
    losses: list[LossObject]
    properties: list[PropertyCostObject]
    elsewhere: list[str]
    complete: bool
    unexplained: list[str]


class ActorsObject(TypedDict):
    """The symmetries of actors by Definition 4."""

    order: Positive
    structure: str | None
    generators: list[str]
    orbits: list[list[str]]
    beyond: list[str]
    lacking: list[str] | None
    seconds: Seconds


class ActorsOfModel(TypedDict):
    """What is there if a model is one of actors."""

    actors: NotRequired[ActorsObject]


class DetectObject(ActorsOfModel, Remarks):
    """``burnside detect``."""

    order: Positive
    structure: str | None
    action: ActionObject | None
    generators: list[GeneratorObject]
    orbits: OrbitsObject
    graph: GraphObject
    seconds: DetectionSeconds
    kept: bool
    validated: bool
    pruned: PrunedObject
    opaque_terms: Count
    opaque: list[str]
    opaque_places: list[UnseenObject]
    explanation: ExplanationObject | None
