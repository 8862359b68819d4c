/* Images on one device, $MESHWORK_TEST_DEVICE: copies, reads inside and beyond the ends, errors.  The kernel is in
 * tests/device/cl/image.cl. */
#include "dev/core/backend.h"

#include <string.h>

#include "tests/check.h"

enum address { CLAMP, REPEAT, MIRROR, ADDRESSES }; /* as IMAGE_CLAMP ... in cl/image.clh */

static struct mw_device *device;
static char *kernel_text;

/* Cell types: the first two are read with all address modes, the others with one each. */
static const struct cell {
    const char *name;
    size_t bytes;
    const char *defines;
} kinds[] = {
    { "float", 4, "" },
    { "double", 8, "#define REAL_DOUBLE 1\n" },
    { "8 bits", 1, "#define IMAGE_INTEGER signed char\n#define IMAGE_CELL_BYTES 1\n" },
    { "16 bits", 2, "#define IMAGE_INTEGER unsigned short\n#define IMAGE_CELL_BYTES 2\n" },
    { "32 bits", 4, "#define IMAGE_INTEGER i32\n#define IMAGE_CELL_BYTES 4\n" },
    { "64 bits", 8, "#define IMAGE_INTEGER u64\n#define IMAGE_CELL_BYTES 8\n" },
};
enum { FLOAT, DOUBLE };
static bool images[MW_COUNT(kinds)]; /* the device supports images of these cells */

static void random_bytes(unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        bytes[i] = (unsigned char)random_word();
}

static struct mw_buffer *buffer_with(const void *bytes, size_t n)
{
    struct mw_buffer *buffer = NULL;
    OK(mw_buffer_new(device, n, &buffer));
    OK(mw_buffer_write(buffer, 0, n, bytes, NULL));
    return buffer;
}

static struct mw_program *program_for(enum address address, const struct cell *cell)
{
    char defines[160];
    const struct mw_source_text text = { "image-test", kernel_text, "tests/device/cl/image.cl" };
    const struct mw_source source = { .size = sizeof source,
                                      .file = "image-test",
                                      .defines = defines,
                                      .texts = &text,
                                      .text_count = 1,
                                      .fp64 = cell == &kinds[DOUBLE] };
    struct mw_program *program = NULL;
    snprintf(defines, sizeof defines, "#define USE_IMAGE 1\n#define IMAGE_ADDRESS %d\n%s", (int)address, cell->defines);
    OK(mw_program_new(device, &source, &program));
    return program;
}

static void skip_without_images(void)
{
    if (!images[FLOAT])
        skip();
}

/* ---- copies ---- */

/* Copies between two buffers through an image; the surroundings of the image's cells in the second one are
 * unchanged. */
static void copy_through(unsigned dims, const size_t *length, size_t cell_bytes, bool wait)
{
    enum { ROOM = 64 };
    struct mw_image *image = NULL;
    struct mw_event *events[2] = { NULL, NULL };
    OK(mw_image_new(device, dims, length, cell_bytes, &image));
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
    skip_without_images();
    for (unsigned round = 0; round < 60; round++) {
        const size_t kind = round % MW_COUNT(kinds);
        const unsigned dims = 2 + (unsigned)random_below(2);
        const size_t length[3] = { 1 + random_below(40), 1 + random_below(30), 1 + random_below(9) };
        if (images[kind])
            copy_through(dims, length, kinds[kind].bytes, random_below(2) != 0);
    }
    mw_image_free(NULL);
}

/* ---- reading ---- */

