"""Regular systems as plain sets of words, and what a ``find`` block means for them: the judge of ``pattern find``.

Nothing of Burnside is imported. A text is made together with its meaning: every expression is a pair of what is
written and of the set of words (or of words of pairs) up to `LONGEST` that it stands for. A pattern is judged by the
transitions that it is shown with.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import permutations, product

LONGEST = 5


@dataclass(frozen=True)
class Expr:
    """An expression and the words up to `LONGEST` that it stands for; symbols are letters, or pairs of them."""

    text: str
    words: frozenset[tuple]


def symbol(text, symbols):
    return Expr(text, frozenset((s,) for s in symbols))


def joined(*parts):
    words = {()}
    for part in parts:
        words = {v + w for v in words for w in part.words if len(v) + len(w) <= LONGEST}
    return Expr(" ".join(f"({p.text})" for p in parts), frozenset(words))


def repeated(part, sign):
    words = fresh = {()} if sign in "*?" else set(part.words)
    while sign in "*+" and fresh:
        fresh = {v + w for v in fresh for w in part.words if len(v) + len(w) <= LONGEST} - words
        words = words | fresh
    return Expr(f"({part.text}){sign}", frozenset(words | part.words if sign == "?" else words))


def combined(left, sign, right):
    words = {"|": left.words | right.words, "&": left.words & right.words, "-": left.words - right.words}[sign]
    return Expr(f"({left.text}) {sign} ({right.text})", frozenset(words))


def same(words):
    return Expr(f"same({words.text})", frozenset(tuple((a, a) for a in w) for w in words.words))


def moved(word, positions):
    """The letter at ``i`` stands at ``positions[i]``."""
    result = list(word)
    for source, target in enumerate(positions):
        result[target] = word[source]
    return tuple(result)


def rotation(first, length, *, left=False):
    cycle = list(range(first, length))
    turned = cycle[1:] + cycle[:1]
    images = list(range(length))
    for i, j in zip(cycle, turned, strict=True):
        images[j if left else i] = i if left else j
    return tuple(images)


def transposition(first, length):
    images = list(range(length))
    if first + 1 < length:
        images[first : first + 2] = [first + 1, first]
    return tuple(images)


def permuting(text, letters, positions):
    """The relation of a permutation of the library, written as ``text``."""
    words = [w for n in range(LONGEST + 1) for w in product(letters, repeat=n)]
    return Expr(text, frozenset(tuple(zip(w, moved(w, positions(len(w))), strict=True)) for w in words))


@dataclass
class Asked:
    """A ``find`` block."""

    kind: str = "process"
    states: tuple[int, int] | None = None
    forced: list[tuple[tuple, tuple]] = field(default_factory=list)
    generators: list[tuple[int, ...]] = field(default_factory=list)
    selections: dict[int, list[tuple[int, ...]]] = field(default_factory=dict)
    must: list[Expr] = field(default_factory=list)
    must_not: list[Expr] = field(default_factory=list)
    bounded: list[str] = field(default_factory=list)
    impossible: list[tuple[str, str]] = field(default_factory=list)

    def text(self):
        clauses = [f"kind {self.kind}"]
        if self.states:
            clauses.append(f"states {self.states[0]}..{self.states[1]}")
        clauses += [f"forced {' '.join(v)} -> {' '.join(w)}" for v, w in self.forced]
        clauses += [f"generator {len(p)} {cycles(p)}" for p in self.generators]
        clauses += [f"select {n} {' | '.join(map(cycles, chosen))}" for n, chosen in self.selections.items()]
        clauses += [f"must {e.text}" for e in self.must] + [f"must not {e.text}" for e in self.must_not]
        clauses += [f"bounded {', '.join(self.bounded)}"] if self.bounded else []
        clauses += [f"impossible {', '.join('/'.join(p) for p in self.impossible)}"] if self.impossible else []
        return "find { " + " ".join(f"{clause};" for clause in clauses) + " }"

    def features(self):
        """The clauses that are there."""
        found = {"generator": self.generators, "select": self.selections, "must not": self.must_not}
        found |= {name: getattr(self, name) for name in ("states", "forced", "must", "bounded", "impossible")}
        return [f"kind {self.kind}", *(name for name, value in found.items() if value)]


def cycles(positions):
    seen, text = set(), ""
    for start in range(len(positions)):
        cycle, i = [], start
        while i not in seen:
            seen.add(i)
            cycle.append(str(i + 1))
            i = positions[i]
        text += f"({' '.join(cycle)})" if len(cycle) > 1 else ""
    return text


@dataclass
class Described:
    """A system and what is asked about it."""

    letters: str
    configurations: Expr
    actions: list[Expr]
    asked: Asked

    def text(self):
        lines = [f"alphabet {{ {', '.join(self.letters)} }}", f"configurations {self.configurations.text};"]
        lines += [f"action t{i} = {action.text};" for i, action in enumerate(self.actions)]
        return "\n".join([*lines, self.asked.text(), ""])

    def steps(self):
        """The steps between configurations, by action."""
        inside = self.configurations.words
        pairs = [{split(columns) for columns in action.words} for action in self.actions]
        return [{(v, w) for v, w in some if v in inside and w in inside} for some in pairs]


def split(columns):
    return tuple(a for a, _ in columns if a is not None), tuple(b for _, b in columns if b is not None)


# ---------------------------------------------------------------- judging


@dataclass
class Shown:
    """A pattern as shown: its transitions ``[state][a, b] = state``, its accepting states, its number of states."""

    rows: list[dict[tuple[str | None, str | None], int]]
    accepting: frozenset[int]
    states: int

    def pairs(self):
        """The pairs of words with at most `LONGEST` columns."""
        level = [((), 0)]
        for _ in range(LONGEST + 1):
            yield from (split(columns) for columns, q in level if q in self.accepting)
            level = [((*columns, s), t) for columns, q in level for s, t in self.rows[q].items()]

    def most_often(self, letters, length):
        """How often letters occur in the second words of at most this many columns: the largest number."""
        best, largest = {0: 0}, -1
        for _ in range(length + 1):
            largest = max([largest, *(n for q, n in best.items() if q in self.accepting)])
            after = {}
            for q, n in best.items():
                for (_, b), t in self.rows[q].items():
                    after[t] = max(after.get(t, -1), n + (b in letters))
            best = after
        return largest

    def moves_something(self):
        """Whether some related words differ, of any length."""
        seen, todo = {(0, False)}, [(0, False)]
        for q, differ in todo:
            if differ and q in self.accepting:
                return True
            fresh = {(t, differ or a != b) for (a, b), t in self.rows[q].items()} - seen
            seen |= fresh
            todo += sorted(fresh)
        return False


def complaints(system, shown):
    """Everything that is wrong with a pattern, as far as words up to `LONGEST` tell."""
    asked, inside = system.asked, system.configurations.words
    related = set(shown.pairs())
    image = dict(related)
    if len(image) < len(related) or set(image) != inside:
        return ["no total function"]
    wrong = [] if set(image.values()) <= inside else ["inside"]
    wrong += [] if shown.moves_something() else ["identity"]
    wrong += ["simulation" for steps in system.steps() if any((image[v], image[w]) not in steps for v, w in steps)]
    wrong += kind_complaints(asked.kind, image)
    if asked.states and not asked.states[0] <= shown.states <= asked.states[1]:
        wrong.append("states")
    wrong += ["forced" for v, w in asked.forced if image.get(v) != w]
    wrong += ["generator" for p in asked.generators if not acts_as(image, p)]
    wrong += ["select" for chosen in asked.selections.values() if not any(acts_as(image, p) for p in chosen)]
    must = {split(columns) for expr in asked.must for columns in expr.words}
    wrong += ["must" for v, w in must if v in inside and image[v] != w]
    must_not = {split(columns) for expr in asked.must_not for columns in expr.words}
    wrong += ["must not"] if must_not & related else []
    columns = {pair for v, w in related for pair in zip(v, w, strict=False)}
    wrong += ["impossible"] if columns & set(asked.impossible) else []
    n = len(shown.rows)
    # Off all cycles, a letter occurs once per transition; on one, as often as there are rounds.
    wrong += ["bounded"] if asked.bounded and shown.most_often(asked.bounded, n * n + 2 * n) >= n else []
    return wrong


def acts_as(image, positions):
    return all(w == moved(v, positions) for v, w in image.items() if len(v) == len(positions))


def kind_complaints(kind, image):
    if any(len(w) > len(v) or (len(w) < len(v) and kind != "decreasing") for v, w in image.items()):
        return ["length"]
    if kind in ("process", "complete") and len(set(image.values())) < len(image):
        return ["bijection"]
    lengths = range(LONGEST + 1) if kind == "process" else ()
    return [] if all(any(acts_as(image, p) for p in permutations(range(n))) for n in lengths) else ["positions"]


# ---------------------------------------------------------------- making systems


def words_expr(rng, letters, depth=2):
    if depth == 0 or rng.random() < 0.2:
        some = rng.sample(letters, rng.randint(1, len(letters)))
        return symbol("any", letters) if rng.random() < 0.3 else symbol(f"[{' '.join(some)}]", some)
    left = words_expr(rng, letters, depth - 1)
    match rng.randrange(4):
        case 0:
            return repeated(left, rng.choice("*+?"))
        case 1:
            return joined(left, words_expr(rng, letters, depth - 1))
        case 2:
            return combined(left, rng.choice("|&-"), words_expr(rng, letters, depth - 1))
        case _:
            return joined(left, repeated(symbol("any", letters), "*"))


def space_expr(rng, letters):
    """All words, words on which permutations are trivial, words with a place of its own, finitely many, any."""
    every = repeated(symbol("any", letters), "*")
    constant = [repeated(symbol(a, a), "*") for a in letters]
    match rng.randrange(8):
        case 0 | 1:
            return every
        case 2:
            return rng.choice(constant)
        case 3:
            return combined(constant[0], "|", constant[1])
        case 4:
            return joined(
                symbol(letters[0], letters[0]), repeated(symbol(f"[{' '.join(letters[:2])}]", letters[:2]), "*")
            )
        case 5:
            return joined(constant[0], repeated(symbol(letters[1], letters[1]), "?"), constant[0])
        case 6:
            return joined(*[repeated(symbol("any", letters), "?") for _ in range(rng.randint(1, 3))])
        case _:
            return words_expr(rng, letters)


def pair_symbol(rng, letters):
    a, b = rng.choice(letters), rng.choice(letters)
    return symbol(f"{a}/{b}", [(a, b)])


def action_expr(rng, letters):
    """One process or two move, on a line or a ring, all move, or none."""
    idle = repeated(symbol("id", [(a, a) for a in letters]), "*")
    one, other = pair_symbol(rng, letters), pair_symbol(rng, letters)
    match rng.randrange(7):
        case 0 | 1:
            return joined(idle, one, idle)
        case 2:
            return repeated(combined(one, "|", other), "*")
        case 3:
            return joined(one, idle)
        case 4:
            return combined(joined(idle, one, other, idle), "|", joined(other, idle, one))
        case 5:
            return idle
        case _:
            return joined(idle, one, repeated(symbol("any", [*product(letters, repeat=2)]), rng.choice("*?")))
