"""What the documents say is true: every block of every page is run, or checked as far as its language allows.

A block says what it is behind its opening fence. There is no other way to show code or commands:

``console``
    Lines that begin with ``$ `` are commands, run one after the other in a fresh directory that has the folders of the
    repository, so that the files they make go there; what follows, up to the next command, is the expected output,
    errors included. ``…`` stands for anything: within a line for any text, as a line of its own for any number of
    lines. A command may fail only if the error is shown.
``python``
    A program that runs by itself in such a directory.
``seq``, ``csp``, ``rebeca``, ``diagram``, ``regular``, ``property``
    A whole model, which can be loaded. Or, with ``title="examples/…"``, lines of that file: comments, empty lines and
    indentation do not count, and a line ``…`` stands for lines left out.
``promela``, ``murphi``, ``tla``
    A model for another tool, shown for comparison: read by Spin and Rumur where these are installed.
``usage``
    Forms of commands: commands and options exist.
``make``
    Commands that set up an environment or take long: the targets exist.
``ebnf``
    A grammar: every name is defined, and every definition used.
``json``
    A JSON text.
``yaml``
    Settings of a server: the commands in it exist.
``text``
    A picture made of characters, without commands.

Pages that ``docs/generate.py`` writes are left out: `test_generated_pages` compares them with what it would write.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from markdown_pages import ROOT, WRITTEN, Block, blocks_of, name_of, prose_of, spans_of

import burnside
from burnside.cli.main import main, whole_parser
from burnside.frontends.cspsharp.read import lexicon as cspsharp
from burnside.frontends.diagram import lexicon as diagram
from burnside.frontends.loading import load_tasks
from burnside.frontends.rebeca.read import lexicon as rebeca
from burnside.frontends.seq import lexicon as seq
from burnside.regular.formats import load_system
from burnside.regular.formats.expressions import RESERVED
from burnside.regular.formats.regular import KINDS
from burnside.source import Source

ANYTHING = "…"
# A command of ours without characters that need a shell; what asks for its exit code or explains it may follow.
OURS = re.compile(r"""(?P<command>burnside [^|<>;&$*?~`#\n]*)(?P<code>; echo "exit code \$\?")?(?:(?<= )\#.*)?""")
FOLDERS = ("examples", "tests")
BLOCKS = [block for page in WRITTEN for block in blocks_of(page)]
MODELS = ("seq", "csp", "rebeca", "diagram")
PARSER = whole_parser()


def run(command: str | list[str], directory: Path) -> subprocess.CompletedProcess[str]:
    """A command, run where the folders of the repository are; the output has the errors."""
    for folder in FOLDERS:
        if not (directory / folder).exists():
            (directory / folder).symlink_to(ROOT / folder)
    settings = {"COLUMNS": "100", "PYTHONIOENCODING": "utf-8"}
    ours = OURS.fullmatch(command) if isinstance(command, str) else None
    if ours is not None:
        return run_here(shlex.split(ours["command"]), directory, settings, asks_for_code=bool(ours["code"]))
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        command,
        shell=isinstance(command, str),
        cwd=directory,
        env={**os.environ, "PATH": path, **settings},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=120,
    )


def run_here(
    words: list[str], directory: Path, settings: dict[str, str], *, asks_for_code: bool
) -> subprocess.CompletedProcess[str]:
    """The same for a command that needs no shell: most of the time of a process goes into its start."""
    output = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with pytest.MonkeyPatch.context() as patched, redirect_stdout(output), redirect_stderr(output):
        patched.chdir(directory)
        for name, value in settings.items():
            patched.setenv(name, value)
        try:
            code = main(words[1:])
        except SystemExit as end:
            code = int(end.code or 0)
    said = output.buffer.getvalue().decode()
    if asks_for_code:
        return subprocess.CompletedProcess(words, 0, f"{said}exit code {code}\n")
    return subprocess.CompletedProcess(words, code, said)


# ---------------------------------------------------------------- commands


def commands(block: str) -> Iterator[tuple[str, list[str]]]:
    """The commands of a console block with the lines they should print."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output.rstrip("\n").split("\n") if output.strip("\n") else []


def pattern_of(lines: list[str]) -> str:
    """A regular expression for an expected output."""
    parts = []
    for line in lines:
        if line.strip() == ANYTHING:
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            parts.append(".*?".join(map(re.escape, line.rstrip().split(ANYTHING))) + r"[ ]*\n")
    return "".join(parts)


def check_console(block: Block, directory: Path) -> None:
    """Every command prints what is shown, as far as the document says."""
    assert block.text.startswith("$ ")
    for command, expected in commands(block.text):
        done = run(command, directory)
        output = done.stdout.rstrip("\n")
        if not re.fullmatch(pattern_of(expected), output + "\n" if output else ""):
            assert output.splitlines() == expected, command  # to show where they differ
        assert done.returncode in (0, 1) or re.search(r"^(error|burnside:)", "\n".join(expected), re.MULTILINE), output


def check_python(block: Block, directory: Path) -> None:
    """The block runs by itself."""
    done = run([sys.executable, "-c", block.text], directory)

    assert done.returncode == 0, done.stdout


def parsers_of(form: str) -> list[argparse.ArgumentParser]:
    """The parsers of the commands that a form such as ``burnside pattern check|find FILE`` is about."""
    found = [PARSER]
    for word in form.split()[1:]:
        actions = (a for parser in found for a in parser._actions if isinstance(a, argparse._SubParsersAction))
        choices = {name: parser for action in actions for name, parser in action.choices.items()}
        if not choices or word.startswith(("-", "[")) or word == "COMMAND":
            break
        assert set(word.split("|")) <= set(choices), f"'{word}' in '{form}' is no command"
        found = [choices[name] for name in word.split("|")]
    return found


def options_of(parsers: list[argparse.ArgumentParser]) -> set[str]:
    """The options of some commands."""
    return {option for parser in parsers for option in parser._option_string_actions}


def check_form(form: str) -> None:
    """The commands and options in a line that begins with ``burnside`` exist."""
    known = options_of(parsers_of(form))
    for option in re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", form):
        assert option in known or option[:2] in known - {"--"}, f"'{option}' in '{form}' is no option"


def check_usage(block: Block, directory: Path) -> None:  # noqa: ARG001
    """Every line is a form of a command."""
    for line in block.text.splitlines():
        assert line.startswith("burnside ")
        check_form(line)


def check_make(block: Block, directory: Path) -> None:  # noqa: ARG001
    """Every line names a target of the Makefile."""
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for line in block.text.splitlines():
        command = re.fullmatch(r"make ([\w-]+)(?: +#.*)?", line)
        assert command and command[1] in targets, line


# ---------------------------------------------------------------- models


def essence(text: str) -> list[str]:
    """The lines of a model without comments, indentation and empty lines."""
    lines = (" ".join(re.sub(r"//.*", "", line).split()) for line in text.splitlines())
    return [line for line in lines if line]


def is_excerpt(lines: list[str], whole: list[str]) -> bool:
    """Whether lines stand in a text one after the other, apart from those that ``…`` stands for."""
    pattern = pattern_of(lines)
    return re.search(f"^{pattern}", "".join(f"{line}\n" for line in whole), re.MULTILINE) is not None


def check_model(block: Block, directory: Path) -> None:
    """The block is a part of the file in its title, or can be loaded."""
    if block.title:
        assert block.title.startswith("examples/") and block.title.endswith(f".{block.language}")
        assert is_excerpt(essence(block.text), essence((ROOT / block.title).read_text())), block.title
    elif block.language in MODELS:
        path = directory / f"model.{block.language}"
        path.write_text(block.text)
        load_tasks(path, {})
    else:
        assert block.language == "regular", "a title has to say which file this is taken from"
        load_system(Source("model.regular", block.text))


def reader(suffix: str, *command: str) -> Callable[[Block, Path], None]:
    """A check by another tool, for files with its suffix."""

    def check(block: Block, directory: Path) -> None:
        if shutil.which(command[0]) is None:
            pytest.skip(f"{command[0]} is not installed")
        (directory / f"model.{suffix}").write_text(block.text)
        done = run([*command, f"model.{suffix}"], directory)
        assert done.returncode == 0, done.stdout

    return check


def check_module(block: Block, directory: Path) -> None:  # noqa: ARG001
    """The block is a whole module; no tool is asked, for want of one that is a single command."""
    assert re.fullmatch(r"-{4,} MODULE \w+ -{4,}\n.*\n={4,}\n", block.text, re.DOTALL)


# ---------------------------------------------------------------- other texts


def check_grammar(block: Block, directory: Path) -> None:  # noqa: ARG001
    """Every name is defined or a token, and every definition but the first is used."""
    bare = re.sub(r'"[^"]*"|\([A-Za-z][^()|]* [^()|]*\)$', "", block.text, flags=re.MULTILINE)
    defined = re.findall(r"^(\w+) +=", bare, re.MULTILINE)
    used = {word for part in re.split(r"^\w+ +=", bare, flags=re.MULTILINE) for word in re.findall(r"[a-z]\w*", part)}

    assert used <= {*defined, "name", "number", "string"}
    assert set(defined[1:]) <= used
    assert len(defined) == len(set(defined)) == len(re.findall(r" \. *$", bare, re.MULTILINE))


def check_json(block: Block, directory: Path) -> None:  # noqa: ARG001
    """The block can be read."""
    json.loads(block.text)


def check_settings(block: Block, directory: Path) -> None:  # noqa: ARG001
    """Every line with a command of ours is a form of it."""
    forms = re.findall(r"^\s*- (?:run: )?(burnside .*)$", block.text, re.MULTILINE)
    assert forms
    for form in forms:
        check_form(form.partition(" > ")[0])


def check_picture(block: Block, directory: Path) -> None:  # noqa: ARG001
    """There is nothing to run."""
    assert not re.search(r"^\s*(\$|burnside|make|python|pip)\s", block.text, re.MULTILINE)


CHECKS: dict[str, Callable[[Block, Path], None]] = {
    "console": check_console,
    "python": check_python,
    **dict.fromkeys((*MODELS, "regular", "property"), check_model),
    "promela": reader("pml", "spin", "-a"),
    "murphi": reader("m", "rumur", "--output", "model.c"),
    "tla": check_module,
    "usage": check_usage,
    "make": check_make,
    "ebnf": check_grammar,
    "json": check_json,
    "yaml": check_settings,
    "text": check_picture,
}


@pytest.mark.parametrize("block", [b for b in BLOCKS if b.language in CHECKS], ids=lambda b: f"{b.language}-{b.place}")
def test_a_block_is_right(block: Block, tmp_path: Path) -> None:
    """It does what its language says, see above."""
    CHECKS[block.language](block, tmp_path)


@pytest.mark.parametrize("page", WRITTEN, ids=name_of)
def test_every_block_of_a_page_says_what_it_is(page: Path) -> None:
    """No block without a known language, and no code that is only indented."""
    prose = prose_of(page)

    assert not [(b.place, b.language) for b in blocks_of(page) if b.language not in CHECKS]
    assert "```" not in prose and "~~~" not in prose
    assert not re.search(r"\n\n[ \t]+", prose)


@pytest.mark.parametrize("page", WRITTEN, ids=name_of)
def test_lists_have_an_empty_line_before_them(page: Path) -> None:
    """Else GitHub shows a list, and the site does not."""
    item = re.compile(r"([*-]|\d+\.) ")
    for paragraph in prose_of(page).split("\n\n"):
        first, *others = paragraph.strip("\n").split("\n")
        assert item.match(first) or not any(map(item.match, others)), paragraph


def test_documents_have_blocks_to_run() -> None:
    """The pages are found where they are looked for."""
    places = {block.place.partition(":")[0] for block in BLOCKS if block.language in ("console", "python")}
    pages = ("tutorial", "reference/detect", "theory/actors", "how-to/coming-from-pat", "how-to/add-a-front-end")

    assert {"README.md", *(f"docs/{name}.md" for name in pages)} <= places


@pytest.mark.parametrize(
    ("page", "keywords"),
    [
        ("seq", frozenset(seq.KEYWORDS)),
        ("cspsharp", frozenset(cspsharp.KEYWORDS)),
        ("diagram", frozenset(diagram.KEYWORDS)),
        ("rebeca", frozenset(rebeca.KEYWORDS)),
        ("regular", RESERVED | set(KINDS)),
    ],
)
def test_grammars_have_every_keyword(page: str, keywords: frozenset[str]) -> None:
    """And the page on the ``.seq`` language lists all of them."""
    path = ROOT / "docs" / "reference" / f"{page}.md"
    (grammar,) = (block.text for block in blocks_of(path) if block.language == "ebnf")
    listed = re.search(r"The keywords are `([^`]*)`", path.read_text())

    assert keywords <= set(re.findall(r'"(\w+)"', grammar))
    assert listed is None or set(listed[1].split()) == keywords


def test_the_table_of_options_is_complete() -> None:
    """It says which commands have which options; ``pattern`` and ``bench`` have pages of their own."""
    listed: dict[str, set[str]] = {}
    text = (ROOT / "docs" / "reference" / "cli.md").read_text()
    for options, commands_of in re.findall(r"^\| (`-.*?) \| (`.*?) \|", text, re.MULTILINE):
        for option in re.findall(r"`(--?[\w-]+)", options):
            listed[option] = set(re.findall(r"`(\w+)`", commands_of))
    known: dict[str, set[str]] = {}
    for name in _commands():
        if name.split()[0] not in ("pattern", "bench"):
            for option in options_of(parsers_of(f"burnside {name}")) - {"-h", "--help", "--output"}:
                known.setdefault(option, set()).add(name)

    assert listed == known


# ---------------------------------------------------------------- prose

OPTIONS_OF_OTHERS = {"--set-capacity"}
PLACEHOLDERS = re.compile(r"NAME|mine|…|\*")


@pytest.mark.parametrize("page", WRITTEN, ids=name_of)
def test_commands_options_and_paths_in_prose_exist(page: Path) -> None:
    """What stands between backquotes: ``burnside COMMAND …``, ``--option …`` and files of the repository."""
    every = OPTIONS | OPTIONS_OF_OTHERS
    for span in spans_of(page):
        if span.startswith("burnside "):
            check_form(span)
        elif span.startswith("--") and span != "--":
            assert re.split(r"[ =]", span)[0] in every, span
        elif re.match(r"(src|tests|docs|examples|benchmarks)/", span) and not PLACEHOLDERS.search(span):
            assert _file(span.split()[0]).exists(), span


def _file(path: str) -> Path:
    inside = path.removeprefix("src/burnside/")
    return ROOT / path if inside == path else Path(burnside.__file__).parent / inside


def _commands() -> Iterator[str]:
    for action in PARSER._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices
    yield from ("pattern check", "pattern find", "pattern image")


OPTIONS = options_of([parser for name in _commands() for parser in parsers_of(f"burnside {name}")])


# ---------------------------------------------------------------- the tests above would notice


@pytest.mark.parametrize(
    ("expected", "output", "fits"),
    [
        (["a", "b"], "a\nb\n", True),
        (["a", "b"], "a\nc\n", False),
        (["time  …", "b"], "time  0.1 s\nb\n", True),
        (["a … c"], "a b\n", False),
        (["a", "…", "d"], "a\nb\nc\nd\n", True),
        (["a", "…", "d"], "a\nd\n", True),
        (["a", "…", "d"], "a\nb\nc\n", False),
        ([], "", True),
        ([], "a\n", False),
    ],
)
def test_dots_stand_for_anything(expected: list[str], output: str, fits: bool) -> None:
    """A wrong output is noticed."""
    assert (re.fullmatch(pattern_of(expected), output) is not None) is fits


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("console", "$ echo a\nb\n"),
        ("console", "echo a\n"),
        ("console", "$ burnside count examples/tutorial/queue_lock.seq -D M=2\n…\n"),
        ("python", "import burnsidee\n"),
        ("seq", "var x: 0..1;\nrule r when y == 0 do { }\n"),
        ("csp", "P() = a -> Q();\n"),
        ("regular", "alphabet { a }\naction s = b/a;\n"),
        ("property", "property { }\n"),
        ("usage", "burnside chek MODEL\n"),
        ("usage", "burnside check MODEL [--symetry none]\n"),
        ("make", "make tests\n"),
        ("ebnf", 'a = "x" b .\n'),
        ("ebnf", 'a = "x" .\nb = "y" .\n'),
        ("json", "{'a': 1}\n"),
        ("yaml", "steps:\n  - run: burnside chek\n"),
        ("text", "$ burnside check\n"),
    ],
)
def test_a_wrong_block_is_noticed(language: str, text: str, tmp_path: Path) -> None:
    """Each check can fail."""
    with pytest.raises(Exception):  # noqa: B017
        CHECKS[language](Block("here", language, "", text), tmp_path)


def test_lines_that_are_not_in_the_file_are_noticed(tmp_path: Path) -> None:
    """An excerpt is one of the file in the title."""
    title = "examples/tutorial/broken_lock.seq"
    check_model(Block("here", "seq", title, "const N = 3;\n…\nvar locked: bool = false;\n"), tmp_path)

    with pytest.raises(AssertionError):
        check_model(Block("here", "seq", title, "const N = 3;\nvar locked: bool = false;\n"), tmp_path)
