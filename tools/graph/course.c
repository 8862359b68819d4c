/* meshwork graph: the common course of subcommands that compute in passes. */
#include "tools/graph/course.h"

struct course course_of(const struct command *command, const struct course_kind *kind, mw_variant_table *variants,
                        enum weights_use weights)
{
    const struct course_settings *set = command->settings;
    struct course t = {
        .kind = kind, .set = set, .variants = variants, .n = network_of(command, &set->graph, &set->device)
    };
    t.n.weights = weights;
    return t;
}

/* ---- the course ---- */

static int course_plan(struct course *t)
{
    struct node *o = report_object();
    struct team_plan team;
    int rc;
    TRY(network_plan(&t->n, t->variants ? t->set->variant : NULL, &team, o));
    t->kind->plan(t, &team, o);
out:
    return report_end(o, rc);
}

/* Opens devices first: a failure is reported before a large file is read. */
static int open_graph(struct course *t)
{
    const double start = mw_now();
    TRY_RETURN(team_open(&t->set->device, &t->team));
    TRY_RETURN(network_check_count(&t->n, t->team.count));
    t->open = mw_now() - start;
    return network_open(&t->n, t->team.device[0]);
}

static int course_verify(struct course *t)
{
    struct mw_device *serial = NULL;
    const double start = mw_now();
    int rc;
    TRY(mw_device_open_by_name("native:serial", NULL, &serial));
    TRY(t->kind->verify(t, serial));
    t->verify = mw_now() - start;
out:
    mw_device_close(serial);
    return rc;
}

static int course_compute(struct course *t)
{
    if (t->kind->begin)
        TRY_RETURN(t->kind->begin(t));
    for (; t->pass < t->passes.count; t->pass++)
        TRY_RETURN(t->kind->pass(t, &t->passes.seconds[t->pass]));
    passes_sort(&t->passes);
    if (t->kind->end)
        TRY_RETURN(t->kind->end(t));
    return t->set->verify ? course_verify(t) : 0;
}

static int course_write(struct course *t)
{
    const double start = mw_now();
    if (t->kind->write)
        TRY_RETURN(t->kind->write(t));
    t->output = mw_now() - start;
    return 0;
}

static int course_report(const struct course *t)
{
    const struct network *n = &t->n;
    struct node *o = report_object();
    int rc;
    TRY(network_report(n, o));
    team_put(&t->team, o);
    TRY(t->kind->report(t, o));
    /* clang-format off */
    const struct timing timings[] = {
        { "minimum", t->passes.seconds[0] }, { "maximum", t->passes.seconds[t->passes.count - 1] },
        { "open", t->open }, { "read", n->reading }, { "graph", n->building }, { "build", t->build },
        { "compute", passes_median(&t->passes) }, n->others[0], n->others[1], { "verify", t->verify },
        { "output", t->output }, { "total", mw_now() - n->start } };
    /* clang-format on */
    put_timings(o, timings, MW_COUNT(timings));
out:
    return report_end(o, rc);
}

int course_run(struct course *t)
{
    const struct course_settings *set = t->set;
    int rc;
    if (t->variants && !strcmp(set->variant, "list"))
        return variant_list(t->variants);
    if (set->graph.generate && !strcmp(set->graph.generate, "list"))
        return generators_list();
    TRY(network_choose(&t->n, &t->n.command->operands));
    if (t->kind->prepare)
        TRY(t->kind->prepare(t));
    if (set->dry_run) {
        TRY(course_plan(t));
        goto out;
    }
    TRY(passes_new(set->repeat, &t->passes));
    TRY(open_graph(t));
    TRY(course_compute(t));
    TRY(course_write(t));
    TRY(course_report(t));
out:
    if (t->kind->free)
        t->kind->free(t);
    team_close(&t->team);
    network_free(&t->n);
    free(t->passes.seconds);
    return rc;
}

/* ---- the summary ---- */

void course_report_variant(const char *variant, struct node *to)
{
    show_value(put_text(to, "variant", variant), "variant");
}

void course_report_passes(const struct course *t, struct node *to)
{
    const struct network *n = &t->n;
    struct mw_text others = { 0 };
    for (size_t i = 0; i < n->other_count; i++)
        mw_text_add(&others, ", %s %s", n->others[i].name, seconds_text(n->others[i].seconds).text);
    put_count(to, "repeat", t->passes.count);
    passes_report(&t->passes, to);
    ROW(to, "", "%s %s, graph %s, build %s%s, output %s, total %s", n->generator ? "generate" : "read",
        seconds_text(n->reading).text, seconds_text(n->building).text, seconds_text(t->build).text,
        others.data ? others.data : "", seconds_text(t->output).text, seconds_text(mw_now() - n->start).text);
    mw_text_free(&others);
}

void course_report_rate(const struct course *t, double work, const char *unit, struct node *to)
{
    put_rate(to, passes_rate(&t->passes, (double)network_edges(&t->n.graph) * work), unit);
}
/* SPDX-License-Identifier: MIT */
