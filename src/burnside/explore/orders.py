"""Whether some orders of independent steps are enough for a search."""

from __future__ import annotations

from enum import Enum


class Orders(Enum):
    """How partial order is used.

    ``auto``: if it pays. ``on``: always where it is possible. ``off``: never, every step is taken.
    """

    AUTO = "auto"
    ON = "on"
    OFF = "off"
