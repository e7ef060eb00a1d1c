"""Words of other languages, and what ``.seq`` writes instead, by the place where they stand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_INITIAL: Final = (
    "a variable begins as its declaration says, 'var x: 0..3 = 1;', or as 'start name do { x := 1; }' makes it; "
    "'initially c;' is about several"
)
_RECORD: Final = "write 'record Msg { kind: Kind, from: Server }' for a record, 'domain D = …;' for a domain"
_LABELS: Final = "labels are declared with 'domain Colour = { red, green };'"
_CHANNEL: Final = "a channel is a variable: 'var c: seq[2] of Msg;', or 'var c: bag of Msg max 2;' in any order"
_VARIABLE: Final = "a variable is declared with 'var x: 0..3;'"
_CONSTANT: Final = "a constant is declared with 'const N = 3;', and may be another with -D N=4"
_ACTION: Final = "a step is a rule: 'rule name(i: P) when guard do { … }'"
_FUNCTION: Final = "'def f(x: D) = e;' gives a value, 'procedure p(ref x: D) { … }' changes variables"
_PROPERTY: Final = "properties are 'invariant name: c;', 'reachable name: c;', 'deadlockfree name;' and 'ltl name: f;'"
_PROCESS: Final = "processes are declared with 'process P = 0 .. N-1;', and what they do are rules with a parameter"
_WHOLE: Final = "a text is one model: leave it out"
_BRACES: Final = "blocks stand in braces: { … }"


def _of(words: str, advice: str) -> dict[str, str]:
    return dict.fromkeys(words.split(), advice)


DECLARATIONS: Final[Mapping[str, str]] = {
    **_of("init Init INIT initial startstate Startstate initialstate", _INITIAL),
    **_of("struct type Type typedef class Record RECORD tuple datatype", _RECORD),
    **_of("enum Enum mtype ENUM labels", _LABELS),
    **_of("chan channel Channel", _CHANNEL),
    **_of("variable variables Variable VARIABLE VARIABLES VAR vars int Int byte bit short unsigned boolean", _VARIABLE),
    **_of("array Array hidden local global", _VARIABLE),
    **_of("constant constants Constant CONSTANT CONSTANTS CONST define DEFINE param parameter", _CONSTANT),
    **_of("action Action transition transitions TRANS Next NEXT command event Rule", _ACTION),
    **_of("function fun fn func method macro inline operator Procedure Function", _FUNCTION),
    **_of("assert assertion property Property PROPERTY spec SPEC safety liveness never", _PROPERTY),
    **_of(
        "LTLSPEC CTLSPEC INVARSPEC INVARIANT INVARIANTS Invariant PROPERTIES theorem THEOREM assume ASSUME", _PROPERTY
    ),
    **_of("proctype active scalarset module MODULE actor agent node thread", _PROCESS),
    **_of("EXTENDS extends import include INSTANCE using", _WHOLE),
    **_of("begin end Begin End endrule endruleset endstartstate endprocedure endfunction", _BRACES),
}

_ARRAY: Final = "indices stand behind the name of a variable: 'var a[P]: bool;'"
_SET: Final = "a set is written 'set of D'"
_SEQUENCE: Final = "a sequence says how many items it may hold: 'seq[3] of D'"
_BAG: Final = "a bag says how many values it may hold: 'bag of Msg max 3'"
_OPTION: Final = "a value that may be absent is written 'D?'; then it may be none"
_RANGE: Final = "a domain is finite: write a range such as 0..9"

TYPES: Final[Mapping[str, str]] = {
    **_of("int integer Int Integer INTEGER nat Nat byte short long unsigned number", _RANGE),
    **_of("float double real Real", f"there are no fractions, and {_RANGE}"),
    **_of("boolean Boolean BOOLEAN Bool logical", "truth values are of the type 'bool'"),
    **_of("string String char text", f"there are no texts; {_LABELS}"),
    **_of("array Array ARRAY map Map function Function dict matrix", _ARRAY),
    **_of("set Set SET SUBSET powerset", _SET),
    **_of("sequence Seq Sequence list List queue Queue channel chan buffer vector", _SEQUENCE),
    **_of("bag Bag multiset Multiset", _BAG),
    **_of("option Option optional Optional Maybe maybe", _OPTION),
    **_of("enum Enum", _LABELS),
    **_of("record Record struct RECORD", "a record is declared first: 'record Msg { kind: Kind }'"),
    **_of("scalarset process", "ids are those of a domain: 'process P = 0 .. N-1;'"),
    **_of("ref", "'ref' stands in front of the name: 'procedure p(ref x: D) { … }'"),
}

_RETURN: Final = "a procedure gives nothing back, it changes what is handed to it; 'def f(x: D) = e;' gives values"

_ADDED: Final = "'insert(s, e);' changes a set, 'push(q, e);' a sequence, 'send e to b;' a bag"
_TAKEN: Final = "'remove(s, e);' changes a set or a bag, 'pop(q);' a sequence"
_CASES: Final = "'match u { case A { … } else { … } }' goes by the variants of a union, 'if … else if …' by values"
_ANY_OF: Final = "what may be any of several values is a parameter of the rule; 'choose i in s where c' is the least"

STATEMENTS: Final[Mapping[str, str]] = {
    **_of("return", _RETURN),
    **_of("skip pass nop", "a block without statements does nothing: { }"),
    **_of("break continue goto", "a loop goes on while its condition holds, and 'if' leaves statements out"),
    **_of("switch Switch", _CASES),
    **_of("do od fi begin end endif endfor endwhile endswitch endrule then done", _BRACES),
    **_of("call run", "a procedure is called by its name: p(x);"),
    **_of("add append enqueue put push_back append_back", _ADDED),
    **_of("delete erase dequeue discard", _TAKEN),
    **_of("undefine", "assign 'none' to an optional value"),
    **_of("print printf write log", "statements only change variables; traces show all of them"),
    **_of("receive", "a rule begins with it: 'rule take(i: P) receive any m in net where m.to == i do { … }'"),
    **_of("foreach forall each", "a loop is written 'for i in P { … }'"),
    **_of("await", "a rule waits by its guard: 'rule name when guard do { … }'"),
    **_of("either choose with", _ANY_OF),
    **_of("const", "a constant of a block is written 'let x = e;'"),
}

_SIZE: Final = "'card(s)' is the size of a set, 'len(q)' the length of a sequence, or how many values are in a bag"
_NONE: Final = "what is absent is 'none'"

VALUES: Final[Mapping[str, str]] = {
    **_of("nil null Nil Null NULL None undefined Undefined nothing", _NONE),
    **_of("isundefined", "write 'x == none'"),
    **_of("all every each", "write 'forall i in P: c'"),
    **_of("some any", "write 'exists i in P: c'; 'choose i in s where c' is the least"),
    **_of("size Size length Length Len Cardinality cardinality count_of", _SIZE),
    **_of("contains member elem has", "write 'e in s'"),
    **_of("SUBSET UNION DOMAIN powerset", _SET),
    **_of("receive", "a rule begins with it: 'rule take(i: P) receive any m in net where m.to == i do { … }'"),
    **_of("notin", "write 'e not in s'"),
    **_of("mod", "the remainder is written '%'"),
    **_of("div", "'/' rounds down"),
    **_of("xor XOR", "of truth values write '!=', of numbers '^'"),
    **_of("always globally", "'[] f' is always"),
    **_of("eventually finally", "'<> f' is eventually"),
    **_of("choose", "write 'choose i in s where c'"),
    **_of("empty full head", "it is asked of a sequence or a bag: empty(q); '{}' is the empty set"),
    **_of("push pop insert remove clear send", "it is a statement: 'x := head(q); pop(q);'"),
    **_of("old next", "conditions are about one state; in a rule, what was assigned before has its new value"),
    **_of("ref", "'ref' stands where the procedure is declared, not where it is called"),
}

# Behind a value with parts: fields that it does not have.
METHODS: Final[Mapping[str, str]] = {
    **_of("size length count card cardinality", _SIZE),
    **_of("add insert append push put enqueue", _ADDED),
    **_of("remove delete erase pop dequeue", _TAKEN),
    **_of("contains has member includes", "write 'e in s'"),
    **_of("empty is_empty isEmpty", "write 's == {}' of a set, 'empty(q)' of a sequence or bag"),
    **_of("head first front peek top", "'head(q)' is the front of a sequence"),
    **_of("clear", "write 'clear(s);'"),
}

# Operators between sets, as others write them.
OF_SETS: Final[Mapping[str, str]] = {
    "+": "union",
    "|": "union",
    "||": "union",
    "-": "minus",
    "&": "intersect",
    "&&": "intersect",
    "*": "intersect",
    "<=": "subset",
}
