"""The cache of compiled checkers: keyed by content, written in one step, refused where others may write."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from burnside import cache as caching
from burnside.cache import Cache, cache_directory
from burnside.explore.native import build as building
from burnside.explore.native import toolchain
from burnside.explore.native.build import BuildError, Program
from burnside.explore.native.toolchain import find_toolchain
from burnside.source import ModelError

TEXT = "int answer(void) { return 42 + more(); }\n"
SEARCH = "int more(void) { return 0; }\n"


def program(text: str) -> Program:
    """A model of which not much is asked, and a search for it."""
    return Program(f"int more(void);\n{text}", SEARCH)


@pytest.fixture(autouse=True)
def every_build_tidies(monkeypatch):
    """Instead of some."""
    monkeypatch.setattr(caching, "_ENTRIES_PER_LOOK", 1)


def build(text: str, **options: Any) -> Path:
    """The library of a text."""
    return building.build(program(text), **options)


def is_built(cache: Path) -> bool:
    """Whether a cache has the library of the text."""
    key = building._library_key(program(TEXT), find_toolchain(), ("-O2",))
    return Cache(cache).find(key) is not None


def libraries(cache: Path) -> set[Path]:
    """What a cache has beside searches."""
    return {path for path in everything(cache) if path.suffix != ".o"}


def everything(cache: Path) -> set[Path]:
    """What a cache has, on its shelves and beside them."""
    return {*cache.glob("??/*"), *cache.glob("???*")}


def test_the_same_text_is_compiled_once(tmp_path):
    """A second build finds the library of the first and leaves it as it is."""
    first = build(TEXT, cache=tmp_path)
    node = first.stat().st_ino

    assert build(TEXT, cache=tmp_path) == first
    assert first.stat().st_ino == node
    assert libraries(tmp_path) == {first}
    assert len(everything(tmp_path)) == 2


def test_a_large_cache_loses_what_was_not_used_for_longest(tmp_path, monkeypatch):
    """What was just compiled stays, even if it is too large alone."""
    made = [build(TEXT + "\n" * k, cache=tmp_path) for k in range(4)]
    for age, library in enumerate(made):
        os.utime(library, (age, age))
    assert build(TEXT, cache=tmp_path) == made[0]  # used once more
    (search,) = tmp_path.rglob("*.o")
    room = 4 * made[0].stat().st_size + 2 * search.stat().st_size
    monkeypatch.setattr(caching, "_LARGEST", room)

    newest = build(TEXT + "// new", cache=tmp_path)

    assert libraries(tmp_path) == {made[0], made[3], newest}

    (file := tmp_path / "another-file.so").touch()
    (folder := tmp_path / f"{'0' * 64}-{'0' * 64}.so").mkdir()
    os.mkfifo(pipe := tmp_path / "build-pipe")
    monkeypatch.setattr(caching, "_LARGEST", 1)
    newest = build(TEXT + "// newer", cache=tmp_path)

    assert everything(tmp_path) == {newest, file, folder, pipe}


def test_not_every_build_looks_at_the_whole_cache(tmp_path, monkeypatch):
    """A cache may have thousands of files; digits of the key say whether it is one of the builds that do."""
    looks = []
    monkeypatch.setattr(Cache, "_tidy", lambda _, newest: looks.append(newest))
    first = build(TEXT, cache=tmp_path)
    monkeypatch.setattr(caching, "_ENTRIES_PER_LOOK", 1 << 32)
    second = build(TEXT + "\n", cache=tmp_path)

    assert [made for made in looks if made.suffix == ".so"] == [first] and int(second.name[:8], 16)


def test_text_flags_and_compiler_decide_the_key(tmp_path, monkeypatch):
    """Whatever could change the library changes its name."""
    keys = {
        build(TEXT, cache=tmp_path),
        build(TEXT + "\n", cache=tmp_path),
        build(TEXT, flags=("-O0",), cache=tmp_path),
    }
    wrapper = tmp_path / "my-cc"
    wrapper.write_text(f'#!/bin/sh\nexec {find_toolchain().command[0]} "$@"\n')
    wrapper.chmod(0o755)
    monkeypatch.setenv("CC", str(wrapper))
    keys.add(build(TEXT, cache=tmp_path))

    assert len(keys) == 4


def test_code_that_does_not_compile_leaves_nothing_behind(tmp_path):
    """A failed build is an error of Burnside and leaves no entry and no directory."""
    with pytest.raises(BuildError, match="error"):
        build("this is not C", cache=tmp_path)

    assert not libraries(tmp_path)


def ended(pid: int) -> bool:
    """Whether a process ends within a few seconds."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("killing", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_build_leaves_no_entry_and_no_compiler(killing, tmp_path):
    """A process killed while it compiles leaves no library that a later run could load; a later run tidies up."""
    slow = tmp_path / "slow-cc"
    begun = f'echo $$ > {tmp_path}/pid; printf half > "$2"'
    slow.write_text(f'#!/bin/sh\nwhile [ "$1" != "-o" ]; do shift; done\n{begun}\nsleep 30\n')
    slow.chmod(0o755)
    cache = tmp_path / "cache"
    script = (
        "from pathlib import Path; from burnside.explore.native.build import *;"
        f"build({program(TEXT)!r}, cache=Path({str(cache)!r}))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script], env={**os.environ, "CC": str(slow)}, start_new_session=True
    )
    deadline = time.monotonic() + 20
    while not list(cache.glob("build-*/search.o")) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(killing)
    process.wait()

    assert list(cache.glob("build-*/search.o")), "the build had begun"
    assert not list(cache.rglob("*-*.*"))
    assert ended(int((tmp_path / "pid").read_text())), "the compiler ended with the build"
    for left in cache.iterdir():
        os.utime(left, (0, 0))  # long ago
    assert libraries(cache) != {library := build(TEXT, cache=cache)}
    assert libraries(cache) == {library}, "what was left is removed"


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o707])
def test_a_cache_that_others_may_write_is_refused(mode, tmp_path):
    """A library planted by somebody else would run with the user's rights."""
    cache = tmp_path / "shared"
    cache.mkdir()
    cache.chmod(mode)

    with pytest.raises(ModelError, match="BUR504"):
        build(TEXT, cache=cache)


