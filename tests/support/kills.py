"""Searches that are killed, or find the disk full, and go on: each gives the answer of one to which nothing happened.

``python -m tests.support.kills`` kills at every single write, rename and fsync of small searches (half of what was to
be written is written then), lets the disk be full from every such moment on, and kills at 200 random moments; what goes
on may be killed again. It says where the kills were. ``--share 10`` does a tenth of that.

A process of its own imports everything once, and forks for every search. A library that is loaded before any other one
counts the calls that write below a directory.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import random
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import burnside
from burnside.explore import checkpoints
from burnside.source import ModelError

_LOADED = "BURNSIDE_TESTS_COUNTED_WRITES"
_SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static long left = -1;
static int is_full;
static char folder[4096];

void arm(long calls, int fills_up, const char *where) {
    left = calls;
    is_full = fills_up;
    snprintf(folder, sizeof folder, "%s", where);
}

static int is_below(const char *path) { return strncmp(path, folder, strlen(folder)) == 0; }

static int is_counted(int file) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return is_below(path);
}

/* Whether the call is the one that fails, or is made after it. */
static int is_due(int is_ours) {
    if (left < 0 || !is_ours) return 0;
    if (left > 0) return left--, 0;
    errno = ENOSPC;
    return 1;
}

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

#define WRITE(NAME, MORE, PASSED)                                                \
    ssize_t NAME(int file, const void *from, size_t bytes MORE) {                \
        ssize_t (*real)(int, const void *, size_t, ...) = next(#NAME);           \
        if (!is_due(is_counted(file))) return real(file, from, bytes PASSED);    \
        if (is_full) return -1;                                                  \
        if (bytes > 1) real(file, from, bytes / 2 PASSED);                       \
        return kill(getpid(), SIGKILL);                                          \
    }
#define COMMA ,
WRITE(write, , )
WRITE(pwrite, COMMA off_t at, COMMA at)
WRITE(pwrite64, COMMA off_t at, COMMA at)

static int fails(int is_ours) {
    if (!is_due(is_ours)) return 0;
    if (!is_full) kill(getpid(), SIGKILL);
    return 1;
}

int fsync(int file) { return fails(is_counted(file)) ? -1 : ((int (*)(int))next("fsync"))(file); }
int rename(const char *from, const char *to) {
    return fails(is_below(from)) ? -1 : ((int (*)(const char *, const char *))next("rename"))(from, to);
}
"""

# A claim that may be violated half way, one about deadlocks, and levels of up to a hundred states or of some thousands.
_MODEL = """\
var x[0 .. TOP]: 0 .. 2 = 0;
var turn: 0 .. 1 = 0;
rule step(i: 0 .. TOP) when x[i] < 2 do { x[i] := x[i] + 1; turn := 1 - turn; }
invariant few: (count i in 0 .. TOP: x[i] == 2) < BOUND;
deadlockfree live;
"""
_TINY = (
    "-O0",
    "-DBURNSIDE_ALONE=1",
    "-DBURNSIDE_FLUSH=16",
    "-DBURNSIDE_SEGMENT_BITS=1",
    "-DBURNSIDE_DISPLACEMENT_BITS=1",
    "-DBURNSIDE_SMALL_SET=1",
    "-DBURNSIDE_BITMAP_BITS=0",
    "-DBURNSIDE_LEVEL_BLOCK=3",
    "-DBURNSIDE_LEVEL_BYTES=20",
    "-DBURNSIDE_MOST_HELD=30",
    "-DBURNSIDE_ARCHIVE_BLOCK=3",
    "-DBURNSIDE_STREAM_WORDS=64",
)


