/* Fair sets inside a component of the product [EmersonSistla97, EmersonLei87]; lasso.h finds a tour through one.
 *
 * On a quotient, an arc renames the units of fairness (processes, mostly): the symmetry that leads to the target's
 * representative does. A *strand* is a node and a unit; arcs lead from strand to strand. The strands of a strongly
 * connected set fall into classes, and a run that takes every arc again and again takes each unit through all of one.
 *
 *     weak     every unit is infinitely often disabled or executed: a class needs a strand that rests or acts
 *     strong   a unit that is infinitely often enabled is executed: a class that can act needs a strand that acts; if it
 *              has none, the nodes where it can act are left out, and the rest is searched again
 *
 * is_unfair() is this rule; docs/theory/liveness.md proves it. FOLLOWED is UNITS if arcs rename units, otherwise 0.
 */
#ifndef BURNSIDE_FAIR_H
#define BURNSIDE_FAIR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* An edge of the product: from a state to a state, or within a part from a node to a node. */
struct arc {
    uint32_t target, label;
    uint64_t marks;
};

typedef uint16_t unit;

/* A component as a graph of its own: nodes are numbered, and only arcs inside are kept. */
struct part {
    uint32_t size;
    uint32_t *states;   /* of the product, by node */
    size_t *first;      /* arcs of node n: first[n] up to first[n + 1] */
    struct arc *arcs;
    unit *names;        /* FOLLOWED for every arc: what each unit is called behind it */
    uint64_t *enabled;  /* UNIT_WORDS for every node */
    uint32_t *scope;    /* by node, the set that it is in; 0 if in none */
    uint32_t scopes;
    uint32_t *order;    /* nodes; every set that is looked at is a range of it */
    uint32_t *ranks, *low, *stack, *popped;
    size_t *next;       /* by node, the arc to look at next */
    uint32_t *parent;   /* of strands, in a forest of classes */
    uint8_t *flags;     /* by class */
    /* for FAIRNESS_GLOBAL: */
    uint32_t *degrees;  /* by node: steps of the model that are possible there */
    uint32_t *twins;    /* by node: the first node with the same state of the model */
    uint32_t *taken;    /* by node that is its own twin: how many different steps are taken inside */
    uint64_t *seen;     /* pairs of a twin and a label: a table with room for twice as many as there are arcs */
    uint64_t seen_mask;
};

enum { ACTS = 1, CAN_ACT = 2, RESTS = 4 };

/* Without renaming there is one class for every unit. */
static inline size_t strand_of(uint32_t node, unit u) { return FOLLOWED ? (size_t)node * UNITS + u : u; }

static inline bool is_enabled(const struct part *p, uint32_t node, unit u) {
    return p->enabled[(size_t)node * UNIT_WORDS + u / 64] >> u % 64 & 1;
}

static inline unit renamed(const struct part *p, size_t arc, unit u) {
    return FOLLOWED ? p->names[arc * FOLLOWED + u] : u;
}

static inline bool acts(uint32_t label, unit u) {
    if (label == NO_LABEL) return false;
    for (uint32_t k = acting_first[label]; k < acting_first[label + 1]; k++)
        if (acting[k] == u) return true;
    return false;
}

static bool open_sets(struct part *p) {
    size_t size = p->size, strands = FOLLOWED ? size * UNITS : UNITS;
    p->scope = calloc(size, sizeof *p->scope);
    p->order = malloc(size * sizeof *p->order);
    p->ranks = malloc(size * sizeof *p->ranks);
    p->low = malloc(size * sizeof *p->low);
    p->stack = malloc(size * sizeof *p->stack);
    p->popped = malloc(size * sizeof *p->popped);
    p->next = malloc(size * sizeof *p->next);
    p->parent = malloc((strands + 1) * sizeof *p->parent);
    p->flags = malloc(strands + 1);
    return p->scope && p->order && p->ranks && p->low && p->stack && p->popped && p->next && p->parent && p->flags;
}

static void close_part(struct part *p) {
    void *all[] = {p->states, p->first, p->arcs, p->names, p->enabled, p->scope, p->order, p->ranks, p->low,
                   p->stack, p->popped, p->next, p->parent, p->flags, p->degrees, p->twins, p->taken, p->seen};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
}

/* ------------------------------------------------------------------ classes of strands */

static uint32_t class_of(struct part *p, size_t strand) {
    uint32_t at = (uint32_t)strand;
    while (p->parent[at] != at) at = p->parent[at] = p->parent[p->parent[at]];
    return at;
}

