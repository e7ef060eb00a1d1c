/* The records shared with Python: explore/native/abi.py has them field by field, and generated code asserts that they agree. */
#ifndef BURNSIDE_RUN_H
#define BURNSIDE_RUN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NONE = UINT32_MAX };     /* no state */
enum { NO_LABEL = UINT32_MAX }; /* no rule instance: nothing happens */

enum stop_reason { GOING_ON = 0, STOP_DECIDED, STOP_FAULT, STOP_MEMORY, STOP_ASKED, STOP_STATES, STOP_BUG, STOP_DISK, STOP_DAMAGED };

enum store_kind { STORE_AUTO = 0, STORE_INDEX, STORE_COMPACT, STORE_DISK };

/* An edge of an automaton: what it requires and forbids, its acceptance sets, all as sets of bits. */
struct automaton_edge {
    uint64_t required, forbidden, marks;
    uint32_t target;
};

/* States of a run by index, the first `stem` of them before the loop, and for each the label of the step from there. */
struct lasso {
    uint32_t *states, *labels;
    uint32_t stem, length;
    uint32_t is_uncertain; /* the quotient does not tell: there is no lasso */
};

/* The graph of a complete exploration, for which Python makes room: all in the order of states, the edges of one state side by side. */
struct graph {
    uint64_t *states;
    uint32_t *degrees;
    uint32_t *labels, *targets; /* by edge */
    uint64_t *orbits;           /* size of the orbit of each state, 0 if it has more than 64 bits */
    uint8_t *sought;            /* for every state and property: is it a witness? */
};

/* What explored states cover: a cell whose values are recorded, and room for everything. */
struct covered_cell {
    uint32_t word, shift;
    uint64_t mask;
    uint64_t first; /* of its values among those of all cells */
};

struct coverage {
    const struct covered_cell *cells;
    uint64_t cell_count;
    uint64_t *fired; /* by rule instance: how often */
    uint8_t *taken;  /* by value of a cell: does it occur? */
};

/* A file of a checkpoint: so many levels, and what must be in it. */
struct kept_file {
    uint64_t levels, bytes, sum;
};

/* What is kept of a search, for which Python makes room: see checkpoint.h. */
struct checkpoint {
    const char *folder;
    uint64_t search;           /* files are named by its number */
    uint64_t pause;            /* nanoseconds between two files */
    int (*keep)(void);         /* Python writes down that there is one file more, and the figures; 0 if it cannot */
    const uint64_t *sizes;     /* of levels that are kept when the search begins: how many states */
    const struct kept_file *files; /* in which they are */
    struct kept_file last;     /* the one that was written now */
    uint64_t kept_files, kept_levels, kept_bytes; /* up to now */
    uint32_t damaged;          /* with STOP_DAMAGED: the number of a file that is not what it was */
    uint32_t failed;           /* why a file could not be written, as errno; Python may say so, too */
    /* when the last level was complete */
    uint64_t levels, transitions, deadlocks, initial_states;
    uint64_t full_states_low, full_states_high;
    uint32_t knows_full_states;
    uint32_t *witness_levels;  /* by property; NONE: there is none yet */
    uint64_t *witnesses;       /* their words */
};

enum { LEVELS_NOTED = 1024 };

struct engine; /* workers, store: private to C */

struct run {
    /* options */
    uint32_t threads;
    uint32_t depth_first;
    uint32_t is_plain; /* leave states as they are, though the code has a reduction */
    uint64_t memory_limit; /* bytes for states, parents and table together */
    uint64_t state_limit;  /* stop beyond so many states; 0 for no limit */
    uint64_t disk_limit;   /* bytes of files */
    const char *scratch;   /* the folder for files; NULL: there are none */
    uint32_t store;        /* a store_kind; afterwards the one that the search ended with */
    const void *const *tables; /* of the reductions, by number: generated code has a function for each */
    const word *coefficients; /* of fingerprints: random numbers, see fingerprints.h */
    struct checkpoint *checkpoint; /* NULL: nothing is kept */
    const uint32_t *orbits; /* by property the first one that symmetries exchange it with; NULL: they exchange none */
    /* live figures */
    _Atomic uint64_t states, transitions, deadlocks, depth, waiting, bytes, disk;
    /* by number of steps, for levels that were begun: how many states are so near, and how many transitions they have but
     * for those so far away, 0 if that is not known */
    _Atomic uint64_t within[LEVELS_NOTED], taken[LEVELS_NOTED];
    _Atomic uint32_t stop; /* a stop_reason; Python writes STOP_ASKED */
    _Atomic uint32_t gives_up; /* Python writes 1: nobody waits for runs to states that were found */
    _Atomic uint64_t canonicalised; /* representatives computed, and the time that took */
    _Atomic uint64_t canonicalising_nanoseconds;
    /* results */
    uint64_t full_states_low, full_states_high; /* sizes of the orbits of all stored states, summed */
    uint32_t knows_full_states;                 /* whether that is exact */
    _Atomic uint32_t fault_state; /* NONE, or the state whose expansion or property faulted */
    uint64_t initial_states;
    _Atomic uint32_t *witness; /* per property NONE or the first witness */
    struct engine *engine;
};

static inline void stop(struct run *run, uint32_t reason) {
    uint32_t going_on = GOING_ON;
    atomic_compare_exchange_strong(&run->stop, &going_on, reason);
}

static inline bool stopped(const struct run *run) {
    return atomic_load_explicit(&run->stop, memory_order_relaxed) != GOING_ON;
}

/* Time is up or somebody pressed Ctrl-C: even the work on a single state should end. */
static inline bool asked_to_stop(const struct run *run) {
    return atomic_load_explicit(&run->stop, memory_order_relaxed) == STOP_ASKED;
}

/* A search by levels comes to one, and begins it unless it is empty; so many transitions were taken on the way. */
static inline void tell_level(struct run *run, uint64_t depth, uint64_t size, uint64_t taken) {
    atomic_store(&run->waiting, size);
    if (size == 0 || stopped(run)) return;
    if (depth < LEVELS_NOTED) {
        atomic_store(&run->taken[depth], taken);
        atomic_store(&run->within[depth], size + (depth ? atomic_load(&run->within[depth - 1]) : 0));
    }
    atomic_store(&run->depth, depth);
}

/* What generated code says about the records and numbers of Python. */
#define SAME_NUMBER(name, value) _Static_assert((name) == (value), #name " is another number in explore/native/abi.py")
#define SAME_SIZE(record, size) \
    _Static_assert(sizeof(struct record) == (size), "struct " #record " has another size in explore/native/abi.py")
#define SAME_PLACE(record, field, place, size) \
    _Static_assert(offsetof(struct record, field) == (place) && sizeof(((struct record *)0)->field) == (size), \
                   #field " of struct " #record " is elsewhere in explore/native/abi.py")

#endif
