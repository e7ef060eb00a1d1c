"""The command line: without a process of its own, and in one that hears interrupts."""

from __future__ import annotations

import sys
from subprocess import CompletedProcess

import pytest

from burnside.cli.main import main

# Shells start background jobs deaf to interrupts, and their children are deaf as well.
_LISTENING = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from burnside.cli.main import main
sys.exit(main())
"""
LISTENING = (sys.executable, "-c", _LISTENING)


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
