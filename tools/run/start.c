/* meshwork run: where a run begins: noise, constants, a file, a checkpoint. */
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const integrator_names[] = { "euler", "rk2", "rk4" };
const char *const boundary_names[] = {
    [MW_BOUNDARY_PERIODIC] = "periodic", [MW_BOUNDARY_MIRROR] = "mirror", [MW_BOUNDARY_FIXED] = "fixed" };
const char *const laplacian_names[] = { "second", "fourth", "isotropic" };

/* ---- --input ---- */

/* What the file has and an option contradicts. */
static int check_lengths(const struct run *r, unsigned dims, const size_t *length)
{
    const struct size *size = &r->set->size;

    if (options_origin(r->command, "size") == FROM_OPTION &&
        (dims != size->dims || memcmp(length, size->length, dims * sizeof(size_t)) != 0))
        return mw_fail(MW_EINVAL, "%s has another size than --size: leave out --size, which is the file's",
                       r->set->input);
    return 0;
}

static void adopt_lengths(struct run *r, unsigned dims, const size_t *length)
{
    struct size size = { .dims = dims };

    memcpy(size.length, length, dims * sizeof(size_t));
    r->command->settings.size = size;
}

static int read_npy(struct run *r)
{
    const char *path = r->set->input;
    const struct mw_array *a = &r->input;
    const size_t fields = r->info->field_count;
    bool fp64;
    int rc;

    TRY(mw_npy_read(path, &r->input));
    fp64 = a->type == MW_TYPE_F64;
    if (!fp64 && a->type != MW_TYPE_F32)
        return mw_fail(MW_EDATA, "%s holds %s: a state is float32 or float64", path, mw_type_name(a->type));
    unsigned dims = a->dims - (fields > 1 && a->dims);
    if (!dims || (fields > 1 && a->length[dims] != fields))
        return mw_fail(MW_EDATA, "%s is not a state of model %s, which has %zu field%s", path, r->info->name, fields,
                       fields == 1 ? "" : "s");
    if (options_origin(r->command, "precision") == FROM_OPTION && fp64 != (r->set->precision == PRECISION_DOUBLE))
        return mw_fail(MW_EINVAL, "%s holds %s: leave out --precision, which is the file's", path,
                       mw_type_name(a->type));
    TRY(check_lengths(r, dims, a->length));
    r->command->settings.precision = fp64 ? PRECISION_DOUBLE : PRECISION_SINGLE;
    adopt_lengths(r, dims, a->length);
out:
    return rc;
}

static int parse_range(const char *text, double *lo, double *hi)
{
    char *end;

    *lo = strtod(text, &end);
    if (end != text && *end == ',') {
        const char *second = end + 1;
        *hi = strtod(second, &end);
        if (end != second && !*end && isfinite(*lo) && isfinite(*hi))
            return 0;
    }
    return mw_fail(MW_EINVAL, "--input-range: '%s' is not of the form BLACK,WHITE, as in -1,1", text);
}

/* The brightness of a pixel from 0 to 1; of colours by the weights of Rec. 601. */
static double brightness(const struct mw_array *channels, unsigned per_pixel, size_t pixel)
{
    static const double weights[] = { 0.299, 0.587, 0.114 };
    const bool deep = channels->type == MW_TYPE_U16;
    double sum = 0;

    for (size_t c = 0; c < (per_pixel < 3 ? 1 : 3); c++) {
        const size_t at = pixel * per_pixel + c;
        const double v = deep ? ((const uint16_t *)channels->data)[at] / 65535.0
                              : ((const uint8_t *)channels->data)[at] / 255.0;
        sum += per_pixel < 3 ? v : weights[c] * v;
    }
    return sum;
}

