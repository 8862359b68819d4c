/* Compressed files of graphs: damaged ones, and files made to exhaust the memory. */
#include "tests/graph_file.h"

static struct mw_file_limits limits;

static void damaged_compression_is_noticed(void **state)
{
    static char text[5000], bytes[6000];
    size_t n, length = 0;
    struct mw_edges edges;
    if (!has_zlib)
        skip();
    for (int i = 0; i < 300; i++)
        length += (size_t)sprintf(text + length, "%d %d\n", i, i * 7919 % 300);
    store_compressed("g.el.gz", text, length, length);
    n = load(bytes, sizeof bytes);
    OK(mw_edges_read_within(path, NULL, &limits, &edges));
    assert_int_equal(edges.count, 300);
    mw_edges_free(&edges);
    for (size_t cut = 2; cut < n; cut += cut < 20 || cut > n - 20 ? 1 : 37) {
        store("g.el.gz", bytes, cut);
        assert_int_equal(mw_edges_read_within(path, NULL, &limits, &edges), MW_EDATA);
        assert_non_null(strstr(mw_errmsg(), "truncated"));
    }
    memset(bytes + n, 0, 100); /* as on tapes */
    store("g.el.gz", bytes, n + 100);
    OK(mw_edges_read_within(path, NULL, &limits, &edges));
    assert_int_equal(edges.count, 300);
    mw_edges_free(&edges);
    memcpy(bytes + n, "rest", 4);
    store("g.el.gz", bytes, n + 4);
    assert_int_equal(mw_edges_read_within(path, NULL, &limits, &edges), MW_EDATA);
    bytes[n - 6] ^= 1; /* in the checksum */
    store("g.el.gz", bytes, n);
    assert_int_equal(mw_edges_read_within(path, NULL, &limits, &edges), MW_EDATA);
    store_compressed("g.mwg", MW_BINARY_MAGIC "more", 12, 12);
    assert_int_equal(mw_edges_read_within(path, NULL, &limits, &edges), MW_ENOTSUP);
}

/* A million edges in a few kilobytes fit into memory; a thousand times as many might not. */
static void compressed_files_have_a_limit(void **state)
{
    enum { BYTES = 4000000 };
    char *text = malloc(BYTES);
    struct mw_edges edges;
    if (!has_zlib)
        skip();
    assert_non_null(text);
    for (size_t i = 0; i < BYTES; i += 4)
        memcpy(text + i, "1 2\n", 4);
    store_compressed("g.el.gz", text, BYTES, BYTES);
    limits.unpacked_bytes = 2000000;
    FAILS(MW_ELIMIT, "over 100 times its size", mw_edges_read_within(path, NULL, &limits, &edges));
    limits.unpacked_bytes = BYTES;
    OK(mw_edges_read_within(path, NULL, &limits, &edges));
    assert_int_equal(edges.count, BYTES / 4);
    mw_edges_free(&edges);
    limits.unpacked_bytes = 10; /* uncompressed text may have any length */
    store_compressed("g.el.gz", text, 40, 40);
    OK(mw_edges_read_within(path, NULL, &limits, &edges));
    mw_edges_free(&edges);
    limits = mw_file_limits_usual;
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_compression_is_noticed),
        cmocka_unit_test(compressed_files_have_a_limit),
    };
    limits = mw_file_limits_usual;
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
/* SPDX-License-Identifier: MIT */
