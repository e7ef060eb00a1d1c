/* Canonical forms by partition refinement (reduce/symmetry/refinement.py).
 *
 * The group has every permutation of MEMBERS members that keeps their sorts. A literal is a *fact* about some of them, and
 * whoever renames members renames facts. Members are told apart by the facts about them, then by the facts that they
 * share with members told apart already, until nothing more can be told: an ordered partition that depends on the orbit
 * alone. Where that leaves several members in a class, each of them is made the first in turn; the least image wins.
 *
 * What is said of one member alone is its *key*. At most other positions one literal is *silent*: it is there where no other
 * is, whoever is renamed. So a state is given by keys and by the facts that are not silent, and only these are looked at.
 * Generated code defines, before it includes this:
 *
 *   MEMBERS, SORTS, sort_start[SORTS + 1]   members, sort by sort
 *   NAMES                                   how many members a fact is about at most
 *   class_keys[MEMBERS]                     a random odd number for every place a class can begin at
 *   KEY_WORDS, read_keys, write_keys        what is said of one member alone, as words of each member (reduce/symmetry/keys.py)
 *   kept_bits[WORDS]                        bits that are not moved, or only if a key says so
 *   silent_state[WORDS]                     the state in which all else is silent
 *   sparse_bits[WORDS]                      bits of the positions that can be silent
 *   literal_at_bit[], position_at[]         what a bit says by itself if it is not silent, else the position that it is part of
 *   LOUD, loud_positions[]                  the other positions
 *   bits_of[], field_of[], word_of[]        where a literal differs from silence, among all bits of its position
 *   table_facts, table_renamed              see struct fact
 */
#ifndef BURNSIDE_REFINEMENT_H
#define BURNSIDE_REFINEMENT_H

#include "symmetry.h"

typedef int32_t lanes __attribute__((vector_size(16)));
typedef uint32_t sums __attribute__((vector_size(16)));
enum { LANE = 4, VECTORS = (MEMBERS + LANE - 1) / LANE, LANES = LANE * VECTORS };
enum { FEW_KNOWN = 8 };      /* ways that others are compared with */
enum { LATE_WAYS = 1 << 8 }; /* that are still tried when time is up: self-tests come after the search */

/* What a literal says, and of whom. If members get other numbers, it becomes the literal
 * table_renamed[start + sum of stride * number]; start may be below 0, as a number modulo 2^32. Each part in a kind of facts
 * has its key, a random number so small that sums over all facts do not overflow; members who have the same part may be
 * named in any order. A fact about fewer members names its first one again, with stride and key 0. */
struct fact {
    uint32_t start, member[NAMES], stride[NAMES], key[NAMES];
};

_Static_assert(sizeof(struct fact) == (1 + 3 * NAMES) * sizeof(uint32_t), "a fact is a row of table_facts");

/* An ordered partition: how many members are in classes before that of a member. So a class begins at a number that some
 * member has, and ends where the next one begins; where all members have different numbers, these are their places. */
struct partition {
    union {
        int32_t class_of[LANES];
        lanes classes[VECTORS];
    };
    uint64_t beginnings; /* bit by bit */
};

struct refining {
    struct scratch *x;
    const uint16_t *renamed;
    const word *state;
    word keys[MEMBERS * KEY_WORDS + 1];
    const struct fact *facts[POSITIONS];
    int fact_count;
    union {
        uint32_t by[LANES];
        sums all[VECTORS];
    } seen; /* what facts about a member add up to */
    int late;
};

/* What some ways lead to: the least image, how many of them lead there, and the image of the first. */
struct found {
    word least[WORDS], first[WORDS];
    count_t fixing;
};

static inline uint64_t mixed(uint64_t a) {
    a *= UINT64_C(0x9E3779B97F4A7C15);
    a ^= a >> 29;
    a *= UINT64_C(0xBF58476D1CE4E5B9);
    return a ^ a >> 32;
}