/* Gather what the classes of a set do. */
static void classify(struct part *p, const uint32_t *nodes, uint32_t count) {
    uint32_t scope = p->scope[nodes[0]];
    for (uint32_t k = 0; k < (FOLLOWED ? count : 1); k++)
        for (unit u = 0; u < UNITS; u++) {
            size_t strand = strand_of(nodes[k], u);
            p->parent[strand] = (uint32_t)strand;
            p->flags[strand] = 0;
        }
    for (uint32_t k = 0; FOLLOWED && k < count; k++)
        for (size_t a = p->first[nodes[k]]; a < p->first[nodes[k] + 1]; a++)
            for (unit u = 0; u < UNITS && p->scope[p->arcs[a].target] == scope; u++)
                p->parent[class_of(p, strand_of(nodes[k], u))] = class_of(p, strand_of(p->arcs[a].target, renamed(p, a, u)));
    for (uint32_t k = 0; k < count; k++) {
        for (unit u = 0; u < UNITS; u++)
            p->flags[class_of(p, strand_of(nodes[k], u))] |= is_enabled(p, nodes[k], u) ? CAN_ACT : RESTS;
        for (size_t a = p->first[nodes[k]]; a < p->first[nodes[k] + 1]; a++) {
            uint32_t label = p->arcs[a].label;
            if (!UNITS || label == NO_LABEL || p->scope[p->arcs[a].target] != scope) continue;
            for (uint32_t j = acting_first[label]; j < acting_first[label + 1]; j++)
                p->flags[class_of(p, strand_of(nodes[k], acting[j]))] |= ACTS;
        }
    }
}

/* ------------------------------------------------------------------ global fairness
 *
 * A step that is possible in a state that is visited again and again is taken from there again and again: strong
 * fairness with a unit for every pair of a state and a label. Which automaton states go with the state does not matter. */

static bool open_global(struct part *p) {
    uint64_t room = 16;
    while (room < 2 * p->first[p->size] + 2) room *= 2;
    p->seen_mask = room - 1;
    p->seen = malloc(room * sizeof *p->seen);
    p->taken = malloc(p->size * sizeof *p->taken);
    return p->seen && p->taken;
}

/* Whether a step of a twin is met for the first time. */
static bool is_new_step(struct part *p, uint32_t twin, uint32_t label) {
    uint64_t key = (uint64_t)twin << 32 | label, at = (key * 0x9E3779B97F4A7C15u >> 20) & p->seen_mask;
    while (p->seen[at] != UINT64_MAX && p->seen[at] != key) at = (at + 1) & p->seen_mask;
    bool is_new = p->seen[at] != key;
    p->seen[at] = key;
    return is_new;
}

/* Count the different steps that are taken inside a set, by state of the model. */
static void count_taken(struct part *p, const uint32_t *nodes, uint32_t count) {
    uint32_t scope = p->scope[nodes[0]];
    memset(p->seen, 0xFF, (p->seen_mask + 1) * sizeof *p->seen);
    for (uint32_t k = 0; k < count; k++) p->taken[p->twins[nodes[k]]] = 0;
    for (uint32_t k = 0; k < count; k++)
        for (size_t a = p->first[nodes[k]]; a < p->first[nodes[k] + 1]; a++) {
            uint32_t label = p->arcs[a].label, twin = p->twins[nodes[k]];
            if (label != NO_LABEL && p->scope[p->arcs[a].target] == scope) p->taken[twin] += is_new_step(p, twin, label);
        }
}

/* Whether all steps are taken from every node of a set, whatever automaton state it has. On a quotient that is certain to
 * be fair; otherwise two states of one orbit might go with different automaton states, each without some step. */
static bool takes_all_steps(const struct part *p, uint32_t scope) {
    for (uint32_t n = 0; n < p->size; n++) {
        if (p->scope[n] != scope) continue;
        uint32_t taken = 0, last = NO_LABEL; /* arcs of one label stand side by side */
        for (size_t a = p->first[n]; a < p->first[n + 1]; a++)
            if (p->scope[p->arcs[a].target] == scope && p->arcs[a].label != last) last = p->arcs[a].label, taken++;
        if (taken < p->degrees[n]) return false;
    }
    return true;
}

/* ------------------------------------------------------------------ what is unfair */

static bool is_unfair(uint8_t flags) {
    if (flags & ACTS) return false;
    return FAIRNESS == FAIRNESS_STRONG ? (flags & CAN_ACT) != 0 : !(flags & RESTS);
}

static bool is_unfair_node(struct part *p, uint32_t node) {
    if (FAIRNESS == FAIRNESS_GLOBAL) return p->taken[p->twins[node]] < p->degrees[node];
    for (unit u = 0; u < UNITS; u++)
        if (is_enabled(p, node, u) && is_unfair(p->flags[class_of(p, strand_of(node, u))])) return true;
    return false;
}

/* ------------------------------------------------------------------ sets of nodes */

static bool is_accepting(const struct part *p, const uint32_t *nodes, uint32_t count) {
    uint32_t scope = p->scope[nodes[0]];
    uint64_t marks = 0;
    bool has_arcs = false;
    for (uint32_t k = 0; k < count; k++)
        for (size_t a = p->first[nodes[k]]; a < p->first[nodes[k] + 1]; a++)
            if (p->scope[p->arcs[a].target] == scope) {
                marks |= p->arcs[a].marks;
                has_arcs = true;
            }
    return has_arcs && marks == ALL_MARKS;
}

