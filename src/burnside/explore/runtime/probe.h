/* What self-tests ask of a search: a sample of the states it expanded, and its compiled parts one by one.
 *
 * The reference semantics judges the answers (explore/native/probe.py), so nothing here may be used to compute them.
 */
#ifndef BURNSIDE_PROBE_H
#define BURNSIDE_PROBE_H

#include "worker.h"

/* When there is no room left, every other state is dropped. */
static void add_sample(struct engine *engine, uint32_t index, const word *s, uint32_t depth) {
    struct sample *sample = &engine->sample;
    if (!engine->is_compact && sample->count > 0 && sample->states[sample->count - 1] == index) return;
    if (sample->count == MOST_SAMPLED) {
        for (uint32_t i = 0; 2 * i < MOST_SAMPLED; i++) {
            sample->depths[i] = sample->depths[2 * i];
            const word *kept = state_at(&engine->store, sample->states[2 * i]);
            sample->states[i] = remember(engine, sample->states[2 * i], i, kept, sample->depths[i]);
        }
        sample->count = MOST_SAMPLED / 2;
        sample->expanded = (sample->expanded + 1) / 2;
    }
    sample->depths[sample->count] = depth;
    sample->states[sample->count] = remember(engine, index, sample->count, s, depth);
    sample->count++;
}

/* Remember some states of the level at hand, evenly spread. */
static void sample_level(struct engine *engine) {
    size_t count = engine->chunks.count;
    for (size_t k = 0; k < SAMPLED_PER_LEVEL; k++) {
        struct range range = engine->chunks.items[k * count / SAMPLED_PER_LEVEL];
        uint32_t index = range.first + (uint32_t)((range.last - range.first) * k / SAMPLED_PER_LEVEL);
        add_sample(engine, index, state_at(&engine->store, index), depth_of_expanded(engine));
    }
}

/* How many states of the sample have been expanded, and all their successors entered. */
uint32_t burnside_sample(const struct run *run, const uint32_t **states) {
    *states = run->engine->sample.states;
    return run->engine->sample.expanded;
}

/* Indices of states, or places of those that are remembered. */
uint64_t burnside_indices(const struct run *run) {
    return run->engine->is_compact ? run->engine->store.capacity : atomic_load(&run->engine->allocated);
}

/* Whether an index is that of a state. */
bool burnside_is_used(const struct run *run, uint32_t index) {
    if (run->engine->is_compact) return run->engine->store.parents[index] != NONE;
    for (uint32_t i = 0; i < run->threads; i++)
        if (index >= run->engine->workers[i].next && index < run->engine->workers[i].end) return false;
    return true;
}

void burnside_state(const struct run *run, uint32_t index, word *out) {
    memcpy(out, state_at(&run->engine->store, index), WORDS * sizeof(word));
}

/* States without successors, some of those counted as deadlocks or some of the others: the one with a number, or NONE. */
uint32_t burnside_stuck(const struct run *run, uint32_t is_deadlock, uint32_t number) {
    enum stuck kind = is_deadlock ? DEADLOCK : TERMINAL;
    for (uint32_t i = 0; i < run->threads; i++) {
        const struct worker *w = &run->engine->workers[i];
        uint32_t count = w->stuck_count[kind] < STUCK_SAMPLED ? (uint32_t)w->stuck_count[kind] : STUCK_SAMPLED;
        if (number < count) return w->stuck[kind][number];
        number -= count;
    }
    return NONE;
}

/* Whether a property looks for a state, by its compiled condition; NONE if that faults. */
uint32_t burnside_sought(uint32_t property, const word *s) {
    int fault = NO_FAULT;
    uint32_t is_witness = sought(property, s, &fault) != 0;
    return fault ? NONE : is_witness;
}

/* The first state that a property looks for, by a pass over one state in ``step``, or NONE: was one passed over? */
uint32_t burnside_first_sought(const struct run *run, uint32_t property, uint32_t step) {
    uint64_t count = burnside_indices(run);
    for (uint64_t index = 0; index < count; index += step) {
        int fault = NO_FAULT;
        if (sought(property, state_at(&run->engine->store, (uint32_t)index), &fault) && !fault && burnside_is_used(run, (uint32_t)index))
            return (uint32_t)index;
    }
    return NONE;
}

uint32_t burnside_most_successors(void) { return MOST_SUCCESSORS; }

