"""Labels that nothing uses: values that no variable can have, because nothing but their names could give them."""

from __future__ import annotations

from collections.abc import Iterator

from burnside.claims.conditions import expressions_of
from burnside.claims.task import Task
from burnside.ir import nodes as n
from burnside.ir.nodes import Domain, Expr
from burnside.ir.uses import evaluated_in
from burnside.ir.views import tags_of
from burnside.ir.walk import parts, statements
from burnside.lint.warn import warning
from burnside.source import Diagnostic


def about_labels(task: Task) -> Iterator[Diagnostic]:
    """The labels of each enumeration that neither the text nor anything that ranges over it uses."""
    enumerations = [domain for domain in task.model.domains if domain.is_enumeration]
    if not enumerations:
        return
    used, ranged = _uses(task)
    tags = set(tags_of(task.model))
    for domain in enumerations:
        # The values of a domain that this one extends are those of that one, and come with what is assigned from it.
        own = domain.values()[-domain.added :] if domain.base else domain.values()
        unused = [domain.text(value) for value in own if (domain.name, value) not in used]
        # Nobody wrote down a domain without a place.
        if unused and domain.name not in ranged and domain.span is not None:
            yield _unused(domain, unused, is_tag=domain in tags)


def _unused(domain: Domain, labels: list[str], *, is_tag: bool) -> Diagnostic:
    quoted = [f"'{label}'" for label in labels]
    if is_tag:  # a match may have a case for it all the same
        remedy = "leave out the variant and its case, or make a value of it"
        return warning("BUR706", f"no value is ever {' or '.join(quoted)}", domain.span, remedy)
    listed = ", ".join(quoted)
    return warning("BUR706", f"nothing uses {listed} of '{domain.name}'", domain.span, "leave out what is not needed")


def _uses(task: Task) -> tuple[set[tuple[str, int]], set[str]]:
    """The values of domains that are written down or given at first, and the domains that something ranges over."""
    used: set[tuple[str, int]] = set()
    ranged: set[str] = set()
    for expr in _expressions(task):
        for part in parts(expr):
            match part:
                case n.Const(value=value, domain=domain) if domain is not None:
                    used.add((domain.name, value))
                case n.Quantified(domain=domain):
                    ranged.add(domain.name)
                case n.Lookup():
                    ranged |= {domain.name for domain in task.model.domains}  # entries have no labels to look for
                case _:
                    pass
    for variable in task.model.variables:
        ranged |= {d.name for d in variable.dimensions}
        for initial in variable.initial:
            if initial is None:
                ranged.add(variable.domain.name)
            else:
                used |= {(variable.domain.name, v) for v in (initial if isinstance(initial, tuple) else (initial,))}
    for rule in task.model.programs:
        ranged |= {p.domain.name for p in rule.parameters}
        ranged |= {s.domain.name for s in statements(rule.body) if isinstance(s, n.For)}
    ranged |= {p.domain.name for claim in task.claims for p in claim.parameters}
    return used, ranged


def _expressions(task: Task) -> Iterator[Expr]:
    for rule in task.model.programs:
        yield from evaluated_in(rule)
    yield from task.model.initially
    yield task.model.terminal
    for claim in task.claims:
        yield from expressions_of(claim)
