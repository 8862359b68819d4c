/* Fields on several devices: the bits equal those of one device, for any devices and parts, also when parts move.
 *
 * Uses the backend of $MESHWORK_TEST_DEVICE: several native devices; otherwise all its devices, also together with
 * native ones. */
#include <math.h>

#include "base/base.h"
#include "field/evolve/evolve.h"

#include "tests/device/device.h"
#include "tests/device/field/models.h"

#define DEVICES_MAX 3

/* ---- teams of devices ---- */

enum { SERIAL, SERIAL_2, SERIAL_3, PTHREADS, DRIVER, DRIVER_2, DRIVER_3, DRIVER_4, DEVICE_COUNT };
static struct mw_device *devices[DEVICE_COUNT];

#define NONE DEVICE_COUNT
/* clang-format off */
static const int native_teams[][DEVICES_MAX] = { { SERIAL, SERIAL_2, NONE }, { SERIAL, SERIAL_2, SERIAL_3 },
                                                 { PTHREADS, SERIAL, NONE }, { SERIAL, NONE, NONE } };
/* clang-format on */
static const int driver_teams[][DEVICES_MAX] = { { DRIVER, DRIVER_2, NONE },     { DRIVER, SERIAL, NONE },
                                                 { DRIVER, DRIVER_2, DRIVER_3 }, { PTHREADS, DRIVER, NONE },
                                                 { DRIVER, DRIVER_4, NONE },     { DRIVER, NONE, NONE } };

/* clang-format off */
struct team { struct mw_device *devices[DEVICES_MAX]; size_t count; bool fp64, slow_compiler, native; };
/* clang-format on */

static size_t team_count(void) { return native ? MW_COUNT(native_teams) : MW_COUNT(driver_teams) - !devices[DRIVER_2]; }

/* False if a member is missing, but never for number 0, which has the most cases. */
static bool find_team(size_t number, struct team *team)
{
    const int *members = native ? native_teams[number] : driver_teams[number + !devices[DRIVER_2]];
    *team = (struct team){ .fp64 = true };
    for (size_t i = 0; i < DEVICES_MAX && members[i] != NONE; i++) {
        if (!devices[members[i]])
            return false;
        team->devices[team->count++] = devices[members[i]];
        const struct mw_device_info *info = mw_device_info(devices[members[i]]);
        team->fp64 = team->fp64 && info->fp64;
        team->native = team->native || info->kind == MW_DEVICE_NATIVE;
        team->slow_compiler = team->slow_compiler || (info->kind != MW_DEVICE_NATIVE && info->vector_width < 4);
    }
    return true;
}

static const char *team_name(const struct team *team)
{
    static char name[128];
    size_t n = 0;
    for (size_t i = 0; i < team->count; i++)
        n += (size_t)snprintf(name + n, sizeof name - n, "%s%s", i ? "," : "", mw_device_info(team->devices[i])->id);
    return name;
}

/* ---- cases ---- */

#define P MW_BOUNDARY_PERIODIC
#define M MW_BOUNDARY_MIRROR
#define F MW_BOUNDARY_FIXED

