/* An exact set of states in few bytes each, after Cleary [Cleary84].
 *
 * One word of a state, its head, is mixed by a bijection on the bits that it uses, together with the other words. A part of the
 * set belongs to the first bits of what comes of it; the rest, divided by the part's divisor, is the number of a bucket, in
 * which only the remainder and the other words have to stand:
 *
 *     state ─ mix ─▶ | part | y |,   y = bucket · divisor + remainder
 *     bucket = | lock, slots used | tag of each slot | body of each slot |
 *     tag = lowest bits of the remainder,   body = | is new | displacement | the rest of the remainder | other words |
 *
 * A state whose bucket is full stands in one of the next ones, and says by its displacement how far away; the few for which
 * these are full, too, stand in a table of their own. Nothing is ever removed. A bucket fills a cache line where slots are
 * narrow; eight tags are compared at a time, and then mostly one body. Buckets that are full stay as they are, and so do slots
 * once they are counted, so states that are known are found without locking anything.
 *
 * Since divisors need not be powers of two, the set grows in small steps. Buckets are in the order of y, so that growing reads
 * and writes memory from front to back.
 */
#ifndef BURNSIDE_QUOTIENTS_H
#define BURNSIDE_QUOTIENTS_H

#include <pthread.h>
#include <stdlib.h>

#include "store.h"

enum {
    PART_BITS = BURNSIDE_PART_BITS,
    PARTS = 1 << PART_BITS,
    FLAG = PARTIAL_ORDER, /* the bit of a slot that says that its state is of the level being built */
    DISPLACEMENT_BITS = 4,
    MOST_DISPLACED = (1 << DISPLACEMENT_BITS) - 1,
    TAG_BITS = 8,
    BUCKET_HEAD = 8, /* bits before the first tag: a lock and how many slots are used */
    BUCKET_LOCK = 1 << 7,
    BUCKET_USED = BUCKET_LOCK - 1,
    SLOT_WORDS = WORDS == 1 ? 1 : WORDS + 1,
    LEAST_SLOTS = 8 /* of a bucket: with fewer, more states are displaced too far */
};

struct slot {
    word tag, bits[SLOT_WORDS];
};

struct part {
    _Atomic word *buckets;
    bool is_shared; /* its memory is a piece of one for all parts */
    uint64_t count, divisor, reciprocal; /* of buckets, not counting those behind the last one for what is displaced */
    unsigned remainder_bits, width, slots, words; /* of the body of a slot; of a bucket */
};

/* States that are displaced too far. */
struct strays {
    pthread_mutex_t mutex;
    word *states;
    bool *is_new;
    _Atomic uint64_t count, room;
};

struct quotients {
    unsigned head, head_bits, other_bits; /* the word that is divided; bits of it, of all others */
    _Atomic word *bitmap;                 /* instead of parts: one bit for every state that there could be */
    uint64_t bitmap_bytes;
    struct part parts[PARTS];
    void *shared; /* memory of all parts while they are small: random probes of many small pages would miss the TLB */
    uint64_t shared_bytes;
    void *spare; /* likewise, if growing was not completed: some parts are in one, others in the other */
    uint64_t spare_bytes;
    struct strays strays;
};

/* ------------------------------------------------------------------ mixing */

static inline word low_bits(unsigned bits) { return bits >= 64 ? ~(word)0 : ((word)1 << bits) - 1; }

static inline word mix(word x, unsigned bits) {
    unsigned half = (bits + 1) / 2;
    word mask = low_bits(bits);
    x = (x ^ x >> half) * 0x9E3779B97F4A7C15u & mask;
    x = (x ^ x >> half) * 0xD6E8FEB86659FD93u & mask;
    x = (x ^ x >> half) * 0xBF58476D1CE4E5B9u & mask;
    return x ^ x >> half;
}

/* Twice the shift leaves nothing, so x ^ x >> half is its own inverse; the factors are those above, inverted modulo 2^64. */
static inline word unmix(word x, unsigned bits) {
    unsigned half = (bits + 1) / 2;
    word mask = low_bits(bits);
    x = (x ^ x >> half) * 0x96DE1B173F119089u & mask;
    x = (x ^ x >> half) * 0xCFEE444D8B59A89Bu & mask;
    x = (x ^ x >> half) * 0xF1DE83E19937733Du & mask;
    return x ^ x >> half;
}

