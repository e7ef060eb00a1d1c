/* Workers on a shared store: looking states up, expanding them, keeping count.
 *
 * A worker expands a chunk of states into a buffer of successors; what each of them will be looked up by is fetched
 * meanwhile, so that cache misses overlap. When the buffer is full it is flushed.
 */
#ifndef BURNSIDE_WORKER_H
#define BURNSIDE_WORKER_H

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "model.h"
#include "run.h"
#include "store.h"
#include "levels.h"
#include "recent.h"
#include "representatives.h"

#define BUFFER (FLUSH + (size_t)MOST_SUCCESSORS) /* room for successors */

enum {
    FLUSH = BURNSIDE_FLUSH,
    BLOCK = BURNSIDE_BLOCK,
    CHUNK = BURNSIDE_CHUNK,
    ALONE = BURNSIDE_ALONE,
    FIRST_BITS = BURNSIDE_FIRST_BITS,
    SAMPLED_PER_LEVEL = 16, /* states that self-tests look at again */
    MOST_SAMPLED = 4096,
    STUCK_SAMPLED = 32 /* of each kind, for every worker */
};

enum stuck { TERMINAL, DEADLOCK };

struct sample {
    uint32_t states[MOST_SAMPLED], depths[MOST_SAMPLED];
    uint32_t count, expanded; /* the first so many belong to levels that are complete */
};

struct range {
    uint32_t first, last; /* half open */
};

struct ranges {
    struct range *items;
    size_t count, room;
};

struct worker {
    struct engine *engine;
    pthread_t thread;
    uint32_t next, end;         /* the rest of the worker's block of indices */
    uint32_t level_start;       /* first index of the block that belongs to the level being built */
    struct ranges found;        /* states of the level being built */
    uint32_t todo, todo_end;    /* the rest of the worker's chunk */
    uint32_t filled;            /* successors in the buffer */
    word *buffer;
    uint32_t *labels;           /* of the successors of one state, for partial order */
    uint64_t *hashes, *slots;
    uint32_t *sources;
    count_t *orbits;            /* sizes of the orbits of the successors in the buffer */
    count_t full_states;        /* sizes of the orbits of the states entered, summed */
    bool too_many_full_states;  /* the sum does not fit */
    struct scratch *scratch;
    uint32_t stuck[2][STUCK_SAMPLED]; /* states without successors, by kind: a sample, and where */
    uint32_t stuck_depths[2][STUCK_SAMPLED];
    uint64_t stuck_count[2];
    uint64_t new_states, new_transitions, new_deadlocks, new_held; /* not yet added to the run's figures */
    /* with a compact store */
    struct level built;         /* blocks of the level being built, and the one being filled */
    struct block filling;
    struct home *homes;         /* of the successors in the buffer */
    word *recent;               /* what it looked up lately: recent.h */
    unsigned char *room;        /* for a block that is in a file */
    uint64_t sum;               /* over states that were read from a checkpoint */
    const unsigned char *reading; /* the rest of the worker's block */
};

/* When the states in memory are merged with archives: see disk.h. */
enum merging {
    GO_OUT,      /* memory has what is known: archives begin with that */
    IN_BETWEEN,  /* memory is full, the level being built goes on */
    END_OF_LEVEL /* nothing is new any more */
};

