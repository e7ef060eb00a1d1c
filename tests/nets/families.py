"""Nets of any size whose symmetries are known, written out place by place."""

from __future__ import annotations

from nets.texts import place, plain, transition


def philosophers(n: int) -> str:
    """Each takes the fork on either side, then the other one: the ring can be turned and turned over."""
    text = ""
    for i in range(n):
        left, right = f"fork{i}", f"fork{(i + 1) % n}"
        text += place(f"thinks{i}", 1) + place(left, 1) + place(f"left{i}") + place(f"right{i}") + place(f"eats{i}")
        text += transition(f"take_left{i}", {f"thinks{i}": 1, left: 1}, {f"left{i}": 1})
        text += transition(f"take_right{i}", {f"thinks{i}": 1, right: 1}, {f"right{i}": 1})
        text += transition(f"then_right{i}", {f"left{i}": 1, right: 1}, {f"eats{i}": 1})
        text += transition(f"then_left{i}", {f"right{i}": 1, left: 1}, {f"eats{i}": 1})
        text += transition(f"put{i}", {f"eats{i}": 1}, {f"thinks{i}": 1, left: 1, right: 1})
    return plain(text)


def referendum(n: int) -> str:
    """All vote at once, then each for one of two: voters can be exchanged, and for each of them the two."""
    text = place("ready", 1) + transition("call", {"ready": 1}, {f"votes{i}": 1 for i in range(n)})
    for i in range(n):
        text += place(f"votes{i}") + place(f"yes{i}") + place(f"no{i}")
        text += transition(f"yes{i}.", {f"votes{i}": 1}, {f"yes{i}": 1})
        text += transition(f"no{i}.", {f"votes{i}": 1}, {f"no{i}": 1})
    return plain(text)


def token_ring(n: int) -> str:
    """Dijkstra's ring: a process copies the number of the one before it; the first one counts on where both have the
    same. Each begins with a number of its own, so there is no symmetry.
    """
    text = "".join(place(f"p{i}_{v}", int(v == i)) for i in range(n) for v in range(n))
    for v in range(n):
        last = f"p{n - 1}_{v}"
        text += transition(f"on{v}", {f"p0_{v}": 1, last: 1}, {f"p0_{(v + 1) % n}": 1, last: 1})
        for i in range(1, n):
            for w in set(range(n)) - {v}:
                read = {f"p{i - 1}_{w}": 1}
                text += transition(f"copy{i}_{v}_{w}", {f"p{i}_{v}": 1} | read, {f"p{i}_{w}": 1} | read)
    return plain(text)


def shared_memory(n: int) -> str:
    """Processors with a memory each and one bus to those of the others: they can be exchanged, and so pairs of them."""
    text = place("bus", 1)
    for i in range(n):
        text += place(f"works{i}", 1) + place(f"own{i}") + place(f"waits{i}") + place(f"memory{i}", 1)
        text += transition(f"begin{i}", {f"works{i}": 1, f"memory{i}": 1}, {f"own{i}": 1})
        text += transition(f"end{i}", {f"own{i}": 1}, {f"works{i}": 1, f"memory{i}": 1})
        text += transition(f"ask{i}", {f"works{i}": 1}, {f"waits{i}": 1})
        for j in set(range(n)) - {i}:
            text += place(f"uses{i}_{j}")
            text += transition(f"begin{i}_{j}", {f"waits{i}": 1, "bus": 1, f"memory{j}": 1}, {f"uses{i}_{j}": 1})
            text += transition(f"end{i}_{j}", {f"uses{i}_{j}": 1}, {f"works{i}": 1, "bus": 1, f"memory{j}": 1})
    return plain(text)


def files_of_sites(sites: int, files: int) -> str:
    """Sites that write to files, one at a time each: both can be exchanged, whoever writes is a pair."""
    text = "".join(place(f"free{f}", 1) for f in range(files))
    for i in range(sites):
        text += place(f"works{i}", 1)
        for f in range(files):
            text += place(f"waits{i}_{f}") + place(f"writes{i}_{f}") + place(f"tells{i}_{f}")
            text += transition(f"ask{i}_{f}", {f"works{i}": 1}, {f"waits{i}_{f}": 1})
            text += transition(f"begin{i}_{f}", {f"waits{i}_{f}": 1, f"free{f}": 1}, {f"writes{i}_{f}": 1})
            text += transition(f"end{i}_{f}", {f"writes{i}_{f}": 1}, {f"tells{i}_{f}": 1, f"free{f}": 1})
            text += transition(f"go_on{i}_{f}", {f"tells{i}_{f}": 1}, {f"works{i}": 1})
    return plain(text)
