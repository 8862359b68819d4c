/* Plans of Fourier transforms, and their launches: see fft.h.
 *
 * A forward transform begins along the slowest dimension, from reals to half of the spectrum: neighbouring lines are
 * neighbours in memory, so vectors need no shuffles. Then come the other dimensions, in place, and last the first one,
 * whose lines are transposed once: the spectrum has k_0 as its slowest index. */
#include "fft/fft.h"

#include "kernels/fft/far.h"
#include "kernels/fft/lines.h"
#include "kernels/fft/tiles.h"
#include "kernels/native.h"

#define LENGTH_MAX ((size_t)1 << 27)
#define PARTS_PER_UNIT 4             /* so that cores have equal work */
#define FAR_BYTES ((size_t)64 << 20) /* bytes of a tile in global memory */
#define PAD 16                       /* reals: rows begin at cache lines, and are whole vectors */
#define ROW_CONFLICT 256             /* reals */
#define GROUP 128
#define LOCAL_BYTES ((size_t)32 << 10)

void mw_fft_free(struct mw_fft *f)
{
    if (!f)
        return;
    mw_owner_drop(&f->owner);
    free(f);
}

static size_t pad(size_t n) { return mw_ceil_div(n, PAD) * PAD; }

/* ---- geometry ---- */

/* Computes the sizes of spectra and of the intermediate array. */
static int fft_sizes(struct mw_fft *f)
{
    const unsigned slow = f->dims - 1;
    const size_t half = f->length[slow] / 2 + 1;
    size_t rows = half, all;
    f->cells = 1;
    for (unsigned d = 0; d < f->dims; d++) {
        if (f->length[d] < 1 || f->length[d] > LENGTH_MAX)
            return mw_fail(MW_EINVAL, "Fourier transform: length %zu must be 1 to %zu", f->length[d], LENGTH_MAX);
        if (!mw_mul(f->cells, f->length[d], &f->cells))
            return mw_fail(MW_ELIMIT, "Fourier transform: too many cells to address");
        if (d > 0 && d < slow)
            rows *= f->length[d];
    }
    f->row = f->dims == 1 ? 1 : pad(rows);
    /* Rows an even number of pages apart would share few places of caches. */
    f->middle_row = pad(f->length[0]) + (f->length[0] % ROW_CONFLICT == 0 && f->dims > 1 ? PAD : 0);
    f->numbers = 2 * f->row * (f->dims == 1 ? half : f->length[0]);
    if (!mw_mul(f->numbers, f->batch, &all) || !mw_mul(all, 2 * sizeof(double), &all))
        return mw_fail(MW_ELIMIT, "Fourier transform: too many cells to address");
    return 0;
}

size_t mw_fft_at(const struct mw_fft *f, const size_t *k)
{
    size_t row = 0;
    if (f->dims == 1)
        return 2 * k[0];
    row = k[f->dims - 1];
    for (unsigned d = f->dims - 2; d > 0; d--)
        row = row * f->length[d] + k[d];
    return 2 * k[0] * f->row + row;
}

/* The sides of forward transforms: along the slowest dimension, */
static struct fft_lines slowest_lines(const struct mw_fft *f)
{
    const unsigned slow = f->dims - 1;
    const size_t below = f->cells / f->length[slow];
    struct fft_lines l = { .kind = FFT_REAL, .lines = 1, .groups = 1 };
    l.from = (struct fft_side){ .step = (int64_t)below, .array = (int64_t)f->cells, .per = 1 };
    l.to = (struct fft_side){ .step = 2, .im = 1, .array = (int64_t)f->numbers, .per = 1 };
    if (f->dims > 1) {
        const size_t plane = below / f->length[0] * f->middle_row;
        l.lines = (int64_t)f->length[0];
        l.groups = (int64_t)(below / f->length[0]);
        l.from.outer = (int64_t)f->length[0];
        l.to = (struct fft_side){ .step = 2 * (int64_t)plane,
                                  .im = (int64_t)plane,
                                  .array = 2 * (int64_t)(plane * (f->length[slow] / 2 + 1)),
                                  .outer = (int64_t)f->middle_row,
                                  .per = 1 };
    }
    return l;
}

