"""What a search keeps in a checkpoint, as C has it: states go to files there, and Python writes down that they do."""

from __future__ import annotations

import ctypes
import errno
import os
from collections.abc import Sequence
from typing import Any, final

from burnside.cache import digest
from burnside.claims.kinds import StateClaim
from burnside.claims.members import Member
from burnside.explore import checkpoints
from burnside.explore.checkpoints import Checkpoint, KeptSearch, LevelFile, Witness, damaged_file, level_file
from burnside.explore.native import abi, build
from burnside.explore.native.emit import Emitted, tables_of
from burnside.reduce.reduction import Reduction
from burnside.results.exploration import Kept
from burnside.source import ModelError

_HALF = 64  # bits of a number of states that C has in two parts


@final
class Keeper:
    """Keeps one search in a checkpoint; ``record`` is what C knows of that.

    Raises `ModelError` if another search is kept there, and `OSError` if nothing can be.
    """

    def __init__(self, checkpoint: Checkpoint, key: str, claims: int, words: int) -> None:
        self._checkpoint = checkpoint
        self._number, self._kept = checkpoint.begin(key)
        self._known = self._kept
        self._words = words
        kept = self._kept
        self._callback = abi.Keep(self._keep)
        self._sizes = (ctypes.c_uint64 * len(kept.sizes))(*kept.sizes)
        self._files = (abi.KeptFile * len(kept.files))(*(abi.KeptFile(f.levels, f.bytes, f.sum) for f in kept.files))
        self._levels = (ctypes.c_uint32 * max(1, claims))(*([abi.NONE] * max(1, claims)))
        self._witnesses = (ctypes.c_uint64 * max(1, claims * words))()
        self._library: Any = None
        self._run: Any = None
        self.record = self._record()

    def _record(self) -> abi.Checkpoint:
        kept = self._kept
        for witness in kept.witnesses:
            if witness.claim >= len(self._levels) or len(witness.words) != self._words:
                raise damaged_file(self._checkpoint.directory)
            self._levels[witness.claim] = witness.level
            self._witnesses[witness.claim * self._words : (witness.claim + 1) * self._words] = [*witness.words]
        record = abi.Checkpoint(
            folder=os.fsencode(self._checkpoint.directory.absolute()),
            search=self._number,
            pause=int(checkpoints.PAUSE * 1e9),
            keep=self._callback,
            kept_files=len(kept.files),
            kept_levels=len(kept.sizes),
            kept_bytes=kept.bytes,
            levels=len(kept.sizes),
            transitions=kept.transitions,
            deadlocks=kept.deadlocks,
            initial_states=kept.initial,
            full_states_low=(kept.full_states or 0) & ((1 << _HALF) - 1),
            full_states_high=(kept.full_states or 0) >> _HALF,
            knows_full_states=kept.full_states is not None,
        )
        record.sizes = ctypes.cast(self._sizes, ctypes.POINTER(ctypes.c_uint64))
        record.files = ctypes.cast(self._files, ctypes.POINTER(abi.KeptFile))
        record.witness_levels = ctypes.cast(self._levels, ctypes.POINTER(ctypes.c_uint32))
        record.witnesses = ctypes.cast(self._witnesses, ctypes.POINTER(ctypes.c_uint64))
        return record

    def attach(self, library: ctypes.CDLL, run: Any) -> None:
        """Levels are those of this run."""
        library.burnside_level_size.restype = ctypes.c_uint64
        self._library, self._run = library, run

    @property
    def bytes(self) -> int:
        """The bytes of all that was kept before."""
        return self._known.bytes

    def _keep(self) -> int:
        """Write down that there is one file more; called by C. What goes wrong ends the search, and nothing else."""
        try:
            kept = self._kept_now()
            self._checkpoint.keep(self._number, kept)
            self._kept = kept
        except BaseException as error:
            self.record.failed = (error.errno if isinstance(error, OSError) else None) or errno.ENOMEM
            return 0
        return 1

    def _kept_now(self) -> KeptSearch:
        record, last = self.record, self.record.last
        new = range(record.kept_levels, record.levels)
        sizes = (self._library.burnside_level_size(self._run, ctypes.c_uint64(level)) for level in new)
        full = record.full_states_high << _HALF | record.full_states_low
        return KeptSearch(
            digest=self._kept.digest,
            sizes=(*self._kept.sizes, *sizes),
            files=(*self._kept.files, LevelFile(last.levels, last.bytes, last.sum)),
            transitions=record.transitions,
            deadlocks=record.deadlocks,
            initial=record.initial_states,
            full_states=full if record.knows_full_states else None,
            witnesses=tuple(self._found()),
        )

    def _found(self) -> list[Witness]:
        words = self._words
        return [
            Witness(claim, level, tuple(self._witnesses[claim * words : (claim + 1) * words]))
            for claim, level in enumerate(self._levels)
            if level != abi.NONE
        ]

    # ------------------------------------------------------------ results

    def damaged(self) -> ModelError:
        """The diagnostic for the file that is not what it was."""
        return damaged_file(level_file(self._checkpoint.directory, self._number, self.record.damaged))

    @property
    def result(self) -> Kept:
        """What there is, for reports."""
        failure = os.strerror(self.record.failed) if self.record.failed else ""
        kept, known = self._kept, self._known
        return Kept(str(self._checkpoint.directory), len(kept.sizes), sum(kept.sizes), sum(known.sizes), failure)


def key_of(
    emitted: Emitted,
    claims: Sequence[Member[StateClaim]],
    reductions: Sequence[Reduction],
    orbits: Sequence[int] | None,
) -> str:
    """A digest of all that decides what a search finds: its C and that of the runtime, tables, and what is sought."""
    program, tables = emitted.program, tables_of(reductions)
    texts = [program.model, program.search, build.runtime_digest(), repr(orbits and [*orbits])]
    texts += [repr((member.name, type(member.claim).__name__)) for member in claims]
    texts += [f"{table.name} {table.entries.typecode} {table.entries.tobytes().hex()}" for table in tables]
    return digest(texts)
