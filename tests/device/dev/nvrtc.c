/* Compiles every kernel for CUDA, as the backend does: all models, variants and precisions for a new architecture, and
 * all kernels with one model also for older ones.  Needs no GPU.  Optimization, which takes most of the time, does not
 * affect errors: it is only enabled by MESHWORK_TEST_ALL=1. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include <stdio.h>

#ifndef HAVE_CUDA

int main(void) { return puts("SKIP: built without CUDA") < 0 ? 1 : 77; }

#else

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dev/cuda/cuda_internal.h"
#include "field/program/program.h"
#include "lattice/lattice_internal.h"
#include "label/label_internal.h"
#include "lattice/transform_internal.h"

/* Those supported by the installed NVRTC are used. */
static const int wanted_architectures[] = { 90, 75, 80 };
static int architectures[MW_COUNT(wanted_architectures)];
static size_t architecture_count;
static unsigned compiled, failed;
static unsigned long turn; /* for all models but one, a run compiles every second program, chosen by its seed */

static bool choose_architectures(void)
{
    for (size_t i = 0; i < MW_COUNT(wanted_architectures); i++)
        for (int k = 0; k < mw_rtc.architecture_count; k++)
            if (mw_rtc.architectures[k] == wanted_architectures[i])
                architectures[architecture_count++] = wanted_architectures[i];
    return architecture_count > 0;
}

/* Returns whether the text compiles for an architecture; prints the log if the result is unexpected. */
static bool compiles(const char *text, int architecture, bool expected)
{
    /* From CUDA 12.8 on. */
    const bool fast = mw_rtc.major * 100 + mw_rtc.minor >= 1208 && !getenv("MESHWORK_TEST_ALL");
    const struct mw_build build = {
        .text = text,
        .length = strlen(text),
        .label = "meshwork",
        .options = fast ? MW_CUDA_OPTIONS MW_CUDA_SAME_BITS " --Ofast-compile=max" : MW_CUDA_OPTIONS MW_CUDA_SAME_BITS,
    };
    struct mw_binary binary = { 0 };
    char *log = NULL;
    const int rc = mw_cuda_compile_text(&build, architecture, false, &binary, &log);
    if (rc && !log)
        printf("%s\n", mw_errmsg());
    if ((rc == 0) != expected && log)
        fputs(log, stdout);
    free(log);
    free(binary.bytes);
    return rc == 0;
}

static void fail(const char *what)
{
    printf("FAIL: %s: %s\n", what, mw_errmsg());
    failed++;
}

/* Compiles for the first `most` architectures: to machine code, or in a third of the time to PTX, as for devices newer
 * than NVRTC.  A missing architecture gets the PTX of the previous one. */
static void check_for(size_t most, bool code, const char *what, const struct mw_source *source)
{
    struct mw_text flat = { 0 };
    if (mw_flatten(NULL, source, &flat) != 0) {
        fail(what);
    } else {
        for (size_t i = 0; i < architecture_count && i < most; i++) {
            compiled++;
            if (!compiles(flat.data, architectures[i] + (code ? 0 : 1), true)) {
                printf("FAIL: %s does not compile for sm_%d\n", what, architectures[i]);
                failed++;
            }
        }
    }
    mw_text_free(&flat);
}

static void check(const char *what, const struct mw_source *source)
{
    check_for(architecture_count, false, what, source);
}

