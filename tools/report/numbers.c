/* Formats numbers for people. */
#include "tools/report/numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"

struct short_text bytes_text(uint64_t bytes)
{
    static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
    struct short_text t;
    double value = (double)bytes;
    size_t unit = 0;
    for (; value >= 1023.95 && unit + 1 < MW_COUNT(units); unit++)
        value /= 1024;
    snprintf(t.text, sizeof(t.text), "%.*f %s", value < 99.95 && value != floor(value), value, units[unit]);
    return t;
}

struct short_text seconds_text(double s)
{
    struct short_text t;
    if (s < 0.9995e-3)
        snprintf(t.text, sizeof(t.text), "%.0f us", s * 1e6);
    else if (s < 0.9995)
        snprintf(t.text, sizeof(t.text), "%.3g ms", s * 1e3);
    else if (s < 99.5)
        snprintf(t.text, sizeof(t.text), "%.3g s", s);
    else if (s < 3599.5)
        snprintf(t.text, sizeof(t.text), "%.0f min %02.0f s", floor((s + 0.5) / 60), floor(fmod(s + 0.5, 60)));
    else if (s < 1e9)
        snprintf(t.text, sizeof(t.text), "%.0f h %02.0f min", floor((s + 30) / 3600), floor(fmod(s + 30, 3600) / 60));
    else
        snprintf(t.text, sizeof(t.text), "unknown time");
    return t;
}

struct short_text rate_text(double rate, const char *unit)
{
    struct short_text t;
    if (rate >= 99.95e9)
        snprintf(t.text, sizeof(t.text), "%.0f G%s", rate / 1e9, unit);
    else if (rate >= 99.95e6)
        snprintf(t.text, sizeof(t.text), "%.0f M%s", rate / 1e6, unit);
    else
        snprintf(t.text, sizeof(t.text), "%.3g M%s", rate / 1e6, unit);
    return t;
}

struct short_text with_error_text(double value, double error)
{
    struct short_text t;
    const int digits = error > 0 && isfinite(error) ? 1 - (int)floor(log10(error)) : 10;
    if (!(error > 0) || !isfinite(error))
        snprintf(t.text, sizeof(t.text), "%.9g", value);
    else if (digits > 9 || digits < 0) /* rounding error only: omit */
        snprintf(t.text, sizeof(t.text), "%.9g +- %.*g", value, digits < 0 ? 2 : 1, error);
    else
        snprintf(t.text, sizeof(t.text), "%.*f +- %.*f", digits, value, digits, error);
    return t;
}

struct short_text checksum_text(uint64_t checksum)
{
    struct short_text t;
    snprintf(t.text, sizeof(t.text), "%016llx", (unsigned long long)checksum);
    return t;
}

struct short_text real_text(double value)
{
    struct short_text t;
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(t.text, sizeof(t.text), "%.*g", precision, value);
        if (strtod(t.text, NULL) == value)
            break;
    }
    return t;
}
struct short_text counted_text(uint64_t n, const char *word)
{
    const int one = (int)strcspn(word, "|");
    struct short_text t;
    if (n == 1)
        snprintf(t.text, sizeof(t.text), "1 %.*s", one, word);
    else
        snprintf(t.text, sizeof(t.text), "%llu %s%s", (unsigned long long)n, word[one] ? word + one + 1 : word,
                 word[one] ? "" : "s");
    return t;
}

struct short_text every_text(uint64_t steps)
{
    struct short_text t;
    snprintf(t.text, sizeof(t.text), steps == 1 ? "each step" : "every %llu steps", (unsigned long long)steps);
    return t;
}
/* SPDX-License-Identifier: MIT */
