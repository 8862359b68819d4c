/* The binary format: compressed adjacency as in memory, to be mapped.
 *
 * A header of 128 bytes, then the arrays, each at a multiple of 64 bytes.  All numbers are in the byte order of the
 * machine that wrote the file; machines of the other byte order refuse it.
 *
 *   byte   bits   contents
 *      0          \x89 M W G \r \n \x1a \n: damaged by transfers as text or in seven bits
 *      8     32   0x01020304, to detect the byte order
 *     12     32   version: 1; with weights 2
 *     16     32   1 for directed graphs, 0 for undirected ones
 *     20     32   names: 0 numbers from 0 on, 1 numbers from `first` on, 2 other numbers, 3 texts
 *     24     64   vertices
 *     32     64   arcs; twice the number of edges if undirected
 *     40     64   place of the offsets: 64 bits each, one more than vertices; the first is 0, the last is arcs
 *     48     64   place of the heads: 32 bits each, one per arc
 *     56     64   place of the names: 64 bits each, a number or the place of a name in the texts; or 0
 *     64     64   place of the texts: names, each ended by a NUL; or 0
 *     72     64   bytes of all texts
 *     80     64   `first`: number of the first vertex
 *     88     64   bytes of the file
 *     96     64   place of the weights: 32 bits each, one per arc; 0 without weights
 *    104     64   `decimals`: weights are multiples of 10^-decimals
 *    112          zeros
 *    120     64   XXH64 with seed 0 of the 120 bytes before */
#include "graph/file/formats.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define ORDER 0x01020304u
#define ORDER_SWAPPED 0x04030201u
enum { VERSION_WEIGHTLESS = 1, VERSION = 2 };
#define ALIGNMENT 64
#define DECIMALS_MOST 5000

enum names { COUNTED_FROM_0, COUNTED, NUMBERS, TEXTS };

struct header {
    char magic[MW_BINARY_MAGIC_BYTES];
    uint32_t order, version, directed, names;
    uint64_t vertices, arcs, offsets_at, heads_at, names_at, texts_at, text_bytes, first, file_bytes, weights_at;
    int64_t decimals;
    uint64_t zero, hash;
};
_Static_assert(sizeof(struct header) == 128, "the header has no gaps");

static uint64_t hash_of(const struct header *h) { return mw_hash64(h, offsetof(struct header, hash), 0); }

/* Computes the places of the arrays from their lengths; returns false if the file would be too large. */
static bool lay_out(struct header *h)
{
    const struct {
        uint64_t *at;
        uint64_t count, bytes;
        bool there;
    } arrays[] = {
        { &h->offsets_at, h->vertices + 1, sizeof(uint64_t), true },
        { &h->heads_at, h->arcs, sizeof(uint32_t), true },
        { &h->weights_at, h->arcs, sizeof(int32_t), h->version == VERSION },
        { &h->names_at, h->vertices, sizeof(uint64_t), h->names >= NUMBERS },
        { &h->texts_at, h->text_bytes, 1, h->names == TEXTS },
    };
    size_t at = sizeof *h, bytes;
    for (size_t i = 0; i < MW_COUNT(arrays); i++) {
        *arrays[i].at = 0;
        if (!arrays[i].there)
            continue;
        if (!mw_add(at, ALIGNMENT - 1, &at) || arrays[i].count > SIZE_MAX)
            return false;
        at -= at % ALIGNMENT;
        *arrays[i].at = at;
        if (!mw_mul((size_t)arrays[i].count, (size_t)arrays[i].bytes, &bytes) || !mw_add(at, bytes, &at))
            return false;
    }
    h->file_bytes = at;
    return at <= PTRDIFF_MAX;
}

/* ---- reading ---- */

static int binary_malformed(const char *name, const char *what)
{
    return mw_fail(MW_EDATA, "%s is not a valid binary graph: %s", name, what);
}

static int check_header(const char *name, const struct header *h, size_t bytes)
{
    struct header same = *h;
    int rc;
    if (bytes < sizeof h->magic || memcmp(h->magic, MW_BINARY_MAGIC, sizeof h->magic) != 0)
        return binary_malformed(name, "its first bytes are wrong");
    if (bytes < sizeof *h)
        return binary_malformed(name, "it ends within the header");
    if (h->order == ORDER_SWAPPED)
        return mw_fail(MW_ENOTSUP,
                       "%s was written on a machine of the other byte order: convert it to a text format there", name);
    if (h->hash != hash_of(h))
        return binary_malformed(name, "the checksum of its header is wrong");
    if (h->order != ORDER || h->version < VERSION_WEIGHTLESS || h->version > VERSION)
        return mw_fail(MW_ENOTSUP, "%s has version %" PRIu32 " of the binary format, but this meshwork reads up to %d",
                       name, h->version, VERSION);
    if ((rc = mw_vertices_check(h->vertices)) != 0)
        return mw_fail_in(rc, "%s", name);
    if (h->directed > 1 || h->names > TEXTS || (!h->directed && h->arcs % 2) || h->zero ||
        h->decimals > DECIMALS_MOST || h->decimals < -DECIMALS_MOST || (h->version < VERSION && h->decimals))
        return binary_malformed(name, "its header has invalid values");
    if (!lay_out(&same) || memcmp(&same, h, sizeof same) != 0)
        return binary_malformed(name, "the numbers in its header are inconsistent");
    return 0;
}