/* along another one but the first, */
static struct fft_lines middle_lines(const struct mw_fft *f, unsigned d, const struct fft_side *slowest)
{
    int64_t below = (int64_t)f->middle_row, above = 1;
    for (unsigned e = 1; e < d; e++)
        below *= (int64_t)f->length[e];
    for (unsigned e = d + 1; e + 1 < f->dims; e++)
        above *= (int64_t)f->length[e];
    struct fft_lines l = { .kind = FFT_COMPLEX, .lines = below };
    l.groups = above * ((int64_t)f->length[f->dims - 1] / 2 + 1);
    l.from = (struct fft_side){ .step = below,
                                .im = slowest->im,
                                .array = slowest->array,
                                .outer = slowest->step,
                                .row = below * (int64_t)f->length[d],
                                .per = above };
    l.to = l.from;
    return l;
}

/* and along the first one. */
static struct fft_lines row_lines(const struct mw_fft *f, const struct fft_side *slowest)
{
    struct fft_lines l = { .kind = FFT_ROWS, .groups = 1 };
    const int64_t rows = slowest->im / (int64_t)f->middle_row;
    l.lines = rows * ((int64_t)f->length[f->dims - 1] / 2 + 1);
    l.from = (struct fft_side){ .step = 1,
                                .im = slowest->im,
                                .array = slowest->array,
                                .outer = slowest->step,
                                .row = (int64_t)f->middle_row,
                                .per = rows };
    l.to =
        (struct fft_side){ .step = 2 * (int64_t)f->row, .im = (int64_t)f->row, .array = (int64_t)f->numbers, .per = 1 };
    return l;
}

/* ---- making ---- */

/* Stores the table of a line on the device, rounded once. */
static int make_table(struct mw_fft *f, struct mw_fft_line *line)
{
    const size_t n = (size_t)line->lines.table, bytes = 2 * n * (f->fp64 ? sizeof(double) : sizeof(float));
    double *table = NULL;
    int rc;
    TRY(mw_new(2 * n, sizeof *table, &table));
    mw_fft_twiddles(n, table);
    for (size_t i = 0; i < 2 * n && !f->fp64; i++)
        ((float *)table)[i] = (float)table[i];
    TRY(mw_own_buffer(&f->owner, f->device, bytes, &line->table));
    rc = mw_buffer_write(line->table, 0, bytes, table, NULL);
out:
    free(table);
    return rc;
}

/* Returns the lines of a tile in global memory. */
static size_t far_lines(const struct mw_fft *f, const struct fft_lines *l)
{
    const size_t most = FAR_BYTES / ((size_t)l->n * 2 * (f->fp64 ? sizeof(double) : sizeof(float)));
    return most < 1 ? 1 : most < (size_t)l->lines ? most : (size_t)l->lines;
}

static int make_line(struct mw_fft *f, unsigned d)
{
    struct mw_fft_line *line = &f->line[d];
    struct fft_lines *l = &line->lines;
    const size_t n = f->length[d];
    int32_t radix[FFT_PASSES_MAX];
    *l = d + 1 == f->dims ? slowest_lines(f)
         : d > 0          ? middle_lines(f, d, &f->line[f->dims - 1].lines.to)
                          : row_lines(f, &f->line[f->dims - 1].lines.to);
    l->batch = (int64_t)f->batch;
    l->packed = l->kind == FFT_REAL && n % 2 == 0;
    l->table = (int32_t)n;
    l->n = (int32_t)(l->packed ? n / 2 : n);
    l->passes = mw_fft_radices((size_t)l->n, radix);
    l->direct = l->passes > 1 || (radix[0] <= 8 && radix[0] > 1);
    l->together = 1;
    line->form = f->cores ? MW_FFT_BY_LINES : (size_t)l->n <= f->tile ? MW_FFT_BY_TILES : MW_FFT_FAR;
    if (line->form == MW_FFT_FAR)
        l->together = (int32_t)far_lines(f, l);
    while (line->form == MW_FFT_BY_TILES && 2 * (size_t)l->together * (size_t)l->n <= f->tile &&
           l->together < FFT_TOGETHER_MAX && l->together < l->lines)
        l->together *= 2;
    TRY_RETURN(mw_own_buffer(&f->owner, f->device, (size_t)l->passes * sizeof *radix, &line->radices));
    TRY_RETURN(mw_buffer_write(line->radices, 0, (size_t)l->passes * sizeof *radix, radix, NULL));
    return make_table(f, line);
}

