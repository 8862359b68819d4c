/* meshwork run: the summary, for people and as JSON, and the plan of --dry-run. */
#include "run.h"

#include <math.h>
#include <string.h>

#define ROW(title, ...) (table_add(&table, DIM, "%s", title), table_add(&table, PLAIN, __VA_ARGS__))

static double rate(const struct run *r)
{
    return r->result.seconds > 0 ? (double)r->cells * (double)r->result.done / r->result.seconds : 0;
}

static uint64_t state_bytes(const struct run *r)
{
    return (uint64_t)r->cells * r->info->field_count * (r->options.fp64 ? 8 : 4);
}

/* "periodic", or where dimensions differ "periodic,mirror". */
static struct short_text boundary_text(const struct run *r)
{
    const struct mw_field_options *o = &r->options;
    struct short_text t = { "" };
    unsigned count = 1;
    size_t n = 0;

    for (unsigned d = 1; d < o->dims; d++)
        count = o->boundary[d] != o->boundary[0] ? o->dims : count;
    for (unsigned d = 0; d < count && n < sizeof(t.text); d++)
        n += (size_t)snprintf(t.text + n, sizeof(t.text) - n, "%s%s", d ? "," : "", boundary_names[o->boundary[d]]);
    return t;
}

static struct short_text mesh_size(const struct run *r)
{
    struct size size = { .dims = r->options.dims };

    memcpy(size.length, r->options.length, sizeof(size.length));
    return size_text(&size, " x ");
}

/* ---- JSON ---- */

/* What a run and its plan have in common. */
static struct json *setup_json(const struct run *r, uint64_t steps)
{
    const struct mw_field_options *o = &r->options;
    struct json *json = js_object(), *size = js_array(), *boundary = js_array();

    js_text(json, "model", r->info->name);
    for (unsigned i = 0; i < o->dims; i++) {
        js_count(size, NULL, o->length[i]);
        js_text(boundary, NULL, boundary_names[o->boundary[i]]);
    }
    js_put(json, "size", size);
    js_text(json, "precision", o->fp64 ? "double" : "single");
    js_text(json, "integrator", integrator_names[o->integrator]);
    js_put(json, "boundary", boundary);
    js_text(json, "laplacian", laplacian_names[o->laplacian]);
    js_count(json, "steps", steps);
    js_real(json, "dt", o->dt);
    js_real(json, "time", (double)steps * o->dt);
    if (r->restart)
        js_count(json, "restarted_at", mw_checkpoint_step(r->restart));
    return json;
}

/* A number, or with several states observed an array; null for a model without energy. */
static void energy_json(const struct run *r, struct json *o)
{
    struct json *array;

    if (r->energies.count == 0) {
        js_real(o, "energy", r->energy);
        return;
    }
    array = js_array();
    for (size_t i = 0; i < r->energies.count; i++)
        js_real(array, NULL, r->energies.item[i]);
    js_put(o, "energy", array);
}

/* null where no state was labelled. */
static void components_json(const struct run_components *c, struct json *o)
{
    if (c->known) {
        js_count(o, "components", c->summary.components);
        js_count(o, "largest", c->summary.largest_size);
    } else {
        js_real(o, "components", NAN);
        js_real(o, "largest", NAN);
    }
    js_real(o, "mean_size", c->known ? c->summary.mean_size : NAN);
}

static void state_json(const struct run *r, struct json *o)
{
    struct json *means = js_object(), *variances = js_object(), *ranges = js_object();
    char checksum[20];

    for (size_t i = 0; i < r->info->field_count; i++) {
        const struct mw_statistics *s = &r->statistics[i];
        const char *name = r->info->fields[i].name;
        struct json *range = js_array();
        js_real(range, NULL, s->least);
        js_real(range, NULL, s->most);
        js_real(means, name, s->mean);
        js_real(variances, name, s->variance);
        js_put(ranges, name, range);
    }
    snprintf(checksum, sizeof(checksum), "%016llx", (unsigned long long)mw_array_checksum(&r->state));
    js_put(o, "means", means);
    js_put(o, "variances", variances);
    js_put(o, "ranges", ranges);
    energy_json(r, o);
    js_real(o, "domain_size", r->domain_size);
    if (r->set->label_every)
        components_json(&r->components, o);
    js_text(o, "checksum", checksum);
}

