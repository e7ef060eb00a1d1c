"""Front ends are chosen by suffix."""

from pathlib import Path

import pytest

from burnside.frontends import FRONT_ENDS, front_end_for
from burnside.source import ModelError


def test_every_suffix_leads_to_its_front_end() -> None:
    for front_end in FRONT_ENDS:
        for suffix in front_end.suffixes:
            assert front_end_for(Path(f"model{suffix}")) is front_end


def test_no_suffix_belongs_to_two_front_ends() -> None:
    suffixes = [suffix for front_end in FRONT_ENDS for suffix in front_end.suffixes]

    assert len(suffixes) == len(set(suffixes))


@pytest.mark.parametrize("name", ["model.tla", "model"])
def test_an_unknown_suffix_is_an_error_of_the_user(name: str) -> None:
    with pytest.raises(ModelError) as raised:
        front_end_for(Path(name))

    assert [d.code for d in raised.value.diagnostics] == ["BUR902"]
