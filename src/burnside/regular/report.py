"""What ``burnside pattern`` says: each answer as a JSON object and as lines of text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from time import perf_counter
from typing import Any, ParamSpec, TypeVar, final

from burnside.limits import LimitReached
from burnside.regular.clauses import why_none
from burnside.regular.describe import describe_permutation
from burnside.regular.find import describe, search
from burnside.regular.image import HOLDS, UNKNOWN, VIOLATED, Answer, Explorer, Image, decide, image_of
from burnside.regular.library import Permutation, library, parse_permutation
from burnside.regular.process import breach
from burnside.regular.pushdown import reflection_failure
from burnside.regular.relations import Relation
from burnside.regular.search import TooLarge
from burnside.regular.shapes import (
    FindObject,
    FoundObject,
    ImageObject,
    LibraryObject,
    PatternObject,
    ReflectionObject,
    RelabelledObject,
    SafetyObject,
)
from burnside.regular.symmetries import Symmetries, find_symmetries
from burnside.regular.synthesis.outcome import Found, Listener
from burnside.regular.system import Constraints, System
from burnside.regular.verify import Condition, Verdict, verify
from burnside.source import Diagnostic, ModelError, Note, Span, did_you_mean
from burnside.values import dataclass, replace

P = ParamSpec("P")
T = TypeVar("T")


@final
@dataclass(frozen=True, slots=True)
class Report:
    """One answer: the object for scripts, the text for people, whether it is what was hoped for, and if in full."""

    content: Mapping[str, Any]
    lines: tuple[str, ...]
    holds: bool = True
    partial: bool = False


def within_limits(answer: Callable[P, T]) -> Callable[P, T]:
    """Turn an automaton that grows too large into a diagnostic: a limit of ours, not a bug."""

    @wraps(answer)
    def limited(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return answer(*args, **kwargs)
        except TooLarge:
            raise ModelError([Diagnostic("BUR606", "an automaton for this question is too large")]) from None

    return limited


# ---------------------------------------------------------------- check


@within_limits
def check_library(system: System, *, depth: int = 3) -> Report:
    """Every pattern of the library, for all instances."""
    found = find_symmetries(system, depth=depth)
    content: LibraryObject = {
        "patterns": {p.name: reason is None for p, reason in found.breaches.items()},
        "groups": [group.name for group in found.groups],
        "generators": {group.name: list(group.generators) for group in found.groups},
        "relabelled": [_relabelled(system, p) for p in found.relabelled],
        "counterexamples": {
            p.name: reason.explain(system.alphabet, p) for p, reason in found.breaches.items() if reason is not None
        },
    }
    return Report(content, tuple(_library_lines(system, found)))


def _relabelled(system: System, permutation: Permutation) -> RelabelledObject:
    letters = {system.alphabet.show(a): system.alphabet.show(b) for a, b in enumerate(permutation.letters)}
    return {"name": permutation.name, "letters": letters}


def _library_lines(system: System, found: Symmetries) -> Iterable[str]:
    for permutation, reason in found.breaches.items():
        mark = "yes" if reason is None else "no "
        yield f"{mark}  {permutation.name:<17} {describe_permutation(permutation)}"
        if reason is not None:
            yield f"       {reason.explain(system.alphabet, permutation)}"
    for permutation in found.relabelled:
        yield f"yes  {permutation.name:<17} {describe_permutation(permutation, system.alphabet)}"
    yield "groups for every size: " + ("; ".join(f"{g.name} ({g.description})" for g in found.groups) or "none")


@within_limits
def check_pattern(system: System, name: str) -> Report:
    """One pattern: of the file, or of the library."""
    if system.pattern(name) is None and name == "reflection":
        return _check_reflection(system)
    verdict = verify(system, named_relation(system, name)[0])
    kind = "a complete symmetry pattern" if verdict.is_complete else "a symmetry pattern"
    headline = f"'{name}' is {kind if verdict.is_pattern else 'not a symmetry pattern'} (Theorem {verdict.theorem})"
    content: PatternObject = {
        "patterns": {name: verdict.is_pattern},
        "groups": [],
        "complete": verdict.is_complete,
        "theorem": verdict.theorem,
        "conditions": {c.value: verdict.holds(c) for c in Condition},
        "counterexamples": {c.value: f.explain(system.alphabet) for c, f in verdict.failures.items()},
    }
    return Report(content, (headline, *_condition_lines(system, verdict)), holds=verdict.is_pattern)


def _condition_lines(system: System, verdict: Verdict) -> Iterable[str]:
    for condition in Condition:
        failure = verdict.failures.get(condition)
        sentence = "" if failure is None else failure.explain(system.alphabet)
        yield f"{'yes' if failure is None else 'no '}  {condition.value:<18} {sentence}".rstrip()


def _check_reflection(system: System) -> Report:
    """The reversal of the languages decides; the pushdown method has to agree, as far as its bound on work lets it."""
    permutation = Permutation("reflection")
    reason, proof = breach(system, permutation), "Theorem 6"
    try:
        failure = reflection_failure(system)
        if (reason is None) != (failure is None):
            raise AssertionError("the reversal test and the pushdown method disagree on the reflection")
    except TooLarge:
        failure, proof = None, "reversal of the language"
    content: ReflectionObject = {"patterns": {"reflection": reason is None}, "groups": [], "complete": reason is None}
    if reason is None:
        return Report(content, (f"'reflection' is a complete symmetry pattern ({proof})",))
    sentence = reason.explain(system.alphabet, permutation) if failure is None else failure.explain(system.alphabet)
    condition = Condition.SIMULATION if reason.action else Condition.INSIDE
    content["counterexamples"] = {condition.value: sentence}
    return Report(content, (f"'reflection' is not a symmetry pattern ({proof})", f"     {sentence}"), holds=False)


def named_relation(system: System, name: str) -> tuple[Relation, Span | None]:
    """The pattern of this name in the file, or else in the library, and where it stands."""
    pattern = system.pattern(name)
    if pattern is not None:
        return pattern.relation, pattern.span
    permutation = parse_permutation(name)
    if permutation is not None and permutation.is_regular:
        return permutation.relation(system.alphabet.size), None
    known = [*(p.name for p in system.patterns), *(p.name for p in library())]
    remedy = did_you_mean(name, known) or "the file has: " + (", ".join(p.name for p in system.patterns) or "none")
    raise ModelError([Diagnostic("BUR613", f"there is no regular pattern '{name}'", notes=(Note(remedy, "help"),))])


# ---------------------------------------------------------------- find


@final
@dataclass(frozen=True, slots=True)
class FindOptions:
    """How to search: the mode, how many patterns, whether to ignore the constraints of the file."""

    mode: str = "auto"
    most: int = 1
    free: bool = False


@within_limits
def find(system: System, options: FindOptions, *, listener: Listener | None = None) -> tuple[Report, list[Found]]:
    """Synthesise patterns; the report is partial if a limit stopped the search."""
    constraints = Constraints() if options.free else system.constraints
    patterns: list[Found] = []
    stopped = "done"
    started = perf_counter()
    results = search(system, mode=options.mode, constraints=constraints, most=options.most, listener=listener)
    try:
        patterns.extend(results)  # keeps what was found before time ran out
    except LimitReached as limit:
        stopped, end = limit.limit, str(limit)
    else:
        end = "" if patterns else _none_found(system, constraints)
    content: FindObject = {
        "patterns": [_found(system, found) for found in patterns],
        "seconds": round(perf_counter() - started, 6),
        "stopped": stopped,
    }
    lines = (*(_found_line(system, found) for found in patterns), *([end] if end else []))
    return Report(content, lines, partial=stopped != "done"), patterns


def _found(system: System, found: Found) -> FoundObject:
    return {
        "states": found.states,
        "description": describe(system, found),
        "iterations": found.iterations,
        "seconds": round(found.seconds, 6),
        "verification_seconds": round(found.verification, 6),
        "refutations": found.refutations,
    }


def _found_line(system: System, found: Found) -> str:
    effort = f"{found.states} states, {found.iterations} candidates, {found.seconds:.2f} s"
    return f"{describe(system, found)}  ({effort}, verified in {found.verification * 1000:.1f} ms)"


def _none_found(system: System, wanted: Constraints) -> str:
    """A reason for which there is none, or else what was looked for."""
    reason = why_none(system, wanted)
    if reason:
        return f"no pattern: {reason}"
    asked = "" if replace(wanted, states=None) == Constraints() else " that meets the 'find' block"
    return f"no pattern other than the identity{asked} was found within the bound on states"


# ---------------------------------------------------------------- image


@within_limits
def image(system: System, name: str, explore: Explorer) -> Report:
    """The image under a pattern, and the safety questions of the file, decided by exploring it if it is finite."""
    relation, span = named_relation(system, name)
    _demand_pattern(system, name, verify(system, relation), span)
    result = image_of(system, relation)
    answers = decide(system, relation, result, explore)
    content: ImageObject = {
        "finite": result.is_finite,
        "count": result.count,
        "words": None if result.words is None else [system.alphabet.text(w) for w in result.words],
        "safety": [_answer(system, answer) for answer in answers],
    }
    verdicts = {answer.verdict for answer in answers}
    lines = (*_image_lines(system, result), *_answer_lines(system, result, answers))
    return Report(content, lines, holds=VIOLATED not in verdicts, partial=UNKNOWN in verdicts)


def _demand_pattern(system: System, name: str, verdict: Verdict, span: Span | None) -> None:
    """An image is defined for symmetry patterns only; say with words why this is none."""
    failures = [f for c, f in verdict.failures.items() if c in (Condition.TOTAL, Condition.INSIDE)]
    failures += [f for c, f in verdict.failures.items() if c in (Condition.SIMULATION, Condition.LENGTH_DECREASING)]
    if not failures:
        return
    notes = tuple(Note(f.explain(system.alphabet)) for f in failures)
    if failures[0].condition is Condition.TOTAL:
        raise ModelError([Diagnostic("BUR604", f"'{name}' is not total", span, notes)])
    raise ModelError([Diagnostic("BUR611", f"'{name}' is not a symmetry pattern of the system", span, notes)])


def _answer(system: System, answer: Answer) -> SafetyObject:
    trace = [system.alphabet.text(word) for word in answer.trace]
    return {"name": answer.question, "verdict": answer.verdict, "trace": trace}


def _image_lines(system: System, result: Image) -> Iterable[str]:
    if result.count is None:
        yield "the image is infinite"
        return
    yield f"the image is finite: {result.count:,} word{'s' if result.count != 1 else ''}"
    if result.words is not None:
        yield from (f"  {system.alphabet.text(word)}" for word in result.words)


def _answer_lines(system: System, result: Image, answers: list[Answer]) -> Iterable[str]:
    for answer in answers:
        run = " → ".join(system.alphabet.text(word) for word in answer.trace)
        if answer.verdict == HOLDS:
            yield f"{answer.question}: holds for every instance"
        elif answer.verdict == VIOLATED:
            yield f"{answer.question}: violated by the run {run}"
        elif answer.trace:
            yield f"{answer.question}: unknown, the pattern is too coarse"
            yield f"  the image has the run {run}, from an image of the start to an image of what is forbidden"
        else:
            reason = "infinite" if result.count is None else "too large to be explored"
            yield f"{answer.question}: unknown, the image is {reason}"
