"""What ``burnside pattern find`` says about a family of instances of a model: an object, and lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import final

from burnside.groups import describe
from burnside.regular.describe import describe_permutation
from burnside.regular.family import Family, Member, Proof, Proposal, Proposals, Skipped, Words, families, propose, prove
from burnside.regular.induced import ProcessAction
from burnside.regular.library import Permutation
from burnside.regular.report import Report, within_limits
from burnside.regular.shapes import FamilyObject, GroupObject, ProofObject, ProposedObject, RejectedObject, SizeObject
from burnside.regular.system import System
from burnside.source import Diagnostic, ModelError, Note, did_you_mean, printable
from burnside.values import dataclass

_MOST_SHOWN = 3


@final
@dataclass(frozen=True, slots=True)
class RegularForm:
    """The same system as automata: where it was read, and how the processes stand in its words."""

    name: str
    system: System
    words: Words = Words()


@final
@dataclass(frozen=True)
class _Found:
    """Everything about one family of ids."""

    proposals: Proposals
    proofs: tuple[tuple[Proof, ...], ...]  # for every group, for every generator; empty without a regular form

    @property
    def domains(self) -> tuple[str, ...]:
        return self.proposals.family.domains


@final
@dataclass(frozen=True, slots=True)
class FamilyOptions:
    """How deep to look into the library, about which process domain (None: all), and how long detection took."""

    depth: int = 3
    domain: str | None = None
    seconds: float = 0.0


@within_limits
def find_in_family(
    members: Sequence[Member], form: RegularForm | None = None, options: FamilyOptions | None = None
) -> Report:
    """Propose permutations for all sizes, and prove them where the regular form of the system is given."""
    options = options or FamilyOptions()
    every, skipped = families(members)
    chosen = [family for family in every if options.domain is None or options.domain in family.domains]
    if not chosen:
        raise ModelError([_no_processes(every, skipped, options.domain)])
    found = [_find(family, form, options.depth) for family in chosen]
    proofs = [proof for each in found for proofs in each.proofs for proof in proofs]
    content: FamilyObject = {
        "patterns": [entry for each in found for entry in _patterns(each, form, options.seconds)],
        "groups": [entry for each in found for entry in _groups(each, form)],
        "rejected": [entry for each in found for entry in _rejected(each)],
        "sizes": [_size(member) for member in members],
        "skipped": {one.domain: one.reason for one in skipped},
        "system": form and form.name,
        "seconds": round(options.seconds, 6),
        "stopped": "done",
    }
    lines = (*_size_lines(members), *_skipped_lines(skipped), *(line for each in found for line in _lines(each, form)))
    refuted = any(proof.breach is not None for proof in proofs)
    return Report(content, lines, holds=not refuted, partial=any(proof.permutation is None for proof in proofs))


def _find(family: Family, form: RegularForm | None, depth: int) -> _Found:
    proposals = propose(family, depth=depth)
    if form is None:
        return _Found(proposals, ())
    return _Found(proposals, tuple(tuple(prove(form.system, p.permutations, form.words)) for p in proposals.groups))


def _no_processes(every: Sequence[Family], skipped: Sequence[Skipped], wanted: str | None) -> Diagnostic:
    """What is wrong if there is nothing to look at."""
    notes = [Note(f"'{one.domain}': {one.reason}") for one in skipped]
    known = [name for family in every for name in family.domains]
    if wanted is not None and wanted not in [one.domain for one in skipped]:
        remedy = did_you_mean(wanted, known) or f"there are: {', '.join(known) or 'none'}"
        return Diagnostic("BUR614", f"there is no process domain '{wanted}'", None, (*notes, Note(remedy, "help")))
    remedy = "a family needs a process domain whose number of ids changes with the size"
    return Diagnostic("BUR614", "there are no processes whose number changes", None, (*notes, Note(remedy, "help")))


# ---------------------------------------------------------------- for scripts


def _patterns(found: _Found, form: RegularForm | None, seconds: float) -> Iterator[ProposedObject]:
    """The generators of all proposals."""
    trials = {trial.permutation: trial for trial in found.proposals.trials}
    for number, proposal in enumerate(found.proposals.groups):
        for k, permutation in enumerate(proposal.permutations):
            yield {
                "name": permutation.name,
                "description": describe_permutation(permutation),
                "domains": list(found.domains),
                "group": proposal.group.name,
                "states": permutation.relation(2).size if permutation.is_regular else None,
                "iterations": len(found.proposals.family.sizes),
                "seconds": round(seconds, 6),
                "sizes": list(trials[permutation].agrees),
                "proved": _proved([found.proofs[number][k]]) if form else None,
            }


def _groups(found: _Found, form: RegularForm | None) -> Iterator[GroupObject]:
    family = found.proposals.family
    for number, proposal in enumerate(found.proposals.groups):
        yield {
            "name": proposal.group.name,
            "description": proposal.group.description,
            "domains": list(found.domains),
            "generators": list(proposal.group.generators),
            "exact": _is_exact(family, proposal),
            "orders": {
                size: {"group": own, "induced": induced}
                for size, (own, induced) in zip(family.sizes, proposal.orders, strict=True)
            },
            "proved": _proved(found.proofs[number]) if form else None,
            "proof": [_proof(proof, form) for proof in found.proofs[number]] if form else [],
        }


def _is_exact(family: Family, proposal: Proposal) -> bool:
    return proposal.is_exact and not family.is_partial


def _proved(proofs: Sequence[Proof]) -> bool | None:
    """Yes, no, or not decided."""
    if any(proof.breach is not None for proof in proofs):
        return False
    return True if all(proof.holds for proof in proofs) else None


def _proof(proof: Proof, form: RegularForm) -> ProofObject:
    name = None if proof.permutation is None else proof.permutation.name
    letters = _letters(proof.permutation, form) if proof.permutation else {}
    return {"name": name, "letters": letters, "counterexample": _counterexample(proof, form) or None}


def _letters(permutation: Permutation, form: RegularForm) -> dict[str, str]:
    show = form.system.alphabet.show
    return {show(a): show(b) for a, b in enumerate(permutation.letters)}


def _counterexample(proof: Proof, form: RegularForm) -> str:
    if proof.permutation is None or proof.breach is None:
        return ""
    return proof.breach.explain(form.system.alphabet, proof.permutation)


def _rejected(found: _Found) -> Iterator[RejectedObject]:
    for trial in found.proposals.trials:
        if not trial.is_consistent:
            yield {
                "name": trial.permutation.name,
                "domains": list(found.domains),
                "agrees": list(trial.agrees),
                "fails": list(trial.fails),
                "reason": trial.reason or "it moves nothing at these sizes",
            }


def _size(member: Member) -> SizeObject:
    return {
        "size": member.size,
        "order": member.order,
        "domains": {
            name: {
                "ids": len(action.ids),
                "order": action.order,
                "structure": describe(action.group),
                "without": list(action.without),
            }
            for name, action in member.actions.items()
        },
    }


# ---------------------------------------------------------------- for people


def _size_lines(members: Sequence[Member]) -> Iterator[str]:
    for member in members:
        ways = [f"{len(a.ids)} {printable(name)} in {_ways(a)}" for name, a in member.actions.items()]
        permuting = f", permuting {_listed(ways)}" if ways else ""
        yield f"{member.size}: {_counted(member.order, 'symmetry', 'symmetries')}{permuting}"
        for name, action in member.actions.items():
            yield from (printable(f"  no permutation of {name}: {text}") for text in action.without[:_MOST_SHOWN])
            if len(action.without) > _MOST_SHOWN:
                yield f"  and {len(action.without) - _MOST_SHOWN} more"


def _ways(action: ProcessAction) -> str:
    structure = None if action.group.is_trivial or action.without else describe(action.group)
    least = "at least " if action.without else ""
    return least + _counted(action.order, "way", "ways") + (f" ({structure})" if structure else "")


def _skipped_lines(skipped: Sequence[Skipped]) -> Iterator[str]:
    yield from (printable(f"{one.domain}: {one.reason}, so nothing is proposed") for one in skipped)


def _lines(found: _Found, form: RegularForm | None) -> Iterator[str]:
    names = printable(_listed(found.domains))
    together = " (every symmetry moves them in the same way)" if len(found.domains) > 1 else ""
    yield ""
    yield f"positions 1..n are the ids of {names}{together}"
    for trial in found.proposals.trials:
        mark = "yes" if trial.is_consistent else "no "
        sizes = f"for {_sizes(trial.agrees)}" if trial.agrees else ""
        yield f"{mark}  {trial.permutation.name:<17} {describe_permutation(trial.permutation):<34} {sizes}".rstrip()
        if not trial.is_consistent:
            yield f"       {printable(trial.reason) or 'it moves nothing at these sizes'}"
    for number, proposal in enumerate(found.proposals.groups):
        yield f"proposed for every size: {proposal.group.name} ({proposal.group.description})"
        yield from _relation_lines(found.proposals.family, proposal)
        if form is not None:
            yield from _proof_lines(found.proofs[number], form)
    if len(found.proposals.groups) > 1:
        yield "together"
        yield from _relation_lines(found.proposals.family, found.proposals.together)
    if not found.proposals.groups:
        yield "nothing is proposed: no permutation of the library fits every size"


def _relation_lines(family: Family, proposal: Proposal) -> Iterator[str]:
    """Whether the group is the induced one, or how much of it."""
    if _is_exact(family, proposal):
        yield f"  generates exactly the induced group for {_sizes(family.sizes)}"
        return
    for size, (own, induced) in zip(family.sizes, proposal.orders, strict=True):
        if family.is_partial:
            yield f"  generates a group of order {own:,} for {size}, where not every symmetry permutes ids"
        elif own == induced:
            yield f"  generates exactly the induced group for {size}"
        else:
            yield f"  generates a subgroup of order {own:,} of the induced group of order {induced:,} for {size}"


def _proof_lines(proofs: Sequence[Proof], form: RegularForm) -> Iterator[str]:
    match _proved(proofs):
        case True:
            shown = (describe_permutation(p.permutation, form.system.alphabet) for p in proofs if p.permutation)
            yield f"  proved for every size by {form.name}: {'; '.join(shown)}"
        case None:
            yield f"  not decided by {form.name}: the library has no such permutation of its words"
        case _:
            yield f"  refuted by {form.name}"
            for proof in proofs:
                if proof.breach is not None and proof.permutation is not None:
                    yield f"    {describe_permutation(proof.permutation)}: {_counterexample(proof, form)}"
            yield from _advice(proofs, form)


def _advice(proofs: Sequence[Proof], form: RegularForm) -> Iterator[str]:
    """Perhaps the processes stand elsewhere in the words."""
    permutations = [proof.permutation for proof in proofs if proof.permutation is not None]
    if form.words == Words():
        for option, words in (("--before 1", Words(before=1)), ("--after 1", Words(after=1))):
            if all(proof.holds for proof in prove(form.system, permutations, words)):
                yield f"    it holds with {option}: if one letter of every word stands for something else"


def _sizes(sizes: Sequence[str]) -> str:
    """Sizes one after the other, the name of their constant once.

    >>> _sizes(["N=3", "N=4"])
    'N=3, 4'
    """
    return ", ".join([sizes[0], *(size.partition("=")[2] for size in sizes[1:])])


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _counted(number: int, one: str, several: str) -> str:
    return f"{number:,} {one if number == 1 else several}"
