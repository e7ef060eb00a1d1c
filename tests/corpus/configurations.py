"""Every way in which a model can be searched: one line of a table each."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from burnside.decide.modes import Mode
from burnside.explore.native.run import SearchOptions
from burnside.results.exploration import Store

# Tables, blocks and buffers so small that they grow and end everywhere, and two threads that are never alone.
TINY = (
    "-O0",
    "-DBURNSIDE_ALONE=1",
    "-DBURNSIDE_CHUNK=2",
    "-DBURNSIDE_BLOCK=4",
    "-DBURNSIDE_FLUSH=4",
    "-DBURNSIDE_FIRST_BITS=4",
    "-DBURNSIDE_MANY=20",
    "-DBURNSIDE_DEEP=1",
    "-DBURNSIDE_SEGMENT_BITS=1",
    "-DBURNSIDE_DISPLACEMENT_BITS=1",
    "-DBURNSIDE_SMALL_SET=1",
    "-DBURNSIDE_BITMAP_BITS=2",
    "-DBURNSIDE_LEVEL_BLOCK=3",
    "-DBURNSIDE_LEVEL_BYTES=20",
    "-DBURNSIDE_MOST_HELD=30",
    "-DBURNSIDE_ARCHIVE_BLOCK=3",
    "-DBURNSIDE_STREAM_WORDS=4",
)


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

    def options(self, cache: Path) -> SearchOptions:
        """As the tool takes it."""
        return SearchOptions(
            threads=self.threads, depth_first=self.depth_first, store=self.store, flags=self.flags, cache=cache
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
