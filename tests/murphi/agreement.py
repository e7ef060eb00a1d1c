"""A text through the front end beside the interpreter: the same states, steps, faults and verdicts."""

from __future__ import annotations

from collections import Counter
from enum import Enum, auto

from burnside.claims.kinds import Invariant
from burnside.frontends.kit.options import NO_OPTIONS, Options
from burnside.frontends.murphi import load
from burnside.frontends.murphi.read.parse import parse
from burnside.ir.cells import Cells
from burnside.ir.initial import initial
from burnside.ir.semantics import Fault, FaultRaised, evaluate, successors
from burnside.source import Diagnostics, Source, render
from murphi import interpreter
from murphi.interpreter import Faulted, Scalar

UNFORESEEABLE = "assumptions cannot be followed"


class Outcome(Enum):
    """How a comparison ended."""

    TO_THE_END = auto()
    FAULTS = auto()
    AT_THE_START = auto()
    TOO_LARGE = auto()
    UNFORESEEABLE = auto()  # an assumption that a loop without a known end stands in front of


def compare(text, name="a text", *, dialect="rumur", most=600):
    """Compare a text with itself; fails where they differ."""
    source = Source(name, text)
    diagnostics = Diagnostics()
    items = parse(source, diagnostics)
    loaded = load(source, {}, Options({"dialect": dialect}) if dialect else NO_OPTIONS)
    if not loaded.tasks and all(d.message.startswith(UNFORESEEABLE) for d in loaded.diagnostics):
        return Outcome.UNFORESEEABLE
    assert loaded.tasks, "\n".join(render(d) for d in loaded.diagnostics) + f"\n{name}\n{text}"
    model = interpreter.understand(items, copies_undefined=dialect == "cmurphi")
    explored = interpreter.explore(model, most)
    if explored is None:
        return Outcome.TOO_LARGE
    steps, failed, states = explored
    lowered = loaded.tasks[0].model
    try:
        first = {cells_as_texts(lowered, state): state for state in initial(lowered)}
    except FaultRaised:
        assert failed, f"{name}: a start state fails only in the model\n{text}"
        return Outcome.AT_THE_START
    assert not failed, f"{name}: a start state fails only for the interpreter\n{text}"
    mine = {key: leaf_texts(content) for key, content in states.items()}
    expected = {mine[key]: translated(counts, mine) for key, counts in steps.items()}
    found = explored_model(lowered, first, len(expected))
    assert found == expected, f"{name}\n{difference(found, expected)}\n{text}"
    same_verdicts(loaded.tasks[0], model, states, lowered, f"{name}\n{text}")
    return Outcome.FAULTS if any("fault" in counts for counts in expected.values()) else Outcome.TO_THE_END


def same_verdicts(task, model, states, lowered, where):
    """Invariants hold in the same states."""
    cells = Cells(lowered)
    by_texts = {}
    for content in states.values():
        by_texts[leaf_texts(content)] = content
    properties = [(item, around) for item, around in model.properties if item.word == "invariant"]
    claims = [claim for claim in task.claims if isinstance(claim, Invariant)]
    for state in reachable(lowered):
        content = by_texts[cells_as_texts(lowered, state)]
        for claim, (item, around) in zip(claims, properties, strict=True):
            try:
                own = bool(evaluate(cells, claim.condition, state))
            except FaultRaised:
                own = "fault"
            try:
                other = interpreter.holds(model, content, item, around)
            except Faulted:
                other = "fault"
            assert own == other, f"{claim.name}: {own}, not {other}\n{where}"


def reachable(lowered):
    """All states of a model."""
    found = dict.fromkeys(initial(lowered))
    waiting = [*found]
    while waiting:
        for outcome in successors(lowered, waiting.pop()):
            if not isinstance(outcome, Fault) and outcome.state not in found:
                found[outcome.state] = None
                waiting.append(outcome.state)
    return found


def explored_model(lowered, first, most):
    """What happens in the states of the lowered model."""
    found = dict(first)
    waiting = list(first.items())
    steps = {}
    while waiting and len(found) <= most + 1:
        key, state = waiting.pop()
        counts = Counter()
        for outcome in successors(lowered, state):
            if isinstance(outcome, Fault):
                counts["fault"] += 1
                continue
            goal = cells_as_texts(lowered, outcome.state)
            counts[goal] += 1
            if goal not in found:
                found[goal] = outcome.state
                waiting.append((goal, outcome.state))
        steps[key] = counts
    return steps


def translated(counts, mine):
    """Steps of the interpreter with states as texts."""
    return Counter({goal if goal == "fault" else mine[goal]: count for goal, count in counts.items()})


def cells_as_texts(lowered, state):
    """The single values of a state, in an order that both sides have: by name."""
    return tuple(sorted(Cells(lowered).describe(state).items()))


def leaf_texts(content):
    """The same for a state of the interpreter."""
    return tuple(sorted((name, shown(value)) for name, part in content.items() for name, value in _leaves(name, part)))


def _leaves(name, part):
    if isinstance(part, list):
        yield name, part[0]
        return
    for key, inner in part.items():
        step = f".{key}" if isinstance(key, interpreter.Field) else f"[{shown(key)}]"
        yield from _leaves(name + step, inner)


def shown(value):
    """A value as traces show it."""
    if value is None:
        return "Undefined"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value.kind}_{value.number}" if isinstance(value, Scalar) else str(value)


def difference(found, expected):
    """What to look at first."""
    for key in sorted({*found, *expected}, key=str):
        if found.get(key) != expected.get(key):
            return f"in {dict(key)}:\nmodel {found.get(key)}\ninterpreter {expected.get(key)}"
    return ""
