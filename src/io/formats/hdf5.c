/* Reads datasets of HDF5 files. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "io/formats/hdf5.h"

#include "base/base.h"
#include "io/formats.h"

#ifdef HAVE_HDF5
#include "dev/host/host.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if H5_VERSION_GE(1, 12, 0)
#define VISIT H5Ovisit3
#define VISITED H5O_info2_t
#else
#define VISIT H5Ovisit2
#define VISITED H5O_info_t
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void mw_hdf5_lock(struct mw_hdf5_lock *lock)
{
    pthread_mutex_lock(&mutex);
    H5Eget_auto2(H5E_DEFAULT, &lock->print, &lock->context);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    H5Eclear2(H5E_DEFAULT);
}

void mw_hdf5_unlock(const struct mw_hdf5_lock *lock)
{
    H5Eset_auto2(H5E_DEFAULT, lock->print, lock->context);
    pthread_mutex_unlock(&mutex);
}

static herr_t take_reason(unsigned n, const H5E_error2_t *error, void *text)
{
    snprintf(text, 160, "%s", error->desc ? error->desc : "");
    return 1; /* the first one is the deepest */
}

void mw_hdf5_reason(char *text, size_t size)
{
    char reason[160] = "";
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_reason, reason);
    snprintf(text, size, "%s", reason[0] ? reason : "unknown failure");
}

/* Complex numbers are pairs r and i, as in h5py. */
static hid_t complex_type(hid_t part, size_t bytes)
{
    const hid_t type = H5Tcreate(H5T_COMPOUND, 2 * bytes);
    if (type >= 0 && H5Tinsert(type, "r", 0, part) >= 0 && H5Tinsert(type, "i", bytes, part) >= 0)
        return type;
    H5Tclose(type);
    return -1;
}

hid_t mw_hdf5_type(enum mw_type type)
{
    switch (type) {
    case MW_TYPE_BOOL:
    case MW_TYPE_U8: return H5Tcopy(H5T_NATIVE_UINT8);
    case MW_TYPE_I8: return H5Tcopy(H5T_NATIVE_INT8);
    case MW_TYPE_I16: return H5Tcopy(H5T_NATIVE_INT16);
    case MW_TYPE_U16: return H5Tcopy(H5T_NATIVE_UINT16);
    case MW_TYPE_I32: return H5Tcopy(H5T_NATIVE_INT32);
    case MW_TYPE_U32: return H5Tcopy(H5T_NATIVE_UINT32);
    case MW_TYPE_I64: return H5Tcopy(H5T_NATIVE_INT64);
    case MW_TYPE_U64: return H5Tcopy(H5T_NATIVE_UINT64);
    case MW_TYPE_F32: return H5Tcopy(H5T_NATIVE_FLOAT);
    case MW_TYPE_F64: return H5Tcopy(H5T_NATIVE_DOUBLE);
    case MW_TYPE_C64: return complex_type(H5T_NATIVE_FLOAT, sizeof(float));
    case MW_TYPE_C128: return complex_type(H5T_NATIVE_DOUBLE, sizeof(double));
    }
    return -1;
}

/* A file being read: FILE.h5:/DATASET[FRAME]. */
struct hdf5_reading {
    const char *whole;
    char *path, *name, *frame; /* name, frame: in `path`; NULL: none */
    hid_t file, data, space, type;
    struct mw_array array;
    char *first;  /* name of the first dataset with the most dimensions */
    size_t names; /* number of such datasets */
    int rank;     /* their dimensions; -1: none */
    struct mw_text list;
};

static int hdf5_malformed(const struct hdf5_reading *r)
{
    char reason[160];
    mw_hdf5_reason(reason, sizeof reason);
    return mw_fail(MW_EDATA, "cannot read %s: HDF5 reports: %s", r->whole, reason);
}

/* Divides the path at the colon after the suffix, and takes a frame from the end of the name. */
static int hdf5_divide(struct hdf5_reading *r)
{
    static const char *const suffixes[] = { ".h5:", ".hdf5:", ".nc:" };
    size_t n;
    TRY_RETURN(mw_strdup(r->whole, &r->path));
    for (size_t i = 0; i < MW_COUNT(suffixes) && !r->name; i++) {
        const char *at = mw_find_word(r->path, suffixes[i]);
        if (!at)
            continue;
        r->name = r->path + (at - r->path) + strlen(suffixes[i]);
        r->name[-1] = 0;
    }
    if (!r->name || (n = strlen(r->name)) == 0 || r->name[n - 1] != ']' || !(r->frame = strrchr(r->name, '[')))
        return 0;
    r->name[n - 1] = 0;
    *r->frame++ = 0;
    return 0;
}

