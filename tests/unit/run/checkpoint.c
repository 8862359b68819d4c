/* Checkpoints: what a run goes on from, and what it refuses to. */
#include <meshwork/run.h>

#include "base/base.h"

#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

/* A simulation whose state is a number that each step hashes, and a block of bytes that follows from it. */
struct counter {
    uint64_t step, value;
    unsigned char block[5000];
    size_t block_bytes;
    struct mw_series *series;
    uint64_t stop_at;              /* asks the loop to stop when it reaches this step */
    bool refuse_to_save;
    unsigned inits, loads, saves;
};

static int init(void *context)
{
    struct counter *c = context;

    c->step = 0;
    c->value = 12345;
    c->inits++;
    return 0;
}

static int advance(void *context, uint64_t steps)
{
    struct counter *c = context;

    for (; steps > 0; steps--) {
        c->value = mw_hash64(&c->value, sizeof c->value, c->step++);
        if (c->step == c->stop_at)
            mw_run_stop();
    }
    return 0;
}

static int observe(void *context, uint64_t step)
{
    struct counter *c = context;
    const double row[] = { (double)(c->value >> 11), 1.0 / (double)(step + 1) };

    return c->series != NULL ? mw_series_add(c->series, step, row) : 0;
}

static int save(void *context, struct mw_checkpoint_writer *writer)
{
    struct counter *c = context;
    int rc;

    c->saves++;
    if (c->refuse_to_save)
        return mw_fail(MW_EDATA, "no state to go on from");
    memset(c->block, (int)(c->value & 0xFF), c->block_bytes);
    TRY(mw_checkpoint_put(writer, "value", &c->value, sizeof c->value));
    TRY(mw_checkpoint_put(writer, "block", c->block, c->block_bytes));
out:
    return rc;
}

static int load(void *context, const struct mw_checkpoint *checkpoint)
{
    struct counter *c = context;
    int rc;

    c->loads++;
    TRY(mw_checkpoint_get(checkpoint, "value", &c->value, sizeof c->value));
    TRY(mw_checkpoint_get(checkpoint, "block", c->block, c->block_bytes));
    for (size_t i = 0; i < c->block_bytes; i++)
        if (c->block[i] != (c->value & 0xFF))
            TRY(mw_fail(MW_EVERIFY, "the block is another"));
    c->step = mw_checkpoint_step(checkpoint);
out:
    return rc;
}

static const struct mw_setting settings[] = {
    { "size", "64x48", false }, { "dt", "0.01", false }, { "empty", "", false }, { "steps", "100", true },
    { NULL, NULL, false } };

static char folder[] = "/tmp/meshwork-checkpoint-XXXXXX", *file, *file_old, *file_new, *table;

static struct mw_run_simulation simulation_of(struct counter *c)
{
    return (struct mw_run_simulation){ .context = c, .init = init, .advance = advance, .observe = observe,
                                       .save = save, .load = load };
}

static const char *const titles[] = { "value", "part" };

/* A run to `steps`, from the checkpoint `from` or from the start. */
static int run(struct counter *c, uint64_t steps, uint64_t every, uint64_t checkpoint_every, const char *from,
               struct mw_run_result *result)
{
    const struct mw_run_simulation simulation = simulation_of(c);
    struct mw_checkpoint *restart = NULL;
    int rc;

    TRY(mw_series_new(table, titles, 2, &c->series));
    if (from != NULL)
        TRY(mw_checkpoint_open(from, &restart));
    const struct mw_run_options options = {
        .steps = steps, .every = every, .checkpoint = file, .checkpoint_every = checkpoint_every,
        .settings = settings, .restart = restart, .series = c->series };
    TRY(mw_run(&simulation, &options, result));
out:
    mw_series_free(c->series);
    c->series = NULL;
    mw_checkpoint_close(restart);
    return rc;
}

static struct counter new_counter(void)
{
    return (struct counter){ .block_bytes = 5000, .stop_at = UINT64_MAX };
}

static int setup(void **state)
{
    const struct { char **path; const char *name; } paths[] = {
        { &file, "ck" }, { &file_old, "ck.old" }, { &file_new, "ck.new" }, { &table, "table.csv" } };

    (void)state;
    if (mkdtemp(folder) == NULL)
        return 1;
    for (size_t i = 0; i < MW_COUNT(paths); i++)
        if (mw_path_join(folder, paths[i].name, paths[i].path) != 0)
            return 1;
    return 0;
}

static int clear(void **state)
{
    char *const paths[] = { file, file_old, file_new, table };

    (void)state;
    for (size_t i = 0; i < MW_COUNT(paths); i++)
        if (unlink(paths[i]) != 0)
            rmdir(paths[i]);
    return 0;
}

