/* Files of networks: what each format yields, what is refused and why, how names are numbered. */
#include "graph/file/edge_pieces.h"
#include "tests/graph_file.h"

static struct mw_file_limits limits;

/* ---- files that are read ---- */

#define NAMED(type, text)                                                                                              \
    "<graphml><key id='v' for='node' attr.name='name' attr.type='" type "'/><graph edgedefault='directed'>" text       \
    "</graph></graphml>"
#define NODE(id, name) "<node id='" id "'><data key='v'>" name "</data></node>"

/* clang-format off */
static const struct {
    const char *name, *bytes;
    size_t count, vertices, edges;
    bool directed;
    const char *names;           /* tail and head of each edge */
} good[] = {
    { "a.el", BYTES(""), 0, 0, false, "" },
    { "a.el", BYTES("\n\r\n# nothing\n  % more"), 0, 0, false, "" },
    { "a.el", BYTES("0 1\n1 2\n"), 3, 2, false, "0 1 1 2" },
    { "a.el", BYTES("0 1\n1 2"), 3, 2, false, "0 1 1 2" },
    { "a.txt", BYTES("# Nodes: 9 Edges: 9\r\n0\t1\r\n\r\n 1  2 \r\n"), 3, 2, false, "0 1 1 2" },
    { "a.edges", BYTES("0 1 0.5 # weight\n1 0 x y z\n0 0\t\n"), 2, 3, false, "0 1 1 0 0 0" },
    { "a.el", BYTES("\xef\xbb\xbf" "2 1\n0 1\n"), 3, 2, false, "2 1 0 1" },
    { "a.el", BYTES("1 2\n3 2\n"), 3, 2, false, "1 2 3 2" },
    { "a.el", BYTES("# x\n\"from\"\tto\nto from\n"), 2, 2, false, "from to to from" },
    { "a.el", BYTES("0 1\n3 1\n"), 3, 2, false, "0 1 3 1" },
    { "a.el", BYTES("7 5\n5 900000000\n4294967295 4294967296\n"), 5, 3, false,
      "7 5 5 900000000 4294967295 4294967296" },
    { "a.el", BYTES("18446744073709551615 18446744073709551616\n"), 2, 1, false,
      "18446744073709551615 18446744073709551616" },
    { "a.el", BYTES("1 01\n001 1\n"), 3, 2, false, "1 01 001 1" },
    { "a.el", BYTES("-1 1\n1.0 -1\n"), 3, 2, false, "-1 1 1.0 -1" },
    { "a.el", BYTES("ant bee\nbee \xc3\xa4mse 3\nant bee"), 3, 3, false, "ant bee bee \xc3\xa4mse ant bee" },
    { "a.el", BYTES("12345678 123456789\n1234567890123456 12345678\n"), 3, 2, false,
      "12345678 123456789 1234567890123456 12345678" },
    { "a.el", BYTES("\"New York\" Bern 5\nBern \"say \"\"so\"\"\"\r\n"), 3, 2, false,
      "New York Bern Bern say \"so\"" },
    { "a.el", BYTES("\"1\"\t\"2\"\n3 \"#1\"\nx\"y 1\n"), 5, 3, false, "1 2 3 #1 x\"y 1" },
    { "a.el", BYTES("a from\nfrom to\nto from\n"), 3, 3, false, "a from from to to from" },
    { "a.mtx", BYTES("%%MatrixMarket matrix coordinate pattern general\n% x\n\n3 3 2\n1 3\n3 3\n"), 3, 2, true,
      "1 3 3 3" },
    { "a.mtx", BYTES("%%matrixmarket MATRIX Coordinate Real Symmetric\r\n4 4 2\r\n2 1 -1e5\r\n4 4 0"), 4, 2, false,
      "2 1 4 4" },
    { "a.mtx", BYTES("%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 1 0 1\n"), 2, 1, false, "2 1" },
    { "a.mtx", BYTES("%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 9\n"), 2, 1, false, "2 1" },
    { "a.mtx", BYTES("%%MatrixMarket matrix coordinate integer general\n0 0 0\n"), 0, 0, true, "" },
    { "a.graph", BYTES("3 2\n2 3\n1\n1\n"), 3, 2, false, "1 2 1 3" },
    { "a.graph", BYTES("% c\n3 2 001\n% d\n2 5 3 7\r\n1 5\n1 7"), 3, 2, false, "1 2 1 3" },
    { "a.metis", BYTES("4 1 11 2\n1 1 3 9\n5 5\n1 1 1 9\n0 0\n\n\n"), 4, 1, false, "1 3" },
    { "a.metis", BYTES("3 0 100\n1\n2\n3\n"), 3, 0, false, "" },
    { "a.metis", BYTES("3 1 0\n\n3\n2\n"), 3, 1, false, "2 3" },
    { "a.metis", BYTES("4 3\n4 2 3\n1\n1\n1\n"), 4, 3, false, "1 2 1 3 1 4" },
    { "a.metis", BYTES("0 0"), 0, 0, false, "" },
    { "a.graphml", BYTES("<graphml><graph edgedefault=\"undirected\"/></graphml>"), 0, 0, false, "" },
    { "a.graphml", BYTES("<graphml><graph edgedefault='directed'><node id='1'/><edge source='0' target='2'/>"
                         "<node id='0'><data key='k'>7</data></node><node id='2'/></graph></graphml>"), 3, 1, true,
      "0 2" },
    { "a.graphml", BYTES(NAMED("string", "<edge source='n1' target='n2'/>" NODE("n0", "New &amp; York") NODE("n1", "n0")
                               "<node id='n2'><data key='v'>x<!-- -->y</data><data key='z'>q</data></node>")), 3, 1,
      true, "n0 xy" },
    { "a.graphml", BYTES(NAMED("string", NODE("n0", "a") NODE("n1", "a") "<edge source='n0' target='n1'/>")), 2, 1,
      true, "n0 n1" },
    { "a.graphml", BYTES(NAMED("string", NODE("n0", "a") "<node id='n1'/><edge source='n0' target='n1'/>")), 2, 1,
      true, "n0 n1" },
    { "a.graphml", BYTES(NAMED("string", "<node id='n1'/>" NODE("n0", "a") "<edge source='n0' target='n1'/>")), 2, 1,
      true, "n0 n1" },
    { "a.graphml", BYTES(NAMED("string", NODE("n0", "a") NODE("n1", "a&#10;b") "<edge source='n0' target='n1'/>")), 2,
      1, true, "n0 n1" },
    { "a.graphml", BYTES(NAMED("double", NODE("n0", "1") NODE("n1", "2") "<edge source='n0' target='n1'/>")), 2, 1,
      true, "n0 n1" },
    { "a.xml", BYTES("<?xml version='1.0'?>\n<g:graphml xmlns:g='http://graphml.graphdrawing.org/xmlns'>"
                     "<g:graph edgedefault='undirected'><g:node id='a&amp;b'/><g:node id='c'/>"
                     "<g:edge source='c' target='a&amp;b' directed='false'/></g:graph></g:graphml>\n"), 2, 1, false,
      "c a&b" },
};
/* clang-format on */

