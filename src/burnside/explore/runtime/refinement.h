/* Canonical forms by partition refinement (reduce/symmetry/refinement.py).
 *
 * The group has every permutation of MEMBERS members that keeps their sorts. A literal is a *fact* about some of them, and
 * whoever renames members renames facts. Members are told apart by the facts about them, then by the facts that they
 * share with members told apart already, until nothing more can be told: an ordered partition that depends on the orbit
 * alone. Where that leaves several members in a class, each of them is made the first in turn; the least image wins.
 *
 * At most positions one literal is *silent*: it is there where no other is, whoever is renamed. So a state is given by
 * the facts that are not silent, and only these are looked at. Generated code defines, before it includes this:
 *
 *   MEMBERS, SORTS, sort_start[SORTS + 1]   members, sort by sort
 *   NAMES                                   how many members a fact is about at most
 *   silent_state[WORDS]                     the state in which all is silent, but for bits that are not moved
 *   sparse_bits[WORDS], position_at[]       bits of the positions that can be silent, and the position of each bit
 *   LOUD, loud_positions[]                  the other positions
 *   bits_of[], word_of[]                    where a literal differs from silence
 *   table_facts, table_renamed              see struct fact
 */
#ifndef BURNSIDE_REFINEMENT_H
#define BURNSIDE_REFINEMENT_H

#include "symmetry.h"

enum { FEW_KNOWN = 8 };      /* ways that others are compared with */
enum { LATE_WAYS = 1 << 8 }; /* that are still tried when time is up: self-tests come after the search */

/* What a literal says, and of whom. With the numbers that members get in their sorts, it becomes the literal
 * table_renamed[start + sum of stride * number]. */
struct fact {
    uint32_t start, names;
    uint32_t member[NAMES], stride[NAMES];
};

_Static_assert(sizeof(struct fact) == (2 + 2 * NAMES) * sizeof(uint32_t), "a fact is a row of table_facts");

/* An ordered partition: `order` has the members class by class, `class_of` where the class of a member begins. */
struct partition {
    uint8_t order[MEMBERS], class_of[MEMBERS];
};

