/* Model and search are two texts. A search is compiled once and linked with every model that needs one like it, so that
 * compiling a model takes a fraction of the time. What differs between such models and is not code, the text of a search
 * (which defines ONLY_SEARCH) reads from `facts`.
 */
#ifndef BURNSIDE_FACTS_H
#define BURNSIDE_FACTS_H

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t word;  /* packed state words */
typedef int64_t number; /* values of expressions: the checker of models keeps them within 63 bits */

__extension__ typedef unsigned __int128 count_t; /* numbers of group elements, and of states in orbits */

#define GIVEN extern __attribute__((visibility("hidden"))) /* by a model to a search */

/* Numbers of a model, named as config.h names them. */
struct facts {
    count_t order;
    uint64_t all_marks, automaton_mask;
    uint32_t most_successors, properties, units, unit_marks, automaton_word, automaton_shift;
    int free_cells, starts;
    bool has_starts;
    bool is_keyed;
};
GIVEN const struct facts facts;

#ifdef ONLY_SEARCH
#define ORDER facts.order
#define ALL_MARKS facts.all_marks
#define AUTOMATON_MASK facts.automaton_mask
#define MOST_SUCCESSORS facts.most_successors
#define PROPERTIES facts.properties
#define FREE_CELLS facts.free_cells
#define HAS_STARTS facts.has_starts
#define STARTS facts.starts
#define UNITS facts.units
#define FOLLOWED (FOLLOWS ? facts.units : 0)
#define UNIT_MARKS facts.unit_marks
#define AUTOMATON_WORD facts.automaton_word
#define AUTOMATON_SHIFT facts.automaton_shift
#endif

#endif
