"""Operators by a table: one precedence climber for all languages.

A language lists its operators from the loosest to the tightest, says how those of one level join, and hands in what
reads an operand and what makes a node of operator and operands.

>>> table = OperatorTable((Joining.RIGHT, "=>"), (Joining.MANY, "&&"), (Joining.LEFT, "+ -"))
>>> table.level("=>"), table.level("&&"), table.level("-"), table.level("*")
(1, 2, 3, 0)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum, auto
from typing import Final, Generic, TypeAlias, TypeVar, final

from burnside.source import Span, TokenStream

T = TypeVar("T")

Signs: TypeAlias = tuple[str, ...]


class Joining(Enum):
    """What operators of one level mean if several of them follow one another, or stand in front of an operand."""

    LEFT = auto()
    RIGHT = auto()
    # The operands are the parts of one node.
    MANY = auto()
    # The same, but later stages nest the parts, so that their number is bounded like all nesting.
    NESTED = auto()
    # Reported; then read from the left.
    ONCE = auto()
    # Behind an operand, with what belongs to it; any operator may follow.
    SUFFIX = auto()
    # In front of an operand, which reaches as far as tighter operators join it.
    PREFIX = auto()


_DEEPENING: Final = (Joining.LEFT, Joining.ONCE, Joining.SUFFIX)


@final
class OperatorTable:
    """The operators of a language, from the loosest to the tightest; each row has the signs of one level.

    ``foreign`` has signs of other languages, each with the one that is meant and a remedy; ``spelled`` has other
    spellings that are right; ``negated`` is a word that negates operators behind it, and these: ``not in``.
    """

    def __init__(
        self,
        *rows: tuple[Joining, str],
        foreign: Mapping[str, tuple[str, str]] | None = None,
        spelled: Mapping[str, str] | None = None,
        negated: tuple[str, Signs] = ("", ()),
    ) -> None:
        self.joinings = (Joining.LEFT, *(joining for joining, _ in rows))
        self.levels: dict[str, int] = {}
        self.prefixes: dict[str, int] = {}
        for level, (joining, signs) in enumerate(rows, 1):
            target = self.prefixes if joining is Joining.PREFIX else self.levels
            target.update(dict.fromkeys(signs.split(), level))
        self._negation = negated[0]
        self.negated = {f"{negated[0]} {sign}": sign for sign in negated[1]}
        self.levels |= {whole: self.levels[sign] for whole, sign in self.negated.items()}
        self.foreign = foreign or {}
        self._meant = {sign: meant for sign, (meant, _) in self.foreign.items()} | dict(spelled or {})

    def level(self, sign: str) -> int:
        """How tightly an operator between operands binds; 0 if it is none."""
        return self.levels.get(sign, 0)

    def at(self, stream: TokenStream) -> str:
        """The sign or word that comes next, in its right spelling."""
        token = stream.peek
        sign = token.text if token.kind == "name" else token.kind
        if sign == self._negation and (whole := f"{sign} {stream.peek_kinds(2)[-1]}") in self.negated:
            return whole
        return self._meant.get(sign, sign)


@final
class OperatorParser(Generic[T]):
    """Reads operands and the operators of a table between them, at the cursor of a stream.

    ``join`` makes a node: the operators between its parts, the parts, and where the first begins. ``prefix`` does the
    same for an operator in front of an operand. Hooks for what is peculiar to a language: ``tails`` read what follows
    an operator if it is not an operand; ``is_over`` says that what looks like an operator is not; ``read_prefix`` reads
    the operator in front of an operand, empty if there is none; ``error`` reports.
    """

    def __init__(
        self,
        table: OperatorTable,
        stream: TokenStream,
        *,
        operand: Callable[[], T],
        join: Callable[[Signs, tuple[T, ...], Span], T],
        prefix: Callable[[str, T, Span], T] = lambda _, operand, __: operand,
        tails: Mapping[str, Callable[[T], T]] | None = None,
        is_over: Callable[[], bool] | None = None,
        read_prefix: Callable[[], str] | None = None,
        error: Callable[..., None] | None = None,
    ) -> None:
        self._table = table
        self._stream = stream
        self._operand = operand
        self._join = join
        self._prefix = prefix
        self._tails = tails or {}
        self._is_over = is_over
        self._read_prefix = read_prefix or self._listed_prefix
        self._error = error or stream.diagnostics.error

    def parse(self, above: int = 0) -> T:
        """An operand with all that operators tighter than level ``above`` join to it."""
        stream = self._stream
        stream.enter()
        start, depth = stream.peek.span, 1
        # In place, since texts may be nested deeply and frames are few.
        sign = self._read_prefix()
        left = self._prefix(sign, self.parse(self._table.prefixes[sign]), start) if sign else self._operand()
        tightest = len(self._table.joinings)
        while above < (level := self._level(above)) <= tightest:
            joining = self._table.joinings[level]
            if joining in _DEEPENING:
                stream.enter()
                depth += 1
            if joining is not Joining.SUFFIX:
                tightest = level  # tighter ones belong to the operands; a tail has none that could take them
            left, added = self._joined(left, level, start)
            depth += added
        stream.leave(depth)
        return left

    def _level(self, above: int) -> int:
        """How tightly the operator that comes next binds; 0 if there is none, or it does not belong here."""
        level = self._table.level(self._table.at(self._stream))
        return 0 if level > above and self._is_over is not None and self._is_over() else level

    def _joined(self, left: T, level: int, start: Span) -> tuple[T, int]:
        """``left`` with the operators of one level and the operands behind them, and by how much it got deeper."""
        sign = self.read_sign()
        tail = self._tails.get(sign)
        if tail is not None:
            return tail(left), 0
        joining = self._table.joinings[level]
        right = self.parse(level - 1 if joining is Joining.RIGHT else level)
        if joining in (Joining.MANY, Joining.NESTED):
            return self._row(left, sign, right, level, start)
        if joining is Joining.ONCE and self._table.levels.get(self._stream.peek.kind) == level:
            remedy = "join two comparisons with '&&'"
            self._error("BUR102", "comparisons do not chain", self._stream.peek.span, help=remedy)
        return self._join((sign,), (left, right), start), 0

    def _row(self, left: T, sign: str, right: T, level: int, start: Span) -> tuple[T, int]:
        signs, parts, depth = [sign], [left, right], 1
        self._stream.enter()
        while self._level(level - 1) == level:
            if self._table.joinings[level] is Joining.NESTED:
                self._stream.enter()
                depth += 1
            signs.append(self.read_sign())
            parts.append(self.parse(level))
        return self._join(tuple(signs), tuple(parts), start), depth

    def read_sign(self) -> str:
        """Read an operator; one of another language is reported and taken for the one that is meant."""
        meant, token = self._table.at(self._stream), self._stream.advance()
        if meant in self._table.negated:
            self._stream.advance()
        elif token.text in self._table.foreign:
            remedy = self._table.foreign[token.text][1]
            self._error("BUR102", f"expected '{meant}', found '{token.text}'", token.span, help=remedy)
        return meant

    def _listed_prefix(self) -> str:
        return self.read_sign() if self._table.at(self._stream) in self._table.prefixes else ""
