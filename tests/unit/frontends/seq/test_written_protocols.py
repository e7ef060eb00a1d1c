"""Protocols of the examples, each beside a successor function that is written by hand from the published algorithm.

States are the author's own: lists, sets and dictionaries made into tuples, with nothing of how the tool lays them out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any, TypeAlias

import pytest

import burnside

State: TypeAlias = tuple[Any, ...]
Steps: TypeAlias = Callable[[State], Iterator[State]]

PROTOCOLS = Path(__file__).parents[4] / "examples" / "protocols"


def walk(first: State, steps: Steps) -> tuple[dict[State, int], int]:
    """All states with their distances, and how many steps there are."""
    distance = {first: 0}
    level, count = [first], 0
    while level:
        coming = []
        for state in level:
            for after in steps(state):
                count += 1
                if after not in distance:
                    distance[after] = distance[state] + 1
                    coming.append(after)
        level = coming
    return distance, count


def changed(values: tuple[Any, ...], at: int, value: Any) -> tuple[Any, ...]:
    return (*values[:at], value, *values[at + 1 :])


# ---------------------------------------------------------------- Raft: for each server (term, leads, committed, log)


def raft(n: int, terms: int, length: int, commits_old: bool) -> tuple[State, Steps, Callable[[State], bool]]:
    everybody = range(n)
    quorums = [set(q) for size in range(n // 2 + 1, n + 1) for q in combinations(everybody, size)]

    def key(log: tuple[int, ...]) -> tuple[int, int]:
        return (log[-1] if log else 0, len(log))

    def steps(state: State) -> Iterator[State]:
        for i in everybody:
            yield from elections(state, i)
            if state[i][1]:
                yield from of_leader(state, i)

    def elections(state: State, i: int) -> Iterator[State]:
        for voters in quorums:
            for term in range(terms + 1):
                willing = all(state[j][0] < term and key(state[i][3]) >= key(state[j][3]) for j in voters)
                if i in voters and willing:
                    yield tuple((term, j == i, *s[2:]) if j in voters else s for j, s in enumerate(state))

    def of_leader(state: State, i: int) -> Iterator[State]:
        term, _, committed, log = state[i]
        yield changed(state, i, (term, False, committed, log))
        if len(log) < length:
            yield changed(state, i, (term, True, committed, (*log, term)))
        for j in everybody:
            yield from with_other(state, i, j)
        for k in range(committed, len(log)):
            copies = [s for s in state if s[0] == term and s[3][k : k + 1] == log[k : k + 1]]
            if 2 * len(copies) > n and (commits_old or log[k] == term):
                yield changed(state, i, (term, True, k + 1, log))

    def with_other(state: State, i: int, j: int) -> Iterator[State]:
        (term, _, committed, log), other = state[i], state[j]
        for k in range(len(log)):
            is_new = other[3][k : k + 1] != log[k : k + 1]
            fits = k == 0 or other[3][k - 1 : k] == log[k - 1 : k]
            if j != i and other[0] <= term and is_new and fits:
                leads = other[1] and other[0] == term
                yield changed(state, j, (term, leads, other[2], (*other[3][:k], log[k])))
        if other[0] == term and other[2] < committed and other[3][:committed] == log[:committed]:
            yield changed(state, j, (term, other[1], committed, other[3]))

    def is_wrong(state: State) -> bool:
        return any(b[1] and a[0] <= b[0] and a[3][: a[2]] != b[3][: a[2]] for a in state for b in state)

    return ((0, False, 0, ()),) * n, steps, is_wrong


# ---------------------------------------------------------------- two-phase commit: nodes, coordinator, log, messages


def commit(n: int, announces_first: bool) -> tuple[State, Steps, Callable[[State], bool]]:
    down = (False, frozenset(), None)

    def steps(state: State) -> Iterator[State]:
        nodes, (is_up, votes, _), logged, sent = state
        if not is_up:
            found = logged or "abort"
            yield nodes, (True, votes, found), logged if announces_first else found, sent
        else:
            yield nodes, down, logged, sent
            yield from of_coordinator(state)
        for i, phase in enumerate(nodes):
            if phase == "working":
                yield changed(nodes, i, "aborted"), state[1], logged, sent
                if "prepare" in sent:
                    yield changed(nodes, i, "prepared"), state[1], logged, sent | {("yes", i)}
            if phase in ("working", "prepared"):
                for said in {"commit", "abort"} & sent:
                    yield changed(nodes, i, "committed" if said == "commit" else "aborted"), state[1], logged, sent

    def of_coordinator(state: State) -> Iterator[State]:
        nodes, (_, votes, decision), logged, sent = state
        for i in range(n):
            if ("yes", i) in sent and i not in votes:
                yield nodes, (True, votes | {i}, decision), logged, sent
        if decision is None:
            if "prepare" not in sent:
                yield nodes, state[1], logged, sent | {"prepare"}
            for choice in ["abort"] + ["commit"] * (len(votes) == n):
                yield nodes, (True, votes, choice), logged if announces_first else choice, sent
        else:
            if decision not in sent:
                yield nodes, state[1], logged, sent | {decision}
            if decision != logged:
                yield nodes, state[1], decision, sent

    def is_wrong(state: State) -> bool:
        return {"committed", "aborted"} <= set(state[0])

    return (("working",) * n, (True, frozenset(), None), None, frozenset()), steps, is_wrong


# ---------------------------------------------------------------- chain replication: servers that are left, and replies


def chain(n: int, values: int, updates: int, forgets: bool) -> tuple[State, Steps, Callable[[State], bool]]:
    """A server is its place, its history, how much of it was sent, and what is on its way to the next one.

    What servers that failed have left behind is part of a state of the model: their histories and how much they sent.
    """

    def steps(state: State) -> Iterator[State]:
        servers, gone, replies = state
        first, last = servers[0], servers[-1]
        if len(first[1]) < updates:
            for v in range(1, values + 1):
                grown = (first[0], (*first[1], v), first[2], first[3])
                yield (grown, *servers[1:]), gone, replies
        if len(replies) < len(last[1]):
            yield servers, gone, (*replies, last[1][len(replies)])
        for at in range(len(servers) - 1):
            yield from moved(state, at)
        if len(servers) > 1:
            for at in range(len(servers)):
                yield failed(state, at)

    def moved(state: State, at: int) -> Iterator[State]:
        servers, gone, replies = state
        (place, history, sent, link), after = servers[at], servers[at + 1]
        if sent < len(history) and len(link) < updates:
            yield changed(servers, at, (place, history, sent + 1, (*link, history[sent]))), gone, replies
        if link:
            taken = changed(servers, at, (place, history, sent, link[1:]))
            yield changed(taken, at + 1, (after[0], (*after[1], link[0]), *after[2:])), gone, replies

    def failed(state: State, at: int) -> State:
        servers, gone, replies = state
        left = (*servers[:at], *servers[at + 1 :])
        if at:
            place, history, sent, _ = left[at - 1]
            lacking = len(left[at][1]) if at < len(left) else 0
            left = changed(left, at - 1, (place, history, sent if forgets else lacking, ()))
        return left, gone | {servers[at][:3]}, replies

    def is_wrong(state: State) -> bool:
        servers = state[0]
        return any(a[1][: len(b[1])] != b[1] for k, a in enumerate(servers) for b in servers[k + 1 :])

    return (tuple((p, (), 0, ()) for p in range(n)), frozenset(), ()), steps, is_wrong


# ---------------------------------------------------------------- a counter: what replicas know and have sent


def counter(n: int, most: int, by_sum: bool) -> tuple[State, Steps, Callable[[State], bool]]:
    def merged(a: int, b: int) -> int:
        return min(a + b, most) if by_sum else max(a, b)

    def steps(state: State) -> Iterator[State]:
        known, sent, balance = state
        for i in range(n):
            yield known, changed(sent, i, known[i]), balance
            for sign in range(2):
                own = known[i][i]
                if own[sign] < most:
                    grown = changed(known[i], i, changed(own, sign, own[sign] + 1))
                    yield changed(known, i, grown), sent, balance + (-1 if sign else 1)
            for other in set(range(n)) - {i}:
                pairs = zip(known[i], sent[other], strict=True)
                heard = tuple((merged(a, c), merged(b, d)) for (a, b), (c, d) in pairs)
                yield changed(known, i, heard), sent, balance

    def is_wrong(state: State) -> bool:
        known = state[0]
        return any(known[i][j][s] > known[j][j][s] for i in range(n) for j in range(n) for s in range(2))

    nothing = (((0, 0),) * n,) * n
    return (nothing, nothing, 0), steps, is_wrong


# ---------------------------------------------------------------- both

CASES = [
    ("raft_log", {"N": 3, "TERMS": 2, "LENGTH": 2, "COMMITS_OLD_TERMS": False}, raft, "complete"),
    ("raft_log", {"N": 3, "TERMS": 4, "LENGTH": 1, "COMMITS_OLD_TERMS": True}, raft, "complete"),
    ("two_phase_recovery", {"N": 2, "ANNOUNCES_FIRST": False}, commit, "agreement"),
    ("two_phase_recovery", {"N": 3, "ANNOUNCES_FIRST": True}, commit, "agreement"),
    ("chain_replication", {"N": 3, "VALUES": 2, "UPDATES": 2, "FORGETS_SENT": False}, chain, "in_order"),
    ("chain_replication", {"N": 3, "VALUES": 2, "UPDATES": 2, "FORGETS_SENT": True}, chain, "in_order"),
    ("pn_counter", {"REPLICAS": 2, "MOST": 1, "MERGES_BY_SUM": False}, counter, "no_more"),
    ("pn_counter", {"REPLICAS": 2, "MOST": 2, "MERGES_BY_SUM": True}, counter, "no_more"),
]


@pytest.mark.parametrize(("name", "constants", "written", "claim"), CASES)
def test_a_protocol_is_what_is_written_by_hand(name, constants, written, claim):
    """The same states, steps and depth; the claim is violated exactly if the function says so, after as many steps."""
    first, steps, is_wrong = written(*constants.values())
    distance, transitions = walk(first, steps)
    wrong = [d for state, d in distance.items() if is_wrong(state)]
    model = burnside.load(PROTOCOLS / f"{name}.seq", **constants)
    found = model.count(symmetry="none").as_dict()
    (checked,) = [p for p in model.check(symmetry="none").as_dict()["properties"] if p["name"] == claim]

    assert (found["states"], found["transitions"]) == (len(distance), transitions)
    assert found["depth"] == max(distance.values())
    assert checked["verdict"] == ("violated" if wrong else "holds")
    if wrong:
        assert len(checked["trace"]["steps"]) == min(wrong)
