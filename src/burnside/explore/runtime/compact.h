/* Breadth-first search with a compact store: moving over to it, levels, and the runs that lead to states.
 *
 * The set says only whether a state is known. A state that is to be expanded stands in its level; one that somebody asks for
 * later is put into a place of its own (worker.h). A run to such a state is found backwards, level by level: some state of the
 * level before has it among its successors.
 */
#ifndef BURNSIDE_COMPACT_H
#define BURNSIDE_COMPACT_H

#include "checkpoint.h"
#include "disk.h"
#include "probe.h"

/* ------------------------------------------------------------------ room */

/* The segments that are to grow, and by how much. */
struct growth {
    unsigned segments[SEGMENTS], count;
    uint64_t room[SEGMENTS]; /* by number of the segment; 0: it stays as it is */
};

static inline uint64_t room_after(const struct quotients *set, const struct growth *growth, unsigned segment) {
    return growth->room[segment] ? growth->room[segment] : room_of(&set->segments[segment]);
}

/* One step of growth: from as full as segments should ever be to as empty. */
static inline uint64_t step_from(uint64_t room) { return room * BURNSIDE_FULL / BURNSIDE_ROOMY + 1; }

/* While the set is small all segments grow together, to twice the size and up to a step more, so that they are full at
 * different times from then on. */
static struct growth grow_together(const struct quotients *set) {
    struct growth growth = {.count = segments_of(set)};
    uint64_t room = 2 * (quotients_room(set) >> segment_bits(set)), step = step_from(room) - room;
    for (unsigned i = 0; i < growth.count; i++) {
        growth.segments[i] = i;
        growth.room[i] = room + step * i / growth.count;
    }
    return growth;
}

/* Then those with least room grow by a step: an eighth of them, or as many as there are workers. */
static struct growth grow_some(const struct quotients *set, unsigned threads) {
    struct growth growth = {0};
    unsigned segments = segments_of(set), some = segments / 8 > threads ? segments / 8 : threads;
    for (; growth.count < some && growth.count < segments; growth.count++) {
        unsigned least = 0;
        for (unsigned i = 1; i < segments; i++)
            if (room_after(set, &growth, i) < room_after(set, &growth, least)) least = i;
        growth.segments[growth.count] = least;
        growth.room[least] = step_from(room_of(&set->segments[least]));
    }
    return growth;
}

/* The bytes of the set after growth, and while it lasts. */
static uint64_t bytes_after(const struct engine *engine, const struct growth *growth, uint64_t *meanwhile) {
    const struct quotients *set = &engine->set;
    uint64_t bytes = quotients_bytes(set), largest = 0;
    for (unsigned k = 0; k < growth->count; k++) {
        struct shape shape = shape_for(set, growth->room[growth->segments[k]]);
        uint64_t before = segment_bytes(&set->segments[growth->segments[k]].shape);
        bytes += segment_bytes(&shape) - before;
        if (before > largest) largest = before;
    }
    *meanwhile = bytes + largest * engine->run->threads;
    return bytes;
}

/* A phase: let segments grow, one after another. */
static void grow_segments(struct worker *w) {
    struct engine *engine = w->engine;
    struct quotients *set = &engine->set;
    const struct growth *growth = engine->growth;
    for (size_t k; (k = atomic_fetch_add(&engine->next_chunk, 1)) < growth->count;) {
        unsigned segment = growth->segments[k];
        if (!grow_segment(set, segment, shape_for(set, growth->room[segment]))) stop(engine->run, STOP_MEMORY);
    }
}

/* A phase: enter the states of all segments into a bitmap. */
static void spread_segments(struct worker *w) {
    struct engine *engine = w->engine;
    struct quotients *set = &engine->set;
    for (size_t number; (number = atomic_fetch_add(&engine->next_chunk, 1)) < segments_of(set);) {
        struct segment *segment = &set->segments[number];
        for (uint64_t bucket = 0; bucket < buckets_of(segment); bucket++) {
            unsigned used = slots_used(segment, bucket);
            for (unsigned i = 0; i < used; i++) {
                word key[KEY_WORDS], y;
                read_key(set, segment, bucket, i, &y, key);
                restore_head(set, (word)number << set->quotient_bits | y, key);
                enter_bit(&set->bitmap[key[0] >> 6], key);
            }
        }
        release_segment(segment);
    }
}