/* Compiles as text for groups of exactly one size: each kernel is found, and no cluster directive is left. */
static void check_exact(const char *what, const struct mw_source *source, const struct mw_shape *shape)
{
    struct mw_text flat = { 0 };
    struct mw_binary text = { 0 };
    struct mw_cuda_exact kernel = { .name = "" };
    size_t found = 0;
    char *log = NULL;
    if (mw_flatten(NULL, source, &flat) == 0) {
        const struct mw_build build = {
            .text = flat.data, .length = flat.length, .label = "meshwork", .options = MW_CUDA_OPTIONS MW_CUDA_SAME_BITS
        };
        (void)mw_cuda_compile_text(&build, 90, true, &text, &log);
        for (char *at = text.bytes; at && (at = mw_cuda_exact_next(at, &kernel)) != NULL; found++) {
            mw_cuda_exact_put(&kernel, 3);
            if (kernel.items[0] != shape->group[0] || kernel.items[1] != shape->group[1] || kernel.items[2] != 1 ||
                strncmp(kernel.name, "field_", 6) != 0)
                found = 100;
        }
    }
    compiled++;
    if (found == 0 || found >= 100 || !strstr(text.bytes, ".minnctapersm 3") || strstr(text.bytes, "cluster")) {
        printf("FAIL: %s: as text of exact groups: %zu kernels, %s\n", what, found, log ? log : "");
        failed++;
    }
    free(log);
    free(text.bytes);
    mw_text_free(&flat);
}

static bool knows_clusters(void)
{
    for (int i = 0; i < mw_rtc.architecture_count; i++)
        if (mw_rtc.architectures[i] == 90)
            return true;
    return false;
}

/* A model in one variant, precision and number of dimensions; with fixed ends, registers use a rectangle.  Programs
 * with ends are for several systems. */
static void check_lanes(struct mw_model *model, const char *variant, unsigned lanes, bool fp64, unsigned dims,
                        enum mw_boundary boundary)
{
    const enum mw_boundary boundaries[MW_DIMS_MAX] = { boundary, boundary, boundary };
    struct mw_field_variant is = { 0 };
    mw_field_variant(variant, &is); /* mw_field_source reports a missing variant */
    const bool rows = is.registers && (dims == 3 || boundary == MW_BOUNDARY_FIXED);
    struct mw_shape named = { .vec = lanes, .rows = 2, .steps = is.registers };
    struct mw_reach reach;
    struct mw_source_text texts[MW_FIELD_SOURCE_TEXTS];
    struct mw_source source;
    struct mw_text defines = { 0 };
    char what[160];
    const bool thorough = strcmp(mw_model_info(model)->name, "cahn-hilliard") == 0;
    if (!thorough && turn++ % 2 != 0 && !getenv("MESHWORK_TEST_ALL"))
        return;
    mw_model_reach(model, MW_LAPLACIAN_SECOND, &reach);
    struct mw_problem problem = { .model = model, .reach = &reach, .dims = dims, .boundary = boundaries, .fp64 = fp64 };
    problem.integrator = MW_INTEGRATOR_EULER;
    problem.row_lanes = 16;
    problem.systems = boundary == MW_BOUNDARY_PERIODIC ? 1 : 2;
    named.per_item = rows ? 2 : is.tiled || is.registers ? 1 : 16;
    named.group[0] = is.tiled || is.registers ? 32 : is.together ? 4 : 1;
    named.group[1] = is.tiled || rows ? 16 >> (lanes > 1 && fp64) : 1;
    snprintf(what, sizeof what, "%s, %s, %s, %u lanes, %u dimensions", mw_model_info(model)->name, variant,
             fp64 ? "double" : "single", lanes, dims);
    mw_copy_string(named.variant, sizeof named.variant, variant);
    if (mw_field_source(&problem, &named, &defines, texts, &source) != 0) {
        fail(what);
    } else {
        check_for(thorough ? architecture_count : 1, thorough && lanes > 1, what, &source);
        if (thorough && is.registers && dims < 3 && lanes > 1 && knows_clusters())
            check_exact(what, &source, &named);
    }
    mw_text_free(&defines);
}

static void check_program(struct mw_model *model, const char *variant, bool fp64, unsigned dims,
                          enum mw_boundary boundary)
{
    check_lanes(model, variant, 1, fp64, dims, boundary);
}

/* Vectors of cells per item, in variants whose items may have several on a GPU. */
static void check_vectors(struct mw_model *model)
{
    static const char *const variants[] = { "registers", "fused", "staged", "tile" };
    for (size_t v = 0; v < MW_COUNT(variants); v++)
        for (unsigned lanes = 2; lanes <= 4; lanes *= 2)
            check_lanes(model, variants[v], lanes, false, 2, lanes == 2 ? MW_BOUNDARY_MIRROR : MW_BOUNDARY_PERIODIC);
    check_lanes(model, "registers", 2, true, 3, MW_BOUNDARY_FIXED);
    check_lanes(model, "fused", 4, true, 3, MW_BOUNDARY_FIXED);
}

