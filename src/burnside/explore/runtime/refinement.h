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
 *   factorials[MEMBERS + 1]                 modulo 2^128
 *   first_classes[LANES]                    the first member of the sort of each
 *   NAMES                                   how many members a fact is about at most
 *   TABLE_OF_PAIRS                          see sight.h
 *   MEMBER_WORDS, read_keys, write_keys     what is said of one member alone, as words of each member (reduce/symmetry/keys.py)
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

#include "sight.h"

enum { NUMBER_BITS = 25 };   /* of a number that splits a class; the class itself has the others */
enum { FEW_KNOWN = 8 };      /* ways that others are compared with */
enum { LATE_WAYS = 1 << 8 }; /* that are still tried when time is up: self-tests come after the search */

/* An ordered partition: how many members are in classes before that of a member. So a class begins at a number that some
 * member has, and ends where the next one begins; where all members have different numbers, these are their places. */
struct partition {
    union {
        int32_t class_of[LANES];
        lanes classes[VECTORS];
        union numbers numbers;
    };
    uint64_t beginnings; /* bit by bit */
};

struct refining {
    struct scratch *x;
    const uint16_t *renamed;
    const word *state;
    word keys[MEMBERS * MEMBER_WORDS + 1];
    struct heard heard;
    struct sight sight;
    int late;
};

/* What some ways lead to: the least image, how many of them lead there, and the image of the first. */
struct found {
    word least[WORDS], first[WORDS];
    count_t fixing;
};

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

/* Splits classes by numbers: a member comes behind all whose class is before its own, or who have the same class and a lesser
 * number. */
static inline void split_classes(struct partition *p, const lanes *number) {
    union {
        int32_t of[LANES];
        lanes all[VECTORS];
    } key;
    for (int v = 0; v < VECTORS; v++) key.all[v] = p->classes[v] << NUMBER_BITS | number[v];
    lanes before[VECTORS] = {{0}};
UNROLLED
    for (int m = 0; m < MEMBERS; m++)
UNROLLED
        for (int v = 0; v < VECTORS; v++) before[v] -= key.of[m] < key.all[v]; /* true is -1 in a lane */
    memcpy(p->classes, before, sizeof before);
    uint64_t beginnings = 0;
UNROLLED
    for (int m = 0; m < MEMBERS; m++) beginnings |= UINT64_C(1) << p->class_of[m];
    p->beginnings = beginnings;
}

/* What was seen, in so few bits; all bits count, though the last ones are lost. */
static inline lanes in_bits(sums seen, int bits) { return (lanes)((seen + (seen << 9)) >> (32 - bits)); }

/* The members of a class, bit by bit. */
static inline uint64_t members_of(const struct partition *p, int first) {
    uint64_t members = 0;
UNROLLED
    for (int m = 0; m < MEMBERS; m++) members |= (uint64_t)(p->class_of[m] == first) << m;
    return members;
}

static inline bool is_told_apart(const struct partition *p) { return p->beginnings == places_below(MEMBERS); }

/* Splits classes by what their members see of the others until that tells nothing new. */
static void refine(struct refining *r, struct partition *p) {
    for (uint64_t before = 0; p->beginnings != before && !is_told_apart(p);) {
        before = p->beginnings;
        union numbers known = blurred(&p->numbers), seen = look_around(&r->sight, &r->heard, &known, NULL);
        lanes number[VECTORS];
        for (int v = 0; v < VECTORS; v++) number[v] = in_bits(seen.all[v], NUMBER_BITS);
        split_classes(p, number);
    }
}

/* Whether exchanging two members leaves the state as it is. */
static inline bool are_twins(const struct refining *r, uint32_t a, uint32_t b) {
    if (memcmp(r->keys + a * MEMBER_WORDS, r->keys + b * MEMBER_WORDS, MEMBER_WORDS * sizeof *r->keys)) return false;
#if TABLE_OF_PAIRS
    return share_facts(&r->sight, a, b);
#else
    int32_t number[MEMBERS];
    for (int m = 0; m < MEMBERS; m++) number[m] = m;
    number[a] = (int32_t)b;
    number[b] = (int32_t)a;
    for (int i = 0; i < r->heard.count; i++)
        if (!holds(r, renamed_literal(r, r->heard.facts[i], number))) return false;
    return true;
#endif
}