static void check_good(const char *from, size_t i, const struct mw_edges *edges)
{
    char text[1000] = "", one[MW_NAME_CAPACITY];
    for (uint64_t k = 0; k < 2 * edges->count; k++) {
        assert_true(edges->ends[k] < edges->vertices);
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", k ? " " : "",
                 mw_name(edges->names, edges->ends[k], one));
    }
    if (edges->vertices != good[i].vertices || edges->count != good[i].edges || strcmp(text, good[i].names) != 0 ||
        edges->directed != good[i].directed)
        fail_msg("%zu by %s: %zu vertices, edges %s", i, from, edges->vertices, text);
}

static void files_are_read(void **state)
{
    for (size_t i = 0; i < MW_COUNT(good); i++) {
        const bool is_graphml = strstr(good[i].bytes, "graphml") != NULL;
        char name[40];
        struct mw_edges edges = { 0 };
        if (is_graphml && !has_expat)
            continue;
        store(good[i].name, good[i].bytes, good[i].count);
        if (mw_edges_read_within(path, NULL, &limits, &edges) != 0)
            fail_msg("%zu: %s", i, mw_errmsg());
        check_good("file", i, &edges);
        mw_edges_free(&edges);
        /* The same in pieces of at most one line, by three threads. */
        limits.piece_bytes = 1 + i % 5;
        OK(mw_edges_read_within(path, GIVEN(mw_graph_file_options, .threads = 3), &limits, &edges));
        check_good("pieces", i, &edges);
        mw_edges_free(&edges);
        if (has_zlib) {
            snprintf(name, sizeof name, "%s.gz", good[i].name);
            store_compressed(name, good[i].bytes, good[i].count, 7);
            OK(mw_edges_read_within(path, NULL, &limits, &edges));
            check_good("gzip", i, &edges);
            mw_edges_free(&edges);
        }
        limits = mw_file_limits_usual;
    }
}

