"""Steps of actors as sentences: who takes which message from whom, what it changes and what it sends."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import final

from burnside.ir.cells import Cells, State, process_ids
from burnside.ir.nodes import Domain, Model
from burnside.ir.topology import Queue
from burnside.results.trace import TraceStep
from burnside.values import dataclass


@final
@dataclass(frozen=True, slots=True)
class Message:
    """A message in a queue, with its arguments, and who sent it: an id and a name, or None and nothing."""

    text: str
    sender: int | None
    source: str


@final
class Queues:
    """The queues of actors in the states of a model."""

    def __init__(self, model: Model) -> None:
        self._cells = Cells(model)

    def actors(self, queue: Queue) -> Domain:
        """The ids of the actors that have such a queue."""
        return self._cells.variables[queue.kinds].dimensions[0]

    def waiting(self, state: State, queue: Queue, actor: int) -> list[Message]:
        """The messages in the queue of an actor, the first to be taken first."""
        ids = process_ids(self._cells.variables[queue.senders].domain)
        senders = self._items(state, queue.senders, actor)
        sources = self._texts(state, queue.senders, actor)
        result = []
        for place, kind in enumerate(self._items(state, queue.kinds, actor)):
            message, sender = queue.messages[kind], senders[place]
            given = ", ".join(self._texts(state, column, actor)[place] for column in message.arguments)
            text = f"{message.name}({given})" if given else message.name
            result.append(Message(text, sender, sources[place]) if sender in ids else Message(text, None, ""))
        return result

    def _items(self, state: State, variable: str, actor: int) -> State:
        at = self._cells.position(self._cells.variables[variable], (actor,))
        assert at is not None
        return state[at + 1 : at + 1 + state[at]]

    def _texts(self, state: State, variable: str, actor: int) -> list[str]:
        return list(map(self._cells.variables[variable].domain.text, self._items(state, variable, actor)))


@final
class ActorSteps:
    """Describes steps of one model of actors."""

    def __init__(self, model: Model) -> None:
        self._cells = Cells(model)
        self._queues = Queues(model)
        self._all = [kind.queue for kind in model.actors if kind.queue]
        self._own = {variable: name for kind in model.actors for variable, name in kind.own}
        self._exist = {kind.exists for kind in model.actors}

    def sentences(self, step: TraceStep) -> tuple[str, str] | None:
        """Who takes what, and what comes of it; None if the step is not an actor's."""
        if not step.arguments:
            return None
        actor = step.arguments[0]
        queue = next(queue for queue in self._all if actor in self._queues.actors(queue))
        name = self._queues.actors(queue).text(actor)
        message = self._queues.waiting(step.before, queue, actor)[0]
        source = "itself" if message.sender == actor else message.source
        effects = [*self._changes(step, actor), *self._sends(step, actor)]
        taken = f"{name} takes {message.text}" + (f" from {source}" if source else "")
        return taken, "; ".join(effects) or "nothing else happens"

    def _sends(self, step: TraceStep, actor: int) -> Iterator[str]:
        """Messages appended since the state before; the actor has taken the first of its own."""
        receivers = [(queue, i) for queue in self._all for i in self._queues.actors(queue).values()]
        for queue, receiver in sorted(receivers, key=lambda entry: entry[1] != actor):  # to itself first
            old, new = (self._queues.waiting(state, queue, receiver) for state in (step.before, step.state))
            to = "itself" if receiver == actor else self._queues.actors(queue).text(receiver)
            for message in new[len(old) - (receiver == actor) :]:
                yield f"sends {message.text} to {to}"

    def _changes(self, step: TraceStep, actor: int) -> Iterator[str]:
        for variable in self._cells.model.variables:
            if variable.is_sequence:
                continue
            start = self._cells.starts[variable.name]
            for at, indices in enumerate(product(*(d.values() for d in variable.dimensions)), start):
                if step.before[at] == step.state[at]:
                    continue
                owner = variable.dimensions[0].text(indices[0])
                if variable.name in self._exist:
                    yield f"creates {owner}"
                else:
                    place = self._own[variable.name] + "".join(f"[{i}]" for i in indices[1:])
                    before, after = (variable.domain.text(state[at]) for state in (step.before, step.state))
                    yield f"{'' if indices[0] == actor else f'{owner}.'}{place}: {before} → {after}"