/* Chooses lanes and tiles, and builds the programs. */
static int make_sets(struct mw_fft *f, enum mw_fft_form form)
{
    const struct mw_device_info *info = mw_device_info(f->device);
    const size_t number = 2 * (f->fp64 ? sizeof(double) : sizeof(float));
    const size_t room = info->local_bytes && info->local_bytes < LOCAL_BYTES ? info->local_bytes : LOCAL_BYTES;
    const char *reals = f->fp64 ? "#define REAL_DOUBLE 1\n" : "";
    struct mw_kernel_options options = { .fp64 = f->fp64 };
    struct mw_text defines = { 0 };
    int rc;
    f->cores = form == MW_FFT_AUTO ? info->traits->has_cores : form == MW_FFT_VECTORS || form == MW_FFT_SINGLE_LANES;
    f->lanes = f->cores && f->dims > 1 && form != MW_FFT_SINGLE_LANES ? (f->fp64 ? 8 : 16) : 1;
    for (f->tile = 1; 2 * f->tile * 2 * number <= room && form != MW_FFT_FAR_TILES; f->tile *= 2)
        continue;
    mw_text_add(&defines, "#define VEC %zu\n#define TILE %zu\n%s", f->lanes, f->tile, reals);
    TRY(mw_text_ok(&defines));
    options.defines = defines.data;
    if (f->cores) {
        options.native = f->lanes > 1 ? (f->fp64 ? mw_native_fft_double : mw_native_fft_single)
                                      : (f->fp64 ? mw_native_fft_double_1 : mw_native_fft_single_1);
        rc = mw_own_kernels(&f->owner, f->device, &kernels_fft_lines, &options, &f->set);
        goto out;
    }
    options.group = GROUP;
    TRY(mw_own_kernels(&f->owner, f->device, &kernels_fft_tiles, &options, &f->tiles));
    options.group = 0;
    for (unsigned d = 0; d < f->dims && !f->far; d++)
        if (f->length[d] / (d + 1 == f->dims && f->length[d] % 2 == 0 ? 2 : 1) > f->tile)
            TRY(mw_own_kernels(&f->owner, f->device, &kernels_fft_far, &options, &f->far));
out:
    mw_text_free(&defines);
    return rc;
}

static int new_zeros(struct mw_fft *f, size_t numbers, struct mw_buffer **buffer)
{
    const size_t bytes = numbers * (f->fp64 ? sizeof(double) : sizeof(float));
    TRY_RETURN(mw_own_buffer(&f->owner, f->device, bytes, buffer));
    return mw_buffer_fill(*buffer, 0, bytes, 0);
}

/* Makes the intermediate array and scratch memory for the largest launch. They begin with zeros: numbers that nothing
 * uses are finite. */
static int make_scratch(struct mw_fft *f)
{
    size_t longest = 0, far = 0;
    f->parts = PARTS_PER_UNIT * f->units;
    for (unsigned d = 0; d < f->dims; d++) {
        const struct fft_lines *l = &f->line[d].lines;
        longest = mw_max(longest, (size_t)l->n);
        if (f->line[d].form == MW_FFT_FAR)
            far = mw_max(far, 2 * (size_t)l->n * (size_t)l->together);
    }
    if (f->dims > 1)
        TRY_RETURN(new_zeros(f, (size_t)f->line[f->dims - 1].lines.to.array * f->batch, &f->middle));
    if (f->cores)
        TRY_RETURN(new_zeros(f, f->parts * (longest + PAD) * 4 * f->lanes, &f->scratch));
    if (far > 0) {
        TRY_RETURN(new_zeros(f, far, &f->scratch));
        TRY_RETURN(new_zeros(f, far, &f->other));
    }
    return 0;
}

int mw_fft_new(struct mw_device *device, unsigned dims, const size_t *length, size_t batch, bool fp64,
               enum mw_fft_form form, struct mw_fft **fft)
{
    const struct mw_device_info *info = mw_device_info(device);
    struct mw_fft *f = NULL;
    int rc;
    if (dims < 1 || dims > MW_DIMS_MAX || batch < 1)
        return mw_fail(MW_EINVAL, "Fourier transform: %u dimensions (must be 1 to %d)", dims, MW_DIMS_MAX);
    if (fp64 && !info->fp64)
        return mw_fail(MW_ENOTSUP, "%s has no double precision: use single precision", info->id);
    TRY(mw_new(1, sizeof *f, &f));
    f->device = device;
    f->fp64 = fp64;
    f->dims = dims;
    f->batch = batch;
    f->units = info->compute_units ? info->compute_units : 1;
    memcpy(f->length, length, dims * sizeof *length);
    TRY(fft_sizes(f));
    TRY(make_sets(f, form));
    for (unsigned d = dims; d-- > 0;)
        TRY(make_line(f, d));
    TRY(make_scratch(f));
    *fft = f;
    f = NULL;
out:
    mw_fft_free(f);
    return rc;
}