static inline literal renamed_literal(const struct refining *r, const struct fact *f, const int32_t *number) {
    uint32_t at = f->start;
    for (int k = 0; k < NAMES; k++) at += f->stride[k] * (uint32_t)number[f->member[k]];
    return r->renamed[at];
}

/* Whether a fact holds in the state. */
static inline bool holds(const struct refining *r, literal l) {
    int w = WORDS == 1 ? 0 : word_of[l];
    return ((r->state[w] ^ silent_state[w]) & field_of[l]) == bits_of[l];
}

static inline uint64_t places_below(int end) { return end ? ~UINT64_C(0) >> (64 - end) : 0; }

/* The first class of several members; it is [first, end). */
static inline bool next_class(const struct partition *p, int *first, int *end) {
    uint64_t inside = ~p->beginnings & places_below(MEMBERS);
    if (!inside) return false;
    *first = __builtin_ctzll(inside) - 1;
    uint64_t behind = p->beginnings >> *first >> 1;
    *end = behind ? *first + 1 + __builtin_ctzll(behind) : MEMBERS;
    return true;
}

/* Splits classes by what was seen: a member comes behind all whose class is before its own, or who have the same class and
 * were seen with less. */
static inline void split_classes(struct refining *r, struct partition *p) {
    union {
        int32_t of[LANES];
        lanes all[VECTORS];
    } key;
    for (int v = 0; v < VECTORS; v++) {
        sums spread = r->seen.all[v] + (r->seen.all[v] << 9); /* all bits count, though the last ones are lost */
        key.all[v] = p->classes[v] << 25 | (lanes)(spread >> 7);
    }
    lanes before[VECTORS] = {{0}};
UNROLLED
    for (int m = 0; m < MEMBERS; m++)
UNROLLED
        for (int v = 0; v < VECTORS; v++) before[v] -= key.of[m] < key.all[v]; /* true is -1 in a lane */
    memcpy(p->classes, before, sizeof before);
    uint64_t beginnings = p->beginnings;
    for (int m = 0; m < MEMBERS; m++) beginnings |= UINT64_C(1) << p->class_of[m];
    p->beginnings = beginnings;
}

/* What a member sees in a fact in which it is number k: the parts and classes of the others, in whatever order. In a fact about
 * one member it sees its own class, which says nothing new. */
static inline uint32_t others_of(const struct fact *f, const uint32_t *key_of, int k) {
    uint32_t all = 0;
    for (int j = 0; j < NAMES; j++)
        if (j != k) all += key_of[f->member[j]] * (NAMES > 2 ? f->key[j] : 1);
    return NAMES > 2 ? (uint32_t)mixed(all) : all;
}

/* Whether exchanging two members leaves the state as it is. */
static bool are_twins(const struct refining *r, uint32_t a, uint32_t b) {
    if (memcmp(r->keys + a * KEY_WORDS, r->keys + b * KEY_WORDS, KEY_WORDS * sizeof *r->keys)) return false;
    int32_t number[MEMBERS];
    for (int m = 0; m < MEMBERS; m++) number[m] = m;
    number[a] = (int32_t)b;
    number[b] = (int32_t)a;
    for (int i = 0; i < r->fact_count; i++)
        if (!holds(r, renamed_literal(r, r->facts[i], number))) return false;
    return true;
}

static inline bool is_told_apart(const struct partition *p) { return p->beginnings == places_below(MEMBERS); }

static void refine(struct refining *r, struct partition *p) {
    for (uint64_t before = 0; p->beginnings != before && !is_told_apart(p);) {
        before = p->beginnings;
        uint32_t key_of[MEMBERS];
        for (int m = 0; m < MEMBERS; m++) key_of[m] = class_keys[p->class_of[m]];
        memset(&r->seen, 0, sizeof r->seen);
        for (int i = 0; i < r->fact_count; i++) {
            const struct fact *f = r->facts[i];
            for (int k = 0; k < NAMES; k++) r->seen.by[f->member[k]] += f->key[k] * others_of(f, key_of, k);
        }
        split_classes(r, p);
    }
}

