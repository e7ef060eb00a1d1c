"""Models written by hand in C, and a main function that explores one and prints what it found."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory
from types import MappingProxyType

import pytest

import burnside
from burnside.explore.native.abi import StoreKind
from burnside.explore.native.build import Program
from burnside.explore.native.toolchain import RUNTIME
from support.tiny import tiny

_MODEL = Template("""\
#define WORDS $words
$keys
#define MOST_SUCCESSORS $most
#define PROPERTIES 1
#define FREE_CELLS $free
#define HAS_STARTS 0
#define STARTS 0
#include "model.h"
word *successors(const word *s, word *out, int *fault) {
    (void)fault;
    $successors
    return out;
}
int sought(uint32_t property, const word *s, int *fault) {
    (void)property, (void)s, (void)fault;
    return $sought;
}
enum about_deadlock is_deadlock_property(uint32_t property) { (void)property; return 0; }
int is_terminal(const word *s, int *fault) { (void)s, (void)fault; return 0; }
const word initial_base[WORDS] = {$start};
const word start_states[1] = {0};
const struct free_cell free_cells[FREE_CELLS + 1] = {$cells {0}};
int initial_ok(int last, const word *s, int *fault) { (void)last, (void)s, (void)fault; return 1; }
#include "given.h"
""")

_SEARCH = Template("""\
#define ONLY_SEARCH
#define WORDS $words
#define KEY_WORDS $key_words
#include "explore.h"
""")

MAIN = """
#include <inttypes.h>
#include <stdio.h>

int main(int count, char **arguments) {
    if (count != 5) return 2;
    uint32_t properties = PROPERTIES ? PROPERTIES : 1;
    _Atomic uint32_t *witness = calloc(properties, sizeof *witness);
    for (uint32_t p = 0; p < properties; p++) witness[p] = NONE;
    struct run run = {
        .threads = (uint32_t)atoi(arguments[1]), .depth_first = (uint32_t)atoi(arguments[2]),
        .memory_limit = strtoull(arguments[3], NULL, 10), .store = (uint32_t)atoi(arguments[4]),
        .scratch = P_tmpdir, .disk_limit = UINT64_MAX, .fault_state = NONE, .witness = witness};
    burnside_run(&run);
    uint32_t last = run.stop == STOP_FAULT ? run.fault_state : witness[0];
    uint32_t length = run.engine && last != NONE ? burnside_path_length(&run, last) : 0;
    word *path = calloc((size_t)length * WORDS + 1, sizeof *path);
    if (length) burnside_path(&run, last, path);
    printf("{\\"states\\": %" PRIu64 ", \\"transitions\\": %" PRIu64 ", \\"deadlocks\\": %" PRIu64, run.states,
           run.transitions, run.deadlocks);
    printf(", \\"depth\\": %" PRIu64 ", \\"initial\\": %" PRIu64 ", \\"stop\\": %u, \\"length\\": %u", run.depth,
           run.initial_states, run.stop, length);
    printf(", \\"store\\": %u, \\"disk\\": %" PRIu64, run.store, run.disk);
    printf(", \\"bytes\\": %" PRIu64 ", \\"last\\": %" PRIu64 "}\\n", run.bytes,
           length ? path[(size_t)(length - 1) * WORDS] : 0);
    burnside_close(&run);
    free(path);
    free((void *)witness);
    return 0;
}
"""

# What is generated may compare a number with itself and have variables that nobody reads, as models may, and have no
# properties at all.
WARNINGS = ("-Wall", "-Wextra", "-Werror", "-Wno-type-limits", "-Wno-tautological-compare", "-Wno-unused-variable")
PLAIN = ("-O2",)
MEMORY_SANITISERS = ("-O0", "-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
THREAD_SANITISER = ("-O1", "-g", "-fsanitize=thread")
TINY = tiny(CHUNK=3, BITMAP_BITS=0, DEEP=64)

NO_KEYS: Mapping[str, object] = MappingProxyType({})


def hand_written(
    successors: str,
    *,
    words: int = 1,
    most: int = 2,
    start: int = 0,
    sought: str = "0",
    free: int = 0,
    cells: str = "",
    keys: Mapping[str, object] = NO_KEYS,
) -> Program:
    """The C of a model and of a search."""
    defined = "\n".join(f"#define {name} {value}" for name, value in keys.items())
    model = _MODEL.substitute(
        words=words,
        keys=defined,
        most=most,
        start=start,
        successors=successors,
        sought=sought,
        free=free,
        cells=cells,
    )
    return Program(model, _SEARCH.substitute(words=words, key_words=keys.get("KEY_WORDS", words)))


@dataclass(frozen=True)
class Executable:
    """A compiled model with its main function."""

    path: Path

    def run(
        self,
        *,
        threads: int = 1,
        depth_first: bool = False,
        memory: int = 1 << 28,
        store: StoreKind = StoreKind.STORE_INDEX,
    ) -> dict[str, int]:
        """Explore; a sanitiser's report fails the test."""
        command = [str(self.path), str(threads), str(int(depth_first)), str(memory), str(int(store))]
        environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=1", "TSAN_OPTIONS": "halt_on_error=1"}
        result = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        assert result.returncode == 0, result.stderr[:4000]
        return dict(json.loads(result.stdout))


@cache
def compile_program(program: Program, flags: tuple[str, ...]) -> Executable:
    """An executable that explores a model, compiled once; the compiler's warnings are errors."""
    model = _written(program.model)
    search = _search_object(program.search, flags)
    _compile(*flags, "-o", str(model.with_suffix("")), str(model), str(search))
    return Executable(model.with_suffix(""))


@cache
def _search_object(search: str, flags: tuple[str, ...]) -> Path:
    """Most models have the same search: it is compiled once."""
    text = _written(search + MAIN)
    _compile(*flags, "-c", "-o", str(text.with_suffix(".o")), str(text))
    return text.with_suffix(".o")


def _written(text: str) -> Path:
    """A file with this text."""
    folder = Path(_compiled().name)
    path = folder / f"{len(list(folder.iterdir()))}.c"
    path.write_text(text)
    return path


@cache
def _compiled() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="searches-")


def _compile(*arguments: str) -> None:
    command = ["cc", "-std=gnu11", "-pthread", *WARNINGS, "-I", str(RUNTIME), *arguments]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr[:4000]


def sanitiser(name: str = "libasan.so") -> str | None:
    """The library that must be there before anything else, if the compiler has it."""
    if shutil.which("cc") is None:
        return None
    found = subprocess.run(["cc", f"-print-file-name={name}"], capture_output=True, text=True, check=False)
    return found.stdout.strip() if Path(found.stdout.strip()).is_absolute() else None


def run_sanitised(script: str, *arguments: str, flags: tuple[str, ...] = MEMORY_SANITISERS) -> None:
    """Run a script in a Python of its own under sanitisers; what they report fails the test."""
    name = "libtsan.so" if flags == THREAD_SANITISER else "libasan.so"
    library = sanitiser(name)
    if library is None:
        pytest.skip(f"needs a C compiler with {name}")
    environment = os.environ | {
        "LD_PRELOAD": library,
        "ASAN_OPTIONS": "detect_leaks=0",  # the interpreter itself is full of them
        "TSAN_OPTIONS": "halt_on_error=1",
        "PYTHONPATH": f"{Path(burnside.__file__).parents[1]}{os.pathsep}{Path(__file__).parents[3]}",
    }
    command = [sys.executable, "-c", script, *arguments, *flags]
    result = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)

    assert result.returncode == 0, result.stderr[-4000:]
