/* Workers on a shared store: breadth-first by levels (shortest traces), or depth-first.
 *
 * A worker expands a chunk of states into a buffer of successors; when the buffer is full it is flushed
 * in three passes (hash and prefetch the slots, prefetch the states behind matching slots, insert), so
 * that cache misses overlap. Whatever needs all workers to stand still (a larger table, a limit, the
 * end of a level) is done between phases: a worker that sees the wish returns after its flush, keeps
 * the rest of its chunk, and goes on with it in the next phase.
 */
#ifndef BURNSIDE_EXPLORE_H
#define BURNSIDE_EXPLORE_H

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "model.h"
#include "reduce.h"
#include "run.h"
#include "store.h"

/* Tests lower these, so that small models too make the table grow and workers meet. */
#ifndef BURNSIDE_FLUSH
#define BURNSIDE_FLUSH 64
#endif
#ifndef BURNSIDE_BLOCK
#define BURNSIDE_BLOCK 1024
#endif
#ifndef BURNSIDE_CHUNK
#define BURNSIDE_CHUNK 512
#endif
#ifndef BURNSIDE_ALONE
#define BURNSIDE_ALONE 2048
#endif
#ifndef BURNSIDE_FIRST_BITS
#define BURNSIDE_FIRST_BITS 14
#endif

enum {
    FLUSH = BURNSIDE_FLUSH,           /* successors buffered before they are looked up */
    BLOCK = BURNSIDE_BLOCK,           /* state indices a worker takes at a time */
    CHUNK = BURNSIDE_CHUNK,           /* states of a level handed to a worker at a time */
    ALONE = BURNSIDE_ALONE,           /* levels below this size are not worth waking the other workers */
    FIRST_BITS = BURNSIDE_FIRST_BITS, /* slots of the first table, as a power of two */
    BUFFER = FLUSH + MOST_SUCCESSORS
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
    uint64_t *hashes, *slots;
    uint32_t *sources;
    uint64_t *orbits;           /* sizes of the orbits of the successors in the buffer */
    struct scratch scratch;
    uint64_t new_states, new_transitions, new_deadlocks, new_full_states; /* not yet added to the run's figures */
};

struct engine {
    struct run *run;
    struct store store;
    struct worker *workers;
    _Atomic uint64_t allocated; /* indices handed out in blocks */
    uint64_t grow_at;           /* states beyond which the table must grow */
    _Atomic bool wants_growth;
    struct ranges chunks;
    _Atomic size_t next_chunk;
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

static void stop(struct run *run, uint32_t reason) {
    uint32_t going_on = GOING_ON;
    atomic_compare_exchange_strong(&run->stop, &going_on, reason);
}

static inline bool stopped(const struct run *run) {
    return atomic_load_explicit(&run->stop, memory_order_relaxed) != GOING_ON;
}

static uint64_t bytes_used(struct engine *engine, uint64_t indices) {
    return indices * (WORDS * sizeof(word) + sizeof(uint32_t)) + table_bytes(engine->store.mask + 1);
}

static void note_fault(struct run *run, uint32_t index, int kind) {
    uint32_t none = NONE;
    if (atomic_compare_exchange_strong(&run->fault_state, &none, index)) run->fault_kind = (uint32_t)kind;
    stop(run, STOP_FAULT);
}

static void note_witness(struct run *run, uint32_t property, uint32_t index) {
    uint32_t none = NONE;
    if (!atomic_compare_exchange_strong(&run->witness[property], &none, index)) return;
    for (uint32_t p = 0; p < PROPERTIES; p++)
        if (atomic_load(&run->witness[p]) == NONE) return;
    stop(run, STOP_DECIDED);
}

static void publish_figures(struct worker *w) {
    struct run *run = w->engine->run;
    atomic_fetch_add_explicit(&run->transitions, w->new_transitions, memory_order_relaxed);
    atomic_fetch_add_explicit(&run->deadlocks, w->new_deadlocks, memory_order_relaxed);
    uint64_t states = atomic_fetch_add_explicit(&run->states, w->new_states, memory_order_relaxed) + w->new_states;
    if (REDUCTION != REDUCE_NOT) atomic_fetch_add_explicit(&run->full_states, w->new_full_states, memory_order_relaxed);
    w->new_states = w->new_transitions = w->new_deadlocks = w->new_full_states = 0;
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
        if (is_deadlock_property(p) || atomic_load_explicit(&run->witness[p], memory_order_relaxed) != NONE) continue;
        int fault = NO_FAULT;
        bool is_witness = sought(p, s, &fault);
        if (fault) note_fault(run, index, fault);
        else if (is_witness) note_witness(run, p, index);
    }
}