@dataclass(frozen=True)
class Search:
    """A search that is interrupted."""

    symmetry: str
    partial_order: str
    is_violated: bool
    is_tiny: bool
    top: int = 3

    @property
    def name(self) -> str:
        """What is said of it."""
        orders = ", some orders" if self.partial_order == "on" else ""
        tables = ", tiny tables" if self.is_tiny else ""
        return f"{self.symmetry}{orders}, {'violated' if self.is_violated else 'holding'}{tables}"

    @property
    def text(self) -> str:
        """The model."""
        bound = self.top if self.is_violated else self.top + 2
        return _MODEL.replace("TOP", str(self.top)).replace("BOUND", str(bound))

    def how(self, number: int) -> dict[str, Any]:
        """Other threads and stores each time."""
        flags = _TINY if self.is_tiny else ("-O1",)
        return {"threads": 1 + number % 2, "store": ("compact", "disk")[number // 2 % 2], "flags": flags}


SMALL = [
    Search("none", "off", is_violated=False, is_tiny=True),
    Search("unique", "on", is_violated=True, is_tiny=True),
    Search("none", "off", is_violated=True, is_tiny=False),
    Search("unique", "off", is_violated=False, is_tiny=True),
    Search("none", "on", is_violated=True, is_tiny=True),
    Search("unique", "off", is_violated=True, is_tiny=False),
]
LARGE = [
    Search("none", "off", is_violated=False, is_tiny=True, top=7),
    Search("unique", "on", is_violated=True, is_tiny=True, top=13),
    Search("none", "off", is_violated=True, is_tiny=False, top=10),
    Search("unique", "off", is_violated=False, is_tiny=False, top=19),
    Search("none", "on", is_violated=False, is_tiny=True, top=7),
]


# ---------------------------------------------------------------- processes


def in_child(work: Callable[[], object], seconds: float | None = None) -> object:
    """What some work gives, done by a process of its own; None if that was killed, perhaps by us after some time."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writing, json.dumps(work()).encode())
            os._exit(0)
        except BaseException as error:
            os.write(writing, json.dumps(["failed", repr(error)]).encode())
            os._exit(1)
    os.close(writing)
    if seconds is not None and not select.select([reading], [], [], seconds)[0]:
        os.kill(child, signal.SIGKILL)
    said = b""
    while piece := os.read(reading, 1 << 16):
        said += piece
    os.close(reading)
    status = os.waitpid(child, 0)[1]
    return None if os.WIFSIGNALED(status) else json.loads(said)


def answer_of(checked: Any) -> list[object]:
    """Figures, verdicts, lengths of traces."""
    found = checked.as_dict()
    lengths = [p["trace"] and len(p["trace"]["steps"]) for p in found["properties"]]
    names = ("states", "transitions", "deadlocks", "depth", "initial_states", "stopped")
    full = found["symmetry"]["full_states"]
    return [*(found[name] for name in names), full, [p["verdict"] for p in found["properties"]], lengths]


class Kept:
    """One search with a directory of its own, and what is known of its answer."""

    def __init__(self, search: Search, folder: Path, shim: Any) -> None:
        self.search, self.shim = search, shim
        self.model, self.directory = folder / "model.seq", folder / "kept"
        self.model.write_text(search.text)
        self.right = answer_of(self._check(0))  # here, so that forked processes have all that is imported

    def _check(self, number: int, **more: Any) -> Any:
        asked = {"symmetry": self.search.symmetry, "partial_order": self.search.partial_order}
        return burnside.load(self.model).check(**asked, **self.search.how(number), **more)

    def begin(self, number: int, calls: int = -1, *, fills_up: bool = False) -> list[object]:
        """A new search that is kept, or one that goes on; perhaps with a call that is the last one."""
        self.shim.arm(calls, fills_up, os.fsencode(self.directory))
        if (self.directory / checkpoints.MANIFEST).exists():
            return answer_of(burnside.resume(self.directory, **self.search.how(number)))
        return answer_of(self._check(number, checkpoint=self.directory))

    def moment(self) -> str:
        """Where a search was when it ended, by what it left."""
        names = {path.name for path in self.directory.iterdir()} if self.directory.exists() else set()
        if checkpoints.MANIFEST + ".part" in names:
            return "writing the manifest"
        if any(name.endswith(".levels.part") for name in names):
            return "writing a level"
        if checkpoints.MANIFEST not in names:
            return "before anything was kept"
        try:
            with checkpoints.Checkpoint.open(self.directory) as kept:
                files = sum(len(search.files) for search in kept.searches)
        except ModelError as error:
            raise AssertionError(f"{self.search.name}: {error.diagnostics}") from error
        return "expanding" if files == sum(name.endswith(".levels") for name in names) else "before the manifest"

    def finish(self, number: int, story: str) -> None:
        """Go on without interruptions: the answer must be right."""
        found = in_child(partial(self.begin, number))
        assert found == self.right, f"{self.search.name}, {story}: {found}, not {self.right}"
        shutil.rmtree(self.directory)


# ---------------------------------------------------------------- what happens to searches


def at_every_call(kept: Kept, step: int, first: int) -> Iterator[str]:
    """End at a call that writes, or find the disk full from it on; every one of them, or one in ``step``."""
    for fills_up in (False, True):
        calls = first
        while True:
            found = in_child(partial(kept.begin, calls // step, calls, fills_up=fills_up))
            if found is not None and found != kept.right:
                assert fills_up, f"{kept.search.name}, killed at call {calls}: {found}"
                assert isinstance(found, list) and found[5] == "disk", f"{kept.search.name}, full at {calls}: {found}"
            moment = kept.moment()
            kept.finish(calls // step + 1, f"{'full' if fills_up else 'killed'} at call {calls}")
            if found == kept.right:
                break
            yield f"disk full: {moment}" if fills_up else f"killed {moment}"
            calls += step


def at_random(kept: Kept, times: int, chance: random.Random) -> Iterator[str]:
    """End at any moment, and perhaps again when going on."""
    start = time.perf_counter()
    assert in_child(partial(kept.begin, 0)) == kept.right
    seconds = time.perf_counter() - start
    shutil.rmtree(kept.directory)
    for number in range(times):
        while True:
            found = in_child(partial(kept.begin, number), seconds=chance.uniform(0.1, 1.1) * seconds)
            if found is not None:
                assert found == kept.right, f"{kept.search.name}: {found}, not {kept.right}"
            yield "finished" if found else f"killed {kept.moment()}"
            if found or chance.random() < 0.5:
                break
        kept.finish(number + 1, f"killed at random, number {number}")


def counted_writes(folder: Path) -> Path:
    """The library that counts."""
    (folder / "writes.c").write_text(_SHIM)
    command = ["cc", "-shared", "-fPIC", "-O1", "-o", str(folder / "writes.so"), str(folder / "writes.c"), "-ldl"]
    subprocess.run(command, check=True)
    return folder / "writes.so"


def main() -> None:
    """Interrupt searches, and say where that was."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200, help="at random moments")
    parser.add_argument("--share", type=int, default=1, help="do one part in so many of everything")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    memory = Path("/dev/shm")  # kills do not need durable files, which take long
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as name:
        if _LOADED not in os.environ:
            shim = str(counted_writes(Path(name)))
            environment = {**os.environ, "LD_PRELOAD": shim, _LOADED: shim}
            sys.exit(subprocess.run([sys.executable, "-m", __spec__.name, *sys.argv[1:]], env=environment).returncode)
        checkpoints.PAUSE = 0.0
        moments = interrupt(Path(name), ctypes.CDLL(os.environ[_LOADED]), arguments)
    for moment, count in sorted(moments.items()):
        sys.stdout.write(f"{count:6}  {moment}\n")


def interrupt(folder: Path, shim: Any, arguments: argparse.Namespace) -> Counter[str]:
    """All that happens, counted."""
    chance, moments, share = random.Random(arguments.seed), Counter[str](), arguments.share
    few = max(2, len(SMALL) // share)
    for number, search in enumerate(SMALL[:few] if share > 1 else SMALL):
        moments.update(at_every_call(Kept(search, folder, shim), share, number % share))
    large = LARGE[: max(1, len(LARGE) // share)]
    for search in large:
        moments.update(at_random(Kept(search, folder, shim), arguments.kills // share // len(large), chance))
    return moments


if __name__ == "__main__":
    main()
