"""Reports in a browser: Debian's chromium, driven by Playwright, over file URLs.

``BURNSIDE_SCREENSHOTS=DIR`` keeps screenshots of every page, wide and narrow, light and dark.
"""

from __future__ import annotations

import os
import shutil
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from burnside.cli.main import main

EXAMPLES = Path(__file__).parents[2] / "examples"
CHECKS = Path(__file__).with_name("checks.js").read_text()
MODELS = {
    "philosophers": ("zhang2013/dining_philosophers.seq", "-D", "N=5"),
    "tokens": ("zhang2013/token_circulation.seq", "-D", "N=3"),
    "balancer": ("jaghoori2005/load_balancer_small.rebeca",),
    "semaphore": ("liveness/semaphore.seq", "--fairness", "weak"),
    "events": ("classics/alternating_bit.csp",),
    "diagram": ("wahl2007/readers_writers.diagram",),
}
ODD = """\
process `Worker <b>&amp;</b> "quoted" émigré` = 0 .. 2;
domain Place = {
  `<script>alert(1)</script>`, `a/b\\c`, `a_value_with_a_name_that_is_longer_than_any_box_could_ever_be`
};
var `at"'`[`Worker <b>&amp;</b> "quoted" émigré`]: Place = `<script>alert(1)</script>`;
rule `go & <i>go</i>, wherever that may be and however long it takes`(i: `Worker <b>&amp;</b> "quoted" émigré`)
  when `at"'`[i] == `<script>alert(1)</script>`
do { `at"'`[i] := `a_value_with_a_name_that_is_longer_than_any_box_could_ever_be`; }
invariant `never <all> & "every" one_who_is_there_should_ever_be_somewhere_else_at_the_same_time`:
  exists i in `Worker <b>&amp;</b> "quoted" émigré`: `at"'`[i] == `<script>alert(1)</script>`;
"""
PLAIN = """\
var level: 0..5 = 0;
rule up when level < 5 do { level := level + 1; }
invariant low: level < 5;
"""
MIXED = """\
process Id = 0 .. 1;
domain Side = { left, right };
var turn: Side = *;
var inside[Id]: bool = false;
rule enter(i: Id) when (i == 0) == (turn == left) && !inside[i] do { inside[i] := true; }
rule leave(i: Id) when inside[i] do { inside[i] := false; turn := if turn == left then right else left; }
invariant alone: !(inside[0] && inside[1]);
"""
TEXTS = {"odd": ODD, "plain": PLAIN, "mixed": MIXED}
USUAL = ("philosophers", "events", "odd", "mixed")  # between them they have all that a page can have
SHOWN = ("philosophers", "tokens", "balancer")  # whose screenshots are always taken
WIDTHS = (1280, 390)
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SMALLEST = 8  # pixels of a letter


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
            directory = tmp_path_factory.mktemp("reports")
            self[name] = directory / f"{name}.html"
            model, *options = MODELS.get(name, (f"{name}.seq",))
            if name in TEXTS:
                (directory / model).write_text(TEXTS[name])
            place = directory if name in TEXTS else EXAMPLES
            assert main(["report", str(place / model), *options, "--quiet", "-o", str(self[name])]) in (0, 1)
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


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[] if n in USUAL else [pytest.mark.slow]) for n in (*MODELS, *TEXTS)]
)
def test_a_page_can_be_read(browser: Any, reports: dict[str, Path], name: str, tmp_path: Path) -> None:
    """Wide and narrow, light and dark: nothing is clipped, faint or tiny, and the page does not scroll sideways.

    No message, and no request but for the page.
    """
    with Opened(browser, reports[name]) as opened:
        page = opened.page
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                if os.environ.get("BURNSIDE_SCREENSHOTS") or (name in SHOWN and (width, scheme) == (1280, "light")):
                    assert keep(opened, f"{name}-{width}-{scheme}", tmp_path).stat().st_size > 20_000
        page.evaluate(CHECKS)
        page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
            assert page.evaluate("checks.clipped()") == []
            assert page.evaluate("checks.outside()") == []
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                assert page.evaluate("checks.faint()") == []
        page.set_viewport_size({"width": 1280, "height": 900})
        assert page.evaluate(f"checks.tiny({SMALLEST})") == []

        assert opened.problems == []
        assert opened.requests == [reports[name].as_uri()]