/* Look a state up, starting with a slot read before (0: read it again); false when memory is used up. */
static inline bool insert(struct worker *w, const word *s, uint64_t hash, uint64_t slot, uint32_t source) {
    struct store *store = &w->engine->store;
    for (uint64_t at = hash >> store->shift;;) {
        if (slot == 0) slot = atomic_load_explicit(&store->table[at], memory_order_acquire);
        if (slot == 0) {
            uint32_t index = next_index(w);
            if (index == NONE) return false;
            memcpy(state_at(store, index), s, WORDS * sizeof(word));
            store->parents[index] = source;
            uint64_t entry = slot_entry(hash, index);
            if (atomic_compare_exchange_strong_explicit(&store->table[at], &slot, entry, memory_order_release, memory_order_acquire)) {
                w->next++;
                w->new_states++;
                if (PROPERTIES > 0) inspect(w, index);
                return true;
            }
        }
        if (slot_matches(slot, hash) && same_state(state_at(store, slot_index(slot)), s)) return true;
        at = (at + 1) & store->mask;
        slot = 0;
    }
}

#if REDUCTION != REDUCE_NOT

static uint64_t nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Replace the successors in the buffer by their representatives. */
static void reduce_buffer(struct worker *w) {
    struct run *run = w->engine->run;
    uint64_t start = nanoseconds();
    for (uint32_t i = 0; i < w->filled; i++) {
        word *s = w->buffer + (size_t)i * WORDS;
        w->orbits[i] = represent(run->reduction, &w->scratch, s, hash_state(s));
        if (!w->orbits[i]) stop(run, STOP_BUG);
    }
    atomic_fetch_add_explicit(&run->canonicalised, w->filled, memory_order_relaxed);
    atomic_fetch_add_explicit(&run->canonicalising_nanoseconds, nanoseconds() - start, memory_order_relaxed);
}

#endif

static void flush(struct worker *w) {
    struct store *store = &w->engine->store;
#if REDUCTION != REDUCE_NOT
    reduce_buffer(w);
    if (atomic_load(&w->engine->run->stop) == STOP_BUG) w->filled = 0;
#endif
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
        if (!insert(w, w->buffer + (size_t)i * WORDS, w->hashes[i], w->slots[i], w->sources[i])) break;
        if (REDUCTION != REDUCE_NOT && w->new_states > before) w->new_full_states += w->orbits[i];
    }
    w->filled = 0;
    publish_figures(w);
}

/* ------------------------------------------------------------------ expanding */

static void note_deadlock(struct worker *w, uint32_t index) {
    struct run *run = w->engine->run;
    w->new_deadlocks++;
    bool matters = false;
    for (uint32_t p = 0; p < PROPERTIES; p++) matters |= is_deadlock_property(p);
    if (!matters) return;
    int fault = NO_FAULT;
    bool terminal = is_terminal(state_at(&w->engine->store, index), &fault);
    if (fault) note_fault(run, index, fault);
    if (fault || terminal) return;
    for (uint32_t p = 0; p < PROPERTIES; p++)
        if (is_deadlock_property(p)) note_witness(run, p, index);
}

