"""What can be chosen where Murphi is read."""

from __future__ import annotations

from typing import Final

from burnside.frontends.kit.options import WordOption

DEADLOCK: Final = WordOption(
    "deadlock",
    "--deadlock",
    ("stuttering", "stuck", "off"),
    "stuttering",
    "a state is a deadlock if no step leads elsewhere (stuttering, the default), if there is no step (stuck), or never",
)
DIALECT: Final = WordOption(
    "dialect",
    "--dialect",
    ("auto", "rumur", "cmurphi"),
    "auto",
    "whether copying an undefined variable is an error (rumur) or copies that (cmurphi); "
    "auto: cmurphi, if the model has unions, multisets or 'undefined' as a value",
)

OPTIONS: Final = (DEADLOCK, DIALECT)
