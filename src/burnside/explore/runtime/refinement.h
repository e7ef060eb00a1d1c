/* Canonical forms by partition refinement (reduce/symmetry/refinement.py).
 *
 * The group has every permutation of MEMBERS members that keeps their sorts. A literal is a *fact* about some of them, and
 * whoever renames members renames facts. Members are told apart by the facts about them, then by the facts that they
 * share with members told apart already, until nothing more can be told: an ordered partition that depends on the orbit
 * alone. Where that leaves several members in a class, each of them is made the first in turn; the least image wins.
 *
 * What is said of one member alone is its *key*. At most other positions one literal is *silent*: it is there where no other is, whoever is renamed. So a state is given by
 * the facts that are not silent, and only these are looked at. Generated code defines, before it includes this:
 *
 *   MEMBERS, SORTS, sort_start[SORTS + 1]   members, sort by sort
 *   NAMES                                   how many members a fact is about at most
 *   class_keys[MEMBERS]                     a random number for every place a class can begin at
 *   KEY_WORDS, read_keys, write_keys        what is said of one member alone, as words of each member (reduce/symmetry/keys.py)
 *   kept_bits[WORDS]                        bits that are not moved, or only if a key says so
 *   silent_state[WORDS]                     the state in which all else is silent
 *   sparse_bits[WORDS]                      bits of the positions that can be silent
 *   literal_at_bit[], position_at[]         what a bit says by itself if it is not silent, else the position that it is part of
 *   LOUD, loud_positions[]                  the other positions
 *   bits_of[], word_of[]                    where a literal differs from silence
 *   table_facts, table_renamed              see struct fact
 */
#ifndef BURNSIDE_REFINEMENT_H
#define BURNSIDE_REFINEMENT_H

#include "symmetry.h"

typedef int32_t lanes __attribute__((vector_size(16)));
enum { LANE = 4, VECTORS = (MEMBERS + LANE - 1) / LANE, LANES = LANE * VECTORS };
enum { FEW_KNOWN = 8 };      /* ways that others are compared with */
enum { LATE_WAYS = 1 << 8 }; /* that are still tried when time is up: self-tests come after the search */

/* What a literal says, and of whom. If members get other numbers, it becomes the literal
 * table_renamed[start + sum of stride * number]; start may be below 0, as a number modulo 2^32. Each part in a kind of facts
 * has its key, a random number; members who have the same part may be named in any order. A fact about fewer members names its first one again, with stride and key 0. */
struct fact {
    uint32_t start, names;
    uint32_t member[NAMES], stride[NAMES], key[NAMES];
};

_Static_assert(sizeof(struct fact) == (2 + 3 * NAMES) * sizeof(uint32_t), "a fact is a row of table_facts");

/* An ordered partition: how many members are in classes before that of a member. So a class begins at a number that some
 * member has, and ends where the next one begins; where all members have different numbers, these are their places. */
struct partition {
    int32_t class_of[LANES];
    uint64_t beginnings; /* bit by bit */
};

struct refining {
    struct scratch *x;
    const uint16_t *renamed;
    const word *state;
    word keys[MEMBERS * KEY_WORDS + 1];
    const struct fact *facts[POSITIONS]; /* those about one member behind those about several */
    int fact_count, link_count;
    int active[MEMBERS], active_count; /* the members that facts are about */
    int32_t passive[LANES];            /* how many others are placed before each */
    uint64_t seen[MEMBERS]; /* what facts about a member add up to */
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

static inline bool is_about(const struct fact *f, uint32_t a, uint32_t b) {
    bool is = false;
    for (int k = 0; k < NAMES; k++) is |= f->member[k] == a || f->member[k] == b;
    return is;
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
    } key = {{0}}, before;
    for (int m = 0; m < MEMBERS; m++) {
        uint64_t seen = r->seen[m] * UINT64_C(0x9E3779B97F4A7C15);
        key.of[m] = p->class_of[m] << 25 | (int32_t)(seen >> 39);
    }
    memcpy(before.of, r->passive, sizeof before.of);
    for (int v = 0; v < VECTORS; v++) {
        lanes sum = before.all[v];
        for (int i = 0; i < r->active_count; i++) sum -= key.of[r->active[i]] < key.all[v]; /* true is -1 in a lane */
        before.all[v] = sum;
    }
    memcpy(p->class_of, before.of, sizeof before.of);
    uint64_t beginnings = p->beginnings;
    for (int m = 0; m < MEMBERS; m++) beginnings |= UINT64_C(1) << before.of[m];
    p->beginnings = beginnings;
}

/* What a member sees in a fact in which it is number k: the parts and classes of the others, in whatever order. */
static inline uint64_t others_of(const struct fact *f, const struct partition *p, int k) {
    uint64_t all = 0;
    for (int j = 0; j < NAMES; j++)
        if (j != k) all += class_keys[p->class_of[f->member[j]]] * (NAMES > 2 ? f->key[j] : 1);
    return NAMES > 2 ? mixed(all) : all;
}

