"""Parse regular expressions over letters and pairs.

``|`` unites, ``&`` intersects, ``-`` removes, juxtaposition concatenates, and ``* + ? {m} {m,} {m,n}`` repeat.
A symbol is a letter, ``any`` or a set ``[a b]``; a pair has one of these on each side of ``/``, or ``_`` for the
end of the shorter word. ``id`` is any pair of equal letters, ``()`` the empty word.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from burnside.frontends.kit.operators import Joining, OperatorParser, OperatorTable, Signs
from burnside.regular.formats.syntax import Call, Couple, Expr, Known, Meet, Repeat, Sequence, Side, Single, Union
from burnside.source import Lexicon, Span, TokenStream

CALLS = {"pairs": 2, "same": 1, "inverse": 1, "compose": 2}
LIBRARY = ("rotation", "transposition")
RESERVED = frozenset((*CALLS, *LIBRARY, "any", "id", "_"))
MOST_REPEATS = 100
_WORD = r"(?P<word>\w+)"
_SYMBOLS = ["|", "&", "-", "*", "+", "?", "{", "}", "(", ")", "[", "]", "/", ",", ";", "=", "@", "->", "..", ":"]

_OPERATORS = OperatorTable((Joining.MANY, "|"), (Joining.MANY, "& -"))

LEXICON = Lexicon(keywords=(), symbols=_SYMBOLS, extra=_WORD)


def at_word(stream: TokenStream, *texts: str) -> bool:
    """Whether the next token is one of these words."""
    return stream.at("word") and stream.peek.text in texts


def parse_expression(stream: TokenStream) -> Expr:
    """An expression: alternatives separated by ``|``."""
    start = stream.peek.span
    is_aligned = stream.accept("|") is not None  # a leading bar lines up alternatives
    read = OperatorParser(
        _OPERATORS,
        stream,
        operand=partial(_sequence, stream),
        join=lambda signs, parts, first: _joined(signs, parts, _since(stream, first)),
    ).parse()
    return replace(read, span=start.to(read.span)) if is_aligned and isinstance(read, Union) else read


def _joined(signs: Signs, parts: tuple[Expr, ...], span: Span) -> Expr:
    if signs[0] == "|":
        return Union(parts, span)
    return Meet(parts[0], tuple(zip(signs, parts[1:], strict=True)), span)


def _sequence(stream: TokenStream) -> Expr:
    start = stream.peek.span
    parts = [_repeated(stream)]
    while stream.at("word", "string", "(", "["):
        parts.append(_repeated(stream))
    return parts[0] if len(parts) == 1 else Sequence(tuple(parts), _since(stream, start))


def _repeated(stream: TokenStream) -> Expr:
    start = stream.peek.span
    body = _atom(stream)
    while stream.at("*", "+", "?", "{"):
        least, most = _bounds(stream)
        # x** is x*: without this, a row of stars would nest without a parenthesis in sight.
        if isinstance(body, Repeat) and (body.least, body.most) == (least, most) == (0, None):
            continue
        stream.enter()
        body = Repeat(body, least, most, _since(stream, start))
    stream.leave(_depth(body))
    return body


def _depth(body: Expr) -> int:
    depth = 0
    while isinstance(body, Repeat):
        depth, body = depth + 1, body.body
    return depth


def _bounds(stream: TokenStream) -> tuple[int, int | None]:
    mark = stream.advance().kind
    if mark != "{":
        return {"*": (0, None), "+": (1, None), "?": (0, 1)}[mark]
    least = parse_number(stream, MOST_REPEATS)
    most: int | None = least
    if stream.accept(","):
        most = None if stream.at("}") else parse_number(stream, MOST_REPEATS)
    stream.expect("}")
    return least, most if most is None else max(least, most)


def parse_number(stream: TokenStream, largest: int) -> int:
    """A number, at most ``largest``."""
    if not (stream.at("word") and stream.peek.text.isascii() and stream.peek.text.isdigit()):
        stream.fail("a number")
    token = stream.advance()
    digits = token.text.lstrip("0") or "0"
    if len(digits) > 9 or int(digits) > largest:
        stream.diagnostics.error("BUR105", f"this number is larger than {largest}", token.span)
        return largest
    return int(digits)


def _atom(stream: TokenStream) -> Expr:
    start = stream.peek.span
    if stream.accept("("):
        if stream.accept(")"):
            return Sequence((), _since(stream, start))
        inner = parse_expression(stream)
        stream.expect(")")
        return inner
    if at_word(stream, *CALLS) and stream.peek_kinds(2)[-1] == "(":
        return _call(stream)
    if at_word(stream, *LIBRARY) and stream.peek_kinds(2)[-1] == "@":
        return _known(stream)
    left = parse_side(stream)
    if stream.accept("/"):
        return Couple(left, parse_side(stream), _since(stream, start))
    return Single(left, left.span)


def _call(stream: TokenStream) -> Expr:
    name = stream.advance()
    stream.expect("(")
    arguments = [parse_expression(stream)]
    while len(arguments) < CALLS[name.text]:
        stream.expect(",")
        arguments.append(parse_expression(stream))
    stream.expect(")")
    return Call(name.text, tuple(arguments), _since(stream, name.span))


def _known(stream: TokenStream) -> Expr:
    name = stream.advance()
    stream.expect("@")
    sign = -1 if stream.accept("-") else 1
    place = sign * max(1, parse_number(stream, 20))
    return Known(name.text, place, _since(stream, name.span))


def parse_side(stream: TokenStream) -> Side:
    """A letter, a set of letters, ``any`` or ``_``."""
    token = stream.peek
    if stream.accept("["):
        names = [parse_letter(stream)]
        while not stream.at("]", "end"):
            stream.accept(",")
            names.append(parse_letter(stream))
        stream.expect("]")
        return Side(tuple(names), _since(stream, token.span), quoted=True)
    quoted = stream.at("string")
    if not quoted and at_word(stream, "any", "_"):
        stream.advance()
        return Side(None if token.text == "any" else (), token.span)
    return Side((parse_letter(stream),), token.span, quoted=quoted)


def parse_letter(stream: TokenStream) -> tuple[str, Span]:
    """The name of a letter, quoted if it is no word."""
    if not stream.at("word", "string"):
        stream.fail("a letter")
    token = stream.advance()
    return (token.text[1:-1] if token.kind == "string" else token.text), token.span


def _since(stream: TokenStream, start: Span) -> Span:
    return start.to(stream.previous.span)