static int summary_json(const struct run *r, const struct mw_shape *shape, const char *how)
{
    const struct { const char *name; double value; } timings[] = {
        { "setup", r->setup_seconds }, { "first_step", r->result.first_step_seconds },
        { "compute", r->result.seconds }, { "output", r->output_seconds },
        { "label", r->components.seconds }, { "checkpoint", r->result.checkpoint_seconds },
        { "verify", r->verify_seconds },
        { "total", mw_now() - r->start } };
    struct json *o = setup_json(r, r->result.steps), *times = js_object();
    char text[MW_SHAPE_TEXT];

    mw_shape_format(shape, text);
    js_real(o, "seconds", r->result.seconds);
    js_real(o, "cell_steps_per_second", rate(r));
    js_text(o, "device", mw_device_info(r->device)->id);
    js_text(o, "device_name", mw_device_info(r->device)->name);
    team_json(r->field, o);
    js_text(o, "variant", shape->variant);
    js_text(o, "shape", text);
    js_text(o, "chosen", how);
    state_json(r, o);
    if (r->checkpoint)
        js_text(o, "checkpoint", r->checkpoint);
    else
        js_real(o, "checkpoint", NAN);
    js_flag(o, "stopped", r->stopped);
    if (r->set->verify)
        js_flag(o, "verified", !r->stopped);
    for (size_t i = 0; i < MW_COUNT(timings); i++)
        js_real(times, timings[i].name, timings[i].value);
    js_put(o, "timings", times);
    return js_print(o);
}

static int plan_json(const struct run *r, const struct team_plan *team, uint64_t bytes)
{
    struct json *o = setup_json(r, r->set->steps), *writes = js_object();

    js_text(o, "device", team->first.id);
    js_count(o, "devices", team->count);
    js_text(o, "variant", r->set->variant);
    js_count(o, "memory_bytes", bytes);
    js_count(o, "device_memory_bytes", team->memory_bytes);
    js_count(o, "host_memory_bytes", state_bytes(r));
    for (size_t i = 0; i < PRODUCTS; i++)
        if (r->products[i].pattern)
            js_text(writes, r->products[i].option, r->products[i].pattern);
    if (r->set->series)
        js_text(writes, "series", r->set->series);
    if (r->checkpoint)
        js_text(writes, "checkpoint", r->checkpoint);
    js_put(o, "writes", writes);
    return js_print(o);
}

/* ---- tables ---- */

/* The rows that a run and its plan have in common. */
static void setup_rows(struct table *to, const struct run *r, uint64_t steps)
{
    const struct mw_field_options *o = &r->options;
    struct table table = *to;
    char asked[40] = "";

    ROW("size", "%s cells, %s precision", mesh_size(r).text, o->fp64 ? "double" : "single");
    ROW("boundary", "%s%s%s%s", boundary_text(r).text, o->laplacian != MW_LAPLACIAN_SECOND ? ", " : "",
        o->laplacian != MW_LAPLACIAN_SECOND ? laplacian_names[o->laplacian] : "",
        o->laplacian == MW_LAPLACIAN_FOURTH ? "-order Laplacian"
        : o->laplacian == MW_LAPLACIAN_ISOTROPIC ? " Laplacian" : "");
    if (r->stopped)
        snprintf(asked, sizeof(asked), " (of %llu)", (unsigned long long)r->set->steps);
    ROW("steps", "%llu%s, dt = %g, %s", (unsigned long long)steps, asked, o->dt, integrator_names[o->integrator]);
    if (r->restart)
        ROW("restarted", "at step %llu, from %s", (unsigned long long)mw_checkpoint_step(r->restart),
            mw_checkpoint_path(r->restart));
    ROW("time", "%g", (double)steps * o->dt);
    *to = table;
}

static void state_rows(struct table *to, const struct run *r)
{
    struct table table = *to;
    size_t widest = 0;

    for (size_t i = 0; i < r->info->field_count; i++) {
        char mean[32];
        const size_t n = (size_t)snprintf(mean, sizeof(mean), "%.9g", r->statistics[i].mean);
        widest = n > widest ? n : widest;
    }
    for (size_t i = 0; i < r->info->field_count; i++) {
        const struct mw_statistics *s = &r->statistics[i];
        ROW(r->info->fields[i].name, "mean %-*.9g  deviation %-11.6g  from %.6g to %.6g", (int)widest, s->mean,
            sqrt(s->variance), s->least, s->most);
    }
    if (r->info->has_energy)
        ROW("energy", "%.9g", r->energy);
    if (isfinite(r->domain_size))
        ROW("domains", "%.4g cells across, of one sign of %s", r->domain_size, r->info->fields[0].name);
    if (r->components.known)
        ROW("components", "%zu by the %s of %s, the largest of %zu cells, %.4g on average",
            r->components.summary.components, join_names[r->set->join], r->info->fields[0].name,
            r->components.summary.largest_size, r->components.summary.mean_size);
    ROW("checksum", "%016llx", (unsigned long long)mw_array_checksum(&r->state));
    *to = table;
}

static void written_rows(struct table *to, const struct run *r)
{
    struct table table = *to;

    for (size_t i = 0; i < PRODUCTS; i++) {
        const struct product *p = &r->products[i];
        if (p->files && !strcmp(p->pattern, "-"))
            ROW(p->title, "to standard output");
        else if (p->files && write_is_series(r, p))
            ROW(p->title, "%zu, %s", p->files, p->pattern);
        else if (p->files)
            ROW(p->title, "%s", p->pattern);
    }
    if (r->set->series)
        ROW("series", "%s", r->set->series);
    if (r->checkpoint)
        ROW("checkpoint", "%s, at step %llu", r->checkpoint, (unsigned long long)r->result.steps);
    *to = table;
}

