/* meshwork label: detects pictures with nearly equal neighbours, such as scans with near-white paper. */
#include <stdlib.h>

#include "tools/label/label.h"

#define LOOKED_AT ((size_t)1 << 22) /* cells */
#define STEP 2                      /* in units of 1 / 255 */
#define FEW 100                     /* fewer pairs are not significant */

/* Returns the largest difference of a channel, scaled to 255. */
static int difference(const unsigned char *a, const unsigned char *b, size_t channels, size_t bytes)
{
    int most = 0;
    for (size_t c = 0; c < channels; c++) {
        uint16_t wide[2] = { a[c], b[c] };
        if (bytes == 2) {
            memcpy(&wide[0], a + 2 * c, 2);
            memcpy(&wide[1], b + 2 * c, 2);
        }
        const int d = abs((int)wide[0] - (int)wide[1]) * (bytes == 2 ? 255 : 65535) / 65535;
        most = d > most ? d : most;
    }
    return most;
}

void label_note_near(const struct label *l)
{
    const struct mw_array *a = &l->source;
    const size_t channels = l->is_colour ? 4 : 1, bytes = mw_type_bytes(a->type) / channels;
    const size_t cells = a->count < LOOKED_AT ? a->count : LOOKED_AT;
    const unsigned char *p = a->data;
    size_t differing = 0, near = 0;

    if (!l->is_picture || l->options.join != MW_JOIN_EQUAL || bytes > 2)
        return;
    for (size_t i = 1; i < cells; i++) {
        const unsigned char *here = p + i * channels * bytes, *before = here - channels * bytes;
        if (i % a->length[0] == 0 || !memcmp(here, before, channels * bytes))
            continue;
        differing++;
        near += difference(here, before, channels, bytes) <= STEP;
    }
    if (near > FEW && near > differing / 2)
        report_note("%s: equal values are joined, but most differing neighbours differ by %d of 255 or less: "
                    "%s--threshold X joins values above X",
                    l->input, STEP, l->is_colour ? "convert it to gray; " : "");
}
/* SPDX-License-Identifier: MIT */
