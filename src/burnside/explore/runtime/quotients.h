/* An exact set of states in few bytes each, after Cleary [Cleary84].
 *
 * Of each state the set keeps its key (keys.h). One word of that, its head, is mixed by a bijection on the bits that it uses,
 * together with the other words. A segment of the set belongs to the first bits of what comes of it; the rest, divided by the
 * segment's divisor, is the number of a bucket, in which only the remainder and the other words have to stand:
 *
 *     key ─ mix ─▶ | segment | y |,   y = bucket · divisor + remainder
 *
 * A state whose bucket is full stands in one of the next ones, and says by its displacement how far away; the few for which
 * these are full, too, stand in a table of their own. Nothing is ever removed. Buckets (buckets.h) that are full stay as they are,
 * and so do slots once they are counted, so states that are known are found without locking anything.
 */
#ifndef BURNSIDE_QUOTIENTS_H
#define BURNSIDE_QUOTIENTS_H

#include <pthread.h>
#include <stdlib.h>

#include "archives.h"
#include "buckets.h"
#include "fingerprints.h"
#include "store.h"

enum { SEGMENT_BITS = BURNSIDE_SEGMENT_BITS, SEGMENTS = 1 << SEGMENT_BITS };

struct segment {
    _Atomic word *buckets;
    struct shape shape;
    struct archive archive; /* its states that are not in memory */
};

/* States that are displaced too far. */
struct strays {
    pthread_mutex_t mutex;
    word *keys;
    bool *is_new;
    _Atomic uint64_t count, room;
};

struct quotients {
    unsigned head, head_bits, other_bits; /* the word of keys that is divided; bits of it, of all others */
    unsigned half, quotient_bits;         /* for mixing: half of the head's bits; those that are not the number of the segment */
    word head_mask, quotient_mask;
    const word *coefficients; /* of fingerprints, if those are the keys */
    _Atomic word *bitmap; /* instead of segments: one bit for every key that there could be */
    uint64_t bitmap_bytes;
    struct segment segments[SEGMENTS];
    struct strays strays;
    _Atomic uint64_t archives_memory; /* bytes that archives need in memory */
    bool is_archived; /* known states stand in archives; memory has what was found since, which may be among them: see disk.h */
};

/* ------------------------------------------------------------------ mixing */

static inline word mix(const struct quotients *set, word x) {
    unsigned half = set->half;
    x = (x ^ x >> half) * 0x9E3779B97F4A7C15u & set->head_mask;
    x = (x ^ x >> half) * 0xD6E8FEB86659FD93u & set->head_mask;
    return x ^ x >> half;
}

/* Twice the shift leaves nothing, so x ^ x >> half is its own inverse; the factors are those above, inverted modulo 2^64. */
static inline word unmix(const struct quotients *set, word x) {
    unsigned half = set->half;
    x = (x ^ x >> half) * 0xCFEE444D8B59A89Bu & set->head_mask;
    x = (x ^ x >> half) * 0xF1DE83E19937733Du & set->head_mask;
    return x ^ x >> half;
}

/* Bits for the head by the other words. */
static inline word bits_of_others(const struct quotients *set, const word *key) {
    word others = 0;
    if (KEY_WORDS == 1) return 0;
    for (unsigned i = 0; i < KEY_WORDS; i++)
        if (i != set->head) others = (others ^ others >> 32 ^ key[i]) * 0xD6E8FEB86659FD93u;
    return set->head_bits ? others >> (64 - set->head_bits) : 0;
}

/* The head of a key, mixed: different keys with the same other words have different ones. */
static inline word mixed_head(const struct quotients *set, const word *key) {
    return mix(set, key[KEY_WORDS > 1 ? set->head : 0] ^ bits_of_others(set, key));
}

/* The same backwards: the head of a key by its other words. */
static inline void restore_head(const struct quotients *set, word mixed, word *key) {
    key[KEY_WORDS > 1 ? set->head : 0] = unmix(set, mixed) ^ bits_of_others(set, key);
}

/* ------------------------------------------------------------------ places */

static inline unsigned segment_bits(const struct quotients *set) { return set->head_bits - set->quotient_bits; }
static inline unsigned segments_of(const struct quotients *set) { return 1u << segment_bits(set); }

static inline _Atomic word *bucket_at(const struct segment *segment, uint64_t number) {
    return segment->buckets + number * segment->shape.words;
}

