/* Files of all states of a run, as HDF5 with the conventions of NetCDF-4.
 *
 * The library's cache of metadata writes nothing by itself between two flushes: a killed process leaves the file of the
 * last flush. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "run/frames_internal.h"

const char *mw_frames_axis(unsigned dimension)
{
    static const char *const names[MW_DIMS_MAX] = { "x", "y", "z", "x3", "x4", "x5", "x6", "x7" };
    return names[dimension];
}

#ifdef HAVE_HDF5
#include <unistd.h>

#define CHUNK_BYTES ((size_t)1 << 20)
#define TIMES_PER_CHUNK 1024
#define RANK_MOST (MW_DIMS_MAX + 2) /* time, system and the mesh */
enum { TIME, STEP, SCALARS };       /* datasets with one element per frame */

struct mw_frames {
    struct mw_frames_form form;
    hid_t file, scalar[SCALARS], *field, type;
    unsigned rank;
    hsize_t shape[RANK_MOST]; /* shape of a field in the file, slowest first; shape[0] is the number of frames */
    double *times;
    int level;
};

static const char *const scalar_names[SCALARS] = { "time", "step" };

static int frames_fail(const struct mw_frames *f, const char *what)
{
    char reason[160];
    mw_hdf5_reason(reason, sizeof reason);
    return mw_fail(MW_EIO, "cannot %s %s: HDF5 reports: %s", what, f->form.path, reason);
}

/* ---- the form ---- */

static int frames_check(const char *path, const struct mw_frames_options *o)
{
    if (o->dims == 0 || o->dims > MW_DIMS_MAX || o->count == 0 || mw_type_bytes(o->type) == 0 || o->type >= MW_TYPE_C64)
        return mw_fail(MW_EINVAL, "cannot write %s: needs real elements, 1 to %d dimensions and a field", path,
                       MW_DIMS_MAX);
    for (size_t i = 0; i < o->count; i++) {
        bool taken = strcmp(o->names[i], "time") == 0 || strcmp(o->names[i], "step") == 0 ||
                     (o->systems > 1 && strcmp(o->names[i], "system") == 0);
        for (unsigned d = 0; d < o->dims; d++)
            taken = taken || strcmp(o->names[i], mw_frames_axis(d)) == 0;
        if (taken)
            return mw_fail(MW_EINVAL, "cannot write %s: field %s has the name of a dimension (rename the field)", path,
                           o->names[i]);
    }
    return 0;
}

static int form_make(const char *path, const struct mw_frames_options *o, struct mw_frames *f)
{
    struct mw_frames_form *form = &f->form;
    form->type = o->type;
    form->dims = o->dims;
    form->systems = o->systems ? o->systems : 1;
    TRY_RETURN(mw_strdup(path, &form->path));
    TRY_RETURN(mw_new(o->count, sizeof *form->names, &form->names));
    TRY_RETURN(mw_new(o->count, sizeof *f->field, &f->field));
    for (size_t i = 0; i < o->count; i++)
        f->field[i] = -1;
    for (; form->count < o->count; form->count++)
        TRY_RETURN(mw_strdup(o->names[form->count], &form->names[form->count]));
    f->rank = 1;
    if (form->systems > 1)
        f->shape[f->rank++] = form->systems;
    for (unsigned d = o->dims; d-- > 0;) {
        form->length[d] = o->length[d];
        form->spacing[d] = o->spacing ? o->spacing[d] : 1;
        f->shape[f->rank++] = o->length[d];
    }
    f->level = o->level == 0 ? 1 : o->level < 0 ? 0 : o->level;
    return 0;
}

/* ---- creation ---- */

/* Makes a dataset the scale of the dimension of its name, by the attributes of HDF5's dimension scales. */
static bool mark_scale(hid_t data, const char *name)
{
    return mw_frames_put_text(data, "CLASS", "DIMENSION_SCALE") && mw_frames_put_text(data, "NAME", name);
}

