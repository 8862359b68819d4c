/* The device layer on one device, $MESHWORK_TEST_DEVICE.  The order of operations: launches, which may be queued and
 * submitted together; other operations between them; and operations of two devices. */
#include "tests/device/dev/dev.h"

#include <sys/wait.h>

/* Kernel operations on a buffer of W 64-bit numbers, and the same on the host. */
enum { W = 5, STEPS = 400 };
struct sequence {
    struct mw_kernel *scalars, *structs, *number, *large, *many;
    struct mw_buffer *buffer, *copy;
    uint64_t expected[W];
    int step;
};

static void sequence_make(struct sequence *s)
{
    s->scalars = kernel_of("scalars"), s->structs = kernel_of("structs"), s->number = kernel_of("number");
    s->large = kernel_of("large"), s->many = kernel_of("many");
}

static void sequence_drop(struct sequence *s)
{
    mw_kernel_free(s->scalars);
    mw_kernel_free(s->structs);
    mw_kernel_free(s->number);
    mw_kernel_free(s->large);
    mw_kernel_free(s->many);
}

/* More bytes, or more arguments, than are queued for CUDA's driver. */
static void launch_large(struct sequence *s, struct mw_event **done)
{
    struct large large;
    for (size_t i = 0; i < LARGE; i++)
        large.word[i] = random_word();
    OK(mw_launch(s->large, &(struct mw_range){ 1, { 1 }, { 0 } },
                 (struct mw_arg[]){ mw_arg_buffer(s->buffer), mw_arg_struct(&large, sizeof large) }, 2, done));
    s->expected[0] = large.word[0];
    s->expected[1] = large.word[LARGE / 2];
    s->expected[2] = large.word[LARGE - 1];
}

static void launch_many(struct sequence *s, struct mw_event **done)
{
    struct mw_arg args[1 + MANY] = { mw_arg_buffer(s->buffer) };
    for (uint32_t i = 1; i <= MANY; i++)
        args[i] = mw_arg_u32((uint32_t)s->step * MANY + i);
    OK(mw_launch(s->many, &(struct mw_range){ 1, { 1 }, { 0 } }, args, 1 + MANY, done));
    s->expected[3] = (uint32_t)s->step * MANY + 1;
    s->expected[4] = (uint32_t)s->step * MANY + MANY;
}

/* Stores the index in each of the first n 32-bit numbers, with several launches if the device limits the items. */
static void launch_number(struct sequence *s, uint32_t n, bool in_slices, struct mw_event **done)
{
    const struct mw_grid before = device->grid;
    uint32_t half[2 * W];
    const struct mw_arg args[] = { mw_arg_buffer(s->buffer), mw_arg_u32(n), mw_arg_u32(1), mw_arg_u32(1) };
    struct mw_range range = { 3, { 2 * W, 1, 1 }, { 0 } };
    if (in_slices) {
        range.group[0] = 2, range.group[1] = range.group[2] = 1;
        device->grid.items[0] = 4;
    }
    OK(mw_launch(s->number, &range, args, 4, done));
    device->grid = before;
    memcpy(half, s->expected, sizeof half);
    for (uint32_t i = 0; i < n; i++)
        half[i] += i + 1;
    memcpy(s->expected, half, sizeof half);
}

/* Arguments belong to the caller again at once, so later values would show. */
static void launch_one(struct sequence *s, struct mw_event **done)
{
    const struct mw_range range = { 1, { 1 + random_below(40) }, { 0 } };
    const uint32_t word = (uint32_t)random_word();
    static struct mixed mixed;
    static struct mw_arg args[6];
    mixed = (struct mixed){ (int32_t)word, 1.5f, { random_word(), random_word() } };
    args[0] = mw_arg_buffer(s->buffer);
    switch (random_below(6)) {
    case 0:
        args[1] = mw_arg_i32((int32_t)word), args[2] = mw_arg_u32(word), args[3] = mw_arg_i64(-s->step);
        args[4] = mw_arg_u64(mixed.u[0]), args[5] = mw_arg_f32(0.25f);
        OK(mw_launch(s->scalars, &range, args, 6, done));
        memcpy(s->expected,
               (uint64_t[W]){ (uint64_t)(int64_t)(int32_t)word, word, (uint64_t)-s->step, mixed.u[0],
                              float_bits(0.25f) },
               sizeof s->expected);
        break;
    case 1:
        args[1] = mw_arg_struct(&mixed, sizeof mixed);
        OK(mw_launch(s->structs, &range, args, 2, done));
        memcpy(s->expected, (uint64_t[4]){ (uint64_t)(int64_t)mixed.i, float_bits(mixed.f), mixed.u[0], mixed.u[1] },
               4 * sizeof(uint64_t));
        break;
    case 2: launch_large(s, done); break;
    case 3: launch_many(s, done); break;
    default: launch_number(s, 1 + word % (2 * W), compiles && random_below(2), done);
    }
    memset(args, 0xa5, sizeof args);
    memset(&mixed, 0xa5, sizeof mixed);
}

