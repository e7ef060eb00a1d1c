"""Every answer in every format that the table has: documents are well formed, whatever a model is called."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, get_args, get_type_hints
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator

import burnside
from burnside.cli.exits import Exit
from burnside.cli.main import main
from burnside.report.renderers import RENDERERS, formats_of, renderer
from burnside.results import answers
from burnside.results.answers import Kind
from burnside.results.page import Page

EXAMPLES = Path(__file__).parents[3] / "examples"
PHILOSOPHERS = EXAMPLES / "zhang2013" / "dining_philosophers.seq"
SEMAPHORE = EXAMPLES / "liveness" / "semaphore.seq"

# Names that mean something to every format: quotes, markup, a command of GitHub's, percent signs.
HOSTILE = """\
var `a<b>&"%0A::error::`: 0 .. 3 = 0;
rule `]]>,x=1:%25` when `a<b>&"%0A::error::` < 3 do { `a<b>&"%0A::error::` := `a<b>&"%0A::error::` + 1; }
invariant `::warning::<x>&%0D"'`: `a<b>&"%0A::error::` < 2;
reachable `]]>`: `a<b>&"%0A::error::` == 0 && `a<b>&"%0A::error::` == 1;
"""
WRONG = "var x: 0 .. 3 = 0;\nrule up do { y := x + 1; }\nrule down do { x := z; }\n"
FAULTY = "var x: 0 .. 3 = 0;\nrule up do { x := x + 1; }\ninvariant low: x < 9;\n"
FINE = "| 1 | 2 | 3 |"


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Models in a directory of their own, which is the current one."""
    for name, text in {"hostile": HOSTILE, "wrong": WRONG, "faulty": FAULTY}.items():
        (tmp_path / f"{name}.seq").write_text(text)
    edge = "(forall j in writers: at[j] != C)"
    readers = (EXAMPLES / "wahl2007" / "readers_writers.diagram").read_text()
    (tmp_path / "fine.diagram").write_text(readers.replace(f"{edge};", f"{edge} partition {FINE};"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], models: Path) -> Any:  # noqa: ARG001
    """Runs a command; its exit code and what it prints."""

    def run(*words: object) -> tuple[int, str, str]:
        code = int(main([*map(str, words)]))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


# ---------------------------------------------------------------- the table


@pytest.mark.parametrize(("kind", "form"), [(kind, form) for kind, row in RENDERERS.items() for form in row])
def test_the_table_names_functions_for_its_kinds(kind: Kind, form: str) -> None:
    """Each takes answers of the kind whose row it stands in."""
    function = renderer(kind, form)
    names = {**vars(answers), "Page": Page}
    (taken, *_) = get_type_hints(function, localns=names).values()
    accepted = get_args(taken) or (taken,)

    assert kind in {one.kind for one in accepted}


def test_every_kind_has_a_row() -> None:
    """Nothing can be answered that cannot be shown."""
    assert RENDERERS.keys() == set(Kind)


def test_a_check_has_formats_for_people_and_machines(run: Any) -> None:
    """And others are refused, with those that there are."""
    assert {"text", "json", "junit", "sarif", "github", "html"} <= set(formats_of(Kind.CHECK, Kind.PAGE))
    with pytest.raises(SystemExit) as refused:
        run("count", PHILOSOPHERS, "--format", "junit")
    assert refused.value.code == Exit.USAGE


def test_what_there_is_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """In the message that refuses a format."""
    with pytest.raises(SystemExit):
        main(["count", str(PHILOSOPHERS), "--format", "junit"])

    assert re.search(r"choose from '?text'?, '?json'?, '?sarif'?, '?github'?", capsys.readouterr().err)


@pytest.mark.parametrize("form", ["text", "json", "junit", "sarif", "github"])
def test_python_has_the_same_formats(form: str, run: Any) -> None:
    """And refuses others likewise."""
    found = burnside.load(PHILOSOPHERS, N=3).check("both_forks")
    _, printed, _ = run("check", PHILOSOPHERS, "-D", "N=3", "--property", "both_forks", "--format", form)

    assert without_times(found.render(form)) == without_times(printed.rstrip("\n"))
    with pytest.raises(ValueError, match="it can be text, json"):
        found.render("yaml")