static void image_of(const struct refining *r, const struct partition *p, word *out) {
    word image[WORDS], keys[MEMBERS * KEY_WORDS + 1];
    for (int m = 0; m < MEMBERS; m++)
        for (int w = 0; w < KEY_WORDS; w++) keys[p->class_of[m] * KEY_WORDS + w] = r->keys[m * KEY_WORDS + w];
    for (int w = 0; w < WORDS; w++) image[w] = (r->state[w] & kept_bits[w]) | silent_state[w];
    write_keys(keys, image);
    for (int i = 0; i < r->fact_count; i++) {
        literal l = renamed_literal(r, r->facts[i], p->class_of);
        image[WORDS == 1 ? 0 : word_of[l]] ^= bits_of[l];
    }
    memcpy(out, image, sizeof image);
}

/* Puts a member before the others of its class. */
static void put_first(struct partition *p, int member) {
    int32_t first = p->class_of[member];
    for (int m = 0; m < MEMBERS; m++) p->class_of[m] += p->class_of[m] == first && m != member;
    p->beginnings |= UINT64_C(2) << first;
}

/* The image that some way leads to. */
static void any_image(struct refining *r, struct partition p, word *image) {
    int first, end;
    for (refine(r, &p); next_class(&p, &first, &end); refine(r, &p)) {
        int member = 0;
        while (p.class_of[member] != first) member++;
        put_first(&p, member);
    }
    image_of(r, &p, image);
}

static inline bool same_words(const word *a, const word *b) { return memcmp(a, b, WORDS * sizeof *a) == 0; }

/* Tries every way to tell members of refined classes apart, one of several twins for all of them. A way that leads to an image
 * which another one leads to is that other way with members renamed, so that all they lead to is the same, too. False if
 * there is no time left. */
static bool try_all(struct refining *r, struct partition *p, struct found *out) {
    count_t weight = 1; /* ways that look the same */
    int first, end;
    while (next_class(p, &first, &end)) {
        int different[MEMBERS];
        count_t twins[MEMBERS];
        int count = 0;
        for (int m = 0; m < MEMBERS; m++) {
            if (p->class_of[m] != first) continue;
            int k = 0;
            while (k < count && !are_twins(r, (uint32_t)different[k], (uint32_t)m)) k++;
            if (k == count) different[count] = m, twins[count++] = 0;
            twins[k]++;
        }
        if (count == 1) { /* in whatever order they come, nobody sees a difference, and nobody else is told apart */
            int32_t place = first;
            for (int m = 0; m < MEMBERS; m++) {
                if (p->class_of[m] != first) continue;
                p->class_of[m] = place++;
                weight *= (count_t)(place - first);
            }
            p->beginnings |= places_below(end);
            continue;
        }
        struct found known[FEW_KNOWN], other;
        int known_count = 0;
        for (int k = 0; k < count; k++) {
            if (asked_to_stop(r->x->run) && ++r->late > LATE_WAYS) return false;
            struct partition child = *p;
            put_first(&child, different[k]);
            const struct found *it = NULL;
            if (known_count > 0) {
                word image[WORDS];
                any_image(r, child, image);
                for (int j = 0; j < known_count && !it; j++)
                    if (same_words(image, known[j].first) || same_words(image, known[j].least)) it = &known[j];
            }
            if (!it) {
                struct found *mine = known_count < FEW_KNOWN ? &known[known_count++] : &other;
                refine(r, &child);
                if (!try_all(r, &child, mine)) return false;
                it = mine;
            }
            int order = k == 0 ? -1 : memcmp(it->least, out->least, sizeof it->least);
            if (k == 0) memcpy(out->first, it->first, sizeof it->first);
            if (order < 0) memcpy(out->least, it->least, sizeof it->least), out->fixing = 0;
            if (order <= 0) out->fixing += it->fixing * twins[k];
        }
        out->fixing *= weight;
        return true;
    }
    image_of(r, p, out->first);
    memcpy(out->least, out->first, sizeof out->first);
    out->fixing = weight;
    return true;
}

