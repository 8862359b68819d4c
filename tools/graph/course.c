/* meshwork graph: the common course of subcommands that compute in passes. */
#include "tools/graph/course.h"

struct course course_of(const struct command *command, const struct course_kind *kind, mw_variant_table *variants,
                        enum weights_use weights)
{
    const struct course_settings *set = command->settings;
    struct course t = { .flow.command = command, .kind = kind, .set = set, .variants = variants };
    t.n = network_of(command, &set->graph, &set->device);
    t.n.weights = weights;
    return t;
}

/* ---- the course ---- */

static int course_prepare(void *task)
{
    struct course *t = task;
    TRY_RETURN(network_choose(&t->n, &t->flow.command->operands));
    return t->kind->prepare ? t->kind->prepare(t) : 0;
}

static int course_plan(void *task)
{
    struct course *t = task;
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
    t->open = mw_now() - start;
    return network_open(&t->n, t->team.device[0]);
}

static int course_verify(void *task)
{
    struct course *t = task;
    struct mw_device *serial = NULL;
    int rc;
    TRY(mw_device_open_by_name("native:serial", NULL, &serial));
    TRY(t->kind->verify(t, serial));
out:
    device_give_back(serial);
    return rc;
}

static int course_compute(void *task)
{
    struct course *t = task;
    TRY_RETURN(passes_new(t->set->repeat, &t->passes));
    TRY_RETURN(open_graph(t));
    if (t->kind->begin)
        TRY_RETURN(t->kind->begin(t));
    for (; t->pass < t->passes.count; t->pass++)
        TRY_RETURN(t->kind->pass(t, &t->passes.seconds[t->pass]));
    passes_sort(&t->passes);
    return t->kind->end ? t->kind->end(t) : 0;
}

static int course_write(void *task)
{
    struct course *t = task;
    return t->kind->write ? t->kind->write(t) : 0;
}

static int course_report(void *task)
{
    struct course *t = task;
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
        { "compute", passes_median(&t->passes) }, n->others[0], n->others[1], n->others[2],
        n->others[3], n->others[4], { "verify", t->flow.verify },
        { "output", t->flow.output }, { "total", mw_now() - n->start } };
    /* clang-format on */
    put_timings(o, timings, MW_COUNT(timings));
out:
    return report_end(o, rc);
}

static void course_free(void *task)
{
    struct course *t = task;
    if (t->kind->free)
        t->kind->free(t);
    team_close(&t->team);
    network_free(&t->n);
    free(t->passes.seconds);
}

int course_run(struct course *t)
{
    static const struct workflow_kind kind = { course_prepare, course_plan,   course_compute, course_verify,
                                               course_write,   course_report, course_free };
    if (t->variants && !strcmp(t->set->variant, "list"))
        return variant_list(t->variants);
    if (t->set->graph.generate && !strcmp(t->set->graph.generate, "list"))
        return generators_list();
    return workflow_run(t, &kind, t->set->dry_run, t->set->verify);
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
        others.data ? others.data : "", seconds_text(t->flow.output).text, seconds_text(mw_now() - n->start).text);
    mw_text_free(&others);
}

void course_report_rate(const struct course *t, double work, const char *unit, struct node *to)
{
    put_rate(to, passes_rate(&t->passes, (double)network_edges(&t->n.graph) * work), unit);
}
/* SPDX-License-Identifier: MIT */
