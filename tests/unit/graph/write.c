/* Files of networks: a written graph is read back the same, the binary format, and damage of every kind. */
#include "tests/graph_file.h"

#include <sys/mman.h>

#include "graph/file/output.h"

static struct mw_file_limits limits;

/* ---- written and read back ---- */

struct sample {
    size_t n, edges;
    bool directed;
    uint32_t end[200];
    int32_t weight[100];
    struct mw_graph graph;
};

/* A graph of random edges, with self-edges and multiple edges unless `simple`: then weights are whole numbers above 0,
 * as METIS requires. */
static void make_sample(struct sample *s, bool simple)
{
    uint64_t *offsets;
    uint32_t *heads;
    int32_t *weights;
    uint64_t *at;
    *s = (struct sample){ .n = random_below(40), .directed = !simple && random_below(2) };
    for (size_t i = s->n ? random_below(100) : 0; i > 0; i--) {
        const uint32_t a = (uint32_t)random_below(s->n), b = (uint32_t)random_below(s->n);
        bool skip = simple && a == b;
        for (size_t k = 0; simple && k < s->edges; k++)
            skip = skip || (s->end[2 * k] == a && s->end[2 * k + 1] == b) ||
                   (s->end[2 * k] == b && s->end[2 * k + 1] == a);
        if (skip)
            continue;
        s->weight[s->edges] = (int32_t)random_below(random_below(2) ? 10 : INT32_MAX) + 1;
        s->weight[s->edges] *= !simple && random_below(3) == 0 ? -1 : 1;
        s->end[2 * s->edges] = a;
        s->end[2 * s->edges++ + 1] = b;
    }
    offsets = room(s->n + 1, sizeof *offsets);
    heads = room(2 * s->edges, sizeof *heads);
    weights = room(2 * s->edges, sizeof *weights);
    at = room(s->n + 1, sizeof *at);
    for (size_t i = 0; i < 2 * s->edges; i += 1 + s->directed)
        offsets[s->end[i] + 1]++;
    for (size_t v = 0; v < s->n; v++)
        at[v + 1] = offsets[v + 1] += offsets[v];
    for (size_t i = 0; i < 2 * s->edges; i += 1 + s->directed) {
        weights[at[s->end[i]]] = s->weight[i / 2];
        heads[at[s->end[i]]++] = s->end[i ^ 1];
    }
    free(at);
    OK(mw_graph_of_arrays(s->n, s->directed, offsets, heads, &s->graph));
    if (random_below(2))
        mw_graph_take_weights(&s->graph, weights, simple ? 0 : (int)random_below(40) - 20);
    else
        free(weights);
}

static void name_sample(struct sample *s, enum naming naming)
{
    if (naming == FROM_1) {
        OK(mw_names_counted(1 + random_below(3), &s->graph.names));
    } else if (naming == SPARSE || naming == WIDE) {
        uint64_t *number = room(s->n, sizeof *number);
        for (size_t v = 0; v < s->n; v++)
            number[v] = (v * 7 % 41) * (naming == WIDE ? 400000000000000000 : 3) + 2;
        OK(mw_names_of_numbers(number, s->n, &s->graph.names));
    } else if (naming == WORDS || naming == MIXED) {
        static const char *const kinds[] = {
            "<\"\xe2\x82\xac&%zu'>", "two words %zu", "\"%zu", "#%zu", "%zu,", "%% %zu\""
        };
        char *bytes = room(s->n, 32);
        size_t *start = room(s->n, sizeof *start), at = 0;
        for (size_t v = 0; v < s->n; v++) {
            start[v] = at;
            at += (size_t)sprintf(bytes + at, naming == MIXED && v % 3 ? "%zu" : kinds[v % MW_COUNT(kinds)], v) + 1;
        }
        OK(mw_names_of_texts(bytes, start, s->n, &s->graph.names));
    }
}

static int compare_lines(const void *a, const void *b) { return strcmp(a, b); }