static int summary_table(const struct run *r, const struct mw_shape *shape, const char *how)
{
    const struct mw_device_info *device = mw_device_info(r->device);
    char text[MW_SHAPE_TEXT];
    struct table table;

    mw_shape_format(shape, text);
    table_start(&table, "|");
    ROW("model", "%s", r->info->name);
    setup_rows(&table, r, r->result.steps);
    ROW("device", "%s  %s", device->id, device->name);
    ROW("shape", "%s (%s)", text, how);
    team_rows(r->field, &table);
    ROW("seconds", "%.4g", r->result.seconds);
    ROW("", "setup %s, first step %s, output %s, %s%s%stotal %s", seconds_text(r->setup_seconds).text,
        seconds_text(r->result.first_step_seconds).text, seconds_text(r->output_seconds).text,
        r->result.checkpoints ? "checkpoints " : "",
        r->result.checkpoints ? seconds_text(r->result.checkpoint_seconds).text : "",
        r->result.checkpoints ? ", " : "", seconds_text(mw_now() - r->start).text);
    ROW("rate", "%s", rate_text(rate(r)).text);
    state_rows(&table, r);
    if (r->set->verify && !r->stopped)
        ROW("verified", "same bits as native:serial, in %s", seconds_text(r->verify_seconds).text);
    written_rows(&table, r);
    return table_print(&table, results());
}

static void plan_rows(struct table *to, const struct run *r)
{
    const unsigned long long looks = write_count(r, r->set->every ? r->set->every : r->every);
    const unsigned long long rows = write_count(r, r->every);
    struct table table = *to;

    for (size_t i = 0; i < PRODUCTS; i++) {
        const struct product *p = &r->products[i];
        if (p->pattern && write_is_series(r, p))
            ROW(p->title, "%llu file%s, %s", looks, looks == 1 ? "" : "s", p->pattern);
        else if (p->pattern)
            ROW(p->title, "%s", strcmp(p->pattern, "-") ? p->pattern : "to standard output");
    }
    if (r->set->series)
        ROW("series", "%llu row%s, %s", rows, rows == 1 ? "" : "s", r->set->series);
    if (r->set->label_every)
        ROW("components", "by the %s, every %llu steps and at the end", join_names[r->set->join],
            (unsigned long long)r->set->label_every);
    if (r->checkpoint && r->set->checkpoint_every)
        ROW("checkpoint", "every %llu steps and at the end, %s and %s.old, each of %s",
            (unsigned long long)r->set->checkpoint_every, r->checkpoint, r->checkpoint,
            bytes_text(state_bytes(r)).text);
    else if (r->checkpoint)
        ROW("checkpoint", "at the end, %s, of %s", r->checkpoint, bytes_text(state_bytes(r)).text);
    *to = table;
}

int report_summary(const struct run *r)
{
    struct mw_shape shape;
    const char *how;

    mw_field_shape(r->field, &shape, &how);
    return r->set->json ? summary_json(r, &shape, how) : summary_table(r, &shape, how);
}

int report_plan(const struct run *r)
{
    struct team_plan team;
    uint64_t bytes;
    struct table table;
    int rc;

    TRY(mw_field_bytes(r->model, &r->options, &bytes));
    bytes += components_bytes(r);
    TRY(team_plan(r->set, &team));
    if (r->set->json) {
        TRY(plan_json(r, &team, bytes));
    } else {
        table_start(&table, "|");
        ROW("model", "%s: %s", r->info->name, r->info->equation);
        setup_rows(&table, r, r->set->steps);
        ROW("device", "%s  %s", team.first.id, team.first.name);
        if (team.count > 1)
            ROW("", "and %zu more, which share the mesh", team.count - 1);
        ROW("memory", "%s of %s on the device%s, and %s for a state on the host", bytes_text(bytes).text,
            bytes_text(team.memory_bytes).text, team.count > 1 ? "s" : "", bytes_text(state_bytes(r)).text);
        ROW("variant", "%s", r->set->variant);
        plan_rows(&table, r);
        TRY(table_print(&table, results()));
    }
    const char *names = team.count > 1 ? r->set->device : team.first.id;
    if (team.memory_bytes && bytes > team.memory_bytes)
        rc = mw_fail(MW_ELIMIT, "%s has %s of memory and this run needs %s: choose a smaller --size or another device",
                     names, bytes_text(team.memory_bytes).text, bytes_text(bytes).text);
    else if (r->options.fp64 && !team.fp64)
        rc = mw_fail(MW_ENOTSUP, "%s has no double precision: use --precision single", names);
out:
    return rc;
}