static int wrong_length(const char *name, uint64_t bytes, uint64_t wanted)
{
    return mw_fail(MW_EDATA, "%s is not a valid binary graph: it has %" PRIu64 " bytes, but its header states %" PRIu64,
                   name, bytes, wanted);
}

/* Copies the names: they are shared with all derived objects, and may outlive the mapping. */
static int take_names(const char *name, const char *address, const struct header *h, struct mw_names **names)
{
    const uint64_t *value = (const void *)(address + h->names_at);
    uint64_t *number = NULL;
    size_t *start = NULL;
    char *text = NULL;
    int rc = 0;
    if (h->names == COUNTED)
        rc = h->first > UINT64_MAX - h->vertices ? binary_malformed(name, "its names are too large")
                                                 : mw_names_counted(h->first, names);
    if (h->names == NUMBERS) {
        TRY(mw_new((size_t)h->vertices, sizeof *number, &number));
        memcpy(number, value, (size_t)h->vertices * sizeof *number);
        rc = mw_names_of_numbers(number, (size_t)h->vertices, names);
        number = NULL;
    }
    if (h->names == TEXTS) {
        TRY(mw_new((size_t)h->vertices, sizeof *start, &start));
        TRY(mw_new((size_t)h->text_bytes, 1, &text));
        memcpy(text, address + h->texts_at, (size_t)h->text_bytes);
        if (h->text_bytes > 0 && text[h->text_bytes - 1] != '\0')
            TRY(binary_malformed(name, "its last name is not terminated"));
        for (size_t v = 0; v < h->vertices; v++) {
            if (value[v] >= h->text_bytes)
                TRY(binary_malformed(name, "a name begins after the end of its texts"));
            start[v] = (size_t)value[v];
        }
        rc = mw_names_of_texts(text, start, (size_t)h->vertices, names);
        text = NULL;
        start = NULL;
    }
out:
    free(number);
    free(start);
    free(text);
    return rc;
}

/* Makes a graph of a whole file in memory, which munmap frees, also on failure. */
static int take_graph(const char *name, void *address, size_t bytes, struct mw_graph *graph)
{
    const struct header *h = address;
    struct mw_graph new = { 0 };
    int rc;
    if ((rc = check_header(name, h, bytes)) != 0 ||
        (rc = bytes == h->file_bytes ? 0 : wrong_length(name, bytes, h->file_bytes)) != 0) {
        munmap(address, bytes);
        return rc;
    }
    TRY(mw_graph_of_mapping(address, bytes, (size_t)h->vertices, h->directed,
                            (const void *)((const char *)address + h->offsets_at),
                            (const void *)((const char *)address + h->heads_at), &new));
    new.arcs = h->arcs;
    if (h->version == VERSION)
        new.weights = (const void *)((const char *)address + h->weights_at);
    new.decimals = (int)h->decimals;
    if ((rc = mw_graph_check_offsets(&new)) != 0)
        TRY(mw_fail_in(rc, "%s is not a valid binary graph", name));
    TRY(take_names(name, address, h, &new.names));
    *graph = MW_PASS(new);
out:
    mw_graph_free(&new);
    return rc;
}

static int map_file(const struct mw_input *input, struct mw_graph *graph)
{
    const size_t bytes = (size_t)input->end;
    void *address;
    if (input->start > 0)
        return mw_fail(MW_EINVAL, "cannot read %s from the middle: begin at its start", input->name);
    if (bytes < sizeof(struct header))
        return binary_malformed(input->name, "it ends within the header");
    address = mmap(NULL, bytes, PROT_READ, MAP_SHARED, input->descriptor, 0);
    if (address == MAP_FAILED)
        return mw_fail(MW_EIO, "cannot map %s: %s", input->name, strerror(errno));
    return take_graph(input->name, address, bytes, graph);
}

/* Reads a file that cannot be mapped into memory of the length stated in its header. */
static int read_stream(struct mw_input *input, struct mw_graph *graph)
{
    struct header h = { 0 };
    size_t bytes, got, more;
    char *address;
    int rc;
    TRY(mw_input_read(input, &h, sizeof h, &got));
    TRY(check_header(input->name, &h, got));
    bytes = (size_t)h.file_bytes;
    address = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (address == MAP_FAILED)
        return mw_fail(MW_ENOMEM, "out of memory for the %zu bytes stated in %s", bytes, input->name);
    memcpy(address, &h, sizeof h);
    rc = mw_input_read(input, address + sizeof h, bytes - sizeof h, &got);
    if (rc == 0 && got == bytes - sizeof h)
        rc = mw_input_read(input, &h, 1, &more);
    if (rc == 0 && (got < bytes - sizeof h || more > 0))
        rc = wrong_length(input->name, sizeof h + got + (got == bytes - sizeof h), bytes);
    if (rc == 0)
        return take_graph(input->name, address, bytes, graph);
    munmap(address, bytes);
out:
    return rc;
}

