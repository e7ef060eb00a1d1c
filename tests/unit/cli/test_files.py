"""Files are written whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from burnside.cli.files import write_file


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
