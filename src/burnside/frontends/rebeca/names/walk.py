"""Walking Rebeca trees: which classes are created, which choices and ways out a statement has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from burnside.frontends.rebeca.read.declarations import Program
from burnside.frontends.rebeca.read.syntax import Assignment, Leave, Loop, Name, New, Pick, Return, Statement, Switch
from burnside.source import Span


def parts(node: object) -> Iterator[object]:
    """A node and everything below it."""
    if isinstance(node, tuple):
        for item in node:
            yield from parts(item)
    elif is_dataclass(node) and not isinstance(node, Span | type):
        yield node
        for field in fields(node):
            yield from parts(getattr(node, field.name))


def created_classes(program: Program) -> set[str]:
    """The classes that some ``new`` names."""
    return {node.type.name for node in parts(program.classes) if isinstance(node, New)}


def has_choice(node: object) -> bool:
    """Whether something is chosen or created in a part of a text."""
    return any(isinstance(part, Pick | New) for part in parts(node))


def assigns(node: object, name: str) -> bool:
    """Whether a variable is assigned in a part of a text."""
    targets = (part.target for part in parts(node) if isinstance(part, Assignment))
    return any(isinstance(target, Name) and target.name == name for target in targets)


def mentions(node: object, name: str) -> bool:
    """Whether a part of a text says a name."""
    return any(isinstance(part, Name) and part.name == name for part in parts(node))


def returns(node: object) -> bool:
    """Whether a statement may leave the routine."""
    return any(isinstance(part, Return) for part in parts(node))


def leaves(statement: Statement | tuple[Statement, ...], word: str) -> bool:
    """Whether a statement may leave the loop or ``switch`` around it by ``break`` or ``continue``."""
    match statement:
        case tuple():
            return any(leaves(s, word) for s in statement)
        case Leave():
            return statement.word == word
        case Loop():
            return False
        case Switch(cases=cases):
            return word == "continue" and any(leaves(case.body, word) for case in cases)
        case _:
            inner = (getattr(statement, f.name) for f in fields(statement))
            return any(leaves(s, word) for s in _statements(inner))


def _statements(values: Iterator[object]) -> Iterator[Statement]:
    for value in values:
        if isinstance(value, tuple):
            yield from _statements(iter(value))
        elif isinstance(value, Statement):
            yield value
