"""The records and numbers that Python and C share, one by one as ``runtime/run.h`` has them.

Every generated file asserts that the two agree: sizes, the place of every field, the value of every number. Where they
do not, it does not compile.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from enum import IntEnum
from typing import Final

from burnside.results.exploration import Stop, Store

_Numbers = ctypes.POINTER(ctypes.c_uint32)

NONE: Final = 0xFFFFFFFF  # no state
NO_LABEL: Final = 0xFFFFFFFF
LEVELS_NOTED: Final = 1024


class StopReason(IntEnum):
    """``enum stop_reason``."""

    GOING_ON = 0
    STOP_DECIDED = 1
    STOP_FAULT = 2
    STOP_MEMORY = 3
    STOP_ASKED = 4
    STOP_STATES = 5
    STOP_BUG = 6
    STOP_DISK = 7
    STOP_DAMAGED = 8


class StoreKind(IntEnum):
    """``enum store_kind``."""

    STORE_AUTO = 0
    STORE_INDEX = 1
    STORE_COMPACT = 2
    STORE_DISK = 3


STOPS: Final = {
    StopReason.GOING_ON: Stop.COMPLETE,
    StopReason.STOP_DECIDED: Stop.DECIDED,
    StopReason.STOP_FAULT: Stop.FAULT,
    StopReason.STOP_MEMORY: Stop.MEMORY,
    StopReason.STOP_STATES: Stop.STATES,
    StopReason.STOP_DISK: Stop.DISK,
}
STORES: Final = {
    StoreKind.STORE_AUTO: Store.AUTO,
    StoreKind.STORE_INDEX: Store.INDEX,
    StoreKind.STORE_COMPACT: Store.COMPACT,
    StoreKind.STORE_DISK: Store.DISK,
}


def kind_of_store(store: Store) -> StoreKind:
    """The number that C has for a store."""
    return next(kind for kind, known in STORES.items() if known is store)


class KeptFile(ctypes.Structure):
    """``struct kept_file``: a file of a checkpoint."""

    _fields_ = (
        ("levels", ctypes.c_uint64),
        ("bytes", ctypes.c_uint64),
        ("sum", ctypes.c_uint64),
    )


Keep = ctypes.CFUNCTYPE(ctypes.c_int)


class Checkpoint(ctypes.Structure):
    """``struct checkpoint``: what is kept of a search."""

    _fields_ = (
        ("folder", ctypes.c_char_p),
        ("search", ctypes.c_uint64),
        ("pause", ctypes.c_uint64),
        ("keep", Keep),
        ("sizes", ctypes.POINTER(ctypes.c_uint64)),
        ("files", ctypes.POINTER(KeptFile)),
        ("last", KeptFile),
        ("kept_files", ctypes.c_uint64),
        ("kept_levels", ctypes.c_uint64),
        ("kept_bytes", ctypes.c_uint64),
        ("damaged", ctypes.c_uint32),
        ("failed", ctypes.c_uint32),
        ("levels", ctypes.c_uint64),
        ("transitions", ctypes.c_uint64),
        ("deadlocks", ctypes.c_uint64),
        ("initial_states", ctypes.c_uint64),
        ("full_states_low", ctypes.c_uint64),
        ("full_states_high", ctypes.c_uint64),
        ("knows_full_states", ctypes.c_uint32),
        ("witness_levels", _Numbers),
        ("witnesses", ctypes.POINTER(ctypes.c_uint64)),
    )


class Run(ctypes.Structure):
    """``struct run``: options in, live figures, results out."""

    _fields_ = (
        ("threads", ctypes.c_uint32),
        ("depth_first", ctypes.c_uint32),
        ("is_plain", ctypes.c_uint32),
        ("memory_limit", ctypes.c_uint64),
        ("state_limit", ctypes.c_uint64),
        ("disk_limit", ctypes.c_uint64),
        ("scratch", ctypes.c_char_p),
        ("store", ctypes.c_uint32),
        ("tables", ctypes.POINTER(ctypes.c_void_p)),
        ("coefficients", ctypes.POINTER(ctypes.c_uint64)),
        ("checkpoint", ctypes.POINTER(Checkpoint)),
        ("orbits", _Numbers),
        ("states", ctypes.c_uint64),
        ("transitions", ctypes.c_uint64),
        ("deadlocks", ctypes.c_uint64),
        ("depth", ctypes.c_uint64),
        ("waiting", ctypes.c_uint64),
        ("bytes", ctypes.c_uint64),
        ("disk", ctypes.c_uint64),
        ("within", ctypes.c_uint64 * LEVELS_NOTED),
        ("taken", ctypes.c_uint64 * LEVELS_NOTED),
        ("stop", ctypes.c_uint32),
        ("gives_up", ctypes.c_uint32),
        ("canonicalised", ctypes.c_uint64),
        ("canonicalising_nanoseconds", ctypes.c_uint64),
        ("full_states_low", ctypes.c_uint64),
        ("full_states_high", ctypes.c_uint64),
        ("knows_full_states", ctypes.c_uint32),
        ("fault_state", ctypes.c_uint32),
        ("initial_states", ctypes.c_uint64),
        ("witness", _Numbers),
        ("engine", ctypes.c_void_p),
    )


class Lasso(ctypes.Structure):
    """``struct lasso``: a run with a loop."""

    _fields_ = (
        ("states", _Numbers),
        ("labels", _Numbers),
        ("stem", ctypes.c_uint32),
        ("length", ctypes.c_uint32),
        ("is_uncertain", ctypes.c_uint32),
    )


class Graph(ctypes.Structure):
    """``struct graph``: room for the states and steps of a complete exploration."""

    _fields_ = (
        ("states", ctypes.c_void_p),
        ("degrees", ctypes.c_void_p),
        ("labels", ctypes.c_void_p),
        ("targets", ctypes.c_void_p),
        ("orbits", ctypes.c_void_p),
        ("sought", ctypes.c_void_p),
    )


class CoveredCell(ctypes.Structure):
    """``struct covered_cell``: a cell whose values are recorded."""

    _fields_ = (
        ("word", ctypes.c_uint32),
        ("shift", ctypes.c_uint32),
        ("mask", ctypes.c_uint64),
        ("first", ctypes.c_uint64),
    )


class Coverage(ctypes.Structure):
    """``struct coverage``: room for what explored states cover."""

    _fields_ = (
        ("cells", ctypes.POINTER(CoveredCell)),
        ("cell_count", ctypes.c_uint64),
        ("fired", ctypes.POINTER(ctypes.c_uint64)),
        ("taken", ctypes.POINTER(ctypes.c_uint8)),
    )


RECORDS: Final[dict[str, type[ctypes.Structure]]] = {
    "run": Run,
    "kept_file": KeptFile,
    "checkpoint": Checkpoint,
    "lasso": Lasso,
    "graph": Graph,
    "covered_cell": CoveredCell,
    "coverage": Coverage,
}


def assertions() -> str:
    """C that compiles only if the runtime has the same records and numbers."""
    return "\n".join([*_numbers(), *(line for name in RECORDS for line in _record(name, RECORDS[name]))])


def _numbers() -> Iterator[str]:
    numbers = {
        "NONE": NONE,
        "NO_LABEL": NO_LABEL,
        "LEVELS_NOTED": LEVELS_NOTED,
        **{n.name: n.value for kind in (StopReason, StoreKind) for n in kind},
    }
    yield from (f"SAME_NUMBER({name}, {value}u);" for name, value in numbers.items())


def _record(name: str, record: type[ctypes.Structure]) -> Iterator[str]:
    yield f"SAME_SIZE({name}, {ctypes.sizeof(record)});"
    for field in record._fields_:
        yield f"SAME_PLACE({name}, {field[0]}, {getattr(record, field[0]).offset}, {getattr(record, field[0]).size});"
