/* Numbers for people. */
#include "tools/report/numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/cli/base.h"

struct short_text bytes_text(uint64_t bytes)
{
    static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
    struct short_text t;
    double value = (double)bytes;
    size_t unit = 0;

    for (; value >= 1023.95 && unit + 1 < COUNT(units); unit++)
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

struct short_text rate_text(double rate)
{
    struct short_text t;

    if (rate >= 99.95e9)
        snprintf(t.text, sizeof(t.text), "%.0f Gcell-steps/s", rate / 1e9);
    else if (rate >= 99.95e6)
        snprintf(t.text, sizeof(t.text), "%.0f Mcell-steps/s", rate / 1e6);
    else
        snprintf(t.text, sizeof(t.text), "%.3g Mcell-steps/s", rate / 1e6);
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
