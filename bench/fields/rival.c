#include "bench/fields/rival.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <meshwork/field.h>

#define CHECK_STEPS 10
/* Unequal lengths, so that confused dimensions are detected. */
static const size_t check_length[] = { 37, 22, 13 };

/* ---- available libraries ---- */

static bool is_listed(const char *list, const char *word)
{
    const size_t n = strlen(word);
    for (const char *at = list; at && *at; at += strcspn(at, ","), at += *at == ',')
        if (strncmp(at, word, n) == 0 && (at[n] == ',' || !at[n]))
            return true;
    return !list;
}

size_t rival_libraries(struct python *python, const struct mw_device *device, const char *list,
                       struct rival_library libraries[RIVALS_MAX])
{
    const bool gpu = mw_device_info(device)->kind == MW_DEVICE_GPU;
    const char *const kind = gpu ? "gpu" : "cpu";
    const struct rival_library all[] = { gpu ? (struct rival_library){ python, "CuPy", "cupy", kind }
                                             : (struct rival_library){ python, "NumPy", "numpy", kind },
                                         { python, "JAX", "jax", kind },
                                         { python, "torch", "torch", kind } };
    size_t count = 0;
    for (size_t i = 0; i < MW_COUNT(all); i++) {
        char line[64];
        if (!is_listed(list, all[i].word))
            continue;
        snprintf(line, sizeof line, "has %s %s", all[i].word, kind);
        if (isnan(python_seconds(python, line, NULL, 0)))
            fprintf(stderr, "%s: python3 has no %s for this device: no column of it\n", program_invocation_short_name,
                    all[i].name);
        else
            libraries[count++] = all[i];
    }
    return count;
}

/* Formats a field for the script. */
static void describe(const struct field_case *f, const struct mw_model *model, char *words, size_t size)
{
    struct mw_text t = { 0 };
    mw_text_add(&t, "%s ", f->model);
    for (unsigned d = 0; d < f->dims; d++)
        mw_text_add(&t, "%s%zu", d ? "x" : "", f->length[d]);
    mw_text_add(&t, " %s %s %.17g", f->fp64 ? "float64" : "float32", mw_integrator_name(f->integrator),
                mw_model_info(model)->dt);
    mw_copy_string(words, size, t.data ? t.data : "");
    mw_text_free(&t);
}

/* ---- verification ---- */

/* Two consecutive states: the start and the result. */
static unsigned char *states(const struct field_case *check, const struct mw_model *model, size_t *bytes)
{
    struct mw_field_options o = { .size = sizeof o,
                                  .dims = check->dims,
                                  .integrator = check->integrator,
                                  .fp64 = check->fp64,
                                  .seed = 1,
                                  .no_tune = true };
    struct mw_device *device = bench_open("native:serial", NULL);
    struct mw_array start = { 0 }, end = { 0 };
    struct mw_field *field;
    memcpy(o.length, check->length, check->dims * sizeof *check->length);
    if (mw_field_new(&device, 1, model, &o, &field) != 0 || mw_field_get(field, &start) != 0 ||
        mw_field_advance(field, CHECK_STEPS) != 0 || mw_field_get(field, &end) != 0)
        bench_die("check");
    const size_t each = field_cells(check) * mw_model_info(model)->field_count * (check->fp64 ? 8 : 4);
    unsigned char *both = malloc(2 * each);
    if (!both)
        bench_wrong("out of memory for two states of %zu bytes", each);
    memcpy(both, start.data, each);
    memcpy(both + each, end.data, each);
    mw_array_free(&start);
    mw_array_free(&end);
    mw_field_free(field);
    mw_device_close(device);
    *bytes = 2 * each;
    return both;
}

/* Each step rounds the sum c + dt rate and its terms by some units in the last place of the largest value; libraries
 * fuse and reorder.  A wrong neighbour or time step changes thousands of times as much. */
static int compare(void *of)
{
    const struct rival *r = of;
    const double tolerance = 8.0 * CHECK_STEPS * (r->field->fp64 ? DBL_EPSILON : FLT_EPSILON);
    struct field_case check = *r->field;
    char words[256], line[512];
    size_t bytes;
    memcpy(check.length, check_length, check.dims * sizeof *check_length);
    describe(&check, r->model, words, sizeof words);
    snprintf(line, sizeof line, "check %s %s %s %d", r->library->word, r->library->kind, words, CHECK_STEPS);
    unsigned char *both = states(&check, r->model, &bytes);
    const double apart = python_seconds(r->library->python, line, both, bytes);
    free(both);
    if (isnan(apart))
        return MW_ENOTSUP;
    return apart <= tolerance
               ? 0
               : mw_fail(MW_EVERIFY,
                         "%s differs from our result by %g of the largest value after %d steps, more than %g", words,
                         apart, CHECK_STEPS, tolerance);
}

/* ---- turns ---- */

struct bench_contender rival_contender(struct rival *r, const struct rival_library *library,
                                       const struct field_case *field, const struct mw_model *model, double stretch)
{
    char words[256];
    *r = (struct rival){
        .library = library, .field = field, .model = model, .turn = { .python = library->python, .name = library->name }
    };
    describe(field, model, words, sizeof words);
    snprintf(r->turn.line, sizeof r->turn.line, "run %s %s %s %g", library->word, library->kind, words, stretch);
    struct bench_contender c = bench_rival(&r->turn);
    c.prepare = compare;
    c.of = r;
    return c;
}
/* SPDX-License-Identifier: MIT */