struct engine {
    struct run *run;
    struct store store;
    bool is_compact; /* states are in `set` and `levels`; `store` has only those that somebody asks for, by place: see places.h */
    struct quotients set;
    struct levels levels;
    word **paths; /* by place: the states of a run to the one there, once it was retraced */
    struct retracing *retracing;
    bool seeks_still;            /* some property is about states in which nothing can change */
    bool may_archive;            /* the set may go to disk */
    uint64_t kept_at;            /* when something was kept last, by the clock */
    bool is_resuming;            /* states that are entered are known, and counted already */
    enum merging merging;
    _Atomic uint64_t archived;   /* bytes of archives */
    _Atomic uint64_t held;       /* states in memory that archives may have */
    uint64_t most_strays; /* beyond which the set should grow */
    const struct growth *growth; /* of which parts, and by how much */
    uint64_t overhead; /* bytes that a search needs for every state beside the state itself */
    struct worker *workers;
    _Atomic uint64_t allocated; /* indices handed out in blocks */
    uint64_t grow_at;           /* states beyond which the table must grow */
    _Atomic bool wants_growth;
    struct ranges chunks;
    _Atomic size_t next_chunk;
    _Atomic bool *is_decided; /* by first property of an orbit: one of them has a witness */
    bool *settled;            /* by property: decided before this level */
    uint8_t *is_old;          /* by index: not of the level being built; for partial order */
    bool is_starting;         /* initial states are being found */
    struct sample sample;
    _Atomic uint32_t faulty_condition;  /* NONE, or a state in which a property cannot be evaluated */
    /* phases */
    pthread_mutex_t mutex;
    pthread_cond_t begin, finished;
    void (*phase)(struct worker *);
    uint64_t phase_number;
    uint32_t busy;
    bool closing;
};

/* ------------------------------------------------------------------ small things */

static bool add_range(struct ranges *ranges, uint32_t first, uint32_t last) {
    if (first == last) return true;
    if (ranges->count == ranges->room) {
        size_t room = ranges->room ? 2 * ranges->room : 64;
        struct range *items = realloc(ranges->items, room * sizeof *items);
        if (!items) return false;
        ranges->items = items;
        ranges->room = room;
    }
    ranges->items[ranges->count++] = (struct range){first, last};
    return true;
}

static uint64_t bytes_used(struct engine *engine, uint64_t indices) {
    if (engine->is_compact)
        return quotients_bytes(&engine->set) + atomic_load(&engine->levels.memory) + engine->store.capacity * (WORDS * sizeof(word) + sizeof(uint32_t));
    return indices * (WORDS * sizeof(word) + sizeof(uint32_t) + engine->overhead) + table_bytes(engine->store.mask + 1);
}

/* Which states are remembered when a compact store has no indices: each has a place of its own. */
static inline uint32_t stuck_place(const struct worker *w, enum stuck kind, uint64_t number) {
    return (uint32_t)(MOST_SAMPLED + (2 * (uint64_t)(w - w->engine->workers) + kind) * STUCK_SAMPLED + number);
}
enum { FAULT_PLACES = 2 };
static inline uint32_t fault_place(const struct engine *engine, bool is_condition) {
    return MOST_SAMPLED + 2 * engine->run->threads * STUCK_SAMPLED + is_condition;
}
static inline uint32_t witness_place(const struct engine *engine, uint32_t property) {
    return fault_place(engine, false) + FAULT_PLACES + property;
}
static inline uint32_t all_places(const struct engine *engine) { return witness_place(engine, PROPERTIES); }

/* Where a state is found again: its index, or the place where it is put. */
static uint32_t remember(struct engine *engine, uint32_t index, uint32_t place, const word *s, uint32_t depth) {
    if (!engine->is_compact) return index;
    memcpy(state_at(&engine->store, place), s, WORDS * sizeof *s);
    engine->store.parents[place] = depth;
    return place;
}

/* The level of states that are expanded, and of those that are found. */
static inline uint32_t depth_of_expanded(const struct engine *engine) { return (uint32_t)atomic_load(&engine->run->depth); }
static inline uint32_t depth_of_found(const struct engine *engine) { return engine->is_starting ? 0 : depth_of_expanded(engine) + 1; }

/* The first one counts. */
static bool note(_Atomic uint32_t *where, uint32_t index) {
    uint32_t none = NONE;
    return atomic_compare_exchange_strong(where, &none, index);
}

/* A fault does not end the search at once, but with the level: which claims are decided by then depends neither on the
 * order of states nor on symmetries. A step that faults is nearer to the start than a state of the next level whose
 * properties do, so it comes first. */