def test_the_checks_complain(browser: Any, reports: dict[str, Path]) -> None:
    """About each of the things that they look for."""
    wrong = {
        "clipped": ".summary { width: 4rem; overflow: hidden; white-space: nowrap; }",
        "outside": ".orbit .point text { font-size: 60px; }",
        "tiny": ".columns g text { font-size: 3px; }",
        "faint": "figcaption { color: #808080; }",
    }
    with Opened(browser, reports["tokens"]) as opened:
        opened.page.evaluate(CHECKS)
        for check, style in wrong.items():
            # The policy of the page forbids other style sheets, but not what scripts of a debugger do.
            opened.page.evaluate(
                "text => { const s = new CSSStyleSheet(); s.replaceSync(text); document.adoptedStyleSheets = [s]; }",
                style,
            )
            assert opened.page.evaluate(f"checks.{check}({SMALLEST})"), check


def test_what_does_not_scroll_has_no_shade(browser: Any, reports: dict[str, Path]) -> None:
    """Nor a line of it where the width of a box is no whole number of pixels."""
    bare = """
      nav { display: none; }
      .scroll { border-color: var(--behind) !important; border-radius: 0; }
      .scroll > * { visibility: hidden; }
    """
    # How many there are in a row of pixels in the middle of a picture.
    colours = """async (data) => {
      const picture = new Image();
      picture.src = `data:image/png;base64,${data}`;
      await picture.decode();
      const canvas = new OffscreenCanvas(picture.width, 1).getContext("2d");
      canvas.drawImage(picture, 0, -Math.floor(picture.height / 2));
      return new Set(new Uint32Array(canvas.getImageData(0, 0, picture.width, 1).data.buffer)).size;
    }"""
    with Opened(browser, reports["philosophers"]) as opened:
        eye = opened.context.new_page()  # the policy of the page would forbid to look at pictures
        opened.page.evaluate(
            "text => { const s = new CSSStyleSheet(); s.replaceSync(text); document.adoptedStyleSheets = [s]; }", bare
        )
        for width in (1280, 1111):
            opened.page.set_viewport_size({"width": width, "height": 900})
            still = [
                box
                for box in opened.page.locator(".scroll").all()
                if box.is_visible() and box.evaluate("box => box.scrollWidth <= box.clientWidth")
            ]
            assert len(still) > 4
            for box in still:
                assert eye.evaluate(colours, b64encode(box.screenshot()).decode()) == 1, box.get_attribute("class")


def test_wide_pictures_begin_with_the_first_state(browser: Any, reports: dict[str, Path]) -> None:
    """When they are unfolded; it is rarely at the left."""
    pytest.importorskip("pygraphviz")
    with Opened(browser, reports["philosophers"]) as opened:
        opened.page.locator("#states summary").first.click()
        opened.page.wait_for_function("document.querySelector('#states .picture').scrollLeft > 0")
        place = opened.page.locator("#states .graphviz g g").first.bounding_box()

        assert place["x"] > 0
        assert place["x"] + place["width"] < 1280


def test_the_dark_page_is_dark(browser: Any, reports: dict[str, Path]) -> None:
    """And the light one is light, and so is what is printed."""
    grounds = []
    with Opened(browser, reports["tokens"]) as opened:
        for media, scheme in (("screen", "light"), ("screen", "dark"), ("print", "dark")):
            opened.page.emulate_media(media=media, color_scheme=scheme)
            colour = opened.page.evaluate("getComputedStyle(document.body).backgroundColor")
            grounds.append(sum(map(int, colour.removeprefix("rgb(").removesuffix(")").split(", "))) / 3)

    assert grounds[0] > 230
    assert grounds[1] < 40
    assert grounds[2] > 230


