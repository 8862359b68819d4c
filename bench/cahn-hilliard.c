/* Cahn-Hilliard in two or three dimensions, single precision, RK2: every device of this machine beside loops written by
 * hand with OpenMP (bench/hand-written.c), in one run.
 *
 *   bench/cahn-hilliard [-m MODEL_FILE] [SIDE | NXxNY[xNZ] [ROUNDS [DEVICE...]]]          (2048, 9, all devices)
 *
 * The contestants take turns, one stretch of about a quarter of a second each a round, so that a machine whose speed
 * drifts drifts under all of them; medians over the rounds are printed, with the smallest and largest, and ratios are
 * medians of those within a round.  "hand" is the ratio to the faster of the two hand-written loops.  "copy" is the
 * fraction of the device's copy bandwidth that the floor of two passes, 20 bytes a cell and step for each field, would
 * take.  With -m (--model) each device runs a user's model as well, and "built-in" is its rate as a fraction of the
 * built-in model's on that device. */
#include <ctype.h>
#include <float.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "hand-written.h"

#define STRETCH 0.25
#define COPY_STRETCH 0.05
#define COPY_BYTES_MAX ((size_t)256 << 20)       /* past all caches */
#define FLOOR_BYTES 20
#define DT 0.01f
#define LENGTH_LEAST 4
#define LENGTH_MOST ((size_t)1 << 20)
#define CHECK_STEPS 10

struct mesh { unsigned dims; size_t length[3], cells; };

/* Where contestants run: by hand, or a device. */
struct place {
    char name[40];
    struct mw_device *device;    /* NULL: by hand */
    struct mw_buffer *from, *to;
    size_t bytes;
    int passes;                  /* of a stretch */
    double copy[BENCH_ROUNDS_MAX];  /* bytes a second, read and written */
};

struct contestant {
    char name[40];
    struct place *place;
    void (*by_hand)(struct hand_lattice *lattice, float dt);
    struct mw_field *field;
    const struct contestant *built_in;  /* that a user's model is beside */
    double floor_bytes;
    char shape[MW_SHAPE_TEXT];
    uint64_t steps;              /* of a stretch */
    double rate[BENCH_ROUNDS_MAX];
};

static const struct { const char *name; void (*step)(struct hand_lattice *lattice, float dt); } hands[] = {
    { "hand, two passes", hand_two_passes },
    { "hand, four passes", hand_four_passes },
};
#define HANDS MW_COUNT(hands)

static struct hand_lattice lattice;

static struct hand_lattice lattice_of(const struct mesh *mesh)
{
    struct hand_lattice l = { .nx = (int)mesh->length[0], .ny = (int)mesh->length[1], .nz = (int)mesh->length[2] };
    if (!hand_new(&l)) {
        mw_fail(MW_ENOMEM, "there is no memory for three arrays of %zu cells: take a smaller size", mesh->cells);
        bench_die("by hand");
    }
    return l;
}

/* ---- the opponent is right ---- */

/* Each step adds rounding errors of the order of |c| FLT_EPSILON: of the sum c + dt lap(mu) itself, and of lap(mu),
 * which is up to 12 * 13 |c| and comes in with dt.  The compiler may fuse by hand and never does in the library, so
 * they differ, and as long waves grow slowly and short ones shrink, they do not differ by more than that for each
 * step.  A wrong neighbour changes c by some dt |c| a step, ten thousand times as much. */
static void compare(const char *name, const float *hand, const float *ours, size_t n)
{
    double most = 0, apart = 0;
    for (size_t k = 0; k < n; k++) {
        most = fmax(most, fabs((double)ours[k]));
        apart = fmax(apart, fabs((double)hand[k] - (double)ours[k]));
    }
    const double tolerance = 4.0 * CHECK_STEPS * FLT_EPSILON;
    if (apart <= tolerance * most)
        return;
    mw_fail(MW_EVERIFY, "it differs from the library's result by %g of the largest value after %d steps, more than %g",
            apart / most, CHECK_STEPS, tolerance);
    bench_die(name);
}

/* Unequal lengths, so that no dimension passes for another. */
static void check_hands(const struct mw_model *model, unsigned dims)
{
    const struct mesh mesh = { dims, { 37, 22, dims == 3 ? 13 : 0 }, 37 * 22 * (dims == 3 ? 13 : 1) };
    const struct mw_field_options o = { .dims = dims, .length = { mesh.length[0], mesh.length[1], mesh.length[2] },
                                        .dt = DT, .integrator = MW_INTEGRATE_RK2, .seed = 1, .no_tune = true };
    struct hand_lattice by_hand = lattice_of(&mesh);
    struct mw_device *device;
    struct mw_field *field;
    struct mw_array start = { 0 }, end = { 0 };
    if (mw_device_open_by_name("native:serial", NULL, &device) != 0 || mw_field_new(device, model, &o, &field) != 0 ||
        mw_field_get(field, &start) != 0 || mw_field_advance(field, CHECK_STEPS) != 0 ||
        mw_field_get(field, &end) != 0)
        bench_die("check");
    for (size_t i = 0; i < HANDS; i++) {
        for (size_t k = 0; k < mesh.cells; k++)
            by_hand.c[k] = ((const float *)start.data)[k];
        for (int s = 0; s < CHECK_STEPS; s++)
            hands[i].step(&by_hand, DT);
        compare(hands[i].name, by_hand.c, end.data, mesh.cells);
    }
    mw_array_free(&start);
    mw_array_free(&end);
    mw_field_free(field);
    mw_device_close(device);
    hand_free(&by_hand);
}

