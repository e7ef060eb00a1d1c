"""Pictures from Graphviz text, laid out in process by pygraphviz."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from burnside.results.answers import Drawing
from burnside.source import Diagnostic, ModelError, Note

_DOTS_PER_INCH = 110
_LARGEST_IMAGE = "60,60"  # inches
_DOCTYPE = re.compile(rb"<!DOCTYPE[^>]*>\s*")


def svg(answer: Drawing) -> bytes:
    """A picture as SVG."""
    return picture(answer.text, "svg", answer.engine)


def png(answer: Drawing) -> bytes:
    """A picture as PNG."""
    return picture(answer.text, "png", answer.engine)


def picture(text: str, form: str, engine: str = "dot") -> bytes:
    """An SVG document without references to anything outside, or a PNG; the same text gives the same bytes."""
    graphviz = _graphviz()
    with _quiet_errors():
        graph = graphviz.AGraph(string=text)
        if form == "png":
            graph.graph_attr["dpi"] = str(_DOTS_PER_INCH)
            graph.graph_attr["size"] = _LARGEST_IMAGE  # a larger one is made smaller
        drawn = graph.draw(format=form, prog=engine)
    return _DOCTYPE.sub(b"", drawn) if form == "svg" else bytes(drawn)


def _graphviz() -> Any:
    try:
        import pygraphviz
    except ImportError as error:
        note = Note("run: pip install 'burnside[draw]', or export a .dot file and use another Graphviz", "help")
        message = f"pictures need pygraphviz, which cannot be used here: {error}"
        raise ModelError([Diagnostic("BUR902", message, notes=(note,))]) from error
    return pygraphviz


@contextmanager
def _quiet_errors() -> Iterator[None]:
    """Layout libraries complain about fonts on the error stream of the process; nobody can do anything about it."""
    kept = os.dup(2)
    silence = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(silence, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(silence)
