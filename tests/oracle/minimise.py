"""Smaller models that still show a difference."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from .interpreter import TooLarge
from .language import Model


def smaller(model: Model, is_interesting: Callable[[Model], bool]) -> Model:
    """Leave out and shorten parts as long as the model stays interesting."""
    tried: set[str] = set()

    def keeps(candidate: Model) -> bool:
        key = repr(candidate)
        if key in tried:
            return False
        tried.add(key)
        try:
            return is_interesting(candidate)
        except (TooLarge, KeyError, ValueError, IndexError, AttributeError):  # what is left makes no sense
            return False

    while True:
        found = next((c for c in _candidates(model) if keeps(c)), None)
        if found is None:
            return model
        model = found


def _candidates(model: Model) -> Iterator[Model]:
    for part in ("properties", "rules", "starts", "variables", "definitions", "initially", "domains"):
        entries = getattr(model, part)
        for k in range(len(entries)):
            yield replace(model, **{part: entries[:k] + entries[k + 1 :]})
    if model.terminal is not None:
        yield replace(model, terminal=None)
        yield from (replace(model, terminal=t) for t in _shorter(model.terminal))
    for part in ("rules", "starts", "properties"):
        entries = getattr(model, part)
        for k, entry in enumerate(entries):
            for shorter in _shorter_entry(entry):
                yield replace(model, **{part: (*entries[:k], shorter, *entries[k + 1 :])})


def _shorter_entry(entry: Any) -> Iterator[Any]:
    if hasattr(entry, "body"):
        for k in range(len(entry.body)):
            yield replace(entry, body=entry.body[:k] + entry.body[k + 1 :])
            yield from (
                replace(entry, body=(*entry.body[:k], s, *entry.body[k + 1 :])) for s in _shorter(entry.body[k])
            )
        if entry.guard is not None:
            yield replace(entry, guard=None)
            yield from (replace(entry, guard=g) for g in _shorter(entry.guard))
        if entry.event is not None:
            yield replace(entry, event=None)
        if entry.actors is not None:
            yield replace(entry, actors=None)
        condition = None
    else:
        condition = entry.condition
    if condition is not None:
        yield from (replace(entry, condition=c) for c in _shorter(condition))
    for k in range(len(entry.parameters)):
        yield replace(entry, parameters=entry.parameters[:k] + entry.parameters[k + 1 :])


def _shorter(tree: Any) -> Iterator[Any]:
    """A part in the place of the whole, or the whole with a shorter part; what makes no sense is refused elsewhere."""
    if not isinstance(tree, tuple) or not tree:
        return
    for k, part in enumerate(tree):
        if isinstance(part, tuple) and part and isinstance(part[0], str):
            yield part
        if isinstance(part, tuple):
            for shorter in _shorter(part):
                yield (*tree[:k], shorter, *tree[k + 1 :])
