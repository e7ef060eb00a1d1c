"""Checks every reader shares, between what was written and a `System`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import final

from burnside.regular.alphabet import Alphabet, Word
from burnside.regular.automata import minimise
from burnside.regular.relations import Language, Relation, badly_padded, is_length_preserving, restrict
from burnside.regular.system import Action, Constraints, NamedPattern, SafetyQuestion, System
from burnside.regular.verify import other_length, outside_word
from burnside.source import Diagnostics, Note, Span
from burnside.values import dataclass, field

MOST_LETTERS = 64


@final
@dataclass
class Draft:
    """The parts of a system while it is being read."""

    diagnostics: Diagnostics
    alphabet: Alphabet
    configurations: Language
    configurations_span: Span | None = None
    actions: list[Action] = field(default_factory=list)
    patterns: list[NamedPattern] = field(default_factory=list)
    questions: list[SafetyQuestion] = field(default_factory=list)
    constraints: Constraints = field(default_factory=Constraints)
    forced_spans: list[Span] = field(default_factory=list)

    def finish(self, end: Span) -> System | None:
        """The system, or None if it cannot be used; everything wrong with it has been reported."""
        if not self.actions:
            self.diagnostics.error("BUR608", "the system has no steps", end, help="add 'action NAME = ...;'")
        if not self.configurations.accepting:
            self.diagnostics.error("BUR603", "no word is a configuration", self.configurations_span)
        for action in self.actions:
            self._check_action(action)
        for pattern in self.patterns:
            self.check_padding(pattern.relation, pattern.span)
        for (left, right), span in zip(self.constraints.forced, self.forced_spans, strict=True):
            self._check_forced(left, right, span)
        if self.diagnostics.has_errors:
            return None
        parts = (tuple(self.actions), tuple(self.patterns), tuple(self.questions), self.constraints)
        return System(self.alphabet, self.configurations, *parts)

    def _check_action(self, action: Action) -> None:
        if not self.check_padding(action.relation, action.span):
            return
        if not is_length_preserving(action.relation):
            self._report_length(action)
            return
        leaving = outside_word(restrict(action.relation, inputs=self.configurations), self.configurations)
        if leaving is not None and self.configurations.accepting:
            source, target = (self.alphabet.text(w) for w in leaving.words)
            message = f"'{action.name}' leads from the configuration '{source}' to '{target}', which is none"
            remedy = "such steps are left out"
            self.diagnostics.warning("BUR607", message, action.span, help=remedy)

    def _check_forced(self, left: Word, right: Word, span: Span) -> None:
        """A pattern relates configurations to configurations, and nothing else can be forced on it."""
        for word in (left, right):
            if self.configurations.accepting and not self.configurations.accepts(word):
                self.diagnostics.error("BUR610", f"'{self.alphabet.text(word)}' is not a configuration", span)
                return

    def _report_length(self, action: Action) -> None:
        failure = other_length(action.relation)
        assert failure is not None
        source, target = (self.alphabet.text(w) for w in failure.words)
        note = Note(f"it relates '{source}' to '{target}'")
        message = f"the step '{action.name}' changes the length of a word"
        self.diagnostics.error("BUR602", message, action.span, notes=[note])

    def check_padding(self, relation: Relation, span: Span | None) -> bool:
        """Whether words end once and for all; if not, a pair of words is shown for which they do not."""
        columns = badly_padded(relation)
        if columns is None:
            return True
        shown = " ".join(self.alphabet.show_pair(pair) for pair in columns)
        note = Note(f"it accepts '{shown}'")
        self.diagnostics.error("BUR605", "a letter follows the end of a word", span, notes=[note])
        return False


def action_of(name: str, relation: Relation, span: Span | None) -> Action:
    """An action with its relation minimised, as every later check needs it."""
    return Action(name, minimise(relation), span)


def permutation_of(cycles: list[list[int]], length: int) -> tuple[int, ...] | None:
    """The permutation of ``length`` positions from zero with these cycles, or None if they do not fit."""
    images = list(range(length))
    moved = [i for cycle in cycles for i in cycle]
    if len(set(moved)) != len(moved) or any(not 0 <= i < length for i in moved):
        return None
    for source, target in _neighbours(cycles):
        images[source] = target
    return tuple(images)


def _neighbours(cycles: list[list[int]]) -> Iterator[tuple[int, int]]:
    for cycle in cycles:
        yield from zip(cycle, [*cycle[1:], *cycle[:1]], strict=True)