static void note_fault(struct engine *engine, uint32_t index, const word *s) {
    uint32_t place = fault_place(engine, false);
    if (note(&engine->run->fault_state, engine->is_compact ? place : index)) remember(engine, index, place, s, depth_of_expanded(engine));
}

static void note_faulty_condition(struct engine *engine, uint32_t index, const word *s) {
    uint32_t place = fault_place(engine, true);
    if (note(&engine->faulty_condition, engine->is_compact ? place : index)) remember(engine, index, place, s, depth_of_found(engine));
}

/* A witness of a property decides all that symmetries exchange it with, at the same distance: without symmetries they
 * would be decided on the same level, and not be evaluated any more. */
static inline uint32_t orbit_of(const struct run *run, uint32_t property) {
    return run->orbits && !run->is_plain ? run->orbits[property] : property;
}

static void end_level(struct engine *engine) {
    struct run *run = engine->run;
    for (uint32_t p = 0; p < PROPERTIES; p++) engine->settled[p] = atomic_load(&engine->is_decided[orbit_of(run, p)]);
    note(&run->fault_state, atomic_load(&engine->faulty_condition));
    if (atomic_load(&run->fault_state) != NONE) stop(run, STOP_FAULT);
    if (!stopped(run)) engine->sample.expanded = engine->sample.count;
}

static void stop_if_decided(struct run *run) {
    for (uint32_t p = 0; p < PROPERTIES; p++)
        if (!atomic_load(&run->engine->is_decided[orbit_of(run, p)])) return;
    if (PROPERTIES > 0) stop(run, STOP_DECIDED);
}

static void note_witness(struct engine *engine, uint32_t property, uint32_t index, const word *s, uint32_t depth) {
    struct run *run = engine->run;
    uint32_t place = witness_place(engine, property);
    if (!note(&run->witness[property], engine->is_compact ? place : index)) return;
    remember(engine, index, place, s, depth);
    atomic_store(&engine->is_decided[orbit_of(run, property)], true);
    if (!engine->is_starting) stop_if_decided(run);
}

static void publish_figures(struct worker *w) {
    struct run *run = w->engine->run;
    atomic_fetch_add_explicit(&run->transitions, w->new_transitions, memory_order_relaxed);
    atomic_fetch_add_explicit(&run->deadlocks, w->new_deadlocks, memory_order_relaxed);
    uint64_t states = atomic_fetch_add_explicit(&run->states, w->new_states, memory_order_relaxed) + w->new_states;
    uint64_t held = w->engine->set.is_archived ? atomic_fetch_add_explicit(&w->engine->held, w->new_held, memory_order_relaxed) + w->new_held : states;
    w->new_states = w->new_transitions = w->new_deadlocks = w->new_held = 0;
    if (run->state_limit && states > run->state_limit) stop(run, STOP_STATES);
    if (held > w->engine->grow_at) atomic_store_explicit(&w->engine->wants_growth, true, memory_order_relaxed);
}

/* ------------------------------------------------------------------ inserting */

/* A fresh index, or NONE when memory is used up. */
static inline uint32_t next_index(struct worker *w) {
    if (w->next < w->end) return w->next;
    struct engine *engine = w->engine;
    uint64_t first = atomic_fetch_add(&engine->allocated, BLOCK);
    uint64_t bytes = bytes_used(engine, first + BLOCK);
    atomic_store_explicit(&engine->run->bytes, bytes, memory_order_relaxed);
    if (first + BLOCK > engine->store.capacity || bytes > engine->run->memory_limit) {
        atomic_fetch_sub(&engine->allocated, BLOCK);
        stop(engine->run, first + BLOCK > UINT32_MAX - 1u ? STOP_STATES : STOP_MEMORY);
        return NONE;
    }
    if (!add_range(&w->found, w->level_start, w->next)) stop(engine->run, STOP_MEMORY);
    w->next = w->level_start = (uint32_t)first;
    w->end = w->next + BLOCK;
    return w->next;
}

