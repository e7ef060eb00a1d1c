/* What generated code may use. */
#ifndef BURNSIDE_MODEL_H
#define BURNSIDE_MODEL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "facts.h"

#include "config.h"

/* Kinds of faults; the order is that of FAULT_KINDS in ir/semantics.py. */
enum fault {
    NO_FAULT = 0,
    FAULT_INDEX,
    FAULT_DOMAIN,
    FAULT_DIVISION,
    FAULT_OVERFLOW,
    FAULT_UNDERFLOW,
    FAULT_ASSERTION,
    FAULT_LOOP
};

/* The first fault of an evaluation wins: what comes after it would not have been evaluated. */
static inline void raise_fault(int *fault, int kind) {
    if (!*fault) *fault = kind;
}

/* A value that must lie in low..high. After a fault some legal value stands in, so that no shift or
 * index computed from it can go astray before the fault is noticed. */
static inline number within(number value, number low, number high, int kind, int *fault) {
    if (value >= low && value <= high) return value;
    raise_fault(fault, kind);
    return low;
}

static inline number floor_quotient(number a, number b, int *fault) {
    if (b == 0) {
        raise_fault(fault, FAULT_DIVISION);
        return 0;
    }
    number q = a / b;
    return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
}

static inline number floor_remainder(number a, number b, int *fault) {
    if (b == 0) {
        raise_fault(fault, FAULT_DIVISION);
        return 0;
    }
    number r = a % b;
    return (r != 0 && (r < 0) != (b < 0)) ? r + b : r;
}

static inline number lesser(number a, number b) { return a < b ? a : b; }
static inline number greater(number a, number b) { return a > b ? a : b; }

/* Fields whose place is computed: ``bit`` counts from the lowest bit of the first word. */
static inline word field_at(const word *s, number bit, word mask) { return s[bit >> 6] >> (bit & 63) & mask; }

static inline void set_field_at(word *t, number bit, word mask, word value) {
    t[bit >> 6] = (t[bit >> 6] & ~(mask << (bit & 63))) | value << (bit & 63);
}

/* Every successor has a label, the number of the rule instance it is made by, in the order of ir/semantics.py. LABEL
 * writes it where `label_out` points, and moves on if the successor is kept. */
#if LABELS == LABELS_NEVER
#define LABEL(number, is_taken) (void)0
#else
GIVEN _Thread_local uint32_t *label_out; /* on request: NULL while nobody asks */
#define LABEL(number, is_taken) \
    do { \
        if (LABELS == LABELS_ALWAYS || label_out) { \
            *label_out = (uint32_t)(number); \
            label_out += (is_taken); \
        } \
    } while (0)
#endif

struct free_cell {
    uint32_t word, shift;
    uint64_t values;
    word mask;
};

/* Whether a property is about deadlocks: states without successors, or also those whose successors are they themselves. */
enum about_deadlock { NO_DEADLOCK, STUCK_SOUGHT, STILL_SOUGHT };

/* Lanes of a word that become one with those above them, and a word as a digit of a number: see keys.h. */
struct join {
    word mask, factor; /* of the bits of the upper lanes, moved down; what these lose */
    uint8_t shift;     /* bits of the lower lanes */
};
struct digit {
    word weight;
    uint8_t of; /* a word of the key */
};

/* Generated code defines what config.h lists for the model before it includes this file, and then what follows; at its
 * end it includes given.h. */
GIVEN word *successors(const word *s, word *out, int *fault);   /* writes successors, returns the end */
GIVEN int sought(uint32_t property, const word *s, int *fault); /* is this state a witness? */
GIVEN int is_terminal(const word *s, int *fault);               /* may this state have no successor? */
GIVEN enum about_deadlock is_deadlock_property(uint32_t property);
GIVEN int initial_ok(int last, const word *s, int *fault);      /* conditions decided by free cells 0..last */
GIVEN const word initial_base[WORDS];                           /* fixed initial values, zero elsewhere */
GIVEN const word start_states[];                                /* with start rules, what they make: STARTS states */
#if PARTIAL_ORDER
struct run;
/* Leaves those of the successors whose steps are in a stubborn set; how many, or NONE if there are steps that it does not
 * know. The set itself, and the actions that count: how many steps can be taken. Claims that are settled do not count. If a
 * set may_stand_still, and none of its steps leads to a state that is expanded later, then an aiming one is needed. */
GIVEN uint32_t keep_stubborn(const struct run *run, const word *s, const bool *settled, bool is_aiming, word *out, const uint32_t *labels, uint32_t count);
GIVEN uint32_t choose_stubborn(const struct run *run, const word *s, const bool *settled, bool is_aiming, word *chosen, word *wanted);
GIVEN bool may_stand_still(void);
#endif
GIVEN const uint8_t word_bits[WORDS];                           /* how many bits of each word are used, from the lowest */
GIVEN const uint8_t key_bits[KEY_WORDS];                        /* the same of a key; if it is not the state itself, */
GIVEN const struct join joins[];                                /* the joins of each word, */
GIVEN const uint16_t joins_end[WORDS];                          /* where they end, */
GIVEN const struct digit digits[WORDS];                         /* and what the words are joined to */
GIVEN const struct free_cell free_cells[];                      /* cells with any value: FREE_CELLS of them */

#endif
