/* The levels of a breadth-first search, as lists of states without anything around them.
 *
 * States stand in blocks, each in as many bytes as the words of the model need. Blocks stay in memory while they are few; what is
 * too much goes to one file, which has no name: nothing is left of it when the process ends, however that happens. Levels are
 * read again when a run that leads to a state is asked for. With a checkpoint, levels that are complete go to files that stay.
 */
#ifndef BURNSIDE_LEVELS_H
#define BURNSIDE_LEVELS_H

#include <inttypes.h>
#include <stdlib.h>

#include "growing.h"

enum { BLOCK_STATES = BURNSIDE_LEVEL_BLOCK };

struct block {
    unsigned char *bytes; /* NULL: they are in a file */
    uint64_t offset;
    uint32_t count;
    uint32_t file; /* the number of a file of the checkpoint; 0: the one without a name */
};

struct level {
    struct block *blocks;
    size_t count, room;
};

/* All levels so far, and where they are. */
struct levels {
    struct level *items;
    size_t count, room;
    size_t at;               /* the level at hand, of which blocks are taken */
    size_t spilled;          /* so many first levels have no blocks in memory */
    unsigned record;         /* bytes of a state */
    const char *folder;      /* where the file may be; NULL: nowhere */
    int file;                /* -1: none yet */
    const struct checkpoint *checkpoint;
    bool failed;             /* there was an error in reading or writing */
    _Atomic uint64_t memory; /* bytes of blocks in memory */
    uint64_t most_memory;    /* beyond which blocks go to the file */
    _Atomic uint64_t end;    /* bytes of the file */
    uint64_t most_disk;
};

/* ------------------------------------------------------------------ states as bytes */

static inline unsigned word_bytes(unsigned i) { return (word_bits[i] + 7u) / 8; }

static unsigned record_bytes(void) {
    unsigned bytes = 0;
    for (unsigned i = 0; i < WORDS; i++) bytes += word_bytes(i);
    return bytes ? bytes : 1;
}

/* Whole words are written and read, one over the end of the other: there must be room for one more behind the last state. */
static inline void put_state(unsigned char *to, const word *s) {
    for (unsigned i = 0; i < WORDS; to += word_bytes(i++)) {
        word bytes = by_bytes(s[i]);
        memcpy(to, &bytes, sizeof bytes);
    }
}

static inline const unsigned char *get_state(const unsigned char *from, word *s) {
    const unsigned char *at = from;
    for (unsigned i = 0; i < WORDS; at += word_bytes(i++)) {
        word bytes;
        memcpy(&bytes, at, sizeof bytes);
        s[i] = by_bytes(bytes) & low_bits(8 * word_bytes(i));
    }
    return at == from ? from + 1 : at;
}

/* Memory for some states. */
static inline uint64_t room_for(uint64_t states, unsigned record) { return states * record + sizeof(word); }

/* ------------------------------------------------------------------ the file */

/* False if the disk is full, or what is allowed of it. */
static bool write_block(struct levels *levels, struct block *block) {
    uint64_t bytes = (uint64_t)block->count * levels->record;
    block->offset = atomic_fetch_add(&levels->end, bytes);
    if (levels->file < 0 || block->offset + bytes > levels->most_disk) return false;
    if (!write_all(levels->file, block->bytes, bytes, block->offset)) return false;
    atomic_fetch_sub(&levels->memory, bytes);
    free(block->bytes);
    block->bytes = NULL;
    return true;
}

enum { KEPT_NAME = 4096 };

/* The name of a file of a checkpoint; false if it is too long. */
static bool kept_name(char *name, const struct checkpoint *checkpoint, uint64_t number, const char *end) {
    int length = snprintf(name, KEPT_NAME, "%s/%" PRIu64 "-%" PRIu64 ".levels%s", checkpoint->folder, checkpoint->search, number, end);
    return length > 0 && length < KEPT_NAME;
}

static bool read_kept(const struct checkpoint *checkpoint, uint64_t number, void *to, uint64_t bytes, uint64_t offset) {
    char name[KEPT_NAME];
    int file = kept_name(name, checkpoint, number, "") ? open(name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : -1;
    bool is_read = file >= 0 && read_all(file, to, bytes, offset);
    if (file >= 0) close(file);
    return is_read;
}

/* The bytes of a block: `room`, filled from a file, or those in memory; NULL if they cannot be read. */
static const unsigned char *read_block(const struct levels *levels, const struct block *block, unsigned char *room) {
    uint64_t bytes = (uint64_t)block->count * levels->record;
    if (block->bytes) return block->bytes;
    bool is_read = block->file ? read_kept(levels->checkpoint, block->file, room, bytes, block->offset)
                               : read_all(levels->file, room, bytes, block->offset);
    return is_read ? room : NULL;
}

static bool open_levels_file(struct levels *levels) {
    if (levels->file < 0) levels->file = open_unnamed(levels->folder);
    return levels->file >= 0;
}

/* ------------------------------------------------------------------ levels */

static bool add_block(struct level *level, struct block block) {
    if (level->count == level->room) {
        size_t room = level->room ? 2 * level->room : 1;
        struct block *blocks = realloc(level->blocks, room * sizeof *blocks);
        if (!blocks) return false;
        level->blocks = blocks;
        level->room = room;
    }
    level->blocks[level->count++] = block;
    return true;
}

/* The blocks of one level behind those of another; the first is empty then. */
static bool append_blocks(struct level *to, struct level *from) {
    for (size_t i = 0; i < from->count; i++)
        if (!add_block(to, from->blocks[i])) return false;
    free(from->blocks);
    *from = (struct level){0};
    return true;
}

/* One more level, which is empty; NULL if there is no memory. */
static struct level *add_level(struct levels *levels) {
    if (levels->count == levels->room) {
        size_t room = levels->room ? 2 * levels->room : 64;
        struct level *items = realloc(levels->items, room * sizeof *items);
        if (!items) return NULL;
        levels->items = items;
        levels->room = room;
    }
    levels->items[levels->count] = (struct level){0};
    return &levels->items[levels->count++];
}

static uint64_t level_size(const struct level *level) {
    uint64_t size = 0;
    for (size_t i = 0; i < level->count; i++) size += level->blocks[i].count;
    return size;
}

/* Write levels out, first ones first, until memory is below some bytes; all but the last, which is needed next. */
static bool spill_levels(struct levels *levels, uint64_t most) {
    for (; levels->spilled + 1 < levels->count && atomic_load(&levels->memory) > most; levels->spilled++) {
        struct level *level = &levels->items[levels->spilled];
        for (size_t i = 0; i < level->count; i++)
            if (level->blocks[i].bytes && (!open_levels_file(levels) || !write_block(levels, &level->blocks[i]))) return false;
    }
    return true;
}

static void close_levels(struct levels *levels) {
    for (size_t k = 0; k < levels->count; k++) {
        for (size_t i = 0; i < levels->items[k].count; i++) free(levels->items[k].blocks[i].bytes);
        free(levels->items[k].blocks);
    }
    free(levels->items);
    if (levels->file >= 0) close(levels->file);
}

#endif
