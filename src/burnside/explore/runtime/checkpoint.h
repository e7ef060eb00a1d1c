/* Checkpoints: levels that are complete go to files that stay.
 *
 * A file has one level or several, as states one after another. It is written under another name, made durable, and renamed; then
 * Python writes down, in the same way, that there is one file more (explore/checkpoints.py). What is written down is all there
 * is: a process may end at any moment, and a file that nobody has written down is written again.
 *
 * Nothing else is kept. The set has the states of all levels, so it is filled again from them (resume.h); figures are those of the
 * moment when a level is complete and none of its states is expanded.
 */
#ifndef BURNSIDE_CHECKPOINT_H
#define BURNSIDE_CHECKPOINT_H

#include <errno.h>

#include "phases.h"

/* A number for a state of a level; the numbers of all states of a file make its sum. */
static inline uint64_t number_of(const word *s, uint64_t level) {
    uint64_t number = (hash_state(s) + level + 1) * 0xD6E8FEB86659FD93u;
    return number ^ number >> 32;
}

static uint64_t sum_of(const unsigned char *bytes, uint32_t count, uint64_t level) {
    uint64_t sum = 0;
    while (count-- > 0) {
        word s[WORDS];
        bytes = get_state(bytes, s);
        sum += number_of(s, level);
    }
    return sum;
}

/* ------------------------------------------------------------------ figures */

static void sum_full_states(struct engine *engine) {
    struct run *run = engine->run;
    count_t total = 0;
    bool overflows = false;
    for (uint32_t i = 0; i < run->threads; i++) {
        struct worker *w = &engine->workers[i];
        overflows |= w->too_many_full_states || __builtin_add_overflow(total, w->full_states, &total);
    }
    run->full_states_low = (uint64_t)total;
    run->full_states_high = (uint64_t)(total >> 64);
    run->knows_full_states = !overflows && !run->is_plain && ORDER;
}

/* The figures of this moment, in which the last level is complete. */
static void note_figures(struct engine *engine) {
    struct run *run = engine->run;
    struct checkpoint *checkpoint = run->checkpoint;
    sum_full_states(engine);
    checkpoint->levels = engine->levels.count;
    checkpoint->transitions = atomic_load(&run->transitions);
    checkpoint->deadlocks = atomic_load(&run->deadlocks);
    checkpoint->initial_states = run->initial_states;
    checkpoint->full_states_low = run->full_states_low;
    checkpoint->full_states_high = run->full_states_high;
    checkpoint->knows_full_states = run->knows_full_states;
    for (uint32_t p = 0; p < PROPERTIES; p++) {
        uint32_t place = atomic_load(&run->witness[p]);
        checkpoint->witness_levels[p] = place == NONE ? NONE : engine->store.parents[place];
        if (place != NONE) memcpy(checkpoint->witnesses + (size_t)p * WORDS, state_at(&engine->store, place), WORDS * sizeof(word));
    }
}

/* ------------------------------------------------------------------ files */

/* The states of some levels, one after another; false if they cannot be read or written. */
static bool write_levels(struct engine *engine, int file, uint64_t first, struct kept_file *written) {
    const struct levels *levels = &engine->levels;
    for (uint64_t k = first; k < first + written->levels; k++) {
        const struct level *level = &levels->items[k];
        for (size_t i = 0; i < level->count; i++) {
            uint64_t bytes = (uint64_t)level->blocks[i].count * levels->record;
            const unsigned char *from = read_block(levels, &level->blocks[i], engine->workers[0].room);
            if (!from || !write_all(file, from, bytes, written->bytes)) return false;
            written->sum += sum_of(from, level->blocks[i].count, k);
            written->bytes += bytes;
        }
    }
    return true;
}

/* What was renamed in a folder is so after a loss of power, too. */
static bool make_durable(const char *folder) {
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool is_durable = file >= 0 && fsync(file) == 0;
    if (file >= 0) close(file);
    return is_durable;
}

