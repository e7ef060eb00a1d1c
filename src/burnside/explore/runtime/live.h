/* Accepting cycles of the product of a model and an automaton, found while it is explored [Couvreur99].
 *
 * A state of the product is a state of the model (on a quotient, a representative) with the automaton's state in a field
 * of its own. One thread searches depth first and keeps the components of what is open as a stack of roots, each with
 * the acceptance sets that edges inside it have been seen to belong to. A component that has them all is the answer;
 * where fairness cannot be told by marks, it is when the component is complete, and fair (fair.h). Before that, the
 * first BURNSIDE_NEARBY states are judged as one part, breadth first: most answers are near. A run that ends stays
 * in its last state for ever, with no event. With partial order, a state is left by the steps of a stubborn set alone.
 * Generated code sets what config.h lists for products and LABELS_ALWAYS, and defines what product.h has.
 */
#ifndef BURNSIDE_LIVE_H
#define BURNSIDE_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "explore.h"
#include "product.h"

struct open_state {
    uint32_t state;
    size_t first, next; /* its arcs among the pending ones: from first on; next is the one to look at */
};

/* A component of open states: its first state, the marks inside it, and those of the edge that led there. */
struct root {
    uint32_t rank;
    bool has_arcs;
    uint64_t marks, entering;
};

#include "fair.h"

/* Whether a component is judged when it is complete. */
#define JUDGED_WHOLE (FAIRNESS == FAIRNESS_WEAK || FAIRNESS == FAIRNESS_STRONG || FAIRNESS == FAIRNESS_GLOBAL)

struct live {
    struct engine *engine;
    struct worker *worker;
    uint32_t *ranks; /* 0: not seen, CLOSED: in no open component */
    uint32_t count;
    struct arc *pending;
    size_t pending_count, pending_room;
    unit *names; /* of the pending arcs, while a part is built */
    size_t name_count, name_room;
    bool keeps_names;
    uint64_t enabled[UNIT_WORDS]; /* units that can act in the state expanded last */
    uint32_t degree;              /* and how many steps are possible there */
    struct open_state *open;
    size_t open_count, open_room;
    struct root *roots;
    size_t root_count, root_room;
    uint32_t *members; /* states of open components, in the order of their ranks */
    size_t member_count, member_room;
    uint32_t *labels;
    word *numbers; /* of successors, each in the room of a state; for partial order */
    uint32_t *nodes;  /* by state: its node in the part, counted from 1; 0 if it is outside */
    struct part part; /* the component at hand, or the one that was found */
    uint32_t fair_scope;
};

enum { CLOSED = UINT32_MAX };

/* Room for so many more elements; false when there is no memory. */
static bool make_room(void **items, size_t *room, size_t count, size_t more, size_t size) {
    if (count + more <= *room) return true;
    size_t wanted = *room ? 2 * *room : 1024;
    if (wanted < count + more) wanted = count + more;
    void *larger = realloc(*items, wanted * size);
    if (!larger) return false;
    *items = larger;
    *room = wanted;
    return true;
}

#define PUSH(items, count, room, ...) \
    (make_room((void **)&(items), &(room), (count), 1, sizeof *(items)) ? ((items)[(count)++] = __VA_ARGS__, true) : false)

/* ------------------------------------------------------------------ the product */

/* The marks of weak fairness: a unit rests, or acts. */
static uint64_t unit_marks(const struct live *x, uint32_t label) {
    if (FAIRNESS != FAIRNESS_MARKED) return 0;
    uint64_t active = 0;
    if (label != NO_LABEL)
        for (uint32_t k = acting_first[label]; k < acting_first[label + 1]; k++) active |= UINT64_C(1) << acting[k];
    return (~x->enabled[0] | active) << UNIT_MARKS & ALL_MARKS;
}

/* Replace a successor by its representative; what units are called there is left in the scratch. */
static bool represented(struct live *x, word *t) {
    if (!SYMMETRY) return true; /* without the hash, and a call that the compiler cannot see through */
    struct scratch *scratch = x->worker->scratch;
    bool done = FOLLOWED ? canonicalise(scratch, t) != 0 : represent(scratch, t, hash_state(t)) != 0;
    if (!done && !gave_up(scratch)) stop(x->engine->run, STOP_BUG);
    return done;
}

