"""Random `.seq` models with a few hundred states at most."""

from __future__ import annotations

from random import Random

from .clocks import with_clock
from .generator import ModelWriter
from .interpreter import TooLarge
from .language import Model
from .naming import Namer
from .relations import RelationWriter
from .rings import ring_model
from .space import Space
from .twins import TwinWriter


def random_model(seed: int, most: int = 250) -> Model:
    """The model of a seed: the first with enough states and not too many."""
    random = Random(seed)
    has_twins = Random(f"twins {seed}").random() < 0.1
    has_relation = Random(f"relations {seed}").random() < 0.1
    clock = Random(f"clock {seed}")
    has_clock = clock.random() < 0.15
    while True:
        strange = random.random() < 0.3
        namer = Namer(random, strange=strange)
        if has_twins:
            model = TwinWriter(random, namer).model()
        elif has_relation:
            model = RelationWriter(random, namer).model()
        else:
            model = ring_model(random, namer) if random.random() < 0.3 else ModelWriter(random, namer).model()
        if has_clock:
            model = with_clock(model, clock, namer)
        try:
            space = Space(model, most)
        except TooLarge:
            continue
        if space.initially_faults or (space.initial and (len(space) > 2 or random.random() < 0.05)):
            return model