def test_a_filled_cache_that_others_may_write_is_refused_too(tmp_path):
    """A planted library was once loaded: only a build that had to compile looked at the directory."""
    build(TEXT, cache=tmp_path)
    tmp_path.chmod(0o777)

    with pytest.raises(ModelError, match="BUR504"):
        build(TEXT, cache=tmp_path)


def test_the_cache_is_where_the_environment_says(monkeypatch):
    """``BURNSIDE_CACHE`` first, then ``XDG_CACHE_HOME``, then the home directory."""
    monkeypatch.setenv("BURNSIDE_CACHE", "/one")
    monkeypatch.setenv("XDG_CACHE_HOME", "/two")
    assert cache_directory() == Path("/one")
    monkeypatch.delenv("BURNSIDE_CACHE")
    assert cache_directory() == Path("/two/burnside")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_directory() == Path.home() / ".cache" / "burnside"


def test_no_compiler_is_a_diagnostic(monkeypatch):
    """Without any compiler the user is told which one to install."""
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(toolchain.importlib.util, "find_spec", lambda _: None)

    with pytest.raises(ModelError, match="BUR503"):
        find_toolchain()


def test_a_compiler_that_is_named_but_not_there_is_a_diagnostic(monkeypatch):
    """Another one is not taken in its place."""
    monkeypatch.setenv("CC", "/nowhere/cc")

    with pytest.raises(ModelError, match="BUR503"):
        find_toolchain()


def test_a_compiler_with_half_a_quote_is_a_diagnostic(monkeypatch):
    """It is not a bug of Burnside."""
    monkeypatch.setenv("CC", "cc 'x")

    with pytest.raises(ModelError, match="BUR503"):
        find_toolchain()


def test_the_compiler_may_be_named_with_options(tmp_path, monkeypatch):
    """Which are part of the key."""
    plain = build(TEXT, cache=tmp_path)
    monkeypatch.setenv("CC", f"{find_toolchain().command[0]} -DSOMETHING")

    assert find_toolchain().command[1:] == ("-DSOMETHING",)
    assert build(TEXT, cache=tmp_path) != plain


