/* Stubborn sets (reduce/partial_order/stubborn.py): which of the steps that can be taken in a state are enough.
 *
 * Actions are numbered: STEPS steps, then the aims of GOALS goals. Generated code defines, before it includes this:
 *
 *   STEPS, ACTIONS, CONDITIONS, GOALS
 *   evaluate_conditions(s, holding, enabled)    which conditions hold in a state, and which steps can be taken, bit by bit
 *   needs[ACTIONS][CONDITION_WORDS]             the conditions of each action, bit by bit
 *   instance_of[STEPS]                          the label of a step
 *   RANKS, ranked[RANKS][ACTION_WORDS]          the steps of each rank, bit by bit: sets are grown from the first ranks first
 *   goal_start[GOALS + 1]                       the aims of each goal, as actions
 *   claim_start[GOALS + 1], claim_of[]          the claims that it decides: none if it is a fault
 *   table_together, table_aiming                for every step the actions that a set has with it: anyway, and if it leads to
 *                                               nothing new; AIMING says whether these differ
 *   table_enabling                              for every condition the steps that may make it true
 */
#ifndef BURNSIDE_STUBBORN_H
#define BURNSIDE_STUBBORN_H

#include <limits.h>
#include <stdbool.h>

#include "model.h"
#include "run.h"

enum { ACTION_WORDS = (ACTIONS + 63) / 64, CONDITION_WORDS = CONDITIONS ? (CONDITIONS + 63) / 64 : 1 };
enum { MOST_SEEDS = 32 }; /* steps that a set is grown from; the smallest is taken */
enum { FORESIGHT = 4 }; /* how often what follows is added before conditions are compared */

/* A loop over the words of a set: mostly one or two. */
#define EACH_WORD(w, words) _Pragma("GCC unroll 4") for (unsigned w = 0; w < (words); w++)

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

/* How many bits are set: mostly none or one. Not every processor has an instruction for that. */
static inline int ones(word x) {
    if (!(x & (x - 1))) return x != 0;
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    return (int)(((x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f)) * UINT64_C(0x0101010101010101) >> 56);
}

static inline int size_of_both(const word *a, const word *b) {
    int size = 0;
    EACH_WORD(w, ACTION_WORDS) size += ones(a[w] & b[w]);
    return size;
}

/* How much larger a set gets by others: first by steps that can be taken. */
static int growth(const struct situation *in, const actions *set, const word *more) {
    int able = 0, all = 0;
    EACH_WORD(w, ACTION_WORDS) {
        word fresh = more[w] & ~set->bits[w];
        able += ones(fresh & in->enabled.bits[w]);
        all += ones(fresh);
    }
    return able * (ACTIONS + 1) + all;
}

static inline const word *together_with(const struct situation *in, unsigned action) {
    return in->together + (size_t)action * ACTION_WORDS;
}

/* What may make true the first of some conditions, given as a word of bits. */
static inline const word *enabling_of(const struct situation *in, unsigned w, word conditions) {
    return in->enabling + (size_t)(64 * w + (unsigned)__builtin_ctzll(conditions)) * ACTION_WORDS;
}

static inline bool can_be_taken(const struct situation *in, unsigned action) { return action < STEPS && has(in->enabled.bits, action); }

/* What may make true a condition that an action lacks: the one that adds least to a set at once. NULL if it lacks none. */
static const word *nearest(const struct situation *in, const actions *set, unsigned action) {
    const word *best = NULL;
    int least = INT_MAX;
    EACH_WORD(w, CONDITION_WORDS)
        for (word left = needs[action][w] & ~in->holding[w]; left; left &= left - 1) {
            const word *enabling = enabling_of(in, w, left);
            int more = growth(in, set, enabling);
            if (more >= least) continue;
            best = enabling;
            least = more;
        }
    return best;
}

/* How much larger a set gets by others and by what follows from these, a few times. */
static int later_growth(const struct situation *in, const actions *set, const word *more) {
    actions all = *set, fresh, next;
    EACH_WORD(w, ACTION_WORDS) next.bits[w] = more[w];
    for (int k = 0;; k++) {
        word any = 0;
        EACH_WORD(w, ACTION_WORDS) {
            fresh.bits[w] = next.bits[w] & ~all.bits[w];
            all.bits[w] |= fresh.bits[w];
            next.bits[w] = 0;
            any |= fresh.bits[w];
        }
        if (k == FORESIGHT || !any) break;
        EACH_WORD(w, ACTION_WORDS)
            for (word left = fresh.bits[w]; left; left &= left - 1) {
                unsigned action = 64 * w + (unsigned)__builtin_ctzll(left);
                const word *follows = can_be_taken(in, action) ? together_with(in, action) : nearest(in, &all, action);
                EACH_WORD(v, ACTION_WORDS) next.bits[v] |= follows ? follows[v] : 0;
            }
    }
    return growth(in, set, all.bits);
}

static inline bool meet(const word *a, const word *b) {
    word both = 0;
    EACH_WORD(w, ACTION_WORDS) both |= a[w] & b[w];
    return both;
}

