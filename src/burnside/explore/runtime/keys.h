/* Keys: what the compact set keeps in the place of states.
 *
 * The cells of a state take whole bits each, and few of them use all values of these bits. Its key is the same state as a number
 * in mixed radix, in which cells of 5, 2 and 3 values take 30 values and not 64: different states have different keys, and a key
 * gives its state back. Cells have only values of their domains; of other words, keys mean nothing.
 *
 * A word is joined to a number in place. Lanes, at first the cells, lie side by side; a join takes a lane of `shift` bits and so
 * many values, with the next lane above it, as one lane, for all pairs of such lanes in the word at once:
 *
 *     | b | a |,  b << shift | a  ─ join ─▶  b · values + a,   which is  x - (x >> shift & mask) · (2^shift - values)
 *
 * since neither product nor difference leaves its lane. Arrays are joined in as many steps as their lengths have bits. At last,
 * words become digits of larger numbers where these fit in one word.
 */
#ifndef BURNSIDE_KEYS_H
#define BURNSIDE_KEYS_H

#include "model.h"

static inline word low_bits(unsigned bits) { return bits >= 64 ? ~(word)0 : ((word)1 << bits) - 1; }

static inline bool same_key(const word *a, const word *b) {
    word difference = 0;
    for (int i = 0; i < KEY_WORDS; i++) difference |= a[i] ^ b[i];
    return difference == 0;
}

static inline word joined(word x, unsigned i) {
    for (unsigned k = i ? joins_end[i - 1] : 0; k < joins_end[i]; k++)
        x -= (x >> joins[k].shift & joins[k].mask) * joins[k].factor;
    return x;
}

static inline void key_of_state(const word *s, word *key) {
    if (WORDS == 1) key[0] = facts.is_keyed ? joined(s[0], 0) : s[0];
    else if (!facts.is_keyed) memcpy(key, s, KEY_WORDS * sizeof *key);
    if (WORDS == 1 || !facts.is_keyed) return;
    for (unsigned i = 0; i < KEY_WORDS; i++) key[i] = 0;
    for (unsigned i = 0; i < WORDS; i++) key[digits[i].of] += joined(s[i], i) * digits[i].weight;
}

/* The lanes of one join, parted again. */
static inline word parted(word x, const struct join *join) {
    word values = ((word)1 << join->shift) - join->factor;
    for (word mask = join->mask; mask;) {
        unsigned at = (unsigned)__builtin_ctzll(mask), width = (unsigned)__builtin_ctzll(~(mask >> at));
        word above = (x >> at & low_bits(join->shift + width)) / values;
        x += above * join->factor << at;
        mask &= ~(low_bits(width) << at);
    }
    return x;
}

/* The state that has a key. */
static inline void state_of_key(const word *key, word *s) {
    word rest[KEY_WORDS];
    memcpy(rest, key, sizeof rest);
    if (!facts.is_keyed) memcpy(s, rest, sizeof rest);
    if (!facts.is_keyed) return;
    for (unsigned i = WORDS; i-- > 0;) { /* of the digits of a number, the last one weighs most */
        s[i] = rest[digits[i].of] / digits[i].weight;
        rest[digits[i].of] -= s[i] * digits[i].weight;
        for (unsigned k = joins_end[i]; k-- > (i ? joins_end[i - 1] : 0);) s[i] = parted(s[i], &joins[k]);
    }
}

/* Whether a state can be told by its key: it can if its cells have values of their domains. */
static bool is_kept(const word *s) {
    word key[KEY_WORDS], again[WORDS], difference = 0;
    key_of_state(s, key);
    state_of_key(key, again);
    for (unsigned i = 0; i < WORDS; i++) difference |= again[i] ^ s[i];
    for (unsigned i = 0; i < KEY_WORDS; i++) difference |= key[i] & ~low_bits(key_bits[i]);
    return difference == 0;
}

#endif