static void check_model(const char *name)
{
    struct mw_model *model;
    if (mw_model_load(name, NULL, &model) != 0) {
        fail(name);
        return;
    }
    const struct mw_variant *v;
    for (size_t i = 0; (v = mw_field_variants(i)) != NULL; i++)
        for (int fp64 = 0; fp64 < 2; fp64++)
            check_program(model, v->name, fp64, 2 + (unsigned)fp64, MW_BOUNDARY_PERIODIC);
    check_program(model, "tile", false, 3, MW_BOUNDARY_MIRROR);
    check_program(model, "image", false, 3, MW_BOUNDARY_MIRROR);
    check_program(model, "image-tile", false, 2, MW_BOUNDARY_FIXED);
    check_program(model, "async", false, 3, MW_BOUNDARY_FIXED);
    check_program(model, "registers", false, 2, MW_BOUNDARY_FIXED);
    check_program(model, "registers", false, 1, MW_BOUNDARY_MIRROR);
    check_program(model, "fused", false, 1, MW_BOUNDARY_MIRROR);
    check_program(model, "fused", false, 3, MW_BOUNDARY_FIXED);
    check_vectors(model);
    mw_model_free(model);
}

static void check_file(const char *what, const char *file, const char *defines)
{
    check(what, &(struct mw_source){ .size = sizeof(struct mw_source), .file = file, .defines = defines });
}

static void check_noise(void)
{
    check("noise, single", &(struct mw_source){ .size = sizeof(struct mw_source), .file = "field/noise.cl" });
    struct mw_source source = { .size = sizeof source, .file = "field/noise.cl", .defines = "#define REAL_DOUBLE 1\n" };
    source.fp64 = true;
    check("noise, double", &source);
}

/* Programs that are built for a plan: with the plan, and a matching map. */
static const struct {
    const char *file, *operations;
    int (*prepare)(struct mw_plan *plan, bool stream);
} fixed[] = {
    { "lattice/points.cl", "flip=1 shift=3", mw_plan_points },
    { "lattice/swap.cl", "flip=0,1", mw_plan_points },
    { "lattice/blocks.cl", "flip=0 pad=1:1:2", mw_plan_blocks },
    { "lattice/local.cl", "permute=1,0 flip=0", mw_plan_local },
};

static int fixed_defines(const struct mw_map *map, size_t i, size_t bytes, struct mw_text *defines)
{
    struct mw_plan plan;
    int rc;
    mw_plan_make(map, bytes, &plan);
    plan.group = strstr(fixed[i].file, "blocks") || strstr(fixed[i].file, "local") ? 256 : 0;
    TRY(fixed[i].prepare(&plan, false));
    mw_text_add(defines, "#define ELEMENT_BYTES %zu\n#define AT_ONCE %zu\n#define ROUNDS 1\n", bytes,
                mw_plan_at_once(bytes));
    TRY(mw_plan_macros(&plan, defines));
out:
    mw_plan_free(&plan);
    return rc;
}

static void check_fixed(size_t i, size_t bytes, const size_t *length)
{
    struct mw_map *map = NULL;
    struct mw_text defines = { 0 }, operations = { 0 };
    char what[80];
    int rc;
    snprintf(what, sizeof what, "%s of %zu bytes, %zu x %zu", fixed[i].file, bytes, length[0], length[1]);
    mw_text_add(&operations, "%s", fixed[i].operations);
    TRY(mw_text_ok(&operations));
    TRY(mw_map_new(2, length, &map));
    for (char *word = strtok(operations.data, " "); word; word = strtok(NULL, " "))
        TRY(mw_map_parse(map, word));
    TRY(fixed_defines(map, i, bytes, &defines));
    check_file(what, fixed[i].file, defines.data);
out:
    if (rc != 0) {
        fail(what);
    }
    mw_map_free(map);
    mw_text_free(&defines);
    mw_text_free(&operations);
}

