/* The native forms of cl/label/runs.cl: what is the same for all types of cells, and what is not. */
#ifndef MW_LABEL_NATIVE_RUNS_H
#define MW_LABEL_NATIVE_RUNS_H

#include <meshwork/program.h>

#include "label/label_internal.h"

/* compare and classify of cl/label/cells.clh for a type and a way to join; places and rows are numbers of cells.
 * `value` is the background, where there is one, the threshold or the tolerance. */
struct mw_label_cells {
    size_t bytes;
    uint64_t (*compare)(const void *from, int64_t a, int64_t b, int32_t n, const void *value);
    int32_t (*classify)(const void *from, int64_t row, int64_t n, const void *value, bool background, bool all,
                        int64_t *other, uint64_t *to);
};
/* native-cells.c; the options are checked. */
const struct mw_label_cells *mw_label_cells(enum mw_type type, enum mw_join join);

/* Kernels whose arguments are those of the devices' kernels, and behind them a pointer to mw_label_cells. */
extern const struct mw_native_kernel mw_label_native_runs_32[], mw_label_native_runs_64[];

#endif