/* Bits for the head by the other words. */
static inline word bits_of_others(const struct quotients *set, const word *s) {
    word others = 0;
    if (WORDS == 1) return 0;
    for (unsigned i = 0; i < WORDS; i++)
        if (i != set->head) others = (others ^ others >> 32 ^ s[i]) * 0xD6E8FEB86659FD93u;
    return set->head_bits ? others >> (64 - set->head_bits) : 0;
}

/* The head of a state, mixed: different states with the same other words have different ones. */
static inline word mixed_head(const struct quotients *set, const word *s) {
    return mix(s[WORDS > 1 ? set->head : 0] ^ bits_of_others(set, s), set->head_bits);
}

/* The same backwards: the head of a state by its other words. */
static inline void restore_head(const struct quotients *set, word mixed, word *s) {
    s[set->head] = unmix(mixed, set->head_bits) ^ bits_of_others(set, s);
}

/* ------------------------------------------------------------------ places */

static inline unsigned part_bits(const struct quotients *set) {
    return set->head_bits < PART_BITS ? set->head_bits : (unsigned)PART_BITS;
}

static inline unsigned quotient_bits(const struct quotients *set) { return set->head_bits - part_bits(set); }

static inline struct part *part_of(struct quotients *set, word mixed) { return &set->parts[mixed >> quotient_bits(set)]; }

static inline _Atomic word *bucket_at(const struct part *part, uint64_t number) { return part->buckets + number * part->words; }

/* y by the divisor: the reciprocal is too large by less than one, so the quotient is so by at most one. */
static inline uint64_t divide(const struct part *part, word y, word *remainder) {
    uint64_t quotient = (uint64_t)((count_t)y * part->reciprocal >> 64);
    if (part->divisor == 1) quotient = y;
    if (quotient * part->divisor > y) quotient--;
    *remainder = y - quotient * part->divisor;
    return quotient;
}

static inline uint64_t home_bucket(const struct quotients *set, const struct part *part, word mixed, word *remainder) {
    return divide(part, mixed & low_bits(quotient_bits(set)), remainder);
}