/* Edges as sorted lines of names. */
static void list_edges(const struct mw_edges *edges, char (*line)[100])
{
    for (size_t i = 0; i < edges->count; i++) {
        char a[MW_NAME_CAPACITY], b[MW_NAME_CAPACITY], weight[MW_WEIGHT_CAPACITY];
        const char *tail = mw_name(edges->names, edges->ends[2 * i], a);
        const char *head = mw_name(edges->names, edges->ends[2 * i + 1], b);
        const bool swap = !edges->directed && strcmp(tail, head) > 0;
        snprintf(line[i], sizeof *line, "%s %s %s", swap ? head : tail, swap ? tail : head,
                 edges->weights ? mw_weight_text(edges->weights[i], edges->decimals, weight) : "");
    }
    qsort(line, edges->count, sizeof *line, compare_lines);
}

static void compare_edges(int round, const char *format, const struct mw_edges *wanted, const struct mw_edges *got)
{
    static char wanted_line[200][100], got_line[200][100];
    assert_int_equal(got->directed, wanted->directed);
    assert_int_equal(got->count, wanted->count);
    if (got->vertices != wanted->vertices)
        fail_msg("round %d, %s: %zu vertices instead of %zu", round, format, got->vertices, wanted->vertices);
    list_edges(wanted, wanted_line);
    list_edges(got, got_line);
    for (size_t i = 0; i < wanted->count; i++)
        if (strcmp(wanted_line[i], got_line[i]) != 0)
            fail_msg("round %d, %s: \"%s\" instead of \"%s\"", round, format, got_line[i], wanted_line[i]);
}

static const struct {
    const char *format, *suffix;
    bool simple, forgets_names, is_text;
    unsigned first; /* name of the first vertex, if the format forgets names */
} written[] = {
    { "edges", "el", false, false, true, 0 },    { "mtx", "mtx", false, true, true, 1 },
    { "metis", "graph", true, true, true, 1 },   { "graphml", "graphml", false, false, true, 0 },
    { "csv", "csv", false, false, true, 0 },     { "tsv", "tsv", false, false, true, 0 },
    { "binary", "mwg", false, false, false, 0 }, { "gml", "gml", false, false, true, 0 },
#ifdef HAVE_ZLIB
    { "npz", "npz", false, true, false, 0 },
#endif
};

/* A matrix whose values are all 1 is read as a graph without weights. */
static bool loses_weights(const char *format, const struct mw_graph *graph)
{
    int64_t one = 1;
    for (int i = 0; i < -graph->decimals || i < graph->decimals; i++)
        one = one > INT32_MAX ? one : 10 * one;
    if (strcmp(format, "npz") != 0 || (graph->decimals < 0 && graph->arcs > 0))
        return false;
    for (uint64_t i = 0; i < graph->arcs; i++)
        if (!graph->weights || graph->weights[i] != one)
            return false;
    return true;
}

static void graphs_come_back(void **state)
{
    seed_random();
    for (int round = 0; round < 4500; round++) {
        const size_t f = random_below(MW_COUNT(written));
        const bool compressed = has_zlib && written[f].is_text && random_below(3) == 0;
        struct mw_graph_file_options options = { .size = sizeof options,
                                                 .threads = random_below(4) ? 1 : 2 + (unsigned)random_below(2) };
        struct mw_edges wanted = { 0 }, got = { 0 };
        struct sample s;
        char name[32];
        make_sample(&s, written[f].simple);
        name_sample(&s, (enum naming)random_below(NAMINGS));
        if (loses_weights(written[f].format, &s.graph)) {
            mw_graph_free(&s.graph);
            continue;
        }
        options.directed = s.directed;
        limits.piece_bytes = 1 + random_below(300);
        limits.block_positions = 1 + random_below(60);
        snprintf(name, sizeof name, "b.%s%s", written[f].suffix, compressed ? ".gz" : "");
        set_path(name);
        unlink(path);
        if (mw_graph_write_within(&s.graph, path, &options, &limits) != 0)
            fail_msg("round %d, %s: %s", round, name, mw_errmsg());
        assert_int_equal(mw_graph_is_binary(path), strcmp(written[f].format, "binary") == 0);
        if (has_expat || strcmp(written[f].format, "graphml") != 0) {
            if (mw_edges_read_within(path, &options, &limits, &got) != 0)
                fail_msg("round %d, %s: %s", round, name, mw_errmsg());
            if (written[f].forgets_names) {
                mw_names_free(s.graph.names);
                s.graph.names = NULL;
                if (written[f].first)
                    OK(mw_names_counted(written[f].first, &s.graph.names));
            }
            OK(mw_graph_edges(&s.graph, &wanted));
            compare_edges(round, written[f].format, &wanted, &got);
        }
        mw_edges_free(&wanted);
        mw_edges_free(&got);
        mw_graph_free(&s.graph);
    }
    limits = mw_file_limits_usual;
}

