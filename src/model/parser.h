/* Reading a model file: what parse.c, text.c, lanes.c, header.c, spin.c and words.c share; each calls later ones. */
#ifndef MW_MODEL_PARSER_H
#define MW_MODEL_PARSER_H

#include "base/words.h"
#include "model/model.h"

#define MW_USES_MAX 1024 /* operators in one model */

struct mw_model_parser {
    const char *path;
    struct mw_model *model;
    const char *at; /* next character */
    int line;
    char *names_end;
    int by;               /* who looks here: as in mw_model_use, or: */
#define MW_BY_NOBODY (-3) /* outside of STAGE, RATE and ENERGY */
    int noise_line[MW_MODEL_NAMES_MAX];
    bool noise_used[MW_MODEL_NAMES_MAX];
    bool stage_used[MW_MODEL_NAMES_MAX];
    bool stage_noisy[MW_MODEL_NAMES_MAX];
    bool has_rate[MW_MODEL_NAMES_MAX];
    struct mw_wanted {
        const char *name;
        size_t length;
        int line;
    } wanted[MW_MODEL_NAMES_MAX];
    size_t wanted_count; /* parameters that were looked at before they were declared, if they are */
    int brace_line;      /* of the outermost { that is open */
    bool conditional;    /* there are #if: braces cannot be counted */
    bool has_model;
    bool has_kind; /* a line said whether it is of fields or of spins */
};

/* ---- words.c ---- */

/* The failure at the present line: "path:line: what", and behind it a name unless that is NULL. */
int mw_model_wrong(const struct mw_model_parser *p, const char *what, const char *name);

void mw_model_skip_blanks(struct mw_model_parser *p);
size_t mw_identifier_length(const char *s);
/* Copies n characters behind the names that are already kept. */
const char *mw_model_keep(struct mw_model_parser *p, const char *from, size_t n);
/* Refuses what cannot be the name of something new; reads one. */
int mw_model_check_name(const struct mw_model_parser *p, const char *name);
int mw_model_new_name(struct mw_model_parser *p, const char **name);

/* Places in the model's lists; -1 for none.  A complex field is found by its own name as its real part. */
int mw_model_find_field(const struct mw_model *m, const char *name, size_t n);
int mw_model_find_complex(const struct mw_model *m, const char *name, size_t n);
int mw_model_find_stage(const struct mw_model *m, const char *name, size_t n);
int mw_model_find_noise(const struct mw_model *m, const char *name, size_t n);

/* header.c: a line behind its "//@", and words of it. */
int mw_model_header_line(struct mw_model_parser *p);
int mw_model_number(struct mw_model_parser *p, double *value);
int mw_model_quoted(struct mw_model_parser *p, const char **text);

/* spin.c: the lines of spin models, what stands in their texts, and whether it is all there. */
int mw_model_spin_line(struct mw_model_parser *p);
int mw_model_bond_line(struct mw_model_parser *p);
int mw_model_site_line(struct mw_model_parser *p);
int mw_model_start_line(struct mw_model_parser *p);
/* A word of n characters at depth 0 or within a definition; p->at stands behind it. */
int mw_model_spin_word(struct mw_model_parser *p, const char *word, size_t n, int depth);
int mw_model_check_spin(struct mw_model_parser *p);

/* text.c: at "(name)": steps behind it and gives the name's place; 0 length when it is not of that form. */
size_t mw_model_parenthesised(struct mw_model_parser *p, const char **name);
/* text.c: the whole text, header lines and equation. */
int mw_model_read_text(struct mw_model_parser *p);
/* lanes.c: makes cells of numbers where cells are wanted, in the same lines, and refuses what only compilers without
 * vectors take. */
int mw_model_check_cells(struct mw_model_parser *p);

#endif
/* SPDX-License-Identifier: MIT */
