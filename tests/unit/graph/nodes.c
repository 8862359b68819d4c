/* GML, Pajek and DOT: graphs that are read, files that are refused with their place, and damage at each byte. */
#include "tests/graph_file.h"

#include <meshwork/graph.h>

static const struct {
    const char *name, *bytes;
    size_t vertices;
    bool directed;
    const char *edges;
} good[] = {
    { "a.gml", "graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 ] ]", 2, false, "0-1" },
    { "a.gml", "graph[node[id 1 label \"c\"]node[label\"b\"id 2]edge[source 2 target 1]directed 1]", 2, true, "b-c" },
    { "a.gml",
      "Creator \"x [\"\n# c\nVersion 1\ngraph\n[\ndirected 0\nx [ y [ z 1 ] ]\nnode\n[\nid 7\n]\nedge\n[\n"
      "target 7\nsource 7\nweight 2.5\n]\n]\n",
      1, false, "7-7:2.5" },
    { "a.gml",
      "graph [ edge [ source 4 target 3 value 2 ] node [ id 3 ] node [ id 4 ] edge [ source 3 target 4 value 3 ] ]", 2,
      false, "4-3:2 3-4:3" },
    { "a.gml",
      "graph [ node [ id 0 label \"a&amp;&quot;&#233;&#x1F600;&x;\" ] node [ id 1 label \"\xc3\xa9\" ] "
      "edge [ source 0 target 1 value \"x\" ] ]",
      2, false, "a&\"\xc3\xa9\xf0\x9f\x98\x80&x;-\xc3\xa9" },
    { "a.gml",
      "graph [ node [ id 2 label \"x\" name \"p\" ] node [ id 1 label \"x\" name \"q\" ] edge [ source 2 target 1 ] ]",
      2, false, "p-q" },
    { "a.gml", "graph [ ]", 0, false, "" },
    { "a.net", "*Vertices 3\r\n1 \"a b\"\r\n2 \"c\" 0.1 0.2 ic Red\r\n3 d\r\n*Edges\r\n1 2 2.5\r\n2 3 1 c Blue\r\n", 3,
      false, "a b-c:2.5 c-d:1" },
    { "a.net", "*network x\n% c\n*vertices 4\n*arcslist\n1 2 3\n4 1\n", 4, true, "1-2 1-3 4-1" },
    { "a.net", "*Vertices 2\n*Arcs :1 \"r\"\n1 1\n2 1 c Blue\n*Edges\n", 2, true, "1-1 2-1" },
    { "a.net", "*Vertices 2 1\n1 \"x\"\n2 \"y\"\n*Edgeslist\n2 1 1 2\n", 2, false, "y-x y-x y-y" },
    { "a.net", "*Vertices 1\n*Arcs\n", 1, true, "" },
    { "a.dot", "graph { a -- b -- c; d }", 4, false, "a-b b-c" },
    { "a.gv", "strict digraph \"G\" {\n// x\n/* y */\n# z\na -> b [weight=2, label=\"x;]\"]; a->b[weight=3];\nb->a }\n",
      2, true, "a-b:3 b-a:1" },
    { "a.dot", "strict graph { a -- b b -- a a -- a }", 2, false, "b-a a-a" },
    { "a.dot", "Graph{rankdir=LR;node[shape=box]edge[weight=0.5]a:p:n--{b c}--d;subgraph s{edge[weight=2];e--f}g--h}",
      8, false, "a-b:0.5 a-c:0.5 b-d:0.5 c-d:0.5 e-f:2 g-h:0.5" },
    { "a.dot", "graph { \"two words\" -- \"a \\\"q\\\" \\\\ \" -- \"x\" + \"y\" -- -1.5 -- <b<i>c</i>> }", 5, false,
      "two words-a \"q\" \\\\  a \"q\" \\\\ -xy xy--1.5 -1.5-<b<i>c</i>>" },
    { "a.dot", "digraph { subgraph { subgraph { a b } -> c } -> d }", 4, true, "a-c b-c a-d b-d c-d" },
    { "a.dot", "graph { 2 -- 0; 1 }", 3, false, "2-0" },
    { "a.dot", "digraph { subgraph S { f g } h -> subgraph S { }; subgraph T { subgraph S { f } -> h } }", 3, true,
      "h-f h-g f-h" },
    { "a.dot", "graph { }", 0, false, "" },
};
static const struct {
    const char *name, *bytes;
    int rc;
    const char *reason;
} bad[] = {
    { "b.gml", "", MW_EDATA, "b.gml:1:1: expected graph [, found the end of the file" },
    { "b.gml", "graph [\n  node [ id x ]", MW_EDATA, "b.gml:2:13: expected an integer as the node's id, found \"x\"" },
    { "b.gml", "graph [ node [ id 1 ] node [ id 1 ] ]", MW_EDATA, "two nodes have the same id" },
    { "b.gml", "graph [ node [ id 1 ]\nedge [ source 1 target 2 ] ]", MW_EDATA,
      "b.gml:2: an edge's endpoint is not a node: \"2\"" },
    { "b.gml", "graph [ edge [ source 1 ] ]", MW_EDATA, "the edge has no target" },
    { "b.gml", "graph [ node [ label \"a\" ] ]", MW_EDATA, "the node has no id" },
    { "b.gml", "graph [ node [ id 1 label \"a", MW_EDATA, "b.gml:1:27: expected the text's closing quote" },
    { "b.gml", "graph [ ] graph [ ]", MW_EDATA, "b.gml:1:11: a second graph" },
    { "b.gml", "graph [ directed 2 ]", MW_EDATA, "b.gml:1:18: expected 0 or 1, found \"2\"" },
    { "b.gml", "graph [ node [ id 0 ] edge [ source 0 target 0 weight x ] ]", MW_EDATA,
      "expected the edge's weight (a number" },
    { "b.net", "1 2\n", MW_EDATA, "b.net:1: expected *Vertices" },
    { "b.net", "*Edges\n1 2\n", MW_EDATA, "b.net:1: expected *Vertices before edges" },
    { "b.net", "*Vertices 2\n*Edges\n1 3\n", MW_EDATA, "b.net:3: expected a second vertex (1 to 2), found" },
    { "b.net", "*Vertices 2\n*Edges\n1\n", MW_EDATA, "b.net:3: expected a second vertex, found the end of the line" },
    { "b.net", "*Vertices 2\n*Matrix\n0 1\n", MW_EDATA, "b.net:2: expected *Vertices, *Arcs" },
    { "b.net", "*Vertices 2\n1 \"a\n", MW_EDATA, "b.net:2: expected the label's closing quote" },
    { "b.net", "*Vertices 2\n*Edges\n1 2\n*Arcs\n1 2\n", MW_EDATA, "mixed graphs are not supported" },
    { "b.net", "*Vertices 9999999999\n", MW_ELIMIT, "vertices" },
    { "b.dot", "graph { a -> b }", MW_EDATA, "b.dot:1:11: expected -- in a graph, found \"->\"" },
    { "b.dot", "digraph { a -- b }", MW_EDATA, "expected -> in a digraph, found \"--\"" },
    { "b.dot", "graph {\n a -- ;}", MW_EDATA, "b.dot:2:7: expected a node or a subgraph, found \";\"" },
    { "b.dot", "graph { a -- b [weight=x] }", MW_EDATA,
      "b.dot:1:24: expected a weight (a number below 1e280), found \"x\"" },
    { "b.dot", "graph { a", MW_EDATA, "expected a statement or }, found the end" },
    { "b.dot", "graph { } graph { }", MW_EDATA, "a second graph" },
    { "b.dot", "graph { /* ", MW_EDATA, "b.dot:1:9: expected the comment's end" },
    { "b.dot", "hello { }", MW_EDATA, "b.dot:1:1: expected graph or digraph, found \"hello\"" },
};