/* The properties of a state that was just found. */
static void inspect(struct worker *w, const word *s, uint32_t index) {
    for (uint32_t p = 0; p < PROPERTIES; p++) {
        if (is_deadlock_property(p) || w->engine->settled[p]) continue;
        int fault = NO_FAULT;
        bool is_witness = sought(p, s, &fault);
        if (fault) note_faulty_condition(w->engine, index, s);
        else if (is_witness) note_witness(w->engine, p, index, s, depth_of_found(w->engine));
    }
}

/* Look a state up, starting with a slot read before (0: read it again), and enter it if it is new. The result is its
 * index, or NONE when memory is used up. */
static inline uint32_t enter(struct worker *w, const word *s, uint64_t hash, uint64_t slot, uint32_t source) {
    struct store *store = &w->engine->store;
    for (uint64_t at = hash >> store->shift;;) {
        if (slot == 0) slot = atomic_load_explicit(&store->table[at], memory_order_acquire);
        if (slot == 0) {
            uint32_t index = next_index(w);
            if (index == NONE) return NONE;
            memcpy(state_at(store, index), s, WORDS * sizeof(word));
            store->parents[index] = source;
            uint64_t entry = slot_entry(hash, index);
            if (atomic_compare_exchange_strong_explicit(&store->table[at], &slot, entry, memory_order_release, memory_order_acquire)) {
                w->next++;
                w->new_states++;
                if (PROPERTIES > 0) inspect(w, s, index);
                return index;
            }
        }
        if (slot_matches(slot, hash) && same_state(state_at(store, slot_index(slot)), s)) return slot_index(slot);
        at = (at + 1) & store->mask;
        slot = 0;
    }
}

static uint64_t nanoseconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Replace the successors in the buffer by their representatives. */
static void reduce_buffer(struct worker *w) {
    struct run *run = w->engine->run;
    uint64_t start = nanoseconds(CLOCK_MONOTONIC);
    for (uint32_t i = 0; i < w->filled; i++) {
        word *s = w->buffer + (size_t)i * WORDS;
        w->orbits[i] = represent(w->scratch, s, hash_state(s));
        if (w->orbits[i]) continue;
        if (!gave_up(w->scratch)) stop(run, STOP_BUG);
        w->filled = i; /* the run ends: what follows is left out */
    }
    atomic_fetch_add_explicit(&run->canonicalised, w->filled, memory_order_relaxed);
    atomic_fetch_add_explicit(&run->canonicalising_nanoseconds, nanoseconds(CLOCK_MONOTONIC) - start, memory_order_relaxed);
}

static inline void count_orbit(struct worker *w, uint32_t successor) {
    if (SYMMETRY) w->too_many_full_states |= __builtin_add_overflow(w->full_states, w->orbits[successor], &w->full_states);
}

static inline bool reduces(const struct worker *w) { return SYMMETRY && !w->engine->run->is_plain; }

/* Fetch the bucket of a state of the buffer, given its key. */
static inline void fetch_home(struct worker *w, uint32_t i) {
    w->homes[i] = home_of_key(&w->engine->set, w->homes[i].key);
    __builtin_prefetch((const void *)w->homes[i].bucket);
}

/* Leave out of the buffer what was looked up lately, and fetch the buckets of the rest; where that ends. Nothing branches on what is
 * left out, since nobody could foresee it. */
static inline uint32_t prepare_compactly(struct worker *w, uint32_t first, uint32_t last) {
    uint32_t end = first;
    for (uint32_t i = first; i < last; i++) {
        const word *s = w->buffer + (size_t)i * WORDS;
        key_of(&w->engine->set, s, w->homes[end].key);
        for (unsigned k = 0; k < WORDS; k++) w->buffer[(size_t)end * WORDS + k] = s[k];
        if (SYMMETRY) w->orbits[end] = w->orbits[i];
        end += !was_recent(w->recent, w->homes[end].key);
    }
    for (uint32_t i = first; i < end; i++) fetch_home(w, i);
    return end;
}

