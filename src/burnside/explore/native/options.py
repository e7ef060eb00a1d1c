"""How to search, and what is seen of a search while it runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias, final

from burnside.explore.checkpoints import Checkpoint
from burnside.explore.orders import Orders
from burnside.limits import NEVER, Deadline
from burnside.results.exploration import Store
from burnside.values import dataclass


@final
@dataclass(frozen=True, slots=True)
class Within:
    """The states at most so many steps away, and the transitions of those that are nearer: 0 if they are not known."""

    states: int
    transitions: int


@final
@dataclass(frozen=True, slots=True)
class Progress:
    """Live figures of a running search; ``waiting`` is the size of the level at hand, if it has levels.

    ``within`` has an entry for each number of steps that the search came to, up to some number.
    """

    states: int
    transitions: int
    depth: int
    waiting: int
    bytes: int
    seconds: float
    disk: int = 0
    has_levels: bool = True
    within: tuple[Within, ...] = ()


Watcher: TypeAlias = Callable[[Progress], None]
Overtaken: TypeAlias = Callable[[Progress], bool]  # whether a search should end because nobody needs it any more


@final
@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How to search; None means as much memory as is free.

    ``self_test`` tests the compiled form on every state instead of on a sample; ``verify`` searches without reduction,
    too, whatever that takes. ``partial_order`` says whether claims may be decided without some of the orders in which
    independent steps can be taken, ``slices`` whether without variables that nothing depends on. ``cache`` is the
    directory for what is kept, None the user's; symmetries are kept there if ``keeps_symmetries``. ``scratch`` is the
    directory for states that need not be in memory, ``disk`` how many bytes of it may be used; None means a directory
    for large temporary files, and most of what is free there. A ``checkpoint`` keeps what was found for later. With
    ``fingerprint`` the compact store may keep so many bits of states that have more.
    """

    threads: int = 1
    memory: int | None = None
    store: Store = Store.AUTO
    disk: int | None = None
    scratch: Path | None = None
    checkpoint: Checkpoint | None = None
    deadline: Deadline = NEVER
    depth_first: bool = False
    fingerprint: int | None = None
    states: int | None = None
    self_test: bool = False
    verify: bool = False
    partial_order: Orders = Orders.OFF
    slices: bool = False
    flags: tuple[str, ...] | None = None
    cache: Path | None = None
    keeps_symmetries: bool = False
