"""Keys, computed by the handwritten C, are the states as numbers in mixed radix, and give the states back."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from math import prod
from pathlib import Path
from random import Random

import pytest

from burnside.explore.native.emit import Emission
from burnside.explore.native.keys import Keys, keys_of
from burnside.explore.native.toolchain import RUNTIME
from burnside.frontends import seq
from burnside.ir.cells import State
from burnside.ir.nodes import Model
from burnside.ir.packing import Layout
from burnside.source import Source
from support.strategies import Pick, any_model, state_of

needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")

ENTRIES = """
#include "keys.h"
void key_of(const word *s, word *key) { key_of_state(s, key); }
void state_of(const word *key, word *s) { state_of_key(key, s); }
"""
SANITISED = ("-fsanitize=undefined", "-fno-sanitize-recover=all", "-fno-sanitize=vptr")


class Compiled:
    """The two functions of ``keys.h`` for one model."""

    def __init__(self, model: Model, layout: Layout, folder: Path, extra: int = 0) -> None:
        self.keys, self._layout = keys_of(layout), layout
        text, library = folder / "keys.c", folder / f"keys{len(list(folder.iterdir()))}.so"
        text.write_text(Emission(model, extra=extra).emit().program.model + ENTRIES)
        command = ["cc", "-std=gnu11", "-O1", "-fwrapv", "-w", "-shared", "-fPIC", *SANITISED, "-I", str(RUNTIME)]
        subprocess.run([*command, "-o", str(library), str(text)], check=True)
        self._library = ctypes.CDLL(str(library))

    def key(self, words: Sequence[int]) -> tuple[int, ...]:
        """The key of a state."""
        return self._call(self._library.key_of, words, len(self.keys.bits))

    def state(self, key: Sequence[int]) -> tuple[int, ...]:
        """The state of a key."""
        return self._call(self._library.state_of, key, self._layout.words)

    @staticmethod
    def _call(function: object, given: Sequence[int], size: int) -> tuple[int, ...]:
        out = (ctypes.c_uint64 * size)()
        assert callable(function)
        function((ctypes.c_uint64 * len(given))(*given), out)
        return tuple(out)


def judged_key(layout: Layout, keys: Keys, state: State, extra: int = 0) -> tuple[tuple[int, ...], list[int]]:
    """The key of a state by its definition, cell by cell, and how many values each word of it has."""
    numbers, sizes = [0] * layout.words, [1] * layout.words
    is_full = [True] * layout.words  # but for the uppermost cell, so that the word is such a number already
    cells = [(f, v, c.domain) for f, v, c in zip(layout.fields, state, layout.cells.all, strict=True)]
    above = [*layout.fields, layout.extra]
    for field, _, domain in cells:
        is_top = not any(f.word == field.word and f.shift > field.shift and f.width for f in above)
        is_full[field.word] &= is_top or domain.high - domain.low + 1 == 1 << field.width
    for field, value, domain in sorted(cells, key=lambda cell: cell[0].shift):
        is_exact = is_full[field.word] or bool(keys.joins[field.word])
        numbers[field.word] += sizes[field.word] * (value - domain.low)
        sizes[field.word] *= domain.high - domain.low + 1 if is_exact else 1 << field.width
    if layout.extra.width:
        numbers[layout.extra.word] += sizes[layout.extra.word] * extra
        sizes[layout.extra.word] *= 1 << layout.extra.width
    key, values = [0] * len(keys.bits), [1] * len(keys.bits)
    for number, size, digit in zip(numbers, sizes, keys.digits, strict=True):
        key[digit.of] += number * values[digit.of]
        values[digit.of] *= size
    return tuple(key), values


def odd_model(random: Random) -> Model:
    """A model that does nothing, with cells of any sizes, arrays of them, sequences and optional labels."""
    lines = []
    for k in range(random.randint(1, 7)):
        low = random.choice((0, 0, 1, -3, -1_000_000))
        high = low + random.choice((0, 1, 2, 3, 4, 4, 5, 6, 7, 9, 12, 16, 99, 1000, 10**9)) * random.choice((1, 1, 3))
        index = random.choice(("", "[0..1]", "[0..2]", "[0..15]", "[0..20]"))
        match random.randint(0, 4):
            case 0:
                lines.append(f"var x{k}{index}: seq[{random.randint(1, 5)}] of {low}..{high} = [];")
            case 1:
                lines.append(f"process P{k} = 0..{random.randint(0, 11)}; domain O{k} = P{k} + {{ none{k} }};")
                lines.append(f"var x{k}{index}: O{k} = none{k};")
            case _:
                lines.append(f"var x{k}{index}: {low}..{high} = {low};")
    lines.append("rule nothing when false do { }")
    loaded = seq.load(Source("random.seq", "\n".join(lines)), {})
    assert loaded.tasks, "\n".join(lines)
    return loaded.tasks[0].model


def any_models(count: int) -> Iterator[tuple[int, Model]]:
    """Models of all kinds, and the seed of each."""
    for seed in range(count):
        yield seed, odd_model(Random(seed)) if seed % 4 else any_model(Pick(Random(seed)))


@needs_compiler
def test_keys_are_numbers_in_mixed_radix_and_give_states_back(tmp_path):
    """In models with cells of any sizes, one word and several, with and without bits of an automaton."""
    met: Counter[str] = Counter()
    for seed, model in any_models(60):
        pick, extra = Pick(Random(seed)), seed % 3 * 2
        layout = Layout(model, extra)
        compiled = Compiled(model, layout, tmp_path, extra)
        states = [state_of(pick, model) for _ in range(40)]
        states.append(tuple(c.domain.high for c in layout.cells.all))
        states.append(tuple(c.domain.low for c in layout.cells.all))
        for state in states:
            words = list(layout.pack(state))
            more = pick.integer(0, (1 << extra) - 1)
            words[layout.extra.word] |= more << layout.extra.shift
            expected, values = judged_key(layout, compiled.keys, state, more)
            assert compiled.key(words) == expected, f"seed {seed}"
            assert compiled.state(expected) == tuple(words), f"seed {seed}"
            assert all(0 <= k < n <= 1 << 64 for k, n in zip(expected, values, strict=True))
            assert [(n - 1).bit_length() for n in values] == [*compiled.keys.bits]
        assert sum(compiled.keys.bits) <= sum(layout.bits)
        met["joined"] += any(compiled.keys.joins)
        met["fewer words"] += len(compiled.keys.bits) < layout.words
        met["several words joined"] += sum(map(bool, compiled.keys.joins)) > 1
        met["as they are"] += not compiled.keys.settings()
        met["extra"] += bool(extra) and any(compiled.keys.joins)
    assert min(met.values()) > 3, met


def model_of(variables: str) -> Model:
    """A model with these variables and no steps."""
    loaded = seq.load(Source("model.seq", f"{variables}\nrule nothing when false do {{ }}"), {})
    return loaded.tasks[0].model


def key_bits(text: str) -> tuple[int, int]:
    """The bits of the states of a model, and those of their keys."""
    layout = Layout(model_of(text))
    return sum(layout.bits), sum(keys_of(layout).bits)


@pytest.mark.parametrize(
    ("text", "state", "key"),
    [
        ("var x[0..15]: 0..4 = 0; var y[0..15]: bool = false;", 64, 54),
        ("var x[0..20]: 0..2 = 0;", 42, 34),
        ("var x: 0..4 = 0;", 3, 3),
        ("var x[0..9]: 0..7 = 0; var y: bool = false;", 31, 31),
        ("var x[0..1]: 0..2 = 0;", 4, 4),
        ("var x[0..2]: 0..4 = 0;", 9, 7),
        ("var x[0..22]: 0..4 = 0;", 69, 54),
        ("var x[0..1]: 0..1073741824 = 0; var y: 0..4 = 0;", 65, 63),
        ("var x: 7..7 = 7;", 0, 0),
        ("var x[0..30]: 0..6 = 0;", 93, 88),
    ],
)
def test_keys_of_small_models_by_hand(text, state, key):
    """The bits are those of the product of all domains, wherever that takes fewer than the cells one by one."""
    assert key_bits(text) == (state, key)


def test_a_word_of_very_different_cells_is_left_as_it_is():
    """Each would need a join of its own, which takes longer than what it saves is worth."""
    names = [f"var x{k}: 0..{size - 1} = 0;" for k, size in enumerate((5, 6, 7, 9, 10, 11, 12, 13, 14, 17, 18, 19))]
    assert key_bits(" ".join(names)) == (48, (prod((5, 6, 7, 9, 10, 11, 12, 13, 14, 17, 18, 19)) - 1).bit_length())
    many = [f"var y{k}: 0..{2 + k % 2} = 0; var z{k}: 0..{4 + k % 3} = 0; var w{k}: bool = false;" for k in range(10)]
    assert key_bits(" ".join(many))[1] <= key_bits(" ".join(many))[0]


# ---------------------------------------------------------------- fingerprints


FINGERPRINTED = """
#include "fingerprints.h"
void fingerprint(const word *numbers, const word *s, word *key) { fingerprint_of(numbers, s, key); }
"""
WIDE = "var x[0 .. 20]: 0 .. 255 = 0;"


@needs_compiler
@pytest.mark.parametrize("bits", [7, 64, 96, 128])
def test_fingerprints_are_the_upper_parts_of_sums(bits: int, tmp_path: Path) -> None:
    """Computed once more with numbers of any size."""
    model = model_of(WIDE)
    emitted = Emission(model, fingerprint=bits).emit()
    fingerprints, words, random = emitted.fingerprints, emitted.layout.words, Random(bits)
    assert fingerprints is not None
    assert sum(fingerprints.bits) == bits
    text, library = tmp_path / "some.c", tmp_path / "some.so"
    text.write_text(emitted.program.model + FINGERPRINTED)
    command = ["cc", "-std=gnu11", "-O1", "-fwrapv", "-w", "-shared", "-fPIC", *SANITISED, "-I", str(RUNTIME)]
    subprocess.run([*command, "-o", str(library), str(text)], check=True)
    function = ctypes.CDLL(str(library)).fingerprint
    for _ in range(100):
        numbers = [random.getrandbits(64) for _ in fingerprints.coefficients(words)]
        state = [random.getrandbits(64) for _ in range(words)]
        out = (ctypes.c_uint64 * len(fingerprints.bits))()
        function((ctypes.c_uint64 * len(numbers))(*numbers), (ctypes.c_uint64 * words)(*state), out)
        assert [*out] == [_upper_part(numbers, state, k, width) for k, width in enumerate(fingerprints.bits)]


def _upper_part(numbers: Sequence[int], state: Sequence[int], part: int, width: int) -> int:
    wide = [low | high << 64 for low, high in zip(numbers[::2], numbers[1::2], strict=True)]
    own = wide[part * (len(state) + 1) :][: len(state) + 1]
    total = own[-1] + sum(a * x for a, x in zip(own[:-1], state, strict=True))
    return (total % 2**128) >> (128 - width)


def test_coefficients_are_drawn_for_each_search() -> None:
    """Else who writes models could make states collide."""
    fingerprints = Emission(model_of(WIDE), fingerprint=96).emit().fingerprints
    assert fingerprints is not None
    assert fingerprints.coefficients(3) != fingerprints.coefficients(3)
