/* The state of spins, to the host and back. */
#include <string.h>

#include "spin/spin_internal.h"

/* Several systems are one dimension more. */
static unsigned lengths_of(const struct mw_spins *s, size_t *length)
{
    unsigned dims = s->options.dims;
    memcpy(length, s->options.length, sizeof s->options.length);
    if (s->systems > 1)
        length[dims++] = s->systems;
    return dims;
}

static int check_state(const struct mw_spins *s, const struct mw_array *state)
{
    size_t length[MW_DIMS_MAX];
    const unsigned dims = lengths_of(s, length);
    if (state->type != MW_TYPE_I8)
        return mw_fail(MW_EINVAL, "the state holds %s, and spins are int8", mw_type_name(state->type));
    if (state->dims != dims || memcmp(state->length, length, dims * sizeof *length) != 0)
        return mw_fail(MW_EINVAL, "the state's lengths are not those of the mesh (%zu of %lld cells)", s->systems,
                       (long long)s->lattice.cells);
    return 0;
}

int mw_spins_get_into(struct mw_spins *s, struct mw_array *state)
{
    int rc;
    TRY(mw_spins_check(s));
    TRY(check_state(s, state));
    for (size_t i = 0; i < s->count; i++)
        TRY(mw_spin_device_read(&s->parts[i], state->data));
out:
    return rc;
}

int mw_spins_get(struct mw_spins *s, struct mw_array *state)
{
    struct mw_array array = { 0 };
    size_t length[MW_DIMS_MAX];
    const unsigned dims = lengths_of(s, length);
    int rc;
    TRY(mw_array_new(MW_TYPE_I8, dims, length, &array));
    TRY(mw_spins_get_into(s, &array));
    *state = array;
    array = (struct mw_array){ 0 };
out:
    mw_array_free(&array);
    return rc;
}

int mw_spins_cells(struct mw_spins *s, struct mw_buffer *cells)
{
    struct mw_spin_device *p = &s->parts[0];
    const size_t bytes = s->systems * (size_t)s->lattice.cells;
    struct mw_array state = { 0 };
    int rc;
    TRY(mw_spins_check(s));
    if (mw_buffer_bytes(cells) < bytes)
        return mw_fail(MW_EINVAL, "the state has %zu cells, and the buffer holds %zu", bytes, mw_buffer_bytes(cells));
    if (s->count > 1) {
        TRY(mw_spins_get(s, &state));
        TRY(mw_buffer_write(cells, 0, bytes, state.data, NULL));
    } else if (p->form->unpack) {
        TRY(p->form->unpack(p, cells));
    } else {
        TRY(mw_buffer_copy(p->cells, 0, cells, 0, bytes, NULL));
    }
out:
    mw_array_free(&state);
    return rc;
}

int mw_spins_set(struct mw_spins *s, const struct mw_array *state)
{
    const signed char *cells = state->data;
    int rc;
    TRY(mw_spins_check(s));
    TRY(check_state(s, state));
    for (size_t i = 0; i < state->count; i++)
        if (cells[i] != 1 && cells[i] != -1)
            return mw_fail(MW_EINVAL, "the state holds %d, first at cell %zu: spins are -1 or 1", cells[i], i);
    for (size_t i = 0; i < s->count; i++)
        TRY(mw_spin_device_write(&s->parts[i], state->data));
    TRY(mw_spins_exchange(s));
out:
    return rc;
}
