"""Links and keys lead somewhere, and the site has every page."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from markdown_pages import PAGES, ROOT, anchors_of, links_of, name_of

import burnside

DOCS = ROOT / "docs"
SITE = ROOT / "mkdocs.yml"
FOLDERS = ("src", "tests", "examples", "benchmarks", "changelog.d")
MARKDOWN = sorted({*PAGES, *(page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md"))})


@pytest.mark.parametrize("page", MARKDOWN, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link names a file that exists, and a heading in it if it has an anchor."""
    # Fragments of the changelog are put into a file of the root.
    folder = ROOT if page.parent.name == "changelog.d" else page.parent
    for path, anchor in links_of(page):
        target = folder / path if path else page
        assert target.exists(), path
        assert not anchor or anchor in anchors_of(target), f"{path}#{anchor}"


def test_keys_of_references_are_explained_and_used() -> None:
    """Every key such as [IpDill96] in the code and the documents has an entry, and entries stand in order."""
    code = Path(burnside.__file__).parent
    texts = [path.read_text() for path in (*PAGES, *code.rglob("*.py"), *code.rglob("*.h"))]
    lists = [found for text in texts for found in re.findall(r"\[((?:[A-Z][A-Za-z]+\d{2}[,\s]*)+)\](?!\*)", text)]
    entries = re.findall(r"^\*\*\[(\w+)\]\*\*", (DOCS / "theory" / "references.md").read_text(), re.MULTILINE)

    assert {key for keys in lists for key in re.findall(r"\w+", keys)} == set(entries)
    assert entries == sorted(entries)


def test_the_site_has_every_page() -> None:
    """The navigation lists each page once."""
    listed = re.findall(r"^ +- (?:[^:\n]+: )?(\S+\.md)$", SITE.read_text(), re.MULTILINE)

    assert sorted(listed) == sorted(page.relative_to(DOCS).as_posix() for page in PAGES if page.is_relative_to(DOCS))


@pytest.mark.skipif(importlib.util.find_spec("material") is None, reason="mkdocs-material is not installed")
def test_the_site_is_built_without_warnings_and_needs_no_network(tmp_path: Path) -> None:
    """Styles, scripts, fonts and pictures of every page are files of the site."""
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    loaded = r'<(?:script|img|iframe|source)\b[^>]*\ssrc="(?:https?:)?//|<link\b[^>]*\shref="(?:https?:)?//'

    assert done.returncode == 0, done.stderr
    for page in tmp_path.rglob("*.html"):
        assert not re.search(loaded, page.read_text()), page.name
    for style in tmp_path.rglob("*.css"):
        assert not re.search(r"(@import|url\()\s*[\"']?(https?:)?//", style.read_text()), style.name
