/* Canonical forms: every state is replaced by the representative of its orbit before it is looked up.
 *
 * SORTS: some direct factors of the group are taken care of by sorting (generated code, see reduce/sorting.py).
 * REDUCTION chooses how the others are: not at all, a walk of a stabiliser DAG (tables from Python, reduce/chain.py),
 * all images computed on packed words (generated code), or local search over the generators (several representatives
 * per orbit).
 * Generated code describes the moved cells ("positions") and their literals:
 *
 *   POSITIONS, LITERALS
 *   position_word[], position_shift[], position_mask[]   where a position is packed
 *   literal_start[], literal_of[]                        literal of a raw value: literal_of[literal_start[k] + raw]
 *   raw_of[], position_of[]                              raw value and position of a literal
 *   moved_bits[WORDS]                                    all bits of all positions
 *   FOLLOWED                                             points behind the literals that are followed: see names
 *   void least_image(const word *s, word *least, uint64_t *fixing)    for REDUCE_IMAGES
 *   count_t sort_facts(word *s)                                       for SORTS
 */
#ifndef BURNSIDE_REDUCE_H
#define BURNSIDE_REDUCE_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"
#include "run.h"
#include "sort.h"

#define REDUCE_NOT 0
#define REDUCE_CHAIN 1
#define REDUCE_LOCAL 2
#define REDUCE_IMAGES 3
#define REDUCE_SORTED 4 /* sorting does it all */

#ifndef REDUCTION
#define REDUCTION REDUCE_NOT
#endif

typedef uint16_t literal;

enum { NO_LITERAL = 0xFFFF };

/* Where a position is packed is constant, so loops over positions gain from being written out. */
#define UNROLLED _Pragma("GCC unroll 64")

#if REDUCTION == REDUCE_NOT

struct scratch {
    int unused;
};
static bool open_scratch(struct scratch *scratch, struct run *run) { return (void)run, scratch != NULL; }
static void close_scratch(struct scratch *scratch) { (void)scratch; }

#else

#ifndef FOLLOWED
#define FOLLOWED 0
#endif

enum { POINTS = LITERALS + FOLLOWED };

/* One image of the state: a literal per position; and what the points that are followed have become, counted from 0. */
typedef struct {
    literal at[POSITIONS];
#if FOLLOWED
    literal names[FOLLOWED];
#endif
} image;

struct scratch {
    struct run *run;
    bool gave_up; /* the last representative was not found for lack of time or memory */
    image *images[2];
    count_t *paths[2]; /* how many elements of the group lead to each image, as cosets of the current subgroup */
    size_t room;
    uint32_t *slots; /* finds equal images when there are many */
    uint32_t *stamps;
    uint32_t stamp;
    size_t slot_room; /* a power of two */
    struct remembered *memory; /* representatives of states met lately; NULL if that does not pay */
    uint32_t asked, known;
#if FOLLOWED
    literal names[FOLLOWED]; /* of the representative that was found last */
#endif
};

/* A small direct-mapped memory: neighbouring states have many successors in common. */
struct remembered {
    word state[WORDS], representative[WORDS];
    count_t orbit; /* 0: nothing is remembered here */
};

enum { MEMORY = 1 << 13, TRIAL = 1 << 13 };

#ifndef BURNSIDE_ROOM
#define BURNSIDE_ROOM 256
#endif

enum { FIRST_ROOM = BURNSIDE_ROOM, SLOTS_PER_IMAGE = 4 };

/* Room for at least so many images; false when that is more than memory allows. */
static bool grow_scratch(struct scratch *x, size_t least) {
    size_t room = FIRST_ROOM; /* a power of two, for the slots */
    while (room < least) room *= 2;
    uint64_t bytes = 2 * room * (sizeof(image) + sizeof(count_t) + SLOTS_PER_IMAGE * sizeof(uint32_t));
    if (room > FIRST_ROOM && atomic_load(&x->run->bytes) + bytes > x->run->memory_limit) return false;
    for (int k = 0; k < 2; k++) {
        image *images = realloc(x->images[k], room * sizeof *images);
        if (images) x->images[k] = images;
        count_t *paths = realloc(x->paths[k], room * sizeof *paths);
        if (paths) x->paths[k] = paths;
        if (!images || !paths) return false;
    }
    free(x->slots);
    free(x->stamps);
    x->slot_room = SLOTS_PER_IMAGE * room;
    x->slots = malloc(x->slot_room * sizeof *x->slots);
    x->stamps = calloc(x->slot_room, sizeof *x->stamps);
    x->stamp = 0;
    x->room = room;
    return x->slots && x->stamps;
}