static void write_standard_output(const struct mw_graph *graph, const char *format)
{
    const int kept = dup(STDOUT_FILENO), file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int rc;
    fflush(stdout);
    dup2(file, STDOUT_FILENO);
    rc = mw_graph_write_within(graph, "-", GIVEN(mw_graph_file_options, .format = format), &limits);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    close(file);
    if (rc != 0)
        fail_msg("%s: %s", format, mw_errmsg());
}

/* Whole texts, which other programs have to be able to read. */
static void texts_are_as_the_formats_say(void **state)
{
    static const struct {
        const char *format, *text;
    } texts[] = {
        { "edges", "# Undirected graph\n# Nodes: 3 Edges: 2\n# FromNodeId\tToNodeId\n0\t1\n0\t2\n" },
        { "mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 1\n" },
        { "metis", "3 2\n2 3\n1\n1\n" },
        { "csv", "source,target\n0,1\n0,2\n" },
        { "tsv", "source\ttarget\n0\t1\n0\t2\n" },
        { "gml",
          "graph [\n  directed 0\n  node [\n    id 0\n    label \"0\"\n  ]\n  node [\n    id 1\n    label \"1\"\n"
          "  ]\n  node [\n    id 2\n    label \"2\"\n  ]\n  edge [\n    source 0\n    target 1\n  ]\n"
          "  edge [\n    source 0\n    target 2\n  ]\n]\n" },
        { "graphml", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml "
                     "xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n<graph edgedefault=\"undirected\">\n"
                     "<node id=\"0\"/>\n<node id=\"1\"/>\n<node id=\"2\"/>\n"
                     "<edge source=\"0\" target=\"1\"/>\n<edge source=\"0\" target=\"2\"/>\n</graph>\n</graphml>\n" },
    };
    static const uint64_t offsets[] = { 0, 2, 3, 4 };
    static const uint32_t heads[] = { 1, 2, 0, 0 };
    const struct mw_graph graph = { .vertices = 3, .arcs = 4, .offsets = offsets, .heads = heads };
    char text[1000];
    for (size_t i = 0; i < MW_COUNT(texts); i++) {
        set_path("c.text");
        write_standard_output(&graph, texts[i].format);
        text[load(text, sizeof text - 1)] = '\0';
        assert_string_equal(text, texts[i].text);
    }
}

static void what_a_format_lacks_is_refused(void **state)
{
    static const uint64_t offsets[] = { 0, 2, 4 };
    static const uint32_t twice[] = { 1, 1, 0, 0 }, self[] = { 0, 0, 1, 1 }, beyond[] = { 1, 2, 0, 0 };
    static const struct {
        const char *suffix, *name;
    } names[] = {
        { "el", "\x7f" },          { "el", "" },          { "el", "a\nb" },          { "graphml", "" },
        { "graphml", "\x01" },     { "graphml", "\xff" }, { "graphml", "\xc0\x80" }, { "graphml", "\xed\xa0\x80" },
        { "graphml", "\xe2\x82" }, { "gml", "" },         { "gml", "\xff" },         { "gml", "\x01" }
    };
    struct mw_graph graph = { .vertices = 2, .arcs = 4, .offsets = offsets, .heads = twice };
    set_path("d.graph");
    unlink(path);
    assert_int_equal(mw_graph_write_within(&graph, path, NULL, &limits), MW_ENOTSUP);
    graph.heads = self;
    assert_int_equal(mw_graph_write_within(&graph, path, NULL, &limits), MW_ENOTSUP);
    graph.directed = true;
    assert_int_equal(mw_graph_write_within(&graph, path, NULL, &limits), MW_ENOTSUP);
    assert_int_equal(access(path, F_OK), -1);
    graph.heads = beyond;
    set_path("d.el");
    assert_int_equal(mw_graph_write_within(&graph, path, NULL, &limits), MW_EDATA);
    graph.heads = twice;
    for (size_t i = 0; i < MW_COUNT(names); i++) {
        char *bytes = room(1, 32), name[32];
        size_t *start = room(2, sizeof *start);
        strcpy(bytes, names[i].name);
        start[1] = strlen(bytes);
        OK(mw_names_of_texts(bytes, start, 2, &graph.names));
        snprintf(name, sizeof name, "d.%s", names[i].suffix);
        set_path(name);
        if (mw_graph_write_within(&graph, path, NULL, &limits) != MW_ENOTSUP)
            fail_msg("name %zu is written as %s", i, names[i].suffix);
        set_path("d.mwg");
        OK(mw_graph_write_within(&graph, path, NULL, &limits));
        mw_names_free(graph.names);
        graph.names = NULL;
    }
}

