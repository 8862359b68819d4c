/* Model files: accepted contents, derived properties, and the message for each mistake. */
#include "model/model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/check.h"

#define HEAD "//@ model test \"equation\"\n//@ field c noise=0.5 mean=-1e-1\n"

static struct mw_model *parse(const char *text)
{
    struct mw_model *model = NULL;
    if (mw_model_from_text("test.cl", text, &model) != 0)
        fail_msg("%s", mw_errmsg());
    return model;
}

static void a_header_is_read(void **unused)
{
    struct mw_model *m = parse("//@ model some-name \"dc/dt = ...\"\r\n"
                               "//@ about \"What it is.\"\n"
                               "  //@ field c noise=0.5 mean=-1e-1\n"
                               "//@ field d outside=2.5\n"
                               "//@ param K -2.5 \"help, with commas\"\n"
                               "//@ dt 0.125\n"
                               "//@ conserve d\n"
                               "RATE(d) { return LAP(c); }\n"
                               "RATE(c) { return AT(d); }");
    const struct mw_model_info *info = mw_model_info(m);
    assert_string_equal(info->name, "some-name");
    assert_string_equal(info->equation, "dc/dt = ...");
    assert_string_equal(info->about, "What it is.");
    assert_string_equal(info->path, "test.cl");
    assert_int_equal(info->field_count, 2);
    assert_string_equal(info->fields[0].name, "c");
    assert_true(info->fields[0].noise == 0.5 && info->fields[0].mean == -0.1 && info->fields[0].outside == 0);
    assert_false(info->fields[0].conserved);
    assert_int_equal(info->fields[0].part, MW_COMPLEX_PART_NONE);
    assert_true(info->fields[1].noise == 0 && info->fields[1].mean == 0 && info->fields[1].outside == 2.5);
    assert_true(info->fields[1].conserved);
    assert_int_equal(info->param_count, 1);
    assert_string_equal(info->params[0].name, "K");
    assert_true(info->params[0].value == -2.5);
    assert_string_equal(info->params[0].help, "help, with commas");
    assert_true(info->dt == 0.125);
    assert_false(info->has_energy || info->has_noise);
    mw_model_free(m);
}

static void a_complex_field_is_two(void **unused)
{
    struct mw_model *m = parse("//@ model m \"e\"\n"
                               "//@ field psi mean=0.25 complex noise=0.5 outside=-3\n"
                               "//@ conserve psi\n"
                               "RATE(psi_re) { return LAP(psi_im); }\n"
                               "RATE(psi_im) { return -LAP(psi_re); }\n");
    const struct mw_model_field *f = mw_model_info(m)->fields;
    assert_int_equal(mw_model_info(m)->field_count, 2);
    assert_string_equal(f[0].name, "psi_re");
    assert_string_equal(f[1].name, "psi_im");
    assert_int_equal(f[0].part, MW_COMPLEX_PART_REAL);
    assert_int_equal(f[1].part, MW_COMPLEX_PART_IMAGINARY);
    assert_true(f[0].noise == 0.5 && f[0].mean == 0.25 && f[0].outside == -3 && f[0].conserved);
    assert_true(f[1].noise == 0.5 && f[1].mean == 0 && f[1].outside == 0 && f[1].conserved);
    mw_model_free(m);
}

static void noise_and_energy_are_found(void **unused)
{
    struct mw_model *m = parse(HEAD "//@ noise xi \"heat\"\n//@ noise eta amplitude=b \"\"\n//@ param a 1 \"\"\n"
                                    "//@ param b 1 \"\"\nSTAGE(n) { return RANDOM(eta); }\n"
                                    "ENERGY( ) { return GRAD2(c); }\nRATE(c) { return NOISE(xi) * AT(n); }");
    assert_true(mw_model_info(m)->has_noise && mw_model_info(m)->has_energy);
    assert_int_equal(m->noise_count, 2);
    assert_string_equal(m->noises[0].name, "xi");
    assert_string_equal(m->noises[1].name, "eta");
    assert_true(m->noises[0].param == -1 && m->noises[1].param == 1);
    assert_int_equal(m->use_count, 4);
    assert_true(m->uses[0].by == 0 && m->uses[0].of_stage == MW_OF_FIELD && m->uses[0].what == MW_OP_RANDOM);
    assert_true(m->uses[1].by == MW_BY_ENERGY && m->uses[1].what == MW_OP_GRAD2);
    assert_true(m->uses[2].by == MW_BY_RATES && m->uses[2].what == MW_OP_NOISE);
    assert_true(m->uses[3].by == MW_BY_RATES && m->uses[3].of_stage == 0 && m->uses[3].what == MW_OP_AT);
    mw_model_free(m);
}

