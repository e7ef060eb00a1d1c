"""How definitions use their parameters: which arrays are indexed by them."""

from __future__ import annotations

from burnside.frontends.cspsharp.syntax import Definition, Name


def is_indexed_by(definition: Definition, array: str, position: int, parameter: str) -> bool:
    """Whether a definition has ``array[…parameter…]`` with the bare parameter as the index at a position."""
    return _mentions(definition.body, array, position, parameter)


def _mentions(node: object, array: str, position: int, parameter: str) -> bool:
    if isinstance(node, tuple):
        return any(_mentions(n, array, position, parameter) for n in node)
    if isinstance(node, Name) and node.name == array and len(node.indices) > position:
        index = node.indices[position]
        if isinstance(index, Name) and index.name == parameter and not index.indices:
            return True
    fields = getattr(node, "__dataclass_fields__", None)
    if fields is None:
        return False
    return any(_mentions(getattr(node, f), array, position, parameter) for f in fields if f != "span")
