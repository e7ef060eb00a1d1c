"""Formulas about infinite runs, as the classical tableau sees them: parts, and guesses what is true next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import product

import igraph

from .language import Tree

TRUE: Tree = ("state", ("true",), {})

_MOST_NODES = 1 << 12


def core(f: Tree, names: Mapping[str, int]) -> Tree:
    """The same formula with not, and, X and U only; conditions and events carry the values of their names."""
    condition = _condition(f)
    if condition is not None:
        return ("state", condition, dict(names))
    match f:
        case ("event", name, arguments):
            return ("event", name, arguments, dict(names))
        case ("not" | "X" as what, a):
            return (what, core(a, names))
        case ("F", a):
            return ("U", TRUE, core(a, names))
        case ("G", a):
            return ("not", ("U", TRUE, ("not", core(a, names))))
        case ("and" | "U" as what, a, b):
            return (what, core(a, names), core(b, names))
        case ("or", a, b):
            return ("not", ("and", ("not", core(a, names)), ("not", core(b, names))))
        case ("=>", a, b):
            return core(("or", ("not", a), b), names)
        case ("<=>", a, b):
            return core(("or", ("and", a, b), ("and", ("not", a), ("not", b))), names)
        case ("R", a, b):
            return ("not", core(("U", ("not", a), ("not", b)), names))
        case ("W", a, b):
            return core(("or", ("U", a, b), ("G", a)), names)
        case ("each", kind, name, domain, a):
            members = [core(a, {**names, name: v}) for v in domain.values()]
            if kind == "exists":
                members = [("not", m) for m in members]
            result = members[0]
            for m in members[1:]:
                result = ("and", result, m)
            return result if kind == "forall" else ("not", result)
    raise ValueError(f)


def _condition(f: Tree) -> Tree | None:
    """A part without events and temporal operators as one condition: what faults in it depends on what comes before."""
    match f:
        case ("state", condition):
            return condition
        case ("not", a):
            inner = _condition(a)
            return None if inner is None else ("not", inner)
        case ("and" | "or" | "=>" | "<=>" as operator, a, b):
            left, right = _condition(a), _condition(b)
            shown = {"and": "&&", "or": "||"}.get(operator, operator)
            return None if left is None or right is None else ("op", shown, left, right)
        case ("each", kind, name, domain, a):
            inner = _condition(a)
            return None if inner is None else ("quantified", kind, ((name, domain),), inner)
    return None


def _constant(condition: Tree) -> bool | None:
    """The truth of a condition that no state decides; None if it looks at one."""
    match condition:
        case ("true" | "false" as word,):
            return bool(word == "true")
        case ("not", a):
            inner = _constant(a)
            return None if inner is None else not inner
        case ("quantified", "forall" | "exists", _, body):
            return _constant(body)
        case ("op", operator, a, b):
            left, right = _constant(a), _constant(b)
            if left is None:
                return None
            known = {"&&": right if left else False, "||": True if left else right, "=>": right if left else True}
            return (None if right is None else left is right) if operator == "<=>" else known.get(operator)
    return None


def _constant_part(f: Tree) -> bool | None:
    """The truth of a part of a formula that neither states nor events decide, as far as that is seen at once."""
    match f:
        case ("state", condition, _):
            return _constant(condition)
        case ("not", a):
            inner = _constant_part(a)
            return None if inner is None else not inner
        case ("X", a) | ("U", _, a):  # nobody waits for what never comes
            return _constant_part(a)
    return None


def is_atom(f: Tree) -> bool:
    """Whether a part of a formula is a condition or an event."""
    return f[0] in ("state", "event")


class Tableau:
    """A formula with not, and, X and U only."""

    def __init__(self, formula: Tree) -> None:
        self.formula = formula
        self.parts: list[Tree] = []  # of the formula, each once and behind its own parts
        self.inner: list[list[int]] = []
        self._numbers: dict[str, int] = {}
        self._collect(formula)
        self.guessed = [k for k, f in enumerate(self.parts) if f[0] in ("X", "U")]
        self._constants = [_constant_part(f) for f in self.parts]

    def _collect(self, f: Tree) -> int:
        inner = [] if is_atom(f) else [self._collect(part) for part in f[1:]]
        if str(f) not in self._numbers:
            self._numbers[str(f)] = len(self.parts)
            self.parts.append(f)
            self.inner.append(inner)
        return self._numbers[str(f)]

    def truth(self, atoms: Sequence[bool | None], guesses: Sequence[bool]) -> list[bool]:
        """The truth of every part of the formula, from its atoms and what is guessed of the next position."""
        found: list[bool] = []
        guess = dict(zip(self.guessed, guesses, strict=True))
        for k, f in enumerate(self.parts):
            inner = [found[p] for p in self.inner[k]]
            known = self._constants[k]
            if known is not None:
                found.append(known)
                continue
            match f[0]:
                case "not":
                    found.append(not inner[0])
                case "and":
                    found.append(inner[0] and inner[1])
                case "X":
                    found.append(guess[k])
                case "U":
                    found.append(inner[1] or (inner[0] and guess[k]))
                case _:
                    found.append(bool(atoms[k]))
        return found

    def wanted(self, truth: Sequence[bool]) -> tuple[bool, ...]:
        """What the position before must have guessed."""
        return tuple(truth[self.inner[g][0] if self.parts[g][0] == "X" else g] for g in self.guessed)

    def keeps_promises(self, truths: Sequence[list[bool]]) -> bool:
        untils = [k for k in self.guessed if self.parts[k][0] == "U"]
        return all(any(not t[k] or t[self.inner[k][1]] for t in truths) for k in untils)

    def depends_on(self, atom: Tree) -> bool:
        """Whether words that differ in the truth of an atom alone may differ in that of the formula.

        Not if that is not soon seen.
        """
        other = _with_another(self.formula, atom)
        only_one = [("and", self.formula, ("not", other)), ("and", ("not", self.formula), other)]
        same = Tableau(("and", ("not", only_one[0]), ("not", only_one[1])))
        return not same.is_large and not same.is_tautology

    @property
    def is_large(self) -> bool:
        """Whether there are too many words to look at all of them."""
        return 1 << len(self._free) + len(self.guessed) > _MOST_NODES

    @property
    def _free(self) -> list[int]:
        return [k for k, f in enumerate(self.parts) if is_atom(f) and _constant_part(f) is None]

    @cached_property
    def is_tautology(self) -> bool:
        """Whether no word at all violates the formula, whatever is true at its positions; not if that takes long."""
        if self.is_large:
            return False
        truths, after = [], {}
        for values in product((False, True), repeat=len(self._free) + len(self.guessed)):
            chosen = dict(zip(self._free, values, strict=False))
            atoms = [chosen.get(k, _constant_part(f)) for k, f in enumerate(self.parts)]
            guesses = values[len(self._free) :]
            truth = self.truth(atoms, guesses)
            after.setdefault(self.wanted(truth), []).append(len(truths))
            truths.append((guesses, truth))
        graph = igraph.Graph(
            len(truths), [(k, n) for k, (g, _) in enumerate(truths) for n in after.get(g, ())], directed=True
        )
        starts = [k for k, (_, truth) in enumerate(truths) if not truth[-1]]
        reached = {n for k in starts for n in graph.subcomponent(k, mode="out")}
        return not any(
            reached.issuperset(component)
            and (len(component) > 1 or graph.are_adjacent(component[0], component[0]))
            and self.keeps_promises([truths[k][1] for k in component])
            for component in graph.connected_components(mode="strong")
        )


def _with_another(f: Tree, atom: Tree) -> Tree:
    """A formula about another atom in place of one."""
    if f == atom:
        return (f[0], ("another", f[1]), *f[2:])
    return f if is_atom(f) else (f[0], *(_with_another(part, atom) for part in f[1:]))
