/* Going on from a checkpoint: the set is filled from the levels that are kept.
 *
 * States are entered as known ones: nothing is counted, inspected, or put into a level, whether they stay in memory or go to archives
 * on the way. Each must be new to the set, and the sums of the files must be those that were written down; otherwise
 * nothing is claimed of them.
 */
#ifndef BURNSIDE_RESUME_H
#define BURNSIDE_RESUME_H

#include "compact.h"

static bool resumes(const struct run *run) { return run->checkpoint && run->checkpoint->kept_levels > 0; }

static void find_damaged(struct engine *engine, uint64_t number) {
    engine->run->checkpoint->damaged = (uint32_t)number;
    stop(engine->run, STOP_DAMAGED);
}

/* ------------------------------------------------------------------ what was known */

/* A level of some states in a file, from an offset on; false if there is no memory. */
static bool open_kept_level(struct levels *levels, uint32_t file, uint64_t offset, uint64_t states) {
    struct level *level = add_level(levels);
    bool is_open = level != NULL;
    while (is_open && states > 0) {
        uint32_t count = states < BLOCK_STATES ? (uint32_t)states : BLOCK_STATES;
        is_open = add_block(level, (struct block){.offset = offset, .count = count, .file = file});
        offset += (uint64_t)count * levels->record;
        states -= count;
    }
    return is_open;
}

/* All levels, in the files, which they must fill. */
static void open_kept_levels(struct engine *engine) {
    const struct checkpoint *checkpoint = engine->run->checkpoint;
    struct levels *levels = &engine->levels;
    const uint64_t *size = checkpoint->sizes;
    for (uint64_t i = 0; i < checkpoint->kept_files && !stopped(engine->run); i++) {
        const struct kept_file *file = &checkpoint->files[i];
        uint64_t offset = 0;
        for (uint64_t k = 0; k < file->levels && !stopped(engine->run); k++, size++) {
            if (*size > (file->bytes - offset) / levels->record) find_damaged(engine, i + 1);
            else if (!open_kept_level(levels, (uint32_t)i + 1, offset, *size)) stop(engine->run, STOP_MEMORY);
            else offset += *size * levels->record;
        }
        if (offset != file->bytes) find_damaged(engine, i + 1);
    }
    levels->spilled = levels->count ? levels->count - 1 : 0;
}

static void restore_figures(struct engine *engine) {
    struct run *run = engine->run;
    const struct checkpoint *checkpoint = run->checkpoint;
    atomic_store(&run->transitions, checkpoint->transitions);
    atomic_store(&run->deadlocks, checkpoint->deadlocks);
    run->initial_states = checkpoint->initial_states;
    engine->workers[0].full_states = (count_t)checkpoint->full_states_high << 64 | checkpoint->full_states_low;
    engine->workers[0].too_many_full_states = !checkpoint->knows_full_states;
}

/* What was decided by then. */
static void restore_witnesses(struct engine *engine) {
    const struct checkpoint *checkpoint = engine->run->checkpoint;
    for (uint32_t p = 0; p < PROPERTIES; p++)
        if (checkpoint->witness_levels[p] != NONE)
            note_witness(engine, p, NONE, (const word *)checkpoint->witnesses + (size_t)p * WORDS, checkpoint->witness_levels[p]);
    for (uint32_t p = 0; p < PROPERTIES; p++) engine->settled[p] = atomic_load(&engine->is_decided[orbit_of(engine->run, p)]);
}

/* ------------------------------------------------------------------ states */

static inline bool is_key(const word *key) {
    word beyond = 0;
    for (unsigned i = 0; i < KEY_WORDS; i++) beyond |= key[i] & ~low_bits(key_bits[i]);
    return beyond == 0;
}

