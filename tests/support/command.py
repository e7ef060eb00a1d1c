"""The command line without a process of its own."""

from __future__ import annotations

from subprocess import CompletedProcess

import pytest

from burnside.cli.main import main


def run_here(capsys: pytest.CaptureFixture[str], *words: object) -> CompletedProcess[str]:
    """Run a command in this process: its exit code, and what it prints."""
    arguments = [*map(str, words)]
    capsys.readouterr()
    try:
        code = main(arguments)
    except SystemExit as end:
        code = int(end.code or 0)
    shown = capsys.readouterr()
    return CompletedProcess(arguments, code, shown.out, shown.err)
