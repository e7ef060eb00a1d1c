/* Workers on a shared store: looking states up, expanding them, keeping count.
 *
 * A worker expands a chunk of states into a buffer of successors; when the buffer is full it is flushed
 * in three passes (hash and prefetch the slots, prefetch the states behind matching slots, insert), so
 * that cache misses overlap.
 */
#ifndef BURNSIDE_WORKER_H
#define BURNSIDE_WORKER_H

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "model.h"
#include "run.h"
#include "store.h"
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
    uint32_t states[MOST_SAMPLED];
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
    uint32_t stuck[2][STUCK_SAMPLED]; /* states without successors, by kind: a sample */
    uint64_t stuck_count[2];
    uint64_t new_states, new_transitions, new_deadlocks; /* not yet added to the run's figures */
};

struct engine {
    struct run *run;
    struct store store;
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
    return indices * (WORDS * sizeof(word) + sizeof(uint32_t) + engine->overhead) + table_bytes(engine->store.mask + 1);
}

/* A fault does not end the search at once, but with the level: which claims are decided by then depends neither on the
 * order of states nor on symmetries. A step that faults is nearer to the start than a state of the next level whose
 * properties do, so it comes first. */
static void note_fault(_Atomic uint32_t *where, uint32_t index) {
    uint32_t none = NONE;
    atomic_compare_exchange_strong(where, &none, index);
}

/* A witness of a property decides all that symmetries exchange it with, at the same distance: without symmetries they
 * would be decided on the same level, and not be evaluated any more. */
static inline uint32_t orbit_of(const struct run *run, uint32_t property) {
    return run->orbits && !run->is_plain ? run->orbits[property] : property;
}

static void end_level(struct engine *engine) {
    struct run *run = engine->run;
    for (uint32_t p = 0; p < PROPERTIES; p++) engine->settled[p] = atomic_load(&engine->is_decided[orbit_of(run, p)]);
    note_fault(&run->fault_state, atomic_load(&engine->faulty_condition));
    if (atomic_load(&run->fault_state) != NONE) stop(run, STOP_FAULT);
    if (!stopped(run)) engine->sample.expanded = engine->sample.count;
}

static void stop_if_decided(struct run *run) {
    for (uint32_t p = 0; p < PROPERTIES; p++)
        if (!atomic_load(&run->engine->is_decided[orbit_of(run, p)])) return;
    if (PROPERTIES > 0) stop(run, STOP_DECIDED);
}

static void note_witness(struct run *run, uint32_t property, uint32_t index) {
    uint32_t none = NONE;
    if (!atomic_compare_exchange_strong(&run->witness[property], &none, index)) return;
    atomic_store(&run->engine->is_decided[orbit_of(run, property)], true);
    if (!run->engine->is_starting) stop_if_decided(run);
}