/* Another operation between launches. */
static void interrupt(struct sequence *s)
{
    const uint64_t zeros[W] = { 0 };
    uint64_t out[W];
    struct mw_event *event = NULL;
    switch (random_below(7)) {
    case 0:
        OK(mw_buffer_read(s->buffer, 0, sizeof out, out, NULL));
        assert_memory_equal(out, s->expected, sizeof out);
        break;
    case 1:
        OK(mw_buffer_write(s->buffer, 0, sizeof zeros, zeros, NULL));
        memcpy(s->expected, zeros, sizeof zeros);
        break;
    case 2:
        OK(mw_buffer_fill(s->buffer, 0, sizeof zeros, 7));
        memset(s->expected, 7, sizeof zeros);
        break;
    case 3:
        OK(mw_buffer_copy(s->buffer, 0, s->copy, 0, sizeof out, NULL));
        OK(mw_buffer_read(s->copy, 0, sizeof out, out, NULL));
        assert_memory_equal(out, s->expected, sizeof out);
        break;
    case 4:
        launch_one(s, &event);
        OK(mw_event_wait(event));
        mw_event_free(event);
        break;
    case 5: OK(mw_device_flush(device)); break;
    default:
        sequence_drop(s);
        mw_program_free(program);
        program = NULL;
        sequence_make(s);
    }
}

/* Any number of queued launches, with any kernels and arguments. */
static void launches_keep_their_order(void **state)
{
    struct sequence s = { .expected = { 0 } };
    uint64_t out[W];
    seed_random();
    s.buffer = buffer_with(s.expected, sizeof s.expected);
    s.copy = buffer_with(s.expected, sizeof s.expected);
    sequence_make(&s);
    for (s.step = 0; s.step < STEPS; s.step++) {
        launch_one(&s, NULL);
        if (random_below(20) == 0)
            interrupt(&s);
    }
    OK(mw_buffer_read(s.buffer, 0, sizeof out, out, NULL));
    assert_memory_equal(out, s.expected, sizeof out);
    mw_buffer_free(s.buffer);
    mw_buffer_free(s.copy);
    sequence_drop(&s);
}

/* ---- between two devices ---- */

enum { NUMBERS = 1000 };

/* A device with numbers, to which ones are added. */
struct counter {
    struct mw_device *device;
    struct mw_program *program;
    struct mw_kernel *axpy;
    struct mw_buffer *numbers, *ones;
};

static struct counter counter_on(struct mw_device *on)
{
    const struct mw_source source = source_with("#define LOCAL_INTS 16");
    struct counter c = { .device = on };
    int32_t ones[NUMBERS];
    for (int i = 0; i < NUMBERS; i++)
        ones[i] = 1;
    OK(mw_program_new(on, &source, &c.program));
    OK(mw_kernel_new(c.program, "axpy", &c.axpy));
    OK(mw_buffer_new(on, sizeof ones, &c.numbers));
    OK(mw_buffer_new(on, sizeof ones, &c.ones));
    OK(mw_buffer_write(c.ones, 0, sizeof ones, ones, NULL));
    OK(mw_buffer_fill(c.numbers, 0, sizeof ones, 0));
    return c;
}

static void counter_free(struct counter *c)
{
    mw_buffer_free(c->numbers);
    mw_buffer_free(c->ones);
    mw_kernel_free(c->axpy);
    mw_program_free(c->program);
}

static void count_up(const struct counter *c, int times)
{
    const struct mw_arg args[] = { mw_arg_buffer(c->numbers), mw_arg_buffer(c->ones), mw_arg_i32(1),
                                   mw_arg_u64(NUMBERS) };
    for (int i = 0; i < times; i++)
        OK(mw_launch(c->axpy, &(struct mw_range){ 1, { NUMBERS }, { 0 } }, args, 4, NULL));
}

static void counts(const struct counter *c, int32_t expected)
{
    int32_t back[NUMBERS];
    OK(mw_buffer_read(c->numbers, 0, sizeof back, back, NULL));
    for (int i = 0; i < NUMBERS; i++)
        if (back[i] != expected)
            fail_msg("%s counts %d, not %d", c->device->info.id, (int)back[i], (int)expected);
}

/* A copy runs after the launches queued on either device, and before later ones. */
static void copy_between_counts(struct mw_device *other)
{
    struct counter here = counter_on(device), there = counter_on(other);
    struct mw_event *event = NULL;
    int32_t count = 100;
    count_up(&here, count); /* enough that later launches are queued */
    count_up(&there, count);
    for (int round = 0; round < 12; round++) {
        const int before = (int)random_below(5), lost = (int)random_below(5), behind = (int)random_below(5);
        count_up(&here, before);
        count_up(&there, lost);
        OK(mw_buffer_copy(here.numbers, 0, there.numbers, 0, NUMBERS * sizeof(int32_t), round % 2 ? &event : NULL));
        count_up(&here, 1);
        count_up(&there, behind);
        count += before;
        counts(&there, count + behind);
        counts(&here, ++count);
        mw_event_free(event);
        event = NULL;
    }
    counter_free(&here);
    counter_free(&there);
}