/* clang-format off */
static const struct test_case {
    const char *model, *variant;
    struct mw_field_options options;
} cases[] = {
    { "cahn-hilliard", "auto", { .dims = 2, .length = { 37, 61 }, .integrator = MW_INTEGRATOR_RK2 } },
    { "cahn-hilliard", "staged", { .dims = 2, .length = { 20, 61 }, .integrator = MW_INTEGRATOR_RK2 } },
    { "cahn-hilliard", "rolling", { .dims = 2, .length = { 37, 61 }, .integrator = MW_INTEGRATOR_RK2 } },
    { "cahn-hilliard", "auto", { .dims = 2, .length = { 37, 53 }, .integrator = MW_INTEGRATOR_EULER } },
    { AVERAGED, "fused", { .dims = 2, .length = { 37, 253 }, .integrator = MW_INTEGRATOR_EULER } },
    { "cahn-hilliard", "auto", { .dims = 2, .length = { 37, 61 }, .integrator = MW_INTEGRATOR_RK4 } },
    { AVERAGED, "auto", { .dims = 2, .length = { 37, 61 }, .boundary = { M, F }, .integrator = MW_INTEGRATOR_RK4 } },
    { HEAT, "fused", { .dims = 2, .length = { 37, 61 }, .boundary = { M, F }, .integrator = MW_INTEGRATOR_RK2 } },
    { "cahn-hilliard", "rolling", { .dims = 2, .length = { 37, 61 }, .boundary = { F, M },
                                    .integrator = MW_INTEGRATOR_RK4, .laplacian = MW_LAPLACIAN_FOURTH } },
    { "cahn-hilliard", "staged", { .dims = 2, .length = { 37, 61 }, .boundary = { P, M },
                                   .integrator = MW_INTEGRATOR_EULER } },
    { "cahn-hilliard", "auto", { .dims = 3, .length = { 19, 7, 40 }, .integrator = MW_INTEGRATOR_RK2 } },
    { "cahn-hilliard", "rolling", { .dims = 3, .length = { 9, 7, 30 }, .boundary = { P, M, F },
                                    .integrator = MW_INTEGRATOR_RK2, .laplacian = MW_LAPLACIAN_ISOTROPIC } },
    { HEAT, "fused", { .dims = 3, .length = { 9, 7, 30 }, .boundary = { P, M, F }, .integrator = MW_INTEGRATOR_RK4 } },
    { HEAT, "fused", { .dims = 4, .length = { 5, 4, 3, 24 }, .integrator = MW_INTEGRATOR_RK2 } },
    { "cahn-hilliard", "auto", { .dims = 2, .length = { 37, 61 }, .integrator = MW_INTEGRATOR_RK2, .fp64 = true } },
    { CHAIN, "rolling", { .dims = 2, .length = { 21, 80 }, .integrator = MW_INTEGRATOR_RK2 } },
    { CHAIN, "rolling", { .dims = 2, .length = { 21, 80 }, .boundary = { P, F }, .integrator = MW_INTEGRATOR_EULER } },
    { SHAKEN, "rolling", { .dims = 3, .length = { 9, 6, 41 }, .boundary = { P, P, M },
                           .integrator = MW_INTEGRATOR_RK4 } },
    { SHAKEN, "auto", { .dims = 2, .length = { 21, 61 }, .integrator = MW_INTEGRATOR_EULER } },
    { FLUXES, "auto", { .dims = 2, .length = { 21, 61 }, .boundary = { M, F }, .integrator = MW_INTEGRATOR_RK2 } },
    { "cahn-hilliard", "auto", { .dims = 2, .length = { 21, 150 }, .integrator = MW_INTEGRATOR_RK2 } },
    { HEAT, "fused", { .dims = 2, .length = { 21, 170 }, .boundary = { P, F }, .integrator = MW_INTEGRATOR_RK4 } },
    { "cahn-hilliard", "registers", { .dims = 2, .length = { 40, 190 }, .integrator = MW_INTEGRATOR_RK2,
                                      .shape = "steps=2" } },
    { "cahn-hilliard-cook", "registers", { .dims = 2, .length = { 38, 190 }, .integrator = MW_INTEGRATOR_EULER,
                                           .shape = "per_item=1,rows=40,group=32x1,steps=2" } },
    { "cahn-hilliard", "registers", { .dims = 2, .length = { 40, 190 }, .integrator = MW_INTEGRATOR_RK2,
                                      .shape = "per_item=4,group=6x5,steps=2" } },
    { "cahn-hilliard", "auto", { .dims = 1, .length = { 9973 }, .integrator = MW_INTEGRATOR_RK2 } },
    { "cahn-hilliard", "staged", { .dims = 1, .length = { 143 }, .boundary = { M }, .integrator = MW_INTEGRATOR_RK4 } },
    { AVERAGED, "auto", { .dims = 1, .length = { 9973 }, .integrator = MW_INTEGRATOR_BS3 } },
    { HEAT, "fused", { .dims = 1, .length = { 61 }, .boundary = { F }, .integrator = MW_INTEGRATOR_EULER,
                       .laplacian = MW_LAPLACIAN_FOURTH } },
    { CHAIN, "staged", { .dims = 1, .length = { 301 }, .boundary = { F }, .integrator = MW_INTEGRATOR_RK2 } },
    { "cahn-hilliard-cook", "registers", { .dims = 1, .length = { 901 }, .integrator = MW_INTEGRATOR_EULER,
                                           .shape = "vec=4,per_item=1,group=32x1,steps=2" } },
    { SHAKEN, "auto", { .dims = 1, .length = { 149 }, .integrator = MW_INTEGRATOR_RK4 } },
    { MASKED, "auto", { .dims = 2, .length = { 21, 61 }, .boundary = { M, F }, .integrator = MW_INTEGRATOR_RK2 } },
};
/* clang-format on */

