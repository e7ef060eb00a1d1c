"""The modelling languages: every front end turns a source into a sequential model."""

from __future__ import annotations

from pathlib import Path

from burnside.frontends import cspsharp, diagram, rebeca, seq
from burnside.frontends.front_end import FrontEnd
from burnside.source import Diagnostic, ModelError, Note

__all__ = ["FRONT_ENDS", "FrontEnd", "front_end_for"]

FRONT_ENDS: tuple[FrontEnd, ...] = (seq.FRONT_END, cspsharp.FRONT_END, diagram.FRONT_END, rebeca.FRONT_END)


def front_end_for(path: Path) -> FrontEnd:
    """The front end that owns the suffix of ``path``."""
    for front_end in FRONT_ENDS:
        if path.suffix in front_end.suffixes:
            return front_end
    known = ", ".join(suffix for front_end in FRONT_ENDS for suffix in front_end.suffixes)
    what = f"'{path.suffix}' files" if path.suffix else "files without a suffix"
    raise ModelError([Diagnostic("BUR902", f"no front end reads {what}", notes=(Note(f"known are {known}", "help"),))])