/* The maximum number, and one more. */
static void names_end_somewhere(void **unused)
{
    for (int count = MW_MODEL_NAMES_MAX / 2; count <= MW_MODEL_NAMES_MAX / 2 + 1; count++) {
        struct mw_text t = { 0 };
        struct mw_model *model = NULL;
        mw_text_add(&t, "//@ model m \"e\"\n");
        for (int i = 0; i < count; i++)
            mw_text_add(&t, "//@ field a_long_name_of_letters_%02d complex\n", i);
        for (int i = 0; i < count; i++)
            mw_text_add(&t,
                        "RATE(a_long_name_of_letters_%02d_re) { return 0; }\n"
                        "RATE(a_long_name_of_letters_%02d_im) { return 0; }\n",
                        i, i);
        assert_int_equal(mw_text_ok(&t), 0);
        const int rc = mw_model_from_text("test.cl", t.data, &model);
        assert_int_equal(rc, count > MW_MODEL_NAMES_MAX / 2 ? MW_EBUILD : 0);
        if (rc == 0)
            assert_string_equal(mw_model_info(model)->fields[63].name, "a_long_name_of_letters_31_im");
        else
            assert_string_equal(mw_errmsg(), "test.cl:34: too many fields");
        mw_model_free(model);
        mw_text_free(&t);
    }
}

/* ---- reach ---- */

/* Expected properties of a model, worked out by hand: `rest` follows the header with one field c. */
/* clang-format off */
static const struct {
    const char *rest;
    enum mw_laplacian laplacian;
    int radius, reach, energy, max_lead, lead[3], ring[3];
    double looks;
} reaches[] = {
    { "RATE(c) { return AT(c); }", MW_LAPLACIAN_SECOND, 0, 0, 0, 0, { 0 }, { 0 }, 1 },
    { "STAGE(mu) { return AT(c) - LAP(c); }\nRATE(c) { return LAP(mu); }", MW_LAPLACIAN_SECOND,
      1, 2, 0, 1, { 1 }, { 3 }, 7 * (1 + 7) },
    { "STAGE(mu) { return AT(c) - LAP(c); }\nRATE(c) { return LAP(mu); }", MW_LAPLACIAN_FOURTH,
      2, 4, 0, 2, { 2 }, { 5 }, 13 * (1 + 13) },
    { "STAGE(mu) { return AT(c) - LAP(c); }\nRATE(c) { return LAP(mu); }", MW_LAPLACIAN_ISOTROPIC,
      1, 2, 0, 1, { 1 }, { 3 }, 19 * (1 + 19) },
    { "RATE(c) { return BIHARM(c); }", MW_LAPLACIAN_SECOND, 2, 2, 0, 0, { 0 }, { 0 }, 49 },
    { "RATE(c) { return BIHARM(c); }", MW_LAPLACIAN_FOURTH, 4, 4, 0, 0, { 0 }, { 0 }, 169 },
    { "RATE(c) { return AVG(c) + GRAD2(c) * GRAD_X(c) * GRAD_Y(c) * GRAD_Z(c); }", MW_LAPLACIAN_FOURTH,
      1, 1, 0, 0, { 0 }, { 0 }, 18 },
    /* p is needed two rows ahead by q, and in its own row by the rate. */
    { "STAGE(p) { return LAP(c); }\nSTAGE(q) { return LAP(p); }\nRATE(c) { return LAP(q) + AT(p); }",
      MW_LAPLACIAN_SECOND, 1, 3, 0, 2, { 2, 1 }, { 3, 3 }, 7 * 7 * 7 + 7 },
    /* The rate reads p one row before itself, and q needs p two rows ahead. */
    { "STAGE(p) { return AT(c); }\nSTAGE(q) { return LAP(p); }\nRATE(c) { return LAP(q) + LAP(p); }",
      MW_LAPLACIAN_SECOND, 1, 2, 0, 2, { 2, 1 }, { 4, 3 }, 7 * 7 + 7 },
    /* Read only in its own row: one row. */
    { "STAGE(p) { return LAP(c); }\nRATE(c) { return AT(p); }", MW_LAPLACIAN_SECOND, 1, 1, 0, 0, { 0 }, { 1 }, 7 },
    /* The energy has a larger reach than the rate, which affects nothing else. */
    { "STAGE(p) { return LAP(c); }\nENERGY() { return BIHARM(p) + AT(c); }\nRATE(c) { return AT(p); }",
      MW_LAPLACIAN_SECOND, 1, 1, 3, 0, { 0 }, { 1 }, 7 },
    /* A stage of the energy only, and one that only this stage needs. */
    { "STAGE(p) { return AT(c); }\nSTAGE(q) { return LAP(p); }\nENERGY() { return LAP(q); }\nRATE(c) { return AT(c); }",
      MW_LAPLACIAN_SECOND, 1, 1, 2, 1, { 1, 0 }, { 3, 1 }, 1 },
    { "//@ noise n \"\"\nSTAGE(p) { return NOISE(n); }\nRATE(c) { return GRAD_X(p); }", MW_LAPLACIAN_SECOND,
      1, 1, 0, 1, { 1 }, { 3 }, 2 },
};
/* clang-format on */

