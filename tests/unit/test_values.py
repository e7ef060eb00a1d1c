"""Classes of values behave like those of the standard library, and are made sooner."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import FrozenInstanceError, field, fields, replace
from typing import ClassVar

import pytest

from burnside.values import dataclass


def classes(decorator):
    """A class with everything that our classes use."""

    @decorator(frozen=True, slots=True)
    class Value:
        """A value."""

        a: int
        b: tuple[int, ...] = ()
        kind: ClassVar = "value"
        seen: list[int] = field(default_factory=list, compare=False)
        span: int = field(kw_only=True, compare=False, repr=False)

        def __post_init__(self) -> None:
            if self.a < 0:
                raise ValueError

    return Value


@dataclass(frozen=True, slots=True)
class Slotted:
    """A value that can be pickled."""

    a: int
    b: str = "b"


@dataclass(frozen=True)
class WithDict:
    """The same with a dictionary."""

    a: int


@dataclass
class Mutable:
    """Not a key."""

    a: int
    b: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Empty:
    """Has no field."""


OURS, STANDARD = classes(dataclass), classes(dataclasses.dataclass)


@pytest.mark.parametrize("use", [
    lambda made: repr(made(1, (2,), span=3)),
    lambda made: made(1, span=3) == made(1, (), [4], span=5),
    lambda made: made(1, span=3) == made(2, span=3),
    lambda made: made(1, span=3) == (1, ()),
    lambda made: hash(made(1, (2,), span=3)),
    lambda made: made.__match_args__,
    lambda made: made.__slots__,
    lambda made: [(f.name, f.compare, f.repr, f.kw_only) for f in fields(made)],
    lambda made: repr(replace(made(1, span=3), b=(4,))),
    lambda made: made(1, span=3).seen is made(1, span=3).seen,
])  # fmt: skip
def test_the_same_comes_out(use):
    """Of everything that is done with values."""
    assert use(OURS) == use(STANDARD)


@pytest.mark.parametrize("use", [
    lambda made: made(),
    lambda made: made(1, (), [], 3),
    lambda made: made(1, other=2, span=3),
    lambda made: made(-1, span=3),
    lambda made: setattr(made(1, span=3), "a", 2),
    lambda made: delattr(made(1, span=3), "a"),
    lambda made: setattr(made(1, span=3), "new", 2),
])  # fmt: skip
def test_the_same_is_refused(use):
    """Wrong arguments, and changes."""
    with pytest.raises(Exception) as standard:
        use(STANDARD)
    with pytest.raises(Exception) as ours:
        use(OURS)

    assert issubclass(ours.type, standard.type) or ours.type is FrozenInstanceError


@pytest.mark.parametrize("value", [Slotted(1, "c"), WithDict(1), Mutable(1, [2]), Empty()])
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
def test_values_are_copied(value, copied):
    """Frozen ones, too."""
    assert copied(value) == value


def test_values_that_can_change_are_not_keys():
    """As in the standard library."""
    with pytest.raises(TypeError):
        hash(Mutable(1))


def test_what_a_class_defines_itself_is_kept():
    """Its own text, for instance."""

    @dataclass(frozen=True)
    class Own:
        """A value that says what it is."""

        a: int

        def __repr__(self) -> str:
            return "mine"

    assert repr(Own(1)) == "mine"
    assert hash(Own(1)) == hash(Own(1))


def test_fields_have_any_name():
    """Whatever functions call their own."""

    @dataclass(frozen=True)
    class Named:
        """Fields that sound like parameters."""

        self: int
        value: int

    assert Named(value=1, self=2) == Named(2, 1)


def test_a_constructor_is_compiled_once():
    """When the first value is made."""

    @dataclass
    class Late:
        """Nobody makes one at first."""

        a: int

    before = Late.__init__
    Late(1)
    after = Late.__init__
    Late(2)

    assert before is not after
    assert Late.__init__ is after
