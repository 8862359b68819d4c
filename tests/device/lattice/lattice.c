/* Lattices on $MESHWORK_TEST_DEVICE: tables of neighbours and the arithmetic of cl/lattice.clh against the host's,
 * which tests/unit/lattice/lattice.c tests. */
#include "tests/device/device.h"
#include "tests/lattice.h"

#define ITEMS 64
#define BOUNDARIES 3

static void check_table(const struct mw_lattice *l, enum mw_lattice_kind kind, const enum mw_boundary *boundary,
                        enum mw_index_form form)
{
    struct mw_neighbours *expected = NULL;
    struct mw_buffer *table = NULL;
    OK(mw_neighbours_new(l, kind, boundary, &expected));
    OK(mw_neighbours_on_device(device, l, kind, boundary, form, &table));
    const size_t bytes = (size_t)expected->cells * expected->coordination * expected->entry_bytes;
    assert_int_equal(mw_buffer_bytes(table), bytes);
    void *got = malloc(bytes + 1);
    assert_non_null(got);
    OK(mw_buffer_read(table, 0, bytes, got, NULL));
    assert_memory_equal(got, expected->entries, bytes);
    free(got);
    mw_buffer_free(table);
    mw_neighbours_free(expected);
}

static void tables_are_the_host_s(void **unused)
{
    for (int round = 0; round < 8; round++) {
        const enum mw_lattice_kind kind = (enum mw_lattice_kind)(round % 4);
        const unsigned need = mw_lattice_kinds(kind)->dims;
        const struct mw_lattice l =
            random_lattice(need ? need : 1 + (unsigned)below(MW_DIMS_MAX), slow ? 200 : 5000, round & 2);
        enum mw_boundary boundary[MW_DIMS_MAX];
        for (unsigned i = 0; i < l.dims; i++)
            boundary[i] = kind == MW_LATTICE_HYPERCUBIC ? (enum mw_boundary)below(1 + BOUNDARIES)
                          : below(2)                    ? MW_BOUNDARY_FIXED
                                                        : MW_BOUNDARY_PERIODIC;
        check_table(&l, kind, boundary, MW_INDEX_AUTO);
        check_table(&l, kind, NULL, MW_INDEX_GENERAL);
        if (l.power_of_two)
            check_table(&l, kind, NULL, MW_INDEX_BITS);
    }
}

static void a_lattice_without_cells_has_an_empty_table(void **unused)
{
    struct mw_lattice l;
    OK(mw_lattice_make(2, (const int64_t[]){ 4, 0 }, &l));
    check_table(&l, MW_LATTICE_TRIANGULAR, NULL, MW_INDEX_AUTO);
}

static void impossible_tables_are_refused(void **unused)
{
    struct mw_buffer *table = NULL;
    struct mw_lattice l;
    OK(mw_lattice_make(2, (const int64_t[]){ 4, 6 }, &l));
    assert_int_equal(mw_neighbours_on_device(device, &l, MW_LATTICE_HYPERCUBIC, NULL, MW_INDEX_BITS, &table),
                     MW_EINVAL);
    assert_int_equal(mw_neighbours_on_device(device, &l, MW_LATTICE_FACE_CENTRED, NULL, MW_INDEX_AUTO, &table),
                     MW_EINVAL);
    FAILS(MW_EINVAL, "form of indices 9",
          mw_neighbours_on_device(device, &l, MW_LATTICE_HYPERCUBIC, NULL, (enum mw_index_form)9, &table));
    OK(mw_lattice_make(1, (const int64_t[]){ (int64_t)1 << 58 }, &l));
    assert_int_equal(mw_neighbours_on_device(device, &l, MW_LATTICE_HYPERCUBIC, NULL, MW_INDEX_AUTO, &table),
                     MW_ELIMIT);
    assert_null(table);
}

/* For the cell of each work-item: its k-index from its coordinates, and its neighbours by each boundary in each
 * dimension. */
static const char probe[] =
    "#include \"lattice.clh\"\n"
    "__kernel void probe(__global i64 *out, const __global i64 *cells, const i64 n)\n"
    "{\n"
    "    const u64 item = get_global_id(0);\n"
    "    if (item >= 64)\n"
    "        return;\n"
    "    const kindex k = (kindex)cells[item];\n"
    "    kindex x[LATTICE_DIMS];\n"
    "    __global i64 *to = out + item * (1 + 3 * LATTICE_DIMS);\n"
    "    for (int i = 0; i < LATTICE_DIMS; i++) {\n"
    "        x[i] = lattice_x(k, i);\n"
    "        for (int b = BOUNDARY_PERIODIC; b <= BOUNDARY_FIXED; b++)\n"
    "            to[1 + 3 * i + b - BOUNDARY_PERIODIC] = lattice_neighbour(k, i, (kindex)n, b);\n"
    "    }\n"
    "    to[0] = lattice_k(x);\n"
    "}\n";

