/* Passes over the states of a complete exploration: the edges between them, and what they cover.
 *
 * Generated code has labels on request.
 */
#ifndef BURNSIDE_PASSES_H
#define BURNSIDE_PASSES_H

#include "explore.h"

/* The successors of a state in the buffer of the first worker; with their labels, if those are asked for. */
static uint32_t successors_of(struct engine *engine, const word *s, uint32_t *labels) {
    struct worker *w = &engine->workers[0];
    int fault = NO_FAULT; /* there is none: the exploration would have stopped there */
    label_out = labels;
    word *end = successors(s, w->buffer, &fault);
    label_out = NULL;
    return (uint32_t)((end - w->buffer) / WORDS);
}

/* ------------------------------------------------------------------ the graph */

static count_t take_representative(struct engine *engine, word *s) {
    return represent(engine->workers[0].scratch, s, hash_state(s));
}

static void note_sought(const word *s, bool is_stuck, bool stands_still, uint8_t *sought_here) {
    int fault = NO_FAULT;
    for (uint32_t p = 0; p < PROPERTIES; p++) {
        enum about_deadlock kind = is_deadlock_property(p);
        bool is_end = kind == STILL_SOUGHT ? stands_still : is_stuck;
        sought_here[p] = (uint8_t)(kind ? is_end && !is_terminal(s, &fault) : sought(p, s, &fault) != 0);
    }
}

/* The graph of a complete exploration with one thread; how many edges there are, or UINT64_MAX after a failure. */
uint64_t burnside_graph(struct run *run, struct graph *graph) {
    struct engine *engine = run->engine;
    struct worker *w = &engine->workers[0];
    uint64_t edges = 0, states = atomic_load(&run->states);
    for (uint64_t i = 0; i < states; i++) {
        word *s = graph->states + i * WORDS;
        memcpy(s, state_at(&engine->store, (uint32_t)i), WORDS * sizeof(word));
        uint32_t count = successors_of(engine, s, graph->labels + edges);
        bool stands_still = is_still(s, w->buffer, count);
        for (uint32_t k = 0; k < count; k++) {
            word *t = w->buffer + (size_t)k * WORDS;
            take_representative(engine, t);
            graph->targets[edges++] = enter(w, t, hash_state(t), 0, NONE);
        }
        graph->degrees[i] = count;
        note_sought(s, count == 0, stands_still, graph->sought + i * PROPERTIES);
        word copy[WORDS];
        memcpy(copy, s, sizeof copy);
        count_t orbit = take_representative(engine, copy);
        graph->orbits[i] = orbit >> 64 ? 0 : (uint64_t)orbit;
    }
    return w->new_states ? UINT64_MAX : edges; /* a successor that is new: the exploration was not complete */
}

/* ------------------------------------------------------------------ coverage */

/* What the states of a complete exploration cover; false when there is no memory. */
bool burnside_coverage(struct run *run, struct coverage *coverage) {
    struct engine *engine = run->engine;
    uint32_t *labels = malloc((MOST_SUCCESSORS + 1) * sizeof *labels);
    engine->chunks.count = 0;
    bool enough = labels && chunk_known_states(engine);
    for (size_t c = 0; enough && c < engine->chunks.count; c++) {
        struct range range = engine->chunks.items[c];
        for (uint32_t i = range.first; i < range.last; i++) {
            const word *s = state_at(&engine->store, i);
            uint32_t count = successors_of(engine, s, labels);
            for (uint32_t k = 0; k < count; k++) coverage->fired[labels[k]]++;
            for (uint64_t k = 0; k < coverage->cell_count; k++) {
                const struct covered_cell *cell = &coverage->cells[k];
                coverage->taken[cell->first + ((s[cell->word] & cell->mask) >> cell->shift)] = 1;
            }
        }
    }
    free(labels);
    return enough;
}

#endif
