"""What every way of deciding works with: a model, limits, and what has been found out about its symmetries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, final

from burnside.cache import cache_directory
from burnside.claims.kinds import StateClaim
from burnside.claims.members import Member
from burnside.claims.task import Simplification
from burnside.explore.native.run import SearchOptions, Watcher
from burnside.ir.nodes import Model
from burnside.source import ModelError

if TYPE_CHECKING:  # exploring a model should not wait for the libraries that detection needs
    from burnside.decide.quotient import Quotient
    from burnside.detect.run import Symmetries


@final
class Workbench:
    """A model, how it is searched, and quotients of it, each of them made once; ``simplification`` is what it does not
    have of the text.
    """

    def __init__(
        self,
        model: Model,
        options: SearchOptions | None = None,
        watch: Watcher | None = None,
        simplification: Simplification | None = None,
    ) -> None:
        self.model = model
        self.simplification = simplification
        self.options = options or SearchOptions()
        self.watch = watch
        self._symmetries: list[Symmetries] = []
        self._quotients: dict[tuple[tuple[Member[StateClaim], ...], bool], Quotient] = {}
        self._others: list[Workbench] = []

    def with_options(self, options: SearchOptions) -> Workbench:
        """The same model, searched in another way; symmetries do not depend on that, the choice of a reduction does."""
        other = copy(self)
        other.options = options
        other._quotients = {}
        other._others = []
        return other

    def on(self, model: Model) -> Workbench:
        """A workbench for another model that was made from this one, searched in the same way."""
        for known in self._others:
            if known.model == model:
                return known
        other = self.with_options(self.options)
        other.model = model
        self._others.append(other)
        return other

    def symmetries(self, model: Model | None = None) -> Symmetries:
        """The symmetries of the model, or of another one that was made from it."""
        from burnside.detect.run import Symmetries

        asked = self.model if model is None else model
        for known in self._symmetries:
            if known.model is asked or known.model == asked:
                return known
        self._symmetries.append(Symmetries(asked, self._cache()))
        return self._symmetries[-1]

    def _cache(self) -> Path | None:
        """Where symmetries are kept, if they are to be; to have nowhere is no reason to have none."""
        if self.options.keeps_symmetries:
            with suppress(ModelError):
                return self.options.cache or cache_directory()
        return None

    def quotient(
        self,
        members: Sequence[Member[StateClaim]] = (),
        *,
        multi: bool = False,
        checkpoint: Callable[[], None] | None = None,
    ) -> Quotient:
        """The quotient by the symmetries that keep some claims; ``checkpoint`` may end the work on it."""
        from burnside.decide.quotient import Quotient

        key = tuple(members), multi
        if key not in self._quotients:
            self._quotients[key] = Quotient(self.symmetries(), members, multi=multi, checkpoint=checkpoint)
        return self._quotients[key]