/* With indices of 32 and of 64 bits. */
static void check_transforms(void)
{
    static const char *const files[] = { "lattice/rows.cl", "lattice/tiles.cl" };
    static const size_t lengths[][2] = { { 45, 37 }, { 1 << 14, 1 << 18 } };
    for (size_t bytes = 1; bytes <= 16; bytes *= 2) {
        for (size_t i = 0; i < MW_COUNT(files); i++) {
            char defines[60], what[60];
            snprintf(defines, sizeof defines, "#define ELEMENT_BYTES %zu\n#define NO_CORES 1\n", bytes);
            snprintf(what, sizeof what, "%s of %zu bytes", files[i], bytes);
            check_file(what, files[i], defines);
        }
        for (size_t i = 0; i < MW_COUNT(fixed); i++)
            for (size_t l = 0; l < MW_COUNT(lengths); l++)
                check_fixed(i, bytes, lengths[l]);
    }
}

static void check_neighbours(void)
{
    static const enum mw_boundary boundary[] = { MW_BOUNDARY_PERIODIC, MW_BOUNDARY_MIRROR, MW_BOUNDARY_FIXED };
    static const int64_t powers[] = { 16, 8, 4 }, odd[] = { 5, 7, 3 };
    for (int form = MW_INDEX_AUTO; form <= MW_INDEX_BITS; form++) {
        const int64_t *length = form == MW_INDEX_BITS ? powers : odd;
        const enum mw_boundary *at = form == MW_INDEX_BITS ? NULL : boundary;
        struct mw_lattice lattice;
        struct mw_source source;
        struct mw_text defines = { 0 };
        if (mw_lattice_make(3, length, &lattice) != 0 ||
            mw_neighbours_source(&lattice, MW_LATTICE_HYPERCUBIC, at, (enum mw_index_form)form, &defines, &source) !=
                0) {
            printf("FAIL: neighbours: %s\n", mw_errmsg());
            failed++;
        } else {
            check("neighbours", &source);
        }
        mw_text_free(&defines);
    }
}

/* One kernel per number of dimensions reads an image, with each address mode. */
static void check_images(void)
{
    static const struct mw_source_text text = {
        "image-reader",
        "#include \"image.clh\"\n"
        "__kernel void read2(__global image_value *out, IMAGE2D image) { out[0] = image_at2(image, -1, 0, 3, 5); }\n"
        "__kernel void read3(__global image_value *out, IMAGE3D image)\n"
        "{ out[0] = image_at3(image, -1, 0, 7, 3, 5, 7); }\n",
        NULL
    };
    static const struct {
        const char *name, *defines;
    } cells[] = {
        { "single", "" },
        { "double", "#define REAL_DOUBLE 1\n" },
        { "8 bits", "#define IMAGE_INTEGER signed char\n#define IMAGE_CELL_BYTES 1\n" },
        { "16 bits", "#define IMAGE_INTEGER unsigned short\n#define IMAGE_CELL_BYTES 2\n" },
        { "32 bits", "#define IMAGE_INTEGER i32\n#define IMAGE_CELL_BYTES 4\n" },
        { "64 bits", "#define IMAGE_INTEGER i64\n#define IMAGE_CELL_BYTES 8\n" },
    };
    for (size_t form = 0; form < 3 * MW_COUNT(cells); form++) {
        if (form % 3 > 0 && form >= 6)
            continue; /* address modes do not depend on cells */
        char defines[160], what[40];
        const struct mw_source source = {
            .size = sizeof source, .file = text.name, .defines = defines, .texts = &text, .text_count = 1
        };
        snprintf(defines, sizeof defines, "#define USE_IMAGE 1\n#define IMAGE_ADDRESS %zu\n%s", form % 3,
                 cells[form / 3].defines);
        snprintf(what, sizeof what, "images, %s, address mode %zu", cells[form / 3].name, form % 3);
        check(what, &source);
    }
}

