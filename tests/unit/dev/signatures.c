/* What kernels take, read off a text: types and sizes as the C compiler has them, macros and conditions as its
 * preprocessor does, nothing where only a driver knows, and the same of the library's own kernels as their native
 * forms say. */
#include "dev/build/macros.h"
#include "dev/build/signatures.h"

#include "kernels/native.h"
#include "tests/check.h"
#include "tests/scratch.h"

static void read_text(const char *text, struct mw_signatures *signatures)
{
    *signatures = (struct mw_signatures){ 0 };
    if (mw_signatures_read("some.cl", text, signatures) != 0)
        fail_msg("%s", mw_errmsg());
}

/* What kernel f takes, as "buffer, u32, struct 16"; "-" for what is not known. */
static void describe(const char *text, char *to, size_t size)
{
    static const char *const names[] = {
        [MW_ARG_BUFFER] = "buffer", [MW_ARG_I32] = "i32", [MW_ARG_U32] = "u32", [MW_ARG_I64] = "i64",
        [MW_ARG_U64] = "u64", [MW_ARG_F32] = "f32", [MW_ARG_F64] = "f64", [MW_ARG_STRUCT] = "struct",
        [MW_ARG_IMAGE] = "image", [MW_ARG_LOCAL] = "local",
    };
    struct mw_signatures signatures;
    read_text(text, &signatures);
    const struct mw_signature *f = mw_signature_find(&signatures, "f");
    snprintf(to, size, "%s", f ? "" : "no f");
    for (size_t i = 0; f && i < f->parameter_count; i++) {
        const struct mw_parameter *p = &f->parameters[i];
        char one[64] = "-";
        size_t type = 0;
        while (type < MW_COUNT(names) && p->types != MW_TAKES(type))
            type++;
        if (type == MW_ARG_STRUCT || type == MW_ARG_IMAGE)
            snprintf(one, sizeof one, "%s %zu", names[type], type == MW_ARG_IMAGE ? p->image_dims : p->bytes);
        else if (p->types)
            snprintf(one, sizeof one, "%s", type < MW_COUNT(names) ? names[type] : "several");
        snprintf(to + strlen(to), size - strlen(to), "%s%s", i ? ", " : "", one);
    }
    mw_signatures_free(&signatures);
}

static void check(const char *text, const char *expected)
{
    char found[512];
    describe(text, found, sizeof found);
    if (strcmp(found, expected) != 0)
        fail_msg("'%s', not '%s', of: %s", found, expected, text);
}

/* ---- types ---- */

/* Sizes within sizes, of something that is not known (which once took twice as long for each) or is, to any depth. */
static void sizes_within_sizes_come_to_an_end(void **state)
{
    enum { DEPTH = 100000 };
    static const char *const opens[] = { "sizeof(UNKNOWN[", "sizeof(char[" };
    (void)state;
    for (size_t i = 0; i < MW_COUNT(opens); i++) {
        struct mw_text text = { 0 };
        mw_text_add(&text, "struct s { int a[");
        for (int k = 0; k < DEPTH; k++)
            mw_text_add(&text, "%s", opens[i]);
        mw_text_add(&text, "1");
        for (int k = 0; k < DEPTH; k++)
            mw_text_add(&text, "])");
        mw_text_add(&text, "]; };\n__kernel void f(struct s a) { }\n");
        OK(mw_text_ok(&text));
        check(text.data, "struct 0");
        mw_text_free(&text);
    }
}

static void types_of_opencl_are_known(void **state)
{
    (void)state;
    check("__kernel void f(void) { }", "");
    check("__kernel void f(int a, uint b, const unsigned int c, unsigned d, long e, ulong g, unsigned long h) { }",
          "i32, u32, u32, u32, i64, u64, u64");
    check("__kernel void f(float a, double b, signed c, int unsigned d, long int e) { }", "f32, f64, i32, u32, i64");
    check("__kernel void f(char a, uchar b, short c, ushort d, half e, unsigned char g) { }",
          "struct 1, struct 1, struct 2, struct 2, struct 2, struct 1");
    check("__kernel void f(float4 a, int3 b, uchar16 c, double8 d, ulong2 e) { }",
          "struct 16, struct 16, struct 16, struct 64, struct 16");
    check("__kernel void f(__global int *a, const __global float *restrict b, __constant int *c, global void *d) { }",
          "buffer, buffer, buffer, buffer");
    check("kernel void f(global int *a, local int *b, int __local *c, __global int d[], __local float e[4]) { }",
          "buffer, local, local, buffer, local");
    check("__kernel void f(read_only image2d_t a, __write_only image3d_t b) { }", "image 2, image 3");
    check("__kernel void f(sampler_t a, size_t b, bool c, not_declared d, int *e, int g) { }", "-, -, -, -, -, i32");
}