/* ---- files that are refused ---- */

#define MTX "%%MatrixMarket matrix coordinate pattern "
#define XML(text) "<graphml>\n<graph edgedefault='undirected'>\n<node id='a'/>\n" text "\n</graph>\n</graphml>\n"

static const struct {
    const char *name, *bytes;
    size_t count;
    int rc;
    const char *reason;
} bad[] = {
    { "a.el", BYTES("0 1\n2\n"), MW_EDATA, "a.el:2: the line has one name" },
    { "a.el", BYTES("0 1\n\n2 \r\n"), MW_EDATA, "a.el:3: the line has one name" },
    { "a.el", BYTES("0,1\n"), MW_EDATA, "a.el:1: the line has one name" },
    { "a.el", BYTES("0 1\n1 2\0 3\n"), MW_EDATA, "a.el:2: byte 0x00" },
    { "a.el", BYTES("0 1\n1 \x01 3\n"), MW_EDATA, "a.el:2: byte 0x01" },
    { "a.el", BYTES("0 1\n# \x7f\n"), MW_EDATA, "a.el:2: byte 0x7f" },
    { "a.el", BYTES("# a\n\x1b\n"), MW_EDATA, "a.el:2: byte 0x1b" },
    { "a.el", BYTES("0 1\r1 2\r"), MW_EDATA, "a.el:1: carriage return" },
    { "a.el", BYTES("# old\r0 1\n"), MW_EDATA, "a.el:1: carriage return" },
    { "a.el", BYTES("0\r1\n"), MW_EDATA, "a.el:1: carriage return" },
    { "a.el", BYTES("a b\n\"New York Bern\n"), MW_EDATA, "a.el:2: a quoted name has no closing quote" },
    { "a.el", BYTES("a \"b\"\"\n"), MW_EDATA, "a.el:1: a quoted name has no closing quote" },
    { "a.el", BYTES("\n\"a\"b c\n"), MW_EDATA, "a.el:2: a blank must follow" },
    { "a.el", BYTES("\"\" c\n"), MW_EDATA, "a.el:1: a name is empty" },
    { "a.el", BYTES("\"a\tb\" c\n"), MW_EDATA, "a.el:1: a quoted name contains a tab" },
    { "a.el", BYTES("\"a b\"\n"), MW_EDATA, "a.el:1: the line has one name" },
    { "a.graphml", BYTES(XML("<node id='b&#10;c'/>")), MW_EDATA, "a.graphml:4: a name contains a tab or a newline" },
    { "a.graphml", BYTES(XML("<node id='b&#9;c'/>")), MW_EDATA, "a.graphml:4: a name contains a tab or a newline" },
    { "a.el", BYTES("from\tto\tweight\na\tb\t0.5\n"), MW_EDATA, "a.el:1: \"from to\" is a line of titles" },
    { "a.el", BYTES("# a\n\nFromNodeId ToNodeId\n0 1\n"), MW_EDATA, "a.el:3: \"FromNodeId ToNodeId\" is a line" },
    { "a.el", BYTES("\"from\" \"to\"\na b\n"), MW_EDATA, "a.el:1: \"from to\" is a line of titles" },
    { "a.el", BYTES("SOURCE Target\n"), MW_EDATA, "a.el:1: \"SOURCE Target\" is a line of titles" },
    { "a.mtx", BYTES(""), MW_EDATA, "a.mtx:1: the file does not begin" },
    { "a.mtx", BYTES("1 1 1\n1 1\n"), MW_EDATA, "a.mtx:1: the file does not begin" },
    { "a.mtx", BYTES("%%MatrixMarket matrix array real general\n"), MW_EDATA, "\"array\" is not a supported format" },
    { "a.mtx", BYTES("%%MatrixMarket matrix coordinate wild general\n"), MW_EDATA, "\"wild\" is not a supported" },
    { "a.mtx", BYTES("%%MatrixMarket matrix coordinate real\n"), MW_EDATA, "\"\" is not a supported symmetry" },
    { "a.mtx", BYTES(MTX "general\n%\n"), MW_EDATA, "a.mtx:2: the file ends before the numbers of rows" },
    { "a.mtx", BYTES(MTX "general\n%\n2 2\n"), MW_EDATA, "entries, found \"\"" },
    { "a.mtx", BYTES(MTX "general\n2 x 1\n"), MW_EDATA, "a.mtx:2: expected the numbers of rows" },
    { "a.mtx", BYTES(MTX "general\n2 2 1 1\n"), MW_EDATA, "a.mtx:2: unexpected text after rows" },
    { "a.mtx", BYTES(MTX "general\n2 3 1\n1 1\n"), MW_EDATA, "not a graph" },
    { "a.mtx", BYTES(MTX "general\n3000000000 3000000000 1\n1 1\n"), MW_ELIMIT, "a.mtx:2: a graph of 3000000000" },
    { "a.mtx", BYTES(MTX "general\n2 2 2\n1 1\n"), MW_EDATA, "a.mtx:3: the file ends after 1 entries" },
    { "a.mtx", BYTES(MTX "general\n2 2 1\n1 1\n2 2\n"), MW_EDATA, "a.mtx:4: the file ends after 2 entries" },
    { "a.mtx", BYTES(MTX "general\n2 2 1\n0 1\n"), MW_EDATA, "a.mtx:3: row 0 must be 1 to 2" },
    { "a.mtx", BYTES(MTX "general\n2 2 1\n1 3\n"), MW_EDATA, "a.mtx:3: column 3 must be 1 to 2" },
    { "a.mtx", BYTES(MTX "general\n2 2 1\n-1 2\n"), MW_EDATA, "a.mtx:3: \"-1\" is not a whole number, expected a row" },
    { "a.mtx", BYTES(MTX "general\n2 2 1\n1 99999999999999999999\n"), MW_EDATA, "is too large, expected a column" },
    { "a.mtx", BYTES(MTX "general\n2 2 1\n1\n"), MW_EDATA, "a.mtx:3: the column is missing" },
    { "a.mtx", BYTES("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1\n"), MW_EDATA, "has no value" },
    { "a.mtx", BYTES(MTX "symmetric\n2 2 1\n1 2\n"), MW_EDATA, "a.mtx:3: row 1, column 2 is not below" },
    { "a.mtx", BYTES("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 2 1\n"), MW_EDATA, "not below" },
    { "a.graph", BYTES(""), MW_EDATA, "the file ends before the numbers" },
    { "a.graph", BYTES("3\n"), MW_EDATA, "a.graph:1: expected the numbers of vertices and edges, found \"\"" },
    { "a.graph", BYTES("%\n3 -2\n"), MW_EDATA, "a.graph:2: expected the numbers of vertices and edges, found \"-2\"" },
    { "a.graph", BYTES("3 2 2\n"), MW_EDATA, "a.graph:1: invalid weight format \"2\"" },
    { "a.graph", BYTES("3 2 0000\n"), MW_EDATA, "invalid weight format" },
    { "a.graph", BYTES("3 2 0 1 5\n"), MW_EDATA, "unexpected \"5\"" },
    { "a.graph", BYTES("3 2 10 x\n"), MW_EDATA, "weight count (ncon)" },
    { "a.graph", BYTES("3000000000 2\n"), MW_ELIMIT, "a.graph:1: a graph of 3000000000" },
    { "a.graph", BYTES("3 1\n2\n1\n"), MW_EDATA, "a.graph:3: the file ends after the lines of 2 vertices" },
    { "a.graph", BYTES("2 1\n2\n1\n\n1\n"), MW_EDATA, "a.graph:5: more lines than the 2 vertices" },
    { "a.graph", BYTES("2 2\n2\n1\n"), MW_EDATA, "a.graph:1: the header states 2 edges" },
    { "a.graph", BYTES("2 1\n2\n3\n"), MW_EDATA, "a.graph:3: neighbour 3 must be 1 to 2" },
    { "a.graph", BYTES("2 1\n%\n0\n3\n"), MW_EDATA, "a.graph:3: neighbour 0 must be 1 to 2" },
    { "a.graph", BYTES("2 1\n2\nx\n"), MW_EDATA, "a.graph:3: \"x\" is not a whole number" },
    { "a.graph", BYTES("3 2\n1 2\n1 3\n2\n"), MW_EDATA, "a.graph:2: vertex 1 is its own neighbour: METIS does not" },
    { "a.graph", BYTES("3 2\n2 3\n1 3\n2\n"), MW_EDATA, "a.graph:2: vertex 1 has neighbour 3, but not the reverse" },
    { "a.graph", BYTES("3 2\n2 2\n1 1 3\n2\n"), MW_EDATA, "vertex 1 has neighbour 2 twice" },
    { "a.graph", BYTES("3 2\n2;\n1;3\n2\n"), MW_EDATA, "expected a neighbour: separate numbers by blanks only" },
    { "a.graph", BYTES("3;2\n2\n1 3\n2\n"), MW_EDATA, "found \"3;2\": separate numbers by blanks only" },
    { "a.graph", BYTES("2 1 1\n2 5;\n1 5\n"), MW_EDATA, "(a number below 1e280): separate numbers by blanks" },
    { "a.graph", BYTES("2 1\n2 # end\n1\n"), MW_EDATA, "expected a neighbour: comments are lines that begin with %" },
    { "a.graph", BYTES("2 1\n2 9\n1 9\n"), MW_EDATA, "if it is a weight, the header needs format 001" },
    { "a.graph", BYTES("2 1\n1\n0\n"), MW_EDATA, "neighbour 0 must be 1 to 2: METIS counts from 1" },
    { "a.mtx", BYTES(MTX "general\n2 2 1\n1;2\n"), MW_EDATA, "expected a row: separate numbers by blanks only" },
    { "a.graph", BYTES("2 1 1\n2 1\n1\n"), MW_EDATA, "a.graph:3: the weight of an edge is missing" },
    { "a.graph", BYTES("2 1 10 2\n1 1 2\n1\n"), MW_EDATA, "a.graph:3: the weight of a vertex is missing" },
    { "a.graph", BYTES("2 0 10\n1\n\n"), MW_EDATA, "a.graph:3: the weight of a vertex is missing" },
    { "a.graph", BYTES("2 1\n1\n2\n"), MW_EDATA, "a.graph:2: vertex 1 is its own neighbour" },
    { "a.graph", BYTES("4 2\n2 3\n%\n1\n4\n\n"), MW_EDATA, "a.graph:2: vertex 1 has neighbour 3, but not the reverse" },
    { "a.graph", BYTES("3 2\n2\n1\n%\n1 2\n"), MW_EDATA, "a.graph:5: vertex 3 has neighbour 1, but not the reverse" },
    { "a.graph", BYTES("2 2\n2 2\n1 1\n"), MW_EDATA, "a.graph:2: vertex 1 has neighbour 2 twice" },
    { "a.graph", BYTES("3 2\n2 3\n1\n1 \x02\n"), MW_EDATA, "a.graph:4: \"\\x02\" is not a whole number" },
    { "a.graphml", BYTES(""), MW_EDATA, "this is not XML" },
    { "a.graphml", BYTES("<graphml>\n"), MW_EDATA, "a.graphml:2: this is not XML" },
    { "a.graphml", BYTES("<html/>"), MW_EDATA, "a.graphml:1: the root element is \"html\"" },
    { "a.graphml", BYTES("<graphml/>"), MW_EDATA, "without a graph" },
    { "a.graphml", BYTES("<graphml><graph/></graphml>"), MW_EDATA, "edgedefault" },
    { "a.graphml", BYTES("<graphml><node id='a'/></graphml>"), MW_EDATA, "outside of the graph" },
    { "a.graphml", BYTES(XML("<node id='a'/>")), MW_EDATA, "a.graphml:4: two nodes have the same id: \"a\"" },
    { "a.graphml", BYTES(XML("<node/>")), MW_EDATA, "a.graphml:4: a node has no id" },
    { "a.graphml", BYTES(XML("<node id=''/>")), MW_EDATA, "a.graphml:4: a name is empty" },
    { "a.graphml", BYTES(XML("<edge source='a'/>")), MW_EDATA, "a.graphml:4: an edge has no target" },
    { "a.graphml", BYTES(XML("<edge target='a'/>")), MW_EDATA, "a.graphml:4: an edge has no source" },
    { "a.graphml", BYTES(XML("<edge source='a' target='b'/>")), MW_EDATA,
      "a.graphml:4: an edge's endpoint is not a node: \"b\"" },
    { "a.graphml", BYTES(XML("<edge source='a' target='a' directed='true'/>")), MW_EDATA, "mixed graphs" },
    { "a.graphml", BYTES(XML("<hyperedge/>")), MW_EDATA, "hyperedge" },
    { "a.graphml", BYTES(XML("<graph edgedefault='directed'/>")), MW_EDATA, "a second graph" },
    { "a.graphml", BYTES(XML("<node id='\x01'/>")), MW_EDATA, "a.graphml:4: this is not XML" },
    { "a.graphml", BYTES("<!DOCTYPE x [<!ENTITY a 'aaa'>]>\n<graphml/>"), MW_EDATA, "the entity \"a\"" },
    { "a.mwg", BYTES(""), MW_EDATA, "its first bytes are wrong" },
    { "a.mwg", BYTES("0 1\n"), MW_EDATA, "it ends within the header" },
    { "a.mwg", BYTES(MW_BINARY_MAGIC), MW_EDATA, "it ends within the header" },
};

