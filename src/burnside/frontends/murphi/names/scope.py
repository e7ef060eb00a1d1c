"""Names and what they stand for, from the inside out; what is wrong with a text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn, final

from burnside.frontends.kit import names
from burnside.frontends.murphi.names.terms import Meaning, Wrong
from burnside.frontends.murphi.read.syntax import Name
from burnside.source import Diagnostics, Note, Span


class Refused(Exception):
    """Raised after an error has been recorded; caught where one can go on."""


@final
class Report:
    """Records what is wrong; most errors end the work on the statement or declaration at hand."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        self.diagnostics = diagnostics

    def stop(
        self, code: str, message: str, span: Span | None, *, help: str = "", notes: Iterable[Note] = ()
    ) -> NoReturn:
        """Record an error after which what is at hand makes no sense."""
        self.diagnostics.error(code, message, span, help=help, notes=notes)
        raise Refused

    def error(self, code: str, message: str, span: Span | None, *, help: str = "") -> None:
        """Record an error."""
        self.diagnostics.error(code, message, span, help=help)


@final
class Scope:
    """Names that are known at one place, over those outside it."""

    def __init__(self, report: Report, outer: Scope | None = None) -> None:
        self.report = report
        self._outer = outer
        self._own: dict[str, tuple[Meaning, Span | None]] = {}

    def inner(self) -> Scope:
        """A scope inside this one."""
        return Scope(self.report, self)

    def snapshot(self) -> Scope:
        """The names that are known now: routines see what is declared before them."""
        copy = Scope(self.report, self._outer)
        copy._own = dict(self._own)
        return copy

    def declare(self, name: Name, meaning: Meaning) -> None:
        """Let a name stand for something; it must be new in this scope."""
        if name.text in self._own:
            first = self._own[name.text][1]
            self.report.diagnostics.add(names.declared_twice(name.text, name.span, first))
            return
        self._own[name.text] = (meaning, name.span)

    def bind(self, name: Name, meaning: Meaning) -> None:
        """Let a name stand for something, whatever it stood for before."""
        self._own[name.text] = (meaning, name.span)

    def look_up(self, name: str) -> Meaning | None:
        """What a name stands for."""
        found = self._own.get(name)
        if found is not None:
            return found[0]
        return self._outer.look_up(name) if self._outer is not None else None

    def find(self, name: Name) -> Meaning:
        """What a name stands for; reported if it is unknown."""
        found = self.look_up(name.text)
        if found is None:
            self.report.diagnostics.add(names.unknown(name.text, name.span, self._known()))
            raise Refused
        if isinstance(found, Wrong):
            raise Refused
        return found

    def _known(self) -> set[str]:
        return {*self._own, *(self._outer._known() if self._outer is not None else ())}