/* All programs of the library for native devices, in the form for groups: the primitives, and similar ones. */
static void check_group_forms(void)
{
    static const char *const programs[][2] = {
#define PROGRAM(file, name, defines) { file, defines },
#include "kernels/programs.inc"
#undef PROGRAM
    };
    for (size_t i = 0; i < MW_COUNT(programs); i++) {
        struct mw_text defines = { 0 };
        /* These need a mesh or a plan: see below and above. */
        if (strcmp(programs[i][0], "label/runs.cl") == 0 || strncmp(programs[i][0], "lattice/", 8) == 0)
            continue;
        /* Native programs have wider vectors, and no number of dimensions. */
        mw_text_add(&defines, "%s#undef VEC\n#define GROUP 256\n#define DIMS 3\n", programs[i][1]);
        check_file(programs[i][0], programs[i][0], defines.data);
        mw_text_free(&defines);
    }
}

/* Programs without a form for cores, or with images. */
static void check_once(void)
{
    /* clang-format off */
    static const char *const programs[][2] = {
        { "components/number_once.cl", "" }, { "fft/tiles.cl", "#define TILE 1024\n#define REAL_DOUBLE 1\n" },
        { "prim/once/reduce.cl", "#define ELEMENT u32\n#define SIGNED 0\n" },
        { "prim/once/reduce.cl", "#define ELEMENT i64\n#define SIGNED 1\n#define REALS 1\n#define REAL_DOUBLE 1\n" },
        { "prim/once/scan.cl", "" }, { "prim/once/scan.cl", "#define ELEMENT_64 1\n" }, { "prim/once/select.cl", "" },
        { "graph/triangles/walks.cl", "#define USE_IMAGE 1\n" }, { "prim/once/sort.cl", "#define VALUE_BYTES 0\n" },
        { "prim/once/sort.cl", "#define VALUE_BYTES 8\n#define KEY_64 1\n#define COUNT_64 1\n" },
        { "spin/sweep.cl", "#define USE_IMAGE 1\n#define SPIN_IMAGE_DIMS 3\n#define SPIN_BLOCKS 1\n" },
    };
    /* clang-format on */
    for (size_t i = 0; i < MW_COUNT(programs); i++) {
        char defines[200];
        snprintf(defines, sizeof defines, "%s#define GROUP 256\n", programs[i][1]);
        check_file(programs[i][0], programs[i][0], defines);
    }
}

/* Vectors of other types than floating-point. */
static void check_vectors_of_words(void)
{
    static const char *const programs[][2] = {
        { "spin/bits.cl", "#define VEC 4\n#define BITS_LANES 1\n" },
        { "spin/bits.cl", "#define VEC 2\n#define BITS_LANES 1\n" },
        { "spin/bits_tile.cl", "#define VEC 4\n#define BITS_LANES 1\n#define BITS_SHAPE BITS_PLANE\n#define GROUP 256\n"
                               "#define TILE_VECTORS 2\n#define TILE_LENGTH 64\n#define TILE_ROWS 8\n"
                               "#define TILE_STEPS 2\n" },
        { "walk/rows.cl", "#define WALK_DIMS 2\n#define VEC 4\n" },
        { "walk/rows.cl", "#define WALK_DIMS 3\n#define VEC 2\n#define REAL_DOUBLE 1\n" },
    };
    for (size_t i = 0; i < MW_COUNT(programs); i++)
        check_file(programs[i][0], programs[i][0], programs[i][1]);
}

