/* .npy files: against NumPy if it is installed, and malformed files. */
#include <meshwork/io.h>

#include "base/base.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/python.h"
#include "tests/scratch.h"

#define PLENTY ((size_t)1 << 30)

static struct python numpy;

static void put(const char *path, const void *bytes, size_t n)
{
    struct mw_file *f = NULL;
    if (mw_file_create(path, false, &f) != 0 || mw_file_write(f, bytes, n) != 0 || mw_file_commit(f) != 0)
        fail_msg("%s", mw_errmsg());
}

/* Writes a file of version 1 with this header, followed by n bytes 0, 1, 2, ... */
static void put_npy(const char *path, const char *header, size_t n)
{
    struct mw_text t = { 0 };
    mw_text_append(&t, "\x93NUMPY\x01\x00", 8);
    mw_text_append(&t, (char[]){ (char)(strlen(header) & 0xFF), (char)(strlen(header) >> 8) }, 2);
    mw_text_append(&t, header, strlen(header));
    for (size_t i = 0; i < n; i++)
        mw_text_append(&t, (char[]){ (char)i }, 1);
    assert_int_equal(mw_text_ok(&t), 0);
    put(path, t.data, t.length);
    mw_text_free(&t);
}

/* Makes a random array of up to 6 dimensions.  Bools are 0 and 1. */
static void random_array(struct mw_array *a)
{
    unsigned dims = (unsigned)rand() % 7;
    size_t length[MW_DIMS_MAX];
    for (unsigned i = 0; i < dims; i++)
        length[i] = (size_t)(rand() % 20 == 0 ? 0 : 1 + rand() % 5);
    assert_int_equal(mw_array_new((enum mw_type)(rand() % (MW_TYPE_C128 + 1)), dims, length, a), 0);
    for (size_t i = 0; i < a->count * mw_type_bytes(a->type); i++)
        ((unsigned char *)a->data)[i] = (unsigned char)(a->type == MW_TYPE_BOOL ? rand() % 2 : rand());
}

static void assert_same(const struct mw_array *a, const struct mw_array *b)
{
    assert_int_equal(a->type, b->type);
    assert_int_equal(a->dims, b->dims);
    assert_memory_equal(a->length, b->length, a->dims * sizeof a->length[0]);
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->data, b->data, a->count * mw_type_bytes(a->type));
}

static void what_is_written_is_read(void **state)
{
    for (int i = 0; i < 300; i++) {
        struct mw_array a = { 0 }, b = { 0 };
        char *bytes = NULL;
        size_t n = 0;
        random_array(&a);
        if (mw_npy_write(in("round.npy"), &a) != 0 || mw_npy_read(in("round.npy"), &b) != 0)
            fail_msg("%s", mw_errmsg());
        assert_same(&a, &b);
        assert_int_equal(mw_file_read(in("round.npy"), PLENTY, &bytes, &n), 0);
        assert_memory_equal(bytes, "\x93NUMPY\x01\x00", 8);
        assert_int_equal((n - a.count * mw_type_bytes(a.type)) % 64, 0);
        free(bytes);
        mw_array_free(&a);
        mw_array_free(&b);
    }
}

static void x_is_numpys_last_axis(void **state)
{
    struct mw_array a = { 0 };
    put_npy(in("c.npy"), "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }\n", 6);
    assert_int_equal(mw_npy_read(in("c.npy"), &a), 0);
    assert_int_equal(a.length[0], 3);
    assert_int_equal(a.length[1], 2);
    assert_memory_equal(a.data, "\0\1\2\3\4\5", 6);
    mw_array_free(&a);
    put_npy(in("f.npy"), "{\"shape\":(2L,3L),\"fortran_order\":True,\"descr\":\"u1\"}", 6); /* also valid Python */
    assert_int_equal(mw_npy_read(in("f.npy"), &a), 0);
    assert_int_equal(a.length[0], 3);
    assert_memory_equal(a.data, "\0\2\4\1\3\5", 6);
    mw_array_free(&a);
    put_npy(in("b.npy"), "{'descr': '>c8', 'fortran_order': False, 'shape': (), }\n", 8);
    assert_int_equal(mw_npy_read(in("b.npy"), &a), 0);
    assert_int_equal(a.dims, 0);
    assert_int_equal(a.type, MW_TYPE_C64);
    assert_memory_equal(a.data, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? "\0\1\2\3\4\5\6\7" : "\3\2\1\0\7\6\5\4", 8);
    mw_array_free(&a);
    put_npy(in("t.npy"), "{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }\n", 5); /* and two more bytes */
    assert_int_equal(mw_npy_read(in("t.npy"), &a), 0);
    assert_memory_equal(a.data, "\0\1\1", 3);
    mw_array_free(&a);
}

