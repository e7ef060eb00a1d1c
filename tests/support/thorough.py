"""How much random tests do: all of it under ``make test-all``, a part under ``make test``."""

from __future__ import annotations

import os
from typing import Final

from hypothesis import settings

IS_THOROUGH: Final = os.environ.get("BURNSIDE_TESTS") == "all"
_PART: Final = 4


def examples(many: int) -> settings:
    """So many examples, or a quarter of them."""
    return settings(max_examples=many if IS_THOROUGH else many // _PART)


def some(seeds: range) -> range:
    """Those seeds, or the first quarter of them."""
    return seeds if IS_THOROUGH else seeds[: len(seeds) // _PART]
