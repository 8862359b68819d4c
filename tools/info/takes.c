/* meshwork graph info: which measures use weights, directions, loops and multi-edges. */
#include "tools/info/info.h"

/* doc/networks.md has the same table; tests/cli/graph/takes.sh compares both with the results of the measures. */
enum { WEIGHTS = 1, DIRECTIONS = 2, LOOPS = 4, MULTIPLE = 8 };
static const struct {
    const char *name;
    unsigned takes;
} measures[] = {
    { "degrees", DIRECTIONS | LOOPS | MULTIPLE },
    { "assortativity", DIRECTIONS | LOOPS | MULTIPLE },
    { "mean distance", DIRECTIONS },
    { "components", 0 },
    { "components --strong", DIRECTIONS },
    { "clustering", DIRECTIONS },
    { "paths", WEIGHTS | DIRECTIONS },
    { "pagerank", DIRECTIONS | LOOPS | MULTIPLE },
    { "cores", LOOPS | MULTIPLE },
    { "bridges", MULTIPLE },
    { "betweenness", WEIGHTS | DIRECTIONS | MULTIPLE },
};

static void takes_say(unsigned what, const char *title, struct node *to)
{
    struct mw_text names = { 0 };
    for (size_t i = 0; i < MW_COUNT(measures); i++)
        if (measures[i].takes & what)
            mw_text_add(&names, "%s%s", names.length ? ", " : "", measures[i].name);
    ROW(to, title, "%s", names.data ? names.data : "");
    mw_text_free(&names);
}

void info_takes_report(const struct mw_graph_summary *summary, bool directed, struct node *to)
{
    if (summary->weighted)
        takes_say(WEIGHTS, "by weights", to);
    if (directed)
        takes_say(DIRECTIONS, "by directions", to);
    if (summary->self)
        takes_say(LOOPS, "loops count in", to);
    if (summary->multiple)
        takes_say(MULTIPLE, "multi-edges in", to);
}
/* SPDX-License-Identifier: MIT */
