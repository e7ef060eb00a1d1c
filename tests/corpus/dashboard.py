"""The corpus as a page of the documentation: which models there are, what is right about them, how they are asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from corpus.configurations import CONFIGURATIONS
from corpus.headers import FAIRNESS, FIGURES, ROOT, Case, announced_by, cases_of, models_in

MODELS = ROOT / "tests" / "corpus" / "models"
EXAMPLES = ROOT / "examples"

HEAD = """\
# The corpus

<!-- Made by docs/generate.py from the headers of the models. Do not edit. -->

Models that say what is right about them, in lines that begin with `//!`; `tests/corpus` asks each of them in every
configuration below, and by the reference semantics if it is small. `tests/corpus/headers.py` says how the lines are
written. *Annotated* is what the adaptive search stores. Rows in *italics* are for the long run, `make test-all`.
"""


def corpus_page() -> str:
    """The page."""
    parts = [HEAD, "## Configurations", "", "| configuration | threads | when |", "|---|---|---|"]
    parts += [f"| {c.name} | {c.threads} | {'make test-all' if c.is_slow else 'make test'} |" for c in CONFIGURATIONS]
    parts += ["", "## Examples", "", *_figures(EXAMPLES), "", "### Under each kind of fairness", ""]
    parts += [
        *_fairness(EXAMPLES),
        "",
        "### At every size",
        "",
        *_patterns(EXAMPLES),
        "",
        "## Small models that once were hard",
        "",
        *_answers(MODELS),
    ]
    parts += ["", "## Diagnostics", "", *_diagnostics(), ""]
    return "\n".join(parts)


def _cases(folder: Path) -> Iterator[Case]:
    return (case for path in models_in(folder) for case in cases_of(path))


def _figures(folder: Path) -> Iterator[str]:
    yield f"| model | constants | {' | '.join(FIGURES)} | claims |"
    yield f"|---|---|{'--:|' * len(FIGURES)}---|"
    for case in _cases(folder):
        if case.figures:
            figures = (f"{case.figures[name]:,}" if name in case.figures else "" for name in FIGURES)
            model = f"*{_model(case)}*" if case.is_slow else _model(case)
            yield f"| {model} | {case.words} | {' | '.join(figures)} | {_verdicts(case)} |"


def _verdicts(case: Case) -> str:
    return ", ".join(f"{name} {verdict}" for name, (verdict, _) in case.verdicts.items())


def _model(case: Case) -> str:
    return case.path.relative_to(EXAMPLES).as_posix()


def _fairness(folder: Path) -> Iterator[str]:
    yield f"| model | constants | claim | {' | '.join(f.value for f in FAIRNESS)} |"
    yield f"|---|---|---|{'---|' * len(FAIRNESS)}"
    for case in _cases(folder):
        for claim, signs in case.fairness.items():
            verdicts = " | ".join("holds" if sign == "+" else "violated" for sign in signs)
            yield f"| {_model(case)} | {case.words} | {claim} | {verdicts} |"


def _patterns(folder: Path) -> Iterator[str]:
    yield "| system | symmetries of the library |"
    yield "|---|---|"
    for case in _cases(folder):
        if case.patterns is not None:
            yield f"| {_model(case)} | {', '.join(case.patterns) or 'none'} |"


def _answers(folder: Path) -> Iterator[str]:
    yield "| model | figures | claims |"
    yield "|---|---|---|"
    for case in _cases(folder):
        figures = ", ".join(f"{name} {value:,}" for name, value in case.figures.items())
        fault = [] if case.fault is None else [f"fault after {case.fault}"]
        verdicts = ", ".join(filter(None, (_verdicts(case), *fault)))
        yield f"| {case.path.stem.replace('_', ' ')} ({case.path.suffix}) | {figures} | {verdicts} |"


def _diagnostics() -> Iterator[str]:
    files: Counter[tuple[str, str]] = Counter()
    for path in models_in(ROOT / "tests"):
        files.update({(announced.code, path.suffix) for announced in announced_by(path)})
    suffixes = sorted({suffix for _, suffix in files})
    yield f"Wrong models that announce a [code](diagnostics.md), by language: {', '.join(suffixes)}."
    yield ""
    yield f"| code | {' | '.join(suffixes)} |"
    yield f"|---|{'--:|' * len(suffixes)}"
    for code in sorted({code for code, _ in files}):
        yield f"| {code} | {' | '.join(str(files[code, suffix] or '') for suffix in suffixes)} |"