/* Write a file whole, or not at all. */
static bool write_kept(struct engine *engine, uint64_t first, struct kept_file *written) {
    const struct checkpoint *checkpoint = engine->run->checkpoint;
    char part[KEPT_NAME], name[KEPT_NAME];
    uint64_t number = checkpoint->kept_files + 1;
    if (!kept_name(part, checkpoint, number, ".part") || !kept_name(name, checkpoint, number, "")) return false;
    int file = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) return false;
    bool is_written = write_levels(engine, file, first, written) && fsync(file) == 0;
    is_written &= close(file) == 0;
    if (is_written && rename(part, name) == 0) return make_durable(checkpoint->folder);
    int reason = errno;
    unlink(part);
    errno = reason;
    return false;
}

/* Blocks of levels that are kept are read from there; the file without a name may be used again from its beginning. */
static void release_levels(struct engine *engine, uint64_t first, uint32_t file) {
    struct levels *levels = &engine->levels;
    uint64_t offset = 0;
    for (uint64_t k = first; k < levels->count; k++)
        for (size_t i = 0; i < levels->items[k].count; i++) {
            struct block *block = &levels->items[k].blocks[i];
            uint64_t bytes = (uint64_t)block->count * levels->record;
            if (block->bytes) atomic_fetch_sub(&levels->memory, bytes);
            free(block->bytes);
            *block = (struct block){.offset = offset, .count = block->count, .file = file};
            offset += bytes;
        }
    levels->spilled = levels->count - 1;
    atomic_store(&levels->end, 0);
    if (levels->file >= 0 && ftruncate(levels->file, 0)) levels->failed = true;
}

static uint64_t bytes_of_levels(const struct levels *levels, uint64_t first, uint64_t count) {
    uint64_t states = 0;
    for (uint64_t k = first; k < first + count; k++) states += level_size(&levels->items[k]);
    return states * levels->record;
}

/* Keep the levels that were complete when figures were noted last. */
static void keep_levels(struct engine *engine) {
    struct run *run = engine->run;
    struct checkpoint *checkpoint = run->checkpoint;
    uint64_t first = checkpoint->kept_levels;
    checkpoint->last = (struct kept_file){.levels = checkpoint->levels - first};
    bool has_room = bytes_of_levels(&engine->levels, first, checkpoint->last.levels) <= disk_left(engine, atomic_load(&engine->archived));
    errno = has_room ? 0 : ENOSPC;
    bool is_kept = has_room && write_kept(engine, first, &checkpoint->last) && checkpoint->keep();
    if (!is_kept) {
        if (!checkpoint->failed) checkpoint->failed = errno ? (uint32_t)errno : EIO;
        stop(run, STOP_DISK);
        return;
    }
    checkpoint->kept_files++;
    checkpoint->kept_levels = checkpoint->levels;
    checkpoint->kept_bytes += checkpoint->last.bytes;
    if (checkpoint->levels == engine->levels.count) release_levels(engine, first, (uint32_t)checkpoint->kept_files);
    engine->levels.most_disk = disk_left(engine, atomic_load(&engine->archived));
    atomic_store(&run->disk, disk_used(engine));
    engine->kept_at = nanoseconds(CLOCK_MONOTONIC);
}

/* A level is complete, and none of its states is expanded: keep it, unless something was kept just now. */
static void note_level(struct engine *engine) {
    struct checkpoint *checkpoint = engine->run->checkpoint;
    if (!checkpoint || stopped(engine->run)) return;
    note_figures(engine);
    if (nanoseconds(CLOCK_MONOTONIC) - engine->kept_at >= checkpoint->pause) keep_levels(engine);
}

/* The search ends: keep what is not kept yet. What may be wrong is not. */
static void keep_rest(struct engine *engine) {
    const struct checkpoint *checkpoint = engine->run->checkpoint;
    uint32_t reason = atomic_load(&engine->run->stop);
    if (!checkpoint || checkpoint->failed || reason == STOP_BUG || reason == STOP_DAMAGED || engine->levels.failed) return;
    if (checkpoint->levels > checkpoint->kept_levels) keep_levels(engine);
}

#endif
