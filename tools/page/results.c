/* Reads results as JSON; rejects values that a page cannot show. */
#include <math.h>
#include <stdio.h>

#include "tools/bench/bench.h"
#include "tools/page/page.h"

enum { TEXT_MOST = 4096, UNIT_MOST = 20, BASE64_MOST = 1 << 18 }; /* bytes; units: the capacity of rate_text */
static const double most = 1e30;

/* Path of a value in the file for messages, such as "suites[2].cases[0].rows[7]", and the first error. */
struct place {
    const char *path;
    char where[80];
    int rc;
};

static void results_wrong(struct place *at, const char *key, const char *what)
{
    if (!at->rc)
        at->rc = mw_fail(MW_EDATA, "%s holds no results of `meshwork bench`: %s%s%s is %s", at->path, at->where,
                         *at->where ? "." : "", key, what);
}

/* ---- values ---- */

static const char *text_or(struct place *at, const json_t *of, const char *key, size_t length, const char *otherwise)
{
    const json_t *value = json_object_get(of, key);
    if (!value && otherwise)
        return *otherwise ? otherwise : NULL;
    if (!json_is_string(value) || json_string_length(value) > length) {
        results_wrong(at, key, json_is_string(value) ? "text that is too long" : "not a text");
        return "";
    }
    return json_string_value(value);
}

static const char *text_of(struct place *at, const json_t *of, const char *key)
{
    return text_or(at, of, key, TEXT_MOST, NULL);
}

static const char *text_if(struct place *at, const json_t *of, const char *key, size_t length)
{
    return text_or(at, of, key, length, "");
}

/* Returns NaN if missing or null. */
static double number_if(struct place *at, const json_t *of, const char *key)
{
    const json_t *value = json_object_get(of, key);
    const double number = json_number_value(value);
    if (!value || json_is_null(value))
        return NAN;
    if (!json_is_number(value) || !(number >= 0 && number <= most)) {
        results_wrong(at, key, "not a number from 0 to 1e30");
        return NAN;
    }
    return number;
}

static double number_of(struct place *at, const json_t *of, const char *key)
{
    const double number = number_if(at, of, key);
    if (isnan(number))
        results_wrong(at, key, "not a number");
    return number;
}

static const json_t *list_of(struct place *at, const json_t *of, const char *key)
{
    const json_t *value = json_object_get(of, key);
    if (!json_is_array(value))
        results_wrong(at, key, "not a list");
    return value;
}

/* ---- rows ---- */

/* Finds a curve, or adds it. */
static size_t curve_of(struct place *at, const json_t *row, struct measured *figure)
{
    const struct curve curve = { text_of(at, row, "series"), text_of(at, row, "device"), text_of(at, row, "variant"),
                                 false, false };
    size_t i = 0;
    for (; i < figure->curve_count; i++) {
        struct curve *c = &figure->curves[i];
        if (!strcmp(c->line, curve.line) && !strcmp(c->device, curve.device) && !strcmp(c->variant, curve.variant))
            return i;
    }
    if (i == CURVES_MOST) {
        results_wrong(at, "series", "beyond the maximum number of curves");
        return 0;
    }
    figure->curves[figure->curve_count++] = curve;
    for (size_t k = 0; k < i; k++) {
        struct curve *c = &figure->curves[k], *last = &figure->curves[i];
        if (strcmp(c->line, last->line) != 0)
            continue;
        c->several_devices |= strcmp(c->device, last->device) != 0;
        c->several_variants |= strcmp(c->variant, last->variant) != 0;
        last->several_devices |= c->several_devices;
        last->several_variants |= c->several_variants;
    }
    return i;
}

static int read_each(struct place *at, const json_t *list, double scale, struct result *r)
{
    r->rounds = json_array_size(list);
    TRY_RETURN(mw_new(r->rounds, sizeof(*r->each), &r->each));
    for (size_t i = 0; i < r->rounds; i++) {
        r->each[i] = json_number_value(json_array_get(list, i)) * scale;
        if (!(r->each[i] >= 0 && r->each[i] <= most))
            results_wrong(at, "seconds_each", "not a list of numbers");
    }
    return 0;
}

