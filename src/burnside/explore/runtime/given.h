/* The end of every model: its facts. */
#ifndef BURNSIDE_GIVEN_H
#define BURNSIDE_GIVEN_H

#include "model.h"
#if !SYMMETRY
#include "unreduced.h"
#endif

_Static_assert(!FOLLOWS || FOLLOWED == UNITS, "what is followed are the units of fairness");

const struct facts facts = {
    .order = ORDER,
    .all_marks = ALL_MARKS,
    .automaton_mask = AUTOMATON_MASK,
    .most_successors = MOST_SUCCESSORS,
    .properties = PROPERTIES,
    .free_cells = FREE_CELLS,
    .has_starts = HAS_STARTS,
    .starts = STARTS,
    .units = UNITS,
    .unit_marks = UNIT_MARKS,
    .automaton_word = AUTOMATON_WORD,
    .automaton_shift = AUTOMATON_SHIFT,
    .is_keyed = KEYED,
};

const uint8_t word_bits[WORDS] = WORD_BITS;

const uint8_t key_bits[KEY_WORDS] = KEY_BITS;
const struct join joins[] = JOINS;
const uint16_t joins_end[WORDS] = JOINS_END;
const struct digit digits[WORDS] = DIGITS;

#if LABELS != LABELS_NEVER
_Thread_local uint32_t *label_out;
#endif

#endif
