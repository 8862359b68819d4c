/* Tables of edges: which columns are read, what is reported about the others, what is refused. Vertices without edges,
 * and names of nodes of GraphML. */
#include "tests/graph_file.h"

#include <meshwork/graph.h>

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

#define GUESS "is read as titles"
#define TAKEN "a.csv:1: the first line is read as an edge, between "
#define XML(key, text)                                                                                                 \
    "<graphml xmlns:y='yEd'><key id='v' for='node' attr.name='" key "' attr.type='string'/>"                           \
    "<key id='l' for='node' attr.name='label' attr.type='string'/><graph edgedefault='directed'>" text                 \
    "<edge source='n0' target='n1'/></graph></graphml>"
#define NODE(id, name) "<node id='" id "'><data key='v'>" name "</data></node>"
#define BOTH(id, name, label) "<node id='" id "'><data key='l'>" label "</data><data key='v'>" name "</data></node>"
#define SHOWN(id, text)                                                                                                \
    "<node id='" id "'><data key='d6'><y:ShapeNode><y:NodeLabel a='1'>" text "</y:NodeLabel></y:ShapeNode></data>"     \
    "</node>"
#define IDS "a.graphml: not every node has a unique name: vertices are named by their ids"

/* Edges as "tail head weight", and the notices. */
static const struct {
    const char *name, *bytes, *columns;
    size_t vertices;
    const char *edges, *note; /* NULL: no notice */
} good[] = {
    { "a.csv", "source,target\na,b\nb,c\n", NULL, 3, "a-b b-c", NULL },
    { "a.csv", "Source;Target;Weight\r\na;b;0.5\r\nb;c;2", NULL, 3, "a-b:0.5 b-c:2", NULL },
    { "a.csv", "to\tfrom\tweight\n1\t0\t3\n", NULL, 2, "0-1:3", NULL },
    { "a.tsv", "x,y\tsource\ttarget\nq\ta,b\tc\n", NULL, 2, "a,b-c", "a.tsv:1: column \"x,y\" is ignored" },
    { "a.csv", "\xef\xbb\xbf,source,target\n0,a,b\n1,b,c\n", NULL, 3, "a-b b-c", "a.csv:1: column 1 is ignored" },
    { "a.csv", "0,1\n1,2\n", NULL, 3, "0-1 1-2", NULL },
    { "a.csv", "# SNAP\n% x\n\n0 , 1\n\n 1,2\n", NULL, 3, "0-1 1-2", NULL },
    { "a.csv", "0,1,5,x\n1,2,6,y\n", NULL, 3, "0-1:5 1-2:6", "a.csv:1: column 4 is ignored" },
    { "a.csv", "a,b,x,7\n", NULL, 2, "a-b", "a.csv:1: columns 3 and 4 are ignored" },
    { "a.csv", "p,q,r,s,t,u\na,b,c,d,e,f\n", NULL, 2, "a-b", "columns \"r\", \"s\", \"t\" and 1 more are ignored" },
    { "a.csv", "one,two\na,b\n", NULL, 2, "a-b", "a.csv:1: the first line " GUESS },
    { "a.csv", "from,to,2019\na,b,3\n", NULL, 2, "a-b", "column \"2019\" is ignored" },
    { "a.csv", "source,target\n\"New, \"\"York\"\"\" , b \n\" c\",d\n", NULL, 4, "New, \"York\"-b  c-d", NULL },
    { "a.csv", "source,target,note\na,b,\"one\ntwo, \"\"three\"\"\n\"\nb,c,\n", NULL, 3, "a-b b-c", "\"note\"" },
    { "a.csv", "source,target,weight\n1,2,3\n7,,\n,,\n8\n2,1,4\n", NULL, 4, "1-2:3 2-1:4", NULL },
    { "a.csv", "source,target,weight\nx,,\n", NULL, 1, "", NULL },
    { "a.csv", "source,target\n", NULL, 0, "", NULL },
    { "a.csv", "", NULL, 0, "", NULL },
    { "a.csv", "a,b,c\n1,2,3\n", "c,a", 2, "3-1", NULL },
    { "a.csv", "a,b,c\n1,2,3\n", "c,A,2", 2, "3-1:2", NULL },
    { "a.csv", "1,2,3\n4,5,6\n", "3,1,2", 4, "3-1:2 6-4:5", NULL },
    { "a.csv", "year,2,3\n1,2,3\n", "2,year", 2, "2-1", NULL },
    { "a.csv", "alice,bob\ncarol,dave\n", "1,2", 4, "alice-bob carol-dave", TAKEN "\"alice\" and \"bob\": if it has" },
    { "a.csv", "one,two\na,b\n", "one,2", 2, "a-b", NULL },
    { "a.csv", "one,two,x\na,b,3\n", "1,2,3", 2, "a-b:3", GUESS ", since the weight's column has no number" },
    { "a.csv", "Target,Source\na,b\n", "2,1", 2, "b-a", NULL },
    { "a.csv", "from,to,3\na,b,4\n", NULL, 2, "a-b", GUESS ", and edges are between the columns \"from\" and" },
    { "a.csv", "from,to,3\na,b,4\n", "1,2,3", 4, "from-to:3 a-b:4", TAKEN "\"from\" and \"to\"" },
    { "a.csv", "from,to,3\na,b,4\n", "from,to,3", 2, "a-b:4", NULL },
    { "a.csv", "source,target\n1,2\nx,2\n3,2\ny,1\n", NULL, 5, "1-2 x-2 3-2 y-1", NULL },
    { "a.el", "# meshwork vertex 3\n0 1\n# meshwork vertex 2\n", NULL, 4, "0-1", NULL },
    { "a.el", "# meshwork vertex \"New York\"\nBern Thun\n# meshwork vertex Bern\n", NULL, 3, "Bern-Thun", NULL },
    { "a.el", "# meshwork vertex 0\n", NULL, 1, "", NULL },
    { "a.graphml", XML("label", NODE("n0", "Bern") NODE("n1", "Thun")), NULL, 2, "Bern-Thun", NULL },
    { "a.graphml", XML("label", NODE("n0", "a") NODE("n1", "a")), NULL, 2, "n0-n1", IDS },
    { "a.graphml", XML("name", NODE("n0", "a") NODE("n1", "b")), NULL, 2, "a-b", NULL },
    { "a.graphml", XML("name", BOTH("n0", "a", "x") BOTH("n1", "b", "y")), NULL, 2, "a-b", NULL },
    { "a.graphml", XML("name", BOTH("n0", "a", "x") BOTH("n1", "a", "y")), NULL, 2, "x-y", NULL },
    { "a.graphml", XML("d", SHOWN("n0", "Bern\n  <y:M/>\nx") SHOWN("n1", "Thun")), NULL, 2, "Bern-Thun", NULL },
    { "a.graphml", XML("d", SHOWN("n0", "Bern</y:NodeLabel><y:NodeLabel>Genf") SHOWN("n1", "Thun")), NULL, 2,
      "Bern-Thun", NULL },
    { "a.graphml", XML("d", SHOWN("n0", "Bern") "<node id='n1'/>"), NULL, 2, "n0-n1", IDS },
    { "a.graphml", XML("d", NODE("n0", "x<data key='l'>a</data>") BOTH("n1", "b<data key='q'/>", "c")), NULL, 2, "a-c",
      NULL },
    { "a.el", "# meshwork vertices 3\n0 1\n# Nodes: 9\n# vertex 7\n", NULL, 2, "0-1", NULL },
};

