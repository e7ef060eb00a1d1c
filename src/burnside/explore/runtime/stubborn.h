/* Stubborn sets (reduce/partial_order/stubborn.py): which of the steps that can be taken in a state are enough.
 *
 * Actions are numbered: STEPS steps, then the aims of GOALS goals. Generated code defines, before it includes this:
 *
 *   STEPS, ACTIONS, CONDITIONS, GOALS
 *   evaluate_conditions(s, holding)             which conditions hold in a state, bit by bit
 *   needs[ACTIONS][CONDITION_WORDS]             the conditions of each action, bit by bit
 *   instance_of[STEPS]                          the label of a step
 *   seeds[STEPS]                                the steps, in the order in which sets are grown from them
 *   goal_start[GOALS + 1]                       the aims of each goal, as actions
 *   claim_start[GOALS + 1], claim_of[]          the claims that it decides: none if it is a fault
 *   table_together, table_aiming                for every step the actions that a set has with it: anyway, and if it leads to
 *                                               nothing new; AIMING says whether these differ
 *   table_enabling                              for every condition the steps that may make it true
 */
#ifndef BURNSIDE_STUBBORN_H
#define BURNSIDE_STUBBORN_H

#include <stdbool.h>

#include "model.h"
#include "run.h"

enum { ACTION_WORDS = (ACTIONS + 63) / 64, CONDITION_WORDS = CONDITIONS ? (CONDITIONS + 63) / 64 : 1 };
enum { MOST_SEEDS = 32 }; /* steps that a set is grown from; the smallest is taken */

typedef struct {
    word bits[ACTION_WORDS];
} actions;

struct situation {
    const word *together, *enabling;
    word holding[CONDITION_WORDS];
    actions wanted, enabled; /* what counts, and the steps that can be taken */
};

static inline bool has(const word *set, unsigned k) { return set[k / 64] >> (k % 64) & 1; }
static inline void put(word *set, unsigned k) { set[k / 64] |= UINT64_C(1) << (k % 64); }

/* How many bits are set: mostly none. Not every processor has an instruction for that. */
static inline int ones(word x) {
    if (!x) return 0;
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    return (int)(((x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f)) * UINT64_C(0x0101010101010101) >> 56);
}

static inline int size_of_both(const word *a, const word *b) {
    int size = 0;
    for (int w = 0; w < ACTION_WORDS; w++) size += ones(a[w] & b[w]);
    return size;
}

/* How much larger a set gets by others: first by steps that can be taken. */
static inline int growth(const struct situation *in, const actions *set, const word *more) {
    int able = 0, all = 0;
    for (int w = 0; w < ACTION_WORDS; w++) {
        word fresh = more[w] & in->wanted.bits[w] & ~set->bits[w];
        able += ones(fresh & in->enabled.bits[w]);
        all += ones(fresh);
    }
    return able * (ACTIONS + 1) + all;
}

/* What a set must have with an action: with one that can be taken, all that may go wrong with it; else all that may
 * make true a condition that it lacks, the one that adds least. NULL if it lacks nothing. With some actions every set
 * must have the same: there is nothing to choose from. */
static inline const word *company(const struct situation *in, const actions *set, unsigned action, bool *is_forced) {
    *is_forced = true;
    if (action < STEPS && has(in->enabled.bits, action)) return in->together + (size_t)action * ACTION_WORDS;
    const word *best = NULL;
    int least = -1; /* not known yet: one condition alone is not compared */
    for (unsigned w = 0; w < CONDITION_WORDS; w++)
        for (word left = needs[action][w] & ~in->holding[w]; left; left &= left - 1) {
            const word *enabling = in->enabling + (size_t)(64 * w + (unsigned)__builtin_ctzll(left)) * ACTION_WORDS;
            if (best && least < 0) least = growth(in, set, best), *is_forced = false;
            if (least == 0) return best;
            int more = best ? growth(in, set, enabling) : -1;
            if (best && more >= least) continue;
            best = enabling;
            least = more;
        }
    return best;
}

/* What to look at next, of some actions: first steps that can be taken, which soon tell that a set is of no use. */
static inline unsigned next_of(const struct situation *in, const actions *waiting) {
    for (unsigned w = 0; w < ACTION_WORDS; w++)
        if (waiting->bits[w] & in->enabled.bits[w]) return 64 * w + (unsigned)__builtin_ctzll(waiting->bits[w] & in->enabled.bits[w]);
    for (unsigned w = 0; w < ACTION_WORDS; w++)
        if (waiting->bits[w]) return 64 * w + (unsigned)__builtin_ctzll(waiting->bits[w]);
    return ACTIONS;
}

static inline bool meet(const word *a, const word *b) {
    word both = 0;
    for (unsigned w = 0; w < ACTION_WORDS; w++) both |= a[w] & b[w];
    return both;
}

/* An action whose company every set must have that has the action. */
struct forced {
    unsigned action;
    const word *company;
};

