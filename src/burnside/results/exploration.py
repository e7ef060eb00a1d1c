"""What an exploration found."""

from __future__ import annotations

from enum import Enum
from typing import final

from burnside.ir.cells import State
from burnside.values import dataclass, field


class Stop(Enum):
    """Why an exploration ended."""

    COMPLETE = "complete"
    DECIDED = "decided"
    FAULT = "fault"
    MEMORY = "memory"
    TIME = "time"
    INTERRUPT = "interrupt"
    STATES = "states"
    OVERTAKEN = "overtaken"
    DISK = "disk"

    @property
    def is_limit(self) -> bool:
        """Whether a limit cut the search short, so that the figures are partial."""
        return self in (Stop.MEMORY, Stop.TIME, Stop.INTERRUPT, Stop.STATES, Stop.OVERTAKEN, Stop.DISK)


class Store(Enum):
    """How a search keeps its states.

    ``index``: every state with its number and that of the state before it. ``compact``: each in as few bits as tell it
    from others, without a number. ``auto``: the first while they are few, the second beyond. ``disk``: compactly, and
    sorted in files where memory does not do.
    """

    AUTO = "auto"
    INDEX = "index"
    COMPACT = "compact"
    DISK = "disk"

    @property
    def has_indices(self) -> bool:
        """Whether what needs an index for every state may be asked."""
        return self in (Store.AUTO, Store.INDEX)


@final
@dataclass(frozen=True, slots=True)
class SelfTest:
    """How many states were compared with the model's own meaning, for how many that failed, and the processor
    time it took.
    """

    checked: int = 0
    failed: int = 0
    seconds: float = 0.0


@final
@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of a search in a directory: complete levels, and their states; how many of these were there when it
    began; and why no more could be kept, if that ended it.
    """

    directory: str
    levels: int
    states: int
    resumed: int = 0
    failure: str = ""


@final
@dataclass(frozen=True, slots=True)
class Exploration:
    """Figures of a search, and for every decided claim the states of a path to its witness.

    ``depth`` is the greatest distance from an initial state (breadth-first) or the longest path held
    (depth-first), or None if it is not known (adaptively, or with several representatives of an orbit). ``fault_path``
    leads to the state in which a rule or a property could not be evaluated; it is empty if an initial condition could
    not. On a quotient, ``full_states`` is the size of the whole state space, summed from the sizes of orbits, and
    ``plain`` is what the search without the reduction found, if there was one (its stop is a limit if it did not come
    to an end). ``fingerprint`` is how many bits were kept of each state where they do not tell it from all others.
    """

    stop: Stop
    states: int
    transitions: int
    deadlocks: int
    depth: int | None
    initial: int
    witnesses: tuple[tuple[State, ...] | None, ...] = ()
    fault_path: tuple[State, ...] | None = None
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    bytes: int = 0
    disk: int = 0
    store: Store = Store.INDEX
    fingerprint: int | None = None
    threads: int = 1
    engine: str = field(default="native")
    full_states: int | None = None
    canonicalised: int = 0
    canonicalising_seconds: float = 0.0
    self_test: SelfTest | None = None
    plain: Exploration | None = None
    kept: Kept | None = None

    @property
    def is_verified(self) -> bool | None:
        """Whether a search without the reduction has confirmed this one; None if there was none."""
        return None if self.plain is None else not self.plain.stop.is_limit

    @property
    def is_exact(self) -> bool:
        """Whether no state can have been taken for another."""
        return self.fingerprint is None

    @property
    def collision(self) -> float:
        """A bound on the probability that one was.

        The first state that is left out shares the fingerprint of one that was found before: some two of one state
        more than were found do. Any two do with probability 2 ** -bits.
        """
        if self.fingerprint is None:
            return 0.0
        return min(1.0, self.states * (self.states + 1) * 0.5 ** (self.fingerprint + 1))
