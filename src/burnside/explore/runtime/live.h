/* Accepting cycles of the product of a model and an automaton, found while it is explored [Couvreur99].
 *
 * A state of the product is a state of the model with the automaton's state in a field of its own. One thread searches
 * depth first and keeps the components of what is open as a stack of roots, each with the acceptance sets that edges
 * inside it have been seen to belong to. A component that has them all is the answer. A run that ends stays in its last
 * state for ever, with no event. Generated code defines, beside what model.h asks for:
 *
 *   LABELLED
 *   AUTOMATON_WORD, AUTOMATON_SHIFT, AUTOMATON_MASK         the field of the automaton's state
 *   const struct automaton_edge automaton_edges[];          edges of state q: first_edge[q] up to first_edge[q + 1]
 *   const uint32_t first_edge[];
 *   ALL_MARKS                                               one bit for every acceptance set
 *   FAIR_MARKS                                              the first bit of weak fairness, one for every process; or -1
 *   const uint16_t process_of[]                             by label; NOBODY if no process acts
 *   uint64_t state_atoms(const word *s, int *fault)
 *   uint64_t event_atoms(uint32_t label, const word *s, int *fault)
 */
#ifndef BURNSIDE_LIVE_H
#define BURNSIDE_LIVE_H

#include "explore.h"

enum { NOBODY = 0xFFFF, NO_LABEL = UINT32_MAX };

/* An edge of the product. */
struct arc {
    uint32_t target, label;
    uint64_t marks;
};

struct open_state {
    uint32_t state;
    size_t first, next; /* its arcs among the pending ones: from first on; next is the one to look at */
};

/* A component of open states: its first state, the marks inside it, and those of the edge that led there. */
struct root {
    uint32_t rank;
    uint64_t marks, entering;
};

struct live {
    struct engine *engine;
    struct worker *worker;
    uint32_t *ranks; /* 0: not seen, CLOSED: in no open component */
    uint32_t count;
    struct arc *pending;
    size_t pending_count, pending_room;
    struct open_state *open;
    size_t open_count, open_room;
    struct root *roots;
    size_t root_count, root_room;
    uint32_t *members; /* states of open components, in the order of their ranks */
    size_t member_count, member_room;
    uint32_t *labels;
    /* the lasso: states and the labels of the steps that leave them */
    uint32_t *path, *path_labels;
    size_t path_count, path_room, stem;
    struct arc *before; /* of the breadth-first search at hand: who led here, how */
    bool *reached;
};

enum { CLOSED = UINT32_MAX };

/* Room for one more element; false when there is no memory. */
static bool make_room(void **items, size_t *room, size_t count, size_t size) {
    if (count < *room) return true;
    size_t more = *room ? 2 * *room : 1024;
    void *larger = realloc(*items, more * size);
    if (!larger) return false;
    *items = larger;
    *room = more;
    return true;
}

#define PUSH(items, count, room, ...) \
    (make_room((void **)&(items), &(room), (count), sizeof *(items)) ? ((items)[(count)++] = __VA_ARGS__, true) : false)

/* ------------------------------------------------------------------ the product */

static uint64_t fair_marks(uint64_t enabled, uint32_t label) {
    if (FAIR_MARKS < 0) return 0;
    uint64_t acting = label == NO_LABEL || process_of[label] == NOBODY ? 0 : UINT64_C(1) << process_of[label];
    return (~enabled | acting) << (FAIR_MARKS < 0 ? 0 : FAIR_MARKS) & ALL_MARKS;
}

/* Append the arcs of one step of the model, as the automaton allows; false after a limit. */
static bool add_arcs(struct live *x, const word *s, word *t, uint32_t label, uint64_t atoms, uint64_t fair) {
    struct worker *w = x->worker;
    word state = s[AUTOMATON_WORD] >> AUTOMATON_SHIFT & AUTOMATON_MASK;
    for (uint32_t e = first_edge[state]; e < first_edge[state + 1]; e++) {
        const struct automaton_edge *edge = &automaton_edges[e];
        if ((atoms & edge->required) != edge->required || (atoms & edge->forbidden)) continue;
        t[AUTOMATON_WORD] = (t[AUTOMATON_WORD] & ~(AUTOMATON_MASK << AUTOMATON_SHIFT)) | (word)edge->target << AUTOMATON_SHIFT;
        uint32_t target = enter(w, t, hash_state(t), 0, NONE);
        if (target == NONE) return false;
        if (!PUSH(x->pending, x->pending_count, x->pending_room, (struct arc){target, label, edge->marks | fair})) return false;
        w->new_transitions++;
    }
    return true;
}

