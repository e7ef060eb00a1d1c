"""Words that mean something somewhere: to Rebeca's tools, to the sequential model, to reports, or to us inside.

A name has one meaning where it stands, so a text in which names are replaced consistently means the same.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping

WORDS = (
    *("nobody", "none", "Rebec", "Rebecs", "queue", "exists", "argument1", "message", "created", "place", "returned"),
    *("bool", "forall", "sum", "count", "len", "min", "max", "rule", "var", "const", "process", "terminal", "event"),
    *("deadlockfree", "invariant", "reachable", "property", "define", "Assertion", "LTL", "G", "F", "X", "U", "W", "R"),
    *("after", "deadline", "delay", "now", "assertion", "pow", "sqrt", "initially", "tau", "terminate", "t", "x", "_"),
    *("kept", "result", "index", "at", "old", "either", "both", "subject", "entered", "broken", "skipped", "going"),
)
# 'delay x' and the like are refused as Timed Rebeca, and 'pow(…)' is built in.
NOT_FOR = {"class": {"after", "deadline", "delay", "now"}, "method": {"after", "deadline", "delay", "now"}}


def clashing(chance: random.Random, names: Mapping[str, Iterable[str]]) -> dict[str, str]:
    """A word for most names; names of one sort get different words, those of two sorts may get the same."""
    found: dict[str, str] = {}
    for sort, own in names.items():
        own = sorted(own)
        words = chance.sample([w for w in WORDS if w not in NOT_FOR.get(sort, ())], len(own))
        found |= {name: word for name, word in zip(own, words, strict=True) if chance.random() < 0.7}
    return found


def renamed(text: str, names: Mapping[str, str]) -> str:
    """A text in other words."""
    return re.sub(r"[A-Za-z_]\w*", lambda word: names.get(word[0], word[0]), text)
