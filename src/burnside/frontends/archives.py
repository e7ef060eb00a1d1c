"""Files inside of archives, read from the stream: nothing is written, and no path or link of an archive is followed."""

from __future__ import annotations

import tarfile
import zlib
from pathlib import Path
from typing import IO, Final, cast, final

SUFFIXES: Final = (".tgz",)
_MOST_MEMBERS: Final = 2_000
_MOST_BYTES: Final = 256 << 20  # of an archive, once it is unpacked
_PIECE: Final = 1 << 16


class Unreadable(Exception):
    """An archive that is not read, and why."""


@final
class _Unpacked:
    """What is in a compressed file, piece by piece, and no more of it than an archive may have."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._inflate = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
        self._left = _MOST_BYTES

    def read(self, size: int) -> bytes:
        found = bytearray()
        while len(found) < size:
            compressed = self._inflate.unconsumed_tail or self._file.read(_PIECE)
            piece = self._inflate.decompress(compressed, size - len(found))
            if not compressed and not piece:
                break
            self._left -= len(piece)
            if self._left < 0:
                raise Unreadable(f"unpacked, it is larger than {_MOST_BYTES >> 20} MB")
            found += piece
        return bytes(found)


def read_member(path: Path, name: str, largest: int) -> bytes:
    """The first file of an archive that has a name, in whatever folder; `Unreadable` if there is none."""
    with path.open("rb") as file:
        try:
            # Only files that come one after the other can be read as a stream, which is what archives of models are.
            with tarfile.open(fileobj=cast("IO[bytes]", _Unpacked(file)), mode="r|") as archive:
                for count, member in enumerate(archive):
                    if count >= _MOST_MEMBERS:
                        raise Unreadable(f"it has more than {_MOST_MEMBERS:,} members")
                    if member.isreg() and member.name.rpartition("/")[2] == name:
                        return _content(archive, member, largest)
        except (tarfile.TarError, zlib.error, EOFError, ValueError, OverflowError) as error:
            raise Unreadable(f"it is not an archive of the kind .tar.gz: {error}") from error
    raise Unreadable(f"there is no '{name}' in it")


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo, largest: int) -> bytes:
    if member.size > largest:
        raise Unreadable(f"'{member.name[:80]}' is larger than {largest >> 20} MB")
    file = archive.extractfile(member)
    if file is None or len(content := file.read()) != member.size:
        raise Unreadable(f"'{member.name[:80]}' ends too early")
    return content