def without_times(text: str) -> str:
    """Times and rates differ from run to run, and how much is tested in a share of the time."""
    return re.sub(r"\d+\.\d+|(?<=\"states_per_second\": )\d+|(?<=\"checked\": )\d+|[\d,]+ (?=states/s)", "", text)


def test_python_tells_warnings(models: Path) -> None:
    """As part of the answer, and of its object."""
    found = burnside.load(models / "fine.diagram").count(symmetry="adaptive")

    assert [d.code for d in found.diagnostics] == ["BUR304"]
    assert found.as_dict()["diagnostics"][0]["severity"] == "note"


def test_the_exit_code_does_not_depend_on_the_format(run: Any) -> None:
    """Whatever the answer is."""
    for model, code in (
        ("hostile.seq", 1),
        ("wrong.seq", 3),
        ("faulty.seq", 3),
        (EXAMPLES / "tutorial/queue_lock.seq", 0),
    ):
        for form in formats_of(Kind.CHECK, Kind.PAGE):
            assert run("check", model, "--format", form)[0] == code, (model, form)


@pytest.mark.parametrize(("command", "form"), [("check", "junit"), ("check", "html"), ("count", "sarif")])
def test_coverage_is_not_asked_for_in_vain(command: str, form: str, run: Any) -> None:
    """A format that would not show it is refused."""
    code, out, _ = run(command, PHILOSOPHERS, "-D", "N=3", "--coverage", "--format", form)

    assert code == Exit.MODEL
    assert "BUR902" in out


# ---------------------------------------------------------------- diagnostics


def test_diagnostics_have_places(run: Any) -> None:
    """All of them, on standard output; people find them on standard error."""
    code, out, err = run("detect", "wrong.seq", "--json")
    found = json.loads(out)

    assert code == Exit.MODEL
    assert [(d["code"], d["line"], d["column"], d["end"]) for d in found["diagnostics"]] == [
        ("BUR201", 2, 14, {"line": 2, "column": 15}),
        ("BUR201", 3, 21, {"line": 3, "column": 22}),
    ]
    assert err.startswith("error[BUR201]: 'y' is not known here\n --> wrong.seq:2:14\n")


@pytest.mark.parametrize(
    "command", ["check", "count", "detect", "simulate", "pattern check", "pattern find", "pattern image --pattern p"]
)
@pytest.mark.parametrize("form", ["json", "sarif", "github"])
def test_every_command_tells_what_is_wrong(command: str, form: str, run: Any) -> None:
    """In every format for machines."""
    code, out, _ = run(*command.split()[:2], "wrong.seq", *command.split()[2:], "--format", form)

    assert code == Exit.MODEL
    assert set(re.findall(r"wrong\.seq", out)) == {"wrong.seq"}
    assert re.search(r"BUR\d{3}", out)


@pytest.mark.parametrize(
    "command", ["export wrong.seq -o x.aut", "draw wrong.seq -o x.svg", "report wrong.seq -o x.html"]
)
@pytest.mark.parametrize("form", formats_of(Kind.WRITTEN))
def test_commands_that_write_files_tell_it_too(command: str, form: str, run: Any) -> None:
    """By ``--diagnostics``."""
    code, out, err = run(*command.split(), "--diagnostics", form)

    assert code == Exit.MODEL
    assert "BUR201" in (err if form == "text" else out)


@pytest.mark.parametrize("form", ["json", "sarif", "github", "junit"])
def test_what_was_written_is_told(form: str, run: Any) -> None:
    """With notes, if there are any."""
    code, out, _ = run("export", EXAMPLES / "tutorial/queue_lock.seq", "-o", "x.aut", "--diagnostics", form)

    assert code == Exit.DONE
    assert form == "sarif" or "x.aut" in out


def test_notes_come_with_the_answer(run: Any) -> None:
    """A model that can be used may be worth a word."""
    code, out, err = run("count", "fine.diagram", "--symmetry", "adaptive", "--json")
    (note,) = json.loads(out)["diagnostics"]

    assert code == Exit.DONE
    assert (note["code"], note["severity"], note["file"]) == ("BUR304", "note", "fine.diagram")
    assert "note[BUR304]" in err