static void publish_figures(struct worker *w) {
    struct run *run = w->engine->run;
    atomic_fetch_add_explicit(&run->transitions, w->new_transitions, memory_order_relaxed);
    atomic_fetch_add_explicit(&run->deadlocks, w->new_deadlocks, memory_order_relaxed);
    uint64_t states = atomic_fetch_add_explicit(&run->states, w->new_states, memory_order_relaxed) + w->new_states;
    w->new_states = w->new_transitions = w->new_deadlocks = 0;
    if (run->state_limit && states > run->state_limit) stop(run, STOP_STATES);
    if (states > w->engine->grow_at) atomic_store_explicit(&w->engine->wants_growth, true, memory_order_relaxed);
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

static void inspect(struct worker *w, uint32_t index) {
    const word *s = state_at(&w->engine->store, index);
    struct run *run = w->engine->run;
    for (uint32_t p = 0; p < PROPERTIES; p++) {
        if (is_deadlock_property(p) || w->engine->settled[p]) continue;
        int fault = NO_FAULT;
        bool is_witness = sought(p, s, &fault);
        if (fault) note_fault(&w->engine->faulty_condition, index);
        else if (is_witness) note_witness(run, p, index);
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
                if (PROPERTIES > 0) inspect(w, index);
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

static void flush(struct worker *w) {
    struct store *store = &w->engine->store;
    if (SYMMETRY && !w->engine->run->is_plain) reduce_buffer(w);
    uint32_t count = w->filled;
    for (uint32_t i = 0; i < count; i++) {
        w->hashes[i] = hash_state(w->buffer + (size_t)i * WORDS);
        __builtin_prefetch((const void *)&store->table[w->hashes[i] >> store->shift]);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint64_t slot = atomic_load_explicit(&store->table[w->hashes[i] >> store->shift], memory_order_acquire);
        w->slots[i] = slot;
        /* Mostly the state is known and this is its slot; for an empty slot the prefetch is harmless. */
        __builtin_prefetch(state_at(store, slot ? slot_index(slot) : 0));
    }
    for (uint32_t i = 0; i < count; i++) {
        uint64_t before = w->new_states;
        if (enter(w, w->buffer + (size_t)i * WORDS, w->hashes[i], w->slots[i], w->sources[i]) == NONE) break;
        if (SYMMETRY && w->new_states > before)
            w->too_many_full_states |= __builtin_add_overflow(w->full_states, w->orbits[i], &w->full_states);
    }
    w->filled = 0;
    publish_figures(w);
}

/* ------------------------------------------------------------------ expanding */

/* Count a state without successors, and keep it for self-tests: each is as likely as any other of its kind to stay. */
static void count_stuck(struct worker *w, enum stuck kind, uint32_t index) {
    uint64_t number = w->stuck_count[kind]++;
    w->new_deadlocks += kind == DEADLOCK;
    uint64_t place = number < STUCK_SAMPLED ? number : number * UINT64_C(0x9E3779B97F4A7C15) % (number + 1);
    if (place < STUCK_SAMPLED) w->stuck[kind][place] = index;
}

/* A state without successors: a deadlock unless it is terminal. */
static void note_stuck(struct worker *w, uint32_t index) {
    struct run *run = w->engine->run;
    int fault = NO_FAULT;
    bool terminal = is_terminal(state_at(&w->engine->store, index), &fault);
    if (fault) note_fault(&run->fault_state, index);
    if (fault) return;
    count_stuck(w, terminal ? TERMINAL : DEADLOCK, index);
    if (terminal) return;
    for (uint32_t p = 0; p < PROPERTIES; p++)
        if (is_deadlock_property(p)) note_witness(run, p, index);
}

#if PARTIAL_ORDER
/* Whether a successor will be expanded after the states of this level; depth-first, after all that are known. */
static bool comes_later(struct worker *w, const word *successor) {
    const struct engine *engine = w->engine;
    word s[WORDS];
    memcpy(s, successor, sizeof s);
    if (SYMMETRY && !represent(w->scratch, s, hash_state(s))) return true; /* the run ends: see reduce_buffer */
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

static inline void expand_state(struct worker *w, uint32_t index) {
    word *out = w->buffer + (size_t)w->filled * WORDS;
    const word *s = state_at(&w->engine->store, index);
    int fault = NO_FAULT;
#if PARTIAL_ORDER
    label_out = w->labels;
#endif
    word *end = successors(s, out, &fault);
    if (fault) {
        note_fault(&w->engine->run->fault_state, index);
        return;
    }
    uint32_t count = (uint32_t)((end - out) / WORDS);
    if (count == 0) note_stuck(w, index);
#if PARTIAL_ORDER
    if (count > 1 && !w->engine->run->is_plain) count = select_successors(w, s, out, count);
#endif
    for (uint32_t i = 0; i < count; i++) w->sources[w->filled + i] = index;
    w->filled += count;
    w->new_transitions += count;
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
        while (w->todo < w->todo_end && w->filled < FLUSH) expand_state(w, w->todo++);
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