/* A picture becomes the first field; the others start as the model says. */
static int read_png(struct run *r)
{
    struct mw_array pixels = { 0 }, channels = { 0 };
    enum mw_png_kind kind;
    double lo = 0, hi = 0;
    int rc;

    TRY(parse_range(r->set->input_range, &lo, &hi));
    TRY(mw_png_read(r->set->input, &pixels, &kind));
    TRY(check_lengths(r, 2, pixels.length));
    TRY(mw_png_to_channels(&pixels, kind, &channels));
    TRY(mw_array_new(r->set->precision == PRECISION_DOUBLE ? MW_TYPE_F64 : MW_TYPE_F32, 2, pixels.length, &r->input));
    for (size_t i = 0; i < r->input.count; i++) {
        const double t = brightness(&channels, (unsigned)(channels.count / pixels.count), i);
        const double value = lo * (1 - t) + hi * t;  /* exact at both ends */
        if (r->input.type == MW_TYPE_F64)
            ((double *)r->input.data)[i] = value;
        else
            ((float *)r->input.data)[i] = (float)value;
    }
    adopt_lengths(r, 2, pixels.length);
out:
    mw_array_free(&channels);
    mw_array_free(&pixels);
    return rc;
}

static bool ends_in(const char *path, const char *suffix)
{
    const size_t length = strlen(path), n = strlen(suffix);

    return length > n && !strcasecmp(path + length - n, suffix);
}

int start_input(struct run *r)
{
    static const char *const others[] = { "start", "restart" };
    const bool picture = r->set->input && ends_in(r->set->input, ".png");
    int rc = 0;

    if (options_origin(r->command, "input-range") == FROM_OPTION && !picture)
        return mw_fail(MW_EINVAL, "--input-range is for a picture: give one with --input, or leave it out");
    if (r->set->restart && options_origin(r->command, "start") == FROM_OPTION)
        return mw_fail(MW_EINVAL, "--restart and --start contradict each other: leave out one of them");
    for (size_t i = 0; r->set->input && i < MW_COUNT(others); i++)
        if (options_origin(r->command, others[i]) == FROM_OPTION)
            return mw_fail(MW_EINVAL, "--input and --%s contradict each other: leave out one of them", others[i]);
    if (r->set->input)
        TRY(picture ? read_png(r) : read_npy(r));
out:
    return rc;
}

/* Values of the input that are not finite. */
static int check_input(const struct run *r)
{
    const size_t bad = mw_values_not_finite(r->input.data, r->options.fp64, r->input.count);

    if (bad < r->input.count)
        return mw_fail(MW_EDATA, "%s holds values that are not finite, the first at %s: a state consists of finite "
                       "numbers", r->set->input, cell_text(r, bad % r->cells).text);
    return 0;
}

/* ---- settings, and --restart ---- */

/* The shortest text that brings the same number back. */
static void add_real(struct mw_text *text, double value)
{
    char digits[40];

    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof(digits), "%.*g", precision, value);
        if (strtod(digits, NULL) == value)
            break;
    }
    mw_text_add(text, "%s", digits);
}

struct list { struct mw_setting *item; size_t count; struct mw_text text; int rc; };

/* Appends list->text as a setting's value, and empties it. */
static void add_setting(struct list *list, bool may_differ, const char *prefix, const char *name)
{
    struct mw_setting *s = &list->item[list->count];
    struct mw_text full = { 0 };
    char *own_name = NULL, *value = NULL;

    mw_text_add(&full, "%s%s", prefix, name);
    if (list->rc == 0 && (list->rc = mw_text_ok(&full)) == 0 && (list->rc = mw_text_ok(&list->text)) == 0 &&
        (list->rc = mw_strdup(full.data, &own_name)) == 0 &&
        (list->rc = mw_strdup(list->text.data ? list->text.data : "", &value)) == 0) {
        *s = (struct mw_setting){ own_name, value, may_differ };
        list->count++;
        own_name = NULL;
    }
    free(own_name);
    mw_text_free(&full);
    mw_text_free(&list->text);
}

