/* Sorted sequences of states in files: what the compact set does not have room for.
 *
 * A state stands there as its y and the other words of its key (quotients.h), in the order of these. Of y only the gap to the one before is
 * written, after Rice [Rice79]: how often 2^low_bits goes into it in unary, and the rest as it is. That is close to the least that there
 * is for numbers which lie as if by chance, and these are mixed.
 *
 *     archive = | block | block | ...            block = | y, new?, others | gap, new?, others | gap, ...
 *
 * Memory has the place and the first y of each block, so one block is read in order to find one state. Files have no names: nothing
 * is left of them when the process ends, however that happens.
 */
#ifndef BURNSIDE_ARCHIVES_H
#define BURNSIDE_ARCHIVES_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "keys.h"
#include "run.h"

enum {
    ARCHIVE_BLOCK = BURNSIDE_ARCHIVE_BLOCK, /* states */
    STREAM_WORDS = BURNSIDE_STREAM_WORDS,
    MOST_UNARY = 40 /* beyond it a gap is written in whole */
};

/* A state as the set divides it. */
struct item {
    word y, key[KEY_WORDS]; /* its head is zero */
    bool is_new;      /* of the level being built; kept for partial order only */
};

struct archive_block {
    word first;      /* y of its first state */
    uint64_t offset; /* in words */
};

struct archive {
    bool is_open;
    int file;
    uint64_t states, words;
    struct archive_block *blocks;
    size_t count, room;
    unsigned low_bits;
};

/* The lowest byte first, so that a file means the same everywhere. */
static inline word by_bytes(word value) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bswap64(value);
#else
    return value;
#endif
}

/* A file without a name, so that it goes with the process; -1 if there can be none. */
static int open_unnamed(const char *folder) {
    char name[4096];
    if (!folder || snprintf(name, sizeof name, "%s/burnside-XXXXXX", folder) >= (int)sizeof name) return -1;
    int file = mkstemp(name);
    if (file >= 0) unlink(name);
    return file;
}

static bool write_all(int file, const void *from, uint64_t bytes, uint64_t offset) {
    for (uint64_t done = 0; done < bytes;) {
        ssize_t written = pwrite(file, (const char *)from + done, bytes - done, (off_t)(offset + done));
        if (written <= 0) return false;
        done += (uint64_t)written;
    }
    return true;
}

static bool read_all(int file, void *to, uint64_t bytes, uint64_t offset) {
    for (uint64_t done = 0; done < bytes;) {
        ssize_t got = pread(file, (char *)to + done, bytes - done, (off_t)(offset + done));
        if (got <= 0) return false;
        done += (uint64_t)got;
    }
    return true;
}

/* ------------------------------------------------------------------ items */

static inline int compare_items(const struct item *a, const struct item *b) {
    if (a->y != b->y) return a->y < b->y ? -1 : 1;
    for (unsigned i = 0; KEY_WORDS > 1 && i < KEY_WORDS; i++)
        if (a->key[i] != b->key[i]) return a->key[i] < b->key[i] ? -1 : 1;
    return 0;
}

static int by_item(const void *a, const void *b) { return compare_items(a, b); }

/* ------------------------------------------------------------------ reading */

enum { AHEAD = 2 * 64 }; /* bits that are in the buffer before some are read, if the archive has them */

/* Bits of an archive, from some block on. */
struct reader {
    const struct archive *archive;
    unsigned head;        /* the word that y stands for */
    unsigned at, filled;  /* bits of the buffer */
    uint64_t next;        /* word of the archive that comes into the buffer next */
    uint64_t number;      /* of the next state */
    bool failed;
    struct item item;     /* the last one */
    word buffer[STREAM_WORDS + 2]; /* one more may be looked at */
};

static void open_reader(struct reader *r, const struct archive *archive, unsigned head, size_t block) {
    r->archive = archive;
    r->head = head;
    r->at = r->filled = 0;
    r->next = archive->count ? archive->blocks[block].offset : 0;
    r->number = (uint64_t)block * ARCHIVE_BLOCK;
    r->failed = false;
}