static void reach_follows_from_the_operators(void **unused)
{
    for (size_t i = 0; i < MW_COUNT(reaches); i++) {
        struct mw_text t = { 0 };
        struct mw_reach r;
        mw_text_add(&t, "%s%s", HEAD, reaches[i].rest);
        struct mw_model *m = parse(t.data);
        mw_model_reach(m, reaches[i].laplacian, &r);
        print_message("%s\n", reaches[i].rest);
        assert_int_equal(r.radius, reaches[i].radius);
        assert_int_equal(r.reach, reaches[i].reach);
        assert_int_equal(r.energy, reaches[i].energy);
        assert_int_equal(r.max_lead, reaches[i].max_lead);
        for (size_t s = 0; s < m->stage_count; s++) {
            assert_int_equal(r.lead[s], reaches[i].lead[s]);
            assert_int_equal(r.ring[s], reaches[i].ring[s]);
        }
        assert_true(r.looks == reaches[i].looks);
        mw_model_free(m);
        mw_text_free(&t);
    }
}

/* Counts signs between two numbers in stages and rates, and sums of operators; not in an energy, in comments, before a
 * number, or in other declarations. */
static void operations_are_counted(void **unused)
{
    struct mw_model *m = parse(HEAD "#define TWICE(x) ((x) + (x))\n"
                                    "STAGE(s) { return -AT(c) * AT(c) /* a * b */ - R(1e-3); }\n"
                                    "RATE(c) { const realv a = (AT(c)) / R(2.0); // a + b\n return a + LAP(s); }\n"
                                    "ENERGY() { return AT(c) * LAP(c) * AT(c); }");
    assert_true(mw_model_operations(m, MW_LAPLACIAN_SECOND, 2) == 4 + 5);
    assert_true(mw_model_operations(m, MW_LAPLACIAN_SECOND, 3) == 4 + 7);
    assert_true(mw_model_operations(m, MW_LAPLACIAN_FOURTH, 1) == 4 + 7);
    assert_true(mw_model_operations(m, MW_LAPLACIAN_ISOTROPIC, 2) == 4 + 11);
    mw_model_free(m);
    /* A comment that ends like a block comment without the beginning of one. */
    m = parse(HEAD "RATE(c) { return AT(c) * LAP(c) // see above */\r\n - AT(c); }");
    assert_true(mw_model_operations(m, MW_LAPLACIAN_SECOND, 2) == 2 + 5);
    mw_model_free(m);
    m = parse(HEAD "RATE(c) { return c */ - c; }");
    mw_model_free(m);
    m = parse(HEAD "RATE(c) { return AVG(c) + GRAD_X(c) + GRAD2(c) + BIHARM(c); }");
    assert_true(mw_model_operations(m, MW_LAPLACIAN_SECOND, 2) == 3 + 4 + 2 + 7 + 30);
    mw_model_free(m);
    m = parse(HEAD "//@ noise n \"\"\nRATE(c) { return NOISE(n); }");
    assert_true(isnan(mw_model_operations(m, MW_LAPLACIAN_SECOND, 2)));
    mw_model_free(m);
}