/* The successors of a state by the compiled rules; how many, or NONE if one of them faults. */
uint32_t burnside_successors(const word *s, word *out) {
    int fault = NO_FAULT;
#if LABELS == LABELS_ALWAYS
    uint32_t *labels = malloc((MOST_SUCCESSORS + 1) * sizeof *labels);
    label_out = labels;
    word *end = labels ? successors(s, out, &fault) : (fault = FAULT_INDEX, out);
    free(labels);
#else
    word *end = successors(s, out, &fault);
#endif
    return fault ? NONE : (uint32_t)((end - out) / WORDS);
}

/* Replace a state by its representative; the size of its orbit in two halves, 0 after a failure. False if that was given up
 * for lack of time or memory, which is not a failure. */
bool burnside_represent(const struct run *run, word *s, uint64_t *orbit) {
    struct scratch *x = run->engine->workers[0].scratch;
    count_t size = orbit_size(canonicalise(x, s)); /* what is computed, not remembered */
    orbit[0] = (uint64_t)size;
    orbit[1] = (uint64_t)(size >> 64);
    return size != 0 || !gave_up(x);
}

/* The processor time that representatives of some states take, in nanoseconds, by what is computed, not remembered. */
uint64_t burnside_representing_time(const struct run *run, const word *states, uint32_t count) {
    struct scratch *x = run->engine->workers[0].scratch;
    uint64_t start = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
    for (uint32_t i = 0; i < count; i++) {
        word s[WORDS];
        memcpy(s, states + (size_t)i * WORDS, sizeof s);
        canonicalise(x, s);
    }
    return nanoseconds(CLOCK_THREAD_CPUTIME_ID) - start;
}

#if PARTIAL_ORDER
/* The stubborn set that is chosen in a state, and the actions that count; how many steps can be taken. */
uint32_t burnside_chosen(const struct run *run, const word *s, bool is_aiming, word *chosen, word *wanted) {
    return choose_stubborn(run, s, run->engine->settled, is_aiming, chosen, wanted);
}
#endif

/* The index of a state, or NONE if it was not entered. */
static uint32_t index_of(const struct run *run, const word *s) {
    const struct store *store = &run->engine->store;
    if (!store->table) {
        uint64_t count = burnside_indices(run);
        for (uint32_t index = 0; index < count; index++)
            if (same_state(state_at(store, index), s) && burnside_is_used(run, index)) return index;
        return NONE;
    }
    return find_state(store, s);
}

/* Whether a state was entered. */
bool burnside_knows(const struct run *run, const word *s) {
    bool is_new;
    return run->engine->is_compact ? knows(&run->engine->set, s, &is_new) : index_of(run, s) != NONE;
}

/* The level of every state, by the lengths of the paths that were recorded; NULL if there is no memory for that. */
static uint32_t *all_levels(const struct run *run) {
    const uint32_t *parents = run->engine->store.parents;
    uint64_t count = burnside_indices(run);
    uint32_t *levels = malloc((count + 1) * sizeof *levels);
    for (uint64_t index = 0; levels && index < count; index++) levels[index] = NONE;
    for (uint32_t index = 0; levels && index < count; index++) {
        if (!burnside_is_used(run, index)) continue;
        uint32_t unknown = 0, last = index;
        for (; last != NONE && levels[last] == NONE; last = parents[last]) unknown++;
        uint32_t level = last == NONE ? unknown : levels[last] + unknown + 1;
        for (uint32_t at = index; unknown-- > 0; at = parents[at]) levels[at] = --level;
    }
    return levels;
}

/* All indices in an order that says nothing, the first one first: the multiples of a prime, by the golden ratio. */
static uint32_t scattered(uint64_t number, uint64_t indices) { return (uint32_t)(number % indices * 2654435761u % indices); }

/* Move stored states by elements of the group, for some time or by each: whether one has another representative then. */
bool burnside_moves_apart(const struct run *run, const uint16_t *elements, uint32_t count, uint32_t points, uint64_t most) {
    enum { AT_ONCE = 16 };
    struct scratch *x = run->engine->workers[0].scratch;
    uint64_t end = nanoseconds(CLOCK_THREAD_CPUTIME_ID) + most, indices = burnside_indices(run);
    for (uint64_t k = 0; k < indices * count; k++) {
        if (k % AT_ONCE == 0 && nanoseconds(CLOCK_THREAD_CPUTIME_ID) > end) return false;
        uint32_t index = scattered(k, indices);
        if (!burnside_is_used(run, index)) continue;
        const word *state = state_at(&run->engine->store, index);
        word moved[WORDS];
        memcpy(moved, state, sizeof moved);
        bool is_known = move_state(elements + (k + k / indices) % count * points, moved) && canonicalise(x, moved);
        if (is_known && !same_state(moved, state)) return true;
    }
    return false;
}

