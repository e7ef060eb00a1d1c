"""Nets in archives: found by name, and nothing but what is in the archive is read."""

from __future__ import annotations

import gzip
import io
import tarfile
from pathlib import Path

import pytest

from burnside.frontends.loading import ModelFile, load
from burnside.source import ModelError
from nets.texts import place, plain, transition

NET = plain(place("a", 1) + transition("t", {"a": 1}, {})).encode()


def archive(path: Path, *members: tuple[tarfile.TarInfo, bytes]) -> Path:
    """An archive with some members."""
    with tarfile.open(path, "w:gz") as tar:
        for info, content in members:
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return path


def file(name: str, content: bytes = NET) -> tuple[tarfile.TarInfo, bytes]:
    return tarfile.TarInfo(name), content


def refusal(path: Path) -> str:
    with pytest.raises(ModelError) as raised:
        load(path)
    (diagnostic,) = raised.value.diagnostics
    assert diagnostic.code == "BUR106"
    return diagnostic.message


@pytest.mark.parametrize("name", ["model.pnml", "Net/model.pnml", "../../model.pnml", "/model.pnml"])
def test_the_model_is_found_in_any_folder(tmp_path: Path, name: str) -> None:
    """The folder is a name and no path: nothing is written anywhere."""
    path = archive(tmp_path / "net.tgz", file("Net/other.xml", b"x"), file(name))

    assert [v.name for v in load(path).model.variables] == ["a"]
    assert list(tmp_path.iterdir()) == [path]


def test_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.pnml").write_bytes(NET)
    link = tarfile.TarInfo("model.pnml")
    for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE):
        link.type, link.linkname = kind, str(tmp_path / "secret.pnml")
        path = archive(tmp_path / "net.tgz", (link, b""))

        assert refusal(path).endswith("there is no 'model.pnml' in it")


def test_what_is_too_large_is_refused(tmp_path: Path) -> None:
    """Before it is read as a whole; a stream of zeros is an archive without members."""
    path = tmp_path / "net.tgz"
    head = tarfile.TarInfo("other")
    head.size = 1 << 40
    path.write_bytes(gzip.compress(head.tobuf() + bytes(300 << 20), 1))
    assert refusal(path).endswith("unpacked, it is larger than 256 MB")

    head.name = "model.pnml"
    path.write_bytes(gzip.compress(head.tobuf() + bytes(1 << 20), 1))
    assert refusal(path).endswith("'model.pnml' is larger than 64 MB")


# Without the time of day, which would give workers different tests.
NO_ARCHIVES = {
    "nothing": b"",
    "text": b"text",
    "nothing, compressed": gzip.compress(b"", mtime=0),
    "text, compressed": gzip.compress(b"text" * 400, mtime=0),
}


@pytest.mark.parametrize("content", NO_ARCHIVES.values(), ids=NO_ARCHIVES)
def test_what_is_no_archive_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "net.tgz"
    path.write_bytes(content)

    assert "cannot read" in refusal(path)


def test_formulas_may_be_in_the_archive(tmp_path: Path) -> None:
    formulas = b"<property-set><property><id>q</id><formula><exists-path><finally><deadlock/></finally></exists-path>"
    formulas += b"</formula></property></property-set>"
    path = archive(tmp_path / "net.tgz", file("n/model.pnml"), file("n/Some.xml", formulas))

    assert [c.name for c in ModelFile(path, {}, {"formulas": Path("Some.xml")}).first().claims] == ["q"]
