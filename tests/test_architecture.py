"""The shape of the project: who imports whom, who prints, how large modules are, what things are called."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

import burnside
from burnside.source.codes import CODES

ROOT = Path(__file__).parents[1]
SRC = Path(burnside.__file__).parent
# An installed package carries the examples with it.
MODULES = sorted(path for path in SRC.rglob("*.py") if "resources_" not in path.parts)
CODE_PAGE = ROOT / "docs" / "reference" / "diagnostics.md"

MOST_LINES = 400
BANNED = ("Manager", "Helper", "Util", "Base", "Impl", "Handler", "Data")

# Packages in the order of the stages; each may import those of its row, and itself.
ALLOWED: dict[str, set[str]] = {
    "source": set(),
    "ctext": set(),
    "groups": set(),
    "ltl": set(),
    "ir": {"source"},
    "claims": {"ir", "source", "ltl"},
    "frontends": {"claims", "ir", "source", "ltl"},
    "graph": {"groups"},
    "detect": {"claims", "source", "ir", "graph", "groups", "cache", "__init__"},
    "results": {"claims", "source", "ir", "actors", "detect"},
    "lint": {"claims", "source", "ir", "reduce"},
    "reduce": {"detect", "groups", "ir", "ctext"},
    "explore": {"results", "claims", "reduce", "groups", "ir", "source", "ltl", "ctext", "cache"},
    "live": {"results", "claims", "ltl", "ir", "detect", "explore", "reduce", "groups"},
    "refine": {"results", "claims", "explore", "ir"},
    "actors": {"detect", "groups", "ir", "regular"},
    "adaptive": {"source", "ir"},
    "regular": {"claims", "source", "groups", "ir", "detect", "frontends"},  # of the front ends, only their kit
}
STAGES = {*ALLOWED}
ALLOWED |= {
    "resources": set(),
    "limits": set(),
    "values": set(),
    "cache": {"source"},
    "decide": (STAGES | {"cache"}) - {"frontends", "regular", "actors"},
    "study": {*STAGES, "decide"} - {"frontends"},
    "drawings": {"study", "report", "results"},
    "pages": {"study", "decide", "results", "claims", "frontends", "source", "__init__"},
    "patterns": {*STAGES, "study"},
    "report": {"results", "claims", "source", "ir", "groups", "graph", "detect", "actors"},
    "schemas": {"report", "regular", "bench"},
    "api": {*STAGES, "decide", "study", "report", "drawings", "pages", "patterns", "schemas"},
    "bench": {*STAGES, "decide", "study", "report", "resources"},
    "cli": {
        "study",
        "drawings",
        "pages",
        "patterns",
        "decide",
        "results",
        "report",
        "source",
        "explore",
        "frontends",
        "lint",
        "bench",
        "cache",
    },
    "__init__": {"api"},
    "__main__": {"cli"},
}

# Work of every kind may be ended by a limit, and uses classes of values.
ANYWHERE = {"limits", "values"}

# Modules that name the values of one more stage.
MORE = {
    "cli/check.py": {"claims"},
    "cli/report.py": {"claims"},
    "cli/checkpoints.py": {"claims"},
    "cli/options.py": {"ir", "claims"},
    "cli/loading.py": {"claims"},
    "cli/graphs.py": {"ir"},
    "cli/pattern.py": {"regular", "claims"},
    "report/walk.py": {"explore"},  # a walk goes on while it is shown
    "results/answers.py": {"explore"},
}

# Codes that nothing reports yet: models too large for the native explorer end in other ways.
UNUSED: frozenset[str] = frozenset()


def name_of(module: Path) -> str:
    """A module's path below the package, for messages."""
    return str(module.relative_to(SRC))


def package_of(module: Path) -> str:
    """The stage a module belongs to."""
    return module.relative_to(SRC).parts[0].removesuffix(".py")


@cache
def tree_of(module: Path) -> ast.Module:
    """The syntax of a module."""
    return ast.parse(module.read_text())