static bool open_scratch(struct scratch *x, struct run *run) {
    memset(x, 0, sizeof *x);
    x->run = run;
    x->memory = calloc(MEMORY, sizeof *x->memory);
    return grow_scratch(x, FIRST_ROOM);
}

static void close_scratch(struct scratch *x) {
    for (int k = 0; k < 2; k++) {
        free(x->images[k]);
        free(x->paths[k]);
    }
    free(x->slots);
    free(x->stamps);
    free(x->memory);
}

/* False if a value turns up that cannot occur: then detection was wrong about the model. */
static inline bool unpack(const word *s, image *out) {
    bool known = true;
UNROLLED
    for (int k = 0; k < POSITIONS; k++) {
        word raw = s[position_word[k]] >> position_shift[k] & position_mask[k];
        out->at[k] = literal_of[literal_start[k] + raw];
        known &= out->at[k] != NO_LITERAL;
    }
#if FOLLOWED
    for (int k = 0; k < FOLLOWED; k++) out->names[k] = (literal)k;
#endif
    return known;
}

static inline void pack(const image *in, word *s) {
    for (int i = 0; i < WORDS; i++) s[i] &= ~moved_bits[i];
UNROLLED
    for (int k = 0; k < POSITIONS; k++) s[position_word[k]] |= (word)raw_of[in->at[k]] << position_shift[k];
}

static inline void apply(const literal *element, const image *from, image *to) {
UNROLLED
    for (int k = 0; k < POSITIONS; k++) {
        literal l = element[from->at[k]];
        to->at[position_of[l]] = l;
    }
#if FOLLOWED
    for (int k = 0; k < FOLLOWED; k++) to->names[k] = (literal)(element[LITERALS + from->names[k]] - LITERALS);
#endif
}

static inline bool same_image(const image *a, const image *b) { return memcmp(a->at, b->at, sizeof a->at) == 0; }

static inline bool less_image(const image *a, const image *b) {
    for (int k = 0; k < POSITIONS; k++)
        if (a->at[k] != b->at[k]) return a->at[k] < b->at[k];
    return false;
}

static inline uint64_t hash_image(const image *a) {
    uint64_t h = 0;
    for (int k = 0; k < POSITIONS; k++) h = (h ^ a->at[k]) * 0x9E3779B97F4A7C15u;
    return h ^ (h >> 32);
}

enum { FEW = 12 }; /* up to here images are compared one by one */

/* Add images[count], which is already in place, unless it is there before; returns the new count. */
static size_t merge_image(struct scratch *x, int side, size_t count, count_t paths) {
    image *images = x->images[side];
    count_t *all_paths = x->paths[side];
    if (count < FEW) {
        for (size_t i = 0; i < count; i++)
            if (same_image(&images[i], &images[count])) {
                all_paths[i] += paths;
                return count;
            }
    } else {
        size_t first = count == FEW ? 0 : count;
        if (count == FEW && ++x->stamp == 0) {
            memset(x->stamps, 0, x->slot_room * sizeof *x->stamps);
            x->stamp = 1;
        }
        for (size_t i = first; i <= count; i++) {
            size_t at = hash_image(&images[i]) & (x->slot_room - 1);
            while (x->stamps[at] == x->stamp && !same_image(&images[x->slots[at]], &images[i])) at = (at + 1) & (x->slot_room - 1);
            if (x->stamps[at] == x->stamp) {
                all_paths[x->slots[at]] += paths;
                return count;
            }
            x->stamps[at] = x->stamp;
            x->slots[at] = (uint32_t)i;
        }
    }
    all_paths[count] = paths;
    return count + 1;
}

/* The representative under the factors that sorting does not take care of, in place of s; the result is the number of
 * their elements that fix s, or 0 if it gave up or met a value that cannot occur. */
static count_t search_least(const struct reduction *r, struct scratch *x, word *s);

#if REDUCTION == REDUCE_CHAIN

