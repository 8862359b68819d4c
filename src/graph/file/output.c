/* Writes a graph as text in blocks: several are made concurrently, one per thread, and written in order. If compressed,
 * each block is a gzip member, and readers concatenate these. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "graph/file/output.h"
#include "graph/file/text.h"
#include "graph/weights.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

#define BLOCKS_A_THREAD 4

struct mw_output {
    struct mw_file *file;
    bool compressed;
};

char *mw_output_block_reserve(struct mw_output_block *block, size_t bytes)
{
    if (bytes > block->capacity - block->length && !block->failed)
        block->failed = mw_reserve(block->length, bytes, 1, &block->capacity, &block->data) != 0;
    return block->failed ? NULL : block->data + block->length;
}

#ifdef HAVE_ZLIB
/* Replaces a block's text by its gzip member. A higher level saves only a tenth on numbers of random vertices, for four
 * times the time. */
static void compress_block(struct mw_output_block *block)
{
    z_stream stream = { 0 };
    struct mw_output_block packed = { 0 };
    block->failed = block->failed || block->length > UINT32_MAX / 2 ||
                    deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK;
    if (block->failed)
        return;
    const uLong bound = deflateBound(&stream, (uLong)block->length);
    if (mw_output_block_reserve(&packed, bound)) {
        stream.next_in = (Bytef *)block->data;
        stream.avail_in = (uInt)block->length;
        stream.next_out = (Bytef *)packed.data;
        stream.avail_out = (uInt)bound;
        packed.failed = deflate(&stream, Z_FINISH) != Z_STREAM_END;
        packed.length = stream.total_out;
    }
    deflateEnd(&stream);
    free(block->data);
    *block = packed;
}
#else
static void compress_block(struct mw_output_block *block) { block->failed = true; }
#endif

static int write_block(struct mw_writing *w, struct mw_output_block *block)
{
    if (block->failed)
        return mw_fail(MW_ENOMEM, "out of memory for a block of text of %s", w->path);
    return mw_file_write(w->output->file, block->data, block->length);
}

int mw_write_bytes(struct mw_writing *w, const void *bytes, size_t count)
{
    struct mw_output_block block = { 0 };
    int rc;
    if (!w->output->compressed)
        return mw_file_write(w->output->file, bytes, count);
    if (mw_output_block_reserve(&block, count)) {
        memcpy(block.data, bytes, count);
        block.length = count;
    }
    compress_block(&block);
    rc = write_block(w, &block);
    free(block.data);
    return rc;
}

void mw_write_weight(const struct mw_graph *graph, uint64_t arc, struct mw_output_block *block)
{
    char *to;
    if (!graph->weights || !(to = mw_output_block_reserve(block, MW_WEIGHT_CAPACITY)))
        return;
    to = mw_weight_put(to, graph->weights[arc], graph->decimals);
    *to++ = '\n';
    block->length = (size_t)(to - block->data);
}

int mw_write_text(struct mw_writing *w, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return mw_write_bytes(w, text, strlen(text));
}

/* ---- the graph as text ---- */

/* Positions: arcs in order, and after the last arc of vertex v one for its end, at offsets[v + 1] + v. */
struct making {
    const struct mw_writing *w;
    const struct mw_writer *writer;
    struct mw_output_block *block;
    bool *second;        /* for each block and the next: whether the first vertex has an odd number of self-loop
                                  * arcs before the block */
    uint64_t begin, end; /* start of the first block; end of all */
};

/* Returns the vertex of a position. */
static size_t vertex_at(const struct mw_graph *graph, uint64_t place)
{
    return mw_offset_find(graph->offsets, graph->vertices, place + 1, true) - 1;
}

/* Returns whether all arcs are written. Otherwise (undirected) an edge is written at its smaller endpoint, and of
 * self-loop arcs every second one. */
static bool writes_all(const struct making *m) { return m->w->graph->directed || m->writer->arcs; }

/* `second`: the next self-loop arc is a second one. */
static void file_output_make_arcs(const struct making *m, size_t vertex, uint64_t begin, uint64_t end, bool second,
                                  struct mw_output_block *block)
{
    const struct mw_graph *graph = m->w->graph;
    const bool all = writes_all(m);
    for (uint64_t i = begin; i < end; i++) {
        const uint32_t head = graph->heads[i];
        if (!all && head == vertex)
            second = !second;
        if (all || head > vertex || (head == vertex && second))
            m->writer->edge(m->w, vertex, head, i, block);
    }
}

