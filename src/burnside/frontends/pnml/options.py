"""What can be chosen where Petri nets are read."""

from __future__ import annotations

from typing import Final

from burnside.frontends.kit.options import FileOption, NumberOption, WordOption

FORMULAS: Final = FileOption(
    "formulas", "--formulas", "", "formulas about a Petri net, in the XML of the Model Checking Contest"
)
MOST_TOKENS: Final = NumberOption(
    "most_tokens",
    "--most-tokens",
    1,
    65_535,
    511,
    "tokens that a place of a Petri net may hold for which no bound is known (default 511)",
)
SIMPLIFY: Final = WordOption(
    "simplify",
    "--simplify",
    ("off", "on"),
    "off",
    "leave out places and transitions of a Petri net that decide nothing of what is asked (default: off)",
)

OPTIONS: Final = (FORMULAS, MOST_TOKENS, SIMPLIFY)
