"""``python -m benchmarks.peers.run``: measure, and print tables or JSON."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from benchmarks.peers import PEERS
from benchmarks.peers.tools import ToolError

from burnside.cli.bench import add_options, run_suite
from burnside.cli.exits import Exit


def main(argv: Sequence[str] | None = None) -> Exit:
    """Run the tables that are asked for; the exit code."""
    parser = argparse.ArgumentParser(description="Run Burnside, Spin and Rumur on the same protocols.")
    add_options(parser)
    try:
        return run_suite(PEERS, parser.parse_args(argv))
    except ToolError as error:
        print(f"peers: {error}", file=sys.stderr)
        return Exit.BUG


if __name__ == "__main__":
    sys.exit(main())