static void types_of_a_text_are_known(void **state)
{
    (void)state;
    check("typedef uint u32, *few; typedef u32 word; typedef volatile __global word *words;\n"
          "__kernel void f(word a, words b, u32 c, few d) { }", "u32, buffer, u32, -");
    check("typedef __local int *room; typedef struct { int a[3]; } triple;\n__kernel void f(room a, triple b) { }",
          "local, struct 12");
    check("struct a { int n; }; union b { int n; double x; };\n__kernel void f(struct a a, const union b b) { }",
          "struct 4, struct 8");
    /* Known to be structs, but not how large. */
    check("struct a { size_t n; }; struct b { int *p; }; struct c { int n[N]; };\n"
          "struct d { int n; } __attribute__((aligned(32))); struct e;\n"
          "__kernel void f(struct a a, struct b b, struct c c, struct d d, struct e e, struct g g) { }",
          "struct 0, struct 0, struct 0, struct 0, struct 0, struct 0");
    check("typedef float four __attribute__((vector_size(16)));\n__kernel void f(four a) { }", "-");
    check("enum e { A, B };\nenum g { C = 3, D = -1, };\ntypedef enum { E = 1 << 4 } h;\nenum i { F = A };\n"
          "__kernel void f(enum e a, enum g b, h c, enum i d, enum j e, int g) { }", "u32, i32, u32, -, -, i32");
}

/* Not every driver's compiler ends with one. */
static void structs_within_themselves_are_refused(void **state)
{
    static const struct { const char *text, *says; } wrong[] = {
        { "struct s { struct s x; };\n__kernel void f(struct s x) { }", "some.cl: struct s has itself" },
        { "union u { int a; union u x[2]; };", "union u has itself" },
        { "struct s { int a; struct { struct t { struct s x; } y; } z; };", "struct s has itself" },
        { "typedef struct s { int a; const struct s b, *c; } t;\n__kernel void f(t x) { }", "struct s has itself" },
    };
    struct mw_signatures signatures = { 0 };
    (void)state;
    for (size_t i = 0; i < MW_COUNT(wrong); i++)
        FAILS(MW_EBUILD, wrong[i].says, mw_signatures_read("some.cl", wrong[i].text, &signatures));
    check("struct s { int a; struct s *next; union s *other; };\nstruct t { struct s s; };\n"
          "__kernel void f(struct t x, int b) { }", "struct 0, i32");
}

/* The same text for both: laid out by the compiler, and by the library. */
typedef unsigned char uchar;
typedef float float2 __attribute__((vector_size(8)));
typedef float float4 __attribute__((vector_size(16)));
typedef double double8 __attribute__((vector_size(64)));
#define LAYOUTS(X)                                                                                                   \
    X(a, char c; int i;)                                                                                             \
    X(b, int i; char c;)                                                                                             \
    X(c, char c; double d; char e;)                                                                                  \
    X(d, uchar c[3]; short s; uchar t;)                                                                              \
    X(e, float4 v; char c;)                                                                                          \
    X(g, char c; float2 v[2]; int i, j[2], k;)                                                                       \
    X(h, double8 v; float f;)                                                                                        \
    X(i, struct a a; char c; struct c d[2];)                                                                         \
    X(j, char c; union { int i; struct { short s; double d; } x; char text[21]; } u; char e;)                        \
    X(k, union { char c[5]; short s; } u[3]; unsigned char x;)                                                       \
    X(l, int n[2][3]; const char c[(1 << 2) + 3 * 2 - 1]; long w;)                                                   \
    X(m, char c[sizeof(struct c)]; enum o { O_A, O_B = -1 } e; enum o f[2]; char d[sizeof(int [3]) - 2 * sizeof(char)];)
#define DECLARE(name, ...) struct name { __VA_ARGS__ };
LAYOUTS(DECLARE)

