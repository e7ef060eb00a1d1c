/* A run that shows an accepting and fair set: a shortest way to it, and one round through it.
 *
 * The round sees every acceptance set and takes every unit to where it acts or, if that is enough, rests. On a quotient
 * it comes back up to a renaming only; Python repeats it until it closes.
 */
#ifndef BURNSIDE_LASSO_H
#define BURNSIDE_LASSO_H

struct path {
    uint32_t *states, *labels; /* states of the product, each with the label of the step that leaves it */
    size_t count, state_room, label_room;
};

static bool add_step(struct path *path, uint32_t state, uint32_t label) {
    if (!make_room((void **)&path->labels, &path->label_room, path->count, 1, sizeof *path->labels)) return false;
    path->labels[path->count] = label;
    return PUSH(path->states, path->count, path->state_room, state);
}

static bool is_inside(const struct live *x, uint32_t state) {
    return x->nodes[state] && x->part.scope[x->nodes[state] - 1] == x->fair_scope;
}

/* ------------------------------------------------------------------ the stem */

/* Append the way from an initial state to a state, given who leads to whom. */
static bool add_way(struct path *path, const struct arc *before, uint32_t state) {
    size_t length = 0;
    for (uint32_t at = state; before[at].target != NONE; at = before[at].target) length++;
    struct arc *steps = malloc((length + 1) * sizeof *steps);
    if (!steps) return false;
    size_t place = length;
    for (uint32_t at = state; before[at].target != NONE; at = before[at].target) steps[--place] = before[at];
    bool fits = true;
    for (size_t k = 0; k < length && fits; k++) fits = add_step(path, steps[k].target, steps[k].label);
    free(steps);
    return fits;
}

/* The nearest state inside, by breadth-first search among the states that are known; NONE after a limit. */
static uint32_t find_stem(struct live *x, uint32_t initial, struct path *path) {
    uint64_t states = x->engine->allocated;
    uint32_t *queue = malloc((size_t)states * sizeof *queue), found = NONE, head = 0, tail = 0;
    struct arc *before = malloc((size_t)states * sizeof *before);
    bool *reached = calloc((size_t)states, sizeof *reached);
    for (; tail < initial && queue && before && reached; tail++) {
        queue[tail] = tail;
        reached[tail] = true;
        before[tail] = (struct arc){NONE, NO_LABEL, 0};
    }
    while (head < tail && found == NONE) {
        uint32_t state = queue[head++];
        if (is_inside(x, state)) {
            found = add_way(path, before, state) ? state : NONE;
            break;
        }
        size_t first = x->pending_count;
        if (!append_arcs(x, state)) break;
        for (size_t k = first; k < x->pending_count; k++) {
            struct arc arc = x->pending[k];
            if (x->ranks[arc.target] == 0 || reached[arc.target]) continue;
            reached[arc.target] = true;
            before[arc.target] = (struct arc){state, arc.label, arc.marks};
            queue[tail++] = arc.target;
        }
        x->pending_count = first;
    }
    free(queue);
    free(before);
    free(reached);
    return found;
}

/* ------------------------------------------------------------------ the round */

/* Where the round has got to, and what it has seen. Units are named as at its start. */
struct tour {
    const struct part *part;
    uint32_t scope, start, here;
    unit names[64 * UNIT_WORDS]; /* what the units are called here */
    bool acted[64 * UNIT_WORDS], rested[64 * UNIT_WORDS];
    uint64_t marks;
    struct path *path;
    uint32_t *before, *queue; /* by place: the place that led there; and the places to be searched */
    size_t *how;              /* by place: the arc that led there */
    bool *reached;
};

/* What to walk to: an arc with a mark, where a unit acts or (if that will do) rests, or a node. */
struct goal {
    uint64_t mark;
    int unit; /* -1: none */
    bool resting_will_do;
    uint32_t node;
};

/* A place is a node, or a strand if a unit is followed. */
static inline uint32_t place_of(uint32_t node, unit name, bool follows) { return follows ? node * UNITS + name : node; }

static bool take(struct tour *t, size_t arc) {
    const struct part *p = t->part;
    const struct arc *a = &p->arcs[arc];
    if (!add_step(t->path, p->states[t->here], a->label)) return false;
    for (unit u = 0; u < UNITS; u++) {
        t->rested[u] |= !is_enabled(p, t->here, t->names[u]);
        t->acted[u] |= acts(a->label, t->names[u]);
        t->names[u] = renamed(p, arc, t->names[u]);
    }
    t->marks |= a->marks;
    t->here = a->target;
    return true;
}

