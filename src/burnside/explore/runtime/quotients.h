/* An exact set of states in few bytes each, after Cleary [Cleary84].
 *
 * Of each state the set keeps its key (keys.h). One word of that, its head, is mixed by a bijection on the bits that it uses,
 * together with the other words. A segment of the set belongs to the first bits of what comes of it; the rest, divided by the
 * segment's divisor, is the number of a bucket, in which only the remainder and the other words have to stand:
 *
 *     key ─ mix ─▶ | segment | y |,   y = bucket · divisor + remainder
 *     bucket = | lock, slots used | tag of each slot | body of each slot |
 *     tag = lowest bits of the remainder,   body = | is new | displacement | the rest of the remainder | other words |
 *
 * A state whose bucket is full stands in one of the next ones, and says by its displacement how far away; the few for which
 * these are full, too, stand in a table of their own. Nothing is ever removed. A bucket fills a cache line where slots are
 * narrow; all tags are compared at once, and then mostly one body. Buckets that are full stay as they are, and so do slots
 * once they are counted, so states that are known are found without locking anything.
 *
 * Since divisors need not be powers of two, segments grow in small steps, and not all at once: while they are large, some are full
 * when others have just grown. Buckets are in the order of y, so that growing reads and writes memory from front to back.
 */
#ifndef BURNSIDE_QUOTIENTS_H
#define BURNSIDE_QUOTIENTS_H

#include <pthread.h>
#include <stdlib.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "archives.h"
#include "fingerprints.h"
#include "store.h"

enum {
    SEGMENT_BITS = BURNSIDE_SEGMENT_BITS,
    SEGMENTS = 1 << SEGMENT_BITS,
    FLAG = PARTIAL_ORDER, /* the bit of a slot that says that its state is of the level being built */
    DISPLACEMENT_BITS = BURNSIDE_DISPLACEMENT_BITS,
    MOST_DISPLACED = (1 << DISPLACEMENT_BITS) - 1,
    TAG_BITS = 8,
    BUCKET_HEAD = 8, /* bits before the first tag: a lock and how many slots are used */
    BUCKET_LOCK = 1 << 7,
    BUCKET_USED = BUCKET_LOCK - 1,
    SLOT_WORDS = KEY_WORDS == 1 ? 1 : KEY_WORDS + 1,
    LEAST_SLOTS = 8, /* of a bucket: with fewer, more states are displaced too far */
    MOST_SLOTS = 15, /* so many tags and the head are two words */
    LINE = 64       /* bytes */
};

struct slot {
    word tag, bits[SLOT_WORDS];
};

/* How many buckets a segment has, and how they are laid out. */
struct shape {
    uint64_t count, divisor, reciprocal; /* of buckets, not counting those behind the last one for what is displaced */
    word compared;         /* those bits of a body's first word that tell states apart */
    unsigned slots, words; /* of a bucket */
    unsigned width;        /* bits of the body of a slot */
    unsigned bodies;       /* where the first body begins */
    unsigned remainder_bits;
};

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