/* Fetch the memory in which some states of the buffer will be looked up, while others are still computed. Where they end: some may
 * have gone. */
static inline uint32_t prepare(struct worker *w, uint32_t first, uint32_t last) {
    const struct engine *engine = w->engine;
    if (engine->is_compact) return prepare_compactly(w, first, last);
    for (uint32_t i = first; i < last; i++) {
        w->hashes[i] = hash_state(w->buffer + (size_t)i * WORDS);
        __builtin_prefetch((const void *)&engine->store.table[w->hashes[i] >> engine->store.shift]);
    }
    return last;
}

/* Look the successors in the buffer up by index. */
static void enter_buffer(struct worker *w) {
    struct store *store = &w->engine->store;
    uint32_t count = w->filled;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t slot = atomic_load_explicit(&store->table[w->hashes[i] >> store->shift], memory_order_acquire);
        w->slots[i] = slot;
        /* Mostly the state is known and this is its slot; for an empty slot the prefetch is harmless. */
        __builtin_prefetch(state_at(store, slot ? slot_index(slot) : 0));
    }
    for (uint32_t i = 0; i < count; i++) {
        uint64_t before = w->new_states;
        if (enter(w, w->buffer + (size_t)i * WORDS, w->hashes[i], w->slots[i], w->sources[i]) == NONE) break;
        if (w->new_states > before) count_orbit(w, i);
    }
}

static uint64_t disk_kept(const struct engine *engine) { return engine->run->checkpoint ? engine->run->checkpoint->kept_bytes : 0; }
static uint64_t disk_used(struct engine *engine) { return atomic_load(&engine->levels.end) + atomic_load(&engine->archived) + disk_kept(engine); }

/* What there may be beside so many bytes of other files. */
static uint64_t disk_left(const struct engine *engine, uint64_t others) {
    uint64_t most = engine->run->disk_limit, used = others + disk_kept(engine);
    return used < most ? most - used : 0;
}

/* The block being filled becomes one of the level being built, in memory or in the file. */
static void close_block(struct worker *w) {
    struct engine *engine = w->engine;
    struct levels *levels = &engine->levels;
    uint64_t bytes = (uint64_t)w->filling.count * levels->record;
    bool is_written = true;
    if (!w->filling.bytes) return;
    unsigned char *exact = w->filling.count < BLOCK_STATES ? realloc(w->filling.bytes, room_for(w->filling.count, levels->record)) : NULL;
    if (exact) w->filling.bytes = exact;
    if (atomic_fetch_add(&levels->memory, bytes) + bytes > levels->most_memory && levels->file >= 0)
        is_written = write_block(levels, &w->filling);
    if (!is_written) stop(engine->run, STOP_DISK);
    if (!add_block(&w->built, w->filling)) stop(engine->run, STOP_MEMORY);
    w->filling = (struct block){0};
    uint64_t used = bytes_used(engine, 0);
    atomic_store_explicit(&engine->run->bytes, used, memory_order_relaxed);
    atomic_store_explicit(&engine->run->disk, disk_used(engine), memory_order_relaxed);
    if (used > engine->run->memory_limit) stop(engine->run, STOP_MEMORY);
}

/* Append a state to the level being built. */
static inline void add_to_level(struct worker *w, const word *s) {
    struct levels *levels = &w->engine->levels;
    if (!w->filling.bytes && !(w->filling.bytes = malloc(room_for(BLOCK_STATES, levels->record)))) {
        stop(w->engine->run, STOP_MEMORY);
        return;
    }
    put_state(w->filling.bytes + (size_t)w->filling.count++ * levels->record, s);
    if (w->filling.count == BLOCK_STATES) close_block(w);
}

