"""Claims ``P |= f``: formulas of the text as formulas over conditions and events of a model.

An event of a formula is the event with exactly these arguments: ``eat`` is not ``eat.0``. One that no rule can have
never happens, so it is false; if nothing in the text is called like it, it is a mistake.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, final

from burnside.claims.kinds import Atom as Meaning
from burnside.claims.kinds import EventTest, InfiniteRuns
from burnside.frontends.cspsharp.names.scope import END, Ground, Unusable, parts_of, text_of
from burnside.frontends.cspsharp.names.variables import is_truth
from burnside.frontends.cspsharp.read.declarations import Assertion, Atom, FormulaOperation
from burnside.frontends.cspsharp.read.declarations import Formula as Syntax
from burnside.frontends.cspsharp.read.syntax import Expression, Name, PrefixProcess, Process
from burnside.frontends.cspsharp.unfold.elaborate import Elaborator
from burnside.frontends.cspsharp.unfold.terms import TAU
from burnside.frontends.kit.temporal import LARGEST, MEANINGS, MOST_ATOMS
from burnside.ir.nodes import Const, Expr, Rule
from burnside.ltl import formula as ltl
from burnside.ltl.formula import Formula
from burnside.source import Span, did_you_mean

MOST_WORDS: Final = 8
LONGEST_NAME: Final = 60

_SPOKEN: Final = {
    "!": "not",
    "[]": "always",
    "<>": "eventually",
    "X": "next",
    "U": "until",
    "R": "release",
    "&&": "and",
    "||": "or",
    "->": "implies",
    "<->": "iff",
    "xor": "xor",
}

_SMALLER: Final = "make it several assertions"


def claim_name(formula: Syntax) -> str:
    """``satisfies_always_eventually_eat_0``; just ``satisfies_formula`` if that would be long."""
    words = list(_words(formula))
    name = "_".join(["satisfies", *words])
    return name if len(words) <= MOST_WORDS and len(name) <= LONGEST_NAME else "satisfies_formula"


def _words(formula: Syntax) -> Iterator[str]:
    if isinstance(formula, Atom):
        yield re.sub(r"\W+", "_", formula.span.text).strip("_")
        return
    if len(formula.operands) == 1:
        yield _SPOKEN[formula.operator]
        yield from _words(formula.operands[0])
        return
    left, right = formula.operands
    yield from _words(left)
    yield _SPOKEN[formula.operator]
    yield from _words(right)


@final
class TemporalClaims:
    """Turns the formulas about one process into claims; ``rules`` say which events it has."""

    def __init__(self, rules: Iterable[Rule], elaborator: Elaborator) -> None:
        self._scope = elaborator.scope
        self._ground = elaborator.ground
        self._events: dict[str, dict[tuple[Expr, ...], None]] = {}
        for rule in rules:
            self._events.setdefault(rule.event.name, {})[rule.event.arguments] = None
        self._written: Mapping[str, set[int]] = {}
        self._atoms: dict[str, Meaning] = {}

    def claim(self, name: str, assertion: Assertion) -> InfiniteRuns:
        """The claim that an assertion makes."""
        assert assertion.formula is not None
        self._written, self._atoms = self._events_near(assertion.process), {}
        if _size(assertion.formula) > LARGEST:
            raise self._scope.stop("BUR502", "this formula is too large", assertion.formula.span, help=_SMALLER)
        formula = self._formula(assertion.formula)
        # Some atoms are gone: 'a || !a' is true.
        atoms = tuple((n, a) for n, a in self._atoms.items() if n in formula.atoms)
        if len(atoms) > MOST_ATOMS:
            message = f"this formula is about {len(atoms)} conditions and events, more than {MOST_ATOMS}"
            self._scope.error("BUR502", message, assertion.formula.span, help=_SMALLER)
        text = " ".join(assertion.formula.span.text.split())
        return InfiniteRuns(name, formula, atoms, text=text, span=assertion.span)

    def _formula(self, formula: Syntax) -> Formula:
        if isinstance(formula, FormulaOperation):
            return MEANINGS[formula.operator](*map(self._formula, formula.operands))
        if formula.name in ("true", "false"):
            return ltl.TRUE if formula.name == "true" else ltl.FALSE
        try:
            return self._atom(formula)
        except Unusable:  # it is reported; so may be others
            return ltl.FALSE

    def _atom(self, atom: Atom) -> Formula:
        if atom.name in self._scope.defines and not atom.arguments:
            return self._condition(atom)
        name = atom.name.rstrip("!?")
        if name != atom.name or atom.indices or name in self._scope.channels:
            return self._message(atom, name)
        values = self._values(atom.arguments)
        if name == END != self._scope.end:
            message = f"'{name}' is an event of this text; the end is called '{self._scope.end}' here"
            self._scope.diagnostics.warning("BUR202", message, atom.span)
        self._ground.agree(name, values, atom.span)
        return self._event(name, values, _shown(name, ".", values), atom.span)

    def _values(self, arguments: Iterable[Expression]) -> list[Ground]:
        return [self._ground.value(a, {}, "an argument of an event") for a in arguments]

    def _condition(self, atom: Atom) -> Formula:
        """A condition by the name that ``#define`` gives it."""
        define = self._scope.defines[atom.name]
        if define.parameters is not None or isinstance(define.body, tuple):
            remedy = "give the condition that is meant a name with '#define'"
            raise self._scope.stop("BUR203", f"'{atom.name}' is a macro, not a condition", atom.span, help=remedy)
        condition = self._ground.defined(atom.name, atom.span)
        if not is_truth(condition, self._scope):
            raise self._scope.stop("BUR203", f"'{atom.name}' is a number, not a condition", atom.span)
        if isinstance(condition, Const):
            return ltl.TRUE if condition.value else ltl.FALSE
        return self._named(atom.name, condition)

    # ------------------------------------------------------------ channels

    def _message(self, atom: Atom, name: str) -> Formula:
        """``"c!1"`` and ``"c?1"``; if the channel is a rendezvous both are one step, which ``c.1`` means, too."""
        channel, _ = self._ground.channel(Name(name, atom.indices, atom.span), {})
        if channel.arity not in (None, len(atom.arguments)):
            message = f"messages of '{name}' have {channel.arity} parts elsewhere, {len(atom.arguments)} here"
            raise self._scope.stop("BUR204", message, atom.span)
        is_buffered = channel.capacity > 0
        if is_buffered and atom.name == name:
            message = f"'{name}' is a channel with a buffer: sending and receiving are two events"
            remedy = f'write "{name}!1" or "{name}?1", in quotation marks'
            raise self._scope.stop("BUR201", message, atom.span, help=remedy)
        indices, values = self._values(atom.indices), self._values(atom.arguments)
        self._ground.agree(name, [*indices, *values], atom.span)
        place = name + "".join(f"[{text_of(i)}]" for i in indices)
        event, sign = (atom.name, atom.name[-1]) if is_buffered else (name, ".")
        return self._event(event, [*indices, *values], _shown(place, sign, values), atom.span)

    # ------------------------------------------------------------ events

    def _event(self, name: str, values: Sequence[Ground], shown: str, span: Span) -> Formula:
        if any(_may_be(arguments, values) for arguments in self._events.get(name, ())):
            return self._named(shown, EventTest(name, tuple(values)))
        if name[-1] not in "!?" and name not in self._scope.channels:
            self._check_written(name, len(values), span)
        self._scope.diagnostics.warning(
            "BUR201", f"'{shown}' never happens in this process", span, help="in the formula it is the same as 'false'"
        )
        return ltl.FALSE

    def _check_written(self, name: str, arity: int, span: Span) -> None:
        """Whether the text has an event like this at all, perhaps in a process that is not asked about."""
        known = self._written.get(name)
        if known is None:
            raise self._unknown(name, span)
        if arity not in known:
            takes = " or ".join(map(str, sorted(known)))
            what = "argument" if takes == "1" else "arguments"
            remedy = f"'{name}' without arguments is an event of its own" if arity == 0 else ""
            message = f"event '{name}' has {takes} {what} elsewhere, {arity} here"
            raise self._scope.stop("BUR204", message, span, help=remedy)

    def _unknown(self, name: str, span: Span) -> Unusable:
        if name in self._scope.variables:
            remedy = f"give a condition about the variable '{name}' a name with '#define'"
        else:
            conditions = {n for n, d in self._scope.defines.items() if d.parameters is None}
            remedy = did_you_mean(name, conditions | self._written.keys() - {TAU, self._scope.end})
        return self._scope.stop("BUR201", f"there is no event or condition '{name}'", span, help=remedy)

    def _events_near(self, process: Process) -> dict[str, set[int]]:
        """The events of the text and of a process, with the numbers of their arguments."""
        found = {TAU: {0}, self._scope.end: {0}}
        pending = [process, *(d.body for d in self._scope.definitions.values())]
        while pending:
            process = pending.pop()
            if isinstance(process, PrefixProcess):
                found.setdefault(process.event.name, set()).add(len(process.event.arguments))
            pending += parts_of(process)
        return found

    def _named(self, name: str, meaning: Meaning) -> Formula:
        self._atoms[name] = meaning
        return ltl.atom(name)


def _size(formula: Syntax) -> int:
    """How many operators and atoms there are without ``<->`` and ``xor``, which need both sides twice."""
    if isinstance(formula, Atom):
        return 1
    inside = sum(map(_size, formula.operands))
    return 2 * inside + 3 if formula.operator in ("<->", "xor") else inside + 1


def _may_be(arguments: Sequence[Expr], values: Sequence[Ground]) -> bool:
    """Whether arguments can have these values; those that depend on the state may have any."""
    if len(arguments) != len(values):
        return False
    return all(not isinstance(a, Const) or a == v for a, v in zip(arguments, values, strict=True))


def _shown(name: str, sign: str, values: Sequence[Ground]) -> str:
    """``eat.0`` or ``c!1.2``."""
    return sign.join([name, ".".join(map(text_of, values))]) if values else name
