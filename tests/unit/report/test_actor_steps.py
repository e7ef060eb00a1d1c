"""Steps of actors in words: messages with all their arguments, whoever gets them."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnside.explore.walk import Walk
from burnside.frontends.loading import load
from burnside.report.html.views import StateView
from burnside.report.states import step_texts
from burnside.study import Study

# Messages share the columns of a queue by kind of argument, so that columns are not in the order of parameters.
TALK = """\
reactiveclass Counter(5) {
  knownrebecs { Counter other; }
  statevars { byte n; boolean b; }
  msgsrv initial() { n = 0; self.tick(1, true); }
  msgsrv tick(byte k, boolean up) { n = k; self.tick(k, up); other.hear(up, k, self); }
  msgsrv hear(boolean loud, byte k, Counter who) { b = loud; who.thanks(); }
  msgsrv thanks() { b = false; }
}
main { Counter a(b):(); Counter b(a):(); }
"""


@pytest.fixture
def walk(tmp_path: Path) -> Walk:
    """At the beginning."""
    path = tmp_path / "talk.rebeca"
    path.write_text(TALK)
    found = Study(load(path)).walk(1)
    assert isinstance(found, Walk)
    return found


def take(walk: Walk, beginning: str) -> tuple[str, str]:
    """Take the step that is told with these words, and tell it."""
    texts = step_texts(walk.model, walk.here.choices)
    number = next(k for k, (event, _) in enumerate(texts) if event.startswith(beginning))
    walk.take(walk.here.choices[number])
    return texts[number]


def test_a_message_to_itself_has_its_arguments_even_if_the_queue_looks_the_same(walk: Walk) -> None:
    """What did not change in the queue was once taken for what has no arguments."""
    sends = "sends tick(1, true) to itself; sends hear(true, 1, a) to b"

    assert take(walk, "a takes") == ("a takes initial", "sends tick(1, true) to itself")
    assert take(walk, "a takes") == ("a takes tick(1, true) from itself", f"n: 0 → 1; {sends}")
    assert take(walk, "a takes") == ("a takes tick(1, true) from itself", sends)


def test_arguments_are_in_the_order_of_parameters(walk: Walk) -> None:
    """And a message without any has none, even where its queue has room for them."""
    for _ in range(2):
        take(walk, "a takes")
    take(walk, "b takes initial")
    event, effect = take(walk, "b takes hear")

    assert event == "b takes hear(true, 1, a) from a"
    assert effect == "b: false → true; sends thanks to a"


def test_tables_show_the_same_messages(walk: Walk) -> None:
    """In the order in which they are taken, with who sent them."""
    for _ in range(2):
        take(walk, "a takes")
    texts = StateView(walk.model).texts(walk.here.state)

    assert "tick(1, true) from a" in texts
    assert "initial, hear(true, 1, a) from a" in texts
