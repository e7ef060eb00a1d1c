/* Breadth-first search with a compact store: moving over to it, levels, and the runs that lead to states.
 *
 * The set says only whether a state is known. A state that is to be expanded stands in its level; one that somebody asks for
 * later is put into a place of its own (worker.h). A run to such a state is found backwards, level by level: some state of the
 * level before has it among its successors.
 */
#ifndef BURNSIDE_COMPACT_H
#define BURNSIDE_COMPACT_H

#include "phases.h"
#include "probe.h"

/* ------------------------------------------------------------------ room */

static void set_compact_limits(struct engine *engine, unsigned percent) {
    uint64_t room = engine->set.bitmap ? UINT64_MAX : quotients_room(&engine->set) / 100 * percent;
    uint64_t some = quotients_bytes(&engine->set) / 4;
    engine->grow_at = room > slack(engine) ? room - slack(engine) : 0;
    engine->most_strays = 2 * engine->set.strays.count + 256; /* twice as many as even a larger set has */
    engine->levels.most_memory = some > BURNSIDE_LEVEL_BYTES ? some : BURNSIDE_LEVEL_BYTES;
}

/* For how many states there should be room: for more than there is, even if it was strays that asked for growth. */
static uint64_t states_to_come(const struct engine *engine) {
    uint64_t full = quotients_room(&engine->set) / 100 * BURNSIDE_FULL, states = atomic_load(&engine->run->states);
    return states > full ? states : full;
}

/* A phase: let parts grow, one after another. */
static void grow_parts(struct worker *w) {
    struct engine *engine = w->engine;
    unsigned parts = 1u << part_bits(&engine->set);
    for (size_t part; (part = atomic_fetch_add(&engine->next_chunk, 1)) < parts;)
        if (!grow_part(&engine->set, (unsigned)part, engine->larger, engine->set.spare)) stop(engine->run, STOP_MEMORY);
}

static void grow_all_parts(struct engine *engine, struct part larger) {
    struct quotients *set = &engine->set;
    engine->larger = larger;
    if (!open_shared(set, &larger, &set->spare, &set->spare_bytes)) {
        stop(engine->run, STOP_MEMORY);
        return;
    }
    run_phase(engine, grow_parts, atomic_load(&engine->run->states));
    if (stopped(engine->run)) return; /* parts may be in both memories, and the search has ended */
    close_shared(set->shared, set->shared_bytes);
    set->shared = set->spare;
    set->shared_bytes = set->spare_bytes;
    set->spare = NULL;
    if (!reenter_strays(set)) stop(engine->run, STOP_MEMORY);
}

/* A phase: enter the states of all parts into a bitmap. */
static void spread_parts(struct worker *w) {
    struct engine *engine = w->engine;
    struct quotients *set = &engine->set;
    unsigned parts = 1u << part_bits(set);
    for (size_t number; (number = atomic_fetch_add(&engine->next_chunk, 1)) < parts;) {
        struct part *part = &set->parts[number];
        for (uint64_t bucket = 0; bucket < part->count + MOST_DISPLACED; bucket++) {
            unsigned used = load_word(bucket_at(part, bucket)) & BUCKET_USED;
            for (unsigned i = 0; i < used; i++) {
                word s[WORDS], y;
                read_state(set, part, bucket, read_slot(part, bucket_at(part, bucket), i), &y, s);
                restore_head(set, (word)number << quotient_bits(set) | y, s);
                enter_bit(set, s);
            }
        }
        close_part(part);
    }
}

static bool spread(struct engine *engine, uint64_t bytes) {
    struct quotients *set = &engine->set;
    _Atomic word *bitmap = reserve(bytes);
    if (!bitmap) return false;
    set->bitmap_bytes = bytes;
    set->bitmap = bitmap;
    run_phase(engine, spread_parts, atomic_load(&engine->run->states));
    close_shared(set->shared, set->shared_bytes);
    set->shared = NULL;
    set->shared_bytes = 0;
    for (uint64_t i = 0; i < set->strays.count; i++) enter_bit(set, set->strays.states + i * WORDS);
    return true;
}

