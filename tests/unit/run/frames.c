/* Files of frames: random states are read back, also after a restart; other files are refused. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <meshwork/frames.h>

#include "base/base.h"
#include "tests/check.h"
#include "tests/scratch.h"

#ifdef HAVE_HDF5

static const struct mw_setting settings[] = { { "seed", "7", false },
                                              { "parameter K", "0.5", false },
                                              { "text", "any words", false },
                                              { "steps", "9", true },
                                              { NULL, NULL, false } };

/* A file of random form, and the bytes of its states. */
struct made {
    struct mw_frames_options o;
    size_t length[MW_DIMS_MAX], cells, elements, frames;
    double spacing[MW_DIMS_MAX];
    struct mw_array state[6];
};

static const char *const names[] = { "a", "b", "rho" };

static void make_form(struct made *m)
{
    static const enum mw_type types[] = { MW_TYPE_F32, MW_TYPE_F64, MW_TYPE_I8, MW_TYPE_U16, MW_TYPE_I64 };
    *m = (struct made){ .cells = 1 };
    m->o =
        (struct mw_frames_options){ .size = sizeof m->o,
                                    .type = types[random_below(MW_COUNT(types))],
                                    .dims = 1 + (unsigned)random_below(MW_DIMS_MAX - 1), /* and perhaps the systems */
                                    .length = m->length,
                                    .spacing = random_below(2) ? m->spacing : NULL,
                                    .systems = random_below(4),
                                    .names = names,
                                    .count = 1 + random_below(3),
                                    .settings = settings,
                                    .level = (int)random_below(4) - 1 };
    for (unsigned d = 0; d < m->o.dims; d++) {
        m->length[d] = 1 + random_below(m->o.dims > 3 ? 3 : 30);
        m->spacing[d] = 0.5;
        m->cells *= m->length[d];
    }
    m->elements = m->cells * m->o.count * (m->o.systems ? m->o.systems : 1);
}

static void add_frames(struct made *m, struct mw_frames *f, size_t until)
{
    for (; m->frames < until; m->frames++) {
        struct mw_array *a = &m->state[m->frames];
        OK(mw_array_new(m->o.type, 1, &m->elements, a));
        for (size_t i = 0; i < a->count * mw_type_bytes(a->type); i++)
            ((unsigned char *)a->data)[i] = (unsigned char)random_below(120);
        OK(mw_frames_add(f, 10 * m->frames, 0.25 * (double)m->frames, a));
    }
    assert_int_equal(mw_frames_count(f), until);
}

/* Compares each frame of each field, as mw_array_load reads it, with the part of its state. */
static void check_frames(const struct made *m)
{
    const size_t bytes = mw_type_bytes(m->o.type), systems = m->o.systems ? m->o.systems : 1;
    struct mw_array a = { 0 };
    char path[600];
    for (size_t frame = 0; frame < m->frames; frame++)
        for (size_t i = 0; i < m->o.count; i++) {
            snprintf(path, sizeof path, "%s:/%s[%zu]", in("a.h5"), names[i], frame);
            OK(mw_array_load(path, &a));
            assert_int_equal(a.type, m->o.type);
            assert_int_equal(a.dims, m->o.dims + (systems > 1));
            for (unsigned d = 0; d < m->o.dims; d++)
                assert_int_equal(a.length[d], m->length[d]);
            for (size_t s = 0; s < systems; s++)
                assert_memory_equal((char *)a.data + s * m->cells * bytes,
                                    (char *)m->state[frame].data + (s * m->o.count + i) * m->cells * bytes,
                                    m->cells * bytes);
            mw_array_free(&a);
        }
    snprintf(path, sizeof path, "%s:time", in("a.h5"));
    OK(mw_array_load(path, &a));
    assert_int_equal(a.count, m->frames);
    for (size_t i = 0; i < a.count; i++)
        assert_true(((double *)a.data)[i] == 0.25 * (double)i);
    mw_array_free(&a);
    snprintf(path, sizeof path, "%s:x", in("a.h5"));
    OK(mw_array_load(path, &a));
    assert_true(((double *)a.data)[a.count - 1] == (m->o.spacing ? 0.5 : 1) * (double)(m->length[0] - 1));
    mw_array_free(&a);
}

static void states_are_read_back(void **state)
{
    for (size_t round = 0; round < 60; round++) {
        struct mw_frames *f = NULL;
        struct made m;
        make_form(&m);
        OK(mw_frames_open(in("a.h5"), &m.o, &f));
        add_frames(&m, f, 3);
        mw_frames_close(f);
        check_frames(&m);
        /* A restart at step 10 to 19 drops the frame of step 20. */
        m.o.resume = true;
        m.o.step = 10 + random_below(2) * 9;
        OK(mw_frames_open(in("a.h5"), &m.o, &f));
        assert_int_equal(mw_frames_count(f), 2);
        mw_array_free(&m.state[--m.frames]);
        add_frames(&m, f, 6);
        OK(mw_frames_index(f));
        mw_frames_close(f);
        check_frames(&m);
        for (size_t i = 0; i < m.frames; i++)
            mw_array_free(&m.state[i]);
    }
}