/* Writes an axis: `count` coordinates with a distance. */
static bool put_axis(const struct mw_frames *f, const char *name, size_t count, double spacing)
{
    const hsize_t length = count;
    const hid_t space = H5Screate_simple(1, &length, NULL);
    const hid_t data = H5Dcreate2(f->file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    double *at = NULL;
    bool fine = data >= 0 && mw_new(count, sizeof *at, &at) == 0;
    for (size_t i = 0; fine && i < count; i++)
        at[i] = (double)i * spacing;
    fine = fine && H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, at) >= 0 && mark_scale(data, name);
    if (data >= 0)
        H5Dclose(data);
    H5Sclose(space);
    free(at);
    return fine;
}

/* Makes a dataset that grows along its first dimension. */
static hid_t make_growing(const struct mw_frames *f, const char *name, hid_t type, unsigned rank, const hsize_t *chunk,
                          int level)
{
    const hid_t made = H5Pcreate(H5P_DATASET_CREATE);
    hsize_t now[RANK_MOST], most[RANK_MOST];
    hid_t space, data = -1;
    memcpy(now, f->shape, sizeof now);
    memcpy(most, f->shape, sizeof most);
    now[0] = 0;
    most[0] = H5S_UNLIMITED;
    space = H5Screate_simple((int)rank, now, most);
    if (H5Pset_chunk(made, (int)rank, chunk) >= 0 && H5Pset_fill_time(made, H5D_FILL_TIME_NEVER) >= 0 &&
        (level == 0 || H5Zfilter_avail(H5Z_FILTER_DEFLATE) <= 0 ||
         (H5Pset_shuffle(made) >= 0 && H5Pset_deflate(made, (unsigned)level) >= 0)))
        data = H5Dcreate2(f->file, name, type, space, H5P_DEFAULT, made, H5P_DEFAULT);
    H5Sclose(space);
    H5Pclose(made);
    return data;
}

/* Chooses chunks of one frame with about a MiB: whole rows, then whole planes and so on. */
static void choose_chunk(const struct mw_frames *f, hsize_t *chunk)
{
    size_t bytes = mw_type_bytes(f->form.type);
    chunk[0] = 1;
    for (unsigned i = f->rank; i-- > 1;) {
        const size_t left = bytes < CHUNK_BYTES ? CHUNK_BYTES / bytes : 1;
        chunk[i] = f->shape[i] < left ? f->shape[i] : left;
        bytes *= (size_t)chunk[i];
    }
}

/* Refers to the scale of each dimension: what H5DSattach_scale writes into the dataset. */
static bool attach_scales(const struct mw_frames *f, hid_t data, unsigned rank)
{
    const hsize_t count = rank;
    const hid_t type = H5Tvlen_create(H5T_STD_REF_OBJ), space = H5Screate_simple(1, &count, NULL);
    const hid_t list = H5Acreate2(data, "DIMENSION_LIST", type, space, H5P_DEFAULT, H5P_DEFAULT);
    hobj_ref_t reference[RANK_MOST];
    hvl_t at[RANK_MOST];
    bool fine = list >= 0;
    for (unsigned i = 0; fine && i < rank; i++) {
        const unsigned d = f->rank - 1 - i;
        const char *name = i == 0 ? "time" : d >= f->form.dims ? "system" : mw_frames_axis(d);
        fine = H5Rcreate(&reference[i], f->file, name, H5R_OBJECT, -1) >= 0;
        at[i] = (hvl_t){ 1, &reference[i] };
    }
    fine = fine && H5Awrite(list, type, at) >= 0;
    if (list >= 0)
        H5Aclose(list);
    H5Sclose(space);
    H5Tclose(type);
    return fine;
}

static bool make_datasets(struct mw_frames *f)
{
    const hsize_t times = TIMES_PER_CHUNK;
    hsize_t chunk[RANK_MOST];
    bool fine = true;
    for (unsigned d = 0; fine && d < f->form.dims; d++)
        fine = put_axis(f, mw_frames_axis(d), f->form.length[d], f->form.spacing[d]);
    if (fine && f->form.systems > 1)
        fine = put_axis(f, "system", f->form.systems, 1);
    f->scalar[TIME] = make_growing(f, "time", H5T_NATIVE_DOUBLE, 1, &times, 0);
    f->scalar[STEP] = make_growing(f, "step", H5T_NATIVE_INT64, 1, &times, 0);
    fine = fine && f->scalar[TIME] >= 0 && f->scalar[STEP] >= 0 && mark_scale(f->scalar[TIME], "time") &&
           attach_scales(f, f->scalar[STEP], 1);
    choose_chunk(f, chunk);
    for (size_t i = 0; fine && i < f->form.count; i++) {
        f->field[i] = make_growing(f, f->form.names[i], f->type, f->rank, chunk, f->level);
        fine = f->field[i] >= 0 && attach_scales(f, f->field[i], f->rank);
    }
    return fine;
}

