"""The modelling languages: every front end turns a source into tasks, models with claims about them."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Final

from burnside.frontends import cspsharp, diagram, murphi, pnml, rebeca, seq
from burnside.frontends.front_end import FrontEnd
from burnside.source import Diagnostic, ModelError, Note

__all__ = ["FRONT_ENDS", "FrontEnd", "front_end_for"]

FRONT_ENDS: tuple[FrontEnd, ...] = (
    seq.FRONT_END,
    cspsharp.FRONT_END,
    diagram.FRONT_END,
    rebeca.FRONT_END,
    pnml.FRONT_END,
    murphi.FRONT_END,
)

# Files that belong to Burnside and hold no model.
_OTHERS: Final = {
    ".regular": "regular systems are for 'burnside pattern'",
    ".property": "give the '.rebeca' model; a file of properties beside it is read with it",
}


def front_end_for(path: Path) -> FrontEnd:
    """The front end that owns the suffix of ``path``; if there is none, the file may not even exist."""
    for front_end in FRONT_ENDS:
        if path.suffix in front_end.suffixes:
            return front_end
    reason = _why_unreadable(path)
    if reason:
        raise ModelError([Diagnostic("BUR106", f"cannot read '{path}': {reason}")])
    known = ", ".join(suffix for front_end in FRONT_ENDS for suffix in front_end.suffixes)
    what = f"'{path.suffix}' files" if path.suffix else "files without a suffix"
    remedy = _OTHERS.get(path.suffix, f"known are {known}")
    raise ModelError([Diagnostic("BUR902", f"no front end reads {what}", notes=(Note(remedy, "help"),))])


def _why_unreadable(path: Path) -> str:
    """What the system says about a path that leads to no file; empty if it leads to one."""
    try:
        path.stat()
    except OSError as error:
        return error.strerror or "unknown error"
    return os.strerror(errno.EISDIR) if path.is_dir() else ""
