/* Sets that do not fit in memory: duplicates are found with a delay, by merging [SternDill98].
 *
 * When the set cannot grow any more, its states go to archives, one for each segment. From then on memory has what was found since,
 * each state once; whether it is known from before is not asked at once. It is when memory is full, and at the end of a level:
 * each segment is read in order, side by side with its archive, and written out with it. What was in memory alone is new; only
 * then it is counted, inspected and put into the level being built.
 *
 *     memory   ─ in order of y ─┐
 *     strays   ─ sorted ────────┼─ merge ─▶ the next archive;   not in the last one: a new state
 *     archive  ─ as it is ──────┘
 *
 * Levels are as in memory, so distances, runs and figures are, too.
 */
#ifndef BURNSIDE_DISK_H
#define BURNSIDE_DISK_H

#include "phases.h"

/* What memory has of one segment, in order. */
struct held {
    const struct quotients *set;
    const struct segment *segment;
    uint64_t bucket; /* home of the next items */
    unsigned count, at;
    struct item items[MOST_SLOTS * (MOST_DISPLACED + 1)];
    struct item *strays;
    uint64_t strays_count, strays_at;
};

static void insert_item(struct held *held, const struct item *item) {
    unsigned at = held->count++;
    for (; at > 0 && compare_items(item, &held->items[at - 1]) < 0; at--) held->items[at] = held->items[at - 1];
    held->items[at] = *item;
}

/* The states whose home is one bucket: there, and as long as buckets are full in the next ones. */
static void gather_home(struct held *held) {
    const struct shape *shape = &held->segment->shape;
    uint64_t home = held->bucket++, bucket = home;
    unsigned used;
    held->count = held->at = 0;
    do {
        used = slots_used(held->segment, bucket);
        for (unsigned i = 0; i < used; i++) {
            struct item item;
            item.key[held->set->head] = 0;
            item.is_new = read_key(held->set, held->segment, bucket, i, &item.y, item.key);
            if (item.y / shape->divisor == home) insert_item(held, &item);
        }
    } while (used == shape->slots && ++bucket - home <= MOST_DISPLACED);
}

/* The next state, or NULL. */
static const struct item *next_held(struct held *held) {
    while (held->at == held->count && held->bucket < held->segment->shape.count) gather_home(held);
    const struct item *item = held->at < held->count ? &held->items[held->at] : NULL;
    const struct item *stray = held->strays_at < held->strays_count ? &held->strays[held->strays_at] : NULL;
    bool is_stray = stray && (!item || compare_items(stray, item) < 0);
    if (is_stray) held->strays_at++;
    else if (item) held->at++;
    return is_stray ? stray : item;
}

/* The strays of one segment, sorted. */
static bool gather_strays(struct held *held, unsigned number) {
    const struct strays *strays = &held->set->strays;
    held->strays = malloc((strays->count + 1) * sizeof *held->strays);
    for (uint64_t i = 0; held->strays && i < strays->count; i++) {
        struct item *item = &held->strays[held->strays_count];
        item->is_new = strays->is_new[i];
        held->strays_count += item_of(held->set, strays->keys + i * KEY_WORDS, item) == number;
    }
    if (held->strays) qsort(held->strays, held->strays_count, sizeof *held->strays, by_item);
    return held->strays != NULL;
}

/* ------------------------------------------------------------------ merging */

/* One segment on its way to the next archive. */
struct merge {
    struct worker *worker;
    unsigned number;
    struct held held;
    struct reader reader;
    struct writer writer;
};

/* A state that no archive has. */
static void enter_late(struct merge *m, const struct item *item) {
    struct worker *w = m->worker;
    word key[KEY_WORDS], s[WORDS], again[WORDS];
    memcpy(key, item->key, sizeof key);
    restore_head(&w->engine->set, (word)m->number << w->engine->set.quotient_bits | item->y, key);
    state_of_key(key, s);
    w->orbits[0] = 1;
    memcpy(again, s, sizeof again);
    if (reduces(w)) w->orbits[0] = represent(w->scratch, again, hash_state(again));
    if (!w->orbits[0]) stop(w->engine->run, gave_up(w->scratch) ? STOP_ASKED : STOP_BUG);
    w->new_states++;
    count_orbit(w, 0);
    add_to_level(w, s);
    if (PROPERTIES > 0) inspect(w, s, NONE);
}

static void merge_held(struct merge *m, const struct item *item) {
    struct item written = *item;
    enum merging how = m->worker->engine->merging;
    if (how != GO_OUT) enter_late(m, item);
    written.is_new = how == IN_BETWEEN || (how == GO_OUT && item->is_new);
    write_item(&m->writer, &written);
}

static void merge_archived(struct merge *m) {
    struct item *item = &m->reader.item;
    item->is_new &= m->worker->engine->merging != END_OF_LEVEL;
    write_item(&m->writer, item);
}

/* Both in order, what both have once. False if the search is to end. */
static bool merge_all(struct merge *m) {
    const struct run *run = m->worker->engine->run;
    const struct item *item = next_held(&m->held);
    bool is_archived = read_item(&m->reader);
    while ((item || is_archived) && !stopped(run) && !m->writer.failed && !m->reader.failed) {
        int order = !item ? 1 : !is_archived ? -1 : compare_items(item, &m->reader.item);
        if (order < 0) {
            merge_held(m, item);
        } else {
            merge_archived(m);
            is_archived = read_item(&m->reader);
        }
        if (order <= 0) item = next_held(&m->held);
    }
    return !stopped(run);
}

