/* Sorting of blocks of words, for generated code (reduce/symmetry/sorting.py). */
#ifndef BURNSIDE_SORT_H
#define BURNSIDE_SORT_H

#include "model.h"

static inline __attribute__((always_inline)) int block_less(const word *a, const word *b, int width) {
    for (int i = 0; i < width; i++)
        if (a[i] != b[i]) return a[i] < b[i];
    return 0;
}

/* Sorts `count` blocks of `width` words; the result is the number of arrangements that look the same. By insertion:
 * successors differ little from representatives, so that most blocks are in order. */
static inline __attribute__((always_inline)) count_t sort_blocks(word *k, int count, int width) {
    for (int i = 1; i < count; i++) {
        word moved[width];
        memcpy(moved, k + i * width, sizeof moved);
        int j = i;
        for (; j > 0 && block_less(moved, k + (j - 1) * width, width); j--) memcpy(k + j * width, k + (j - 1) * width, sizeof moved);
        memcpy(k + j * width, moved, sizeof moved);
    }
    count_t same = 1;
    uint64_t run = 1;
    for (int i = 1; i < count; i++) {
        run = memcmp(k + i * width, k + (i - 1) * width, sizeof(word) * (size_t)width) == 0 ? run + 1 : 1;
        same *= run;
    }
    return same;
}

/* Keeps the least of several sorted states, the number of elements that fix it, and how often it was met. */
static inline void keep_lesser(word *least, count_t *fixing, count_t *same, const word *image, count_t more) {
    int order = memcmp(image, least, WORDS * sizeof(word));
    *same += order == 0;
    if (order >= 0) return;
    memcpy(least, image, WORDS * sizeof(word));
    *fixing = more;
    *same = 1;
}

#endif
