/* Fingerprints: what the compact set keeps in the place of states that are wider.
 *
 * A word of a fingerprint is the upper part of a sum of products, modulo 2^128, of the words of a state and numbers of twice their
 * width that are drawn anew for each search. Of any two states, whatever they are, one such choice in 2^bits gives both the same
 * fingerprint [LemireKaser14]; so what is said of N states is wrong with a probability below N (N + 1) / 2^(bits + 1).
 */
#ifndef BURNSIDE_FINGERPRINTS_H
#define BURNSIDE_FINGERPRINTS_H

#include "keys.h"

/* The numbers for a word of fingerprints: one for every word of a state, and one that is added; the lower half first. */
static inline count_t coefficient(const word *coefficients, unsigned of, unsigned number) {
    const word *at = coefficients + 2 * ((size_t)of * (WORDS + 1) + number);
    return (count_t)at[1] << 64 | at[0];
}

static inline void fingerprint_of(const word *coefficients, const word *s, word *fingerprint) {
    for (unsigned k = 0; k < KEY_WORDS; k++) {
        count_t sum = coefficient(coefficients, k, WORDS);
        for (unsigned i = 0; i < WORDS; i++) sum += coefficient(coefficients, k, i) * s[i];
        fingerprint[k] = (word)(sum >> 64) >> (64 - key_bits[k]);
    }
}

#endif