/* Look the successors in the buffer up in the compact set. */
static void enter_buffer_compactly(struct worker *w) {
    struct quotients *set = &w->engine->set;
    for (uint32_t i = 0; i < w->filled && !set->bitmap; i++) fetch_next(&w->homes[i]);
    for (uint32_t i = 0; i < w->filled; i++) {
        const word *s = w->buffer + (size_t)i * WORDS;
        enum found found = enter_state(set, &w->homes[i], true);
        if (found == KNOWN) continue;
        if (found == NO_ROOM) stop(w->engine->run, STOP_MEMORY);
        if (found == NO_ROOM) break;
        if (set->is_archived) {
            w->new_held++; /* whether it is new is found out later: see disk.h */
            continue;
        }
        w->new_states++;
        count_orbit(w, i);
        add_to_level(w, s);
        if (PROPERTIES > 0) inspect(w, s, NONE);
    }
    if (set->strays.count > w->engine->most_strays) atomic_store_explicit(&w->engine->wants_growth, true, memory_order_relaxed);
}

static void flush(struct worker *w) {
    if (reduces(w)) {
        reduce_buffer(w);
        w->filled = prepare(w, 0, w->filled);
    }
    if (w->engine->is_compact) enter_buffer_compactly(w);
    else enter_buffer(w);
    w->filled = 0;
    publish_figures(w);
}

/* ------------------------------------------------------------------ expanding */

/* Count a state without successors, and keep it for self-tests: each is as likely as any other of its kind to stay. */
static void count_stuck(struct worker *w, enum stuck kind, uint32_t index, const word *s) {
    uint64_t number = w->stuck_count[kind]++;
    w->new_deadlocks += kind == DEADLOCK;
    uint64_t place = number < STUCK_SAMPLED ? number : number * UINT64_C(0x9E3779B97F4A7C15) % (number + 1);
    if (place >= STUCK_SAMPLED) return;
    w->stuck_depths[kind][place] = depth_of_expanded(w->engine);
    w->stuck[kind][place] = remember(w->engine, index, stuck_place(w, kind, place), s, w->stuck_depths[kind][place]);
}

/* A state without successors: a deadlock unless it is terminal. */
static void note_stuck(struct worker *w, uint32_t index, const word *s) {
    int fault = NO_FAULT;
    bool terminal = is_terminal(s, &fault);
    if (fault) note_fault(w->engine, index, s);
    if (fault) return;
    count_stuck(w, terminal ? TERMINAL : DEADLOCK, index, s);
    if (terminal) return;
    for (uint32_t p = 0; p < PROPERTIES; p++)
        if (is_deadlock_property(p)) note_witness(w->engine, p, index, s, depth_of_expanded(w->engine));
}

/* Whether all of some successors are the state itself: before they are reduced, since a step to another state of the
 * same orbit changes something.
 */
static bool is_still(const word *s, const word *successors, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (memcmp(s, successors + (size_t)i * WORDS, WORDS * sizeof(word)) != 0) return false;
    return true;
}

/* A state in which nothing can change: a deadlock up to stuttering unless it is terminal. Nobody else asks whether it is. */
static void note_still(struct worker *w, uint32_t index, const word *s) {
    for (uint32_t p = 0; p < PROPERTIES; p++) {
        if (is_deadlock_property(p) != STILL_SOUGHT || w->engine->settled[p]) continue;
        int fault = NO_FAULT;
        bool terminal = is_terminal(s, &fault);
        if (fault) note_fault(w->engine, index, s);
        else if (!terminal) note_witness(w->engine, p, index, s, depth_of_expanded(w->engine));
    }
}

#if PARTIAL_ORDER
/* Whether a successor will be expanded after the states of this level; depth-first, after all that are known. */
static bool comes_later(struct worker *w, const word *successor) {
    const struct engine *engine = w->engine;
    word s[WORDS];
    memcpy(s, successor, sizeof s);
    if (SYMMETRY && !represent(w->scratch, s, hash_state(s))) return true; /* the run ends: see reduce_buffer */
    bool is_new = false;
    if (engine->is_compact) return !knows(&w->engine->set, s, &is_new) || is_new;
    uint32_t index = find_state(&engine->store, s);
    return index == NONE || (!engine->run->depth_first && !engine->is_old[index]);
}