static void check_arithmetic(const struct mw_lattice *l, bool bits)
{
    const struct mw_source_text text = { .name = "probe.cl", .text = probe };
    const struct mw_range range = { .dims = 1, .global = { ITEMS } };
    const int64_t steps[] = { 1, -1, below(INT32_MAX), -below(INT32_MAX) };
    const size_t each = 1 + BOUNDARIES * l->dims;
    int64_t cells[ITEMS], out[ITEMS * (1 + BOUNDARIES * MW_DIMS_MAX)];
    struct mw_text defines = { 0 };
    struct mw_program *program = NULL;
    struct mw_kernel *kernel = NULL;
    struct mw_buffer *from = NULL, *to = NULL;
    OK(mw_lattice_macros(l, &defines));
    if (bits)
        mw_text_add(&defines, "#define LATTICE_BITS 1\n");
    OK(mw_text_ok(&defines));
    const struct mw_source source = {
        .size = sizeof source, .file = "probe.cl", .defines = defines.data, .texts = &text, .text_count = 1
    };
    OK(mw_program_new(device, &source, &program));
    OK(mw_kernel_new(program, "probe", &kernel));
    for (int i = 0; i < ITEMS; i++)
        cells[i] = i == 0 ? 0 : i == 1 ? l->cells - 1 : below(l->cells);
    OK(mw_buffer_new(device, sizeof cells, &from));
    OK(mw_buffer_new(device, sizeof out, &to));
    OK(mw_buffer_write(from, 0, sizeof cells, cells, NULL));
    for (size_t s = 0; s < MW_COUNT(steps); s++) {
        const struct mw_arg args[] = { mw_arg_buffer(to), mw_arg_buffer(from), mw_arg_i64(steps[s]) };
        OK(mw_launch(kernel, &range, args, MW_COUNT(args), NULL));
        OK(mw_buffer_read(to, 0, ITEMS * each * sizeof *out, out, NULL));
        for (int item = 0; item < ITEMS; item++) {
            const int64_t *got = out + (size_t)item * each;
            assert_true(got[0] == cells[item]);
            for (unsigned i = 0; i < l->dims; i++)
                for (int b = MW_BOUNDARY_PERIODIC; b <= MW_BOUNDARY_FIXED; b++)
                    assert_true(got[1 + BOUNDARIES * i + (unsigned)(b - MW_BOUNDARY_PERIODIC)] ==
                                mw_lattice_neighbour(l, cells[item], i, steps[s], (enum mw_boundary)b));
        }
    }
    mw_buffer_free(from);
    mw_buffer_free(to);
    mw_kernel_free(kernel);
    mw_program_free(program);
    mw_text_free(&defines);
}

static void kernels_compute_as_the_host_does(void **unused)
{
    static const struct {
        unsigned dims;
        int64_t length[MW_DIMS_MAX];
    } shapes[] = {
        { 1, { 1 } },
        { 2, { 1 << 20, 1 } },
        { 3, { 16, 16, 16 } },
        { 8, { 2, 3, 1, 5, 7, 2, 4, 3 } },
        { 1, { INT32_MAX } },
        { 2, { 65536, 16384 } },
        { 2, { 65536, 65536 } },
        { 3, { 65537, 1021, 4099 } },
        { 8, { 128, 128, 128, 128, 128, 128, 128, 128 } },
    };
    if (native) /* native devices use the functions of the host */
        skip();
    for (size_t s = 0; s < MW_COUNT(shapes); s++) {
        struct mw_lattice l;
        OK(mw_lattice_make(shapes[s].dims, shapes[s].length, &l));
        check_arithmetic(&l, false);
        if (l.power_of_two)
            check_arithmetic(&l, true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_the_host_s),
        cmocka_unit_test(a_lattice_without_cells_has_an_empty_table),
        cmocka_unit_test(impossible_tables_are_refused),
        cmocka_unit_test(kernels_compute_as_the_host_does),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
/* SPDX-License-Identifier: MIT */
