"""The C runtime by itself, with hand-written models whose figures are known, also under the sanitisers."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from dataclasses import dataclass, replace

import pytest
from runtime_models import (
    MEMORY_SANITISERS,
    PLAIN,
    THREAD_SANITISER,
    TINY,
    compile_program,
    hand_written,
)

from burnside.explore.native.abi import StopReason, StoreKind
from burnside.explore.native.build import Program
from burnside.explore.native.toolchain import RUNTIME

COMPACT, DISK = StoreKind.STORE_COMPACT, StoreKind.STORE_DISK
pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")


@dataclass(frozen=True)
class Known:
    """A model and its figures: states, transitions, deadlocks, depth."""

    program: Program
    figures: tuple[int, int, int, int]
    initial: int = 1


def counter(size: int, sought: str = "0") -> Known:
    """Counts up and around."""
    text = hand_written(f"*out++ = (s[0] + 1) % {size};", most=1, sought=sought)
    return Known(text, (size, size, 0, size - 1))


def tree(levels: int) -> Known:
    """A binary tree: the table grows several times, and every state is found once."""
    inner = 2 ** (levels - 1) - 1
    text = hand_written(f"if (s[0] < {inner}) {{ *out++ = 2 * s[0] + 1; *out++ = 2 * s[0] + 2; }}")
    return Known(text, (2**levels - 1, 2 * inner, inner + 1, levels - 1))


def backwards(levels: int) -> Known:
    """The same tree, numbered from its end: the state that is all zeros is found last."""
    last = 2**levels - 2
    inner = last // 2
    text = f"if (s[0] > {inner}) {{ *out++ = 2 * s[0] - {last + 1}; *out++ = 2 * s[0] - {last + 2}; }}"
    return Known(hand_written(text, start=last), tree(levels).figures)


def grid(size: int) -> Known:
    """Steps to the right and up: every inner state is found twice."""
    right = f"if ((s[0] & 0xffff) < {size - 1}) *out++ = s[0] + 1;"
    up = f"if (s[0] >> 16 < {size - 1}) *out++ = s[0] + 0x10000;"
    return Known(hand_written(f"{right}\n{up}"), (size**2, 2 * size * (size - 1), 1, 2 * (size - 1)))


def wide_step(size: int) -> str:
    """A step along one of the coordinates, each of which is a word."""
    return (
        f"for (int i = 0; i < WORDS; i++) if (s[i] < {size - 1})"
        " { memcpy(out, s, WORDS * sizeof *s); out[i]++; out += WORDS; }"
    )


def wide(size: int, words: int) -> Known:
    """One coordinate per word."""
    step = wide_step(size)
    states = size**words
    transitions = words * (size - 1) * size ** (words - 1)
    return Known(hand_written(step, words=words, most=words), (states, transitions, 1, words * (size - 1)))


def keyed_grid(size: int) -> Known:
    """Such a grid in two fields of 13 bits, side by side; keys are numbers in mixed radix."""
    right = f"if ((s[0] & 0x1fff) < {size - 1}) *out++ = s[0] + 1;"
    up = f"if (s[0] >> 13 < {size - 1}) *out++ = s[0] + 0x2000;"
    keys = {
        "KEYED": 1,
        "KEY_BITS": f"{{{(size**2 - 1).bit_length()}}}",
        "JOINS": f"{{{{0x1fff, 0x2000 - {size}, 13}}}}",
        "JOINS_END": "{1}",
        "DIGITS": "{{1, 0}}",
    }
    return Known(hand_written(f"{right}\n{up}", keys=keys), (size**2, 2 * size * (size - 1), 1, 2 * (size - 1)))


def keyed_wide(size: int) -> Known:
    """Four words that become two: the first with the third, the second with the fourth."""
    known, bits = wide(size, 4), (size**2 - 1).bit_length()
    keys = {
        "KEYED": 1,
        "KEY_WORDS": 2,
        "KEY_BITS": f"{{{bits}, {bits}}}",
        "DIGITS": f"{{{{1, 0}}, {{1, 1}}, {{{size}, 0}}, {{{size}, 1}}}}",
        "JOINS_END": "{0, 0, 0, 0}",
    }
    return replace(known, program=hand_written(wide_step(size), words=4, most=4, keys=keys))


def free_start(values: int) -> Known:
    """Two cells with any value, and nothing happens."""
    cells = f"{{0, 0, {values}, 0xffff}}, {{0, 16, {values}, 0xffff0000}},"
    text = hand_written("(void)s;", most=1, free=2, cells=cells)
    return Known(text, (values**2, 0, values**2, 0), initial=values**2)


MODELS = {
    "counter": counter(20_000),
    "tree": tree(15),
    "small tree, backwards": backwards(9),
    "grid": grid(150),
    "two words": wide(120, 2),
    "four words": wide(10, 4),
    "keyed grid": keyed_grid(150),
    "four words, keys of two": keyed_wide(10),
    "many initial states": free_start(120),
}
SMALL = {
    "counter": counter(300),
    "tree": tree(9),
    "tree, backwards": backwards(9),
    "grid": grid(30),
    "four words": wide(4, 4),
    "keyed grid": keyed_grid(30),
    "four words, keys of two": keyed_wide(5),
    "many initial states": free_start(20),
}
BUILDS = {"plain": PLAIN, "address and undefined": MEMORY_SANITISERS, "thread": THREAD_SANITISER}


def assert_figures(known: Known, found: dict[str, int], *, breadth_first: bool = True) -> None:
    """A complete search found what is known."""
    states, transitions, deadlocks, depth = known.figures
    assert found["stop"] == 0
    assert found["initial"] == known.initial
    assert (found["states"], found["transitions"], found["deadlocks"]) == (states, transitions, deadlocks)
    assert not breadth_first or found["depth"] == depth


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("model", MODELS)
def test_the_runtime_finds_every_state(model, build):
    """One and three workers, depth first too, with buffers and tables of the usual sizes."""
    program = compile_program(MODELS[model].program, BUILDS[build])
    assert_figures(MODELS[model], program.run())
    assert_figures(MODELS[model], program.run(threads=3))
    for threads in (1, 3):
        assert_figures(MODELS[model], program.run(threads=threads, store=COMPACT))
    assert_figures(MODELS[model], program.run(depth_first=True), breadth_first=False)


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("model", SMALL)
def test_the_runtime_finds_every_state_with_tiny_buffers(model, build):
    """Buffers of a few states, so that workers meet, blocks end and tables grow all the time."""
    program = compile_program(SMALL[model].program, (*BUILDS[build], *TINY))
    for threads in (1, 2, 4):
        assert_figures(SMALL[model], program.run(threads=threads))
        assert_figures(SMALL[model], program.run(threads=threads, store=COMPACT))
        found = program.run(threads=threads, store=DISK)
        assert_figures(SMALL[model], found)
        assert found["store"] == (COMPACT if model == "keyed grid" else DISK)  # where a bitmap is smaller than any set
    assert_figures(SMALL[model], program.run(depth_first=True), breadth_first=False)


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("model", SMALL)
def test_a_search_goes_over_to_the_compact_store(model, build):
    """In the middle of a level or between two, with one worker or several: nothing is lost or counted twice."""
    program = compile_program(SMALL[model].program, (*BUILDS[build], *TINY))
    for threads in (1, 2, 4):
        found = program.run(threads=threads, store=StoreKind.STORE_AUTO)
        assert_figures(SMALL[model], found)
        is_deep = SMALL[model].figures[0] < 64 * SMALL[model].figures[3]
        assert found["store"] == (StoreKind.STORE_INDEX if is_deep else COMPACT)


def test_a_search_goes_over_when_memory_is_short():
    """The tree fits in less memory than indices need for it; with very little, the search ends and says so."""
    program = compile_program(MODELS["tree"].program, PLAIN)
    roomy, short, tiny = (
        program.run(memory=memory, store=StoreKind.STORE_AUTO) for memory in (1 << 28, 600_000, 80_000)
    )

    assert_figures(MODELS["tree"], roomy)
    assert (roomy["store"], roomy["bytes"] > 900_000) == (StoreKind.STORE_INDEX, True)
    assert_figures(MODELS["tree"], short)
    assert (short["store"], short["bytes"] < 600_000) == (COMPACT, True)
    assert tiny["stop"] == StopReason.STOP_MEMORY


def test_a_value_that_keys_do_not_know_is_noticed():
    """A field goes one beyond its values, so another state has the same key: the search says that this is a bug."""
    known = keyed_grid(30)
    text = known.program.model.replace("0x2000 - 30", "0x2000 - 29")
    assert text != known.program.model
    program = compile_program(Program(text, known.program.search), PLAIN)

    assert program.run()["stop"] == 0
    assert program.run(store=COMPACT)["stop"] == StopReason.STOP_BUG


@pytest.mark.parametrize("build", BUILDS)
def test_a_witness_comes_with_a_shortest_path(build):
    """The search stops when the property is decided, and the parent links lead back to an initial state."""
    known = counter(20_000, sought="s[0] == 777")
    program = compile_program(known.program, BUILDS[build])

    for store in (StoreKind.STORE_INDEX, COMPACT, DISK):
        found = program.run(threads=2, store=store)
        assert (found["stop"], found["length"], found["last"]) == (1, 778, 777)
        assert found["states"] < 20_000


@pytest.mark.parametrize("build", BUILDS)
def test_a_fault_comes_with_the_path_to_it(build):
    """A fault in a state ends the search with the path to that state."""
    text = hand_written("if (s[0] == 500) raise_fault(fault, FAULT_ASSERTION);\n*out++ = s[0] + 1;", most=1)
    program = compile_program(text, BUILDS[build])

    for store in (StoreKind.STORE_INDEX, COMPACT, DISK):
        found = program.run(threads=2, store=store)
        assert (found["stop"], found["length"], found["last"]) == (2, 501, 500)


@pytest.mark.parametrize("build", BUILDS)
def test_a_memory_limit_ends_the_search_with_partial_figures(build):
    """An endless model stops near the limit, and never above it."""
    text = hand_written("*out++ = 2 * s[0] + 1; *out++ = 2 * s[0] + 2;")
    limit = 8 << 20
    program = compile_program(text, BUILDS[build])
    for depth_first in (False, True):
        found = program.run(memory=limit, threads=2, depth_first=depth_first)

        assert found["stop"] == 3
        assert found["states"] > 100_000
        assert found["bytes"] <= limit


# The first four pieces are for states, parents, a trial, and the first table.
RATIONED = """
#include <sys/mman.h>
static int pieces;
static void *rationed(void *at, size_t size, int access, int kind, int file, off_t start) {{
    return ++pieces > 4 && {refused} ? MAP_FAILED : mmap(at, size, access, kind, file, start);
}}
#define mmap rationed
{text}
static void ask(struct run *run) {{
    word first[WORDS] = {{0}}, none[WORDS] = {{0x123456789ABCDEF0}};
    if (!burnside_knows(run, first) || burnside_knows(run, none)) abort();
}}
#define burnside_close(run) (ask(run), burnside_close(run))
"""


@pytest.mark.parametrize("refused", ["size > 1 << 16", "pieces > 5", "1"])
@pytest.mark.parametrize("build", BUILDS)
def test_a_table_for_which_there_is_no_room_ends_the_search(build, refused):
    """Others may take the address space at any time; what was found can still be asked for."""
    endless = hand_written("*out++ = 2 * s[0] + 1; *out++ = 2 * s[0] + 2;")
    text = replace(endless, search=RATIONED.format(refused=refused, text=endless.search))
    program = compile_program(text, BUILDS[build])
    for depth_first in (False, True):
        found = program.run(memory=8 << 20, threads=2, depth_first=depth_first)

        assert found["stop"] == 3
        assert found["states"] > 5


def test_headers_have_no_function_twice():
    """Any of them may be included beside any other: two steps to a representative bring two headers together."""
    texts = "\n".join(path.read_text() for path in RUNTIME.glob("*.h")).replace("__attribute__((always_inline)) ", "")
    names = re.findall(r"^static [\w *]*?(\w+)\(.*\{$", texts, flags=re.MULTILINE)

    assert len(names) > 100
    assert [name for name, times in Counter(names).items() if times > 1] == []
