/* What the product of a model and an automaton is made of: generated code defines all of it. */
#ifndef BURNSIDE_PRODUCT_H
#define BURNSIDE_PRODUCT_H

#include "model.h"
#include "run.h"

GIVEN uint64_t state_atoms(const word *s, int *fault);
GIVEN uint64_t event_atoms(uint32_t label, const word *s, int *fault);

GIVEN const struct automaton_edge automaton_edges[]; /* of state q: first_edge[q] up to first_edge[q + 1] */
GIVEN const uint32_t first_edge[];
GIVEN const uint32_t acting_first[]; /* the units that act under a label, likewise */
GIVEN const uint16_t acting[];

#endif
