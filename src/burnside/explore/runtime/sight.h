/* What members see of each other, for partition refinement: see refinement.h.
 *
 * Where facts are about two members at most, all that two of them share is one number, exactly: each way in which a fact can
 * name somebody has a key, and different sets of keys differ if they are added up bit by bit. The table of these numbers is
 * looked at row by row, several members at a time, and says at once whether two members can be exchanged. Where facts are
 * about three members, or there are too many ways or members, facts are looked at one by one.
 */
#ifndef BURNSIDE_SIGHT_H
#define BURNSIDE_SIGHT_H

#include "symmetry.h"

typedef int32_t lanes __attribute__((vector_size(16)));
typedef uint32_t sums __attribute__((vector_size(16)));
enum { LANE = 4, VECTORS = (MEMBERS + LANE - 1) / LANE, LANES = LANE * VECTORS };

/* A number for each member. */
union numbers {
    uint32_t of[LANES];
    sums all[VECTORS];
};

/* What a literal says, and of whom. If members get other numbers, it becomes the literal
 * table_renamed[start + sum of stride * number]; start may be below 0, as a number modulo 2^32. Each part in a kind of facts
 * has its key; members who have the same part may be named in any order. A fact about fewer members names its first one
 * again, with stride and key 0. */
struct fact {
    uint32_t start, member[NAMES], stride[NAMES], key[NAMES];
    uint16_t place[2]; /* of the keys, in struct sight */
};

_Static_assert(sizeof(struct fact) == (2 + 3 * NAMES) * sizeof(uint32_t), "a fact is a row of table_facts");

/* What was heard. */
struct heard {
    const struct fact *facts[POSITIONS];
    int count;
};

static inline uint64_t mixed(uint64_t a) {
    a *= UINT64_C(0x9E3779B97F4A7C15);
    a ^= a >> 29;
    a *= UINT64_C(0xBF58476D1CE4E5B9);
    return a ^ a >> 32;
}

/* Numbers that look random for others that do not; different ones for different ones. */
static inline union numbers blurred(const union numbers *plain) {
    union numbers out;
    for (int v = 0; v < VECTORS; v++) {
        sums spread = plain->all[v] * UINT32_C(0x9E3779B1);
        out.all[v] = spread ^ spread >> 15;
    }
    return out;
}

#if TABLE_OF_PAIRS

/* Row b has for each member how facts name it together with b; the last row, how they name it alone. */
enum { ALONE = MEMBERS };

struct sight {
    union {
        union numbers row[MEMBERS + 1];
        uint32_t at[(MEMBERS + 1) * LANES];
    };
};

static inline void see_nothing(struct sight *sight) {
UNROLLED
    for (int m = 0; m <= MEMBERS; m++)
UNROLLED
        for (int v = 0; v < VECTORS; v++) sight->row[m].all[v] = (sums){0};
}

/* What members see in all facts, if so much is known of the others. If anybody asks: something else than 0 for members who are
 * named. */
static inline __attribute__((always_inline)) union numbers look_around(
    const struct sight *sight, const struct heard *heard, const union numbers *known, union numbers *named) {
    (void)heard;
    union numbers seen = sight->row[ALONE], any = seen;
UNROLLED
    for (int m = 0; m < MEMBERS; m++)
UNROLLED
        for (int v = 0; v < VECTORS; v++) {
            seen.all[v] += sight->row[m].all[v] ^ known->of[m];
            any.all[v] |= sight->row[m].all[v];
        }
    if (named) *named = any;
    return seen;
}

/* Whether exchanging two members leaves all facts as they are. */
static inline bool share_facts(const struct sight *sight, uint32_t a, uint32_t b) {
    const union numbers *row = sight->row;
    union {
        sums all;
        uint64_t half[2];
    } other = {{0}};
    sums number = {0, 1, 2, 3};
UNROLLED
    for (int v = 0; v < VECTORS; v++) {
        other.all |= (row[a].all[v] ^ row[b].all[v]) & (sums)((number != a) & (number != b));
        number += LANE;
    }
    uint32_t own = (row[a].of[b] ^ row[b].of[a]) | (row[ALONE].of[a] ^ row[ALONE].of[b]);
    return !(other.half[0] | other.half[1] | own);
}

#else

/* The keys of all facts about a member add up to a number, 0 only where there is none. */
struct sight {
    union numbers sum;
};

static inline void see_nothing(struct sight *sight) { memset(sight, 0, sizeof *sight); }

/* In a fact about one member it sees nothing new. */
static inline union numbers look_around(
    const struct sight *sight, const struct heard *heard, const union numbers *known, union numbers *named) {
    union numbers seen = sight->sum;
    if (named) *named = seen;
    for (int i = 0; i < heard->count; i++) {
        const struct fact f = *heard->facts[i];
        uint32_t part[NAMES], all = 0;
        for (int k = 0; k < NAMES; k++) all += part[k] = known->of[f.member[k]] * f.key[k];
        for (int k = 0; k < NAMES; k++) seen.of[f.member[k]] += f.key[k] * (uint32_t)mixed(all - part[k]);
    }
    return seen;
}

#endif

/* Takes notice of a fact. */
static inline __attribute__((always_inline)) void see(struct sight *sight, const struct fact *f) {
    for (int k = 0; k < NAMES; k++) {
#if TABLE_OF_PAIRS
        sight->at[f->place[k]] ^= f->key[k];
#else
        sight->sum.of[f->member[k]] += f->key[k];
#endif
    }
}

#endif