static void spread(struct engine *engine, uint64_t bytes) {
    struct quotients *set = &engine->set;
    set->bitmap_bytes = bytes;
    set->bitmap = reserve(bytes);
    if (!set->bitmap) {
        set->bitmap_bytes = 0;
        stop(engine->run, STOP_MEMORY);
        return;
    }
    run_phase(engine, spread_segments, atomic_load(&engine->run->states));
    for (uint64_t i = 0; i < set->strays.count; i++) {
        const word *key = set->strays.keys + i * KEY_WORDS;
        enter_bit(&set->bitmap[key[0] >> 6], key);
    }
}

static void grow_by(struct engine *engine, const struct growth *growth) {
    engine->growth = growth;
    run_phase(engine, grow_segments, atomic_load(&engine->run->states));
    if (!stopped(engine->run) && !reenter_strays(&engine->set)) stop(engine->run, STOP_MEMORY);
}

/* Whether the set has to go to disk rather than grow, given the bytes it would need meanwhile. */
static inline bool should_archive(const struct engine *engine, uint64_t meanwhile) {
    if (!engine->may_archive || engine->set.bitmap) return false;
    return meanwhile > engine->run->memory_limit || atomic_load(&engine->run->states) > BURNSIDE_MOST_HELD;
}

/* Some segments larger, or a bitmap if that is smaller; if memory does not allow it, archives on disk, or a fuller set; else stop. */
static void grow_compact(struct engine *engine) {
    struct run *run = engine->run;
    struct quotients *set = &engine->set;
    size_t level_next = atomic_load(&engine->next_chunk);
    struct growth growth = grow_together(set);
    uint64_t meanwhile, bytes = bytes_after(engine, &growth, &meanwhile), others = bytes_used(engine, 0) - quotients_bytes(set);
    if (quotients_bytes(set) >= BURNSIDE_SMALL_SET || meanwhile + others > run->memory_limit) {
        growth = grow_some(set, run->threads);
        bytes = bytes_after(engine, &growth, &meanwhile);
    }
    uint64_t bitmap = KEY_WORDS == 1 && !FLAG && set->head_bits < 48 ? (UINT64_C(1) << set->head_bits) / 8 : UINT64_MAX;
    bool is_short = false;
    atomic_store(&engine->wants_growth, false);
    atomic_store(&engine->next_chunk, 0);
    if (bitmap <= bytes && quotients_bytes(set) + bitmap + others <= run->memory_limit) spread(engine, bitmap);
    else if (should_archive(engine, meanwhile + others)) merge_set(engine, GO_OUT);
    else if (meanwhile + others <= run->memory_limit) grow_by(engine, &growth);
    else is_short = true;
    uint64_t before = engine->grow_at;
    set_compact_limits(engine, is_short ? (100 + BURNSIDE_FULL) / 2 : most_full(set));
    if (is_short && (engine->grow_at <= before || atomic_load(&run->states) > engine->grow_at)) stop(run, STOP_MEMORY);
    atomic_store(&run->bytes, bytes_used(engine, 0));
    atomic_store(&engine->next_chunk, level_next);
}

/* A set that wants to grow gets room, in one way or another. */
static void gain_room(struct engine *engine) {
    if (engine->set.is_archived) merge_set(engine, engine->is_resuming ? GO_OUT : IN_BETWEEN);
    else grow_compact(engine);
}

/* A phase over some states, again and again until all is done: whenever the set wants to grow, all pause. */
static void run_with_room(struct engine *engine, void (*phase)(struct worker *), uint64_t size) {
    run_phase(engine, phase, size);
    while (!stopped(engine->run) && atomic_load(&engine->wants_growth)) {
        gain_room(engine);
        if (!stopped(engine->run)) run_phase(engine, phase, size);
    }
}

/* ------------------------------------------------------------------ moving over */