def test_formats_of_other_tools_have_no_place_for_diagnostics(run: Any) -> None:
    """Standard output stays empty."""
    code, out, err = run("detect", "wrong.seq", "--format", "gap")

    assert (code, out) == (Exit.MODEL, "")
    assert "error[BUR201]" in err


# ---------------------------------------------------------------- GitHub


def commands_of(text: str) -> list[tuple[str, dict[str, str], str]]:
    """Lines as GitHub reads them: the command, its properties, the message."""
    found = []
    for line in text.splitlines():
        match = re.fullmatch(r"::(\w+)(?: ([^:]*))?::(.*)", line)
        assert match is not None, line
        pairs = (part.partition("=") for part in (match[2] or "").split(",") if part)
        found.append((match[1], {key: unescaped(value) for key, _, value in pairs}, unescaped(match[3])))
    return found


def unescaped(text: str) -> str:
    """What GitHub makes of an escaped text."""
    for escape, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(escape, character)
    return text


def line_of(start: str) -> int:
    """The first line of the philosophers that begins so."""
    lines = PHILOSOPHERS.read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.startswith(start))


def test_annotations_are_where_the_claims_are(run: Any) -> None:
    """Violated claims are errors, and the run is in the message."""
    _, out, _ = run("check", PHILOSOPHERS, "-D", "N=3", "--format", "github")
    (error, place, message), (notice, _, summary) = commands_of(out)

    assert (error, place["file"], place["line"], place["title"]) == (
        "error",
        str(PHILOSOPHERS),
        str(line_of("deadlockfree")),
        "deadlockfree progress",
    )
    assert message.startswith("'progress' is violated: no rule can fire after 3 steps\n  initial state\n")
    assert (notice, summary) == ("notice", "1 of 3 properties is violated; 2 hold")


def test_no_text_of_a_model_becomes_a_command(run: Any) -> None:
    """Names may look like commands; each line is one of ours, and says what was meant."""
    code, out, err = run("check", "hostile.seq", "--format", "github", "--no-warnings")
    found = commands_of(out)

    assert code == Exit.VIOLATED
    assert err == ""
    assert [name for name, *_ in found] == ["error", "error", "notice"]
    assert found[0][1].keys() == {"file", "line", "endLine", "col", "endColumn", "title"}
    assert found[0][1]["title"] == "invariant ::warning::<x>&%0D\"'"


def test_long_runs_are_cut(run: Any, models: Path) -> None:
    """GitHub would cut them without a word."""
    (models / "long.seq").write_text(
        "var x: 0 .. 99 = 0;\nrule r when x < 99 do { x := x + 1; }\ninvariant low: x < 99;\n"
    )
    _, out, _ = run("check", "long.seq", "--format", "github")

    assert commands_of(out)[0][2].splitlines()[-1] == "… and 44 more lines"


# ---------------------------------------------------------------- JUnit

# What a suite may hold, and the attributes it must and may have, as servers read it.
SHAPES = {
    "testsuites": ({"testsuite"}, set(), {"name", "time", "tests", "failures", "errors"}),
    "testsuite": (
        {"testcase", "properties", "system-out", "system-err"},
        {"name", "tests", "failures", "errors"},
        {"time", "skipped", "timestamp", "hostname", "id", "package", "file", "group", "log", "url"},
    ),
    "testcase": (
        {"failure", "error", "skipped", "system-out", "system-err"},
        {"name"},
        {"classname", "time", "group"},
    ),
    "failure": (set(), set(), {"type", "message"}),
    "error": (set(), set(), {"type", "message"}),
    "system-err": (set(), set(), set()),
}


def read_junit(text: str) -> ElementTree.Element:
    """A document of the right shape, whose counts are right."""
    root = ElementTree.fromstring(text)
    assert root.tag == "testsuites"
    for element in root.iter():
        inside, needed, allowed = SHAPES[element.tag]
        assert {child.tag for child in element} <= inside
        assert needed <= set(element.keys()) <= needed | allowed
        assert re.fullmatch(r"(\d*(\.\d*)?)?", element.get("time", ""))
    for suite in root:
        assert int(suite.get("tests", "")) == len(suite.findall("testcase"))
        assert int(suite.get("failures", "")) == len(suite.findall("testcase[failure]"))
        assert int(suite.get("errors", "")) == len(suite.findall("testcase[error]"))
    return root