static void malformed_headers_are_refused(void **state)
{
    static const struct {
        const char *header, *word;
    } rows[] = {
        { "", "dictionary" },
        { "None", "dictionary" },
        { "{", "dictionary" },
        { "{}", "lacks" },
        { "{'descr': '<f4', 'fortran_order': False}", "lacks 'shape'" },
        { "{'descr': '<f4', 'shape': (1,)}", "lacks 'fortran_order'" },
        { "{'shape': (1,), 'fortran_order': False}", "lacks 'descr'" },
        { "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x", "after the dictionary" },
        { "{'descr': '<f4' 'fortran_order': False, 'shape': (1,)}", "dictionary" },
        { "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}", "'more' of the header is unknown" },
        { "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", "of the header is repeated" },
        { "{'descr': '<f4', 'fortran_order': False, 'shape': (), 'shape': ()}", "'shape' of the header is repeated" },
        { "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}", "must be True or False" },
        { "{'descr': '<f4', 'fortran_order': False, 'shape': (1)}", "not a tuple" },
        { "{'descr': '<f4', 'fortran_order': False, 'shape': 1}", "not a tuple" },
        { "{'descr': '<f4', 'fortran_order': False, 'shape': [1,]}", "not a tuple" },
        { "{'descr': '<f4', 'fortran_order': False, 'shape': (1 1)}", "not a tuple" },
        { "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", "not a tuple" },
        { "{'descr': '<f4', 'fortran_order': False, 'shape': (1.5,)}", "not a tuple" },
        { "{'descr': '<f4', 'fortran_order': False, 'shape': (18446744073709551616,)}", "64 bits" },
        { "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", "address space" },
        { "{'descr': '<f8', 'fortran_order': False, 'shape': (2305843009213693952,)}", "address space" },
        { "{'descr': '|u1', 'fortran_order': False, 'shape': (9223372036854775808,)}", "address space" },
        { "{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1)}", "dimensions" },
        { "{'descr': '<f4', 'fortran_order': False, 'shape': (5,)}", "needs 20 bytes of elements, but" },
        { "{'descr': '<f4', 'fortran_order': False, 'shape': (1099511627776,)}", "the file has 16" },
        { "{'descr': '<f16', 'fortran_order': False, 'shape': (1,)}", "'<f16'" },
        { "{'descr': '<f16', 'fortran_order': False, 'shape': (1,)}", "'<f16'" },
        { "{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", "'|O'" },
        { "{'descr': '<U5', 'fortran_order': False, 'shape': (1,)}", "'<U5'" },
        { "{'descr': '<f4x', 'fortran_order': False, 'shape': (1,)}", "'<f4x'" },
        { "{'descr': '<f-4', 'fortran_order': False, 'shape': (1,)}", "'<f-4'" },
        { "{'descr': '', 'fortran_order': False, 'shape': (1,)}", "''" },
        { "{'descr': '<f\\x34', 'fortran_order': False, 'shape': (1,)}", "not a string" },
        { "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", "records" },
        { "{'descr': 4, 'fortran_order': False, 'shape': (1,)}", "not a string" },
        { "{'descr': '<f4, 'fortran_order': False, 'shape': (1,)}", "type" },
        { "{'descr', 'fortran_order': False, 'shape': (1,)}", "dictionary" },
        { "{'a key that is far too long for any of them': 1}", "dictionary" },
    };
    struct mw_array a = { 0 };

    for (size_t i = 0; i < MW_COUNT(rows); i++) {
        put_npy(in("bad.npy"), rows[i].header, 16);
        if (mw_npy_read(in("bad.npy"), &a) != MW_EDATA || strstr(mw_errmsg(), rows[i].word) == NULL ||
            strstr(mw_errmsg(), in("bad.npy")) == NULL)
            fail_msg("%s gives \"%s\", not \"%s\"", rows[i].header, mw_errmsg(), rows[i].word);
        assert_null(a.data);
    }
}

static void other_files_are_refused(void **state)
{
    static const struct {
        const char *bytes;
        size_t n;
        int status;
        const char *word;
    } rows[] = {
        { "", 0, MW_EDATA, "unexpected end" },
        { "\x89PNG\r\n\x1a\n", 8, MW_EDATA, "begin" },
        { "\x93NUMPY\x04\x00\x10\x00\x00\x00", 12, MW_EDATA, "version 4" },
        { "\x93NUMPY\x00\x00\x10\x00", 10, MW_EDATA, "version 0" },
        { "\x93NUMPY\x02\x00\x01\x00\x01\x00{", 13, MW_EDATA, "65537 bytes" },
        { "\x93NUMPY\x03\x00\xff\xff\xff\xff{", 13, MW_EDATA, "4294967295 bytes" },
        { "\x93NUMPY\x01\x00\x10\x00{", 11, MW_EDATA, "unexpected end" },
    };
    struct mw_array a = { 0 };

    for (size_t i = 0; i < MW_COUNT(rows); i++) {
        put(in("other"), rows[i].bytes, rows[i].n);
        assert_int_equal(mw_npy_read(in("other"), &a), rows[i].status);
        if (strstr(mw_errmsg(), rows[i].word) == NULL)
            fail_msg("row %zu gives \"%s\", not \"%s\"", i, mw_errmsg(), rows[i].word);
    }
    assert_int_equal(mw_npy_read(in("absent"), &a), MW_EIO);
    assert_int_equal(mw_npy_read(folder, &a), MW_EIO);
}

