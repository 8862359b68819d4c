/* Choice of a plan: from options, from the cache of tuning results, by tuning, or by rule. */
#include <math.h>

#include "dev/core/backend.h"
#include "field/program/program.h"

/* Seconds of tuning at first use, unless a rule gives the fastest shape.  GPUs have more candidates, and fast
 * compilers. */
#define TUNE_BUDGET 1.0
#define TUNE_BUDGET_GPU 1.8

/* A candidate is timed in batches of passes: seconds per batch, and in total. */
enum { BATCHES_LEAST = 5, BATCHES = 20 };
#define BATCH 2e-3
#define MEASURING 0.03

struct measuring {
    const struct mw_field_array *array;
    double dt;
    struct mw_buffer *state, *scratch;
};

/* Does the work of the time steps of a launch (or one step), for one batch of systems: it reads and writes as many
 * states as a run.  The state itself is not changed: writes to it go to the other buffer. */
static int tuning_pass(const struct measuring *m, const struct mw_field_plan *plan)
{
    const struct mw_field_two_updates both = { m->scratch, m->state, m->dt, m->dt, false };
    const struct mw_problem *problem = m->array->problem;
    struct mw_slabs own = mw_place_own(&m->array->place);
    own.end = own.first + mw_field_plan_batch(plan, m->array);
    TRY_RETURN(mw_field_plan_draw(plan, m->array, own));
    if (plan->shape.steps)
        return mw_field_plan_steps(plan, m->array, m->scratch, m->state, m->dt, plan->shape.steps, own);
    if (mw_field_plan_pairs(plan, problem))
        return mw_field_plan_step(plan, m->array, &both, own);
    for (int i = 0; i < mw_problem_updates(problem); i++) {
        struct mw_field_update u = mw_field_plan_nth(plan, problem, i, m->dt, m->state, m->scratch);
        if (u.out == m->state)
            u = mw_field_plan_nth(plan, problem, i, m->dt, m->scratch, m->state);
        TRY_RETURN(mw_field_plan_update(plan, m->array, &u, own));
    }
    return 0;
}

/* Measures a pass without waiting for each one, as in a run: the minimum over batches that are long compared with the
 * wait. */
static int time_pass(const struct measuring *m, const struct mw_field_plan *plan, double *seconds)
{
    double best = HUGE_VAL, total = 0;
    size_t batch = 1;
    TRY_RETURN(tuning_pass(m, plan));
    TRY_RETURN(mw_device_finish(m->array->device));
    for (int i = 0; i < BATCHES && (i < BATCHES_LEAST || total < MEASURING); i++) {
        const double start = mw_work_now();
        for (size_t k = 0; k < batch; k++)
            TRY_RETURN(tuning_pass(m, plan));
        TRY_RETURN(mw_device_finish(m->array->device));
        const double took = mw_work_now() - start;
        total += took;
        best = took / (double)batch < best ? took / (double)batch : best;
        batch *= took < BATCH ? 2 : 1;
    }
    *seconds = best;
    return 0;
}

/* Measures the seconds per time step of a shape. */
static int tuning_measure(void *context, const struct mw_shape *shape, double *seconds)
{
    const struct measuring *m = context;
    struct mw_field_plan plan = { 0 };
    char text[MW_SHAPE_TEXT];
    int rc;
    TRY(mw_field_plan_make(m->array, shape, &plan));
    TRY(time_pass(m, &plan, seconds));
    *seconds *= (double)m->array->place.own / mw_field_plan_batch(&plan, m->array);
    *seconds /= mw_field_plan_together(&plan, m->array->problem);
    mw_shape_format(shape, text);
    mw_log(MW_LOG_INFO, "tuning: %s: %.3g s per step", text, *seconds);
out:
    mw_field_plan_clear(&plan);
    return rc;
}

/* Computes the part of the cache key that depends on the source, without the shape. */
static int tune_signature(const struct mw_field_array *a, uint64_t *signature)
{
    const struct mw_shape any = { .variant = "fused", .vec = 1, .per_item = 1, .rows = 1 };
    struct mw_text defines = { 0 }, flat = { 0 };
    struct mw_source_text texts[MW_FIELD_SOURCE_TEXTS];
    struct mw_source source;
    int rc;
    TRY(mw_field_source(a->problem, &any, &defines, texts, &source));
    if (mw_device_info(a->device)->kind == MW_DEVICE_NATIVE) {
        mw_text_add(&flat, "%s %s %s", mw_version(), defines.data, a->problem->model->text);
        TRY(mw_text_ok(&flat));
    } else {
        TRY(mw_flatten(a->device->kernel_path, &source, &flat));
    }
    *signature = mw_hash64(flat.data, flat.length, 0);
out:
    mw_text_free(&defines);
    mw_text_free(&flat);
    return rc;
}

static unsigned power_of(size_t n)
{
    unsigned bits = 0;
    while (n >> bits > 1)
        bits++;
    return bits;
}

/* Computes the cache key from the lengths, rounded to powers of two: long rows need other shapes than squares of equal
 * size. */
static void tune_key(const struct mw_field_array *a, char *key, size_t size)
{
    struct mw_text t = { 0 };
    mw_text_add(&t, "field/%s/%s/%s/", a->problem->model->info.name, mw_integrator_name(a->problem->integrator),
                a->problem->fp64 ? "double" : "single");
    for (unsigned d = 0; d < a->problem->dims; d++)
        mw_text_add(&t, "%s2^%u", d ? "x" : "", power_of(a->length[d]));
    if (a->problem->steps_most)
        mw_text_add(&t, "/%u", a->problem->steps_most);
    if (mw_field_has_systems(a->problem))
        mw_text_add(&t, "*2^%u", power_of(a->problem->systems));
    mw_copy_string(key, size, t.data ? t.data : "");
    mw_text_free(&t);
}

/* Sets the parts of a candidate that the user fixed.  If they name another variant, the rest is its default. */
static int fix_parts(const struct mw_field_array *a, const struct mw_field_options *o, struct mw_shape *shape)
{
    const struct mw_shape candidate = *shape;
    if (!o->shape)
        return 0;
    TRY_RETURN(mw_shape_parse(o->shape, shape));
    if (strcmp(shape->variant, candidate.variant) != 0) {
        char name[sizeof shape->variant];
        mw_copy_string(name, sizeof name, shape->variant);
        TRY_RETURN(mw_field_shape_by_hand(mw_device_info(a->device), a->problem, name, shape));
        TRY_RETURN(mw_shape_parse(o->shape, shape));
    }
    return 0;
}

static bool is_among(const struct mw_shape *shapes, size_t count, const struct mw_shape *shape)
{
    for (size_t i = 0; i < count; i++)
        if (memcmp(&shapes[i], shape, sizeof *shape) == 0)
            return true;
    return false;
}

/* Keeps the candidates that agree with the parts that the user fixed.  If no candidate does, keeps one that will be
 * refused. */
static int restrict_candidates(const struct mw_field_array *a, const struct mw_field_options *o,
                               struct mw_shape *shapes, size_t *count)
{
    const bool any = !o->variant || strcmp(o->variant, "auto") == 0;
    const struct mw_device_info *device = mw_device_info(a->device);
    struct mw_field_variant variant;
    struct mw_shape refused = { 0 };
    size_t kept = 0, refusals = 0;
    if (!any)
        TRY_RETURN(mw_field_variant(o->variant, &variant));
    for (size_t i = 0; i < *count; i++) {
        struct mw_shape s = shapes[i];
        if (!any && strcmp(s.variant, o->variant) != 0)
            continue;
        TRY_RETURN(fix_parts(a, o, &s));
        if (o->shape && mw_field_check_shape(device, a->problem, a->length, &s) != 0)
            refused = refusals++ ? refused : s;
        else if (!is_among(shapes, kept, &s))
            shapes[kept++] = s;
    }
    if (kept == 0 && refusals > 0) {
        shapes[kept++] = refused;
    } else if (kept == 0) {
        /* No candidate has this variant: use its default shape. */
        TRY_RETURN(mw_field_shape_by_hand(device, a->problem, o->variant, &shapes[0]));
        TRY_RETURN(fix_parts(a, o, &shapes[0]));
        kept = 1;
    }
    *count = kept;
    return 0;
}

