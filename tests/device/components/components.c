/* Components and union-find on one device, $MESHWORK_TEST_DEVICE, against plain C. */
#include <meshwork/components.h>

#include "base/base.h"
#include "components/components_internal.h"
#include "prim/prim_internal.h"

#include "native.clh"
#include "components/union_find.clh"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/device/prim.h"
#include "expected.h"

static struct mw_buffer *buffer_of(const void *data, size_t bytes)
{
    struct mw_buffer *buffer;
    OK(mw_buffer_new(device, bytes, &buffer));
    if (bytes)
        OK(mw_buffer_write(buffer, 0, bytes, data, NULL));
    return buffer;
}

/* ---- components ---- */

/* Components of very different sizes, some of them empty, with background and with values that are not labels. */
static void random_labels(struct expected *e, size_t n)
{
    const unsigned kind = (unsigned)random_below(4);
    *e = (struct expected){ .n = n };
    e->count = kind == 0 ? random_below(4) : kind == 1 ? random_below(n + 2) : random_below(n / 4 + 300);
    e->label = room(n, sizeof *e->label);
    for (size_t i = 0; i < n; i++) {
        const size_t most = kind == 3 ? 1 + random_below(e->count + 1) : e->count + 1;
        e->label[i] = kind == 2 && i > 0 && random_below(20) ? e->label[i - 1] : (int64_t)random_below(most);
        if (random_below(300) == 0)
            e->label[i] = random_below(2) ? -1 - (int64_t)random_below(5) : (int64_t)(e->count + 1 + random_below(9));
    }
    fill_expected(e);
}

static struct mw_buffer *label_buffer(const struct expected *e, enum mw_type type)
{
    int32_t *narrow;
    struct mw_buffer *buffer;
    if (type == MW_TYPE_I64)
        return buffer_of(e->label, e->n * sizeof *e->label);
    narrow = room(e->n, sizeof *narrow);
    for (size_t i = 0; i < e->n; i++)
        narrow[i] = (int32_t)e->label[i];
    buffer = buffer_of(narrow, e->n * sizeof *narrow);
    free(narrow);
    return buffer;
}

/* Copies a part to an array of the caller, of this length and of no other. */
static void check_into(struct mw_components *c, enum mw_components_part part, const uint32_t *expected, size_t count)
{
    uint32_t *to = room(count + 1, sizeof *to);
    memset(to, 0x5a, (count + 1) * sizeof *to);
    FAILS(MW_EINVAL, "elements", mw_components_array_into(c, part, to, count + 1));
    OK(mw_components_array_into(c, part, to, count));
    assert_memory_equal(to, expected, count * sizeof *to);
    assert_int_equal(to[count], 0x5a5a5a5a);
    free(to);
}

static void check_part(struct mw_components *c, enum mw_components_part part, const uint32_t *expected, size_t count)
{
    const uint32_t *array;
    struct mw_buffer *buffer;
    size_t got, on_device;
    OK(mw_components_array(c, part, &array, &got));
    OK(mw_components_buffer(c, part, &buffer, &on_device));
    if (got != count || on_device != count)
        fail_msg("part %d has %zu elements, not %zu (seed %u)", (int)part, got, count, seed);
    for (size_t i = 0; i < count; i++)
        if (array[i] != expected[i])
            fail_msg("part %d: element %zu is %u, not %u (seed %u)", (int)part, i, array[i], expected[i], seed);
    check_into(c, part, expected, count);
}

/* In place, or to another buffer. */
static void check_keep(struct mw_components *c, const struct expected *e, enum mw_type type, struct mw_buffer *labels)
{
    const size_t least = random_below(4), most = random_below(3) ? least + random_below(30) : SIZE_MAX;
    const size_t bytes = mw_type_bytes(type);
    uint32_t *new_label = room(e->count, sizeof *new_label), next = 0;
    unsigned char *got = room(e->n, bytes);
    struct mw_buffer *to = labels;
    size_t kept = 7;
    if (!labels)
        OK(mw_buffer_new(device, e->n * bytes, &to));
    OK(mw_components_keep(c, least, most, to, &kept));
    if (e->n)
        OK(mw_buffer_read(to, 0, e->n * bytes, got, NULL));
    for (size_t i = 0; i < e->n; i++) {
        const int64_t label = type == MW_TYPE_I64 ? ((int64_t *)(void *)got)[i] : ((int32_t *)(void *)got)[i];
        uint32_t expected = 0;
        if (is_label(e, e->label[i])) {
            const size_t k = (size_t)e->label[i] - 1;
            if (e->sizes[k] >= least && e->sizes[k] <= most && !new_label[k])
                new_label[k] = ++next;
            expected = new_label[k];
        }
        if (label != expected)
            fail_msg("kept %zu to %zu: label %zu is %lld, not %u (seed %u)", least, most, i, (long long)label, expected,
                     seed);
    }
    assert_int_equal(kept, next);
    if (!labels)
        mw_buffer_free(to);
    free(new_label);
    free(got);
}

