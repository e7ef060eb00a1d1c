"""What costs symmetry, in words: a sentence for each symmetry that is missing, and the lines it speaks of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath

from burnside.detect.explain import Explanation, PropertyCost
from burnside.detect.losses import Loss, NamedGroup
from burnside.detect.site import Kind, Site, places
from burnside.report.detect_shapes import CulpritObject, ExplanationObject, LossObject, PropertyCostObject
from burnside.source import Span, printable

_MOST_PLACES = 8
_KINDS = {
    Kind.LITERAL: ("the literal", "the literals"),
    Kind.INITIAL: ("the initial value", "the initial values"),
    Kind.RANGE: ("the range", "the ranges"),
}

# ---------------------------------------------------------------- for people


def explanation_lines(explanation: Explanation) -> Iterator[str]:
    """Sentences, each followed by the lines of the text that it names."""
    for said, spans in explanation_sentences(explanation):
        yield said
        yield from _excerpts(spans)


def explanation_sentences(explanation: Explanation) -> Iterator[tuple[str, Sequence[Span]]]:
    """Sentences, and the places that each of them names."""
    for loss in explanation.losses:
        yield loss_sentence(loss), _spans([loss])
    if not explanation.losses and not explanation.unexplained and explanation.is_complete:
        yield NOTHING_MISSING, ()
    together: dict[tuple[tuple[Span, ...], bool], list[str]] = {}
    for domain in explanation.unexplained:
        together.setdefault((domain.together, domain.in_every_way), []).append(domain.name)
    for (spans, in_every_way), domains in together.items():
        yield printable(_unexplained_sentence(domains, spans, in_every_way=in_every_way)), spans
    cheap = []
    for cost in explanation.properties:
        if cost.kept.order < explanation.group.order:
            yield property_sentence(cost, explanation.group), _spans(cost.losses)
        else:
            cheap.append(f"'{printable(cost.name)}'")
    if cheap:
        yield f"{'properties' if len(cheap) > 1 else 'property'} {listed(cheap)} {_keep(len(cheap))} all symmetries", ()
    if explanation.elsewhere:
        names = listed([f"'{printable(name)}'" for name in explanation.elsewhere])
        yield f"what {names} {_keep(len(explanation.elsewhere))} is found by 'burnside check'", ()
    if not explanation.is_complete:
        yield INCOMPLETE, ()


def _unexplained_sentence(names: Sequence[str], spans: Sequence[Span], *, in_every_way: bool) -> str:
    said = f"not all processes of {listed(names)} can be exchanged"
    if not in_every_way:
        said = f"the processes of {listed(names)} can be exchanged in some ways only"
    if not spans:
        return f"{said}, for reasons that have no single place"
    return f"{said}: which of them act together is said {_at_places(spans)}"


def _keep(count: int) -> str:
    return "keep" if count > 1 else "keeps"


def _spans(losses: Iterable[Loss]) -> tuple[Span, ...]:
    return places(span for loss in losses for site in loss.sites for span in site.places)


NOTHING_MISSING = "nothing in the text costs symmetry: what is declared alike can be exchanged"
INCOMPLETE = "this is not all: the model is too large, or there was too little time, to look at everything"


def loss_sentence(loss: Loss) -> str:
    """Who is told apart, by what, and what the group would be without that."""
    said = f"{_told_apart(loss)}; {_remedy(loss)} {_gain(loss)}"
    for other in loss.others:
        said += f" (or without {places_text(other)})"
    return printable(said)


def _gain(loss: Loss) -> str:
    """What there would be; a group that is no larger can still exchange what is told apart."""
    if loss.without.order <= loss.group.order:
        shown = loss.without.structure or f"{loss.without.order:,} of them"
        return f"other renamings: {shown} instead of {loss.group.structure or loss.group.order}"
    return f"{group_text(loss.without)} instead of {_figure(loss.group)}"


def _figure(group: NamedGroup) -> str:
    return f"{group.order:,}" if group.order == 1 or not group.structure else f"{group.order:,}, {group.structure}"


def property_sentence(cost: PropertyCost, group: NamedGroup) -> str:
    """The symmetries that a property keeps, and why not the others."""
    if cost.kept.order >= group.order:
        return printable(f"property '{cost.name}' keeps all symmetries")
    said = f"property '{cost.name}' keeps {cost.kept.order:,} of {group_text(group).rstrip(',')}"
    sites = [*dict.fromkeys(site for loss in cost.losses for site in loss.sites)]
    return printable(f"{said}: it has {places_text(sites)}" if sites else said)


def group_text(group: NamedGroup) -> str:
    """A group by its order and what it does.

    >>> group_text(NamedGroup(5, "C5 (P)")), group_text(NamedGroup(12, None)), group_text(NamedGroup(2, "S2 (P)", True))
    ('5 symmetries, C5 (P),', '12 symmetries', '2 renamings, S2 (P),')
    """
    return f"{group.order:,} {_of_what(group)}" + (
        f", {group.structure}," if group.structure and group.order > 1 else ""
    )


def _of_what(group: NamedGroup) -> str:
    return "renamings" if group.are_renamings else "symmetries"


def _told_apart(loss: Loss) -> str:
    sort = loss.sort.name
    if not loss.values:
        return f"the order of {sort} is used by {places_text(loss.sites)}"
    one, many = ("process", "processes") if loss.sort.is_process else ("value", "values")
    if len(loss.values) == 1:
        return f"{one} {loss.values[0]} of {sort} is singled out by {places_text(loss.sites)}"
    return f"{many} {listed(loss.values)} of {sort} are singled out by {places_text(loss.sites)}"


def _remedy(loss: Loss) -> str:
    spans = [span for site in loss.sites if site.kind is Kind.LITERAL for span in site.places]
    if not loss.sort.is_process and len(loss.values) == 1 and spans and all(s.text.isdigit() for s in spans):
        return "with a label of its own,"
    return "without it" if sum(len(site.places) for site in loss.sites) == 1 else "without them"


def places_text(sites: Iterable[Site]) -> str:
    """Sites with their places, those of one kind together: ``the literal at 3:4 and 5:6 and the range at 7:8``."""
    together: dict[tuple[str, str], list[Span]] = {}
    for site in sorted(sites, key=lambda s: (s.places[0].source.name, s.places[0].start)):
        together.setdefault(_site_words(site), []).extend(site.places)
    files = {PurePath(span.source.name) for spans in together.values() for span in spans}
    where = "".join(f" of {file.name}" for file in files if file.suffix == ".property")  # a file of their own
    return listed([_at(words, places(spans)) for words, spans in together.items()]) + where


def _site_words(site: Site) -> tuple[str, str]:
    """What stands at a site, for one place and for several."""
    if site.kind is Kind.INITIAL and not site.text:
        return "what it begins with", "what they begin with"
    if site.kind in (Kind.LITERAL, Kind.INITIAL) and site.value is None:
        return f"the initial values of '{site.text}'", f"the initial values of '{site.text}'"
    if site.kind is Kind.LITERAL:
        shown = site.places[0].text
        return (f"the literal {shown}",) * 2 if shown.isidentifier() else (_KINDS[site.kind][0],) * 2
    if site.kind in _KINDS:
        return _KINDS[site.kind]
    words = {Kind.LIST: "the list ", Kind.RULE: "rule "}
    named = f"{words.get(site.kind, '')}'{site.text}'"
    return named, named


def _at(words: tuple[str, str], spans: Sequence[Span]) -> str:
    return f"{words[len(spans) > 1]} {_at_places(spans)}"


def _at_places(spans: Sequence[Span]) -> str:
    shown = [place_text(span) for span in spans[:_MOST_PLACES]]
    if len(spans) > len(shown):
        shown.append(f"{len(spans) - len(shown)} more places")
    return f"at {listed(shown)}"


def place_text(span: Span) -> str:
    """Line and column."""
    line, column = span.source.position(span.start)
    return f"{line}:{column}"


def listed(texts: Sequence[str]) -> str:
    """Several texts as one: ``a, b and c``."""
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def _excerpts(spans: Sequence[Span]) -> Iterator[str]:
    """The lines of some places, each once."""
    lines = {(s.source.name, s.source.position(s.start)[0]): s for s in spans}
    for (_, number), span in [*lines.items()][:_MOST_PLACES]:
        yield printable(f"  {number:>5} | {span.source.line_at(span.start).strip()}")


# ---------------------------------------------------------------- for scripts


def explanation_object(explanation: Explanation) -> ExplanationObject:
    """The object for an explanation; its first list has every place that is named, in the order of the sentences."""
    losses = [*explanation.losses, *(loss for cost in explanation.properties for loss in cost.losses)]
    return {
        "culprits": [culprit for number, loss in enumerate(losses) for culprit in _culprits(loss, number)],
        "losses": [*map(_loss_object, losses)],
        "properties": [_cost_object(cost, explanation.group) for cost in explanation.properties],
        "elsewhere": list(explanation.elsewhere),
        "complete": explanation.is_complete,
        "unexplained": [domain.name for domain in explanation.unexplained],
    }


def _culprits(loss: Loss, number: int) -> Iterator[CulpritObject]:
    for site in loss.sites:
        for span in site.places:
            line, column = span.source.position(span.start)
            yield {
                "file": span.source.name,
                "line": line,
                "column": column,
                "text": span.text,
                "kind": site.kind.value,
                "order_without": loss.without.order,
                "loss": number,
            }


def _loss_object(loss: Loss) -> LossObject:
    return {
        "domain": loss.sort.name,
        "values": list(loss.values),
        "order": loss.group.order,
        "order_without": loss.without.order,
        "structure_without": loss.without.structure,
        "of": _of_what(loss.without),
        "sentence": loss_sentence(loss),
    }


def _cost_object(cost: PropertyCost, group: NamedGroup) -> PropertyCostObject:
    return {
        "name": cost.name,
        "order": cost.kept.order,
        "structure": cost.kept.structure,
        "sentence": property_sentence(cost, group),
    }