#define SETTING(name, ...) (mw_text_add(&list.text, __VA_ARGS__), add_setting(&list, false, "", name))
#define NOTE(name, ...) (mw_text_add(&list.text, __VA_ARGS__), add_setting(&list, true, "", name))
#define SETTINGS_MAX 20          /* beside the parameters */

/* All that the bits of a run depend on, and then what a restarted run takes over unless told otherwise.  Names are
 * those of options where there are such, and values as these take them. */
static int make_settings(struct run *r)
{
    const struct mw_field_options *o = &r->options;
    struct list list = { 0 };
    int rc;

    TRY(mw_new(SETTINGS_MAX + r->info->param_count, sizeof(*list.item), &list.item));
    r->settings = list.item;
    SETTING("model", "%s", r->info->name);
    SETTING("text of the model", "%016llx", (unsigned long long)r->info->hash);
    for (unsigned i = 0; i < o->dims; i++)
        mw_text_add(&list.text, "%s%zu", i ? "x" : "", o->length[i]);
    add_setting(&list, false, "", "size");
    SETTING("precision", "%s", o->fp64 ? "double" : "single");
    SETTING("integrator", "%s", integrator_names[o->integrator]);
    for (unsigned i = 0; i < o->dims; i++)
        mw_text_add(&list.text, "%s%s", i ? "," : "", boundary_names[o->boundary[i]]);
    add_setting(&list, false, "", "boundary");
    SETTING("laplacian", "%s", laplacian_names[o->laplacian]);
    add_real(&list.text, o->dt);
    add_setting(&list, false, "", "dt");
    for (size_t i = 0; i < r->info->param_count; i++) {
        add_real(&list.text, r->params[i]);
        add_setting(&list, false, "parameter ", r->info->params[i].name);
    }
    SETTING("seed", "%llu", (unsigned long long)o->seed);
    SETTING("fast-math", "%s", o->fast_math ? "yes" : "no");
    NOTE("steps", "%llu", (unsigned long long)r->set->steps);
    if (r->set->every)
        NOTE("every", "%llu", (unsigned long long)r->set->every);
    if (r->set->label_every) {
        NOTE("label-every", "%llu", (unsigned long long)r->set->label_every);
        NOTE("label", "%s", join_names[r->set->join]);
    }
    if (r->set->checkpoint_every)
        NOTE("checkpoint-every", "%llu", (unsigned long long)r->set->checkpoint_every);
    NOTE("meshwork", "%s", mw_version());
    rc = list.rc;
out:
    return rc;
}

void start_free(struct run *r)
{
    for (struct mw_setting *s = r->settings; s && s->name; s++) {
        free((char *)s->name);
        free((char *)s->value);
    }
    free(r->settings);
    mw_checkpoint_close(r->restart);
    mw_array_free(&r->input);
}

int start_restart(struct run *r)
{
    static const char *const options[] = { "size", "precision", "integrator", "boundary", "laplacian", "dt", "seed",
                                           "fast-math", "steps", "every", "label-every", "label", "checkpoint-every" };
    char hash[20];
    const struct mw_setting model[] = { { "model", r->info->name, false }, { "text of the model", hash, false } };
    int rc;

    r->checkpoint = r->set->checkpoint ? r->set->checkpoint : r->set->restart;
    if (r->set->checkpoint_every && !r->checkpoint)
        return mw_fail(MW_EINVAL, "--checkpoint-every needs a file: give --checkpoint FILE");
    if (!r->set->restart)
        return 0;
    TRY(mw_checkpoint_open(r->set->restart, &r->restart));
    /* Of another model nothing can be taken over. */
    snprintf(hash, sizeof(hash), "%016llx", (unsigned long long)r->info->hash);
    for (size_t i = 0; i < MW_COUNT(model); i++) {
        const char *theirs = mw_checkpoint_setting(r->restart, model[i].name);
        if (!theirs || strcmp(theirs, model[i].value) != 0)
            return mw_fail(MW_EINVAL, "checkpoint %s belongs to another run: %s %s (here %s)",
                           mw_checkpoint_path(r->restart), model[i].name, theirs ? theirs : "none", model[i].value);
    }
    for (size_t i = 0; i < MW_COUNT(options); i++) {
        const char *value = mw_checkpoint_setting(r->restart, options[i]);
        if (!value || options_origin(r->command, options[i]) == FROM_OPTION)
            continue;
        if ((rc = options_assign(r->command, options[i], value)) != 0)
            return mw_fail_in(rc, "checkpoint %s: %s", mw_checkpoint_path(r->restart), options[i]);
    }
out:
    return rc;
}

