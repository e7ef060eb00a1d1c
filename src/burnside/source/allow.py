"""Lines of a text that allow what would be warned about.

``// burnside: allow BUR701`` at the end of a line is about that line, on a line by itself about the next one; several
codes are separated by blanks or commas, and ``allow all`` is about every warning.
"""

from __future__ import annotations

import re
from typing import Final

from burnside.source.diagnostic import Diagnostic, Severity

_COMMENT: Final = re.compile(r"//\s*burnside:\s*allow\s+(all|BUR\d+(?:[\s,]+BUR\d+)*)")


def is_allowed(diagnostic: Diagnostic) -> bool:
    """Whether the text says that a warning is not wanted where it is; errors are never allowed."""
    span = diagnostic.span
    if span is None or diagnostic.severity is Severity.ERROR:
        return False
    line, _ = span.source.position(span.start)
    lines = span.source.text.split("\n")
    above = lines[line - 2].strip() if line > 1 else ""
    return _allows(lines[line - 1], diagnostic.code) or (above.startswith("//") and _allows(above, diagnostic.code))


def _allows(line: str, code: str) -> bool:
    found = _COMMENT.search(line)
    return found is not None and (found[1] == "all" or code in re.split(r"[\s,]+", found[1]))
