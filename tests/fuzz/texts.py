"""Texts of every language, and words that may be put into them: what fuzzing begins with."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

from actors.generator import random_model
from burnside.frontends.cspsharp.read import lexicon as csp
from burnside.frontends.diagram import lexicon as diagram
from burnside.frontends.rebeca.read import lexicon as rebeca
from burnside.frontends.seq.lexicon import LEXICON
from burnside.ir.printer import KEYWORDS
from burnside.source import Diagnostics, Lexicon, Source
from nets import coloured, judge
from nets.judge import pnml
from support.mutations import Mutations
from support.parted_models import parted_model

_ROOT = Path(__file__).parents[2]
_SHALLOW = 150  # brackets: reading the words of a text ends where it is nested too deeply


def _files(suffix: str, *places: str) -> list[str]:
    return [path.read_text() for place in places for path in sorted(_ROOT.glob(f"{place}/*{suffix}"))]


def _random_net(seed: int) -> str:
    chance = random.Random(f"text {seed}")
    return pnml(judge.random_net(chance), chance) if seed % 2 else coloured.random_net(chance)[0]


def _words(lexicon: Lexicon, texts: Iterable[str]) -> set[str]:
    shallow = (text for text in texts if sum(map(text.count, "({[")) < _SHALLOW)
    return {token.text for text in shallow for token in lexicon.scan(Source("", text), Diagnostics())}


# ---------------------------------------------------------------- .seq

_SEQ = [*_files(".seq", "examples/*", "tests/corpus/wrong"), *(parted_model(seed).parted for seed in range(40))]
SEQ = Mutations(_SEQ, sorted(_words(LEXICON, _SEQ) | KEYWORDS))

# ---------------------------------------------------------------- CSP#

_SIZES = {"#define N 9;": "#define N 3;", "#define N 10;": "#define N 3;", "#define N 12;": "#define N 3;"}
_SIZES |= {"#define N 15;": "#define N 5;", "#define D 5;": "#define D 2;", "#define W 4;": "#define W 2;"}
_CLAIMS = """\
#define N 2; #define high x > 0;
channel c 1; channel r[2] 0; var x:{0..2};
P(i) = a.i -> c!x -> r[i]!1 -> up{x = (x + 1) % 3;} -> P(i);
Q = c?y -> (r[0]?z -> Q [] r[1]?z -> Q);
S = (||| i:{0..N-1}@P(i)) ||| Q; T = go -> S;
#assert S |= []<> a.0 && (high U "c!1" -> G F "r[0]!1");
#assert T |= [](go -> X (a.0 R !tau)) <-> (<> "c?2" xor r.1.1);
#assert T |= <> (terminate || false);
"""


def _small(text: str) -> str:
    """An example with small constants, so that a thousand variations of it take seconds."""
    for large, little in _SIZES.items():
        text = text.replace(large, little)
    return text


_CSP = _files(".csp", "examples/zhang2013", "tests/unit/frontends/cspsharp/conformance", "tests/corpus/wrong")
_CSP = [*map(_small, _CSP), *[_CLAIMS] * 8]
_CSP_WORDS = {"#define", "#assert", "#alphabet", "deadlockfree", "reaches", "refines", "|="}
CSP = Mutations(_CSP, sorted(_words(csp.LEXICON, _CSP) | {*csp.KEYWORDS, *csp.SYMBOLS} | _CSP_WORDS))

# ---------------------------------------------------------------- Rebeca

_REBECA = [*_files(".rebeca", "examples/jaghoori2005"), *map(random_model, range(20))]
_REBECA_WORDS = {*rebeca.KEYWORDS, *rebeca.SYMBOLS, "after", "delay", "assertion"}
REBECA = Mutations(_REBECA, sorted(_words(rebeca.LEXICON, _REBECA) | _REBECA_WORDS))
PROPERTIES = Mutations(
    [
        "property { define { a = node0.isLeader; } Assertion { one: !(a && node1.isLeader); } LTL { p: G(F(a)); } }",
        "property { LTL { p: U(phil0.eating, !phil1.eating) -> X(W(phil2.eating, R(phil0.eating, true))); } }",
        "property { Assertion { safe: phil0.eating -> !phil1.eating; } }",
    ],
    sorted({*rebeca.KEYWORDS, "property", "define", "Assertion", "LTL", "G", "F", "U", "node0", "phil0", "eating"}),
)

# ---------------------------------------------------------------- diagrams

_DIAGRAMS = [
    *_files(".diagram", "examples/*"),
    """const K = 2; process P = 0 .. 2*K; class low = 0 .. K-1; classes rank = [2, 2, 1];
    local s = { a, b }; shared x: 0 .. 3 = *; shared mode: { on, off } = off; initial low: b; initial K: *;
    edge up(i): a -> b when (count j in low: s[j] == b) < K && rank(i) > 1 do { x := x * 0 + 1; mode := on; }
      partition | 0..1 | 2, 3 | 4 |;
    error e: x == 3 => (forall j: s[j] == a || j != 2);""",
]
DIAGRAM = Mutations(_DIAGRAMS, sorted(_words(diagram.LEXICON, _DIAGRAMS) | {*diagram.KEYWORDS, *diagram.SYMBOLS}))

# ---------------------------------------------------------------- Petri nets

_NETS = [*_files(".pnml", "examples/nets"), *(_random_net(seed) for seed in range(20))]
_NET_WORDS = [
    '<place id="p0"/>',
    "</net>",
    "<!DOCTYPE a>",
    '<!ENTITY a "b">',
    "&a;",
    "&lt;",
    "&#0;",
    "<![CDATA[",
    "<!--",
]
_NET_WORDS += [
    '<referencePlace id="r" ref="r"/>',
    "<page>",
    "</page>",
    "999999999999",
    "-1",
    "<all/>",
    "<tuple/>",
    "<?a?>",
]
_NET_WORDS += ["<subterm>", '<usersort declaration="person"/>', "<successor/>", "<not/>", "xmlns:a='b'", "a:place"]
PNML = Mutations(_NETS, _NET_WORDS)
_FORMULA_WORDS = [
    "<deadlock/>",
    "<next>",
    "</finally>",
    "<exists-path>",
    "<integer-constant>-5</integer-constant>",
    "&a;",
]
_FORMULA_WORDS += ["<is-fireable/>", "<place>thinking_1</place>", "<true/>", "<conjunction/>", "<negation/>"]
FORMULAS = Mutations(_files(".xml", "examples/nets"), _FORMULA_WORDS)

# ---------------------------------------------------------------- regular systems

_AUTHORS = """
model {
  systemTransitions { init: s; s -> p T/N; p -> f N/T; p -> f T/T; s -> m; m -> q N/T; q -> f T/N; loop: p, m, f;
                      accepting: f; }
  statesGuessing : 1..6;
  forcedSymmetryGenerators : (3, (0 1 2)), (2, (0 1));
  forcedSymmetryInstances : (T N N , N T N);
  outputBoundedLetters : T;
  impossible pairs : (N, T), (T, T);
  validConfigurations { init: c; c -> c N; c -> d T; d -> d N; c -> d; accepting: d; }
  off : copycat, parikh;
}
"""
_LIVENESS = """
/* two players */
I0 { init: s0; s0 -> s0 N; s0 -> s1 T; s1 -> s1 N; accepting: s1; }
closedUnderTransitions;
F { start: s0; s0 -> s0 N; s0 -> s1 [T]; accept: s1; }
P1 { init: s; loop: s, e; s -> e T/T_; accepting: e; }
P2 { init: s; loop: s, e; s -> m [T_/N]; m -> e N/T; s -> n N/T; n -> e T_/N; accepting: e; }
transducerStateGuessing: 1 .. 10;
symmetries: rotation;
"""
_PIECES = ["(", ")", "{", "}", "[", "]", "*", "/", "|", ";", "->", "_", "any", "id", '"', "/*", "//", "@", "&", "-"]
_PIECES += ["999999999999", "\x00", "é", "⊥", "\u202e", " ", "loop:", "let x = ", "pairs(", "rotation@", "find {"]
_PIECES += ["off :", "{9,"]
REGULAR = {
    "regular": Mutations(_files(".regular", "examples/lin2016"), _PIECES),
    "symmetry": Mutations([_AUTHORS], _PIECES),
    "liveness": Mutations([_LIVENESS], _PIECES),
}