static void write_edges(const struct mw_edges *edges, char text[1000])
{
    char tail[MW_NAME_CAPACITY], head[MW_NAME_CAPACITY], weight[MW_WEIGHT_CAPACITY + 1] = "";
    *text = '\0';
    for (uint64_t k = 0; k < edges->count; k++) {
        if (edges->weights) {
            *weight = ':';
            mw_weight_text(edges->weights[k], edges->decimals, weight + 1);
        }
        snprintf(text + strlen(text), 1000 - strlen(text), "%s%s-%s%s", k ? " " : "",
                 mw_name(edges->names, edges->ends[2 * k], tail), mw_name(edges->names, edges->ends[2 * k + 1], head),
                 weight);
    }
}

static void files_are_read(void **state)
{
    for (size_t i = 0; i < MW_COUNT(good); i++)
        for (int packed = 0; packed <= has_zlib; packed++) {
            struct mw_edges edges = { 0 };
            char text[1000], name[32];
            snprintf(name, sizeof name, "%s%s", good[i].name, packed ? ".gz" : "");
            if (packed)
                store_compressed(name, good[i].bytes, strlen(good[i].bytes), 50);
            else
                store(name, good[i].bytes, strlen(good[i].bytes));
            if (mw_edges_read(path, NULL, &edges) != 0)
                fail_msg("%zu: %s", i, mw_errmsg());
            write_edges(&edges, text);
            if (edges.vertices != good[i].vertices || edges.directed != good[i].directed ||
                strcmp(text, good[i].edges) != 0)
                fail_msg("%zu: %zu vertices, edges %s", i, edges.vertices, text);
            mw_edges_free(&edges);
        }
}

