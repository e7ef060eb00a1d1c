"""What other languages write and ``.seq`` does not: each is refused once, with what to write instead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from burnside.frontends.seq.reader import Reader
from burnside.frontends.seq.scope import Entity, Procedure, Variant
from burnside.frontends.seq.terms import Record, Term
from burnside.frontends.seq.types import RecordType
from burnside.source import Span, TokenStream

_OPENING: Final = ("(", "[", "{")
_CLOSING: Final = (")", "]", "}")
_NO_UPDATE: Final = "a record cannot be written as another one with some fields changed"


def skip_brackets(stream: TokenStream) -> None:
    """Go on behind the bracket that closes the one whose inside comes next."""
    level = 1
    while level and not stream.at("end"):
        kind = stream.advance().kind
        level += (kind in _OPENING) - (kind in _CLOSING)


def skip_fields(stream: TokenStream) -> None:
    """Go on behind ``{ name: … }``, if that comes next: no block begins like it."""
    if stream.peek_kinds(3) in (["{", "name", ":"], ["{", "quoted", ":"]):
        stream.advance()
        skip_brackets(stream)


def refuse_names_in_case(reader: Reader, value: Term) -> None:
    """``case Ask(x)`` and ``case Ask { from }``: names for fields."""
    stream = reader.stream
    is_list = stream.peek_kinds(3) in (["{", "name", "}"], ["{", "name", ","])
    if not stream.at("(") and not is_list:
        return
    whole = value.span.text if value.span and "\n" not in value.span.text else "m"
    remedy = f"the fields of the variant are those of the value: {whole}.field"
    raise reader.stop("BUR901", "a case has no names for fields", stream.peek.span, help=remedy)


def refuse_set_of_variants(reader: Reader, value: Term) -> bool:
    """``m is { Ask, Stop }``, behind ``is``: whether it was one."""
    stream = reader.stream
    if not stream.at("{"):
        return False
    start = stream.advance().span
    skip_brackets(stream)
    whole = value.span.text if value.span and "\n" not in value.span.text else "m"
    remedy = f"join questions with '||': {whole} is Ask || {whole} is Stop"
    reader.error("BUR901", "'is' asks for one variant", reader.span_from(start), help=remedy)
    return True


def refuse_update(reader: Reader, value: Term) -> None:
    """``r with { a: 1 }``: a record with other fields; the word comes next."""
    stream = reader.stream
    start = stream.advance().span
    if stream.accept("{"):
        skip_brackets(stream)
    else:
        stream.skip_to("}", ")", ";")
    reader.error("BUR901", _NO_UPDATE, start, help=_all_fields(value.type if isinstance(value, Record) else None))


def _all_fields(kind: RecordType | None) -> str:
    if kind is None or kind.owners:
        return "assign the fields that change: r.f := e"
    fields = ", ".join(f"{name}: …" for name, _ in kind.fields)
    return f"assign the fields that change, or write all of them: {kind.name} {{ {fields} }}"


def refuse_spread(reader: Reader, kind: RecordType) -> None:
    """``R { ...r, a: 1 }``: the same, as others write it; up to the bracket that closes it."""
    if reader.stream.at(".."):
        reader.error("BUR901", _NO_UPDATE, reader.stream.peek.span, help=_all_fields(kind))
        reader.stream.skip_to("}", ";")


def refuse_untyped_record(reader: Reader, start: Span) -> None:
    """``{ kind: ask, term: 1 }``, behind its brace: a record without its name."""
    if reader.stream.peek_kinds(2) in (["name", ":"], ["quoted", ":"]):
        skip_brackets(reader.stream)
        remedy = "write the name of its type in front: Msg { kind: … }"
        raise reader.stop("BUR901", "a record is written with the name of its type", start, help=remedy)


def refuse_call(reader: Reader, name: str, entity: Entity | None, span: Span) -> None:
    """``Msg(ask, 1)`` and ``a(i)``: what is not a definition, called where a value is expected."""
    remedy = "indices stand in brackets: a[i]"
    if isinstance(entity, RecordType | Variant):
        shown = f"{name} {{ {', '.join(f'{field}: …' for field, _ in entity.fields)} }}" if entity.fields else name
        remedy = f"write its fields: {shown}"
    elif isinstance(entity, Procedure):
        remedy = "a procedure is called as a statement; 'def' gives values"
    reader.error("BUR203", f"'{name}' cannot be called", span, help=remedy)


def refuse_var(reader: Reader) -> bool:
    """``var x: D`` and ``&x: D`` among parameters, in front of the name: whether it was there."""
    token = reader.stream.accept("var", "&")
    if token is not None:
        remedy = "what a procedure may change is written 'ref x: D'"
        reader.error("BUR102", f"expected a name, found '{token.text}'", token.span, help=remedy)
    return token is not None


def field_names(reader: Reader) -> Sequence[tuple[str, Span]]:
    """``from, to:``, the names of fields in front of their type; arrays of them are refused."""
    stream = reader.stream
    names = [reader.name("the name of a field")]
    while stream.accept(","):
        names.append(reader.name("the name of a field"))
    if stream.at("["):
        start = stream.peek.span
        while stream.accept("["):
            skip_brackets(stream)
        remedy = "a field may be a set or a sequence; or give the variable an index: var r[P]: R"
        reader.error("BUR901", "a field cannot be an array", reader.span_from(start), help=remedy)
    stream.expect(":")
    return names


def refuse_array_type(reader: Reader) -> bool:
    """``array[P] of bool``, up to the type of the elements: whether it was one."""
    stream = reader.stream
    if not reader.at_word("array", "Array", "ARRAY") or stream.peek_kinds(2)[-1] != "[":
        return False
    start = stream.advance().span
    while stream.accept("["):
        skip_brackets(stream)
    stream.accept("of")
    remedy = "indices stand behind the name of a variable: var a[P]: bool"
    reader.error("BUR901", "there are no types of arrays", start, help=remedy)
    return True
