/* The papers' serial algorithms: what one of them is told of a mesh, and their native kernels. */
#ifndef MW_LABEL_NATIVE_SERIAL_H
#define MW_LABEL_NATIVE_SERIAL_H

#include <meshwork/program.h>

#include "label/native_runs.h"

/* A neighbour of every cell of one row: the other row's first cell, and how far beside a cell's place. */
struct mw_label_near { int64_t row; int64_t dx; };

struct mw_label_serial {
    struct mw_lattice lattice;
    bool periodic[MW_DIMS_MAX];
    size_t step_count;
    signed char (*step)[MW_DIMS_MAX]; /* to all neighbours; owned */
    struct mw_label_near *near;  /* one a step; owned */
    bool has_background;
    _Alignas(8) unsigned char value[8]; /* background or tolerance, as an element */
    const struct mw_label_cells *cells; /* with a threshold: how kinds of cells are found, */
    _Alignas(8) unsigned char threshold[8];
    bool all;                    /* and whether they are all above it */
    size_t components, iterations; /* what came of it */
};

/* The neighbours of row `row`, in `near`; returns their number. */
size_t mw_label_serial_row(const struct mw_label_serial *serial, int64_t row);

/* Kernels label_raster and label_equivalence for unsigned elements of 1, 2, 4 and 8 bytes, float and double.
 * Arguments: values, labels, a list of as many labels (of label_equivalence), a pointer to the struct.  One item.
 * Beside them label_kinds, which makes bytes of values, 1 above the threshold: values, bytes, the same pointer. */
enum { MW_LABEL_SERIAL_1, MW_LABEL_SERIAL_2, MW_LABEL_SERIAL_4, MW_LABEL_SERIAL_8, MW_LABEL_SERIAL_F32,
       MW_LABEL_SERIAL_F64, MW_LABEL_SERIAL_TYPES };
extern const struct mw_native_kernel mw_label_native_serial[2][MW_LABEL_SERIAL_TYPES][4]; /* by the labels' width */

#endif