/* rusticl takes minutes for loops of stages. */
static bool usable(const struct test_case *c, const struct team *team)
{
    return (team->fp64 || !c->options.fp64) && !(team->native && strcmp(c->variant, "registers") == 0) &&
           !(team->slow_compiler && (strcmp(c->model, CHAIN) == 0 || strcmp(c->variant, "rolling") == 0));
}

static struct mw_field_options options_of(const struct test_case *c, const double *shares)
{
    struct mw_field_options o = c->options;
    o.size = sizeof o, o.seed = 7;
    o.variant = c->variant;
    o.no_tune = true;
    o.shares = shares;
    return o;
}

/* Native devices may lack a compiler, and then have few programs; drivers may allow fewer items per group than a shape
 * needs. */
static bool is_missing(int rc)
{
    const char *word = rc == MW_ENOTSUP ? "native" : "work-group";
    return (rc == MW_ENOTSUP || rc == MW_ELIMIT) && strstr(mw_errmsg(), word);
}

static void must(int rc, const struct test_case *c, const struct team *team)
{
    if (rc != 0)
        fail_msg("%s, %s, %u dimensions, on %s: %s", c->model, c->variant, c->options.dims, team_name(team),
                 mw_errmsg());
}

static void must_be_the_same(struct mw_field *one, struct mw_field *several, const struct test_case *c,
                             const struct team *team)
{
    struct mw_array a = { 0 }, b = { 0 };
    must(mw_field_get(one, &a), c, team);
    must(mw_field_get(several, &b), c, team);
    assert_int_equal(mw_field_step(one), mw_field_step(several));
    assert_int_equal(a.count, b.count);
    must_be_numbers(&a);
    for (size_t k = 0, width = mw_type_bytes(a.type); k < a.count; k++)
        if (memcmp((char *)a.data + k * width, (char *)b.data + k * width, width) != 0)
            fail_msg("%s, %s, %u dimensions, integrator %d, on %s: cell %zu (x=%zu, row %zu) differs at step %llu",
                     c->model, c->variant, c->options.dims, (int)c->options.integrator, team_name(team), k,
                     k % c->options.length[0], k / c->options.length[0], (unsigned long long)mw_field_step(one));
    mw_array_free(&a);
    mw_array_free(&b);
}

static void same_energy(struct mw_field *one, struct mw_field *several, const struct test_case *c,
                        const struct team *team)
{
    double a, b;
    const int rc = mw_field_energy(one, &a);
    if (is_missing(rc))
        return;
    must(rc, c, team);
    must(mw_field_energy(several, &b), c, team);
    if (memcmp(&a, &b, sizeof a) != 0)
        fail_msg("%s on %s: energy %.17g instead of %.17g", c->model, team_name(team), b, a);
}

/* On one device, on several, and from the same state on the host. */
static void same_statistics(struct mw_field *one, struct mw_field *several, const struct mw_model *model,
                            const struct test_case *c, const struct team *team)
{
    const size_t fields = mw_model_info(model)->field_count;
    struct mw_statistics a[8], b[8], host;
    struct mw_array state = { 0 };
    assert_true(fields <= MW_COUNT(a));
    must(mw_field_get(one, &state), c, team);
    must(mw_field_statistics(one, a), c, team);
    must(mw_field_statistics(several, b), c, team);
    for (size_t i = 0; i < fields; i++) {
        const size_t cells = state.count / fields;
        assert_int_equal(mw_values_statistics((char *)state.data + i * cells * mw_type_bytes(state.type),
                                              c->options.fp64, cells, &host),
                         0);
        if (memcmp(&a[i], &host, sizeof host) != 0 || memcmp(&b[i], &host, sizeof host) != 0)
            fail_msg("%s on %s: means %.17g and %.17g instead of %.17g, variances %.17g and %.17g instead of %.17g",
                     c->model, team_name(team), a[i].mean, b[i].mean, host.mean, a[i].variance, b[i].variance,
                     host.variance);
    }
    mw_array_free(&state);
}

