/* Room in the compact set (quotients.h).
 *
 * Since divisors need not be powers of two, segments grow in small steps, and not all at once: while they are large, some are full
 * when others have just grown. Buckets are in the order of y, so that growing reads and writes memory from front to back.
 */
#ifndef BURNSIDE_GROWING_H
#define BURNSIDE_GROWING_H

#include "quotients.h"

/* ------------------------------------------------------------------ room */

/* One line more than buckets and those behind them, since the word behind a slot may be read. */
static inline uint64_t segment_bytes(const struct shape *shape) {
    return (shape->count + MOST_DISPLACED) * shape->words * sizeof(word) + LINE;
}

static uint64_t quotients_bytes(const struct quotients *set) {
    uint64_t bytes = set->bitmap_bytes + atomic_load(&set->archives_memory) + set->strays.room * (KEY_WORDS * sizeof(word) + sizeof(bool));
    for (unsigned i = 0; i < SEGMENTS; i++)
        if (set->segments[i].buckets) bytes += segment_bytes(&set->segments[i].shape);
    return bytes;
}

/* States that a segment has slots for. */
static inline uint64_t room_of(const struct segment *segment) { return segment->shape.count * segment->shape.slots; }

/* How many states there may be, given the segment with least room: all have about as many. */
static uint64_t quotients_room(const struct quotients *set) {
    uint64_t least = UINT64_MAX;
    for (unsigned i = 0; i < segments_of(set); i++)
        if (room_of(&set->segments[i]) < least) least = room_of(&set->segments[i]);
    return least << segment_bits(set);
}

static inline struct shape set_shape(const struct quotients *set, uint64_t divisor) {
    return shape_by(set->quotient_mask, divisor, set->other_bits);
}

static inline uint64_t least_divisor(const struct quotients *set) { return set->quotient_bits ? 2 : 1; }

/* Whether there are as many buckets as there can be: a key of one word always finds a slot then. */
static inline bool is_at_its_largest(const struct quotients *set) {
    for (unsigned i = 0; i < segments_of(set); i++)
        if (set->segments[i].shape.divisor > least_divisor(set)) return false;
    return true;
}

/* The shape of a segment with room for some states. */
static struct shape shape_for(const struct quotients *set, uint64_t room) {
    uint64_t least = least_divisor(set), divisor = set->quotient_mask / 2 + 1;
    struct shape shape = set_shape(set, divisor > least ? divisor : least);
    while (shape.divisor > least && shape.count * shape.slots < room) {
        uint64_t step = shape.count * shape.slots * 2 < room ? shape.divisor / 2 : (shape.divisor + 31) / 32;
        shape = set_shape(set, shape.divisor - step > least ? shape.divisor - step : least);
    }
    return shape;
}

/* How full segments are when they grow, in percent; a bitmap never does. */
static inline unsigned most_full(const struct quotients *set) {
    const struct shape *shape = &set->segments[0].shape;
    if (set->bitmap) return 100;
    uint64_t percent = 1000 * sizeof(word) * shape->words / shape->slots / BURNSIDE_FEW_BYTES;
    return percent > BURNSIDE_FULL ? BURNSIDE_FULL : percent < BURNSIDE_ROOMY / 2 ? BURNSIDE_ROOMY / 2 : (unsigned)percent;
}

static bool open_segment(struct segment *segment, struct shape shape) {
    segment->shape = shape;
    segment->buckets = reserve(segment_bytes(&shape));
    return segment->buckets != NULL;
}

static void release_segment(struct segment *segment) {
    if (segment->buckets) munmap((void *)segment->buckets, segment_bytes(&segment->shape));
    segment->buckets = NULL;
}

/* An empty set with room for some states. */
static bool open_quotients(struct quotients *set, uint64_t states) {
    bool is_open = true;
    memset(set, 0, sizeof *set);
    pthread_mutex_init(&set->strays.mutex, NULL);
    for (unsigned i = 0; i < KEY_WORDS; i++) {
        set->other_bits += key_bits[i];
        if (key_bits[i] > key_bits[set->head]) set->head = i;
    }
    set->head_bits = key_bits[set->head];
    set->other_bits -= set->head_bits;
    set->half = (set->head_bits + 1) / 2;
    set->quotient_bits = set->head_bits < SEGMENT_BITS ? 0 : set->head_bits - SEGMENT_BITS;
    set->head_mask = low_bits(set->head_bits);
    set->quotient_mask = low_bits(set->quotient_bits);
    if (KEY_WORDS == 1 && !FLAG && set->head_bits <= BURNSIDE_BITMAP_BITS) {
        set->bitmap_bytes = set->head_bits < 6 ? sizeof(word) : (UINT64_C(1) << set->head_bits) / 8;
        return (set->bitmap = reserve(set->bitmap_bytes)) != NULL;
    }
    struct shape shape = shape_for(set, (states >> segment_bits(set)) * 100 / BURNSIDE_ROOMY + 1);
    for (unsigned i = 0; i < segments_of(set) && is_open; i++) is_open = open_segment(&set->segments[i], shape);
    return is_open;
}

