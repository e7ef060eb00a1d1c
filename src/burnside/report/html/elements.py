"""HTML elements as values. Text is escaped here and nowhere else, so nothing that a model says becomes markup."""

from __future__ import annotations

import json
from collections.abc import Iterable
from html import escape
from typing import Any, Final, TypeAlias, final

from burnside.source import printable

_VOID: Final = frozenset({"meta", "br", "col"})


@final
class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


Content: TypeAlias = "str | Markup | Iterable[Content]"
Attribute: TypeAlias = "str | int | float | bool | None"


def element(name: str, /, *content: Content, **attributes: Attribute) -> Markup:
    """An element. Underscores in names of attributes are hyphens; one at the end only keeps Python content.

    >>> print(element("p", "a < b", class_="note", aria_live="polite", hidden=False))
    <p class="note" aria-live="polite">a &lt; b</p>
    """
    opened = f"<{name}{''.join(_attribute(k, v) for k, v in attributes.items())}>"
    return Markup(opened) if name in _VOID else Markup(f"{opened}{joined(*content)}</{name}>")


def joined(*content: Content) -> Markup:
    """Several pieces one after the other."""
    return Markup("".join(_text(piece) for piece in content))


def _text(content: Content) -> str:
    if isinstance(content, Markup):
        return content
    if isinstance(content, str):
        return escape(printable(content), quote=False)
    return "".join(_text(piece) for piece in content)


def _attribute(name: str, value: Attribute) -> str:
    if value is None or value is False:
        return ""
    spelled = name.rstrip("_").replace("_", "-")
    if value is True:
        return f" {spelled}"
    text = f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)
    return f' {spelled}="{escape(printable(text))}"'


def drawing(label: str, size: tuple[float, float], *content: Content, class_: str, view: str | None = None) -> Markup:
    """A picture with a title that says what it shows to those who do not see it."""
    width, height = map(round, size)
    return element(
        "svg",
        element("title", label),
        *content,
        viewBox=view or f"0 0 {width} {height}",
        width=width,
        height=height,
        role="img",
        class_=class_,
    )


def json_script(content: Any, **attributes: Attribute) -> Markup:
    """Values for a script. No character in it can end the element or begin a comment."""
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=True)
    shown = text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    return element("script", Markup(shown), type="application/json", **attributes)


def sentence(text: str) -> str:
    """A text with a capital at its beginning and a full stop.

    >>> sentence("nothing changes")
    'Nothing changes.'
    """
    return f"{text[:1].upper()}{text[1:]}."


def deeper(content: Markup) -> Markup:
    """The same with its headings one level down: text is escaped, so only headings look like them.

    >>> print(deeper(element("h3", "<h3>")))
    <h4>&lt;h3&gt;</h4>
    """
    return Markup(content.replace("<h3>", "<h4>").replace("</h3>", "</h4>"))


def code(text: str) -> Markup:
    """A piece of a model within a sentence."""
    return element("code", text)


def figure(title: str, picture: Content) -> Markup:
    """A picture with its title."""
    return element("figure", element("figcaption", title), scrolling(title, picture))


def scrolling(label: str, *content: Content, class_: str = "") -> Markup:
    """A box of its own for what may be wider than the page; the keyboard reaches it."""
    classes = f"scroll {class_}".strip()
    return element("div", *content, class_=classes, tabindex=0, role="group", aria_label=label)
