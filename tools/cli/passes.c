/* Passes that are timed, and the variants that they are made with. */
#include "command.h"

#include <stdlib.h>
#include <string.h>

int passes_new(size_t count, struct passes *passes)
{
    passes->count = count;
    return mw_new(count, sizeof(*passes->seconds), &passes->seconds);
}

static int compare_seconds(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

void passes_sort(struct passes *passes)
{
    qsort(passes->seconds, passes->count, sizeof(*passes->seconds), compare_seconds);
}

double passes_median(const struct passes *passes)
{
    return 0.5 * (passes->seconds[(passes->count - 1) / 2] + passes->seconds[passes->count / 2]);
}

int variant_check(const char *name, mw_variant_table *variants)
{
    struct nearest nearest = { .word = name };
    const struct mw_variant *v;

    if (!strcmp(name, "auto"))
        return 0;
    for (size_t i = 0; (v = variants(i)) != NULL; i++) {
        if (!strcmp(v->name, name) || (v->alias && !strcmp(v->alias, name)))
            return 0;
        nearest_offer(&nearest, v->name);
    }
    return mw_fail(MW_EINVAL, "--variant: there is no variant '%s': %s", name,
                   nearest_advice(&nearest, "`--variant list` shows them").text);
}