static void check_summary(struct mw_components *c, const struct expected *e)
{
    struct mw_components_summary s = MW_INIT(s);
    OK(mw_components_summarise(c, &s));
    assert_int_equal(s.components, e->count);
    assert_int_equal(s.cells, e->cell_count);
    assert_int_equal(s.largest_label, e->count ? e->order[0] : 0);
    assert_int_equal(s.largest_size, e->count ? e->sizes[e->order[0] - 1] : 0);
    assert_true(s.mean_size == (e->count ? (double)e->cell_count / (double)e->count : 0));
}

/* Requests another part first each time. */
static void check_components(size_t n, enum mw_type type)
{
    struct expected e;
    struct mw_components *c;
    random_labels(&e, n);
    struct mw_buffer *labels = label_buffer(&e, type);
    OK(mw_components_new(prim, labels, n, type, e.count, &c));
    const struct {
        enum mw_components_part part;
        const uint32_t *expected;
        size_t count;
    } parts[] = {
        { MW_COMPONENTS_SIZES, e.sizes, e.count },
        { MW_COMPONENTS_OFFSETS, e.offsets, e.count },
        { MW_COMPONENTS_CELLS, e.cells, e.cell_count },
        { MW_COMPONENTS_ORDER, e.order, e.count },
        { MW_COMPONENTS_SIZE_VALUES, e.values, e.size_count },
        { MW_COMPONENTS_SIZE_NUMBERS, e.numbers, e.size_count },
    };
    const size_t first = random_below(MW_COUNT(parts) + 2);
    if (first == MW_COUNT(parts))
        check_keep(c, &e, type, NULL);
    if (first == MW_COUNT(parts) + 1)
        check_summary(c, &e);
    for (size_t i = 0; i < MW_COUNT(parts); i++) {
        const size_t p = (i + first) % MW_COUNT(parts);
        check_part(c, parts[p].part, parts[p].expected, parts[p].count);
    }
    check_summary(c, &e);
    check_keep(c, &e, type, random_below(2) ? labels : NULL);
    mw_components_free(c);
    mw_buffer_free(labels);
    free_expected(&e);
}

static void components_are_those_of_plain_loops(void **unused)
{
    static const size_t sizes[] = { 0, 1, 2, 255, 256, 257, 4096, 65537, 300007 };
    const size_t rounds = slow ? 6 : native ? 300 : 60;
    for (size_t i = 0; i < rounds; i++) {
        const bool known = i < MW_COUNT(sizes) && !slow;
        check_components(known ? sizes[i] : random_below(slow ? 700 : 3000), i % 2 ? MW_TYPE_I64 : MW_TYPE_I32);
    }
}

/* On CPUs' drivers: no program is compiled for the totals of few components, nor for a scan of few counts. */
static void few_elements_need_no_program(void **unused)
{
    const bool on_host = !native && info->traits->has_cores && info->in_host_memory;
    const uint32_t data[1025] = { 2, 0, 5 };
    struct mw_buffer *sizes = buffer_of(data, sizeof data);
    struct mw_prim *fresh;
    uint32_t total = 0;
    for (size_t n = 1023; n <= 1025; n++) {
        struct mw_components_totals t = { 0 };
        OK(mw_prim_new(device, &fresh));
        OK(mw_components_totals(fresh, sizes, n, &t));
        assert_true(t.cells == 7 && t.largest == 5 && t.above == 5 && t.below == 0 && t.first == 2);
        assert_int_equal(fresh->built_count, on_host && n <= 1024 ? 0 : 1);
        OK(mw_prim_scan(fresh, sizes, sizes, n, MW_TYPE_U32, false, &total));
        assert_int_equal(total, 7);
        assert_int_equal(fresh->built_count, on_host && n <= 1024 ? 0 : 2);
        OK(mw_buffer_write(sizes, 0, sizeof data, data, NULL));
        mw_prim_free(fresh);
    }
    mw_buffer_free(sizes);
}

