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

/* Finds a name in a list, or adds it. */
static size_t results_place_of(struct place *at, const char *key, const char *name, const char **list, size_t *count)
{
    size_t i = 0;
    while (i < *count && strcmp(list[i], name) != 0)
        i++;
    if (i == NAMES_MOST) {
        results_wrong(at, key, "beyond the maximum number of names");
        return 0;
    }
    if (i == *count)
        list[(*count)++] = name;
    return i;
}

static void read_times(struct place *at, const json_t *row, struct result *r)
{
    r->seconds.median = number_of(at, row, "seconds");
    r->seconds.least = number_of(at, row, "seconds_min");
    r->seconds.most = number_of(at, row, "seconds_max");
    r->whole = number_of(at, row, "whole");
    r->speedup = number_if(at, row, "speedup");
    r->rate = number_if(at, row, "rate");
    r->fraction = number_if(at, row, "bandwidth_fraction");
    r->arithmetic = number_if(at, row, "arithmetic_fraction");
    r->unit = text_if(at, row, "rate_unit", UNIT_MOST);
    if (r->seconds.least > r->seconds.median || r->seconds.median > r->seconds.most)
        results_wrong(at, "seconds", "not between the least and the most");
}

static void results_read_row(struct place *at, const json_t *row, struct measured *suite, struct result *r)
{
    const json_t *agrees = json_object_get(row, "agrees");
    r->device = results_place_of(at, "device", text_of(at, row, "device"), suite->devices, &suite->device_count);
    r->variant = results_place_of(at, "variant", text_of(at, row, "variant"), suite->variants, &suite->variant_count);
    r->chosen = text_if(at, row, "chosen", TEXT_MOST);
    r->draws = text_if(at, row, "draws", TEXT_MOST);
    r->reason = text_if(at, row, "reason", TEXT_MOST);
    r->differs = text_if(at, row, "differs", TEXT_MOST);
    r->agrees = json_is_true(agrees);
    r->alone = !json_is_boolean(agrees);
    if (!r->reason)
        read_times(at, row, r);
}

/* Used if sizes do not differ by steps. */
static double steps_of(const char *task, double x)
{
    static const char option[] = " --steps ";
    const char *at = strstr(task, option);
    const double steps = at ? strtod(at + strlen(option), NULL) : 1;
    return steps >= 1 && steps <= most && steps != x ? steps : 1;
}

static int read_case(struct place *at, const json_t *of, struct measured *suite, struct sized *to)
{
    const json_t *rows = list_of(at, of, "rows");
    const size_t count = json_array_size(rows), length = strlen(at->where);
    to->x = number_of(at, of, "x");
    to->task = text_of(at, of, "task");
    if (to->x < 1)
        results_wrong(at, "x", "less than 1");
    to->steps = steps_of(to->task, to->x);
    suite->has_steps |= to->steps != 1;
    TRY_RETURN(mw_new(count, sizeof(*to->item), &to->item));
    for (; to->count < count && !at->rc; to->count++) {
        snprintf(at->where + length, sizeof(at->where) - length, ".rows[%zu]", to->count);
        results_read_row(at, json_array_get(rows, to->count), suite, &to->item[to->count]);
        at->where[length] = 0;
    }
    return at->rc;
}

/* ---- suites ---- */

static int by_size(const void *a, const void *b)
{
    const double x = ((const struct sized *)a)->x, y = ((const struct sized *)b)->x;
    return (x > y) - (x < y);
}

/* A picture must be pure base64, otherwise the page would not be well-formed. */
static void read_picture(struct place *at, const json_t *of, struct measured *suite)
{
    static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
    const json_t *picture = json_object_get(of, "picture");
    if (!picture)
        return;
    suite->picture_task = text_of(at, picture, "task");
    suite->picture = text_or(at, picture, "png", BASE64_MOST, NULL);
    if (suite->picture[strspn(suite->picture, base64)])
        results_wrong(at, "picture.png", "not base64");
}

static int read_suite(struct place *at, const json_t *of, struct measured *suite)
{
    const json_t *cases = list_of(at, of, "cases");
    const size_t count = json_array_size(cases), length = strlen(at->where);
    suite->name = text_of(at, of, "name");
    suite->title = text_of(at, of, "title");
    suite->source = text_of(at, of, "source");
    suite->x = text_of(at, of, "grows");
    read_picture(at, of, suite);
    TRY_RETURN(mw_new(count, sizeof(*suite->cases), &suite->cases));
    for (size_t i = 0; i < count; i++) {
        suite->count++;
        snprintf(at->where + length, sizeof(at->where) - length, ".cases[%zu]", i);
        TRY_RETURN(read_case(at, json_array_get(cases, i), suite, &suite->cases[i]));
        at->where[length] = 0;
    }
    qsort(suite->cases, suite->count, sizeof(*suite->cases), by_size);
    return at->rc;
}

static int read_all(struct place *at, struct results *results)
{
    const json_t *suites = list_of(at, results->root, "suites"), *devices = list_of(at, results->root, "devices");
    const json_t *device;
    const size_t count = json_array_size(suites);
    size_t i;
    number_of(at, results->root, "format");
    results->version = text_of(at, results->root, "version");
    json_array_foreach(devices, i, device)
    {
        snprintf(at->where, sizeof(at->where), "devices[%zu]", i);
        text_of(at, device, "id");
    }
    TRY_RETURN(at->rc);
    TRY_RETURN(mw_new(count, sizeof(*results->suites), &results->suites));
    for (i = 0; i < count; i++) {
        results->count++;
        snprintf(at->where, sizeof(at->where), "suites[%zu]", i);
        TRY_RETURN(read_suite(at, json_array_get(suites, i), &results->suites[i]));
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
    for (size_t s = 0; s < results->count; s++) {
        for (size_t c = 0; c < results->suites[s].count; c++)
            free(results->suites[s].cases[c].item);
        free(results->suites[s].cases);
    }
    free(results->suites);
    json_decref(results->root);
    *results = (struct results){ 0 };
}

/* ---- access ---- */

double result_seconds(const struct result *result, bool whole)
{
    return whole ? result->whole : result->seconds.median;
}

const struct result *result_of(const struct sized *of, size_t device, size_t variant)
{
    for (size_t i = 0; i < of->count; i++)
        if (of->item[i].device == device && of->item[i].variant == variant)
            return of->item[i].reason ? NULL : &of->item[i];
    return NULL;
}

const struct result *fastest_of(const struct measured *suite, const struct sized *of, bool whole,
                                result_is_meant *is_meant, const void *context)
{
    const struct result *fastest = NULL;
    for (size_t i = 0; i < of->count; i++) {
        const struct result *r = &of->item[i];
        if (!r->reason && (!is_meant || is_meant(suite, r, context)) &&
            (!fastest || result_seconds(r, whole) < result_seconds(fastest, whole)))
            fastest = r;
    }
    return fastest;
}
/* SPDX-License-Identifier: MIT */
