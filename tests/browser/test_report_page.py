"""Reports in a browser: Debian's chromium, driven by Playwright, over file URLs.

``BURNSIDE_SCREENSHOTS=DIR`` keeps the screenshots.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from burnside.cli.main import main

EXAMPLES = Path(__file__).parents[2] / "examples"
MODELS = {
    "philosophers": ("zhang2013/dining_philosophers.seq", "-D", "N=5"),
    "tokens": ("zhang2013/token_circulation.seq", "-D", "N=3"),
    "balancer": ("jaghoori2005/load_balancer_small.rebeca",),
    "semaphore": ("liveness/semaphore.seq", "--fairness", "weak"),
}
WIDTHS = (1280, 400)
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A browser of the system; Playwright's own are never downloaded."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install playwright")
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip("needs chromium: apt-get install chromium")
    with playwright.sync_playwright() as running:
        # The sandbox of the browser does not work for root or in containers; pages here are our own.
        started = running.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="session")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The pages, made when they are asked for."""

    class Made(dict[str, Path]):
        def __missing__(self, name: str) -> Path:
            self[name] = tmp_path_factory.mktemp("reports") / f"{name}.html"
            model, *options = MODELS[name]
            assert main(["report", str(EXAMPLES / model), *options, "-o", str(self[name])]) in (0, 1)
            return self[name]

    return Made()


class Opened:
    """A page in the browser, with what went wrong in it."""

    def __init__(self, browser: Any, path: Path, *, width: int = 1280, scheme: str = "light", scripts: bool = True):
        self.context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, java_script_enabled=scripts
        )
        self.page = self.context.new_page()
        self.problems: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.problems.append(message.text))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("requestfailed", lambda request: self.problems.append(request.url))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(path.as_uri())

    def __enter__(self) -> Opened:
        return self

    def __exit__(self, *_: object) -> None:
        self.context.close()

    def now(self) -> str:
        """What the first run says about the step it is at."""
        return " ".join(self.page.locator(".trace .now").first.inner_text().split())

    def press(self, *keys: str) -> str:
        """Press keys in the first run; what it says then."""
        self.page.locator(".trace").first.focus()
        for key in keys:
            self.page.keyboard.press(key)
        return self.now()


def keep(opened: Opened, name: str, directory: Path) -> Path:
    """A screenshot of the whole page."""
    kept = Path(os.environ.get("BURNSIDE_SCREENSHOTS") or directory)
    kept.mkdir(parents=True, exist_ok=True)
    opened.page.screenshot(path=kept / f"{name}.png", full_page=True)
    return kept / f"{name}.png"


# ---------------------------------------------------------------- every page


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", MODELS)
def test_a_page_fits_and_asks_for_nothing(browser: Any, reports: dict[str, Path], name: str, width: int) -> None:
    """No message, no request but for the page, no scrolling sideways; in the dark as well."""
    for scheme in ("light", "dark"):
        with Opened(browser, reports[name], width=width, scheme=scheme) as opened:
            sizes = opened.page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")

            assert opened.problems == []
            assert opened.requests == [reports[name].as_uri()]
            assert sizes[0] <= sizes[1]


# Text that is wider than its box, unless the box (or one around it) scrolls or is folded. Pictures are measured below.
CLIPPED = """
() => [...document.querySelectorAll("body *:not(svg *)")].filter(box => {
  if (!box.offsetParent || box.closest(".scroll, .skip")) return false;
  const style = getComputedStyle(box);
  if (style.display === "inline" || style.overflowX === "auto") return false;
  return box.textContent.trim() && box.scrollWidth > box.clientWidth + 1 && box.clientWidth > 0;
}).map(box => `${box.tagName}.${box.className}: ${box.textContent.slice(0, 40)}`)
"""
# Labels in pictures that are wider than the boxes around them.
TOO_WIDE = """
() => [...document.querySelectorAll(".orbit .point, .columns g")].filter(group => {
  const text = group.querySelector("text"), box = group.querySelector("rect");
  return text && box && box.getBBox().width > 0 && text.getBBox().width > box.getBBox().width;
}).map(group => group.textContent)
"""


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", MODELS)
def test_no_text_is_clipped(browser: Any, reports: dict[str, Path], name: str, width: int) -> None:
    """Neither in the page nor in the boxes of its pictures."""
    with Opened(browser, reports[name], width=width) as opened:
        opened.page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")

        assert opened.page.evaluate(CLIPPED) == []
        assert opened.page.evaluate(TOO_WIDE) == []


def test_states_fit_their_boxes(browser: Any, reports: dict[str, Path]) -> None:
    """Graphviz makes boxes for letters of one width, and that is what the page shows."""
    pytest.importorskip("pygraphviz")
    with Opened(browser, reports["semaphore"]) as opened:
        outside = opened.page.evaluate("""() => [...document.querySelectorAll(".graphviz g g")].filter(group => {
          const box = group.querySelector(":scope > path[fill]:not([fill=none])");
          if (!box || !group.querySelector("text")) return false;
          return [...group.querySelectorAll("text")].some(text => {
            const inner = text.getBBox(), outer = box.getBBox();
            return inner.x < outer.x || inner.x + inner.width > outer.x + outer.width;
          });
        }).map(group => group.textContent)""")

        assert opened.page.locator(".graphviz text").count() > 20
        assert outside == []