static void impossible_components_are_refused(void **unused)
{
    struct mw_buffer *labels = buffer_of("", 1);
    struct mw_components *c = NULL;
    size_t kept;
    assert_int_equal(mw_components_new(prim, labels, 1, MW_TYPE_I32, 1, &c), MW_EINVAL);
    assert_int_equal(mw_components_new(prim, labels, 0, MW_TYPE_U32, 1, &c), MW_EINVAL);
    assert_int_equal(mw_components_new(prim, labels, 0, MW_TYPE_I64, UINT32_MAX, &c), MW_ELIMIT);
    assert_null(c);
    mw_buffer_free(labels);
    labels = buffer_of("\1\0\0", 4);
    OK(mw_components_new(prim, labels, 1, MW_TYPE_I32, 1, &c));
    OK(mw_components_keep(c, 1, 1, labels, &kept));
    assert_int_equal(mw_components_keep(c, 1, 1, labels, &kept), MW_EINVAL);
    mw_components_free(c);
    mw_components_free(NULL);
    mw_buffer_free(labels);
}

/* ---- numbers ---- */

static void *as_type(const int64_t *from, size_t n, bool wide)
{
    void *all = room(n, wide ? sizeof(int64_t) : sizeof(int32_t));
    for (size_t k = 0; k < n; k++) {
        if (wide)
            ((int64_t *)all)[k] = from[k];
        else
            ((int32_t *)all)[k] = (int32_t)from[k];
    }
    return all;
}

/* Roots of `cells` cells: each cell is a new root with a chance of per_cent in 100, one in seven is background; and
 * their labels. */
static size_t random_roots(size_t cells, size_t per_cent, int64_t *root, int64_t *expected)
{
    int64_t *roots = room(cells, sizeof *roots);
    size_t found = 0;
    for (size_t k = 0; k < cells; k++) {
        root[k] = -1;
        expected[k] = 0;
        if (random_below(7) == 0)
            continue;
        const bool is_root = found == 0 || random_below(100) < per_cent;
        if (is_root)
            roots[found++] = (int64_t)k;
        const size_t which = is_root ? found - 1 : random_below(found);
        root[k] = roots[which];
        expected[k] = (int64_t)which + 1;
    }
    free(roots);
    return found;
}

static void number_and_check(size_t cells, bool wide_roots, bool wide, size_t per_cent)
{
    int64_t *root = room(cells, sizeof *root), *expected = room(cells, sizeof *expected);
    const size_t found = random_roots(cells, per_cent, root, expected), bytes = cells * (wide ? 8 : 4);
    void *from = as_type(root, cells, wide_roots), *labels = as_type(expected, cells, wide), *got = room(bytes, 1);
    struct mw_buffer *roots = buffer_of(from, cells * (wide_roots ? 8 : 4)), *to = NULL;
    const bool in_place = wide == wide_roots && random_below(2);
    size_t count = SIZE_MAX;
    OK(mw_buffer_new(device, bytes, &to));
    OK(mw_components_number(prim, roots, cells, wide_roots ? MW_TYPE_I64 : MW_TYPE_I32, in_place ? roots : to,
                            wide ? MW_TYPE_I64 : MW_TYPE_I32, &count));
    assert_int_equal(count, found);
    if (bytes)
        OK(mw_buffer_read(in_place ? roots : to, 0, bytes, got, NULL));
    assert_memory_equal(got, labels, bytes);
    mw_buffer_free(roots);
    mw_buffer_free(to);
    free(root);
    free(expected);
    free(from);
    free(labels);
    free(got);
}

/* All sizes up to `most`, with each combination of types. */
static void number_sizes(size_t most)
{
    static const size_t sizes[] = { 0, 1, 2, 255, 2048, 2049, 4096, 30011, 131101 };
    static const bool wide[][2] = { { false, false }, { false, true }, { true, true } };
    for (size_t s = 0; s < MW_COUNT(sizes) && sizes[s] <= most; s++)
        for (size_t w = 0; w < MW_COUNT(wide); w++)
            number_and_check(sizes[s], wide[w][0], wide[w][1], s % 2 ? 100 : 1 + random_below(50));
}

/* By groups that wait for each other, where the device allows it. */
static void roots_are_numbered_in_one_launch(void **unused)
{
    struct mw_prim *others = prim;
    if (!groups_may_wait())
        skip();
    OK(mw_prim_new_form(device, false, 64, &prim));
    prim->once = true;
    number_sizes(slow ? 4096 : SIZE_MAX);
    mw_prim_free(prim);
    prim = others;
}

static void roots_are_numbered_in_order(void **unused)
{
    struct mw_buffer *small = buffer_of("abcd", 4);
    size_t count;
    number_sizes(slow ? 4096 : SIZE_MAX);
    assert_int_equal(mw_components_number(prim, small, 2, MW_TYPE_I32, small, MW_TYPE_I32, &count), MW_EINVAL);
    assert_int_equal(mw_components_number(prim, small, 0, MW_TYPE_I64, small, MW_TYPE_I32, &count), MW_EINVAL);
    assert_int_equal(mw_components_number(prim, small, 1, MW_TYPE_U32, small, MW_TYPE_U32, &count), MW_EINVAL);
    mw_buffer_free(small);
}

