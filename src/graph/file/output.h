/* Text of a graph, written in blocks by several threads. Internal. */
#ifndef MW_GRAPH_FILE_OUTPUT_H
#define MW_GRAPH_FILE_OUTPUT_H

#include "dev/native/executor.h"
#include "graph/file/input.h"
#include <meshwork/graph_file.h>

#include "graph/graph_internal.h"

struct mw_output;
/* A growing text in memory, which one thread makes. */
struct mw_output_block {
    char *data;
    size_t length, capacity; /* bytes of text; bytes for which there is room */
    bool failed;             /* out of memory: text is missing */
};
/* Makes room for `bytes` more bytes, and returns the end of the text, where they belong. The caller increases
 * block->length. Returns NULL, and sets block->failed, if out of memory. */
char *mw_output_block_reserve(struct mw_output_block *block, size_t bytes);

/* A file that is being written, and the names of its vertices. */
struct mw_writing {
    const struct mw_graph *graph;
    const char *path; /* for messages */
    const struct mw_file_limits *limits;
    const struct mw_vertex_data *data; /* values of vertices; NULL: none */
    uint64_t edges;                    /* edges to be written */
    uint64_t first;                    /* names are consecutive numbers: the first vertex's */
    uint64_t *number;                  /* names are other numbers: per vertex; otherwise NULL */
    bool has_texts;                    /* names are texts */
    unsigned char *isolated; /* per vertex: whether it has no arcs; NULL: not wanted, or no vertex is isolated */
    char separator;          /* between a table's columns */
    struct mw_executor *executor;
    struct mw_output *output; /* the file, which gets its path at the end */
};
/* Begins a file: checks the graph's heads, counts its edges, and collects names. `compressed`: writes gzip data.
 * `threads`: 0 for one per core. The caller calls mw_writing_end. */
int mw_writing_start(const struct mw_graph *graph, const char *path, bool compressed, unsigned threads,
                     const struct mw_file_limits *limits, struct mw_writing *writing);
/* Returns the number that is a vertex's name, if names are not texts. */
static inline uint64_t mw_written_number(const struct mw_writing *writing, size_t vertex)
{
    return writing->number ? writing->number[vertex] : writing->first + vertex;
}
/* Logs a notice that vertex names are lost, unless names are consecutive numbers. For formats without names, which
 * number the vertices from `first` on. */
void mw_writing_warn_nameless(const struct mw_writing *writing, unsigned first);
/* Fills in writing->isolated (NULL if no vertex is), for formats whose edges do not name all vertices. */
int mw_writing_find_isolated(struct mw_writing *writing);
/* Checks that a line-based format can contain the names. MW_ENOTSUP: a name is empty, has more than MW_NAME_MAX bytes,
 * or has control characters. `format` is for the message: "a table". */
int mw_writing_check_names(const struct mw_writing *writing, const char *format);
/* Checks that names have only characters that XML allows, which other formats of UTF-8 share. MW_ENOTSUP: a name is
 * empty, is not UTF-8, or has others. `format` is for the message: "XML". */
int mw_writing_check_letters(const struct mw_writing *writing, const char *format);
/* Ends writing: moves the file to its path, or removes it if `rc` is a failure. Frees everything. Returns rc, or its
 * own failure. */
int mw_writing_end(struct mw_writing *writing, int rc);
/* Writes a formatted text of at most 511 bytes to the file; a longer one is cut off. */
int mw_write_text(struct mw_writing *writing, const char *format, ...) MW_PRINTF(2, 3);
/* Adds the weight of an arc's edge and a newline to the block; does nothing if the graph has no weights. */
void mw_write_weight(const struct mw_graph *graph, uint64_t arc, struct mw_output_block *block);
/* Writes bytes to the file, as a gzip member of their own if it is compressed. */
int mw_write_bytes(struct mw_writing *writing, const void *bytes, size_t count);

/* The functions of a format that add a graph's text to blocks, called by several threads. Each may be NULL. */
struct mw_writer {
    bool arcs; /* `edge` is called for both arcs of an undirected edge, not only for one */
    /* Adds text before a vertex's first edge. */
    void (*vertex)(const struct mw_writing *w, size_t vertex, struct mw_output_block *block);
    /* Adds an edge; arc is the index in graph->heads and graph->weights. */
    void (*edge)(const struct mw_writing *w, size_t tail, size_t head, uint64_t arc, struct mw_output_block *block);
    /* Adds text after a vertex's last edge. */
    void (*end)(const struct mw_writing *w, size_t vertex, struct mw_output_block *block);
};
/* Writes all vertices and edges of the graph to the file, as text that the functions of a format make. */
int mw_write_graph(struct mw_writing *writing, const struct mw_writer *writer);

#endif
/* SPDX-License-Identifier: MIT */
