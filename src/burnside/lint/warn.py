"""How a warning is made."""

from __future__ import annotations

from burnside.source import Diagnostic, Note, Severity, Span


def warning(code: str, message: str, span: Span | None, remedy: str = "") -> Diagnostic:
    """A warning with a remedy."""
    return Diagnostic(code, message, span, (Note(remedy, "help"),) if remedy else (), Severity.WARNING)
