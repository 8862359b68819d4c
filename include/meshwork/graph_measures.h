/* Measures of a network's vertices: PageRank.
 *
 * Results are the same bits on all devices: they are whole numbers, or come from sums of such.
 *
 * Threads: all may look at a graph at once; devices belong to the calling thread (device.h). */
#ifndef MESHWORK_GRAPH_MEASURES_H
#define MESHWORK_GRAPH_MEASURES_H

#include <meshwork/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- PageRank ---- */

struct mw_graph_pagerank_options {
    size_t size;                 /* sizeof the struct, or 0: see status.h */
    double damping;              /* from 10^-6 to below 1; 0: 0.85 */
    double tolerance;            /* of the sum of all changes in a round, where the sum of ranks is 1; 0: 1e-10 */
    uint64_t block_arcs;         /* arcs on the device at once; 0: as many as its memory and largest buffer take */
};

struct mw_graph_pagerank {
    size_t vertices;
    double *ranks;               /* of each vertex; their sum is 1 */
    size_t rounds;
    double change;               /* in the last of them */
    double preparing, seconds;   /* until the first round could begin; from then on */
};

/* How often a walk is at each vertex that follows a random arc of the vertex where it is, with probability `damping`,
 * and else jumps to a random vertex, as it does from vertices without arcs (Brin and Page, Computer Networks 30 (1998)
 * 107).  Of several arcs between two vertices each counts; a self-edge of an undirected graph is two arcs.
 *
 * By rounds, from equal ranks, in whole numbers of 62 bits; where arcs are so many that their rounding off is more than
 * the tolerance, rounds end when it is reached.
 * Cost: O(vertices + arcs) a round, of which there are at most log(tolerance) / log(damping); 40 bytes a vertex on the
 * device.  A directed graph's arcs are turned round first.  `pagerank` is the caller's: mw_graph_pagerank_free.
 * Errors: MW_EINVAL (damping, tolerance, a head that is no vertex), MW_ELIMIT, MW_ENOMEM, those of mw_program_new. */
MW_API int mw_graph_pagerank(struct mw_device *device, const struct mw_graph *graph,
                             const struct mw_graph_pagerank_options *options, struct mw_graph_pagerank *pagerank);
MW_API void mw_graph_pagerank_free(struct mw_graph_pagerank *pagerank);

#ifdef __cplusplus
}
#endif
#endif