/* ---- hubs ---- */

enum { STAR = 1000000, STAR_BLOCK = 1024, STAR_WINDOW = 16 * STAR_BLOCK };

/* Unmaps arcs that have long been written. */
static void take_away(const struct mw_writing *w, size_t tail, size_t head, uint64_t arc, struct mw_output_block *block)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    assert_true(mw_output_block_reserve(block, 1) != NULL);
    if (tail == 0 && head > STAR_WINDOW && head % STAR_BLOCK == 0)
        assert_int_equal(mprotect((void *)(uintptr_t)w->graph->heads,
                                  (head - STAR_WINDOW) * sizeof *w->graph->heads / page * page, PROT_NONE),
                         0);
}

/* If the arcs of a vertex are in many blocks, no block reads the arcs of earlier blocks. */
static void a_hubs_arcs_are_not_read_again_and_again(void **state)
{
    const size_t bytes = 2 * STAR * sizeof(uint32_t);
    uint32_t *heads = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uint64_t *offsets = room(STAR + 2, sizeof *offsets);
    struct mw_graph graph = { .vertices = STAR + 1, .arcs = 2 * STAR, .offsets = offsets, .heads = heads };
    const struct mw_file_limits small = { .piece_bytes = 100, .block_positions = STAR_BLOCK };
    struct mw_writing writing;
    assert_true(heads != MAP_FAILED);
    for (size_t v = 1; v <= STAR; v++) {
        heads[v - 1] = (uint32_t)v;
        offsets[v + 1] = STAR + v;
    }
    offsets[1] = STAR;
    set_path("g.el");
    OK(mw_writing_start(&graph, path, false, 1, &small, &writing));
    OK(mw_writing_end(&writing, mw_write_graph(&writing, &(struct mw_writer){ .edge = take_away })));
    munmap(heads, bytes);
    free(offsets);
}

/* ---- the binary format ---- */

static void binary_files_are_mapped(void **state)
{
    seed_random();
    for (int round = 0; round < 200; round++) {
        struct mw_graph mapped = { 0 };
        struct sample s;
        make_sample(&s, false);
        name_sample(&s, (enum naming)random_below(NAMINGS));
        set_path("e.mwg");
        OK(mw_graph_write_within(&s.graph, path, NULL, &limits));
        OK(mw_graph_map(path, &mapped));
        unlink(path);
        assert_int_equal(mapped.vertices, s.n);
        assert_int_equal(mapped.arcs, s.graph.arcs);
        assert_int_equal(mapped.directed, s.directed);
        assert_int_equal((uintptr_t)mapped.offsets % 64, 0);
        assert_int_equal((uintptr_t)mapped.heads % 64, 0);
        assert_memory_equal(mapped.offsets, s.graph.offsets, (s.n + 1) * sizeof *mapped.offsets);
        assert_memory_equal(mapped.heads, s.graph.heads, mapped.arcs * sizeof *mapped.heads);
        for (size_t v = 0; v < s.n; v++) {
            char a[MW_NAME_CAPACITY], b[MW_NAME_CAPACITY];
            assert_string_equal(mw_name(mapped.names, v, a), mw_name(s.graph.names, v, b));
        }
        mw_graph_free(&mapped);
        mw_graph_free(&s.graph);
    }
}

