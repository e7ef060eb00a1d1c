"""The Markdown of the repository: its pages, and the blocks, headings, links and code spans in them."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import final

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs"))
import generate  # noqa: E402  (docs/generate.py)

PAGES = sorted((*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")))
# Pages that a program writes, and that other tests compare; and those that people write to show how things are done.
GENERATED = (generate.PAGE, generate.OPTIONS, generate.TABLES, generate.PEER_TABLES, generate.CORPUS, *generate.RUNS)
WRITTEN = [page for page in PAGES if page not in GENERATED and page.stem != "CHANGELOG"]

_FENCE = re.compile(r"^```(?P<tag>[^\n]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#{1,6} (.*)$", re.MULTILINE)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_SPAN = re.compile(r"(`+)(.+?)\1", re.DOTALL)


@final
@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: where it is, its language, the file that its title names ('' for none), and its text."""

    place: str
    language: str
    title: str
    text: str


def name_of(page: Path) -> str:
    """A page's path in the repository."""
    return page.relative_to(ROOT).as_posix()


def blocks_of(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page."""
    text = page.read_text()
    for found in _FENCE.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        tag = re.fullmatch(r'(\w*)(?: title="([^"]*)")?', found["tag"])
        language, title = tag.groups("") if tag else (found["tag"], "")
        yield Block(f"{name_of(page)}:{line}", language, title, found["text"])


def prose_of(page: Path) -> str:
    """What stands outside blocks."""
    return _FENCE.sub("", page.read_text())


def spans_of(page: Path) -> Iterator[str]:
    """The code spans in the prose of a page."""
    for found in _SPAN.finditer(prose_of(page)):
        yield " ".join(found[2].split())


def links_of(page: Path) -> Iterator[tuple[str, str]]:
    """The relative links of a page: a path ('' for the page itself) and an anchor ('' for none)."""
    for link in _LINK.findall(_SPAN.sub("", prose_of(page))):
        if "://" not in link:
            path, _, anchor = link.partition("#")
            yield path, anchor


def anchors_of(page: Path) -> set[str]:
    """What links to headings of a page are called, in the manner of GitHub; the site is built in the same manner."""
    titles = (re.sub(r"[`*]|\]\([^)]*\)|\[", "", title) for title in _HEADING.findall(prose_of(page)))
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}
