/* Labels of successors on demand: generated code that includes this file first tells which rule instance makes each
 * successor, but only to a pass that asks for it. While states are explored nobody does. */
#ifndef BURNSIDE_LABELS_H
#define BURNSIDE_LABELS_H

#include "model.h"

static _Thread_local uint32_t *asked_labels; /* where the next label goes, or NULL */

#undef LABEL
#define LABEL(number, is_taken) if (asked_labels) { *asked_labels = (uint32_t)(number); asked_labels += (is_taken); }

#endif
