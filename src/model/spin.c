/* Lines and definitions of spin models. */
#include "model/parser.h"

/* ---- lines ---- */

/* Reads the name of a parameter, which may be declared later. */
static int param(struct mw_model_parser *p, struct mw_model_number *number)
{
    const size_t n = mw_identifier_length(p->at);
    number->param = mw_model_keep(p, p->at, n);
    if (p->wanted_count == MW_COUNT(p->wanted))
        return mw_model_wrong(p, "too many parameters", NULL);
    p->wanted[p->wanted_count++] = (struct mw_wanted){ number->param, n, mw_model_place(p) };
    p->at += n;
    return 0;
}

/* Reads an integer, or the name of a parameter, which may be declared later. */
static int bound(struct mw_model_parser *p, bool is_count, struct mw_model_number *number)
{
    mw_model_skip_blanks(p);
    *number = (struct mw_model_number){ 0 };
    if (mw_identifier_length(p->at) == 0) {
        TRY_RETURN(mw_model_number(p, &number->value));
        if (number->value < (is_count ? 1 : -128) || number->value > (is_count ? 128 : 127) ||
            number->value != (double)(int)number->value)
            return mw_model_wrong(p,
                                  is_count ? "the number of kinds or directions must be an integer from 1 to 128"
                                           : "the bounds of a spin must be integers from -128 to 127",
                                  NULL);
        return 0;
    }
    return param(p, number);
}

MW_ENUM_NAMES(spin_values, "kind of spin", [MW_SPIN_VALUES_SIGNS] = "signs", [MW_SPIN_VALUES_WHOLE] = "whole",
              [MW_SPIN_VALUES_LABELS] = "labels", [MW_SPIN_VALUES_CLOCK] = "clock", [MW_SPIN_VALUES_ANGLE] = "angle",
              [MW_SPIN_VALUES_VECTOR] = "vector")

static int bounds_of(int values)
{
    return values == MW_SPIN_VALUES_WHOLE ? 2 : values == MW_SPIN_VALUES_LABELS || values == MW_SPIN_VALUES_CLOCK;
}

int mw_model_spin_line(struct mw_model_parser *p)
{
    struct mw_model_spin spin = { 0 };
    int i = 0;
    spin.up = p->model->info.spin.up; /* set by an earlier line */
    if (p->model->info.spin.name)
        return mw_model_wrong(p, "a second //@ spin line", NULL);
    TRY_RETURN(mw_model_new_name(p, &spin.name));
    mw_model_skip_blanks(p);
    const size_t n = mw_identifier_length(p->at);
    while (mw_spin_values_name(i) && !mw_word_is(p->at, n, mw_spin_values_name(i)))
        i++;
    if (!mw_spin_values_name(i))
        return mw_model_wrong(p, "expected signs, whole LEAST MOST, labels COUNT, clock COUNT, angle or vector", NULL);
    p->at += n;
    spin.values = (enum mw_spin_values)i;
    if (bounds_of(i) == 2)
        TRY_RETURN(bound(p, false, &spin.least));
    if (bounds_of(i) > 0)
        TRY_RETURN(bound(p, bounds_of(i) == 1, &spin.most));
    p->model->info.spin = spin;
    return 0;
}

static int frozen_line(struct mw_model_parser *p, bool of_bonds)
{
    static const char *const words[] = {
        [MW_FROZEN_SIGN] = "sign", [MW_FROZEN_NORMAL] = "normal", [MW_FROZEN_UNIFORM] = "uniform"
    };
    struct mw_model *m = p->model;
    struct mw_model_frozen frozen = { .of_bonds = of_bonds };
    size_t i = 0;
    if (m->frozen_count == MW_MODEL_NAMES_MAX)
        return mw_model_wrong(p, "too many frozen numbers", NULL);
    TRY_RETURN(mw_model_new_name(p, &frozen.name));
    mw_model_skip_blanks(p);
    const size_t n = mw_identifier_length(p->at);
    while (i < MW_COUNT(words) && !mw_word_is(p->at, n, words[i]))
        i++;
    if (i == MW_COUNT(words))
        return mw_model_wrong(p, "expected sign, normal or uniform", NULL);
    p->at += n;
    frozen.values = (enum mw_frozen_values)i;
    TRY_RETURN(mw_model_quoted(p, &frozen.help));
    m->frozen[m->frozen_count++] = frozen;
    return 0;
}