/* What a set must have with an action: with one that can be taken, all that may go wrong with it; else all that may
 * make true a condition that it lacks, the one that adds least; of several, the one that adds least in the end. NULL if
 * that has in any case something useless. */
static inline const word *company(const struct situation *in, const actions *set, const actions *useless, unsigned action) {
    if (can_be_taken(in, action)) {
        const word *together = together_with(in, action);
        return meet(together, useless->bits) ? NULL : together;
    }
    const word *best = NULL;
    int least = -1, later = -1; /* not known yet: one condition alone is not compared */
    EACH_WORD(w, CONDITION_WORDS)
        for (word left = needs[action][w] & ~in->holding[w]; left; left &= left - 1) {
            const word *enabling = enabling_of(in, w, left);
            if (meet(enabling, useless->bits)) continue;
            if (!best) {
                best = enabling;
                continue;
            }
            if (least < 0) least = growth(in, set, best);
            if (least == 0) return best;
            int more = growth(in, set, enabling), much = -1;
            if (more > least) continue;
            if (more == least) {
                if (later < 0) later = later_growth(in, set, best);
                much = later_growth(in, set, enabling);
                if (much >= later) continue;
            }
            best = enabling;
            least = more;
            later = much;
        }
    return best;
}

/* What to look at next, of some actions: first steps that can be taken, which soon tell that a set is of no use. */
static inline unsigned next_of(const struct situation *in, const actions *waiting) {
    EACH_WORD(w, ACTION_WORDS)
        if (waiting->bits[w] & in->enabled.bits[w]) return 64 * w + (unsigned)__builtin_ctzll(waiting->bits[w] & in->enabled.bits[w]);
    EACH_WORD(w, ACTION_WORDS)
        if (waiting->bits[w]) return 64 * w + (unsigned)__builtin_ctzll(waiting->bits[w]);
    return ACTIONS;
}

/* Whether a set with an action has in any case something useless. */
static bool is_useless(const struct situation *in, const actions *useless, unsigned action) {
    if (can_be_taken(in, action)) return meet(together_with(in, action), useless->bits);
    EACH_WORD(w, CONDITION_WORDS)
        for (word left = needs[action][w] & ~in->holding[w]; left; left &= left - 1)
            if (!meet(enabling_of(in, w, left), useless->bits)) return false;
    return true;
}

/* Note which of some actions are useless, because one is. The last of them come first: they were added for the others. */
static void note_useless(const struct situation *in, const unsigned *seen, unsigned count, actions *useless) {
    while (count--)
        if (is_useless(in, useless, seen[count])) put(useless->bits, seen[count]);
}

/* Grow a set from one step until it is stubborn. Actions that do not count are in it already, so that nothing is asked
 * for them. False if that is of no use: it would have so many steps that can be taken, or an action that is useless:
 * a step from which a set was grown before, so that this one would hardly be smaller, or what leads there in any case. */
static bool grow_set(const struct situation *in, actions *set, unsigned seed, int most, actions *useless) {
    actions waiting = {{0}};
    unsigned seen[ACTIONS], count = 0;
    int able = 1;
    put(set->bits, seed);
    for (unsigned action = seed; action < ACTIONS; action = next_of(in, &waiting)) {
        waiting.bits[action / 64] &= ~(UINT64_C(1) << (action % 64));
        seen[count++] = action;
        const word *more = company(in, set, useless, action);
        if (!more) {
            note_useless(in, seen, count, useless);
            return false;
        }
        EACH_WORD(w, ACTION_WORDS) {
            word fresh = more[w] & ~set->bits[w];
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
    evaluate_conditions(s, in->holding, in->enabled.bits);
    for (int step = 0; step < STEPS; step += 64)
        in->wanted.bits[step / 64] = STEPS - step >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << (STEPS - step)) - 1;
    for (int goal = 0; goal < GOALS; goal++)
        if (is_sought(goal, settled))
            for (int aim = goal_start[goal]; aim < goal_start[goal + 1]; aim++) put(in->wanted.bits, (unsigned)aim);
    return size_of_both(in->enabled.bits, in->enabled.bits);
}

/* The smallest of some stubborn sets, of several the first that is grown; all actions if none is smaller. Who keeps to an
 * order lets some go on before others move, and meets fewer states. */
static actions choose_set(const struct situation *in, int enabled) {
    actions best = in->wanted, useless = {{0}}, others;
    int least = enabled, grown = 0;
    EACH_WORD(w, ACTION_WORDS) others.bits[w] = ~in->wanted.bits[w];
    for (unsigned rank = 0; rank < RANKS; rank++)
        for (unsigned w = 0; w < ACTION_WORDS; w++)
            for (word left; (left = in->enabled.bits[w] & ranked[rank][w] & ~useless.bits[w]); grown++) {
                if (least == 1 || grown == MOST_SEEDS) goto chosen;
                unsigned seed = 64 * w + (unsigned)__builtin_ctzll(left);
                actions set = others;
                if (grow_set(in, &set, seed, least, &useless)) {
                    best = set;
                    least = size_of_both(set.bits, in->enabled.bits);
                }
                put(useless.bits, seed);
            }
chosen:
    EACH_WORD(w, ACTION_WORDS) best.bits[w] &= in->wanted.bits[w];
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