/* The place of the 32 bits that are the lower half of the 64 bits at `at` on little-endian machines, or their upper
 * half. */
static size_t place_of(size_t at)
{
    const bool wide = (at >= 24 && at < 160) || (at >= 256 && at < 320); /* numbers of the header, offsets, names */
    return wide && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? at ^ 4 : at;
}

/* Headers with wrong contents and a correct checksum; `at` is the place of the 32-bit word that is changed. */
static void binary_files_that_lie_are_refused(void **state)
{
    /* clang-format off */
    static const struct { size_t at; uint32_t value; int rc; const char *reason; } lies[] = {
        { 0, 0, MW_EDATA, "its first bytes are wrong" }, { 8, 0x04030201, MW_ENOTSUP, "byte order" },
        { 8, 7, MW_ENOTSUP, "version" }, { 12, 3, MW_ENOTSUP, "version 3" }, { 12, 2, MW_EDATA, "inconsistent" },
        { 104, 1, MW_EDATA, "invalid values" }, { 16, 2, MW_EDATA, "invalid values" },
        { 20, 4, MW_EDATA, "invalid values" }, { 20, 0, MW_EDATA, "inconsistent" },
        { 24, 40, MW_EDATA, "inconsistent" }, { 28, 1, MW_ELIMIT, "vertices" }, { 32, 5, MW_EDATA, "invalid values" },
        { 32, 2, MW_EDATA, "the number of arcs, 2" }, { 36, UINT32_MAX, MW_EDATA, "inconsistent" },
        { 40, 0, MW_EDATA, "inconsistent" }, { 48, 1, MW_EDATA, "inconsistent" }, { 56, 0, MW_EDATA, "inconsistent" },
        { 72, 9, MW_EDATA, "inconsistent" }, { 76, UINT32_MAX, MW_EDATA, "inconsistent" },
        { 88, 0, MW_EDATA, "inconsistent" }, { 96, 1, MW_EDATA, "inconsistent" },
        { 112, 1, MW_EDATA, "invalid values" }, { 128, 1, MW_EDATA, "the arcs of vertex 0 begin at 1" },
        { 136, 9, MW_EDATA, "arcs of vertex 1 begin at 9" }, { 152, 9, MW_EDATA, "the last offset is 9" },
        { 192, 3, MW_EDATA, "leads to vertex 3" }, { 256, 6, MW_EDATA, "after the end of its texts" },
        { 324, 0x01010101, MW_EDATA, "not terminated" },
    };
    /* clang-format on */
    static const uint64_t offsets[] = { 0, 2, 3, 4 };
    static const uint32_t heads[] = { 1, 2, 0, 0 };
    struct mw_graph graph = { .vertices = 3, .arcs = 4, .offsets = offsets, .heads = heads };
    char bytes[512];
    size_t n;
    char *text = room(8, 1);
    size_t *start = room(3, sizeof *start);
    struct mw_edges edges;
    memcpy(text, "a\0b\0c", 6);
    start[1] = 2;
    start[2] = 4;
    OK(mw_names_of_texts(text, start, 3, &graph.names));
    set_path("f.mwg");
    OK(mw_graph_write_within(&graph, path, NULL, &limits));
    mw_names_free(graph.names);
    n = load(bytes, sizeof bytes);
    assert_int_equal(n, 320 + 6);
    for (size_t i = 0; i < MW_COUNT(lies); i++) {
        char lie[512];
        uint64_t hash;
        memcpy(lie, bytes, n);
        memcpy(lie + place_of(lies[i].at), &lies[i].value, lies[i].at == 324 ? 2 : 4);
        hash = mw_hash64(lie, 120, 0);
        memcpy(lie + 120, &hash, sizeof hash);
        store("f.mwg", lie, n);
        for (int pipe_too = 0; pipe_too < 2; pipe_too++) {
            const struct mw_graph_file_options binary = { .size = sizeof binary, .format = "binary" };
            const int rc = pipe_too ? read_standard_input(lie, n, true, &binary, &edges)
                                    : mw_edges_read_within(path, &binary, &limits, &edges);
            if (rc == 0)
                mw_edges_free(&edges);
            if (rc != lies[i].rc || strstr(mw_errmsg(), lies[i].reason) == NULL)
                fail_msg("lie %zu: %d, not \"%s\": %s", i, rc, lies[i].reason, mw_errmsg());
        }
    }
    bytes[24] ^= 1;
    store("f.mwg", bytes, n);
    assert_int_equal(mw_graph_map(path, &graph), MW_EDATA);
    assert_non_null(strstr(mw_errmsg(), "checksum"));
}

