/* meshwork run: the summary, and the plan of --dry-run. */
#include <meshwork/io.h>

#include <math.h>

#include "tools/report/files.h"
#include "tools/run/pictures/picture.h"

static double rate(const struct run *r)
{
    const struct mw_run_result *result = &r->step.result;
    return result->seconds > 0 ? (double)r->model.cells * (double)result->done / result->seconds : 0;
}

/* Common parts of a run and its plan. */
static void put_setup(const struct run *r, uint64_t steps, struct node *o)
{
    char asked[40] = "", dt[40] = "", hash[40];
    const double end = run_time(r, steps);
    struct node *time;
    snprintf(hash, sizeof(hash), "%s_hash", r->kind->subject);
    put_checksum(o, hash, r->model.hash);
    r->kind->report.setup(r, o);
    put_seed(o, r->set->seed);
    if (r->step.stopped && r->set->steps != RUN_STEPS_OPEN)
        snprintf(asked, sizeof(asked), " (of %llu)", (unsigned long long)r->set->steps);
    if (r->kind->timed)
        snprintf(dt, sizeof(dt), "%s = %g, ", r->model.adaptive ? "first dt" : "dt", r->model.dt);
    if (steps != RUN_STEPS_OPEN)
        show_row(put_count(o, "steps", steps), "steps", "%llu%s, %s%s", (unsigned long long)steps, asked, dt,
                 r->kind->report.method(r));
    else
        show_row(put_none(o, "steps"), "steps", "as many as needed, %s%s", dt, r->kind->report.method(r));
    put_real(o, "dt", r->model.dt);
    if (r->resume.from)
        show_row(put_count(o, "restarted_at", mw_checkpoint_step(r->resume.from)), "restarted", "at step %llu, from %s",
                 (unsigned long long)mw_checkpoint_step(r->resume.from), mw_checkpoint_path(r->resume.from));
    if (r->resume.from) {
        put_text(o, "restart", mw_checkpoint_path(r->resume.from));
        put_checksum(o, "restart_checksum", r->resume.checksum);
    }
    time = put_real(o, "time", end);
    if (r->kind->timed && isfinite(end))
        show_row(time, "time", "%g", end);
}

/* Returns "NAME TIME, ", or nothing. */
static struct short_text also_text(bool told, const char *name, double seconds)
{
    struct short_text text = { "" };
    if (told)
        snprintf(text.text, sizeof(text.text), "%s %.20s, ", name, seconds_text(seconds).text);
    return text;
}

static void put_times(const struct run *r, struct node *o)
{
    show_row(put_seconds(o, "seconds", r->step.result.seconds), "seconds", "%.4g", r->step.result.seconds);
    ROW(o, "", "setup %s, first step %s, output %s, %s%stotal %s", seconds_text(r->seconds.setup).text,
        seconds_text(r->step.result.first_step_seconds).text, seconds_text(r->seconds.output).text,
        also_text(r->set->label_every, "labelling", r->observe.components.seconds).text,
        also_text(r->step.result.checkpoints, "checkpoints", r->step.result.checkpoint_seconds).text,
        seconds_text(mw_now() - r->seconds.start).text);
    put_rate(o, rate(r), r->kind->report.rate_unit(r));
}

static void put_written(const struct run *r, struct node *o)
{
    size_t frames;
    for (size_t i = 0; i < PRODUCTS; i++) {
        const struct product *p = &r->observe.products[i];
        if (p->files && write_is_series(r, p))
            ROW(o, p->title, "%zu, %s", p->files, p->pattern);
        else if (p->files)
            ROW(o, p->title, "%s", file_words(p->pattern));
    }
    if (sheet_states(r))
        show_written(o, "sheet", r->set->sheet);
    if (film_made(r, &frames))
        ROW(o, "film", "%s, %s", COUNTED(frames, "frame"), film_made(r, &frames));
    if (r->observe.frames.file)
        ROW(o, "hdf5", "%s, %s", COUNTED(mw_frames_count(r->observe.frames.file), "frame"), r->set->hdf5);
    show_written(o, "series", r->set->series);
    show_written(o, "plot", r->set->plot);
    if (r->resume.to)
        show_row(put_text(o, "checkpoint", r->resume.to), "checkpoint", "%s, at step %llu", r->resume.to,
                 (unsigned long long)r->step.result.steps);
    else
        put_none(o, "checkpoint");
}