static void other_files_are_refused(void **state)
{
    static const struct mw_setting other[] = { { "seed", "8", false }, { NULL, NULL, false } };
    static const struct mw_setting more[] = { { "b", "1", false }, { NULL, NULL, false } };
    const size_t length[] = { 4, 3 }, wider[] = { 5, 3 };
    struct mw_frames_options o = { .size = sizeof o,
                                   .type = MW_TYPE_F32,
                                   .dims = 2,
                                   .length = length,
                                   .names = names,
                                   .count = 1,
                                   .settings = settings };
    struct mw_frames_options wrong = o;
    struct mw_frames *f = NULL;
    float values[12] = { 1 };
    struct mw_array a = { MW_TYPE_F32, 2, { 4, 3 }, 12, values };
    OK(mw_frames_open(in("r.h5"), &o, &f));
    OK(mw_frames_add(f, 0, 0, &a));
    a.type = MW_TYPE_I32;
    FAILS(MW_EINVAL, "12 elements of float32", mw_frames_add(f, 1, 1, &a));
    a.type = MW_TYPE_F32;
    a.count = 11;
    FAILS(MW_EINVAL, "12 elements of float32", mw_frames_add(f, 1, 1, &a));
    mw_frames_close(f);
    o.resume = wrong.resume = true;
    wrong.settings = other;
    FAILS(MW_EINVAL, "attribute seed is not 8", mw_frames_open(in("r.h5"), &wrong, &f));
    wrong.settings = more;
    FAILS(MW_EINVAL, "attribute b is not 1", mw_frames_open(in("r.h5"), &wrong, &f));
    wrong = o;
    wrong.length = wider;
    FAILS(MW_EINVAL, "another shape or type", mw_frames_open(in("r.h5"), &wrong, &f));
    wrong = o;
    wrong.type = MW_TYPE_F64;
    FAILS(MW_EINVAL, "another shape or type", mw_frames_open(in("r.h5"), &wrong, &f));
    wrong = o;
    wrong.count = 2;
    FAILS(MW_EDATA, "cannot be continued", mw_frames_open(in("r.h5"), &wrong, &f));
    wrong = o;
    wrong.names = (const char *const[]){ "time" };
    FAILS(MW_EINVAL, "the name of a dimension", mw_frames_open(in("r.h5"), &wrong, &f));
    wrong = o;
    wrong.type = MW_TYPE_C64;
    FAILS(MW_EINVAL, "real elements", mw_frames_open(in("r.h5"), &wrong, &f));
    FAILS(MW_EIO, "cannot write", mw_frames_open(in("nowhere/r.h5"), &o, &f));
    put_bytes(in("r.h5"), "text", 4);
    FAILS(MW_EDATA, "cannot be continued", mw_frames_open(in("r.h5"), &o, &f));
    mw_frames_close(NULL);
}

/* Truncated files are refused by one line. */
static void truncated_files_are_refused(void **state)
{
    const size_t length[] = { 40, 30 };
    const struct mw_frames_options o = {
        .size = sizeof o, .type = MW_TYPE_F32, .dims = 2, .length = length, .names = names, .count = 1
    };
    struct mw_array a = { 0 }, again = { 0 };
    struct mw_frames *f = NULL;
    char *bytes = NULL, path[600];
    size_t n;
    OK(mw_array_new(MW_TYPE_F32, 2, length, &a));
    OK(mw_frames_open(in("t.h5"), &o, &f));
    OK(mw_frames_add(f, 0, 0, &a));
    mw_frames_close(f);
    OK(mw_file_read(in("t.h5"), SIZE_MAX, &bytes, &n));
    for (size_t i = 0; i < 200; i++) {
        put_bytes(in("t.h5"), bytes, random_below(n));
        snprintf(path, sizeof path, "%s:/a", in("t.h5"));
        FAILS(MW_EDATA, "t.h5", mw_array_load(path, &again));
        assert_null(strchr(mw_errmsg(), '\n'));
    }
    put_bytes(in("t.h5"), bytes, n);
    OK(mw_array_load(in("t.h5"), &again)); /* the dataset with the most dimensions */
    mw_array_free(&again);
    snprintf(path, sizeof path, "%s:/b", in("t.h5"));
    FAILS(MW_EDATA, "no dataset /b", mw_array_load(path, &again));
    snprintf(path, sizeof path, "%s:/a[1]", in("t.h5"));
    FAILS(MW_EINVAL, "it has 1 frames", mw_array_load(path, &again));
    snprintf(path, sizeof path, "%s:/a[x]", in("t.h5"));
    FAILS(MW_EINVAL, "expected an index", mw_array_load(path, &again));
    free(bytes);
    mw_array_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(states_are_read_back),
                                        cmocka_unit_test(other_files_are_refused),
                                        cmocka_unit_test(truncated_files_are_refused) };
    seed_random();
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}

#else

static void frames_need_hdf5(void **state)
{
    struct mw_frames *f;
    FAILS(MW_ENOTSUP, "without HDF5", mw_frames_open("a.h5", NULL, &f));
    FAILS(MW_ENOTSUP, "without HDF5", mw_array_load("a.h5", &(struct mw_array){ 0 }));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(frames_need_hdf5) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
/* SPDX-License-Identifier: MIT */