/* Grow a set from one step until it is stubborn. False if that is of no use: it would have so many steps that can be
 * taken, or an action with which a set is not smaller: a step from which another was grown before, or what leads there,
 * which is noted. */
static bool grow_set(const struct situation *in, actions *set, int most, actions *useless) {
    actions waiting = *set;
    struct forced forced[ACTIONS];
    unsigned forcing = 0;
    int able = 1;
    for (unsigned action; (action = next_of(in, &waiting)) < ACTIONS;) {
        waiting.bits[action / 64] &= ~(UINT64_C(1) << (action % 64));
        bool is_forced;
        const word *more = company(in, set, action, &is_forced);
        if (!more) return false;
        if (is_forced) forced[forcing++] = (struct forced){action, more};
        for (unsigned w = 0; w < ACTION_WORDS; w++) {
            word fresh = more[w] & in->wanted.bits[w] & ~set->bits[w];
            if (!fresh) continue;
            if (fresh & useless->bits[w]) {
                while (forcing--)
                    if (meet(forced[forcing].company, useless->bits)) put(useless->bits, forced[forcing].action);
                return false;
            }
            able += ones(fresh & in->enabled.bits[w]);
            set->bits[w] |= fresh;
            waiting.bits[w] |= fresh;
        }
        if (able >= most) return false;
    }
    return true;
}

static bool is_sought(int goal, const bool *settled) {
    if (claim_start[goal] == claim_start[goal + 1]) return true;
    for (uint32_t k = claim_start[goal]; k < claim_start[goal + 1]; k++)
        if (!settled[claim_of[k]]) return true;
    return false;
}

/* The situation in a state; how many steps can be taken. */
static int look(struct situation *in, const struct run *run, const word *s, const bool *settled, bool is_aiming) {
    memset(in, 0, sizeof *in);
    in->together = is_aiming ? table_aiming(run) : table_together(run);
    in->enabling = table_enabling(run);
    evaluate_conditions(s, in->holding);
    int enabled = 0;
    for (unsigned step = 0; step < STEPS; step++) {
        word lacking = 0;
        for (unsigned w = 0; w < CONDITION_WORDS; w++) lacking |= needs[step][w] & ~in->holding[w];
        in->enabled.bits[step / 64] |= (word)!lacking << (step % 64);
        enabled += !lacking;
    }
    for (int step = 0; step < STEPS; step += 64)
        in->wanted.bits[step / 64] = STEPS - step >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << (STEPS - step)) - 1;
    for (int goal = 0; goal < GOALS; goal++)
        if (is_sought(goal, settled))
            for (int aim = goal_start[goal]; aim < goal_start[goal + 1]; aim++) put(in->wanted.bits, (unsigned)aim);
    return enabled;
}

/* The smallest of some stubborn sets; all actions if none is smaller. Of several, the one that is grown from the first
 * step: who keeps to an order lets some go on before others move, and meets fewer states. */
static actions choose_set(const struct situation *in, int enabled) {
    actions best = in->wanted, useless = {{0}};
    int least = enabled;
    uint32_t first = 0;
    for (unsigned k = 0, grown = 0; k < STEPS && grown < MOST_SEEDS; k++) {
        uint32_t seed = seeds[k];
        if (!has(in->enabled.bits, seed) || has(useless.bits, seed) || (least == 1 && seed > first)) continue;
        actions set = {{0}};
        put(set.bits, seed);
        if (grow_set(in, &set, least + (seed < first), &useless)) {
            best = set;
            least = size_of_both(set.bits, in->enabled.bits);
            first = seed;
        }
        put(useless.bits, seed);
        grown++;
    }
    return best;
}

bool may_stand_still(void) { return AIMING; }

uint32_t choose_stubborn(const struct run *run, const word *s, const bool *settled, bool is_aiming, word *chosen, word *wanted) {
    struct situation in;
    int enabled = look(&in, run, s, settled, is_aiming);
    actions set = choose_set(&in, enabled);
    memcpy(chosen, set.bits, sizeof set);
    memcpy(wanted, in.wanted.bits, sizeof set);
    return (uint32_t)enabled;
}

uint32_t keep_stubborn(const struct run *run, const word *s, const bool *settled, bool is_aiming, word *out, const uint32_t *labels, uint32_t count) {
    struct situation in;
    if ((uint32_t)look(&in, run, s, settled, is_aiming) != count) return NONE;
    actions set = choose_set(&in, (int)count);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool is_in = false;
        for (int w = 0; w < ACTION_WORDS && !is_in; w++)
            for (word left = set.bits[w] & in.enabled.bits[w]; left && !is_in; left &= left - 1)
                is_in = instance_of[64 * w + __builtin_ctzll(left)] == labels[i];
        if (is_in) memmove(out + (size_t)kept++ * WORDS, out + (size_t)i * WORDS, WORDS * sizeof *out);
    }
    return kept;
}

#endif
