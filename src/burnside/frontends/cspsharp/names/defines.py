"""How large definitions become when what they mention is put in place of its name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from burnside.frontends.cspsharp.read.declarations import Define
from burnside.frontends.cspsharp.read.syntax import CallMacro, Name
from burnside.source import Diagnostics

MOST_PARTS: Final = 20_000


def check_sizes(defines: Mapping[str, Define], diagnostics: Diagnostics) -> None:
    """Report definitions that stand for too many parts: one that mentions another twice doubles it."""
    pieces = {name: _pieces(define.body) for name, define in defines.items()}
    sizes: dict[str, int] = {}
    for name in defines:
        _measure(name, pieces, sizes)
    for name, define in defines.items():
        # One that mentions another which is too large would only repeat the complaint.
        if sizes[name] > MOST_PARTS and all(sizes.get(n, 0) <= MOST_PARTS for n in pieces[name] if n != name):
            message = f"'{name}' stands for more than {MOST_PARTS:,} parts"
            diagnostics.error("BUR104", message, define.span, help="mention other definitions less often")


def _measure(name: str, pieces: Mapping[str, Counter[str]], sizes: dict[str, int]) -> None:
    """Enter the size of a definition and of those that it mentions; one that refers to itself is reported elsewhere."""
    pending, entered = [name], set[str]()
    while pending:
        at = pending[-1]
        needed = [n for n in pieces[at] if n in pieces and n not in sizes and n not in entered]
        entered.add(at)
        if needed:
            pending += needed
            continue
        pending.pop()
        if at not in sizes:
            whole = sum(count * (sizes.get(n, 1) if n in pieces else 1) for n, count in pieces[at].items())
            sizes[at] = min(whole, MOST_PARTS + 1)


def _pieces(node: object) -> Counter[str]:
    """The names that a piece of syntax mentions, with how often; under an empty name, how many other parts it has."""
    found: Counter[str] = Counter()
    pending = [node]
    while pending:
        at = pending.pop()
        if isinstance(at, tuple):
            pending += at
            continue
        fields = getattr(at, "__dataclass_fields__", None)
        if fields is not None:
            found[at.name if isinstance(at, Name | CallMacro) else ""] += 1
            pending += (getattr(at, f) for f in fields if f != "span")
    return found