/* Takes notice of a literal. */
static inline __attribute__((always_inline)) void hear(struct refining *r, const struct fact *f, int *count) {
    for (int k = 0; k < NAMES; k++) r->seen.by[f->member[k]] += f->key[k];
    r->facts[(*count)++] = f;
}

/* Takes notice of all that is not silent; false if there is a literal that cannot be. */
static inline bool hear_all(struct refining *r, const struct fact *facts) {
    const word *s = r->state;
    int count = 0;
    bool is_known = true;
    for (int i = 0; i < LOUD; i++) {
        literal l = literal_at(s, loud_positions[i]);
        is_known &= l != NO_LITERAL;
        hear(r, &facts[l == NO_LITERAL ? 0 : l], &count);
    }
    for (int w = 0; w < WORDS; w++)
        for (word different = (s[w] ^ silent_state[w]) & sparse_bits[w]; different; different &= different - 1) {
            int bit = w * 64 + __builtin_ctzll(different);
            literal l = literal_at_bit[bit];
            if (l == NO_LITERAL) {
                int k = position_at[bit];
                l = literal_at(s, k);
                different &= ~(position_mask[k] << position_shift[k]) | (different & -different);
                if (l == NO_LITERAL) return false;
            }
            hear(r, &facts[l], &count);
        }
    r->fact_count = count;
    return is_known;
}

/* Puts the members of each sort into one class, but first those of whom nothing is said, in any order; in how many orders
 * that can be done. */
static inline count_t begin(struct partition *p, uint64_t active) {
    count_t orders = 1;
    p->beginnings = 0;
    for (int sort = 0; sort < SORTS; sort++) {
        int start = sort_start[sort], end = sort_start[sort + 1];
        uint64_t members = places_below(end) & ~places_below(start);
        int place = start;
        if ((active & members) != members)
            for (int m = start; m < end; m++) {
                if (active >> m & 1) continue;
                p->class_of[m] = place++;
                orders *= (count_t)(place - start);
            }
        for (int m = start; m < end; m++)
            if (active >> m & 1) p->class_of[m] = place;
        p->beginnings |= members & places_below(place < end ? place + 1 : end);
    }
    return orders;
}

/* Adds what keys say to what was seen; of whom anything is said. */
static inline uint64_t add_keys(struct refining *r) {
    uint64_t active = 0;
    for (int m = 0; m < MEMBERS; m++) {
        uint64_t said = 0, any = r->seen.by[m];
        for (int w = 0; w < KEY_WORDS; w++) {
            any |= r->keys[m * KEY_WORDS + w];
            said = mixed(said + r->keys[m * KEY_WORDS + w]);
        }
        active |= (uint64_t)(any != 0) << m;
        r->seen.by[m] += (uint32_t)said;
    }
    return active;
}

static count_t refine_state(struct scratch *x, word *s) {
    struct refining r;
    r.x = x;
    r.renamed = table_renamed(x->run);
    r.state = s;
    r.late = 0;
    memset(&r.seen, 0, sizeof r.seen);
    memset(r.keys, 0, sizeof r.keys);
    read_keys(s, r.keys);
    if (!hear_all(&r, (const struct fact *)table_facts(x->run))) return 0;
    struct partition p;
    struct found found;
    memset(&p, 0, sizeof p);
    count_t orders = begin(&p, add_keys(&r));
    split_classes(&r, &p);
    refine(&r, &p);
    if (is_told_apart(&p)) {
        image_of(&r, &p, s);
        return at_least_one(orders);
    }
    if (!try_all(&r, &p, &found)) {
        x->gave_up = true;
        return 0;
    }
    memcpy(s, found.least, sizeof found.least);
    return at_least_one(orders * found.fixing);
}

#endif
