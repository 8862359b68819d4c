/* Images on one device, $MESHWORK_TEST_DEVICE: copies, what kernels read inside and beyond the ends, what is refused.
 * The kernel is tests/kernel/cl/image.cl. */
#include "dev/backend.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum address { CLAMP, REPEAT, MIRROR, ADDRESSES }; /* as IMAGE_CLAMP ... in cl/image.clh */

static struct mw_device *device;
static char *kernel_text;
static bool images[2];            /* the device has them in single, in double precision */
static unsigned seed;

#define OK(call) do { \
        int ok_rc_ = (call); \
        if (ok_rc_ != 0) \
            fail_msg("%s: %d: %s", #call, ok_rc_, mw_errmsg()); \
    } while (0)
#define FAILS(status, words, call) do { \
        int fails_rc_ = (call); \
        if (fails_rc_ != (status) || !strstr(mw_errmsg(), words)) \
            fail_msg("%s: %d: %s", #call, fails_rc_, mw_errmsg()); \
    } while (0)

static void random_bytes(unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        bytes[i] = (unsigned char)(rand_r(&seed) >> 8);
}

static size_t random_below(size_t n)
{
    return (size_t)rand_r(&seed) % n;
}

static struct mw_buffer *buffer_with(const void *bytes, size_t n)
{
    struct mw_buffer *buffer = NULL;
    OK(mw_buffer_new(device, n, &buffer));
    OK(mw_buffer_write(buffer, 0, n, bytes, NULL));
    return buffer;
}

static struct mw_program *program_for(unsigned dims, enum address address, bool fp64)
{
    char defines[128];
    const struct mw_source_text text = { "image-test", kernel_text, "tests/kernel/cl/image.cl" };
    const struct mw_source source = { .file = "image-test", .defines = defines, .texts = &text, .text_count = 1,
                                      .fp64 = fp64 };
    struct mw_program *program = NULL;
    snprintf(defines, sizeof defines, "#define USE_IMAGE 1\n#define IMAGE_ADDRESS %d\n#define DIMS %u\n%s",
             (int)address, dims, fp64 ? "#define REAL_DOUBLE 1\n" : "");
    OK(mw_program_new(device, &source, &program));
    return program;
}

static void skip_without_images(void)
{
    if (!images[false])
        skip();
}

/* ---- copies ---- */

/* Between two buffers by way of an image; what lies around the image's cells in the second one stays. */
static void copy_through(unsigned dims, const size_t *length, bool fp64, bool wait)
{
    enum { ROOM = 64 };
    struct mw_image *image = NULL;
    struct mw_event *events[2] = { NULL, NULL };
    OK(mw_image_new(device, dims, length, fp64, &image));
    const size_t n = mw_image_bytes(image), whole = n + ROOM;
    const size_t from_offset = 8 * random_below(ROOM / 8 + 1), to_offset = 8 * random_below(ROOM / 8 + 1);
    unsigned char *given = malloc(whole), *expected = malloc(whole), *back = malloc(whole);
    random_bytes(given, whole);
    random_bytes(expected, whole);
    struct mw_buffer *from = buffer_with(given, whole), *to = buffer_with(expected, whole);
    memcpy(expected + to_offset, given + from_offset, n);
    OK(mw_image_copy_from(image, from, from_offset, wait ? NULL : &events[0]));
    OK(mw_image_copy_to(image, to, to_offset, wait ? NULL : &events[1]));
    for (int i = 1; i >= 0 && !wait; i--) {
        double seconds = -1.0;
        OK(mw_event_wait(events[i]));
        OK(mw_event_seconds(events[i], &seconds)); /* the device was opened with profiling */
        assert_true(seconds >= 0.0 && seconds < 60.0);
        mw_event_free(events[i]);
    }
    OK(mw_buffer_read(to, 0, whole, back, NULL));
    assert_memory_equal(back, expected, whole);
    mw_buffer_free(from);
    mw_buffer_free(to);
    mw_image_free(image);
    free(given);
    free(expected);
    free(back);
}

