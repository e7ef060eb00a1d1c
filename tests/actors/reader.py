"""A reader of right Rebeca texts and property files that shares nothing with the front end: the interpreter's own.

Texts are cut into words, and expressions are read by precedence climbing. What is wrong with a text is not explained.
"""

from __future__ import annotations

import re
from typing import Any

from actors import tree as t

_WORD = re.compile(
    r'//[^\n]*|/\*.*?\*/|\s+|([A-Za-z_]\w*|\d+|"(?:\\.|[^"\\])*"'
    r"|<<=|>>=|->|\+\+|--|<<|>>|&&|\|\||[-+*/%&|^=!<>]=|[-+*/%&|^=!<>~?:;,.(){}\[\]])",
    re.DOTALL,
)
_NUMBERS = ("boolean", "byte", "short", "int", "void")
_LEVELS = ["->", "||", "&&", "|", "^", "&", "== !=", "< <= > >= instanceof", "<< >>", "+ -", "* / %"]
_BINDING = {sign: level for level, signs in enumerate(_LEVELS) for sign in signs.split()}
_ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
_KEYWORDS = {*_NUMBERS, "self", "sender", "null", "true", "false", "new", "if", "else", "while", "do", "for"}
_KEYWORDS |= {"switch", "case", "default", "return", "break", "continue", "instanceof"}


