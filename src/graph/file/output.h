/* Text of a graph, written in blocks by several threads. Internal. */
#ifndef MW_GRAPH_FILE_OUTPUT_H
#define MW_GRAPH_FILE_OUTPUT_H

#include "dev/native/executor.h"
#include "graph/file/input.h"
#include "graph/graph_internal.h"

struct mw_output;
/* A growing text in memory. */
struct mw_output_block {
    char *data;
    size_t length, capacity;
    bool failed;
};
/* Reserves `bytes` more at data + length; returns NULL, and sets failed, if out of memory. */
char *mw_output_block_reserve(struct mw_output_block *block, size_t bytes);

struct mw_writing {
    const struct mw_graph *graph;
    const char *path; /* for messages */
    const struct mw_file_limits *limits;
    uint64_t edges;          /* edges to be written */
    uint64_t first;          /* number of the first vertex */
    uint64_t *number;        /* per vertex, if names are numbers but not consecutive */
    bool has_texts;          /* names are texts */
    unsigned char *isolated; /* per vertex: has no arcs; NULL: not wanted, or none */
    char separator;          /* between a table's columns */
    struct mw_executor *executor;
    struct mw_output *output;
};
/* Begins a file: checks the graph, counts its edges. */
int mw_writing_start(const struct mw_graph *graph, const char *path, bool compressed, unsigned threads,
                     const struct mw_file_limits *limits, struct mw_writing *writing);
/* Returns the number that names a vertex without a text. */
static inline uint64_t mw_written_number(const struct mw_writing *writing, size_t vertex)
{
    return writing->number ? writing->number[vertex] : writing->first + vertex;
}
/* For formats without names: logs a notice if vertices have names that are not consecutive numbers. */
void mw_writing_warn_nameless(const struct mw_writing *writing);
/* Sets `isolated`, for formats whose edges do not name all vertices. */
int mw_writing_find_isolated(struct mw_writing *writing);
/* For line-based formats: returns MW_ENOTSUP if a name is empty, too long, or has control characters. `format`: "a
 * table". */
int mw_writing_check_names(const struct mw_writing *writing, const char *format);
/* Ends writing: moves the file to its path, or removes it if `rc` is a failure. Returns rc, or its own failure. */
int mw_writing_end(struct mw_writing *writing, int rc);
int mw_write_text(struct mw_writing *writing, const char *format, ...) MW_PRINTF(2, 3);
/* Writes the weight of an edge, if the graph has weights, and ends the line. */
void mw_write_weight(const struct mw_graph *graph, uint64_t arc, struct mw_output_block *block);
int mw_write_bytes(struct mw_writing *writing, const void *bytes, size_t count);

/* Output of a format: `vertex` before a vertex's first arc, `edge` once per edge, `end` after a vertex's last arc. Each
 * may be NULL. */
struct mw_writer {
    bool arcs; /* both arcs of undirected edges */
    void (*vertex)(const struct mw_writing *w, size_t vertex, struct mw_output_block *block);
    void (*edge)(const struct mw_writing *w, size_t tail, size_t head, uint64_t arc, struct mw_output_block *block);
    void (*end)(const struct mw_writing *w, size_t vertex, struct mw_output_block *block);
};
int mw_write_graph(struct mw_writing *writing, const struct mw_writer *writer);

#endif
/* SPDX-License-Identifier: MIT */
