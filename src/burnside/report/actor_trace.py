"""Steps of actors as sentences: who takes which message from whom, what it changes and what it sends.

Front ends of actor languages name variables ``Class.variable`` and the sequences of a queue ``Class:queue``,
``Class:sender`` and ``Class:argument1``; ``Class:exists`` says which actors there are. The event of a step is
``Class.message(actor, sender, arguments)``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from burnside.explore.trace import TraceStep
from burnside.ir.nodes import Model

_EVENT = re.compile(r"(?P<kind>[^.(]+)\.(?P<message>[^(]+)\((?P<actor>[^,)]+), (?P<sender>[^,)]+)(?:, (?P<rest>.*))?\)")
_QUEUE = re.compile(r"(?P<kind>[^:\[]+):(?P<part>queue|sender|argument\d+)\[(?P<actor>[^\]]+)\]")
_OWN = re.compile(r"[^.\[]+\.(?P<name>[^\[]+)\[(?P<actor>[^\]]+)\](?P<indices>.*)")
_FILLERS = ("none",)


def speaks_of_actors(model: Model) -> bool:
    """Whether a model comes from a language of actors."""
    return any(v.name.endswith(":queue") and v.is_sequence for v in model.variables)


def creates_actors(model: Model) -> bool:
    """Whether actors are created while a model runs."""
    return any(v.name.endswith(":exists") for v in model.variables)


def actor_step(step: TraceStep) -> tuple[str, str] | None:
    """Who takes what, and what comes of it; None for a step that is none of an actor."""
    event = _EVENT.fullmatch(step.event)
    if event is None:
        return None
    actor, message = event["actor"], event["message"]
    arguments = f"({event['rest']})" if event["rest"] else ""
    sender = "" if event["sender"] == "nobody" else f" from {'itself' if event['sender'] == actor else event['sender']}"
    effects = [*_changes(step, actor), *_sends(step, actor, message)]
    return f"{actor} takes {message}{arguments}{sender}", "; ".join(effects) or "nothing else happens"


def _changes(step: TraceStep, actor: str) -> Iterator[str]:
    for change in step.changes:
        own = _OWN.fullmatch(change.name)
        if own is not None:
            owner = "" if own["actor"] == actor else f"{own['actor']}."
            yield f"{owner}{own['name']}{own['indices']}: {change.before} → {change.after}"
        elif ":exists[" in change.name:
            yield f"creates {change.name.partition('[')[2].rstrip(']')}"


def _sends(step: TraceStep, actor: str, message: str) -> Iterator[str]:
    # A queue that looks the same lost a message and got an equal one.
    parts: dict[str, dict[str, list[str]]] = {actor: {"queue": [message]}}
    for change in step.changes:
        queue = _QUEUE.fullmatch(change.name)
        if queue is not None:
            before, after = _items(change.before), _items(change.after)
            gone = 1 if queue["actor"] == actor else 0
            parts.setdefault(queue["actor"], {})[queue["part"]] = after[max(0, len(before) - gone) :]
    for receiver, columns in parts.items():
        for number, sent in enumerate(columns.get("queue", ())):
            to = "itself" if receiver == actor else receiver
            yield f"sends {sent}{_arguments(columns, number)} to {to}"


def _arguments(columns: Mapping[str, list[str]], number: int) -> str:
    names = sorted(part for part in columns if part.startswith("argument"))
    items = [columns[name][number] for name in names if number < len(columns[name])]
    shown = [item for item in items if item not in _FILLERS]
    return f"({', '.join(shown)})" if shown else ""


def _items(text: str) -> list[str]:
    inner = text.strip("[]")
    return inner.split(", ") if inner else []
