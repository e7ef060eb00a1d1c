"""Names for random models: plain ones, keywords, names with blanks, and words that the tool uses itself."""

from __future__ import annotations

from random import Random

from .language import Rule

_STRANGE = ("x'", "1st", "ünï", "é-1", "a.b", "if", "count", "X", "len", "event", "_", "true", "(", "[0]", "a:b", "a b")
_OWN = (
    "terminal",
    "initially",
    "deadlock",
    "deadlockfree",
    "acted?",
    "seen?",
    "acted",
    "seen",
    "fault",
    "none",
    "state",
)
_OWN += ("x:exists", "next", "old", "new", "init", "main", "int", "self", "tau", "exists", "rule", "empty")
_FUNCTIONS = frozenset({"len", "empty"})  # a declaration of that name would hide them


class Namer:
    """Hands out names, each once for each kind of thing."""

    def __init__(self, random: Random, *, strange: bool) -> None:
        self._random = random
        self._strange = strange
        self._taken: dict[str, set[str]] = {}

    def global_name(self, plain: str) -> str:
        """Of a variable, domain, label or definition."""
        return self._fresh("global", plain, [n for n in (*_STRANGE, *_OWN) if n not in _FUNCTIONS])

    def rule(self, plain: str, processes: list[str]) -> str:
        """Of a rule; perhaps what a process is called in words."""
        if processes and self._strange and self._random.random() < 0.5:
            return self._fresh("rule", self._random.choice(processes), processes)
        return self._fresh("rule", plain, [*_STRANGE, *_OWN])

    def event(self, plain: str, rules: list[Rule]) -> str:
        """Of an event; perhaps what another event with arguments is called in words. Not unique."""
        if not self._strange or self._random.random() < 0.7:
            return plain
        others = [r.event[0] if r.event else r.name for r in rules]
        composed = [f"{o}.{v}" for o in others for v in (0, 1)] + [f"{o}({v})" for o in others for v in (0, 1)]
        return self._random.choice([*composed, *composed, *(r.name for r in rules), *_STRANGE, *_OWN])

    def property(self, plain: str, others: list[str], fitting: str = "") -> str:
        """Of a property; perhaps what faults of another one are called, or a word that fits."""
        if fitting and self._strange and self._random.random() < 0.6:
            return self._fresh("property", fitting, [fitting])
        faults = [f"fault of {o}" for o in (*others, "initially", "terminal")]
        return self._fresh("property", plain, [*faults, *faults, *["terminal"] * 8, *_STRANGE, *_OWN])

    def _fresh(self, kind: str, plain: str, strange: list[str]) -> str:
        taken = self._taken.setdefault(kind, set())
        name = plain
        if self._strange and self._random.random() < 0.35:
            name = self._random.choice(strange)
        while name in taken:
            name += "_"
        taken.add(name)
        return name