/* Truncated files and flipped bytes: either read or refused. */
static void damaged_files_do_no_harm(void **state)
{
    int good = 0, bad = 0;
    for (int i = 0; i < 4000; i++) {
        struct mw_array a = { 0 }, b = { 0 };
        char *bytes = NULL;
        size_t n = 0;
        int rc;
        random_array(&a);
        assert_int_equal(mw_npy_write(in("good.npy"), &a), 0);
        assert_int_equal(mw_file_read(in("good.npy"), PLENTY, &bytes, &n), 0);
        if (i % 4 == 0)
            n = (size_t)rand() % n;
        else
            for (int k = i % 4; k > 0; k--) /* one anywhere, or several in the header */
                bytes[(size_t)rand() % (i % 4 == 1 || n < 128 ? n : 128)] ^= (char)(1 << rand() % 8);
        put(in("bad.npy"), bytes, n);
        rc = mw_npy_read(in("bad.npy"), &b);
        if (rc != 0 && rc != MW_EDATA)
            fail_msg("file %d: %d, %s", i, rc, mw_errmsg());
        good += rc == 0;
        bad += rc != 0;
        if (i % 4 == 0 && a.count > 0)
            assert_int_equal(rc, MW_EDATA);
        free(bytes);
        mw_array_free(&a);
        mw_array_free(&b);
    }
    print_message("%d read, %d refused\n", good, bad);
    assert_true(good > 50 && bad > 1000);
}

/* Reads from standard input what a child process writes in pieces. */
static int read_from_pipe(const char *bytes, size_t n, struct mw_array *a)
{
    int fd[2], kept = dup(STDIN_FILENO), rc;
    pid_t child;
    assert_int_equal(pipe(fd), 0);
    fflush(NULL);
    child = fork();
    if (child == 0) {
        close(fd[0]);
        for (size_t at = 0, part; at < n; at += part) {
            part = n - at < 1000 ? n - at : 1000;
            if (write(fd[1], bytes + at, part) != (ssize_t)part)
                _exit(1);
        }
        _exit(0);
    }
    close(fd[1]);
    assert_true(dup2(fd[0], STDIN_FILENO) >= 0);
    close(fd[0]);
    rc = mw_npy_read("-", a);
    if (kept >= 0)
        dup2(kept, STDIN_FILENO);
    close(kept);
    waitpid(child, NULL, 0);
    return rc;
}

static void streams_are_read_as_they_come(void **state)
{
    static const char promise[] = "{'descr': '|u1', 'fortran_order': False, 'shape': (1099511627776,)}";
    struct mw_array a = { 0 }, b = { 0 };
    char *bytes = NULL;
    size_t n = 0;
    assert_int_equal(mw_array_new(MW_TYPE_U16, 2, (size_t[]){ 1000, 1700 }, &a), 0); /* more than one piece */
    for (size_t i = 0; i < a.count; i++)
        ((uint16_t *)a.data)[i] = (uint16_t)(i * 7);
    assert_int_equal(mw_npy_write(in("s.npy"), &a), 0);
    assert_int_equal(mw_file_read(in("s.npy"), PLENTY, &bytes, &n), 0);
    assert_int_equal(read_from_pipe(bytes, n, &b), 0);
    assert_same(&a, &b);
    mw_array_free(&b);
    assert_int_equal(read_from_pipe(bytes, n - 1, &b), MW_EDATA);
    assert_non_null(strstr(mw_errmsg(), "standard input"));
    free(bytes);
    put_npy(in("promise.npy"), promise, 100); /* a header of a terabyte allocates nothing */
    assert_int_equal(mw_file_read(in("promise.npy"), PLENTY, &bytes, &n), 0);
    assert_int_equal(read_from_pipe(bytes, n, &b), MW_EDATA);
    assert_null(b.data);
    free(bytes);
    mw_array_free(&a);
}