/* Leave those of several successors that are enough; how many. */
static uint32_t select_successors(struct worker *w, const word *s, word *out, uint32_t count) {
    struct run *run = w->engine->run;
    const bool *settled = w->engine->settled;
    uint32_t kept = keep_stubborn(run, s, settled, false, out, w->labels, count);
    bool is_enough = kept == NONE || kept == count || !may_stand_still();
    for (uint32_t i = 0; i < kept && !is_enough; i++) is_enough = comes_later(w, out + (size_t)i * WORDS);
    if (!is_enough) {
        int fault = NO_FAULT;
        label_out = w->labels;
        successors(s, out, &fault);
        kept = keep_stubborn(run, s, settled, true, out, w->labels, count);
    }
    if (kept != NONE) return kept;
    stop(run, STOP_BUG);
    return 0;
}
#endif

/* Put the successors of a state into the buffer. */
static inline void expand_state(struct worker *w, const word *s, uint32_t index) {
    word *out = w->buffer + (size_t)w->filled * WORDS;
    int fault = NO_FAULT;
#if PARTIAL_ORDER
    label_out = w->labels;
#endif
    word *end = successors(s, out, &fault);
    if (fault) {
        note_fault(w->engine, index, s);
        return;
    }
    uint32_t count = (uint32_t)((end - out) / WORDS);
    if (count == 0) note_stuck(w, index, s);
    else if (w->engine->seeks_still && is_still(s, out, count)) note_still(w, index, s);
#if PARTIAL_ORDER
    if (count > 1 && !w->engine->run->is_plain) count = select_successors(w, s, out, count);
#endif
    for (uint32_t i = 0; i < count; i++) w->sources[w->filled + i] = index;
    w->new_transitions += count;
    if (reduces(w)) w->filled += count;
    else w->filled = prepare(w, w->filled, w->filled + count);
}

static inline bool must_pause(struct engine *engine) {
    return stopped(engine->run) || atomic_load_explicit(&engine->wants_growth, memory_order_relaxed);
}

/* A phase: expand chunks of the level until none is left or all must pause. */
static void expand(struct worker *w) {
    struct engine *engine = w->engine;
    while (!must_pause(engine)) {
        if (w->todo == w->todo_end) {
            size_t chunk = atomic_fetch_add(&engine->next_chunk, 1);
            if (chunk >= engine->chunks.count) break;
            w->todo = engine->chunks.items[chunk].first;
            w->todo_end = engine->chunks.items[chunk].last;
        }
        for (; w->todo < w->todo_end && w->filled < FLUSH; w->todo++) expand_state(w, state_at(&engine->store, w->todo), w->todo);
        if (w->filled >= FLUSH) flush(w);
    }
    flush(w);
}

/* A phase: enter chunks of the known states into a new, empty table. */
static void rehash(struct worker *w) {
    struct engine *engine = w->engine;
    struct store *store = &engine->store;
    uint64_t hashes[64];
    for (;;) {
        size_t chunk = atomic_fetch_add(&engine->next_chunk, 1);
        if (chunk >= engine->chunks.count) return;
        struct range range = engine->chunks.items[chunk];
        for (uint32_t first = range.first; first < range.last; first += 64) {
            uint32_t last = range.last - first < 64 ? range.last : first + 64;
            for (uint32_t i = first; i < last; i++) {
                hashes[i - first] = hash_state(state_at(store, i));
                __builtin_prefetch((const void *)&store->table[hashes[i - first] >> store->shift], 1);
            }
            for (uint32_t i = first; i < last; i++) reenter(store, i, hashes[i - first]);
        }
    }
}

#endif
