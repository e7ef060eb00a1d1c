/* Everything that can be set about a checker: by generated code, which defines it before it includes anything, or by the
 * compiler's options (-DBURNSIDE_FLUSH=4). What is not set has the value given here.
 */
#ifndef BURNSIDE_CONFIG_H
#define BURNSIDE_CONFIG_H

/* ------------------------------------------------------------------ the model: always set */

#ifndef WORDS
#error "WORDS: the number of words of a state"
#endif
#ifndef MOST_SUCCESSORS
#error "MOST_SUCCESSORS: an upper bound on the successors of one state"
#endif
#ifndef PROPERTIES
#error "PROPERTIES: the number of properties sought"
#endif
#ifndef FREE_CELLS
#error "FREE_CELLS: the number of cells with more than one initial value"
#endif
#ifndef HAS_STARTS
#error "HAS_STARTS: whether start rules make the initial states"
#endif
#ifndef STARTS
#error "STARTS: how many they make"
#endif

#ifdef ONLY_SEARCH
#pragma GCC poison WORD_BITS
#else
#ifndef WORD_BITS
#define WORD_BITS {[0 ... WORDS - 1] = 64} /* bits that are used of each word, the lowest ones */
#endif
#endif

/* ------------------------------------------------------------------ keys of states: keys.h */

#ifndef KEY_WORDS
#define KEY_WORDS WORDS
#endif
#ifndef FINGERPRINTS
#define FINGERPRINTS 0 /* whether keys are fingerprints of states: fingerprints.h */
#endif
#ifdef ONLY_SEARCH
#pragma GCC poison KEYED KEY_BITS JOINS JOINS_END DIGITS
#else
#ifndef KEYED
#define KEYED 0 /* whether keys are not the states themselves; if so, what follows is set as well */
#endif
#ifndef KEY_BITS
#define KEY_BITS WORD_BITS
#endif
#ifndef JOINS
#define JOINS {{0}} /* of all words, one after another; at least one */
#endif
#ifndef JOINS_END
#define JOINS_END {0} /* by word: where its own end */
#endif
#ifndef DIGITS
#define DIGITS {{0}} /* by word */
#endif
#endif

/* ------------------------------------------------------------------ labels of successors: model.h */

#define LABELS_NEVER 0      /* nobody asks which rule instance makes a successor */
#define LABELS_ON_REQUEST 1 /* a pass does, after exploring: passes.h */
#define LABELS_ALWAYS 2     /* the search itself does: live.h */

#ifndef LABELS
#define LABELS LABELS_NEVER
#endif

/* ------------------------------------------------------------------ symmetry: symmetry.h, or unreduced.h */

#ifndef SYMMETRY
#define SYMMETRY 0 /* whether states are replaced by representatives of their orbits */
#endif
#ifndef FOLLOWED
#define FOLLOWED 0 /* points behind the literals that are followed though they are in no state */
#endif
#ifndef FOLLOWS
#define FOLLOWS 0 /* whether there are any: then they are the units of fairness */
#endif
#ifndef ORDER
#define ORDER ((count_t)0) /* of the group; 0 if it is too large to count with, or if orbits are not counted */
#endif

#ifdef ONLY_SEARCH /* which knows what it is compiled for (emit.py) and facts.h; of these it would read the defaults */
#pragma GCC poison POSITIONS LITERALS PRUNERS
#else
#ifndef POSITIONS
#define POSITIONS 0 /* cells that symmetries move */
#endif
#ifndef LITERALS
#define LITERALS 0 /* their values, all together */
#endif
#ifndef PRUNERS
#define PRUNERS 0 /* elements that thin out initial states */
#endif
#endif

/* ------------------------------------------------------------------ partial order: stubborn.h */

#ifndef PARTIAL_ORDER
#define PARTIAL_ORDER 0 /* whether the steps of a stubborn set are taken alone; successors have labels then */
#endif

/* ------------------------------------------------------------------ products with an automaton: live.h, fair.h */

#define FAIRNESS_NONE 0    /* every run counts */
#define FAIRNESS_MARKED 1  /* weak fairness, told by marks of arcs: where nothing is renamed, and there are few units */
#define FAIRNESS_WEAK 2    /* a unit that can always act does so again and again */
#define FAIRNESS_STRONG 3  /* likewise one that can act again and again */
#define FAIRNESS_GLOBAL 4  /* every step that is possible again and again is taken again and again */