/* Append the arcs of a state to the pending ones; false after a fault or a limit. */
static bool append_arcs(struct live *x, uint32_t index) {
    struct worker *w = x->worker;
    struct engine *engine = x->engine;
    const word *s = state_at(&engine->store, index);
    int fault = NO_FAULT;
    label_out = x->labels;
    word *end = successors(s, w->buffer, &fault);
    size_t count = (size_t)(end - w->buffer) / WORDS;
    uint64_t atoms = fault ? 0 : state_atoms(s, &fault);
    uint64_t enabled = 0;
    for (size_t k = 0; k < count; k++)
        if (process_of[x->labels[k]] != NOBODY) enabled |= UINT64_C(1) << process_of[x->labels[k]];
    if (!count && !fault) {
        word same[WORDS];
        memcpy(same, s, sizeof same);
        return add_arcs(x, s, same, NO_LABEL, atoms, fair_marks(0, NO_LABEL));
    }
    for (size_t k = 0; k < count && !fault; k++) {
        uint64_t events = event_atoms(x->labels[k], s, &fault);
        if (!fault && !add_arcs(x, s, w->buffer + k * WORDS, x->labels[k], atoms | events, fair_marks(enabled, x->labels[k]))) return false;
    }
    if (fault) note_fault(engine->run, index, fault);
    return !fault;
}

/* ------------------------------------------------------------------ components */

static bool open_new(struct live *x, uint32_t state, uint64_t entering) {
    x->ranks[state] = ++x->count;
    return PUSH(x->members, x->member_count, x->member_room, state) &&
           PUSH(x->roots, x->root_count, x->root_room, (struct root){x->count, 0, entering}) &&
           PUSH(x->open, x->open_count, x->open_room, (struct open_state){state, x->pending_count, x->pending_count}) &&
           append_arcs(x, state);
}

/* An arc back into an open component closes a cycle: all components on it become one. */
static bool unite(struct live *x, uint32_t rank, uint64_t marks) {
    while (x->roots[x->root_count - 1].rank > rank) {
        struct root *top = &x->roots[--x->root_count];
        marks |= top->marks | top->entering;
    }
    struct root *root = &x->roots[x->root_count - 1];
    root->marks |= marks;
    return root->marks == ALL_MARKS;
}

static void close_top(struct live *x) {
    struct open_state *top = &x->open[--x->open_count];
    uint32_t rank = x->ranks[top->state];
    x->pending_count = top->first;
    if (x->roots[x->root_count - 1].rank != rank) return;
    x->root_count--;
    for (uint32_t state = NONE; state != top->state;) {
        state = x->members[--x->member_count];
        x->ranks[state] = CLOSED;
    }
}

/* Search from one state; true if an accepting component was found, which is then the last one that is open. */
static bool search_from(struct live *x, uint32_t start) {
    struct run *run = x->engine->run;
    bool going_on = open_new(x, start, 0);
    while (going_on && x->open_count) {
        struct open_state *top = &x->open[x->open_count - 1];
        if (top->next == x->pending_count) {
            close_top(x);
            continue;
        }
        struct arc arc = x->pending[top->next++];
        uint32_t rank = x->ranks[arc.target];
        if (rank == 0) {
            /* What is behind the arc stays pending for this state: the new one appends its own. */
            going_on = open_new(x, arc.target, arc.marks);
            publish_figures(x->worker);
            if (atomic_load(&x->engine->wants_growth)) grow(x->engine);
            if (stopped(run)) return false;
        } else if (rank != CLOSED && unite(x, rank, arc.marks)) {
            return true;
        }
    }
    if (!going_on) stop(run, STOP_MEMORY); /* no effect if something else stopped the search */
    return false;
}

/* ------------------------------------------------------------------ the lasso */

static bool is_inside(const struct live *x, uint32_t state) {
    uint32_t rank = x->ranks[state];
    return rank != CLOSED && rank >= x->roots[x->root_count - 1].rank;
}

static bool add_step(struct live *x, uint32_t state, uint32_t label) {
    size_t room = x->path_room;
    if (!make_room((void **)&x->path_labels, &room, x->path_count, sizeof *x->path_labels)) return false;
    x->path_labels[x->path_count] = label;
    return PUSH(x->path, x->path_count, x->path_room, state);
}

/* Append the steps of the way that the last search found to a state, that state excluded. */
static bool add_way(struct live *x, uint32_t state) {
    size_t length = 0;
    for (uint32_t at = state; x->before[at].target != NONE; at = x->before[at].target) length++;
    struct arc *steps = malloc((length + 1) * sizeof *steps);
    if (!steps) return false;
    size_t place = length;
    for (uint32_t at = state; x->before[at].target != NONE; at = x->before[at].target) steps[--place] = x->before[at];
    bool fits = true;
    for (size_t k = 0; k < length && fits; k++) fits = add_step(x, steps[k].target, steps[k].label);
    free(steps);
    return fits;
}

/* What a breadth-first search looks for: an arc with a mark, an arc to a state, or (both unset) a state inside. */
struct goal {
    uint64_t mark;
    uint32_t state;
};

/* Find a nearest goal from some states, append the way to it to the path, and return where it ends; NONE after a
 * limit. Searches for arcs stay inside the component. */