/* Returns the cell at position i of a dimension with n cells. */
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
                        int reach, enum address address, const struct cell *cell)
{
    const size_t size = cell->bytes;
    const int n[3] = { (int)length[0], (int)length[1], dims == 3 ? (int)length[2] : 1 };
    const int margin[3] = { reach, reach, dims == 3 ? reach : 0 };
    for (int z = -margin[2]; z < n[2] + margin[2]; z++)
        for (int y = -reach; y < n[1] + reach; y++)
            for (int x = -reach; x < n[0] + reach; x++, got += size) {
                const size_t k = (cell_at(address, z, n[2]) * length[1] + cell_at(address, y, n[1])) * length[0] +
                                 cell_at(address, x, n[0]);
                if (memcmp(got, cells + k * size, size) != 0)
                    fail_msg("cell (%d, %d, %d) of %zu x %zu x %d, %s, address mode %d, differs", x, y, z, length[0],
                             length[1], n[2], cell->name, (int)address);
            }
}

/* Reads an image of random bits at all its cells and up to `reach` beyond. */
static void read_image(struct mw_kernel *kernel, unsigned dims, const size_t *length, int reach, enum address address,
                       const struct cell *cell)
{
    struct mw_image *image = NULL;
    struct mw_buffer *out = NULL;
    struct mw_range range = { .dims = dims };
    size_t sampled = cell->bytes;
    for (unsigned d = 0; d < dims; d++)
        sampled *= range.global[d] = length[d] + 2 * (size_t)reach;
    OK(mw_image_new(device, dims, length, cell->bytes, &image));
    unsigned char *cells = malloc(mw_image_bytes(image)), *got = malloc(sampled);
    random_bytes(cells, mw_image_bytes(image));
    struct mw_buffer *from = buffer_with(cells, mw_image_bytes(image));
    OK(mw_image_copy_from(image, from, 0, NULL));
    OK(mw_buffer_new(device, sampled, &out));
    const struct mw_arg args[] = { mw_arg_buffer(out),
                                   mw_arg_image(image),
                                   mw_arg_i32((int32_t)length[0]),
                                   mw_arg_i32((int32_t)length[1]),
                                   mw_arg_i32((int32_t)length[2]),
                                   mw_arg_i32(reach) };
    OK(mw_launch(kernel, &range, args, MW_COUNT(args), NULL));
    OK(mw_buffer_read(out, 0, sampled, got, NULL));
    check_cells(cells, got, dims, length, reach, address, cell);
    mw_buffer_free(from);
    mw_buffer_free(out);
    mw_image_free(image);
    free(cells);
    free(got);
}

/* Finds the longest one-dimensional image that the device supports: an odd length below 2^17. */
static void longest(unsigned dims, unsigned along, size_t cell_bytes, size_t *length)
{
    for (unsigned d = 0; d < 3; d++)
        length[d] = 1;
    length[along] = ((size_t)1 << 17) - 1;
    while (mw_image_check(device, dims, length, cell_bytes) != 0 && length[along] > 1)
        length[along] /= 2;
    assert_true(length[along] >= 1023);
}

static void read_all(struct mw_program *program, unsigned dims, enum address address, const struct cell *cell)
{
    struct mw_kernel *kernel = NULL;
    OK(mw_kernel_new(program, dims == 2 ? "sample2" : "sample3", &kernel));
    for (int round = 0; round < 12; round++) {
        const size_t length[3] = { 1 + random_below(20), 1 + random_below(20), 1 + random_below(8) };
        read_image(kernel, dims, length, 1 + (int)random_below(9), address, cell);
    }
    /* The end of a long image does not depend on its cell type. */
    const unsigned chosen = (unsigned)random_below(dims);
    for (unsigned along = 0; along < dims; along++) {
        size_t length[3];
        if (cell != &kinds[FLOAT] && along != chosen && !getenv("MESHWORK_TEST_ALL"))
            continue;
        longest(dims, along, cell->bytes, length);
        read_image(kernel, dims, length, dims == 2 ? 2 : 1, address, cell);
    }
    mw_kernel_free(kernel);
}

