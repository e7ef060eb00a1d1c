"""What detection could not see through, with its place in the text: there symmetries may be missing.

Three things: numbers that no table holds and that are encoded as they are written, variables with too many values for
literals, and rules or conditions that are too large to be written out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import final

from burnside.detect.constrain import Constraints, OpaquePart
from burnside.detect.encode import Encoding
from burnside.detect.numbers import OpaqueTerm
from burnside.detect.pieces import LARGE_DOMAIN
from burnside.ir.nodes import Rule, Variable
from burnside.source import Diagnostic, Note, Severity, Span
from burnside.values import dataclass

_LONGEST_TEXT = 60
_OPERATORS = {
    "*": "product",
    "/": "quotient",
    "%": "remainder",
    "&": "bitwise 'and'",
    "|": "bitwise 'or'",
    "^": "bitwise 'exclusive or'",
    "ite": "choice",
}


@final
@dataclass(frozen=True, slots=True)
class Unseen:
    """A part of a model, why detection does not see through it, and how to write it otherwise."""

    text: str
    reason: str
    help: str
    span: Span | None
    is_fixing: bool = False  # whether everything it touches stays where it is

    @property
    def message(self) -> str:
        """Both in one sentence."""
        return f"{self.text} {self.reason}"

    def diagnostic(self) -> Diagnostic:
        """A note for those who search with the symmetries that were found."""
        return Diagnostic("BUR307", self.message, self.span, (Note(self.help, "help"),), Severity.NOTE)


def unseen_parts(constraints: Constraints, encoding: Encoding) -> tuple[Unseen, ...]:
    """Everything that detection could not see through, each place once, in the order of the text."""
    found = [_part(part) for part in constraints.opaque]
    found += _large_variables(constraints, encoding)
    found += [_term(constraints, term) for term in encoding.opaque_terms]
    once = {(u.span, u.reason if u.span is None else ""): u for u in reversed(found)}
    return tuple(sorted(once.values(), key=_position))


def _position(unseen: Unseen) -> tuple[str, int, str]:
    return (unseen.span.source.name, unseen.span.start, "") if unseen.span else ("", -1, unseen.message)


def _part(part: OpaquePart) -> Unseen:
    loops = "bound its loops by fewer rounds, index by variables of fewer values, or write several rules"
    remedy = loops if isinstance(part.part, Rule) else "quantify over fewer values, or write several properties"
    return Unseen(part.text, "is too large to be analysed; what it touches is taken as fixed", remedy, part.span, True)


def _large_variables(constraints: Constraints, encoding: Encoding) -> Iterator[Unseen]:
    variables: dict[str, Variable] = {}
    for cell in sorted(encoding.large):
        variable = constraints.cells.all[cell].variable
        variables.setdefault(variable.name, variable)
    for name, variable in variables.items():
        reason = f"has {variable.domain.size:,} values, more than {LARGE_DOMAIN}: symmetries move it as a whole"
        yield Unseen(
            f"'{name}'", reason, "give it a smaller domain if symmetries are to exchange its values", variable.span
        )


def _term(constraints: Constraints, opaque: OpaqueTerm) -> Unseen:
    term = opaque.term
    span = constraints.terms.origins.get(term.number)
    what = f"this {_OPERATORS[term.operator]}"
    if span is not None:
        what = f"'{_shortened(span.text)}'"
    elif opaque.rule is not None:
        what = f"a {_OPERATORS[term.operator]} in rule '{opaque.rule}'"
        span = next((r.span for r in constraints.cells.model.rules if r.name == opaque.rule), None)
    reason = f"depends on {len(term.cells())} cells, too many for a table: another spelling of it is not recognised"
    remedy = "sums, counts, minima and maxima of any size are seen through; or keep the result in a variable"
    return Unseen(what, reason, remedy, span)


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    missing = line.count("(") - line.count(")")  # the place of an operation does not have those around its operands
    line = "(" * -missing + line + ")" * missing
    return line if len(line) <= _LONGEST_TEXT else line[: _LONGEST_TEXT - 1] + "…"