/* ---- launches ---- */

/* Transforms lines from line `first` on of group number `group` of all arrays, at most as many as a tile has. */
static int far_run(const struct mw_fft *f, const struct mw_fft_line *line, struct fft_lines *l, struct mw_buffer *from,
                   struct mw_buffer *to, int64_t group, int64_t first)
{
    const int32_t most = line->lines.together, count = l->lines - first < most ? (int32_t)(l->lines - first) : most;
    const int64_t array = group / l->groups, number = group % l->groups;
    struct mw_buffer *rooms[2] = { f->scratch, f->other };
    int32_t radix[FFT_PASSES_MAX], before = 1;
    const size_t all = (size_t)l->n * (size_t)count;
    l->together = count;
    (void)mw_fft_radices((size_t)l->n, radix);
    TRY_RETURN(launch_far_load(f->far, mw_items(all), from, rooms[0], line->table, array, number, first, count, l));
    for (int i = 0; i < l->passes; i++) {
        TRY_RETURN(launch_far_pass(f->far, mw_items(all), rooms[i % 2], rooms[(i + 1) % 2], line->table, radix[i],
                                   before, i == 0 && l->back, l));
        before *= radix[i];
    }
    return launch_far_store(f->far, mw_items(all), rooms[l->passes % 2], to, line->table, array, number, first, count,
                            l);
}

static int fft_run(const struct mw_fft *f, unsigned d, bool back, struct mw_buffer *from, struct mw_buffer *to,
                   size_t to_first)
{
    const struct mw_fft_line *line = &f->line[d];
    struct fft_lines l = line->lines;
    if (back) {
        l.back = 1;
        l.from = line->lines.to;
        l.to = line->lines.from;
    }
    l.to.first = (int64_t)to_first;
    if (line->form == MW_FFT_BY_TILES) {
        const size_t tiles = mw_ceil_div((size_t)l.lines, (size_t)l.together) * (size_t)(l.groups * l.batch);
        return launch_fft_tiles(f->tiles, mw_parts(f->tiles, tiles), from, to, line->table, line->radices, &l);
    }
    if (line->form == MW_FFT_FAR) {
        for (int64_t i = 0; i < l.batch * l.groups; i++)
            for (int64_t first = 0; first < l.lines; first += line->lines.together)
                TRY_RETURN(far_run(f, line, &l, from, to, i, first));
        return 0;
    }
    const size_t bundles = mw_ceil_div((size_t)l.lines, f->lanes) * (size_t)(l.groups * l.batch);
    const size_t each = mw_ceil_div(bundles, f->parts);
    return launch_fft_lines(f->set, mw_parts(f->set, mw_ceil_div(bundles, each)), from, to, f->scratch, line->table,
                            line->radices, (int64_t)each, &l);
}

int mw_fft_forward(struct mw_fft *f, struct mw_buffer *array, struct mw_buffer *spectrum, size_t first)
{
    const unsigned slow = f->dims - 1;
    if (f->dims == 1)
        return fft_run(f, 0, false, array, spectrum, first);
    TRY_RETURN(fft_run(f, slow, false, array, f->middle, 0));
    for (unsigned d = slow - 1; d > 0; d--)
        TRY_RETURN(fft_run(f, d, false, f->middle, f->middle, 0));
    return fft_run(f, 0, false, f->middle, spectrum, first);
}

int mw_fft_backward(struct mw_fft *f, struct mw_buffer *spectrum, struct mw_buffer *array)
{
    const unsigned slow = f->dims - 1;
    if (f->dims == 1)
        return fft_run(f, 0, true, spectrum, array, 0);
    TRY_RETURN(fft_run(f, 0, true, spectrum, f->middle, 0));
    for (unsigned d = 1; d < slow; d++)
        TRY_RETURN(fft_run(f, d, true, f->middle, f->middle, 0));
    return fft_run(f, slow, true, f->middle, array, 0);
}
/* SPDX-License-Identifier: MIT */
