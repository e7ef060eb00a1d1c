"""Formulas of linear temporal logic over infinite words.

A formula is built by the functions below, which apply the laws that make automata smaller; ``p U q`` is *strong*: ``q``
must come. Negation is pushed to the atoms at once, so every formula is in negation normal form.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, final

from burnside.values import dataclass


@final
@dataclass(frozen=True, slots=True)
class Formula:
    """``true``, ``false``, ``atom`` and ``not`` (of an atom), ``and``, ``or``, ``next``, ``until``, ``release``."""

    operator: str
    args: tuple[Formula, ...] = ()
    atom: str = ""

    def __str__(self) -> str:
        match self.operator:
            case "true" | "false":
                return self.operator
            case "atom":
                return self.atom
            case "not":
                return f"!{self.atom}"
            case "next":
                return f"X {_inside(self.args[0])}"
            case "and" | "or":
                return {"and": " && ", "or": " || "}[self.operator].join(map(_inside, self.args))
        left, right = self.args
        if self.operator == "until":
            return f"<> {_inside(right)}" if left is TRUE else f"{_inside(left)} U {_inside(right)}"
        return f"[] {_inside(right)}" if left is FALSE else f"{_inside(left)} R {_inside(right)}"

    @property
    def has_next(self) -> bool:
        """Whether it speaks of the next position: else it cannot tell how long anything lasts."""
        return self.operator == "next" or any(a.has_next for a in self.args)

    @property
    def atoms(self) -> frozenset[str]:
        """The atoms it speaks of."""
        own = {self.atom} if self.atom else set()
        return frozenset(own).union(*(a.atoms for a in self.args))


TRUE: Final = Formula("true")
FALSE: Final = Formula("false")


def _inside(formula: Formula) -> str:
    return f"({formula})" if len(formula.args) > 1 else str(formula)


def atom(name: str) -> Formula:
    """Something that holds now or does not."""
    return Formula("atom", atom=name)


# ---------------------------------------------------------------- truth values


def negation(formula: Formula) -> Formula:
    """Not that, in negation normal form."""
    match formula.operator:
        case "true":
            return FALSE
        case "false":
            return TRUE
        case "atom":
            return Formula("not", atom=formula.atom)
        case "not":
            return Formula("atom", atom=formula.atom)
    args = [negation(a) for a in formula.args]
    match formula.operator:
        case "and":
            return disjunction(args)
        case "or":
            return conjunction(args)
        case "next":
            return following(args[0])
        case "until":
            return release(*args)
        case _:
            return until(*args)


def conjunction(formulas: Iterable[Formula]) -> Formula:
    """All of them."""
    return _junction("and", formulas, TRUE, FALSE)


def disjunction(formulas: Iterable[Formula]) -> Formula:
    """Any of them."""
    return _junction("or", formulas, FALSE, TRUE)


def _junction(operator: str, formulas: Iterable[Formula], neutral: Formula, deciding: Formula) -> Formula:
    kept: dict[Formula, None] = {}
    for formula in formulas:
        kept |= dict.fromkeys(formula.args if formula.operator == operator else (formula,))
    kept.pop(neutral, None)
    opposites = (Formula("not", atom=f.atom) for f in kept if f.operator == "atom")
    if deciding in kept or any(o in kept for o in opposites):
        return deciding
    if len(kept) <= 1:
        return next(iter(kept), neutral)
    other = "or" if operator == "and" else "and"
    # p && (p || q) is p
    parts = [f for f in kept if f.operator != other or not any(a in kept for a in f.args)]
    return Formula(operator, tuple(sorted(parts, key=str))) if len(parts) > 1 else parts[0]


def implication(left: Formula, right: Formula) -> Formula:
    """If left then right."""
    return disjunction((negation(left), right))


def equivalence(left: Formula, right: Formula) -> Formula:
    """Both or none."""
    return disjunction((conjunction((left, right)), conjunction((negation(left), negation(right)))))


# ---------------------------------------------------------------- time


def following(formula: Formula) -> Formula:
    """In the next position (X)."""
    return formula if formula in (TRUE, FALSE) else Formula("next", (formula,))


def until(left: Formula, right: Formula) -> Formula:
    """Right comes, and left holds until then (U)."""
    return _strung("until", left, right)


def release(left: Formula, right: Formula) -> Formula:
    """Right holds up to and including the moment when left comes, or for ever (R)."""
    return _strung("release", left, right)


# What stands on the left of "at some time" and of "at all times". The laws below come in pairs, one for each.
_IDLE: Final = {"until": TRUE, "release": FALSE}


def _strung(operator: str, left: Formula, right: Formula) -> Formula:
    idle = _IDLE[operator]
    if right in (TRUE, FALSE) or left is negation(idle) or _is_absorbed(right, operator):
        return right
    if right.operator == operator and right.args[0] in (left, idle):
        return right
    if left is idle and right.operator == operator:
        return _strung(operator, idle, right.args[1])
    if right.operator == "next" and (left is idle or left.operator == "next"):
        return following(_strung(operator, left if left is idle else left.args[0], right.args[0]))
    return Formula(operator, (left, right))


def eventually(formula: Formula) -> Formula:
    """At some time (<>)."""
    return until(TRUE, formula)


def always(formula: Formula) -> Formula:
    """At all times ([])."""
    return release(FALSE, formula)


def weak_until(left: Formula, right: Formula) -> Formula:
    """Left holds until right comes, or for ever (W)."""
    return release(right, disjunction((left, right)))


def _is_absorbed(formula: Formula, operator: str) -> bool:
    """Whether the operator in front of a formula changes nothing [EtessamiHolzmann00].

    Under "until": a word satisfies the formula as soon as one of its suffixes does. Under "release": all suffixes do as
    soon as the word does.
    """
    match formula.operator:
        case "true" | "false":
            return True
        case "until" | "release":
            is_idle = formula.args[0] is _IDLE[formula.operator]
            return is_idle and (formula.operator == operator or _is_absorbed(formula.args[1], operator))
        case "and" | "or" | "next":
            return all(_is_absorbed(part, operator) for part in formula.args)
        case _:
            return False
