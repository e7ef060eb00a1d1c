"""Values with parts, as they are shown: ``{kind: ask, from: 2}``, ``{0, 2}``, ``Ask {from: 1}``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Final, TypeAlias

from burnside.ir.nodes import Domain
from burnside.ir.wholes import Argument, Collection, Fields, Form, Single

_SIGNS: Final = frozenset("{}[](),:.→× ")  # of values with parts

Spelling: TypeAlias = tuple[Domain, int]


def element_text(form: Form, values: Mapping[str, Spelling]) -> str:
    """An element of a set or bag, or an argument, by the values of its parts."""
    match form:
        case Fields():
            return record_text(form, lambda inner: element_text(inner, values), values.__getitem__)
        case Collection(variable=name, element=element):
            asked = ((e, spelled_parts(form, e)) for e in elements_of(form))
            there = (inner for e, inner in asked if values[name + _in_brackets(form, e)][1])
            return f"{{{', '.join(element_text(element, inner) for inner in there)}}}"
        case Single(name=name):
            domain, value = values[name]
            return unmistakable(domain.text(value))
        case _:
            raise AssertionError("a sequence is not a single value")


def elements_of(form: Collection) -> Iterator[tuple[int, ...]]:
    """What could be in a set or bag, each as the numbers of its parts."""
    return product(*(domain.values() for _, domain in form.parts))


def spelled_parts(form: Collection, numbers: Sequence[int]) -> dict[str, Spelling]:
    """The parts of an element of a set or bag, by name."""
    return {name: (domain, number) for (name, domain), number in zip(form.parts, numbers, strict=True)}


def _in_brackets(form: Collection, numbers: Sequence[int]) -> str:
    return "".join(f"[{d.text(k)}]" for (_, d), k in zip(form.parts, numbers, strict=True))


def record_text(form: Fields, text: Callable[[Form], str], spelled: Callable[[str], Spelling]) -> str:
    """The fields of a record; of a union, the name of the variant, and its own."""
    shown = [(name, f"{unmistakable(name)}: {text(inner)}") for name, inner in form.fields]
    if not form.variants:
        return f"{{{', '.join(field for _, field in shown)}}}"
    domain, number = spelled(tag_of(form))
    own, label = form.variants[number], unmistakable(domain.text(number))
    return f"{label} {{{', '.join(field for name, field in shown[1:] if name in own)}}}" if own else label


def unmistakable(name: str) -> str:
    """A name or label within a value: in backquotes, as in a text, if it could be taken for something else there."""
    return f"`{name}`" if _SIGNS & set(name) else name


def tag_of(form: Fields) -> str:
    """The name of the part that says which variant of a union a value is."""
    tag = form.fields[0][1]
    assert isinstance(tag, Single)
    return tag.name


def repeated(counts: Counter[str]) -> Iterator[str]:
    """The elements of a set or bag."""
    return (text if count == 1 else f"{text} ×{count}" for text, count in counts.items())


def argument_texts(spelled: Sequence[Spelling], written: Sequence[Argument | None]) -> tuple[str, ...]:
    """Single values in a row as the arguments that they are; ``written`` says of a value which one begins with it."""
    texts: list[str] = []
    at = 0
    while at < len(spelled):
        argument = written[at] if written else None
        if argument is None:
            domain, value = spelled[at]
            texts.append(domain.text(value))
            at += 1
        else:
            end = at + len(argument.names)
            texts.append(element_text(argument.form, dict(zip(argument.names, spelled[at:end], strict=True))))
            at = end
    return tuple(texts)
