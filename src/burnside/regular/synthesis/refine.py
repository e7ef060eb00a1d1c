"""From a counterexample to the clause that excludes it (Sect. 5.2 of [LinEtAl16])."""

from __future__ import annotations

from burnside.regular.synthesis.encoding import Encoding
from burnside.regular.verify import Condition, Failure


def learn(encoding: Encoding, failure: Failure) -> None:
    """Strengthen the constraint so that this failure cannot occur again.

    A word without image or origin gets one; of contradictory pairs one has to go. A simulation that fails
    for a function shows two pairs, an image outside the configurations shows one.
    """
    words = failure.words
    match failure.condition:
        case Condition.TOTAL:
            encoding.cover(words[0], 0)
        case Condition.SURJECTIVE:
            encoding.cover(words[0], 1)
        case Condition.FUNCTIONAL:
            encoding.refuse([(words[0], words[1]), (words[0], words[2])])
        case Condition.INJECTIVE:
            encoding.refuse([(words[1], words[0]), (words[2], words[0])])
        case _:
            encoding.refuse(zip(words[::2], words[1::2], strict=True))