/* Give a strongly connected set a scope of its own, and leave out the nodes that a fair run cannot visit for ever. The
 * result is how many are left, those first; *fair says that none had to go. */
static uint32_t keep_fair(struct part *p, uint32_t *nodes, uint32_t count, bool *fair) {
    p->scopes++;
    for (uint32_t k = 0; k < count; k++) p->scope[nodes[k]] = p->scopes;
    if (!is_accepting(p, nodes, count)) return 0;
    if (FAIRNESS == FAIRNESS_GLOBAL) count_taken(p, nodes, count);
    else classify(p, nodes, count);
    uint32_t kept = 0;
    for (uint32_t k = 0; k < count; k++) {
        if (is_unfair_node(p, nodes[k])) p->popped[k] = 1;
        else p->popped[k] = 0, kept++;
    }
    *fair = kept == count;
    /* Weakly unfair classes stay so in every subset. */
    if (*fair || FAIRNESS == FAIRNESS_WEAK || FAIRNESS == FAIRNESS_MARKED) return *fair ? count : 0;
    for (uint32_t k = 0, at = 0; k < count; k++) {
        if (p->popped[k]) p->scope[nodes[k]] = 0;
        else nodes[at++] = nodes[k];
    }
    return kept;
}

/* Order the nodes of a range by strongly connected components, each a range; their sizes go to sizes[]. [Tarjan72] */
static uint32_t split(struct part *p, uint32_t *nodes, uint32_t count, uint32_t *sizes) {
    uint32_t scope = p->scope[nodes[0]], found = 0, filled = 0, rank = 0, depth = 0, open = 0;
    uint32_t *path = sizes + p->size; /* the nodes being searched: room behind the sizes */
    for (uint32_t k = 0; k < count; k++) p->ranks[nodes[k]] = 0;
    for (uint32_t k = 0; k < count; k++) {
        if (p->ranks[nodes[k]]) continue;
        path[depth++] = nodes[k];
        p->ranks[nodes[k]] = 0;
        while (depth) {
            uint32_t node = path[depth - 1];
            if (!p->ranks[node]) {
                p->ranks[node] = p->low[node] = ++rank;
                p->next[node] = p->first[node];
                p->stack[open++] = node;
            }
            bool descends = false;
            while (p->next[node] < p->first[node + 1] && !descends) {
                uint32_t target = p->arcs[p->next[node]].target;
                if (p->scope[target] != scope) p->next[node]++;
                else if (!p->ranks[target]) path[depth++] = target, descends = true;
                else {
                    if (p->low[target] < p->low[node]) p->low[node] = p->low[target];
                    p->next[node]++;
                }
            }
            if (descends) continue;
            depth--;
            if (p->low[node] != p->ranks[node]) continue;
            uint32_t before = filled;
            do {
                p->popped[filled++] = p->stack[--open];
                p->low[p->stack[open]] = UINT32_MAX; /* in no open component */
            } while (p->stack[open] != node);
            sizes[found++] = filled - before;
        }
    }
    memcpy(nodes, p->popped, filled * sizeof *nodes);
    return found;
}

struct slice {
    uint32_t first, count;
};

/* Gather the nodes of a scope at the beginning of the order, and what their classes do. */
static void gather(struct part *p, uint32_t scope) {
    uint32_t count = 0;
    for (uint32_t n = 0; n < p->size; n++)
        if (p->scope[n] == scope) p->order[count++] = n;
    if (UNITS) classify(p, p->order, count);
}

/* The scope of the fair and accepting set of nodes that holds the least node, or with `any` of the first one found; 0 if
 * there is none, UINT32_MAX if there is no memory. */
static uint32_t find_fair_scope(struct part *p, bool any) {
    size_t waiting = 0;
    uint32_t found = 0, least = UINT32_MAX;
    struct slice *slices = malloc(((size_t)p->size + 1) * sizeof *slices);
    uint32_t *sizes = malloc((2 * (size_t)p->size + 1) * sizeof *sizes);
    if (!slices || !sizes) found = UINT32_MAX;
    for (uint32_t n = 0; n < p->size && !found; n++) p->order[n] = n, p->scope[n] = 1;
    p->scopes = 1;
    if (!found) slices[waiting++] = (struct slice){0, p->size};
    while (waiting && !(any && found)) {
        struct slice slice = slices[--waiting];
        uint32_t components = split(p, p->order + slice.first, slice.count, sizes);
        for (uint32_t c = 0, first = slice.first; c < components && !(any && found); first += sizes[c++]) {
            bool fair = false;
            uint32_t kept = keep_fair(p, p->order + first, sizes[c], &fair), nearest = UINT32_MAX;
            for (uint32_t k = 0; fair && k < kept; k++)
                if (p->order[first + k] < nearest) nearest = p->order[first + k];
            if (fair && nearest < least) found = p->scopes, least = nearest;
            else if (!fair && kept) slices[waiting++] = (struct slice){first, kept};
        }
    }
    free(slices);
    free(sizes);
    if (found && found != UINT32_MAX && !any) gather(p, found);
    return found;
}

#endif