/* ---- turns ---- */

static double stretch(struct contestant *c, uint64_t steps)
{
    const double start = mw_now();
    if (c->by_hand) {
        for (uint64_t i = 0; i < steps; i++)
            c->by_hand(&lattice, DT);
    } else if (mw_field_advance(c->field, steps) != 0 || mw_field_sync(c->field) != 0) {
        bench_die(c->name);
    }
    return mw_now() - start;
}

static double copy_stretch(struct place *p, int passes)
{
    if (p->device)
        return bench_copy_seconds(p->device, p->from, p->to, p->bytes, passes);
    const double start = mw_now();
    for (int i = 0; i < passes; i++)
        hand_copy(lattice.half, lattice.mu, (long)(p->bytes / sizeof(float)));
    return mw_now() - start;
}

static void prepare_place(struct place *p, const char *selector, const struct mesh *mesh)
{
    p->bytes = mesh->cells < COPY_BYTES_MAX / sizeof(float) ? mesh->cells * sizeof(float) : COPY_BYTES_MAX;
    if (selector) {
        if (mw_device_open_by_name(selector, NULL, &p->device) != 0 ||
            mw_buffer_new(p->device, p->bytes, &p->from) != 0 || mw_buffer_new(p->device, p->bytes, &p->to) != 0 ||
            mw_buffer_fill(p->from, 0, p->bytes, 0) != 0 || mw_buffer_fill(p->to, 0, p->bytes, 0) != 0)
            bench_die(selector);
        const struct mw_device_info *info = mw_device_info(p->device);
        snprintf(p->name, sizeof p->name, "%.16s %.7s", info->id,
                 info->kind == MW_DEVICE_NATIVE ? "" : info->platform);
    }
    copy_stretch(p, 1);
    const double one = copy_stretch(p, 2) / 2;
    p->passes = one < COPY_STRETCH ? (int)(COPY_STRETCH / one) : 1;
}

static void prepare(struct contestant *c, const struct mw_model *model, const struct mesh *mesh)
{
    c->floor_bytes = FLOOR_BYTES;
    if (!c->by_hand) {
        const struct mw_field_options o = { .dims = mesh->dims, .integrator = MW_INTEGRATE_RK2, .seed = 1,
                                            .length = { mesh->length[0], mesh->length[1], mesh->length[2] },
                                            .tune_budget = 10 };
        struct mw_shape shape;
        const char *how;
        if (mw_field_new(c->place->device, model, &o, &c->field) != 0)
            bench_die(c->name);
        mw_field_shape(c->field, &shape, &how);
        mw_shape_format(&shape, c->shape);
        c->floor_bytes *= (double)mw_model_info(model)->field_count;
    }
    stretch(c, 1);
    const double one = stretch(c, 2) / 2;
    c->steps = one < STRETCH ? (uint64_t)(STRETCH / one) : 1;
}

static void run_rounds(struct contestant *contestants, size_t count, size_t cells, int rounds)
{
    for (int r = 0; r < rounds; r++)
        for (size_t i = 0; i < count; i++) {
            struct contestant *c = &contestants[i];
            if (i == 0 || c->place != contestants[i - 1].place)
                c->place->copy[r] = 2.0 * (double)c->place->bytes * c->place->passes /
                                    copy_stretch(c->place, c->place->passes);
            c->rate[r] = (double)cells * (double)c->steps / stretch(c, c->steps);
        }
}

static void print(const struct contestant *contestants, size_t count, int rounds, bool beside)
{
    double hand[BENCH_ROUNDS_MAX];
    for (int r = 0; r < rounds; r++)
        hand[r] = fmax(contestants[0].rate[r], contestants[1].rate[r]);
    printf("%-24s %8s %8s %8s %8s %8s%s\n", "million cell-steps/s", "median", "min", "max", "hand", "copy",
           beside ? " built-in" : "");
    for (size_t i = 0; i < count; i++) {
        const struct contestant *c = &contestants[i];
        const struct bench_spread rate = bench_spread(c->rate, rounds);
        printf("%-24s %8.0f %8.0f %8.0f %8.2f %8.2f", c->name, rate.median / 1e6, rate.least / 1e6, rate.most / 1e6,
               bench_median_ratio(c->rate, hand, rounds),
               c->floor_bytes * bench_median_ratio(c->rate, c->place->copy, rounds));
        if (c->built_in)
            printf(" %8.2f", bench_median_ratio(c->rate, c->built_in->rate, rounds));
        else if (beside && c->field)
            printf(" %8s", "");
        printf("%s%s\n", c->field ? "  " : "", c->shape);
    }
}

/* ---- what is asked for ---- */