def test_wide_pictures_begin_with_the_first_state(browser: Any, reports: dict[str, Path]) -> None:
    """When they are unfolded; it is rarely at the left."""
    pytest.importorskip("pygraphviz")
    with Opened(browser, reports["philosophers"]) as opened:
        opened.page.locator("#states summary").first.click()
        opened.page.wait_for_function("document.querySelector('#states .picture').scrollLeft > 0")
        place = opened.page.locator("#states .graphviz g g").first.bounding_box()

        assert place["x"] > 0
        assert place["x"] + place["width"] < 1280


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_screenshots(browser: Any, reports: dict[str, Path], name: str, tmp_path: Path) -> None:
    """Light and dark, wide and narrow."""
    for scheme in ("light", "dark"):
        for width in WIDTHS:
            with Opened(browser, reports[name], width=width, scheme=scheme) as opened:
                assert keep(opened, f"{name}-{width}-{scheme}", tmp_path).stat().st_size > 20_000


def test_the_dark_page_is_dark(browser: Any, reports: dict[str, Path]) -> None:
    """And the light one is light."""
    grounds = []
    for scheme in ("light", "dark"):
        with Opened(browser, reports["tokens"], scheme=scheme) as opened:
            colour = opened.page.evaluate("getComputedStyle(document.body).backgroundColor")
            grounds.append(sum(map(int, colour.removeprefix("rgb(").removesuffix(")").split(", "))) / 3)

    assert grounds[0] > 230
    assert grounds[1] < 40


# ---------------------------------------------------------------- runs


def test_arrow_keys_step_through_a_run(browser: Any, reports: dict[str, Path]) -> None:
    """Forward, back, to both ends and not beyond; the table shows the state and what changed."""
    with Opened(browser, reports["philosophers"]) as opened:
        table = opened.page.locator(".trace .state").first
        texts = [opened.now(), *(opened.press("ArrowRight") for _ in range(6))]

        assert texts[0] == "Initial state 5 steps follow"
        assert [text.split(" ")[:4] for text in texts[1:6]] == [["Step", f"{k}", "of", "5"] for k in range(1, 6)]
        assert texts[6] == texts[5]
        assert len(set(texts)) == 6
        assert texts[5].endswith("no rule can fire any more")
        assert table.inner_text().count("holding_one") == 5
        assert table.locator("td.changed").count() == 2
        assert opened.press("ArrowLeft") == texts[4]
        assert opened.press("Home") == texts[0]
        assert table.locator("td.changed").count() == 0
        assert opened.press("End") == texts[5]
        assert opened.problems == []


def test_the_page_does_not_scroll_when_keys_step(browser: Any, reports: dict[str, Path]) -> None:
    """Home and End belong to the run that has the focus."""
    with Opened(browser, reports["philosophers"]) as opened:
        opened.press()
        before = opened.page.evaluate("window.scrollY")
        opened.press("End", "Home", "ArrowRight")

        assert opened.page.evaluate("window.scrollY") == before


def test_buttons_and_steps_can_be_clicked(browser: Any, reports: dict[str, Path]) -> None:
    """As an alternative to keys."""
    with Opened(browser, reports["philosophers"]) as opened:
        trace = opened.page.locator(".trace").first
        trace.get_by_role("button", name="one step forward").click()
        assert opened.now().startswith("Step 1 of 5")
        trace.locator("li").nth(3).click()
        assert opened.now().startswith("Step 4 of 5")
        assert trace.locator("li[aria-current=step]").count() == 1
        trace.get_by_role("button", name="to the initial state").click()
        assert opened.now().startswith("Initial state")


def test_a_loop_goes_round_and_says_so(browser: Any, reports: dict[str, Path]) -> None:
    """After the last step comes the first of the loop, and back."""
    with Opened(browser, reports["semaphore"]) as opened:
        last = opened.press("End")
        round_two = opened.press("ArrowRight")

        assert last.startswith("Step 7 of 7")
        assert last.endswith("in the loop (steps 3 to 7), round 1")
        assert round_two.startswith("Step 3 of 7")
        assert round_two.endswith("back at the beginning of the loop (steps 3 to 7), round 2")
        assert opened.press("ArrowLeft") == last


def test_runs_without_steps_have_nothing_to_press(browser: Any, reports: dict[str, Path]) -> None:
    """An initial state decides both properties of the tokens."""
    with Opened(browser, reports["tokens"]) as opened:
        assert opened.page.locator(".trace").count() == 2
        assert not any(button.is_visible() for button in opened.page.locator(".trace button").all())
        assert not opened.page.locator(".with-script").first.is_visible()


def test_steps_are_announced(browser: Any, reports: dict[str, Path]) -> None:
    """To those who listen."""
    with Opened(browser, reports["philosophers"]) as opened:
        now = opened.page.locator(".trace .now").first

        assert now.get_attribute("aria-live") == "polite"
        opened.press("ArrowRight")
        assert opened.page.get_by_role("group", name="progress").count() == 1


def test_the_focus_can_be_seen(browser: Any, reports: dict[str, Path]) -> None:
    """Whatever has it."""
    with Opened(browser, reports["philosophers"]) as opened:
        for _ in range(14):
            opened.page.keyboard.press("Tab")
            focused = "(e => [e.tagName, getComputedStyle(e).outlineStyle, getComputedStyle(e).outlineWidth])"
            tag, style, width = opened.page.evaluate(f"{focused}(document.activeElement)")
            assert (style, width) == ("solid", "3px"), tag


def test_a_page_can_be_read_without_scripts(browser: Any, reports: dict[str, Path]) -> None:
    """All steps are listed, and nothing is shown that would not work."""
    with Opened(browser, reports["semaphore"], scripts=False) as opened:
        steps = opened.page.locator(".trace").first.locator("li")

        assert steps.count() == 7
        assert all(step.is_visible() for step in steps.all())
        assert not opened.page.locator(".player").first.is_visible()
        assert not opened.page.locator(".with-script").first.is_visible()