static void check_good(size_t i, const struct mw_edges *edges)
{
    char text[1000] = "", tail[MW_NAME_CAPACITY], head[MW_NAME_CAPACITY], weight[MW_WEIGHT_CAPACITY + 1] = "";
    for (uint64_t k = 0; k < edges->count; k++) {
        if (edges->weights) {
            *weight = ':';
            mw_weight_text(edges->weights[k], edges->decimals, weight + 1);
        }
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s-%s%s", k ? " " : "",
                 mw_name(edges->names, edges->ends[2 * k], tail), mw_name(edges->names, edges->ends[2 * k + 1], head),
                 weight);
    }
    if (edges->vertices != good[i].vertices || strcmp(text, good[i].edges) != 0)
        fail_msg("%zu: %zu vertices, edges %s", i, edges->vertices, text);
}

static void tables_are_read(void **state)
{
    mw_log_to(hear, NULL);
    for (size_t i = 0; i < MW_COUNT(good); i++)
        for (size_t bytes = 0; bytes < 60; bytes += 10) {
            struct mw_file_limits limits = mw_file_limits_usual;
            const struct mw_graph_file_options options = { .size = sizeof options,
                                                           .columns = good[i].columns,
                                                           .threads = bytes ? 3 : 1 };
            struct mw_edges edges = { 0 };
            if (!has_expat && strstr(good[i].bytes, "graphml"))
                continue;
            memset(&heard, 0, sizeof heard);
            limits.piece_bytes = bytes ? bytes : limits.piece_bytes;
            store(good[i].name, good[i].bytes, strlen(good[i].bytes));
            if (mw_edges_read_within(path, &options, &limits, &edges) != 0)
                fail_msg("%zu: %s", i, mw_errmsg());
            check_good(i, &edges);
            mw_edges_free(&edges);
            if (good[i].note ? !strstr(heard.text, good[i].note) : heard.times > 0)
                fail_msg("%zu: noted \"%s\"", i, heard.text);
        }
    mw_log_to(NULL, NULL);
}

