/* Initial states: those that start rules make; without such rules all values of the free cells that satisfy the
 * conditions, on a quotient as few as are enough.
 */
#ifndef BURNSIDE_INITIAL_H
#define BURNSIDE_INITIAL_H

#include "compact.h"

/* For more initial states. */
static void grow_for_initial(struct engine *engine) {
    if (engine->is_compact) gain_room(engine);
    else if (should_move(engine, true)) move_over(engine, 0);
    else grow(engine);
}

static void offer_initial(struct worker *w, const word *s) {
    memcpy(w->buffer + (size_t)w->filled * WORDS, s, WORDS * sizeof(word));
    w->sources[w->filled] = NONE;
    if (reduces(w)) w->filled++;
    else w->filled = prepare(w, w->filled, w->filled + 1);
    if (w->filled < FLUSH) return;
    flush(w);
    if (atomic_load(&w->engine->wants_growth)) grow_for_initial(w->engine);
}

/* Counts through all values of the free cells, leaving a prefix as soon as a condition fails or symmetry allows. */
static int enumerate_initial(struct worker *w, struct pruning *pruning) {
    struct run *run = w->engine->run;
    word s[WORDS];
    uint64_t values[FREE_CELLS + 1];
    int fault = NO_FAULT, at = 0;
    memcpy(s, initial_base, sizeof s);
    if (!initial_ok(-1, s, &fault)) return fault;
    if (HAS_STARTS) {
        for (int k = 0; k < STARTS && !stopped(run); k++) offer_initial(w, start_states + (size_t)k * WORDS);
        return fault;
    }
    values[0] = 0;
    while (at >= 0 && !fault && !stopped(run)) {
        if (at == FREE_CELLS) {
            offer_initial(w, s);
            at--;
            continue;
        }
        const struct free_cell *cell = &free_cells[at];
        s[cell->word] &= ~cell->mask;
        if (values[at] == cell->values) {
            at--;
            continue;
        }
        s[cell->word] |= values[at]++ << cell->shift;
        if (initial_ok(at, s, &fault) && may_be_least(pruning, at, s)) values[++at] = 0;
    }
    return fault;
}

/* A condition on initial states faults: which of them were found before depends on their order, so nothing that they
 * decide counts. */
static void forget_initial(struct engine *engine) {
    struct run *run = engine->run;
    for (uint32_t p = 0; p < PROPERTIES; p++) {
        atomic_store(&run->witness[p], NONE);
        atomic_store(&engine->is_decided[p], false);
    }
    atomic_store(&engine->faulty_condition, NONE);
}

static void find_initial(struct worker *w) {
    struct run *run = w->engine->run;
    struct pruning *pruning = open_pruning(run);
    int fault = NO_FAULT;
    w->engine->is_starting = true;
    if (pruning) fault = enumerate_initial(w, pruning);
    else stop(run, STOP_MEMORY);
    close_pruning(pruning);
    flush(w);
    if (w->engine->set.is_archived && !fault && !stopped(run)) merge_set(w->engine, END_OF_LEVEL);
    w->engine->is_starting = false;
    if (fault) {
        forget_initial(w->engine);
        stop(run, STOP_FAULT);
    } else {
        stop_if_decided(run);
    }
    run->initial_states = atomic_load(&run->states);
    end_level(w->engine);
}

#endif