#ifndef FAIRNESS
#define FAIRNESS FAIRNESS_NONE
#endif
#ifndef UNITS
#define UNITS 0 /* of fairness: processes, mostly */
#endif
#ifndef UNIT_WORDS
#define UNIT_WORDS 1 /* for a set of them */
#endif
#ifndef UNIT_MARKS
#define UNIT_MARKS 0 /* for FAIRNESS_MARKED: the bit of the first unit among the marks of an arc */
#endif
#ifndef ALL_MARKS
#define ALL_MARKS 0 /* one bit for every acceptance set of the automaton */
#endif
#ifndef AUTOMATON_WORD
#define AUTOMATON_WORD 0 /* where the automaton's state is packed */
#define AUTOMATON_SHIFT 0
#define AUTOMATON_MASK 0
#endif

/* ------------------------------------------------------------------ sizes that tests lower */

#ifndef BURNSIDE_FLUSH
#define BURNSIDE_FLUSH 64 /* successors buffered before they are looked up */
#endif
#ifndef BURNSIDE_BLOCK
#define BURNSIDE_BLOCK 1024 /* state indices a worker takes at a time */
#endif
#ifndef BURNSIDE_CHUNK
#define BURNSIDE_CHUNK 512 /* states of a level handed to a worker at a time */
#endif
#ifndef BURNSIDE_ALONE
#define BURNSIDE_ALONE 2048 /* levels below this size are not worth waking the other workers */
#endif
#ifndef BURNSIDE_FIRST_BITS
#define BURNSIDE_FIRST_BITS 14 /* slots of the first table, as a power of two */
#endif
#ifndef BURNSIDE_ROOM
#define BURNSIDE_ROOM 256 /* images there is room for at first; a power of two */
#endif
#ifndef BURNSIDE_SEGMENT_BITS
#define BURNSIDE_SEGMENT_BITS 4 /* segments of the compact set, as a power of two: each grows by itself */
#endif
#ifndef BURNSIDE_DISPLACEMENT_BITS
#define BURNSIDE_DISPLACEMENT_BITS 4 /* how far a state may stand from its bucket, as a power of two */
#endif
#ifndef BURNSIDE_BITMAP_BITS
#define BURNSIDE_BITMAP_BITS 27 /* bits of states that are kept as a bitmap */
#endif
#ifndef BURNSIDE_ROOMY
#define BURNSIDE_ROOMY 68 /* percent of the slots of the compact set that are used after it has grown */
#endif
#ifndef BURNSIDE_FULL
#define BURNSIDE_FULL 88 /* and before, at most: less where a state takes few bytes all the same */
#endif
#ifndef BURNSIDE_FEW_BYTES
#define BURNSIDE_FEW_BYTES 63 /* tenths of a byte: as empty as that allows, since buckets that are rarely full are read faster */
#endif
#ifndef BURNSIDE_RECENT_BITS
#define BURNSIDE_RECENT_BITS 14 /* keys that were looked up last by a worker, as a power of two: what fits in its own cache */
#endif
#ifndef BURNSIDE_MANY
#define BURNSIDE_MANY (UINT64_C(1) << 25) /* states beyond which the compact store is chosen */
#endif
#ifndef BURNSIDE_DEEP
#define BURNSIDE_DEEP 64 /* states of a level on average, below which it is not chosen: then levels need more than indices */
#endif
#ifndef BURNSIDE_SMALL_SET
#define BURNSIDE_SMALL_SET (UINT64_C(32) << 20) /* bytes of a compact set that may be half empty */
#endif
#ifndef BURNSIDE_LEVEL_BLOCK
#define BURNSIDE_LEVEL_BLOCK 4096 /* states of a level that are kept together in the compact store */
#endif
#ifndef BURNSIDE_LEVEL_SHARE
#define BURNSIDE_LEVEL_SHARE 32 /* levels may take that part of the memory of the set, one in so many */
#endif
#ifndef BURNSIDE_LEVEL_BYTES
#define BURNSIDE_LEVEL_BYTES (UINT64_C(4) << 20) /* of levels that stay in memory in any case */
#endif
#ifndef BURNSIDE_MOST_HELD
#define BURNSIDE_MOST_HELD UINT64_MAX /* states that are in memory at most where the set may go to disk */
#endif
#ifndef BURNSIDE_ARCHIVE_BLOCK
#define BURNSIDE_ARCHIVE_BLOCK 512 /* states of an archive that are read in order to find one of them */
#endif
#ifndef BURNSIDE_STREAM_WORDS
#define BURNSIDE_STREAM_WORDS 1024 /* words of an archive that are read or written at once */
#endif
#ifndef BURNSIDE_NEARBY
#define BURNSIDE_NEARBY 20000 /* states among which a fair set is looked for before anything else */
#endif

#endif