static void remember_one(struct engine *engine, const struct store *old, _Atomic uint32_t *where, uint32_t place) {
    uint32_t depth = 0, index = atomic_load(where);
    if (index == NONE) return;
    for (uint32_t at = old->parents[index]; at != NONE; at = old->parents[at]) depth++;
    atomic_store(where, remember(engine, NONE, place, state_at(old, index), depth));
}

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
    remember_one(engine, old, &run->fault_state, fault_place(engine, false));
    remember_one(engine, old, &engine->faulty_condition, fault_place(engine, true));
    for (uint32_t p = 0; p < PROPERTIES; p++) remember_one(engine, old, &run->witness[p], witness_place(engine, p));
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
        struct home home = home_of(&w->engine->set, s);
        if (enter_state(&w->engine->set, &home, is_new) != NEW && !FINGERPRINTS) stop(w->engine->run, STOP_BUG);
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
    engine->levels.at = engine->levels.count - 1;
    return level != NULL;
}

/* All levels of the store by index; the last one stays with the worker if it is still being built. `first` is the first
 * block of the one before that is to be expanded. */
static void move_levels(struct engine *engine, const struct store *old, const struct order *order, uint32_t building, size_t *first) {
    struct worker *w = &engine->workers[0];
    for (uint32_t level = 0; level <= building && !stopped(engine->run); level++) {
        if (2 * level + 1 >= order->keys_count) continue;
        move_states(w, old, order, 2 * level, level == building);
        if (level < building) *first = w->built.count;
        move_states(w, old, order, 2 * level + 1, false);
        if (level < building && !end_building(engine)) stop(engine->run, STOP_MEMORY);
    }
}

static bool open_levels(struct engine *engine) {
    struct levels *levels = &engine->levels;
    *levels = (struct levels){.record = record_bytes(), .folder = engine->run->scratch, .file = -1, .most_disk = disk_left(engine, 0)};
    levels->checkpoint = engine->run->checkpoint;
    open_levels_file(levels); /* without one, all levels stay in memory */
    for (uint32_t i = 0; i < engine->run->threads; i++)
        if (!(engine->workers[i].room = malloc(room_for(BLOCK_STATES, levels->record))) || !(engine->workers[i].recent = open_recent())) return false;
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
    atomic_store(&engine->wants_growth, false); /* it was the table that wanted to grow */
    uint64_t states = atomic_load(&run->states);
    bool is_open = open_order(engine, &order) && open_quotients(&engine->set, states) && open_levels(engine) && open_places(engine, &places);
    if (is_open) {
        engine->is_compact = true;
        engine->may_archive = run->store == STORE_DISK;
        engine->set.coefficients = run->coefficients;
        engine->store = places;
        set_compact_limits(engine, most_full(&engine->set));
        remember_known(engine, &old);
        move_levels(engine, &old, &order, building, &first);
        for (uint32_t i = 0; i < run->threads; i++) engine->workers[i].todo = engine->workers[i].todo_end = 0;
        if (engine->is_old) munmap(engine->is_old, old.capacity * sizeof *engine->is_old);
        engine->is_old = NULL;
        close_store(&old);
        atomic_store(&run->bytes, bytes_used(engine, 0));
        run->store = STORE_COMPACT;
        /* Stopped on the way, the set lacks states that have been found: nothing can be said of successors any more. */
        if (stopped(run)) engine->sample.expanded = 0;
    } else {
        stop(run, STOP_MEMORY);
    }
    close_order(&order);
    return first;
}

