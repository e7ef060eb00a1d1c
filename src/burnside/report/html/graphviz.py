"""Pictures by Graphviz as parts of a page: only shapes and text are kept, no ids, no links, nothing from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from xml.etree import ElementTree

from burnside.report.dot import FONT
from burnside.report.html.elements import Attribute, Content, Markup, drawing, element
from burnside.report.picture import picture

_SHAPES: Final = {"g", "path", "polygon", "polyline", "ellipse", "circle", "rect", "line", "text"}
_KEPT: Final = (
    *("d", "points", "cx", "cy", "rx", "ry", "r", "x", "y", "x1", "y1", "x2", "y2", "width", "height", "transform"),
    *("fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "stroke-dasharray"),
    *("text-anchor", "font-size", "font-weight"),
)
_FONT: Final = 'fontname="Courier"'  # letters of one width: boxes fit the text whatever fonts a reader has
_TITLE: Final = "{http://www.w3.org/1999/xlink}title"
_PIXELS: Final = 4 / 3  # of a point


def drawn(text: str, label: str) -> Markup:
    """The picture of a Graphviz text, with a title that says what it shows."""
    root = ElementTree.fromstring(picture(text.replace(FONT, _FONT), "svg"))
    width, height = (float(re.sub(r"[^\d.]", "", root.get(side, "0"))) * _PIXELS for side in ("width", "height"))
    shapes = [_clean(child) for child in root if _tag(child) == "g"]
    return drawing(label, (width, height), shapes, class_="graphviz", view=root.get("viewBox"))


def _tag(node: ElementTree.Element) -> str:
    return str(node.tag).rpartition("}")[2]


def _clean(node: ElementTree.Element) -> Markup:
    """A shape with what is allowed of it; a tooltip becomes the title of the group that has it."""
    attributes: dict[str, Attribute] = {name: node.get(name) for name in _KEPT if node.get(name) is not None}
    content: list[Content] = [*_tooltip(node), *_inside(node)]
    if _tag(node) == "text":
        content = ["".join(node.itertext()).replace("\xa0", " ")]
    return element(_tag(node), *content, **attributes)


def _tooltip(node: ElementTree.Element) -> Iterator[Markup]:
    for link in node.iter():
        title = link.get(_TITLE)
        if title and _tag(node) == "g" and node.get("class") in ("node", "edge"):
            yield element("title", title.replace("\n", ", ").strip(", "))
            return


def _inside(node: ElementTree.Element) -> Iterator[Markup]:
    for child in node:
        if _tag(child) == "a":
            yield from _inside(child)
        elif _tag(child) in _SHAPES and not _is_ground(node, child):
            yield _clean(child)


def _is_ground(node: ElementTree.Element, child: ElementTree.Element) -> bool:
    """Whether a shape is the white ground that Graphviz draws first: the page has its own."""
    return node.get("class") == "graph" and _tag(child) == "polygon" and child.get("fill") == "white"