/* Labelling: each file, on meshes for every branch of cl/label/mesh.clh. */
static void check_labelling(void)
{
    static const char tiles[] = "#define SWEEPS 1\n#define TILE_ITEMS 256\n"
                                "#define TILE_EACH(X) X(0, 4, 0, 2) X(1, 4, 4, 3)";
    static const struct {
        const char *file, *defines;
        bool from_image;
    } programs[] = {
        { "label/propagation.cl", tiles, false }, { "label/propagation.cl", tiles, true },
        { "label/equivalence.cl", "", false },    { "label/equivalence.cl", "", true },
        { "label/union_find.cl", "", false },     { "label/union_find.cl", "#define BLOCKS 1\n", false },
        { "label/runs.cl", "", false },           { "label/bits/passes.cl", "#define GROUP 128\n", false },
    };
    /* clang-format off */
    static const struct mw_label_options meshes[] = {
        { .dims = 2, .length = { 31, 33 }, .type = MW_TYPE_U8, .join = MW_JOIN_EQUAL,
          .connectivity = MW_CONNECTIVITY_ALL },
        { .dims = 2, .length = { 31, 33 }, .type = MW_TYPE_F64, .join = MW_JOIN_THRESHOLD, .threshold = -0.5,
          .no_background = true },
        { .dims = 2, .length = { 31, 33 }, .type = MW_TYPE_F32, .join = MW_JOIN_TOLERANCE, .tolerance = 0.5,
          .no_background = true, .lattice = MW_LATTICE_TRIANGULAR },
        { .dims = 2, .length = { 1 << 17, 1 << 17 }, .type = MW_TYPE_I64, .join = MW_JOIN_EQUAL,
          .no_background = true,
          .boundary = { MW_BOUNDARY_PERIODIC, MW_BOUNDARY_PERIODIC } },
        { .dims = 3, .length = { 31, 33, 5 }, .type = MW_TYPE_I16, .join = MW_JOIN_EQUAL,
          .connectivity = MW_CONNECTIVITY_ALL },
    };
    /* clang-format on */
    for (size_t m = 0; m < MW_COUNT(meshes); m++)
        for (size_t i = 0; i < MW_COUNT(programs); i++) {
            const size_t *n = meshes[m].length;
            const int64_t length[3] = { (int64_t)n[0], (int64_t)n[1], (int64_t)n[2] };
            struct mw_labelling labelling = { .options = meshes[m], .from_image = programs[i].from_image };
            struct mw_text defines = { 0 };
            const bool cut = strncmp(programs[i].file, "label/bits/", 11) == 0;
            if (cut                      ? meshes[m].lattice != MW_LATTICE_HYPERCUBIC
                : programs[i].from_image ? m > 0 && meshes[m].dims < 3
                                         : meshes[m].dims == 3)
                continue; /* enough of each */
            const bool more = programs[i].defines == tiles && meshes[m].dims == 3;
            mw_text_add(&defines, "%s%s\n", programs[i].defines, more ? " X(2, 0, 8, 5)" : "");
            if (mw_lattice_make(meshes[m].dims, length, &labelling.lattice) != 0 ||
                mw_label_defines(&labelling, &defines) != 0) {
                fail(programs[i].file);
            } else {
                if (cut)
                    mw_label_cut_defines(&labelling, 128, &defines);
                check_file(programs[i].file, programs[i].file, defines.data);
            }
            mw_text_free(&defines);
        }
}

int main(void)
{
    char **names;
    const char *why, *seed = getenv("MESHWORK_TEST_SEED");
    turn = seed ? strtoul(seed, NULL, 10) : (unsigned long)time(NULL);
    printf("MESHWORK_TEST_SEED=%lu\n", turn);
    if (!mw_rtc_start(0, &why)) {
        printf("SKIP: %s\n", why);
        return 77;
    }
    if (!choose_architectures()) {
        puts("SKIP: this NVRTC supports no architecture of the test");
        return 77;
    }
    if (compiles("extern \"C\" __global__ void f(float *a) { a[0] = unknown_name; }", architectures[0], false)) {
        puts("FAIL: NVRTC compiles what is wrong");
        failed++;
    }
    if (mw_model_names(NULL, MW_MODEL_FIELD, &names) != 0) {
        printf("FAIL: %s\n", mw_errmsg());
        return 1;
    }
    for (char **name = names; *name; name++)
        check_model(*name);
    check_noise();
    check_transforms();
    check_neighbours();
    check_images();
    check_group_forms();
    check_once();
    check_vectors_of_words();
    check_labelling();
    mw_model_names_free(names);
    printf("%u kernels compiled, %u failures\n", compiled, failed);
    return failed > 0 || compiled == 0;
}

#endif
/* SPDX-License-Identifier: MIT */
