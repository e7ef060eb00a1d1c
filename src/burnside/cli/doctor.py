"""``burnside doctor``."""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, final

from burnside import __version__
from burnside.cli.exits import Exit
from burnside.decide.modes import Mode
from burnside.explore.native.build import BuildError, cache_directory
from burnside.explore.native.run import SearchOptions
from burnside.explore.native.toolchain import find_toolchain
from burnside.frontends.loading import load
from burnside.source import ModelError, printable
from burnside.study import Study

_EXAMPLES = """\
examples:
  burnside doctor
  burnside doctor --json
"""
_NEEDED: Final = {
    "igraph": "symmetries are found with it",
    "numpy": "symmetries are found with it",
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


@final
@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: ``ok``, ``missing`` (an optional part) or ``failed``, and what to do about it."""

    part: str
    status: str
    found: str
    advice: str = ""


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
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run_doctor)


def run_doctor(arguments: argparse.Namespace) -> Exit:
    """Look at everything, print."""
    findings = list(examine())
    works = all(f.status != "failed" for f in findings)
    if arguments.json:
        print(json.dumps({"version": __version__, "works": works, "findings": [asdict(f) for f in findings]}))
    else:
        print("\n".join(_lines(findings)))
    return Exit.DONE if works else Exit.LIMIT


def examine() -> Iterator[Finding]:
    """Everything that can be looked at, in order."""
    yield Finding("burnside", "ok", __version__)
    is_new = sys.version_info >= (3, 11)
    advice = "" if is_new else "Burnside needs Python 3.11 or newer"
    yield Finding("python", "ok" if is_new else "failed", f"{platform.python_version()}, {sys.executable}", advice)
    yield _compiler()
    for name, purpose in _NEEDED.items():
        yield _library(name, "failed", f"{purpose}: pip install {name}")
    for name, purpose in _OPTIONAL.items():
        yield _library(name, "missing", purpose)
    yield _browser()
    yield _cache()
    yield _self_test()


def _compiler() -> Finding:
    try:
        command = find_toolchain().command
    except ModelError as error:
        return Finding("compiler", "failed", "none", "; ".join(n.message for d in error.diagnostics for n in d.notes))
    try:
        done = subprocess.run([*command, "--version"], capture_output=True, timeout=60, check=False)
        version = done.stdout.partition(b"\n")[0].decode(errors="replace")
    except (OSError, subprocess.TimeoutExpired) as error:
        return Finding("compiler", "failed", " ".join(command), f"it cannot be run: {error}")
    return Finding("compiler", "ok", f"{' '.join(command)} ({version})")


def _library(name: str, otherwise: str, advice: str) -> Finding:
    try:
        return Finding(name, "ok", importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return Finding(name, otherwise, "not installed", advice)


def _browser() -> Finding:
    found = next((path for path in map(shutil.which, _BROWSERS) if path), None)
    if found is None:
        return Finding("chromium", "missing", "not found", "any browser shows the pictures that 'burnside draw' makes")
    return Finding("chromium", "ok", found)


def _cache() -> Finding:
    try:
        directory = cache_directory()
    except ModelError as error:
        return Finding("cache", "failed", "none", _cure(error))
    try:
        sizes = [path.stat().st_size for path in directory.glob("*.so")] if directory.exists() else []
    except OSError as error:
        return Finding(
            "cache", "failed", f"{directory}: {error.strerror}", "set BURNSIDE_CACHE to a directory of yours"
        )
    return Finding("cache", "ok", f"{directory} ({len(sizes)} compiled models, {sum(sizes) / (1 << 20):.1f} MB)")


def _self_test() -> Finding:
    """Compile and explore, with and without symmetry, in a cache that is not the user's."""
    start = time.perf_counter()
    try:
        with tempfile.TemporaryDirectory(prefix="burnside-doctor-") as private:
            found = _explore_small_model(Path(private))
    except ModelError as error:
        return Finding("self-test", "failed", "; ".join(d.message for d in error.diagnostics), _cure(error))
    except (BuildError, OSError) as error:
        return Finding("self-test", "failed", str(error)[:2000], "is the compiler able to make shared libraries?")
    if found != (4, 2):
        return Finding("self-test", "failed", f"found {found} states instead of (4, 2)", "please report this as a bug")
    return Finding("self-test", "ok", f"compiled and explored a model in {time.perf_counter() - start:.2f} s")


def _explore_small_model(directory: Path) -> tuple[int, int]:
    path = directory / "lock.seq"
    path.write_text(_SELF_TEST)
    study = Study(load(path), SearchOptions(cache=directory / "cache"))
    plain, reduced = (study.count(mode).exploration.states for mode in (Mode.NONE, Mode.UNIQUE))
    return plain, reduced


def _cure(error: ModelError) -> str:
    return "; ".join(n.message for d in error.diagnostics for n in d.notes) or "please report this as a bug"


def _lines(findings: list[Finding]) -> Iterator[str]:
    width = max(len(f.part) for f in findings)
    for finding in findings:
        yield printable(f"{finding.status:<8} {finding.part:<{width}}  {finding.found}")
        if finding.advice:
            yield printable(f"{'':<8} {'':<{width}}  {finding.advice}")