static void make_block(const struct making *m, uint64_t begin, uint64_t end, bool second, struct mw_output_block *block)
{
    const struct mw_graph *graph = m->w->graph;
    block->length = 0;
    for (size_t v = vertex_at(graph, begin); begin < end; v++) {
        const uint64_t last = graph->offsets[v + 1] + v, stop = last < end ? last : end;
        if (m->writer->vertex && begin == graph->offsets[v] + v)
            m->writer->vertex(m->w, v, block);
        if (m->writer->edge && stop > begin)
            file_output_make_arcs(m, v, begin - v, stop - v, begin > graph->offsets[v] + v && second, block);
        if (m->writer->end && last < end)
            m->writer->end(m->w, v, block);
        begin = last + 1;
    }
    if (m->w->output->compressed)
        compress_block(block);
}

static void file_output_make_blocks(void *context, size_t begin, size_t end, unsigned worker)
{
    const struct making *m = context;
    const uint64_t positions = m->w->limits->block_positions;
    for (size_t i = begin; i < end; i++) {
        const uint64_t from = m->begin + i * positions, left = m->end - from;
        make_block(m, from, from + (left < positions ? left : positions), m->second[i], &m->block[i]);
    }
}

/* Counts the self-loop arcs, within each block, of the vertex that it shares with the next block. */
static void count_self(void *context, size_t begin, size_t end, unsigned worker)
{
    struct making *m = context;
    const struct mw_graph *graph = m->w->graph;
    const uint64_t positions = m->w->limits->block_positions;
    for (size_t i = begin; i < end; i++) {
        const uint64_t from = m->begin + i * positions, to = from + positions;
        const size_t v = vertex_at(graph, to);
        const uint64_t start = graph->offsets[v] + v;
        bool odd = false;
        for (uint64_t at = (from > start ? from : start); at < to; at++)
            odd ^= graph->heads[at - v] == v;
        m->second[i + 1] = odd;
    }
}

/* `more`: there are blocks after these. */
static void count_before(struct making *m, size_t blocks, bool more)
{
    const uint64_t positions = m->w->limits->block_positions;
    const size_t counted = more ? blocks : blocks - 1;
    mw_parallel_for(m->w->executor, counted, 1, count_self, m);
    for (size_t i = 0; i < counted; i++) {
        const uint64_t from = m->begin + i * positions;
        const size_t v = vertex_at(m->w->graph, from + positions);
        m->second[i + 1] ^= m->w->graph->offsets[v] + v < from && m->second[i];
    }
}

int mw_write_graph(struct mw_writing *w, const struct mw_writer *writer)
{
    const size_t blocks = (size_t)BLOCKS_A_THREAD * mw_executor_threads(w->executor);
    const uint64_t positions = w->limits->block_positions;
    struct making m = { .w = w, .writer = writer, .end = w->graph->arcs + w->graph->vertices };
    int rc;
    TRY(mw_new(blocks, sizeof *m.block, &m.block));
    TRY(mw_new(blocks + 1, sizeof *m.second, &m.second));
    while (m.begin < m.end) {
        const uint64_t left = (m.end - m.begin - 1) / positions + 1;
        const size_t count = left < blocks ? (size_t)left : blocks;
        if (!writes_all(&m))
            count_before(&m, count, left > blocks);
        mw_parallel_for(w->executor, count, 1, file_output_make_blocks, &m);
        for (size_t i = 0; i < count; i++)
            TRY(write_block(w, &m.block[i]));
        m.second[0] = m.second[count];
        m.begin = left <= blocks ? m.end : m.begin + blocks * positions;
    }
out:
    free(m.second);
    for (size_t i = 0; m.block && i < blocks; i++)
        free(m.block[i].data);
    free(m.block);
    return rc;
}

/* ---- the file ---- */

struct counting {
    const struct mw_graph *graph;
    atomic_uint_least64_t edges;
};

static void count_range(void *context, size_t begin, size_t end, unsigned worker)
{
    struct counting *c = context;
    uint64_t edges = 0;
    for (size_t v = begin; v < end; v++)
        edges += mw_graph_edges_at(c->graph, v);
    atomic_fetch_add(&c->edges, edges);
}

/* Collects names that mw_name formats into its buffer: these are numbers. On several threads, since it takes long. */
static void take_numbers(void *context, size_t begin, size_t end, unsigned worker)
{
    const struct mw_writing *w = context;
    char text[MW_NAME_CAPACITY];
    for (size_t v = begin; v < end; v++) {
        const char *name = mw_name(w->graph->names, v, text);
        mw_plain_number(name, strlen(name), &w->number[v]);
    }
}

