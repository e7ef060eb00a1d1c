"""Where answers and diagnostics go: answers to standard output in the format that was asked for, words to people to
standard error.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Container, Iterable
from typing import final

from burnside.limits import Limits
from burnside.report.renderers import RENDERERS, render
from burnside.results.answers import AboutModel, Answer, Failure, Kind, Stopped
from burnside.source import Diagnostic, Severity
from burnside.source import render as diagnostic_text
from burnside.source.codes import CODES


@final
class Printer:
    """Prints for one command, and remembers the diagnostics that came up, which its answer is to carry."""

    def __init__(self, form: str, file: str, limits: Limits, allowed: Container[str] = ()) -> None:
        self.form = form
        self._allowed = allowed
        self._file = file
        self._limits = limits
        self._heard: list[Diagnostic] = []
        self._told = 0  # how many of them people have been told

    @staticmethod
    def of(arguments: argparse.Namespace) -> Printer:
        """The printer that parsed arguments ask for; what is written to a file has a format of its own."""
        form = getattr(arguments, "printed", None) or getattr(arguments, "format", None) or "text"
        file = getattr(arguments, "model", None) or getattr(arguments, "system", None) or ""
        allowed = CODES if not getattr(arguments, "warnings", True) else getattr(arguments, "allow", ())
        return Printer(form, str(file), getattr(arguments, "limits", None) or Limits(), allowed)

    @property
    def is_for_people(self) -> bool:
        """Whether somebody reads along."""
        return self.form == "text"

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Everything there is to say so far."""
        return tuple(self._heard)

    def warn(self, diagnostic: Diagnostic) -> None:
        """Say something about a model at once."""
        self.note([diagnostic])
        self.tell()

    def note(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Remember what is to be said with the answer: errors, and what is not allowed."""
        self._heard += [d for d in diagnostics if d.severity is Severity.ERROR or d.code not in self._allowed]

    def show(self, answer: Answer) -> None:
        """Print an answer, then tell people what has not been said yet. To lay out a page is work, and has limits."""
        if answer.kind is not Kind.PAGE:
            self._limits.lift()
        text = str(render(answer, self.form))
        if text:
            print(text, end="" if text.endswith("\n") else "\n")
        self.tell()

    def fail(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Say why a model cannot be used."""
        self.note(diagnostics)
        self._show_if_any(Failure(self.diagnostics, self._file))

    def stop(self, limit: str, phase: str, message: str) -> None:
        """Say which limit was reached before there was an answer, and where."""
        self._show_if_any(Stopped(limit, phase, message, self._file, self.diagnostics))
        print(f"burnside: {message}", file=sys.stderr)

    def _show_if_any(self, answer: AboutModel) -> None:
        if self.form in RENDERERS[answer.kind]:
            self.show(answer)
        else:
            self.tell()

    def tell(self) -> None:
        """Say what people have not been told. GitHub reads this stream, too, and would take some texts for commands."""
        if self.form != "github":
            for diagnostic in self._heard[self._told :]:
                print(diagnostic_text(diagnostic), file=sys.stderr)
        self._told = len(self._heard)
