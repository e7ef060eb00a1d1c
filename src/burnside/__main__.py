"""``python -m burnside``, and the command ``burnside``."""

from __future__ import annotations

import gc
import signal
from typing import Final

_RARELY: Final = 50_000  # objects between two looks for cycles, which hardly anything of ours has


def start() -> int:
    """Load and run the command line; who gives up while it is loaded gets no traceback, just the end."""
    gc.set_threshold(_RARELY)
    is_usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # in the background it may be ignored
    if is_usual:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from burnside.cli.main import main

    if is_usual:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    code = main()
    gc.freeze()  # what is left ends with the process
    return code


if __name__ == "__main__":
    raise SystemExit(start())