/* ---- union-find ---- */

/* Kernels as text, and as C for native devices. */
#define KERNELS(...)                                                                                                   \
    __VA_ARGS__                                                                                                        \
    static const char united[] = "#include \"components/union_find.clh\"\n" #__VA_ARGS__;

/* Each item unites the ends of `each` edges, and counts the roots that it made children; then parents are replaced by
 * roots. */
KERNELS(
    __kernel void unite_edges(volatile __global label *parent, const __global i32 *edges, volatile __global u32 *hooked,
                              const i64 n, const i64 each) {
        const i64 begin = (i64)get_global_id(0) * each;
        for (i64 i = begin; i < begin + each; i++)
            if (i < n && unite(parent, edges[2 * i], edges[2 * i + 1]))
                (void)ATOMIC_ADD_32(hooked, 1);
    }

    __kernel void flatten(volatile __global label *parent, __global label *roots, const i64 n) {
        const i64 i = (i64)get_global_id(0);
        if (i < n)
            roots[i] = i % 2 ? find_root(parent, (label)i) : find_root_halving(parent, (label)i);
    })

#define NATIVE_TABLE native_forms
NATIVE_KERNEL(unite_edges, NATIVE_ITEMS,
              (NATIVE_POINTER(0), NATIVE_POINTER(1), NATIVE_POINTER(2), NATIVE_VALUE(i64, 3), NATIVE_VALUE(i64, 4)))
NATIVE_PARAMETERS(unite_edges){ NATIVE_PARAMETER_COUNT(5) NATIVE_TAKES_BUFFER, NATIVE_TAKES_BUFFER, NATIVE_TAKES_BUFFER,
                                NATIVE_TAKES(i64), NATIVE_TAKES(i64) };
NATIVE_KERNEL(flatten, NATIVE_ITEMS, (NATIVE_POINTER(0), NATIVE_POINTER(1), NATIVE_VALUE(i64, 2)))
NATIVE_PARAMETERS(flatten){ NATIVE_PARAMETER_COUNT(3) NATIVE_TAKES_BUFFER, NATIVE_TAKES_BUFFER, NATIVE_TAKES(i64) };
static const struct mw_native_kernel native_forms[] = { NATIVE_ROW(unite_edges), NATIVE_ROW(flatten), { 0 } };

/* Edges of kinds that are hard in different ways: random, a path in random order, a star, runs of neighbours. */
static void random_edges(int32_t *edges, size_t count, size_t n, unsigned kind)
{
    const size_t stride = 1 + 2 * random_below(n);
    for (size_t i = 0; i < count; i++) {
        const size_t a = kind == 0 ? random_below(n) : kind == 1 ? (i * stride) % n : kind == 2 ? n - 1 : i % n;
        const size_t b = kind == 1 || kind == 3 ? (a + 1) % n : random_below(n);
        edges[2 * i] = (int32_t)(random_below(2) ? a : b);
        edges[2 * i + 1] = (int32_t)((size_t)edges[2 * i] == a ? b : a);
    }
}

