/* Cahn-Hilliard in two dimensions, single precision, RK2: every device of this machine beside a loop written by hand
 * with OpenMP (bench/hand-written.c), in one run.
 *
 *   bench/cahn-hilliard [SIDE [ROUNDS [DEVICE...]]]          (2048, 9, all devices)
 *
 * The contestants take turns, one stretch of about a quarter of a second each a round, so that a machine whose speed
 * drifts drifts under all of them; medians over the rounds are printed, with the smallest and largest.  "hand" is the
 * median over the rounds of the ratio to the faster of the two hand-written loops of the same round.  "copy" is the
 * fraction of the device's copy bandwidth that the floor of two passes, 20 bytes a cell and step, would take. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <meshwork.h>

#include "base/base.h"
#include "hand-written.h"

#define STRETCH 0.25
#define ROUNDS_MAX 99
#define CONTESTANTS_MAX 18
#define FLOOR_BYTES 20

struct contestant {
    char name[64];
    void (*by_hand)(struct hand_lattice *lattice, float dt);
    struct mw_device *device;
    struct mw_field *field;
    char shape[MW_SHAPE_TEXT];
    uint64_t steps;              /* of a stretch */
    double rate[ROUNDS_MAX], to_hand[ROUNDS_MAX], copy_bytes_per_second;
};

static struct hand_lattice lattice;

static void die(const char *what)
{
    fprintf(stderr, "cahn-hilliard: %s: %s\n", what, mw_errmsg());
    exit(1);
}

static double stretch(struct contestant *c, uint64_t steps)
{
    const double start = mw_now();
    if (c->by_hand) {
        for (uint64_t i = 0; i < steps; i++)
            c->by_hand(&lattice, 0.01f);
    } else if (mw_field_advance(c->field, steps) != 0 || mw_field_sync(c->field) != 0) {
        die(c->name);
    }
    return mw_now() - start;
}

/* Best of five copies of one field: read and written bytes a second. */
static double copy_bandwidth(struct contestant *c, size_t bytes)
{
    struct mw_buffer *from = NULL, *to = NULL;
    double best = 1e300;
    if (c->device && (mw_buffer_new(c->device, bytes, &from) != 0 || mw_buffer_new(c->device, bytes, &to) != 0))
        die(c->name);
    if (c->device && (mw_buffer_fill(from, 0, bytes, 0) != 0 || mw_buffer_fill(to, 0, bytes, 0) != 0))
        die(c->name);
    for (int i = 0; i < 6; i++) {
        const double start = mw_now();
        if (!c->device)
            hand_copy(lattice.half, lattice.mu, (long)(bytes / sizeof(float)));
        else if (mw_buffer_copy(from, 0, to, 0, bytes, NULL) != 0)
            die(c->name);
        if (i > 0)
            best = fmin(best, mw_now() - start);
    }
    mw_buffer_free(from);
    mw_buffer_free(to);
    return 2 * (double)bytes / best;
}