/* Where a state stands, unless it is displaced. In a bitmap: the word of its bit. */
struct home {
    _Atomic word *bucket; /* what is read first */
    const struct shape *shape;
    word remainder;
    word key[KEY_WORDS];
};

/* Where a key stands by its mixed head. */
static inline void find_home(const struct segment *segment, word y, struct home *home) {
    home->shape = &segment->shape;
    home->bucket = bucket_at(segment, divide(&segment->shape, y, &home->remainder));
}

static inline struct home home_of_key(const struct quotients *set, const word *key) {
    struct home home = {.bucket = NULL};
    memcpy(home.key, key, sizeof home.key);
    if (set->bitmap) {
        home.bucket = &set->bitmap[key[0] >> 6];
        return home;
    }
    word mixed = mixed_head(set, key);
    find_home(&set->segments[mixed >> set->quotient_bits], mixed & set->quotient_mask, &home);
    return home;
}

/* What the set keeps of a state. */
static inline void key_of(const struct quotients *set, const word *s, word *key) {
    if (FINGERPRINTS) fingerprint_of(set->coefficients, s, key);
    else key_of_state(s, key);
}

static inline struct home home_of(const struct quotients *set, const word *s) {
    word key[KEY_WORDS];
    key_of(set, s, key);
    return home_of_key(set, key);
}

/* Fetch the bucket behind a full one: if the state is known at all, it may stand there. */
static inline void fetch_next(const struct home *home) {
    if ((atomic_load_explicit(home->bucket, memory_order_relaxed) & BUCKET_USED) == home->shape->slots) __builtin_prefetch((const void *)(home->bucket + home->shape->words));
}

/* What stands in the slot of a state that is not displaced. */
static inline struct slot slot_of(const struct quotients *set, const struct home *home) {
    struct slot slot = {.tag = home->remainder & low_bits(TAG_BITS)};
    unsigned at = FLAG + DISPLACEMENT_BITS;
    slot.bits[0] = home->remainder >> TAG_BITS << at;
    at += body_bits(home->shape->remainder_bits);
    for (unsigned i = 0; i < KEY_WORDS; i++)
        if (KEY_WORDS > 1 && i != set->head) add_bits(slot.bits, &at, home->key[i], key_bits[i]);
    return slot;
}

/* ------------------------------------------------------------------ strays */

static bool knows_stray(const struct strays *strays, const word *key, uint64_t *number) {
    for (*number = 0; *number < strays->count; ++*number)
        if (same_key(strays->keys + *number * KEY_WORDS, key)) return true;
    return false;
}

enum found { KNOWN, NEW, NO_ROOM };

static enum found enter_stray(struct strays *strays, const word *key, bool is_new) {
    enum found found = KNOWN;
    uint64_t number;
    pthread_mutex_lock(&strays->mutex);
    if (!knows_stray(strays, key, &number)) {
        if (strays->count == strays->room) {
            uint64_t room = strays->room ? 2 * strays->room : 64;
            word *keys = realloc(strays->keys, room * KEY_WORDS * sizeof *keys);
            if (keys) strays->keys = keys;
            bool *flags = realloc(strays->is_new, room * sizeof *flags);
            if (flags) strays->is_new = flags;
            if (keys && flags) strays->room = room;
        }
        found = strays->count < strays->room ? NEW : NO_ROOM;
        if (found == NEW) {
            memcpy(strays->keys + strays->count * KEY_WORDS, key, KEY_WORDS * sizeof *key);
            strays->is_new[strays->count++] = is_new;
        }
    }
    pthread_mutex_unlock(&strays->mutex);
    return found;
}

/* ------------------------------------------------------------------ looking up and entering */

/* Where a state was looked for: its slot, or the bucket where it would stand. */
struct place {
    _Atomic word *bucket;
    unsigned number; /* of its slot */
};

/* Look a state up, bucket by bucket; false if it is not known. Beyond the last bucket it may be a stray. */
static inline __attribute__((always_inline)) bool find_place(const struct home *home, struct slot slot, struct place *place) {
    const struct shape *shape = home->shape;
    place->bucket = home->bucket;
    for (unsigned displaced = 0; displaced <= MOST_DISPLACED; displaced++) {
        unsigned used;
        int number = find_slot(shape, place->bucket, &slot, &used);
        place->number = (unsigned)number;
        if (number >= 0) return true;
        if (used < shape->slots) return false;
        slot.bits[0] += (word)1 << FLAG;
        place->bucket += shape->words;
    }
    place->bucket = NULL;
    return false;
}

