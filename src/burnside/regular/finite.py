"""A finite system of words as a sequential model, so that the explorer decides questions about it.

A state of the model is a word, by its number, and the question that is asked. A word keeps its text as a label, but
counts as a number: successors are looked up in lists, so the model grows with the number of steps and its rules
do not. For the words ``a b`` and ``b a``, a step between them, and the question ``q`` whether ``b a`` is reached::

    const `first swap` = [0, 0, 1, 1];        // the successors of word w are next[first[w]], …, next[first[w + 1] - 1]
    const `next swap` = [2];
    const `start q` = [0, 1, 0];
    const `never q` = [0, 0, 1];
    domain Word = 0 .. 0 + { `a b`, `b a` };  // 0 is no word
    domain Question = { q };
    var asked: Question = *;
    var word: Word = *;
    initially asked == q => `start q`[word] == 1;
    rule swap(k: 0 .. 0) when `first swap`[word] + k < `first swap`[word + 1]
    do { word := `next swap`[`first swap`[word] + k]; }
    invariant q: asked == q => `never q`[word] == 0;
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, chain
from typing import final

from burnside.claims.kinds import Invariant
from burnside.claims.task import Task
from burnside.ir import nodes as n
from burnside.ir.cells import State
from burnside.ir.nodes import Domain, Expr, Model, Parameter, Rule, Variable
from burnside.regular.alphabet import Alphabet, Word
from burnside.regular.automata import Dfa
from burnside.regular.relations import Arcs, arcs
from burnside.regular.search import TooLarge
from burnside.regular.system import System
from burnside.values import dataclass

MOST_STEPS = 500_000
_MOST_PREFIXES = 2_000_000


@final
@dataclass(frozen=True)
class FiniteSystem:
    """Finitely many words, and for every action the numbers of the successors of each."""

    words: tuple[Word, ...]
    steps: Mapping[str, tuple[tuple[int, ...], ...]]


@final
@dataclass(frozen=True, slots=True)
class Query:
    """Can a word of ``never`` be reached from one of ``start``?"""

    name: str
    start: frozenset[Word]
    never: frozenset[Word]


# ---------------------------------------------------------------- words and their steps


def finite_system(system: System, words: Sequence[Word]) -> FiniteSystem:
    """The steps of a system between given configurations; `TooLarge` if they are too many."""
    numbers = {word: k for k, word in enumerate(words)}
    tree = _tree(words)
    work = _Work()
    steps = {}
    for name, step in system.steps.items():
        onward = arcs(step)
        found = (_successors(word, onward, step.accepting, tree, work) for word in words)
        steps[name] = tuple(tuple(sorted(numbers[target] for target in targets)) for targets in found)
    return FiniteSystem(tuple(words), steps)


@final
class _Work:
    """What has been spent on successors so far."""

    def __init__(self) -> None:
        self._prefixes = self._steps = 0

    def spend(self, *, prefixes: int = 0, steps: int = 0) -> None:
        self._prefixes += prefixes
        self._steps += steps
        if self._prefixes > _MOST_PREFIXES or self._steps > MOST_STEPS:
            raise TooLarge


def _tree(words: Sequence[Word]) -> Dfa[int]:
    """The words as a tree of their prefixes."""
    rows: list[dict[int, int]] = [{}]
    accepting = set()
    for word in words:
        node = 0
        for letter in word:
            if letter not in rows[node]:
                rows[node][letter] = len(rows)
                rows.append({})
            node = rows[node][letter]
        accepting.add(node)
    return Dfa(tuple(rows), frozenset(accepting))


def _successors(word: Word, onward: Arcs, accepting: frozenset[int], tree: Dfa[int], work: _Work) -> Iterator[Word]:
    """The words of the tree that a step relates to ``word``. A step keeps lengths, so both end together."""
    level: list[tuple[Word, int, int]] = [((), 0, 0)]
    for letter in word:
        level = [
            ((*prefix, image), target, tree.rows[node][image])
            for prefix, state, node in level
            for image, target in onward[state].get(letter, ())
            if image in tree.rows[node]
        ]
        work.spend(prefixes=len(level))
    found = [target for target, state, node in level if state in accepting and node in tree.accepting]
    work.spend(steps=len(found))
    yield from found


# ---------------------------------------------------------------- the model

_ASKED, _WORD, _TURN = "asked", "word", "k"


def task_of(finite: FiniteSystem, queries: Sequence[Query], alphabet: Alphabet) -> Task:
    """The words with all queries, one invariant for each, in one model. Needs: some word, some query."""
    word = Domain("Word", 0, len(finite.words), _labels(finite.words, alphabet))
    question = Domain("Question", 0, len(queries) - 1, tuple(query.name for query in queries))
    moving = {name: successors for name, successors in finite.steps.items() if any(successors)}
    model = Model(
        name="image",
        constants=(
            *chain.from_iterable(_successor_lists(name, successors) for name, successors in moving.items()),
            *chain.from_iterable(_membership_lists(finite.words, query) for query in queries),
        ),
        domains=(word, question),
        variables=(
            Variable(_ASKED, (), question, None, (None,)),
            Variable(_WORD, (), word, None, (None,)),
        ),
        rules=tuple(_rule(name, max(map(len, successors))) for name, successors in moving.items()),
        initially=tuple(_if_asked(question, k, _is(f"start {query.name}", 1)) for k, query in enumerate(queries)),
    )
    claims = (
        Invariant(query.name, _if_asked(question, k, _is(f"never {query.name}", 0))) for k, query in enumerate(queries)
    )
    return Task(model, tuple(claims))


def words_of(finite: FiniteSystem, run: Sequence[State]) -> tuple[Word, ...]:
    """The words that a run of the model visits."""
    return tuple(finite.words[word - 1] for _, word in run)


def _labels(words: Sequence[Word], alphabet: Alphabet) -> tuple[str, ...]:
    """The words as names. Letters may be called anything, so different words may have one text."""
    texts = [alphabet.text(word).replace("`", "'") for word in words]
    uses = Counter(texts)
    return tuple(text if uses[text] == 1 else f"{text} #{k}" for k, text in enumerate(texts, start=1))


def _successor_lists(name: str, successors: Sequence[Sequence[int]]) -> tuple[n.Constant, n.Constant]:
    """All successors one after the other, and where those of each word begin; word numbers count from one."""
    first = (0, *accumulate(map(len, successors), initial=0))
    following = tuple(target + 1 for targets in successors for target in targets)
    return n.Constant(f"first {name}", first), n.Constant(f"next {name}", following)


def _membership_lists(words: Sequence[Word], query: Query) -> tuple[n.Constant, n.Constant]:
    start = (0, *(int(word in query.start) for word in words))
    never = (0, *(int(word in query.never) for word in words))
    return n.Constant(f"start {query.name}", start), n.Constant(f"never {query.name}", never)


def _rule(name: str, most: int) -> Rule:
    """One step by an action: to the ``k``-th successor, if there are so many."""
    turns = Domain("", 0, most - 1)
    word = n.Read(_WORD)
    place = n.Binary("+", n.Lookup(f"first {name}", (word,)), n.Bound(_TURN, turns))
    end = n.Lookup(f"first {name}", (n.Binary("+", word, n.Const(1)),))
    return Rule(
        name=name,
        parameters=(Parameter(_TURN, turns),),
        guard=n.Binary("<", place, end),
        event=n.Event(name),
        body=(n.Assign(word, n.Lookup(f"next {name}", (place,))),),
    )


def _if_asked(question: Domain, number: int, condition: Expr) -> Expr:
    return n.Binary("=>", n.Binary("==", n.Read(_ASKED), n.Const(number, question)), condition)


def _is(table: str, value: int) -> Expr:
    return n.Binary("==", n.Lookup(table, (n.Read(_WORD),)), n.Const(value))