/* Stages that depend only on noise, also indirectly, are constant over the updates of a time step. */
static void stages_of_noise_are_still(void **unused)
{
    static const bool still[] = { true, false, true, false };
    struct mw_text t = { 0 };
    mw_text_add(&t,
                "%s//@ noise n \"\"\nSTAGE(p) { return NOISE(n); }\nSTAGE(q) { return AT(p) * AT(c); }\n"
                "STAGE(r) { return AT(p) * LAP(p) - RANDOM(n); }\nSTAGE(s) { return AT(r) + AT(q); }\n"
                "RATE(c) { return LAP(s); }",
                HEAD);
    struct mw_model *m = parse(t.data);
    assert_int_equal(m->stage_count, MW_COUNT(still));
    for (size_t s = 0; s < MW_COUNT(still); s++)
        assert_int_equal(mw_model_is_still(m, s), still[s]);
    mw_model_free(m);
    mw_text_free(&t);
}

static void comments_and_strings_are_passed_over(void **unused)
{
    struct mw_model *m = parse(HEAD "/* STAGE(no) LAP(nothing)\n } { */ // RATE(x)\n#define Q(x) \\\n (x) /* LAP */\n"
                                    "RATE(c) { return LAP( c ) /* LAP(z) */; }");
    assert_int_equal(m->stage_count, 0);
    assert_int_equal(m->use_count, 1);
    mw_model_free(m);
}

/* Parameters may be declared after their use; braces may be in branches of which compilers see only one. */
static void what_is_declared_later_or_by_branches_is_fine(void **unused)
{
    struct mw_model *m = parse(HEAD "#ifdef A\nRATE(c) { if (P(a)) {\n#else\nINLINE real f(real x) {\n#endif\n"
                                    "return AT(c) * P(a) /* P(no) */; } } }\n//@ param a 1 \"\"\n");
    assert_int_equal(m->info.param_count, 1);
    mw_model_free(m);
}

/* Numbers become cells if that is certain, once each; everything else is unchanged. */
static void numbers_become_cells_where_that_is_certain(void **unused)
{
    static const char *const texts[][2] = {
        { "RATE(c) { return P(a) * 2; }", "RATE(c) { return splat(P(a) * 2); }" },
        { "RATE(c) { real r = R(1.); r += P(a) > R(1.0) ? R(1.0) : exp(r); return AT(c); }", NULL },
        { "RATE(c) { realv r = AT(c); r -= P(a) > R(1.0) ? R(1.0) : AT(c); return r; }",
          "RATE(c) { realv r = AT(c); r -= P(a) > R(1.0) ? splat(R(1.0)) : AT(c); return r; }" },
        { "RATE(c) { realv r = AT(c); r *= P(a) ? AT(c) : R(1.0); r /= P(a) ? r : 2; return r; }",
          "RATE(c) { realv r = AT(c); r *= P(a) ? AT(c) : splat(R(1.0)); r /= P(a) ? r : splat(2); return r; }" },
        { "RATE(c) { return P(a) ? P(a) > 2 ? 1 : 2 : AT(c); }",
          "RATE(c) { return P(a) ? splat(P(a) > 2 ? 1 : 2) : AT(c); }" },
        { "RATE(c) { return P(a) ? 1 : P(a) > 2 ? AT(c) : 2; }",
          "RATE(c) { return P(a) ? splat(1) : P(a) > 2 ? AT(c) : splat(2); }" },
        { "RATE(c) { return P(a) ? P(a) > 2 ? 1 : AT(c) : 3; }",
          "RATE(c) { return P(a) ? P(a) > 2 ? splat(1) : AT(c) : splat(3); }" },
        { "typedef struct { realv re, im; } cx;\nRATE(c) { cx z; z.re = AT(c); z.im = 1; return z.re; }", NULL },
        { "RATE(c) { realv u = 0 * AT(c), *p = &u; *p = AT(c); return *p; }", NULL },
        { "RATE(c) { realv u = AT(c); { real v = P(a), *u = &v; *u += 1; if (*u > 2) v = 1; } return u; }", NULL },
        { "RATE(c) { { realv u = AT(c); u += u; } real u = P(a); if (u > 1) u = 2; return u * AT(c); }", NULL },
        { "constant real u = 1;\nRATE(c) { { realv u = AT(c); u += 1; } return u > 1 ? AT(c) : AT(c); }", NULL },
        { "INLINE real first(realv x) { return as_number(x); }\nRATE(c) { return first(AT(c)) > 1 ? AT(c) : 0; }",
          "INLINE real first(realv x) { return as_number(x); }\n"
          "RATE(c) { return first(AT(c)) > 1 ? AT(c) : splat(0); }" },
        { "#define HALF R(0.5)\nRATE(c) { realv u; u = HALF; return HALF; }", NULL },
        { "RATE(c) { real t[2] = { 1, 2 }; int i = sizeof(realv) > 8; return t[i] * AT(c); }", NULL },
        { "RATE(c) { realv r = load_lanes(P(a)), s = { 0 }; return r; }", NULL },
        { "INLINE void put(realv *to, const realv x) { *to = x; }\nRATE(c) { realv r; put(&r, 1); return r; }",
          "INLINE void put(realv *to, const realv x) { *to = x; }\nRATE(c) { realv r; put(&r, splat(1)); return r; }" },
    };
    for (size_t i = 0; i < MW_COUNT(texts); i++) {
        static const char head[] = HEAD "//@ param a 1 \"\"\n";
        struct mw_text text = { 0 };
        mw_text_add(&text, "%s%s", head, texts[i][0]);
        struct mw_model *m = parse(text.data);
        assert_string_equal(strstr(m->text, "\"\"\n") + 3, texts[i][texts[i][1] != NULL]);
        mw_model_free(m);
        mw_text_free(&text);
    }
}

