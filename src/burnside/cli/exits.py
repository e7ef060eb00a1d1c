"""Exit codes: a contract with scripts."""

from enum import IntEnum


class Exit(IntEnum):
    """What the process says when it ends."""

    DONE = 0  # done, or all properties hold
    VIOLATED = 1
    USAGE = 2
    MODEL = 3  # the model is wrong, or faults while it runs
    LIMIT = 4  # a limit was reached: the report is partial
    UNLESS_COLLISION = 5  # done, or all properties hold, unless two states share a fingerprint
    BUG = 70  # a bug in Burnside