/* Whether the search should go over to the compact store before its table grows, or before the next level. */
static bool should_move(struct engine *engine, bool is_growing) {
    const struct run *run = engine->run;
    if (run->store != STORE_AUTO) return run->store >= STORE_COMPACT && !engine->is_compact;
    uint64_t states = atomic_load(&run->states);
    bool is_short = 2 * bytes_used(engine, atomic_load(&engine->allocated)) > run->memory_limit / 5 * 4;
    return is_growing && (is_short || states > BURNSIDE_MANY) && states / BURNSIDE_DEEP >= atomic_load(&run->depth);
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

/* One more trail to be followed, if a state was found and the run to it is not yet known; false if there is no memory. */
static bool add_trail(struct engine *engine, struct retracing *tracing, uint32_t place) {
    if (place == NONE || engine->paths[place]) return true;
    uint32_t depth = engine->store.parents[place];
    tracing->trails[tracing->count++] = (struct trail){.place = place, .depth = depth};
    if (!(engine->paths[place] = malloc(((size_t)depth + 1) * WORDS * sizeof(word)))) return false;
    memcpy(engine->paths[place] + (size_t)depth * WORDS, state_at(&engine->store, place), WORDS * sizeof(word));
    if (depth > tracing->level) tracing->level = depth;
    return true;
}

static void forget_if_unshown(const struct engine *engine, _Atomic uint32_t *where) {
    uint32_t place = atomic_load(where);
    if (place != NONE && !(engine->paths && engine->paths[place])) atomic_store(where, NONE);
}

/* Nothing is said to be decided by states of which nobody can show how they are reached. */
static void forget_unshown(struct engine *engine, const struct retracing *tracing, uint32_t reason) {
    struct run *run = engine->run;
    for (size_t i = 0; i < tracing->count; i++) {
        uint32_t place = tracing->trails[i].place;
        if (tracing->trails[i].depth == 0) continue;
        free(engine->paths[place]);
        engine->paths[place] = NULL;
    }
    forget_if_unshown(engine, &run->fault_state);
    for (uint32_t p = 0; p < PROPERTIES; p++) forget_if_unshown(engine, &run->witness[p]);
    atomic_store(&run->stop, reason);
}

/* Runs to all states that were sought and found since this was last asked. */
static void retrace(struct engine *engine) {
    struct run *run = engine->run;
    struct retracing tracing = {.trails = calloc((size_t)PROPERTIES + 1, sizeof *tracing.trails)};
    if (!engine->paths) engine->paths = calloc(engine->store.capacity, sizeof *engine->paths);
    bool has_memory = tracing.trails && engine->paths && add_trail(engine, &tracing, atomic_load(&run->fault_state));
    for (uint32_t p = 0; p < PROPERTIES && has_memory; p++) has_memory = add_trail(engine, &tracing, atomic_load(&run->witness[p]));
    engine->retracing = &tracing;
    bool is_complete = has_memory;
    while (is_complete && tracing.level > 0) {
        tracing.level--;
        is_complete = retrace_level(engine, &tracing);
    }
    uint32_t reason = !has_memory ? STOP_MEMORY : engine->levels.failed ? STOP_DISK : is_given_up(run) ? STOP_ASKED : STOP_BUG;
    if (!is_complete) forget_unshown(engine, &tracing, reason);
    free(tracing.trails);
}

/* ------------------------------------------------------------------ searching */

/* The next states of the worker's block, or of another one of the level at hand; false if there are none. */
static bool take_block(struct worker *w) {
    struct engine *engine = w->engine;
    const struct levels *levels = &engine->levels;
    const struct level *level = &levels->items[levels->at];
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
    const struct level *level = &levels->items[levels->at];
    const struct block *last = NULL;
    for (uint64_t k = 0, last_number = 0; k < SAMPLED_PER_LEVEL; k++) {
        const struct block *block = &level->blocks[k * level->count / SAMPLED_PER_LEVEL];
        uint64_t number = block->count * k / SAMPLED_PER_LEVEL;
        if (block == last && number == last_number) continue;
        const unsigned char *bytes = read_block(levels, block, engine->workers[0].room);
        word s[WORDS];
        if (bytes) get_state(bytes + number * levels->record, s);
        if (bytes && !FINGERPRINTS && !is_kept(s)) stop(engine->run, STOP_BUG);
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
    uint64_t size = stopped(run) ? 0 : level_size(&levels->items[levels->at]);
    tell_level(run, levels->count - 1, size, atomic_load(&run->transitions));
    if (size == 0) return 0;
    sample_blocks(engine);
    atomic_store(&engine->next_chunk, 0);
#if PARTIAL_ORDER
    if (may_stand_still() && !engine->set.is_archived) {
        run_phase(engine, age_blocks, size);
        atomic_store(&engine->next_chunk, 0);
    }
#endif
    note_level(engine);
    return size;
}

/* Search on from the last level that is complete, of which blocks before `first` are expanded, or from the one being built. */
static void search_compactly(struct engine *engine, bool is_in_the_middle, size_t first) {
    struct run *run = engine->run;
    for (;; is_in_the_middle = false) {
        uint64_t size = is_in_the_middle ? atomic_load(&run->waiting) : begin_level(engine);
        if (size == 0 || stopped(run)) return;
        if (is_in_the_middle) atomic_store(&engine->next_chunk, first);
        run_with_room(engine, expand_blocks, size);
        if (engine->set.is_archived && !stopped(run)) merge_set(engine, END_OF_LEVEL);
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
        free(w->recent);
    }
    close_quotients(&engine->set);
    close_levels(&engine->levels);
}

#endif