static int teardown(void **state)
{
    clear(state);
    free(file);
    free(file_old);
    free(file_new);
    free(table);
    return rmdir(folder);
}

static char *contents(const char *path, size_t *n)
{
    char *bytes = NULL;

    if (mw_file_read(path, SIZE_MAX, &bytes, n) != 0)
        fail_msg("%s", mw_errmsg());
    return bytes;
}

static void put_contents(const char *path, const char *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

/* Opens a checkpoint that has to be sound, and gives its step. */
static uint64_t step_of(const char *path)
{
    struct mw_checkpoint *c = NULL;
    uint64_t step;

    if (mw_checkpoint_open(path, &c) != 0)
        fail_msg("%s", mw_errmsg());
    assert_string_equal(mw_checkpoint_path(c), path);
    step = mw_checkpoint_step(c);
    mw_checkpoint_close(c);
    return step;
}

static void refused(const char *path, int status, const char *word)
{
    struct mw_checkpoint *c = NULL;

    assert_int_equal(mw_checkpoint_open(path, &c), status);
    assert_null(c);
    if (strstr(mw_errmsg(), word) == NULL || strstr(mw_errmsg(), path) == NULL)
        fail_msg("no '%s' and '%s' in: %s", word, path, mw_errmsg());
}

static unsigned new_seed(void)
{
    unsigned seed = (unsigned)time(NULL);

    print_message("seed %u\n", seed);
    srand(seed);
    return seed;
}

/* From a stop at any step, and from any schedule of checkpoints, to the same value and the same table. */
static void a_restarted_run_is_the_uninterrupted_one(void **state)
{
    (void)state;
    new_seed();
    for (int round = 0; round < 60; round++) {
        const uint64_t steps = 1 + (uint64_t)rand() % 60, every = (uint64_t)rand() % 20;
        const uint64_t checkpoint_every = (uint64_t)rand() % 20;
        struct counter whole = new_counter(), parts;
        struct mw_run_result r = { 0 };
        size_t n, m;
        char *expected, *got;
        int rc;

        clear(NULL);
        assert_int_equal(run(&whole, steps, every, 0, NULL, NULL), 0);
        expected = contents(table, &n);
        clear(NULL);
        parts = new_counter();
        parts.stop_at = 1 + (uint64_t)rand() % steps;
        rc = run(&parts, steps, every, checkpoint_every, NULL, &r);
        while (rc == MW_ESTOPPED) {
            /* Some part of what came after the checkpoint may have been written: the older one has to cut more away. */
            const char *from = rand() % 2 && exists(file_old) ? file_old : file;
            parts = new_counter();
            parts.stop_at = r.steps + 1 + (uint64_t)rand() % 20;
            rc = run(&parts, steps, every, checkpoint_every, from, &r);
            assert_int_equal(parts.inits, 0);
            assert_int_equal(parts.loads, 1);
        }
        if (rc != 0)
            fail_msg("%s", mw_errmsg());
        got = contents(table, &m);
        if (parts.value != whole.value || parts.step != steps || r.steps != steps || n != m ||
            memcmp(expected, got, n) != 0)
            fail_msg("%" PRIu64 " steps, every %" PRIu64 ", checkpoints every %" PRIu64 ": another end\n%s\n%s", steps,
                     every, checkpoint_every, expected, got);
        /* A stop that was asked for in the last step is answered by the next loop. */
        parts = new_counter();
        while (run(&parts, 1, 0, 0, NULL, NULL) == MW_ESTOPPED)
            continue;
        free(expected);
        free(got);
    }
}

static void a_run_can_be_made_longer(void **state)
{
    struct counter whole = new_counter(), c = new_counter();
    struct mw_run_result r = { 0 };
    size_t n, m;
    char *expected, *got;

    (void)state;
    assert_int_equal(run(&whole, 100, 7, 0, NULL, NULL), 0);
    expected = contents(table, &n);
    clear(NULL);
    assert_int_equal(run(&c, 40, 7, 0, NULL, NULL), 0);  /* observes step 40, which is none of the seventh */
    assert_int_equal(step_of(file), 40);
    c = new_counter();
    assert_int_equal(run(&c, 100, 7, 0, file, &r), 0);
    assert_int_equal(r.steps, 100);
    assert_int_equal(r.done, 60);
    assert_int_equal(c.value, whole.value);
    got = contents(table, &m);
    assert_int_equal(n, m);
    assert_memory_equal(expected, got, n);
    assert_int_equal(run(&c, 99, 7, 0, file, &r), MW_EINVAL);
    assert_non_null(strstr(mw_errmsg(), "100"));
    free(expected);
    free(got);
}

static void two_generations_are_kept(void **state)
{
    struct counter c = new_counter();
    struct mw_run_result r = { 0 };

    (void)state;
    assert_int_equal(run(&c, 95, 0, 10, NULL, &r), 0);
    assert_int_equal(r.checkpoints, 10);
    assert_int_equal(step_of(file), 95);
    assert_int_equal(step_of(file_old), 90);
    assert_false(exists(file_new));
    assert_int_equal(run(&c, 95, 0, 10, file, &r), 0); /* nothing to do */
    assert_int_equal(r.done, 0);
    assert_int_equal(r.checkpoints, 0);
    assert_int_equal(step_of(file), 95);
    assert_int_equal(step_of(file_old), 90);
}

static void a_state_that_cannot_go_on_costs_no_checkpoint(void **state)
{
    struct counter c = new_counter();

    (void)state;
    assert_int_equal(run(&c, 20, 0, 10, NULL, NULL), 0);
    c = new_counter();
    c.refuse_to_save = true;
    assert_int_equal(run(&c, 30, 0, 10, file, NULL), MW_EDATA);
    assert_int_equal(c.saves, 1);
    assert_int_equal(step_of(file), 20);
    assert_int_equal(step_of(file_old), 10);
    assert_false(exists(file_new));
}

/* Whatever is done to a file, it is refused, or the other generation taken; never read as something else. */
static void damage_is_found(void **state)
{
    struct counter c = new_counter();
    struct mw_checkpoint *opened = NULL;
    size_t n;
    char *bytes, *changed;

    (void)state;
    new_seed();
    c.block_bytes = 40;
    assert_int_equal(run(&c, 20, 3, 10, NULL, NULL), 0);
    bytes = contents(file, &n);
    changed = malloc(n + 16);
    assert_non_null(changed);
    for (int kind = 0; kind < 2; kind++) {
        if (kind == 1)
            assert_int_equal(unlink(file_old), 0);
        for (size_t i = 0; i < 2 * n + 8; i++) {
            size_t m = i < n ? n : i < 2 * n ? i - n : n + i - 2 * n + 1;
            memcpy(changed, bytes, n);
            memset(changed + n, rand(), 16);
            if (i < n)
                changed[i] = (char)(changed[i] ^ (1 + rand() % 255));
            put_contents(file, changed, m);
            if (kind == 0) {
                assert_int_equal(mw_checkpoint_open(file, &opened), 0);
                assert_string_equal(mw_checkpoint_path(opened), file_old);
                assert_int_equal(mw_checkpoint_step(opened), 10);
                mw_checkpoint_close(opened);
                opened = NULL;
            } else {
                refused(file, MW_EDATA, i >= 8 && i < n ? "damaged" : "checkpoint");
            }
        }
    }
    put_contents(file_old, bytes, n / 2);
    refused(file, MW_EDATA, "; and checkpoint");
    assert_int_equal(unlink(file), 0);
    refused(file, MW_EDATA, file_old);
    assert_int_equal(unlink(file_old), 0);
    refused(file, MW_EIO, "No such file");
    assert_int_equal(mkdir(file, 0700), 0);
    refused(file, MW_EDATA, "not a regular file");
    assert_int_equal(rmdir(file), 0);
    free(bytes);
    free(changed);
}

/* The checksum is no secret: a file that carries a right one is still read with care. */
static void lengths_are_not_believed(void **state)
{
    static const uint64_t lengths[] = { 0, 1, 64, 1000, UINT32_MAX, (uint64_t)1 << 40, UINT64_MAX - 20, UINT64_MAX };
    struct counter c = new_counter();
    struct mw_checkpoint *opened = NULL;
    size_t n;
    char *bytes;

    (void)state;
    c.block_bytes = 40;
    assert_int_equal(run(&c, 20, 3, 0, NULL, NULL), 0);
    bytes = contents(file, &n);
    for (size_t at = 8; at + 12 + 8 <= n; at++)
        for (size_t i = 0; i < MW_COUNT(lengths); i++) {
            char *changed = malloc(n);
            uint64_t sum;
            assert_non_null(changed);
            memcpy(changed, bytes, n);
            for (size_t b = 0; b < 8; b++)
                changed[at + b] = (char)(lengths[i] >> 8 * b);
            sum = mw_hash64(changed, n - 8, 0);
            for (size_t b = 0; b < 8; b++)
                changed[n - 8 + b] = (char)(sum >> 8 * b);
            put_contents(file, changed, n);
            if (mw_checkpoint_open(file, &opened) == 0) {
                unsigned char block[40];
                if (mw_checkpoint_get(opened, "block", block, sizeof block) == 0)
                    assert_int_not_equal(mw_checkpoint_get(opened, "block", block, sizeof block - 1), 0);
                mw_checkpoint_compare(opened, settings);
                mw_checkpoint_close(opened);
                opened = NULL;
            } else {
                assert_string_not_equal(mw_errmsg(), "");
            }
            free(changed);
        }
    free(bytes);
}

/* A file with this text in its place of the same length, and a right checksum. */
static void forge(const char *from, const char *to)
{
    size_t n;
    char *bytes = contents(file, &n), *at = memmem(bytes, n, from, strlen(from));
    uint64_t sum;

    assert_non_null(at);
    assert_int_equal(strlen(from), strlen(to));
    memcpy(at, to, strlen(to));
    sum = mw_hash64(bytes, n - 8, 0);
    for (size_t b = 0; b < 8; b++)
        bytes[n - 8 + b] = (char)(sum >> 8 * b);
    put_contents(file, bytes, n);
    free(bytes);
}

static void other_formats_are_refused_by_name(void **state)
{
    struct counter c = new_counter();

    (void)state;
    assert_int_equal(run(&c, 20, 3, 0, NULL, NULL), 0);
    forge("1 little", "2 little");
    refused(file, MW_ENOTSUP, "version 2");
    forge("2 little", "1 biggle");
    refused(file, MW_ENOTSUP, "biggle-endian");
    forge("1 biggle", "one    l");
    refused(file, MW_EDATA, "format");
    forge("one    l", "1 little");
    assert_int_equal(step_of(file), 20);
    forge("step20", "step2x");
    refused(file, MW_EDATA, "step");
}

static void a_damaged_file_takes_no_place(void **state)
{
    struct counter c = new_counter();
    struct mw_run_result r = { 0 };
    size_t n;
    char *bytes;

    (void)state;
    assert_int_equal(run(&c, 20, 0, 10, NULL, NULL), 0);
    bytes = contents(file, &n);
    bytes[n / 2] ^= 1;
    put_contents(file, bytes, n);
    c = new_counter();
    c.stop_at = 11;
    assert_int_equal(run(&c, 40, 0, 0, file, &r), MW_ESTOPPED);
    assert_int_equal(step_of(file), r.steps);
    assert_int_equal(step_of(file_old), 10);   /* not the damaged one */
    free(bytes);
}

static void other_runs_are_refused_by_name(void **state)
{
    const struct { struct mw_setting settings[6]; const char *words[4]; } cases[] = {
        { { { "size", "64x48", false }, { "dt", "0.01", false }, { "empty", "", false }, { "steps", "7", true } },
          { NULL } },
        { { { "size", "64x49", false }, { "dt", "0.01", false }, { "empty", "", false }, { "steps", "100", true } },
          { "size 64x48 (here 64x49)" } },
        { { { "size", "64x4", false }, { "dt", "0.0", false }, { "empty", "x", false }, { "steps", "100", true } },
          { "size 64x48 (here 64x4)", "dt 0.01 (here 0.0)", "empty  (here x)" } },
        { { { "size", "64x48", false }, { "dt", "0.01", false }, { "empty", "", false }, { "seed", "1", false },
            { "steps", "100", true } }, { "seed none (here 1)" } },
        { { { "size", "64x48", false }, { "empty", "", false }, { "steps", "100", true } }, { "dt 0.01 (here none)" } },
    };
    struct counter c = new_counter();
    struct mw_checkpoint *opened = NULL;

    (void)state;
    assert_int_equal(run(&c, 20, 0, 10, NULL, NULL), 0);
    assert_int_equal(mw_checkpoint_open(file, &opened), 0);
    assert_string_equal(mw_checkpoint_setting(opened, "dt"), "0.01");
    assert_string_equal(mw_checkpoint_setting(opened, "empty"), "");
    assert_null(mw_checkpoint_setting(opened, "d"));
    assert_null(mw_checkpoint_setting(opened, "dt="));
    for (size_t i = 0; i < MW_COUNT(cases); i++) {
        assert_int_equal(mw_checkpoint_compare(opened, cases[i].settings), cases[i].words[0] ? MW_EINVAL : 0);
        for (size_t k = 0; cases[i].words[k] != NULL; k++)
            if (strstr(mw_errmsg(), cases[i].words[k]) == NULL)
                fail_msg("no '%s' in: %s", cases[i].words[k], mw_errmsg());
    }
    mw_checkpoint_close(opened);
    c.block_bytes = 4999;
    assert_int_equal(run(&c, 30, 0, 0, file, NULL), MW_EDATA);
    assert_non_null(strstr(mw_errmsg(), "4999"));
}

static void places_that_cannot_be_written_are_told(void **state)
{
    struct counter c = new_counter();
    int descriptor;

    (void)state;
    assert_int_equal(run(&c, 20, 0, 10, NULL, NULL), 0);
    /* Somebody else is writing. */
    descriptor = open(file_new, O_WRONLY | O_CREAT, 0600);
    assert_true(descriptor >= 0);
    assert_int_equal(flock(descriptor, LOCK_EX), 0);
    assert_int_equal(run(&c, 30, 0, 0, file, NULL), MW_EIO);
    assert_non_null(strstr(mw_errmsg(), "another run"));
    assert_true(exists(file_new));
    close(descriptor);
    assert_int_equal(run(&c, 30, 0, 0, file, NULL), 0);
    /* What a killed process left is written over. */
    put_contents(file_new, "rest", 4);
    assert_int_equal(run(&c, 40, 0, 0, file, NULL), 0);
    assert_false(exists(file_new));
    assert_int_equal(step_of(file), 40);
    assert_int_equal(step_of(file_old), 30);
    /* A folder in the way, of each of the names. */
    assert_int_equal(mkdir(file_new, 0700), 0);
    assert_int_equal(run(&c, 50, 0, 0, file, NULL), MW_EIO);
    assert_int_equal(rmdir(file_new), 0);
    assert_int_equal(unlink(file_old), 0);
    assert_int_equal(mkdir(file_old, 0700), 0);
    assert_int_equal(run(&c, 50, 0, 0, file, NULL), MW_EIO);
    assert_int_equal(rmdir(file_old), 0);
    assert_int_equal(step_of(file), 40);
    assert_false(exists(file_new));
}

/* Through a symbolic link the file behind it is replaced, and its permissions stay. */
static void links_and_permissions_stay(void **state)
{
    struct counter c = new_counter();
    struct stat st;
    char *link_path = NULL;

    (void)state;
    assert_int_equal(run(&c, 20, 0, 0, NULL, NULL), 0);
    assert_int_equal(chmod(file, 0600), 0);
    assert_int_equal(mw_path_join(folder, "link", &link_path), 0);
    assert_int_equal(symlink("ck", link_path), 0);
    {
        const struct mw_run_simulation simulation = simulation_of(&c);
        const struct mw_run_options options = { .steps = 30, .checkpoint = link_path, .settings = settings };
        assert_int_equal(mw_run(&simulation, &options, NULL), 0);
    }
    assert_int_equal(lstat(link_path, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(stat(file, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_int_equal(step_of(file), 30);
    assert_int_equal(step_of(file_old), 20);
    assert_int_equal(unlink(link_path), 0);
    free(link_path);
}

static void names_are_checked(void **state)
{
    static const struct mw_setting bad[][2] = { { { "a=b", "", false } }, { { "a\n", "", false } },
                                                { { "a", "x\ny", false } } };
    struct counter c = new_counter();
    const struct mw_run_simulation simulation = simulation_of(&c);

    (void)state;
    for (size_t i = 0; i < MW_COUNT(bad); i++) {
        const struct mw_run_options options = { .steps = 3, .checkpoint = file, .settings = bad[i] };
        assert_int_equal(mw_run(&simulation, &options, NULL), MW_EINVAL);
        assert_false(exists(file));
        assert_false(exists(file_new));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_restarted_run_is_the_uninterrupted_one, clear),
        cmocka_unit_test_teardown(a_run_can_be_made_longer, clear),
        cmocka_unit_test_teardown(two_generations_are_kept, clear),
        cmocka_unit_test_teardown(a_state_that_cannot_go_on_costs_no_checkpoint, clear),
        cmocka_unit_test_teardown(damage_is_found, clear),
        cmocka_unit_test_teardown(lengths_are_not_believed, clear),
        cmocka_unit_test_teardown(other_formats_are_refused_by_name, clear),
        cmocka_unit_test_teardown(a_damaged_file_takes_no_place, clear),
        cmocka_unit_test_teardown(other_runs_are_refused_by_name, clear),
        cmocka_unit_test_teardown(places_that_cannot_be_written_are_told, clear),
        cmocka_unit_test_teardown(links_and_permissions_stay, clear),
        cmocka_unit_test_teardown(names_are_checked, clear),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
