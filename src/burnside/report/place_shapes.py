"""The shape of places in texts, and of what is said of them, in JSON objects (see `shapes`)."""

from __future__ import annotations

from typing import Annotated, TypeAlias, TypedDict

from burnside.report.schema import AtLeast

Place: TypeAlias = Annotated[int, AtLeast(1)]


class EndObject(TypedDict):
    """Where a place ends: the first character behind it."""

    line: Place
    column: Place


class PlaceObject(TypedDict):
    """A place in a file; all null if there is none."""

    file: str | None
    line: Place | None
    column: Place | None
    end: EndObject | None


class UnseenObject(PlaceObject):
    """A place that detection could not see through: why, and how to write it otherwise."""

    text: str
    help: str