static void refine(struct refining *r, struct partition *p) {
    for (uint64_t before = 0; p->beginnings != before && p->beginnings != places_below(MEMBERS);) {
        before = p->beginnings;
        memset(r->seen, 0, sizeof r->seen);
        for (int i = 0; i < r->link_count; i++) {
            const struct fact *f = r->facts[i];
            for (int k = 0; k < NAMES; k++) r->seen[f->member[k]] += f->key[k] * others_of(f, p, k);
        }
        split_classes(r, p);
    }
}

/* Whether exchanging two members leaves the state as it is. */
static bool are_twins(const struct refining *r, uint32_t a, uint32_t b) {
    if (memcmp(r->keys + a * KEY_WORDS, r->keys + b * KEY_WORDS, KEY_WORDS * sizeof *r->keys)) return false;
    int32_t number[MEMBERS];
    for (int m = 0; m < MEMBERS; m++) number[m] = m;
    number[a] = (int32_t)b;
    number[b] = (int32_t)a;
    for (int i = 0; i < r->fact_count; i++) {
        if (!is_about(r->facts[i], a, b)) continue;
        literal l = renamed_literal(r, r->facts[i], number);
        if (literal_at(r->state, (int)position_of[l]) != l) return false;
    }
    return true;
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

/* Takes notice of a literal; false if it is none. */
static inline __attribute__((always_inline)) bool hear(struct refining *r, const struct fact *facts, literal l, int *count, int *links) {
    if (l == NO_LITERAL) return false;
    const struct fact *f = &facts[l];
    for (int k = 0; k < NAMES; k++) r->seen[f->member[k]] += f->key[k];
    r->facts[*count] = r->facts[*links];
    r->facts[f->names > 1 ? *links : *count] = f;
    *links += f->names > 1;
    ++*count;
    return true;
}

/* Takes notice of all that is not silent. */
static inline bool hear_all(struct refining *r, const struct fact *facts) {
    const word *s = r->state;
    int count = 0, links = 0;
    for (int i = 0; i < LOUD; i++)
        if (!hear(r, facts, literal_at(s, loud_positions[i]), &count, &links)) return false;
    for (int w = 0; w < WORDS; w++)
        for (word different = (s[w] ^ silent_state[w]) & sparse_bits[w]; different; different &= different - 1) {
            int bit = w * 64 + __builtin_ctzll(different);
            literal l = literal_at_bit[bit];
            if (l == NO_LITERAL) {
                int k = position_at[bit];
                l = literal_at(s, k);
                different &= ~(position_mask[k] << position_shift[k]) | (different & -different);
            }
            if (!hear(r, facts, l, &count, &links)) return false;
        }
    r->fact_count = count;
    r->link_count = links;
    return true;
}

/* Puts those first in their sort of whom nothing is said, in any order; in how many orders that can be done. Then what keys
 * say is added to what was seen. */
static inline count_t begin(struct refining *r, struct partition *p) {
    count_t orders = 1;
    uint64_t beginnings = 0;
    int active = 0;
    memset(r->passive + MEMBERS, 0, sizeof r->passive - MEMBERS * sizeof *r->passive);
    for (int sort = 0, passive = 0; sort < SORTS; sort++) {
        int start = sort_start[sort], end = sort_start[sort + 1], place = start, first = active;
        for (int m = start; m < end; m++) {
            bool is_active = r->seen[m] != 0;
            uint64_t said = 0;
            for (int w = 0; w < KEY_WORDS; w++) {
                is_active |= r->keys[m * KEY_WORDS + w] != 0;
                said = mixed(said + r->keys[m * KEY_WORDS + w]);
            }
            r->seen[m] += said;
            r->active[active] = m;
            active += is_active;
            r->passive[m] = passive + place - start;
            p->class_of[m] = place;
            place += !is_active;
        }
        passive += place - start;
        for (int i = first; i < active; i++) {
            r->passive[r->active[i]] = passive;
            p->class_of[r->active[i]] = place;
        }
        for (int k = 2; k <= place - start; k++) orders *= (count_t)k;
        beginnings |= places_below(place < end ? place + 1 : end) & ~places_below(start);
    }
    p->beginnings = beginnings;
    r->active_count = active;
    return orders;
}

static count_t refine_state(struct scratch *x, word *s) {
    struct refining r;
    r.x = x;
    r.renamed = table_renamed(x->run);
    r.state = s;
    r.late = 0;
    memset(r.seen, 0, sizeof r.seen);
    memset(r.keys, 0, sizeof r.keys);
    read_keys(s, r.keys);
    if (!hear_all(&r, (const struct fact *)table_facts(x->run))) return 0;
    struct partition p;
    struct found found;
    count_t orders = begin(&r, &p);
    split_classes(&r, &p);
    refine(&r, &p);
    if (!try_all(&r, &p, &found)) {
        x->gave_up = true;
        return 0;
    }
    memcpy(s, found.least, sizeof found.least);
    return at_least_one(orders * found.fixing);
}

#endif