static uint32_t go_to(struct live *x, const uint32_t *starts, size_t count, struct goal goal) {
    uint64_t states = x->engine->allocated;
    bool seeks_arc = goal.mark || goal.state != NONE;
    uint32_t *queue = malloc((size_t)states * sizeof *queue), found = NONE;
    if (!queue) return NONE;
    memset(x->reached, 0, states * sizeof *x->reached);
    size_t head = 0, tail = 0;
    for (size_t k = 0; k < count; k++) {
        x->reached[starts[k]] = true;
        x->before[starts[k]] = (struct arc){NONE, NO_LABEL, 0};
        queue[tail++] = starts[k];
    }
    while (head < tail && found == NONE) {
        uint32_t state = queue[head++];
        if (!seeks_arc && is_inside(x, state)) {
            found = add_way(x, state) ? state : NONE;
            break;
        }
        size_t first = x->pending_count;
        if (!append_arcs(x, state)) break;
        for (size_t k = first; k < x->pending_count && found == NONE; k++) {
            struct arc arc = x->pending[k];
            if (x->ranks[arc.target] == 0 || (seeks_arc && !is_inside(x, arc.target))) continue;
            if (seeks_arc && ((arc.marks & goal.mark) || arc.target == goal.state)) {
                if (add_way(x, state) && add_step(x, state, arc.label)) found = arc.target;
                else head = tail;
                break;
            }
            if (x->reached[arc.target]) continue;
            x->reached[arc.target] = true;
            x->before[arc.target] = (struct arc){state, arc.label, arc.marks};
            queue[tail++] = arc.target;
        }
        x->pending_count = first;
    }
    free(queue);
    return found;
}

/* The stem, then a loop through the component that sees every acceptance set. */
static bool find_lasso(struct live *x, uint32_t initial) {
    uint32_t *starts = malloc(((size_t)initial + 1) * sizeof *starts);
    if (!starts) return false;
    for (uint32_t k = 0; k < initial; k++) starts[k] = k;
    uint32_t start = go_to(x, starts, initial, (struct goal){0, NONE});
    free(starts);
    if (start == NONE) return false;
    x->stem = x->path_count;
    uint32_t here = start;
    for (uint64_t left = ALL_MARKS; left; left &= left - 1)
        if ((here = go_to(x, &here, 1, (struct goal){left & -left, NONE})) == NONE) return false;
    if (here != start || x->path_count == x->stem)
        if (go_to(x, &here, 1, (struct goal){0, start}) == NONE) return false;
    return true;
}

/* ------------------------------------------------------------------ entry points */

static bool open_live(struct live *x, struct engine *engine) {
    uint64_t capacity = engine->store.capacity;
    x->engine = engine;
    x->worker = &engine->workers[0];
    x->ranks = reserve(capacity * sizeof *x->ranks);
    x->before = reserve(capacity * sizeof *x->before);
    x->reached = reserve(capacity * sizeof *x->reached);
    x->labels = malloc((MOST_SUCCESSORS + 1) * sizeof *x->labels);
    return x->ranks && x->before && x->reached && x->labels;
}

static void close_live(struct live *x) {
    uint64_t capacity = x->engine->store.capacity;
    if (x->ranks) munmap(x->ranks, capacity * sizeof *x->ranks);
    if (x->before) munmap(x->before, capacity * sizeof *x->before);
    if (x->reached) munmap(x->reached, capacity * sizeof *x->reached);
    free(x->labels);
    free(x->pending);
    free(x->open);
    free(x->roots);
    free(x->members);
}

/* Search the product. A lasso that was found stands in the run until burnside_close_lasso. */
void burnside_live(struct run *run, struct lasso *lasso) {
    struct engine *engine = calloc(1, sizeof *engine);
    struct live live = {0};
    memset(lasso, 0, sizeof *lasso);
    run->engine = engine;
    run->threads = 1;
    if (!engine) {
        stop(run, STOP_MEMORY);
        return;
    }
    engine->run = run;
    if (!open_engine(engine) || !open_live(&live, engine)) {
        stop(run, STOP_MEMORY);
    } else {
        find_initial(&engine->workers[0]);
        uint32_t initial = (uint32_t)run->initial_states;
        bool found = false;
        for (uint32_t k = 0; k < initial && !found && !stopped(run); k++)
            if (live.ranks[k] == 0) found = search_from(&live, k);
        publish_figures(&engine->workers[0]);
        if (found && find_lasso(&live, initial)) {
            *lasso = (struct lasso){live.path, live.path_labels, (uint32_t)live.stem, (uint32_t)live.path_count};
            stop(run, STOP_DECIDED);
        } else {
            free(live.path);
            free(live.path_labels);
            if (found) stop(run, STOP_MEMORY);
        }
        atomic_store(&run->bytes, bytes_used(engine, atomic_load(&run->states)));
    }
    if (live.engine) close_live(&live);
}

/* Write the words of the states of a lasso. */
void burnside_lasso_states(const struct run *run, const struct lasso *lasso, word *out) {
    for (uint32_t k = 0; k < lasso->length; k++)
        memcpy(out + (size_t)k * WORDS, state_at(&run->engine->store, lasso->states[k]), WORDS * sizeof(word));
}

void burnside_close_lasso(struct lasso *lasso) {
    free(lasso->states);
    free(lasso->labels);
}

#endif
