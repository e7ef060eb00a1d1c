"""Every way in which a model can be searched: one line of a table each."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from burnside.decide.modes import Mode
from burnside.explore.native.run import SearchOptions
from burnside.results.exploration import Store
from support.tiny import tiny, tiny_for

TINY = ("-O0", *tiny())


@dataclass(frozen=True)
class Configuration:
    """A mode, and how it is run; some take too long for every model in every run."""

    name: str
    mode: Mode
    threads: int = 1
    depth_first: bool = False
    store: Store = Store.INDEX
    flags: tuple[str, ...] = field(default=TINY, repr=False)
    is_slow: bool = False

    def options(self, cache: Path, states: int = 0) -> SearchOptions:
        """As the tool takes it, for a model with so many states."""
        flags = ("-O0", *tiny_for(states)) if self.store is Store.DISK else self.flags
        return SearchOptions(
            threads=self.threads, depth_first=self.depth_first, store=self.store, flags=flags, cache=cache
        )


CONFIGURATIONS = (
    Configuration("none", Mode.NONE),
    Configuration("none, two threads", Mode.NONE, threads=2),
    Configuration("none, depth first", Mode.NONE, depth_first=True),
    Configuration("none, compact store", Mode.NONE, store=Store.COMPACT),
    Configuration("none, optimised", Mode.NONE, flags=("-O2",), is_slow=True),
    Configuration("unique", Mode.UNIQUE),
    Configuration("unique, disk store, two threads", Mode.UNIQUE, threads=2, store=Store.DISK),
    Configuration("unique, compact store, two threads", Mode.UNIQUE, threads=2, store=Store.COMPACT, is_slow=True),
    Configuration("unique, two threads", Mode.UNIQUE, threads=2, is_slow=True),
    Configuration("unique, optimised", Mode.UNIQUE, threads=2, flags=("-O2",), is_slow=True),
    Configuration("multi", Mode.MULTI),
    Configuration("multi, compact store", Mode.MULTI, store=Store.COMPACT, is_slow=True),
    Configuration("multi, two threads", Mode.MULTI, threads=2, is_slow=True),
    Configuration("auto", Mode.AUTO),
    Configuration("auto, compact store", Mode.AUTO, store=Store.COMPACT, is_slow=True),
    Configuration("auto, two threads", Mode.AUTO, threads=2, is_slow=True),
    Configuration("adaptive", Mode.ADAPTIVE),
)