/* Drop what was read, and fill the buffer. */
static void refill(struct reader *r) {
    unsigned done = r->at / 64, kept = r->filled / 64 - done;
    uint64_t left = r->archive->words - r->next, count = left < STREAM_WORDS - kept ? left : STREAM_WORDS - kept;
    memmove(r->buffer, r->buffer + done, kept * sizeof(word));
    r->failed |= count && !read_all(r->archive->file, r->buffer + kept, count * sizeof(word), r->next * sizeof(word));
    for (unsigned i = kept; i < kept + count; i++) r->buffer[i] = by_bytes(r->buffer[i]);
    r->next += count;
    r->at -= 64 * done;
    r->filled = 64 * (kept + (unsigned)count);
    r->buffer[kept + count] = r->buffer[kept + count + 1] = 0;
}

/* The next 64 bits. */
static inline word peek(struct reader *r) {
    if (r->at + AHEAD > r->filled) refill(r);
    const word *from = r->buffer + r->at / 64;
    return from[0] >> r->at % 64 | from[1] << 1 << (63 - r->at % 64);
}

static inline void skip(struct reader *r, unsigned count) {
    r->at += count;
    if (r->at <= r->filled) return;
    r->at = r->filled;
    r->failed = true;
}

static inline word read_bits(struct reader *r, unsigned count) {
    if (count == 0) return 0;
    word value = peek(r) & low_bits(count);
    skip(r, count);
    return value;
}

static inline word read_gap(struct reader *r) {
    unsigned low = r->archive->low_bits;
    word bits = peek(r);
    unsigned high = bits ? (unsigned)__builtin_ctzll(bits) : MOST_UNARY;
    skip(r, high + 1);
    if (high >= MOST_UNARY) return read_bits(r, 64);
    if (high + 1 + low > 64) return (word)high << low | read_bits(r, low);
    skip(r, low);
    return (word)high << low | (bits >> high >> 1 & low_bits(low));
}

/* The next state into `item`; false if there is none, or the file cannot be read. A block begins with a word of its own. */
static inline bool read_item(struct reader *r) {
    struct item *item = &r->item;
    bool is_first = r->number % ARCHIVE_BLOCK == 0;
    if (r->failed || r->number == r->archive->states) return false;
    if (is_first) r->at = (r->at + 63) / 64 * 64;
    item->y = is_first ? read_bits(r, 64) : item->y + read_gap(r);
    item->is_new = PARTIAL_ORDER && read_bits(r, 1);
    for (unsigned i = 0; i < KEY_WORDS; i++) item->key[i] = KEY_WORDS == 1 || i == r->head ? 0 : read_bits(r, key_bits[i]);
    r->number++;
    return !r->failed;
}

/* ------------------------------------------------------------------ writing */

struct writer {
    struct archive *archive;
    unsigned head, used; /* bits of the word being filled */
    unsigned at;
    word held, last; /* y written before */
    _Atomic uint64_t *disk; /* bytes of all archives, and how many there may be */
    uint64_t most_disk;
    bool failed; /* the disk is full, or what is allowed of it, or memory */
    word buffer[STREAM_WORDS];
};

static void flush_words(struct writer *w) {
    uint64_t bytes = w->at * sizeof(word);
    uint64_t offset = (w->archive->words - w->at) * sizeof(word);
    if (!w->failed && atomic_fetch_add(w->disk, bytes) + bytes > w->most_disk) w->failed = true;
    if (!w->failed) w->failed = !write_all(w->archive->file, w->buffer, bytes, offset);
    w->at = 0;
}

static void end_word(struct writer *w) {
    w->buffer[w->at++] = by_bytes(w->held);
    w->archive->words++;
    w->held = w->used = 0;
    if (w->at == STREAM_WORDS) flush_words(w);
}

static inline void write_bits(struct writer *w, word value, unsigned count) {
    if (count == 0) return;
    w->held |= value << w->used;
    w->used += count;
    if (w->used < 64) return;
    unsigned left = w->used - 64;
    end_word(w);
    if (left) w->held = value >> (count - left);
    w->used = left;
}

