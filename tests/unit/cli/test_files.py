"""Files are written whole or not at all."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from burnside.cli import files
from burnside.cli.files import can_write, write_file, write_files


def test_a_file_appears_when_it_is_complete(tmp_path: Path) -> None:
    """While its parts are made there is none, and nothing else is left afterwards."""
    path = tmp_path / "file.txt"

    def parts() -> Iterator[str]:
        yield "one\n"
        assert not path.exists()
        yield "two\n"

    assert write_file(path, parts())
    assert path.read_text() == "one\ntwo\n"
    assert list(tmp_path.iterdir()) == [path]


def test_what_was_there_stays_if_something_goes_wrong(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_text("before")

    def parts() -> Iterator[str]:
        yield "half"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_file(path, parts())
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("before")
    link.symlink_to(target)

    assert write_file(link, b"after")
    assert link.is_symlink()
    assert target.read_bytes() == b"after"


def test_a_device_is_written_to() -> None:
    assert write_file(Path("/dev/null"), ["anything"])
    assert Path("/dev/null").is_char_device()


def test_a_directory_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert not write_file(tmp_path / "nowhere" / "file", ["anything"])
    assert "cannot write" in capsys.readouterr().err


def test_a_process_that_is_terminated_leaves_nothing(tmp_path: Path) -> None:
    """In the middle of a file."""
    program = """if True:
        import os, pathlib, signal, sys
        from burnside.cli.files import write_file
        def parts():
            yield "half"
            os.kill(os.getpid(), signal.SIGTERM)
            yield "more"
        write_file(pathlib.Path(sys.argv[1]), parts())
    """
    done = subprocess.run([sys.executable, "-c", program, tmp_path / "file.txt"], timeout=60)

    assert done.returncode == 128 + 15
    assert not list(tmp_path.iterdir())


def test_it_can_be_known_beforehand_what_can_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is made for that."""
    (tmp_path / "old").write_text("before")

    assert can_write(None, tmp_path / "new", tmp_path / "old", Path("/dev/null"))
    assert [path.name for path in tmp_path.iterdir()] == ["old"]
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("place", "reason"),
    [("nowhere/file", "No such file or directory"), ("old/file", "Not a directory"), (".", "Is a directory")],
)
def test_what_cannot_be_written_is_named(
    place: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "old").write_text("before")

    assert not can_write(tmp_path / place)
    assert capsys.readouterr().err == f"burnside: cannot write '{tmp_path / place}': {reason}\n"


# ---------------------------------------------------------------- several files


def test_all_files_of_a_directory_appear_together(tmp_path: Path) -> None:
    """In a directory made for them; what else is in it stays."""
    write_files(tmp_path / "a" / "b", {"one": "1", "two": "2"})
    write_files(tmp_path / "a" / "b", {"two": "3"})

    assert {p.name: p.read_text() for p in (tmp_path / "a" / "b").iterdir()} == {"one": "1", "two": "3"}


def test_no_file_of_a_directory_is_left_if_one_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor the directory, if it was made for them; what was there stays as it was."""
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "one").write_text("before")

    def write(path: Path, parts: Iterable[str]) -> None:
        if path.name == "two":
            raise OSError(28, "No space left on device")
        path.write_text("".join(parts))

    monkeypatch.setattr(files, "_write", write)
    for folder in ("old", "new/deep"):
        with pytest.raises(OSError, match="No space"):
            write_files(tmp_path / folder, {"one": "1", "two": "2"})

    assert [*tmp_path.rglob("*")] == [tmp_path / "old", tmp_path / "old" / "one"]
    assert (tmp_path / "old" / "one").read_text() == "before"


def test_a_directory_in_the_way_is_seen_before_anything_is_written(tmp_path: Path) -> None:
    """Or half of the files would be new."""
    (tmp_path / "two").mkdir()

    with pytest.raises(OSError, match="Is a directory"):
        write_files(tmp_path, {"one": "1", "two": "2"})

    assert [*tmp_path.iterdir()] == [tmp_path / "two"]