static void structs_are_laid_out_as_in_c(void **state)
{
#define ROW(name, ...) { #name, #__VA_ARGS__, sizeof(struct name) },
    static const struct { const char *name, *members; size_t bytes; } rows[] = { LAYOUTS(ROW) };
    struct mw_text text = { 0 };
    struct mw_signatures signatures;
    (void)state;
    for (size_t i = 0; i < MW_COUNT(rows); i++)
        mw_text_add(&text, "struct %s { %s };\n__kernel void take_%s(struct %s x) { }\n", rows[i].name, rows[i].members,
                    rows[i].name, rows[i].name);
    OK(mw_text_ok(&text));
    read_text(text.data, &signatures);
    assert_int_equal(signatures.count, MW_COUNT(rows));
    for (size_t i = 0; i < MW_COUNT(rows); i++) {
        assert_int_equal(signatures.rows[i].parameter_count, 1);
        if (signatures.rows[i].parameters[0].bytes != rows[i].bytes)
            fail_msg("struct %s { %s }: %zu bytes, not %zu", rows[i].name, rows[i].members,
                     signatures.rows[i].parameters[0].bytes, rows[i].bytes);
    }
    mw_signatures_free(&signatures);
    mw_text_free(&text);
}

/* ---- macros and conditions ---- */

static void macros_are_replaced(void **state)
{
    (void)state;
    check("#define N 3\n#define LIST const int a, uint b\nstruct s { int n[N * 2]; };\n"
          "#define WORD(bits) u##bits\ntypedef ulong u64;\n__kernel void f(LIST, struct s s, WORD(64) w) { }",
          "i32, u32, struct 24, u64");
    check("#define FIELDS(X) X(a) X(b) X(c)\n#define DECLARE(name) float name;\nstruct s { FIELDS(DECLARE) };\n"
          "#define OF_EIGHT __attribute__((reqd_work_group_size(8, 1, 1)))\n"
          "__kernel OF_EIGHT void f(struct s s) { }", "struct 12");
    check("#define KERNEL(name, ...) __kernel void name(__VA_ARGS__)\nKERNEL(f, int a, float b) { if (a) { } }",
          "i32, f32");
    check("#define T int\n__kernel void g(T a) { }\n#undef T\n#define T float\n__kernel void f(T a) { }", "f32");
    check("#define MAKE void f(int a) { if (a) { } }\n__kernel MAKE\n__kernel void g(int a) { }", "i32");
    struct mw_text chain = { 0 };
    for (int i = 0; i < 300; i++)
        mw_text_add(&chain, "#define A%d A%d\n", i, i + 1);
    mw_text_add(&chain, "#define A300 3\n#if A0 == 3\n#define T float\n#else\n#define T int\n#endif\n"
                "__kernel void f(T a) { }");
    check(chain.data, "f32");
    mw_text_free(&chain);
    check("#define END }\n__kernel void g(int a) { END\n__kernel void f(int a) { }", "no f");
}

static void conditions_are_followed(void **state)
{
    static const struct { const char *condition; bool holds; } rows[] = {
        { "1", true }, { "0", false }, { "N", true }, { "M", false }, { "N == 3 && M == 0", true },
        { "defined N", true }, { "defined(M)", false },
        { "(N + 1) * 2 - 3 == 5", true }, { "N << 2 > 11", true }, { "-1 < 0", true },
        { "7 / 2 == 3 && 7 % 2 == 1", true },
        { "N > 2 ? M : 1", false }, { "0x10 == 16 && 010 == 8 && 5u == 5L", true }, { "(N & 1) | (N ^ 3)", true },
        { "TWICE(N) == 6", true }, { "~N == -4", true }, { "!N", false }, { "N >= 3 && N <= 3 && N != 4", true },
        { "__CUDACC__", false }, { "defined(__OPENCL_VERSION__)", true }, { "0 && __clang__", false },
        { "1 || defined(__clang__)", true },
    };
    char text[512];
    (void)state;
    for (size_t i = 0; i < MW_COUNT(rows); i++) {
        snprintf(text, sizeof text, "#define N 3\n#define TWICE(x) ((x) + (x))\n#if %s\n#define T int\n#else\n"
                 "#define T float\n#endif\n__kernel void f(T a) { }", rows[i].condition);
        check(text, rows[i].holds ? "i32" : "f32");
    }
    check("#define B\n#ifdef A\n#define T int\n#elif defined(B)\n#define T float\n#else\n#define T long\n#endif\n"
          "__kernel void f(T a) { }", "f32");
    check("#if 0\n#if 1\n__kernel void f(int a) { }\n#endif\n#else\n__kernel void f(float a) { }\n#endif", "f32");
    check("__kernel void g(int a) {\n#ifdef A\n}}}\n#else\n#define T float\n#endif\n}\n__kernel void f(T a) { }",
          "f32");
    check("struct s {\n int a;\n#ifdef A\n int b;\n#endif\n};\n__kernel void f(struct s s) { }", "struct 4");
}