static bool read_mesh(const char *text, struct mesh *mesh)
{
    *mesh = (struct mesh){ .cells = 1 };
    for (bool more = true; more; text++) {
        char *end;
        if (mesh->dims == 3 || !isdigit((unsigned char)*text))
            return false;
        mesh->length[mesh->dims++] = strtoul(text, &end, 10);
        text = end;
        more = *text == 'x';
        if (!more && *text != '\0')
            return false;
    }
    if (mesh->dims == 1)
        mesh->length[mesh->dims++] = mesh->length[0];
    for (unsigned d = 0; d < mesh->dims; d++)
        if (mesh->length[d] < LENGTH_LEAST || mesh->length[d] > LENGTH_MOST ||
            !mw_mul(mesh->cells, mesh->length[d], &mesh->cells))
            return false;
    return mesh->cells <= (size_t)LONG_MAX / sizeof(float);
}

static size_t contestants_new(const struct mesh *mesh, char **selectors, size_t selector_count,
                              const struct mw_model *built_in, const struct mw_model *users,
                              struct contestant **contestants, struct place **places)
{
    struct mw_device_list *list;
    mw_process_prepare(MW_PROCESS_ENVIRONMENT);
    if (mw_device_list_new(&list) != 0)
        bench_die("devices");
    const size_t devices = selector_count ? selector_count : mw_device_list_count(list);
    if (mw_new(1 + devices, sizeof **places, places) != 0 ||
        mw_new(HANDS + 2 * devices, sizeof **contestants, contestants) != 0)
        bench_die("memory");
    struct contestant *c = *contestants;
    struct place *p = *places;
    prepare_place(p, NULL, mesh);
    for (size_t i = 0; i < HANDS; i++, c++) {
        *c = (struct contestant){ .place = p, .by_hand = hands[i].step };
        snprintf(c->name, sizeof c->name, "%s", hands[i].name);
        prepare(c, NULL, mesh);
    }
    for (size_t i = 0; i < devices; i++) {
        prepare_place(++p, selector_count ? selectors[i] : mw_device_list_info(list, i)->id, mesh);
        *c = (struct contestant){ .place = p };
        snprintf(c->name, sizeof c->name, "%s", p->name);
        prepare(c++, built_in, mesh);
        if (!users)
            continue;
        *c = (struct contestant){ .place = p, .built_in = c - 1 };
        snprintf(c->name, sizeof c->name, "  %.22s", mw_model_info(users)->name);
        prepare(c++, users, mesh);
    }
    mw_device_list_free(list);
    return (size_t)(c - *contestants);
}

static int usage(void)
{
    fprintf(stderr, "usage: cahn-hilliard [-m MODEL_FILE] [SIDE | NXxNY[xNZ] [ROUNDS [DEVICE...]]]\n"
                    "       lengths from %d to %zu, at most %d rounds\n", LENGTH_LEAST, LENGTH_MOST, BENCH_ROUNDS_MAX);
    return 2;
}

int main(int argc, char **argv)
{
    static const struct option options[] = { { "model", required_argument, NULL, 'm' }, { NULL, 0, NULL, 0 } };
    const char *users_file = NULL;
    for (int option; (option = getopt_long(argc, argv, "m:", options, NULL)) != -1;) {
        if (option != 'm')
            return usage();
        users_file = optarg;
    }
    argc -= optind;
    argv += optind;
    struct mesh mesh;
    const int rounds = argc > 1 ? atoi(argv[1]) : 9;
    if (!read_mesh(argc > 0 ? argv[0] : "2048", &mesh) || rounds < 1 || rounds > BENCH_ROUNDS_MAX)
        return usage();

    struct mw_model *built_in, *users = NULL;
    if (mw_model_load("cahn-hilliard", NULL, &built_in) != 0)
        bench_die("model");
    if (users_file && mw_model_load(users_file, NULL, &users) != 0)
        bench_die(users_file);
    check_hands(built_in, mesh.dims);
    lattice = lattice_of(&mesh);
    for (size_t k = 0; k < mesh.cells; k++)
        lattice.c[k] = 0.1f * (float)((k * 2654435761u >> 8 & 0xffff) / 32768.0 - 1);

    struct contestant *contestants;
    struct place *places;
    const size_t count = contestants_new(&mesh, argv + 2, argc > 2 ? (size_t)argc - 2 : 0, built_in, users,
                                         &contestants, &places);
    run_rounds(contestants, count, mesh.cells, rounds);
    printf("Cahn-Hilliard, %zu x %zu", mesh.length[0], mesh.length[1]);
    if (mesh.dims == 3)
        printf(" x %zu", mesh.length[2]);
    printf(", single precision, RK2; by hand: %d threads; %d rounds\n\n", hand_threads(), rounds);
    print(contestants, count, rounds, users != NULL);
    for (size_t i = 0; i < count; i++)
        mw_field_free(contestants[i].field);
    for (struct place *p = places; p <= contestants[count - 1].place; p++) {
        mw_buffer_free(p->from);
        mw_buffer_free(p->to);
        mw_device_close(p->device);
    }
    free(contestants);
    free(places);
    hand_free(&lattice);
    mw_model_free(users);
    mw_model_free(built_in);
    return 0;
}
