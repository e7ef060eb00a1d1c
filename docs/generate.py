"""Writes the pages that are made from the code: ``python docs/generate.py``.

``docs/reference/diagnostics.md`` comes from the table of codes and from models that cause each of them; the pages of
tables come from what was measured last. In the pages of `RUNS`, what commands print comes from running them. Tests
check that all is up to date, apart from times.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, final

from burnside.bench import PUBLISHED
from burnside.bench.suite import Suite
from burnside.cache import Cache
from burnside.claims.task import select
from burnside.cli.main import whole_parser
from burnside.decide.modes import Mode
from burnside.explore.checkpoints import Checkpoint
from burnside.explore.native.toolchain import find_toolchain
from burnside.frontends import cspsharp, diagram, rebeca, seq
from burnside.frontends.front_end import Loaded
from burnside.frontends.loading import load
from burnside.ir.cells import Cells
from burnside.ir.initial import initial
from burnside.ir.nodes import Value
from burnside.ir.semantics import Fault, fire
from burnside.lint.run import warnings_about
from burnside.regular import report
from burnside.regular.family import Member
from burnside.regular.family_report import find_in_family
from burnside.regular.formats.read import read_system
from burnside.schemas import COMMANDS, schema
from burnside.source import Diagnostic, ModelError, Source, render
from burnside.source.codes import CODES
from burnside.study import Study

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT))
sys.path.append(str(ROOT / "tests"))
from benchmarks.peers import PEERS  # noqa: E402  (not part of the package)

from corpus.dashboard import corpus_page  # noqa: E402
from corpus.headers import MARK, SUFFIXES, announced_by  # noqa: E402

WRONG = ROOT / "tests" / "corpus" / "wrong"
PAGE = ROOT / "docs" / "reference" / "diagnostics.md"
OPTIONS = ROOT / "docs" / "reference" / "options.md"
TABLES = ROOT / "docs" / "reference" / "benchmarks.md"
RESULTS = ROOT / "benchmarks" / "results.json"
PEER_TABLES = ROOT / "docs" / "reference" / "peers.md"
SCHEMAS = ROOT / "docs" / "reference" / "schemas"
PEER_RESULTS = ROOT / "benchmarks" / "peers.json"
CORPUS = ROOT / "docs" / "reference" / "corpus.md"
RUNS = (ROOT / "docs" / "how-to" / "checking-csp-models.md",)

Cause: TypeAlias = Callable[[str], list[Diagnostic]]

_MOST_LINES = 14
_WIDEST = 120

STAGES = {
    "1": "Syntax",
    "2": "Names and types",
    "3": "Symmetry",
    "4": "Graph and group engines",
    "5": "Exploration",
    "6": "Regular systems",
    "7": "Warnings",
    "9": "Unsupported constructs",
}

HEAD = """\
# Diagnostics

<!-- Made by docs/generate.py from src/burnside/source/codes.py and the models that cause each code. Do not edit. -->

Every diagnostic has a code that stays the same from release to release, a place, an excerpt and, where there is one, a
remedy. Several are shown in one run. Errors end with exit code 3; warnings do not change it. Codes are numbered by
stage: 1xx syntax, 2xx names and types, 3xx symmetry, 4xx graph and group engines, 5xx exploration, 6xx regular
systems, 7xx warnings, 9xx constructs that are not supported; not every stage has codes of its own yet.