#define SPIN "//@ model m \"e\"\n//@ spin s signs\n"
static const struct {
    const char *text, *message;
} slips[] = {
    { "", "test.cl:1: no //@ model line: this is not a model file" },
    { "int main(void) { return 0; }", "test.cl:1: no //@ model line: this is not a model file" },
    { "//@ model m \"e\"\n", "test.cl:1: no //@ field line, and no //@ spin line" },
    { "//@ model m\n", "test.cl:1: expected a text in double quotes" },
    { "//@ model\n", "test.cl:1: expected the model's name" },
    { "//@ model m \"e\n", "test.cl:1: the text has no closing quote" },
    { "//@ model m \"e\"\n//@ model n \"e\"\n", "test.cl:2: a second //@ model line" },
    { HEAD, "test.cl:1: no RATE for the field c" },
    { HEAD "//@ fields d\n",
      "test.cl:3: expected model, about, param, field, noise, dt, conserve, spin, bond, site or start after //@" },
    { HEAD "//@ field 2d\n", "test.cl:3: expected a name (letters, digits, '_')" },
    { HEAD "//@ field d noise=\n", "test.cl:3: expected a finite number" },
    { HEAD "//@ field d noise=nan\n", "test.cl:3: expected a finite number" },
    { HEAD "//@ field d colour=3\n", "test.cl:3: expected complex, noise=NUMBER, mean=NUMBER or outside=NUMBER" },
    { HEAD "//@ field c\n", "test.cl:3: declared twice: c" },
    { HEAD "//@ param LAP 1 \"\"\n", "test.cl:3: names in capitals are reserved for the model language: LAP" },
    { HEAD "//@ param a_name_of_far_too_many_characters 1 \"\"\n",
      "test.cl:3: names have at most 31 characters: a_name_of_far_too_many_characters" },
    { HEAD "//@ param a \"\"\n", "test.cl:3: expected a finite number" },
    { HEAD "//@ dt\n7 RATE(c) { return AT(c); }\n", "test.cl:3: expected a finite number" },
    { HEAD "//@ param a 1 \"\" more\n", "test.cl:3: unexpected text at the end of this line" },
    { HEAD "//@ dt 0\n", "test.cl:3: dt must be positive" },
    { HEAD "//@ conserve d\n", "test.cl:3: conserve needs the name of a field declared above" },
    { HEAD "\nRATE(d) { return AT(c); }", "test.cl:4: RATE needs the name of a field declared by //@ field" },
    { HEAD "RATE(c) { return 0; }\nRATE(c) { return 0; }", "test.cl:4: a second RATE for c" },
    { HEAD "RATE(c) {\n\n return LAP(d); }", "test.cl:5: no field or earlier stage has the name d" },
    { HEAD "RATE(c) { return LAP(c + 1); }", "test.cl:3: operators take the name of one field or stage: LAP" },
    { HEAD "#define D(x) \\\n LAP(x)\n", "test.cl:4: operators are not allowed in macros: LAP" },
    { HEAD "#define Q \\\r\n 1 // AT\nRATE(d)", "test.cl:5: RATE needs the name of a field declared by //@ field" },
    { HEAD "RATE(c) {\n return 0.5 * AT(c); }",
      "test.cl:4: double-precision constant: write R(...) around it, or add the suffix f: 0.5" },
    { HEAD "RATE(c) { return R(0.5) * 2 * 0.25f * AT(c) + 1e-3; }",
      "test.cl:3: double-precision constant: write R(...) around it, or add the suffix f: 1e-3" },
    { HEAD "RATE(c) {\n return AT(c) > R(1.0) ? R(0.0) : R(1.0); }",
      "test.cl:4: cells cannot be compared, since several are computed at once: >" },
    { HEAD "RATE(c) {\n const realv u = AT(c), w = u;\n return R(1.0) + (w != 0 && 1) * R(2.0); }",
      "test.cl:5: cells cannot be compared, since several are computed at once: !=" },
    { HEAD "RATE(c) { return AT(c) * AT(c) ? R(0.0) : R(1.0); }",
      "test.cl:3: cells cannot decide, since several are computed at once: ?" },
    { HEAD "RATE(c) {\n if (LAP(c))\n return R(1.0);\n return AT(c); }",
      "test.cl:4: cells cannot decide, since several are computed at once: if" },
    { HEAD "RATE(c) { real r = R(1.0); /* ; */\n r += AT(c); return r; }",
      "test.cl:4: a single number cannot hold cells: declare it as realv: r" },
    { HEAD "INLINE real f(const realv x)\n{ return x; }\nRATE(c) { return f(AT(c)); }",
      "test.cl:4: a function that returns cells is declared with realv: return" },
    { HEAD "INLINE realv f(const real x) { return x; }\nRATE(c) { return f(AT(c)); }",
      "test.cl:4: a function that takes cells declares them as realv: f" },
    { HEAD "RATE(c) { double r = AT(c); return r; }",
      "test.cl:3: type not supported by all devices: use real, the precision of the run, instead of double" },
    { HEAD "STAGE(c) { return 0; }", "test.cl:3: declared twice: c" },
    { HEAD "STAGE(p) { return LAP(p); }", "test.cl:3: a stage cannot read itself: p" },
    { HEAD "STAGE(p) { return AT(c); }\nRATE(c) { return AT(c); }", "test.cl:3: nothing uses the stage p" },
    { HEAD "//@ field psi complex\n//@ field psi_im\n", "test.cl:4: declared twice: psi_im" },
    { HEAD "//@ field psi complex\n//@ param psi 1 \"\"\n", "test.cl:4: declared twice: psi" },
    { HEAD "//@ param d_re 1 \"\"\n//@ field d complex\n", "test.cl:4: declared twice: d_re" },
    { HEAD "//@ field d complexity\n", "test.cl:3: expected complex, noise=NUMBER, mean=NUMBER or outside=NUMBER" },
    { HEAD "//@ field a_name_of_twenty_nine_letters complex\n",
      "test.cl:3: names have at most 31 characters: a_name_of_twenty_nine_letters_re" },
    { HEAD "//@ field psi complex\nRATE(psi) { return 0; }",
      "test.cl:4: a complex field has two parts, NAME_re and NAME_im: psi" },
    { HEAD "//@ field psi complex\nRATE(c) { return\nAT(psi); }",
      "test.cl:5: a complex field has two parts, NAME_re and NAME_im: psi" },
    { HEAD "//@ field half\n", "test.cl:3: reserved word of C, OpenCL C or C++: half" },
    { HEAD "//@ param int 1 \"\"\n", "test.cl:3: reserved word of C, OpenCL C or C++: int" },
    { HEAD "//@ noise float4 \"\"\n", "test.cl:3: reserved word of C, OpenCL C or C++: float4" },
    { HEAD "STAGE(for) { return AT(c); }", "test.cl:3: reserved word of C, OpenCL C or C++: for" },
    { HEAD "//@ param GRAD2 1 \"\"\n", "test.cl:3: names in capitals are reserved for the model language: GRAD2" },
    { HEAD "//@ param R 1 \"\"\n", "test.cl:3: names in capitals are reserved for the model language: R" },
    { HEAD "//@ noise n\n", "test.cl:3: expected a text in double quotes" },
    { HEAD "//@ noise c \"\"\n", "test.cl:3: declared twice: c" },
    { HEAD "//@ noise n amplitude=a \"\"\nRATE(c) { return NOISE(n); }", "test.cl:3: no //@ param line declares a" },
    { HEAD "//@ noise n \"\"\n//@ field n\n", "test.cl:4: declared twice: n" },
    { HEAD "\n//@ noise n \"\"\nRATE(c) { return AT(c); }", "test.cl:4: nothing uses the noise n" },
    { HEAD "RATE(c) { return NOISE(c); }", "test.cl:3: no //@ noise line declares c" },
    { HEAD "RATE(c) { return RANDOM(1); }", "test.cl:3: it takes the name of one noise: RANDOM" },
    { HEAD "//@ noise n \"\"\nRATE(c) { return LAP(n); }",
      "test.cl:4: only NOISE and RANDOM take the name of a noise: n" },
    { HEAD "//@ noise n \"\"\nENERGY() { return NOISE(n); }", "test.cl:4: an energy cannot contain noise: n" },
    { HEAD "//@ noise n \"\"\nSTAGE(p) { return NOISE(n); }\nSTAGE(q) { return LAP(p); }\nENERGY() { return AT(q); }",
      "test.cl:6: an energy cannot contain noise: q" },
    { HEAD "ENERGY(c) { return AT(c); }", "test.cl:3: ENERGY has empty parentheses: ENERGY()" },
    { HEAD "ENERGY() { return AT(c); }\nENERGY() { return AT(c); }", "test.cl:4: a second ENERGY" },
    { HEAD "INLINE realv f(HERE) { return AT(c); }",
      "test.cl:3: operators are allowed only in STAGE, RATE and ENERGY: AT" },
    { HEAD "RATE(c) { { return AT(c); } }\nINLINE realv f(HERE) { return GRAD2(c); }",
      "test.cl:4: operators are allowed only in STAGE, RATE and ENERGY: GRAD2" },
    { HEAD "RATE(c)\n{ return P(a) *\nP( b ) * AT(c); }\n//@ param a 1 \"\"\n",
      "test.cl:5: no //@ param line declares b" },
    { HEAD "RATE(c)\n{ return\nAT(c); { }\n\n", "test.cl:4: this { is not closed" },
    { HEAD "//@ field d\nRATE(d) { return\nAT(c);\nRATE(c) { return AT(c); }\n", "test.cl:4: this { is not closed" },
    { HEAD "RATE(c) { return AT(c); }\n}\n", "test.cl:4: } without {" },
    { HEAD "#define D(x) GRAD2(x)\n", "test.cl:3: operators are not allowed in macros: GRAD2" },
    { HEAD "//@ spin s signs\n",
      "test.cl:3: a model declares either fields or spins: this line belongs to the other kind" },
    { SPIN "//@ dt 1\n", "test.cl:3: a model declares either fields or spins: this line belongs to the other kind" },
    { SPIN "//@ spin t signs\n", "test.cl:3: a second //@ spin line" },
    { SPIN "", "test.cl:1: expected PAIR (energy of two neighbours) or RULE (new value of a spin)" },
    { SPIN "PAIR(s, t) { return R(0.0); }", "test.cl:1: expected //@ param T (temperature), or a RULE" },
    { SPIN "PAIR(s, t) { return R(0.0); }\nPAIR(s, t) { return R(0.0); }", "test.cl:4: defined twice: PAIR" },
    { SPIN "//@ bond b gaussian \"\"\n", "test.cl:3: expected sign, normal or uniform" },
    { SPIN "//@ site b sign \"\"\nPAIR(s, t) { return BOND(b); }", "test.cl:4: no //@ bond line declares b" },
    { SPIN "//@ site s sign \"\"\n", "test.cl:3: declared twice: s" },
    { "//@ model m \"e\"\n//@ spin s label 3\n",
      "test.cl:2: expected signs, whole LEAST MOST, labels COUNT, clock COUNT, angle or vector" },
    { "//@ model m \"e\"\n//@ spin s labels\n", "test.cl:2: expected a finite number" },
    { "//@ model m \"e\"\n//@ spin s labels 129\n",
      "test.cl:2: the number of kinds or directions must be an integer from 1 to 128" },
    { "//@ model m \"e\"\n//@ spin s clock 0\n",
      "test.cl:2: the number of kinds or directions must be an integer from 1 to 128" },
    { "//@ model m \"e\"\n//@ spin s whole 0 128\n",
      "test.cl:2: the bounds of a spin must be integers from -128 to 127" },
    { SPIN "#define GAIN(j) \\\n LOCAL_OF(j)\n", "test.cl:4: not allowed in macros: LOCAL_OF" },
    { "//@ model m \"e\"\n//@ spin s labels q\nRULE(s) { return s; }", "test.cl:2: no //@ param line declares q" },
};

