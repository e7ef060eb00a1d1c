/* Buckets: a few slots side by side, each for what the address of a bucket does not say of a state (quotients.h).
 *
 *     bucket = | lock, slots used | tag of each slot | body of each slot |
 *     body = | is new | displacement | the remainder without its lowest bits, which are the tag | other words of the key |
 *
 * A bucket fills a cache line where slots are narrow. All tags are compared at once, and then mostly one body.
 */
#ifndef BURNSIDE_BUCKETS_H
#define BURNSIDE_BUCKETS_H

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "keys.h"

enum {
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

/* ------------------------------------------------------------------ shapes */

/* Those bits of a remainder that are not in its tag. */
static inline unsigned body_bits(unsigned remainder_bits) { return remainder_bits > TAG_BITS ? remainder_bits - TAG_BITS : 0; }

/* Where the tag and the body of a slot stand in its bucket. */
static inline unsigned tag_at(unsigned number) { return BUCKET_HEAD + number * TAG_BITS; }
static inline unsigned body_at(const struct shape *shape, unsigned number) { return shape->bodies + number * shape->width; }

/* Buckets for all y up to some number, given the bits of the other words of keys. */
static struct shape shape_by(word most, uint64_t divisor, unsigned other_bits) {
    struct shape shape = {.divisor = divisor, .reciprocal = divisor > 1 ? UINT64_MAX / divisor + 1 : 0};
    shape.count = most / divisor + 1;
    while (divisor > 1 && low_bits(shape.remainder_bits) < divisor - 1) shape.remainder_bits++;
    shape.width = FLAG + DISPLACEMENT_BITS + body_bits(shape.remainder_bits) + other_bits;
    shape.compared = low_bits(shape.width < 64 ? shape.width : 64) & ~(word)FLAG;
    shape.words = (tag_at(LEAST_SLOTS) + LEAST_SLOTS * shape.width + 63) / 64;
    if (shape.words < LINE / sizeof(word)) shape.words = LINE / sizeof(word);
    shape.slots = (shape.words * 64 - BUCKET_HEAD) / (TAG_BITS + shape.width);
    if (shape.slots > MOST_SLOTS) shape.slots = MOST_SLOTS;
    shape.bodies = tag_at(shape.slots);
    return shape;
}

/* y by the divisor, which is 1 only if y is 0: the reciprocal is too large by less than one, so the quotient is so by at most one. */
static inline uint64_t divide(const struct shape *shape, word y, word *remainder) {
    uint64_t quotient = (uint64_t)((count_t)y * shape->reciprocal >> 64);
    quotient -= quotient * shape->divisor > y;
    *remainder = y - quotient * shape->divisor;
    return quotient;
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

/* ------------------------------------------------------------------ locks */

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

#endif
