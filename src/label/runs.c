/* Labelling by runs of cells, for CPUs of all kinds: the plan of a mesh, its buffers and the four launches. */
#include <stdlib.h>
#include <string.h>

#include "dev/backend.h"
#include "label/native_runs.h"
#include "label/passes.h"
#include "prim/rounds.h"

#include "label/plan.clh"

size_t mw_label_strip_cells = (size_t)1 << 14;

/* Strips for each thread, so that one whose rows are busy holds up nobody. */
enum { STRIPS_PER_UNIT = 4 };

enum { STRIPS, SEAMS, NUMBERS, FILL, KERNELS };
static const char *const names[KERNELS] = { "label_strips", "label_seams", "label_numbers", "label_fill" };
enum { TABLE, STARTS, KINDS, FIRST, RESULTS, PLAN, COMPONENTS, BUFFERS };

struct runs {
    struct mw_program *program;
    struct mw_kernel *kernel[KERNELS];
    struct mw_buffer *buffer[BUFFERS];
    const struct mw_label_cells *cells;
    _Alignas(8) unsigned char value[8]; /* background, threshold or tolerance, as an element */
    size_t strips;
    bool native;
};

/* A strip's loops want a core of their own, not a lane of a vector. */
static const char *runs_refuses(const struct mw_labelling *labelling)
{
    return mw_device_info(labelling->device)->traits.items_are_lanes ? "is for the cores of CPUs: use union-find" : NULL;
}

/* ---- the plan ---- */

/* The words of a plan, growing. */
struct words { int64_t *word; size_t count, capacity; };

static int words_add(struct words *w, int64_t value)
{
    if (w->count == w->capacity) {
        const size_t capacity = w->capacity ? 2 * w->capacity : 256;
        int64_t *word = realloc(w->word, capacity * sizeof *word);
        if (!word)
            return mw_fail(MW_ENOMEM, "no memory for the plan of a labelling");
        w->word = word;
        w->capacity = capacity;
    }
    w->word[w->count++] = value;
    return 0;
}

/* A step to another row: the first coordinate is left out. */
static int add_step(struct words *plan, const struct mw_lattice *l, unsigned dx, const signed char *digit)
{
    int64_t back = 0;
    int rc;
    TRY(words_add(plan, dx));
    for (unsigned i = 1; i < l->dims; i++) {
        TRY(words_add(plan, digit[i]));
        back -= digit[i] * (l->stride[i] / l->stride[1]);
    }
    plan->word[PLAN_STEPS]++;
    if (back > plan->word[PLAN_REACH])
        plan->word[PLAN_REACH] = back;
out:
    return rc;
}

/* Whether the step's part in the dimensions beside x leads to an earlier row. */
static bool goes_back(const signed char *digit, unsigned dims)
{
    int sign = 0;
    for (unsigned i = 1; i < dims; i++)
        sign = digit[i] ? digit[i] : sign;
    return sign < 0;
}

/* The neighbours of a kind of lattice, those in one row together. */
static int add_kind(struct words *plan, const struct mw_lattice *l, const struct mw_lattice_kind_info *kind)
{
    static const unsigned bits[] = { DX_BEFORE, DX_SAME, DX_BEHIND };
    const unsigned count = kind->coordination ? kind->coordination : 2 * l->dims;
    const size_t others = l->dims - 1;
    int rc = 0;
    for (unsigned j = 0; j < count; j++) {
        const signed char *digit = kind->step[j];
        unsigned dx = 0;
        bool done = false;
        if (!goes_back(digit, l->dims))
            continue;
        for (unsigned i = 0; i < count; i++) {
            if (memcmp(kind->step[i] + 1, digit + 1, others) != 0)
                continue;
            dx |= bits[kind->step[i][0] + 1];
            done = done || i < j;
        }
        if (!done)
            TRY(add_step(plan, l, dx, digit));
    }
out:
    return rc;
}