/* All parts a little larger, or a bitmap if that is smaller; if memory does not allow it, a fuller set; else stop. */
static void grow_compact(struct engine *engine) {
    struct run *run = engine->run;
    struct quotients *set = &engine->set;
    size_t level_next = atomic_load(&engine->next_chunk);
    unsigned parts = 1u << part_bits(set), bits = set->head_bits;
    struct part larger = part_for(set, states_to_come(engine) / parts + 1, BURNSIDE_ROOMY);
    uint64_t bytes = parts * part_bytes(&larger), bitmap = bits < 48 ? (UINT64_C(1) << bits) / 8 : UINT64_MAX;
    uint64_t others = bytes_used(engine, 0) - quotients_bytes(set);
    atomic_store(&engine->wants_growth, false);
    atomic_store(&engine->next_chunk, 0);
    if (WORDS == 1 && !FLAG && bitmap <= bytes && quotients_bytes(set) + bitmap + others <= run->memory_limit) {
        if (!spread(engine, bitmap)) stop(run, STOP_MEMORY);
        set_compact_limits(engine, BURNSIDE_FULL);
    } else if (bytes + set->shared_bytes + part_bytes(&larger) * run->threads + others <= run->memory_limit) {
        grow_all_parts(engine, larger);
        set_compact_limits(engine, BURNSIDE_FULL);
    } else {
        uint64_t before = engine->grow_at;
        set_compact_limits(engine, BURNSIDE_FULL + (100 - BURNSIDE_FULL) / 2);
        if (engine->grow_at <= before || atomic_load(&run->states) > engine->grow_at) stop(run, STOP_MEMORY);
    }
    atomic_store(&run->bytes, bytes_used(engine, 0));
    atomic_store(&engine->next_chunk, level_next);
}

/* ------------------------------------------------------------------ moving over */

/* States of which something is known become remembered ones. */
static void remember_known(struct engine *engine, struct store *old) {
    struct run *run = engine->run;
    for (uint32_t i = 0; i < engine->sample.count; i++)
        engine->sample.states[i] = remember(engine, NONE, i, state_at(old, engine->sample.states[i]), engine->sample.depths[i]);
    for (uint32_t i = 0; i < run->threads; i++) {
        struct worker *w = &engine->workers[i];
        for (int kind = TERMINAL; kind <= DEADLOCK; kind++)
            for (uint64_t k = 0; k < STUCK_SAMPLED && k < w->stuck_count[kind]; k++)
                w->stuck[kind][k] = remember(engine, NONE, stuck_place(w, (enum stuck)kind, k), state_at(old, w->stuck[kind][k]), w->stuck_depths[kind][k]);
    }
    for (uint32_t p = 0; p < PROPERTIES; p++) {
        uint32_t depth = 0, index = atomic_load(&run->witness[p]);
        if (index == NONE) continue;
        for (uint32_t at = old->parents[index]; at != NONE; at = old->parents[at]) depth++;
        atomic_store(&run->witness[p], remember(engine, NONE, witness_place(engine, p), state_at(old, index), depth));
    }
}

/* Room for the states that are remembered, in the place of all others. */
static bool open_places(struct engine *engine, struct store *places) {
    *places = (struct store){.capacity = all_places(engine)};
    places->states = reserve(places->capacity * WORDS * sizeof(word));
    places->parents = reserve(places->capacity * sizeof(uint32_t));
    if (!places->states || !places->parents) return false;
    for (uint64_t i = 0; i < places->capacity; i++) places->parents[i] = NONE;
    return true;
}

/* States in the order of their levels, and in the level at hand those that are not yet expanded last. */
struct order {
    uint32_t *keys;    /* by index: twice the level, one more if it is still to be expanded */
    uint32_t *indices; /* by key */
    uint64_t *ends;    /* by key: where its indices end */
    uint32_t keys_count;
};

static void close_order(struct order *order) {
    free(order->keys);
    free(order->indices);
    free(order->ends);
}