static void what_a_driver_decides_is_not_known(void **state)
{
    static const char *const conditions[] = {
        "__clang__", "defined(__clang__)", "__OPENCL_VERSION__ >= 200", "defined(cl_khr_fp16)", "!defined(__GPU__)",
        "0xffffffffffffffff", "1 / 0", "1 +", "'a'", "-1 < 0u", "LONG_MAX > 0x7fffffff", "defined(M_PI)",
    };
    char text[512];
    (void)state;
    for (size_t i = 0; i < MW_COUNT(conditions); i++) {
        snprintf(text, sizeof text, "#if %s\n#define T int\n__kernel void f(int a) { }\n#else\n#define T float\n"
                 "#endif\n__kernel void g(int a, T b) { }\n", conditions[i]);
        check(text, "no f");
    }
    check("#ifdef __clang__\ntypedef int t;\n#else\ntypedef float t;\n#endif\n__kernel void f(t a, int b) { }",
          "-, i32");
    check("struct s {\nint a;\n#ifdef __clang__\nint b;\n#endif\n};\n__kernel void f(struct s s) { }", "struct 0");
    check("__kernel void g(int a) {\n#ifdef __clang__\nif (a) {\n#else\n{\n#endif\n} }\n__kernel void f(int a) { }",
          "i32");
    check("#ifdef __clang__\n#else\n#define A 1\n#endif\n#if A\ntypedef int t;\n#else\ntypedef float t;\n#endif\n"
          "__kernel void f(t a) { }", "-");
    /* Nothing of them stands in the branch that is read. */
    check("struct s {\nint a;\n#ifdef __clang__\n#else\nint b;\n#endif\n};\n__kernel void f(struct s s, int b) { }",
          "struct 0, i32");
    check("__kernel void f(\n#ifdef __clang__\n#else\nunsigned\n#endif\nint a) { }", "no f");
    check("__kernel void f(int a) {\n#ifdef __clang__\n#else\na++;\n#endif\n}", "i32");
    check("#pragma pack(1)\n__kernel void f(int a) { }", "no f");
    /* A guard is none of a driver's, whatever its name. */
    check("#ifndef __FILE_CLH__\n#define __FILE_CLH__\n__kernel void f(int a) { }\n#endif", "i32");
    check("#ifndef __IMAGE_SUPPORT__\n#define __IMAGE_SUPPORT__ 0\n#endif\n#if __IMAGE_SUPPORT__\n#define T int\n"
          "#else\n#define T float\n#endif\n__kernel void f(T a) { }", "no f");
    check("#ifndef  __A\n#define  __B\n#define T int\n#else\n#define T float\n#endif\n__kernel void f(T a) { }",
          "no f");
}

/* One that is not understood does not keep the others from being read. */
static void each_kernel_is_by_itself(void **state)
{
    (void)state;
    check("__kernel void g(int, float) { }\n__kernel void h(int (*a)(int)) { }\n__kernel void f(int a) { }", "i32");
    check("static const int t[] = { 1, 2 };\n__constant struct { int a; } u[] = { { 1 } };\n"
          "int g(int a) { return a; }\n__kernel void declared(int a);\n"
          "__kernel void f(int a) { char c = '}'; /* } */ // }\n }", "i32");
    check("// none, it goes on \\\n__kernel void f(float a) { }\n__kernel void f(int a) { }", "i32");
}

/* ---- macros as the compiler's own preprocessor replaces them ---- */

/* Macros that name each other, with and without arguments, in a struct each.  Every list in parentheses has two
 * elements, since a macro's name may come to stand before it. */
