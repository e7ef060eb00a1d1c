"""The shape of places in texts, and of what is said of them, in JSON objects (see `shapes`)."""

from __future__ import annotations

from typing import Annotated, TypeAlias, TypedDict

from burnside.report.schema import AtLeast

Positive: TypeAlias = Annotated[int, AtLeast(1)]


class EndObject(TypedDict):
    """Where a place ends: the first character behind it."""

    line: Positive
    column: Positive


class PlaceObject(TypedDict):
    """A place in a file; all null if there is none."""

    file: str | None
    line: Positive | None
    column: Positive | None
    end: EndObject | None


class UnseenObject(PlaceObject):
    """A place that detection could not see through: why, and how to write it otherwise."""

    text: str
    help: str