/* Take the arcs that the last search found to a place. */
static bool walk_to(struct tour *t, uint32_t place) {
    size_t length = 0;
    for (uint32_t at = place; t->before[at] != NONE; at = t->before[at]) length++;
    size_t *arcs = malloc((length + 1) * sizeof *arcs), k = length;
    if (!arcs) return false;
    for (uint32_t at = place; t->before[at] != NONE; at = t->before[at]) arcs[--k] = t->how[at];
    bool fits = true;
    for (k = 0; k < length && fits; k++) fits = take(t, arcs[k]);
    free(arcs);
    return fits;
}

/* Walk to the nearest goal inside; false if there is none, or no memory. */
static bool go_to(struct tour *t, struct goal goal) {
    const struct part *p = t->part;
    bool follows = FOLLOWED && goal.unit >= 0;
    const uint32_t width = follows ? UNITS : 1; /* places of a node */
    unit name = goal.unit >= 0 ? t->names[goal.unit] : 0;
    uint32_t head = 0, tail = 0, start = place_of(t->here, name, follows);
    memset(t->reached, 0, (size_t)p->size * width);
    t->reached[start] = true;
    t->before[start] = NONE;
    t->queue[tail++] = start;
    while (head < tail) {
        uint32_t place = t->queue[head++], node = place / width;
        if (follows) name = (unit)(place % width);
        if (goal.resting_will_do && !is_enabled(p, node, name)) return walk_to(t, place);
        for (size_t a = p->first[node]; a < p->first[node + 1]; a++) {
            const struct arc *arc = &p->arcs[a];
            if (p->scope[arc->target] != t->scope) continue;
            bool is_goal = (arc->marks & goal.mark) || (goal.unit >= 0 ? acts(arc->label, name) : arc->target == goal.node);
            if (is_goal) return walk_to(t, place) && take(t, a);
            uint32_t next = place_of(arc->target, follows ? renamed(p, a, name) : 0, follows);
            if (t->reached[next]) continue;
            t->reached[next] = true;
            t->before[next] = place;
            t->how[next] = a;
            t->queue[tail++] = next;
        }
    }
    return false;
}

static bool be_fair_to(struct tour *t, struct part *p, unit u) {
    uint8_t flags = p->flags[class_of(p, strand_of(t->start, u))];
    bool resting_will_do = FAIRNESS == FAIRNESS_WEAK;
    if (t->acted[u] || (resting_will_do && (t->rested[u] || !is_enabled(p, t->here, t->names[u])))) return true;
    if (!(flags & CAN_ACT)) return true;
    return go_to(t, (struct goal){0, u, resting_will_do, NONE});
}

static bool go_round(struct tour *t, struct part *p) {
    for (uint64_t left; (left = ALL_MARKS & ~t->marks);)
        if (!go_to(t, (struct goal){left & -left, -1, false, NONE})) return false;
    for (unit u = 0; u < UNITS && JUDGED_WHOLE; u++)
        if (!be_fair_to(t, p, u)) return false;
    return true;
}

static bool find_round(struct live *x, uint32_t start, struct path *path) {
    struct part *p = &x->part;
    size_t places = (size_t)p->size * (FOLLOWED ? UNITS : 1), stem = path->count;
    struct tour t = {.part = p, .scope = x->fair_scope, .start = x->nodes[start] - 1, .path = path};
    t.here = t.start;
    for (unit u = 0; u < UNITS; u++) t.names[u] = u;
    t.before = malloc(places * sizeof *t.before);
    t.queue = malloc(places * sizeof *t.queue);
    t.how = malloc(places * sizeof *t.how);
    t.reached = malloc(places * sizeof *t.reached);
    bool fits = t.before && t.queue && t.how && t.reached;
    if (fits) fits = go_round(&t, p);
    if (fits && (t.here != t.start || path->count == stem)) fits = go_to(&t, (struct goal){0, -1, false, t.start});
    free(t.before);
    free(t.queue);
    free(t.how);
    free(t.reached);
    return fits;
}

/* The stem and the round. */
static bool find_lasso(struct live *x, uint32_t initial, struct lasso *lasso) {
    struct path path = {0};
    uint32_t start = find_stem(x, initial, &path);
    size_t stem = path.count;
    if (start != NONE && find_round(x, start, &path)) {
        *lasso = (struct lasso){path.states, path.labels, (uint32_t)stem, (uint32_t)path.count, 0};
        return true;
    }
    free(path.states);
    free(path.labels);
    return false;
}

#endif
