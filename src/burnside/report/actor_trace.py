"""Steps of actors as sentences: who takes which message from whom, what it changes and what it sends.

Front ends of actor languages name variables ``Class.variable`` and the sequences of a queue ``Class:queue``,
``Class:sender`` and ``Class:argument1``, which are equally long; ``Class:exists`` says which actors there are. An event
is ``Class.message(actor, sender, arguments)``, read from the front of the queue.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import final

from burnside.explore.trace import TraceStep
from burnside.ir.cells import Cells
from burnside.ir.nodes import Item, Model

_EVENT = re.compile(r"(?P<kind>[^.(]+)\.(?P<message>[^(]+)\((?P<actor>[^,)]+), (?P<sender>[^,)]+)(?:, (?P<rest>.*))?\)")
_OWN = re.compile(r"[^.\[]+\.(?P<name>[^\[]+)\[(?P<actor>[^\]]+)\](?P<indices>.*)")
_QUEUE = re.compile(r"(?P<kind>[^:\[]+):queue\[(?P<actor>[^\]]+)\]")
_NOBODY = "nobody"


def speaks_of_actors(model: Model) -> bool:
    """Whether a model comes from a language of actors."""
    return any(v.name.endswith(":queue") and v.is_sequence for v in model.variables)


def creates_actors(model: Model) -> bool:
    """Whether actors are created while a model runs."""
    return any(v.name.endswith(":exists") for v in model.variables)


@final
@dataclass(frozen=True, slots=True)
class Message:
    """A message in a queue, with its arguments; ``sender`` is empty for those that nobody sent."""

    text: str
    sender: str


@final
class Queues:
    """The queues of actors in the states of a model, which are described element by element."""

    def __init__(self, model: Model) -> None:
        events = [rule.event for rule in model.rules]
        # Behind actor and sender, an event has the arguments that its message uses of those that queues have room for.
        self._arguments = {e.name: [a.variable for a in e.arguments[2:] if isinstance(a, Item)] for e in events}

    def waiting(self, described: Mapping[str, str], kind: str, actor: str) -> list[Message]:
        """The messages in the queue of an actor, the first to be taken first."""
        messages = _items(described[f"{kind}:queue[{actor}]"])
        senders = _items(described[f"{kind}:sender[{actor}]"])
        result = []
        for k, (message, sender) in enumerate(zip(messages, senders, strict=True)):
            columns = self._arguments.get(f"{kind}.{message}", ())
            given = ", ".join(_items(described[f"{column}[{actor}]"])[k] for column in columns)
            result.append(Message(f"{message}({given})" if given else message, "" if sender == _NOBODY else sender))
        return result


@final
class ActorSteps:
    """Tells steps of one model."""

    def __init__(self, model: Model) -> None:
        self._cells = Cells(model)
        self._queues = Queues(model)

    def told(self, step: TraceStep) -> tuple[str, str] | None:
        """Who takes what, and what comes of it; None for a step that is none of an actor."""
        event = _EVENT.fullmatch(step.event)
        if event is None:
            return None
        actor, sender = event["actor"], event["sender"]
        arguments = f"({event['rest']})" if event["rest"] else ""
        source = "" if sender == _NOBODY else f" from {'itself' if sender == actor else sender}"
        effects = [*_changes(step, actor), *self._sends(step, actor)]
        return f"{actor} takes {event['message']}{arguments}{source}", "; ".join(effects) or "nothing else happens"

    def _sends(self, step: TraceStep, actor: str) -> Iterator[str]:
        """What is behind the messages that were there already; the actor has taken the first of its own."""
        after = self._cells.describe(step.state)
        before = after | {change.name: change.before for change in step.changes}
        queues = [queue for name in after if (queue := _QUEUE.fullmatch(name))]
        for queue in sorted(queues, key=lambda queue: queue["actor"] != actor):  # to itself first
            receiver = queue["actor"]
            old, new = (self._queues.waiting(described, queue["kind"], receiver) for described in (before, after))
            for message in new[len(old) - (receiver == actor) :]:
                yield f"sends {message.text} to {'itself' if receiver == actor else receiver}"


def _changes(step: TraceStep, actor: str) -> Iterator[str]:
    for change in step.changes:
        own = _OWN.fullmatch(change.name)
        if own is not None:
            owner = "" if own["actor"] == actor else f"{own['actor']}."
            yield f"{owner}{own['name']}{own['indices']}: {change.before} → {change.after}"
        elif ":exists[" in change.name:
            yield f"creates {change.name.partition('[')[2].rstrip(']')}"


def _items(text: str) -> list[str]:
    inner = text.strip("[]")
    return inner.split(", ") if inner else []
