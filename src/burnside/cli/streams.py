"""Standard streams as a command finds them: perhaps closed, full, or without the letters that are printed."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from typing import Any, TextIO, final


def open_streams() -> None:
    """Make the standard streams usable, so that what is printed never decides how a command ends.

    The answer is told by the exit code, too: a closed stream takes what is printed and nobody reads it. Messages that
    cannot be written are lost; results that cannot be are an error, raised where they are printed.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:  # or the next file to be opened would be taken for it
            os.open(os.devnull, os.O_RDWR)
    sys.stdin = sys.stdin or io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)))
    sys.stdout = _whole(sys.stdout) or io.TextIOWrapper(io.BufferedWriter(io.FileIO(1, "w", closefd=False)))
    if sys.stderr is sys.__stderr__:
        sys.stderr = io.TextIOWrapper(io.BufferedWriter(_Messages(2, "w", closefd=False)), line_buffering=True)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal may have no arrows


def _whole(stream: TextIO | None) -> TextIO | None:
    """The stream, or one like it that writes all of a text.

    Without a buffer (``PYTHONUNBUFFERED``) Python writes once. If a signal comes while a pipe is full, and the timer of
    the limits does all the time, the rest of a long text would be lost, and nobody told.
    """
    if isinstance(stream, io.TextIOWrapper) and isinstance(stream.buffer, io.RawIOBase):
        buffer = io.BufferedWriter(io.FileIO(stream.fileno(), "w", closefd=False))
        return io.TextIOWrapper(buffer, stream.encoding, stream.errors, line_buffering=True)
    return stream


def drop_output() -> None:
    """What is still to be printed goes nowhere, so that the end of the process does not fail on it."""
    with suppress(OSError, ValueError):  # standard output that is no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@final
class _Messages(io.FileIO):
    """Standard error; what cannot be written is lost."""

    def write(self, text: Any) -> int:
        with suppress(OSError):
            return super().write(text)
        return len(text)