/* Where a state stands among the members found so far, or the free slot where it belongs. */
static uint32_t *member_slot(uint32_t *slots, uint32_t room, const word *members, const word *s) {
    uint32_t at = (uint32_t)hash_state(s) & (room - 1);
    while (slots[at] != NONE && !same_state(members + (size_t)slots[at] * WORDS, s)) at = (at + 1) & (room - 1);
    return &slots[at];
}

enum { MOST_MEMBERS = 1024, MEMBER_SLOTS = 4 * MOST_MEMBERS };

/* The number of images of members[0] under the group with some generators, or more than MOST_MEMBERS; 0 if that is not known by
 * some time, or a value occurs that symmetries do not know. */
static uint32_t count_members(word *members, uint32_t *slots, const uint16_t *generators, uint32_t count, uint32_t points, uint64_t end) {
    enum { AT_ONCE = 64 };
    uint32_t found = 1;
    for (uint32_t i = 0; i < MEMBER_SLOTS; i++) slots[i] = NONE;
    *member_slot(slots, MEMBER_SLOTS, members, members) = 0;
    for (uint32_t k = 0; k < found * count && found <= MOST_MEMBERS; k++) {
        word *image = members + (size_t)found * WORDS;
        memcpy(image, members + (size_t)(k / count) * WORDS, WORDS * sizeof *image);
        if (k % AT_ONCE == 0 && nanoseconds(CLOCK_THREAD_CPUTIME_ID) > end) return 0;
        if (!move_state(generators + (size_t)(k % count) * points, image)) return 0;
        uint32_t *slot = member_slot(slots, MEMBER_SLOTS, members, image);
        if (*slot == NONE) *slot = found++;
    }
    return found;
}

/* Enumerate orbits of stored states, for some time or of each: whether one is counted with another size. Sizes of orbits say
 * how many states a quotient stands for, and nothing else of a search depends on them. */
bool burnside_miscounts(const struct run *run, const uint16_t *generators, uint32_t count, uint32_t points, uint64_t most) {
    struct scratch *x = run->engine->workers[0].scratch;
    uint64_t end = nanoseconds(CLOCK_THREAD_CPUTIME_ID) + most, indices = burnside_indices(run);
    word *members = malloc((MOST_MEMBERS + 1) * WORDS * sizeof *members);
    uint32_t *slots = malloc(MEMBER_SLOTS * sizeof *slots);
    bool is_wrong = false;
    for (uint64_t k = 0; members && slots && !is_wrong && k < indices; k++) {
        if (nanoseconds(CLOCK_THREAD_CPUTIME_ID) > end) break;
        uint32_t index = scattered(k, indices);
        if (!burnside_is_used(run, index)) continue;
        burnside_state(run, index, members);
        uint32_t found = count_members(members, slots, generators, count, points, end);
        count_t size = orbit_size(canonicalise(x, members));
        if (found && size) is_wrong = found <= MOST_MEMBERS ? size != found : size <= MOST_MEMBERS;
    }
    free(members);
    free(slots);
    return is_wrong;
}

/* Explore one state in ``step`` of a complete search again: what is wrong with it (see probe.py), or NONE. */
uint32_t burnside_explore_again(const struct run *run, uint32_t step, bool has_levels) {
    enum { MISSING, LATE, MISCOUNTED };
    uint64_t count = burnside_indices(run), transitions = 0;
    bool has_indices = !run->engine->is_compact; /* else only some states are at hand */
    uint32_t wrong = NONE, *levels = has_indices && has_levels && step == 1 ? all_levels(run) : NULL;
    word *out = malloc((MOST_SUCCESSORS + 1) * WORDS * sizeof *out);
    for (uint64_t index = 0; out && wrong == NONE && index < count; index += step) {
        if (!burnside_is_used(run, (uint32_t)index)) continue;
        uint32_t found = burnside_successors(state_at(&run->engine->store, (uint32_t)index), out);
        for (uint32_t k = 0; found != NONE && k < found; k++) {
            if (!canonicalise(run->engine->workers[0].scratch, out + (size_t)k * WORDS)) continue; /* tested elsewhere */
            if (!burnside_knows(run, out + (size_t)k * WORDS)) wrong = MISSING;
            else if (levels && levels[index_of(run, out + (size_t)k * WORDS)] > levels[index] + 1) wrong = LATE;
        }
        transitions += found;
    }
    if (out && wrong == NONE && step == 1 && has_indices && transitions != atomic_load(&run->transitions)) wrong = MISCOUNTED;
    free(out);
    free(levels);
    return wrong;
}

#endif