static bool keep_names(struct live *x, uint32_t label) {
    if (!FOLLOWED || !x->keeps_names) return true;
    if (!make_room((void **)&x->names, &x->name_room, x->name_count, FOLLOWED, sizeof *x->names)) return false;
    const unit *names = names_behind(x->worker->scratch);
    for (unit u = 0; u < FOLLOWED; u++) x->names[x->name_count + u] = label == NO_LABEL ? u : names[u];
    x->name_count += FOLLOWED;
    return (void)label, true;
}

/* Append the arcs of one step of the model, as the automaton allows; false after a limit. */
static bool add_arcs(struct live *x, const word *s, word *t, uint32_t label, uint64_t atoms) {
    struct worker *w = x->worker;
    uint64_t fair = unit_marks(x, label);
    word state = s[AUTOMATON_WORD] >> AUTOMATON_SHIFT & AUTOMATON_MASK;
    if (label != NO_LABEL && !represented(x, t)) return false;
    for (uint32_t e = first_edge[state]; e < first_edge[state + 1]; e++) {
        const struct automaton_edge *edge = &automaton_edges[e];
        if ((atoms & edge->required) != edge->required || (atoms & edge->forbidden)) continue;
        t[AUTOMATON_WORD] = (t[AUTOMATON_WORD] & ~(AUTOMATON_MASK << AUTOMATON_SHIFT)) | (word)edge->target << AUTOMATON_SHIFT;
        uint32_t target = enter(w, t, hash_state(t), 0, NONE);
        if (target == NONE || !keep_names(x, label)) return false;
        if (!PUSH(x->pending, x->pending_count, x->pending_room, (struct arc){target, label, edge->marks | fair})) return false;
        w->new_transitions++;
    }
    return true;
}

static void note_enabled(struct live *x, size_t count) {
    memset(x->enabled, 0, sizeof x->enabled);
    for (size_t k = 0; k < count && UNITS; k++)
        for (uint32_t j = acting_first[x->labels[k]]; j < acting_first[x->labels[k] + 1]; j++)
            x->enabled[acting[j] / 64] |= UINT64_C(1) << acting[j] % 64;
}

#if PARTIAL_ORDER
/* Leave those of several successors that are enough, with their labels; how many, or 0 if steps are not known. Sets
 * depend on the state of the model alone, not on the automaton or the search. */
static size_t keep_some(struct live *x, const word *s, size_t count) {
    struct engine *engine = x->engine;
    word *buffer = x->worker->buffer;
    for (size_t k = 0; k < count; k++) x->numbers[k * WORDS] = k; /* in the place of the successors themselves */
    uint32_t kept = keep_stubborn(engine->run, s, engine->settled, false, x->numbers, x->labels, (uint32_t)count);
    if (kept == NONE) {
        stop(engine->run, STOP_BUG);
        return 0;
    }
    for (uint32_t i = 0; i < kept; i++) {
        size_t k = x->numbers[(size_t)i * WORDS];
        memmove(buffer + (size_t)i * WORDS, buffer + k * WORDS, WORDS * sizeof(word));
        x->labels[i] = x->labels[k];
    }
    return kept;
}
#endif

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
    note_enabled(x, count);
    x->degree = (uint32_t)count;
    if (!count && !fault) {
        word same[WORDS];
        memcpy(same, s, sizeof same);
        return add_arcs(x, s, same, NO_LABEL, atoms);
    }
#if PARTIAL_ORDER
    if (count > 1 && !fault && !(count = keep_some(x, s, count))) return false;
#endif
    for (size_t k = 0; k < count && !fault; k++) {
        uint64_t events = event_atoms(x->labels[k], s, &fault);
        if (!fault && !add_arcs(x, s, w->buffer + k * WORDS, x->labels[k], atoms | events)) return false;
    }
    if (!fault) return true;
    note(&engine->run->fault_state, index);
    stop(engine->run, STOP_FAULT);
    return false;
}