static void malformed_files_are_refused(void **state)
{
    for (size_t i = 0; i < MW_COUNT(bad); i++) {
        struct mw_edges edges = { .vertices = 12345 };
        const bool is_graphml = strstr(bad[i].name, "graphml") != NULL;
        store(bad[i].name, bad[i].bytes, bad[i].count);
        for (size_t bytes = 3; bytes < 10000000; bytes *= 100) {
            const int rc = (limits.piece_bytes = bytes, mw_edges_read_within(path, NULL, &limits, &edges));
            if (is_graphml && !has_expat)
                assert_int_equal(rc, MW_ENOTSUP);
            else if (rc != bad[i].rc || strstr(mw_errmsg(), bad[i].reason) == NULL)
                fail_msg("%zu: %d, not \"%s\": %s", i, rc, bad[i].reason, rc == 0 ? "read" : mw_errmsg());
        }
        assert_int_equal(edges.vertices, 12345);
    }
    limits = mw_file_limits_usual;
}

static void calls_that_make_no_sense(void **state)
{
    struct mw_edges edges;
    struct mw_graph graph = { 0 };
    set_path("nowhere.el");
    assert_int_equal(mw_edges_read_within(path, NULL, &limits, &edges), MW_EIO);
    assert_int_equal(mw_edges_read_within(folder, NULL, &limits, &edges), MW_EIO);
    assert_int_equal(mw_graph_map(path, &graph), MW_EIO);
    assert_false(mw_graph_is_binary(path));
    assert_int_equal(mw_edges_read(path, GIVEN(mw_graph_file_options, .format = "gexf"), &edges), MW_EINVAL);
    set_path("a.dat");
    assert_int_equal(mw_graph_write(&graph, path, NULL), MW_EINVAL);
    assert_int_equal(mw_graph_write(&graph, "-", NULL), MW_EINVAL);
    set_path("a.mwg.gz");
    assert_int_equal(mw_graph_write(&graph, path, NULL), MW_ENOTSUP);
    set_path("no/such/folder.el");
    assert_int_equal(mw_graph_write(&graph, path, NULL), MW_EIO);
}

