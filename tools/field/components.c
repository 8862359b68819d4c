/* Fields: labelling the first field while it runs, where it lies. */
#include "tools/field/field.h"

const char *const join_names[] = { [JOIN_SIGN] = "sign", [JOIN_VALUE] = "value" };

static size_t cell_bytes(const struct run *r) { return r->fp64 ? sizeof(double) : sizeof(float); }

static size_t label_bytes(const struct run *r)
{
    return r->cells > INT32_MAX ? sizeof(int64_t) : sizeof(int32_t);
}

uint64_t components_bytes(const struct run *r)
{
    /* labels, a table of the labelling's, keys of the components */
    return r->own_every ? (uint64_t)r->cells * (2 * label_bytes(r) + sizeof(uint32_t)) : 0;
}

int components_check(const struct run *r)
{
    const uint64_t every = r->set->every, label_every = r->own_every;

    if (!label_every && option_is_given(r->command, "label"))
        return mw_fail(MW_EINVAL, "--label says how to label, and not when: give --label-every N");
    if (every && label_every && every % label_every && label_every % every)
        return mw_fail(MW_EINVAL, "--label-every %llu does not go with --every %llu: make one a multiple of the other",
                       (unsigned long long)label_every, (unsigned long long)every);
    if (label_every && r->cells > UINT32_MAX)
        return mw_fail(MW_ELIMIT, "--label-every: meshes of 2^32 cells and more are not labelled, and this one has "
                       "%zu: leave it out", r->cells);
    return 0;
}

int components_start(struct run *r)
{
    struct field_run *own = r->own;
    const struct mw_field_options *o = &own->options;
    struct mw_label_options label = { .dims = o->dims, .type = o->fp64 ? MW_TYPE_F64 : MW_TYPE_F32,
                                      .join = own->set->join == JOIN_SIGN ? MW_JOIN_THRESHOLD : MW_JOIN_TOLERANCE };
    struct field_components *c = &own->components;
    int rc = 0;

    if (!r->own_every)
        return 0;
    for (unsigned d = 0; d < o->dims; d++) {
        label.length[d] = o->length[d];
        label.periodic[d] = o->boundary[d] == MW_BOUNDARY_PERIODIC;
    }
    TRY(mw_labelling_new(r->device, &label, &c->labelling));
    TRY(mw_prim_new(r->device, &c->prim));
    TRY(mw_buffer_new(r->device, r->cells * label_bytes(r), &c->labels));
    if (!mw_field_buffer(own->field))
        TRY(mw_buffer_new(r->device, r->cells * cell_bytes(r), &c->values));
out:
    return rc;
}

void components_free(struct field_components *c)
{
    mw_labelling_free(c->labelling);
    mw_buffer_free(c->labels);
    mw_buffer_free(c->values);
    mw_prim_free(c->prim);
}

/* A field on several devices comes to the first of them by way of the host. */
static int first_field(struct run *r, uint64_t step, struct mw_buffer **values)
{
    struct field_run *own = r->own;
    struct mw_buffer *buffer = mw_field_buffer(own->field);
    int rc = 0;

    if (!buffer) {
        buffer = own->components.values;
        TRY(write_look(r, step));
        TRY(mw_buffer_write(buffer, 0, r->cells * cell_bytes(r), r->state.data, NULL));
    }
    *values = buffer;
out:
    return rc;
}

int components_label(struct run *r, uint64_t step)
{
    struct field_run *own = r->own;
    struct field_components *c = &own->components;
    struct mw_components *components = NULL;
    struct mw_buffer *values;
    size_t count;
    int rc;

    TRY(first_field(r, step, &values));
    TRY(mw_labelling_run(c->labelling, values, c->labels, &count, NULL));
    TRY(mw_components_new(c->prim, c->labels, r->cells, mw_labelling_type(c->labelling), count, &components));
    TRY(mw_components_summarise(components, &c->summary));
    c->step = step;
    c->known = true;
out:
    mw_components_free(components);
    return rc;
}