static void check_union(struct mw_kernel *unite_edges, struct mw_kernel *flatten, size_t n, bool wide)
{
    const size_t edge_count = random_below(2 * n), bytes = wide ? 8 : 4, each = 1 + random_below(9);
    int32_t *edges = room(2 * edge_count, sizeof *edges), *expected = room(n, sizeof *expected);
    unsigned char *labels = room(n, bytes);
    uint32_t hooked = 0, expected_hooked = 0;
    random_edges(edges, edge_count, n, (unsigned)random_below(4));
    for (size_t i = 0; i < n; i++) {
        expected[i] = (int32_t)i;
        memcpy(labels + i * bytes, wide ? (const void *)&(int64_t){ (int64_t)i } : &(int32_t){ (int32_t)i }, bytes);
    }
    struct mw_buffer *parent = buffer_of(labels, n * bytes), *roots = buffer_of(labels, n * bytes);
    struct mw_buffer *edge_buffer = buffer_of(edges, 2 * edge_count * sizeof *edges), *count = buffer_of(&hooked, 4);
    const struct mw_range items = { .dims = 1, .global = { (edge_count + each - 1) / each } };
    const struct mw_range cells = { .dims = 1, .global = { n } };
    const struct mw_arg unite_args[] = { mw_arg_buffer(parent), mw_arg_buffer(edge_buffer), mw_arg_buffer(count),
                                         mw_arg_i64((int64_t)edge_count), mw_arg_i64((int64_t)each) };
    const struct mw_arg flatten_args[] = { mw_arg_buffer(parent), mw_arg_buffer(roots), mw_arg_i64((int64_t)n) };
    OK(mw_launch(unite_edges, &items, unite_args, MW_COUNT(unite_args), NULL));
    OK(mw_launch(flatten, &cells, flatten_args, MW_COUNT(flatten_args), NULL));
    OK(mw_buffer_read(roots, 0, n * bytes, labels, NULL));
    OK(mw_buffer_read(count, 0, sizeof hooked, &hooked, NULL));
    for (size_t i = 0; i < edge_count; i++)
        expected_hooked += (uint32_t)unite_alone(expected, edges[2 * i], edges[2 * i + 1]);
    assert_int_equal(hooked, expected_hooked);
    for (size_t i = 0; i < n; i++) {
        const int64_t got = wide ? ((int64_t *)(void *)labels)[i] : ((int32_t *)(void *)labels)[i];
        if (got != find_root_alone(expected, (label)i))
            fail_msg("the root of %zu of %zu is %lld (seed %u)", i, n, (long long)got, seed);
    }
    mw_buffer_free(parent);
    mw_buffer_free(roots);
    mw_buffer_free(edge_buffer);
    mw_buffer_free(count);
    free(edges);
    free(expected);
    free(labels);
}

static void check_unions(bool wide)
{
    const struct mw_source_text text = { .name = "united.cl", .text = united };
    const char *defines = wide ? (slow ? "#define LABEL_64 1\n#define STRICT_ATOMICS 1\n" : "#define LABEL_64 1\n")
                               : (slow ? "#define STRICT_ATOMICS 1\n" : "");
    const struct mw_source source = { .size = sizeof source,
                                      .file = text.name,
                                      .defines = defines,
                                      .texts = &text,
                                      .text_count = 1,
                                      .native = native_forms };
    struct mw_program *program = NULL;
    struct mw_kernel *unite_edges = NULL, *flatten = NULL;
    const int rc = mw_program_new(device, &source, &program);
    if (wide && rc == MW_EBUILD) {
        assert_non_null(strstr(mw_build_log(), "64-bit atomic"));
        skip();
    }
    OK(rc);
    OK(mw_kernel_new(program, "unite_edges", &unite_edges));
    OK(mw_kernel_new(program, "flatten", &flatten));
    for (size_t i = 0; i < (slow ? 8u : native ? 400u : 100u); i++)
        check_union(unite_edges, flatten, 1 + random_below(slow ? 300 : i % 50 == 0 ? 200000 : 5000), wide);
    mw_kernel_free(unite_edges);
    mw_kernel_free(flatten);
    mw_program_free(program);
}

static void unions_are_those_of_one_thread(void **unused) { check_unions(false); }

static void unions_of_wide_labels(void **unused)
{
    if (native) /* its C is built for one type */
        skip();
    check_unions(true);
}

/* The serial form has nothing to be compared with: each root must be the least cell that can be reached. */
static void one_thread_finds_the_least_of_each_set(void **unused)
{
    enum { N = 200 };
    for (int round = 0; round < 50; round++) {
        label parent[N], least[N];
        int32_t edges[2 * N];
        const size_t count = random_below(N);
        random_edges(edges, count, N, (unsigned)random_below(4));
        for (label i = 0; i < N; i++)
            parent[i] = least[i] = i;
        for (size_t i = 0; i < count; i++)
            unite_alone(parent, edges[2 * i], edges[2 * i + 1]);
        for (bool changed = true; changed;) {
            changed = false;
            for (size_t i = 0; i < count; i++) {
                label *a = &least[edges[2 * i]], *b = &least[edges[2 * i + 1]];
                changed = changed || *a != *b;
                *a = *b = *a < *b ? *a : *b;
            }
        }
        for (label i = 0; i < N; i++)
            assert_int_equal(find_root_halving_alone(parent, i), least[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components_are_those_of_plain_loops), cmocka_unit_test(few_elements_need_no_program),
        cmocka_unit_test(impossible_components_are_refused),   cmocka_unit_test(roots_are_numbered_in_order),
        cmocka_unit_test(roots_are_numbered_in_one_launch),    cmocka_unit_test(one_thread_finds_the_least_of_each_set),
        cmocka_unit_test(unions_are_those_of_one_thread),      cmocka_unit_test(unions_of_wide_labels),
    };
    return cmocka_run_group_tests(tests, open_prim, close_prim);
}
/* SPDX-License-Identifier: MIT */
