"""The CSP# examples: the figures of their ``.seq`` versions, printed and read back."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnside.claims.members import about_states
from burnside.claims.printer import print_task
from burnside.frontends.loading import load as load_file
from burnside.frontends.seq import load as load_seq
from burnside.source import Source
from corpus.headers import Case, cases_of

EXAMPLES = Path(__file__).parents[4] / "examples" / "zhang2013"


def cases(path: Path) -> dict[str, Case]:
    """What an example says about itself, by its constants."""
    return {str(case.constants): case for case in cases_of(path)}


# Systems that carry their configuration in the name here, and take it as a list there.
LISTS = {
    "resource_allocator_223": ("resource_allocator", {"CLASSES": (2, 2, 3)}),
    "three_tier_332": ("three_tier", {"CLIENTS": (3, 3, 2)}),
    "three_tier_333": ("three_tier", {"CLIENTS": (3, 3, 3)}),
    "three_tier_443": ("three_tier", {"CLIENTS": (4, 4, 3)}),
}
TWINS = [p for p in sorted(EXAMPLES.glob("*.csp")) if p.stem in LISTS or p.with_suffix(".seq").exists()]


@pytest.mark.parametrize("path", TWINS, ids=lambda p: p.stem)
def test_an_example_has_the_figures_of_its_twin(path: Path) -> None:
    """The same system in the ``.seq`` language; ``tests/corpus`` finds out that what both say is right."""
    stem, constants = LISTS.get(path.stem, (path.stem, None))
    there = cases(EXAMPLES / f"{stem}.seq")
    here = cases(path) if constants is None else {str(constants): cases_of(path)[0]}
    shared = here.keys() & there.keys()

    assert shared
    for key in shared:
        ours, others = here[key].figures, there[key].figures
        # What starts anywhere here may need a step to get there, and what ends is a deadlock in one of them only.
        for name in ("states", "transitions", "order", "orbits"):
            assert ours.get(name) == others.get(name), name


@pytest.mark.parametrize("path", sorted(EXAMPLES.parent.glob("*/*.csp")), ids=lambda p: p.stem)
def test_an_example_can_be_printed_and_read_back(path: Path) -> None:
    """With its own constants."""
    task = load_file(path)

    (again,), diagnostics, _ = load_seq(Source("printed", print_task(task)), {})

    assert not list(diagnostics)
    assert again.model == task.model
    # Atoms of formulas have other names there.
    assert about_states(again.members) == about_states(task.members)
    assert [claim.name for claim in again.claims] == [claim.name for claim in task.claims]