/* The states in the buffer, all of one file. */
static void enter_known(struct worker *w, uint32_t file) {
    struct quotients *set = &w->engine->set;
    for (uint32_t i = 0; i < w->filled; i++) {
        key_of(set, w->buffer + (size_t)i * WORDS, w->homes[i].key);
        fetch_home(w, i);
    }
    for (uint32_t i = 0; i < w->filled && !stopped(w->engine->run); i++) {
        enum found found = is_key(w->homes[i].key) ? enter_state(set, &w->homes[i], false) : KNOWN;
        if (found == KNOWN && !FINGERPRINTS) find_damaged(w->engine, file);
        if (found == NO_ROOM) stop(w->engine->run, STOP_MEMORY);
        w->new_states++;
        w->new_held += set->is_archived;
    }
    if (set->strays.count > w->engine->most_strays) atomic_store_explicit(&w->engine->wants_growth, true, memory_order_relaxed);
    w->filled = 0;
    publish_figures(w);
}

/* A phase: enter the states of the level at hand. */
static void enter_blocks(struct worker *w) {
    const struct levels *levels = &w->engine->levels;
    while (!must_pause(w->engine) && take_block(w)) {
        for (; w->todo < w->todo_end && w->filled < FLUSH; w->todo++) {
            word *s = w->buffer + (size_t)w->filled++ * WORDS;
            w->reading = get_state(w->reading, s);
            w->sum += number_of(s, levels->at);
        }
        enter_known(w, levels->items[levels->at].blocks[0].file);
    }
}

static uint64_t take_sums(struct engine *engine) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < engine->run->threads; i++) {
        sum += engine->workers[i].sum;
        engine->workers[i].sum = 0;
    }
    return sum;
}

/* Fill the set. It is found out after each file whether it was what it should be. */
static void enter_levels(struct engine *engine) {
    struct run *run = engine->run;
    const struct checkpoint *checkpoint = run->checkpoint;
    struct levels *levels = &engine->levels;
    engine->is_resuming = true;
    levels->at = 0;
    for (uint64_t file = 0; file < checkpoint->kept_files; file++) {
        for (uint64_t k = 0; k < checkpoint->files[file].levels && !stopped(run); k++, levels->at++) {
            uint64_t size = level_size(&levels->items[levels->at]);
            tell_level(run, levels->at, size, 0);
            atomic_store(&engine->next_chunk, 0);
            run_with_room(engine, enter_blocks, size);
        }
        if (!stopped(run) && take_sums(engine) != checkpoint->files[file].sum) find_damaged(engine, file + 1);
    }
    if (engine->set.is_archived && !stopped(run)) merge_set(engine, GO_OUT);
    engine->is_resuming = false;
    levels->at = levels->count - 1;
    atomic_store(&run->depth, levels->at);
}

/* Archives have each state once; they must have as many as levels have. */
static void count_archived(struct engine *engine) {
    uint64_t states = 0;
    for (unsigned i = 0; i < segments_of(&engine->set); i++) states += engine->set.segments[i].archive.states;
    if (states != atomic_load(&engine->run->states)) find_damaged(engine, engine->run->checkpoint->kept_files);
}

static void sample_known_level(struct engine *engine, size_t level) {
    engine->levels.at = level;
    atomic_store(&engine->run->depth, level);
    sample_blocks(engine);
}

/* Self-tests look at states of all levels, as if the search had not been interrupted; of some if there are very many. */
static void sample_known(struct engine *engine) {
    size_t last = engine->levels.count - 1, step = last * SAMPLED_PER_LEVEL / MOST_SAMPLED + 1;
    for (size_t level = 0; level < last && !stopped(engine->run); level += step) sample_known_level(engine, level);
    engine->sample.expanded = engine->sample.count;
    sample_known_level(engine, last);
}

/* Search on from the last level that is kept. */
static void resume_search(struct engine *engine) {
    struct run *run = engine->run;
    move_over(engine, 0);
    if (!stopped(run)) open_kept_levels(engine);
    atomic_store(&run->disk, disk_used(engine));
    if (stopped(run)) return;
    enter_levels(engine);
    if (engine->set.is_archived && !stopped(run)) count_archived(engine);
    if (stopped(run)) return; /* what is known is not said to be so unless all of it was there */
    restore_figures(engine);
    restore_witnesses(engine);
    sample_known(engine);
    if (!stopped(run)) search_compactly(engine, true, 0);
}

#endif
