"""Types of Rebeca, and classes with what they inherit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, final

from burnside.frontends.kit.names import declared_twice
from burnside.frontends.rebeca.read.declarations import ReactiveClass, Routine
from burnside.frontends.rebeca.read.syntax import Field
from burnside.source import Diagnostics, Note, Span, did_you_mean
from burnside.values import dataclass


@final
@dataclass(frozen=True, slots=True)
class Type:
    """A type by its name, with the sizes of an array from the outside in."""

    name: str
    sizes: tuple[int, ...] = ()

    @property
    def is_number(self) -> bool:
        """Whether this is one of the three kinds of whole numbers."""
        return self.name in WIDTHS and not self.sizes

    @property
    def is_reference(self) -> bool:
        """Whether values are rebecs."""
        return not self.sizes and self.name not in WIDTHS and self not in (BOOLEAN, VOID)

    @property
    def element(self) -> Type:
        """The type of the elements of an array."""
        return Type(self.name, self.sizes[1:])

    def __str__(self) -> str:
        return self.name + "".join(f"[{size}]" for size in self.sizes)


WIDTHS: Final = {"byte": 8, "short": 16, "int": 32}
BOOLEAN: Final = Type("boolean")
INT: Final = Type("int")
VOID: Final = Type("void")
NULL: Final = Type("null")
# What 'sender' is: a rebec of any class.
ANY: Final = Type("a rebec")


def limits(kind: Type) -> tuple[int, int]:
    """The least and the greatest number of a type.

    >>> limits(Type("byte"))
    (-128, 127)
    """
    half = 1 << (WIDTHS[kind.name] - 1)
    return -half, half - 1


@final
@dataclass(frozen=True)
class Class:
    """A class with all it inherits; ``ancestors`` contains the class itself."""

    name: str
    queue: int
    known: tuple[Field, ...]
    variables: tuple[Field, ...]
    constructor: Routine | None
    servers: Mapping[str, Routine]
    methods: Mapping[str, Routine]
    ancestors: frozenset[str]
    is_abstract: bool
    span: Span


@final
class Inheritance:
    """Puts classes together with what they inherit."""

    def __init__(self, classes: Iterable[ReactiveClass], queues: Mapping[str, int], diagnostics: Diagnostics) -> None:
        self._texts: dict[str, ReactiveClass] = {}
        self._queues = queues
        self._diagnostics = diagnostics
        self._done: dict[str, Class] = {}
        for text in classes:
            first = self._texts.setdefault(text.name, text)
            if first is not text:
                self._diagnostics.add(declared_twice(text.name, text.span, first.span, what="class"))

    def classes(self) -> dict[str, Class]:
        """Every class, in the order of the text."""
        return {name: self._class(name, ()) for name in self._texts}

    def _class(self, name: str, below: tuple[str, ...]) -> Class:
        if name not in self._done:
            self._done[name] = self._put_together(self._texts[name], (*below, name))
        return self._done[name]

    def _put_together(self, text: ReactiveClass, below: tuple[str, ...]) -> Class:
        parents = [self._class(p, below) for p in self._parents(text, below)]
        servers = self._merged([p.servers for p in parents], self._routines("message server", text.servers))
        methods = self._merged([p.methods for p in parents], self._routines("method", text.methods))
        known = tuple(f for p in parents for f in p.known) + text.known
        variables = tuple(f for p in parents for f in p.variables) + text.variables
        self._check_fields((*known, *variables))
        if len(text.constructors) > 1:
            self._diagnostics.add(
                declared_twice(text.name, text.constructors[1].span, text.constructors[0].span, what="constructor of")
            )
        inherited = next((p.constructor for p in parents if p.constructor), None)
        found = Class(
            text.name,
            self._queues[text.name],
            known,
            variables,
            text.constructors[0] if text.constructors else inherited,
            servers,
            methods,
            frozenset({text.name}).union(*(p.ancestors for p in parents)),
            text.is_abstract,
            text.span,
        )
        self._check_bodies(found)
        return found

    def _is_known(self, name: str, span: Span, below: tuple[str, ...]) -> bool:
        if name in below:
            self._diagnostics.error("BUR209", f"class '{name}' extends itself", span)
            return False
        if name not in self._texts:
            remedy = did_you_mean(name, self._texts)
            self._diagnostics.error("BUR201", f"there is no class '{name}'", span, help=remedy)
            return False
        return True

    def _parents(self, text: ReactiveClass, below: tuple[str, ...]) -> list[str]:
        """One class at most stands behind another; behind an interface, interfaces only. Others are left out."""
        known = [(name, span) for name, span in text.parents if self._is_known(name, span, below)]
        classes = [(name, span) for name, span in known if not self._texts[name].is_interface]
        refused = classes[0 if text.is_interface else 1 :]
        for name, span in refused:
            message = f"'{text.name}' cannot inherit from class '{name}' here"
            remedy = "a class extends one class; all else are interfaces"
            self._diagnostics.error("BUR203", message, span, help=remedy)
        return list(dict.fromkeys(name for name, span in known if (name, span) not in refused))

    def _merged(self, inherited: Iterable[Mapping[str, Routine]], own: Mapping[str, Routine]) -> dict[str, Routine]:
        """Own routines take the place of inherited ones; what has a body takes the place of what has none."""
        merged: dict[str, Routine] = {}
        for routines in inherited:
            for name, routine in routines.items():
                if name in merged:
                    self._check_same(routine, merged[name])
                if name not in merged or merged[name].body is None:
                    merged[name] = routine
        for name, routine in own.items():
            if name in merged:
                self._check_same(routine, merged[name])
            merged[name] = routine
        return merged

    def _check_same(self, routine: Routine, replaced: Routine) -> None:
        """A message goes to the server of the receiver's class, whatever class the text speaks of."""
        types = [[p.type for p in r.parameters] for r in (routine, replaced)]
        if types[0] != types[1] or routine.result != replaced.result:
            message = f"'{routine.name}' has other parameters or another result than what it takes the place of"
            notes = [Note("that is declared here", span=replaced.span)]
            self._diagnostics.error("BUR203", message, routine.span, help="choose another name", notes=notes)

    def _routines(self, what: str, routines: Iterable[Routine]) -> dict[str, Routine]:
        found: dict[str, Routine] = {}
        for routine in routines:
            first = found.setdefault(routine.name, routine)
            if first is not routine:
                self._diagnostics.add(declared_twice(routine.name, routine.span, first.span, what=what))
        return found

    def _check_fields(self, fields: Iterable[Field]) -> None:
        found: dict[str, Field] = {}
        for field in fields:
            first = found.setdefault(field.name, field)
            if first is not field:
                self._diagnostics.add(declared_twice(field.name, field.span, first.span, what="variable"))

    def _check_bodies(self, found: Class) -> None:
        if found.is_abstract:
            return
        for routine in (*found.servers.values(), *found.methods.values()):
            if routine.body is None:
                message = f"class '{found.name}' does not say what '{routine.name}' does"
                remedy = "give it a body in this class, or make the class abstract"
                notes = [Note(f"'{routine.name}' is declared here", span=routine.span)]
                self._diagnostics.error("BUR203", message, found.span, help=remedy, notes=notes)
