/* What a search asks about representatives: symmetry.h answers, or unreduced.h. */
#ifndef BURNSIDE_REPRESENTATIVES_H
#define BURNSIDE_REPRESENTATIVES_H

#include <stdbool.h>

#include "model.h"
#include "run.h"

struct scratch; /* what a thread needs for finding representatives */
struct pruning; /* what is needed for thinning out initial states */

/* NULL when there is no memory. */
GIVEN struct scratch *open_scratch(struct run *run);
GIVEN void close_scratch(struct scratch *x);

/* Replaces s by its representative under all steps, each of which takes care of a direct factor of the group. The result
 * of a step is the number of elements of its factor that fix s, and so is that of all together; 0 after a failure. */
GIVEN count_t canonicalise(struct scratch *x, word *s);

/* The size of an orbit by the number of elements that fix a state of it. */
GIVEN count_t orbit_size(count_t fixing);

/* The representative of s in place of s; the result is the size of its orbit (1 if the order of the group is not
 * known), or 0 after a failure. */
GIVEN count_t represent(struct scratch *x, word *s, uint64_t hash);

/* Whether the last representative was not found for lack of time or memory. */
GIVEN bool gave_up(const struct scratch *x);

/* What an element of the group, given by what literals become, makes of s; false if there is a value that cannot occur. */
GIVEN bool move_state(const uint16_t *element, word *s);

/* What the points that are followed have become in the representative found last. */
GIVEN const uint16_t *names_behind(const struct scratch *x);

/* NULL when there is no memory. */
GIVEN struct pruning *open_pruning(const struct run *run);
GIVEN void close_pruning(struct pruning *p);

/* Whether the cells given so far, the last of them free cell `last`, may begin a least state. */
GIVEN bool may_be_least(struct pruning *p, int last, const word *s);

#endif
