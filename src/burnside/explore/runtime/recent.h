/* Keys that were looked up lately.
 *
 * Most successors are known, and most of those were found only just before: two steps of different processes lead to the same state
 * in either order, and so on. Each worker keeps some thousands of keys that it has looked up, each in the one place that there is for it,
 * until another one comes. A successor that is among them need not be looked up in the set, which has it: that saves a line of
 * memory. Keys are kept in whole, so none is ever taken for another.
 */
#ifndef BURNSIDE_RECENT_H
#define BURNSIDE_RECENT_H

#include <stdlib.h>

#include "keys.h"

enum { RECENT_BITS = BURNSIDE_RECENT_BITS };

static inline word *recent_place(word *recent, const word *key) {
    word hash = key[0];
    for (unsigned i = 1; i < KEY_WORDS; i++) hash = (hash ^ hash >> 32 ^ key[i]) * 0xD6E8FEB86659FD93u;
    return recent + (hash * 0x9E3779B97F4A7C15u >> (64 - RECENT_BITS)) * KEY_WORDS;
}

/* No keys: a place that no key was put to has one that belongs elsewhere. NULL if there is no memory. */
static word *open_recent(void) {
    word *recent = calloc((size_t)KEY_WORDS << RECENT_BITS, sizeof *recent);
    const word zero[KEY_WORDS] = {0};
    if (!recent) return NULL;
    word *own = recent_place(recent, zero);
    do own[0]++; while (recent_place(recent, own) == own);
    return recent;
}

/* Whether a key is there, which is put there if it is not. */
static inline bool was_recent(word *recent, const word *key) {
    word *place = recent_place(recent, key);
    bool was = same_key(place, key);
    memcpy(place, key, KEY_WORDS * sizeof *key);
    return was;
}

#endif
