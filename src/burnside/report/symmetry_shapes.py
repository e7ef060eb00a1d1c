"""The shapes of what JSON objects say about groups by what they act upon, and about runs that symmetry makes alike."""

from __future__ import annotations

from typing import Annotated, TypedDict

from burnside.ir.renaming import SortKind
from burnside.report.schema import OneOf


class MovedObject(TypedDict):
    """The ids of a process domain, or the values of a named domain or of a variable, that a factor exchanges."""

    kind: Annotated[str, OneOf(tuple(k.value for k in SortKind))]
    name: str
    values: list[str]


class FactorObject(TypedDict):
    """A direct factor of a group, and what it acts upon."""

    structure: str
    on: list[MovedObject]


class ActionObject(TypedDict):
    """A group as the direct product of what it does to processes and values."""

    text: str
    factors: list[FactorObject]


class LikewiseObject(TypedDict):
    """The member of a family whose run, renamed, is the trace."""

    run_of: str
    renaming: str