int mw_model_start_line(struct mw_model_parser *p)
{
    struct mw_model_number up = { .value = 1 };
    mw_model_skip_blanks(p);
    const size_t n = mw_identifier_length(p->at);
    if (p->model->info.spin.up.value > 0 || p->model->info.spin.up.param)
        return mw_model_wrong(p, "a second //@ start line", NULL);
    if (!mw_word_is(p->at, n, "up"))
        return mw_model_wrong(p,
                              "expected up, or up and a parameter: where that is above 0, runs start with all spins "
                              "up",
                              NULL);
    p->at += n;
    mw_model_skip_blanks(p);
    if (mw_identifier_length(p->at) > 0)
        TRY_RETURN(param(p, &up));
    p->model->info.spin.up = up;
    return 0;
}

int mw_model_bond_line(struct mw_model_parser *p) { return frozen_line(p, true); }

int mw_model_site_line(struct mw_model_parser *p) { return frozen_line(p, false); }

/* ---- the text ---- */

static const char *const spin_definitions[] = {
    [MW_SPIN_PAIR] = "PAIR",       [MW_SPIN_OWN] = "OWN",   [MW_SPIN_PROPOSE] = "PROPOSE",
    [MW_SPIN_REFLECT] = "REFLECT", [MW_SPIN_RULE] = "RULE",
};

/* Checks BOND(name) or SITE(name). */
static int note_frozen(struct mw_model_parser *p, bool of_bonds)
{
    const struct mw_model *m = p->model;
    const char *name = "";
    const size_t n = mw_model_parenthesised(p, &name);
    for (size_t i = 0; n && i < m->frozen_count; i++)
        if (mw_word_is(name, n, m->frozen[i].name) && m->frozen[i].of_bonds == of_bonds)
            return 0;
    return mw_model_wrong(p, of_bonds ? "no //@ bond line declares" : "no //@ site line declares",
                          mw_model_keep(p, name, n));
}

int mw_model_spin_word(struct mw_model_parser *p, const char *word, size_t n, int depth)
{
    struct mw_model *m = p->model;
    for (size_t i = 0; i < MW_COUNT(spin_definitions) && depth == 0; i++) {
        if (!mw_word_is(word, n, spin_definitions[i]))
            continue;
        if (m->defines >> i & 1 && !p->conditional)
            return mw_model_wrong(p, "defined twice:", spin_definitions[i]);
        m->defines |= 1u << i;
        return 0;
    }
    if (mw_word_is(word, n, "BOND") || mw_word_is(word, n, "SITE"))
        return note_frozen(p, word[0] == 'B');
    m->looks_twice = m->looks_twice || mw_word_is(word, n, "LOCAL_OF");
    return 0;
}

static bool is_defined(const struct mw_model *m, enum mw_spin_definition what) { return m->defines >> what & 1; }

int mw_model_check_spin(struct mw_model_parser *p)
{
    struct mw_model *m = p->model;
    m->info.spin.has_rule = is_defined(m, MW_SPIN_RULE);
    if (!m->info.spin.name)
        return mw_model_wrong(p, "no //@ spin line", NULL);
    if (!is_defined(m, MW_SPIN_PAIR) && !m->info.spin.has_rule)
        return mw_model_wrong(p, "expected PAIR (energy of two neighbours) or RULE (new value of a spin)", NULL);
    if (!m->info.spin.has_rule && mw_model_find_param(m, "T", 1) < 0)
        return mw_model_wrong(p, "expected //@ param T (temperature), or a RULE", NULL);
    return 0;
}
/* SPDX-License-Identifier: MIT */