struct refining {
    struct scratch *x;
    const uint16_t *renamed;
    const word *state;
    const struct fact *facts[POSITIONS]; /* those about one member behind those about several */
    int fact_count, link_count;
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

static inline literal renamed_literal(const struct refining *r, const struct fact *f, const uint8_t *number) {
    uint32_t at = f->start;
    for (int k = 0; k < NAMES; k++) at += f->stride[k] * number[f->member[k]];
    return r->renamed[at];
}

/* Splits classes by what was seen; whether any was split. */
static bool split_classes(struct refining *r, struct partition *p) {
    bool any = false;
    for (int first = 0, next; first < MEMBERS; first = next) {
        for (next = first + 1; next < MEMBERS && p->class_of[p->order[next]] == first; next++) {
            uint8_t moved = p->order[next];
            int at = next;
            for (; at > first && r->seen[moved] < r->seen[p->order[at - 1]]; at--) p->order[at] = p->order[at - 1];
            p->order[at] = moved;
        }
        for (int at = first, begin = first; at < next; at++) {
            if (at > first && r->seen[p->order[at]] != r->seen[p->order[at - 1]]) begin = at, any = true;
            p->class_of[p->order[at]] = (uint8_t)begin;
        }
    }
    return any;
}

static void refine(struct refining *r, struct partition *p) {
    do {
        memset(r->seen, 0, sizeof r->seen);
        for (int i = 0; i < r->link_count; i++) {
            const struct fact *f = r->facts[i];
            uint64_t all = f->start;
            for (uint32_t k = 0; k < f->names; k++) all = all * 64 + p->class_of[f->member[k]];
            all = mixed(all);
            for (uint32_t k = 0; k < f->names; k++) r->seen[f->member[k]] += mixed(all + k);
        }
    } while (split_classes(r, p));
}

/* Whether exchanging two members leaves the state as it is. */
static bool are_twins(const struct refining *r, uint8_t a, uint8_t b) {
    uint8_t number[MEMBERS];
    for (int sort = 0; sort < SORTS; sort++)
        for (int m = sort_start[sort]; m < sort_start[sort + 1]; m++) number[m] = (uint8_t)(m - sort_start[sort]);
    uint8_t kept = number[a];
    number[a] = number[b];
    number[b] = kept;
    for (int i = 0; i < r->fact_count; i++) {
        literal l = renamed_literal(r, r->facts[i], number);
        if (literal_at(r->state, (int)position_of[l]) != l) return false;
    }
    return true;
}

static void image_of(const struct refining *r, const struct partition *p, word *image) {
    uint8_t number[MEMBERS];
    for (int sort = 0; sort < SORTS; sort++)
        for (int at = sort_start[sort]; at < sort_start[sort + 1]; at++) number[p->order[at]] = (uint8_t)(at - sort_start[sort]);
    for (int w = 0; w < WORDS; w++) image[w] = (r->state[w] & ~moved_bits[w]) | silent_state[w];
    for (int i = 0; i < r->fact_count; i++) {
        literal l = renamed_literal(r, r->facts[i], number);
        image[word_of[l]] ^= bits_of[l];
    }
}

/* The first class at or behind a place that has several members, and its end; false if there is none. */
static bool next_class(const struct partition *p, int *first, int *end) {
    for (; *first < MEMBERS; *first = *end) {
        for (*end = *first + 1; *end < MEMBERS && p->class_of[p->order[*end]] == *first; ++*end) {}
        if (*end > *first + 1) return true;
    }
    return false;
}

/* Puts a member of a class before the others. */
static void put_first(struct partition *p, int first, int end, uint8_t member) {
    int at = first;
    while (p->order[at] != member) at++;
    for (; at > first; at--) p->order[at] = p->order[at - 1];
    p->order[first] = member;
    for (at = first + 1; at < end; at++) p->class_of[p->order[at]] = (uint8_t)(first + 1);
}

/* The image that some way leads to. */
static void any_image(struct refining *r, struct partition p, word *image) {
    int first = 0, end;
    for (refine(r, &p); next_class(&p, &first, &end); refine(r, &p)) put_first(&p, first, end, p.order[first]);
    image_of(r, &p, image);
}

static inline bool same_words(const word *a, const word *b) { return memcmp(a, b, WORDS * sizeof *a) == 0; }

/* Tries every way to tell members of one class apart, one of several twins for all of them. A way that leads to an image
 * which another one leads to is that other way with members renamed, so that all they lead to is the same, too. False if
 * there is no time left. */
static bool try_all(struct refining *r, struct partition *p, struct found *out) {
    count_t weight = 1; /* ways that look the same */
    int first = 0, end;
    refine(r, p);
    for (; next_class(p, &first, &end); first = end) {
        uint8_t different[MEMBERS];
        count_t twins[MEMBERS];
        int count = 0;
        for (int at = first; at < end; at++) {
            int k = 0;
            while (k < count && !are_twins(r, different[k], p->order[at])) k++;
            if (k == count) different[count] = p->order[at], twins[count++] = 0;
            twins[k]++;
        }
        if (count == 1) { /* in whatever order they come, nobody sees a difference, and nobody else is told apart */
            for (int at = first; at < end; at++) {
                p->class_of[p->order[at]] = (uint8_t)at;
                weight *= (count_t)(at - first + 1);
            }
            continue;
        }
        struct found known[FEW_KNOWN], other;
        int known_count = 0;
        for (int k = 0; k < count; k++) {
            if (asked_to_stop(r->x->run) && ++r->late > LATE_WAYS) return false;
            struct partition child = *p;
            put_first(&child, first, end, different[k]);
            const struct found *it = NULL;
            if (known_count > 0) {
                word image[WORDS];
                any_image(r, child, image);
                for (int j = 0; j < known_count && !it; j++)
                    if (same_words(image, known[j].first) || same_words(image, known[j].least)) it = &known[j];
            }
            if (!it) {
                struct found *mine = known_count < FEW_KNOWN ? &known[known_count++] : &other;
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

/* Takes notice of what a position says; false if it cannot say that. */
static inline bool hear(struct refining *r, const struct fact *facts, int position) {
    literal l = literal_at(r->state, position);
    if (l == NO_LITERAL) return false;
    const struct fact *f = &facts[l];
    r->facts[r->fact_count++] = f;
    if (f->names == 1) r->seen[f->member[0]] += mixed(f->start);
    if (f->names > 1) {
        r->facts[r->fact_count - 1] = r->facts[r->link_count];
        r->facts[r->link_count++] = f;
    }
    return true;
}

static count_t refine_state(struct scratch *x, word *s) {
    struct refining r;
    const struct fact *facts = (const struct fact *)table_facts(x->run);
    r.x = x;
    r.renamed = table_renamed(x->run);
    r.state = s;
    r.fact_count = r.link_count = r.late = 0;
    memset(r.seen, 0, sizeof r.seen);
    for (int i = 0; i < LOUD; i++)
        if (!hear(&r, facts, loud_positions[i])) return 0;
    for (int w = 0; w < WORDS; w++)
        for (word different = (s[w] ^ silent_state[w]) & sparse_bits[w]; different;) {
            int k = position_at[w * 64 + __builtin_ctzll(different)];
            different &= ~(position_mask[k] << position_shift[k]);
            if (!hear(&r, facts, k)) return 0;
        }
    struct partition p;
    for (int sort = 0; sort < SORTS; sort++)
        for (int m = sort_start[sort]; m < sort_start[sort + 1]; m++) p.order[m] = (uint8_t)m, p.class_of[m] = (uint8_t)sort_start[sort];
    split_classes(&r, &p);
    struct found found;
    if (!try_all(&r, &p, &found)) {
        x->gave_up = true;
        return 0;
    }
    memcpy(s, found.least, sizeof found.least);
    return at_least_one(found.fixing);
}

#endif