static void prepare(struct contestant *c, const struct mw_model *model, size_t side)
{
    if (c->device) {
        const struct mw_field_options o = { .dims = 2, .length = { side, side }, .integrator = MW_RK2, .seed = 1,
                                            .tune_budget = 10 };
        struct mw_shape shape;
        const char *how;
        if (mw_field_new(c->device, model, &o, &c->field) != 0)
            die(c->name);
        mw_field_shape(c->field, &shape, &how);
        mw_shape_format(&shape, c->shape);
    }
    stretch(c, 1);
    const double one = stretch(c, 2) / 2;
    c->steps = one < STRETCH ? (uint64_t)(STRETCH / one) : 1;
    c->copy_bytes_per_second = copy_bandwidth(c, side * side * sizeof(float));
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print(struct contestant *c, int rounds)
{
    qsort(c->rate, (size_t)rounds, sizeof *c->rate, by_value);
    qsort(c->to_hand, (size_t)rounds, sizeof *c->to_hand, by_value);
    const double median = c->rate[rounds / 2];
    printf("%-24s %8.0f %8.0f %8.0f %8.2f %8.2f  %s\n", c->name, median / 1e6, c->rate[0] / 1e6,
           c->rate[rounds - 1] / 1e6, c->to_hand[rounds / 2], median * FLOOR_BYTES / c->copy_bytes_per_second,
           c->shape);
}

static void add_devices(struct contestant *contestants, size_t *count, char **selectors, int selector_count)
{
    struct mw_device_list *list;
    if (mw_device_list_new(&list) != 0)
        die("devices");
    const size_t n = selector_count ? (size_t)selector_count : mw_device_list_count(list);
    for (size_t i = 0; i < n && *count < CONTESTANTS_MAX; i++) {
        struct contestant *c = &contestants[(*count)++];
        const char *selector = selector_count ? selectors[i] : mw_device_list_info(list, i)->id;
        if (mw_device_open_by_name(selector, NULL, &c->device) != 0)
            die(selector);
        const struct mw_device_info *info = mw_device_info(c->device);
        const char *platform = info->kind == MW_KIND_NATIVE ? "" : info->platform;
        snprintf(c->name, sizeof c->name, "%.16s %.7s", info->id, platform);
    }
    mw_device_list_free(list);
}

int main(int argc, char **argv)
{
    static struct contestant contestants[CONTESTANTS_MAX] = {
        { .name = "hand, two passes", .by_hand = hand_two_passes },
        { .name = "hand, four passes", .by_hand = hand_four_passes },
    };
    const size_t side = argc > 1 ? strtoul(argv[1], NULL, 10) : 2048, cells = side * side;
    const int rounds = argc > 2 ? atoi(argv[2]) : 9;
    struct mw_model *model;
    size_t count = 2;

    if (side < 4 || side > 1 << 20 || rounds < 1 || rounds > ROUNDS_MAX)
        return fprintf(stderr, "usage: cahn-hilliard [SIDE [ROUNDS [DEVICE...]]]\n"), 2;
    if (mw_model_load("cahn-hilliard", NULL, &model) != 0)
        die("model");
    lattice = (struct hand_lattice){ .nx = (int)side, .ny = (int)side };
    float **const arrays[] = { &lattice.c, &lattice.half, &lattice.mu };
    for (size_t i = 0; i < MW_COUNT(arrays); i++)
        if (mw_new_aligned(cells, sizeof(float), arrays[i]) != 0)
            die("memory");
    for (size_t k = 0; k < cells; k++)
        lattice.c[k] = 0.1f * (float)((k * 2654435761u >> 8 & 0xffff) / 32768.0 - 1);
    add_devices(contestants, &count, argv + 3, argc > 3 ? argc - 3 : 0);
    for (size_t i = 0; i < count; i++)
        prepare(&contestants[i], model, side);
    for (int r = 0; r < rounds; r++) {
        for (size_t i = 0; i < count; i++)
            contestants[i].rate[r] = (double)cells * (double)contestants[i].steps /
                                     stretch(&contestants[i], contestants[i].steps);
        const double hand = fmax(contestants[0].rate[r], contestants[1].rate[r]);
        for (size_t i = 0; i < count; i++)
            contestants[i].to_hand[r] = contestants[i].rate[r] / hand;
    }
    printf("Cahn-Hilliard, %zu x %zu, single precision, RK2; by hand: %d threads; %d rounds\n\n", side, side,
           hand_threads(), rounds);
    printf("%-24s %8s %8s %8s %8s %8s\n", "million cell-steps/s", "median", "min", "max", "hand", "copy");
    for (size_t i = 0; i < count; i++) {
        print(&contestants[i], rounds);
        mw_field_free(contestants[i].field);
        mw_device_close(contestants[i].device);
    }
    free(lattice.c);
    free(lattice.half);
    free(lattice.mu);
    mw_model_free(model);
    return 0;
}