static int read_graph(struct mw_input *input, struct mw_graph *graph)
{
    if (input->gunzip)
        return mw_fail(MW_ENOTSUP,
                       "%s is compressed, but binary files are mapped into memory: decompress it with gunzip",
                       input->name);
    return input->is_file ? map_file(input, graph) : read_stream(input, graph);
}

int mw_graph_map(const char *path, struct mw_graph *graph)
{
    struct mw_input input = { .descriptor = -1 };
    int rc;
    TRY(mw_input_open(path, &mw_file_limits_usual, &input));
    TRY(read_graph(&input, graph));
out:
    mw_input_close(&input);
    return rc;
}

bool mw_graph_is_binary(const char *path)
{
    struct mw_input input;
    bool is;
    if (mw_input_open(path, &mw_file_limits_usual, &input) != 0)
        return false;
    is = !input.gunzip && input.have >= MW_BINARY_MAGIC_BYTES &&
         memcmp(input.buffer, MW_BINARY_MAGIC, MW_BINARY_MAGIC_BYTES) == 0;
    mw_input_close(&input);
    return is;
}

int mw_edges_read_binary(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges)
{
    struct mw_graph graph = { 0 };
    int rc;
    TRY(read_graph(input, &graph));
    if ((rc = mw_graph_check_heads(&graph, options->threads)) != 0)
        TRY(mw_fail_in(rc, "%s is not a valid binary graph", input->name));
    if (options->no_weights)
        graph.weights = NULL;
    TRY(mw_graph_edges(&graph, edges));
out:
    mw_graph_free(&graph);
    return rc;
}

/* ---- writing ---- */

static void inspect_names(const struct mw_writing *w, struct header *h)
{
    char text[MW_NAME_CAPACITY];
    h->first = w->first;
    h->names = w->has_texts ? TEXTS : w->number ? NUMBERS : w->first > 0 ? COUNTED : COUNTED_FROM_0;
    for (size_t v = 0; h->names == TEXTS && v < h->vertices; v++)
        h->text_bytes += strlen(mw_name(w->graph->names, v, text)) + 1;
}

static int pad(struct mw_writing *w, uint64_t *at, uint64_t wanted)
{
    static const char zeros[ALIGNMENT];
    const size_t bytes = wanted > *at ? (size_t)(wanted - *at) : 0;
    *at += bytes;
    return mw_write_bytes(w, zeros, bytes);
}

static int write_names(struct mw_writing *w, const struct header *h, uint64_t *at)
{
    char text[MW_NAME_CAPACITY];
    uint64_t start = 0;
    if (h->names < NUMBERS)
        return 0;
    TRY_RETURN(pad(w, at, h->names_at));
    if (h->names == NUMBERS)
        return mw_write_bytes(w, w->number, (size_t)h->vertices * sizeof *w->number);
    for (size_t v = 0; v < h->vertices; v++) {
        TRY_RETURN(mw_write_bytes(w, &start, sizeof start));
        start += strlen(mw_name(w->graph->names, v, text)) + 1;
    }
    *at += h->vertices * sizeof start;
    TRY_RETURN(pad(w, at, h->texts_at));
    for (size_t v = 0; v < h->vertices; v++) {
        const char *name = mw_name(w->graph->names, v, text);
        TRY_RETURN(mw_write_bytes(w, name, strlen(name) + 1));
    }
    return 0;
}

int mw_graph_write_binary(struct mw_writing *w)
{
    const struct mw_graph *graph = w->graph;
    static const uint64_t none = 0;
    struct header h = { .magic = MW_BINARY_MAGIC,
                        .order = ORDER,
                        .directed = graph->directed,
                        .version = graph->weights ? VERSION : VERSION_WEIGHTLESS,
                        .vertices = graph->vertices,
                        .arcs = graph->arcs,
                        .decimals = graph->weights ? graph->decimals : 0 };
    uint64_t at = sizeof h;
    inspect_names(w, &h);
    if (!lay_out(&h))
        return mw_fail(MW_ELIMIT, "cannot write %s: the graph is too large for a file", w->path);
    h.hash = hash_of(&h);
    TRY_RETURN(mw_write_bytes(w, &h, sizeof h));
    TRY_RETURN(pad(w, &at, h.offsets_at));
    TRY_RETURN(
        mw_write_bytes(w, graph->vertices ? graph->offsets : &none, (graph->vertices + 1) * sizeof *graph->offsets));
    at += (graph->vertices + 1) * sizeof *graph->offsets;
    TRY_RETURN(pad(w, &at, h.heads_at));
    TRY_RETURN(mw_write_bytes(w, graph->heads, (size_t)graph->arcs * sizeof *graph->heads));
    at += graph->arcs * sizeof *graph->heads;
    if (graph->weights) {
        TRY_RETURN(pad(w, &at, h.weights_at));
        TRY_RETURN(mw_write_bytes(w, graph->weights, (size_t)graph->arcs * sizeof *graph->weights));
        at += graph->arcs * sizeof *graph->weights;
    }
    return write_names(w, &h, &at);
}
/* SPDX-License-Identifier: MIT */