static void images_hold_what_is_copied(void **state)
{
    (void)state;
    skip_without_images();
    for (int round = 0; round < 40; round++) {
        const unsigned dims = 2 + (unsigned)random_below(2);
        const size_t length[3] = { 1 + random_below(40), 1 + random_below(30), 1 + random_below(9) };
        copy_through(dims, length, images[true] && round % 2, round % 4 < 2);
    }
    mw_image_free(NULL);
}

/* ---- reading ---- */

/* The cell that stands at position i of a dimension of n cells. */
static size_t cell_at(enum address address, int i, int n)
{
    const int twice = (i % (2 * n) + 2 * n) % (2 * n);
    switch (address) {
    case CLAMP: return (size_t)(i < 0 ? 0 : i >= n ? n - 1 : i);
    case REPEAT: return (size_t)((i % n + n) % n);
    default: return (size_t)(twice < n ? twice : 2 * n - 1 - twice);
    }
}

static void check_cells(const unsigned char *cells, const unsigned char *got, unsigned dims, const size_t *length,
                        int reach, enum address address, size_t size)
{
    const int n[3] = { (int)length[0], (int)length[1], dims == 3 ? (int)length[2] : 1 };
    const int margin[3] = { reach, reach, dims == 3 ? reach : 0 };
    for (int z = -margin[2]; z < n[2] + margin[2]; z++)
        for (int y = -reach; y < n[1] + reach; y++)
            for (int x = -reach; x < n[0] + reach; x++, got += size) {
                const size_t k = (cell_at(address, z, n[2]) * length[1] + cell_at(address, y, n[1])) * length[0] +
                                 cell_at(address, x, n[0]);
                if (memcmp(got, cells + k * size, size) != 0)
                    fail_msg("cell (%d, %d, %d) of %zu x %zu x %d, address mode %d, differs", x, y, z, length[0],
                             length[1], n[2], (int)address);
            }
}

/* Reads an image of random bits at all its cells and up to `reach` beyond. */
static void read_image(struct mw_kernel *kernel, unsigned dims, const size_t *length, int reach, enum address address,
                       bool fp64)
{
    const size_t size = fp64 ? sizeof(double) : sizeof(float);
    struct mw_image *image = NULL;
    struct mw_buffer *out = NULL;
    struct mw_range range = { .dims = dims };
    size_t sampled = size;
    for (unsigned d = 0; d < dims; d++)
        sampled *= range.global[d] = length[d] + 2 * (size_t)reach;
    OK(mw_image_new(device, dims, length, fp64, &image));
    unsigned char *cells = malloc(mw_image_bytes(image)), *got = malloc(sampled);
    random_bytes(cells, mw_image_bytes(image));
    struct mw_buffer *from = buffer_with(cells, mw_image_bytes(image));
    OK(mw_image_copy_from(image, from, 0, NULL));
    OK(mw_buffer_new(device, sampled, &out));
    const struct mw_arg args[] = { mw_arg_buffer(out), mw_arg_image(image), mw_arg_i32((int32_t)length[0]),
                                   mw_arg_i32((int32_t)length[1]), mw_arg_i32((int32_t)length[2]), mw_arg_i32(reach) };
    OK(mw_launch(kernel, &range, args, MW_COUNT(args), NULL));
    OK(mw_buffer_read(out, 0, sampled, got, NULL));
    check_cells(cells, got, dims, length, reach, address, size);
    mw_buffer_free(from);
    mw_buffer_free(out);
    mw_image_free(image);
    free(cells);
    free(got);
}

/* The longest image in one dimension, the others a cell long, that the device takes; an odd number below 2^17. */
static void longest(unsigned dims, unsigned along, size_t *length)
{
    for (unsigned d = 0; d < 3; d++)
        length[d] = 1;
    length[along] = ((size_t)1 << 17) - 1;
    while (mw_image_check(device, dims, length, false) != 0 && length[along] > 1)
        length[along] /= 2;
    assert_true(length[along] >= 1023);
}