static void close_quotients(struct quotients *set) {
    for (unsigned i = 0; i < SEGMENTS; i++) {
        release_segment(&set->segments[i]);
        close_archive(&set->segments[i].archive);
    }
    if (set->bitmap) munmap((void *)set->bitmap, set->bitmap_bytes);
    free(set->strays.keys);
    free(set->strays.is_new);
    memset(set, 0, sizeof *set);
}

/* ------------------------------------------------------------------ growing: nobody else uses the segment */

static inline uint64_t buckets_of(const struct segment *segment) { return segment->shape.count + MOST_DISPLACED; }
static inline unsigned slots_used(const struct segment *segment, uint64_t bucket) { return load_word(bucket_at(segment, bucket)) & BUCKET_USED; }

/* What stands in a slot: its y, and the other words of the key; whether it is new. */
static inline bool read_key(const struct quotients *set, const struct segment *segment, uint64_t bucket, unsigned number, word *y, word *key) {
    const struct shape *shape = &segment->shape;
    struct slot slot = read_slot(shape, bucket_at(segment, bucket), number);
    unsigned at = FLAG;
    uint64_t displaced = take_bits(slot.bits, &at, DISPLACEMENT_BITS);
    *y = (bucket - displaced) * shape->divisor + (take_bits(slot.bits, &at, body_bits(shape->remainder_bits)) << TAG_BITS | slot.tag);
    for (unsigned i = 0; i < KEY_WORDS; i++)
        if (KEY_WORDS > 1 && i != set->head) key[i] = take_bits(slot.bits, &at, key_bits[i]);
    return FLAG && slot.bits[0] & 1;
}

/* Enter a state that is not in the larger segment, given all of its key but the head. False if there is no memory. */
static inline bool move_key_over(struct quotients *set, const struct segment *larger, unsigned number, word y, struct home *home, bool is_new) {
    find_home(larger, y, home);
    struct slot slot = slot_of(set, home);
    slot.bits[0] |= FLAG && is_new;
    for (unsigned displaced = 0; displaced <= MOST_DISPLACED; displaced++) {
        if (add_slot(home->shape, home->bucket, &slot)) return true;
        slot.bits[0] += (word)1 << FLAG;
        home->bucket += home->shape->words;
    }
    restore_head(set, (word)number << set->quotient_bits | y, home->key);
    return enter_stray(&set->strays, home->key, is_new) != NO_ROOM;
}

/* Move a segment to larger memory. False if there is none: the segment is as before. */
static bool grow_segment(struct quotients *set, unsigned number, struct shape shape) {
    struct segment *segment = &set->segments[number], old = *segment, larger = old;
    bool is_complete = open_segment(&larger, shape);
    for (uint64_t bucket = 0; is_complete && bucket < buckets_of(&old); bucket++) {
        unsigned used = slots_used(&old, bucket);
        for (unsigned i = 0; i < used; i++) {
            struct home home;
            word y;
            bool is_new = read_key(set, &old, bucket, i, &y, home.key);
            is_complete &= move_key_over(set, &larger, number, y, &home, is_new);
        }
    }
    release_segment(is_complete ? &old : &larger);
    if (is_complete) *segment = larger;
    return is_complete;
}

/* Strays after all segments have grown: most have a place now. */
static bool reenter_strays(struct quotients *set) {
    word *keys = set->strays.keys;
    bool *is_new = set->strays.is_new, is_complete = true;
    uint64_t count = set->strays.count;
    set->strays.keys = NULL;
    set->strays.is_new = NULL;
    set->strays.count = set->strays.room = 0;
    for (uint64_t i = 0; i < count; i++) {
        struct home home = home_of_key(set, keys + i * KEY_WORDS);
        is_complete &= enter_state(set, &home, is_new[i]) != NO_ROOM;
    }
    free(keys);
    free(is_new);
    return is_complete;
}

#endif