/* Lists the datasets that are not the scale of a dimension, and keeps the name of the first one with the
 * most dimensions. */
static herr_t add_name(hid_t group, const char *name, const VISITED *info, void *context)
{
    struct hdf5_reading *r = context;
    const hid_t data = info->type == H5O_TYPE_DATASET ? H5Dopen2(group, name, H5P_DEFAULT) : -1;
    if (data < 0)
        return 0;
    if (H5Aexists(data, "CLASS") <= 0) {
        const hid_t space = H5Dget_space(data);
        const int rank = H5Sget_simple_extent_ndims(space);
        H5Sclose(space);
        mw_text_add(&r->list, "%s/%s", r->list.length ? ", " : "", name);
        r->names = rank > r->rank ? 1 : r->names + (rank == r->rank);
        if (rank > r->rank) {
            free(r->first);
            r->first = NULL;
            if (mw_strdup(name, &r->first) != 0)
                r->first = NULL;
            r->rank = rank;
        }
    }
    H5Dclose(data);
    return r->list.length > 400; /* the message has room for no more */
}

static int open_dataset(struct hdf5_reading *r)
{
    const bool named = r->name && r->name[0];
    if (access(r->path, R_OK) != 0)
        return mw_fail(MW_EIO, "cannot read %s: %s", r->path, strerror(errno));
    if (H5Fis_hdf5(r->path) <= 0)
        return mw_fail(MW_EDATA, "%s is not a valid HDF5 file: it has no signature of HDF5", r->path);
    r->file = H5Fopen(r->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (r->file < 0)
        return hdf5_malformed(r);
    if (named) {
        r->data = H5Dopen2(r->file, r->name, H5P_DEFAULT);
        if (r->data >= 0)
            return 0;
    }
    const herr_t seen = VISIT(r->file, H5_INDEX_NAME, H5_ITER_NATIVE, add_name, r, H5O_INFO_BASIC);
    if (seen >= 0 && !named && r->names == 1 && r->first)
        r->data = H5Dopen2(r->file, r->first, H5P_DEFAULT);
    if (seen < 0)
        return hdf5_malformed(r);
    if (r->data >= 0)
        return 0;
    return mw_fail(MW_EDATA, "%s has %s%s: name one as in %s:/NAME (datasets: %s)", r->path,
                   named      ? "no dataset "
                   : r->names ? "several datasets"
                              : "no dataset",
                   named ? r->name : "", r->path, r->list.length ? r->list.data : "none");
}

/* Finds the element type in memory; enumerations, as h5py's bool, are their integers. */
static bool hdf5_find_type(const struct hdf5_reading *r, enum mw_type *type)
{
    const hid_t stored = H5Dget_type(r->data);
    const hid_t of = H5Tget_class(stored) == H5T_ENUM ? H5Tget_super(stored) : H5Tcopy(stored);
    const H5T_class_t class = H5Tget_class(of);
    const size_t bytes = H5Tget_size(of);
    bool known = false;
    for (int i = MW_TYPE_I8; i <= MW_TYPE_C128 && !known; i++) {
        const hid_t memory = mw_hdf5_type((enum mw_type)i);
        const bool same_class = H5Tget_class(memory) == class;
        known = same_class && (class == H5T_FLOAT || class == H5T_INTEGER || class == H5T_COMPOUND) &&
                (H5Tget_size(memory) == bytes || (class == H5T_FLOAT && bytes == 2 && i == MW_TYPE_F32)) &&
                (class != H5T_INTEGER || H5Tget_sign(of) == H5Tget_sign(memory)) &&
                (class != H5T_COMPOUND ||
                 (H5Tget_nmembers(of) == 2 && H5Tget_member_index(of, "r") >= 0 && H5Tget_member_index(of, "i") >= 0));
        *type = (enum mw_type)i;
        H5Tclose(memory);
    }
    H5Tclose(of);
    H5Tclose(stored);
    return known;
}

/* Selects one index of the slowest dimension, and removes this dimension. */
static int select_frame(struct hdf5_reading *r, unsigned *dims, hsize_t *shape)
{
    hsize_t first[H5S_MAX_RANK] = { 0 }, count[H5S_MAX_RANK];
    char *end;
    const long long asked = strtoll(r->frame, &end, 10);
    if (*dims == 0 || *end || end == r->frame)
        return mw_fail(MW_EINVAL,
                       "cannot read %s: expected an index of the first dimension in brackets, as in [0] or [-1]",
                       r->whole);
    const long long at = asked < 0 ? asked + (long long)shape[0] : asked;
    if (at < 0 || (unsigned long long)at >= shape[0])
        return mw_fail(MW_EINVAL, "cannot read %s: it has %llu frames (the last one is [-1])", r->whole,
                       (unsigned long long)shape[0]);
    memcpy(count, shape, sizeof count);
    first[0] = (hsize_t)at;
    count[0] = 1;
    if (H5Sselect_hyperslab(r->space, H5S_SELECT_SET, first, NULL, count, NULL) < 0)
        return hdf5_malformed(r);
    memmove(shape, shape + 1, --*dims * sizeof *shape);
    return 0;
}

/* Compares the shape with the size of the file before it allocates the array. */
static int hdf5_make_room(struct hdf5_reading *r, enum mw_type type, unsigned dims, const hsize_t *shape)
{
    size_t length[MW_DIMS_MAX], bytes = mw_type_bytes(type);
    struct stat status;
    if (dims > MW_DIMS_MAX)
        return mw_fail(MW_EDATA, "%s has %u dimensions (at most %d)", r->whole, dims, MW_DIMS_MAX);
    for (unsigned d = 0; d < dims; d++) {
        length[d] = (size_t)shape[dims - 1 - d];
        if (!mw_mul(bytes, length[d], &bytes))
            return mw_fail(MW_EDATA, "%s: the shape exceeds the address space", r->whole);
    }
    if (stat(r->path, &status) != 0)
        return mw_fail(MW_EIO, "cannot read %s: %s", r->path, strerror(errno));
    TRY_RETURN(mw_host_takes_unpacked(r->path, (uint64_t)status.st_size, bytes, 0));
    return mw_array_new(type, dims, length, &r->array);
}

static int read_dataset(struct hdf5_reading *r)
{
    hsize_t shape[H5S_MAX_RANK] = { 0 };
    enum mw_type type;
    hid_t memory;
    int dims, rc = 0;
    if (!hdf5_find_type(r, &type))
        return mw_fail(MW_EDATA, "%s has elements that are not numbers: choose another dataset", r->whole);
    r->space = H5Dget_space(r->data);
    dims = r->space < 0 ? -1 : H5Sget_simple_extent_dims(r->space, shape, NULL);
    if (dims < 0)
        return hdf5_malformed(r);
    unsigned rank = (unsigned)dims;
    if (r->frame)
        TRY_RETURN(select_frame(r, &rank, shape));
    TRY_RETURN(hdf5_make_room(r, type, rank, shape));
    r->type = mw_hdf5_type(type);
    memory = rank ? H5Screate_simple((int)rank, shape, NULL) : H5Screate(H5S_SCALAR);
    if (r->array.count > 0 && H5Dread(r->data, r->type, memory, r->space, H5P_DEFAULT, r->array.data) < 0)
        rc = hdf5_malformed(r);
    H5Sclose(memory);
    return rc;
}

int mw_hdf5_read(const char *path, struct mw_array *array)
{
    struct hdf5_reading r = { .whole = path, .rank = -1, .file = -1, .data = -1, .space = -1, .type = -1 };
    struct mw_hdf5_lock lock;
    int rc;
    mw_hdf5_lock(&lock);
    TRY(hdf5_divide(&r));
    TRY(open_dataset(&r));
    TRY(read_dataset(&r));
    *array = r.array;
    r.array.data = NULL;
out:
    if (r.type >= 0)
        H5Tclose(r.type);
    if (r.space >= 0)
        H5Sclose(r.space);
    if (r.data >= 0)
        H5Dclose(r.data);
    if (r.file >= 0)
        H5Fclose(r.file);
    mw_hdf5_unlock(&lock);
    mw_array_free(&r.array);
    mw_text_free(&r.list);
    free(r.first);
    free(r.path);
    return rc;
}

#else

int mw_hdf5_read(const char *path, struct mw_array *array)
{
    return mw_fail(MW_ENOTSUP, "cannot read %s: " WITHOUT_HDF5, path);
}

#endif
/* SPDX-License-Identifier: MIT */
