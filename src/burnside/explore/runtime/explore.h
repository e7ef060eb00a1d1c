/* Searching, breadth-first by levels (shortest traces) or depth-first, and the entry points for Python. */
#ifndef BURNSIDE_EXPLORE_H
#define BURNSIDE_EXPLORE_H

#include "initial.h"
#include "resume.h"

/* ------------------------------------------------------------------ searching */

/* The states found for the next level become the chunks to expand; returns how many they are. */
static uint64_t next_level(struct engine *engine) {
    uint64_t size = 0;
    engine->chunks.count = 0;
    for (uint32_t i = 0; i < engine->run->threads; i++) {
        struct worker *w = &engine->workers[i];
        bool enough = add_range(&w->found, w->level_start, w->next);
        w->level_start = w->next;
        for (size_t r = 0; r < w->found.count && enough; r++) {
            struct range range = w->found.items[r];
            size += range.last - range.first;
            if (PARTIAL_ORDER) memset(engine->is_old + range.first, 1, range.last - range.first);
            enough = add_chunks(engine, range.first, range.last);
        }
        if (!enough) stop(engine->run, STOP_MEMORY);
        w->found.count = 0;
    }
    atomic_store(&engine->next_chunk, 0);
    return size;
}

static void search_breadth_first(struct engine *engine) {
    struct run *run = engine->run;
    if (engine->is_compact) {
        search_compactly(engine, false, 0);
        return;
    }
    for (uint64_t depth = 0;; depth++) {
        if (!stopped(run) && should_move(engine, false)) {
            move_over(engine, (uint32_t)depth);
            if (!stopped(run)) search_compactly(engine, false, 0);
            return;
        }
        uint64_t size = next_level(engine);
        tell_level(run, depth, size, atomic_load(&run->transitions));
        if (size == 0 || stopped(run)) return;
        sample_level(engine);
        run_phase(engine, expand, size);
        while (!stopped(run) && atomic_load(&engine->wants_growth)) {
            if (should_move(engine, true)) {
                size_t first = move_over(engine, (uint32_t)depth + 1);
                if (!stopped(run)) search_compactly(engine, true, first);
                return;
            }
            grow(engine);
            if (!stopped(run)) run_phase(engine, expand, size);
        }
        end_level(engine);
        if (stopped(run)) return;
    }
}

struct frame {
    uint32_t index, depth;
};

/* Newest state first. A state is entered in the table when it is first seen, not when it is left. */
static void search_depth_first(struct engine *engine) {
    struct run *run = engine->run;
    struct worker *w = &engine->workers[0];
    size_t room = 1 << 12, top = 0;
    struct frame *stack = malloc(room * sizeof *stack);
    for (uint32_t depth = 0, seen = 0, expanded = 0; stack && !stopped(run); expanded++) {
        uint32_t fresh = w->next - seen; /* one worker: its indices are consecutive */
        if (top + fresh > room) {
            room = 2 * (top + fresh);
            struct frame *larger = realloc(stack, room * sizeof *stack);
            if (!larger) break;
            stack = larger;
        }
        for (uint32_t i = 0; i < fresh; i++) stack[top++] = (struct frame){w->next - 1 - i, depth};
        seen = w->next;
        if (top == 0) break;
        struct frame frame = stack[--top];
        if (frame.depth > atomic_load(&run->depth)) atomic_store(&run->depth, frame.depth);
        atomic_store(&run->waiting, top);
        depth = frame.depth + 1;
        if (expanded % 1024 == 0 || (expanded & (expanded - 1)) == 0) add_sample(engine, frame.index, state_at(&engine->store, frame.index), frame.depth);
        expand_state(w, state_at(&engine->store, frame.index), frame.index);
        flush(w);
        end_level(engine); /* there are none: every state is one by itself */
        w->found.count = 0;
        if (atomic_load(&engine->wants_growth)) grow(engine);
    }
    if (!stack || top > 0) stop(run, STOP_MEMORY); /* no effect if something else stopped the search */
    free(stack);
}

/* ------------------------------------------------------------------ entry points */

static bool open_worker(struct engine *engine, struct worker *w) {
    w->engine = engine;
    w->buffer = malloc(BUFFER * WORDS * sizeof(word));
    w->labels = malloc((MOST_SUCCESSORS + 1) * sizeof *w->labels);
    w->hashes = malloc(BUFFER * sizeof(uint64_t));
    w->slots = malloc(BUFFER * sizeof(uint64_t));
    w->sources = malloc(BUFFER * sizeof(uint32_t));
    w->orbits = malloc(BUFFER * sizeof *w->orbits);
    w->homes = malloc(BUFFER * sizeof *w->homes);
    w->scratch = open_scratch(engine->run);
    return w->buffer && w->labels && w->hashes && w->slots && w->sources && w->orbits && w->homes && w->scratch;
}

static void close_worker(struct worker *w) {
    free(w->buffer);
    free(w->labels);
    free(w->hashes);
    free(w->slots);
    free(w->sources);
    free(w->orbits);
    free(w->homes);
    close_scratch(w->scratch);
    free(w->found.items);
}

static unsigned first_bits(const struct engine *engine) {
    unsigned bits = FIRST_BITS;
    while ((UINT64_C(1) << bits) < 4 * slack(engine)) bits++;
    return bits;
}