static void mark_pending(const struct engine *engine, uint32_t *keys) {
    for (size_t chunk = atomic_load(&engine->next_chunk); chunk < engine->chunks.count; chunk++)
        for (uint32_t i = engine->chunks.items[chunk].first; i < engine->chunks.items[chunk].last; i++) keys[i]++;
    for (uint32_t k = 0; k < engine->run->threads; k++)
        for (uint32_t i = engine->workers[k].todo; i < engine->workers[k].todo_end; i++) keys[i]++;
}

static bool open_order(const struct engine *engine, struct order *order) {
    uint64_t count = atomic_load(&engine->allocated);
    *order = (struct order){.keys = all_levels(engine->run)};
    if (!order->keys) return false;
    for (uint64_t i = 0; i < count; i++) {
        if (order->keys[i] == NONE) continue;
        if (order->keys_count < 2 * order->keys[i] + 2) order->keys_count = 2 * order->keys[i] + 2;
        order->keys[i] *= 2;
    }
    mark_pending(engine, order->keys);
    order->indices = malloc((count + 1) * sizeof *order->indices);
    order->ends = calloc((size_t)order->keys_count + 1, sizeof *order->ends);
    if (!order->indices || !order->ends) return false;
    for (uint64_t i = 0; i < count; i++)
        if (order->keys[i] != NONE) order->ends[order->keys[i] + 1]++;
    for (uint32_t k = 0; k < order->keys_count; k++) order->ends[k + 1] += order->ends[k];
    for (uint32_t i = 0; i < count; i++)
        if (order->keys[i] != NONE) order->indices[order->ends[order->keys[i]]++] = i;
    return true;
}

/* The states with a key, into the set and behind the worker's blocks. */
static void move_states(struct worker *w, const struct store *old, const struct order *order, uint32_t key, bool is_new) {
    for (uint64_t i = key ? order->ends[key - 1] : 0; i < order->ends[key] && !stopped(w->engine->run); i++) {
        const word *s = state_at(old, order->indices[i]);
        if (enter_state(&w->engine->set, s, mixed_head(&w->engine->set, s), is_new) != NEW) stop(w->engine->run, STOP_BUG);
        add_to_level(w, s);
    }
    close_block(w);
}

/* The level that was built becomes the last one of those that are complete. */
static bool end_building(struct engine *engine) {
    struct level *level = add_level(&engine->levels);
    for (uint32_t i = 0; level && i < engine->run->threads; i++) {
        close_block(&engine->workers[i]);
        if (!append_blocks(level, &engine->workers[i].built)) level = NULL;
    }
    return level != NULL;
}

/* All levels of the store by index; the last one stays with the worker if it is still being built. `first` is the first
 * block of the one before that is to be expanded. */
static void move_levels(struct engine *engine, const struct store *old, const struct order *order, uint32_t building, size_t *first) {
    struct worker *w = &engine->workers[0];
    for (uint32_t level = 0; level <= building && !stopped(engine->run); level++) {
        if (2 * level + 1 >= order->keys_count) continue;
        move_states(w, old, order, 2 * level, level == building);
        *first = w->built.count;
        move_states(w, old, order, 2 * level + 1, false);
        if (level < building && !end_building(engine)) stop(engine->run, STOP_MEMORY);
    }
}

static bool open_levels(struct engine *engine) {
    struct levels *levels = &engine->levels;
    *levels = (struct levels){.record = record_bytes(), .folder = engine->run->scratch, .file = -1, .most_disk = engine->run->disk_limit};
    open_levels_file(levels); /* without one, all levels stay in memory */
    for (uint32_t i = 0; i < engine->run->threads; i++)
        if (!(engine->workers[i].room = malloc((size_t)BLOCK_STATES * levels->record))) return false;
    return true;
}

/* Go over from indices to the compact store, at any time when all workers stand still; the first block of the last complete
 * level that is still to be expanded. */
