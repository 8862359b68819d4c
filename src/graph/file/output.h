/* Text of a graph, written in blocks by several threads.  Internal. */
#ifndef MW_GRAPH_FILE_OUTPUT_H
#define MW_GRAPH_FILE_OUTPUT_H

#include "dev/native/executor.h"
#include "graph/file/input.h"
#include "graph/graph_internal.h"

struct mw_output;
/* Text in memory that grows. */
struct mw_output_block { char *data; size_t length, capacity; bool failed; };
/* Room for `bytes` more at data + length; NULL, and failed, where there is none. */
char *mw_output_block_reserve(struct mw_output_block *block, size_t bytes);

struct mw_writing {
    const struct mw_graph *graph;
    const char *path;            /* for messages */
    const struct mw_file_limits *limits;
    uint64_t edges;              /* those that will be written */
    uint64_t first;              /* number of the first vertex */
    uint64_t *number;            /* of each vertex, where names are numbers that are not counted */
    bool has_texts;              /* names are texts */
    unsigned char *isolated;     /* of each vertex: it has no arcs; NULL: not asked for, or all have some */
    char separator;              /* of a table's columns */
    struct mw_executor *executor;
    struct mw_output *output;
};
/* Begins a file: checks the graph, counts its edges. */
int mw_writing_start(const struct mw_graph *graph, const char *path, bool compressed, unsigned threads,
                     const struct mw_file_limits *limits, struct mw_writing *writing);
/* The number that a vertex has for a name, where it has no text. */
static inline uint64_t mw_written_number(const struct mw_writing *writing, size_t vertex)
{
    return writing->number ? writing->number[vertex] : writing->first + vertex;
}
/* For formats without names: a notice where vertices have some, but numbers that are counted. */
void mw_writing_say_nameless(const struct mw_writing *writing);
/* Sets `isolated` for formats whose edges alone would not name all vertices. */
int mw_writing_find_isolated(struct mw_writing *writing);
/* For formats of lines: MW_ENOTSUP where a name is empty, too long, or has control characters.  `format`: "a table". */
int mw_writing_check_names(const struct mw_writing *writing, const char *format);
/* Ends it: puts the file in its place, or, where `rc` is a failure, drops it.  Returns rc or a failure of its own. */
int mw_writing_end(struct mw_writing *writing, int rc);
int mw_write_text(struct mw_writing *writing, const char *format, ...) MW_PRINTF(2, 3);
/* Ends the line of an edge with the weight of its arc, if the graph has weights. */
void mw_write_weight(const struct mw_graph *graph, uint64_t arc, struct mw_output_block *block);
int mw_write_bytes(struct mw_writing *writing, const void *bytes, size_t count);

/* What a format makes of the graph: `vertex` before a vertex's first arc, `edge` for each edge once, `end` behind a
 * vertex's last arc; each may be NULL.  Arcs are visited whole where `arcs` is true. */
struct mw_writer {
    bool arcs;                   /* both arcs of undirected edges */
    void (*vertex)(const struct mw_writing *w, size_t vertex, struct mw_output_block *block);
    void (*edge)(const struct mw_writing *w, size_t tail, size_t head, uint64_t arc, struct mw_output_block *block);
    void (*end)(const struct mw_writing *w, size_t vertex, struct mw_output_block *block);
};
int mw_write_graph(struct mw_writing *writing, const struct mw_writer *writer);

#endif
/* SPDX-License-Identifier: MIT */