A warning is about something that is allowed, true, and probably not what was meant. `// burnside: allow BUR701` at the
end of a line allows it there, on a line by itself on the next one; several codes are separated by commas, and `allow
all` is about every warning. `--allow BUR701` allows it everywhere, `--no-warnings` allows all of them. The warnings 7xx
are about `.seq` models.
"""

# What a code needs to be understood where no example can be shown, or where one is not enough.
REMARKS = {
    "BUR106": "The file does not exist, is not UTF-8, or is larger than 64 MB.",
    "BUR211": "With `-D N=[1,2]`:",
    "BUR212": "With `--property mutx`:",
    "BUR301": "With `--symmetry adaptive`, as for all codes of this section:",
    "BUR304": "A note; the partition is used as it is given.",
    "BUR305": "The edge looks at pairs of processes, and there are too many states to compare.",
    "BUR306": "A note; the answer is right, but there may be more states than necessary.",
    "BUR307": "A note, of every search that looks for symmetries: those that were found are right, but there may be"
    " more. It is not shown where all processes of each kind can be exchanged.",
    "BUR501": "The message is followed by a trace that leads to the fault.",
    "BUR503": "With `CC=no-such-compiler`."
    " Install a C compiler, set `$CC`, or install the `ziglang` wheel (`pip install 'burnside[zig]'`). A"
    " compiler must be able to make shared libraries.",
    "BUR504": "With `BURNSIDE_CACHE=/dev/null/burnside`."
    " The directory of compiled checkers must belong to the user who runs Burnside, be writable by nobody"
    " else, and have room. Name another one in `$BURNSIDE_CACHE`, or remove what is there.",
    "BUR505": "With `burnside resume /dev/null`."
    " What [`--checkpoint`](../how-to/long-runs.md) kept is used only if it is as it was written, by this version, for"
    " this model, and if nobody else uses it. The directory stays as it is.",
    "BUR604": "With `burnside pattern image --pattern p`:",
    "BUR607": "A warning: such a step is left out, as the definition of instances says.",
    "BUR611": "With `burnside pattern image --pattern p`:",
    "BUR612": "A warning, in the older format for symmetry patterns: a condition that soundness needs stays on even if"
    " the file turns it off.",
    "BUR613": "With `burnside pattern image --pattern q`:",
    "BUR614": "With `burnside pattern find model.seq -D N=2..3`:",
    "BUR701": "A [check](../how-to/slicing.md) leaves it out of the states.",
    "BUR703": "Judged by the values that variables can take from their initial values on, as intervals, whatever the"
    " named constants are: `-D` makes others of them, so that they are switches and sizes. Nothing is said of `x > N`,"
    " of a variable `x: 0..N`, of one that begins as `N`, of `i != j` where there are `N` processes, or of"
    " `when BUG && x == 1`.",
    "BUR704": "Judged by declared ranges, and also whatever the named constants are: with `const N = 3;` and `x: 0..N`"
    " nothing would be said of `x <= 3` or `x <= N`.",
    "BUR705": "Judged by declared ranges alone, in the same way.",
    "BUR706": "Nothing ranges over the enumeration, and neither initial values nor the text name the value.",
    "BUR707": "Nothing else does: no order, ring, list of constants, initial value or part of the domain.",
    "BUR902": "For a file called `README.md`:",
}


@final
@dataclass(frozen=True, slots=True)
class Example:
    """A text that causes a diagnostic, and that diagnostic as it is shown."""

    text: str
    shown: str


def main() -> None:
    """Write the pages."""
    PAGE.write_text(diagnostics_page())
    OPTIONS.write_text(options_page())
    TABLES.write_text(benchmarks_page())
    PEER_TABLES.write_text(peers_page())
    SCHEMAS.mkdir(exist_ok=True)
    for command in COMMANDS:
        (SCHEMAS / f"{command.replace(' ', '-')}.json").write_text(schema_text(command))
    CORPUS.write_text(corpus_page())
    for page in RUNS:
        page.write_text(with_output(page.read_text()))


# ---------------------------------------------------------------- options

OPTIONS_HEAD = """\
# Options of every command

<!-- Made by docs/generate.py from the help of the commands. Do not edit. -->

What `burnside COMMAND --help` prints. What options have in common is explained [here](cli.md).
"""


def options_page() -> str:
    """The help of every command."""
    parts = [OPTIONS_HEAD]
    for name, parser in _commands(whole_parser()):
        parts += [f"## {name}", "", "```text", parser.format_help().rstrip(), "```", ""]
    return "\n".join(parts)


def _commands(parser: argparse.ArgumentParser, prefix: str = "") -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                command.formatter_class = functools.partial(command.formatter_class, width=100)
                yield f"{prefix}{name}", command
                yield from _commands(command, f"{prefix}{name} ")


# ---------------------------------------------------------------- schemas


def schema_text(command: str) -> str:
    """The JSON schema of what a command prints."""
    return json.dumps(schema(command), indent=2) + "\n"


# ---------------------------------------------------------------- tables

TABLES_HEAD = """\
# The published tables, run again

<!-- Made by docs/generate.py from benchmarks/results.json. Do not edit. -->

`burnside bench` runs every table of the four papers, and some of our own: the paper's figures stand beside those
measured, and below a table is said where they differ and why. Orders, states and verdicts are asserted by the tests;
times are not, and are those of one run on one machine. `make bench-tables` runs them again and writes
`benchmarks/results.json` and this page.