/* y by the divisor, which is 1 only if y is 0: the reciprocal is too large by less than one, so the quotient is so by at most one. */
static inline uint64_t divide(const struct shape *shape, word y, word *remainder) {
    uint64_t quotient = (uint64_t)((count_t)y * shape->reciprocal >> 64);
    quotient -= quotient * shape->divisor > y;
    *remainder = y - quotient * shape->divisor;
    return quotient;
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

static inline struct home home_of(const struct quotients *set, const word *s) {
    word key[KEY_WORDS];
    if (FINGERPRINTS) fingerprint_of(set->coefficients, s, key);
    else key_of_state(s, key);
    return home_of_key(set, key);
}

/* Fetch the bucket behind a full one: if the state is known at all, it may stand there. */
static inline void fetch_next(const struct home *home) {
    if ((atomic_load_explicit(home->bucket, memory_order_relaxed) & BUCKET_USED) == home->shape->slots) __builtin_prefetch((const void *)(home->bucket + home->shape->words));
}

/* ------------------------------------------------------------------ slots */

static inline void add_bits(word *bits, unsigned *at, word value, unsigned count) {
    if (count == 0) return;
    bits[*at >> 6] |= value << (*at & 63);
    if (SLOT_WORDS > 1 && (*at & 63) + count > 64) bits[(*at >> 6) + 1] |= value >> (64 - (*at & 63));
    *at += count;
}

static inline word take_bits(const word *bits, unsigned *at, unsigned count) {
    if (count == 0) return 0;
    word value = bits[*at >> 6] >> (*at & 63);
    if (SLOT_WORDS > 1 && (*at & 63) + count > 64) value |= bits[(*at >> 6) + 1] << (64 - (*at & 63));
    *at += count;
    return value & low_bits(count);
}

/* Those bits of a remainder that are not in its tag. */
static inline unsigned body_bits(unsigned remainder_bits) { return remainder_bits > TAG_BITS ? remainder_bits - TAG_BITS : 0; }

/* Where the tag and the body of a slot stand in its bucket. */
static inline unsigned tag_at(unsigned number) { return BUCKET_HEAD + number * TAG_BITS; }
static inline unsigned body_at(const struct shape *shape, unsigned number) { return shape->bodies + number * shape->width; }

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

static inline word load_word(const _Atomic word *at) { return atomic_load_explicit(at, memory_order_relaxed); }

/* The 64 bits from some bit on. Two words are read in any case: that is faster than to ask whether one is enough. */
static inline word bits_from(const _Atomic word *bucket, unsigned at) {
    const _Atomic word *place = bucket + (at >> 6);
    return load_word(place) >> (at & 63) | load_word(place + 1) << 1 << (63 - (at & 63));
}

static inline unsigned bits_left(const struct shape *shape, unsigned done) {
    return shape->width - done < 64 ? shape->width - done : 64;
}

static inline struct slot read_slot(const struct shape *shape, const _Atomic word *bucket, unsigned number) {
    struct slot slot = {.tag = bits_from(bucket, tag_at(number)) & low_bits(TAG_BITS)};
    unsigned at = body_at(shape, number);
    for (unsigned done = 0; done < shape->width; done += 64)
        slot.bits[done >> 6] = bits_from(bucket, at + done) & low_bits(bits_left(shape, done));
    return slot;
}

/* Fill some bits that are zero; the bucket is locked, or nobody else has it. */
static inline void fill_bits(_Atomic word *bucket, unsigned at, word value, unsigned count) {
    _Atomic word *place = bucket + (at >> 6);
    unsigned shift = at & 63;
    atomic_store_explicit(place, load_word(place) | value << shift, memory_order_relaxed);
    if (shift + count > 64) atomic_store_explicit(place + 1, load_word(place + 1) | value >> (64 - shift), memory_order_relaxed);
}

/* Fill the next slot of a bucket; false if there is none left. */
static inline bool add_slot(const struct shape *shape, _Atomic word *bucket, const struct slot *slot) {
    unsigned used = load_word(bucket) & BUCKET_USED, at = body_at(shape, used);
    if (used == shape->slots) return false;
    fill_bits(bucket, tag_at(used), slot->tag, TAG_BITS);
    for (unsigned done = 0; done < shape->width; done += 64)
        fill_bits(bucket, at + done, slot->bits[done >> 6], bits_left(shape, done));
    atomic_store_explicit(bucket, load_word(bucket) + 1, memory_order_release);
    return true;
}

/* Whether the body of a slot is the same, but for its flag. */
static inline bool has_body(const struct shape *shape, const _Atomic word *bucket, unsigned number, const struct slot *slot) {
    unsigned at = body_at(shape, number);
    word different = (bits_from(bucket, at) ^ slot->bits[0]) & shape->compared;
    for (unsigned done = 64; KEY_WORDS > 1 && done < shape->width; done += 64)
        different |= (bits_from(bucket, at + done) ^ slot->bits[done >> 6]) & low_bits(bits_left(shape, done));
    return different == 0;
}

/* One bit for every byte of two words that is the same as the lowest one of `wanted`, which all bytes of it are. */
static inline unsigned equal_bytes(word low, word high, word wanted) {
#ifdef __SSE2__
    __m128i bytes = _mm_set_epi64x((long long)high, (long long)low);
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi64x((long long)wanted)));
#else
    const word others = UINT64_C(0x7F7F7F7F7F7F7F7F), gather = UINT64_C(0x0102040810204081);
    word a = low ^ wanted, b = high ^ wanted;
    a = ~(((a & others) + others) | a | others); /* the top bit of each byte that is zero */
    b = ~(((b & others) + others) | b | others);
    return (unsigned)((a >> 7) * gather >> 56 | (b >> 7) * gather >> 56 << 8);
#endif
}

/* The number of the slot of a state in a bucket, or -1; and how many slots are used. */
static inline int find_slot(const struct shape *shape, const _Atomic word *bucket, const struct slot *slot, unsigned *used) {
    word low = atomic_load_explicit(bucket, memory_order_acquire), high = load_word(bucket + 1);
    *used = low & BUCKET_USED;
    unsigned equal = equal_bytes(low, high, slot->tag * UINT64_C(0x0101010101010101)) & ((2u << *used) - 2);
    for (; equal; equal &= equal - 1) {
        unsigned number = (unsigned)__builtin_ctz(equal) - 1;
        if (has_body(shape, bucket, number, slot)) return (int)number;
    }
    return -1;
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

static inline void wait_a_little(void) {
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

static inline void lock_bucket(_Atomic word *bucket) {
    while (atomic_fetch_or_explicit(bucket, BUCKET_LOCK, memory_order_acquire) & BUCKET_LOCK)
        while (load_word(bucket) & BUCKET_LOCK) wait_a_little();
}

static inline void unlock_bucket(_Atomic word *bucket) {
    atomic_store_explicit(bucket, load_word(bucket) & ~(word)BUCKET_LOCK, memory_order_release);
}

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

static struct shape shape_by(const struct quotients *set, uint64_t divisor) {
    struct shape shape = {.divisor = divisor, .reciprocal = divisor > 1 ? UINT64_MAX / divisor + 1 : 0};
    shape.count = set->quotient_mask / divisor + 1;
    while (divisor > 1 && low_bits(shape.remainder_bits) < divisor - 1) shape.remainder_bits++;
    shape.width = FLAG + DISPLACEMENT_BITS + body_bits(shape.remainder_bits) + set->other_bits;
    shape.compared = low_bits(shape.width < 64 ? shape.width : 64) & ~(word)FLAG;
    shape.words = (tag_at(LEAST_SLOTS) + LEAST_SLOTS * shape.width + 63) / 64;
    if (shape.words < LINE / sizeof(word)) shape.words = LINE / sizeof(word);
    shape.slots = (shape.words * 64 - BUCKET_HEAD) / (TAG_BITS + shape.width);
    if (shape.slots > MOST_SLOTS) shape.slots = MOST_SLOTS;
    shape.bodies = tag_at(shape.slots);
    return shape;
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
    struct shape shape = shape_by(set, divisor > least ? divisor : least);
    while (shape.divisor > least && shape.count * shape.slots < room) {
        uint64_t step = shape.count * shape.slots * 2 < room ? shape.divisor / 2 : (shape.divisor + 31) / 32;
        shape = shape_by(set, shape.divisor - step > least ? shape.divisor - step : least);
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