static void copies_come_behind_what_waits_on_both(void **state)
{
    const char *const others[] = { getenv("MESHWORK_TEST_DEVICE"), "native:serial", "cuda:1", "cuda:3" };
    for (size_t i = 0; i < (strcmp(device->info.backend, "cuda") == 0 ? MW_COUNT(others) : 2); i++) {
        struct mw_device *other = NULL;
        const int rc = mw_device_open_by_name(others[i], &device->options, &other);
        if (rc == MW_ENODEV)
            continue;
        OK(rc);
        copy_between_counts(other);
        mw_device_close(other);
    }
}

/* ---- children of fork() ---- */

/* clang-format off */
#define CHILD_SAYS(word, call) \
    do { if ((call) != MW_EDEVICE || !strstr(mw_errmsg(), (word))) _exit(__LINE__ - first_line); } while (0)
/* clang-format on */

/* Returns the number of the first line that fails; 0 if none does. */
static void use_in_child(struct mw_kernel *axpy, struct mw_buffer *buffer, const struct mw_arg *args,
                         const struct mw_device_list *inherited)
{
    const int first_line = __LINE__;
    const struct mw_source source = source_with("#define LOCAL_INTS 32");
    struct mw_program *another = NULL;
    struct mw_device_list *list = NULL;
    struct mw_device *opened = NULL;
    struct mw_buffer *more = NULL;
    size_t place, count = 0;
    int32_t number = 0;
    alarm(60);
    CHILD_SAYS("fork", mw_buffer_new(device, 64, &more));
    CHILD_SAYS("fork", mw_buffer_read(buffer, 0, sizeof number, &number, NULL));
    CHILD_SAYS("fork", mw_buffer_write(buffer, 0, sizeof number, &number, NULL));
    CHILD_SAYS(device->info.id, mw_buffer_fill(buffer, 0, sizeof number, 1));
    CHILD_SAYS("fork", mw_launch(axpy, &(struct mw_range){ 1, { 1 }, { 0 } }, args, 4, NULL));
    CHILD_SAYS("fork", mw_device_finish(device));
    if (compiles)
        CHILD_SAYS("fork", mw_program_new(device, &source, &another));
    if (mw_device_select(inherited, device->info.id, 1, &place, &count) != 0)
        _exit(__LINE__ - first_line);
    if (compiles)
        CHILD_SAYS("listed before", mw_device_open(inherited, place, NULL, &opened));
    mw_kernel_free(axpy);
    mw_buffer_free(buffer);
    mw_program_free(program);
    mw_device_close(device);
    if (mw_device_list_new(&list) != 0 || (compiles && !strstr(mw_device_list_notes(list), "fork")))
        _exit(__LINE__ - first_line);
    /* Native devices can be opened in the child. */
    if (mw_device_open_by_name("native:pthreads", NULL, &device) != 0 || mw_buffer_new(device, 64, &more) != 0)
        _exit(__LINE__ - first_line);
    mw_buffer_free(more);
    mw_device_close(device);
    _exit(0);
}

static void use_serial_in_child(struct mw_buffer *buffer)
{
    int32_t number = 0;
    _exit(mw_buffer_read(buffer, 0, sizeof number, &number, NULL) != 0 || number != 17);
}

static void forked_children_are_refused(void **state)
{
    const int32_t number = 17;
    int32_t back = 0;
    struct mw_kernel *axpy = kernel_of("axpy");
    struct mw_buffer *buffer = buffer_with(&number, sizeof number);
    const struct mw_arg args[] = { mw_arg_buffer(buffer), mw_arg_buffer(buffer), mw_arg_i32(1), mw_arg_u64(1) };
    struct mw_device_list *list = NULL;
    int status = -1;
    OK(mw_device_list_new(&list));
    const pid_t child = fork();
    if (child == 0 && strcmp(device->info.id, "native:serial") == 0)
        use_serial_in_child(buffer);
    else if (child == 0)
        use_in_child(axpy, buffer, args, list);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    OK(mw_buffer_read(buffer, 0, sizeof back, &back, NULL));
    assert_int_equal(back, number);
    mw_device_list_free(list);
    mw_buffer_free(buffer);
    mw_kernel_free(axpy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_keep_their_order),
        cmocka_unit_test(copies_come_behind_what_waits_on_both),
        cmocka_unit_test(forked_children_are_refused),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
/* SPDX-License-Identifier: MIT */