/* The next archive of a segment in the place of the last one; if there is none, the last one stays. */
static void merge_segment(struct merge *m) {
    struct engine *engine = m->worker->engine;
    struct quotients *set = &engine->set;
    struct archive *last = &set->segments[m->number].archive, next;
    uint64_t states = atomic_load(&engine->run->states) >> segment_bits(set);
    m->held = (struct held){.set = set, .segment = &set->segments[m->number]};
    m->writer.disk = &engine->archived;
    m->writer.most_disk = disk_left(engine, atomic_load(&engine->levels.end));
    open_reader(&m->reader, last, set->head, 0);
    open_writer(&m->writer, &next, engine->run->scratch, set->head, set->quotient_mask, states);
    bool is_complete = gather_strays(&m->held, m->number);
    if (!is_complete) stop(engine->run, STOP_MEMORY);
    is_complete = is_complete && merge_all(m);
    bool is_readable = close_writer(&m->writer) && !m->reader.failed;
    if (!is_readable) stop(engine->run, STOP_DISK);
    if (is_complete && is_readable) {
        struct archive old = *last;
        *last = next;
        next = old;
        atomic_fetch_add(&set->archives_memory, archive_memory(last) - archive_memory(&old));
    }
    atomic_fetch_sub(&engine->archived, archive_bytes(&next));
    close_archive(&next);
    free(m->held.strays);
    publish_figures(m->worker);
}

/* A phase: merge segments, one after another. */
static void merge_segments(struct worker *w) {
    struct engine *engine = w->engine;
    struct merge *m = malloc(sizeof *m);
    if (!m) stop(engine->run, STOP_MEMORY);
    for (size_t k; m && !stopped(engine->run) && (k = atomic_fetch_add(&engine->next_chunk, 1)) < segments_of(&engine->set);) {
        m->worker = w;
        m->number = (unsigned)k;
        merge_segment(m);
    }
    free(m);
}

/* ------------------------------------------------------------------ memory */

/* When the set should grow, or go to its archives. */
static void set_compact_limits(struct engine *engine, unsigned percent) {
    const struct quotients *set = &engine->set;
    bool is_final = set->bitmap || is_at_its_largest(set);
    uint64_t room = is_final ? UINT64_MAX : quotients_room(set) * percent / 100;
    uint64_t share = quotients_bytes(set) / BURNSIDE_LEVEL_SHARE, most = engine->run->memory_limit / BURNSIDE_LEVEL_SHARE;
    engine->grow_at = room > slack(engine) ? room - slack(engine) : 0;
    if (engine->may_archive && !set->bitmap && engine->grow_at > BURNSIDE_MOST_HELD) engine->grow_at = BURNSIDE_MOST_HELD;
    engine->most_strays = is_final ? UINT64_MAX : 2 * set->strays.count + 256; /* twice as many as even a larger set has */
    engine->levels.most_memory = share > BURNSIDE_LEVEL_BYTES ? share : BURNSIDE_LEVEL_BYTES < most ? BURNSIDE_LEVEL_BYTES : most;
}

/* Nothing is in memory any more. Archives need a little of it, so there may be less for the rest. */
static void empty_memory(struct engine *engine) {
    struct quotients *set = &engine->set;
    uint64_t most = engine->run->memory_limit / 4 * 3, others = bytes_used(engine, 0) - quotients_bytes(set);
    set->strays.count = 0;
    for (unsigned i = 0; i < segments_of(set); i++) {
        struct segment *segment = &set->segments[i];
        uint64_t kept = archive_memory(&segment->archive) + segment_bytes(&segment->shape), share = (most - (others < most ? others : most)) >> segment_bits(set);
        if (kept <= share) {
            memset((void *)segment->buckets, 0, segment_bytes(&segment->shape));
            continue;
        }
        struct shape shape = shape_for(set, room_of(segment) * share / kept);
        release_segment(segment);
        if (!open_segment(segment, shape)) stop(engine->run, STOP_MEMORY);
    }
}

/* Merge all segments; memory is empty then. What was being expanded goes on afterwards. */
static void merge_set(struct engine *engine, enum merging how) {
    struct run *run = engine->run;
    size_t level_next = atomic_load(&engine->next_chunk);
    engine->merging = how;
    atomic_store(&engine->next_chunk, 0);
    run_phase(engine, merge_segments, UINT64_MAX);
    atomic_store(&engine->next_chunk, level_next);
    engine->levels.most_disk = disk_left(engine, atomic_load(&engine->archived));
    if (stopped(run)) return;
    empty_memory(engine);
    engine->set.is_archived = true;
    run->store = STORE_DISK;
    set_compact_limits(engine, most_full(&engine->set));
    atomic_store(&engine->held, 0);
    atomic_store(&engine->wants_growth, false);
    atomic_store(&run->bytes, bytes_used(engine, 0));
    atomic_store(&run->disk, disk_used(engine));
}

#endif