/* ------------------------------------------------------------------ a component by itself */

/* Append the arcs of a node that stay inside to those of the part. */
static bool add_node(struct live *x, uint32_t node, size_t *arc_room, size_t *name_room) {
    struct part *p = &x->part;
    size_t first = x->pending_count, kept = p->first[node];
    x->name_count = 0;
    if (!append_arcs(x, p->states[node])) return false;
    memcpy(p->enabled + (size_t)node * UNIT_WORDS, x->enabled, sizeof x->enabled);
    p->degrees[node] = x->degree;
    size_t more = x->pending_count - first, bytes = (kept + more) * (sizeof *p->arcs + FOLLOWED * sizeof *p->names);
    if (bytes > x->engine->run->memory_limit) return false;
    if (!make_room((void **)&p->arcs, arc_room, kept, more + 1, sizeof *p->arcs)) return false;
    if (!make_room((void **)&p->names, name_room, kept * FOLLOWED, more * FOLLOWED + 1, sizeof *p->names)) return false;
    for (size_t k = 0; k < more; k++) {
        struct arc arc = x->pending[first + k];
        if (!x->nodes[arc.target]) continue;
        arc.target = x->nodes[arc.target] - 1;
        if (FOLLOWED) memcpy(p->names + kept * FOLLOWED, x->names + k * FOLLOWED, FOLLOWED * sizeof *p->names);
        p->arcs[kept++] = arc;
    }
    x->pending_count = first;
    p->first[node + 1] = kept;
    return true;
}

static void drop_part(struct live *x) {
    for (uint32_t n = 0; n < x->part.size && x->part.states; n++) x->nodes[x->part.states[n]] = 0;
    close_part(&x->part);
    memset(&x->part, 0, sizeof x->part);
}

static void without_automaton(const struct live *x, uint32_t node, word *s) {
    memcpy(s, state_at(&x->engine->store, x->part.states[node]), WORDS * sizeof(word));
    s[AUTOMATON_WORD] &= ~(AUTOMATON_MASK << AUTOMATON_SHIFT);
}

/* For every node the first one with the same state of the model; false when there is no memory. */
static bool find_twins(struct live *x) {
    struct part *p = &x->part;
    uint64_t room = 16;
    while (room < 2 * (uint64_t)p->size) room *= 2;
    uint32_t *table = calloc(room, sizeof *table); /* nodes, counted from 1 */
    p->twins = malloc(p->size * sizeof *p->twins);
    for (uint32_t n = 0; n < p->size && table && p->twins; n++) {
        word here[WORDS], there[WORDS];
        without_automaton(x, n, here);
        uint64_t at = hash_state(here) & (room - 1);
        for (; table[at]; at = (at + 1) & (room - 1)) {
            without_automaton(x, table[at] - 1, there);
            if (memcmp(here, there, sizeof here) == 0) break;
        }
        if (!table[at]) table[at] = n + 1;
        p->twins[n] = table[at] - 1;
    }
    bool done = table && p->twins;
    free(table);
    return done;
}

/* The open states from one of them on, as a graph; false after a limit. */
static bool build_part(struct live *x, size_t first_member) {
    struct part *p = &x->part;
    size_t arc_room = 0, name_room = 0, size = x->member_count - first_member;
    if (FOLLOWED && size * UNITS >= UINT32_MAX) return false;
    p->size = (uint32_t)size;
    p->states = malloc(size * sizeof *p->states);
    p->first = calloc(size + 1, sizeof *p->first);
    p->enabled = malloc(size * UNIT_WORDS * sizeof *p->enabled);
    p->degrees = malloc(size * sizeof *p->degrees);
    if (!p->states || !p->first || !p->enabled || !p->degrees) return false;
    memcpy(p->states, x->members + first_member, size * sizeof *p->states);
    for (uint32_t n = 0; n < size; n++) x->nodes[p->states[n]] = n + 1;
    uint64_t transitions = x->worker->new_transitions;
    x->keeps_names = true;
    bool fits = true;
    for (uint32_t n = 0; n < size && fits && !stopped(x->engine->run); n++) fits = add_node(x, n, &arc_room, &name_room);
    x->keeps_names = false;
    x->worker->new_transitions = transitions; /* they have been counted before */
    if (!fits || stopped(x->engine->run) || !open_sets(p)) return false;
    return FAIRNESS != FAIRNESS_GLOBAL || (find_twins(x) && open_global(p));
}