/* The memory that is read first when a state is looked up. */
static inline const void *memory_of(struct quotients *set, const word *s, word mixed) {
    word remainder;
    if (set->bitmap) return (const void *)&set->bitmap[s[0] >> 6];
    struct part *part = part_of(set, mixed);
    return (const void *)bucket_at(part, home_bucket(set, part, mixed, &remainder));
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
static inline unsigned body_at(const struct part *part, unsigned number) { return tag_at(part->slots) + number * part->width; }

/* What stands in the slot of a state that is not displaced. */
static inline struct slot slot_of(const struct quotients *set, const struct part *part, const word *s, word remainder) {
    struct slot slot = {.tag = remainder & low_bits(TAG_BITS)};
    unsigned at = FLAG + DISPLACEMENT_BITS;
    add_bits(slot.bits, &at, remainder >> TAG_BITS, body_bits(part->remainder_bits));
    for (unsigned i = 0; i < WORDS; i++)
        if (WORDS > 1 && i != set->head) add_bits(slot.bits, &at, s[i], word_bits[i]);
    return slot;
}

static inline word load_word(const _Atomic word *at) { return atomic_load_explicit(at, memory_order_relaxed); }

static inline word bits_at(const _Atomic word *bucket, unsigned at, unsigned count) {
    unsigned shift = at & 63;
    word value = load_word(bucket + (at >> 6)) >> shift;
    if (shift + count > 64) value |= load_word(bucket + (at >> 6) + 1) << (64 - shift);
    return value & low_bits(count);
}

static inline struct slot read_slot(const struct part *part, const _Atomic word *bucket, unsigned number) {
    struct slot slot = {.tag = bits_at(bucket, tag_at(number), TAG_BITS)};
    unsigned at = body_at(part, number);
    for (unsigned done = 0; done < part->width; done += 64)
        slot.bits[done >> 6] = bits_at(bucket, at + done, part->width - done < 64 ? part->width - done : 64);
    return slot;
}

/* Change the bits of a slot that are not yet counted, or its flag; the bucket is locked, or nobody else has it. */
static inline void write_bits(_Atomic word *bucket, unsigned at, word value, unsigned count) {
    for (unsigned done = 0; done < count;) {
        unsigned shift = (at + done) & 63, here = count - done < 64 - shift ? count - done : 64 - shift;
        _Atomic word *place = bucket + ((at + done) >> 6);
        word kept = load_word(place) & ~(low_bits(here) << shift);
        atomic_store_explicit(place, kept | (value >> done & low_bits(here)) << shift, memory_order_relaxed);
        done += here;
    }
}

static inline bool has_tag(const _Atomic word *bucket, unsigned number, const struct slot *slot) {
    return bits_at(bucket, tag_at(number), TAG_BITS) == slot->tag;
}

/* Whether the body of a slot is the same, but for its flag. */
static inline bool has_body(const struct part *part, const _Atomic word *bucket, unsigned number, const struct slot *slot) {
    unsigned at = body_at(part, number);
    word different = (bits_at(bucket, at, part->width < 64 ? part->width : 64) ^ slot->bits[0]) >> FLAG;
    for (unsigned done = 64; WORDS > 1 && done < part->width; done += 64)
        different |= bits_at(bucket, at + done, part->width - done < 64 ? part->width - done : 64) ^ slot->bits[done >> 6];
    return different == 0;
}

/* The number of a slot among the first ones of a bucket, or -1. */
static inline int find_slot(const struct part *part, const _Atomic word *bucket, unsigned used, const struct slot *slot) {
    const word ones = UINT64_C(0x0101010101010101), tops = ones << 7, wanted = slot->tag * ones;
    for (unsigned i = 0; 8 * i <= used; i++) {
        word different = load_word(bucket + i) ^ wanted;
        word zeros = (different - ones) & ~different & tops; /* the top bits of bytes that are zero, and maybe of some behind */
        if (i == 0) zeros &= ~low_bits(BUCKET_HEAD);
        for (; zeros; zeros &= zeros - 1) {
            unsigned number = 8 * i + (unsigned)__builtin_ctzll(zeros) / 8 - 1;
            if (number < used && has_tag(bucket, number, slot) && has_body(part, bucket, number, slot)) return (int)number;
        }
    }
    return -1;
}

/* ------------------------------------------------------------------ strays */

static bool knows_stray(const struct strays *strays, const word *s, uint64_t *number) {
    for (*number = 0; *number < strays->count; ++*number)
        if (same_state(strays->states + *number * WORDS, s)) return true;
    return false;
}

enum found { KNOWN, NEW, NO_ROOM };

static enum found enter_stray(struct strays *strays, const word *s, bool is_new) {
    enum found found = KNOWN;
    uint64_t number;
    pthread_mutex_lock(&strays->mutex);
    if (!knows_stray(strays, s, &number)) {
        if (strays->count == strays->room) {
            uint64_t room = strays->room ? 2 * strays->room : 64;
            word *states = realloc(strays->states, room * WORDS * sizeof *states);
            if (states) strays->states = states;
            bool *flags = realloc(strays->is_new, room * sizeof *flags);
            if (flags) strays->is_new = flags;
            if (states && flags) strays->room = room;
        }
        found = strays->count < strays->room ? NEW : NO_ROOM;
        if (found == NEW) {
            memcpy(strays->states + strays->count * WORDS, s, WORDS * sizeof *s);
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
    unsigned used, number; /* slots of the bucket; that of the state */
};

/* Look a state up, bucket by bucket; false if it is not known. Beyond the last bucket it may be a stray. */
static inline bool find_place(const struct part *part, uint64_t home, struct slot *slot, struct place *place) {
    for (unsigned displaced = 0; displaced <= MOST_DISPLACED; displaced++) {
        place->bucket = bucket_at(part, home + displaced);
        place->used = atomic_load_explicit(place->bucket, memory_order_acquire) & BUCKET_USED;
        int number = find_slot(part, place->bucket, place->used, slot);
        place->number = (unsigned)number;
        if (number >= 0) return true;
        if (place->used < part->slots) return false;
        slot->bits[0] += (word)1 << FLAG;
    }
    place->bucket = NULL;
    return false;
}

/* Whether a state is known, and if so whether it is of the level being built. */
static bool knows(struct quotients *set, const word *s, bool *is_new) {
    *is_new = false;
    if (set->bitmap) return load_word(&set->bitmap[s[0] >> 6]) >> (s[0] & 63) & 1;
    word mixed = mixed_head(set, s), remainder;
    struct part *part = part_of(set, mixed);
    uint64_t home = home_bucket(set, part, mixed, &remainder), number;
    struct slot slot = slot_of(set, part, s, remainder);
    struct place place;
    bool is_known = find_place(part, home, &slot, &place);
    if (is_known) {
        *is_new = FLAG && bits_at(place.bucket, body_at(part, place.number), 1);
    } else if (!place.bucket) {
        pthread_mutex_lock(&set->strays.mutex);
        is_known = knows_stray(&set->strays, s, &number);
        *is_new = is_known && set->strays.is_new[number];
        pthread_mutex_unlock(&set->strays.mutex);
    }
    return is_known;
}

static inline enum found enter_bit(struct quotients *set, const word *s) {
    _Atomic word *place = &set->bitmap[s[0] >> 6];
    word bit = (word)1 << (s[0] & 63);
    if (load_word(place) & bit) return KNOWN;
    return atomic_fetch_or_explicit(place, bit, memory_order_relaxed) & bit ? KNOWN : NEW;
}

/* Enter a slot, whose state is not yet known, into the first bucket that has room. The home bucket is locked, so nobody else
 * enters the same state meanwhile; locks are taken in the order of buckets. */
static enum found enter_slot(struct quotients *set, struct part *part, uint64_t home, struct slot slot, const word *s, bool is_new) {
    for (unsigned displaced = 0; displaced <= MOST_DISPLACED; displaced++, slot.bits[0] += (word)1 << FLAG) {
        _Atomic word *bucket = bucket_at(part, home + displaced);
        if (displaced) lock_bucket(bucket);
        unsigned used = load_word(bucket) & BUCKET_USED;
        if (find_slot(part, bucket, used, &slot) >= 0) {
            if (displaced) unlock_bucket(bucket);
            return KNOWN;
        }
        if (used < part->slots) {
            unsigned at = body_at(part, used);
            slot.bits[0] |= FLAG && is_new;
            write_bits(bucket, tag_at(used), slot.tag, TAG_BITS);
            for (unsigned done = 0; done < part->width; done += 64)
                write_bits(bucket, at + done, slot.bits[done >> 6], part->width - done < 64 ? part->width - done : 64);
            atomic_store_explicit(bucket, load_word(bucket) + 1, memory_order_release);
            if (displaced) unlock_bucket(bucket);
            return NEW;
        }
        if (displaced) unlock_bucket(bucket);
    }
    return enter_stray(&set->strays, s, is_new);
}

static inline enum found enter_state(struct quotients *set, const word *s, word mixed, bool is_new) {
    if (set->bitmap) return enter_bit(set, s);
    word remainder;
    struct part *part = part_of(set, mixed);
    uint64_t home = home_bucket(set, part, mixed, &remainder);
    struct slot slot = slot_of(set, part, s, remainder), looked_for = slot;
    struct place place;
    if (find_place(part, home, &looked_for, &place)) return KNOWN;
    _Atomic word *bucket = bucket_at(part, home);
    lock_bucket(bucket);
    enum found found = enter_slot(set, part, home, slot, s, is_new);
    unlock_bucket(bucket);
    return found;
}

#if PARTIAL_ORDER
/* A state of the level that was built is not new any more. */
static void mark_old(struct quotients *set, const word *s) {
    word mixed = mixed_head(set, s), remainder;
    struct part *part = part_of(set, mixed);
    uint64_t home = home_bucket(set, part, mixed, &remainder), number;
    struct slot slot = slot_of(set, part, s, remainder);
    struct place place;
    if (find_place(part, home, &slot, &place)) {
        lock_bucket(place.bucket);
        write_bits(place.bucket, body_at(part, place.number), 0, FLAG);
        unlock_bucket(place.bucket);
    } else {
        pthread_mutex_lock(&set->strays.mutex);
        if (knows_stray(&set->strays, s, &number)) set->strays.is_new[number] = false;
        pthread_mutex_unlock(&set->strays.mutex);
    }
}
#endif

/* ------------------------------------------------------------------ room */

static inline uint64_t part_bytes(const struct part *part) { return (part->count + MOST_DISPLACED) * part->words * sizeof(word); }

static uint64_t quotients_bytes(const struct quotients *set) {
    uint64_t bytes = set->bitmap_bytes + set->strays.room * (WORDS * sizeof(word) + sizeof(bool));
    for (unsigned i = 0; i < PARTS; i++)
        if (set->parts[i].buckets) bytes += part_bytes(&set->parts[i]);
    return bytes;
}

/* States that all parts have slots for. */
static uint64_t quotients_room(const struct quotients *set) {
    uint64_t room = 0;
    for (unsigned i = 0; i < PARTS; i++) room += set->parts[i].count * set->parts[i].slots;
    return room;
}

/* A part with this divisor, without its memory. */
static struct part part_by(const struct quotients *set, uint64_t divisor) {
    struct part part = {.divisor = divisor, .reciprocal = divisor > 1 ? UINT64_MAX / divisor + 1 : 0};
    part.count = (low_bits(quotient_bits(set)) / divisor) + 1;
    while (divisor > 1 && low_bits(part.remainder_bits) < divisor - 1) part.remainder_bits++;
    part.width = FLAG + DISPLACEMENT_BITS + body_bits(part.remainder_bits) + set->other_bits;
    part.words = (tag_at(LEAST_SLOTS) + LEAST_SLOTS * part.width + 63) / 64;
    if (part.words < 8) part.words = 8;
    part.slots = (part.words * 64 - BUCKET_HEAD) / (TAG_BITS + part.width);
    if (part.slots > BUCKET_USED) part.slots = BUCKET_USED;
    return part;
}

/* The part whose slots are enough for some states, with buckets as full as `percent` says. */
static struct part part_for(const struct quotients *set, uint64_t states, unsigned percent) {
    uint64_t divisor = low_bits(quotient_bits(set));
    struct part part = part_by(set, divisor += divisor < UINT64_MAX);
    while (divisor > 1 && part.count * part.slots < states * 100 / percent) {
        uint64_t smaller = part.count * part.slots * 2 < states * 100 / percent ? divisor / 2 : divisor - (divisor + 15) / 16;
        divisor = smaller ? smaller : 1;
        part = part_by(set, divisor);
    }
    return part;
}

/* Memory for a part: some bytes of the shared memory, if there is one, or its own. */
static bool open_part(struct part *part, void *shared, unsigned number) {
    part->is_shared = shared != NULL;
    part->buckets = shared ? (_Atomic word *)((char *)shared + number * part_bytes(part)) : reserve(part_bytes(part));
    return part->buckets != NULL;
}

static void close_part(struct part *part) {
    if (part->buckets && !part->is_shared) munmap((void *)part->buckets, part_bytes(part));
    part->buckets = NULL;
}

/* Memory for all parts together, if they are small; false if there is none. */
static bool open_shared(const struct quotients *set, const struct part *part, void **shared, uint64_t *bytes) {
    *shared = NULL;
    *bytes = part_bytes(part) << part_bits(set);
    if (part_bytes(part) < UINT64_C(4) << 20) *shared = reserve(*bytes);
    else *bytes = 0;
    return *shared || !*bytes;
}

static void close_shared(void *shared, uint64_t bytes) {
    if (shared) munmap(shared, bytes);
}

/* An empty set with room for some states. */
static bool open_quotients(struct quotients *set, uint64_t states) {
    memset(set, 0, sizeof *set);
    pthread_mutex_init(&set->strays.mutex, NULL);
    for (unsigned i = 0; i < WORDS; i++) {
        set->other_bits += word_bits[i];
        if (word_bits[i] > word_bits[set->head]) set->head = i;
    }
    set->head_bits = word_bits[set->head];
    set->other_bits -= set->head_bits;
    if (WORDS == 1 && !FLAG && set->head_bits <= BURNSIDE_BITMAP_BITS) {
        set->bitmap_bytes = set->head_bits < 6 ? sizeof(word) : (UINT64_C(1) << set->head_bits) / 8;
        return (set->bitmap = reserve(set->bitmap_bytes)) != NULL;
    }
    unsigned parts = 1u << part_bits(set);
    struct part part = part_for(set, states / parts + 1, BURNSIDE_ROOMY);
    bool is_open = open_shared(set, &part, &set->shared, &set->shared_bytes);
    for (unsigned i = 0; i < parts && is_open; i++) {
        set->parts[i] = part;
        is_open = open_part(&set->parts[i], set->shared, i);
    }
    return is_open;
}

static void close_quotients(struct quotients *set) {
    for (unsigned i = 0; i < PARTS; i++) close_part(&set->parts[i]);
    close_shared(set->shared, set->shared_bytes);
    close_shared(set->spare, set->spare_bytes);
    if (set->bitmap) munmap((void *)set->bitmap, set->bitmap_bytes);
    free(set->strays.states);
    free(set->strays.is_new);
    memset(set, 0, sizeof *set);
}

/* ------------------------------------------------------------------ growing: nobody else uses the part */

/* The state of a slot in a bucket: its y, its other words; whether it is new. */
static bool read_state(const struct quotients *set, const struct part *part, uint64_t bucket, struct slot slot, word *y, word *s) {
    unsigned at = FLAG;
    uint64_t displaced = take_bits(slot.bits, &at, DISPLACEMENT_BITS);
    *y = (bucket - displaced) * part->divisor + (take_bits(slot.bits, &at, body_bits(part->remainder_bits)) << TAG_BITS | slot.tag);
    for (unsigned i = 0; i < WORDS; i++)
        if (WORDS > 1 && i != set->head) s[i] = take_bits(slot.bits, &at, word_bits[i]);
    return FLAG && slot.bits[0] & 1;
}

/* Move a part to larger memory. False if there is none: the part is as before. */
static bool grow_part(struct quotients *set, unsigned number, struct part larger, void *shared) {
    struct part *old = &set->parts[number];
    if (!open_part(&larger, shared, number)) return false;
    bool is_complete = true;
    for (uint64_t bucket = 0; bucket < old->count + MOST_DISPLACED; bucket++) {
        _Atomic word *from = bucket_at(old, bucket);
        unsigned used = load_word(from) & BUCKET_USED;
        for (unsigned i = 0; i < used; i++) {
            word s[WORDS], y, remainder;
            bool is_new = read_state(set, old, bucket, read_slot(old, from, i), &y, s);
            uint64_t home = divide(&larger, y, &remainder);
            struct slot slot = slot_of(set, &larger, s, remainder);
            restore_head(set, (word)number << quotient_bits(set) | y, s);
            is_complete &= enter_slot(set, &larger, home, slot, s, is_new) != NO_ROOM;
        }
    }
    if (!is_complete) {
        close_part(&larger);
        return false;
    }
    close_part(old);
    *old = larger;
    return true;
}

/* Strays after all parts have grown: most have a place now. */
static bool reenter_strays(struct quotients *set) {
    word *states = set->strays.states;
    bool *is_new = set->strays.is_new, is_complete = true;
    uint64_t count = set->strays.count;
    set->strays.states = NULL;
    set->strays.is_new = NULL;
    set->strays.count = set->strays.room = 0;
    for (uint64_t i = 0; i < count; i++) {
        const word *s = states + i * WORDS;
        is_complete &= enter_state(set, s, mixed_head(set, s), is_new[i]) != NO_ROOM;
    }
    free(states);
    free(is_new);
    return is_complete;
}

#endif