/* Unmistakable contents take precedence over the suffix, a format given in the options over both. */
static void formats_are_found(void **state)
{
    static const char mtx[] = MTX "general\n2 2 1\n1 2\n";
    struct mw_edges edges;
    store("a.txt", mtx, sizeof mtx - 1);
    OK(mw_edges_read_within(path, NULL, &limits, &edges));
    assert_int_equal(edges.count, 1);
    assert_true(edges.directed);
    mw_edges_free(&edges);
    OK(mw_edges_read_within(path, GIVEN(mw_graph_file_options, .format = "edges"), &limits, &edges));
    assert_int_equal(edges.count, 2);
    mw_edges_free(&edges);
    store("a", mtx, sizeof mtx - 1);
    OK(mw_edges_read_within(path, NULL, &limits, &edges));
    assert_int_equal(edges.count, 1);
    mw_edges_free(&edges);
    for (size_t i = 0; mw_graph_formats(i); i++)
        assert_non_null(mw_graph_formats(i)->description);
}

/* ---- numbering ---- */

#define LINES 400

static void make_name(enum naming naming, size_t n, char *to)
{
    const unsigned long long v = random_below(n);
    const bool word = naming == WORDS || (naming == MIXED && random_below(50) == 0);
    if (word)
        sprintf(to, "%s%llx", random_below(2) ? "w" : "somewhat-longer-", v);
    else
        sprintf(to, "%llu",
                naming == SPARSE ? v * 77 + 5
                : naming == WIDE ? v * v * v * 1000003
                                 : v + (naming == FROM_1));
}

