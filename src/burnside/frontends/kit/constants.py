"""Constants that are given from outside: every language says in the same way that a model has no such constant."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from burnside.ir.nodes import Value
from burnside.source import Diagnostic, Diagnostics, ModelError, did_you_mean

_MOST_SHOWN: Final = 20


def report_unknown(
    names: Iterable[str], known: Collection[str], diagnostics: Diagnostics, *, what: str = "constant"
) -> None:
    """Report given names that a model does not have; the closest known one is named, or all are listed."""
    for name in sorted(names):
        remedy = did_you_mean(name, known) or _listed(known, what)
        diagnostics.error("BUR211", f"the model has no {what} '{name}'", None, help=remedy)


def refuse_truths(constants: Mapping[str, Value], takes_truths: bool) -> None:
    """Raise `ModelError` if a truth value is given to a language whose constants are numbers."""
    truths = [name for name, value in constants.items() if isinstance(value, bool)]
    if truths and not takes_truths:
        message = f"a truth value is given for '{truths[0]}', but this language has numbers only"
        raise ModelError([Diagnostic("BUR211", message)])


def _listed(known: Collection[str], what: str) -> str:
    if not known:
        return "the model has none"
    shown = ", ".join([*known][:_MOST_SHOWN])
    return f"{what}s are {shown}{', …' if len(known) > _MOST_SHOWN else ''}"
