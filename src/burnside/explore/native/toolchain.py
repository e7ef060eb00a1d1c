"""The C compiler: which one there is, and calling it so that it never outlives us."""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, final

from burnside.limits import NEVER, Deadline, LimitReached
from burnside.source import Diagnostic, ModelError, Note
from burnside.values import dataclass

RUNTIME = Path(__file__).parent.parent / "runtime"
_OTHER_COMPILER: Final = Note("set CC to another compiler; 'burnside doctor' looks at what is there", "help")

# Runs a command in a session of its own while we hold the other end of its standard input. Nothing is ever written
# there: `read` returns when that end is closed, by us or by our death of whatever kind, and then all of the session is
# killed. Unlike a signal on the death of the parent, this is known to every system.
_LEASH: Final = """\
exec 3<&0
{ read -r nothing <&3; kill -s KILL 0; } >/dev/null 2>&1 &
"$@" </dev/null 3<&-
code=$?
kill -s KILL $!
exit $code
"""


@final
@dataclass(frozen=True, slots=True)
class Toolchain:
    """A C compiler: the command to call, what identifies it, and when it has to be done."""

    command: tuple[str, ...]
    version: str
    deadline: Deadline = NEVER

    def compile(self, flags: Sequence[str], text: str, output: Path, objects: Sequence[Path] = ()) -> str:
        """Compile a text, and link it with objects; what there is to say if that fails."""
        source = output.with_suffix(".c")
        source.write_text(text, encoding="utf-8")
        command = [*self.command, *flags, "-I", str(RUNTIME), "-o", str(output), str(source), *map(str, objects)]
        code, said = _call(command, self.deadline)
        if code == 0 and output.is_file():
            return ""
        return f"{' '.join(command)}\n{said.strip()[:4000] or 'it says nothing, and makes nothing'}"

    def useless(self, said: str) -> ModelError:
        """The diagnostic for a compiler that does not do its work."""
        message = f"the C compiler '{self.command[0]}' cannot make shared libraries"
        return ModelError([Diagnostic("BUR503", message, notes=(Note(said[:1000], "note"), _OTHER_COMPILER))])


def find_toolchain() -> Toolchain:
    """The compiler named by ``CC``, else the system's, else the one in the ``ziglang`` wheel."""
    named = _named()
    for command, *options in filter(None, (named, ["cc"], ["gcc"], ["clang"])):
        path = shutil.which(command)
        if path:
            return Toolchain((path, *options), f"{_identity(Path(path))} {shlex.join(options)}")
    if importlib.util.find_spec("ziglang") is not None:
        from importlib.metadata import version

        return Toolchain((sys.executable, "-m", "ziglang", "cc"), f"zig {version('ziglang')}")
    help_note = Note("install a C compiler, or run: pip install 'burnside[zig]'", "help")
    raise ModelError([Diagnostic("BUR503", "no C compiler was found", notes=(help_note,))])


def _named() -> list[str]:
    """The words of ``CC``: a compiler, perhaps with options, or behind a wrapper such as ccache."""
    text = os.environ.get("CC", "")
    note = Note("unset CC, or let it name a compiler that is there", "help")
    try:
        named = shlex.split(text)
    except ValueError as error:
        raise ModelError([Diagnostic("BUR503", f"CC is not a command: {error}", notes=(note,))]) from error
    if named and not shutil.which(named[0]):
        raise ModelError([Diagnostic("BUR503", f"there is no '{named[0]}', which CC names", notes=(note,))])
    return named


def _identity(path: Path) -> str:
    """What tells compilers apart without starting one: where it really is, its size and its date."""
    real = path.resolve()
    status = real.stat()
    return f"{real} {status.st_size} {status.st_mtime_ns}"


def _call(command: Sequence[str], deadline: Deadline) -> tuple[int, str]:
    """The exit code of a command and its standard error; it ends at the latest when we do. Raises `LimitReached`."""
    import subprocess  # mostly the cache has what was asked for

    stdin, leash = os.pipe()
    try:
        process = subprocess.Popen(
            ["/bin/sh", "-c", _LEASH, "sh", *command],
            stdin=stdin,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
            env={**os.environ, "LC_ALL": "C"},  # what it says is looked at
        )
    except BaseException:
        os.close(leash)
        raise
    finally:
        os.close(stdin)
    with process:
        try:
            said = process.communicate(timeout=deadline.left())[1]
        except subprocess.TimeoutExpired:
            raise LimitReached("time") from None
        finally:
            os.close(leash)
    return process.returncode, said.decode(errors="replace")
