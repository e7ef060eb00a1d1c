/* The walk of a stabiliser DAG (reduce/symmetry/chain.py), whose tables Python makes. */
#ifndef BURNSIDE_CHAIN_H
#define BURNSIDE_CHAIN_H

#include "symmetry.h"

enum { DAG_END = 0, DAG_COMPARE, DAG_BRANCH };

struct dag_node {
    uint32_t kind;
    uint32_t list, list_size; /* positions to compare, or positions whose literals can come here */
    uint32_t target;          /* end: offset of its order, in two halves; compare: the node after it; branch: offset of its
                                 rows in values and moves, one entry per literal */
    uint32_t child;           /* branch: offset of its children, one per value */
};

_Static_assert(sizeof(struct dag_node) == 5 * sizeof(uint32_t), "a node is a row of table_dag_nodes");

static inline uint64_t hash_image(const image *a) {
    uint64_t h = 0;
    for (int k = 0; k < POSITIONS; k++) h = (h ^ a->at[k]) * 0x9E3779B97F4A7C15u;
    return h ^ (h >> 32);
}

enum { FEW = 12 };      /* up to here images are compared one by one */
enum { LATE = 1 << 8 }; /* images that are still looked at when time is up: self-tests come after the search */

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

/* A step to the representative: the least image of s in an order of positions that the DAG gives. */
static count_t walk_dag(struct scratch *x, word *s) {
    const struct dag_node *nodes = (const struct dag_node *)table_dag_nodes(x->run);
    const uint32_t *lists = table_dag_lists(x->run), *all_moves = table_dag_moves(x->run);
    const uint16_t *all_values = table_dag_values(x->run), *elements = table_dag_elements(x->run);
    int side = 0;
    size_t count = 1, late = 0;
    if (!unpack(s, &x->images[0][0])) return 0;
    x->paths[0][0] = 1;
    for (const struct dag_node *node = nodes;;) {
        const uint32_t *list = lists + node->list;
        if (node->kind == DAG_END || node->kind == DAG_COMPARE) {
            count = keep_least(x, side, count, list, node->list_size);
            if (node->kind == DAG_COMPARE) {
                node = nodes + node->target;
                continue;
            }
            pack(&x->images[side][0], s);
#if FOLLOWED
            memcpy(x->names, x->images[side][0].names, sizeof x->names);
#endif
            const uint64_t *order = table_dag_orders(x->run) + node->target;
            return at_least_one(x->paths[side][0] * ((count_t)order[1] << 64 | order[0]));
        }
        const uint16_t *values = all_values + node->target;
        const uint32_t *moves = all_moves + node->target;
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
            if (asked_to_stop(x->run) && ++late > LATE) return give_up(x);
            for (uint32_t j = 0; j < node->list_size; j++) {
                literal l = x->images[side][i].at[list[j]];
                if (values[l] != least) continue;
                apply(elements + (size_t)moves[l] * POINTS, &x->images[side][i], &x->images[1 - side][found]);
                found = merge_image(x, 1 - side, found, x->paths[side][i]);
            }
        }
        side = 1 - side;
        count = found;
        node = nodes + table_dag_children(x->run)[node->child + least];
    }
}

#endif