| option | meaning |
|---|---|
| `TABLE` | run only the tables that are named, such as `burnside bench zhang2013-table1` |
| `--quick` | leave out the rows that take long, and name them |
| `--json` | print one JSON object ([keys](json.md#bench)) instead of text |
| `-o FILE` | also write that object to a file |
| `--plots DIR` | draw what is a figure in its paper, as SVG |
| `--quiet` | show no progress; it goes to standard error, on terminals only |

The exit code is 70 if a row is not as expected. Protocols in other tools are compared [on another page](peers.md).
"""

PEERS_HEAD = """\
# Burnside beside Spin and Rumur

<!-- Made by docs/generate.py from benchmarks/peers.json. Do not edit. -->

The same protocols in three tools, measured one after the other in one go on one machine; what counts are the ratios.
The texts are in `benchmarks/peers`. They are made equal step by step, which shows in equal numbers of states: a run in
which counts or verdicts differ fails. `make bench-peers` runs them again and writes `benchmarks/peers.json` and this
page.
"""


def benchmarks_page() -> str:
    """The page of published tables."""
    return _tables_page(TABLES_HEAD, PUBLISHED, RESULTS)


def peers_page() -> str:
    """The page of comparisons with other tools."""
    return _tables_page(PEERS_HEAD, PEERS, PEER_RESULTS)


def _tables_page(head: str, suite: Suite, path: Path) -> str:
    """Tables as they were measured last, and what is said about them."""
    results = json.loads(path.read_text())
    measured_on = ", ".join(f"{key} {value}" for key, value in results["machine"].items())
    parts = [head, f"Measured with Burnside {results['version']} on: {measured_on}.", ""]
    for name, rows in results["tables"].items():
        table = suite.table(name)
        parts += [f"## {name}", "", f"{table.title}.", "", "```text"]
        parts += [line.rstrip() for line in suite.runners[name].text_lines(iter(rows))]
        parts += ["```", "", *(f"* {remark}" for remark in suite.remarks(table, rows))]
        parts += [f"* Left out: {name}." for name in results["left_out"][name]]
        parts.append("")
    return "\n".join(parts)


# ---------------------------------------------------------------- diagnostics


def diagnostics_page() -> str:
    """The page of diagnostics."""
    sections = [HEAD]
    for number, title in STAGES.items():
        codes = [code for code in sorted(CODES) if code[3] == number]
        sections += [f"## {title}\n", *map(_entry, codes)] if codes else []
    return "\n".join(sections)


def _entry(code: str) -> str:
    lines = [f"### {code}: {CODES[code]}", ""]
    if code in REMARKS:
        lines += [REMARKS[code], ""]
    example = find_example(code)
    if example is not None:
        if _is_short(example.text):
            lines += ["```", example.text.strip("\n"), "```", ""]
        lines += ["```text", example.shown, "```", ""]
    return "\n".join(lines)


def _is_short(text: str) -> bool:
    lines = text.splitlines()
    return 0 < len(lines) <= _MOST_LINES and max(map(len, lines)) <= _WIDEST


# ---------------------------------------------------------------- output of commands

_BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
_TIMES = re.compile(
    r"(?<=^time         ).*$|(?<=, )[\d.]+ s(?=, without symmetry$)|(?<=representatives, )[\d.]+ µs(?= each$)",
    re.MULTILINE,
)


def with_output(text: str) -> str:
    """A page with the output of every command that its console blocks show."""
    return _BLOCK.sub(lambda block: "".join(map(_run, re.findall(r"^\$ (.*)$", block[0], re.MULTILINE))), text)


def without_times(text: str) -> str:
    """A page without what no two runs have in common."""
    return _TIMES.sub("…", text)


def _run(command: str) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(command, shell=True, cwd=ROOT, env=environment, capture_output=True, timeout=300)
    return f"$ {command}\n{done.stderr.decode()}{done.stdout.decode()}"


# ---------------------------------------------------------------- examples


def find_example(code: str) -> Example | None:
    """A text that causes a code: one made for it here, or the shortest wrong model of the tests."""
    if code in MADE:
        text, cause = MADE[code]
        return Example(text, _rendered(cause(text), code))
    for suffix in SUFFIXES:
        for text in sorted(_wrong_models(code, suffix), key=lambda t: (not _is_short(t), len(t), t)):
            return Example(text, _rendered(READERS[suffix](text), code))
    return None


def _wrong_models(code: str, suffix: str) -> Iterator[str]:
    for path in sorted(WRONG.glob(f"*{suffix}")):
        if code in (announced.code for announced in announced_by(path)):
            lines = path.read_text().splitlines()
            yield "\n".join(line for line in lines if not line.startswith(MARK)) + "\n"


def _rendered(diagnostics: list[Diagnostic], code: str) -> str:
    return "\n".join(line.rstrip() for line in render(next(d for d in diagnostics if d.code == code)).splitlines())


def _of_seq(text: str, constants: Mapping[str, Value] | None = None) -> list[Diagnostic]:
    _, diagnostics, _ = seq.load(Source("model.seq", text), constants or {})
    return diagnostics.sorted()


def _of_csp(text: str) -> list[Diagnostic]:
    _, diagnostics, _ = cspsharp.load(Source("model.csp", text), {})
    return diagnostics.sorted()


def _of_diagram(text: str) -> list[Diagnostic]:
    _, diagnostics, _ = diagram.load(Source("model.diagram", text), {})
    return diagnostics.sorted()


def _of_rebeca(text: str) -> list[Diagnostic]:
    _, diagnostics, _ = rebeca.load(Source("model.rebeca", text), {})
    return diagnostics.sorted()


def _adaptively(load: Callable[[Source, Mapping[str, Value]], Loaded], name: str) -> Cause:
    """What adaptive exploration has to say about a model: an error, or remarks."""

    def cause(text: str) -> list[Diagnostic]:
        tasks = load(Source(name, text), {}).tasks
        assert tasks
        try:
            return list(Study(tasks[0]).count(Mode.ADAPTIVE).symmetry.notes)
        except ModelError as error:
            return list(error.diagnostics)

    return cause


def _of_regular(text: str) -> list[Diagnostic]:
    _, diagnostics = read_system(Source("system.regular", text))
    return list(diagnostics)


def _raised(action: Callable[[], object]) -> list[Diagnostic]:
    try:
        action()
    except ModelError as error:
        return list(error.diagnostics)
    raise AssertionError("nothing was wrong")


def _of_compiler(name: str) -> list[Diagnostic]:
    """What is said where ``CC`` names a compiler that is not there."""
    before = os.environ.get("CC")
    os.environ["CC"] = name
    try:
        return _raised(find_toolchain)
    finally:
        os.environ.pop("CC")
        os.environ |= {"CC": before} if before is not None else {}


def _of_property(text: str) -> list[Diagnostic]:
    tasks, _, _ = seq.load(Source("model.seq", text), {})
    assert tasks
    return _raised(lambda: select(tasks, ["mutx"]))


def _of_image(name: str) -> Callable[[str], list[Diagnostic]]:
    def image(text: str) -> list[Diagnostic]:
        system, _ = read_system(Source("system.regular", text))
        assert system is not None
        return _raised(lambda: report.image(system, name, lambda _: {}))

    return image


def _of_family(text: str) -> list[Diagnostic]:
    """The instances for two and three, each without any symmetry of processes."""
    assert not _of_seq(text)
    return _raised(lambda: find_in_family([Member("N=2", 1, {}), Member("N=3", 1, {})]))


def _of_detection(text: str) -> list[Diagnostic]:
    """What detection does not see through."""
    tasks, _, _ = seq.load(Source("model.seq", text), {})
    assert tasks
    return [part.diagnostic() for part in Study(tasks[0]).symmetries().detection.unseen]


def _of_run(text: str) -> list[Diagnostic]:
    """The first fault of the first rule in the first initial state."""
    tasks, _, _ = seq.load(Source("model.seq", text), {})
    assert tasks
    model = tasks[0].model
    outcome = fire(Cells(model), model.rules[0], (), next(initial(model)))
    assert isinstance(outcome, Fault)
    return [Diagnostic("BUR501", outcome.message, outcome.span)]


_READERS = """\
process Client = 1 .. 3;
local at = { N, T, C };
edge try(i):  N -> T;
edge read(i): T -> C when i <= 2 && at[3] != C partition PARTITION;
"""
_PAIRS = """\
process P = 1 .. 14;
local at = { A, B };
edge go(i): A -> B when exists j: exists k: j < k && at[j] == B && at[k] == A
  partition | 1..14 |;
"""
_ALPHABET = "alphabet { a, b }\n"

# What is said about a text, by its language.
READERS: dict[str, Cause] = {
    ".seq": _of_seq,
    ".csp": _of_csp,
    ".rebeca": _of_rebeca,
    ".diagram": _of_diagram,
    ".regular": _of_regular,
}


# Examples that are more than a wrong text: a text, and what causes the diagnostic.
def _warned(text: str) -> list[Diagnostic]:
    return [*warnings_about(seq.load(Source("model.seq", text), {}).tasks)]


_COUNTING = "var x: 0..3;\nrule up when x < 3 do { x := x + 1; }\n"

MADE: dict[str, tuple[str, Cause]] = {
    "BUR106": ("", lambda _: _raised(lambda: load(Path("missing.seq")))),
    "BUR211": ("const N = 3;\nvar x: 0..N;\n", lambda text: _of_seq(text, {"N": (1, 2)})),
    "BUR212": ("var x: 0..3;\ninvariant mutex: x < 4;\n", _of_property),
    "BUR301": ("var x: bool;\nrule flip do { x := !x; }\n", _adaptively(seq.load, "model.seq")),
    "BUR302": (
        "process P = 0 .. 2;\nvar x[P]: bool;\nrule copy(i, j: P) do { x[i] := x[j]; }\n",
        _adaptively(seq.load, "model.seq"),
    ),
    "BUR303": (_READERS.replace("PARTITION", "| 1 | 2..3 |"), _adaptively(diagram.load, "model.diagram")),
    "BUR304": (_READERS.replace("PARTITION", "| 1 | 2 | 3 |"), _adaptively(diagram.load, "model.diagram")),
    "BUR305": (_PAIRS, _adaptively(diagram.load, "model.diagram")),
    "BUR306": (
        "process P = 0 .. 3;\nvar x[P]: 0..999;\nvar y[P]: 0..999;\n"
        "rule up(i: P) when x[i] < y[i] && i != 3 do { x[i] := x[i] + 1; }\n",
        _adaptively(seq.load, "model.seq"),
    ),
    "BUR307": (
        "process P = 0 .. 3;\nvar x[P]: 1..9;\nrule up(i: P) when x[i] < 9 && x[0] * x[1] * x[2] / x[3] < 9"
        " do { x[i] := x[i] + 1; }\n",
        _of_detection,
    ),
    "BUR501": ("var x: 0..3 = 3;\nrule up do { x := x + 1; }\n", _of_run),
    "BUR503": ("", lambda _: _of_compiler("no-such-compiler")),
    "BUR504": ("", lambda _: _raised(lambda: Cache(Path("/dev/null/burnside")))),
    "BUR505": ("", lambda _: _raised(lambda: Checkpoint.open(Path("/dev/null")))),
    "BUR604": (_ALPHABET + "action t = id*;\npattern p = (a/a)*;\n", _of_image("p")),
    "BUR612": (
        "model {\n  systemTransitions { init: s; s -> s a/a; s -> f a/b; loop: f; accepting: f; }\n"
        "  statesGuessing : 1..2;\n  off : automorphism;\n}\n",
        _of_regular,
    ),
    "BUR611": (_ALPHABET + "action t = id* a/b;\npattern p = (a/b | b/a)*;\n", _of_image("p")),
    "BUR613": (_ALPHABET + "action t = id*;\npattern p = id*;\n", _of_image("q")),
    "BUR614": ("const N = 2;\nvar x: 0..N = 0;\nrule up when x < N do { x := x + 1; }\n", _of_family),
    "BUR701": (
        "var x: 0..3;\nvar last: 0..3;\nrule up when x < 3 do { last := x; x := x + 1; }\ninvariant low: x < 3;\n",
        _warned,
    ),
    "BUR702": ("var x: 0..3;\nvar top: 0..3 = 2;\nrule up when x < top do { x := x + 1; }\n", _warned),
    "BUR703": (_COUNTING + "rule down when x > 3 do { x := 0; }\n", _warned),
    "BUR704": ("var x: 0..3;\nrule up when x <= 3 do { x := (x + 1) % 4; }\n", _warned),
    "BUR705": (_COUNTING + "invariant low: x <= 3;\n", _warned),
    "BUR706": (
        "domain Light = { red, green, amber };\nvar x: Light = red;\nrule go when x == red do { x := green; }\n",
        _warned,
    ),
    "BUR707": (
        "process Client = 0 .. 2;\nvar asks[Client]: bool;\n"
        "rule ask(i: Client) when !asks[i] do { asks[i] := true; }\n"
        "rule serve when asks[0] do { asks[0] := false; }\n",
        _warned,
    ),
    "BUR902": ("", lambda _: _raised(lambda: load(ROOT / "README.md"))),
}


if __name__ == "__main__":
    main()
