"""JSON schemas from the types of the objects that are written: no object has keys that its type does not have."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    NotRequired,
    TypeAlias,
    Union,
    final,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from burnside.values import dataclass

Schema: TypeAlias = dict[str, Any]

_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_SIMPLE: dict[object, Schema] = {
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string"},
    bool: {"type": "boolean"},
    NoneType: {"type": "null"},
    Any: {},
}


@final
@dataclass(frozen=True, slots=True)
class OneOf:
    """What an annotated text can be; the words may come from an enumeration."""

    words: tuple[str, ...]

    @property
    def keywords(self) -> Schema:
        """The constraint as a schema has it."""
        return {"enum": [*self.words]}


@final
@dataclass(frozen=True, slots=True)
class AtLeast:
    """The least value of a number."""

    least: int

    @property
    def keywords(self) -> Schema:
        """The constraint as a schema has it."""
        return {"minimum": self.least}


@final
@dataclass(frozen=True, slots=True)
class Size:
    """How many items a list has."""

    least: int = 0
    most: int | None = None

    @property
    def keywords(self) -> Schema:
        """The constraint as a schema has it."""
        return {"minItems": self.least, **({} if self.most is None else {"maxItems": self.most})}


def schema_of(title: str, *alternatives: type) -> Schema:
    """The schema of an object of one of these types; the types that it is made of stand under ``$defs``."""
    definitions: dict[str, Schema] = {}
    references = [_of(kind, definitions) for kind in alternatives]
    head = {"$schema": _DRAFT, "title": title}
    return {**head, "anyOf": references, "$defs": dict(sorted(definitions.items()))}


def _of(kind: Any, definitions: dict[str, Schema]) -> Schema:
    if kind in _SIMPLE:
        return _SIMPLE[kind]
    if is_typeddict(kind):
        return _object(kind, definitions)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        bounds = [constraint.keywords for constraint in arguments[1:]]
        return {key: value for part in (_of(arguments[0], definitions), *bounds) for key, value in part.items()}
    if origin is NotRequired:
        return _of(arguments[0], definitions)
    if origin in (Union, UnionType):
        return {"anyOf": [_of(part, definitions) for part in arguments]}
    if origin is list:
        return {"type": "array", "items": _of(arguments[0], definitions)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _of(arguments[1], definitions)}
    raise TypeError(f"no JSON value is a {kind}")


def _object(kind: Any, definitions: dict[str, Schema]) -> Schema:
    """A reference to an object; it is defined when it is met for the first time."""
    name = kind.__name__
    if name not in definitions:
        definitions[name] = {}  # it may refer to itself
        hints = get_type_hints(kind, include_extras=True)
        definitions[name] = {
            "description": " ".join((kind.__doc__ or "").split()),
            "type": "object",
            "properties": {key: _of(hint, definitions) for key, hint in hints.items()},
            "required": [key for key, hint in hints.items() if get_origin(hint) is not NotRequired],
            "additionalProperties": False,
        }
    return {"$ref": f"#/$defs/{name}"}