static inline void write_gap(struct writer *w, word gap) {
    unsigned low = w->archive->low_bits;
    bool is_wide = gap >> low >= MOST_UNARY;
    unsigned high = is_wide ? MOST_UNARY : (unsigned)(gap >> low);
    if (!is_wide && high + 1 + low <= 64) {
        write_bits(w, (word)1 << high | (gap & low_bits(low)) << high << 1, high + 1 + low);
    } else {
        write_bits(w, (word)1 << high, high + 1);
        write_bits(w, gap & low_bits(is_wide ? 64 : low), is_wide ? 64 : low);
    }
}

/* A new block, which begins with a word of its own. */
static void begin_block(struct writer *w, word first) {
    struct archive *archive = w->archive;
    if (w->used) end_word(w);
    if (archive->count == archive->room) {
        size_t room = archive->room ? archive->room + archive->room / 2 + 1 : 4;
        struct archive_block *blocks = realloc(archive->blocks, room * sizeof *blocks);
        w->failed |= !blocks;
        if (!blocks) return;
        archive->blocks = blocks;
        archive->room = room;
    }
    archive->blocks[archive->count++] = (struct archive_block){first, archive->words};
}

static inline void write_item(struct writer *w, const struct item *item) {
    bool is_first = w->archive->states++ % ARCHIVE_BLOCK == 0;
    if (is_first) begin_block(w, item->y);
    if (is_first) write_bits(w, item->y, 64);
    else write_gap(w, item->y - w->last);
    w->last = item->y;
    if (PARTIAL_ORDER) write_bits(w, item->is_new, 1);
    for (unsigned i = 0; KEY_WORDS > 1 && i < KEY_WORDS; i++)
        if (i != w->head) write_bits(w, item->key[i], key_bits[i]);
}

/* An empty archive for about so many states, whose y are below some bound. */
static void open_writer(struct writer *w, struct archive *archive, const char *folder, unsigned head, word bound, uint64_t states) {
    *archive = (struct archive){.file = open_unnamed(folder)};
    archive->is_open = archive->file >= 0;
    for (word gap = bound / (states ? states : 1); gap > 1; gap >>= 1) archive->low_bits++;
    w->archive = archive;
    w->head = head;
    w->used = w->at = 0;
    w->held = w->last = 0;
    w->failed = !archive->is_open;
}

/* Nothing more comes; false if the archive is not whole. */
static bool close_writer(struct writer *w) {
    if (w->used) end_word(w);
    flush_words(w);
    return !w->failed;
}

/* ------------------------------------------------------------------ archives */

static inline uint64_t archive_bytes(const struct archive *archive) { return archive->words * sizeof(word); }
static inline uint64_t archive_memory(const struct archive *archive) { return archive->room * sizeof *archive->blocks; }

static void close_archive(struct archive *archive) {
    if (archive->is_open) close(archive->file);
    free(archive->blocks);
    *archive = (struct archive){0};
}

/* The last block whose first y is below some y, or the first block: where states with that y begin, if there are any. */
static size_t block_before(const struct archive *archive, word y) {
    size_t low = 0, high = archive->count;
    while (low + 1 < high) {
        size_t middle = low + (high - low) / 2;
        if (archive->blocks[middle].first < y) low = middle;
        else high = middle;
    }
    return low;
}

enum finding { ABSENT, PRESENT, UNREADABLE };

/* Look for a state; `item` says then whether it is new. */
static enum finding find_in_archive(const struct archive *archive, unsigned head, struct item *item) {
    struct reader r;
    if (archive->count == 0) return ABSENT;
    open_reader(&r, archive, head, block_before(archive, item->y));
    int order = -1;
    while (order < 0 && read_item(&r)) order = compare_items(&r.item, item);
    item->is_new = order == 0 && r.item.is_new;
    return r.failed ? UNREADABLE : order == 0 ? PRESENT : ABSENT;
}

#endif