/* Reads a number and its spread: KEY, KEY_lower and so on. */
static struct timed read_spread(struct place *at, const json_t *row, const char *key, double scale)
{
    static const char *const ends[] = { "", "_lower", "_upper", "_min", "_max" };
    double value[MW_COUNT(ends)];
    for (size_t i = 0; i < MW_COUNT(ends); i++) {
        char name[40];
        snprintf(name, sizeof(name), "%s%s", key, ends[i]);
        value[i] = number_of(at, row, name) * scale;
    }
    if (!(value[3] <= value[0] && value[0] <= value[4]))
        results_wrong(at, key, "not between the least and the most");
    return (struct timed){ value[0], value[1], value[2], value[3], value[4] };
}

static int results_read_row(struct place *at, const json_t *row, double steps, struct measured *figure,
                            struct result *r)
{
    const json_t *agrees = json_object_get(row, "agrees");
    r->curve = curve_of(at, row, figure);
    r->chosen = text_if(at, row, "chosen", TEXT_MOST);
    r->draws = text_if(at, row, "draws", TEXT_MOST);
    r->reason = text_if(at, row, "reason", TEXT_MOST);
    r->differs = text_if(at, row, "differs", TEXT_MOST);
    r->agrees = json_is_true(agrees);
    r->alone = !json_is_boolean(agrees);
    if (r->reason)
        return 0;
    r->rate = number_if(at, row, "rate");
    r->fraction = number_if(at, row, "bandwidth_fraction");
    r->arithmetic = number_if(at, row, "arithmetic_fraction");
    r->unit = text_if(at, row, "rate_unit", UNIT_MOST);
    figure->values = json_object_get(row, "values") != NULL;
    r->shown = read_spread(at, row, figure->values ? "value" : "seconds", figure->values ? 1 : 1 / steps);
    return read_each(at, json_object_get(row, figure->values ? "values" : "seconds_each"),
                     figure->values ? 1 : 1 / steps, r);
}

/* Used if sizes do not differ by steps. */
static double steps_of(const char *task, double x)
{
    static const char option[] = " --steps ";
    const char *at = strstr(task, option);
    const double steps = at ? strtod(at + strlen(option), NULL) : 1;
    return steps >= 1 && steps <= most && steps != x ? steps : 1;
}

static int read_case(struct place *at, const json_t *of, struct measured *figure, struct sized *to)
{
    const json_t *rows = list_of(at, of, "rows");
    const size_t count = json_array_size(rows), length = strlen(at->where);
    double steps;
    to->x = number_of(at, of, "x");
    to->task = text_of(at, of, "task");
    if (!(to->x > 0))
        results_wrong(at, "x", "not above 0");
    steps = steps_of(to->task, to->x);
    figure->has_steps |= steps != 1;
    TRY_RETURN(mw_new(count, sizeof(*to->item), &to->item));
    while (to->count < count && !at->rc) {
        const size_t i = to->count++;
        snprintf(at->where + length, sizeof(at->where) - length, ".rows[%zu]", i);
        TRY_RETURN(results_read_row(at, json_array_get(rows, i), steps, figure, &to->item[i]));
        at->where[length] = 0;
    }
    return at->rc;
}

/* ---- figures ---- */

static int by_size(const void *a, const void *b)
{
    const double x = ((const struct sized *)a)->x, y = ((const struct sized *)b)->x;
    return (x > y) - (x < y);
}

/* A picture must be pure base64, otherwise the page would not be well-formed. */
static void read_picture(struct place *at, const json_t *of, struct measured *figure)
{
    static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
    const json_t *picture = json_object_get(of, "picture");
    if (!picture)
        return;
    figure->picture_task = text_of(at, picture, "task");
    figure->picture = text_or(at, picture, "png", BASE64_MOST, NULL);
    if (figure->picture[strspn(figure->picture, base64)])
        results_wrong(at, "picture.png", "not base64");
}