/* Access to a file: metadata only at flushes; other programs may read while this one writes. */
static hid_t frames_access(void)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5AC_cache_config_t cache = { .version = H5AC__CURR_CACHE_CONFIG_VERSION };
    if (H5Pget_mdc_config(access, &cache) >= 0) {
        cache.evictions_enabled = 0;
        cache.incr_mode = H5C_incr__off;
        cache.flash_incr_mode = H5C_flash_incr__off;
        cache.decr_mode = H5C_decr__off;
        H5Pset_mdc_config(access, &cache);
    }
#if H5_VERSION_GE(1, 10, 7)
    H5Pset_file_locking(access, 0, 1);
#endif
    return access;
}

static int frames_create(struct mw_frames *f, const struct mw_setting *settings)
{
    const hid_t access = frames_access(), made = H5Pcreate(H5P_FILE_CREATE);
    bool fine;
    /* NetCDF lists variables in the order of their creation. */
    H5Pset_link_creation_order(made, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    f->file = H5Fcreate(f->form.path, H5F_ACC_TRUNC, made, access);
    fine = f->file >= 0 && mw_frames_put_text(f->file, "Conventions", "CF-1.8") &&
           mw_frames_put_settings(f->file, settings) && make_datasets(f) && H5Fflush(f->file, H5F_SCOPE_LOCAL) >= 0;
    H5Pclose(made);
    H5Pclose(access);
    return fine ? 0 : frames_fail(f, "write");
}

/* ---- continuing ---- */

static bool open_datasets(struct mw_frames *f)
{
    bool fine = true;
    for (size_t i = 0; fine && i < SCALARS; i++)
        fine = (f->scalar[i] = H5Dopen2(f->file, scalar_names[i], H5P_DEFAULT)) >= 0;
    for (size_t i = 0; fine && i < f->form.count; i++)
        fine = (f->field[i] = H5Dopen2(f->file, f->form.names[i], H5P_DEFAULT)) >= 0;
    return fine;
}

/* Returns whether a dataset has the shape of a field, or of a scalar if `rank` is 1, and as many frames. */
static bool has_shape(const struct mw_frames *f, hid_t data, unsigned rank)
{
    const hid_t space = H5Dget_space(data), type = H5Dget_type(data);
    hsize_t shape[H5S_MAX_RANK] = { 0 };
    bool same = H5Sget_simple_extent_ndims(space) == (int)rank && H5Sget_simple_extent_dims(space, shape, NULL) >= 0 &&
                memcmp(shape, f->shape, rank * sizeof *shape) == 0 && (rank == 1 || H5Tequal(type, f->type) > 0);
    H5Tclose(type);
    H5Sclose(space);
    return same;
}

static bool set_frames(struct mw_frames *f, hsize_t count)
{
    bool fine = true;
    f->shape[0] = count;
    for (size_t i = 0; fine && i < f->form.count; i++)
        fine = H5Dset_extent(f->field[i], f->shape) >= 0;
    for (size_t i = 0; fine && i < SCALARS; i++)
        fine = H5Dset_extent(f->scalar[i], &count) >= 0;
    return fine;
}

/* Reads the times, and removes the frames after a step. */
static int drop_later(struct mw_frames *f, uint64_t step)
{
    int64_t *steps = NULL;
    hsize_t kept = 0;
    size_t capacity = 1;
    int rc;
    TRY(mw_new((size_t)f->shape[0], sizeof *steps, &steps));
    while (capacity < f->shape[0])
        capacity *= 2; /* as mw_grow makes it */
    TRY(mw_new(capacity, sizeof *f->times, &f->times));
    if (f->shape[0] > 0 && (H5Dread(f->scalar[STEP], H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, steps) < 0 ||
                            H5Dread(f->scalar[TIME], H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, f->times) < 0))
        TRY(frames_fail(f, "read"));
    while (kept < f->shape[0] && steps[kept] >= 0 && (uint64_t)steps[kept] <= step)
        kept++;
    if (kept < f->shape[0] && (!set_frames(f, kept) || H5Fflush(f->file, H5F_SCOPE_LOCAL) < 0))
        TRY(frames_fail(f, "write"));
out:
    free(steps);
    return rc;
}

static int frames_continue(struct mw_frames *f, const struct mw_frames_options *o)
{
    const hid_t access = frames_access();
    bool fine = H5Fis_hdf5(f->form.path) > 0;
    hid_t space;
    if (fine)
        f->file = H5Fopen(f->form.path, H5F_ACC_RDWR, access);
    H5Pclose(access);
    if (!fine || f->file < 0 || !open_datasets(f))
        return mw_fail(MW_EDATA,
                       "%s cannot be continued: it is not a complete HDF5 file of such a run (give another file)",
                       f->form.path);
    space = H5Dget_space(f->scalar[STEP]);
    H5Sget_simple_extent_dims(space, f->shape, NULL);
    H5Sclose(space);
    for (size_t i = 0; i < f->form.count; i++)
        fine = fine && has_shape(f, f->field[i], f->rank);
    if (!fine || !has_shape(f, f->scalar[TIME], 1))
        return mw_fail(MW_EINVAL,
                       "%s belongs to another run: its fields have another shape or type (give another file)",
                       f->form.path);
    TRY_RETURN(mw_frames_compare_settings(f->form.path, f->file, o->settings));
    return drop_later(f, o->step);
}

/* ---- frames ---- */

int mw_frames_open(const char *path, const struct mw_frames_options *given, struct mw_frames **frames)
{
    struct mw_frames_options o = { 0 };
    struct mw_hdf5_lock lock;
    struct mw_frames *f = NULL;
    int rc;
    TRY_RETURN(MW_OPTIONS_TAKE(mw_frames_options, given, level, &o));
    TRY_RETURN(frames_check(path, &o));
    TRY_RETURN(mw_new(1, sizeof *f, &f));
    f->file = f->type = f->scalar[TIME] = f->scalar[STEP] = -1;
    mw_hdf5_lock(&lock);
    TRY(form_make(path, &o, f));
    f->type = mw_hdf5_type(o.type);
    TRY(o.resume && access(path, F_OK) == 0 ? frames_continue(f, &o) : frames_create(f, o.settings));
    *frames = f;
    f = NULL;
out:
    mw_hdf5_unlock(&lock);
    mw_frames_close(f);
    return rc;
}

static bool write_scalar(const struct mw_frames *f, hid_t data, hid_t type, const void *value)
{
    const hsize_t at = f->shape[0] - 1, one = 1;
    const hid_t space = H5Dget_space(data), memory = H5Screate_simple(1, &one, NULL);
    const bool fine = H5Sselect_hyperslab(space, H5S_SELECT_SET, &at, NULL, &one, NULL) >= 0 &&
                      H5Dwrite(data, type, memory, space, H5P_DEFAULT, value) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    return fine;
}

/* The state's dimensions in memory: systems, fields, mesh.  A field is a part of it. */
static bool write_field(const struct mw_frames *f, size_t i, const struct mw_array *state)
{
    const unsigned mesh = f->form.dims;
    hsize_t at[RANK_MOST] = { f->shape[0] - 1 }, shape[RANK_MOST], all[RANK_MOST], from[RANK_MOST] = { 0 };
    hsize_t count[RANK_MOST];
    const hid_t space = H5Dget_space(f->field[i]);
    memcpy(shape, f->shape, sizeof shape);
    shape[0] = 1;
    all[0] = f->form.systems;
    all[1] = f->form.count;
    memcpy(all + 2, f->shape + f->rank - mesh, mesh * sizeof *all);
    memcpy(count, all, sizeof count);
    from[1] = i;
    count[1] = 1;
    const hid_t memory = H5Screate_simple((int)mesh + 2, all, NULL);
    const bool fine = H5Sselect_hyperslab(space, H5S_SELECT_SET, at, NULL, shape, NULL) >= 0 &&
                      H5Sselect_hyperslab(memory, H5S_SELECT_SET, from, NULL, count, NULL) >= 0 &&
                      H5Dwrite(f->field[i], f->type, memory, space, H5P_DEFAULT, state->data) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    return fine;
}

static int add_locked(struct mw_frames *f, uint64_t step, double time, const struct mw_array *state)
{
    const int64_t number = (int64_t)step;
    bool fine;
    TRY_RETURN(mw_grow((size_t)f->shape[0], sizeof *f->times, &f->times));
    f->times[f->shape[0]] = time;
    fine = set_frames(f, f->shape[0] + 1);
    for (size_t i = 0; fine && i < f->form.count; i++)
        fine = write_field(f, i, state);
    fine = fine && write_scalar(f, f->scalar[TIME], H5T_NATIVE_DOUBLE, &time) &&
           write_scalar(f, f->scalar[STEP], H5T_NATIVE_INT64, &number) && H5Fflush(f->file, H5F_SCOPE_LOCAL) >= 0;
    return fine ? 0 : frames_fail(f, "write");
}

int mw_frames_add(struct mw_frames *f, uint64_t step, double time, const struct mw_array *state)
{
    size_t elements = f->form.count * f->form.systems;
    struct mw_hdf5_lock lock;
    int rc;
    for (unsigned d = 0; d < f->form.dims; d++)
        elements *= f->form.length[d];
    if (state->type != f->form.type || state->count != elements || !state->data)
        return mw_fail(MW_EINVAL, "cannot write %s: a frame must have %zu elements of %s", f->form.path, elements,
                       mw_type_name(f->form.type));
    mw_hdf5_lock(&lock);
    rc = add_locked(f, step, time, state);
    mw_hdf5_unlock(&lock);
    if (rc == 0 && (f->shape[0] & (f->shape[0] - 1)) == 0)
        rc = mw_frames_xdmf(&f->form, f->times, (size_t)f->shape[0]);
    return rc;
}

size_t mw_frames_count(const struct mw_frames *f) { return (size_t)f->shape[0]; }

int mw_frames_index(struct mw_frames *f) { return mw_frames_xdmf(&f->form, f->times, (size_t)f->shape[0]); }

void mw_frames_close(struct mw_frames *f)
{
    struct mw_hdf5_lock lock;
    if (!f)
        return;
    mw_hdf5_lock(&lock);
    for (size_t i = 0; i < f->form.count; i++)
        if (f->field[i] >= 0)
            H5Dclose(f->field[i]);
    for (size_t i = 0; i < SCALARS; i++)
        if (f->scalar[i] >= 0)
            H5Dclose(f->scalar[i]);
    if (f->type >= 0)
        H5Tclose(f->type);
    if (f->file >= 0)
        H5Fclose(f->file);
    mw_hdf5_unlock(&lock);
    for (size_t i = 0; i < f->form.count; i++)
        free(f->form.names[i]);
    free(f->form.names);
    free(f->form.path);
    free(f->field);
    free(f->times);
    free(f);
}

#else
#include "io/formats/hdf5.h"

int mw_frames_open(const char *path, const struct mw_frames_options *options, struct mw_frames **frames)
{
    return mw_fail(MW_ENOTSUP, "cannot write %s: " WITHOUT_HDF5, path);
}
int mw_frames_add(struct mw_frames *frames, uint64_t step, double time, const struct mw_array *state)
{
    return mw_fail(MW_ENOTSUP, WITHOUT_HDF5);
}
size_t mw_frames_count(const struct mw_frames *frames) { return 0; }
int mw_frames_index(struct mw_frames *frames) { return mw_fail(MW_ENOTSUP, WITHOUT_HDF5); }
void mw_frames_close(struct mw_frames *frames) {}

#endif
/* SPDX-License-Identifier: MIT */