int start_params(struct run *r)
{
    int rc;

    TRY(model_params(r->info, &r->set->params, &r->params));
    for (size_t i = 0; r->restart && i < r->info->param_count; i++) {
        const char *name = r->info->params[i].name, *value;
        char setting[128];
        bool set = false;
        for (size_t k = 0; k < r->set->params.count; k++)
            set |= !strncmp(r->set->params.item[k], name, strlen(name)) &&
                   r->set->params.item[k][strlen(name)] == '=';
        snprintf(setting, sizeof(setting), "parameter %s", name);
        value = mw_checkpoint_setting(r->restart, setting);
        if (!set && value)
            r->params[i] = strtod(value, NULL);
    }
out:
    return rc;
}

int start_settings(struct run *r)
{
    int rc;

    TRY(make_settings(r));
    if (r->restart)
        TRY(mw_checkpoint_compare(r->restart, r->settings));
    if (r->restart && mw_checkpoint_step(r->restart) > r->set->steps)
        rc = mw_fail(MW_EINVAL, "checkpoint %s is at step %llu, beyond --steps %llu, which counts from the start: ask "
                     "for more", mw_checkpoint_path(r->restart), (unsigned long long)mw_checkpoint_step(r->restart),
                     (unsigned long long)r->set->steps);
    else if (r->set->input)
        rc = check_input(r);
out:
    return rc;
}

/* ---- the state of the start ---- */

/* Each field at its mean. */
static void fill_constant(const struct run *r, struct mw_array *state)
{
    for (size_t i = 0; i < state->count; i++) {
        const double mean = r->info->fields[i / r->cells].mean;
        if (state->type == MW_TYPE_F64)
            ((double *)state->data)[i] = mean;
        else
            ((float *)state->data)[i] = (float)mean;
    }
}

int start_init(void *context)
{
    struct run *r = context;
    struct mw_array state = { 0 };
    int rc;

    if (r->set->start == START_CONSTANT || r->input.data)
        TRY(mw_field_get(r->field, &state));
    if (r->set->start == START_CONSTANT)
        fill_constant(r, &state);
    if (r->input.data)           /* all fields, or of a picture the first */
        memcpy(state.data, r->input.data, r->input.count * mw_type_bytes(r->input.type));
    if (state.data)
        TRY(mw_field_set(r->field, &state));
    TRY(mw_field_sync(r->field));
out:
    mw_array_free(&state);
    return rc;
}

int start_load(void *context, const struct mw_checkpoint *checkpoint)
{
    struct run *r = context;
    const struct mw_field_options *o = &r->options;
    const size_t fields = r->info->field_count;
    size_t length[MW_DIMS_MAX + 1] = { 0 };
    struct mw_array state = { 0 };
    int rc;

    memcpy(length, o->length, sizeof(o->length));
    length[o->dims] = fields;
    TRY(mw_array_new(o->fp64 ? MW_TYPE_F64 : MW_TYPE_F32, o->dims + (fields > 1), length, &state));
    TRY(mw_checkpoint_get(checkpoint, RUN_STATE, state.data, state.count * mw_type_bytes(state.type)));
    TRY(mw_field_set(r->field, &state));
    r->state_step = mw_checkpoint_step(checkpoint);
    mw_field_set_step(r->field, r->state_step);
    TRY(mw_field_sync(r->field));
out:
    mw_array_free(&state);
    return rc;
}