def cases_of(root: ElementTree.Element) -> dict[str | None, list[str]]:
    """What became of each case."""
    return {case.get("name"): [child.tag for child in case] for case in root.iter("testcase")}


def test_a_claim_is_a_case(run: Any) -> None:
    """It fails if it is violated, and the run says why."""
    root = read_junit(run("check", PHILOSOPHERS, "-D", "N=3", "--format", "junit")[1])

    assert cases_of(root) == {"progress": ["failure"], "both_forks": [], "no_neighbours_eat": []}
    (failure,) = root.iter("failure")
    assert failure.get("type") == "deadlockfree"
    assert "get(0, 1)" in (failure.text or "")


def test_what_could_not_be_decided_is_an_error(run: Any) -> None:
    """Nobody takes it for a success."""
    words = ("check", EXAMPLES / "classics/filter_lock.seq", "-D", "N=7", "--symmetry", "none", "--memory", "2M")
    code, out, _ = run(*words, "--property", "mutex", "--format", "junit")

    assert code == Exit.LIMIT
    assert cases_of(read_junit(out)) == {"mutex": ["error"]}


def test_errors_in_a_model_are_one_case(run: Any) -> None:
    """With an element for each of them; a fault is one, too."""
    wrong, faulty = (read_junit(run("check", f"{name}.seq", "--format", "junit")[1]) for name in ("wrong", "faulty"))

    assert cases_of(wrong) == {"model": ["error", "error"]}
    assert cases_of(faulty) == {"low": ["error"], "model": ["error"]}


def test_every_process_is_a_suite(run: Any) -> None:
    """If a text asks about several."""
    root = read_junit(run("check", EXAMPLES / "classics/alternating_bit.csp", "--format", "junit")[1])

    assert len(root) > 1
    assert len({suite.get("name") for suite in root}) == len(root)


def test_names_stay_what_they_are_in_xml(run: Any) -> None:
    """Markup in them is none."""
    root = read_junit(run("check", "hostile.seq", "--format", "junit")[1])

    assert [*cases_of(root)] == ["::warning::<x>&%0D\"'", "]]>"]


def test_characters_that_xml_cannot_hold_are_escaped(run: Any, models: Path) -> None:
    """In a file that is no text."""
    (models / "bell.seq").write_text("var x: 0 .. 1 = 0;\n\x07\x1b[31m \ufffe\n")
    root = read_junit(run("check", "bell.seq", "--format", "junit")[1])

    assert "\\x07" in "".join(root.itertext())


# ---------------------------------------------------------------- SARIF

TEXT = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}
NUMBER = {"type": "integer", "minimum": 1}


def closed(needed: Iterable[str], **properties: Any) -> dict[str, Any]:
    """An object with these properties and no others."""
    return {"type": "object", "properties": properties, "required": [*needed], "additionalProperties": False}


def listed(items: Any, least: int = 0) -> dict[str, Any]:
    """A list of such items."""
    return {"type": "array", "items": items, "minItems": least}


REGION = closed(["startLine"], **dict.fromkeys(("startLine", "startColumn", "endLine", "endColumn"), NUMBER))
ARTIFACT = closed(["uri"], uri={"type": "string", "pattern": r"^[A-Za-z0-9._~:/@!$&'()*+,;=%-]*$"})
LOCATION = closed(
    [], physicalLocation=closed(["artifactLocation"], artifactLocation=ARTIFACT, region=REGION), message=TEXT
)
LEVEL = {"enum": ["none", "note", "warning", "error"]}
RESULT = closed(
    ["message", "ruleId", "ruleIndex", "level"],
    ruleId={"type": "string"},
    ruleIndex={"type": "integer", "minimum": 0},
    message=TEXT,
    level=LEVEL,
    kind={"enum": ["open", "fail"]},
    locations=listed(LOCATION),
    relatedLocations=listed(LOCATION),
    codeFlows=listed(
        closed(
            ["threadFlows"],
            threadFlows=listed(closed(["locations"], locations=listed(closed([], location=LOCATION), 1)), 1),
        )
    ),
)
RULE = closed(["id"], id={"type": "string"}, shortDescription=TEXT)
DRIVER = closed(["name"], name={"type": "string"}, version={"type": "string"}, rules=listed(RULE))
INVOCATION = closed(
    ["executionSuccessful"],
    executionSuccessful={"type": "boolean"},
    toolExecutionNotifications=listed(closed(["message"], message=TEXT, level=LEVEL)),
)
RUN = closed(
    ["tool"],
    tool=closed(["driver"], driver=DRIVER),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    invocations=listed(INVOCATION),
    results=listed(RESULT),
)
# The part of SARIF 2.1.0 that is used, with the names and requirements of the standard.
SARIF = closed(
    ["version", "runs"],
    version={"const": "2.1.0"},
    runs=listed(RUN),
    **{"$schema": {"type": "string", "format": "uri"}},
)


