/* meshwork run: common parts of simulations on meshes. */
#include <stdio.h>

#include "tools/report/files.h"
#include "tools/run/run.h"
#include "tools/run/simulation.h"

/* ---- the mesh ---- */

/* Returns the word of --boundary for a dimension. */
static const char *boundary_word(const struct run *r, unsigned d)
{
    enum mw_boundary boundary[MW_DIMS_MAX];
    return mesh_boundaries(&r->set->mesh, boundary) == 0 ? mw_boundary_name(boundary[d]) : "";
}

/* The same for reports: a dimension with conditions of the model is not periodic. */
static const char *boundary_name(const struct run *r, unsigned d)
{
    const char *word = boundary_word(r, d);
    return r->model.bounded >> d & 1 && !strcmp(word, mw_boundary_name(MW_BOUNDARY_PERIODIC)) ? "model" : word;
}

void run_take_model(struct run *r, const struct mw_model_info *info, bool in_text)
{
    r->model.name = info->name;
    r->model.words = info->equation;
    r->model.about = info->about;
    r->model.hash = info->hash;
    r->model.bounded = info->bounded;
    setting_add(&r->resume.settings, false, "model", "%s", info->name);
    if (in_text)
        setting_add(&r->resume.settings, false, "text of the model", "%016llx", (unsigned long long)info->hash);
}

void mesh_settings_add(const struct run *r, struct setting_list *list)
{
    const struct size *size = &r->set->mesh.size;
    char boundary[16 * MW_DIMS_MAX] = "";
    size_t n = 0;
    for (unsigned d = 0; d < size->dims; d++)
        n += (size_t)snprintf(boundary + n, sizeof(boundary) - n, "%s%s", d ? "," : "", boundary_word(r, d));
    setting_add(list, false, "size", "%s", size_text(size, "x").text);
    setting_add(list, false, "boundary", "%s", boundary);
}

const char *const axis_names[MW_DIMS_MAX] = { "x", "y", "z", "x3", "x4", "x5", "x6", "x7" };

struct cell_text cell_text(const struct run *r, size_t cell)
{
    const struct size *size = &r->set->mesh.size;
    struct cell_text t = { "" };
    size_t n = 0;
    if (!size->dims) /* for kinds without a mesh */
        snprintf(t.text, sizeof(t.text), "%zu", cell);
    for (unsigned d = 0; d < size->dims && n < sizeof(t.text); cell /= size->length[d++])
        n += (size_t)snprintf(t.text + n, sizeof(t.text) - n, "%s%s=%zu", d ? ", " : "", axis_names[d],
                              cell % size->length[d]);
    return t;
}

/* ---- initial state ---- */

int input_check(const struct run *r)
{
    static const char *const others[] = { "start", "restart" };
    if (option_is_given(r->command, "restart") && option_is_given(r->command, "start"))
        return mw_fail(MW_EINVAL, "--restart and --start exclude each other: give one of them");
    for (size_t i = 0; r->set->input && i < MW_COUNT(others); i++)
        if (option_is_given(r->command, others[i]))
            return mw_fail(MW_EINVAL, "--input and --%s exclude each other: give one of them", others[i]);
    return r->set->input ? file_stays(r->set->input) : 0;
}

int input_lengths(struct run *r, unsigned dims, const size_t *length)
{
    struct size *size = &r->set->mesh.size;
    if (option_is_given(r->command, "size") &&
        (dims != size->dims || memcmp(length, size->length, dims * sizeof(size_t)) != 0))
        return mw_fail(MW_EINVAL, "%s has another size than --size: leave out --size", r->set->input);
    *size = (struct size){ .dims = dims };
    memcpy(size->length, length, dims * sizeof(size_t));
    return 0;
}

/* ---- states ---- */

int run_compare(const struct run *r, const struct mw_array *reference)
{
    size_t width = mw_type_bytes(r->observe.state.type), differing = 0, first = 0;
    const char *a = r->observe.state.data, *b = reference->data;
    if (reference->type != r->observe.state.type || reference->count != r->observe.state.count)
        return mw_fail(MW_EVERIFY, "verification failed: native:serial gives a state of another type or size: "
                                   "please report this with `meshwork devices -v`");
    for (size_t i = r->observe.state.count; i-- > 0;)
        if (memcmp(a + i * width, b + i * width, width) != 0) {
            differing++;
            first = i;
        }
    if (differing)
        return mw_fail(MW_EVERIFY,
                       "verification failed: %zu of %zu values on %s differ from native:serial, the first "
                       "at %s: please report this with `meshwork devices -v`",
                       differing, r->observe.state.count, mw_device_info(r->step.device)->id,
                       cell_text(r, r->set->mesh.size.dims ? first % r->model.cells : first).text);
    return 0;
}

/* ---- report ---- */

void put_size(const struct run *r, struct node *to, const char *words)
{
    const struct size *size = &r->set->mesh.size;
    ROW(to, "size", "%s %s%s", size_text(size, " x ").text, words, size->dims == 1 ? ", in one dimension" : "");
    put_lengths(to, "size", size->dims, size->length);
}

struct node *put_boundaries(const struct run *r, struct node *to)
{
    struct node *list = put_list(to, "boundary");
    for (unsigned d = 0; d < r->set->mesh.size.dims; d++)
        put_text(list, NULL, boundary_name(r, d));
    return list;
}

struct node *put_start(const struct run *r, struct node *to, const char *word)
{
    struct node *start = put_text(to, "start", r->resume.from ? "restart" : r->set->input ? "input" : word);
    if (r->set->input)
        put_file(to, "input", r->set->input);
    return start;
}

struct short_text boundary_text(const struct run *r)
{
    const unsigned dims = r->set->mesh.size.dims;
    struct short_text t = { "" };
    unsigned count = 1;
    size_t n = 0;
    for (unsigned d = 1; d < dims; d++)
        count = strcmp(boundary_name(r, d), boundary_name(r, 0)) ? dims : count;
    for (unsigned d = 0; d < count && n < sizeof(t.text); d++)
        n += (size_t)snprintf(t.text + n, sizeof(t.text) - n, "%s%s", d ? "," : "", boundary_name(r, d));
    return t;
}

/* ---- time ---- */

double run_time(const struct run *r, uint64_t step)
{
    return r->kind->step.time ? r->kind->step.time(r, step) : (double)step * r->model.dt;
}

int run_wait(struct run *r)
{
    const double start = mw_now();
    const int rc = r->step.queues ? r->kind->step.advance(r, 0) : 0;
    r->seconds.waited += mw_now() - start;
    return rc;
}
/* SPDX-License-Identifier: MIT */
