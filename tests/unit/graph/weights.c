/* Weights of edges: decimal numbers, and what is kept of the weights in files. */
#include "tests/graph_file.h"

#include <math.h>

#include "graph/weights.h"

/* ---- numbers ---- */

static void decimals_come_back(void **state)
{
    seed_random();
    for (int i = 0; i < 200000; i++) {
        uint64_t zeros = 0;
        const int64_t value = (int64_t)random_word() >> (14 + random_below(50));
        const int decimals = (int)random_below(61) - 30;
        char text[MW_WEIGHT_CAPACITY], again[MW_WEIGHT_CAPACITY];
        struct mw_decimals about = { 0 };
        mw_decimal read;
        int32_t kept;
        mw_weight_text(value, decimals, text);
        const double real = strtod(text, NULL), wanted = (double)value * pow(10, -decimals);
        assert_true(fabs(real - wanted) <= 1e-13 * fabs(wanted));
        assert_ptr_equal(mw_decimal_read(text, &read), text + strlen(text));
        mw_decimals_look(&about, &read, 1);
        const int unit = mw_decimals_choose(&about);
        const bool rounded = mw_decimals_round(&read, 1, unit, &kept, &zeros);
        mw_weight_text(kept, unit, again);
        if (!rounded && llabs(value) < 1000000000000000)
            assert_string_equal(again, text);
        assert_true(fabs(strtod(again, NULL) - real) <= 0.5 * pow(10, -unit) + 1e-13 * fabs(real));
        if (llabs(value) <= INT32_MAX)
            assert_false(rounded);
        assert_int_equal(zeros, 0);
    }
}

static void words_are_numbers_or_not(void **state)
{
    /* clang-format off */
    static const struct { const char *text; size_t length; const char *is; } words[] = {
        { "0", 1, "0" }, { "-0.0", 4, "0" }, { "12x", 2, "12" }, { "+.5", 3, "0.5" }, { "5.", 2, "5" },
        { "1e3", 3, "1000" }, { "1e", 1, "1" }, { "1e+", 1, "1" }, { "2E-2", 4, "0.02" }, { "x", 0, "" }, { "", 0, "" },
        { ".", 0, "" }, { "-", 0, "" }, { "nan", 0, "" }, { "inf", 0, "" }, { "1e99999", 0, "" },
        { "1e279", 5, "1e279" }, { "1e280", 0, "" }, { "-123e278", 0, "" },
        { "1e400", 0, "" }, { "0.001e282", 9, "1e279" },
        { "1e-99999", 8, "0" }, { "0e99999", 7, "0" }, { "0.30000000000000004", 19, "0.3" },
        { "5.0000000000000000e-01", 22, "0.5" }, { "999999999999999999", 18, "1e18" },
        { "0000000000000000000000001", 25, "1" },
    };
    /* clang-format on */
    for (size_t i = 0; i < MW_COUNT(words); i++) {
        mw_decimal read;
        struct mw_decimals about = { 0 };
        uint64_t zeros = 0;
        char text[MW_WEIGHT_CAPACITY];
        int32_t kept;
        const char *end = mw_decimal_read(words[i].text, &read);
        if (words[i].length == 0) {
            assert_null(end);
            continue;
        }
        assert_ptr_equal(end, words[i].text + words[i].length);
        mw_decimals_look(&about, &read, 1);
        assert_false(mw_decimals_round(&read, 1, mw_decimals_choose(&about), &kept, &zeros));
        assert_string_equal(mw_weight_text(kept, mw_decimals_choose(&about), text), words[i].is);
    }
}

/* ---- files ---- */

#define MTX(field, symmetry) "%%MatrixMarket matrix coordinate " field " " symmetry "\n"
#define XML(keys, edges)                                                                                               \
    "<graphml>" keys "<graph edgedefault='undirected'><node id='a'/><node id='b'/><node id='c'/>" edges                \
    "</graph></graphml>"
#define AB(data) "<edge source='a' target='b'>" data "</edge>"
#define BC(data) "<edge source='b' target='c'>" data "</edge>"
#define KEY(default) "<key id='d3' for='edge' attr.name='weight' attr.type='double'>" default "</key>"

