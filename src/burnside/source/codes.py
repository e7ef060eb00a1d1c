"""Every diagnostic code, with the title shown in ``docs/reference/diagnostics.md``.

1xx syntax, 2xx names and types, 3xx symmetry notes, 4xx graph and group engines, 5xx exploration,
6xx regular systems, 9xx unsupported constructs.
"""

from __future__ import annotations

CODES: dict[str, str] = {
    "BUR101": "unexpected character",
    "BUR102": "unexpected token",
    "BUR103": "text or comment without end",
    "BUR104": "nested too deeply",
    "BUR105": "number too large",
    "BUR106": "file cannot be read",
    "BUR201": "unknown name",
    "BUR202": "name declared twice",
    "BUR203": "wrong type",
    "BUR204": "wrong number of indices or arguments",
    "BUR205": "empty or too large domain",
    "BUR206": "initial value does not fit",
    "BUR207": "not a constant expression",
    "BUR208": "numbers may leave 64 bits",
    "BUR209": "definition refers to itself",
    "BUR210": "not assignable",
    "BUR211": "constant given on the command line does not fit",
    "BUR212": "no such property",
    "BUR213": "label of several domains",
    "BUR501": "fault while the model runs",
    "BUR502": "too many rule instances or properties",
    "BUR503": "no C compiler",
    "BUR504": "unsafe cache directory",
    "BUR601": "letter outside the alphabet",
    "BUR602": "step that changes the length of a word",
    "BUR603": "no configurations",
    "BUR604": "relation is not total",
    "BUR605": "padding before the end of a word",
    "BUR606": "automaton too large",
    "BUR607": "step leaves the configurations",
    "BUR608": "regular system is incomplete",
    "BUR609": "word where a pair is expected, or the reverse",
    "BUR610": "constraint that nothing can meet",
    "BUR611": "relation is not a symmetry pattern",
    "BUR612": "condition cannot be turned off",
    "BUR613": "no such pattern",
    "BUR901": "unsupported construct",
    "BUR902": "unsupported language",
}
