/* Cahn-Hilliard on one device, $MESHWORK_TEST_DEVICE, in one to four dimensions, with all boundary conditions,
 * integrators, Laplacians and precisions, in every variant.  The bits must equal a reference in plain C that computes
 * each value where it is needed. */
#include "field/program/program.h"

#include "tests/device/device.h"
#include "tests/device/field/models.h"

enum { VARIANTS_MOST = 16 };

static struct mw_model *model;
static int checked; /* cases within the device's limits */

#define OUTSIDE 0.0 /* the model's field beyond fixed boundaries */

/* ---- the reference ---- */

struct lattice {
    unsigned dims;
    long n[MW_DIMS_MAX];
    enum mw_boundary boundary[MW_DIMS_MAX];
    enum mw_laplacian lap;
};

/* The cell that replaces a coordinate beyond the ends; -1: none. */
static long extended(const struct lattice *l, const long *x)
{
    long k = 0;
    for (int d = (int)l->dims - 1; d >= 0; d--) {
        const long n = l->n[d], period = l->boundary[d] == MW_BOUNDARY_MIRROR ? 2 * n : n;
        long c = x[d];
        if (l->boundary[d] == MW_BOUNDARY_FIXED && (c < 0 || c >= n))
            return -1;
        c = (c % period + period) % period;
        k = k * n + (c < n ? c : period - 1 - c);
    }
    return k;
}