static void kernels_read_beyond_the_ends(void **state)
{
    skip_without_images();
    for (size_t kind = 0; kind < MW_COUNT(kinds); kind++)
        for (int address = 0; address < ADDRESSES; address++) {
            if (!images[kind] || (kind == DOUBLE && !device->info.fp64) ||
                (kind > DOUBLE && address != (int)kind % ADDRESSES))
                continue;
            struct mw_program *program = program_for((enum address)address, &kinds[kind]);
            for (unsigned dims = 2; dims <= 3; dims++)
                read_all(program, dims, (enum address)address, &kinds[kind]);
            mw_program_free(program);
        }
}

/* ---- errors ---- */

static void devices_say_which_images_they_take(void **state)
{
    const size_t small[4] = { 8, 8, 8, 8 }, empty[3] = { 8, 0, 8 };
    struct mw_image *image = NULL;
    FAILS(MW_EINVAL, "2 or 3 dimensions", mw_image_check(device, 1, small, 4));
    FAILS(MW_EINVAL, "2 or 3 dimensions", mw_image_new(device, 4, small, 4, &image));
    FAILS(MW_EINVAL, "dimension 1", mw_image_new(device, 3, empty, 4, &image));
    for (size_t bytes = 0; bytes < 20; bytes++)
        if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
            FAILS(MW_EINVAL, "1, 2, 4 or 8 bytes", mw_image_new(device, 2, small, bytes, &image));
    for (size_t kind = 0; kind < MW_COUNT(kinds); kind++)
        if (!images[kind])
            FAILS(MW_ENOTSUP, device->info.id, mw_image_new(device, 3, small, kinds[kind].bytes, &image));
    if (images[FLOAT]) {
        const bool has = device->info.images;
        device->info.images = false; /* as for another device */
        int rc = mw_image_check(device, 2, small, 4);
        device->info.images = has;
        FAILS(MW_ENOTSUP, "has no images", rc);
        for (unsigned d = 0; d < 3; d++) {
            size_t length[3] = { 1, 1, 1 };
            length[d] = (size_t)1 << 40;
            FAILS(MW_ELIMIT, "images of at most", mw_image_check(device, 3, length, 4));
        }
    }
    assert_null(image);
}

static void images_are_in_the_budget(void **state)
{
    const size_t length[2] = { 50, 20 };
    struct mw_image *image = NULL;
    const uint64_t before = device->allocated;
    skip_without_images();
    device->allocated = device->info.memory_bytes - 3999; /* as if most memory were in use */
    FAILS(MW_ELIMIT, "left of its", mw_image_new(device, 2, length, 4, &image));
    device->allocated--;
    OK(mw_image_new(device, 2, length, 4, &image));
    assert_int_equal(mw_image_bytes(image), 4000);
    assert_true(device->allocated == device->info.memory_bytes);
    mw_image_free(image);
    device->allocated = before;
}

/* On the CUDA emulation, which has little memory: memory freed by buffers is available to images. */
static void memory_of_buffers_is_there_for_images(void **state)
{
    const size_t length[2] = { 8192, 5000 };
    const size_t bytes = device->info.memory_bytes / 4 * 3;
    struct mw_buffer *buffer = NULL;
    struct mw_image *image = NULL;
    if (!getenv("MESHWORK_CUDA_LOG"))
        skip();
    assert_true(length[0] * length[1] * 4 > device->info.memory_bytes - bytes);
    OK(mw_buffer_new(device, bytes, &buffer));
    FAILS(MW_ELIMIT, "left of its", mw_image_new(device, 2, length, 4, &image));
    mw_buffer_free(buffer);
    OK(mw_image_new(device, 2, length, 4, &image));
    mw_image_free(image);
}