def test_everything_is_printed(browser: Any, reports: dict[str, Path]) -> None:
    """What is folded as well, and nothing that only works on a screen."""
    with Opened(browser, reports["philosophers"], scripts=False) as opened:
        folded = opened.page.locator("#states details .picture").first
        assert not folded.is_visible()
        opened.page.emulate_media(media="print")

        assert folded.is_visible()
        assert not opened.page.locator("nav").is_visible()
        assert opened.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert opened.page.pdf().startswith(b"%PDF")


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


def test_all_can_be_reached_with_the_keyboard(browser: Any, reports: dict[str, Path]) -> None:
    """One stop after the other, each with a visible focus, and on to the end; what does not scroll is no stop."""
    describe = """() => {
      const box = document.activeElement, style = getComputedStyle(box);
      const scrolls = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
      return [box.tagName, box.className, style.outlineStyle + style.outlineWidth, scrolls];
    }"""
    seen = []
    with Opened(browser, reports["philosophers"]) as opened:
        for _ in range(80):
            opened.page.keyboard.press("Tab")
            tag, kind, outline, scrolls = opened.page.evaluate(describe)
            if tag == "BODY":
                break
            seen.append((tag, kind))
            assert outline == "solid3px", (tag, kind)
            assert "scroll" not in kind.split() or scrolls, kind
        else:
            pytest.fail("the focus goes round and round")

    tags = [tag for tag, _ in seen]
    assert tags.count("BUTTON") == 4
    assert tags.count("SUMMARY") >= 2
    assert tags.count("A") >= 9
    assert ("DIV", "trace live") in seen


def test_a_link_leads_to_a_run_that_can_be_stepped_through(browser: Any, reports: dict[str, Path]) -> None:
    """Nothing lies over its title, and keys work at once."""
    with Opened(browser, reports["semaphore"]) as opened:
        opened.page.get_by_role("link", name="show the run").last.click()
        opened.page.keyboard.press("ArrowRight")
        last = opened.page.locator(".trace").last
        title = opened.page.locator("#runs h3").last.bounding_box()
        bar = opened.page.locator("nav").bounding_box()

        assert " ".join(last.locator(".now").inner_text().split()).startswith("Step 1 of 4")
        assert title["y"] >= bar["y"] + bar["height"]


def test_arrow_keys_need_no_focus(browser: Any, reports: dict[str, Path]) -> None:
    """If a run is in view they step through it, and else they do nothing."""
    with Opened(browser, reports["philosophers"]) as opened:
        opened.page.evaluate("document.querySelector('.trace').scrollIntoView()")
        opened.page.keyboard.press("ArrowRight")
        assert opened.now().startswith("Step 1 of 5")
        opened.page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
        opened.page.keyboard.press("ArrowRight")
        assert opened.now().startswith("Step 1 of 5")


def test_nothing_moves_by_itself(browser: Any, reports: dict[str, Path]) -> None:
    """So that there is nothing to switch off for those who cannot bear it."""
    with Opened(browser, reports["semaphore"]) as opened:
        for motion in ("no-preference", "reduce"):
            opened.page.emulate_media(reduced_motion=motion)
            opened.press("ArrowRight", "End")
            assert opened.page.evaluate("document.getAnimations().length") == 0


def test_a_page_can_be_read_without_scripts(browser: Any, reports: dict[str, Path], tmp_path: Path) -> None:
    """All steps are listed, and nothing is shown that would not work."""
    with Opened(browser, reports["semaphore"], scripts=False) as opened:
        if os.environ.get("BURNSIDE_SCREENSHOTS"):
            keep(opened, "semaphore-1280-without-scripts", tmp_path)
        steps = opened.page.locator(".trace").first.locator("li")

        assert steps.count() == 7
        assert all(step.is_visible() for step in steps.all())
        assert not opened.page.locator(".player").first.is_visible()
        assert not opened.page.locator(".with-script").first.is_visible()