static inline void expand_state(struct worker *w, uint32_t index) {
    word *out = w->buffer + (size_t)w->filled * WORDS;
    int fault = NO_FAULT;
    word *end = successors(state_at(&w->engine->store, index), out, &fault);
    if (fault) {
        note_fault(w->engine->run, index, fault);
        return;
    }
    uint32_t count = (uint32_t)((end - out) / WORDS);
    for (uint32_t i = 0; i < count; i++) w->sources[w->filled + i] = index;
    w->filled += count;
    w->new_transitions += count;
    if (count == 0) note_deadlock(w, index);
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
static uint64_t slack(const struct engine *engine) { return (uint64_t)engine->run->threads * BUFFER; }

static void set_growth_limit(struct engine *engine, unsigned percent) {
    uint64_t slots = engine->store.mask + 1;
    engine->grow_at = slots * percent / 100 - slack(engine);
}

/* Four times larger while small, then twice; if memory does not allow it, a fuller table; else stop. */
static void grow(struct engine *engine) {
    struct run *run = engine->run;
    struct ranges level = engine->chunks;
    size_t level_next = atomic_load(&engine->next_chunk);
    unsigned bits = 64 - engine->store.shift, more = bits < 20 ? 2 : 1;
    uint64_t others = bytes_used(engine, atomic_load(&engine->allocated)) - table_bytes(engine->store.mask + 1);
    atomic_store(&engine->wants_growth, false);
    if (others + table_bytes(UINT64_C(1) << (bits + more)) > run->memory_limit) {
        uint64_t before = engine->grow_at;
        set_growth_limit(engine, 85);
        if (engine->grow_at <= before || atomic_load(&run->states) > engine->grow_at) stop(run, STOP_MEMORY);
        return;
    }
    close_table(&engine->store);
    engine->chunks = (struct ranges){0};
    atomic_store(&engine->next_chunk, 0);
    if (open_table(&engine->store, bits + more) && chunk_known_states(engine)) run_phase(engine, rehash, atomic_load(&run->states));
    else stop(run, STOP_MEMORY);
    set_growth_limit(engine, 60);
    free(engine->chunks.items);
    engine->chunks = level;
    atomic_store(&engine->next_chunk, level_next);
}

/* ------------------------------------------------------------------ initial states */

static void offer_initial(struct worker *w, const word *s) {
    memcpy(w->buffer + (size_t)w->filled * WORDS, s, WORDS * sizeof(word));
    w->sources[w->filled++] = NONE;
    if (w->filled < FLUSH) return;
    flush(w);
    if (atomic_load(&w->engine->wants_growth)) grow(w->engine);
}

#if REDUCTION == REDUCE_NOT
struct pruning {
    int unused;
};
static bool open_pruning(struct pruning *p, const struct reduction *r) { return (void)r, p != NULL; }
static void close_pruning(struct pruning *p) { (void)p; }
static bool may_be_least(struct pruning *p, int last, const word *s) { return (void)p, (void)last, (void)s, true; }
#endif

/* Counts through all values of the free cells, leaving a prefix as soon as a condition fails or symmetry allows. */
static int enumerate_initial(struct worker *w, struct pruning *pruning) {
    struct run *run = w->engine->run;
    word s[WORDS];
    uint64_t values[FREE_CELLS + 1];
    int fault = NO_FAULT, at = 0;
    memcpy(s, initial_base, sizeof s);
    if (!initial_ok(-1, s, &fault)) return fault;
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

static void find_initial(struct worker *w) {
    struct run *run = w->engine->run;
    struct pruning pruning;
    if (open_pruning(&pruning, run->reduction)) {
        int fault = enumerate_initial(w, &pruning);
        if (fault) note_fault(run, NONE, fault);
    } else {
        stop(run, STOP_MEMORY);
    }
    close_pruning(&pruning);
    flush(w);
    run->initial_states = atomic_load(&run->states);
}

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
    for (uint64_t depth = 0;; depth++) {
        uint64_t size = next_level(engine);
        if (size == 0 || stopped(run)) return;
        atomic_store(&run->depth, depth);
        atomic_store(&run->waiting, size);
        run_phase(engine, expand, size);
        while (!stopped(run) && atomic_load(&engine->wants_growth)) {
            grow(engine);
            if (!stopped(run)) run_phase(engine, expand, size);
        }
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
    for (uint32_t depth = 0, seen = 0; stack && !stopped(run);) {
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
        expand_state(w, frame.index);
        flush(w);
        w->found.count = 0;
        if (atomic_load(&engine->wants_growth)) grow(engine);
    }
    if (!stack || top > 0) stop(run, STOP_MEMORY); /* no effect if something else stopped the search */
    free(stack);
}

/* ------------------------------------------------------------------ entry points */

static bool open_worker(struct engine *engine, struct worker *w) {
    w->engine = engine;
    w->buffer = malloc((size_t)BUFFER * WORDS * sizeof(word));
    w->hashes = malloc((size_t)BUFFER * sizeof(uint64_t));
    w->slots = malloc((size_t)BUFFER * sizeof(uint64_t));
    w->sources = malloc((size_t)BUFFER * sizeof(uint32_t));
    w->orbits = malloc((size_t)BUFFER * sizeof(uint64_t));
    return w->buffer && w->hashes && w->slots && w->sources && w->orbits && open_scratch(&w->scratch);
}

static void close_worker(struct worker *w) {
    free(w->buffer);
    free(w->hashes);
    free(w->slots);
    free(w->sources);
    free(w->orbits);
    close_scratch(&w->scratch);
    free(w->found.items);
}

static unsigned first_bits(const struct engine *engine) {
    unsigned bits = FIRST_BITS;
    while ((UINT64_C(1) << bits) < 4 * slack(engine)) bits++;
    return bits;
}

static bool open_engine(struct engine *engine) {
    struct run *run = engine->run;
    pthread_mutex_init(&engine->mutex, NULL);
    pthread_cond_init(&engine->begin, NULL);
    pthread_cond_init(&engine->finished, NULL);
    engine->workers = calloc(run->threads, sizeof *engine->workers);
    if (!engine->workers || !open_store(&engine->store, run->memory_limit, first_bits(engine))) return false;
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

#if REDUCTION == REDUCE_CHAIN || REDUCTION == REDUCE_IMAGES

enum { TESTED_STATES = 64 };

static bool is_used(const struct engine *engine, uint64_t index) {
    for (uint32_t i = 0; i < engine->run->threads; i++)
        if (index >= engine->workers[i].next && index < engine->workers[i].end) return false;
    return true;
}

/* One more look at the reduction itself: representatives of stored states must not change under generators. */
static void test_representatives(struct engine *engine) {
    struct worker *w = &engine->workers[0];
    uint64_t indices = atomic_load(&engine->allocated), step = indices / TESTED_STATES + 1;
    for (uint64_t i = 0; i < indices; i += step) {
        if (!is_used(engine, i)) continue;
        if (!representative_is_constant(engine->run->reduction, &w->scratch, state_at(&engine->store, (uint32_t)i)))
            atomic_store(&engine->run->stop, STOP_BUG);
    }
}

#else

static void test_representatives(struct engine *engine) { (void)engine; }

#endif

/* Explore as the options say; results and the store stay until burnside_close. */
void burnside_run(struct run *run) {
    struct engine *engine = calloc(1, sizeof *engine);
    run->engine = engine;
    if (!engine) {
        stop(run, STOP_MEMORY);
        return;
    }
    engine->run = run;
    if (run->depth_first) run->threads = 1;
    if (!open_engine(engine)) {
        stop(run, STOP_MEMORY);
        return;
    }
    start_threads(engine);
    find_initial(&engine->workers[0]);
    if (run->depth_first) search_depth_first(engine);
    else search_breadth_first(engine);
    for (uint32_t i = 0; i < run->threads; i++) publish_figures(&engine->workers[i]);
    test_representatives(engine);
    atomic_store(&run->bytes, bytes_used(engine, atomic_load(&run->states)));
    stop_threads(engine);
}

/* The number of states from an initial state to this one, both included. */
uint32_t burnside_path_length(const struct run *run, uint32_t index) {
    uint32_t length = 0;
    for (; index != NONE; index = run->engine->store.parents[index]) length++;
    return length;
}

/* Write the words of those states, first state first. */
void burnside_path(const struct run *run, uint32_t index, word *out) {
    for (uint32_t at = burnside_path_length(run, index); at-- > 0; index = run->engine->store.parents[index])
        memcpy(out + (size_t)at * WORDS, state_at(&run->engine->store, index), WORDS * sizeof(word));
}

void burnside_close(struct run *run) {
    struct engine *engine = run->engine;
    run->engine = NULL;
    if (!engine) return;
    close_store(&engine->store);
    for (uint32_t i = 0; engine->workers && i < run->threads; i++) close_worker(&engine->workers[i]);
    free(engine->workers);
    free(engine->chunks.items);
    free(engine);
}

#endif