static void image_of(const struct refining *r, const struct partition *p, word *out) {
    word image[WORDS], keys[MEMBERS * MEMBER_WORDS + 1];
    for (int m = 0; m < MEMBERS; m++)
        for (int w = 0; w < MEMBER_WORDS; w++) keys[p->class_of[m] * MEMBER_WORDS + w] = r->keys[m * MEMBER_WORDS + w];
    for (int w = 0; w < WORDS; w++) image[w] = (r->state[w] & kept_bits[w]) | silent_state[w];
    write_keys(keys, image);
    for (int i = 0; i < r->heard.count; i++) {
        literal l = renamed_literal(r, r->heard.facts[i], p->class_of);
        if (WORDS <= 4)
            for (int w = 0; w < WORDS; w++) image[w] ^= bits_of[l] & (WORDS == 1 ? ~(word)0 : -(word)(word_of[l] == w));
        else
            image[word_of[l]] ^= bits_of[l];
    }
    memcpy(out, image, sizeof image);
}

/* Puts a member before the others of its class. */
static void put_first(struct partition *p, int member) {
    int32_t first = p->class_of[member];
    lanes each = {0, 1, 2, 3};
    for (int v = 0; v < VECTORS; v++) {
        p->classes[v] -= (p->classes[v] == first) & (each != member); /* true is -1 in a lane */
        each += LANE;
    }
    p->beginnings |= UINT64_C(2) << first;
}

/* Members of a class, one for several twins, and for how many. */
struct choice {
    int count, member[MEMBERS], twins[MEMBERS];
};

static inline void choose(const struct refining *r, uint64_t members, struct choice *choice) {
    int count = 0;
    for (; members; members &= members - 1) {
        int m = __builtin_ctzll(members), k = 0;
        while (k < count && !are_twins(r, (uint32_t)choice->member[k], (uint32_t)m)) k++;
        if (k == count) choice->member[count] = m, choice->twins[count++] = 0;
        choice->twins[k]++;
    }
    choice->count = count;
}

/* Puts the members of a class, all of them twins, one behind the other. In whatever order they come, nobody sees a difference,
 * and nobody else is told apart. */
static inline void put_in_any_order(struct partition *p, uint64_t members, int first, int end) {
    for (int32_t place = first; members; members &= members - 1) p->class_of[__builtin_ctzll(members)] = place++;
    p->beginnings |= places_below(end);
}

/* The image that some way from refined classes leads to. */
static void any_image(struct refining *r, struct partition p, word *image) {
    int first, end;
    struct choice choice;
    while (next_class(&p, &first, &end)) {
        uint64_t members = members_of(&p, first);
        choose(r, members, &choice);
        if (choice.count == 1) {
            put_in_any_order(&p, members, first, end);
        } else {
            put_first(&p, choice.member[0]);
            refine(r, &p);
        }
    }
    image_of(r, &p, image);
}

static inline bool same_words(const word *a, const word *b) { return memcmp(a, b, WORDS * sizeof *a) == 0; }

static bool try_all(struct refining *r, struct partition *p, bool is_refined, struct found *out);

/* Tries all ways to put one of some members of refined classes first. A way that leads to an image which another one leads to is
 * that other way with members renamed, so that all they lead to is the same, too. */
static bool try_each(struct refining *r, const struct partition *p, const struct choice *choice, struct found *out) {
    struct found known[FEW_KNOWN], other;
    int known_count = 0;
    for (int k = 0; k < choice->count; k++) {
        if (asked_to_stop(r->x->run) && ++r->late > LATE_WAYS) return false;
        struct partition child = *p;
        put_first(&child, choice->member[k]);
        refine(r, &child);
        const struct found *it = NULL;
        if (known_count > 0) {
            word image[WORDS];
            any_image(r, child, image);
            for (int j = 0; j < known_count && !it; j++)
                if (same_words(image, known[j].first) || same_words(image, known[j].least)) it = &known[j];
        }
        if (!it) {
            struct found *mine = known_count < FEW_KNOWN ? &known[known_count++] : &other;
            if (!try_all(r, &child, true, mine)) return false;
            it = mine;
        }
        int order = k == 0 ? -1 : memcmp(it->least, out->least, sizeof it->least);
        if (k == 0) memcpy(out->first, it->first, sizeof it->first);
        if (order < 0) memcpy(out->least, it->least, sizeof it->least), out->fixing = 0;
        if (order <= 0) out->fixing += it->fixing * (count_t)choice->twins[k];
    }
    return true;
}

