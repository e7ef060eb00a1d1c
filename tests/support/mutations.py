"""Random damage to texts, for tests that whatever the text, a front end gives a model or diagnostics."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

ODD = ["\x00", "\ufeff", "é", "\u202e", "٣", "²", '"', "`", "/*", "\\", "\r", "9" * 400, "-", "(", "{", "[", "..", "*"]
ODD += ["->", "@"]


@dataclass(frozen=True)
class Mutations:
    """Texts of a language, and words that may be put into them."""

    texts: Sequence[str]
    words: Sequence[str]

    def text(self, chance: random.Random) -> str:
        """One of the texts after a few random cuts, insertions, doublings and swaps of pieces."""
        text = chance.choice(self.texts)
        for _ in range(chance.randint(1, 4)):
            text = self._damaged(text, chance)
        return text

    def _damaged(self, text: str, chance: random.Random) -> str:
        at = chance.randrange(len(text) + 1)
        size = chance.choice([1, 1, 2, 5, 20, 100])
        match chance.randrange(6):
            case 0:
                return text[:at] + text[at + size :]
            case 1:
                return text[:at] + f" {chance.choice(self.words)} " + text[at:]
            case 2:
                return text[:at] + chance.choice(ODD) + text[at:]
            case 3:
                return text[:at] + text[at : at + size] * chance.choice([2, 3, 200]) + text[at + size :]
            case 4:
                other = chance.choice(self.texts)
                start = chance.randrange(len(other) + 1)
                return text[:at] + other[start : start + size] + text[at:]
            case _:
                words = text.split(" ")
                i, j = chance.randrange(len(words)), chance.randrange(len(words))
                words[i], words[j] = words[j], words[i]
                return " ".join(words)
