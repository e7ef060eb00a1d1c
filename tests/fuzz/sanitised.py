"""Random models and damaged texts under the sanitisers, as figures.

    python -m tests.fuzz.sanitised --many 200 --seed 0

So many under the address and undefined-behaviour sanitisers, and as many with several threads under the thread
sanitiser: each is explored without symmetry, on unique representatives or on several ones in turn, with its claims
about states and about runs. Three of four are random models, whose answers are compared with those of the interpreter;
the fourth is a damaged text that loads. Prints what sanitisers report and what is different, then how everything ended.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.fuzz.figures import ENDS, damaged, outcomes, say, seconds

MODES = ("none", "unique", "multi")
LIMITS = ("--time", "60", "--memory", "300M")
SANITISERS = {  # flags of the compiler, the library that must be there before anything else, threads
    "memory": ("-fsanitize=address,undefined -fno-sanitize-recover=all", "libasan.so", 1),
    "threads": ("-fsanitize=thread", "libtsan.so", 3),
}
OPTIONS = {
    "ASAN_OPTIONS": "detect_leaks=0",  # the interpreter itself is full of them
    "TSAN_OPTIONS": "halt_on_error=1",
}


# ---------------------------------------------------------------- a process for some of them


def work(threads: int, first: int, last: int) -> None:
    """A line for each before it is explored, and one when it has been."""
    from burnside.decide import runs

    del os.environ["LD_PRELOAD"]  # it is here, and the shells that call compilers do not bear it
    runs.is_installed = lambda: False  # Spot does not run under sanitisers
    with TemporaryDirectory(prefix="sanitised-") as folder:
        for seed in range(first, last):
            mode = MODES[seed % 3]
            before = seconds()
            code, said = (_text if seed % 4 == 3 else _model)(seed, mode, threads, Path(folder))
            say(code=code, seconds=seconds() - before, memory=0, said=said)


def _model(seed: int, mode: str, threads: int, _: Path) -> tuple[str, str]:
    """Whether a random model is answered as the interpreter answers."""
    from tests.oracle.compare import Mode, Plan
    from tests.oracle.figures import compare

    say(seed=seed, language="model", command=mode)
    asked = (Mode(mode, threads),)
    result = compare(seed, Plan((), asked, (Mode(mode),)))[1]
    return "different" if result.differences else "agrees", "\n".join(map(str, result.differences))


def _text(seed: int, mode: str, threads: int, folder: Path) -> tuple[int, str]:
    """How the command ends on a damaged text that loads."""
    from burnside.cli.main import main as burnside

    language, path = _loading(seed, folder)
    say(seed=seed, language=language, command=mode)
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()) as said:
        code = burnside(["check", path, "--symmetry", mode, "--threads", str(threads), *LIMITS])
    return code, "" if code in ENDS else said.getvalue()[-2000:]


def _loading(seed: int, folder: Path) -> tuple[str, str]:
    """The language of a damaged text that can be explored, and the text."""
    import burnside
    from burnside.source import ModelError

    for another in count(1_000 * seed):
        language, (_, path, *_) = damaged(another, folder)
        try:
            if language != ".regular" and burnside.load(path):
                return language, path
        except ModelError:
            continue
    raise AssertionError


# ---------------------------------------------------------------- all of them


def variables(sanitiser: str) -> dict[str, str]:
    """The environment in which all that is compiled is looked at by a sanitiser."""
    flags, name, _ = SANITISERS[sanitiser]
    library = subprocess.run(["cc", f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout
    if not Path(library.strip()).is_absolute():
        sys.exit(f"the C compiler has no {name}")
    return {"CC": f"cc -g1 {flags}", "LD_PRELOAD": library.strip(), **OPTIONS}


def main() -> None:
    """Ends with 1 if something is reported or different."""
    parser = argparse.ArgumentParser(description="Random models and damaged texts under the sanitisers, as figures.")
    parser.add_argument("--many", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sanitiser", choices=SANITISERS, action="append", help="one of them alone")
    parser.add_argument("--threads", type=int, default=1, help=argparse.SUPPRESS)
    parser.add_argument("--work", type=int, nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        work(given.threads, *given.work)
        return
    wrong = 0
    for sanitiser in given.sanitiser or SANITISERS:
        worker = ("tests.fuzz.sanitised", "--threads", str(SANITISERS[sanitiser][2]))
        ends: Counter[str] = Counter()
        for found in outcomes(given.seed, given.many, worker, variables(sanitiser)):
            code = found["code"]
            ends[f"{found['language']}, {found['command']}: {ENDS.get(code, code)}"] += 1
            if found["said"] or code not in {*ENDS, "agrees"}:
                wrong += 1
                sys.stdout.write(f"{sanitiser}, seed {found['seed']}: {json.dumps(found)}\n")
        sys.stdout.write(f"{ends.total()} under the sanitiser of {sanitiser}\n")
        for what, number in sorted(ends.items()):
            sys.stdout.write(f"  {number:>8}  {what}\n")
        sys.stdout.flush()
    sys.stdout.write(f"{wrong} that should not be\n")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