static bool open_engine(struct engine *engine) {
    struct run *run = engine->run;
    engine->faulty_condition = NONE;
    engine->levels.file = -1;
    pthread_mutex_init(&engine->mutex, NULL);
    pthread_cond_init(&engine->begin, NULL);
    pthread_cond_init(&engine->finished, NULL);
    engine->workers = calloc(run->threads, sizeof *engine->workers);
    engine->is_decided = calloc(PROPERTIES + 1, sizeof *engine->is_decided);
    for (uint32_t p = 0; p < PROPERTIES; p++) engine->seeks_still |= is_deadlock_property(p) == STILL_SOUGHT;
    engine->settled = calloc(PROPERTIES + 1, sizeof *engine->settled);
    if (!engine->workers || !engine->is_decided || !engine->settled) return false;
    engine->overhead += PARTIAL_ORDER * sizeof *engine->is_old;
    if (!open_store(&engine->store, &run->memory_limit, first_bits(engine))) return false;
    if (PARTIAL_ORDER && !(engine->is_old = reserve(engine->store.capacity * sizeof *engine->is_old))) return false;
    for (uint32_t i = 0; i < run->threads; i++)
        if (!open_worker(engine, &engine->workers[i])) return false;
    set_growth_limit(engine, 60);
    return true;
}

static void start_threads(struct engine *engine) {
    struct run *run = engine->run;
    for (uint32_t i = 1; i < run->threads; i++)
        if (pthread_create(&engine->workers[i].thread, NULL, serve, &engine->workers[i])) run->threads = i;
}

static void stop_threads(struct engine *engine) {
    pthread_mutex_lock(&engine->mutex);
    engine->closing = true;
    pthread_cond_broadcast(&engine->begin);
    pthread_mutex_unlock(&engine->mutex);
    for (uint32_t i = 1; i < engine->run->threads; i++) pthread_join(engine->workers[i].thread, NULL);
}

/* A fault on a level that time or memory cut short. A limit of states means that the search is done again. */
static void report_late_fault(struct engine *engine) {
    struct run *run = engine->run;
    uint32_t reason = atomic_load(&run->stop);
    if (reason != STOP_ASKED && reason != STOP_MEMORY) return;
    note(&run->fault_state, atomic_load(&engine->faulty_condition));
    if (atomic_load(&run->fault_state) != NONE) atomic_store(&run->stop, STOP_FAULT);
}

/* Explore as the options say; results and the store stay until burnside_close. */
void burnside_run(struct run *run) {
    struct engine *engine = calloc(1, sizeof *engine);
    run->engine = engine;
    if (!engine) {
        stop(run, STOP_MEMORY);
        return;
    }
    engine->run = run;
    if (run->depth_first) {
        run->threads = 1;
        run->store = STORE_INDEX;
    }
    if (!open_engine(engine)) {
        stop(run, STOP_MEMORY);
        return;
    }
    start_threads(engine);
    if (resumes(run)) {
        resume_search(engine);
    } else {
        find_initial(&engine->workers[0]);
        if (run->depth_first) search_depth_first(engine);
        else search_breadth_first(engine);
    }
    for (uint32_t i = 0; i < run->threads; i++) publish_figures(&engine->workers[i]);
    keep_rest(engine);
    sum_full_states(engine);
    report_late_fault(engine);
    if (engine->is_compact && atomic_load(&run->stop) != STOP_DAMAGED) retrace(engine);
    else run->store = STORE_INDEX;
    atomic_store(&run->bytes, bytes_used(engine, atomic_load(&run->states)));
    stop_threads(engine);
}

/* How many states a level has that is complete. */
uint64_t burnside_level_size(const struct run *run, uint64_t level) { return level_size(&run->engine->levels.items[level]); }

/* The number of states from an initial state to this one, both included. */
uint32_t burnside_path_length(const struct run *run, uint32_t index) {
    uint32_t length = 0;
    if (run->engine->is_compact) return run->engine->store.parents[index] + 1;
    for (; index != NONE; index = run->engine->store.parents[index]) length++;
    return length;
}

/* Write the words of those states, first state first. */
void burnside_path(const struct run *run, uint32_t index, word *out) {
    if (run->engine->is_compact) {
        memcpy(out, run->engine->paths[index], burnside_path_length(run, index) * WORDS * sizeof(word));
        return;
    }
    for (uint32_t at = burnside_path_length(run, index); at-- > 0; index = run->engine->store.parents[index])
        memcpy(out + (size_t)at * WORDS, state_at(&run->engine->store, index), WORDS * sizeof(word));
}

void burnside_close(struct run *run) {
    struct engine *engine = run->engine;
    run->engine = NULL;
    if (!engine) return;
    if (engine->is_old) munmap(engine->is_old, engine->store.capacity * sizeof *engine->is_old);
    if (engine->workers) close_compact(engine);
    close_store(&engine->store);
    for (uint32_t i = 0; engine->workers && i < run->threads; i++) close_worker(&engine->workers[i]);
    free(engine->workers);
    free((void *)engine->is_decided);
    free(engine->settled);
    free(engine->chunks.items);
    free(engine);
}

#endif
