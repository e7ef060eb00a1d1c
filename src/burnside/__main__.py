"""``python -m burnside``, and the command ``burnside``."""

from __future__ import annotations

import signal


def start() -> int:
    """Load and run the command line; who gives up while it is loaded gets no traceback, just the end."""
    is_usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # in the background it may be ignored
    if is_usual:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from burnside.cli.main import main

    if is_usual:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return main()


if __name__ == "__main__":
    raise SystemExit(start())