#define REFERENCE(real, F)                                                                                             \
    typedef real sample_##F(const struct lattice *l, const real *c, const long *x);                                    \
    static real c_##F(const struct lattice *l, const real *c, const long *x)                                           \
    {                                                                                                                  \
        const long k = extended(l, x);                                                                                 \
        return k < 0 ? (real)OUTSIDE : c[k];                                                                           \
    }                                                                                                                  \
    static real at_##F(sample_##F *f, const struct lattice *l, const real *c, const long *x, unsigned d, long a,       \
                       unsigned e, long b)                                                                             \
    {                                                                                                                  \
        long y[MW_DIMS_MAX];                                                                                           \
        memcpy(y, x, sizeof y);                                                                                        \
        y[d] += a;                                                                                                     \
        y[e] += b;                                                                                                     \
        return f(l, c, y);                                                                                             \
    }                                                                                                                  \
    static real nearest_##F(sample_##F *f, const struct lattice *l, const real *c, const long *x, long k)              \
    {                                                                                                                  \
        real sum = at_##F(f, l, c, x, 0, -k, 0, 0) + at_##F(f, l, c, x, 0, k, 0, 0);                                   \
        for (unsigned d = 1; d < l->dims; d++)                                                                         \
            sum = sum + (at_##F(f, l, c, x, d, -k, d, 0) + at_##F(f, l, c, x, d, k, d, 0));                            \
        return sum;                                                                                                    \
    }                                                                                                                  \
    static real diagonal_##F(sample_##F *f, const struct lattice *l, const real *c, const long *x, unsigned d,         \
                             unsigned e)                                                                               \
    {                                                                                                                  \
        return (at_##F(f, l, c, x, d, -1, e, -1) + at_##F(f, l, c, x, d, 1, e, 1)) +                                   \
               (at_##F(f, l, c, x, d, -1, e, 1) + at_##F(f, l, c, x, d, 1, e, -1));                                    \
    }                                                                                                                  \
    static real lap_##F(sample_##F *f, const struct lattice *l, const real *c, const long *x)                          \
    {                                                                                                                  \
        const real centre = f(l, c, x), near = nearest_##F(f, l, c, x, 1);                                             \
        if (l->lap == MW_LAPLACIAN_FOURTH)                                                                             \
            return (real)1.3333333333333333 * near - (real)0.083333333333333333 * nearest_##F(f, l, c, x, 2) -         \
                   (real)2.5 * (real)l->dims * centre;                                                                 \
        if (l->lap == MW_LAPLACIAN_ISOTROPIC && l->dims == 2)                                                          \
            return (real)0.16666666666666667 * ((real)4 * near + diagonal_##F(f, l, c, x, 0, 1) - (real)20 * centre);  \
        if (l->lap == MW_LAPLACIAN_ISOTROPIC)                                                                          \
            return (real)0.16666666666666667 * ((real)2 * near +                                                       \
                                                (diagonal_##F(f, l, c, x, 0, 1) +                                      \
                                                 (diagonal_##F(f, l, c, x, 0, 2) + diagonal_##F(f, l, c, x, 1, 2))) -  \
                                                (real)24 * centre);                                                    \
        return near - (real)(2 * l->dims) * centre;                                                                    \
    }                                                                                                                  \
    static real mu_##F(const struct lattice *l, const real *c, const long *x)                                          \
    {                                                                                                                  \
        const real v = c_##F(l, c, x);                                                                                 \
        return v * v * v - v - lap_##F(c_##F, l, c, x);                                                                \
    }                                                                                                                  \
    static real rate_##F(const struct lattice *l, const real *c, long k)                                               \
    {                                                                                                                  \
        long x[MW_DIMS_MAX] = { 0 };                                                                                   \
        for (unsigned d = 0; d < l->dims; k /= l->n[d++])                                                              \
            x[d] = k % l->n[d];                                                                                        \
        return lap_##F(mu_##F, l, c, x);                                                                               \
    }                                                                                                                  \
    /* out = base + h rate(in); sum, if present, = (first ? base : sum) + w rate(in) */                                \
    static void update_##F(const struct lattice *l, long n, real *out, const real *base, const real *in, real h,       \
                           real *sum, real w, bool first)                                                              \
    {                                                                                                                  \
        real *rates = malloc((size_t)n * sizeof *rates);                                                               \
        for (long k = 0; k < n; k++)                                                                                   \
            rates[k] = rate_##F(l, in, k);                                                                             \
        for (long k = 0; k < n; k++) {                                                                                 \
            if (sum)                                                                                                   \
                sum[k] = (first ? base[k] : sum[k]) + w * rates[k];                                                    \
            out[k] = base[k] + h * rates[k];                                                                           \
        }                                                                                                              \
        free(rates);                                                                                                   \
    }                                                                                                                  \
    static void step_##F(const struct lattice *l, long n, real *c, enum mw_integrator integrator, double dt)           \
    {                                                                                                                  \
        real *t = malloc((size_t)n * sizeof *t), *u = malloc((size_t)n * sizeof *u);                                   \
        real *sum = malloc((size_t)n * sizeof *sum);                                                                   \
        const real full = (real)dt, half = (real)(dt / 2), third = (real)(dt / 3), sixth = (real)(dt / 6);             \
        if (integrator == MW_INTEGRATOR_EULER) {                                                                       \
            update_##F(l, n, c, c, c, full, NULL, 0, false);                                                           \
        } else if (integrator == MW_INTEGRATOR_RK2) {                                                                  \
            update_##F(l, n, t, c, c, half, NULL, 0, false);                                                           \
            update_##F(l, n, c, c, t, full, NULL, 0, false);                                                           \
        } else {                                                                                                       \
            update_##F(l, n, t, c, c, half, sum, sixth, true);                                                         \
            update_##F(l, n, u, c, t, half, sum, third, false);                                                        \
            update_##F(l, n, t, c, u, full, sum, third, false);                                                        \
            update_##F(l, n, c, sum, t, sixth, NULL, 0, false);                                                        \
        }                                                                                                              \
        free(t);                                                                                                       \
        free(u);                                                                                                       \
        free(sum);                                                                                                     \
    }
REFERENCE(float, single)
REFERENCE(double, double)

/* ---- random cases ---- */

static struct mw_field_options random_options(unsigned dims)
{
    static const size_t most[] = { 0, 90, 40, 14, 7, 5 };
    struct mw_field_options o = {
        .size = sizeof o, .dims = dims, .dt = 0.001, .seed = random_below(1000), .no_tune = true
    };
    for (unsigned d = 0; d < dims; d++) {
        o.length[d] = 1 + random_below(most[dims] >> (slow && d > 0));
        o.boundary[d] = (enum mw_boundary)(random_below(2) ? random_below(4) : 0);
    }
    o.integrator = (enum mw_integrator)random_below(3);
    o.laplacian = (enum mw_laplacian)random_below(dims == 2 || dims == 3 ? 3 : 2);
    o.fp64 = info->fp64 && random_below(4) == 0;
    return o;
}

static void describe(const struct mw_field_options *o, char *text, size_t size)
{
    size_t n = 0;
    for (unsigned d = 0; d < o->dims; d++)
        n += (size_t)snprintf(text + n, size - n, "%s%zu%c", d ? " x " : "", o->length[d], "dpmf"[o->boundary[d]]);
    snprintf(text + n, size - n, ", integrator %d, Laplacian %d, %s, variant %s, shape %s", o->integrator, o->laplacian,
             o->fp64 ? "double" : "single", o->variant ? o->variant : "auto", o->shape ? o->shape : "auto");
}

/* Two steps, and one more in another launch. */
static void check(const struct mw_field_options *o)
{
    struct lattice l = { .dims = o->dims, .lap = o->laplacian };
    struct mw_field *field = NULL;
    struct mw_array start = { 0 }, end = { 0 };
    char what[256];
    long cells = 1;
    int rc;
    describe(o, what, sizeof what);
    for (unsigned d = 0; d < o->dims; d++) {
        cells *= l.n[d] = (long)o->length[d];
        l.boundary[d] = o->boundary[d];
    }
    rc = mw_field_new(&device, 1, model, o, &field);
    if (rc == MW_ENOTSUP && native)
        return; /* no compiler for programs that are not built in */
    TRY(rc);
    TRY(mw_field_get(field, &start));
    TRY(mw_field_advance(field, 2));
    TRY(mw_field_advance(field, 1));
    TRY(mw_field_get(field, &end));
    for (int i = 0; i < 3; i++) {
        if (o->fp64)
            step_double(&l, cells, start.data, o->integrator, o->dt);
        else
            step_single(&l, cells, start.data, o->integrator, o->dt);
    }
    const size_t bytes = o->fp64 ? 8 : 4;
    for (long k = 0; k < cells; k++)
        if (memcmp((char *)start.data + (size_t)k * bytes, (char *)end.data + (size_t)k * bytes, bytes) != 0)
            fail_msg("%s: cell %ld is %.9g instead of %.9g", what, k,
                     o->fp64 ? ((double *)end.data)[k] : ((float *)end.data)[k],
                     o->fp64 ? ((double *)start.data)[k] : ((float *)start.data)[k]);
    checked++;
out:
    if (rc != 0 && !(rc == MW_ELIMIT && o->shape))
        fail_msg("%s: %s", what, mw_errmsg());
    mw_field_free(field);
    mw_array_free(&start);
    mw_array_free(&end);
}

static bool all_periodic(const struct mw_field_options *o)
{
    bool periodic = true;
    for (unsigned d = 0; d < o->dims; d++)
        periodic = periodic && o->boundary[d] <= MW_BOUNDARY_PERIODIC;
    return periodic;
}

/* Variants with independent items; compilers for devices without wide vectors only get the simplest. */
static bool is_worth(const struct mw_field_variant *v, const struct mw_field_options *o)
{
    if (v->ringed && (o->dims < 2 || o->dims > 3 || info->vector_width < 4))
        return false;
    /* A Laplacian of a Laplacian in place takes compilers minutes with so many dimensions or cells. */
    if (!v->ringed && !v->staged && o->dims > 2 && (native || o->dims > 3 || o->laplacian != MW_LAPLACIAN_SECOND))
        return false;
    return !v->temporal || (all_periodic(o) && o->integrator != MW_INTEGRATOR_RK4);
}

/* All of them, or one if compilers take long. */
static void check_variants(struct mw_field_options o, bool all)
{
    struct {
        const char *name;
        struct mw_field_variant is;
    } alone[VARIANTS_MOST];
    const struct mw_variant *row;
    const int before = checked;
    size_t count = 0;
    for (size_t i = 0; count < VARIANTS_MOST && (row = mw_field_variants(i)) != NULL; i++) {
        alone[count].name = row->name;
        assert_int_equal(mw_field_variant(row->name, &alone[count].is), 0);
        count += !alone[count].is.together && !alone[count].is.images;
    }
    const size_t first = all ? 0 : random_below(count);
    for (size_t i = 0; i < count && (all || checked == before); i++) {
        const struct mw_field_variant *v = &alone[(first + i) % count].is;
        if (!is_worth(v, &o))
            continue;
        o.variant = alone[(first + i) % count].name;
        o.shape = native      ? (v->ringed ? "per_item=2,rows=3" : NULL)
                  : v->ringed ? (o.fp64 ? "vec=4,per_item=3,rows=3" : "vec=8,per_item=2,rows=3")
                  : v->staged && info->vector_width >= 4 ? "vec=4,per_item=0,rows=3,group=1x1"
                                                         : "vec=1,per_item=1,rows=1,group=4x2";
        check(&o);
    }
}

/* The variants named after a memory, with groups of several items: the rectangle of a tile, its strip, and the
 * prism. */
static const struct {
    unsigned dims;
    const char *variant, *shape;
} memories[] = {
    { 1, "registers", "vec=4,per_item=1,rows=1,group=12x1,steps=0" },
    { 1, "registers", "vec=4,per_item=1,rows=1,group=40x1,steps=1" },
    { 1, "registers", "vec=4,per_item=1,rows=1,group=24x1,steps=2" },
    { 2, "tile", "vec=1,per_item=1,rows=2,group=16x12" },
    { 2, "tile", "vec=4,per_item=2,rows=5,group=8x1" },
    { 2, "image", "vec=1,per_item=1,rows=1,group=4x2" },
    { 2, "image-tile", "vec=1,per_item=1,rows=2,group=16x12" },
    { 2, "async", "vec=4,per_item=3,rows=5,group=2x1" },
    { 2, "registers", "vec=4,per_item=1,rows=5,group=12x1" },
    { 2, "registers", "vec=4,per_item=1,rows=7,group=16x1,steps=1" },
    { 2, "registers", "vec=4,per_item=1,rows=7,group=40x1,steps=2" },
    { 2, "registers", "vec=4,per_item=3,rows=1,group=4x8,steps=0" },
    { 2, "registers", "vec=4,per_item=3,rows=1,group=12x16,steps=1" },
    { 2, "registers", "vec=4,per_item=4,rows=1,group=12x12,steps=2" },
    { 3, "tile", "vec=1,per_item=1,rows=4,group=12x16" },
    { 3, "registers", "vec=2,per_item=2,rows=4,group=8x8" },
    { 3, "registers", "vec=2,per_item=2,rows=4,group=12x8,steps=1" },
    { 3, "image", "vec=1,per_item=1,rows=1,group=4x2" },
    { 3, "image-tile", "vec=1,per_item=1,rows=4,group=12x16" },
    { 3, "async", "vec=4,per_item=2,rows=3,group=2x1" },
    { 4, "image", "vec=1,per_item=1,rows=1,group=4x2" },
};

/* Cases that take CPU compilers minutes, or leave nothing of a group: steps in registers, and Laplacians in place.
 * Compilers for devices without wide vectors take as long for slices of rows with a reach of more than one cell. */
static bool is_too_much(const struct mw_field_options *o, size_t i)
{
    const bool wide = o->laplacian != MW_LAPLACIAN_SECOND, long_method = o->integrator == MW_INTEGRATOR_RK4;
    const bool several = strstr(memories[i].shape, "steps=2") != NULL;
    if (o->dims > 3)
        return wide;
    if (strcmp(memories[i].variant, "registers") != 0 || o->dims == 1)
        return false;
    if (o->dims == 3)
        return strstr(memories[i].shape, "steps=1") ? wide || long_method : wide && info->vector_width < 4;
    return several && info->kind != MW_DEVICE_GPU && (wide || long_method);
}

/* Above three dimensions, an image has all volumes, one after the other along z. */
static bool has_image(const struct mw_field_options *o)
{
    size_t length[] = { o->length[0], o->length[1], 1 };
    for (unsigned d = 2; d < o->dims; d++)
        length[2] *= o->length[d];
    return mw_image_check(device, o->dims > 2 ? 3 : 2, length, o->fp64 ? 8 : 4) == 0;
}

static void check_memory(struct mw_field_options o, size_t i)
{
    if (native || is_too_much(&o, i) || memories[i].dims != o.dims ||
        (strstr(memories[i].variant, "image") && !has_image(&o)))
        return;
    o.variant = memories[i].variant;
    o.shape = memories[i].shape;
    check(&o);
}

/* Returns one shape for this number of dimensions, otherwise any shape. */
static size_t random_memory(unsigned dims)
{
    size_t i = random_below(MW_COUNT(memories));
    for (size_t k = 0; k < MW_COUNT(memories) && memories[i].dims != dims; k++)
        i = (i + 1) % MW_COUNT(memories);
    return i;
}

static void must_have_checked(void)
{
    assert_true(checked > 0);
    checked = 0;
}

/* Devices compile each case: few are run, different ones each time. */
static void check_dims(unsigned dims, int cases)
{
    if (info->kind != MW_DEVICE_GPU)
        cases = 1;
    for (int i = 0; i < (slow ? 1 : cases); i++) {
        const struct mw_field_options o = random_options(dims);
        check_variants(o, info->kind == MW_DEVICE_GPU || (native && random_below(one_in(3)) == 0));
        check_memory(o, random_memory(dims));
    }
    must_have_checked();
}

static void one_dimension(void **unused) { check_dims(1, 2); }
static void two_dimensions(void **unused) { check_dims(2, 4); }
static void three_dimensions(void **unused) { check_dims(3, 2); }
static void four_dimensions(void **unused)
{
    if (info->vector_width < 4 && left_out(3))
        skip(); /* compilers for such devices are slowest here */
    check_dims(4, 1);
}

static void each_boundary_everywhere(void **unused)
{
    const bool gpu = info->kind == MW_DEVICE_GPU;
    /* One boundary condition runs in all variants, with one memory, as compilers are slow. */
    const size_t part = one_in(2), whole = random_below(part), each = gpu ? 1 : one_in(MW_COUNT(memories));
    for (int boundary = MW_BOUNDARY_MIRROR; boundary <= MW_BOUNDARY_FIXED; boundary++) {
        struct mw_field_options o = { .size = sizeof o,
                                      .dims = 2,
                                      .length = { slow ? 17 : 33, 9 },
                                      .dt = 0.001,
                                      .integrator = MW_INTEGRATOR_RK2,
                                      .no_tune = true };
        for (unsigned d = 0; d < 4; d++)
            o.boundary[d] = (enum mw_boundary)boundary;
        check_variants(o, gpu || ((size_t)boundary % part == whole && !left_out(2)));
        for (size_t m = random_below(each); m < MW_COUNT(memories); m += each) {
            o.dims = memories[m].dims;
            o.length[2] = slow ? 3 : 7;
            o.length[3] = 3;
            check_memory(o, m);
        }
    }
    must_have_checked();
}

static void temporal_needs_what_it_needs(void **unused)
{
    struct mw_field_options o = { .size = sizeof o,
                                  .dims = 2,
                                  .length = { 16, 16 },
                                  .variant = "temporal",
                                  .integrator = MW_INTEGRATOR_RK4,
                                  .no_tune = true };
    struct mw_field *field = NULL;
    assert_int_equal(mw_field_new(&device, 1, model, &o, &field), MW_EINVAL);
    o.integrator = MW_INTEGRATOR_RK2;
    o.boundary[1] = MW_BOUNDARY_MIRROR;
    assert_int_equal(mw_field_new(&device, 1, model, &o, &field), MW_EINVAL);
    assert_non_null(strstr(mw_errmsg(), "temporal"));
    o.variant = NULL;
    o.dims = 4;
    o.length[2] = o.length[3] = 4;
    o.laplacian = MW_LAPLACIAN_ISOTROPIC;
    assert_int_equal(mw_field_new(&device, 1, model, &o, &field), MW_EINVAL);
    assert_non_null(strstr(mw_errmsg(), "isotropic"));
}

/* A model with a one-sided stencil is another model beyond a mirror, which a launch of several updates would miss. */
static void registers_need_images_beyond_mirrors(void **unused)
{
    struct mw_model *odd = load("tests/device/models/shaken.cl");
    struct mw_field_options o = { .size = sizeof o,
                                  .dims = 2,
                                  .length = { 24, 10 },
                                  .variant = "registers",
                                  .integrator = MW_INTEGRATOR_EULER,
                                  .no_tune = true,
                                  .shape = "vec=4,per_item=1,rows=5,group=12x1,steps=1" };
    struct mw_field *field = NULL;
    if (native)
        skip();
    assert_int_equal(mw_field_new(&device, 1, odd, &o, &field), 0);
    mw_field_free(field);
    o.boundary[1] = MW_BOUNDARY_MIRROR;
    assert_int_equal(mw_field_new(&device, 1, odd, &o, &field), MW_EINVAL);
    assert_non_null(strstr(mw_errmsg(), "steps=0"));
    o.shape = "vec=4,per_item=1,rows=5,group=12x1,steps=0";
    assert_int_equal(mw_field_new(&device, 1, odd, &o, &field), 0);
    mw_field_free(field);
    mw_model_free(odd);
}

/* With the variant's own shape and a given one, unless a compiler does not end on it. */
static void unrolling_needs_a_compiler_that_ends(void **unused)
{
    static const char *const shapes[] = { NULL, "vec=4,per_item=4,rows=64,group=8x4" };
    struct mw_field_options o = { .size = sizeof o,
                                  .dims = 3,
                                  .length = { 32, 32, 32 },
                                  .variant = "registers",
                                  .integrator = MW_INTEGRATOR_EULER,
                                  .no_tune = true };
    struct mw_field *field = NULL;
    if (!info->traits->unrolled_dims)
        skip();
    for (size_t i = 0; i < MW_COUNT(shapes); i++) {
        o.shape = shapes[i];
        assert_int_equal(mw_field_new(&device, 1, model, &o, &field), MW_ELIMIT);
        assert_non_null(strstr(mw_errmsg(), "cannot be compiled in reasonable time in 3 dimensions"));
    }
    o = (struct mw_field_options){ .size = sizeof(struct mw_field_options),
                                   .dims = 4,
                                   .length = { 8, 8, 8, 8 },
                                   .integrator = MW_INTEGRATOR_EULER,
                                   .variant = "fused",
                                   .no_tune = true };
    assert_int_equal(mw_field_new(&device, 1, model, &o, &field), MW_ELIMIT);
    assert_non_null(strstr(mw_errmsg(), "cannot be compiled in reasonable time in 4 dimensions"));
}

static int open_all(void **state)
{
    if (open_device(state) != 0)
        return -1;
    model = load("cahn-hilliard");
    return 0;
}

static int close_all(void **state)
{
    mw_model_free(model);
    return close_device(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_boundary_everywhere),
        cmocka_unit_test(one_dimension),
        cmocka_unit_test(two_dimensions),
        cmocka_unit_test(three_dimensions),
        cmocka_unit_test(four_dimensions),
        cmocka_unit_test(temporal_needs_what_it_needs),
        cmocka_unit_test(registers_need_images_beyond_mirrors),
        cmocka_unit_test(unrolling_needs_a_compiler_that_ends),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
/* SPDX-License-Identifier: MIT */