/* The weights of all edges, and the decimals of their unit; NULL: no weights. */
static const struct {
    const char *name, *bytes, *weights;
    int decimals;
} files[] = {
    { "a.el", "0 1 5\n1 2 -7\n", "5 -7", 0 },
    { "a.el", "0 1 0.5\r\n1 2 7 x y\r\n2 0 +1.25", "0.5 7 1.25", 2 },
    { "a.el", "ant bee 3e2\nbee ant 0.1 # x\n", "300 0.1", 1 },
    { "a.el", "# a\n0 1 5\n\n1 2 1e-3\n% b\n", "5 0.001", 3 },
    { "a.el", "0 1 5\n1 2\n", NULL, 0 },
    { "a.el", "0 1\n1 2 5\n", NULL, 0 },
    { "a.el", "0 1 5x\n1 2 5\n", NULL, 0 },
    { "a.el", "0 1 5\n1 2 2020-01-01\n", NULL, 0 },
    { "a.el", "0 1 2147483647\n1 2 0.4\n", "2147483647 0", 0 },
    { "a.el", "0 1 2147483648\n1 2 16\n", "2147483650 20", -1 },
    { "a.el", "0 1 0.3333333333333333\n1 2 -12\n", "0.33333333 -12", 8 },
    { "a.el", "a b {'weight': 100}\nb c {'weight': 2.5}\n", "100 2.5", 1 },
    { "a.el", "0 1 {'weight': 3}\r\n1 2 {'colour': 'r}\\'{d', 'at': (1, [2]), 'weight' : -4e1 }", "3 -40", 0 },
    { "a.el", "0 1 {\"weight\":3,\"x\":{\"weight\":9}}\n1 2 {'weight': 5,} # end\n", "3 5", 0 },
    { "a.el", "0 1 weight=3\n1 2 x=y weight=0.5 weight=7\n", "3 0.5", 1 },
    { "a.el", "0 1 3 {'weight': 4}\n1 2 weight=5 {'weight': 4}\n", "3 5", 0 },
    { "a.el", "0 1 {}\n1 2 {}\n", NULL, 0 },
    { "a.el", "0 1 {x: 1} weight=3\n1 2 {} {'weight': 4}\n", "3 4", 0 },
    { "a.el", "0 1 {x: 1} {'weight': 3}\n1 2 {'weight': 4}\n", NULL, 0 },
    { "a.el", "0 1 {'weight': 3}\n1 2 {'x': 3}\n", NULL, 0 },
    { "a.el", "0 1 {'weight': '3'}\n1 2 {'weight': 3\n", NULL, 0 },
    { "a.el", "0 1 {'weight': 3}x\n1 2 {'weight: 3}\n", NULL, 0 },
    { "a.el", "0 1 {'weights': 3}\n1 2 {weight: 3}\n", NULL, 0 },
    { "a.el", "# meshwork vertex 7\n0 1 2\n# meshwork vertex 8\n0 2 3\n", "2 3", 0 },
    { "a.csv", "source,target,weight\na,b,0.5\nc,,\nb,a,2\n", "0.5 2", 1 },
    { "a.tsv", "0\t1\t5\n1\t2\t-7\n", "5 -7", 0 },
    { "a.mtx", MTX("real", "general") "2 2 2\n1 2 1.50\n2 1 -1e1\n", "1.5 -10", 1 },
    { "a.mtx", MTX("integer", "symmetric") "2 2 1\n2 1 9\n", "9", 0 },
    { "a.mtx", MTX("integer", "skew-symmetric") "2 2 1\n2 1 9\n", NULL, 0 },
    { "a.mtx", MTX("pattern", "symmetric") "2 2 1\n2 1\n", NULL, 0 },
    { "a.mtx", MTX("complex", "hermitian") "2 2 1\n2 1 9 1\n", NULL, 0 },
    { "a.graph", "3 2 1\n3 5 2 4\n1 4\n1 5\n", "4 5", 0 },
    { "a.graph", "3 2 11 2\n8 9 3 5 2 4\n8 9 1 4\n8 9 1 5\n", "4 5", 0 },
    { "a.graph", "3 2 10\n7 3 2\n7 1\n7 1\n", NULL, 0 },
    { "a.graphml", XML(KEY(""), AB("<data key='d3'>1.5</data>") BC("<data key='d3'>\n 2 </data>")), "1.5 2", 1 },
    { "a.graphml", XML(KEY(""), AB("<data key='d4'>x</data>") BC("<data key='d3'>2</data>")), "1 2", 0 },
    { "a.graphml", XML(KEY("<default>8</default>"), AB("") BC("<data key='d3'>2</data>")), "8 2", 0 },
    { "a.graphml", XML("", AB("") BC("<data key='d3'>2</data>")), NULL, 0 },
};

static void check_file(size_t i, const struct mw_edges *edges)
{
    char text[500] = "", one[MW_WEIGHT_CAPACITY];
    if (!edges->weights != !files[i].weights)
        fail_msg("file %zu: there are %sweights", i, edges->weights ? "" : "no ");
    for (uint64_t e = 0; edges->weights && e < edges->count; e++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", e ? " " : "",
                 mw_weight_text(edges->weights[e], edges->decimals, one));
    if (files[i].weights) {
        assert_string_equal(text, files[i].weights);
        assert_int_equal(edges->decimals, files[i].decimals);
    }
}

