/* Networks: what the files of src/graph share. */
#ifndef MW_GRAPH_INTERNAL_H
#define MW_GRAPH_INTERNAL_H

#include <meshwork/graph.h>
#include <meshwork/prim.h>

#include "base/base.h"
#include "dev/backend.h"

/* ---- names.c ---- */

/* Names that take over malloc'ed arrays, also where they fail: number[v], or the text at bytes + start[v], which a NUL
 * ends. */
int mw_names_of_numbers(uint64_t *number, size_t count, struct mw_names **names);
int mw_names_of_texts(char *bytes, size_t *start, size_t count, struct mw_names **names);
/* The numbers from `first` on: first + v. */
int mw_names_counted(uint64_t first, struct mw_names **names);
/* One more owner, and one fewer; NULL is legal. */
struct mw_names *mw_names_share(struct mw_names *names);
void mw_names_free(struct mw_names *names);
/* For writers: true where names are counted from `*first` on (0 of NULL). */
bool mw_names_are_counted(const struct mw_names *names, uint64_t *first);

/* ---- graph.c ---- */

/* Makes a graph of two malloc'ed arrays, which become its own, also after a failure; or of a mapped file, which is
 * unmapped with it. */
int mw_graph_of_arrays(size_t vertices, bool directed, uint64_t *offsets, uint32_t *heads, struct mw_graph *graph);
int mw_graph_of_mapping(void *address, size_t bytes, size_t vertices, bool directed, const uint64_t *offsets,
                        const uint32_t *heads, struct mw_graph *graph);
/* MW_ELIMIT where a graph has more vertices than their numbers can tell. */
int mw_vertices_check(uint64_t vertices);
/* MW_EDATA where offsets fall or do not end at `arcs`, where a head is no vertex. */
int mw_graph_check_offsets(const struct mw_graph *graph);
int mw_graph_check_heads(const struct mw_graph *graph);

/* ---- memory that is a buffer ---- */

/* A buffer of a native device is memory: the caller's serves as it is. */
static inline struct mw_buffer mw_buffer_borrow(struct mw_device *device, void *memory, size_t bytes)
{
    return (struct mw_buffer){ .device = device, .bytes = bytes, .impl = memory };
}

#endif
