/* One device's part of a walk: two buffers for the state, which swap roles at each step, and the exchange with other
 * parts. */
#include "walk/walk_internal.h"
#include "kernels/walk/list.h"

/* ---- construction ---- */

static size_t cell_of(const struct mw_walk_device *p, size_t site) { return p->cell ? (size_t)p->cell[site] : site; }

static size_t number_of(const struct mw_walk_device *p, size_t site)
{
    return p->number ? (size_t)p->number[site] : site;
}

/* Returns how many of the part's own sites are among the first n of all. */
static size_t own_below(const struct mw_walk_device *p, size_t n)
{
    size_t first = 0, end = p->own;
    if (!p->number)
        return n < p->own ? n : p->own;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if ((size_t)p->number[middle] < n)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static int make_exchange(struct mw_walk_device *p)
{
    TRY_RETURN(mw_own_buffer(&p->owner, p->device, p->give_count * p->whole->real_bytes, &p->ahead));
    TRY_RETURN(mw_own_buffer(&p->owner, p->device, p->give_count * sizeof *p->give, &p->give_on_device));
    if (p->give_count > 0)
        TRY_RETURN(mw_buffer_write(p->give_on_device, 0, p->give_count * sizeof *p->give, p->give, NULL));
    return 0;
}

int mw_walk_device_new(const struct mw_walk *whole, struct mw_device *device, struct mw_walk_device *p)
{
    void *first = NULL;
    int rc;
    p->whole = whole;
    p->device = device;
    p->together = 1;
    TRY(whole->variant->form->make(p, &first));
    for (size_t i = 0; i < MW_COUNT(p->state); i++) {
        const size_t bytes = p->cells * whole->real_bytes;
        TRY(mw_own_buffer(&p->owner, device, bytes, &p->state[i]));
        if (first)
            TRY(mw_buffer_write(p->state[i], 0, bytes, first, NULL));
        else
            TRY(mw_buffer_fill(p->state[i], 0, bytes, 0));
    }
    if (p->number)
        TRY(make_exchange(p));
out:
    free(first);
    return rc;
}

void mw_walk_device_clear(struct mw_walk_device *p)
{
    mw_owner_drop(&p->owner);
    mw_port_clear(&p->port);
    free(p->give);
    free(p->neighbour);
    if (p->number)
        free(p->neighbours);
    free(p->number);
    free(p->cell);
}

int mw_walk_device_build(struct mw_walk_device *p, const struct mw_kernel_list *kernels, mw_walk_native native,
                         const char *name, int value, size_t group)
{
    const unsigned dims = p->whole->sites.dims;
    const bool fp64 = !p->whole->options.single;
    struct mw_kernel_options options = { .fp64 = fp64,
                                         .native = native[dims - 2][fp64],
                                         .takes = group ? MW_GROUP_POWER : MW_GROUP_ANY };
    struct mw_text defines = { 0 };
    int rc;
    mw_text_add(&defines, "#define WALK_DIMS %u\n%s", dims, fp64 ? "#define REAL_DOUBLE 1\n" : "");
    if (name)
        mw_text_add(&defines, "#define %s %d\n", name, value);
    TRY(mw_text_ok(&defines));
    options.defines = defines.data;
    options.group = mw_device_info(p->device)->traits->has_cores ? 0 : group;
    TRY(mw_own_kernels(&p->owner, p->device, kernels, &options, &p->set));
out:
    mw_text_free(&defines);
    return rc;
}

int mw_walk_device_send(struct mw_walk_device *p, unsigned table, const void *from, size_t bytes)
{
    TRY_RETURN(mw_own_buffer(&p->owner, p->device, bytes, &p->tables[table]));
    if (bytes > 0)
        TRY_RETURN(mw_buffer_write(p->tables[table], 0, bytes, from, NULL));
    return 0;
}

/* ---- states ---- */

static void copy_real(const struct mw_walk_device *p, void *to, size_t to_at, const void *from, size_t from_at)
{
    if (!p->whole->options.single)
        ((double *)to)[to_at] = ((const double *)from)[from_at];
    else
        ((float *)to)[to_at] = ((const float *)from)[from_at];
}

int mw_walk_device_read(struct mw_walk_device *p, size_t n, void *values)
{
    const size_t own = own_below(p, n), bytes = (p->cell ? p->cells : own) * p->whole->real_bytes;
    void *cells = NULL;
    int rc;
    if (!p->cell && !p->number)
        return mw_buffer_read(p->state[p->turn], 0, bytes, values, NULL);
    TRY(mw_new(bytes, 1, &cells));
    TRY(mw_buffer_read(p->state[p->turn], 0, bytes, cells, NULL));
    for (size_t i = 0; i < own; i++)
        copy_real(p, values, number_of(p, i), cells, cell_of(p, i));
out:
    free(cells);
    return rc;
}

/* Writes both buffers: a step reads sites next to those it updates, and these may not have been updated in either
 * buffer. */
int mw_walk_device_write(struct mw_walk_device *p, size_t n, const void *values)
{
    const size_t bytes = p->cells * p->whole->real_bytes, own = own_below(p, n);
    void *cells = NULL;
    int rc;
    TRY(mw_new(bytes, 1, &cells));
    TRY(mw_buffer_read(p->state[0], 0, bytes, cells, NULL));
    for (size_t i = 0; i < p->all; i++)
        memset((char *)cells + cell_of(p, i) * p->whole->real_bytes, 0, p->whole->real_bytes);
    for (size_t i = 0; i < own; i++)
        copy_real(p, cells, cell_of(p, i), values, number_of(p, i));
    for (size_t i = p->own; i < p->all; i++)
        if (number_of(p, i) < n)
            copy_real(p, cells, cell_of(p, i), values, number_of(p, i));
    for (size_t i = 0; i < MW_COUNT(p->state); i++)
        TRY(mw_buffer_write(p->state[i], 0, bytes, cells, NULL));
    p->turn = 0;
out:
    free(cells);
    return rc;
}

/* ---- steps ---- */

struct mw_range mw_walk_range(const struct mw_walk_device *p, size_t n, size_t most, int64_t *each)
{
    const struct mw_device_info *info = mw_device_info(p->device);
    const size_t items = 8 * (size_t)info->compute_units;
    *each = 1;
    if (!info->traits->has_cores)
        return mw_items(n);
    *each = (int64_t)((n - 1) / items + 1);
    *each = *each < 256 ? 256 : *each > (int64_t)most ? (int64_t)most : *each;
    return mw_parts(p->set, (n - 1) / (size_t)*each + 1);
}

/* Computes the sites that other parts wait for and queues their transfer before the step itself, which computes them
 * again. */
static int send_ahead(struct mw_walk_device *p, size_t n)
{
    const size_t bytes = p->whole->real_bytes;
    int64_t each;
    if (p->give_count > 0) {
        const struct mw_range range = mw_walk_range(p, p->give_count, MW_WALK_EACH, &each);
        TRY_RETURN(launch_walk_ahead(p->set, range, p->state[p->turn], p->tables[0], (int64_t)p->own, (int32_t)p->all,
                                     p->give_on_device, p->ahead, (int64_t)n, (int64_t)p->give_count, each));
    }
    TRY_RETURN(mw_second_after_first(p->device));
    for (size_t i = 0; i < p->neighbour_count; i++) {
        const struct mw_walk_neighbour *other = &p->neighbour[i];
        TRY_RETURN(mw_port_read(&p->port, p->ahead, other->first * bytes, other->count * bytes, other->send, 0));
    }
    return mw_port_send(&p->port);
}

static int receive(struct mw_walk_device *p)
{
    const size_t bytes = p->whole->real_bytes;
    for (size_t i = 0; i < p->neighbour_count; i++) {
        const struct mw_walk_neighbour *other = &p->neighbour[i];
        TRY_RETURN(
            mw_port_write(&p->port, p->state[p->turn], other->at * bytes, other->taken * bytes, other->receive, 0));
    }
    return mw_port_turn(&p->port);
}

int mw_walk_device_step(struct mw_walk_device *p, uint64_t step, uint64_t most, uint64_t *done)
{
    const struct mw_walk *w = p->whole;
    const unsigned steps = most < p->together ? (unsigned)most : p->together;
    const uint64_t end = step + steps, distance = w->variant->whole ? end : mw_walk_reach(end, !w->options.single);
    const size_t n = own_below(p, mw_walk_sites_within(&w->sites, distance));
    if (p->port.exchange)
        TRY_RETURN(send_ahead(p, n));
    if (n > 0)
        TRY_RETURN(w->variant->form->step(p, n, distance, steps));
    if (p->port.exchange)
        TRY_RETURN(mw_port_post(&p->port));
    p->turn = 1 - p->turn;
    if (p->port.exchange)
        TRY_RETURN(receive(p));
    *done = steps;
    return 0;
}
/* SPDX-License-Identifier: MIT */
