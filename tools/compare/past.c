/* Excludes rows that would take too long, judged by the previous size. */
#include <math.h>

#include "tools/compare/compare.h"

void pasts_free(struct pasts *pasts)
{
    mw_owner_drop(&pasts->owner);
    *pasts = (struct pasts){ 0 };
}

int pasts_take(const struct comparison *c, struct pasts *pasts)
{
    struct pasts now = { 0 };
    int rc;
    TRY(mw_own_new(&now.owner, c->count, sizeof(*now.item), &now.item));
    for (; now.count < c->count; now.count++) {
        const struct row *row = &c->rows[now.count];
        struct past *past = &now.item[now.count];
        past->seconds = row->answer ? answer_number(row->answer, "seconds") : row->code < 0 ? INFINITY : 0;
        TRY(text_own(&now.owner, row->devices, &past->devices));
        TRY(text_own(&now.owner, row->variant, &past->variant));
    }
    pasts_free(pasts);
    *pasts = now;
    now = (struct pasts){ 0 };
out:
    pasts_free(&now);
    return rc;
}

static int leave_out(const struct past *past, double expected, struct row *row)
{
    struct mw_text text = { 0 };
    if (isfinite(expected))
        mw_text_add(&text, "expected to take %.3g s, after %.3g s at the previous size", expected, past->seconds);
    else
        mw_text_add(&text, "exceeded the time limit at the previous size");
    row->code = -1;
    return text_take(&text, &row->reason);
}

int pasts_leave_out(const struct pasts *pasts, double growth, struct comparison *c)
{
    for (size_t i = 0; i < c->count; i++)
        for (size_t k = 0; k < pasts->count; k++) {
            const struct past *past = &pasts->item[k];
            const double expected = past->seconds * growth * growth;
            if (!strcmp(past->devices, c->rows[i].devices) && !strcmp(past->variant, c->rows[i].variant) &&
                expected >= c->set->limit)
                TRY_RETURN(leave_out(past, expected, &c->rows[i]));
        }
    return 0;
}
/* SPDX-License-Identifier: MIT */