/* Returns whether the names are the numbers 0 to n - 1, or 1 to n; compares texts, without the library's arithmetic. */
static bool is_counted(char (*name)[48], size_t count, size_t first, size_t *vertices)
{
    static bool seen[2 * LINES + 2];
    size_t most = 0, found = 0;
    memset(seen, 0, sizeof seen);
    for (size_t i = 0; i < count; i++) {
        char again[48];
        const size_t v = strtoull(name[i], NULL, 10);
        snprintf(again, sizeof again, "%zu", v);
        if (strcmp(again, name[i]) != 0 || v < first || v > count)
            return false;
        found += !seen[v];
        seen[v] = true;
        most = v > most ? v : most;
    }
    *vertices = found;
    return found == most + 1 - first;
}

static void check_numbering(const struct mw_edges *edges, char (*name)[48], size_t ends)
{
    size_t vertices = 0, next = 0;
    char room_of_name[MW_NAME_CAPACITY];
    assert_int_equal(2 * edges->count, ends);
    for (size_t i = 0; i < ends; i++)
        assert_string_equal(mw_name(edges->names, edges->ends[i], room_of_name), name[i]);
    for (size_t first = 0; first < 2; first++)
        if (ends > 0 && is_counted(name, ends, first, &vertices)) {
            assert_int_equal(edges->vertices, vertices);
            for (size_t i = 0; i < ends; i++)
                assert_int_equal(edges->ends[i], strtoull(name[i], NULL, 10) - first);
            return;
        }
    /* In the order of first occurrence: each new vertex has the next number. */
    for (size_t i = 0; i < ends; i++) {
        assert_true(edges->ends[i] <= next);
        next += edges->ends[i] == next;
    }
    assert_int_equal(edges->vertices, next);
}