/* Tries every way to tell members of classes apart, one of several twins for all of them. Twins are never told apart, so classes
 * are refined only where there are others. False if there is no time left. */
static bool try_all(struct refining *r, struct partition *p, bool is_refined, struct found *out) {
    count_t weight = 1; /* ways that look the same */
    int first, end;
    struct choice choice;
    while (next_class(p, &first, &end)) {
        uint64_t members = members_of(p, first);
        choose(r, members, &choice);
        if (choice.count == 1) {
            put_in_any_order(p, members, first, end);
            weight *= factorials[end - first];
        } else if (!is_refined) {
            refine(r, p);
            is_refined = true;
        } else {
            bool is_done = try_each(r, p, &choice, out);
            out->fixing *= weight;
            return is_done;
        }
    }
    image_of(r, p, out->first);
    memcpy(out->least, out->first, sizeof out->first);
    out->fixing = weight;
    return true;
}

/* Takes notice of a literal. */
static inline __attribute__((always_inline)) void hear(struct refining *r, const struct fact *f, int *count) {
    see(&r->sight, f);
    r->heard.facts[(*count)++] = f;
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
    r->heard.count = count;
    return is_known;
}

/* What the keys of members say, as numbers; 0 where they say nothing. */
static inline union numbers said_alone(const struct refining *r) {
    union numbers said = {{0}};
    for (int m = 0; m < (MEMBER_WORDS ? MEMBERS : 0); m++) {
        uint64_t all = 0, any = 0;
        for (int w = 0; w < MEMBER_WORDS; w++) {
            any |= r->keys[m * MEMBER_WORDS + w];
            all = mixed(all + r->keys[m * MEMBER_WORDS + w]);
        }
        said.of[m] = any ? (uint32_t)all | 1 : 0;
    }
    return said;
}

/* In how many orders members can come of whom nothing is said (-1): sort by sort. */
static inline count_t orders_of_silent(const lanes *is_silent) {
    int32_t each[LANES];
    memcpy(each, is_silent, sizeof each);
    count_t orders = 1;
    for (int sort = 0; sort < SORTS; sort++) {
        int many = 0;
        for (int m = sort_start[sort]; m < sort_start[sort + 1]; m++) many -= each[m];
        orders *= factorials[many];
    }
    return orders;
}

/* Puts the members of each sort into classes by what is said of each, but first those of whom nothing is said, in any order;
 * in how many orders that can be done. Where members have no keys, how often facts name them takes the place of these. */
static inline count_t begin(const struct refining *r, const union numbers *said, struct partition *p) {
    union numbers known = *said, any, seen = look_around(&r->sight, &r->heard, said, &any);
    if (!MEMBER_WORDS) {
        known = blurred(&seen);
        seen = look_around(&r->sight, &r->heard, &known, NULL);
    }
    lanes number[VECTORS], is_silent[VECTORS], each = {0, 1, 2, 3};
    for (int v = 0; v < VECTORS; v++) {
        is_silent[v] = (any.all[v] | said->all[v]) == 0;
        lanes behind = in_bits(seen.all[v] + (known.all[v] << 2), NUMBER_BITS - 1) | 1 << (NUMBER_BITS - 1);
        number[v] = (is_silent[v] & each) | (~is_silent[v] & behind);
        each += LANE;
    }
    memcpy(p->classes, first_classes, sizeof p->classes);
    split_classes(p, number);
    return orders_of_silent(is_silent);
}

static count_t refine_state(struct scratch *x, word *s) {
    struct refining r;
    r.x = x;
    r.renamed = table_renamed(x->run);
    r.state = s;
    r.late = 0;
    see_nothing(&r.sight);
    memset(r.keys, 0, sizeof r.keys);
    read_keys(s, r.keys);
    union numbers said = said_alone(&r);
    if (!hear_all(&r, (const struct fact *)table_facts(x->run))) return 0;
    struct partition p;
    struct found found;
    count_t orders = begin(&r, &said, &p);
    if (is_told_apart(&p)) {
        image_of(&r, &p, s);
        return at_least_one(orders);
    }
    if (!try_all(&r, &p, false, &found)) {
        x->gave_up = true;
        return 0;
    }
    memcpy(s, found.least, sizeof found.least);
    return at_least_one(orders * found.fixing);
}

#endif