static int read_figure(struct place *at, const json_t *of, struct measured *figure)
{
    const json_t *cases = list_of(at, of, "cases");
    const size_t count = json_array_size(cases), length = strlen(at->where);
    figure->suite = text_of(at, of, "suite");
    figure->name = text_of(at, of, "name");
    figure->title = text_of(at, of, "title");
    figure->paper = text_of(at, of, "paper");
    figure->x = text_of(at, of, "grows");
    figure->shows = text_of(at, of, "shows");
    figure->left_out = json_object_get(of, "left_out");
    figure->known = figure_find(figure->suite, figure->name);
    read_picture(at, of, figure);
    TRY_RETURN(mw_new(count, sizeof(*figure->cases), &figure->cases));
    for (size_t i = 0; i < count; i++) {
        figure->count++;
        snprintf(at->where + length, sizeof(at->where) - length, ".cases[%zu]", i);
        TRY_RETURN(read_case(at, json_array_get(cases, i), figure, &figure->cases[i]));
        at->where[length] = 0;
    }
    qsort(figure->cases, figure->count, sizeof(*figure->cases), by_size);
    return at->rc;
}

static int read_all(struct place *at, struct results *results)
{
    const json_t *figures = list_of(at, results->root, "figures");
    const json_t *devices = list_of(at, results->root, "devices"), *device;
    const size_t count = json_array_size(figures);
    size_t i;
    number_of(at, results->root, "format");
    results->version = text_of(at, results->root, "version");
    json_array_foreach(devices, i, device)
    {
        snprintf(at->where, sizeof(at->where), "devices[%zu]", i);
        text_of(at, device, "id");
    }
    TRY_RETURN(at->rc);
    TRY_RETURN(mw_new(count, sizeof(*results->figures), &results->figures));
    for (i = 0; i < count; i++) {
        results->count++;
        snprintf(at->where, sizeof(at->where), "figures[%zu]", i);
        TRY_RETURN(read_figure(at, json_array_get(figures, i), &results->figures[i]));
    }
    return 0;
}

int results_read(const char *path, struct results *results)
{
    struct place at = { .path = path };
    const int rc = document_read(path, &results->root);
    return rc ? rc : read_all(&at, results);
}

void results_free(struct results *results)
{
    for (size_t f = 0; f < results->count; f++) {
        for (size_t c = 0; c < results->figures[f].count; c++) {
            for (size_t i = 0; i < results->figures[f].cases[c].count; i++)
                free(results->figures[f].cases[c].item[i].each);
            free(results->figures[f].cases[c].item);
        }
        free(results->figures[f].cases);
    }
    free(results->figures);
    json_decref(results->root);
    *results = (struct results){ 0 };
}

/* ---- access ---- */

const struct result *result_of(const struct sized *of, size_t curve)
{
    for (size_t i = 0; i < of->count; i++)
        if (of->item[i].curve == curve)
            return of->item[i].reason ? NULL : &of->item[i];
    return NULL;
}

/* Several devices are alike: the first decides. */
bool is_gpu(const struct results *results, const char *names)
{
    const size_t length = strcspn(names, ",");
    const json_t *device;
    size_t i;
    json_array_foreach(json_object_get(results->root, "devices"), i, device)
    {
        const char *id = text_at(device, "id");
        if (!strncmp(id, names, length) && !id[length])
            return !strcmp(text_at(device, "type"), "gpu");
    }
    return false;
}

struct label curve_label(const struct measured *figure, size_t curve)
{
    const struct curve *c = &figure->curves[curve];
    struct label label;
    snprintf(label.text, sizeof(label.text), "%s%s%s%s%s", c->line, c->several_variants ? ", " : "",
             c->several_variants ? c->variant : "", c->several_devices ? ", " : "",
             c->several_devices ? c->device : "");
    return label;
}

struct short_text shown_text(const struct measured *figure, double value)
{
    struct short_text text;
    if (!figure->values || !strncmp(figure->shows, "seconds", strlen("seconds")))
        return seconds_text(value);
    snprintf(text.text, sizeof(text.text), "%.4g", value);
    return text;
}
/* SPDX-License-Identifier: MIT */
