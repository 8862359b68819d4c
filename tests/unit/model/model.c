/* Model files: accepted contents, derived properties, and the message for each mistake. */
#include "model/model.h"

#include <math.h>
#include <unistd.h>

#include "tests/unit/model/parse.h"

#define HEAD "//@ model test \"equation\"\n//@ field c noise=0.5 mean=-1e-1\n"

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
    assert_true(m->uses[1].by == MW_BY_RATES && m->uses[1].of_stage == 0 && m->uses[1].what == MW_OP_AT);
    assert_true(m->uses[2].by == MW_BY_RATES && m->uses[2].what == MW_OP_NOISE);
    assert_true(m->uses[3].by == MW_BY_ENERGY && m->uses[3].what == MW_OP_GRAD2);
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
            assert_string_equal(mw_errmsg(), "test.cl:34:44: too many fields");
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

/* Counts operations of stages and rates, each once, and sums of operators; not of an energy. */
static void operations_are_counted(void **unused)
{
    struct mw_model *m = parse(HEAD "STAGE(s) { return -AT(c) * AT(c) /* a * b */ - R(1e-3); }\n"
                                    "RATE(c) { const realv a = (AT(c)) / R(2.0); // a + b\n return a + LAP(s); }\n"
                                    "ENERGY() { return AT(c) * LAP(c) * AT(c); }");
    assert_true(mw_model_operations(m, MW_LAPLACIAN_SECOND, 2) == 4 + 5);
    assert_true(mw_model_operations(m, MW_LAPLACIAN_SECOND, 3) == 4 + 7);
    assert_true(mw_model_operations(m, MW_LAPLACIAN_FOURTH, 1) == 4 + 7);
    assert_true(mw_model_operations(m, MW_LAPLACIAN_ISOTROPIC, 2) == 4 + 11);
    mw_model_free(m);
    m = parse(HEAD "RATE(c) { return AVG(c) + GRAD_X(c) + GRAD2(c) + BIHARM(c); }");
    assert_true(mw_model_operations(m, MW_LAPLACIAN_SECOND, 2) == 3 + 4 + 2 + 7 + 30);
    mw_model_free(m);
    m = parse(HEAD "rate(c) = (c * c) * (c * c) + exp(c * c);");
    assert_true(mw_model_operations(m, MW_LAPLACIAN_SECOND, 2) == 3 + 20);
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
                "STAGE(v) { return AT(p) * LAP(p) - RANDOM(n); }\nSTAGE(s) { return AT(v) + AT(q); }\n"
                "RATE(c) { return LAP(s); }",
                HEAD);
    struct mw_model *m = parse(t.data);
    assert_int_equal(m->stage_count, MW_COUNT(still));
    for (size_t s = 0; s < MW_COUNT(still); s++)
        assert_int_equal(mw_model_is_still(m, s), still[s]);
    mw_model_free(m);
    mw_text_free(&t);
}

static void comments_are_skipped(void **unused)
{
    struct mw_model *m = parse(HEAD "/* STAGE(no) LAP(nothing)\n } { //@ field d\n */ // RATE(x)\n"
                                    "RATE(c) { return LAP( c ) /* LAP(z) */; }");
    assert_int_equal(m->stage_count, 0);
    assert_int_equal(m->use_count, 1);
    assert_int_equal(m->info.field_count, 1);
    mw_model_free(m);
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
    FAILS(MW_EINVAL, "kind of model 8", mw_model_names(NULL, (enum mw_model_kind)8, &(char **){ NULL }));
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
        cmocka_unit_test(comments_are_skipped),
        cmocka_unit_test(loading_fails_as_documented),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */
