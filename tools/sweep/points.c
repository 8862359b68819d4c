/* meshwork sweep: the points, from --over and -p, and the sizes. */
#include <math.h>
#include <stdio.h>

#include "tools/cli/names.h"
#include "tools/spin/spin.h"
#include "tools/sweep/sweep.h"

#define POINTS_MOST 100000

/* ---- values ---- */

/* Without what sums of steps leave behind the last digits that a user would write. */
static double tidy(double value)
{
    char text[40];

    snprintf(text, sizeof(text), "%.12g", value);
    return strtod(text, NULL);
}

static int make_points(struct sweep *s, double count)
{
    int rc;

    if (!(count <= POINTS_MOST))
        return mw_fail(MW_EINVAL, "--over %s: more than %d values", s->set->over, POINTS_MOST);
    TRY(allocate((size_t)count, sizeof(*s->points), &s->points));
    s->point_count = (size_t)count;
out:
    return rc;
}

/* The next number of a list, which ends at one of `between`; what follows. */
static int next_number(const struct sweep *s, const char **at, const char *between, double *value)
{
    char text[64];
    const size_t n = strcspn(*at, between);

    text_fit(text, n < sizeof(text) ? n + 1 : sizeof(text), *at);
    if (parameter_number("", text, value) != 0)
        return mw_fail(MW_EINVAL, "--over %s: '%s' is not a number: values are FIRST:LAST:STEP, or a list as in 1,2,5",
                       s->set->over, text);
    *at += n;
    *at += **at != 0;
    return 0;
}

static int range(struct sweep *s, const char *at)
{
    double first, last, step;
    int rc;

    TRY(next_number(s, &at, ":", &first));
    TRY(next_number(s, &at, ":", &last));
    TRY(next_number(s, &at, "", &step));
    step = last < first ? -fabs(step) : fabs(step);
    if (step == 0 || !isfinite(first) || !isfinite(last) || !isfinite(step))
        return mw_fail(MW_EINVAL, "--over %s: FIRST:LAST:STEP are finite numbers, and the step is not 0",
                       s->set->over);
    TRY(make_points(s, floor((last - first) / step + 1e-9) + 1));
    for (size_t i = 0; i < s->point_count; i++)
        s->points[i].value = tidy(first + (double)i * step);
out:
    return rc;
}

static int list(struct sweep *s, const char *at)
{
    size_t count = 1;
    int rc;

    for (const char *c = at; *c; c++)
        count += *c == ',';
    TRY(make_points(s, (double)count));
    for (size_t i = 0; i < count; i++)
        TRY(next_number(s, &at, ",", &s->points[i].value));
out:
    return rc;
}

/* ---- parameters ---- */

static bool is_bound(const struct mw_model_number *number, const char *name)
{
    return number->param && !strcmp(number->param, name);
}

/* That of --over, whose values have become points. */
static int read_over(struct sweep *s, const char *const *names, double *params, size_t *over)
{
    const struct words word = { .item = (const char *[]){ s->set->over }, .count = 1 };
    const struct mw_model_info *m = s->model;
    const char *values;
    char name[64];
    int rc;

    if (!s->set->over)
        return mw_fail(MW_EINVAL, "nothing to sweep over: give --over NAME=FIRST:LAST:STEP, as in --over T=2:2.6:0.05");
    if (parameter_split(s->set->over, name, &values) != 0)
        return mw_fail(MW_EINVAL, "--over %s: give it as NAME=FIRST:LAST:STEP", s->set->over);
    *over = spin_param(m, name);
    if (*over == m->param_count)
        return parameters_set(m->name, names, m->param_count, &word, params);
    for (size_t i = 0; i < s->set->params.count; i++)
        if (!strncmp(s->set->params.item[i], name, strlen(name)) && s->set->params.item[i][strlen(name)] == '=')
            return mw_fail(MW_EINVAL, "-p %s and --over %s contradict each other: leave out one of them",
                           s->set->params.item[i], s->set->over);
    s->over = m->params[*over].name;
    if (is_bound(&m->spin.least, s->over) || is_bound(&m->spin.most, s->over))
        return mw_fail(MW_EINVAL, "--over %s: how many values a spin has is the same in all systems: run a sweep for "
                       "each", s->set->over);
    TRY(strchr(values, ':') ? range(s, values) : list(s, values));
out:
    return rc;
}

int sweep_points(struct sweep *s)
{
    const struct mw_model_info *m = s->model;
    const char **names = NULL;
    double *params = NULL;
    size_t over = 0;
    int rc;

    TRY(allocate(m->param_count, sizeof(*names), &names));
    TRY(allocate(m->param_count, sizeof(*params), &params));
    for (size_t i = 0; i < m->param_count; i++) {
        names[i] = m->params[i].name;
        params[i] = m->params[i].value;
    }
    TRY(parameters_set(m->name, names, m->param_count, &s->set->params, params));
    TRY(read_over(s, names, params, &over));
    for (size_t i = 0; i < s->point_count; i++) {
        struct sweep_point *p = &s->points[i];
        TRY(allocate(m->param_count, sizeof(*p->params), &p->params));
        memcpy(p->params, params, m->param_count * sizeof(*params));
        p->params[over] = p->value;
        p->temperature = spin_temperature(m, p->params);
    }
    if (s->set->temper && strcmp(s->over, "T") != 0)
        return mw_fail(MW_EINVAL, "--temper exchanges temperatures: give --over T=FIRST:LAST:STEP");
    if (s->set->temper && s->point_count < 2)
        return mw_fail(MW_EINVAL, "--temper exchanges temperatures, and there is one: give --over more values");
out:
    free(names);
    free(params);
    return rc;
}

/* ---- sizes ---- */

static int read_size(const char *text, struct size *size)
{
    const struct option option = { .name = "size", .type = OPTION_SIZE };
    const int rc = value_read(&(struct placed){ &option, size, 0 }, 1, text);

    return rc ? mw_fail_in(rc, "--size") : 0;
}

/* Each has random numbers of its own, by a seed of its own. */
static int make_size(const struct sweep *s, struct sweep_size *z, uint64_t number)
{
    static const enum mw_spin_start starts[] = { MW_SPIN_UP, MW_SPIN_RANDOM, MW_SPIN_DOWN };
    const struct mesh_settings mesh = { .size = z->size, .boundary = s->set->boundary };
    size_t systems, series;
    struct mw_spin_options *o = &z->options;
    int rc;

    if (__builtin_mul_overflow(s->copies, s->point_count, &systems) ||
        __builtin_mul_overflow(systems, s->samples, &series) || series > SIZE_MAX / sizeof(double))
        return mw_fail(MW_ELIMIT, "%zu values, %zu systems and %llu measurements: that is more than memory can hold",
                       s->point_count, s->copies, (unsigned long long)s->samples);
    *o = (struct mw_spin_options){
        .dims = z->size.dims, .update = (enum mw_spin_update)s->set->update, .start = starts[s->set->start],
        .lattice = (enum mw_lattice_kind)s->set->lattice,
        .seed = s->set->seed + number, .params = s->points[0].params, .variant = s->set->variant,
        .systems = s->set->anneal ? s->copies : systems };
    TRY(mesh_boundaries(&mesh, o->boundary));
    z->cells = 1;
    for (unsigned d = 0; d < z->size.dims; d++)
        z->cells *= o->length[d] = z->size.length[d];
    TRY(mw_spins_choice(s->file, o, &z->variant, NULL));
    if (s->set->dry_run)
        goto out;
    TRY(allocate(series, sizeof(double), &z->energy));
    TRY(allocate(series, sizeof(double), &z->magnetisation));
    TRY(allocate(s->point_count, sizeof(*z->measured), &z->measured));
    TRY(allocate(s->point_count, sizeof(*z->found), &z->found));
    TRY(allocate(s->point_count, sizeof(uint64_t), &z->exchanges.tried));
    TRY(allocate(s->point_count, sizeof(uint64_t), &z->exchanges.accepted));
out:
    return rc;
}

int sweep_sizes(struct sweep *s)
{
    const struct words *sizes = &s->set->sizes;
    const size_t count = sizes->count ? sizes->count : 1;
    int rc;

    TRY(allocate(count, sizeof(*s->sizes), &s->sizes));
    for (size_t i = 0; i < count; i++) {
        struct sweep_size *z = &s->sizes[i];
        TRY(read_size(sizes->count ? sizes->item[i] : "32x32", &z->size));
        s->size_count++;
        TRY(make_size(s, z, i));
    }
out:
    return rc;
}

void sweep_free(struct sweep *s)
{
    for (size_t i = 0; i < s->size_count; i++) {
        struct sweep_size *z = &s->sizes[i];
        free(z->energy);
        free(z->magnetisation);
        free(z->measured);
        free(z->found);
        free(z->exchanges.tried);
        free(z->exchanges.accepted);
    }
    for (size_t i = 0; i < s->point_count; i++)
        free(s->points[i].params);
    free(s->sizes);
    free(s->points);
    team_close(&s->team);
    mw_model_free(s->file);
}