static void standard_output_is_written(void **state)
{
    struct mw_array a = { 0 }, b = { 0 };
    int status;
    pid_t child;
    random_array(&a);
    fflush(NULL);
    child = fork();
    if (child == 0) {
        int fd = open(in("out.npy"), O_WRONLY | O_CREAT, 0600);
        _exit(dup2(fd, STDOUT_FILENO) < 0 || mw_npy_write("-", &a) != 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(mw_npy_read(in("out.npy"), &b), 0);
    assert_same(&a, &b);
    mw_array_free(&a);
    mw_array_free(&b);
}

static void what_cannot_be_written_is_refused(void **state)
{
    struct mw_array a = { .type = MW_TYPE_F32, .dims = 1, .length = { 2 }, .count = 2 };
    assert_int_equal(mw_npy_write(in("x.npy"), &a), MW_EINVAL);
    assert_int_equal(mw_array_new(MW_TYPE_F32, 1, (size_t[]){ 2 }, &a), 0);
    assert_int_equal(mw_npy_write(in("nowhere/x.npy"), &a), MW_EIO);
    a.type = (enum mw_type)99;
    assert_int_equal(mw_npy_write(in("x.npy"), &a), MW_EINVAL);
    assert_int_not_equal(access(in("x.npy"), F_OK), 0);
    mw_array_free(&a);
}

static void check_against_raw(int i, const char *type, unsigned dims, const size_t *shape)
{
    struct mw_array a = { 0 };
    char name[32], *raw = NULL;
    size_t n = 0;
    snprintf(name, sizeof name, "%d.npy", i);
    if (mw_npy_read(in(name), &a) != 0)
        fail_msg("%s", mw_errmsg());
    assert_string_equal(mw_type_name(a.type), type);
    assert_int_equal(a.dims, dims);
    for (unsigned d = 0; d < dims; d++)
        assert_int_equal(a.length[d], shape[dims - 1 - d]);
    assert_int_equal(mw_npy_write(in(name), &a), 0);
    snprintf(name, sizeof name, "%d.raw", i);
    assert_int_equal(mw_file_read(in(name), PLENTY, &raw, &n), 0);
    assert_int_equal(n, a.count * mw_type_bytes(a.type));
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    assert_memory_equal(raw, a.data, n);
#endif
    free(raw);
    mw_array_free(&a);
}

/* Sends a line to ask_numpy.py and reads its answer. */
static void ask_numpy(const char *what)
{
    char answer[300] = "nothing";
    fprintf(numpy.to, "%s %s %u\n", what, folder, seed);
    assert_int_equal(fflush(numpy.to), 0);
    if (fgets(answer, sizeof answer, numpy.from) == NULL || strcmp(answer, "done\n") != 0)
        fail_msg("%s: NumPy: %s", what, answer);
}

static void numpy_agrees(void **state)
{
    char type[32];
    unsigned dims;
    int i = 0;
    FILE *list;
    if (numpy.to == NULL)
        skip();
    ask_numpy("make");
    list = fopen(in("list"), "r");
    assert_non_null(list);
    for (; fscanf(list, "%31s %u", type, &dims) == 2; i++) {
        size_t shape[MW_DIMS_MAX];
        for (unsigned d = 0; d < dims; d++)
            assert_int_equal(fscanf(list, "%zu", &shape[d]), 1);
        check_against_raw(i, type, dims, shape);
    }
    fclose(list);
    assert_int_equal(i, 400);
    ask_numpy("check");
}

static void pieces_make_the_same_file(void **unused)
{
    struct mw_array a, b;
    for (int round = 0; round < 200; round++) {
        struct mw_file *file = NULL;
        size_t done = 0;
        random_array(&a);
        struct mw_array shape = a;
        shape.data = NULL;
        assert_int_equal(mw_npy_create("pieces.npy", &shape, &file), 0);
        while (done < a.count) {
            const size_t n = 1 + (size_t)rand() % (a.count - done), bytes = mw_type_bytes(a.type);
            assert_int_equal(mw_npy_append(file, a.type, (const char *)a.data + done * bytes, n), 0);
            done += n;
        }
        assert_int_equal(mw_file_commit(file), 0);
        assert_int_equal(mw_npy_read("pieces.npy", &b), 0);
        assert_same(&a, &b);
        mw_array_free(&a);
        mw_array_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_make_the_same_file),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(x_is_numpys_last_axis),
        cmocka_unit_test(malformed_headers_are_refused),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(damaged_files_do_no_harm),
        cmocka_unit_test(streams_are_read_as_they_come),
        cmocka_unit_test(standard_output_is_written),
        cmocka_unit_test(what_cannot_be_written_is_refused),
        cmocka_unit_test(numpy_agrees),
    };

    python_for_test(&numpy, "tests/unit/io/ask_numpy.py", "python3-numpy");
    seed_random();
    const int failed = cmocka_run_group_tests(tests, make_scratch, remove_scratch);
    python_stop(&numpy);
    return failed;
}
/* SPDX-License-Identifier: MIT */
