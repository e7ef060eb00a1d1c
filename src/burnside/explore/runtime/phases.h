/* All workers at once, and what needs them to stand still.
 *
 * Whatever needs all workers to stop (a larger table, a limit, the end of a level) is done between phases: a
 * worker that sees the wish returns after its flush, keeps the rest of its chunk, and goes on with it in the next
 * phase.
 */
#ifndef BURNSIDE_PHASES_H
#define BURNSIDE_PHASES_H

#include "worker.h"

/* ------------------------------------------------------------------ phases */

static void *serve(void *argument) {
    struct worker *w = argument;
    struct engine *engine = w->engine;
    uint64_t seen = 0;
    pthread_mutex_lock(&engine->mutex);
    for (;;) {
        while (engine->phase_number == seen && !engine->closing) pthread_cond_wait(&engine->begin, &engine->mutex);
        if (engine->closing) break;
        seen = engine->phase_number;
        pthread_mutex_unlock(&engine->mutex);
        engine->phase(w);
        pthread_mutex_lock(&engine->mutex);
        if (--engine->busy == 0) pthread_cond_signal(&engine->finished);
    }
    pthread_mutex_unlock(&engine->mutex);
    return NULL;
}

static void run_phase(struct engine *engine, void (*phase)(struct worker *), uint64_t size) {
    uint32_t others = engine->run->threads - 1;
    if (others == 0 || size < ALONE) {
        for (uint32_t i = 0; i <= others; i++) phase(&engine->workers[i]);
        return;
    }
    pthread_mutex_lock(&engine->mutex);
    engine->phase = phase;
    engine->phase_number++;
    engine->busy = others;
    pthread_cond_broadcast(&engine->begin);
    pthread_mutex_unlock(&engine->mutex);
    phase(&engine->workers[0]);
    pthread_mutex_lock(&engine->mutex);
    while (engine->busy) pthread_cond_wait(&engine->finished, &engine->mutex);
    pthread_mutex_unlock(&engine->mutex);
}

static bool add_chunks(struct engine *engine, uint32_t first, uint32_t last) {
    for (uint32_t at = first; at < last;) {
        uint32_t end = last - at < CHUNK ? last : at + CHUNK;
        if (!add_range(&engine->chunks, at, end)) return false;
        at = end;
    }
    return true;
}

/* ------------------------------------------------------------------ growing */

static int by_index(const void *a, const void *b) {
    uint32_t x = (*(struct worker *const *)a)->next, y = (*(struct worker *const *)b)->next;
    return (x > y) - (x < y);
}

/* All indices in use: everything handed out except the rest of each worker's block. */
static bool chunk_known_states(struct engine *engine) {
    uint32_t threads = engine->run->threads, first = 0;
    struct worker *order[threads];
    for (uint32_t i = 0; i < threads; i++) order[i] = &engine->workers[i];
    qsort(order, threads, sizeof *order, by_index);
    for (uint32_t i = 0; i < threads; i++) {
        if (order[i]->next == order[i]->end) continue;
        if (!add_chunks(engine, first, order[i]->next)) return false;
        first = order[i]->end;
    }
    return add_chunks(engine, first, (uint32_t)atomic_load(&engine->allocated));
}

/* Slots that may still be filled before all workers have seen the wish to grow. */
static uint64_t slack(const struct engine *engine) { return engine->run->threads * BUFFER; }

static void set_growth_limit(struct engine *engine, unsigned percent) {
    uint64_t slots = engine->store.mask + 1;
    engine->grow_at = slots * percent / 100 - slack(engine);
}

/* Let the table become fuller than it should be; stop if it is. */
static void grow_no_more(struct engine *engine) {
    uint64_t before = engine->grow_at;
    set_growth_limit(engine, 85);
    if (engine->grow_at <= before || atomic_load(&engine->run->states) > engine->grow_at) stop(engine->run, STOP_MEMORY);
}

/* Four times larger while small, then twice; if memory does not allow it, a fuller table; else stop. Address space may
 * go to others at any time, so the new table may be as small as the old one; without any the search ends. */
static void grow(struct engine *engine) {
    struct run *run = engine->run;
    struct store *store = &engine->store;
    struct ranges level = engine->chunks;
    size_t level_next = atomic_load(&engine->next_chunk);
    unsigned bits = 64 - store->shift, more = bits < 20 ? 2 : 1;
    uint64_t others = bytes_used(engine, atomic_load(&engine->allocated)) - table_bytes(store->mask + 1);
    atomic_store(&engine->wants_growth, false);
    if (others + table_bytes(UINT64_C(1) << (bits + more)) > run->memory_limit) {
        grow_no_more(engine);
        return;
    }
    engine->chunks = (struct ranges){0};
    atomic_store(&engine->next_chunk, 0);
    if (chunk_known_states(engine)) {
        close_table(store);
        if (!open_table(store, bits + more)) open_table(store, bits);
        if (store->table) run_phase(engine, rehash, atomic_load(&run->states));
        else stop(run, STOP_MEMORY);
    }
    if (64 - store->shift > bits) set_growth_limit(engine, 60);
    else grow_no_more(engine);
    free(engine->chunks.items);
    engine->chunks = level;
    atomic_store(&engine->next_chunk, level_next);
}

#endif