/* Consecutive numbers count as vertex numbers only if they start at 0 or 1. */
static void other_ranges_are_names(void **state)
{
    static const char *const lists[] = { "3 2\n", "5000000001 5000000000\n" };
    for (size_t i = 0; i < MW_COUNT(lists); i++) {
        struct mw_edges edges = { 0 };
        uint64_t first;
        store("a.el", lists[i], strlen(lists[i]));
        OK(mw_edges_read_within(path, NULL, &limits, &edges));
        assert_int_equal(edges.ends[0], 0);
        assert_int_equal(edges.ends[1], 1);
        assert_false(mw_names_are_counted(edges.names, &first));
        mw_edges_free(&edges);
    }
}

static void names_are_numbered(void **state)
{
    static char name[2 * LINES][48], text[LINES * 128];
    seed_random();
    for (int round = 0; round < 1500; round++) {
        const enum naming naming = (enum naming)random_below(NAMINGS);
        const size_t lines = random_below(random_below(8) ? 30 : LINES), n = 1 + random_below(2 * lines + 2);
        const struct mw_graph_file_options options = { .size = sizeof options,
                                                       .threads = random_below(4) ? 1 : 2 + (unsigned)random_below(2),
                                                       .directed = round % 2 };
        struct mw_edges edges = { 0 };
        size_t length = 0;
        int rc;
        for (size_t i = 0; i < lines; i++) {
            make_name(naming, n, name[2 * i]);
            make_name(naming, n, name[2 * i + 1]);
            if (random_below(10) == 0)
                length += (size_t)sprintf(text + length, "%s\n", random_below(2) ? "# a comment 1 2" : "");
            length += (size_t)sprintf(text + length, "%s%s%s%s%s", random_below(10) ? "" : " ", name[2 * i],
                                      random_below(2) ? " " : "\t", name[2 * i + 1],
                                      i + 1 == lines && random_below(2) ? ""
                                      : random_below(5)                 ? "\n"
                                                                        : " 17\r\n");
        }
        limits.piece_bytes = 1 + random_below(random_below(2) ? 100 : 5000);
        store("a.el", text, length);
        if (has_zlib && random_below(4) == 0) {
            store_compressed("a.el.gz", text, length, 1 + random_below(length + 1));
            rc = mw_edges_read_within(path, &options, &limits, &edges);
        } else if (random_below(3) == 0) {
            rc = read_standard_input(text, length, random_below(2), &options, &edges);
        } else {
            rc = mw_edges_read_within(path, &options, &limits, &edges);
        }
        if (rc != 0)
            fail_msg("round %d: %s", round, mw_errmsg());
        assert_int_equal(edges.directed, round % 2);
        check_numbering(&edges, name, 2 * lines);
        mw_edges_free(&edges);
    }
    limits = mw_file_limits_usual;
}

/* ---- compressed files ---- */

static int fail_with_a_limit(void *context, size_t piece)
{
    return mw_fail(MW_ELIMIT, "piece %zu is too large", piece);
}

static void failures_of_threads_keep_their_words(void **state)
{
    struct mw_executor *executor = NULL;
    OK(mw_executor_new("pthreads", 4, &executor));
    for (int i = 0; i < 100; i++) {
        mw_fail(MW_EIO, "something else");
        FAILS(MW_ELIMIT, "is too large", mw_each_piece(executor, 8, fail_with_a_limit, NULL));
    }
    mw_executor_free(executor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_read),
        cmocka_unit_test(malformed_files_are_refused),
        cmocka_unit_test(calls_that_make_no_sense),
        cmocka_unit_test(formats_are_found),
        cmocka_unit_test(other_ranges_are_names),
        cmocka_unit_test(names_are_numbered),
        cmocka_unit_test(failures_of_threads_keep_their_words),
    };
    limits = mw_file_limits_usual;
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
/* SPDX-License-Identifier: MIT */