/* Keep the images that are least at some positions, in order. */
static size_t keep_least(struct scratch *x, int side, size_t count, const uint32_t *positions, uint32_t number) {
    image *images = x->images[side];
    for (uint32_t j = 0; j < number && count > 1; j++) {
        uint32_t k = positions[j];
        literal least = images[0].at[k];
        for (size_t i = 1; i < count; i++)
            if (images[i].at[k] < least) least = images[i].at[k];
        size_t kept = 0;
        for (size_t i = 0; i < count; i++)
            if (images[i].at[k] == least) {
                if (kept != i) {
                    images[kept] = images[i];
                    x->paths[side][kept] = x->paths[side][i];
                }
                kept++;
            }
        count = kept;
    }
    return count;
}

static count_t give_up(struct scratch *x) {
    x->gave_up = true;
    return 0;
}

static count_t search_least(const struct reduction *r, struct scratch *x, word *s) {
    int side = 0;
    size_t count = 1;
    if (!unpack(s, &x->images[0][0])) return 0;
    x->paths[0][0] = 1;
    for (const struct dag_node *node = r->nodes;;) {
        const uint32_t *list = r->lists + node->list;
        if (node->kind == DAG_END || node->kind == DAG_COMPARE) {
            count = keep_least(x, side, count, list, node->list_size);
            if (node->kind == DAG_COMPARE) {
                node = r->nodes + node->next;
                continue;
            }
            pack(&x->images[side][0], s);
#if FOLLOWED
            memcpy(x->names, x->images[side][0].names, sizeof x->names);
#endif
            return x->paths[side][0] * ((count_t)node->order_high << 64 | node->order_low);
        }
        const uint16_t *values = r->values + node->table;
        const uint32_t *moves = r->moves + node->table;
        uint16_t least = NO_LITERAL;
        for (size_t i = 0; i < count; i++)
            for (uint32_t j = 0; j < node->list_size; j++) {
                uint16_t value = values[x->images[side][i].at[list[j]]];
                if (value < least) least = value;
            }
        if (count * node->list_size + 1 > x->room && !grow_scratch(x, count * node->list_size + 1)) {
            stop(x->run, STOP_MEMORY);
            return give_up(x);
        }
        size_t found = 0;
        for (size_t i = 0; i < count; i++) {
            if (asked_to_stop(x->run)) return give_up(x);
            for (uint32_t j = 0; j < node->list_size; j++) {
                literal l = x->images[side][i].at[list[j]];
                if (values[l] != least) continue;
                apply(r->elements + (size_t)moves[l] * POINTS, &x->images[side][i], &x->images[1 - side][found]);
                found = merge_image(x, 1 - side, found, x->paths[side][i]);
            }
        }
        side = 1 - side;
        count = found;
        node = r->nodes + r->children[node->child + least];
    }
}

#elif REDUCTION == REDUCE_LOCAL

/* The least among the images under the generators, again and again until nothing improves. Not unique. */
static count_t search_least(const struct reduction *r, struct scratch *x, word *s) {
    image *best = &x->images[0][0], *other = &x->images[0][1], *least = &x->images[0][2];
    if (!unpack(s, best)) return 0;
    for (;;) {
        *least = *best;
        for (uint32_t g = 0; g < r->generator_count; g++) {
            apply(r->generators + (size_t)g * POINTS, best, other);
            if (less_image(other, least)) *least = *other;
        }
        if (same_image(least, best)) break;
        *best = *least;
    }
    pack(best, s);
    return 1;
}

#elif REDUCTION == REDUCE_IMAGES

static count_t search_least(const struct reduction *r, struct scratch *x, word *s) {
    (void)r, (void)x;
    uint64_t fixing = 1;
    word least[WORDS];
    least_image(s, least, &fixing);
    memcpy(s, least, sizeof least);
    return fixing;
}

#else

static count_t search_least(const struct reduction *r, struct scratch *x, word *s) { return (void)r, (void)x, (void)s, 1; }

#endif

/* Replaces s by its representative; the result is the number of elements that fix s, or 0 after a failure. */
static count_t canonicalise(const struct reduction *r, struct scratch *x, word *s) {
    count_t fixing = 1;
#if SORTS
    fixing = sort_facts(s);
#endif
    count_t rest = search_least(r, x, s);
    if (!rest) return 0;
    fixing *= rest;
    return fixing ? fixing : 1; /* 0: more than fits, in a group so large that nobody asks for sizes of orbits */
}