/* Runs a pass as well: some drivers compile at the first launch, and report failures then. */
static int make_and_try(const struct measuring *m, const struct mw_shape *shape, struct mw_field_plan *plan)
{
    TRY_RETURN(mw_field_plan_make(m->array, shape, plan));
    int rc = tuning_pass(m, plan);
    if (rc == 0)
        rc = mw_device_finish(m->array->device);
    if (rc != 0)
        mw_field_plan_clear(plan);
    return rc;
}

int mw_field_choose(const struct mw_field_array *a, const struct mw_field_options *o, struct mw_buffer *state,
                    struct mw_buffer *scratch, struct mw_field_plan *plan)
{
    const struct mw_device_info *device = mw_device_info(a->device);
    const bool by_hand = o->shape || (o->variant && strcmp(o->variant, "auto") != 0);
    const char *chosen = by_hand ? "by hand" : "by rule";
    struct mw_shape shapes[MW_SHAPES_MAX] = { 0 }, best;
    struct measuring measuring = { a, o->dt, state, scratch };
    struct mw_tuning tuning = {
        .size = sizeof tuning, .candidates = shapes, .measure = tuning_measure, .context = &measuring
    };
    char key[96], text[MW_SHAPE_TEXT];
    uint64_t signature;
    double seconds = 0;
    size_t tried = 0;
    int rc;
    TRY_RETURN(tune_signature(a, &signature));
    tuning.count = mw_field_candidates(device, a->problem, a->length, shapes);
    TRY_RETURN(restrict_candidates(a, o, shapes, &tuning.count));
    best = shapes[0];
    tune_key(a, key, sizeof key);
    if (!by_hand && !o->retune && !o->no_tune && mw_tune_get(device, key, signature, &best)) {
        chosen = "remembered";
    } else if (!o->no_tune && (o->retune || !device->traits->shapes_are_known) && tuning.count > 1) {
        tuning.budget = o->tune_budget > 0              ? o->tune_budget
                        : o->retune                     ? 1e9
                        : device->kind == MW_DEVICE_GPU ? TUNE_BUDGET_GPU
                                                        : TUNE_BUDGET;
        mw_log(MW_LOG_WAIT, "tuning %s on %s", a->problem->model->info.name, device->id);
        rc = mw_tune(&tuning, &best, &seconds, &tried);
        mw_log(MW_LOG_WAIT, "%s", "");
        TRY_RETURN(rc);
        chosen = "tuned";
        if (!by_hand && mw_tune_put(device, key, signature, &best, seconds) != 0)
            mw_log(MW_LOG_INFO, "cannot store the tuned shape: %s", mw_errmsg());
    }
    mw_shape_format(&best, text);
    if (tried)
        mw_log(MW_LOG_INFO, "tuning: fastest of %zu tried (of %zu%s): %s", tried, tuning.count,
               tried < tuning.count ? "; `meshwork tune` tries all" : "", text);
    else
        mw_log(MW_LOG_INFO, "shape (%s): %s", chosen, text);
    rc = make_and_try(&measuring, &best, plan);
    /* The cached shape may be from another size, or need more registers than the driver supports. */
    for (size_t i = 0; rc != 0 && !by_hand && i < tuning.count; i++) {
        mw_log(MW_LOG_INFO, "the shape does not fit (%s); trying the rule's next shape", mw_errmsg());
        chosen = "by rule";
        rc = make_and_try(&measuring, &shapes[i], plan);
    }
    TRY_RETURN(rc);
    plan->chosen = chosen;
    return 0;
}
/* SPDX-License-Identifier: MIT */