static void files_have_weights(void **state)
{
    for (size_t i = 0; i < MW_COUNT(files); i++) {
        const struct mw_graph_file_options none = { .size = sizeof none, .no_weights = true };
        struct mw_file_limits limits = mw_file_limits_usual;
        struct mw_edges edges = { 0 };
        if (!has_expat && strstr(files[i].bytes, "graphml"))
            continue;
        store(files[i].name, files[i].bytes, strlen(files[i].bytes));
        OK(mw_edges_read(path, NULL, &edges));
        check_file(i, &edges);
        mw_edges_free(&edges);
        limits.piece_bytes = 1 + i % 5;
        OK(mw_edges_read_within(path, GIVEN(mw_graph_file_options, .threads = 3), &limits, &edges));
        check_file(i, &edges);
        mw_edges_free(&edges);
        OK(mw_edges_read(path, &none, &edges));
        assert_null(edges.weights);
        mw_edges_free(&edges);
    }
}

/* The message names the weight that METIS cannot hold; graphs whose weights it can hold are written, in any unit. */
static void metis_refuses_fractions(void **state)
{
    static const uint64_t offsets[] = { 0, 1, 3, 4 };
    static const uint32_t heads[] = { 1, 0, 2, 1 };
    static const int32_t fraction[] = { 30, 30, 15, 15 }, whole[] = { 30, 30, 20, 20 }, zero[] = { 30, 30, 0, 0 };
    struct mw_graph graph = { .vertices = 3, .arcs = 4, .offsets = offsets, .heads = heads, .decimals = 1 };
    char text[100];
    set_path("d.graph");
    graph.weights = fraction;
    assert_int_equal(mw_graph_write(&graph, path, NULL), MW_ENOTSUP);
    assert_non_null(strstr(mw_errmsg(), "whole numbers above 0, but there is 1.5"));
    graph.weights = zero;
    assert_int_equal(mw_graph_write(&graph, path, NULL), MW_ENOTSUP);
    assert_non_null(strstr(mw_errmsg(), "but there is 0"));
    graph.weights = whole;
    OK(mw_graph_write(&graph, path, NULL));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, "3 2 001\n2 3\n1 3 3 2\n2 2\n");
}

static struct {
    int times;
    char text[1000];
} heard;

static void hear(void *context, enum mw_log_level level, const char *message)
{
    if (level != MW_LOG_NOTICE)
        return;
    heard.times++;
    snprintf(heard.text + strlen(heard.text), sizeof heard.text - strlen(heard.text), "%s\n", message);
}