/* All neighbours: the numbers to base 3 of which the digits, less 1, are a step back. */
static int add_all(struct words *plan, const struct mw_lattice *l)
{
    unsigned count = 1;
    int rc = 0;
    for (unsigned i = 1; i < l->dims; i++)
        count *= 3;
    for (unsigned j = 0; j < count / 2; j++) {
        signed char digit[MW_DIMS_MAX] = { 0 };
        unsigned rest = j;
        for (unsigned i = 1; i < l->dims; i++, rest /= 3)
            digit[i] = (signed char)(rest % 3) - 1;
        TRY(add_step(plan, l, DX_BEFORE | DX_SAME | DX_BEHIND, digit));
    }
out:
    return rc;
}

static int64_t least_of(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t most_of(int64_t a, int64_t b) { return a > b ? a : b; }

static int make_plan(const struct mw_labelling *labelling, struct words *plan)
{
    const struct mw_label_options *o = &labelling->options;
    const struct mw_lattice *l = &labelling->lattice;
    const int64_t rows = l->cells / l->length[0], units = (int64_t)mw_device_info(labelling->device)->compute_units;
    const int64_t least = ((int64_t)mw_label_strip_cells - 1) / l->length[0] + 1;
    const int64_t share = (rows - 1) / (most_of(units, 1) * STRIPS_PER_UNIT) + 1;
    const int64_t strip_rows = least_of(most_of(share, least), rows);
    int64_t wraps = 0;
    int rc;
    for (unsigned i = 1; i < l->dims; i++)
        wraps = wraps || o->periodic[i];
    const int64_t head[PLAN_AXES] = {
        [PLAN_ROWS] = rows, [PLAN_LENGTH] = l->length[0], [PLAN_WORDS] = (l->length[0] - 1) / 64 + 1,
        [PLAN_STRIPS] = (rows - 1) / strip_rows + 1, [PLAN_STRIP_ROWS] = strip_rows, [PLAN_WRAPS_X] = o->periodic[0],
        [PLAN_WRAPS] = wraps, [PLAN_BACKGROUND] = o->has_background, [PLAN_ALL] = labelling->threshold.all,
        [PLAN_DIMS] = (int64_t)l->dims - 1,
    };
    for (size_t i = 0; i < MW_COUNT(head); i++)
        TRY(words_add(plan, head[i]));
    for (unsigned i = 1; i < l->dims; i++) {
        TRY(words_add(plan, l->length[i]));
        TRY(words_add(plan, l->stride[i] / l->stride[1]));
        TRY(words_add(plan, o->periodic[i]));
    }
    if (o->lattice == MW_LATTICE_HYPERCUBIC && o->connectivity == MW_CONNECT_ALL)
        TRY(add_all(plan, l));
    else
        TRY(add_kind(plan, l, mw_lattice_kinds(o->lattice)));
out:
    return rc;
}

/* ---- making ---- */

static int make_program(const struct mw_labelling *labelling, struct runs *r)
{
    struct mw_text defines = { 0 };
    struct mw_source source = { .file = "label/runs.cl", .fp64 = labelling->options.type == MW_TYPE_F64,
                                .native = labelling->wide ? mw_label_native_runs_64 : mw_label_native_runs_32 };
    int rc;
    mw_text_add(&defines, "%s", mw_strict_atomics(labelling->device));
    mw_label_cell_defines(labelling, &defines);
    if (labelling->wide)
        mw_text_add(&defines, "#define LABEL_64 1\n");
    TRY(mw_text_ok(&defines));
    source.defines = defines.data;
    TRY(mw_program_new(labelling->device, &source, &r->program));
    for (unsigned i = 0; i < KERNELS; i++)
        TRY(mw_kernel_new(r->program, names[i], &r->kernel[i]));
out:
    mw_text_free(&defines);
    return rc;
}

static int make_buffers(const struct mw_labelling *labelling, const struct words *plan, struct runs *r)
{
    const size_t label_bytes = labelling->wide ? sizeof(int64_t) : sizeof(int32_t);
    const size_t rows = (size_t)plan->word[PLAN_ROWS], words = (size_t)plan->word[PLAN_WORDS];
    const struct { size_t count, bytes; } needs[BUFFERS] = {
        [TABLE] = { (size_t)labelling->lattice.cells, label_bytes },
        [STARTS] = { rows * words, sizeof(uint64_t) },
        [KINDS] = { rows * words, sizeof(uint64_t) },
        [FIRST] = { rows, label_bytes },
        [RESULTS] = { r->strips * STRIP_WORDS, sizeof(int64_t) },
        [PLAN] = { plan->count, sizeof(int64_t) },
        [COMPONENTS] = { 1, sizeof(int64_t) },
    };
    int rc;
    for (unsigned i = 0; i < BUFFERS; i++) {
        size_t bytes;
        if (!mw_mul(needs[i].count, needs[i].bytes, &bytes))
            return mw_fail(MW_ELIMIT, "the mesh is larger than this machine can address");
        TRY(mw_buffer_new(labelling->device, bytes, &r->buffer[i]));
    }
    TRY(mw_buffer_write(r->buffer[PLAN], 0, plan->count * sizeof *plan->word, plan->word, NULL));
out:
    return rc;
}

static int runs_make(struct mw_labelling *labelling)
{
    struct words plan = { 0 };
    struct runs *r = NULL;
    int rc;
    TRY(mw_new(1, sizeof *r, &r));
    labelling->state = r;
    r->native = mw_device_info(labelling->device)->kind == MW_DEVICE_NATIVE;
    r->cells = mw_label_cells(labelling->options.type, labelling->options.join);
    mw_label_value(labelling, r->value);
    TRY(make_plan(labelling, &plan));
    r->strips = (size_t)plan.word[PLAN_STRIPS];
    TRY(make_program(labelling, r));
    TRY(make_buffers(labelling, &plan, r));
out:
    free(plan.word);
    return rc;
}

static void runs_drop(struct mw_labelling *labelling)
{
    struct runs *r = labelling->state;
    if (!r)
        return;
    for (unsigned i = 0; i < KERNELS; i++)
        mw_kernel_free(r->kernel[i]);
    mw_program_free(r->program);
    for (unsigned i = 0; i < BUFFERS; i++)
        mw_buffer_free(r->buffer[i]);
    free(r);
    labelling->state = NULL;
}

/* ---- running ---- */

/* A strip is a group of its own, so that no core has to wait for another's last group. */
static int launch(const struct runs *r, unsigned kernel, size_t items, const struct mw_arg *args, size_t count)
{
    const struct mw_range range = { .dims = 1, .global = { items }, .group = { 1 } };
    return mw_launch(r->kernel[kernel], &range, args, count, NULL);
}

static int runs_run(struct mw_labelling *labelling, struct mw_buffer *from, struct mw_buffer *labels,
                    size_t *components, size_t *iterations)
{
    struct runs *r = labelling->state;
    struct mw_buffer *const *b = r->buffer;
    const struct mw_arg args[] = {
        mw_arg_buffer(from), mw_arg_buffer(labels), mw_arg_buffer(b[TABLE]), mw_arg_buffer(b[STARTS]),
        mw_arg_buffer(b[KINDS]), mw_arg_buffer(b[FIRST]), mw_arg_buffer(b[RESULTS]), mw_arg_buffer(b[PLAN]),
        mw_arg_struct(r->value, labelling->element_bytes), mw_arg_struct(&r->cells, sizeof r->cells),
    };
    const struct mw_arg numbers[] = { mw_arg_buffer(b[TABLE]), mw_arg_buffer(b[RESULTS]), mw_arg_buffer(b[PLAN]),
                                      mw_arg_buffer(b[COMPONENTS]) };
    const size_t count = MW_COUNT(args) - !r->native;
    int64_t found;
    int rc;
    TRY(launch(r, STRIPS, r->strips, args, count));
    if (r->strips > 1)
        TRY(launch(r, SEAMS, r->strips, args, count));
    TRY(launch(r, NUMBERS, 1, numbers, MW_COUNT(numbers)));
    TRY(launch(r, FILL, r->strips, args, count));
    TRY(mw_buffer_read(b[COMPONENTS], 0, sizeof found, &found, NULL));
    *components = (size_t)found;
    *iterations = 1;
out:
    return rc;
}

const struct mw_label_variant mw_label_runs = { runs_refuses, runs_make, runs_drop, runs_run };