static void slips_are_named_with_their_line(void **unused)
{
    for (size_t i = 0; i < MW_COUNT(slips); i++) {
        struct mw_model *model = (struct mw_model *)&model;
        assert_int_equal(mw_model_from_text("test.cl", slips[i].text, &model), MW_EBUILD);
        assert_string_equal(mw_errmsg(), slips[i].message);
        assert_ptr_equal(model, &model);
    }
}

/* Damaged files: any result but a crash is accepted. */
static void random_damage_is_survived(void **unused)
{
    static const char whole[] = HEAD "//@ param a 1 \"\"\n//@ field p complex\n//@ noise n \"\"\n"
                                     "STAGE(mu) { return P(a) * LAP(c); }\nENERGY() { return AT(p_re); }\n"
                                     "RATE(c) { return LAP(mu); }\nRATE(p_re) { return NOISE(n); }\n"
                                     "RATE(p_im) { return AVG(mu); }";
    struct mw_reach reach;
    int refused = 0;
    seed_random();
    for (int i = 0; i < 20000; i++) {
        char text[sizeof whole];
        struct mw_model *model = NULL;
        memcpy(text, whole, sizeof whole);
        for (int k = rand() % 4; k >= 0; k--)
            text[(size_t)rand() % (sizeof whole - 1)] = (char)(1 + rand() % 255);
        if (rand() % 3 == 0)
            text[(size_t)rand() % sizeof whole] = 0;
        if (mw_model_from_text("test.cl", text, &model) != 0)
            refused++;
        else
            mw_model_reach(model, (enum mw_laplacian)(rand() % MW_LAPLACIAN_COUNT), &reach);
        mw_model_free(model);
    }
    assert_true(refused > 1000);
}