int run_report(const struct run *r)
{
    const struct timing timings[] = { { "setup", r->seconds.setup },
                                      { "first_step", r->step.result.first_step_seconds },
                                      { "compute", r->step.result.seconds },
                                      { "output", r->seconds.output },
                                      { "checkpoint", r->step.result.checkpoint_seconds },
                                      { "verify", r->seconds.verify },
                                      { "label", r->observe.components.seconds },
                                      { "total", mw_now() - r->seconds.start },
                                      { r->kind->observe.own_timing, r->seconds.own } };
    struct node *o = report_object();
    show_value(put_text(o, r->kind->subject, r->model.name), r->kind->subject);
    put_setup(r, r->step.result.steps, o);
    team_put_ids(&r->step.team, "device", o);
    r->kind->report.device(r, o);
    put_times(r, o);
    r->kind->report.state(r, o);
    components_report(r, o);
    show_value(put_checksum(o, "checksum",
                            r->kind->report.checksum ? r->kind->report.checksum(r)
                                                     : mw_array_checksum(&r->observe.state)),
               "checksum");
    if (r->set->verify && !r->step.stopped)
        ROW(o, "verified", "same bits as native:serial, in %s", seconds_text(r->seconds.verify).text);
    if (r->set->verify)
        put_flag(o, "verified", !r->step.stopped);
    put_written(r, o);
    put_flag(o, "stopped", r->step.stopped);
    put_timings(o, timings, MW_COUNT(timings));
    return report_print(o);
}

/* ---- the plan ---- */

/* Returns how many outputs there will be: "11 rows", or, if the number of steps is unknown, their interval. */
static struct short_text outputs_text(const struct run *r, uint64_t every, const char *what)
{
    struct short_text t;
    if (r->set->steps != RUN_STEPS_OPEN)
        return counted_text(write_count(r, every), what);
    snprintf(t.text, sizeof(t.text), "a %.8s %.24s", what, every_text(every).text);
    return t;
}

static void plan_products(const struct run *r, struct node *o)
{
    const uint64_t looks = r->set->every ? r->set->every : r->observe.every;
    struct node *writes = put_object(o, "writes");
    for (size_t i = 0; i < PRODUCTS; i++) {
        const struct product *p = &r->observe.products[i];
        if (!p->pattern)
            continue;
        struct node *file = put_text(writes, p->option, p->pattern);
        if (write_is_series(r, p))
            show_row(file, p->title, "%s, %s", outputs_text(r, looks, "file").text, p->pattern);
        else
            show_row(file, p->title, "%s", file_words(p->pattern));
    }
    if (r->set->sheet)
        show_row(put_text(writes, "sheet", r->set->sheet), "sheet", "%s", r->set->sheet);
    if (r->set->film)
        show_row(put_text(writes, "film", r->set->film), "film", "%s, %s", outputs_text(r, looks, "frame").text,
                 r->set->film);
    if (r->set->hdf5)
        show_row(put_text(writes, "hdf5", r->set->hdf5), "hdf5", "%s, %s",
                 r->set->every ? outputs_text(r, looks, "frame").text : "the final state", r->set->hdf5);
    if (r->set->series)
        show_row(put_text(writes, "series", r->set->series), "series", "%s, %s",
                 outputs_text(r, r->observe.every, "row").text, file_words(r->set->series));
    if (r->set->plot)
        show_row(put_text(writes, "plot", r->set->plot), "plot", "%s", file_words(r->set->plot));
    if (r->kind->report.plan)
        r->kind->report.plan(r, o);
    components_plan(r, o);
    if (!r->resume.to)
        return;
    put_text(writes, "checkpoint", r->resume.to);
    if (r->set->checkpoint_every)
        ROW(o, "checkpoint", "%s and at the end, %s and %s.old, each of %s", every_text(r->set->checkpoint_every).text,
            r->resume.to, r->resume.to, bytes_text(r->model.state_bytes).text);
    else
        ROW(o, "checkpoint", "at the end, %s, of %s", r->resume.to, bytes_text(r->model.state_bytes).text);
}

/* `bytes`: on all devices. */
struct run_plan {
    struct team_plan team;
    struct mw_device_info device; /* the first device, with the memory of all */
    struct memory_plan memory;
    uint64_t bytes;
    bool streams;
};

/* The state and the input; a streamed field has two states.  --verify makes all of them again on the host. */
static int add_phases(const struct run *r, struct run_plan *plan, uint64_t labels)
{
    uint64_t both = 2 * plan->bytes;
    const double state = (double)(r->kind->model.host_bytes ? r->kind->model.host_bytes(r) : r->model.state_bytes);
    const double host = state + (r->set->input || plan->streams ? (double)r->model.state_bytes : 0);
    memory_phase(&plan->memory, host, (double)(plan->bytes + labels));
    if (r->set->verify && r->kind->model.verify_bytes)
        TRY_RETURN(r->kind->model.verify_bytes(r, &both));
    if (r->set->verify)
        memory_phase(&plan->memory, host + (double)(plan->bytes + r->model.state_bytes),
                     (double)both - (double)plan->bytes + (double)labels);
    plan->bytes += labels;
    return 0;
}

/* Checks fields larger than the device's memory, or than its largest buffer. */
static bool does_stream(const struct run *r, const struct team_plan *team, uint64_t bytes)
{
    const uint64_t largest = team->first.max_alloc_bytes;
    return r->kind->streams && team->count == 1 &&
           ((team->memory_bytes && bytes > team->memory_bytes) || (largest && r->model.state_bytes > largest));
}

int run_check_streamed(const struct run *r)
{
    if (r->model.adaptive)
        return mw_fail(MW_ELIMIT,
                       "--integrator: the field exceeds the device's memory, and steps that choose themselves need all "
                       "of it there: take rk2, or choose %s or another device",
                       r->kind->advice);
    if (r->set->label_every)
        return mw_fail(MW_ELIMIT,
                       "--label-every: the field exceeds the device's memory, so labels do not fit: leave "
                       "it out, or choose %s or another device",
                       r->kind->advice);
    return 0;
}

static int make_plan(const struct run *r, struct run_plan *plan)
{
    *plan = (struct run_plan){ .streams = false };
    TRY_RETURN(r->kind->model.device_bytes(r, &plan->bytes));
    TRY_RETURN(team_plan(&r->set->device, &plan->team));
    plan->streams = does_stream(r, &plan->team, plan->bytes);
    plan->device = plan->team.first;
    plan->device.memory_bytes = plan->team.memory_bytes;
    return add_phases(r, plan, components_bytes(r, &plan->device));
}

/* For fields a limit applies to device memory only: larger fields are streamed. */
static int check_plan(const struct run *r, const struct run_plan *plan)
{
    const struct team_plan *team = &plan->team;
    const char *names = team->count > 1 ? r->set->device.selector : team->first.id;
    const uint64_t bytes = r->kind->streams ? plan->bytes : memory_planned(&plan->memory, &plan->device);
    if (plan->streams)
        TRY_RETURN(run_check_streamed(r));
    else if (team->memory_bytes && bytes > team->memory_bytes)
        return mw_fail(MW_ELIMIT, "%s has %s of memory, but this run needs %s: choose %s%s or another device", names,
                       bytes_text(team->memory_bytes).text, bytes_text(bytes).text, r->kind->advice,
                       r->set->label_every ? ", no --label-every" : "");
    if (r->model.fp64 && !team->fp64)
        return mw_fail(MW_ENOTSUP, "%s has no double precision: use --precision single", names);
    return host_holds(memory_is_shared(&plan->device) && !plan->streams ? plan->memory.both : plan->memory.host,
                      r->kind->advice);
}

int run_check_memory(const struct run *r)
{
    struct run_plan plan;
    memory_give_back_early();
    if (!r->set->device.memory_limit)
        return 0;
    TRY_RETURN(make_plan(r, &plan));
    return check_plan(r, &plan);
}

int run_plan(const struct run *r)
{
    struct node *o = report_object();
    struct run_plan plan;
    const struct team_plan *team = &plan.team;
    int rc;
    TRY(make_plan(r, &plan));
    show_row(put_text(o, r->kind->subject, r->model.name), r->kind->subject, "%s: %s", r->model.name, r->model.words);
    put_setup(r, r->set->steps, o);
    show_row(put_text(o, "device", team->ids), "device", "%s  %s", team->first.id, team->first.name);
    put_count(o, "device_count", team->count);
    if (team->count > 1)
        ROW(o, "", "and %zu more, which share the work", team->count - 1);
    if (plan.streams) {
        const bool whole = team->memory_bytes && plan.bytes > team->memory_bytes;
        ROW(o, "memory", "%s, more than the device's %s%s: the field is streamed, and the host needs %s for two states",
            bytes_text(plan.bytes).text, bytes_text(whole ? team->memory_bytes : team->first.max_alloc_bytes).text,
            whole ? "" : " in one piece", bytes_text(plan.memory.host).text);
        put_bytes(o, "memory_bytes", plan.bytes);
        put_bytes(o, "device_memory_bytes", team->memory_bytes);
        put_bytes(o, "host_memory_bytes", plan.memory.host);
    } else {
        memory_put(&plan.memory, &plan.device, o);
    }
    put_flag(o, "streamed", plan.streams);
    show_value(put_text(o, "variant", r->set->variant), "variant");
    plan_products(r, o);
    rc = report_print(o);
    o = NULL;
    TRY(rc);
    TRY(check_plan(r, &plan));
out:
    report_free(o);
    return rc;
}
/* SPDX-License-Identifier: MIT */