/* Weights that are not kept or not read are reported once, in whichever line they are; NULL: no report. */
static void lost_weights_are_said(void **state)
{
    static const struct {
        const char *name, *bytes, *notes[2];
    } said[] = {
        { "c.el", "0 1 5\n1 2 7\n", { NULL } },
        { "c.el", "0 1\n1 2\n", { NULL } },
        { "c.el", "0 1 {}\n1 2 # x\n", { NULL } },
        { "c.el", "0 1 x\n1 2 2020-01-01\n", { "c.el:1: \"x\" is ignored; 2 lines have such text" } },
        { "c.el", "0 1\n1 2 5\n", { "but others, as in line 1, have no weight: weights are ignored" } },
        { "c.el", "# x\n0 1 5\n\n1 2\n2 3\n", { "but others, as in line 4, have no weight" } },
        { "c.el", "1 2 nan\n2 3 1\n", { "c.el:1: \"nan\" is ignored\n", "but others, as in line 1, have no weight" } },
        { "c.el", "2 3 1\n1 2 nan\n", { "c.el:2: \"nan\" is ignored\n", "but others, as in line 2, have no weight" } },
        { "c.el", "1 2 1e400\n2 3 1\n", { "c.el:1: \"1e400\"", "but others, as in line 1, have no weight" } },
        { "c.el", "1 2 3\n2 3 4 1999 x \r\n3 4 5\n", { "c.el:2: \"1999 x\" is ignored\n" } },
        { "c.el", "a b {'weight': 3, 'colour': 'red'}\n", { "c.el:1: \"{'weight': 3, 'colour': 'red'}\" is ignored" } },
        { "c.el",
          "1 2 1e-5\n2 3 1e15\n3 4 0\n3 5 1e6\n3 6 2e6\n",
          { "to multiples of 1000000, and 1 of them became 0" } },
        { "c.el", "1 2 2147483648\n2 3 14\n", { "weights were rounded to multiples of 10\n" } },
        { "c.graph", "3 2 1\n2 1e15\n1 1e15 3 1\n2 1\n", { "and 1 of them became 0" } },
        { "c.mtx", MTX("real", "general") "2 2 1\n1 2 5\n", { NULL } },
        { "c.mtx", MTX("pattern", "general") "2 2 1\n1 2\n", { NULL } },
        { "c.mtx", MTX("complex", "general") "2 2 1\n1 2 5 1\n", { "that is complex are not used as weights" } },
        { "c.mtx", MTX("real", "skew-symmetric") "2 2 1\n2 1 5\n", { "that is skew-symmetric are not used" } },
        { "c.graphml", XML("", AB("") BC("")), { NULL } },
        { "c.graphml", XML(KEY(""), AB("<data key='d3'>1.5</data>") BC("")), { "1 edges have no weight" } },
        { "c.graphml", XML(KEY("<default>8</default>"), AB("<data key='d3'>1.5</data>") BC("")), { NULL } },
        { "c.txt",
          "city town km\na b 0.5\nb c 2\n",
          { "c.txt:1: \"km\"", "but others, as in line 1, have no weight" } },
        { "c.txt", "a b 0.5\nb c\nb d x\n", { "c.txt:3: \"x\"", "but others, as in line 2, have no weight" } },
    };
    mw_log_to(hear, NULL);
    for (size_t i = 0; i < MW_COUNT(said); i++)
        for (int way = 0; way < 3; way++) {
            const struct mw_graph_file_options options = { .size = sizeof options,
                                                           .threads = 3,
                                                           .no_weights = way == 2 };
            struct mw_file_limits limits = mw_file_limits_usual;
            struct mw_edges edges = { 0 };
            const int notes = way == 2 ? 0 : (said[i].notes[0] != NULL) + (said[i].notes[1] != NULL);
            if (!has_expat && strstr(said[i].bytes, "graphml"))
                continue;
            limits.piece_bytes = way == 1 ? 1 + i % 5 : limits.piece_bytes;
            heard.times = 0;
            *heard.text = '\0';
            store(said[i].name, said[i].bytes, strlen(said[i].bytes));
            OK(mw_edges_read_within(path, &options, &limits, &edges));
            if (heard.times != notes)
                fail_msg("%zu, way %d: %d notes, \"%s\"", i, way, heard.times, heard.text);
            for (int k = 0; k < notes; k++)
                if (!strstr(heard.text, said[i].notes[k]))
                    fail_msg("%zu, way %d: \"%s\" lacks \"%s\"", i, way, heard.text, said[i].notes[k]);
            mw_edges_free(&edges);
        }
    mw_log_to(NULL, NULL);
}

static void wrong_weights_are_refused(void **state)
{
    static const struct {
        const char *name, *bytes, *reason;
    } bad[] = {
        { "b.mtx", MTX("real", "general") "2 2 1\n1 2 nan\n", "b.mtx:3: \"nan\" is not a value" },
        { "b.mtx", MTX("real", "general") "2 2 1\n1 2 1e400\n", "b.mtx:3: \"1e400\" is not a value" },
        { "b.mtx", MTX("real", "general") "2 2 1\n1 2 1.5x\n", "b.mtx:3: \"1.5x\" is not a value" },
        { "b.graph", "2 1 1\n2 5\n1 6\n", "b.graph:2: the edge from vertex 1 to 2 has a different weight" },
        { "b.graph", "2 1 1\n2 x\n1 x\n", "b.graph:2: \"x\" is not the weight of an edge (a number below 1e280)" },
        { "b.graphml", XML(KEY(""), AB("<data key='d3'>five</data>")), "\"five\" is not the weight of an edge" },
        { "b.graphml", XML(KEY(""), AB("<data key='d3'></data>")), "\"\" is not the weight of an edge" },
    };
    for (size_t i = 0; i < MW_COUNT(bad); i++) {
        struct mw_edges edges = { 0 };
        if (!has_expat && strstr(bad[i].bytes, "graphml"))
            continue;
        store(bad[i].name, bad[i].bytes, strlen(bad[i].bytes));
        assert_int_equal(mw_edges_read(path, NULL, &edges), MW_EDATA);
        if (!strstr(mw_errmsg(), bad[i].reason))
            fail_msg("%zu: %s", i, mw_errmsg());
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimals_come_back),    cmocka_unit_test(words_are_numbers_or_not),
        cmocka_unit_test(files_have_weights),    cmocka_unit_test(metis_refuses_fractions),
        cmocka_unit_test(lost_weights_are_said), cmocka_unit_test(wrong_weights_are_refused),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
/* SPDX-License-Identifier: MIT */
