"""Patterns of parameterised systems, in Python."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack, final

from burnside.api.answers import Answer
from burnside.api.words import SearchKeywords, constant_of, options_of
from burnside.values import dataclass

if TYPE_CHECKING:
    from burnside.regular.system import System as RegularForm


def load_regular(path: str | Path) -> RegularSystem:
    """Read a regular system, for ``burnside pattern``."""
    from burnside.patterns import load_regular as read

    return RegularSystem(read(Path(path)))


@final
@dataclass(frozen=True)
class RegularSystem:
    """A parameterised system; its answers hold for every instance."""

    system: RegularForm

    def check(self, pattern: str | None = None, *, depth: int = 3) -> Answer:
        """Which patterns of the library are symmetries, or whether one pattern is."""
        from burnside.regular.report import check_library, check_pattern

        return Answer(
            check_library(self.system, depth=depth) if pattern is None else check_pattern(self.system, pattern)
        )

    def find(self, *, mode: str = "auto", count: int = 1, free: bool = False) -> Answer:
        """Synthesise patterns."""
        from burnside.regular.modes import MODES
        from burnside.regular.report import FindOptions, find

        if mode not in MODES:
            raise ValueError(f"mode is {mode!r}: it can be {', '.join(MODES)}")
        return Answer(find(self.system, FindOptions(mode, count, free))[0])

    def image(self, pattern: str, **how: Unpack[SearchKeywords]) -> Answer:
        """The image under a pattern; a finite one decides safety for every size at once."""
        from burnside.patterns import image

        return Answer(image(self.system, pattern, options_of(how))[0])


def find_patterns(path: str | Path, *, domain: str | None = None, depth: int = 3, **constants: Any) -> Answer:
    """Propose permutations of processes for every size; one constant has several values, such as ``N=range(3, 7)``."""
    from burnside import patterns

    given = [(n, [constant_of(v)] if isinstance(v, int) else [constant_of(x) for x in v]) for n, v in constants.items()]
    sizes = patterns.instances(given)
    if len(sizes) < 2:
        raise ValueError("one constant has to have several values, such as N=range(3, 7)")
    members = (patterns.detect_member(Path(path), size, values) for size, values in sizes.items())
    return Answer(patterns.family(members, None, depth=depth, domain=domain)[0])
