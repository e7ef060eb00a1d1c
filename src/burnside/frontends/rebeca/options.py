"""What can be chosen where Rebeca is read."""

from __future__ import annotations

from typing import Final

from burnside.frontends.kit.options import FileOption, NumberOption, WordOption

PROPERTIES: Final = FileOption(
    "property_file",
    "--properties",
    ".property",
    "a property file (default: the one beside the model, if there is one)",
)
QUEUE_SEMANTICS: Final = WordOption(
    "queue_semantics",
    "--queue-semantics",
    ("paper", "reference"),
    "paper",
    "a message leaves its queue before it is served (paper, the default) or after (reference)",
)
MAX_REBECS: Final = NumberOption(
    "max_rebecs", "--max-rebecs", 1, 500, 3, "how many rebecs of a class may be created (default 3)"
)

OPTIONS: Final = (PROPERTIES, QUEUE_SEMANTICS, MAX_REBECS)