static int inspect_names(struct mw_writing *w)
{
    char text[MW_NAME_CAPACITY];
    if (mw_names_are_counted(w->graph->names, &w->first) || w->graph->vertices == 0)
        return 0;
    w->first = 0;
    w->has_texts = mw_name(w->graph->names, 0, text) != text;
    if (w->has_texts)
        return 0;
    TRY_RETURN(mw_new(w->graph->vertices, sizeof *w->number, &w->number));
    mw_parallel_for(w->executor, w->graph->vertices, 0, take_numbers, w);
    return 0;
}

int mw_writing_start(const struct mw_graph *graph, const char *path, bool compressed, unsigned threads,
                     const struct mw_file_limits *limits, struct mw_writing *writing)
{
    struct mw_writing w = { .graph = graph, .path = path, .limits = limits, .edges = graph->arcs };
    struct counting counting = { .graph = graph };
    int rc;
#ifndef HAVE_ZLIB
    if (compressed)
        return mw_fail(MW_ENOTSUP, "cannot write %s: this meshwork was built without zlib: write without .gz", path);
#endif
    if ((rc = mw_graph_check_heads(graph, threads)) != 0)
        return mw_fail_in(rc, "cannot write %s", path);
    TRY(mw_executor_new(graph->arcs + graph->vertices <= limits->block_positions ? "serial" : "pthreads", threads,
                        &w.executor));
    TRY(inspect_names(&w));
    atomic_init(&counting.edges, 0);
    if (!graph->directed) {
        mw_parallel_for(w.executor, graph->vertices, 0, count_range, &counting);
        w.edges = atomic_load(&counting.edges);
    }
    TRY(mw_new(1, sizeof *w.output, &w.output));
    w.output->compressed = compressed;
    TRY(mw_file_create(path, true, &w.output->file));
    *writing = w;
    return 0;
out:
    mw_executor_free(w.executor);
    free(w.output);
    free(w.number);
    return rc;
}

void mw_writing_warn_nameless(const struct mw_writing *w, unsigned first)
{
    if (w->has_texts || w->number)
        mw_log(MW_LOG_NOTICE, "%s: this format has no names: vertices are numbered %u to %zu", w->path, first,
               w->graph->vertices - 1 + first);
}

int mw_writing_find_isolated(struct mw_writing *w)
{
    const struct mw_graph *graph = w->graph;
    unsigned char *isolated = NULL;
    size_t count = 0;
    int rc;
    TRY(mw_new(graph->vertices, 1, &isolated));
    for (size_t v = 0; v < graph->vertices; v++)
        count += isolated[v] = graph->offsets[v] == graph->offsets[v + 1];
    for (uint64_t i = 0; graph->directed && count > 0 && i < graph->arcs; i++) {
        count -= isolated[graph->heads[i]];
        isolated[graph->heads[i]] = 0;
    }
    w->isolated = count > 0 ? isolated : NULL;
    isolated = count > 0 ? NULL : isolated;
out:
    free(isolated);
    return rc;
}

int mw_writing_check_names(const struct mw_writing *w, const char *format)
{
    char text[MW_NAME_CAPACITY];
    for (size_t v = 0; w->has_texts && v < w->graph->vertices; v++) {
        const char *name = mw_name(w->graph->names, v, text);
        const size_t length = strlen(name);
        if (length == 0 || length > MW_NAME_MAX || mw_has_control(name, length))
            return mw_fail(MW_ENOTSUP,
                           "cannot write %s: the name of vertex %zu %s, which %s cannot have: write the binary format",
                           w->path, v,
                           length == 0            ? "is empty"
                           : length > MW_NAME_MAX ? "is too long"
                                                  : "has control characters",
                           format);
    }
    return 0;
}

int mw_writing_check_letters(const struct mw_writing *w, const char *format)
{
    char text[MW_NAME_CAPACITY];
    for (size_t v = 0; w->has_texts && v < w->graph->vertices; v++) {
        const char *name = mw_name(w->graph->names, v, text);
        const unsigned char *s = (const unsigned char *)name;
        size_t bytes = *s ? 1 : 0;
        while (*s && (bytes = mw_letter_bytes(s)) > 0)
            s += bytes;
        if (bytes == 0)
            return mw_fail(MW_ENOTSUP, "cannot write %s: the name of vertex %zu is %s%s%s: write the binary format",
                           w->path, v, *name ? "not UTF-8, or has a character that " : "empty", *name ? format : "",
                           *name ? " forbids" : "");
    }
    return 0;
}

int mw_writing_end(struct mw_writing *w, int rc)
{
    if (rc == 0)
        rc = mw_file_commit(w->output->file);
    else
        mw_file_abandon(w->output->file);
    mw_executor_free(w->executor);
    free(w->output);
    free(w->number);
    free(w->isolated);
    *w = (struct mw_writing){ 0 };
    return rc;
}
/* SPDX-License-Identifier: MIT */
