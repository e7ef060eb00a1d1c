/* The end of every model: its facts. */
#ifndef BURNSIDE_GIVEN_H
#define BURNSIDE_GIVEN_H

#include "model.h"
#if !SYMMETRY
#include "unreduced.h"
#endif

const struct facts facts = {
    .order = ORDER,
    .all_marks = ALL_MARKS,
    .automaton_mask = AUTOMATON_MASK,
    .most_successors = MOST_SUCCESSORS,
    .properties = PROPERTIES,
    .free_cells = FREE_CELLS,
    .unit_marks = UNIT_MARKS,
    .automaton_word = AUTOMATON_WORD,
    .automaton_shift = AUTOMATON_SHIFT,
};

const uint8_t word_bits[WORDS] = WORD_BITS;

#if LABELS != LABELS_NEVER
_Thread_local uint32_t *label_out;
#endif

#endif
