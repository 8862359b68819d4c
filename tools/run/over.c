/* --over: a parameter of a model with its values; also lists of values of other options. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/cli/names.h"
#include "tools/run/over.h"
#include "tools/cli/text.h"

#define VALUES_MOST 100000

/* Removes rounding of the summed steps beyond the digits that a user would write. */
static double tidy(double value)
{
    char text[40];
    snprintf(text, sizeof(text), "%.12g", value);
    return strtod(text, NULL);
}

static int make_values(const char *option, const char *given, double count, double **item, size_t *made)
{
    if (!(count <= VALUES_MOST))
        return mw_fail(MW_EINVAL, "--%s %s: more than %d values", option, given, VALUES_MOST);
    TRY_RETURN(mw_new((size_t)count, sizeof(**item), item));
    *made = (size_t)count;
    return 0;
}

/* Parses the next number of a list; it must end at a character of `between`.  Returns the rest. */
static int next_number(const char *option, const char *given, const char **at, const char *between, double *value)
{
    char text[64];
    const size_t n = strcspn(*at, between);
    mw_copy_string(text, n < sizeof(text) ? n + 1 : sizeof(text), *at);
    if (parameter_number("", text, value) != 0)
        return mw_fail(MW_EINVAL, "--%s %s: '%s' is not a number: expected FIRST:LAST:STEP, or a list such as 1,2,5",
                       option, given, text);
    *at += n;
    *at += **at != 0;
    return 0;
}

static int range(const char *option, const char *given, const char *at, double **item, size_t *count)
{
    double first, last, step;
    TRY_RETURN(next_number(option, given, &at, ":", &first));
    TRY_RETURN(next_number(option, given, &at, ":", &last));
    TRY_RETURN(next_number(option, given, &at, "", &step));
    step = last < first ? -fabs(step) : fabs(step);
    if (step == 0 || !isfinite(first) || !isfinite(last) || !isfinite(step))
        return mw_fail(MW_EINVAL, "--%s %s: FIRST:LAST:STEP must be finite, and the step must not be 0", option, given);
    TRY_RETURN(make_values(option, given, floor((last - first) / step + 1e-9) + 1, item, count));
    for (size_t i = 0; i < *count; i++)
        (*item)[i] = tidy(first + (double)i * step);
    return 0;
}

static int list(const char *option, const char *given, const char *at, double **item, size_t *count)
{
    size_t all = 1;
    for (const char *c = at; *c; c++)
        all += *c == ',';
    TRY_RETURN(make_values(option, given, (double)all, item, count));
    for (size_t i = 0; i < all; i++)
        TRY_RETURN(next_number(option, given, &at, ",", &(*item)[i]));
    return 0;
}

int over_values(const char *option, const char *given, const char *values, double **item, size_t *count)
{
    return strchr(values, ':') ? range(option, given, values, item, count) : list(option, given, values, item, count);
}

int over_split(const char *over, const struct words *params, char name[64], const char **values)
{
    if (parameter_split(over, name, values) != 0)
        return mw_fail(MW_EINVAL, "--over %s: expected NAME=FIRST:LAST:STEP", over);
    for (size_t i = 0; i < params->count; i++)
        if (!strncmp(params->item[i], name, strlen(name)) && params->item[i][strlen(name)] == '=')
            return mw_fail(MW_EINVAL, "-p %s and --over %s exclude each other: give one of them", params->item[i],
                           over);
    return 0;
}
/* SPDX-License-Identifier: MIT */
