/* Canonical forms: every state is replaced by the representative of its orbit before it is looked up.
 *
 * Generated code (reduce/symmetry/) describes the moved cells ("positions") and their literals before it includes this:
 *
 *   what config.h lists for symmetry
 *   position_word[], position_shift[], position_mask[]   where a position is packed
 *   literal_start[], literal_of[]                        literal of a raw value: literal_of[literal_start[k] + raw]
 *   raw_of[], position_of[]                              raw value and position of a literal
 *   moved_bits[WORDS]                                    all bits of all positions
 *   table_pruners, table_pruner_sources                  tables, see struct pruning
 *
 * and afterwards the steps to a representative, and `canonicalise`, which takes them one after the other.
 */
#ifndef BURNSIDE_SYMMETRY_H
#define BURNSIDE_SYMMETRY_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "representatives.h"

typedef uint16_t literal;

enum { NO_LITERAL = 0xFFFF, POINTS = LITERALS + FOLLOWED };

/* Where a position is packed is constant, so loops over positions gain from being written out. */
#define UNROLLED _Pragma("GCC unroll 64")

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

struct scratch *open_scratch(struct run *run) {
    struct scratch *x = calloc(1, sizeof *x);
    if (!x) return NULL;
    x->run = run;
    x->memory = calloc(MEMORY, sizeof *x->memory);
    if (grow_scratch(x, FIRST_ROOM)) return x;
    close_scratch(x);
    return NULL;
}

void close_scratch(struct scratch *x) {
    if (!x) return;
    for (int k = 0; k < 2; k++) {
        free(x->images[k]);
        free(x->paths[k]);
    }
    free(x->slots);
    free(x->stamps);
    free(x->memory);
    free(x);
}

bool gave_up(const struct scratch *x) { return x->gave_up; }

const uint16_t *names_behind(const struct scratch *x) {
#if FOLLOWED
    return x->names;
#else
    return (void)x, NULL;
#endif
}

/* Numbers of elements that do not fit are those of groups so large that nobody asks for sizes of orbits. */
static inline count_t at_least_one(count_t number) { return number ? number : 1; }

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

bool move_state(const uint16_t *element, word *s) {
    image before, after;
    if (!unpack(s, &before)) return false;
    apply(element, &before, &after);
    pack(&after, s);
    return true;
}

static inline bool same_image(const image *a, const image *b) { return memcmp(a->at, b->at, sizeof a->at) == 0; }

static inline bool less_image(const image *a, const image *b) {
    for (int k = 0; k < POSITIONS; k++)
        if (a->at[k] != b->at[k]) return a->at[k] < b->at[k];
    return false;
}

count_t orbit_size(count_t fixing) { return !fixing ? 0 : ORDER ? ORDER / fixing : 1; }

count_t represent(struct scratch *x, word *s, uint64_t hash) {
    struct remembered *memory = x->memory ? &x->memory[hash % MEMORY] : NULL;
    if (memory && memory->orbit && memcmp(memory->state, s, sizeof memory->state) == 0) {
        memcpy(s, memory->representative, sizeof memory->representative);
        x->known++;
        return memory->orbit;
    }
    if (memory) memcpy(memory->state, s, sizeof memory->state);
    count_t orbit = orbit_size(canonicalise(x, s));
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
    const struct run *run;
    bool is_off;
    int32_t time[POSITIONS];   /* the free cell with which a position gets its value, -1 if it has one from the start */
    uint16_t order[POSITIONS]; /* positions by time: the order in which states are compared */
    uint16_t *progress;        /* per free cell and element: positions found equal so far, or DECIDED */
};

enum { DECIDED = 0xFFFF };

struct pruning *open_pruning(const struct run *run) {
    struct pruning *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->run = run;
    p->is_off = run->is_plain;
    int filled = 0;
    for (int k = 0; k < POSITIONS; k++) {
        p->time[k] = -1;
        for (int f = 0; f < FREE_CELLS; f++)
            if (free_cells[f].word == position_word[k] && free_cells[f].shift == position_shift[k] && free_cells[f].mask) p->time[k] = f;
    }
    for (int time = -1; time < FREE_CELLS; time++)
        for (int k = 0; k < POSITIONS; k++)
            if (p->time[k] == time) p->order[filled++] = (uint16_t)k;
    p->progress = calloc((size_t)(FREE_CELLS + 1) * (PRUNERS + 1), sizeof *p->progress);
    if (p->progress) return p;
    free(p);
    return NULL;
}

void close_pruning(struct pruning *p) {
    if (p) free(p->progress);
    free(p);
}

static inline literal literal_at(const word *s, int k) {
    return literal_of[literal_start[k] + (s[position_word[k]] >> position_shift[k] & position_mask[k])];
}

bool may_be_least(struct pruning *p, int last, const word *s) {
    const uint16_t *pruners = table_pruners(p->run);
    const uint16_t *sources = table_pruner_sources(p->run); /* the position that element e brings to position k */
    if (p->is_off) return true;
    const uint16_t *before = p->progress + (size_t)last * PRUNERS;
    uint16_t *after = p->progress + (size_t)(last + 1) * PRUNERS;
    for (uint32_t e = 0; e < PRUNERS; e++) {
        uint16_t at = before[e];
        while (at < POSITIONS) {
            int k = p->order[at], j = sources[(size_t)e * POSITIONS + k];
            if (p->time[k] > last || p->time[j] > last) break;
            literal own = literal_at(s, k), other = literal_at(s, j);
            if (own == NO_LITERAL || other == NO_LITERAL) break;
            literal image_there = pruners[(size_t)e * POINTS + other];
            if (image_there < own) return false;
            at = image_there > own ? DECIDED : at + 1;
        }
        after[e] = at;
    }
    return true;
}

#endif
