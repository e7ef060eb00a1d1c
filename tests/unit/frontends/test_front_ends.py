"""Front ends are chosen by suffix."""

from pathlib import Path

import pytest

from burnside.frontends import FRONT_ENDS, FrontEnd, front_end_for
from burnside.frontends.kit.options import NO_OPTIONS
from burnside.source import ModelError, Source
from nets.texts import place, plain


def test_every_suffix_leads_to_its_front_end() -> None:
    for front_end in FRONT_ENDS:
        for suffix in front_end.suffixes:
            assert front_end_for(Path(f"model{suffix}")) is front_end


def test_no_suffix_belongs_to_two_front_ends() -> None:
    suffixes = [suffix for front_end in FRONT_ENDS for suffix in front_end.suffixes]

    assert len(suffixes) == len(set(suffixes))


def complaint(path: Path) -> tuple[str, str, str]:
    """Code, message and help of the diagnostic about a file that no front end reads."""
    with pytest.raises(ModelError) as raised:
        front_end_for(path)
    (diagnostic,) = raised.value.diagnostics
    return diagnostic.code, diagnostic.message, " ".join(note.message for note in diagnostic.notes)


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("model.tla", "known are .seq"),
        ("model", "known are .seq"),
        ("model.regular", "burnside pattern"),
        ("model.property", ".rebeca"),
    ],
)
def test_an_unknown_suffix_is_an_error_of_the_user(tmp_path: Path, name: str, remedy: str) -> None:
    (tmp_path / name).write_text("")

    code, _, found = complaint(tmp_path / name)

    assert code == "BUR902"
    assert remedy in found


@pytest.mark.parametrize("name", ["model", "-", "model.regular"])
def test_a_file_that_is_not_there_is_not_blamed_on_its_suffix(tmp_path: Path, name: str) -> None:
    path = tmp_path / name

    assert complaint(path) == ("BUR106", f"cannot read '{path}': No such file or directory", "")


def test_a_directory_is_said_to_be_one(tmp_path: Path) -> None:
    assert complaint(tmp_path) == ("BUR106", f"cannot read '{tmp_path}': Is a directory", "")


CONSTANT = {
    ".seq": "const N = 2; const SIZES = [1, 2]; var x: 0..N;",
    ".csp": "#define N 2; #define SIZES 3; P = a -> P;",
    ".diagram": "const N = 2; const SIZES = [1, 1]; process P = 1..N; classes level = SIZES; local at = {a, b};",
    ".rebeca": "env int N = 2; env int SIZES = 1; reactiveclass A(3) { msgsrv initial() { } } main { A r():(); }",
    ".m": "const N: 2; SIZES: 1; var x: 0 .. N; startstate x := 0; end;",
}
NOTHING = {
    ".seq": "var x: bool;",
    ".csp": "P = a -> P;",
    ".diagram": "process P = 1..2; local at = {a, b};",
    ".rebeca": "reactiveclass A(3) { msgsrv initial() { } } main { A r():(); }",
    ".pnml": plain(place("a")),
    ".m": "var x: boolean; startstate x := true; end;",
}


@pytest.mark.parametrize("front_end", FRONT_ENDS, ids=lambda f: f.name)
def test_every_language_helps_with_constants_in_the_same_way(front_end: FrontEnd) -> None:
    """The closest name, else a list."""
    suffix = front_end.suffixes[0]

    def remedy(text: str, name: str) -> str:
        _, diagnostics, _ = front_end.load(Source(f"model{suffix}", text), {name: 3}, NO_OPTIONS)
        (found,) = diagnostics
        assert found.code == "BUR211"
        return " ".join(note.message for note in found.notes)

    assert remedy(NOTHING[suffix], "N") == "the model has none"
    if suffix not in CONSTANT:  # a language without constants
        return
    assert remedy(CONSTANT[suffix], "n") == "did you mean 'N'?"
    assert remedy(CONSTANT[suffix], "SIZE") == "did you mean 'SIZES'?"
    assert remedy(CONSTANT[suffix], "other").endswith("s are N, SIZES")


@pytest.mark.parametrize("front_end", FRONT_ENDS, ids=lambda f: f.name)
def test_a_byte_order_mark_is_skipped(front_end: FrontEnd) -> None:
    """Editors of Windows write one; places are counted behind it."""
    suffix = front_end.suffixes[0]
    name = f"model{suffix}"

    tasks, _, _ = front_end.load(Source(name, "\ufeff" + NOTHING[suffix]), {}, NO_OPTIONS)
    _, diagnostics, _ = front_end.load(Source(name, "\ufeff)"), {}, NO_OPTIONS)

    assert tasks
    assert str(next(iter(diagnostics)).span) == f"{name}:1:1"