def test_without_a_home_there_is_no_cache(monkeypatch):
    """Not even a place where it could be; the user is told what to set."""
    monkeypatch.delenv("BURNSIDE_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError("no home")))

    with pytest.raises(ModelError, match="BUR504"):
        cache_directory()


def test_a_cache_that_cannot_be_made_is_a_diagnostic(tmp_path):
    """A file is where the directory should be."""
    (tmp_path / "file").write_text("")

    with pytest.raises(ModelError, match="BUR504"):
        build(TEXT, cache=tmp_path / "file" / "cache")


BROKEN = {
    "refuses": ("#!/bin/sh\necho no licence >&2\nexit 1\n", "no licence"),
    "other alphabets": ("#!/bin/sh\nprintf '\\351t\\351' >&2\nexit 1\n", "�t�"),
    "does nothing": ("#!/bin/sh\n", "it says nothing, and makes nothing"),
    "no program": ("\x7fELF", None),
    "kills itself": ("#!/bin/sh\nkill -KILL $$\n", None),
    "makes no library": ('#!/bin/sh\nwhile [ "$1" != "-o" ]; do shift; done\necho no > "$2"\n', None),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_compiler_that_does_not_work_is_a_diagnostic(kind, tmp_path, monkeypatch):
    """It is not called a bug of Burnside, and nothing is left behind."""
    script, said = BROKEN[kind]
    broken = tmp_path / "broken-cc"
    broken.write_text(script)
    broken.chmod(0o755)
    monkeypatch.setenv("CC", str(broken))
    cache = tmp_path / "cache"

    with pytest.raises(ModelError, match="BUR503") as raised:
        building.load(program(TEXT), cache=cache)

    assert said in (None, raised.value.diagnostics[0].notes[0].message)
    assert not everything(cache)


def test_a_compiler_without_memory_is_not_to_blame(tmp_path, monkeypatch):
    """Nor is the generated text."""
    greedy = tmp_path / "greedy-cc"
    greedy.write_text("#!/bin/sh\necho 'cc1: out of memory allocating 65536 bytes' >&2\nexit 1\n")
    greedy.chmod(0o755)
    monkeypatch.setenv("CC", str(greedy))

    with pytest.raises(MemoryError):
        build(TEXT, cache=tmp_path / "cache")


# ---------------------------------------------------------------- libraries that are not what was compiled


def truncated(library: Path, _: Path) -> None:
    """The first half only."""
    os.truncate(library, library.stat().st_size // 2)


def emptied(library: Path, _: Path) -> None:
    """Nothing at all."""
    library.write_bytes(b"")


def overwritten(library: Path, _: Path) -> None:
    """One bit in the middle, as a failing disk leaves it."""
    content = bytearray(library.read_bytes())
    middle = len(content) // 2
    content[middle] ^= 1
    library.write_bytes(content)


def swapped(library: Path, other: Path) -> None:
    """The library of another text."""
    library.write_bytes(other.read_bytes())


def renamed(library: Path, other: Path) -> None:
    """The library of another text, with that one's proof in its name."""
    key = library.name.partition("-")[0]
    library.unlink()
    (library.parent / f"{key}-{other.name.partition('-')[2]}").write_bytes(other.read_bytes())


def linked(library: Path, other: Path) -> None:
    """A link to a file elsewhere, whose bytes are right."""
    elsewhere = other.parents[2] / "elsewhere.so"
    library.rename(elsewhere)
    library.symlink_to(elsewhere)


def shared(library: Path, _: Path) -> None:
    """Others may write it."""
    library.chmod(0o770)


def piped(library: Path, _: Path) -> None:
    """A pipe, from which nobody can read to the end."""
    library.unlink()
    os.mkfifo(library)


@pytest.mark.parametrize(
    "damage", [truncated, emptied, overwritten, swapped, renamed, linked, shared, piped], ids=lambda f: f.__name__
)
def test_a_library_that_is_not_what_was_compiled_is_made_again(damage, tmp_path):
    """Loading it could end the process, or give the answer to another question."""
    cache = tmp_path / "cache"
    other = build(TEXT.replace("42", "43"), cache=cache)
    damage(build(TEXT, cache=cache), other)

    assert not is_built(cache)
    assert building.load(program(TEXT), cache=cache).answer() == 42
    assert len(libraries(cache)) == 2
    assert is_built(cache)


def test_a_library_of_somebody_else_is_made_again(tmp_path, monkeypatch):
    """Who owns a file can change it whenever they like."""
    library = build(TEXT, cache=tmp_path)
    status = library.stat()
    theirs = os.stat_result([*status[:4], status.st_uid + 1, *status[5:10]])
    with monkeypatch.context() as patched:
        patched.setattr(os, "fstat", lambda _: theirs)
        assert not is_built(tmp_path)

    assert not library.exists()


def test_what_the_compiler_makes_is_ours_alone(tmp_path):
    """Whatever the mask of the user."""
    mask = os.umask(0)
    try:
        library = build(TEXT, cache=tmp_path)
    finally:
        os.umask(mask)

    assert library.stat().st_mode & 0o777 == 0o700


def test_a_build_at_work_is_left_alone(tmp_path):
    """However long it takes."""
    at_work = tmp_path / "build-slow"
    at_work.mkdir()
    os.utime(at_work, (0, 0))
    with caching._locked(at_work) as is_ours:
        assert is_ours
        build(TEXT, cache=tmp_path)

    assert at_work.exists()


def test_a_full_disk_is_a_diagnostic(tmp_path, monkeypatch):
    """The compiler may fail in many ways then."""
    monkeypatch.setattr(building, "_LEAST_ROOM", 1 << 62)

    with pytest.raises(ModelError, match="full disk"):
        build("this is not C", cache=tmp_path)