def imported(tree: ast.AST) -> set[str]:
    """The packages of ours that a module imports, wherever in the module."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module == "burnside":
            names |= {f"burnside.{alias.name}" for alias in node.names if not alias.name.startswith("__")}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return {name.split(".")[1] for name in names if name.startswith("burnside.")}


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_imports_point_downwards(module):
    """Every import between our packages is one that ALLOWED lists."""
    package = package_of(module)
    used = imported(tree_of(module)) - {package, *ANYWHERE}

    assert used <= ALLOWED[package] | MORE.get(name_of(module), set())


def modules_used(module: Path) -> set[str]:
    """What a module imports from."""
    return {n.module for n in ast.walk(tree_of(module)) if isinstance(n, ast.ImportFrom) and n.module}


@pytest.mark.parametrize("module", sorted((SRC / "frontends").glob("*/**/*.py")), ids=name_of)
def test_front_ends_do_not_import_one_another(module):
    """A language knows the kit and itself; the kit knows no language."""
    own = module.relative_to(SRC / "frontends").parts[0]
    others = {p.name for p in (SRC / "frontends").iterdir() if p.is_dir()} - {own, "kit"}

    assert not [m for m in modules_used(module) for other in others if m.startswith(f"burnside.frontends.{other}")]


# The rooms of the larger front ends, in the order in which a text goes through them.
ROOMS = {
    "cspsharp": ["read", "names", "unfold", "lower"],
    "murphi": ["read", "names", "lower"],
    "rebeca": ["read", "names", "translate", "lower"],
}


@pytest.mark.parametrize(("language", "room"), [(language, room) for language in ROOMS for room in ROOMS[language]])
def test_rooms_of_a_front_end_know_only_those_before(language, room):
    """The names of the rooms give the order."""
    later = ROOMS[language][ROOMS[language].index(room) + 1 :]
    modules = (SRC / "frontends" / language / room).glob("*.py")
    used = {(module.name, used) for module in modules for used in modules_used(module)}

    assert not [u for u in used for other in later if u[1].startswith(f"burnside.frontends.{language}.{other}")]


@pytest.mark.parametrize("module", sorted((SRC / "regular").rglob("*.py")), ids=name_of)
def test_regular_systems_use_only_the_kit_of_the_front_ends(module):
    """Their readers are built like those of models, and know none of them."""
    assert not [m for m in modules_used(module) if m.startswith("burnside.frontends") and ".kit" not in m]


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_only_the_command_line_prints_or_exits(module):
    """Nothing but ``cli`` (and the entry point) prints, reads arguments or ends the process."""
    if package_of(module) in ("cli", "__main__"):
        return
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.Call):
            assert ast.unparse(node.func) not in ("print", "input", "exit", "quit", "sys.exit", "os._exit")
        if isinstance(node, ast.Attribute):
            assert ast.unparse(node) not in ("sys.argv", "sys.stdout", "sys.stderr")
        assert not (isinstance(node, ast.Raise) and node.exc and "SystemExit" in ast.unparse(node.exc))


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_modules_stay_readable(module):
    """No module is a giant, and every module says what it is for."""
    assert len(module.read_text().splitlines()) <= MOST_LINES
    assert ast.get_docstring(tree_of(module))


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_classes_are_called_what_they_are(module):
    """No class is named by a word that fits every class."""
    classes = [node.name for node in ast.walk(tree_of(module)) if isinstance(node, ast.ClassDef)]

    assert not [(c, word) for c in classes for word in BANNED if word in re.findall("[A-Z][a-z]*", c)]


# Classes with options that `values.dataclass` does not have.
STANDARD = {"values.py", "detect/site.py", "reduce/symmetry/images.py"}


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_classes_of_values_cost_nothing_at_the_start(module):
    """They are made by our own decorator, which compiles nothing until it must."""
    imports = (node for node in ast.walk(tree_of(module)) if isinstance(node, ast.ImportFrom))
    is_standard = any(n.module == "dataclasses" and "dataclass" in {a.name for a in n.names} for n in imports)

    assert is_standard is (name_of(module) in STANDARD)


@cache
def used_codes() -> set[str]:
    """Codes of diagnostics that occur anywhere but in their table."""
    texts = (m.read_text() for m in MODULES if m != SRC / "source" / "codes.py")
    return {code for text in texts for code in re.findall(r"BUR\d{3}", text)}


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_diagnostic_code_is_used(code):
    """A code that nothing reports is a promise that nobody keeps."""
    assert (code in used_codes()) is (code not in UNUSED)


def test_every_code_that_is_used_is_listed():
    """The table of codes is complete."""
    assert used_codes() <= CODES.keys()


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_diagnostic_code_is_documented(code):
    """The reference has every code with its title."""
    page = CODE_PAGE.read_text()

    assert code in page
    assert CODES[code] in page