/* The representative of s in place of s; the result is the size of its orbit (1 if the order of the group is not
 * known), or 0 after a failure. */
static count_t represent(const struct reduction *r, struct scratch *x, word *s, uint64_t hash) {
    count_t order = (count_t)r->order_high << 64 | r->order_low;
    struct remembered *memory = x->memory ? &x->memory[hash % MEMORY] : NULL;
    if (memory && memory->orbit && memcmp(memory->state, s, sizeof memory->state) == 0) {
        memcpy(s, memory->representative, sizeof memory->representative);
        x->known++;
        return memory->orbit;
    }
    if (memory) memcpy(memory->state, s, sizeof memory->state);
    count_t fixing = canonicalise(r, x, s);
    count_t orbit = !fixing ? 0 : order ? order / fixing : 1;
    if (memory) {
        memcpy(memory->representative, s, sizeof memory->representative);
        memory->orbit = orbit;
        if (++x->asked == TRIAL && x->known < TRIAL / 8) {
            free(x->memory);
            x->memory = NULL;
        }
    }
    return orbit;
}

/* Initial states are enumerated cell by cell. A prefix that some element makes smaller cannot become the least state
 * of its orbit, so it is left out together with all that begins with it: what remains holds the least state of every
 * orbit of initial states. */
struct pruning {
    const struct reduction *reduction;
    int32_t time[POSITIONS];   /* the free cell with which a position gets its value, -1 if it has one from the start */
    uint16_t order[POSITIONS]; /* positions by time: the order in which states are compared */
    uint16_t *progress;        /* per free cell and element: positions found equal so far, or DECIDED */
};

enum { DECIDED = 0xFFFF };

static bool open_pruning(struct pruning *p, const struct reduction *r) {
    p->reduction = r;
    int filled = 0;
    for (int k = 0; k < POSITIONS; k++) {
        p->time[k] = -1;
        for (int f = 0; f < FREE_CELLS; f++)
            if (free_cells[f].word == position_word[k] && free_cells[f].shift == position_shift[k] && free_cells[f].mask) p->time[k] = f;
    }
    for (int time = -1; time < FREE_CELLS; time++)
        for (int k = 0; k < POSITIONS; k++)
            if (p->time[k] == time) p->order[filled++] = (uint16_t)k;
    p->progress = calloc((size_t)(FREE_CELLS + 1) * (r->pruner_count + 1), sizeof *p->progress);
    return p->progress != NULL;
}

static void close_pruning(struct pruning *p) { free(p->progress); }

static inline literal literal_at(const word *s, int k) {
    return literal_of[literal_start[k] + (s[position_word[k]] >> position_shift[k] & position_mask[k])];
}

/* Whether the cells given so far, the last of them free cell `last`, may begin a least state. */
static bool may_be_least(struct pruning *p, int last, const word *s) {
    const struct reduction *r = p->reduction;
    const uint16_t *before = p->progress + (size_t)last * r->pruner_count;
    uint16_t *after = p->progress + (size_t)(last + 1) * r->pruner_count;
    for (uint32_t e = 0; e < r->pruner_count; e++) {
        uint16_t at = before[e];
        while (at < POSITIONS) {
            int k = p->order[at], j = r->pruner_sources[(size_t)e * POSITIONS + k];
            if (p->time[k] > last || p->time[j] > last) break;
            literal own = literal_at(s, k), other = literal_at(s, j);
            if (own == NO_LITERAL || other == NO_LITERAL) break;
            literal image_there = r->pruners[(size_t)e * POINTS + other];
            if (image_there < own) return false;
            at = image_there > own ? DECIDED : at + 1;
        }
        after[e] = at;
    }
    return true;
}

/* Whether every generator leaves the representative of a state as it is: tested on states of every run. */
static bool representative_is_constant(const struct reduction *r, struct scratch *x, const word *s) {
    word expected[WORDS], found[WORDS];
    image here, there;
    memcpy(expected, s, sizeof expected);
    if (!unpack(s, &here) || !canonicalise(r, x, expected)) return false;
    for (uint32_t g = 0; g < r->generator_count; g++) {
        apply(r->generators + (size_t)g * POINTS, &here, &there);
        memcpy(found, s, sizeof found);
        pack(&there, found);
        if (!canonicalise(r, x, found) || memcmp(found, expected, sizeof found) != 0) return false;
    }
    return true;
}

#endif
#endif
