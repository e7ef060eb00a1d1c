"""The symmetries of a model, with the name of their group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from burnside.detect.explain import Explanation
from burnside.detect.naming import NamedGenerator
from burnside.detect.run import Detection
from burnside.ir.nodes import Model


@final
@dataclass(frozen=True)
class DetectReport:
    """The symmetries of a model, and what costs symmetry (if that was asked)."""

    model: Model
    detection: Detection
    structure: str | None
    explanation: Explanation | None = None

    @property
    def order(self) -> int:
        """The number of symmetries, the identity included."""
        return self.detection.symmetry.order

    @property
    def generators(self) -> tuple[NamedGenerator, ...]:
        """Symmetries that generate all of them, in the user's terms."""
        return self.detection.generators
