"""Random ``.seq`` models with records, sets, bags, unions, procedures, ids and so on, and the same flattened.

Every piece is a pair of texts, one with parts and one as it is written by hand without: both must be one model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from burnside.frontends.kit.constants import Given

from .parted_pieces import Both, Feature, same
from .parted_programs import PROGRAMS
from .parted_types import TYPES

_MAKERS = (*TYPES, *PROGRAMS)


@dataclass(frozen=True)
class PartedModel:
    """A text with parts and constants for it, the same flattened, and what they are made of."""

    parted: str
    flat: str
    constants: Mapping[str, Given]
    made_of: Counter[str]


def parted_model(seed: int) -> PartedModel:
    """A random model with parts, and the same flattened."""
    random = Random(seed)
    size, values = random.choice((2, 2, 3)), random.choice((2, 2, 3))
    labels = ", ".join(f"v{k}" for k in range(values))
    head = f"const N = {size};\nprocess P = 0 .. N-1;\ndomain V = {{ {labels} }};\n"
    makers = random.sample(_MAKERS, random.choice((1, 2, 2)))
    made_of = Counter(make.__name__.removeprefix("_") for make in makers)
    features = [make(random) for make in makers]
    rules = _rules(random, features, made_of)
    claims = _claims(random, features)
    parted = "record Pair { one: P, what: V }\n"
    parted += "\n".join(b.parted for b in (*(f.declared for f in features), *rules, *claims))
    flat = "\n".join(b.flat for b in (*(f.declared for f in features), *rules, *claims))
    constants = {name: value for feature in features for name, value in feature.constants.items()}
    return PartedModel(f"{head}{parted}\n", f"{head}{flat}\n", constants, made_of)


def _rules(random: Random, features: Sequence[Feature], made_of: Counter[str]) -> list[Both]:
    rules = []
    own = [rule for feature in features for rule in feature.rules]
    for number in range(random.choice((2, 3, 3))):
        if own and random.random() < 0.4:
            rules.append(_numbered(random.choice(own)(random), number))
            made_of["a rule with other parameters"] += 1
        else:
            rules.append(_rule(random, number, features, made_of))
    return rules


def _numbered(piece: Both, number: int) -> Both:
    return Both(piece.parted.replace("{N}", str(number)), piece.flat.replace("{N}", str(number)))


def _claims(random: Random, features: Sequence[Feature]) -> list[Both]:
    """What some condition is asked for: in every state, or in any."""
    if random.random() < 0.5:
        return []
    condition = random.choice([c for f in features for c in f.conditions])(random)
    kind = random.choice(("invariant", "reachable"))
    if random.random() < 0.5:
        around = random.choice(("forall", "exists"))
        head = f"{kind} asked: {around} i, j in P, x in V"
    else:
        head = f"{kind} asked(i, j: P, x: V)"
    return [Both(f"{head}: {condition.parted};", f"{head}: {condition.flat};")]


def _rule(random: Random, number: int, features: Sequence[Feature], made_of: Counter[str]) -> Both:
    statements = [
        piece(random)
        for piece in random.choices([s for f in features for s in f.statements], k=random.choice((1, 1, 2)))
    ]
    statements = statements[:1] if any(s.needs for s in statements) else statements
    conditions = [
        piece(random)
        for piece in random.choices([c for f in features for c in f.conditions], k=random.choice((0, 1, 1, 2)))
    ]
    guards = [*(Both(*s.needs) for s in statements if s.needs), *conditions]
    bodies = [_numbered(s, 10 * number + k) for k, s in enumerate(statements)]
    head = _head(random, number, made_of)
    flat = f"{head.flat} when {_all(b.flat for b in guards)} do {{ {' '.join(b.flat for b in bodies)} }}"
    body = " ".join(b.parted for b in bodies)
    if " as " in head.parted or random.random() < 0.7:
        return Both(f"{head.parted} when {_all(b.parted for b in guards)} do {{ {body} }}", flat)
    made_of["ruleset"] += 1
    return Both(_block(random, number, [g.parted for g in guards], body), flat)


def _block(random: Random, number: int, guards: list[str], body: str) -> str:
    """The rule in a block, or in two, which have some of its parameters and guards."""
    cut = random.randint(0, len(guards))
    if random.random() < 0.5:
        rule = f"rule r{number} when {_all(guards[cut:])} do {{ {body} }}"
        return f"ruleset (i, j: P, x: V) when {_all(guards[:cut])} {{\n  {rule}\n}}"
    guard = "" if cut == len(guards) else f" when {_all(guards[cut:])}"
    rule = f"rule r{number}{guard} do {{ {body} }}"
    return f"ruleset (i, j: P) {{\n  ruleset (x: V) when {_all(guards[:cut])} {{\n    {rule}\n  }}\n}}"


def _all(conditions: Iterable[str]) -> str:
    return " && ".join(conditions) or "true"


def _head(random: Random, number: int, made_of: Counter[str]) -> Both:
    """The name, the parameters and the event of a rule; some events have a record."""
    head = f"rule r{number}(i, j: P, x: V)"
    if random.random() < 0.75:
        return same(head)
    made_of["an event with a record"] += 1
    return Both(f"{head} as seen{number}(Pair {{ one: i, what: x }}, j)", f"{head} as seen{number}(i, x, j)")
