/* States, parent links, and an open-addressing table that finds them.
 *
 * States stand in one array in the order of discovery; a table slot holds 32 bits of hash and the
 * state's index + 1, so that most misses cost one cache line. The arrays are reserved as address space
 * for the whole memory limit and become real page by page: nothing is ever copied, and only the table
 * grows. Growing rehashes from the array of states, so the old table is released first.
 */
#ifndef BURNSIDE_STORE_H
#define BURNSIDE_STORE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "model.h"
#include "run.h"

struct store {
    word *states;
    uint32_t *parents;
    uint64_t capacity; /* states there is address space for */
    _Atomic uint64_t *table; /* none if there was no room for a larger one: then the search ends */
    unsigned shift; /* a hash's home slot is hash >> shift */
    uint64_t mask;  /* slots - 1 */
};

static inline uint64_t hash_state(const word *s) {
    uint64_t h = s[0] * 0x9E3779B97F4A7C15u;
    for (int i = 1; i < WORDS; i++) h = (h ^ (h >> 32) ^ s[i]) * 0xD6E8FEB86659FD93u;
    h ^= h >> 32;
    h *= 0x9E3779B97F4A7C15u;
    return h ^ (h >> 29);
}

static inline bool same_state(const word *a, const word *b) {
    word difference = 0;
    for (int i = 0; i < WORDS; i++) difference |= a[i] ^ b[i];
    return difference == 0;
}

static inline uint64_t slot_entry(uint64_t hash, uint32_t index) { return hash << 32 | (index + 1u); }
static inline bool slot_matches(uint64_t slot, uint64_t hash) { return slot >> 32 == (hash & UINT32_MAX); }
static inline uint32_t slot_index(uint64_t slot) { return (uint32_t)slot - 1u; }

static inline word *state_at(const struct store *store, uint32_t index) { return store->states + (uint64_t)index * WORDS; }

static inline uint64_t table_bytes(uint64_t slots) { return slots * sizeof(uint64_t); }

/* Random probes of a large table miss the TLB on every small page, and only what begins where a huge one can is made of these. */
static void *reserve(uint64_t bytes) {
    const uint64_t huge = UINT64_C(2) << 20, more = bytes >= 2 * huge ? huge : 0;
    char *memory = mmap(NULL, bytes + more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    if (!more) return memory;
    uint64_t before = -(uintptr_t)memory % huge, end = (bytes + 4095) / 4096 * 4096;
    if (before) munmap(memory, before);
    if (more + bytes > before + end) munmap(memory + before + end, more + bytes - before - end);
#ifdef MADV_HUGEPAGE
    madvise(memory + before, bytes, MADV_HUGEPAGE);
#endif
    return memory + before;
}

static bool open_table(struct store *store, unsigned bits) {
    store->table = reserve(table_bytes(UINT64_C(1) << bits));
    store->shift = 64 - bits;
    store->mask = (UINT64_C(1) << bits) - 1;
    return store->table != NULL;
}

static void close_table(struct store *store) {
    if (store->table) munmap((void *)store->table, table_bytes(store->mask + 1));
    store->table = NULL;
}

/* Address space for as many states as the limit allows. Where the system refuses, the limit is lowered to what there is,
 * so that states and parents leave room for the table that they will need: a state has at least one slot. */
static bool open_store(struct store *store, uint64_t *memory_limit, unsigned bits) {
    memset(store, 0, sizeof *store);
    for (; *memory_limit >= 1 << 16; *memory_limit -= *memory_limit / 8) {
        uint64_t capacity = *memory_limit / (WORDS * sizeof(word) + sizeof(uint32_t) + sizeof(uint64_t));
        if (capacity > UINT32_MAX - 1u) capacity = UINT32_MAX - 1u;
        store->states = reserve(capacity * WORDS * sizeof(word));
        store->parents = reserve(capacity * sizeof(uint32_t));
        store->capacity = capacity;
        void *room = reserve(table_bytes(capacity));
        if (room) munmap(room, table_bytes(capacity));
        if (store->states && store->parents && room) return open_table(store, bits);
        if (store->states) munmap(store->states, capacity * WORDS * sizeof(word));
        if (store->parents) munmap(store->parents, capacity * sizeof(uint32_t));
    }
    store->states = NULL;
    return false;
}

static void close_store(struct store *store) {
    close_table(store);
    if (!store->states) return;
    munmap(store->states, store->capacity * WORDS * sizeof(word));
    munmap(store->parents, store->capacity * sizeof(uint32_t));
    store->states = NULL;
}

/* The index of a state, or NONE if it was not entered. */
static inline uint32_t find_state(const struct store *store, const word *s) {
    uint64_t hash = hash_state(s);
    for (uint64_t at = hash >> store->shift;; at = (at + 1) & store->mask) {
        uint64_t slot = atomic_load_explicit(&store->table[at], memory_order_acquire);
        if (slot == 0) return NONE;
        if (slot_matches(slot, hash) && same_state(state_at(store, slot_index(slot)), s)) return slot_index(slot);
    }
}

/* Enter a state that is known to be new: used when the table is rebuilt. */
static inline void reenter(struct store *store, uint32_t index, uint64_t hash) {
    uint64_t entry = slot_entry(hash, index);
    for (uint64_t at = hash >> store->shift;; at = (at + 1) & store->mask) {
        uint64_t empty = 0;
        if (atomic_compare_exchange_strong_explicit(&store->table[at], &empty, entry, memory_order_relaxed, memory_order_relaxed)) return;
    }
}

#endif
