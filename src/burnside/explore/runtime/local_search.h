/* Local search (reduce/symmetry/local_search.py). */
#ifndef BURNSIDE_LOCAL_SEARCH_H
#define BURNSIDE_LOCAL_SEARCH_H

#include "symmetry.h"

/* The least among the images under the generators, again and again until nothing improves. Not unique. */
static count_t search_locally(struct scratch *x, word *s, uint32_t generators) {
    image *best = &x->images[0][0], *other = &x->images[0][1], *least = &x->images[0][2];
    const uint16_t *elements = table_generators(x->run);
    if (!unpack(s, best)) return 0;
    for (;;) {
        *least = *best;
        for (uint32_t g = 0; g < generators; g++) {
            apply(elements + (size_t)g * POINTS, best, other);
            if (less_image(other, least)) *least = *other;
        }
        if (same_image(least, best)) break;
        *best = *least;
    }
    pack(best, s);
    return 1;
}

#endif