def read_sarif(text: str) -> dict[str, Any]:
    """The one run of a log; rules are those that results name."""
    found = json.loads(text)
    Draft202012Validator(SARIF).validate(found)
    (only,) = found["runs"]
    rules = only["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for result in only["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result.get("kind", "fail") == "fail" or result["level"] == "none"  # 3.27.10 of the standard
    run: dict[str, Any] = only
    return run


def test_what_does_not_hold_is_a_result(run: Any) -> None:
    """With the run, each step at its rule."""
    found = read_sarif(run("check", PHILOSOPHERS, "-D", "N=3", "--format", "sarif")[1])
    (result,) = found["results"]
    (flow,) = result["codeFlows"][0]["threadFlows"]

    assert (result["ruleId"], result["level"]) == ("deadlockfree", "error")
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == line_of("deadlockfree")
    lines = [step["location"]["physicalLocation"]["region"]["startLine"] for step in flow["locations"]]
    assert lines == [line_of("rule")] * 3
    assert found["invocations"] == [{"executionSuccessful": True}]


def test_what_is_not_known_is_open(run: Any) -> None:
    """Neither good nor bad."""
    words = ("check", EXAMPLES / "classics/filter_lock.seq", "-D", "N=7", "--symmetry", "none", "--memory", "2M")
    (result,) = read_sarif(run(*words, "--property", "mutex", "--format", "sarif")[1])["results"]

    assert (result["kind"], result["level"]) == ("open", "none")


@pytest.mark.parametrize("command", ["check", "count", "detect", "simulate"])
def test_diagnostics_are_results(command: str, run: Any) -> None:
    """Of a run that did not succeed."""
    found = read_sarif(run(command, "wrong.seq", "--format", "sarif")[1])

    assert [(r["ruleId"], r["level"]) for r in found["results"]] == [("BUR201", "error")] * 2
    assert found["tool"]["driver"]["rules"] == [{"id": "BUR201", "shortDescription": {"text": "unknown name"}}]
    assert found["invocations"] == [{"executionSuccessful": False}]


def test_runs_and_hostile_names_fit_into_sarif(run: Any, models: Path) -> None:
    """Paths are references, and may hold anything."""
    odd = models / "a b#c%20?.seq"
    odd.write_text(HOSTILE)
    relative, absolute = (read_sarif(run("check", path, "--format", "sarif")[1]) for path in (odd.name, odd))
    uris = [
        r["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in (relative, absolute)
    ]

    assert uris[0] == "a%20b%23c%2520%3F.seq"
    assert uris[1] == odd.as_uri()
    assert read_sarif(run("check", SEMAPHORE, "--fairness", "weak", "--format", "sarif")[1])["results"]


# ---------------------------------------------------------------- HTML


def test_a_page_is_printed(run: Any) -> None:
    """That of ``report``, or what is wrong instead of it."""
    _, page, _ = run("check", PHILOSOPHERS, "-D", "N=3", "--symmetry", "unique", "--format", "html")
    _, wrong, _ = run("check", "wrong.seq", "--format", "html")

    assert page.startswith("<!DOCTYPE html>")
    assert "1 of 3 properties is violated" in page
    assert "error[BUR201]: &#x27;y&#x27;" in wrong or "error[BUR201]: 'y' is not known here\n" in wrong