static size_t move_over(struct engine *engine, uint32_t building) {
    struct run *run = engine->run;
    struct store old = engine->store, places = {0};
    struct order order = {0};
    size_t first = 0;
    close_table(&old);
    engine->store = old;
    uint64_t states = atomic_load(&run->states);
    bool is_open = open_order(engine, &order) && open_quotients(&engine->set, states) && open_levels(engine) && open_places(engine, &places);
    if (is_open) {
        engine->is_compact = true;
        engine->store = places;
        set_compact_limits(engine, BURNSIDE_FULL);
        remember_known(engine, &old);
        move_levels(engine, &old, &order, building, &first);
        for (uint32_t i = 0; i < run->threads; i++) engine->workers[i].todo = engine->workers[i].todo_end = 0;
        if (engine->is_old) munmap(engine->is_old, old.capacity * sizeof *engine->is_old);
        engine->is_old = NULL;
        close_store(&old);
        atomic_store(&run->bytes, bytes_used(engine, 0));
        run->store = STORE_COMPACT;
    } else {
        stop(run, STOP_MEMORY);
    }
    close_order(&order);
    return first;
}

/* Whether the search should go over to the compact store before its table grows, or before the next level. */
static bool should_move(struct engine *engine, bool is_growing) {
    const struct run *run = engine->run;
    if (run->store != STORE_AUTO) return run->store == STORE_COMPACT && !engine->is_compact;
    uint64_t states = atomic_load(&run->states);
    bool is_short = 2 * bytes_used(engine, atomic_load(&engine->allocated)) > run->memory_limit / 5 * 4;
    return is_growing && is_short && states / DEEP >= atomic_load(&run->depth);
}

/* ------------------------------------------------------------------ runs to states */

/* A state on the way back from one that is remembered. */
struct trail {
    uint32_t place, depth; /* of the last state of the run; of the one that was found last */
    bool is_found;         /* on the level at hand */
};

struct retracing {
    struct trail *trails;
    size_t count;
    uint32_t level; /* whose states are expanded */
    _Atomic size_t missing;
    word filter;
};

static inline word *trail_state(const struct engine *engine, const struct trail *trail, uint32_t depth) {
    return engine->paths[trail->place] + (size_t)depth * WORDS;
}

static inline word filter_bit(const word *s) { return (word)1 << (hash_state(s) >> 58); }

/* Whose way back leads through a state to one of its successors. */
static void follow_back(struct worker *w, struct retracing *tracing, const word *s, word *successor) {
    struct engine *engine = w->engine;
    if (SYMMETRY && !engine->run->is_plain && !represent(w->scratch, successor, hash_state(successor))) return;
    if (!(tracing->filter & filter_bit(successor))) return;
    for (size_t i = 0; i < tracing->count; i++) {
        struct trail *trail = &tracing->trails[i];
        if (trail->depth != tracing->level + 1 || !same_state(trail_state(engine, trail, trail->depth), successor)) continue;
        pthread_mutex_lock(&engine->mutex);
        if (!trail->is_found) {
            memcpy(trail_state(engine, trail, tracing->level), s, WORDS * sizeof *s);
            trail->is_found = true;
            atomic_fetch_sub(&tracing->missing, 1);
        }
        pthread_mutex_unlock(&engine->mutex);
    }
}

static bool is_given_up(const struct run *run) { return atomic_load_explicit(&run->gives_up, memory_order_relaxed); }

/* A phase: expand blocks of a level until every way back is found. */
static void retrace_blocks(struct worker *w) {
    struct engine *engine = w->engine;
    struct retracing *tracing = engine->retracing;
    const struct level *level = &engine->levels.items[tracing->level];
    for (size_t number; (number = atomic_fetch_add(&engine->next_chunk, 1)) < level->count;) {
        const unsigned char *bytes = read_block(&engine->levels, &level->blocks[number], w->room);
        for (uint32_t i = 0; bytes && i < level->blocks[number].count && atomic_load(&tracing->missing); i++) {
            word s[WORDS];
            int fault = NO_FAULT;
            bytes = get_state(bytes, s);
#if PARTIAL_ORDER
            label_out = w->labels;
#endif
            word *end = successors(s, w->buffer, &fault);
            for (word *t = w->buffer; !fault && t < end; t += WORDS) follow_back(w, tracing, s, t);
        }
        if (!bytes) engine->levels.failed = true;
        if (!bytes || is_given_up(engine->run) || !atomic_load(&tracing->missing)) return;
    }
}