/* Whether the open states from one of them on have a fair and accepting set: any, or the one with the first of them. Then
 * they stay in x->part. */
static bool judge(struct live *x, size_t first_member, bool any) {
    if (build_part(x, first_member)) {
        x->fair_scope = find_fair_scope(&x->part, any);
        if (x->fair_scope && x->fair_scope != UINT32_MAX) return true;
        if (!x->fair_scope) {
            drop_part(x);
            return false;
        }
    }
    drop_part(x);
    stop(x->engine->run, STOP_MEMORY); /* no effect if something else stopped the search */
    return false;
}

/* ------------------------------------------------------------------ nearby */

/* Look for a fair and accepting set among the first states in breadth-first order: most models have no more, and of
 * those who have, many have such a set there, with a short way to it. *complete says that these were all states. */
static bool look_nearby(struct live *x, bool *complete) {
    struct run *run = x->engine->run;
    uint32_t count = 0;
    for (publish_figures(x->worker); count < BURNSIDE_NEARBY && count < atomic_load(&run->states); count++) {
        x->pending_count = 0;
        if (stopped(run)) return false;
        if (!PUSH(x->members, x->member_count, x->member_room, count) || !append_arcs(x, count)) {
            stop(run, STOP_MEMORY); /* no effect after a fault */
            return false;
        }
        publish_figures(x->worker);
        if (atomic_load(&x->engine->wants_growth)) grow(x->engine);
    }
    *complete = count == atomic_load(&run->states);
    x->pending_count = 0;
    bool found = count && !stopped(run) && judge(x, 0, false);
    x->member_count = 0;
    for (uint32_t k = 0; k < count && found; k++) x->ranks[k] = 1; /* they are known */
    if (!found && !*complete) atomic_store(&run->transitions, 0);  /* to be counted once more */
    return found;
}

/* ------------------------------------------------------------------ components */

static bool open_new(struct live *x, uint32_t state, uint64_t entering) {
    x->ranks[state] = ++x->count;
    return PUSH(x->members, x->member_count, x->member_room, state) &&
           PUSH(x->roots, x->root_count, x->root_room, (struct root){x->count, false, 0, entering}) &&
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
    root->has_arcs = true;
    return root->marks == ALL_MARKS;
}

/* Where the members of the last open component begin. */
static size_t last_component(const struct live *x) {
    size_t first = x->member_count;
    while (first && x->ranks[x->members[first - 1]] >= x->roots[x->root_count - 1].rank) first--;
    return first;
}

/* Leave a state that has been searched; true if that completes a fair and accepting component. */
static bool close_top(struct live *x) {
    struct open_state *top = &x->open[--x->open_count];
    struct root *root = &x->roots[x->root_count - 1];
    x->pending_count = top->first;
    if (root->rank != x->ranks[top->state]) return false;
    size_t first = last_component(x);
    if (JUDGED_WHOLE && root->has_arcs && root->marks == ALL_MARKS && judge(x, first, true)) return true;
    x->root_count--;
    while (x->member_count > first) x->ranks[x->members[--x->member_count]] = CLOSED;
    return false;
}

