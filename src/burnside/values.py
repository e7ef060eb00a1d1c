"""The decorator `dataclass` of the standard library, for classes that cost next to nothing until they are used.

The standard one compiles up to six functions for every class, which was half of the time that it took to check a small
model. Here a constructor is compiled when its first value is made, and no other function is. Which fields there are,
and all that can be done with them, is left to the standard library.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, field, fields, replace
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeAlias

_Function: TypeAlias = Callable[..., Any]

__all__ = ["dataclass", "field", "replace"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, slots=False):
        """Make a class of values; other options are not used here."""
        if cls is None:
            return partial(dataclass, frozen=frozen, slots=slots)
        made = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(cls)
        functions = _functions(made, frozen) | (_FROZEN if frozen else {"__hash__": None})
        for name in functions.keys() - vars(made).keys():
            setattr(made, name, functions[name])
        return made


def _functions(cls: type, frozen: bool) -> dict[str, _Function]:
    """What a class has for its own fields."""
    compared = [f.name for f in fields(cls) if f.compare]
    shown = [f.name for f in fields(cls) if f.repr]
    key: _Function = attrgetter(*compared) if compared else lambda _: ()

    def construct(value: object, /, *given: object, **named: object) -> None:
        constructor = _constructor(cls, frozen)
        setattr(cls, "__init__", constructor)  # noqa: B010
        constructor(value, *given, **named)

    def is_equal(value: object, other: object) -> bool:
        return key(value) == key(other) if other.__class__ is value.__class__ else NotImplemented

    def text(value: object) -> str:
        return f"{type(value).__qualname__}({', '.join([f'{name}={getattr(value, name)!r}' for name in shown])})"

    return {"__init__": construct, "__eq__": is_equal, "__hash__": lambda value: hash(key(value)), "__repr__": text}


def _constructor(cls: type, frozen: bool) -> _Function:
    """Compile ``__init__``, with a parameter for every field."""
    known: dict[str, Any] = {"__store": object.__setattr__, "__missing": MISSING}
    positional: list[str] = ["__value"]
    named: list[str] = []
    body: list[str] = []
    for part in fields(cls):
        name = value = part.name
        default = ""
        if part.default_factory is not MISSING:
            known[f"__make_{name}"] = part.default_factory
            default, value = "=__missing", f"__make_{name}() if {name} is __missing else {name}"
        elif part.default is not MISSING:
            known[f"__default_{name}"] = part.default
            default = f"=__default_{name}"
        (named if part.kw_only else positional).append(name + default)
        body.append(f"__store(__value, {name!r}, {value})" if frozen else f"__value.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("__value.__post_init__()")
    parameters = ", ".join([*positional, *(["*", *named] if named else [])])
    exec("\n    ".join([f"def __init__({parameters}):", *body, "pass"]), known)
    return known["__init__"]  # type: ignore[no-any-return]


def _refuse(_: object, name: str, *_new: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot change the field '{name}'")


def _restore(value: object, state: object) -> None:
    """Give a value its fields; what pickles and copies do, which a frozen class would refuse."""
    for parts in state if isinstance(state, tuple) else (state,):
        for name, part in (parts or {}).items():
            object.__setattr__(value, name, part)


_FROZEN: Final = {"__setattr__": _refuse, "__delattr__": _refuse, "__setstate__": _restore}
