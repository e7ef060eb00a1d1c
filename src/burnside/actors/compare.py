"""The symmetries of actors beside those that the general detector finds."""

from __future__ import annotations

from typing import final

from burnside.actors.symmetry import ActorSymmetry
from burnside.detect.detection import Detection
from burnside.detect.naming import Kind
from burnside.groups import OutOfWork, Perm, Work, stabiliser_chain
from burnside.ir.renaming import describe_map
from burnside.ir.topology import Topology
from burnside.regular.induced import Places, process_domains
from burnside.values import dataclass

_MOST_WORK = 50_000_000


@final
@dataclass(frozen=True)
class ActorReport:
    """The group of Definition 4, and how it compares with what the general detector found.

    ``beyond`` describes the generators of the general group that Definition 4 does not have. ``lacking`` describes
    those of Definition 4 that the general group lacks, because a property costs them; None if that took too long to
    decide.
    """

    symmetry: ActorSymmetry
    structure: str | None
    seconds: float
    beyond: tuple[str, ...]
    lacking: tuple[str, ...] | None


def compare(found: Detection, actors: ActorSymmetry, structure: str | None, seconds: float) -> ActorReport:
    """Both groups side by side."""
    domain = process_domains(found.symmetry.literals.cells.model)[0]
    places = Places(found.symmetry.literals, domain)
    numbers = {i: k for k, i in enumerate(places.ids)}
    own = [numbers[i] for i in actors.topology.ids]
    beyond = tuple(
        f"{named.kind.value}: {named.description}"
        for named in found.generators
        if not _is_of_actors(named.kind, places.action(named.perm), own, actors.topology)
    )
    try:
        chain = stabiliser_chain(found.symmetry.group, work=Work(_MOST_WORK))
    except OutOfWork:
        return ActorReport(actors, structure, seconds, beyond, None)
    lacking = []
    for generator in actors.group.generators:
        whole = list(range(len(places.ids)))
        for actor, image in enumerate(generator):
            whole[own[actor]] = own[image]
        renaming = places.renaming(tuple(whole))
        if renaming is None or renaming not in chain:
            lacking.append(renaming_text(actors.topology, generator))
    return ActorReport(actors, structure, seconds, beyond, tuple(lacking))


def _is_of_actors(kind: Kind, action: Perm | None, own: list[int], topology: Topology) -> bool:
    """Whether a symmetry only renames actors, in a way that Definition 4 allows."""
    if kind is not Kind.PROCESS or action is None:
        return False
    place = {number: actor for actor, number in enumerate(own)}
    images = [place.get(action[number]) for number in own]
    kept = tuple(image for image in images if image is not None)
    return len(kept) == len(images) and kept != tuple(range(len(kept))) and topology.is_kept_by(kept)


def renaming_text(topology: Topology, perm: Perm) -> str:
    """A permutation of actors in words."""
    text = describe_map(dict(enumerate(perm)), lambda actor: topology.actors[actor].name)
    return " ".join(text) if text else "nothing"
