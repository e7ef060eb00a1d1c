/* The record shared with Python (explore/native/run.py mirrors it field by field). */
#ifndef BURNSIDE_RUN_H
#define BURNSIDE_RUN_H

#include <stdatomic.h>
#include <stdint.h>

enum { NONE = UINT32_MAX }; /* no state */

enum stop_reason { GOING_ON = 0, STOP_DECIDED, STOP_FAULT, STOP_MEMORY, STOP_ASKED, STOP_STATES };

struct engine; /* workers, store: private to C */

struct run {
    /* options */
    uint32_t threads;
    uint32_t depth_first;
    uint64_t memory_limit; /* bytes for states, parents and table together */
    /* live figures */
    _Atomic uint64_t states, transitions, deadlocks, depth, waiting, bytes;
    _Atomic uint32_t stop; /* a stop_reason; Python writes STOP_ASKED */
    /* results */
    uint32_t fault_kind;
    _Atomic uint32_t fault_state; /* NONE, or the state whose expansion or property faulted */
    uint64_t initial_states;
    _Atomic uint32_t *witness; /* per property NONE or the first witness */
    struct engine *engine;
};

#endif