static void add_random_macros(struct mw_text *text)
{
    static const char *const plain[] = { "a", "b A", "C", "D (b, c)", "E", "(E, b)", "D", "" };
    static const char *const pairs[] = { "x y", "y x", "D(y, x) x", "x", "C y", "x (y, A)" };
    static const char *const uses[] = {
        "A", "B", "C", "C (a, b)", "D(a, b)", "D(A, B)", "D(C(a, b), D(a, (b, c)))", "E", "F(A, B)", "F(a, )", "F(, A)",
        "G(a)(b, c)", "D", "H", "G(D(a, b))", "D((a, A), b)", "G( )", "G(G(A))", "G(F(C, b)) (C, D)",
    };
    for (const char *name = "ABCEH"; *name; name++)
        mw_text_add(text, "#undef %c\n#define %c %s\n", *name, *name, plain[(size_t)rand() % MW_COUNT(plain)]);
    mw_text_add(text, "#undef D\n#define D(x, y) %s %s\n", pairs[(size_t)rand() % MW_COUNT(pairs)],
                plain[(size_t)rand() % MW_COUNT(plain)]);
    mw_text_add(text, "#undef F\n#define F(x, y) x##y %s\n", plain[(size_t)rand() % MW_COUNT(plain)]);
    mw_text_add(text, "#undef G\n#define G(x) x %s\n", plain[(size_t)rand() % MW_COUNT(plain)]);
    mw_text_add(text, "struct {");
    for (int i = 0; i < 4; i++)
        mw_text_add(text, " %s ;", uses[(size_t)rand() % MW_COUNT(uses)]);
    mw_text_add(text, "};\n");
}

/* Its tokens, one blank apart; lines that name files left out. */
static char *in_tokens(const char *text)
{
    struct mw_text words = { 0 };
    struct mw_token token;
    for (const char *at = text; *(at += strspn(at, " \t\r\n")); ) {
        if (*at == '#') {
            at += strcspn(at, "\n");
            continue;
        }
        at = mw_token_read(at, &token);
        mw_text_append(&words, token.at, token.length);
        mw_text_append(&words, token.at[0] == ';' ? "\n" : " ", 1);
    }
    OK(mw_text_ok(&words));
    return words.data;
}

static void macros_are_those_of_c(void **state)
{
    enum { STRUCTS = 400 };
    const char *cc = getenv("CC");
    struct mw_text text = { 0 }, found = { 0 };
    char command[512], *bytes = NULL;
    size_t n;
    (void)state;
    seed_random();
    for (int i = 0; i < STRUCTS; i++)
        add_random_macros(&text);
    OK(mw_text_ok(&text));
    put_bytes(in("macros.c"), text.data, text.length);
    snprintf(command, sizeof command, "%s -E %s/macros.c >%s/replaced.c", cc && *cc ? cc : "cc", folder, folder);
    if (system("command -v ${CC:-cc} >/dev/null 2>&1") != 0)
        skip();
    assert_int_equal(system(command), 0);
    OK(mw_file_read(in("replaced.c"), (size_t)1 << 24, &bytes, &n));
    OK(mw_resolve(text.data, &found));
    char *expected = in_tokens(bytes), *got = in_tokens(found.data);
    for (size_t i = 0; expected[i] || got[i]; i++)
        if (expected[i] != got[i])
            fail_msg("\"%.60s\", not \"%.60s\"", got + (i > 20 ? i - 20 : 0),
                     expected + (i > 20 ? i - 20 : 0));
    free(expected);
    free(got);
    free(bytes);
    mw_text_free(&text);
    mw_text_free(&found);
}

/* ---- the library's own kernels ---- */

static void compare(const char *program, const struct mw_native_kernel *native, const struct mw_signatures *signatures)
{
    for (const struct mw_native_kernel *k = native; k->name; k++) {
        const struct mw_signature *s = mw_signature_find(signatures, k->name);
        if (!s || s->parameter_count != k->parameters[0].bytes)
            fail_msg("%s: %s has %zu parameters, not %u", program, k->name, s ? s->parameter_count : 0,
                     k->parameters[0].bytes);
        for (size_t i = 0; i < s->parameter_count; i++)
            if (s->parameters[i].types != MW_TAKES(k->parameters[i + 1].type) ||
                s->parameters[i].bytes != k->parameters[i + 1].bytes)
                fail_msg("%s: %s, parameter %zu: types %x of %zu bytes, not type %u of %u", program, k->name, i,
                         s->parameters[i].types, s->parameters[i].bytes, k->parameters[i + 1].type,
                         k->parameters[i + 1].bytes);
    }
}