/* The states before those on the level behind this one. */
static bool retrace_level(struct engine *engine, struct retracing *tracing) {
    size_t wanted = 0;
    tracing->filter = 0;
    for (size_t i = 0; i < tracing->count; i++) {
        struct trail *trail = &tracing->trails[i];
        trail->is_found = false;
        if (trail->depth != tracing->level + 1) continue;
        wanted++;
        tracing->filter |= filter_bit(trail_state(engine, trail, trail->depth));
    }
    atomic_store(&tracing->missing, wanted);
    atomic_store(&engine->next_chunk, 0);
    if (wanted) run_phase(engine, retrace_blocks, level_size(&engine->levels.items[tracing->level]));
    for (size_t i = 0; i < tracing->count; i++)
        if (tracing->trails[i].is_found) tracing->trails[i].depth--;
    return atomic_load(&tracing->missing) == 0;
}

static bool add_trail(struct engine *engine, struct retracing *tracing, uint32_t place) {
    if (place == NONE || engine->paths[place]) return true;
    uint32_t depth = engine->store.parents[place];
    tracing->trails[tracing->count++] = (struct trail){.place = place, .depth = depth};
    if (!(engine->paths[place] = malloc((depth + 1) * WORDS * sizeof(word)))) return false;
    memcpy(engine->paths[place] + (size_t)depth * WORDS, state_at(&engine->store, place), WORDS * sizeof(word));
    if (depth > tracing->level) tracing->level = depth;
    return true;
}

/* Nobody can show how these states are reached, so nothing is said to be decided by them. */
static void forget_trails(struct engine *engine, const struct retracing *tracing) {
    struct run *run = engine->run;
    for (size_t i = 0; i < tracing->count; i++) {
        uint32_t place = tracing->trails[i].place;
        if (tracing->trails[i].depth == 0 && engine->paths[place]) continue;
        free(engine->paths[place]);
        engine->paths[place] = NULL;
        if (atomic_load(&run->fault_state) == place) atomic_store(&run->fault_state, NONE);
        for (uint32_t p = 0; p < PROPERTIES; p++)
            if (atomic_load(&run->witness[p]) == place) atomic_store(&run->witness[p], NONE);
    }
    atomic_store(&run->stop, is_given_up(run) ? STOP_ASKED : engine->levels.failed ? STOP_DISK : STOP_BUG);
}

/* Runs to all states that were sought and found since this was last asked. */
static void retrace(struct engine *engine) {
    struct run *run = engine->run;
    struct retracing tracing = {.trails = calloc((size_t)PROPERTIES + 1, sizeof *tracing.trails)};
    if (!engine->paths) engine->paths = calloc(engine->store.capacity, sizeof *engine->paths);
    if (!tracing.trails || !engine->paths) {
        free(tracing.trails);
        stop(run, STOP_MEMORY);
        return;
    }
    bool is_complete = add_trail(engine, &tracing, atomic_load(&run->fault_state));
    for (uint32_t p = 0; p < PROPERTIES && is_complete; p++) is_complete = add_trail(engine, &tracing, atomic_load(&run->witness[p]));
    engine->retracing = &tracing;
    while (is_complete && tracing.level > 0) {
        tracing.level--;
        is_complete = retrace_level(engine, &tracing);
    }
    if (!is_complete) forget_trails(engine, &tracing);
    free(tracing.trails);
}

/* ------------------------------------------------------------------ searching */

/* The next states of the worker's block, or of another one; false if there are none. */
static bool take_block(struct worker *w) {
    struct engine *engine = w->engine;
    const struct levels *levels = &engine->levels;
    const struct level *level = &levels->items[levels->count - 1];
    if (w->todo < w->todo_end) return true;
    size_t number = atomic_fetch_add(&engine->next_chunk, 1);
    if (number >= level->count) return false;
    w->reading = read_block(levels, &level->blocks[number], w->room);
    w->todo = 0;
    w->todo_end = w->reading ? level->blocks[number].count : 0;
    if (!w->reading) stop(engine->run, STOP_DISK);
    return w->reading != NULL;
}