static void wrong_copies_are_refused(void **state)
{
    const size_t length[2] = { 4, 4 };
    char bytes[80] = { 0 };
    struct mw_image *image = NULL;
    struct mw_event *event = NULL;
    struct mw_device *other = NULL;
    struct mw_buffer *foreign = NULL;
    skip_without_images();
    OK(mw_image_new(device, 2, length, 4, &image));
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
    skip_without_images();
    struct mw_program *program = program_for(CLAMP, &kinds[FLOAT]);
    OK(mw_kernel_new(program, "sample2", &kernel));
    OK(mw_image_new(device, 2, length, 4, &flat));
    OK(mw_image_new(device, 3, length, 4, &deep));
    struct mw_buffer *buffer = buffer_with(bytes, sizeof bytes);
    struct mw_arg args[] = { mw_arg_buffer(buffer), mw_arg_image(flat), mw_arg_i32(4),
                             mw_arg_i32(4),         mw_arg_i32(1),      mw_arg_i32(0) };
    OK(mw_image_copy_from(flat, buffer, 0, NULL));
    OK(mw_launch(kernel, &range, args, MW_COUNT(args), NULL));
    /* CUDA's driver reports only sizes of parameters: buffers and images of either kind have the same. */
    const bool knows_types = strcmp(mw_device_info(device)->backend, "cuda") != 0;
    /* clang-format off */
    const struct { struct mw_arg arg; bool by_type; const char *words; } wrong[] = {
        { mw_arg_image(NULL), false, "no image" }, { mw_arg_i32(1), false, knows_types ? "an i32" : "4 bytes" },
        { mw_arg_image(deep), true, "3 dimensions" }, { mw_arg_buffer(buffer), true, "a buffer" },
    };
    /* clang-format on */
    for (size_t i = 0; i < MW_COUNT(wrong) && (knows_types || !wrong[i].by_type); i++) {
        args[1] = wrong[i].arg;
        FAILS(MW_EINVAL, "argument 1", mw_launch(kernel, &range, args, MW_COUNT(args), NULL));
        assert_non_null(strstr(mw_errmsg(), wrong[i].words));
    }
    args[1] = args[0] = mw_arg_image(flat);
    if (knows_types)
        FAILS(MW_EINVAL, "argument 0", mw_launch(kernel, &range, args, MW_COUNT(args), NULL));
    struct mw_device other = { .info.id = "other:0" }; /* an image of another device */
    flat->device = &other;
    args[0] = mw_arg_buffer(buffer);
    int rc = mw_launch(kernel, &range, args, MW_COUNT(args), NULL);
    flat->device = device;
    FAILS(MW_EINVAL, "other:0", rc);
    OK(mw_launch(kernel, &range, args, MW_COUNT(args), NULL)); /* and the kernel still works */
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
    uint64_t left = device ? device->allocated : 0;
    mw_device_close(device);
    free(kernel_text);
    return left == 0 ? 0 : -1;
}

static int open_device(void **state)
{
    const struct mw_device_options options = { .size = sizeof options, .profile = true };
    const char *srcdir = getenv("srcdir");
    const size_t small[3] = { 8, 8, 8 };
    char path[1024];
    size_t n;
    seed_random();
    snprintf(path, sizeof path, "%s/tests/device/cl/image.cl", srcdir ? srcdir : ".");
    int rc = mw_file_read(path, (size_t)1 << 16, &kernel_text, &n);
    if (rc == 0)
        rc = mw_device_open_by_name(getenv("MESHWORK_TEST_DEVICE"), &options, &device);
    if (rc != 0) {
        print_error("%s\n", mw_errmsg());
        close_device(state); /* cmocka skips this if the test fails */
        return rc;
    }
    print_message("on %s (%s)\n", device->info.id, device->info.name);
    for (size_t kind = 0; kind < MW_COUNT(kinds); kind++) {
        images[kind] = mw_image_check(device, 2, small, kinds[kind].bytes) == 0 &&
                       mw_image_check(device, 3, small, kinds[kind].bytes) == 0;
        if (!images[kind])
            print_message("%s left out: %s\n", kinds[kind].name, mw_errmsg());
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
        cmocka_unit_test(memory_of_buffers_is_there_for_images),
        cmocka_unit_test(wrong_copies_are_refused),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
/* SPDX-License-Identifier: MIT */