static void wrong_tables_are_refused(void **state)
{
    static const struct {
        const char *name, *bytes, *columns;
        int rc;
        const char *reason;
    } bad[] = {
        { "b.csv", "source target\n", NULL, MW_EDATA, "b.csv:1: the row has one column, but an edge needs two" },
        { "b.csv", "source,target\na,b\n\n,c\n", NULL, MW_EDATA, "b.csv:4: the edge has no source" },
        { "b.csv", "source,target,weight\na,b,\n", NULL, MW_EDATA, "b.csv:2: the edge has no weight, but others do" },
        { "b.csv", "source,target,weight\na,b\n", NULL, MW_EDATA, "b.csv:2: the edge has no weight, but others do" },
        { "b.csv", "source,target,weight\na,b,x\n", NULL, MW_EDATA, "b.csv:2: \"x\" is not a weight (a number" },
        { "b.csv", "source;target;weight\na;b;0,5\n", NULL, MW_EDATA, "(a number below 1e280): use a decimal point" },
        { "b.csv", "source,target\n\"a,b\nc,d\n", NULL, MW_EDATA, "b.csv:2: a quoted field has no closing quote" },
        { "b.csv", "source,target\n\"a\"x,b\n", NULL, MW_EDATA, "b.csv:2: a separator must follow a quoted field" },
        { "b.csv", "source,target\n\"a\nb\",c\n", NULL, MW_EDATA, "b.csv:2: a name contains a newline" },
        { "b.csv", "source,target\n\x01,c\n", NULL, MW_EDATA, "b.csv:2: a name contains a newline" },
        { "b.csv", "a,b\n1,2\n", "a,c", MW_EINVAL, "b.csv:1: there is no column \"c\": choose from \"a\" and \"b\"" },
        { "b.csv", "a,b\n1,2\n", "a,3", MW_EINVAL, "b.csv:1: there is no column \"3\"" },
        { "b.csv", "a,b\n1,2\n", "a,0", MW_EINVAL, "b.csv:1: there is no column \"0\"" },
        { "b.csv", "a,b\n1,2\n", "a", MW_EINVAL, "a source, a target and optionally a weight" },
        { "b.csv", "a,b\n1,2\n", "a,a", MW_EINVAL, "all different" },
        { "b.csv", "a,b\n1,2\n", "a,b,a", MW_EINVAL, "all different" },
        { "b.csv", "a,b\n1,2\n", "a,b,1,2", MW_EINVAL, "only a source, a target and a weight" },
        { "b.el", "1 2\n", "1,2", MW_EINVAL, "columns \"1,2\" are for tables" },
        { "b.el", "# meshwork vertex\n# meshwork vertex \"\"\n1 2\n", NULL, MW_EDATA, "b.el:2: a name is empty" },
        { "b.el", "# meshwork vertex a b\n", NULL, MW_EDATA, "b.el:1: unexpected text after the name" },
    };
    for (size_t i = 0; i < MW_COUNT(bad); i++) {
        const struct mw_graph_file_options options = { .size = sizeof options, .columns = bad[i].columns };
        struct mw_edges edges = { 0 };
        store(bad[i].name, bad[i].bytes, strlen(bad[i].bytes));
        if (mw_edges_read(path, &options, &edges) != bad[i].rc || !strstr(mw_errmsg(), bad[i].reason))
            fail_msg("%zu: %s", i, mw_errmsg());
    }
}

/* The length of a row is limited, however many lines it has. */
static void long_rows_are_refused(void **state)
{
    const size_t size = (size_t)4 << 20;
    char *bytes = room(size, 1);
    struct mw_edges edges = { 0 };
    memset(bytes, 'x', size);
    for (size_t i = 60; i < size; i += 61)
        bytes[i] = '\n';
    memcpy(bytes, "a,b\n1,\"", 7);
    store("long.csv", bytes, size);
    assert_int_equal(mw_edges_read(path, NULL, &edges), MW_EDATA);
    assert_non_null(strstr(mw_errmsg(), "long.csv:2: a row has more than"));
    memset(bytes + 7, ',', size - 7);
    store("long.csv", bytes, size);
    assert_int_equal(mw_edges_read(path, NULL, &edges), MW_EDATA);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_read),
        cmocka_unit_test(wrong_tables_are_refused),
        cmocka_unit_test(long_rows_are_refused),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
/* SPDX-License-Identifier: MIT */
