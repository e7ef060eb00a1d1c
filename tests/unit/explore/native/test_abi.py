"""Records that Python and C share: where the two disagree, nothing is compiled, and the message says where."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

from burnside.explore.native import abi
from burnside.explore.native.build import BuildError
from burnside.explore.native.run import SearchOptions, explore
from support.tiny_models import tiny_model

Fields = list[tuple[str, type]]


def with_a_field_more(fields: Fields) -> Fields:
    """Behind all others."""
    return [*fields, ("more", ctypes.c_uint64)]


def with_two_exchanged(fields: Fields) -> Fields:
    """The first two, of which C has others."""
    return [fields[1], fields[0], *fields[2:]]


def with_one_narrower(fields: Fields) -> Fields:
    """The last one, which padding may hide."""
    return [*fields[:-1], (fields[-1][0], ctypes.c_uint8)]


def with_one_renamed(fields: Fields) -> Fields:
    """The first one."""
    return [("other", fields[0][1]), *fields[1:]]


def refusal(cache: Path) -> str:
    """What the compiler says about a search."""
    with pytest.raises(BuildError) as refused:
        explore(tiny_model(2), options=SearchOptions(flags=("-O0",), cache=cache))
    return str(refused.value)


@pytest.mark.parametrize("change", [with_a_field_more, with_two_exchanged, with_one_narrower, with_one_renamed])
@pytest.mark.parametrize("name", abi.RECORDS)
def test_a_record_that_differs_is_refused(name, change, tmp_path, monkeypatch):
    """Whatever differs, and whether or not the search at hand uses the record."""
    changed = type("Changed", (ctypes.Structure,), {"_fields_": change(list(abi.RECORDS[name]._fields_))})
    monkeypatch.setitem(abi.RECORDS, name, changed)

    assert f"struct {name}" in refusal(tmp_path)


def test_a_number_that_differs_is_refused(tmp_path, monkeypatch):
    """Reasons to stop are numbers on both sides."""
    monkeypatch.setattr(abi, "NO_LABEL", 7)

    assert "NO_LABEL is another number in explore/native/abi.py" in refusal(tmp_path)