class Reader:
    """Words with a position."""

    def __init__(self, text: str) -> None:
        self.words: list[str] = []
        position = 0
        while position < len(text):
            found = _WORD.match(text, position)
            assert found, text[position : position + 20]
            position = found.end()
            self.words += [found[1]] if found[1] else []
        self.words += [""] * 4
        self.at = 0

    @property
    def word(self) -> str:
        """The word at hand."""
        return self.words[self.at]

    def take(self, *wanted: str) -> str:
        """The word at hand, and go on; it must be one of those wanted, if there are any."""
        assert not wanted or self.word in wanted, (wanted, self.words[self.at - 5 : self.at + 5])
        self.at += 1
        return self.words[self.at - 1]

    def skip(self, *words: str) -> bool:
        """Whether one of the words stood here; it is left behind."""
        found = self.word in words
        self.at += found
        return found

    def _is_name(self, ahead: int = 0) -> bool:
        word = self.words[self.at + ahead]
        return (word[:1].isalpha() or word[:1] == "_") and word not in _KEYWORDS

    # ------------------------------------------------------------ declarations

    def program(self) -> t.Program:
        """A whole text."""
        environment: list[t.Field] = []
        classes: list[t.ReactiveClass] = []
        instances: list[t.Instance] = []
        while self.word:
            match self.take():
                case "env":
                    environment += self._fields()
                case "main":
                    self.take("{")
                    while not self.skip("}"):
                        instances += self._instances()
                case "interface":
                    classes.append(self._class())
                case "abstract":
                    self.take("reactiveclass")
                    classes.append(self._class())
                case "reactiveclass":
                    classes.append(self._class())
                case word:
                    assert word == ";", word
        return t.Program(tuple(environment), tuple(classes), tuple(instances))

    def _instances(self) -> list[t.Instance]:
        found = []
        kind = self._type()
        while True:
            if self._is_name(1):
                kind = self._type()
            name, known = self.take(), self._arguments()
            self.take(":")
            found.append(t.Instance(kind, name, known, self._arguments()))
            if self.take(",", ";") == ";":
                self.skip(";")
                return found

    def _class(self) -> t.ReactiveClass:
        name = self.take()
        parents: list[str] = []
        while self.skip("extends", "implements", ","):
            parents.append(self.take())
        queue = None
        if self.skip("("):
            queue = self.expression()
            self.take(")")
        members: dict[str, list[Any]] = {k: [] for k in ("known", "variables", "constructors", "servers", "methods")}
        self.take("{")
        while not self.skip("}"):
            self._member(name, members)
        return t.ReactiveClass(name, tuple(parents), queue, *map(tuple, members.values()))

    def _member(self, owner: str, members: dict[str, list[Any]]) -> None:
        if self.skip(";"):
            return
        if self.word in ("knownrebecs", "knownobjects", "statevars"):
            place = members["variables" if self.take() == "statevars" else "known"]
            self.take("{")
            while not self.skip("}"):
                place += [] if self.skip(";") else self._fields()
        elif self.word in ("msgsrv", "abstract"):
            self.skip("abstract")
            self.take("msgsrv")
            members["servers"].append(self._routine(None))
        elif self.word == owner and self.words[self.at + 1] == "(":
            members["constructors"].append(self._routine(None))
        else:
            members["methods"].append(self._routine(self._type()))

    def _routine(self, result: t.TypeName | None) -> t.Routine:
        name, parameters = self.take(), []
        self.take("(")
        while not self.skip(")"):
            self.skip(",")
            kind = self._type()
            parameters.append(t.Field(kind, self.take(), None))
        return t.Routine(name, tuple(parameters), None if self.skip(";") else self._block(), result)

    def _type(self) -> t.TypeName:
        name, sizes = self.take(), []
        while self.skip("["):
            sizes.append(self.expression())
            self.take("]")
        return t.TypeName(name, tuple(sizes))

    def _fields(self) -> list[t.Field]:
        found = self._some_fields()
        self.take(";")
        return found

    def _some_fields(self) -> list[t.Field]:
        kind, found = self._type(), []
        while True:
            name = self.take()
            found.append(t.Field(kind, name, self._initial() if self.skip("=") else None))
            if not self.skip(","):
                return found

    def _initial(self) -> t.Node:
        if not self.skip("{"):
            return self.expression()
        items = []
        while not self.skip("}"):
            self.skip(",")
            items.append(self._initial())
        return t.ArrayValue(tuple(items))

    # ------------------------------------------------------------ statements

    def _block(self) -> t.Block:
        self.take("{")
        body = []
        while not self.skip("}"):
            body.append(self._statement())
        return t.Block(tuple(body))

    def _condition(self) -> t.Node:
        self.take("(")
        found = self.expression()
        self.take(")")
        return found

    def _statement(self) -> t.Node:
        match self.word:
            case "{":
                return self._block()
            case ";":
                self.take()
                return t.Block(())
            case "if":
                self.take()
                condition, then = self._condition(), self._statement()
                return t.If(condition, then, self._statement() if self.skip("else") else None)
            case "while":
                self.take()
                return t.Loop((), self._condition(), (), self._statement())
            case "do":
                self.take()
                body = self._statement()
                self.take("while")
                return self._ended(t.Loop((), self._condition(), (), body, runs_first=True))
            case "for":
                return self._for()
            case "switch":
                return self._switch()
            case "return":
                self.take()
                return self._ended(t.Return(None if self.word == ";" else self.expression()))
            case "break" | "continue":
                return self._ended(t.Leave(self.take()))
            case _:
                return self._ended(self._simple())

    def _ended(self, statement: t.Node) -> t.Node:
        self.take(";")
        return statement

    def _simple(self) -> t.Node:
        if self.word in _NUMBERS or self._begins_declaration():
            return t.Declaration(tuple(self._some_fields()))
        return t.Evaluate(self.expression())

    def _begins_declaration(self) -> bool:
        """A name, perhaps with sizes, and another name."""
        if not self._is_name():
            return False
        at, depth = 1, 0
        while self.words[self.at + at] == "[" or depth:
            depth += {"[": 1, "]": -1}.get(self.words[self.at + at], 0)
            at += 1
        return self._is_name(at)

    def _for(self) -> t.Node:
        self.take("for")
        self.take("(")
        first = () if self.word == ";" else self._list()
        self.take(";")
        condition = None if self.word == ";" else self.expression()
        self.take(";")
        after = () if self.word == ")" else self._list()
        self.take(")")
        return t.Loop(first, condition, after, self._statement())

    def _list(self) -> tuple[t.Node, ...]:
        found = [self._simple()]
        while self.skip(","):
            found.append(self._simple())
        return tuple(found)

    def _switch(self) -> t.Node:
        self.take("switch")
        subject, cases = self._condition(), []
        self.take("{")
        while not self.skip("}"):
            label = self.expression() if self.take("case", "default") == "case" else None
            self.take(":")
            body = []
            while self.word not in ("case", "default", "}"):
                body.append(self._statement())
            cases.append(t.Case(label, tuple(body)))
        return t.Switch(subject, tuple(cases))

    # ------------------------------------------------------------ expressions

    def expression(self) -> t.Node:
        """Any expression."""
        target = self._conditional()
        if self.word in _ASSIGNMENTS:
            sign = self.take()
            return t.Assignment(target, sign[:-1], self.expression())
        return target

    def _conditional(self) -> t.Node:
        condition = self._operators(0)
        if not self.skip("?"):
            return condition
        then = self.expression()
        self.take(":")
        return t.Conditional(condition, then, self._conditional())

    def _operators(self, least: int) -> t.Node:
        """Operators that bind at least so tightly; an implication groups from the right, all others from the left."""
        left = self._unary()
        while (level := _BINDING.get(self.word, -1)) >= least:
            sign = self.take()
            if sign == "instanceof":
                left = t.InstanceOf(left, self._type())
            else:
                left = t.Binary(sign, left, self._operators(level + (sign != "->")))
        return left

    def _unary(self) -> t.Node:
        if self.word in ("!", "-", "+", "~"):
            return t.Unary(self.take(), self._unary())
        if self.word in ("++", "--"):
            sign = self.take()
            return t.Assignment(self._unary(), sign[0], t.Number(1))
        if self._is_cast():
            self.take("(")
            kind = self._type()
            self.take(")")
            return t.Cast(kind, self._unary())
        return self._postfix()

    def _is_cast(self) -> bool:
        opening, name, closing, after = self.words[self.at : self.at + 4]
        if opening != "(" or closing != ")":
            return False
        is_operand = after[:1].isalnum() or after[:1] in ("_", "(", "!", "~")
        return name in _NUMBERS or (self._is_name(1) and is_operand and after != "instanceof")

    def _postfix(self) -> t.Node:
        value = self._primary()
        while self.word in (".", "[", "++", "--"):
            match self.take():
                case ".":
                    name = self.take()
                    value = t.Call(value, name, self._arguments()) if self.word == "(" else t.Member(value, name)
                case "[":
                    value = t.Index(value, self.expression())
                    self.take("]")
                case sign:
                    value = t.Assignment(value, sign[0], t.Number(1), is_old=True)
        return value

    def _primary(self) -> t.Node:
        match self.take():
            case "true":
                return t.Truth(True)
            case "false":
                return t.Truth(False)
            case "null":
                return t.Null()
            case "self":
                return t.Self()
            case "sender":
                return t.Sender()
            case "(":
                inner = self.expression()
                self.take(")")
                return inner
            case "?":
                return t.Pick(self._arguments())
            case "new":
                kind, known = self._type(), self._arguments()
                self.take(":")
                return t.New(kind, known, self._arguments())
            case word if word.isdigit():
                return t.Number(int(word))
            case word if word.startswith('"'):
                return t.Text(word[1:-1])
            case word:
                return t.Call(None, word, self._arguments()) if self.word == "(" else t.Name(word)

    def _arguments(self) -> tuple[t.Node, ...]:
        self.take("(")
        found = []
        while not self.skip(")"):
            self.skip(",")
            found.append(self.expression())
        return tuple(found)

    # ------------------------------------------------------------ properties

    def properties(self) -> t.PropertyFile:
        """A whole property file."""
        sections: dict[str, dict[str, t.Node]] = {"define": {}, "Assertion": {}, "LTL": {}}
        self.take("property")
        self.take("{")
        while not self.skip("}"):
            section = sections[self.take()]
            self.take("{")
            while not self.skip("}"):
                name = self.take()
                self.take("=", ":")
                section[name] = self.expression()
                self.take(";")
        return t.PropertyFile(sections["define"], sections["Assertion"], sections["LTL"])