/* ---- random damage ---- */

/* Some bytes changed, inserted, removed or cut off. */
static size_t mutate(char *bytes, size_t n)
{
    static const char likely[] = "0123456789 \n\r\t#%-\0<>\"'&/\xff";
    for (size_t i = 1 + random_below(4); i > 0 && n > 0; i--) {
        const size_t at = random_below(n);
        const char c = random_below(2) ? likely[random_below(sizeof likely)] : (char)random_word();
        switch (random_below(5)) {
        case 0: bytes[at] = c; break;
        case 1: bytes[at] ^= (char)(1 << random_below(8)); break;
        case 2:
            memmove(bytes + at + 1, bytes + at, n++ - at);
            bytes[at] = c;
            break;
        case 3: memmove(bytes + at, bytes + at + 1, --n - at); break;
        default: n = random_below(4) ? n : at; break;
        }
    }
    return n;
}

static void mutations_break_nothing(void **state)
{
    static char bytes[20000];
    size_t taken = 0, refused = 0;
    seed_random();
    for (int round = 0; round < 6000; round++) {
        const size_t f = random_below(MW_COUNT(written));
        const bool compressed = has_zlib && written[f].is_text && random_below(8) == 0;
        struct mw_graph_file_options options = { .size = sizeof options, .format = written[f].format, .threads = 1 };
        struct mw_edges edges = { 0 };
        char name[32], one[MW_NAME_CAPACITY];
        int rc;
        snprintf(name, sizeof name, "h.%s%s", written[f].suffix, compressed ? ".gz" : "");
        if (round % 3 == 0 || access((set_path(name), path), F_OK) != 0) {
            struct sample s;
            make_sample(&s, written[f].simple);
            name_sample(&s, (enum naming)random_below(NAMINGS));
            set_path(name);
            OK(mw_graph_write_within(&s.graph, path, &options, &limits));
            mw_graph_free(&s.graph);
        }
        size_t n = mutate(bytes, load(bytes, sizeof bytes - 10));
        if (!written[f].is_text && n >= 128 && random_below(2)) {
            const uint64_t hash = mw_hash64(bytes, 120, 0);
            memcpy(bytes + 120, &hash, sizeof hash);
        }
        store(name, bytes, n);
        limits.piece_bytes = 1 + random_below(200);
        rc = mw_edges_read_within(path, &options, &limits, &edges);
        unlink(path);
        if (rc == 0) {
            taken++;
            for (size_t i = 0; i < 2 * edges.count; i++)
                assert_true(edges.ends[i] < edges.vertices);
            for (size_t v = 0; v < edges.vertices && v < 1000; v++)
                assert_non_null(mw_name(edges.names, v, one));
            mw_edges_free(&edges);
        } else {
            refused++;
            if (rc != MW_EDATA && rc != MW_ELIMIT && rc != MW_ENOTSUP)
                fail_msg("round %d: %d: %s", round, rc, mw_errmsg());
        }
    }
    assert_true(taken > 100 && refused > 100);
    limits = mw_file_limits_usual;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graphs_come_back),
        cmocka_unit_test(texts_are_as_the_formats_say),
        cmocka_unit_test(what_a_format_lacks_is_refused),
        cmocka_unit_test(a_hubs_arcs_are_not_read_again_and_again),
        cmocka_unit_test(binary_files_are_mapped),
        cmocka_unit_test(binary_files_that_lie_are_refused),
        cmocka_unit_test(mutations_break_nothing),
    };
    limits = mw_file_limits_usual;
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
/* SPDX-License-Identifier: MIT */