/* Search from one state; true if an accepting and fair component was found, which is then in x->part. */
static bool search_from(struct live *x, uint32_t start) {
    struct run *run = x->engine->run;
    bool going_on = open_new(x, start, 0);
    while (going_on && x->open_count) {
        if (stopped(run)) return false;
        struct open_state *top = &x->open[x->open_count - 1];
        if (top->next == x->pending_count) {
            if (close_top(x)) return true;
            continue;
        }
        struct arc arc = x->pending[top->next++];
        uint32_t rank = x->ranks[arc.target];
        if (rank == 0) {
            /* What is behind the arc stays pending for this state: the new one appends its own. */
            going_on = open_new(x, arc.target, arc.marks);
            publish_figures(x->worker);
            if (atomic_load(&x->engine->wants_growth)) grow(x->engine);
        } else if (rank != CLOSED && unite(x, rank, arc.marks) && !JUDGED_WHOLE) {
            if (build_part(x, last_component(x))) {
                for (uint32_t n = 0; n < x->part.size; n++) x->part.scope[n] = 1;
                x->fair_scope = 1;
                return true;
            }
            going_on = false;
        }
    }
    if (!going_on) stop(run, STOP_MEMORY); /* no effect if something else stopped the search */
    return false;
}

#include "lasso.h"

/* ------------------------------------------------------------------ entry points */

static bool open_live(struct live *x, struct engine *engine) {
    uint64_t capacity = engine->store.capacity;
    x->engine = engine;
    x->worker = &engine->workers[0];
    x->ranks = reserve(capacity * sizeof *x->ranks);
    x->nodes = reserve(capacity * sizeof *x->nodes);
    x->labels = malloc((MOST_SUCCESSORS + 1) * sizeof *x->labels);
    x->numbers = PARTIAL_ORDER ? malloc((MOST_SUCCESSORS + 1) * WORDS * sizeof *x->numbers) : NULL;
    return x->ranks && x->nodes && x->labels && (x->numbers || !PARTIAL_ORDER);
}

static void close_live(struct live *x) {
    uint64_t capacity = x->engine->store.capacity;
    close_part(&x->part);
    if (x->ranks) munmap(x->ranks, capacity * sizeof *x->ranks);
    if (x->nodes) munmap(x->nodes, capacity * sizeof *x->nodes);
    free(x->labels);
    free(x->numbers);
    free(x->pending);
    free(x->names);
    free(x->open);
    free(x->roots);
    free(x->members);
}

static void search_product(struct live *x, struct lasso *lasso) {
    struct run *run = x->engine->run;
    find_initial(x->worker);
    uint32_t initial = (uint32_t)run->initial_states;
    bool complete = false, found = look_nearby(x, &complete);
    for (uint32_t k = 0; k < initial && !found && !complete && !stopped(run); k++)
        if (x->ranks[k] == 0) found = search_from(x, k);
    publish_figures(x->worker);
    bool is_certain = FAIRNESS != FAIRNESS_GLOBAL || !SYMMETRY || (found && takes_all_steps(&x->part, x->fair_scope));
    if (found && !is_certain) {
        lasso->is_uncertain = 1;
        stop(run, STOP_DECIDED);
    } else if (found) {
        stop(run, find_lasso(x, initial, lasso) ? STOP_DECIDED : STOP_MEMORY);
    }
    atomic_store(&run->bytes, bytes_used(x->engine, atomic_load(&run->states)));
}

/* Search the product. A lasso that was found stands until burnside_close_lasso. */
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
    engine->overhead = 2 * sizeof(uint32_t) + sizeof(struct open_state) + sizeof(struct root);
    if (!open_engine(engine) || !open_live(&live, engine)) stop(run, STOP_MEMORY);
    else search_product(&live, lasso);
    if (live.engine) close_live(&live);
}

/* Write the words of the states of a lasso. */
void burnside_lasso_states(const struct run *run, const struct lasso *lasso, word *out) {
    for (uint32_t k = 0; k < lasso->length; k++)
        memcpy(out + (size_t)k * WORDS, state_at(&run->engine->store, lasso->states[k]), WORDS * sizeof(word));
}

/* The atoms that hold in a state, and those that hold of a step from it, for self-tests. */
uint64_t burnside_atoms(const word *s, uint32_t label) {
    int fault = NO_FAULT;
    return state_atoms(s, &fault) | (label == NO_LABEL ? 0 : event_atoms(label, s, &fault));
}

void burnside_close_lasso(struct lasso *lasso) {
    free(lasso->states);
    free(lasso->labels);
}

#endif
