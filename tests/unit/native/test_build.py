"""The cache of compiled checkers: keyed by content, written in one step, refused where others may write."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from burnside.explore.native import build as building
from burnside.explore.native.build import BuildError, build, cache_directory, find_toolchain
from burnside.source import ModelError

TEXT = "int answer(void) { return 42; }\n"


def test_the_same_text_is_compiled_once(tmp_path):
    """A second build finds the library of the first and leaves it as it is."""
    first = build(TEXT, cache=tmp_path)
    node = first.stat().st_ino

    assert build(TEXT, cache=tmp_path) == first
    assert first.stat().st_ino == node
    assert [p.name for p in tmp_path.iterdir()] == [first.name]


def test_a_large_cache_loses_what_was_not_used_for_longest(tmp_path, monkeypatch):
    """What was just compiled stays, even if it is too large alone."""
    libraries = [build(TEXT + "\n" * k, cache=tmp_path) for k in range(4)]
    for age, library in enumerate(libraries):
        os.utime(library, (age, age))
    assert build(TEXT, cache=tmp_path) == libraries[0]  # used once more
    monkeypatch.setattr(building, "_LARGEST_CACHE", 4 * libraries[0].stat().st_size)

    newest = build(TEXT + "// new", cache=tmp_path)

    assert {*tmp_path.iterdir()} == {libraries[0], libraries[3], newest}

    monkeypatch.setattr(building, "_LARGEST_CACHE", 1)
    newest = build(TEXT + "// newer", cache=tmp_path)

    assert [*tmp_path.iterdir()] == [newest]


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

    assert list(tmp_path.iterdir()) == []


def test_a_killed_build_leaves_no_entry(tmp_path):
    """A process killed while it compiles leaves no library that a later run could load."""
    slow = tmp_path / "slow-cc"
    slow.write_text('#!/bin/sh\nwhile [ "$1" != "-o" ]; do shift; done\nprintf half > "$2"\nsleep 30\n')
    slow.chmod(0o755)
    cache = tmp_path / "cache"
    script = (
        "from pathlib import Path; from burnside.explore.native.build import build;"
        f"build({TEXT!r}, cache=Path({str(cache)!r}))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script], env={**os.environ, "CC": str(slow)}, start_new_session=True
    )
    deadline = time.monotonic() + 20
    while not list(cache.glob("build-*/model.so")) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()

    assert list(cache.glob("build-*/model.so")), "the build had begun"
    assert not list(cache.glob("*.so"))
    assert build(TEXT, cache=cache).stat().st_size > 100


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
    monkeypatch.setattr(building.importlib.util, "find_spec", lambda _: None)

    with pytest.raises(ModelError, match="BUR503"):
        find_toolchain()


def test_a_compiler_that_is_named_but_not_there_is_a_diagnostic(monkeypatch):
    """Another one is not taken in its place."""
    monkeypatch.setenv("CC", "/nowhere/cc")

    with pytest.raises(ModelError, match="BUR503"):
        find_toolchain()


def test_the_compiler_may_be_named_with_options(tmp_path, monkeypatch):
    """Which are part of the key."""
    plain = build(TEXT, cache=tmp_path)
    monkeypatch.setenv("CC", f"{find_toolchain().command[0]} -DSOMETHING")

    assert find_toolchain().command[1:] == ("-DSOMETHING",)
    assert build(TEXT, cache=tmp_path) != plain


def test_a_cache_that_cannot_be_made_is_a_diagnostic(tmp_path):
    """A file is where the directory should be."""
    (tmp_path / "file").write_text("")

    with pytest.raises(ModelError, match="BUR504"):
        build(TEXT, cache=tmp_path / "file" / "cache")


def test_a_compiler_that_does_not_work_is_a_diagnostic(tmp_path, monkeypatch):
    """It is not called a bug of Burnside, and nothing is left behind."""
    broken = tmp_path / "broken-cc"
    broken.write_text("#!/bin/sh\necho no licence >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("CC", str(broken))
    cache = tmp_path / "cache"

    with pytest.raises(ModelError, match="BUR503") as raised:
        build(TEXT, cache=cache)

    assert raised.value.diagnostics[0].notes[0].message == "no licence"
    assert not [*cache.iterdir()]


def test_a_full_disk_is_a_diagnostic(tmp_path, monkeypatch):
    """The compiler may fail in many ways then."""
    monkeypatch.setattr(building, "_LEAST_ROOM", 1 << 62)

    with pytest.raises(ModelError, match="full disk"):
        build("this is not C", cache=tmp_path)
