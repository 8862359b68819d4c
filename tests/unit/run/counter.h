/* A small simulation and its checkpoints, for tests. */
#ifndef MW_TESTS_COUNTER_H
#define MW_TESTS_COUNTER_H

#include <meshwork/run.h>

#include "base/base.h"

#include <sys/stat.h>
#include <unistd.h>

#include "tests/scratch.h"

/* A simulation with a number that each step hashes, and a block of bytes derived from it. */
struct counter {
    uint64_t step, value;
    unsigned char block[5000];
    size_t block_bytes;
    struct mw_series *series;
    uint64_t stop_at; /* requests a stop when it reaches this step */
    bool refuse_to_save;
    bool queues;     /* steps may be queued */
    uint64_t queued; /* number of queued steps */
    unsigned inits, loads, saves;
};

static inline int init(void *context)
{
    struct counter *c = context;
    c->step = 0;
    c->value = 12345;
    c->inits++;
    return 0;
}

static inline int advance(void *context, uint64_t steps)
{
    struct counter *c = context;
    steps += c->queued;
    c->queued = 0;
    for (; steps > 0; steps--) {
        c->value = mw_hash64(&c->value, sizeof c->value, c->step++);
        if (c->step == c->stop_at)
            mw_run_stop();
    }
    return 0;
}

static inline int queue(void *context, uint64_t steps)
{
    struct counter *c = context;
    c->queued += steps;
    return 0;
}

static inline int observe(void *context, uint64_t step)
{
    struct counter *c = context;
    const int rc = advance(c, 0);
    const double row[] = { (double)(c->value >> 11), 1.0 / (double)(step + 1) };
    return rc != 0 ? rc : c->series != NULL ? mw_series_add(c->series, step, row) : 0;
}

static inline int save(void *context, struct mw_checkpoint_writer *writer)
{
    struct counter *c = context;
    int rc;
    c->saves++;
    if (c->queued > 0)
        return mw_fail(MW_EVERIFY, "steps are saved before they are complete");
    if (c->refuse_to_save)
        return mw_fail(MW_EDATA, "no state to go on from");
    memset(c->block, (int)(c->value & 0xFF), c->block_bytes);
    TRY(mw_checkpoint_put(writer, "value", &c->value, sizeof c->value));
    TRY(mw_checkpoint_put(writer, "block", c->block, c->block_bytes));
out:
    return rc;
}

static inline int load(void *context, const struct mw_checkpoint *checkpoint)
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

static const struct mw_setting settings[] = { { "size", "64x48", false },
                                              { "dt", "0.01", false },
                                              { "empty", "", false },
                                              { "steps", "100", true },
                                              { NULL, NULL, false } };

static char *file, *file_old, *file_new, *table;

static inline struct mw_run_simulation simulation_of(struct counter *c)
{
    return (struct mw_run_simulation){ .size = sizeof(struct mw_run_simulation),
                                       .context = c,
                                       .init = init,
                                       .advance = advance,
                                       .observe = observe,
                                       .save = save,
                                       .load = load,
                                       .queue = c->queues ? queue : NULL };
}

static const char *const titles[] = { "value", "part" };

/* Runs to `steps`, from the checkpoint `from` or from the start. */
static inline int run(struct counter *c, uint64_t steps, uint64_t every, uint64_t checkpoint_every, const char *from,
                      struct mw_run_result *result)
{
    const struct mw_run_simulation simulation = simulation_of(c);
    struct mw_checkpoint *restart = NULL;
    int rc;
    TRY(mw_series_new(table, titles, 2, &c->series));
    if (from != NULL)
        TRY(mw_checkpoint_open(from, &restart));
    const struct mw_run_options options = { .size = sizeof options,
                                            .steps = steps,
                                            .every = every,
                                            .checkpoint = file,
                                            .checkpoint_every = checkpoint_every,
                                            .settings = settings,
                                            .restart = restart,
                                            .series = c->series };
    TRY(mw_run(&simulation, &options, result));
out:
    mw_series_free(c->series);
    c->series = NULL;
    mw_checkpoint_close(restart);
    return rc;
}

static inline struct counter new_counter(void)
{
    return (struct counter){ .block_bytes = 5000, .stop_at = UINT64_MAX };
}

static inline int setup(void **state)
{
    const struct {
        char **path;
        const char *name;
    } paths[] = { { &file, "ck" }, { &file_old, "ck.old" }, { &file_new, "ck.new" }, { &table, "table.csv" } };

    if (make_scratch(state) != 0)
        return 1;
    for (size_t i = 0; i < MW_COUNT(paths); i++)
        if (mw_path_join(folder, paths[i].name, paths[i].path) != 0)
            return 1;
    return 0;
}

static inline int clear(void **state)
{
    char *const paths[] = { file, file_old, file_new, table };
    for (size_t i = 0; i < MW_COUNT(paths); i++)
        if (unlink(paths[i]) != 0)
            rmdir(paths[i]);
    return 0;
}

/* Fails if a test left other files. */
static inline int teardown(void **state)
{
    clear(state);
    free(file);
    free(file_old);
    free(file_new);
    free(table);
    const int left = each_file(folder, NULL);
    return remove_scratch(state) != 0 || left > 0;
}

static inline char *contents(const char *path, size_t *n)
{
    char *bytes = NULL;
    if (mw_file_read(path, SIZE_MAX, &bytes, n) != 0)
        fail_msg("%s", mw_errmsg());
    return bytes;
}

static inline bool exists(const char *path) { return access(path, F_OK) == 0; }

/* Opens a checkpoint that must be sound, and returns its step. */
static inline uint64_t step_of(const char *path)
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

#endif
/* SPDX-License-Identifier: MIT */
