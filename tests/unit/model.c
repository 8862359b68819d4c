/* Model files: what is read, what follows from it, and what each slip is answered with. */
#include "field/field_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEAD "//@ model test \"equation\"\n//@ field c noise=0.5 mean=-1e-1\n"

static struct mw_model *parse(const char *text)
{
    struct mw_model *model = NULL;
    if (mw_model_parse("test.cl", text, &model) != 0)
        fail_msg("%s", mw_errmsg());
    return model;
}

static void a_header_is_read(void **unused)
{
    (void)unused;
    struct mw_model *m = parse("//@ model some-name \"dc/dt = ...\"\r\n"
                               "//@ about \"What it is.\"\n"
                               "  //@ field c noise=0.5 mean=-1e-1\n"
                               "//@ field d\n"
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
    assert_true(info->fields[0].noise == 0.5 && info->fields[0].mean == -0.1);
    assert_false(info->fields[0].conserved);
    assert_true(info->fields[1].noise == 0 && info->fields[1].mean == 0 && info->fields[1].conserved);
    assert_int_equal(info->param_count, 1);
    assert_string_equal(info->params[0].name, "K");
    assert_true(info->params[0].value == -2.5);
    assert_string_equal(info->params[0].help, "help, with commas");
    assert_true(info->dt == 0.125);
    mw_model_free(m);
}

/* radius, reach and leads, worked out by hand. */
static void reach_follows_from_the_operators(void **unused)
{
    (void)unused;
    struct mw_model *m = parse(HEAD "RATE(c) { return AT(c); }");
    assert_int_equal(m->radius, 0);
    assert_int_equal(m->reach, 0);
    assert_true(m->looks == 1);
    mw_model_free(m);

    m = parse(HEAD "STAGE(mu) { return AT(c) - LAP(c); }\nRATE(c) { return LAP(mu); }");
    assert_int_equal(m->radius, 1);
    assert_int_equal(m->reach, 2);
    assert_int_equal(m->max_lead, 1);
    assert_int_equal(m->ring_rows, 3);
    assert_int_equal(m->stages[0].lead, 1);
    assert_true(m->looks == 30);
    mw_model_free(m);

    /* p is needed two rows ahead by q, and by the rate at its own row. */
    m = parse(HEAD "STAGE(p) { return LAP(c); }\nSTAGE(q) { return LAP(p); }\nRATE(c) { return LAP(q) + AT(p); }");
    assert_int_equal(m->reach, 3);
    assert_int_equal(m->stages[0].lead, 2);
    assert_int_equal(m->stages[1].lead, 1);
    assert_int_equal(m->stages[0].ring, 3);
    assert_int_equal(m->stages[1].ring, 3);
    assert_int_equal(m->stages[1].first, 3);
    assert_int_equal(m->ring_rows, 6);
    mw_model_free(m);

    /* The rate looks one row behind itself at p, which q needs two rows ahead. */
    m = parse(HEAD "STAGE(p) { return AT(c); }\nSTAGE(q) { return LAP(p); }\nRATE(c) { return LAP(q) + LAP(p); }");
    assert_int_equal(m->stages[0].ring, 4);
    mw_model_free(m);

    /* Looked at only where it stands: one row. */
    m = parse(HEAD "STAGE(p) { return LAP(c); }\nRATE(c) { return AT(p); }");
    assert_int_equal(m->stages[0].lead, 0);
    assert_int_equal(m->stages[0].ring, 1);
    mw_model_free(m);
}

static void comments_and_strings_are_passed_over(void **unused)
{
    (void)unused;
    struct mw_model *m = parse(HEAD "/* STAGE(no) LAP(nothing)\n } { */ // RATE(x)\n#define Q(x) \\\n (x) /* LAP */\n"
                                    "RATE(c) { return LAP( c ) /* LAP(z) */; }");
    assert_int_equal(m->stage_count, 0);
    assert_int_equal(m->reach, 1);
    mw_model_free(m);
}

static const struct { const char *text, *message; } slips[] = {
    { "", "test.cl:1: no //@ model line: this is not a model file" },
    { "int main(void) { return 0; }", "test.cl:1: no //@ model line: this is not a model file" },
    { "//@ model m \"e\"\n", "test.cl:1: no //@ field line" },
    { "//@ model m\n", "test.cl:1: expected a text in double quotes" },
    { "//@ model\n", "test.cl:1: expected the model's name" },
    { "//@ model m \"e\n", "test.cl:1: the text has no closing quote" },
    { "//@ model m \"e\"\n//@ model n \"e\"\n", "test.cl:2: a second //@ model line" },
    { HEAD, "test.cl:1: no RATE for the field c" },
    { HEAD "//@ fields d\n", "test.cl:3: expected model, about, field, param, dt or conserve after //@" },
    { HEAD "//@ field 2d\n", "test.cl:3: expected a name (letters, digits, '_')" },
    { HEAD "//@ field d noise=\n", "test.cl:3: expected a finite number" },
    { HEAD "//@ field d noise=nan\n", "test.cl:3: expected a finite number" },
    { HEAD "//@ field d colour=3\n", "test.cl:3: a field takes noise=NUMBER and mean=NUMBER" },
    { HEAD "//@ field c\n", "test.cl:3: declared twice: c" },
    { HEAD "//@ param LAP 1 \"\"\n", "test.cl:3: names of capitals alone belong to the model language: LAP" },
    { HEAD "//@ param a_name_of_far_too_many_characters 1 \"\"\n",
      "test.cl:3: names have at most 31 characters: a_name_of_far_too_many_characters" },
    { HEAD "//@ param a \"\"\n", "test.cl:3: expected a finite number" },
    { HEAD "//@ param a 1 \"\" more\n", "test.cl:3: something stands behind the end of this line" },
    { HEAD "//@ dt 0\n", "test.cl:3: dt must be positive" },
    { HEAD "//@ conserve d\n", "test.cl:3: conserve needs the name of a field declared above" },
    { HEAD "\nRATE(d) { return AT(c); }", "test.cl:4: RATE needs the name of a field declared by //@ field" },
    { HEAD "RATE(c) { return 0; }\nRATE(c) { return 0; }", "test.cl:4: a second RATE for c" },
    { HEAD "RATE(c) {\n\n return LAP(d); }", "test.cl:5: no field and no earlier stage is called d" },
    { HEAD "RATE(c) { return LAP(c + 1); }", "test.cl:3: operators take the name of one field or stage: LAP" },
    { HEAD "#define D(x) \\\n LAP(x)\n", "test.cl:4: operators cannot stand in a macro: LAP" },
    { HEAD "#define Q \\\r\n 1 // AT\nRATE(d)", "test.cl:5: RATE needs the name of a field declared by //@ field" },
    { HEAD "STAGE(c) { return 0; }", "test.cl:3: declared twice: c" },
    { HEAD "STAGE(p) { return LAP(p); }", "test.cl:3: a stage cannot look at itself: p" },
    { HEAD "STAGE(p) { return AT(c); }\nRATE(c) { return AT(c); }", "test.cl:3: nothing uses the stage p" },
};

static void slips_are_named_with_their_line(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < MW_COUNT(slips); i++) {
        struct mw_model *model = (struct mw_model *)&model;
        assert_int_equal(mw_model_parse("test.cl", slips[i].text, &model), MW_EBUILD);
        assert_string_equal(mw_errmsg(), slips[i].message);
        assert_ptr_equal(model, &model);
    }
}

/* Damaged files: every answer but a crash is right. */
static void random_damage_is_survived(void **unused)
{
    (void)unused;
    static const char whole[] = HEAD "//@ param a 1 \"\"\nSTAGE(mu) { return P(a) * LAP(c); }\n"
                                     "RATE(c) { return LAP(mu); }";
    const unsigned seed = (unsigned)(mw_now() * 1e6);
    int refused = 0;
    print_message("seed %u\n", seed);
    srand(seed);
    for (int i = 0; i < 20000; i++) {
        char text[sizeof whole];
        struct mw_model *model = NULL;
        memcpy(text, whole, sizeof whole);
        for (int k = rand() % 4; k >= 0; k--)
            text[(size_t)rand() % (sizeof whole - 1)] = (char)(1 + rand() % 255);
        if (rand() % 3 == 0)
            text[(size_t)rand() % sizeof whole] = 0;
        refused += mw_model_parse("test.cl", text, &model) != 0;
        mw_model_free(model);
    }
    assert_true(refused > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_header_is_read),
        cmocka_unit_test(reach_follows_from_the_operators),
        cmocka_unit_test(comments_and_strings_are_passed_over),
        cmocka_unit_test(slips_are_named_with_their_line),
        cmocka_unit_test(random_damage_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