/* A field on the team's first device and one on all of them; false if a native program is missing. */
static bool make_pair(const struct test_case *c, const struct mw_model *model, const struct team *team,
                      const double *shares, struct mw_field **one, struct mw_field **several)
{
    const struct mw_field_options o = options_of(c, shares);
    int rc = mw_field_new(team->devices, 1, model, &o, one);
    if (rc == 0) {
        rc = mw_field_new(team->devices, team->count, model, &o, several);
        if (rc != 0)
            mw_field_free(*one);
    }
    if (is_missing(rc))
        return false;
    must(rc, c, team);
    return true;
}

static bool run_case(const struct test_case *c, const struct mw_model *model, const struct team *team)
{
    static const uint64_t stretches[] = { 0, 3, 1, 2, 7 };
    struct mw_field_part parts[DEVICES_MAX];
    struct mw_field *one, *several;
    double shares[DEVICES_MAX], sum = 0;
    for (size_t i = 0; i < team->count; i++)
        shares[i] = 0.1 + rand() % 1000 / 1000.0;
    if (!make_pair(c, model, team, shares, &one, &several))
        return false;
    assert_int_equal(mw_field_parts(several, DEVICES_MAX, parts), team->count);
    for (size_t i = 0; i < team->count; i++) {
        assert_ptr_equal(parts[i].device, team->devices[i]);
        sum += parts[i].share;
    }
    assert_true(fabs(sum - 1) < 1e-9);
    for (size_t i = 0; i < MW_COUNT(stretches); i++) {
        must(mw_field_advance(one, stretches[i]), c, team);
        must(mw_field_advance(several, stretches[i]), c, team);
        must(mw_field_sync(several), c, team);
        must_be_the_same(one, several, c, team);
    }
    same_statistics(one, several, model, c, team);
    if (mw_model_info(model)->has_energy)
        same_energy(one, several, c, team);
    mw_field_free(one);
    mw_field_free(several);
    return true;
}

/* ---- tests: bits ---- */

/* The first team runs all cases, or a fourth of them if drivers compile; the others run a part each. */
static void several_devices_give_the_bits_of_one(void **unused)
{
    struct team team;
    enum { others = 6 };
    const size_t part = native ? 1 : one_in(4), turn = random_below(part), start = random_below(others);
    size_t teams = 0;
    for (size_t t = 0; t < team_count(); t++) {
        size_t ran = 0, missing = 0;
        if (!find_team(t, &team))
            continue;
        for (size_t i = 0; i < MW_COUNT(cases); i++) {
            struct mw_model *model;
            const size_t mine = i / part;
            if (!usable(&cases[i], &team) || i % part != turn || (teams > 0 && mine % others != (t + start) % others))
                continue;
            model = load(cases[i].model);
            const bool done = run_case(&cases[i], model, &team);
            ran += done;
            missing += !done;
            mw_model_free(model);
        }
        print_message("%s: %zu cases, %zu without a native program\n", team_name(&team), ran, missing);
        assert_true(ran > 0 || part > 1);
        teams += ran > 0;
    }
    if (teams == 0)
        skip();
}

/* A new state and step reach all parts, including the copies of their neighbours' borders. */
static void a_state_is_put_in_whole(void **unused)
{
    struct mw_model *model = load(cases[0].model);
    struct mw_array state = { 0 };
    struct mw_field *one, *several;
    struct team team;
    size_t teams = 0;
    for (size_t t = 0; t < team_count(); t++) {
        if (!find_team(t, &team) || !make_pair(&cases[0], model, &team, NULL, &one, &several))
            continue;
        teams++;
        assert_int_equal(mw_array_new(MW_TYPE_F32, 2, cases[0].options.length, &state), 0);
        for (size_t k = 0; k < state.count; k++)
            ((float *)state.data)[k] = (float)(rand() % 2001 - 1000) / 1000;
        must(mw_field_set(one, &state), &cases[0], &team);
        must(mw_field_set(several, &state), &cases[0], &team);
        mw_field_set_step(one, 12345);
        mw_field_set_step(several, 12345);
        must_be_the_same(one, several, &cases[0], &team);
        must(mw_field_advance(one, 3), &cases[0], &team);
        must(mw_field_advance(several, 3), &cases[0], &team);
        must_be_the_same(one, several, &cases[0], &team);
        mw_array_free(&state);
        mw_field_free(one);
        mw_field_free(several);
    }
    mw_model_free(model);
    if (teams == 0)
        skip();
}