static const char *kernel_folder(void)
{
    static char path[1024];
    const char *source = getenv("srcdir");
    snprintf(path, sizeof path, "%s/cl", source && *source ? source : ".");
    return path;
}

static void flatten(const char *file, const char *defines, struct mw_text *flat)
{
    const struct mw_source source = { .file = file, .defines = defines };
    *flat = (struct mw_text){ 0 };
    OK(mw_flatten(kernel_folder(), &source, flat));
}

static void kernels_take_what_their_native_forms_take(void **state)
{
#define PROGRAM(file, name, defines) { file, #name, defines, mw_native_##name },
    static const struct { const char *file, *name, *defines; const struct mw_native_kernel *native; } programs[] = {
#include "kernels/programs.inc"
    };
    (void)state;
    for (size_t i = 0; i < MW_COUNT(programs); i++) {
        struct mw_text flat;
        struct mw_signatures signatures;
        /* These are of native devices alone. */
        if (strcmp(programs[i].file, "label/kinds.cl") == 0 || strcmp(programs[i].file, "label/runs.cl") == 0)
            continue;
        flatten(programs[i].file, programs[i].defines, &flat);
        read_text(flat.data, &signatures);
        compare(programs[i].name, programs[i].native, &signatures);
        mw_signatures_free(&signatures);
        mw_text_free(&flat);
    }
}

/* Texts that are cut off, or have bytes of others: read without a fault, whatever is found. */
static void damaged_texts_end(void **state)
{
    static const char bytes[] = "{}()#\\\n\"'/*;,[]=0A ";
    struct mw_text flat;
    (void)state;
    seed_random();
    flatten("graph/generate/generate.cl", "#define TILE 32\n", &flat);
    for (int round = 0; round < 300; round++) {
        struct mw_signatures signatures;
        char *text = NULL;
        OK(mw_strdup(flat.data, &text));
        for (int i = 0; i < 20; i++)
            text[(size_t)rand() % flat.length] = bytes[(size_t)rand() % (sizeof bytes - 1)];
        text[(size_t)rand() % flat.length] = '\0';
        read_text(text, &signatures);
        mw_signatures_free(&signatures);
        free(text);
    }
    mw_text_free(&flat);
}

/* What has no end, or one that is far away, is given up, and what follows is read. */
static void deep_texts_end(void **state)
{
    static const char *const repeated[] = { "(", "0 ? 1 : ", "1 ? ", "!", "1 || " };
    struct mw_text text = { 0 };
    (void)state;
    mw_text_add(&text, "#define A0 x\n");
    for (int i = 1; i <= 50; i++)
        mw_text_add(&text, "#define A%d A%d A%d\n", i, i - 1, i - 1);
    mw_text_add(&text, "A50;\n");
    for (size_t i = 0; i < MW_COUNT(repeated); i++) {
        mw_text_add(&text, "#if ");
        for (int k = 0; k < 200000; k++)
            mw_text_append(&text, repeated[i], strlen(repeated[i]));
        mw_text_add(&text, "1\n#endif\n");
    }
    mw_text_add(&text, "__kernel void f(int a) { }\n");
    OK(mw_text_ok(&text));
    check(text.data, "i32");
    mw_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_of_opencl_are_known),
        cmocka_unit_test(sizes_within_sizes_come_to_an_end),
        cmocka_unit_test(types_of_a_text_are_known),
        cmocka_unit_test(structs_within_themselves_are_refused),
        cmocka_unit_test(structs_are_laid_out_as_in_c),
        cmocka_unit_test(macros_are_replaced),
        cmocka_unit_test(conditions_are_followed),
        cmocka_unit_test(what_a_driver_decides_is_not_known),
        cmocka_unit_test(each_kernel_is_by_itself),
        cmocka_unit_test(macros_are_those_of_c),
        cmocka_unit_test(kernels_take_what_their_native_forms_take),
        cmocka_unit_test(damaged_texts_end),
        cmocka_unit_test(deep_texts_end),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
/* SPDX-License-Identifier: MIT */
