"""Arguments with parts are shown as they are written, and asked for in formulas."""

from __future__ import annotations

from tests.support.flattened import problems, task_of

from burnside.claims.kinds import EventTest, InfiniteRuns
from burnside.claims.members import members_of
from burnside.decide.modes import Mode
from burnside.ir.initial import initial
from burnside.ir.instances import with_arguments
from burnside.ir.semantics import Step, successors
from burnside.study import Study

TEXT = """
process P = 0 .. 1;
domain V = { a, b };
record In { who: P, many: set of P }
record R { kind: V, inner: In }
union U { Ask { from: P }, Tell { from: P, what: V }, Stop }
var net: bag of U max 1 lossy;
var last: R;
var s: set of P;
rule put(u: U) when empty(net) do { send u to net; }
rule take(i: P) receive any m in net when i == 1 do { insert(s, i); }
rule show as shown(last, s, card(s)) when last.kind == a do { last.kind := b; insert(last.inner.many, 1); }
invariant known(r: In): true || r.who in s;
"""


def events(text: str) -> set[str]:
    """The first events of a model and those behind them."""
    model = task_of(text).model
    first = next(initial(model))
    seen = [o for o in successors(model, first) if isinstance(o, Step)]
    later = [o for step in seen for o in successors(model, step.state) if isinstance(o, Step)]
    return {f"{name}({', '.join(given)})" for name, *given in (o.event for o in (*seen, *later))}


def test_events_have_their_arguments_in_one_piece() -> None:
    found = events(TEXT)

    assert {"put(Stop)", "put(Tell {from: 1, what: a})", "take(1, Ask {from: 0})", "net.lose(Stop)"} <= found
    assert "shown({kind: a, inner: {who: 0, many: {}}}, {}, 0)" in found


def test_so_have_rules_and_members_of_families() -> None:
    task = task_of(TEXT)
    (rule,) = (r for r in task.model.rules if r.name == "take")
    names = [member.name for member in members_of(task.claims)]

    assert with_arguments("take", rule.parameters, (1, 2, 2, 2)) == "take(1, Stop)"
    assert names[:2] == ["known({who: 0, many: {}})", "known({who: 0, many: {1}})"]


def test_what_has_lost_a_part_is_not_put_together() -> None:
    (rule,) = (r for r in task_of(TEXT).model.rules if r.name == "take")

    assert with_arguments("take", rule.parameters[:-1], (1, 2, 2)) == "take(1, Stop, none)"


def test_formulas_ask_for_records() -> None:
    said = "ltl tell: [] !event put(Tell { from: 1, what: b }); ltl taken: [] !event take(_, Stop); "
    task = task_of(TEXT + said + "ltl never: [] !event take(0, _);")
    claims = [claim for claim in task.claims if isinstance(claim, InfiniteRuns)]
    found = Study(task).decide([*members_of(claims)], Mode.AUTO, None).findings
    wrong = problems(TEXT + "ltl l: [] !event take(0, 2, 1);")

    assert [len(test.arguments or ()) for c in claims for _, test in c.atoms if isinstance(test, EventTest)] == [
        3,
        4,
        4,
    ]
    assert [f.verdict.value for f in found] == ["violated", "violated", "holds"]
    assert wrong == [("BUR204", "event 'take' has 2 arguments, found 3")]