static void read_all(unsigned dims, enum address address, bool fp64)
{
    struct mw_program *program = program_for(dims, address, fp64);
    struct mw_kernel *kernel = NULL;
    OK(mw_kernel_new(program, "sample", &kernel));
    for (int round = 0; round < 12; round++) {
        const size_t length[3] = { 1 + random_below(20), 1 + random_below(20), 1 + random_below(8) };
        read_image(kernel, dims, length, 1 + (int)random_below(9), address, fp64);
    }
    for (unsigned along = 0; along < dims; along++) {
        size_t length[3];
        longest(dims, along, length);
        read_image(kernel, dims, length, 2, address, fp64);
    }
    mw_kernel_free(kernel);
    mw_program_free(program);
}

static void kernels_read_beyond_the_ends(void **state)
{
    (void)state;
    skip_without_images();
    for (int fp64 = 0; fp64 < 2; fp64++)
        for (unsigned dims = 2; dims <= 3 && images[fp64] && (!fp64 || device->info.fp64); dims++)
            for (int address = 0; address < ADDRESSES; address++)
                read_all(dims, (enum address)address, fp64);
}

/* ---- what is refused ---- */

static void devices_say_which_images_they_take(void **state)
{
    const size_t small[4] = { 8, 8, 8, 8 }, empty[3] = { 8, 0, 8 };
    struct mw_image *image = NULL;
    (void)state;
    FAILS(MW_EINVAL, "2 or 3 dimensions", mw_image_check(device, 1, small, false));
    FAILS(MW_EINVAL, "2 or 3 dimensions", mw_image_new(device, 4, small, false, &image));
    FAILS(MW_EINVAL, "dimension 1", mw_image_new(device, 3, empty, false, &image));
    for (int fp64 = 0; fp64 < 2; fp64++) {
        if (images[fp64])
            OK(mw_image_check(device, 2, small, fp64));
        else
            FAILS(MW_ENOTSUP, device->info.id, mw_image_new(device, 2, small, fp64, &image));
    }
    if (images[false]) {
        const bool has = device->info.images;
        device->info.images = false; /* as another device would say */
        int rc = mw_image_check(device, 2, small, false);
        device->info.images = has;
        FAILS(MW_ENOTSUP, "has no images", rc);
        for (unsigned d = 0; d < 3; d++) {
            size_t length[3] = { 1, 1, 1 };
            length[d] = (size_t)1 << 40;
            FAILS(MW_ELIMIT, "images of at most", mw_image_check(device, 3, length, false));
        }
    }
    assert_null(image);
}

static void images_are_in_the_budget(void **state)
{
    const size_t length[2] = { 50, 20 };
    struct mw_image *image = NULL;
    const uint64_t before = device->allocated;
    (void)state;
    skip_without_images();
    device->allocated = device->info.memory_bytes - 3999; /* as if most were taken */
    FAILS(MW_ELIMIT, "left of its", mw_image_new(device, 2, length, false, &image));
    device->allocated--;
    OK(mw_image_new(device, 2, length, false, &image));
    assert_int_equal(mw_image_bytes(image), 4000);
    assert_true(device->allocated == device->info.memory_bytes);
    mw_image_free(image);
    device->allocated = before;
}

static void wrong_copies_are_refused(void **state)
{
    const size_t length[2] = { 4, 4 };
    char bytes[80] = { 0 };
    struct mw_image *image = NULL;
    struct mw_event *event = NULL;
    struct mw_device *other = NULL;
    struct mw_buffer *foreign = NULL;
    (void)state;
    skip_without_images();
    OK(mw_image_new(device, 2, length, false, &image));
    struct mw_buffer *buffer = buffer_with(bytes, sizeof bytes);
    OK(mw_image_copy_from(image, buffer, 16, NULL));
    FAILS(MW_EINVAL, "offset 20", mw_image_copy_from(image, buffer, 20, NULL));
    FAILS(MW_EINVAL, "offset 84", mw_image_copy_to(image, buffer, 84, &event));
    OK(mw_device_open_by_name("native:serial", NULL, &other));
    OK(mw_buffer_new(other, 64, &foreign));
    FAILS(MW_EINVAL, "native:serial", mw_image_copy_from(image, foreign, 0, &event));
    assert_null(event);
    mw_buffer_free(foreign);
    mw_device_close(other);
    mw_buffer_free(buffer);
    mw_image_free(image);
}

