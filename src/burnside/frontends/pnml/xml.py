"""XML texts as trees of elements that know their places.

Nothing is looked up anywhere: a document type, and with it every entity that is not of XML itself and every reference
to another file, is refused where it stands.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final, final
from xml.parsers import expat

from burnside.source import Diagnostics, Source, Span, SyntaxStop
from burnside.source.tokens import refuse_nesting
from burnside.values import dataclass, field

# Levels of elements, which those that walk the tree have to follow: PNML needs two or three for a level of a term.
DEEPEST: Final = 300
MOST_ELEMENTS: Final = 2_000_000


@final
@dataclass(slots=True)
class Element:
    """An element: its name without a namespace, its attributes and parts, its text, and where it begins."""

    tag: str
    attributes: dict[str, str]
    span: Span
    parts: list[Element] = field(default_factory=list)
    text: str = ""

    def all(self, *tags: str) -> Iterator[Element]:
        """The parts with one of some names."""
        return (part for part in self.parts if part.tag in tags)

    def first(self, *path: str) -> Element | None:
        """The first part of a name, its first part of the next name, and so on."""
        element: Element | None = self
        for tag in path:
            element = next(element.all(tag), None) if element is not None else None
        return element

    def words(self) -> str:
        """Its text without the space around it."""
        return self.text.strip()


def read_xml(source: Source, diagnostics: Diagnostics, skipped: Collection[str] = ()) -> Element:
    """The root of a text; elements whose names are ``skipped`` are left out with all that is in them.

    `SyntaxStop` if the text is wrong, which has been reported.
    """
    return _Reader(source, diagnostics, skipped).read()


@final
class _Reader:
    """Puts elements together as they come."""

    def __init__(self, source: Source, diagnostics: Diagnostics, skipped: Collection[str]) -> None:
        self._source = source
        self._diagnostics = diagnostics
        self._skipped = skipped
        self._bytes = source.text.encode("utf-8", "surrogatepass")
        self._open: list[Element] = []
        self._texts: list[list[str]] = []
        self._root: Element | None = None
        self._hidden = 0  # elements around the place that are left out
        self._count = 0
        self._known = (0, 0)  # a byte, and the character that it begins
        # The text has been decoded, whatever it says about its encoding.
        self._parser = expat.ParserCreate("utf-8", "}")
        self._parser.buffer_text = True
        self._parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        self._parser.StartElementHandler = self._begin
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.StartDoctypeDeclHandler = self._doctype

    def read(self) -> Element:
        try:
            self._parser.Parse(self._bytes, True)
        except expat.ExpatError as error:
            place = self._place(self._parser.ErrorByteIndex)
            self._error("BUR102", f"not well-formed XML: {expat.errors.messages[error.code]}", place)
        if self._root is None:
            self._error("BUR102", "there is no element", Span(self._source, 0, 0))
        assert self._root is not None
        return self._root

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        if self._hidden or name.rpartition("}")[2] in self._skipped:
            self._hidden += 1
            return
        self._count += 1
        start = self._place(self._parser.CurrentByteIndex).start
        span = Span(self._source, start, start + 1 + len(name.rpartition("}")[2]))
        if self._count > MOST_ELEMENTS:
            self._error("BUR205", f"the text has more than {MOST_ELEMENTS:,} elements", span)
        if len(self._open) >= DEEPEST:
            refuse_nesting(span, self._diagnostics)
        element = Element(name.rpartition("}")[2], attributes, span)
        if self._open:
            self._open[-1].parts.append(element)
        else:
            self._root = element
        self._open.append(element)
        self._texts.append([])

    def _end(self, _: str) -> None:
        if self._hidden:
            self._hidden -= 1
            return
        self._open.pop().text = "".join(self._texts.pop())

    def _characters(self, text: str) -> None:
        if self._texts and not self._hidden:
            self._texts[-1].append(text)

    def _doctype(self, *_: object) -> None:
        # It is reported where its first part ends.
        known = self._place(self._parser.CurrentByteIndex)
        start = max(self._source.text.rfind("<!DOCTYPE", 0, known.end), 0)
        place = Span(self._source, start, start + len("<!DOCTYPE"))
        remedy = "entities and other files are not read: write out what they stand for, and leave out the declaration"
        self._error("BUR901", "a document type is not read", place, help=remedy)

    def _place(self, byte: int) -> Span:
        """Where a byte is; the parser never goes back."""
        before, character = self._known
        if byte < before:
            before, character = 0, 0
        character += len(self._bytes[before:byte].decode("utf-8", "ignore"))
        self._known = byte, character
        return Span(self._source, character, character + 1)

    def _error(self, code: str, message: str, span: Span, *, help: str = "") -> None:
        self._diagnostics.error(code, message, span, help=help)
        raise SyntaxStop
