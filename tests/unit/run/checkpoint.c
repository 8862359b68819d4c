/* Checkpoints: resuming runs, and replacement of older files. */
#include "tests/unit/run/counter.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sys/file.h>

/* A run stopped at any step and resumed, with any schedule of checkpoints, has the same value and the same table. */
static void a_restarted_run_is_the_uninterrupted_one(void **state)
{
    seed_random();
    for (int round = 0; round < 60; round++) {
        const uint64_t steps = 1 + (uint64_t)rand() % 60, every = (uint64_t)rand() % 20;
        const uint64_t checkpoint_every = (uint64_t)rand() % 20;
        struct counter whole = new_counter(), parts;
        struct mw_run_result r = MW_INIT(r);
        size_t n, m;
        char *expected, *got;
        int rc;
        clear(NULL);
        assert_int_equal(run(&whole, steps, every, 0, NULL, NULL), 0);
        expected = contents(table, &n);
        clear(NULL);
        parts = new_counter();
        parts.queues = rand() % 2;
        parts.stop_at = 1 + (uint64_t)rand() % steps;
        rc = run(&parts, steps, every, checkpoint_every, NULL, &r);
        while (rc == MW_ESTOPPED) {
            /* Part of the table after the checkpoint may have been written: resuming from the older one truncates
             * more. */
            const char *from = rand() % 2 && exists(file_old) ? file_old : file;
            parts = new_counter();
            parts.queues = rand() % 2;
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
        /* A stop requested in the last step ends the next loop. */
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
    struct mw_run_result r = MW_INIT(r);
    size_t n, m;
    char *expected, *got;
    assert_int_equal(run(&whole, 100, 7, 0, NULL, NULL), 0);
    expected = contents(table, &n);
    clear(NULL);
    assert_int_equal(run(&c, 40, 7, 0, NULL, NULL), 0); /* observes step 40, which is off schedule */
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

/* Runs with this series, or none, from the checkpoint `from` or from the start. */
static int run_with(struct mw_series *series, uint64_t steps, const char *from)
{
    struct counter c = new_counter();
    const struct mw_run_simulation simulation = simulation_of(&c);
    struct mw_checkpoint *restart = NULL;
    int rc = 0;
    c.series = series;
    if (from != NULL)
        TRY(mw_checkpoint_open(from, &restart));
    const struct mw_run_options options = { .size = sizeof options,
                                            .steps = steps,
                                            .every = 10,
                                            .checkpoint = file,
                                            .settings = settings,
                                            .restart = restart,
                                            .series = series };
    rc = mw_run(&simulation, &options, NULL);
out:
    mw_checkpoint_close(restart);
    return rc;
}

/* Compares the steps of the rows of the table. */
static void assert_rows(const char *expected)
{
    char steps[200] = "", *rows;
    size_t n;
    rows = contents(table, &n);
    for (char *line = strtok(rows, "\n"); line != NULL; line = strtok(NULL, "\n"))
        snprintf(steps + strlen(steps), sizeof steps - strlen(steps), "%.*s ", (int)strcspn(line, ","), line);
    assert_string_equal(steps, expected);
    free(rows);
}

/* An object may serve several runs of a process in turn: each starts or truncates its file. */
static void a_series_serves_runs_in_turn(void **state)
{
    struct mw_series *series = NULL;
    int descriptors[2];
    OK(mw_series_new(table, titles, 2, &series));
    descriptors[0] = dup(STDERR_FILENO);
    OK(close(descriptors[0]));
    OK(run_with(series, 20, NULL));
    assert_rows("step 0 10 20 ");
    OK(run_with(series, 40, file));
    OK(run_with(series, 50, file));
    assert_rows("step 0 10 20 30 40 50 ");
    OK(run_with(series, 10, NULL));
    assert_rows("step 0 10 ");
    mw_series_free(series);
    descriptors[1] = dup(STDERR_FILENO);
    OK(close(descriptors[1]));
    assert_int_equal(descriptors[0], descriptors[1]); /* no file is left open */
}

/* A run without the series keeps its position: rows of an earlier run are not lost. */
static void a_series_that_is_left_out_is_remembered(void **state)
{
    struct mw_series *series = NULL;
    OK(mw_series_new(table, titles, 2, &series));
    OK(run_with(series, 20, NULL));
    OK(run_with(NULL, 40, file));
    OK(run_with(NULL, 60, file));
    OK(run_with(series, 80, file));
    assert_rows("step 0 10 20 70 80 ");
    /* A checkpoint without a series cannot provide its earlier rows. */
    OK(run_with(NULL, 20, NULL));
    assert_int_equal(run_with(series, 40, file), MW_EDATA);
    assert_rows("step 0 10 20 70 80 ");
    mw_series_free(series);
}

static void two_generations_are_kept(void **state)
{
    struct counter c = new_counter();
    struct mw_run_result r = MW_INIT(r);
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
    assert_int_equal(run(&c, 20, 0, 10, NULL, NULL), 0);
    c = new_counter();
    c.refuse_to_save = true;
    assert_int_equal(run(&c, 30, 0, 10, file, NULL), MW_EDATA);
    assert_int_equal(c.saves, 1);
    assert_int_equal(step_of(file), 20);
    assert_int_equal(step_of(file_old), 10);
    assert_false(exists(file_new));
}

static void places_that_cannot_be_written_are_told(void **state)
{
    struct counter c = new_counter();
    int descriptor;
    assert_int_equal(run(&c, 20, 0, 10, NULL, NULL), 0);
    /* Another process is writing. */
    descriptor = open(file_new, O_WRONLY | O_CREAT, 0600);
    assert_true(descriptor >= 0);
    assert_int_equal(flock(descriptor, LOCK_EX), 0);
    assert_int_equal(run(&c, 30, 0, 0, file, NULL), MW_EIO);
    assert_non_null(strstr(mw_errmsg(), "another run"));
    assert_true(exists(file_new));
    close(descriptor);
    assert_int_equal(run(&c, 30, 0, 0, file, NULL), 0);
    /* Files of a killed process are overwritten. */
    put_bytes(file_new, "rest", 4);
    assert_int_equal(run(&c, 40, 0, 0, file, NULL), 0);
    assert_false(exists(file_new));
    assert_int_equal(step_of(file), 40);
    assert_int_equal(step_of(file_old), 30);
    /* A folder in the place of each name. */
    assert_int_equal(mkdir(file_new, 0700), 0);
    assert_int_equal(run(&c, 50, 0, 0, file, NULL), MW_EINVAL);
    assert_int_equal(rmdir(file_new), 0);
    assert_int_equal(unlink(file_old), 0);
    assert_int_equal(mkdir(file_old, 0700), 0);
    assert_int_equal(run(&c, 50, 0, 0, file, NULL), MW_EINVAL);
    assert_int_equal(rmdir(file_old), 0);
    assert_int_equal(step_of(file), 40);
    assert_false(exists(file_new));
}

/* A symbolic link is kept and its target replaced, with the same permissions. */
static void links_and_permissions_stay(void **state)
{
    struct counter c = new_counter();
    struct stat st;
    char *link_path = NULL, *there = NULL, *beyond = NULL, *beyond_old = NULL;
    assert_int_equal(run(&c, 20, 0, 0, NULL, NULL), 0);
    assert_int_equal(chmod(file, 0600), 0);
    assert_int_equal(mw_path_join(folder, "link", &link_path), 0);
    assert_int_equal(symlink("ck", link_path), 0);
    {
        const struct mw_run_simulation simulation = simulation_of(&c);
        const struct mw_run_options options = {
            .size = sizeof options, .steps = 30, .checkpoint = link_path, .settings = settings
        };
        assert_int_equal(mw_run(&simulation, &options, NULL), 0);
    }
    assert_int_equal(lstat(link_path, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(stat(file, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_int_equal(step_of(file), 30);
    assert_int_equal(step_of(file_old), 20);
    assert_int_equal(unlink(link_path), 0);
    /* The older file is found where it was put, next to the target of the link. */
    OK(mw_path_join(folder, "there", &there));
    OK(mw_path_join(there, "ck", &beyond));
    OK(mw_path_join(there, "ck.old", &beyond_old));
    assert_int_equal(mkdir(there, 0700), 0);
    assert_int_equal(rename(file_old, beyond_old), 0);
    put_bytes(beyond, "", 0);
    assert_int_equal(symlink("there/ck", link_path), 0);
    for (int missing = 0; missing < 2; missing++) {
        struct mw_checkpoint *opened = NULL;
        OK(mw_checkpoint_open(link_path, &opened));
        assert_int_equal(mw_checkpoint_step(opened), 20);
        mw_checkpoint_close(opened);
        assert_int_equal(unlink(beyond), missing ? -1 : 0);
    }
    assert_int_equal(unlink(link_path), 0);
    assert_int_equal(unlink(beyond_old), 0);
    assert_int_equal(rmdir(there), 0);
    free(link_path);
    free(there);
    free(beyond);
    free(beyond_old);
}

/* ---- a simulation with many records and many settings ---- */

enum { RECORDS = 300, LONG_SETTING = 3 << 20 };

static int save_many(void *context, struct mw_checkpoint_writer *writer)
{
    int rc = 0;
    for (int i = 0; i < RECORDS; i++) {
        char name[20];
        snprintf(name, sizeof name, "record %d", i);
        TRY(mw_checkpoint_put(writer, name, &i, sizeof i));
    }
out:
    return rc;
}

static int load_many(void *context, const struct mw_checkpoint *checkpoint)
{
    int rc = 0, value = -1;
    for (int i = 0; i < RECORDS; i++) {
        char name[16];
        snprintf(name, sizeof name, "record %d", i);
        TRY(mw_checkpoint_get(checkpoint, name, &value, sizeof value));
        assert_int_equal(value, i);
    }
out:
    ((struct counter *)context)->loads++;
    return rc;
}

static void what_is_written_can_be_read_however_much_it_is(void **state)
{
    struct counter c = new_counter();
    struct mw_run_simulation simulation = simulation_of(&c);
    struct mw_checkpoint *restart = NULL;
    char *value = malloc(LONG_SETTING);
    assert_non_null(value);
    memset(value, 'x', LONG_SETTING - 1);
    value[LONG_SETTING - 1] = '\0';
    const struct mw_setting many[] = { { "long", value, false }, { NULL, NULL, false } };
    struct mw_run_options options = {
        .size = sizeof options, .steps = 10, .checkpoint = file, .checkpoint_every = 5, .settings = many
    };
    simulation.save = save_many;
    simulation.load = load_many;
    OK(mw_run(&simulation, &options, NULL));
    OK(mw_checkpoint_open(file, &restart));
    options.restart = restart;
    options.steps = 20;
    OK(mw_run(&simulation, &options, NULL));
    assert_int_equal(c.loads, 1);
    mw_checkpoint_close(restart);
    free(value);
}

static void names_are_checked(void **state)
{
    static const struct mw_setting bad[][2] = { { { "a=b", "", false } },
                                                { { "a\n", "", false } },
                                                { { "a", "x\ny", false } } };
    struct counter c = new_counter();
    const struct mw_run_simulation simulation = simulation_of(&c);
    for (size_t i = 0; i < MW_COUNT(bad); i++) {
        const struct mw_run_options options = {
            .size = sizeof options, .steps = 3, .checkpoint = file, .settings = bad[i]
        };
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
        cmocka_unit_test_teardown(a_series_serves_runs_in_turn, clear),
        cmocka_unit_test_teardown(a_series_that_is_left_out_is_remembered, clear),
        cmocka_unit_test_teardown(two_generations_are_kept, clear),
        cmocka_unit_test_teardown(a_state_that_cannot_go_on_costs_no_checkpoint, clear),
        cmocka_unit_test_teardown(places_that_cannot_be_written_are_told, clear),
        cmocka_unit_test_teardown(links_and_permissions_stay, clear),
        cmocka_unit_test_teardown(what_is_written_can_be_read_however_much_it_is, clear),
        cmocka_unit_test_teardown(names_are_checked, clear),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
/* SPDX-License-Identifier: MIT */