static void wrong_arguments_are_refused(void **state)
{
    const size_t length[3] = { 4, 4, 4 };
    const struct mw_range range = { 2, { 4, 4 }, { 0 } };
    float bytes[16] = { 0.0f };
    struct mw_image *flat = NULL, *deep = NULL;
    struct mw_kernel *kernel = NULL;
    (void)state;
    skip_without_images();
    struct mw_program *program = program_for(2, CLAMP, false);
    OK(mw_kernel_new(program, "sample", &kernel));
    OK(mw_image_new(device, 2, length, false, &flat));
    OK(mw_image_new(device, 3, length, false, &deep));
    struct mw_buffer *buffer = buffer_with(bytes, sizeof bytes);
    struct mw_arg args[] = { mw_arg_buffer(buffer), mw_arg_image(flat), mw_arg_i32(4), mw_arg_i32(4), mw_arg_i32(1),
                             mw_arg_i32(0) };
    OK(mw_image_copy_from(flat, buffer, 0, NULL));
    OK(mw_launch(kernel, &range, args, MW_COUNT(args), NULL));
    const struct { struct mw_arg arg; const char *words; } wrong[] = {
        { mw_arg_image(NULL), "no image" }, { mw_arg_image(deep), "3 dimensions" },
        { mw_arg_buffer(buffer), "a buffer" }, { mw_arg_i32(1), "a value" },
    };
    for (size_t i = 0; i < MW_COUNT(wrong); i++) {
        args[1] = wrong[i].arg;
        FAILS(MW_EINVAL, "argument 1", mw_launch(kernel, &range, args, MW_COUNT(args), NULL));
        assert_non_null(strstr(mw_errmsg(), wrong[i].words));
    }
    args[1] = args[0] = mw_arg_image(flat);
    FAILS(MW_EINVAL, "argument 0", mw_launch(kernel, &range, args, MW_COUNT(args), NULL));
    struct mw_device other = { .info.id = "other:0" }; /* an image of another device */
    flat->device = &other;
    args[0] = mw_arg_buffer(buffer);
    int rc = mw_launch(kernel, &range, args, MW_COUNT(args), NULL);
    flat->device = device;
    FAILS(MW_EINVAL, "other:0", rc);
    OK(mw_launch(kernel, &range, args, MW_COUNT(args), NULL)); /* and the kernel is as good as before */
    OK(mw_device_finish(device));
    mw_buffer_free(buffer);
    mw_image_free(flat);
    mw_image_free(deep);
    mw_kernel_free(kernel);
    mw_program_free(program);
}

/* ---- */

static int close_device(void **state)
{
    (void)state;
    uint64_t left = device ? device->allocated : 0;
    mw_device_close(device);
    free(kernel_text);
    return left == 0 ? 0 : -1;
}

static int open_device(void **state)
{
    const struct mw_device_options options = { .profile = true };
    const char *srcdir = getenv("srcdir");
    const size_t small[3] = { 8, 8, 8 };
    char path[1024];
    size_t n;
    seed = (unsigned)time(NULL);
    print_message("seed %u\n", seed);
    snprintf(path, sizeof path, "%s/tests/kernel/cl/image.cl", srcdir ? srcdir : ".");
    int rc = mw_file_read(path, (size_t)1 << 16, &kernel_text, &n);
    if (rc == 0)
        rc = mw_device_open_by_name(getenv("MESHWORK_TEST_DEVICE"), &options, &device);
    if (rc != 0) {
        print_error("%s\n", mw_errmsg());
        close_device(state); /* cmocka does not when this fails */
        return rc;
    }
    print_message("on %s (%s)\n", device->info.id, device->info.name);
    for (int fp64 = 0; fp64 < 2; fp64++) {
        images[fp64] = mw_image_check(device, 2, small, fp64) == 0 && mw_image_check(device, 3, small, fp64) == 0;
        if (!images[fp64])
            print_message("left out: %s\n", mw_errmsg());
    }
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images_hold_what_is_copied),
        cmocka_unit_test(kernels_read_beyond_the_ends),
        cmocka_unit_test(devices_say_which_images_they_take),
        cmocka_unit_test(images_are_in_the_budget),
        cmocka_unit_test(wrong_copies_are_refused),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
