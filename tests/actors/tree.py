"""Rebeca texts as trees, for the interpreter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Node = Any


@dataclass(frozen=True)
class TypeName:
    name: str
    sizes: tuple[Node, ...] = ()


@dataclass(frozen=True)
class Number:
    value: int


@dataclass(frozen=True)
class Truth:
    value: bool


@dataclass(frozen=True)
class Null:
    pass


@dataclass(frozen=True)
class Self:
    pass


@dataclass(frozen=True)
class Sender:
    pass


@dataclass(frozen=True)
class Text:
    text: str


@dataclass(frozen=True)
class Name:
    name: str


@dataclass(frozen=True)
class Member:
    owner: Node
    name: str


@dataclass(frozen=True)
class Call:
    receiver: Node | None
    name: str
    arguments: tuple[Node, ...]


@dataclass(frozen=True)
class Index:
    array: Node
    index: Node


@dataclass(frozen=True)
class Unary:
    operator: str
    operand: Node


@dataclass(frozen=True)
class Binary:
    operator: str
    left: Node
    right: Node


@dataclass(frozen=True)
class Conditional:
    condition: Node
    then: Node
    otherwise: Node


@dataclass(frozen=True)
class Cast:
    type: TypeName
    operand: Node


@dataclass(frozen=True)
class InstanceOf:
    operand: Node
    type: TypeName


@dataclass(frozen=True)
class Pick:
    alternatives: tuple[Node, ...]


@dataclass(frozen=True)
class New:
    type: TypeName
    known: tuple[Node, ...]
    arguments: tuple[Node, ...]


@dataclass(frozen=True)
class Assignment:
    """``is_old``: the value of the expression is the one before."""

    target: Node
    operator: str
    value: Node
    is_old: bool = False


@dataclass(frozen=True)
class ArrayValue:
    items: tuple[Node, ...]


@dataclass(frozen=True)
class Field:
    type: TypeName
    name: str
    initial: Node | None


@dataclass(frozen=True)
class Declaration:
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class Evaluate:
    expression: Node


@dataclass(frozen=True)
class Block:
    body: tuple[Node, ...]


@dataclass(frozen=True)
class If:
    condition: Node
    then: Node
    otherwise: Node | None


@dataclass(frozen=True)
class Loop:
    first: tuple[Node, ...]
    condition: Node | None
    after: tuple[Node, ...]
    body: Node
    runs_first: bool = False


@dataclass(frozen=True)
class Case:
    label: Node | None
    body: tuple[Node, ...]


@dataclass(frozen=True)
class Switch:
    subject: Node
    cases: tuple[Case, ...]


@dataclass(frozen=True)
class Return:
    value: Node | None


@dataclass(frozen=True)
class Leave:
    word: str


@dataclass(frozen=True)
class Routine:
    name: str
    parameters: tuple[Field, ...]
    body: Block | None
    result: TypeName | None = None


@dataclass(frozen=True)
class ReactiveClass:
    name: str
    parents: tuple[str, ...]
    queue: Node | None
    known: tuple[Field, ...]
    variables: tuple[Field, ...]
    constructors: tuple[Routine, ...]
    servers: tuple[Routine, ...]
    methods: tuple[Routine, ...]


@dataclass(frozen=True)
class Instance:
    type: TypeName
    name: str
    known: tuple[Node, ...]
    arguments: tuple[Node, ...]


@dataclass(frozen=True)
class Program:
    environment: tuple[Field, ...]
    classes: tuple[ReactiveClass, ...]
    instances: tuple[Instance, ...]


@dataclass(frozen=True)
class PropertyFile:
    """Formulas by name, in the order of the text."""

    definitions: dict[str, Node]
    assertions: dict[str, Node]
    temporal: dict[str, Node]