static void weights_can_be_ignored(void **state)
{
    for (size_t i = 0; i < MW_COUNT(good); i++) {
        struct mw_edges edges = { 0 };
        store(good[i].name, good[i].bytes, strlen(good[i].bytes));
        OK(mw_edges_read(path, GIVEN(mw_graph_file_options, .no_weights = true), &edges));
        assert_null(edges.weights);
        assert_int_equal(edges.vertices, good[i].vertices);
        mw_edges_free(&edges);
    }
}

static void wrong_files_are_refused(void **state)
{
    for (size_t i = 0; i < MW_COUNT(bad); i++) {
        struct mw_edges edges = { 0 };
        int rc;
        store(bad[i].name, bad[i].bytes, strlen(bad[i].bytes));
        rc = mw_edges_read(path, NULL, &edges);
        if (rc != bad[i].rc || !strstr(mw_errmsg(), bad[i].reason) || strchr(mw_errmsg(), '\n'))
            fail_msg("%zu: %d, \"%s\"", i, rc, rc ? mw_errmsg() : "");
    }
}

/* Subgraphs within each other: a hundred are read, more are refused before the stack ends. */
static void depth_is_limited(void **state)
{
    static char bytes[200000];
    struct mw_edges edges = { 0 };
    for (size_t depth = 90; depth < 100000; depth *= 10) {
        size_t n = (size_t)sprintf(bytes, "graph ");
        memset(bytes + n, '{', depth);
        memset(bytes + n + depth, '}', depth);
        store("c.dot", bytes, n + 2 * depth);
        assert_int_equal(mw_edges_read(path, NULL, &edges), depth < 100 ? 0 : MW_EDATA);
        if (depth < 100)
            mw_edges_free(&edges);
        else
            assert_non_null(strstr(mw_errmsg(), "more than 100 subgraphs"));
    }
}

static void read_damaged(const char *name, const char *bytes, size_t n, size_t *refused)
{
    struct mw_edges edges = { 0 };
    int rc;
    store(name, bytes, n);
    rc = mw_edges_read(path, NULL, &edges);
    if (rc == 0)
        for (uint64_t k = 0; k < 2 * edges.count; k++)
            assert_true(edges.ends[k] < edges.vertices);
    else if (rc != MW_EDATA && rc != MW_ELIMIT)
        fail_msg("%s: %d, %s", name, rc, mw_errmsg());
    *refused += rc != 0;
    mw_edges_free(&edges);
}

static void damage_breaks_nothing(void **state)
{
    static const char likely[] = "\"[]{};=-<>*\\#/ \n\x00\xff"
                                 "09a";
    size_t refused = 0, all = 0;
    char bytes[500];
    mw_log_to(NULL, NULL);
    seed_random();
    for (size_t i = 0; i < MW_COUNT(good); i++) {
        const size_t n = strlen(good[i].bytes);
        for (size_t end = 0; end < n; end++, all++)
            read_damaged(good[i].name, good[i].bytes, end, &refused);
        for (int round = 0; round < 150; round++, all++) {
            memcpy(bytes, good[i].bytes, n);
            for (size_t k = 1 + random_below(3); k > 0; k--)
                bytes[random_below(n)] = likely[random_below(sizeof likely - 1)];
            read_damaged(good[i].name, bytes, n, &refused);
        }
    }
    print_message("%zu of %zu damaged files are refused\n", refused, all);
    assert_true(refused > all / 3 && refused < all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_read),          cmocka_unit_test(weights_can_be_ignored),
        cmocka_unit_test(wrong_files_are_refused), cmocka_unit_test(depth_is_limited),
        cmocka_unit_test(damage_breaks_nothing),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
/* SPDX-License-Identifier: MIT */
