"""``burnside doctor``."""

from __future__ import annotations

import argparse
import importlib.metadata
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from burnside import __version__
from burnside.cache import cache_directory
from burnside.cli.exits import Exit
from burnside.cli.options import add_format_options
from burnside.decide.modes import Mode
from burnside.explore.native.build import BuildError
from burnside.explore.native.run import SearchOptions
from burnside.explore.native.toolchain import find_toolchain
from burnside.frontends.loading import load
from burnside.report.renderers import formats_of
from burnside.results.answers import Health, Kind, Organ
from burnside.source import ModelError
from burnside.study import Study

_EXAMPLES = """\
examples:
  burnside doctor
  burnside doctor --json
"""
_NEEDED: Final = {
    "igraph": "symmetries are found with it",
    "numpy": "orders of steps and nearly symmetric systems are examined with it",
    "python-sat": "patterns are synthesised with it",
    "rich": "progress is shown with it",
}
_OPTIONAL: Final = {
    "ziglang": "a C compiler where there is none: pip install 'burnside[zig]'",
    "pygraphviz": "for 'burnside draw': pip install 'burnside[draw]'",
    "spottl": "Spot for temporal logic: pip install 'burnside[spot]'",
    "sympy": "a second opinion on groups in tests: pip install 'burnside[test]'",
}
_BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome", "chrome")
_SELF_TEST: Final = """\
process Id = 0 .. 2;
var holds[Id]: bool = false;
rule take(i: Id) when !(exists k in Id: holds[k]) do { holds[i] := true; }
rule give(i: Id) when holds[i] do { holds[i] := false; }
invariant one: forall i, j in Id: holds[i] && holds[j] => i == j;
"""


def add_doctor(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """``burnside doctor``: is everything there, and does it work?"""
    parser = commands.add_parser(
        "doctor",
        help="see whether everything that Burnside needs is there and works",
        description=(
            "Look at the compiler, the libraries and the cache, and compile and explore a small model. Exit code 0: "
            "everything that is needed works; 4: something does not, with advice."
        ),
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_format_options(parser, *formats_of(Kind.HEALTH))
    parser.set_defaults(run=run_doctor)


def run_doctor(arguments: argparse.Namespace) -> Exit:
    """Look at everything, print."""
    health = Health(__version__, tuple(examine()))
    arguments.printer.show(health)
    return Exit.DONE if health.works else Exit.LIMIT


def examine() -> Iterator[Organ]:
    """Everything that can be looked at, in order."""
    yield Organ("burnside", "ok", __version__)
    is_new = sys.version_info >= (3, 11)
    advice = "" if is_new else "Burnside needs Python 3.11 or newer"
    yield Organ("python", "ok" if is_new else "failed", f"{platform.python_version()}, {sys.executable}", advice)
    yield _compiler()
    for name, purpose in _NEEDED.items():
        yield _library(name, "failed", f"{purpose}: pip install {name}")
    for name, purpose in _OPTIONAL.items():
        yield _library(name, "missing", purpose)
    yield _browser()
    yield _cache()
    yield _self_test()


def _compiler() -> Organ:
    try:
        command = find_toolchain().command
    except ModelError as error:
        return Organ("compiler", "failed", "none", "; ".join(n.message for d in error.diagnostics for n in d.notes))
    try:
        done = subprocess.run([*command, "--version"], capture_output=True, timeout=60, check=False)
        version = done.stdout.partition(b"\n")[0].decode(errors="replace")
    except (OSError, subprocess.TimeoutExpired) as error:
        return Organ("compiler", "failed", " ".join(command), f"it cannot be run: {error}")
    return Organ("compiler", "ok", f"{' '.join(command)} ({version})")


def _library(name: str, otherwise: str, advice: str) -> Organ:
    try:
        return Organ(name, "ok", importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return Organ(name, otherwise, "not installed", advice)


def _browser() -> Organ:
    found = next((path for path in map(shutil.which, _BROWSERS) if path), None)
    if found is None:
        return Organ("chromium", "missing", "not found", "any browser shows the pictures that 'burnside draw' makes")
    return Organ("chromium", "ok", found)


def _cache() -> Organ:
    try:
        directory = cache_directory()
    except ModelError as error:
        return Organ("cache", "failed", "none", _cure(error))
    try:
        sizes = [path.stat().st_size for path in directory.glob("*.so")] if directory.exists() else []
    except OSError as error:
        return Organ("cache", "failed", f"{directory}: {error.strerror}", "set BURNSIDE_CACHE to a directory of yours")
    return Organ("cache", "ok", f"{directory} ({len(sizes)} compiled models, {sum(sizes) / (1 << 20):.1f} MB)")


def _self_test() -> Organ:
    """Compile and explore, with and without symmetry, in a cache that is not the user's."""
    start = time.perf_counter()
    try:
        with tempfile.TemporaryDirectory(prefix="burnside-doctor-") as private:
            found = _explore_small_model(Path(private))
    except ModelError as error:
        return Organ("self-test", "failed", "; ".join(d.message for d in error.diagnostics), _cure(error))
    except (BuildError, OSError) as error:
        return Organ("self-test", "failed", str(error)[:2000], "is the compiler able to make shared libraries?")
    if found != (4, 2):
        return Organ("self-test", "failed", f"found {found} states instead of (4, 2)", "please report this as a bug")
    return Organ("self-test", "ok", f"compiled and explored a model in {time.perf_counter() - start:.2f} s")


def _explore_small_model(directory: Path) -> tuple[int, int]:
    path = directory / "lock.seq"
    path.write_text(_SELF_TEST)
    study = Study(load(path), SearchOptions(cache=directory / "cache"))
    plain, reduced = (study.count(mode).exploration.states for mode in (Mode.NONE, Mode.UNIQUE))
    return plain, reduced


def _cure(error: ModelError) -> str:
    return "; ".join(n.message for d in error.diagnostics for n in d.notes) or "please report this as a bug"