/* Whether a state is in memory, and if so whether it is of the level being built. */
static bool is_held(struct quotients *set, const struct home *home, bool *is_new) {
    struct place place;
    uint64_t number;
    bool is_known = find_place(home, slot_of(set, home), &place);
    if (is_known) {
        *is_new = FLAG && bits_from(place.bucket, body_at(home->shape, place.number)) & 1;
    } else if (!place.bucket) {
        pthread_mutex_lock(&set->strays.mutex);
        is_known = knows_stray(&set->strays, home->key, &number);
        *is_new = is_known && set->strays.is_new[number];
        pthread_mutex_unlock(&set->strays.mutex);
    }
    return is_known;
}

/* A key as it would stand in an archive; the result is the number of its segment. */
static inline unsigned item_of(const struct quotients *set, const word *key, struct item *item) {
    word mixed = mixed_head(set, key);
    item->y = mixed & set->quotient_mask;
    for (unsigned i = 0; i < KEY_WORDS; i++) item->key[i] = i == set->head ? 0 : key[i];
    return (unsigned)(mixed >> set->quotient_bits);
}

/* Whether a state is known, and if so whether it is of the level being built. If the archive cannot be read, it counts as known
 * and old: nothing is claimed of it. */
static bool knows(struct quotients *set, const word *s, bool *is_new) {
    struct home home = home_of(set, s);
    *is_new = false;
    if (set->bitmap) return load_word(home.bucket) >> (home.key[0] & 63) & 1;
    bool is_known = is_held(set, &home, is_new);
    if (!set->is_archived) return is_known;
    struct item item;
    unsigned number = item_of(set, home.key, &item);
    enum finding found = find_in_archive(&set->segments[number].archive, set->head, &item);
    *is_new = found == ABSENT ? is_known : item.is_new;
    return is_known || found != ABSENT;
}

static inline enum found enter_bit(_Atomic word *place, const word *key) {
    word bit = (word)1 << (key[0] & 63);
    if (load_word(place) & bit) return KNOWN;
    return atomic_fetch_or_explicit(place, bit, memory_order_relaxed) & bit ? KNOWN : NEW;
}

/* Enter a state that is not yet known into the first bucket that has room. Its home bucket is locked meanwhile, so nobody else
 * enters the same state; locks are taken in the order of buckets. */
static __attribute__((noinline)) enum found enter_slot(struct quotients *set, const struct home *home, const struct slot *looked_for, bool is_new) {
    const struct shape *shape = home->shape;
    _Atomic word *bucket = home->bucket;
    struct slot slot = *looked_for;
    enum found found = NO_ROOM;
    slot.bits[0] |= FLAG && is_new;
    lock_bucket(home->bucket);
    for (unsigned displaced = 0; displaced <= MOST_DISPLACED && found == NO_ROOM; displaced++) {
        unsigned used;
        if (displaced) lock_bucket(bucket);
        if (find_slot(shape, bucket, &slot, &used) >= 0) found = KNOWN;
        else if (add_slot(shape, bucket, &slot)) found = NEW;
        if (displaced) unlock_bucket(bucket);
        slot.bits[0] += (word)1 << FLAG;
        bucket += shape->words;
    }
    if (found == NO_ROOM) found = enter_stray(&set->strays, home->key, is_new);
    unlock_bucket(home->bucket);
    return found;
}

static inline enum found enter_state(struct quotients *set, const struct home *home, bool is_new) {
    if (set->bitmap) return enter_bit(home->bucket, home->key);
    struct slot slot = slot_of(set, home);
    struct place place;
    return find_place(home, slot, &place) ? KNOWN : enter_slot(set, home, &slot, is_new);
}

#if PARTIAL_ORDER
/* A state of the level that was built is not new any more. */
static void mark_old(struct quotients *set, const word *s) {
    struct home home = home_of(set, s);
    struct place place;
    uint64_t number;
    if (find_place(&home, slot_of(set, &home), &place)) {
        unsigned flag = body_at(home.shape, place.number);
        _Atomic word *bits = place.bucket + (flag >> 6);
        lock_bucket(place.bucket);
        atomic_store_explicit(bits, load_word(bits) & ~((word)1 << (flag & 63)), memory_order_relaxed);
        unlock_bucket(place.bucket);
    } else {
        pthread_mutex_lock(&set->strays.mutex);
        if (knows_stray(&set->strays, home.key, &number)) set->strays.is_new[number] = false;
        pthread_mutex_unlock(&set->strays.mutex);
    }
}
#endif

#endif