static void parts_that_move_keep_the_bits(void **unused)
{
    static const size_t which[] = { 0, 2, 7, 9 };
    struct team team;
    size_t ran = 0;
    for (size_t t = 0; t < team_count(); t++)
        for (size_t i = 0; i < MW_COUNT(which); i++) {
            const struct test_case *c = &cases[which[i]];
            if (left_out(6) && t + i > 0)
                continue;
            const int slabs = (int)c->options.length[c->options.dims - 1];
            struct mw_model *model = load(c->model);
            struct mw_field *one, *several;
            if (find_team(t, &team) && team.count > 1 && usable(c, &team) &&
                make_pair(c, model, &team, NULL, &one, &several)) {
                ran++;
                for (int moves = 0; moves < 4; moves++) {
                    double weights[DEVICES_MAX];
                    int shares[DEVICES_MAX];
                    for (size_t k = 0; k < team.count; k++)
                        weights[k] = 1 + rand() % 100;
                    must(mw_balance_shares(team.count, slabs, several->halo, weights, NULL, shares), c, &team);
                    must(mw_balance_move(several, shares), c, &team);
                    must(mw_field_advance(one, 5), c, &team);
                    must(mw_field_advance(several, 5), c, &team);
                    must_be_the_same(one, several, c, &team);
                }
                mw_field_free(one);
                mw_field_free(several);
            }
            mw_model_free(model);
        }
    if (ran == 0)
        skip();
}

/* Long enough for parts to move, if the devices differ in speed. */
static void balance_keeps_the_bits(void **unused)
{
    static const struct test_case c = { "cahn-hilliard",
                                        "auto",
                                        { .dims = 2, .length = { 96, 200 }, .integrator = MW_INTEGRATOR_RK2 } };
    struct mw_model *model = load(c.model);
    struct mw_field *one, *several;
    struct team team;
    size_t teams = 0;
    for (size_t t = 0; t < team_count(); t++) {
        struct mw_field_part parts[DEVICES_MAX];
        if ((t > 0 && left_out(5)) || !find_team(t, &team) || !make_pair(&c, model, &team, NULL, &one, &several))
            continue;
        teams++;
        /* Waits, so that no driver queues more steps than it computes in that time. */
        for (const double start = mw_now(); mw_now() - start < 0.5;) {
            must(mw_field_advance(several, 50), &c, &team);
            must(mw_field_sync(several), &c, &team);
        }
        must(mw_field_advance(one, mw_field_step(several)), &c, &team);
        must_be_the_same(one, several, &c, &team);
        mw_field_parts(several, DEVICES_MAX, parts);
        for (size_t i = 0; i < team.count; i++)
            print_message("%s %.0f %% ", mw_device_info(parts[i].device)->id, 100 * parts[i].share);
        print_message("\n");
        mw_field_free(one);
        mw_field_free(several);
    }
    mw_model_free(model);
    if (teams == 0)
        skip();
}

/* ---- tests: errors ---- */

static void bad_teams_are_refused(void **unused)
{
    struct mw_device *const twice[] = { devices[SERIAL], devices[SERIAL_2], devices[SERIAL] };
    static const double bad[][2] = { { 1, 0 }, { -1, 2 }, { NAN, 1 }, { INFINITY, 1 } };
    struct mw_model *model = load("cahn-hilliard");
    struct mw_field_options o = options_of(&cases[0], NULL);
    struct mw_field *field = (struct mw_field *)&field;
    assert_int_equal(mw_field_new(twice, 0, model, &o, &field), MW_EINVAL);
    assert_int_equal(mw_field_new(twice, 3, model, &o, &field), MW_EINVAL);
    assert_non_null(strstr(mw_errmsg(), "twice"));
    for (size_t i = 0; i < MW_COUNT(bad); i++) {
        o.shares = bad[i];
        assert_int_equal(mw_field_new(twice, 2, model, &o, &field), MW_EINVAL);
        assert_non_null(strstr(mw_errmsg(), "share"));
    }
    assert_ptr_equal(field, &field);
    mw_model_free(model);
}