/* The errors documented in the header. */
static void loading_fails_as_documented(void **unused)
{
    char folder[] = "/tmp/meshwork-model-XXXXXX", path[80];
    struct mw_model *model = NULL;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/m.cl", folder);
    FAILS(MW_EINVAL, "cahn-hilliard", mw_model_load("no-such-model", NULL, &model));
    FAILS(MW_EIO, "nowhere", mw_model_load("no-such-model", "/nowhere", &model));
    FAILS(MW_EIO, path, mw_model_load(path, NULL, &model));
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("this is no model\n", file);
    fflush(file);
    FAILS(MW_EBUILD, "m.cl", mw_model_load(path, NULL, &model));
    assert_int_equal(ftruncate(fileno(file), (1 << 20) + 1), 0);
    FAILS(MW_ELIMIT, path, mw_model_load(path, NULL, &model));
    assert_int_equal(fclose(file), 0);
    assert_null(model);
    unlink(path);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_header_is_read),
        cmocka_unit_test(a_complex_field_is_two),
        cmocka_unit_test(noise_and_energy_are_found),
        cmocka_unit_test(names_end_somewhere),
        cmocka_unit_test(reach_follows_from_the_operators),
        cmocka_unit_test(operations_are_counted),
        cmocka_unit_test(stages_of_noise_are_still),
        cmocka_unit_test(comments_and_strings_are_passed_over),
        cmocka_unit_test(what_is_declared_later_or_by_branches_is_fine),
        cmocka_unit_test(numbers_become_cells_where_that_is_certain),
        cmocka_unit_test(slips_are_named_with_their_line),
        cmocka_unit_test(random_damage_is_survived),
        cmocka_unit_test(loading_fails_as_documented),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */
