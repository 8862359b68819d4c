/* JSON output of a run: reads numbers, compares two results. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "base/words.h"
#include "tools/compare/compare.h"

struct answer {
    json_t *json;
};

int answer_read(const char *text, struct answer **answer)
{
    json_t *json = json_loads(text ? text : "", JSON_REJECT_DUPLICATES, NULL);
    int rc;
    if (!json)
        return mw_fail(MW_EDATA, "the run printed no JSON");
    rc = mw_new(1, sizeof(**answer), answer);
    if (rc)
        json_decref(json);
    else
        (*answer)->json = json;
    return rc;
}

void answer_free(struct answer *answer)
{
    if (!answer)
        return;
    json_decref(answer->json);
    free(answer);
}

double answer_number(const struct answer *answer, const char *key)
{
    const json_t *value = answer->json;
    char part[64];
    for (size_t n; value && *key; key += n + (key[n] == '.')) {
        n = strcspn(key, ".");
        snprintf(part, sizeof(part), "%.*s", (int)n, key);
        value = json_object_get(value, part);
    }
    return json_is_number(value) ? json_number_value(value) : NAN;
}

const char *answer_text(const struct answer *answer, const char *key)
{
    return json_string_value(json_object_get(answer->json, key));
}

const char *answer_name(const struct answer *answer, size_t i)
{
    return json_string_value(json_object_get(json_array_get(answer->json, i), "name"));
}

/* ---- agreement of results ---- */

/* Keys that depend on the device and the run, not on the result. */
static bool is_of_the_run(const char *key)
{
    return mw_word_in("schema|version|command|device|device_name|devices|variant|shape|chosen|seconds|"
                      "timings|rate|cell_steps_per_second|samples_per_second|bytes_per_second|"
                      "iterations|repeat|windows|visit_steps|least_bytes|memory_bytes|"
                      "bytes_per_vertex|bytes_per_arc|operations|table|notes",
                      key);
}

static bool agree(const json_t *a, const json_t *b, double tolerance);

static bool numbers_agree(double a, double b, double tolerance)
{
    return a == b || fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b));
}

static bool lists_agree(const json_t *a, const json_t *b, double tolerance)
{
    bool same = json_array_size(a) == json_array_size(b);
    for (size_t i = 0; same && i < json_array_size(a); i++)
        same = agree(json_array_get(a, i), json_array_get(b, i), tolerance);
    return same;
}

/* Compares the members of one object; the caller also calls it the other way round to find extra members. */
static bool objects_agree(const json_t *a, const json_t *b, double tolerance)
{
    const char *key;
    json_t *value;
    bool same = json_object_size(a) == json_object_size(b);
    json_object_foreach((json_t *)a, key, value) same = same && agree(value, json_object_get(b, key), tolerance);
    return same;
}

static bool agree(const json_t *a, const json_t *b, double tolerance)
{
    if (json_is_number(a) && json_is_number(b))
        return numbers_agree(json_number_value(a), json_number_value(b), tolerance);
    if (json_is_array(a) && json_is_array(b))
        return lists_agree(a, b, tolerance);
    if (json_is_object(a) && json_is_object(b))
        return objects_agree(a, b, tolerance);
    return (tolerance > 0 && json_is_string(a) && json_is_string(b)) || json_equal(a, b);
}

static void compare_members(const json_t *a, const json_t *b, double tolerance, bool only_missing,
                            struct mw_text *differs)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)a, key, value)
    {
        const json_t *other = json_object_get(b, key);
        if (!is_of_the_run(key) && (only_missing ? !other : !other || !agree(value, other, tolerance)))
            mw_text_add(differs, "%s%s", differs->length ? ", " : "", key);
    }
}

bool answer_agrees(const struct answer *answer, const struct answer *with, double tolerance, struct mw_text *differs)
{
    compare_members(answer->json, with->json, tolerance, false, differs);
    compare_members(with->json, answer->json, tolerance, true, differs);
    return differs->length == 0;
}
/* SPDX-License-Identifier: MIT */