/* A phase: expand blocks of the level until none is left or all must pause. */
static void expand_blocks(struct worker *w) {
    while (!must_pause(w->engine) && take_block(w)) {
        for (; w->todo < w->todo_end && w->filled < FLUSH; w->todo++) {
            word s[WORDS];
            w->reading = get_state(w->reading, s);
            expand_state(w, s, NONE);
        }
        if (w->filled >= FLUSH) flush(w);
    }
    flush(w);
}

#if PARTIAL_ORDER
/* A phase: the states of the level are not new any more. */
static void age_blocks(struct worker *w) {
    while (!stopped(w->engine->run) && take_block(w))
        for (; w->todo < w->todo_end; w->todo++) {
            word s[WORDS];
            w->reading = get_state(w->reading, s);
            mark_old(&w->engine->set, s);
        }
}
#endif

static void sample_blocks(struct engine *engine) {
    const struct levels *levels = &engine->levels;
    const struct level *level = &levels->items[levels->count - 1];
    const struct block *last = NULL;
    for (uint64_t k = 0, last_number = 0; k < SAMPLED_PER_LEVEL; k++) {
        const struct block *block = &level->blocks[k * level->count / SAMPLED_PER_LEVEL];
        uint64_t number = block->count * k / SAMPLED_PER_LEVEL;
        if (block == last && number == last_number) continue;
        const unsigned char *bytes = read_block(levels, block, engine->workers[0].room);
        word s[WORDS];
        if (bytes) get_state(bytes + number * levels->record, s);
        if (bytes) add_sample(engine, NONE, s, depth_of_expanded(engine));
        last = block;
        last_number = number;
    }
}

/* Begin with the level that was built; how many states it has. */
static uint64_t begin_level(struct engine *engine) {
    struct run *run = engine->run;
    struct levels *levels = &engine->levels;
    if (!end_building(engine)) stop(run, STOP_MEMORY);
    if (levels->file >= 0 && !spill_levels(levels, levels->most_memory / 2)) stop(run, STOP_DISK);
    uint64_t size = stopped(run) ? 0 : level_size(&levels->items[levels->count - 1]);
    atomic_store(&run->waiting, size);
    if (size == 0) return 0;
    atomic_store(&run->depth, levels->count - 1);
    sample_blocks(engine);
    atomic_store(&engine->next_chunk, 0);
#if PARTIAL_ORDER
    if (may_stand_still()) {
        run_phase(engine, age_blocks, size);
        atomic_store(&engine->next_chunk, 0);
    }
#endif
    return size;
}

/* Search on from the last level that is complete, of which blocks before `first` are expanded, or from the one being built. */
static void search_compactly(struct engine *engine, bool is_in_the_middle, size_t first) {
    struct run *run = engine->run;
    for (;; is_in_the_middle = false) {
        uint64_t size = is_in_the_middle ? atomic_load(&run->waiting) : begin_level(engine);
        if (size == 0 || stopped(run)) return;
        if (is_in_the_middle) atomic_store(&engine->next_chunk, first);
        run_phase(engine, expand_blocks, size);
        while (!stopped(run) && atomic_load(&engine->wants_growth)) {
            grow_compact(engine);
            if (!stopped(run)) run_phase(engine, expand_blocks, size);
        }
        end_level(engine);
        if (stopped(run)) return;
        retrace(engine);
    }
}

static void close_compact(struct engine *engine) {
    for (uint64_t i = 0; engine->paths && i < engine->store.capacity; i++) free(engine->paths[i]);
    free(engine->paths);
    for (uint32_t i = 0; i < engine->run->threads; i++) {
        struct worker *w = &engine->workers[i];
        for (size_t k = 0; k < w->built.count; k++) free(w->built.blocks[k].bytes);
        free(w->built.blocks);
        free(w->filling.bytes);
        free(w->room);
    }
    close_quotients(&engine->set);
    close_levels(&engine->levels);
}

#endif
