"""The symmetries of a model, with the names of their group."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from burnside.claims.task import Simplification
from burnside.ir.nodes import Model
from burnside.values import dataclass

if TYPE_CHECKING:  # symmetries can be shown without what would explain them
    from burnside.detect.actions import Action
    from burnside.detect.detection import Detection
    from burnside.detect.explain import Explanation
    from burnside.detect.naming import NamedGenerator


@final
@dataclass(frozen=True)
class DetectReport:
    """The symmetries of a model, and what costs symmetry (if that was asked).

    ``structure`` is the name of the group as an abstract one, ``action`` the group by what it acts upon; None where
    nothing is proved.
    """

    model: Model
    detection: Detection
    structure: str | None
    action: Action | None = None
    explanation: Explanation | None = None
    simplification: Simplification | None = None

    @property
    def order(self) -> int:
        """The number of symmetries, the identity included."""
        return self.detection.symmetry.order

    @property
    def generators(self) -> tuple[NamedGenerator, ...]:
        """Symmetries that generate all of them, in the user's terms."""
        return self.detection.generators

    @property
    def group_name(self) -> str | None:
        """The name that says most: ``S4 (Cache) × S2 (Data)``, or that of the abstract group."""
        return self.structure if self.action is None else self.action.text

    @property
    def abstract_name(self) -> str | None:
        """The name as an abstract group, where `group_name` says something else."""
        return None if self.action is None or self.action.abstract == self.structure else self.structure
