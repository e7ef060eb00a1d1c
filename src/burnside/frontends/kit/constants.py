"""Constants that are given from outside: every language says in the same way that a model has no such constant."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final, TypeAlias

from burnside.ir.nodes import Value
from burnside.source import Diagnostic, Diagnostics, ModelError, did_you_mean

Given: TypeAlias = "Value | str"  # a number or truth value, a list, or the name of a label

_MOST_SHOWN: Final = 20


def report_unknown(
    names: Iterable[str], known: Collection[str], diagnostics: Diagnostics, *, what: str = "constant"
) -> None:
    """Report given names that a model does not have; the closest known one is named, or all are listed."""
    for name in sorted(names):
        remedy = did_you_mean(name, known) or _listed(known, what)
        diagnostics.error("BUR211", f"the model has no {what} '{name}'", None, help=remedy)


def without_labels(constants: Mapping[str, Given]) -> dict[str, Value]:
    """The same for a language whose constants are not labels; raises `ModelError` if one is given."""
    found: dict[str, Value] = {}
    for name, value in constants.items():
        if isinstance(value, str):
            message = f"the label '{value}' is given for '{name}', but the constants of this language are numbers"
            raise ModelError([Diagnostic("BUR211", message)])
        found[name] = value
    return found


def refuse_truths(constants: Mapping[str, Given], takes_truths: bool) -> None:
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
