/* Rates of devices, shown next to the rates of tasks. */
#include <math.h>

#include "tools/compare/compare.h"

/* Adds a device; copies its name. */
static int speeds_add(struct speeds *speeds, const struct speed *speed)
{
    TRY_RETURN(mw_grow(speeds->count, sizeof(*speed), &speeds->item));
    speeds->item[speeds->count] = *speed;
    TRY_RETURN(text_own(&speeds->owner, speed->device, &speeds->item[speeds->count].device));
    speeds->count++;
    return 0;
}

void speeds_free(struct speeds *speeds)
{
    mw_owner_drop(&speeds->owner);
    free(speeds->item);
    *speeds = (struct speeds){ 0 };
}

static int speeds_find(struct speeds *speeds, const char *device, struct speed **found)
{
    for (size_t i = 0; i < speeds->count; i++)
        if (!strcmp(speeds->item[i].device, device)) {
            *found = &speeds->item[i];
            return 0;
        }
    TRY_RETURN(speeds_add(speeds, &(struct speed){ (char *)device, NAN, NAN, NAN }));
    *found = &speeds->item[speeds->count - 1];
    return 0;
}

/* Returns a number of an answer, or 0 if it is missing, so that it is not measured again. */
static void speeds_take(const struct answer *answer, const char *key, double *to)
{
    const double value = answer ? answer_number(answer, key) : NAN;
    if (isnan(*to))
        *to = value > 0 ? value : 0;
}

static int speeds_measure(struct comparison *c, bool copy, bool arithmetic, struct speed *speed)
{
    const char *const parts = copy && arithmetic ? "copy,arithmetic" : copy ? "copy" : "arithmetic";
    const char *const words[] = { "speed", "--only", parts, "--json", "--quiet", "-d", speed->device, NULL };
    struct outcome outcome = { 0 };
    struct answer *answer = NULL;
    int rc;
    TRY(workers_run(c->workers, speed->device, words, c->set->limit, &outcome));
    if (outcome.code == 0)
        TRY(answer_read(outcome.out, &answer));
    if (copy)
        speeds_take(answer, "copy", &speed->copy);
    if (arithmetic) {
        speeds_take(answer, "single", &speed->single);
        speeds_take(answer, "double", &speed->twice);
    }
out:
    answer_free(answer);
    outcome_free(&outcome);
    return rc;
}

static int measure_row(struct comparison *c, struct row *row)
{
    const bool moves = !isnan(answer_number(row->answer, "least_bytes"));
    const bool computes = !isnan(answer_number(row->answer, "operations"));
    const char *precision = answer_text(row->answer, "precision");
    struct speed *speed;
    TRY_RETURN(speeds_find(c->speeds, row->devices, &speed));
    if ((moves && isnan(speed->copy)) || (computes && isnan(speed->single)))
        TRY_RETURN(speeds_measure(c, moves && isnan(speed->copy), computes && isnan(speed->single), speed));
    row->copy = speed->copy;
    row->arithmetic = precision && !strcmp(precision, "double") ? speed->twice : speed->single;
    return 0;
}

int comparison_measure_speeds(struct comparison *c)
{
    for (size_t i = 0; i < c->count; i++) {
        struct row *row = &c->rows[i];
        row->copy = row->arithmetic = NAN;
        if (c->speeds && row->answer && !strchr(row->devices, ','))
            TRY_RETURN(measure_row(c, row));
    }
    return 0;
}
/* SPDX-License-Identifier: MIT */