static void count_notices(void *context, enum mw_log_level level, const char *message)
{
    *(int *)context += level == MW_LOG_NOTICE && strstr(message, "devices") != NULL;
}

static void devices_without_slabs_are_left_out(void **unused)
{
    struct mw_device *const all[] = { devices[SERIAL], devices[SERIAL_2], devices[SERIAL_3] };
    static const struct {
        size_t slabs, used;
    } table[] = { { 3, 1 }, { 7, 1 }, { 8, 2 }, { 11, 2 }, { 12, 3 } };
    struct mw_model *model = load("cahn-hilliard");
    for (size_t i = 0; i < MW_COUNT(table); i++) {
        struct mw_field_options o = options_of(&cases[0], NULL);
        struct mw_field_part parts[DEVICES_MAX];
        struct mw_field *one, *several;
        int notices = 0;
        o.length[1] = table[i].slabs;
        mw_log_to(count_notices, &notices);
        assert_int_equal(mw_field_new(all, 3, model, &o, &several), 0);
        mw_log_to(NULL, NULL);
        assert_int_equal(notices, table[i].used < 3);
        assert_int_equal(mw_field_parts(several, DEVICES_MAX, parts), table[i].used);
        assert_int_equal(mw_field_new(all, 1, model, &o, &one), 0);
        assert_int_equal(mw_field_advance(one, 9), 0);
        assert_int_equal(mw_field_advance(several, 9), 0);
        const struct team team = { .devices = { all[0], all[1], all[2] }, .count = table[i].used };
        must_be_the_same(one, several, &cases[0], &team);
        mw_field_free(one);
        mw_field_free(several);
    }
    mw_model_free(model);
}

/* ---- devices ---- */

static void open_one(int as, const char *selector)
{
    if (mw_device_open_by_name(selector, NULL, &devices[as]) != 0) {
        fprintf(stderr, "%s\n", mw_errmsg());
        exit(1);
    }
}

static bool is_of(const char *backend, const char *id) { return strncmp(id, backend, strlen(backend)) == 0; }

/* DRIVER is the named device, DRIVER_2 and DRIVER_3 are others of its platform, DRIVER_4 is on another platform. */
static void open_all(const char *backend, const char *name)
{
    struct mw_device_list *list;
    int next = DRIVER_2;
    open_one(DRIVER, name);
    const char *const platform = mw_device_info(devices[DRIVER])->platform;
    assert_int_equal(mw_device_list_new(&list), 0);
    for (size_t i = 0; i < mw_device_list_count(list); i++) {
        const struct mw_device_info *of = mw_device_list_info(list, i);
        const char *id = is_of(backend, of->id) ? of->id : of->also;
        if (!is_of(backend, id) || strcmp(id, name) == 0)
            continue;
        const int as = strcmp(of->platform, platform) != 0 ? DRIVER_4 : next < DRIVER_4 ? next++ : DRIVER;
        if (!devices[as])
            open_one(as, id);
    }
    mw_device_list_free(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_devices_give_the_bits_of_one),
        cmocka_unit_test(a_state_is_put_in_whole),
        cmocka_unit_test(parts_that_move_keep_the_bits),
        cmocka_unit_test(balance_keeps_the_bits),
        cmocka_unit_test(bad_teams_are_refused),
        cmocka_unit_test(devices_without_slabs_are_left_out),
    };
    const char *name = getenv("MESHWORK_TEST_DEVICE");
    const char *backend = name && is_of("opencl", name) ? "opencl" : name && is_of("cuda", name) ? "cuda" : NULL;
    native = !backend;
    /* PoCL offers as many devices as requested. */
    if (backend && getenv("POCL_DEVICES"))
        setenv("POCL_DEVICES", "pthread basic pthread", 1);
    open_one(SERIAL, "native:serial");
    open_one(SERIAL_2, "native:serial");
    open_one(SERIAL_3, "native:serial");
    open_one(PTHREADS, "native:pthreads");
    if (backend)
        open_all(backend, name);
    seed_random();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (size_t i = 0; i < DEVICE_COUNT; i++)
        mw_device_close(devices[i]);
    return failed;
}
/* SPDX-License-Identifier: MIT */
